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

# Each file makes a table or a bar.
changed_figures_are_noticed() {
    for file in bench/results/*.csv; do
        copy
        sed '/^#/!s/[1-8]/9/g' "$file" >"$scratch/copy/$file"
        if cmp -s "$file" "$scratch/copy/$file" || python3 "$scratch/copy/bench/tables.py" --check; then
            echo "not noticed: $file"
            return 1
        fi
    done
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
    over='"method=ours", "seconds", over="method=theirs*", by="system"'
    a_bar_is_computed "$over, most=0.75" '0.75 | 0.5 - 0.75 | 2 | met' &&
        a_bar_is_computed "$over, most=0.7" '0.7 | 0.5 - 0.75 | 2 | **missed** by 1: b' &&
        a_bar_is_computed "$over, least=0.8" 'at least 0.8 | 0.5 - 0.75 | 2 | **missed** by 2: a, b' &&
        a_bar_is_computed "$over, most=0.7, share=0.5" '0.7, 50% | 0.5 - 0.75 | 2 | met, 50.0%' &&
        a_bar_is_computed "$over, most=0.6, how=\"total\"" '0.6 | 0.6667 | 2 | **missed**' &&
        a_bar_is_computed "$over, how=\"mean\"" ' | 0.6124 | 2 | ' &&
        a_bar_is_computed '"method=ours, n>1", "seconds / steps", most=2, how="spread"' '2 | 2 | 2 | met' &&
        a_bar_is_computed '"method=ours", "seconds", most=2, how="growth"' '2 | 3 | 3 | **missed**' &&
        a_bar_is_computed '"system!=a|b", "steps", least=2, how="count"' 'at least 2 | 1 | 1 | **missed**' &&
        grep -qx '| a | 1 | 0.25 |' "$scratch/copy/docs/performance.md" &&
        grep -qx '| b | 3 | 2 |' "$scratch/copy/docs/performance.md" && ! grep -q '^| c ' "$scratch/copy/docs/performance.md"
}

a_bar_without_rows_or_columns_is_an_error() {
    ! bars 'Bar("what", "small", "method=nobody", "seconds", 1)' && ! bars 'Bar("what", "small", "", "bytes", 1)' &&
        ! bars 'Bar("what", "small", "system=c", "seconds", 1, over="method=theirs", by="system")' &&
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
