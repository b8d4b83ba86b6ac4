/* SPDX-License-Identifier: MIT */
/* What many ask of arrays of numbers. */
#ifndef SADDLE_LIB_VECTOR_H
#define SADDLE_LIB_VECTOR_H

#include <stdint.h>

/* Whether all are zero, of none too. */
static inline int saddle__is_zero(const double *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (x[i] != 0.0) return 0;
    return 1;
}

#endif
