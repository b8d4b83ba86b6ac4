#!/bin/sh
# SPDX-License-Identifier: MIT
# page.sh SADDLE DATA: the page of saddle bench opened in headless chromium: all charts drawn, and nothing in the console.
# shellcheck disable=SC1091,SC2154 # browser.sh is beside this, and names the folder
set -eu
saddle=$1 data=$2
. "$(dirname "$0")/browser.sh"
# Three profiles; three sizes of a family; five patterns; two convergence charts for each of five problems by gauss-seidel.
mkdir "$folder/in"
for k in 1 2 3; do ln -s "$data/chain" "$folder/in/chain-$k"; done
"$saddle" bench "$folder"/in/* "$data/wall" "$data/stack-cone" --solvers "auto,ldlt,gauss-seidel:relaxation=1.1:tol=1e-4" \
    --results "$folder/a.jsonl" --report "$folder/a.html" >/dev/null || true
# A problem whose name would end the script, and one solver on one problem.
cp -r "$data/loop" "$folder/<script>alert(1)<"
"$saddle" bench "$folder/<script>alert(1)<" --report "$folder/b.html" >/dev/null
if grep -oE '(src|href)="?(https?:)?//[^"]*' "$folder/a.html" "$folder/b.html"; then exit 1; fi
show a.html b.html
if grep CONSOLE "$folder/console"; then exit 1; fi
for drawn in "a.html: 18 charts, 15 cases, 18 drawn" "b.html: 4 charts, 1 cases, 4 drawn"; do
    grep -q "$drawn" "$folder/dom" || {
        grep html: "$folder/dom" || cat "$folder/console"
        exit 1
    }
done
