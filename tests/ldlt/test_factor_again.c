/* SPDX-License-Identifier: MIT */
/* A factorization of what little has changed is that of all, bit by bit, whatever becomes of its
 * pivots; and does what was touched alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_kkt.h"
#include "ldlt/ldlt_internal.h"

static saddle__ldlt *analyse(const saddle_matrix *K, const signed char *late, int again,
                             int64_t threads)
{
    saddle__ldlt_request request = {
        .late = late, .again = again, .single = -1, .threads = threads, .grain = 1e-3};
    saddle__ldlt *F = NULL;
    assert_int_equal(saddle__ldlt_analyse(NULL, K, &request, &F), SADDLE_OK);
    return F;
}

/* Every entry in `node`'s row and column: as in `value`, times factor or, on the diagonal, own.  Of
 * the two nodes of each both are touched or, sparingly, the one that F eliminates first. */
static void change(saddle__ldlt *F, saddle_matrix *K, int64_t node, const double *value,
                   double factor, double own, int sparingly)
{
    const int64_t *position = saddle__ldlt_positions(F);
    for (int64_t j = 0; j < K->cols; j++)
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++) {
            int64_t i = K->index[k];
            if (i != node && j != node) continue;
            K->value[k] = value[k] * (i == j ? own : factor);
            if (!sparingly || position[i] <= position[j]) saddle__ldlt_touch(F, i);
            if (!sparingly || position[j] <= position[i]) saddle__ldlt_touch(F, j);
        }
}

/* Some entries change, others, all of a node, vanish, and come back with a later change. */
static void compare(uint64_t *state, const drawn_kkt *d, const signed char *late,
                    saddle__pivot_rule rule, int64_t threads)
{
    enum { CHANGES = 30 };
    size_t entries = (size_t)saddle_matrix_entries(&d->K);
    double *value = calloc(entries, sizeof(*value));
    double *before = calloc(entries, sizeof(*before)); /* a node vanished */
    saddle_matrix K = d->K;
    saddle__ldlt *F = analyse(&K, late, 1, threads);
    saddle__ldlt *G = analyse(&K, late, 0, 1);
    saddle__factor_counts again = {0};
    saddle__factor_counts all = {0};
    int64_t gone = -1;
    memcpy(value, K.value, entries * sizeof(*value));
    K.value = value;
    assert_int_equal(saddle__ldlt_factor(F, &K, &rule, &again),
                     saddle__ldlt_factor(G, &K, &rule, &all));
    for (int trial = 0; trial < CHANGES; trial++) {
        int sparingly = (int)test_integer(state, 0, 1);
        if (gone >= 0 && test_integer(state, 0, 1)) {
            change(F, &K, gone, before, 1.0, 1.0, sparingly);
            gone = -1;
        }
        for (int64_t k = test_integer(state, 0, 3); k > 0; k--)
            change(F, &K, test_integer(state, 0, d->size - 1), value, test_uniform(state, 0.5, 1.5),
                   test_uniform(state, 1.0, 1.5), sparingly);
        if (gone < 0 && test_integer(state, 0, 3) == 0) {
            gone = test_integer(state, 0, d->size - 1);
            memcpy(before, value, entries * sizeof(*before));
            change(F, &K, gone, before, 0.0, 0.0, sparingly);
        }
        saddle_status status = saddle__ldlt_factor_again(F, &K, &rule, &again);
        assert_int_equal(status, saddle__ldlt_factor(G, &K, &rule, &all));
        test_same_counts(&again, &all);
        if (status == SADDLE_OK) test_same_factors(F, G, state);
    }
    saddle__ldlt_free(F);
    saddle__ldlt_free(G);
    free(value);
    free(before);
}

static void what_changed_is_factored_as_all_is(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    const double replacement[] = {1e-10, (double)INFINITY, 0.0};
    for (int64_t draw = 0; draw < test_draws(60); draw++) {
        kkt_kind kind = {.n = test_integer(&state, 1, 120), .links = test_integer(&state, 1, 3)};
        kind.m = test_integer(&state, 0, kind.n);
        kind.rigid = (int)test_integer(&state, 0, 4);
        drawn_kkt d = draw_kkt(&state, kind);
        saddle__pivot_rule rule = {.sign = d.sign,
                                   .scale = draw % 4 ? d.scale : NULL,
                                   .smallest = 1e-14};
        rule.replacement = replacement[draw % 3];
        compare(&state, &d, d.late, rule, 1 + draw % 3);
        drawn_kkt_clear(&d);
    }
}

static void double_diagonal(saddle_matrix *K, int64_t j)
{
    for (int64_t k = K->start[j]; k < K->start[j + 1]; k++)
        if (K->index[k] == j) K->value[k] *= 2.0;
}

/* The last pivot's supernode is touched, the first pivot's matrix entry changes and nobody says
 * so. */
static void what_nothing_touched_stays(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    kkt_kind kind = {.n = 200, .m = 60, .links = 2};
    drawn_kkt d = draw_kkt(&state, kind);
    saddle__pivot_rule rule = {.sign = d.sign,
                               .scale = d.scale,
                               .smallest = 1e-14,
                               .replacement = 1e-10};
    saddle__ldlt *F = analyse(&d.K, d.late, 1, 1);
    saddle__factor_counts counts = {0};
    assert_int_equal(saddle__ldlt_factor(F, &d.K, &rule, &counts), SADDLE_OK);
    assert_true(F->supernodes > 10);
    double first = saddle__ldlt_pivots(F)[0];
    double last = saddle__ldlt_pivots(F)[d.size - 1];
    int64_t begins = saddle__ldlt_order(F)[0];
    int64_t ends = saddle__ldlt_order(F)[d.size - 1];
    double_diagonal(&d.K, begins);
    double_diagonal(&d.K, ends);
    saddle__ldlt_touch(F, ends);
    assert_int_equal(saddle__ldlt_factor_again(F, &d.K, &rule, &counts), SADDLE_OK);
    assert_true(saddle__ldlt_pivots(F)[0] == first);
    assert_true(saddle__ldlt_pivots(F)[d.size - 1] != last);
    saddle__ldlt_touch(F, begins); /* and what is touched is touched once: */
    assert_int_equal(saddle__ldlt_factor_again(F, &d.K, &rule, &counts), SADDLE_OK);
    assert_true(saddle__ldlt_pivots(F)[0] == 2.0 * first);
    first = saddle__ldlt_pivots(F)[0];
    double_diagonal(&d.K, begins);
    assert_int_equal(saddle__ldlt_factor_again(F, &d.K, &rule, &counts), SADDLE_OK);
    assert_true(saddle__ldlt_pivots(F)[0] == first);
    saddle__ldlt_free(F);
    drawn_kkt_clear(&d);
}

/* One dense front, whose one supernode is all there is, and who did not ask for it. */
static void others_factor_all(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    kkt_kind kind = {.n = 20, .m = 5, .links = 4};
    drawn_kkt d = draw_kkt(&state, kind);
    saddle__pivot_rule rule = {.sign = d.sign,
                               .scale = d.scale,
                               .smallest = 1e-14,
                               .replacement = 1e-10};
    for (int single = -1; single <= 1; single += 2) {
        saddle__ldlt_request request = {.again = single == 1, .single = single};
        saddle__ldlt *F = NULL;
        saddle__ldlt *G = NULL;
        saddle__factor_counts one = {0};
        saddle__factor_counts other = {0};
        assert_int_equal(saddle__ldlt_analyse(NULL, &d.K, &request, &F), SADDLE_OK);
        request.again = 0;
        assert_int_equal(saddle__ldlt_analyse(NULL, &d.K, &request, &G), SADDLE_OK);
        for (int trial = 0; trial < 3; trial++) {
            change(F, &d.K, test_integer(&state, 0, d.size - 1), d.K.value, 0.9, 1.1, 0);
            assert_int_equal(saddle__ldlt_factor_again(F, &d.K, &rule, &one), SADDLE_OK);
            assert_int_equal(saddle__ldlt_factor(G, &d.K, &rule, &other), SADDLE_OK);
            test_same_counts(&one, &other);
            test_same_factors(F, G, &state);
        }
        saddle__ldlt_free(F);
        saddle__ldlt_free(G);
    }
    drawn_kkt_clear(&d);
}

static void nothing_is_factored_again_as_well(void **unused)
{
    (void)unused;
    saddle_matrix none = {.symmetry = SADDLE_SYMMETRIC};
    saddle__pivot_rule rule = {.smallest = 1e-14};
    saddle__factor_counts counts = {0};
    saddle__ldlt *F = analyse(&none, NULL, 1, 1);
    assert_int_equal(saddle__ldlt_factor_again(F, &none, &rule, &counts), SADDLE_OK);
    saddle__ldlt_free(F);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_changed_is_factored_as_all_is),
        cmocka_unit_test(what_nothing_touched_stays),
        cmocka_unit_test(others_factor_all),
        cmocka_unit_test(nothing_is_factored_again_as_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
