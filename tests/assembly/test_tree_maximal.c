/* SPDX-License-Identifier: MIT */
/* Trees in reduced coordinates against the same bodies in maximal coordinates, joints as rows:
 * accelerations of drawn trees and loops of hinges, sliders, balls, universal and fixed joints. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { BODIES = 16, LOOPS = 2 };

typedef struct twin {
    int bodies, loops;
    saddle_tree_body body[BODIES];
    saddle_joint_kind kind[BODIES]; /* CUSTOM: free */
    int64_t end[LOOPS][2];
    double point[LOOPS][2][3];
    double gravity[3], q[6 * BODIES], dq[6 * BODIES];
    saddle_tree *tree;
    saddle_model *model;
    saddle_handle part[BODIES];
} twin;

static void draw(uint64_t *state, int64_t count, double most, double *x)
{
    for (int64_t i = 0; i < count; i++) x[i] = test_uniform(state, -most, most);
}

static saddle_pose draw_pose(uint64_t *state)
{
    double u[6];
    draw(state, 6, 1, u);
    return saddle_pose_exp(u);
}

static saddle_body_inertia draw_inertia(uint64_t *state)
{
    const double size[3] = {test_uniform(state, 0.2, 1), test_uniform(state, 0.2, 1),
                            test_uniform(state, 0.2, 1)};
    saddle_body_inertia inertia, moved;
    assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, size,
                                                 test_uniform(state, 0.5, 3), &inertia),
                     SADDLE_OK);
    const saddle_pose place = draw_pose(state);
    saddle_body_inertia_move(&inertia, &place, &moved);
    return moved;
}

/* The model's slider is along z. */
static const double along_z[6] = {0, 0, 1, 0, 0, 0};

static saddle_motion joint_of(saddle_joint_kind kind)
{
    saddle_motion slider = saddle_motion_revolute();
    slider.evaluate = saddle_motion_screw;
    slider.data = along_z;
    switch (kind) {
    case SADDLE_JOINT_FIXED: return saddle_motion_fixed();
    case SADDLE_JOINT_HINGE: return saddle_motion_revolute();
    case SADDLE_JOINT_SLIDER: return slider;
    case SADDLE_JOINT_BALL: return saddle_motion_exponential();
    case SADDLE_JOINT_UNIVERSAL: return saddle_motion_universal();
    default: return saddle_motion_free();
    }
}

static void draw_tree(uint64_t *state, twin *t)
{
    memset(t, 0, sizeof *t);
    t->bodies = (int)test_integer(state, 2, BODIES);
    draw(state, 3, 10, t->gravity);
    draw(state, 6 * BODIES, 1, t->q);
    draw(state, 6 * BODIES, 1, t->dq);
    for (int k = 0; k < t->bodies; k++) {
        t->kind[k] = (saddle_joint_kind)test_integer(state, 0, 4);
        if (k == 0 && test_uniform(state, 0, 1) < 0.3) t->kind[k] = SADDLE_JOINT_CUSTOM;
        t->body[k] = (saddle_tree_body){test_integer(state, -1, k - 1), joint_of(t->kind[k]),
                                        draw_inertia(state)};
        t->body[k].joint.before = draw_pose(state);
        t->body[k].joint.after = draw_pose(state);
    }
    assert_int_equal(saddle_tree_create(NULL, t->bodies, t->body, &t->tree), SADDLE_OK);
    assert_int_equal(saddle_tree_set_gravity(t->tree, t->gravity), SADDLE_OK);
    assert_int_equal(saddle_tree_place(t->tree, t->q, t->dq), SADDLE_OK);
}

/* Joints that hold points of two bodies together, where the tree has freedom left, closed as
 * placed; velocities are made to satisfy them. */
static void draw_loops(uint64_t *state, twin *t, saddle_tree_row *rows)
{
    saddle_pose pose[BODIES];
    assert_int_equal(saddle_tree_poses(t->tree, pose), SADDLE_OK);
    const int64_t freedom = saddle_tree_size_of(t->tree).coordinates;
    while (t->loops < LOOPS && t->bodies > 5 && freedom > 6 * (t->loops + 1)) {
        int64_t *end = t->end[t->loops];
        double x[3];
        end[0] = test_integer(state, -1, t->bodies / 2 - 1);
        end[1] = test_integer(state, t->bodies / 2, t->bodies - 1);
        draw(state, 3, 1, t->point[t->loops][1]);
        saddle_pose_point(&pose[end[1]], t->point[t->loops][1], x);
        if (end[0] >= 0)
            saddle_pose_point_inverse(&pose[end[0]], x, t->point[t->loops][0]);
        else
            memcpy(t->point[t->loops][0], x, sizeof x);
        saddle_tree_rows_at_point(end, t->point[t->loops][0], t->point[t->loops][1],
                                  rows + 3 * t->loops);
        t->loops++;
    }
}

/* dq <- the nearest that moves with the loops, in the metric of M; 1: rows are independent. */
static int project(twin *t, const saddle_tree_row *rows)
{
    const saddle_tree_stage stage = {.level = SADDLE_TREE_LEVEL_POSITIONS};
    const int64_t m = 3 * t->loops;
    double rate[3 * LOOPS], w[3 * LOOPS], lambda[3 * LOOPS], v[6 * BODIES];
    saddle_problem problem;
    saddle_rank rank;
    assert_int_equal(saddle_tree_problem(t->tree, m, rows, &stage, NULL, NULL, &problem),
                     SADDLE_OK);
    assert_int_equal(saddle_rank_find(NULL, &problem, NULL, &rank), SADDLE_OK);
    const int clear = rank.rank == rank.examined && rank.separation > 0.02;
    saddle_rank_clear(&rank);
    assert_int_equal(saddle_tree_rows_evaluate(t->tree, m, rows, NULL, rate, NULL), SADDLE_OK);
    for (int64_t i = 0; i < m; i++) problem.b[i] = -rate[i];
    saddle_solution solution = {problem.n, m, v, lambda, w, 0, NULL};
    if (clear)
        assert_int_equal(saddle_solve(NULL, &problem, "ldlt", NULL, NULL, &solution, NULL),
                         SADDLE_OK);
    for (int64_t j = 0; clear && j < problem.n; j++) t->dq[j] += v[j];
    saddle_problem_clear(&problem);
    assert_int_equal(saddle_tree_place(t->tree, t->q, t->dq), SADDLE_OK);
    return clear;
}

static void add_joint(twin *t, saddle_joint_kind kind, int64_t a, int64_t b,
                      const saddle_pose *frame_a, const saddle_pose *frame_b)
{
    saddle_handle joint;
    saddle_joint_def def = saddle_joint_def_default();
    def.kind = kind;
    if (a >= 0) def.a = t->part[a];
    def.b = t->part[b];
    def.frame_a = *frame_a;
    def.frame_b = *frame_b;
    assert_int_equal(saddle_model_add_joint(t->model, &def, &joint), SADDLE_OK);
}

static void build_model(twin *t)
{
    saddle_pose pose[BODIES];
    double twist[6 * BODIES];
    assert_int_equal(saddle_tree_poses(t->tree, pose), SADDLE_OK);
    assert_int_equal(saddle_tree_push(t->tree, t->dq, twist), SADDLE_OK);
    assert_int_equal(saddle_model_create(NULL, &t->model), SADDLE_OK);
    saddle_model_set_gravity(t->model, t->gravity);
    for (int k = 0; k < t->bodies; k++) {
        saddle_body_def def = saddle_body_def_default();
        def.inertia = t->body[k].inertia;
        def.pose = pose[k];
        memcpy(def.twist, twist + 6 * k, sizeof def.twist);
        assert_int_equal(saddle_model_add_body(t->model, &def, &t->part[k]), SADDLE_OK);
        const saddle_pose in_body = saddle_pose_inverse(&t->body[k].joint.after);
        if (t->kind[k] != SADDLE_JOINT_CUSTOM)
            add_joint(t, t->kind[k], t->body[k].parent, k, &t->body[k].joint.before, &in_body);
    }
    for (int k = 0; k < t->loops; k++) {
        saddle_pose frame[2] = {saddle_pose_identity(), saddle_pose_identity()};
        for (int e = 0; e < 2; e++) memcpy(frame[e].p, t->point[k][e], sizeof frame[e].p);
        add_joint(t, SADDLE_JOINT_BALL, t->end[k][0], t->end[k][1], &frame[0], &frame[1]);
    }
}

/* dphi/dt = J ddq + dJ dq of all bodies, by the recursion or with the loops' rows. */
static void reduced_accelerations(twin *t, const saddle_tree_row *rows, double *acceleration)
{
    double ddq[6 * BODIES], lambda[3 * LOOPS], w[3 * LOOPS], drift[6 * BODIES];
    if (t->loops == 0) {
        assert_int_equal(saddle_tree_forward(t->tree, NULL, NULL, ddq), SADDLE_OK);
    } else {
        const saddle_tree_stage stage = {0};
        saddle_problem problem;
        assert_int_equal(saddle_tree_problem(t->tree, 3 * t->loops, rows, &stage, NULL, NULL,
                                             &problem),
                         SADDLE_OK);
        saddle_solution solution = {problem.n, problem.m, ddq, lambda, w, 0, NULL};
        assert_int_equal(saddle_solve(NULL, &problem, "ldlt", NULL, NULL, &solution, NULL),
                         SADDLE_OK);
        saddle_problem_clear(&problem);
    }
    assert_int_equal(saddle_tree_push(t->tree, ddq, acceleration), SADDLE_OK);
    assert_int_equal(saddle_tree_push_rate(t->tree, t->dq, drift), SADDLE_OK);
    for (int i = 0; i < 6 * t->bodies; i++) acceleration[i] += drift[i];
}

static double maximal_distance(twin *t, const double *acceleration)
{
    saddle_assembly *assembly = NULL;
    saddle_solution solution = {0};
    double apart = 0, largest = 1;
    assert_int_equal(saddle_assembly_create(t->model, NULL, &assembly), SADDLE_OK);
    assert_int_equal(saddle_assembly_accelerations(assembly), SADDLE_OK);
    const saddle_problem *problem = saddle_assembly_problem(assembly);
    if (problem->m == 0) { /* one free body and the like */
        assert_int_equal(saddle_solve(NULL, problem, "auto", NULL, NULL, &solution, NULL),
                         SADDLE_OK);
    } else {
        assert_int_equal(saddle_solve(NULL, problem, "ldlt", NULL, NULL, &solution, NULL),
                         SADDLE_OK);
    }
    for (int k = 0; k < t->bodies; k++) {
        const double *a = solution.v + saddle_assembly_column(assembly, t->part[k]);
        for (int i = 0; i < 6; i++) {
            largest = fmax(largest, fabs(a[i]));
            apart = fmax(apart, fabs(a[i] - acceleration[6 * k + i]));
        }
    }
    saddle_solution_clear(&solution);
    saddle_assembly_free(assembly);
    return apart / largest;
}

static void reduced_and_maximal_coordinates_accelerate_alike(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    int loops = 0;
    for (int64_t trial = 0; trial < test_draws(1500); trial++) {
        twin t;
        saddle_tree_row rows[3 * LOOPS];
        double acceleration[6 * BODIES];
        draw_tree(&seed, &t);
        if (trial % 2) draw_loops(&seed, &t, rows);
        if (t.loops > 0 && !project(&t, rows)) t.loops = 0;
        build_model(&t);
        reduced_accelerations(&t, rows, acceleration);
        assert_true(maximal_distance(&t, acceleration) < 1e-10);
        loops += t.loops;
        saddle_model_free(t.model);
        saddle_tree_free(t.tree);
    }
    assert_true(loops > test_draws(300));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reduced_and_maximal_coordinates_accelerate_alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
