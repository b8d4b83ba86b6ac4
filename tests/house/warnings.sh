# SPDX-License-Identifier: MIT
# The library compiles without a warning at every level of optimization, with both compilers: optimizers see other things,
# and a build that measures coverage sees others again.
# Each level is compiled to assembly that is thrown away; about a minute of processor time for each compiler and level.
# shellcheck disable=SC1091,SC2086,SC2317 # claims.sh is beside this; flags are words; the functions are called by claim
# usage: sh warnings.sh SOURCE_FOLDER FLAGS_FILE      the file: include folders and definitions, one flag a line
cd "$1" || exit 1
flags_file=$2
. tests/house/claims.sh

# Headers that are not ours are the system's: they may warn.
flags=$(sed "\\|^-I$PWD/|d; \\|^-I/usr/include\$|d; /^-[ID]\$/d; s|^-I|-isystem |" "$flags_file" | tr '\n' ' ')
flags="$flags -Iinclude -Ilib -Isolvers -Iassembly"
house="-std=c17 -fPIC -fvisibility=hidden -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"

compile() { # COMPILER OPTION...
    find lib attachments solvers assembly -name '*.c' |
        xargs -P "$(nproc)" -I FILE "$@" $house $flags -fopenmp -S -o /dev/null FILE
}

for compiler in gcc clang; do
    needs $compiler "no_warning_with_$compiler" || continue
    for level in -O0 -O1 -O2; do
        claim "no_warning_with_${compiler}_at$level" compile $compiler $level
    done
done
! needs gcc no_warning_with_gcc_that_counts_arcs ||
    claim no_warning_with_gcc_that_counts_arcs compile gcc -O1 -fprofile-arcs
finish
