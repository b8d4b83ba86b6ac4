# SPDX-License-Identifier: MIT
"""saddle: constrained mechanical systems as one sparse saddle-point problem.

    import numpy as np, saddle
    problem = saddle.Problem(M, J, f=f, b=b, lo=np.zeros(m))
    solution = saddle.solve(problem)
    solution.v, solution.impulse, solution.report["residual"]["total"]
"""
from ._library import version as __version__
from .attachments import Attachments, Component, Reduction
from .errors import (BadFile, Diverged, FileError, Infeasible, InternalError, InvalidArgument,
                     InvalidProblem, IterationLimit, NotConverged, NotExpressible, NotSolved,
                     OutOfMemory, SaddleError, Singular, Stopped, TimeLimit, TooLarge, UnknownName,
                     Unsupported, WrongInertia, WrongPhase)
from .problem import Contacts, Problem
from .scene import ContactPoints, Ode, Scene, Trajectory
from .solving import (Accuracy, Dependency, Error, Rank, Reference, Residual, Solution, Solver,
                      accuracy, check_solution, rank, reference, solve, solvers)

__all__ = [
    "Accuracy", "Attachments", "BadFile", "Component", "ContactPoints", "Contacts",
    "Dependency", "Diverged", "Error", "FileError", "Infeasible", "InternalError",
    "InvalidArgument", "InvalidProblem", "IterationLimit", "NotConverged", "NotExpressible",
    "NotSolved", "Ode", "OutOfMemory", "Problem", "Rank", "Reduction", "Reference", "Residual",
    "SaddleError", "Scene", "Singular", "Solution", "Solver", "Stopped", "TimeLimit",
    "TooLarge", "Trajectory", "UnknownName", "Unsupported", "WrongInertia", "WrongPhase",
    "accuracy", "check_solution", "rank", "reference", "solve", "solvers",
]
