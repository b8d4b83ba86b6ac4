/* SPDX-License-Identifier: MIT */
/* Joints whose form is chosen by the predicted work: the form taken, the unknowns, and the same
 * motion as in the form asked for by name, in either form. */
#include <string.h>

#include "drawn_tree_model.h"

/* ---- the form taken ---- */

static saddle_handle add_body(saddle_model *model, int massless, double x)
{
    const double size[3] = {1, 0.1, 0.1};
    saddle_body_def body = saddle_body_def_default();
    saddle_handle part;
    body.massless = massless;
    body.pose.p[0] = x;
    if (!massless)
        assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, size, 1,
                                                     &body.inertia),
                         SADDLE_OK);
    assert_int_equal(saddle_model_add_body(model, &body, &part), SADDLE_OK);
    return part;
}

/* A joint with its frames along `axis` at x. */
static saddle_handle add_joint(saddle_model *model, saddle_joint_def def, double x,
                               const double *axis)
{
    const double origin[3] = {x, 0, 0};
    saddle_pose at;
    saddle_handle joint;
    assert_int_equal(saddle_pose_along(NULL, origin, axis, &at), SADDLE_OK);
    assert_int_equal(saddle_joint_def_at(model, &at, &def), SADDLE_OK);
    assert_int_equal(saddle_model_add_joint(model, &def, &joint), SADDLE_OK);
    return joint;
}

typedef struct taken_case {
    saddle_joint_kind kind;
    unsigned locked;
    double alpha;
    int massless[2]; /* a, b */
    saddle_joint_form taken;
} taken_case;

enum { ALL = 0x3f };

static const taken_case cases[] = {
    {SADDLE_JOINT_FIXED, 0, 0, {0, 0}, SADDLE_JOINT_FORM_COORDINATES},
    {SADDLE_JOINT_CUSTOM, ALL, 0, {0, 0}, SADDLE_JOINT_FORM_COORDINATES},
    {SADDLE_JOINT_CUSTOM, ALL - 1, 0, {0, 0}, SADDLE_JOINT_FORM_ROWS},
    {SADDLE_JOINT_CUSTOM, 1, 0, {0, 0}, SADDLE_JOINT_FORM_ROWS},
    {SADDLE_JOINT_HINGE, 0, 0, {0, 0}, SADDLE_JOINT_FORM_ROWS},
    {SADDLE_JOINT_SLIDER, 0, 0, {0, 0}, SADDLE_JOINT_FORM_ROWS},
    {SADDLE_JOINT_BALL, 0, 0, {0, 0}, SADDLE_JOINT_FORM_ROWS},
    {SADDLE_JOINT_UNIVERSAL, 0, 0, {0, 0}, SADDLE_JOINT_FORM_ROWS},
    {SADDLE_JOINT_WHEEL, 0, 0, {0, 0}, SADDLE_JOINT_FORM_ROWS},
    {SADDLE_JOINT_MOTION, 0, 0, {0, 0}, SADDLE_JOINT_FORM_ROWS},
    {SADDLE_JOINT_HINGE, 0, 0, {0, 1}, SADDLE_JOINT_FORM_COORDINATES},
    {SADDLE_JOINT_HINGE, 0, 0, {1, 0}, SADDLE_JOINT_FORM_COORDINATES},
    {SADDLE_JOINT_MOTION, 0, 0, {0, 1}, SADDLE_JOINT_FORM_COORDINATES},
    {SADDLE_JOINT_FIXED, 0, 1e-6, {0, 0}, SADDLE_JOINT_FORM_ROWS}};

static void coordinates_are_taken_where_none_are_left_or_mass_is_missing(void **unused)
{
    (void)unused;
    const double axis[3] = {0, 1, 0};
    for (int k = 0; k < (int)(sizeof cases / sizeof *cases); k++) {
        const taken_case *c = &cases[k];
        for (int of_model = 0; of_model < 2; of_model++) {
            saddle_model *model;
            saddle_joint_def def = saddle_joint_def_default();
            assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
            if (of_model)
                assert_int_equal(saddle_model_set_joint_form(model, SADDLE_JOINT_FORM_CHOSEN),
                                 SADDLE_OK);
            def.form = of_model ? SADDLE_JOINT_FORM_OF_MODEL : SADDLE_JOINT_FORM_CHOSEN;
            def.kind = c->kind;
            def.locked = c->locked;
            def.compliance.alpha = c->alpha;
            if (c->kind == SADDLE_JOINT_MOTION) def.motion = saddle_motion_exponential();
            def.a = add_body(model, c->massless[0], 0);
            def.b = add_body(model, c->massless[1], 1);
            const saddle_handle joint = add_joint(model, def, 0.5, axis);
            assert_int_equal(saddle_model_joint_form(model, joint), c->taken);
            assert_int_equal(saddle_model_set_joint_form(model, SADDLE_JOINT_FORM_COORDINATES),
                             SADDLE_OK);
            saddle_model_joint(model, joint)->frame_a.p[1] = 0.1;
            assert_int_equal(saddle_model_joint_changed(model, joint), SADDLE_OK);
            assert_int_equal(saddle_model_joint_form(model, joint), c->taken); /* it stays */
            saddle_model_free(model);
        }
    }
}

static void a_fixed_joint_that_closes_a_loop_is_rows(void **unused)
{
    (void)unused;
    const double axis[3] = {0, 1, 0};
    saddle_model *model;
    saddle_handle part[3];
    saddle_joint_def def = saddle_joint_def_default();
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    for (int k = 0; k < 3; k++) part[k] = add_body(model, 0, k);
    def.form = SADDLE_JOINT_FORM_CHOSEN;
    for (int k = 0; k < 3; k++) {
        def.a = part[k];
        def.b = part[(k + 1) % 3];
        const saddle_handle joint = add_joint(model, def, 0.5, axis);
        assert_int_equal(saddle_model_joint_form(model, joint),
                         k < 2 ? SADDLE_JOINT_FORM_COORDINATES : SADDLE_JOINT_FORM_ROWS);
    }
    saddle_model_free(model);
}

/* ---- chains ---- */

enum { LINKS = 12, NAMED = SADDLE_JOINT_FORM_CHOSEN + 1 }; /* NAMED: the form chosen, by its name */

/* A chain from the ground of joints of two kinds in turn; after some steps the poses of its bodies
 * into x (12 each). */
static void chain(saddle_joint_kind even, saddle_joint_kind odd, int form, int massless,
                  const saddle_stepper_options *options, int64_t *n, int64_t *m, double *x)
{
    saddle_model *model;
    saddle_stepper *stepper;
    saddle_handle part[LINKS] = {{0}};
    const double weight[3] = {1, 2, -9.81}, rotations = even == SADDLE_JOINT_HINGE;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    saddle_model_set_gravity(model, weight);
    for (int k = 0; k < LINKS; k++) {
        const double axis[3] = {0.1 * (k % 3), 1, rotations != 0 ? 0 : 0.3 * k};
        saddle_joint_def def = saddle_joint_def_default();
        const int light = massless && k % 3 == 0;
        part[k] = add_body(model, light, k + 0.5);
        def.kind = k % 2 ? odd : even;
        if (k > 0) def.a = part[k - 1];
        def.b = part[k];
        const int coordinates = def.kind == SADDLE_JOINT_FIXED || (massless && k % 3 < 2);
        def.form = form < NAMED  ? (saddle_joint_form)form
                   : coordinates ? SADDLE_JOINT_FORM_COORDINATES
                                 : SADDLE_JOINT_FORM_ROWS;
        (void)add_joint(model, def, k, axis);
    }
    assert_int_equal(saddle_stepper_create(model, options, &stepper), SADDLE_OK);
    for (int k = 0; k < 20; k++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    *n = saddle_stepper_report(stepper)->n;
    *m = saddle_stepper_report(stepper)->m;
    for (int k = 0; k < LINKS; k++)
        memcpy(x + 12 * k, saddle_model_pose(model, part[k]), sizeof(saddle_pose));
    saddle_stepper_free(stepper);
    saddle_model_free(model);
}

static void the_system_has_the_unknowns_of_the_form_taken(void **unused)
{
    (void)unused;
    int64_t n, m;
    double x[12 * LINKS];
    const int form = SADDLE_JOINT_FORM_CHOSEN;
    chain(SADDLE_JOINT_HINGE, SADDLE_JOINT_HINGE, form, 0, NULL, &n, &m, x);
    assert_int_equal(n, 6 * LINKS);
    assert_int_equal(m, 5 * LINKS);
    chain(SADDLE_JOINT_BALL, SADDLE_JOINT_BALL, form, 0, NULL, &n, &m, x);
    assert_int_equal(n, 6 * LINKS);
    assert_int_equal(m, 3 * LINKS);
    chain(SADDLE_JOINT_FIXED, SADDLE_JOINT_FIXED, form, 0, NULL, &n, &m, x);
    assert_int_equal(n, 0);
    assert_int_equal(m, 0);
    chain(SADDLE_JOINT_HINGE, SADDLE_JOINT_FIXED, form, 0, NULL, &n, &m, x);
    assert_int_equal(n, 6 * LINKS / 2); /* pairs of bodies are one */
    assert_int_equal(m, 5 * LINKS / 2);
    chain(SADDLE_JOINT_HINGE, SADDLE_JOINT_HINGE, form, 1, NULL, &n, &m, x);
    assert_int_equal(n, (1 + 1 + 6) * LINKS / 3); /* of three a massless one and its child */
    assert_int_equal(m, 5 * LINKS / 3);
}

/* Every integrator, with position projection and without. */
static void chosen_joints_move_as_those_of_the_form_taken(void **unused)
{
    (void)unused;
    for (int k = 0; k < 20; k++) {
        int64_t n[2], m[2];
        double x[2][12 * LINKS];
        const saddle_joint_kind odd = k % 2 ? SADDLE_JOINT_FIXED : SADDLE_JOINT_BALL;
        const int massless = k % 2 == 0;
        saddle_stepper_options options = saddle_stepper_options_default();
        options.integrator = (saddle_integrator)(k / 2 % 5);
        options.projection = k / 10 * 2;
        options.time_step = 0.002;
        chain(SADDLE_JOINT_HINGE, odd, SADDLE_JOINT_FORM_CHOSEN, massless, &options, &n[0], &m[0],
              x[0]);
        chain(SADDLE_JOINT_HINGE, odd, NAMED, massless, &options, &n[1], &m[1], x[1]);
        assert_int_equal(n[0], n[1]);
        assert_int_equal(m[0], m[1]);
        assert_true(apart(x[0], x[1], 12 * LINKS) < 1e-10);
    }
}

/* Without rotations, steps of both forms are exact alike. */
static void sliders_and_fixed_joints_move_alike_in_every_form(void **unused)
{
    (void)unused;
    for (int k = 0; k < 5; k++) {
        int64_t n, m;
        double x[3][12 * LINKS];
        saddle_stepper_options options = saddle_stepper_options_default();
        options.integrator = (saddle_integrator)k;
        options.time_step = 0.002;
        for (int form = SADDLE_JOINT_FORM_ROWS; form <= SADDLE_JOINT_FORM_CHOSEN; form++)
            chain(SADDLE_JOINT_SLIDER, SADDLE_JOINT_FIXED, form, 0, &options, &n, &m,
                  x[form - SADDLE_JOINT_FORM_ROWS]);
        assert_int_equal(n, 6 * LINKS / 2);
        assert_true(apart(x[0], x[1], 12 * LINKS) < 1e-10);
        assert_true(apart(x[0], x[2], 12 * LINKS) < 1e-10);
    }
}

/* ---- trees and loops of every kind ---- */

/* Balls and universals that close a loop, with geometric stiffness; the last pose into x. */
static void a_loop(saddle_joint_form form, saddle_integrator integrator, double *x)
{
    saddle_model *model;
    saddle_stepper *stepper;
    saddle_handle part[6] = {{0}}, joint;
    const double weight[3] = {0.3, -9.81, 1};
    saddle_stepper_options options = saddle_stepper_options_default();
    options.integrator = integrator;
    options.time_step = 0.002;
    options.assembly.geometric_stiffness = 1;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    saddle_model_set_gravity(model, weight);
    for (int k = 1; k < 5; k++) {
        part[k] = add_body(model, 0, k);
        saddle_model_pose(model, part[k])->p[1] = 0.05 * k * (5 - k);
    }
    for (int k = 0; k < 5; k++) {
        saddle_joint_def def = saddle_joint_def_default();
        saddle_pose at = saddle_pose_identity();
        at.p[0] = k + 0.5;
        at.p[1] = 0.05 * (k + 0.5) * (4.5 - k);
        def.kind = k % 2 ? SADDLE_JOINT_UNIVERSAL : SADDLE_JOINT_BALL;
        def.form = form;
        def.a = part[k];
        def.b = part[k + 1]; /* the last is the ground */
        assert_int_equal(saddle_joint_def_at(model, &at, &def), SADDLE_OK);
        assert_int_equal(saddle_model_add_joint(model, &def, &joint), SADDLE_OK);
    }
    assert_int_equal(saddle_stepper_create(model, &options, &stepper), SADDLE_OK);
    for (int s = 0; s < 50; s++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    memcpy(x, saddle_model_pose(model, part[4]), sizeof(saddle_pose));
    saddle_stepper_free(stepper);
    saddle_model_free(model);
}

static void loops_take_geometric_stiffness_in_every_form(void **unused)
{
    (void)unused;
    for (int k = 0; k < 5; k++) {
        double x[3][12];
        a_loop(SADDLE_JOINT_FORM_ROWS, (saddle_integrator)k, x[0]);
        a_loop(SADDLE_JOINT_FORM_COORDINATES, (saddle_integrator)k, x[1]);
        a_loop(SADDLE_JOINT_FORM_CHOSEN, (saddle_integrator)k, x[2]);
        assert_true(apart(x[0], x[1], 12) < 1e-2);
        assert_true(apart(x[0], x[2], 12) < 1e-10);
    }
}

static void accelerations_are_the_same_in_every_form(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    const int64_t draws = test_draws_at_least(40, 400);
    int64_t taken[2] = {0, 0}, compared = 0;
    for (int64_t draw = 0; draw < draws; draw++) {
        const saddle_joint_form form[3] = {SADDLE_JOINT_FORM_ROWS, SADDLE_JOINT_FORM_COORDINATES,
                                           SADDLE_JOINT_FORM_CHOSEN};
        drawn_joints drawn;
        double rate[3][6 * TREE_BODIES];
        int clear = 1;
        draw_joints(&state, TREE_BODIES, draw % 3 ? -1 : TREE_WITH_MOTIONS, &drawn);
        if (draw % 2) draw_loops(&state, &drawn);
        for (int k = 0; k < 3 && clear; k++) {
            tree_model made;
            tree_model_begin(&drawn, NULL, form[k], &made);
            for (int j = 0; k == 2 && j < drawn.bodies; j++)
                taken[saddle_model_joint_form(made.model, made.joint[j]) ==
                      SADDLE_JOINT_FORM_ROWS]++;
            clear = tree_model_accelerations(&drawn, &made, rate[k]);
            saddle_model_free(made.model);
        }
        if (clear) {
            assert_true(apart(rate[0], rate[2], 6 * drawn.bodies) < 1e-10);
            assert_true(apart(rate[1], rate[2], 6 * drawn.bodies) < 1e-10);
            compared++;
        }
        free_joints(&drawn);
    }
    assert_true(compared > draws / 3);
    assert_true(taken[0] > draws / 4 && taken[1] > draws);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinates_are_taken_where_none_are_left_or_mass_is_missing),
        cmocka_unit_test(a_fixed_joint_that_closes_a_loop_is_rows),
        cmocka_unit_test(the_system_has_the_unknowns_of_the_form_taken),
        cmocka_unit_test(chosen_joints_move_as_those_of_the_form_taken),
        cmocka_unit_test(sliders_and_fixed_joints_move_alike_in_every_form),
        cmocka_unit_test(loops_take_geometric_stiffness_in_every_form),
        cmocka_unit_test(accelerations_are_the_same_in_every_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
