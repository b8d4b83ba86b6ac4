/* SPDX-License-Identifier: MIT */
/* See local_system.h. */
#include "complementarity/local_system.h"

#include <float.h>
#include <math.h>

/* Rows at a bound other than 0. */
static int64_t count_held(int64_t m, const signed char *in, const double *lambda)
{
    int64_t held = 0;
    for (int64_t i = 0; i < m; i++) held += !in[i] & (lambda[i] != 0.0);
    return held;
}

/* w_F = q_F + A_FB lambda_B; x: scratch */
static void add_held(const saddle__local_system *A, int64_t m, const signed char *in,
                     const double *q, const double *lambda, double *w, double *x)
{
    for (int64_t i = 0; i < m; i++) x[i] = in[i] ? 0.0 : lambda[i];
    for (int64_t i = 0; i < m; i++)
        if (in[i]) w[i] = q[i] + saddle__whole_row_times(A->beside, i, x);
}

int saddle__local_system_solve(const saddle__local_system *A, int64_t m, const signed char *in,
                               const double *q, double *lambda, double *w, double *noise,
                               double *work)
{
    int held = count_held(m, in, lambda) > 0;
    if (held) add_held(A, m, in, q, lambda, w, work);
    if (!saddle__part_solve(A->part, in, -A->sign, held ? w : q, lambda)) return 0;
    for (int64_t i = 0; i < m; i++) {
        double modulus;
        saddle__whole_rows_expect(A->beside, i);
        double own = saddle__local_own_entry(A, i) * lambda[i];
        w[i] = q[i] + (own + saddle__whole_row_times_both(A->beside, i, lambda, &modulus));
        noise[i] = 8.0 * DBL_EPSILON * (fabs(q[i]) + fabs(own) + modulus);
    }
    return 1;
}
