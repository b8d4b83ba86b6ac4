/* SPDX-License-Identifier: MIT */
/* Small dense systems and eigenvalues by LAPACK.
 *
 * Matrices are column-major n x n or rows x cols, with leading dimension equal to the rows.  Sizes
 * whose product with LAPACK's 32-bit integers would overflow give SADDLE_TOO_LARGE.
 */
#ifndef SADDLE_LIB_DENSE_H
#define SADDLE_LIB_DENSE_H

#include "saddle/context.h"

/* X (n x columns): B in, A^-1 B out; A is overwritten (dgesv).  SADDLE_SINGULAR at an exact zero
 * pivot. */
saddle_status saddle__dense_solve_columns(saddle_context *context, int64_t n, int64_t columns,
                                          double *A, double *X);

/* The same without allocation; pivot (n): workspace. */
saddle_status saddle__dense_solve_with(saddle_context *context, int64_t n, int64_t columns,
                                       double *A, double *X, int *pivot);

/* The same for a single column. */
static inline saddle_status saddle__dense_solve(saddle_context *context, int64_t n, double *A,
                                                double *x)
{
    return saddle__dense_solve_columns(context, n, 1, A, x);
}

/* eigenvalue (n): of a symmetric A whose lower triangle is read, ascending (dsyevd).  A is
 * overwritten. */
saddle_status saddle__dense_eigenvalues(saddle_context *context, int64_t n, double *A,
                                        double *eigenvalue);

#endif
