/* SPDX-License-Identifier: MIT */
/* What auto picks, and who follows when that falls short.  The thresholds are measured
 * (docs/performance.md).
 *
 *     equality rows only, M and R symmetric     ldlt, then lu (auto.c weighs schur against ldlt)
 *     equality rows only, M or R unsymmetric    lu
 *     friction cones                            gauss-seidel
 *     all other rows with bounds                a finite chain:
 *
 *         block pivoting -> single pivots -> lemke -> regularized -> gauss-seidel
 *
 * Block pivoting and the single pivots it falls back on are schur's or pivot's; where there is less
 * to do for lemke, or block pivoting has no promise (no symmetry) or cannot (pyramids in space),
 * lemke begins and pivot comes next.  lemke takes part up to a size, regularized (regularized.h)
 * with it.  Very many rows with friction begin with a number of sweeps that has been enough for
 * heaps of bodies; then schur has its turn, pivot's columns being dense, and then sweeps to their
 * own limit. Pyramids in space of more unknowns than lemke is quick with begin with sweeps, and
 * lemke is last.
 */
#ifndef SADDLE_SOLVERS_AUTO_PICK_H
#define SADDLE_SOLVERS_AUTO_PICK_H

#include "saddle/solver.h"

typedef struct saddle__pick {
    const saddle_solver_type *type;
    const char *why; /* "few rows with bounds" */
} saddle__pick;

/* SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__auto_pick(saddle_context *context, const saddle_problem *problem,
                                saddle__pick *pick);

/* Of the pick: sweeps at most, after which another has its turn; 0 = as many as the options
 * have. */
int64_t saddle__auto_sweeps(const saddle_problem *problem, const saddle_solver_type *type);

/* A set of types: bits. */
unsigned saddle__auto_bit(const saddle_solver_type *type);

/* The first of the set that has not been put out of it, and then is; NULL = the set is empty. */
const saddle_solver_type *saddle__auto_take(unsigned *set);

/* Who follows on `type`; NULL = nobody.  tried: set of those that have had their turn, `type` among
 * them unless it may have another.  singular: type could not factor. */
const saddle_solver_type *saddle__auto_next(const saddle_problem *problem,
                                            const saddle_solver_type *type, unsigned tried,
                                            int singular);

#endif
