/* SPDX-License-Identifier: MIT */
/* The engine's parts: partial solves, many and sparse right-hand sides, values
 * only, memory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_kkt.h"
#include "ldlt/ldlt_internal.h"

typedef struct drawn_factor {
    drawn_kkt d;
    saddle__ldlt *F;
    saddle__pivot_rule rule;
} drawn_factor;

static drawn_factor draw_factor(uint64_t *state, kkt_kind kind)
{
    drawn_factor f = {.d = draw_kkt(state, kind)};
    saddle__pivot_rule rule = {.sign = f.d.sign,
                               .scale = f.d.scale,
                               .smallest = 1e-14,
                               .replacement = 1e-10};
    f.rule = rule;
    saddle__ldlt_request request = {.late = f.d.late};
    saddle__factor_counts counts = {0};
    assert_int_equal(saddle__ldlt_analyse(NULL, &f.d.K, &request, &f.F), SADDLE_OK);
    assert_int_equal(saddle__ldlt_factor(f.F, &f.d.K, &f.rule, &counts), SADDLE_OK);
    return f;
}

static void drawn_factor_clear(drawn_factor *f)
{
    saddle__ldlt_free(f->F);
    drawn_kkt_clear(&f->d);
}

/* quasi-definite: no growth disturbs the comparison */
static kkt_kind draw_kind(uint64_t *state, int64_t largest)
{
    kkt_kind kind = {.n = test_integer(state, 1, largest), .links = test_integer(state, 0, 4)};
    kind.m = test_integer(state, 0, kind.n);
    return kind;
}

/* L from its action: column j of L^-1 is unit lower triangular, and L^-1 P K P' L'^-1 = D */
static void parts_are_those_of_a_factorization(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(200); trial++) {
        drawn_factor f = draw_factor(&state, draw_kind(&state, trial % 10 ? 15 : 70));
        int64_t size = f.d.size;
        double *X = calloc((size_t)(size * size), sizeof(*X));
        for (int64_t j = 0; j < size; j++) X[j + j * size] = 1.0;
        saddle__ldlt_solve(f.F, SADDLE__LDLT_L, size, X, size);
        for (int64_t j = 0; j < size; j++) {
            assert_true(X[j + j * size] == 1.0);
            for (int64_t i = 0; i < j; i++) assert_true(X[i + j * size] == 0.0);
        }
        memcpy(X, f.d.dense, (size_t)(size * size) * sizeof(*X));
        saddle__ldlt_solve(f.F, SADDLE__LDLT_IN | SADDLE__LDLT_L, size, X, size);
        for (int64_t j = 0; j < size; j++)
            for (int64_t i = 0; i < j; i++) {
                double t = X[i + j * size];
                X[i + j * size] = X[j + i * size];
                X[j + i * size] = t;
            }
        saddle__ldlt_solve(f.F, SADDLE__LDLT_IN | SADDLE__LDLT_L, size, X, size);
        const double *D = f.F->pivot;
        double largest = 0.0;
        for (int64_t j = 0; j < size; j++) largest = fmax(largest, fabs(D[j]));
        for (int64_t j = 0; j < size; j++)
            for (int64_t i = 0; i < size; i++)
                assert_true(fabs(X[i + j * size] - (i == j ? D[j] : 0.0)) < 1e-11 * largest);
        free(X);
        drawn_factor_clear(&f);
    }
}

static void parts_in_a_row_equal_the_whole(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    const int parts[] = {SADDLE__LDLT_IN, SADDLE__LDLT_L, SADDLE__LDLT_D, SADDLE__LDLT_TRANSPOSE,
                         SADDLE__LDLT_OUT};
    for (int trial = 0; trial < test_draws(200); trial++) {
        drawn_factor f = draw_factor(&state, draw_kind(&state, 40));
        double x[80];
        double y[80];
        for (int64_t i = 0; i < f.d.size; i++) x[i] = y[i] = test_uniform(&state, -1.0, 1.0);
        saddle__ldlt_solve(f.F, SADDLE__LDLT_WHOLE, 1, x, f.d.size);
        for (int k = 0; k < 5; k++) saddle__ldlt_solve(f.F, parts[k], 1, y, f.d.size);
        assert_memory_equal(x, y, (size_t)f.d.size * sizeof(*x));
        drawn_factor_clear(&f);
    }
}

static void many_right_hand_sides_equal_one_by_one(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(100); trial++) {
        drawn_factor f = draw_factor(&state, draw_kind(&state, trial % 10 ? 30 : 150));
        int64_t size = f.d.size;
        int64_t ld = size + test_integer(&state, 0, 3);
        int64_t count = test_integer(&state, 1, 40);
        double *X = calloc((size_t)(ld * count), sizeof(*X));
        double *Y = calloc((size_t)(ld * count), sizeof(*Y));
        for (int64_t k = 0; k < ld * count; k++) X[k] = Y[k] = test_uniform(&state, -1.0, 1.0);
        saddle__ldlt_solve(f.F, SADDLE__LDLT_WHOLE, count, X, ld);
        for (int64_t c = 0; c < count; c++) {
            saddle__ldlt_solve(f.F, SADDLE__LDLT_WHOLE, 1, Y + c * ld, ld);
            assert_true(test_distance(X + c * ld, Y + c * ld, size) < 1e-11);
            for (int64_t i = size; i < ld; i++)
                assert_true(X[i + c * ld] == Y[i + c * ld]); /* left alone */
        }
        free(X);
        free(Y);
        drawn_factor_clear(&f);
    }
}

static void a_sparse_right_hand_side_gives_the_same_answer(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(300); trial++) {
        kkt_kind kind = draw_kind(&state, 40);
        kind.links = test_integer(&state, 0, 1); /* many components */
        drawn_factor f = draw_factor(&state, kind);
        double x[80] = {0.0};
        double y[80] = {0.0};
        int64_t index[4];
        double value[4];
        int64_t count = test_integer(&state, 0, 4);
        for (int64_t k = 0; k < count; k++) {
            index[k] = test_integer(&state, 0, f.d.size - 1); /* may repeat: they add up */
            value[k] = test_uniform(&state, -1.0, 1.0);
            x[index[k]] += value[k];
        }
        saddle__ldlt_solve(f.F, SADDLE__LDLT_WHOLE, 1, x, f.d.size);
        const int64_t start[] = {0, count};
        saddle__ldlt_sparse b = {.columns = 1, .start = start, .index = index, .value = value};
        saddle__ldlt_solve_sparse(f.F, &b, y);
        assert_true(test_distance(x, y, f.d.size) < 1e-12);
        for (int64_t i = 0; i < f.d.size; i++)
            assert_true((x[i] == 0.0) == (y[i] == 0.0)); /* other components */
        drawn_factor_clear(&f);
    }
}

/* Up to sixteen columns, some of them empty, each with its own part of the forest, X by rows;
 * entries outside these parts stay unchanged. */
static void sparse_right_hand_sides_together_give_the_same_answers(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(300); trial++) {
        kkt_kind kind = draw_kind(&state, 40);
        kind.links = test_integer(&state, 0, 1); /* many components */
        drawn_factor f = draw_factor(&state, kind);
        int64_t size = f.d.size;
        int64_t columns = test_integer(&state, 1, SADDLE__FACTOR_BLOCK);
        int64_t start[SADDLE__FACTOR_BLOCK + 1] = {3}; /* need not begin at 0 */
        int64_t index[3 + 4 * SADDLE__FACTOR_BLOCK];
        double value[3 + 4 * SADDLE__FACTOR_BLOCK];
        double X[80 * SADDLE__FACTOR_BLOCK];
        double x[SADDLE__FACTOR_BLOCK][80] = {{0.0}};
        for (int64_t c = 0; c < columns; c++) {
            start[c + 1] = start[c] + test_integer(&state, 0, 4);
            for (int64_t e = start[c]; e < start[c + 1]; e++) {
                index[e] = test_integer(&state, 0, size - 1);
                value[e] = test_uniform(&state, -1.0, 1.0);
                x[c][index[e]] += value[e];
            }
            saddle__ldlt_solve(f.F, SADDLE__LDLT_WHOLE, 1, x[c], size);
        }
        for (int64_t k = 0; k < size * columns; k++) X[k] = 7.0;
        saddle__ldlt_sparse B = {.columns = columns,
                                 .start = start,
                                 .index = index,
                                 .value = value};
        saddle__ldlt_solve_sparse(f.F, &B, X);
        for (int64_t i = 0; i < size; i++) {
            int reached = 0;
            for (int64_t c = 0; c < columns; c++) reached |= x[c][i] != 0.0;
            for (int64_t c = 0; c < columns; c++)
                assert_true(reached ? fabs(X[i * columns + c] - x[c][i]) <=
                                          1e-11 * fmax(1.0, fabs(x[c][i]))
                                    : X[i * columns + c] == 7.0);
        }
        drawn_factor_clear(&f);
    }
}

static void new_values_equal_a_fresh_factor_bit_for_bit(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(100); trial++) {
        drawn_factor old = draw_factor(&state, draw_kind(&state, trial % 10 ? 30 : 150));
        for (int64_t k = 0; k < saddle_matrix_entries(&old.d.K); k++)
            old.d.K.value[k] *= 1.0 + 0.01 * (double)(k % 3);
        saddle__ldlt_request request = {.late = old.d.late};
        saddle__factor_counts counts = {0};
        saddle__ldlt *fresh = NULL;
        assert_int_equal(saddle__ldlt_factor(old.F, &old.d.K, &old.rule, &counts), SADDLE_OK);
        assert_int_equal(saddle__ldlt_analyse(NULL, &old.d.K, &request, &fresh), SADDLE_OK);
        assert_int_equal(saddle__ldlt_factor(fresh, &old.d.K, &old.rule, &counts), SADDLE_OK);
        assert_memory_equal(old.F->pivot, fresh->pivot, (size_t)old.d.size * 8);
        double *x = calloc((size_t)(2 * old.d.size), sizeof(*x));
        double *y = x + old.d.size;
        for (int64_t i = 0; i < old.d.size; i++) x[i] = y[i] = 1.0;
        saddle__ldlt_solve(old.F, SADDLE__LDLT_WHOLE, 1, x, old.d.size);
        saddle__ldlt_solve(fresh, SADDLE__LDLT_WHOLE, 1, y, old.d.size);
        assert_memory_equal(x, y, (size_t)old.d.size * sizeof(*x));
        free(x);
        saddle__ldlt_free(fresh);
        drawn_factor_clear(&old);
    }
}

/* ---- what is refused ---- */

static void values_that_are_not_finite_end_it_and_do_no_harm(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    kkt_kind kind = {.n = 60, .m = 20, .links = 4};
    drawn_factor f = draw_factor(&state, kind);
    saddle__factor_counts counts = {0};
    const double wrong[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int k = 0; k < 30; k++) {
        int64_t entry = test_integer(&state, 0, saddle_matrix_entries(&f.d.K) - 1);
        double right = f.d.K.value[entry];
        f.d.K.value[entry] = wrong[k % 3];
        assert_int_equal(saddle__ldlt_factor(f.F, &f.d.K, &f.rule, &counts), SADDLE_SINGULAR);
        assert_in_range(counts.failed_column, 0, f.d.size - 1);
        f.d.K.value[entry] = right;
    }
    assert_int_equal(saddle__ldlt_factor(f.F, &f.d.K, &f.rule, &counts), SADDLE_OK);
    assert_int_equal(counts.failed_column, -1);
    double x[80];
    double b[80];
    for (int64_t i = 0; i < f.d.size; i++) x[i] = b[i] = 1.0;
    saddle__ldlt_solve(f.F, SADDLE__LDLT_WHOLE, 1, x, f.d.size);
    assert_true(drawn_kkt_error(&f.d, x, b) < 1e-11);
    drawn_factor_clear(&f);
}

static void empty_and_degenerate_matrices_are_taken(void **unused)
{
    (void)unused;
    saddle__ldlt_request request = {.ordering = SADDLE_ORDERING_BEST};
    saddle__pivot_rule rule = {.smallest = 0.0};
    saddle__factor_counts counts = {0};
    saddle__ldlt *F = NULL;
    saddle_matrix none = {.symmetry = SADDLE_SYMMETRY_LOWER};
    assert_int_equal(saddle__ldlt_analyse(NULL, &none, &request, &F), SADDLE_OK);
    assert_int_equal(saddle__ldlt_factor(F, &none, &rule, &counts), SADDLE_OK);
    saddle__ldlt_solve(F, SADDLE__LDLT_WHOLE, 1, NULL, 0);
    const int64_t nothing[] = {0, 0};
    saddle__ldlt_sparse empty = {.columns = 1, .start = nothing};
    saddle__ldlt_solve_sparse(F, &empty, NULL);
    saddle__ldlt_free(F);
    int64_t start[] = {0, 0, 0};
    saddle_matrix zero = saddle_matrix_view(2, 2, start, NULL, NULL, SADDLE_SYMMETRY_LOWER);
    assert_int_equal(saddle__ldlt_analyse(NULL, &zero, &request, &F), SADDLE_SINGULAR);
    assert_null(F);
    int64_t lonely_start[] = {0, 1, 1}; /* the second column has no entry at all */
    int64_t lonely_index[] = {0};
    double two = 2.0;
    saddle_matrix lonely = saddle_matrix_view(2, 2, lonely_start, lonely_index, &two,
                                              SADDLE_SYMMETRY_LOWER);
    assert_int_equal(saddle__ldlt_analyse(NULL, &lonely, &request, &F), SADDLE_OK);
    assert_int_equal(saddle__ldlt_factor(F, &lonely, &rule, &counts), SADDLE_SINGULAR);
    assert_int_equal(counts.failed_column, 1);
    saddle__ldlt_free(F);
    saddle__ldlt_free(NULL);
}

/* Two velocities without mass and a row on both: each node is constrained to come after another one
 * of the three. */
static void nodes_that_wait_for_each_other_all_come_out(void **unused)
{
    (void)unused;
    int64_t start[] = {0, 2, 4, 5};
    int64_t index[] = {0, 2, 1, 2, 2};
    double value[] = {1e-10, 1.0, 1e-10, 2.0, -1e-10};
    const signed char late[] = {1, 1, 2};
    saddle_matrix A = saddle_matrix_view(3, 3, start, index, value, SADDLE_SYMMETRY_LOWER);
    for (int ordering = 0; ordering < 4; ordering++) {
        saddle__ldlt_request request = {.ordering = (saddle_ordering)ordering, .late = late};
        saddle__pivot_rule rule = {.smallest = 0.0};
        saddle__factor_counts counts = {0};
        saddle__ldlt *F = NULL;
        assert_int_equal(saddle__ldlt_analyse(NULL, &A, &request, &F), SADDLE_OK);
        assert_int_equal(saddle__ldlt_factor(F, &A, &rule, &counts), SADDLE_OK);
        assert_int_equal(counts.inertia.positive, 2);
        assert_int_equal(counts.inertia.negative, 1);
        saddle__ldlt_free(F);
    }
}

/* ---- memory ---- */

static void factor_and_solve_allocate_nothing(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    kkt_kind kind = {.n = 120, .m = 60, .links = 5, .rigid = 2};
    drawn_kkt d = draw_kkt(&state, kind);
    saddle__pivot_rule rule = {.sign = d.sign,
                               .scale = d.scale,
                               .smallest = 1e-14,
                               .replacement = 1e-10};
    saddle__ldlt_request request = {.late = d.late};
    saddle__factor_counts counts = {0};
    saddle__ldlt *F = NULL;
    test_memory memory;
    saddle_context *context = test_memory_begin(&memory, -1);
    assert_int_equal(saddle__ldlt_analyse(context, &d.K, &request, &F), SADDLE_OK);
    int64_t before = memory.count;
    double *X = calloc(180 * 20, sizeof(*X));
    const int64_t sparse_start[] = {0, 1};
    int64_t index = 7;
    double one = 1.0;
    saddle__ldlt_sparse sparse = {.columns = 1,
                                  .start = sparse_start,
                                  .index = &index,
                                  .value = &one};
    for (int repeat = 0; repeat < 2; repeat++) {
        assert_int_equal(saddle__ldlt_factor(F, &d.K, &rule, &counts), SADDLE_OK);
        saddle__ldlt_solve(F, SADDLE__LDLT_WHOLE, 20, X, 180);
        saddle__ldlt_solve(F, SADDLE__LDLT_WHOLE, 1, X, 180);
        saddle__ldlt_solve_sparse(F, &sparse, X);
    }
    assert_int_equal(memory.count, before);
    saddle_memory_use use = saddle_context_memory(context);
    assert_true(use.bytes >= saddle__ldlt_size_of(F).bytes); /* and little more: the blocks'
                                                                heads */
    assert_true(use.bytes < saddle__ldlt_size_of(F).bytes + 4096);
    saddle__ldlt_free(F);
    test_memory_end(&memory, context);
    free(X);
    drawn_kkt_clear(&d);
}

static saddle_status body(saddle_context *context, void *user)
{
    const drawn_kkt *d = user;
    saddle__ldlt_request request = {.ordering = SADDLE_ORDERING_METIS, .late = d->late};
    saddle__ldlt *F = NULL;
    saddle_status status = saddle__ldlt_analyse(context, &d->K, &request, &F);
    if (status != SADDLE_OK) assert_null(F);
    saddle__ldlt_free(F);
    return status;
}

static void an_allocation_that_fails_is_an_error_and_leaks_nothing(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    kkt_kind kind = {.n = 30, .m = 12, .links = 3, .rigid = 2};
    drawn_kkt d = draw_kkt(&state, kind);
    assert_true(test_allocation_sweep(body, &d) > 10);
    drawn_kkt_clear(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_those_of_a_factorization),
        cmocka_unit_test(parts_in_a_row_equal_the_whole),
        cmocka_unit_test(many_right_hand_sides_equal_one_by_one),
        cmocka_unit_test(a_sparse_right_hand_side_gives_the_same_answer),
        cmocka_unit_test(sparse_right_hand_sides_together_give_the_same_answers),
        cmocka_unit_test(new_values_equal_a_fresh_factor_bit_for_bit),
        cmocka_unit_test(values_that_are_not_finite_end_it_and_do_no_harm),
        cmocka_unit_test(empty_and_degenerate_matrices_are_taken),
        cmocka_unit_test(nodes_that_wait_for_each_other_all_come_out),
        cmocka_unit_test(factor_and_solve_allocate_nothing),
        cmocka_unit_test(an_allocation_that_fails_is_an_error_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
