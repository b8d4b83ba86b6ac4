/* SPDX-License-Identifier: MIT */
/* Poses, twists and polar decompositions against what defines them: series, differences, products, the nearest rotation. */
#include <math.h>
#include <string.h>

#include "space/space.h"
#include "support.h"

enum { TRIALS = 500 };

static void draw(uint64_t *state, int64_t count, double size, double *x)
{
    for (int64_t i = 0; i < count; i++) x[i] = test_uniform(state, -size, size);
}

static double largest_difference(const double *a, const double *b, int64_t count)
{
    double largest = 0;
    for (int64_t i = 0; i < count; i++) largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

static double determinant(const double *R)
{
    double c[3];
    saddle__cross(R + 3, R + 6, c);
    return saddle__dot(R, c);
}

static void assert_rotation(const double *R)
{
    double product[9];
    const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    saddle__transposed_product3(R, R, product);
    assert_true(largest_difference(product, identity, 9) < 1e-14);
    assert_true(determinant(R) > 0);
}

static saddle_pose draw_pose(uint64_t *state)
{
    double twist[6];
    draw(state, 6, 2, twist);
    return saddle_pose_exp(twist);
}

/* ---- poses ---------------------------------------------------------------------------------------------------------- */

/* exp of the 4 x 4 matrix [[omega] nu; 0 0] by its power series, of a twist halved ten times, squared ten times. */
static void exponential_by_series(const double *twist, double *E)
{
    double X[16] = {0}, power[16] = {0}, product[16];
    const double *w = twist + 3;
    const double by_columns[16] = {0,    w[2],  -w[1], 0, -w[2],    0,        w[0],     0,
                                   w[1], -w[0], 0,     0, twist[0], twist[1], twist[2], 0};
    for (int i = 0; i < 16; i++) {
        X[i] = by_columns[i] / 1024;
        power[i] = E[i] = i % 5 == 0;
    }
    for (int k = 1; k < 30 + 11; k++) { /* 30 terms, then squarings */
        const double *left = k <= 30 ? power : E;
        const double *right = k <= 30 ? X : E;
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) {
                product[i + 4 * j] = 0;
                for (int l = 0; l < 4; l++) product[i + 4 * j] += left[i + 4 * l] * right[l + 4 * j];
            }
        for (int i = 0; i < 16 && k <= 30; i++) {
            power[i] = product[i] / k;
            E[i] += power[i];
        }
        if (k > 30) memcpy(E, product, sizeof product);
    }
}

static void exponentials_of_twists_are_those_of_their_matrices(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < TRIALS; trial++) {
        double twist[6], E[16];
        draw(&seed, 6, pow(10, test_uniform(&seed, -9, 0.7)), twist);
        if (trial == 0) memset(twist, 0, sizeof twist);
        saddle_pose Q = saddle_pose_exp(twist);
        exponential_by_series(twist, E);
        for (int j = 0; j < 3; j++) assert_true(largest_difference(Q.R + 3 * j, E + 4 * j, 3) < 1e-12);
        assert_true(largest_difference(Q.p, E + 12, 3) < 1e-12);
        assert_rotation(Q.R);
    }
}

static void poses_multiply_and_divide(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 1;
    for (int trial = 0; trial < TRIALS; trial++) {
        saddle_pose A = draw_pose(&seed), B = draw_pose(&seed);
        saddle_pose AB = saddle_pose_multiply(&A, &B);
        saddle_pose back = saddle_pose_between(&A, &AB);
        double X[3], inner[3], outer[3];
        draw(&seed, 3, 1, X);
        saddle__rotate(B.R, X, inner);
        for (int i = 0; i < 3; i++) inner[i] += B.p[i];
        saddle__rotate(A.R, inner, inner);
        saddle__rotate(AB.R, X, outer);
        for (int i = 0; i < 3; i++) assert_true(fabs(inner[i] + A.p[i] - outer[i] - AB.p[i]) < 1e-13);
        assert_true(largest_difference(back.p, B.p, 3) < 1e-13);
        assert_true(largest_difference(back.R, B.R, 9) < 1e-13);
    }
}

/* A frame fixed at T moves with the twist map's image: one moved by exp(h u) brings the other to exp(h A u) of where it was;
 * and the map's own rate is -ad(s) A. */
static void twists_change_frames_as_motions_do(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 2;
    for (int trial = 0; trial < TRIALS; trial++) {
        saddle_pose T = draw_pose(&seed);
        double A[36], ad[36], u[6], image[6] = {0};
        draw(&seed, 6, 1, u);
        saddle_pose_adjoint_inverse(&T, A);
        for (int j = 0; j < 6; j++)
            for (int i = 0; i < 6; i++) image[i] += A[i + 6 * j] * u[j];
        saddle_pose master = saddle_pose_exp(u), own = saddle_pose_exp(image);
        saddle_pose left = saddle_pose_multiply(&master, &T), right = saddle_pose_multiply(&T, &own);
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
                assert_true(fabs((ahead[i + 6 * j] - behind[i + 6 * j]) / (2 * h) - expected) < 1e-8);
            }
    }
}

/* ---- polar decomposition ------------------------------------------------------------------------------------------- */

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
    for (int trial = 0; trial < TRIALS; trial++) {
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
    for (int trial = 0; trial < TRIALS; trial++) {
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
    for (int trial = 0; trial < TRIALS; trial++) {
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
        cmocka_unit_test(poses_multiply_and_divide),
        cmocka_unit_test(twists_change_frames_as_motions_do),
        cmocka_unit_test(a_polar_decomposition_is_a_rotation_and_a_stretch),
        cmocka_unit_test(the_polar_rotation_is_the_nearest_one),
        cmocka_unit_test(what_leaves_the_rotation_open_is_refused),
        cmocka_unit_test(rates_of_the_polar_rotation_are_its_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
