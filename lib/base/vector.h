/* SPDX-License-Identifier: MIT */
/* Maximum, minimum and tests of numbers and arrays. */
#ifndef SADDLE_LIB_VECTOR_H
#define SADDLE_LIB_VECTOR_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define SADDLE__PI 3.14159265358979323846

/* The larger of a and b, b if one is NaN.  fmax treats NaN otherwise, by a call or a branch. */
static inline double saddle__larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double saddle__smaller(double a, double b)
{
    return a < b ? a : b;
}

/* min(max(x, lo), hi), lo if x is NaN; in two instructions without a branch. */
static inline double saddle__clamp(double x, double lo, double hi)
{
    double least = x > lo ? x : lo;
    return least < hi ? least : hi;
}

/* max |x_i|, of four maxima side by side; 0 without an x.  NaN is passed over. */
static inline double saddle__largest(const double *x, int64_t count)
{
    double most[4] = {0.0, 0.0, 0.0, 0.0};
    int64_t i = 0;
    for (; x && i + 4 <= count; i += 4)
        for (int k = 0; k < 4; k++) most[k] = saddle__larger(fabs(x[i + k]), most[k]);
    for (; x && i < count; i++) most[0] = saddle__larger(fabs(x[i]), most[0]);
    return saddle__larger(saddle__larger(most[0], most[1]), saddle__larger(most[2], most[3]));
}

/* to <- from; count = 0 is fine, with any arrays. */
static inline void saddle__copy(double *to, const double *from, int64_t count)
{
    if (count > 0) memcpy(to, from, (size_t)count * sizeof *to);
}

/* count = 0 is fine, with any array. */
static inline void saddle__zero(double *x, int64_t count)
{
    if (count > 0) memset(x, 0, (size_t)count * sizeof *x);
}

/* 1: all entries are zero; also of an empty array. */
static inline int saddle__is_zero(const double *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (x[i] != 0.0) return 0;
    return 1;
}

/* 1: all entries are finite; also of an empty array.  0 x is zero for finite x, otherwise NaN; four
 * sums side by side. */
static inline int saddle__is_finite(const double *x, int64_t count)
{
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    int64_t k = 0;
    for (; k + 4 <= count; k += 4)
        for (int i = 0; i < 4; i++) sum[i] += 0.0 * x[k + i];
    for (; k < count; k++) sum[0] += 0.0 * x[k];
    return sum[0] + sum[1] + sum[2] + sum[3] == 0.0;
}

/* A row's part in the componentwise backward error of a system: residual r >= 0 over the moduli s
 * of the terms; over s + t where s is at the rounding of t, the moduli with the largest unknown
 * throughout (Arioli, Demmel and Duff, SIAM J. Matrix Anal. Appl. 10, 1989). */
static inline double saddle__backward_share(double r, double s, double t, int64_t unknowns)
{
    return r / (s > 1000.0 * (double)unknowns * DBL_EPSILON * t ? s : s + t);
}

static inline int saddle__ascending_index(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts index (count) in ascending order; count = 0 is fine, with any index. */
static inline void saddle__sort_indices(int64_t count, int64_t *index)
{
    if (count > 1) qsort(index, (size_t)count, sizeof *index, saddle__ascending_index);
}

#endif
