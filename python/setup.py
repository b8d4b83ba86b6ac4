# SPDX-License-Identifier: MIT
"""Writes saddle/_abi.py from the public headers.

The declarations come from the first of: $SADDLE_CDEF; the build folder of the checkout, where CMake
writes them; the folder share/saddle of an installed saddle; the headers of the checkout through a C
preprocessor.
"""
import os
import pathlib
import shutil
import sys
import tempfile

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))


def declarations():
    given = os.environ.get("SADDLE_CDEF")
    places = [pathlib.Path(given)] if given else [
        HERE.parent / "build" / "python" / "cdef.h",
        *(pathlib.Path(prefix) / "share/saddle/cdef.h" for prefix in ("/usr/local", "/usr"))]
    for place in places:
        if place.exists():
            return place.read_text()
    import make_cdef
    for compiler in ("cc", "gcc", "clang"):
        if shutil.which(compiler) and (HERE.parent / "include" / "saddle").exists():
            return make_cdef.declarations(compiler, str(HERE.parent / "include"))
    raise SystemExit("no declarations: build or install saddle first, or set SADDLE_CDEF to cdef.h")


def write_abi(folder):
    """folder/_abi.py: declarations as data, read at import without a parser."""
    import cffi
    ffi = cffi.FFI()
    ffi.cdef(declarations())
    ffi.set_source("_abi", None)
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copy(ffi.compile(scratch), pathlib.Path(folder) / "_abi.py")


class build_with_abi(build_py):
    def run(self):
        super().run()
        write_abi(pathlib.Path(self.build_lib) / "saddle")


if __name__ == "__main__":
    if len(sys.argv) == 2 and os.path.isdir(sys.argv[1]):
        write_abi(sys.argv[1])  # as CMake calls it
    else:
        setup(cmdclass={"build_py": build_with_abi})
