/* SPDX-License-Identifier: MIT */
/* A symmetric matrix by whole rows, and the factor of its basic rows by themselves (ldlt/part.h):
 * what a step of block pivoting takes where W is sparse.
 *
 *     lambda_F = -A_FF^-1 (q_F + A_FB lambda_B),   w = q + A lambda
 *         F  basic rows, B the others, at bounds
 *
 * w is summed for all rows alike: w_F, which is to vanish, is the solve's residual. */
#ifndef SADDLE_SOLVERS_LOCAL_SYSTEM_H
#define SADDLE_SOLVERS_LOCAL_SYSTEM_H

#include "ldlt/part.h"
#include "matrix/whole_rows.h"

/* All borrowed. */
typedef struct saddle__local_system {
    const saddle__whole_rows *beside; /* A beside its diagonal */
    const double *diagonal, *added;   /* m: A_ii is their sum; added: NULL = 0 */
    saddle__part *part;               /* holds the factor of sign A_FF; NULL: it is not to be had */
    double sign;                      /* 1 or -1 */
} saddle__local_system;

/* A_ii */
static inline double saddle__local_own_entry(const saddle__local_system *system, int64_t i)
{
    return system->diagonal[i] + (system->added ? system->added[i] : 0.0);
}

/* in (m): 1 for the rows of F, as they were factored, else 0; q (m); lambda (m): that of B in, all
 * out; w, noise (m): out, the latter the rounding to which the sums w are known; work (m).  0:
 * lambda_F would not be finite; lambda stays as it is, w and noise are undefined. */
int saddle__local_system_solve(const saddle__local_system *system, int64_t m, const signed char *in,
                               const double *q, double *lambda, double *w, double *noise,
                               double *work);

#endif
