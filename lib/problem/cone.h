/* SPDX-License-Identifier: MIT */
/* Projections onto the sets of the contact laws.  Pure functions of a few doubles, shared by checker and solvers. */
#ifndef SADDLE_LIB_CONE_H
#define SADDLE_LIB_CONE_H

#include "saddle/problem.h"

/* x[size] <- its projection on K = { |(x_1, ..)| <= mu x_0 }; size 2 or 3.  mu = 0 gives the half-line x_0 >= 0, x_t = 0. */
void saddle__project_cone(double mu, int64_t size, double *x);

/* t[2] <- its projection on radius * conv(d_1 .. d_facets), d_k = (cos 2 pi (k-1)/facets, sin ..): the pyramid's polygon,
 * vertices on the circle.  radius < 0 counts as 0. */
void saddle__project_polygon(double radius, int64_t facets, double *t);

/* min(max(x, lo), hi). */
double saddle__clamp(double x, double lo, double hi);

#endif
