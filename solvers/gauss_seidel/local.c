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

/* Projection steps at a time, for cones with torsion or rolling: at first, at most. */
enum { PROJECTION_STEPS = 8, MOST_PROJECTION_STEPS = 2048 };

enum { ROWS = SADDLE_CONTACT_ROWS };

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
        if (local->law == SADDLE_LAW_CONE) next[0] -= rho * saddle__cone_shift(&local->cone, w);
        saddle__project_cone(&local->cone, next);
        return;
    }
    double normal = fmax(next[0], 0.0);
    next[0] = fmax(lambda[0], 0.0);
    saddle__project_law(local->law, local->facets, &local->cone, next);
    next[0] = normal;
}

/* w = W lambda + q; returns the largest entry of |W||lambda| + |q|.  size: local->size. */
static inline double row_velocity(const saddle__local *local, int64_t size, const double *lambda,
                                  double *w)
{
    double scale = 0.0;
    for (int64_t i = 0; i < size; i++) {
        double sum = local->q[i];
        double moduli = fabs(local->q[i]);
        for (int64_t j = 0; j < size; j++) {
            sum += local->W[i][j] * lambda[j];
            moduli += fabs(local->W[i][j] * lambda[j]);
        }
        w[i] = sum;
        scale = saddle__larger(moduli, scale);
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
        diagonal = saddle__larger(local->W[i][i], diagonal);
        for (int64_t j = 0; j < local->size; j++)
            entry = saddle__larger(fabs(local->W[i][j]), entry);
    }
    double largest = diagonal > 0.0 ? diagonal : entry;

    return largest > 0.0 ? 1.0 / largest : 1.0;
}

/* |lambda - P(lambda - rho s)| / (rho scale), the natural map of the law as in saddle/residual.h
 * with scale = | |W||lambda| + |q| |, in maximum norms; INFINITY for a lambda that is not
 * finite. */
static double error_of(const saddle__local *local, const double *lambda)
{
    double w[ROWS];
    double next[ROWS];
    double rho = step_length(local);
    double scale = row_velocity(local, local->size, lambda, w);
    natural_step(local, lambda, w, rho, next);

    double error = 0.0;
    for (int64_t i = 0; i < local->size; i++) {
        if (!isfinite(lambda[i]) || !isfinite(next[i])) return INFINITY;
        error = saddle__larger(fabs(lambda[i] - next[i]), error);
    }
    error = error > 0.0 ? error / (rho * scale) : 0.0;

    return isfinite(error) ? error : INFINITY;
}

/* The best answer found so far. */
typedef struct local_best {
    double error; /* as of error_of */
    double lambda[ROWS];
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
static double bring_pivot(int count, double (*A)[ROWS], double *rhs, int *order, int k)
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
static void solve_dense(int count, double (*A)[ROWS], double *rhs, double *y)
{
    int order[ROWS] = {0, 1, 2, 3, 4, 5};
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
 * considers B y. B, C: count columns of size. */
static int try_state(const saddle__local *local, int count, double (*B)[ROWS], double (*C)[ROWS],
                     local_best *best)
{
    double A[ROWS][ROWS];
    double rhs[ROWS] = {0.0};
    double y[ROWS] = {0.0};
    double lambda[ROWS] = {0.0};
    for (int r = 0; r < count; r++) {
        for (int c = 0; c < count; c++) A[r][c] = 0.0;
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
    double unit[ROWS][ROWS] = {{0.0}};
    for (int64_t i = 0; i < local->size; i++) unit[i][i] = 1.0;

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
    double length = saddle__length(x, y);
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

static void slide_along(const saddle__local *local, const double *lambda, int degree,
                        law_polynomial *polynomial, law_try *attempt, local_best *best)
{
    double p[SADDLE__DEGREE_MAX + 1] = {0.0};
    double first[2];
    choose_frame(local, lambda, first);
    saddle__local turned = turn(local, first);
    polynomial(&turned, p);

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
 *     0 <= ln _|_ wn >= 0
 *     |lt| <= mu ln,  wt = -kappa lt,  kappa >= 0,  kappa = 0 where |lt| < mu ln
 *
 * States with wn = 0: stick (wt = 0), and sliding along u: lambda = ln (1, mu u), wn = 0 gives
 *
 *     ln = -qn / (Wnn + mu Wnt u),        and wt parallel to u:   u' x wt = 0,
 *
 * multiplied by that denominator:   -qn u' x (Wtn + mu Wtt u) + (Wnn + mu Wnt u) (u' x qt) = 0
 * (degree 4 in t). */

/* Row i of W (1, mu u), times e. */
static void row_of_ray(const saddle__local *local, int i, double *row)
{
    for (int k = 0; k < 3; k++) {
        row[k] = local->W[i][0] * square[k] +
                 local->cone.mu[0] * (local->W[i][1] * cosine[k] + local->W[i][2] * sine[k]);
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
    double B[1][ROWS] = {{1.0, local->cone.mu[0] * u[0], local->cone.mu[0] * u[1]}};
    double C[1][ROWS] = {{1.0, 0.0, 0.0}};

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
 * multiplied by that denominator:   -(g'q) u' x (W g)_t + (g'W g) (u' x qt) = 0   (degree 6 in t).
 */

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
                        local->cone.mu[0] * (local->W[i][1] * c[k] + local->W[i][2] * s[k]);
        }
        free_along[k] = local->q[0] * square[k] +
                        local->cone.mu[0] * (local->q[1] * c[k] + local->q[2] * s[k]);
        free_across[k] = c[k] * local->q[2] - s[k] * local->q[1];
    }
    add_product(1.0, 2, c, 2, ray[2], across);
    add_product(-1.0, 2, s, 2, ray[1], across);
    add_product(1.0, 2, square, 2, ray[0], stiffness);
    add_product(local->cone.mu[0], 2, c, 2, ray[1], stiffness);
    add_product(local->cone.mu[0], 2, s, 2, ray[2], stiffness);
    add_product(-1.0, 2, free_along, 4, across, p);
    add_product(1.0, 4, stiffness, 2, free_across, p);
}

static int slide_associated(const saddle__local *local, const double *u, local_best *best)
{
    double g[1][ROWS] = {{1.0, local->cone.mu[0] * u[0], local->cone.mu[0] * u[1]}};

    return try_state(local, 1, g, g, best);
}

static void solve_associated(const saddle__local *local, const double *lambda, local_best *best)
{
    static const double sides[2] = {1.0, -1.0};
    if (try_stick(local, best)) return;
    if (local->size == 3 && local->cone.mu[0] > 0.0) {
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
 *     0 <= ln _|_ wn >= 0,   -mu_i ln <= li <= mu_i ln,
 *         wi = 0 inside, wi >= 0 at the lower, wi <= 0 at the upper bound
 *
 * States: each row i below (li = -mu_i ln), within (wi = 0) or above (li = mu_i ln), with wn = 0: 3
 * in the plane, 9 in space, 3 times as many for each further row. */

static double mu_of(const saddle__local *local, int64_t i)
{
    int g = 0;
    while (i >= local->cone.begin[g + 1]) g++;
    return local->cone.mu[g];
}

/* The state in which row i has side[i] = -1, 0 or +1. */
static int try_sides(const saddle__local *local, const int *side, local_best *best)
{
    double B[ROWS][ROWS] = {{1.0}};
    double C[ROWS][ROWS] = {{1.0}};
    int count = 1;
    for (int64_t i = 1; i < local->size; i++) {
        B[0][i] = side[i] * mu_of(local, i);
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
    double bound = mu_of(local, i) * lambda[0];
    if (!(lambda[0] > 0.0)) return 0;
    return lambda[i] >= bound ? 1 : lambda[i] <= -bound ? -1 : 0;
}

static void solve_box(const saddle__local *local, const double *lambda, local_best *best)
{
    static const int side_of[3] = {0, 1, -1};
    int side[ROWS] = {0};
    int states = 1;
    for (int64_t i = 1; i < local->size; i++) {
        side[i] = present_side(local, lambda, i);
        states *= 3;
    }
    if (try_sides(local, side, best)) return;
    for (int k = 0; k < states; k++) {
        for (int64_t i = 1, digits = k; i < local->size; i++, digits /= 3)
            side[i] = side_of[digits % 3];
        if (try_sides(local, side, best)) return;
    }
}

/* ---- cones with torsion or rolling ---- */

/* A Newton step on lambda - P(lambda - rho s) = 0: (I - Z + rho Z S W) change = -F, Z = dP,
 * S = ds/dw.  change is 0 behind vanishing pivots. */
static void newton_change(const saddle__local *local, const double *lambda, double *change)
{
    double rho = step_length(local);
    double w[ROWS], z[ROWS], next[ROWS], rhs[ROWS], turn[ROWS] = {0.0};
    double Z[ROWS][ROWS], A[ROWS][ROWS];
    int size = (int)local->size;
    row_velocity(local, local->size, lambda, w);
    natural_step(local, lambda, w, rho, next);
    for (int i = 0; i < size; i++) z[i] = lambda[i] - rho * w[i];
    if (local->law == SADDLE_LAW_CONE) {
        z[0] -= rho * saddle__cone_shift(&local->cone, w);
        saddle__cone_turn(&local->cone, w, turn);
    }
    saddle__cone_derivative(&local->cone, z, Z);
    for (int i = 0; i < size; i++) {
        rhs[i] = next[i] - lambda[i];
        for (int j = 0; j < size; j++) {
            A[i][j] = (i == j) - Z[i][j];
            for (int k = 0; k < size; k++)
                A[i][j] += rho * (Z[i][k] + Z[i][0] * turn[k]) * local->W[k][j];
        }
    }
    solve_dense(size, A, rhs, change);
}

/* 1 / trace of W, at most 1 / its largest eigenvalue: projection steps contract where W > 0 and
 * the law is monotone. */
static double safe_length(const saddle__local *local)
{
    double trace = 0.0;
    for (int64_t i = 0; i < local->size; i++) trace += fmax(local->W[i][i], 0.0);
    return trace > 0.0 ? 1.0 / trace : step_length(local);
}

/* lambda <- P(lambda - rho s), rho as above, steps times; nonzero when that solved the problem. */
static int step_by_projection(const saddle__local *local, int steps, double *lambda,
                              local_best *best)
{
    double next[ROWS], w[ROWS], rho = safe_length(local);
    for (int step = 0; step < steps; step++) {
        row_velocity(local, local->size, lambda, w);
        natural_step(local, lambda, w, rho, next);
        saddle__project_law(local->law, local->facets, &local->cone, next);
        memcpy(lambda, next, (size_t)local->size * sizeof *lambda);
        if (consider(local, lambda, best)) return 1;
    }
    return 0;
}

/* The part of a step that lowers the error by as many percent: 1, 1/2, 1/4, 1/8; else 0. */
static double choose_part(const saddle__local *local, const double *lambda, const double *change,
                          double *next)
{
    double before = error_of(local, lambda);
    for (double part = 1.0; part > 0.1; part *= 0.5) {
        for (int64_t i = 0; i < local->size; i++) next[i] = lambda[i] + part * change[i];
        if (error_of(local, next) < (1.0 - 0.01 * part) * before) return part;
    }
    return 0.0;
}

/* From the best so far: parts of Newton steps; where none lowers the error, projection steps, each
 * time twice as many. */
static void solve_by_newton(const saddle__local *local, local_best *best)
{
    double lambda[ROWS], change[ROWS], next[ROWS] = {0.0};
    int projections = PROJECTION_STEPS;
    int most = local->quick ? PROJECTION_STEPS : MOST_PROJECTION_STEPS;
    memcpy(lambda, best->lambda, sizeof lambda);
    while (projections <= most) {
        newton_change(local, lambda, change);
        if (choose_part(local, lambda, change, next) > 0.0) {
            memcpy(lambda, next, sizeof lambda);
            if (consider(local, lambda, best)) return;
            continue;
        }
        if (step_by_projection(local, projections, lambda, best)) return;
        projections *= 2;
    }
}

/* The best of no impulse, sticking and the present impulse is improved; a last step takes what the
 * tolerance of the states leaves. */
static void solve_wide_cone(const saddle__local *local, const double *lambda, local_best *best)
{
    double change[ROWS], next[ROWS];
    if (try_stick(local, best)) return;
    if (!consider(local, lambda, best)) solve_by_newton(local, best);
    newton_change(local, best->lambda, change);
    for (int64_t i = 0; i < local->size; i++) next[i] = best->lambda[i] + change[i];
    (void)consider(local, next, best);
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
    double B[1][ROWS] = {{1.0, local->cone.mu[0] * cos(angle), local->cone.mu[0] * sin(angle)}};
    double C[1][ROWS] = {{1.0, 0.0, 0.0}};

    return try_state(local, 1, B, C, best);
}

static int try_edge(const saddle__local *local, int64_t k, local_best *best)
{
    double angle = 2.0 * SADDLE__PI * ((double)k + 0.5) / (double)local->facets;
    double reach = local->cone.mu[0] * cos(SADDLE__PI / (double)local->facets);
    double B[2][ROWS] = {{1.0, reach * cos(angle), reach * sin(angle)},
                         {0.0, -sin(angle), cos(angle)}};
    double C[2][ROWS] = {{1.0, 0.0, 0.0}, {0.0, -sin(angle), cos(angle)}};

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

/* ---- states in closed form ----
 *
 * Sticking and sliding of plane contacts and of Coulomb's cone in space, judged by the signs that
 * the law asks for.  0: no such state, or W leaves a doubt; then all states are tried as above. */

/* lambda (size) <- -W^-1 q without pivoting; 0: a pivot lost digits, or is not positive. */
static int solve_sticking(const saddle__local *local, int size, double *lambda)
{
    double A[3][3], rhs[3], inverse[3];
    for (int i = 0; i < size; i++) {
        rhs[i] = -local->q[i];
        for (int j = 0; j < size; j++) A[i][j] = local->W[i][j];
    }
    for (int k = 0; k < size; k++) {
        if (!(A[k][k] > SADDLE__HALF_DIGITS * local->W[k][k])) return 0;
        inverse[k] = 1.0 / A[k][k];
        for (int i = k + 1; i < size; i++) {
            double factor = A[i][k] * inverse[k];
            for (int j = k + 1; j < size; j++) A[i][j] -= factor * A[k][j];
            rhs[i] -= factor * rhs[k];
        }
    }
    for (int k = size - 1; k >= 0; k--) {
        for (int j = k + 1; j < size; j++) rhs[k] -= A[k][j] * lambda[j];
        lambda[k] = rhs[k] * inverse[k];
    }
    return 1;
}

/* Whether w = 0 to rounding, wn + mu |wt| too: pivots of an unsymmetric W may grow. */
static inline int sticks(const saddle__local *local, int64_t size, const double *lambda)
{
    double w[ROWS], fastest = 0.0;
    double scale = row_velocity(local, size, lambda, w);
    for (int64_t i = 0; i < size; i++) fastest = saddle__larger(fabs(w[i]), fastest);
    return (1.0 + local->cone.mu[0]) * fastest <= SADDLE__PRODUCT_ROUNDING * scale;
}

/* The state with side -1, 0 or +1 of a plane contact. */
static int take_side(const saddle__local *local, int side, double *lambda)
{
    double mu = local->cone.mu[0];
    if (side == 0)
        return solve_sticking(local, 2, lambda) && lambda[0] >= 0.0 &&
               fabs(lambda[1]) <= mu * lambda[0] && sticks(local, 2, lambda);
    double stiffness = local->W[0][0] + side * mu * local->W[0][1];
    if (!(stiffness > SADDLE__HALF_DIGITS * local->W[0][0])) return 0;
    lambda[0] = -local->q[0] / stiffness;
    lambda[1] = side * mu * lambda[0];
    double w = local->W[1][0] * lambda[0] + local->W[1][1] * lambda[1] + local->q[1];
    return lambda[0] >= 0.0 && side * w <= 0.0;
}

/* present: of the impulse at hand, tried first. */
static int take_plane_state(const saddle__local *local, int present, double *lambda)
{
    static const int sides[3] = {0, 1, -1};
    if (take_side(local, present, lambda)) return 1;
    for (int k = 0; k < 3; k++)
        if (sides[k] != present && take_side(local, sides[k], lambda)) return 1;
    return 0;
}

/* A point of the sliding curve: u, (N, T) = W (1, mu u), and F = N u' x qt - qn u' x T, which
 * vanishes where wt is parallel to u. */
typedef struct sliding {
    double N, T[2], F, slope; /* slope: dF over the angle of u */
} sliding;

static sliding slide_towards(const saddle__local *local, const double *u)
{
    const double(*W)[ROWS] = local->W;
    const double *q = local->q;
    double mu = local->cone.mu[0], c = u[0], s = u[1], turned[3], ray[3];
    for (int i = 0; i < 3; i++) {
        ray[i] = W[i][0] + mu * (W[i][1] * c + W[i][2] * s);
        turned[i] = mu * (W[i][2] * c - W[i][1] * s);
    }
    double across_q = c * q[2] - s * q[1], along_q = c * q[1] + s * q[2];
    double across_T = c * ray[2] - s * ray[1], along_T = c * ray[1] + s * ray[2];
    return (sliding){.N = ray[0],
                     .T = {ray[1], ray[2]},
                     .F = ray[0] * across_q - q[0] * across_T,
                     .slope = turned[0] * across_q - ray[0] * along_q -
                              q[0] * (c * turned[2] - s * turned[1] - along_T)};
}

/* Newton's steps from direction u along which a contact in space slides. */
static int take_sliding(const saddle__local *local, double *u, double *lambda)
{
    enum { STEPS = 8 };
    double turn = 1.0;
    sliding at = slide_towards(local, u);
    for (int step = 0; step < STEPS && fabs(turn) > SADDLE__HALF_DIGITS; step++) {
        if (!(fabs(at.F) <= fabs(at.slope)) || at.slope == 0.0) return 0;
        turn = -at.F / at.slope;
        double c = u[0] - turn * u[1], s = u[1] + turn * u[0];
        double length = sqrt(c * c + s * s);
        u[0] = c / length;
        u[1] = s / length;
        at = slide_towards(local, u);
    }
    if (!(at.N > SADDLE__HALF_DIGITS * local->W[0][0])) return 0;
    double normal = -local->q[0] / at.N;
    double w[2] = {local->q[1] + normal * at.T[0], local->q[2] + normal * at.T[1]};
    double terms = fabs(local->q[1]) + fabs(local->q[2]) + normal * (fabs(at.T[0]) + fabs(at.T[1]));
    double across = fabs(u[0] * w[1] - u[1] * w[0]);
    if (!(u[0] * w[0] + u[1] * w[1] <= 0.0 && across <= SADDLE__PRODUCT_ROUNDING * terms)) return 0;
    lambda[0] = normal;
    lambda[1] = local->cone.mu[0] * normal * u[0];
    lambda[2] = local->cone.mu[0] * normal * u[1];
    return 1;
}

static int take_space_state(const saddle__local *local, double *u, double *lambda)
{
    if (!solve_sticking(local, 3, lambda)) return 0;
    if (lambda[0] >= 0.0 && saddle__length(lambda[1], lambda[2]) <= local->cone.mu[0] * lambda[0])
        return sticks(local, 3, lambda);
    return take_sliding(local, u, lambda);
}

static int take_state(const saddle__local *local, double *lambda)
{
    int plane = local->size == 2 && local->law != SADDLE_LAW_ASSOCIATED;
    int space = local->size == 3 && local->law == SADDLE_LAW_CONE;
    double found[3] = {0.0}, u[2];
    if (!(plane || space) || !(local->cone.mu[0] > 0.0)) return 0;
    if (space) choose_frame(local, lambda, u);
    if (!(plane ? take_plane_state(local, present_side(local, lambda, 1), found)
                : take_space_state(local, u, found)) ||
        !saddle__is_finite(found, local->size))
        return 0;
    saddle__copy(lambda, found, local->size);
    return 1;
}

/* ---- a contact ---- */

/* Whether the velocity without impulse is allowed. */
static int stays_off(const saddle__local *local)
{
    int is_associated = local->law == SADDLE_LAW_ASSOCIATED;
    return local->q[0] >= (is_associated ? saddle__cone_shift(&local->cone, local->q) : 0.0);
}

static int is_smooth(const saddle__local *local)
{
    int smooth = 1;
    for (int g = 0; g < local->cone.parts; g++) smooth &= local->cone.mu[g] == 0.0;
    return smooth;
}

static double solve_contact(const saddle__local *local, double *lambda)
{
    local_best best = {.error = INFINITY};
    consider(local, best.lambda, &best);
    int is_box = local->law == SADDLE_LAW_BOX || local->size == 2 || is_smooth(local);
    if (local->law == SADDLE_LAW_PYRAMID && !is_box)
        solve_pyramid(local, lambda, &best);
    else if (local->cone.parts > 1 && !is_box)
        solve_wide_cone(local, lambda, &best);
    else if (local->law == SADDLE_LAW_ASSOCIATED)
        solve_associated(local, lambda, &best);
    else if (is_box)
        solve_box(local, lambda, &best);
    else
        solve_cone(local, lambda, &best);
    if (isfinite(best.error)) memcpy(lambda, best.lambda, (size_t)local->size * sizeof *lambda);
    saddle__project_law(local->law, local->facets, &local->cone, lambda);
    if (saddle__is_finite(lambda, local->size)) return best.error;
    memset(lambda, 0, (size_t)local->size * sizeof *lambda); /* mu lambda overflows */
    return error_of(local, lambda);
}

/* Row i times scale[i]: torsion and rolling in the unit of the normal.  The law stays the same. */
static void rescale(saddle__local *local, double *scale)
{
    double d[SADDLE__PARTS] = {0.0};
    for (int g = 0; g < local->cone.parts; g++)
        for (int i = g == 0 ? 0 : local->cone.begin[g]; i < local->cone.begin[g + 1]; i++)
            d[g] = fmax(d[g], fabs(local->W[i][i]));
    for (int i = 0; i < local->cone.begin[1]; i++) scale[i] = 1.0;
    for (int g = 1; g < local->cone.parts; g++) {
        double l = d[0] > 0.0 && d[g] > 0.0 ? sqrt(d[0] / d[g]) : 1.0;
        local->cone.mu[g] /= l;
        for (int i = local->cone.begin[g]; i < local->cone.begin[g + 1]; i++) scale[i] = l;
    }
    for (int64_t i = 0; i < local->size; i++) {
        local->q[i] *= scale[i];
        for (int64_t j = 0; j < local->size; j++) local->W[i][j] *= scale[i] * scale[j];
    }
}

double saddle__local_contact(const saddle__local *local, double *lambda)
{
    double scale[ROWS];
    if (stays_off(local)) {
        memset(lambda, 0, (size_t)local->size * sizeof *lambda);
        return 0.0;
    }
    if (take_state(local, lambda)) return 0.0;
    if (local->cone.parts == 1) return solve_contact(local, lambda);
    saddle__local scaled = *local;
    rescale(&scaled, scale);
    for (int64_t i = 0; i < local->size; i++) lambda[i] /= scale[i];
    double error = solve_contact(&scaled, lambda);
    for (int64_t i = 0; i < local->size; i++) lambda[i] *= scale[i];
    return error;
}
