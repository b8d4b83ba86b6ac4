/* SPDX-License-Identifier: MIT */
/* The local problem of a contact with the associated law: the second-order cone complementarity
 *
 *     K* contains w _|_ lambda in K,    K = {|lt| <= mu ln},    K* = {wn >= mu |wt|}
 *
 * which for a positive semidefinite W is the convex program min lambda'W lambda / 2 + q'lambda over
 * K (Anitescu and Hart 2004). States: stick (w = 0), and sliding along u with g = (1, mu u): lambda
 * = ln g, w = kappa (mu, -u), so that g'w = 0 gives
 *
 *     ln = -g'q / g'W g,                 and wt parallel to u:   u' x wt = 0,
 *
 * multiplied by that denominator:   -(g'q) u' x (W g)_t + (g'W g) (u' x qt) = 0   (degree 6 in
 * t). */
#include "gauss_seidel/polynomial.h"
#include "gauss_seidel/sliding.h"

static void polynomial(const saddle__local *local, double *p)
{
    const double *c = saddle__sliding_c;
    const double *s = saddle__sliding_s;
    double ray[3][3];            /* W g, times e */
    double free_along[3];        /* g'q, times e */
    double free_across[3];       /* u' x qt, times e */
    double across[5] = {0.0};    /* u' x (W g)_t, times e^2 */
    double stiffness[5] = {0.0}; /* g'W g, times e^2 */
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            ray[i][k] = local->W[i][0] * saddle__sliding_e[k] +
                        local->mu * (local->W[i][1] * c[k] + local->W[i][2] * s[k]);
        }
        free_along[k] = local->q[0] * saddle__sliding_e[k] +
                        local->mu * (local->q[1] * c[k] + local->q[2] * s[k]);
        free_across[k] = c[k] * local->q[2] - s[k] * local->q[1];
    }
    saddle__polynomial_add_product(1.0, 2, c, 2, ray[2], across);
    saddle__polynomial_add_product(-1.0, 2, s, 2, ray[1], across);
    saddle__polynomial_add_product(1.0, 2, saddle__sliding_e, 2, ray[0], stiffness);
    saddle__polynomial_add_product(local->mu, 2, c, 2, ray[1], stiffness);
    saddle__polynomial_add_product(local->mu, 2, s, 2, ray[2], stiffness);
    saddle__polynomial_add_product(-1.0, 2, free_along, 4, across, p);
    saddle__polynomial_add_product(1.0, 4, stiffness, 2, free_across, p);
}

static int slide(const saddle__local *local, const double *u, saddle__local_best *best)
{
    double g[1][3] = {{1.0, local->mu * u[0], local->mu * u[1]}};

    return saddle__local_try(local, 1, g, g, best);
}

void saddle__local_associated(const saddle__local *local, const double *lambda,
                              saddle__local_best *best)
{
    static const double sides[2] = {1.0, -1.0};
    if (saddle__local_try_stick(local, best)) return;
    if (local->size == 3 && local->mu > 0.0) {
        saddle__sliding(local, lambda, 6, polynomial, slide, best);
        return;
    }
    for (int k = 0; k < 2; k++) {
        double u[2] = {sides[k], 0.0};
        if (slide(local, u, best)) return;
    }
}
