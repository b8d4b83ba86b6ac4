# SPDX-License-Identifier: MIT
# The page of benchmarks over our own systems, and with the other programs that were built: build/report.
# usage: sh bench/report.sh report|peers [--csv] [REPETITIONS [SECONDS]]   of each run, 3 and at most 5, with others 10
#        --csv: the cases as comma-separated values, without problems that a program does not take
set -eu
csv=0
for word in "$@"; do
    shift
    if [ "$word" = --csv ]; then csv=1; else set -- "$@" "$word"; fi
done
what=$1 repeat=${2:-3} limit=${3:-5}
test "$what" = report || limit=${3:-10} # MuJoCo makes its piles anew, which takes 7 s of its time
build=${SADDLE_BUILD:-build}
report=$build/report
mkdir -p "$report/small" "$report/middle" "$report/large"
test -d "$report/large/hex-30" || {
    "$build/bench/write_systems" "$report/small" 0 15000
    "$build/bench/write_systems" "$report/middle" 15000 40000
    "$build/bench/write_systems" "$report/large" 40000 130000
}
commit=$(git rev-parse HEAD 2>/dev/null || echo unknown)
test -z "$(git status --porcelain 2>/dev/null | head -n 1)" || commit="$commit, changed"

bench() { # SOLVERS PROBLEM...
    solvers=$1
    shift
    "$build/saddle" bench "$@" --solvers "$solvers" --tol "$tol" --limit "$limit" --repeat "$repeat" \
        --results "$report/$what.jsonl" --commit "$commit" --peers "$build/bench/peers" >/dev/null
}

# The same; results of another program, exit code 2, are put aside; a problem solved by none, 1, is no failure here.
measure() {
    code=0
    bench "$@" || code=$?
    if [ "$code" -eq 2 ]; then
        mv "$report/$what.jsonl" "$report/$what-before.jsonl"
        code=0
        bench "$@" || code=$?
    fi
    test "$code" -le 1 || exit "$code"
}

shipped= # of data/; no name has a blank
for file in data/*/problem.json; do shipped="$shipped ${file%/problem.json}"; done

# shellcheck disable=SC2086 # names are words
case $what in
    report)
        tol=1e-10
        measure auto,ldlt,lu,schur,pivot,lemke,gauss-seidel,admm,staggered $shipped "$report"/small/*/
        measure auto,ldlt,schur,gauss-seidel,admm "$report"/middle/*/
        measure auto,ldlt "$report"/large/*/
        ;;
    peers) # all are asked for 1e-9, by measures of their own, and judged by 1e-8
        tol=1e-8
        peers=
        for program in "$build"/bench/peers/saddle-peer-*; do
            test -x "$program" || continue
            name=${program##*/saddle-peer-}
            peers="$peers$("$program" | sed "s,.*,\,$name/&:tol=1e-9," | tr -d '\n')"
        done
        test -n "$peers" || echo "no other program was found when this was built"
        test ! -x "$build/bench/write_mujoco_systems" || "$build/bench/write_mujoco_systems" "$report/small"
        measure "auto:tol=1e-9$peers" $shipped "$report"/small/*/
        ;;
esac
"$build/saddle" bench --results "$report/$what.jsonl" --report "$report/$what.html" --plots "$report/$what-plots" \
    >"$report/$what.txt"
if command -v gnuplot >/dev/null 2>&1; then
    (cd "$report/$what-plots" && gnuplot plots.gp)
fi
if [ "$csv" -eq 1 ]; then
    "$build/saddle" bench --results "$report/$what.jsonl" --csv | grep -v ",can't,"
    exit
fi
echo "the page: $report/$what.html   table: $report/$what.txt   results: $report/$what.jsonl   pictures: $report/$what-plots"
