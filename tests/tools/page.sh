#!/bin/sh
# SPDX-License-Identifier: MIT
# page.sh SADDLE DATA: the page of saddle bench opened in headless chromium: all charts drawn, and no error in the console.
set -eu
saddle=$1 data=$2
command -v chromium >/dev/null || { echo "skipped: chromium is not installed"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
browse() { # URL
    timeout 60 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$folder/profile" \
        --enable-logging=stderr --virtual-time-budget=2000 --dump-dom "$1"
}
browse about:blank >/dev/null 2>&1 || { echo "skipped: chromium does not start here"; exit 77; }
show() { # PAGE CHARTS CASES
    browse "file://$folder/$1" >"$folder/dom" 2>"$folder/console" || true
    grep -q "data-ready=\"$2 charts, $3 cases, $2 drawn\"" "$folder/dom" || {
        grep -o 'data-ready="[^"]*"' "$folder/dom" || echo "not drawn"
        cat "$folder/console"
        exit 1
    }
    if grep -E 'CONSOLE' "$folder/console"; then exit 1; fi
    if grep -oE '(src|href)="?(https?:)?//[^"]*' "$folder/$1"; then exit 1; fi
}
# Three profiles; three sizes of a family; five patterns; two convergence charts for each of five problems by gauss-seidel.
mkdir "$folder/in"
for k in 1 2 3; do ln -s "$data/chain" "$folder/in/chain-$k"; done
"$saddle" bench "$folder"/in/* "$data/wall" "$data/stack-cone" --solvers "auto,ldlt,gauss-seidel:relaxation=1.1:tol=1e-4" \
    --results "$folder/a.jsonl" --report "$folder/a.html" >/dev/null || true
show a.html 18 15
# A problem whose name would end the script, and one solver on one problem.
cp -r "$data/loop" "$folder/<script>alert(1)<"
"$saddle" bench "$folder/<script>alert(1)<" --report "$folder/b.html" >/dev/null
show b.html 4 1
