/* SPDX-License-Identifier: MIT */
/* Newton steps on the maps of all contacts, on problems in Delassus form with one answer nearby. */
#include <math.h>
#include <string.h>

#include "gauss_seidel/gauss_seidel.h"
#include "support.h"

enum { CONTACTS = 12, M = 3 * CONTACTS, TRIALS = 40 };

static int64_t make_units(const saddle_problem *problem, saddle__unit *unit)
{
    int64_t count = 0;
    int64_t contact = 0;
    for (int64_t row = 0; row < problem->m; count++) {
        int owned = contact < problem->contact_count && problem->contacts[contact].row == row;
        unit[count] = (saddle__unit){.row = row, .contact = owned ? contact : -1};
        row += owned ? problem->contacts[contact++].size : 1;
    }
    return count;
}

/* R = B B'/M + I/2, b drawn, cones or their relaxation. */
static void draw_problem(uint64_t *seed, saddle_law law, saddle_problem *problem)
{
    double B[M * M];
    assert_int_equal(saddle_matrix_create(NULL, M, M, M * M, SADDLE_GENERAL, &problem->R),
                     SADDLE_OK);
    for (int k = 0; k < M * M; k++) B[k] = test_uniform(seed, -1, 1);
    for (int j = 0; j < M; j++) {
        problem->R.start[j] = (int64_t)j * M;
        for (int i = 0; i < M; i++) {
            double sum = i == j ? 0.5 : 0;
            for (int k = 0; k < M; k++) sum += B[i + M * k] * B[j + M * k] / M;
            problem->R.index[j * M + i] = i;
            problem->R.value[j * M + i] = sum;
        }
    }
    problem->R.start[M] = (int64_t)M * M;
    problem->owner = 1;
    problem->m = M;
    problem->law = law;
    problem->b = saddle_allocate(NULL, M, sizeof *problem->b);
    problem->contacts = saddle_allocate(NULL, CONTACTS, sizeof *problem->contacts);
    problem->contact_count = CONTACTS;
    for (int i = 0; i < M; i++) problem->b[i] = test_uniform(seed, -1, 1);
    for (int k = 0; k < CONTACTS; k++)
        problem->contacts[k] = (saddle_contact){3 * k, 3, test_uniform(seed, 0.1, 0.4)};
}

/* From an answer that is off by 1e-3, steps get to rounding, and each of the last ones at least
 * halves what is left. */
static void near_an_answer_steps_square_the_error(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < TRIALS; trial++) {
        saddle_problem problem = {0};
        saddle_solution exact = {0};
        saddle_options options = saddle_options_default();
        saddle__unit unit[M];
        saddle__newton newton;
        double lambda[M], work[64 * M], gain = 0;
        saddle_residual residual;
        draw_problem(&seed, trial % 2 ? SADDLE_LAW_CONE : SADDLE_LAW_ASSOCIATED, &problem);
        assert_int_equal(saddle_solution_create(NULL, 0, M, &exact), SADDLE_OK);
        options.tolerance = 1e-13;
        options.max_iterations = 2000;
        assert_int_equal(saddle_solve(NULL, &problem, "gauss-seidel", &options, NULL, &exact, NULL),
                         SADDLE_OK);
        for (int i = 0; i < M; i++) lambda[i] = exact.lambda[i] + test_uniform(&seed, -1e-3, 1e-3);

        assert_true(saddle__newton_applies(&problem));
        const int64_t units = make_units(&problem, unit);
        assert_int_equal(saddle__newton_make(NULL, &problem, unit, units, &newton), SADDLE_OK);
        saddle__newton_prepare(&problem, &newton);
        int steps = 0;
        for (; steps < 25 && gain < 1; steps++) {
            assert_int_equal(saddle__newton_step(&problem, &newton, NULL, lambda, &gain),
                             SADDLE_OK);
            assert_true(saddle_residual_work_size(&problem) <= 64 * M);
            saddle_residual_compute(&problem, NULL, lambda, NULL, work, &residual);
            if (residual.total < 1e-14) break;
        }
        assert_true(residual.total < 1e-13);
        assert_true(steps < 12);
        for (int i = 0; i < M; i++) assert_true(fabs(lambda[i] - exact.lambda[i]) < 1e-11);
        saddle__newton_clear(NULL, &newton);
        saddle_solution_clear(&exact);
        saddle_problem_clear(&problem);
    }
}

static saddle_status make_and_step(saddle_context *context, void *user)
{
    const saddle_problem *problem = user;
    saddle__unit unit[M];
    saddle__newton newton;
    double lambda[M] = {0}, gain;
    saddle_status status = saddle__newton_make(context, problem, unit, make_units(problem, unit),
                                               &newton);
    if (status == SADDLE_OK) {
        saddle__newton_prepare(problem, &newton);
        status = saddle__newton_step(problem, &newton, NULL, lambda, &gain);
    }
    saddle__newton_clear(context, &newton);
    return status;
}

static void failing_allocations_leak_nothing(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    saddle_problem problem = {0};
    draw_problem(&seed, SADDLE_LAW_CONE, &problem);
    assert_true(test_allocation_sweep(make_and_step, &problem) > 8);
    saddle_problem_clear(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_an_answer_steps_square_the_error),
        cmocka_unit_test(failing_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
