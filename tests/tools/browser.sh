# SPDX-License-Identifier: MIT
# Pages in headless chromium: sourced by view.sh and page.sh.  To start it takes longer than to show a page: it starts once.
# shellcheck shell=sh
command -v chromium >/dev/null || { echo "skipped: chromium is not installed"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

browse() { # URL
    timeout 100 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --use-gl=swiftshader \
        --enable-unsafe-swiftshader --user-data-dir="$folder/profile" --enable-logging=stderr --virtual-time-budget=2000 \
        --dump-dom "$1"
}

# show PAGE...: each in a frame of one page, which is told what the page's body has as data-ready and data-claims:
# $folder/dom has a line "PAGE: READY: CLAIMS" for each.  Fails where $folder/console has an error.
show() {
    {
        echo '<!DOCTYPE html><html><body><script>'
        printf '%s\n' 'addEventListener("message", e => document.body.append(e.data + "\n"));</script>'
        printf '<iframe src="framed-%s" style="position: absolute; width: 100%%; height: 100%%"></iframe>\n' "$@"
    } >"$folder/frames.html"
    for page in "$@"; do
        {
            sed 's#</body></html>##' "$folder/$page"
            echo "<script>{ const told = document.body.dataset;"
            echo "parent.postMessage('$page: ' + told.ready + ': ' + told.claims, '*'); }</script></body></html>"
        } >"$folder/framed-$page"
    done
    browse "file://$folder/frames.html" >"$folder/dom" 2>"$folder/console" || true
    grep -q '<iframe' "$folder/dom" || browse about:blank >/dev/null 2>&1 || {
        echo "skipped: chromium does not start here"
        exit 77
    }
    ! grep -E 'CONSOLE.*(rror|xception)' "$folder/console"
}
