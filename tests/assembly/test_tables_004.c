/* SPDX-License-Identifier: MIT */
/* The worked tables of seed 004 through model, assembly and stepper, to the digit: Euler's methods
 * under a constant force (p. 3), a particle that falls on a floor (p. 7-9), on a wall that moves
 * (p. 10-12), and slides or sticks with friction (p. 13-18).  m = h = g = 1 in all. */
#include <math.h>

#include "motion.h"

static const double up[3] = {0, 0, 1};
static const double unit_weight[3] = {0, 0, -1};
static const double digit = 1e-9;

static void begin(motion *scene)
{
    motion_begin(scene, NULL, unit_weight);
    scene->options.time_step = 1;
    scene->options.solver_options.tolerance = 1e-12;
}

static void expect_state(motion *scene, saddle_handle part, int axis, double q, double v)
{
    assert_true(fabs(saddle_model_position(scene->model, part)[axis] - q) < digit);
    assert_true(fabs(saddle_model_velocity(scene->model, part)[axis] - v) < digit);
}

static double impulse_of(motion *scene, int64_t contact, int row)
{
    const int64_t first = saddle_assembly_contact_row(saddle_stepper_assembly(scene->stepper),
                                                      contact);
    assert_true(first >= 0);
    return saddle_stepper_solution(scene->stepper)->lambda[first + row];
}

static void euler_s_methods_under_a_constant_force(void **unused)
{
    (void)unused;
    static const struct {
        saddle_integrator integrator;
        double q[3];
    } tables[] = {
        {SADDLE_INTEGRATOR_EXPLICIT_EULER, {0, 0, 1}},
        {SADDLE_INTEGRATOR_SYMPLECTIC_EULER, {0, 1, 3}},
        {SADDLE_INTEGRATOR_IMPLICIT_EULER, {0, 1, 3}},
    };
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        motion scene;
        begin(&scene);
        scene.options.integrator = tables[t].integrator;
        saddle_model_set_gravity(scene.model, up);
        const saddle_handle particle = motion_particle(&scene, 1, NULL, NULL);
        for (int l = 0; l < 3; l++) {
            expect_state(&scene, particle, 2, tables[t].q[l], l);
            motion_run(&scene, 1);
        }
        motion_end(&scene);
    }
}

static void a_collision_takes_two_steps(void **unused)
{
    (void)unused;
    static const double table[][3] = {{0, -1, 4}, {0, 0, 2}, {0, 0, 1}, {0, 0, 1}}; /* q, v, lambda
                                                                                       after each
                                                                                       step */
    static const double above[3] = {0, 0, 1}, falling[3] = {0, 0, -4};
    motion scene;
    begin(&scene);
    const saddle_handle particle = motion_particle(&scene, 1, above, falling);
    (void)motion_touch_plane(&scene, particle, up, 0, 0);
    for (size_t l = 0; l < sizeof table / sizeof *table; l++) {
        motion_run(&scene, 1);
        expect_state(&scene, particle, 2, table[l][0], table[l][1]);
        assert_true(fabs(impulse_of(&scene, 0, 0) - table[l][2]) < digit);
    }
    motion_end(&scene);
}

/* q - q_w, v, lambda after each step; the table's second row has the wall's position, 0.5, where
 * psi = 0 is meant. */
static const double moving_wall[][3] = {{0, -0.5, 4.5}, {0, 0.5, 2}, {0, 0.5, 1}, {0, 0.5, 1}};
static const double wall_speed = 0.5;

static void a_moving_wall_as_a_prescribed_part(void **unused)
{
    (void)unused;
    static const double above[3] = {0, 0, 1}, falling[3] = {0, 0, -4};
    motion scene;
    begin(&scene);
    const saddle_handle particle = motion_particle(&scene, 1, above, falling);
    const saddle_particle_def wall_def = {.name = "wall", .prescribed = 1, .velocity = {0, 0, 0.5}};
    saddle_handle wall;
    assert_int_equal(saddle_model_add_particle(scene.model, &wall_def, &wall), SADDLE_OK);
    motion_touch *touch = motion_touch_plane(&scene, wall, up, 0, 0);
    touch->b = particle;
    for (size_t l = 0; l < sizeof moving_wall / sizeof *moving_wall; l++) {
        motion_run(&scene, 1);
        const double at = wall_speed * (double)(l + 1);
        expect_state(&scene, wall, 2, at, wall_speed);
        expect_state(&scene, particle, 2, at + moving_wall[l][0], moving_wall[l][1]);
        assert_true(fabs(impulse_of(&scene, 0, 0) - moving_wall[l][2]) < digit);
    }
    motion_end(&scene);
}

/* psi(q, t) = q - q_w(t) >= 0, q_w = t/2 */
static saddle_status above_the_wall(saddle_context *context, const saddle_site *site,
                                    saddle_constraint_values *values)
{
    (void)context;
    values->phi[0] = site->position[0][2] - wall_speed * site->time;
    values->rate[0] = -wall_speed;
    values->J[0][2] = 1;
    return SADDLE_OK;
}

static void a_moving_wall_as_a_constraint_of_time(void **unused)
{
    (void)unused;
    static const saddle_constraint_type type = {.name = "wall", .evaluate = above_the_wall};
    static const double above[3] = {0, 0, 1}, falling[3] = {0, 0, -4};
    motion scene;
    begin(&scene);
    const saddle_handle particle = motion_particle(&scene, 1, above, falling);
    const saddle_anchor anchor = {.part = particle};
    saddle_row_def row = saddle_row_def_default();
    row.purpose = SADDLE_PURPOSE_LIMIT;
    const saddle_constraint_def def = {
        .type = &type, .count = 1, .anchors = &anchor, .rows = 1, .row = &row};
    saddle_handle constraint;
    assert_int_equal(saddle_model_add_constraint(scene.model, &def, &constraint), SADDLE_OK);
    for (size_t l = 0; l < sizeof moving_wall / sizeof *moving_wall; l++) {
        motion_run(&scene, 1);
        expect_state(&scene, particle, 2, wall_speed * (double)(l + 1) + moving_wall[l][0],
                     moving_wall[l][1]);
        const int64_t first = saddle_assembly_row(saddle_stepper_assembly(scene.stepper),
                                                  constraint);
        assert_true(fabs(saddle_stepper_solution(scene.stepper)->lambda[first] -
                         moving_wall[l][2]) < digit);
    }
    motion_end(&scene);
}

/* A particle on the floor, mu = 1/2, x the sliding direction.  Sliding: lambda_t = -mu lambda_n
 * against the motion.  Sticking: lambda_t balances the push, up to mu lambda_n.  All laws agree in
 * one direction. */
static void friction_slides_then_sticks(void **unused)
{
    (void)unused;
    static const double velocity[] = {1.5, 1, 0.5, 0, 0, 0, 0.25, 0.5};
    static const double push[] = {0, 0, 0, 0, 0, 0.25, 0.75, 0.75};
    static const double tangential[] = {-0.5, -0.5, -0.5, -0.5, 0, -0.25, -0.5, -0.5};
    static const saddle_law laws[] = {SADDLE_LAW_CONE, SADDLE_LAW_PYRAMID, SADDLE_LAW_BOX};
    static const double sliding[3] = {2, 0, 0};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        motion scene;
        begin(&scene);
        scene.options.assembly.law = laws[k];
        const saddle_handle particle = motion_particle(&scene, 1, NULL, sliding);
        motion_touch_plane(&scene, particle, up, 0, 0.5)->tangent[0] = 1;
        double x = 0;
        for (size_t l = 0; l < sizeof velocity / sizeof *velocity; l++) {
            const double force[3] = {push[l], 0, 0};
            assert_int_equal(saddle_model_push(scene.model, particle, force), SADDLE_OK);
            motion_run(&scene, 1);
            x += velocity[l];
            expect_state(&scene, particle, 0, x, velocity[l]);
            assert_true(fabs(impulse_of(&scene, 0, 0) - 1) < digit);
            assert_true(fabs(impulse_of(&scene, 0, 1) - tangential[l]) < digit);
            assert_true(fabs(impulse_of(&scene, 0, 2)) < digit);
        }
        motion_end(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(euler_s_methods_under_a_constant_force),
        cmocka_unit_test(a_collision_takes_two_steps),
        cmocka_unit_test(a_moving_wall_as_a_prescribed_part),
        cmocka_unit_test(a_moving_wall_as_a_constraint_of_time),
        cmocka_unit_test(friction_slides_then_sticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
