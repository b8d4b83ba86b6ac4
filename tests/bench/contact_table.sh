# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The table of contacts on two small files: its shape, that who is said to solve has the errors for it, and that auto solves.
# shellcheck disable=SC1091,SC2016,SC2154,SC2317 # claims.sh is beside this; the functions are called by claim
# usage: sh contact_table.sh BENCH_CONTACT
bench=$1
. tests/house/claims.sh

columns=16
table=$scratch/table.csv
problems=fc3d/Rover1039,gfc3d/GFC3D_OneContact

"$bench" --list >"$scratch/list" 2>"$scratch/errors" || echo "failed" >>"$scratch/errors"
"$bench" --only $problems --budget 5 --csv >"$table" 2>>"$scratch/errors" || echo "failed" >>"$scratch/errors"
"$bench" --only $problems --method auto,siconos-nsgs >"$scratch/text" 2>>"$scratch/errors" || echo "failed" >>"$scratch/errors"

rows() { # awk program: over the lines of the table
    awk -F, "/^problem,/ { next } $1" "$table" || echo "awk failed"
}

every_program_is_listed_absent_or_not() {
    for name in nsgs cpg lemke nsn-ac nsn-fb nsn-nm admm prox fpp eg vi-eg vi-fpp tfp global-admm; do
        grep -q "^siconos-$name  *Siconos" "$scratch/list" || echo "not listed: $name"
    done | none
}

files_and_generated_problems_are_listed() {
    for name in fc3d/RockPile_tob1 fclib/CubeH8 fclib/Chute-ndof-768-nc-4-3 rfc/rockfall_14_25792 wall-1008 wall-5096 \
        tower-250 heap-270; do
        grep -qx "$name" "$scratch/list" || echo "not listed: $name"
    done | none
}

it_runs_without_complaint() {
    none <"$scratch/errors"
}

every_line_has_its_columns() {
    awk -F, -v columns="$columns" 'NF != columns { print NF ": " $0 } END { if (NR < 7) print NR " lines" }' "$table" | none
}

ours_solve_both() {
    rows '$6 ~ /^(auto|condensed-auto|gauss-seidel|admm|staggered)$/ { lines++; if ($14 != 1) print $1, $6, $9, $10, $11, $16 }
        END { if (lines != 9) print lines " lines" }' | none
}

# NSGS solves both at its tolerance of 1e-8.
a_program_beside_ours_solves_where_it_is_there() {
    if grep -q "^siconos-nsgs.*ABSENT" "$scratch/list"; then return 0; fi
    rows '$6 == "siconos-nsgs" { lines++; if ($13 != 1 || !($7 > 0)) print }
        END { if (lines != 2) print lines " lines" }' | none
}

# M and J are those of GFC3D_OneContact; Rover1039 has W alone.
the_global_form_is_solved_where_there_are_velocities() {
    if grep -q "^siconos-nsgs.*ABSENT" "$scratch/list"; then return 0; fi
    rows '$6 == "siconos-global-admm" { lines++; if ($1 !~ /GFC3D_OneContact$/ || $13 != 1 || !($7 > 0)) print }
        END { if (lines < 1) print "no line" }' | none
}

the_global_form_is_not_among_the_best_from_W_on() {
    "$bench" --only gfc3d/GFC3D_OneContact --method auto,siconos-global-admm | grep -q '^auto  *0  *1  *0  '
}

a_method_is_run_when_it_is_named() {
    "$bench" --only gfc3d/GFC3D_OneContact --method auto --csv | awk -F, '
        $6 == "auto" { lines++ } $6 == "condensed-auto" END { if (lines < 1) print "no line" }' | none
}

# The condensation is not in the time of who is handed W.
both_are_handed_W() {
    if grep -q "^siconos-nsgs.*ABSENT" "$scratch/list"; then return 0; fi
    "$bench" --only gfc3d/GFC3D_OneContact --method condensed-auto,siconos-nsgs >"$scratch/handed"
    awk '$1 == "condensed-auto" && NF == 11 { lines++; if ($7 != $8) print } END { if (lines != 2) print lines " lines" }' \
        "$scratch/handed" | none
}

who_is_said_to_solve_has_the_errors_for_it() {
    rows '{ map = $7 != "" && $10 != "" && $10 <= 1.001e-8
          all = map && $11 != "" && $11 <= 1.001e-8 && $9 != "" && $9 <= 1.001e-8
          if ($13 != map || $14 > all) print $1, $6, $9, $10, $11, $13, $14 }' | none
}

a_limit_ends_a_solve() {
    if grep -q "^siconos-nsgs.*ABSENT" "$scratch/list"; then return 0; fi
    "$bench" --only fc3d/Confeti-ex03 --method siconos-admm --budget 0.02 --cpu --csv | grep -q ',time limit$'
}

summary_counts_both_problems() {
    grep -q '^auto  *2  *2  *2  *[0-2]$' "$scratch/text" && grep -q '^profile  *taken  *1x  *2x' "$scratch/text"
}

ours_alone_solve_the_associated_law() {
    "$bench" --only fc3d/Confeti-ex03,gfc3d/GFC3D_OneContact --friction associated --csv | awk -F, '/^problem,/ { next }
        { lines++; if ($6 !~ /^(auto|condensed-auto|gauss-seidel|admm)$/ || $14 != 1) print }
        END { if (lines != 7) print lines " lines" }' | none
}

# Contacts of five rows, the second file with velocities: ours by all measures, Siconos' NSGS by its own.
rolling_is_solved_beside_other_programs() {
    "$bench" --only rfc/rfc3d_sphere_from_grfc3d_dense,fclib/Chute --method auto,gauss-seidel,admm,staggered,siconos-nsgs \
        --csv >"$scratch/rolling"
    awk -F, '$6 ~ /^(auto|gauss-seidel|admm|staggered)$/ { lines++; if ($14 != 1) print }
        END { if (lines != 8) print lines " lines" }' "$scratch/rolling" | none || return 1
    if grep -q "^siconos-nsgs.*ABSENT" "$scratch/list"; then return 0; fi
    awk -F, '$6 == "siconos-nsgs" { lines++; if ($13 != 1 || !($7 > 0)) print } END { if (lines < 2) print lines " lines" }' \
        "$scratch/rolling" | none
}

fails_with() { # STATUS ARGUMENT...
    expected=$1
    shift
    "$bench" "$@" >/dev/null 2>&1
    test $? -eq "$expected"
}

if grep -qx fc3d/Rover1039 "$scratch/list"; then
    claim every_program_is_listed_absent_or_not every_program_is_listed_absent_or_not
    claim files_and_generated_problems_are_listed files_and_generated_problems_are_listed
    claim it_runs_without_complaint it_runs_without_complaint
    claim every_line_has_its_columns every_line_has_its_columns
    claim ours_solve_both ours_solve_both
    claim a_program_beside_ours_solves_where_it_is_there a_program_beside_ours_solves_where_it_is_there
    claim the_global_form_is_solved_where_there_are_velocities the_global_form_is_solved_where_there_are_velocities
    claim the_global_form_is_not_among_the_best_from_W_on the_global_form_is_not_among_the_best_from_W_on
    claim a_method_is_run_when_it_is_named a_method_is_run_when_it_is_named
    claim both_are_handed_W both_are_handed_W
    claim who_is_said_to_solve_has_the_errors_for_it who_is_said_to_solve_has_the_errors_for_it
    claim a_limit_ends_a_solve a_limit_ends_a_solve
    claim ours_alone_solve_the_associated_law ours_alone_solve_the_associated_law
    claim rolling_is_solved_beside_other_programs rolling_is_solved_beside_other_programs
    claim summary_counts_both_problems summary_counts_both_problems
else
    waive the_table_of_contacts "the data folder is absent"
fi
claim an_unknown_option_is_refused fails_with 2 --surprise
claim an_unknown_problem_is_refused fails_with 2 --only nothing-of-that-name
finish
