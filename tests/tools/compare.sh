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

# The files are raised in turn, one repetition at a time and to and fro, so that a machine that is slow for a while is slow for
# all of them: a disturbance is common to all cases of a step, and of steps there have to be several.
verdicts_are_right() {
    equal=0 found=0
    for k in $(seq "$repeats"); do
        for repeat in 1 2 3 4 5 6 7; do
            case $repeat in
                [1357]) order="a:100 b:100 c:110" ;;
                *) order="c:110 b:100 a:100" ;;
            esac
            for file in $order; do measure "$scratch/${file%:*}-$k" "${file#*:}" "$repeat" || return 1; done
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
