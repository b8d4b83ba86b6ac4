# SPDX-License-Identifier: MIT
# docs/scene.schema.json beside the reader of scenes.
# shellcheck disable=SC1091,SC2154,SC2317 # claims.sh is beside this; the functions are called by claim
# usage: sh scene_schema.sh PYTHON SADDLE SOURCE_FOLDER LIBRARY
python=$1 saddle=$2 source=$3 library=$4
. "$source/tests/house/claims.sh"

tried() { # CASE
    "$python" "$source/tests/tools/scene_schema.py" "$1" "$saddle" "$source" "$scratch" "$library"
}

"$python" -c 'import jsonschema' 2>/dev/null
absent=$?
for case in shipped words mutations; do
    case $case in
        shipped) name=shipped_scenes_satisfy_the_schema_and_read ;;
        words) name=the_schema_has_the_fields_of_the_reader ;;
        mutations) name=what_the_schema_refuses_the_reader_refuses ;;
    esac
    if test $absent -eq 0; then
        claim $name tried $case
    else
        waive $name "there is no jsonschema for Python (python3-jsonschema)"
    fi
done
finish
