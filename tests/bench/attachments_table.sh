# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The table of attachments: its shape, and that explicit products give the same reduced matrix.
# shellcheck disable=SC1091,SC2154,SC2317 # claims.sh is beside this; the functions are called by claim
# usage: sh attachments_table.sh BENCH_ATTACHMENTS
bench=$1
. tests/house/claims.sh

"$bench" --only bones-10 --csv >"$scratch/blocks" 2>"$scratch/errors" || echo "failed" >>"$scratch/errors"
"$bench" --only chain-1000 --largest 1000 --csv >"$scratch/chains" 2>>"$scratch/errors" || echo "failed" >>"$scratch/errors"
"$bench" --only joints-1000 --largest 1000 --csv >"$scratch/joints" 2>>"$scratch/errors" || echo "failed" >>"$scratch/errors"
"$bench" --only choice-links-100 --csv >"$scratch/choice" 2>>"$scratch/errors" || echo "failed" >>"$scratch/errors"
"$bench" --only model-bones-10 --csv >"$scratch/model" 2>>"$scratch/errors" || echo "failed" >>"$scratch/errors"

it_runs_without_complaint() {
    none <"$scratch/errors"
}

explicit_products_give_the_same_matrix() {
    awk -F, '$4 ~ /^bones/ { lines++; if (NF != 13 || !($13 <= 1e-14) || $7 != 4) print }
        END { if (lines != 1) print lines " lines" }' "$scratch/blocks" | none
}

chains_have_times() {
    awk -F, '$3 ~ /^chain/ { lines++; if (NF != 6 || !($4 > 0) || !($5 > 0)) print }
        END { if (lines < 1) print "no line" }' "$scratch/chains" | none
}

joints_have_times() {
    awk -F, '/^joints/ { lines++; if (NF != 5 || !($2 > 0) || !($3 > 0) || !($4 > 0) || !($5 > 0)) print }
        END { if (lines < 1) print "no line" }' "$scratch/joints" | none
}

# 100, 1000, .. links: kept and eliminated add up to them, nothing is measured where all eliminated is too dense.
the_choice_is_linear_in_the_links() {
    awk -F, '$2 ~ /^choice-links/ { lines++; links = $4 + $5; if (NF != 13 || links * 7 != $3 || !($11 > 0)) print }
        $2 == "choice-links-1000" { work = $7 } $2 == "choice-links-10000" && !($7 <= 11 * work) { print }
        END { if (lines != 3) print lines " lines" }' "$scratch/choice" | none
}

a_model_on_bones_steps_without_allocation() {
    awk -F, '$4 ~ /^model-bones/ { lines++; if (NF != 11 || $3 != 0 || !($8 > 0) || !($10 > 0)) print }
        END { if (lines != 1) print lines " lines" }' "$scratch/model" | none
}

claim it_runs_without_complaint it_runs_without_complaint
claim explicit_products_give_the_same_matrix explicit_products_give_the_same_matrix
claim chains_have_times chains_have_times
claim joints_have_times joints_have_times
claim the_choice_is_linear_in_the_links the_choice_is_linear_in_the_links
claim a_model_on_bones_steps_without_allocation a_model_on_bones_steps_without_allocation
finish
