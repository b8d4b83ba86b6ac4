/* SPDX-License-Identifier: MIT */
/* See dense_twin.h. */
#include "dense_twin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense_kkt.h"

static const double pi = 3.14159265358979323846;
/* of the scaled system's singular values, relative to the largest */
static const double rank_tolerance = 1e-13;

typedef struct twin {
    const saddle_problem *p;
    const saddle_solution *s;
    int64_t n, m, count; /* count: columns of B and C */
    double *M, *J, *R;   /* n x n, n x m (J'), m x m */
    double *d;           /* m: Delassus diagonal */
    double *fixed;       /* m */
    double *B, *C;       /* m x count */
    double *K, *rhs;     /* the scaled system */
    double unknown[2];   /* size of v and of y */
    double residual[2];  /* size of the two blocks' terms */
} twin;

static double *zeros(int64_t rows, int64_t cols)
{
    double *x = calloc((size_t)(rows * cols + 1), sizeof *x);
    assert_non_null(x);
    return x;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double norm(const double *x, int64_t count)
{
    double most = 0.0;
    for (int64_t i = 0; x && i < count; i++) most = larger(most, fabs(x[i]));
    return most;
}

/* the largest row sum of |A|; by_columns: of |A'| */
static double matrix_norm(const double *A, int64_t rows, int64_t cols, int by_columns)
{
    double most = 0.0;
    for (int64_t i = 0; i < (by_columns ? cols : rows); i++) {
        double sum = 0.0;
        for (int64_t j = 0; j < (by_columns ? rows : cols); j++)
            sum += fabs(by_columns ? A[j + i * rows] : A[i + j * rows]);
        most = larger(most, sum);
    }
    return most;
}

/* J_i x + R_i l, either of which may be NULL */
static double row_of(const twin *t, int64_t i, const double *x, const double *l)
{
    double sum = 0.0;
    for (int64_t j = 0; x && j < t->n; j++) sum += t->J[j + i * t->n] * x[j];
    for (int64_t j = 0; l && j < t->m; j++) sum += t->R[i + j * t->m] * l[j];
    return sum;
}

static void open_twin(const saddle_problem *p, const saddle_solution *s, twin *t)
{
    *t = (twin){.p = p, .s = s, .n = p->n, .m = p->m};
    t->M = zeros(t->n, t->n);
    t->J = zeros(t->n, t->m);
    t->R = zeros(t->m, t->m);
    t->d = zeros(t->m, 1);
    t->fixed = zeros(t->m, 1);
    t->B = zeros(t->m, t->m);
    t->C = zeros(t->m, t->m);
    test_dense(&p->M, t->M);
    test_dense(&p->Jt, t->J);
    test_dense(&p->R, t->R);
    for (int64_t i = 0; i < t->m; i++) {
        t->d[i] = t->R[i + i * t->m];
        for (int64_t j = 0; j < t->n; j++) {
            double mass = fabs(t->M[j + j * t->n]);
            if (mass > 0.0) t->d[i] += t->J[j + i * t->n] * t->J[j + i * t->n] / mass;
        }
        t->d[i] = t->d[i] == 0.0 ? 1.0 : fabs(t->d[i]);
    }
}

static void close_twin(twin *t)
{
    free(t->M);
    free(t->J);
    free(t->R);
    free(t->d);
    free(t->fixed);
    free(t->B);
    free(t->C);
    free(t->K);
    free(t->rhs);
}

/* ---- the state ---- */

/* A new column; B_k = C_k = e_row for now. */
static int64_t add_unknown(twin *t, int64_t row)
{
    t->B[row + t->count * t->m] = t->C[row + t->count * t->m] = 1.0;
    return t->count++;
}

static void set_row(twin *t, int64_t i)
{
    double lo = saddle_problem_lo(t->p, i);
    double hi = saddle_problem_hi(t->p, i);
    double x = t->s->lambda[i] - t->s->w[i] / t->d[i];
    if (x < lo || lo == hi)
        t->fixed[i] = lo;
    else if (x > hi)
        t->fixed[i] = hi;
    else
        (void)add_unknown(t, i);
}

/* Each tangent on its own, between -mu ln and mu ln. */
static void set_box(twin *t, const saddle_contact *c)
{
    int64_t k = add_unknown(t, c->row);
    double limit = c->mu * t->s->lambda[c->row];
    for (int64_t i = c->row + 1; i < c->row + c->size; i++) {
        double x = t->s->lambda[i] - t->s->w[i] / t->d[i];
        if (fabs(x) > limit)
            t->B[i + k * t->m] = x > 0.0 ? c->mu : -c->mu;
        else
            (void)add_unknown(t, i);
    }
}

/* Where on the polygon: in the sector of an edge, beyond it, beside its middle or past its ends (a
 * vertex). */
static void set_pyramid(twin *t, const saddle_contact *c)
{
    int64_t i = c->row;
    double d = larger(t->d[i + 1], t->d[i + 2]);
    double radius = c->mu * t->s->lambda[i];
    double x = t->s->lambda[i + 1] - t->s->w[i + 1] / d;
    double y = t->s->lambda[i + 2] - t->s->w[i + 2] / d;
    double half = pi / (double)saddle_problem_facets(t->p);
    double middle = (2.0 * floor(atan2(y, x) / (2.0 * half)) + 1.0) * half;
    double across = cos(middle) * x + sin(middle) * y;
    double along = -sin(middle) * x + cos(middle) * y;
    int64_t k = add_unknown(t, i);
    if (across <= radius * cos(half)) {
        (void)add_unknown(t, i + 1);
        (void)add_unknown(t, i + 2);
    } else if (fabs(along) >= radius * sin(half)) {
        double angle = middle + (along > 0.0 ? half : -half);
        t->B[i + 1 + k * t->m] = c->mu * cos(angle);
        t->B[i + 2 + k * t->m] = c->mu * sin(angle);
    } else {
        t->B[i + 1 + k * t->m] = c->mu * cos(half) * cos(middle);
        t->B[i + 2 + k * t->m] = c->mu * cos(half) * sin(middle);
        int64_t edge = add_unknown(t, i + 1);
        t->B[i + 1 + edge * t->m] = t->C[i + 1 + edge * t->m] = -sin(middle);
        t->B[i + 2 + edge * t->m] = t->C[i + 2 + edge * t->m] = cos(middle);
    }
}

/* Cone and associated law: inside, on the generator (1, mu u), or polar (open). */
static void set_cone(twin *t, const saddle_contact *c)
{
    int64_t i = c->row;
    int plane = c->size == 2;
    double d = larger(t->d[i], larger(t->d[i + 1], plane ? 0.0 : t->d[i + 2]));
    const double *l = t->s->lambda + i;
    const double *w = t->s->w + i;
    double shift = t->p->law == SADDLE_LAW_CONE ? c->mu * hypot(w[1], plane ? 0.0 : w[2]) : 0.0;
    double x = l[0] - (w[0] + shift) / d;
    double u[2] = {l[1] - w[1] / d, plane ? 0.0 : l[2] - w[2] / d};
    double length = hypot(u[0], u[1]);
    if (x < 0.0 && c->mu * length <= -x) return;
    int64_t k = add_unknown(t, i);
    for (int64_t j = 0; j < c->size - 1; j++) {
        if (length <= c->mu * x) {
            (void)add_unknown(t, i + 1 + j);
        } else {
            t->B[i + 1 + j + k * t->m] = c->mu * u[j] / length;
            if (t->p->law == SADDLE_LAW_ASSOCIATED)
                t->C[i + 1 + j + k * t->m] = c->mu * u[j] / length;
        }
    }
}

static void set_contact(twin *t, const saddle_contact *c)
{
    if (t->p->law == SADDLE_LAW_CONE || t->p->law == SADDLE_LAW_ASSOCIATED)
        set_cone(t, c);
    else if (t->s->lambda[c->row] - t->s->w[c->row] / t->d[c->row] < 0.0)
        return; /* open */
    else if (t->p->law == SADDLE_LAW_BOX || c->size == 2)
        set_box(t, c);
    else
        set_pyramid(t, c);
}

static void set_state(twin *t)
{
    int64_t next = 0;
    for (int64_t i = 0; i < t->m; i++) {
        if (next < t->p->contact_count && t->p->contacts[next].row == i) {
            set_contact(t, &t->p->contacts[next]);
            i += t->p->contacts[next++].size - 1;
        } else {
            set_row(t, i);
        }
    }
}

/* ---- the system of that state ---- */

/* max_i sum_j |J_ij f_j / M_jj|: the row velocities that f alone would give */
static double free_row_velocity(const twin *t)
{
    double most = 0.0;
    for (int64_t i = 0; t->p->f && i < t->m; i++) {
        double sum = 0.0;
        for (int64_t j = 0; j < t->n; j++) {
            double mass = fabs(t->M[j + j * t->n]);
            if (mass > 0.0) sum += fabs(t->J[j + i * t->n] * t->p->f[j]) / mass;
        }
        most = larger(most, sum);
    }
    return most;
}

static double ratio_or(double a, double b, double otherwise)
{
    return a > 0.0 && b > 0.0 ? a / b : otherwise;
}

/* The scales of v, lambda and w: from the terms of the checker's sums, and from f and b where an
 * unknown is zero. */
static void set_scales(twin *t)
{
    double M = matrix_norm(t->M, t->n, t->n, 0);
    double J = matrix_norm(t->J, t->n, t->m, 1);
    double Jt = matrix_norm(t->J, t->n, t->m, 0);
    double R = matrix_norm(t->R, t->m, t->m, 0);
    double f = norm(t->p->f, t->n);
    double b = norm(t->p->b, t->m);
    double v = norm(t->s->v, t->n);
    double l = norm(t->s->lambda, t->m);
    t->unknown[0] = larger(v, ratio_or(f, M, 0.0));
    t->unknown[1] = larger(l, t->n > 0 ? ratio_or(f, Jt, 0.0) : ratio_or(b, R, 0.0));
    t->residual[0] = M * v + Jt * l + f;
    t->residual[1] = J * v + R * l + b + free_row_velocity(t);
    for (int k = 0; k < 2; k++) {
        if (t->unknown[k] == 0.0) t->unknown[k] = 1.0;
        if (t->residual[k] == 0.0) t->residual[k] = 1.0;
    }
}

static double size_of(const twin *t, const double size[2], int64_t i)
{
    return size[i >= t->n];
}

static void form_system(twin *t)
{
    int64_t n = t->n;
    int64_t m = t->m;
    int64_t N = n + t->count;
    t->K = zeros(N, N);
    t->rhs = zeros(N, 1);
    double *RB = zeros(m, 1);
    for (int64_t j = 0; j < n; j++) {
        t->rhs[j] = t->p->f ? t->p->f[j] : 0.0;
        for (int64_t i = 0; i < n; i++) t->K[i + j * N] = t->M[i + j * n];
        for (int64_t i = 0; i < m; i++) {
            t->rhs[j] += t->J[j + i * n] * t->fixed[i];
            for (int64_t k = 0; k < t->count; k++) {
                t->K[j + (n + k) * N] -= t->J[j + i * n] * t->B[i + k * m];
                t->K[n + k + j * N] += t->C[i + k * m] * t->J[j + i * n];
            }
        }
    }
    for (int64_t k = 0; k < t->count; k++) {
        for (int64_t i = 0; i < m; i++) {
            RB[i] = row_of(t, i, NULL, t->B + k * m);
            t->rhs[n + k] += t->C[i + k * m] *
                             ((t->p->b ? t->p->b[i] : 0.0) - row_of(t, i, NULL, t->fixed));
        }
        for (int64_t l = 0; l < t->count; l++)
            for (int64_t i = 0; i < m; i++) t->K[n + l + (n + k) * N] += t->C[i + l * m] * RB[i];
    }
    for (int64_t i = 0; i < N; i++) {
        double by = 1.0 / size_of(t, t->residual, i);
        t->rhs[i] *= by;
        for (int64_t j = 0; j < N; j++) t->K[i + j * N] *= by * size_of(t, t->unknown, j);
    }
    free(RB);
}

/* x (N): rhs in, the solution of least norm out; returns the rank */
static int64_t least_norm(const twin *t, double *x)
{
    int64_t N = t->n + t->count;
    int64_t rank;
    double *K = zeros(N, N);
    memcpy(K, t->K, (size_t)(N * N) * sizeof *K);
    assert_int_equal(test_dense_least_norm(NULL, N, N, K, x, rank_tolerance, &rank), SADDLE_OK);
    free(K);
    return rank;
}

static double condition_of(const twin *t, int64_t rank)
{
    int64_t N = t->n + t->count;
    double *K = zeros(N, N);
    double *sigma = zeros(N, 1);
    memcpy(K, t->K, (size_t)(N * N) * sizeof *K);
    test_singular_values(N, N, K, sigma);
    double condition = rank > 0 ? 1.0 / sigma[rank - 1] : 1.0;
    free(K);
    free(sigma);
    return condition;
}

/* x <- the solution of the system nearest to the one found: x + (1 - K^+ K)(found - x) */
static void go_near(const twin *t, double *x)
{
    int64_t N = t->n + t->count;
    double *found = zeros(N, 1);
    double *across = zeros(N, 1);
    for (int64_t j = 0; j < t->n; j++) found[j] = t->s->v[j] / t->unknown[0];
    for (int64_t k = 0; k < t->count; k++) { /* B's columns are orthogonal */
        const double *B = t->B + k * t->m;
        double product = 0.0;
        double square = 0.0;
        for (int64_t i = 0; i < t->m; i++) {
            product += B[i] * t->s->lambda[i];
            square += B[i] * B[i];
        }
        found[t->n + k] = product / square / t->unknown[1];
    }
    for (int64_t j = 0; j < N; j++)
        for (int64_t i = 0; i < N; i++) across[i] += t->K[i + j * N] * (found[j] - x[j]);
    (void)least_norm(t, across);
    for (int64_t j = 0; j < N; j++) x[j] = found[j] - across[j];
    free(found);
    free(across);
}

/* ---- the comparison ---- */

static void measure(const twin *t, const double *x, twin_comparison *compared)
{
    double *v = zeros(t->n, 1);
    double *lambda = zeros(t->m, 1);
    double scale = larger(norm(t->p->b, t->m), free_row_velocity(t));
    double error = 0.0;
    for (int64_t j = 0; j < t->n; j++) {
        v[j] = x[j] * t->unknown[0];
        compared->v = larger(compared->v, fabs(v[j] - t->s->v[j]) / t->unknown[0]);
    }
    for (int64_t i = 0; i < t->m; i++) {
        lambda[i] = t->fixed[i];
        for (int64_t k = 0; k < t->count; k++)
            lambda[i] += t->B[i + k * t->m] * x[t->n + k] * t->unknown[1];
    }
    for (int64_t i = 0; i < t->m; i++) {
        double Jv = row_of(t, i, v, NULL);
        double Rl = row_of(t, i, NULL, lambda);
        double w = Jv + Rl - (t->p->b ? t->p->b[i] : 0.0);
        compared->lambda = larger(compared->lambda,
                                  fabs(lambda[i] - t->s->lambda[i]) / t->unknown[1]);
        scale = larger(scale, larger(fabs(Jv), fabs(Rl)));
        error = larger(error, fabs(w - t->s->w[i]));
    }
    compared->w = error > 0.0 ? error / scale : 0.0;
    compared->condition = larger(compared->condition, ratio_or(t->residual[1], scale, 0.0));
    free(v);
    free(lambda);
}

int dense_twin_compare(const saddle_problem *problem, const saddle_solution *solution,
                       twin_comparison *compared)
{
    *compared = (twin_comparison){0};
    if (problem->n + problem->m > DENSE_TWIN_LIMIT) return 0;
    for (int64_t c = 0; c < problem->contact_count; c++)
        if (problem->contacts[c].size > 3) return 0; /* torsion, rolling: no states here */
    twin t;
    open_twin(problem, solution, &t);
    set_state(&t);
    set_scales(&t);
    form_system(&t);
    int64_t N = t.n + t.count;
    double *x = zeros(N, 1);
    memcpy(x, t.rhs, (size_t)N * sizeof *x);
    int64_t rank = least_norm(&t, x);
    if (rank < N) go_near(&t, x);
    compared->condition = condition_of(&t, rank);
    measure(&t, x, compared);
    free(x);
    close_twin(&t);
    return 1;
}
