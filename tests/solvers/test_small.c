/* SPDX-License-Identifier: MIT */
/* The first try of schur and pivot on few rows without velocities (complementarity/small.h): what
 * it takes, that its answers are those of the whole way and of brute force, that what it cannot do
 * goes the whole way as if it had not been there, and its conduct: values, limits, memory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asked.h"
#include "complementarity/small.h"
#include "drawn_mixed.h"
#include "enumeration.h"

static const char *const solvers[] = {"schur", "pivot"};

enum { SOLVERS = 2, ROWS = SADDLE__CRASH_SMALL, WHOLE_WAY = 0 };

static saddle_status solve(const saddle_problem *p, const char *solver, int64_t crash_steps,
                           saddle_solution *x, saddle_report *report)
{
    saddle_options options = saddle_options_default();
    options.settings = asked_steps(crash_steps);
    return saddle_solve(NULL, p, solver, &options, NULL, x, report);
}

static int64_t usual(void)
{
    return 50;
}

/* schur: not for equations of a symmetric W alone. */
static int pivots(const saddle_problem *p)
{
    return p->R.symmetry == SADDLE_GENERAL || saddle_problem_count_rows(p).equality < p->m;
}

/* By what pivot says in its note. */
static int is_settled(const saddle_problem *p)
{
    saddle_solution x = {0};
    saddle_report report;
    (void)solve(p, "pivot", usual(), &x, &report);
    saddle_solution_clear(&x);
    return strcmp(report.note, "basis: all of W") == 0;
}

/* ---- what it takes ---- */

static void few_rows_without_velocities_are_taken(void **state)
{
    (void)state;
    saddle_contact contact = {.row = 0, .size = 2, .mu = 0.5};
    saddle_options options = saddle_options_default();
    saddle__pivoting_settings settings = {.crash_steps = 50};
    saddle_solver_call call = {.options = &options, .settings = &settings};
    saddle_problem p = {.m = 5};
    assert_true(saddle__small_takes(&call, &p));
    p.m = ROWS;
    assert_true(saddle__small_takes(&call, &p));
    p.m = ROWS + 1;
    assert_false(saddle__small_takes(&call, &p));
    p.m = 0;
    assert_false(saddle__small_takes(&call, &p));
    p.m = 5;
    p.n = 1;
    assert_false(saddle__small_takes(&call, &p));
    p.n = 0;
    settings.lagged_friction = 1;
    assert_true(saddle__small_takes(&call, &p));
    p.contacts = &contact;
    p.contact_count = 1;
    assert_false(saddle__small_takes(&call, &p));
    settings.lagged_friction = 0;
    assert_true(saddle__small_takes(&call, &p));
    options.max_iterations = 100;
    assert_false(saddle__small_takes(&call, &p));
    options.max_iterations = 0;
    settings.crash_steps = 0;
    assert_false(saddle__small_takes(&call, &p));
}

/* ---- answers ---- */

typedef struct drawn {
    saddle_problem problem;
    double b[ROWS], lo[ROWS], hi[ROWS];
    saddle_contact contact[ROWS];
} drawn;

static double entry(const double *B, int64_t m, int64_t i, int64_t j, int general)
{
    double sum = i == j    ? 0.1
                 : general ? 0.3 * (B[i * m + j] - B[j * m + i]) / sqrt((double)m)
                           : 0.0;
    for (int64_t k = 0; k < m; k++) sum += B[i * m + k] * B[j * m + k] / (double)m;
    return sum;
}

static void make_matrix(uint64_t *seed, int64_t m, int general, saddle_matrix *R)
{
    static double B[ROWS * ROWS], value[ROWS * ROWS];
    static int64_t row[ROWS * ROWS], col[ROWS * ROWS];
    int64_t count = 0;
    for (int64_t k = 0; k < m * m; k++) B[k] = test_uniform(seed, -1.0, 1.0);
    for (int64_t j = 0; j < m; j++) {
        for (int64_t i = general ? 0 : j; i < m; i++) {
            row[count] = i;
            col[count] = j;
            value[count++] = entry(B, m, i, j, general);
        }
    }
    assert_int_equal(saddle_matrix_from_triplets(NULL, m, m, count, row, col, value,
                                                 general ? SADDLE_GENERAL : SADDLE_SYMMETRIC, R),
                     SADDLE_OK);
}

/* W definite, with or without a skew part; rows of all kinds, or contacts of little friction and
 * some rows behind them. */
static void draw(uint64_t *seed, int contacts, drawn *d)
{
    memset(d, 0, sizeof *d);
    saddle_problem *p = &d->problem;
    p->m = test_integer(seed, 1, ROWS);
    p->b = d->b;
    p->lo = d->lo;
    p->hi = d->hi;
    p->law = SADDLE_LAW_BOX;
    make_matrix(seed, p->m, (int)test_integer(seed, 0, 1), &p->R);
    for (int64_t i = 0; i < p->m; i++) {
        int64_t kind = test_integer(seed, 0, 3); /* equality, below, above, both */
        d->b[i] = test_uniform(seed, -1.0, 1.0);
        d->lo[i] = kind % 2 ? -test_uniform(seed, 0.0, 0.5) : -(double)INFINITY;
        d->hi[i] = kind / 2 ? test_uniform(seed, 0.0, 0.5) : (double)INFINITY;
    }
    if (!contacts) return;
    p->contacts = d->contact;
    for (int64_t i = 0; i + 2 < p->m; i += 3) {
        d->contact[p->contact_count++] = (saddle_contact){.row = i,
                                                          .size = test_integer(seed, 2, 3),
                                                          .mu = test_uniform(seed, 0.0, 0.4)};
        for (int64_t t = i; t < i + d->contact[p->contact_count - 1].size; t++) {
            d->lo[t] = -(double)INFINITY;
            d->hi[t] = (double)INFINITY;
        }
    }
}

static void answers_are_those_of_the_whole_way(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    static drawn d;
    int64_t settled = 0;
    for (int k = 0; k < test_draws(400); k++) {
        draw(&seed, k % 2, &d);
        int at_once = is_settled(&d.problem);
        settled += at_once;
        for (int s = 0; s < SOLVERS; s++) {
            saddle_solution x = {0}, y = {0};
            saddle_report report;
            assert_int_equal(solve(&d.problem, solvers[s], usual(), &x, &report), SADDLE_OK);
            if (at_once && pivots(&d.problem))
                assert_true(report.iterations > 0 && report.refinements == 0);
            assert_int_equal(solve(&d.problem, solvers[s], WHOLE_WAY, &y, NULL), SADDLE_OK);
            for (int64_t i = 0; i < d.problem.m; i++)
                if (!(fabs(x.lambda[i] - y.lambda[i]) <= 1e-9))
                    fail_msg("draw %d, row %d", k, (int)i);
            saddle_solution_clear(&x);
            saddle_solution_clear(&y);
        }
        saddle_matrix_clear(&d.problem.R);
    }
    print_message("%d of 400 settled at the first try\n", (int)settled);
    assert_true(settled > test_draws(350));
}

static void answers_are_those_of_brute_force(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    enumeration *found = calloc(1, sizeof *found);
    assert_non_null(found);
    int64_t settled = 0;
    int64_t compared = 0;
    for (int k = 0; k < test_draws(3000); k++) {
        mixed_kind kind = mixed_draw_kind(&seed, 5);
        kind.n = 0;
        mixed *p = mixed_draw(&seed, kind);
        enumerate_states(&p->problem, found);
        saddle_solution x = {0};
        saddle_status status = solve(&p->problem, solvers[k % SOLVERS], usual(), &x, NULL);
        if (status == SADDLE_OK)
            assert_true(enumeration_defect(&p->problem, x.v, x.lambda, NULL) < 1e-8);
        if (is_settled(&p->problem)) {
            settled++;
            assert_int_equal(status, SADDLE_OK);
            assert_false(enumeration_is_empty(found));
            double away;
            const enumeration_point *nearest = enumeration_nearest(&p->problem, found, x.v,
                                                                   x.lambda, &away);
            if (enumeration_is_complete(found)) /* the laws are promised to 1e-12; lambda is to that
                                                   over the least pivot */
                assert_true(nearest && away < fmax(1e-9, 1e-11 / nearest->pivot));
            compared += enumeration_is_complete(found);
        }
        saddle_solution_clear(&x);
        mixed_clear(p);
    }
    print_message("%d settled at the first try, %d of them compared\n", (int)settled,
                  (int)compared);
    assert_true(compared > test_draws(1000));
    free(found);
}

/* A general R of one row, or without entries beside the diagonal, is symmetric: so it is solved. */
static void mark_symmetric(saddle_matrix *R)
{
    double asymmetry;
    assert_int_equal(saddle_matrix_asymmetry(NULL, R, &asymmetry), SADDLE_OK);
    if (R->symmetry == SADDLE_GENERAL && asymmetry == 0.0) R->symmetry = SADDLE_SYMMETRIC_FULL;
}

/* W of rank one below its size has no regular basis of all rows: lambda, bit by bit, as if nothing
 * had been tried. */
static void what_is_singular_goes_the_whole_way(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    int64_t whole = 0;
    for (int k = 0; k < test_draws(2000); k++) {
        mixed_kind kind = mixed_draw_kind(&seed, 8);
        if (kind.class != MIXED_SEMIDEFINITE && kind.class != MIXED_ANY) continue;
        kind.n = 0;
        mixed *p = mixed_draw(&seed, kind);
        mark_symmetric(&p->problem.R);
        for (int s = 0; s < SOLVERS && pivots(&p->problem) && !is_settled(&p->problem); s++) {
            saddle_solution x = {0}, y = {0};
            saddle_report tried, not_tried;
            saddle_status status = solve(&p->problem, solvers[s], usual(), &x, &tried);
            assert_int_equal(status, solve(&p->problem, solvers[s], WHOLE_WAY, &y, &not_tried));
            assert_memory_equal(x.lambda, y.lambda, (size_t)x.m * sizeof *x.lambda);
            assert_string_equal(tried.note, not_tried.note);
            assert_true(tried.iterations > not_tried.iterations);
            assert_int_equal(tried.iterations - not_tried.iterations,
                             tried.factorizations - not_tried.factorizations);
            saddle_solution_clear(&x);
            saddle_solution_clear(&y);
            whole++;
        }
        mixed_clear(p);
    }
    assert_true(whole > test_draws(200));
}

/* ---- conduct ---- */

/* Settled, then not (two rows alike), then settled again, by one solver object; b and bounds change
 * with every solve. */
static void values_may_change_from_solve_to_solve(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    static drawn d;
    for (int k = 0; k < 40; k++) {
        do {
            if (d.problem.R.start) saddle_matrix_clear(&d.problem.R);
            draw(&seed, 0, &d);
        } while (d.problem.m < 4);
        saddle_problem *p = &d.problem;
        saddle_solver *solver;
        saddle_solution x = {0};
        assert_int_equal(saddle_solver_create(NULL, solvers[k % SOLVERS], NULL, &solver),
                         SADDLE_OK);
        assert_int_equal(saddle_solution_create(NULL, 0, p->m, &x), SADDLE_OK);
        assert_int_equal(saddle_solver_analyse(solver, p), SADDLE_OK);
        for (int step = 0; step < 6; step++) {
            double factor = step == 2 ? 0.0 : 1.0 + step; /* R = 0: nothing has a diagonal to go
                                                             by */
            for (int64_t e = 0; e < saddle_matrix_entries(&p->R); e++)
                p->R.value[e] = factor == 0.0          ? 0.0
                                : p->R.value[e] == 0.0 ? test_uniform(&seed, 0.0, 0.01)
                                                       : p->R.value[e];
            for (int64_t j = 0; j < p->m; j++)
                for (int64_t e = p->R.start[j]; e < p->R.start[j + 1]; e++)
                    if (p->R.index[e] == j && factor > 0.0) p->R.value[e] += factor;
            assert_int_equal(saddle_solver_factor(solver, p), SADDLE_OK);
            for (int again = 0; again < 2; again++) {
                for (int64_t i = 0; i < p->m; i++) {
                    d.b[i] = test_uniform(&seed, -1.0, 1.0);
                    d.lo[i] = -test_uniform(&seed, 0.0, 1.0);
                    d.hi[i] = test_uniform(&seed, 0.0, 1.0);
                }
                saddle_solution y = {0};
                saddle_solution_clear(&x);
                assert_int_equal(saddle_solution_create(NULL, 0, p->m, &x), SADDLE_OK);
                assert_int_equal(saddle_solver_solve(solver, p, &x, &x), SADDLE_OK);
                assert_int_equal(solve(p, "lemke", usual(), &y, NULL), SADDLE_OK);
                for (int64_t i = 0; i < p->m; i++)
                    assert_true(fabs(x.lambda[i] - y.lambda[i]) < 1e-9);
                saddle_solution_clear(&y);
            }
        }
        saddle_solver_free(solver);
        saddle_solution_clear(&x);
    }
    saddle_matrix_clear(&d.problem.R);
}

static void a_warm_start_from_the_solution_takes_no_pivots(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    static drawn d;
    int64_t cold = 0;
    for (int k = 0; k < 100; k++) {
        draw(&seed, k % 4 > 1, &d);
        saddle_solver *solver;
        saddle_solution x = {0};
        assert_int_equal(saddle_solver_create(NULL, solvers[k % SOLVERS], NULL, &solver),
                         SADDLE_OK);
        assert_int_equal(saddle_solution_create(NULL, 0, d.problem.m, &x), SADDLE_OK);
        assert_int_equal(saddle_solver_analyse(solver, &d.problem), SADDLE_OK);
        assert_int_equal(saddle_solver_factor(solver, &d.problem), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(solver, &d.problem, NULL, &x), SADDLE_OK);
        cold += saddle_solver_report(solver)->pivots;
        if (is_settled(&d.problem)) {
            assert_int_equal(saddle_solver_solve(solver, &d.problem, &x, &x), SADDLE_OK);
            assert_int_equal(saddle_solver_report(solver)->pivots, 0);
        }
        saddle_solver_free(solver);
        saddle_solution_clear(&x);
        saddle_matrix_clear(&d.problem.R);
    }
    assert_true(cold > 500);
}

static int stop(void *user, const saddle_progress *progress)
{
    int64_t *calls = user;
    if (strcmp(progress->phase, "solve") != 0) return 0;
    return ++*calls > 1; /* the first comes before the solver is called */
}

/* From lambda = (1, 0, 0) block pivoting cycles on W = [1 2 0; 0 1 2; 2 0 1], q = -(1, 1, 1)
 * (Kostreva, Math. Programming 14, 1978): {1}, {1, 2}, {2, 3}, {3, 1}, {1, 2} .., long enough for a
 * look at the clock. */
static void a_cycle_is_left_stopped_and_timed(void **state)
{
    (void)state;
    double first[] = {1, 0, 0};
    saddle_solution start = {.m = 3, .lambda = first};
    int64_t row[] = {0, 0, 1, 1, 2, 2}, col[] = {0, 1, 1, 2, 2, 0};
    double value[] = {1, 2, 1, 2, 1, 2}, b[] = {1, 1, 1}, lo[] = {0, 0, 0},
           hi[] = {INFINITY, INFINITY, INFINITY};
    saddle_problem p = {.m = 3, .b = b, .lo = lo, .hi = hi};
    assert_int_equal(saddle_matrix_from_triplets(NULL, 3, 3, 6, row, col, value, SADDLE_GENERAL,
                                                 &p.R),
                     SADDLE_OK);
    for (int s = 0; s < SOLVERS; s++) {
        saddle_solution x = {0};
        saddle_report report;
        saddle_options options = saddle_options_default();
        assert_int_equal(saddle_solve(NULL, &p, solvers[s], &options, &start, &x, &report),
                         SADDLE_OK);
        for (int64_t i = 0; i < 3; i++) assert_true(fabs(x.lambda[i] - 1.0 / 3.0) < 1e-14);
        assert_true(report.iterations > 8);
        options.time_limit = 1e-12;
        assert_int_equal(saddle_solve(NULL, &p, solvers[s], &options, &start, &x, NULL),
                         SADDLE_TIME_LIMIT);
        int64_t calls = 0;
        saddle_context_options given = {.progress = stop, .progress_user = &calls};
        saddle_context *context;
        assert_int_equal(saddle_context_create(&given, &context), SADDLE_OK);
        assert_int_equal(saddle_solve(context, &p, solvers[s], NULL, &start, &x, NULL),
                         SADDLE_STOPPED);
        assert_int_equal(calls, 2);
        saddle_context_free(context);
        saddle_solution_clear(&x);
    }
    saddle_matrix_clear(&p.R);
}

static void factor_and_solve_allocate_nothing(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    static drawn d;
    for (int k = 0; k < 8; k++) {
        draw(&seed, k % 4 > 1, &d);
        test_memory memory;
        saddle_context *context = test_memory_begin(&memory, -1);
        saddle_solution x = {0};
        saddle_solver *solver;
        assert_int_equal(saddle_solver_create(context, solvers[k % SOLVERS], NULL, &solver),
                         SADDLE_OK);
        assert_int_equal(saddle_solution_create(context, 0, d.problem.m, &x), SADDLE_OK);
        assert_int_equal(saddle_solver_analyse(solver, &d.problem), SADDLE_OK);
        int64_t before = memory.count;
        for (int step = 0; step < 3; step++) { /* the last one the whole way: no diagonal is of the
                                                  others' size */
            d.b[0] += 0.5;
            if (step == 2) d.problem.R.value[0] = 1e6;
            assert_int_equal(saddle_solver_factor(solver, &d.problem), SADDLE_OK);
            assert_int_equal(saddle_solver_solve(solver, &d.problem, NULL, &x), SADDLE_OK);
        }
        assert_int_equal(memory.count, before);
        saddle_solver_free(solver);
        saddle_solution_clear(&x);
        test_memory_end(&memory, context);
        saddle_matrix_clear(&d.problem.R);
    }
}

typedef struct sweep {
    const saddle_problem *problem;
    const char *solver;
} sweep;

static saddle_status solve_in(saddle_context *context, void *user)
{
    const sweep *s = user;
    saddle_solution x = {0};
    saddle_status status = saddle_solve(context, s->problem, s->solver, NULL, NULL, &x, NULL);
    saddle_solution_clear(&x);
    return status;
}

static void failing_allocations_leak_nothing(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    static drawn d;
    for (int k = 0; k < 4; k++) {
        draw(&seed, k / 2, &d);
        sweep s = {&d.problem, solvers[k % SOLVERS]};
        assert_true(test_allocation_sweep(solve_in, &s) > 20);
        saddle_matrix_clear(&d.problem.R);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_rows_without_velocities_are_taken),
        cmocka_unit_test(answers_are_those_of_the_whole_way),
        cmocka_unit_test(answers_are_those_of_brute_force),
        cmocka_unit_test(what_is_singular_goes_the_whole_way),
        cmocka_unit_test(values_may_change_from_solve_to_solve),
        cmocka_unit_test(a_warm_start_from_the_solution_takes_no_pivots),
        cmocka_unit_test(a_cycle_is_left_stopped_and_timed),
        cmocka_unit_test(factor_and_solve_allocate_nothing),
        cmocka_unit_test(failing_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
