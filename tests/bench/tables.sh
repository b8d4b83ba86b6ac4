# SPDX-License-Identifier: MIT
# shellcheck disable=SC1091,SC2317 # claims.sh is elsewhere; the functions are called by claim
# tables.sh SADDLE: the tables of docs/performance.md are those of the kept result file, and its profile is the command's own.
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

claim tables_are_those_of_the_kept_results tables_are_those_of_the_kept_results
claim the_profile_is_that_of_the_command the_profile_is_that_of_the_command
claim a_changed_result_is_refused a_changed_result_is_refused
finish
