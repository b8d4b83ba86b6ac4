/* SPDX-License-Identifier: MIT */
/* The local problems of Gauss-Seidel: one row or one contact with all other impulses held.
 *
 *     w = W lambda + q
 *         W  size x size  block of the Delassus operator, nearly symmetric, perhaps semidefinite
 *                             q  size         what the other impulses and b leave [as w]
 *
 * and the law between w and lambda.  Every law is solved exactly: its solution lies in one of
 * finitely many states, in each of which lambda = B y with as many equations C'w = 0 as unknowns y,
 *
 *     (C'W B) y = -C'q,     off: no y   stick: B = C = I   slide in direction u: B = (1, mu u), ...
 *
 * so that the states are tried in turn, the present one first, and judged by the natural map of the
 * law.
 */
#ifndef SADDLE_GAUSS_SEIDEL_LOCAL_H
#define SADDLE_GAUSS_SEIDEL_LOCAL_H

#include "saddle/problem.h"

typedef struct saddle__local {
    saddle_law law;
    int64_t size;   /* 2 or 3 */
    int64_t facets; /* of a pyramid in space */
    double mu;      /* friction coefficient [-] */
    double W[3][3]; /* leading size x size */
    double q[3];
} saddle__local;

/* A state with an error below SADDLE__LOCAL_EXACT is taken without trying further states [-]. */
#define SADDLE__LOCAL_EXACT 1e-13

/* The best answer found so far. */
typedef struct saddle__local_best {
    double error; /* |lambda - P(lambda - rho s)| / (rho scale), the natural map of the law as in
                     saddle/residual.h, scale = | |W||lambda| + |q| |, in maximum norms */
    double lambda[3];
} saddle__local_best;

/* A row: w = a lambda + q, lo <= lambda <= hi.  lambda: the present value, kept where no value
 * solves the row (a = 0 and no finite bound where w pushes). */
double saddle__local_row(double a, double q, double lo, double hi, double lambda);

/* A contact: lambda holds the present value on entry and the solution on return.  Returns its
 * error; never NaN as long as W and q are finite.  Where no state solves the problem (none need
 * exist when W is not positive), the least error found. */
double saddle__local_contact(const saddle__local *local, double *lambda);

/* The round cones, Coulomb's in space with mu > 0: keep the states with the least error in best. */
void saddle__local_cone(const saddle__local *local, const double *lambda, saddle__local_best *best);
void saddle__local_associated(const saddle__local *local, const double *lambda,
                              saddle__local_best *best);

/* lambda <- a nearby point of the law's set: ln >= 0 and the tangents within mu ln. */
void saddle__local_project(saddle_law law, int64_t size, int64_t facets, double mu, double *lambda);

/* Solves (C'W B) y = -C'q by elimination with complete pivoting (vanishing pivots give y = 0) and
 * considers B y. B, C: count columns of 3. */
int saddle__local_try(const saddle__local *local, int count, double (*B)[3], double (*C)[3],
                      saddle__local_best *best);

/* The state without sliding: w = 0. */
int saddle__local_try_stick(const saddle__local *local, saddle__local_best *best);

#define SADDLE__DEGREE_MAX 6

/* All roots of sum_k c[k] t^k in [-1, 1], ascending, with the stationary points where the
 * polynomial vanishes to rounding (double roots).  root: 2 degree doubles.  Returns their number.
 */
int saddle__polynomial_roots(int degree, const double *c, double *root);

#endif
