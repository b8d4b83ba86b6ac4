# SPDX-License-Identifier: MIT
"""commands.py SOURCE BUILD [PAGE...]: the commands that the pages show, run there or not, can be typed as they stand.

Checked are the fenced blocks `sh` and `shell` and the code between backticks that begins with saddle or ./dev:

    saddle VERB      the verb; its options, the words they take, solvers and their settings, by the command's own help
    ./dev WORD       the word and those of ./dev bench, by ./dev help; options of a benchmark, by its sources
    cmake, ctest     presets, variables and targets of the build files; a test of that name
    files            below data/, docs/, examples/, bench/, tests/, ../shared/data/ (where SADDLE_DATA is)

Other programs have to be among those named below; an indented block may not begin with any of them.  Words in capitals stand
for an argument.
"""
import functools
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(__file__))
import pages  # noqa: E402

source, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
ordinary = set("cat cd cp cpack cut dot echo export false gnuplot grep head ls make man mkdir mv octave-cli pkg-config pip "
               "printf rm sed source tail test tee true whatis wc xdg-open ldconfig".split())
ours = {"saddle", "./dev", "cmake", "ctest", "python3", "git", "mpirun", "sudo"}
wrong = []


@functools.cache
def run(*words):
    return subprocess.run(words, cwd=source, capture_output=True, text=True, check=False, timeout=60,
                          env={**os.environ, "PYTHONPATH": "", "LC_ALL": "C.UTF-8"}).stdout


@functools.cache
def verbs():
    found = re.findall(r"^  ([a-z]+) +(?:\S.*)$", run(build / "saddle", "help").split("Verbs:")[1].split("\n\n")[0], flags=re.M)
    assert len(found) > 10, "saddle help lists no verbs"
    return found


@functools.cache
def options(verb):
    """{--option: what it takes} of a verb's help."""
    found = re.findall(r"^  (--[a-z-]+) ?(\S*)  ", run(build / "saddle", verb, "--help"), flags=re.M)
    return dict(found)


@functools.cache
def settings(solver):
    """{setting: its values} of a solver; None where there is none of that name."""
    text = run(build / "saddle", "solvers", solver)
    rows = re.findall(rf"^{re.escape(solver)}\.(\S+) +\S+ +(\S+)", text, flags=re.M)
    return dict(rows) if text.startswith(f"{solver}:") else None


def placeholder(word):
    return re.fullmatch(r"[A-Z_.0-9]+|\$.*", word) is not None


def solver(text):
    """NAME or NAME:SETTING=VALUE.., or PEER/METHOD."""
    name, *changed = text.split(":")
    if "/" in name or placeholder(name):
        return
    if settings(name) is None:
        yield f"there is no solver {name}"
        return
    for change in changed:
        yield from setting(change if "." in change.split("=")[0] else f"{name}.{change}")


def setting(text):
    """SOLVER.NAME=VALUE,.. or OPTION=VALUE,.. of a solve."""
    name, _, values = text.partition("=")
    owner, dot, own = name.partition(".")
    if placeholder(name):
        return
    if dot and settings(owner) is not None and own in settings(owner):
        yield from chosen(name, settings(owner)[own], values)
    elif dot and settings(owner) is not None and f"--{own}" in options("solve"):
        yield from chosen(name, options("solve")[f"--{own}"], values)
    elif dot or (name != "scale" and f"--{name}" not in options("solve")):
        yield f"there is no setting {name}"


def chosen(name, takes, values):
    """Of a|b|c each value is one."""
    if "|" in takes and "." not in takes:
        for value in values.split(","):
            if not placeholder(value) and value not in takes.split("|"):
                yield f"{name} takes {takes}, not {value}"


def value_of(option, takes, value):
    if option == "--solver" or option == "--solvers":
        for one in value.split(","):
            yield from solver(one)
    elif option in ("--set", "--vary"):
        yield from setting(value)
    else:
        yield from chosen(option, takes, value)


def saddle(words):
    if not words or words[0] in ("--help", "--version") or placeholder(words[0]):
        return
    verb, words = words[0], list(words[1:])
    if verb not in verbs():
        yield f"saddle has no verb {verb}"
        return
    while words:
        option, equals, value = words.pop(0).partition("=")
        if not option.startswith("--"):
            continue
        if option not in options(verb) and option != "--help":
            yield f"saddle {verb} has no option {option}"
            continue
        takes = options(verb).get(option, "")
        if takes and not equals:
            if not words or words[0].startswith("--"):
                yield f"{option} lacks its {takes}"
                continue
            value = words.pop(0)
        if takes:
            yield from value_of(option, takes, value)


def dev(words):
    known = re.findall(r"^(\./dev .*?)(?:  |$)", run("./dev", "help"), flags=re.M)
    second = words[1] if len(words) > 1 and not words[1].startswith("-") else ""
    table = second if words[0] == "bench" else ""
    name = f"./dev bench {table}" if table else f"./dev {words[0]}"
    lines = [line for line in known if re.sub(r" \[.*", "", line) == name]
    if not lines and name not in ("./dev help", "./dev bench report", "./dev bench peers"):
        yield f"./dev help has no {name}"
    if words[0] == "build" and second and f'"name": "{second}"' not in (source / "CMakePresets.json").read_text():
        yield f"there is no preset {second}"
    told = " ".join(lines) + (benchmark(table) if words[0] == "bench" else "")
    for option in words:
        if option.startswith("--") and not re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", told):
            yield f"{name} has no option {option}"


@functools.cache
def benchmark(word):
    """Texts of what runs a table, in which its options stand."""
    files = [file for file in (source / "bench").rglob("*") if file.suffix in (".c", ".py", ".sh") and
             ((word and (word in file.parent.name or word in file.stem)) or file.name == ("rows.c" if word else "bench.c"))]
    return " ".join(file.read_text(encoding="utf-8") for file in files)


def cmake(words):
    lists = "\n".join(file.read_text(encoding="utf-8") for file in [source / "CMakeLists.txt",
                                                                    *(source / "cmake").glob("*.cmake")])
    for at, word in enumerate(words):
        following = words[at + 1] if at + 1 < len(words) else ""
        if word == "--preset" and f'"name": "{following}"' not in (source / "CMakePresets.json").read_text():
            yield f"there is no preset {following}"
        if word.startswith("-DSADDLE_") and not re.search(rf"\b{word[2:].partition('=')[0]}\b", lists):
            yield f"no build file knows {word}"


def ctest(words):
    if "-R" in words:
        name = words[words.index("-R") + 1]
        with tempfile.TemporaryDirectory() as beside:  # ctest -N ends the log of a ctest that runs in the same folder
            (pathlib.Path(beside) / "CTestTestfile.cmake").write_text(f'subdirs("{build}")\n', encoding="utf-8")
            if "Total Tests: 0" in run("ctest", "--test-dir", beside, "-N", "-R", name):
                yield f"there is no test {name}"


def python3(words):
    if words[:1] and not words[0].startswith("-"):
        script = source / words[0]
        for option in [word for word in words[1:] if word.startswith("--")]:
            if script.exists() and option not in script.read_text(encoding="utf-8"):
                yield f"{words[0]} has no option {option}"


def files(words):
    """Of the repository, and public problems where they are."""
    for word in words:
        word = re.sub(r"^.*=", "", word)
        public = word.startswith("../shared/data/")
        if not public and not re.match(r"(data|docs|examples|bench|tests)/", word):
            continue
        folder = pathlib.Path(os.environ.get("SADDLE_DATA", source / "../shared/data")) if public else source
        if public and not folder.is_dir():
            continue
        if not list(folder.glob(word.removeprefix("../shared/data/").rstrip("/"))) and "NAME" not in word:
            yield f"there is no {word}"


def command(text, run_too):
    """What is wrong with one command; words before it are passed over.  run_too: by code.py, which sees other programs fail."""
    try:
        words = shlex.split(re.sub(r"\$\([^)]*\)|\$\{[^}]*\}", "VALUE", text), comments=True)
    except ValueError as error:
        yield str(error)
        return
    while words and (re.match(r"[A-Z_]+=", words[0]) or words[0] in ("sudo", "do", "!", "{", "(", "if", "then", "else")):
        words.pop(0)
    if words[:1] == ["mpirun"]:
        words = words[3:]
    if not words or words[0] in ("done", "}", "fi", "for", ")"):
        return
    name = pathlib.Path(words[0]).name if words[0] != "./dev" else "./dev"
    yield from files(words[1:])
    name = "saddle" if name == "saddle-mpi" else name
    judge = {"saddle": saddle, "./dev": dev, "cmake": cmake, "ctest": ctest, "python3": python3}.get(name)
    if judge:
        yield from judge(words[1:])
    elif not run_too and name not in ordinary | ours:
        yield f"{words[0]}: an unknown program"


def commands(text, run_too=False):
    """Lines joined where they go on, and cut at pipes and the like; brackets and dots of a synopsis are left out."""
    text = re.sub(r"\\\n\s*", " ", text)
    text = re.sub(r"<<'?(\w+)'?(.*?)\n.*?^\1$", r"\2", text, flags=re.M | re.S)
    for line in text.split("\n"):
        if run_too and line.endswith("|| true"):  # shown as a mistake, with what is printed
            continue
        line = re.sub(r"\s#.*", "", " " + line)
        line = re.sub(r"\$\([^)]*\)", "VALUE", line)
        quoted = re.sub(r"'[^']*'|\"[^\"]*\"", lambda q: re.sub(r"[|;&()<>]", "_", q.group()), line)
        quoted = re.sub(r"\d?>&\d|\d?>+ ?\S+|<\S+", " ", quoted)
        for part in re.split(r"\s\|\s|\|\||&&|;|[()]", quoted):
            yield re.sub(r"[\[\]]|\.\.\.?(?=\s|$)", " ", part).strip()


def inline(page):
    """(line, text) of code between backticks that is a command."""
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"^(`{3,}).*?^\1$", lambda block: "\n" * block.group().count("\n"), text, flags=re.M | re.S)
    for found in re.finditer(r"(?<!`)`([^`]+)`(?!`)", text):
        words = " ".join(found.group(1).split())
        if re.match(r"((build/)?saddle|\./dev) [a-z-]", words):
            yield text.count("\n", 0, found.start()) + 1, words.replace("\\|", "|")


def check(page):
    def say(line, text, run_too=False):
        for reason in command(text, run_too):
            wrong.append(f"{page}:{line}: {reason}: {text}")
    for block in pages.blocks(page):
        if block.language not in ("sh", "shell"):
            continue
        for text in commands(block.text, block.language == "sh"):
            say(block.line, text, block.language == "sh")
        if block.language == "shell" and "[" not in block.text and subprocess.run(["sh", "-n"], input=block.text, text=True,
                                                                                  check=False).returncode:
            wrong.append(f"{page}:{block.line}: sh does not understand the block")
    for line, text in inline(page):
        for part in commands(re.sub(r"(--[a-z-]+)$", r"\1 VALUE", text)):
            say(line, part)
    for line, text in pages.indented(page):
        first = re.sub(r"^build/", "", text.split()[0])
        if first in ours | ordinary | {"for"}:
            wrong.append(f"{page}:{line}: a command in a block that is not checked: {text.strip()}")


for one in [pathlib.Path(name) for name in sys.argv[3:]] or pages.pages(source):
    check(one)
print("\n".join(wrong))
sys.exit(1 if wrong else 0)
