# SPDX-License-Identifier: MIT
# Each public header compiles alone, twice in a row, as C17 and as C++17, with both compilers.
# shellcheck disable=SC1091,SC2317 # claims.sh is beside this; the functions are called by claim
# usage: sh public_headers.sh SOURCE_FOLDER
cd "$1" || exit 1
. tests/house/claims.sh

each_header_compiles() { # COMPILER LANGUAGE STANDARD
    for header in include/saddle/*.h; do
        name=saddle/$(basename "$header")
        printf '#include "%s"\n#include "%s"\nextern int one_declaration;\n' "$name" "$name" |
            "$1" -x "$2" "-std=$3" -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only - || {
            echo "$name does not compile"
            return 1
        }
    done
}

saddle_h_includes_every_header() {
    for header in include/saddle/*.h; do
        name=saddle/$(basename "$header")
        printf '#include "saddle/saddle.h"\n' | cc -x c -std=c17 -Iinclude -M - | grep -q "$name" || echo "$name"
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
