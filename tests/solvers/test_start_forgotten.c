/* SPDX-License-Identifier: MIT */
/* Starts without a solution, by a solver that returns the answers set by the test. */
#include <string.h>

#include "support.h"

typedef struct taker {
    int calls;
} taker;

static saddle_status take_problem(saddle_solver_call *call, void *state,
                                  const saddle_problem *problem)
{
    (void)call;
    (void)state;
    (void)problem;
    return SADDLE_OK;
}

/* From nothing it finds the solution of a unit mass that falls on a stop; from anything else it
 * finds nothing. */
static saddle_status solve_from_nothing_only(saddle_solver_call *call, void *state,
                                             const saddle_problem *problem,
                                             saddle_solution *solution)
{
    (void)problem;
    taker *t = state;
    t->calls++;
    call->report->iterations = t->calls;
    if (solution->v[0] != 0.0 || solution->lambda[0] != 0.0) return SADDLE_ITERATION_LIMIT;
    solution->lambda[0] = 1.0;
    return SADDLE_OK;
}

/* From anything it comes near, from nothing less so. */
static saddle_status solve_worse_from_nothing(saddle_solver_call *call, void *state,
                                              const saddle_problem *problem,
                                              saddle_solution *solution)
{
    (void)problem;
    taker *t = state;
    call->report->iterations = ++t->calls;
    solution->v[0] = solution->lambda[0] != 0.0 ? -0.25 : -0.5;
    solution->lambda[0] = 1.0 + solution->v[0];
    return solution->v[0] == -0.25 ? SADDLE_ITERATION_LIMIT : SADDLE_NOT_CONVERGED;
}

static void clear(void *state, saddle_context *context)
{
    (void)state;
    (void)context;
}

typedef saddle_status solve_function(saddle_solver_call *, void *, const saddle_problem *,
                                     saddle_solution *);

/* answer: its lambda, NULL is fine. */
static saddle_report take_from(double start_lambda, int64_t most, solve_function *solve_it,
                               double *answer)
{
    saddle_solver_type type = {.name = "taker",
                               .summary = "of this test",
                               .rows = SADDLE_ROWS_ALL,
                               .matrices = SADDLE_MATRICES_SYMMETRIC,
                               .state_size = sizeof(taker),
                               .analyse = take_problem,
                               .factor = take_problem,
                               .solve = solve_it,
                               .clear = clear};
    int64_t start[] = {0, 1}, index[] = {0};
    double one[] = {1.0}, f[] = {-1.0}, lo[] = {0.0}, v[] = {0.0}, lambda[] = {start_lambda};
    saddle_problem problem = {.n = 1, .m = 1, .f = f, .lo = lo};
    saddle_matrix unit = {.rows = 1, .cols = 1, .start = start, .index = index, .value = one};
    problem.M = unit;
    problem.M.symmetry = SADDLE_SYMMETRY_LOWER;
    problem.Jt = unit;
    saddle_solution given = {.n = 1, .m = 1, .v = v, .lambda = lambda};
    saddle_solution x = {0};
    saddle_options options = saddle_options_default();
    options.max_iterations = most;
    saddle_context *context = NULL;
    saddle_solver *solver = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_solver_register(context, &type), SADDLE_OK);
    assert_int_equal(saddle_solver_create(context, "taker", &options, &solver), SADDLE_OK);
    assert_int_equal(saddle_solution_create(context, 1, 1, &x), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(solver, &problem), SADDLE_OK);
    assert_int_equal(saddle_solver_factor(solver, &problem), SADDLE_OK);
    (void)saddle_solver_solve(solver, &problem, &given, &x);
    saddle_report first = *saddle_solver_report(solver);
    if (answer) *answer = x.lambda[0];
    (void)saddle_solver_solve(solver, &problem, NULL, &x); /* what was said is gone */
    assert_null(strstr(saddle_solver_report(solver)->note, "without the start"));
    saddle_solution_clear(&x);
    saddle_solver_free(solver);
    saddle_context_free(context);
    return first;
}

static void a_solve_that_a_start_spoils_begins_again_and_says_so(void **unused)
{
    (void)unused;
    saddle_report report = take_from(3.0, 0, solve_from_nothing_only, NULL);
    assert_int_equal(report.status, SADDLE_OK);
    assert_int_equal(report.iterations, 2);
    assert_non_null(strstr(report.note, "begun again without the start"));
}

static void the_better_answer_stays(void **unused)
{
    (void)unused;
    double lambda;
    saddle_report report = take_from(3.0, 0, solve_worse_from_nothing, &lambda);
    assert_int_equal(report.status, SADDLE_ITERATION_LIMIT);
    assert_int_equal(report.iterations, 2);
    assert_true(lambda == 0.75);
    assert_true(report.residual.total > 0.0 && report.residual.worst_row == 0);
    assert_non_null(
        strstr(report.note, "begun again without the start, which gave no better answer"));
}

static void a_cold_start_and_a_limit_of_steps_are_left_alone(void **unused)
{
    (void)unused;
    assert_int_equal(take_from(0.0, 0, solve_from_nothing_only, NULL).iterations, 1);
    assert_int_equal(take_from(3.0, 5, solve_from_nothing_only, NULL).status,
                     SADDLE_ITERATION_LIMIT);
    assert_int_equal(take_from(3.0, 5, solve_from_nothing_only, NULL).iterations, 1);
}

/* v = 0 and v = 1 at once, from a start: the proof of the first solve is the verdict. */
static void a_proof_from_a_start_stays(void **unused)
{
    (void)unused;
    int64_t start[] = {0, 1, 2}, index[] = {0, 0};
    double one[] = {1.0, 1.0}, f[] = {0.0}, b[] = {0.0, 1.0}, v[] = {0.0}, lambda[] = {1.0, -1.0};
    saddle_problem problem = {.n = 1, .m = 2, .f = f, .b = b};
    saddle_matrix rows = {.rows = 1, .cols = 2, .start = start, .index = index, .value = one};
    problem.Jt = problem.M = rows;
    problem.M.cols = 1;
    problem.M.symmetry = SADDLE_SYMMETRY_LOWER;
    saddle_solution given = {.n = 1, .m = 2, .v = v, .lambda = lambda};
    saddle_solution x = {0};
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    const char *names[] = {"pivot", "lemke", "auto"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        saddle_report report;
        assert_int_equal(saddle_solve(context, &problem, names[k], NULL, &given, &x, &report),
                         SADDLE_INFEASIBLE);
        assert_int_equal(report.proof.kind, SADDLE_PROOF_ROWS);
        assert_null(strstr(report.note, "begun again"));
        saddle_solution_clear(&x);
    }
    saddle_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_solve_that_a_start_spoils_begins_again_and_says_so),
        cmocka_unit_test(the_better_answer_stays),
        cmocka_unit_test(a_cold_start_and_a_limit_of_steps_are_left_alone),
        cmocka_unit_test(a_proof_from_a_start_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
