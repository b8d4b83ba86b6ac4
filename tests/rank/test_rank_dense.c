/* SPDX-License-Identifier: MIT */
/* Drawn systems with planted dependencies against LAPACK: the rank by singular values (dgesdd),
 * multipliers of least norm by dgelsd, contradictions that were planted and no others. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense_kkt.h"
#include "small_rows.h"

enum { DRAWS = 1500 };

typedef struct drawn_rows {
    int64_t n, m;
    double *mass;  /* n */
    double *J, *R; /* m x n, m x m, by rows */
    double *scale; /* m: what each row was multiplied by */
    double *b;     /* m: with which all rows agree */
} drawn_rows;

static void scale_row(drawn_rows *d, int64_t i, double scale)
{
    d->scale[i] = scale;
    d->b[i] *= scale;
    for (int64_t j = 0; j < d->n; j++) d->J[i * d->n + j] *= scale;
    for (int64_t k = 0; k < d->m; k++) {
        d->R[i * d->m + k] *= scale;
        d->R[k * d->m + i] *= scale;
    }
}

/* Rows of small integers: a new one, a copy, a sum of two, nothing. */
static void draw_row(uint64_t *state, drawn_rows *d, int64_t i)
{
    int64_t kind = i > 1 ? test_integer(state, 0, 5) : 0;
    int64_t a = i > 1 ? test_integer(state, 0, i - 1) : 0;
    int64_t c = i > 1 ? test_integer(state, 0, i - 1) : 0;
    for (int64_t t = 0; kind < 3 && t < 3 && d->n > 0; t++)
        d->J[i * d->n + test_integer(state, 0, d->n - 1)] = (double)test_integer(state, -3, 3);
    for (int64_t j = 0; kind >= 3 && kind < 5 && j < d->n; j++)
        d->J[i * d->n + j] = d->J[a * d->n + j] + (kind == 4 ? 2.0 * d->J[c * d->n + j] : 0.0);
}

/* b = J v + R lambda for integers: all rows agree, without rounding */
static void agree(uint64_t *state, drawn_rows *d)
{
    double *v = calloc((size_t)d->n + 1, sizeof(*v));
    for (int64_t j = 0; j < d->n; j++) v[j] = (double)test_integer(state, -4, 4);
    for (int64_t i = 0; i < d->m; i++) {
        double lambda = (double)test_integer(state, -4, 4);
        for (int64_t j = 0; j < d->n; j++) d->b[i] += d->J[i * d->n + j] * v[j];
        for (int64_t k = 0; k < d->m; k++) d->b[k] += d->R[k * d->m + i] * lambda;
    }
    free(v);
}

static drawn_rows draw(uint64_t *state)
{
    drawn_rows d = {.n = test_integer(state, 0, 14), .m = test_integer(state, 0, 18)};
    d.mass = calloc((size_t)d.n + 1, sizeof(double));
    d.J = calloc((size_t)(d.m * d.n) + 1, sizeof(double));
    d.R = calloc((size_t)(d.m * d.m) + 1, sizeof(double));
    d.scale = calloc((size_t)d.m + 1, sizeof(double));
    d.b = calloc((size_t)d.m + 1, sizeof(double));
    for (int64_t j = 0; j < d.n; j++)
        d.mass[j] = test_integer(state, 0, 5) == 0 ? 0.0 : test_uniform(state, 0.5, 2.0);
    for (int64_t i = 0; i < d.m; i++) draw_row(state, &d, i);
    int64_t compliant = d.m > 0 ? test_integer(state, -d.m, d.m / 3) : 0;
    for (int64_t t = 0; t < compliant; t++) { /* R = sum of g g', g of one or two entries */
        int64_t i = test_integer(state, 0, d.m - 1);
        int64_t k = test_integer(state, 0, d.m - 1);
        d.R[i * d.m + i] += 1.0;
        if (k == i) continue;
        d.R[k * d.m + k] += 4.0;
        d.R[i * d.m + k] += 2.0;
        d.R[k * d.m + i] += 2.0;
    }
    agree(state, &d);
    for (int64_t i = 0; i < d.m; i++) scale_row(&d, i, pow(10.0, test_uniform(state, -6.0, 6.0)));
    return d;
}

static void clear(drawn_rows *d)
{
    free(d->mass);
    free(d->J);
    free(d->R);
    free(d->scale);
    free(d->b);
}

static int64_t reference_rank(const saddle_problem *p)
{
    double *A = dense_rows(p, 1);
    int64_t *all = calloc((size_t)p->m + 1, sizeof(*all));
    for (int64_t i = 0; i < p->m; i++) all[i] = i;
    int64_t rank = dense_rank(A, p->m, p->n + p->m, all, p->m);
    free(A);
    free(all);
    return rank;
}

static void rank_is_that_of_the_singular_values(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int64_t dependencies = 0;
    for (int t = 0; t < DRAWS; t++) {
        drawn_rows d = draw(&state);
        saddle_problem p = small_problem(d.n, d.m, d.mass, d.J, d.R, NULL);
        saddle_rank rank;
        assert_int_equal(saddle_rank_find(NULL, &p, NULL, &rank), SADDLE_OK);
        assert_int_equal(rank.examined, d.m);
        assert_int_equal(rank.rank, reference_rank(&p));
        assert_int_equal(rank.ordered, 1);
        assert_true(rank.separation > 1e-6);
        check_rank(&p, &rank, 1e-12, 1);
        dependencies += rank.dependency_count;
        saddle_rank_clear(&rank);
        saddle_problem_clear(&p);
        clear(&d);
    }
    print_message("%lld dependencies in %d draws\n", (long long)dependencies, DRAWS);
    assert_true(dependencies > DRAWS);
}

/* Turned round, the rows have the same rank, and no combination lost a row it needs: what is named
 * last is named first. */
static void order_of_rows_changes_names_not_the_rank(void **unused)
{
    (void)unused;
    uint64_t state = test_seed() ^ 7;
    for (int t = 0; t < DRAWS / 3; t++) {
        drawn_rows d = draw(&state);
        double *J = calloc((size_t)(d.m * d.n) + 1, sizeof(*J));
        for (int64_t i = 0; i < d.m; i++)
            memcpy(J + (d.m - 1 - i) * d.n, d.J + i * d.n, (size_t)d.n * sizeof(*J));
        saddle_problem p = small_problem(d.n, d.m, d.mass, d.J, NULL, NULL);
        saddle_problem q = small_problem(d.n, d.m, d.mass, J, NULL, NULL);
        saddle_rank rank, turned;
        assert_int_equal(saddle_rank_find(NULL, &p, NULL, &rank), SADDLE_OK);
        assert_int_equal(saddle_rank_find(NULL, &q, NULL, &turned), SADDLE_OK);
        assert_int_equal(rank.rank, turned.rank);
        check_rank(&q, &turned, 1e-12, 1);
        saddle_rank_clear(&rank);
        saddle_rank_clear(&turned);
        saddle_problem_clear(&p);
        saddle_problem_clear(&q);
        clear(&d);
        free(J);
    }
}

static void planted_contradictions_are_found_and_no_others(void **unused)
{
    (void)unused;
    uint64_t state = test_seed() ^ 11;
    for (int t = 0; t < DRAWS; t++) {
        drawn_rows d = draw(&state);
        saddle_problem p = small_problem(d.n, d.m, d.mass, d.J, d.R, d.b);
        saddle_rank rank;
        assert_int_equal(saddle_rank_find(NULL, &p, NULL, &rank), SADDLE_OK);
        assert_int_equal(rank.inconsistent, 0);
        if (rank.dependency_count > 0) {
            const saddle_dependency *d_last = &rank.dependency[rank.dependency_count - 1];
            int64_t row = d_last->row; /* no other combination has it */
            double change = 0.01 * d.scale[row];
            p.b[row] += change;
            saddle_rank_clear(&rank);
            assert_int_equal(saddle_rank_find(NULL, &p, NULL, &rank), SADDLE_OK);
            assert_int_equal(rank.inconsistent, 1);
            assert_int_equal(dependency_of(&rank, row)->inconsistent, 1);
            assert_true(fabs(dependency_of(&rank, row)->gap - change) < 1e-9 * change);
        }
        saddle_rank_clear(&rank);
        saddle_problem_clear(&p);
        clear(&d);
    }
}

/* dgelsd: the lambda' of least norm with [J R]' lambda' = [J R]' lambda, in the weights given. */
static void least_norm(const drawn_rows *d, const double *weight, const double *lambda,
                       double *least)
{
    int64_t rows = d->n + d->m;
    int64_t m = d->m;
    double *A = calloc((size_t)(rows * m) + 1, sizeof(*A));
    double *x = calloc((size_t)(rows + m) + 1, sizeof(*x));
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < d->n; j++) A[j + i * rows] = d->J[i * d->n + j] / weight[i];
        for (int64_t k = 0; k < m; k++) A[d->n + k + i * rows] = d->R[i * m + k] / weight[i];
        for (int64_t c = 0; c < rows; c++) x[c] += A[c + i * rows] * weight[i] * lambda[i];
    }
    int64_t rank;
    assert_int_equal(test_dense_least_norm(NULL, rows, m, A, x, 1e-11, &rank), SADDLE_OK);
    for (int64_t i = 0; i < m; i++) least[i] = x[i] / weight[i];
    free(A);
    free(x);
}

static void multipliers_are_those_of_least_norm(void **unused)
{
    (void)unused;
    uint64_t state = test_seed() ^ 13;
    for (int t = 0; t < DRAWS; t++) {
        drawn_rows d = draw(&state);
        int natural = t % 2;
        for (int64_t i = 0; i < d.m; i++)
            scale_row(&d, i, (natural ? pow(2.0, test_uniform(&state, -3, 3)) : 1.0) / d.scale[i]);
        for (int64_t j = 0; j < d.n; j++) d.mass[j] = fmax(d.mass[j], 0.5);
        saddle_problem p = small_problem(d.n, d.m, d.mass, d.J, d.R, NULL);
        double lambda[18], least[18], weight[18];
        for (int64_t i = 0; i < d.m; i++) {
            lambda[i] = test_uniform(&state, -1.0, 1.0);
            weight[i] = d.R[i * d.m + i];
            for (int64_t j = 0; j < d.n; j++)
                weight[i] += d.J[i * d.n + j] * d.J[i * d.n + j] / d.mass[j];
            weight[i] = natural && weight[i] > 0.0 ? sqrt(weight[i]) : 1.0;
        }
        least_norm(&d, weight, lambda, least);
        saddle_rank rank;
        assert_int_equal(saddle_rank_find(NULL, &p, NULL, &rank), SADDLE_OK);
        assert_int_equal(saddle_rank_least_multipliers(NULL, &p, &rank,
                                                       natural ? SADDLE_MULTIPLIER_NORM_NATURAL
                                                               : SADDLE_MULTIPLIER_NORM_PLAIN,
                                                       lambda),
                         SADDLE_OK);
        for (int64_t i = 0; i < d.m; i++)
            if (!(fabs(lambda[i] - least[i]) < 1e-11))
                fail_msg("draw %d: lambda[%lld] = %g, LAPACK has %g", t, (long long)i, lambda[i],
                         least[i]);
        saddle_rank_clear(&rank);
        saddle_problem_clear(&p);
        clear(&d);
    }
}

/* A row moved off its dependence by `size`: dependent below the tolerance, independent above. */
static void the_tolerance_divides(void **unused)
{
    (void)unused;
    const double sizes[] = {1e-13, 1e-11, 1e-8, 1e-6};
    for (size_t k = 0; k < 4; k++) {
        double J[] = {1, 2, 0, 1, /**/ 0, 1, 1, 2, /**/ 1, 3, 1, 3 + sizes[k]};
        saddle_problem p = small_problem(4, 3, NULL, J, NULL, NULL);
        saddle_rank rank;
        assert_int_equal(saddle_rank_find(NULL, &p, NULL, &rank), SADDLE_OK);
        assert_int_equal(rank.rank, sizes[k] < 1e-10 ? 2 : 3);
        if (rank.rank == 3)
            assert_true(rank.separation > 0.05 * sizes[k] && rank.separation < 3 * sizes[k]);
        saddle_rank_clear(&rank);
        saddle_rank_options options = saddle_rank_options_default();
        options.tolerance = 1e-7;
        assert_int_equal(saddle_rank_find(NULL, &p, &options, &rank), SADDLE_OK);
        assert_int_equal(rank.rank, sizes[k] < 1e-7 ? 2 : 3);
        saddle_rank_clear(&rank);
        saddle_problem_clear(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rank_is_that_of_the_singular_values),
        cmocka_unit_test(order_of_rows_changes_names_not_the_rank),
        cmocka_unit_test(planted_contradictions_are_found_and_no_others),
        cmocka_unit_test(multipliers_are_those_of_least_norm),
        cmocka_unit_test(the_tolerance_divides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
