# SPDX-License-Identifier: MIT
# Tests of a program under valgrind (support/run_tests.c): their cases as before, and exit 99 for any wrong access or leak.
# usage: sh under_valgrind.sh PROGRAM NAME...
if ! command -v valgrind >/dev/null 2>&1; then
    echo "[ RUN      ] memory_is_used_rightly"
    echo "there is no valgrind"
    echo "[  SKIPPED ] memory_is_used_rightly"
    exit 0
fi
exec valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,possible "$@"
