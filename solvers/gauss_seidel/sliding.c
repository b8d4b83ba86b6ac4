/* SPDX-License-Identifier: MIT */
/* Finds the sliding direction among the roots of the law's polynomial; see sliding.h. */
#include "gauss_seidel/sliding.h"

#include <math.h>

#include "gauss_seidel/polynomial.h"

const double saddle__sliding_c[3] = {1.0, 0.0, -1.0};
const double saddle__sliding_s[3] = {0.0, 2.0, 0.0};
const double saddle__sliding_e[3] = {1.0, 0.0, 1.0};

/* The frame's first tangent: the present impulse, else against the free velocity. */
static void choose_frame(const saddle__local *local, const double *lambda, double *first)
{
    double x = lambda[1];
    double y = lambda[2];
    if (x == 0.0 && y == 0.0) {
        x = -local->q[1];
        y = -local->q[2];
    }
    double length = hypot(x, y);
    int usable = length > 0.0 && isfinite(length);
    first[0] = usable ? x / length : 1.0;
    first[1] = usable ? y / length : 0.0;
}

/* Turns the tangents of local into the frame and scales W and q to entries of at most 1: the roots
 * do not change. */
static saddle__local turn(const saddle__local *local, const double *first)
{
    saddle__local turned = *local;
    double c = first[0];
    double s = first[1];
    double largest = 0.0;
    double fastest = 0.0;
    for (int i = 0; i < 3; i++) {
        turned.W[i][1] = c * local->W[i][1] + s * local->W[i][2];
        turned.W[i][2] = c * local->W[i][2] - s * local->W[i][1];
    }
    for (int j = 0; j < 3; j++) {
        double x = turned.W[1][j];
        double y = turned.W[2][j];
        turned.W[1][j] = c * x + s * y;
        turned.W[2][j] = c * y - s * x;
    }
    turned.q[1] = c * local->q[1] + s * local->q[2];
    turned.q[2] = c * local->q[2] - s * local->q[1];
    for (int i = 0; i < 3; i++) {
        fastest = fmax(fastest, fabs(turned.q[i]));
        for (int j = 0; j < 3; j++) largest = fmax(largest, fabs(turned.W[i][j]));
    }
    for (int i = 0; i < 3; i++) {
        turned.q[i] /= fastest > 0.0 ? fastest : 1.0;
        for (int j = 0; j < 3; j++) turned.W[i][j] /= largest > 0.0 ? largest : 1.0;
    }
    return turned;
}

/* t, or 1/t where mirrored, as a direction in the contact's own tangents. */
static int try_root(const saddle__local *local, const double *first, double t, int mirrored,
                    saddle__sliding_try *attempt, saddle__local_best *best)
{
    double e = 1.0 + t * t;
    double c = (mirrored ? t * t - 1.0 : 1.0 - t * t) / e;
    double s = 2.0 * t / e;
    double u[2] = {c * first[0] - s * first[1], c * first[1] + s * first[0]};

    return attempt(local, u, best);
}

void saddle__sliding(const saddle__local *local, const double *lambda, int degree,
                     saddle__sliding_polynomial *polynomial, saddle__sliding_try *attempt,
                     saddle__local_best *best)
{
    double p[SADDLE__DEGREE_MAX + 1] = {0.0};
    double first[2];
    choose_frame(local, lambda, first);
    saddle__local turned = turn(local, first);
    polynomial(&turned, p);

    double near = 0.0;
    if (saddle__polynomial_newton(degree, p, &near) &&
        try_root(local, first, near, 0, attempt, best))
        return;
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        double mirror[SADDLE__DEGREE_MAX + 1];
        double root[2 * SADDLE__DEGREE_MAX];
        for (int k = 0; k <= degree; k++) mirror[k] = mirrored ? p[degree - k] : p[k];
        int count = saddle__polynomial_roots(degree, mirror, root);
        for (int k = 0; k < count; k++)
            if (try_root(local, first, root[k], mirrored, attempt, best)) return;
    }
}
