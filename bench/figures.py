# SPDX-License-Identifier: MIT
"""Rows of the result files in bench/results: tables as they are, chosen by bench/bars.py, and bars computed."""
import csv
import fnmatch
import math
import os
import re
import statistics
import sys

import bars

RESULTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "results")


tried = {}  # name: path, of a file that is tried before it takes the place of the one there is


def path_of(name):
    return tried.get(name) or os.path.join(RESULTS, name + ".csv")


def read_csv(path, empty=False):
    """The texts of the lines "# KEY: TEXT", and the rows, which may be missing in a file that was never measured."""
    keys, rows = {}, []
    with open(path, encoding="utf-8", newline="") as file:
        for line in file:
            if not line.startswith("# "):
                rows = [row for row in csv.reader([line, *file]) if row]
                break
            key, _, text = line[2:].rstrip("\n").partition(": ")
            keys[key] = text
    if not rows and not empty or any(key not in keys for key in ("command", "machine", "note")):
        sys.exit(f"{path}: no rows, or no command, machine or note")
    return keys, rows


def is_number(cell):
    return re.match(r"[-+.~]?\d|-$", cell) is not None


def begins_with_numbers(body):
    return bool(body) and all(is_number(row[0]) for row in body)


def parts(path, rows):
    """(titles, rows) of each table.  A last column "note" may hold commas."""
    found = []
    for number, row in enumerate(rows):
        if found and found[-1][0][-1] == "note":
            last = len(found[-1][0]) - 1
            row = row[:last] + [",".join(row[last:])] if len(row) > last else row
        if number == 0 or not any(map(is_number, row)) and (len(row) != len(found[-1][0]) or begins_with_numbers(found[-1][1])):
            found.append((row, []))
        elif len(row) != len(found[-1][0]):
            sys.exit(f"{path}: row {number} has {len(row)} cells, not {len(found[-1][0])}")
        elif row != found[-1][0]:
            found[-1][1].append(row)
    return [(titles, body) for titles, body in found if body]


def markdown(titles, body):
    marks = ["--:" if all(is_number(row[k]) or not row[k] for row in body) else "--" for k in range(len(titles))]
    return ["", "| " + " | ".join(titles) + " |", "|" + "|".join(marks) + "|",
            *("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in body)]


def origin(name, note=None):
    keys, rows = read_csv(path_of(name))
    out = [] if keys["command"].startswith("see ") else ["```shell", keys["command"], "```", ""]
    return out + [f"{note or keys['note']}. Machine: {keys['machine']}."], rows


def from_csv(name):
    out, rows = origin(name)
    for titles, body in parts(name, rows):
        out += markdown(titles, body)
    return out


def profile_table(cost, paths, names, title, taken=None):
    """cost: (problem, solver) -> what a solver that solves takes; taken: how many problems a solver takes, all without it."""
    best = {path: min((cost[path, s] for s in names if (path, s) in cost), default=None) for path in paths}
    body = []
    for name in names:
        ratios = [cost[path, name] / best[path] for path in paths if (path, name) in cost]
        shares = [sum(r <= tau for r in ratios) / (taken[name] if taken else len(paths))
                  for tau in (1, 1.5, 2, 5, 10, 100, float("inf"))]
        body.append([name, *([str(taken[name])] if taken else []), *(f"{share:.2f}" for share in shares)])
    return markdown([f"solver, {len(paths)} {title}", *(["takes"] if taken else []), *"1 1.5 2 5 10 100 solved".split()], body)


# ---- chosen rows, bars ----

def number(cell):
    """A finite number; None for a cell that is empty, text, nan or infinite."""
    try:
        value = float(cell)
    except ValueError:
        if is_number(cell) and cell != "-":
            sys.exit(f"no number, though it begins like one: {cell}")
        return None
    return value if math.isfinite(value) else None


def value_of(row, value):
    """Of "A" or "A / B", columns of a row; None where one is no finite number or B is 0."""
    first, _, second = value.partition(" / ")
    return quotient(number(row[first]), number(row[second]) if second else 1.0)


def quotient(a, b):
    return None if a is None or not b else a / b


def conditions(where):
    return [re.fullmatch(r"(.+?)(!=|[=<>])(.*)", word.strip()).groups() for word in where.split(",") if word.strip()]


def holds(row, column, sign, wanted):
    if sign in ("=", "!="):
        return any(fnmatch.fnmatchcase(row[column], pattern) for pattern in wanted.split("|")) == (sign == "=")
    cell = number(row[column])
    if cell is None:
        sys.exit(f"{column}{sign}{wanted}: \"{row[column]}\" is no number")
    return cell > float(wanted) if sign == ">" else cell < float(wanted)


def chosen(name, where, columns):
    """The rows of result file NAME that hold what "COLUMN=A*|B, COLUMN>1" says, from its first table with all columns."""
    asked = conditions(where)
    needed = {column for column, _, _ in asked} | {word for column in columns for word in column.split(" / ") if word}
    _, rows = read_csv(path_of(name))
    for titles, body in parts(name, rows):
        if needed <= set(titles):
            rows = [dict(zip(titles, row)) for row in body]
            return [row for row in rows if all(holds(row, *condition) for condition in asked)]
    sys.exit(f"{name}.csv: no table with the columns {', '.join(sorted(needed))}")


def words(text):
    return [word.strip() for word in text.split(",") if word.strip()]


def group(rows, by):
    found = {}
    for row in rows:
        found.setdefault(tuple(row[column] for column in by), []).append(row)
    return found


def least(rows, value):
    return min((v for v in (value_of(row, value) for row in rows) if v is not None), default=None)


def compared(bar):
    """(row, value, divisor) of the rows of a bar; None for what is no finite number, or for no row to compare with."""
    by, found = words(bar.by), []
    others = group(chosen(bar.file, bar.over, [bar.value, *by]), by) if bar.over else {}
    for row in chosen(bar.file, bar.where, [bar.value, *by]):
        divisor = least(others.get(tuple(row[c] for c in by), []), bar.value) if bar.over else 1.0
        if divisor is not None or not bar.both:
            found.append((row, value_of(row, bar.value), divisor))
    if not found:
        sys.exit(f"bars.py: \"{bar.what}\" has no rows in {bar.file}.csv")
    return found


def names_of(bar, rows):
    """Of the rows: the columns asked for that differ among them, or else the text that differs most."""
    asked = dict.fromkeys([*(column for column, sign, _ in conditions(bar.where) if sign == "="), *words(bar.by)])
    different = {column: len({row[column] for row in rows}) for column in rows[0]}
    columns = [column for column in asked if different[column] > 1]
    texts = [column for column in rows[0] if not any(is_number(row[column]) for row in rows)]
    return [" ".join(row[column] for column in columns or [max(texts or rows[0], key=different.get)]) for row in rows]


def of_all(bar, found, ratios):
    """The one figure of a bar that is not of each row; None where too few rows have a value."""
    needed = 2 if bar.how in ("spread", "growth") else 1
    if bar.how == "count":
        return len(ratios)
    if bar.how == "share":
        return sum(divisor is not None for _, _, divisor in found) / len(found)
    if len(found) < needed:
        sys.exit(f"bars.py: \"{bar.what}\" needs two rows of {bar.file}.csv")
    if len(ratios) < needed:
        return None
    if bar.how == "total":
        whole = [(value, divisor) for _, value, divisor in found if quotient(value, divisor) is not None]
        return sum(value for value, _ in whole) / sum(divisor for _, divisor in whole)
    if min(ratios) <= 0:
        sys.exit(f"bars.py: \"{bar.what}\": {bar.how} of {min(ratios):g}, which is not positive, in {bar.file}.csv")
    if bar.how == "spread":
        return max(ratios) / min(ratios)
    if bar.how == "growth":
        return max(b / a for a, b in zip(ratios, ratios[1:]))
    return math.exp(statistics.fmean(map(math.log, ratios)))


def measured(bar):
    """(values, how many there should be, names of the rows that miss the bar, rows).  A row without a value misses it."""
    found = compared(bar)
    every = [quotient(value, divisor) for _, value, divisor in found]
    ratios = [ratio for ratio in every if ratio is not None]

    def misses(ratio):
        return ratio is None or not (bar.least is None or ratio >= bar.least) or not (bar.most is None or ratio <= bar.most)

    names = names_of(bar, [row for row, _, _ in found])
    if bar.how == "each":
        return ratios, len(every), [name for name, ratio in zip(names, every) if misses(ratio)], len(found)
    one = of_all(bar, found, ratios)
    whole = bar.how == "count" or bar.how == "share" and not misses(one)
    without = [] if whole else [name for name, ratio in zip(names, every) if ratio is None]
    return [] if one is None else [one], 1, without or [""] * misses(one), len(found)


def verdict_of(bar, count, missed):
    """(the bar in words, its verdict); count: how many values are asked to hold it."""
    limit = f"{bar.most:g}" if bar.most is not None else f"at least {bar.least:g}" if bar.least is not None else ""
    named = f"{len(missed)}: {', '.join(missed[:3])}{', ..' if len(missed) > 3 else ''}" if missed and missed[0] else ""
    if not limit:
        return "", f"without a value: {named}" if named else ""
    verdict, met = "met", max(count - len(missed), 0)
    if 100 * met < bar.percent * count:
        verdict = "**missed**" + (f" by {named}" if named else "")
    return (limit, verdict) if bar.percent == 100 else (f"{limit}, {bar.percent}%", f"{verdict}, {met / count:.1%}")


def from_bars(name):
    body, files = [], dict.fromkeys(bar.file for bar in bars.BARS[name])
    for bar in bars.BARS[name]:
        ratios, count, missed, rows = measured(bar)
        limit, verdict = verdict_of(bar, count, missed)
        low, high = (f"{ratio:.4g}" for ratio in (min(ratios), max(ratios))) if ratios else ("", "")
        body.append([bar.what, limit, low if low == high else f"{low} - {high}", str(rows), verdict])
    out = ["The bars, each of all rows that it names:", ""]
    for file in files:
        keys, _ = read_csv(path_of(file))
        out.append(f"- `{keys['command']}`. Machine: {keys['machine']}.")
    return out + markdown(["what", "bar", "least - most", "rows", "verdict"], body)


def shown(cell):
    return "" if cell in ("nan", "-nan", "inf", "-inf") else cell


def filled(name, body):
    if not body:
        sys.exit(f"bars.py: the table {name} has no rows")
    return body


def from_view(name):
    view = bars.VIEWS[name]
    out, _ = origin(view["file"], view.get("note"))
    where = view.get("where", "")
    if "columns" in view:
        titles = words(view["columns"])
        cells = [[shown(row[c]) for c in titles] for row in chosen(view["file"], where, titles)]
        return out + markdown(titles, filled(name, cells))
    by = words(view["by"])
    if "profile" in view:
        rows = chosen(view["file"], where, [*by, view["profile"]])
        filled(name, [[row[column] for column in by] for row in rows])
        cost = {tuple(key): least(found, view["profile"]) for key, found in
                group([row for row in rows if all(holds(row, *c) for c in conditions(view["solved"]))], by).items()}
        names = list(dict.fromkeys(row[by[1]] for row in rows))
        taken = {solver: len({row[by[0]] for row in rows if row[by[1]] == solver}) for solver in names}
        return out + profile_table(cost, list(dict.fromkeys(row[by[0]] for row in rows)), names, "problems", taken)
    cells = {title: group(chosen(view["file"], f"{where}, {condition}", [value, *by]), by)
             for title, (value, condition) in view["cells"].items()}
    keys = list(dict.fromkeys(key for found in cells.values() for key in found))
    body = []
    for key in keys:
        values = [least(cells[title].get(key, []), value) for title, (value, _) in view["cells"].items()]
        body.append([*key, *("" if value is None else f"{value:.3g}" for value in values)])
    return out + markdown([*by, *cells], filled(name, body))


def compute(name):
    """Every bar and view over a result file; the first that cannot be computed is an error."""
    from_csv(name)
    for bar in (bar for found in bars.BARS.values() for bar in found if bar.file == name):
        measured(bar)
    for title in (title for title, view in bars.VIEWS.items() if view["file"] == name):
        from_view(title)


def table(name):
    return from_bars(name) if name in bars.BARS else from_view(name) if name in bars.VIEWS else from_csv(name)
