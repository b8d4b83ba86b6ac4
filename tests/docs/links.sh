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

claim a_broken_link_is_found a_broken_link_is_found
claim every_link_leads_to_a_file_and_a_heading "$python" "$source/tests/docs/links.py" "$source"
claim every_page_is_reached_from_the_readme "$python" "$source/tests/docs/links.py" --reached "$source"
finish
