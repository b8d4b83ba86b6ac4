/* SPDX-License-Identifier: MIT */
/* A second opinion on a solution: the same system solved densely by LAPACK, at the state the
 * solution is in.
 *
 * Each row is taken as fixed at the bound it has reached, or as an equation w = 0 where it is
 * strictly between its bounds; the impulse of a row fixed to its contact's normal (box law, plane
 * contacts) follows the normal's.  What is left,
 *
 *     [ M      -J_B' T   ] [ v ]   [ f + J'c       ]        lambda = T y + c,  B: rows with w = 0
 *     [ J_B     R_B  T   ] [ y ] = [ b_B - R_B c   ]
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
