/* SPDX-License-Identifier: MIT */
#include "drawn_kkt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ldlt/ldlt_internal.h"

static void set(drawn_kkt *d, int64_t i, int64_t j, double a)
{
    d->dense[i + j * d->size] = d->dense[j + i * d->size] = a;
}

static double get(const drawn_kkt *d, int64_t i, int64_t j)
{
    return d->dense[i + j * d->size];
}

/* M: diagonally dominant */
static void draw_masses(uint64_t *state, const kkt_kind *kind, drawn_kkt *d)
{
    for (int64_t j = 0; j < kind->n; j++) {
        for (int64_t k = 0; k < kind->links; k++) {
            int64_t i = test_integer(state, 0, kind->n - 1);
            if (i != j) set(d, i, j, test_uniform(state, -1.0, 1.0));
        }
    }
    for (int64_t j = 0; j < kind->n; j++) {
        double sum = 0.0;
        for (int64_t i = 0; i < kind->n; i++)
            if (i != j) sum += fabs(get(d, i, j));
        set(d, j, j, sum + test_uniform(state, 0.5, 1.5));
    }
}

/* J: rows of full rank by a large entry in a column of their own; then rows without such a column
 */
static void draw_rows(uint64_t *state, const kkt_kind *kind, drawn_kkt *d)
{
    int64_t n = kind->n;
    int64_t independent = kind->m - kind->copies;
    for (int64_t i = 0; i < kind->m; i++) {
        int64_t row = n + i;
        int copy = i >= independent;
        for (int64_t k = 0; !copy && n > 0 && k < kind->links; k++)
            set(d, row, test_integer(state, 0, n - 1), test_uniform(state, -1.0, 1.0));
        if (!copy && n > 0) set(d, row, i % n, (double)kind->links + 1.0);
        int64_t a = copy ? n + test_integer(state, 0, independent - 1) : 0;
        int64_t b = copy ? n + test_integer(state, 0, independent - 1) : 0;
        for (int64_t j = 0; copy && j < n; j++) set(d, row, j, get(d, a, j) + get(d, b, j));
        int rigid = copy || test_integer(state, 0, 3) < kind->rigid;
        set(d, row, row, rigid ? 0.0 : -test_uniform(state, 0.01, 1.0));
        d->late[row] = rigid ? 2 : 0;
    }
}

/* s_i = |K_ii| + sum_j J_ij^2 / M_jj: docs/theory.md, section 4 */
static void measure(const kkt_kind *kind, drawn_kkt *d)
{
    for (int64_t i = 0; i < d->size; i++) {
        d->sign[i] = i < kind->n ? 1 : -1;
        d->scale[i] = fabs(get(d, i, i));
        for (int64_t j = 0; i >= kind->n && j < kind->n; j++)
            d->scale[i] += get(d, i, j) * get(d, i, j) / get(d, j, j);
        if (!(d->scale[i] > 0.0)) d->scale[i] = 1.0;
    }
}

static void rescale(uint64_t *state, const kkt_kind *kind, drawn_kkt *d)
{
    for (int64_t i = 0; i < d->size; i++) {
        int k = (int)(kind->decades * test_uniform(state, -1.0, 1.0));
        for (int64_t j = 0; j < d->size; j++) {
            d->dense[i + j * d->size] = ldexp(get(d, i, j), k);
            d->dense[j + i * d->size] = ldexp(get(d, j, i), k);
        }
    }
}

static void make_sparse(drawn_kkt *d)
{
    int64_t size = d->size;
    int64_t *row = malloc((size_t)(size * size + 1) * sizeof(*row));
    int64_t *col = malloc((size_t)(size * size + 1) * sizeof(*col));
    double *value = malloc((size_t)(size * size + 1) * sizeof(*value));
    int64_t count = 0;
    for (int64_t j = 0; j < size; j++) {
        for (int64_t i = j; i < size; i++) {
            if (i != j && get(d, i, j) == 0.0) continue;
            row[count] = i;
            col[count] = j;
            value[count++] = get(d, i, j);
        }
    }
    assert_int_equal(saddle_matrix_from_triplets(NULL, size, size, count, row, col, value,
                                                 SADDLE_SYMMETRY_LOWER, &d->K),
                     SADDLE_OK);
    free(row);
    free(col);
    free(value);
}

drawn_kkt draw_kkt(uint64_t *state, kkt_kind kind)
{
    drawn_kkt d = {.n = kind.n, .m = kind.m, .size = kind.n + kind.m};
    d.dense = calloc((size_t)(d.size * d.size + 1), sizeof(*d.dense));
    d.sign = calloc((size_t)(d.size + 1), sizeof(*d.sign));
    d.late = calloc((size_t)(d.size + 1), sizeof(*d.late));
    d.scale = calloc((size_t)(d.size + 1), sizeof(*d.scale));
    draw_masses(state, &kind, &d);
    draw_rows(state, &kind, &d);
    rescale(state, &kind, &d);
    measure(&kind, &d);
    make_sparse(&d);
    return d;
}

void drawn_kkt_clear(drawn_kkt *d)
{
    saddle_matrix_clear(&d->K);
    free(d->dense);
    free(d->sign);
    free(d->late);
    free(d->scale);
}

double drawn_kkt_error(const drawn_kkt *d, const double *x, const double *b)
{
    double worst = 0.0;
    for (int64_t i = 0; i < d->size; i++) {
        double r = b[i];
        double s = fabs(b[i]);
        for (int64_t j = 0; j < d->size; j++) {
            r -= get(d, i, j) * x[j];
            s += fabs(get(d, i, j) * x[j]);
        }
        if (!(fabs(r) <= worst * s)) worst = isfinite(r / s) ? fabs(r) / s : (double)INFINITY;
    }
    return worst;
}

void test_same_counts(const saddle__factor_counts *a, const saddle__factor_counts *b)
{
    assert_int_equal(a->inertia.positive, b->inertia.positive);
    assert_int_equal(a->inertia.negative, b->inertia.negative);
    assert_int_equal(a->inertia.zero, b->inertia.zero);
    assert_int_equal(a->perturbed_pivots, b->perturbed_pivots);
    assert_int_equal(a->first_perturbed, b->first_perturbed);
    assert_int_equal(a->failed_column, b->failed_column);
    assert_memory_equal(&a->least_pivot, &b->least_pivot, sizeof(a->least_pivot));
}

void test_same_factors(saddle__ldlt *F, saddle__ldlt *G, uint64_t *state)
{
    enum { COLUMNS = 3 };
    size_t size = (size_t)F->n;
    double *x = calloc(COLUMNS * size, sizeof(*x));
    double *y = calloc(COLUMNS * size, sizeof(*y));
    assert_memory_equal(F->pivot, G->pivot, size * sizeof(double));
    for (size_t i = 0; i < COLUMNS * size; i++) x[i] = y[i] = test_uniform(state, -1.0, 1.0);
    saddle__ldlt_solve(F, SADDLE__LDLT_WHOLE, COLUMNS, x, F->n);
    saddle__ldlt_solve(G, SADDLE__LDLT_WHOLE, COLUMNS, y, F->n);
    assert_memory_equal(x, y, COLUMNS * size * sizeof(*x));
    free(x);
    free(y);
}
