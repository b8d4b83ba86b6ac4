/* SPDX-License-Identifier: MIT */
/* A heap of boxes under Coulomb's law as it falls and comes to rest: each step is solved, whatever
 * sticks and slides. */
#include <math.h>

#include "../../bench/multibody/pile.h"
#include "support.h"

enum { BOXES = 25, STEPS = 160 };

static void every_step_of_a_pile_is_solved_and_energy_falls(void **state)
{
    (void)state;
    mechanism_scene scene;
    saddle_stepper_options options = saddle_stepper_options_default();
    saddle_stepper *stepper;
    int64_t contacts = 0;
    assert_int_equal(mechanism_pile(NULL, BOXES, &scene), SADDLE_OK);
    options.time_step = scene.time_step;
    options.collider = scene.collider;
    options.solver_options.tolerance = 1e-6;
    assert_int_equal(saddle_stepper_create(scene.model, &options, &stepper), SADDLE_OK);
    const saddle_energies first = saddle_model_energies(scene.model);
    for (int k = 0; k < STEPS; k++) {
        assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
        assert_true(saddle_stepper_report(stepper)->residual <= 1e-6);
        contacts = saddle_stepper_report(stepper)->contacts;
    }
    const saddle_energies last = saddle_model_energies(scene.model);
    assert_true(contacts >= 3 * BOXES);
    assert_true(last.kinetic + last.gravity < first.kinetic + first.gravity);
    assert_true(last.kinetic < 0.2 * (first.gravity - last.gravity)); /* most of what fell is at
                                                                         rest */
    saddle_stepper_free(stepper);
    saddle_collider_free(scene.collider);
    saddle_model_free(scene.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_step_of_a_pile_is_solved_and_energy_falls)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
