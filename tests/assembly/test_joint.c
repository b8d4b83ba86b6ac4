/* SPDX-License-Identifier: MIT */
/* Joints with phi = 0 and beside: rows against the adjoint (seed 003, 1.69) and against those of
 * seed 001, signs of errors and corrections, free coordinates against closed forms. */
#include <math.h>
#include <string.h>

#include "linkage.h"
#include "saddle/rotation.h"
#include "saddle/spatial.h"
#include "space/space.h"

enum { TRIALS = 200, ROWS = SADDLE_CONSTRAINT_ROWS_MAX, KINDS = SADDLE_JOINT_CUSTOM };

static void draw_coordinates(uint64_t *state, double *q, double *gamma)
{
    for (int k = 0; k < 3; k++) q[k] = test_uniform(state, -1.4, 1.4);
    *gamma = test_uniform(state, -0.7, 0.7);
}

static const unsigned locked_of[KINDS] = {
    [SADDLE_JOINT_FIXED] = 63, [SADDLE_JOINT_HINGE] = 31,     [SADDLE_JOINT_SLIDER] = 59,
    [SADDLE_JOINT_BALL] = 7,   [SADDLE_JOINT_UNIVERSAL] = 39, [SADDLE_JOINT_WHEEL] = 39,
};

/* ---- rows ---- */

/* Where the frames meet, J = (-Ad(F_a)^-1, Ad(F_b)^-1), rows selected. */
static void where_frames_meet_rows_are_those_of_the_adjoint(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    const saddle_pose E = saddle_pose_identity();
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        test_linkage linkage;
        const int kind = trial % KINDS;
        double phi[ROWS], J[ROWS * 12], A[36], B[36];
        test_linkage_begin(NULL, &state, (saddle_joint_kind)kind, &E, 0, &linkage);
        test_linkage_add(&linkage);
        saddle_pose_adjoint_inverse(&linkage.def.frame_a, A);
        saddle_pose_adjoint_inverse(&linkage.def.frame_b, B);
        int64_t row = 0;
        const int64_t rows = test_linkage_rows(&linkage, phi, J);
        for (int axis = 0; axis < 6; axis++) {
            if (!(locked_of[kind] >> axis & 1)) continue;
            for (int j = 0; j < 6; j++) {
                assert_true(fabs(J[12 * row + j] + A[axis + 6 * j]) < 1e-13);
                assert_true(fabs(J[12 * row + 6 + j] - B[axis + 6 * j]) < 1e-13);
            }
            row++;
        }
        assert_int_equal(row, rows);
        test_linkage_end(&linkage);
    }
}

/* phi = 0 wherever the kind allows to be, and begins as the displacement of the locked axes. */
static void errors_vanish_along_the_free_coordinates_and_grow_along_the_locked_ones(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        const int kind = trial % KINDS;
        test_linkage linkage;
        double q[3], gamma, phi[ROWS], J[ROWS * 12];
        draw_coordinates(&state, q, &gamma);
        const saddle_pose E = test_allowed_pose((saddle_joint_kind)kind, q, gamma);
        test_linkage_begin(NULL, &state, (saddle_joint_kind)kind, &E, trial % 3 == 0, &linkage);
        test_linkage_add(&linkage);
        int64_t rows = test_linkage_rows(&linkage, phi, J);
        for (int64_t i = 0; i < rows; i++) assert_true(fabs(phi[i]) < 1e-14);
        test_linkage_end(&linkage);

        const saddle_pose meet = saddle_pose_identity();
        const double size = 1e-5;
        double twist[6];
        for (int i = 0; i < 6; i++) twist[i] = test_uniform(&state, -size, size);
        test_linkage_begin(NULL, &state, (saddle_joint_kind)kind, &meet, trial % 3 == 0, &linkage);
        test_linkage_add(&linkage);
        test_linkage_shift(&linkage, twist);
        rows = test_linkage_rows(&linkage, phi, J);
        for (int64_t i = 0, axis = 0; i < rows; i++, axis++) {
            while (!(locked_of[kind] >> axis & 1)) axis++;
            assert_true(fabs(phi[i] - twist[axis]) < 2 * size * size);
        }
        test_linkage_end(&linkage);
    }
}

/* ---- seed 001 ---- */

typedef struct world { /* of a linkage, in the world's axes */
    double arm[2][3];  /* anchor less the bodies' origins: the seed's R r_anc */
    double c[3];       /* b's origin less a's */
    double A[9], B[9]; /* axes of the joint frames */
} world;

static world world_of(const test_linkage *linkage)
{
    const saddle_joint_def *def = &linkage->def;
    const saddle_pose *a = saddle_model_pose(linkage->model, def->a),
                      *b = saddle_model_pose(linkage->model, def->b);
    const saddle_pose outer = saddle_pose_multiply(a, &def->frame_a),
                      inner = saddle_pose_multiply(b, &def->frame_b);
    world made;
    for (int i = 0; i < 3; i++) {
        made.arm[0][i] = outer.p[i] - a->p[i];
        made.arm[1][i] = inner.p[i] - b->p[i];
        made.c[i] = b->p[i] - a->p[i];
    }
    memcpy(made.A, outer.R, sizeof made.A);
    memcpy(made.B, inner.R, sizeof made.B);
    return made;
}

/* Row r of the seed (v_i, omega_i, v_j, omega_j): lin' v_i + ang_i' omega_i - lin' v_j + ang_j'
 * omega_j */
static void seed_row(const double *lin, const double *ang_i, const double *ang_j, double *row)
{
    for (int k = 0; k < 3; k++) {
        row[k] = lin[k];
        row[3 + k] = ang_i[k];
        row[6 + k] = -lin[k];
        row[9 + k] = ang_j[k];
    }
}

/* Ball in socket: E, -(R_i r_i)x, -E, (R_j r_j)x */
static int seed_ball(const world *w, double *rows)
{
    for (int k = 0; k < 3; k++) {
        const double lin[3] = {k == 0, k == 1, k == 2};
        double ang_i[3], ang_j[3];
        saddle__cross(w->arm[0], lin, ang_i); /* row k of -(r)x */
        saddle__cross(lin, w->arm[1], ang_j);
        seed_row(lin, ang_i, ang_j, rows + 12 * k);
    }
    return 3;
}

/* No relative rotation about an axis. */
static void seed_rotation(const double *axis, double *row)
{
    const double zero[3] = {0, 0, 0}, back[3] = {-axis[0], -axis[1], -axis[2]};
    seed_row(zero, back, axis, row);
}

/* t'(v_i - v_j + (omega_i + omega_j)/2 x c) */
static void seed_slide(const double *t, const double *c, double *row)
{
    double half[3];
    saddle__cross(c, t, half);
    for (int k = 0; k < 3; k++) half[k] /= 2;
    seed_row(t, half, half, row);
}

static int seed_rows(saddle_joint_kind kind, const world *w, double *rows)
{
    double u[3];
    int count = kind == SADDLE_JOINT_SLIDER ? 0 : seed_ball(w, rows);
    switch (kind) {
    case SADDLE_JOINT_HINGE:
        for (int k = 0; k < 2; k++) seed_rotation(w->A + 3 * k, rows + 12 * count++);
        break;
    case SADDLE_JOINT_FIXED:
        for (int k = 0; k < 3; k++) seed_rotation(w->A + 3 * k, rows + 12 * count++);
        break;
    case SADDLE_JOINT_SLIDER:
        for (int k = 0; k < 3; k++) seed_rotation(w->A + 3 * k, rows + 12 * count++);
        for (int k = 0; k < 2; k++) seed_slide(w->A + 3 * k, w->c, rows + 12 * count++);
        break;
    case SADDLE_JOINT_UNIVERSAL:
    case SADDLE_JOINT_WHEEL:
        saddle__cross(w->A, w->B + 3, u);
        seed_rotation(u, rows + 12 * count++);
        break;
    default: break;
    }
    return count;
}

/* Rows of J, in bodies' axes, as rows for velocities in the world's. */
static void rows_in_world(const test_linkage *linkage, int64_t rows, const double *J, double *out)
{
    const saddle_handle parts[2] = {linkage->def.a, linkage->def.b};
    for (int64_t i = 0; i < 4 * rows; i++) {
        saddle__rotate(saddle_model_pose(linkage->model, parts[i % 4 / 2])->R, J + 3 * i,
                       out + 3 * i);
    }
}

/* Takes from each of `others` what the rows span, by Gram and Schmidt done twice; the largest that
 * is left. */
static double outside(int64_t count, double *rows, int64_t others_count, double *others)
{
    double largest = 0;
    for (int64_t i = 0; i < count + others_count; i++) {
        double *row = i < count ? rows + 12 * i : others + 12 * (i - count);
        for (int64_t pass = 0; pass < 2; pass++) {
            for (int64_t k = 0; k < (i < count ? i : count); k++) {
                double along = 0;
                for (int j = 0; j < 12; j++) along += rows[12 * k + j] * row[j];
                for (int j = 0; j < 12; j++) row[j] -= along * rows[12 * k + j];
            }
        }
        double length = 0;
        for (int j = 0; j < 12; j++) length = hypot(length, row[j]);
        if (i < count) assert_true(length > 1e-3); /* independent rows */
        for (int j = 0; i < count && j < 12; j++) row[j] /= length;
        if (i >= count) largest = fmax(largest, length);
    }
    return largest;
}

static void rows_span_what_those_of_seed_001_span(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        const saddle_joint_kind kind = (saddle_joint_kind)(trial % KINDS);
        test_linkage linkage;
        double q[3], gamma, phi[ROWS], J[ROWS * 12], ours[ROWS * 12], theirs[6 * 12];
        draw_coordinates(&state, q, &gamma);
        const saddle_pose E = test_allowed_pose(kind, q, gamma);
        test_linkage_begin(NULL, &state, kind, &E, 0, &linkage);
        test_linkage_add(&linkage);
        const int64_t rows = test_linkage_rows(&linkage, phi, J);
        const world w = world_of(&linkage);
        assert_int_equal(seed_rows(kind, &w, theirs), rows);
        rows_in_world(&linkage, rows, J, ours);
        assert_true(outside(rows, ours, rows, theirs) < 1e-12);
        test_linkage_end(&linkage);
    }
}

/* Limits and motors: of a hinge (0, -s, 0, s); of a slider (-s, -c x s/2, s, -c x s/2), up to what
 * its locked rows are.  The seed has +c x s/2 on body i: s.(v_j - v_i) is not the rate of a
 * distance along an axis that turns. */
static void rows_of_limits_and_motors_are_those_of_seed_001(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        const saddle_joint_kind kind = trial % 2 ? SADDLE_JOINT_SLIDER : SADDLE_JOINT_HINGE;
        test_linkage linkage;
        double q[3], gamma, phi[ROWS], J[ROWS * 12], ours[ROWS * 12], theirs[3 * 12], half[3];
        draw_coordinates(&state, q, &gamma);
        const saddle_pose E = test_allowed_pose(kind, q, 0);
        test_linkage_begin(NULL, &state, kind, &E, 0, &linkage);
        linkage.def.free[0].lo = -2;
        linkage.def.free[0].hi = 3;
        linkage.def.free[0].motor = 1;
        test_linkage_add(&linkage);
        assert_int_equal(test_linkage_rows(&linkage, phi, J), 8);
        assert_true(fabs(phi[5] - (q[0] + 2)) < 1e-13 && fabs(phi[6] - (3 - q[0])) < 1e-13);
        rows_in_world(&linkage, 8, J, ours);
        const world w = world_of(&linkage);
        const double *s = w.A + 6;
        saddle__cross(s, w.c, half);
        for (int k = 0; k < 3; k++) {
            const double lin[3] = {-s[0], -s[1], -s[2]};
            for (int j = 0; j < 3; j++) half[j] /= k == 0 ? 2 : 1;
            if (kind == SADDLE_JOINT_HINGE)
                seed_rotation(s, theirs + 12 * k);
            else
                seed_row(lin, half, half, theirs + 12 * k);
        }
        for (int k = 0; k < 12; k++) {
            const double sign[3] = {1, -1, 1}; /* lo, hi, motor */
            for (int i = 0; i < 3; i++) theirs[12 * i + k] -= sign[i] * ours[12 * (5 + i) + k];
            if (kind == SADDLE_JOINT_HINGE) assert_true(fabs(theirs[k]) < 1e-13);
        }
        assert_true(outside(5, ours, 3, theirs) < 1e-12);
        test_linkage_end(&linkage);
    }
}

/* The fourth row of universal and wheel is the seed's u'(omega_j - omega_i), u = s_i x s_j, and its
 * correction -phi the seed's s_i . s_j and what k (theta - phi) is to first order: together they
 * lead back, not away. */
static void the_fourth_row_of_universal_and_wheel_agrees_with_its_correction(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        const saddle_joint_kind kind = trial % 2 ? SADDLE_JOINT_WHEEL : SADDLE_JOINT_UNIVERSAL;
        test_linkage linkage;
        double q[3], gamma, phi[ROWS], J[ROWS * 12], ours[ROWS * 12], twist[6] = {0}, u[3];
        draw_coordinates(&state, q, &gamma);
        const saddle_pose E = test_allowed_pose(kind, q, gamma);
        test_linkage_begin(NULL, &state, kind, &E, 0, &linkage);
        test_linkage_add(&linkage);
        const world before = world_of(&linkage);
        const double rest = acos(saddle__dot(before.A, before.B + 3));
        for (int i = 3; i < 6; i++) twist[i] = test_uniform(&state, -1e-3, 1e-3);
        test_linkage_shift(&linkage, twist);
        const int64_t rows = test_linkage_rows(&linkage, phi, J);
        const world w = world_of(&linkage);
        rows_in_world(&linkage, rows, J, ours);
        saddle__cross(w.A, w.B + 3, u);
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(ours[36 + 3 + k] + u[k]) < 1e-13);
            assert_true(fabs(ours[36 + 9 + k] - u[k]) < 1e-13);
        }
        const double cosine = saddle__dot(w.A, w.B + 3), now = acos(cosine);
        if (kind == SADDLE_JOINT_UNIVERSAL) assert_true(fabs(-phi[3] - cosine) < 1e-15);
        assert_true(fabs(-phi[3] - (rest - now) * sin(rest)) < 1e-5);
        test_linkage_end(&linkage);
    }
}

/* ---- corrections ---- */

/* x: S x = y, S (n x n) positive definite, by Gauss. */
static void solve(int64_t n, double *S, double *x)
{
    for (int64_t k = 0; k < n; k++) {
        for (int64_t i = k + 1; i < n; i++) {
            const double factor = S[i + n * k] / S[k + n * k];
            for (int64_t j = k; j < n; j++) S[i + n * j] -= factor * S[k + n * j];
            x[i] -= factor * x[k];
        }
    }
    for (int64_t i = n - 1; i >= 0; i--) {
        for (int64_t j = i + 1; j < n; j++) x[i] -= S[i + n * j] * x[j];
        x[i] /= S[i + n * i];
    }
}

/* q <- q exp(-M^-1 J'(J M^-1 J')^-1 phi); returns max |phi| before. */
static double correct(test_linkage *linkage)
{
    double phi[ROWS], J[ROWS * 12], S[36] = {0}, push[12] = {0};
    const int64_t rows = test_linkage_rows(linkage, phi, J);
    const saddle_handle parts[2] = {linkage->def.a, linkage->def.b};
    double largest = 0, G[6 * 12]; /* G = M^-1 J' */
    for (int64_t i = 0; i < 2 * rows; i++) {
        const saddle_body_inertia *inertia = saddle_model_inertia(linkage->model, parts[i % 2]);
        assert_int_equal(saddle_body_inertia_solve(NULL, inertia, J + 6 * i, G + 6 * i), SADDLE_OK);
    }
    for (int64_t i = 0; i < rows; i++) {
        largest = fmax(largest, fabs(phi[i]));
        for (int64_t j = 0; j < rows; j++) {
            for (int k = 0; k < 12; k++) S[i + rows * j] += J[12 * i + k] * G[12 * j + k];
        }
    }
    solve(rows, S, phi);
    for (int64_t i = 0; i < rows; i++) {
        for (int k = 0; k < 12; k++) push[k] -= G[12 * i + k] * phi[i];
    }
    for (int k = 0; k < 2; k++) {
        saddle_pose *pose = saddle_model_pose(linkage->model, parts[k]);
        const saddle_pose by = saddle_pose_exp(push + 6 * k);
        *pose = saddle_pose_multiply(pose, &by);
    }
    return largest;
}

/* Newton's steps from errors up to 0.3 m and 17 degrees: a wrong sign in any row would let it
 * grow. */
static void newton_steps_of_positions_take_every_error_out(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        const saddle_joint_kind kind = (saddle_joint_kind)(trial % KINDS);
        test_linkage linkage;
        double q[3], gamma, twist[6];
        draw_coordinates(&state, q, &gamma);
        const saddle_pose E = test_allowed_pose(kind, q, gamma);
        test_linkage_begin(NULL, &state, kind, &E, 0, &linkage);
        test_linkage_add(&linkage);
        for (int i = 0; i < 6; i++) twist[i] = test_uniform(&state, -0.3, 0.3);
        test_linkage_shift(&linkage, twist);
        double error = 0;
        for (int step = 0; step < 8; step++) error = correct(&linkage);
        assert_true(error < 1e-13);
        test_linkage_end(&linkage);
    }
}

/* ---- free coordinates ---- */

/* q as the allowed pose was made of; dq by differences of q along the motion. */
static void coordinates_are_those_the_pose_was_made_of(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        const saddle_joint_kind kind = (saddle_joint_kind)(trial % KINDS);
        const int64_t count = saddle_joint_free_count(kind);
        test_linkage linkage;
        double q[3], gamma, found[3], speed[3], ahead[3], behind[3];
        draw_coordinates(&state, q, &gamma);
        const saddle_pose E = test_allowed_pose(kind, q, gamma);
        test_linkage_begin(NULL, &state, kind, &E, trial % 4 == 0, &linkage);
        test_linkage_add(&linkage);
        assert_int_equal(saddle_model_joint_coordinates(linkage.model, linkage.joint, found, speed),
                         SADDLE_OK);
        for (int64_t k = 0; k < count; k++) assert_true(fabs(found[k] - q[k]) < 1e-13);
        const double h = 1e-5;
        double *const out[2] = {ahead, behind};
        for (int s = 0; s < 2; s++) {
            const saddle_handle parts[2] = {linkage.def.a, linkage.def.b};
            for (int k = 0; k < 2; k++) {
                saddle_pose *pose = saddle_model_pose(linkage.model, parts[k]);
                const double *v = saddle_model_velocity(linkage.model, parts[k]);
                double twist[6];
                for (int i = 0; pose != NULL && i < 6; i++) twist[i] = (s == 0 ? h : -2 * h) * v[i];
                const saddle_pose by = pose == NULL ? saddle_pose_identity()
                                                    : saddle_pose_exp(twist);
                if (pose != NULL) *pose = saddle_pose_multiply(pose, &by);
            }
            assert_int_equal(saddle_model_joint_coordinates(linkage.model, linkage.joint, out[s],
                                                            NULL),
                             SADDLE_OK);
        }
        for (int64_t k = 0; k < count; k++)
            assert_true(fabs(speed[k] - (ahead[k] - behind[k]) / (2 * h)) < 1e-6);
        test_linkage_end(&linkage);
    }
}

/* Seed 000, 0.4: the rates of roll, pitch and yaw are A^-1 omega. */
static void rates_of_a_ball_are_those_of_roll_pitch_and_yaw(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        test_linkage linkage;
        double q[3], gamma, inverse[9], found[3], speed[3], relative[3], expected[3];
        draw_coordinates(&state, q, &gamma);
        const saddle_pose E = test_allowed_pose(SADDLE_JOINT_BALL, q, 0);
        test_linkage_begin(NULL, &state, SADDLE_JOINT_BALL, &E, 0, &linkage);
        test_linkage_add(&linkage);
        assert_int_equal(saddle_model_joint_coordinates(linkage.model, linkage.joint, found, speed),
                         SADDLE_OK);
        const world w = world_of(&linkage);
        double omega[2][3];
        const saddle_handle parts[2] = {linkage.def.a, linkage.def.b};
        for (int k = 0; k < 2; k++) {
            const double *twist = saddle_model_velocity(linkage.model, parts[k]);
            saddle__rotate(saddle_model_pose(linkage.model, parts[k])->R, twist + 3, omega[k]);
        }
        for (int i = 0; i < 3; i++) relative[i] = omega[1][i] - omega[0][i];
        saddle__unrotate(w.A, relative, relative);
        const double rpy[3] = {q[2], q[1], q[0]}, backward[3] = {speed[2], speed[1], speed[0]};
        assert_int_equal(saddle_rpy_rates_inverse(NULL, rpy, inverse), SADDLE_OK);
        saddle__rotate(inverse, relative, expected);
        assert_true(test_distance(backward, expected, 3) < 1e-13);
        test_linkage_end(&linkage);
    }
}

/* At gimbal lock a ball still works; only queries of its angles, and limits on them, fail, with the
 * joint's name. */
static void gimbal_lock_is_an_error_that_names_the_joint_where_its_angles_are_used(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    const double q[3] = {0.3, acos(-1) / 2, 0};
    const saddle_pose E = test_allowed_pose(SADDLE_JOINT_BALL, q, 0);
    for (int limited = 0; limited < 2; limited++) {
        test_linkage linkage;
        double angle[3], phi[ROWS];
        test_linkage_begin(context, &state, SADDLE_JOINT_BALL, &E, 0, &linkage);
        linkage.def.name = "hip";
        if (limited) linkage.def.free[0].hi = 1;
        test_linkage_add(&linkage);
        const saddle_status status = saddle_model_constraint_evaluate(linkage.model, linkage.joint,
                                                                      phi, NULL, phi);
        assert_int_equal(status, limited ? SADDLE_SINGULAR : SADDLE_OK);
        const char *expected =
            "constraint 'hip': free coordinate 1 of a ball is not defined here: gimbal lock";
        if (limited) assert_string_equal(saddle_context_message(context), expected);
        assert_int_equal(saddle_model_joint_coordinates(linkage.model, linkage.joint, angle, NULL),
                         SADDLE_SINGULAR);
        assert_string_equal(saddle_context_message(context), expected);
        test_linkage_end(&linkage);
    }
    saddle_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_frames_meet_rows_are_those_of_the_adjoint),
        cmocka_unit_test(errors_vanish_along_the_free_coordinates_and_grow_along_the_locked_ones),
        cmocka_unit_test(rows_span_what_those_of_seed_001_span),
        cmocka_unit_test(rows_of_limits_and_motors_are_those_of_seed_001),
        cmocka_unit_test(the_fourth_row_of_universal_and_wheel_agrees_with_its_correction),
        cmocka_unit_test(newton_steps_of_positions_take_every_error_out),
        cmocka_unit_test(coordinates_are_those_the_pose_was_made_of),
        cmocka_unit_test(rates_of_a_ball_are_those_of_roll_pitch_and_yaw),
        cmocka_unit_test(gimbal_lock_is_an_error_that_names_the_joint_where_its_angles_are_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
