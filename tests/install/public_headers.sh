# SPDX-License-Identifier: MIT
# Each public header compiles alone, twice in a row, as C17; all together, in either order, as C17 and as C++17, with both
# compilers.
# shellcheck disable=SC1091,SC2317 # claims.sh is beside this; the functions are called by claim
# usage: sh public_headers.sh SOURCE_FOLDER
cd "$1" || exit 1
. tests/house/claims.sh

for header in include/saddle/*.h; do
    name=saddle/${header##*/}
    printf '#include "%s"\n#include "%s"\nextern int one_declaration;\n' "$name" "$name" >"$scratch/${header##*/}.c"
    printf '#include "%s"\n' "$name" >>"$scratch/forwards.c"
done
tac "$scratch/forwards.c" >"$scratch/backwards.c"
echo 'extern int one_declaration;' | tee -a "$scratch/forwards.c" >>"$scratch/backwards.c"

compiles() { # COMPILER LANGUAGE STANDARD FILE...: each is a source of its own
    compiler=$1 language=$2 standard=$3
    shift 3
    "$compiler" -x "$language" "-std=$standard" -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only "$@"
}

saddle_h_includes_every_header() {
    printf '#include "saddle/saddle.h"\n' | cc -x c -std=c17 -Iinclude -M - >"$scratch/included" || return
    for header in include/saddle/*.h; do
        grep -qF "saddle/${header##*/}" "$scratch/included" || echo "saddle/${header##*/}"
    done | none
}

! needs gcc each_header_is_c17_alone ||
    claim each_header_is_c17_alone compiles gcc c c17 "$scratch"/*.h.c
for compiler in gcc clang; do
    ! needs $compiler "public_headers_are_c17_for_$compiler" ||
        claim "public_headers_are_c17_for_$compiler" compiles $compiler c c17 "$scratch"/*wards.c
done
for compiler in g++ clang++; do
    ! needs $compiler "public_headers_are_c++17_for_$compiler" ||
        claim "public_headers_are_c++17_for_$compiler" compiles $compiler c++ c++17 "$scratch"/*wards.c
done
claim saddle_h_includes_every_header saddle_h_includes_every_header
finish
