# SPDX-License-Identifier: MIT
# The benchmark tables, from the release build, one BLAS thread unless OPENBLAS_NUM_THREADS says otherwise.  Arguments go to
# the bench program (see build/bench/bench --list); without any, reading Matrix Market is measured too, where it is built.
# usage: sh bench/run.sh [--list] [--only NAME] [--csv] [--budget SECONDS] [--largest UNKNOWNS]
#        sh bench/run.sh factor [--method NAME,...] [--cpu] [--threads COUNT] [as above]   other programs' too
#        sh bench/run.sh report|peers [REPETITIONS [SECONDS]]   the page over our own systems, or with other programs
#        sh bench/run.sh rows [--only NAME] [--csv]   constraint rows that come and go
#        sh bench/run.sh complementarity [--method NAME,...] [--cpu] [as above]   other programs' too
#        sh bench/run.sh contact [--method NAME,...] [--cpu] [as above]   friction cones beside Siconos
#        sh bench/run.sh getfem [--cpu] [CELLS...]   a cube on a plane beside GetFEM's contact brick
#        sh bench/run.sh read_mtx [--csv]   reading Matrix Market beside scipy
#        sh bench/run.sh measure [TABLE...]   the tables of docs/performance.md anew, from bench/results/TABLE.csv
#        sh bench/run.sh page [BOXES [SECONDS]]   the page of a pile of boxes: size, time to open
#        sh bench/run.sh single [--list] [--only NAME,...] [--csv]   the single figures of docs/performance.md
#        sh bench/run.sh settings [--list] [--only NAME,...] [--csv]   constants of admm and auto varied: twenty programs built
#        sh bench/run.sh multibody [--only NAME] [--csv]   models stepped; accelerations beside Simbody
#        sh bench/run.sh reduced [--only NAME] [--csv]   trees in reduced coordinates beside Simbody and MuJoCo
#        sh bench/run.sh scale [SIDE...]   plates by the engine and by MUMPS over MPI (docs/scale.md)
#        sh bench/run.sh attachments [--only NAME] [--csv]   eliminated, beside explicit products; eliminate or keep
set -eu
OPENBLAS_NUM_THREADS=${OPENBLAS_NUM_THREADS:-1}
OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
export OPENBLAS_NUM_THREADS OMP_NUM_THREADS
build=${SADDLE_BUILD:-build}

# On one core, the last we may use, unless several threads are asked for.
pinned() { # PROGRAM ARGUMENT...
    case " $* " in
        *" --threads "*) ;;
        *)
            core=$(taskset -cp $$ 2>/dev/null | sed 's/.*[:, -]//') || core=
            test -z "$core" || set -- taskset -c "$core" "$@"
            ;;
    esac
    exec "$@"
}

case ${1:-} in
    report | peers) pinned sh bench/report.sh "$@" ;;
    factor | complementarity | contact | attachments)
        program=$build/bench/bench_$1
        shift
        pinned "$program" "$@"
        ;;
    getfem)
        shift
        pinned /usr/bin/python3 -B bench/contact/cube_getfem.py "$build/saddle" "$@"
        ;;
    read_mtx)
        shift
        pinned "$build/bench/read_mtx" "$@"
        ;;
    measure)
        shift
        exec /usr/bin/python3 -B bench/tables.py --measure "$@"
        ;;
    page)
        shift
        exec /usr/bin/python3 bench/page.py "$build/saddle" "$@"
        ;;
    single)
        shift
        exec /usr/bin/python3 -B bench/single.py "$build" "$@"
        ;;
    settings)
        shift
        pinned /usr/bin/python3 -B bench/settings.py "$build" "$@"
        ;;
    scale)
        shift
        exec sh bench/scale.sh "$build" "$@"
        ;;
    multibody | reduced)
        program=$build/bench/$1/bench_$1
        shift
        pinned "$program" "$@"
        ;;
esac
if [ "${1:-}" = rows ]; then
    shift
    exec "$build/bench/bench_rows" "$@"
fi
"$build/bench/bench" "$@"
if [ $# -eq 0 ] && [ -x "$build/bench/read_mtx" ]; then
    echo
    "$build/bench/read_mtx"
fi
