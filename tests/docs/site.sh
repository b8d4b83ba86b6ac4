# SPDX-License-Identifier: MIT
# The site, built as by ./dev docs, without a warning and without a link that leads nowhere.
# shellcheck disable=SC1091,SC2317 # claims.sh is beside this; the functions are called by claim
# usage: sh site.sh PYTHON SOURCE_FOLDER
python=$1 source=$2
. "$source/tests/house/claims.sh"

build_site() {
    "$python" "$source/docs/site.py" "$source" "$scratch/source" &&
        "$python" -m sphinx -W --keep-going -q -b html "$scratch/source" "$scratch/html"
}

every_header_and_example_has_a_page() {
    for file in "$source"/include/saddle/*.h; do
        name=${file##*/}
        test -s "$scratch/html/api/${name%.h}.html" || echo "$name"
    done | none && for file in "$source"/examples/*.c; do
        name=${file##*/}
        test -s "$scratch/html/examples/${name%.c}-c.html" || echo "$name"
    done | none
}

every_function_is_among_the_names() {
    cat "$source"/include/saddle/*.h | tr '\n' ' ' | grep -oE 'SADDLE_API [^;(]*\(' | grep -oE 'saddle_[a-z0-9_]+\($' |
        tr -d '(' |
        while read -r name; do
            grep -qF ">$name<" "$scratch/html/api/names.html" || echo "$name"
        done | none
}

if ! "$python" -c 'import sphinx, myst_parser' 2>/dev/null; then
    waive the_site_builds_without_a_warning "there is no Sphinx with MyST (python3-sphinx, python3-myst-parser)"
else
    claim the_site_builds_without_a_warning build_site
    claim no_link_of_the_site_is_broken "$python" "$source/tests/docs/links.py" --html "$scratch/html"
    claim every_header_and_example_has_a_page every_header_and_example_has_a_page
    claim every_function_is_among_the_names every_function_is_among_the_names
fi
finish
