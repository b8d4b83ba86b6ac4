/* SPDX-License-Identifier: MIT */
/* Projected Gauss-Seidel sweeps on a regularized problem with a sparse symmetric W >= 0,
 *
 *     w = W lambda + q + E (lambda - c),   lo <= lambda <= hi,   c = 0
 *     lambda_i <- P_i(lambda_i - w_i / (W_ii + E_ii)),   i = 1 .. m (down) or m .. 1 (up)
 *
 * each of which lowers lambda'(W + E) lambda / 2 + q'lambda (Cryer, SIAM J. Control 9, 1971).  A
 * few are where block pivoting may begin that knows of no better start: loads that many bodies
 * share have gone through most of them, and a sweep costs a tenth of a step of pivoting.
 *
 * By whole rows where there are some: five down, five up, and so on, those of one way at the same
 * time, each a band of W behind the one before (a wavefront: Lamport, Comm. ACM 17, 1974), which
 * changes nothing of what they do.  With the lower triangle alone, down and up by turns: entries
 * below the diagonal are read as they are met, those above have been summed up by the columns
 * before; the sums of a sweep up are those that the sweep down leaves.
 */
#ifndef SADDLE_SOLVERS_SWEEP_H
#define SADDLE_SOLVERS_SWEEP_H

#include "matrix/whole_rows.h"

/* A row whose diagonal entry is not the first of its column is left as it is. */
typedef struct saddle__sweep_rows {
    const saddle_matrix *W;           /* m x m, its lower triangle */
    const saddle__whole_rows *beside; /* W beside its diagonal; NULL = there are none */
    const double *added;              /* m: E */
    const double *lo;                 /* m */
    const double *hi;                 /* m */
    const double *q;                  /* m */
} saddle__sweep_rows;

/* count: sweeps each way.  lambda (m): within its bounds, in and out.  sum (m; not with whole
 * rows), inverse (m): workspace. */
void saddle__sweep(const saddle__sweep_rows *rows, int count, double *lambda, double *sum,
                   double *inverse);

#endif
