/* SPDX-License-Identifier: MIT */
/* Rigid bodies and joint rows of the generators, against point masses, energy, and finite
 * differences of what they claim to be the derivative of. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "rigid.h"

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* R <- R exp([turn]) to third order in turn, by the Cayley transform. */
static void turn_body(rigid_body *body, const double *turn)
{
    double half[3], scale = 0, result[9];
    for (int i = 0; i < 3; i++) {
        half[i] = turn[i] / 2;
        scale += half[i] * half[i];
    }
    for (int j = 0; j < 3; j++) {
        double unit[3] = {0, 0, 0}, once[3], twice[3], image[3];
        unit[j] = 1;
        rigid_cross(half, unit, once);
        rigid_cross(half, once, twice);
        for (int i = 0; i < 3; i++) image[i] = unit[i] + 2 * (once[i] + twice[i]) / (1 + scale);
        rigid_rotate(body->rotation, image, once);
        for (int i = 0; i < 3; i++) result[3 * i + j] = once[i];
    }
    memcpy(body->rotation, result, sizeof result);
}

/* The body after moving along its k-th velocity by step. */
static rigid_body moved(const rigid_body *body, int k, double step)
{
    rigid_body after = *body;
    double local[3] = {0, 0, 0}, world[3];
    local[k % 3] = step;
    if (k < 3) {
        rigid_rotate(body->rotation, local, world);
        for (int i = 0; i < 3; i++) after.position[i] += world[i];
    } else {
        turn_body(&after, local);
    }
    return after;
}

static rigid_body draw_body(uint64_t *state)
{
    double sides[3], centre[3], turn[3];
    for (int i = 0; i < 3; i++) {
        sides[i] = test_uniform(state, 0.1, 1);
        centre[i] = test_uniform(state, -0.5, 0.5);
        turn[i] = test_uniform(state, -2, 2);
    }
    rigid_body body = rigid_box(test_uniform(state, 500, 2000), sides, centre);
    turn_body(&body, turn);
    for (int i = 0; i < 3; i++) body.position[i] = test_uniform(state, -1, 1);
    for (int i = 0; i < 6; i++) body.twist[i] = test_uniform(state, -3, 3);
    return body;
}

/* ---- inertia ---- */

/* A box equals eight point masses m/8 at centre +- side / sqrt(12): the same mass, centre and
 * second moments. */
static void kinetic_energy_is_that_of_point_masses(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    const double sides[3] = {0.7, 0.3, 0.2}, centre[3] = {0.4, -0.2, 0.1};
    rigid_body body = rigid_box(800, sides, centre);
    double G[36], energy = 0, expected = 0;
    for (int i = 0; i < 6; i++) body.twist[i] = test_uniform(&state, -1, 1);
    rigid_inertia_matrix(&body, G);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) energy += body.twist[i] * G[6 * i + j] * body.twist[j] / 2;
    for (int corner = 0; corner < 8; corner++) {
        double r[3], v[3];
        for (int i = 0; i < 3; i++)
            r[i] = centre[i] + (corner >> i & 1 ? 1 : -1) * sides[i] / sqrt(12);
        rigid_cross(body.twist + 3, r, v);
        for (int i = 0; i < 3; i++) v[i] += body.twist[i];
        expected += 800 * 0.7 * 0.3 * 0.2 / 8 * dot(v, v) / 2;
    }
    assert_true(fabs(energy - expected) < 1e-13 * expected);
}

static void gyroscopic_term_does_no_work(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < 20; draw++) {
        rigid_body body = draw_body(&state);
        double term[6], scale = 0;
        rigid_gyroscopic(&body, term);
        for (int i = 0; i < 6; i++) scale += fabs(body.twist[i] * term[i]);
        assert_true(fabs(dot(body.twist, term) + dot(body.twist + 3, term + 3)) < 1e-14 * scale);
    }
}

/* World momentum (R p, R l + x x R p) of the body. */
static void world_momentum(const rigid_body *body, double *momentum)
{
    double G[36], local[6] = {0}, moment[3];
    rigid_inertia_matrix(body, G);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) local[i] += G[6 * i + j] * body->twist[j];
    rigid_rotate(body->rotation, local, momentum);
    rigid_rotate(body->rotation, local + 3, momentum + 3);
    rigid_cross(body->position, momentum, moment);
    for (int i = 0; i < 3; i++) momentum[3 + i] += moment[i];
}

/* Moving a free body along its twist for a short time t while its body momentum changes by -t
 * (gyroscopic term) keeps its momentum in the world to second order in t. */
static void gyroscopic_term_keeps_the_world_momentum(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    const double t = 1e-5;
    rigid_body body = draw_body(&state);
    double G[36], term[6], shift[3], turn[3], before[6], after[6];
    world_momentum(&body, before);
    rigid_gyroscopic(&body, term);
    rigid_inertia_matrix(&body, G);
    rigid_body later = body;
    rigid_rotate(body.rotation, body.twist, shift);
    for (int i = 0; i < 3; i++) {
        later.position[i] += t * shift[i];
        turn[i] = t * body.twist[3 + i];
    }
    turn_body(&later, turn);
    double local[6] = {0}, moment[3];
    for (int i = 0; i < 6; i++) {
        local[i] = -t * term[i];
        for (int j = 0; j < 6; j++) local[i] += G[6 * i + j] * body.twist[j];
    }
    rigid_rotate(later.rotation, local, after);
    rigid_rotate(later.rotation, local + 3, after + 3);
    rigid_cross(later.position, after, moment);
    for (int i = 0; i < 3; i++) after[3 + i] += moment[i];
    for (int i = 0; i < 6; i++) assert_true(fabs(after[i] - before[i]) < 1e5 * t * t);
    assert_true(fabs(term[0]) + fabs(term[3]) > 1);
}

static void gyroscopic_jacobian_is_the_derivative(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    rigid_body body = draw_body(&state);
    double C[36], more[6], less[6], scale = 0;
    rigid_gyroscopic_jacobian(&body, C);
    for (int k = 0; k < 36; k++) scale = fmax(scale, fabs(C[k]));
    for (int j = 0; j < 6; j++) {
        const double step = 1e-3; /* the term is quadratic: a central difference has no
                                     truncation */
        rigid_body there = body;
        there.twist[j] += step;
        rigid_gyroscopic(&there, more);
        there.twist[j] -= 2 * step;
        rigid_gyroscopic(&there, less);
        for (int i = 0; i < 6; i++)
            assert_true(fabs(C[6 * i + j] - (more[i] - less[i]) / (2 * step)) < 1e-10 * scale);
    }
}

static void weight_stiffness_is_the_derivative(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    const double gravity[3] = {1, -2, -9.81}, step = 1e-5;
    rigid_body body = draw_body(&state);
    double K[36], more[6], less[6], scale = 0;
    rigid_weight_stiffness(&body, gravity, K);
    for (int k = 0; k < 36; k++) scale = fmax(scale, fabs(K[k]));
    for (int j = 0; j < 6; j++) {
        rigid_body there = moved(&body, j, step);
        rigid_weight(&there, gravity, more);
        there = moved(&body, j, -step);
        rigid_weight(&there, gravity, less);
        for (int i = 0; i < 6; i++)
            assert_true(fabs(K[6 * i + j] - (more[i] - less[i]) / (2 * step)) < 1e-8 * scale);
    }
}

/* ---- rows ---- */

typedef struct joint_case {
    rigid_body bodies[2];
    double local[2][3]; /* the points joined */
    double frame[9];    /* columns t1, t2, axis */
    int count;          /* 3 points, 2 more turns */
} joint_case;

/* What the rows differentiate: the point difference along the frame's columns (fixed in the world);
 * then the hinge's misalignment (R_A t1).(R_B axis) and (R_A t2).(R_B axis), body axes being those
 * that the columns are when the joint is made. */
static void joint_function(const joint_case *made, const rigid_body *bodies, double *value)
{
    double point[2][3], column[3][3];
    for (int side = 0; side < 2; side++) rigid_point(bodies + side, made->local[side], point[side]);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) column[k][i] = made->frame[3 * i + k];
    for (int k = 0; k < 3; k++) {
        value[k] = 0;
        for (int i = 0; i < 3; i++) value[k] += column[k][i] * (point[1][i] - point[0][i]);
    }
    double axis_local[3], axis[3];
    rigid_rotate_back(made->bodies[1].rotation, column[2], axis_local);
    rigid_rotate(bodies[1].rotation, axis_local, axis);
    for (int k = 0; k < 2; k++) {
        double cross_local[3], cross[3];
        rigid_rotate_back(made->bodies[0].rotation, column[k], cross_local);
        rigid_rotate(bodies[0].rotation, cross_local, cross);
        value[3 + k] = dot(cross, axis);
    }
}

/* d/dt of (R_A t1).axis is t2 . (omega_B - omega_A), of (R_A t2).axis is -t1 . (omega_B -
 * omega_A). */
static void hinge_rows_are_the_derivative(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    const double step = 1e-5, none[3] = {0, 0, 0};
    joint_case made;
    rigid_body frame_body = draw_body(&state);
    memcpy(made.frame, frame_body.rotation, sizeof made.frame);
    for (int side = 0; side < 2; side++) {
        made.bodies[side] = draw_body(&state);
        for (int i = 0; i < 3; i++) made.local[side][i] = test_uniform(&state, -1, 1);
    }
    saddle_problem problem;
    builder b = builder_begin(NULL);
    rigid_add(&b, &made.bodies[0], 1, 0.01, none, NULL, 0);
    rigid_add(&b, &made.bodies[1], 1, 0.01, none, NULL, 0);
    rigid_hinge(&b, &made.bodies[0], made.local[0], &made.bodies[1], made.local[1], made.frame,
                "hinge", 1);
    rigid_contact(&b, &made.bodies[0], made.local[0], &made.bodies[1], made.local[1], made.frame,
                  0.5, "contact", 1);
    rigid_ball(&b, NULL, none, &made.bodies[1], made.local[1], "ball", 2);
    assert_int_equal(builder_finish(&b, "joint", 0.01, &problem), SADDLE_OK);
    assert_int_equal(problem.m, 11);
    for (int k = 0; k < 12; k++) {
        double more[5], less[5], slope[5];
        rigid_body there[2];
        memcpy(there, made.bodies, sizeof there);
        there[k / 6] = moved(&made.bodies[k / 6], k % 6, step);
        joint_function(&made, there, more);
        there[k / 6] = moved(&made.bodies[k / 6], k % 6, -step);
        joint_function(&made, there, less);
        for (int i = 0; i < 5; i++) slope[i] = (more[i] - less[i]) / (2 * step);
        const double expected[8] = {slope[0], slope[1], slope[2], -slope[4],
                                    slope[3], slope[2], slope[0], slope[1]};
        for (int row = 0; row < 8; row++)
            assert_true(fabs(saddle_matrix_entry(&problem.Jt, k, row) - expected[row]) < 1e-8);
        for (int i = 0; i < 3; i++) {
            const double *point = made.local[1];
            rigid_body ahead = moved(&made.bodies[1], k % 6, step),
                       behind = moved(&made.bodies[1], k % 6, -step);
            double front[3], back[3];
            rigid_point(&ahead, point, front);
            rigid_point(&behind, point, back);
            double entry = k < 6 ? 0 : (front[i] - back[i]) / (2 * step);
            assert_true(fabs(saddle_matrix_entry(&problem.Jt, k, 8 + i) - entry) < 1e-8);
        }
    }
    saddle_problem_clear(&problem);
}

static void a_drive_measures_the_turning_that_a_hinge_leaves(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    const double none[3] = {0, 0, 0}, rate = 1.5;
    rigid_body A = draw_body(&state), B = draw_body(&state), frame = draw_body(&state);
    double twist[12], axis[3], local_axis[3], rows[6];
    for (int i = 0; i < 3; i++) axis[i] = frame.rotation[3 * i + 2];
    saddle_problem problem;
    builder b = builder_begin(NULL);
    rigid_add(&b, &A, 1, 0.01, none, NULL, 0);
    rigid_add(&b, &B, 1, 0.01, none, NULL, 0);
    rigid_hinge(&b, &A, none, &B, none, frame.rotation, NULL, 1);
    rigid_hinge_drive(&b, &A, &B, frame.rotation, 0, -1, 1, NULL, 1);
    assert_int_equal(builder_finish(&b, "drive", 0.01, &problem), SADDLE_OK);
    /* both turn about A's arbitrary twist, B `rate` faster about the axis; both points are the
     * frames' origins */
    memset(twist, 0, sizeof twist);
    double world[3], back[3];
    memcpy(twist + 3, A.twist + 3, 3 * sizeof *twist);
    rigid_rotate(A.rotation, A.twist + 3, world);
    rigid_rotate_back(B.rotation, world, back);
    rigid_rotate_back(B.rotation, axis, local_axis);
    for (int i = 0; i < 3; i++) twist[9 + i] = back[i] + rate * local_axis[i];
    saddle_matrix_apply_transpose(&problem.Jt, 1, twist, 0, rows);
    for (int i = 0; i < 5; i++) assert_true(fabs(rows[i]) < 1e-12);
    assert_true(fabs(rows[5] - rate) < 1e-12);
    saddle_problem_clear(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinetic_energy_is_that_of_point_masses),
        cmocka_unit_test(gyroscopic_term_does_no_work),
        cmocka_unit_test(gyroscopic_term_keeps_the_world_momentum),
        cmocka_unit_test(gyroscopic_jacobian_is_the_derivative),
        cmocka_unit_test(weight_stiffness_is_the_derivative),
        cmocka_unit_test(hinge_rows_are_the_derivative),
        cmocka_unit_test(a_drive_measures_the_turning_that_a_hinge_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
