# SPDX-License-Identifier: MIT
# Problems in other programs: MATLAB files read and written by SciPy and Octave, Matrix Market files by SciPy.
# shellcheck disable=SC1091,SC2154,SC2317 # claims.sh is beside this; the functions are called by claim
# usage: sh foreign.sh PYTHON SADDLE SOURCE_FOLDER
python=$1 saddle=$2 source=$3
. "$source/tests/house/claims.sh"

by_scipy() { # CASE
    "$python" "$source/tests/tools/foreign.py" "$1" "$saddle" "$source" "$scratch"
}

# K x = (f; b) of a bundle with equality rows, solved by Octave, beside our v.
by_octave() {
    "$saddle" convert "$source/data/chain" "$scratch/chain.mat" &&
        "$saddle" solve "$source/data/chain" --output "$scratch/answer of ours" >"$scratch/log" &&
        sed '/^%/d' "$scratch/answer of ours/v.mtx" | sed 1d >"$scratch/v.txt" &&
        octave --no-gui --quiet --eval "load $scratch/chain.mat
            x = [M, J'; J, -R] \\ [f; b];
            v = load('$scratch/v.txt');
            if (norm(x(1:rows(M)) - v) > 1e-9 * norm(v)), exit(1), end
            if (! issparse(M) || ! strcmp(name, 'chain') || any(hi != Inf)), exit(1), end" &&
        octave --no-gui --quiet --eval "M = sparse([4 1; 1 3]); J = [1 1]; f = [1; 2]; b = 3; lo = 0; hi = Inf;
            save('-v7', '$scratch/own.mat', 'M', 'J', 'f', 'b', 'lo', 'hi');
            save('-v6', '$scratch/plain.mat', 'M', 'J', 'f', 'b', 'lo', 'hi')" &&
        for file in own plain; do
            "$saddle" solve "$scratch/$file.mat" --output "$scratch/answer $file" >"$scratch/log" &&
                tail -n 2 "$scratch/answer $file/v.mtx" | tr '\n' ' ' |
                awk '{ exit !(($1 - 1)^2 < 1e-18 && ($2 - 2)^2 < 1e-18) }' || return 1
        done
}

"$python" -c 'import scipy.io' 2>/dev/null
absent=$?
for case in problems programs bundles; do
    case $case in
        problems) name=scipy_reads_what_saddle_writes_and_back ;;
        programs) name=quadratic_programs_of_scipy_are_read_compressed_and_not ;;
        bundles) name=the_files_of_a_bundle_open_in_scipy ;;
    esac
    if test $absent -eq 0; then
        claim $name by_scipy $case
    else
        waive $name "there is no SciPy (python3-scipy)"
    fi
done
if command -v octave >/dev/null; then
    claim octave_solves_what_saddle_writes_and_saddle_what_octave_saves by_octave
else
    waive octave_solves_what_saddle_writes_and_saddle_what_octave_saves "there is no octave"
fi
finish
