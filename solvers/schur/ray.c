/* SPDX-License-Identifier: MIT */
/* See ray.h.  Parts of d that are small beside the largest, in natural units, or that point into a
 * finite bound are left out; what remains, y, has to be a ray to many digits: what W'y leaves is
 * less than 1e-9 of what W's diagonal would, and q'y more than 1e-6 of sum |q_i||y_i|, so that only
 * impulses beyond 1e3 times q over W'y's noise could make up for it. */
#include "ray.h"

#include <math.h>

static const double negligible = 1e-6; /* parts of d [-] */
static const double nothing = 1e-9;    /* W'y, in natural units over |y|'s [-] */
static const double something = 1e-6;  /* q'y over |q|'|y| [-] */

static void clean(int64_t m, const double *lo, const double *hi, const double *size, double *d)
{
    double largest = 0.0;
    for (int64_t i = 0; i < m; i++) largest = fmax(largest, fabs(d[i]) * sqrt(size[i]));
    for (int64_t i = 0; i < m; i++) {
        int into = d[i] > 0.0 ? isfinite(hi[i]) : isfinite(lo[i]);
        if (into || fabs(d[i]) * sqrt(size[i]) <= negligible * largest) d[i] = 0.0;
    }
}

saddle__ray saddle__ray_find(const saddle_matrix *W, const double *lo, const double *hi,
                             const double *size, const double *q, double *d, double *work)
{
    saddle__ray ray = {0};
    clean(W->cols, lo, hi, size, d);
    saddle_matrix_apply_transpose(W, 1.0, d, 0.0, work);
    double whole = 0.0; /* sum of |y_i| in natural units */
    double left = 0.0;  /* largest |W'y|_i in natural units */
    double gain = 0.0;
    double terms = 0.0;
    double heaviest = 0.0;
    for (int64_t i = 0; i < W->cols; i++) {
        double part = fabs(d[i]) * sqrt(size[i]);
        whole += part;
        left = fmax(left, fabs(work[i]) / sqrt(size[i]));
        gain += q[i] * d[i];
        terms += fabs(q[i] * d[i]);
        if (d[i] == 0.0) continue;
        ray.rows++;
        ray.bounded |= isfinite(lo[i]) || isfinite(hi[i]);
        if (part > heaviest) {
            heaviest = part;
            ray.first = i;
        }
    }
    saddle__ray none = {0};
    return left <= nothing * whole && gain < -something * terms ? ray : none;
}
