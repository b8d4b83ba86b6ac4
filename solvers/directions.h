/* SPDX-License-Identifier: MIT */
/* Refinement made faster where it is slow: generalized conjugate residuals over K as factored
 * (Eisenstat, Elman and Schultz, SIAM J. Numer. Anal. 20, 1983).
 *
 *     p = F^-1 r  less its part along earlier p_j, so that q = K p is orthogonal to the q_j;   x +=
 *         (r'q) p,   |q| = 1
 *
 * F = K + E, E what was added to the diagonal, epsilon in natural units.  Rows that nearly depend,
 * by a gap of g, have a direction z with J M^-1 J' z = g^2 z, along which plain refinement leaves
 * epsilon / (epsilon + g^2) of the residual a step: all of it for g = 1e-6.  Of K F^-1 = 1 - E F^-1
 * the other eigenvalues are 1, so that a step for each such z takes them out. For quasi-definite K
 * and F it cannot break down: the symmetric part of K F^-1 is positive (docs/theory.md, section 4).
 * K p is summed in twice the working precision, since p is mostly z and K z is g^2 z.
 */
#ifndef SADDLE_SOLVERS_DIRECTIONS_H
#define SADDLE_SOLVERS_DIRECTIONS_H

#include "matrix/twofold.h"
#include "saddle/problem.h"

typedef struct saddle__directions {
    saddle_context *context;
    int64_t size;     /* n + m */
    int64_t count;    /* directions at hand */
    int64_t next;     /* where the next one goes: the oldest gives way */
    double *residual; /* n + m: r, less what steps along the directions at hand take out */
    double *taken;    /* n + m: those steps */
    double *p;        /* n + m by saddle__directions_most */
    double *q;        /* the same: K p, of length 1 in natural units */
} saddle__directions;

/* Directions kept. */
extern const int64_t saddle__directions_most;

/* directions: all-zero or cleared before. */
saddle_status saddle__directions_create(saddle_context *context, int64_t size,
                                        saddle__directions *directions);

/* r (n + m) less its parts along the directions at hand, which rounding of the unknowns has brought
 * back: those are kept for the step to come. */
void saddle__directions_begin(saddle__directions *directions, const double *unit, double *r);

/* step (n + m): F^-1 r for what begin left, (v, lambda), becomes the step to take.  1; 0 where
 * there is none, K p nothing: below 1e-14 |p| in natural units d = unit, where K is singular for
 * rounding and the solution would grow without becoming one.  sum (n + m): scratch.  Neither
 * allocates. */
int saddle__directions_take(saddle__directions *directions, const saddle_problem *problem,
                            const double *unit, saddle__twofold *sum, double *step);

void saddle__directions_clear(saddle__directions *directions); /* half-built ones are fine */

#endif
