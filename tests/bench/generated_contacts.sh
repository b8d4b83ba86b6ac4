# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The table of contacts on generated problems: sums and forces beside other programs.
# shellcheck disable=SC1091,SC2154,SC2317 # claims.sh is beside this; the functions are called by claim
# usage: sh generated_contacts.sh BENCH_CONTACT
bench=$1
. tests/house/claims.sh

# Two tied blocks: the sums along normals and tangents are those of another program's assembly (numpy).
blocks_are_solved_with_known_sums() {
    "$bench" --only tied-1176-static --csv | awk -F, '/^tied/ { lines++; if (!($9 <= 1e-10)) print }
        $2 == "cone" && ($10 - 21104.888) ^ 2 + ($11 + 6283.683) ^ 2 > 1e-5 { print }
        END { if (lines != 4) print lines " lines" }' | none
}

# The bundle of two tied blocks, at the default tolerance and at 1e-8: the same sums.
the_tied_bundle_is_solved_at_both_tolerances() {
    "$bench" --only tied_blocks_cone --csv | awk -F, '/^tied/ { lines++; sum[lines] = $10
            if ($2 != "cone" || !($9 <= ($1 ~ /1e-8$/ ? 1e-8 : 1e-10))) print }
        END { if (lines != 2 || (sum[1] - sum[2]) ^ 2 > 1e-8) print lines " lines" }' | none
}

# Soft contacts have one answer: the forces of MuJoCo's Newton, both kinds of cones.
forces_are_those_of_mujoco() {
    "$bench" --only mujoco-spread --csv | awk -F, '/^mujoco/ { lines++; if (!($9 <= 1e-10 && $10 <= 1e-8)) print }
        END { if (lines != 2) print lines " lines" }' | none
}

claim blocks_are_solved_with_known_sums blocks_are_solved_with_known_sums
if test -d "${SADDLE_DATA:-../shared/data}/../reproducers/tied_blocks_cone"; then
    claim the_tied_bundle_is_solved_at_both_tolerances the_tied_bundle_is_solved_at_both_tolerances
else
    waive the_tied_bundle_is_solved_at_both_tolerances "the folder of reproducers is absent"
fi
if "$bench" --list | grep -q '^mujoco: ABSENT'; then
    waive forces_are_those_of_mujoco "libmujoco-dev is absent"
else
    claim forces_are_those_of_mujoco forces_are_those_of_mujoco
fi
finish
