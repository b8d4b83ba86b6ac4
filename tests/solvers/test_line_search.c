/* SPDX-License-Identifier: MIT */
/* The part of a pivoting step that is taken is where the dual function, formed here from its
 * definition, is least.  The steps are those of a basis that returns given points. */
#include "mlcp/pivoting.h"

#include <math.h>

#include "support.h"

enum { M = 12, RANK = 8, SAMPLES = 400 };

/* A basis whose solutions are the given points, one after the other. */
typedef struct points {
    int64_t count; /* entries of each */
    int next;
    const double *lambda[3], *w[3];
} points;

static saddle_status enter(void *user, const signed char *state)
{
    (void)user;
    (void)state;
    return SADDLE_OK;
}

static saddle_status solve(void *user, const signed char *state, const double *q, double *lambda,
                           double *w, double *noise)
{
    points *p = user;
    (void)state;
    (void)q;
    for (int64_t i = 0; i < p->count; i++) {
        lambda[i] = p->lambda[p->next][i];
        w[i] = p->w[p->next][i];
        noise[i] = 0.0;
    }
    p->next++;
    return SADDLE_OK;
}

/* Three steps: the line begins at the first point and advances towards the second; the limit of
 * steps ends the run at the third. */
static void advance(saddle__pivoting *pivoting, points *p, saddle__mlcp_rows *rows)
{
    saddle__basis basis = {.user = p, .enter = enter, .solve = solve};
    saddle__pivoting_way way = {.tolerated = -1, .search = 1};
    p->lambda[2] = p->lambda[1];
    p->w[2] = p->w[1];
    p->next = 0;
    saddle__pivoting_begin(pivoting, rows->count, 3);
    assert_int_equal(saddle__pivoting_run(pivoting, &basis, rows, &way, NULL),
                     SADDLE_ITERATION_LIMIT);
    assert_int_equal(p->next, 3);
}

typedef struct program {
    double W[M][M], q[M], c[M], lo[M], hi[M], E[M];
} program;

static program draw_program(uint64_t *state)
{
    program a = {.q = {0}};
    double B[M][RANK];
    for (int i = 0; i < M; i++) {
        for (int k = 0; k < RANK; k++) B[i][k] = test_uniform(state, -1.0, 1.0);
        a.q[i] = test_uniform(state, -3.0, 3.0);
        a.c[i] = test_uniform(state, -1.0, 1.0);
        a.E[i] = pow(10.0, test_uniform(state, -4.0, 0.0));
        a.lo[i] = test_integer(state, 0, 3) ? 0.0 : -INFINITY;
        a.hi[i] = test_integer(state, 0, 3) ? INFINITY : 0.5;
    }
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++)
            for (int k = 0; k < RANK; k++) a.W[i][j] += B[i][k] * B[j][k];
    return a;
}

/* W y + q */
static double slack(const program *a, const double *y, int i)
{
    double w = a->q[i];
    for (int j = 0; j < M; j++) w += a->W[i][j] * y[j];
    return w;
}

/* y'W y / 2 + sup over lo <= x <= hi of sum_i E_i (p_i x_i - x_i^2 / 2) */
static double dual(const program *a, const double *y)
{
    double value = 0.0;
    for (int i = 0; i < M; i++) {
        double p = a->c[i] - slack(a, y, i) / a->E[i];
        double x = fmin(fmax(p, a->lo[i]), a->hi[i]);
        value += 0.5 * y[i] * (slack(a, y, i) - a->q[i]) + a->E[i] * (p * x - 0.5 * x * x);
    }
    return value;
}

/* w of the regularized problem */
static void regularized_slack(const program *a, const double *lambda, double *w)
{
    for (int i = 0; i < M; i++) w[i] = slack(a, lambda, i) + a->E[i] * (lambda[i] - a->c[i]);
}

static double dual_between(const program *a, const double *from, const double *to, double t)
{
    double y[M];
    for (int i = 0; i < M; i++) y[i] = from[i] + t * (to[i] - from[i]);
    return dual(a, y);
}

/* d phi / dt where the line begins: grad phi = W (y - P p) */
static double first_slope(const program *a, const double *from, const double *to)
{
    double sum = 0.0;
    for (int i = 0; i < M; i++) {
        double p = fmin(fmax(a->c[i] - slack(a, from, i) / a->E[i], a->lo[i]), a->hi[i]);
        for (int j = 0; j < M; j++) sum += (to[j] - from[j]) * a->W[i][j] * (from[i] - p);
    }
    return sum;
}

/* phi is convex: where its slope is s, it is s times the way to its least above that at most.  The
 * search ends where s is a hundredth of the first slope, or no more than that and the least less
 * than 2^-8 away, after eight halvings. */
static void the_part_taken_is_where_the_dual_is_least(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle__pivoting pivoting;
    assert_int_equal(saddle__pivoting_create(NULL, M, 1, &pivoting), SADDLE_OK);
    int shorter = 0;
    int longer = 0;
    for (int draw = 0; draw < 3000; draw++) {
        program a = draw_program(&state);
        double from[M], to[M], w_from[M], w_to[M];
        for (int i = 0; i < M; i++) {
            from[i] = test_uniform(&state, -2.0, 2.0);
            to[i] = test_uniform(&state, -2.0, 2.0);
        }
        double lambda[M], step[M], q[M] = {0.0};
        for (int i = 0; i < M; i++) lambda[i] = step[i] = 1.0;
        saddle__mlcp_rows rows = {
            .count = M, .lo = a.lo, .hi = a.hi, .E = a.E, .step = step, .q = q, .lambda = lambda};
        points given = {.count = M, .lambda = {from, to}, .w = {w_from, w_to}};
        regularized_slack(&a, from, w_from);
        regularized_slack(&a, to, w_to);
        int falls = dual_between(&a, from, to, 1e-6) < dual_between(&a, from, to, 0.0);
        advance(&pivoting, &given, &rows);
        const saddle__line *line = &pivoting.line;
        int far = 0;
        for (int i = 1; i < M; i++)
            if (fabs(to[i] - from[i]) > fabs(to[far] - from[far])) far = i;
        double t = (line->y[far] - from[far]) / (to[far] - from[far]);
        assert_true(falls ? t > 0.0 && t <= 1.0 : t == 0.0);
        double least = dual_between(&a, from, to, 0.0);
        double at = 0.0;
        for (int k = 1; k <= SAMPLES; k++) {
            double there = dual_between(&a, from, to, (double)k / SAMPLES);
            if (there < least) at = (double)k / SAMPLES;
            least = fmin(least, there);
        }
        double above = fmax(0.01 * (fabs(t - at) + 1.0 / SAMPLES), 1.0 / 256.0) *
                       fabs(first_slope(&a, from, to));
        if (falls && t < 1.0) assert_true(dual_between(&a, from, to, t) <= least + above);
        if (falls) assert_true(dual_between(&a, from, to, t) < dual_between(&a, from, to, 0.0));
        for (int i = 0; i < M; i++) {
            double p = a.c[i] - slack(&a, line->y, i) / a.E[i];
            assert_true(fabs(line->y[i] - from[i] - t * (to[i] - from[i])) < 1e-14);
            assert_true(fabs(line->p[i] - p) < 1e-9 * (1.0 + fabs(p)) / a.E[i]);
        }
        shorter += falls && t < 1.0;
        longer += falls && t == 1.0;
    }
    saddle__layout_clear(NULL, &pivoting.layout);
    assert_true(shorter > 300 && longer > 30);
}

/* One row, W = 1: phi = (y^2 + E max(p, 0)^2) / 2, p = (kink - y) / E.  The kink is E p ahead: up
 * to there the slope y - p grows by 1 + 1 / E a unit of y, beyond by 1.  phi is least before the
 * kink, and rises from there on. */
static void the_dual_falls_however_near_its_least_is(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    double lo = 0.0;
    double hi = INFINITY;
    double step = 1.0;
    double q = 0.0;
    saddle__pivoting pivoting;
    assert_int_equal(saddle__pivoting_create(NULL, 1, 1, &pivoting), SADDLE_OK);
    for (int draw = 0; draw < 1000; draw++) {
        double E = pow(10.0, test_uniform(&state, -12.0, -2.0));
        const double kink = test_uniform(&state, 0.001, 0.5);
        const double p = kink + test_uniform(&state, 0.05, 1.0);
        const double from = kink - E * p;
        const double to = from + 1.0;
        double w_from = E * (from - p);
        double w_to = E * to - (kink - to);
        double lambda = 0.0;
        saddle__mlcp_rows rows = {
            .count = 1, .lo = &lo, .hi = &hi, .E = &E, .step = &step, .q = &q, .lambda = &lambda};
        points given = {.count = 1, .lambda = {&from, &to}, .w = {&w_from, &w_to}};
        advance(&pivoting, &given, &rows);
        double t = (pivoting.line.y[0] - from) / (to - from);
        assert_true(t > 0.0 && t <= 1.0);
        double fallen = t < E * p ? t * (p - 0.5 * t / E) : 0.5 * E * p * p;
        assert_true(t * (from + 0.5 * t) < fallen);
    }
    saddle__layout_clear(NULL, &pivoting.layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_part_taken_is_where_the_dual_is_least),
        cmocka_unit_test(the_dual_falls_however_near_its_least_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
