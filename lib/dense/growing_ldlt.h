/* SPDX-License-Identifier: MIT */
/* A small quasi-definite T = L D L' that grows by a row at a time, without pivoting, in the order
 * in which rows come (Vanderbei, SIAM J. Optim. 5, 1995: any order will do).  L by rows, leading
 * dimension ld, below its unit diagonal; pivot: D. */
#ifndef SADDLE_LIB_GROWING_LDLT_H
#define SADDLE_LIB_GROWING_LDLT_H

#include <stdint.h>

/* Row `count` of L from the same row of T, stored there on entry, and T's diagonal entry.
 * Returns the pivot, which is not stored. */
static inline double saddle__growing_ldlt_row(double *L, int64_t ld, const double *pivot,
                                              int64_t count, double diagonal)
{
    double *l = L + count * ld;
    for (int64_t j = 0; j < count; j++) {
        const double *above = L + j * ld;
        double x = l[j];
        for (int64_t k = 0; k < j; k++) x -= above[k] * l[k];
        l[j] = x;
    }
    for (int64_t j = 0; j < count; j++) {
        double x = l[j];
        l[j] = x / pivot[j];
        diagonal -= x * l[j];
    }
    return diagonal;
}

/* y (count) <- T^-1 y */
static inline void saddle__growing_ldlt_solve(const double *L, int64_t ld, const double *pivot,
                                              int64_t count, double *y)
{
    for (int64_t i = 0; i < count; i++)
        for (int64_t j = 0; j < i; j++) y[i] -= L[i * ld + j] * y[j];
    for (int64_t i = 0; i < count; i++) y[i] /= pivot[i];
    for (int64_t i = count - 1; i >= 0; i--)
        for (int64_t j = 0; j < i; j++) y[j] -= L[i * ld + j] * y[i];
}

#endif
