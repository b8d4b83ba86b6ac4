/* SPDX-License-Identifier: MIT */
/* Small real polynomials p(t) = sum_k c[k] t^k and all their roots in [-1, 1]. */
#ifndef SADDLE_GAUSS_SEIDEL_POLYNOMIAL_H
#define SADDLE_GAUSS_SEIDEL_POLYNOMIAL_H

#define SADDLE__DEGREE_MAX 6

double saddle__polynomial_value(int degree, const double *c, double t);

/* c += factor a b;  c has degree (degree of a) + (degree of b). */
void saddle__polynomial_add_product(double factor, int degree_a, const double *a, int degree_b,
                                    const double *b, double *c);

/* Newton's iteration from *t; nonzero when it settled within [-1, 1]. */
int saddle__polynomial_newton(int degree, const double *c, double *t);

/* All roots in [-1, 1], ascending, with the stationary points where p vanishes to rounding (double
 * roots). root: 2 degree doubles.  Returns their number. */
int saddle__polynomial_roots(int degree, const double *c, double *root);

#endif
