/* SPDX-License-Identifier: MIT */
/* Hard systems have the properties given by the parameters. */
#include "support.h"

#include <math.h>

#include "generators.h"

static saddle_problem made(const saddle_hard_parameters *p)
{
    saddle_problem problem;
    assert_int_equal(saddle_generate_hard(NULL, p, &problem), SADDLE_OK);
    return problem;
}

static void masses_span_the_ratio_and_no_more(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++)
        for (double ratio = 1.0; ratio <= 1e12; ratio *= 1e6) {
            saddle_hard_parameters p = saddle_hard_default();
            p.kind = (saddle_hard_kind)kind;
            p.bodies = 60;
            p.mass_ratio = ratio;
            saddle_problem problem = made(&p);
            double least = INFINITY, most = 0.0;
            for (int64_t body = 0; body < p.bodies; body++) {
                const double mass = saddle_matrix_entry(&problem.M, 6 * body, 6 * body);
                least = fmin(least, mass);
                most = fmax(most, mass);
            }
            assert_true(most / least <= ratio * (1.0 + 1e-9));
            assert_true(most / least >= pow(ratio, 0.8) * (1.0 - 1e-9));
            saddle_problem_clear(&problem);
        }
}

/* Each repeated row depends on others, and no other does. */
static void repeated_rows_are_redundant(void **state)
{
    (void)state;
    int64_t before = -1;
    for (int part = 0; part <= 4; part++) {
        saddle_hard_parameters p = saddle_hard_default();
        saddle_rank rank;
        p.redundancy = 0.25 * part;
        saddle_problem problem = made(&p);
        const int64_t repeated = problem.m - 5 * p.bodies;
        assert_int_equal(saddle_rank_find(NULL, &problem, NULL, &rank), SADDLE_OK);
        assert_int_equal(rank.dependency_count, repeated);
        assert_int_equal(rank.inconsistent, 0);
        assert_true(repeated > before && (part > 0 || repeated == 0));
        if (part == 4) assert_int_equal(repeated, 5 * p.bodies);
        before = repeated;
        saddle_rank_clear(&rank);
        saddle_problem_clear(&problem);
    }
}

/* Velocities in mm/ms are those in m/s; angular ones in rad/ms are a thousandth. */
static void units_change_the_numbers_and_not_the_motion(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        saddle_hard_parameters p = saddle_hard_default();
        saddle_solution x[2] = {{0}, {0}};
        p.kind = (saddle_hard_kind)kind;
        p.bodies = 4;
        p.compliance = 1e-3;
        p.mass_ratio = 10.0;
        for (int k = 0; k < 2; k++) {
            p.units = k ? SADDLE_HARD_MM_G_MS : SADDLE_HARD_SI;
            saddle_problem problem = made(&p);
            saddle_options options = saddle_options_default();
            options.tolerance = 1e-12;
            assert_int_equal(saddle_solve(NULL, &problem, "auto", &options, NULL, &x[k], NULL),
                             SADDLE_OK);
            saddle_problem_clear(&problem);
        }
        double most = 0.0, off = 0.0;
        for (int64_t j = 0; j < x[0].n; j++) {
            most = fmax(most, fabs(x[0].v[j]));
            off = fmax(off, fabs(x[0].v[j] - x[1].v[j] * (j % 6 < 3 ? 1.0 : 1000.0)));
        }
        assert_true(most > 1e-3);
        if (!(off <= 1e-6 * most)) fail_msg("kind %d: off by %g of %g", kind, off, most);
        saddle_solution_clear(&x[0]);
        saddle_solution_clear(&x[1]);
    }
}

/* The top box slides where the push exceeds mu times its weight. */
static void a_tower_slides_by_its_push(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        saddle_hard_parameters p = saddle_hard_default();
        saddle_solution x = {0};
        p.kind = SADDLE_HARD_TOWER;
        p.bodies = 3;
        p.push = k ? 0.4 : 0.2;
        p.mu = 0.3;
        saddle_problem problem = made(&p);
        assert_int_equal(problem.contact_count, 3 * p.bodies);
        assert_int_equal(saddle_solve(NULL, &problem, "auto", NULL, NULL, &x, NULL), SADDLE_OK);
        const double speed = x.v[6 * (p.bodies - 1)];
        const double slides = 0.01 * 9.81 * (p.push - p.mu); /* h g (push - mu) */
        if (k)
            assert_true(fabs(speed - slides) < 1e-6);
        else
            assert_true(fabs(speed) < 1e-6);
        saddle_solution_clear(&x);
        saddle_problem_clear(&problem);
    }
}

static void the_same_seed_draws_the_same_and_parameters_have_ranges(void **state)
{
    (void)state;
    saddle_hard_parameters p = saddle_hard_default();
    saddle_problem a, b, c;
    p.mass_ratio = 1e3;
    a = made(&p);
    b = made(&p);
    p.seed = 2;
    c = made(&p);
    assert_memory_equal(a.M.value, b.M.value, sizeof(double) * 6);
    assert_true(a.M.value[0] < c.M.value[0] || a.M.value[0] > c.M.value[0]);
    saddle_problem_clear(&a);
    saddle_problem_clear(&b);
    saddle_problem_clear(&c);
    p.mass_ratio = 0.5;
    assert_int_equal(saddle_generate_hard(NULL, &p, &a), SADDLE_INVALID_ARGUMENT);
    p.mass_ratio = 1.0;
    p.redundancy = 1.5;
    assert_int_equal(saddle_generate_hard(NULL, &p, &a), SADDLE_INVALID_ARGUMENT);
    p.redundancy = 0.0;
    p.defect = 0.0;
    assert_int_equal(saddle_generate_hard(NULL, &p, &a), SADDLE_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_span_the_ratio_and_no_more),
        cmocka_unit_test(repeated_rows_are_redundant),
        cmocka_unit_test(units_change_the_numbers_and_not_the_motion),
        cmocka_unit_test(a_tower_slides_by_its_push),
        cmocka_unit_test(the_same_seed_draws_the_same_and_parameters_have_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
