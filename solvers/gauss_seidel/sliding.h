/* SPDX-License-Identifier: MIT */
/* The sliding states of the two round cones: lambda = ln (1, mu u) with a unit direction u in the
 * tangent plane.
 *
 * In a frame whose first tangent is a direction near the expected one, u(t) = (1 - t^2, 2 t) / (1 +
 * t^2), and the law's condition across u becomes a polynomial p(t) = 0 of degree 4 (Coulomb) or 6
 * (associated).  t -> 1/t turns t beyond [-1, 1] into the mirrored polynomial, so all directions
 * are found in [-1, 1]. */
#ifndef SADDLE_GAUSS_SEIDEL_SLIDING_H
#define SADDLE_GAUSS_SEIDEL_SLIDING_H

#include "gauss_seidel/local.h"

/* The three quadratics of the half-angle: c = 1 - t^2 and s = 2 t over e = 1 + t^2. */
extern const double saddle__sliding_c[3];
extern const double saddle__sliding_s[3];
extern const double saddle__sliding_e[3];

/* The condition's polynomial, p[0 .. 6], from W and q in the frame and scaled to entries of at most
 * 1. */
typedef void saddle__sliding_polynomial(const saddle__local *local, double *p);

/* Considers the state that slides along the unit direction u. */
typedef int saddle__sliding_try(const saddle__local *local, const double *u,
                                saddle__local_best *best);

/* Tries the root nearest to the present direction, then every root. */
void saddle__sliding(const saddle__local *local, const double *lambda, int degree,
                     saddle__sliding_polynomial *polynomial, saddle__sliding_try *attempt,
                     saddle__local_best *best);

#endif
