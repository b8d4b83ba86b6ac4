# SPDX-License-Identifier: MIT
"""The single figures of docs/performance.md, each with the command that it was read from.

    python3 single.py BUILD [--list] [--only NAME,...] [--csv]      BUILD: the build folder, NAME: of --list

A figure whose program is absent is left out, which standard error says.  Exit: 0, or 1 where a command failed.
"""
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OTHERS = ("qp_marosmeszaros",)  # of the public files: quadratic programs, a set of their own (docs/benchmarks.md)


class Absent(Exception):
    """What a figure needs is not there."""


def run(*command, codes=(0,), folder=ROOT, **changed):
    done = subprocess.run(command, cwd=folder, env={**os.environ, **changed}, capture_output=True, text=True, check=False)
    if done.returncode == 77:
        raise Absent((done.stdout.strip().split("\n") or [""])[-1])
    if done.returncode not in codes:
        sys.exit(f"single: {' '.join(command)}: exit code {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def found(pattern, text):
    at = re.findall(pattern, text)
    if not at:
        sys.exit(f"single: no {pattern} in:\n{text[-2000:]}")
    return at


def demo(_):
    """From a fresh clone, with all packages installed."""
    with tempfile.TemporaryDirectory() as folder:
        run("git", "clone", "-q", ROOT, folder)
        run("./dev", "setup")
        began = time.monotonic()
        text = run("./dev", "demo", folder=folder)
        yield "a fresh clone, packages installed: built, the systems of data/ solved, a page of moving boxes made", \
            f"{time.monotonic() - began:.0f}", "s", "./dev demo"
        yield "the build in it", found(r"building the library and the command \.\.\. (\d+) s", text)[-1], "s", "./dev demo"
        if subprocess.run(["/usr/bin/python3", "-c", "import cffi, scipy"], capture_output=True, check=False).returncode:
            raise Absent("python3-cffi or python3-scipy is absent")
        began = time.monotonic()
        run("./dev", "python", folder=folder)
        yield "then Python's package", f"{time.monotonic() - began:.0f}", "s", "./dev python"


def python(build):
    text = run("ctest", "--test-dir", build, "-R", "^python_models$", "-V")
    if "Total Tests: 0" in text or "No tests were found" in text:
        raise Absent("the tests of Python's package were not built")
    yield "Python's problem and solve over the library's analyse, factor and solve: 100,500 unknowns (tested: at most 1.05)", \
        found(r"Python takes ([0-9.]+) of the library's time", text)[0], "ratio", \
        "ctest --test-dir build -R python_models -V"


def page(build):
    text = run(sys.executable, "bench/page.py", os.path.join(build, "saddle"), "200", "10")
    command = "./dev bench page 200 10"
    yield "the page of a pile of 200 boxes, 10 s: size", found(r"([0-9.]+) MB", text)[0], "MB", command
    yield "the same: first picture in chromium, software WebGL, the longest of three", \
        f"{max(map(float, found(r', ([0-9.]+) ms', text))) / 1000:.2f}", "s", command


def rank(build):
    names = {"chain": "a chain of hinged bodies", "loops": "closed loops", "hex": "an incompressible block",
             "grid-balls": "a grid of ball joints", "wall": "a wall of boxes, contact rows included"}
    for row in csv.DictReader(run(os.path.join(build, "bench", "bench"), "--only", "rank", "--csv").split("\n")):
        family, _, size = row["system"].rpartition("-")
        yield f"{row['method']} of {row['m']} rows found: {names[family]} ({row['system']})", row["seconds"], "s", \
            f"./dev bench --only rank/{family}"


def tree(build):
    text = run(os.path.join(build, "bench", "reduced", "bench_reduced"), "--only", "size", "--csv")
    row = next(csv.DictReader(text.split("\n")))
    command = "./dev bench reduced --only size"
    yield f"a tree of {row['links']} hinges: memory a link", row["bytes a link"], "bytes", command
    yield "the same: accelerations from positions and velocities", row["seconds"], "s", command


def fem(build):
    python = {"PYTHONPATH": os.path.join(build, "python"), "SADDLE_LIBRARY": os.path.join(build, "libsaddle.so")}
    command = "python3 examples/fem/block_on_plane.py"
    yield "an elastic cube with friction: displacements beside GetFEM's own, over the largest", \
        found(r"differ by (\S+) of", run("/usr/bin/python3", *command.split()[1:], **python))[0], "ratio", command
    command = "python3 examples/fem/tied_blocks.py"
    redundant, rows = found(r"(\d+) of (\d+) equality rows are redundant",
                            run("/usr/bin/python3", *command.split()[1:], **python))[0]
    yield f"tied blocks: of {rows} equality rows, named as redundant", redundant, "rows", command


def problems():
    """The systems of data/ and the files of the public collection."""
    for name in sorted(os.listdir(os.path.join(ROOT, "data"))):
        if os.path.exists(os.path.join(ROOT, "data", name, "problem.json")):
            yield os.path.join(ROOT, "data", name)
    public = os.environ.get("SADDLE_DATA") or os.path.join(ROOT, "..", "shared", "data")
    if not os.path.isdir(public):
        raise Absent(f"the public files are absent: {public}")
    for folder, folders, names in os.walk(public):
        folders[:] = sorted(name for name in folders if name not in OTHERS)
        yield from (os.path.join(folder, name) for name in sorted(names))


def files(build):
    """What is no problem (right-hand sides, models, notes) is not counted."""
    counts = {}
    for path in problems():
        text = run(os.path.join(build, "saddle"), "solve", path, "--tol", "1e-10", "--time-limit", "20", "--json",
                   codes=range(5))
        status = json.loads(text)["status"]
        if status != "SADDLE_BAD_FILE":
            counts[status] = counts.get(status, 0) + 1
    command = "saddle solve PROBLEM --tol 1e-10 --time-limit 20"
    yield "data/ and the public files, quadratic programs aside: problems", str(sum(counts.values())), "files", command
    yield "the same: solved by auto to 1e-10 within 20 s", str(counts.pop("SADDLE_OK", 0)), "files", command
    yield "the same: proven to have no solution", str(counts.pop("SADDLE_INFEASIBLE", 0)), "files", command
    for status in sorted(counts):
        yield f"the same: {status}", str(counts[status]), "files", command


GROUPS = {group.__name__: group for group in (demo, python, page, rank, tree, fem, files)}


def main(build, *options):
    only, words = list(GROUPS), list(options)
    if "--only" in words:
        at = words.index("--only")
        only, words = (words[at + 1] if at + 1 < len(words) else "").split(","), words[:at] + words[at + 2:]
    if not set(only) <= set(GROUPS) or not set(words) <= {"--csv", "--list"}:
        sys.exit(__doc__)
    if "--list" in words:
        print("\n".join(GROUPS))
        return
    table = csv.writer(sys.stdout, lineterminator="\n") if "--csv" in words else None
    if table:
        table.writerow(("what", "figure", "unit", "command"))
    for name in only:
        try:
            for what, figure, unit, command in GROUPS[name](os.path.abspath(build)):
                if table:
                    table.writerow((what, figure, unit, command))
                else:
                    print(f"{figure:>8} {unit:6} {what}   [{command}]")
                sys.stdout.flush()
        except Absent as reason:
            print(f"single: {name}: left out: {reason}", file=sys.stderr)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
