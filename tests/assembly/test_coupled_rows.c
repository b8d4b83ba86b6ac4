/* SPDX-License-Identifier: MIT */
/* Rows of a constraint coupled by compliance and damping matrices, against the dense primal step,
 * closed forms and scalar compliances. */
#include <math.h>
#include <string.h>

#include "dense/dense.h"
#include "motion.h"
#include "saddle/joint.h"
#include "saddle/pin.h"
#include "saddle/stepper.h"
#include "space/space.h"

enum { ROWS = 6, N = 12 };

/* A (rows x rows) = size (B B' + floor I) of B (rows x rank) drawn. */
static void draw_matrix(uint64_t *seed, int rows, int rank, double size, double floor, double *A)
{
    double B[ROWS * ROWS];
    for (int k = 0; k < rows * rows; k++) B[k] = test_uniform(seed, -1, 1);
    for (int j = 0; j < rows; j++) {
        for (int i = 0; i <= j; i++) {
            double sum = i == j ? floor : 0;
            for (int k = 0; k < rank; k++) sum += B[i + rows * k] * B[j + rows * k];
            A[i + rows * j] = A[j + rows * i] = size * sum;
        }
    }
}

static void invert(int n, const double *A, double *inverse)
{
    double copy[N * N];
    memcpy(copy, A, (size_t)(n * n) * sizeof *A);
    memset(inverse, 0, (size_t)(n * n) * sizeof *inverse);
    for (int i = 0; i < n; i++) inverse[i * (n + 1)] = 1;
    assert_int_equal(saddle__dense_solve_columns(NULL, n, n, copy, inverse), SADDLE_OK);
}

/* Two bodies that move, a custom joint with six locked axes between them. */
static saddle_handle begin_bushing(motion *scene, uint64_t *seed, saddle_handle *body)
{
    motion_begin(scene, NULL, motion_weight);
    const double moments[3] = {0.3, 0.4, 0.5}, center[3] = {0.1, 0, -0.2};
    saddle_joint_def def = saddle_joint_def_default();
    saddle_handle joint;
    for (int k = 0; k < 2; k++) {
        double twist[6], turn[3];
        saddle_pose pose = saddle_pose_identity();
        for (int i = 0; i < 6; i++) twist[i] = test_uniform(seed, -1, 1);
        for (int i = 0; i < 3; i++) turn[i] = test_uniform(seed, -0.2, 0.2);
        for (int i = 0; i < 3; i++) pose.p[i] = test_uniform(seed, -0.1, 0.1);
        saddle_rotation_exp(turn, pose.R);
        body[k] = motion_body(scene, moments, center, &pose, twist);
    }
    def.kind = SADDLE_JOINT_CUSTOM;
    def.locked = 63;
    def.a = body[0];
    def.b = body[1];
    assert_int_equal(saddle_model_add_joint(scene->model, &def, &joint), SADDLE_OK);
    return joint;
}

static void dense_of(const saddle_problem *p, double *M, double *J)
{
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) M[i + N * j] = saddle_matrix_entry(&p->M, i, j);
        for (int i = 0; i < ROWS; i++) J[i + ROWS * j] = saddle_matrix_entry(&p->Jt, j, i);
    }
}

/* (M + J'(h D + h^2 K) J) v+ = f - h J'K phi with K = C^-1, the primal step of implicit Euler. */
static void coupled_rows_are_the_dense_primal_step(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < 50; trial++) {
        motion scene;
        saddle_handle body[2];
        saddle_assembly *assembly;
        double C[ROWS * ROWS], D[ROWS * ROWS], K[ROWS * ROWS], M[N * N], J[ROWS * N], A[N * N];
        const saddle_handle joint = begin_bushing(&scene, &seed, body);
        const double h = pow(10, test_uniform(&seed, -3, -1));
        draw_matrix(&seed, ROWS, ROWS, pow(10, test_uniform(&seed, -4, 0)), 0.1, C);
        draw_matrix(&seed, ROWS, 2, pow(10, test_uniform(&seed, -2, 2)), 0, D);
        assert_int_equal(saddle_model_couple_rows(scene.model, joint, ROWS, C, D), SADDLE_OK);
        assert_int_equal(saddle_assembly_create(scene.model, NULL, &assembly), SADDLE_OK);
        const saddle_stage stage = {.time_step = h, .row_step = h, .theta = 1};
        assert_int_equal(saddle_assembly_update(assembly, &stage, NULL, NULL), SADDLE_OK);
        const saddle_problem *p = saddle_assembly_problem(assembly);
        const double *phi = saddle_assembly_phi(assembly);
        double v[N];
        invert(ROWS, C, K);
        dense_of(p, M, J);
        for (int i = 0; i < N; i++) {
            v[i] = p->f[i];
            for (int r = 0; r < ROWS; r++)
                for (int s = 0; s < ROWS; s++)
                    v[i] -= h * J[r + ROWS * i] * K[r + ROWS * s] * phi[s];
            for (int j = 0; j < N; j++) {
                A[i + N * j] = M[i + N * j];
                for (int r = 0; r < ROWS; r++)
                    for (int s = 0; s < ROWS; s++)
                        A[i + N * j] += J[r + ROWS * i] * J[s + ROWS * j] *
                                        (h * D[r + ROWS * s] + h * h * K[r + ROWS * s]);
            }
        }
        assert_int_equal(saddle__dense_solve(NULL, N, A, v), SADDLE_OK);
        saddle_solver *solver;
        saddle_solution solution;
        assert_int_equal(saddle_solver_create(scene.context, "ldlt", NULL, &solver), SADDLE_OK);
        assert_int_equal(saddle_solution_create(scene.context, p->n, p->m, &solution), SADDLE_OK);
        assert_int_equal(saddle_solver_analyse(solver, p), SADDLE_OK);
        assert_int_equal(saddle_solver_factor(solver, p), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(solver, p, NULL, &solution), SADDLE_OK);
        assert_true(test_distance(v, solution.v, N) < 1e-8);
        saddle_solution_clear(&solution);
        saddle_solver_free(solver);
        saddle_assembly_free(assembly);
        motion_end(&scene);
    }
}

/* A particle on a pin with C = K^-1: x'' = -K x / m, by the eigenvectors of K. */
static void an_anisotropic_spring_comes_to_its_closed_form(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    double K[9], C[9], value[3], axes[9], error[2];
    draw_matrix(&seed, 3, 3, 30, 0.5, K);
    invert(3, K, C);
    for (int i = 0; i < 3; i++) /* exactly symmetric */
        for (int j = 0; j < i; j++) C[i + 3 * j] = C[j + 3 * i];
    saddle__symmetric_eigen(K, value, axes);
    const double x[3] = {0.3, -0.2, 0.5}, weight = 1, time = 1;
    for (int fine = 0; fine < 2; fine++) {
        motion scene;
        saddle_handle pin, particle;
        motion_begin(&scene, NULL, NULL);
        scene.options.integrator = SADDLE_INTEGRATOR_TRAPEZOIDAL;
        scene.options.time_step = fine ? 5e-4 : 1e-3;
        particle = motion_particle(&scene, 2, x, NULL);
        const saddle_anchor anchor = {particle, 0};
        saddle_pin_def def = saddle_pin_def_default();
        def.count = 1;
        def.anchors = &anchor;
        def.weights = &weight;
        assert_int_equal(saddle_model_add_pin(scene.model, &def, &pin), SADDLE_OK);
        assert_int_equal(saddle_model_couple_rows(scene.model, pin, 3, C, NULL), SADDLE_OK);
        motion_run(&scene, fine ? 2000 : 1000);
        double exact[3] = {0, 0, 0};
        for (int e = 0; e < 3; e++) {
            const double *u = axes + 3 * e;
            const double along = u[0] * x[0] + u[1] * x[1] + u[2] * x[2];
            for (int i = 0; i < 3; i++) exact[i] += along * cos(sqrt(value[e] / 2) * time) * u[i];
        }
        error[fine] = test_distance(saddle_model_position(scene.model, particle), exact, 3);
        motion_end(&scene);
    }
    assert_true(error[0] < 1e-4);
    assert_true(fabs(motion_order(error[0], error[1]) - 2) < 0.1);
}

/* The same states by diagonal matrices and by scalars, with every integrator. */
static void diagonal_matrices_are_scalar_compliances(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    const double alpha = 1e-3, damping = 20; /* beta = alpha damping */
    double C[ROWS * ROWS] = {0}, D[ROWS * ROWS] = {0}, pose[2][24];
    for (int i = 0; i < ROWS; i++) {
        C[i * (ROWS + 1)] = alpha;
        D[i * (ROWS + 1)] = damping;
    }
    for (int integrator = SADDLE_INTEGRATOR_EXPLICIT_EULER;
         integrator <= SADDLE_INTEGRATOR_BRIDSON_MARINO; integrator++) {
        const uint64_t begin = seed;
        for (int coupled = 0; coupled < 2; coupled++) {
            motion scene;
            saddle_handle body[2];
            seed = begin;
            const saddle_handle joint = begin_bushing(&scene, &seed, body);
            scene.options.integrator = (saddle_integrator)integrator;
            scene.options.time_step = 1e-3;
            for (int64_t i = 0; i < ROWS && !coupled; i++)
                saddle_model_constraint_row(scene.model, joint, i)
                    ->compliance = (saddle_compliance){.alpha = alpha, .beta = alpha * damping};
            if (coupled)
                assert_int_equal(saddle_model_couple_rows(scene.model, joint, ROWS, C, D),
                                 SADDLE_OK);
            motion_run(&scene, 100);
            for (int k = 0; k < 2; k++)
                memcpy(pose[coupled] + 12 * k, saddle_model_pose(scene.model, body[k]),
                       12 * sizeof(double));
            motion_end(&scene);
        }
        assert_true(test_distance(pose[0], pose[1], 24) < 1e-9);
    }
}

/* C of rank 1: hard across, soft along; without compliance the rows hold. */
static void a_singular_compliance_holds_where_it_is_zero(void **state)
{
    (void)state;
    motion scene;
    saddle_handle pin, particle;
    const double x[3] = {0, 0, 0}, weight = 1, u[3] = {2.0 / 7, 3.0 / 7, 6.0 / 7};
    const double D[9] = {20, 0, 0, 0, 20, 0, 0, 0, 20};
    double C[9];
    for (int k = 0; k < 9; k++) C[k] = 0.01 * u[k % 3] * u[k / 3];
    motion_begin(&scene, NULL, motion_weight);
    scene.options.integrator = SADDLE_INTEGRATOR_IMPLICIT_EULER;
    particle = motion_particle(&scene, 1, x, NULL);
    const saddle_anchor anchor = {particle, 0};
    saddle_pin_def def = saddle_pin_def_default();
    def.count = 1;
    def.anchors = &anchor;
    def.weights = &weight;
    assert_int_equal(saddle_model_add_pin(scene.model, &def, &pin), SADDLE_OK);
    assert_int_equal(saddle_model_couple_rows(scene.model, pin, 3, C, D), SADDLE_OK);
    motion_run(&scene, 2000);
    const double *at = saddle_model_position(scene.model, particle);
    for (int i = 0; i < 3; i++) assert_true(fabs(at[i] + 0.01 * 9.81 * u[2] * u[i]) < 1e-8);
    assert_int_equal(saddle_assembly_accelerations(saddle_stepper_assembly(scene.stepper)),
                     SADDLE_UNSUPPORTED);
    motion_end(&scene);
}

/* M a = f - J'(C^-1 phi + D J v). */
static void accelerations_take_the_forces_of_coupled_rows(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    motion scene;
    saddle_handle body[2];
    saddle_assembly *assembly;
    double C[ROWS * ROWS], D[ROWS * ROWS], K[ROWS * ROWS], M[N * N], J[ROWS * N], v[N], free[N];
    const saddle_handle joint = begin_bushing(&scene, &seed, body);
    draw_matrix(&seed, ROWS, ROWS, 1e-2, 0.1, C);
    draw_matrix(&seed, ROWS, ROWS, 1, 0, D);
    invert(ROWS, C, K);
    assert_int_equal(saddle_model_couple_rows(scene.model, joint, ROWS, C, D), SADDLE_OK);
    assert_int_equal(saddle_assembly_create(scene.model, NULL, &assembly), SADDLE_OK);
    const saddle_stage stage = {.time_step = 1, .row_step = 1, .theta = 1};
    assert_int_equal(saddle_assembly_update(assembly, &stage, NULL, NULL), SADDLE_OK);
    const saddle_problem *p = saddle_assembly_problem(assembly);
    dense_of(p, M, J);
    memcpy(free, saddle_assembly_force(assembly), sizeof free);
    saddle_assembly_get_velocity(assembly, v);
    double phi[ROWS], F[ROWS];
    memcpy(phi, saddle_assembly_phi(assembly), sizeof phi);
    assert_int_equal(saddle_assembly_accelerations(assembly), SADDLE_OK);
    for (int i = 0; i < ROWS; i++) {
        F[i] = 0;
        for (int k = 0; k < ROWS; k++) {
            F[i] -= K[i + ROWS * k] * phi[k];
            for (int j = 0; j < N; j++) F[i] -= D[i + ROWS * k] * J[k + ROWS * j] * v[j];
        }
        assert_true(fabs(p->b[i] - F[i]) < 1e-9 * (1 + fabs(F[i])));
    }
    for (int k = 0; k < 2; k++) { /* the gyroscopic force is part of f */
        double wrench[6];
        saddle_body_inertia_coriolis(saddle_model_inertia(scene.model, body[k]), v + 6 * k, wrench,
                                     NULL);
        for (int i = 0; i < 6; i++) free[6 * k + i] += wrench[i];
    }
    for (int j = 0; j < N; j++) {
        double sum = free[j];
        for (int i = 0; i < ROWS; i++) sum += J[i + ROWS * j] * F[i];
        assert_true(fabs(p->f[j] - sum) < 1e-9 * (1 + fabs(sum)));
    }
    saddle_assembly_free(assembly);
    motion_end(&scene);
}

static void unsound_couplings_are_refused_and_change_nothing(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    motion scene;
    saddle_handle body[2];
    double C[ROWS * ROWS], kept[ROWS * ROWS], zero[ROWS * ROWS] = {0};
    const saddle_handle joint = begin_bushing(&scene, &seed, body);
    saddle_model *model = scene.model;
    draw_matrix(&seed, ROWS, ROWS, 1, 0.1, C);
    assert_int_equal(saddle_model_couple_rows(model, joint, 3, zero, NULL), SADDLE_OK);
    assert_int_equal(saddle_model_couple_rows(NULL, joint, 3, C, NULL), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_model_couple_rows(model, body[0], 3, C, NULL), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_model_couple_rows(model, joint, 7, C, NULL), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_model_couple_rows(model, joint, -1, C, NULL), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_model_couple_rows(model, joint, 3, NULL, C), SADDLE_INVALID_ARGUMENT);
    C[1] += 1;
    assert_int_equal(saddle_model_couple_rows(model, joint, 6, C, NULL), SADDLE_INVALID_ARGUMENT);
    C[1] = NAN;
    assert_int_equal(saddle_model_couple_rows(model, joint, 6, C, NULL), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_model_coupled_rows(model, joint, kept, NULL), 3);
    assert_true(test_distance(kept, zero, 9) == 0);
    motion_run(&scene, 3); /* C = 0: hard rows */
    saddle_model_constraint_row(model, joint, 1)->purpose = SADDLE_PURPOSE_DRIVE;
    assert_int_equal(motion_step(&scene), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_model_couple_rows(model, joint, 3, zero, NULL),
                     SADDLE_INVALID_ARGUMENT);
    saddle_model_constraint_row(model, joint, 1)->purpose = SADDLE_PURPOSE_HOLD;
    assert_int_equal(saddle_model_couple_rows(model, joint, 0, NULL, NULL), SADDLE_OK);
    assert_int_equal(saddle_model_coupled_rows(model, joint, NULL, NULL), 0);
    motion_run(&scene, 3);
    motion_end(&scene);
}

/* The values of a step with a context where each allocation fails in turn. */
static saddle_status step_coupled(saddle_context *context, void *user)
{
    (void)user;
    motion scene;
    saddle_handle pin;
    const double x[3] = {0, 0, 1}, weight = 1, C[9] = {2, 1, 0, 1, 2, 0, 0, 0, 1};
    saddle_particle_def particle = {.position = {x[0], x[1], x[2]}, .mass = 1};
    saddle_anchor anchor = {{0}, 0};
    saddle_pin_def def = saddle_pin_def_default();
    memset(&scene, 0, sizeof scene);
    saddle_status status = saddle_model_create(context, &scene.model);
    if (status == SADDLE_OK)
        status = saddle_model_add_particle(scene.model, &particle, &anchor.part);
    def.count = 1;
    def.anchors = &anchor;
    def.weights = &weight;
    if (status == SADDLE_OK) status = saddle_model_add_pin(scene.model, &def, &pin);
    if (status == SADDLE_OK) status = saddle_model_couple_rows(scene.model, pin, 3, C, C);
    if (status == SADDLE_OK) status = saddle_stepper_create(scene.model, NULL, &scene.stepper);
    if (status == SADDLE_OK) status = saddle_stepper_step(scene.stepper);
    saddle_stepper_free(scene.stepper);
    saddle_model_free(scene.model);
    return status;
}

static void coupled_rows_without_memory_leave_nothing_behind(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(step_coupled, NULL) >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coupled_rows_are_the_dense_primal_step),
        cmocka_unit_test(an_anisotropic_spring_comes_to_its_closed_form),
        cmocka_unit_test(diagonal_matrices_are_scalar_compliances),
        cmocka_unit_test(a_singular_compliance_holds_where_it_is_zero),
        cmocka_unit_test(accelerations_take_the_forces_of_coupled_rows),
        cmocka_unit_test(unsound_couplings_are_refused_and_change_nothing),
        cmocka_unit_test(coupled_rows_without_memory_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
