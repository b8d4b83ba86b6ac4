/* SPDX-License-Identifier: MIT */
/* The dense basis for any W (mlcp/system.h) over drawn sequences of states, against
 * one dense system for all rows by LAPACK:
 *
 *     basic     (W + E)_i lambda = -q_i
 *     sliding   lambda_i - sigma lambda_n = 0
 *     at bound  lambda_i = its value
 *
 * and block pivoting with friction on top of it, against the laws. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense.h"
#include "dense/lu.h"
#include "mlcp/pivoting.h"
#include "support.h"

enum { MOST = 130 };

/* Rows, contacts of two or three rows among them; columns that were not asked for are not numbers.
 */
typedef struct drawn {
    int64_t m, asked;
    int prepared[MOST];
    double W[MOST * MOST], pool[MOST * MOST], added[MOST], mu[MOST], q[MOST], lo[MOST], hi[MOST],
        step[MOST], value[MOST];
    int64_t normal[MOST];
} drawn;

static saddle_status prepare(void *user, int64_t count, const int64_t *row)
{
    drawn *d = user;
    for (int64_t k = 0; k < count; k++) {
        d->asked += !d->prepared[row[k]];
        d->prepared[row[k]] = 1;
        for (int64_t i = 0; i < d->m; i++) d->pool[i + row[k] * d->m] = d->W[i + row[k] * d->m];
    }
    return SADDLE_OK;
}

/* W = B B'/m + skew / 2 + 1/2, contacts on about half of the rows. */
static void draw(uint64_t *seed, int64_t m, drawn *d)
{
    static double B[MOST * MOST];
    memset(d, 0, sizeof *d);
    d->m = m;
    for (int64_t k = 0; k < m * m; k++) d->pool[k] = (double)NAN;
    for (int64_t k = 0; k < m * m; k++) B[k] = test_uniform(seed, -1.0, 1.0);
    for (int64_t j = 0; j < m; j++) {
        for (int64_t i = 0; i < m; i++) {
            double sum = i == j ? 0.5 : 0.5 * (B[i + j * m] - B[j + i * m]) / sqrt((double)m);
            for (int64_t k = 0; k < m; k++) sum += B[i + k * m] * B[j + k * m] / (double)m;
            d->W[i + j * m] = sum;
        }
    }
    for (int64_t i = 0; i < m; i++) {
        d->normal[i] = -1;
        d->lo[i] = test_integer(seed, 0, 1) ? 0.0 : -test_uniform(seed, 0.0, 0.5);
        d->hi[i] = test_integer(seed, 0, 1) ? (double)INFINITY : test_uniform(seed, 0.01, 0.5);
        d->q[i] = test_uniform(seed, -1.0, 1.0);
        d->added[i] = test_uniform(seed, 0.0, 0.01);
        d->step[i] = 1.0 / d->W[i + i * m];
    }
    for (int64_t n = 0; n + 2 < m; n++) {
        if (test_integer(seed, 0, 3) == 0) continue;
        d->lo[n] = 0.0;
        d->hi[n] = INFINITY;
        for (int64_t size = test_integer(seed, 2, 3), i = n++; size > 1; size--, n++) {
            d->normal[n] = i;
            d->mu[n] = test_integer(seed, 0, 5) == 0 ? 0.0 : test_uniform(seed, 0.0, 0.6);
        }
    }
}

static void draw_states(uint64_t *seed, const drawn *d, int64_t changes, signed char *state)
{
    for (int64_t k = 0; k < changes; k++)
        state[test_integer(seed, 0, d->m - 1)] = (signed char)test_integer(seed, -1, 1);
    for (int64_t i = 0; i < d->m; i++) /* tangents of open contacts are not basic */
        if (d->normal[i] >= 0 && state[d->normal[i]] != SADDLE__BASIC && state[i] == SADDLE__BASIC)
            state[i] = 1;
}

static double value_at_bound(const drawn *d, const signed char *state, int64_t i)
{
    if (d->normal[i] >= 0) return 0.0;
    return state[i] == SADDLE__AT_LO ? d->lo[i] : isfinite(d->hi[i]) ? d->hi[i] : 1.0;
}

static void solve_all(const drawn *d, const signed char *state, const double *added, double *lambda)
{
    static double A[MOST * MOST];
    int64_t m = d->m;
    for (int64_t i = 0; i < m; i++) {
        int basic = state[i] == SADDLE__BASIC;
        for (int64_t j = 0; j < m; j++) A[i + j * m] = basic ? d->W[i + j * m] : 0.0;
        A[i + i * m] = basic ? A[i + i * m] + (added ? added[i] : 0.0) : 1.0;
        lambda[i] = basic ? -d->q[i] : value_at_bound(d, state, i);
        if (!saddle__slides(d->normal, state, i)) continue;
        A[i + d->normal[i] * m] = -(double)state[i] * d->mu[i];
        lambda[i] = 0.0;
    }
    assert_int_equal(saddle__dense_solve(NULL, m, A, lambda), SADDLE_OK);
}

static void agree(const drawn *d, const signed char *state, const double *added,
                  const double *lambda, const double *w, const double *noise)
{
    double expected[MOST];
    solve_all(d, state, added, expected);
    for (int64_t i = 0; i < d->m; i++) {
        double sum = d->q[i] + (added ? added[i] : 0.0) * lambda[i];
        double modulus = fabs(d->q[i]);
        for (int64_t j = 0; j < d->m; j++) {
            sum += d->W[i + j * d->m] * lambda[j];
            modulus += fabs(d->W[i + j * d->m] * lambda[j]);
        }
        assert_true(fabs(w[i] - sum) <= 1e-13 * modulus);
        assert_true(noise[i] >= 4.0 * DBL_EPSILON * modulus &&
                    noise[i] <= 20.0 * DBL_EPSILON * modulus);
        if (state[i] == SADDLE__BASIC) assert_true(fabs(w[i]) <= 1e-10 * modulus);
        if (saddle__slides(d->normal, state, i))
            assert_true(lambda[i] == (double)state[i] * d->mu[i] * lambda[d->normal[i]]);
    }
    double largest = 1.0;
    for (int64_t i = 0; i < d->m; i++) largest = fmax(largest, fabs(expected[i]));
    for (int64_t i = 0; i < d->m; i++)
        if (!(fabs(lambda[i] - expected[i]) <= 1e-7 * largest))
            fail_msg("row %d: %g, not %g", (int)i, lambda[i], expected[i]);
}

/* What a basis borrows of the rows; added: NULL = 0. */
static saddle__mlcp_rows rows_of(drawn *d, double *added)
{
    static double zero[MOST];
    saddle__mlcp_rows rows = {.count = d->m,
                              .lo = d->lo,
                              .hi = d->hi,
                              .q = d->q,
                              .step = d->step,
                              .E = added ? added : zero,
                              .normal = d->normal,
                              .mu = d->mu};
    return rows;
}

static saddle__basis dense_basis(drawn *d, saddle__mlcp_rows *rows)
{
    saddle__basis basis = {0};
    saddle__columns columns = {.user = d, .prepare = prepare, .value = d->pool};
    assert_int_equal(saddle__dense_basis_create(NULL, &columns, rows, &basis), SADDLE_OK);
    return basis;
}

typedef struct tally {
    int64_t steps, made; /* systems solved, factors made */
} tally;

static void follow_states(uint64_t *seed, drawn *d, double *added, tally *sum)
{
    saddle__mlcp_rows rows = rows_of(d, added);
    saddle__basis table = dense_basis(d, &rows);
    signed char state[MOST] = {0};
    draw_states(seed, d, 4 * d->m, state);
    for (int step = 0; step < 60 && d->m > 0; step++) {
        double lambda[MOST], w[MOST], noise[MOST];
        draw_states(seed, d, step % 20 == 19 ? d->m : test_integer(seed, 0, 3), state);
        for (int64_t i = 0; i < d->m; i++)
            lambda[i] = state[i] == SADDLE__BASIC ? (double)NAN : value_at_bound(d, state, i);
        assert_int_equal(table.enter(table.user, state), SADDLE_OK);
        assert_int_equal(table.solve(table.user, state, d->q, lambda, w, noise), SADDLE_OK);
        agree(d, state, added, lambda, w, noise);
        sum->steps++;
    }
    sum->made += *table.made;
    table.clear(table.user);
}

static int64_t draw_size(uint64_t *seed, int trial)
{
    return trial % 4 == 0 ? test_integer(seed, 0, 8) : test_integer(seed, 30, 90);
}

static void any_sequence_of_states_is_solved_as_by_one_dense_system(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    static drawn d;
    tally sum = {0};
    for (int trial = 0; trial < 120; trial++) {
        draw(&seed, draw_size(&seed, trial), &d);
        follow_states(&seed, &d, trial % 3 ? d.added : NULL, &sum);
    }
    print_message("%d steps, %d factors\n", (int)sum.steps, (int)sum.made);
    assert_true(sum.made < sum.steps / 2); /* the others by the border */
}

/* Few rows enter and leave one by one for a long time: the factor stays within its arrays. */
static void a_factor_that_grows_for_long_is_made_anew(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    static drawn d;
    for (int64_t m = 8; m < 48; m += 3) {
        draw(&seed, m, &d);
        for (int64_t i = 0; i < m; i++) d.normal[i] = -1;
        saddle__mlcp_rows rows = rows_of(&d, NULL);
        saddle__basis table = dense_basis(&d, &rows);
        signed char state[MOST] = {0};
        for (int64_t step = 0; step < 4 * m + 200; step++) {
            double lambda[MOST], w[MOST], noise[MOST];
            int64_t i = step / 2 % m; /* leaves, and enters again */
            state[i] = step % 2 ? SADDLE__BASIC : SADDLE__AT_LO;
            for (int64_t j = 0; j < m; j++) lambda[j] = value_at_bound(&d, state, j);
            assert_int_equal(table.enter(table.user, state), SADDLE_OK);
            assert_int_equal(table.solve(table.user, state, d.q, lambda, w, noise), SADDLE_OK);
            agree(&d, state, NULL, lambda, w, noise);
        }
        assert_true(*table.made > 1 && *table.made < m + 50);
        table.clear(table.user);
    }
}

/* Rows that leave with a velocity 1e8 times that of others: solved to the rounding of the basic
 * rows. */
static void fast_rows_at_bounds_leave_the_others_as_good(void **unused)
{
    enum { ROWS = 90, LEAVING = 20 };
    (void)unused;
    uint64_t seed = test_seed();
    static drawn d;
    draw(&seed, ROWS, &d);
    for (int64_t i = 0; i < ROWS; i++) {
        d.normal[i] = -1;
        d.lo[i] = 0.0;
    }
    saddle__mlcp_rows rows = rows_of(&d, NULL);
    saddle__basis table = dense_basis(&d, &rows);
    signed char state[MOST] = {0};
    for (int64_t k = 0; k < LEAVING; k++) {
        double lambda[MOST] = {0.0}, w[MOST], noise[MOST];
        assert_int_equal(table.enter(table.user, state), SADDLE_OK);
        assert_int_equal(table.solve(table.user, state, d.q, lambda, w, noise), SADDLE_OK);
        agree(&d, state, NULL, lambda, w, noise);
        for (int64_t i = 0; i < ROWS; i++)
            assert_true(state[i] != SADDLE__BASIC || fabs(w[i]) <= noise[i]);
        state[3 * k] = SADDLE__AT_LO;
        d.q[3 * k] = 1e8;
    }
    table.clear(table.user);
}

static void rows_without_friction_need_no_normals(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    static drawn d;
    draw(&seed, 60, &d);
    for (int64_t i = 0; i < d.m; i++) d.normal[i] = -1;
    signed char state[MOST];
    memset(state, SADDLE__AT_LO, sizeof state);
    saddle__mlcp_rows rows = rows_of(&d, NULL);
    rows.normal = NULL;
    saddle__basis table = dense_basis(&d, &rows);
    double lambda[MOST], w[MOST], noise[MOST];
    for (int64_t i = 0; i < 10; i++) state[3 * i] = SADDLE__BASIC;
    for (int64_t i = 0; i < d.m; i++) lambda[i] = 0.0;
    assert_int_equal(table.enter(table.user, state), SADDLE_OK);
    assert_int_equal(table.solve(table.user, state, d.q, lambda, w, noise), SADDLE_OK);
    assert_int_equal(d.asked, 10); /* columns of rows at zero are never asked for */
    for (int64_t i = 0; i < d.m; i++) d.lo[i] = 0.0;
    agree(&d, state, NULL, lambda, w, noise);
    table.clear(table.user);
}

static void a_singular_basis_is_told_and_left(void **unused)
{
    (void)unused;
    static drawn d;
    memset(&d, 0, sizeof d);
    d.m = 2;
    double W[] = {1.0, 2.0, 2.0, 4.0};
    memcpy(d.W, W, sizeof W);
    d.normal[0] = d.normal[1] = -1;
    d.q[0] = d.q[1] = -1.0;
    saddle__mlcp_rows rows = rows_of(&d, NULL);
    saddle__basis table = dense_basis(&d, &rows);
    signed char both[] = {0, 0};
    signed char first[] = {0, -1};
    double lambda[2] = {0.0, 0.0}, w[2], noise[2];
    assert_int_equal(table.enter(table.user, both), SADDLE_NOT_CONVERGED);
    assert_int_equal(table.enter(table.user, first), SADDLE_OK);
    assert_int_equal(table.solve(table.user, first, d.q, lambda, w, noise), SADDLE_OK);
    assert_true(lambda[0] == 1.0 && w[1] == 1.0);
    table.clear(table.user);
}

/* Few rows with one bound, 0, or none: the violating rows enter one by one, and the factor made on
 * the way is used: the final set needs no other factorization. */
static void rows_that_push_one_way_enter_with_their_factor(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    static drawn d;
    int64_t entered = 0;
    for (int64_t trial = 0; trial < test_draws(200); trial++) {
        draw(&seed, test_integer(&seed, 1, SADDLE__LU_FEW / 2), &d);
        for (int64_t j = 0; trial % 2 && j < d.m; j++)
            for (int64_t i = 0; i < j; i++) d.W[i + j * d.m] = d.W[j + i * d.m];
        double lambda[MOST] = {0.0}, w[MOST], noise[MOST], size[MOST];
        signed char state[MOST];
        for (int64_t i = 0; i < d.m; i++) {
            int64_t kind = test_integer(&seed, 0, 4);
            d.normal[i] = -1;
            d.lo[i] = kind > 1 ? 0.0 : -INFINITY;
            d.hi[i] = kind == 1 ? 0.0 : INFINITY;
            size[i] = d.W[i + i * d.m];
        }
        saddle__mlcp_rows rows = rows_of(&d, trial % 3 ? d.added : NULL);
        rows.normal = NULL;
        rows.lambda = lambda;
        rows.size = size;
        saddle__columns columns = {.value = d.W};
        saddle__basis table = {0};
        assert_int_equal(saddle__dense_basis_create(NULL, &columns, &rows, &table), SADDLE_OK);
        table.sweep(table.user, 1);
        for (int64_t i = 0; i < d.m; i++) {
            assert_true(lambda[i] >= d.lo[i] && lambda[i] <= d.hi[i]);
            state[i] = lambda[i] != 0.0 ? SADDLE__BASIC : d.lo[i] == 0.0 ? -1 : 1;
            entered += state[i] == SADDLE__BASIC;
            if (state[i] != SADDLE__BASIC) d.lo[i] = d.hi[i] = 0.0;
        }
        assert_int_equal(table.enter(table.user, state), SADDLE_OK);
        assert_int_equal(*table.made, 1);
        assert_int_equal(table.solve(table.user, state, d.q, lambda, w, noise), SADDLE_OK);
        assert_int_equal(*table.made, 1);
        agree(&d, state, trial % 3 ? d.added : NULL, lambda, w, noise);
        for (int64_t i = 0; i < d.m; i++) /* none is left that violates its law */
            assert_true(state[i] == SADDLE__BASIC || (state[i] < 0 ? w[i] : -w[i]) >= -noise[i]);
        table.clear(table.user);
    }
    assert_true(entered > 0);
}

/* ---- block pivoting on top ---- */

static const saddle__pivoting_way patient = {.most_singles = INT64_MAX};

/* How far lambda is from |lambda - P(lambda - w)| = 0, bounds of tangents by their own normal. */
static double defect_of(const drawn *d, const double *lambda)
{
    double worst = 0.0;
    for (int64_t i = 0; i < d->m; i++) {
        double w = d->q[i];
        for (int64_t j = 0; j < d->m; j++) w += d->W[i + j * d->m] * lambda[j];
        double reach = d->normal[i] >= 0 ? d->mu[i] * lambda[d->normal[i]] : 0.0;
        double lo = d->normal[i] >= 0 ? -reach : d->lo[i];
        double hi = d->normal[i] >= 0 ? reach : d->hi[i];
        worst = fmax(worst, fabs(lambda[i] - fmin(fmax(lambda[i] - w, lo), hi)));
    }
    return worst;
}

static void contacts_with_friction_end_in_their_law(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    static drawn d;
    saddle_options options = saddle_options_default();
    saddle_report report = {0};
    saddle_solver_call call = {.options = &options,
                               .report = &report,
                               .deadline = (double)INFINITY};
    int64_t solved = 0;
    int64_t singles = 0;
    for (int trial = 0; trial < 1000; trial++) {
        draw(&seed, trial % 2 ? test_integer(&seed, 1, 10) : test_integer(&seed, 10, 60), &d);
        saddle__pivoting s;
        assert_int_equal(saddle__pivoting_create(NULL, d.m, 0, &s), SADDLE_OK);
        saddle__mlcp_rows rows = rows_of(&d, NULL);
        saddle__basis table = dense_basis(&d, &rows);
        double lambda[MOST] = {0.0};
        if (trial % 3 == 0)
            for (int64_t i = 0; i < d.m; i++) lambda[i] = test_uniform(&seed, -1.0, 1.0);
        rows.lambda = lambda;
        saddle__pivoting_begin(&s, d.m, 0);
        saddle_status status = saddle__pivoting_run(&s, &table, &rows, &patient, &call);
        double defect = defect_of(&d, lambda);
        assert_true(status == SADDLE_OK || status == SADDLE_ITERATION_LIMIT ||
                    status == SADDLE_NOT_CONVERGED);
        if (status == SADDLE_OK && !(defect < 1e-9)) fail_msg("trial %d: defect %g", trial, defect);
        solved += status == SADDLE_OK;
        singles += s.singles > 0;
        saddle__layout_clear(NULL, &s.layout);
        table.clear(table.user);
    }
    print_message("%d of 1000 solved, %d with single pivots\n", (int)solved, (int)singles);
    assert_true(solved >= 990);
}

/* A block of weight 1 pushed sideways with s: sticks up to mu, then slides; lifted: open. */
static void a_block_sticks_slides_and_lifts(void **unused)
{
    (void)unused;
    static const double push[] = {0.3, 0.9, -0.9, 0.9}, weight[] = {1.0, 1.0, 1.0, -1.0};
    static const double expected[][2] = {{1.0, -0.3}, {1.0, -0.5}, {1.0, 0.5}, {0.0, 0.0}};
    for (int k = 0; k < 4; k++) {
        static drawn d;
        memset(&d, 0, sizeof d);
        d.m = 2;
        d.W[0] = d.W[3] = d.step[0] = d.step[1] = 1.0;
        d.normal[0] = -1;
        d.mu[1] = 0.5;
        d.hi[0] = INFINITY;
        d.q[0] = -weight[k];
        d.q[1] = push[k];
        saddle_options options = saddle_options_default();
        saddle_report report = {0};
        saddle_solver_call call = {.options = &options,
                                   .report = &report,
                                   .deadline = (double)INFINITY};
        saddle__pivoting s;
        assert_int_equal(saddle__pivoting_create(NULL, 2, 0, &s), SADDLE_OK);
        saddle__mlcp_rows rows = rows_of(&d, NULL);
        saddle__basis table = dense_basis(&d, &rows);
        double lambda[2] = {0.0, 0.0};
        rows.lambda = lambda;
        saddle__pivoting_begin(&s, d.m, 0);
        assert_int_equal(saddle__pivoting_run(&s, &table, &rows, &patient, &call), SADDLE_OK);
        assert_true(fabs(lambda[0] - expected[k][0]) < 1e-15 &&
                    fabs(lambda[1] - expected[k][1]) < 1e-15);
        saddle__layout_clear(NULL, &s.layout);
        table.clear(table.user);
    }
}

static saddle_status create_in(saddle_context *context, void *user)
{
    saddle__basis basis = {0};
    saddle__columns columns = {0};
    saddle_status status = saddle__dense_basis_create(context, &columns, user, &basis);
    if (basis.user) basis.clear(basis.user);
    return status;
}

static void failing_allocations_leak_nothing(void **unused)
{
    (void)unused;
    saddle__mlcp_rows rows = {.count = 5};
    assert_true(test_allocation_sweep(create_in, &rows) > 1);
}

/* ---- factors of several panels ---- */

/* Rows of W, of which LAPACK factors more than two panels of 768 columns one by one. */
enum { LARGE = 1947 };

typedef struct large {
    double *W; /* LARGE x LARGE */
    int left;  /* questions until the time is up */
} large;

static saddle_status count_down(void *user)
{
    return ((large *)user)->left-- > 0 ? SADDLE_OK : SADDLE_TIME_LIMIT;
}

static large draw_large(uint64_t *seed)
{
    large l = {.W = malloc((size_t)LARGE * LARGE * sizeof(double)), .left = INT_MAX};
    assert_non_null(l.W);
    for (int64_t k = 0; k < (int64_t)LARGE * LARGE; k++) l.W[k] = test_uniform(seed, -1.0, 1.0);
    return l;
}

static saddle__basis large_basis(large *l, saddle__mlcp_rows *rows)
{
    static double zero[LARGE];
    saddle__mlcp_rows all = {.count = LARGE, .E = zero};
    saddle__columns columns = {.user = l, .value = l->W, .stop = count_down};
    saddle__basis basis = {0};
    *rows = all;
    assert_int_equal(saddle__dense_basis_create(NULL, &columns, rows, &basis), SADDLE_OK);
    return basis;
}

static const signed char all_basic[LARGE];

static void several_panels_give_the_factor_of_the_matrix(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    static double q[LARGE], lambda[LARGE], expected[LARGE], w[LARGE], noise[LARGE];
    large l = draw_large(&seed);
    saddle__mlcp_rows rows;
    saddle__basis basis = large_basis(&l, &rows);
    for (int64_t i = 0; i < LARGE; i++) {
        q[i] = 0.0;
        expected[i] = test_uniform(&seed, -1.0, 1.0);
    }
    for (int64_t j = 0; j < LARGE; j++)
        for (int64_t i = 0; i < LARGE; i++) q[i] -= l.W[i + j * LARGE] * expected[j];
    assert_int_equal(basis.enter(basis.user, all_basic), SADDLE_OK);
    assert_int_equal(basis.solve(basis.user, all_basic, q, lambda, w, noise), SADDLE_OK);
    for (int64_t i = 0; i < LARGE; i++) assert_true(fabs(lambda[i] - expected[i]) < 1e-7);
    basis.clear(basis.user);
    free(l.W);
}

/* A row and column of zeros, in the last panel. */
static void a_singular_last_panel_is_told(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    large l = draw_large(&seed);
    for (int64_t k = 0; k < LARGE; k++)
        l.W[(LARGE - 2) + k * LARGE] = l.W[k + (LARGE - 2) * (int64_t)LARGE] = 0.0;
    saddle__mlcp_rows rows;
    saddle__basis basis = large_basis(&l, &rows);
    assert_int_equal(basis.enter(basis.user, all_basic), SADDLE_NOT_CONVERGED);
    basis.clear(basis.user);
    free(l.W);
}

static void a_factor_is_stopped_between_panels(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    large l = draw_large(&seed);
    l.left = 0;
    saddle__mlcp_rows rows;
    saddle__basis basis = large_basis(&l, &rows);
    assert_int_equal(basis.enter(basis.user, all_basic), SADDLE_TIME_LIMIT);
    basis.clear(basis.user);
    free(l.W);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_sequence_of_states_is_solved_as_by_one_dense_system),
        cmocka_unit_test(a_factor_that_grows_for_long_is_made_anew),
        cmocka_unit_test(fast_rows_at_bounds_leave_the_others_as_good),
        cmocka_unit_test(rows_without_friction_need_no_normals),
        cmocka_unit_test(a_singular_basis_is_told_and_left),
        cmocka_unit_test(rows_that_push_one_way_enter_with_their_factor),
        cmocka_unit_test(contacts_with_friction_end_in_their_law),
        cmocka_unit_test(a_block_sticks_slides_and_lifts),
        cmocka_unit_test(several_panels_give_the_factor_of_the_matrix),
        cmocka_unit_test(a_singular_last_panel_is_told),
        cmocka_unit_test(a_factor_is_stopped_between_panels),
        cmocka_unit_test(failing_allocations_leak_nothing),
    };
    return cmocka_run_group_tests_name("dense basis", tests, NULL, NULL);
}
