# SPDX-License-Identifier: MIT
# links.py FOLDER: every relative link of the pages in FOLDER (README.md, docs/) leads to a file, and to a heading of it.
# links.py --html FOLDER: the same of each page of a site, with pictures, scripts and styles.
# links.py --reached FOLDER: a page of docs/ that no other page leads to is an error.
import html.parser
import os
import pathlib
import sys
import urllib.parse

sys.path.insert(0, os.path.dirname(__file__))
import pages  # noqa: E402

broken = []


def away(target):
    return urllib.parse.urlparse(target).scheme in ("http", "https", "mailto", "data")


def follow(page, target):
    """(file, fragment) that a link of a page leads to."""
    path, _, fragment = target.partition("#")
    return (page.parent / urllib.parse.unquote(path) if path else page), urllib.parse.unquote(fragment)


def check_markdown(folder):
    for page in pages.pages(folder):
        for target in pages.links(page):
            if away(target):
                continue
            file, fragment = follow(page, target)
            if not file.exists():
                broken.append(f"{page}: {target}: there is no such file")
            elif fragment and file.suffix == ".md" and fragment not in pages.anchors(file):
                broken.append(f"{page}: {target}: no heading of that name")


def check_reached(folder):
    folder = pathlib.Path(folder).resolve()
    reached, ahead = set(), [folder / "README.md"]
    while ahead:
        page = ahead.pop()
        if page in reached:
            continue
        reached.add(page)
        for target in pages.links(page):
            if not away(target):
                file = follow(page, target)[0].resolve()
                if file.suffix == ".md" and file.exists():
                    ahead.append(file)
    broken.extend(f"{page}: no page leads here" for page in pages.pages(folder) if page not in reached)


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.targets, self.names = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.targets.append(value)
            if name in ("id", "name") and value:
                self.names.add(value)


def check_html(folder):
    files = sorted(pathlib.Path(folder).rglob("*.html"))
    parsed = {file.resolve(): Page(file.read_text(encoding="utf-8")) for file in files}
    assert len(files) > 20, f"only {len(files)} pages in {folder}"
    for page in files:
        for target in parsed[page.resolve()].targets:
            if away(target) or target.startswith("javascript:"):
                continue
            file, fragment = follow(page, target.replace("?", "#?", 1) if "?" in target and "#" not in target else target)
            if fragment.startswith("?"):
                fragment = ""
            file = file.resolve()
            if not file.exists():
                broken.append(f"{page}: {target}: there is no such file")
            elif fragment and file in parsed and fragment not in parsed[file].names:
                broken.append(f"{page}: {target}: no such place")


if sys.argv[1] == "--html":
    check_html(sys.argv[2])
elif sys.argv[1] == "--reached":
    check_reached(sys.argv[2])
else:
    check_markdown(sys.argv[1])
print("\n".join(broken))
sys.exit(1 if broken else 0)
