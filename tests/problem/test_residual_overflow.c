/* SPDX-License-Identifier: MIT */
/* Entries, answers and figures that are not finite in the checker. */
#include "residual_twin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void what_is_not_finite_is_not_solved(void **state)
{
    (void)state;
    int64_t start[] = {0, 1};
    int64_t index[] = {0};
    double one[] = {1};
    double huge[] = {1e308};
    saddle_problem p = {.n = 1,
                        .M = saddle_matrix_view(1, 1, start, index, one, SADDLE_SYMMETRY_LOWER)};
    double work[WORK];
    saddle_residual residual;
    double v = (double)NAN;
    saddle_residual_compute(&p, &v, NULL, NULL, work, &residual);
    assert_true(residual.total == INF);
    v = INF;
    saddle_residual_compute(&p, &v, NULL, NULL, work, &residual);
    assert_true(residual.total == INF);
    p.M.value = huge;
    v = 1e308; /* the product overflows */
    saddle_residual_compute(&p, &v, NULL, NULL, work, &residual);
    assert_true(residual.total == INF);
    v = 0;
    saddle_residual_compute(&p, &v, NULL, NULL, work, &residual);
    assert_true(residual.total == 0);
    /* a NaN that no product carries into a later value */
    int64_t none[] = {0, 0, 0};
    saddle_problem idle = {.n = 2,
                           .M = saddle_matrix_view(2, 2, none, NULL, NULL, SADDLE_SYMMETRY_NONE)};
    double hidden[] = {(double)NAN, 1};
    saddle_residual_compute(&idle, hidden, NULL, NULL, work, &residual);
    assert_true(residual.total == INF);
    saddle_problem rows = {.m = 2};
    double error;
    double w[] = {0, 0};
    saddle_solution given = {.m = 2, .lambda = hidden, .w = w};
    assert_int_equal(saddle_solution_check(NULL, &rows, &given, &residual, &error), SADDLE_OK);
    assert_true(residual.total == INF && error == INF);
    given.w = NULL;
    assert_int_equal(saddle_solution_check(NULL, &rows, &given, &residual, &error),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_solution_check(NULL, &rows, &given, &residual, NULL), SADDLE_OK);
    given.lambda = NULL;
    assert_int_equal(saddle_solution_check(NULL, &rows, &given, &residual, NULL),
                     SADDLE_INVALID_ARGUMENT);
    saddle_problem empty = {0};
    saddle_residual_compute(&empty, NULL, NULL, NULL, NULL, &residual);
    assert_true(residual.total == 0 && residual.worst_row == -1 && residual.worst_velocity == -1);
}

/* Two velocities, a row on each: M = diag, J = diag, R = 0.  Broken rows and sound ones, where a
 * unit, a term or S overflows. */
static void what_overflows_is_not_solved(void **state)
{
    (void)state;
    static struct {
        double M[2], J[2], f[2], b[2], v[2], lambda[2];
    } cases[] = {
        {{1, 1}, {1e200, 1}, {1, 1}, {1e200, 1}, {0, 1}, {-1e-200, 0}}, /* d */
        {{1, 1}, {1e160, 1}, {1, 1}, {1e160, 5}, {1, 1}, {0, 0}},
        {{1e-310, 1}, {1, 1}, {0, 0}, {1, 1}, {0, 0}, {0, 0}}, /* 1/M */
        {{1e-310, 1}, {0, 1}, {0, 0}, {0, 1}, {1, 0}, {0, 0}},
        {{1e-300, 1}, {1, 1}, {1e300, 0}, {1, 1}, {0, 0}, {0, 0}},    /* f/M */
        {{1, 1}, {1e-150, 1}, {0, 0}, {1e200, 1}, {0, 0}, {0, 0}},    /* S */
        {{1, 1}, {1, 1}, {0, 0}, {0, 0}, {1.2e308, 0}, {1.2e308, 0}}, /* terms that cancel */
    };
    int64_t start[] = {0, 1, 2};
    int64_t index[] = {0, 1};
    double work[WORK];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        saddle_problem p = {.n = 2, .m = 2, .f = cases[k].f, .b = cases[k].b};
        p.M = saddle_matrix_view(2, 2, start, index, cases[k].M, SADDLE_SYMMETRY_LOWER);
        p.Jt = saddle_matrix_view(2, 2, start, index, cases[k].J, SADDLE_SYMMETRY_NONE);
        saddle_residual r;
        saddle_residual_compute(&p, cases[k].v, cases[k].lambda, NULL, work, &r);
        if (!(r.total == INF)) fail_msg("case %zu: %g", k, r.total);
    }
}

static double delassus(const drawn *d, int64_t i)
{
    double sum = fabs(d->R[i][i]);
    for (int64_t j = 0; j < d->problem.n; j++)
        if (d->M[j][j] != 0) sum += d->J[i][j] * d->J[i][j] / fabs(d->M[j][j]);
    return sum;
}

/* 1: a contact of over 3 rows has slips or Delassus diagonals of 1e12 times each other's: what its
 * parts add up to is rounding. */
static int sums_are_rounding(const drawn *d, const double *w)
{
    for (int64_t k = 0; k < d->problem.contact_count; k++) {
        double least = INF, most = 0, soft = INF, stiff = 0;
        for (int64_t i = d->contacts[k].row; i < d->contacts[k].row + d->contacts[k].size; i++) {
            double size = delassus(d, i);
            if (w[i] != 0) least = fmin(least, fabs(w[i]));
            if (size != 0) soft = fmin(soft, size);
            most = fmax(most, fabs(w[i])), stiff = fmax(stiff, size);
        }
        if (d->contacts[k].size > 3 && (most > 1e12 * least || stiff > 1e12 * soft)) return 1;
    }
    return 0;
}

/* One entry or datum of a drawn problem becomes huge or tiny. */
static void what_overflows_in_the_definition_overflows_in_the_checker(void **state)
{
    (void)state;
    uint64_t random = test_seed();
    double work[WORK];
    int infinite = 0;
    for (int draw = 0; draw < 4000; draw++) {
        drawn d;
        double w[MOST];
        saddle_residual r;
        draw_any_problem(&random, &d);
        int64_t i = test_integer(&random, 0, MOST - 1);
        int64_t j = test_integer(&random, 0, MOST - 1);
        double *const entry[] = {&d.M[j][j], &d.J[i][j], &d.R[i][i],  &d.f[j],
                                 &d.b[i],    &d.v[j],    &d.lambda[i]};
        int64_t k = test_integer(&random, 0, 6);
        int tiny = k == 0 ? -1030 : -990;
        *entry[k] *= ldexp(1.0, test_integer(&random, 0, 1) ? 1000 : tiny);
        fill_matrices(&d);
        saddle_residual_compute(&d.problem, d.v, d.lambda, w, work, &r);
        measures twin = measure(&d, w);
        int is_noise = twin.growth > 1e12 || sums_are_rounding(&d, w); /* S too */
        if (isinf(r.total) != isinf(twin.total) || !(is_noise || near(r.total, twin.total, 1)))
            fail_msg("draw %d: %g, by definition %g", draw, r.total, twin.total);
        infinite += isinf(r.total) != 0;
        clear_drawn(&d);
    }
    assert_true(infinite > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_not_finite_is_not_solved),
        cmocka_unit_test(what_overflows_is_not_solved),
        cmocka_unit_test(what_overflows_in_the_definition_overflows_in_the_checker),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
