# SPDX-License-Identifier: MIT
# What a build without GPL code (SADDLE_GPL=OFF) calls: of SuiteSparse nothing under the GPL, which is UMFPACK and CHOLMOD's
# modules MatrixOps, Modify and Supernodal (CHOLMOD's Doc/License.txt).  And nothing of MPI, where MUMPS is built in.
# shellcheck disable=SC1091,SC2317 # claims.sh is beside this; the functions are called by claim
# usage: sh licence.sh SOURCE_FOLDER SHARED_LIBRARY [BUILD_FOLDER CMAKE]
# The latter two where the library was linked with what a build with GPL code compiled, but lib/factor.
source=$1 library=$2 build=${3:-} cmake=${4:-}
. "$source/tests/house/claims.sh"

called() {
    nm -D --undefined-only "$library" | awk '{ print $2 }' | sed 's/@.*//' |
        grep -E '^(umfpack|cholmod|klu|amd|btf|spqr)_' | sort
}

# CHOLMOD's functions of the modules Core, Cholesky and Partition that the library may call: all LGPL, as is KLU; AMD has the
# BSD licence.
lgpl='allocate_work analyze_ordering analyze_p change_factor colamd etree finish free_factor rowfac start'

nothing_under_the_gpl_is_called() {
    called >"$scratch/called" && test -s "$scratch/called" || return 1
    for name in $lgpl; do echo "cholmod_l_$name"; done >"$scratch/allowed"
    grep -vxF -f "$scratch/allowed" "$scratch/called" | grep -v '^klu_l_\|^amd_l' | none
}

umfpack_is_not_linked() {
    readelf -d "$library" | grep -i umfpack | none
}

nothing_of_mpi_is_called() {
    nm -D --undefined-only "$library" >"$scratch/undefined" && test -s "$scratch/undefined" || return 1
    grep -E ' (MPI_|ompi_|mpi_)' "$scratch/undefined" | none && readelf -d "$library" | grep -E 'libmpi|libdmumps-' | none
}

# Compilers' commands of the library's files, without where the build is; and those of lib/factor apart, which differ.
compile_commands() { # BUILD_FOLDER
    "$cmake" --build "$1" -- -t commands libsaddle.so >"$scratch/all" || return 1
    sed -n "s|$1|BUILD|g; / -c /p" "$scratch/all" | grep -v '/lib/factor/' | sed 's/ -DSADDLE_GPL//' | sort
}

the_option_changes_no_command_but_those_of_factor() {
    set --
    while IFS= read -r entry; do
        set -- "$@" "-D$entry"
    done <<END
$(cached_options)
END
    "$cmake" -G Ninja -S "$source" -B "$scratch/off" "$@" -DSADDLE_GPL=OFF \
        -DSADDLE_BUILD_TOOLS=OFF -DSADDLE_BUILD_BENCH=OFF -DSADDLE_BUILD_EXAMPLES=OFF -DSADDLE_BUILD_PYTHON=OFF \
        -DSADDLE_BUILD_OCTAVE=OFF -DSADDLE_BUILD_TESTS=OFF &&
        compile_commands "$build" >"$scratch/with" && compile_commands "$scratch/off" >"$scratch/without" &&
        test -s "$scratch/with" && diff "$scratch/with" "$scratch/without" &&
        grep -i -e umfpack -e SADDLE_GPL "$scratch/all" | none
}

# What the build was configured with, but for what it builds and the option at hand.
cached_options() {
    grep -E '^(SADDLE_[A-Z_]+|CMAKE_(BUILD_TYPE|C_COMPILER|C_COMPILER_LAUNCHER|C_FLAGS[A-Z_]*|PREFIX_PATH)):' \
        "$build/CMakeCache.txt" | grep -vE '^SADDLE_(GPL|BUILD_|MUMPS_|MUMPS:.*=mpi)'
}

test -z "$build" || claim the_option_changes_no_command_but_those_of_factor the_option_changes_no_command_but_those_of_factor
claim nothing_under_the_gpl_is_called nothing_under_the_gpl_is_called
claim umfpack_is_not_linked umfpack_is_not_linked
claim nothing_of_mpi_is_called nothing_of_mpi_is_called
finish
