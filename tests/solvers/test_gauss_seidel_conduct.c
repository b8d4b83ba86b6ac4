/* SPDX-License-Identifier: MIT */
/* gauss-seidel's conduct: relaxation, warm starts, refreshes, limits, memory, problems without a
 * solution, empty ones. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gs_twin.h"

static void over_relaxation_reaches_the_same_velocity(void **state)
{
    (void)state;
    static const char *const factors[4] = {"gauss-seidel.relaxation=0.5",
                                           "gauss-seidel.relaxation=0.8",
                                           "gauss-seidel.relaxation=1.3",
                                           "gauss-seidel.relaxation=1.7"};
    for (int law = 0; law < 4; law++) {
        saddle_options options = gs_tight_options();
        gs_twin *t = gs_twin_stack(5, (saddle_law)law, 0.5, 0.25);
        saddle_solution plain = {0};
        assert_int_equal(gs_solve(&t->problem, &options, NULL, &plain).status, SADDLE_OK);
        for (int k = 0; k < 4; k++) {
            saddle_solution relaxed = {0};
            options.settings = factors[k];
            assert_int_equal(gs_solve(&t->problem, &options, NULL, &relaxed).status, SADDLE_OK);
            assert_true(test_distance(plain.v, relaxed.v, 15) <= 1e-9);
            saddle_solution_clear(&relaxed);
        }
        saddle_solution_clear(&plain);
        gs_twin_clear(t);
    }
}

static void warm_start_takes_fewer_sweeps_than_cold(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    saddle_options options = gs_tight_options();
    int64_t cold_sweeps = 0;
    int64_t near_sweeps = 0;
    for (int draws = 0; draws < 20; draws++) {
        gs_twin *t = gs_twin_draw(&seed, 20, 12, 4, SADDLE_SYMMETRY_LOWER);
        saddle_solution solution = {0};
        saddle_solution warm = {0};
        saddle_report cold = gs_solve(&t->problem, &options, NULL, &solution);
        assert_int_equal(cold.status, SADDLE_OK);
        saddle_report again = gs_solve(&t->problem, &options, &solution, &warm);
        assert_int_equal(again.status, SADDLE_OK);
        assert_true(again.iterations <= 1);
        for (int i = 0; i < 12; i++) t->b[i] *= 1.0 + 1e-9;
        saddle_report near = gs_solve(&t->problem, &options, &solution, &warm);
        assert_int_equal(near.status, SADDLE_OK);
        cold_sweeps += cold.iterations;
        near_sweeps += near.iterations;
        saddle_solution_clear(&solution);
        saddle_solution_clear(&warm);
        gs_twin_clear(t);
    }
    print_message("sweeps: cold %lld, warm %lld\n", (long long)cold_sweeps, (long long)near_sweeps);
    assert_true(3 * near_sweeps < 2 * cold_sweeps);
}

static void same_input_gives_the_same_bits(void **state)
{
    (void)state;
    gs_twin *t = gs_twin_stack(8, SADDLE_LAW_CONE, 0.5, 0.25);
    saddle_solution a = {0};
    saddle_solution b = {0};
    gs_solve(&t->problem, NULL, NULL, &a);
    gs_solve(&t->problem, NULL, NULL, &b);
    assert_memory_equal(a.lambda, b.lambda, 24 * sizeof(double));
    assert_memory_equal(a.v, b.v, 24 * sizeof(double));
    saddle_solution_clear(&a);
    saddle_solution_clear(&b);
    gs_twin_clear(t);
}

static void change_values(gs_twin *t)
{
    for (int64_t k = 0; k < saddle_matrix_entries(&t->problem.M); k++) t->problem.M.value[k] *= 1.5;
    for (int64_t k = 0; k < saddle_matrix_entries(&t->problem.Jt); k++)
        t->problem.Jt.value[k] *= 0.75;
    for (int64_t k = 0; k < saddle_matrix_entries(&t->problem.R); k++) t->problem.R.value[k] *= 2.0;
    for (int64_t i = 0; i < t->problem.m; i++) t->b[i] -= 0.125;
}

/* Also: neither factor nor solve allocates once the pattern is known, CHOLMOD's included. */
static void values_only_refresh_equals_a_fresh_solver_and_allocates_nothing(void **state)
{
    (void)state;
    static const int64_t sizes[3][3] = {{0, 9, 0}, {30, 5, 3}, {2, 30, 2}};
    uint64_t seed = test_seed();
    for (int k = 0; k < 3; k++) {
        test_memory memory;
        saddle_context *context = test_memory_begin(&memory, -1);
        gs_twin *t = gs_twin_draw(&seed, sizes[k][0], sizes[k][1], sizes[k][2],
                                  SADDLE_SYMMETRY_LOWER);
        saddle_solver *solver;
        saddle_solution kept = {0};
        saddle_solution fresh = {0};
        assert_int_equal(saddle_solution_create(context, t->problem.n, t->problem.m, &kept),
                         SADDLE_OK);
        assert_int_equal(saddle_solver_create(context, "gauss-seidel", NULL, &solver), SADDLE_OK);
        assert_int_equal(saddle_solver_analyse(solver, &t->problem), SADDLE_OK);
        assert_int_equal(saddle_solver_factor(solver, &t->problem), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(solver, &t->problem, NULL, &kept), SADDLE_OK);
        change_values(t);
        int64_t before = memory.count;
        assert_int_equal(saddle_solver_factor(solver, &t->problem), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(solver, &t->problem, NULL, &kept), SADDLE_OK);
        assert_int_equal(memory.count, before);
        gs_solve(&t->problem, NULL, NULL, &fresh);
        assert_memory_equal(kept.lambda, fresh.lambda, (size_t)t->problem.m * sizeof(double));
        saddle_solution_clear(&kept);
        saddle_solution_clear(&fresh);
        saddle_solver_free(solver);
        gs_twin_clear(t);
        test_memory_end(&memory, context);
    }
}

static int stop_at_third(void *user, const saddle_progress *progress)
{
    (void)user;
    return strcmp(progress->phase, "solve") == 0 && progress->iteration >= 3;
}

static void limits_end_the_sweeps_with_the_best_so_far(void **state)
{
    (void)state;
    gs_twin *t = gs_twin_stack(10, SADDLE_LAW_CONE, 0.5, 0.25);
    saddle_options options = gs_tight_options();
    saddle_solution solution = {0};
    options.max_iterations = 7;
    saddle_report report = gs_solve(&t->problem, &options, NULL, &solution);
    assert_int_equal(report.status, SADDLE_ITERATION_LIMIT);
    assert_int_equal(report.iterations, 7);
    assert_true(report.residual.total > 0.0 && report.residual.total < 1.0);

    options = gs_tight_options();
    options.time_limit = 1e-9;
    assert_int_equal(gs_solve(&t->problem, &options, NULL, &solution).status, SADDLE_TIME_LIMIT);

    saddle_context_options watched = saddle_context_options_default();
    saddle_context *context;
    watched.progress = stop_at_third;
    options = gs_tight_options();
    assert_int_equal(saddle_context_create(&watched, &context), SADDLE_OK);
    assert_int_equal(saddle_solve(context, &t->problem, "gauss-seidel", &options, NULL, &solution,
                                  &report),
                     SADDLE_STOPPED);
    assert_int_equal(report.iterations, 3);
    saddle_context_free(context);
    saddle_solution_clear(&solution);
    gs_twin_clear(t);
}

/* Until the limit of half a second is over, after a sweep. */
static int wait_after_a_sweep(void *user, const saddle_progress *progress)
{
    const double *begun = user;
    while (strcmp(progress->phase, "solve") == 0 && progress->iteration == 1 &&
           saddle_clock() < *begun + 1.0)
        continue;
    return 0;
}

/* Checks are due after sweep 4 and at the limit. */
static void the_sweep_that_a_time_limit_ends_is_measured(void **state)
{
    (void)state;
    gs_twin *t = gs_twin_stack(10, SADDLE_LAW_CONE, 0.5, 0.25);
    double begun = saddle_clock();
    saddle_context_options waiting = saddle_context_options_default();
    saddle_options options = gs_tight_options();
    saddle_context *context;
    saddle_solution solution = {0};
    saddle_report report;
    waiting.progress = wait_after_a_sweep;
    waiting.progress_user = &begun;
    options.time_limit = 0.5;
    assert_int_equal(saddle_context_create(&waiting, &context), SADDLE_OK);
    assert_int_equal(saddle_solve(context, &t->problem, "gauss-seidel", &options, NULL, &solution,
                                  &report),
                     SADDLE_TIME_LIMIT);
    assert_true(report.iterations <= 2);
    assert_true(report.iterations < 2 || solution.lambda[0] > 0.0);
    saddle_solution_clear(&solution);
    saddle_context_free(context);
    gs_twin_clear(t);
}

/* Between two checks too: the answer is no worse than the last sweep. */
static void the_last_sweep_of_a_limit_counts(void **state)
{
    (void)state;
    static const char *const only_last[2] = {"gauss-seidel.check_every=2",
                                             "gauss-seidel.check_every=6"};
    for (int k = 0; k < 2; k++) {
        gs_twin *t = gs_twin_stack(10, SADDLE_LAW_CONE, 0.5, 0.25);
        saddle_options options = gs_tight_options();
        saddle_solution solution = {0};
        options.max_iterations = k == 0 ? 2 : 6;
        saddle_report report = gs_solve(&t->problem, &options, NULL, &solution);
        assert_int_equal(report.status, SADDLE_ITERATION_LIMIT);
        options.settings = only_last[k];
        saddle_report last = gs_solve(&t->problem, &options, NULL, &solution);
        assert_int_equal(last.status, SADDLE_ITERATION_LIMIT);
        print_message("%lld sweeps: %.1e, the last %.1e\n", (long long)options.max_iterations,
                      report.residual.total, last.residual.total);
        assert_true(report.residual.total <= last.residual.total);
        saddle_solution_clear(&solution);
        gs_twin_clear(t);
    }
}

/* w = -lambda - 1 >= 0, lambda >= 0 has no solution. */
static void problem_without_solution_is_proven_to_have_none(void **state)
{
    (void)state;
    gs_twin *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->problem.m = 1;
    t->R[0][0] = -1.0;
    t->b[0] = 1.0;
    t->hi[0] = INFINITY;
    gs_twin_finish(t, SADDLE_SYMMETRY_NONE);
    saddle_solution solution = {0};
    saddle_report report = gs_solve(&t->problem, NULL, NULL, &solution);
    assert_int_equal(report.status, SADDLE_INFEASIBLE);
    assert_true(report.residual.total > 0.1);
    saddle_solution_clear(&solution);
    gs_twin_clear(t);
}

/* Strongly skew equalities, for which the iteration has no reason to converge. */
static void divergence_is_reported_with_a_finite_result(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    gs_twin *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->problem.m = 30;
    for (int i = 0; i < 30; i++) {
        t->lo[i] = -INFINITY;
        t->hi[i] = INFINITY;
        t->b[i] = 1.0;
        for (int j = 0; j < 30; j++) t->R[i][j] = i == j ? 1e-3 : test_uniform(&seed, -1e3, 1e3);
    }
    gs_twin_finish(t, SADDLE_SYMMETRY_NONE);
    saddle_solution solution = {0};
    saddle_report report = gs_solve(&t->problem, NULL, NULL, &solution);
    assert_int_equal(report.status, SADDLE_DIVERGED);
    assert_true(isfinite(report.residual.total));
    for (int i = 0; i < 30; i++) assert_true(isfinite(solution.lambda[i]));
    saddle_solution_clear(&solution);
    gs_twin_clear(t);
}

static void rows_without_a_diagonal_are_left_and_told_truthfully(void **state)
{
    (void)state;
    gs_twin *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->problem.m = 2;
    t->R[0][0] = 1.0;
    t->b[1] = 1.0; /* row 2: 0 - 1 = w, an equality that nothing can meet */
    for (int i = 0; i < 2; i++) {
        t->lo[i] = -INFINITY;
        t->hi[i] = INFINITY;
    }
    gs_twin_finish(t, SADDLE_SYMMETRY_LOWER);
    saddle_solution solution = {0};
    saddle_options options = saddle_options_default();
    options.max_iterations = 100; /* nor is a proof looked for */
    saddle_report report = gs_solve(&t->problem, &options, NULL, &solution);
    assert_int_equal(report.status, SADDLE_NOT_CONVERGED);
    assert_true(solution.lambda[1] == 0.0 && report.residual.total >= 0.5);
    report = gs_solve(&t->problem, NULL, NULL, &solution);
    assert_true(report.status == SADDLE_INFEASIBLE &&
                strstr(report.note, "row 2 cannot be satisfied"));
    saddle_solution_clear(&solution);
    gs_twin_clear(t);
}

static void singular_mass_names_the_velocity(void **state)
{
    (void)state;
    for (int general = 0; general < 2; general++) {
        gs_twin *t = gs_twin_stack(2, SADDLE_LAW_CONE, 0.3, 0.5);
        saddle_context *context;
        saddle_solution solution = {0};
        assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
        t->problem.M.value[4] = 0.0;
        t->problem.M.symmetry = general ? SADDLE_SYMMETRY_NONE : SADDLE_SYMMETRY_LOWER;
        assert_int_equal(saddle_solve(context, &t->problem, "gauss-seidel", NULL, NULL, &solution,
                                      NULL),
                         SADDLE_SINGULAR);
        assert_non_null(strstr(saddle_context_message(context), "velocity 5"));
        saddle_context_free(context);
        gs_twin_clear(t);
    }
}

/* M = [0 1; 1 0] has no L D L', but an inverse; J is empty (0 x 0), not 2 x 0. */
static void regular_mass_that_needs_pivoting_is_no_obstacle(void **state)
{
    (void)state;
    int64_t start[3] = {0, 1, 1};
    int64_t index[1] = {1};
    double value[1] = {2.0};
    double f[2] = {3.0, 5.0};
    saddle_problem problem = {.n = 2, .f = f};
    problem.M = saddle_matrix_view(2, 2, start, index, value, SADDLE_SYMMETRY_LOWER);
    saddle_solution solution = {0};
    assert_int_equal(gs_solve(&problem, NULL, NULL, &solution).status, SADDLE_OK);
    assert_true(solution.v[0] == 2.5 && solution.v[1] == 1.5);
    saddle_solution_clear(&solution);
}

/* M = [diagonal 1; 1 diagonal], rows of J (1, 0.5), R = 20 I: W is formed for few rows, not for
 * many. */
static gs_twin *two_velocities(int64_t m, double diagonal)
{
    gs_twin *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->problem.n = 2;
    t->problem.m = m;
    t->M[0][0] = t->M[1][1] = diagonal;
    t->M[0][1] = t->M[1][0] = t->f[0] = 1.0;
    t->f[1] = 2.0;
    for (int64_t i = 0; i < m; i++) {
        t->J[i][0] = 1.0;
        t->J[i][1] = 0.5;
        t->R[i][i] = 20.0;
        t->lo[i] = -INFINITY;
        t->hi[i] = INFINITY;
    }
    gs_twin_finish(t, SADDLE_SYMMETRY_LOWER);
    return t;
}

static void values_of_a_refresh_may_need_pivoting(void **state)
{
    (void)state;
    for (int64_t m = 3; m <= 30; m += 27) {
        gs_twin *t = two_velocities(m, 3.0);
        saddle_solver *solver;
        saddle_solution kept = {0}, fresh = {0};
        assert_int_equal(saddle_solution_create(NULL, 2, m, &kept), SADDLE_OK);
        assert_int_equal(saddle_solver_create(NULL, "gauss-seidel", NULL, &solver), SADDLE_OK);
        assert_int_equal(saddle_solver_analyse(solver, &t->problem), SADDLE_OK);
        for (int k = 0; k < 4; k++) {
            t->problem.M.value[0] = t->problem.M.value[2] = k % 2 ? 0.0 : 3.0;
            assert_int_equal(saddle_solver_factor(solver, &t->problem), SADDLE_OK);
            assert_int_equal(saddle_solver_solve(solver, &t->problem, NULL, &kept), SADDLE_OK);
            assert_int_equal(gs_solve(&t->problem, NULL, NULL, &fresh).status, SADDLE_OK);
            assert_true(test_distance(kept.v, fresh.v, 2) <= 1e-9);
            saddle_solution_clear(&fresh);
        }
        saddle_solution_clear(&kept);
        saddle_solver_free(solver);
        gs_twin_clear(t);
    }
}

static void empty_problems_solve_as_what_they_are(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    saddle_problem nothing = {0};
    saddle_solution solution = {0};
    saddle_report report = gs_solve(&nothing, NULL, NULL, &solution);
    assert_int_equal(report.status, SADDLE_OK);
    assert_int_equal(report.iterations, 0);
    saddle_solution_clear(&solution);

    gs_twin *t = gs_twin_draw(&seed, 7, 0, 0, SADDLE_SYMMETRY_LOWER);
    double v[MOST];
    memcpy(v, t->f, sizeof v);
    gs_twin_solve_mass(t, v);
    assert_int_equal(gs_solve(&t->problem, NULL, NULL, &solution).status, SADDLE_OK);
    assert_true(test_distance(v, solution.v, 7) <= 1e-14);
    saddle_solution_clear(&solution);
    gs_twin_clear(t);

    double b[2] = {-1.0, 0.0};
    double lo[2] = {0.0, -INFINITY};
    saddle_problem no_matrix = {.m = 2, .b = b, .lo = lo};
    assert_int_equal(gs_solve(&no_matrix, NULL, NULL, &solution).status, SADDLE_OK);
    assert_true(solution.w[0] == 1.0 && solution.w[1] == 0.0);
    saddle_solution_clear(&solution);
}

static saddle_status solve_in(saddle_context *context, void *user)
{
    gs_twin *t = user;
    saddle_solution solution = {0};
    saddle_status status = saddle_solve(context, &t->problem, "gauss-seidel", NULL, NULL, &solution,
                                        NULL);
    saddle_solution_clear(&solution);
    return status;
}

static void failing_allocations_leak_nothing(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    static const int64_t sizes[3][3] = {{0, 9, 0}, {30, 5, 3}, {2, 30, 2}};
    for (int k = 0; k < 6; k++) {
        const int64_t *size = sizes[k / 2];
        gs_twin *t = gs_twin_draw(&seed, size[0], size[1], size[2],
                                  k % 2 ? SADDLE_SYMMETRY_LOWER : SADDLE_SYMMETRY_NONE);
        assert_true(test_allocation_sweep(solve_in, t) > 10);
        gs_twin_clear(t);
    }
}

/* Where memory is missing in factor, factor is called again. */
static saddle_status factor_again_in(saddle_context *context, void *user)
{
    gs_twin *t = user;
    saddle_solution solution = {0};
    saddle_solver *solver;
    saddle_status status = saddle_solver_create(context, "gauss-seidel", NULL, &solver);
    if (status == SADDLE_OK)
        status = saddle_solution_create(context, t->problem.n, t->problem.m, &solution);
    if (status == SADDLE_OK) status = saddle_solver_analyse(solver, &t->problem);
    if (status == SADDLE_OK) {
        status = saddle_solver_factor(solver, &t->problem);
        if (status == SADDLE_OUT_OF_MEMORY) status = saddle_solver_factor(solver, &t->problem);
        if (status == SADDLE_OK) status = saddle_solver_solve(solver, &t->problem, NULL, &solution);
        assert_true(status == SADDLE_OK || status == SADDLE_OUT_OF_MEMORY);
    }
    saddle_solution_clear(&solution);
    saddle_solver_free(solver);
    return status;
}

static void a_factor_without_memory_is_tried_again(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        gs_twin *t = two_velocities(k < 2 ? 3 : 30, k % 2 ? 3.0 : 0.0);
        assert_true(test_allocation_sweep(factor_again_in, t) > 10);
        gs_twin_clear(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(over_relaxation_reaches_the_same_velocity),
        cmocka_unit_test(warm_start_takes_fewer_sweeps_than_cold),
        cmocka_unit_test(same_input_gives_the_same_bits),
        cmocka_unit_test(values_only_refresh_equals_a_fresh_solver_and_allocates_nothing),
        cmocka_unit_test(limits_end_the_sweeps_with_the_best_so_far),
        cmocka_unit_test(the_sweep_that_a_time_limit_ends_is_measured),
        cmocka_unit_test(the_last_sweep_of_a_limit_counts),
        cmocka_unit_test(problem_without_solution_is_proven_to_have_none),
        cmocka_unit_test(divergence_is_reported_with_a_finite_result),
        cmocka_unit_test(rows_without_a_diagonal_are_left_and_told_truthfully),
        cmocka_unit_test(singular_mass_names_the_velocity),
        cmocka_unit_test(regular_mass_that_needs_pivoting_is_no_obstacle),
        cmocka_unit_test(values_of_a_refresh_may_need_pivoting),
        cmocka_unit_test(empty_problems_solve_as_what_they_are),
        cmocka_unit_test(failing_allocations_leak_nothing),
        cmocka_unit_test(a_factor_without_memory_is_tried_again),
    };
    return cmocka_run_group_tests_name("gauss-seidel", tests, NULL, NULL);
}
