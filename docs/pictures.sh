#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes docs/pictures from the scenes and systems shipped here; needs build/saddle and chromium (Debian).
set -eu
cd "$(dirname "$0")/.."
saddle=build/saddle pictures=docs/pictures
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

picture() { # NAME SCENE STEPS EVERY FRAME DISTANCE [WIDTH,HEIGHT]: one moment of the page; the camera's distance as a factor
    "$saddle" simulate "examples/scenes/$2.json" --steps "$3" --every "$4" --view "$folder/page.html" >/dev/null
    printf '<script>camera.distance *= %s; show(%d);</script>\n' "$6" "$5" >>"$folder/page.html"
    timeout 120 chromium --headless --no-sandbox --disable-dev-shm-usage --use-gl=swiftshader --enable-unsafe-swiftshader \
        --user-data-dir="$folder/profile" --hide-scrollbars --virtual-time-budget=3000 --window-size="${7:-720,500}" \
        --screenshot="$folder/$1.png" "file://$folder/page.html" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
    mv "$folder/$1.png" "$pictures/$1.png"
}

picture pile box-pile 200 1 150 0.74 900,560
picture trebuchet trebuchet 900 1 200 0.55
picture soft-block soft-block 60 1 40 0.6
picture skinned-arm skinned-arm 200 1 120 0.5
picture four-bar four-bar 300 1 150 0.7
picture soft-bar soft-bar 100 1 60 0.8
picture rolling-balls rolling-balls 200 1 60 0.6
"$saddle" info data/chain --spy "$pictures/spy.svg" >/dev/null
ls -l "$pictures"
