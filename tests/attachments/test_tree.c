/* SPDX-License-Identifier: MIT */
/* Trees of bodies against the elimination of the same attachments, dense equations and
 * differences, over drawn trees of joints of every kind. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense.h"
#include "drawn_tree.h"

enum { N = TREE_COORDINATES, ROWS = 6 * TREE_BODIES };

/* The dense system of a tree, from its attachments. */
typedef struct dense_tree {
    double M[N * N], J[ROWS * N], force[N], drift[ROWS];
} dense_tree;

static dense_tree *dense_of(const drawn_tree *d)
{
    dense_tree *dense = calloc(1, sizeof *dense);
    assert_non_null(dense);
    eliminated_tree(d, dense->M, dense->force, dense->J, dense->drift);
    for (int64_t j = 0; j < d->coordinates; j++)
        dense->force[j] += d->torque[j] - d->stiffness[j] * (d->q[j] - d->rest[j]) -
                           d->damping[j] * d->dq[j];
    return dense;
}

/* x = (M + diagonal)^-1 b */
static void dense_solve(const drawn_tree *d, const dense_tree *dense, const double *diagonal,
                        const double *b, double *x)
{
    const int64_t n = d->coordinates;
    double *A = calloc((size_t)(n * n) + 1, sizeof *A);
    assert_non_null(A);
    memcpy(A, dense->M, (size_t)(n * n) * sizeof *A);
    for (int64_t j = 0; diagonal && j < n; j++) A[j + n * j] += diagonal[j];
    memcpy(x, b, (size_t)n * sizeof *x);
    if (n > 0) assert_int_equal(saddle__dense_solve(NULL, n, A, x), SADDLE_OK);
    free(A);
}

/* The residual (M + diagonal) x - b, over |M||x| + |b|: independent of the condition of M. */
static double residual(const drawn_tree *d, const dense_tree *dense, const double *diagonal,
                       const double *x, const double *b)
{
    const int64_t n = d->coordinates;
    double worst = 0;
    for (int64_t i = 0; i < n; i++) {
        double sum = -b[i];
        double size = fabs(b[i]);
        for (int64_t j = 0; j < n; j++) {
            const double a = dense->M[i + n * j] + (diagonal && i == j ? diagonal[i] : 0);
            sum += a * x[j];
            size += fabs(a * x[j]);
        }
        worst = fmax(worst, fabs(sum) / fmax(size, 1e-3));
    }
    return worst;
}

static double relative(const double *a, const double *b, int64_t count)
{
    double largest = 0;
    double apart = 0;
    for (int64_t i = 0; i < count; i++) {
        largest = fmax(largest, fmax(fabs(a[i]), fabs(b[i])));
        apart = fmax(apart, fabs(a[i] - b[i]));
    }
    return count > 0 ? apart / fmax(1, largest) : 0;
}

/* Both to 1e-10; where joints come near singular positions, to the rounding that the condition of
 * the dense M leaves of the dense solution. */
static void expect_agreement(const drawn_tree *d, const dense_tree *dense, const double *a,
                             const double *b)
{
    const int64_t n = d->coordinates;
    const double apart = relative(a, b, n);
    if (apart < 1e-10) return;
    double *M = calloc((size_t)(n * n), sizeof *M), sigma[N];
    assert_non_null(M);
    memcpy(M, dense->M, (size_t)(n * n) * sizeof *M);
    test_singular_values(n, n, M, sigma);
    assert_true(apart < 1e-15 * sigma[0] / sigma[n - 1]);
    free(M);
}

/* Each kind of joint alone, then any. */
static drawn_tree *tree_of_trial(uint64_t *seed, int64_t trial)
{
    const int kind = (int)(trial % (2 * DRAWN_JOINT_KINDS));
    return draw_tree(seed, NULL, kind < DRAWN_JOINT_KINDS ? 6 : TREE_BODIES,
                     kind < DRAWN_JOINT_KINDS ? kind : DRAWN_JOINT_KINDS, trial % 3 == 0);
}

static void matrices_and_products_are_those_of_the_eliminated_attachments(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int64_t trial = 0; trial < test_draws(2400); trial++) {
        drawn_tree *d = tree_of_trial(&seed, trial);
        dense_tree *dense = dense_of(d);
        const int64_t n = d->coordinates, rows = 6 * d->bodies;
        double twist[ROWS], expected[ROWS], force[N], pulled[N],
            *M = calloc((size_t)(n * n) + 1, 8);
        saddle_matrix sparse;
        assert_int_equal(saddle_tree_mass(d->tree, &sparse), SADDLE_OK);
        assert_int_equal(saddle_matrix_entries(&sparse), saddle_tree_size_of(d->tree).mass_entries);
        assert_int_equal(saddle_matrix_check(NULL, &sparse, "M"), SADDLE_OK);
        test_dense(&sparse, M);
        assert_true(relative(M, dense->M, n * n) < 1e-12);
        assert_int_equal(saddle_tree_force(d->tree, d->torque, d->wrench, force), SADDLE_OK);
        assert_true(relative(force, dense->force, n) < 1e-12);
        assert_int_equal(saddle_tree_push(d->tree, d->x, twist), SADDLE_OK);
        memset(expected, 0, sizeof expected);
        memset(pulled, 0, sizeof pulled);
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < rows; i++) {
                expected[i] += dense->J[i + rows * j] * d->x[j];
                pulled[j] += dense->J[i + rows * j] * d->wrench[i];
            }
        assert_true(relative(twist, expected, rows) < 1e-12);
        assert_int_equal(saddle_tree_pull(d->tree, d->wrench, force), SADDLE_OK);
        assert_true(relative(force, pulled, n) < 1e-12);
        assert_int_equal(saddle_tree_push_rate(d->tree, d->dq, twist), SADDLE_OK);
        assert_true(relative(twist, dense->drift, rows) < 1e-12);
        saddle_matrix_clear(&sparse);
        free(M);
        free(dense);
        free_tree(d);
    }
}

/* (dJ/dt) x for any x: J at q + h dq and q - h dq. */
static void the_rate_of_J_is_its_difference(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 1;
    const double h = 1e-5;
    for (int64_t trial = 0; trial < test_draws(300); trial++) {
        drawn_tree *d = tree_of_trial(&seed, trial);
        double rate[ROWS], ahead[ROWS], behind[ROWS], q[N];
        assert_int_equal(saddle_tree_push_rate(d->tree, d->x, rate), SADDLE_OK);
        for (int side = 0; side < 2; side++) {
            for (int64_t j = 0; j < d->coordinates; j++)
                q[j] = d->q[j] + (side ? -h : h) * d->dq[j];
            assert_int_equal(saddle_tree_place(d->tree, q, d->dq), SADDLE_OK);
            assert_int_equal(saddle_tree_push(d->tree, d->x, side ? behind : ahead), SADDLE_OK);
        }
        for (int64_t i = 0; i < 6 * d->bodies; i++) ahead[i] = (ahead[i] - behind[i]) / (2 * h);
        assert_true(relative(rate, ahead, 6 * d->bodies) < 1e-7);
        free_tree(d);
    }
}

/* Twists are the motion of the poses. */
static void twists_are_differences_of_poses(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 2;
    const double h = 1e-5;
    for (int64_t trial = 0; trial < test_draws(200); trial++) {
        drawn_tree *d = tree_of_trial(&seed, trial);
        saddle_pose pose[2][TREE_BODIES];
        double twist[ROWS], q[N], moved[ROWS];
        assert_int_equal(saddle_tree_push(d->tree, d->dq, twist), SADDLE_OK);
        for (int side = 0; side < 2; side++) {
            for (int64_t j = 0; j < d->coordinates; j++)
                q[j] = d->q[j] + (side ? h : -h) * d->dq[j];
            assert_int_equal(saddle_tree_place(d->tree, q, NULL), SADDLE_OK);
            assert_int_equal(saddle_tree_poses(d->tree, pose[side]), SADDLE_OK);
        }
        for (int64_t i = 0; i < d->bodies; i++) {
            const saddle_pose step = saddle_pose_between(&pose[0][i], &pose[1][i]);
            saddle_pose_log(&step, moved + 6 * i);
        }
        for (int64_t i = 0; i < 6 * d->bodies; i++) moved[i] /= 2 * h;
        assert_true(relative(twist, moved, 6 * d->bodies) < 1e-7);
        free_tree(d);
    }
}

static void recursions_solve_the_dense_equations(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 3;
    for (int64_t trial = 0; trial < test_draws(2400); trial++) {
        drawn_tree *d = tree_of_trial(&seed, trial);
        dense_tree *dense = dense_of(d);
        const int64_t n = d->coordinates, rows = 6 * d->bodies;
        const double h = 0.1;
        double ddq[N], expected[N], torque[N], diagonal[N], b[N], y[N], twist[ROWS], J_y[ROWS];
        assert_int_equal(saddle_tree_forward(d->tree, d->torque, d->wrench, ddq), SADDLE_OK);
        dense_solve(d, dense, NULL, dense->force, expected);
        expect_agreement(d, dense, ddq, expected);
        assert_true(residual(d, dense, NULL, ddq, dense->force) < 1e-12);
        assert_int_equal(saddle_tree_inverse(d->tree, ddq, d->wrench, torque), SADDLE_OK);
        double largest = 1;
        for (int64_t j = 0; j < n; j++) largest = fmax(largest, fabs(ddq[j]));
        assert_true(relative(torque, d->torque, n) < 1e-12 * largest);
        for (int64_t j = 0; j < n; j++) {
            diagonal[j] = h * d->damping[j] + h * h * d->stiffness[j];
            b[j] = d->x[j];
            for (int64_t i = 0; i < rows; i++) b[j] += dense->J[i + rows * j] * d->wrench[i];
        }
        assert_int_equal(saddle_tree_factor(d->tree, h), SADDLE_OK);
        assert_int_equal(saddle_tree_solve(d->tree, d->x, d->wrench, y, twist), SADDLE_OK);
        dense_solve(d, dense, diagonal, b, expected);
        expect_agreement(d, dense, y, expected);
        assert_true(residual(d, dense, diagonal, y, b) < 1e-12);
        assert_int_equal(saddle_tree_push(d->tree, y, J_y), SADDLE_OK);
        assert_true(relative(twist, J_y, rows) < 1e-12);
        free(dense);
        free_tree(d);
    }
}

/* (2.102): rows G ddq = p ddq beside M_r; the torques are the multipliers. */
static void prescribed_joints_move_as_told_by_the_torques_found(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 4;
    for (int64_t trial = 0; trial < test_draws(1200); trial++) {
        drawn_tree *d = tree_of_trial(&seed, trial);
        dense_tree *dense = dense_of(d);
        const int64_t n = d->coordinates, *first = saddle_tree_first(d->tree);
        const double h = 0.01;
        saddle_prescription how[TREE_BODIES];
        double value[N], ddq[N], held[N], total[N], *K = calloc((size_t)(4 * n * n) + 1, sizeof *K),
                                                    *x = calloc((size_t)(2 * n) + 1, sizeof *x);
        int64_t m = 0, row_of[N], size = 0;
        for (int64_t i = 0; i < d->bodies; i++) {
            how[i] = (saddle_prescription)test_integer(&seed, 0, 3);
            for (int64_t j = first[i]; j < first[i + 1]; j++) {
                value[j] = test_uniform(&seed, -1, 1);
                row_of[j] = how[i] == SADDLE_PRESCRIPTION_NONE ? -1 : n + m++;
            }
        }
        size = n + m;
        for (int64_t j = 0; j < n; j++) {
            for (int64_t i = 0; i < n; i++) K[i + size * j] = dense->M[i + n * j];
            x[j] = dense->force[j];
        }
        for (int64_t i = 0; i < d->bodies; i++)
            for (int64_t j = first[i]; j < first[i + 1]; j++) {
                if (row_of[j] < 0) continue;
                x[j] -= d->torque[j]; /* found instead */
                K[row_of[j] + size * j] = 1;
                K[j + size * row_of[j]] = -1;
                double wanted = value[j];
                if (how[i] == SADDLE_PRESCRIPTION_POSITION) wanted = (wanted - d->q[j]) / h;
                if (how[i] != SADDLE_PRESCRIPTION_ACCELERATION) wanted = (wanted - d->dq[j]) / h;
                x[row_of[j]] = wanted;
            }
        if (size > 0) assert_int_equal(saddle__dense_solve(NULL, size, K, x), SADDLE_OK);
        assert_int_equal(saddle_tree_hybrid(d->tree, how, value, h, d->torque, d->wrench, ddq,
                                            held),
                         SADDLE_OK);
        for (int64_t j = 0; j < n; j++) total[j] = row_of[j] < 0 ? d->torque[j] : x[row_of[j]];
        expect_agreement(d, dense, ddq, x);
        expect_agreement(d, dense, held, total);
        free(K);
        free(x);
        free(dense);
        free_tree(d);
    }
}

/* (2.73): (M + h D + h^2 K) dq+ = M dq + h (f_r + D dq) */
static void a_step_is_linearly_implicit_euler(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 5;
    for (int64_t trial = 0; trial < test_draws(600); trial++) {
        drawn_tree *d = tree_of_trial(&seed, 3 * trial);
        dense_tree *dense = dense_of(d);
        const int64_t n = d->coordinates;
        const double h = 0.02;
        double q[N], dq[N], b[N], diagonal[N];
        assert_int_equal(saddle_tree_step(d->tree, h, d->torque, d->wrench, q, dq), SADDLE_OK);
        for (int64_t j = 0; j < n; j++) {
            diagonal[j] = h * d->damping[j] + h * h * d->stiffness[j];
            b[j] = h * (dense->force[j] + d->damping[j] * d->dq[j]);
            for (int64_t i = 0; i < n; i++) b[j] += dense->M[j + n * i] * d->dq[i];
            assert_true(fabs(q[j] - d->q[j] - h * dq[j]) < 1e-14 * (1 + fabs(q[j])));
        }
        assert_true(residual(d, dense, diagonal, dq, b) < 1e-11);
        free(dense);
        free_tree(d);
    }
}

/* kinetic = dq'M dq / 2; a power balance: dT/dt = dq'(f_r), dV/dt = -dq'(gravity and springs) */
static void energies_are_those_of_the_mass_matrix_and_their_rates_are_powers(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 6;
    const double h = 1e-6;
    const int64_t trials = test_draws(300);
    int64_t compared = 0;
    for (int64_t trial = 0; trial < trials; trial++) {
        drawn_tree *d = tree_of_trial(&seed, trial);
        dense_tree *dense = dense_of(d);
        const int64_t n = d->coordinates;
        double T, V, expected = 0, side[2], ddq[N], q[N], dq[N], power = 0, zero[ROWS] = {0};
        assert_int_equal(saddle_tree_energy(d->tree, &T, &V), SADDLE_OK);
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < n; i++)
                expected += d->dq[i] * dense->M[i + n * j] * d->dq[j] / 2;
        assert_true(fabs(T - expected) < 1e-12 * (1 + T));
        assert_int_equal(saddle_tree_forward(d->tree, d->torque, zero, ddq), SADDLE_OK);
        for (int64_t j = 0; j < n; j++)
            power += d->dq[j] * (d->torque[j] - d->damping[j] * d->dq[j]);
        /* near singular positions of joints the energy bends too fast for a difference */
        double fastest = 0;
        for (int64_t j = 0; j < n; j++) fastest = fmax(fastest, fabs(ddq[j]));
        compared += fastest < 1000;
        for (int s = 0; s < 2; s++) {
            for (int64_t j = 0; j < n; j++) {
                const double t = s ? h : -h;
                q[j] = d->q[j] + t * d->dq[j] + t * t / 2 * ddq[j];
                dq[j] = d->dq[j] + t * ddq[j];
            }
            assert_int_equal(saddle_tree_place(d->tree, q, dq), SADDLE_OK);
            assert_int_equal(saddle_tree_energy(d->tree, &T, &V), SADDLE_OK);
            side[s] = T + V;
        }
        if (fastest < 1000)
            assert_true(fabs((side[1] - side[0]) / (2 * h) - power) <
                        1e-5 * (1 + fabs(power) + fabs(T) + fabs(V)));
        free(dense);
        free_tree(d);
    }
    assert_true((double)compared > 0.8 * (double)trials);
}

/* A chain that hangs still: the joint at the top carries all the weight; a link takes the same time
 * in chains of any length. */
static void a_chain_of_100000_links_hangs_and_falls(void **state)
{
    (void)state;
    const int64_t count = test_is_slow() ? 1000 : 100000;
    saddle_tree_body *body = calloc((size_t)count, sizeof *body);
    double *x = calloc((size_t)count, sizeof *x), *ddq = calloc((size_t)count, sizeof *ddq);
    assert_true(body && x && ddq);
    for (int64_t i = 0; i < count; i++) {
        body[i].parent = i - 1;
        body[i].joint = saddle_motion_revolute();
        body[i].joint.before.p[1] = i > 0 ? -1 : 0;
        body[i].inertia = (saddle_body_inertia){1, {0, -0.5, 0}, {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1}};
    }
    const double g[3] = {0, -9.81, 0};
    saddle_tree *tree;
    assert_int_equal(saddle_tree_create(NULL, count, body, &tree), SADDLE_OK);
    assert_int_equal(saddle_tree_set_gravity(tree, g), SADDLE_OK);
    assert_int_equal(saddle_tree_place(tree, x, NULL), SADDLE_OK);
    assert_int_equal(saddle_tree_forward(tree, NULL, NULL, ddq), SADDLE_OK);
    for (int64_t i = 0; i < count; i++) assert_true(fabs(ddq[i]) < 1e-12);
    /* stretched out horizontally the inverse dynamics of no acceleration is the weights' lever */
    x[0] = acos(-1.0) / 2;
    assert_int_equal(saddle_tree_place(tree, x, NULL), SADDLE_OK);
    memset(x, 0, (size_t)count * sizeof *x);
    assert_int_equal(saddle_tree_inverse(tree, x, NULL, ddq), SADDLE_OK);
    const double lever = 9.81 * (double)count * (double)count / 2;
    assert_true(fabs(fabs(ddq[0]) - lever) < 1e-9 * lever);
    saddle_tree_free(tree);
    free(body);
    free(x);
    free(ddq);
}

/* ---- failures ---- */

static void wrong_trees_are_refused_by_number(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 7;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    const saddle_tree_body good = {-1, saddle_motion_revolute(), draw_inertia(&seed)};
    for (int wrong = 0; wrong < 8; wrong++) {
        saddle_tree_body body[3] = {good, good, good};
        saddle_tree *tree;
        body[1].parent = 0;
        if (wrong == 0) body[1].parent = 1;
        if (wrong == 1) body[1].parent = -2;
        if (wrong == 2) body[1].joint.size = 7;
        if (wrong == 3) body[1].joint.evaluate = NULL;
        if (wrong == 4) body[1].joint.before.R[0] = 2;
        if (wrong == 5) body[1].joint.after.p[2] = NAN;
        if (wrong == 6) body[1].inertia.mass = -1;
        if (wrong == 7) body[1].inertia.mass = 0;
        assert_int_equal(saddle_tree_create(context, 3, body, &tree), SADDLE_INVALID_ARGUMENT);
        assert_null(tree);
        assert_non_null(strstr(saddle_context_message(context), "body 1"));
    }
    assert_int_equal(saddle_tree_create(context, -1, &good, &(saddle_tree *){NULL}),
                     SADDLE_INVALID_ARGUMENT);
    saddle_context_free(context);
}

/* Massless links move where bodies beyond give them inertia; a massless tip does not. */
static void massless_bodies_are_carried_by_those_beyond(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 8;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_tree_body body[3] = {{-1, saddle_motion_revolute(), {.mass = 0}},
                                {0, saddle_motion_prismatic(), draw_inertia(&seed)},
                                {1, saddle_motion_revolute(), {.mass = 0}}};
    const double q[3] = {0.3, 0.4, 0.5}, dq[3] = {1, 2, 3}, damping[3] = {0, 0, 1};
    double ddq[3], next[3], moved[3];
    saddle_tree *tree;
    assert_int_equal(saddle_tree_create(context, 2, body, &tree), SADDLE_OK);
    assert_int_equal(saddle_tree_forward(tree, NULL, NULL, ddq), SADDLE_WRONG_PHASE);
    assert_int_equal(saddle_tree_place(tree, q, dq), SADDLE_OK);
    assert_int_equal(saddle_tree_solve(tree, q, NULL, ddq, NULL), SADDLE_WRONG_PHASE);
    assert_int_equal(saddle_tree_forward(tree, NULL, NULL, ddq), SADDLE_OK);
    saddle_tree_free(tree);
    assert_int_equal(saddle_tree_create(context, 3, body, &tree), SADDLE_OK);
    assert_int_equal(saddle_tree_place(tree, q, dq), SADDLE_OK);
    assert_int_equal(saddle_tree_forward(tree, NULL, NULL, ddq), SADDLE_SINGULAR);
    assert_non_null(strstr(saddle_context_message(context), "body 2"));
    assert_int_equal(saddle_tree_factor(tree, 0), SADDLE_SINGULAR);
    /* with a damper its coordinate has a step */
    assert_int_equal(saddle_tree_set_springs(tree, NULL, damping, NULL), SADDLE_OK);
    assert_int_equal(saddle_tree_step(tree, 0.1, NULL, NULL, next, moved), SADDLE_OK);
    assert_true(fabs(moved[2]) < 1e-12);
    /* prescribed, it needs no inertia */
    const saddle_prescription how[3] = {0, 0, SADDLE_PRESCRIPTION_VELOCITY};
    assert_int_equal(saddle_tree_hybrid(tree, how, dq, 0.1, NULL, NULL, ddq, NULL), SADDLE_OK);
    assert_true(ddq[2] == 0);
    const double bad[3] = {NAN, 0, 0};
    assert_int_equal(saddle_tree_place(tree, bad, dq), SADDLE_INVALID_ARGUMENT);
    assert_non_null(strstr(saddle_context_message(context), "body 0"));
    assert_int_equal(saddle_tree_hybrid(tree, how, dq, 0.1, NULL, NULL, ddq, NULL),
                     SADDLE_WRONG_PHASE);
    assert_int_equal(saddle_tree_place(tree, q, dq), SADDLE_OK);
    assert_int_equal(saddle_tree_hybrid(tree, how, dq, 0, NULL, NULL, ddq, NULL),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_tree_set_springs(tree, bad, NULL, NULL), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_tree_set_gravity(tree, bad), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_tree_step(tree, -1, NULL, NULL, next, moved), SADDLE_INVALID_ARGUMENT);
    saddle_tree_free(tree);
    saddle_context_free(context);
}

/* A massless link between two sliders in one direction, or two hinges about one axis, has a
 * coordinate too many; the same link with a millionth of the mass has not. */
static void coordinates_of_which_one_is_too_many_are_singular(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 11;
    for (int64_t trial = 0; trial < test_draws(400); trial++) {
        const int sliders = (int)(trial % 2);
        const saddle_body_inertia tip = draw_inertia(&seed);
        saddle_tree_body body[3] = {{-1, saddle_motion_universal(), draw_inertia(&seed)},
                                    {0, saddle_motion_revolute(), {.mass = 0}},
                                    {1, saddle_motion_revolute(), tip}};
        double q[4], ddq[4];
        saddle_tree *tree;
        for (int j = 0; j < 4; j++) q[j] = test_uniform(&seed, -1, 1);
        for (int k = 1; sliders && k < 3; k++) body[k].joint = saddle_motion_prismatic();
        body[1].joint.before = draw_joint_pose(&seed);
        for (int heavy = 0; heavy < 2; heavy++) {
            if (heavy) {
                body[1].inertia = tip;
                body[1].inertia.mass *= 1e-6;
                for (int e = 0; e < 9; e++) body[1].inertia.moment[e] *= 1e-6;
            }
            assert_int_equal(saddle_tree_create(NULL, 3, body, &tree), SADDLE_OK);
            assert_int_equal(saddle_tree_place(tree, q, NULL), SADDLE_OK);
            assert_int_equal(saddle_tree_forward(tree, NULL, NULL, ddq),
                             heavy ? SADDLE_OK : SADDLE_SINGULAR);
            assert_int_equal(saddle_tree_factor(tree, 0), heavy ? SADDLE_OK : SADDLE_SINGULAR);
            saddle_tree_free(tree);
        }
    }
}

static void nothing_allocates_after_create(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 9;
    test_memory memory;
    saddle_context *context = test_memory_begin(&memory, -1);
    drawn_tree *d = draw_tree(&seed, context, TREE_BODIES, DRAWN_JOINT_KINDS, 1);
    saddle_matrix M;
    saddle_prescription how[TREE_BODIES] = {SADDLE_PRESCRIPTION_ACCELERATION};
    double out[ROWS + N], ddq[N], dq[N], T;
    assert_int_equal(saddle_tree_mass(d->tree, &M), SADDLE_OK);
    const int64_t before = memory.count;
    assert_int_equal(saddle_tree_place(d->tree, d->q, d->dq), SADDLE_OK);
    assert_int_equal(saddle_tree_mass_values(d->tree, &M), SADDLE_OK);
    assert_int_equal(saddle_tree_forward(d->tree, d->torque, d->wrench, ddq), SADDLE_OK);
    assert_int_equal(saddle_tree_inverse(d->tree, ddq, d->wrench, out), SADDLE_OK);
    assert_int_equal(saddle_tree_hybrid(d->tree, how, d->x, 0.1, d->torque, d->wrench, ddq, out),
                     SADDLE_OK);
    assert_int_equal(saddle_tree_factor(d->tree, 0.1), SADDLE_OK);
    assert_int_equal(saddle_tree_solve(d->tree, d->x, d->wrench, ddq, out), SADDLE_OK);
    assert_int_equal(saddle_tree_push(d->tree, d->x, out), SADDLE_OK);
    assert_int_equal(saddle_tree_push_rate(d->tree, d->x, out), SADDLE_OK);
    assert_int_equal(saddle_tree_pull(d->tree, d->wrench, out), SADDLE_OK);
    assert_int_equal(saddle_tree_energy(d->tree, &T, NULL), SADDLE_OK);
    assert_int_equal(saddle_tree_step(d->tree, 0.1, NULL, NULL, out, dq), SADDLE_OK);
    assert_int_equal(memory.count, before);
    saddle_matrix_clear(&M);
    free_tree(d);
    test_memory_end(&memory, context);
}

static saddle_status make_and_weigh(saddle_context *context, void *user)
{
    const saddle_tree_body body[2] = {{-1, saddle_motion_free(), *(saddle_body_inertia *)user},
                                      {0, saddle_motion_universal(), *(saddle_body_inertia *)user}};
    const double q[8] = {0};
    saddle_tree *tree;
    saddle_matrix M = {0};
    saddle_status status = saddle_tree_create(context, 2, body, &tree);
    if (status == SADDLE_OK) status = saddle_tree_place(tree, q, NULL);
    if (status == SADDLE_OK) status = saddle_tree_mass(tree, &M);
    saddle_matrix_clear(&M);
    saddle_tree_free(tree);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 10;
    saddle_body_inertia inertia = draw_inertia(&seed);
    assert_int_equal(test_allocation_sweep(make_and_weigh, &inertia), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_and_products_are_those_of_the_eliminated_attachments),
        cmocka_unit_test(the_rate_of_J_is_its_difference),
        cmocka_unit_test(twists_are_differences_of_poses),
        cmocka_unit_test(recursions_solve_the_dense_equations),
        cmocka_unit_test(prescribed_joints_move_as_told_by_the_torques_found),
        cmocka_unit_test(a_step_is_linearly_implicit_euler),
        cmocka_unit_test(energies_are_those_of_the_mass_matrix_and_their_rates_are_powers),
        cmocka_unit_test(a_chain_of_100000_links_hangs_and_falls),
        cmocka_unit_test(wrong_trees_are_refused_by_number),
        cmocka_unit_test(massless_bodies_are_carried_by_those_beyond),
        cmocka_unit_test(coordinates_of_which_one_is_too_many_are_singular),
        cmocka_unit_test(nothing_allocates_after_create),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
