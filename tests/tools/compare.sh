# SPDX-License-Identifier: MIT
# shellcheck disable=SC1091,SC2317 # claims.sh is elsewhere; the functions are called by claim
# compare.sh SADDLE DATA PEERS REPEATS: measured times of a program with a delay of known length: equal twice, and a tenth more.
. tests/house/claims.sh
saddle=$1 data=$2 peers=$3 repeats=$4

# measure FILE PERCENT REPEAT
measure() {
    DELAY_PERCENT=$2 "$saddle" bench "$data/loop" "$data/chain" "$data/grid-rods" --peers "$peers" \
        --solvers delay/3,delay/4,delay/5,delay/6 --repeat "$3" --results "$1" >/dev/null
}

# The files are raised in turn, so that a machine that is slow for a while is slow for all of them.
verdicts_are_right() {
    equal=0 found=0
    for k in $(seq "$repeats"); do
        for repeat in 2 4 7; do
            measure "$scratch/a-$k" 100 "$repeat" && measure "$scratch/b-$k" 100 "$repeat" &&
                measure "$scratch/c-$k" 110 "$repeat" || return 1
        done
        "$saddle" bench --compare "$scratch/a-$k" "$scratch/b-$k" --by cpu >"$scratch/out" && equal=$((equal + 1))
        cat "$scratch/out"
        "$saddle" bench --compare "$scratch/a-$k" "$scratch/c-$k" --by cpu >"$scratch/out" || found=$((found + 1))
        cat "$scratch/out"
    done
    echo "equal: $equal of $repeats; a tenth more found: $found of $repeats"
    test "$equal" -eq "$repeats" && test "$found" -eq "$repeats"
}

claim measured_comparisons_tell_a_tenth_from_noise verdicts_are_right
finish
