/* SPDX-License-Identifier: MIT */
/* What many ask of numbers, and of arrays of them. */
#ifndef SADDLE_LIB_VECTOR_H
#define SADDLE_LIB_VECTOR_H

#include <stdint.h>

/* b where one of them is no number: a branch or a call is what fmax costs. */
static inline double saddle__larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double saddle__smaller(double a, double b)
{
    return a < b ? a : b;
}

/* Whether all are zero, of none too. */
static inline int saddle__is_zero(const double *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (x[i] != 0.0) return 0;
    return 1;
}

/* Whether all are finite, of none too: 0 x is zero for finite x and else not a number; four sums
 * side by side. */
static inline int saddle__is_finite(const double *x, int64_t count)
{
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    int64_t k = 0;
    for (; k + 4 <= count; k += 4)
        for (int i = 0; i < 4; i++) sum[i] += 0.0 * x[k + i];
    for (; k < count; k++) sum[0] += 0.0 * x[k];
    return sum[0] + sum[1] + sum[2] + sum[3] == 0.0;
}

#endif
