# SPDX-License-Identifier: MIT
# saddle-mpi against saddle; failures of single processes; no MPI in the sequential build.
# command.sh MPIRUN SADDLE-MPI SADDLE SHARED-LIBRARY [EXAMPLE-OF-PETSC]
set -u
. "$(dirname "$0")/../house/claims.sh"
OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_mpi_yield_when_idle
mpirun="$1 --oversubscribe --allow-run-as-root"
saddle_mpi=$2
saddle=$3
library=$4
petsc=${5:-}
bundle=data/hex-block-ties

# The solution of 2 processes is one that the checker of one process accepts.
solves() {
    rm -rf "$scratch/answer"
    $mpirun -n 2 "$saddle_mpi" solve "$1" --output "$scratch/answer" --json >"$scratch/report.json" || return 1
    grep -q '"status": "SADDLE_OK"' "$scratch/report.json" || return 1
    "$saddle" check "$1" "$scratch/answer"
}

exits_with() {
    expected=$1
    shift
    "$@"
    test $? -eq "$expected"
}

# ends_when_killed SECONDS BUNDLE [OPTION...]: one of two processes is killed in the middle of its work: the run ends
# within seconds, and says so, and which.
ends_when_killed() {
    cat >"$scratch/killed.sh" <<'END'
if [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then
    "$@" &
    sleep SECONDS
    kill -9 $!
    wait $!
else
    exec "$@"
fi
END
    sed -i "s/SECONDS/$1/" "$scratch/killed.sh"
    shift
    began=$(date +%s)
    $mpirun -n 2 sh "$scratch/killed.sh" "$saddle_mpi" solve "$@" >"$scratch/said" 2>&1 && return 1
    test $(($(date +%s) - began)) -lt 30 || return 1
    cat "$scratch/said"
    grep -qiE 'exit|terminat|killed|abort' "$scratch/said" && grep -qE ',1\]|rank 1' "$scratch/said"
}

# make_chain N: M of a chain of masses
make_chain() {
    awk -v n="$1" 'BEGIN {
        print "%%MatrixMarket matrix coordinate real symmetric"; print n, n, 2 * n - 1
        for (i = 1; i <= n; i++) { print i, i, 4; if (i < n) print i + 1, i, -1 }
    }'
}

# Too long to be read and solved in 0.3 s.
make_large() {
    mkdir -p "$scratch/large"
    make_chain 400000 >"$scratch/large/M.mtx"
    echo '{"format": "saddle-problem", "version": 1, "n": 400000, "m": 0}' >"$scratch/large/problem.json"
}

# A chain with stops between neighbours, more than W is formed of.
make_stopped() {
    mkdir -p "$scratch/stopped"
    make_chain 20000 >"$scratch/stopped/M.mtx"
    awk -v n=20000 -v m=2000 'BEGIN {
        print "%%MatrixMarket matrix coordinate real general"; print m, n, 2 * m
        for (i = 1; i <= m; i++) { print i, 10 * i - 1, 1; print i, 10 * i, -1 }
    }' >"$scratch/stopped/J.mtx"
    awk -v m=2000 'BEGIN {
        print "%%MatrixMarket matrix array real general"; print m, 2
        for (i = 1; i <= m; i++) print 0
        for (i = 1; i <= m; i++) print "inf"
    }' >"$scratch/stopped/bounds.mtx"
    awk -v n=20000 'BEGIN {
        print "%%MatrixMarket matrix array real general"; print n, 1
        for (i = 1; i <= n; i++) print i % 7 - 3
    }' >"$scratch/stopped/f.mtx"
    echo '{"format": "saddle-problem", "version": 1, "n": 20000, "m": 2000}' >"$scratch/stopped/problem.json"
}

truncated() {
    rm -rf "$scratch/cut"
    cp -r "$bundle" "$scratch/cut"
    head -n 50 "$bundle/M.mtx" >"$scratch/cut/M.mtx"
    exits_with 3 $mpirun -n 3 "$saddle_mpi" solve "$scratch/cut" 2>"$scratch/said" || return 1
    cat "$scratch/said"
    grep -q 'M.mtx.*entries are announced' "$scratch/said"
}

# Under limits of address space for one of two processes, the first of which leaves no room for the buffer of BLAS.
little_memory_in_one_ends_all() {
    cat >"$scratch/limited.sh" <<'END'
[ "$OMPI_COMM_WORLD_RANK" != 1 ] || ulimit -v "$1"
shift
exec "$@"
END
    for limit in 250000 350000 450000; do
        code=0
        timeout 30 $mpirun -n 2 sh "$scratch/limited.sh" $limit "$saddle_mpi" solve "$bundle" >"$scratch/said" 2>&1 || code=$?
        echo "$limit kB: exit code $code"
        cat "$scratch/said"
        test $code -eq 0 && test $limit -gt 250000 && continue
        test $code -eq 5 && grep -q 'process 1: out of memory' "$scratch/said" || return 1
    done
}

no_mpi_in() {
    nm -D "$1" >"$scratch/symbols" && ! grep -E ' U (MPI_|ompi_|dmumps)' "$scratch/symbols"
}

petsc_agrees() {
    $mpirun -n 2 "$petsc" >"$scratch/petsc" && diff examples/mpi/petsc_nest.txt "$scratch/petsc"
}

claim equations_are_solved solves "$bundle"
claim contacts_are_solved solves data/stack-cone
claim bounds_are_solved solves data/chain-motors
claim a_cut_file_is_named truncated
claim an_absent_bundle_is_an_error exits_with 3 $mpirun -n 2 "$saddle_mpi" solve "$scratch/none"
claim usage_is_said exits_with 2 $mpirun -n 2 "$saddle_mpi" resolve
claim an_unknown_solver_is_usage exits_with 2 $mpirun -n 2 "$saddle_mpi" solve "$bundle" --solver none
claim a_large_bundle_is_made make_large
claim a_killed_process_ends_all ends_when_killed 0.3 "$scratch/large"
claim many_stops_are_made make_stopped
claim a_killed_process_ends_a_solve_with_stops ends_when_killed 1.5 "$scratch/stopped" --tol 1e-300
claim little_memory_in_one_ends_all little_memory_in_one_ends_all
claim the_command_without_mpi_has_none no_mpi_in "$saddle"
claim the_library_without_mpi_has_none no_mpi_in "$library"
if [ -n "$petsc" ]; then
    claim a_system_of_petsc_is_solved petsc_agrees
else
    waive a_system_of_petsc_is_solved "there is no PETSc (libpetsc-real-dev)"
fi
finish
