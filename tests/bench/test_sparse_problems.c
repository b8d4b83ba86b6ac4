/* SPDX-License-Identifier: MIT */
/* The sparse systems of the complementarity benchmark are what sparse.h says, in small. */
#include "complementarity/sparse.h"
#include "support.h"

static int64_t pushing(const saddle_problem *problem, saddle_report *report)
{
    saddle_solution x = {0};
    int64_t count = 0;
    assert_int_equal(saddle_solve(NULL, problem, "schur", NULL, NULL, &x, report), SADDLE_OK);
    for (int64_t i = 0; i < problem->m; i++) count += x.lambda[i] > 0.0;
    saddle_solution_clear(&x);
    return count;
}

static void blocks_fall_on_as_many_stops_as_asked(void **state)
{
    (void)state;
    static const int64_t rows[] = {25, 60}; /* a face's, and others */
    for (int k = 0; k < 2; k++) {
        saddle_problem problem;
        saddle_report report;
        assert_int_equal(sparse_make_block(NULL, 4, rows[k], &problem), SADDLE_OK);
        assert_int_equal(problem.n, 3 * 125);
        assert_int_equal(problem.m, rows[k]);
        assert_int_equal(saddle_problem_check(NULL, &problem, NULL, NULL), SADDLE_OK);
        for (int64_t i = 0; i < problem.m; i++) {
            assert_int_equal(problem.Jt.start[i + 1] - problem.Jt.start[i], 1);
            int64_t node = problem.Jt.index[i] / 3;
            assert_int_equal(problem.Jt.index[i] % 3, 0);
            assert_true(k == 1 || node % 5 == 0);
        }
        int64_t count = pushing(&problem, &report);
        assert_true(4 * count > rows[k] && 4 * count < 3 * rows[k]);
        saddle_problem_clear(&problem);
    }
}

static void stops_out_of_reach_do_not_push(void **state)
{
    (void)state;
    saddle_problem problem;
    saddle_report report;
    assert_int_equal(sparse_make_block(NULL, 4, 60, &problem), SADDLE_OK);
    sparse_lower_stops(6, &problem);
    int64_t count = pushing(&problem, &report);
    assert_true(count > 0 && count <= 6);
    saddle_problem_clear(&problem);
}

static void heaps_have_three_contacts_a_disc(void **state)
{
    (void)state;
    saddle_problem problem;
    saddle_report report;
    assert_int_equal(sparse_make_heap(NULL, 12, 8, 3, &problem), SADDLE_OK);
    assert_int_equal(problem.n, 2 * 96);
    /* 11 in a course; 2 x 12 - 1 between courses; 12 with the floor; with walls 4 on the left, 5 on
     * the right */
    assert_int_equal(problem.m, 8 * 11 + 7 * 23 + 12 + 4 + 5);
    for (int64_t i = 0; i < problem.m; i++) {
        double square = 0.0;
        for (int64_t k = problem.Jt.start[i]; k < problem.Jt.start[i + 1]; k++)
            square += problem.Jt.value[k] * problem.Jt.value[k];
        assert_true(square > 0.9 && square < 2.1); /* a unit normal on one disc or two */
    }
    assert_true(pushing(&problem, &report) > 96);
    saddle_problem_clear(&problem);
}

/* Without local pivoting (mlcp/sparse_basis.c) the sum is 123. */
static void heaps_settle_in_few_steps(void **state)
{
    (void)state;
    int64_t steps = 0;
    for (uint64_t seed = 3; seed < 9; seed++) {
        saddle_problem problem;
        saddle_report report;
        assert_int_equal(sparse_make_heap(NULL, 100, 50, seed, &problem), SADDLE_OK);
        (void)pushing(&problem, &report);
        assert_true(report.residual.total <= 1e-12);
        steps += report.iterations;
        saddle_problem_clear(&problem);
    }
    assert_true(steps <= 90);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_fall_on_as_many_stops_as_asked),
        cmocka_unit_test(stops_out_of_reach_do_not_push),
        cmocka_unit_test(heaps_have_three_contacts_a_disc),
        cmocka_unit_test(heaps_settle_in_few_steps),
    };
    return cmocka_run_group_tests_name("sparse problems of the benchmark", tests, NULL, NULL);
}
