/* SPDX-License-Identifier: MIT */
/* The local problems of rows, boxes and pyramids, and the parts shared by all contact laws: the
 * natural map as error of a candidate, the solve within a state, and projection steps where no
 * state fits. */
#include "gauss_seidel/local.h"

#include <math.h>
#include <string.h>

#include "problem/cone.h"

#define PI 3.14159265358979323846
/* Projection steps where no state solves the local problem. */
#define PROJECTION_STEPS 8
/* A pivot below PIVOT_TOLERANCE times the largest entry counts as zero. */
#define PIVOT_TOLERANCE 1e-14

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

void saddle__local_project(saddle_law law, int64_t size, int64_t facets, double mu, double *lambda)
{
    if (law == SADDLE_LAW_CONE || law == SADDLE_LAW_ASSOCIATED) {
        saddle__project_cone(mu, size, lambda);
        return;
    }
    lambda[0] = fmax(lambda[0], 0.0);
    double radius = mu * lambda[0];
    if (law == SADDLE_LAW_PYRAMID && size == 3) {
        saddle__project_polygon(radius, facets, lambda + 1);
        return;
    }
    for (int64_t i = 1; i < size; i++) lambda[i] = saddle__clamp(lambda[i], -radius, radius);
}

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
    saddle__local_project(local->law, local->size, local->facets, local->mu, next);
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

/* Keeps lambda where its error is less than the best so far; nonzero when that is good enough to
 * stop. */
static int consider(const saddle__local *local, const double *lambda, saddle__local_best *best)
{
    double error = error_of(local, lambda);
    if (error < best->error) {
        best->error = error;
        memcpy(best->lambda, lambda, (size_t)local->size * sizeof *lambda);
    }
    return best->error <= SADDLE__LOCAL_EXACT;
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
        if (!(pivot > PIVOT_TOLERANCE * first)) break;
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

int saddle__local_try(const saddle__local *local, int count, double (*B)[3], double (*C)[3],
                      saddle__local_best *best)
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

int saddle__local_try_stick(const saddle__local *local, saddle__local_best *best)
{
    double unit[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

    return saddle__local_try(local, (int)local->size, unit, unit, best);
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
static int try_sides(const saddle__local *local, const int *side, saddle__local_best *best)
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
    return saddle__local_try(local, count, B, C, best);
}

static int present_side(const saddle__local *local, const double *lambda, int64_t i)
{
    double bound = local->mu * lambda[0];
    if (!(lambda[0] > 0.0)) return 0;
    return lambda[i] >= bound ? 1 : lambda[i] <= -bound ? -1 : 0;
}

static void solve_box(const saddle__local *local, const double *lambda, saddle__local_best *best)
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
 * with unit normal e_k and tangent t_k (lt = mu ln cos(pi / facets) e_k + y t_k, wt.t_k = 0).
 * Stewart and Trinkle (1996), Anitescu and Potra (1997). */

static int try_vertex(const saddle__local *local, int64_t k, saddle__local_best *best)
{
    double angle = 2.0 * PI * (double)k / (double)local->facets;
    double B[1][3] = {{1.0, local->mu * cos(angle), local->mu * sin(angle)}};
    double C[1][3] = {{1.0, 0.0, 0.0}};

    return saddle__local_try(local, 1, B, C, best);
}

static int try_edge(const saddle__local *local, int64_t k, saddle__local_best *best)
{
    double angle = 2.0 * PI * ((double)k + 0.5) / (double)local->facets;
    double reach = local->mu * cos(PI / (double)local->facets);
    double B[2][3] = {{1.0, reach * cos(angle), reach * sin(angle)},
                      {0.0, -sin(angle), cos(angle)}};
    double C[2][3] = {{1.0, 0.0, 0.0}, {0.0, -sin(angle), cos(angle)}};

    return saddle__local_try(local, 2, B, C, best);
}

/* The vertex nearest to the present tangent impulse, or to the direction against the free velocity.
 */
static int64_t nearest_vertex(const saddle__local *local, const double *lambda)
{
    int moving = lambda[1] != 0.0 || lambda[2] != 0.0;
    double angle = moving ? atan2(lambda[2], lambda[1]) : atan2(-local->q[2], -local->q[1]);
    double facets = (double)local->facets;

    return isfinite(angle)
               ? (int64_t)(floor(angle / (2.0 * PI) * facets + 0.5) + facets) % local->facets
               : 0;
}

static void solve_pyramid(const saddle__local *local, const double *lambda,
                          saddle__local_best *best)
{
    if (saddle__local_try_stick(local, best)) return;
    int64_t nearest = nearest_vertex(local, lambda);
    for (int64_t step = 0; step < local->facets; step++) {
        int64_t aside = step % 2 == 0 ? step / 2 : local->facets - (step + 1) / 2;
        int64_t k = (nearest + aside) % local->facets;
        if (try_vertex(local, k, best) || try_edge(local, k, best)) return;
    }
}

/* ---- a contact ---- */

/* lambda <- P(lambda - rho s) a few times, from the best so far. */
static void step_by_projection(const saddle__local *local, saddle__local_best *best)
{
    double lambda[3];
    double next[3];
    double w[3];
    double rho = step_length(local);
    memcpy(lambda, best->lambda, sizeof lambda);
    for (int step = 0; step < PROJECTION_STEPS; step++) {
        row_velocity(local, lambda, w);
        natural_step(local, lambda, w, rho, next);
        saddle__local_project(local->law, local->size, local->facets, local->mu, next);
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
    saddle__local_best best = {.error = INFINITY};
    if (stays_off(local)) {
        memset(lambda, 0, (size_t)local->size * sizeof *lambda);
        return 0.0;
    }
    consider(local, best.lambda, &best);
    int is_box = local->law == SADDLE_LAW_BOX || local->size == 2 || local->mu == 0.0;
    if (local->law == SADDLE_LAW_ASSOCIATED)
        saddle__local_associated(local, lambda, &best);
    else if (is_box)
        solve_box(local, lambda, &best);
    else if (local->law == SADDLE_LAW_PYRAMID)
        solve_pyramid(local, lambda, &best);
    else
        saddle__local_cone(local, lambda, &best);
    if (best.error > 1e3 * SADDLE__LOCAL_EXACT) {
        consider(local, lambda, &best);
        step_by_projection(local, &best);
    }
    if (isfinite(best.error)) memcpy(lambda, best.lambda, (size_t)local->size * sizeof *lambda);
    saddle__local_project(local->law, local->size, local->facets, local->mu, lambda);
    return best.error;
}
