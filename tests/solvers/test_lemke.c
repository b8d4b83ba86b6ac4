/* SPDX-License-Identifier: MIT */
/* lemke beyond what every solver is held to (test_complementarity, test_worked_tables,
 * test_conformance): its proofs that there is no solution, pyramids in space against brute force on
 * their expansion, units, warm starts, limits, memory.  Its tableau is in test_lemke_tableau.c. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_mixed.h"
#include "enumeration.h"

#define INF ((double)INFINITY)

static saddle_matrix dense(int64_t m, const double *W, saddle_symmetry symmetry)
{
    int64_t *row = calloc((size_t)(m * m + 1), sizeof *row);
    int64_t *col = calloc((size_t)(m * m + 1), sizeof *col);
    double *value = calloc((size_t)(m * m + 1), sizeof *value);
    int64_t count = 0;
    assert_true(row && col && value);
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < (symmetry == SADDLE_SYMMETRY_LOWER ? i + 1 : m); j++) {
            if (W[i * m + j] == 0.0) continue;
            row[count] = i;
            col[count] = j;
            value[count++] = W[i * m + j];
        }
    }
    saddle_matrix made = {0};
    assert_int_equal(saddle_matrix_from_triplets(NULL, m, m, count, row, col, value, symmetry,
                                                 &made),
                     SADDLE_OK);
    free(row);
    free(col);
    free(value);
    return made;
}

static saddle_report solve(const saddle_problem *problem, const saddle_options *options,
                           const saddle_solution *start, saddle_solution *solution)
{
    saddle_report report;
    saddle_status status = saddle_solve(NULL, problem, "lemke", options, start, solution, &report);
    if (status < 0) fail_msg("%s", saddle_status_name(status));
    return report;
}

/* ---- no solution ---- */

/* A proof is right, and where W is monotone there always is one. */
static void what_has_no_solution_and_only_that_is_proven_to_have_none(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    int64_t proven = 0;
    int64_t unproven = 0;
    enumeration *found = calloc(1, sizeof *found);
    assert_non_null(found);
    for (int draws = 0; draws < test_draws(8000); draws++) {
        uint64_t first = seed;
        mixed_kind kind = mixed_draw_kind(&seed, 4);
        mixed *p = mixed_draw(&seed, kind);
        saddle_solution solution = {0};
        saddle_report report = solve(&p->problem, NULL, NULL, &solution);
        enumerate_states(&p->problem, found);
        int infeasible = report.status == SADDLE_INFEASIBLE;
        if (infeasible && (found->count > 0 || kind.planted))
            fail_msg("SADDLE_TEST_SEED=%" PRIu64 " draws first what has a solution: %s", first,
                     report.note);
        if (enumeration_is_empty(found) && !infeasible && (kind.class <= MIXED_SEMIMONOTONE))
            fail_msg("SADDLE_TEST_SEED=%" PRIu64 " draws first what has no solution: %s, %s", first,
                     saddle_status_name(report.status), report.note);
        proven += infeasible;
        unproven += enumeration_is_empty(found) && !infeasible;
        saddle_solution_clear(&solution);
        mixed_clear(p);
    }
    print_message("%" PRId64 " proven to have no solution, %" PRId64 " not\n", proven, unproven);
    assert_true(proven > test_draws(100));
    free(found);
}

/* lambda_1 >= 0, w_1 = lambda_2 - 1 >= 0, lambda_2 = 0 by its row: rows 1 and 2 of three. */
static void the_rows_of_a_contradiction_are_named(void **state)
{
    (void)state;
    double W[9] = {0, 1, 0, -1, 0, 0, 0, 0, 1};
    double b[3] = {1, 0, 1};
    double lo[3] = {0, -1, 0};
    double hi[3] = {INF, 0.5, INF};
    char *names[3] = {"left knee", "right knee", "hip"};
    saddle_problem problem = {.m = 3,
                              .R = dense(3, W, SADDLE_SYMMETRY_NONE),
                              .b = b,
                              .lo = lo,
                              .hi = hi,
                              .row_name = names};
    saddle_solution solution = {0};
    saddle_report report = solve(&problem, NULL, NULL, &solution);
    assert_int_equal(report.status, SADDLE_INFEASIBLE);
    assert_non_null(strstr(report.note, "left knee"));
    assert_null(strstr(report.note, "hip"));
    hi[1] = 1.5;
    assert_int_equal(solve(&problem, NULL, NULL, &solution).status, SADDLE_OK);
    saddle_solution_clear(&solution);
    saddle_matrix_clear(&problem.R);
}

static void contradictory_equalities_are_proven(void **state)
{
    (void)state;
    double W[9] = {2, 1, 3, 1, 1, 2, 3, 2, 5};
    double b[3] = {1, 1, 2.5};
    saddle_problem problem = {.m = 3, .R = dense(3, W, SADDLE_SYMMETRY_LOWER), .b = b};
    saddle_solution solution = {0};
    saddle_report report = solve(&problem, NULL, NULL, &solution);
    assert_int_equal(report.status, SADDLE_INFEASIBLE);
    b[2] = 2.0;
    assert_int_equal(solve(&problem, NULL, NULL, &solution).status, SADDLE_OK);
    saddle_solution_clear(&solution);
    saddle_matrix_clear(&problem.R);
}

/* Two equal equality rows with nothing on their diagonal block, and a row that only they make
 * regular. */
static void equal_equalities_that_hold_others_are_solved(void **state)
{
    (void)state;
    double W[16] = {0, 1, -1, 1, -1, 0, -1, 0, 1, 1, 0, 1, -1, 0, -1, 0};
    double b[4] = {-3, 0, -1, 0};
    double lo[4] = {-1, -INF, 0, -INF};
    double hi[4] = {2, INF, INF, INF};
    saddle_problem problem = {
        .m = 4, .R = dense(4, W, SADDLE_SYMMETRY_NONE), .b = b, .lo = lo, .hi = hi};
    saddle_solution solution = {0};
    assert_int_equal(solve(&problem, NULL, NULL, &solution).status, SADDLE_OK);
    assert_true(fabs(solution.lambda[0] + 1.0) <= 1e-14 && fabs(solution.lambda[2] - 1.0) <= 1e-14);
    saddle_solution_clear(&solution);
    saddle_matrix_clear(&problem.R);
}

/* Of two equality rows, one the other's negative, elimination leaves rounding: no path may take
 * that for an equation. */
static void an_equality_and_its_negative_are_one(void **state)
{
    (void)state;
    enum { N = 4, ROWS = 6 };
    double M[N * N] = {11, 2, 4, -1, 2, 13, -4, 4, 4, -4, 8, -7, -1, 4, -7, 14};
    double J[ROWS][N] = {{1, 1, 0, -2},  {1, 1, 0, -2},   {2, 2, 0, -1},
                         {0, 0, -2, -1}, {-2, 2, -2, -2}, {-2, -2, 0, 1}};
    double f[N] = {3, 0, -1, 0};
    double b[ROWS] = {-1, -1, -1, 1, 1, 1};
    double lo[ROWS] = {0, 0, -INF, -1, 0, -INF};
    double hi[ROWS] = {INF, INF, INF, -1, INF, INF};
    int64_t start[ROWS + 1] = {0};
    int64_t index[ROWS * N];
    for (int64_t k = 0; k < ROWS * N; k++) index[k] = k % N;
    for (int64_t i = 0; i < ROWS; i++) start[i + 1] = N * (i + 1);
    saddle_problem problem = {.n = N, .m = ROWS, .f = f, .b = b, .lo = lo, .hi = hi};
    problem.M = dense(N, M, SADDLE_SYMMETRY_LOWER);
    problem.Jt = saddle_matrix_view(N, ROWS, start, index, J[0], SADDLE_SYMMETRY_NONE);
    saddle_solution solution = {0};
    assert_int_equal(solve(&problem, NULL, NULL, &solution).status, SADDLE_OK);
    assert_true(fabs(solution.w[2]) <= 1e-14 && fabs(solution.w[5]) <= 1e-14);
    assert_true(solution.lambda[4] > 1.5 && fabs(solution.w[4]) <= 1e-14);
    saddle_solution_clear(&solution);
    saddle_matrix_clear(&problem.M);
}

/* ---- pyramids in space ---- */

/* The linear complementarity problem of seed 000 section 0.10 for one contact with W = [Wnn Wnt;
 * Wtn Wtt]: unknowns (lambda_n, beta_1 .. beta_eta, sigma), written down here from the seed. */
static void expand(const double W[9], const double q[3], double mu, int64_t eta, double *A,
                   double *c)
{
    int64_t size = eta + 2;
    double D[8][3] = {{1.0, 0.0, 0.0}};
    for (int64_t k = 0; k < eta; k++) {
        double angle = 2.0 * acos(-1.0) * (double)k / (double)eta;
        D[k + 1][1] = cos(angle);
        D[k + 1][2] = sin(angle);
    }
    memset(A, 0, (size_t)(size * size) * sizeof *A);
    memset(c, 0, (size_t)size * sizeof *c);
    for (int64_t i = 0; i <= eta; i++) {
        for (int a = 0; a < 3; a++) c[i] += D[i][a] * q[a];
        for (int64_t j = 0; j <= eta; j++)
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++) A[i * size + j] += D[i][a] * W[3 * a + b] * D[j][b];
        if (i > 0) A[i * size + eta + 1] = 1.0;
        if (i > 0) A[(eta + 1) * size + i] = -1.0;
    }
    A[(eta + 1) * size] = mu;
}

/* The nearest of the solutions that brute force has found for the expansion, folded back. */
static double nearest(const enumeration *found, int64_t eta, const double *lambda)
{
    double best = INF;
    for (int64_t k = 0; k < found->count; k++) {
        const double *x = found->point[k].lambda;
        double t[2] = {0.0, 0.0};
        for (int64_t j = 0; j < eta; j++) {
            double angle = 2.0 * acos(-1.0) * (double)j / (double)eta;
            t[0] += x[j + 1] * cos(angle);
            t[1] += x[j + 1] * sin(angle);
        }
        double away = fmax(fabs(lambda[0] - x[0]),
                           fmax(fabs(lambda[1] - t[0]), fabs(lambda[2] - t[1])));
        best = fmin(best, away);
    }
    return best;
}

static void pyramids_in_space_agree_with_brute_force_on_their_expansion(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    enumeration *found = calloc(1, sizeof *found);
    assert_non_null(found);
    int64_t pushing = 0;
    for (int draws = 0; draws < 300; draws++) {
        double W[9] = {0};
        double B[9];
        double q[3];
        double b[3];
        double A[64];
        double c[8];
        double minus_c[8];
        double zero[8] = {0};
        int64_t eta = test_integer(&seed, 3, 5);
        double mu = test_uniform(&seed, 0.1, 1.2);
        for (int i = 0; i < 9; i++) B[i] = test_uniform(&seed, -1.0, 1.0);
        for (int i = 0; i < 9; i++)
            for (int k = 0; k < 3; k++) W[i] += B[3 * (i / 3) + k] * B[3 * (i % 3) + k];
        for (int i = 0; i < 3; i++) W[4 * i] += 0.2;
        for (int i = 0; i < 3; i++) q[i] = test_uniform(&seed, -1.0, i == 0 ? 0.2 : 1.0);
        for (int i = 0; i < 3; i++) b[i] = -q[i];
        expand(W, q, mu, eta, A, c);
        for (int64_t i = 0; i < eta + 2; i++) minus_c[i] = -c[i];
        double hi[8] = {INF, INF, INF, INF, INF, INF, INF, INF};
        saddle_problem expansion = {.m = eta + 2, .b = minus_c, .lo = zero, .hi = hi};
        expansion.R = dense(eta + 2, A, SADDLE_SYMMETRY_NONE);
        enumerate_states(&expansion, found);
        saddle_contact contact = {.row = 0, .size = 3, .mu = mu};
        saddle_problem problem = {.m = 3,
                                  .b = b,
                                  .contacts = &contact,
                                  .contact_count = 1,
                                  .law = SADDLE_LAW_PYRAMID,
                                  .facets = eta};
        problem.R = dense(3, W, SADDLE_SYMMETRY_LOWER);
        saddle_solution solution = {0};
        assert_int_equal(solve(&problem, NULL, NULL, &solution).status, SADDLE_OK);
        double away = nearest(found, eta, solution.lambda);
        if (!(away <= 1e-9))
            fail_msg("draw %d: the nearest of %d is away by %g", draws, (int)found->count, away);
        pushing += solution.lambda[0] > 0.0;
        saddle_solution_clear(&solution);
        saddle_matrix_clear(&problem.R);
        saddle_matrix_clear(&expansion.R);
    }
    assert_true(pushing > 150);
    free(found);
}

/* ---- larger problems: a planted solution ---- */

typedef struct planted {
    saddle_problem problem;
    double *lambda;
} planted;

/* W = B B' / m + 0.1 I + a skew part, rows of all kinds; the unknowns times, and the rows over,
 * powers of two up to 2^+-exponent.  lambda: the only solution. */
static planted plant(uint64_t *seed, int64_t m, int exponent)
{
    planted p = {.problem = {.m = m}};
    double *B = calloc((size_t)(m * m), sizeof *B);
    double *W = calloc((size_t)(m * m), sizeof *W);
    double *unit = calloc((size_t)m, sizeof *unit);
    p.lambda = calloc((size_t)m, sizeof *p.lambda);
    p.problem.b = calloc((size_t)m, sizeof *p.problem.b);
    p.problem.lo = calloc((size_t)m, sizeof *p.problem.lo);
    p.problem.hi = calloc((size_t)m, sizeof *p.problem.hi);
    assert_true(B && W && unit && p.lambda && p.problem.b && p.problem.lo && p.problem.hi);
    for (int64_t i = 0; i < m * m; i++) B[i] = test_uniform(seed, -1.0, 1.0);
    for (int64_t i = 0; i < m; i++) {
        unit[i] = ldexp(1.0, (int)test_integer(seed, -exponent, exponent));
        for (int64_t j = 0; j <= i; j++) {
            double sum = i == j ? 0.1 : 0.0;
            double skew = i == j ? 0.0 : test_uniform(seed, -0.1, 0.1);
            for (int64_t k = 0; k < m; k++) sum += B[i * m + k] * B[j * m + k] / (double)m;
            W[i * m + j] = sum + skew;
            W[j * m + i] = sum - skew;
        }
    }
    for (int64_t i = 0; i < m; i++) {
        int64_t kind = test_integer(seed, 0, 9); /* unilateral mostly */
        int64_t where = test_integer(seed, 0, 2);
        p.problem.lo[i] = kind == 0 || kind == 1 ? -INF : -0.5 * (double)(kind == 2 || kind == 3);
        p.problem.hi[i] = kind == 0 || kind > 3 ? INF : 0.5;
        p.lambda[i] = test_uniform(seed, 0.1, 0.4);
        if (where == 1 && isfinite(p.problem.lo[i])) p.lambda[i] = p.problem.lo[i];
        if (where == 2 && isfinite(p.problem.hi[i])) p.lambda[i] = p.problem.hi[i];
    }
    for (int64_t i = 0; i < m; i++) {
        double w = p.lambda[i] == p.problem.lo[i]   ? test_uniform(seed, 0.1, 1.0)
                   : p.lambda[i] == p.problem.hi[i] ? -test_uniform(seed, 0.1, 1.0)
                                                    : 0.0;
        p.problem.b[i] = -w;
        for (int64_t j = 0; j < m; j++) p.problem.b[i] += W[i * m + j] * p.lambda[j];
        p.problem.b[i] *= unit[i];
    }
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < m; j++) W[i * m + j] *= unit[i] * unit[j];
        p.problem.lo[i] /= unit[i];
        p.problem.hi[i] /= unit[i];
        p.lambda[i] /= unit[i];
    }
    p.problem.R = dense(m, W, SADDLE_SYMMETRY_NONE);
    free(B);
    free(W);
    free(unit);
    return p;
}

static void clear_planted(planted *p)
{
    saddle_matrix_clear(&p->problem.R);
    free(p->problem.b);
    free(p->problem.lo);
    free(p->problem.hi);
    free(p->lambda);
}

static void check_planted(const planted *p, const saddle_solution *solution, double most)
{
    for (int64_t i = 0; i < p->problem.m; i++) {
        double error = fabs(solution->lambda[i] - p->lambda[i]);
        double scale = fmax(fabs(p->lambda[i]),
                            isfinite(p->problem.hi[i]) ? fabs(p->problem.hi[i]) : 0.0);
        if (!(error <= most * scale))
            fail_msg("lambda[%d] is %g, not %g", (int)i, solution->lambda[i], p->lambda[i]);
    }
}

static void planted_solutions_are_found_by_small_and_large_tableaus(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1, 2, 31, 119, 121, 160, 250};
    uint64_t seed = test_seed();
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        planted p = plant(&seed, sizes[k], 0);
        saddle_solution solution = {0};
        saddle_report report = solve(&p.problem, NULL, NULL, &solution);
        assert_int_equal(report.status, SADDLE_OK);
        assert_true(report.residual.total <= 1e-14);
        check_planted(&p, &solution, 1e-11);
        saddle_solution_clear(&solution);
        clear_planted(&p);
    }
}

/* Rows in units from 2^-40 to 2^40 of each other: entries of W from 1e-24 to 1e24. */
static void units_of_the_rows_do_not_matter(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int draws = 0; draws < 40; draws++) {
        planted p = plant(&seed, test_integer(&seed, 2, 40), 40);
        saddle_solution solution = {0};
        assert_int_equal(solve(&p.problem, NULL, NULL, &solution).status, SADDLE_OK);
        check_planted(&p, &solution, 1e-11);
        saddle_solution_clear(&solution);
        clear_planted(&p);
    }
}

/* ---- conduct ---- */

static void warm_starts_take_a_fraction_of_the_pivots(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    planted p = plant(&seed, 60, 0);
    saddle_solution solution = {0};
    saddle_report cold = solve(&p.problem, NULL, NULL, &solution);
    assert_int_equal(solve(&p.problem, NULL, &solution, &solution).pivots, 0);
    for (int64_t i = 0; i < 60; i++) p.problem.b[i] += test_uniform(&seed, -0.02, 0.02);
    saddle_solution warm = {0};
    saddle_report near = solve(&p.problem, NULL, &solution, &warm);
    saddle_solution again = {0};
    assert_int_equal(near.status, SADDLE_OK);
    assert_int_equal(solve(&p.problem, NULL, NULL, &again).status, SADDLE_OK);
    assert_true(test_distance(warm.lambda, again.lambda, 60) <= 1e-12);
    print_message("pivots: cold %d, warm %d\n", (int)cold.pivots, (int)near.pivots);
    assert_true(cold.pivots > 20 && 5 * near.pivots < cold.pivots);
    saddle_solution_clear(&solution);
    saddle_solution_clear(&warm);
    saddle_solution_clear(&again);
    clear_planted(&p);
}

/* W = GG' of rank 1 to m, b = W e, all rows inside at first: more of them than a basis holds. */
static void starts_whose_rows_depend_on_each_other_are_survived(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int draw = 0; draw < 400; draw++) {
        enum { M = 8 };
        int64_t rank = 1 + draw % M;
        double G[M * M], W[M * M], b[M];
        double lo[M] = {0}, hi[M], ones[M];
        for (int64_t k = 0; k < M * rank; k++) G[k] = test_uniform(&seed, -1.0, 1.0);
        for (int64_t i = 0; i < M; i++) {
            b[i] = 0.0;
            hi[i] = INF;
            ones[i] = 1.0;
            for (int64_t j = 0; j < M; j++) {
                W[i * M + j] = 0.0;
                for (int64_t k = 0; k < rank; k++)
                    W[i * M + j] += G[i * rank + k] * G[j * rank + k];
                b[i] += W[i * M + j];
            }
        }
        saddle_problem problem = {
            .m = M, .R = dense(M, W, SADDLE_SYMMETRY_LOWER), .b = b, .lo = lo, .hi = hi};
        saddle_solution start = {.m = M, .lambda = ones};
        saddle_solution solution = {0};
        assert_int_equal(solve(&problem, NULL, &start, &solution).status, SADDLE_OK);
        saddle_solution_clear(&solution);
        saddle_matrix_clear(&problem.R);
    }
}

/* Both rows start between their bounds, but one depends on the other: one row begins basic, the
 * other with its own slack at zero. */
static void a_start_with_dependent_rows_is_a_start(void **state)
{
    (void)state;
    double W[4] = {1.0, 2.0, 2.0, 4.0};
    double b[2] = {3.0, 6.0};
    double lo[2] = {0.0, 0.0};
    double hi[2] = {INF, 2.0};
    double start_lambda[2] = {0.2, 0.2};
    double w[2] = {0.0, 0.0};
    saddle_problem problem = {
        .m = 2, .R = dense(2, W, SADDLE_SYMMETRY_LOWER), .b = b, .lo = lo, .hi = hi};
    saddle_solution start = {.m = 2, .lambda = start_lambda, .w = w};
    saddle_solution solution = {0};
    assert_int_equal(solve(&problem, NULL, &start, &solution).status, SADDLE_OK);
    assert_true(fabs(solution.lambda[0] + 2.0 * solution.lambda[1] - 3.0) <= 1e-14);
    saddle_solution_clear(&solution);
    saddle_matrix_clear(&problem.R);
}

static int stop_within(void *user, const saddle_progress *progress)
{
    (void)user;
    return strcmp(progress->phase, "solve") == 0 && progress->iteration >= 16;
}

static void limits_end_the_path(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    planted p = plant(&seed, 60, 0);
    saddle_solution solution = {0};
    saddle_options options = saddle_options_default();
    options.max_iterations = 5;
    saddle_report report = solve(&p.problem, &options, NULL, &solution);
    assert_int_equal(report.status, SADDLE_ITERATION_LIMIT);
    assert_int_equal(report.pivots, 5);
    options = saddle_options_default();
    options.time_limit = 1e-9;
    assert_int_equal(solve(&p.problem, &options, NULL, &solution).status, SADDLE_TIME_LIMIT);
    saddle_context_options watched = saddle_context_options_default();
    saddle_context *context;
    watched.progress = stop_within;
    assert_int_equal(saddle_context_create(&watched, &context), SADDLE_OK);
    assert_int_equal(saddle_solve(context, &p.problem, "lemke", NULL, NULL, &solution, &report),
                     SADDLE_STOPPED);
    assert_int_equal(report.pivots, 16);
    saddle_context_free(context);
    saddle_solution_clear(&solution);
    clear_planted(&p);
}

/* A problem with velocities, contacts and rows of all kinds, drawn until all occur. */
static mixed *draw_full(uint64_t *seed)
{
    mixed_kind kind = {.class = MIXED_DEFINITE, .n = 5, .m = 7, .contacts = 1};
    return mixed_draw(seed, kind);
}

static void values_only_refresh_equals_a_fresh_solver_and_allocates_nothing(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int draws = 0; draws < 20; draws++) {
        test_memory memory;
        saddle_context *context = test_memory_begin(&memory, -1);
        mixed *p = draw_full(&seed);
        saddle_solver *solver;
        saddle_solution kept = {0};
        saddle_solution fresh = {0};
        assert_int_equal(saddle_solution_create(context, p->problem.n, p->problem.m, &kept),
                         SADDLE_OK);
        assert_int_equal(saddle_solver_create(context, "lemke", NULL, &solver), SADDLE_OK);
        assert_int_equal(saddle_solver_analyse(solver, &p->problem), SADDLE_OK);
        assert_int_equal(saddle_solver_factor(solver, &p->problem), SADDLE_OK);
        (void)saddle_solver_solve(solver, &p->problem, NULL, &kept);
        for (int64_t k = 0; k < saddle_matrix_entries(&p->problem.M); k++)
            p->problem.M.value[k] *= 1.5;
        for (int64_t k = 0; k < p->problem.n; k++) p->f[k] += 0.25;
        int64_t before = memory.count;
        assert_int_equal(saddle_solver_factor(solver, &p->problem), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(solver, &p->problem, NULL, &kept), SADDLE_OK);
        assert_int_equal(memory.count, before);
        assert_int_equal(saddle_solve(NULL, &p->problem, "lemke", NULL, NULL, &fresh, NULL),
                         SADDLE_OK);
        assert_memory_equal(kept.lambda, fresh.lambda, (size_t)p->problem.m * sizeof(double));
        assert_memory_equal(kept.v, fresh.v, (size_t)p->problem.n * sizeof(double));
        saddle_solution_clear(&kept);
        saddle_solution_clear(&fresh);
        saddle_solver_free(solver);
        mixed_clear(p);
        test_memory_end(&memory, context);
    }
}

static saddle_status solve_full(saddle_context *context, void *user)
{
    saddle_solution solution = {0};
    saddle_status status = saddle_solve(context, user, "lemke", NULL, NULL, &solution, NULL);
    saddle_solution_clear(&solution);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    mixed *p = draw_full(&seed);
    assert_true(test_allocation_sweep(solve_full, &p->problem) > 20);
    mixed_clear(p);
}

static void empty_problems_are_solved(void **state)
{
    (void)state;
    saddle_problem nothing = {0};
    saddle_solution solution = {0};
    assert_int_equal(solve(&nothing, NULL, NULL, &solution).status, SADDLE_OK);
    saddle_solution_clear(&solution);
    double one[1] = {2.0};
    double f[1] = {3.0};
    saddle_problem free_body = {.n = 1, .M = dense(1, one, SADDLE_SYMMETRY_LOWER), .f = f};
    assert_int_equal(solve(&free_body, NULL, NULL, &solution).status, SADDLE_OK);
    assert_true(solution.v[0] == 1.5);
    saddle_solution_clear(&solution);
    saddle_matrix_clear(&free_body.M);
    double bound[1] = {0.25};
    saddle_problem given = {.m = 1,
                            .R = dense(1, one, SADDLE_SYMMETRY_LOWER),
                            .lo = bound,
                            .hi = bound};
    assert_int_equal(solve(&given, NULL, NULL, &solution).status, SADDLE_OK);
    assert_true(solution.lambda[0] == 0.25 && solution.w[0] == 0.5);
    saddle_solution_clear(&solution);
    saddle_matrix_clear(&given.R);
}

/* M = [0 1; 1 0] is regular, but no L D L' without pivoting exists. */
static void a_symmetric_mass_that_needs_pivoting_is_factored(void **state)
{
    (void)state;
    double M[4] = {0, 1, 1, 0};
    double W[4] = {3, 0, 0, 3};
    double b[2] = {6, -1};
    double lo[2] = {0, 0};
    int64_t start[] = {0, 1, 2};
    int64_t index[] = {0, 1};
    double J[] = {1, 1};
    double hi[2] = {INF, INF};
    saddle_problem problem = {.n = 2, .m = 2, .b = b, .lo = lo, .hi = hi};
    problem.M = dense(2, M, SADDLE_SYMMETRY_LOWER);
    problem.R = dense(2, W, SADDLE_SYMMETRY_LOWER);
    problem.Jt = saddle_matrix_view(2, 2, start, index, J, SADDLE_SYMMETRY_NONE);
    saddle_solution solution = {0};
    assert_int_equal(solve(&problem, NULL, NULL, &solution).status, SADDLE_OK);
    assert_true(fabs(solution.lambda[0] - 2.0) <= 1e-14 && solution.lambda[1] == 0.0);
    saddle_solution_clear(&solution);
    saddle_matrix_clear(&problem.M);
    saddle_matrix_clear(&problem.R);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_has_no_solution_and_only_that_is_proven_to_have_none),
        cmocka_unit_test(the_rows_of_a_contradiction_are_named),
        cmocka_unit_test(contradictory_equalities_are_proven),
        cmocka_unit_test(equal_equalities_that_hold_others_are_solved),
        cmocka_unit_test(an_equality_and_its_negative_are_one),
        cmocka_unit_test(pyramids_in_space_agree_with_brute_force_on_their_expansion),
        cmocka_unit_test(planted_solutions_are_found_by_small_and_large_tableaus),
        cmocka_unit_test(units_of_the_rows_do_not_matter),
        cmocka_unit_test(warm_starts_take_a_fraction_of_the_pivots),
        cmocka_unit_test(starts_whose_rows_depend_on_each_other_are_survived),
        cmocka_unit_test(a_start_with_dependent_rows_is_a_start),
        cmocka_unit_test(empty_problems_are_solved),
        cmocka_unit_test(a_symmetric_mass_that_needs_pivoting_is_factored),
        cmocka_unit_test(limits_end_the_path),
        cmocka_unit_test(values_only_refresh_equals_a_fresh_solver_and_allocates_nothing),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("lemke", tests, NULL, NULL);
}
