/* SPDX-License-Identifier: MIT */
/* After each block of pivots the residual is looked at (complementarity/checked.h): refine, then
 * factor anew, then say so; never go on in silence.  On bases that are wrong on purpose, on a
 * border that loses all its digits, and on what the solvers report. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "complementarity/lu_basis.h"
#include "dense/dense.h"
#include "schur/basis.h"
#include "support.h"

/* ---- bases that are wrong on purpose ---- */

/* w = lambda + q, of which solve makes `error`, each correction and each new factor leaves a
 * part. */
typedef struct poor {
    double error, after_correction, when_new;
    int solves, corrections, factors;
} poor;

static void answer(const double *q, double error, double *lambda, double *w, double *noise)
{
    lambda[0] = error - q[0];
    w[0] = error;
    noise[0] = 1e-15;
}

static saddle_status enter_poor(void *user, const signed char *state)
{
    (void)user;
    (void)state;
    return SADDLE_OK;
}

static saddle_status solve_poor(void *user, const signed char *state, const double *q,
                                double *lambda, double *w, double *noise)
{
    poor *p = user;
    (void)state;
    p->solves++;
    answer(q, p->error, lambda, w, noise);
    return SADDLE_OK;
}

static saddle_status correct_poor(void *user, const signed char *state, const double *q,
                                  double *lambda, double *w, double *noise)
{
    poor *p = user;
    (void)state;
    p->corrections++;
    answer(q, p->error * p->after_correction, lambda, w, noise);
    return SADDLE_OK;
}

static saddle_status renew_poor(void *user, const signed char *state)
{
    poor *p = user;
    (void)state;
    p->factors++;
    p->error *= p->when_new;
    return SADDLE_OK;
}

typedef struct course {
    poor basis;
    int solves, corrections, factors;
    int64_t corrected, renewed, inexact;
} course;

static const course courses[] = {
    {{1e-13, 1.0, 1.0, 0, 0, 0}, 1, 0, 0, 0, 0, 0},       /* rounding: nothing to do */
    {{1e-7, 1e-7, 1.0, 0, 0, 0}, 1, 1, 0, 1, 0, 0},       /* refining is enough */
    {{1e-7, 0.5, 1e-7, 0, 0, 0}, 2, 1, 1, 1, 1, 0},       /* a new factor is */
    {{1e-2, 1e-6, 1e-6, 0, 0, 0}, 2, 2, 1, 1, 1, 0},      /* a new factor and refining by it are */
    {{1e-2, 0.5, 0.5, 0, 0, 0}, 2, 2, 1, 1, 1, 1},        /* nothing is: counted */
    {{(double)NAN, 1.0, 1.0, 0, 0, 0}, 2, 2, 1, 1, 1, 1}, /* what is not a number is not exact */
};

static void a_poor_solve_is_refined_then_factored_anew_then_counted(void **unused)
{
    (void)unused;
    signed char state[] = {SADDLE__BASIC};
    double q = 0.5;
    double lambda, w, noise;
    for (size_t k = 0; k < sizeof courses / sizeof *courses; k++) {
        poor p = courses[k].basis;
        saddle__basis basis = {.user = &p,
                               .enter = enter_poor,
                               .solve = solve_poor,
                               .correct = correct_poor,
                               .renew = renew_poor};
        saddle__exactness count = {0, 0, 0};
        assert_int_equal(saddle__basis_solve_checked(&basis, 1, state, &q, &lambda, &w, &noise,
                                                     &count),
                         SADDLE_OK);
        assert_int_equal(p.solves, courses[k].solves);
        assert_int_equal(p.corrections, courses[k].corrections);
        assert_int_equal(p.factors, courses[k].factors);
        assert_int_equal(count.corrected, courses[k].corrected);
        assert_int_equal(count.renewed, courses[k].renewed);
        assert_int_equal(count.inexact, courses[k].inexact);
    }
}

static void a_basis_that_can_do_neither_is_counted(void **unused)
{
    (void)unused;
    signed char state[] = {SADDLE__BASIC};
    double q = 0.5;
    double lambda, w, noise;
    poor p = {.error = 1e-3};
    saddle__basis basis = {.user = &p, .enter = enter_poor, .solve = solve_poor};
    saddle__exactness count = {0, 0, 0};
    assert_int_equal(saddle__basis_solve_checked(&basis, 1, state, &q, &lambda, &w, &noise, &count),
                     SADDLE_OK);
    assert_int_equal(count.inexact, 1);
    state[0] = SADDLE__AT_LO; /* w of a row at a bound need not vanish */
    assert_int_equal(saddle__basis_solve_checked(&basis, 1, state, &q, &lambda, &w, &noise, &count),
                     SADDLE_OK);
    assert_int_equal(count.inexact, 1);
}

static void every_block_of_pivots_is_looked_at(void **unused)
{
    (void)unused;
    poor p = {.error = 1e-3, .after_correction = 0.5, .when_new = 1.0};
    saddle__basis basis = {.user = &p,
                           .enter = enter_poor,
                           .solve = solve_poor,
                           .correct = correct_poor,
                           .renew = renew_poor};
    saddle_options options = saddle_options_default();
    saddle_report report = {0};
    saddle_solver_call call = {.options = &options,
                               .report = &report,
                               .deadline = (double)INFINITY};
    double lo = -(double)INFINITY, hi = (double)INFINITY, q = 1.0, step = 1.0, lambda = 0.0;
    saddle__bounded_rows rows = {.m = 1, .lo = &lo, .hi = &hi, .q = &q, .step = &step};
    saddle__pivoting s;
    assert_int_equal(saddle__pivoting_create(NULL, 1, &s), SADDLE_OK);
    saddle__pivoting_begin(&s, &rows, 0, &lambda);
    for (int64_t run = 1; run <= 3; run++) {
        assert_int_equal(saddle__pivoting_run(&s, &basis, &rows, &call, &lambda), SADDLE_OK);
        assert_int_equal(s.steps, run);
        assert_int_equal(s.exactness.inexact, run);
    }
    saddle__pivoting_begin(&s, &rows, 0, &lambda);
    assert_int_equal(s.exactness.inexact, 0);
    saddle__pivoting_clear(&s);
}

/* ---- factors that lose digits ---- */

enum { ROWS = 50 };

typedef struct twins {
    double W[ROWS * ROWS], q[ROWS];
} twins;

/* W = V V'; row 1 of V is row 0 but for 1e-6 of another: both of them in F leave a pivot of
 * 1e-12. */
static void draw(uint64_t *seed, twins *t)
{
    static double V[ROWS * 2 * ROWS];
    for (int64_t k = 0; k < ROWS * 2 * ROWS; k++) V[k] = test_uniform(seed, -1.0, 1.0);
    for (int64_t k = 0; k < 2 * ROWS; k++) V[2 * ROWS + k] = V[k] + 1e-6 * V[2 * ROWS + k];
    for (int64_t i = 0; i < ROWS; i++) {
        t->q[i] = test_uniform(seed, -1.0, 1.0);
        for (int64_t j = 0; j < ROWS; j++) {
            double sum = 0.0;
            for (int64_t k = 0; k < 2 * ROWS; k++) sum += V[i * 2 * ROWS + k] * V[j * 2 * ROWS + k];
            t->W[i + j * ROWS] = sum;
        }
    }
}

static saddle_status prepare(void *user, int64_t count, const int64_t *row)
{
    (void)user;
    (void)count;
    (void)row;
    return SADDLE_OK;
}

static const double *column(void *user, int64_t row)
{
    const twins *t = user;
    return t->W + row * ROWS;
}

/* lambda_F by LAPACK, of the rows but number 1. */
static void solve_without_second(const twins *t, double *lambda)
{
    static double A[ROWS * ROWS];
    memcpy(A, t->W, sizeof A);
    for (int64_t i = 0; i < ROWS; i++) {
        A[1 + i * ROWS] = A[i + ROWS] = i == 1 ? 1.0 : 0.0;
        lambda[i] = i == 1 ? 0.0 : -t->q[i];
    }
    assert_int_equal(saddle__dense_solve(NULL, ROWS, A, lambda), SADDLE_OK);
}

/* Both twins, then one of them alone by what was factored for both. */
static void leave_one(const twins *t, const saddle__basis *basis, saddle__exactness *count)
{
    signed char state[ROWS] = {0};
    double lambda[ROWS] = {0.0}, w[ROWS], noise[ROWS], expected[ROWS];
    assert_int_equal(basis->enter(basis->user, state), SADDLE_OK);
    assert_int_equal(saddle__basis_solve_checked(basis, ROWS, state, t->q, lambda, w, noise, count),
                     SADDLE_OK);
    state[1] = SADDLE__AT_LO;
    lambda[1] = 0.0;
    assert_int_equal(basis->enter(basis->user, state), SADDLE_OK);
    assert_int_equal(saddle__basis_solve_checked(basis, ROWS, state, t->q, lambda, w, noise, count),
                     SADDLE_OK);
    solve_without_second(t, expected);
    for (int64_t i = 0; i < ROWS; i++)
        assert_true(fabs(lambda[i] - expected[i]) <= 1e-10 * (1.0 + fabs(expected[i])));
}

static void a_border_that_has_lost_its_digits_gets_them_back(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    static twins t;
    saddle__exactness count = {0, 0, 0};
    for (int trial = 0; trial < 60; trial++) {
        draw(&seed, &t);
        saddle__lu_basis basis;
        assert_int_equal(saddle__lu_basis_create(NULL, ROWS, ROWS, &basis), SADDLE_OK);
        saddle__columns columns = {.user = &t,
                                   .prepare = prepare,
                                   .column = column,
                                   .symmetric = trial % 2};
        saddle__lu_basis_set(&basis, &columns, NULL, NULL, NULL);
        saddle__basis table = saddle__lu_basis_table(&basis);
        leave_one(&t, &table, &count);
        saddle__lu_basis_clear(&basis);
    }
    print_message("%d refined, %d factored anew\n", (int)count.corrected, (int)count.renewed);
    assert_true(count.corrected >= 30 && count.inexact == 0);
}

static void rows_struck_from_L_leave_an_exact_factor(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    static twins t;
    saddle__exactness count = {0, 0, 0};
    for (int trial = 0; trial < 60; trial++) {
        draw(&seed, &t);
        static int64_t row[ROWS * ROWS], col[ROWS * ROWS];
        static double value[ROWS * ROWS];
        double zero[ROWS] = {0.0}, size[ROWS];
        int64_t entries = 0;
        for (int64_t j = 0; j < ROWS; j++) {
            size[j] = t.W[j + j * ROWS];
            for (int64_t i = j; i < ROWS; i++) {
                row[entries] = i;
                col[entries] = j;
                value[entries++] = t.W[i + j * ROWS];
            }
        }
        saddle_matrix W = {0};
        assert_int_equal(saddle_matrix_from_triplets(NULL, ROWS, ROWS, entries, row, col, value,
                                                     SADDLE_SYMMETRIC, &W),
                         SADDLE_OK);
        saddle__dense_basis basis;
        assert_int_equal(saddle__dense_basis_create(NULL, ROWS, &basis), SADDLE_OK);
        saddle__dense_basis_set(&basis, &W, zero, size);
        saddle__basis table = saddle__dense_basis_table(&basis);
        leave_one(&t, &table, &count);
        assert_int_equal(basis.updates, 1);
        saddle__dense_basis_clear(&basis);
        saddle_matrix_clear(&W);
    }
    assert_true(count.renewed == 0 && count.inexact == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_poor_solve_is_refined_then_factored_anew_then_counted),
        cmocka_unit_test(a_basis_that_can_do_neither_is_counted),
        cmocka_unit_test(every_block_of_pivots_is_looked_at),
        cmocka_unit_test(a_border_that_has_lost_its_digits_gets_them_back),
        cmocka_unit_test(rows_struck_from_L_leave_an_exact_factor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
