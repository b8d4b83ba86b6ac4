# SPDX-License-Identifier: MIT
"""Constants of admm and of auto's rounds, varied one by one: time and files solved beside the present value.

    python3 settings.py BUILD [--list] [--only NAME,...] [--csv]      NAME: a setting, or the begin of its name

Each value is put into a copy of the sources, from which a program of its own is built.  The files are the public contact
problems, those with rolling friction last, every other one of their list in half A, the rest in half B.  A file is solved by
all programs in turn, before the next file.  The ratio of times is the geometric mean over the files that both programs
solve, to 1e-8 by all measures within two seconds.
BUILD: the build folder, whose bench_contact lists the files.
"""
import csv
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ADMM, AUTO, SWEEPS = "solvers/admm/admm.c", "solvers/auto.c", "solvers/gauss_seidel/gauss_seidel.c"
BUDGET = "2"  # seconds of a solve
ROLLING = ("rfc/", "fclib/Chute")  # begins of names

# name, file, the text before the value and behind it, values to try, solver that it is of
SETTINGS = [
    ("rho at first", ADMM, ".initial = ", ",", ("0.05", "0.2"), "admm"),
    ("alpha", ADMM, "relaxation = ", ";", ("1.4", "1.8"), "admm"),
    ("growth of rho", ADMM, "penalty_growth = ", ";", ("1.5", "2.5"), "admm"),
    ("rho at most", ADMM, "most_penalty = ", ";", ("0.3", "1"), "admm"),
    ("rho after its most over rho at first", ADMM, "lower_penalty = ", ";", ("0.01", "0.1"), "admm"),
    ("steps between bursts", ADMM, "STEPS_PER_BURST = ", ",", ("25", "100"), "admm"),
    ("steps of a burst", ADMM, "    BURST = ", ",", ("10", "40"), "admm"),
    ("bursts from an error of", ADMM, "newton_from = ", ";", ("1e-3", "1e-4"), "admm"),
    ("auto: sweeps a round", AUTO, "    ROUND = ", " ", ("25", "100"), "auto"),
    ("auto: error after two thirds of the first round", SWEEPS, "best > ", ")", ("0.002", "0.01"), "auto"),
    ("auto: error after a round over before", SWEEPS, "best > ", " * it->round_start", ("0.03", "0.3"), "auto"),
]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def place(setting, text):
    """Where the value stands; the text around it occurs once."""
    name, path, before, behind = setting[:4]
    found = list(re.finditer(re.escape(before) + r"([0-9.e-]+)" + re.escape(behind), text))
    if len(found) != 1:
        sys.exit(f"settings: {name}: \"{before}..{behind}\" occurs {len(found)} times in {path}")
    return found[0].span(1)


def present(setting):
    text = read(os.path.join(ROOT, setting[1]))
    return text[slice(*place(setting, text))]


def build(folder, setting=None, value=None):
    """A program with the value, or with the constants as they are; `folder` holds the copy of the sources."""
    program = os.path.join(folder, "programs", f"{setting[0]} {value}" if setting else "present")
    if setting:
        text = read(os.path.join(ROOT, setting[1]))
        begin, end = place(setting, text)
        with open(os.path.join(folder, setting[1]), "w", encoding="utf-8") as file:
            file.write(text[:begin] + value + text[end:])
    if not os.path.exists(os.path.join(folder, "build")):
        off = [f"-DSADDLE_BUILD_{part}=OFF" for part in ("TESTS", "TOOLS", "EXAMPLES", "PYTHON", "OCTAVE")]
        subprocess.run(["cmake", "--preset", "release", *off], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", "build", "--target", "bench_contact"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)
    shutil.copy(os.path.join(folder, "build", "bench", "bench_contact"), program)
    if setting:
        shutil.copy(os.path.join(ROOT, setting[1]), os.path.join(folder, setting[1]))
    return program


def copy_sources(folder):
    names = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "-co", "--exclude-standard"], capture_output=True, text=True,
                           check=True).stdout
    for name in filter(None, names.split("\0")):
        if not name.startswith(("data/", "docs/")):
            os.makedirs(os.path.join(folder, os.path.dirname(name)), exist_ok=True)
            shutil.copy(os.path.join(ROOT, name), os.path.join(folder, name))
    os.mkdir(os.path.join(folder, "programs"))


def solve(program, solver, problem):
    """[seconds] of the answer that is within 1e-8 by all measures, [] where none is; None: the file is left out."""
    public = {"SADDLE_DATA": os.environ.get("SADDLE_DATA") or os.path.join(ROOT, "..", "shared", "data")}
    text = subprocess.run([program, "--cpu", "--csv", "--budget", BUDGET, "--method", solver, "--only", problem],
                          capture_output=True, text=True, check=True, env={**os.environ, **public}).stdout
    rows = [row for row in csv.DictReader(text.split("\n")) if row["problem"] == problem]
    return [float(row["seconds"]) for row in rows if row["by_all"] == "1"] if rows else None


def measure(programs, solver, problems):
    """{program: [[seconds] of each file]}, a file after the other."""
    taken = {program: [] for program in programs}
    for problem in problems:
        found = [solve(program, solver, problem) for program in programs]
        if None not in found:
            for program, seconds in zip(programs, found):
                taken[program].append(seconds)
    return taken


def compare(now, then):
    """The geometric mean of then over now, of the files that both solve; how many files `then` does not solve."""
    ratios = [b[0] / a[0] for a, b in zip(now, then) if a and b]
    mean = math.exp(math.fsum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan
    return f"{mean:.2f}", str(then.count([]))


def listed(folder):
    text = subprocess.run([os.path.join(folder, "bench", "bench_contact"), "--list", "--only", "fc,gfc,rfc"],
                          capture_output=True, text=True, check=True).stdout
    problems = [line for line in text.split("\n") if "/" in line and " " not in line]
    if not problems:
        sys.exit("settings: the public contact problems are absent")
    return sorted(problems, key=lambda problem: problem.startswith(ROLLING))


def main(folder, *options):
    chosen, words = SETTINGS, list(options)
    if "--only" in words:
        at = words.index("--only")
        begins = tuple((words[at + 1] if at + 1 < len(words) else "").split(","))
        chosen, words = [s for s in SETTINGS if s[0].startswith(begins)], words[:at] + words[at + 2:]
    if not chosen or not set(words) <= {"--csv", "--list"}:
        sys.exit(__doc__)
    if "--list" in words:
        for setting in chosen:
            print(f"{setting[0]}: {present(setting)}, tried {', '.join(setting[4])}")
        return
    problems = listed(folder)
    titles = ["setting", "present", "tried", "A", "B", "unsolved A", "unsolved B"]
    line = ",".join if "--csv" in words else lambda row: ("{:40}" + " {:>10}" * 6).format(*row)
    print(line(titles))
    with tempfile.TemporaryDirectory() as copy:
        copy_sources(copy)
        now = build(copy)
        for solver in dict.fromkeys(setting[5] for setting in chosen):
            then = {build(copy, setting, value): (setting[0], present(setting), value)
                    for setting in chosen if setting[5] == solver for value in setting[4]}
            taken = measure([now, *then], solver, problems)
            for program, what in {now: (f"{solver} as it is", "", ""), **then}.items():
                (a, unsolved_a), (b, unsolved_b) = (compare(taken[now][half::2], taken[program][half::2]) for half in (0, 1))
                print(line([*what, a, b, unsolved_a, unsolved_b]), flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
