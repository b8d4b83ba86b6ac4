# SPDX-License-Identifier: MIT
# The digits that saddle solve --reference reports, beside a solution in 100-digit arithmetic.
# shellcheck disable=SC1091,SC2154,SC2317 # claims.sh is beside this; the functions are called by claim
# usage: sh digits.sh PYTHON SADDLE SOURCE_FOLDER
python=$1 saddle=$2 source=$3
. "$source/tests/house/claims.sh"

by_mpmath() {
    "$python" "$source/tests/tools/digits.py" "$saddle" "$scratch"
}

name=no_digit_of_badly_scaled_systems_is_overstated
if "$python" -c 'import mpmath, scipy.io' 2>/dev/null; then
    claim $name by_mpmath
else
    waive $name "there is no mpmath for Python (python3-mpmath)"
fi
finish
