/* SPDX-License-Identifier: MIT */
/* See drawn.h. */
#include "drawn.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense.h"
#include "dense_kkt.h"

static double *dense(int64_t rows, int64_t cols)
{
    double *A = calloc((size_t)(rows * cols + 1), sizeof(*A));
    assert_non_null(A);
    return A;
}

static saddle_matrix sparse(int64_t rows, int64_t cols, const double *A, saddle_symmetry symmetry)
{
    int64_t *row = calloc((size_t)(rows * cols + 1), sizeof(*row));
    int64_t *col = calloc((size_t)(rows * cols + 1), sizeof(*col));
    double *value = dense(rows, cols);
    int64_t count = 0;
    for (int64_t j = 0; j < cols; j++) {
        for (int64_t i = symmetry == SADDLE_SYMMETRY_LOWER ? j : 0; i < rows; i++) {
            if (A[i + j * rows] == 0.0) continue;
            row[count] = i;
            col[count] = j;
            value[count++] = A[i + j * rows];
        }
    }
    saddle_matrix S = {0};
    assert_int_equal(saddle_matrix_from_triplets(NULL, rows, cols, count, row, col, value, symmetry,
                                                 &S),
                     SADDLE_OK);
    free(row);
    free(col);
    free(value);
    return S;
}

/* A (n x n) += G G' with G sparse, n x rank */
static void add_square(uint64_t *state, double *A, int64_t n, int64_t rank)
{
    double *g = dense(n, 1);
    for (int64_t k = 0; k < rank; k++) {
        for (int64_t i = 0; i < n; i++)
            g[i] = test_integer(state, 0, 3) == 0 ? test_uniform(state, -1.0, 1.0) : 0.0;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++) A[i + j * n] += g[i] * g[j];
    }
    free(g);
}

static void draw_square(uint64_t *state, double *A, int64_t n, const drawn_kind *kind)
{
    add_square(state, A, n, n);
    for (int64_t i = 0; i < n; i++) {
        A[i + i * n] += test_uniform(state, 0.5, 2.0);
        if (kind->indefinite && test_integer(state, 0, 1)) A[i + i * n] = -A[i + i * n] - 1.0;
    }
    for (int64_t j = 0; kind->unsymmetric && j < n; j++) {
        for (int64_t i = 0; i < j; i++) {
            if (test_integer(state, 0, 3)) continue;
            double skew = test_uniform(state, -1.0, 1.0);
            A[i + j * n] += skew;
            A[j + i * n] -= skew;
        }
    }
}

/* Some velocities lose their mass; each then needs a row of its own, J_ij = 2 for j = i by
 * draw_rows. */
static void take_masses(uint64_t *state, double *M, const drawn_kind *kind)
{
    for (int64_t j = 0; kind->massless && j < kind->n && j < kind->m; j++) {
        if (test_integer(state, 0, 3)) continue;
        for (int64_t i = 0; i < kind->n; i++) M[i + j * kind->n] = M[j + i * kind->n] = 0.0;
    }
}

static void draw_compliance(uint64_t *state, double *R, int64_t m, const drawn_kind *kind)
{
    if (kind->n == 0) {
        draw_square(state, R, m, kind);
        if (kind->redundant && m > 1) { /* semidefinite after all: the last row and column repeat
                                           the first */
            for (int64_t i = 0; i < m - 1; i++) R[i + (m - 1) * m] = R[i];
            for (int64_t j = 0; j < m; j++) R[m - 1 + j * m] = R[j * m];
        }
        return;
    }
    if (kind->compliance == SEMIDEFINITE_R) add_square(state, R, m, m / 2);
    if (kind->compliance == DEFINITE_R) add_square(state, R, m, m);
    if (kind->compliance == DIAGONAL_R || kind->compliance == DEFINITE_R)
        for (int64_t i = 0; i < m; i++) R[i + i * m] += test_uniform(state, 0.1, 1.0);
}

/* J (m x n): independent rows first; redundant ones are copies, sums or zeros, R = 0 there */
static void draw_rows(uint64_t *state, double *J, double *R, const drawn_kind *kind)
{
    int64_t n = kind->n;
    int64_t m = kind->m;
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < n; j++)
            if (test_integer(state, 0, 2) == 0) J[i + j * m] = test_uniform(state, -1.0, 1.0);
        if (n > 0) J[i + (i % n) * m] += 2.0;
        if (!kind->redundant || i == 0 || test_integer(state, 0, 1)) continue;
        int64_t a = test_integer(state, 0, i - 1);
        int64_t b = test_integer(state, 0, i - 1);
        int64_t way = test_integer(state, 0, 2);
        for (int64_t j = 0; j < n; j++) {
            double x = way == 0   ? 0.0
                       : way == 1 ? 2.0 * J[a + j * m]
                                  : J[a + j * m] - 0.5 * J[b + j * m];
            J[i + j * m] = fabs(x) < 1e-12 ? 0.0 : x; /* what rounding leaves of a zero would be a
                                                         row of its own */
        }
        for (int64_t j = 0; kind->nearly > 0.0 && j < n; j++)
            J[i + j * m] += kind->nearly * test_uniform(state, -1.0, 1.0);
        for (int64_t j = 0; n > 0 && j < m; j++) R[i + j * m] = R[j + i * m] = 0.0;
    }
}

static double power_of_two(uint64_t *state, double decades)
{
    return exp2(round(test_uniform(state, -decades, decades) * log2(10.0)));
}

static void rescale(double *A, int64_t rows, int64_t cols, const double *left, const double *right)
{
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < rows; i++) A[i + j * rows] *= left[i] * right[j];
}

static double *duplicate(const double *x, int64_t count)
{
    double *y = saddle_allocate(NULL, count, sizeof(*y));
    assert_non_null(y);
    if (count > 0) memcpy(y, x, (size_t)count * sizeof(*y));
    return y;
}

/* the twin's answer, rank, condition and inertia from the dense KKT matrix of the problem in its
 * own units */
static void solve_densely(drawn *d, const drawn_kind *kind)
{
    int64_t n = kind->n;
    int64_t size = n + kind->m;
    double *K;
    double *x;
    assert_int_equal(test_dense_kkt(NULL, &d->problem, &K, &x), SADDLE_OK);
    double *copy = duplicate(K, size * size);
    double *sigma = dense(size, 1);
    if (size > 0) test_singular_values(size, size, copy, sigma);
    d->rank = 0;
    while (d->rank < size && sigma[d->rank] > 1e-11 * sigma[0]) d->rank++;
    d->doubtful = d->rank < size && sigma[d->rank] > (double)size * DBL_EPSILON * sigma[0];
    d->condition = d->rank > 0 ? sigma[0] / sigma[d->rank - 1] : 1.0;
    if (!kind->unsymmetric && size > 0) {
        memcpy(copy, K, (size_t)(size * size) * sizeof(*K));
        assert_int_equal(saddle__dense_eigenvalues(NULL, size, copy, sigma), SADDLE_OK);
        double limit = 1e-11 * fmax(fabs(sigma[0]), fabs(sigma[size - 1]));
        for (int64_t i = 0; i < size; i++) {
            d->positive += sigma[i] > limit;
            d->negative += sigma[i] < -limit;
        }
    }
    int64_t rank = size;
    if (size > 0)
        assert_int_equal(test_dense_least_norm(NULL, size, size, K, x, 1e-11, &rank), SADDLE_OK);
    d->v = dense(n, 1);
    d->lambda = dense(kind->m, 1);
    for (int64_t j = 0; j < n; j++) d->v[j] = x[j];
    for (int64_t i = 0; i < kind->m; i++) d->lambda[i] = -x[n + i];
    saddle_release(NULL, K);
    saddle_release(NULL, x);
    saddle_release(NULL, copy);
    free(sigma);
}

void draw_problem(uint64_t *state, drawn_kind kind, drawn *d)
{
    int64_t n = kind.n;
    int64_t m = kind.m;
    double *M = dense(n, n);
    double *R = dense(m, m);
    double *J = dense(m, n);
    draw_square(state, M, n, &kind);
    take_masses(state, M, &kind);
    draw_compliance(state, R, m, &kind);
    draw_rows(state, J, R, &kind);
    double *Jt = dense(n, m);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) Jt[j + i * n] = J[i + j * m];
    double *f = dense(n, 1);
    double *b = dense(m, 1);
    double *v = dense(n, 1); /* b = J v + R l is consistent whatever the rank; f is arbitrary unless
                                n = 0 */
    double *l = dense(m, 1);
    for (int64_t j = 0; j < n; j++) v[j] = test_uniform(state, -1.0, 1.0);
    for (int64_t i = 0; i < m; i++) l[i] = test_uniform(state, -1.0, 1.0);
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < n; j++) b[i] += J[i + j * m] * v[j];
        for (int64_t j = 0; j < m; j++) b[i] += R[i + j * m] * l[j];
        if (kind.contradictory) b[i] += test_uniform(state, 0.5, 1.0);
    }
    for (int64_t j = 0; j < n; j++) f[j] = test_uniform(state, -1.0, 1.0);

    memset(d, 0, sizeof(*d));
    saddle_symmetry M_kind = kind.unsymmetric && n > 0 ? SADDLE_SYMMETRY_NONE
                                                       : SADDLE_SYMMETRY_LOWER;
    saddle_symmetry R_kind = kind.unsymmetric && n == 0 ? SADDLE_SYMMETRY_NONE
                                                        : SADDLE_SYMMETRY_LOWER;
    saddle_problem *p = &d->problem;
    p->n = n;
    p->m = m;
    p->owner = 1;
    p->f = duplicate(f, n);
    p->b = duplicate(b, m);
    p->M = sparse(n, n, M, M_kind);
    p->Jt = sparse(n, m, Jt, SADDLE_SYMMETRY_NONE);
    int has_R = n == 0 || kind.compliance != RIGID;
    if (has_R) p->R = sparse(m, m, R, R_kind);
    solve_densely(d, &kind);

    d->S = dense(n, 1);
    d->D = dense(m, 1);
    for (int64_t j = 0; j < n; j++) d->S[j] = power_of_two(state, kind.decades);
    for (int64_t i = 0; i < m; i++) d->D[i] = power_of_two(state, kind.decades);
    rescale(M, n, n, d->S, d->S);
    rescale(Jt, n, m, d->S, d->D);
    rescale(R, m, m, d->D, d->D);
    saddle_matrix_clear(&p->M);
    saddle_matrix_clear(&p->Jt);
    saddle_matrix_clear(&p->R);
    p->M = sparse(n, n, M, M_kind);
    p->Jt = sparse(n, m, Jt, SADDLE_SYMMETRY_NONE);
    if (has_R) p->R = sparse(m, m, R, R_kind);
    for (int64_t j = 0; j < n; j++) p->f[j] *= d->S[j];
    for (int64_t i = 0; i < m; i++) p->b[i] *= d->D[i];
    free(M);
    free(R);
    free(J);
    free(Jt);
    free(f);
    free(b);
    free(v);
    free(l);
}

void drawn_clear(drawn *d)
{
    saddle_problem_clear(&d->problem);
    free(d->v);
    free(d->lambda);
    free(d->S);
    free(d->D);
    memset(d, 0, sizeof(*d));
}

static double error(const double *x, const double *unit, const double *twin, int64_t count)
{
    double worst = 0.0;
    double scale = 1.0;
    for (int64_t i = 0; i < count; i++) {
        double difference = fabs(x[i] * unit[i] - twin[i]);
        if (!isfinite(difference)) return (double)INFINITY;
        worst = fmax(worst, difference);
        scale = fmax(scale, fabs(twin[i]));
    }
    return worst / scale;
}

double drawn_velocity_error(const drawn *d, const double *v)
{
    return error(v, d->S, d->v, d->problem.n);
}

double drawn_impulse_error(const drawn *d, const double *lambda)
{
    return error(lambda, d->D, d->lambda, d->problem.m);
}

drawn_kind draw_kind(uint64_t *state, int64_t largest, int symmetric, int regular)
{
    drawn_kind kind = {.n = test_integer(state, 0, largest)};
    kind.m = test_integer(state, 0, kind.n > 0 && regular ? kind.n : largest);
    kind.unsymmetric = !symmetric && test_integer(state, 0, 2) > 0;
    kind.compliance = (drawn_compliance)test_integer(state, 0, 3);
    kind.redundant = !regular && test_integer(state, 0, 1);
    kind.decades = test_integer(state, 0, 1) ? 0.0 : test_uniform(state, 0.0, 4.0);
    return kind;
}
