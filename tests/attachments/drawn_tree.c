/* SPDX-License-Identifier: MIT */
/* See drawn_tree.h. */
#include "drawn_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

saddle_body_inertia draw_inertia(uint64_t *state)
{
    double size[3];
    saddle_body_inertia inertia, moved;
    for (int i = 0; i < 3; i++) size[i] = test_uniform(state, 0.2, 1);
    assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, size,
                                                 test_uniform(state, 0.5, 3), &inertia),
                     SADDLE_OK);
    const saddle_pose place = draw_joint_pose(state);
    saddle_body_inertia_move(&inertia, &place, &moved);
    return moved;
}

static void draw_body(uint64_t *state, drawn_tree *d, int64_t i, int kind)
{
    saddle_tree_body *body = &d->body[i];
    const int any = kind == DRAWN_JOINT_KINDS;
    body->parent = test_integer(state, i > 0 && test_uniform(state, 0, 1) < 0.5 ? i - 1 : -1,
                                i - 1);
    body->inertia = draw_inertia(state);
    if (any && test_uniform(state, 0, 1) < 0.1) {
        body->joint = saddle_motion_fixed();
        body->joint.before = draw_joint_pose(state);
        body->joint.after = draw_joint_pose(state);
        return;
    }
    d->drawn[i] = draw_joint(state,
                             any ? (int)test_integer(state, 0, DRAWN_JOINT_KINDS - 1) : kind);
    body->joint = d->drawn[i]->joint;
}

static void draw_state(uint64_t *state, drawn_tree *d, int springs)
{
    for (int i = 0; i < 3; i++) d->gravity[i] = test_uniform(state, -10, 10);
    for (int64_t i = 0; i < d->bodies; i++) {
        double q[6], dq[6];
        if (!d->drawn[i]) continue;
        const int64_t size = d->body[i].joint.size;
        draw_coordinates(state, d->drawn[i], q, dq);
        memcpy(d->q + d->coordinates, q, (size_t)size * sizeof *q);
        memcpy(d->dq + d->coordinates, dq, (size_t)size * sizeof *q);
        d->coordinates += size;
    }
    for (int64_t j = 0; j < d->coordinates; j++) {
        d->x[j] = test_uniform(state, -1, 1);
        d->torque[j] = test_uniform(state, -3, 3);
        d->stiffness[j] = springs ? test_uniform(state, 0, 50) : 0;
        d->damping[j] = springs ? test_uniform(state, 0, 5) : 0;
        d->rest[j] = springs ? test_uniform(state, -1, 1) : 0;
    }
    for (int64_t i = 0; i < 6 * d->bodies; i++) d->wrench[i] = test_uniform(state, -5, 5);
}

void draw_tree_axis(uint64_t *state, double *axis)
{
    double length = 0;
    for (int i = 0; i < 3; i++) {
        axis[i] = test_uniform(state, -1, 1);
        length += axis[i] * axis[i];
    }
    for (int i = 0; i < 3; i++) axis[i] /= sqrt(length);
}

drawn_tree *draw_tree(uint64_t *state, saddle_context *context, int64_t bodies, int kind,
                      int springs)
{
    drawn_tree *d = calloc(1, sizeof *d);
    assert_non_null(d);
    d->bodies = test_integer(state, 1, bodies);
    for (int64_t i = 0; i < d->bodies; i++) draw_body(state, d, i, kind);
    draw_state(state, d, springs);
    assert_int_equal(saddle_tree_create(context, d->bodies, d->body, &d->tree), SADDLE_OK);
    assert_int_equal(saddle_tree_set_gravity(d->tree, d->gravity), SADDLE_OK);
    assert_int_equal(saddle_tree_set_springs(d->tree, d->stiffness, d->damping, d->rest),
                     SADDLE_OK);
    assert_int_equal(saddle_tree_place(d->tree, d->q, d->dq), SADDLE_OK);
    assert_int_equal(saddle_tree_size_of(d->tree).coordinates, d->coordinates);
    return d;
}

void free_tree(drawn_tree *d)
{
    saddle_tree_free(d->tree);
    for (int64_t i = 0; i < d->bodies; i++) free_joint(d->drawn[i]);
    free(d);
}

/* ---- as attachments ---- */

enum { BODY_ID = 1000 };

static saddle_couplings *couple(const drawn_tree *d, saddle_attachments *graph)
{
    saddle_couplings *couplings;
    for (int64_t i = 0; i < d->bodies; i++) {
        const saddle_component coordinates = {.id = i,
                                              .kind = SADDLE_COMPONENT_COORDINATES,
                                              .size = d->body[i].joint.size};
        assert_int_equal(saddle_attachments_add(graph, &coordinates), SADDLE_OK);
    }
    for (int64_t i = 0; i < d->bodies; i++) {
        const saddle_component frame = {.id = BODY_ID + i, .kind = SADDLE_COMPONENT_FRAME};
        assert_int_equal(saddle_attachments_add(graph, &frame), SADDLE_OK);
    }
    assert_int_equal(saddle_couplings_create(NULL, graph, &couplings), SADDLE_OK);
    for (int64_t i = 0; i < d->bodies; i++) {
        const int64_t parent = BODY_ID + d->body[i].parent;
        const saddle_motion *joint = &d->body[i].joint;
        if (joint->size > 0) {
            assert_int_equal(saddle_couplings_add_body_on_joint(couplings, BODY_ID + i,
                                                                d->body[i].parent < 0 ? NULL
                                                                                      : &parent,
                                                                i, joint),
                             SADDLE_OK);
        } else if (d->body[i].parent >= 0) {
            const saddle_pose T = saddle_pose_multiply(&joint->before, &joint->after);
            assert_int_equal(saddle_couplings_add_frame_on_frame(couplings, BODY_ID + i, parent,
                                                                 &T),
                             SADDLE_OK);
        } else { /* at rest in the world */
            const saddle_attachment still = {.component = BODY_ID + i};
            assert_int_equal(saddle_attachments_attach(graph, &still), SADDLE_OK);
        }
    }
    assert_int_equal(saddle_couplings_compile(couplings), SADDLE_OK);
    return couplings;
}

/* M and f of free bodies. */
static void body_problem(const drawn_tree *d, const saddle_pose *pose, const double *twist,
                         saddle_problem *problem)
{
    const int64_t n = problem->n, offset = d->coordinates;
    int64_t *row = calloc((size_t)(36 * d->bodies), sizeof *row), count = 0;
    int64_t *col = calloc((size_t)(36 * d->bodies), sizeof *col);
    double *value = calloc((size_t)(36 * d->bodies), sizeof *value);
    assert_true(row && col && value);
    for (int64_t i = 0; i < d->bodies; i++) {
        const saddle_body_inertia *inertia = &d->body[i].inertia;
        double M[36], gyroscopic[6], weight[6] = {0}, load[6];
        saddle_body_inertia_matrix(inertia, M);
        saddle_body_inertia_coriolis(inertia, twist + 6 * i, gyroscopic, NULL);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) weight[a] += pose[i].R[b + 3 * a] * d->gravity[b];
        for (int a = 0; a < 6; a++) {
            load[a] = d->wrench[6 * i + a] + gyroscopic[a];
            for (int b = 0; b < 6; b++) {
                load[a] += M[a + 6 * b] * weight[b];
                if (b > a) continue;
                row[count] = offset + 6 * i + a;
                col[count] = offset + 6 * i + b;
                value[count++] = M[a + 6 * b];
            }
            problem->f[offset + 6 * i + a] = load[a];
        }
    }
    assert_int_equal(saddle_matrix_from_triplets(NULL, n, n, count, row, col, value,
                                                 SADDLE_SYMMETRY_LOWER, &problem->M),
                     SADDLE_OK);
    free(row);
    free(col);
    free(value);
}

void eliminated_tree(const drawn_tree *d, double *M, double *force, double *J, double *drift)
{
    const int64_t n = d->coordinates + 6 * d->bodies;
    const saddle_coupling_step step = {1, SADDLE_FICTITIOUS_TERM, SADDLE_AXES_BODY};
    saddle_attachments *graph;
    saddle_elimination *elimination;
    assert_int_equal(saddle_attachments_create(NULL, &graph), SADDLE_OK);
    saddle_couplings *couplings = couple(d, graph);
    double *position = calloc((size_t)(d->coordinates + 12 * d->bodies), sizeof *position);
    double *velocity = calloc((size_t)n, sizeof *velocity), *f = calloc((size_t)n, sizeof *f);
    saddle_pose *pose = calloc((size_t)d->bodies, sizeof *pose);
    double *unit = calloc((size_t)n, sizeof *unit);
    assert_true(position && velocity && f && pose && unit);
    memcpy(position, d->q, (size_t)d->coordinates * sizeof *position);
    memcpy(velocity, d->dq, (size_t)d->coordinates * sizeof *velocity);
    for (int64_t i = 0; i < d->bodies; i++) { /* of fixed bodies on the world */
        pose[i] = saddle_pose_multiply(&d->body[i].joint.before, &d->body[i].joint.after);
        memcpy(position + d->coordinates + 12 * i, &pose[i], sizeof *pose);
    }
    assert_int_equal(saddle_couplings_update(couplings, &step, position, velocity), SADDLE_OK);
    for (int64_t i = 0; i < d->bodies; i++)
        memcpy(&pose[i], position + d->coordinates + 12 * i, sizeof *pose);
    saddle_problem problem = {.n = n, .f = f};
    body_problem(d, pose, velocity + d->coordinates, &problem);
    assert_int_equal(saddle_elimination_create(NULL, graph, &problem, SADDLE_WISH_ELIMINATE, NULL,
                                               NULL, &elimination),
                     SADDLE_OK);
    const saddle_problem *reduced = saddle_elimination_problem(elimination);
    assert_int_equal(reduced->n, d->coordinates);
    test_dense(&reduced->M, M);
    memcpy(force, reduced->f, (size_t)d->coordinates * sizeof *force);
    const saddle_map *map = saddle_elimination_map(elimination);
    for (int64_t j = 0; j < d->coordinates; j++) {
        memset(unit, 0, (size_t)n * sizeof *unit);
        double *whole = velocity;
        unit[j] = 1;
        saddle_map_push(map, unit, whole);
        memcpy(J + 6 * d->bodies * j, whole + d->coordinates, (size_t)(6 * d->bodies) * sizeof *J);
    }
    memset(unit, 0, (size_t)n * sizeof *unit);
    saddle_map_velocities(map, unit, velocity);
    memcpy(drift, velocity + d->coordinates, (size_t)(6 * d->bodies) * sizeof *drift);
    saddle_elimination_free(elimination);
    saddle_matrix_clear(&problem.M);
    saddle_couplings_free(couplings);
    saddle_attachments_free(graph);
    free(position);
    free(velocity);
    free(f);
    free(pose);
    free(unit);
}
