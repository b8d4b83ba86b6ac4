#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tables of docs/performance.md, written from the result files in bench/results.

    tables.py --keep RESULTS.jsonl    keep a file of saddle bench, without histories, patterns and memory, as solvers.jsonl,
                                      and write the tables
    tables.py --keep NAME OUTPUT.csv  keep what a program of bench prints with --csv as NAME.csv, under the lines
                                      "# command", "# note" and "# columns" of the NAME.csv there is; "# machine" is this one
    tables.py                         write the tables anew from what is kept
    tables.py --check                 exit code 1 where the tables are not those of what is kept

A table stands between the lines "<!-- table NAME -->" and "<!-- end -->".  A NAME.csv begins with lines "# KEY: TEXT";
"# columns: A, B" chooses columns.  A row without any number begins another table if its length is another, or if the first
column has only numbers above it.
"""
import csv
import json
import os
import platform
import re
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOCS = os.path.join(ROOT, "docs", "performance.md")
RESULTS = os.path.join(ROOT, "bench", "results")
KEPT = os.path.join(RESULTS, "solvers.jsonl")


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
    grouped = cases(lines)
    names = list(dict.fromkeys(solver for _, solver in grouped))
    paths = list(dict.fromkeys(path for path, _ in grouped))
    cost = {}
    for key, runs in grouped.items():
        if all(run["status"] == "solved" for run in runs):
            cost[key] = statistics.median(run["cpu"] for run in runs)
    least = {path: min((cost[path, s] for s in names if (path, s) in cost), default=None) for path in paths}
    table = [f"| solver, {len(paths)} systems | 1 | 1.5 | 2 | 5 | 10 | 100 | solved |", "|--|--:|--:|--:|--:|--:|--:|--:|"]
    for name in names:
        ratios = [cost[path, name] / least[path] for path in paths if (path, name) in cost]
        parts = [sum(r <= tau for r in ratios) / len(paths) for tau in (1, 1.5, 2, 5, 10, 100, float("inf"))]
        table.append(f"| {name} | " + " | ".join(f"{part:.2f}" for part in parts) + " |")
    return table


TABLES = {"machine": machine, "solvers": solvers, "profile": profile}


# ---- tables of programs that print comma-separated values ----

def read_csv(path):
    """The texts of the lines "# KEY: TEXT", and the rows."""
    keys, rows = {}, []
    with open(path, encoding="utf-8", newline="") as file:
        for line in file:
            if not line.startswith("# "):
                rows = [row for row in csv.reader([line, *file]) if row]
                break
            key, _, text = line[2:].rstrip("\n").partition(": ")
            keys[key] = text
    if not rows or any(key not in keys for key in ("command", "machine", "note")):
        sys.exit(f"{path}: no rows, or no command, machine or note")
    return keys, rows


def is_number(cell):
    return re.match(r"[-+.~]?\d|-$", cell) is not None


def begins_with_numbers(body):
    return bool(body) and all(is_number(row[0]) for row in body)


def parts(path, rows, chosen):
    """(titles, rows) of each table."""
    found = []
    for number, row in enumerate(rows):
        if number == 0 or not any(map(is_number, row)) and (len(row) != len(found[-1][0]) or begins_with_numbers(found[-1][1])):
            found.append((row, []))
        elif len(row) != len(found[-1][0]):
            sys.exit(f"{path}: row {number} has {len(row)} cells, not {len(found[-1][0])}")
        else:
            found[-1][1].append(row)
    if chosen:
        found = [([row[titles.index(c)] for c in chosen for row in [titles]],
                  [[row[titles.index(c)] for c in chosen] for row in body]) for titles, body in found]
    return [(titles, body) for titles, body in found if body]


def from_csv(name, path=None):
    path = path or os.path.join(RESULTS, name + ".csv")
    keys, rows = read_csv(path)
    out = ["```shell", keys["command"], "```", "", f"{keys['note']}. Machine: {keys['machine']}."]
    if keys["command"].startswith("see "):
        out = out[4:]
    for titles, body in parts(path, rows, [c.strip() for c in keys.get("columns", "").split(",") if c.strip()]):
        marks = ["--:" if all(is_number(row[k]) or not row[k] for row in body) else "--" for k in range(len(titles))]
        out += ["", "| " + " | ".join(titles) + " |", "|" + "|".join(marks) + "|"]
        out += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in body]
    return out


def this_machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        processor = next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), platform.machine())
    def git(*words):
        return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True, check=False).stdout.strip()
    changed = git("status", "--porcelain", "--", ".", ":!bench/results", ":!docs/performance.md")
    return f"{processor}, {os.cpu_count()} cores, {platform.system()} {platform.release()}; commit " \
           f"{git('rev-parse', '--short', 'HEAD')}{', changed' if changed else ''}"


def keep_csv(name, output):
    path = os.path.join(RESULTS, name + ".csv")
    keys, _ = read_csv(path)
    keys["machine"] = this_machine()
    with open(output, encoding="utf-8") as file:
        text = file.read()
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write("".join(f"# {key}: {value}\n" for key, value in keys.items()) + text)
    try:
        made = from_csv(name, path + ".new")
        if not any(line.startswith("|--") for line in made):
            sys.exit(f"{output}: titles without rows")
        os.replace(path + ".new", path)
    finally:
        if os.path.exists(path + ".new"):
            os.remove(path + ".new")


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
            out += TABLES[name](lines) if name in TABLES else from_csv(name)
            skipping = True
    if skipping:
        sys.exit("docs/performance.md: a table without <!-- end -->")
    return "\n".join(out)


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["--keep"] and len(arguments) == 2:
        write(KEPT, read(arguments[1]))
    elif arguments[:1] == ["--keep"] and len(arguments) == 3:
        keep_csv(*arguments[1:])
    elif arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    with open(DOCS, encoding="utf-8") as file:
        text = file.read()
    made = fill(text, read(KEPT))
    if arguments == ["--check"]:
        sys.exit(0 if made == text else "docs/performance.md: not the tables of bench/results (bench/tables.py)")
    with open(DOCS, "w", encoding="utf-8") as file:
        file.write(made)


if __name__ == "__main__":
    main()
