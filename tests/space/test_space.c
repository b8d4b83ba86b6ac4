/* SPDX-License-Identifier: MIT */
/* Poses, twists and polar decompositions against what defines them: series, differences, products,
 * the nearest rotation. */
#include <math.h>
#include <string.h>

#include "drawn_space.h"

enum { TRIALS = 2000 };

/* ---- poses ---- */

static void exponentials_of_twists_are_those_of_their_matrices(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        double twist[6];
        draw(&seed, 6, draw_size(&seed, -9, 0.7), twist);
        if (trial == 0) memset(twist, 0, sizeof twist);
        saddle_pose Q = saddle_pose_exp(twist), series = pose_by_series(twist);
        double size = fmax(largest(twist, 3), 1e-300);
        assert_true(largest_difference(Q.R, series.R, 9) < 3e-15);
        assert_true(largest_difference(Q.p, series.p, 3) < 1e-14 * size);
        assert_rotation(Q.R);
    }
}

static void poses_multiply_divide_and_place_points(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 1;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        saddle_pose A = draw_pose(&seed), B = draw_pose(&seed);
        saddle_pose AB = saddle_pose_multiply(&A, &B);
        saddle_pose back = saddle_pose_between(&A, &AB);
        saddle_pose inverse = saddle_pose_inverse(&A);
        double X[3], inner[3], outer[3];
        draw(&seed, 3, 1, X);
        for (int i = 0; i < 3; i++)
            inner[i] = B.R[i] * X[0] + B.R[i + 3] * X[1] + B.R[i + 6] * X[2] + B.p[i];
        saddle_pose_point(&A, inner, inner);
        saddle_pose_point(&AB, X, outer);
        assert_true(largest_difference(inner, outer, 3) < 1e-13);
        saddle_pose_point_inverse(&AB, outer, outer);
        assert_true(largest_difference(outer, X, 3) < 1e-13);
        saddle_pose_point_inverse(&A, inner, outer);
        saddle_pose_point(&inverse, inner, inner);
        assert_true(largest_difference(inner, outer, 3) < 1e-13);
        assert_true(largest_difference(back.p, B.p, 3) < 1e-13);
        assert_true(largest_difference(back.R, B.R, 9) < 1e-13);
    }
}

/* A frame fixed at T moves with the twist map's image: one moved by exp(h u) brings the other to
 * exp(h A u) of where it was; and the map's own rate is -ad(s) A. */
static void twists_change_frames_as_motions_do(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 2;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        saddle_pose T = draw_pose(&seed);
        double A[36], ad[36], u[6], image[6] = {0};
        draw(&seed, 6, 1, u);
        saddle_pose_adjoint_inverse(&T, A);
        for (int j = 0; j < 6; j++)
            for (int i = 0; i < 6; i++) image[i] += A[i + 6 * j] * u[j];
        saddle_pose master = saddle_pose_exp(u), own = saddle_pose_exp(image);
        saddle_pose left = saddle_pose_multiply(&master, &T),
                    right = saddle_pose_multiply(&T, &own);
        assert_true(largest_difference(left.p, right.p, 3) < 1e-12);
        assert_true(largest_difference(left.R, right.R, 9) < 1e-12);

        double step[6], ahead[36], behind[36], s[6];
        const double h = 1e-5;
        draw(&seed, 6, 1, s);
        for (int sign = -1; sign <= 1; sign += 2) {
            for (int i = 0; i < 6; i++) step[i] = sign * h * s[i];
            saddle_pose moved = saddle_pose_exp(step);
            moved = saddle_pose_multiply(&T, &moved);
            saddle_pose_adjoint_inverse(&moved, sign > 0 ? ahead : behind);
        }
        saddle_twist_adjoint(s, ad);
        for (int j = 0; j < 6; j++)
            for (int i = 0; i < 6; i++) {
                double expected = 0;
                for (int k = 0; k < 6; k++) expected -= ad[i + 6 * k] * A[k + 6 * j];
                assert_true(fabs((ahead[i + 6 * j] - behind[i + 6 * j]) / (2 * h) - expected) <
                            1e-8);
            }
    }
}

/* ---- polar decomposition ---- */

/* F = U diag(s) V', drawn */
static void draw_matrix(uint64_t *state, const double *s, double *F)
{
    saddle_pose U = draw_pose(state), V = draw_pose(state);
    double turned[9];
    for (int i = 0; i < 9; i++) U.R[i] *= s[i / 3];
    saddle__transpose3(V.R, turned);
    saddle__product3(U.R, turned, F);
}

static void a_polar_decomposition_is_a_rotation_and_a_stretch(void **state)
{
    (void)state;
    static const double singular[][3] = {{1, 1, 1},        {3, 2, 1},   {1, 1, 1e-9},
                                         {1, 1e-6, 1e-8},  {2, 1, 0},   {2, 1, -0.5},
                                         {1, 1e-3, -1e-4}, {1e9, 1, 0}, {1e-200, 1e-200, 5e-201}};
    uint64_t seed = test_seed() + 3;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        const double *s = singular[trial % (int)(sizeof singular / sizeof singular[0])];
        double F[9], S[9], turned[9], product[9];
        saddle__polar polar;
        draw_matrix(&seed, s, F);
        assert_int_equal(saddle__polar_decompose(F, &polar), 1);
        assert_rotation(polar.R);
        assert_rotation(polar.V);
        for (int i = 0; i < 3; i++) assert_true(fabs(polar.s[i] - s[i]) < 1e-14 * s[0]);
        for (int i = 0; i < 9; i++) S[i] = polar.V[i] * polar.s[i / 3];
        saddle__transpose3(polar.V, turned);
        saddle__product3(S, turned, S);
        saddle__product3(polar.R, S, product);
        assert_true(largest_difference(product, F, 9) < 1e-14 * s[0]);
    }
}

/* No rotation is nearer to F: |F - R|_F is least at R (for det F < 0 too). */
static void the_polar_rotation_is_the_nearest_one(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 4;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        double F[9];
        draw(&seed, 9, 1, F);
        saddle__polar polar;
        assert_int_equal(saddle__polar_decompose(F, &polar), 1);
        double nearest = 0;
        for (int i = 0; i < 9; i++) nearest += F[i] * polar.R[i];
        for (int other = 0; other < 20; other++) {
            double twist[6] = {0}, along = 0;
            draw(&seed, 3, pow(10, test_uniform(&seed, -3, 0.5)), twist + 3);
            saddle_pose turn = saddle_pose_exp(twist);
            saddle__product3(polar.R, turn.R, turn.R);
            for (int i = 0; i < 9; i++) along += F[i] * turn.R[i];
            assert_true(along <= nearest + 1e-14);
        }
    }
}

static void what_leaves_the_rotation_open_is_refused(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 5;
    static const double singular[][3] = {{1, 0, 0}, {0, 0, 0}, {2, 1, -1}, {1, 1e-14, 0}};
    for (int k = 0; k < 4; k++) {
        double F[9];
        saddle__polar polar;
        draw_matrix(&seed, singular[k], F);
        assert_int_equal(saddle__polar_decompose(F, &polar), 0);
    }
    double F[9] = {1, 0, 0, 0, NAN, 0, 0, 0, 1};
    saddle__polar polar;
    assert_int_equal(saddle__polar_decompose(F, &polar), 0);
}

static void rates_of_the_polar_rotation_are_its_differences(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 6;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        const double s[3] = {2, 1, trial % 3 ? 0.5 : -0.25};
        const double h = 1e-6;
        double F[9], dF[9], moved[9], omega[3], difference[9], W[9];
        saddle__polar polar, ahead, behind;
        draw_matrix(&seed, s, F);
        draw(&seed, 9, 1, dF);
        for (int i = 0; i < 9; i++) moved[i] = F[i] + h * dF[i];
        assert_int_equal(saddle__polar_decompose(moved, &ahead), 1);
        for (int i = 0; i < 9; i++) moved[i] = F[i] - h * dF[i];
        assert_int_equal(saddle__polar_decompose(moved, &behind), 1);
        for (int i = 0; i < 9; i++) difference[i] = (ahead.R[i] - behind.R[i]) / (2 * h);
        assert_int_equal(saddle__polar_decompose(F, &polar), 1);
        saddle__polar_rotation_rate(&polar, dF, omega);
        saddle__skew(omega, W);
        saddle__product3(polar.R, W, W);
        assert_true(largest_difference(difference, W, 9) < 1e-8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exponentials_of_twists_are_those_of_their_matrices),
        cmocka_unit_test(poses_multiply_divide_and_place_points),
        cmocka_unit_test(twists_change_frames_as_motions_do),
        cmocka_unit_test(a_polar_decomposition_is_a_rotation_and_a_stretch),
        cmocka_unit_test(the_polar_rotation_is_the_nearest_one),
        cmocka_unit_test(what_leaves_the_rotation_open_is_refused),
        cmocka_unit_test(rates_of_the_polar_rotation_are_its_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
