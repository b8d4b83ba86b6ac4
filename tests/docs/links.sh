# SPDX-License-Identifier: MIT
# Links of the documentation, without any tool but Python.
# shellcheck disable=SC1091,SC2317 # claims.sh is beside this; the functions are called by claim
# usage: sh links.sh PYTHON SOURCE_FOLDER
python=$1 source=$2
. "$source/tests/house/claims.sh"

a_broken_link_is_found() {
    mkdir -p "$scratch/pages/docs" &&
        printf '# Head\n[a](docs/one.md) [b](docs/one.md#two-words)\n' >"$scratch/pages/README.md" &&
        printf '# One\n## Two words\n[up](../README.md#head)\n' >"$scratch/pages/docs/one.md" &&
        "$python" "$source/tests/docs/links.py" "$scratch/pages" &&
        "$python" "$source/tests/docs/links.py" --reached "$scratch/pages" &&
        for link in 'docs/two.md' 'docs/one.md#three' 'picture.png'; do
            printf '# Head\n[a](%s)\n' "$link" >"$scratch/pages/README.md"
            ! "$python" "$source/tests/docs/links.py" "$scratch/pages" || return 1
        done && ! "$python" "$source/tests/docs/links.py" --reached "$scratch/pages"
}

# Words behind ./dev in the pages and in its own help.
every_command_of_dev_that_pages_name_is_one() {
    (cd "$source" && ./dev help) | grep -oE '^\./dev [a-z]+' | sort -u >"$scratch/verbs" && test -s "$scratch/verbs" &&
        cd "$source" && grep -ohE '\./dev [a-z]+' ./*.md docs/*.md docs/*/*.md | sort -u |
        grep -vxF './dev help' >"$scratch/named" &&
        grep -vxF -f "$scratch/verbs" "$scratch/named" | none
}

claim a_broken_link_is_found a_broken_link_is_found
claim every_link_leads_to_a_file_and_a_heading "$python" "$source/tests/docs/links.py" "$source"
claim every_page_is_reached_from_the_readme "$python" "$source/tests/docs/links.py" --reached "$source"
claim every_command_of_dev_that_pages_name_is_one every_command_of_dev_that_pages_name_is_one
finish
