/* SPDX-License-Identifier: MIT */
/* The dense LAPACK twin of a small solved system.
 *
 * The state that a solution shows (a row at a bound, a contact open, sticking or sliding in a
 * direction) leaves a linear system: with lambda = fixed + B y, where the columns of B are what
 * each state leaves free, and one equation C_k'w = 0 for each,
 *
 *     M v - J'B y         = f + J' fixed
 *     C'(J v + R B y)     = C'(b - R fixed)
 *
 *     equality, between bounds, sticking     B_k = C_k = e_i for each row
 *     at a bound, open                       fixed: no column
 *     cone, sliding along u                  B_k = (1, mu u), C_k = (1, 0)
 *     associated, on the cone along u        B_k = C_k = (1, mu u)
 *     box, a tangent at +-mu lambda_n        joins the normal's column:
 *                                            B_k = (1, +-mu, ..), C_k = (1, 0, ..)
 *     pyramid, on a vertex                   B_k = (1, mu d), C_k = (1, 0)
 *     pyramid, on an edge with normal a      B_k = (1, mu cos(pi/facets) a), C_k = (1, 0), and
 *                                            B_l = C_l = (0, edge)
 *
 * Which state: the piece of the law's set on which lambda - rho w lands.  Where the system has many
 * solutions (redundant rows), the nearest to the one found is taken.
 */
#ifndef SADDLE_TEST_DENSE_TWIN_H
#define SADDLE_TEST_DENSE_TWIN_H

#include "support.h"

enum { DENSE_TWIN_LIMIT = 250 }; /* n + m */

typedef struct twin_comparison {
    double v;      /* |v - v_twin| / max(|v|, |f|/|M|) */
    double lambda; /* |lambda - lambda_twin| / max(|lambda|, |f|/|J'|; n = 0: |b|/|R|) */
    double w; /* |w - w_twin| / scale,  scale = max(|b|, |J v|, |R lambda|, what f alone moves the
                 rows by) */
    double condition; /* what a residual grows by at most: 1 / the smallest singular value above
                         rounding of the system, whose unknowns and residuals are measured in their
                         scales; no less than the residual itself, (|J||v| + |R||lambda| + |b| + ..)
                         / scale */
} twin_comparison;

/* 0: the system is larger than DENSE_TWIN_LIMIT, nothing was compared. */
int dense_twin_compare(const saddle_problem *problem, const saddle_solution *solution,
                       twin_comparison *compared);

#endif
