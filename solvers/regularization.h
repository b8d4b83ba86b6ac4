/* SPDX-License-Identifier: MIT */
/* What the direct solvers add to the diagonal of K = [M J'; J -R] so that it can be factored, and
 * the pivots' natural sizes.
 *
 *     row i:       s_i = |R_ii| + sum_j J_ij^2 / |M_jj| over M_jj != 0: the Delassus estimate
 *                  K_ii -= epsilon s_i   where R_ii <= sum_k!=i |R_ik|: R = 0 there, or its block
 *                                        may be singular
 *     velocity j:  s_j = |M_jj|;  where M_jj = 0: max_k |M_jk|, else sum_i J_ij^2 / s_i
 *                  K_jj += epsilon s_j   where M_jj = 0
 *
 * A sum that is 0 falls back on the largest |entry| of the row of K, and on 1 for a row of zeros.
 * Without rows (m = 0) K = M may be anything symmetric, a KKT matrix from a file too: where M_jj =
 * 0, the sign of pivot j is taken to be that of e_j = -sum_k M_jk^2 / M_kk, its first-order
 * estimate, s_j = |e_j|, and K_jj += epsilon e_j.  Without velocities (n = 0) R is treated as M is
 * there.
 */
#ifndef SADDLE_SOLVERS_REGULARIZATION_H
#define SADDLE_SOLVERS_REGULARIZATION_H

#include "base/layout.h"
#include "problem/verdict.h"
#include "saddle/problem.h"

typedef struct saddle__regularization {
    saddle_context *context;
    int64_t size;      /* n + m */
    int64_t changed;   /* nonzero entries of added */
    double *added;     /* n + m: onto K's diagonal */
    double *scale;     /* n + m: s, > 0 */
    signed char *sign; /* n + m: of each pivot; 0 = not known */
    signed char *weak; /* n + m: enum saddle__late, not SADDLE__ANY_TIME where K_ii alone may leave
                          no pivot, and in all rows coupled by R: a row eliminated early reduces the
                          pivots of its coupled rows, and only a velocity adds to a row's pivot, so
                          no row is the partner of another row */
    saddle__layout layout;     /* all of these arrays */
    const saddle__sums *parts; /* NULL: the problem is whole; else arrays have the entries that this
                                  process sees, and added is 0 for entries owned by others
                                  (borrowed) */
} saddle__regularization;

saddle_status saddle__regularization_create(saddle_context *context, const saddle_problem *problem,
                                            saddle__regularization *regularization);

/* For the problem's values.  everywhere: 1 = add to each diagonal entry, by sign, not only to weak
 * entries. Allocates nothing. */
void saddle__regularization_measure(saddle__regularization *regularization,
                                    const saddle_problem *problem, double epsilon, int everywhere);

/* half-built ones are fine */
static inline void saddle__regularization_clear(saddle__regularization *g)
{
    saddle__layout_clear(g->context, &g->layout);
    *g = (saddle__regularization){0};
}

#endif
