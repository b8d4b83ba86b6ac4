/* SPDX-License-Identifier: MIT */
/* Rows that come and go, each way of changing them and the model's choice, against LAPACK's
 * solution of the active system after every change. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_rows.h"

enum { METHODS = 3 };

static saddle__active_rows *make(const drawn_rows *r, saddle__active_method method,
                                 const signed char *in)
{
    saddle__active_request request = {.late = r->d.late, .method = method};
    saddle__active_rows *A = NULL;
    assert_int_equal(saddle__active_rows_create(NULL, &r->problem, &request, &A), SADDLE_OK);
    assert_int_equal(saddle__active_rows_factor(A, &r->problem, &r->values, in), SADDLE_OK);
    return A;
}

/* the distance from the twin for a drawn right-hand side */
static double compare(uint64_t *state, const drawn_rows *r, saddle__active_rows *A)
{
    int64_t size = r->d.size;
    double *x = calloc((size_t)(2 * size + 1), sizeof(*x));
    for (int64_t i = 0; i < size; i++)
        x[i] = x[size + i] = test_uniform(state, -1.0, 1.0) * sqrt(r->d.scale[i]);
    twin_solve(r, A->in, x + size);
    assert_int_equal(saddle__active_rows_solve(A, x), SADDLE_OK);
    for (int64_t i = 0; i < r->d.m; i++)
        if (!A->in[i]) assert_true(x[r->d.n + i] == 0.0);
    double distance = twin_distance(r, x, x + size);
    free(x);
    return distance;
}

static void toggle(saddle__active_rows *A, int64_t row)
{
    saddle__active_change change = {.row = row, .in = !A->in[row]};
    assert_int_equal(saddle__active_rows_change(A, 1, &change), SADDLE_OK);
    assert_int_equal(A->in[row], change.in);
}

static void draw_set(uint64_t *state, int64_t m, signed char *in)
{
    for (int64_t i = 0; i < m; i++) in[i] = (signed char)test_integer(state, 0, 1);
}

/* ---- agreement ---- */

static void each_change_agrees_with_the_dense_twin(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(240); trial++) {
        kkt_kind kind = {.n = test_integer(&state, 1, trial % 8 ? 25 : 80),
                         .links = test_integer(&state, 0, 4)};
        kind.m = test_integer(&state, 1, kind.n);
        kind.rigid = (int)test_integer(&state, 0, 4);
        drawn_rows r = draw_rows_problem(&state, kind, trial % 3 ? 0 : 5, 0);
        signed char in[80];
        draw_set(&state, kind.m, in);
        saddle__active_rows *A = make(&r, (saddle__active_method)(trial % METHODS), in);
        for (int step = 0; step < 30; step++) {
            toggle(A, test_integer(&state, 0, kind.m - 1));
            assert_true(compare(&state, &r, A) < 1e-10);
        }
        saddle__active_rows_free(A);
        drawn_rows_clear(&r);
    }
}

static void badly_scaled_systems_agree_in_natural_units(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(60); trial++) {
        kkt_kind kind = {.n = 30,
                         .m = test_integer(&state, 1, 20),
                         .links = 3,
                         .rigid = trial % 5,
                         .decades = 30.0};
        drawn_rows r = draw_rows_problem(&state, kind, 0, 0);
        saddle__active_rows *A = make(&r, (saddle__active_method)(trial % METHODS), NULL);
        for (int step = 0; step < 30; step++) {
            toggle(A, test_integer(&state, 0, kind.m - 1));
            assert_true(compare(&state, &r, A) < 1e-10);
        }
        saddle__active_rows_free(A);
        drawn_rows_clear(&r);
    }
}

static void many_changes_at_once_agree_too(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(120); trial++) {
        kkt_kind kind = {.n = test_integer(&state, 5, 40), .links = 3, .rigid = 2};
        kind.m = test_integer(&state, 1, kind.n);
        drawn_rows r = draw_rows_problem(&state, kind, 0, 0);
        saddle__active_rows *A = make(&r, (saddle__active_method)(trial % METHODS), NULL);
        for (int step = 0; step < 10; step++) {
            saddle__active_change changes[20] = {{0}};
            int64_t count = test_integer(&state, 0, 20);
            signed char expected[40];
            memcpy(expected, A->in, (size_t)kind.m);
            for (int64_t k = 0; k < count; k++) { /* some of them change nothing, some rows come
                                                     twice */
                changes[k].row = test_integer(&state, 0, kind.m - 1);
                changes[k].in = (int)test_integer(&state, 0, 1);
                expected[changes[k].row] = (signed char)changes[k].in;
            }
            assert_int_equal(saddle__active_rows_change(A, count, changes), SADDLE_OK);
            assert_memory_equal(A->in, expected, (size_t)kind.m);
            assert_true(compare(&state, &r, A) < 1e-10);
        }
        saddle__active_rows_free(A);
        drawn_rows_clear(&r);
    }
}

static void all_rows_out_and_in_again_agree(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int method = 0; method < METHODS; method++) {
        kkt_kind kind = {.n = 50, .m = 40, .links = 3, .rigid = 3};
        drawn_rows r = draw_rows_problem(&state, kind, 0, 0);
        saddle__active_rows *A = make(&r, (saddle__active_method)method, NULL);
        for (int pass = 0; pass < 4; pass++) {
            for (int64_t i = 0; i < kind.m; i++) {
                toggle(A, i);
                if (i % 8 == 7) assert_true(compare(&state, &r, A) < 1e-10);
            }
            saddle__active_change changes[40] = {{0}};
            for (int64_t i = 0; i < kind.m; i++) {
                changes[i].row = i;
                changes[i].in = pass % 2;
            }
            assert_int_equal(saddle__active_rows_change(A, kind.m, changes), SADDLE_OK);
            assert_true(compare(&state, &r, A) < 1e-10);
        }
        saddle__active_rows_free(A);
        drawn_rows_clear(&r);
    }
}

static void a_row_in_and_out_a_thousand_times_leaves_no_trace(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < 2 * METHODS; trial++) {
        kkt_kind kind = {.n = 40, .m = 30, .links = 3, .rigid = trial < METHODS ? 4 : 0};
        drawn_rows r = draw_rows_problem(&state, kind, 0, 0);
        saddle__active_rows *A = make(&r, (saddle__active_method)(trial % METHODS), NULL);
        for (int step = 0; step < 1000; step++) {
            toggle(A, 17);
            if (step % 20 == 0) assert_true(compare(&state, &r, A) < 1e-10);
        }
        int64_t most = trial % METHODS == SADDLE__ACTIVE_MASK ? 1001 : 200;
        assert_true(A->counts.factorizations <= most);
        saddle__active_rows_free(A);
        drawn_rows_clear(&r);
    }
}

static void the_same_calls_give_the_same_bits(void **unused)
{
    (void)unused;
    for (int method = 0; method < METHODS; method++) {
        double x[2][70];
        for (int run = 0; run < 2; run++) {
            uint64_t state = test_seed();
            kkt_kind kind = {.n = 40, .m = 30, .links = 3, .rigid = 2};
            drawn_rows r = draw_rows_problem(&state, kind, 0, 0);
            saddle__active_rows *A = make(&r, (saddle__active_method)method, NULL);
            for (int step = 0; step < 60; step++) toggle(A, test_integer(&state, 0, 29));
            for (int64_t i = 0; i < 70; i++) x[run][i] = 1.0 + (double)i;
            assert_int_equal(saddle__active_rows_solve(A, x[run]), SADDLE_OK);
            saddle__active_rows_free(A);
            drawn_rows_clear(&r);
        }
        assert_memory_equal(x[0], x[1], sizeof(x[0]));
    }
}

static void new_values_start_anew(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    kkt_kind kind = {.n = 40, .m = 30, .links = 3, .rigid = 2};
    for (int method = 0; method < METHODS; method++) {
        drawn_rows r = draw_rows_problem(&state, kind, 0, 0);
        saddle__active_rows *A = make(&r, (saddle__active_method)method, NULL);
        for (int64_t i = 0; i < 5; i++) toggle(A, i);
        for (int64_t k = 0; k < saddle_matrix_entries(&r.problem.M); k++)
            r.problem.M.value[k] *= 2.0;
        for (int64_t j = 0; j < kind.n; j++)
            for (int64_t i = 0; i < kind.n; i++) r.d.dense[i + j * r.d.size] *= 2.0;
        signed char in[30];
        draw_set(&state, 30, in);
        assert_int_equal(saddle__active_rows_factor(A, &r.problem, &r.values, in), SADDLE_OK);
        assert_memory_equal(A->in, in, 30);
        assert_true(compare(&state, &r, A) < 1e-10);
        toggle(A, 7);
        assert_true(compare(&state, &r, A) < 1e-10);
        saddle__active_rows_free(A);
        drawn_rows_clear(&r);
    }
}

/* ---- values and rows that stay ---- */

static void values_that_are_not_finite_end_it_and_do_no_harm(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    kkt_kind kind = {.n = 20, .m = 12, .links = 3, .rigid = 2};
    for (int method = 0; method < METHODS; method++) {
        drawn_rows r = draw_rows_problem(&state, kind, 0, 0);
        saddle__active_rows *A = make(&r, (saddle__active_method)method, NULL);
        double right = r.problem.M.value[3];
        double x[32] = {0.0};
        r.problem.M.value[3] = (double)NAN;
        assert_int_equal(saddle__active_rows_factor(A, &r.problem, &r.values, NULL),
                         SADDLE_SINGULAR);
        r.problem.M.value[3] = right;
        assert_int_equal(saddle__active_rows_factor(A, &r.problem, &r.values, NULL), SADDLE_OK);
        toggle(A, 1);
        for (int64_t i = 0; i < 32; i++) x[i] = (double)NAN;
        assert_int_equal(saddle__active_rows_solve(A, x), SADDLE_NOT_CONVERGED);
        toggle(A, 2);
        assert_true(compare(&state, &r, A) < 1e-10);
        saddle__active_rows_free(A);
        drawn_rows_clear(&r);
    }
}

/* Rows that do not toggle may depend on each other: with b = 0 they contradict nothing. */
static void rows_that_stay_may_be_redundant(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(40); trial++) {
        kkt_kind kind = {.n = 25, .m = 16, .links = 3, .rigid = 4, .copies = 4};
        drawn_rows r = draw_rows_problem(&state, kind, 0, 0);
        signed char toggles[16] = {0};
        signed char regular[16];
        for (int64_t i = 0; i < 16; i++) {
            regular[i] = i < 12;
            toggles[i] = i < 3;
        }
        saddle__active_request request = {.late = r.d.late,
                                          .toggles = toggles,
                                          .method = (saddle__active_method)(trial % METHODS)};
        saddle__active_rows *A = NULL;
        assert_int_equal(saddle__active_rows_create(NULL, &r.problem, &request, &A), SADDLE_OK);
        assert_int_equal(saddle__active_rows_factor(A, &r.problem, &r.values, NULL), SADDLE_OK);
        for (int step = 0; step < 20; step++) {
            double x[41] = {0.0};
            double y[41] = {0.0};
            saddle__active_change change = {.row = test_integer(&state, 0, 2)};
            change.in = !A->in[change.row];
            assert_int_equal(saddle__active_rows_change(A, 1, &change), SADDLE_OK);
            for (int64_t j = 0; j < 25; j++) x[j] = y[j] = test_uniform(&state, -1.0, 1.0);
            assert_int_equal(saddle__active_rows_solve(A, x), SADDLE_OK);
            for (int64_t i = 0; i < 3; i++) regular[i] = A->in[i];
            for (int64_t i = 12; i < 16; i++) regular[i] = 0;
            for (int64_t i = 12; i < 16; i++) { /* a copy of rows that are out stands for itself */
                regular[i] = 1;
                if (twin_regularity(&r, regular) < 1e-9) regular[i] = 0;
            }
            twin_solve(&r, regular, y);
            for (int64_t i = 25; i < 41; i++) x[i] = y[i] = 0.0; /* impulses are not unique */
            assert_true(twin_distance(&r, x, y) < 1e-8);
        }
        saddle__active_rows_free(A);
        drawn_rows_clear(&r);
    }
}

/* A copy of other rows, put into the factor or taken out: v stays, since b = 0 contradicts nothing.
 * Without a regularization the row's pivot vanishes, and the pivot rule replaces the pivot. */
static void copies_that_come_and_go_leave_the_velocities(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(60); trial++) {
        kkt_kind kind = {.n = 25, .m = 16, .links = 3, .rigid = 4, .copies = 4};
        drawn_rows r = draw_rows_problem(&state, kind, 0, 0);
        if (trial % 2) r.values.added = NULL;
        signed char in[16] = {0};
        for (int64_t i = 0; i < 12; i++) in[i] = 1;
        saddle__active_rows *A = make(&r, (saddle__active_method)(trial % METHODS), in);
        for (int step = 0; step < 20; step++) {
            double x[41] = {0.0};
            double y[41] = {0.0};
            toggle(A, test_integer(&state, 12, 15));
            for (int64_t j = 0; j < 25; j++) x[j] = y[j] = test_uniform(&state, -1.0, 1.0);
            assert_int_equal(saddle__active_rows_solve(A, x), SADDLE_OK);
            twin_solve(&r, in, y);
            for (int64_t i = 25; i < 41; i++) x[i] = y[i] = 0.0; /* impulses are not unique */
            assert_true(twin_distance(&r, x, y) < 1e-8);
        }
        saddle__active_rows_free(A);
        drawn_rows_clear(&r);
    }
}

static void rows_that_do_not_toggle_are_active_and_unsymmetric_problems_refused(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    kkt_kind kind = {.n = 8, .m = 5, .links = 2};
    drawn_rows r = draw_rows_problem(&state, kind, 0, 0);
    const signed char toggles[5] = {1, 1, 0, 1, 1};
    const signed char none[5] = {0};
    saddle__active_request request = {.toggles = toggles};
    saddle__active_rows *A = NULL;
    assert_int_equal(saddle__active_rows_create(NULL, &r.problem, &request, &A), SADDLE_OK);
    assert_int_equal(saddle__active_rows_factor(A, &r.problem, &r.values, none), SADDLE_OK);
    assert_int_equal(A->in[0], 0);
    assert_int_equal(A->in[2], 1); /* it does not toggle */
    saddle__active_rows_free(A);
    saddle__active_rows_free(NULL);
    r.problem.M.symmetry = SADDLE_SYMMETRY_NONE;
    assert_int_equal(saddle__active_rows_create(NULL, &r.problem, &request, &A),
                     SADDLE_UNSUPPORTED);
    assert_null(A);
    r.problem.M.symmetry = SADDLE_SYMMETRY_LOWER;
    drawn_rows_clear(&r);
}

/* ---- degenerate sizes ---- */

static void systems_without_rows_or_velocities_are_solved(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int method = 0; method < METHODS; method++) {
        kkt_kind bare = {.n = 9, .links = 2};
        drawn_rows r = draw_rows_problem(&state, bare, 0, 0);
        saddle__active_rows *A = make(&r, (saddle__active_method)method, NULL);
        assert_int_equal(saddle__active_rows_change(A, 0, NULL), SADDLE_OK);
        assert_true(compare(&state, &r, A) < 1e-12);
        saddle__active_rows_free(A);
        drawn_rows_clear(&r);

        kkt_kind delassus = {.m = 9};
        r = draw_rows_problem(&state, delassus, 12, 0);
        A = make(&r, (saddle__active_method)method, NULL);
        for (int step = 0; step < 20; step++) {
            toggle(A, test_integer(&state, 0, 8));
            assert_true(compare(&state, &r, A) < 1e-12);
        }
        saddle__active_rows_free(A);
        drawn_rows_clear(&r);
    }
}

/* One row, R = 1, factored with 0.6 taken away: corrections grow by 1.5 each, and the first
 * solution, b / 0.4, is the best. */
static void the_best_stays_where_corrections_diverge(void **unused)
{
    (void)unused;
    int64_t start[] = {0, 1}, index[] = {0};
    double one[] = {1.0}, scale[] = {1.0}, added[] = {0.6}, x[] = {2.0};
    saddle_problem problem = {.m = 1};
    problem.R = saddle_matrix_view(1, 1, start, index, one, SADDLE_SYMMETRY_LOWER);
    saddle__active_request request = {.ordering = SADDLE_ORDERING_BEST};
    saddle__active_values values = {
        .added = added, .rule = {.scale = scale, .smallest = 1e-14, .replacement = 1e-10}};
    saddle__active_rows *A = NULL;
    assert_int_equal(saddle__active_rows_create(NULL, &problem, &request, &A), SADDLE_OK);
    assert_int_equal(saddle__active_rows_factor(A, &problem, &values, NULL), SADDLE_OK);
    assert_int_equal(saddle__active_rows_solve(A, x), SADDLE_NOT_CONVERGED);
    assert_true(fabs(x[0] - 5.0) < 1e-14);
    assert_true(fabs(A->counts.error - 3.0 / 7.0) < 1e-14);
    x[0] = (double)INFINITY;
    assert_int_equal(saddle__active_rows_solve(A, x), SADDLE_NOT_CONVERGED);
    assert_true(isinf(A->counts.error));
    saddle__active_rows_free(A);
}

/* ---- memory ---- */

static void nothing_is_allocated_after_create(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    kkt_kind kind = {.n = 40, .m = 30, .links = 3, .rigid = 3};
    drawn_rows r = draw_rows_problem(&state, kind, 0, 0);
    for (int method = 0; method < METHODS; method++) {
        test_memory memory;
        saddle_context *context = test_memory_begin(&memory, -1);
        saddle__active_request request = {.late = r.d.late,
                                          .method = (saddle__active_method)method};
        saddle__active_rows *A = NULL;
        double x[70];
        assert_int_equal(saddle__active_rows_create(context, &r.problem, &request, &A), SADDLE_OK);
        int64_t before = memory.count;
        assert_int_equal(saddle__active_rows_factor(A, &r.problem, &r.values, NULL), SADDLE_OK);
        for (int step = 0; step < 200; step++) {
            saddle__active_change change = {.row = test_integer(&state, 0, 29),
                                            .in = (int)test_integer(&state, 0, 1)};
            assert_int_equal(saddle__active_rows_change(A, 1, &change), SADDLE_OK);
            for (int64_t i = 0; i < 70; i++) x[i] = 1.0;
            assert_int_equal(saddle__active_rows_solve(A, x), SADDLE_OK);
        }
        assert_int_equal(memory.count, before);
        saddle__active_rows_free(A);
        test_memory_end(&memory, context);
    }
    drawn_rows_clear(&r);
}

static saddle_status body(saddle_context *context, void *user)
{
    const drawn_rows *r = user;
    saddle__active_request request = {.late = r->d.late};
    saddle__active_rows *A = NULL;
    saddle_status status = saddle__active_rows_create(context, &r->problem, &request, &A);
    if (status != SADDLE_OK) assert_null(A);
    saddle__active_rows_free(A);
    return status;
}

static void an_allocation_that_fails_is_an_error_and_leaks_nothing(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    kkt_kind kind = {.n = 20, .m = 12, .links = 3, .rigid = 2};
    drawn_rows r = draw_rows_problem(&state, kind, 0, 0);
    assert_true(test_allocation_sweep(body, &r) > 10);
    drawn_rows_clear(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_change_agrees_with_the_dense_twin),
        cmocka_unit_test(badly_scaled_systems_agree_in_natural_units),
        cmocka_unit_test(many_changes_at_once_agree_too),
        cmocka_unit_test(all_rows_out_and_in_again_agree),
        cmocka_unit_test(a_row_in_and_out_a_thousand_times_leaves_no_trace),
        cmocka_unit_test(the_same_calls_give_the_same_bits),
        cmocka_unit_test(new_values_start_anew),
        cmocka_unit_test(values_that_are_not_finite_end_it_and_do_no_harm),
        cmocka_unit_test(rows_that_stay_may_be_redundant),
        cmocka_unit_test(copies_that_come_and_go_leave_the_velocities),
        cmocka_unit_test(rows_that_do_not_toggle_are_active_and_unsymmetric_problems_refused),
        cmocka_unit_test(systems_without_rows_or_velocities_are_solved),
        cmocka_unit_test(the_best_stays_where_corrections_diverge),
        cmocka_unit_test(nothing_is_allocated_after_create),
        cmocka_unit_test(an_allocation_that_fails_is_an_error_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
