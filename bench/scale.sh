# SPDX-License-Identifier: MIT
# The same equations by the engine with 1 and 2 threads and by MUMPS over MPI with 1 and 2 processes (docs/scale.md).
# usage: sh bench/scale.sh BUILD [NODES-ALONG-THE-SIDE...]
set -eu
build=$1
shift
test $# -gt 0 || set -- 50 100 200
test -x "$build/saddle-mpi" || {
    echo "there is no saddle-mpi: ./dev setup --mpi, then build with -DSADDLE_MUMPS=mpi" >&2
    exit 1
}
folder=$(mktemp -d "${TMPDIR:-/tmp}/saddle-scale.XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM
OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_mpi_yield_when_idle

# A plate of side x side x 4 nodes, each coupled with its 26 neighbours; every tenth node moves as its neighbour does.
make_plate() { # SIDE
    awk -v s="$1" -v folder="$folder" 'BEGIN {
        M = folder "/M.mtx"; J = folder "/J.mtx"; f = folder "/f.mtx"; n = s * s * 4
        for (pass = 0; pass < 2; pass++) {
            if (pass) {
                print "%%MatrixMarket matrix coordinate real symmetric" >M
                print n, n, entries >M
            }
            for (x = 0; x < s; x++) for (y = 0; y < s; y++) for (z = 0; z < 4; z++) {
                i = (x * s + y) * 4 + z
                for (a = 0; a < 2; a++) for (b = -1; b < 2; b++) for (c = -1; c < 2; c++) {
                    k = ((x + a) * s + y + b) * 4 + z + c
                    if (k < i || x + a >= s || y + b < 0 || y + b >= s || z + c < 0 || z + c > 3) continue
                    if (pass) print k + 1, i + 1, k == i ? 26.5 : -1 >M; else entries++
                }
            }
        }
        m = int(n / 10)
        print "%%MatrixMarket matrix coordinate real general" >J
        print m, n, 2 * m >J
        for (r = 1; r <= m; r++) { print r, 10 * r - 5, 1 >J; print r, 10 * r - 4, -1 >J }
        print "%%MatrixMarket matrix array real general" >f
        print n, 1 >f
        for (i = 0; i < n; i++) print (i % 7) - 3 >f
        printf "{\"format\": \"saddle-problem\", \"version\": 1, \"n\": %d, \"m\": %d}\n", n, m >(folder "/problem.json")
    }'
}

number() { # KEY FILE: of a line "KEY value value2", the word behind KEY
    awk -v key="$1" '{ for (i = 1; i < NF; i++) if ($i == key) { print $(i + 1); exit } }' "$2"
}

memory() { # FILE: of the line "memory VALUE UNIT at most ..", in MB
    awk '$1 == "memory" { of["B"] = 1e-6; of["kB"] = 1e-3; of["MB"] = 1; of["GB"] = 1e3; of["TB"] = 1e6
        printf "%.0f\n", $2 * of[$3]; exit }' "$1"
}

# Seconds of the phases; flops and entries of the factor; memory: of the library, over MPI of the largest process.
row() { # UNKNOWNS WHO COMMAND...
    unknowns=$1 who=$2
    shift 2
    "$@" >"$folder/said" || {
        echo "| $unknowns | $who | failed |"
        return 0
    }
    printf '| %d | %s | %s | %s | %s | %s | %s | %s | %s |\n' "$unknowns" "$who" "$(seconds analyse)" "$(seconds factor)" \
        "$(seconds solve)" "$(number residual "$folder/said" | tr -d ,)" "$(counted 4 1e9)" "$(counted 2 1e6)" \
        "$(memory "$folder/said")"
}

seconds() { # PHASE
    grep '^seconds' "$folder/said" >"$folder/seconds"
    number "$1" "$folder/seconds"
}

counted() { # FIELD UNIT: of the line "factors ENTRIES entries FLOPS flops"
    awk -v field="$1" -v unit="$2" '$1 == "factors" { printf "%.3g\n", $field / unit; exit }' "$folder/said"
}

mpi() { # PROCESSES COMMAND...
    mpirun --oversubscribe --allow-run-as-root -n "$@"
}

mpi 2 "$build/bench/bench_link"
echo
echo "| unknowns | who | analyse | factor | solve | residual | GFlop | million entries | MB |"
echo "|--:|---|--:|--:|--:|--:|--:|--:|--:|"
for side in "$@"; do
    make_plate "$side"
    unknowns=$((side * side * 4 + side * side * 4 / 10))
    for threads in 1 2; do
        row "$unknowns" "engine, $threads threads" "$build/saddle" solve "$folder" --solver ldlt --threads "$threads"
    done
    for processes in 1 2; do
        row "$unknowns" "MUMPS, $processes processes" mpi "$processes" "$build/saddle-mpi" solve "$folder" --solver ldlt
    done
done
