# SPDX-License-Identifier: MIT
# shellcheck disable=SC1091,SC2317 # claims.sh is elsewhere; the functions are called by claim
# plots.sh SADDLE DATA: tables and pictures by gnuplot of a small benchmark.
. tests/house/claims.sh
saddle=$1 data=$2

tables_hold_the_profile() {
    "$saddle" bench "$data/loop" "$data/wall" --solvers "admm,gauss-seidel:tol=1e-4" --results "$scratch/a.jsonl" \
        --plots "$scratch/plots" >/dev/null || return 1
    grep -qx '"admm"' "$scratch/plots/profile-time.dat" &&
        grep -qx '"gauss-seidel:tol=1e-4"' "$scratch/plots/profile-time.dat" &&
        grep -qx '"wall admm"' "$scratch/plots/history.dat"
}

pictures_are_made() {
    (cd "$scratch/plots" && gnuplot plots.gp) || return 1
    for name in profile-time profile-iterations profile-residual history; do
        head -c 8 "$scratch/plots/$name.png" | grep -q PNG && grep -q '<svg' "$scratch/plots/$name.svg" &&
            grep -q '</svg>' "$scratch/plots/$name.svg" || return 1
    done
}

claim tables_hold_the_profile tables_hold_the_profile
if needs gnuplot pictures_are_made; then claim pictures_are_made pictures_are_made; fi
finish
