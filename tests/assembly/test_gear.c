/* SPDX-License-Identifier: MIT */
/* Gears and armatures: derivatives by differences, wheels in closed form, bounds, changed joints,
 * bad input. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "differences.h"
#include "drawn_parts.h"
#include "model_internal.h"
#include "saddle/gear.h"
#include "saddle/ode.h"
#include "saddle/scene.h"

/* ---- derivatives ---- */

static saddle_handle drawn_joint(saddle_model *model, uint64_t *state, saddle_handle a,
                                 saddle_handle b)
{
    static const saddle_joint_kind kinds[] = {SADDLE_JOINT_HINGE, SADDLE_JOINT_SLIDER,
                                              SADDLE_JOINT_BALL, SADDLE_JOINT_UNIVERSAL};
    saddle_joint_def def = saddle_joint_def_default();
    saddle_handle joint;
    def.kind = kinds[test_integer(state, 0, 3)];
    def.a = a;
    def.b = b;
    def.frame_a = test_draw_pose(state, 1);
    def.frame_b = test_draw_pose(state, 1);
    assert_int_equal(saddle_model_add_joint(model, &def, &joint), SADDLE_OK);
    return joint;
}

/* Two or three terms on a chain of bodies, one of them on the ground. */
static void derivatives_of_gears_are_exact(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int compared = 0;
    for (int trial = 0; trial < 300; trial++) {
        saddle_model *model = NULL;
        saddle_gear_term term[3];
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        const saddle_handle body[3] = {test_draw_body(model, &state, 1),
                                       test_draw_body(model, &state, 1),
                                       test_draw_body(model, &state, 1)};
        for (int k = 0; k < 3; k++)
            term[k] = (saddle_gear_term){drawn_joint(model, &state,
                                                     k == 0 ? (saddle_handle){0} : body[k - 1],
                                                     body[k]),
                                         0, test_uniform(&state, -2, 2)};
        const saddle_gear_def def = {.count = 2 + trial % 2, .terms = term, .hi = trial % 3};
        saddle_handle gear;
        assert_int_equal(saddle_model_add_gear(model, &def, &gear), SADDLE_OK);
        const saddle__item_link *link = saddle__model_constraint(model, gear);
        test_site site;
        test_errors errors;
        test_site_of(model, link->count, link->anchors, saddle_model_constraint_data(model, gear),
                     &site);
        assert_int_equal(link->rows, def.hi > 0 ? 2 : 1);
        if (test_constraint_errors(link->constraint, &site, link->rows, &state, &errors) ==
                SADDLE_OK &&
            errors.largest < 100) { /* else near a gimbal lock */
            assert_true(errors.J < 1e-6);
            assert_true(errors.drift < 1e-4);
            assert_true(errors.stiffness < 1e-4);
            compared++;
        }
        saddle_model_free(model);
    }
    assert_true(compared > 200);
}

/* ---- two wheels ---- */

#define WHEELS                                                                                   \
    "{\"format\": \"saddle-scene\", \"version\": 1, \"time_step\": 0.01, \"bodies\": ["          \
    "{\"name\": \"small\", \"shape\": \"cylinder\", \"radius\": 1, \"length\": 1, \"mass\": 4}," \
    "{\"name\": \"large\", \"shape\": \"cylinder\", \"radius\": 3, \"length\": 1, \"mass\": 6, " \
    "\"position\": [4, 0, 0]}],\n\"joints\": ["                                                  \
    "{\"name\": \"p\", \"kind\": \"hinge\", \"b\": \"small\"},"                                  \
    "{\"name\": \"q\", \"kind\": \"hinge\", \"b\": \"large\", \"at\": [4, 0, 0]}],\n\"gears\": "

static void read_wheels(const char *gears, saddle_scene *scene)
{
    char text[2000];
    snprintf(text, sizeof text, "%s%s}", WHEELS, gears);
    assert_int_equal(saddle_scene_read_text(NULL, text, (int64_t)strlen(text), NULL, NULL, scene),
                     SADDLE_OK);
}

/* p + 3 q = 0: a moment on the small wheel turns both, as a wheel of J1 + J2 / 9; through many
 * turns. */
static void a_gear_pair_turns_as_one_wheel(void **unused)
{
    (void)unused;
    saddle_scene scene;
    saddle_stepper *stepper = NULL;
    read_wheels("[{\"terms\": [{\"joint\": \"p\", \"factor\": 1}, {\"joint\": \"q\", \"factor\": "
                "3}], \"bounds\": [0, 0]}]",
                &scene);
    const double inertia = 4 * 1.0 / 2 + 6 * 9.0 / 2 / 9, moment[6] = {0, 0, 0, 0, 0, 2};
    const saddle_handle small = saddle_model_find(scene.model, "small");
    assert_int_equal(saddle_stepper_create(scene.model, &scene.options, &stepper), SADDLE_OK);
    for (int step = 0; step < 2000; step++) {
        assert_int_equal(saddle_model_push(scene.model, small, moment), SADDLE_OK);
        assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    }
    double p, q, dp, dq;
    assert_int_equal(saddle_model_joint_coordinates(scene.model,
                                                    saddle_model_find(scene.model, "p"), &p, &dp),
                     SADDLE_OK);
    assert_int_equal(saddle_model_joint_coordinates(scene.model,
                                                    saddle_model_find(scene.model, "q"), &q, &dq),
                     SADDLE_OK);
    assert_true(p > 10 * 2 * acos(-1));
    assert_true(fabs(dp - 2 / inertia * 20) < 1e-9);
    assert_true(fabs(dp + 3 * dq) < 1e-9);
    assert_true(fabs(p + 3 * q) < 1e-8);
    saddle_stepper_free(stepper);
    saddle_scene_clear(&scene);
}

/* p + q <= 1: both wheels run free until then. */
static void a_gear_with_a_bound_stops_the_sum(void **unused)
{
    (void)unused;
    saddle_scene scene;
    saddle_stepper *stepper = NULL;
    read_wheels("[{\"terms\": [{\"joint\": \"p\", \"factor\": 1}, {\"joint\": \"q\", \"factor\": "
                "1}], \"bounds\": [null, 1]}]",
                &scene);
    saddle_model_velocity(scene.model, saddle_model_find(scene.model, "small"))[5] = 2;
    assert_int_equal(saddle_stepper_create(scene.model, &scene.options, &stepper), SADDLE_OK);
    for (int step = 0; step < 100; step++) {
        double p, q, dq;
        assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
        saddle_model_joint_coordinates(scene.model, saddle_model_find(scene.model, "p"), &p, NULL);
        saddle_model_joint_coordinates(scene.model, saddle_model_find(scene.model, "q"), &q, &dq);
        assert_true(p + q < 1 + 1e-9);
        if (step == 48) assert_true(dq == 0);
        if (step == 60) assert_true(dq < -0.1);
    }
    saddle_stepper_free(stepper);
    saddle_scene_clear(&scene);
}

/* ---- armatures ---- */

/* A rotor of 5 kg m^2 on the large wheel: one moment accelerates J + 5, in each integrator, and the
 * energy is that of both. */
static void an_armature_is_inertia_of_its_coordinate(void **unused)
{
    (void)unused;
    for (int integrator = 0; integrator <= SADDLE_INTEGRATOR_BRIDSON_MARINO; integrator++) {
        saddle_scene scene;
        saddle_stepper *stepper = NULL;
        saddle_handle force;
        const saddle_armature armature = {5};
        const double inertia = 6 * 9.0 / 2 + 5, moment[6] = {0, 0, 0, 0, 0, 2};
        read_wheels("[]", &scene);
        const saddle_handle large = saddle_model_find(scene.model, "large");
        assert_int_equal(saddle_model_add_armature(scene.model, NULL,
                                                   saddle_model_find(scene.model, "q"), 0,
                                                   &armature, &force),
                         SADDLE_OK);
        scene.options.integrator = (saddle_integrator)integrator;
        assert_int_equal(saddle_stepper_create(scene.model, &scene.options, &stepper), SADDLE_OK);
        for (int step = 0; step < 100; step++) {
            assert_int_equal(saddle_model_push(scene.model, large, moment), SADDLE_OK);
            assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
        }
        const double omega = saddle_model_velocity(scene.model, large)[5];
        assert_true(fabs(omega - 2 / inertia) < 1e-12);
        assert_true(fabs(saddle_model_energies(scene.model).kinetic - inertia * omega * omega / 2) <
                    1e-12);
        saddle_stepper_free(stepper);
        saddle_scene_clear(&scene);
    }
}

/* M of an armature is that of its kinetic energy, and its force that of the change of M: -d(Mv)/dt
 * + dT/dq in body coordinates, by power: F'v = -d(v'Mv/2)/dt at constant v. */
static void an_armature_takes_the_power_of_its_change(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int compared = 0;
    for (int trial = 0; trial < 200; trial++) {
        saddle_model *model = NULL;
        saddle_handle force;
        const saddle_armature armature = {1.5};
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        const saddle_handle a = test_draw_body(model, &state, 1),
                            b = test_draw_body(model, &state, 1);
        const saddle_handle joint = drawn_joint(model, &state, a, b);
        assert_int_equal(saddle_model_add_armature(model, "rotor", joint, 0, &armature, &force),
                         SADDLE_OK);
        const saddle__item_link *link = saddle__model_force(model, force);
        test_site site;
        double wrench[2][6] = {{0}}, *const to[2] = {wrench[0], wrench[1]}, power = 0, T[2];
        test_site_of(model, 2, link->anchors, saddle_model_force_data(model, force), &site);
        saddle_site view = test_site_view(&site);
        if (link->force->evaluate(NULL, &view, to) == SADDLE_OK) {
            for (int k = 0; k < 12; k++)
                power += wrench[k / 6][k % 6] * site.velocity[k / 6][k % 6];
            for (int side = 0; side < 2; side++) {
                test_site_advance(&site, side == 0 ? -1e-5 : 2e-5);
                view = test_site_view(&site);
                T[side] = link->force->kinetic(&view);
            }
            if (fabs(power) < 100) {
                assert_true(fabs(power + (T[1] - T[0]) / 2e-5) < 1e-5 * (1 + fabs(power)));
                compared++;
            }
        }
        saddle_model_free(model);
    }
    assert_true(compared > 120);
}

/* An arm on a ball joint with a slide on it, whose armature is three times its mass; with `frame`
 * the slider's end on the arm is a frame without mass, attached. */
static void read_arm(int frame, saddle_scene *scene)
{
    static const char text[] =
        "{\"format\": \"saddle-scene\", \"version\": 1, \"gravity\": [0, 0, -9.81],\n"
        "\"bodies\": [{\"name\": \"arm\", \"shape\": \"box\", \"size\": [1, 0.1, 0.2], \"mass\": "
        "2, \"position\": [0.5, 0, 0], \"twist\": [0, 1, -0.5, 0, 1, 2]},\n"
        "{\"name\": \"slide\", \"shape\": \"box\", \"size\": [0.2, 0.1, 0.2], \"mass\": 1, "
        "\"position\": [0.8, 0, 0], \"twist\": [0.5, 1.6, -0.8, 0, 1, 2]}%s],\n"
        "\"joints\": [{\"kind\": \"ball\", \"b\": \"arm\"}, {\"kind\": \"slider\", \"a\": "
        "\"%s\", \"b\": \"slide\", \"at\": [0.8, 0, 0], \"axis\": [1, 0, 0], \"free\": "
        "[{\"armature\": 3, \"spring\": {\"stiffness\": 40}}]}]%s}";
    char filled[2000];
    snprintf(filled, sizeof filled, text,
             frame ? ",\n{\"name\": \"frame\", \"massless\": true, \"position\": [0.4, 0.1, 0], "
                     "\"axis\": [1, 2, 3], \"angle\": 1}"
                   : "",
             frame ? "frame" : "arm",
             frame ? ", \"attach\": [{\"part\": \"frame\", \"to\": \"arm\"}]" : "");
    assert_int_equal(saddle_scene_read_text(NULL, filled, (int64_t)strlen(filled), NULL, NULL,
                                            scene),
                     SADDLE_OK);
}

/* Where the slide is at 0.25 s, by the equations of motion and the classical Runge-Kutta scheme. */
static void slide_by_ode(double *place)
{
    saddle_scene scene;
    saddle_ode *ode = NULL;
    double y[26], between[26], rate[4][26];
    const double share[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1}, h = 0.25 / 200;
    read_arm(0, &scene);
    assert_int_equal(saddle_ode_create(scene.model, &ode), SADDLE_OK);
    assert_int_equal(saddle_ode_size(ode), 26);
    saddle_ode_get(ode, y);
    for (int step = 0; step < 200; step++) {
        for (int s = 0; s < 4; s++) {
            for (int i = 0; i < 26; i++)
                between[i] = y[i] + (s == 0 ? 0 : share[s] * h * rate[s - 1][i]);
            assert_int_equal(saddle_ode_rates(ode, 0, between, rate[s]), SADDLE_OK);
        }
        for (int i = 0; i < 26; i++)
            for (int s = 0; s < 4; s++) y[i] += h / 6 * weight[s] * rate[s][i];
    }
    for (int i = 0; i < 3; i++) place[i] = y[7 + i];
    saddle_ode_free(ode);
    saddle_scene_clear(&scene);
}

static double slide_error(int integrator, int frame, int steps, const double *place)
{
    saddle_scene scene;
    saddle_stepper *stepper = NULL;
    read_arm(frame, &scene);
    scene.options.integrator = (saddle_integrator)integrator;
    scene.options.time_step = 0.25 / steps;
    assert_int_equal(saddle_stepper_create(scene.model, &scene.options, &stepper), SADDLE_OK);
    for (int k = 0; k < steps; k++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    const double *x = saddle_model_position(scene.model, saddle_model_find(scene.model, "slide"));
    const double error = hypot(hypot(x[0] - place[0], x[1] - place[1]), x[2] - place[2]);
    saddle_stepper_free(stepper);
    saddle_scene_clear(&scene);
    return error;
}

static void an_armature_on_parts_that_turn_converges(void **unused)
{
    (void)unused;
    double place[3];
    slide_by_ode(place);
    for (int integrator = 0; integrator <= SADDLE_INTEGRATOR_BRIDSON_MARINO; integrator++) {
        for (int frame = 0; frame < 2; frame++) {
            const double error = slide_error(integrator, frame, 100, place),
                         half = slide_error(integrator, frame, 200, place);
            assert_true(error < 0.01 && half < 0.55 * error);
        }
    }
}

/* ---- changed joints ---- */

typedef struct followers { /* of a joint with one coordinate: a spring, an armature and a gear */
    saddle_model *model;
    saddle_handle joint, gear;
    saddle_joint_spring spring;
    saddle_armature armature;
} followers;

/* Energies and the gear's row are those of the joint's q and dq/dt. */
static void compare_followers(const followers *on)
{
    double q, dq, bare, phi[1], J[2][6];
    saddle_constraint_values values = {.phi = phi, .rate = J[0], .J = (double *[]){J[0], J[1]}};
    const saddle__item_link *gear = saddle__model_constraint(on->model, on->gear);
    assert_int_equal(saddle_model_joint_coordinates(on->model, on->joint, &q, &dq), SADDLE_OK);
    saddle_armature *armature = saddle_model_force_data(on->model,
                                                        saddle_model_find(on->model, "rotor"));
    armature->inertia = 0;
    bare = saddle_model_energies(on->model).kinetic;
    armature->inertia = on->armature.inertia;
    const saddle_energies with = saddle_model_energies(on->model);
    const double stretch = q - on->spring.rest;
    assert_true(fabs(with.elastic - on->spring.stiffness * stretch * stretch / 2) <
                1e-12 * (1 + with.elastic));
    assert_true(fabs(with.kinetic - bare - on->armature.inertia * dq * dq / 2) <
                1e-12 * (1 + with.kinetic));
    test_site site;
    test_site_of(on->model, 2, gear->anchors, gear->data, &site);
    const saddle_site view = test_site_view(&site);
    assert_int_equal(gear->constraint->evaluate(NULL, &view, &values), SADDLE_OK);
    assert_true(fabs(phi[0] - (3 * q - 1)) < 1e-12 * (1 + fabs(q)));
}

/* In coordinates the next assembly moves the body to its joint's new frames. */
static void springs_armatures_and_gears_follow_changed_frames(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < 60; trial++) {
        saddle_joint_def def = saddle_joint_def_default();
        followers on = {.spring = {.stiffness = 2, .rest = 0.3}, .armature = {1.5}};
        saddle_handle force;
        saddle_assembly *assembly = NULL;
        assert_int_equal(saddle_model_create(NULL, &on.model), SADDLE_OK);
        def.a = test_draw_body(on.model, &state, 1);
        def.b = test_draw_body(on.model, &state, 1);
        def.kind = trial % 2 ? SADDLE_JOINT_HINGE : SADDLE_JOINT_SLIDER;
        def.form = trial / 2 % 2 ? SADDLE_JOINT_FORM_ROWS : SADDLE_JOINT_FORM_COORDINATES;
        if (trial % 3 == 0) {
            def.kind = SADDLE_JOINT_MOTION;
            def.motion = saddle_motion_revolute();
        }
        const saddle_pose at = test_draw_pose(&state, 1);
        assert_int_equal(saddle_joint_def_at(on.model, &at, &def), SADDLE_OK);
        assert_int_equal(saddle_model_add_joint(on.model, &def, &on.joint), SADDLE_OK);
        const saddle_gear_term term = {on.joint, 0, 3};
        const saddle_gear_def gear = {.count = 1, .terms = &term, .lo = 1, .hi = 1};
        assert_int_equal(saddle_model_add_joint_spring(on.model, NULL, on.joint, 0, &on.spring,
                                                       &force),
                         SADDLE_OK);
        assert_int_equal(saddle_model_add_armature(on.model, "rotor", on.joint, 0, &on.armature,
                                                   &force),
                         SADDLE_OK);
        assert_int_equal(saddle_model_add_gear(on.model, &gear, &on.gear), SADDLE_OK);
        for (int change = 0; change < 2; change++) {
            if (change > 0) {
                saddle_joint_def *now = saddle_model_joint(on.model, on.joint);
                const saddle_pose by = test_draw_pose(&state, 0.5);
                now->frame_a = saddle_pose_multiply(&now->frame_a, &by);
                now->frame_b.p[2] += test_uniform(&state, -1, 1);
                assert_int_equal(saddle_model_joint_changed(on.model, on.joint), SADDLE_OK);
            }
            assert_int_equal(saddle_assembly_create(on.model, NULL, &assembly), SADDLE_OK);
            compare_followers(&on);
            saddle_assembly_free(assembly);
        }
        saddle_model_free(on.model);
    }
}

/* ---- bad input ---- */

static void what_is_wrong_is_refused_by_name(void **unused)
{
    (void)unused;
    static const struct {
        const char *gears, *says;
    } wrongs[] = {
        {"[{\"name\": \"g\", \"terms\": [], \"bounds\": [0, 0]}]", "a gear has 1 to 32 \"terms\""},
        {"[{\"name\": \"g\", \"terms\": [{\"joint\": \"r\", \"factor\": 1}], \"bounds\": [0, 0]}]",
         "there is no joint of the name \"r\""},
        {"[{\"name\": \"g\", \"terms\": [{\"joint\": \"p\", \"coordinate\": 1, \"factor\": 1}], "
         "\"bounds\": [0, 0]}]",
         "gear 'g': the joint has no such free coordinate"},
        {"[{\"name\": \"g\", \"terms\": [{\"joint\": \"p\", \"factor\": 1}], \"bounds\": [1, 0]}]",
         "gear 'g': lo > hi"},
        {"[{\"name\": \"g\", \"terms\": [{\"joint\": \"p\", \"factor\": 1}], \"bounds\": [null, "
         "null]}]",
         "neither is finite"},
        {"[{\"name\": \"g\", \"terms\": [{\"joint\": \"p\", \"factor\": 1e200}], \"bounds\": [0, "
         "0]}]",
         "gear 'g': factor is 1e+200"},
        {"[{\"name\": \"p\", \"terms\": [{\"joint\": \"p\", \"factor\": 1}], \"bounds\": [0, 0]}]",
         "there is already a joint"},
        {"[{\"name\": \"g\", \"terms\": [{\"joint\": \"p\", \"factor\": 1}]}]",
         "\"bounds\" is missing"},
    };
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    for (size_t k = 0; k < sizeof wrongs / sizeof *wrongs; k++) {
        char text[2000];
        saddle_scene scene;
        snprintf(text, sizeof text, "%s%s}", WHEELS, wrongs[k].gears);
        assert_int_equal(saddle_scene_read_text(context, text, (int64_t)strlen(text), "s", NULL,
                                                &scene),
                         SADDLE_BAD_FILE);
        if (!strstr(saddle_context_message(context), wrongs[k].says))
            fail_msg("%s\n  says: %s", wrongs[k].gears, saddle_context_message(context));
    }
    saddle_context_free(context);
}

static saddle_status sweep(saddle_context *context, void *unused)
{
    char text[2000];
    saddle_scene scene;
    (void)unused;
    snprintf(text, sizeof text, "%s%s}", WHEELS,
             "[{\"terms\": [{\"joint\": \"p\", \"factor\": 1}], \"bounds\": [0, 0]}]");
    const saddle_status status = saddle_scene_read_text(context, text, (int64_t)strlen(text), "s",
                                                        NULL, &scene);
    saddle_scene_clear(&scene);
    return status;
}

static void no_failing_allocation_leaks(void **unused)
{
    (void)unused;
    assert_true(test_allocation_sweep(sweep, NULL) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_of_gears_are_exact),
        cmocka_unit_test(a_gear_pair_turns_as_one_wheel),
        cmocka_unit_test(a_gear_with_a_bound_stops_the_sum),
        cmocka_unit_test(an_armature_is_inertia_of_its_coordinate),
        cmocka_unit_test(an_armature_takes_the_power_of_its_change),
        cmocka_unit_test(an_armature_on_parts_that_turn_converges),
        cmocka_unit_test(springs_armatures_and_gears_follow_changed_frames),
        cmocka_unit_test(what_is_wrong_is_refused_by_name),
        cmocka_unit_test(no_failing_allocation_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
