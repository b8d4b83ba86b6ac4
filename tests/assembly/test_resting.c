/* SPDX-License-Identifier: MIT */
/* Contacts of the collider through steps: sliding balls begin to roll, stacks stand, boxes land;
 * and a limit of a joint. */
#include <math.h>
#include <string.h>

#include "motion.h"
#include "space/space.h"

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
        for (int update = SADDLE_ROTATION_UPDATE_EXPONENTIAL;
             update <= SADDLE_ROTATION_UPDATE_FINITE; update++) {
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
                const double allowed = update == SADDLE_ROTATION_UPDATE_FINITE ? 1e-7 : 1e-3;
                assert_true(fabs(energies.momentum[i] - twist[i] * 5 / 7) < allowed);
            }
            saddle_collider_free(collider);
            motion_end(&scene);
        }
    }
}

/* A ball of mass 1 on the floor, tilted by an angle towards x, with coefficients of its own. */
typedef struct ball {
    motion scene;
    saddle_collider *collider;
    saddle_handle part;
} ball;

static const double ball_radius = 0.1, ball_moment = 0.004; /* 2/5 m r^2 */

static void ball_begin(ball *b, double angle, double torsion, double rolling, const double *twist)
{
    const double moments[3] = {ball_moment, ball_moment, ball_moment};
    const double gravity[3] = {9.81 * sin(angle), 0, -9.81 * cos(angle)};
    const saddle_pose pose = {.p = {0, 0, ball_radius}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    *b = (ball){.collider = NULL};
    motion_begin(&b->scene, NULL, gravity);
    b->scene.options.time_step = 0.001;
    b->scene.options.rotation = SADDLE_ROTATION_UPDATE_FINITE;
    b->part = motion_body(&b->scene, moments, NULL, &pose, twist);
    add_floor(&b->scene, &b->collider, 0.5);
    saddle_touch_def def = saddle_touch_def_default();
    def.part = b->part;
    def.size[0] = ball_radius;
    def.mu_torsion = torsion;
    def.mu_rolling = rolling;
    assert_int_equal(saddle_collider_add(b->collider, &def, NULL), SADDLE_OK);
}

/* twist (6): linear, angular, in the world. */
static void ball_twist(ball *b, double *twist)
{
    const saddle_pose *pose = saddle_model_pose(b->scene.model, b->part);
    const double *v = saddle_model_velocity(b->scene.model, b->part);
    for (int k = 0; k < 6; k += 3) saddle__rotate(pose->R, v + k, twist + k);
}

static void ball_end(ball *b)
{
    saddle_collider_free(b->collider);
    motion_end(&b->scene);
}

/* About where it touches, (m r^2 + I) dv/dt / r = -mu_r m g: it slows down by 5/7 mu_r g / r and
 * stays where it has stopped. */
static void rolling_friction_stops_a_ball_in_time(void **unused)
{
    (void)unused;
    const double speed = 0.5, rolling = 0.01, torsion = 0.005;
    const double twist[6] = {speed, 0, 0, 0, speed / ball_radius, 0};
    const double slowing = 5.0 / 7 * rolling * 9.81 / ball_radius;
    for (int trial = 0; trial < 2; trial++) { /* torsion is there, or not: there is no spin */
        ball b;
        double now[6];
        ball_begin(&b, 0, trial ? torsion : 0, rolling, twist);
        motion_run(&b.scene, 300);
        ball_twist(&b, now);
        assert_true(fabs(now[0] - (speed - 0.3 * slowing)) <= 1e-6); /* turning axes: h^2 w^2/2 */
        assert_true(fabs(now[4] * ball_radius - (speed - 0.3 * slowing)) <= 1e-6);
        motion_run(&b.scene, 700); /* it stands after 0.71 s */
        ball_twist(&b, now);
        for (int k = 0; k < 6; k++) assert_true(fabs(now[k]) <= 1e-8);
        const double way = saddle_model_pose(b.scene.model, b.part)->p[0];
        assert_true(fabs(way - speed * speed / (2 * slowing)) <= 1e-3);
        ball_end(&b);
    }
}

/* I domega/dt = -mu_s m g, whatever it rolls. */
static void torsional_friction_stops_a_spinning_ball_in_time(void **unused)
{
    (void)unused;
    const double spin = 8, torsion = 0.002, slowing = torsion * 9.81 / ball_moment;
    const double twist[6] = {0, 0, 0, 0, 0, spin};
    for (int trial = 0; trial < 2; trial++) {
        ball b;
        double now[6];
        ball_begin(&b, 0, torsion, trial ? 0.01 : 0, twist);
        motion_run(&b.scene, 1000);
        ball_twist(&b, now);
        assert_true(fabs(now[5] - (spin - slowing)) <= 1e-7);
        motion_run(&b.scene, 700); /* it stands after 1.63 s */
        ball_twist(&b, now);
        for (int k = 0; k < 6; k++) assert_true(fabs(now[k]) <= 1e-8);
        ball_end(&b);
    }
}

/* The moment m g r sin(angle) about where it touches is at most mu_r m g cos(angle). */
static void a_ball_rolls_on_slopes_steeper_than_mu_over_its_radius(void **unused)
{
    (void)unused;
    const double rolling = 0.01, least = atan(rolling / ball_radius);
    for (int side = -1; side <= 1; side += 2) {
        const double angle = least * (1 + 0.02 * side);
        const double rate = 5.0 / 7 * 9.81 * (sin(angle) - cos(angle) * rolling / ball_radius);
        ball b;
        double now[6];
        ball_begin(&b, angle, 0, rolling, NULL);
        motion_run(&b.scene, 200);
        ball_twist(&b, now);
        assert_true(fabs(now[0] - (side > 0 ? 0.2 * rate : 0)) <= 1e-8);
        ball_end(&b);
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
    for (int k = SADDLE_INTEGRATOR_SYMPLECTIC_EULER; k <= SADDLE_INTEGRATOR_BRIDSON_MARINO; k++) {
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

/* Boxes that fall flat with e = 0 rest where they land, with every integrator but explicit Euler.
 */
static void what_falls_comes_to_rest(void **unused)
{
    (void)unused;
    for (int k = SADDLE_INTEGRATOR_SYMPLECTIC_EULER; k <= SADDLE_INTEGRATOR_BRIDSON_MARINO; k++) {
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
    for (int k = SADDLE_INTEGRATOR_SYMPLECTIC_EULER; k <= SADDLE_INTEGRATOR_BRIDSON_MARINO; k++) {
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
        cmocka_unit_test(rolling_friction_stops_a_ball_in_time),
        cmocka_unit_test(torsional_friction_stops_a_spinning_ball_in_time),
        cmocka_unit_test(a_ball_rolls_on_slopes_steeper_than_mu_over_its_radius),
        cmocka_unit_test(a_stack_of_boxes_stands),
        cmocka_unit_test(what_falls_comes_to_rest),
        cmocka_unit_test(a_hinge_meets_its_limit_as_newton_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
