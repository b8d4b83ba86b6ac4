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
import csv, io, os, re, subprocess, sys
sys.path.insert(0, sys.argv[1])
import bars, figures
message = "docs/performance.md: not the tables of bench/results (bench/tables.py)\n"
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

def notice(kind, made, name, row, column, by):
    before, path = made(), figures.path_of(name)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(changed(text, row, column, by))
    assert made() != before, (kind, name, row, column)
    if kind not in seen:
        seen.add(kind)
        check = subprocess.run([sys.executable, sys.argv[1] + "/tables.py", "--check"], capture_output=True, text=True)
        assert (check.returncode, check.stdout, check.stderr) == (1, "", message), (kind, check)
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
        notice("profile", lambda: figures.table(table), name, rows[-1], view["profile"], larger)
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

a_bar_is_computed() { # ARGUMENTS of Bar, the row it makes
    if ! bars "Bar(\"what\", \"small\", $1)" || ! grep -qxF "| what | $2 |" "$scratch/copy/docs/performance.md"; then
        cat "$scratch/copy/docs/performance.md"
        return 1
    fi
}

# By hand: ours over theirs is 1/2 of system a and 3/4 of b; c has no other program.
bars_are_computed() {
    over='"method=ours", "seconds", over="method=theirs*", by="system", both=True'
    a_bar_is_computed "$over, most=0.75" '0.75 | 0.5 - 0.75 | 2 | met' &&
        a_bar_is_computed "$over, most=0.7" '0.7 | 0.5 - 0.75 | 2 | **missed** by 1: b' &&
        a_bar_is_computed "$over, least=0.8" 'at least 0.8 | 0.5 - 0.75 | 2 | **missed** by 2: a, b' &&
        a_bar_is_computed "$over, most=0.7, percent=50" '0.7, 50% | 0.5 - 0.75 | 2 | met, 50.0%' &&
        a_bar_is_computed "$over, most=0.6, how=\"total\"" '0.6 | 0.6667 | 2 | **missed**' &&
        a_bar_is_computed "$over, how=\"mean\"" ' | 0.6124 | 2 | ' &&
        a_bar_is_computed '"method=ours, n>1", "seconds / steps", most=2, how="spread"' '2 | 2 | 2 | met' &&
        a_bar_is_computed '"method=ours", "seconds", most=2, how="growth"' '2 | 3 | 3 | **missed**' &&
        a_bar_is_computed '"system!=a|b", "steps", least=2, how="count"' 'at least 2 | 1 | 1 | **missed**' &&
        grep -qx '| a | 1 | 0.25 |' "$scratch/copy/docs/performance.md" &&
        grep -qx '| b | 3 | 2 |' "$scratch/copy/docs/performance.md" && ! grep -q '^| c ' "$scratch/copy/docs/performance.md"
}

# A bar of a small result file of these rows.
a_bar_of_these() { # ROWS, ARGUMENTS of Bar, the row it makes
    bars "Bar(\"what\", \"small\", \"\", \"steps\", 9)" || return 1
    printf '# command: c\n# machine: m\n# note: n\nsystem,n,method,seconds,steps\n%b' "$1" \
        >"$scratch/copy/bench/results/small.csv"
    sed -i "s/^    Bar(.*/    Bar(\"what\", \"small\", $2),/" "$scratch/copy/bench/bars.py"
    echo '<!-- table bars -->' >"$scratch/copy/docs/performance.md"
    echo '<!-- end -->' >>"$scratch/copy/docs/performance.md"
    if ! python3 "$scratch/copy/bench/tables.py" 2>"$scratch/said" ||
        ! grep -qxF "| what | $3 |" "$scratch/copy/docs/performance.md"; then
        cat "$scratch/said" "$scratch/copy/docs/performance.md"
        return 1
    fi
}

a_row_without_a_number_misses_its_bar() {
    for cell in nan inf -inf '' - word; do
        a_bar_of_these "a,1,ours,1,2\nb,2,ours,$cell,2\nc,3,ours,2,1\n" '"", "seconds", 5' \
            '5 | 1 - 2 | 3 | **missed** by 1: b' || return 1
    done
    for how in total mean spread growth; do
        a_bar_of_these "a,1,ours,2,2\nb,2,ours,nan,2\nc,3,ours,2,1\n" "\"\", \"seconds\", 5, how=\"$how\"" \
            "5 | $(test $how = total || test $how = mean && echo 2 || echo 1) | 3 | **missed** by 1: b" || return 1
    done
    theirs='a,1,theirs,1,2\na,1,ours,1,2\nb,2,ours,1,2\n'
    over='"method=ours", "seconds", 5, over="method=theirs", by="system"'
    a_bar_of_these "$theirs" "$over" '5 | 1 | 2 | **missed** by 1: b' &&
        a_bar_of_these "$theirs" "$over, both=True" '5 | 1 | 1 | met'
}

# Nine of ten.
a_share_is_met_exactly() {
    nine=$(for k in 1 2 3 4 5 6 7 8 9; do printf 's%s,%s,ours,1,1\\n' $k $k; done)
    a_bar_of_these "${nine}x,10,ours,9,1\n" '"", "seconds", 5, percent=90' '5, 90% | 1 - 9 | 10 | met, 90.0%' &&
        a_bar_of_these "${nine}x,10,ours,9,1\n" '"", "seconds", 5, percent=91' \
            '5, 91% | 1 - 9 | 10 | **missed** by 1: x, 90.0%'
}

is_refused() { # ROWS, ARGUMENTS of Bar, what is said
    ! a_bar_of_these "$1" "$2" '' >/dev/null && grep -qx "$3" "$scratch/said"
}

what_no_bar_can_be_computed_from_is_said() {
    for cell in '~5' 3x; do
        is_refused "a,1,ours,$cell,2\n" '"", "seconds", 5' "no number, though it begins like one: $cell" || return 1
    done
    for how in mean spread growth; do
        is_refused 'a,1,ours,0,2\nb,2,ours,1,2\n' "\"\", \"seconds\", 5, how=\"$how\"" \
            'bars.py: "what": .* of 0, which is not positive, in small.csv' || return 1
    done
    for how in spread growth; do
        is_refused 'a,1,ours,1,2\n' "\"\", \"seconds\", 5, how=\"$how\"" \
            'bars.py: "what" needs two rows of small.csv' || return 1
    done
}

a_bar_without_rows_or_columns_is_an_error() {
    ! bars 'Bar("what", "small", "method=nobody", "seconds", 1)' && ! bars 'Bar("what", "small", "", "bytes", 1)' &&
        ! bars 'Bar("what", "small", "system=c", "seconds", 1, over="method=theirs", by="system", both=True)' &&
        ! bars 'Bar("what", "none", "", "seconds", 1)'
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

a_result_without_rows_or_cells_is_refused() {
    for text in '' 'a,b' 'a,b\n1,2,3'; do
        copy
        printf '# command: c\n# machine: m\n# note: n\n%b' "$text" >"$scratch/copy/bench/results/hertz.csv"
        ! python3 "$scratch/copy/bench/tables.py" --check || return 1
    done
    copy
    sed -i 1d "$scratch/copy/bench/results/hertz.csv"
    ! python3 "$scratch/copy/bench/tables.py" --check
}

claim no_table_is_typed no_table_is_typed
claim changed_figures_are_noticed changed_figures_are_noticed
claim every_table_and_list_of_bars_is_on_the_page every_table_and_list_of_bars_is_on_the_page
claim bars_are_computed bars_are_computed
claim a_bar_without_rows_or_columns_is_an_error a_bar_without_rows_or_columns_is_an_error
claim a_row_without_a_number_misses_its_bar a_row_without_a_number_misses_its_bar
claim a_share_is_met_exactly a_share_is_met_exactly
claim what_no_bar_can_be_computed_from_is_said what_no_bar_can_be_computed_from_is_said
claim a_table_is_measured_by_its_command a_table_is_measured_by_its_command
claim what_a_program_prints_is_kept what_a_program_prints_is_kept
claim a_second_table_of_as_many_columns_is_a_table a_second_table_of_as_many_columns_is_a_table
claim an_output_that_is_no_table_is_not_kept an_output_that_is_no_table_is_not_kept
claim a_commit_of_a_changed_tree_is_marked a_commit_of_a_changed_tree_is_marked
claim a_result_without_rows_or_cells_is_refused a_result_without_rows_or_cells_is_refused
claim tables_are_those_of_the_kept_results tables_are_those_of_the_kept_results
claim the_profile_is_that_of_the_command the_profile_is_that_of_the_command
claim a_changed_result_is_refused a_changed_result_is_refused
finish
