/* SPDX-License-Identifier: MIT */
/* See equality_claims.h. */
#include "equality_claims.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { LARGEST = 25 };

/* ---- what is drawn ---- */

drawn_kind draw_any_symmetric(uint64_t *state)
{
    return draw_kind(state, LARGEST, 1, 0);
}

drawn_kind draw_regular_symmetric(uint64_t *state)
{
    return draw_kind(state, LARGEST, 1, 1);
}

drawn_kind draw_indefinite(uint64_t *state)
{
    drawn_kind kind = draw_kind(state, LARGEST, 1, 1);
    kind.indefinite = 1;
    return kind;
}

drawn_kind draw_massless(uint64_t *state)
{
    drawn_kind kind = draw_kind(state, LARGEST, 1, 1);
    kind.massless = 1;
    kind.compliance = RIGID;
    return kind;
}

drawn_kind draw_unsymmetric(uint64_t *state)
{
    drawn_kind kind = draw_kind(state, LARGEST, 0, 0);
    kind.unsymmetric = 1;
    return kind;
}

static saddle_factorization claimed;

void claim_with(saddle_factorization factorization)
{
    claimed = factorization;
}

static saddle_options claimed_options(void)
{
    saddle_options options = saddle_options_default();
    options.settings = asked_factorization(claimed);
    return options;
}

saddle_status solve_plainly(const char *solver, const saddle_problem *problem,
                            saddle_solution *solution, saddle_report *report)
{
    memset(solution, 0, sizeof(*solution));
    saddle_options options = claimed_options();
    return saddle_solve(NULL, problem, solver, &options, NULL, solution, report);
}

/* ---- the right answer ---- */

static void check_answer(uint64_t seed, const drawn *d, saddle_status status,
                         const saddle_solution *solution, const saddle_report *report)
{
    double limit = 1e-13 * fmax(1.0, d->condition);
    int unique = d->rank == d->problem.n + d->problem.m;
    double velocity = status < 0    ? (double)INFINITY
                      : d->doubtful ? 0.0
                                    : drawn_velocity_error(d, solution->v);
    double impulse = status >= 0 && unique ? drawn_impulse_error(d, solution->lambda) : 0.0;
    if (status == SADDLE_OK && velocity <= limit && impulse <= limit &&
        report->residual.total < 1e-14)
        return;
    fail_msg("problem drawn from %" PRIu64 " (n = %" PRId64 ", m = %" PRId64
             ", condition %.1e): %s, v off by %.1e, lambda"
             " by %.1e, residual %.1e, note '%s'",
             seed, d->problem.n, d->problem.m, d->condition, saddle_status_name(status), velocity,
             impulse, report->residual.total, report->note);
}

void claim_velocity_equals_lapack(const char *solver, draw_function *kind, int count)
{
    uint64_t state = test_seed();
    int doubtful = 0;
    for (int trial = 0; trial < count; trial++) {
        uint64_t seed = state;
        drawn d;
        draw_problem(&state, kind(&state), &d);
        saddle_solution solution;
        saddle_report report;
        saddle_status status = solve_plainly(solver, &d.problem, &solution, &report);
        check_answer(seed, &d, status, &solution, &report);
        doubtful += d.doubtful;
        saddle_solution_clear(&solution);
        drawn_clear(&d);
    }
    if (doubtful) print_message("    %d of %d in doubt\n", doubtful, count);
    assert_true(100 * doubtful < count);
}

void claim_inertia_is_exact(const char *solver, draw_function *kind, int count)
{
    uint64_t state = test_seed();
    int checked = 0;
    for (int trial = 0; trial < count; trial++) {
        drawn d;
        draw_problem(&state, kind(&state), &d);
        saddle_solution solution;
        saddle_report report;
        assert_int_equal(solve_plainly(solver, &d.problem, &solution, &report), SADDLE_OK);
        assert_true(report.inertia.known);
        if (d.rank == d.problem.n + d.problem.m) {
            assert_int_equal(report.inertia.positive, d.positive);
            assert_int_equal(report.inertia.negative, d.negative);
            assert_int_equal(report.inertia.zero, 0);
            checked++;
        }
        saddle_solution_clear(&solution);
        drawn_clear(&d);
    }
    assert_true(checked > count / 3);
}

void claim_contradictory_rows_are_not_solved(const char *solver, int count)
{
    uint64_t state = test_seed();
    int checked = 0;
    for (int trial = 0; trial < count; trial++) {
        drawn_kind kind = draw_kind(&state, LARGEST, 1, 0);
        if (kind.n == 0) kind.n = 1;
        kind.redundant = 1;
        kind.contradictory = 1;
        drawn d;
        draw_problem(&state, kind, &d);
        if (d.rank < d.problem.n + d.problem.m) {
            saddle_solution solution;
            saddle_report report;
            saddle_status status = solve_plainly(solver, &d.problem, &solution, &report);
            assert_int_not_equal(status, SADDLE_OK);
            assert_true(report.perturbed_pivots > 0);
            assert_non_null(strstr(report.note, "worst at "));
            saddle_solution_clear(&solution);
            checked++;
        }
        drawn_clear(&d);
    }
    assert_true(checked > count / 3);
}

void claim_units_do_not_matter(const char *solver, int count)
{
    uint64_t state = test_seed();
    for (int trial = 0; trial < count; trial++) {
        uint64_t seed = state;
        drawn_kind kind = draw_kind(&state, LARGEST, 1, 0);
        kind.decades = 8.0;
        drawn d;
        draw_problem(&state, kind, &d);
        saddle_solution solution;
        saddle_report report;
        saddle_status status = solve_plainly(solver, &d.problem, &solution, &report);
        check_answer(seed, &d, status, &solution, &report);
        saddle_solution_clear(&solution);
        drawn_clear(&d);
    }
}

static double extreme(uint64_t *state)
{
    double decades = test_integer(state, 0, 2) ? 300.0 : 150.0;
    return pow(10.0, test_uniform(state, -decades, decades)) *
           (test_integer(state, 0, 1) ? -1.0 : 1.0);
}

static void make_extreme(uint64_t *state, double *value, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        if (test_integer(state, 0, 2) == 0)
            value[k] = test_integer(state, 0, 4) ? extreme(state) : 0.0;
}

void claim_extreme_values_end_in_order(const char *solver, int count)
{
    uint64_t state = test_seed();
    for (int trial = 0; trial < count; trial++) {
        drawn d;
        draw_problem(&state, draw_kind(&state, 8, 1, 0), &d);
        saddle_problem *p = &d.problem;
        make_extreme(&state, p->M.value, saddle_matrix_entries(&p->M));
        make_extreme(&state, p->Jt.value, saddle_matrix_entries(&p->Jt));
        make_extreme(&state, p->R.value, saddle_matrix_entries(&p->R));
        make_extreme(&state, p->f, p->n);
        make_extreme(&state, p->b, p->m);
        saddle_solution solution;
        saddle_status status = solve_plainly(solver, p, &solution, NULL);
        if (status < 0 && status != SADDLE_SINGULAR)
            fail_msg("%s, trial %d: %s", solver, trial, saddle_status_name(status));
        for (int64_t j = 0; status >= 0 && j < p->n; j++) assert_true(isfinite(solution.v[j]));
        for (int64_t i = 0; status >= 0 && i < p->m; i++)
            assert_true(isfinite(solution.lambda[i]) && isfinite(solution.w[i]));
        saddle_solution_clear(&solution);
        drawn_clear(&d);
    }
}

void claim_options_change_the_way_only(const char *solver, int count)
{
    uint64_t state = test_seed();
    for (int trial = 0; trial < count; trial++) {
        uint64_t seed = state;
        drawn d;
        draw_problem(&state, draw_kind(&state, LARGEST, 1, 1), &d);
        saddle_options options = claimed_options();
        for (int way = 0; way < 3; way++) {
            options.regularization = way == 0 ? 0.0 : way == 1 ? 1e-6 : 1e-10;
            options.max_refinements = way == 2 ? 0 : 20;
            saddle_solution solution = {0};
            saddle_report report;
            saddle_status status = saddle_solve(NULL, &d.problem, solver, &options, NULL, &solution,
                                                &report);
            if (way < 2) check_answer(seed, &d, status, &solution, &report);
            assert_true(status >= 0);
            assert_true(report.refinements <= options.max_refinements);
            saddle_solution_clear(&solution);
        }
        drawn_clear(&d);
    }
}

void claim_refinements_are_no_more_than_allowed(const char *solver, int count)
{
    static const double nearly[] = {1e-6, 1e-9, 1e-12};
    uint64_t state = test_seed();
    for (int trial = 0; trial < count; trial++) {
        drawn d;
        drawn_kind kind = draw_kind(&state, LARGEST, 1, 0);
        kind.redundant = 1;
        kind.nearly = nearly[trial % 3];
        draw_problem(&state, kind, &d);
        saddle_options options = claimed_options();
        options.max_refinements = test_integer(&state, 0, 4);
        saddle_solution solution = {0};
        saddle_report report;
        (void)saddle_solve(NULL, &d.problem, solver, &options, NULL, &solution, &report);
        if (report.refinements > options.max_refinements)
            fail_msg("%s, trial %d: %" PRId64 " refinements, not %" PRId64, solver, trial,
                     report.refinements, options.max_refinements);
        saddle_solution_clear(&solution);
        drawn_clear(&d);
    }
}

/* ---- the same bits ---- */

static void change_values(saddle_problem *p)
{
    for (int64_t k = 0; k < saddle_matrix_entries(&p->M); k++) p->M.value[k] *= 2.0;
    for (int64_t k = 0; k < saddle_matrix_entries(&p->Jt); k++)
        p->Jt.value[k] *= k % 2 ? 1.25 : 0.75;
    for (int64_t k = 0; k < saddle_matrix_entries(&p->R); k++) p->R.value[k] *= 3.0;
    for (int64_t j = 0; j < p->n; j++) p->f[j] += 1.0;
}

static void check_same(const saddle_solution *a, const saddle_solution *b)
{
    assert_memory_equal(a->v, b->v, (size_t)a->n * sizeof(double));
    assert_memory_equal(a->lambda, b->lambda, (size_t)a->m * sizeof(double));
}

void claim_refresh_equals_fresh_bit_for_bit(const char *solver, int symmetric, int count)
{
    uint64_t state = test_seed();
    for (int trial = 0; trial < count; trial++) {
        drawn d;
        draw_problem(&state, draw_kind(&state, LARGEST, symmetric, 1), &d);
        saddle_solver *used;
        saddle_solution first = {0};
        saddle_solution again = {0};
        saddle_solution fresh;
        assert_int_equal(saddle_solution_create(NULL, d.problem.n, d.problem.m, &first), SADDLE_OK);
        assert_int_equal(saddle_solution_create(NULL, d.problem.n, d.problem.m, &again), SADDLE_OK);
        saddle_options options = claimed_options();
        assert_int_equal(saddle_solver_create(NULL, solver, &options, &used), SADDLE_OK);
        assert_int_equal(saddle_solver_analyse(used, &d.problem), SADDLE_OK);
        assert_int_equal(saddle_solver_factor(used, &d.problem), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(used, &d.problem, NULL, &first), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(used, &d.problem, &first, &again), SADDLE_OK);
        check_same(&first, &again);
        change_values(&d.problem);
        assert_int_equal(saddle_solver_factor(used, &d.problem), SADDLE_OK);
        assert_true(saddle_solver_solve(used, &d.problem, NULL, &again) >= 0);
        assert_true(solve_plainly(solver, &d.problem, &fresh, NULL) >= 0);
        check_same(&again, &fresh);
        saddle_solver_free(used);
        saddle_solution_clear(&first);
        saddle_solution_clear(&again);
        saddle_solution_clear(&fresh);
        drawn_clear(&d);
    }
}

/* ---- memory ---- */

void claim_nothing_is_allocated_again(const char *solver, int renewed)
{
    uint64_t state = test_seed();
    drawn d;
    draw_problem(&state, (drawn_kind){.n = 20, .m = 12, .redundant = 1, .compliance = DIAGONAL_R},
                 &d);
    test_memory memory;
    saddle_context *context = test_memory_begin(&memory, -1);
    saddle_solver *used;
    saddle_solution solution = {0};
    assert_int_equal(saddle_solution_create(context, d.problem.n, d.problem.m, &solution),
                     SADDLE_OK);
    saddle_options options = claimed_options();
    assert_int_equal(saddle_solver_create(context, solver, &options, &used), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(used, &d.problem), SADDLE_OK);
    int64_t by_factor[3];
    for (int step = 0; step < 3; step++) {
        int64_t before = memory.count;
        assert_int_equal(saddle_solver_factor(used, &d.problem), SADDLE_OK);
        by_factor[step] = memory.count - before;
        before = memory.count;
        assert_int_equal(saddle_solver_solve(used, &d.problem, NULL, &solution), SADDLE_OK);
        assert_int_equal(memory.count, before);
    }
    assert_int_equal(by_factor[1], renewed ? by_factor[2] : 0);
    assert_int_equal(by_factor[2], by_factor[1]);
    saddle_solver_free(used);
    saddle_solution_clear(&solution);
    test_memory_end(&memory, context);
    drawn_clear(&d);
}

typedef struct sweep_input {
    const char *solver;
    const saddle_problem *problem;
} sweep_input;

static saddle_status body(saddle_context *context, void *user)
{
    const sweep_input *input = user;
    saddle_solution solution = {0};
    saddle_options options = claimed_options();
    saddle_status status = saddle_solve(context, input->problem, input->solver, &options, NULL,
                                        &solution, NULL);
    saddle_solution_clear(&solution);
    return status;
}

void claim_failing_allocations_leak_nothing(const char *solver)
{
    uint64_t state = test_seed();
    for (int redundant = 0; redundant < 2; redundant++) {
        drawn d;
        draw_problem(&state, (drawn_kind){.n = 9, .m = 6, .redundant = redundant}, &d);
        sweep_input input = {solver, &d.problem};
        assert_true(test_allocation_sweep(body, &input) > 10);
        drawn_clear(&d);
    }
}

/* ---- edges ---- */

void claim_empty_shapes_are_solved(const char *solver)
{
    int64_t start[] = {0, 1, 2};
    int64_t index[] = {0, 1};
    double value[] = {2.0, 4.0};
    double ones[] = {1.0, 1.0};
    saddle_matrix diagonal = saddle_matrix_view(2, 2, start, index, value, SADDLE_SYMMETRY_LOWER);
    saddle_solution x;

    saddle_problem nothing = {.n = 0};
    assert_int_equal(solve_plainly(solver, &nothing, &x, NULL), SADDLE_OK);
    saddle_solution_clear(&x);

    saddle_problem plain = {.n = 2, .M = diagonal, .Jt = {.rows = 2}, .f = ones};
    assert_int_equal(solve_plainly(solver, &plain, &x, NULL), SADDLE_OK);
    assert_true(x.v[0] == 0.5 && x.v[1] == 0.25);
    saddle_solution_clear(&x);

    saddle_problem rows = {.m = 2, .R = diagonal, .Jt = {.cols = 2}, .b = ones};
    assert_int_equal(solve_plainly(solver, &rows, &x, NULL), SADDLE_OK);
    assert_true(x.lambda[0] == 0.5 && x.lambda[1] == 0.25);
    saddle_solution_clear(&x);

    /* no f, no b, no R, and a row of zeros among the rows: everything rests */
    int64_t row_start[] = {0, 1, 1};
    saddle_matrix Jt = saddle_matrix_view(2, 2, row_start, index, value, SADDLE_SYMMETRY_NONE);
    saddle_problem rest = {.n = 2, .m = 2, .M = diagonal, .Jt = Jt};
    saddle_report report;
    assert_int_equal(solve_plainly(solver, &rest, &x, &report), SADDLE_OK);
    assert_true(x.v[0] == 0.0 && x.v[1] == 0.0 && x.lambda[0] == 0.0 && x.lambda[1] == 0.0);
    assert_true(report.residual.total == 0.0);
    saddle_solution_clear(&x);

    /* the row of zeros asked for something */
    double b[] = {0.0, 1.0};
    rest.b = b;
    assert_int_not_equal(solve_plainly(solver, &rest, &x, &report), SADDLE_OK);
    assert_non_null(strstr(report.note, "row 2"));
    saddle_solution_clear(&x);
}
