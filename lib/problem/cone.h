/* SPDX-License-Identifier: MIT */
/* Projections onto the sets of the contact laws: functions of a few doubles, for the checker and
 * the solvers. */
#ifndef SADDLE_LIB_CONE_H
#define SADDLE_LIB_CONE_H

#include <math.h>

#include "saddle/problem.h"

/* x[size] <- its projection on K = { |(x_1, ..)| <= mu x_0 }; size 2 or 3.  mu = 0 gives the
 * half-line x_0 >= 0, x_t = 0. */
void saddle__project_cone(double mu, int64_t size, double *x);

/* t[2] <- its projection on radius * conv(d_1 .. d_facets), d_k = (cos 2 pi (k-1)/facets, sin ..):
 * the pyramid's polygon, vertices on the circle.  radius < 0 counts as 0. */
void saddle__project_polygon(double radius, int64_t facets, double *t);

/* x[size], of a contact <- its projection on the cone of the law; of a pyramid or box x_0 alone is
 * brought to x_0 >= 0, then the tangents within mu x_0. */
void saddle__project_law(saddle_law law, int64_t size, int64_t facets, double mu, double *x);

/* sqrt(a^2 + b^2), by hypot only where a square could over- or underflow. */
static inline double saddle__length(double a, double b)
{
    double squares = a * a + b * b;
    if ((squares > 1e-290 && squares < 1e290) || (a == 0.0 && b == 0.0)) return sqrt(squares);
    return hypot(a, b);
}

/* min(max(x, lo), hi), in two instructions without a branch. */
static inline double saddle__clamp(double x, double lo, double hi)
{
    double least = x > lo ? x : lo;
    return least < hi ? least : hi;
}

#endif
