/* SPDX-License-Identifier: MIT */
/* Dense P A = L U with row exchanges, by columns, which grows by rows and columns.  LAPACK for many
 * rows; for few rows, where the locks and buffers of LAPACK would take longer, the same elimination
 * column by column. */
#ifndef SADDLE_LIB_LU_H
#define SADDLE_LIB_LU_H

#include <stdint.h>

/* Rows up to which LAPACK takes longer. */
enum { SADDLE__LU_FEW = 72 };

/* A (size x size, leading dimension ld): the leading done x done part in factors, all else as in
 * the matrix; out, the factors for saddle__lu_solve.  exchange: size; rows are exchanged among the
 * first `done`, and among the rows behind.  Returns 0 where a pivot is zero; for few rows, below
 * DBL_MIN. */
int saddle__lu_factor(int done, int size, double *A, int ld, int *exchange);

/* Few rows: x (size) <- L^-1 P x by the first `count` columns of L; behind them less their
 * products.  exchange: NULL = no rows were exchanged. */
void saddle__lu_forward(int count, int size, const double *A, int64_t ld, const int *exchange,
                        double *restrict x);

/* X (size x columns, leading dimension ldx) <- A^-1 X */
void saddle__lu_solve(int size, const double *A, int ld, const int *exchange, int columns,
                      double *X, int ldx);

#endif
