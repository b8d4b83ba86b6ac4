/* SPDX-License-Identifier: MIT */
/* What a step may have to give back, and how bodies turn.
 *
 * A body's momentum p = M v is written in its own axes.  Nothing but impulses changes it in the
 * world, so when the body turns by R it becomes R'p, its moment taken about the centre of mass:
 * whatever the step, momentum and spin are kept to rounding. (With the moment about the origin
 * instead, p+ = Ad(q^-1 q+)'p, the discrete Euler-Poincare equation, the moment of momentum about
 * the world's origin would be kept, but what the path of the centre errs by, O(h^3) a step, would
 * go into the spin.)
 */
#include <string.h>

#include "space/space.h"
#include "stepper_internal.h"

/* ---- giving back ---- */

static saddle_status make_room(saddle_context *context, double **array, int64_t *room,
                               int64_t wanted)
{
    if (wanted <= *room) return SADDLE_OK;
    double *grown = saddle_reallocate(context, *array, wanted, sizeof *grown);
    if (grown == NULL) return SADDLE_OUT_OF_MEMORY;
    *array = grown;
    *room = wanted;
    return SADDLE_OK;
}

saddle_status saddle__stepper_save(saddle_stepper *stepper)
{
    const saddle_model *model = stepper->model;
    saddle__saved *saved = &stepper->saved;
    saddle_status status = make_room(stepper->context, &saved->position, &saved->position_room,
                                     model->positions);
    if (status == SADDLE_OK) {
        status = make_room(stepper->context, &saved->velocity, &saved->velocity_room,
                           model->velocities);
    }
    if (status != SADDLE_OK) return status;
    saved->time = model->time;
    if (model->positions > 0)
        memcpy(saved->position, model->position, (size_t)model->positions * sizeof(double));
    if (model->velocities > 0)
        memcpy(saved->velocity, model->velocity, (size_t)model->velocities * sizeof(double));
    return SADDLE_OK;
}

void saddle__stepper_restore(saddle_stepper *stepper)
{
    saddle_model *model = stepper->model;
    const saddle__saved *saved = &stepper->saved;
    model->time = saved->time;
    if (model->positions > 0)
        memcpy(model->position, saved->position, (size_t)model->positions * sizeof(double));
    if (model->velocities > 0)
        memcpy(model->velocity, saved->velocity, (size_t)model->velocities * sizeof(double));
    saddle__model_moved(model); /* turns are counted back */
}

/* ---- bodies ---- */

/* A walk over the bodies that move; begun with the model alone. */
typedef struct walk {
    const saddle_model *model;
    const saddle__part *part; /* the body, NULL before the first */
    int32_t next;             /* place in the order */
    int64_t column;           /* where the body's velocities begin */
    int64_t next_column;
} walk;

/* 0: there are no more. */
static int next_body(walk *at)
{
    const saddle_model *model = at->model;
    while (at->next < model->parts.count) {
        at->part = &model->part[model->parts.order[at->next++]];
        if (at->part->prescribed) continue;
        at->column = at->next_column;
        at->next_column += at->part->size;
        if (at->part->item == SADDLE_ITEM_BODY) return 1;
    }
    return 0;
}

/* An inertia that a model took is one: this cannot fail. */
static void twist_of_momentum(const saddle_model *model, const saddle__part *part, const double *p,
                              double *twist)
{
    (void)saddle_body_inertia_solve(model->context, &part->inertia, p, twist);
}

void saddle__stepper_add_gyroscopic(const saddle_stepper *stepper, double a, const double *v,
                                    int impulse, double *x)
{
    walk at = {.model = stepper->model};
    while (next_body(&at)) {
        double wrench[6];
        saddle_body_inertia_coriolis(&at.part->inertia, v + at.column, wrench, NULL);
        if (!impulse) twist_of_momentum(at.model, at.part, wrench, wrench);
        for (int i = 0; i < 6; i++) x[at.column + i] += a * wrench[i];
    }
}

void saddle__stepper_straighten(const saddle_stepper *stepper, double a, const double *v,
                                double *move)
{
    walk at = {.model = stepper->model};
    while (next_body(&at)) {
        double turning[3];
        saddle__cross(v + at.column + 3, v + at.column, turning);
        for (int i = 0; i < 3; i++) move[at.column + i] += a * turning[i];
    }
}

/* The turn from one pose to another about the body's point c, as a pose. */
static saddle_pose turn_about(const double *c, const saddle_pose *from, const saddle_pose *to)
{
    saddle_pose turn;
    saddle__transposed_product3(from->R, to->R, turn.R);
    saddle__rotate(turn.R, c, turn.p);
    for (int i = 0; i < 3; i++) turn.p[i] = c[i] - turn.p[i];
    return turn;
}

void saddle__stepper_turn(const saddle_stepper *stepper, const double *from, double *v, double *p)
{
    walk at = {.model = stepper->model};
    while (next_body(&at)) {
        const saddle_pose *now = (const saddle_pose *)(const void *)(at.model->position +
                                                                     at.part->position);
        const saddle_pose *then = (const saddle_pose *)(const void *)(from + at.part->position);
        const saddle_pose turn = turn_about(at.part->inertia.center, then, now);
        double momentum[6];
        saddle_body_inertia_multiply(&at.part->inertia, v + at.column, momentum);
        saddle_wrench_to_inner(&turn, momentum, momentum);
        twist_of_momentum(at.model, at.part, momentum, v + at.column);
        if (p != NULL) saddle_wrench_to_inner(&turn, p + at.column, p + at.column);
    }
}
