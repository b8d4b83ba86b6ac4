/* SPDX-License-Identifier: MIT */
/* The local problem of a row: w = a lambda + q with lo <= lambda <= hi, w = 0 inside, w >= 0 at lo,
 * w <= 0 at hi.
 *
 * For a > 0 the solution is the projection of -q / a on [lo, hi].  For a = 0 it is the bound that w
 * = q pushes to.  For a < 0 (an unsymmetric or indefinite matrix) a solution exists unless lo is
 * finite, w(lo) < 0 and hi is infinite. */
#include "gauss_seidel/local.h"

#include <math.h>

#include "problem/cone.h"

/* a <= 0: w falls or stays as lambda grows. */
static double solve_not_positive(double a, double q, double lo, double hi, double lambda)
{
    if (isfinite(lo) && a * lo + q >= 0.0) return lo;
    if (isfinite(hi) && a * hi + q <= 0.0) return hi;
    double inside = a < 0.0 ? -q / a : lambda;

    return inside >= lo && inside <= hi ? inside : lambda;
}

double saddle__local_row(double a, double q, double lo, double hi, double lambda)
{
    double next = a > 0.0 ? saddle__clamp(-q / a, lo, hi)
                          : solve_not_positive(a, q, lo, hi, lambda);

    return isfinite(next) ? next : lambda;
}
