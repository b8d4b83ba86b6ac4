/* SPDX-License-Identifier: MIT */
/* Rotations against power series in long double, differences and each other: near 0, near pi, near
 * whole turns, gimbal lock. */
#include <math.h>
#include <string.h>

#include "drawn_space.h"

enum { TRIALS = 4000 };

static const double pi = 3.14159265358979323846;

/* exp([phi]) by its series. */
static void rotation_by_series(const double *phi, double *R)
{
    double W[9];
    saddle__skew(phi, W);
    series(W, 3, 0, R);
}

/* A quaternion of length 1/2 to 2. */
static void draw_quaternion(uint64_t *seed, double *q)
{
    double length = 0;
    while (length < 0.1) {
        draw(seed, 4, 1, q);
        length = sqrt(q[0] * q[0] + saddle__dot(q + 1, q + 1));
    }
    double wanted = draw_size(seed, -0.3, 0.3);
    for (int i = 0; i < 4; i++) q[i] *= wanted / length;
}

/* Angles drawn where something can go wrong: near 0, near pi, anywhere. */
static double draw_angle(uint64_t *seed, int64_t trial)
{
    double small = draw_size(seed, -17, 0);
    return trial % 3 == 0 ? small : trial % 3 == 1 ? pi - small : test_uniform(seed, 0, pi);
}

/* ---- quaternions ---- */

static void quaternion_units_multiply_as_hamilton_carved_them(void **state)
{
    (void)state;
    static const double unit[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    static const int entry[4][4] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
    static const double sign[4][4] = {{1, 1, 1, 1}, {1, -1, 1, -1}, {1, -1, -1, 1}, {1, 1, -1, -1}};
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++) {
            double expected[4] = {0}, found[4];
            expected[entry[a][b]] = sign[a][b];
            saddle_quaternion_multiply(unit[a], unit[b], found);
            for (int i = 0; i < 4; i++) assert_true(found[i] == expected[i]);
        }
}

static void quaternions_turn_as_their_matrices_do(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        double q[4], p[4], R[9], S[9], both[9], x[3], by_matrix[3], by_quaternion[3];
        draw_quaternion(&seed, q);
        draw_quaternion(&seed, p);
        draw(&seed, 3, 1, x);
        saddle_quaternion_to_matrix(q, R);
        saddle_quaternion_to_matrix(p, S);
        assert_rotation(R);
        saddle__rotate(R, x, by_matrix);
        saddle_quaternion_rotate(q, x, by_quaternion);
        assert_true(largest_difference(by_matrix, by_quaternion, 3) < 2e-15);

        double v[4] = {0, x[0], x[1], x[2]}, conjugate[4], square[4]; /* q (0, x) q* = |q|^2 (0,
                                                                         image) */
        saddle_quaternion_conjugate(q, conjugate);
        saddle_quaternion_multiply(q, v, v);
        saddle_quaternion_multiply(v, conjugate, v);
        saddle_quaternion_multiply(q, conjugate, square);
        for (int i = 0; i < 3; i++) assert_true(fabs(v[i + 1] / square[0] - by_matrix[i]) < 3e-15);

        saddle_quaternion_multiply(q, p, q);
        saddle_quaternion_to_matrix(q, both);
        saddle__product3(R, S, R);
        assert_true(largest_difference(R, both, 9) < 3e-15);
    }
}

/* Near every edge of Shepperd's choice too: half turns about the axes and the diagonals between
 * them. */
static void matrices_give_their_quaternions_back(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 1;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        double q[4], found[4], R[9], again[9];
        draw_quaternion(&seed, q);
        if (trial % 2)
            for (int i = 0; i < 4; i++) q[i] = (double)test_integer(&seed, -1, 1) + 1e-12 * q[i];
        assert_int_equal(saddle_quaternion_normalize(NULL, q), SADDLE_OK);
        assert_true(fabs(q[0] * q[0] + saddle__dot(q + 1, q + 1) - 1) < 1e-15);
        saddle_quaternion_to_matrix(q, R);
        saddle_quaternion_from_matrix(R, found);
        assert_true(found[0] >= 0);
        double side = q[0] * found[0] + saddle__dot(q + 1, found + 1) < 0 ? -1 : 1;
        for (int i = 0; i < 4; i++) assert_true(fabs(side * q[i] - found[i]) < 1e-15);
        saddle_quaternion_to_matrix(found, again);
        assert_true(largest_difference(R, again, 9) < 2e-15);
    }
}

static void quaternions_without_direction_are_refused(void **state)
{
    (void)state;
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    double zero[4] = {0, 0, 0, 0}, infinite[4] = {1, 0, INFINITY, 0},
           tiny[4] = {0, 3e-300, 0, 4e-300};
    assert_int_equal(saddle_quaternion_normalize(context, zero), SADDLE_INVALID_ARGUMENT);
    assert_string_equal(saddle_context_message(context), "quaternion: all its entries are zero");
    assert_int_equal(saddle_quaternion_normalize(context, infinite), SADDLE_INVALID_ARGUMENT);
    assert_string_equal(saddle_context_message(context), "quaternion: entry 3 is inf");
    assert_true(infinite[0] == 1);
    assert_int_equal(saddle_quaternion_normalize(context, tiny), SADDLE_OK);
    assert_true(fabs(tiny[1] - 0.6) < 1e-15 && fabs(tiny[3] - 0.8) < 1e-15);
    saddle_context_free(context);
}

/* The matrix of a quaternion that moves with its rate turns by dR/dt = R [omega_body] and =
 * [omega_world] R. */
static void both_rates_of_quaternions_are_those_of_their_matrices(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 2;
    const double h = 1e-6;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        double q[4], omega[3], W[9], R[9];
        draw_quaternion(&seed, q);
        draw(&seed, 3, 2, omega);
        saddle__skew(omega, W);
        saddle_quaternion_to_matrix(q, R);
        for (int world = 0; world < 2; world++) {
            double dq[4], expected[9], moved[2][9];
            (world ? saddle_quaternion_rate_world : saddle_quaternion_rate_body)(q, omega, dq);
            saddle__product3(world ? W : R, world ? R : W, expected);
            for (int ahead = 0; ahead < 2; ahead++) {
                double near[4];
                for (int i = 0; i < 4; i++) near[i] = q[i] + (ahead ? h : -h) * dq[i];
                saddle_quaternion_to_matrix(near, moved[ahead]);
            }
            for (int i = 0; i < 9; i++)
                assert_true(fabs((moved[1][i] - moved[0][i]) / (2 * h) - expected[i]) < 1e-8);
        }
    }
}

/* B'B = |q|^2 / 4 I: seed 004 writes I, which would make its velocities four times too small. */
static void maps_to_quaternion_rates_have_a_quarter_of_the_identity_as_their_square(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 3;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        double q[4], omega[3];
        draw_quaternion(&seed, q);
        draw(&seed, 3, 2, omega);
        double length_squared = q[0] * q[0] + saddle__dot(q + 1, q + 1);
        for (int world = 0; world < 2; world++) {
            double B[12], transposed[12], square[9], rate[4], by_map[4], back[3];
            (world ? saddle_quaternion_map_world : saddle_quaternion_map_body)(q, B);
            (world ? saddle_quaternion_rate_world : saddle_quaternion_rate_body)(q, omega, rate);
            product(B, omega, 4, 3, 1, by_map);
            assert_true(largest_difference(rate, by_map, 4) < 1e-14);
            transpose(B, 4, 3, transposed);
            product(transposed, B, 3, 4, 3, square);
            for (int i = 0; i < 9; i++)
                assert_true(fabs(square[i] - (i % 4 == 0 ? length_squared / 4 : 0)) <
                            1e-15 * length_squared);
            (world ? saddle_quaternion_velocity_world : saddle_quaternion_velocity_body)(q, rate,
                                                                                         back);
            assert_true(largest_difference(back, omega, 3) < 1e-14);
        }
    }
}

static void quaternions_advance_exactly(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 4;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        double q[4], next[4], omega[3], phi[3], R[9], turn[9], expected[9], found[9];
        double h = draw_size(&seed, -9, 0.5);
        draw_quaternion(&seed, q);
        draw(&seed, 3, 1, omega);
        for (int i = 0; i < 3; i++) phi[i] = h * omega[i];
        saddle_quaternion_to_matrix(q, R);
        rotation_by_series(phi, turn);
        for (int world = 0; world < 2; world++) {
            (world ? saddle_quaternion_advance_world : saddle_quaternion_advance_body)(q, omega, h,
                                                                                       next);
            saddle__product3(world ? turn : R, world ? R : turn, expected);
            saddle_quaternion_to_matrix(next, found);
            assert_true(largest_difference(found, expected, 9) < 4e-15);
            double before = q[0] * q[0] + saddle__dot(q + 1, q + 1),
                   after = next[0] * next[0] + saddle__dot(next + 1, next + 1);
            assert_true(fabs(after / before - 1) < 2e-15);
        }
    }
}

/* ---- exponential and logarithm ---- */

static void exponentials_of_rotations_are_their_series(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 5;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        double phi[3], R[9], expected[9], q[4];
        draw_direction(&seed, trial % 2 ? draw_size(&seed, -20, 1) : draw_angle(&seed, trial), phi);
        if (trial == 0) memset(phi, 0, sizeof phi);
        rotation_by_series(phi, expected);
        saddle_rotation_exp(phi, R);
        assert_true(largest_difference(R, expected, 9) < 5e-15);
        assert_rotation(R);
        saddle_quaternion_exp(phi, q);
        saddle_quaternion_to_matrix(q, R);
        assert_true(largest_difference(R, expected, 9) < 5e-15);
    }
}

/* At pi either sign is one: rounding decides. */
static void assert_logarithm(const double *found, const double *phi, double angle)
{
    double side = pi - angle < 1e-13 && saddle__dot(phi, found) < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++)
        assert_true(fabs(side * found[i] - phi[i]) <= 3e-15 * fmin(angle, 1));
}

/* To rounding of the rotation's own size near 0, to rounding near pi. */
static void logarithms_are_exact_near_0_and_near_pi(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 6;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        double phi[3], R[9], found[3], q[4];
        double angle = draw_angle(&seed, trial);
        draw_direction(&seed, angle, phi);
        if (trial == 0) memset(phi, 0, sizeof phi);
        rotation_by_series(phi, R);
        saddle_rotation_log(R, found);
        assert_logarithm(found, phi, angle);
        saddle_quaternion_exp(phi, q);
        for (int i = 0; i < 4 && trial % 2; i++) q[i] *= -2.5;
        saddle_quaternion_log(q, found);
        assert_logarithm(found, phi, angle);
    }
}

static void half_turns_have_logarithms_of_length_pi(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 7;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        double axis[3], R[9], phi[3];
        if (trial < 27) {
            for (int i = 0, k = trial; i < 3; i++, k /= 3) axis[i] = k % 3 - 1;
            if (saddle__dot(axis, axis) == 0) continue;
        } else
            draw_direction(&seed, 1, axis);
        double square = saddle__dot(axis, axis);
        for (int i = 0; i < 9; i++) R[i] = 2 * axis[i % 3] * axis[i / 3] / square - (i % 4 == 0);
        saddle_rotation_log(R, phi);
        assert_true(fabs(sqrt(saddle__dot(phi, phi)) - pi) < 1e-15 * 4);
        double along = saddle__dot(phi, axis) / (pi * sqrt(square));
        assert_true(fabs(fabs(along) - 1) < 1e-14);
    }
}

static void jacobians_of_rotations_are_their_series_and_their_inverses(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 8;
    const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        double phi[3], W[9], expected[9], Jl[9], Jr[9], left[9], right[9], check[9];
        /* to 6.17 */
        double angle = trial % 2 ? draw_size(&seed, -12, 0.79) : draw_angle(&seed, trial);
        draw_direction(&seed, angle, phi);
        saddle__skew(phi, W);
        series(W, 3, 1, expected);
        saddle_rotation_left_jacobian(phi, Jl);
        saddle_rotation_right_jacobian(phi, Jr);
        assert_true(largest_difference(Jl, expected, 9) < 3e-15);
        saddle__transpose3(Jr, check);
        assert_true(largest_difference(check, expected, 9) < 3e-15);
        assert_int_equal(saddle_rotation_left_jacobian_inverse(NULL, phi, left), SADDLE_OK);
        assert_int_equal(saddle_rotation_right_jacobian_inverse(NULL, phi, right), SADDLE_OK);
        saddle__product3(left, Jl, check);
        assert_true(largest_difference(check, identity, 9) < 2e-14 * (1 + largest(left, 9)));
        saddle__product3(Jr, right, check);
        assert_true(largest_difference(check, identity, 9) < 2e-14 * (1 + largest(right, 9)));
    }
}

static void jacobians_of_rotations_are_differences_of_the_exponential(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 9;
    const double h = 1e-5;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        double phi[3], rate[3], R[9], J[9], omega[3], W[9], moved[2][9];
        draw_direction(&seed, draw_angle(&seed, trial), phi);
        draw(&seed, 3, 1, rate);
        rotation_by_series(phi, R);
        for (int ahead = 0; ahead < 2; ahead++) {
            double near[3];
            for (int i = 0; i < 3; i++) near[i] = phi[i] + (ahead ? h : -h) * rate[i];
            rotation_by_series(near, moved[ahead]);
        }
        for (int left = 0; left < 2; left++) {
            (left ? saddle_rotation_left_jacobian : saddle_rotation_right_jacobian)(phi, J);
            saddle__rotate(J, rate, omega);
            saddle__skew(omega, W);
            saddle__product3(left ? W : R, left ? R : W, W);
            for (int i = 0; i < 9; i++)
                assert_true(fabs((moved[1][i] - moved[0][i]) / (2 * h) - W[i]) < 1e-9);
        }
    }
}

static void whole_turns_have_no_inverse_jacobian(void **state)
{
    (void)state;
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    for (int turns = 1; turns < 5; turns++) {
        const double phi[3] = {0, 2 * pi * turns * 0.6, 2 * pi * turns * 0.8};
        const double beside[3] = {0, phi[1] * (1 + 1e-6), phi[2] * (1 + 1e-6)};
        double J[9], inverse[9], check[9];
        assert_int_equal(saddle_rotation_left_jacobian_inverse(context, phi, inverse),
                         SADDLE_SINGULAR);
        assert_non_null(strstr(saddle_context_message(context), "whole turns"));
        assert_int_equal(saddle_rotation_right_jacobian_inverse(context, phi, inverse),
                         SADDLE_SINGULAR);
        assert_int_equal(saddle_rotation_left_jacobian_inverse(context, beside, inverse),
                         SADDLE_OK);
        saddle_rotation_left_jacobian(beside, J);
        saddle__product3(J, inverse, check);
        for (int i = 0; i < 9; i++) assert_true(fabs(check[i] - (i % 4 == 0)) < 1e-8);
    }
    saddle_context_free(context);
}

/* ---- roll, pitch, yaw ---- */

static void rpy_by_series(const double *rpy, double *R)
{
    double turn[3][9];
    for (int k = 0; k < 3; k++) {
        double phi[3] = {0};
        phi[k] = rpy[k];
        rotation_by_series(phi, turn[k]);
    }
    saddle__product3(turn[2], turn[1], R);
    saddle__product3(R, turn[0], R);
}

/* Quarter turns: roll takes y to z, pitch z to x, yaw x to y; roll comes before pitch, pitch before
 * yaw. */
static void rpy_is_about_the_fixed_axes_x_y_z(void **state)
{
    (void)state;
    static const struct {
        double rpy[3], from[3], to[3];
    } turns[] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}},
                 {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}, {{1, 1, 0}, {0, 1, 0}, {1, 0, 0}},
                 {{0, 1, 1}, {0, 0, 1}, {0, 1, 0}}, {{1, 0, 1}, {0, 1, 0}, {0, 0, 1}}};
    for (size_t k = 0; k < sizeof turns / sizeof *turns; k++) {
        double rpy[3], R[9], turned[3];
        for (int i = 0; i < 3; i++) rpy[i] = turns[k].rpy[i] * pi / 2;
        saddle_rpy_to_matrix(rpy, R);
        saddle__rotate(R, turns[k].from, turned);
        assert_true(largest_difference(turned, turns[k].to, 3) < 1e-15);
    }
}

/* Pitch anywhere, near the lock, at it. */
static void draw_rpy(uint64_t *seed, int trial, double *rpy)
{
    draw(seed, 3, 3.1, rpy);
    double away = trial % 3 == 0   ? 0
                  : trial % 3 == 1 ? draw_size(seed, -17, 0)
                                   : test_uniform(seed, 0, pi / 2);
    rpy[1] = copysign(pi / 2 - away, rpy[1]);
}

static void angles_give_their_matrix_and_matrices_give_angles(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 10;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        double rpy[3], found[3], R[9], expected[9], again[9];
        draw_rpy(&seed, trial, rpy);
        rpy_by_series(rpy, expected);
        saddle_rpy_to_matrix(rpy, R);
        assert_true(largest_difference(R, expected, 9) < 2e-15);
        saddle_rpy_from_matrix(R, found);
        rpy_by_series(found, again);
        assert_true(largest_difference(R, again, 9) < 3e-15);
        assert_true(fabs(found[1]) <= pi / 2);
        if (cos(rpy[1]) < 1e-3) continue;
        assert_true(largest_difference(found, rpy, 3) < 1e-14 / cos(rpy[1]));
    }
}

static void rates_of_angles_are_differences_of_their_matrices(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 11;
    const double h = 1e-5;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        double rpy[3], drpy[3], A[9], inverse[9], R[9], omega[3], W[9], moved[2][9], check[9];
        draw(&seed, 3, 3, rpy);
        draw(&seed, 3, 1, drpy);
        rpy_by_series(rpy, R);
        for (int ahead = 0; ahead < 2; ahead++) {
            double near[3];
            for (int i = 0; i < 3; i++) near[i] = rpy[i] + (ahead ? h : -h) * drpy[i];
            rpy_by_series(near, moved[ahead]);
        }
        saddle_rpy_rates(rpy, A);
        saddle__rotate(A, drpy, omega);
        saddle__skew(omega, W);
        saddle__product3(W, R, W);
        for (int i = 0; i < 9; i++)
            assert_true(fabs((moved[1][i] - moved[0][i]) / (2 * h) - W[i]) < 1e-9);
        assert_int_equal(saddle_rpy_rates_inverse(NULL, rpy, inverse), SADDLE_OK);
        saddle__product3(inverse, A, check);
        for (int i = 0; i < 9; i++)
            assert_true(fabs(check[i] - (i % 4 == 0)) < 1e-15 * (1 + largest(inverse, 9)));
    }
}

static void the_inverse_rates_derivative_is_its_differences(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 12;
    const double h = 1e-5;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        double rpy[3], drpy[3], derivative[9], moved[2][9];
        draw(&seed, 3, 3, rpy);
        draw(&seed, 3, 1, drpy);
        if (fabs(cos(rpy[1])) < 0.1) continue;
        for (int ahead = 0; ahead < 2; ahead++) {
            double near[3];
            for (int i = 0; i < 3; i++) near[i] = rpy[i] + (ahead ? h : -h) * drpy[i];
            assert_int_equal(saddle_rpy_rates_inverse(NULL, near, moved[ahead]), SADDLE_OK);
        }
        assert_int_equal(saddle_rpy_rates_inverse_derivative(NULL, rpy, drpy, derivative),
                         SADDLE_OK);
        for (int i = 0; i < 9; i++) /* the third derivatives have cos^4 below them */
            assert_true(fabs((moved[1][i] - moved[0][i]) / (2 * h) - derivative[i]) <
                        1e-8 / pow(cos(rpy[1]), 4));
    }
}

static void gimbal_lock_is_named(void **state)
{
    (void)state;
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    const double drpy[3] = {1, 1, 1};
    double A[9];
    for (int k = -3; k <= 3; k += 2) {
        const double locked[3] = {0.3, k * pi / 2, 0.2},
                     unlocked[3] = {0.3, k * pi / 2 + 1e-6, 0.2};
        assert_int_equal(saddle_rpy_rates_inverse(context, locked, A), SADDLE_SINGULAR);
        assert_non_null(strstr(saddle_context_message(context), "gimbal lock"));
        assert_int_equal(saddle_rpy_rates_inverse_derivative(context, locked, drpy, A),
                         SADDLE_SINGULAR);
        assert_int_equal(saddle_rpy_rates_inverse(context, unlocked, A), SADDLE_OK);
        assert_int_equal(saddle_rpy_rates_inverse_derivative(context, unlocked, drpy, A),
                         SADDLE_OK);
    }
    saddle_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quaternion_units_multiply_as_hamilton_carved_them),
        cmocka_unit_test(quaternions_turn_as_their_matrices_do),
        cmocka_unit_test(matrices_give_their_quaternions_back),
        cmocka_unit_test(quaternions_without_direction_are_refused),
        cmocka_unit_test(both_rates_of_quaternions_are_those_of_their_matrices),
        cmocka_unit_test(maps_to_quaternion_rates_have_a_quarter_of_the_identity_as_their_square),
        cmocka_unit_test(quaternions_advance_exactly),
        cmocka_unit_test(exponentials_of_rotations_are_their_series),
        cmocka_unit_test(logarithms_are_exact_near_0_and_near_pi),
        cmocka_unit_test(half_turns_have_logarithms_of_length_pi),
        cmocka_unit_test(jacobians_of_rotations_are_their_series_and_their_inverses),
        cmocka_unit_test(jacobians_of_rotations_are_differences_of_the_exponential),
        cmocka_unit_test(whole_turns_have_no_inverse_jacobian),
        cmocka_unit_test(rpy_is_about_the_fixed_axes_x_y_z),
        cmocka_unit_test(angles_give_their_matrix_and_matrices_give_angles),
        cmocka_unit_test(rates_of_angles_are_differences_of_their_matrices),
        cmocka_unit_test(the_inverse_rates_derivative_is_its_differences),
        cmocka_unit_test(gimbal_lock_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
