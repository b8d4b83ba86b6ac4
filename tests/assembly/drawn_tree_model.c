/* SPDX-License-Identifier: MIT */
/* See drawn_tree_model.h. */
#include "drawn_tree_model.h"

#include <math.h>
#include <string.h>

#include "drawn_parts.h"

/* ---- drawing ---- */

static unsigned draw_locked(uint64_t *state)
{
    return (unsigned)test_integer(state, 1, 63);
}

static void draw_body(uint64_t *state, saddle_body_def *def)
{
    const double size[3] = {test_uniform(state, 0.2, 1), test_uniform(state, 0.2, 1),
                            test_uniform(state, 0.2, 1)};
    saddle_body_inertia inertia;
    *def = saddle_body_def_default();
    assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, size,
                                                 test_uniform(state, 0.5, 3), &inertia),
                     SADDLE_OK);
    const saddle_pose place = test_draw_pose(state, 0.5);
    saddle_body_inertia_move(&inertia, &place, &def->inertia);
    def->pose = test_draw_pose(state, 1);
    for (int i = 0; i < 6; i++) def->twist[i] = test_uniform(state, -1, 1);
}

/* The bodies as the joints in coordinates place them. */
static void settle(drawn_joints *drawn)
{
    tree_model made;
    saddle_assembly *assembly;
    tree_model_begin(drawn, NULL, SADDLE_JOINT_FORM_COORDINATES, &made);
    assert_int_equal(saddle_assembly_create(made.model, NULL, &assembly), SADDLE_OK);
    assert_int_equal(saddle_assembly_place(assembly), SADDLE_OK);
    for (int k = 0; k < drawn->bodies; k++) {
        assert_int_equal(saddle_model_joint_form(made.model, made.joint[k]),
                         SADDLE_JOINT_FORM_COORDINATES);
        drawn->body[k].pose = *saddle_model_pose(made.model, made.part[k]);
        memcpy(drawn->body[k].twist, saddle_model_velocity(made.model, made.part[k]),
               sizeof drawn->body[k].twist);
    }
    saddle_assembly_free(assembly);
    saddle_model_free(made.model);
}

/* Joint k along a drawn motion, its child where the motion takes it. */
static void draw_along(uint64_t *state, int k, int child, drawn_joints *drawn)
{
    saddle_joint_def *joint = &drawn->joint[k];
    double dq[6], S[36] = {0};
    saddle_pose Q, E = saddle_pose_identity();
    drawn->motion[k] = draw_joint(state, (int)test_integer(state, 0, DRAWN_JOINT_KINDS - 1));
    joint->motion = drawn->motion[k]->joint;
    draw_coordinates(state, drawn->motion[k], joint->start, dq);
    assert_int_equal(joint->motion.evaluate(joint->motion.data, joint->start, &Q, S), 0);
    const saddle_pose back_b = saddle_pose_inverse(&joint->frame_b);
    const saddle_pose step[5] = {joint->frame_a, joint->motion.before, Q, joint->motion.after,
                                 back_b}; /* E_b = E_a step[0] .. step[4] */
    for (int i = 0; i < 5; i++) E = saddle_pose_multiply(&E, &step[i]);
    if (!child) E = saddle_pose_inverse(&E);
    const int64_t parent = drawn->end[k][!child];
    drawn->body[k].pose = parent < 0 ? E : saddle_pose_multiply(&drawn->body[parent].pose, &E);
}

void free_joints(drawn_joints *drawn)
{
    for (int k = 0; k < drawn->bodies; k++)
        if (drawn->motion[k]) free_joint(drawn->motion[k]);
}

void draw_joints(uint64_t *state, int most, int kind, drawn_joints *drawn)
{
    memset(drawn, 0, sizeof *drawn);
    drawn->bodies = (int)test_integer(state, 1, most);
    for (int i = 0; i < 3; i++) drawn->gravity[i] = test_uniform(state, -10, 10);
    for (int k = 0; k < drawn->bodies; k++) {
        saddle_joint_def *joint = &drawn->joint[k];
        draw_body(state, &drawn->body[k]);
        *joint = saddle_joint_def_default();
        const int last = kind == TREE_WITH_MOTIONS ? SADDLE_JOINT_MOTION : SADDLE_JOINT_CUSTOM;
        joint->kind = (saddle_joint_kind)(kind >= 0 ? kind : (int)test_integer(state, 0, last));
        if (joint->kind == SADDLE_JOINT_CUSTOM) joint->locked = draw_locked(state);
        joint->frame_a = test_draw_pose(state, 0.7);
        joint->frame_b = test_draw_pose(state, 0.7);
        const int child = test_uniform(state, 0, 1) < 0.7; /* b, or a */
        drawn->end[k][!child] = test_integer(state, -1, k - 1);
        drawn->end[k][child] = k;
        if (joint->kind == SADDLE_JOINT_MOTION) draw_along(state, k, child, drawn);
    }
    settle(drawn);
}

void draw_loops(uint64_t *state, drawn_joints *drawn)
{
    while (drawn->loops < TREE_LOOPS && drawn->bodies > 4) {
        const int at = drawn->bodies + drawn->loops++;
        int64_t *end = drawn->end[at];
        saddle_pose world = test_draw_pose(state, 0.5);
        end[0] = test_integer(state, -1, drawn->bodies / 2 - 1);
        end[1] = test_integer(state, drawn->bodies / 2, drawn->bodies - 1);
        drawn->joint[at] = saddle_joint_def_default();
        drawn->joint[at].kind = SADDLE_JOINT_BALL;
        const saddle_pose *a = end[0] < 0 ? NULL : &drawn->body[end[0]].pose;
        drawn->joint[at].frame_a = a ? saddle_pose_between(a, &world) : world;
        drawn->joint[at].frame_b = saddle_pose_between(&drawn->body[end[1]].pose, &world);
    }
}

/* ---- models ---- */

void tree_model_begin(const drawn_joints *drawn, saddle_context *context, saddle_joint_form form,
                      tree_model *made)
{
    assert_int_equal(saddle_model_create(context, &made->model), SADDLE_OK);
    saddle_model_set_gravity(made->model, drawn->gravity);
    assert_int_equal(saddle_model_set_joint_form(made->model, form), SADDLE_OK);
    for (int k = 0; k < drawn->bodies; k++)
        assert_int_equal(saddle_model_add_body(made->model, &drawn->body[k], &made->part[k]),
                         SADDLE_OK);
    for (int k = 0; k < drawn->bodies + drawn->loops; k++) {
        saddle_joint_def def = drawn->joint[k];
        if (drawn->end[k][0] >= 0) def.a = made->part[drawn->end[k][0]];
        if (drawn->end[k][1] >= 0) def.b = made->part[drawn->end[k][1]];
        assert_int_equal(saddle_model_add_joint(made->model, &def, &made->joint[k]), SADDLE_OK);
    }
}

/* v (n) of the assembly's problem, reduced where there are attachments. */
static int solve(const saddle_assembly *assembly, double *v)
{
    const saddle_problem *problem = saddle_assembly_problem(assembly), *solved = problem;
    const saddle_attachments *graph = saddle_assembly_attachments(assembly);
    saddle_elimination *elimination = NULL;
    saddle_solution solution = {0}, whole = {0};
    saddle_rank rank;
    if (graph) {
        assert_int_equal(saddle_elimination_create(NULL, graph, problem, SADDLE_WISH_ELIMINATE,
                                                   NULL, NULL, &elimination),
                         SADDLE_OK);
        solved = saddle_elimination_problem(elimination);
    }
    assert_int_equal(saddle_rank_find(NULL, solved, NULL, &rank), SADDLE_OK);
    const int clear = rank.rank == rank.examined && (rank.examined == 0 || rank.separation > 0.02);
    saddle_rank_clear(&rank);
    if (clear && solved->n > 0)
        assert_int_equal(saddle_solve(NULL, solved, "ldlt", NULL, NULL, &solution, NULL),
                         SADDLE_OK);
    if (clear && graph) {
        const saddle_elimination_report report = saddle_elimination_report_of(elimination);
        assert_int_equal(saddle_solution_create(NULL, report.n, report.m + report.multipliers,
                                                &whole),
                         SADDLE_OK);
        assert_int_equal(saddle_elimination_recover(elimination, problem, &solution, &whole),
                         SADDLE_OK);
    }
    const double *from = graph ? whole.v : solution.v;
    if (clear) memcpy(v, from, (size_t)problem->n * sizeof *v);
    saddle_solution_clear(&solution);
    saddle_solution_clear(&whole);
    saddle_elimination_free(elimination);
    return clear;
}

int tree_model_accelerations(const drawn_joints *drawn, tree_model *made, double *rate)
{
    saddle_assembly *assembly;
    double v[12 * TREE_BODIES];
    assert_int_equal(saddle_assembly_create(made->model, NULL, &assembly), SADDLE_OK);
    assert_int_equal(saddle_assembly_accelerations(assembly), SADDLE_OK);
    const int clear = solve(assembly, v);
    for (int k = 0; clear && k < drawn->bodies; k++)
        memcpy(rate + 6 * k, v + saddle_assembly_column(assembly, made->part[k]), 6 * sizeof *rate);
    saddle_assembly_free(assembly);
    return clear;
}

double apart(const double *a, const double *b, int64_t count)
{
    double most = 0, largest = 1;
    for (int64_t i = 0; i < count; i++) {
        largest = fmax(largest, fabs(a[i]));
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most / largest;
}
