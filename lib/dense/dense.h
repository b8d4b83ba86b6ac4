/* SPDX-License-Identifier: MIT */
/* Dense twins by LAPACK, for small systems: references to compare with, ranks, eigenvalues.
 *
 * Matrices are column-major n x n or rows x cols, with leading dimension equal to the rows.  Sizes
 * whose product with LAPACK's 32-bit integers would overflow give SADDLE_TOO_LARGE.
 */
#ifndef SADDLE_LIB_DENSE_H
#define SADDLE_LIB_DENSE_H

#include "saddle/problem.h"

/* *K = [M J'; J -R], (n + m) x (n + m), and *rhs = [f; b]; unknowns (v, -lambda).  Released by
 * saddle_release.  Rows' bounds and laws are not looked at: every row is taken as an equality. */
saddle_status saddle__dense_kkt(saddle_context *context, const saddle_problem *problem, double **K,
                                double **rhs);

/* X (n x columns): B in, A^-1 B out; A is overwritten (dgesv).  SADDLE_SINGULAR at an exact zero
 * pivot. */
saddle_status saddle__dense_solve_columns(saddle_context *context, int64_t n, int64_t columns,
                                          double *A, double *X);

/* The same for a single column. */
static inline saddle_status saddle__dense_solve(saddle_context *context, int64_t n, double *A,
                                                double *x)
{
    return saddle__dense_solve_columns(context, n, 1, A, x);
}

/* x (max(rows, cols)): b in, the least-squares solution of least norm out (dgelsd); singular values
 * below tolerance * the largest count as zero.  *rank: how many do not.  A is overwritten. */
saddle_status saddle__dense_least_norm(saddle_context *context, int64_t rows, int64_t cols,
                                       double *A, double *x, double tolerance, int64_t *rank);

/* eigenvalue (n): of a symmetric A whose lower triangle is read, ascending (dsyevd).  A is
 * overwritten. */
saddle_status saddle__dense_eigenvalues(saddle_context *context, int64_t n, double *A,
                                        double *eigenvalue);

#endif
