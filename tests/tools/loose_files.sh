# SPDX-License-Identifier: MIT
# saddle bundle, and problems and scenes on the standard input.
# shellcheck disable=SC1091,SC2317 # claims.sh is beside this; the functions are called by claim
# usage: sh loose_files.sh SADDLE SOURCE_FOLDER
saddle=$1 source=$2
. "$source/tests/house/claims.sh"
data=$source/data

# numbers FILE: without comments, so that two writers of the same numbers agree
numbers() {
    grep -v '^%' "$1"
}

same_matrices() { # FOLDER FOLDER: in both each of the first's files
    for file in "$1"/*.mtx; do
        numbers "$file" >"$scratch/one" && numbers "$2/${file##*/}" >"$scratch/other" && cmp "$scratch/one" "$scratch/other" ||
            return 1
    done
}

residual() { # PROBLEM: as solve prints it, but for times
    "$saddle" solve "$1" | grep -E '^(status|residual|counts)'
}

files_by_name_make_the_bundle_they_came_from() {
    for name in chain chain-motors stack-cone; do
        "$saddle" bundle "$data/$name"/*.mtx "$scratch/$name" && same_matrices "$data/$name" "$scratch/$name" &&
            residual "$data/$name" >"$scratch/before" && residual "$scratch/$name" | cmp - "$scratch/before" || return 1
    done
}

files_by_option_and_by_the_end_of_their_names() {
    mkdir -p "$scratch/loose" && cp "$data/stack-cone/M.mtx" "$scratch/loose/mass" &&
        cp "$data/stack-cone/J.mtx" "$scratch/loose/step-12.J.mtx" && cp "$data/stack-cone/f.mtx" "$scratch/loose/pile_f.mtx" &&
        "$saddle" bundle --M "$scratch/loose/mass" "$scratch/loose/step-12.J.mtx" "$scratch/loose/pile_f.mtx" \
            --contacts "$data/stack-cone/contacts.mtx" --b "$data/stack-cone/b.mtx" --law pyramid --facets 4 \
            --name 'a pile' --time-step 0.01 "$scratch/pile" &&
        same_matrices "$data/stack-cone" "$scratch/pile" && grep -q '"name": "a pile"' "$scratch/pile/problem.json" &&
        grep -q '"law": "pyramid", "facets": 4' "$scratch/pile/problem.json" &&
        grep -q '"time_step": 0.01' "$scratch/pile/problem.json"
}

# a general matrix with equal triangles, a right-hand side of one number a line
equal_triangles_are_symmetric_and_plain_text_is_a_vector() {
    printf '%%%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 2\n1 2 1\n2 1 1\n2 2 2\n' >"$scratch/M.mtx" &&
        printf '3\n3\n' >"$scratch/f.txt" && "$saddle" bundle "$scratch/M.mtx" "$scratch/f.txt" "$scratch/two" &&
        grep -q '"symmetric": true' "$scratch/two/problem.json" && "$saddle" solve "$scratch/two" --output "$scratch/x" &&
        numbers "$scratch/x/v.mtx" | tr '\n' ' ' | grep -qx '2 1 1 1 '
}

refused() { # CODE TEXT COMMAND...: that exit code, one line on standard error with the text, no folder made
    code=$1 text=$2
    shift 2
    "$saddle" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
    test $? -eq "$code" && grep -qF -e "$text" "$scratch/err" && test "$(wc -l <"$scratch/err")" -eq 1 &&
        test ! -e "$scratch/no"
}

what_does_not_fit_is_refused_by_its_file() {
    printf '1\n2\n3\n' >"$scratch/short.txt"
    refused 2 'needs [FILE...] OUT' bundle &&
        refused 2 'neither an M nor an R' bundle "$scratch/no" &&
        refused 2 'there is no M' bundle "$data/chain/J.mtx" --R "$data/chain/M.mtx" "$scratch/no" &&
        refused 2 'does not end in M, J' bundle "$scratch/short.txt" "$scratch/no" &&
        refused 2 'M is given twice' bundle "$data/chain/M.mtx" "$data/wall/M.mtx" "$scratch/no" &&
        refused 3 'absent_M.mtx: cannot be opened' bundle absent_M.mtx "$scratch/no" &&
        refused 3 'short.txt: 3 x 1, but 300 x 1' bundle "$data/chain/M.mtx" --f "$scratch/short.txt" "$scratch/no" &&
        refused 3 'wall/J.mtx: ' bundle "$data/chain/M.mtx" "$data/wall/J.mtx" "$scratch/no" &&
        refused 3 'short.txt' bundle --M "$scratch/short.txt" "$scratch/no" &&
        refused 3 '/notes' bundle "$data/chain/M.mtx" "$scratch/notes"
}

# A pipe, a file, and what neither is.
problems_come_from_standard_input() {
    residual "$data/chain/M.mtx" >"$scratch/before"
    cat "$data/chain/M.mtx" | residual - | cmp - "$scratch/before" &&
        residual - <"$data/chain/M.mtx" | cmp - "$scratch/before" &&
        "$saddle" solve "$data/chain/M.mtx" --rhs - <"$data/chain/f.mtx" &&
        "$saddle" convert "$data/stack-cone" "$scratch/stack.dat" --to siconos-gfc &&
        cat "$scratch/stack.dat" | "$saddle" solve - && cat "$scratch/stack.dat" | "$saddle" info - &&
        refused 3 'empty' solve - && refused 2 'both' solve - --rhs -
}

scenes_come_from_standard_input() {
    cd "$source/examples/scenes" || return 1
    for scene in pendulum soft-bar; do
        "$saddle" simulate $scene.json --steps 3 >"$scratch/before" &&
            cat $scene.json | "$saddle" simulate - --steps 3 | cmp - "$scratch/before" || return 1
    done
    refused 3 '' simulate -
}

mkdir "$scratch/notes" && echo mine >"$scratch/notes/mine"
claim files_by_name_make_the_bundle_they_came_from files_by_name_make_the_bundle_they_came_from
claim files_by_option_and_by_the_end_of_their_names files_by_option_and_by_the_end_of_their_names
claim equal_triangles_are_symmetric_and_plain_text_is_a_vector equal_triangles_are_symmetric_and_plain_text_is_a_vector
claim what_does_not_fit_is_refused_by_its_file what_does_not_fit_is_refused_by_its_file
claim problems_come_from_standard_input problems_come_from_standard_input
claim scenes_come_from_standard_input scenes_come_from_standard_input
finish
