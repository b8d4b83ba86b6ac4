/* SPDX-License-Identifier: MIT */
/* A soft block hangs by one face on a rigid plate, the plate on a hinge; the block swings down
 * until its far edge lies on the floor.  Finite elements, joints and contact in one system.
 * soft_block.txt has the output.
 */
#include <stdio.h>

#include "saddle/saddle.h"

#define FLOOR (-0.7) /* [m] */

typedef struct scene {
    saddle_model *model;
    saddle_fem_block shape;
    saddle_handle plate, block;
} scene;

/* Each node of the face x = 0 on the plate. */
static saddle_status hold_face(scene *s)
{
    const double weights[2] = {1, -1};
    saddle_status status = SADDLE_OK;
    for (int64_t k = 0; k <= s->shape.cells[2]; k++) {
        for (int64_t j = 0; status == SADDLE_OK && j <= s->shape.cells[1]; j++) {
            const saddle_anchor anchors[2] = {{s->block, saddle_fem_block_node(&s->shape, 0, j, k)},
                                              {s->plate, 0}};
            const double *x = saddle_model_position(s->model, s->block) + 3 * anchors[0].node;
            /* the plate's frame is the world's at the start */
            const double points[6] = {0, 0, 0, x[0], x[1], x[2]};
            saddle_pin_def def = saddle_pin_def_default();
            saddle_handle pin;
            def.count = 2;
            def.anchors = anchors;
            def.weights = weights;
            def.points = points;
            status = saddle_model_add_pin(s->model, &def, &pin);
        }
    }
    return status;
}

static saddle_status build(scene *s)
{
    const double size[3] = {0.05, 0.4, 0.4}, gravity[3] = {0, 0, -9.81}, at[3] = {0, 0, 0},
                 y[3] = {0, 1, 0};
    saddle_body_def plate = saddle_body_def_default();
    saddle_joint_def hinge = saddle_joint_def_default();
    saddle_pose place;
    saddle_handle joint;
    saddle_model_set_gravity(s->model, gravity);
    s->shape = saddle_fem_block_default();
    s->shape.cells[0] = 6, s->shape.size[0] = 1.2;
    s->shape.size[1] = s->shape.size[2] = 0.4;
    s->shape.corner[1] = s->shape.corner[2] = -0.2;
    s->shape.young = 2e6;
    s->shape.damping_stiffness = 0.02;
    saddle_status status = saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, size, 5,
                                                       &plate.inertia);
    if (status == SADDLE_OK) status = saddle_model_add_body(s->model, &plate, &s->plate);
    if (status == SADDLE_OK) status = saddle_model_add_fem_block(s->model, &s->shape, &s->block);
    if (status == SADDLE_OK) status = hold_face(s);
    hinge.kind = SADDLE_JOINT_HINGE;
    hinge.b = s->plate;
    if (status == SADDLE_OK) status = saddle_pose_along(NULL, at, y, &place);
    if (status == SADDLE_OK) status = saddle_joint_def_at(s->model, &place, &hinge);
    return status == SADDLE_OK ? saddle_model_add_joint(s->model, &hinge, &joint) : status;
}

/* Contacts with friction of the block's nodes near the floor. */
static saddle_status find_contacts(void *user, saddle_model *model, double time_step,
                                   saddle_contact_list *list)
{
    const scene *s = user;
    const double *x = saddle_model_position(model, s->block);
    (void)time_step;
    for (int64_t k = 0; k < saddle_model_node_count(model, s->block); k++) {
        saddle_contact_point *point;
        if (x[3 * k + 2] > FLOOR + 0.05) continue;
        const saddle_status status = saddle_contact_list_add(list, &point);
        if (status != SADDLE_OK) return status;
        point->id = k;
        point->b = (saddle_contact_side){.part = s->block, .count = 1, .node = {k}, .weight = {1}};
        point->normal[2] = 1; /* from the ground, side a, to the block */
        point->gap = x[3 * k + 2] - FLOOR;
        point->mu = 0.3;
        for (int i = 0; i < 3; i++) point->a.point[i] = x[3 * k + i];
    }
    return SADDLE_OK;
}

int main(void)
{
    scene s = {0};
    saddle_stepper *stepper = NULL;
    saddle_stepper_options options = saddle_stepper_options_default();
    options.time_step = 5e-3;
    options.integrator = SADDLE_INTEGRATOR_IMPLICIT_EULER;
    options.solver_options.tolerance = 1e-8;
    options.contacts = find_contacts;
    options.user = &s;
    saddle_status status = saddle_model_create(NULL, &s.model);
    if (status == SADDLE_OK) status = build(&s);
    if (status == SADDLE_OK) status = saddle_stepper_create(s.model, &options, &stepper);
    int unsolved = 0;
    for (int k = 0; status >= SADDLE_OK && k < 600; k++) {
        status = saddle_stepper_step(stepper);
        unsolved += status > SADDLE_OK;
    }
    if (status < SADDLE_OK) return fprintf(stderr, "%s\n", saddle_status_text(status)), 1;
    const double *x = saddle_model_position(s.model, s.block);
    double lowest = 1;
    for (int64_t k = 0; k < saddle_model_node_count(s.model, s.block); k++)
        lowest = x[3 * k + 2] < lowest ? x[3 * k + 2] : lowest;
    const saddle_energies e = saddle_model_energies(s.model);
    printf("%d of 600 steps not solved to 1e-8\n", unsolved);
    printf("lowest node at %.3f m, the floor at %.3f m\n", lowest, FLOOR);
    printf("at rest: %s; bent: %s\n", e.kinetic < 1e-3 ? "yes" : "no",
           e.elastic > 0.1 ? "yes" : "no");
    saddle_stepper_free(stepper);
    saddle_model_free(s.model);
    return 0;
}
