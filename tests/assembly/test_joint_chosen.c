/* SPDX-License-Identifier: MIT */
/* Joints of which the predicted work chooses whether their children's velocities are eliminated or
 * kept: sizes, and the same motion as in coordinates. */
#include <string.h>

#include "drawn_tree_model.h"

/* A chain of hinges, all in one form; n and m of its system. */
static void chain(int links, saddle_joint_form form, const saddle_stepper_options *options,
                  int64_t *n, int64_t *m, double *x)
{
    saddle_model *model;
    saddle_stepper *stepper;
    saddle_handle last = {0}, joint;
    const double weight[3] = {0, 0, -9.81}, size[3] = {1, 0.1, 0.1};
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    saddle_model_set_gravity(model, weight);
    for (int k = 0; k < links; k++) {
        saddle_body_def body = saddle_body_def_default();
        saddle_joint_def def = saddle_joint_def_default();
        saddle_pose at;
        const double origin[3] = {k, 0, 0}, axis[3] = {0.1 * (k % 3), 1, 0};
        assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, size, 1,
                                                     &body.inertia),
                         SADDLE_OK);
        body.pose.p[0] = k + 0.5;
        def.kind = SADDLE_JOINT_HINGE;
        def.form = form;
        def.a = last;
        assert_int_equal(saddle_model_add_body(model, &body, &last), SADDLE_OK);
        def.b = last;
        assert_int_equal(saddle_pose_along(NULL, origin, axis, &at), SADDLE_OK);
        assert_int_equal(saddle_joint_def_at(model, &at, &def), SADDLE_OK);
        assert_int_equal(saddle_model_add_joint(model, &def, &joint), SADDLE_OK);
    }
    assert_int_equal(saddle_stepper_create(model, options, &stepper), SADDLE_OK);
    for (int k = 0; k < 10; k++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    *n = saddle_stepper_report(stepper)->n;
    *m = saddle_stepper_report(stepper)->m;
    memcpy(x, saddle_model_pose(model, last), sizeof(saddle_pose));
    saddle_stepper_free(stepper);
    saddle_model_free(model);
}

/* Eliminated where the chain is short, kept where elimination couples all its coordinates. */
static void the_predicted_work_chooses(void **unused)
{
    (void)unused;
    int64_t n, m;
    double x[4][12];
    chain(4, SADDLE_JOINT_CHOSEN, NULL, &n, &m, x[0]);
    assert_int_equal(n, 4);
    assert_int_equal(m, 0);
    chain(300, SADDLE_JOINT_COORDINATES, NULL, &n, &m, x[0]);
    assert_int_equal(n, 300);
    assert_int_equal(m, 0);
    chain(300, SADDLE_JOINT_CHOSEN, NULL, &n, &m, x[1]);
    assert_true(n > 300 && m > 0); /* some or all are kept */
    assert_true(apart(x[0], x[1], 12) < 1e-8);
    chain(300, SADDLE_JOINT_ROWS, NULL, &n, &m, x[2]);
    assert_int_equal(n, 6 * 300);
    assert_int_equal(m, 5 * 300);
}

/* Kept joints in every integrator, with position projection and without. */
static void kept_joints_move_in_every_integrator(void **unused)
{
    (void)unused;
    for (int k = 0; k < 10; k++) {
        int64_t n[2], m[2];
        double x[2][12];
        saddle_stepper_options options = saddle_stepper_options_default();
        options.integrator = (saddle_integrator)(k % 5);
        options.projection = k / 5 * 2;
        options.time_step = 0.002;
        chain(40, SADDLE_JOINT_COORDINATES, &options, &n[0], &m[0], x[0]);
        chain(40, SADDLE_JOINT_CHOSEN, &options, &n[1], &m[1], x[1]);
        assert_true(n[1] > n[0] && m[1] > m[0]);
        assert_true(apart(x[0], x[1], 12) < 1e-8);
    }
}

static saddle_handle add_body(saddle_model *model, const double *x)
{
    const double moment[3] = {0.1, 0.12, 0.15};
    saddle_body_def body = saddle_body_def_default();
    saddle_handle part;
    body.inertia.mass = 1;
    body.inertia.center[1] = 0.1;
    for (int i = 0; i < 3; i++) {
        body.inertia.moment[4 * i] = moment[i];
        body.pose.p[i] = x[i];
    }
    assert_int_equal(saddle_model_add_body(model, &body, &part), SADDLE_OK);
    return part;
}

/* Balls and universals that close a loop, with geometric stiffness of their attachments. */
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
        const double at[3] = {k, 0.05 * k * (5 - k), 0};
        part[k] = add_body(model, at);
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

static void joints_to_be_chosen_take_geometric_stiffness(void **unused)
{
    (void)unused;
    for (int k = 0; k < 5; k++) {
        double x[3][12];
        a_loop(SADDLE_JOINT_ROWS, (saddle_integrator)k, x[0]);
        a_loop(SADDLE_JOINT_COORDINATES, (saddle_integrator)k, x[1]);
        a_loop(SADDLE_JOINT_CHOSEN, (saddle_integrator)k, x[2]);
        assert_true(apart(x[0], x[1], 12) < 1e-2);
        assert_true(apart(x[2], x[1], 12) < 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_predicted_work_chooses),
        cmocka_unit_test(kept_joints_move_in_every_integrator),
        cmocka_unit_test(joints_to_be_chosen_take_geometric_stiffness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
