# SPDX-License-Identifier: MIT
"""Solvers, solutions, reports, the residual checker, ranks and references."""
from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

import numpy as np

from . import errors
from ._library import Context, Owner, check, ffi, lib, owned, text
from .problem import Problem, doubles, integers, vector, view

ORDERINGS = {"best": 0, "amd": 1, "metis": 2, "natural": 3}


@dataclass
class Solution:
    """v (n) velocities, impulse (m) lambda, w (m) row slacks (of one's own solutions: or None).

    report: a dict as of `saddle solve --json` (docs/formats.md); certificate: None, or the vectors
    (velocity (n), row (m)) that prove that there is no solution; status: "SADDLE_OK", ...
    """

    v: np.ndarray
    impulse: np.ndarray
    w: Optional[np.ndarray] = None
    report: Dict[str, Any] = field(default_factory=dict, repr=False)
    certificate: Optional[tuple] = field(default=None, repr=False)
    status: str = "SADDLE_OK"

    @property
    def solved(self) -> bool:
        """The residual is at most the tolerance."""
        return self.status == "SADDLE_OK"

    def _c(self, keep: list):
        """A saddle_solution on these arrays."""
        c = ffi.new("saddle_solution *")
        arrays = [vector(self.v, None, "v"), vector(self.impulse, None, "impulse")]
        c.n, c.m = arrays[0].size, arrays[1].size
        arrays.append(np.zeros(0) if self.w is None else vector(self.w, c.m, "w"))
        keep += [c, arrays]
        c.v, c.w = doubles(arrays[0]), doubles(arrays[2])
        setattr(c, "lambda", doubles(arrays[1]))
        return c


def _options(keep: list, **given):
    """saddle_options from keyword arguments, by the names of saddle/options.h."""
    options = ffi.new("saddle_options *")
    lib.saddle_options_init(options, ffi.sizeof("saddle_options"))
    settings = given.pop("settings", None)
    if isinstance(settings, Mapping):
        settings = " ".join(f"{name}={value}" for name, value in settings.items())
    if settings:
        keep.append(ffi.new("char[]", settings.encode()))
        options.settings = keep[-1]
    for name, value in given.items():
        if name == "ordering":
            if value not in ORDERINGS:
                raise ValueError(f"ordering is {value!r}, not one of {', '.join(ORDERINGS)}")
            value = ORDERINGS[value]
        if name == "size" or not hasattr(options, name):
            raise TypeError(f"there is no option {name!r}")
        setattr(options, name, value)
    return options


class Solver(Owner):
    """One solver for problems of one pattern: analyse, factor, solve as often as wanted.

    Args:
        name: "auto", or one of solvers().
        progress: called as progress(phase, iteration, residual); a true result stops the solve.
        options: the fields of saddle/options.h: tolerance (1e-10), max_iterations, time_limit [s],
            regularization, max_refinements, condition, ordering ("best", "amd", "metis",
            "natural"), threads, warm_start; settings: {"pivot.basis": "dense"}, or as text.

    Ctrl-C stops a solve and raises KeyboardInterrupt.  Solvers run in several threads at once, each
    of them in one at a time.
    """

    def __init__(self, name: str = "auto", progress: Optional[Callable] = None, **options) -> None:
        self._context = Context(progress)
        self._keep: list = []
        self._problem: Optional[Problem] = None
        given = _options(self._keep, **options)
        pointer = ffi.new("saddle_solver **")
        check(self._context, lib.saddle_solver_create(self._context.pointer, name.encode(), given,
                                                      pointer))
        self._c = owned(self, pointer[0], lib.saddle_solver_free)

    def analyse(self, problem: Problem) -> None:
        """The pattern: once for all problems with the same entries."""
        check(self._context, lib.saddle_solver_analyse(self._c, problem._c))
        self._problem = problem

    def factor(self, problem: Optional[Problem] = None) -> None:
        """The values of problem (default: of the last one)."""
        self._problem = problem or self._problem
        if self._problem is None:
            raise errors.WrongPhase("factor before analyse", -3, "SADDLE_WRONG_PHASE")
        check(self._context, self._singular(lib.saddle_solver_factor(self._c, self._problem._c)))

    def _singular(self, status: int) -> int:
        if status == -6:
            try:
                check(self._context, status)
            except errors.Singular as error:
                error.certificate = self._certificate()
                raise
        return status

    def solve(self, problem: Optional[Problem] = None, start: Optional[Solution] = None,
              accept: bool = False) -> Solution:
        """Solves the problem factored; f, b and bounds may be those of another problem.

        start: a warm start; None: the impulses of the solve before, by row ids.
        accept: return results above the tolerance instead of raising NotSolved.
        """
        problem = problem or self._problem
        if problem is None:
            raise errors.WrongPhase("solve before analyse", -3, "SADDLE_WRONG_PHASE")
        keep: list = []
        result = Solution(np.zeros(problem.n), np.zeros(problem.m), np.zeros(problem.m))
        to = result._c(keep)
        begin = start._c(keep) if start is not None else ffi.NULL
        status = lib.saddle_solver_solve(self._c, problem._c, begin, to)
        self._singular(status)
        result.status = text(lib.saddle_status_name(status))
        result.report = self.report
        result.certificate = self._certificate()
        check(self._context, status, accept, result)
        return result

    @property
    def report(self) -> Dict[str, Any]:
        """Of the last call."""
        pointer = ffi.new("char **")
        check(None, lib.saddle_report_to_json(ffi.NULL, lib.saddle_solver_report(self._c), pointer))
        try:
            return json.loads(text(pointer[0]))
        finally:
            lib.saddle_release(ffi.NULL, pointer[0])

    def _certificate(self):
        c = lib.saddle_solver_certificate(self._c)
        if c == ffi.NULL:
            return None
        return view(c.velocity, c.n).copy(), view(c.row, c.m).copy()


def solve(problem: Problem, solver: str = "auto", start: Optional[Solution] = None,
          accept: bool = False, progress: Optional[Callable] = None, **options) -> Solution:
    """Solves a problem once; arguments as of Solver and Solver.solve.

    Raises NotSolved (Infeasible, IterationLimit, ..) unless accept, Singular, Unsupported, ...
    """
    one = Solver(solver, progress, **options)
    one.analyse(problem)
    one.factor(problem)
    return one.solve(problem, start, accept)


def solvers() -> Dict[str, str]:
    """The built-in solvers: {name: a line of description}."""
    found, k = {}, 0
    while True:
        kind = lib.saddle_solver_type_at(ffi.NULL, k)
        if kind == ffi.NULL:
            return found
        found[text(kind.name)] = text(kind.summary)
        k += 1


@dataclass
class Residual:
    """The figures of saddle/residual.h; indices count from 0, -1 = none."""

    dynamics: float
    rows: float
    cone: float
    total: float
    local: float
    growth: float
    normwise: float
    bounds: float
    complementarity: float
    natural_map: float
    natural_map_q: float
    worst_velocity: int
    worst_row: int
    worst_local: int


def check_solution(problem: Problem, solution: Solution) -> Residual:
    """The independent checker: how well a solution, from anywhere, solves the problem."""
    context, keep = Context(), []
    residual = ffi.new("saddle_residual *")
    check(context, lib.saddle_solution_check(context.pointer, problem._c, solution._c(keep),
                                             residual, ffi.NULL))
    return Residual(**{name: getattr(residual, name) for name in Residual.__dataclass_fields__})


@dataclass
class Dependency:
    """Row `row` = sum of factors x rows `others` (counted from 0), up to `residual`."""

    row: int
    others: np.ndarray
    factors: np.ndarray
    residual: float
    gap: float
    inconsistent: bool
    text: str


@dataclass
class Rank:
    """Which rows depend on which: saddle/rank.h."""

    examined: int
    rank: int
    independent: np.ndarray
    dependencies: List[Dependency]
    separation: float


def rank(problem: Problem, all_rows: bool = False, ignore_compliance: bool = False,
         tolerance: float = 1e-10) -> Rank:
    """The rank of the equality rows (all_rows: of all), and each redundant row by its combination."""
    context = Context()
    options = ffi.new("saddle_rank_options *", lib.saddle_rank_options_default())
    options.all_rows, options.ignore_compliance = int(all_rows), int(ignore_compliance)
    options.tolerance = tolerance
    c = ffi.gc(ffi.new("saddle_rank *"), lib.saddle_rank_clear)
    check(context, lib.saddle_rank_find(context.pointer, problem._c, options, c))
    found = []
    for k in range(c.dependency_count):
        d = c.dependency[k]
        words = ffi.new("char[]", 512)
        lib.saddle_rank_describe(problem._c, ffi.addressof(d), 0, words, 512)
        found.append(Dependency(d.row, view(d.other, d.count, "int64_t").copy(),
                                view(d.factor, d.count).copy(), d.residual, d.gap,
                                bool(d.inconsistent), text(words)))
    return Rank(c.examined, c.rank, view(c.independent, c.rank, "int64_t").copy(), found,
                c.separation)


@dataclass
class Error:
    """The error of v, impulse or w: saddle_reference_error."""

    size: float
    bound: float
    largest: float
    worst: float
    component: int
    unresolved: int

    @property
    def digits(self) -> float:
        """Correct decimal digits."""
        return float(-np.log10(self.largest)) if self.largest > 0 else np.inf


@dataclass
class Reference:
    """A reference in twice the precision: x* = x + x_low (saddle/reference.h)."""

    certified: bool
    note: str
    v: np.ndarray
    v_low: np.ndarray
    impulse: np.ndarray
    impulse_low: np.ndarray
    w: np.ndarray
    w_low: np.ndarray
    velocity_error: Error
    impulse_error: Error
    slack_error: Error
    condition: float
    sensitivity: float
    margin: float
    least_norm: bool
    nullity: int
    excess: float


def reference(problem: Problem, solution: Solution) -> Reference:
    """The certified reference next to a solution, and the solution's error."""
    context, keep = Context(), []
    c = ffi.gc(ffi.new("saddle_reference *"), lib.saddle_reference_clear)
    check(context, lib.saddle_reference_compute(context.pointer, problem._c, solution._c(keep), c))

    def error(of) -> Error:
        return Error(of.size, of.bound, of.largest, of.worst, of.component, of.unresolved)

    def rows(name: str) -> np.ndarray:
        return view(getattr(c, name), c.m).copy()

    return Reference(bool(c.certified), text(c.note), view(c.v, c.n).copy(),
                     view(c.v_low, c.n).copy(), rows("lambda"), rows("lambda_low"), rows("w"),
                     rows("w_low"), error(c.velocity), error(c.impulse), error(c.slack),
                     c.condition, c.sensitivity, c.margin, bool(c.least_norm), c.nullity, c.excess)


@dataclass
class Accuracy:
    """How exact a solver is with some options: status, residual (total, by the checker) and correct
    decimal digits of v and the impulses against a reference of twice the precision (NaN: it is not
    certified; the note says why), seconds of analyse, factor and solve together."""

    solver: str
    options: Dict[str, Any]
    status: str
    residual: float
    velocity_digits: float
    impulse_digits: float
    certified: bool
    note: str
    seconds: float


def _measured(problem: Problem, solver: str, options: Dict[str, Any]) -> Accuracy:
    try:
        found = solve(problem, solver, accept=True, **options)
    except errors.SaddleError as error:
        return Accuracy(solver, options, error.status_name, np.nan, np.nan, np.nan, False,
                        str(error), np.nan)
    exact = reference(problem, found)
    seconds = sum(found.report["seconds"].get(phase) or 0.0
                  for phase in ("analyse", "factor", "solve"))
    digits = [error.digits if exact.certified else np.nan
              for error in (exact.velocity_error, exact.impulse_error)]
    return Accuracy(solver, options, found.status, found.report["residual"]["total"], digits[0],
                    digits[1], exact.certified, exact.note, seconds)


def accuracy(problem: Problem, solvers: Sequence[str] = ("auto",),
             vary: Optional[Mapping[str, Sequence]] = None) -> List[Accuracy]:
    """Correct digits by solver and options, as `saddle accuracy`.

    vary: {option: values}, such as {"tolerance": (1e-6, 1e-10)}: all combinations.  A solver that
    cannot do the problem has the status and the message of its error.
    """
    vary = vary or {}
    return [_measured(problem, solver, dict(zip(vary, values)))
            for solver in solvers for values in itertools.product(*vary.values())]
