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

# copy: bench/tables.py with its files, to be spoilt
copy() {
    rm -rf "$scratch/copy"
    mkdir -p "$scratch/copy/bench" "$scratch/copy/docs"
    cp -r bench/tables.py bench/results "$scratch/copy/bench"
    cp docs/performance.md "$scratch/copy/docs"
}

a_changed_cell_is_noticed() {
    for file in bench/results/*.csv; do
        copy
        sed '$s/[0-9a-z]/&7/' "$file" >"$scratch/copy/$file"
        ! cmp -s "$file" "$scratch/copy/$file" && ! python3 "$scratch/copy/bench/tables.py" --check || return 1
    done
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
        echo >>"$scratch/copy/bench/tables.py" &&
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
claim a_changed_cell_is_noticed a_changed_cell_is_noticed
claim what_a_program_prints_is_kept what_a_program_prints_is_kept
claim a_second_table_of_as_many_columns_is_a_table a_second_table_of_as_many_columns_is_a_table
claim an_output_that_is_no_table_is_not_kept an_output_that_is_no_table_is_not_kept
claim a_commit_of_a_changed_tree_is_marked a_commit_of_a_changed_tree_is_marked
claim a_result_without_rows_or_cells_is_refused a_result_without_rows_or_cells_is_refused
claim tables_are_those_of_the_kept_results tables_are_those_of_the_kept_results
claim the_profile_is_that_of_the_command the_profile_is_that_of_the_command
claim a_changed_result_is_refused a_changed_result_is_refused
finish
