/* SPDX-License-Identifier: MIT */
#include "drawn_bounded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense.h"

typedef struct entries {
    int64_t count;
    int64_t *row, *col;
    double *value;
} entries;

static void *make(int64_t count, size_t size)
{
    void *array = calloc((size_t)count + 1, size);
    assert_non_null(array);
    return array;
}

static void put(uint64_t *state, entries *e, int64_t i, int64_t j)
{
    e->row[e->count] = i > j ? i : j;
    e->col[e->count] = i > j ? j : i;
    e->value[e->count++] = test_uniform(state, -1.0, 1.0);
}

static void draw_entries(uint64_t *state, int64_t m, bounded_pattern pattern, int64_t width,
                         entries *e)
{
    for (int64_t i = 0; i < m; i++) {
        int64_t from = pattern == BOUNDED_BAND                 ? i - width
                       : pattern == BOUNDED_DENSE && i < width ? 0
                                                               : i;
        for (int64_t j = from < 0 ? 0 : from; j < i; j++) put(state, e, i, j);
        if (pattern == BOUNDED_GRID && i % width > 0) put(state, e, i, i - 1);
        if (pattern == BOUNDED_GRID && i >= width) put(state, e, i, i - width);
        for (int64_t k = 0; pattern == BOUNDED_RANDOM && i > 0 && k < width; k++)
            put(state, e, i, test_integer(state, 0, i - 1)); /* some twice: they add up */
    }
}

/* b->diagonal + b->added: what makes A dominant. */
static void draw_matrix(uint64_t *state, bounded *b, bounded_pattern pattern, int64_t width,
                        double dominance)
{
    int64_t m = b->m;
    int64_t most = m * (width + 3) + width * width;
    entries e = {.row = make(most, 8), .col = make(most, 8), .value = make(most, 8)};
    double *sum = make(m, sizeof(*sum));
    draw_entries(state, m, pattern, width, &e);
    for (int64_t k = 0; k < e.count; k++) {
        sum[e.row[k]] += fabs(e.value[k]);
        sum[e.col[k]] += fabs(e.value[k]);
    }
    for (int64_t i = 0; i < m; i++) {
        int zeros = sum[i] == 0.0 && test_integer(state, 0, 3) == 0;
        double own = zeros ? 0.0 : dominance * sum[i] + 0.1;
        double share = test_integer(state, 0, 1) ? 0.01 : 0.0;
        b->added[i] = share * own;
        b->diagonal[i] = own - b->added[i];
        b->scale[i] = zeros ? 1.0 : own;
        b->step[i] = zeros ? 0.0 : 1.0 / own;
        b->signs[i] = b->sign < 0.0 ? -1 : 1;
        e.row[e.count] = e.col[e.count] = i;
        e.value[e.count++] = b->diagonal[i] + b->added[i];
    }
    assert_int_equal(saddle_matrix_from_triplets(NULL, m, m, e.count, e.row, e.col, e.value,
                                                 SADDLE_SYMMETRIC, &b->A),
                     SADDLE_OK);
    free(sum);
    free(e.row);
    free(e.col);
    free(e.value);
}

static void draw_bounds(uint64_t *state, bounded *b)
{
    for (int64_t i = 0; i < b->m; i++) {
        int64_t kind = test_integer(state, 0, 6);
        b->lo[i] = kind == 0 ? -(double)INFINITY : kind == 1 ? test_uniform(state, -1.0, 1.0) : 0.0;
        b->hi[i] = kind == 2 || kind == 1 ? b->lo[i] + test_uniform(state, 0.0, 0.3)
                                          : (double)INFINITY;
        if (kind == 0 && test_integer(state, 0, 1)) b->hi[i] = 0.0;
        if (kind == 3 && test_integer(state, 0, 3) == 0) b->hi[i] = b->lo[i];
        b->lambda[i] = isfinite(b->lo[i]) ? b->lo[i] : isfinite(b->hi[i]) ? b->hi[i] : 0.1;
        b->q[i] = b->step[i] == 0.0 ? 0.0 : test_uniform(state, -1.0, 1.0);
    }
}

void bounded_forget(bounded *b)
{
    saddle__ldlt_request request = {.ordering = SADDLE_ORDERING_BEST};
    saddle__part_free(b->part);
    assert_int_equal(saddle__part_create(NULL, &b->A, &request, &b->part), SADDLE_OK);
    b->system.part = b->part;
}

bounded *bounded_draw(uint64_t *state, int64_t m, bounded_pattern pattern, int64_t width,
                      double dominance)
{
    bounded *b = make(1, sizeof(*b));
    double **arrays[] = {&b->diagonal, &b->added, &b->lo,    &b->hi,
                         &b->q,        &b->step,  &b->scale, &b->lambda};
    for (size_t k = 0; k < sizeof(arrays) / sizeof(*arrays); k++)
        *arrays[k] = make(m, sizeof(double));
    b->signs = make(m, 1);
    b->in = make(m, 1);
    b->m = m;
    b->sign = test_integer(state, 0, 1) ? 1.0 : -1.0;
    draw_matrix(state, b, pattern, width, dominance);
    draw_bounds(state, b);
    assert_int_equal(saddle__whole_rows_create(NULL, &b->A, &b->beside), SADDLE_OK);
    saddle__whole_rows_set(&b->beside, &b->A);
    bounded_forget(b);
    saddle__bounded_rows rows = {.m = m, .lo = b->lo, .hi = b->hi, .q = b->q, .step = b->step};
    saddle__local_system system = {.beside = &b->beside,
                                   .diagonal = b->diagonal,
                                   .added = b->added,
                                   .sign = b->sign};
    b->rows = rows;
    system.part = b->part;
    b->system = system;
    assert_int_equal(saddle__pivoting_create(NULL, m, &b->pivoting), SADDLE_OK);
    saddle__pivoting_begin(&b->pivoting, &b->rows, 0, b->lambda);
    for (int64_t i = 0; i < m; i++)
        if (b->step[i] == 0.0) b->pivoting.state[i] = SADDLE__AT_LO; /* never basic */
    return b;
}

void bounded_free(bounded *b)
{
    void *arrays[] = {b->diagonal, b->added,  b->lo,    b->hi, b->q,        b->step,
                      b->scale,    b->lambda, b->signs, b->in, (void *)NULL};
    for (size_t k = 0; k < sizeof(arrays) / sizeof(*arrays); k++) free(arrays[k]);
    saddle__pivoting_clear(&b->pivoting);
    saddle__part_free(b->part);
    saddle__whole_rows_clear(&b->beside);
    saddle_matrix_clear(&b->A);
    free(b);
}

/* w = A lambda + q, and the rounding of it. */
static void take_slack(const bounded *b, const double *lambda, double *w, double *noise)
{
    for (int64_t i = 0; i < b->m; i++) {
        double modulus;
        double own = (b->diagonal[i] + b->added[i]) * lambda[i];
        w[i] = b->q[i] + own + saddle__whole_row_times_both(&b->beside, i, lambda, &modulus);
        if (noise) noise[i] = 1e-13 * (fabs(b->q[i]) + fabs(own) + modulus);
    }
}

int64_t bounded_step(bounded *b)
{
    int64_t count = 0;
    double *held = make(b->m, sizeof(*held));
    double *diagonal = make(b->m, sizeof(*diagonal));
    saddle_matrix_diagonal(&b->A, diagonal);
    for (int64_t i = 0; i < b->m; i++) {
        b->in[i] = b->pivoting.state[i] == SADDLE__BASIC;
        held[i] = b->in[i] ? 0.0 : b->lambda[i];
    }
    take_slack(b, held, b->pivoting.w, NULL);
    saddle__pivot_rule rule = {.sign = b->signs,
                               .scale = b->scale,
                               .smallest = 1e-13,
                               .replacement = 1e-10};
    saddle__part_values A = {.beside = &b->beside, .diagonal = diagonal, .sign = b->sign};
    assert_int_equal(saddle__part_factor(b->part, &A, b->in, &rule), SADDLE_OK);
    assert_true(saddle__part_solve(b->part, b->in, -b->sign, b->pivoting.w, b->lambda));
    take_slack(b, b->lambda, b->pivoting.w, b->pivoting.noise);
    for (int64_t i = 0; i < b->m; i++) {
        b->pivoting.broken[count] = i;
        count += saddle__pivoting_wanted(&b->pivoting, &b->rows, b->lambda, i) !=
                 b->pivoting.state[i];
    }
    free(held);
    free(diagonal);
    return count;
}

int bounded_settle(bounded *b)
{
    for (int64_t steps = 0; steps < 1000; steps++) {
        int64_t count = bounded_step(b);
        if (count == 0) return 1;
        if (steps > 20) count = 1; /* the row of least index alone */
        for (int64_t k = 0; k < count; k++)
            saddle__pivoting_move(&b->pivoting, &b->rows, b->lambda, b->pivoting.broken[k]);
    }
    return 0;
}

void bounded_break(uint64_t *state, bounded *b, int64_t i)
{
    double by = test_uniform(state, 0.5, 2.0);
    if (b->step[i] == 0.0) return;
    if (b->pivoting.state[i] == SADDLE__BASIC) {
        double bound = isfinite(b->lo[i])   ? b->lo[i] - by
                       : isfinite(b->hi[i]) ? b->hi[i] + by
                                            : 0.0;
        b->q[i] += (b->lambda[i] - bound) / b->step[i];
    } else {
        b->q[i] -= b->pivoting.w[i] + (b->pivoting.state[i] == SADDLE__AT_LO ? by : -by);
    }
}

void bounded_solve_densely(const bounded *b, double *lambda, double *w)
{
    int64_t m = b->m;
    double *A = make(m * m, sizeof(*A));
    double *all = make(m * m, sizeof(*all));
    saddle__dense_from_sparse(&b->A, all);
    memcpy(A, all, (size_t)(m * m) * sizeof(*A));
    for (int64_t i = 0; i < m; i++) {
        int basic = b->pivoting.state[i] == SADDLE__BASIC;
        lambda[i] = basic ? -b->q[i] : b->lambda[i];
        for (int64_t j = 0; j < m && !basic; j++) A[i + m * j] = i == j;
    }
    assert_int_equal(saddle__dense_solve(NULL, m, A, lambda), SADDLE_OK);
    for (int64_t i = 0; i < m; i++) {
        w[i] = b->q[i];
        for (int64_t j = 0; j < m; j++) w[i] += all[i + m * j] * lambda[j];
    }
    free(A);
    free(all);
}

double bounded_defect(const bounded *b, const double *lambda)
{
    double largest = 0.0;
    double *w = make(b->m, sizeof(*w));
    take_slack(b, lambda, w, NULL);
    for (int64_t i = 0; i < b->m; i++) {
        if (b->step[i] == 0.0) continue;
        double x = lambda[i] - b->step[i] * w[i];
        double there = x < b->lo[i] ? b->lo[i] : x > b->hi[i] ? b->hi[i] : x;
        largest = fmax(largest, fabs(lambda[i] - there));
    }
    free(w);
    return largest;
}
