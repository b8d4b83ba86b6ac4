# SPDX-License-Identifier: MIT
# Tests written in the shell, in the words of cmocka: sourced by the scripts, which end with finish.
#
#   claim NAME COMMAND ARGUMENT...   the case NAME holds when COMMAND succeeds; its output is shown only when it does not
#   waive NAME REASON                the case NAME cannot be tried here
#   needs PROGRAM NAME               true when PROGRAM exists, else waives NAME
# shellcheck shell=sh
claims_failed=0
scratch=$(mktemp -d "${TMPDIR:-/tmp}/saddle-test.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT

claim() {
    claim_name=$1
    shift
    echo "[ RUN      ] $claim_name"
    if "$@" >"$scratch/output" 2>&1; then
        echo "[       OK ] $claim_name"
    else
        cat "$scratch/output"
        echo "[  FAILED  ] $claim_name"
        claims_failed=$((claims_failed + 1))
    fi
}

waive() {
    echo "[ RUN      ] $1"
    echo "$2"
    echo "[  SKIPPED ] $1"
}

needs() {
    command -v "$1" >/dev/null 2>&1 || {
        waive "$2" "there is no $1"
        return 1
    }
}

# Shows what it reads, and succeeds when that is nothing.
none() {
    ! grep .
}

finish() {
    test "$claims_failed" -eq 0
    exit
}
