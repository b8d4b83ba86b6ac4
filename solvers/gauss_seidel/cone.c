/* SPDX-License-Identifier: MIT */
/* The local problem of a contact with Coulomb's cone in space:
 *
 *     0 <= ln _|_ wn >= 0,
 *         |lt| <= mu ln,  wt = -kappa lt, kappa >= 0, kappa = 0 where |lt| < mu ln
 *
 * States with wn = 0: stick (wt = 0), and sliding along u: lambda = ln (1, mu u), wn = 0 gives
 *
 *     ln = -qn / (Wnn + mu Wnt u),        and wt parallel to u:   u' x wt = 0,
 *
 * multiplied by that denominator:   -qn u' x (Wtn + mu Wtt u) + (Wnn + mu Wnt u) (u' x qt) = 0
 *     (degree 4 in t). */
#include "gauss_seidel/polynomial.h"
#include "gauss_seidel/sliding.h"

/* Row i of W (1, mu u), times e. */
static void row_of_ray(const saddle__local *local, int i, double *row)
{
    for (int k = 0; k < 3; k++) {
        row[k] = local->W[i][0] * saddle__sliding_e[k] +
                 local->mu * (local->W[i][1] * saddle__sliding_c[k] +
                              local->W[i][2] * saddle__sliding_s[k]);
    }
}

static void polynomial(const saddle__local *local, double *p)
{
    double normal[3];
    double tangent1[3];
    double tangent2[3];
    double free_across[3];
    row_of_ray(local, 0, normal);
    row_of_ray(local, 1, tangent1);
    row_of_ray(local, 2, tangent2);
    for (int k = 0; k < 3; k++)
        free_across[k] = saddle__sliding_c[k] * local->q[2] - saddle__sliding_s[k] * local->q[1];
    saddle__polynomial_add_product(-local->q[0], 2, saddle__sliding_c, 2, tangent2, p);
    saddle__polynomial_add_product(local->q[0], 2, saddle__sliding_s, 2, tangent1, p);
    saddle__polynomial_add_product(1.0, 2, normal, 2, free_across, p);
}

static int slide(const saddle__local *local, const double *u, saddle__local_best *best)
{
    double B[1][3] = {{1.0, local->mu * u[0], local->mu * u[1]}};
    double C[1][3] = {{1.0, 0.0, 0.0}};

    return saddle__local_try(local, 1, B, C, best);
}

void saddle__local_cone(const saddle__local *local, const double *lambda, saddle__local_best *best)
{
    if (local->size == 2 || local->mu == 0.0) {
        saddle__local_box(local, lambda, best);
        return;
    }
    if (!saddle__local_try_stick(local, best))
        saddle__sliding(local, lambda, 4, polynomial, slide, best);
}
