# SPDX-License-Identifier: MIT
"""One exception for each status of the library (saddle/status.h)."""
from __future__ import annotations

from typing import List, Optional, Sequence, Tuple


class SaddleError(Exception):
    """A call that produced nothing (negative status), or a result of lesser quality (positive).

    Attributes:
        status: the number of the status.
        status_name: "SADDLE_SINGULAR", ...
        indices: the place of the message's first finding, counted from 0 as Python counts: none,
            one such as [("row", 11)], or two for an entry, [("row", 11), ("velocity", 3)] of J.
            The text itself counts rows and velocities from 1, as files do.
        solution: the result of a positive status; None otherwise.
    """

    status = 0

    def __init__(self, message: str, status: int, name: str, solution=None,
                 indices: Sequence[Tuple[str, int]] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.status_name = name
        self.solution = solution
        self.indices: List[Tuple[str, int]] = list(indices)

    def __reduce__(self):
        """For pickle: exceptions cross processes (multiprocessing)."""
        return type(self), (str(self), self.status, self.status_name, self.solution), vars(self)


class OutOfMemory(SaddleError, MemoryError):
    """Out of memory."""


class InvalidArgument(SaddleError, ValueError):
    """An argument is out of its range."""


class WrongPhase(SaddleError, RuntimeError):
    """A call out of order: analyse, factor, solve."""


class InvalidProblem(SaddleError, ValueError):
    """The problem contradicts itself: sizes, bounds, numbers that are not finite."""


class Unsupported(SaddleError, NotImplementedError):
    """Rows or matrices that this solver cannot do; the message names solvers that can."""


class Singular(SaddleError, ArithmeticError):
    """The system is singular.  certificate: the free motion that proves it, or None."""

    certificate = None


class UnknownName(SaddleError, LookupError):
    """No solver, setting or item of that name."""


class TooLarge(SaddleError, OverflowError):
    """A size overflows its integer type."""


class FileError(SaddleError, OSError):
    """A file cannot be opened, read or written."""


class BadFile(SaddleError, ValueError):
    """The content of a file is not what its format demands."""


class NotExpressible(SaddleError, ValueError):
    """The target format cannot express the problem."""


class InternalError(SaddleError, RuntimeError):
    """An error of the library."""


class NotSolved(SaddleError):
    """A result above the tolerance; `solution` has it."""


class NotConverged(NotSolved):
    """The tolerance was not reached."""


class IterationLimit(NotSolved):
    """The limit of iterations was reached first."""


class TimeLimit(NotSolved):
    """The time limit was reached first."""


class Stopped(NotSolved):
    """Stopped by a callback."""


class Diverged(NotSolved):
    """The iteration diverged; `solution` is the best iterate."""


class WrongInertia(NotSolved):
    """Factored, but M or R is indefinite."""


class Infeasible(NotSolved):
    """There is no solution; `solution.certificate` proves it."""


BY_STATUS = {
    1: NotConverged, 2: IterationLimit, 3: TimeLimit, 4: Stopped, 5: Diverged, 6: WrongInertia,
    7: Infeasible, -1: OutOfMemory, -2: InvalidArgument, -3: WrongPhase, -4: InvalidProblem,
    -5: Unsupported, -6: Singular, -7: UnknownName, -8: TooLarge, -9: FileError, -10: BadFile,
    -11: NotExpressible, -12: InternalError,
}


def make(status: int, name: str, text: str, message: str, solution: Optional[object] = None,
         indices: Sequence[Tuple[str, int]] = ()) -> SaddleError:
    """The exception of a status, with the library's message or, without one, the status' text."""
    kind = BY_STATUS.get(status, SaddleError)
    return kind(message or text, status, name, solution, indices)
