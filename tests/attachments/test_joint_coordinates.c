/* SPDX-License-Identifier: MIT */
/* Joints in reduced coordinates: S and dS/dt against differences of Q and S, closed forms of the
 * rigid body notes, singular points, knots of splines. */
#include <math.h>
#include <string.h>

#include "drawn_joints.h"
#include "space/space.h"

static const double pi = 3.14159265358979323846;

/* The twist from one pose to another, over a time. */
static void twist_between(const saddle_pose *from, const saddle_pose *to, double time, double *s)
{
    const saddle_pose step = saddle_pose_between(from, to);
    saddle_pose_log(&step, s);
    for (int i = 0; i < 6; i++) s[i] /= time;
}

static void evaluate(const saddle_motion *joint, const double *q, saddle_pose *Q, double *S)
{
    memset(S, 0, 36 * sizeof *S);
    assert_int_equal(joint->evaluate(joint->data, q, Q, S), 0);
}

static void rate(const saddle_motion *joint, const double *q, const double *dq, double *dS)
{
    memset(dS, 0, 36 * sizeof *dS);
    if (joint->rate) assert_int_equal(joint->rate(joint->data, q, dq, dS), 0);
}

static void expect_near(const double *a, const double *b, int64_t count, double tolerance)
{
    assert_true(test_distance(a, b, count) < tolerance);
}

/* S_i = [Q^-1 dQ/dq_i] (2.29) and dS/dt along dq, at q. */
static void expect_differences(const saddle_motion *joint, const double *q, const double *dq)
{
    const double h = 1e-5;
    saddle_pose Q, ahead, behind;
    double S[36], dS[36], S_ahead[36], S_behind[36], there[6], twist[6];
    evaluate(joint, q, &Q, S);
    rate(joint, q, dq, dS);
    for (int64_t j = 0; j < joint->size; j++) {
        memcpy(there, q, sizeof there);
        there[j] = q[j] + h;
        evaluate(joint, there, &ahead, S_ahead);
        there[j] = q[j] - h;
        evaluate(joint, there, &behind, S_behind);
        twist_between(&behind, &ahead, 2 * h, twist);
        expect_near(twist, S + 6 * j, 6, 1e-8);
    }
    for (int i = 0; i < 6; i++) there[i] = q[i] + h * dq[i];
    evaluate(joint, there, &ahead, S_ahead);
    for (int i = 0; i < 6; i++) there[i] = q[i] - h * dq[i];
    evaluate(joint, there, &behind, S_behind);
    for (int64_t i = 0; i < 6 * joint->size; i++)
        assert_true(fabs((S_ahead[i] - S_behind[i]) / (2 * h) - dS[i]) < 1e-7 * (1 + fabs(dS[i])));
}

static void twists_and_rates_are_differences_for_every_joint(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int kind = 0; kind < DRAWN_JOINT_KINDS; kind++)
        for (int64_t trial = 0; trial < test_draws(60); trial++) {
            drawn_joint *d = draw_joint(&seed, kind);
            double q[6], dq[6];
            draw_coordinates(&seed, d, q, dq);
            expect_differences(&d->joint, q, dq);
            free_joint(d);
        }
}

/* ---- closed forms ---- */

static saddle_motion euler_joint(const char *order)
{
    saddle_motion joint;
    assert_int_equal(saddle_motion_euler(NULL, order, &joint), SADDLE_OK);
    return joint;
}

/* (2.31), and S of R'dR/dq; (2.34) is lost in print, (2.35) gives its rate. */
static void xzx_angles_are_those_of_the_notes(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 1;
    const saddle_motion joint = euler_joint("xzx");
    for (int trial = 0; trial < test_draws(100); trial++) {
        double q[6] = {0}, dq[6] = {0};
        for (int i = 0; i < 3; i++) {
            q[i] = test_uniform(&seed, -4, 4);
            dq[i] = test_uniform(&seed, -3, 3);
        }
        const double c1 = cos(q[0]), s1 = sin(q[0]), c2 = cos(q[1]), s2 = sin(q[1]), c3 = cos(q[2]),
                     s3 = sin(q[2]);
        const double R[9] = {c2,
                             c1 * s2,
                             s1 * s2,
                             -s2 * c3,
                             c1 * c2 * c3 - s1 * s3,
                             c1 * s3 + s1 * c2 * c3,
                             s2 * s3,
                             -s1 * c3 - c1 * c2 * s3,
                             c1 * c3 - s1 * c2 * s3};
        const double S[18] = {0, 0, 0, c2, -c3 * s2, s2 * s3, 0, 0, 0, 0, s3, c3, 0, 0, 0, 1, 0, 0};
        const double dS[18] = {0,
                               0,
                               0,
                               -s2 * dq[1],
                               s3 * s2 * dq[2] - c3 * c2 * dq[1],
                               c2 * s3 * dq[1] + s2 * c3 * dq[2],
                               0,
                               0,
                               0,
                               0,
                               c3 * dq[2],
                               -s3 * dq[2],
                               0,
                               0,
                               0,
                               0,
                               0,
                               0};
        saddle_pose Q;
        double found[36];
        evaluate(&joint, q, &Q, found);
        expect_near(Q.R, R, 9, 1e-14);
        expect_near(found, S, 18, 1e-14);
        rate(&joint, q, dq, found);
        expect_near(found, dS, 18, 1e-13);
    }
}

/* (2.37), (2.40) with the order of its rows as (2.39) derived from (2.37): S_1 = (c2, 0, s2). */
static void a_universal_joint_is_xyz_without_the_third_angle(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 2;
    const saddle_motion joint = saddle_motion_universal(), xyz = euler_joint("xyz");
    for (int trial = 0; trial < 50; trial++) {
        double q[6] = {test_uniform(&seed, -4, 4), test_uniform(&seed, -4, 4)};
        const double dq[6] = {test_uniform(&seed, -3, 3), test_uniform(&seed, -3, 3)};
        const double c2 = cos(q[1]), s2 = sin(q[1]);
        const double S[12] = {0, 0, 0, c2, 0, s2, 0, 0, 0, 0, 1, 0};
        const double dS[12] = {0, 0, 0, -s2 * dq[1], 0, c2 * dq[1]};
        saddle_pose Q, other;
        double found[36], whole[36];
        evaluate(&joint, q, &Q, found);
        evaluate(&xyz, q, &other, whole);
        expect_near(Q.R, other.R, 9, 1e-14);
        expect_near(found, S, 12, 1e-14);
        rate(&joint, q, dq, found);
        expect_near(found, dS, 12, 1e-13);
    }
}

static void zyx_angles_are_yaw_pitch_roll(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 3;
    const saddle_motion joint = euler_joint("zyx");
    for (int trial = 0; trial < 50; trial++) {
        double q[6] = {0}, S[36], R[9], A[9], world[3], dq[3], rpy_rate[3], omega[3];
        for (int i = 0; i < 3; i++) {
            q[i] = test_uniform(&seed, -3, 3);
            dq[i] = test_uniform(&seed, -3, 3);
        }
        const double rpy[3] = {q[2], q[1], q[0]};
        saddle_pose Q;
        evaluate(&joint, q, &Q, S);
        saddle_rpy_to_matrix(rpy, R);
        expect_near(Q.R, R, 9, 1e-14);
        saddle_rpy_rates(rpy, A);
        for (int i = 0; i < 3; i++) rpy_rate[i] = dq[2 - i];
        saddle__rotate(A, rpy_rate, world);
        for (int i = 0; i < 3; i++)
            omega[i] = S[3 + i] * dq[0] + S[9 + i] * dq[1] + S[15 + i] * dq[2];
        saddle__rotate(Q.R, omega, omega);
        expect_near(omega, world, 3, 1e-13);
    }
}

/* dR/dq_i = (q_i [q] + [[q](I - R) e_i]) R / q'q (2.43), [S_i] = R'dR/dq_i (2.44) */
static void exponential_coordinates_have_the_derivative_of_gallego_and_yezzi(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 4;
    const saddle_motion joint = saddle_motion_exponential();
    for (int trial = 0; trial < test_draws(100); trial++) {
        double q[6] = {0}, S[36];
        for (int i = 0; i < 3; i++) q[i] = test_uniform(&seed, -4, 4);
        saddle_pose Q;
        evaluate(&joint, q, &Q, S);
        const double square = saddle__dot(q, q);
        for (int i = 0; i < 3; i++) {
            double e[3], turned[3], A[9], bracket[9], dR[9], W[9];
            for (int k = 0; k < 3; k++) e[k] = (k == i) - Q.R[k + 3 * i];
            saddle__cross(q, e, turned);
            saddle__skew(q, A);
            saddle__skew(turned, bracket);
            for (int k = 0; k < 9; k++) A[k] = (q[i] * A[k] + bracket[k]) / square;
            saddle__product3(A, Q.R, dR);
            saddle__transposed_product3(Q.R, dR, W);
            const double axial[3] = {W[5], W[6], W[1]};
            expect_near(S + 3 + 6 * i, axial, 3, 1e-12);
        }
    }
}

/* Q = Q_spherical Q_translational: (2.48) - (2.50) */
static void a_chain_of_rotation_and_translation_is_the_free_joint_of_the_notes(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 5;
    const saddle_motion part[2] = {saddle_motion_exponential(), saddle_motion_translational()};
    const saddle_joint_chain chain = {2, part};
    saddle_motion joint;
    assert_int_equal(saddle_motion_chain(NULL, &chain, &joint), SADDLE_OK);
    for (int trial = 0; trial < 50; trial++) {
        double q[6], dq[6], S[36], dS[36], S1[36], dS1[36], arm[9], moving[9], block[9], other[9];
        for (int i = 0; i < 6; i++) {
            q[i] = test_uniform(&seed, -2, 2);
            dq[i] = test_uniform(&seed, -2, 2);
        }
        saddle_pose Q, Q1;
        evaluate(&joint, q, &Q, S);
        rate(&joint, q, dq, dS);
        evaluate(&part[0], q, &Q1, S1);
        rate(&part[0], q, dq, dS1);
        saddle__skew(q + 3, arm);
        saddle__skew(dq + 3, moving);
        for (int j = 0; j < 3; j++) {
            saddle__rotate(arm, S1 + 3 + 6 * j, block + 3 * j);
            expect_near(S + 3 + 6 * j, S1 + 3 + 6 * j, 3, 1e-14);
            for (int i = 0; i < 3; i++) assert_true(fabs(S[i + 6 * j] + block[i + 3 * j]) < 1e-13);
            saddle__rotate(arm, dS1 + 3 + 6 * j, block + 3 * j);
            saddle__rotate(moving, S1 + 3 + 6 * j, other + 3 * j);
            for (int i = 0; i < 3; i++)
                assert_true(fabs(dS[i + 6 * j] + block[i + 3 * j] + other[i + 3 * j]) < 1e-12);
        }
        double p[3];
        saddle__rotate(Q.R, q + 3, p);
        expect_near(Q.p, p, 3, 1e-14);
    }
}

/* ---- singular points ---- */

static void joints_are_smooth_through_their_singular_points(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 6;
    static const char *const orders[] = {"xyz", "xzy", "yxz", "yzx", "zxy", "zyx",
                                         "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"};
    for (int trial = 0; trial < 40; trial++) {
        double dq[6] = {0}, q[6] = {0};
        for (int i = 0; i < 3; i++) dq[i] = test_uniform(&seed, -2, 2);
        for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
            const saddle_motion joint = euler_joint(orders[k]);
            q[0] = test_uniform(&seed, -3, 3);
            q[2] = test_uniform(&seed, -3, 3);
            q[1] = k < 6 ? pi / 2 * (trial % 2 ? 1 : -1) : pi * (trial % 2);
            expect_differences(&joint, q, dq);
        }
        const saddle_motion joint = saddle_motion_exponential();
        const double length = pow(10, test_uniform(&seed, -14, 0));
        for (int i = 0; i < 3; i++) q[i] = trial == 0 ? 0 : length * test_uniform(&seed, -1, 1);
        expect_differences(&joint, q, dq);
        double axis[3] = {dq[1], dq[2], dq[0] + 3};
        saddle__direction(axis, axis);
        for (int i = 0; i < 3; i++) q[i] = 2 * pi * axis[i];
        expect_differences(&joint, q, dq);
    }
}

/* At q = 0: S = I, dS = -[dq]/2; at |q| = 2 pi S has rank 1. */
static void exponential_coordinates_at_zero_and_at_a_whole_turn(void **state)
{
    (void)state;
    const saddle_motion joint = saddle_motion_exponential();
    const double zero[6] = {0}, dq[6] = {1, 2, 3}, turn[6] = {0, 0, 2 * 3.14159265358979323846};
    saddle_pose Q;
    double S[36], dS[36], half[9];
    evaluate(&joint, zero, &Q, S);
    rate(&joint, zero, dq, dS);
    saddle__skew(dq, half);
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
            assert_true(S[3 + i + 6 * j] == (i == j));
            assert_true(dS[3 + i + 6 * j] == -half[i + 3 * j] / 2);
        }
    evaluate(&joint, turn, &Q, S);
    const double along[3] = {0, 0, 1}, none[3] = {0};
    expect_near(S + 3, none, 3, 1e-15);
    expect_near(S + 9, none, 3, 1e-15);
    expect_near(S + 15, along, 3, 1e-15);
}

static void reparameterized_coordinates_give_the_same_pose_and_twist(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 7;
    const saddle_motion part[2] = {saddle_motion_translational(), saddle_motion_exponential()};
    const saddle_joint_chain chain = {2, part};
    saddle_motion joint[3] = {saddle_motion_exponential(), saddle_motion_free()};
    assert_int_equal(saddle_motion_chain(NULL, &chain, &joint[2]), SADDLE_OK);
    for (int trial = 0; trial < test_draws(300); trial++) {
        const saddle_motion *j = &joint[trial % 3];
        const int first = trial % 3 == 0 ? 0 : 3;
        double q[6], dq[6], axis[3], S[36], before[6], after[6];
        for (int i = 0; i < 6; i++) {
            q[i] = test_uniform(&seed, -1, 1);
            dq[i] = test_uniform(&seed, -2, 2);
        }
        saddle__direction(q + first, axis);
        const double angle = test_uniform(&seed, 0, 14);
        for (int i = 0; i < 3; i++) q[first + i] = angle * axis[i];
        saddle_pose Q, other;
        evaluate(j, q, &Q, S);
        twist_of(S, dq, j->size, before);
        const int changed = j->reparameterize(j->data, q, dq);
        assert_int_equal(changed, angle > 1.5 * pi);
        evaluate(j, q, &other, S);
        twist_of(S, dq, j->size, after);
        expect_near(Q.R, other.R, 9, 1e-13);
        expect_near(Q.p, other.p, 3, 1e-13);
        expect_near(before, after, 6, 1e-11);
        const double length = sqrt(saddle__dot(q + first, q + first));
        assert_true(length <= (changed ? pi : 1.5 * pi) + 1e-12);
    }
}

/* ---- splines ---- */

/* Frames without rotation: x = C B(q) (2.58), a curve of points. */
static void a_spline_of_points_is_the_curve_of_points(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 8;
    saddle_pose frame[6];
    double difference[36];
    for (int k = 0; k < 6; k++) {
        frame[k] = saddle_pose_identity();
        for (int i = 0; i < 3; i++) frame[k].p[i] = test_uniform(&seed, -1, 1);
    }
    const saddle_joint_spline spline = {6, frame, difference};
    saddle_motion joint;
    assert_int_equal(saddle_motion_spline(NULL, &spline, &joint), SADDLE_OK);
    for (int trial = 0; trial <= 30; trial++) {
        const double q[6] = {trial / 10.0};
        const int s = trial == 30 ? 2 : trial / 10;
        const double t = q[0] - s;
        const double B[4] = {(1 - 3 * t + 3 * t * t - t * t * t) / 6,
                             (4 - 6 * t * t + 3 * t * t * t) / 6,
                             (1 + 3 * t + 3 * t * t - 3 * t * t * t) / 6, t * t * t / 6};
        double x[3] = {0}, S[36];
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 3; i++) x[i] += B[k] * frame[s + k].p[i];
        saddle_pose Q;
        evaluate(&joint, q, &Q, S);
        expect_near(Q.p, x, 3, 1e-14);
    }
}

/* Values, S and dS are the same on both sides of a knot. */
static void splines_have_two_derivatives_at_their_knots(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 9;
    for (int trial = 0; trial < 40; trial++) {
        drawn_joint *d = draw_joint(&seed, trial % 2 ? DRAWN_SPLINE : DRAWN_SURFACE);
        const double below[6] = {nextafter(1, 0), nextafter(1, 0)}, at[6] = {1, 1};
        const double dq[6] = {test_uniform(&seed, -1, 1), test_uniform(&seed, -1, 1)};
        saddle_pose Q, other;
        double S[36], S2[36], dS[36], dS2[36];
        evaluate(&d->joint, below, &Q, S);
        evaluate(&d->joint, at, &other, S2);
        rate(&d->joint, below, dq, dS);
        rate(&d->joint, at, dq, dS2);
        expect_near(Q.p, other.p, 3, 1e-13);
        expect_near(Q.R, other.R, 9, 1e-13);
        expect_near(S, S2, 36, 1e-13);
        expect_near(dS, dS2, 36, 1e-12);
        free_joint(d);
    }
}

static void coordinates_out_of_range_and_wrong_data_are_refused(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 10;
    saddle_motion joint;
    saddle_pose Q;
    double S[36] = {0};
    for (int kind = 0; kind < DRAWN_JOINT_KINDS; kind++) {
        drawn_joint *d = draw_joint(&seed, kind);
        double q[6], dq[6];
        draw_coordinates(&seed, d, q, dq);
        for (int64_t i = 0; i < d->joint.size; i++) {
            const double kept = q[i];
            q[i] = NAN;
            assert_int_equal(d->joint.evaluate(d->joint.data, q, &Q, S), 1);
            if (d->joint.rate) assert_int_equal(d->joint.rate(d->joint.data, q, dq, S), 1);
            q[i] = kept;
        }
        if (kind == DRAWN_SPLINE || kind == DRAWN_SURFACE) {
            q[0] = -1e-3;
            assert_int_equal(d->joint.evaluate(d->joint.data, q, &Q, S), 1);
            q[0] = 1e3;
            assert_int_equal(d->joint.evaluate(d->joint.data, q, &Q, S), 1);
        }
        free_joint(d);
    }
    assert_int_equal(saddle_motion_euler(NULL, "xxy", &joint), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_motion_euler(NULL, "", &joint), SADDLE_INVALID_ARGUMENT);
    const saddle_motion part[2] = {saddle_motion_free(), saddle_motion_revolute()};
    const saddle_joint_chain wide = {2, part}, none = {0, part};
    assert_int_equal(saddle_motion_chain(NULL, &wide, &joint), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_motion_chain(NULL, &none, &joint), SADDLE_INVALID_ARGUMENT);
    saddle_pose frame[4] = {saddle_pose_identity(), saddle_pose_identity(), saddle_pose_identity(),
                            saddle_pose_identity()};
    double difference[24];
    const saddle_joint_spline few = {3, frame, difference}, bad = {4, frame, difference};
    assert_int_equal(saddle_motion_spline(NULL, &few, &joint), SADDLE_INVALID_ARGUMENT);
    frame[2].p[1] = INFINITY;
    assert_int_equal(saddle_motion_spline(NULL, &bad, &joint), SADDLE_INVALID_ARGUMENT);
    frame[2].p[1] = 0;
    assert_int_equal(saddle_motion_spline(NULL, &bad, &joint), SADDLE_OK);
    for (int k = -1; k <= 1; k += 2) { /* a reflection; twice a rotation */
        for (int i = 0; i < 3; i++) frame[2].R[4 * i] = k < 0 ? -1 : 2;
        assert_int_equal(saddle_motion_spline(NULL, &bad, &joint), SADDLE_INVALID_ARGUMENT);
    }
    double control[96] = {0};
    const saddle_joint_surface small = {4, 3, control}, nan = {4, 4, control};
    assert_int_equal(saddle_motion_surface(NULL, &small, &joint), SADDLE_INVALID_ARGUMENT);
    control[95] = NAN;
    assert_int_equal(saddle_motion_surface(NULL, &nan, &joint), SADDLE_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twists_and_rates_are_differences_for_every_joint),
        cmocka_unit_test(xzx_angles_are_those_of_the_notes),
        cmocka_unit_test(a_universal_joint_is_xyz_without_the_third_angle),
        cmocka_unit_test(zyx_angles_are_yaw_pitch_roll),
        cmocka_unit_test(exponential_coordinates_have_the_derivative_of_gallego_and_yezzi),
        cmocka_unit_test(a_chain_of_rotation_and_translation_is_the_free_joint_of_the_notes),
        cmocka_unit_test(joints_are_smooth_through_their_singular_points),
        cmocka_unit_test(exponential_coordinates_at_zero_and_at_a_whole_turn),
        cmocka_unit_test(reparameterized_coordinates_give_the_same_pose_and_twist),
        cmocka_unit_test(a_spline_of_points_is_the_curve_of_points),
        cmocka_unit_test(splines_have_two_derivatives_at_their_knots),
        cmocka_unit_test(coordinates_out_of_range_and_wrong_data_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
