/* SPDX-License-Identifier: MIT */
/* Steppers: bad options are refused, failed steps leave the model unchanged; reports, patterns,
 * warm starts, memory, equal bits of equal runs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motion.h"

enum { INTEGRATORS = SADDLE_INTEGRATOR_BRIDSON_MARINO + 1 };

static const saddle_handle ground = {0};
static const double up[3] = {0, 0, 1};

/* ---- options ---- */

static void options_out_of_range_are_refused_by_name(void **unused)
{
    (void)unused;
    motion scene;
    motion_begin(&scene, NULL, NULL);
    const struct {
        saddle_stepper_options options;
        const char *says;
        saddle_status status;
    } cases[] = {
        {{.time_step = 0}, "time_step", SADDLE_INVALID_ARGUMENT},
        {{.time_step = (double)NAN}, "time_step", SADDLE_INVALID_ARGUMENT},
        {{.time_step = 1, .integrator = (saddle_integrator)7},
         "integrator is 7",
         SADDLE_INVALID_ARGUMENT},
        {{.time_step = 1, .rotation = (saddle_rotation_update)3},
         "rotation is 3",
         SADDLE_INVALID_ARGUMENT},
        {{.time_step = 1, .projection = -1}, "projection", SADDLE_INVALID_ARGUMENT},
        {{.time_step = 1, .projection_tolerance = -1},
         "projection_tolerance",
         SADDLE_INVALID_ARGUMENT},
        {{.time_step = 1, .margin = (double)INFINITY}, "margin", SADDLE_INVALID_ARGUMENT},
        {{.time_step = 1, .max_separation_speed = -1},
         "max_separation_speed",
         SADDLE_INVALID_ARGUMENT},
        {{.time_step = 1, .max_separation_speed = (double)NAN},
         "max_separation_speed",
         SADDLE_INVALID_ARGUMENT},
        {{.time_step = 1, .solver = "abacus"}, "abacus", SADDLE_UNKNOWN_NAME},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        saddle_stepper_options options = cases[k].options;
        options.solver_options = saddle_options_default();
        saddle_stepper *stepper = NULL;
        assert_int_equal(saddle_stepper_create(scene.model, &options, &stepper), cases[k].status);
        assert_null(stepper);
        assert_non_null(strstr(saddle_context_message(scene.context), cases[k].says));
    }
    motion_end(&scene);
}

/* Explicit Euler with a stiff spring: the state before the step that leaves the range remains. */
static void a_diverging_motion_ends_with_its_step_time_and_part(void **unused)
{
    (void)unused;
    saddle_context *context = NULL;
    motion scene;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    motion_begin(&scene, context, NULL);
    scene.options.integrator = SADDLE_INTEGRATOR_EXPLICIT_EULER;
    scene.options.time_step = 0.1;
    const saddle_particle_def still = {.name = "still", .mass = 1},
                              fast = {.name = "fast", .mass = 1, .position = {0, 0, 1}};
    saddle_handle first, second, force;
    assert_int_equal(saddle_model_add_particle(scene.model, &still, &first), SADDLE_OK);
    assert_int_equal(saddle_model_add_particle(scene.model, &fast, &second), SADDLE_OK);
    const saddle_spring stiff = {.stiffness = 1e9, .rest_length = 0.5};
    assert_int_equal(saddle_model_add_spring(scene.model, "stiff", (saddle_anchor){second, 0},
                                             (saddle_anchor){ground, 0}, &stiff, &force),
                     SADDLE_OK);
    saddle_status status = SADDLE_OK;
    for (int step = 0; step < 1000 && status == SADDLE_OK; step++) status = motion_step(&scene);
    assert_int_equal(status, SADDLE_INVALID_PROBLEM);
    const saddle_step_report *report = saddle_stepper_report(scene.stepper);
    char expected[100];
    snprintf(expected, sizeof expected, "step %lld, to time %g s: the velocity of particle 'fast'",
             (long long)report->step + 1, 0.1 * (double)(report->step + 1));
    assert_non_null(strstr(saddle_context_message(context), expected));
    const saddle_energies energies = saddle_model_energies(scene.model);
    assert_true(isfinite(energies.kinetic) && isfinite(energies.elastic));
    assert_true(saddle_model_time(scene.model) == report->time);
    motion_end(&scene);
    saddle_context_free(context);
}

static void integrators_have_words(void **unused)
{
    (void)unused;
    for (int k = 0; k < INTEGRATORS; k++) {
        saddle_integrator found = (saddle_integrator)-1;
        assert_int_equal(saddle_integrator_from_word(saddle_integrator_word((saddle_integrator)k),
                                                     &found),
                         SADDLE_OK);
        assert_int_equal(found, k);
    }
    saddle_integrator found;
    assert_int_equal(saddle_integrator_from_word("euler", &found), SADDLE_UNKNOWN_NAME);
    assert_string_equal(saddle_integrator_word((saddle_integrator)INTEGRATORS), "?");
}

static void an_empty_model_steps(void **unused)
{
    (void)unused;
    for (int k = 0; k < INTEGRATORS; k++) {
        motion scene;
        motion_begin(&scene, NULL, motion_weight);
        scene.options.integrator = (saddle_integrator)k;
        scene.options.projection = k % 2;
        motion_run(&scene, 3);
        assert_int_equal(saddle_stepper_report(scene.stepper)->step, 3);
        assert_int_equal(saddle_stepper_report(scene.stepper)->n, 0);
        motion_end(&scene);
    }
}

/* ---- failures ---- */

/* A hinged body about to pass half a turn, a prescribed particle, and a force that can be told to
 * fail at its n-th asking. */
typedef struct fragile {
    motion scene;
    saddle_handle body, wall, hinge;
    int64_t asked, fails_at; /* -1 = never */
} fragile;

static saddle_status fragile_force(saddle_context *context, const saddle_site *site,
                                   double *const *force)
{
    fragile *state;
    memcpy(&state, site->data, sizeof state);
    (void)force;
    if (state->asked++ == state->fails_at) return saddle_fail(context, SADDLE_INTERNAL, "told to");
    return SADDLE_OK;
}

static void fragile_begin(fragile *state, saddle_integrator integrator)
{
    static const double moments[3] = {0.1, 0.1, 0.1}, origin[3] = {0, 0, 0}, axis[3] = {0, 0, 1};
    static const double twist[6] = {0, 0, 0, 0, 0, 10};
    static const saddle_force_type type = {.name = "fragile", .evaluate = fragile_force};
    motion_begin(&state->scene, NULL, motion_weight);
    state->scene.options.integrator = integrator;
    state->asked = 0;
    state->fails_at = -1;
    state->body = motion_body(&state->scene, moments, NULL, NULL, twist);
    state->hinge = motion_hinge(&state->scene, ground, state->body, origin, axis);
    const saddle_particle_def wall = {.name = "wall", .prescribed = 1, .velocity = {1, 2, 3}};
    assert_int_equal(saddle_model_add_particle(state->scene.model, &wall, &state->wall), SADDLE_OK);
    const saddle_anchor anchor = {.part = state->body};
    const saddle_force_def def = {
        .type = &type, .count = 1, .anchors = &anchor, .data = &state, .bytes = sizeof state};
    saddle_handle force;
    assert_int_equal(saddle_model_add_force(state->scene.model, &def, &force), SADDLE_OK);
}

typedef struct snapshot {
    saddle_pose pose;
    double twist[6], wall[3], angle, rate, time;
} snapshot;

static snapshot look(fragile *state)
{
    snapshot now = {0};
    saddle_model *model = state->scene.model;
    now.pose = *saddle_model_pose(model, state->body);
    memcpy(now.twist, saddle_model_velocity(model, state->body), sizeof now.twist);
    memcpy(now.wall, saddle_model_position(model, state->wall), sizeof now.wall);
    assert_int_equal(saddle_model_joint_coordinates(model, state->hinge, &now.angle, &now.rate),
                     SADDLE_OK);
    now.time = saddle_model_time(model);
    return now;
}

/* Makes the step fail at each evaluation of the force in turn, then lets the step succeed.  Returns
 * the number of evaluations. */
static int64_t step_after_failures(fragile *state, int64_t step)
{
    const snapshot before = look(state);
    for (int64_t asking = 0;; asking++) {
        state->fails_at = state->asked + asking;
        const saddle_status status = motion_step(&state->scene);
        const saddle_step_report *report = saddle_stepper_report(state->scene.stepper);
        assert_int_equal(report->status, status);
        if (status == SADDLE_OK) return asking;
        assert_int_equal(status, SADDLE_INTERNAL);
        assert_int_equal(report->step, step);
        const snapshot after = look(state);
        assert_memory_equal(&before, &after, sizeof before);
    }
}

/* Also after the model has moved: in the second stage of Bridson-Marino, in the second solve of the
 * trapezoidal rule, in projections, and where an angle passes a full turn. */
static void a_step_that_fails_leaves_the_model_as_it_was(void **unused)
{
    (void)unused;
    static const int64_t askings[INTEGRATORS] = {1, 1, 1, 2, 2};
    for (int k = 0; k < INTEGRATORS; k++) {
        for (int projection = 0; projection < 2; projection++) {
            fragile state, twin;
            fragile_begin(&state, (saddle_integrator)k);
            fragile_begin(&twin, (saddle_integrator)k);
            state.scene.options.projection = twin.scene.options.projection = projection;
            for (int64_t step = 0; step < 100; step++) { /* ten radians */
                const int64_t asked = step_after_failures(&state, step);
                assert_true(projection ? asked > askings[k] : asked == askings[k]);
                motion_run(&twin.scene, 1);
            }
            const snapshot a = look(&state), b = look(&twin);
            assert_memory_equal(&a, &b, sizeof a);
            assert_true(a.angle > 9.9);
            motion_end(&state.scene);
            motion_end(&twin.scene);
        }
    }
}

static int stop_at_the_third(void *user, int64_t step, const saddle_problem *problem)
{
    int64_t *seen = user;
    assert_non_null(problem);
    seen[0]++;
    return step == 3 && seen[1];
}

static void the_system_function_sees_every_system_and_may_stop(void **unused)
{
    (void)unused;
    int64_t seen[2] = {0, 1};
    motion scene;
    motion_begin(&scene, NULL, motion_weight);
    const saddle_handle particle = motion_particle(&scene, 1, NULL, NULL);
    scene.options.system = stop_at_the_third;
    scene.options.user = seen;
    motion_run(&scene, 2);
    const double height = saddle_model_position(scene.model, particle)[2];
    assert_int_equal(motion_step(&scene), SADDLE_STOPPED);
    assert_true(saddle_model_position(scene.model, particle)[2] == height);
    assert_int_equal(saddle_stepper_report(scene.stepper)->step, 2);
    seen[1] = 0;
    motion_run(&scene, 1);
    assert_int_equal(seen[0], 4);
    motion_end(&scene);
}

/* user: the context that gets a message, or NULL. */
static int stop_with_a_message(void *user, int64_t step, const saddle_problem *problem)
{
    (void)step;
    return saddle_problem_write(user, "/dev/null/system", SADDLE_FORMAT_BUNDLE, problem) !=
           SADDLE_OK;
}

static void the_message_of_a_system_function_that_stops_stays(void **unused)
{
    (void)unused;
    for (int told = 0; told < 2; told++) {
        motion scene;
        motion_begin(&scene, NULL, motion_weight);
        motion_particle(&scene, 1, NULL, NULL);
        scene.options.system = stop_with_a_message;
        scene.options.user = told ? scene.context : NULL;
        assert_int_equal(motion_step(&scene), SADDLE_STOPPED);
        const char *message = saddle_context_message(scene.context);
        assert_non_null(strstr(message, told ? "/dev/null/system" : "stopped by the system"));
        motion_end(&scene);
    }
}

static void what_was_pushed_acts_for_one_step(void **unused)
{
    (void)unused;
    static const double force[3] = {5, 0, 0};
    motion scene;
    motion_begin(&scene, NULL, NULL);
    const saddle_handle particle = motion_particle(&scene, 1, NULL, NULL);
    assert_int_equal(saddle_model_push(scene.model, particle, force), SADDLE_OK);
    motion_run(&scene, 4);
    assert_true(fabs(saddle_model_velocity(scene.model, particle)[0] - 0.05) < 1e-15);
    motion_end(&scene);
}

/* ---- items that come and go ---- */

static void items_come_and_go_between_steps(void **unused)
{
    (void)unused;
    static const double moments[3] = {0.1, 0.1, 0.1}, origin[3] = {0, 0, 0}, axis[3] = {0, 1, 0},
                        center[3] = {0.5, 0, 0};
    motion scene;
    motion_begin(&scene, NULL, motion_weight);
    const saddle_handle body = motion_body(&scene, moments, center, NULL, NULL);
    const saddle_handle hinge = motion_hinge(&scene, ground, body, origin, axis);
    motion_run(&scene, 5);
    assert_int_equal(saddle_stepper_report(scene.stepper)->analysed, 0);
    const saddle_handle particle = motion_particle(&scene, 1, NULL, NULL);
    motion_run(&scene, 1);
    assert_int_equal(saddle_stepper_report(scene.stepper)->analysed, 1);
    assert_int_equal(saddle_stepper_report(scene.stepper)->n, 9);
    assert_int_equal(saddle_model_remove(scene.model, hinge), SADDLE_OK);
    motion_run(&scene, 5);
    assert_int_equal(saddle_stepper_report(scene.stepper)->m, 0);
    assert_true(fabs(saddle_model_velocity(scene.model, particle)[2] + 6 * 0.0981) < 1e-12);
    motion_end(&scene);
}

/* ---- memory and patterns ---- */

/* A chain of hinged bodies over a floor, which its corners come down on and leave again. */
static void build_chain(motion *scene)
{
    static const double moments[3] = {0.02, 0.02, 0.02}, axis[3] = {0, 1, 0};
    saddle_handle last = ground;
    /* redundant contacts that slide at 5e-6 m/s, where sweeps take thousands to go further; auto
     * takes memory for a second solver the first time that sweeps fall short */
    scene->options.solver_options.tolerance = 1e-5;
    scene->options.solver = "gauss-seidel";
    for (int k = 0; k < 4; k++) {
        saddle_pose pose = saddle_pose_identity();
        pose.p[0] = k + 0.5;
        const double twist[6] = {0, 0, 0, k, 0, 0}, origin[3] = {k, 0, 0};
        const saddle_handle body = motion_body(scene, moments, NULL, &pose, twist);
        (void)motion_hinge(scene, last, body, origin, axis);
        for (int end = 0; end < 2; end++) {
            motion_touch_plane(scene, body, up, -0.3 * (k + 1), 0.3)->point[0] = end ? 0.5 : -0.5;
        }
        last = body;
    }
}

/* A sweep is not enough; the projection that follows ends well and leaves the step's message. */
static void a_step_of_lesser_quality_has_a_message(void **unused)
{
    (void)unused;
    saddle_context *context = NULL;
    motion scene;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    motion_begin(&scene, context, NULL);
    build_chain(&scene);
    scene.options.solver_options.max_iterations = 1;
    scene.options.projection = 2;
    assert_true(motion_step(&scene) > 0);
    assert_true(*saddle_context_message(context) != '\0');
    motion_end(&scene);
    saddle_context_free(context);
}

static void contacts_within_capacity_take_no_memory(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2 * INTEGRATORS; k++) {
        test_memory memory;
        saddle_context *context = test_memory_begin(&memory, -1);
        motion scene;
        motion_begin(&scene, context, motion_weight);
        scene.options.integrator = (saddle_integrator)(k / 2);
        scene.options.projection = k % 2;
        build_chain(&scene);
        const int touches = scene.touches;
        motion_run(&scene, 2); /* every contact has occurred once */
        const int64_t before = memory.count;
        int64_t analysed = 0;
        for (int step = 0; step < test_draws(60); step++) {
            scene.touches = step * 5 % (touches + 1);
            motion_run(&scene, 1);
            analysed += saddle_stepper_report(scene.stepper)->analysed;
            assert_int_equal(saddle_stepper_report(scene.stepper)->contacts, scene.touches);
        }
        assert_int_equal(memory.count, before);
        assert_int_equal(analysed, 0);
        motion_end(&scene);
        test_memory_end(&memory, context);
    }
}

static saddle_status make_and_step(saddle_context *context, void *user)
{
    saddle_model *model = NULL;
    saddle_stepper *stepper = NULL;
    saddle_body_def def = saddle_body_def_default();
    saddle_joint_def joint = saddle_joint_def_default();
    saddle_handle body, hinge;
    def.inertia.mass = 1;
    for (int i = 0; i < 3; i++) def.inertia.moment[4 * i] = 1;
    joint.kind = SADDLE_JOINT_HINGE;
    saddle_stepper_options options = saddle_stepper_options_default();
    options.integrator = SADDLE_INTEGRATOR_BRIDSON_MARINO;
    options.projection = *(const int *)user;
    options.projection_tolerance = 0;
    saddle_status status = saddle_model_create(context, &model);
    if (status == SADDLE_OK) status = saddle_model_add_body(model, &def, &body);
    if (status == SADDLE_OK) {
        joint.b = body;
        status = saddle_model_add_joint(model, &joint, &hinge);
    }
    if (status == SADDLE_OK) status = saddle_stepper_create(model, &options, &stepper);
    for (int step = 0; step < 2 && status == SADDLE_OK; step++)
        status = saddle_stepper_step(stepper);
    saddle_stepper_free(stepper);
    saddle_model_free(model);
    return status;
}

static void memory_that_runs_out_anywhere_leaks_nothing(void **unused)
{
    (void)unused;
    for (int projection = 0; projection < 2; projection++) {
        assert_true(test_allocation_sweep(make_and_step, &projection) > 20);
    }
}

/* After an allocation that failed in a step the stepper goes on as if nothing had been. */
static void a_stepper_survives_memory_that_runs_out(void **unused)
{
    (void)unused;
    motion whole;
    motion_begin(&whole, NULL, motion_weight);
    build_chain(&whole);
    motion_run(&whole, 3);
    for (int64_t later = 0; later < 400; later += 7) {
        test_memory memory;
        saddle_context *context = test_memory_begin(&memory, -1);
        motion scene;
        motion_begin(&scene, context, motion_weight);
        build_chain(&scene);
        memory.fail_at = memory.count + later;
        saddle_status status = SADDLE_OK;
        int made = 0;
        for (; made < 3 && status == SADDLE_OK; made += status == SADDLE_OK)
            status = motion_step(&scene);
        memory.fail_at = -1;
        motion_run(&scene, 3 - made);
        for (int64_t k = 0; k < saddle_model_part_count(scene.model); k++) {
            const double *a = saddle_model_position(scene.model,
                                                    saddle_model_part_at(scene.model, k));
            const double *b = saddle_model_position(whole.model,
                                                    saddle_model_part_at(whole.model, k));
            assert_true(test_distance(a, b, 12) < 1e-9);
        }
        motion_end(&scene);
        test_memory_end(&memory, context);
    }
    motion_end(&whole);
}

/* ---- reports ---- */

static void rows_are_started_warm_and_the_report_counts(void **unused)
{
    (void)unused;
    motion scene;
    motion_begin(&scene, NULL, motion_weight);
    build_chain(&scene);
    motion_run(&scene, 1);
    const saddle_step_report *report = saddle_stepper_report(scene.stepper);
    assert_int_equal(report->analysed, 1);
    assert_int_equal(report->warm_rows, 0);
    motion_run(&scene, 9);
    assert_int_equal(report->step, 10);
    assert_true(fabs(report->time - 0.1) < 1e-15);
    assert_int_equal(report->status, SADDLE_OK);
    assert_int_equal(report->n, 24);
    assert_true(report->m >= 20 + 24);
    assert_int_equal(report->contacts, 8);
    assert_int_equal(report->warm_rows, report->m);
    assert_true(report->factorizations >= 1);
    assert_true(report->residual <= scene.options.solver_options.tolerance);
    assert_true(report->drift > 0 && report->drift < 1e-2);
    const double parts = report->seconds.contacts + report->seconds.assemble +
                         report->seconds.analyse + report->seconds.factor + report->seconds.solve +
                         report->seconds.move;
    assert_true(parts > 0 && parts <= report->seconds.total);
    motion_end(&scene);
}

/* Steps whose sweeps end before the tolerance count as well: the status is part of the run. */
static void the_same_run_has_the_same_bits(void **unused)
{
    (void)unused;
    double first[48], second[48];
    saddle_status status[2][50];
    for (int twice = 0; twice < 2; twice++) {
        motion scene;
        motion_begin(&scene, NULL, motion_weight);
        build_chain(&scene);
        for (int step = 0; step < 50; step++) {
            status[twice][step] = motion_step(&scene);
            assert_true(status[twice][step] >= SADDLE_OK);
        }
        for (int64_t k = 0; k < 4; k++) {
            const double *x = saddle_model_position(scene.model,
                                                    saddle_model_part_at(scene.model, k));
            memcpy((twice ? second : first) + 12 * k, x, 12 * sizeof *x);
        }
        motion_end(&scene);
    }
    assert_memory_equal(first, second, sizeof first);
    assert_memory_equal(status[0], status[1], sizeof status[0]);
}

/* Positions of 4 hinged links after a second; what the run's energy and drift were. */
static void swing(double refine_to, double *x, double *energy, double *drift)
{
    static const double moments[3] = {0.02, 0.03, 0.04}, axis[3] = {0, 1, 0};
    motion scene;
    motion_begin(&scene, NULL, motion_weight);
    if (refine_to >= 0) scene.options.solver_options.refine_to = refine_to;
    saddle_handle last = ground;
    for (int k = 0; k < 4; k++) {
        saddle_pose pose = saddle_pose_identity();
        pose.p[0] = k + 0.5;
        const double twist[6] = {0}, origin[3] = {k, 0, 0};
        const saddle_handle body = motion_body(&scene, moments, NULL, &pose, twist);
        (void)motion_hinge(&scene, last, body, origin, axis);
        last = body;
    }
    *drift = 0;
    for (int k = 0; k < 100; k++) {
        motion_run(&scene, 1);
        *drift = fmax(*drift, saddle_stepper_report(scene.stepper)->drift);
    }
    *energy = motion_energy(&scene);
    for (int64_t k = 0; k < 4; k++) {
        memcpy(x + 12 * k, saddle_model_position(scene.model, saddle_model_part_at(scene.model, k)),
               12 * sizeof *x);
    }
    motion_end(&scene);
}

static void less_refined_steps_lead_to_the_same_place(void **unused)
{
    (void)unused;
    double whole[48], less[48], energy[2], drift[2];
    swing(0, whole, &energy[0], &drift[0]);
    swing(-1, less, &energy[1], &drift[1]); /* the default */
    for (int k = 0; k < 48; k++) assert_true(fabs(less[k] - whole[k]) <= 1e-11);
    assert_true(fabs(energy[1] - energy[0]) <= 1e-11);
    assert_true(drift[0] > 1e-6 && fabs(drift[1] - drift[0]) <= 1e-11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_out_of_range_are_refused_by_name),
        cmocka_unit_test(a_diverging_motion_ends_with_its_step_time_and_part),
        cmocka_unit_test(integrators_have_words),
        cmocka_unit_test(an_empty_model_steps),
        cmocka_unit_test(a_step_that_fails_leaves_the_model_as_it_was),
        cmocka_unit_test(the_system_function_sees_every_system_and_may_stop),
        cmocka_unit_test(the_message_of_a_system_function_that_stops_stays),
        cmocka_unit_test(what_was_pushed_acts_for_one_step),
        cmocka_unit_test(items_come_and_go_between_steps),
        cmocka_unit_test(a_step_of_lesser_quality_has_a_message),
        cmocka_unit_test(contacts_within_capacity_take_no_memory),
        cmocka_unit_test(memory_that_runs_out_anywhere_leaks_nothing),
        cmocka_unit_test(a_stepper_survives_memory_that_runs_out),
        cmocka_unit_test(rows_are_started_warm_and_the_report_counts),
        cmocka_unit_test(the_same_run_has_the_same_bits),
        cmocka_unit_test(less_refined_steps_lead_to_the_same_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
