# SPDX-License-Identifier: MIT
"""Writes the declarations of the public headers in the form that cffi reads.

    make_cdef.py COMPILER INCLUDE_FOLDER OUTPUT

The preprocessor expands saddle/saddle.h; lines that come from other files, attributes and inline
functions are left out.  No declaration is written by hand.
"""
import pathlib
import re
import subprocess
import sys


def preprocess(compiler, include):
    """The lines of saddle's own headers, after the preprocessor."""
    text = subprocess.run(
        [compiler, "-E", "-DSADDLE_STATIC", "-I", include, "-x", "c", "-"],
        input="#include <saddle/saddle.h>\n", capture_output=True, text=True, check=True).stdout
    folder = pathlib.Path(include) / "saddle"
    own, lines = False, []
    for line in text.splitlines():
        marker = re.match(r'# \d+ "(.*?)"', line)
        if marker:
            own = pathlib.Path(marker.group(1)).parent == folder
        elif own:
            lines.append(line)
    return "\n".join(lines)


def without_bodies(text):
    """Drops inline functions: from `static inline` to the brace that closes the body."""
    while True:
        begin = text.find("static inline")
        if begin < 0:
            return text
        depth, end = 0, text.index("{", begin)
        while True:
            depth += {"{": 1, "}": -1}.get(text[end], 0)
            end += 1
            if depth == 0:
                break
        text = text[:begin] + text[end:]


def declarations(compiler, include):
    text = without_bodies(preprocess(compiler, include))
    text = re.sub(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", "", text)
    return "\n".join(line for line in text.splitlines() if line.strip()) + "\n"


if __name__ == "__main__":
    with open(sys.argv[3], "w", encoding="ascii") as output:
        output.write(declarations(sys.argv[1], sys.argv[2]))
