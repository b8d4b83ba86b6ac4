/* SPDX-License-Identifier: MIT */
/* Twists and wrenches against what they say of points: velocities, moments, power; exponentials
 * against series. */
#include <math.h>
#include <string.h>

#include "drawn_space.h"

enum { TRIALS = 2000 };

static const double pi = 3.14159265358979323846;

/* v (3) = nu + omega x x */
static void velocity_at(const double *twist, const double *x, double *v)
{
    saddle__cross(twist + 3, x, v);
    for (int i = 0; i < 3; i++) v[i] += twist[i];
}

/* ---- from frame to frame ---- */

static void a_point_has_one_velocity_in_every_frame(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        saddle_pose T = draw_pose(&seed);
        double inner[6], outer[6], x[3], v[3], w[3];
        draw(&seed, 6, 1, inner);
        draw(&seed, 3, 1, x);
        velocity_at(inner, x, v);
        saddle__rotate(T.R, v, v);
        saddle_twist_to_outer(&T, inner, outer);
        saddle_pose_point(&T, x, x);
        velocity_at(outer, x, w);
        assert_true(largest_difference(v, w, 3) < 2e-14);
        saddle_twist_to_inner(&T, outer, outer);
        assert_true(largest_difference(outer, inner, 6) < 2e-14);
    }
}

static void a_force_at_a_point_has_one_wrench_in_every_frame(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 1;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        saddle_pose T = draw_pose(&seed);
        double inner[6], outer[6], expected[6], x[3], twist[6], twist_outer[6];
        draw(&seed, 3, 1, inner);
        draw(&seed, 3, 1, x);
        draw(&seed, 6, 1, twist);
        saddle__cross(x, inner, inner + 3);
        saddle__rotate(T.R, inner, expected);
        saddle_wrench_to_outer(&T, inner, outer);
        saddle_pose_point(&T, x, x);
        saddle__cross(x, expected, expected + 3);
        assert_true(largest_difference(outer, expected, 6) < 2e-14);
        saddle_twist_to_outer(&T, twist, twist_outer);
        double power = saddle__dot(twist, inner) + saddle__dot(twist + 3, inner + 3);
        double again = saddle__dot(twist_outer, outer) + saddle__dot(twist_outer + 3, outer + 3);
        assert_true(fabs(power - again) < 1e-13);
        saddle_wrench_to_inner(&T, outer, outer);
        assert_true(largest_difference(outer, inner, 6) < 2e-14);
    }
}

static void matrices_of_frames_do_what_the_functions_do(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 2;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        saddle_pose T = draw_pose(&seed);
        double Ad[36], inverse[36], dual[36], identity[36], transposed[36], u[6], image[6],
            expected[6];
        draw(&seed, 6, 1, u);
        saddle_pose_adjoint(&T, Ad);
        saddle_pose_adjoint_inverse(&T, inverse);
        saddle_pose_coadjoint(&T, dual);
        product(Ad, inverse, 6, 6, 6, identity);
        for (int i = 0; i < 36; i++) assert_true(fabs(identity[i] - (i % 7 == 0)) < 1e-14);
        transpose(inverse, 6, 6, transposed);
        assert_true(largest_difference(transposed, dual, 36) == 0);
        product(Ad, u, 6, 6, 1, expected);
        saddle_twist_to_outer(&T, u, image);
        assert_true(largest_difference(image, expected, 6) < 1e-14);
        product(inverse, u, 6, 6, 1, expected);
        saddle_twist_to_inner(&T, u, image);
        assert_true(largest_difference(image, expected, 6) < 1e-14);
        product(dual, u, 6, 6, 1, expected);
        saddle_wrench_to_outer(&T, u, image);
        assert_true(largest_difference(image, expected, 6) < 1e-14);
        transpose(Ad, 6, 6, transposed);
        product(transposed, u, 6, 6, 1, expected);
        saddle_wrench_to_inner(&T, u, image);
        assert_true(largest_difference(image, expected, 6) < 1e-14);
    }
}

static void the_adjoint_changes_by_itself_times_ad(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 3;
    const double h = 1e-5;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        saddle_pose T = draw_pose(&seed);
        double s[6], step[6], A[36], ad[36], rate[36], moved[2][36];
        draw(&seed, 6, 1, s);
        for (int ahead = 0; ahead < 2; ahead++) {
            for (int i = 0; i < 6; i++) step[i] = (ahead ? h : -h) * s[i];
            saddle_pose near = pose_by_series(step);
            near = saddle_pose_multiply(&T, &near);
            saddle_pose_adjoint(&near, moved[ahead]);
        }
        saddle_pose_adjoint(&T, A);
        saddle_twist_adjoint(s, ad);
        product(A, ad, 6, 6, 6, rate);
        for (int i = 0; i < 36; i++)
            assert_true(fabs((moved[1][i] - moved[0][i]) / (2 * h) - rate[i]) < 1e-8);
    }
}

static void matrices_move_as_the_energies_they_make(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 4;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        saddle_pose T = draw_pose(&seed);
        double K[36], moved[36], u[6], v[6], u_outer[6], v_outer[6], image[6], energy = 0,
                                                                               again = 0;
        draw(&seed, 36, 1, K);
        draw(&seed, 6, 1, u);
        draw(&seed, 6, 1, v);
        product(K, v, 6, 6, 1, image);
        for (int i = 0; i < 6; i++) energy += u[i] * image[i];
        saddle_twist_to_outer(&T, u, u_outer);
        saddle_twist_to_outer(&T, v, v_outer);
        saddle_pose_congruence(&T, K, moved);
        product(moved, v_outer, 6, 6, 1, image);
        for (int i = 0; i < 6; i++) again += u_outer[i] * image[i];
        assert_true(fabs(energy - again) < 1e-12);
        saddle_pose_congruence(&T, K, K);
        assert_true(largest_difference(K, moved, 36) == 0);
    }
}

/* ---- with each other ---- */

/* ad(s) u is the commutator of the twists' 4 x 4 matrices. */
static void the_bracket_is_the_commutator(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 5;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        double s[6], u[6], S[16], U[16], SU[16], US[16], bracket[6], X[16], ad[36], image[6];
        draw(&seed, 6, 1, s);
        draw(&seed, 6, 1, u);
        twist_matrix(s, S);
        twist_matrix(u, U);
        product(S, U, 4, 4, 4, SU);
        product(U, S, 4, 4, 4, US);
        for (int i = 0; i < 16; i++) SU[i] -= US[i];
        saddle_twist_cross(s, u, bracket);
        twist_matrix(bracket, X);
        assert_true(largest_difference(X, SU, 16) < 1e-15);
        saddle_twist_adjoint(s, ad);
        product(ad, u, 6, 6, 1, image);
        assert_true(largest_difference(image, bracket, 6) < 1e-15);
    }
}

static void the_dual_bracket_balances_power(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 6;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        double s[6], u[6], F[6], bracket[6], dual[6], A[36], image[6], left = 0, right = 0;
        draw(&seed, 6, 1, s);
        draw(&seed, 6, 1, u);
        draw(&seed, 6, 1, F);
        saddle_twist_cross(s, u, bracket);
        saddle_twist_cross_dual(s, F, dual);
        for (int i = 0; i < 6; i++) {
            left += u[i] * dual[i];
            right += bracket[i] * F[i];
        }
        assert_true(fabs(left - right) < 1e-14);
        saddle_twist_coadjoint(s, A);
        product(A, F, 6, 6, 1, image);
        assert_true(largest_difference(image, dual, 6) < 1e-15);
        saddle_twist_cross_dual(s, F, F);
        assert_true(largest_difference(F, dual, 6) == 0);
        saddle_twist_cross(s, u, u);
        assert_true(largest_difference(u, bracket, 6) == 0);
    }
}

/* ---- points ---- */

static void the_material_jacobian_is_the_differences_of_a_point(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 7;
    const double h = 1e-5;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        saddle_pose T = draw_pose(&seed);
        double x[3], u[6], step[6], gamma[18], J[18], v[3], w[3], moved[2][3];
        draw(&seed, 3, 2, x);
        draw(&seed, 6, 1, u);
        for (int ahead = 0; ahead < 2; ahead++) {
            for (int i = 0; i < 6; i++) step[i] = (ahead ? h : -h) * u[i];
            saddle_pose near = pose_by_series(step);
            near = saddle_pose_multiply(&T, &near);
            saddle_pose_point(&near, x, moved[ahead]);
        }
        saddle_pose_point_jacobian(&T, x, J);
        product(J, u, 3, 6, 1, v);
        for (int i = 0; i < 3; i++)
            assert_true(fabs((moved[1][i] - moved[0][i]) / (2 * h) - v[i]) < 1e-9);
        saddle_point_jacobian(x, gamma);
        product(gamma, u, 3, 6, 1, w);
        saddle__rotate(T.R, w, w);
        assert_true(largest_difference(v, w, 3) < 1e-14);
    }
}

/* ---- exponential and logarithm ---- */

static void draw_twist(uint64_t *seed, int trial, double *twist)
{
    double small = draw_size(seed, -16, 0);
    double angle = trial % 3 == 0 ? small : trial % 3 == 1 ? pi - small : test_uniform(seed, 0, pi);
    draw(seed, 3, draw_size(seed, -3, 3), twist);
    draw_direction(seed, angle, twist + 3);
}

static void logarithms_of_poses_are_exact_near_0_and_near_pi(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 8;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        double twist[6], found[6];
        draw_twist(&seed, trial, twist);
        saddle_pose pose = pose_by_series(twist);
        saddle_pose_log(&pose, found);
        double angle = sqrt(saddle__dot(twist + 3, twist + 3));
        if (pi - angle < 1e-13) { /* both signs are right: the poses are compared */
            saddle_pose again = pose_by_series(found);
            assert_true(largest_difference(again.R, pose.R, 9) < 3e-15);
            assert_true(largest_difference(again.p, pose.p, 3) < 1e-14 * largest(twist, 3));
            continue;
        }
        assert_true(largest_difference(found + 3, twist + 3, 3) < 3e-15 * fmin(angle, 1));
        assert_true(largest_difference(found, twist, 3) < 1e-14 * largest(twist, 3));
    }
}

static void jacobians_of_twists_are_their_series_and_their_inverses(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 9;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        double u[6], ad[36], expected[36], J[36], inverse[36], check[36];
        draw_twist(&seed, trial, u);
        double scale = fmax(1, largest(u, 3));
        if (trial % 4 == 3)
            for (int i = 3; i < 6; i++) u[i] *= 1.9;
        saddle_twist_adjoint(u, ad);
        for (int right = 0; right < 2; right++) {
            series(ad, 6, 1, expected);
            (right ? saddle_twist_right_jacobian : saddle_twist_left_jacobian)(u, J);
            assert_true(largest_difference(J, expected, 36) < 1e-14 * scale);
            assert_int_equal((right ? saddle_twist_right_jacobian_inverse
                                    : saddle_twist_left_jacobian_inverse)(NULL, u, inverse),
                             SADDLE_OK);
            product(J, inverse, 6, 6, 6, check);
            double size = 1 + largest(inverse, 36);
            for (int i = 0; i < 36; i++)
                assert_true(fabs(check[i] - (i % 7 == 0)) < 1e-14 * size * scale);
            for (int i = 0; i < 36; i++) ad[i] = -ad[i];
        }
    }
}

static void jacobians_of_twists_are_differences_of_the_exponential(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 10;
    const double h = 1e-5;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        double u[6], rate[6], J[36], s[6];
        draw(&seed, 3, 1, u);
        draw_direction(&seed, test_uniform(&seed, 0, 2 * pi), u + 3);
        draw(&seed, 6, 1, rate);
        saddle_pose here = pose_by_series(u), moved[2];
        for (int ahead = 0; ahead < 2; ahead++) {
            double near[6];
            for (int i = 0; i < 6; i++) near[i] = u[i] + (ahead ? h : -h) * rate[i];
            moved[ahead] = pose_by_series(near);
        }
        saddle_twist_right_jacobian(u, J); /* dp/dt = R nu, dR/dt = R [omega] */
        product(J, rate, 6, 6, 1, s);
        double dp[3], W[9];
        saddle__rotate(here.R, s, dp);
        saddle__skew(s + 3, W);
        saddle__product3(here.R, W, W);
        for (int i = 0; i < 3; i++)
            assert_true(fabs((moved[1].p[i] - moved[0].p[i]) / (2 * h) - dp[i]) < 1e-8);
        for (int i = 0; i < 9; i++)
            assert_true(fabs((moved[1].R[i] - moved[0].R[i]) / (2 * h) - W[i]) < 1e-8);
    }
}

static void whole_turns_have_no_inverse_jacobian_either(void **state)
{
    (void)state;
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    const double u[6] = {1, 2, 3, 0, 0, 2 * pi};
    double J[36];
    assert_int_equal(saddle_twist_left_jacobian_inverse(context, u, J), SADDLE_SINGULAR);
    assert_non_null(strstr(saddle_context_message(context), "whole turns"));
    assert_int_equal(saddle_twist_right_jacobian_inverse(context, u, J), SADDLE_SINGULAR);
    saddle_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_point_has_one_velocity_in_every_frame),
        cmocka_unit_test(a_force_at_a_point_has_one_wrench_in_every_frame),
        cmocka_unit_test(matrices_of_frames_do_what_the_functions_do),
        cmocka_unit_test(the_adjoint_changes_by_itself_times_ad),
        cmocka_unit_test(matrices_move_as_the_energies_they_make),
        cmocka_unit_test(the_bracket_is_the_commutator),
        cmocka_unit_test(the_dual_bracket_balances_power),
        cmocka_unit_test(the_material_jacobian_is_the_differences_of_a_point),
        cmocka_unit_test(logarithms_of_poses_are_exact_near_0_and_near_pi),
        cmocka_unit_test(jacobians_of_twists_are_their_series_and_their_inverses),
        cmocka_unit_test(jacobians_of_twists_are_differences_of_the_exponential),
        cmocka_unit_test(whole_turns_have_no_inverse_jacobian_either),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
