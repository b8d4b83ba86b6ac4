/* SPDX-License-Identifier: MIT */
/* Momenta of bodies over a step.
 *
 * The momentum p = M v of a body is written in body axes.  Only impulses change the momentum in the
 * world, so a rotation R of the body turns p into R'p, with the moment about the centre of mass:
 * every step keeps momentum and spin to rounding.  (The discrete Euler-Poincare equation
 * p+ = Ad(q^-1 q+)'p, with the moment about the origin, would keep the moment of momentum about the
 * world's origin, but move the O(h^3) error of the centre's path into the spin.)
 */
#include "space/space.h"
#include "stepper_internal.h"

/* A walk over the bodies with mass that are not prescribed; start from {assembly}. */
typedef struct walk {
    const saddle_assembly *assembly;
    const saddle__item_part *part; /* the body, NULL before the first */
    int32_t next;                  /* place in the order */
    int64_t column;                /* first column of the body */
} walk;

/* 0: there are no more. */
static int next_body(walk *at)
{
    const saddle_model *model = at->assembly->model;
    while (at->next < model->parts.count) {
        const saddle__system_part *compiled = &at->assembly->part[at->next++];
        at->part = &model->part[compiled->place];
        at->column = compiled->column;
        if (at->part->head.item == SADDLE_ITEM_BODY && !saddle__is_weightless(at->part)) return 1;
    }
    return 0;
}

/* Inertias in a model are positive definite: the solve cannot fail. */
static void twist_of_momentum(const saddle_model *model, const saddle__item_part *part,
                              const double *p, double *twist)
{
    (void)saddle_body_inertia_solve(model->context, &part->inertia, p, twist);
}

void saddle__add_gyroscopic(const saddle_assembly *assembly, double a, const double *v, int impulse,
                            double *x)
{
    walk at = {.assembly = assembly};
    while (next_body(&at)) {
        double wrench[6];
        saddle_body_inertia_coriolis(&at.part->inertia, v + at.column, wrench, NULL);
        if (!impulse) twist_of_momentum(assembly->model, at.part, wrench, wrench);
        for (int i = 0; i < 6; i++) x[at.column + i] += a * wrench[i];
    }
}

void saddle__straighten(const saddle_assembly *assembly, double a, const double *v, double *move)
{
    walk at = {.assembly = assembly};
    while (next_body(&at)) {
        double turning[3];
        saddle__cross(v + at.column + 3, v + at.column, turning);
        for (int i = 0; i < 3; i++) move[at.column + i] += a * turning[i];
    }
}

/* The motion from one pose to another as a rotation about the point c of the body. */
static saddle_pose turn_about(const double *c, const saddle_pose *from, const saddle_pose *to)
{
    saddle_pose turn;
    saddle__transposed_product3(from->R, to->R, turn.R);
    saddle__rotate(turn.R, c, turn.p);
    for (int i = 0; i < 3; i++) turn.p[i] = c[i] - turn.p[i];
    return turn;
}

void saddle__turn_momenta(const saddle_assembly *assembly, const double *from, double *v, double *p)
{
    walk at = {.assembly = assembly};
    while (next_body(&at)) {
        const double *position = assembly->model->position + at.part->position;
        const saddle_pose *now = (const saddle_pose *)(const void *)position;
        const saddle_pose *then = (const saddle_pose *)(const void *)(from + at.part->position);
        const saddle_pose turn = turn_about(at.part->inertia.center, then, now);
        double momentum[6];
        saddle_body_inertia_multiply(&at.part->inertia, v + at.column, momentum);
        saddle_wrench_to_inner(&turn, momentum, momentum);
        twist_of_momentum(assembly->model, at.part, momentum, v + at.column);
        if (p) saddle_wrench_to_inner(&turn, p + at.column, p + at.column);
    }
}
