/* SPDX-License-Identifier: MIT */
/* See ray.h.  Parts of d that are small beside the largest, in natural units, or that point into a finite bound are left out;
 * then W y must be small beside |W||y|, and y'w < 0 well beyond what W y can account for. */
#include "ray.h"

#include <math.h>

static const double negligible = 1e-6; /* [-] */

static void clean(const saddle_problem *problem, const double *size, double *d)
{
    double largest = 0.0;
    for (int64_t i = 0; i < problem->m; i++) largest = fmax(largest, fabs(d[i]) * sqrt(size[i]));
    for (int64_t i = 0; i < problem->m; i++) {
        int into = d[i] > 0.0 ? isfinite(saddle_problem_hi(problem, i)) : isfinite(saddle_problem_lo(problem, i));
        if (into || fabs(d[i]) * sqrt(size[i]) <= negligible * largest) d[i] = 0.0;
    }
}

saddle__ray saddle__ray_find(const saddle_problem *problem, const saddle_matrix *W, const double *size, const double *w,
                             double *d, double *work)
{
    saddle__ray ray = {0};
    clean(problem, size, d);
    saddle_matrix_apply(W, 1.0, d, 0.0, work);
    double whole = 0.0;  /* |W^1/2||y| from above */
    double left = 0.0;   /* |W y| in natural units */
    double gain = 0.0;
    double weight = 0.0;
    for (int64_t i = 0; i < problem->m; i++) {
        double part = fabs(d[i]) * sqrt(size[i]);
        whole += part;
        left = fmax(left, fabs(work[i]) / sqrt(size[i]));
        gain += d[i] * w[i];
        if (d[i] == 0.0) continue;
        ray.rows++;
        ray.bounded |= saddle_problem_bound_kind(problem, i) != SADDLE_ROW_EQUALITY;
        if (part > weight) {
            weight = part;
            ray.first = i;
        }
    }
    saddle__ray none = {0};
    return left <= negligible * whole && gain < 0.0 ? ray : none;
}
