# SPDX-License-Identifier: MIT
# What a build without GPL code (SADDLE_GPL=OFF) calls: of SuiteSparse nothing under the GPL, which is UMFPACK and CHOLMOD's
# modules MatrixOps, Modify and Supernodal (CHOLMOD's Doc/License.txt).  And nothing of MPI, where MUMPS is built in.
# shellcheck disable=SC1091,SC2317 # claims.sh is beside this; the functions are called by claim
# usage: sh licence.sh SOURCE_FOLDER SHARED_LIBRARY
source=$1 library=$2
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

claim nothing_under_the_gpl_is_called nothing_under_the_gpl_is_called
claim umfpack_is_not_linked umfpack_is_not_linked
claim nothing_of_mpi_is_called nothing_of_mpi_is_called
finish
