/* SPDX-License-Identifier: MIT */
/* Sums of products in twice the working precision, for residuals b - A x with full cancellation.
 *
 *     a + b = high + low     TwoSum      high = fl(a + b)      (Knuth; Moller, BIT 5, 1965)
 *     a * b = high + low     TwoProduct  low = fma(a, b, -high)
 *
 * both exactly.  A sum with a separate low part is as accurate as one in 106 bits, rounded once
 * (Dot2; Ogita, Rump and Oishi, SIAM J. Sci. Comput. 26, 2005):
 *
 *     |high + low - sum| <= u |sum| + (count u)^2 sum |terms|,   u = 2^-53
 *
 * The bits do not depend on the machine: fma is exact with and without an instruction.
 * -ffast-math would turn these sums into plain ones, and is refused.
 */
#ifndef SADDLE_LIB_TWOFOLD_H
#define SADDLE_LIB_TWOFOLD_H

#include "saddle/matrix.h"

typedef struct saddle__twofold {
    double high, low; /* the sum is high + low */
    double modulus;   /* sum of |terms| */
} saddle__twofold;

static inline double saddle__twofold_value(saddle__twofold sum)
{
    return sum.high + sum.low;
}

/* y (count) <- b, NULL = zero. */
void saddle__twofold_set(int64_t count, const double *b, saddle__twofold *y);

/* y += side A x, both triangles of a symmetric A;  side: 1 or -1, x: cols, y: rows. */
void saddle__twofold_add(const saddle_matrix *A, double side, const double *x, saddle__twofold *y);

/* y += side_y A x and z += side_z A' u at once, A general;  x, z: cols, y, u: rows. */
void saddle__twofold_add_both(const saddle_matrix *A, double side_y, const double *x,
                              saddle__twofold *y, double side_z, const double *u,
                              saddle__twofold *z);

/* sum += side a'b */
void saddle__twofold_add_dot(int64_t count, double side, const double *a, const double *b,
                             saddle__twofold *sum);

#endif
