/* SPDX-License-Identifier: MIT */
/* Drawn problems whose rows come and go, and the dense twin of the active system by LAPACK. */
#ifndef SADDLE_TEST_DRAWN_ROWS_H
#define SADDLE_TEST_DRAWN_ROWS_H

#include "../ldlt/drawn_kkt.h"
#include "active/active_rows.h"

typedef struct drawn_rows {
    drawn_kkt d; /* its dense K is the system; R may have entries beside the diagonal, which d.K
                    lacks */
    saddle_problem problem;
    double *added; /* size: -1e-10 s_i where R_ii = 0 */
    saddle__active_values values;
} drawn_rows;

/* couples: pairs of compliant rows with an entry of R, about that many.  massless: first velocities
 * whose mass is taken away. */
drawn_rows draw_rows_problem(uint64_t *state, kkt_kind kind, int64_t couples, int64_t massless);
void drawn_rows_clear(drawn_rows *r);

/* x (size): (f, b) in, (v, lambda) out, of the rows with in[i] != 0, by LAPACK in natural units;
 * |x| there. */
void twin_solve(const drawn_rows *r, const signed char *in, double *x);

/* largest |x_i - y_i| / d_i over the largest |y_i| / d_i */
double twin_distance(const drawn_rows *r, const double *x, const double *y);

/* the smallest singular value of the active K, in natural units, over the largest */
double twin_regularity(const drawn_rows *r, const signed char *in);

#endif
