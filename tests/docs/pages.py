# SPDX-License-Identifier: MIT
"""Pages of the documentation: their fenced blocks, links and headings.

    ```c         a whole program (it has a main), or lines of an example or a header
    ```cpp       a whole program
    ```python    run in the order of the page, in one process
    ```sh        run by sh in the order of the page, in the page's folder; one that names ../shared/data where that is
    ```shell     commands that take minutes, or change the machine: not run; commands.py checks these and those that are run
    ```matlab    run by Octave where it is installed
    ```json      JSON
    ```text      what the block before it printed; ... stands for any characters
    other        not checked

A comment <!-- file: NAME --> on the line before a block writes the block to that file of the page's folder; such C programs are
compiled by the page's own commands.
"""
import pathlib
import re


class Block:
    def __init__(self, line, language, text, file):
        self.line, self.language, self.text, self.file = line, language, text, file


def pages(source):
    """README.md and the others at the root, and docs/."""
    source = pathlib.Path(source)
    return sorted(source.glob("*.md")) + sorted((source / "docs").rglob("*.md"))


def blocks(page):
    found, lines = [], page.read_text(encoding="utf-8").split("\n")
    at = 0
    while at < len(lines):
        opened = re.match(r"^(`{3,})\s*(\S*)\s*$", lines[at])
        if not opened:
            at += 1
            continue
        end = at + 1
        while end < len(lines) and lines[end] != opened.group(1):
            end += 1
        assert end < len(lines), f"{page}:{at + 1}: the block has no end"
        named = re.match(r"^<!-- file: (\S+) -->$", lines[at - 1]) if at else None
        found.append(Block(at + 1, opened.group(2), "\n".join(lines[at + 1:end]) + "\n", named and named.group(1)))
        at = end + 1
    return found


def indented(page):
    """(line number, text) of lines in indented blocks; those of lists go on and are none."""
    fence, before = None, ""
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), 1):
        opened = re.match(r"^(`{3,})", line)
        if opened:
            fence = None if fence == opened.group(1) else fence or opened.group(1)
        elif fence is None and line.startswith("    ") and line.strip() and (not before or before.startswith("    ")):
            yield number, line
        before = line


def prose(page):
    """The text without fenced and indented blocks, and without code between backticks."""
    text = re.sub(r"^(`{3,}).*?^\1$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    text = "\n".join(line for line in text.split("\n") if not line.startswith("    "))
    return re.sub(r"`[^`]*`", "", text)


def links(page):
    """Of [text](target) and ![text](target)."""
    return re.findall(r"\]\(([^()\s]+)\)", prose(page))


def anchors(page):
    """Of the headings, as they are made of their words."""
    text = re.sub(r"^(`{3,}).*?^\1$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    return {re.sub(r"[^\w\- ]", "", head.strip().lower()).replace(" ", "-")
            for head in re.findall(r"^#+ (.*)$", text, flags=re.M)}
