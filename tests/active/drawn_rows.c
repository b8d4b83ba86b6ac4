/* SPDX-License-Identifier: MIT */
/* See drawn_rows.h. */
#include "drawn_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense.h"

static double entry(const drawn_kkt *d, int64_t i, int64_t j)
{
    return d->dense[i + j * d->size];
}

static void couple(uint64_t *state, drawn_kkt *d, int64_t couples)
{
    for (int64_t k = 0; k < couples && d->m > 1; k++) {
        int64_t a = d->n + test_integer(state, 0, d->m - 1);
        int64_t b = d->n + test_integer(state, 0, d->m - 1);
        double least = fmin(fabs(entry(d, a, a)), fabs(entry(d, b, b)));
        if (a == b) continue;
        double value = test_uniform(state, -1.0, 1.0) * least / (double)(couples + 1);
        d->dense[a + b * d->size] = d->dense[b + a * d->size] = value;
    }
}

/* the scales as docs/theory.md, section 4, has them: of rows over the masses there are, of the
 * others over the rows */
static void take_mass(drawn_kkt *d, int64_t massless)
{
    for (int64_t j = 0; j < massless; j++) {
        for (int64_t i = 0; i < d->n; i++)
            d->dense[i + j * d->size] = d->dense[j + i * d->size] = 0.0;
        d->late[j] = SADDLE__AFTER_NEIGHBOUR;
    }
    for (int64_t i = d->n; massless > 0 && i < d->size; i++) {
        d->scale[i] = fabs(entry(d, i, i));
        for (int64_t j = massless; j < d->n; j++)
            d->scale[i] += pow(entry(d, i, j), 2.0) / entry(d, j, j);
        if (!(d->scale[i] > 0.0)) d->scale[i] = (double)d->n;
    }
    for (int64_t j = 0; j < massless; j++) {
        d->scale[j] = 0.0;
        for (int64_t i = d->n; i < d->size; i++)
            d->scale[j] += pow(entry(d, i, j), 2.0) / d->scale[i];
        if (!(d->scale[j] > 0.0)) d->scale[j] = 1.0;
    }
}

/* rows [row, row + rows) and columns [col, col + cols) of factor K, its lower triangle if
 * symmetric */
static saddle_matrix cut(const drawn_kkt *d, int64_t row, int64_t rows, int64_t col, int64_t cols,
                         double factor, saddle_symmetry symmetry)
{
    saddle_matrix A;
    assert_int_equal(saddle_matrix_create(NULL, rows, cols, rows * cols, symmetry, &A), SADDLE_OK);
    int64_t count = 0;
    for (int64_t j = 0; j < cols; j++) {
        for (int64_t i = symmetry == SADDLE_SYMMETRY_LOWER ? j : 0; i < rows; i++) {
            if (entry(d, row + i, col + j) == 0.0) continue;
            A.index[count] = i;
            A.value[count++] = factor * entry(d, row + i, col + j);
        }
        A.start[j + 1] = count;
    }
    return A;
}

drawn_rows draw_rows_problem(uint64_t *state, kkt_kind kind, int64_t couples, int64_t massless)
{
    drawn_rows r = {.d = draw_kkt(state, kind)};
    drawn_kkt *d = &r.d;
    couple(state, d, couples);
    take_mass(d, massless);
    r.problem.n = d->n;
    r.problem.m = d->m;
    r.problem.M = cut(d, 0, d->n, 0, d->n, 1.0, SADDLE_SYMMETRY_LOWER);
    r.problem.Jt = cut(d, 0, d->n, d->n, d->m, 1.0, SADDLE_SYMMETRY_NONE);
    r.problem.R = cut(d, d->n, d->m, d->n, d->m, -1.0, SADDLE_SYMMETRY_LOWER);
    r.added = calloc((size_t)d->size + 1, sizeof(*r.added));
    for (int64_t i = 0; i < d->size; i++)
        if (entry(d, i, i) == 0.0) r.added[i] = (i < d->n ? 1e-10 : -1e-10) * d->scale[i];
    saddle__pivot_rule rule = {.sign = d->sign,
                               .scale = d->scale,
                               .smallest = 1e-14,
                               .replacement = 1e-10};
    r.values.added = r.added;
    r.values.rule = rule;
    return r;
}

void drawn_rows_clear(drawn_rows *r)
{
    saddle_matrix_clear(&r->problem.M);
    saddle_matrix_clear(&r->problem.Jt);
    saddle_matrix_clear(&r->problem.R);
    free(r->added);
    drawn_kkt_clear(&r->d);
}

static double unit(const drawn_rows *r, int64_t i)
{
    return 1.0 / sqrt(r->d.scale[i]);
}

/* d K d over the active nodes, listed in node; their number */
static int64_t gather(const drawn_rows *r, const signed char *in, double *A, int64_t *node)
{
    int64_t count = 0;
    for (int64_t i = 0; i < r->d.size; i++)
        if (i < r->d.n || in[i - r->d.n]) node[count++] = i;
    for (int64_t j = 0; j < count; j++)
        for (int64_t i = 0; i < count; i++)
            A[i + j * count] = unit(r, node[i]) * entry(&r->d, node[i], node[j]) * unit(r, node[j]);
    return count;
}

void twin_solve(const drawn_rows *r, const signed char *in, double *x)
{
    int64_t size = r->d.size;
    double *A = calloc((size_t)(size * size + size + 1), sizeof(*A));
    double *y = A + size * size;
    int64_t *node = calloc((size_t)size + 1, sizeof(*node));
    int64_t count = gather(r, in, A, node);
    for (int64_t i = 0; i < count; i++) y[i] = unit(r, node[i]) * x[node[i]];
    assert_int_equal(saddle__dense_solve(NULL, count, A, y), SADDLE_OK);
    for (int64_t i = 0; i < size; i++) x[i] = 0.0;
    for (int64_t i = 0; i < count; i++)
        x[node[i]] = (node[i] < r->d.n ? 1.0 : -1.0) * unit(r, node[i]) * y[i];
    free(A);
    free(node);
}

double twin_distance(const drawn_rows *r, const double *x, const double *y)
{
    double most = 0.0;
    double apart = 0.0;
    for (int64_t i = 0; i < r->d.size; i++) {
        most = fmax(most, fabs(y[i]) / unit(r, i));
        double difference = fabs(x[i] - y[i]) / unit(r, i);
        if (!(difference <= apart)) apart = isnan(difference) ? (double)INFINITY : difference;
    }
    return apart > 0.0 ? apart / most : 0.0;
}

double twin_regularity(const drawn_rows *r, const signed char *in)
{
    int64_t size = r->d.size;
    double *A = calloc((size_t)(size * size + size + 1), sizeof(*A));
    double *sigma = A + size * size;
    int64_t *node = calloc((size_t)size + 1, sizeof(*node));
    int64_t count = gather(r, in, A, node);
    test_singular_values(count, count, A, sigma);
    double regularity = count > 0 ? sigma[count - 1] / sigma[0] : 1.0;
    free(A);
    free(node);
    return regularity;
}
