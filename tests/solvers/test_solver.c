/* SPDX-License-Identifier: MIT */
/* The generic layer, seen through a solver of the test's own: phases, refusals, the checker's last
 * word, counts. */
#include "support.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define INF ((double)INFINITY)

/* ---- a solver that does as it is told ---- */

typedef struct puppet_settings {
    double share;
    int64_t count;
    int word, flag;
} puppet_settings;

typedef struct puppet_state {
    int analysed, factored;
    double *block;
} puppet_state;

static struct {
    saddle_status answer; /* of solve */
    double value;         /* written to all of v and lambda */
    int cleared;          /* how often */
    int proved;           /* how often a proof was asked for */
    int64_t allocate;     /* doubles taken in analyse */
    double measured;      /* total of v and lambda, by the checker, in solve */
    double slip[2];       /* added to v[0] and lambda[0] after that measure */
    puppet_settings seen; /* in solve */
} puppet;

static saddle_status puppet_analyse(saddle_solver_call *call, void *memory,
                                    const saddle_problem *problem)
{
    puppet_state *state = memory;
    (void)problem;
    assert_false(state->analysed); /* the state comes zeroed */
    state->analysed = 1;
    state->block = saddle_allocate(call->context, puppet.allocate, sizeof *state->block);
    return state->block ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

static saddle_status puppet_factor(saddle_solver_call *call, void *memory,
                                   const saddle_problem *problem)
{
    puppet_state *state = memory;
    (void)problem;
    state->factored = 1;
    call->report->factorizations++;
    return SADDLE_OK;
}

static saddle_status puppet_solve(saddle_solver_call *call, void *memory,
                                  const saddle_problem *problem, saddle_solution *solution)
{
    puppet_state *state = memory;
    assert_true(state->analysed && state->factored);
    memcpy(&puppet.seen, call->settings, sizeof puppet.seen);
    for (int64_t j = 0; j < problem->n; j++) solution->v[j] = puppet.value;
    for (int64_t i = 0; i < problem->m; i++) solution->lambda[i] = puppet.value;
    puppet.measured = saddle_solver_measure(call, problem, solution->v, solution->lambda)->total;
    if (problem->n > 0) solution->v[0] += puppet.slip[0];
    if (problem->m > 0) solution->lambda[0] += puppet.slip[1];
    call->report->iterations += 3;
    if (puppet.answer < 0) return saddle_fail(call->context, puppet.answer, "the puppet refuses");
    return puppet.answer;
}

static unsigned puppet_proves(const saddle_problem *problem)
{
    (void)problem;
    puppet.proved++;
    return 0;
}

static void puppet_clear(void *memory, saddle_context *context)
{
    puppet_state *state = memory;
    saddle_release(context, state->block);
    memset(state, 0, sizeof *state);
    puppet.cleared++;
}

static const char *const puppet_words[] = {"first", "second", NULL};

static const saddle_setting puppet_list[] = {
    {"share", SADDLE_SETTING_REAL, offsetof(puppet_settings, share), 0.5, 0.0, 1.0, NULL, "a real"},
    {"count", SADDLE_SETTING_INTEGER, offsetof(puppet_settings, count), 3, 0, 9, NULL, "a count"},
    {"word", SADDLE_SETTING_WORD, offsetof(puppet_settings, word), 0, 0, 0, puppet_words, "a word"},
    {"flag", SADDLE_SETTING_FLAG, offsetof(puppet_settings, flag), 1, 0, 0, NULL, "a flag"},
    {.name = NULL},
};

static const saddle_solver_type puppet_type = {
    .name = "puppet",
    .summary = "does as the test says",
    .rows = SADDLE_ROWS_EQUALITY | SADDLE_ROWS_UNILATERAL,
    .matrices = SADDLE_MATRICES_SYMMETRIC,
    .state_size = sizeof(puppet_state),
    .settings = puppet_list,
    .settings_size = sizeof(puppet_settings),
    .analyse = puppet_analyse,
    .factor = puppet_factor,
    .solve = puppet_solve,
    .clear = puppet_clear,
    .proves = puppet_proves,
};

/* ---- 2 v = f with one row v >= 0: solved by v = 1 for f = 2 ---- */

typedef struct fixture {
    saddle_context *context;
    saddle_solver *solver;
    saddle_problem problem;
    saddle_solution solution;
    int64_t start[2], index[1];
    double mass[1], jacobian[1], f[1], b[1], lo[1], hi[1];
} fixture;

static void open_fixture(fixture *x)
{
    memset(x, 0, sizeof *x);
    puppet.answer = SADDLE_OK;
    puppet.value = 0;
    puppet.cleared = puppet.proved = 0;
    puppet.allocate = 10;
    puppet.slip[0] = puppet.slip[1] = 0;
    x->start[1] = 1;
    x->mass[0] = 2;
    x->jacobian[0] = 1;
    x->hi[0] = INF;
    x->problem = (saddle_problem){
        .n = 1,
        .m = 1,
        .M = saddle_matrix_view(1, 1, x->start, x->index, x->mass, SADDLE_SYMMETRY_LOWER),
        .Jt = saddle_matrix_view(1, 1, x->start, x->index, x->jacobian, SADDLE_SYMMETRY_NONE),
        .f = x->f,
        .b = x->b,
        .lo = x->lo,
        .hi = x->hi,
    };
    assert_int_equal(saddle_context_create(NULL, &x->context), SADDLE_OK);
    assert_int_equal(saddle_solver_register(x->context, &puppet_type), SADDLE_OK);
    assert_int_equal(saddle_solver_create(x->context, "puppet", NULL, &x->solver), SADDLE_OK);
    assert_int_equal(saddle_solution_create(x->context, 1, 1, &x->solution), SADDLE_OK);
}

static void close_fixture(fixture *x)
{
    saddle_solver_free(x->solver);
    saddle_solution_clear(&x->solution);
    assert_true(puppet.cleared >= 1);
    saddle_context_free(x->context);
}

static saddle_status all_phases(fixture *x)
{
    assert_int_equal(saddle_solver_analyse(x->solver, &x->problem), SADDLE_OK);
    assert_int_equal(saddle_solver_factor(x->solver, &x->problem), SADDLE_OK);
    return saddle_solver_solve(x->solver, &x->problem, NULL, &x->solution);
}

static void assert_message(const fixture *x, const char *text)
{
    if (!strstr(saddle_context_message(x->context), text))
        fail_msg("'%s' is not in '%s'", text, saddle_context_message(x->context));
}

static void phases_out_of_order_are_refused(void **state)
{
    (void)state;
    fixture x;
    open_fixture(&x);
    assert_int_equal(saddle_solver_factor(x.solver, &x.problem), SADDLE_WRONG_PHASE);
    assert_int_equal(saddle_solver_solve(x.solver, &x.problem, NULL, &x.solution),
                     SADDLE_WRONG_PHASE);
    assert_int_equal(saddle_solver_analyse(x.solver, &x.problem), SADDLE_OK);
    assert_int_equal(saddle_solver_solve(x.solver, &x.problem, NULL, &x.solution),
                     SADDLE_WRONG_PHASE);
    assert_message(&x, "solve before factor");
    assert_int_equal(saddle_solver_factor(x.solver, &x.problem), SADDLE_OK);
    assert_int_equal(saddle_solver_solve(x.solver, &x.problem, NULL, &x.solution), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(x.solver, &x.problem), SADDLE_OK); /* starts over */
    assert_int_equal(saddle_solver_solve(x.solver, &x.problem, NULL, &x.solution),
                     SADDLE_WRONG_PHASE);
    assert_int_equal(saddle_solver_analyse(NULL, &x.problem), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_solver_factor(x.solver, NULL), SADDLE_INVALID_ARGUMENT);
    close_fixture(&x);
}

static void the_checker_has_the_last_word(void **state)
{
    (void)state;
    fixture x;
    open_fixture(&x);
    assert_int_equal(all_phases(&x), SADDLE_OK); /* v = lambda = 0 solves f = 0 */
    x.f[0] = 2;
    assert_int_equal(saddle_solver_solve(x.solver, &x.problem, NULL, &x.solution),
                     SADDLE_NOT_CONVERGED);
    const saddle_report *report = saddle_solver_report(x.solver);
    assert_true(report->residual.total > 0.5);
    assert_int_equal(report->status, SADDLE_NOT_CONVERGED);
    assert_int_equal(report->iterations, 3);
    assert_int_equal(report->factorizations, 1);
    assert_string_equal(report->solver, "puppet");
    puppet.answer = SADDLE_ITERATION_LIMIT; /* the status is that of an unsolved problem, but the
                                               answer is exact */
    x.f[0] = 0;
    assert_int_equal(saddle_solver_solve(x.solver, &x.problem, NULL, &x.solution), SADDLE_OK);
    x.f[0] = 2;
    assert_int_equal(saddle_solver_solve(x.solver, &x.problem, NULL, &x.solution),
                     SADDLE_ITERATION_LIMIT);
    close_fixture(&x);
}

static void an_answer_that_changes_after_a_measure_is_measured_again(void **state)
{
    (void)state;
    fixture x;
    open_fixture(&x);
    assert_int_equal(all_phases(&x), SADDLE_OK);
    assert_true(puppet.measured == 0 && saddle_solver_report(x.solver)->residual.total == 0);
    for (int k = 0; k < 2; k++) {
        puppet.slip[0] = k == 0;
        puppet.slip[1] = k == 1;
        assert_int_equal(saddle_solver_solve(x.solver, &x.problem, NULL, &x.solution),
                         SADDLE_NOT_CONVERGED);
        assert_true(puppet.measured == 0);
        assert_true(saddle_solver_report(x.solver)->residual.total > 0.1);
    }
    close_fixture(&x);
}

static void solvers_that_prove_are_asked_where_a_solve_ends_unsolved(void **state)
{
    (void)state;
    fixture x;
    open_fixture(&x);
    assert_int_equal(all_phases(&x), SADDLE_OK);
    assert_int_equal(puppet.proved, 0);
    x.f[0] = 2;
    assert_int_equal(saddle_solver_solve(x.solver, &x.problem, NULL, &x.solution),
                     SADDLE_NOT_CONVERGED);
    assert_int_equal(puppet.proved, 1);
    puppet.answer = SADDLE_TIME_LIMIT; /* no time is left for a proof */
    assert_int_equal(saddle_solver_solve(x.solver, &x.problem, NULL, &x.solution),
                     SADDLE_TIME_LIMIT);
    assert_int_equal(puppet.proved, 1);
    close_fixture(&x);
}

static void a_result_that_is_not_finite_becomes_a_finite_one(void **state)
{
    (void)state;
    fixture x;
    open_fixture(&x);
    puppet.value = (double)NAN;
    x.f[0] = 2;
    assert_int_equal(all_phases(&x), SADDLE_DIVERGED);
    assert_true(x.solution.v[0] == 0 && x.solution.lambda[0] == 0);
    assert_true(isfinite(saddle_solver_report(x.solver)->residual.total));
    puppet.value = 5;
    puppet.answer = SADDLE_SINGULAR;
    assert_int_equal(saddle_solver_solve(x.solver, &x.problem, NULL, &x.solution), SADDLE_SINGULAR);
    assert_true(x.solution.v[0] == 0); /* nothing produced */
    assert_message(&x, "the puppet refuses");
    close_fixture(&x);
}

/* J v beyond the largest number, of a v that is not: neither solved nor an answer, whatever the
 * solver says of it. */
static void a_result_whose_w_is_not_finite_becomes_a_finite_one(void **state)
{
    (void)state;
    static const saddle_status answers[] = {SADDLE_OK, SADDLE_NOT_CONVERGED,
                                            SADDLE_ITERATION_LIMIT};
    fixture x;
    open_fixture(&x);
    x.jacobian[0] = 10;
    for (int k = 0; k < 3; k++) {
        puppet.answer = answers[k];
        puppet.value = 1e308;
        x.f[0] = 2;
        if (k == 0)
            assert_int_equal(all_phases(&x), SADDLE_DIVERGED);
        else
            assert_int_equal(saddle_solver_solve(x.solver, &x.problem, NULL, &x.solution),
                             SADDLE_DIVERGED);
        assert_true(x.solution.v[0] == 0 && x.solution.lambda[0] == 0 && x.solution.w[0] == 0);
        assert_true(isfinite(saddle_solver_report(x.solver)->residual.total));
    }
    close_fixture(&x);
}

/* 0 v >= 1: a solver that has no answer to it is told why, unless it was kept short. */
static void an_answer_that_is_missing_is_explained_where_the_solver_ran_to_its_end(void **state)
{
    (void)state;
    static const saddle_status ends[] = {SADDLE_NOT_CONVERGED, SADDLE_ITERATION_LIMIT};
    fixture x;
    open_fixture(&x);
    x.jacobian[0] = 0;
    x.b[0] = 1;
    for (int k = 0; k < 2; k++) {
        puppet.answer = ends[k];
        assert_int_equal(all_phases(&x), SADDLE_INFEASIBLE);
        assert_non_null(saddle_solver_certificate(x.solver));
        assert_non_null(strstr(saddle_solver_report(x.solver)->note, "no solution"));
    }
    saddle_options options = saddle_options_default();
    options.max_iterations = 5;
    saddle_solver_free(x.solver);
    assert_int_equal(saddle_solver_create(x.context, "puppet", &options, &x.solver), SADDLE_OK);
    assert_int_equal(all_phases(&x), SADDLE_ITERATION_LIMIT);
    assert_null(saddle_solver_certificate(x.solver));
    assert_null(strstr(saddle_solver_report(x.solver)->note, "no solution"));
    close_fixture(&x);
}

static void w_is_filled_in_for_the_solver(void **state)
{
    (void)state;
    fixture x;
    open_fixture(&x);
    x.b[0] = -4;
    assert_int_equal(all_phases(&x), SADDLE_OK);
    assert_true(x.solution.w[0] == 4);
    close_fixture(&x);
}

static void changed_sizes_and_patterns_are_refused(void **state)
{
    (void)state;
    fixture x;
    open_fixture(&x);
    assert_int_equal(all_phases(&x), SADDLE_OK);
    saddle_problem other = x.problem;
    other.m = 0;
    other.Jt = (saddle_matrix){0};
    assert_int_equal(saddle_solver_factor(x.solver, &other), SADDLE_INVALID_ARGUMENT);
    assert_message(&x, "n = 1, m = 1, called with n = 1, m = 0");
    other = x.problem;
    int64_t none[2] = {0, 0};
    other.Jt.start = none;
    assert_int_equal(saddle_solver_factor(x.solver, &other), SADDLE_INVALID_ARGUMENT);
    assert_message(&x, "pattern of J");
    other = x.problem;
    double nan_mass[1] = {(double)NAN};
    other.M.value = nan_mass;
    assert_int_equal(saddle_solver_factor(x.solver, &other), SADDLE_INVALID_PROBLEM);
    x.f[0] = INF;
    assert_int_equal(saddle_solver_solve(x.solver, &x.problem, NULL, &x.solution),
                     SADDLE_INVALID_PROBLEM);
    assert_message(&x, "f[0]");
    x.f[0] = 0;
    saddle_solution small = {.n = 1, .m = 0};
    assert_int_equal(saddle_solver_solve(x.solver, &x.problem, NULL, &small),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_solver_solve(x.solver, &x.problem, &small, &x.solution),
                     SADDLE_INVALID_ARGUMENT);
    close_fixture(&x);
}

static void vectors_that_are_missing_are_refused(void **state)
{
    (void)state;
    fixture x;
    open_fixture(&x);
    assert_int_equal(all_phases(&x), SADDLE_OK);
    double one[1] = {0};
    saddle_solution lacking[] = {
        {.n = 1, .m = 1, .lambda = one, .w = one},
        {.n = 1, .m = 1, .v = one, .w = one},
        {.n = 1, .m = 1, .v = one, .lambda = one},
    };
    for (int k = 0; k < 3; k++) {
        /* a start needs no w */
        saddle_status as_start = k == 2 ? SADDLE_OK : SADDLE_INVALID_ARGUMENT;
        assert_int_equal(saddle_solver_solve(x.solver, &x.problem, NULL, &lacking[k]),
                         SADDLE_INVALID_ARGUMENT);
        assert_int_equal(saddle_solver_solve(x.solver, &x.problem, &lacking[k], &x.solution),
                         as_start);
    }
    close_fixture(&x);
}

static void rows_that_a_solver_cannot_do_are_named_with_those_who_can(void **state)
{
    (void)state;
    fixture x;
    open_fixture(&x);
    x.hi[0] = 3; /* a box row */
    assert_int_equal(saddle_solver_analyse(x.solver, &x.problem), SADDLE_UNSUPPORTED);
    assert_message(&x, "row 1 [box]");
    assert_message(&x, "gauss-seidel");
    assert_null(strstr(saddle_context_message(x.context), "ldlt"));
    x.hi[0] = INF;
    assert_int_equal(all_phases(&x), SADDLE_OK);
    x.hi[0] = 3; /* or becomes one later */
    assert_int_equal(saddle_solver_solve(x.solver, &x.problem, NULL, &x.solution),
                     SADDLE_UNSUPPORTED);
    int64_t start[] = {0, 1, 3}, index[] = {0, 0, 1};
    double mass[] = {2, 1, 2};
    saddle_problem unsymmetric = {.n = 2,
                                  .M = saddle_matrix_view(2, 2, start, index, mass,
                                                          SADDLE_SYMMETRY_NONE)};
    assert_int_equal(saddle_solver_analyse(x.solver, &unsymmetric), SADDLE_UNSUPPORTED);
    assert_message(&x, "unsymmetric");
    close_fixture(&x);
}

/* What a solve sees of these assignments. */
static puppet_settings settings_seen(fixture *x, char *assignments)
{
    saddle_options options = saddle_options_default();
    options.settings = assignments;
    saddle_solver_free(x->solver);
    assert_int_equal(saddle_solver_create(x->context, "puppet", &options, &x->solver), SADDLE_OK);
    if (assignments) memset(assignments, 'x', strlen(assignments)); /* the solver has a copy */
    (void)all_phases(x);
    return puppet.seen;
}

static void settings_reach_their_solver_alone(void **state)
{
    (void)state;
    fixture x;
    open_fixture(&x);
    puppet_settings seen = settings_seen(&x, NULL);
    assert_true(seen.share == 0.5 && seen.count == 3 && seen.word == 0 && seen.flag == 1);
    char all[] = "puppet.share=0.25, puppet.count=9 pivot.basis=columns\tpuppet.word=second "
                 "puppet.flag=off puppet.count=4 ";
    seen = settings_seen(&x, all);
    assert_true(seen.share == 0.25 && seen.count == 4 && seen.word == 1 && seen.flag == 0);
    close_fixture(&x);
}

static void wrong_settings_are_refused_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *assignments, *message;
        saddle_status status;
    } wrong[] = {
        {"puppet.size=1", "pivot.basis, pivot.lagged_friction", SADDLE_UNKNOWN_NAME},
        {"pippet.share=1", "'pippet.share'", SADDLE_UNKNOWN_NAME},
        {"share=1", "'share'", SADDLE_UNKNOWN_NAME},
        {"puppet.flag=off x", "'x'", SADDLE_UNKNOWN_NAME},
        {"puppet.share=2", "a number in 0 .. 1", SADDLE_INVALID_ARGUMENT},
        {"puppet.share=nan", "a number in 0 .. 1", SADDLE_INVALID_ARGUMENT},
        {"puppet.share", "puppet.share = ''", SADDLE_INVALID_ARGUMENT},
        {"puppet.count=1.5", "an integer in 0 .. 9", SADDLE_INVALID_ARGUMENT},
        {"puppet.count=99999999999999999999", "an integer", SADDLE_INVALID_ARGUMENT},
        {"puppet.word=third", "one of first second", SADDLE_INVALID_ARGUMENT},
        {"puppet.flag=1", "one of off on", SADDLE_INVALID_ARGUMENT},
        {"puppet.word=off", "one of first second", SADDLE_INVALID_ARGUMENT},
    };
    fixture x;
    open_fixture(&x);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        saddle_options options = saddle_options_default();
        saddle_solver *none;
        options.settings = wrong[k].assignments;
        assert_int_equal(saddle_solver_create(x.context, "ldlt", &options, &none), wrong[k].status);
        assert_message(&x, wrong[k].message);
    }
    close_fixture(&x);
}

static void the_registry_lists_refuses_and_finds(void **state)
{
    (void)state;
    fixture x;
    open_fixture(&x);
    const char *expected[] = {"ldlt",         "lu",   "schur",     "pivot", "lemke",
                              "gauss-seidel", "admm", "staggered", "auto",  "puppet"};
    for (int64_t i = 0; i < 10; i++)
        assert_string_equal(saddle_solver_type_at(x.context, i)->name, expected[i]);
    assert_null(saddle_solver_type_at(x.context, 10));
    assert_null(saddle_solver_type_at(x.context, -1));
    assert_null(saddle_solver_type_at(NULL, 9));
    assert_ptr_equal(saddle_solver_type_find(x.context, "puppet"), &puppet_type);
    assert_null(saddle_solver_type_find(NULL, "puppet"));
    assert_int_equal(saddle_solver_register(x.context, &puppet_type), SADDLE_INVALID_ARGUMENT);
    assert_message(&x, "exists already");
    saddle_solver_type half = puppet_type;
    half.name = "half";
    half.solve = NULL;
    assert_int_equal(saddle_solver_register(x.context, &half), SADDLE_INVALID_ARGUMENT);
    half = puppet_type;
    half.name = "ldlt";
    assert_int_equal(saddle_solver_register(x.context, &half), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_solver_register(NULL, &half), SADDLE_INVALID_ARGUMENT);
    const saddle_setting outside[] = {{.name = "size", .summary = "", .most = 1, .initial = 2},
                                      {.name = NULL}};
    half = puppet_type;
    half.name = "outside";
    half.settings = outside; /* nor has the struct room for it */
    half.settings_size = sizeof(int64_t);
    assert_int_equal(saddle_solver_register(x.context, &half), SADDLE_INVALID_ARGUMENT);
    saddle_solver *none;
    assert_int_equal(saddle_solver_create(x.context, "pardiso", NULL, &none), SADDLE_UNKNOWN_NAME);
    assert_null(none);
    assert_message(&x,
                   "ldlt, lu, schur, pivot, lemke, gauss-seidel, admm, staggered, auto, puppet");
    saddle_options bad = saddle_options_default();
    bad.tolerance = -1;
    assert_int_equal(saddle_solver_create(x.context, "puppet", &bad, &none),
                     SADDLE_INVALID_ARGUMENT);
    close_fixture(&x);
}

static int stop_now(void *user, const saddle_progress *progress)
{
    return strcmp(progress->phase, user) == 0;
}

static void the_progress_callback_stops_before_each_phase(void **state)
{
    (void)state;
    static char phases[][8] = {"analyse", "factor", "solve"};
    for (int k = 0; k < 3; k++) {
        fixture x;
        open_fixture(&x);
        saddle_context_options options = saddle_context_options_default();
        options.progress = stop_now;
        options.progress_user = phases[k];
        saddle_context *context;
        assert_int_equal(saddle_context_create(&options, &context), SADDLE_OK);
        assert_int_equal(saddle_solver_register(context, &puppet_type), SADDLE_OK);
        saddle_solution solution = {0};
        saddle_report report;
        assert_int_equal(saddle_solve(context, &x.problem, "puppet", NULL, NULL, &solution,
                                      &report),
                         SADDLE_STOPPED);
        assert_int_equal(report.status, SADDLE_STOPPED);
        assert_true(report.residual.total == INF); /* nobody has measured anything yet */
        assert_non_null(solution.v);               /* a result exists: zeros */
        saddle_solution_clear(&solution);
        saddle_context_free(context);
        close_fixture(&x);
    }
}

static void a_stopped_factor_leaves_none_to_solve_with(void **state)
{
    (void)state;
    fixture x;
    open_fixture(&x);
    char phase[8] = "";
    saddle_context_options options = saddle_context_options_default();
    options.progress = stop_now;
    options.progress_user = phase;
    saddle_context *context;
    saddle_solver *solver;
    saddle_solution solution = {0};
    assert_int_equal(saddle_context_create(&options, &context), SADDLE_OK);
    assert_int_equal(saddle_solver_create(context, "ldlt", NULL, &solver), SADDLE_OK);
    assert_int_equal(saddle_solution_create(context, 1, 1, &solution), SADDLE_OK);
    x.problem.lo = x.problem.hi = NULL;
    assert_int_equal(saddle_solver_analyse(solver, &x.problem), SADDLE_OK);
    assert_int_equal(saddle_solver_factor(solver, &x.problem), SADDLE_OK);
    strcpy(phase, "factor");
    assert_int_equal(saddle_solver_factor(solver, &x.problem), SADDLE_STOPPED);
    strcpy(phase, "");
    assert_int_equal(saddle_solver_solve(solver, &x.problem, NULL, &solution), SADDLE_WRONG_PHASE);
    assert_int_equal(saddle_solver_factor(solver, &x.problem), SADDLE_OK);
    assert_int_equal(saddle_solver_solve(solver, &x.problem, NULL, &solution), SADDLE_OK);
    saddle_solution_clear(&solution);
    saddle_solver_free(solver);
    saddle_context_free(context);
    close_fixture(&x);
}

static void one_call_does_all_and_fills_an_empty_solution(void **state)
{
    (void)state;
    fixture x;
    open_fixture(&x);
    saddle_solution solution = {0};
    saddle_report report;
    assert_int_equal(saddle_solve(x.context, &x.problem, "puppet", NULL, NULL, &solution, &report),
                     SADDLE_OK);
    assert_int_equal(solution.n, 1);
    assert_int_equal(report.n, 1);
    assert_int_equal(report.m, 1);
    assert_true(report.peak_bytes > 0);
    saddle_solution_clear(&solution);
    puppet.answer = SADDLE_SINGULAR;
    assert_int_equal(saddle_solve(x.context, &x.problem, "puppet", NULL, NULL, &solution, NULL),
                     SADDLE_SINGULAR);
    assert_null(solution.v);
    assert_int_equal(saddle_solve(x.context, NULL, "puppet", NULL, NULL, &solution, &report),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(report.status, SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_solve(x.context, &x.problem, "pardiso", NULL, NULL, &solution, &report),
                     SADDLE_UNKNOWN_NAME);
    assert_int_equal(report.status, SADDLE_UNKNOWN_NAME);
    assert_true(report.residual.total == INF);
    close_fixture(&x);
}

static saddle_status solve_with_puppet(saddle_context *context, void *user)
{
    fixture *x = user;
    saddle_status status = saddle_solver_register(context, &puppet_type);
    saddle_solution solution = {0};
    if (status == SADDLE_OK)
        status = saddle_solve(context, &x->problem, "puppet", NULL, NULL, &solution, NULL);
    saddle_solution_clear(&solution);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    fixture x;
    open_fixture(&x);
    assert_true(test_allocation_sweep(solve_with_puppet, &x) >= 7);
    close_fixture(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases_out_of_order_are_refused),
        cmocka_unit_test(the_checker_has_the_last_word),
        cmocka_unit_test(an_answer_that_changes_after_a_measure_is_measured_again),
        cmocka_unit_test(solvers_that_prove_are_asked_where_a_solve_ends_unsolved),
        cmocka_unit_test(a_result_that_is_not_finite_becomes_a_finite_one),
        cmocka_unit_test(a_result_whose_w_is_not_finite_becomes_a_finite_one),
        cmocka_unit_test(an_answer_that_is_missing_is_explained_where_the_solver_ran_to_its_end),
        cmocka_unit_test(w_is_filled_in_for_the_solver),
        cmocka_unit_test(vectors_that_are_missing_are_refused),
        cmocka_unit_test(changed_sizes_and_patterns_are_refused),
        cmocka_unit_test(rows_that_a_solver_cannot_do_are_named_with_those_who_can),
        cmocka_unit_test(settings_reach_their_solver_alone),
        cmocka_unit_test(wrong_settings_are_refused_by_name),
        cmocka_unit_test(the_registry_lists_refuses_and_finds),
        cmocka_unit_test(the_progress_callback_stops_before_each_phase),
        cmocka_unit_test(a_stopped_factor_leaves_none_to_solve_with),
        cmocka_unit_test(one_call_does_all_and_fills_an_empty_solution),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
