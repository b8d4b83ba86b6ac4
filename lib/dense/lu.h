/* SPDX-License-Identifier: MIT */
/* Dense P A = L U with row exchanges, by columns.  LAPACK for many rows; for few rows, where the
 * locks and buffers of LAPACK would take longer, the same elimination column by column. */
#ifndef SADDLE_LIB_LU_H
#define SADDLE_LIB_LU_H

/* Rows up to which LAPACK takes longer. */
enum { SADDLE__LU_FEW = 32 };

/* A (size x size, leading dimension ld): out, the factors for saddle__lu_solve; exchange: size.
 * Returns 0 where a pivot is zero; for few rows, below DBL_MIN. */
int saddle__lu_factor(int size, double *A, int ld, int *exchange);

/* X (size x columns, leading dimension ldx) <- A^-1 X */
void saddle__lu_solve(int size, const double *A, int ld, const int *exchange, int columns,
                      double *X, int ldx);

#endif
