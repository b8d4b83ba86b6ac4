/* SPDX-License-Identifier: MIT */
/* Projections (seed 000, 0.5 and 0.6) by their definitions: P_v v satisfies the rows, and P_v v - v
 * has no effect on motions that satisfy the rows; P_f = P_v'; both idempotent; redundant rows
 * change nothing; positions are projected onto phi = 0. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "motion.h"

static const saddle_handle ground = {0};

enum { BARS = 3, COLUMNS = 6 * BARS };

/* A four-bar linkage of hinges, in space: three of its twenty rows are redundant.  twice: each
 * hinge but one is said twice.  The first hinge. */
static saddle_handle build_four_bar(motion *scene, int twice)
{
    static const double moments[3] = {0.02, 0.03, 0.04}, axis[3] = {0, 1, 0};
    static const double joint[4][3] = {{0, 0, 0}, {0.2, 0, 1}, {1.5, 0, 1.2}, {1.4, 0, 0}};
    saddle_handle bar[BARS], hinge[BARS], last = ground;
    for (int k = 0; k < BARS; k++) {
        const double tilt[6] = {joint[k][0], 0.1 * k, joint[k][2], 0.2, 0.3 * k, -0.1},
                     center[3] = {0.3, 0.02, -0.1};
        const saddle_pose pose = saddle_pose_exp(tilt);
        bar[k] = motion_body(scene, moments, center, &pose, NULL);
        hinge[k] = motion_hinge(scene, last, bar[k], joint[k], axis);
        if (twice) (void)motion_hinge(scene, last, bar[k], joint[k], axis);
        last = bar[k];
    }
    (void)motion_hinge(scene, last, ground, joint[3], axis);
    return hinge[0];
}

static void start(motion *scene)
{
    assert_int_equal(saddle_stepper_create(scene->model, &scene->options, &scene->stepper),
                     SADDLE_OK);
}

static void project_unit_velocities(motion *scene, double *P)
{
    saddle_status status = saddle_stepper_project_velocities(scene->stepper); /* compiles */
    assert_int_equal(status, SADDLE_OK);
    saddle_assembly *assembly = saddle_stepper_assembly(scene->stepper);
    for (int j = 0; j < COLUMNS; j++) {
        double v[COLUMNS] = {0};
        v[j] = 1;
        saddle_assembly_set_velocity(assembly, v);
        assert_int_equal(saddle_stepper_project_velocities(scene->stepper), SADDLE_OK);
        saddle_assembly_get_velocity(assembly, P + COLUMNS * j);
    }
}

static void project_unit_forces(motion *scene, double *P)
{
    memset(P, 0, COLUMNS * COLUMNS * sizeof *P);
    for (int j = 0; j < COLUMNS; j++) {
        P[(COLUMNS + 1) * j] = 1;
        assert_int_equal(saddle_stepper_project_forces(scene->stepper, P + COLUMNS * j), SADDLE_OK);
    }
}

static double largest(const double *A, int count)
{
    double size = 0;
    for (int i = 0; i < count; i++) size = fmax(size, fabs(A[i]));
    return size;
}

/* max |A B - C| of square matrices by columns. */
static double product_error(const double *A, const double *B, const double *C)
{
    double error = 0;
    for (int i = 0; i < COLUMNS; i++) {
        for (int j = 0; j < COLUMNS; j++) {
            double sum = C != NULL ? -C[i + COLUMNS * j] : 0;
            for (int k = 0; k < COLUMNS; k++) sum += A[i + COLUMNS * k] * B[k + COLUMNS * j];
            error = fmax(error, fabs(sum));
        }
    }
    return error;
}

static void projections_are_what_defines_them(void **unused)
{
    (void)unused;
    for (int general = 0; general < 2; general++) {
        motion scene;
        double *room = calloc(4 * COLUMNS * COLUMNS, sizeof *room);
        double *Pv = room, *Pf = room + COLUMNS * COLUMNS, *M = Pf + COLUMNS * COLUMNS,
               *feels = M + COLUMNS * COLUMNS;
        motion_begin(&scene, NULL, motion_weight);
        (void)build_four_bar(&scene, 0);
        scene.options.assembly.gyroscopic_jacobian = general;
        if (general) scene.options.integrator = SADDLE_INTEGRATOR_IMPLICIT_EULER;
        if (general)
            motion_run(&scene, 1); /* its M is stored as a general matrix */
        else
            start(&scene);
        project_unit_velocities(&scene, Pv);
        project_unit_forces(&scene, Pf);
        assert_true(product_error(Pv, Pv, Pv) < 1e-10);
        assert_true(product_error(Pf, Pf, Pf) < 1e-10);
        const saddle_problem *problem = saddle_assembly_problem(
            saddle_stepper_assembly(scene.stepper));
        double rank = 0;
        for (int j = 0; j < COLUMNS; j++) {
            double rows[64];
            assert_true(problem->m <= 64);
            saddle_matrix_apply_transpose(&problem->Jt, 1, Pv + COLUMNS * j, 0, rows);
            assert_true(largest(rows, (int)problem->m) < 1e-10);
            for (int i = 0; i < COLUMNS; i++) {
                assert_true(fabs(Pv[i + COLUMNS * j] - Pf[j + COLUMNS * i]) < 1e-9);
                M[i + COLUMNS * j] = saddle_matrix_entry(&problem->M, i, j);
            }
            rank += Pv[(COLUMNS + 1) * j];
        }
        assert_true(fabs(rank - 1) < 1e-9); /* the trace: a four-bar moves in one way */
        /* (I - P)'M P = 0 */
        for (int i = 0; i < COLUMNS; i++) {
            for (int j = 0; j < COLUMNS; j++) {
                double sum = 0;
                for (int k = 0; k < COLUMNS; k++) {
                    sum += ((i == k) - Pv[k + COLUMNS * i]) * M[k + COLUMNS * j];
                }
                feels[i + COLUMNS * j] = sum;
            }
        }
        assert_true(product_error(feels, Pv, NULL) < 1e-10);
        free(room);
        motion_end(&scene);
    }
}

static void rows_said_twice_project_onto_the_same(void **unused)
{
    (void)unused;
    double *P[2];
    for (int twice = 0; twice < 2; twice++) {
        motion scene;
        P[twice] = calloc(COLUMNS * COLUMNS, sizeof(double));
        motion_begin(&scene, NULL, motion_weight);
        (void)build_four_bar(&scene, twice);
        start(&scene);
        project_unit_velocities(&scene, P[twice]);
        motion_end(&scene);
    }
    assert_true(test_distance(P[0], P[1], COLUMNS * COLUMNS) < 1e-9);
    free(P[0]);
    free(P[1]);
}

/* Held by a ball joint to a moving point: the result moves with the point. */
static void driven_rows_ask_for_their_velocity(void **unused)
{
    (void)unused;
    static const double moments[3] = {0.02, 0.03, 0.04}, center[3] = {0.5, 0, 0},
                        origin[3] = {0, 0, 0};
    motion scene;
    motion_begin(&scene, NULL, NULL);
    saddle_body_def def = saddle_body_def_default();
    def.prescribed = 1;
    def.twist[0] = 2;
    def.twist[5] = 3;
    saddle_handle hand;
    assert_int_equal(saddle_model_add_body(scene.model, &def, &hand), SADDLE_OK);
    const saddle_handle body = motion_body(&scene, moments, center, NULL, NULL);
    (void)motion_ball(&scene, hand, body, origin);
    start(&scene);
    assert_int_equal(saddle_stepper_project_velocities(scene.stepper), SADDLE_OK);
    const double *v = saddle_model_velocity(scene.model, body);
    assert_true(fabs(v[0] - 2) < 1e-12 && fabs(v[1]) < 1e-12 && fabs(v[2]) < 1e-12);
    /* the impulse went through the joint, at the origin: moments about it stay zero */
    const saddle_energies energies = saddle_model_energies(scene.model);
    assert_true(largest(energies.moment, 3) < 1e-12);
    motion_end(&scene);
}

/* ---- positions ---- */

static void displace(motion *scene, double size, uint64_t *state)
{
    for (int k = 0; k < BARS; k++) {
        const saddle_handle bar = saddle_model_part_at(scene->model, k);
        double d[6];
        for (int i = 0; i < 6; i++) d[i] = test_uniform(state, -size, size);
        const saddle_pose moved = saddle_pose_exp(d);
        saddle_pose *pose = saddle_model_pose(scene->model, bar);
        *pose = saddle_pose_multiply(pose, &moved);
    }
}

enum { PLACES = 5, ROWS_MOST = 64 }; /* on the way of a step, from 0 to 1 */

static void take_poses(const motion *scene, saddle_pose *pose)
{
    for (int k = 0; k < BARS; k++)
        pose[k] = *saddle_model_pose(scene->model, saddle_model_part_at(scene->model, k));
}

/* Each bar on the way of its step, from -> to by a twist. */
static void stand_between(motion *scene, const saddle_pose *from, const saddle_pose *to, double s)
{
    for (int k = 0; k < BARS; k++) {
        const saddle_pose step = saddle_pose_between(&from[k], &to[k]);
        double d[6];
        saddle_pose_log(&step, d);
        for (int i = 0; i < 6; i++) d[i] *= s;
        const saddle_pose part = saddle_pose_exp(d);
        *saddle_model_pose(scene->model,
                           saddle_model_part_at(scene->model, k)) = saddle_pose_multiply(&from[k],
                                                                                         &part);
    }
}

/* max |d2phi / ds2| over the way of a step, by second differences. */
static double bend_of_way(motion *scene, const saddle_pose *from, const saddle_pose *to)
{
    double phi[PLACES][ROWS_MOST], most = 0;
    const int64_t m = saddle_assembly_problem(saddle_stepper_assembly(scene->stepper))->m;
    assert_true(m <= ROWS_MOST);
    for (int k = 0; k < PLACES; k++) {
        stand_between(scene, from, to, (double)k / (PLACES - 1));
        assert_true(saddle_stepper_project_positions(scene->stepper, 0, NULL) >= 0);
        memcpy(phi[k], saddle_assembly_phi(saddle_stepper_assembly(scene->stepper)),
               (size_t)m * sizeof(double));
    }
    for (int k = 1; k < PLACES - 1; k++)
        for (int64_t i = 0; i < m; i++)
            most = fmax(most, fabs(phi[k + 1][i] - 2 * phi[k][i] + phi[k - 1][i]));
    return most * (PLACES - 1) * (PLACES - 1);
}

/* A step d with J d = -phi, as Newton's, leaves what phi bends on its way, phi+ = int (1 - s)
 * d2phi/ds2 ds: half of the bend where it is the same all along, and |d|^2 of it.  Rows are held
 * with 1e-9 of softness, and phi is rounded.  It ends at rounding, mostly with four steps, where
 * the first ones find the way bent with some more. */
static void positions_come_back_quadratically(void **unused)
{
    (void)unused;
    enum { STEPS = 8 };
    uint64_t state = test_seed();
    int quick = 0;
    for (int draw = 0; draw < 50; draw++) {
        motion scene;
        double phi[STEPS];
        saddle_pose from[BARS], to[BARS];
        motion_begin(&scene, NULL, motion_weight);
        (void)build_four_bar(&scene, draw % 2);
        start(&scene);
        displace(&scene, 0.05, &state);
        for (int k = 0; k < STEPS; k++) {
            take_poses(&scene, from);
            const saddle_status status = saddle_stepper_project_positions(scene.stepper, k > 0,
                                                                          &phi[k]);
            assert_int_equal(status, phi[k] <= 1e-12 ? SADDLE_OK : SADDLE_NOT_CONVERGED);
            if (k == 0 || phi[k - 1] <= 1e-12) continue; /* there was no step */
            take_poses(&scene, to);
            assert_true(phi[k] < 0.75 * bend_of_way(&scene, from, to) + 1e-9 * phi[k - 1] + 1e-14);
            stand_between(&scene, from, to, 1);
        }
        assert_true(phi[0] > 1e-3);
        assert_true(phi[STEPS - 1] <= 1e-12);
        quick += phi[4] <= 1e-12;
        motion_end(&scene);
    }
    assert_true(quick >= 40);
}

/* Momenta do not know of it, prescribed parts stay. */
static void projecting_positions_changes_no_momentum(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    motion scene;
    motion_begin(&scene, NULL, NULL);
    (void)build_four_bar(&scene, 0);
    const saddle_particle_def wall = {.prescribed = 1, .velocity = {1, 2, 3}};
    saddle_handle part;
    assert_int_equal(saddle_model_add_particle(scene.model, &wall, &part), SADDLE_OK);
    start(&scene);
    displace(&scene, 0.05, &state);
    for (int k = 0; k < BARS; k++) {
        double *v = saddle_model_velocity(scene.model, saddle_model_part_at(scene.model, k));
        for (int i = 0; i < 6; i++) v[i] = test_uniform(&state, -1, 1);
    }
    const saddle_energies before = saddle_model_energies(scene.model);
    assert_int_equal(saddle_stepper_project_positions(scene.stepper, 10, NULL), SADDLE_OK);
    const saddle_energies after = saddle_model_energies(scene.model);
    assert_true(test_distance(before.momentum, after.momentum, 3) < 1e-13);
    assert_true(largest(saddle_model_position(scene.model, part), 3) == 0);
    assert_true(saddle_model_velocity(scene.model, part)[2] == 3);
    motion_end(&scene);
}

/* x must be 1 and 2: there is no such place, and the step goes to between. */
static saddle_status at_one_and_two(saddle_context *context, const saddle_site *site,
                                    saddle_constraint_values *values)
{
    (void)context;
    for (int i = 0; i < 2; i++) {
        values->phi[i] = site->position[0][0] - 1 - i;
        values->J[0][3 * i] = 1;
    }
    return SADDLE_OK;
}

static void what_cannot_be_satisfied_is_said(void **unused)
{
    (void)unused;
    static const saddle_constraint_type type = {.name = "split", .evaluate = at_one_and_two};
    motion scene;
    motion_begin(&scene, NULL, NULL);
    const saddle_handle particle = motion_particle(&scene, 1, NULL, NULL);
    const saddle_anchor anchor = {.part = particle};
    const saddle_constraint_def def = {.type = &type, .count = 1, .anchors = &anchor, .rows = 2};
    saddle_handle constraint;
    assert_int_equal(saddle_model_add_constraint(scene.model, &def, &constraint), SADDLE_OK);
    start(&scene);
    double phi = 0;
    assert_int_equal(saddle_stepper_project_positions(scene.stepper, 5, &phi),
                     SADDLE_NOT_CONVERGED);
    assert_true(fabs(phi - 0.5) < 1e-6);
    assert_true(fabs(saddle_model_position(scene.model, particle)[0] - 1.5) < 1e-6);
    motion_end(&scene);
}

/* Rows made soft between steps are no longer projected; rows made hard are projected again. */
static void rows_may_become_soft_and_hard(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    motion scene;
    motion_begin(&scene, NULL, motion_weight);
    const saddle_handle hinge = build_four_bar(&scene, 0);
    scene.options.integrator = SADDLE_INTEGRATOR_TRAPEZOIDAL;
    motion_run(&scene, 2);
    const saddle_handle part = saddle_model_part_at(scene.model, 1);
    for (int soft = 1; soft >= 0; soft--) {
        double v[COLUMNS], *twist = saddle_model_velocity(scene.model, part);
        saddle_model_joint(scene.model, hinge)->compliance.alpha = soft * 1e-3;
        assert_int_equal(saddle_model_joint_changed(scene.model, hinge), SADDLE_OK);
        for (int i = 0; i < 6; i++) twist[i] = test_uniform(&state, -1, 1);
        assert_int_equal(saddle_stepper_project_velocities(scene.stepper), SADDLE_OK);
        saddle_assembly *assembly = saddle_stepper_assembly(scene.stepper);
        const saddle_problem *problem = saddle_assembly_problem(assembly);
        double rows[64] = {0};
        saddle_assembly_get_velocity(assembly, v);
        saddle_matrix_apply_transpose(&problem->Jt, 1, v, 0, rows);
        assert_true(largest(rows + 5, (int)problem->m - 5) < 1e-10);
        assert_true(soft ? largest(rows, 5) > 1e-3 : largest(rows, 5) < 1e-10);
        motion_run(&scene, 1);
    }
    motion_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projections_are_what_defines_them),
        cmocka_unit_test(rows_said_twice_project_onto_the_same),
        cmocka_unit_test(driven_rows_ask_for_their_velocity),
        cmocka_unit_test(positions_come_back_quadratically),
        cmocka_unit_test(projecting_positions_changes_no_momentum),
        cmocka_unit_test(what_cannot_be_satisfied_is_said),
        cmocka_unit_test(rows_may_become_soft_and_hard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
