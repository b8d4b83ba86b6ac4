/* SPDX-License-Identifier: MIT */
/* The local problems of rows, round cones, boxes and pyramids, and the parts shared by all contact
 * laws: the natural map as error of a candidate, the solve within a state, and projection steps
 * where no state fits. */
#include "gauss_seidel/local.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/tolerances.h"
#include "base/vector.h"
#include "problem/cone.h"

/* Projection steps where no state solves the local problem. */
#define PROJECTION_STEPS 8

/* ---- a row ---- */

/* The local problem of a row: w = a lambda + q with lo <= lambda <= hi, w = 0 inside, w >= 0 at lo,
 * w <= 0 at hi.
 *
 * For a > 0 the solution is the projection of -q / a on [lo, hi].  For a = 0 it is the bound that w
 * = q pushes to.  For a < 0 (an unsymmetric or indefinite matrix) a solution exists unless lo is
 * finite, w(lo) < 0 and hi is infinite. */

/* a <= 0: w falls or stays as lambda grows. */
static double solve_not_positive(double a, double q, double lo, double hi, double lambda)
{
    if (isfinite(lo) && a * lo + q >= 0.0) return lo;
    if (isfinite(hi) && a * hi + q <= 0.0) return hi;
    double inside = a < 0.0 ? -q / a : lambda;

    return inside >= lo && inside <= hi ? inside : lambda;
}

double saddle__local_row(double a, double q, double lo, double hi, double lambda)
{
    double next = a > 0.0 ? saddle__clamp(-q / a, lo, hi)
                          : solve_not_positive(a, q, lo, hi, lambda);

    return isfinite(next) ? next : lambda;
}

/* ---- all contact laws ---- */

/* The right side of the natural map: P(lambda - rho s).  For box and pyramid the tangents' set
 * follows from lambda itself. */
static void natural_step(const saddle__local *local, const double *lambda, const double *w,
                         double rho, double *next)
{
    for (int64_t i = 0; i < local->size; i++) next[i] = lambda[i] - rho * w[i];
    if (local->law == SADDLE_LAW_CONE || local->law == SADDLE_LAW_ASSOCIATED) {
        if (local->law == SADDLE_LAW_CONE)
            next[0] -= rho * local->mu * (local->size == 3 ? hypot(w[1], w[2]) : fabs(w[1]));
        saddle__project_cone(local->mu, local->size, next);
        return;
    }
    double normal = fmax(next[0], 0.0);
    next[0] = fmax(lambda[0], 0.0);
    saddle__project_law(local->law, local->size, local->facets, local->mu, next);
    next[0] = normal;
}

/* w = W lambda + q; returns the largest entry of |W||lambda| + |q|. */
static double row_velocity(const saddle__local *local, const double *lambda, double *w)
{
    double scale = 0.0;
    for (int64_t i = 0; i < local->size; i++) {
        double sum = local->q[i];
        double moduli = fabs(local->q[i]);
        for (int64_t j = 0; j < local->size; j++) {
            sum += local->W[i][j] * lambda[j];
            moduli += fabs(local->W[i][j] * lambda[j]);
        }
        w[i] = sum;
        scale = fmax(scale, moduli);
    }
    return scale;
}

/* 1 / the largest diagonal entry; 1 / the largest entry where no diagonal entry is positive; 1 for
 * W = 0. */
static double step_length(const saddle__local *local)
{
    double diagonal = 0.0;
    double entry = 0.0;
    for (int64_t i = 0; i < local->size; i++) {
        diagonal = fmax(diagonal, local->W[i][i]);
        for (int64_t j = 0; j < local->size; j++) entry = fmax(entry, fabs(local->W[i][j]));
    }
    double largest = diagonal > 0.0 ? diagonal : entry;

    return largest > 0.0 ? 1.0 / largest : 1.0;
}

/* |lambda - P(lambda - rho s)| / (rho scale), the natural map of the law as in saddle/residual.h
 * with scale = | |W||lambda| + |q| |, in maximum norms; INFINITY for a lambda that is not
 * finite. */
static double error_of(const saddle__local *local, const double *lambda)
{
    double w[3];
    double next[3];
    double rho = step_length(local);
    double scale = row_velocity(local, lambda, w);
    natural_step(local, lambda, w, rho, next);

    double error = 0.0;
    for (int64_t i = 0; i < local->size; i++) {
        if (!isfinite(lambda[i]) || !isfinite(next[i])) return INFINITY;
        error = fmax(error, fabs(lambda[i] - next[i]));
    }
    error = error > 0.0 ? error / (rho * scale) : 0.0;

    return isfinite(error) ? error : INFINITY;
}

/* The best answer found so far. */
typedef struct local_best {
    double error; /* as of error_of */
    double lambda[3];
} local_best;

/* Keeps lambda where its error is less than the best so far; nonzero when that is good enough to
 * stop. */
static int consider(const saddle__local *local, const double *lambda, local_best *best)
{
    double error = error_of(local, lambda);
    if (error < best->error) {
        best->error = error;
        memcpy(best->lambda, lambda, (size_t)local->size * sizeof *lambda);
    }
    return best->error <= SADDLE__PRODUCT_ROUNDING;
}

/* ---- a state ---- */

static void swap(double *a, double *b)
{
    double t = *a;
    *a = *b;
    *b = t;
}

/* Moves the largest entry of A[k.., k..] to the pivot; returns its modulus. */
static double bring_pivot(int count, double (*A)[3], double *rhs, int *order, int k)
{
    int row = k;
    int col = k;
    for (int i = k; i < count; i++) {
        for (int j = k; j < count; j++) {
            if (fabs(A[i][j]) > fabs(A[row][col])) {
                row = i;
                col = j;
            }
        }
    }
    for (int j = 0; j < count; j++) swap(&A[k][j], &A[row][j]);
    swap(&rhs[k], &rhs[row]);
    for (int i = 0; i < count; i++) swap(&A[i][k], &A[i][col]);
    int t = order[k];
    order[k] = order[col];
    order[col] = t;

    return fabs(A[k][k]);
}

/* A y = rhs with complete pivoting; unknowns behind a vanishing pivot are 0. */
static void solve_dense(int count, double (*A)[3], double *rhs, double *y)
{
    int order[3] = {0, 1, 2};
    int rank = 0;
    double first = 0.0;
    for (int k = 0; k < count; k++) {
        double pivot = bring_pivot(count, A, rhs, order, k);
        first = k == 0 ? pivot : first;
        if (!(pivot > SADDLE__VANISHED_PIVOT * first)) break;
        rank = k + 1;
        for (int i = k + 1; i < count; i++) {
            double factor = A[i][k] / A[k][k];
            for (int j = k; j < count; j++) A[i][j] -= factor * A[k][j];
            rhs[i] -= factor * rhs[k];
        }
    }
    for (int k = count - 1; k >= 0; k--) {
        double sum = k < rank ? rhs[k] : 0.0;
        for (int j = k + 1; j < rank; j++) sum -= A[k][j] * y[order[j]];
        y[order[k]] = k < rank ? sum / A[k][k] : 0.0;
    }
}

/* Solves (C'W B) y = -C'q by elimination with complete pivoting (vanishing pivots give y = 0) and
 * considers B y. B, C: count columns of 3. */
static int try_state(const saddle__local *local, int count, double (*B)[3], double (*C)[3],
                     local_best *best)
{
    double A[3][3] = {{0.0}};
    double rhs[3] = {0.0};
    double y[3] = {0.0};
    double lambda[3] = {0.0};
    for (int r = 0; r < count; r++) {
        for (int64_t i = 0; i < local->size; i++) {
            rhs[r] -= C[r][i] * local->q[i];
            for (int c = 0; c < count; c++)
                for (int64_t j = 0; j < local->size; j++)
                    A[r][c] += C[r][i] * local->W[i][j] * B[c][j];
        }
    }
    solve_dense(count, A, rhs, y);
    for (int c = 0; c < count; c++)
        for (int64_t i = 0; i < local->size; i++) lambda[i] += B[c][i] * y[c];
    return consider(local, lambda, best);
}

/* The state without sliding: w = 0. */
static int try_stick(const saddle__local *local, local_best *best)
{
    double unit[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

    return try_state(local, (int)local->size, unit, unit, best);
}

/* The sliding states of the two round cones: lambda = ln (1, mu u) with a unit direction u in the
 * tangent plane.
 *
 * In a frame whose first tangent is a direction near the expected one, u(t) = (1 - t^2, 2 t) / (1 +
 * t^2), and the law's condition across u becomes a polynomial p(t) = 0 of degree 4 (Coulomb) or 6
 * (associated).  t -> 1/t turns t beyond [-1, 1] into the mirrored polynomial, so all directions
 * are found in [-1, 1]. */

/* ---- small real polynomials p(t) = sum_k c[k] t^k ---- */

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
        double rise = slope(degree, c, x);
        if (rise == 0.0) return 0;
        double change = -value_of(degree, c, x) / rise;
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
        double rise = slope(degree, c, x);
        double next = rise != 0.0 ? x - value / rise : a;
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
    double small = SADDLE__PRODUCT_ROUNDING * magnitude(degree, c);
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
typedef int law_try(const saddle__local *local, const double *u, local_best *best);

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
                    law_try *attempt, local_best *best)
{
    double e = 1.0 + t * t;
    double c = (mirrored ? t * t - 1.0 : 1.0 - t * t) / e;
    double s = 2.0 * t / e;
    double u[2] = {c * first[0] - s * first[1], c * first[1] + s * first[0]};

    return attempt(local, u, best);
}

/* Tries the root nearest to the present direction, then every root. */
static void slide_along(const saddle__local *local, const double *lambda, int degree,
                        law_polynomial *polynomial, law_try *attempt, local_best *best)
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

static int slide_coulomb(const saddle__local *local, const double *u, local_best *best)
{
    double B[1][3] = {{1.0, local->mu * u[0], local->mu * u[1]}};
    double C[1][3] = {{1.0, 0.0, 0.0}};

    return try_state(local, 1, B, C, best);
}

static void solve_cone(const saddle__local *local, const double *lambda, local_best *best)
{
    if (!try_stick(local, best))
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

static int slide_associated(const saddle__local *local, const double *u, local_best *best)
{
    double g[1][3] = {{1.0, local->mu * u[0], local->mu * u[1]}};

    return try_state(local, 1, g, g, best);
}

static void solve_associated(const saddle__local *local, const double *lambda, local_best *best)
{
    static const double sides[2] = {1.0, -1.0};
    if (try_stick(local, best)) return;
    if (local->size == 3 && local->mu > 0.0) {
        slide_along(local, lambda, 6, associated_polynomial, slide_associated, best);
        return;
    }
    for (int k = 0; k < 2; k++) {
        double u[2] = {sides[k], 0.0};
        if (slide_associated(local, u, best)) return;
    }
}

/* ---- boxes ---- */

/* The local problem of a contact with the box law, and of every plane contact (where box, pyramid
 * and cone are the same):
 *
 *     0 <= ln _|_ wn >= 0,   -mu ln <= lt <= mu ln,
 *         wt = 0 inside, wt >= 0 at the lower, wt <= 0 at the upper bound
 *
 * States: each tangent below (lt = -mu ln), within (wt = 0) or above (lt = mu ln), with wn = 0: 3
 * in the plane, 9 in space. */

/* The state in which tangent i has side[i] = -1, 0 or +1. */
static int try_sides(const saddle__local *local, const int *side, local_best *best)
{
    double B[3][3] = {{1.0, 0.0, 0.0}};
    double C[3][3] = {{1.0, 0.0, 0.0}};
    int count = 1;
    for (int64_t i = 1; i < local->size; i++) {
        B[0][i] = side[i] * local->mu;
        if (side[i] == 0) {
            B[count][i] = 1.0;
            C[count][i] = 1.0;
            count++;
        }
    }
    return try_state(local, count, B, C, best);
}

static int present_side(const saddle__local *local, const double *lambda, int64_t i)
{
    double bound = local->mu * lambda[0];
    if (!(lambda[0] > 0.0)) return 0;
    return lambda[i] >= bound ? 1 : lambda[i] <= -bound ? -1 : 0;
}

static void solve_box(const saddle__local *local, const double *lambda, local_best *best)
{
    static const int sides[9][3] = {{0, 0, 0}, {0, 1, 0},  {0, -1, 0}, {0, 0, 1},  {0, 0, -1},
                                    {0, 1, 1}, {0, 1, -1}, {0, -1, 1}, {0, -1, -1}};
    int present[3] = {0, present_side(local, lambda, 1),
                      local->size == 3 ? present_side(local, lambda, 2) : 0};
    int states = local->size == 3 ? 9 : 3;
    if (try_sides(local, present, best)) return;
    for (int k = 0; k < states; k++)
        if (try_sides(local, sides[k], best)) return;
}

/* ---- pyramids ---- */

/* The local problem of a contact with the pyramid law in space: maximal dissipation on the polygon
 * P = conv(d_1 .. d_facets),
 *
 *     0 <= ln _|_ wn >= 0,      lt in mu ln P,  -wt in the normal cone of mu ln P at lt
 *
 * States with wn = 0: stick (wt = 0); at vertex k (lt = mu ln d_k); on the edge from d_k to d_k+1
 * with unit normal e_k and tangent t_k (lt = mu ln cos(SADDLE__PI / facets) e_k + y t_k, wt.t_k =
 * 0). Stewart and Trinkle (1996), Anitescu and Potra (1997). */

static int try_vertex(const saddle__local *local, int64_t k, local_best *best)
{
    double angle = 2.0 * SADDLE__PI * (double)k / (double)local->facets;
    double B[1][3] = {{1.0, local->mu * cos(angle), local->mu * sin(angle)}};
    double C[1][3] = {{1.0, 0.0, 0.0}};

    return try_state(local, 1, B, C, best);
}

static int try_edge(const saddle__local *local, int64_t k, local_best *best)
{
    double angle = 2.0 * SADDLE__PI * ((double)k + 0.5) / (double)local->facets;
    double reach = local->mu * cos(SADDLE__PI / (double)local->facets);
    double B[2][3] = {{1.0, reach * cos(angle), reach * sin(angle)},
                      {0.0, -sin(angle), cos(angle)}};
    double C[2][3] = {{1.0, 0.0, 0.0}, {0.0, -sin(angle), cos(angle)}};

    return try_state(local, 2, B, C, best);
}

/* The vertex nearest to the present tangent impulse, or to the direction against the free velocity.
 */
static int64_t nearest_vertex(const saddle__local *local, const double *lambda)
{
    int moving = lambda[1] != 0.0 || lambda[2] != 0.0;
    double angle = moving ? atan2(lambda[2], lambda[1]) : atan2(-local->q[2], -local->q[1]);
    double facets = (double)local->facets;

    return isfinite(angle) ? (int64_t)(floor(angle / (2.0 * SADDLE__PI) * facets + 0.5) + facets) %
                                 local->facets
                           : 0;
}

static void solve_pyramid(const saddle__local *local, const double *lambda, local_best *best)
{
    if (try_stick(local, best)) return;
    int64_t nearest = nearest_vertex(local, lambda);
    for (int64_t step = 0; step < local->facets; step++) {
        int64_t aside = step % 2 == 0 ? step / 2 : local->facets - (step + 1) / 2;
        int64_t k = (nearest + aside) % local->facets;
        if (try_vertex(local, k, best) || try_edge(local, k, best)) return;
    }
}

/* ---- a contact ---- */

/* lambda <- P(lambda - rho s) a few times, from the best so far. */
static void step_by_projection(const saddle__local *local, local_best *best)
{
    double lambda[3];
    double next[3];
    double w[3];
    double rho = step_length(local);
    memcpy(lambda, best->lambda, sizeof lambda);
    for (int step = 0; step < PROJECTION_STEPS; step++) {
        row_velocity(local, lambda, w);
        natural_step(local, lambda, w, rho, next);
        saddle__project_law(local->law, local->size, local->facets, local->mu, next);
        memcpy(lambda, next, sizeof lambda);
        if (consider(local, lambda, best)) return;
    }
}

/* Whether the velocity without impulse is allowed. */
static int stays_off(const saddle__local *local)
{
    double tangent = local->size == 3 ? hypot(local->q[1], local->q[2]) : fabs(local->q[1]);

    return local->q[0] >= (local->law == SADDLE_LAW_ASSOCIATED ? local->mu * tangent : 0.0);
}

double saddle__local_contact(const saddle__local *local, double *lambda)
{
    local_best best = {.error = INFINITY};
    if (stays_off(local)) {
        memset(lambda, 0, (size_t)local->size * sizeof *lambda);
        return 0.0;
    }
    consider(local, best.lambda, &best);
    int is_box = local->law == SADDLE_LAW_BOX || local->size == 2 || local->mu == 0.0;
    if (local->law == SADDLE_LAW_ASSOCIATED)
        solve_associated(local, lambda, &best);
    else if (is_box)
        solve_box(local, lambda, &best);
    else if (local->law == SADDLE_LAW_PYRAMID)
        solve_pyramid(local, lambda, &best);
    else
        solve_cone(local, lambda, &best);
    if (best.error > 1e3 * SADDLE__PRODUCT_ROUNDING) {
        consider(local, lambda, &best);
        step_by_projection(local, &best);
    }
    if (isfinite(best.error)) memcpy(lambda, best.lambda, (size_t)local->size * sizeof *lambda);
    saddle__project_law(local->law, local->size, local->facets, local->mu, lambda);
    return best.error;
}
