/* SPDX-License-Identifier: MIT */
/* Principal submatrices of one matrix: whatever rows come and go, what is solved is A_FF x = b,
 * judged by products with A; how it is factored; memory. */
#include "ldlt/part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_grid.h"

enum { SIDE = TEST_GRID_SIDE, N = TEST_GRID };

typedef struct grid {
    saddle_matrix A;
    saddle__full_csr beside;
    double diagonal[N];
    double scale[N];
    saddle__pivot_rule rule;
} grid;

static grid *draw_grid(uint64_t *state)
{
    grid *g = calloc(1, sizeof(*g));
    assert_non_null(g);
    test_draw_grid(state, &g->A, g->scale);
    assert_int_equal(saddle__full_csr_create(NULL, &g->A, &g->beside), SADDLE_OK);
    saddle__pivot_rule rule = {.scale = g->scale, .smallest = 1e-13, .replacement = 1e-10};
    g->rule = rule;
    return g;
}

static void free_grid(grid *g)
{
    saddle__layout_clear(NULL, &g->beside.layout);
    saddle_matrix_clear(&g->A);
    free(g);
}

/* With A's values as they are now. */
static saddle_status factor(saddle__part *part, grid *g, const signed char *in,
                            const saddle__pivot_rule *rule)
{
    saddle__full_csr_set(&g->beside, &g->A);
    saddle_matrix_diagonal(&g->A, g->diagonal);
    saddle__part_values A = {.beside = &g->beside, .diagonal = g->diagonal};
    return saddle__part_factor(part, &A, in, rule);
}

static saddle__part *make_part(saddle_context *context, const grid *g)
{
    saddle__ldlt_request request = {.ordering = SADDLE_ORDERING_BEST};
    saddle__part *part = NULL;
    assert_int_equal(saddle__part_create(context, &g->A, &request, &part), SADDLE_OK);
    return part;
}

/* max |scale b - A x| over the rows that are in, for drawn b and scale; x stays elsewhere. */
static double error_of(uint64_t *state, const grid *g, saddle__part *part, const signed char *in)
{
    static double b[N], x[N], before[N];
    double scale = test_integer(state, 0, 1) ? test_uniform(state, -2.0, -1.0) : 1.0;
    for (int64_t i = 0; i < N; i++) b[i] = test_uniform(state, -1.0, 1.0);
    for (int64_t i = 0; i < N; i++) x[i] = before[i] = test_uniform(state, -1.0, 1.0);
    assert_true(saddle__part_solve(part, in, scale, b, x));
    for (int64_t i = 0; i < N; i++) {
        b[i] = in[i] ? scale * b[i] : 0.0;
        if (!in[i]) assert_true(x[i] == before[i]);
        x[i] = in[i] ? x[i] : 0.0;
    }
    saddle_matrix_apply(&g->A, -1.0, x, 1.0, b);
    double largest = 0.0;
    for (int64_t i = 0; i < N; i++)
        if (in[i]) largest = fmax(largest, fabs(b[i]));
    return largest;
}

/* A right-hand side that is not finite leaves x as it was; the next one is solved. */
static void check_not_finite(uint64_t *state, const grid *g, saddle__part *part,
                             const signed char *in)
{
    static double b[N], x[N];
    int64_t in_it = test_integer(state, 0, N - 1);
    for (int64_t i = 0; i < N; i++) b[i] = x[i] = 1.0;
    for (int64_t k = 0; k < N && !in[in_it]; k++) in_it = (in_it + 1) % N;
    if (!in[in_it]) return;
    b[in_it] = (double)NAN;
    assert_false(saddle__part_solve(part, in, 1.0, b, x));
    for (int64_t i = 0; i < N; i++) assert_true(x[i] == 1.0);
    assert_true(error_of(state, g, part, in) < 1e-13);
}

/* A_FF, whatever has been factored before, is factored and solved with. */
static void check(uint64_t *state, grid *g, saddle__part *part, const signed char *in)
{
    assert_int_equal(factor(part, g, in, &g->rule), SADDLE_OK);
    assert_true(error_of(state, g, part, in) < 1e-13);
    check_not_finite(state, g, part, in);
}

static void draw_rows(uint64_t *state, double share, signed char *in)
{
    for (int64_t i = 0; i < N; i++) in[i] = test_uniform(state, 0.0, 1.0) < share;
}

static void toggle_rows(uint64_t *state, int64_t count, signed char *in)
{
    for (; count > 0; count--) {
        int64_t i = test_integer(state, 0, N - 1);
        in[i] = !in[i];
    }
}

static void any_rows_are_solved_as_their_own_system(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    static const double share[] = {0.4, 0.0, 0.3, 1.0, 0.5, 0.01};
    static signed char in[N];
    grid *g = draw_grid(&state);
    saddle__part *part = make_part(NULL, g);
    for (int trial = 0; trial < 60; trial++) {
        if (trial % 10 == 0)
            draw_rows(&state, share[trial / 10], in);
        else
            toggle_rows(&state, test_integer(&state, 1, 30), in);
        check(&state, g, part, in);
    }
    saddle__part_counts counts = saddle__part_counts_of(part);
    /* both ways were taken */
    assert_true(counts.parts > 20 && counts.parts < counts.factorizations);
    saddle__part_free(part);
    free_grid(g);
}

/* A is quasi-definite. */
static void rows_of_both_signs_are_solved(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    static signed char in[N];
    for (int trial = 0; trial < 10; trial++) {
        grid *g = draw_grid(&state);
        saddle__part *part = make_part(NULL, g);
        for (int64_t j = trial % 3; j < N; j += 1 + trial % 3)
            g->A.value[g->A.start[j]] = -g->A.value[g->A.start[j]];
        draw_rows(&state, 0.4, in);
        assert_int_equal(factor(part, g, in, &g->rule), SADDLE_OK);
        assert_true(error_of(&state, g, part, in) < 1e-12);
        int64_t negative = 0;
        for (int64_t i = 0; i < N; i++) negative += in[i] && g->A.value[g->A.start[i]] < 0.0;
        assert_int_equal(saddle__part_counts_of(part).factor.inertia.negative, negative);
        saddle__part_free(part);
        free_grid(g);
    }
}

static void new_values_are_taken(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    static signed char in[N];
    grid *g = draw_grid(&state);
    saddle__part *part = make_part(NULL, g);
    draw_rows(&state, 0.4, in);
    for (int trial = 0; trial < 5; trial++) {
        for (int64_t j = 0; j < N; j++) g->A.value[g->A.start[j]] *= 1.5;
        check(&state, g, part, in);
    }
    assert_int_equal(saddle__part_counts_of(part).analyses, 1);
    saddle__part_free(part);
    free_grid(g);
}

/* Changes values of A and perhaps scales: of the diagonal alone, or of all. */
static void change_values(uint64_t *state, grid *g, int diagonal_alone)
{
    for (int64_t j = 0; j < N; j++) {
        for (int64_t k = g->A.start[j]; k < g->A.start[j + 1]; k++) {
            int own = g->A.index[k] == j;
            if (own || !diagonal_alone)
                g->A.value[k] *= test_uniform(state, own ? 1.0 : 0.9, own ? 1.1 : 1.0);
        }
        if (!diagonal_alone) g->scale[j] *= test_uniform(state, 0.9, 1.1);
    }
}

/* With rows, values or the diagonal alone changed before each factorization. */
static void changed_rows_and_values_are_those_factored(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    static signed char in[N];
    grid *g = draw_grid(&state);
    saddle__part *part = make_part(NULL, g);
    for (int trial = 0; trial < 300; trial++) {
        int kind = (int)test_integer(&state, 0, 19);
        if (kind <= 3 || kind % 2 == 0) change_values(&state, g, kind > 3);
        if (kind == 0 || kind == 5)
            draw_rows(&state, kind == 0 ? test_uniform(&state, 0.0, 1.0) : 0.35, in);
        else if (kind == 1)
            memset(in, 0, sizeof(in));
        else
            toggle_rows(&state, test_integer(&state, 0, kind < 8 ? 30 : 4), in);
        assert_int_equal(factor(part, g, in, &g->rule), SADDLE_OK);
        assert_true(error_of(&state, g, part, in) < 1e-12);
    }
    assert_true(saddle__part_counts_of(part).parts > 40);
    saddle__part_free(part);
    free_grid(g);
}

static void rows_that_come_back_need_no_new_analysis(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    static signed char in[N], first[N];
    grid *g = draw_grid(&state);
    saddle__part *part = make_part(NULL, g);
    draw_rows(&state, 0.4, first);
    memcpy(in, first, sizeof(in));
    for (int trial = 0; trial < 20; trial++) {
        for (int64_t i = 0; i < N && trial > 0; i += N / 50) in[i] = first[i] && !in[i];
        check(&state, g, part, in);
    }
    assert_int_equal(saddle__part_counts_of(part).analyses, 1);
    assert_int_equal(saddle__part_counts_of(part).parts, 20);
    saddle__part_free(part);
    free_grid(g);
}

/* Two equal rows but for a negligible term on the diagonal of the second: the engine's pivot rule
 * decides, as where both rows are in the first set. */
static void a_row_that_depends_on_others_is_left_to_the_rule(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    static signed char in[N];
    grid *g = draw_grid(&state);
    saddle__part *part = make_part(NULL, g);
    draw_rows(&state, 0.4, in);
    for (int64_t i = 0; i < 3 * SIDE; i++) in[i] = 0;
    in[SIDE] = 1;
    int64_t k = g->A.start[SIDE];
    assert_int_equal(g->A.index[k + 1], SIDE + 1);
    g->A.value[k + 1] = g->A.value[k];
    g->A.value[g->A.start[SIDE + 1]] = g->A.value[k];
    saddle__pivot_rule strict = {.scale = g->scale, .smallest = 1e-13};
    assert_int_equal(factor(part, g, in, &strict), SADDLE_OK);
    in[SIDE + 1] = 1;
    assert_int_equal(factor(part, g, in, &strict), SADDLE_SINGULAR);
    assert_int_equal(factor(part, g, in, &g->rule), SADDLE_OK);
    assert_int_equal(saddle__part_counts_of(part).factor.perturbed_pivots, 1);
    saddle__part_free(part);
    free_grid(g);
}

static void a_vanished_pivot_is_an_error_or_replaced(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    static signed char in[N];
    grid *g = draw_grid(&state);
    saddle__part *part = make_part(NULL, g);
    draw_rows(&state, 0.3, in);
    for (int64_t i = 7; i < N; i++) in[i] &= (signed char)(i > 2 * SIDE); /* row 7 is alone */
    in[7] = 1;
    g->A.value[g->A.start[7]] = 0.0;
    saddle__pivot_rule strict = {.scale = g->scale};
    assert_int_equal(factor(part, g, in, &strict), SADDLE_SINGULAR);
    assert_int_equal(factor(part, g, in, &g->rule), SADDLE_OK);
    saddle__part_free(part);
    free_grid(g);
}

static void nothing_is_allocated_after_create_and_the_bits_stay(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    static signed char in[N];
    static double first[40][N], x[N];
    grid *g = draw_grid(&seed);
    for (int again = 0; again < 2; again++) {
        uint64_t state = seed;
        test_memory memory;
        saddle_context *context = test_memory_begin(&memory, -1);
        saddle__part *part = make_part(context, g);
        int64_t made = memory.count;
        draw_rows(&state, 0.4, in);
        for (int trial = 0; trial < 40; trial++) {
            toggle_rows(&state, test_integer(&state, 0, 40), in);
            for (int64_t i = 0; i < N; i++) x[i] = in[i] ? test_uniform(&state, -1.0, 1.0) : 0.0;
            assert_int_equal(factor(part, g, in, &g->rule), SADDLE_OK);
            assert_true(saddle__part_solve(part, in, 1.0, x, x));
            if (!again) memcpy(first[trial], x, sizeof(x));
            assert_memory_equal(first[trial], x, sizeof(x));
        }
        assert_int_equal(memory.count, made);
        assert_true(saddle__part_counts_of(part).analyses > 10);
        saddle__part_free(part);
        test_memory_end(&memory, context);
    }
    free_grid(g);
}

static saddle_status create_and_factor(saddle_context *context, void *user)
{
    grid *g = user;
    static signed char in[N];
    for (int64_t i = 0; i < N; i++) in[i] = i % 3 == 0;
    saddle__ldlt_request request = {.ordering = SADDLE_ORDERING_AMD};
    saddle__part *part = NULL;
    saddle_status status = saddle__part_create(context, &g->A, &request, &part);
    if (status == SADDLE_OK) status = factor(part, g, in, &g->rule);
    saddle__part_free(part);
    return status;
}

static void every_failing_allocation_is_reported(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    grid *g = draw_grid(&state);
    assert_true(test_allocation_sweep(create_and_factor, g) > 10);
    free_grid(g);
}

static void small_and_empty_ones_are_solved(void **unused)
{
    (void)unused;
    for (int64_t n = 0; n < 4; n++) {
        int64_t index[] = {0, 1, 2};
        double value[] = {2.0, 4.0, 8.0};
        double scale[] = {1.0, 1.0, 1.0};
        double x[] = {2.0, 0.0, 8.0};
        signed char in[] = {1, 0, 1};
        saddle_matrix A = {0};
        saddle__part *part = NULL;
        saddle__ldlt_request request = {.ordering = SADDLE_ORDERING_BEST};
        saddle__pivot_rule rule = {.scale = scale};
        assert_int_equal(saddle_matrix_from_triplets(NULL, n, n, n, index, index, value,
                                                     SADDLE_SYMMETRY_LOWER, &A),
                         SADDLE_OK);
        assert_int_equal(saddle__part_create(NULL, &A, &request, &part), SADDLE_OK);
        saddle__full_csr beside = {0};
        assert_int_equal(saddle__full_csr_create(NULL, &A, &beside), SADDLE_OK);
        saddle__part_values values = {.beside = &beside, .diagonal = value};
        assert_int_equal(saddle__part_factor(part, &values, in, &rule), SADDLE_OK);
        assert_true(saddle__part_solve(part, in, 1.0, x, x));
        assert_true(x[0] == (n > 0 ? 1.0 : 2.0) && x[1] == 0.0 && x[2] == (n > 2 ? 1.0 : 8.0));
        saddle__part_free(part);
        saddle__layout_clear(NULL, &beside.layout);
        saddle_matrix_clear(&A);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_rows_are_solved_as_their_own_system),
        cmocka_unit_test(rows_of_both_signs_are_solved),
        cmocka_unit_test(new_values_are_taken),
        cmocka_unit_test(changed_rows_and_values_are_those_factored),
        cmocka_unit_test(rows_that_come_back_need_no_new_analysis),
        cmocka_unit_test(a_row_that_depends_on_others_is_left_to_the_rule),
        cmocka_unit_test(a_vanished_pivot_is_an_error_or_replaced),
        cmocka_unit_test(nothing_is_allocated_after_create_and_the_bits_stay),
        cmocka_unit_test(every_failing_allocation_is_reported),
        cmocka_unit_test(small_and_empty_ones_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
