/* SPDX-License-Identifier: MIT */
/* Andrews' squeezing mechanism against the numbers of the test set for initial value problem
 * solvers, t = 0 and 0.03 s.
 *
 * Those of t = 0.03 are not exact: the seven equations of motion, written out and solved apart from
 * all this, give multipliers that differ from them by 1.5e-5 and agree with ours to 1e-8;
 * Richardson's extrapolation of our runs stops getting nearer to them at 1.5e-9 for q, 7e-7 for
 * v. */
#include <math.h>

#include "references.h"
#include "squeezer.h"

enum { STATE = 2 * SQUEEZER_BODIES }; /* q, v */

static const char *const problem = "andrews_squeezer";
static const double duration = 0.03;

static void reaction_forces_are_the_published_multipliers(void **unused)
{
    (void)unused;
    static const double within[2] = {1e-13, 1e-7}; /* of the largest */
    double q[2][SQUEEZER_BODIES], v[2][SQUEEZER_BODIES] = {{0}}, wanted[2][6], lambda[6];
    reference_numbers(problem, "q0", SQUEEZER_BODIES, q[0]);
    reference_numbers(problem, "lam0_1_2", 2, wanted[0]);
    reference_numbers(problem, "q_0.03", SQUEEZER_BODIES, q[1]);
    reference_numbers(problem, "v_0.03", SQUEEZER_BODIES, v[1]);
    reference_numbers(problem, "lam_0.03", 6, wanted[1]);
    for (int planar = 0; planar < 2; planar++) {
        for (int end = 0; end < 2; end++) {
            squeezer s;
            squeezer_begin(&s, q[end], v[end], planar);
            squeezer_multipliers(&s, lambda);
            const double error = reference_error(lambda, wanted[end], end == 0 ? 2 : 6);
            print_message("    squeezer, t = %g, %s: multipliers to %.2g of %.3g\n", end * duration,
                          planar ? "loops in the plane" : "redundant hinges", error,
                          wanted[end][0]);
            assert_true(error < within[end] * wanted[end][0]);
            squeezer_end(&s);
        }
    }
}

/* Steps of duration / of_all. */
static void squeeze(saddle_integrator integrator, int planar, int64_t steps, int64_t of_all,
                    double *state)
{
    double q[SQUEEZER_BODIES];
    squeezer s;
    reference_numbers(problem, "q0", SQUEEZER_BODIES, q);
    squeezer_begin(&s, q, NULL, planar);
    s.scene.options.integrator = integrator;
    s.scene.options.time_step = duration / (double)of_all;
    s.scene.options.projection = 1;
    motion_run(&s.scene, steps);
    assert_int_equal(saddle_stepper_report(s.scene.stepper)->m, planar ? 41 : 50);
    squeezer_read(&s, state, state + SQUEEZER_BODIES);
    squeezer_end(&s);
}

/* Velocities as what they move by in all. */
static double error_of(const double *state, const double *wanted)
{
    const double *v = state + SQUEEZER_BODIES, *wanted_v = wanted + SQUEEZER_BODIES;
    return fmax(reference_error(state, wanted, SQUEEZER_BODIES),
                duration * reference_error(v, wanted_v, SQUEEZER_BODIES));
}

static void read_end(double *wanted)
{
    reference_numbers(problem, "q_0.03", SQUEEZER_BODIES, wanted);
    reference_numbers(problem, "v_0.03", SQUEEZER_BODIES, wanted + SQUEEZER_BODIES);
}

/* Runs of 2000 and 4000 steps; where that is slow, a hundred of these steps and no claim. */
static void expect_order(saddle_integrator integrator, int wanted_order, double state[2][STATE])
{
    double wanted[STATE], error[2];
    if (test_is_slow()) {
        squeeze(integrator, 1, 100, 4000, state[0]);
        return;
    }
    read_end(wanted);
    for (int fine = 0; fine < 2; fine++) {
        const int64_t steps = INT64_C(2000) << fine;
        squeeze(integrator, 1, steps, steps, state[fine]);
        error[fine] = error_of(state[fine], wanted);
    }
    const double order = motion_order(error[0], error[1]);
    print_message("    squeezer, %s: error %.2g, order %.2f\n", saddle_integrator_word(integrator),
                  error[1], order);
    assert_true(fabs(order - wanted_order) < 0.1);
}

static void eulers_methods_lead_there_in_first_order(void **unused)
{
    (void)unused;
    double state[2][STATE];
    expect_order(SADDLE_INTEGRATOR_SYMPLECTIC_EULER, 1, state);
    expect_order(SADDLE_INTEGRATOR_IMPLICIT_EULER, 1, state);
}

/* And as near as the numbers are. */
static void expect_second_order(saddle_integrator integrator)
{
    double wanted[STATE], state[3][STATE];
    expect_order(integrator, 2, state);
    if (test_is_slow()) return;
    read_end(wanted);
    squeeze(integrator, 1, 8000, 8000, state[2]);
    reference_extrapolate(state[0], state[1], state[2], STATE);
    const double q = reference_error(state[2], wanted, SQUEEZER_BODIES);
    const double v = reference_error(state[2] + SQUEEZER_BODIES, wanted + SQUEEZER_BODIES,
                                     SQUEEZER_BODIES);
    print_message("    squeezer, %s, extrapolated: q to %.2g of %.3g, v to %.2g of %.4g\n",
                  saddle_integrator_word(integrator), q, wanted[0], v, wanted[SQUEEZER_BODIES]);
    assert_true(q < 5e-9 && v < 2e-6);
}

static void the_trapezoidal_rule_leads_there_in_second_order(void **unused)
{
    (void)unused;
    expect_second_order(SADDLE_INTEGRATOR_TRAPEZOIDAL);
}

static void bridson_marino_leads_there_in_second_order(void **unused)
{
    (void)unused;
    expect_second_order(SADDLE_INTEGRATOR_BRIDSON_MARINO);
}

/* Nine rows more, none of which says anything new. */
static void redundant_hinges_give_the_same_motion(void **unused)
{
    (void)unused;
    double state[2][STATE];
    for (int planar = 0; planar < 2; planar++)
        squeeze(SADDLE_INTEGRATOR_BRIDSON_MARINO, planar, 1000, 4000, state[planar]);
    const double error = error_of(state[0], state[1]);
    print_message("    squeezer, redundant hinges: another motion by %.2g\n", error);
    assert_true(error < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reaction_forces_are_the_published_multipliers),
        cmocka_unit_test(eulers_methods_lead_there_in_first_order),
        cmocka_unit_test(the_trapezoidal_rule_leads_there_in_second_order),
        cmocka_unit_test(bridson_marino_leads_there_in_second_order),
        cmocka_unit_test(redundant_hinges_give_the_same_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
