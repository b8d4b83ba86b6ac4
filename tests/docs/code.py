# SPDX-License-Identifier: MIT
# Runs the code of one page: code.py PAGE SOURCE PREFIX PYTHON_PACKAGE COMPILER CXX SCRATCH (tests/docs/pages.py has the rules).
# PREFIX: an installation.  Exit code 77: what the page needs is absent, and was named.
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(__file__))
from pages import blocks  # noqa: E402

page, source, prefix, package, compiler, cxx, scratch = sys.argv[1:]
page, folder = pathlib.Path(page), pathlib.Path(scratch)
library = next(pathlib.Path(prefix).rglob("libsaddle.so")).parent
environment = {**os.environ, "PATH": f"{prefix}/bin:{os.environ['PATH']}", "LD_LIBRARY_PATH": str(library), "CC": compiler,
               "PKG_CONFIG_PATH": str(library / "pkgconfig"), "CMAKE_PREFIX_PATH": prefix, "LC_ALL": "C.UTF-8",
               "PYTHONPATH": package, "SADDLE_LIBRARY": str(library / "libsaddle.so"), "PYTHONDONTWRITEBYTECODE": "1"}


def fail(block, reason):
    sys.exit(f"{page}:{block.line}: {reason}")


def run(block, words, **more):
    done = subprocess.run(words, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          stdin=subprocess.DEVNULL if "input" not in more else None, timeout=200, check=False, **more)
    if done.returncode != 0:
        fail(block, f"ends with {done.returncode}:\n{done.stdout}")
    return done.stdout


def matches(expected, printed):
    pattern = "".join(".*?" if part == "..." else re.escape(part) for part in re.split(r"(\.\.\.)", expected.strip()))
    return re.fullmatch(pattern, printed.strip(), flags=re.S) is not None


def program(block):
    name, flags = ("block.c", [compiler, "-std=c17"]) if block.language == "c" else ("block.cpp", [cxx, "-std=c++17"])
    (folder / name).write_text(block.text, encoding="utf-8")
    run(block, [*flags, "-Wall", "-Wextra", "-Werror", name, "-o", "block", f"-I{prefix}/include", f"-L{library}", "-lsaddle",
                "-lm"])
    return run(block, ["./block"])


def excerpt(block):
    """Lines of a file that is compiled, whatever their indentation."""
    def bare(text):
        return "\n".join(line.strip() for line in text.split("\n") if line.strip())
    for file in [*(pathlib.Path(source) / "examples").glob("*.c"), *(pathlib.Path(source) / "include").rglob("*.h"),
                 *(pathlib.Path(source) / "mpi").glob("*.h")]:
        if bare(block.text) in re.sub(r"^ \* *", "", bare(file.read_text(encoding="utf-8")), flags=re.M):
            return
    fail(block, "neither a program nor lines of an example or a header")


def execute(block):
    """What the block prints; None: nothing to compare."""
    if block.file:
        (folder / block.file).parent.mkdir(parents=True, exist_ok=True)
        (folder / block.file).write_text(block.text, encoding="utf-8")
    if block.language == "json":
        json.loads(block.text)
    if block.language == "sh":
        return run(block, ["sh", "-eu", "-c", block.text])
    if block.language == "matlab":
        return run(block, ["octave-cli", "--norc", "--eval", block.text])
    if block.language == "python":
        (folder / "page.py").open("a", encoding="utf-8").write(block.text)
        whole = run(block, [sys.executable, "page.py"])
        new = whole[len(execute.said):] if whole.startswith(execute.said) else whole
        execute.said = whole
        return new
    if block.language in ("c", "cpp") and not block.file:
        if " main(" in block.text:
            return program(block)
        excerpt(block)
    return None


execute.said = ""


def lacking(block):
    """Why one block alone is left out."""
    if block.language == "matlab" and not shutil.which("octave-cli"):
        return "there is no octave-cli"
    if block.language == "sh" and "../shared/data" in block.text and not os.path.isdir(os.environ.get("SADDLE_DATA", "")):
        return "SADDLE_DATA names no folder"
    return None


def missing():
    code = " ".join(block.text for block in found if block.language in ("python", "sh"))
    for module in ("numpy", "scipy", "cffi", "matplotlib", "getfem"):
        used = re.search(rf"\b(import|from) {module}\b", code) or (module != "matplotlib" and "import saddle" in code and
                                                                   module != "getfem")
        if used and importlib.util.find_spec(module) is None:
            return f"there is no {module} for Python"
    for command in ("pkg-config", "cmake", "dot"):
        if re.search(rf"\b{command}\b", code) and not shutil.which(command):
            return f"there is no {command}"
    if any(block.language == "cpp" for block in found) and not shutil.which(cxx):
        return f"there is no {cxx}"
    return None


found = blocks(page)
reason = missing()
if reason:
    print(reason)
    sys.exit(77)
for name in ("data", "examples", "docs"):
    (folder / name).symlink_to(pathlib.Path(source) / name)
if os.path.isdir(os.environ.get("SADDLE_DATA", "")):
    (folder.parent / "shared").mkdir(exist_ok=True)
    if not (folder.parent / "shared/data").exists():
        (folder.parent / "shared/data").symlink_to(os.environ["SADDLE_DATA"])
printed, skipped = None, False
for one in found:
    if lacking(one):
        print(f"line {one.line}: {lacking(one)}")
        skipped = True
    elif one.language == "text" and skipped:
        skipped = False
    elif one.language == "text":
        if printed is None:
            fail(one, "no block before this one prints")
        if not matches(one.text, printed):
            fail(one, f"expected\n{one.text}but printed was\n{printed}")
        printed = None
    else:
        printed, skipped = execute(one), False
