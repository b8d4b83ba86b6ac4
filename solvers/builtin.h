/* SPDX-License-Identifier: MIT */
/* The built-in solvers.  A new one is one file and one line here. */
#ifndef SADDLE_SOLVERS_BUILTIN_H
#define SADDLE_SOLVERS_BUILTIN_H

#include "saddle/solver.h"

#define SADDLE_BUILTIN_SOLVERS(X) \
    X(ldlt)                       \
    X(lu)                         \
    X(schur)                      \
    X(pivot)                      \
    X(lemke)                      \
    X(gauss_seidel)               \
    X(auto)

#define DECLARE_SOLVER(name) extern const saddle_solver_type saddle__solver_##name;
SADDLE_BUILTIN_SOLVERS(DECLARE_SOLVER)
#undef DECLARE_SOLVER

#endif
