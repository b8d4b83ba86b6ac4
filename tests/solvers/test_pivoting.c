/* SPDX-License-Identifier: MIT */
/* Block pivoting by itself, on a basis of the test's own: examples on which other pivoting cycles
 * or takes exponentially long. */
#include "mlcp/pivoting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { LOOP_MOST = 24 };

typedef struct loop {
    int64_t m;
    double W[LOOP_MOST][LOOP_MOST], q[LOOP_MOST], lo[LOOP_MOST], hi[LOOP_MOST], step[LOOP_MOST];
} loop;

static saddle_status enter_nothing(void *user, const signed char *state)
{
    (void)user;
    (void)state;
    return SADDLE_OK;
}

/* Elimination without pivoting: principal minors are positive. */
static saddle_status eliminate(void *user, const signed char *state, const double *q,
                               double *lambda, double *w, double *noise)
{
    const loop *l = user;
    int64_t m = l->m;
    double A[LOOP_MOST][LOOP_MOST];
    double x[LOOP_MOST];
    for (int64_t i = 0; i < m; i++) {
        int basic = state[i] == SADDLE__BASIC;
        x[i] = basic ? -q[i] : lambda[i];
        for (int64_t j = 0; j < m; j++) A[i][j] = basic ? l->W[i][j] : (double)(i == j);
    }
    for (int64_t k = 0; k < m; k++) {
        for (int64_t i = k + 1; i < m; i++) {
            double factor = A[i][k] / A[k][k];
            for (int64_t j = k; j < m; j++) A[i][j] -= factor * A[k][j];
            x[i] -= factor * x[k];
        }
    }
    for (int64_t k = m - 1; k >= 0; k--) {
        for (int64_t j = k + 1; j < m; j++) x[k] -= A[k][j] * x[j];
        x[k] /= A[k][k];
    }
    for (int64_t i = 0; i < m; i++) {
        if (state[i] == SADDLE__BASIC) lambda[i] = x[i];
        noise[i] = 1e-10;
    }
    for (int64_t i = 0; i < m; i++) {
        w[i] = q[i];
        for (int64_t j = 0; j < m; j++) w[i] += l->W[i][j] * lambda[j];
    }
    return SADDLE_OK;
}

/* From all rows at their lower bound; the result obeys every row's law.  added (m): E, whose steps
 * are searched along; NULL. */
static saddle__pivoting run_searched(loop *l, const double *added, double *lambda)
{
    saddle_options options = saddle_options_default();
    saddle_report report = {0};
    saddle_solver_call call = {.options = &options,
                               .report = &report,
                               .deadline = (double)INFINITY};
    for (int64_t i = 0; i < l->m; i++) {
        l->step[i] = 1.0;
        lambda[i] = l->lo[i];
    }
    double zero[LOOP_MOST] = {0};
    double E[LOOP_MOST];
    memcpy(E, added ? added : zero, sizeof E);
    saddle__mlcp_rows rows = {.count = l->m,
                              .lo = l->lo,
                              .hi = l->hi,
                              .q = l->q,
                              .step = l->step,
                              .E = E,
                              .lambda = lambda};
    saddle__pivoting_way way = {.most_singles = INT64_MAX, .search = added != NULL};
    saddle__basis basis = {.user = l, .enter = enter_nothing, .solve = eliminate};
    saddle__pivoting s;
    assert_int_equal(saddle__pivoting_create(NULL, l->m, added != NULL, &s), SADDLE_OK);
    saddle__pivoting_begin(&s, l->m, 0);
    assert_int_equal(saddle__pivoting_run(&s, &basis, &rows, &way, &call), SADDLE_OK);
    for (int64_t i = 0; i < l->m; i++) {
        double w = l->q[i];
        for (int64_t j = 0; j < l->m; j++) w += l->W[i][j] * lambda[j];
        double x = lambda[i] - w;
        assert_true(fabs(lambda[i] - (x < l->lo[i]   ? l->lo[i]
                                      : x > l->hi[i] ? l->hi[i]
                                                     : x)) < 1e-8 * (1.0 + fabs(x)));
    }
    saddle__pivoting counts = s;
    saddle__layout_clear(NULL, &s.layout);
    return counts;
}

static saddle__pivoting run_loop(loop *l, double *lambda)
{
    return run_searched(l, NULL, lambda);
}

/* W = [1; 2 1; 2 2 1; ..], q_i = -(2^m + .. + 2^(m-i+1)): least-index pivots alone take 2^m - 1
 * (Murty, Math. Programming Study 7, 1978); lambda = 2^m e_1. */
static void murtys_exponential_example_ends_in_few_steps(void **state)
{
    (void)state;
    static loop l;
    memset(&l, 0, sizeof l);
    l.m = 20;
    for (int64_t i = 0; i < l.m; i++) {
        for (int64_t j = 0; j <= i; j++) l.W[i][j] = i == j ? 1.0 : 2.0;
        l.q[i] = (i > 0 ? l.q[i - 1] : 0.0) - ldexp(1.0, (int)(l.m - i));
        l.hi[i] = INFINITY;
    }
    double lambda[LOOP_MOST];
    saddle__pivoting counts = run_loop(&l, lambda);
    assert_true(counts.steps < 200);
    assert_true(lambda[0] == ldexp(1.0, 20) && lambda[1] == 0.0 && lambda[19] == 0.0);
}

/* W = [1 2 0; 0 1 2; 2 0 1], q = -(1, 1, 1): pivoting on the row of greatest or least index with w
 * < 0 goes round in circles (Kostreva, Math. Programming 16, 1979; Murty, Linear Complementarity,
 * 1988, section 4.2).  From every basis. */
static void the_cyclic_matrix_is_left_from_every_basis(void **state)
{
    (void)state;
    loop l = {.m = 3, .W = {{1, 2, 0}, {0, 1, 2}, {2, 0, 1}}, .q = {-1, -1, -1}};
    for (int corner = 0; corner < 8; corner++) {
        loop turned = l;
        for (int i = 0; i < 3; i++) { /* principal transforms by q alone: shift the lower bound */
            turned.lo[i] = corner >> i & 1 ? -4.0 : 0.0;
            turned.hi[i] = INFINITY;
        }
        double lambda[LOOP_MOST];
        saddle__pivoting counts = run_loop(&turned, lambda);
        assert_true(counts.steps < 40);
        for (int i = 0; i < 3; i++) assert_true(fabs(lambda[i] - 1.0 / 3.0) < 1e-12);
    }
}

/* 1: moving all broken rows at once, and nothing else, comes back to a set that it has seen. */
static int plain_block_pivoting_cycles(loop *l)
{
    char seen[1 << 6] = {0};
    signed char state[LOOP_MOST];
    double lambda[LOOP_MOST], w[LOOP_MOST], noise[LOOP_MOST];
    int set = 0;
    while (!seen[set]) {
        seen[set] = 1;
        for (int64_t i = 0; i < l->m; i++) {
            state[i] = set >> i & 1 ? SADDLE__BASIC : SADDLE__AT_LO;
            lambda[i] = 0.0;
        }
        (void)eliminate(l, state, l->q, lambda, w, noise);
        int next = set;
        for (int64_t i = 0; i < l->m; i++)
            if (set >> i & 1 ? lambda[i] < -1e-9 : w[i] < -1e-9) next ^= 1 << i;
        if (next == set) return 0;
        set = next;
    }
    return 1;
}

static void the_safeguard_or_shorter_steps_end_what_cycles_without_them(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    int cycles = 0;
    for (int draw = 0; draw < 400000 && cycles < 50; draw++) {
        static loop l;
        memset(&l, 0, sizeof l);
        l.m = 6;
        double B[LOOP_MOST][LOOP_MOST];
        for (int64_t i = 0; i < l.m; i++) {
            for (int64_t j = 0; j < l.m; j++) B[i][j] = (double)test_integer(&seed, -3, 3);
            l.q[i] = (double)test_integer(&seed, -4, 4);
            l.hi[i] = INFINITY;
        }
        for (int64_t i = 0; i < l.m; i++)
            for (int64_t j = 0; j < l.m; j++) {
                l.W[i][j] = i == j ? 0.1 : 0.0;
                for (int64_t k = 0; k < l.m; k++) l.W[i][j] += B[i][k] * B[j][k];
            }
        if (!plain_block_pivoting_cycles(&l)) continue;
        double lambda[LOOP_MOST];
        saddle__pivoting counts = run_loop(&l, lambda);
        assert_true(counts.singles > 0);
        double E[LOOP_MOST] = {0}, searched[LOOP_MOST];
        for (int64_t i = 0; i < l.m; i++) E[i] = 0.1;
        counts = run_searched(&l, E, searched);
        assert_true(counts.singles == 0 && counts.steps < 30);
        assert_true(test_distance(lambda, searched, l.m) < 1e-7);
        cycles++;
    }
    assert_int_equal(cycles, 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(murtys_exponential_example_ends_in_few_steps),
        cmocka_unit_test(the_cyclic_matrix_is_left_from_every_basis),
        cmocka_unit_test(the_safeguard_or_shorter_steps_end_what_cycles_without_them),
    };
    return cmocka_run_group_tests_name("block pivoting", tests, NULL, NULL);
}
