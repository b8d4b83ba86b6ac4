# SPDX-License-Identifier: MIT
# What holds for every source here and no compiler checks.
# shellcheck disable=SC1091,SC2317 # claims.sh is beside this; the functions are called by claim
# usage: sh house_rules.sh SOURCE_FOLDER LIBRARY.a
LC_ALL=C.UTF-8
export LC_ALL
cd "$1" || exit 1
archive=$2
. tests/house/claims.sh

sources() { # [FOLDER...]: our sources there, C and scripts
    test $# -gt 0 || set -- .
    find "$@" \( -path ./build -o -path ./.git \) -prune -o -type f \( -name '*.[ch]' -o -name '*.cpp' -o -name '*.sh' \
        -o -name '*.py' -o -name '*.cmake' -o -name CMakeLists.txt -o -path ./dev -o -path ./.ci/run \) -print
}

c_sources() {
    sources "$@" | grep '\.[ch]$'
}

every_source_begins_with_its_licence() {
    sources | xargs awk 'BEGIN {
        for (k = 1; k < ARGC; k++) {
            found = 0
            for (n = 0; n < 2 && (getline line <ARGV[k]) > 0; n++)
                if (index(line, "SPDX-License-Identifier: MIT")) found = 1
            close(ARGV[k])
            if (!found) print ARGV[k]
        }
    }' | none
}

# Formatting into a buffer (snprintf) and writing to a file that was opened are fine.
the_library_never_exits_aborts_or_prints() {
    c_sources lib attachments solvers assembly |
        xargs grep -nE '(^|[^_[:alnum:]])(exit|_exit|abort|v?printf|puts|putchar|perror|stdout|stderr)\>' |
        grep -vE ':[[:space:]]*(/\*|\*| \*)|format\(printf' | none
}

# The same, asked of the compiled code: what it calls, however it is spelt.
nothing_compiled_exits_aborts_or_prints() {
    nm --undefined-only "$archive" |
        grep -wE 'exit|_exit|_Exit|quick_exit|abort|v?printf|puts|putchar|perror|stdout|stderr' | none
}

memory_comes_from_the_context() {
    c_sources lib attachments solvers assembly | grep -v '^lib/base/' |
        xargs grep -nE '(^|[^_[:alnum:]>.])(malloc|calloc|realloc|strdup|strndup|asprintf|getline)[[:space:]]*\(' | none
}

# Const tables of pointers live in .data.rel.ro; .data and .bss would be state that two threads share.  The exceptions
# guard such state of others: the lock that keeps METIS to one thread at a time, and how many are within OpenBLAS' one count.
the_library_keeps_no_mutable_globals() {
    size -A "$archive" |
        awk '/^[^ .].*:$/ { member = $1 } $1 ~ /^\.(data|bss|tdata|tbss)$/ && $2 > 0 { print member, $1, $2 }' |
        grep -v '^process\.c\.o ' | none
}

# Each quoted include must be found on its own floor or below.
check_includes() { # FOLDER WHERE...
    folder=$1
    shift
    c_sources "$folder" | xargs grep -HoE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^"]*"' |
        sed 's/:[^"]*"/ /; s/"$//' | while read -r file header; do
        found=no
        for where in "${file%/*}" "$@"; do
            test ! -f "$where/$header" || found=yes
        done
        case $header in *..*) found=no ;; esac
        test "$found" = yes || echo "$file includes $header"
    done
}

includes_do_not_climb_the_stairs() {
    {
        check_includes include include
        check_includes lib include lib
        check_includes attachments include lib
        check_includes solvers include lib solvers
        check_includes assembly include lib assembly
        check_includes examples include
        c_sources lib attachments | xargs grep -nE '#[[:space:]]*include[[:space:]]*"saddle/(solver|saddle)\.h"'
    } | none
}

# Two types of one name in two files are told apart by no reader and refused by no linker.
internal_type_names_are_unique() {
    c_sources include lib attachments solvers assembly tools mpi octave |
        xargs grep -HoE '^((typedef )?(struct|enum|union) saddle__[a-z0-9_]+ \{|\} saddle__[a-z0-9_]+;)' |
        sed -E 's/^([^:]*):.*(saddle__[a-z0-9_]+).*/\2 \1/' | sort -u |
        awk '{ files[$1] = files[$1] " " $2; count[$1]++ }
             END { for (name in count) if (count[name] > 1) print name ":" files[name] }' | none
}

nothing_is_left_to_do() {
    sources | xargs grep -nwE 'TO''DO|FIX''ME|XX''X' | none
}

lines_of_code_fit_100_columns() {
    sources | grep -E '\.(c|h|cpp)$' | xargs grep -nE '^.{101,}' | none
}

# What a test never runs, an editor's or a merge's slip would break unseen.
scripts_of_the_shell_can_be_parsed() {
    sources | grep -E '\.sh$|^\./dev$|^\./\.ci/run$' | while read -r file; do
        sh -n "$file" 2>&1
    done | none
}

lines_of_scripts_fit_128_columns() {
    sources | xargs grep -nE '^.{129,}' | none
}

no_line_ends_in_space_or_holds_a_tab() {
    sources | xargs grep -nP '\s$|\t' | none
}

# The prefix is the name of the type without _kind.  Statuses and levels of the log have shorter ones.
public_enumerators_begin_with_their_type() {
    for header in include/saddle/*.h; do echo "#include \"${header#include/}\""; done >"$scratch/headers.c"
    cc -E -P -I include "$scratch/headers.c" >"$scratch/headers" || return
    tr -d ' \n' <"$scratch/headers" | grep -oE 'enum[a-z0-9_]*\{[^}]*\}[a-z0-9_]*;' | tr '{},;' '    ' | awk '{
        name = substr($1, 5) != "" ? substr($1, 5) : $NF
        if (name !~ /^saddle_/ || name ~ /^saddle_(status|log_level)$/) next
        tried++
        prefix = toupper(name) "_"
        sub(/_KIND_$/, "_", prefix)
        for (k = 2; k <= NF; k++)
            if ($k != name && index($k, prefix) != 1) print $k " is of " name
    }
    END { if (!tried) print "no enumerators were found" }' | none
}

# Functions, tests and settings between backticks, test_* and saddle_* anywhere; a name that ends in _ stands for all that
# begin so.  Paths of our folders.
docs_name_only_what_exists() {
    {
        sources | xargs cat | grep -oE '[A-Za-z_][A-Za-z0-9_]*'
        sources | sed 's,.*/,,; s,[.].*,,'
    } | sort -u >"$scratch/words"
    grep -hoE '`[a-z][a-z0-9]*_[a-z0-9_]*(\(\))?`|\b(test|saddle)_[a-z0-9_]*' ./*.md docs/*.md docs/*/*.md |
        tr -d '`()' | sort -u >"$scratch/names"
    {
        grep -v '_$' "$scratch/names" | comm -23 - "$scratch/words"
        grep '_$' "$scratch/names" | while read -r begin; do
            grep -q "^$begin" "$scratch/words" || echo "$begin"
        done
    } | sed 's/^/the documents name /' | none &&
        grep -hv 'dev bench' ./*.md docs/*.md docs/*/*.md |
        grep -oE '\b(lib|solvers|assembly|attachments|tools|tests|include|docs)/[a-z0-9_/.-]*[a-z0-9_]' | sort -u |
        while read -r path; do
            case $path in *_) set -- "$path"* ;; *) set -- "$path" ;; esac
            test -e "$1" || test -e "$1.c" || echo "the documents name $path"
        done | none
}

claim every_source_begins_with_its_licence every_source_begins_with_its_licence
claim the_library_never_exits_aborts_or_prints the_library_never_exits_aborts_or_prints
claim nothing_compiled_exits_aborts_or_prints nothing_compiled_exits_aborts_or_prints
claim memory_comes_from_the_context memory_comes_from_the_context
claim the_library_keeps_no_mutable_globals the_library_keeps_no_mutable_globals
claim includes_do_not_climb_the_stairs includes_do_not_climb_the_stairs
claim internal_type_names_are_unique internal_type_names_are_unique
claim nothing_is_left_to_do nothing_is_left_to_do
claim public_enumerators_begin_with_their_type public_enumerators_begin_with_their_type
claim lines_of_code_fit_100_columns lines_of_code_fit_100_columns
claim scripts_of_the_shell_can_be_parsed scripts_of_the_shell_can_be_parsed
claim lines_of_scripts_fit_128_columns lines_of_scripts_fit_128_columns
claim no_line_ends_in_space_or_holds_a_tab no_line_ends_in_space_or_holds_a_tab
claim docs_name_only_what_exists docs_name_only_what_exists
finish
