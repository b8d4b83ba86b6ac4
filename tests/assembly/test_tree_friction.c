/* SPDX-License-Identifier: MIT */
/* Friction inside the joints of trees: against the same joints as rows, loops included; reactions
 * against torques; a shaft in closed form; bad input; memory. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drawn_parts.h"
#include "saddle/tree_friction.h"

enum { BODIES = 6, COORDINATES = 3 * BODIES };

static const double along_z[6] = {0, 0, 1, 0, 0, 0};
static const double weight[3] = {0, 0, -9.81};
static const double foot[3] = {0.1, -0.1, -0.3}; /* of the last body */

static saddle_motion joint_of(saddle_joint_kind kind)
{
    saddle_motion slider = saddle_motion_revolute();
    slider.evaluate = saddle_motion_screw;
    slider.data = along_z;
    if (kind == SADDLE_JOINT_SLIDER) return slider;
    return kind == SADDLE_JOINT_BALL ? saddle_motion_exponential() : saddle_motion_revolute();
}

/* ---- both forms ---- */

typedef struct twin {
    int bodies;
    saddle_tree_body body[BODIES];
    saddle_tree_bearing bearing[BODIES];
    saddle_tree *tree;
    saddle_model *model;
    saddle_handle part[BODIES], joint[BODIES];
    double q[COORDINATES];
} twin;

static void draw_body(twin *t, uint64_t *state, int i)
{
    static const saddle_joint_kind kinds[] = {SADDLE_JOINT_HINGE, SADDLE_JOINT_SLIDER,
                                              SADDLE_JOINT_BALL};
    const double center[3] = {0.05, 0.02, -0.2};
    saddle_body_inertia *inertia = &t->body[i].inertia;
    *inertia = (saddle_body_inertia){.mass = test_uniform(state, 0.5, 2)};
    memcpy(inertia->center, center, sizeof center);
    for (int k = 0; k < 3; k++) inertia->moment[4 * k] = test_uniform(state, 0.01, 0.015);
    const saddle_joint_kind kind = kinds[test_integer(state, 0, 2)];
    t->body[i].parent = test_integer(state, -1, i - 1);
    t->body[i].joint = joint_of(kind);
    t->body[i].joint.before = test_draw_pose(state, 0.3);
    t->bearing[i] = saddle_tree_bearing_default();
    t->bearing[i].body = i;
    t->bearing[i].kind = kind;
    t->bearing[i].frame_a = t->body[i].joint.before;
    t->bearing[i].bearing = (saddle_bearing){.mu = test_uniform(state, 0.02, 0.2),
                                             .radius = test_uniform(state, 0.01, 0.05),
                                             .half_length = test_uniform(state, 0.1, 0.2),
                                             .points = 8};
}

static void add_to_model(twin *t, int i)
{
    saddle_body_def def = saddle_body_def_default();
    saddle_joint_def joint = saddle_joint_def_default();
    def.inertia = t->body[i].inertia;
    const int64_t parent = t->body[i].parent;
    def.pose = t->bearing[i].frame_a;
    if (parent >= 0)
        def.pose = saddle_pose_multiply(saddle_model_pose(t->model, t->part[parent]), &def.pose);
    assert_int_equal(saddle_model_add_body(t->model, &def, &t->part[i]), SADDLE_OK);
    joint.kind = t->bearing[i].kind;
    if (parent >= 0) joint.a = t->part[parent];
    joint.b = t->part[i];
    joint.frame_a = t->bearing[i].frame_a;
    joint.bearing = t->bearing[i].bearing;
    assert_int_equal(saddle_model_add_joint(t->model, &joint, &t->joint[i]), SADDLE_OK);
}

static void draw_twin(uint64_t *state, twin *t)
{
    memset(t, 0, sizeof *t);
    t->bodies = (int)test_integer(state, 1, BODIES);
    assert_int_equal(saddle_model_create(NULL, &t->model), SADDLE_OK);
    saddle_model_set_gravity(t->model, weight);
    for (int i = 0; i < t->bodies; i++) draw_body(t, state, i);
    for (int i = 0; i < t->bodies; i++) add_to_model(t, i);
    assert_int_equal(saddle_tree_create(NULL, t->bodies, t->body, &t->tree), SADDLE_OK);
    assert_int_equal(saddle_tree_set_gravity(t->tree, weight), SADDLE_OK);
    assert_int_equal(saddle_tree_place(t->tree, t->q, NULL), SADDLE_OK);
}

static void free_twin(twin *t)
{
    saddle_tree_free(t->tree);
    saddle_model_free(t->model);
}

/* A point of the last body held where it is. */
static void close_loop(twin *t, saddle_tree_row *rows)
{
    const int last = t->bodies - 1;
    const int64_t body[2] = {-1, last};
    double place[3];
    saddle_joint_def def = saddle_joint_def_default();
    saddle_handle joint;
    saddle_pose_point(saddle_model_pose(t->model, t->part[last]), foot, place);
    saddle_tree_rows_at_point(body, place, foot, rows);
    def.kind = SADDLE_JOINT_BALL;
    def.b = t->part[last];
    memcpy(def.frame_a.p, place, sizeof place);
    memcpy(def.frame_b.p, foot, sizeof foot);
    assert_int_equal(saddle_model_add_joint(t->model, &def, &joint), SADDLE_OK);
}

/* The last body's foot on a plane through it, without friction. */
static saddle_status touch_plane(void *user, saddle_model *model, double time_step,
                                 saddle_contact_list *list)
{
    const twin *t = user;
    saddle_contact_point *point = NULL;
    (void)time_step;
    const saddle_handle last = t->part[t->bodies - 1];
    const saddle_status status = saddle_contact_list_add(list, &point);
    if (status != SADDLE_OK) return status;
    point->b.part = last;
    point->normal[2] = 1;
    saddle_pose_point(saddle_model_pose(model, last), foot, point->b.point);
    memcpy(point->a.point, point->b.point, sizeof point->a.point);
    return SADDLE_OK;
}

static void stand(const twin *t, saddle_tree_row *row)
{
    const int last = t->bodies - 1;
    *row = (saddle_tree_row){.kind = SADDLE_TREE_ROW_DISTANCE,
                             .body = {-1, last},
                             .axis = {{0, 0, 1}},
                             .hi = (double)INFINITY};
    memcpy(row->point[1], foot, sizeof foot);
    saddle_pose_point(saddle_model_pose(t->model, t->part[last]), foot, row->point[0]);
}

/* From rest, where the two forms have the same equations: velocities and loads.  A loop or contact
 * shares loads with joints that friction holds: loads, and then velocities, may have two values. */
static void trees_and_rows_have_the_same_friction(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int compared = 0, looped = 0, stood = 0, tied = 0, equal = 0;
    for (int trial = 0; trial < test_draws(100); trial++) {
        twin t;
        saddle_tree_row rows[3];
        saddle_stepper *stepper = NULL;
        saddle_tree_friction *friction = NULL;
        double dq[COORDINATES], twist[6 * BODIES], fall = 9.81 * 0.01;
        draw_twin(&state, &t);
        const int loop = trial % 3 == 2 && t.bodies > 3, standing = trial % 3 == 1;
        if (loop) close_loop(&t, rows);
        if (standing) stand(&t, rows);
        saddle_stepper_options options = saddle_stepper_options_default();
        options.friction_tolerance = 1e-11;
        if (standing) options.contacts = touch_plane;
        options.user = &t;
        saddle_tree_friction_options own = saddle_tree_friction_options_default();
        own.tolerance = 1e-11;
        assert_int_equal(saddle_stepper_create(t.model, &options, &stepper), SADDLE_OK);
        assert_int_equal(saddle_tree_friction_create(t.tree, t.bodies, t.bearing, &own, &friction),
                         SADDLE_OK);
        const saddle_tree_friction_step step = {.time_step = 0.01,
                                                .count = loop ? 3 : standing,
                                                .row = rows};
        const saddle_status status[2] = {saddle_stepper_step(stepper),
                                         saddle_tree_friction_advance(friction, &step, t.q, dq)};
        if (status[0] == SADDLE_OK && status[1] == SADDLE_OK) {
            const double *v = saddle_stepper_solution(stepper)->v;
            assert_int_equal(saddle_tree_push(t.tree, dq, twist), SADDLE_OK);
            double error = 0;
            for (int i = 0; i < 6 * t.bodies; i++) error = fmax(error, fabs(v[i] - twist[i]));
            if (step.count == 0) assert_true(error < 1e-7 * fall);
            tied += step.count > 0;
            equal += step.count > 0 && error < 1e-7 * fall;
            for (int k = 0; k < t.bodies; k++) {
                saddle_bearing_forces a, b;
                assert_int_equal(saddle_stepper_bearing(stepper, t.joint[k], &a), SADDLE_OK);
                assert_int_equal(saddle_tree_friction_forces(friction, k, &b), SADDLE_OK);
                if (step.count == 0) assert_true(fabs(a.load - b.load) < 1e-6 * (1 + a.load));
            }
            compared++;
            looped += loop;
            stood += standing && saddle_tree_friction_impulses(friction)[0] > 1e-4;
        }
        saddle_tree_friction_free(friction);
        saddle_stepper_free(stepper);
        free_twin(&t);
    }
    assert_true(compared >= test_draws(100) * 7 / 10);
    assert_true(test_is_slow() || (looped > 0 && stood > 0));
    assert_true(equal >= tied - tied / 10);
}

/* S'reaction is the torque of the inverse dynamics. */
static void reactions_along_the_joints_are_the_torques(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(100); trial++) {
        twin t;
        double q[COORDINATES], dq[COORDINATES], ddq[COORDINATES], torque[COORDINATES];
        double reaction[6 * BODIES], wrench[6 * BODIES];
        draw_twin(&state, &t);
        const int64_t n = saddle_tree_size_of(t.tree).coordinates;
        for (int64_t j = 0; j < n; j++) q[j] = test_uniform(&state, -1, 1);
        for (int64_t j = 0; j < n; j++) dq[j] = test_uniform(&state, -1, 1);
        for (int64_t j = 0; j < n; j++) ddq[j] = test_uniform(&state, -1, 1);
        for (int i = 0; i < 6 * t.bodies; i++) wrench[i] = test_uniform(&state, -1, 1);
        assert_int_equal(saddle_tree_place(t.tree, q, dq), SADDLE_OK);
        assert_int_equal(saddle_tree_inverse(t.tree, ddq, wrench, torque), SADDLE_OK);
        assert_int_equal(saddle_tree_reactions(t.tree, ddq, wrench, reaction), SADDLE_OK);
        for (int i = 0; i < t.bodies; i++) {
            const int64_t first = saddle_tree_first(t.tree)[i],
                          size = saddle_tree_first(t.tree)[i + 1] - first;
            for (int64_t j = 0; j < size; j++) {
                saddle_pose Q = saddle_pose_identity();
                double S[36] = {0}, along = 0;
                const saddle_motion *joint = &t.body[i].joint;
                assert_int_equal(joint->evaluate(joint->data, q + first, &Q, S), 0);
                for (int a = 0; a < 6; a++) along += S[6 * j + a] * reaction[6 * i + a];
                assert_true(fabs(along - torque[first + j]) < 1e-9 * (1 + fabs(along)));
            }
        }
        free_twin(&t);
    }
}

/* ---- closed form, input, memory ---- */

/* A wheel of moment 0.03 about z on a shaft along z, gravity across. */
static saddle_status brake_wheel(saddle_context *context, void *speed)
{
    const double across[3] = {0, -9.81, 0};
    const saddle_tree_body body = {-1,
                                   saddle_motion_revolute(),
                                   {1, {0, 0, 0}, {0.02, 0, 0, 0, 0.02, 0, 0, 0, 0.03}}};
    saddle_tree_bearing bearing = saddle_tree_bearing_default();
    saddle_tree *tree = NULL;
    saddle_tree_friction *friction = NULL;
    double q = 0, dq = 5;
    bearing.bearing = (saddle_bearing){.mu = 0.2, .radius = 0.01, .half_length = 0.05, .points = 4};
    saddle_status status = saddle_tree_create(context, 1, &body, &tree);
    if (status == SADDLE_OK) status = saddle_tree_set_gravity(tree, across);
    if (status == SADDLE_OK)
        status = saddle_tree_friction_create(tree, 1, &bearing, NULL, &friction);
    const saddle_tree_friction_step step = {.time_step = 0.01};
    for (int k = 0; status == SADDLE_OK && k < 10; k++) {
        status = saddle_tree_place(tree, &q, &dq);
        const int64_t before = saddle_context_memory(context).allocations;
        if (status == SADDLE_OK) status = saddle_tree_friction_advance(friction, &step, &q, &dq);
        if (k > 1 && status == SADDLE_OK)
            assert_int_equal(saddle_context_memory(context).allocations, before);
    }
    *(double *)speed = dq;
    saddle_tree_friction_free(friction);
    saddle_tree_free(tree);
    return status;
}

static void a_wheel_is_braked_and_no_allocation_leaks(void **unused)
{
    (void)unused;
    double speed = 0;
    assert_int_equal(brake_wheel(NULL, &speed), SADDLE_OK);
    assert_true(fabs(speed - (5 - 0.2 * 0.01 * 9.81 / 0.03 * 0.1)) < 1e-9);
    assert_true(test_allocation_sweep(brake_wheel, &speed) > 10);
}

static void unsound_input_is_refused_and_missing_fixed_points_are_told(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    twin t;
    saddle_tree_friction *friction = NULL;
    saddle_bearing_forces forces;
    double dq[COORDINATES];
    do draw_twin(&state, &t);
    while (t.bodies < 3 && (free_twin(&t), 1));
    saddle_tree_bearing bad = t.bearing[0];
    saddle_tree_friction_options options = saddle_tree_friction_options_default();
    bad.body = t.bodies;
    assert_int_equal(saddle_tree_friction_create(t.tree, 1, &bad, NULL, &friction),
                     SADDLE_INVALID_ARGUMENT);
    bad = t.bearing[0];
    bad.kind = SADDLE_JOINT_UNIVERSAL;
    assert_int_equal(saddle_tree_friction_create(t.tree, 1, &bad, NULL, &friction),
                     SADDLE_INVALID_ARGUMENT);
    bad = t.bearing[0];
    bad.bearing.mu = (double)NAN;
    assert_int_equal(saddle_tree_friction_create(t.tree, 1, &bad, NULL, &friction),
                     SADDLE_INVALID_ARGUMENT);
    bad = t.bearing[0];
    bad.frame_a.R[0] = 2;
    assert_int_equal(saddle_tree_friction_create(t.tree, 1, &bad, NULL, &friction),
                     SADDLE_INVALID_ARGUMENT);
    assert_null(friction);
    assert_int_equal(saddle_tree_friction_create(NULL, 0, NULL, NULL, &friction),
                     SADDLE_INVALID_ARGUMENT);
    options.solver = "none such";
    assert_int_equal(saddle_tree_friction_create(t.tree, 0, NULL, &options, &friction),
                     SADDLE_UNKNOWN_NAME);
    options = saddle_tree_friction_options_default();
    options.rounds = 1;
    assert_int_equal(saddle_tree_friction_create(t.tree, t.bodies, t.bearing, &options, &friction),
                     SADDLE_OK);
    saddle_tree_friction_step step = {.time_step = 0};
    assert_int_equal(saddle_tree_friction_advance(friction, &step, t.q, dq),
                     SADDLE_INVALID_ARGUMENT);
    step.time_step = 0.01;
    assert_int_equal(saddle_tree_friction_advance(friction, &step, NULL, dq),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_tree_friction_advance(friction, &step, t.q, dq), SADDLE_NOT_CONVERGED);
    assert_int_equal(saddle_tree_friction_report_of(friction)->rounds, 1);
    assert_true(saddle_tree_friction_report_of(friction)->change > 0.1);
    assert_int_equal(saddle_tree_friction_forces(friction, t.bodies, &forces),
                     SADDLE_INVALID_ARGUMENT);
    assert_null(saddle_tree_friction_report_of(NULL));
    saddle_tree_friction_free(friction);
    saddle_tree_friction_free(NULL);
    free_twin(&t);
}

/* No bearings: a step of the tree itself. */
static void without_bearings_a_step_is_linearly_implicit_euler(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    twin t;
    saddle_tree_friction *friction = NULL;
    double q[2][COORDINATES], dq[2][COORDINATES];
    draw_twin(&state, &t);
    const int64_t n = saddle_tree_size_of(t.tree).coordinates;
    assert_int_equal(saddle_tree_friction_create(t.tree, 0, NULL, NULL, &friction), SADDLE_OK);
    const saddle_tree_friction_step step = {.time_step = 0.01};
    assert_int_equal(saddle_tree_friction_advance(friction, &step, q[0], dq[0]), SADDLE_OK);
    assert_int_equal(saddle_tree_step(t.tree, 0.01, NULL, NULL, q[1], dq[1]), SADDLE_OK);
    assert_true(test_distance(q[0], q[1], n) < 1e-10 && test_distance(dq[0], dq[1], n) < 1e-10);
    saddle_tree_friction_free(friction);
    free_twin(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_and_rows_have_the_same_friction),
        cmocka_unit_test(reactions_along_the_joints_are_the_torques),
        cmocka_unit_test(a_wheel_is_braked_and_no_allocation_leaks),
        cmocka_unit_test(unsound_input_is_refused_and_missing_fixed_points_are_told),
        cmocka_unit_test(without_bearings_a_step_is_linearly_implicit_euler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
