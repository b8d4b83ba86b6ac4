#!/bin/sh
# SPDX-License-Identifier: MIT
# view.sh SADDLE SCENES CLAIMS.js: pages of saddle simulate opened in headless chromium: drawn by WebGL, clicked through by
# the script, and no error in the console.
set -eu
saddle=$1 scenes=$2 claims=$3
command -v chromium >/dev/null || { echo "skipped: chromium is not installed"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
browse() { # URL
    timeout 60 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
        --use-gl=swiftshader --enable-unsafe-swiftshader --user-data-dir="$folder/profile" \
        --enable-logging=stderr --virtual-time-budget=2000 --dump-dom "$1"
}
browse about:blank >/dev/null 2>&1 || { echo "skipped: chromium does not start here"; exit 77; }
cp "$scenes"/* "$folder"
awk 'BEGIN { # a ball of 200 corners, from the lowest to the highest
    printf "{\"format\": \"saddle-scene\", \"version\": 1, \"bodies\": [{\"name\": \"b\", \"shape\": \"sphere\", \"radius\": 1,"
    printf " \"mass\": 1}], \"shapes\": [{\"kind\": \"convex\", \"part\": \"b\", \"corners\": ["
    for (k = 0; k < 200; k++) {
        z = (2 * k + 1) / 200 - 1; r = sqrt(1 - z * z)
        printf "%s%g, %g, %g", k ? ", " : "", r * cos(2.4 * k), r * sin(2.4 * k), z
    }
    print "]}]}"
}' >"$folder/ball.json"
for scene in soft-bar trebuchet skinned-arm ball; do
    "$saddle" simulate "$folder/$scene.json" --steps 30 --every 30 --view "$folder/$scene.html" >/dev/null
    { sed 's#</body></html>##' "$folder/$scene.html"; echo "<script>"; cat "$claims"; echo "</script></body></html>"; } \
        >"$folder/page.html"
    browse "file://$folder/page.html" >"$folder/dom" 2>"$folder/console" || true
    grep -q 'data-ready="31 frames, [0-9]* parts, WebGL"' "$folder/dom" || { cat "$folder/console"; exit 1; }
    if grep -E 'CONSOLE.*(rror|xception)' "$folder/console"; then exit 1; fi
    grep -q 'data-claims="all hold"' "$folder/dom" || { echo "$scene:"; grep -o 'data-claims="[^"]*"' "$folder/dom"; exit 1; }
done
