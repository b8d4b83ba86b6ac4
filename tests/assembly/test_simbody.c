/* SPDX-License-Identifier: MIT */
/* Accelerations and multipliers of random trees and loops against Simbody, which works in joint
 * coordinates. */
#include <math.h>
#include <string.h>

#include "multibody/simbody.h"
#include "support.h"

enum { BODIES_MAX = 24, LOOPS_MAX = 3 };

typedef struct mechanism {
    int bodies, loops;
    simbody_body body[BODIES_MAX];
    simbody_loop loop[LOOPS_MAX];
    double gravity[3];
} mechanism;

static saddle_pose drawn_pose(uint64_t *state)
{
    double u[6];
    for (int i = 0; i < 6; i++) u[i] = test_uniform(state, -1, 1);
    return saddle_pose_exp(u);
}

static saddle_body_inertia drawn_inertia(uint64_t *state)
{
    const double size[3] = {test_uniform(state, 0.2, 1), test_uniform(state, 0.2, 1),
                            test_uniform(state, 0.2, 1)};
    saddle_body_inertia inertia, moved;
    assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, size,
                                                 test_uniform(state, 0.5, 3), &inertia),
                     SADDLE_OK);
    const saddle_pose place = drawn_pose(state);
    saddle_body_inertia_move(&inertia, &place, &moved);
    return moved;
}

/* A tree of any joints; loops only where they leave some freedom, so that their forces are
 * determined. */
static void draw_mechanism(uint64_t *state, mechanism *m)
{
    int freedom = 0;
    m->bodies = (int)test_integer(state, 1, BODIES_MAX);
    for (int i = 0; i < 3; i++) m->gravity[i] = test_uniform(state, -10, 10);
    for (int k = 0; k < m->bodies; k++) {
        const simbody_joint joint = (simbody_joint)test_integer(state, 0, k == 0 ? 3 : 2);
        static const int freedoms[] = {1, 1, 3, 6};
        freedom += freedoms[joint];
        m->body[k] = (simbody_body){(int)test_integer(state, -1, k - 1), joint, drawn_pose(state),
                                    drawn_pose(state), drawn_inertia(state)};
    }
    m->loops = 0;
    while (m->bodies > 6 && m->loops < LOOPS_MAX && freedom > 6 * (m->loops + 1) &&
           test_uniform(state, 0, 1) < 0.6) {
        simbody_loop *loop = &m->loop[m->loops];
        loop->a = (int)test_integer(state, -1, m->bodies / 2 - 1);
        loop->b = (int)test_integer(state, m->bodies / 2, m->bodies - 1);
        for (int i = 0; i < 3; i++) loop->point_a[i] = test_uniform(state, -1, 1);
        m->loops++;
    }
}

/* Our slider is along z, Simbody's along x. */
static saddle_pose turned(const saddle_pose *frame, simbody_joint joint)
{
    const double quarter[6] = {0, 0, 0, 0, acos(-1) / 2, 0};
    const saddle_pose turn = saddle_pose_exp(quarter);
    return joint == SIMBODY_SLIDER ? saddle_pose_multiply(frame, &turn) : *frame;
}

typedef struct ours {
    saddle_model *model;
    saddle_handle body[BODIES_MAX], joint[BODIES_MAX], loop[LOOPS_MAX];
} ours;

static saddle_handle part(const ours *o, int body)
{
    return body < 0 ? (saddle_handle){0} : o->body[body];
}

static void build(const mechanism *m, const simbody_motion *motion, ours *o)
{
    static const saddle_joint_kind kinds[] = {SADDLE_JOINT_HINGE, SADDLE_JOINT_SLIDER,
                                              SADDLE_JOINT_BALL};
    assert_int_equal(saddle_model_create(NULL, &o->model), SADDLE_OK);
    saddle_model_set_gravity(o->model, m->gravity);
    for (int k = 0; k < m->bodies; k++) {
        saddle_body_def def = saddle_body_def_default();
        def.inertia = m->body[k].inertia;
        def.pose = motion[k].pose;
        memcpy(def.twist, motion[k].twist, sizeof def.twist);
        assert_int_equal(saddle_model_add_body(o->model, &def, &o->body[k]), SADDLE_OK);
        if (m->body[k].joint == SIMBODY_FREE) continue;
        saddle_joint_def joint = saddle_joint_def_default();
        joint.kind = kinds[m->body[k].joint];
        joint.a = part(o, m->body[k].parent);
        joint.b = o->body[k];
        joint.frame_a = turned(&m->body[k].in_parent, m->body[k].joint);
        joint.frame_b = turned(&m->body[k].in_body, m->body[k].joint);
        assert_int_equal(saddle_model_add_joint(o->model, &joint, &o->joint[k]), SADDLE_OK);
    }
    for (int k = 0; k < m->loops; k++) {
        saddle_joint_def joint = saddle_joint_def_default();
        joint.kind = SADDLE_JOINT_BALL;
        joint.a = part(o, m->loop[k].a);
        joint.b = part(o, m->loop[k].b);
        memcpy(joint.frame_a.p, m->loop[k].point_a, sizeof joint.frame_a.p);
        memcpy(joint.frame_b.p, m->loop[k].point_b, sizeof joint.frame_b.p);
        assert_int_equal(saddle_model_add_joint(o->model, &joint, &o->loop[k]), SADDLE_OK);
    }
}

/* What a joint's rows do to a body, a wrench in its axes: the columns of J' there, times lambda. */
static void wrench_on(const saddle_problem *problem, int64_t row, int64_t rows, int64_t column,
                      const double *lambda, double *wrench)
{
    memset(wrench, 0, 6 * sizeof *wrench);
    for (int64_t i = row; i < row + rows; i++) {
        for (int k = 0; k < 6; k++)
            wrench[k] += saddle_matrix_entry(&problem->Jt, column + k, i) * lambda[i];
    }
}

static double largest(const double *x, int count)
{
    double size = 0;
    for (int i = 0; i < count; i++) size = fmax(size, fabs(x[i]));
    return size;
}

/* max |a - b| over the largest of all of that kind in the mechanism. */
static double distance(const double *a, const double *b, int count, double scale)
{
    double far = 0;
    for (int i = 0; i < count; i++) far = fmax(far, fabs(a[i] - b[i]));
    return far / scale;
}

/* How far two programs can agree: 1e-9, but Simbody solves G M^-1 G', whose condition is the square
 * of the rows' own: less where rows nearly depend on others, by their separation, or by forces far
 * beyond the weights, 1000 N in all.  Rows that do depend share their forces as they like
 * (independent = 0): then accelerations alone can be compared. */
static double agreement(const saddle_problem *problem, double strongest, int *independent)
{
    saddle_rank rank;
    assert_int_equal(saddle_rank_find(NULL, problem, NULL, &rank), SADDLE_OK);
    const double near = 1e-5 / (rank.separation * rank.separation), amplified = strongest / 1000;
    *independent = rank.rank == rank.examined;
    saddle_rank_clear(&rank);
    return 1e-9 * fmax(1, fmax(near, amplified * amplified));
}

/* 1: forces were determined, and compared too. */
static int compare(const mechanism *m, const ours *o, const simbody_motion *motion,
                   const double *force, int *plain)
{
    saddle_assembly *assembly = NULL;
    saddle_solution solution = {0};
    assert_int_equal(saddle_assembly_create(o->model, NULL, &assembly), SADDLE_OK);
    assert_int_equal(saddle_assembly_accelerations(assembly), SADDLE_OK);
    const saddle_problem *problem = saddle_assembly_problem(assembly);
    assert_int_equal(saddle_solve(NULL, problem, "ldlt", NULL, NULL, &solution, NULL), SADDLE_OK);
    int independent = 0;
    double fastest = 1, strongest = 1;
    for (int k = 0; k < m->bodies; k++) {
        fastest = fmax(fastest, largest(motion[k].acceleration, 6));
        strongest = fmax(strongest, largest(motion[k].reaction, 6));
    }
    if (m->loops > 0) strongest = fmax(strongest, largest(force, 3 * m->loops));
    const double close = agreement(problem, strongest, &independent);
    for (int k = 0; k < m->bodies; k++) {
        const int64_t column = saddle_assembly_column(assembly, o->body[k]);
        assert_true(distance(solution.v + column, motion[k].acceleration, 6, fastest) < close);
        if (m->body[k].joint == SIMBODY_FREE || !independent) continue;
        double wrench[6];
        wrench_on(problem, saddle_assembly_row(assembly, o->joint[k]),
                  saddle_model_constraint_rows(o->model, o->joint[k]), column, solution.lambda,
                  wrench);
        assert_true(distance(wrench, motion[k].reaction, 6, strongest) < close);
    }
    for (int k = 0; k < m->loops && independent; k++) {
        const int b = m->loop[k].b;
        const double *R = motion[b].pose.R;
        double wrench[6], world[3];
        wrench_on(problem, saddle_assembly_row(assembly, o->loop[k]), 3,
                  saddle_assembly_column(assembly, o->body[b]), solution.lambda, wrench);
        for (int i = 0; i < 3; i++)
            world[i] = R[i] * wrench[0] + R[i + 3] * wrench[1] + R[i + 6] * wrench[2];
        assert_true(distance(world, force + 3 * k, 3, strongest) < close);
    }
    saddle_solution_clear(&solution);
    saddle_assembly_free(assembly);
    *plain += close == 1e-9;
    return independent;
}

static void trees_and_loops_accelerate_as_in_simbody(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int compared = 0, loops = 0, plain = 0;
    for (int draw = 0; draw < 300; draw++) {
        mechanism m;
        simbody_motion motion[BODIES_MAX];
        double force[3 * LOOPS_MAX];
        draw_mechanism(&state, &m);
        const uint64_t seed = (uint64_t)test_integer(&state, 1, 1 << 30);
        if (simbody_accelerations(m.bodies, m.body, m.loops, m.loop, m.gravity, seed, motion,
                                  force) != 0)
            continue;
        ours o = {0};
        build(&m, motion, &o);
        const int forces = compare(&m, &o, motion, force, &plain);
        saddle_model_free(o.model);
        compared++;
        loops += forces ? m.loops : 0;
    }
    assert_true(compared > 250 && loops > 100 && plain > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(trees_and_loops_accelerate_as_in_simbody)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
