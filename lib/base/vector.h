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

#endif
