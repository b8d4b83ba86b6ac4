# SPDX-License-Identifier: MIT
# shellcheck disable=SC1091,SC2317 # claims.sh is elsewhere; the functions are called by claim
# peers.sh SADDLE DATA PEERS: other programs as solvers of saddle bench, those that were built; and programs that misbehave.
. tests/house/claims.sh
saddle=$1 data=$2 peers=$3

bench() { # SOLVERS PROBLEM...: status and residual of each, "chain cholmod/amd solved 1e-16"
    solvers=$1
    shift
    "$saddle" bench "$@" --solvers "$solvers" --peers "${folder:-$peers}" --limit 20 --csv >"$scratch/csv" \
        2>"$scratch/err" || test $? -eq 1
    sed 's/"[^"]*"//g' "$scratch/csv" | awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next }
        { print $at["name"], $at["solver"], $at["status"], $at["residual"] }'
}

# solves METHOD PROBLEM...: each solved, by our checker.
solves() {
    method=$1
    shift
    bench "$method" "$@" >"$scratch/lines"
    cat "$scratch/lines" "$scratch/err"
    test "$(grep -c " ${method%%:*} solved " "$scratch/lines")" -eq $#
}

try() { # METHOD PROBLEM...
    name=$(echo "${1%%:*}" | tr / _)_solves_what_it_takes
    if test -x "$peers/saddle-peer-${1%%/*}"; then
        claim "$name" solves "$@"
    else
        waive "$name" "there is no saddle-peer-${1%%/*}: its program is not installed"
    fi
}

for method in cholmod/amd cholmod/metis umfpack/default mumps/default mumps/metis; do
    try "$method" "$data/chain" "$data/grid-balls" "$data/hex-block-ties"
done
try siconos/nsgs:tol=1e-12 "$data/stack-cone"
for method in siconos/lemke siconos/pivot siconos/newton-min-fb ode/dantzig bullet/dantzig dart/dantzig; do
    try "$method" "$data/obstacle"
done

# Equations, and the last 24 rows one-sided.
cp -r "$data/bushings" "$scratch/mixed"
{
    echo "%%MatrixMarket matrix array real general"
    echo "84 2"
    seq 84 | awk '{ print $1 <= 60 ? "-inf" : "0" }'
    seq 84 | sed 's/.*/inf/'
} >"$scratch/mixed/bounds.mtx"
for method in siconos/mlcp-fb siconos/mlcp-lemke siconos/mlcp-pgs; do
    try "$method" "$scratch/mixed"
done

# A particle slides on a plane: M = J = 1, lambda = (2, 0.6, -0.8), v = (0, -0.9, 1.2); another sticks.
mkdir "$scratch/slides" "$scratch/sticks"
array() { # ROWS COLUMNS NUMBER...
    printf '%%%%MatrixMarket matrix array real general\n%s %s\n' "$1" "$2"
    shift 2
    printf '%s\n' "$@"
}
for folder in slides sticks; do
    printf '%%%%MatrixMarket matrix coordinate real general\n3 3 3\n1 1 1\n2 2 1\n3 3 1\n' >"$scratch/$folder/M.mtx"
    cp "$scratch/$folder/M.mtx" "$scratch/$folder/J.mtx"
    array 1 3 1 3 0.5 >"$scratch/$folder/contacts.mtx"
    cat >"$scratch/$folder/problem.json" <<END
{"format": "saddle-problem", "version": 1, "name": "$folder", "n": 3, "m": 3, "symmetric": true,
 "friction": {"law": "cone", "facets": 0}}
END
done
array 3 1 -2 -1.5 2 >"$scratch/slides/f.mtx"
array 3 1 -2 -0.3 0.4 >"$scratch/sticks/f.mtx"
folder=
answer_is_the_known_one() {
    "$saddle" solve "$scratch/slides" --output "$scratch/known" >/dev/null &&
        python3 -c '
import sys
found = [float(line) for line in open(sys.argv[1]).read().split("\n")[2:5]]
assert max(abs(a - b) for a, b in zip(found, (2, 0.6, -0.8))) < 1e-9, found' "$scratch/known/lambda.mtx"
}
claim the_sliding_particle_has_its_closed_form answer_is_the_known_one
try simbody/pgs "$scratch/slides" "$scratch/sticks" "$data/obstacle" "$data/chain-motors" "$data/loop"
try simbody/plus "$scratch/slides" "$scratch/sticks" "$scratch/mixed" "$data/loop"
try siconos/nsn-ac:tol=1e-12 "$data/stack-cone" "$scratch/slides" "$scratch/sticks"

# ---- programs that misbehave ----

folder=$scratch/bad
mkdir "$folder"
program() { # NAME: a shell script from standard input
    { echo '#!/bin/sh'; cat; } >"$folder/saddle-peer-$1"
    chmod +x "$folder/saddle-peer-$1"
}
program crash <<'END'
kill -SEGV $$
END
program slow <<'END'
exec sleep 100
END
program refuses <<'END'
echo "friction is beyond me" >&2
exit 4
END
program silent <<'END'
exit 0
END
program wrong <<END
"$saddle" solve "\$2" --output "\$3" >/dev/null
sed '\$s/.*/12345/' "\$3/lambda.mtx" >"\$3/other" && mv "\$3/other" "\$3/lambda.mtx"
cat >"\$3/peer.json" <<'JSON'
{"analyse":0,"factor":0,"solve":1,"time":1,"cpu":1,"iterations":3,"memory":5,"version":"x","note":"sure"}
JSON
END
program right <<END
"$saddle" solve "\$2" --output "\$3" >/dev/null
cat >"\$3/peer.json" <<'JSON'
{"analyse":0,"factor":0,"solve":1,"time":1,"cpu":1,"iterations":3,"memory":5,"version":"x","note":"sure"}
JSON
END
program garbage <<'END'
mkdir "$3" && head -c 1000 /dev/urandom >"$3/v.mtx" && echo '{"time":' >"$3/peer.json"
END

is_told() { # METHOD STATUS
    bench "$1" "$data/loop" | tee "$scratch/lines"
    grep -q "^loop $1 $2 " "$scratch/lines" && ! grep -E '[(]null[)]|: $' "$scratch/err"
}

is_ended_at_its_limit() {
    "$saddle" bench "$data/loop" --solvers slow/x --peers "$folder" --limit 0.3 >"$scratch/out" 2>&1
    test $? -eq 1 && grep -q 'time limit' "$scratch/out"
}

nothing_is_left_behind() {
    TMPDIR=$scratch/tmp
    export TMPDIR
    mkdir "$TMPDIR"
    "$saddle" bench "$data/loop" --solvers crash/x,right/x,garbage/x,silent/x --peers "$folder" >/dev/null 2>&1
    ls "$TMPDIR" | none
}

claim a_right_answer_is_solved is_told right/x solved
claim a_wrong_answer_is_not_believed is_told wrong/x "not converged"
claim a_crash_is_a_failure is_told crash/x failed
claim silence_is_a_failure is_told silent/x failed
claim garbage_is_a_failure is_told garbage/x failed
claim a_refusal_is_told is_told refuses/x "can't"
claim an_absent_program_is_told is_told absent/x "can't"
claim a_slow_program_is_ended_at_its_limit is_ended_at_its_limit
claim nothing_is_left_behind nothing_is_left_behind
finish
