/* SPDX-License-Identifier: MIT */
/* The KKT matrix against the dense one, and its values-only refresh against a fresh assembly. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense_kkt.h"
#include "drawn.h"
#include "problem/kkt.h"

static void check_equal(const saddle_problem *p, const saddle__kkt *kkt, const double *added)
{
    int64_t size = p->n + p->m;
    double *expected;
    double *rhs;
    assert_int_equal(test_dense_kkt(NULL, p, &expected, &rhs), SADDLE_OK);
    for (int64_t i = 0; i < size; i++) expected[i + i * size] += added ? added[i] : 0.0;
    double *K = calloc((size_t)(size * size + 1), sizeof(*K));
    if (size > 0) test_dense(&kkt->K, K);
    for (int64_t k = 0; k < size * size; k++) assert_true(K[k] == expected[k]);
    assert_int_equal(saddle_matrix_check(NULL, &kkt->K, "K"), SADDLE_OK);
    for (int64_t i = 0; i < size; i++) {
        int64_t k = kkt->diagonal[i];
        assert_true(kkt->K.start[i] <= k && k < kkt->K.start[i + 1] && kkt->K.index[k] == i);
    }
    free(K);
    saddle_release(NULL, expected);
    saddle_release(NULL, rhs);
}

static void assembly_equals_the_dense_matrix(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(500); trial++) {
        drawn d;
        draw_problem(&state, draw_kind(&state, 12, trial % 2, 0), &d);
        int general = trial % 3 == 0;
        saddle__kkt kkt;
        assert_int_equal(saddle__kkt_create(NULL, &d.problem, general, &kkt), SADDLE_OK);
        int symmetric = (d.problem.M.symmetry == SADDLE_SYMMETRY_LOWER || d.problem.n == 0) &&
                        (d.problem.R.symmetry == SADDLE_SYMMETRY_LOWER ||
                         saddle_matrix_entries(&d.problem.R) == 0);
        assert_int_equal(kkt.K.symmetry,
                         !general && symmetric ? SADDLE_SYMMETRY_LOWER : SADDLE_SYMMETRY_NONE);
        saddle__kkt_refresh(&kkt, &d.problem, NULL);
        check_equal(&d.problem, &kkt, NULL);
        double added[24];
        for (int i = 0; i < 24; i++) added[i] = test_uniform(&state, -1.0, 1.0);
        saddle__kkt_refresh(&kkt, &d.problem, added);
        check_equal(&d.problem, &kkt, added);
        for (int64_t k = 0; k < saddle_matrix_entries(&d.problem.M); k++)
            d.problem.M.value[k] *= 3.0;
        for (int64_t k = 0; k < saddle_matrix_entries(&d.problem.Jt); k++)
            d.problem.Jt.value[k] -= 1.0;
        for (int64_t k = 0; k < saddle_matrix_entries(&d.problem.R); k++)
            d.problem.R.value[k] += 0.5;
        saddle__kkt_refresh(&kkt, &d.problem, NULL);
        check_equal(&d.problem, &kkt, NULL);
        saddle__kkt_clear(&kkt);
        drawn_clear(&d);
    }
}

static void a_general_block_makes_the_whole_general(void **unused)
{
    (void)unused;
    double one[] = {2.0, 1.0, 1.0, 3.0};
    int64_t start[] = {0, 2, 4};
    int64_t index[] = {0, 1, 0, 1};
    int64_t lower_start[] = {0, 2, 3};
    int64_t lower_index[] = {0, 1, 1};
    double lower[] = {2.0, 1.0, 3.0};
    saddle_matrix full = saddle_matrix_view(2, 2, start, index, one, SADDLE_SYMMETRY_NONE);
    saddle_matrix half = saddle_matrix_view(2, 2, lower_start, lower_index, lower,
                                            SADDLE_SYMMETRY_LOWER);
    saddle_problem p = {.n = 2, .m = 2, .M = half, .Jt = full, .R = full};
    for (int k = 0; k < 2; k++) {
        saddle__kkt kkt;
        assert_int_equal(saddle__kkt_create(NULL, &p, 0, &kkt), SADDLE_OK);
        assert_int_equal(kkt.K.symmetry, SADDLE_SYMMETRY_NONE);
        assert_int_equal(saddle_matrix_entries(&kkt.K), 16);
        saddle__kkt_refresh(&kkt, &p, NULL);
        check_equal(&p, &kkt, NULL);
        saddle__kkt_clear(&kkt);
        p.M = full;
        p.R = half;
    }
}

static void absent_matrices_leave_a_stored_diagonal(void **unused)
{
    (void)unused;
    saddle_problem p = {.n = 2, .m = 3};
    saddle__kkt kkt;
    assert_int_equal(saddle__kkt_create(NULL, &p, 0, &kkt), SADDLE_OK);
    assert_int_equal(saddle_matrix_entries(&kkt.K), 5);
    double added[] = {1.0, 2.0, 3.0, 4.0, 5.0};
    saddle__kkt_refresh(&kkt, &p, added);
    for (int64_t i = 0; i < 5; i++) assert_true(saddle_matrix_entry(&kkt.K, i, i) == added[i]);
    saddle__kkt_clear(&kkt);
    p.n = INT64_MAX - 1;
    assert_int_equal(saddle__kkt_create(NULL, &p, 0, &kkt), SADDLE_TOO_LARGE);
}

static saddle_status body(saddle_context *context, void *user)
{
    saddle__kkt kkt;
    saddle_status status = saddle__kkt_create(context, user, 0, &kkt);
    saddle__kkt_clear(&kkt);
    return status;
}

static void an_allocation_that_fails_is_an_error_and_leaks_nothing(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    drawn d;
    draw_problem(&state, (drawn_kind){.n = 6, .m = 4, .compliance = DIAGONAL_R}, &d);
    assert_int_equal(test_allocation_sweep(body, &d.problem), 2);
    drawn_clear(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assembly_equals_the_dense_matrix),
        cmocka_unit_test(a_general_block_makes_the_whole_general),
        cmocka_unit_test(absent_matrices_leave_a_stored_diagonal),
        cmocka_unit_test(an_allocation_that_fails_is_an_error_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
