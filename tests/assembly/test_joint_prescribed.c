/* SPDX-License-Identifier: MIT */
/* Joints whose coordinates are prescribed: motion and torque of a driven pendulum against closed
 * forms, in both forms; work against energy; torques of drawn trees against inverse dynamics. */
#include <math.h>
#include <string.h>

#include "drawn_tree_model.h"
#include "saddle/ode.h"
#include "saddle/tree.h"
#include "system.h"

static const double inertia = 0.7, mass = 2, length = 0.4, weight = 9.81;

typedef struct driven {
    saddle_model *model;
    saddle_stepper *stepper;
    saddle_handle body, joint;
} driven;

/* A pendulum about y, its mass below the hinge. */
static driven begin(saddle_joint_form form, saddle_integrator integrator, double h)
{
    driven made = {0};
    const double down[3] = {0, 0, -weight}, origin[3] = {0, 0, 0}, y[3] = {0, 1, 0};
    saddle_body_def body = saddle_body_def_default();
    saddle_joint_def def = saddle_joint_def_default();
    saddle_stepper_options options = saddle_stepper_options_default();
    saddle_pose at;
    options.integrator = integrator;
    options.time_step = h;
    body.inertia.mass = mass;
    body.inertia.center[2] = -length;
    for (int i = 0; i < 3; i++) body.inertia.moment[4 * i] = inertia - mass * length * length;
    assert_int_equal(saddle_model_create(NULL, &made.model), SADDLE_OK);
    saddle_model_set_gravity(made.model, down);
    assert_int_equal(saddle_model_add_body(made.model, &body, &made.body), SADDLE_OK);
    def.kind = SADDLE_JOINT_HINGE;
    def.form = form;
    def.b = made.body;
    assert_int_equal(saddle_pose_along(NULL, origin, y, &at), SADDLE_OK);
    assert_int_equal(saddle_joint_def_at(made.model, &at, &def), SADDLE_OK);
    assert_int_equal(saddle_model_add_joint(made.model, &def, &made.joint), SADDLE_OK);
    assert_int_equal(saddle_stepper_create(made.model, &options, &made.stepper), SADDLE_OK);
    return made;
}

static void end(driven *made)
{
    saddle_stepper_free(made->stepper);
    saddle_model_free(made->model);
}

/* q = 0.8 (1 - cos 3 t), from rest */
static double angle_at(double t)
{
    return 0.8 * (1 - cos(3 * t));
}
static double rate_at(double t)
{
    return 2.4 * sin(3 * t);
}
static double acceleration_at(double t)
{
    return 7.2 * cos(3 * t);
}

static void tell(void *user, double time, double *value)
{
    const saddle_prescription how = *(const saddle_prescription *)user;
    *value = how == SADDLE_PRESCRIPTION_POSITION   ? angle_at(time)
             : how == SADDLE_PRESCRIPTION_VELOCITY ? rate_at(time)
                                                   : acceleration_at(time);
}

/* Largest errors over a second of q, and of the torque against I q'' + m g l sin q. */
static void follow(saddle_joint_form form, saddle_integrator integrator, saddle_prescription how,
                   double h, double *error, double *torque_error, double *work_error)
{
    driven made = begin(form, integrator, h);
    double q, force, work = 0;
    *error = *torque_error = *work_error = 0;
    assert_int_equal(saddle_model_prescribe_joint(made.model, made.joint, how, tell, &how),
                     SADDLE_OK);
    const saddle_energies first = saddle_model_energies(made.model);
    for (int64_t k = 0; k < (int64_t)(1 / h + 0.5); k++) {
        const double middle = ((double)k + 0.5) * h;
        double before;
        assert_int_equal(saddle_model_joint_coordinates(made.model, made.joint, &before, NULL),
                         SADDLE_OK);
        assert_int_equal(saddle_stepper_step(made.stepper), SADDLE_OK);
        assert_int_equal(saddle_model_joint_coordinates(made.model, made.joint, &q, NULL),
                         SADDLE_OK);
        assert_int_equal(saddle_stepper_joint_force(made.stepper, made.joint, &force), SADDLE_OK);
        const double wanted = inertia * acceleration_at(middle) +
                              mass * weight * length * sin(angle_at(middle));
        work += force * (q - before);
        *error = fmax(*error, fabs(q - angle_at((double)(k + 1) * h)));
        if (k > 0 || how != SADDLE_PRESCRIPTION_POSITION) /* u starts with a step */
            *torque_error = fmax(*torque_error, fabs(force - wanted));
    }
    const saddle_energies last = saddle_model_energies(made.model);
    *work_error = fabs(last.kinetic + last.gravity - first.kinetic - first.gravity - work);
    end(&made);
}

static void a_driven_pendulum_follows_and_its_torque_is_that_of_the_closed_form(void **unused)
{
    (void)unused;
    for (int k = 0; k < 12; k++) {
        const saddle_joint_form form = k % 2 ? SADDLE_JOINT_FORM_COORDINATES
                                             : SADDLE_JOINT_FORM_ROWS;
        const saddle_prescription how = (saddle_prescription)(1 + k / 2 % 3);
        const saddle_integrator integrator = k < 6 ? SADDLE_INTEGRATOR_SYMPLECTIC_EULER
                                                   : SADDLE_INTEGRATOR_IMPLICIT_EULER;
        double error[2], torque[2], work[2];
        for (int i = 0; i < 2; i++)
            follow(form, integrator, how, i ? 0.001 : 0.002, &error[i], &torque[i], &work[i]);
        assert_true(error[0] < (how == SADDLE_PRESCRIPTION_POSITION ? 1e-11 : 0.02));
        assert_true(error[1] < error[0] / 1.9 + 1e-11);
        assert_true(torque[0] < 0.2 && torque[1] < torque[0] / 1.8);
        assert_true(work[0] < 0.1 && work[1] < work[0] / 1.7 + 1e-6);
    }
}

static void positions_are_those_told_in_every_integrator(void **unused)
{
    (void)unused;
    for (int k = 0; k < 10; k++) {
        double error, torque, work;
        if ((saddle_integrator)(k / 2) == SADDLE_INTEGRATOR_EXPLICIT_EULER && k % 2 == 0) continue;
        follow(k % 2 ? SADDLE_JOINT_FORM_COORDINATES : SADDLE_JOINT_FORM_ROWS,
               (saddle_integrator)(k / 2), SADDLE_PRESCRIPTION_POSITION, 0.001, &error, &torque,
               &work);
        assert_true(error < (k % 2 ? 1e-11 : 1e-4));
    }
}

/* ---- inverse dynamics ---- */

/* The tree of a drawn model, whose children are all b. */
static saddle_tree *tree_of(const drawn_joints *drawn)
{
    saddle_tree_body body[TREE_BODIES];
    saddle_tree *tree;
    for (int k = 0; k < drawn->bodies; k++) {
        const saddle_joint_def *joint = &drawn->joint[k];
        const saddle_pose back = saddle_pose_inverse(&joint->frame_b);
        body[k] = (saddle_tree_body){drawn->end[k][0], joint->motion, drawn->body[k].inertia};
        body[k].joint.before = saddle_pose_multiply(&joint->frame_a, &joint->motion.before);
        body[k].joint.after = saddle_pose_multiply(&joint->motion.after, &back);
    }
    assert_int_equal(saddle_tree_create(NULL, drawn->bodies, body, &tree), SADDLE_OK);
    assert_int_equal(saddle_tree_set_gravity(tree, drawn->gravity), SADDLE_OK);
    return tree;
}

/* rate (6 bodies): accelerations. */
static int accelerate(const drawn_joints *drawn, saddle_joint_form form, const int64_t *first,
                      const saddle_prescription *how, const double *value, double *rate)
{
    tree_model made;
    tree_model_begin(drawn, NULL, form, &made);
    for (int k = 0; k < drawn->bodies; k++) {
        assert_int_equal(saddle_model_prescribe_joint(made.model, made.joint[k], how[k], NULL,
                                                      NULL),
                         SADDLE_OK);
        double *told = saddle_model_joint_prescribed(made.model, made.joint[k]);
        assert_true((told != NULL) == (how[k] != SADDLE_PRESCRIPTION_NONE));
        for (int64_t i = first[k]; told && i < first[k + 1]; i++) told[i - first[k]] = value[i];
    }
    const int clear = tree_model_accelerations(drawn, &made, rate);
    saddle_model_free(made.model);
    return clear;
}

static void drawn_trees_accelerate_as_hybrid_dynamics_says(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int compared = 0;
    for (int64_t trial = 0; trial < test_draws(300); trial++) {
        drawn_joints drawn;
        saddle_prescription how[TREE_BODIES];
        double value[6 * TREE_BODIES], q[6 * TREE_BODIES], dq[6 * TREE_BODIES],
            ddq[6 * TREE_BODIES], rate[3][6 * TREE_BODIES], z[6 * TREE_BODIES];
        draw_joints(&state, 6, SADDLE_JOINT_MOTION, &drawn);
        int ordered = 1;
        for (int k = 0; k < drawn.bodies; k++) ordered &= drawn.end[k][1] == k;
        if (ordered) {
            saddle_tree *tree = tree_of(&drawn);
            const int64_t *first = saddle_tree_first(tree);
            tree_model made;
            tree_model_begin(&drawn, NULL, SADDLE_JOINT_FORM_COORDINATES, &made);
            for (int k = 0; k < drawn.bodies; k++) {
                const saddle_handle part = saddle_model_joint_part(made.model, made.joint[k]);
                const size_t bytes = (size_t)(first[k + 1] - first[k]) * sizeof *q;
                memcpy(q + first[k], saddle_model_position(made.model, part), bytes);
                memcpy(dq + first[k], saddle_model_velocity(made.model, part), bytes);
                how[k] = test_integer(&state, 0, 1) ? SADDLE_PRESCRIPTION_ACCELERATION
                                                    : SADDLE_PRESCRIPTION_NONE;
            }
            saddle_model_free(made.model);
            for (int64_t i = 0; i < first[drawn.bodies]; i++)
                value[i] = test_uniform(&state, -3, 3);
            assert_int_equal(saddle_tree_place(tree, q, dq), SADDLE_OK);
            const saddle_status status = saddle_tree_hybrid(tree, how, value, 1, NULL, NULL, ddq,
                                                            NULL);
            if (status == SADDLE_OK) {
                assert_int_equal(saddle_tree_push(tree, ddq, rate[0]), SADDLE_OK);
                assert_int_equal(saddle_tree_push_rate(tree, dq, z), SADDLE_OK);
                for (int i = 0; i < 6 * drawn.bodies; i++) rate[0][i] += z[i];
                int clear = 1;
                for (int f = 1; f < 3 && clear; f++)
                    clear = accelerate(&drawn,
                                       f == 1 ? SADDLE_JOINT_FORM_COORDINATES
                                              : SADDLE_JOINT_FORM_ROWS,
                                       first, how, value, rate[f]);
                for (int f = 1; f < 3 && clear; f++) {
                    const double error = apart(rate[0], rate[f], 6 * drawn.bodies);
                    if (error >= 1e-9)
                        print_error("trial %lld %d: %g\n", (long long)trial, f, error);
                    assert_true(error < 1e-9);
                    compared++;
                }
            }
            saddle_tree_free(tree);
        }
        free_joints(&drawn);
    }
    assert_true(compared > test_draws(60));
}

/* ---- the host ---- */

static void a_joint_is_told_by_the_host_and_let_go(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2; k++) {
        driven made = begin(k ? SADDLE_JOINT_FORM_COORDINATES : SADDLE_JOINT_FORM_ROWS,
                            SADDLE_INTEGRATOR_SYMPLECTIC_EULER, 0.01);
        double q, dq, force;
        assert_int_equal(saddle_stepper_joint_force(made.stepper, made.joint, &force),
                         SADDLE_INVALID_ARGUMENT);
        assert_null(saddle_model_joint_prescribed(made.model, made.joint));
        assert_int_equal(saddle_model_prescribe_joint(made.model, made.body,
                                                      SADDLE_PRESCRIPTION_VELOCITY, NULL, NULL),
                         SADDLE_INVALID_ARGUMENT);
        assert_int_equal(saddle_model_prescribe_joint(made.model, made.joint,
                                                      (saddle_prescription)7, NULL, NULL),
                         SADDLE_INVALID_ARGUMENT);
        assert_int_equal(saddle_model_prescribe_joint(made.model, made.joint,
                                                      SADDLE_PRESCRIPTION_VELOCITY, NULL, NULL),
                         SADDLE_OK);
        assert_int_equal(saddle_stepper_joint_force(made.stepper, made.joint, &force),
                         SADDLE_WRONG_PHASE);
        *saddle_model_joint_prescribed(made.model, made.joint) = 2;
        for (int s = 0; s < 10; s++) assert_int_equal(saddle_stepper_step(made.stepper), SADDLE_OK);
        assert_int_equal(saddle_model_joint_coordinates(made.model, made.joint, &q, &dq),
                         SADDLE_OK);
        assert_true(fabs(q - 0.2) < 1e-9 && fabs(dq - 2) < 1e-9);
        *saddle_model_joint_prescribed(made.model, made.joint) = NAN;
        assert_int_equal(saddle_stepper_step(made.stepper), SADDLE_INVALID_ARGUMENT);
        assert_int_equal(saddle_model_prescribe_joint(made.model, made.joint,
                                                      SADDLE_PRESCRIPTION_NONE, NULL, NULL),
                         SADDLE_OK);
        assert_int_equal(saddle_stepper_step(made.stepper), SADDLE_OK);
        assert_int_equal(saddle_model_joint_coordinates(made.model, made.joint, &q, &dq),
                         SADDLE_OK);
        assert_true(fabs(dq - 2 + 0.01 * mass * weight * length * sin(0.2) / inertia) < 1e-6);
        end(&made);
    }
}

static void a_model_with_prescribed_joints_is_no_first_order_system(void **unused)
{
    (void)unused;
    saddle_ode *ode;
    for (int k = 0; k < 2; k++) {
        driven made = begin(k ? SADDLE_JOINT_FORM_COORDINATES : SADDLE_JOINT_FORM_ROWS,
                            SADDLE_INTEGRATOR_SYMPLECTIC_EULER, 0.01);
        assert_int_equal(saddle_model_prescribe_joint(made.model, made.joint,
                                                      SADDLE_PRESCRIPTION_VELOCITY, NULL, NULL),
                         SADDLE_OK);
        assert_int_equal(saddle_ode_create(made.model, &ode), SADDLE_UNSUPPORTED);
        assert_null(ode);
        assert_int_equal(saddle_model_remove(made.model, made.joint), SADDLE_OK);
        assert_int_equal(saddle_ode_create(made.model, &ode), SADDLE_OK);
        saddle_ode_free(ode);
        end(&made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_driven_pendulum_follows_and_its_torque_is_that_of_the_closed_form),
        cmocka_unit_test(positions_are_those_told_in_every_integrator),
        cmocka_unit_test(drawn_trees_accelerate_as_hybrid_dynamics_says),
        cmocka_unit_test(a_joint_is_told_by_the_host_and_let_go),
        cmocka_unit_test(a_model_with_prescribed_joints_is_no_first_order_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
