# SPDX-License-Identifier: MIT
"""The shared library, its declarations, contexts and statuses."""
from __future__ import annotations

import ctypes.util
import os
import pathlib
import threading
from typing import List, Optional, Tuple

from . import errors
from ._abi import ffi

HERE = pathlib.Path(__file__).resolve().parent

# Structs that this package reads and writes field by field.
CHECKED = ("saddle_attachment", "saddle_attachment_block", "saddle_component",
           "saddle_component_view", "saddle_contact", "saddle_contact_list",
           "saddle_contact_point", "saddle_context_options", "saddle_dependency",
           "saddle_elimination_report", "saddle_handle", "saddle_matrix", "saddle_options",
           "saddle_place", "saddle_problem", "saddle_rank", "saddle_rank_options", "saddle_reference",
           "saddle_report", "saddle_residual", "saddle_scene", "saddle_solution",
           "saddle_step_report", "saddle_stepper_options")


def _candidates():
    """SADDLE_LIBRARY, beside the package, the build folder of a checkout, then the system's."""
    if os.environ.get("SADDLE_LIBRARY"):
        yield os.environ["SADDLE_LIBRARY"]
        return
    for folder in (HERE, HERE.parent.parent / "build"):
        yield from sorted(str(path) for path in folder.glob("libsaddle.so*"))
    found = ctypes.util.find_library("saddle")
    if found:
        yield found


def _open():
    tried = []
    for name in _candidates():
        try:
            return ffi.dlopen(name)
        except OSError as error:
            tried.append(str(error))
    raise ImportError("libsaddle.so was not found: install saddle, or set SADDLE_LIBRARY to the "
                      "file" + ("; " + "; ".join(tried) if tried else ""))


lib = _open()


def _check_structs():
    for name in CHECKED:
        here, there = ffi.sizeof(name), lib.saddle_struct_size(name.encode())
        if here != there:
            raise ImportError(f"{name} has {there} bytes in the library and {here} in this "
                              f"package: they are of different versions")


_check_structs()

version: str = ffi.string(lib.saddle_version()).decode()


def text(pointer) -> str:
    """A C string; "" for NULL."""
    return "" if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


class _Raised(threading.local):
    """What a callback raised, until the call that it stops returns: in the same thread."""

    error: Optional[BaseException] = None


_raised = _Raised()


@ffi.callback("int(void *, const saddle_progress *)", error=1,
              onerror=lambda kind, error, trace: setattr(_raised, "error", error))
def _progress(user, progress):
    """Runs Python code, so that a pending Ctrl-C is raised here and stops the call."""
    handle = ffi.from_handle(user)
    if handle.progress is None:
        return 0
    return 1 if handle.progress(text(progress.phase), progress.iteration, progress.residual) else 0


def owned(owner, pointer, release):
    """pointer, released together with owner and before the objects in owner's other fields.

    ffi.gc alone lets the collector of cycles release a context before the objects made from it.
    """
    held = ffi.gc(pointer, release)
    owner._owned = [held] + getattr(owner, "_owned", [])
    return held


class Owner:
    """Releases what `owned` gave it, the last first, while all its fields are still there."""

    def __del__(self, release=ffi.release) -> None:
        for held in getattr(self, "_owned", []):
            release(held)

    def stay(self, pointer) -> None:
        """Given to ffi.gc of a pointer into this object: the pointer keeps the object."""


# What `index` and `column` of a saddle_place count, by its kind.
PLACES = {lib.SADDLE_PLACE_NONE: (), lib.SADDLE_PLACE_VELOCITY: ("velocity",),
          lib.SADDLE_PLACE_ROW: ("row",), lib.SADDLE_PLACE_CONTACT: ("contact",),
          lib.SADDLE_PLACE_ENTRY_OF_M: ("velocity", "velocity"),
          lib.SADDLE_PLACE_ENTRY_OF_J: ("row", "velocity"),
          lib.SADDLE_PLACE_ENTRY_OF_R: ("row", "row"),
          lib.SADDLE_PLACE_ENTRY: ("row", "column")}


class Context:
    """Messages, progress and interruption of the calls of one object."""

    def __init__(self, progress=None) -> None:
        self.progress = progress
        self._handle = ffi.new_handle(self)
        options = lib.saddle_context_options_default()
        options.progress = _progress
        options.progress_user = self._handle
        pointer = ffi.new("saddle_context **")
        given = ffi.new("saddle_context_options *", options)
        check(None, lib.saddle_context_create(given, pointer))
        self.pointer = ffi.gc(pointer[0], lib.saddle_context_free)

    @property
    def message(self) -> str:
        return text(lib.saddle_context_message(self.pointer))

    @property
    def indices(self) -> List[Tuple[str, int]]:
        """The place of the message's first finding: SaddleError.indices."""
        place = lib.saddle_context_place(self.pointer)
        return list(zip(PLACES.get(place.kind, ()), (place.index, place.column)))


def check(context: Optional[Context], status: int, accept: bool = False, solution=None) -> int:
    """Raises what a callback raised, or the exception of the status; positive ones unless accepted."""
    error, _raised.error = _raised.error, None
    if error is not None:
        raise error
    if status == 0 or (status > 0 and accept):
        return status
    raise errors.make(status, text(lib.saddle_status_name(status)),
                      text(lib.saddle_status_text(status)), context.message if context else "",
                      solution, context.indices if context else ())
