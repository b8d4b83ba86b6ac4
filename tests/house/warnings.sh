# SPDX-License-Identifier: MIT
# The library, the command, the benches and the examples compile without a warning, with clang as with gcc, whose warnings are
# errors of every build (-O3 of the library, -O2 of programs).  Files are compiled to assembly, always in the same place: a
# compiler cache has it the next time.  Most of clang's warnings come before it optimizes.
# shellcheck disable=SC1091,SC2086,SC2317 # claims.sh is beside this; flags are words; the functions are called by claim
# usage: sh warnings.sh SOURCE_FOLDER FLAGS_FILE      the file: include folders and definitions, one flag a line
cd "$1" || exit 1
flags_file=$2
. tests/house/claims.sh

# Headers that are not ours are the system's: they may warn.
flags=$(sed "\\|^-I$PWD/|d; \\|^-I/usr/include\$|d; /^-[ID]\$/d; s|^-I|-isystem |" "$flags_file" | tr '\n' ' ')
flags="$flags -Iinclude -Ilib -Isolvers -Iassembly -Iattachments -Ibench -Ibench/generators -DSADDLE_SOURCE_DIR=\"\""
house="-std=c17 -fPIC -fvisibility=hidden -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"

library="lib attachments solvers assembly" programs="tools bench examples"
assembly=$(dirname "$flags_file")/assembly
find $library $programs -type d | sed "s|^|$assembly/|" | xargs mkdir -p
to="-S -o $assembly/FILE.s"

sources() { # FOLDERS    those left out need headers of other projects
    find $1 -name '*.c' ! -name '*siconos.c' ! -name mumps.c ! -path '*mpi*' ! -name mumps_worker.c \
        ! -name mujoco.c ! -name mujoco_tree.c ! -name 'arkode_*.c' ! -name 'cvode_*.c' | sort
}

compile() { # FOLDERS COMPILER OPTION...
    where=$1
    shift
    sources "$where" | xargs -P "$(nproc)" -I FILE "$@" $house $flags FILE
}

# check FOLDERS OPTION...: without code, many files by one process, whose command clang tells of the first file (-###): to start
# clang takes longer than to read a file.
check() {
    sources "$1" >"$scratch/files"
    shift
    read -r first <"$scratch/files" || return 1
    command=$(clang -### -fsyntax-only "$@" $house $flags "$first" 2>&1 | tail -n 1)
    case $command in *' "-cc1" '*" \"$first\"") ;; *) echo "no command of clang: $command" && return 1 ;; esac
    echo "exec ${command% *} \"\$@\"" >"$scratch/check.sh"
    xargs -P "$(nproc)" -n 30 sh "$scratch/check.sh" <"$scratch/files"
}

# clang warns before the code is optimized, but for loops that stay scalar against a pragma.  The sanitizers' build compiles the
# same files by clang, with assertions and without the programs of bench/: what is left is files that have an assertion, and
# bench/.
if needs clang no_warning_with_clang; then
    pragmas=$(grep -rl --include='*.c' '^ *#pragma' $library $programs)
    assertions=$(grep -rlw --include='*.[ch]' 'assert' $library $programs)
    claim no_warning_with_clang_and_no_assertions check "bench $assertions" -fopenmp=libomp -DNDEBUG
    claim no_warning_with_clang_of_pragmas_at_-O2 compile "$pragmas" clang -fopenmp=libomp -O2 -DNDEBUG $to
fi
rm -rf "$assembly"
finish
