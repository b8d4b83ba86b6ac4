#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of docs/performance.md, written from the result files in bench/results and the bars in bench/bars.py.

    tables.py --keep RESULTS.jsonl    keep a file of saddle bench, without histories, patterns and memory, as solvers.jsonl,
                                      and write the tables
    tables.py --keep NAME OUTPUT.csv  keep what a program of bench prints with --csv as NAME.csv, under the lines
                                      "# command" and "# note" of the NAME.csv there is; "# machine" is this one
    tables.py --measure [NAME...]     run the commands of the result files, of all without NAME, one after another; keep each
    tables.py                         write the tables anew from what is kept
    tables.py --check                 exit code 1 where the tables are not those of what is kept

A file is kept only if every bar and view over it can be computed from the new rows; else the old one stays.

A table stands between the lines "<!-- table NAME -->" and "<!-- end -->".  NAME is a table or a list of bars of bench/bars.py,
or a NAME.csv as it is.  A NAME.csv is what "# command" prints with --csv, in full, after its lines "# KEY: TEXT".  A row
without any number begins another table in it if its length is another, or if the first column has only numbers above it.
"""
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time

import figures

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOCS = os.path.join(ROOT, "docs", "performance.md")
REPORT = "solvers"  # its result file is a file of saddle bench
KEPT = os.path.join(figures.RESULTS, REPORT + ".jsonl")


def fnv(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def read(path):
    lines = []
    with open(path, "rb") as file:
        for number, raw in enumerate(file, 1):
            body, _, check = raw.rstrip(b"\n").rpartition(b',"check":"')
            if not raw.endswith(b"\n") or check != fnv(body).encode() + b'"}':
                sys.exit(f"{path}:{number}: the line was cut or changed")
            lines.append(json.loads(raw))
    return lines


def write(path, lines):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        for line in lines:
            kept = {key: value for key, value in line.items() if key != "check"}
            if "history" in kept:
                kept["history"] = []
            if "spy" in kept:
                kept["spy"] = ""
            if "memory" in kept:
                kept["memory"] = 0
            body = json.dumps(kept, ensure_ascii=False, separators=(",", ":"))[:-1]
            file.write(f'{body},"check":"{fnv(body.encode())}"}}\n')


def cases(lines):
    """(problem, solver) -> runs, in the file's order."""
    grouped = {}
    for line in lines:
        if line["line"] == "run":
            solver = line["solver"] + (":" + line["settings"] if line["settings"] else "")
            grouped.setdefault((line["path"], solver), []).append(line)
    return grouped


def seconds(value):
    return f"{value:.3g}"


def machine(lines):
    head = [line for line in lines if line["line"] == "head"][-1]
    runs = [line for line in lines if line["line"] == "run"]
    return [f"{head['machine']}, {head['cores']} cores, {head['memory_bytes'] / 2**30:.0f} GiB, {head['system']}; saddle "
            f"{head['version']}, program {head['program']}, commit {head['commit'] or 'not noted'}; {len(runs)} runs, "
            f"{sum(run['cpu'] for run in runs):.0f} s of processor time in all. "
            f"Options: {head['options']}."]


def solvers(lines):
    problems = {line["path"]: line for line in lines if line["line"] == "problem"}
    grouped = cases(lines)
    best = {}
    for (path, solver), runs in grouped.items():
        if all(run["status"] == "solved" for run in runs) and solver != "auto":
            best[path] = min(best.get(path, float("inf")), statistics.median(run["cpu"] for run in runs))
    table = ["| ratio | system | n | m | solver | cpu [s] | iterations | residual |",
             "|--:|--|--:|--:|--|--:|--:|--:|"]
    for (path, solver), runs in grouped.items():
        run, problem = runs[0], problems[path]
        if run["residual"] is None:
            continue
        cpu = statistics.median(r["cpu"] for r in runs)
        solved = all(r["status"] == "solved" for r in runs)
        ratio = f"{cpu / best[path]:.3g}" if solved and path in best else run["status"]
        name = f"auto ({run['method']})" if solver == "auto" else solver
        table.append(f"| {ratio} | {problem['name']} | {problem['n']} | {problem['m']} | {name} | {seconds(cpu)} | "
                     f"{run['iterations']} | {run['residual']:.1e} |")
    return table


def profile(lines):
    """Of the solvers: the part of all problems within a factor of the least processor time."""
    cost, grouped = {}, cases(lines)
    for key, runs in grouped.items():
        if all(run["status"] == "solved" for run in runs):
            cost[key] = statistics.median(run["cpu"] for run in runs)
    return figures.profile_table(cost, list(dict.fromkeys(path for path, _ in grouped)),
                                 list(dict.fromkeys(solver for _, solver in grouped)), "systems")[1:]


TABLES = {"machine": machine, "solvers": solvers, "profile": profile}


# ---- result files ----

def this_machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        processor = next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), platform.machine())
    def git(*words):
        return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, check=False).stdout.strip()
    changed = git("status", "--porcelain", "--", ".", ":!bench/*.py", ":!bench/results", ":!docs", ":!tests")
    return f"{processor}, {os.cpu_count()} cores, {platform.system()} {platform.release()}; commit " \
           f"{git('rev-parse', '--short', 'HEAD')}{', changed' if changed else ''}"


def keep_csv(name, output, seconds=None):
    path = figures.path_of(name)
    keys, _ = figures.read_csv(path, empty=True)
    keys["machine"] = this_machine() + (f"; {seconds:.0f} s in all" if seconds else "")
    with open(output, encoding="utf-8") as file:
        text = file.read()
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write("".join(f"# {key}: {value}\n" for key, value in keys.items()) + text)
    try:
        figures.tried[name] = path + ".new"
        if not any(line.startswith("|--") for line in figures.from_csv(name)):
            sys.exit(f"{output}: titles without rows")
        figures.compute(name)
        os.replace(path + ".new", path)
    except SystemExit as reason:
        sys.exit(f"{name}.csv stays as it was: {reason}")
    finally:
        figures.tried.pop(name, None)
        if os.path.exists(path + ".new"):
            os.remove(path + ".new")


def keep_report(path):
    lines = read(path)
    try:
        made = [line for make in TABLES.values() for line in make(lines)]
    except (LookupError, TypeError, ValueError) as reason:
        sys.exit(f"{REPORT}.jsonl stays as it was: {path}: no runs of saddle bench ({reason!r})")
    if not any(line.startswith("| 1 |") for line in made):
        sys.exit(f"{REPORT}.jsonl stays as it was: {path}: no system solved")
    write(KEPT, lines)


def command_of(name):
    return figures.read_csv(figures.path_of(name), empty=True)[0]["command"] if name != REPORT else "./dev bench report"


def measure(names):
    """Run the commands of result files; returns those that failed, of which what was kept before stays."""
    every, failed = [*sorted(file[:-4] for file in os.listdir(figures.RESULTS) if file.endswith(".csv")), REPORT], []
    build = os.path.join(ROOT, os.environ.get("SADDLE_BUILD", "build"))
    if not set(names) <= set(every):
        sys.exit(f"no result file of these: {', '.join(set(names) - set(every))}")
    python = {"PYTHONPATH": os.path.join(build, "python"), "SADDLE_LIBRARY": os.path.join(build, "libsaddle.so")}
    for name in names or [name for name in every if not command_of(name).startswith("see ")]:
        program = command_of(name).replace("./dev bench", "sh bench/run.sh") + (" --csv" if name != REPORT else "")
        program = re.sub("^python3 ", sys.executable + " ", program)
        print(name, end=" ... ", flush=True)
        began = time.monotonic()
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as output:
            code = subprocess.run(program, shell=True, stdout=output, cwd=ROOT, check=False,
                                  env={**os.environ, **python}).returncode
            seconds = time.monotonic() - began
            print(f"{seconds:.0f} s", flush=True)
            try:
                if code:
                    sys.exit(f"{program}: exit code {code}")
                if name == REPORT:
                    keep_report(os.path.join(build, "report", "report.jsonl"))
                else:
                    keep_csv(name, output.name, seconds)
            except SystemExit as reason:
                print(reason)
                failed.append(name)
    return failed


# ---- the page ----

def fill(text, lines):
    out, skipping = [], False
    for line in text.split("\n"):
        if line == "<!-- end -->":
            skipping = False
        if not skipping:
            out.append(line)
        if line.startswith("<!-- table "):
            name = line.split()[2]
            out += TABLES[name](lines) if name in TABLES else figures.table(name)
            skipping = True
    if skipping:
        sys.exit("docs/performance.md: a table without <!-- end -->")
    return "\n".join(out)


def main():
    arguments, failed = sys.argv[1:], []
    if arguments[:1] == ["--keep"] and len(arguments) == 2:
        keep_report(arguments[1])
    elif arguments[:1] == ["--keep"] and len(arguments) == 3:
        keep_csv(*arguments[1:])
    elif arguments[:1] == ["--measure"]:
        failed = measure(arguments[1:])
    elif arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    with open(DOCS, encoding="utf-8") as file:
        text = file.read()
    made = fill(text, read(KEPT))
    if arguments == ["--check"]:
        sys.exit(0 if made == text else "docs/performance.md: not the tables of bench/results (bench/tables.py)")
    with open(DOCS, "w", encoding="utf-8") as file:
        file.write(made)
    if failed:
        sys.exit(f"not measured: {', '.join(failed)}")


if __name__ == "__main__":
    main()
