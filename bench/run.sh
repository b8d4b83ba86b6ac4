# SPDX-License-Identifier: MIT
# The benchmark tables, from the release build, one BLAS thread unless OPENBLAS_NUM_THREADS says otherwise.  Arguments go to
# the bench program (see build/bench/bench --list); without any, reading Matrix Market is measured too, where it is built.
# usage: sh bench/run.sh [--list] [--only NAME] [--csv] [--budget SECONDS] [--largest UNKNOWNS]
set -eu
OPENBLAS_NUM_THREADS=${OPENBLAS_NUM_THREADS:-1}
export OPENBLAS_NUM_THREADS
build/bench/bench "$@"
if [ $# -eq 0 ] && [ -x build/bench/read_mtx ]; then
    echo
    build/bench/read_mtx
fi
