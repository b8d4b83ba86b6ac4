/* SPDX-License-Identifier: MIT */
/* One joint in two forms, as rows and in coordinates: accelerations, motions, what acts on the free
 * coordinates, the host's access. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "drawn_tree_model.h"

/* ---- accelerations ---- */

static void rows_and_coordinates_accelerate_alike(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int loops = 0, compared = 0;
    for (int64_t trial = 0; trial < test_draws(1500); trial++) {
        drawn_joints drawn;
        double rate[2][6 * TREE_BODIES];
        int clear = 1;
        draw_joints(&state, TREE_BODIES, -1, &drawn);
        if (trial % 2) draw_loops(&state, &drawn);
        for (int k = 0; k < 2 && clear; k++) {
            tree_model made;
            tree_model_begin(&drawn, NULL,
                             k ? SADDLE_JOINT_FORM_ROWS : SADDLE_JOINT_FORM_COORDINATES, &made);
            for (int j = drawn.bodies; j < drawn.bodies + drawn.loops; j++)
                assert_int_equal(saddle_model_joint_form(made.model, made.joint[j]),
                                 SADDLE_JOINT_FORM_ROWS);
            clear = tree_model_accelerations(&drawn, &made, rate[k]);
            saddle_model_free(made.model);
        }
        if (!clear) continue;
        if (apart(rate[0], rate[1], 6 * drawn.bodies) >= 1e-10)
            print_error("trial %lld: %g, %d bodies, %d loops\n", (long long)trial,
                        apart(rate[0], rate[1], 6 * drawn.bodies), drawn.bodies, drawn.loops);
        assert_true(apart(rate[0], rate[1], 6 * drawn.bodies) < 1e-10);
        loops += drawn.loops;
        compared++;
    }
    assert_true(compared > test_draws(700));
    assert_true(loops > test_draws(200));
}

/* ---- motions ---- */

/* x (12 bodies): poses after `seconds` in steps of h; their number of equations into *rows. */
static void run(const drawn_joints *drawn, saddle_joint_form form, saddle_integrator integrator,
                double h, double seconds, double *x, int64_t *rows)
{
    tree_model made;
    saddle_stepper *stepper;
    saddle_stepper_options options = saddle_stepper_options_default();
    options.integrator = integrator;
    options.time_step = h;
    tree_model_begin(drawn, NULL, form, &made);
    assert_int_equal(saddle_stepper_create(made.model, &options, &stepper), SADDLE_OK);
    for (int64_t k = 0; k < (int64_t)(seconds / h + 0.5); k++)
        assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    for (int k = 0; k < drawn->bodies; k++)
        memcpy(x + 12 * k, saddle_model_pose(made.model, made.part[k]), sizeof(saddle_pose));
    *rows = saddle_stepper_report(stepper)->m;
    saddle_stepper_free(stepper);
    saddle_model_free(made.model);
}

/* Both forms differ by O(h^2) in every integrator: a quarter of the step, a sixteenth. */
static void rows_and_coordinates_move_alike(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int64_t trial = 0; trial < test_draws(70); trial++) {
        const saddle_integrator integrator = (saddle_integrator)(1 + trial % 4);
        drawn_joints drawn;
        double x[2][2][12 * TREE_BODIES], error[2];
        int64_t rows = 0;
        draw_joints(&state, 4, (int)(trial % 8) - 1, &drawn);
        for (int k = 0; k < 2; k++) {
            const double h = k ? 0.001 : 0.004;
            run(&drawn, SADDLE_JOINT_FORM_ROWS, integrator, h, 0.1, x[k][0], &rows);
            run(&drawn, SADDLE_JOINT_FORM_COORDINATES, integrator, h, 0.1, x[k][1], &rows);
            assert_int_equal(rows, 0);
            error[k] = apart(x[k][0], x[k][1], 12 * drawn.bodies);
        }
        assert_true(error[0] < 2e-3);
        assert_true(error[1] < error[0] / 10 + 1e-12);
    }
}

/* Joints in coordinates hold exactly: phi of the same model as rows, after a second. */
static void coordinates_do_not_drift(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int64_t trial = 0; trial < test_draws(20); trial++) {
        drawn_joints drawn;
        double x[12 * TREE_BODIES];
        int64_t rows;
        tree_model made;
        saddle_assembly *assembly;
        const saddle_stage stage = {.time_step = 1, .row_step = 1, .theta = 1};
        draw_joints(&state, 6, -1, &drawn);
        run(&drawn, SADDLE_JOINT_FORM_COORDINATES, SADDLE_INTEGRATOR_SYMPLECTIC_EULER, 0.01, 1, x,
            &rows);
        tree_model_begin(&drawn, NULL, SADDLE_JOINT_FORM_ROWS, &made);
        for (int k = 0; k < drawn.bodies; k++)
            memcpy(saddle_model_pose(made.model, made.part[k]), x + 12 * k, sizeof(saddle_pose));
        assert_int_equal(saddle_assembly_create(made.model, NULL, &assembly), SADDLE_OK);
        assert_int_equal(saddle_assembly_update(assembly, &stage, NULL, NULL), SADDLE_OK);
        for (int64_t i = 0; i < saddle_assembly_problem(assembly)->m; i++)
            assert_true(fabs(saddle_assembly_phi(assembly)[i]) < 1e-12);
        saddle_assembly_free(assembly);
        saddle_model_free(made.model);
    }
}

/* A tree on a free body, without gravity: energy to second order, momentum to rounding. */
static void a_free_tree_keeps_energy_and_momentum(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int64_t trial = 0; trial < test_draws(10); trial++) {
        drawn_joints drawn;
        double lost[2];
        draw_joints(&state, 5, -1, &drawn);
        for (int k = 0; k < drawn.bodies; k++) /* all on the first body, which is free */
            for (int e = 0; e < 2; e++)
                if (k > 0 && drawn.end[k][e] < 0) drawn.end[k][e] = 0;
        if (drawn.bodies < 2) continue;
        memset(drawn.gravity, 0, sizeof drawn.gravity);
        for (int i = 0; i < 6; i++) drawn.body[0].twist[i] = test_uniform(&state, -1, 1);
        for (int k = 0; k < 2; k++) {
            tree_model made;
            saddle_stepper *stepper;
            saddle_stepper_options options = saddle_stepper_options_default();
            options.integrator = SADDLE_INTEGRATOR_TRAPEZOIDAL;
            options.time_step = k ? 0.001 : 0.004;
            tree_model_begin(&drawn, NULL, SADDLE_JOINT_FORM_COORDINATES, &made);
            assert_int_equal(saddle_model_remove(made.model, made.joint[0]), SADDLE_OK);
            assert_int_equal(saddle_stepper_create(made.model, &options, &stepper), SADDLE_OK);
            assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
            const saddle_energies before = saddle_model_energies(made.model);
            saddle_energies after = before;
            lost[k] = 0; /* the most of all steps: energy sways */
            for (int i = 0; i < (k ? 400 : 100); i++) {
                assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
                after = saddle_model_energies(made.model);
                lost[k] = fmax(lost[k], fabs(after.kinetic - before.kinetic) / before.kinetic);
            }
            for (int i = 0; i < 3; i++)
                assert_true(fabs(after.momentum[i] - before.momentum[i]) < 1e-10);
            saddle_stepper_free(stepper);
            saddle_model_free(made.model);
        }
        assert_true(lost[0] < 1e-2);
        assert_true(lost[1] < lost[0] / 8 + 1e-12);
    }
}

static saddle_handle add_body(saddle_model *model, const double *x)
{
    const double size[3] = {1, 0.2, 0.3};
    saddle_body_def body = saddle_body_def_default();
    saddle_handle part;
    assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, size, 2, &body.inertia),
                     SADDLE_OK);
    for (int i = 0; i < 3; i++) body.pose.p[i] = x[i];
    assert_int_equal(saddle_model_add_body(model, &body, &part), SADDLE_OK);
    return part;
}

static saddle_status add(saddle_model *model, saddle_joint_kind kind, saddle_joint_form form,
                         saddle_handle a, saddle_handle b, saddle_handle *joint)
{
    saddle_joint_def def = saddle_joint_def_default();
    const saddle_pose origin = saddle_pose_identity();
    def.kind = kind;
    def.form = form;
    def.a = a;
    def.b = b;
    assert_int_equal(saddle_joint_def_at(model, &origin, &def), SADDLE_OK);
    return saddle_model_add_joint(model, &def, joint);
}

/* A ball that spins 30 rad/s for a second: its rotation vector is taken back at 3/2 pi. */
static void a_ball_spins_through_whole_turns(void **unused)
{
    (void)unused;
    double x[2][12], longest = 0;
    for (int k = 0; k < 2; k++) {
        saddle_model *model;
        saddle_stepper *stepper;
        saddle_handle joint;
        const double weight[3] = {0, 0, -9.81}, at[3] = {0, 0, -0.3};
        const double twist[6] = {0, 0.6, 0, 2, 0, 30};
        saddle_stepper_options options = saddle_stepper_options_default();
        options.integrator = SADDLE_INTEGRATOR_TRAPEZOIDAL;
        options.time_step = 0.001;
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        saddle_model_set_gravity(model, weight);
        const saddle_handle body = add_body(model, at);
        memcpy(saddle_model_velocity(model, body), twist, sizeof twist);
        assert_int_equal(add(model, SADDLE_JOINT_BALL,
                             k ? SADDLE_JOINT_FORM_COORDINATES : SADDLE_JOINT_FORM_ROWS,
                             (saddle_handle){0}, body, &joint),
                         SADDLE_OK);
        assert_int_equal(saddle_stepper_create(model, &options, &stepper), SADDLE_OK);
        for (int s = 0; s < 1000; s++) {
            assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
            const double *q = saddle_model_position(model, saddle_model_joint_part(model, joint));
            if (q) longest = fmax(longest, sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]));
        }
        memcpy(x[k], saddle_model_pose(model, body), sizeof x[k]);
        saddle_stepper_free(stepper);
        saddle_model_free(model);
    }
    assert_true(longest > 3.2 && longest < 4.75);
    assert_true(apart(x[0], x[1], 12) < 1e-3);
}

/* A slider and a ball between the same bodies leave one rate of three rows: redundant, and they
 * agree in every step. */
static void redundant_rows_of_a_loop_agree(void **unused)
{
    (void)unused;
    double x[2][12];
    for (int k = 0; k < 2; k++) {
        saddle_model *model;
        saddle_stepper *stepper;
        saddle_handle joint;
        const double weight[3] = {1, 2, -9.81}, first[3] = {0.3, 0.1, 0}, second[3] = {0.5, 0, 0.4};
        const saddle_joint_form form = k ? SADDLE_JOINT_FORM_COORDINATES : SADDLE_JOINT_FORM_ROWS;
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        saddle_model_set_gravity(model, weight);
        const saddle_handle a = add_body(model, first), b = add_body(model, second);
        assert_int_equal(add(model, SADDLE_JOINT_BALL, form, (saddle_handle){0}, a, &joint),
                         SADDLE_OK);
        assert_int_equal(add(model, SADDLE_JOINT_SLIDER, form, a, b, &joint), SADDLE_OK);
        assert_int_equal(add(model, SADDLE_JOINT_BALL, form, a, b, &joint), SADDLE_OK);
        assert_int_equal(saddle_model_joint_form(model, joint), SADDLE_JOINT_FORM_ROWS);
        assert_int_equal(saddle_stepper_create(model, NULL, &stepper), SADDLE_OK);
        for (int s = 0; s < 100; s++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
        assert_int_equal(saddle_stepper_report(stepper)->m, k ? 3 : 11);
        memcpy(x[k], saddle_model_pose(model, b), sizeof x[k]);
        saddle_stepper_free(stepper);
        saddle_model_free(model);
    }
    assert_true(apart(x[0], x[1], 12) < 2e-2);
}

/* A four-bar linkage in a plane that is no axis of the world: three of the five rows that close it
 * hold by themselves. */
static void a_linkage_in_any_plane_moves_in_both_forms(void **unused)
{
    (void)unused;
    double x[2][12];
    const double turn[6] = {0.3, -0.2, 0.1, 0.7, 0.4, -0.5}, weight[3] = {0, 0, -9.81};
    const double corner[4][3] = {{0, 0, 0}, {0.3, 0.9, 0}, {1.4, 1.1, 0}, {1.2, 0, 0}};
    const saddle_pose plane = saddle_pose_exp(turn);
    for (int k = 0; k < 2; k++) {
        saddle_model *model;
        saddle_stepper *stepper;
        saddle_handle part[5] = {{0}}, joint;
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        saddle_model_set_gravity(model, weight);
        assert_int_equal(saddle_model_set_joint_form(model, k ? SADDLE_JOINT_FORM_COORDINATES
                                                              : SADDLE_JOINT_FORM_ROWS),
                         SADDLE_OK);
        for (int b = 1; b < 4; b++) {
            double middle[3], place[3];
            for (int i = 0; i < 3; i++) middle[i] = (corner[b - 1][i] + corner[b][i]) / 2;
            saddle_pose_point(&plane, middle, place);
            part[b] = add_body(model, place);
        }
        for (int j = 0; j < 4; j++) {
            saddle_joint_def def = saddle_joint_def_default();
            saddle_pose at = plane;
            def.kind = SADDLE_JOINT_HINGE;
            def.a = part[j];
            def.b = part[j + 1]; /* the last is the ground */
            saddle_pose_point(&plane, corner[j], at.p);
            assert_int_equal(saddle_joint_def_at(model, &at, &def), SADDLE_OK);
            assert_int_equal(saddle_model_add_joint(model, &def, &joint), SADDLE_OK);
        }
        assert_int_equal(saddle_stepper_create(model, NULL, &stepper), SADDLE_OK);
        for (int s = 0; s < 60; s++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
        assert_int_equal(saddle_stepper_report(stepper)->m, k ? 5 : 20);
        memcpy(x[k], saddle_model_pose(model, part[2]), sizeof x[k]);
        saddle_stepper_free(stepper);
        saddle_model_free(model);
    }
    assert_true(apart(x[0], x[1], 12) < 2e-2);
}

/* ---- what acts on free coordinates ---- */

/* A double pendulum: %s stands for the form and for what acts. */
static const char *const arm =
    "{\"format\": \"saddle-scene\", \"version\": 1, \"gravity\": [0, 0, -9.81],"
    " \"time_step\": 0.001, \"joint_form\": \"%s\", \"friction\": {\"law\": \"box\"},"
    " \"bodies\": [{\"name\": \"upper\", \"mass\": 2, \"shape\": \"box\", \"size\": [1, 0.1, 0.1],"
    " \"position\": [0.5, 0, 0]},"
    " {\"name\": \"lower\", \"mass\": 1, \"shape\": \"box\", \"size\": [1, 0.1, 0.1],"
    " \"position\": [1.5, 0, 0]}],"
    " \"joints\": [{\"name\": \"shoulder\", \"kind\": \"hinge\", \"b\": \"upper\","
    " \"axis\": [0, 1, 0], \"free\": [{%s}]},"
    " {\"name\": \"elbow\", \"kind\": \"hinge\", \"a\": \"lower\", \"b\": \"upper\","
    " \"at\": [1, 0, 0], \"axis\": [0, 1, 0], \"free\": [{%s}]}]%s}";

static const char *const acting[][3] = {
    {"", "", ""},
    {"\"limits\": [-0.2, 0.2]", "\"limits\": [-0.3, null]", ""},
    {"\"motor\": {\"target\": 0.7, \"strength\": 200}", "\"motor\": {\"target\": -2}", ""},
    {"\"servo\": {\"position\": 0.3, \"strength\": 100, \"compliance\": {\"stiffness\": 500,"
     " \"damping\": 10}}",
     "\"friction\": 1.5", ""},
    {"\"spring\": {\"stiffness\": 30, \"damping\": 1}", "\"armature\": 0.3", ""},
    {"\"friction\": 200", "\"friction\": 200", ""},
    {"", "",
     ", \"shapes\": [{\"kind\": \"sphere\", \"part\": \"lower\", \"radius\": 0.1,"
     " \"position\": [0.5, 0, 0]},"
     " {\"kind\": \"plane\", \"position\": [0, 0, -0.4], \"mu\": 0.4}]"},
    {"", "", ", \"dampers\": [{\"part\": \"lower\", \"linear\": 2, \"angular\": 1}]"},
};

/* Angles of both joints after half a second. */
static void swing(int what, const char *form, double *angle)
{
    char text[3000];
    saddle_scene scene;
    saddle_stepper *stepper;
    (void)snprintf(text, sizeof text, arm, form, acting[what][0], acting[what][1], acting[what][2]);
    const saddle_status read = saddle_scene_read_text(NULL, text, (int64_t)strlen(text), NULL, NULL,
                                                      &scene);
    assert_int_equal(read, SADDLE_OK);
    assert_int_equal(saddle_stepper_create(scene.model, &scene.options, &stepper), SADDLE_OK);
    for (int k = 0; k < 500; k++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    const char *const joints[] = {"shoulder", "elbow"};
    for (int k = 0; k < 2; k++)
        assert_int_equal(saddle_model_joint_coordinates(scene.model,
                                                        saddle_model_find(scene.model, joints[k]),
                                                        &angle[k], NULL),
                         SADDLE_OK);
    saddle_stepper_free(stepper);
    saddle_scene_clear(&scene);
}

static void limits_drives_friction_springs_and_contacts_act_in_both_forms(void **unused)
{
    (void)unused;
    double free[2];
    swing(0, "rows", free);
    for (int what = 0; what < (int)(sizeof acting / sizeof *acting); what++) {
        double rows[2], coordinates[2], chosen[2];
        swing(what, "rows", rows);
        swing(what, "coordinates", coordinates);
        swing(what, "chosen", chosen);
        assert_true(apart(rows, coordinates, 2) < 2e-3);
        assert_true(apart(chosen, rows, 2) < 1e-10);
        assert_true(what == 0 || apart(rows, free, 2) > 0.02);
    }
}

/* q of a joint with a bearing between a heavy bar and the ground, or a body above, the child b or
 * a, after its motion. */
static void slow(saddle_joint_kind kind, saddle_joint_form form, int on_ground, int reversed,
                 double *q)
{
    saddle_model *model;
    saddle_stepper *stepper;
    saddle_handle joint;
    saddle_bearing_forces forces;
    const double weight[3] = {3, -9.81, 2}, x[3] = {0.5, 0.1, 0.2}, y[3] = {0, 0.5, 0};
    saddle_joint_def def = saddle_joint_def_default();
    const saddle_pose origin = saddle_pose_identity();
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    saddle_model_set_gravity(model, weight);
    const saddle_handle body = add_body(model, x),
                        above = on_ground ? (saddle_handle){0} : add_body(model, y);
    def.a = reversed ? body : above;
    def.b = reversed ? above : body;
    def.kind = kind;
    def.form = form;
    def.bearing = (saddle_bearing){.mu = 0.3, .radius = 0.1, .half_length = 0.2, .points = 8};
    const double turning[6] = {-6 * x[1], 6 * x[0], 0, 0, 0, 6}, sliding[6] = {0, 0, 1, 0, 0, 0};
    memcpy(saddle_model_velocity(model, body), kind == SADDLE_JOINT_SLIDER ? sliding : turning,
           sizeof turning);
    assert_int_equal(saddle_joint_def_at(model, &origin, &def), SADDLE_OK);
    assert_int_equal(saddle_model_add_joint(model, &def, &joint), SADDLE_OK);
    assert_int_equal(saddle_model_joint_form(model, joint), form);
    saddle_stepper_options options = saddle_stepper_options_default();
    options.time_step = 0.002;
    assert_int_equal(saddle_stepper_create(model, &options, &stepper), SADDLE_OK);
    for (int k = 0; k < 100; k++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    assert_int_equal(saddle_stepper_bearing(stepper, joint, &forces), SADDLE_OK);
    assert_int_equal(saddle_model_joint_coordinates(model, joint, q, NULL), SADDLE_OK);
    q[3] = forces.load;
    for (int i = 0; i < 6; i++) q[4 + i] = forces.friction[i];
    saddle_stepper_free(stepper);
    saddle_model_free(model);
}

static void bearings_take_the_same_load_in_both_forms(void **unused)
{
    (void)unused;
    const saddle_joint_kind kind[] = {SADDLE_JOINT_HINGE, SADDLE_JOINT_SLIDER, SADDLE_JOINT_BALL};
    for (int k = 0; k < 12; k++) {
        double rows[10] = {0}, coordinates[10] = {0};
        if (k / 4 == 1 && !(k & 1)) continue; /* no fixed point of its friction, in either form */
        slow(kind[k / 4], SADDLE_JOINT_FORM_ROWS, k & 1, k >> 1 & 1, rows);
        slow(kind[k / 4], SADDLE_JOINT_FORM_COORDINATES, k & 1, k >> 1 & 1, coordinates);
        assert_true(apart(rows, coordinates, 10) < 1e-2);
        assert_true(rows[3] > 1);
    }
}

/* ---- the host ---- */

/* q and dq of a slider along z written, read, pushed: z = q, m ddq = F. */
static void coordinates_are_a_part_of_the_model(void **unused)
{
    (void)unused;
    saddle_model *model;
    saddle_stepper *stepper;
    saddle_handle joint;
    double q, dq;
    const double force = 3, x[3] = {0.5, 0, 0};
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    const saddle_handle body = add_body(model, x);
    assert_int_equal(add(model, SADDLE_JOINT_SLIDER, SADDLE_JOINT_FORM_COORDINATES, body,
                         (saddle_handle){0}, &joint), /* the ground as b: a is the child */
                     SADDLE_OK);
    const saddle_handle part = saddle_model_joint_part(model, joint);
    assert_int_equal(part.item, SADDLE_ITEM_COORDINATES);
    assert_int_equal(saddle_model_part_velocities(model, part), 1);
    assert_int_equal(saddle_model_node_count(model, part), 0);
    assert_int_equal(saddle_model_joint_form(model, joint), SADDLE_JOINT_FORM_COORDINATES);
    *saddle_model_position(model, part) = 0.25;
    *saddle_model_velocity(model, part) = -1;
    assert_int_equal(saddle_model_push(model, part, &force), SADDLE_OK);
    assert_int_equal(saddle_stepper_create(model, NULL, &stepper), SADDLE_OK);
    assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    assert_int_equal(saddle_model_joint_coordinates(model, joint, &q, &dq), SADDLE_OK);
    const double v = -1 + 0.01 * force / 2;
    assert_true(fabs(dq - v) < 1e-12 && fabs(q - (0.25 + 0.01 * v)) < 1e-12);
    assert_true(fabs(*saddle_model_position(model, part) - q) < 1e-14);
    assert_true(fabs(saddle_model_pose(model, body)->p[2] + q) < 1e-14); /* a moves back */
    assert_true(fabs(saddle_model_velocity(model, body)[2] + v) < 1e-12);
    assert_int_equal(saddle_model_remove(model, part), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_model_remove(model, joint), SADDLE_OK);
    assert_int_equal(saddle_model_has(model, part), 0);
    assert_int_equal(saddle_model_part_count(model), 1);
    assert_int_equal(saddle_model_remove(model, body), SADDLE_OK);
    saddle_stepper_free(stepper);
    saddle_model_free(model);
}

/* A fixed joint's coordinates, of size 0, stay in their place when what stands behind them goes. */
static void coordinates_without_size_stay_in_place(void **unused)
{
    (void)unused;
    saddle_model *model;
    saddle_handle joint, particle, last;
    const double x[3] = {0.5, 0, 0};
    const saddle_particle_def point = {.mass = 1};
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    const saddle_handle body = add_body(model, x);
    assert_int_equal(add(model, SADDLE_JOINT_FIXED, SADDLE_JOINT_FORM_COORDINATES,
                         (saddle_handle){0}, body, &joint),
                     SADDLE_OK);
    const saddle_handle part = saddle_model_joint_part(model, joint);
    assert_int_equal(saddle_model_part_velocities(model, part), 0);
    assert_int_equal(saddle_model_add_particle(model, &point, &particle), SADDLE_OK);
    assert_int_equal(saddle_model_add_particle(model, &point, &last), SADDLE_OK);
    *saddle_model_position(model, last) = 7;
    *saddle_model_velocity(model, last) = 8;
    assert_int_equal(saddle_model_remove(model, particle), SADDLE_OK);
    const double *first = saddle_model_position(model, body),
                 *v = saddle_model_velocity(model, body);
    assert_true(saddle_model_position(model, part) == first + 12);
    assert_true(saddle_model_velocity(model, part) == v + 6);
    assert_true(saddle_model_position(model, last) == first + 12 && first[12] == 7);
    assert_true(saddle_model_velocity(model, last) == v + 6 && v[6] == 8);
    saddle_model_free(model);
}

/* Limits at +-9 rad after the host has turned the coordinate by more than a turn: 8.9 at 5 rad/s
 * comes to rest at 9, either way, the child a or b. */
static void limits_act_on_what_the_host_writes(void **unused)
{
    (void)unused;
    const saddle_joint_kind kind[] = {SADDLE_JOINT_HINGE, SADDLE_JOINT_UNIVERSAL,
                                      SADDLE_JOINT_WHEEL};
    for (int k = 0; k < 12; k++) {
        saddle_model *model;
        saddle_stepper *stepper;
        saddle_handle joint;
        const double x[3] = {0, 0, 0}, sign = k & 1 ? -1 : 1;
        double q[2] = {0, 0};
        saddle_joint_def def = saddle_joint_def_default();
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        *(k & 2 ? &def.a : &def.b) = add_body(model, x);
        def.kind = kind[k / 4];
        def.form = SADDLE_JOINT_FORM_COORDINATES;
        def.free[0].lo = -9;
        def.free[0].hi = 9;
        assert_int_equal(saddle_model_add_joint(model, &def, &joint), SADDLE_OK);
        const saddle_handle part = saddle_model_joint_part(model, joint);
        assert_int_equal(saddle_stepper_create(model, NULL, &stepper), SADDLE_OK);
        assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
        *saddle_model_position(model, part) = sign * 8.9;
        *saddle_model_velocity(model, part) = sign * 5;
        for (int s = 0; s < 50; s++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
        assert_int_equal(saddle_model_joint_coordinates(model, joint, q, NULL), SADDLE_OK);
        assert_true(fabs(sign * q[0] - 9) < 1e-9);
        assert_true(fabs(*saddle_model_position(model, part) - q[0]) < 1e-12);
        saddle_stepper_free(stepper);
        saddle_model_free(model);
    }
}

/* An assembly of items that were removed since moves nothing. */
static void removal_ends_the_assembly(void **unused)
{
    (void)unused;
    saddle_model *model;
    saddle_assembly *assembly;
    saddle_handle joint;
    const double x[3] = {0.5, 0, 0}, v[7] = {0};
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    const saddle_handle body = add_body(model, x);
    assert_int_equal(add(model, SADDLE_JOINT_HINGE, SADDLE_JOINT_FORM_COORDINATES,
                         (saddle_handle){0}, body, &joint),
                     SADDLE_OK);
    assert_int_equal(saddle_assembly_create(model, NULL, &assembly), SADDLE_OK);
    assert_int_equal(saddle_assembly_move(assembly, 0.01, v, SADDLE_ROTATION_UPDATE_EXPONENTIAL),
                     SADDLE_OK);
    assert_int_equal(saddle_model_remove(model, joint), SADDLE_OK);
    assert_int_equal(saddle_assembly_move(assembly, 0.01, v, SADDLE_ROTATION_UPDATE_EXPONENTIAL),
                     SADDLE_WRONG_PHASE);
    saddle_assembly_free(assembly);
    saddle_model_free(model);
}

/* Forces on coordinates, the joint's reaction, in both forms: a bar held by a hinge in its fall. */
static void both_forms_have_the_same_reactions(void **unused)
{
    (void)unused;
    double force[2][6];
    for (int k = 0; k < 2; k++) {
        saddle_model *model;
        saddle_stepper *stepper;
        saddle_handle shoulder, elbow;
        const double weight[3] = {0, -9.81, 0}, x[3] = {0.5, 0, 0}, y[3] = {0.2, 0.7, 0};
        const saddle_joint_form form = k ? SADDLE_JOINT_FORM_COORDINATES : SADDLE_JOINT_FORM_ROWS;
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        saddle_model_set_gravity(model, weight);
        const saddle_handle upper = add_body(model, x), lower = add_body(model, y);
        assert_int_equal(add(model, SADDLE_JOINT_HINGE, form, (saddle_handle){0}, upper, &shoulder),
                         SADDLE_OK);
        assert_int_equal(add(model, SADDLE_JOINT_BALL, form, upper, lower, &elbow), SADDLE_OK);
        assert_int_equal(saddle_stepper_create(model, NULL, &stepper), SADDLE_OK);
        assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
        assert_int_equal(saddle_stepper_constraint_force(stepper, shoulder, force[k]), SADDLE_OK);
        assert_true(force[k][0] == 0 && force[k][1] == 0 && force[k][2] == 0); /* the ground */
        assert_int_equal(saddle_stepper_constraint_force(stepper, elbow, force[k]), SADDLE_OK);
        for (int i = 0; i < 3; i++) assert_true(fabs(force[k][i] + force[k][3 + i]) < 1e-9);
        saddle_stepper_free(stepper);
        saddle_model_free(model);
    }
    assert_true(apart(force[0], force[1], 6) < 1e-3);
    assert_true(fabs(force[0][4]) > 0.1);
}

/* ---- many ---- */

/* CPU seconds that the joints of a chain of fixed bodies take to be added, root or tip first. */
static double add_chain(int links, saddle_joint_form form, int tip_first)
{
    saddle_model *model;
    saddle_handle *part = calloc((size_t)links + 1, sizeof *part), joint; /* the ground first */
    const double x[3] = {0, 0, 0};
    assert_non_null(part);
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    for (int k = 1; k <= links; k++) part[k] = add_body(model, x);
    const clock_t begin = clock();
    for (int i = 0; i < links; i++) {
        const int k = tip_first ? links - i : i + 1;
        assert_int_equal(add(model, SADDLE_JOINT_HINGE, form, part[k - 1], part[k], &joint),
                         SADDLE_OK);
        assert_int_equal(saddle_model_joint_form(model, joint), form);
    }
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    assert_int_equal(add(model, SADDLE_JOINT_BALL, form, part[links], part[1], &joint), SADDLE_OK);
    assert_int_equal(saddle_model_joint_form(model, joint), SADDLE_JOINT_FORM_ROWS);
    saddle_model_free(model);
    free(part);
    return seconds;
}

static void long_chains_are_added_as_fast_as_rows(void **unused)
{
    (void)unused;
    const int links = test_is_slow() ? 2000 : 20000;
    const double rows = add_chain(links, SADDLE_JOINT_FORM_ROWS, 0);
    for (int tip_first = 0; tip_first < 2; tip_first++)
        assert_true(add_chain(links, SADDLE_JOINT_FORM_COORDINATES, tip_first) < 20 * rows + 0.1);
}

/* Layers of two bodies that follow both of the layer below: 2^64 ways down, walked in no time. */
static void who_follows_whom_is_found_at_once(void **unused)
{
    (void)unused;
    saddle_model *model;
    saddle_handle tie, joint, below[2], above[2];
    const double x[3] = {0, 0, 0};
    const saddle_joint_form form = SADDLE_JOINT_FORM_COORDINATES;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    const saddle_handle other = add_body(model, x), under = add_body(model, x),
                        root = add_body(model, x);
    below[0] = root;
    below[1] = add_body(model, x);
    for (int layer = 0; layer < 64; layer++) {
        for (int k = 0; k < 2; k++) {
            const saddle_anchor to[2] = {{below[0], 0}, {below[1], 0}};
            above[k] = add_body(model, x);
            const saddle_attach_def def = {.part = above[k], .masters = 2, .to = to};
            assert_int_equal(saddle_model_attach(model, &def, &tie), SADDLE_OK);
        }
        memcpy(below, above, sizeof below);
    }
    assert_int_equal(add(model, SADDLE_JOINT_HINGE, form, other, under, &joint), SADDLE_OK);
    assert_int_equal(add(model, SADDLE_JOINT_HINGE, form, below[0], other, &joint), SADDLE_OK);
    assert_int_equal(saddle_model_joint_form(model, joint), form);
    assert_int_equal(add(model, SADDLE_JOINT_HINGE, form, below[1], root, &joint), SADDLE_OK);
    assert_int_equal(saddle_model_joint_form(model, joint), SADDLE_JOINT_FORM_ROWS); /* a loop */
    saddle_model_free(model);
}

/* ---- what is refused, and where rows remain ---- */

static void rows_remain_where_coordinates_cannot_be(void **unused)
{
    (void)unused;
    saddle_model *model;
    saddle_handle first, second, third, joint;
    const double x[3] = {0.5, 0, 0};
    const saddle_joint_form form = SADDLE_JOINT_FORM_COORDINATES;
    saddle_joint_def def = saddle_joint_def_default();
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    const saddle_handle ground = {0}, a = add_body(model, x), b = add_body(model, x);
    const saddle_particle_def point = {.mass = 1};
    saddle_handle particle;
    assert_int_equal(saddle_model_add_particle(model, &point, &particle), SADDLE_OK);
    assert_int_equal(add(model, SADDLE_JOINT_HINGE, form, ground, a, &first), SADDLE_OK);
    assert_int_equal(add(model, SADDLE_JOINT_HINGE, form, a, b, &second), SADDLE_OK);
    assert_int_equal(add(model, SADDLE_JOINT_HINGE, form, b, ground, &third), SADDLE_OK);
    assert_int_equal(saddle_model_joint_form(model, third), SADDLE_JOINT_FORM_ROWS); /* a loop */
    assert_int_equal(saddle_model_joint_part(model, third).item, SADDLE_ITEM_NONE);
    assert_int_equal(saddle_model_remove(model, second), SADDLE_OK);
    def.kind = SADDLE_JOINT_BALL;
    def.form = form;
    def.a = particle;
    def.b = b;
    assert_int_equal(saddle_model_add_joint(model, &def, &joint), SADDLE_OK);
    assert_int_equal(saddle_model_joint_form(model, joint), SADDLE_JOINT_FORM_ROWS);
    def.a = a;
    def.compliance.alpha = 1e-3;
    assert_int_equal(saddle_model_add_joint(model, &def, &joint), SADDLE_OK);
    assert_int_equal(saddle_model_joint_form(model, joint), SADDLE_JOINT_FORM_ROWS);
    def.form = (saddle_joint_form)17;
    assert_int_equal(saddle_model_add_joint(model, &def, &joint), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_model_set_joint_form(model, (saddle_joint_form)4),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_model_joint_form(model, a), SADDLE_JOINT_FORM_OF_MODEL);
    saddle_joint_def *changing = saddle_model_joint(model, first);
    changing->compliance.alpha = 1e-3;
    assert_int_equal(saddle_model_joint_changed(model, first), SADDLE_INVALID_ARGUMENT);
    changing->compliance.alpha = 0;
    changing->form = SADDLE_JOINT_FORM_ROWS;
    assert_int_equal(saddle_model_joint_changed(model, first), SADDLE_INVALID_ARGUMENT);
    changing->form = form;
    changing->free[0].hi = 1;
    assert_int_equal(saddle_model_joint_changed(model, first), SADDLE_OK);
    saddle_attach_def attach = {.part = a, .masters = 1, .to = &(saddle_anchor){b, 0}};
    assert_int_equal(saddle_model_attach(model, &attach, &joint), SADDLE_INVALID_ARGUMENT);
    attach.part = b;
    attach.to = &(saddle_anchor){saddle_model_joint_part(model, first), 0};
    assert_int_equal(saddle_model_attach(model, &attach, &joint), SADDLE_INVALID_ARGUMENT);
    const saddle_handle tie = saddle_model_link_at(model, SADDLE_ITEM_ATTACHMENT, 0);
    assert_int_equal(saddle_model_remove(model, tie), SADDLE_INVALID_ARGUMENT);
    saddle_model_free(model);
}

static void words_name_the_forms(void **unused)
{
    (void)unused;
    saddle_joint_form form;
    for (int k = 0; k <= SADDLE_JOINT_FORM_CHOSEN; k++) {
        assert_int_equal(saddle_joint_form_from_word(saddle_joint_form_word((saddle_joint_form)k),
                                                     &form),
                         SADDLE_OK);
        assert_int_equal(form, k);
    }
    assert_int_equal(saddle_joint_form_from_word("coordinate", &form), SADDLE_UNKNOWN_NAME);
    assert_string_equal(saddle_joint_form_word((saddle_joint_form)9), "?");
}

/* ---- memory ---- */

static saddle_status model_in_coordinates(saddle_context *context, void *user)
{
    const drawn_joints *drawn = user;
    saddle_model *model;
    saddle_stepper *stepper = NULL;
    saddle_handle part[TREE_BODIES], joint;
    saddle_status status = saddle_model_create(context, &model);
    if (status != SADDLE_OK) return status;
    assert_int_equal(saddle_model_set_joint_form(model, SADDLE_JOINT_FORM_COORDINATES), SADDLE_OK);
    for (int k = 0; k < drawn->bodies && status == SADDLE_OK; k++)
        status = saddle_model_add_body(model, &drawn->body[k], &part[k]);
    for (int k = 0; k < drawn->bodies && status == SADDLE_OK; k++) {
        saddle_joint_def def = drawn->joint[k];
        if (drawn->end[k][0] >= 0) def.a = part[drawn->end[k][0]];
        if (drawn->end[k][1] >= 0) def.b = part[drawn->end[k][1]];
        status = saddle_model_add_joint(model, &def, &joint);
        if (status != SADDLE_OK) /* nothing is left of it */
            assert_int_equal(saddle_model_part_count(model), drawn->bodies + k);
    }
    if (status == SADDLE_OK) status = saddle_stepper_create(model, NULL, &stepper);
    if (status == SADDLE_OK) status = saddle_stepper_step(stepper);
    saddle_stepper_free(stepper);
    saddle_model_free(model);
    return status;
}

static void memory_that_runs_out_is_an_error_and_leaks_nothing(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    drawn_joints drawn;
    do draw_joints(&state, 3, -1, &drawn);
    while (drawn.bodies < 3);
    assert_true(test_allocation_sweep(model_in_coordinates, &drawn) > 50);
}

/* A step without a change of pattern takes no memory. */
static void steps_allocate_nothing(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    test_memory memory;
    drawn_joints drawn;
    tree_model made;
    saddle_stepper *stepper;
    saddle_context *context = test_memory_begin(&memory, -1);
    draw_joints(&state, 8, -1, &drawn);
    tree_model_begin(&drawn, context, SADDLE_JOINT_FORM_COORDINATES, &made);
    assert_int_equal(saddle_stepper_create(made.model, NULL, &stepper), SADDLE_OK);
    for (int k = 0; k < 3; k++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    const int64_t before = memory.count;
    for (int k = 0; k < 50; k++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    assert_int_equal(memory.count, before);
    saddle_stepper_free(stepper);
    saddle_model_free(made.model);
    test_memory_end(&memory, context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_coordinates_accelerate_alike),
        cmocka_unit_test(rows_and_coordinates_move_alike),
        cmocka_unit_test(coordinates_do_not_drift),
        cmocka_unit_test(a_free_tree_keeps_energy_and_momentum),
        cmocka_unit_test(a_ball_spins_through_whole_turns),
        cmocka_unit_test(redundant_rows_of_a_loop_agree),
        cmocka_unit_test(a_linkage_in_any_plane_moves_in_both_forms),
        cmocka_unit_test(limits_drives_friction_springs_and_contacts_act_in_both_forms),
        cmocka_unit_test(bearings_take_the_same_load_in_both_forms),
        cmocka_unit_test(coordinates_are_a_part_of_the_model),
        cmocka_unit_test(coordinates_without_size_stay_in_place),
        cmocka_unit_test(limits_act_on_what_the_host_writes),
        cmocka_unit_test(removal_ends_the_assembly),
        cmocka_unit_test(both_forms_have_the_same_reactions),
        cmocka_unit_test(long_chains_are_added_as_fast_as_rows),
        cmocka_unit_test(who_follows_whom_is_found_at_once),
        cmocka_unit_test(rows_remain_where_coordinates_cannot_be),
        cmocka_unit_test(words_name_the_forms),
        cmocka_unit_test(memory_that_runs_out_is_an_error_and_leaks_nothing),
        cmocka_unit_test(steps_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
