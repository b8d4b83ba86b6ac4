# SPDX-License-Identifier: MIT
# The library compiles without a warning at every level of optimization: optimizers see other things, and a build that
# measures coverage sees others again.
# Each level is compiled to assembly that is thrown away; about half a minute of processor time each.
# shellcheck disable=SC1091,SC2086,SC2317 # claims.sh is beside this; flags are words; the functions are called by claim
# usage: sh warnings.sh SOURCE_FOLDER FLAGS_FILE      the file: include folders and definitions, one flag a line
cd "$1" || exit 1
flags_file=$2
. tests/house/claims.sh

# Headers that are not ours are the system's: they may warn.
flags=$(sed "\\|^-I$PWD/|d; \\|^-I/usr/include\$|d; /^-[ID]\$/d; s|^-I|-isystem |" "$flags_file" | tr '\n' ' ')
flags="$flags -Iinclude -Ilib -Isolvers -Iassembly"
house="-std=c17 -fPIC -fvisibility=hidden -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"

compile() { # OPTION...
    find lib attachments solvers assembly -name '*.c' |
        xargs -P "$(nproc)" -I FILE gcc "$@" $house $flags -fopenmp -S -o /dev/null FILE
}

# gcc warns of what its optimizer sees at a level, and of other things where arcs are counted.  A release build has -O3; the
# sanitizers' builds are clang's, whose front end says the same at all levels.
if needs gcc no_warning_with_gcc; then
    claim no_warning_with_gcc_at_-O0 compile -O0
    claim no_warning_with_gcc_at_-O1 compile -O1
    claim no_warning_with_gcc_that_counts_arcs compile -O1 -fprofile-arcs
fi
finish
