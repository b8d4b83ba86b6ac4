/* SPDX-License-Identifier: MIT */
/* The independent checker against its own definition written out densely here, and under change of
 * units. */
#include "residual_twin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problem/cone.h"
#include "problem/verdict.h"

static void checker_is_its_definition(void **state)
{
    (void)state;
    uint64_t random = test_seed();
    double work[WORK];
    for (int draw = 0; draw < 4000; draw++) {
        drawn d;
        draw_any_problem(&random, &d);
        assert_int_equal(saddle_problem_check(NULL, &d.problem, NULL, NULL), SADDLE_OK);
        assert_true(saddle_residual_work_size(&d.problem) <= WORK);
        double w[MOST];
        double twin_w[MOST];
        saddle_residual r;
        saddle_residual_compute(&d.problem, d.v, d.lambda, w, work, &r);
        measures twin = measure(&d, twin_w);
        double largest = 1;
        for (int64_t i = 0; i < d.problem.m; i++) largest = fmax(largest, fabs(d.lambda[i]));
        for (int64_t i = 0; i < d.problem.m; i++) assert_true(near(w[i], twin_w[i], 1e2 * largest));
        double exact[] = {r.growth,      twin.growth, r.dynamics,
                          twin.dynamics, r.normwise,  twin.normwise};
        double mapped[] = {
            r.rows,     twin.rows, r.cone,      twin.cone,         r.local,
            twin.local, r.bounds,  twin.bounds, r.complementarity, twin.complementarity};
        for (int k = 0; k < 6; k += 2)
            if (!near(exact[k], exact[k + 1], 1))
                fail_msg("draw %d: %d: %g, by definition %g", draw, k, exact[k], exact[k + 1]);
        for (int k = 0; k < 10; k += 2)
            if (!near(mapped[k], mapped[k + 1], 1))
                fail_msg("draw %d: map %d: %g, by definition %g", draw, k, mapped[k],
                         mapped[k + 1]);
        assert_true(near(r.natural_map, twin.natural_map, 1) &&
                    near(r.natural_map_q, twin.natural_map_q, largest));
        assert_true(near(r.total, twin.total, 1) &&
                    r.total == fmax(r.dynamics, fmax(r.rows, r.cone)));
        clear_drawn(&d);
    }
}

/* After a measure of zeros, which keeps what M, J, R and f give, and before any. */
static void a_measure_after_another_has_the_same_bits(void **state)
{
    (void)state;
    uint64_t random = test_seed();
    static const double zero[MOST];
    for (int draw = 0; draw < 1000; draw++) {
        drawn d;
        draw_any_problem(&random, &d);
        double work[WORK], w[MOST], w_after[MOST];
        saddle__units units = {0};
        saddle_residual r, after;
        saddle_residual_compute(&d.problem, d.v, d.lambda, w, work, &r);
        saddle__residual_of_parts(&d.problem, NULL, &units, zero, zero, NULL, work, &after);
        assert_true(units.known);
        for (int time = 0; time < 2; time++) {
            saddle__residual_of_parts(&d.problem, NULL, &units, d.v, d.lambda, w_after, work,
                                      &after);
            assert_memory_equal(w, w_after, (size_t)d.problem.m * sizeof *w);
            assert_memory_equal(&r, &after, sizeof r);
        }
        clear_drawn(&d);
    }
}

/* ---- units ---- */

static void units_of_velocities_and_rows_change_no_bit(void **state)
{
    (void)state;
    uint64_t random = test_seed();
    for (int draw = 0; draw < 4000; draw++) {
        drawn d;
        draw_any_problem(&random, &d);
        saddle_residual before = residual_of(&d);
        draw_units(&random, &d, NULL);
        saddle_residual after = residual_of(&d);
        int same = after.dynamics == before.dynamics && after.rows == before.rows &&
                   after.cone == before.cone && after.total == before.total &&
                   after.local == before.local && after.growth == before.growth &&
                   after.bounds == before.bounds &&
                   after.complementarity == before.complementarity &&
                   after.worst_row == before.worst_row &&
                   after.worst_velocity == before.worst_velocity &&
                   after.worst_local == before.worst_local && after.unitless == before.unitless;
        if (!same) fail_msg("draw %d: %.17g, then %.17g", draw, before.total, after.total);
        clear_drawn(&d);
    }
}

/* Masses in units of 1/a, time in units of 1/c: M a/c, R c/a, f a, b c, v c, lambda a. */
static void units_of_mass_and_time_change_no_more_than_rounding(void **state)
{
    (void)state;
    uint64_t random = test_seed();
    for (int draw = 0; draw < 500; draw++) {
        drawn d;
        draw_any_problem(&random, &d);
        saddle_residual before = residual_of(&d);
        double a = test_uniform(&random, 1e-4, 1e4);
        double c = test_uniform(&random, 1e-4, 1e4);
        for (int64_t k = 0; k < saddle_matrix_entries(&d.problem.M); k++)
            d.problem.M.value[k] *= a / c;
        for (int64_t k = 0; k < saddle_matrix_entries(&d.problem.R); k++)
            d.problem.R.value[k] *= c / a;
        for (int64_t j = 0; j < d.problem.n; j++) d.f[j] *= a, d.v[j] *= c;
        for (int64_t i = 0; i < d.problem.m; i++)
            d.b[i] *= c, d.lambda[i] *= a, d.lo[i] *= a, d.hi[i] *= a;
        saddle_residual after = residual_of(&d);
        assert_true(near(after.dynamics, before.dynamics, 1) && near(after.rows, before.rows, 1));
        assert_true(near(after.cone, before.cone, 1) && near(after.local, before.local, 1));
        assert_true(near(after.growth, before.growth, 1) && near(after.bounds, before.bounds, 1));
        clear_drawn(&d);
    }
}

/* v is free to run away from the row, and f = 1 has nothing to work against; R makes the row's
 * unit, and v's, tiny. */
static void what_pushes_a_velocity_without_mass_is_not_hidden_by_its_speed(void **state)
{
    (void)state;
    int64_t start[] = {0, 1}, empty[] = {0, 0}, index[] = {0};
    double J[] = {-1}, R[] = {1e-9}, f[] = {1}, b[] = {1}, lo[] = {-INF}, hi[] = {0},
           lambda[] = {0}, work[WORK];
    saddle_problem p = {.n = 1, .m = 1, .f = f, .b = b, .lo = lo, .hi = hi};
    p.M = saddle_matrix_view(1, 1, empty, NULL, NULL, SADDLE_SYMMETRY_LOWER);
    p.Jt = saddle_matrix_view(1, 1, start, index, J, SADDLE_SYMMETRY_NONE);
    p.R = saddle_matrix_view(1, 1, start, index, R, SADDLE_SYMMETRY_LOWER);
    for (double v = 1e3; v < 1e9; v *= 10) {
        saddle_residual r;
        saddle_residual_compute(&p, &v, lambda, NULL, work, &r);
        assert_true(r.dynamics == 1);
    }
}

/* A row without entries, w = -1 at its lower bound, is as wrong in any unit of impulse; so is one
 * that moves a velocity without mass alone. */
static void rows_without_a_unit_are_wrong_in_every_unit(void **state)
{
    (void)state;
    int64_t start[] = {0, 1, 1}, empty[] = {0, 0, 0}, index[] = {0}, entry[] = {0, 1, 2},
            both[] = {0, 1};
    double lo[] = {-INF, 0}, hi[] = {INF, INF};
    for (int power = -40; power <= 40; power += 8) {
        double unit = ldexp(1.0, power);
        double one[] = {1}, J[] = {1, 1}, f[] = {unit, 0}, b[] = {0, unit}, v[] = {unit, 0},
               lambda[] = {0, 0};
        double work[WORK];
        saddle_residual r;
        saddle_problem p = {.n = 2, .m = 2, .f = f, .b = b, .lo = lo, .hi = hi};
        p.M = saddle_matrix_view(2, 2, start, index, one, SADDLE_SYMMETRY_LOWER);
        p.Jt = saddle_matrix_view(2, 2, empty, NULL, NULL, SADDLE_SYMMETRY_NONE);
        saddle_residual_compute(&p, v, lambda, NULL, work, &r);
        assert_true(r.rows == 1 && r.worst_row == 1 && r.unitless == 2);
        p.Jt = saddle_matrix_view(2, 2, entry, both, J, SADDLE_SYMMETRY_NONE);
        b[0] = unit;
        saddle_residual_compute(&p, v, lambda, NULL, work, &r);
        assert_true(r.rows == 1 && r.worst_row == 1 && r.unitless == 1);
    }
}

/* ---- figures and names ---- */

static void the_worst_row_and_velocity_are_named(void **state)
{
    (void)state;
    double b[] = {1, 5, 2}, one[] = {1, 1, 1};
    int64_t start[] = {0, 1, 2, 3}, index[] = {0, 1, 2};
    saddle_problem p = {.m = 3,
                        .b = b,
                        .R = saddle_matrix_view(3, 3, start, index, one, SADDLE_SYMMETRY_LOWER)};
    double lambda[3] = {0};
    double work[WORK];
    saddle_residual residual;
    saddle_residual_compute(&p, NULL, lambda, NULL, work, &residual);
    assert_int_equal(residual.worst_row, 1);
    assert_true(residual.rows == 1); /* |w_2| / |b| */
    assert_int_equal(residual.worst_velocity, -1);
}

static void a_solution_of_the_wrong_size_is_refused(void **state)
{
    (void)state;
    saddle_problem p = {.m = 1};
    saddle_solution solution = {.m = 2};
    saddle_residual residual;
    assert_int_equal(saddle_solution_check(NULL, &p, &solution, &residual, NULL),
                     SADDLE_INVALID_ARGUMENT);
}

static void a_wrong_w_is_measured(void **state)
{
    (void)state;
    double b[] = {-4};
    double lo[] = {0};
    saddle_problem p = {.m = 1, .b = b, .lo = lo};
    double lambda[] = {0};
    double w[] = {3};
    saddle_solution solution = {.m = 1, .lambda = lambda, .w = w};
    saddle_residual residual;
    double error;
    assert_int_equal(saddle_solution_check(NULL, &p, &solution, &residual, &error), SADDLE_OK);
    assert_true(residual.total == 0);
    assert_true(error == 0.25);
}

/* Rows 1 and 2 ask x + y = 1 and x + y = 2 of impulses of 1e13; an empty row that asks nothing (b <
 * 0 on [0, INF)) is no datum by which the growth could be measured. */
static void a_spare_row_does_not_hide_growth(void **state)
{
    (void)state;
    int64_t start[] = {0, 0, 0, 2, 4, 4}, index[] = {0, 1, 0, 1};
    double one[] = {1, 1, 1, 1}, b[] = {1, 2, 0, 0, -1}, lo[] = {-INF, -INF, -INF, -INF, 0},
           hi[] = {INF, INF, INF, INF, INF}, lambda[] = {0, 0, 1e13, 1 - 1e13, 0}, work[64];
    saddle_residual r;
    saddle_problem p = {.m = 5, .b = b, .lo = lo, .hi = hi};
    p.R = saddle_matrix_view(5, 5, start, index, one, SADDLE_SYMMETRY_NONE);
    saddle_residual_compute(&p, NULL, lambda, NULL, work, &r);
    assert_true(r.growth > 1e12 && !saddle_residual_is_solved(&r, 1e-10));
}

/* lambda = 1e-310 at its bound makes d infinite, and 0 times infinity no number. */
static void a_map_that_is_no_number_is_not_solved(void **state)
{
    (void)state;
    double b[] = {1}, lo[] = {1e-310}, hi[] = {INF}, lambda[] = {1e-310}, work[16];
    saddle_residual r;
    saddle_problem p = {.m = 1, .b = b, .lo = lo, .hi = hi};
    saddle_residual_compute(&p, NULL, lambda, NULL, work, &r);
    assert_false(saddle_residual_is_solved(&r, 1e-2));
}

/* A row without a unit, 0 out of its bounds: the bound that is there measures the impulse. */
static void a_row_without_a_unit_is_measured_in_every_unit_of_impulse(void **state)
{
    (void)state;
    double first = -1;
    for (int power = 0; power <= 60; power += 20) {
        double unit = ldexp(1, -power);
        int64_t start[] = {0, 1, 2}, index[] = {1, 0};
        double R[] = {1 / unit, 1 / unit}, lo[] = {-INF, -INF}, hi[] = {-unit, INF},
               b[] = {1 / unit, 0}, lambda[] = {0, 1 + 0x1p-43}, work[32];
        saddle_residual r;
        saddle_problem p = {.m = 2, .b = b, .lo = lo, .hi = hi};
        p.R = saddle_matrix_view(2, 2, start, index, R, SADDLE_SYMMETRY_NONE);
        saddle_residual_compute(&p, NULL, lambda, NULL, work, &r);
        if (power == 0) first = r.rows;
        assert_true(r.rows == first && r.rows > 0.1);
    }
}

static void a_cone_of_boundless_friction_is_a_half_space(void **state)
{
    (void)state;
    double x[3] = {-1, 3, 4};
    saddle__cone cone = saddle__cone_of(&(saddle_contact){.size = 3, .mu = 1e160});
    saddle__project_cone(&cone, x);
    assert_true(x[0] >= 0 && x[0] < 1e-150);
    assert_true(fabs(x[1] - 3) < 1e-14 && fabs(x[2] - 4) < 1e-14);
}

/* A contact of 4 to 6 rows, and weights of its parts (1 of the tangents). */
static saddle_contact draw_wide(uint64_t *random, double *weight)
{
    saddle_contact contact = {.size = test_integer(random, 4, 6)};
    contact.mu = test_integer(random, 0, 6) ? test_uniform(random, 0, 2) : 0;
    if (contact.size != 5) contact.mu_torsion = test_uniform(random, 0, 1);
    if (contact.size > 4)
        contact.mu_rolling = test_integer(random, 0, 6) ? test_uniform(random, 0, 1) : 0;
    weight[0] = 1, weight[1] = ldexp(1, (int)test_integer(random, -4, 4));
    weight[2] = ldexp(1, (int)test_integer(random, -4, 4));
    return contact;
}

/* The cone in the distance with d_0 = 1, the drawn weights. */
static saddle__cone weighted(const saddle_contact *contact, const double *weight)
{
    double d[6] = {1};
    saddle__cone cone = saddle__cone_of(contact);
    for (int64_t i = 1; i < contact->size; i++) d[i] = weight[part_of(contact->size, i)];
    saddle__cone_weigh(&cone, d);
    return cone;
}

static void projections_on_cones_with_torsion_and_rolling_are_the_nearest_points(void **state)
{
    (void)state;
    uint64_t random = test_seed();
    int inside = 0, apex = 0, between = 0;
    for (int draw = 0; draw < 20000; draw++) {
        double weight[3], x[6];
        saddle_contact contact = draw_wide(&random, weight);
        saddle__cone cone = weighted(&contact, weight);
        long double from[6], nearest[6];
        for (int i = 0; i < 6; i++)
            x[i] = test_uniform(&random, -2, 2) * (i && draw % 5 == 0 ? 0.1 : 1);
        if (draw % 11 == 0) x[3] = x[4] = x[5] = 0;
        for (int i = 0; i < 6; i++) from[i] = x[i];
        int at = saddle__cone_state(&cone, x);
        nearest_in_cone(&contact, weight, from, nearest);
        saddle__project_cone(&cone, x);
        for (int64_t i = 0; i < contact.size; i++) assert_true(fabsl(x[i] - nearest[i]) < 1e-14L);
        inside += at == 1, apex += at == 0, between += at > 1;
    }
    assert_true(inside > 100 && apex > 1000 && between > 1000);
}

/* M = c I, J = I, b tangential: zero is the answer, -w lies on the polar cone's boundary, and no
 * datum measures rounding. */
static void a_contact_that_slides_without_impulse_is_solved_by_zero(void **state)
{
    (void)state;
    uint64_t random = test_seed();
    for (int draw = 0; draw < 2000; draw++) {
        drawn d = {.symmetry = SADDLE_SYMMETRY_LOWER};
        double weight[3], mass = test_uniform(&random, 0.1, 10);
        saddle_contact *contact = &d.contacts[0];
        *contact = draw_wide(&random, weight);
        d.problem = (saddle_problem){.n = contact->size,
                                     .m = contact->size,
                                     .f = d.f,
                                     .b = d.b,
                                     .contacts = contact,
                                     .contact_count = 1,
                                     .law = SADDLE_LAW_CONE};
        for (int64_t i = 0; i < contact->size; i++) {
            d.M[i][i] = mass * weight[i ? part_of(contact->size, i) : 0];
            d.J[i][i] = 1;
            d.b[i] = i ? test_uniform(&random, -2, 2) : 0;
        }
        fill_matrices(&d);
        saddle_residual r = residual_of(&d);
        assert_true(r.total == 0 && r.local == 0 && saddle_residual_is_solved(&r, 1e-10));
        clear_drawn(&d);
    }
}

/* Where a step of 1e-6 does not leave the state. */
static void derivatives_of_projections_are_their_differences(void **state)
{
    (void)state;
    uint64_t random = test_seed();
    int compared = 0;
    for (int draw = 0; draw < 3000; draw++) {
        double weight[3], x[6], Z[6][6];
        saddle_contact contact = draw_wide(&random, weight);
        if (draw % 3 == 0) contact = (saddle_contact){.size = 2 + draw % 2, .mu = 0.5};
        saddle__cone cone = weighted(&contact, weight);
        for (int i = 0; i < 6; i++) x[i] = test_uniform(&random, -2, 2);
        saddle__cone_derivative(&cone, x, Z);
        for (int64_t j = 0; j < contact.size; j++) {
            double ahead[6], behind[6];
            memcpy(ahead, x, sizeof x), memcpy(behind, x, sizeof x);
            ahead[j] += 1e-6, behind[j] -= 1e-6;
            if (saddle__cone_state(&cone, ahead) != saddle__cone_state(&cone, behind)) continue;
            saddle__project_cone(&cone, ahead);
            saddle__project_cone(&cone, behind);
            for (int64_t i = 0; i < contact.size; i++)
                assert_true(fabs(Z[i][j] - (ahead[i] - behind[i]) / 2e-6) < 1e-5);
            compared++;
        }
    }
    assert_true(compared > 10000);
}

static void projections_are_the_nearest_points(void **state)
{
    (void)state;
    uint64_t random = test_seed();
    for (int draw = 0; draw < 20000; draw++) {
        double mu = draw % 7 == 0 ? 0 : test_uniform(&random, 0, 2);
        int64_t size = 2 + draw % 2;
        double x[3] = {test_uniform(&random, -2, 2), test_uniform(&random, -2, 2),
                       test_uniform(&random, -2, 2)};
        if (draw % 11 == 0) x[1] = x[2] = 0;
        long double from[3] = {x[0], x[1], x[2]};
        long double in_cone[3];
        saddle_contact contact = {.size = size, .mu = mu};
        nearest_in_cone(&contact, NULL, from, in_cone);
        saddle__cone cone = saddle__cone_of(&contact);
        saddle__project_cone(&cone, x);
        for (int64_t i = 0; i < size; i++) assert_true(fabsl(x[i] - in_cone[i]) < 1e-14L);

        double radius = test_uniform(&random, -0.2, 1);
        int64_t facets = test_integer(&random, 3, 12);
        double t[2] = {test_uniform(&random, -2, 2), test_uniform(&random, -2, 2)};
        double nearest[2];
        nearest_in_polygon(radius, facets, t, nearest);
        saddle__project_polygon(radius, facets, t);
        assert_true(fabs(t[0] - nearest[0]) < 1e-12 && fabs(t[1] - nearest[1]) < 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checker_is_its_definition),
        cmocka_unit_test(a_measure_after_another_has_the_same_bits),
        cmocka_unit_test(units_of_velocities_and_rows_change_no_bit),
        cmocka_unit_test(units_of_mass_and_time_change_no_more_than_rounding),
        cmocka_unit_test(what_pushes_a_velocity_without_mass_is_not_hidden_by_its_speed),
        cmocka_unit_test(rows_without_a_unit_are_wrong_in_every_unit),
        cmocka_unit_test(the_worst_row_and_velocity_are_named),
        cmocka_unit_test(a_solution_of_the_wrong_size_is_refused),
        cmocka_unit_test(a_wrong_w_is_measured),
        cmocka_unit_test(a_spare_row_does_not_hide_growth),
        cmocka_unit_test(a_map_that_is_no_number_is_not_solved),
        cmocka_unit_test(a_row_without_a_unit_is_measured_in_every_unit_of_impulse),
        cmocka_unit_test(a_cone_of_boundless_friction_is_a_half_space),
        cmocka_unit_test(projections_are_the_nearest_points),
        cmocka_unit_test(projections_on_cones_with_torsion_and_rolling_are_the_nearest_points),
        cmocka_unit_test(a_contact_that_slides_without_impulse_is_solved_by_zero),
        cmocka_unit_test(derivatives_of_projections_are_their_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
