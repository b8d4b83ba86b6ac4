/* SPDX-License-Identifier: MIT */
/* Contacts of the collider through steps: balls that slide until they roll, stacks that stand,
 * boxes that land; and a joint's limit. */
#include <math.h>
#include <string.h>

#include "motion.h"

enum { BOXES = 4 };

static const saddle_handle ground = {0};

static void add_floor(motion *scene, saddle_collider **collider, double mu)
{
    assert_int_equal(saddle_collider_create(scene->model, collider), SADDLE_OK);
    saddle_touch_def def = saddle_touch_def_default();
    def.kind = SADDLE_TOUCH_PLANE;
    def.part = ground;
    def.mu = mu;
    assert_int_equal(saddle_collider_add(*collider, &def, NULL), SADDLE_OK);
    scene->options.collider = *collider;
}

/* Friction takes v0 to 5/7 v0 whatever mu is: the moment about where it touches stays.  Then
 * nothing acts: it rolls on for ever, while its axes turn by 0.16 rad a step: a finite update takes
 * it straight, an exponential one to second order. */
static void a_ball_rolls_at_five_sevenths_of_its_speed(void **unused)
{
    (void)unused;
    const double r = 0.1, I = 0.4 * r * r, moments[3] = {I, I, I}, twist[6] = {2, 1, 0, 0, 0, 0};
    const saddle_pose pose = {.p = {0, 0, 0.1}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    static const saddle_law laws[] = {SADDLE_LAW_CONE, SADDLE_LAW_PYRAMID};
    for (int l = 0; l < 2; l++) {
        for (int update = SADDLE_UPDATE_EXPONENTIAL; update <= SADDLE_UPDATE_FINITE; update++) {
            motion scene;
            saddle_collider *collider = NULL;
            motion_begin(&scene, NULL, motion_weight);
            scene.options.assembly.law = laws[l];
            scene.options.rotation = (saddle_rotation_update)update;
            scene.options.solver_options.tolerance = 1e-9;
            const saddle_handle ball = motion_body(&scene, moments, NULL, &pose, twist);
            add_floor(&scene, &collider, 0.3);
            saddle_touch_def def = saddle_touch_def_default();
            def.part = ball;
            def.size[0] = r;
            def.mu = 0.3;
            assert_int_equal(saddle_collider_add(collider, &def, NULL), SADDLE_OK);
            motion_run(&scene, 500);
            const saddle_energies energies = saddle_model_energies(scene.model);
            for (int i = 0; i < 3; i++) {
                const double allowed = update == SADDLE_UPDATE_FINITE ? 1e-7 : 1e-3;
                assert_true(fabs(energies.momentum[i] - twist[i] * 5 / 7) < allowed);
            }
            saddle_collider_free(collider);
            motion_end(&scene);
        }
    }
}

static void add_boxes(motion *scene, saddle_collider *collider)
{
    static const double moments[3] = {1.0 / 6, 1.0 / 6, 1.0 / 6};
    for (int k = 0; k < BOXES; k++) {
        const saddle_pose pose = {.p = {0.1 * (k % 2), 0.05 * k, 0.5 + k},
                                  .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        saddle_touch_def def = saddle_touch_def_default();
        def.kind = SADDLE_TOUCH_BOX;
        def.part = motion_body(scene, moments, NULL, &pose, NULL);
        assert_int_equal(saddle_collider_add(collider, &def, NULL), SADDLE_OK);
    }
}

static void a_stack_of_boxes_stands(void **unused)
{
    (void)unused;
    for (int k = SADDLE_SYMPLECTIC_EULER; k <= SADDLE_BRIDSON_MARINO; k++) {
        motion scene;
        saddle_collider *collider = NULL;
        motion_begin(&scene, NULL, motion_weight);
        scene.options.integrator = (saddle_integrator)k;
        scene.options.solver_options.tolerance = 1e-8;
        add_floor(&scene, &collider, 0.5);
        add_boxes(&scene, collider);
        motion_run(&scene, 2);
        int64_t analysed = 0, iterations = 0;
        for (int step = 0; step < 100; step++) {
            motion_run(&scene, 1);
            const saddle_step_report *report = saddle_stepper_report(scene.stepper);
            analysed += report->analysed;
            iterations += report->iterations;
            assert_int_equal(report->contacts, 4 * BOXES);
        }
        print_message("    %s: %.1f iterations a step\n",
                      saddle_integrator_word((saddle_integrator)k), (double)iterations / 100);
        assert_int_equal(analysed, 0);
        for (int box = 0; box < BOXES; box++) {
            const saddle_pose *pose = saddle_model_pose(scene.model,
                                                        saddle_model_part_at(scene.model, box));
            const double there[3] = {0.1 * (box % 2), 0.05 * box, 0.5 + box};
            assert_true(test_distance(pose->p, there, 3) < 1e-5);
        }
        saddle_collider_free(collider);
        motion_end(&scene);
    }
}

/* Boxes that fall flat with e = 0 stop where they land: no integrator but explicit Euler throws
 * them back. */
static void what_falls_comes_to_rest(void **unused)
{
    (void)unused;
    for (int k = SADDLE_SYMPLECTIC_EULER; k <= SADDLE_BRIDSON_MARINO; k++) {
        motion scene;
        saddle_collider *collider = NULL;
        motion_begin(&scene, NULL, motion_weight);
        scene.options.integrator = (saddle_integrator)k;
        scene.options.margin = 0.05; /* more than falls in a step */
        scene.options.solver_options.tolerance = 1e-6;
        scene.options.solver_options.max_iterations = 20000;
        add_floor(&scene, &collider, 0.5);
        add_boxes(&scene, collider);
        for (int box = 0; box < BOXES; box++) {
            saddle_model_pose(scene.model, saddle_model_part_at(scene.model, box))
                ->p[2] += 0.2 * (box + 1) + 1e-3;
        }
        double highest = 0;
        for (int step = 0; step < 150; step++) {
            motion_run(&scene, 1);
            for (int box = 0; box < BOXES && step > 45; box++) { /* all have landed: sqrt(2 0.8/g) =
                                                                    0.40 s */
                const double *v = saddle_model_velocity(scene.model,
                                                        saddle_model_part_at(scene.model, box));
                highest = fmax(highest, fabs(v[2]));
            }
        }
        print_message("    %s: %.2g m/s after landing\n",
                      saddle_integrator_word((saddle_integrator)k), highest);
        for (int box = 0; box < BOXES; box++) {
            const double z = saddle_model_pose(scene.model, saddle_model_part_at(scene.model, box))
                                 ->p[2];
            assert_true(fabs(z - (0.5 + box)) < 1e-3);
        }
        assert_true(highest < 1e-2);
        saddle_collider_free(collider);
        motion_end(&scene);
    }
}

/* A body turns about its hinge at 3 rad/s against a limit at 1 rad: e = 0 stops it there, e = 1/2
 * and 1 send it back. */
static void a_hinge_meets_its_limit_as_newton_says(void **unused)
{
    (void)unused;
    static const double moments[3] = {0.1, 0.1, 0.1}, twist[6] = {0, 0, 0, 0, 0, 3};
    for (int k = SADDLE_SYMPLECTIC_EULER; k <= SADDLE_BRIDSON_MARINO; k++) {
        for (int e = 0; e <= 2; e++) {
            motion scene;
            motion_begin(&scene, NULL, NULL);
            scene.options.integrator = (saddle_integrator)k;
            saddle_joint_def def = saddle_joint_def_default();
            saddle_handle hinge;
            double q, dq;
            def.kind = SADDLE_JOINT_HINGE;
            def.b = motion_body(&scene, moments, NULL, NULL, twist);
            def.free[0].hi = 1;
            def.free[0].limit_restitution = e / 2.0;
            assert_int_equal(saddle_model_add_joint(scene.model, &def, &hinge), SADDLE_OK);
            motion_run(&scene, 60);
            assert_int_equal(saddle_model_joint_coordinates(scene.model, hinge, &q, &dq),
                             SADDLE_OK);
            assert_true(fabs(dq + 3 * e / 2.0) < 1e-9);
            if (e == 0)
                assert_true(fabs(q - 1) < 1e-9);
            else
                assert_true(q < 1);
            motion_end(&scene);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_rolls_at_five_sevenths_of_its_speed),
        cmocka_unit_test(a_stack_of_boxes_stands),
        cmocka_unit_test(what_falls_comes_to_rest),
        cmocka_unit_test(a_hinge_meets_its_limit_as_newton_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
