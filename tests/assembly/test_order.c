/* SPDX-License-Identifier: MIT */
/* The order of convergence that each integrator shows, with and without constraints: error(h) /
 * error(h/2), the exact motion from runs of Bridson-Marino's with Richardson's extrapolation. */
#include <math.h>
#include <string.h>

#include "motion.h"

enum { INTEGRATORS = SADDLE_INTEGRATOR_BRIDSON_MARINO + 1, STATES = 12 };

static const saddle_handle ground = {0};

typedef void build_function(motion *scene);
typedef void state_function(motion *scene, double *state); /* STATES */

/* ---- scenes ---- */

/* Two masses on springs, one of them damped, under gravity: forces with K and D. */
static void build_springs(motion *scene)
{
    static const double x[3][3] = {{0, 0, 0}, {1, 0.1, 0}, {1.8, 0.3, -0.4}},
                        v[3][3] = {{0, 0, 0}, {0, 1, 0.5}, {-1, 0, 1}};
    const saddle_particle_def wall = {.prescribed = 1};
    saddle_handle part[3];
    assert_int_equal(saddle_model_add_particle(scene->model, &wall, &part[0]), SADDLE_OK);
    for (int k = 1; k < 3; k++) part[k] = motion_particle(scene, k, x[k], v[k]);
    (void)motion_spring(scene, part[0], part[1], 30, 0, 0.9);
    (void)motion_spring(scene, part[1], part[2], 20, 0.3, 0.8);
}

/* A force that is a function of time alone. */
static saddle_status push_by_time(saddle_context *context, const saddle_site *site,
                                  double *const *force)
{
    (void)context;
    force[0][0] = cos(3 * site->time);
    force[0][1] = site->time * site->time;
    return SADDLE_OK;
}

static saddle_status no_jacobians(saddle_context *context, const saddle_site *site,
                                  double *const *K, double *const *D)
{
    (void)context, (void)site, (void)K, (void)D;
    return SADDLE_OK;
}

static void build_pushed(motion *scene)
{
    static const saddle_force_type type = {.name = "push",
                                           .evaluate = push_by_time,
                                           .jacobians = no_jacobians,
                                           .symmetric = 1};
    const saddle_anchor anchor = {.part = motion_particle(scene, 2, NULL, NULL)};
    const saddle_force_def def = {.type = &type, .count = 1, .anchors = &anchor};
    saddle_handle force;
    assert_int_equal(saddle_model_add_force(scene->model, &def, &force), SADDLE_OK);
}

static void build_tumbling(motion *scene)
{
    static const double moments[3] = {0.1, 0.2, 0.25}, center[3] = {0.1, -0.2, 0.3},
                        twist[9] = {3, 1, 2, 3, -1, 2, 0, 0, 0};
    saddle_model_set_gravity(scene->model, twist + 6);
    (void)motion_body(scene, moments, center, NULL, twist);
}

/* A spring pulls at a point of a body that turns: what it gives is carried on with the momentum. */
static void build_held_body(motion *scene)
{
    static const double moments[3] = {0.1, 0.2, 0.25}, center[3] = {0.1, -0.2, 0.3},
                        twist[6] = {1, 0, 0.5, 1, 2, 3};
    const saddle_spring spring = {.point_a = {1, 1, 1},
                                  .point_b = {0.3, 0.2, -0.1},
                                  .stiffness = 30,
                                  .damping = 1,
                                  .rest_length = 0.5};
    const saddle_anchor from = {.part = ground},
                        body = {.part = motion_body(scene, moments, center, NULL, twist)};
    saddle_handle force;
    assert_int_equal(saddle_model_add_spring(scene->model, NULL, from, body, &spring, &force),
                     SADDLE_OK);
}

/* A load of constant direction and a muscle on a body that turns. */
static void build_pulled_body(motion *scene)
{
    static const double moments[3] = {0.1, 0.2, 0.25}, center[3] = {0.1, -0.2, 0.3},
                        twist[6] = {0, 0, 0.2, 0.5, 0.7, 1};
    const saddle_dead_load load = {.point = {0.4, 0.3, 0.2}, .force = {1, -2, 3}};
    const saddle_anchor body = {.part = motion_body(scene, moments, center, NULL, twist)};
    const saddle_path_point path[2] = {{.point = {1, 1, 1}},
                                       {.anchor = body, .point = {0.3, 0.2, -0.1}}};
    saddle_muscle muscle = saddle_muscle_default();
    saddle_handle force;
    muscle.peak_force = 3;
    muscle.activation = 0.5;
    muscle.optimal_length = 1.6;
    assert_int_equal(saddle_model_add_dead_load(scene->model, NULL, body, &load, &force),
                     SADDLE_OK);
    assert_int_equal(saddle_model_add_muscle(scene->model, NULL, 2, path, &muscle, &force),
                     SADDLE_OK);
}

/* A frame spring, off the origins, and a damper hold a body that turns. */
static void build_framed_body(motion *scene)
{
    static const double moments[3] = {0.1, 0.2, 0.25}, center[3] = {0.1, -0.2, 0.3},
                        twist[6] = {0.2, 0, 0.1, 0.5, -0.7, 1}, turn[6] = {1, 0.3, 0.2, 0, 0.3, 1};
    const saddle_handle body = motion_body(scene, moments, center, NULL, twist);
    saddle_frame_spring spring = saddle_frame_spring_default();
    saddle_handle force;
    spring.frame_a = saddle_pose_exp(turn);
    spring.frame_b.p[1] = 0.3;
    spring.stiffness = 10;
    spring.damping = 0.5;
    spring.angular_stiffness = 2;
    spring.angular_damping = 0.1;
    assert_int_equal(saddle_model_add_frame_spring(scene->model, NULL, ground, body, &spring,
                                                   &force),
                     SADDLE_OK);
}

/* Only a damper, whose K and D are symmetric. */
static void build_damped_body(motion *scene)
{
    static const double moments[3] = {0.1, 0.2, 0.25}, center[3] = {0.1, -0.2, 0.3},
                        twist[6] = {2, 0, 1, 1, -2, 3};
    const saddle_damper damper = {.point = {0.2, -0.3, 0.1}, .linear = 0.8, .angular = 0.1};
    const saddle_anchor body = {.part = motion_body(scene, moments, center, NULL, twist)};
    saddle_handle force;
    assert_int_equal(saddle_model_add_damper(scene->model, NULL, body, &damper, &force), SADDLE_OK);
}

/* A double pendulum in space: a hinge and a ball. */
static void build_pendulum(motion *scene)
{
    static const double moments[3] = {0.02, 0.03, 0.04}, center[3] = {0.5, 0, 0},
                        origin[3] = {0, 0, 0}, axis[3] = {0, 1, 0};
    static const double end[3] = {1, 0, 0}, twist[6] = {0, 1, 0, 1, 0, 1};
    saddle_pose pose = saddle_pose_identity();
    const saddle_handle first = motion_body(scene, moments, center, &pose, NULL);
    pose.p[0] = 1;
    const saddle_handle second = motion_body(scene, moments, center, &pose, twist);
    (void)motion_hinge(scene, ground, first, origin, axis);
    (void)motion_ball(scene, first, second, end);
}

/* With the joints' geometric stiffness, which must not be counted twice where their impulses act at
 * both ends of a step. */
static void build_stiffened_pendulum(motion *scene)
{
    build_pendulum(scene);
    scene->options.assembly.geometric_stiffness = 1;
}

/* A particle on a rod: distance to the origin is 1. */
static saddle_status rod(saddle_context *context, const saddle_site *site,
                         saddle_constraint_values *values)
{
    const double *x = site->position[0];
    (void)context;
    values->phi[0] = (x[0] * x[0] + x[1] * x[1] + x[2] * x[2] - 1) / 2;
    memcpy(values->J[0], x, 3 * sizeof *x);
    return SADDLE_OK;
}

static saddle_status rod_drift(saddle_context *context, const saddle_site *site, double *drift)
{
    const double *v = site->velocity[0];
    (void)context;
    drift[0] = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    return SADDLE_OK;
}

static void build_rod_of(motion *scene, const saddle_constraint_type *type)
{
    static const double x[3] = {1, 0, 0}, v[3] = {0, 1, 0.5};
    const saddle_anchor anchor = {.part = motion_particle(scene, 1, x, v)};
    const saddle_constraint_def def = {.type = type, .count = 1, .anchors = &anchor, .rows = 1};
    saddle_handle constraint;
    assert_int_equal(saddle_model_add_constraint(scene->model, &def, &constraint), SADDLE_OK);
}

static void build_rod(motion *scene)
{
    static const saddle_constraint_type type = {.name = "rod", .evaluate = rod, .drift = rod_drift};
    build_rod_of(scene, &type);
}

static void build_rod_without_drift(motion *scene)
{
    static const saddle_constraint_type type = {.name = "rod", .evaluate = rod};
    build_rod_of(scene, &type);
}

/* ---- states ---- */

/* Positions of the first two parts that move: of bodies, a point of theirs off the origin. */
static void read_positions(motion *scene, double *state)
{
    static const double point[3] = {0.3, 0.5, -0.2};
    int found = 0;
    memset(state, 0, STATES * sizeof *state);
    for (int64_t k = 0; k < saddle_model_part_count(scene->model) && found < 2; k++) {
        const saddle_handle part = saddle_model_part_at(scene->model, k);
        if (saddle_assembly_column(saddle_stepper_assembly(scene->stepper), part) < 0) continue;
        const saddle_pose *pose = saddle_model_pose(scene->model, part);
        if (pose != NULL)
            saddle_pose_point(pose, point, state + 3 * found);
        else
            memcpy(state + 3 * found, saddle_model_position(scene->model, part), 3 * sizeof *state);
        found++;
    }
}

/* ---- measuring ---- */

/* projection: steps of it; gyroscopic: 1 = with the Jacobian of the gyroscopic force. */
typedef struct manner {
    int projection, gyroscopic;
} manner;

static const manner plain = {0, 0}, projected = {2, 0}, implicit = {0, 1};

static void run(build_function *build, saddle_integrator integrator, manner how, int64_t steps,
                double *state)
{
    motion scene;
    motion_begin(&scene, NULL, motion_weight);
    build(&scene);
    scene.options.integrator = integrator;
    scene.options.projection = how.projection;
    scene.options.assembly.gyroscopic_jacobian = how.gyroscopic;
    scene.options.time_step = 0.5 / (double)steps;
    motion_run(&scene, steps);
    read_positions(&scene, state);
    motion_end(&scene);
}

static double distance(const double *a, const double *b)
{
    double largest = 0;
    for (int i = 0; i < STATES; i++) largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

/* order (INTEGRATORS): in the order of the integrators. */
static void expect_orders(const char *name, build_function *build, manner how,
                          const double *expected, double within)
{
    double reference[2][STATES], state[STATES];
    const int64_t steps = 128;
    const manner best = how.projection > 0 ? projected : plain;
    for (int k = 0; k < 2; k++)
        run(build, SADDLE_INTEGRATOR_BRIDSON_MARINO, best, steps * 16 << k, reference[k]);
    for (int i = 0; i < STATES; i++) reference[1][i] += (reference[1][i] - reference[0][i]) / 3;
    for (int k = 0; k < INTEGRATORS; k++) {
        double error[2];
        for (int fine = 0; fine < 2; fine++) {
            run(build, (saddle_integrator)k, how, steps << fine, state);
            error[fine] = distance(state, reference[1]);
        }
        const double order = motion_order(error[0], error[1]);
        print_message("    %s, %s: error %.2g, order %.2f\n", name,
                      saddle_integrator_word((saddle_integrator)k), error[1], order);
        assert_true(fabs(order - expected[k]) < within);
    }
}

static const double eulers_1_others_2[INTEGRATORS] = {1, 1, 1, 2, 2};
static const double all_1[INTEGRATORS] = {1, 1, 1, 1, 1};
static const double all_2[INTEGRATORS] = {2, 2, 2, 2, 2};

static void springs_show_the_orders_of_theory(void **unused)
{
    (void)unused;
    expect_orders("springs", build_springs, plain, eulers_1_others_2, 0.05);
}

static void forces_that_are_functions_of_time_show_them(void **unused)
{
    (void)unused;
    expect_orders("time", build_pushed, plain, eulers_1_others_2, 0.05);
}

static void a_spring_on_a_body_shows_them(void **unused)
{
    (void)unused;
    expect_orders("held body", build_held_body, plain, eulers_1_others_2, 0.1);
}

static void loads_and_muscles_on_a_body_show_them(void **unused)
{
    (void)unused;
    expect_orders("pulled body", build_pulled_body, plain, eulers_1_others_2, 0.1);
}

static void frame_springs_and_dampers_show_them(void **unused)
{
    (void)unused;
    expect_orders("framed body", build_framed_body, plain, eulers_1_others_2, 0.1);
    expect_orders("damped body", build_damped_body, plain, eulers_1_others_2, 0.1);
}

/* What a body does by itself is taken at the middle of the step by all. */
static void tumbling_is_of_second_order_by_all(void **unused)
{
    (void)unused;
    expect_orders("tumbling", build_tumbling, plain, all_2, 0.05);
}

/* Explicit Euler's errors of rows swing while they fall, and its order about 1 with them. */
static void constraints_leave_the_orders_as_they_are(void **unused)
{
    (void)unused;
    expect_orders("rod", build_rod, plain, eulers_1_others_2, 0.3);
    expect_orders("pendulum", build_pendulum, plain, eulers_1_others_2, 0.3);
    expect_orders("pendulum, stiffened", build_stiffened_pendulum, plain, eulers_1_others_2, 0.3);
}

static void so_do_projections_where_rows_foresee_the_step(void **unused)
{
    (void)unused;
    expect_orders("rod, projected", build_rod, projected, eulers_1_others_2, 0.15);
    expect_orders("pendulum, projected", build_pendulum, projected, eulers_1_others_2, 0.15);
}

/* What a projection moves by is in no velocity. */
static void without_drift_projections_make_all_of_first_order(void **unused)
{
    (void)unused;
    expect_orders("rod, projected, no drift", build_rod_without_drift, projected, all_1, 0.15);
}

/* With the gyroscopic force as one of f it is of the order of its integrator; what Bridson-Marino's
 * rows carried in its first half is not turned. */
static void an_implicit_gyroscopic_force_has_the_order_of_its_integrator(void **unused)
{
    (void)unused;
    static const double marino_less[INTEGRATORS] = {1, 1, 1, 2, 1.3};
    expect_orders("tumbling, implicit", build_tumbling, implicit, eulers_1_others_2, 0.05);
    expect_orders("pendulum, implicit", build_pendulum, implicit, marino_less, 0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_show_the_orders_of_theory),
        cmocka_unit_test(forces_that_are_functions_of_time_show_them),
        cmocka_unit_test(a_spring_on_a_body_shows_them),
        cmocka_unit_test(loads_and_muscles_on_a_body_show_them),
        cmocka_unit_test(frame_springs_and_dampers_show_them),
        cmocka_unit_test(tumbling_is_of_second_order_by_all),
        cmocka_unit_test(constraints_leave_the_orders_as_they_are),
        cmocka_unit_test(so_do_projections_where_rows_foresee_the_step),
        cmocka_unit_test(an_implicit_gyroscopic_force_has_the_order_of_its_integrator),
        cmocka_unit_test(without_drift_projections_make_all_of_first_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
