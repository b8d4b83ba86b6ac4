/* SPDX-License-Identifier: MIT */
/* Frame springs and dampers: derivatives in body and in world axes against differences, the notes'
 * velocity Jacobian, momentum, closed forms, the angle pi, bad input. */
#include <math.h>
#include <string.h>

#include "differences.h"
#include "drawn_parts.h"
#include "model_internal.h"
#include "motion.h"
#include "saddle/rotation.h"

enum { TRIALS = 300 };

static const double pi = 3.14159265358979323846;

static saddle_frame_spring draw_spring(uint64_t *state)
{
    return (saddle_frame_spring){.frame_a = test_draw_pose(state, 1),
                                 .frame_b = test_draw_pose(state, 1),
                                 .stiffness = test_uniform(state, 0, 3),
                                 .damping = test_uniform(state, 0, 2),
                                 .angular_stiffness = test_uniform(state, 0, 3),
                                 .angular_damping = test_uniform(state, 0, 2)};
}

/* |psi| */
static double angle(const saddle_frame_spring *spring, const saddle_pose *pose)
{
    const saddle_pose one = saddle_pose_multiply(&pose[0], &spring->frame_a),
                      two = saddle_pose_multiply(&pose[1], &spring->frame_b);
    const saddle_pose between = saddle_pose_between(&one, &two);
    double phi[3];
    saddle_rotation_log(between.R, phi);
    return hypot(hypot(phi[0], phi[1]), phi[2]);
}

static void derivatives_are_exact_in_body_axes(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int compared = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        saddle_model *model = NULL;
        saddle_handle part[2] = {{0}, {0}}, force;
        const saddle_frame_spring spring = draw_spring(&state);
        test_site site;
        test_errors errors;
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        for (int k = 0; k < 2; k++)
            if (trial % 5 != 3 + k) part[k] = test_draw_body(model, &state, 1);
        assert_int_equal(saddle_model_add_frame_spring(model, NULL, part[0], part[1], &spring,
                                                       &force),
                         SADDLE_OK);
        const saddle__item_link *found = saddle__model_force(model, force);
        test_site_of(model, 2, found->anchors, found->data, &site);
        saddle_pose pose[2];
        for (int k = 0; k < 2; k++) memcpy(&pose[k], site.position[k], sizeof pose[k]);
        if (angle(&spring, pose) < 2.8) { /* else differences step over pi */
            compared++;
            assert_int_equal(test_force_errors(found->force, &site, &errors), SADDLE_OK);
            assert_true(errors.K < 1e-9);
            assert_true(errors.D < 1e-10);
            assert_true(errors.energy < 1e-9);
        }
        saddle_model_free(model);
    }
    assert_true(compared > TRIALS / 2);
}

/* ---- in world axes ---- */

typedef struct world {
    saddle_frame_spring spring;
    saddle_pose pose[2];
    double velocity[12];
} world;

static world draw_world(uint64_t *state)
{
    world at = {.spring = draw_spring(state)};
    for (int k = 0; k < 2; k++) at.pose[k] = test_draw_pose(state, 1);
    for (int i = 0; i < 12; i++) at.velocity[i] = test_uniform(state, -1, 1);
    return at;
}

/* Displacement j of 12 by d: p + d, exp([d]) R. */
static void displace(world *at, int j, double d)
{
    saddle_pose *pose = &at->pose[j / 6];
    if (j % 6 < 3) {
        pose->p[j % 6] += d;
        return;
    }
    double phi[3] = {0}, turn[9], turned[9] = {0};
    phi[j % 6 - 3] = d;
    saddle_rotation_exp(phi, turn);
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            for (int k = 0; k < 3; k++) turned[r + 3 * c] += turn[r + 3 * k] * pose->R[k + 3 * c];
    memcpy(pose->R, turned, sizeof turned);
}

static void derivatives_are_exact_in_world_axes(void **unused)
{
    (void)unused;
    const double h = 1e-3;
    static const double at[4] = {1, -1, 2, -2}, weight[4] = {8, -8, -1, 1};
    uint64_t state = test_seed();
    int compared = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        const world here = draw_world(&state);
        double wrench[12], K[144], D[144];
        if (angle(&here.spring, here.pose) > 2.8) continue;
        compared++;
        saddle_frame_spring_world(&here.spring, here.pose, here.velocity, wrench, K, D);
        for (int j = 0; j < 12; j++) {
            double slope[2][12] = {{0}};
            for (int s = 0; s < 4; s++) {
                world moved = here, faster = here;
                double f[12];
                displace(&moved, j, at[s] * h);
                faster.velocity[j] += at[s] * h;
                saddle_frame_spring_world(&moved.spring, moved.pose, moved.velocity, f, NULL, NULL);
                for (int i = 0; i < 12; i++) slope[0][i] += weight[s] * f[i] / (12 * h);
                saddle_frame_spring_world(&faster.spring, faster.pose, faster.velocity, f, NULL,
                                          NULL);
                for (int i = 0; i < 12; i++) slope[1][i] += weight[s] * f[i] / (12 * h);
            }
            assert_true(test_distance(slope[0], K + 12 * j, 12) < 1e-8);
            assert_true(test_distance(slope[1], D + 12 * j, 12) < 1e-9);
        }
    }
    assert_true(compared > TRIALS / 4);
}

/* A (12 x 12) block (a, b) of 3 x 3 <- scale (sign) B */
static void put(double *A, int a, int b, double scale, const double *B)
{
    for (int k = 0; k < 9; k++) A[3 * a + k % 3 + 12 * (3 * b + k / 3)] += scale * B[k];
}

static void multiply(const double *A, const double *B, double *C)
{
    for (int k = 0; k < 9; k++)
        C[k] = A[k % 3] * B[k / 3 * 3] + A[k % 3 + 3] * B[k / 3 * 3 + 1] +
               A[k % 3 + 6] * B[k / 3 * 3 + 2];
}

/* The notes' (0.58) with all quantities in world axes. */
static void the_velocity_jacobian_is_the_notes(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < TRIALS; trial++) {
        const world here = draw_world(&state);
        const double I[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        const double d_t = here.spring.damping, d_r = here.spring.angular_damping;
        double wrench[12], K[144], D[144], notes[144] = {0}, P[2][9], PP[2][2][9];
        saddle_frame_spring_world(&here.spring, here.pose, here.velocity, wrench, K, D);
        for (int k = 0; k < 2; k++) {
            double p[3];
            saddle_pose_point(&here.pose[k], k ? here.spring.frame_b.p : here.spring.frame_a.p, p);
            for (int i = 0; i < 3; i++) p[i] -= here.pose[k].p[i];
            const double skew[9] = {0, p[2], -p[1], -p[2], 0, p[0], p[1], -p[0], 0};
            memcpy(P[k], skew, sizeof skew);
        }
        for (int a = 0; a < 2; a++)
            for (int b = 0; b < 2; b++) multiply(P[a], P[b], PP[a][b]);
        for (int a = 0; a < 2; a++) {
            for (int b = 0; b < 2; b++) {
                const double sign = a == b ? -1 : 1;
                put(notes, 2 * a, 2 * b, sign * d_t, I);
                put(notes, 2 * a, 2 * b + 1, -sign * d_t, P[b]);
                put(notes, 2 * a + 1, 2 * b, sign * d_t, P[a]);
                put(notes, 2 * a + 1, 2 * b + 1, sign * d_r, I);
                put(notes, 2 * a + 1, 2 * b + 1, -sign * d_t, PP[a][b]);
            }
        }
        assert_true(test_distance(D, notes, 144) < 1e-13);
    }
}

static void momentum_is_kept_and_its_moment_without_damping(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < TRIALS; trial++) {
        world here = draw_world(&state);
        double wrench[12], moment[3] = {0};
        if (trial % 2) here.spring.damping = 0;
        saddle_frame_spring_world(&here.spring, here.pose, here.velocity, wrench, NULL, NULL);
        for (int k = 0; k < 2; k++) {
            const double *p = here.pose[k].p, *f = wrench + 6 * k;
            moment[0] += f[3] + p[1] * f[2] - p[2] * f[1];
            moment[1] += f[4] + p[2] * f[0] - p[0] * f[2];
            moment[2] += f[5] + p[0] * f[1] - p[1] * f[0];
        }
        for (int i = 0; i < 3; i++) {
            assert_true(fabs(wrench[i] + wrench[6 + i]) < 1e-14);
            if (trial % 2) assert_true(fabs(moment[i]) < 1e-12);
        }
    }
}

/* At the angle pi the moment is that of one of the two sides, and finite. */
static void at_pi_the_moment_is_of_one_side(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < TRIALS; trial++) {
        saddle_frame_spring spring = saddle_frame_spring_default();
        spring.angular_stiffness = 2;
        saddle_pose pose[2] = {saddle_pose_identity(), saddle_pose_identity()};
        double phi[3], velocity[12] = {0}, wrench[12], K[144], D[144], axis = 0;
        for (int i = 0; i < 3; i++) {
            phi[i] = test_uniform(&state, -1, 1);
            axis += phi[i] * phi[i];
        }
        for (int i = 0; i < 3; i++) phi[i] *= pi / sqrt(axis);
        saddle_rotation_exp(phi, pose[1].R);
        saddle_frame_spring_world(&spring, pose, velocity, wrench, K, D);
        const double side = wrench[3] * phi[0] + wrench[4] * phi[1] + wrench[5] * phi[2] > 0 ? 2
                                                                                             : -2;
        for (int i = 0; i < 3; i++) assert_true(fabs(wrench[3 + i] - side * phi[i]) < 1e-6);
        for (int i = 0; i < 144; i++) assert_true(isfinite(K[i]) && isfinite(D[i]));
    }
}

/* ---- in models ---- */

/* About a principal axis the moment is linear at any angle: theta = theta0 cos(w t), with the
 * trapezoidal rule's own frequency, tan(w h/2) = h/2 sqrt(k_r/I).  The exact K is not symmetric:
 * `lu` solves the steps, and auto finds it; with symmetric_stiffness `ldlt` does. */
static void a_torsional_pendulum_swings_as_its_closed_form(void **unused)
{
    (void)unused;
    static const char *const solvers[] = {"auto", "lu", "ldlt"};
    for (int k = 0; k < 3; k++) {
        static const double moments[3] = {0.1, 0.2, 0.25};
        motion scene;
        saddle_frame_spring spring = saddle_frame_spring_default();
        saddle_handle force;
        const double theta = 2, start[6] = {0, 0, 0, 0, 0, theta};
        const saddle_pose pose = saddle_pose_exp(start);
        motion_begin(&scene, NULL, NULL);
        scene.options.integrator = SADDLE_INTEGRATOR_TRAPEZOIDAL;
        scene.options.solver = solvers[k];
        scene.options.assembly.symmetric_stiffness = k == 2;
        const saddle_handle body = motion_body(&scene, moments, NULL, &pose, NULL);
        spring.stiffness = 50;
        spring.angular_stiffness = 3;
        assert_int_equal(saddle_model_add_frame_spring(scene.model, "bush", (saddle_handle){0},
                                                       body, &spring, &force),
                         SADDLE_OK);
        const double h = scene.options.time_step, w = 2 / h * atan(h / 2 * sqrt(3 / 0.25));
        const int steps = 200;
        motion_run(&scene, steps);
        double phi[3];
        saddle_rotation_log(saddle_model_pose(scene.model, body)->R, phi);
        assert_true(fabs(phi[0]) < 1e-9 && fabs(phi[1]) < 1e-9);
        assert_true(fabs(phi[2] - theta * cos(w * steps * h)) < 1e-8);
        motion_end(&scene);
    }
}

static void derivatives_of_dampers_are_exact(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < TRIALS; trial++) {
        saddle_model *model = NULL;
        saddle_handle force;
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        const saddle_anchor at = {trial % 2 ? test_draw_body(model, &state, 1)
                                            : test_draw_particle(model, &state, 1),
                                  0};
        saddle_damper damper = {.linear = test_uniform(&state, 0, 2),
                                .angular = test_uniform(&state, 0, 2)};
        for (int i = 0; i < 3; i++) damper.point[i] = test_uniform(&state, -1, 1);
        assert_int_equal(saddle_model_add_damper(model, NULL, at, &damper, &force), SADDLE_OK);
        const saddle__item_link *found = saddle__model_force(model, force);
        test_site site;
        test_errors errors;
        test_site_of(model, 1, found->anchors, found->data, &site);
        assert_int_equal(test_force_errors(found->force, &site, &errors), SADDLE_OK);
        assert_true(errors.K < 1e-11 && errors.D < 1e-11);
        double f[6] = {0}, *to = f, power = 0;
        const saddle_site view = test_site_view(&site);
        assert_int_equal(found->force->evaluate(NULL, &view, &to), SADDLE_OK);
        for (int64_t i = 0; i < site.size[0]; i++) power += f[i] * site.velocity[0][i];
        assert_true(power < 0);
        saddle_model_free(model);
    }
}

/* v <- v / (1 + h d/m) a step of implicit Euler. */
static void a_damped_particle_comes_to_rest_as_implicit_euler_says(void **unused)
{
    (void)unused;
    motion scene;
    saddle_handle force;
    const double v[3] = {3, -1, 2};
    motion_begin(&scene, NULL, NULL);
    scene.options.integrator = SADDLE_INTEGRATOR_IMPLICIT_EULER;
    const saddle_anchor at = {.part = motion_particle(&scene, 2, NULL, v)};
    const saddle_damper damper = {.linear = 5};
    assert_int_equal(saddle_model_add_damper(scene.model, NULL, at, &damper, &force), SADDLE_OK);
    motion_run(&scene, 100);
    const double left = pow(1 + scene.options.time_step * 2.5, -100);
    const double *now = saddle_model_velocity(scene.model, at.part);
    for (int i = 0; i < 3; i++) assert_true(fabs(now[i] - left * v[i]) < 1e-13);
    motion_end(&scene);
}

/* ---- failure ---- */

static void bad_springs_and_dampers_are_refused_by_name(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle_context *context = NULL;
    saddle_model *model = NULL;
    saddle_handle force;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_model_create(context, &model), SADDLE_OK);
    const saddle_handle ground = {0}, body = test_draw_body(model, &state, 1),
                        particle = test_draw_particle(model, &state, 1);
    for (int k = 0; k < 9; k++) {
        saddle_frame_spring spring = saddle_frame_spring_default();
        if (k == 1) spring.stiffness = -1;
        if (k == 2) spring.damping = NAN;
        if (k == 3) spring.angular_stiffness = INFINITY;
        if (k == 4) spring.angular_damping = -1;
        if (k == 5) spring.frame_b.R[0] = 2;
        if (k == 6) spring.frame_a.p[1] = NAN;
        const saddle_status status = saddle_model_add_frame_spring(model, "bush",
                                                                   k == 8 ? body : ground,
                                                                   k == 7 ? particle : body,
                                                                   &spring, &force);
        assert_int_equal(status, k == 0 ? SADDLE_OK : SADDLE_INVALID_ARGUMENT);
        if (k > 0) assert_non_null(strstr(saddle_context_message(context), "'bush': "));
    }
    const saddle_damper bad[] = {{.linear = -1}, {.angular = NAN}, {.point = {INFINITY, 0, 0}}};
    const saddle_anchor at = {body, 0}, nowhere = {ground, 0};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(saddle_model_add_damper(model, "oil", at, &bad[k], &force),
                         SADDLE_INVALID_ARGUMENT);
        assert_non_null(strstr(saddle_context_message(context), "damper 'oil': "));
    }
    const saddle_damper good = {.linear = 1};
    assert_int_equal(saddle_model_add_damper(model, "oil", nowhere, &good, &force),
                     SADDLE_INVALID_ARGUMENT);
    saddle_model_free(model);
    saddle_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_exact_in_body_axes),
        cmocka_unit_test(derivatives_are_exact_in_world_axes),
        cmocka_unit_test(the_velocity_jacobian_is_the_notes),
        cmocka_unit_test(momentum_is_kept_and_its_moment_without_damping),
        cmocka_unit_test(at_pi_the_moment_is_of_one_side),
        cmocka_unit_test(a_torsional_pendulum_swings_as_its_closed_form),
        cmocka_unit_test(derivatives_of_dampers_are_exact),
        cmocka_unit_test(a_damped_particle_comes_to_rest_as_implicit_euler_says),
        cmocka_unit_test(bad_springs_and_dampers_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
