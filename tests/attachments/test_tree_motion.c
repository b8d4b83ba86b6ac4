/* SPDX-License-Identifier: MIT */
/* Trees in motion: energy under a Runge-Kutta integrator, scenes of RedMax to their published
 * energies, coordinates that pass whole turns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_joints.h"
#include "redmax.h"

#ifdef SADDLE_TEST_SUNDIALS
#include <arkode/arkode_arkstep.h>
#include <nvector/nvector_serial.h>
#endif

enum { MOST = 64 };

static const double pi = 3.14159265358979323846;

/* ---- energy ---- */

static double energy(saddle_tree *tree)
{
    double T, V;
    assert_int_equal(saddle_tree_energy(tree, &T, &V), SADDLE_OK);
    return T + V;
}

static void runge_kutta(saddle_tree *tree, int64_t n, double h, double *x)
{
    static const double step[4] = {0, 0.5, 0.5, 1};
    static const double weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double stage[2 * MOST], dx[2 * MOST] = {0}, sum[2 * MOST] = {0};
    for (int s = 0; s < 4; s++) {
        for (int64_t i = 0; i < 2 * n; i++) stage[i] = x[i] + step[s] * h * dx[i];
        assert_int_equal(saddle_tree_slope(tree, NULL, NULL, stage, dx), SADDLE_OK);
        for (int64_t i = 0; i < 2 * n; i++) sum[i] += weight[s] * dx[i];
    }
    for (int64_t i = 0; i < 2 * n; i++) x[i] += h * sum[i];
    (void)saddle_tree_reparameterize(tree, x, x + n, NULL);
}

/* The largest change of energy over a time, over the largest kinetic energy. */
static double drift(saddle_tree *tree, const double *start, int64_t n, double time, int64_t steps)
{
    double x[2 * MOST], worst = 0, most = 0, T;
    memcpy(x, start, (size_t)(2 * n) * sizeof *x);
    assert_int_equal(saddle_tree_place(tree, x, x + n), SADDLE_OK);
    const double first = energy(tree);
    for (int64_t s = 0; s < steps; s++) {
        runge_kutta(tree, n, time / (double)steps, x);
        assert_int_equal(saddle_tree_place(tree, x, x + n), SADDLE_OK);
        worst = fmax(worst, fabs(energy(tree) - first));
        assert_int_equal(saddle_tree_energy(tree, &T, NULL), SADDLE_OK);
        most = fmax(most, T);
    }
    return worst / most;
}

static saddle_tree *double_pendulum(void)
{
    const saddle_body_inertia rod = {1, {0.5, 0, 0}, {0.001, 0, 0, 0, 1.0 / 12, 0, 0, 0, 1.0 / 12}};
    saddle_tree_body body[2] = {{-1, saddle_motion_revolute(), rod},
                                {0, saddle_motion_revolute(), rod}};
    const double g[3] = {0, -9.81, 0};
    saddle_tree *tree;
    body[1].joint.before.p[0] = 1;
    assert_int_equal(saddle_tree_create(NULL, 2, body, &tree), SADDLE_OK);
    assert_int_equal(saddle_tree_set_gravity(tree, g), SADDLE_OK);
    return tree;
}

static void a_double_pendulum_keeps_its_energy(void **state)
{
    (void)state;
    const double start[4] = {0.3, 0.4, 0, 0};
    saddle_tree *tree = double_pendulum();
    const int64_t steps = test_is_slow() ? 500 : 5000;
    const double time = 1e-3 * (double)steps;
    const double coarse = drift(tree, start, 2, time, steps / 2);
    const double fine = drift(tree, start, 2, time, steps);
    assert_true(fine < 1e-9);
    assert_true(coarse / fine > 10); /* of fourth order: 16, or 32 */
    saddle_tree_free(tree);
}

/* 20 links on joints of all kinds with springs; drawn, the same in every run: others may come to
 * singular positions of their angles in 10 s. */
typedef struct mixed_chain {
    drawn_joint *drawn[20];
    saddle_tree *tree;
    int64_t n;
    double start[2 * MOST]; /* q, dq */
} mixed_chain;

static mixed_chain *make_mixed_chain(void)
{
    uint64_t seed = UINT64_C(88172645463325253);
    static const int kinds[20] = {DRAWN_REVOLUTE,      DRAWN_UNIVERSAL,   DRAWN_REVOLUTE,
                                  DRAWN_PRISMATIC,     DRAWN_EXPONENTIAL, DRAWN_SCREW,
                                  DRAWN_PLANAR,        DRAWN_REVOLUTE,    DRAWN_SURFACE,
                                  DRAWN_TRANSLATIONAL, DRAWN_EULER,       DRAWN_REVOLUTE,
                                  DRAWN_SPLINE,        DRAWN_UNIVERSAL,   DRAWN_REVOLUTE,
                                  DRAWN_SCREW,         DRAWN_PRISMATIC,   DRAWN_REVOLUTE,
                                  DRAWN_EXPONENTIAL,   DRAWN_REVOLUTE};
    const double size[3] = {0.6, 0.5, 0.4}, g[3] = {1, -2, -3};
    mixed_chain *c = calloc(1, sizeof *c);
    assert_non_null(c);
    saddle_tree_body body[20];
    double stiffness[MOST], rest[MOST], rates[MOST], q[6], dq[6];
    for (int k = 0; k < 20; k++) {
        c->drawn[k] = draw_joint(&seed, kinds[k]);
        body[k].parent = k - 1;
        body[k].joint = c->drawn[k]->joint;
        assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, size, 1,
                                                     &body[k].inertia),
                         SADDLE_OK);
        draw_coordinates(&seed, c->drawn[k], q, dq);
        for (int64_t j = 0; j < body[k].joint.size; j++, c->n++) {
            const int ranged = c->drawn[k]->range > 0;
            c->start[c->n] = rest[c->n] = ranged ? c->drawn[k]->range / 2 : q[j];
            rates[c->n] = ranged ? 0 : 0.3 * dq[j];
            stiffness[c->n] = ranged ? 2000 : 20; /* within the spline */
        }
    }
    memcpy(c->start + c->n, rates, (size_t)c->n * sizeof *rates);
    assert_int_equal(saddle_tree_create(NULL, 20, body, &c->tree), SADDLE_OK);
    assert_int_equal(saddle_tree_set_gravity(c->tree, g), SADDLE_OK);
    assert_int_equal(saddle_tree_set_springs(c->tree, stiffness, NULL, rest), SADDLE_OK);
    return c;
}

static void free_mixed_chain(mixed_chain *c)
{
    saddle_tree_free(c->tree);
    for (int k = 0; k < 20; k++) free_joint(c->drawn[k]);
    free(c);
}

/* The order of the integrator, hence exact rates. */
static void a_chain_of_twenty_mixed_joints_keeps_its_energy(void **state)
{
    (void)state;
    mixed_chain *c = make_mixed_chain();
    const int64_t steps = test_is_slow() ? 200 : 2000;
    const double time = 5e-4 * (double)steps;
    const double coarse = drift(c->tree, c->start, c->n, time, steps / 2);
    const double fine = drift(c->tree, c->start, c->n, time, steps);
    assert_true(fine < 1e-10);
    assert_true(coarse / fine > 8);
    free_mixed_chain(c);
}

/* ---- ARKODE ---- */

#ifdef SADDLE_TEST_SUNDIALS

static int ark_slope(realtype t, N_Vector x, N_Vector dx, void *tree)
{
    (void)t;
    return saddle_tree_slope(tree, NULL, NULL, N_VGetArrayPointer(x), N_VGetArrayPointer(dx)) ==
                   SADDLE_OK
               ? 0
               : -1;
}

/* |E(time) - E(0)|, the kinetic energy at the end as the scale. */
static double ark_drift(saddle_tree *tree, const double *start, int64_t n, double time)
{
    double x[2 * MOST];
    SUNContext context;
    realtype reached;
    memcpy(x, start, (size_t)(2 * n) * sizeof *x);
    assert_int_equal(saddle_tree_place(tree, x, x + n), SADDLE_OK);
    const double before = energy(tree);
    assert_int_equal(SUNContext_Create(NULL, &context), 0);
    N_Vector state = N_VMake_Serial(2 * n, x, context);
    void *arkode = ARKStepCreate(ark_slope, NULL, 0, state, context);
    assert_non_null(arkode);
    assert_int_equal(ARKStepSetUserData(arkode, tree), 0);
    assert_int_equal(ARKStepSStolerances(arkode, 1e-11, 1e-11), 0);
    assert_int_equal(ARKStepSetOrder(arkode, 8), 0);
    assert_int_equal(ARKStepSetMaxNumSteps(arkode, 1000000), 0);
    assert_int_equal(ARKStepSetStopTime(arkode, time), 0); /* a step ends there */
    assert_true(ARKStepEvolve(arkode, time, state, &reached, ARK_NORMAL) >= 0);
    ARKStepFree(&arkode);
    N_VDestroy(state);
    (void)SUNContext_Free(&context);
    assert_int_equal(saddle_tree_place(tree, x, x + n), SADDLE_OK);
    double T;
    assert_int_equal(saddle_tree_energy(tree, &T, NULL), SADDLE_OK);
    return fabs(energy(tree) - before) / fmax(1, T);
}

static void trees_keep_their_energy_under_arkode(void **state)
{
    (void)state;
    const double start[4] = {0.3, 0.4, 0, 0}, time = test_is_slow() ? 0.5 : 10;
    saddle_tree *tree = double_pendulum();
    assert_true(ark_drift(tree, start, 2, time) < 1e-9);
    saddle_tree_free(tree);
    mixed_chain *c = make_mixed_chain();
    assert_true(ark_drift(c->tree, c->start, c->n, time) < 1e-9);
    free_mixed_chain(c);
}

#else

static void trees_keep_their_energy_under_arkode(void **state)
{
    (void)state;
    print_message("SUNDIALS (libsundials-dev) is not installed: not run\n");
    skip();
}

#endif

/* ---- RedMax ---- */

/* M(q) v+ = M v + h f(q, v), q+ = q + h v+, h = 0.01 to t = 2; the energy gained. */
static double run_scene(int64_t bodies, const saddle_tree_body *body, double *q, double *dq)
{
    const double g[3] = {0, 0, -980};
    saddle_tree *tree;
    double T, V, V0;
    assert_int_equal(saddle_tree_create(NULL, bodies, body, &tree), SADDLE_OK);
    assert_int_equal(saddle_tree_set_gravity(tree, g), SADDLE_OK);
    assert_int_equal(saddle_tree_place(tree, q, dq), SADDLE_OK);
    assert_int_equal(saddle_tree_energy(tree, NULL, &V0), SADDLE_OK);
    for (int step = 0; step < 200; step++) {
        assert_int_equal(saddle_tree_step(tree, 0.01, NULL, NULL, q, dq), SADDLE_OK);
        assert_int_equal(saddle_tree_place(tree, q, dq), SADDLE_OK);
    }
    assert_int_equal(saddle_tree_energy(tree, &T, &V), SADDLE_OK);
    saddle_tree_free(tree);
    return T + V - V0;
}

static void redmax_chains_reach_their_published_energies(void **state)
{
    (void)state;
    const double sides[3] = {10, 1, 1}, center[3] = {5, 0, 0}, start[3] = {0}, end[3] = {5, 0, 0};
    { /* scene -1: two boxes on hinges about y */
        const saddle_tree_body body[2] = {redmax_box(-1, 1, sides, start, center),
                                          redmax_box(0, 1, sides, end, center)};
        double q[2] = {pi / 2, pi / 4}, dq[2] = {0};
        assert_true(fabs(run_scene(2, body, q, dq) - redmax_energy(-1)) < 1e-6);
    }
    { /* scene 0: five boxes, every second fixed to the one before */
        saddle_tree_body body[5];
        for (int k = 0; k < 5; k++) {
            body[k] = redmax_box(k - 1, 1, sides, k > 0 ? end : start, center);
            if (k % 2) body[k].joint.size = 0;
        }
        double q[3] = {pi / 4, pi / 4, pi / 4}, dq[3] = {0};
        assert_true(fabs(run_scene(5, body, q, dq) - redmax_energy(0)) < 1e-6);
    }
    { /* scene 1: hinges about z, y, z */
        const saddle_tree_body body[3] = {redmax_box(-1, 2, sides, start, center),
                                          redmax_box(0, 1, sides, end, center),
                                          redmax_box(1, 2, sides, end, center)};
        double q[3] = {0, pi / 2, pi / 2}, dq[3] = {0};
        assert_true(fabs(run_scene(3, body, q, dq) - redmax_energy(1)) < 1e-6);
    }
}

/* ---- whole turns ---- */

/* A body spins about a principal axis for many turns: its angle is the closed form's. */
static void exponential_coordinates_spin_through_whole_turns(void **state)
{
    (void)state;
    const saddle_body_inertia ball = {1, {0, 0, 0}, {0.4, 0, 0, 0, 0.4, 0, 0, 0, 0.4}};
    const saddle_tree_body body = {-1, saddle_motion_free(), ball};
    double x[12] = {1, 2, 3, 0.2, 0.1, 0.3, 1, 0, 0, 0, 0, 0};
    const double omega[3] = {4, -3, 5}, spin = sqrt(50.0);
    double inverse[9];
    assert_int_equal(saddle_rotation_right_jacobian_inverse(NULL, x + 3, inverse), SADDLE_OK);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) x[9 + i] += inverse[i + 3 * j] * omega[j];
    saddle_tree *tree;
    assert_int_equal(saddle_tree_create(NULL, 1, &body, &tree), SADDLE_OK);
    saddle_pose first, last;
    assert_int_equal(saddle_tree_place(tree, x, x + 6), SADDLE_OK);
    assert_int_equal(saddle_tree_poses(tree, &first), SADDLE_OK);
    const double time = 4;
    for (int step = 0; step < 4000; step++) runge_kutta(tree, 6, time / 4000, x);
    assert_int_equal(saddle_tree_place(tree, x, x + 6), SADDLE_OK);
    assert_int_equal(saddle_tree_poses(tree, &last), SADDLE_OK);
    const double turn[6] = {0, 0, 0, omega[0] * time, omega[1] * time, omega[2] * time};
    const saddle_pose by = saddle_pose_exp(turn);
    const saddle_pose expected = saddle_pose_multiply(&first, &by);
    assert_true(spin * time > 4 * 2 * pi);
    assert_true(test_distance(last.R, expected.R, 9) < 1e-9);
    const double p[3] = {1 + time, 2, 3};
    assert_true(test_distance(last.p, p, 3) < 1e-10);
    saddle_tree_free(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_double_pendulum_keeps_its_energy),
        cmocka_unit_test(a_chain_of_twenty_mixed_joints_keeps_its_energy),
        cmocka_unit_test(trees_keep_their_energy_under_arkode),
        cmocka_unit_test(redmax_chains_reach_their_published_energies),
        cmocka_unit_test(exponential_coordinates_spin_through_whole_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
