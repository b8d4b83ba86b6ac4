# SPDX-License-Identifier: MIT
# shellcheck disable=SC1091,SC2317 # claims.sh is elsewhere; the functions are called by claim
# tables.sh SADDLE: the tables of docs/performance.md are those of the kept result files, and its profile is the command's own.
. tests/house/claims.sh
saddle=$1
kept=bench/results/solvers.jsonl

tables_are_those_of_the_kept_results() {
    python3 bench/tables.py --check
}

# Two programs of ours, one in Python, one in C.
the_profile_is_that_of_the_command() {
    "$saddle" bench --results $kept --profile --by cpu --csv >"$scratch/profile" || return 1
    python3 - "$scratch/profile" <<'END'
import csv, re, sys
rows = list(csv.reader(open(sys.argv[1])))[1:]
text = open("docs/performance.md", encoding="utf-8").read()
table = re.search(r"<!-- table profile -->\n(.*?)\n<!-- end -->", text, re.S).group(1).split("\n")[2:]
assert len(rows) > 5 and len(rows) == len(table), (len(rows), len(table))
for row, line in zip(rows, table):
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells[0] == row[0], (cells, row)
    for mine, theirs in zip(cells[1:], row[1:]):
        assert abs(float(mine) - float(theirs)) <= 0.0056, (cells, row)
END
}

a_changed_result_is_refused() {
    sed '2s/"n":[0-9]*/"n":7/' $kept >"$scratch/changed"
    ! cmp -s $kept "$scratch/changed" && ! python3 bench/tables.py --keep "$scratch/changed" &&
        ! "$saddle" bench --results "$scratch/changed" >/dev/null
}

no_table_is_typed() {
    awk '/^<!-- table/ { inside = 1 } /^<!-- end/ { inside = 0 } /^[|]/ && !inside { print; found = 1 } END { exit found }' \
        docs/performance.md
}

# copy: the scripts with their files, to be spoilt
copy() {
    rm -rf "$scratch/copy"
    mkdir -p "$scratch/copy/bench" "$scratch/copy/docs"
    cp -r bench/*.py bench/results "$scratch/copy/bench"
    cp docs/performance.md "$scratch/copy/docs"
}

# One cell of each bar, each view and each file as it is: the table is another.  Of each kind once, by the program itself.
changed_figures_are_noticed() {
    copy
    PYTHONDONTWRITEBYTECODE=1 python3 - "$scratch/copy/bench" <<'END'
import csv, io, os, re, sys
sys.path.insert(0, sys.argv[1])
import bars, figures, tables
message = "docs/performance.md: not the tables of bench/results (bench/tables.py)"
seen, named = set(), set()

def changed(text, row, column, by):
    """The text of the file with one cell changed, in the first row with these cells."""
    lines, wanted = text.split("\n"), list(row.values())[:-1]
    for k, line in enumerate(lines):
        cells = next(csv.reader([line]), [])
        if not line.startswith("#") and cells[:len(wanted)] == wanted and len(cells) > len(wanted):
            place = list(row).index(column)
            cells[place] = f"{by(float(cells[place])):g}"
            out = io.StringIO()
            csv.writer(out, lineterminator="").writerow(cells)
            return "\n".join([*lines[:k], out.getvalue(), *lines[k + 1:]])
    sys.exit(f"no such row: {row}")

def checked():
    """What the program exits with."""
    sys.argv[1:] = ["--check"]
    try:
        tables.main()
    except SystemExit as end:
        return end.code

def notice(kind, made, name, row, column, by):
    before, path = made(), figures.path_of(name)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(changed(text, row, column, by))
    assert made() != before, (kind, name, row, column)
    if kind not in seen:
        seen.add(kind)
        assert checked() == message, (kind, checked())
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    named.add(name)

def larger(value):
    return 1000 * value + 1

def smaller(value):
    return value / 1000

for found in bars.BARS.values():
    for bar in found:
        if bar.how != "count":
            row, column = figures.compared(bar)[-1][0], bar.value.split(" / ")[0]
            notice(bar.how, lambda: figures.measured(bar), bar.file, row, column, larger)
for table, view in bars.VIEWS.items():
    name, where = view["file"], view.get("where", "")
    if "columns" in view:
        titles = figures.words(view["columns"])
        row = figures.chosen(name, where, titles)[-1]
        notice("columns", lambda: figures.table(table), name, row, next(c for c in titles if figures.number(row[c])), larger)
        continue
    by = figures.words(view["by"])
    if "profile" in view:
        rows = figures.chosen(name, f"{where}, {view['solved']}", [view["profile"], *by])
        fastest = min(rows, key=lambda row: figures.number(row[view["profile"]]))
        notice("profile", lambda: figures.table(table), name, fastest, view["profile"], larger)
        continue
    for value, condition in view["cells"].values():
        rows = [row for row in figures.chosen(name, f"{where}, {condition}", [value, *by]) if figures.value_of(row, value)]
        if rows:
            notice("cells", lambda: figures.table(table), name, rows[-1], value.split(" / ")[0], smaller)
with open("docs/performance.md", encoding="utf-8") as file:
    for name in re.findall("<!-- table (.*) -->", file.read()):
        if name not in (*bars.BARS, *bars.VIEWS, "machine", "solvers", "profile"):
            for titles, body in figures.parts(name, figures.read_csv(figures.path_of(name))[1]):
                row = dict(zip(titles, body[-1]))
                column = next(c for c in titles[:-1] if figures.is_number(row[c]))
                notice("as it is", lambda: figures.table(name), name, row, column, larger)
files = {file[:-4] for file in os.listdir(figures.RESULTS) if file.endswith(".csv")}
assert named == files, files ^ named
END
}

every_table_and_list_of_bars_is_on_the_page() {
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=bench python3 -c '
import bars
print("\n".join(f"<!-- table {name} -->" for name in [*bars.BARS, *bars.VIEWS]))' >"$scratch/names" &&
        while read -r line; do grep -qx -e "$line" docs/performance.md || echo "missing: $line"; done <"$scratch/names" | none
}

# bars LINE...: a table of bars of a small result file with two tables, and the program that writes the page.
bars() {
    copy
    cat >"$scratch/copy/bench/results/small.csv" <<'END'
# command: c
# machine: m
# note: n
system,n,method,seconds,steps
a,1,ours,1,2
a,1,theirs,4,2
a,1,theirs-too,2,8
b,10,ours,3,2
b,10,theirs,4,2
c,100,ours,9,3
END
    {
        echo 'from bars_before import Bar'
        echo 'VIEWS = {"view": {"file": "small", "by": "system", "cells": {"ours": ("seconds", "method=ours, n<50"),'
        echo '    "best": ("seconds / steps", "method=theirs*")}}}'
        echo 'BARS = {"bars": ['
        printf '    %s,\n' "$@"
        echo ']}'
    } >"$scratch/copy/bench/bars.new"
    mv "$scratch/copy/bench/bars.py" "$scratch/copy/bench/bars_before.py"
    mv "$scratch/copy/bench/bars.new" "$scratch/copy/bench/bars.py"
    printf '<!-- table bars -->\n<!-- end -->\n<!-- table view -->\n<!-- end -->\n' >"$scratch/copy/docs/performance.md"
    python3 "$scratch/copy/bench/tables.py"
}

# The command in the file is run, what it prints kept; one that fails leaves what there was.
a_table_is_measured_by_its_command() {
    bars 'Bar("what", "small", "system=a, method=ours", "seconds", 1)' || return 1
    printf 'test "$1" = --csv\nprintf "system,n,method,seconds,steps\\na,1,ours,0.5,1\\n"\n' >"$scratch/copy/print.sh"
    sed -i '1s/.*/# command: sh print.sh/' "$scratch/copy/bench/results/small.csv"
    python3 "$scratch/copy/bench/tables.py" --measure small &&
        grep -q '^a,1,ours,0.5,1$' "$scratch/copy/bench/results/small.csv" &&
        grep -qxF '| what | 1 | 0.5 | 1 | met |' "$scratch/copy/docs/performance.md" &&
        sed -i '1s/.*/# command: false/' "$scratch/copy/bench/results/small.csv" &&
        ! python3 "$scratch/copy/bench/tables.py" --measure small &&
        ! python3 "$scratch/copy/bench/tables.py" --measure nothing &&
        grep -q '^a,1,ours,0.5,1$' "$scratch/copy/bench/results/small.csv" &&
        printf 'printf "system,n,method,seconds,steps\\nb,1,ours,0.5,1\\n"\n' >"$scratch/copy/print.sh" && # no row of the bar
        sed -i '1s/.*/# command: sh print.sh/' "$scratch/copy/bench/results/small.csv" &&
        ! python3 "$scratch/copy/bench/tables.py" --measure small 2>"$scratch/said" >"$scratch/out" &&
        grep -q '^small.csv stays as it was: bars.py: "what" has no rows' "$scratch/out" &&
        grep -qx 'not measured: small' "$scratch/said" &&
        grep -q '^a,1,ours,0.5,1$' "$scratch/copy/bench/results/small.csv"
}

what_a_program_prints_is_kept() {
    copy
    printf 'ratio,system\n0.125,"a, b"\n7,all\nshare,of what,system\n0.375,x|y,d\n' >"$scratch/out.csv"
    python3 "$scratch/copy/bench/tables.py" --keep hertz "$scratch/out.csv" &&
        python3 "$scratch/copy/bench/tables.py" --check &&
        grep -qx '| 0.125 | a, b |' "$scratch/copy/docs/performance.md" &&
        grep -qx '| 0.375 | x\\|y | d |' "$scratch/copy/docs/performance.md" &&
        grep -q '^# machine: .*commit' "$scratch/copy/bench/results/hertz.csv"
}

a_second_table_of_as_many_columns_is_a_table() {
    copy
    printf 'ratio,system\n0.125,a\nshare,of\n0.375,b\n' >"$scratch/out.csv"
    python3 "$scratch/copy/bench/tables.py" --keep hertz "$scratch/out.csv" &&
        grep -qx '| share | of |' "$scratch/copy/docs/performance.md" &&
        grep -A1 -x '| share | of |' "$scratch/copy/docs/performance.md" | grep -qx '|--:|--|'
}

# ... and what was kept before stays.
an_output_that_is_no_table_is_not_kept() {
    for text in '' 'a,b' 'a,b\n1,2,3'; do
        copy
        printf '%b' "$text" >"$scratch/out.csv"
        ! python3 "$scratch/copy/bench/tables.py" --keep hertz "$scratch/out.csv" &&
            diff -r bench/results "$scratch/copy/bench/results" || return 1
    done
}

a_commit_of_a_changed_tree_is_marked() {
    copy
    printf 'ratio,system\n0.125,a\n' >"$scratch/out.csv"
    (cd "$scratch/copy" && git init -q . && git add . && git -c user.name=t -c user.email=t@t commit -qm t) &&
        python3 "$scratch/copy/bench/tables.py" --keep hertz "$scratch/out.csv" &&
        python3 "$scratch/copy/bench/tables.py" --keep hertz "$scratch/out.csv" &&
        grep -q '^# machine: .*commit [0-9a-f]*$' "$scratch/copy/bench/results/hertz.csv" &&
        echo >"$scratch/copy/bench/more.c" &&
        python3 "$scratch/copy/bench/tables.py" --keep hertz "$scratch/out.csv" &&
        grep -q '^# machine: .*commit [0-9a-f]*, changed$' "$scratch/copy/bench/results/hertz.csv"
}

claim no_table_is_typed no_table_is_typed
claim changed_figures_are_noticed changed_figures_are_noticed
claim every_table_and_list_of_bars_is_on_the_page every_table_and_list_of_bars_is_on_the_page
python3 tests/bench/bar_claims.py bench "$scratch" || claims_failed=$((claims_failed + 1))
claim a_table_is_measured_by_its_command a_table_is_measured_by_its_command
claim what_a_program_prints_is_kept what_a_program_prints_is_kept
claim a_second_table_of_as_many_columns_is_a_table a_second_table_of_as_many_columns_is_a_table
claim an_output_that_is_no_table_is_not_kept an_output_that_is_no_table_is_not_kept
claim a_commit_of_a_changed_tree_is_marked a_commit_of_a_changed_tree_is_marked
claim tables_are_those_of_the_kept_results tables_are_those_of_the_kept_results
claim the_profile_is_that_of_the_command the_profile_is_that_of_the_command
claim a_changed_result_is_refused a_changed_result_is_refused
finish
