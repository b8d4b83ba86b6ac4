/* SPDX-License-Identifier: MIT */
/* What the contact laws share: the natural map that judges a candidate, the solve within a state,
 * and the step that is taken where no state fits. */
#include "gauss_seidel/local.h"

#include <math.h>
#include <string.h>

#include "problem/cone.h"

/* Projection steps where no state solves the local problem. */
#define PROJECTION_STEPS 8
/* A pivot this small against the largest entry counts as zero. */
#define PIVOT_TOLERANCE 1e-14

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

/* 1 / the largest diagonal entry; where none is positive, 1 / the largest entry; where all vanish,
 * 1. */
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

double saddle__local_error(const saddle__local *local, const double *lambda)
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

int saddle__local_consider(const saddle__local *local, const double *lambda,
                           saddle__local_best *best)
{
    double error = saddle__local_error(local, lambda);
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
    return saddle__local_consider(local, lambda, best);
}

int saddle__local_try_stick(const saddle__local *local, saddle__local_best *best)
{
    double unit[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

    return saddle__local_try(local, (int)local->size, unit, unit, best);
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
        if (saddle__local_consider(local, lambda, best)) return;
    }
}

/* No impulse: the velocity it leaves must be allowed. */
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
    saddle__local_consider(local, best.lambda, &best);
    switch (local->law) {
    case SADDLE_LAW_PYRAMID: saddle__local_pyramid(local, lambda, &best); break;
    case SADDLE_LAW_CONE: saddle__local_cone(local, lambda, &best); break;
    case SADDLE_LAW_ASSOCIATED: saddle__local_associated(local, lambda, &best); break;
    case SADDLE_LAW_BOX:
    default: saddle__local_box(local, lambda, &best); break;
    }
    if (best.error > 1e3 * SADDLE__LOCAL_EXACT) {
        saddle__local_consider(local, lambda, &best);
        step_by_projection(local, &best);
    }
    if (isfinite(best.error)) memcpy(lambda, best.lambda, (size_t)local->size * sizeof *lambda);
    saddle__local_project(local->law, local->size, local->facets, local->mu, lambda);
    return best.error;
}
