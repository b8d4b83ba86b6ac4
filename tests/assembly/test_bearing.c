/* SPDX-License-Identifier: MIT */
/* Friction inside joints: contact points rebuilt from the table of saddle/bearing.h, derivatives by
 * differences, closed forms, bounds and dissipation on drawn chains, bad input.  Direct solves with
 * explicit contacts: test_bearing_explicit.c. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bearing.h"
#include "bearing_points.h"
#include "differences.h"
#include "drawn_parts.h"
#include "joint_internal.h"
#include "motion.h"
#include "space/space.h"

static const double pi = 3.14159265358979323846;

/* ---- points ---- */

static saddle_bearing drawn_bearing(uint64_t *state)
{
    return (saddle_bearing){.mu = test_uniform(state, 0.05, 0.3),
                            .radius = test_uniform(state, 0.01, 0.05),
                            .half_length = test_uniform(state, 0.1, 0.2),
                            .points = 2 * test_integer(state, 2, 6)};
}

/* alpha = N y is in the range of N: where N'alpha = W, no smaller alpha gives W. */
static void points_carry_a_load_with_the_least_impulses(void **unused)
{
    (void)unused;
    static const unsigned carried[] = {
        [SADDLE_JOINT_HINGE] = 0x1f, [SADDLE_JOINT_SLIDER] = 0x3b, [SADDLE_JOINT_BALL] = 0x07};
    uint64_t state = test_seed();
    for (int trial = 0; trial < 300; trial++) {
        const saddle_joint_kind kind = (saddle_joint_kind)(SADDLE_JOINT_HINGE + trial % 3);
        const saddle_bearing bearing = drawn_bearing(&state);
        bearing_point point[BEARING_POINTS_MAX];
        double W[6], y[6], sum[6] = {0}, load = 0, limit[SADDLE__BEARING_ROWS_MAX],
                           expected[SADDLE__BEARING_ROWS_MAX] = {0};
        for (int i = 0; i < 6; i++) W[i] = test_uniform(&state, -10, 10);
        saddle__bearing_fit(kind, &bearing, W, y);
        const int count = bearing_points_of(kind, &bearing, point);
        for (int p = 0; p < count; p++) {
            double N[6], alpha = 0;
            bearing_wrench(point[p].x, point[p].n, N);
            for (int i = 0; i < 6; i++) alpha += N[i] * y[i];
            for (int i = 0; i < 6; i++) sum[i] += alpha * N[i];
            load += fabs(alpha);
            for (int k = 0; k < saddle__bearing_rows(kind); k++) {
                double c[6], other[6], slip[3];
                saddle__bearing_direction(kind, k, c);
                saddle__bearing_direction(kind, k ^ 1, other);
                saddle__cross(c + 3, point[p].x, slip);
                for (int i = 0; i < 3; i++) slip[i] += c[i];
                const double along = sqrt(saddle__dot(slip, slip));
                const int member = kind != SADDLE_JOINT_BALL ||
                                   (fabs(saddle__dot(c + 3, point[p].n)) < 1e-9 &&
                                    fabs(saddle__dot(other + 3, point[p].n)) < 1e-9);
                if (member) expected[k] += bearing.mu * fabs(alpha) * along;
            }
        }
        for (int i = 0; i < 6; i++)
            assert_true(fabs(sum[i] - (carried[kind] >> i & 1 ? W[i] : 0)) < 1e-11);
        assert_true(fabs(saddle__bearing_limits(kind, &bearing, y, limit) - load) < 1e-9 * load);
        for (int k = 0; k < saddle__bearing_rows(kind); k++)
            assert_true(fabs(limit[k] - expected[k]) < 1e-12 * (1 + expected[k]));
    }
}

static void a_ring_of_many_points_has_the_continuous_ring_s_limit(void **unused)
{
    (void)unused;
    const saddle_bearing bearing = {.mu = 0.3, .radius = 0.02, .half_length = 0.1, .points = 64};
    double y[6], limit;
    for (int k = 0; k < 10; k++) { /* forces F0, F1 on the two rings; no collar takes a part */
        const double F = 5 * cos(0.1 * k), G = 5 * sin(0.1 * k), W[6] = {F, G, 0, 0, 0, 0};
        saddle__bearing_fit(SADDLE_JOINT_HINGE, &bearing, W, y);
        (void)saddle__bearing_limits(SADDLE_JOINT_HINGE, &bearing, y, &limit);
        assert_true(fabs(limit / (0.3 * 0.02 * 4 / pi * 5) - 1) < 1e-3);
    }
}

/* A share of friction of each row: the friction's moment about the row's own axis is its impulse.
 */
static void friction_of_the_points_has_the_power_of_the_rows(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < 300; trial++) {
        const saddle_joint_kind kind = (saddle_joint_kind)(SADDLE_JOINT_HINGE + trial % 3);
        const saddle_bearing bearing = drawn_bearing(&state);
        double W[6], y[6], F[6], limit[SADDLE__BEARING_ROWS_MAX], share[SADDLE__BEARING_ROWS_MAX];
        double free[6] = {0};
        for (int i = 0; i < 6; i++) W[i] = test_uniform(&state, -10, 10);
        saddle__bearing_fit(kind, &bearing, W, y);
        (void)saddle__bearing_limits(kind, &bearing, y, limit);
        for (int k = 0; k < saddle__bearing_rows(kind); k++) {
            double c[6];
            share[k] = test_uniform(&state, -1, 1);
            saddle__bearing_direction(kind, k, c);
            for (int i = 0; i < 6; i++) free[i] += share[k] * limit[k] * c[i];
        }
        saddle__bearing_friction(kind, &bearing, y, share, F);
        if (kind == SADDLE_JOINT_HINGE) assert_true(fabs(F[5] - free[5]) < 1e-12);
        if (kind == SADDLE_JOINT_SLIDER) assert_true(fabs(F[2] - free[2]) < 1e-12);
        for (int i = 3; kind == SADDLE_JOINT_BALL && i < 6; i++)
            assert_true(fabs(F[i] - free[i]) < 1e-12);
    }
}

/* ---- rows ---- */

/* Rows of a ball's bearing have rates, and no phi. */
static void rates_of_a_ball_are_those_of_its_axes(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < 60; trial++) {
        saddle_model *model = NULL;
        saddle_joint_def def = saddle_joint_def_default();
        saddle_handle joint;
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        def.kind = SADDLE_JOINT_BALL;
        def.a = test_draw_body(model, &state, 1);
        def.b = test_draw_body(model, &state, 1);
        def.frame_a = test_draw_pose(&state, 1);
        def.frame_b = test_draw_pose(&state, 1);
        def.bearing = drawn_bearing(&state);
        assert_int_equal(saddle_model_add_joint(model, &def, &joint), SADDLE_OK);
        const saddle__item_link *link = saddle__model_constraint(model, joint);
        assert_int_equal(link->rows, 3 + SADDLE__BEARING_ROWS_MAX);
        test_site site;
        test_errors errors;
        test_site_of(model, 2, link->anchors, link->data, &site);
        assert_int_equal(test_constraint_errors(link->constraint, &site, link->rows, &state,
                                                &errors),
                         SADDLE_OK);
        assert_true(errors.drift < 1e-4 && errors.stiffness < 1e-4);
        double rate[3 + SADDLE__BEARING_ROWS_MAX], omega[2][3], relative[3];
        const saddle_handle part[2] = {def.a, def.b};
        for (int k = 0; k < 2; k++)
            saddle__rotate(saddle_model_pose(model, part[k])->R,
                           saddle_model_velocity(model, part[k]) + 3, omega[k]);
        for (int i = 0; i < 3; i++) relative[i] = omega[1][i] - omega[0][i];
        saddle__unrotate(saddle_model_pose(model, def.a)->R, relative, relative);
        saddle__unrotate(def.frame_a.R, relative, relative);
        saddle_model_constraint_evaluate(model, joint, NULL, rate, NULL);
        for (int k = 0; k < SADDLE__BEARING_ROWS_MAX; k++) {
            double c[6];
            saddle__bearing_direction(SADDLE_JOINT_BALL, k, c);
            assert_true(fabs(rate[3 + k] - saddle__dot(c + 3, relative)) < 1e-12);
        }
        saddle_model_free(model);
    }
}

/* ---- closed forms ---- */

/* A hinge to the ground about y through the origin; x of the joint's frame is up. */
static saddle_handle horizontal_hinge(motion *scene, saddle_handle body,
                                      const saddle_bearing *bearing)
{
    saddle_joint_def def = saddle_joint_def_default();
    saddle_pose place;
    saddle_handle joint;
    const double origin[3] = {0}, axis[3] = {0, 1, 0};
    def.kind = SADDLE_JOINT_HINGE;
    def.b = body;
    def.bearing = *bearing;
    saddle_pose_along(NULL, origin, axis, &place);
    assert_int_equal(saddle_joint_def_at(scene->model, &place, &def), SADDLE_OK);
    assert_int_equal(saddle_model_add_joint(scene->model, &def, &joint), SADDLE_OK);
    return joint;
}

/* sum |cos| of a ring of count points over a load along one of its points, times 2 / count: 4 / pi
 * for many points */
static double ring_factor(int64_t count)
{
    double sum = 0;
    for (int64_t k = 0; k < count; k++) sum += fabs(cos(2 * pi * (double)k / (double)count));
    return 2 * sum / (double)count;
}

/* A wheel of 1 kg that spins about its centre on a horizontal shaft: the bearing carries its weight
 * and brakes by a constant moment, until the wheel stands. */
static void a_spinning_shaft_stops_in_its_time(void **unused)
{
    (void)unused;
    for (int64_t points = 4; points <= 64; points *= 4) {
        motion scene;
        const saddle_pose at = saddle_pose_identity();
        const double moments[3] = {0.02, 0.03, 0.02}, twist[6] = {0, 0, 0, 0, 5, 0};
        const saddle_bearing bearing = {.mu = 0.2,
                                        .radius = 0.01,
                                        .half_length = 0.05,
                                        .points = points};
        motion_begin(&scene, NULL, motion_weight);
        scene.options.time_step = 0.01;
        const saddle_handle wheel = motion_body(&scene, moments, NULL, &at, twist);
        const saddle_handle joint = horizontal_hinge(&scene, wheel, &bearing);
        const double moment = 0.2 * 0.01 * 9.81 * ring_factor(points), braking = moment / 0.03;
        const double *omega = saddle_model_velocity(scene.model, wheel) + 4;
        const int steps = (int)(5 / braking / 0.01);
        saddle_bearing_forces forces;
        for (int k = 1; k <= steps; k++) {
            motion_run(&scene, 1);
            assert_true(fabs(*omega - (5 - braking * 0.01 * k)) < 1e-9);
        }
        assert_int_equal(saddle_stepper_bearing(scene.stepper, joint, &forces), SADDLE_OK);
        assert_true(fabs(fabs(forces.friction[5]) - moment) < 1e-9);
        assert_true(fabs(forces.load - moment / (0.2 * 0.01)) < 1e-6);
        assert_true(forces.share == 1);
        motion_run(&scene, 3);
        assert_true(fabs(*omega) < 1e-14);
        assert_true(saddle_stepper_report(scene.stepper)->friction_rounds <= 3);
        motion_end(&scene);
    }
}

/* A carriage on a rail along the slope, its weight on the rail: a rest below tan angle = mu, the
 * block's acceleration above; the rail turned by 45 degrees carries sqrt 2 times the load. */
static void a_slider_on_a_slope_holds_up_to_its_friction_angle(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 8; trial++) {
        const double mu = 0.3, turned = trial / 4 % 2 ? pi / 4 : 0;
        const double bound = mu * (turned > 0 ? sqrt(2) : 1);
        const double slope = atan(bound) * (trial % 2 ? 1.01 : 0.99);
        const double g[3] = {9.81 * cos(slope) * cos(turned), 9.81 * cos(slope) * sin(turned),
                             9.81 * sin(slope)};
        motion scene;
        const saddle_pose at = saddle_pose_identity();
        const double moments[3] = {0.02, 0.03, 0.02};
        motion_begin(&scene, NULL, g);
        const saddle_handle body = motion_body(&scene, moments, NULL, &at, NULL);
        saddle_joint_def def = saddle_joint_def_default();
        saddle_handle joint;
        def.kind = SADDLE_JOINT_SLIDER;
        def.b = body;
        def.bearing = (saddle_bearing){.mu = mu, .radius = 0.02, .half_length = 0.05};
        assert_int_equal(saddle_model_add_joint(scene.model, &def, &joint), SADDLE_OK);
        motion_run(&scene, 50);
        const double fall = fmax(0, sin(slope) - bound * cos(slope));
        const double speed = saddle_model_velocity(scene.model, body)[2];
        assert_true(fabs(speed - 9.81 * fall * 50 * scene.options.time_step) < 1e-9);
        assert_true(trial % 2 ? speed > 0.01 : speed == 0 || fabs(speed) < 1e-12);
        motion_end(&scene);
    }
}

/* A drawer of mass 1 that moves along its rail, its weight normal to the rail, its centre of mass d
 * beside it.  Braking by F gives the moment F d, hence sum |alpha| = max(g, F d/l): below
 * d = l/mu the drawer is braked by mu g, above it the friction holds whatever it has to. */
static void a_drawer_jams_beyond_its_critical_arm(void **unused)
{
    (void)unused;
    const double mu = 0.5, l = 0.05, g[3] = {9.81, 0, 0}, moments[3] = {0.02, 0.03, 0.02};
    const double twist[6] = {0, 0, 1, 0, 0, 0};
    static const double arm[] = {0.5, 0.97, 1.02, 1.2, 5};
    for (int trial = 0; trial < 10; trial++) {
        const double center[3] = {arm[trial / 2] * l / mu, 0, 0};
        const saddle_pose at = saddle_pose_identity();
        motion scene;
        motion_begin(&scene, NULL, g);
        saddle_joint_def def = saddle_joint_def_default();
        saddle_handle joint;
        saddle_bearing_forces forces;
        def.kind = SADDLE_JOINT_SLIDER;
        def.form = trial % 2 ? SADDLE_JOINT_FORM_COORDINATES : SADDLE_JOINT_FORM_ROWS;
        def.b = motion_body(&scene, moments, center, &at, twist);
        def.bearing = (saddle_bearing){.mu = mu, .radius = 0.02, .half_length = l};
        assert_int_equal(saddle_model_add_joint(scene.model, &def, &joint), SADDLE_OK);
        motion_run(&scene, 3);
        const double speed = saddle_model_velocity(scene.model, def.b)[2];
        assert_int_equal(saddle_stepper_bearing(scene.stepper, joint, &forces), SADDLE_OK);
        const double braked = 1 - mu * 9.81 * 3 * scene.options.time_step;
        assert_true(fabs(speed - (arm[trial / 2] < 1 ? braked : 0)) < 1e-9);
        assert_true(arm[trial / 2] < 1 ? forces.share == 1 : forces.share < 1);
        motion_end(&scene);
    }
}

/* The slider of a drawer as above, beside others at x = 0. */
static saddle_handle drawer(motion *scene, double arm, double y)
{
    const double mu = 0.5, l = 0.05, moments[3] = {0.02, 0.03, 0.02}, twist[6] = {0, 0, 1, 0, 0, 0};
    const double center[3] = {arm * l / mu, 0, 0};
    saddle_pose at = saddle_pose_identity();
    at.p[1] = y;
    saddle_joint_def def = saddle_joint_def_default();
    saddle_handle joint;
    def.kind = SADDLE_JOINT_SLIDER;
    def.b = motion_body(scene, moments, center, &at, twist);
    def.frame_a.p[1] = y;
    def.bearing = (saddle_bearing){.mu = mu, .radius = 0.02, .half_length = l};
    assert_int_equal(saddle_model_add_joint(scene->model, &def, &joint), SADDLE_OK);
    return def.b;
}

/* At every number of rounds a drawer that slides slides, beside one that jams too; from 4 rounds on
 * alone, and from 20 on beside the other, the step is solved, and the other rests. */
static void few_rounds_jam_no_drawer_that_slides(void **unused)
{
    (void)unused;
    const double g[3] = {9.81, 0, 0};
    static const double arm[] = {0.1, 0.5, 0.9, 0.99};
    for (int trial = 0; trial < 8; trial++)
        for (int rounds = 2; rounds <= 40; rounds += rounds < 20 ? 1 : 20) {
            motion scene;
            motion_begin(&scene, NULL, g);
            scene.options.friction_rounds = rounds;
            const saddle_handle sliding = drawer(&scene, arm[trial / 2], 0);
            const saddle_handle other = trial % 2 ? drawer(&scene, 1.2, 3) : sliding;
            const saddle_status status = motion_step(&scene);
            const double speed = saddle_model_velocity(scene.model, sliding)[2];
            const double braked = 1 - 0.5 * 9.81 * scene.options.time_step;
            assert_true(fabs(speed - braked) < 1e-9);
            if (rounds >= (trial % 2 ? 20 : 4)) assert_int_equal(status, SADDLE_OK);
            const double rest = saddle_model_velocity(scene.model, other)[2];
            if (trial % 2 && status == SADDLE_OK) assert_true(fabs(rest) < 1e-9);
            motion_end(&scene);
        }
}

/* A pendulum of small swings loses twice its friction angle in each half swing, and stays within it
 * at the end. */
static void a_pendulum_loses_its_friction_angle_twice_a_swing(void **unused)
{
    (void)unused;
    const double center[3] = {0, 0, -1}, moments[3] = {1e-3, 1e-3, 1e-3};
    const saddle_bearing bearing = {.mu = 0.2, .radius = 0.03, .half_length = 0.05, .points = 64};
    const double rest = 0.2 * 0.03 * 4 / pi; /* moment over weight times length */
    const double from = test_is_slow() ? 0.05 : 0.12;
    const int steps = test_is_slow() ? 6000 : 12000;
    saddle_pose at = {.R = {cos(from), 0, -sin(from), 0, 1, 0, sin(from), 0, cos(from)}};
    motion scene;
    motion_begin(&scene, NULL, motion_weight);
    scene.options.time_step = 1e-3;
    const saddle_handle body = motion_body(&scene, moments, center, &at, NULL);
    const saddle_handle joint = horizontal_hinge(&scene, body, &bearing);
    double last = from, q = 0, dq = 0, before = 0;
    int turns = 0;
    for (int k = 0; k < steps; k++) {
        motion_run(&scene, 1);
        saddle_model_joint_coordinates(scene.model, joint, &q, &dq);
        const double angle = fabs(asin(saddle_model_pose(scene.model, body)->R[6]));
        if (fabs(dq) < 1e-9) dq = 0;
        if (before != 0 && before * dq <= 0) { /* the swing turns */
            if (angle > rest) assert_true(fabs(last - angle - 2 * rest) < 0.02 * rest);
            last = angle;
            turns++;
        }
        before = dq;
    }
    assert_true(dq == 0);
    assert_true(fabs(asin(saddle_model_pose(scene.model, body)->R[6])) <= rest);
    assert_int_equal(turns, (int)floor((from / rest + 1) / 2));
    motion_end(&scene);
}

/* ---- drawn chains ---- */

static const saddle_joint_kind bearing_kinds[] = {SADDLE_JOINT_HINGE, SADDLE_JOINT_SLIDER,
                                                  SADDLE_JOINT_BALL};

static void draw_chain(motion *scene, uint64_t *state, int count, saddle_handle *joint)
{
    saddle_handle last = {0};
    for (int k = 0; k < count; k++) {
        saddle_joint_def def = saddle_joint_def_default();
        const double moments[3] = {0.01, 0.012, 0.015}, center[3] = {0.05, 0.02, -0.2};
        const saddle_pose at = test_draw_pose(state, 0.3), place = test_draw_pose(state, 0.3);
        def.kind = bearing_kinds[test_integer(state, 0, 2)];
        def.a = last;
        def.b = motion_body(scene, moments, center, &at, NULL);
        def.bearing = drawn_bearing(state);
        assert_int_equal(saddle_joint_def_at(scene->model, &place, &def), SADDLE_OK);
        assert_int_equal(saddle_model_add_joint(scene->model, &def, &joint[k]), SADDLE_OK);
        last = def.b;
    }
}

/* In every step: bounds of the loads found, no power into the motion, the friction along the slip
 * where it is within its bound. */
static void friction_takes_energy_and_keeps_its_bounds(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int sliding = 0, resting = 0, jammed = 0;
    for (int trial = 0; trial < test_draws(20); trial++) {
        motion scene;
        saddle_handle joint[4];
        motion_begin(&scene, NULL, motion_weight);
        scene.options.time_step = 2e-3;
        draw_chain(&scene, &state, 4, joint);
        for (int step = 0; step < 100; step++) {
            if (motion_step(&scene) != SADDLE_OK) { /* sliders that jam: none found */
                jammed++;
                break;
            }
            const saddle_problem *problem = saddle_assembly_problem(
                saddle_stepper_assembly(scene.stepper));
            const saddle_solution *s = saddle_stepper_solution(scene.stepper);
            for (int k = 0; k < 4; k++) {
                const saddle__joint *of = saddle__joint_of(scene.model, joint[k]);
                const int64_t row = saddle_assembly_row(saddle_stepper_assembly(scene.stepper),
                                                        joint[k]);
                for (int64_t i = row + of->rows - of->bearing_rows; i < row + of->rows; i++) {
                    const double bound = problem->hi[i];
                    assert_true(fabs(s->lambda[i]) <= bound * (1 + 1e-6) + 1e-12);
                    assert_true(s->lambda[i] * s->w[i] <= 1e-12);
                    if (fabs(s->lambda[i]) < 0.99 * bound) assert_true(fabs(s->w[i]) < 1e-7);
                    if (fabs(s->w[i]) > 1e-6)
                        sliding++;
                    else
                        resting++;
                }
            }
        }
        motion_end(&scene);
    }
    assert_true(sliding > 0 && (test_is_slow() || (sliding > 100 && resting > 100)));
    assert_true(jammed <= 4);
}

/* ---- one round, wedging, bad input ---- */

static void without_a_fixed_point_the_step_says_so(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    motion scene;
    saddle_handle joint[2];
    saddle_bearing_forces forces;
    motion_begin(&scene, NULL, motion_weight);
    scene.options.friction_rounds = 1;
    draw_chain(&scene, &state, 2, joint);
    assert_int_equal(motion_step(&scene), SADDLE_NOT_CONVERGED);
    const saddle_step_report *report = saddle_stepper_report(scene.stepper);
    assert_int_equal(report->step, 1);
    assert_int_equal(report->friction_rounds, 1);
    assert_true(report->friction_change > 0.1);
    assert_non_null(strstr(report->note, "no fixed point of the friction in bearings"));
    assert_int_equal(saddle_stepper_bearing(scene.stepper, joint[0], &forces), SADDLE_OK);
    assert_true(forces.share == 0);
    assert_int_equal(saddle_stepper_bearing(scene.stepper, (saddle_handle){0}, &forces),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_stepper_bearing(NULL, joint[0], &forces), SADDLE_INVALID_ARGUMENT);
    motion_end(&scene);
}

static void unsound_bearings_are_refused(void **unused)
{
    (void)unused;
    static const struct {
        saddle_joint_kind kind;
        saddle_bearing bearing;
        const char *said;
    } cases[] = {
        {SADDLE_JOINT_FIXED, {0.1, 0.1, 0.1, 0}, "hinges, sliders and balls"},
        {SADDLE_JOINT_UNIVERSAL, {0.1, 0.1, 0.1, 0}, "hinges, sliders and balls"},
        {SADDLE_JOINT_HINGE, {0.1, 0, 0.1, 0}, "no radius"},
        {SADDLE_JOINT_HINGE, {-0.1, 0.1, 0.1, 0}, "bearing.mu"},
        {SADDLE_JOINT_HINGE, {(double)NAN, 0.1, 0.1, 0}, "bearing.mu"},
        {SADDLE_JOINT_HINGE, {0.1, (double)INFINITY, 0.1, 0}, "bearing.radius"},
        {SADDLE_JOINT_BALL, {0.1, 0.1, -1, 0}, "bearing.half_length"},
        {SADDLE_JOINT_SLIDER, {0.1, 0.1, 0, 0}, "no half length"},
        {SADDLE_JOINT_HINGE, {0.1, 0.1, 0.1, 5}, "not even"},
        {SADDLE_JOINT_HINGE, {0.1, 0.1, 0.1, 2}, "not even"},
        {SADDLE_JOINT_HINGE, {0.1, 0.1, 0.1, 66}, "not even"},
        {SADDLE_JOINT_HINGE, {0.1, 0.1, 0.1, -4}, "not even"},
    };
    motion scene;
    const double moments[3] = {1, 1, 1};
    const saddle_pose at = saddle_pose_identity();
    motion_begin(&scene, NULL, NULL);
    const saddle_handle body = motion_body(&scene, moments, NULL, &at, NULL);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        saddle_joint_def def = saddle_joint_def_default();
        saddle_handle joint;
        def.b = body;
        def.kind = cases[k].kind;
        def.bearing = cases[k].bearing;
        assert_int_equal(saddle_model_add_joint(scene.model, &def, &joint),
                         SADDLE_INVALID_ARGUMENT);
        assert_non_null(strstr(saddle_context_message(scene.context), cases[k].said));
    }
    motion_end(&scene);
}

/* mu set to zero and back between steps: rows go and come. */
static void a_bearing_changes_between_steps(void **unused)
{
    (void)unused;
    motion scene;
    const saddle_pose at = saddle_pose_identity();
    const double moments[3] = {0.02, 0.03, 0.02}, twist[6] = {0, 0, 0, 0, 5, 0};
    const saddle_bearing bearing = {.mu = 0.2, .radius = 0.01, .half_length = 0.05};
    motion_begin(&scene, NULL, motion_weight);
    const saddle_handle wheel = motion_body(&scene, moments, NULL, &at, twist);
    const saddle_handle joint = horizontal_hinge(&scene, wheel, &bearing);
    const double *omega = saddle_model_velocity(scene.model, wheel) + 4;
    for (int k = 0; k < 4; k++) {
        saddle_bearing *now = &saddle_model_joint(scene.model, joint)->bearing;
        now->mu = k % 2 ? 0 : 0.1 * (k + 1);
        assert_int_equal(saddle_model_joint_changed(scene.model, joint), SADDLE_OK);
        const double before = *omega;
        motion_run(&scene, 1);
        const double moment = now->mu * 0.01 * 9.81 * ring_factor(16);
        assert_true(fabs(*omega - (before - moment / 0.03 * scene.options.time_step)) < 1e-9);
        assert_int_equal(saddle_stepper_report(scene.stepper)->friction_rounds > 0, k % 2 == 0);
    }
    motion_end(&scene);
}

/* ---- scenes, memory ---- */

#define WHEEL                                                                                     \
    "{\"format\": \"saddle-scene\", \"version\": 1, \"time_step\": 0.01, "                        \
    "\"gravity\": [0, 0, -9.81], \"friction_rounds\": 30, \"friction_tolerance\": 1e-7, "         \
    "\"bodies\": [{\"name\": \"wheel\", \"shape\": \"sphere\", \"radius\": 0.1, \"mass\": 1, "    \
    "\"angular_velocity\": [0, 5, 0]}], \"joints\": [{\"name\": \"shaft\", \"kind\": \"hinge\", " \
    "\"b\": \"wheel\", \"axis\": [0, 1, 0], \"bearing\": "

static saddle_status read_wheel(saddle_context *context, const char *bearing, saddle_scene *scene)
{
    char text[1000];
    snprintf(text, sizeof text, "%s%s}]}", WHEEL, bearing);
    return saddle_scene_read_text(context, text, (int64_t)strlen(text), NULL, NULL, scene);
}

static saddle_status brake_wheel(saddle_context *context, void *speed)
{
    saddle_scene scene;
    saddle_stepper *stepper = NULL;
    saddle_status status = read_wheel(context,
                                      "{\"mu\": 0.2, \"radius\": 0.01, \"half_length\": 0.05, "
                                      "\"points\": 8}",
                                      &scene);
    if (status == SADDLE_OK) status = saddle_stepper_create(scene.model, &scene.options, &stepper);
    for (int step = 0; step < 10 && status == SADDLE_OK; step++)
        status = saddle_stepper_step(stepper);
    if (status == SADDLE_OK)
        *(double *)speed = saddle_model_velocity(scene.model,
                                                 saddle_model_find(scene.model, "wheel"))[4];
    saddle_stepper_free(stepper);
    saddle_scene_clear(&scene);
    return status;
}

static void a_bearing_of_a_scene_brakes_and_no_allocation_leaks(void **unused)
{
    (void)unused;
    double speed = 0;
    saddle_scene scene;
    assert_int_equal(brake_wheel(NULL, &speed), SADDLE_OK);
    const double braking = 0.2 * 0.01 * 9.81 * ring_factor(8) / (0.4 * 0.01);
    assert_true(fabs(speed - (5 - braking * 0.1)) < 1e-9);
    assert_int_equal(read_wheel(NULL, "{\"mu\": 0.2, \"radius\": 0}", &scene), SADDLE_BAD_FILE);
    assert_int_equal(read_wheel(NULL, "{\"mu\": 0.2}", &scene), SADDLE_BAD_FILE);
    assert_true(test_allocation_sweep(brake_wheel, &speed) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_carry_a_load_with_the_least_impulses),
        cmocka_unit_test(a_ring_of_many_points_has_the_continuous_ring_s_limit),
        cmocka_unit_test(friction_of_the_points_has_the_power_of_the_rows),
        cmocka_unit_test(rates_of_a_ball_are_those_of_its_axes),
        cmocka_unit_test(a_spinning_shaft_stops_in_its_time),
        cmocka_unit_test(a_drawer_jams_beyond_its_critical_arm),
        cmocka_unit_test(few_rounds_jam_no_drawer_that_slides),
        cmocka_unit_test(a_slider_on_a_slope_holds_up_to_its_friction_angle),
        cmocka_unit_test(a_pendulum_loses_its_friction_angle_twice_a_swing),
        cmocka_unit_test(friction_takes_energy_and_keeps_its_bounds),
        cmocka_unit_test(without_a_fixed_point_the_step_says_so),
        cmocka_unit_test(unsound_bearings_are_refused),
        cmocka_unit_test(a_bearing_changes_between_steps),
        cmocka_unit_test(a_bearing_of_a_scene_brakes_and_no_allocation_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
