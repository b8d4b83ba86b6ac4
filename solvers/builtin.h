/* SPDX-License-Identifier: MIT */
/* The built-in solvers.  A new solver is a file and a line here. */
#ifndef SADDLE_SOLVERS_BUILTIN_H
#define SADDLE_SOLVERS_BUILTIN_H

#include "saddle/mass_operator.h"
#include "saddle/problem.h"
#include "saddle/solver.h"

#define SADDLE_BUILTIN_SOLVERS(X) \
    X(ldlt)                       \
    X(lu)                         \
    X(schur)                      \
    X(pivot)                      \
    X(lemke)                      \
    X(gauss_seidel)               \
    X(admm)                       \
    X(staggered)                  \
    X(auto)

#define DECLARE_SOLVER(name) extern const saddle_solver_type saddle__solver_##name;
SADDLE_BUILTIN_SOLVERS(DECLARE_SOLVER)
#undef DECLARE_SOLVER

/* auto for a problem that is not divided into islands (auto.c); not in the registry. */
extern const saddle_solver_type saddle__solver_chain;

/* Few rows with bounds and contacts over meshes and mechanisms: the velocities and the equality
 * rows are eliminated, once, and the other rows solved as a problem without velocities, by
 * call->type where that condenses, else by auto's chain (condense.c); not in the registry.  factor:
 * SADDLE_SINGULAR where M is singular on the velocities that the equality rows leave. */
extern const saddle_solver_type saddle__solver_condensed;

/* *condenses <- 1 where that is meant for the problem, by its patterns and kinds of rows: beside
 * equality rows there are others, M and R are symmetric, most velocities are coupled by M or
 * equality rows with more than those of a body, and W of the other rows has no more entries than M
 * and J.  SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__find_condensing(saddle_context *context, const saddle_problem *problem,
                                      int *condenses);

/* A problem whose M is an operator (saddle/mass_operator.h), through the solver of the head
 * (operator_solve.c); not in the registry. */
extern const saddle_solver_type saddle__solver_operator;

/* The head of its state, filled in before analyse. */
typedef struct saddle__operator_head {
    saddle_mass_operator mass;
    const saddle_solver_type *rows;
} saddle__operator_head;

/* ---- settings ---- */

/* The settings of single solvers, as saddle_options.settings assigns them: "pivot.basis=columns
 * lemke.tableau=dense". */

/* A solver's own struct. */
typedef union saddle__settings {
    double aligned;
    char bytes[SADDLE_SETTINGS_SIZE];
} saddle__settings;

/* settings <- the type's defaults, then the type's own values from the assignments; NULL: no
 * assignments.  SADDLE_UNKNOWN_NAME, SADDLE_INVALID_ARGUMENT, with the assignment in the message:
 * an assignment to any solver that names no setting of a registered solver, or has a value out of
 * range. */
saddle_status saddle__settings_fill(saddle_context *context, const saddle_solver_type *type,
                                    const char *assignments, saddle__settings *settings);

/* ---- gauss-seidel ---- */

/* gauss-seidel's solve, of its state.  SADDLE_NOT_CONVERGED: `round` sweeps did not divide the
 * residual by ten, or the second third of the first round gained little; 0 = no such end. */
saddle_status saddle__sweep_in_rounds(saddle_solver_call *call, void *state, int64_t round,
                                      const saddle_problem *problem, saddle_solution *solution);

/* ---- lemke ---- */

/* Unknowns of lemke at most, for the pattern of rows and contacts (lemke/lemke.h). */
int64_t saddle__expansion_capacity(const saddle_problem *problem);

#endif
