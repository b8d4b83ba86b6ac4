/* SPDX-License-Identifier: MIT */
/* Analyse and factor end by the progress callback and at the time limit within the engine, on a
 * block of hexahedra, and can be repeated. */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "generators.h"
#include "support.h"

/* calls: of the callback within a phase; the number of the call that stops (0 = none) or waits. */
typedef struct watch {
    const char *phase;
    int64_t calls, stop_at, wait_at;
    int64_t latest; /* iteration */
    double wait;    /* [s] */
    int64_t elsewhere;
    pthread_t owner;
} watch;

static int on_progress(void *user, const saddle_progress *progress)
{
    watch *w = user;
    w->elsewhere += !pthread_equal(w->owner, pthread_self());
    if (strcmp(progress->phase, w->phase) != 0) return 0;
    w->calls++;
    if (progress->iteration > 0) assert_true(progress->iteration >= w->latest);
    if (progress->limit > 0) assert_true(progress->iteration <= progress->limit);
    w->latest = progress->iteration;
    const double until = saddle_clock() + (w->calls == w->wait_at ? w->wait : 0.0);
    while (saddle_clock() < until) continue;
    return w->calls == w->stop_at;
}

typedef struct fixture {
    watch w;
    saddle_problem problem;
    saddle_context *context;
    int64_t bytes; /* in use at the beginning */
    saddle_options options;
    saddle_solver *solver;
    saddle_solution x;
} fixture;

static void begin(const char *phase, int64_t cells, fixture *f)
{
    saddle_context_options options = saddle_context_options_default();
    saddle_block_parameters block = saddle_block_default();
    *f = (fixture){.w = {.phase = phase, .owner = pthread_self()}};
    block.cells[0] = block.cells[1] = block.cells[2] = cells;
    options.progress = on_progress;
    options.progress_user = &f->w;
    f->options = saddle_options_default();
    assert_int_equal(saddle_generate_block(NULL, &block, &f->problem), SADDLE_OK);
    assert_int_equal(saddle_context_create(&options, &f->context), SADDLE_OK);
    f->bytes = saddle_context_memory(f->context).bytes;
    assert_int_equal(saddle_solution_create(NULL, f->problem.n, f->problem.m, &f->x), SADDLE_OK);
}

static void create(fixture *f, const char *name)
{
    saddle_solver_free(f->solver);
    assert_int_equal(saddle_solver_create(f->context, name, &f->options, &f->solver), SADDLE_OK);
}

static void end(fixture *f)
{
    assert_int_equal(f->w.elsewhere, 0);
    saddle_solver_free(f->solver);
    saddle_solution_clear(&f->x);
    saddle_problem_clear(&f->problem);
    assert_int_equal(saddle_context_memory(f->context).bytes, f->bytes);
    saddle_context_free(f->context);
}

/* Factors, and stops at call `stop_at`, 0 = none. */
static saddle_status factor(fixture *f, int64_t stop_at)
{
    f->w.calls = f->w.latest = 0;
    f->w.stop_at = stop_at;
    return saddle_solver_factor(f->solver, &f->problem);
}

/* The engine's factorizations: of K, of M, of the rows. */
static const char *const by_engine[] = {"ldlt", "schur", "pivot", "gauss-seidel", "admm", "auto"};
enum { BY_ENGINE = sizeof by_engine / sizeof *by_engine };

static void a_stop_within_factor_leaves_it_to_be_repeated(void **unused)
{
    (void)unused;
    fixture f;
    begin("factor", 8, &f);
    const size_t bytes = (size_t)f.problem.n * sizeof(double);
    double *v = test_malloc(bytes);
    for (int k = 0; k < BY_ENGINE; k++) {
        create(&f, by_engine[k]);
        assert_int_equal(saddle_solver_analyse(f.solver, &f.problem), SADDLE_OK);
        assert_int_equal(factor(&f, 0), SADDLE_OK);
        const int64_t all = f.w.calls;
        assert_int_equal(saddle_solver_solve(f.solver, &f.problem, NULL, &f.x), SADDLE_OK);
        memcpy(v, f.x.v, bytes);
        if (all < 5) fail_msg("%s: asked %d times only", by_engine[k], (int)all);
        const int64_t stops[] = {1, 2, all / 2, all};
        for (int s = 0; s < 4; s++) {
            assert_int_equal(factor(&f, stops[s]), SADDLE_STOPPED);
            assert_int_equal(f.w.calls, stops[s]);
            assert_non_null(strstr(saddle_context_message(f.context), "stopped"));
            assert_int_equal(saddle_solver_report(f.solver)->status, SADDLE_STOPPED);
            assert_int_equal(saddle_solver_solve(f.solver, &f.problem, NULL, &f.x),
                             SADDLE_WRONG_PHASE);
        }
        assert_int_equal(factor(&f, 0), SADDLE_OK);
        memset(f.x.lambda, 0, (size_t)f.problem.m * sizeof(double));
        assert_int_equal(saddle_solver_solve(f.solver, &f.problem, NULL, &f.x), SADDLE_OK);
        assert_memory_equal(f.x.v, v, bytes);
    }
    test_free(v);
    end(&f);
}

static void threads_end_too_and_the_callback_is_called_by_its_own(void **unused)
{
    (void)unused;
    fixture f;
    begin("factor", 10, &f);
    f.options.threads = 4;
    create(&f, "ldlt");
    assert_int_equal(saddle_solver_analyse(f.solver, &f.problem), SADDLE_OK);
    for (int64_t stop = 2; stop < 40; stop += 3) {
        const saddle_status status = factor(&f, stop);
        assert_int_equal(status, f.w.calls >= stop ? SADDLE_STOPPED : SADDLE_OK);
        assert_true(f.w.calls <= stop);
    }
    assert_int_equal(factor(&f, 0), SADDLE_OK);
    assert_int_equal(saddle_solver_solve(f.solver, &f.problem, NULL, &f.x), SADDLE_OK);
    f.options.time_limit = 1e-9;
    create(&f, "ldlt");
    assert_int_equal(saddle_solver_analyse(f.solver, &f.problem), SADDLE_OK);
    assert_int_equal(factor(&f, 0), SADDLE_TIME_LIMIT);
    end(&f);
}

/* The callback waits until the limit is over: the factorization ends at the next call. */
static void a_factor_ends_where_its_time_is_over(void **unused)
{
    (void)unused;
    fixture f;
    begin("factor", 8, &f);
    f.options.time_limit = 0.05;
    for (int k = 0; k < BY_ENGINE; k++) {
        create(&f, by_engine[k]);
        f.w.wait_at = 0;
        assert_int_equal(saddle_solver_analyse(f.solver, &f.problem), SADDLE_OK);
        f.w.wait_at = 3;
        f.w.wait = 2 * f.options.time_limit;
        assert_int_equal(factor(&f, 0), SADDLE_TIME_LIMIT);
        if (f.w.calls > 4) fail_msg("%s: asked %d times", by_engine[k], (int)f.w.calls);
        assert_non_null(strstr(saddle_context_message(f.context), "time limit"));
        assert_int_equal(saddle_solver_solve(f.solver, &f.problem, NULL, &f.x), SADDLE_WRONG_PHASE);
    }
    end(&f);
}

/* Before METIS and after it. */
static void an_analysis_ends_between_its_stages(void **unused)
{
    (void)unused;
    fixture f;
    begin("analyse", 6, &f);
    f.options.ordering = SADDLE_ORDERING_METIS;
    create(&f, "ldlt");
    assert_int_equal(saddle_solver_analyse(f.solver, &f.problem), SADDLE_OK);
    const int64_t all = f.w.calls;
    assert_true(all >= 3);
    for (int64_t stop = 1; stop <= all; stop++) {
        f.w.calls = f.w.latest = 0;
        f.w.stop_at = stop;
        assert_int_equal(saddle_solver_analyse(f.solver, &f.problem), SADDLE_STOPPED);
        assert_int_equal(f.w.calls, stop);
        assert_int_equal(saddle_solver_factor(f.solver, &f.problem), SADDLE_WRONG_PHASE);
    }
    f.w.stop_at = f.w.latest = 0;
    assert_int_equal(saddle_solver_analyse(f.solver, &f.problem), SADDLE_OK);
    assert_int_equal(saddle_solver_factor(f.solver, &f.problem), SADDLE_OK);
    f.options.time_limit = 1e-9;
    create(&f, "ldlt");
    assert_int_equal(saddle_solver_analyse(f.solver, &f.problem), SADDLE_TIME_LIMIT);
    end(&f);
}

/* Without a context too; the solution is the start, or zeros, with its slack. */
static void a_solve_at_once_ends_with_the_start(void **unused)
{
    (void)unused;
    fixture f;
    saddle_report report;
    saddle_solution start = {0}, made = {0};
    begin("factor", 8, &f);
    const int64_t n = f.problem.n, m = f.problem.m;
    f.options.time_limit = 1e-9;
    assert_int_equal(saddle_solution_create(NULL, n, m, &start), SADDLE_OK);
    for (int64_t j = 0; j < n; j++) start.v[j] = 1.0 + (double)(j % 3);
    for (int64_t i = 0; i < m; i++) start.lambda[i] = 1.0 - (double)(i % 5);
    for (int given = 0; given < 2; given++) {
        for (int64_t i = 0; i < m; i++) f.x.lambda[i] = f.x.w[i] = NAN;
        assert_int_equal(saddle_solve(given ? f.context : NULL, &f.problem, "ldlt", &f.options,
                                      given ? &start : NULL, &f.x, &report),
                         SADDLE_TIME_LIMIT);
        assert_int_equal(report.status, SADDLE_TIME_LIMIT);
        assert_true(isinf(report.residual.total));
        double *w = test_malloc((size_t)m * sizeof *w);
        for (int64_t i = 0; i < m; i++) w[i] = f.problem.b ? -f.problem.b[i] : 0.0;
        for (int64_t j = 0; j < n; j++) assert_true(f.x.v[j] == (given ? start.v[j] : 0.0));
        for (int64_t i = 0; i < m; i++)
            assert_true(f.x.lambda[i] == (given ? start.lambda[i] : 0.0));
        saddle_matrix_apply_transpose(&f.problem.Jt, 1.0, f.x.v, 1.0, w);
        saddle_matrix_apply(&f.problem.R, 1.0, f.x.lambda, 1.0, w);
        assert_true(test_distance(w, f.x.w, m) < 1e-12);
        test_free(w);
    }
    assert_int_equal(saddle_solve(NULL, &f.problem, "ldlt", &f.options, NULL, &made, NULL),
                     SADDLE_TIME_LIMIT);
    assert_int_equal(made.n, n);
    saddle_solution_clear(&made);
    start.n = 1;
    assert_int_equal(saddle_solve(NULL, &f.problem, "ldlt", &f.options, &start, &f.x, NULL),
                     SADDLE_INVALID_ARGUMENT);
    start.n = n;
    saddle_solution_clear(&start);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stop_within_factor_leaves_it_to_be_repeated),
        cmocka_unit_test(threads_end_too_and_the_callback_is_called_by_its_own),
        cmocka_unit_test(a_factor_ends_where_its_time_is_over),
        cmocka_unit_test(an_analysis_ends_between_its_stages),
        cmocka_unit_test(a_solve_at_once_ends_with_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
