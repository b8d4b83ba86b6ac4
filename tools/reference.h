/* SPDX-License-Identifier: MIT */
/* A second opinion on a solution: the same system solved densely by LAPACK, in the states of rows
 * of the solution.
 *
 * A row is fixed at a bound that the solution has reached, or an equation w = 0 strictly between
 * the bounds; the impulse of a tangent at its limit (box law, plane contacts) follows the normal
 * impulse.  With lambda = T y + c, and B the rows with w = 0, the system
 *
 *     [ M      -J_B' T ] [ v ]   [ f + J'c     ]
 *     [ J_B     R_B  T ] [ y ] = [ b_B - R_B c ]
 *
 * is solved with minimum norm by dgelsd, so that redundant rows do no harm: v and w are unique
 * where M > 0, lambda is not.
 */
#ifndef SADDLE_TOOLS_REFERENCE_H
#define SADDLE_TOOLS_REFERENCE_H

#include "saddle/saddle.h"

typedef struct tool_reference {
    int made;                 /* 0: no reference, for the reason in note */
    char note[200];           /* how it was made */
    double velocity_distance; /* |v - v_ref| / |v_ref|, 2-norms; absolute where v_ref = 0 */
    double slack_distance;    /* |w - w_ref|, 2-norm */
    double residual;          /* of the reference itself, by the checker */
} tool_reference;

/* A dense solution with a residual above the tolerance is no reference; the note states the
 * residual. */
saddle_status tool_reference_compare(saddle_context *context, const saddle_problem *problem,
                                     const saddle_solution *solution, double tolerance,
                                     tool_reference *reference);

#endif
