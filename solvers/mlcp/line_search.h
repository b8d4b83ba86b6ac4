/* SPDX-License-Identifier: MIT */
/* How much of a step of block pivoting (pivoting.h) to take on a regularized problem with a
 * symmetric W >= 0,
 *
 *     w = W lambda + q + E (lambda - c),   lo <= lambda <= hi,   E > 0 diagonal
 *
 * which is the optimality condition of a convex program in lambda.  Its dual, unconstrained
 * (Rockafellar, Convex Analysis, 31; y = lambda at the solution),
 *
 *     phi(y) = y'W y / 2 + sum_i g_i(p_i(y)),   p(y) = c - E^-1 (W y + q),   grad phi = W (y - P
 *         p(y)),   P onto [lo, hi]
 *
 * is convex, once differentiable and piecewise quadratic, and a step of block pivoting is Newton's
 * method on it: basic are the rows whose p_i lies between the bounds, and p = lambda - E^-1 w at
 * the lambda that the step finds.  Whole steps may cycle. With t > 0 the least of phi on the way
 * from y to lambda they end: each lowers phi, and there are finitely many pieces (Sun, J. Comput.
 * Appl. Math. 85, 1997; Qi and Sun, Math. Programming 58, 1993).  Along the line y and p are
 * linear, and
 *
 *     d phi / dt = sum_i E_ii dp_i (P p_i(t) - y_i(t))
 *
 * grows with t.  For rows whose p passes no bound on the way, most of them, that is linear in t:
 * its zero takes one pass over the rows and no product with W.
 */
#ifndef SADDLE_MLCP_LINE_SEARCH_H
#define SADDLE_MLCP_LINE_SEARCH_H

#include "mlcp/rows.h"

typedef struct saddle__line {
    double *y, *p;   /* count: begin of the line */
    double *to;      /* count: p at the end */
    int64_t *kinked; /* kinks of count: rows whose p may pass a bound on the line */
    int64_t kinks;
} saddle__line;

/* The arrays of a line, for `count` rows. */
void saddle__line_place(saddle__line *line, saddle__layout *layout, int64_t count);

/* The line begins at lambda, w (count each). */
void saddle__line_set(saddle__line *line, const saddle__mlcp_rows *rows, const double *lambda,
                      const double *w);

/* The part t of the way to lambda, w (count each) of a step, 0 < t <= 1; the line then begins
 * there.  noise (count): the rounding to which w is known.  0 = phi falls by no more than rounding,
 * and the line is unchanged. */
double saddle__line_advance(saddle__line *line, const saddle__mlcp_rows *rows, const double *lambda,
                            const double *w, const double *noise);

#endif
