/* SPDX-License-Identifier: MIT */
/* Roots by the derivatives: between neighbouring roots of p' the polynomial is monotone, so that a
 * change of sign there holds exactly one root, found by Newton's iteration kept in its bracket by
 * bisection. */
#include "gauss_seidel/polynomial.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* |p| below this times sum |c| at a stationary point counts as a double root. */
#define DOUBLE_ROOT 1e-13

double saddle__polynomial_value(int degree, const double *c, double t)
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

void saddle__polynomial_add_product(double factor, int degree_a, const double *a, int degree_b,
                                    const double *b, double *c)
{
    for (int i = 0; i <= degree_a; i++)
        for (int j = 0; j <= degree_b; j++) c[i + j] += factor * a[i] * b[j];
}

int saddle__polynomial_newton(int degree, const double *c, double *t)
{
    double x = *t;
    for (int step = 0; step < 12; step++) {
        double change = -saddle__polynomial_value(degree, c, x) / slope(degree, c, x);
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
    double rising = saddle__polynomial_value(degree, c, a) < 0.0 ? 1.0 : -1.0;
    double x = 0.5 * (a + b);
    for (int step = 0; step < 120; step++) {
        double value = saddle__polynomial_value(degree, c, x);
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

/* Roots of p in [-1, 1] given the count roots of its derivative there. */
static int roots_between(int degree, const double *c, int count, const double *stationary,
                         double *root)
{
    int found = 0;
    double small = DOUBLE_ROOT * magnitude(degree, c);
    double a = -1.0;
    double at_a = saddle__polynomial_value(degree, c, a);
    for (int k = 0; k <= count; k++) {
        double b = k < count ? stationary[k] : 1.0;
        double at_b = saddle__polynomial_value(degree, c, b);
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
