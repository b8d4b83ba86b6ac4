/* SPDX-License-Identifier: MIT */
/* Joints along motions of all kinds: derivatives of their rows and coordinates against differences,
 * rows against coordinates, what acts along the coordinates, refusals. */
#include <math.h>
#include <string.h>

#include "differences.h"
#include "drawn_parts.h"
#include "drawn_tree_model.h"
#include "joint_internal.h"

/* ---- derivatives ---- */

typedef struct pair { /* two bodies and a joint between them */
    drawn_joint *drawn;
    saddle_model *model;
    saddle_handle a, b, joint;
    int found; /* 1: a place beside the motion is within reach of the search */
} pair;

static saddle_joint_free crowded(double q)
{
    saddle_joint_free free = saddle_joint_free_default();
    free.lo = q - 0.3;
    free.hi = q + 0.2;
    free.motor = free.servo = 1;
    free.servo_velocity = 0.7;
    free.friction = 1;
    return free;
}

/* b stands where the motion takes it; moved: by as much from there. */
static pair draw_pair(uint64_t *state, int kind, double moved, int ground)
{
    pair made = {.drawn = draw_joint(state, kind)};
    double dq[6], away[6];
    saddle_joint_def def = saddle_joint_def_default();
    assert_int_equal(saddle_model_create(NULL, &made.model), SADDLE_OK);
    saddle_model_set_time(made.model, test_uniform(state, 0, 1));
    made.a = test_draw_body(made.model, state, 1);
    if (!ground) made.b = test_draw_body(made.model, state, 1);
    def.kind = SADDLE_JOINT_MOTION;
    def.motion = made.drawn->joint;
    draw_coordinates(state, made.drawn, def.start, dq);
    def.a = made.a;
    def.b = made.b;
    const saddle_pose place = test_draw_pose(state, 1);
    assert_int_equal(saddle_joint_def_at(made.model, &place, &def), SADDLE_OK);
    for (int64_t k = 0; k < def.motion.size; k++) def.free[k] = crowded(def.start[k]);
    for (int i = 0; i < 6; i++) away[i] = moved * test_uniform(state, -1, 1);
    const saddle_pose step = saddle_pose_exp(away);
    def.frame_b = saddle_pose_multiply(&def.frame_b, &step);
    made.found = saddle_model_add_joint(made.model, &def, &made.joint) == SADDLE_OK;
    assert_true(made.found || moved > 0);
    return made;
}

static void end_pair(pair *made)
{
    saddle_model_free(made->model);
    free_joint(made->drawn);
}

static const double difference = 1e-4;

/* The least distance of the coordinates of splines and surfaces among q from a knot. */
static double from_knots(const drawn_joint *d, const double *q)
{
    double least = 1;
    for (int64_t k = 0, first = 0; k < d->chain.count; first += d->part[k++].size)
        least = fmin(least, from_knots(d->below[k], q + first));
    const int knots = d->kind == DRAWN_SPLINE || d->kind == DRAWN_SURFACE;
    for (int k = 0; knots && k < d->joint.size; k++) least = fmin(least, fabs(q[k] - round(q[k])));
    return least;
}

/* Splines are smooth to their second derivative alone: a difference across a knot says little.  q
 * moves by the relative twist, of less than 10, over the least singular value of S. */
static int near_knot(const pair *made)
{
    const saddle__joint *joint = saddle_model_constraint_data(made->model, made->joint);
    const saddle_motion *motion = &made->drawn->joint;
    saddle_pose Q;
    double S[36] = {0}, sigma[6];
    assert_int_equal(motion->evaluate(motion->data, joint->guide.q, &Q, S), 0);
    test_singular_values(6, motion->size, S, sigma);
    return from_knots(made->drawn, joint->guide.q) < 3 * difference * 10 / sigma[motion->size - 1];
}

/* moved = 0: all derivatives; else those of first order. */
static void compare(int kind, double moved, int trials)
{
    uint64_t state = test_seed();
    int compared = 0;
    for (int trial = 0; trial < trials; trial++) {
        pair made = draw_pair(&state, kind, moved, trial % 4 == 3);
        const saddle_anchor anchors[2] = {{made.a, 0}, {made.b, 0}};
        const int64_t rows = saddle_model_constraint_rows(made.model, made.joint);
        test_site site;
        test_errors errors;
        if (made.found)
            test_site_of(made.model, 2, anchors,
                         saddle_model_constraint_data(made.model, made.joint), &site);
        site.step = difference;
        if (made.found && !near_knot(&made) &&
            test_constraint_errors(&saddle__joints.type, &site, rows, &state, &errors) ==
                SADDLE_OK) {
            assert_true(errors.J < 1e-8);
            assert_true(errors.rate < 1e-8);
            assert_true(moved > 0 || errors.drift < 1e-6);
            assert_true(moved > 0 || errors.stiffness < 1e-6);
            compared++;
        }
        end_pair(&made);
    }
    assert_true(compared > trials / 3);
}

static void derivatives_are_exact_along_every_motion(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < DRAWN_JOINT_KINDS; kind++)
        compare(kind, 0, (int)test_draws_at_least(8, 60));
}

static void rows_have_exact_slopes_beside_the_motion(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < DRAWN_JOINT_KINDS; kind++)
        compare(kind, 0.03, (int)test_draws_at_least(8, 60));
}

/* ---- rows against coordinates ---- */

static void rows_and_coordinates_accelerate_alike(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int compared = 0, loops = 0;
    for (int64_t trial = 0; trial < test_draws(1000); trial++) {
        drawn_joints drawn;
        double rate[2][6 * TREE_BODIES];
        int clear = 1;
        draw_joints(&state, TREE_BODIES, trial % 3 ? TREE_WITH_MOTIONS : SADDLE_JOINT_MOTION,
                    &drawn);
        if (trial % 2) draw_loops(&state, &drawn);
        for (int k = 0; k < 2 && clear; k++) {
            tree_model made;
            tree_model_begin(&drawn, NULL,
                             k ? SADDLE_JOINT_FORM_ROWS : SADDLE_JOINT_FORM_COORDINATES, &made);
            clear = tree_model_accelerations(&drawn, &made, rate[k]);
            saddle_model_free(made.model);
        }
        if (clear) {
            const double error = apart(rate[0], rate[1], 6 * drawn.bodies);
            if (error >= 1e-10) print_error("trial %lld: %g\n", (long long)trial, error);
            assert_true(error < 1e-10);
            compared++;
            loops += drawn.loops;
        }
        free_joints(&drawn);
    }
    assert_true(compared > test_draws(300));
    assert_true(loops > test_draws(60));
}

static void run(const drawn_joints *drawn, saddle_joint_form form, saddle_integrator integrator,
                int geometric, double h, double *x)
{
    tree_model made;
    saddle_stepper *stepper;
    saddle_stepper_options options = saddle_stepper_options_default();
    options.integrator = integrator;
    options.assembly.geometric_stiffness = geometric;
    options.time_step = h;
    tree_model_begin(drawn, NULL, form, &made);
    assert_int_equal(saddle_stepper_create(made.model, &options, &stepper), SADDLE_OK);
    for (int64_t k = 0; k < (int64_t)(0.04 / h + 0.5); k++)
        assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    for (int k = 0; k < drawn->bodies; k++)
        memcpy(x + 12 * k, saddle_model_pose(made.model, made.part[k]), sizeof(saddle_pose));
    saddle_stepper_free(stepper);
    saddle_model_free(made.model);
}

/* The least distance of the coordinates of splines and surfaces among q from the ends. */
static double from_ends(const drawn_joint *d, const double *q)
{
    double least = 1;
    for (int64_t k = 0, first = 0; k < d->chain.count; first += d->part[k++].size)
        least = fmin(least, from_ends(d->below[k], q + first));
    for (int k = 0; d->range > 0 && k < d->joint.size; k++)
        least = fmin(least, fmin(q[k], d->range - q[k]));
    return least;
}

static int near_end(const drawn_joints *drawn)
{
    for (int k = 0; k < drawn->bodies; k++)
        if (drawn->motion[k] && from_ends(drawn->motion[k], drawn->joint[k].start) < 0.3) return 1;
    return 0;
}

/* Both forms differ by O(h^2) in every integrator: a quarter of the step, a sixteenth; by O(h) with
 * geometric stiffness. */
static void rows_and_coordinates_move_alike(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int compared = 0;
    for (int64_t trial = 0; trial < test_draws(60); trial++) {
        drawn_joints drawn;
        double x[2][2][12 * TREE_BODIES], error[2];
        draw_joints(&state, 3, SADDLE_JOINT_MOTION, &drawn);
        for (int k = 0; k < 2 && !near_end(&drawn); k++) {
            const double h = k ? 0.001 : 0.004;
            const saddle_integrator integrator = (saddle_integrator)(1 + trial % 4);
            for (int f = 0; f < 2; f++)
                run(&drawn, f ? SADDLE_JOINT_FORM_ROWS : SADDLE_JOINT_FORM_COORDINATES, integrator,
                    trial % 8 < 4, h, x[k][f]);
            error[k] = apart(x[k][0], x[k][1], 12 * drawn.bodies);
            if (k == 1) {
                assert_true(error[0] < 2e-2);
                assert_true(error[1] < error[0] / (trial % 8 < 4 ? 3 : 8) + 1e-12);
                compared++;
            }
        }
        free_joints(&drawn);
    }
    assert_true(compared >= test_draws(20));
}

/* ---- what acts along the coordinates ---- */

/* A body along a spline with a spring, an armature and a limit; q after a second. */
static double slide(saddle_joint_form form, double h, double *least)
{
    uint64_t state = 7;
    drawn_joint *drawn = draw_joint(&state, DRAWN_SPLINE);
    saddle_model *model;
    saddle_stepper *stepper;
    saddle_handle body, joint, force;
    saddle_joint_def def = saddle_joint_def_default();
    saddle_stepper_options options = saddle_stepper_options_default();
    const saddle_joint_spring spring = {.stiffness = 30, .damping = 0.1, .rest = 0.3};
    const saddle_armature armature = {.inertia = 0.2};
    const saddle_pose origin = saddle_pose_identity();
    double q[6] = {0}, dq[6];
    options.time_step = h;
    options.integrator = SADDLE_INTEGRATOR_IMPLICIT_EULER;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    body = test_draw_body(model, &state, 0.5);
    memset(saddle_model_velocity(model, body), 0, 6 * sizeof(double));
    def.kind = SADDLE_JOINT_MOTION;
    def.form = form;
    def.motion = drawn->joint;
    def.start[0] = 2.2;
    def.b = body;
    def.free[0].lo = 1.5;
    assert_int_equal(saddle_joint_def_at(model, &origin, &def), SADDLE_OK);
    assert_int_equal(saddle_model_add_joint(model, &def, &joint), SADDLE_OK);
    assert_int_equal(saddle_model_add_joint_spring(model, NULL, joint, 0, &spring, &force),
                     SADDLE_OK);
    assert_int_equal(saddle_model_add_armature(model, NULL, joint, 0, &armature, &force),
                     SADDLE_OK);
    assert_int_equal(saddle_stepper_create(model, &options, &stepper), SADDLE_OK);
    *least = 9;
    for (int64_t k = 0; k < (int64_t)(1 / h + 0.5); k++) {
        assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
        assert_int_equal(saddle_model_joint_coordinates(model, joint, q, dq), SADDLE_OK);
        *least = fmin(*least, q[0]);
    }
    saddle_stepper_free(stepper);
    saddle_model_free(model);
    free_joint(drawn);
    return q[0];
}

static void springs_armatures_and_limits_act_along_a_spline_in_both_forms(void **unused)
{
    (void)unused;
    double least[2];
    const double rows = slide(SADDLE_JOINT_FORM_ROWS, 0.002, &least[0]);
    const double coordinates = slide(SADDLE_JOINT_FORM_COORDINATES, 0.002, &least[1]);
    assert_true(fabs(rows - coordinates) < 1e-2);
    for (int k = 0; k < 2; k++) assert_true(least[k] > 1.5 - 1e-3 && least[k] < 1.55);
}

/* ---- far from the origin ---- */

enum { TRACK = 40 };

typedef struct track { /* a body on a spline of frames, `spacing` apart and turned by `bend` */
    saddle_pose frame[TRACK];
    double difference[6 * TRACK];
    saddle_joint_spline spline;
    saddle_joint_def def;
    saddle_model *model;
    saddle_handle body, joint;
} track;

/* The body is at q = 3.1 with dq/dt = 1. */
static void begin_track(double spacing, double bend, saddle_joint_form form, track *made)
{
    double p[2] = {1, 1}, S[6] = {0}, q = 3.1;
    saddle_body_def body = saddle_body_def_default();
    for (int k = 0; k < TRACK; k++) {
        const double turn[3] = {0, 0, bend * k};
        made->frame[k] = saddle_pose_identity();
        memcpy(made->frame[k].p, p, sizeof p);
        saddle_rotation_exp(turn, made->frame[k].R);
        p[0] += spacing * cos(bend * (k + 0.5));
        p[1] += spacing * sin(bend * (k + 0.5));
    }
    made->spline = (saddle_joint_spline){TRACK, made->frame, made->difference};
    made->def = saddle_joint_def_default();
    assert_int_equal(saddle_model_create(NULL, &made->model), SADDLE_OK);
    assert_int_equal(saddle_motion_spline(NULL, &made->spline, &made->def.motion), SADDLE_OK);
    assert_int_equal(made->def.motion.evaluate(made->def.motion.data, &q, &body.pose, S), 0);
    memcpy(body.twist, S, sizeof S);
    body.inertia.mass = 1;
    for (int i = 0; i < 9; i += 4) body.inertia.moment[i] = spacing * spacing;
    assert_int_equal(saddle_model_add_body(made->model, &body, &made->body), SADDLE_OK);
    made->def.kind = SADDLE_JOINT_MOTION;
    made->def.form = form;
    made->def.start[0] = 3;
    made->def.b = made->body;
    assert_int_equal(saddle_model_add_joint(made->model, &made->def, &made->joint), SADDLE_OK);
}

/* q after a second without forces. */
static void short_tracks_far_from_the_origin_are_followed(void **unused)
{
    (void)unused;
    for (double spacing = 1; spacing > 0.5e-7; spacing /= 10) {
        for (int k = 0; k < 4; k++) {
            track made;
            saddle_stepper *stepper;
            saddle_stepper_options options = saddle_stepper_options_default();
            double q, dq;
            options.time_step = 0.01;
            begin_track(spacing, k % 2 ? 0.05 : 0,
                        k / 2 ? SADDLE_JOINT_FORM_ROWS : SADDLE_JOINT_FORM_COORDINATES, &made);
            assert_int_equal(saddle_stepper_create(made.model, &options, &stepper), SADDLE_OK);
            for (int s = 0; s < 100; s++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
            assert_int_equal(saddle_model_joint_coordinates(made.model, made.joint, &q, &dq),
                             SADDLE_OK);
            assert_true(fabs(q - 4.1) < 1e-3);
            assert_true(fabs(dq - 1) < 1e-3);
            saddle_stepper_free(stepper);
            saddle_model_free(made.model);
        }
    }
}

/* ---- refusals ---- */

static void unsound_motions_are_refused(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    drawn_joint *drawn = draw_joint(&state, DRAWN_SPLINE);
    saddle_model *model;
    saddle_handle joint, dust;
    saddle_joint_def good = saddle_joint_def_default(), bad;
    const saddle_particle_def particle = {.mass = 1};
    const saddle_pose origin = saddle_pose_identity();
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    assert_int_equal(saddle_model_add_particle(model, &particle, &dust), SADDLE_OK);
    good.kind = SADDLE_JOINT_MOTION;
    good.motion = drawn->joint;
    good.start[0] = 1;
    good.b = test_draw_body(model, &state, 1);
    assert_int_equal(saddle_joint_def_at(model, &origin, &good), SADDLE_OK);
    bad = good;
    bad.motion = saddle_motion_fixed();
    assert_int_equal(saddle_model_add_joint(model, &bad, &joint), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_joint_def_at(model, &origin, &bad), SADDLE_INVALID_ARGUMENT);
    bad = good;
    bad.motion.evaluate = NULL;
    assert_int_equal(saddle_model_add_joint(model, &bad, &joint), SADDLE_INVALID_ARGUMENT);
    bad = good;
    bad.motion.after.R[0] = 2;
    assert_int_equal(saddle_model_add_joint(model, &bad, &joint), SADDLE_INVALID_ARGUMENT);
    bad = good;
    bad.start[0] = 9;
    assert_int_equal(saddle_joint_def_at(model, &origin, &bad), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_model_add_joint(model, &bad, &joint), SADDLE_INVALID_ARGUMENT);
    bad = good;
    bad.a = dust;
    assert_int_equal(saddle_model_add_joint(model, &bad, &joint), SADDLE_INVALID_ARGUMENT);
    bad = good;
    bad.free[1].motor = 1;
    assert_int_equal(saddle_model_add_joint(model, &bad, &joint), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_model_add_joint(model, &good, &joint), SADDLE_OK);
    saddle_model_joint(model, joint)->motion.size = 2;
    assert_int_equal(saddle_model_joint_changed(model, joint), SADDLE_INVALID_ARGUMENT);
    saddle_model_joint(model, joint)->motion.size = 1;
    saddle_model_joint(model, joint)->free[0].hi = 3;
    assert_int_equal(saddle_model_joint_changed(model, joint), SADDLE_OK);
    saddle_model_free(model);
    free_joint(drawn);
}

typedef struct broken { /* a slide along x; number `wrong` of (Q.p, Q.R, S) is `value` */
    int wrong;          /* -1: none */
    double value;
} broken;

static int evaluate_broken(const void *data, const double *q, saddle_pose *Q, double *S)
{
    const broken *as = data;
    *Q = saddle_pose_identity();
    Q->p[0] = q[0];
    S[0] = 1;
    if (as->wrong >= 0)
        *(as->wrong < 3    ? &Q->p[as->wrong]
          : as->wrong < 12 ? &Q->R[as->wrong - 3]
                           : &S[as->wrong - 12]) = as->value;
    return 0;
}

static void numbers_that_are_not_finite_are_refused(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2 * 2 * 18; k++) {
        broken as = {k / 4, k % 2 ? INFINITY : NAN};
        saddle_context *context;
        saddle_model *model;
        saddle_stepper *stepper;
        saddle_joint_def def = saddle_joint_def_default();
        saddle_body_def body = saddle_body_def_default();
        saddle_handle joint;
        double q;
        body.inertia.mass = 1;
        for (int i = 0; i < 9; i += 4) body.inertia.moment[i] = 1;
        assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
        assert_int_equal(saddle_model_create(context, &model), SADDLE_OK);
        assert_int_equal(saddle_model_add_body(model, &body, &def.b), SADDLE_OK);
        def.kind = SADDLE_JOINT_MOTION;
        def.form = k / 2 % 2 ? SADDLE_JOINT_FORM_ROWS : SADDLE_JOINT_FORM_COORDINATES;
        def.motion = (saddle_motion){.size = 1,
                                     .before = saddle_pose_identity(),
                                     .after = saddle_pose_identity(),
                                     .evaluate = evaluate_broken,
                                     .data = &as};
        assert_int_equal(saddle_model_add_joint(model, &def, &joint), SADDLE_INVALID_ARGUMENT);
        assert_non_null(strstr(saddle_context_message(context), "no coordinates of its motion"));
        as.wrong = -1;
        assert_int_equal(saddle_model_add_joint(model, &def, &joint), SADDLE_OK);
        assert_int_equal(saddle_stepper_create(model, NULL, &stepper), SADDLE_OK);
        as.wrong = k / 4;
        assert_int_equal(saddle_model_joint_coordinates(model, joint, &q, NULL), SADDLE_SINGULAR);
        saddle_context_clear_message(context);
        assert_true(saddle_stepper_step(stepper) < 0);
        assert_true(strlen(saddle_context_message(context)) > 0);
        saddle_stepper_free(stepper);
        saddle_model_free(model);
        saddle_context_free(context);
    }
}

static void other_motions_are_refused_and_other_frames_followed(void **unused)
{
    (void)unused;
    track made;
    double q;
    begin_track(1, 0, SADDLE_JOINT_FORM_ROWS, &made);
    saddle_joint_def *def = saddle_model_joint(made.model, made.joint);
    const saddle_joint_def good = *def;
    def->frame_a.p[0] = 100; /* no q is there */
    def->free[0].hi = 5;
    assert_int_equal(saddle_model_joint_changed(made.model, made.joint), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_model_constraint_rows(made.model, made.joint), 5);
    assert_int_equal(saddle_model_joint_coordinates(made.model, made.joint, &q, NULL), SADDLE_OK);
    assert_true(fabs(q - 3.1) < 1e-12);
    *def = good;
    def->frame_a.p[0] = 0.5;
    assert_int_equal(saddle_model_joint_changed(made.model, made.joint), SADDLE_OK);
    assert_int_equal(saddle_model_joint_coordinates(made.model, made.joint, &q, NULL), SADDLE_OK);
    assert_true(fabs(q - 2.6) < 1e-12);
    for (int k = 0; k < 4; k++) {
        *def = good;
        if (k == 0) def->motion.before.p[1] = 1;
        if (k == 1) def->motion.after.p[1] = 1;
        if (k == 2) def->motion.reparameterize = saddle_motion_exponential().reparameterize;
        if (k == 3) def->start[0] = 4;
        assert_int_equal(saddle_model_joint_changed(made.model, made.joint),
                         SADDLE_INVALID_ARGUMENT);
    }
    saddle_model_free(made.model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_exact_along_every_motion),
        cmocka_unit_test(rows_have_exact_slopes_beside_the_motion),
        cmocka_unit_test(rows_and_coordinates_accelerate_alike),
        cmocka_unit_test(rows_and_coordinates_move_alike),
        cmocka_unit_test(springs_armatures_and_limits_act_along_a_spline_in_both_forms),
        cmocka_unit_test(short_tracks_far_from_the_origin_are_followed),
        cmocka_unit_test(unsound_motions_are_refused),
        cmocka_unit_test(numbers_that_are_not_finite_are_refused),
        cmocka_unit_test(other_motions_are_refused_and_other_frames_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
