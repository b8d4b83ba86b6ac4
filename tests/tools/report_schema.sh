# SPDX-License-Identifier: MIT
# docs/report.schema.json beside what the command prints.
# shellcheck disable=SC1091,SC2154,SC2317 # claims.sh is beside this; the functions are called by claim
# usage: sh report_schema.sh PYTHON SADDLE SOURCE_FOLDER
python=$1 saddle=$2 source=$3
. "$source/tests/house/claims.sh"

tried() { # CASE
    "$python" "$source/tests/tools/report_schema.py" "$1" "$saddle" "$source" "$scratch"
}

"$python" -c 'import jsonschema' 2>/dev/null
absent=$?
for case in printed failures drift; do
    case $case in
        printed) name=printed_objects_satisfy_the_schema ;;
        failures) name=failures_print_an_object_with_code_and_message ;;
        drift) name=the_schema_refuses_keys_that_come_or_go ;;
    esac
    if test $absent -eq 0; then
        claim $name tried $case
    else
        waive $name "there is no jsonschema for Python (python3-jsonschema)"
    fi
done
finish
