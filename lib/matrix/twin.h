/* SPDX-License-Identifier: MIT */
/* Numbers of 106 bits as sums of two doubles, high + low, |low| at most half a unit in the last
 * place of high (Dekker, Numer. Math. 18, 1971; see twofold.h for sums of many terms).  The
 * relative error of an operation is a few 2^-104. */
#ifndef SADDLE_LIB_TWIN_H
#define SADDLE_LIB_TWIN_H

#include <math.h>

typedef struct saddle__twin {
    double high, low;
} saddle__twin;

static inline saddle__twin saddle__twin_sum(double a, double b)
{
    const double high = a + b, part = high - a;
    return (saddle__twin){high, (a - (high - part)) + (b - part)};
}

static inline saddle__twin saddle__twin_add(saddle__twin a, saddle__twin b)
{
    const saddle__twin high = saddle__twin_sum(a.high, b.high),
                       low = saddle__twin_sum(a.low, b.low);
    const saddle__twin sum = saddle__twin_sum(high.high, high.low + low.high);
    return saddle__twin_sum(sum.high, sum.low + low.low);
}

static inline saddle__twin saddle__twin_scale(saddle__twin a, double side)
{
    return (saddle__twin){side * a.high, side * a.low}; /* side: a power of two, or 1 and -1 */
}

static inline saddle__twin saddle__twin_product(saddle__twin a, saddle__twin b)
{
    const double high = a.high * b.high;
    return saddle__twin_sum(high, fma(a.high, b.high, -high) + (a.high * b.low + a.low * b.high));
}

static inline saddle__twin saddle__twin_of(double a)
{
    return (saddle__twin){a, 0.0};
}

/* One Newton step from the root in double precision. */
static inline saddle__twin saddle__twin_root(saddle__twin a)
{
    if (!(a.high > 0.0)) return saddle__twin_of(0.0);
    const saddle__twin root = saddle__twin_of(sqrt(a.high));
    const saddle__twin rest = saddle__twin_add(a,
                                               saddle__twin_scale(saddle__twin_product(root, root),
                                                                  -1.0));
    return saddle__twin_sum(root.high, 0.5 * rest.high / root.high);
}

#endif
