/* SPDX-License-Identifier: MIT */
/* Few rows that enter the crash basis one by one (complementarity/crash_entering.h): answers
 * against brute force, and against the rows' laws by products in long double; what it is not for;
 * bases that vanish, values that are beyond all measure. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "complementarity/crash_entering.h"
#include "enumeration.h"

enum { ROWS = SADDLE__CRASH_SMALL, MORE = ROWS + 1 };

typedef struct drawn {
    saddle_problem problem;
    int general;
    double W[MORE * MORE], b[MORE], lo[MORE], hi[MORE];
    double A[MORE * MORE];
} drawn;

static double number(uint64_t *seed, int integer)
{
    return integer ? (double)test_integer(seed, -1, 1) : test_uniform(seed, -1.0, 1.0);
}

/* W = B B'/rank + shift (+ a skew part), B m x rank. */
static void draw_matrix(uint64_t *seed, int64_t m, int64_t rank, int integer, double shift,
                        drawn *d)
{
    static double B[MORE * MORE];
    for (int64_t k = 0; k < m * rank; k++) B[k] = number(seed, integer);
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j <= i; j++) {
            double sum = i == j ? shift : 0.0;
            for (int64_t k = 0; k < rank; k++)
                sum += B[i * rank + k] * B[j * rank + k] / (double)rank;
            double skew = d->general && i != j ? 0.3 * number(seed, integer) / sqrt((double)m)
                                               : 0.0;
            d->W[i + j * m] = sum + skew;
            d->W[j + i * m] = sum - skew;
        }
    }
}

/* Rows without bounds, bounded below, above, at one value; the bounds are zero or not. */
static void draw_rows(uint64_t *seed, int64_t m, int integer, int plain, drawn *d)
{
    for (int64_t i = 0; i < m; i++) {
        int64_t kind = plain ? 1 : test_integer(seed, 0, 6);
        double at = kind > 3 ? number(seed, integer) : 0.0;
        d->b[i] = number(seed, integer);
        d->lo[i] = kind == 0 || kind == 2 || kind == 5 ? -(double)INFINITY : at;
        d->hi[i] = kind == 0 || kind == 1 || kind == 4 ? (double)INFINITY : at;
    }
}

static void set_problem(int64_t m, drawn *d)
{
    saddle_problem fresh = {.m = m, .b = d->b, .lo = d->lo, .hi = d->hi};
    d->problem = fresh;
}

static void draw(uint64_t *seed, int64_t m, drawn *d)
{
    int integer = test_integer(seed, 0, 3) == 0;
    d->general = (int)test_integer(seed, 0, 1);
    draw_matrix(seed, m, m, integer, 0.02, d);
    draw_rows(seed, m, integer, test_integer(seed, 0, 1) == 0, d);
    set_problem(m, d);
}

/* crash as its first lines leave it, from no impulses. */
static void begin(drawn *d, saddle__crash *crash)
{
    int64_t m = d->problem.m;
    saddle__crash fresh = {0};
    *crash = fresh;
    assert_int_equal(saddle__crash_create(NULL, m, crash), SADDLE_OK);
    crash->problem = &d->problem;
    crash->symmetric = !d->general;
    crash->even = 1;
    crash->W = d->W;
    crash->A = d->A;
    for (int64_t i = 0; i < m; i++) {
        crash->q[i] = -d->b[i];
        crash->lambda[i] = 0.0;
        crash->diagonal[i] = fabs(d->W[i + i * m]);
        crash->root[i] = sqrt(crash->diagonal[i]);
    }
}

static int run(drawn *d, saddle__crash *crash)
{
    saddle__crash_limits limits = {.steps = 30};
    return saddle__crash_run(crash, &d->problem, !d->general, &limits);
}

/* max |lambda - P(lambda - w)| over 1 + |b| + |W||lambda|, w in long double; INFINITY where lambda
 * is not finite. */
static double defect(const drawn *d, const double *lambda)
{
    int64_t m = d->problem.m;
    long double worst = 0.0L;
    long double size = 1.0L;
    for (int64_t i = 0; i < m; i++) {
        long double w = -(long double)d->b[i];
        long double terms = fabsl(w);
        for (int64_t j = 0; j < m; j++) {
            w += (long double)d->W[i + j * m] * lambda[j];
            terms += fabsl((long double)d->W[i + j * m] * lambda[j]);
        }
        long double at = fminl(fmaxl(lambda[i] - w, d->lo[i]), d->hi[i]);
        if (!isfinite(lambda[i]) || !isfinite((double)at)) return (double)INFINITY;
        worst = fmaxl(worst, fabsl(lambda[i] - at));
        size = fmaxl(size, terms);
    }
    return (double)(worst / size);
}

static saddle_matrix matrix_of(const drawn *d)
{
    int64_t m = d->problem.m;
    saddle_matrix R = {0};
    saddle_symmetry symmetry = d->general ? SADDLE_GENERAL : SADDLE_SYMMETRIC;
    assert_int_equal(saddle_matrix_create(NULL, m, m, d->general ? m * m : m * (m + 1) / 2,
                                          symmetry, &R),
                     SADDLE_OK);
    int64_t k = 0;
    for (int64_t j = 0; j < m; j++) {
        R.start[j] = k;
        for (int64_t i = d->general ? 0 : j; i < m; i++) {
            R.index[k] = i;
            R.value[k++] = d->W[i + j * m];
        }
    }
    R.start[m] = k;
    return R;
}

/* ---- answers ---- */

static void answers_are_those_of_brute_force(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    drawn *d = calloc(1, sizeof *d);
    enumeration *found = calloc(1, sizeof *found);
    assert_true(d && found);
    int64_t met[3] = {0, 0, 0};
    for (int k = 0; k < 5000; k++) {
        saddle__crash crash;
        draw(&seed, test_integer(&seed, 1, 7), d);
        begin(d, &crash);
        saddle__entered entered = saddle__crash_enter(&crash);
        met[entered]++;
        assert_int_not_equal(entered, SADDLE__NOT_ENTERED);
        assert_true(crash.pivots <= 2 * d->problem.m);
        d->problem.R = matrix_of(d);
        enumerate_states(&d->problem, found);
        assert_true(found->count > 0);
        double away;
        enumeration_nearest(&d->problem, found, NULL, crash.lambda, &away);
        if (entered == SADDLE__ENTERED && !(away < 1e-11)) fail_msg("draw %d: away by %g", k, away);
        memset(crash.lambda, 0, (size_t)d->problem.m * sizeof *crash.lambda);
        int ends = run(d, &crash);
        assert_true(ends || entered == SADDLE__SOME_LEFT);
        enumeration_nearest(&d->problem, found, NULL, crash.lambda, &away);
        if (ends && !(away < 1e-11))
            fail_msg("draw %d: away by %g after %d steps", k, away, (int)crash.steps);
        saddle_matrix_clear(&d->problem.R);
        saddle__crash_clear(NULL, &crash);
    }
    print_message("%d entered, of %d some left\n", (int)met[SADDLE__ENTERED],
                  (int)met[SADDLE__SOME_LEFT]);
    assert_true(met[SADDLE__ENTERED] > 4000 && met[SADDLE__SOME_LEFT] > 50);
    free(found);
    free(d);
}

/* Every number of rows there is, in pairs, blocks of pairs, and one left over. */
static void laws_are_kept_at_any_size(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    drawn *d = calloc(1, sizeof *d);
    assert_non_null(d);
    for (int64_t m = 1; m <= ROWS; m++) {
        int64_t entered = 0;
        for (int k = 0; k < 60; k++) {
            saddle__crash crash;
            draw(&seed, m, d);
            begin(d, &crash);
            int at_once = saddle__crash_enter(&crash) == SADDLE__ENTERED;
            if (at_once && !(defect(d, crash.lambda) <= 1e-14))
                fail_msg("%d rows: %g", (int)m, defect(d, crash.lambda));
            entered += at_once;
            memset(crash.lambda, 0, (size_t)m * sizeof *crash.lambda);
            if (run(d, &crash)) {
                assert_true(defect(d, crash.lambda) <= 1e-14);
                assert_true(!at_once || crash.steps == 1 || crash.steps == 2); /* plain, or with
                                                                                  factors */
            }
            saddle__crash_clear(NULL, &crash);
        }
        assert_true(entered >= 20);
    }
    free(d);
}

/* Rows that leave at the end are at their bounds, the others as they were: steps go on from
 * there. */
static void steps_go_on_where_some_have_left(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    drawn *d = calloc(1, sizeof *d);
    assert_non_null(d);
    int64_t left = 0;
    int64_t found = 0;
    for (int k = 0; k < 6000; k++) {
        saddle__crash crash;
        draw(&seed, test_integer(&seed, 8, 24), d);
        begin(d, &crash);
        if (saddle__crash_enter(&crash) == SADDLE__SOME_LEFT) {
            left++;
            for (int64_t i = 0; i < d->problem.m; i++) {
                assert_true(crash.state[i] >= -1 && crash.state[i] <= 1);
                if (crash.state[i] < 0) assert_true(crash.lambda[i] == d->lo[i]);
                if (crash.state[i] > 0) assert_true(crash.lambda[i] == d->hi[i]);
                assert_true(crash.lambda[i] >= d->lo[i] && crash.lambda[i] <= d->hi[i]);
            }
            memset(crash.lambda, 0, (size_t)d->problem.m * sizeof *crash.lambda);
            int ends = run(d, &crash);
            if (ends) assert_true(crash.steps > 1 && defect(d, crash.lambda) <= 1e-14);
            found += ends;
        }
        saddle__crash_clear(NULL, &crash);
    }
    print_message("of %d some left, %d of them were answered\n", (int)left, (int)found);
    assert_true(left > 100 && found > left * 9 / 10);
    free(d);
}

/* ---- what it is not for ---- */

static void is_refused(drawn *d, void change(drawn *, saddle__crash *))
{
    double before[ROWS];
    saddle__crash crash;
    saddle_problem kept = d->problem;
    begin(d, &crash);
    if (change) change(d, &crash);
    memcpy(before, crash.lambda, (size_t)d->problem.m * sizeof *before);
    assert_int_equal(saddle__crash_enter(&crash), SADDLE__NOT_ENTERED);
    assert_int_equal(crash.pivots, 0);
    assert_memory_equal(before, crash.lambda, (size_t)d->problem.m * sizeof *before);
    d->problem = kept;
    saddle__crash_clear(NULL, &crash);
}

static void add_velocity(drawn *d, saddle__crash *crash)
{
    (void)crash;
    d->problem.n = 1;
}

static void add_contact(drawn *d, saddle__crash *crash)
{
    static saddle_contact contact = {.row = 0, .size = 2, .mu = 0.5};
    (void)crash;
    d->problem.contacts = &contact;
    d->problem.contact_count = 1;
}

static void add_impulse(drawn *d, saddle__crash *crash)
{
    (void)d;
    crash->lambda[2] = 1e-300;
}

static void add_box(drawn *d, saddle__crash *crash)
{
    (void)crash;
    d->lo[3] = -1.0;
    d->hi[3] = 1.0;
}

static void make_uneven(drawn *d, saddle__crash *crash)
{
    (void)d;
    crash->even = 0;
}

static void what_it_is_not_for_stays_as_it_is(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    drawn *d = calloc(1, sizeof *d);
    assert_non_null(d);
    draw(&seed, 5, d);
    is_refused(d, add_velocity);
    is_refused(d, add_contact);
    is_refused(d, add_impulse);
    is_refused(d, make_uneven);
    is_refused(d, add_box);
    set_problem(0, d);
    is_refused(d, NULL);
    draw(&seed, MORE, d);
    saddle__crash crash;
    begin(d, &crash);
    assert_int_equal(saddle__crash_enter(&crash), SADDLE__NOT_ENTERED);
    saddle__crash_clear(NULL, &crash);
    free(d);
}

/* ---- what vanishes, depends, overflows ---- */

static void a_basis_that_vanishes_leaves_no_impulses(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    drawn *d = calloc(1, sizeof *d);
    assert_non_null(d);
    int64_t met[3] = {0, 0, 0};
    for (int k = 0; k < 4000; k++) {
        saddle__crash crash;
        int64_t m = test_integer(&seed, 2, 20);
        int integer = (int)test_integer(&seed, 0, 1);
        d->general = (int)test_integer(&seed, 0, 1);
        draw_matrix(&seed, m, test_integer(&seed, 1, m - 1), integer, 0.0, d);
        if (k % 5 == 0) d->W[0] = -fabs(d->W[0]);
        draw_rows(&seed, m, integer, test_integer(&seed, 0, 1) == 0, d);
        set_problem(m, d);
        begin(d, &crash);
        saddle__entered entered = saddle__crash_enter(&crash);
        met[entered]++;
        for (int64_t i = 0; entered == SADDLE__NOT_ENTERED && i < m; i++)
            assert_true(crash.lambda[i] == 0.0);
        if (entered == SADDLE__ENTERED) assert_true(defect(d, crash.lambda) <= 1e-13);
        saddle__crash_clear(NULL, &crash);
    }
    print_message("%d vanished, %d did not\n", (int)met[SADDLE__NOT_ENTERED],
                  (int)met[SADDLE__ENTERED]);
    assert_true(met[SADDLE__NOT_ENTERED] > 500 && met[SADDLE__ENTERED] > 200);
    free(d);
}

/* Each equation stands there twice: those that agree enter once; those that do not have no
 * answer. */
static void equations_that_depend_enter_once(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    drawn *d = calloc(1, sizeof *d);
    assert_non_null(d);
    for (int k = 0; k < 500; k++) {
        int64_t half = test_integer(&seed, 1, 10);
        int64_t m = 2 * half;
        double unit[MORE];
        saddle__crash crash;
        d->general = 0;
        draw_matrix(&seed, half, half, 0, 0.25, d);
        static double small[MORE * MORE];
        memcpy(small, d->W, (size_t)(half * half) * sizeof *small);
        for (int64_t i = 0; i < m; i++) unit[i] = i % 3 == 2 ? 2.0 : i % 3 == 1 ? -1.0 : 1.0;
        for (int64_t j = 0; j < m; j++)
            for (int64_t i = 0; i < m; i++)
                d->W[i + j * m] = unit[i] * unit[j] * small[i % half + j % half * half];
        for (int64_t i = 0; i < half; i++) {
            double b = test_uniform(&seed, -1.0, 1.0);
            d->b[i] = unit[i] * b;
            d->b[half + i] = unit[half + i] * b;
        }
        for (int64_t i = 0; i < m; i++) d->lo[i] = -(d->hi[i] = (double)INFINITY);
        set_problem(m, d);
        begin(d, &crash);
        assert_int_equal(saddle__crash_enter(&crash), SADDLE__ENTERED);
        assert_int_equal(crash.pivots, half);
        assert_true(defect(d, crash.lambda) <= 1e-13);
        saddle__crash_clear(NULL, &crash);
        d->b[m - 1] += 1e-3;
        begin(d, &crash);
        assert_int_equal(saddle__crash_enter(&crash), SADDLE__NOT_ENTERED);
        saddle__crash_clear(NULL, &crash);
    }
    free(d);
}

/* Any matrix, entries as large and small as there are: what is called an answer is one. */
static void no_value_makes_an_answer_of_what_is_none(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    drawn *d = calloc(1, sizeof *d);
    assert_non_null(d);
    int64_t entered = 0;
    for (int k = 0; k < 6000; k++) {
        saddle__crash crash;
        int64_t m = test_integer(&seed, 1, 12);
        int exponent = (int)test_integer(&seed, -1070, 1020);
        d->general = (int)test_integer(&seed, 0, 1);
        if (k % 2)
            draw_matrix(&seed, m, m, 0, 0.1, d);
        else
            for (int64_t i = 0; i < m * m; i++) d->W[i] = test_uniform(&seed, -1.0, 1.0);
        draw_rows(&seed, m, 0, test_integer(&seed, 0, 1) == 0, d);
        for (int64_t i = 0; i < m * m; i++) d->W[i] = ldexp(d->W[i], exponent);
        for (int64_t i = 0; i < m; i++)
            d->b[i] = ldexp(d->b[i], (int)test_integer(&seed, 0, 3) * exponent / 3);
        for (int64_t j = 0; !d->general && j < m; j++)
            for (int64_t i = 0; i < j; i++) d->W[i + j * m] = d->W[j + i * m];
        set_problem(m, d);
        begin(d, &crash);
        if (saddle__crash_enter(&crash) == SADDLE__ENTERED) {
            entered++;
            for (int64_t i = 0; i < m; i++) {
                long double w = -(long double)d->b[i];
                long double terms = fabsl(w);
                for (int64_t j = 0; j < m; j++) w += (long double)d->W[i + j * m] * crash.lambda[j];
                for (int64_t j = 0; j < m; j++)
                    terms += sqrtl(crash.diagonal[i]) * sqrtl(crash.diagonal[j]) *
                                 fabsl(crash.lambda[j]) +
                             fabsl((long double)d->W[i + j * m] * crash.lambda[j]);
                long double most = 1e-13L * terms + (long double)DBL_MIN * (long double)m;
                assert_true(isfinite(crash.lambda[i]));
                assert_true(crash.lambda[i] >= d->lo[i] && crash.lambda[i] <= d->hi[i]);
                if (crash.lambda[i] > d->lo[i]) assert_true(w <= most);
                if (crash.lambda[i] < d->hi[i]) assert_true(w >= -most);
            }
        }
        saddle__crash_clear(NULL, &crash);
    }
    print_message("%d of 6000 entered\n", (int)entered);
    assert_true(entered > 1500);
    free(d);
}

/* A basis above saddle__crash_plain is there with its factors: they take out what lambda is
 * disturbed by. */
static void large_impulses_come_with_factors(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    drawn *d = calloc(1, sizeof *d);
    assert_non_null(d);
    int64_t with = 0;
    for (int k = 0; k < 400; k++) {
        saddle__crash crash;
        int64_t m = test_integer(&seed, 4, 20);
        d->general = 0;
        draw_matrix(&seed, m, m / 2, 0, 1e-5, d);
        draw_rows(&seed, m, 0, 0, d);
        for (int64_t i = 0; k % 2 && i < m; i++) d->lo[i] = -(d->hi[i] = (double)INFINITY);
        set_problem(m, d);
        begin(d, &crash);
        if (run(d, &crash) && crash.measure > saddle__crash_plain) {
            with++;
            double before = saddle__crash_defect(&crash, crash.w);
            double w[ROWS];
            for (int64_t i = 0; i < m; i++)
                if (crash.state[i] == 0)
                    crash.lambda[i] *= 1.0 + 1e-6 * test_uniform(&seed, 0.5, 1.0);
            for (int pass = 0; pass < 3; pass++) {
                memcpy(w, crash.q, (size_t)m * sizeof *w);
                saddle__crash_add(&crash, crash.lambda, w);
                if (pass == 2)
                    assert_true(saddle__crash_defect(&crash, w) <= 100.0 * before + 1e-9);
                if (pass < 2) saddle__crash_correct(&crash, w, crash.lambda);
            }
        }
        saddle__crash_clear(NULL, &crash);
    }
    print_message("%d of 400 with large impulses\n", (int)with);
    assert_true(with > 20);
    free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_brute_force),
        cmocka_unit_test(laws_are_kept_at_any_size),
        cmocka_unit_test(steps_go_on_where_some_have_left),
        cmocka_unit_test(what_it_is_not_for_stays_as_it_is),
        cmocka_unit_test(a_basis_that_vanishes_leaves_no_impulses),
        cmocka_unit_test(equations_that_depend_enter_once),
        cmocka_unit_test(no_value_makes_an_answer_of_what_is_none),
        cmocka_unit_test(large_impulses_come_with_factors),
    };
    return cmocka_run_group_tests_name("entering", tests, NULL, NULL);
}
