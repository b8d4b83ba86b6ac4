/* SPDX-License-Identifier: MIT */
/* Scene files: the model built, and the messages for faulty files. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "saddle/scene.h"
#include "support.h"

#define BEGIN "{\"format\": \"saddle-scene\", \"version\": 1,\n"

static saddle_status read_text(saddle_context *context, const char *text, saddle_scene *scene)
{
    return saddle_scene_read_text(context, text, (int64_t)strlen(text), "scene.json", NULL, scene);
}

static void a_scene_builds_the_model_it_describes(void **unused)
{
    (void)unused;
    static const char text[] = BEGIN
        "\"name\": \"all of it\", \"gravity\": [0, 0, -9.81], \"time_step\": 0.002, "
        "\"integrator\": \"trapezoidal\",\n"
        "\"solver\": \"ldlt\", \"tolerance\": 1e-9, \"friction\": {\"law\": \"pyramid\", "
        "\"facets\": 6}, "
        "\"projection\": 2,\n"
        "\"joints\": [{\"kind\": \"hinge\", \"a\": \"ground\", \"b\": \"arm\", \"at\": [1, 2, 3], "
        "\"axis\": [0, 1, "
        "0],\n"
        "             \"free\": [{\"limits\": [-1, null], \"motor\": {\"target\": 3, \"strength\": "
        "7}, \"friction\": "
        "0.5}]}],\n"
        "\"particles\": [{\"name\": \"bob\", \"mass\": 2, \"position\": [4, 5, 6], \"velocity\": "
        "[7, 8, 9]}],\n"
        "\"bodies\": [{\"name\": \"arm\", \"shape\": \"box\", \"size\": [1, 2, 3], \"mass\": 12, "
        "\"position\": [1, 2, "
        "3],\n"
        "             \"axis\": [0, 0, 2], \"angle\": 1.5707963267948966, \"velocity\": [1, 0, "
        "0]},\n"
        "            {\"name\": \"wall\", \"prescribed\": true, \"twist\": [0, 0, 1, 0, 0, 0]}],\n"
        "\"blocks\": [{\"name\": \"jelly\", \"cells\": [1, 1, 1]}],\n"
        "\"pins\": [{\"a\": \"jelly\", \"node_a\": 7, \"b\": \"arm\"}],\n"
        "\"springs\": [{\"a\": \"bob\", \"b\": \"ground\", \"stiffness\": 10}]}";
    saddle_scene scene;
    assert_int_equal(read_text(NULL, text, &scene), SADDLE_OK);
    assert_string_equal(scene.name, "all of it");
    assert_true(scene.options.time_step == 0.002 &&
                scene.options.integrator == SADDLE_INTEGRATOR_TRAPEZOIDAL);
    assert_string_equal(scene.options.solver, "ldlt");
    assert_true(scene.options.solver_options.tolerance == 1e-9 && scene.options.projection == 2);
    assert_true(scene.options.assembly.law == SADDLE_LAW_PYRAMID &&
                scene.options.assembly.facets == 6);
    assert_null(scene.collider);
    assert_int_equal(saddle_model_part_count(scene.model), 4);
    const saddle_handle arm = saddle_model_find(scene.model, "arm"),
                        bob = saddle_model_find(scene.model, "bob");
    assert_true(saddle_model_inertia(scene.model, arm)->moment[0] == 13); /* 12 (2^2 + 3^2) / 12 */
    const double turned[9] = {0, 1, 0, -1, 0, 0, 0, 0, 1}, twist[6] = {0, -1, 0, 0, 0, 0};
    assert_true(test_distance(saddle_model_pose(scene.model, arm)->R, turned, 9) < 1e-15);
    assert_true(test_distance(saddle_model_velocity(scene.model, arm), twist, 6) < 1e-15);
    assert_true(saddle_model_position(scene.model, bob)[2] == 6 &&
                saddle_model_velocity(scene.model, bob)[1] == 8);
    saddle_assembly *assembly = NULL;
    const saddle_stage stage = {.time_step = 0.01, .row_step = 0.01, .theta = 1};
    assert_int_equal(saddle_assembly_create(scene.model, &scene.options.assembly, &assembly),
                     SADDLE_OK);
    assert_int_equal(saddle_assembly_update(assembly, &stage, NULL, NULL), SADDLE_OK);
    assert_int_equal(saddle_assembly_problem(assembly)->n, 3 + 6 + 24); /* the wall moves as told */
    /* hinge; limit, motor, friction; pin */
    assert_int_equal(saddle_assembly_problem(assembly)->m, 5 + 3 + 3);
    saddle_assembly_free(assembly);
    saddle_scene_clear(&scene);
}

static saddle_stepper *stepper_of(const char *text, saddle_scene *scene)
{
    saddle_stepper *stepper = NULL;
    assert_int_equal(read_text(NULL, text, scene), SADDLE_OK);
    assert_int_equal(saddle_stepper_create(scene->model, &scene->options, &stepper), SADDLE_OK);
    return stepper;
}

#define FRAME(x, angle) "{\"position\": [" #x ", 0, 0], \"axis\": [0, 0, 1], \"angle\": " #angle "}"
#define ALONG(kind, more)                                                                      \
    BEGIN                                                                                      \
    "\"gravity\": [1, -9.81, 0], \"bodies\": [{\"name\": \"cart\", \"shape\": \"box\", "       \
    "\"size\": "                                                                               \
    "[1, 2, 3], \"mass\": 2, \"position\": [0.5, 0, 0]}],\n\"joints\": [{\"name\": \"rail\", " \
    "\"kind\": \"" kind "\", \"b\": \"cart\", \"at\": [0, 0, 1], " more "}]}"

/* The same model by the functions of the library: a cart along a spline, let go. */
static void a_joint_along_a_spline_is_that_of_the_model(void **unused)
{
    (void)unused;
    static const char text[] = ALONG(
        "motion", "\"start\": [0.5], \"form\": \"coordinates\", \"free\": [{\"limits\": [0, 2]}],\n"
                  "\"spline\": [" FRAME(0, 0) "," FRAME(1, 0.2) "," FRAME(2, 0.5) "," FRAME(
                      3, 0.4) "," FRAME(4, 0.4) "]");
    static const double angle[5] = {0, 0.2, 0.5, 0.4, 0.4};
    saddle_pose frame[5], place = saddle_pose_identity();
    double difference[30], x[2][12];
    const saddle_joint_spline spline = {5, frame, difference};
    saddle_joint_def def = saddle_joint_def_default();
    for (int k = 0; k < 5; k++) {
        const double turn[3] = {0, 0, angle[k]};
        frame[k] = saddle_pose_identity();
        frame[k].p[0] = k;
        saddle_rotation_exp(turn, frame[k].R);
    }
    place.p[2] = 1;
    def.kind = SADDLE_JOINT_MOTION;
    def.form = SADDLE_JOINT_FORM_COORDINATES;
    def.start[0] = 0.5;
    def.free[0].lo = 0;
    def.free[0].hi = 2;
    assert_int_equal(saddle_motion_spline(NULL, &spline, &def.motion), SADDLE_OK);
    for (int k = 0; k < 2; k++) {
        saddle_scene scene;
        saddle_stepper *stepper;
        assert_int_equal(read_text(NULL, text, &scene), SADDLE_OK);
        def.b = saddle_model_find(scene.model, "cart");
        if (k == 1) {
            saddle_handle joint = saddle_model_find(scene.model, "rail");
            assert_int_equal(saddle_model_joint_form(scene.model, joint),
                             SADDLE_JOINT_FORM_COORDINATES);
            assert_int_equal(saddle_model_remove(scene.model, joint), SADDLE_OK);
            assert_int_equal(saddle_joint_def_at(scene.model, &place, &def), SADDLE_OK);
            assert_int_equal(saddle_model_add_joint(scene.model, &def, &joint), SADDLE_OK);
        }
        assert_int_equal(saddle_stepper_create(scene.model, &scene.options, &stepper), SADDLE_OK);
        for (int s = 0; s < 20; s++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
        memcpy(x[k], saddle_model_pose(scene.model, def.b), sizeof x[k]);
        saddle_stepper_free(stepper);
        saddle_scene_clear(&scene);
    }
    assert_true(test_distance(x[0], x[1], 12) < 1e-12);
    assert_true(fabs(x[0][0] - 0.5) > 1e-3); /* moved */
}

/* On the plane x = q1, y = q2, z = q1, without rotation: g on the plane is (1/2, -9.81, 1/2). */
static void a_joint_along_a_surface_slides_as_on_its_plane(void **unused)
{
    (void)unused;
    char text[4000];
    int length = snprintf(text, sizeof text, "%s",
                          ALONG("motion", "\"start\": [0.5, 0.5], \"surface\": {\"rows\": 4, "
                                          "\"cols\": 4, \"control\": ["));
    length -= 3; /* what ends a scene */
    for (int k = 0; k < 16; k++)
        length += snprintf(text + length, sizeof text - (size_t)length, "%s%d, %d, %d, 0, 0, 0",
                           k ? ", " : "", k % 4 - 1, k / 4 - 1, k % 4 - 1);
    snprintf(text + length, sizeof text - (size_t)length, "]}}]}");
    saddle_scene scene;
    double q[2];
    saddle_stepper *stepper = stepper_of(text, &scene);
    const saddle_handle cart = saddle_model_find(scene.model, "cart");
    const double *v = saddle_model_velocity(scene.model, cart);
    const double *x = saddle_model_position(scene.model, cart), from[2] = {x[0], x[1]};
    for (int s = 0; s < 10; s++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    const double t = saddle_model_time(scene.model);
    const double expected[6] = {0.5 * t, -9.81 * t, 0.5 * t, 0, 0, 0};
    assert_true(t > 0);
    assert_true(test_distance(v, expected, 6) < 1e-9);
    assert_int_equal(saddle_model_joint_coordinates(scene.model,
                                                    saddle_model_find(scene.model, "rail"), q,
                                                    NULL),
                     SADDLE_OK);
    for (int i = 0; i < 2; i++) assert_true(fabs(q[i] - 0.5 - (x[i] - from[i])) < 1e-9);
    saddle_stepper_free(stepper);
    saddle_scene_clear(&scene);
}

/* A hinge that is told to turn at 2 rad/s from 0.1 rad. */
static void a_joint_moves_as_its_scene_says(void **unused)
{
    (void)unused;
    static const char text[] = ALONG(
        "hinge", "\"prescribed\": {\"how\": \"position\", \"value\": [0.1], \"rate\": [2]}");
    saddle_scene scene;
    double q, force;
    saddle_stepper *stepper = stepper_of(text, &scene);
    const saddle_handle rail = saddle_model_find(scene.model, "rail");
    for (int s = 0; s < 20; s++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    assert_int_equal(saddle_model_joint_coordinates(scene.model, rail, &q, NULL), SADDLE_OK);
    assert_true(fabs(q - 0.1 - 2 * 20 * scene.options.time_step) < 1e-9);
    assert_int_equal(saddle_stepper_joint_force(stepper, rail, &force), SADDLE_OK);
    assert_true(fabs(force) > 0);
    saddle_stepper_free(stepper);
    saddle_scene_clear(&scene);
}

static void unsound_motions_of_joints_are_refused(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        ALONG("fixed", "\"prescribed\": {\"how\": \"position\", \"value\": [0.1]}"),
        ALONG("hinge", "\"prescribed\": {\"how\": \"torque\", \"value\": [0.1]}"),
        ALONG("hinge",
              "\"prescribed\": {\"how\": \"position\", \"value\": [0.1], \"rate\": [1, 2]}"),
        ALONG("motion", "\"start\": [0.5]"),
        ALONG("hinge", "\"start\": [0.5]"),
        ALONG("motion", "\"spline\": [" FRAME(0, 0) "]"),
        ALONG("motion", "\"spline\": [{}, {}, {}, " FRAME(1, 0) "], \"start\": [0, 0]"),
        ALONG("motion", "\"spline\": [{}, {}, {}, {\"angle\": 2}]"),
        ALONG("motion", "\"surface\": {\"rows\": 4, \"cols\": 4, \"control\": [1, 2]}"),
        ALONG("motion", "\"surface\": {\"rows\": 4, \"cols\": 1, \"control\": [1]}")};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        saddle_scene scene;
        assert_int_equal(read_text(NULL, texts[k], &scene), SADDLE_BAD_FILE);
    }
}

static void end_of(saddle_stepper *stepper, saddle_scene *scene)
{
    saddle_stepper_free(stepper);
    saddle_scene_clear(scene);
}

/* What a body's placement turns its axes by. */
static saddle_pose pose_of(const char *rotation)
{
    char text[400];
    saddle_scene scene;
    snprintf(text, sizeof text, BEGIN "\"bodies\": [{\"name\": \"a\", \"prescribed\": true, %s}]}",
             rotation);
    assert_int_equal(read_text(NULL, text, &scene), SADDLE_OK);
    const saddle_pose pose = *saddle_model_pose(scene.model, saddle_model_find(scene.model, "a"));
    saddle_scene_clear(&scene);
    return pose;
}

/* R (9) <- that of an angle about an axis (0 .. 2) times R. */
static void turn_about(int axis, double angle, double *R)
{
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (int k = 0; k < 3; k++) {
        const double x = R[u + 3 * k], y = R[v + 3 * k];
        R[u + 3 * k] = cos(angle) * x - sin(angle) * y;
        R[v + 3 * k] = sin(angle) * x + cos(angle) * y;
    }
}

/* A roll turns y towards z; all three: about the world's x, then y, then z. */
static void rpy_is_about_the_fixed_axes_x_y_z_as_in_urdf(void **unused)
{
    (void)unused;
    const double rolled[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0};
    const saddle_pose roll = pose_of("\"rpy\": [1.5707963267948966, 0, 0]");
    assert_true(test_distance(roll.R, rolled, 9) < 1e-15);
    double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double rpy[3] = {0.3, -0.7, 1.9};
    for (int k = 0; k < 3; k++) turn_about(k, rpy[k], R);
    const saddle_pose pose = pose_of("\"rpy\": [0.3, -0.7, 1.9]");
    assert_true(test_distance(pose.R, R, 9) < 1e-15);
}

/* Each angle about an axis turned by the angles before; or, from the last to the first, about fixed
 * axes. */
static void euler_angles_turn_about_the_axes_that_their_order_names(void **unused)
{
    (void)unused;
    static const char *const orders[] = {"zyx", "xyz", "zxz", "yxy"};
    const double angles[3] = {0.3, -0.7, 1.9};
    for (int o = 0; o < 4; o++) {
        char text[100];
        double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        for (int k = 2; k >= 0; k--) turn_about(orders[o][k] - 'x', angles[k], R);
        snprintf(text, sizeof text, "\"euler\": {\"order\": \"%s\", \"angles\": [0.3, -0.7, 1.9]}",
                 orders[o]);
        const saddle_pose pose = pose_of(text);
        assert_true(test_distance(pose.R, R, 9) < 1e-15);
    }
}

static void the_speed_of_parting_is_a_field_of_the_scene(void **unused)
{
    (void)unused;
    saddle_scene scene;
    assert_int_equal(read_text(NULL, BEGIN "\"time\": 0}", &scene), SADDLE_OK);
    assert_true(scene.options.max_separation_speed == 0.1);
    saddle_scene_clear(&scene);
    assert_int_equal(read_text(NULL, BEGIN "\"max_separation_speed\": 2.5}", &scene), SADDLE_OK);
    assert_true(scene.options.max_separation_speed == 2.5);
    saddle_scene_clear(&scene);
}

/* From a corner of a body (which stands turned) to a particle: sqrt(3^2 + 4^2) = 5, as the scene
 * begins and as it goes on. */
static void rods_keep_the_length_they_begin_with_unless_one_is_given(void **unused)
{
    (void)unused;
    static const char text[] = BEGIN
        "\"gravity\": [0, 0, -9.81], \"integrator\": \"trapezoidal\", \"projection\": 3,\n"
        "\"bodies\": [{\"name\": \"block\", \"shape\": \"box\", \"size\": [2, 1, 1], "
        "\"mass\": 3, \"position\": [1, 0, 0], "
        "\"axis\": [0, 0, 1], \"angle\": 1, \"angular_velocity\": [1, 2, 3]}],\n"
        "\"particles\": [{\"name\": \"bob\", \"mass\": 2, \"position\": [3, 4, 0]}],\n"
        "\"rods\": [{\"a\": \"block\", \"point_a\": [0, 0, 0], \"b\": \"bob\"%s}]}";
    char given[sizeof text + 40];
    saddle_scene scene;
    for (int longer = 0; longer < 2; longer++) {
        snprintf(given, sizeof given, text, longer ? ", \"length\": 6" : "");
        saddle_stepper *stepper = stepper_of(given, &scene);
        for (int step = 0; step < 50; step++)
            assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
        const saddle_pose *pose = saddle_model_pose(scene.model,
                                                    saddle_model_find(scene.model, "block"));
        const double *bob = saddle_model_position(scene.model,
                                                  saddle_model_find(scene.model, "bob"));
        const double local[3] = {-cos(1), sin(1), 0}; /* the origin, from a body at (1, 0, 0) turned
                                                         by 1 about z */
        double end[3], square = 0;
        saddle_pose_point(pose, local, end);
        for (int i = 0; i < 3; i++) square += (bob[i] - end[i]) * (bob[i] - end[i]);
        assert_true(fabs(sqrt(square) - (longer ? 6 : 5)) < 1e-10);
        end_of(stepper, &scene);
    }
}

/* 1 m of fall, v = -sqrt(2 g); what a rope of 2 m then leaves of it is e times as much, upwards. */
static void ropes_hang_loose_until_they_are_taut(void **unused)
{
    (void)unused;
    static const char text[] = BEGIN
        "\"gravity\": [0, 0, -9.81], \"time_step\": 1e-3, \"particles\": [{\"name\": \"bob\", "
        "\"mass\": 2, "
        "\"position\": [0, 0, -1]}],\n\"rods\": [{\"b\": \"bob\", \"length\": 2, \"rope\": true, "
        "\"restitution\": 0.5}]}";
    saddle_scene scene;
    saddle_stepper *stepper = stepper_of(text, &scene);
    const saddle_handle bob = saddle_model_find(scene.model, "bob");
    double before = 0;
    while (saddle_model_velocity(scene.model, bob)[2] <= 0 && saddle_model_time(scene.model) < 1) {
        before = saddle_model_velocity(scene.model, bob)[2];
        assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    }
    assert_true(fabs(before + sqrt(2 * 9.81)) < 0.02);
    assert_true(fabs(saddle_model_velocity(scene.model, bob)[2] + 0.5 * before) < 0.01);
    end_of(stepper, &scene);
}

/* A flywheel of J = m r^2/2 = 2 on a spring of k = 8: half of k rest^2, and back after 2 pi
 * sqrt(J/k) = pi. */
static void springs_of_joints_turn_a_wheel_there_and_back(void **unused)
{
    (void)unused;
    static const char text[] = BEGIN
        "\"time_step\": 3.14159265358979e-3, \"integrator\": \"trapezoidal\",\n"
        "\"bodies\": [{\"name\": \"wheel\", \"shape\": \"cylinder\", \"radius\": 1, \"length\": "
        "0.2, \"mass\": 4}],\n"
        "\"joints\": [{\"name\": \"axle\", \"kind\": \"hinge\", \"b\": \"wheel\",\n"
        "\"free\": [{\"spring\": {\"stiffness\": 8, \"rest\": 0.5}}]}]}";
    saddle_scene scene;
    saddle_stepper *stepper = stepper_of(text, &scene);
    const saddle_handle wheel = saddle_model_find(scene.model, "wheel");
    assert_true(fabs(saddle_model_energies(scene.model).elastic - 1) < 1e-12);
    for (int step = 0; step < 500; step++)
        assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    const double *R = saddle_model_pose(scene.model, wheel)->R;
    assert_true(fabs(atan2(R[1], R[0]) - 1) < 1e-5); /* as far beyond the rest as it was before
                                                        it */
    for (int step = 0; step < 500; step++)
        assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    assert_true(fabs(atan2(R[1], R[0])) < 1e-5);
    end_of(stepper, &scene);
}

/* A soft block falls on one that lies on a plane, and stays. */
static void surfaces_of_blocks_collide(void **unused)
{
    (void)unused;
    static const char text[] = BEGIN
        "\"gravity\": [0, 0, -10], \"integrator\": \"implicit-euler\", \"time_step\": 0.01,\n"
        "\"shapes\": [{\"kind\": \"plane\"}],\n"
        "\"blocks\": [{\"name\": \"low\", \"collides\": true, \"damping_stiffness\": 0.02},\n"
        "{\"name\": \"high\", \"corner\": [0.25, 0.25, 1.05], \"size\": [0.5, 0.5, 0.5], "
        "\"cells\": [1, 1, 1], \"collides\": true, \"mu\": 0.8, \"damping_stiffness\": 0.02}]}";
    saddle_scene scene;
    saddle_stepper *stepper = stepper_of(text, &scene);
    assert_int_equal(saddle_collider_count(scene.collider), 3);
    assert_int_equal(saddle_collider_shape(scene.collider, 1)->kind, SADDLE_TOUCH_SURFACE);
    for (int step = 0; step < 200; step++)
        assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    const double *x = saddle_model_position(scene.model, saddle_model_find(scene.model, "high"));
    assert_true(x[2] > 0.97 && x[2] < 1);
    end_of(stepper, &scene);
}

/* C couples x and z of a pin: under weight it sags by C (0, 0, -m g). */
static void matrices_of_compliance_couple_rows_of_joints_and_pins(void **unused)
{
    (void)unused;
    static const char text[] = BEGIN
        "\"gravity\": [0, 0, -10], \"integrator\": \"implicit-euler\", \"time_step\": 0.1,\n"
        "\"particles\": [{\"name\": \"bob\", \"mass\": 1}],\n"
        "\"bodies\": [{\"name\": \"box\", \"shape\": \"sphere\", \"radius\": 1, \"mass\": 1}],\n"
        "\"pins\": [{\"a\": \"bob\", \"compliance\": {\"matrix\": [0.1, 0, 0.05, 0, 0.1, 0, "
        "0.05, 0, 0.2], \"damping_matrix\": [9, 0, 0, 0, 9, 0, 0, 0, 9]}}],\n"
        "\"joints\": [{\"b\": \"box\", \"compliance\": {\"matrix\": [0.1, 0, 0.05, 0, 0.1, 0, "
        "0.05, 0, 0.2]}}]}";
    saddle_scene scene;
    saddle_stepper *stepper = stepper_of(text, &scene);
    const double sagged[3] = {-0.5, 0, -2};
    for (int step = 0; step < 2000; step++)
        assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    const saddle_handle bob = saddle_model_find(scene.model, "bob"),
                        box = saddle_model_find(scene.model, "box");
    assert_true(test_distance(saddle_model_position(scene.model, bob), sagged, 3) < 1e-9);
    assert_true(test_distance(saddle_model_pose(scene.model, box)->p, sagged, 3) < 1e-9);
    end_of(stepper, &scene);
}

static void impacts_are_of_pairs_with_a_shape_that_says_so(void **unused)
{
    (void)unused;
    static const char text[] = BEGIN "\"bodies\": [{\"name\": \"hard\", \"shape\": \"sphere\", "
                                     "\"radius\": 1, \"mass\": 1, \"position\": [0, 0, 1], "
                                     "\"collides\": true, \"impact\": true},\n"
                                     "{\"name\": \"soft\", \"shape\": \"sphere\", \"radius\": 1, "
                                     "\"mass\": 1, \"position\": [5, 0, 1], "
                                     "\"collides\": true},\n"
                                     "{\"name\": \"far\", \"shape\": \"sphere\", \"radius\": 1, "
                                     "\"mass\": 1, \"position\": [5, 0, 23], "
                                     "\"collides\": true}],\n"
                                     "\"shapes\": [{\"kind\": \"plane\"}, {\"kind\": \"plane\", "
                                     "\"impact\": true, \"position\": [0, 0, 22]}]}";
    saddle_scene scene;
    saddle_contact_list list = {0};
    assert_int_equal(read_text(NULL, text, &scene), SADDLE_OK);
    assert_int_equal(saddle_collider_find(scene.collider, 0.01, &list), SADDLE_OK);
    int impacts = 0, others = 0;
    for (int64_t k = 0; k < list.count; k++) *(list.point[k].impact ? &impacts : &others) += 1;
    assert_int_equal(impacts, 4); /* hard on both half-spaces, the others on the upper one */
    assert_int_equal(others, 1);  /* soft on the lower one */
    saddle_contact_list_clear(&list);
    saddle_scene_clear(&scene);
}

/* At its optimal length a muscle of 20 N, half active, holds 1 kg at 10 m/s^2, and so does a load
 * of 10 N above the centre of a body; without either it falls. */
static void muscles_and_loads_of_a_scene_pull(void **unused)
{
    (void)unused;
    static const char text[] = BEGIN
        "\"gravity\": [0, 0, -10], \"particles\": [{\"name\": \"bob\", \"mass\": 1, \"position\": "
        "[0, 0, 1]},\n"
        "{\"name\": \"stone\", \"mass\": 1}],\n"
        "\"bodies\": [{\"name\": \"kite\", \"shape\": \"sphere\", \"radius\": 1, \"mass\": 1, "
        "\"position\": [5, "
        "0, 0]}],\n"
        "\"muscles\": [{\"peak_force\": 20, \"activation\": 0.5, \"tendon_length\": 0.5, \"path\": "
        "[{\"at\": [0, "
        "2, 3]}, "
        "{\"at\": [0, 0, 3]}, {\"part\": \"bob\"}]}],\n"
        "\"loads\": [{\"part\": \"kite\", \"at\": [5, 0, 1], \"force\": [0, 0, 10]}]}";
    saddle_scene scene;
    saddle_stepper *stepper = NULL;
    assert_int_equal(read_text(NULL, text, &scene), SADDLE_OK);
    assert_int_equal(saddle_stepper_create(scene.model, &scene.options, &stepper), SADDLE_OK);
    for (int k = 0; k < 10; k++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    const saddle_handle bob = saddle_model_find(scene.model, "bob"),
                        kite = saddle_model_find(scene.model, "kite");
    assert_true(fabs(saddle_model_position(scene.model, bob)[2] - 1) < 1e-13);
    assert_true(fabs(saddle_model_pose(scene.model, kite)->p[2]) < 1e-13);
    assert_true(saddle_model_position(scene.model, saddle_model_find(scene.model, "stone"))[2] <
                -0.05);
    saddle_stepper_free(stepper);
    saddle_scene_clear(&scene);
}

/* A marker, and nodes on two masters, follow from where they are; a step keeps them there. */
static void attachments_of_a_scene_hold(void **unused)
{
    (void)unused;
    saddle_scene scene;
    saddle_stepper *stepper;
    assert_int_equal(
        read_text(NULL,
                  BEGIN
                  "\"attachments\": \"keep\", \"gravity\": [0, 0, -10],\n"
                  "\"bodies\": [{\"name\": \"bone\", \"shape\": \"sphere\", \"radius\": 1, "
                  "\"mass\": 1, \"angular_velocity\": [0, 0, 1]}, {\"name\": \"next\", "
                  "\"prescribed\": true}],\n"
                  "\"particles\": [{\"name\": \"marker\", \"massless\": true, \"position\": "
                  "[1, 0, 0]}, {\"name\": \"middle\", \"mass\": 2, \"position\": [0, 2, 0]}],\n"
                  "\"attach\": [{\"name\": \"tie\", \"part\": \"marker\", \"to\": \"bone\"}, "
                  "{\"part\": \"middle\", \"masters\": [{\"part\": \"bone\", \"weight\": 0.5}, "
                  "{\"part\": \"next\", \"weight\": 0.5}]}]}",
                  &scene),
        SADDLE_OK);
    assert_int_equal(saddle_model_find(scene.model, "tie").item, SADDLE_ITEM_ATTACHMENT);
    assert_int_equal(saddle_stepper_create(scene.model, &scene.options, &stepper), SADDLE_OK);
    for (int k = 0; k < 50; k++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    const saddle_handle bone = saddle_model_find(scene.model, "bone");
    const saddle_handle middle = saddle_model_find(scene.model, "middle");
    const saddle_pose *pose = saddle_model_pose(scene.model, bone);
    const double *x = saddle_model_position(scene.model, saddle_model_find(scene.model, "marker"));
    const double *y = saddle_model_position(scene.model, middle);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(x[i] - (pose->p[i] + pose->R[i])) <= 1e-14);
        assert_true(fabs(y[i] - ((pose->p[i] + 2 * pose->R[3 + i]) + (i == 1 ? 2 : 0)) / 2) <=
                    1e-14);
    }
    assert_true(pose->p[2] < -1); /* the prescribed one carries half of it alone */
    end_of(stepper, &scene);
}

/* A string over a pulley holds its weight by F = k (L - r); its sheath does not count.  A frame
 * spring carries a body by k u, a damper lets a body sink at m g/d. */
static void springs_along_paths_frame_springs_and_dampers_of_a_scene_pull(void **unused)
{
    (void)unused;
    static const char text[] = BEGIN
        "\"gravity\": [0, 0, -10], \"integrator\": \"implicit-euler\",\n"
        "\"particles\": [{\"name\": \"bob\", \"mass\": 1, \"position\": [0, 0, 0.9]}],\n"
        "\"bodies\": [{\"name\": \"bush\", \"shape\": \"sphere\", \"radius\": 1, \"mass\": 1,"
        " \"position\": [5, 0, -0.1]},\n"
        "{\"name\": \"leaf\", \"shape\": \"sphere\", \"radius\": 1, \"mass\": 1, \"velocity\":"
        " [0, 0, -2]}],\n"
        "\"springs\": [{\"law\": \"string\", \"stiffness\": 100, \"rest_length\": 4, \"path\":"
        " [{\"at\": [0, 2, 3]}, {\"at\": [0, 0, 3], \"passive\": true}, {\"at\": [0, 0, 2.9]},"
        " {\"part\": \"bob\"}]}],\n"
        "\"frame_springs\": [{\"b\": \"bush\", \"at\": [5, 0, 0], \"stiffness\": 100, "
        "\"angular_stiffness\": 3}],\n"
        "\"dampers\": [{\"part\": \"leaf\", \"at\": [0, 0, 0], \"linear\": 5}]}";
    saddle_scene scene;
    saddle_stepper *stepper = NULL;
    assert_int_equal(read_text(NULL, text, &scene), SADDLE_OK);
    assert_int_equal(saddle_stepper_create(scene.model, &scene.options, &stepper), SADDLE_OK);
    const saddle_handle bob = saddle_model_find(scene.model, "bob"),
                        bush = saddle_model_find(scene.model, "bush"),
                        leaf = saddle_model_find(scene.model, "leaf");
    saddle_model_position(scene.model, bob)[2] = 0.8; /* L = 2 + 2.1 */
    saddle_model_pose(scene.model, bush)->p[2] = -0.2;
    for (int k = 0; k < 10; k++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    assert_true(fabs(saddle_model_position(scene.model, bob)[2] - 0.8) < 1e-12);
    assert_true(fabs(saddle_model_pose(scene.model, bush)->p[2] + 0.2) < 1e-12);
    assert_true(fabs(saddle_model_velocity(scene.model, leaf)[2] + 2) < 1e-12);
    end_of(stepper, &scene);
}

/* A solid cylinder rolls down at 2/3 g sin alpha, here 2 m/s^2; one that stands, on the
 * ground or on a box, and an ellipsoid on its flat side stay. */
static void cylinders_and_ellipsoids_of_a_scene_roll_and_rest(void **unused)
{
    (void)unused;
    static const char text[] = BEGIN
        "\"gravity\": [3, 0, -10], \"time_step\": 0.002,\n"
        "\"bodies\": [{\"name\": \"wheel\", \"shape\": \"cylinder\", \"radius\": 0.5, \"length\": "
        "1,"
        " \"mass\": 2, \"collides\": true, \"position\": [0, 0, 0.5], \"rpy\": "
        "[1.5707963267948966, 0, 0]},\n"
        "{\"name\": \"drum\", \"shape\": \"cylinder\", \"radius\": 0.5, \"length\": 0.4, "
        "\"mass\": 2, \"collides\": true, \"position\": [0, 5, 0.2]},\n"
        "{\"name\": \"stone\", \"shape\": \"ellipsoid\", \"size\": [0.5, 0.4, 0.1], \"mass\": 1, "
        "\"collides\": true, \"mu_rolling\": 10, \"position\": [0, 9, 0.1]},\n"
        "{\"name\": \"table\", \"shape\": \"box\", \"size\": [2, 2, 0.5], \"mass\": 9, "
        "\"collides\": true, \"position\": [0, 13, 0.25]},\n"
        "{\"name\": \"cup\", \"shape\": \"cylinder\", \"radius\": 0.1, \"length\": 0.2, \"mass\": "
        "1, "
        "\"collides\": true, \"position\": [0.2, 13, 0.6]}],\n"
        "\"shapes\": [{\"kind\": \"plane\", \"mu\": 0.5}]}";
    saddle_scene scene;
    saddle_stepper *stepper = NULL;
    assert_int_equal(read_text(NULL, text, &scene), SADDLE_OK);
    assert_int_equal(saddle_stepper_create(scene.model, &scene.options, &stepper), SADDLE_OK);
    for (int k = 0; k < 500; k++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    const saddle_pose *wheel = saddle_model_pose(scene.model,
                                                 saddle_model_find(scene.model, "wheel")),
                      *drum = saddle_model_pose(scene.model,
                                                saddle_model_find(scene.model, "drum")),
                      *stone = saddle_model_pose(scene.model,
                                                 saddle_model_find(scene.model, "stone"));
    assert_true(fabs(wheel->p[0] - 1) < 0.01 && fabs(wheel->p[2] - 0.5) < 1e-3);
    assert_true(fabs(drum->p[0]) < 1e-6 && fabs(drum->p[2] - 0.2) < 1e-6);
    assert_true(fabs(stone->p[0]) < 1e-6 && fabs(stone->p[2] - 0.1) < 1e-6);
    const saddle_pose *cup = saddle_model_pose(scene.model, saddle_model_find(scene.model, "cup"));
    assert_true(fabs(cup->p[0] - 0.2) < 1e-6 && fabs(cup->p[2] - 0.6) < 1e-6);
    end_of(stepper, &scene);
}

static const char bar_text[] = BEGIN
    "\"gravity\": [0, 0, -10], \"integrator\": \"implicit-euler\", \"meshes\": [{\"name\": "
    "\"bar\", \"file\": \"hex.msh\", \"scale\": 10, \"fixed\": \"%s\"}]}";

static saddle_status read_bar(saddle_context *context, const char *group, saddle_scene *scene)
{
    char text[sizeof bar_text + 20];
    snprintf(text, sizeof text, bar_text, group);
    return saddle_scene_read_text(context, text, (int64_t)strlen(text), "scene.json",
                                  SADDLE_SOURCE_DIR "/tests/fuzz/seeds/msh", scene);
}

/* Of 10 x 2 x 2 m by the scale; the nodes of the group stay, the others sink. */
static void meshes_of_files_are_held_by_their_groups(void **unused)
{
    (void)unused;
    saddle_context *context = NULL;
    saddle_scene scene;
    saddle_stepper *stepper = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(read_bar(context, "clamp", &scene), SADDLE_OK);
    assert_int_equal(saddle_stepper_create(scene.model, &scene.options, &stepper), SADDLE_OK);
    const saddle_handle bar = saddle_model_find(scene.model, "bar");
    assert_true(fabs(saddle_model_energies(scene.model).gravity - 4e4 * 10) < 1e-6);
    for (int k = 0; k < 10; k++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    const double *x = saddle_model_position(scene.model, bar);
    int held = 0;
    for (int64_t n = 0; n < saddle_model_node_count(scene.model, bar); n++) {
        const double z = x[3 * n + 2], moved = fmin(fabs(z), fabs(z - 2));
        if (fabs(x[3 * n]) > 1) {
            assert_true(moved > 1e-3);
            continue;
        }
        held++;
        assert_true(moved < 1e-9);
    }
    assert_int_equal(held, 4);
    end_of(stepper, &scene);
    assert_int_equal(read_bar(context, "gold", &scene), SADDLE_BAD_FILE);
    assert_non_null(strstr(saddle_context_message(context), "no physical group \"gold\""));
    saddle_context_free(context);
}

static void parts_that_are_kept_apart_do_not_touch(void **unused)
{
    (void)unused;
    static const char text[] = BEGIN "\"bodies\": [{\"name\": \"left\", \"shape\": \"sphere\", "
                                     "\"radius\": 1, \"mass\": 1, \"collides\": true},\n"
                                     "{\"name\": \"right\", \"shape\": \"sphere\", \"radius\": 1, "
                                     "\"mass\": 1, \"position\": [2, 0, 0], "
                                     "\"collides\": true},\n"
                                     "{\"name\": \"next\", \"shape\": \"sphere\", \"radius\": 1, "
                                     "\"mass\": 1, \"position\": [4, 0, 0], "
                                     "\"collides\": true}]%s}";
    static const char *const apart[] = {"", ", \"apart\": [{\"a\": \"right\", \"b\": \"left\"}]"};
    for (int k = 0; k < 2; k++) {
        char given[sizeof text + 60];
        saddle_scene scene;
        saddle_contact_list list = {0};
        snprintf(given, sizeof given, text, apart[k]);
        assert_int_equal(read_text(NULL, given, &scene), SADDLE_OK);
        assert_int_equal(saddle_collider_find(scene.collider, 0.01, &list), SADDLE_OK);
        assert_int_equal(list.count, 2 - k);
        saddle_contact_list_clear(&list);
        saddle_scene_clear(&scene);
    }
}

/* What is wrong, and what the message must hold. */
static const struct wrong {
    const char *text, *line, *says;
} wrongs[] = {
    {"", "scene.json:1: ", ""},
    {"{\"format\": \"saddle-scene\", \"version\": 1,\n\"gravity\": [0, 0,]}", "scene.json:2: ", ""},
    {"{\"version\": 1}", "scene.json:1: ", "\"format\" is missing"},
    {"{\"format\": \"saddle-problem\", \"version\": 1}",
     "scene.json:1: ", "\"format\" is not \"saddle-scene\""},
    {"{\"format\": \"saddle-scene\", \"version\": 2}", "scene.json:1: ", "this reader knows 1"},
    {BEGIN "\"gravitation\": 3}", "scene.json:2: ", "scene: unknown field \"gravitation\""},
    {BEGIN "\"gravity\": [0, 0]}", "scene.json:2: ", "\"gravity\" has 2 elements, 3 are needed"},
    {BEGIN "\"gravity\": [0, 0, 1, 2]}", "scene.json:2: ", "\"gravity\" has more than 3 elements"},
    {BEGIN "\"time\": 1,\n\"time\": 2}", "scene.json:3: ", "\"time\" is given twice"},
    {BEGIN "\"time_step\": 0}",
     "scene.json:1: ", "\"time_step\" is 0, not within 1e-100 .. 1e+100"},
    {BEGIN "\"bodies\": [{\"name\": \"first\", \"shape\": \"box\", \"size\": [1, 1, 1], \"mass\": "
           "1, \"velocity\": [0, 1e200, 0]}]}",
     "scene.json:2: ", "body 'first': \"velocity\"[1] is 1e+200, not within"},
    {BEGIN "\"bodies\": [{\"name\": \"first\", \"shape\": \"box\", \"size\": [1, 1, 1], \"mass\": "
           "1, \"angular_velocity\": [0, 0, 1e200]}]}",
     "scene.json:2: ", "body 'first': \"angular_velocity\"[2] is 1e+200, not within"},
    {BEGIN "\"bodies\": [{\"name\": \"first\", \"shape\": \"box\", \"size\": [1, 1, 1], \"mass\": "
           "1, \"collides\": true, \"mu\": -1}]}",
     "scene.json:2: ", "body 'first': \"mu\" is -1, not within 0 .."},
    {BEGIN "\"bodies\": [{\"name\": \"first\", \"shape\": \"box\", \"size\": [1, 1, 1], \"mass\": "
           "1, \"collides\": true, \"restitution\": 2}]}",
     "scene.json:2: ", "body 'first': \"restitution\" is 2, not within 0 .. 1"},
    {BEGIN
     "\"bodies\": [{\"name\": \"long\", \"shape\": \"box\", \"size\": [1e99, 1, 1], \"mass\": 1}]}",
     "scene.json:2: ", "body 'long': \"size\": "},
    {BEGIN "\"bodies\": [{\"name\": \"vast\", \"shape\": \"box\", \"size\": [1e99, 1e99, 1e99], "
           "\"density\": 1}]}",
     "scene.json:2: ", "body 'vast': \"size\": "},
    {BEGIN
     "\"bodies\": [{\"name\": \"ball\", \"shape\": \"sphere\", \"radius\": 1e60, \"mass\": 1}]}",
     "scene.json:2: ", "body 'ball': \"radius\": moment[0] is 4e+119, not within"},
    {BEGIN "\"blocks\": [{\"name\": \"soft\", \"size\": [1e99, 1, 1]}]}",
     "scene.json:2: ", "fem block 'soft': size: mass is 1e+102, not within"},
    {BEGIN "\"tolerance\": 1e300}",
     "scene.json:1: ", "\"tolerance\" is 1e+300, not above 0 and below 1"},
    {BEGIN "\"tolerance\": 1}", "scene.json:1: ", "\"tolerance\" is 1, not above 0 and below 1"},
    {BEGIN "\"tolerance\": 0}", "scene.json:1: ", "\"tolerance\" is 0, not above 0 and below 1"},
    {BEGIN "\"tolerance\": -1e-9}",
     "scene.json:1: ", "\"tolerance\" is -1e-09, not above 0 and below 1"},
    {BEGIN "\"tolerance\": NaN}", "scene.json:2: ", ""},
    {BEGIN "\"solver\": \"magic\"}", "scene.json:1: ", "there is no solver \"magic\""},
    {BEGIN "\"integrator\": \"euler\"}",
     "scene.json:2: ", "not one of explicit-euler, symplectic-euler"},
    {BEGIN "\n\"bodies\": [\n{\"name\": \"a\", \"masss\": 1}]}",
     "scene.json:4: ", "body: unknown field \"masss\""},
    {BEGIN "\"bodies\": [{\"mass\": 1}]}", "scene.json:2: ", "body: \"name\" is missing"},
    {BEGIN "\"bodies\": [{\"name\": \"a\", \"mass\": 1}]}", "scene.json:2: ", "'a'"},
    {BEGIN "\"bodies\": [{\"name\": \"a\", \"shape\": \"box\", \"size\": [1, 1, 1]}]}",
     "scene.json:2: ", "a mass or a density"},
    {BEGIN
     "\"bodies\": [{\"name\": \"a\", \"shape\": \"sphere\", \"size\": [1, 1, 1], \"mass\": 1}]}",
     "scene.json:2: ", "\"radius\" of what is round"},
    {BEGIN
     "\"bodies\": [{\"name\": \"thin\", \"mass\": 1, \"moment\": [1, 0, 0, 0, 1, 0, 0, 0, 3]}]}",
     "scene.json:2: ", "thin"},
    {BEGIN "\"bodies\": [{\"name\": \"ground\", \"prescribed\": true}]}",
     "scene.json:2: ", "a name other than \"ground\""},
    {BEGIN "\"particles\": [{\"name\": \"p\", \"mass\": 1},\n{\"name\": \"p\", \"mass\": 1}]}",
     "scene.json:3: ", "there is already a part of the name \"p\""},
    {BEGIN "\"particles\": [{\"name\": \"p\", \"mass\": -1}]}",
     "scene.json:2: ", "particle 'p': mass is -1, not within 1e-100 .. 1e+100"},
    {BEGIN "\"bodies\": [{\"name\": \"sieve\", \"density\": 1, \"vertices\": [0,0,0, 1,0,0, 0,1,0, "
           "0,0,1], "
           "\"triangles\": [0,2,1, 0,1,3, 1,2,3]}]}",
     "scene.json:2: ", "sieve"},
    {BEGIN "\"bodies\": [{\"name\": \"a\", \"prescribed\": true, \"axis\": [0, 0, 1], \"rpy\": [0, "
           "0, 0]}]}",
     "scene.json:2: ", "give one"},
    {BEGIN "\"bodies\": [{\"name\": \"a\", \"prescribed\": true, \"axis\": [0, 0, 0]}]}",
     "scene.json:2: ", "\"axis\" is zero"},
    {BEGIN "\"bodies\": [{\"name\": \"a\", \"prescribed\": true, \"axis\": [0, 0, 1]}]}",
     "scene.json:2: ", "\"axis\" needs an \"angle\""},
    {BEGIN "\"shapes\": [{\"kind\": \"plane\", \"angle\": 1}]}",
     "scene.json:2: ", "\"angle\" needs an \"axis\""},
    {BEGIN "\"bodies\": [{\"name\": \"a\", \"prescribed\": true, \"rotation\": [1, 0, 0, 0], "
           "\"angle\": 1}]}",
     "scene.json:2: ", "\"angle\" needs an \"axis\""},
    {BEGIN "\"shapes\": [{\"kind\": \"plane\", \"euler\": {\"angles\": [1, 2, 3]}}]}",
     "scene.json:2: ", "euler: \"order\" is missing"},
    {BEGIN
     "\"shapes\": [{\"kind\": \"plane\", \"euler\": {\"order\": null, \"angles\": [1, 2, 3]}}]}",
     "scene.json:2: ", "euler: \"order\" is missing"},
    {BEGIN
     "\"shapes\": [{\"kind\": \"plane\", \"euler\": {\"order\": \"zzx\", \"angles\": [1, 2, 3]}}]}",
     "scene.json:2: ", "\"order\" is three of x, y and z"},
    {BEGIN "\"shapes\": [{\"kind\": \"plane\", \"rpy\": [0, 0, 0], "
           "\"euler\": {\"order\": \"zyx\", \"angles\": [1, 2, 3]}}]}",
     "scene.json:2: ", "give one"},
    {BEGIN "\"max_separation_speed\": -1}",
     "scene.json:1: ", "\"max_separation_speed\" is -1, not within 0 .. 1e+100"},
    {BEGIN "\"particles\": [{\"name\": \"p\", \"mass\": 1}],\n\"joints\": [{\"b\": \"p\", "
           "\"kind\": \"ball\", "
           "\"name\": \"hook\"},\n{\"b\": \"p\", \"kind\": \"ball\", \"name\": \"hook\"}]}",
     "scene.json:4: ", "there is already a joint, pin or rod of the name \"hook\""},
    {BEGIN "\"particles\": [{\"name\": \"p\", \"mass\": 1}],\n\"joints\": [{\"b\": \"p\", "
           "\"kind\": \"ball\", "
           "\"name\": \"p\"}]}",
     "scene.json:3: ", "there is already a part of the name \"p\""},
    {BEGIN "\"particles\": [{\"name\": \"p\", \"mass\": 1}],\n\"loads\": [{\"part\": \"p\", "
           "\"name\": \"pull\"}, "
           "\n{\"part\": \"p\", \"name\": \"pull\"}]}",
     "scene.json:4: ", "there is already a force of the name \"pull\""},
    {BEGIN "\"particles\": [{\"name\": \"p\", \"mass\": 1, \"position\": [1, 0, 0]}],\n\"rods\": "
           "[{\"name\": \"tie\", "
           "\"b\": \"p\", \"length\": 1e300}]}",
     "scene.json:3: ", "length is 1e+300, not within 1e-100 .. 1e+100"},
    {BEGIN "\"particles\": [{\"name\": \"p\", \"mass\": 1, \"position\": [1, 1e200, 0]}]}",
     "scene.json:2: ", "particle 'p': position[1] is 1e+200, not within -1e+100 .. 1e+100"},
    {BEGIN "\"bodies\": [{\"name\": \"arm\", \"shape\": \"sphere\", \"radius\": 1, \"mass\": 1, "
           "\"position\": [0, 0, -1e200]}]}",
     "scene.json:2: ", "body 'arm': position[2] is -1e+200, not within -1e+100 .. 1e+100"},
    {BEGIN "\"bodies\": [{\"name\": \"arm\", \"shape\": \"sphere\", \"radius\": 1e200, \"mass\": "
           "1}]}",
     "scene.json:2: ", "body 'arm': \"radius\" is 1e+200, not within 1e-100 .. 1e+100"},
    {BEGIN "\"gravity\": [0, 0, 1e200]}",
     "scene.json:1: ", "\"gravity\"[2] is 1e+200, not within -1e+100 .. 1e+100"},
    {BEGIN "\"time_step\": 1e-320}",
     "scene.json:1: ", "\"time_step\" is 9.99989e-321, not within 1e-100 .. 1e+100"},
    {BEGIN "\"joints\": [\n{\"kind\": \"hinge\", \"a\": \"ground\", \"b\": \"nobody\"}]}",
     "scene.json:3: ", "there is no part of the name \"nobody\""},
    {BEGIN "\"bodies\": [{\"name\": \"a\", \"shape\": \"sphere\", \"radius\": 1, \"mass\": "
           "1}],\n\"joints\": [{\"a\": "
           "\"a\", \"b\": \"a\", \"name\": \"self\"}]}",
     "scene.json:3: ", "self"},
    {BEGIN "\"bodies\": [{\"name\": \"a\", \"shape\": \"sphere\", \"radius\": 1, \"mass\": "
           "1}],\n\"joints\": [{\"b\": "
           "\"a\", \"kind\": \"hinge\", \"axis\": [0, 0, 0]}]}",
     "scene.json:3: ", "axis"},
    {BEGIN "\"bodies\": [{\"name\": \"a\", \"shape\": \"sphere\", \"radius\": 1, \"mass\": "
           "1}],\n\"joints\": [{\"b\": "
           "\"a\", \"kind\": \"fixed\", \"free\": [{}]}]}",
     "scene.json:3: ", "\"free\" has more coordinates"},
    {BEGIN "\"particles\": [{\"name\": \"p\", \"mass\": 1}],\n\"pins\": [{\"a\": \"p\", "
           "\"compliance\": {\"matrix\": [1, 2, 2, 1, 3]}}]}",
     "scene.json:3: ", "the wrong number of elements"},
    {BEGIN "\"particles\": [{\"name\": \"p\", \"mass\": 1}],\n\"pins\": [{\"a\": \"p\", "
           "\"compliance\": {\"matrix\": [1, 2, 3, 4]}}]}",
     "scene.json:3: ", "C or D is not finite or not symmetric"},
    {BEGIN "\"particles\": [{\"name\": \"p\", \"mass\": 1}],\n\"pins\": [{\"a\": \"p\", "
           "\"compliance\": {\"matrix\": [1], \"stiffness\": 4}}]}",
     "scene.json:3: ", "\"matrix\" and \"stiffness\" exclude each other"},
    {BEGIN "\"particles\": [{\"name\": \"p\", \"mass\": 1}],\n\"rods\": [{\"b\": \"p\", "
           "\"compliance\": {\"matrix\": [1]}}]}",
     "scene.json:3: ", "a compliance \"matrix\" is of joints and pins"},
    {BEGIN "\"springs\": [{\"a\": \"ground\", \"stiffness\": 1}]}", "scene.json:2: ", ""},
    {BEGIN "\"loads\": [\n{\"name\": \"pull\", \"force\": [0, 0, 1]}]}", "scene.json:3: ", "pull"},
    {BEGIN "\"loads\": [{\"part\": \"nobody\"}]}", "scene.json:2: ", "nobody"},
    {BEGIN "\"muscles\": [\n{\"peak_force\": 1, \"path\": [{}]}]}",
     "scene.json:3: ", "\"path\" needs 2 to 64 points"},
    {BEGIN "\"muscles\": [{\"name\": \"soleus\", \"peak_force\": 1, \"path\": [{}, {}]}]}",
     "scene.json:2: ", "muscle 'soleus': optimal_length is 0, not within 1e-100 .. 1e+100"},
    {BEGIN "\"muscles\": [{\"peak_force\": 1, \"path\": [{}, {\"point\": [1, 0, 0]}]}]}",
     "scene.json:2: ", "point of a path: unknown field \"point\""},
    {BEGIN "\"nodes\": [{\"name\": \"n\", \"positions\": \"x.mtx\", \"mass\": \"M.mtx\"}]}",
     "scene.json:2: ", "may name no files"},
    {BEGIN "\"shapes\": [{\"kind\": \"box\", \"radius\": 1}]}",
     "scene.json:2: ", "shape: \"size\" is missing"},
    {BEGIN "\"bodies\": [{\"name\": \"a\", \"shape\": \"sphere\", \"radius\": 1, \"mass\": 1, "
           "\"collides\": true, "
           "\"group\": -1}]}",
     "scene.json:2: ", "\"group\" is out of its range"},
    {BEGIN "\"particles\": [{\"name\": \"p\", \"mass\": 1}],\n\"rods\": [{\"name\": \"tie\", "
           "\"b\": \"p\"}]}",
     "scene.json:3: ", "rod 'tie': length is 0, not within 1e-100 .. 1e+100"},
    {BEGIN
     "\"particles\": [{\"name\": \"p\", \"mass\": 1}],\n\"rods\": [{\"b\": \"p\", \"length\": 1, "
     "\"restitution\": 1}]}",
     "scene.json:3: ", "\"restitution\" is of ropes"},
    {BEGIN "\"particles\": [{\"name\": \"p\", \"mass\": 1}],\n\"joints\": [{\"b\": \"p\", "
           "\"kind\": \"ball\", \"name\": "
           "\"hook\",\n\"free\": [{\"spring\": {\"stiffness\": 1}}]}]}",
     "scene.json:3: ", "joint spring 'hook': a particle has no angles"},
    {BEGIN "\"blocks\": [{\"name\": \"b\", \"poisson\": 0.5}]}", "scene.json:2: ", "Poisson"},
    {BEGIN "\"blocks\": [{\"name\": \"b\"}],\n\"attach\": [{\"part\": \"b\"}]}",
     "scene.json:3: ", "either \"to\" or \"masters\""},
    {BEGIN "\"blocks\": [{\"name\": \"b\"}],\n\"attach\": [{\"part\": \"b\", \"to\": \"ground\"}]}",
     "scene.json:3: ", "the ground is no master"},
    {BEGIN "\"blocks\": [{\"name\": \"b\"}, {\"name\": \"c\"}],\n\"attach\": [{\"part\": \"b\", "
           "\"nodes\": [0, 0.5], \"to\": \"c\"}]}",
     "scene.json:3: ", "\"nodes\" are numbers of nodes"},
    {BEGIN "\"blocks\": [{\"name\": \"b\"}, {\"name\": \"c\"}],\n\"attach\": [{\"part\": \"b\", "
           "\"masters\": [{\"part\": \"c\", \"weight\": 1}, {\"part\": \"c\"}]}]}",
     "scene.json:3: ", "some of the masters"},
    {BEGIN "\"blocks\": [{\"name\": \"b\"}, {\"name\": \"c\"}],\n\"attach\": [{\"name\": \"t\", "
           "\"part\": \"b\", \"node\": 1, \"to\": \"c\"}, {\"part\": \"b\", \"node\": 1, \"to\": "
           "\"c\"}]}",
     "scene.json:3: ", "attached already"},
    {BEGIN "\"blocks\": [{\"name\": \"b\", \"corotational\": true}]}",
     "scene.json:2: ", "hexahedra are not corotational"},
    {BEGIN "\"meshes\": [{\"name\": \"b\", \"file\": \"b.msh\"}]}",
     "scene.json:2: ", "may name no files"},
    {BEGIN "\"springs\": [{\"stiffness\": 1, \"law\": \"rubber\"}]}",
     "scene.json:2: ", "not one of linear, string, strain"},
    {BEGIN "\"particles\": [{\"name\": \"p\", \"mass\": 1}],\n\"springs\": [{\"stiffness\": 1, "
           "\"b\": \"p\", \"path\": [{\"part\": \"p\"}, {}]}]}",
     "scene.json:3: ", "\"path\" and \"b\" exclude each other"},
    {BEGIN "\"particles\": [{\"name\": \"p\", \"mass\": 1}],\n\"springs\": [{\"stiffness\": 1, "
           "\"path\": [{\"part\": \"p\", \"passive\": true}, {}]}]}",
     "scene.json:3: ", "no active segment"},
    {BEGIN "\"particles\": [{\"name\": \"p\", \"mass\": 1}],\n\"frame_springs\": [{\"b\": "
           "\"p\", \"name\": \"bush\"}]}",
     "scene.json:3: ", "frame spring 'bush': it is not between two bodies"},
    {BEGIN "\"particles\": [{\"name\": \"p\", \"mass\": 1}],\n\"dampers\": [{\"part\": \"p\", "
           "\"linear\": -1}]}",
     "scene.json:3: ", "linear is -1"},
};

static void what_is_wrong_is_named_with_its_line(void **unused)
{
    (void)unused;
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    for (size_t k = 0; k < sizeof wrongs / sizeof *wrongs; k++) {
        saddle_scene scene;
        assert_int_equal(read_text(context, wrongs[k].text, &scene), SADDLE_BAD_FILE);
        const char *message = saddle_context_message(context);
        if (strncmp(message, wrongs[k].line, strlen(wrongs[k].line)) != 0 ||
            strstr(message, wrongs[k].says) == NULL) {
            fail_msg("%s\n  says: %s", wrongs[k].text, message);
        }
        assert_null(scene.model);
    }
    saddle_context_free(context);
}

static const char *const shipped[] = {"pendulum",   "four-bar",  "box-stack",     "slider-crank",
                                      "soft-block", "trebuchet", "rolling-balls", "skinned-arm",
                                      "arm",        "soft-bar"};

/* A step that leaves the range of numbers names the part and what of it. */
static void a_huge_gravity_is_refused_where_a_part_leaves_the_range(void **unused)
{
    (void)unused;
    saddle_context *context = NULL;
    saddle_scene scene;
    saddle_stepper *stepper;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(read_text(context,
                               BEGIN "\"gravity\": [0, 0, -1e99], \"time_step\": 1000, \"bodies\": "
                                     "[{\"name\": \"first\", \"shape\": \"sphere\", \"radius\": "
                                     "1, \"mass\": 1}]}",
                               &scene),
                     SADDLE_OK);
    assert_int_equal(saddle_stepper_create(scene.model, &scene.options, &stepper), SADDLE_OK);
    assert_true(saddle_stepper_step(stepper) < 0);
    assert_non_null(strstr(saddle_context_message(context), "the position of body 'first' is not"));
    end_of(stepper, &scene);
    saddle_context_free(context);
}

static void the_scenes_that_are_shipped_read_and_step(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof shipped / sizeof *shipped; k++) {
        char path[512];
        saddle_scene scene;
        saddle_stepper *stepper = NULL;
        snprintf(path, sizeof path, "%s/examples/scenes/%s.json", SADDLE_SOURCE_DIR, shipped[k]);
        assert_int_equal(saddle_scene_read(NULL, path, &scene), SADDLE_OK);
        assert_int_equal(saddle_stepper_create(scene.model, &scene.options, &stepper), SADDLE_OK);
        for (int step = 0; step < 5; step++)
            assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
        saddle_stepper_free(stepper);
        saddle_scene_clear(&scene);
    }
}

/* Every beginning of a file, and every file with one character another: an error or a scene, never
 * more. */
static void no_bytes_do_harm(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    char path[512];
    static char text[20000], broken[20000];
    for (size_t k = 0; k < sizeof shipped / sizeof *shipped; k++) {
        snprintf(path, sizeof path, "%s/examples/scenes/%s.json", SADDLE_SOURCE_DIR, shipped[k]);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        const size_t length = fread(text, 1, sizeof text, file);
        fclose(file);
        for (size_t cut = 0; cut + 1 < length;
             /* the last newline may be missing */ cut += 1 + length / 300) {
            saddle_scene scene;
            assert_int_equal(saddle_scene_read_text(NULL, text, (int64_t)cut, "cut", NULL, &scene),
                             SADDLE_BAD_FILE);
        }
        for (int trial = 0; trial < test_draws(300); trial++) {
            saddle_scene scene;
            memcpy(broken, text, length);
            broken[test_integer(&state, 0, (int64_t)length - 1)] = (char)test_integer(&state, 1,
                                                                                      127);
            const saddle_status status = saddle_scene_read_text(NULL, broken, (int64_t)length,
                                                                "broken", NULL, &scene);
            assert_true(status == SADDLE_OK || status == SADDLE_BAD_FILE);
            saddle_scene_clear(&scene);
        }
    }
}

static saddle_status read_shipped(saddle_context *context, void *name)
{
    char path[512];
    saddle_scene scene;
    snprintf(path, sizeof path, "%s/examples/scenes/%s.json", SADDLE_SOURCE_DIR,
             (const char *)name);
    const saddle_status status = saddle_scene_read(context, path, &scene);
    saddle_scene_clear(&scene);
    return status;
}

static const char tied[] = BEGIN
    "\"bodies\": [{\"name\": \"wheel\", \"shape\": \"cylinder\", \"radius\": 1, \"length\": 1, "
    "\"mass\": 4}],\n"
    "\"joints\": [{\"name\": \"axle\", \"kind\": \"hinge\", \"b\": \"wheel\", \"free\": "
    "[{\"spring\": "
    "{\"stiffness\": 8}}]}],\n"
    "\"rods\": [{\"name\": \"tie\", \"b\": \"wheel\", \"point_b\": [1, 0, 0], \"rope\": true}],\n"
    "\"springs\": [{\"name\": \"coil\", \"b\": \"wheel\", \"point_b\": [1, 0, 0], \"stiffness\": "
    "1}, {\"name\": \"cord\", \"law\": \"string\", \"stiffness\": 1, \"path\": [{\"part\": "
    "\"wheel\"}, {\"at\": [2, 0, 0]}]}],\n"
    "\"muscles\": [{\"name\": \"calf\", \"peak_force\": 9, \"path\": [{\"at\": [3, 0, 0]}, "
    "{\"part\": "
    "\"wheel\", \"at\": [1, 0, 0]}]}],\n"
    "\"particles\": [{\"name\": \"dot\", \"massless\": true}],\n"
    "\"attach\": [{\"name\": \"glue\", \"part\": \"dot\", \"nodes\": [0], \"masters\": [{\"part\": "
    "\"wheel\", \"weight\": 1}]}],\n"
    "\"frame_springs\": [{\"name\": \"bush\", \"b\": \"wheel\", \"stiffness\": 1}],\n"
    "\"dampers\": [{\"name\": \"oil\", \"part\": \"wheel\", \"linear\": 1}],\n"
    "\"loads\": [{\"name\": \"pull\", \"part\": \"wheel\", \"force\": [0, 0, 1]}]}";

static saddle_status read_tied(saddle_context *context, void *unused)
{
    (void)unused;
    saddle_scene scene;
    const saddle_status status = read_text(context, tied, &scene);
    saddle_scene_clear(&scene);
    return status;
}

static saddle_status read_mesh(saddle_context *context, void *unused)
{
    (void)unused;
    saddle_scene scene;
    const saddle_status status = read_bar(context, "clamp", &scene);
    saddle_scene_clear(&scene);
    return status;
}

static void no_failing_allocation_leaks(void **unused)
{
    (void)unused;
    assert_true(test_allocation_sweep(read_mesh, NULL) > 20);
    static char names[][16] = {"box-stack", "slider-crank", "soft-block"};
    for (int k = 0; k < 3; k++) assert_true(test_allocation_sweep(read_shipped, names[k]) > 20);
    assert_true(test_allocation_sweep(read_tied, NULL) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_builds_the_model_it_describes),
        cmocka_unit_test(a_joint_along_a_spline_is_that_of_the_model),
        cmocka_unit_test(a_joint_along_a_surface_slides_as_on_its_plane),
        cmocka_unit_test(a_joint_moves_as_its_scene_says),
        cmocka_unit_test(unsound_motions_of_joints_are_refused),
        cmocka_unit_test(rpy_is_about_the_fixed_axes_x_y_z_as_in_urdf),
        cmocka_unit_test(euler_angles_turn_about_the_axes_that_their_order_names),
        cmocka_unit_test(the_speed_of_parting_is_a_field_of_the_scene),
        cmocka_unit_test(rods_keep_the_length_they_begin_with_unless_one_is_given),
        cmocka_unit_test(ropes_hang_loose_until_they_are_taut),
        cmocka_unit_test(springs_of_joints_turn_a_wheel_there_and_back),
        cmocka_unit_test(surfaces_of_blocks_collide),
        cmocka_unit_test(matrices_of_compliance_couple_rows_of_joints_and_pins),
        cmocka_unit_test(impacts_are_of_pairs_with_a_shape_that_says_so),
        cmocka_unit_test(muscles_and_loads_of_a_scene_pull),
        cmocka_unit_test(attachments_of_a_scene_hold),
        cmocka_unit_test(springs_along_paths_frame_springs_and_dampers_of_a_scene_pull),
        cmocka_unit_test(cylinders_and_ellipsoids_of_a_scene_roll_and_rest),
        cmocka_unit_test(meshes_of_files_are_held_by_their_groups),
        cmocka_unit_test(parts_that_are_kept_apart_do_not_touch),
        cmocka_unit_test(what_is_wrong_is_named_with_its_line),
        cmocka_unit_test(a_huge_gravity_is_refused_where_a_part_leaves_the_range),
        cmocka_unit_test(the_scenes_that_are_shipped_read_and_step),
        cmocka_unit_test(no_bytes_do_harm),
        cmocka_unit_test(no_failing_allocation_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
