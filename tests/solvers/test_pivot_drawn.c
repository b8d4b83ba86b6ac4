/* SPDX-License-Identifier: MIT */
/* pivot on drawn problems, by either basis: against brute force in any units, coupled and lagged
 * friction, unsymmetric masses against lemke. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_mixed.h"
#include "enumeration.h"
#include "pivot_bases.h"

/* ---- against brute force ---- */

static const double overgrown = 1e6; /* impulses, the data being of order one */

static int is_monotone(const mixed_kind *kind)
{
    return is_symmetric_class(kind) || kind->class == MIXED_MONOTONE ||
           kind->class == MIXED_SEMIMONOTONE;
}

typedef struct tally {
    int64_t solved, refused, proven;
    int64_t overgrown; /* impulses that live on the rounding of a singular W: to the checker, a
                          problem a rounding away */
} tally;

/* In units D; x.lambda comes back in the problem's own. */
static void judge(mixed *p, saddle_basis basis, const double *D, const enumeration *found, int draw,
                  tally *sum)
{
    double inverse[MIXED_MOST];
    saddle_solution x = {0};
    saddle_report report;
    mixed_change_units(&p->problem, D);
    saddle_status status = solve_by(&p->problem, basis, &x, &report);
    for (int64_t i = 0; i < p->problem.m; i++) inverse[i] = 1.0 / D[i];
    mixed_change_units(&p->problem, inverse);
    const char *said = strstr(report.note, "stalled ");
    /* the other note has no number there */
    int64_t stalled = said ? strtoll(said + strlen("stalled "), NULL, 10) : 0;
    int64_t on_velocities = strstr(report.note, "proximal steps on the velocities") != NULL;
    assert_int_equal(report.switches.regularized, stalled + on_velocities);
    if (found->count > 0 || p->kind.planted) {
        if (status != SADDLE_OK)
            fail_msg("draw %d: %s at %g", draw, saddle_status_name(status), report.residual.total);
        for (int64_t i = 0; i < p->problem.m; i++) x.lambda[i] *= D[i];
        double w[ENUMERATION_MOST];
        double defect = enumeration_defect(&p->problem, x.v, x.lambda, w);
        if (!(defect < 1e-8)) fail_msg("draw %d: defect %g", draw, defect);
        for (int64_t i = 0; is_symmetric_class(&p->kind) && i < p->problem.m && found->count > 0;
             i++)
            assert_true(fabs(w[i] - found->point[0].w[i]) < 1e-7 * (1.0 + fabs(w[i])));
        sum->solved++;
    } else if (enumeration_is_empty(found)) {
        double largest = 0.0;
        for (int64_t i = 0; i < p->problem.m; i++) largest = fmax(largest, fabs(x.lambda[i]));
        if (status == SADDLE_OK && !(largest > overgrown))
            fail_msg("draw %d: solved what has no solution", draw);
        sum->overgrown += status == SADDLE_OK;
        sum->proven += status == SADDLE_INFEASIBLE;
        sum->refused++;
    }
    saddle_solution_clear(&x);
}

static void agrees_with_brute_force(saddle_basis basis, int draws, tally *sum)
{
    uint64_t seed = test_seed();
    enumeration *found = calloc(1, sizeof *found);
    assert_non_null(found);
    for (int draw = 0; draw < draws;) {
        mixed_kind kind = mixed_draw_kind(&seed, draw % 50 == 0 ? 8 : 5);
        int taken = basis == SADDLE_BASIS_FACTOR ? is_symmetric_class(&kind) : is_monotone(&kind);
        if (!taken || kind.contacts) continue;
        mixed *p = mixed_draw(&seed, kind);
        double D[MIXED_MOST];
        int64_t decades = draw % 2 ? 0 : 20;
        for (int64_t i = 0; i < p->problem.m; i++)
            D[i] = ldexp(1.0, (int)test_integer(&seed, -decades, decades));
        enumerate_states(&p->problem, found);
        int solvable = found->count > 0 || p->kind.planted;
        if (!solvable || !is_symmetric_class(&kind)) /* the measure is one for all rows' units, or
                                                        R_ii may be 0 */
            for (int64_t i = 0; i < p->problem.m; i++) D[i] = 1.0;
        judge(p, basis, D, found, draw, sum);
        mixed_clear(p);
        draw++;
    }
    print_message("%d solved, %d without a solution, %d proven, %d overgrown\n", (int)sum->solved,
                  (int)sum->refused, (int)sum->proven, (int)sum->overgrown);
    assert_true(100 * sum->overgrown <= sum->refused);
    free(found);
}

static void rows_in_the_factor_give_the_answers_of_brute_force(void **state)
{
    (void)state;
    tally sum = {0, 0, 0, 0};
    agrees_with_brute_force(SADDLE_BASIS_FACTOR, 6000, &sum);
    assert_true(sum.solved > 3000 && sum.refused > 50 && 100 * sum.proven > 98 * sum.refused);
}

static void columns_give_the_answers_of_brute_force(void **state)
{
    (void)state;
    tally sum = {0, 0, 0, 0};
    agrees_with_brute_force(SADDLE_BASIS_COLUMNS, 6000, &sum);
    assert_true(sum.solved > 3000 && sum.refused > 50 && 100 * sum.proven > 98 * sum.refused);
}

/* Box contacts; where friction is large nothing is promised, but "solved" is always true, and
 * nearly all are. */
static void friction_bounds_follow_their_own_normal_impulse(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    enumeration *found = calloc(1, sizeof *found);
    assert_non_null(found);
    int64_t solved = 0;
    int64_t solvable = 0;
    for (int draw = 0; draw < 3000;) {
        mixed_kind kind = mixed_draw_kind(&seed, 7);
        if (!kind.contacts) continue;
        mixed *p = mixed_draw(&seed, kind);
        draw++;
        p->problem.law = SADDLE_LAW_BOX;
        enumerate_states(&p->problem, found);
        saddle_solution x = {0};
        saddle_status status = solve_by(&p->problem,
                                        draw % 2 ? SADDLE_BASIS_BEST : SADDLE_BASIS_COLUMNS, &x,
                                        NULL);
        assert_true(status >= 0);
        if (status == SADDLE_OK)
            assert_true(enumeration_defect(&p->problem, x.v, x.lambda, NULL) < 1e-8);
        if (enumeration_is_empty(found)) assert_int_not_equal(status, SADDLE_OK);
        if (found->count > 0) assert_int_not_equal(status, SADDLE_INFEASIBLE);
        solvable += found->count > 0;
        solved += found->count > 0 && status == SADDLE_OK;
        saddle_solution_clear(&x);
        mixed_clear(p);
    }
    print_message("%d of %d with a solution are solved\n", (int)solved, (int)solvable);
    assert_true(solvable > 2000 && 100 * solved > 98 * solvable);
    free(found);
}

/* Bounds of the step before: what says it is solved obeys the coupled law, and most settle. */
static void friction_that_lags_and_settles_solves_the_coupled_law(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    int64_t solved[2] = {0, 0};
    int64_t taken[2] = {0, 0};
    for (int draw = 0; draw < 1000;) {
        mixed_kind kind = mixed_draw_kind(&seed, 7);
        if (!kind.contacts || !kind.planted) continue;
        mixed *p = mixed_draw(&seed, kind);
        draw++;
        p->problem.law = SADDLE_LAW_BOX;
        for (int k = 0; k < 2; k++) {
            if (both[k] == SADDLE_BASIS_FACTOR && !is_symmetric_class(&kind)) continue;
            saddle_options options = saddle_options_default();
            options.settings = both[k] == SADDLE_BASIS_FACTOR
                                   ? "pivot.basis=factor pivot.lagged_friction=on"
                                   : "pivot.basis=columns pivot.lagged_friction=on";
            options.max_refinements = 200;
            saddle_solution x = {0};
            saddle_status status = saddle_solve(NULL, &p->problem, "pivot", &options, NULL, &x,
                                                NULL);
            assert_true(status >= 0 && status != SADDLE_INFEASIBLE);
            if (status == SADDLE_OK)
                assert_true(enumeration_defect(&p->problem, x.v, x.lambda, NULL) < 1e-8);
            taken[k]++;
            solved[k] += status == SADDLE_OK;
            saddle_solution_clear(&x);
        }
        mixed_clear(p);
    }
    print_message("factor: %d of %d, columns: %d of %d\n", (int)solved[0], (int)taken[0],
                  (int)solved[1], (int)taken[1]);
    for (int k = 0; k < 2; k++) assert_true(taken[k] > 200 && 10 * solved[k] > 8 * taken[k]);
}

/* ---- unsymmetric M ---- */

/* M + S, S skew, velocities and rows drawn; equality, unilateral and box rows: lemke, which owes
 * nothing to pivoting, agrees. */
static void unsymmetric_masses_agree_with_lemke(void **state)
{
    (void)state;
    enum { MOST = 12 };
    uint64_t seed = test_seed();
    for (int draw = 0; draw < test_draws(300); draw++) {
        int64_t n = test_integer(&seed, 2, MOST);
        int64_t m = test_integer(&seed, 1, MOST);
        int64_t row[MOST * MOST], col[MOST * MOST], count = 0;
        double value[MOST * MOST], f[MOST], b[MOST], lo[MOST], hi[MOST];
        saddle_problem p = {.n = n, .m = m, .f = f, .b = b, .lo = lo, .hi = hi};
        for (int64_t i = 0; i < n; i++) {
            f[i] = test_uniform(&seed, -1.0, 1.0);
            for (int64_t j = 0; j < n; j++) {
                row[count] = i;
                col[count] = j;
                double skew = i < j ? 0.3 * (double)((i * 7 + j * 3) % 5)
                                    : -0.3 * (double)((j * 7 + i * 3) % 5);
                value[count++] = i == j ? 2.0 : skew;
            }
        }
        assert_int_equal(saddle_matrix_from_triplets(NULL, n, n, count, row, col, value,
                                                     SADDLE_SYMMETRY_NONE, &p.M),
                         SADDLE_OK);
        count = 0;
        for (int64_t i = 0; i < m; i++) {
            int64_t kind = i < n / 2 ? test_integer(&seed, 0, 2) : test_integer(&seed, 1, 2);
            b[i] = test_uniform(&seed, -1.0, 1.0);
            lo[i] = kind == 0 ? -(double)INFINITY : kind == 1 ? 0.0 : -0.5;
            hi[i] = kind == 2 ? 0.5 : (double)INFINITY;
            for (int64_t j = 0; j < n; j++) {
                row[count] = j;
                col[count] = i;
                value[count++] = test_uniform(&seed, -1.0, 1.0) + (i == j ? 2.0 : 0.0);
            }
        }
        assert_int_equal(saddle_matrix_from_triplets(NULL, n, m, count, row, col, value,
                                                     SADDLE_SYMMETRY_NONE, &p.Jt),
                         SADDLE_OK);
        saddle_solution x = {0}, y = {0};
        saddle_status expected = saddle_solve(NULL, &p, "lemke", NULL, NULL, &y, NULL);
        saddle_status status = solve_by(&p, SADDLE_BASIS_BEST, &x, NULL);
        if (expected == SADDLE_OK) {
            assert_int_equal(status, SADDLE_OK);
            for (int64_t j = 0; j < n; j++)
                assert_true(fabs(x.v[j] - y.v[j]) < 1e-8 * (1.0 + fabs(y.v[j])));
        }
        saddle_solution_clear(&x);
        saddle_solution_clear(&y);
        saddle_matrix_clear(&p.M);
        saddle_matrix_clear(&p.Jt);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_in_the_factor_give_the_answers_of_brute_force),
        cmocka_unit_test(columns_give_the_answers_of_brute_force),
        cmocka_unit_test(friction_bounds_follow_their_own_normal_impulse),
        cmocka_unit_test(friction_that_lags_and_settles_solves_the_coupled_law),
        cmocka_unit_test(unsymmetric_masses_agree_with_lemke),
    };
    return cmocka_run_group_tests_name("pivot", tests, NULL, NULL);
}
