# SPDX-License-Identifier: MIT
# Code of the pages, compiled and run as a reader would, against an installation.
# shellcheck disable=SC1091,SC2317 # claims.sh is beside this; the functions are called by claim
# usage: sh code.sh PYTHON SOURCE_FOLDER BUILD_FOLDER CMAKE C_COMPILER
python=$1 source=$2 build=$3 cmake=$4 compiler=$5
. "$source/tests/house/claims.sh"
cd "$source" || exit 1

run_page() { # PAGE
    mkdir -p "$scratch/page" && "$python" tests/docs/code.py "$1" "$source" "$scratch/prefix" "$build/python" "$compiler" c++ \
        "$scratch/page"
    outcome=$?
    rm -rf "$scratch/page"
    return $outcome
}

install_it() {
    "$cmake" --install "$build" --prefix "$scratch/prefix"
}

# Blocks that do not compile, fail, print other than they say, or are no lines of any file.
a_wrong_block_is_found() {
    for kind in 'c|int main(void) { return x; }' 'c|int main(void) { return 1; }' 'sh|false' 'c|int no_such_line;' 'json|{' \
        'python|raise SystemExit(1)'; do
        printf '```%s\n%s\n```\n' "${kind%%|*}" "${kind#*|}" >"$scratch/wrong.md"
        run_page "$scratch/wrong.md"
        test $? -eq 1 || return 1
    done
    printf '```sh\necho one; echo two\n```\n```text\none\n```\n' >"$scratch/wrong.md"
    ! run_page "$scratch/wrong.md" || return 1
    printf '```sh\necho one; echo two\n```\n```text\no...\ntwo\n```\n' >"$scratch/wrong.md"
    run_page "$scratch/wrong.md"
}

claim it_installs install_it
claim a_wrong_block_is_found a_wrong_block_is_found
for page in *.md docs/*.md docs/*/*.md; do
    grep -qE '^```(c|cpp|sh|python|json)$' "$page" || continue
    name=code_of_$(echo "${page%.md}" | sed 's,^docs/,,; s,[^A-Za-z0-9],_,g')
    run_page "$page" >"$scratch/said" 2>&1
    case $? in
        0) claim "$name" true ;;
        77) waive "$name" "$(cat "$scratch/said")" ;;
        *) claim "$name" sh -c 'cat "$1"; false' sh "$scratch/said" ;;
    esac
done
finish
