/* SPDX-License-Identifier: MIT */
/* The engine against dense twins: thousands of drawn quasi-definite, rigid, redundant and badly
 * scaled systems. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense.h"
#include "dense_kkt.h"
#include "drawn_kkt.h"
#include "ldlt/ldlt.h"

static saddle__ldlt *analyse(const drawn_kkt *d, const saddle__ldlt_request *request)
{
    saddle__ldlt *F = NULL;
    assert_int_equal(saddle__ldlt_analyse(NULL, &d->K, request, &F), SADDLE_OK);
    return F;
}

static saddle__ldlt *analysed(const drawn_kkt *d, saddle_ordering ordering)
{
    saddle__ldlt_request request = {.ordering = ordering, .late = d->late};
    return analyse(d, &request);
}

/* Rows come as early as the eager order lets them, whatever that saves. */
static saddle__ldlt *analysed_eagerly(const drawn_kkt *d, saddle__eagerness eager)
{
    saddle__ldlt_request request = {.ordering = SADDLE_ORDERING_METIS,
                                    .late = d->late,
                                    .eager = eager,
                                    .eager_gain = (double)INFINITY};
    return analyse(d, &request);
}

/* What the solver subtracts from the diagonal of rows with R_ii = 0; epsilon = 0 takes it out
 * again. */
static void regularize(drawn_kkt *d, double epsilon)
{
    for (int64_t i = d->n; i < d->size; i++)
        if (d->late[i]) d->K.value[d->K.start[i]] = -epsilon * d->scale[i];
}

static saddle__factor_counts factor(saddle__ldlt *F, const drawn_kkt *d,
                                    const saddle__pivot_rule *rule)
{
    saddle__factor_counts counts = {0};
    assert_int_equal(saddle__ldlt_factor(F, &d->K, rule, &counts), SADDLE_OK);
    return counts;
}

static kkt_kind draw_kind(uint64_t *state, int64_t largest)
{
    kkt_kind kind = {.n = test_integer(state, 1, largest), .links = test_integer(state, 0, 3)};
    kind.rigid = (int)test_integer(state, 0, 4);
    kind.m = test_integer(state, 0, kind.n);
    kind.decades = test_integer(state, 0, 1) ? 0.0 : 40.0;
    return kind;
}

/* x += K^-1 (b - K x), the factor being of K or near it */
static void refine(saddle__ldlt *F, const drawn_kkt *d, const double *b, int steps, double *x)
{
    double *r = calloc((size_t)d->size, sizeof(*r));
    for (int step = 0; step < steps; step++) {
        memcpy(r, b, (size_t)d->size * sizeof(*r));
        saddle_matrix_apply(&d->K, -1.0, x, 1.0, r);
        saddle__ldlt_solve(F, SADDLE__LDLT_WHOLE, 1, r, d->size);
        for (int64_t i = 0; i < d->size; i++) x[i] += r[i];
    }
    free(r);
}

/* The componentwise backward error judges every scaling; LAPACK is asked where there is none. */
static void check_system(uint64_t *state, kkt_kind kind, saddle_ordering ordering)
{
    drawn_kkt d = draw_kkt(state, kind);
    saddle__pivot_rule rule = {.sign = d.sign,
                               .scale = d.scale,
                               .smallest = 1e-14,
                               .replacement = 1e-10};
    regularize(&d, 1e-10); /* a partner may be a small entry: what it fills a pivot with is its
                              square */
    saddle__ldlt *F = analysed(&d, ordering);
    saddle__factor_counts counts = factor(F, &d, &rule);
    regularize(&d, 0.0);
    assert_int_equal(counts.perturbed_pivots, 0);
    assert_int_equal(counts.inertia.positive, kind.n);
    assert_int_equal(counts.inertia.negative, kind.m);
    assert_int_equal(counts.inertia.zero, 0);
    double *b = calloc((size_t)d.size, sizeof(*b));
    double *x = calloc((size_t)d.size, sizeof(*x));
    for (int64_t i = 0; i < d.size; i++) b[i] = test_uniform(state, -1.0, 1.0) * sqrt(d.scale[i]);
    refine(F, &d, b, 1, x);
    if (kind.rigid == 0)
        assert_true(drawn_kkt_error(&d, x, b) < 1e-11); /* quasi-definite: good at once */
    refine(F, &d, b, 5, x);
    assert_true(drawn_kkt_error(&d, x, b) < 1e-14);
    if (kind.decades == 0.0) {
        assert_int_equal(saddle__dense_solve(NULL, d.size, d.dense, b), SADDLE_OK);
        assert_true(test_distance(x, b, d.size) < 1e-10);
    }
    free(b);
    free(x);
    saddle__ldlt_free(F);
    drawn_kkt_clear(&d);
}

static void small_systems_are_solved_as_lapack_does(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(4000); trial++)
        check_system(&state, draw_kind(&state, 25), (saddle_ordering)(trial % 4));
}

/* large enough for every BLAS path: blocks of more than 32 columns, updates of both signs */
static void dense_fronts_are_solved_as_lapack_does(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < 24; trial++) {
        kkt_kind kind = draw_kind(&state, 250);
        kind.links = test_integer(&state, 1, 12);
        check_system(&state, kind, (saddle_ordering)(trial % 4));
    }
}

static void inertia_is_that_of_the_eigenvalues_whatever_the_signs(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(600); trial++) {
        kkt_kind kind = draw_kind(&state, trial % 20 ? 25 : 120);
        kind.decades = 0.0;
        drawn_kkt d = draw_kkt(&state, kind);
        for (int64_t i = 0; i < d.size; i++) { /* other signs, still dominant: flip whole rows and
                                                  columns of M */
            int64_t k = d.K.start[i];
            if (i >= d.n || test_integer(&state, 0, 3) > 0) continue;
            d.K.value[k] = -d.K.value[k];
            d.dense[i + i * d.size] = d.K.value[k];
        }
        saddle__pivot_rule rule = {.smallest = 0.0};
        saddle__ldlt *F = analysed(&d, SADDLE_ORDERING_BEST);
        saddle__factor_counts counts = factor(F, &d, &rule);
        double *eigenvalue = calloc((size_t)d.size, sizeof(*eigenvalue));
        assert_int_equal(saddle__dense_eigenvalues(NULL, d.size, d.dense, eigenvalue), SADDLE_OK);
        int64_t positive = 0;
        for (int64_t i = 0; i < d.size; i++) positive += eigenvalue[i] > 0.0;
        assert_int_equal(counts.inertia.positive, positive);
        assert_int_equal(counts.inertia.negative, d.size - positive);
        free(eigenvalue);
        saddle__ldlt_free(F);
        drawn_kkt_clear(&d);
    }
}

static void eager_orders_refine_to_rounding_with_exact_inertia(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(3000); trial++) {
        kkt_kind kind = draw_kind(&state, trial % 50 ? 30 : 150);
        kind.m = kind.m > 0 ? kind.m : 1;
        kind.rigid = (int)test_integer(&state, 1, 4);
        drawn_kkt d = draw_kkt(&state, kind);
        int any = memchr(d.late, SADDLE__AFTER_OTHER_KIND, (size_t)d.size) != NULL;
        saddle__pivot_rule rule = {.sign = d.sign,
                                   .scale = d.scale,
                                   .smallest = 1e-14,
                                   .replacement = 1e-10};
        regularize(&d, 1e-8);
        saddle__ldlt *F = analysed_eagerly(&d, trial % 2 ? SADDLE__EAGER : SADDLE__LESS_EAGER);
        saddle__factor_counts counts = factor(F, &d, &rule);
        regularize(&d, 0.0);
        assert_int_equal(saddle__ldlt_size_of(F).eager, any);
        assert_int_equal(counts.inertia.positive, d.n);
        assert_int_equal(counts.inertia.negative, d.m);
        double *b = calloc((size_t)d.size, sizeof(*b));
        double *x = calloc((size_t)d.size, sizeof(*x));
        for (int64_t i = 0; i < d.size; i++)
            b[i] = test_uniform(&state, -1.0, 1.0) * sqrt(d.scale[i]);
        refine(F, &d, b, 7, x);
        assert_true(drawn_kkt_error(&d, x, b) < 1e-14);
        free(b);
        free(x);
        saddle__ldlt_free(F);
        drawn_kkt_clear(&d);
    }
}

/* Rows that depend on others, regularized as the solver does and refined against what was given: a
 * consistent system has the velocities of LAPACK's least-norm solution, and the inertia is n, m;
 * under either order. */
static void redundant_rows_give_the_velocities_of_the_least_norm_solution(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(1000); trial++) {
        kkt_kind kind = {.n = test_integer(&state, 2, 30),
                         .links = test_integer(&state, 1, 3),
                         .rigid = 4};
        kind.copies = test_integer(&state, 1, 5);
        kind.m = test_integer(&state, 1, kind.n) + kind.copies;
        drawn_kkt d = draw_kkt(&state, kind);
        saddle__pivot_rule rule = {.sign = d.sign,
                                   .scale = d.scale,
                                   .smallest = 1e-14,
                                   .replacement = 1e-10};
        saddle__eagerness eager = (saddle__eagerness)(trial % 3);
        regularize(&d, eager != SADDLE__PATIENT ? 1e-8 : 1e-10);
        saddle__ldlt *F = eager != SADDLE__PATIENT ? analysed_eagerly(&d, eager)
                                                   : analysed(&d, SADDLE_ORDERING_BEST);
        saddle__factor_counts counts = factor(F, &d, &rule);
        regularize(&d, 0.0);
        assert_int_equal(counts.inertia.positive, kind.n);
        assert_int_equal(counts.inertia.negative, kind.m);
        double *b = calloc((size_t)d.size, sizeof(*b));
        double *x = calloc((size_t)d.size, sizeof(*x));
        for (int64_t i = 0; i < d.size; i++) x[i] = test_uniform(&state, -1.0, 1.0);
        saddle_matrix_apply(&d.K, 1.0, x, 0.0, b);
        memset(x, 0, (size_t)d.size * sizeof(*x));
        refine(F, &d, b, 8, x);
        int64_t rank;
        assert_int_equal(test_dense_least_norm(NULL, d.size, d.size, d.dense, b, 1e-11, &rank),
                         SADDLE_OK);
        assert_int_equal(rank, d.size - kind.copies);
        assert_true(test_distance(x, b, d.n) < 1e-10);
        free(b);
        free(x);
        saddle__ldlt_free(F);
        drawn_kkt_clear(&d);
    }
}

/* The same rows dropped: as many as rank is missing, where the rows have the velocity of their own
 * alone. */
static void dropped_rows_are_as_many_as_rank_is_missing(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(500); trial++) {
        kkt_kind kind = {.n = test_integer(&state, 2, 60), .links = 0, .rigid = 4};
        kind.copies = test_integer(&state, 1, 5);
        kind.m = test_integer(&state, 1, kind.n) + kind.copies;
        drawn_kkt d = draw_kkt(&state, kind);
        saddle__pivot_rule rule = {.scale = d.scale,
                                   .smallest = 1e-10,
                                   .replacement = (double)INFINITY};
        saddle__ldlt *F = analysed(&d, SADDLE_ORDERING_BEST);
        saddle__factor_counts counts = factor(F, &d, &rule);
        assert_int_equal(counts.perturbed_pivots, kind.copies);
        assert_int_equal(counts.inertia.positive, kind.n);
        assert_int_equal(counts.inertia.zero, kind.copies);
        assert_true(d.sign[counts.first_perturbed] < 0);
        double *b = calloc((size_t)d.size, sizeof(*b));
        double *x = calloc((size_t)d.size, sizeof(*x));
        for (int64_t i = 0; i < d.size; i++) x[i] = test_uniform(&state, -1.0, 1.0);
        saddle_matrix_apply(&d.K, 1.0, x, 0.0, b);
        memset(x, 0, (size_t)d.size * sizeof(*x));
        refine(F, &d, b, 3, x);
        assert_true(drawn_kkt_error(&d, x, b) < 1e-14);
        int64_t zeros = 0;
        for (int64_t i = d.n; i < d.size; i++) zeros += x[i] == 0.0;
        assert_int_equal(zeros, kind.copies);
        free(b);
        free(x);
        saddle__ldlt_free(F);
        drawn_kkt_clear(&d);
    }
}

/* A graph's Laplacian has a null vector for each connected component: the pivot that vanishes is
 * replaced, so that the factors can be solved with, and counts as zero all the same. */
static void null_vectors_count_as_zero_though_their_pivots_are_replaced(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(500); trial++) {
        kkt_kind kind = {.n = test_integer(&state, 2, 80), .links = test_integer(&state, 1, 3)};
        drawn_kkt d = draw_kkt(&state, kind);
        for (int64_t j = 0; j < d.n; j++) { /* keep the graph; a spring along each edge */
            d.K.value[d.K.start[j]] = 0.0;
            d.dense[j + j * d.size] = 0.0;
        }
        for (int64_t j = 0; j < d.n; j++) {
            for (int64_t k = d.K.start[j] + 1; k < d.K.start[j + 1]; k++) {
                int64_t i = d.K.index[k];
                double spring = test_uniform(&state, 0.5, 2.0);
                d.K.value[k] = d.dense[i + j * d.size] = d.dense[j + i * d.size] = -spring;
                d.K.value[d.K.start[i]] += spring;
                d.K.value[d.K.start[j]] += spring;
            }
        }
        for (int64_t j = 0; j < d.n; j++) {
            d.dense[j + j * d.size] = d.K.value[d.K.start[j]];
            d.scale[j] = fmax(d.K.value[d.K.start[j]], 1e-3);
        }
        saddle__pivot_rule rule = {.sign = d.sign,
                                   .scale = d.scale,
                                   .smallest = 1e-12,
                                   .replacement = 1e-10};
        saddle__ldlt *F = analysed(&d, SADDLE_ORDERING_BEST);
        saddle__factor_counts counts = factor(F, &d, &rule);
        double *eigenvalue = calloc((size_t)d.size, sizeof(*eigenvalue));
        assert_int_equal(saddle__dense_eigenvalues(NULL, d.size, d.dense, eigenvalue), SADDLE_OK);
        int64_t zeros = 0;
        for (int64_t i = 0; i < d.size; i++) zeros += fabs(eigenvalue[i]) < 1e-10;
        assert_true(zeros > 0);
        assert_int_equal(counts.perturbed_pivots, zeros);
        assert_int_equal(counts.inertia.zero, zeros);
        assert_int_equal(counts.inertia.positive, d.size - zeros);
        assert_int_equal(counts.inertia.negative, 0);
        free(eigenvalue);
        saddle__ldlt_free(F);
        drawn_kkt_clear(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_systems_are_solved_as_lapack_does),
        cmocka_unit_test(dense_fronts_are_solved_as_lapack_does),
        cmocka_unit_test(inertia_is_that_of_the_eigenvalues_whatever_the_signs),
        cmocka_unit_test(eager_orders_refine_to_rounding_with_exact_inertia),
        cmocka_unit_test(redundant_rows_give_the_velocities_of_the_least_norm_solution),
        cmocka_unit_test(dropped_rows_are_as_many_as_rank_is_missing),
        cmocka_unit_test(null_vectors_count_as_zero_though_their_pivots_are_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
