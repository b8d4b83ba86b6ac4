/* SPDX-License-Identifier: MIT */
/* The sliding states of the two round cones: lambda = ln (1, mu u) with a unit direction u in the
 * tangent plane.
 *
 * In a frame whose first tangent is a direction near the expected one, u(t) = (1 - t^2, 2 t) / (1 +
 * t^2), and the law's condition across u becomes a polynomial p(t) = 0 of degree 4 (Coulomb) or 6
 * (associated).  t -> 1/t turns t beyond [-1, 1] into the mirrored polynomial, so all directions
 * are found in [-1, 1]. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "gauss_seidel/local.h"

/* ---- small real polynomials p(t) = sum_k c[k] t^k ---- */

/* |p| below DOUBLE_ROOT times sum |c| at a stationary point counts as a double root. */
#define DOUBLE_ROOT 1e-13

static double value_of(int degree, const double *c, double t)
{
    double sum = c[degree];
    for (int k = degree - 1; k >= 0; k--) sum = sum * t + c[k];
    return sum;
}

static double slope(int degree, const double *c, double t)
{
    double sum = 0.0;
    for (int k = degree; k >= 1; k--) sum = sum * t + k * c[k];
    return sum;
}

static double magnitude(int degree, const double *c)
{
    double sum = 0.0;
    for (int k = 0; k <= degree; k++) sum += fabs(c[k]);
    return sum;
}

/* c += factor a b;  c has degree (degree of a) + (degree of b). */
static void add_product(double factor, int degree_a, const double *a, int degree_b, const double *b,
                        double *c)
{
    for (int i = 0; i <= degree_a; i++)
        for (int j = 0; j <= degree_b; j++) c[i + j] += factor * a[i] * b[j];
}

/* Newton's iteration from *t; nonzero when it settled within [-1, 1]. */
static int newton_root(int degree, const double *c, double *t)
{
    double x = *t;
    for (int step = 0; step < 12; step++) {
        double change = -value_of(degree, c, x) / slope(degree, c, x);
        x += change;
        if (!(fabs(x) <= 1.0)) return 0;
        if (fabs(change) <= 4.0 * DBL_EPSILON * fmax(fabs(x), 1e-8)) {
            *t = x;
            return 1;
        }
    }
    return 0;
}

/* The root in [a, b] with p(a) p(b) <= 0. */
static double bracketed_root(int degree, const double *c, double a, double b)
{
    double rising = value_of(degree, c, a) < 0.0 ? 1.0 : -1.0;
    double x = 0.5 * (a + b);
    for (int step = 0; step < 120; step++) {
        double value = value_of(degree, c, x);
        if (rising * value < 0.0)
            a = x;
        else
            b = x;
        double next = x - value / slope(degree, c, x);
        if (value == 0.0 || fabs(next - x) <= DBL_EPSILON * fabs(x)) return x;
        x = next > a && next < b ? next : 0.5 * (a + b);
    }
    return x;
}

/* Roots of p in [-1, 1], given the count roots of the derivative. */
static int roots_between(int degree, const double *c, int count, const double *stationary,
                         double *root)
{
    int found = 0;
    double small = DOUBLE_ROOT * magnitude(degree, c);
    double a = -1.0;
    double at_a = value_of(degree, c, a);
    for (int k = 0; k <= count; k++) {
        double b = k < count ? stationary[k] : 1.0;
        double at_b = value_of(degree, c, b);
        if (at_a == 0.0 || at_a * at_b < 0.0)
            root[found++] = at_a == 0.0 ? a : bracketed_root(degree, c, a, b);
        else if (k < count && fabs(at_b) <= small && at_b != 0.0)
            root[found++] = b;
        a = b;
        at_a = at_b;
    }
    if (at_a == 0.0) root[found++] = a;
    return found;
}

/* Between neighbouring roots of the derivative the polynomial is monotone: a change of sign there
 * holds exactly one root. */
int saddle__polynomial_roots(int degree, const double *c, double *root)
{
    double derivative[SADDLE__DEGREE_MAX + 1][SADDLE__DEGREE_MAX + 1];
    double stationary[2 * SADDLE__DEGREE_MAX];
    int count = 0;
    memcpy(derivative[degree], c, (size_t)(degree + 1) * sizeof *c);
    for (int d = degree; d > 1; d--)
        for (int k = 1; k <= d; k++) derivative[d - 1][k - 1] = k * derivative[d][k];
    for (int d = 1; d <= degree; d++) {
        memcpy(stationary, root, (size_t)count * sizeof *root);
        count = roots_between(d, derivative[d], count, stationary, root);
    }
    return count;
}

/* ---- sliding ---- */

/* The quadratics of the half-angle: c = 1 - t^2 and s = 2 t over e = 1 + t^2. */
static const double cosine[3] = {1.0, 0.0, -1.0};
static const double sine[3] = {0.0, 2.0, 0.0};
static const double square[3] = {1.0, 0.0, 1.0};

/* The condition's polynomial, p[0 .. 6], from W and q in the frame and scaled to entries of at most
 * 1. */
typedef void law_polynomial(const saddle__local *local, double *p);

/* Considers the state that slides along the unit direction u. */
typedef int law_try(const saddle__local *local, const double *u, saddle__local_best *best);

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
                    law_try *attempt, saddle__local_best *best)
{
    double e = 1.0 + t * t;
    double c = (mirrored ? t * t - 1.0 : 1.0 - t * t) / e;
    double s = 2.0 * t / e;
    double u[2] = {c * first[0] - s * first[1], c * first[1] + s * first[0]};

    return attempt(local, u, best);
}

/* Tries the root nearest to the present direction, then every root. */
static void slide_along(const saddle__local *local, const double *lambda, int degree,
                        law_polynomial *polynomial, law_try *attempt, saddle__local_best *best)
{
    double p[SADDLE__DEGREE_MAX + 1] = {0.0};
    double first[2];
    choose_frame(local, lambda, first);
    saddle__local turned = turn(local, first);
    polynomial(&turned, p);

    double near = 0.0;
    if (newton_root(degree, p, &near) && try_root(local, first, near, 0, attempt, best)) return;
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        double mirror[SADDLE__DEGREE_MAX + 1];
        double root[2 * SADDLE__DEGREE_MAX];
        for (int k = 0; k <= degree; k++) mirror[k] = mirrored ? p[degree - k] : p[k];
        int count = saddle__polynomial_roots(degree, mirror, root);
        for (int k = 0; k < count; k++)
            if (try_root(local, first, root[k], mirrored, attempt, best)) return;
    }
}

/* ---- Coulomb's cone ---- */

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

/* Row i of W (1, mu u), times e. */
static void row_of_ray(const saddle__local *local, int i, double *row)
{
    for (int k = 0; k < 3; k++) {
        row[k] = local->W[i][0] * square[k] +
                 local->mu * (local->W[i][1] * cosine[k] + local->W[i][2] * sine[k]);
    }
}

static void coulomb_polynomial(const saddle__local *local, double *p)
{
    double normal[3];
    double tangent1[3];
    double tangent2[3];
    double free_across[3];
    row_of_ray(local, 0, normal);
    row_of_ray(local, 1, tangent1);
    row_of_ray(local, 2, tangent2);
    for (int k = 0; k < 3; k++) free_across[k] = cosine[k] * local->q[2] - sine[k] * local->q[1];
    add_product(-local->q[0], 2, cosine, 2, tangent2, p);
    add_product(local->q[0], 2, sine, 2, tangent1, p);
    add_product(1.0, 2, normal, 2, free_across, p);
}

static int slide_coulomb(const saddle__local *local, const double *u, saddle__local_best *best)
{
    double B[1][3] = {{1.0, local->mu * u[0], local->mu * u[1]}};
    double C[1][3] = {{1.0, 0.0, 0.0}};

    return saddle__local_try(local, 1, B, C, best);
}

void saddle__local_cone(const saddle__local *local, const double *lambda, saddle__local_best *best)
{
    if (!saddle__local_try_stick(local, best))
        slide_along(local, lambda, 4, coulomb_polynomial, slide_coulomb, best);
}

/* ---- the associated law ---- */

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

static void associated_polynomial(const saddle__local *local, double *p)
{
    const double *c = cosine;
    const double *s = sine;
    double ray[3][3];            /* W g, times e */
    double free_along[3];        /* g'q, times e */
    double free_across[3];       /* u' x qt, times e */
    double across[5] = {0.0};    /* u' x (W g)_t, times e^2 */
    double stiffness[5] = {0.0}; /* g'W g, times e^2 */
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            ray[i][k] = local->W[i][0] * square[k] +
                        local->mu * (local->W[i][1] * c[k] + local->W[i][2] * s[k]);
        }
        free_along[k] = local->q[0] * square[k] +
                        local->mu * (local->q[1] * c[k] + local->q[2] * s[k]);
        free_across[k] = c[k] * local->q[2] - s[k] * local->q[1];
    }
    add_product(1.0, 2, c, 2, ray[2], across);
    add_product(-1.0, 2, s, 2, ray[1], across);
    add_product(1.0, 2, square, 2, ray[0], stiffness);
    add_product(local->mu, 2, c, 2, ray[1], stiffness);
    add_product(local->mu, 2, s, 2, ray[2], stiffness);
    add_product(-1.0, 2, free_along, 4, across, p);
    add_product(1.0, 4, stiffness, 2, free_across, p);
}

static int slide_associated(const saddle__local *local, const double *u, saddle__local_best *best)
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
        slide_along(local, lambda, 6, associated_polynomial, slide_associated, best);
        return;
    }
    for (int k = 0; k < 2; k++) {
        double u[2] = {sides[k], 0.0};
        if (slide_associated(local, u, best)) return;
    }
}
