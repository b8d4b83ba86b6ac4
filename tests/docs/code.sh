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

# Each of these pages has one mistake; the last is right.
a_wrong_command_is_found() {
    count=0
    for text in 'saddle slve data/chain' 'saddle solve data/chain --tool 1e-8' 'saddle solve data/chian' \
        'saddle solve data/chain --friction cnoe' 'saddle solve data/chain --solver admn' 'saddle bench data --tols' \
        'saddle solve data/chain --set ldlt.precison=single' 'saddle solve data/chain --set ldlt.precision=singel' \
        'saddle bench data/chain --solvers ldlt,gauss-seidel:relaxatoin=1' 'true && saddle info data/chain --sppy x.svg' \
        'echo $(date) && saddle info data/chain --sppy x.svg' \
        './dev bulid' './dev build relaese' './dev bench fator' './dev bench factor --onyl hex' './dev test --quik' \
        'cmake --preset relaese' 'cmake -S . -B build -DSADDLE_NUMPS=seq' 'ctest --test-dir build -R no_such_test' \
        'python3 examples/fem/nothing.py' 'python3 bench/tables.py --kept x' 'frobnicate' 'saddle solve "data/chain'; do
        count=$((count + 1))
        printf '```shell\n%s\n```\n' "$text" >"$scratch/wrong$count.md"
    done
    printf 'Text.\n\n    saddle solve data/chain\n' >"$scratch/wrong$((count + 1)).md" # a block that nothing checks
    printf 'Text `saddle solve data/chain --tool`.\n' >"$scratch/wrong$((count + 2)).md"
    "$python" tests/docs/commands.py . "$build" "$scratch"/wrong*.md >"$scratch/said"
    test $? -eq 1 || return 1
    for page in "$scratch"/wrong*.md; do
        grep -qF "$page:" "$scratch/said" || {
            echo "not found: $(cat "$page")"
            return 1
        }
    done
    printf '```shell\nsaddle solve data/chain --tol 1e-8 | grep "a|b"; ./dev bench factor --only hex  # words\n```\n' \
        >"$scratch/right.md"
    "$python" tests/docs/commands.py . "$build" "$scratch/right.md"
}

claim it_installs install_it
claim a_wrong_command_is_found a_wrong_command_is_found
claim every_command_of_the_pages_can_be_typed "$python" tests/docs/commands.py . "$build"
claim a_wrong_block_is_found a_wrong_block_is_found
for page in *.md docs/*.md docs/*/*.md; do
    grep -qE '^```(c|cpp|sh|python|json|matlab)$' "$page" || continue
    name=code_of_$(echo "${page%.md}" | sed 's,^docs/,,; s,[^A-Za-z0-9],_,g')
    run_page "$page" >"$scratch/said" 2>&1
    case $? in
        0)
            claim "$name" true
            test ! -s "$scratch/said" || waive "blocks_of_${name#code_of_}" "$(cat "$scratch/said")"
            ;;
        77) waive "$name" "$(cat "$scratch/said")" ;;
        *) claim "$name" sh -c 'cat "$1"; false' sh "$scratch/said" ;;
    esac
done
finish
