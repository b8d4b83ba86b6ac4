/* SPDX-License-Identifier: MIT */
/* Rows that come and go where there are no velocities: those that are in are factored by
 * themselves, in an order of their own. Judged by products with R, R_AA lambda_A = b_A. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "active/active_internal.h"
#include "../ldlt/drawn_grid.h"

enum { SIDE = TEST_GRID_SIDE, N = TEST_GRID };

/* R: a drawn grid. */
typedef struct grid {
    saddle_problem problem;
    double scale[N];
    signed char sign[N];
    saddle__active_values values;
} grid;

static grid *draw_grid(uint64_t *state)
{
    grid *g = calloc(1, sizeof(*g));
    assert_non_null(g);
    g->problem.m = N;
    test_draw_grid(state, &g->problem.R, g->scale);
    memset(g->sign, -1, sizeof(g->sign));
    saddle__pivot_rule rule = {.sign = g->sign,
                               .scale = g->scale,
                               .smallest = 1e-14,
                               .replacement = 1e-10};
    g->values.rule = rule;
    return g;
}

static void free_grid(grid *g)
{
    saddle_matrix_clear(&g->problem.R);
    free(g);
}

static saddle__active_rows *make(saddle_context *context, const grid *g, const signed char *in)
{
    saddle__active_request request = {.ordering = SADDLE_ORDERING_BEST};
    saddle__active_rows *A = NULL;
    assert_int_equal(saddle__active_rows_create(context, &g->problem, &request, &A), SADDLE_OK);
    assert_int_equal(saddle__active_rows_factor(A, &g->problem, &g->values, in), SADDLE_OK);
    return A;
}

/* max |b - R lambda| over the rows that are in, for a drawn b; lambda vanishes elsewhere. */
static double error_of(uint64_t *state, const grid *g, saddle__active_rows *A)
{
    static double b[N], x[N];
    const signed char *in = saddle__active_rows_set(A);
    for (int64_t i = 0; i < N; i++) b[i] = x[i] = test_uniform(state, -1.0, 1.0);
    assert_int_equal(saddle__active_rows_solve(A, 1, x, N), SADDLE_OK);
    saddle_matrix_apply(&g->problem.R, -1.0, x, 1.0, b);
    double largest = 0.0;
    for (int64_t i = 0; i < N; i++) {
        if (in[i]) largest = fmax(largest, fabs(b[i]));
        if (!in[i]) assert_true(x[i] == 0.0);
    }
    return largest;
}

static void draw_rows(uint64_t *state, double share, signed char *in)
{
    for (int64_t i = 0; i < N; i++) in[i] = test_uniform(state, 0.0, 1.0) < share;
}

static void toggle(uint64_t *state, saddle__active_rows *A, int64_t count)
{
    for (; count > 0; count--) {
        int64_t row = test_integer(state, 0, N - 1);
        saddle__active_change change = {.row = row, .in = !saddle__active_rows_set(A)[row]};
        assert_int_equal(saddle__active_rows_change(A, 1, &change, 1.0), SADDLE_OK);
        assert_int_equal(change.refused, 0);
        assert_int_equal(saddle__active_rows_set(A)[row], change.in);
    }
}

static void rows_are_solved_by_themselves_or_among_all(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    static const double share[] = {1.0, 0.4, 0.0, 0.3, 1.0, 0.01};
    static signed char in[N];
    grid *g = draw_grid(&state);
    saddle__active_rows *A = make(NULL, g, NULL);
    int64_t all = saddle__active_rows_counts(A).factor.entries;
    int64_t parts = 0;
    for (int trial = 0; trial < 60; trial++) {
        if (trial % 10 == 0) {
            draw_rows(&state, share[trial / 10], in);
            assert_int_equal(saddle__active_rows_factor(A, &g->problem, &g->values, in), SADDLE_OK);
        } else {
            toggle(&state, A, test_integer(&state, 1, 5));
        }
        assert_true(error_of(&state, g, A) < 1e-13);
        parts += saddle__active_rows_counts(A).factor.entries < all / 2;
    }
    assert_true(parts >= 20 && parts < 60);
    assert_true(saddle__active_rows_counts(A).modified > 0); /* of all */
    saddle__active_rows_free(A);
    free_grid(g);
}

static void rows_of_unknown_sign_are_solved_among_all(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    static signed char in[N];
    grid *g = draw_grid(&state);
    g->values.rule.sign = NULL;
    saddle__active_rows *whole = make(NULL, g, NULL);
    draw_rows(&state, 0.3, in);
    saddle__active_rows *A = make(NULL, g, in);
    assert_int_equal(saddle__active_rows_counts(A).factor.entries,
                     saddle__active_rows_counts(whole).factor.entries);
    toggle(&state, A, 5);
    assert_true(error_of(&state, g, A) < 1e-13);
    saddle__active_rows_free(A);
    saddle__active_rows_free(whole);
    free_grid(g);
}

/* Row 7 stands alone, and its compliance is taken away. */
static void a_row_that_depends_on_others_is_refused(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    static signed char in[N];
    grid *g = draw_grid(&state);
    draw_rows(&state, 0.3, in);
    for (int64_t i = 0; i <= 2 * SIDE; i++) in[i] = 0;
    g->problem.R.value[g->problem.R.start[7]] = 0.0;
    g->values.rule.replacement = 1e-14; /* known to be rounding noise */
    saddle__active_rows *A = make(NULL, g, in);
    saddle__active_change change[] = {{.row = 7, .in = 1}, {.row = 20, .in = 1}};
    assert_int_equal(saddle__active_rows_change(A, 2, change, 1.0), SADDLE_OK);
    assert_true(change[0].refused && !change[1].refused);
    assert_true(!saddle__active_rows_set(A)[7] && saddle__active_rows_set(A)[20]);
    assert_true(error_of(&state, g, A) < 1e-13);
    saddle__active_rows_free(A);
    free_grid(g);
}

/* lambda is 1e-7 up to three rows from the middle, and of size 1 elsewhere: rounding of the latter
 * is 1e-9 of the former, whose rows are solved as well as the others nevertheless. */
static void small_rows_beside_large_ones_keep_their_digits(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    static const double small = 1e-7;
    static double lambda[N], b[N], x[N];
    static signed char in[N];
    grid *g = draw_grid(&state);
    draw_rows(&state, 0.9, in);
    for (int64_t i = 0; i < N; i++) {
        int64_t across = i % SIDE - SIDE / 2;
        int64_t up = i / SIDE - SIDE / 2;
        int near = across * across <= 9 && up * up <= 9;
        in[i] |= (signed char)near;
        lambda[i] = !in[i] ? 0.0 : (near ? small : 1.0) * test_uniform(&state, -1.0, 1.0);
    }
    saddle_matrix_apply(&g->problem.R, 1.0, lambda, 0.0, b);
    saddle__active_rows *A = make(NULL, g, in);
    memcpy(x, b, sizeof(x));
    assert_int_equal(saddle__active_rows_solve(A, 1, x, N), SADDLE_OK);
    assert_true(saddle__active_rows_counts(A).corrections > 0);
    for (int64_t i = 0; i < N; i++) assert_true(fabs(x[i] - lambda[i]) < 1e-14);
    saddle__active_rows_free(A);
    free_grid(g);
}

/* One row, R = 1, factored with 0.6 taken away: corrections grow by 1.5 each, and what the first
 * solve gave, b / 0.4, is the best that was met. */
static void the_best_stays_where_corrections_lead_away(void **unused)
{
    (void)unused;
    int64_t start[] = {0, 1}, index[] = {0};
    double one[] = {1.0}, scale[] = {1.0}, added[] = {0.6}, x[] = {2.0};
    saddle_problem problem = {.m = 1};
    problem.R = saddle_matrix_view(1, 1, start, index, one, SADDLE_SYMMETRIC);
    saddle__active_request request = {.ordering = SADDLE_ORDERING_BEST};
    saddle__active_values values = {
        .added = added, .rule = {.scale = scale, .smallest = 1e-14, .replacement = 1e-10}};
    saddle__active_rows *A = NULL;
    assert_int_equal(saddle__active_rows_create(NULL, &problem, &request, &A), SADDLE_OK);
    assert_int_equal(saddle__active_rows_factor(A, &problem, &values, NULL), SADDLE_OK);
    assert_int_equal(saddle__active_rows_solve(A, 1, x, 1), SADDLE_NOT_CONVERGED);
    assert_true(fabs(x[0] - 5.0) < 1e-14);
    assert_true(fabs(saddle__active_rows_counts(A).error - 3.0 / 7.0) < 1e-14);
    x[0] = (double)INFINITY;
    assert_int_equal(saddle__active_rows_solve(A, 1, x, 1), SADDLE_NOT_CONVERGED);
    assert_true(isinf(saddle__active_rows_counts(A).error));
    saddle__active_rows_free(A);
}

/* lambda = b / R overflows: that is not what b was. */
static void an_answer_that_is_not_finite_is_none(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    static double x[N];
    static signed char in[N];
    grid *g = draw_grid(&state);
    for (int64_t k = 0; k < saddle_matrix_entries(&g->problem.R); k++)
        g->problem.R.value[k] *= 1e-6;
    for (int64_t i = 0; i < N; i++) g->scale[i] *= 1e-6;
    draw_rows(&state, 0.4, in);
    saddle__active_rows *A = make(NULL, g, in);
    for (int64_t i = 0; i < N; i++) x[i] = 1e306;
    assert_int_equal(saddle__active_rows_solve(A, 1, x, N), SADDLE_NOT_CONVERGED);
    int finite = 1;
    for (int64_t i = 0; i < N; i++) finite &= isfinite(x[i]) != 0;
    assert_false(finite);
    assert_true(error_of(&state, g, A) < 1e-13);
    saddle__active_rows_free(A);
    free_grid(g);
}

static void draw_kept(uint64_t *state, double *kept)
{
    for (int64_t i = 0; i < N; i++) kept[i] = -test_uniform(state, 0.0, 1.0);
}

/* sum_j |K_ij| d_j, d = scale^-1/2, K = kept - R */
static double norm_of(const grid *g, int64_t i)
{
    double sum = fabs(g->values.kept[i] - saddle_matrix_entry(&g->problem.R, i, i)) /
                 sqrt(g->scale[i]);
    for (int64_t up = -1; up <= 1; up++)
        for (int64_t across = -1; across <= 1; across++) {
            int64_t j = i + up * SIDE + across;
            if (j < 0 || j >= N || j == i) continue;
            sum += fabs(saddle_matrix_entry(&g->problem.R, i > j ? i : j, i > j ? j : i)) /
                   sqrt(g->scale[j]);
        }
    return sum;
}

static void what_is_kept_may_change_alone(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    static signed char in[N];
    static double kept[N], x[N], y[N];
    for (int trial = 0; trial < 20; trial++) {
        grid *g = draw_grid(&state);
        g->values.kept = kept;
        g->values.rule.sign = trial % 2 ? g->sign : NULL; /* by themselves, or among all */
        draw_rows(&state, 0.4, in);
        draw_kept(&state, kept);
        saddle__active_rows *A = make(NULL, g, in);
        draw_kept(&state, kept);
        saddle__active_rows *other = make(NULL, g, in);
        g->values.shifted = 1;
        assert_int_equal(saddle__active_rows_factor(A, &g->problem, &g->values, in), SADDLE_OK);
        for (int64_t i = 0; i < N; i++) x[i] = y[i] = in[i] ? test_uniform(&state, -1.0, 1.0) : 0.0;
        assert_int_equal(saddle__active_rows_solve(A, 1, x, N), SADDLE_OK);
        assert_int_equal(saddle__active_rows_solve(other, 1, y, N), SADDLE_OK);
        for (int64_t i = 0; i < N; i++) {
            assert_true(fabs(x[i] - y[i]) <= 1e-14);
            assert_true(fabs(A->norm[i] - norm_of(g, i)) <= 1e-14 * A->norm[i]);
            assert_true(fabs(other->norm[i] - norm_of(g, i)) <= 1e-14 * A->norm[i]);
        }
        saddle__active_rows_free(A);
        saddle__active_rows_free(other);
        free_grid(g);
    }
}

static void nothing_is_allocated_after_create_and_the_bits_stay(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    static signed char in[N];
    static double first[20][N], x[N];
    grid *g = draw_grid(&seed);
    for (int again = 0; again < 2; again++) {
        uint64_t state = seed;
        test_memory memory;
        saddle_context *context = test_memory_begin(&memory, -1);
        draw_rows(&state, 0.4, in);
        saddle__active_rows *A = make(context, g, in);
        int64_t made = memory.count;
        for (int trial = 0; trial < 20; trial++) {
            toggle(&state, A, test_integer(&state, 0, 8));
            for (int64_t i = 0; i < N; i++) x[i] = test_uniform(&state, -1.0, 1.0);
            assert_int_equal(saddle__active_rows_solve(A, 1, x, N), SADDLE_OK);
            if (!again) memcpy(first[trial], x, sizeof(x));
            assert_memory_equal(first[trial], x, sizeof(x));
        }
        assert_int_equal(memory.count, made);
        saddle__active_rows_free(A);
        test_memory_end(&memory, context);
    }
    free_grid(g);
}

static saddle_status create_factor_change(saddle_context *context, void *user)
{
    const grid *g = user;
    static signed char in[N];
    for (int64_t i = 0; i < N; i++) in[i] = i % 3 == 0;
    saddle__active_request request = {.ordering = SADDLE_ORDERING_AMD};
    saddle__active_change change = {.row = 1, .in = 1};
    saddle__active_rows *A = NULL;
    saddle_status status = saddle__active_rows_create(context, &g->problem, &request, &A);
    if (status == SADDLE_OK) status = saddle__active_rows_factor(A, &g->problem, &g->values, in);
    if (status == SADDLE_OK) status = saddle__active_rows_change(A, 1, &change, 1.0);
    saddle__active_rows_free(A);
    return status;
}

static void an_allocation_that_fails_is_an_error_and_leaks_nothing(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    grid *g = draw_grid(&state);
    assert_true(test_allocation_sweep(create_factor_change, g) > 10);
    free_grid(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_solved_by_themselves_or_among_all),
        cmocka_unit_test(rows_of_unknown_sign_are_solved_among_all),
        cmocka_unit_test(a_row_that_depends_on_others_is_refused),
        cmocka_unit_test(small_rows_beside_large_ones_keep_their_digits),
        cmocka_unit_test(the_best_stays_where_corrections_lead_away),
        cmocka_unit_test(an_answer_that_is_not_finite_is_none),
        cmocka_unit_test(what_is_kept_may_change_alone),
        cmocka_unit_test(nothing_is_allocated_after_create_and_the_bits_stay),
        cmocka_unit_test(an_allocation_that_fails_is_an_error_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
