/* SPDX-License-Identifier: MIT */
/* The local problems of Gauss-Seidel: one row or one contact with all other impulses held.
 *
 *     w = W lambda + q    W  size x size  block of the Delassus operator, nearly symmetric, perhaps
 *                                         semidefinite
 *                         q  size         the part of the other impulses and of b [as w]
 *
 * and the law between w and lambda.  Laws of polygons and boxes, and of cones of 2 or 3 rows, are
 * solved exactly: the solution lies in one of finitely many states, in each of which lambda = B y
 * with as many equations C'w = 0 as unknowns y,
 *
 *     (C'W B) y = -C'q,     off: no y   stick: B = C = I   slide in direction u: B = (1, mu u), ...
 *
 * so that the states are tried in turn, the present one first, and judged by the natural map of the
 * law.  Cones with torsion or rolling are solved by damped Newton steps on that map, after sticking
 * has been tried.
 */
#ifndef SADDLE_GAUSS_SEIDEL_LOCAL_H
#define SADDLE_GAUSS_SEIDEL_LOCAL_H

#include "problem/cone.h"

typedef struct saddle__local {
    saddle_law law;
    int64_t size;                                       /* 2 .. 6 */
    int64_t facets;                                     /* of a pyramid in space */
    saddle__cone cone;                                  /* with weights of 1 */
    double W[SADDLE_CONTACT_ROWS][SADDLE_CONTACT_ROWS]; /* leading size x size */
    double q[SADDLE_CONTACT_ROWS];
    int quick; /* 1: few projection steps where Newton's steps fail; for a sweep among many */
} saddle__local;

/* A row: w = a lambda + q, lo <= lambda <= hi.  lambda: the present value, kept where no value
 * solves the row (a = 0 and no finite bound where w pushes). */
double saddle__local_row(double a, double q, double lo, double hi, double lambda);

/* A contact: lambda holds the present value on entry and the solution on return.  Returns its
 * error; never NaN as long as W and q are finite.  Where no state solves the problem (none need
 * exist when W is not positive), the least error found. */
double saddle__local_contact(const saddle__local *local, double *lambda);

#define SADDLE__DEGREE_MAX 6

/* All roots of sum_k c[k] t^k in [-1, 1], ascending, with the stationary points where the
 * polynomial vanishes to rounding (double roots).  root: 2 degree doubles.  Returns their number.
 */
int saddle__polynomial_roots(int degree, const double *c, double *root);

#endif
