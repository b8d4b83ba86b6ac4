# SPDX-License-Identifier: MIT
# Each public header compiles alone, twice in a row, as C17 and as C++17, with both compilers.
# shellcheck disable=SC1091,SC2317 # claims.sh is beside this; the functions are called by claim
# usage: sh public_headers.sh SOURCE_FOLDER
cd "$1" || exit 1
. tests/house/claims.sh

for header in include/saddle/*.h; do
    name=saddle/${header##*/}
    printf '#include "%s"\n#include "%s"\nextern int one_declaration;\n' "$name" "$name" >"$scratch/${header##*/}.c"
done

each_header_compiles() { # COMPILER LANGUAGE STANDARD: each is a source of its own
    "$1" -x "$2" "-std=$3" -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only "$scratch"/*.h.c
}

saddle_h_includes_every_header() {
    printf '#include "saddle/saddle.h"\n' | cc -x c -std=c17 -Iinclude -M - >"$scratch/included" || return
    for header in include/saddle/*.h; do
        grep -qF "saddle/${header##*/}" "$scratch/included" || echo "saddle/${header##*/}"
    done | none
}

for compiler in gcc clang; do
    ! needs $compiler "public_headers_are_c17_for_$compiler" ||
        claim "public_headers_are_c17_for_$compiler" each_header_compiles $compiler c c17
done
for compiler in g++ clang++; do
    ! needs $compiler "public_headers_are_c++17_for_$compiler" ||
        claim "public_headers_are_c++17_for_$compiler" each_header_compiles $compiler c++ c++17
done
claim saddle_h_includes_every_header saddle_h_includes_every_header
finish
