# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The table of factorizations: its shape, and that all who take part agree.
# shellcheck disable=SC1091,SC2016,SC2154,SC2317 # claims.sh is beside this; the functions are called by claim
# usage: sh factor_table.sh BENCH_FACTOR
bench=$1
. tests/house/claims.sh

columns=33
small=small-,chain-,stack-,balls-,hex- # families with members under 100 unknowns
table=$scratch/table.csv

methods() { # those that take part, but for processes of MPI, which begin at 1,000 unknowns
    sed -n '/: ABSENT/d; /^mumps-mpi/d; s/^\([a-z-]*\)  *[A-Za-z].*/\1/p' "$scratch/list"
}

"$bench" --list >"$scratch/list" 2>"$scratch/errors"
{ "$bench" --only $small --largest 100 --repeat 3 --csv 2>>"$scratch/errors" || echo "failed"; } |
    sed '/^$/,/^factor_ratio/{/^factor_ratio/!d}' >"$table" # without the bars that follow an empty line

rows() { # awk program: over the lines of the table, which it names
    awk -F, -v columns="$columns" "/^factor_ratio/ { next } $1" "$table" || echo "awk failed"
}

every_factorization_is_listed_absent_or_not() {
    for name in ldlt table-ldlt table-cholmod table-umfpack schur mumps mumps-amd mumps-scotch mumps-metis mumps-mpi umfpack \
        cholmod cholmod-metis lapack; do
        grep -q "^$name  *[A-Za-z]" "$scratch/list" || echo "not listed: $name"
    done | none
}

it_runs_without_complaint() {
    grep -v ' are left out: it is absent$' "$scratch/errors" | none && ! grep -q '^failed' "$table"
}

every_line_has_its_columns() {
    awk -F, -v columns="$columns" 'NF != columns { print NF ": " $0 } END { if (NR < 8) print NR " lines" }' "$table" | none
}

all_who_are_there_finish_every_system() {
    count=$(methods | wc -l)
    rows '{ lines[$6]++; if ($13 == "" || $33 != "") print $6, $9, $33 }
        END { for (s in lines) { systems++; if (lines[s] != '"$count"') print s, lines[s] }
              if (systems != 12) print systems " systems" }' | none
}

# K of chains and hexahedra is well conditioned; stacks and balls stand on R = 1e-8, and CHOLMOD there on three steps.
all_agree_on_x() {
    rows '{ bound = $6 ~ /^(small|chain|hex)/ ? 1e-10 : 1e-3; if (!($26 <= bound)) print $6, $9, "error " $26 }' | none
}

all_find_the_same_inertia() {
    rows '$27 != "" { if (!($6 in seen)) seen[$6] = $27 " " $28 " " $29
          if (seen[$6] != $27 " " $28 " " $29) print $6, $9, $27, $28, $29 }' | none
}

# M is positive definite and the rows are independent, or R is: n positive, m negative.
the_inertia_is_known_beforehand() {
    rows '$27 != "" && ($30 == "" || $30 != 0) { print $6, $9, $27, $28, $29, "off by " $30 }
          $30 != "" { known++ } END { if (known < 12) print known + 0 " known" }' | none
}

all_solve_backward_stably_after_refinement() {
    rows '!($24 <= 1e-11) { print $6, $9, "componentwise " $24 }' | none
}

the_best_of_the_others_has_ratio_one() {
    rows '$9 !~ /^(ldlt|table-|schur)/ { if (!($6 in least) || $1 + 0 < least[$6]) least[$6] = $1 + 0 }
        END { for (s in least) if (least[s] != 1) print s, least[s] }' | none
}

ratios_are_seconds_over_the_best() {
    rows '$9 !~ /^(ldlt|table-|schur)/ && $1 == 1 { best[$6] = $12 }
          { ratio[NR] = $1; seconds[NR] = $12; of[NR] = $6; name[NR] = $9 }
        END { for (k in ratio) { expected = seconds[k] / best[of[k]]
              if (ratio[k] > 1.01 * expected || ratio[k] < 0.99 * expected) print of[k], name[k], ratio[k], expected } }' |
        none
}

fails_with() { # STATUS ARGUMENT...
    expected=$1
    shift
    "$bench" "$@" >/dev/null 2>&1
    test $? -eq "$expected"
}

claim every_factorization_is_listed_absent_or_not every_factorization_is_listed_absent_or_not
claim it_runs_without_complaint it_runs_without_complaint
claim every_line_has_its_columns every_line_has_its_columns
claim all_who_are_there_finish_every_system all_who_are_there_finish_every_system
claim all_agree_on_x all_agree_on_x
claim all_find_the_same_inertia all_find_the_same_inertia
claim the_inertia_is_known_beforehand the_inertia_is_known_beforehand
claim all_solve_backward_stably_after_refinement all_solve_backward_stably_after_refinement
claim the_best_of_the_others_has_ratio_one the_best_of_the_others_has_ratio_one
claim ratios_are_seconds_over_the_best ratios_are_seconds_over_the_best
claim an_unknown_option_is_refused fails_with 2 --surprise
claim an_unknown_system_is_refused fails_with 2 --only nothing-of-that-name
finish
