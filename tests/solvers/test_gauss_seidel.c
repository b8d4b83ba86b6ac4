/* SPDX-License-Identifier: MIT */
/* gauss-seidel against dense enumeration of all states, dense elimination and closed forms, and its conduct: limits, warm
 * starts, refreshes, memory, hostile problems. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gauss_seidel/operator.h"
#include "support.h"

#define MOST 32

/* ---- drawn problems with their dense twins ------------------------------------------------------------------- */

typedef struct twin {
    saddle_problem problem; /* borrows the arrays below but for the matrices */
    double M[MOST][MOST], J[MOST][MOST], R[MOST][MOST];
    double W[MOST][MOST], q[MOST]; /* w = W lambda + q */
    double f[MOST], b[MOST], lo[MOST], hi[MOST];
    saddle_contact contact[MOST];
} twin;

static saddle_matrix sparse(int64_t rows, int64_t cols, double (*A)[MOST], int transposed, saddle_symmetry symmetry)
{
    int64_t row[MOST * MOST];
    int64_t col[MOST * MOST];
    double value[MOST * MOST];
    int64_t count = 0;
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < (symmetry == SADDLE_SYMMETRIC ? i + 1 : cols); j++) {
            double a = transposed ? A[j][i] : A[i][j];
            if (a == 0.0) continue;
            row[count] = i;
            col[count] = j;
            value[count++] = a;
        }
    }
    saddle_matrix made = {0};
    assert_int_equal(saddle_matrix_from_triplets(NULL, rows, cols, count, row, col, value, symmetry, &made), SADDLE_OK);
    return made;
}

/* A x = rhs by elimination with partial pivoting; returns 0 where singular. */
static int eliminate(int64_t n, double (*A)[MOST], double *rhs)
{
    for (int64_t k = 0; k < n; k++) {
        int64_t pivot = k;
        for (int64_t i = k + 1; i < n; i++) pivot = fabs(A[i][k]) > fabs(A[pivot][k]) ? i : pivot;
        if (fabs(A[pivot][k]) < 1e-14) return 0;
        for (int64_t j = 0; j < n; j++) {
            double t = A[k][j];
            A[k][j] = A[pivot][j];
            A[pivot][j] = t;
        }
        double t = rhs[k];
        rhs[k] = rhs[pivot];
        rhs[pivot] = t;
        for (int64_t i = k + 1; i < n; i++) {
            double factor = A[i][k] / A[k][k];
            for (int64_t j = k; j < n; j++) A[i][j] -= factor * A[k][j];
            rhs[i] -= factor * rhs[k];
        }
    }
    for (int64_t k = n - 1; k >= 0; k--) {
        for (int64_t j = k + 1; j < n; j++) rhs[k] -= A[k][j] * rhs[j];
        rhs[k] /= A[k][k];
    }
    return 1;
}

static void solve_mass(const twin *t, double *x)
{
    double M[MOST][MOST];
    memcpy(M, t->M, sizeof M);
    assert_true(eliminate(t->problem.n, M, x));
}

/* The sparse matrices from the dense ones, and W and q. */
static void finish(twin *t, saddle_symmetry symmetry)
{
    saddle_problem *p = &t->problem;
    if (p->n > 0) p->M = sparse(p->n, p->n, t->M, 0, symmetry);
    p->Jt = sparse(p->n, p->m, t->J, 1, SADDLE_GENERAL);
    p->R = sparse(p->m, p->m, t->R, 0, symmetry);
    p->f = t->f;
    p->b = t->b;
    p->lo = t->lo;
    p->hi = t->hi;
    p->contacts = t->contact;
    double x[MOST];
    for (int64_t j = 0; j <= p->m; j++) { /* column m: the free velocity */
        for (int64_t k = 0; k < p->n; k++) x[k] = j < p->m ? t->J[j][k] : t->f[k];
        if (p->n > 0) solve_mass(t, x);
        for (int64_t i = 0; i < p->m; i++) {
            double sum = j < p->m ? t->R[i][j] : -t->b[i];
            for (int64_t k = 0; k < p->n; k++) sum += t->J[i][k] * x[k];
            if (j < p->m)
                t->W[i][j] = sum;
            else
                t->q[i] = sum;
        }
    }
}

static void clear(twin *t)
{
    saddle_matrix_clear(&t->problem.M);
    saddle_matrix_clear(&t->problem.Jt);
    saddle_matrix_clear(&t->problem.R);
    free(t);
}

static void draw_bounds(uint64_t *seed, twin *t, int64_t i)
{
    int64_t kind = test_integer(seed, 0, 3);
    t->lo[i] = kind == 0 || kind == 3 ? -INFINITY : kind == 1 ? 0.0 : -test_uniform(seed, 0.0, 1.0);
    t->hi[i] = kind == 0 || kind == 1 ? INFINITY : test_uniform(seed, 0.0, 1.0);
    t->b[i] = test_uniform(seed, -1.0, 1.0);
}

/* M a chain (tridiagonal, definite), J with `width` entries a row, R diagonal; n = 0: R = B B' + I/10.  Unsymmetric: a skew
 * part about a third as strong as the symmetric. */
static twin *draw(uint64_t *seed, int64_t n, int64_t m, int64_t width, saddle_symmetry symmetry)
{
    twin *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->problem.n = n;
    t->problem.m = m;
    double skew = symmetry == SADDLE_GENERAL ? 0.3 : 0.0;
    for (int64_t i = 0; i < n; i++) {
        t->f[i] = test_uniform(seed, -1.0, 1.0);
        t->M[i][i] = test_uniform(seed, 2.5, 4.0);
        if (i + 1 < n) {
            double coupling = test_uniform(seed, -1.0, 1.0);
            t->M[i + 1][i] = coupling * (1.0 + skew);
            t->M[i][i + 1] = coupling * (1.0 - skew);
        }
    }
    double B[MOST][MOST];
    for (int64_t i = 0; i < m; i++) {
        draw_bounds(seed, t, i);
        for (int64_t k = 0; k < width && n > 0; k++)
            t->J[i][test_integer(seed, 0, n - 1)] = test_uniform(seed, 0.2, 1.0) * (k % 2 ? -1.0 : 1.0);
        t->R[i][i] = n > 0 ? test_uniform(seed, 0.05, 0.2) : 0.1;
        for (int64_t j = 0; j < m; j++) B[i][j] = test_uniform(seed, -1.0, 1.0);
    }
    for (int64_t i = 0; i < m && n == 0; i++) {
        for (int64_t j = 0; j < m; j++) {
            for (int64_t k = 0; k < m; k++) t->R[i][j] += B[i][k] * B[j][k];
            t->R[i][j] += i == j ? 0.0 : (i < j ? skew : -skew) * B[i < j ? i : j][i < j ? j : i];
        }
    }
    finish(t, symmetry);
    return t;
}

/* ---- the oracle ---------------------------------------------------------------------------------------------- */

/* lambda of the state that gives each row its lower bound (0), w = 0 (1) or its upper bound (2); 0 where it breaks a bound or
 * a sign of w. */
static int state_holds(const twin *t, const int *state, double *lambda)
{
    int64_t m = t->problem.m;
    int64_t freed[MOST];
    int64_t count = 0;
    double A[MOST][MOST];
    double rhs[MOST];
    for (int64_t i = 0; i < m; i++) {
        lambda[i] = state[i] == 0 ? t->lo[i] : state[i] == 2 ? t->hi[i] : 0.0;
        if (!isfinite(lambda[i])) return 0;
        if (state[i] == 1) freed[count++] = i;
    }
    for (int64_t k = 0; k < count; k++) {
        rhs[k] = -t->q[freed[k]];
        for (int64_t j = 0; j < m; j++) rhs[k] -= t->W[freed[k]][j] * lambda[j];
        for (int64_t l = 0; l < count; l++) A[k][l] = t->W[freed[k]][freed[l]];
    }
    if (!eliminate(count, A, rhs)) return 0;
    for (int64_t k = 0; k < count; k++) lambda[freed[k]] = rhs[k];
    for (int64_t i = 0; i < m; i++) {
        double w = t->q[i];
        for (int64_t j = 0; j < m; j++) w += t->W[i][j] * lambda[j];
        if (lambda[i] < t->lo[i] - 1e-12 || lambda[i] > t->hi[i] + 1e-12) return 0;
        if ((state[i] == 0 && w < -1e-12) || (state[i] == 2 && w > 1e-12)) return 0;
    }
    return 1;
}

/* Tries all 3^m states. */
static void enumerate(const twin *t, double *lambda)
{
    int64_t states = 1;
    for (int64_t i = 0; i < t->problem.m; i++) states *= 3;
    for (int64_t k = 0; k < states; k++) {
        int state[MOST];
        int64_t rest = k;
        for (int64_t i = 0; i < t->problem.m; i++, rest /= 3) state[i] = (int)(rest % 3);
        if (state_holds(t, state, lambda)) return;
    }
    fail_msg("the oracle found no solution");
}

static saddle_options tight(void)
{
    saddle_options options = saddle_options_default();
    options.tolerance = 1e-13;
    return options;
}

static saddle_report solve(const saddle_problem *problem, const saddle_options *options, const saddle_solution *start,
                           saddle_solution *solution)
{
    saddle_report report;
    saddle_status status = saddle_solve(NULL, problem, "gauss-seidel", options, start, solution, &report);
    if (status < 0) fail_msg("%s", saddle_status_name(status));
    assert_int_equal(report.status, status);
    return report;
}

static void agrees_with_enumeration(int64_t n, int64_t m, int64_t width, saddle_symmetry symmetry, int draws)
{
    uint64_t seed = test_seed();
    saddle_options options = tight();
    for (int k = 0; k < draws; k++) {
        twin *t = draw(&seed, n, m, width, symmetry);
        double lambda[MOST];
        saddle_solution solution = {0};
        saddle_report report = solve(&t->problem, &options, NULL, &solution);
        if (report.status != SADDLE_OK) fail_msg("draw %d: residual %g", k, report.residual.total);
        enumerate(t, lambda);
        assert_true(test_distance(lambda, solution.lambda, m) <= 1e-9);
        saddle_solution_clear(&solution);
        clear(t);
    }
}

/* ---- answers ------------------------------------------------------------------------------------------------- */

static void mixed_rows_agree_with_enumeration_on_w(void **state)
{
    (void)state;
    agrees_with_enumeration(0, 6, 0, SADDLE_SYMMETRIC, 60);
}

static void mixed_rows_agree_with_enumeration_on_unsymmetric_w(void **state)
{
    (void)state;
    agrees_with_enumeration(0, 6, 0, SADDLE_GENERAL, 60);
}

static void mixed_rows_agree_with_enumeration_on_m_and_j(void **state)
{
    (void)state;
    agrees_with_enumeration(12, 6, 3, SADDLE_SYMMETRIC, 60);
    agrees_with_enumeration(2, 7, 2, SADDLE_SYMMETRIC, 20);
}

static void mixed_rows_agree_with_enumeration_on_unsymmetric_m(void **state)
{
    (void)state;
    agrees_with_enumeration(12, 6, 3, SADDLE_GENERAL, 60);
    agrees_with_enumeration(2, 7, 2, SADDLE_GENERAL, 20);
}

static void equality_rows_agree_with_dense_elimination(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    saddle_options options = tight();
    for (int k = 0; k < 40; k++) {
        twin *t = draw(&seed, k % 2 ? 20 : 0, 10, 4, k % 4 < 2 ? SADDLE_SYMMETRIC : SADDLE_GENERAL);
        for (int i = 0; i < 10; i++) {
            t->lo[i] = -INFINITY;
            t->hi[i] = INFINITY;
        }
        double A[MOST][MOST];
        double lambda[MOST];
        memcpy(A, t->W, sizeof A);
        for (int i = 0; i < 10; i++) lambda[i] = -t->q[i];
        assert_true(eliminate(10, A, lambda));
        saddle_solution solution = {0};
        assert_int_equal(solve(&t->problem, &options, NULL, &solution).status, SADDLE_OK);
        assert_true(test_distance(lambda, solution.lambda, 10) <= 1e-9);
        saddle_solution_clear(&solution);
        clear(t);
    }
}

/* `count` unit cubes stacked on a plane inclined by alpha that moves up the slope with velocity BELT, one step of length 1 from
 * rest with gravity 1; contact i is under cube i.  Velocities per cube: normal, down the slope, across. */
#define BELT 0.05

static twin *stack(int64_t count, saddle_law law, double alpha, double mu)
{
    twin *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->problem.n = t->problem.m = 3 * count;
    t->problem.contact_count = count;
    t->problem.law = law;
    for (int64_t i = 0; i < count; i++) {
        t->contact[i] = (saddle_contact){.row = 3 * i, .size = 3, .mu = i == 0 ? mu : 2.0};
        t->f[3 * i] = -cos(alpha);
        t->f[3 * i + 1] = sin(alpha);
        for (int64_t k = 3 * i; k < 3 * i + 3; k++) {
            t->M[k][k] = 1.0;
            t->J[k][k] = 1.0;
            if (i > 0) t->J[k][k - 3] = -1.0;
        }
    }
    t->b[1] = -BELT;
    finish(t, SADDLE_SYMMETRIC);
    return t;
}

static void stack_on_an_incline_carries_the_weight_above(void **state)
{
    (void)state;
    saddle_options options = tight();
    for (int law = 0; law < 4; law++) {
        twin *t = stack(8, (saddle_law)law, 0.3, 0.5);
        saddle_solution solution = {0};
        assert_int_equal(solve(&t->problem, &options, NULL, &solution).status, SADDLE_OK);
        for (int64_t i = 0; i < 8; i++) {
            double weight = (double)(8 - i);
            assert_true(fabs(solution.lambda[3 * i] - weight * cos(0.3)) <= 1e-10);
            assert_true(fabs(solution.lambda[3 * i + 1] + weight * (sin(0.3) + BELT)) <= 1e-10);
            assert_true(fabs(solution.v[3 * i]) + fabs(solution.v[3 * i + 1] + BELT) <= 1e-10);
        }
        saddle_solution_clear(&solution);
        clear(t);
    }
}

/* Less friction under the lowest cube than the slope asks for: all slide as one, with sin(alpha) - mu cos(alpha). */
static void stack_slides_as_one_above_the_friction_angle(void **state)
{
    (void)state;
    saddle_options options = tight();
    for (int law = 0; law < 3; law++) {
        twin *t = stack(8, (saddle_law)law, 0.5, 0.25);
        saddle_solution solution = {0};
        assert_int_equal(solve(&t->problem, &options, NULL, &solution).status, SADDLE_OK);
        for (int64_t i = 0; i < 8; i++)
            assert_true(fabs(solution.v[3 * i + 1] - (sin(0.5) - 0.25 * cos(0.5))) <= 1e-10);
        saddle_solution_clear(&solution);
        clear(t);
    }
}

/* ---- the operator -------------------------------------------------------------------------------------------- */

static void operator_is(saddle__operator_form form, int64_t n, int64_t m, int64_t width, saddle_symmetry symmetry)
{
    uint64_t seed = test_seed();
    saddle_options options = saddle_options_default();
    for (int draws = 0; draws < 10; draws++) {
        twin *t = draw(&seed, n, m, width, symmetry);
        saddle__operator W = {0};
        double v[MOST] = {0.0};
        double lambda[MOST];
        assert_int_equal(saddle__operator_analyse(NULL, &options, &t->problem, &W), SADDLE_OK);
        for (int refresh = 0; refresh < 2; refresh++)
            assert_int_equal(saddle__operator_factor(NULL, &t->problem, &W), SADDLE_OK);
        assert_int_equal(W.form, form);
        assert_int_equal(saddle__operator_prepare(&t->problem, &W, v), SADDLE_OK);
        for (int64_t i = 0; i < m; i++) lambda[i] = test_uniform(&seed, -1.0, 1.0);
        assert_int_equal(saddle__operator_velocity(&t->problem, &W, lambda, v), SADDLE_OK);
        for (int64_t step = 0; step < 2 * m; step++) { /* rows, before and after moves */
            int64_t i = step % m;
            double w = t->q[i];
            for (int64_t j = 0; j < m; j++) w += t->W[i][j] * lambda[j];
            assert_true(fabs(saddle__operator_row(&t->problem, &W, lambda, v, i) - w) <= 1e-12);
            assert_true(fabs(W.block[3 * i] - t->W[i][i]) <= 1e-13);
            lambda[i] += 0.5;
            saddle__operator_move(&W, i, 0.5, v);
        }
        saddle__operator_clear(NULL, &W);
        clear(t);
    }
}

static void operator_rows_equal_those_of_the_dense_delassus_matrix(void **state)
{
    (void)state;
    operator_is(SADDLE__OPERATOR_FORMED, 0, 9, 0, SADDLE_SYMMETRIC);
    operator_is(SADDLE__OPERATOR_FORMED, 0, 9, 0, SADDLE_GENERAL);
    operator_is(SADDLE__OPERATOR_FORMED, 30, 5, 3, SADDLE_SYMMETRIC);
    operator_is(SADDLE__OPERATOR_FORMED, 30, 5, 3, SADDLE_GENERAL);
    operator_is(SADDLE__OPERATOR_FREE, 2, 30, 2, SADDLE_SYMMETRIC);
    operator_is(SADDLE__OPERATOR_FREE, 2, 30, 2, SADDLE_GENERAL);
}

/* ---- conduct ------------------------------------------------------------------------------------------------- */

static void over_relaxation_reaches_the_same_velocity(void **state)
{
    (void)state;
    static const double factors[4] = {0.5, 0.8, 1.3, 1.7};
    for (int law = 0; law < 4; law++) {
        saddle_options options = tight();
        twin *t = stack(5, (saddle_law)law, 0.5, 0.25);
        saddle_solution plain = {0};
        assert_int_equal(solve(&t->problem, &options, NULL, &plain).status, SADDLE_OK);
        for (int k = 0; k < 4; k++) {
            saddle_solution relaxed = {0};
            options.relaxation = factors[k];
            assert_int_equal(solve(&t->problem, &options, NULL, &relaxed).status, SADDLE_OK);
            assert_true(test_distance(plain.v, relaxed.v, 15) <= 1e-9);
            saddle_solution_clear(&relaxed);
        }
        saddle_solution_clear(&plain);
        clear(t);
    }
}

static void warm_start_takes_fewer_sweeps_than_cold(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    saddle_options options = tight();
    int64_t cold_sweeps = 0;
    int64_t near_sweeps = 0;
    for (int draws = 0; draws < 20; draws++) {
        twin *t = draw(&seed, 20, 12, 4, SADDLE_SYMMETRIC);
        saddle_solution solution = {0};
        saddle_solution warm = {0};
        saddle_report cold = solve(&t->problem, &options, NULL, &solution);
        assert_int_equal(cold.status, SADDLE_OK);
        saddle_report again = solve(&t->problem, &options, &solution, &warm);
        assert_int_equal(again.status, SADDLE_OK);
        assert_int_equal(again.iterations, 0);
        for (int i = 0; i < 12; i++) t->b[i] *= 1.0 + 1e-9;
        saddle_report near = solve(&t->problem, &options, &solution, &warm);
        assert_int_equal(near.status, SADDLE_OK);
        cold_sweeps += cold.iterations;
        near_sweeps += near.iterations;
        saddle_solution_clear(&solution);
        saddle_solution_clear(&warm);
        clear(t);
    }
    print_message("sweeps: cold %lld, warm %lld\n", (long long)cold_sweeps, (long long)near_sweeps);
    assert_true(3 * near_sweeps < 2 * cold_sweeps);
}

static void same_input_gives_the_same_bits(void **state)
{
    (void)state;
    twin *t = stack(8, SADDLE_LAW_CONE, 0.5, 0.25);
    saddle_solution a = {0};
    saddle_solution b = {0};
    solve(&t->problem, NULL, NULL, &a);
    solve(&t->problem, NULL, NULL, &b);
    assert_memory_equal(a.lambda, b.lambda, 24 * sizeof(double));
    assert_memory_equal(a.v, b.v, 24 * sizeof(double));
    saddle_solution_clear(&a);
    saddle_solution_clear(&b);
    clear(t);
}

static void change_values(twin *t)
{
    for (int64_t k = 0; k < saddle_matrix_entries(&t->problem.M); k++) t->problem.M.value[k] *= 1.5;
    for (int64_t k = 0; k < saddle_matrix_entries(&t->problem.Jt); k++) t->problem.Jt.value[k] *= 0.75;
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
        twin *t = draw(&seed, sizes[k][0], sizes[k][1], sizes[k][2], SADDLE_SYMMETRIC);
        saddle_solver *solver;
        saddle_solution kept = {0};
        saddle_solution fresh = {0};
        assert_int_equal(saddle_solution_create(context, t->problem.n, t->problem.m, &kept), SADDLE_OK);
        assert_int_equal(saddle_solver_create(context, "gauss-seidel", NULL, &solver), SADDLE_OK);
        assert_int_equal(saddle_solver_analyse(solver, &t->problem), SADDLE_OK);
        assert_int_equal(saddle_solver_factor(solver, &t->problem), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(solver, &t->problem, NULL, &kept), SADDLE_OK);
        change_values(t);
        int64_t before = memory.count;
        assert_int_equal(saddle_solver_factor(solver, &t->problem), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(solver, &t->problem, NULL, &kept), SADDLE_OK);
        assert_int_equal(memory.count, before);
        solve(&t->problem, NULL, NULL, &fresh);
        assert_memory_equal(kept.lambda, fresh.lambda, (size_t)t->problem.m * sizeof(double));
        saddle_solution_clear(&kept);
        saddle_solution_clear(&fresh);
        saddle_solver_free(solver);
        clear(t);
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
    twin *t = stack(10, SADDLE_LAW_CONE, 0.5, 0.25);
    saddle_options options = tight();
    saddle_solution solution = {0};
    options.max_iterations = 7;
    saddle_report report = solve(&t->problem, &options, NULL, &solution);
    assert_int_equal(report.status, SADDLE_ITERATION_LIMIT);
    assert_int_equal(report.iterations, 7);
    assert_true(report.residual.total > 0.0 && report.residual.total < 1.0);

    options = tight();
    options.time_limit = 1e-9;
    assert_int_equal(solve(&t->problem, &options, NULL, &solution).status, SADDLE_TIME_LIMIT);

    saddle_context_options watched = saddle_context_options_default();
    saddle_context *context;
    watched.progress = stop_at_third;
    options = tight();
    assert_int_equal(saddle_context_create(&watched, &context), SADDLE_OK);
    assert_int_equal(saddle_solve(context, &t->problem, "gauss-seidel", &options, NULL, &solution, &report),
                     SADDLE_STOPPED);
    assert_int_equal(report.iterations, 3);
    saddle_context_free(context);
    saddle_solution_clear(&solution);
    clear(t);
}

/* w = -lambda - 1 >= 0, lambda >= 0 has no solution. */
static void problem_without_solution_is_not_called_solved(void **state)
{
    (void)state;
    twin *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->problem.m = 1;
    t->R[0][0] = -1.0;
    t->b[0] = 1.0;
    t->hi[0] = INFINITY;
    finish(t, SADDLE_GENERAL);
    saddle_solution solution = {0};
    saddle_report report = solve(&t->problem, NULL, NULL, &solution);
    assert_int_equal(report.status, SADDLE_NOT_CONVERGED);
    assert_true(report.residual.total > 0.1);
    saddle_solution_clear(&solution);
    clear(t);
}

/* Strongly skew equalities, for which the iteration has no reason to converge. */
static void divergence_is_reported_with_a_finite_result(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    twin *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->problem.m = 30;
    for (int i = 0; i < 30; i++) {
        t->lo[i] = -INFINITY;
        t->hi[i] = INFINITY;
        t->b[i] = 1.0;
        for (int j = 0; j < 30; j++) t->R[i][j] = i == j ? 1e-3 : test_uniform(&seed, -1e3, 1e3);
    }
    finish(t, SADDLE_GENERAL);
    saddle_solution solution = {0};
    saddle_report report = solve(&t->problem, NULL, NULL, &solution);
    assert_int_equal(report.status, SADDLE_DIVERGED);
    assert_true(isfinite(report.residual.total));
    for (int i = 0; i < 30; i++) assert_true(isfinite(solution.lambda[i]));
    saddle_solution_clear(&solution);
    clear(t);
}

static void rows_without_a_diagonal_are_left_and_told_truthfully(void **state)
{
    (void)state;
    twin *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->problem.m = 2;
    t->R[0][0] = 1.0;
    t->b[1] = 1.0; /* row 2: 0 - 1 = w, an equality that nothing can meet */
    for (int i = 0; i < 2; i++) {
        t->lo[i] = -INFINITY;
        t->hi[i] = INFINITY;
    }
    finish(t, SADDLE_SYMMETRIC);
    saddle_solution solution = {0};
    saddle_report report = solve(&t->problem, NULL, NULL, &solution);
    assert_int_equal(report.status, SADDLE_NOT_CONVERGED);
    assert_true(solution.lambda[1] == 0.0 && report.residual.total >= 0.5);
    saddle_solution_clear(&solution);
    clear(t);
}

static void singular_mass_names_the_velocity(void **state)
{
    (void)state;
    for (int general = 0; general < 2; general++) {
        twin *t = stack(2, SADDLE_LAW_CONE, 0.3, 0.5);
        saddle_context *context;
        saddle_solution solution = {0};
        assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
        t->problem.M.value[4] = 0.0;
        t->problem.M.symmetry = general ? SADDLE_GENERAL : SADDLE_SYMMETRIC;
        assert_int_equal(saddle_solve(context, &t->problem, "gauss-seidel", NULL, NULL, &solution, NULL),
                         SADDLE_SINGULAR);
        assert_non_null(strstr(saddle_context_message(context), "velocity 5"));
        saddle_context_free(context);
        clear(t);
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
    problem.M = saddle_matrix_view(2, 2, start, index, value, SADDLE_SYMMETRIC);
    saddle_solution solution = {0};
    assert_int_equal(solve(&problem, NULL, NULL, &solution).status, SADDLE_OK);
    assert_true(solution.v[0] == 2.5 && solution.v[1] == 1.5);
    saddle_solution_clear(&solution);
}

static void empty_problems_solve_as_what_they_are(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    saddle_problem nothing = {0};
    saddle_solution solution = {0};
    saddle_report report = solve(&nothing, NULL, NULL, &solution);
    assert_int_equal(report.status, SADDLE_OK);
    assert_int_equal(report.iterations, 0);
    saddle_solution_clear(&solution);

    twin *t = draw(&seed, 7, 0, 0, SADDLE_SYMMETRIC);
    double v[MOST];
    memcpy(v, t->f, sizeof v);
    solve_mass(t, v);
    assert_int_equal(solve(&t->problem, NULL, NULL, &solution).status, SADDLE_OK);
    assert_true(test_distance(v, solution.v, 7) <= 1e-14);
    saddle_solution_clear(&solution);
    clear(t);

    double b[2] = {-1.0, 0.0};
    double lo[2] = {0.0, -INFINITY};
    saddle_problem no_matrix = {.m = 2, .b = b, .lo = lo};
    assert_int_equal(solve(&no_matrix, NULL, NULL, &solution).status, SADDLE_OK);
    assert_true(solution.w[0] == 1.0 && solution.w[1] == 0.0);
    saddle_solution_clear(&solution);
}

static saddle_status solve_in(saddle_context *context, void *user)
{
    twin *t = user;
    saddle_solution solution = {0};
    saddle_status status = saddle_solve(context, &t->problem, "gauss-seidel", NULL, NULL, &solution, NULL);
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
        twin *t = draw(&seed, size[0], size[1], size[2], k % 2 ? SADDLE_SYMMETRIC : SADDLE_GENERAL);
        assert_true(test_allocation_sweep(solve_in, t) > 10);
        clear(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixed_rows_agree_with_enumeration_on_w),
        cmocka_unit_test(mixed_rows_agree_with_enumeration_on_unsymmetric_w),
        cmocka_unit_test(mixed_rows_agree_with_enumeration_on_m_and_j),
        cmocka_unit_test(mixed_rows_agree_with_enumeration_on_unsymmetric_m),
        cmocka_unit_test(equality_rows_agree_with_dense_elimination),
        cmocka_unit_test(stack_on_an_incline_carries_the_weight_above),
        cmocka_unit_test(stack_slides_as_one_above_the_friction_angle),
        cmocka_unit_test(operator_rows_equal_those_of_the_dense_delassus_matrix),
        cmocka_unit_test(over_relaxation_reaches_the_same_velocity),
        cmocka_unit_test(warm_start_takes_fewer_sweeps_than_cold),
        cmocka_unit_test(same_input_gives_the_same_bits),
        cmocka_unit_test(values_only_refresh_equals_a_fresh_solver_and_allocates_nothing),
        cmocka_unit_test(limits_end_the_sweeps_with_the_best_so_far),
        cmocka_unit_test(problem_without_solution_is_not_called_solved),
        cmocka_unit_test(divergence_is_reported_with_a_finite_result),
        cmocka_unit_test(rows_without_a_diagonal_are_left_and_told_truthfully),
        cmocka_unit_test(singular_mass_names_the_velocity),
        cmocka_unit_test(regular_mass_that_needs_pivoting_is_no_obstacle),
        cmocka_unit_test(empty_problems_solve_as_what_they_are),
        cmocka_unit_test(failing_allocations_leak_nothing),
    };
    return cmocka_run_group_tests_name("gauss-seidel", tests, NULL, NULL);
}
