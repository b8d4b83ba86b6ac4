# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# A cube on a plane with friction: `saddle solve` and GetFEM's own contact brick reach the same displacements.
# shellcheck disable=SC1091,SC2154 # claims.sh is beside this
# usage: sh getfem.sh SADDLE
. tests/house/claims.sh
python=/usr/bin/python3 # Debian's own has python3-getfem

displacements_are_those_of_getfem() {
    PYTHONDONTWRITEBYTECODE=1 $python bench/contact/cube_getfem.py "$1" 4
}

if $python -c 'import getfem' 2>"$scratch/absent"; then
    claim displacements_are_those_of_getfem displacements_are_those_of_getfem "$1"
else
    waive displacements_are_those_of_getfem "python3-getfem is absent: $(tail -n 1 "$scratch/absent")"
fi
finish
