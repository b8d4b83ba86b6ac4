/* SPDX-License-Identifier: MIT */
/* Few rows without velocities, w = R lambda - b, solved at once: R dense, block pivoting in loops
 * of its own (crash.h), nothing regularized, no BLAS.  A tenth of what a solve of thirty rows takes
 * would go into calls and preparations else.
 *
 * It is a first try of `schur` and `pivot`.  Only an answer of a basis that was regular as it is,
 * and that leaves no more than rounding of the rows' laws, counts; what is singular, contradictory,
 * badly scaled or cycles goes the whole way. */
#ifndef SADDLE_SOLVERS_SMALL_H
#define SADDLE_SOLVERS_SMALL_H

#include <stddef.h>

#include "complementarity/crash.h"
#include "saddle/solver.h"

/* Settings of schur and pivot. */
typedef struct saddle__pivoting_settings {
    int basis;           /* pivot: of saddle_basis */
    int lagged_friction; /* 1: tangents' bounds follow the normal impulses of the step before */
    int64_t crash_steps; /* of saddle__small_solve; 0 = none */
} saddle__pivoting_settings;

#define SADDLE__PIVOTING_SETTINGS                                                               \
    {.name = "lagged_friction",                                                                 \
     .kind = SADDLE_SETTING_FLAG,                                                               \
     .offset = offsetof(saddle__pivoting_settings, lagged_friction),                            \
     .summary = "tangents' bounds follow the normal impulses of the step before, "              \
                "max_refinements steps at most; solved only where they settle"},                \
    {                                                                                           \
        .name = "crash_steps", .kind = SADDLE_SETTING_INTEGER,                                  \
        .offset = offsetof(saddle__pivoting_settings, crash_steps), .initial = 50, .most = 1e9, \
        .summary = "few rows without velocities: steps without regularization first"            \
    }

typedef struct saddle__small {
    saddle_context *context;
    int64_t m;    /* rows; 0 = the problem is none of these */
    int64_t made; /* systems factored in the last solve */
    double *W;    /* m x m: R, both triangles; not there where R stores all of it in this order */
    double *A;    /* m x m: of the basis */
    saddle__crash crash;
} saddle__small;

/* Few rows, no velocities, no lagged friction, crash_steps > 0 and no limit of iterations.
 * call->settings: saddle__pivoting_settings. */
int saddle__small_takes(const saddle_solver_call *call, const saddle_problem *problem);

/* Where it takes them.  SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__small_create(const saddle_solver_call *call, const saddle_problem *problem,
                                   saddle__small *small);

/* R's values. */
void saddle__small_set(saddle__small *small, const saddle_problem *problem);

/* *settled: 1 = solution->lambda is the answer; 0 = it is the start as before.  Adds iterations,
 * pivots and factorizations to the report.  SADDLE_STOPPED, SADDLE_TIME_LIMIT: lambda is the start.
 * Allocates nothing. */
saddle_status saddle__small_solve(saddle__small *small, const saddle_problem *problem,
                                  const saddle_solver_call *call, saddle_solution *solution,
                                  int *settled);

void saddle__small_clear(saddle__small *small); /* half-built ones are fine */

#endif
