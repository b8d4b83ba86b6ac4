/* SPDX-License-Identifier: MIT */
/* saddle_solver_set_mass with a host of known M: its errors, its limits of time and its phases. */
#include <math.h>
#include <string.h>

#include "support.h"

enum { N = 3, M = 2 };

/* M = diag(d).  Faults: a status or a wrong number of one function. */
typedef struct host {
    double d[N];
    double wrong; /* in the last entry of M^-1 b and L^-1 b, where not 0 */
    double wrong_diagonal;
    double factor;                    /* of J M^-1 J' as a whole; 0: as it is */
    int is_zero;                      /* 1: J M^-1 J' as a whole is zero */
    saddle_status solving, measuring; /* of solve, diagonal */
} host;

static saddle_status host_solve(void *user, double *x)
{
    const host *h = user;
    for (int j = 0; j < N; j++) x[j] /= h->d[j];
    if (h->wrong != 0) x[N - 1] = h->wrong;
    return h->solving;
}

static saddle_status host_half_solve(void *user, double *x)
{
    const host *h = user;
    for (int j = 0; j < N; j++) x[j] /= sqrt(h->d[j]);
    if (h->wrong != 0) x[N - 1] = h->wrong;
    return h->solving;
}

static saddle_status host_multiply(void *user, const double *x, double *y)
{
    const host *h = user;
    for (int j = 0; j < N; j++) y[j] = h->d[j] * x[j];
    return SADDLE_OK;
}

static saddle_status host_diagonal(void *user, double *d)
{
    const host *h = user;
    memcpy(d, h->d, sizeof h->d);
    if (h->wrong_diagonal != 0) d[1] = h->wrong_diagonal;
    return h->measuring;
}

/* J M^-1 J' of the rows below. */
static saddle_status host_complement(void *user, const saddle_matrix *Jt, double *S)
{
    const host *h = user;
    (void)Jt;
    S[0] = 1 / h->d[0] + 1 / h->d[1];
    S[1] = 1 / h->d[1];
    S[2] = h->wrong != 0 ? h->wrong : 1 / h->d[1] + 1 / h->d[2];
    for (int k = 0; k < 3; k++) S[k] *= h->is_zero ? 0 : h->factor != 0 ? h->factor : 1;
    return h->solving;
}

enum { BY_PRODUCTS, BY_HALVES, BY_COMPLEMENT, WAYS };

static saddle_mass_operator operator_of(host *h, int way)
{
    return (saddle_mass_operator){.n = N,
                                  .user = h,
                                  .solve = host_solve,
                                  .multiply = host_multiply,
                                  .diagonal = host_diagonal,
                                  .half_solve = way == BY_HALVES ? host_half_solve : NULL,
                                  .complement = way == BY_COMPLEMENT ? host_complement : NULL};
}

/* Two equalities on three velocities, v0 + v1 = 1 and v1 + v2 = 1. */
typedef struct pair {
    int64_t start[M + 1], index[4];
    double value[4], f[N], b[M], v[N], lambda[M], w[M];
    saddle_problem problem;
    saddle_solution x;
} pair;

static void make_pair(pair *p)
{
    *p = (pair){.start = {0, 2, 4},
                .index = {0, 1, 1, 2},
                .value = {1, 1, 1, 1},
                .f = {1, 2, 3},
                .b = {1, 1}};
    p->problem = (saddle_problem){.n = N, .m = M, .f = p->f, .b = p->b};
    p->problem.Jt = saddle_matrix_view(N, M, p->start, p->index, p->value, SADDLE_SYMMETRY_NONE);
    p->x = (saddle_solution){N, M, p->v, p->lambda, p->w, 0, NULL};
}

/* M v = f + J'lambda, J v = b */
static void is_answer(const host *h, const pair *p)
{
    const double *l = p->lambda, force[N] = {l[0], l[0] + l[1], l[1]};
    for (int j = 0; j < N; j++)
        assert_true(fabs(h->d[j] * p->v[j] - force[j] - p->f[j]) <= 1e-9 * (1 + h->d[j]));
    for (int i = 0; i < M; i++) assert_true(fabs(p->v[i] + p->v[i + 1] - p->b[i]) <= 1e-9);
}

static void says(saddle_context *context, const char *words)
{
    if (!strstr(saddle_context_message(context), words))
        fail_msg("'%s' is not in '%s'", words, saddle_context_message(context));
}

/* ---- factor that fails ---- */

enum { FAULTS = 7 };

/* The fault of a number in the host, and the status of factor with it. */
static saddle_status break_host(int fault, host *h, const char **words)
{
    static const char *const said[FAULTS] = {
        "", "", "velocity 2", "velocity 2", "velocity 2", "mass operator", "mass operator"};
    *h = (host){.d = {100, 0.01, 3}};
    *words = said[fault];
    if (fault == 0) h->measuring = SADDLE_WRONG_PHASE;
    if (fault == 1) h->solving = SADDLE_WRONG_PHASE;
    if (fault == 2) h->wrong_diagonal = -1;
    if (fault == 3) h->wrong_diagonal = (double)NAN;
    if (fault == 4) h->wrong_diagonal = (double)INFINITY;
    if (fault == 5) h->wrong = (double)NAN;
    if (fault == 6) h->wrong = (double)-INFINITY;
    return fault < 2 ? SADDLE_WRONG_PHASE : SADDLE_SINGULAR;
}

/* W is of the new values and the factor of the rows of the old ones. */
static void nothing_is_solved_after_a_failed_factor(void **unused)
{
    (void)unused;
    const saddle_solver_type *type;
    for (int64_t k = 0; (type = saddle_solver_type_at(NULL, k)) != NULL; k++)
        for (int fault = 0; fault < WAYS * FAULTS; fault++) {
            host h = {.d = {1, 2, 3}};
            pair p;
            saddle_context *context;
            saddle_solver *solver;
            const char *words;
            const saddle_mass_operator mass = operator_of(&h, fault % WAYS);
            make_pair(&p);
            assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
            assert_int_equal(saddle_solver_create(context, type->name, NULL, &solver), SADDLE_OK);
            assert_int_equal(saddle_solver_set_mass(solver, &mass), SADDLE_OK);
            assert_int_equal(saddle_solver_analyse(solver, &p.problem), SADDLE_OK);
            assert_int_equal(saddle_solver_factor(solver, &p.problem), SADDLE_OK);
            assert_int_equal(saddle_solver_solve(solver, &p.problem, NULL, &p.x), SADDLE_OK);
            is_answer(&h, &p);
            const saddle_status wanted = break_host(fault / WAYS, &h, &words);
            assert_int_equal(saddle_solver_factor(solver, &p.problem), wanted);
            says(context, words);
            h = (host){.d = {100, 0.01, 3}};
            assert_int_equal(saddle_solver_solve(solver, &p.problem, NULL, &p.x),
                             SADDLE_WRONG_PHASE);
            says(context, "factor");
            assert_int_equal(saddle_solver_report(solver)->status, SADDLE_WRONG_PHASE);
            assert_int_equal(saddle_solver_factor(solver, &p.problem), SADDLE_OK);
            assert_int_equal(saddle_solver_solve(solver, &p.problem, NULL, &p.x), SADDLE_OK);
            is_answer(&h, &p);
            saddle_solver_free(solver);
            saddle_context_free(context);
        }
}

/* Numbers of the host that are not finite are the operator's, not the user's b. */
static void numbers_that_are_not_finite_are_of_the_operator(void **unused)
{
    (void)unused;
    host h = {.d = {1, 2, 3}};
    pair p;
    saddle_context *context;
    saddle_solver *solver;
    saddle_delassus *D;
    double q[M];
    const saddle_mass_operator mass = operator_of(&h, 0);
    make_pair(&p);
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_delassus_create_by_operator(context, &p.problem, &mass, NULL, &D),
                     SADDLE_OK);
    h.wrong = (double)NAN;
    assert_int_equal(saddle_delassus_form(D, &p.problem), SADDLE_SINGULAR);
    says(context, "mass operator");
    says(context, "row 1");
    assert_int_equal(saddle_delassus_reduce(D, &p.problem, q), SADDLE_WRONG_PHASE);
    saddle_delassus_free(D);
    h.wrong = 0;
    assert_int_equal(saddle_solver_create(context, NULL, NULL, &solver), SADDLE_OK);
    assert_int_equal(saddle_solver_set_mass(solver, &mass), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(solver, &p.problem), SADDLE_OK);
    assert_int_equal(saddle_solver_factor(solver, &p.problem), SADDLE_OK);
    h.wrong = (double)NAN;
    assert_int_equal(saddle_solver_solve(solver, &p.problem, NULL, &p.x), SADDLE_SINGULAR);
    says(context, "mass operator");
    says(context, "row 2");
    for (int j = 0; j < N; j++) assert_true(p.v[j] == 0);
    h.wrong = 0;
    assert_int_equal(saddle_solver_solve(solver, &p.problem, NULL, &p.x), SADDLE_OK);
    is_answer(&h, &p);
    saddle_solver_free(solver);
    saddle_context_free(context);
}

/* A Schur complement of [M J'; J 0] has the other sign: it would prove that rows contradict. */
static void a_whole_product_is_that_of_solve(void **unused)
{
    (void)unused;
    for (int k = 0; k < 4; k++) {
        host h = {.d = {1, 2, 3}, .factor = k == 0 ? -1 : k == 1 ? 1.1 : 0, .is_zero = k == 2};
        pair p;
        saddle_context *context;
        saddle_solver *solver;
        const saddle_mass_operator mass = operator_of(&h, BY_COMPLEMENT);
        make_pair(&p);
        assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
        assert_int_equal(saddle_solver_create(context, NULL, NULL, &solver), SADDLE_OK);
        assert_int_equal(saddle_solver_set_mass(solver, &mass), SADDLE_OK);
        assert_int_equal(saddle_solver_analyse(solver, &p.problem), SADDLE_OK);
        assert_int_equal(saddle_solver_factor(solver, &p.problem),
                         k < 3 ? SADDLE_INVALID_ARGUMENT : SADDLE_OK);
        if (k < 3) says(context, "is not J M^-1 J' of its solve");
        saddle_solver_free(solver);
        saddle_context_free(context);
    }
}

/* ---- rows that contradict each other ---- */

/* v0 - v1 = 0 and v0 - v1 = 1e-3 at velocities of 1e6: below the tolerance at v, as the terms of
 * the rows are there; not in the rows' problem, whose terms are of 1e-3. */
static void make_small_contradiction(pair *p)
{
    make_pair(p);
    p->index[2] = 0;
    p->index[3] = 1;
    p->value[1] = p->value[3] = -1;
    p->f[0] = p->f[1] = 1e6;
    p->b[0] = 0;
    p->b[1] = 1e-3;
}

static saddle_status solve_by(saddle_context *context, const char *name,
                              const saddle_options *options, const saddle_mass_operator *mass,
                              pair *p, saddle_solver **solver)
{
    saddle_status status = saddle_solver_create(context, name, options, solver);
    if (status == SADDLE_OK) status = saddle_solver_set_mass(*solver, mass);
    if (status == SADDLE_OK) status = saddle_solver_analyse(*solver, &p->problem);
    if (status == SADDLE_OK) status = saddle_solver_factor(*solver, &p->problem);
    return status == SADDLE_OK ? saddle_solver_solve(*solver, &p->problem, NULL, &p->x) : status;
}

/* Steps that end at an answer within the tolerance: no contradiction is met. */
static int steps_on(const char *name)
{
    return strcmp(name, "gauss-seidel") == 0 || strcmp(name, "admm") == 0;
}

static void an_answer_at_v_is_preferred_to_a_proof(void **unused)
{
    (void)unused;
    int64_t starts[N + 1] = {0, 1, 2, 3}, diagonal[N] = {0, 1, 2};
    host h = {.d = {1, 1, 1}};
    const saddle_mass_operator mass = operator_of(&h, 0);
    saddle_options options = saddle_options_default();
    const saddle_solver_type *type;
    int proven = 0;
    options.tolerance = 1e-8;
    for (int64_t k = 0; (type = saddle_solver_type_at(NULL, k)) != NULL; k++)
        for (int small = 0; small < 2; small++) {
            pair p;
            saddle_context *context;
            saddle_solver *solver;
            saddle_report formed;
            make_small_contradiction(&p);
            if (!small) p.b[1] = 1e3;
            assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
            p.problem.M = saddle_matrix_view(N, N, starts, diagonal, h.d, SADDLE_SYMMETRY_LOWER);
            const saddle_status wanted = saddle_solve(context, &p.problem, type->name, &options,
                                                      NULL, &p.x, &formed);
            const saddle_status status = solve_by(context, type->name, &options, &mass, &p,
                                                  &solver);
            const saddle_report *report = saddle_solver_report(solver);
            assert_int_equal(status, wanted);
            assert_int_equal(report->status, status);
            assert_true((status == SADDLE_INFEASIBLE) == (report->proof.kind == SADDLE_PROOF_ROWS));
            assert_true((status == SADDLE_INFEASIBLE) ==
                        (saddle_solver_certificate(solver) != NULL));
            if (status == SADDLE_INFEASIBLE) says(context, "no solution");
            if (status == SADDLE_INFEASIBLE) assert_non_null(strstr(report->note, "no solution"));
            if (status == SADDLE_OK) assert_null(strstr(report->note, "no solution"));
            if (status == SADDLE_OK && !steps_on(type->name))
                assert_non_null(strstr(report->note, "smaller than"));
            if (status == SADDLE_OK) assert_string_equal(saddle_context_message(context), "");
            proven += status == SADDLE_INFEASIBLE;
            assert_int_equal(small, status == SADDLE_OK);
            saddle_solver_free(solver);
            saddle_context_free(context);
        }
    assert_true(proven > 5);
}

/* ---- drawn rows ---- */

enum { LOOP = 5 };

/* LOOP rows on N velocities that agree, all but the first N - 1 being combinations of others, by
 * rounding; masses over `decades`, velocities of `speed`. */
typedef struct loops {
    int64_t start[LOOP + 1], index[LOOP * N];
    double value[LOOP * N], f[N], b[LOOP], v[N], lambda[LOOP], w[LOOP];
    saddle_problem problem;
    saddle_solution x;
} loops;

static void draw_loops(uint64_t *state, double decades, double speed, host *h, loops *p)
{
    *p = (loops){.problem = {.n = N, .m = LOOP}};
    for (int j = 0; j < N; j++) {
        h->d[j] = pow(10, test_uniform(state, -decades, decades));
        p->f[j] = pow(10, decades) * test_uniform(state, -1, 1);
    }
    for (int i = 0; i < LOOP; i++) {
        double *row = p->value + N * i;
        const double a = test_uniform(state, -1, 1), c = test_uniform(state, -1, 1);
        p->start[i + 1] = N * (i + 1);
        for (int j = 0; j < N; j++) {
            p->index[N * i + j] = j;
            row[j] = i < N - 1 ? test_uniform(state, -1, 1) : a * p->value[j] + c * p->value[N + j];
        }
    }
    for (int j = 0; j < N; j++) {
        const double v = test_uniform(state, -speed, speed);
        for (int i = 0; i < LOOP; i++) p->b[i] += p->value[N * i + j] * v;
    }
    p->problem.f = p->f;
    p->problem.b = p->b;
    p->problem.Jt = saddle_matrix_view(N, LOOP, p->start, p->index, p->value, SADDLE_SYMMETRY_NONE);
    p->x = (saddle_solution){N, LOOP, p->v, p->lambda, p->w, 0, NULL};
}

/* Tolerances down to below rounding: corrections that find rows contradictory are not taken where
 * they are worse, and every status but SADDLE_OK has its message and SADDLE_INFEASIBLE its proof.
 */
static void each_status_has_its_message_and_its_proof(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int64_t count = 0, unsolved = 0;
    while (saddle_solver_type_at(NULL, count)) count++;
    for (int64_t trial = 0; trial < test_draws(3000); trial++) {
        host h = {.wrong = 0};
        loops p;
        saddle_context *context;
        saddle_solver *solver;
        saddle_options options = saddle_options_default();
        const saddle_mass_operator mass = operator_of(&h, (int)(trial % 2));
        draw_loops(&state, 2 * (double)(trial % 5), pow(10, 4 * (double)(trial % 3)), &h, &p);
        options.tolerance = pow(10, -12 - (double)(trial % 6));
        assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
        const char *name = saddle_solver_type_at(NULL, trial / 30 % count)->name;
        assert_int_equal(saddle_solver_create(context, name, &options, &solver), SADDLE_OK);
        assert_int_equal(saddle_solver_set_mass(solver, &mass), SADDLE_OK);
        assert_int_equal(saddle_solver_analyse(solver, &p.problem), SADDLE_OK);
        saddle_status status = saddle_solver_factor(solver, &p.problem);
        if (status == SADDLE_OK) status = saddle_solver_solve(solver, &p.problem, NULL, &p.x);
        const saddle_report *report = saddle_solver_report(solver);
        assert_true((status == SADDLE_OK) == (*saddle_context_message(context) == 0));
        assert_true((status == SADDLE_INFEASIBLE) == (report->proof.kind == SADDLE_PROOF_ROWS));
        assert_true((status == SADDLE_INFEASIBLE) == (saddle_solver_certificate(solver) != NULL));
        if (status == SADDLE_INFEASIBLE) says(context, "no solution");
        unsolved += status > 0;
        saddle_solver_free(solver);
        saddle_context_free(context);
    }
    assert_true(unsolved > 0 || test_is_slow());
}

/* ---- interruption ---- */

typedef struct watch {
    int64_t factoring, solving;      /* calls so far */
    int64_t stop_factor, stop_solve; /* at the call of this number; 0 = never */
} watch;

static int watch_progress(void *user, const saddle_progress *progress)
{
    watch *w = user;
    if (strcmp(progress->phase, "factor") == 0) return ++w->factoring == w->stop_factor;
    if (strcmp(progress->phase, "solve") == 0) return ++w->solving == w->stop_solve;
    return 0;
}

/* Before each product of W and each solve of the rows. */
static void the_callback_stops_factor_and_solve(void **unused)
{
    (void)unused;
    for (int halves = 0; halves < 2; halves++) {
        host h = {.d = {1, 2, 3}};
        watch w = {0};
        pair p;
        saddle_context *context;
        saddle_solver *solver;
        saddle_context_options options = saddle_context_options_default();
        const saddle_mass_operator mass = operator_of(&h, halves);
        make_pair(&p);
        options.progress = watch_progress;
        options.progress_user = &w;
        assert_int_equal(saddle_context_create(&options, &context), SADDLE_OK);
        assert_int_equal(solve_by(context, "schur", NULL, &mass, &p, &solver), SADDLE_OK);
        const watch all = w;
        assert_true(all.factoring > M && all.solving > 0);
        for (int64_t k = 1; k <= all.factoring; k++) {
            w = (watch){.stop_factor = k};
            assert_int_equal(saddle_solver_factor(solver, &p.problem), SADDLE_STOPPED);
            says(context, "stopped");
            assert_int_equal(w.factoring, k);
            assert_int_equal(saddle_solver_solve(solver, &p.problem, NULL, &p.x),
                             SADDLE_WRONG_PHASE);
        }
        w = (watch){0};
        assert_int_equal(saddle_solver_factor(solver, &p.problem), SADDLE_OK);
        for (int64_t k = 1; k <= all.solving; k++) {
            w = (watch){.stop_solve = k};
            for (int i = 0; i < M; i++) p.lambda[i] = p.w[i] = p.v[i] = (double)NAN;
            const saddle_status status = saddle_solver_solve(solver, &p.problem, NULL, &p.x);
            assert_true(status == SADDLE_STOPPED || (k > 1 && status == SADDLE_OK));
            for (int i = 0; i < M; i++) assert_true(isfinite(p.lambda[i] + p.w[i] + p.v[i]));
        }
        saddle_solver_free(solver);
        saddle_context_free(context);
    }
}

/* One row, solved to a quarter of its error in each solve, which takes a while. */
static int64_t solves;
static double pause;

static saddle_status quarter_nothing(saddle_solver_call *call, void *state,
                                     const saddle_problem *problem)
{
    (void)call;
    (void)state;
    (void)problem;
    return SADDLE_OK;
}

static saddle_status quarter_solve(saddle_solver_call *call, void *state,
                                   const saddle_problem *problem, saddle_solution *x)
{
    (void)call;
    (void)state;
    const double until = saddle_clock() + pause;
    while (saddle_clock() < until) continue;
    solves++;
    x->lambda[0] += 0.75 * (problem->b[0] / problem->R.value[0] - x->lambda[0]);
    return SADDLE_NOT_CONVERGED;
}

static void quarter_clear(void *state, saddle_context *context)
{
    (void)state;
    (void)context;
}

/* Seventeen solves at 20 ms need more than 0.1 s: the limit is of all corrections together. */
static void the_time_limit_is_of_all_corrections(void **unused)
{
    (void)unused;
    static const saddle_solver_type type = {.name = "quartering",
                                            .summary = "a quarter of the error stays",
                                            .rows = SADDLE_ROWS_EQUALITY,
                                            .matrices = SADDLE_MATRICES_SYMMETRIC,
                                            .state_size = 1,
                                            .analyse = quarter_nothing,
                                            .factor = quarter_nothing,
                                            .solve = quarter_solve,
                                            .clear = quarter_clear};
    for (int limited = 0; limited < 2; limited++) {
        host h = {.d = {1, 2, 3}};
        pair p;
        saddle_context *context;
        saddle_solver *solver;
        saddle_options options = saddle_options_default();
        const saddle_mass_operator mass = operator_of(&h, 0);
        make_pair(&p);
        p.problem.m = p.problem.Jt.cols = p.x.m = 1;
        options.max_iterations = 1;
        options.time_limit = limited ? 0.1 : 0;
        pause = limited ? 0.02 : 0;
        solves = 0;
        assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
        assert_int_equal(saddle_solver_register(context, &type), SADDLE_OK);
        const saddle_status status = solve_by(context, "quartering", &options, &mass, &p, &solver);
        assert_int_equal(status, limited ? SADDLE_TIME_LIMIT : SADDLE_OK);
        assert_true(limited ? solves <= 6 : solves >= 12);
        assert_true(fabs(p.v[0] + p.v[1] - 1) <= (limited ? 0.9 : 1e-9));
        if (limited) says(context, "residual");
        saddle_solver_free(solver);
        saddle_context_free(context);
    }
}

/* ---- sizes ---- */

/* n, m of 0 or not: v = f/d without rows, lambda = b/R without velocities. */
static void an_operator_may_have_no_velocities_and_no_rows(void **unused)
{
    (void)unused;
    const saddle_solver_type *type;
    for (int64_t k = 0; (type = saddle_solver_type_at(NULL, k)) != NULL; k++)
        for (int kind = 0; kind < 6; kind++) {
            const int64_t n = kind % 3 == 0 ? N : 0, m = kind % 3 == 1;
            host h = {.d = {1, 2, 4}};
            int64_t start[N + 1] = {0, 1}, zero[N] = {0};
            double R = 2, f[N] = {1, 2, 3}, b = 3, v[N], lambda, w;
            saddle_mass_operator mass = operator_of(&h, kind > 2);
            saddle_problem p = {.n = n, .m = m, .f = n ? f : NULL, .b = m ? &b : NULL};
            saddle_solution x = {n, m, n ? v : NULL, m ? &lambda : NULL, m ? &w : NULL, 0, NULL};
            saddle_solver *solver;
            mass.n = n;
            if (m) p.R = saddle_matrix_view(1, 1, start, zero, &R, SADDLE_SYMMETRY_LOWER);
            assert_int_equal(saddle_solver_create(NULL, type->name, NULL, &solver), SADDLE_OK);
            assert_int_equal(saddle_solver_set_mass(solver, &mass), SADDLE_OK);
            assert_int_equal(saddle_solver_analyse(solver, &p), SADDLE_OK);
            assert_int_equal(saddle_solver_factor(solver, &p), SADDLE_OK);
            assert_int_equal(saddle_solver_solve(solver, &p, NULL, &x), SADDLE_OK);
            for (int64_t j = 0; j < n; j++) assert_true(fabs(h.d[j] * v[j] - f[j]) <= 1e-12);
            if (m) assert_true(fabs(lambda - 1.5) <= 1e-9);
            saddle_solver_free(solver);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_solved_after_a_failed_factor),
        cmocka_unit_test(numbers_that_are_not_finite_are_of_the_operator),
        cmocka_unit_test(a_whole_product_is_that_of_solve),
        cmocka_unit_test(an_answer_at_v_is_preferred_to_a_proof),
        cmocka_unit_test(each_status_has_its_message_and_its_proof),
        cmocka_unit_test(the_callback_stops_factor_and_solve),
        cmocka_unit_test(the_time_limit_is_of_all_corrections),
        cmocka_unit_test(an_operator_may_have_no_velocities_and_no_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
