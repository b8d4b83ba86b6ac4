#!/bin/sh
# SPDX-License-Identifier: MIT
# view.sh SADDLE SCENES CLAIMS.js: pages of saddle simulate opened in headless chromium: drawn by WebGL, clicked through by
# the script, and no error in the console.
# shellcheck disable=SC1091,SC2154 # browser.sh is beside this, and names the folder
set -eu
saddle=$1 scenes=$2 claims=$3
. "$(dirname "$0")/browser.sh"
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
        >"$folder/$scene-claims.html"
done
show soft-bar-claims.html trebuchet-claims.html skinned-arm-claims.html ball-claims.html
for scene in soft-bar trebuchet skinned-arm ball; do
    grep -qE "^$scene-claims.html: 31 frames, [0-9]* parts, WebGL: all hold" "$folder/dom" || {
        grep "$scene-claims.html: " "$folder/dom" || cat "$folder/console"
        exit 1
    }
done
