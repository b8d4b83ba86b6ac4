# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The table of complementarity problems: its shape, and that those who say an answer have one.
# shellcheck disable=SC1091,SC2016,SC2154,SC2317 # claims.sh is beside this; the functions are called by claim
# usage: sh complementarity_table.sh BENCH_COMPLEMENTARITY
bench=$1
. tests/house/claims.sh

columns=17
table=$scratch/table.csv

"$bench" --list >"$scratch/list" 2>"$scratch/errors"
"$bench" --largest 30 --repeat 3 --csv >"$table" 2>>"$scratch/errors" || echo "failed" >>"$scratch/errors"

rows() { # awk program: over the lines of the table
    awk -F, "/^again_ratio/ { next } $1" "$table" || echo "awk failed"
}

every_program_is_listed_absent_or_not() {
    for name in siconos-lemke siconos-pivot siconos-newton siconos-enum ode-dantzig bullet-dantzig bullet-lemke \
        dart-dantzig; do
        grep -q "^$name  *[A-Z]" "$scratch/list" || echo "not listed: $name"
    done | none
}

every_table_is_listed() {
    for name in lcp-10 boxed-600 friction-300 lcp-mmc warm fem-441 fem-3000 fem-few discs files; do
        grep -qx "$name" "$scratch/list" || echo "not listed: $name"
    done | none
}

it_runs_without_complaint() {
    none <"$scratch/errors"
}

every_line_has_its_columns() {
    awk -F, -v columns="$columns" 'NF != columns { print NF ": " $0 } END { if (NR < 6) print NR " lines" }' "$table" | none
}

# Dantzig's solvers freeze the bounds of friction; whoever else answers is right.
answers_reach_the_residual() {
    rows '!($3 == "friction" && $5 ~ /dantzig$/) && $13 != 1 { print $3, $4, $5, $12, $17 }' | none
}

frozen_bounds_are_seen() {
    rows '$3 == "friction" && $5 ~ /dantzig$/ && $13 == 1 { print $4, $5, $12 }' | none
}

who_reaches_has_the_residual_it_says() {
    rows '($13 == 1) != ($6 != "" && $12 <= 1e-10) { print $3, $5, $12, $13 }' | none
}

times_add_up() {
    rows '$8 != "" && ($7 < 0.99 * $6 || $6 < 0.5 * $10) { print $3, $4, $5, $6, $7, $10 }' | none
}

the_best_of_the_others_that_reach_has_ratio_one() {
    rows '$5 ~ /^(siconos|ode|bullet|dart)-/ && $13 == 1 { p = $3 $4; if (!(p in least) || $1 < least[p]) least[p] = $1 }
        END { for (p in least) if (least[p] != 1) print p, least[p] }' | none
}

fails_with() { # STATUS ARGUMENT...
    expected=$1
    shift
    "$bench" "$@" >/dev/null 2>&1
    test $? -eq "$expected"
}

claim every_program_is_listed_absent_or_not every_program_is_listed_absent_or_not
claim every_table_is_listed every_table_is_listed
claim it_runs_without_complaint it_runs_without_complaint
claim every_line_has_its_columns every_line_has_its_columns
claim answers_reach_the_residual answers_reach_the_residual
claim frozen_bounds_are_seen frozen_bounds_are_seen
claim who_reaches_has_the_residual_it_says who_reaches_has_the_residual_it_says
claim times_add_up times_add_up
claim the_best_of_the_others_that_reach_has_ratio_one the_best_of_the_others_that_reach_has_ratio_one
claim an_unknown_option_is_refused fails_with 2 --surprise
claim an_unknown_problem_is_refused fails_with 2 --only nothing-of-that-name
finish
