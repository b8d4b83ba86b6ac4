/* SPDX-License-Identifier: MIT */
/* Joints whose coordinates move as told (saddle/joint.h, prescribed coordinates).
 *
 *     in coordinates   a prescribed part: parametric in the graph of attachments, its force is the
 *                      multiplier of its velocity
 *     as rows          a HOLD row of each coordinate, phi = 0, phi_t = -u, its force is lambda
 */
#include "joint_prescribed.h"

#include "stepper_internal.h"

static saddle__item_part *part_of(const saddle_model *model, const saddle__item_link *link)
{
    const saddle__item_tie *tie = saddle__model_tie(model, link->tie);
    return tie ? saddle__model_part(model, tie->coordinates) : NULL;
}

/* q, dq of the joint's coordinates. */
static saddle_status read(saddle_model *model, saddle_handle handle, double *q, double *dq)
{
    const saddle__item_link *link = saddle__model_constraint(model, handle);
    const saddle__item_part *part = part_of(model, link);
    if (!part) return saddle_model_joint_coordinates(model, handle, q, dq);
    saddle__copy(q, model->position + part->position, part->size);
    saddle__copy(dq, model->velocity + part->velocity, part->size);
    return SADDLE_OK;
}

saddle_status saddle_model_prescribe_joint(saddle_model *model, saddle_handle handle,
                                           saddle_prescription how,
                                           saddle_prescribed_function *function, void *user)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model, "model is NULL");
    saddle__joint *joint = saddle__joint_of(model, handle);
    if (!joint) return saddle__refuse_item(model, "", handle, " is no joint");
    saddle__item_link *link = saddle__model_constraint(model, handle);
    saddle__item_part *part = part_of(model, link);
    const int count = part ? (int)part->size : joint->free;
    saddle__joint_prescribed made = {.how = how, .function = function, .user = user};
    double q[SADDLE_JOINT_COORDINATES_MAX], dq[SADDLE_JOINT_COORDINATES_MAX];
    if ((unsigned)how > SADDLE_PRESCRIPTION_POSITION)
        return saddle__refuse_item(model, "", handle, ": no such prescription");
    if (how != SADDLE_PRESCRIPTION_NONE && count == 0)
        return saddle__refuse_item(model, "", handle,
                                   ": it has no coordinates to prescribe; a custom joint has them "
                                   "in coordinates alone");
    if (how != SADDLE_PRESCRIPTION_NONE) SADDLE__TRY(read(model, handle, q, dq));
    for (int k = 0; how != SADDLE_PRESCRIPTION_NONE && k < count; k++) {
        made.told.velocity[k] = dq[k];
        made.value[k] = how == SADDLE_PRESCRIPTION_POSITION   ? q[k]
                        : how == SADDLE_PRESCRIPTION_VELOCITY ? dq[k]
                                                              : 0;
    }
    const saddle__joint_prescribed before = joint->prescribed;
    joint->prescribed = made;
    const saddle_status status = saddle__joint_renew_rows(model, link, joint);
    if (status != SADDLE_OK) {
        joint->prescribed = before;
        return status;
    }
    if (part) part->prescribed = how != SADDLE_PRESCRIPTION_NONE;
    if (part) part->told = part->prescribed ? &joint->prescribed.told : NULL;
    model->prescriptions += (how != SADDLE_PRESCRIPTION_NONE) -
                            (before.how != SADDLE_PRESCRIPTION_NONE);
    model->edition++;
    return SADDLE_OK;
}

double *saddle_model_joint_prescribed(saddle_model *model, saddle_handle handle)
{
    saddle__joint *joint = model ? saddle__joint_of(model, handle) : NULL;
    return joint && joint->prescribed.how != SADDLE_PRESCRIPTION_NONE ? joint->prescribed.value
                                                                      : NULL;
}

/* ---- in a step ---- */

/* The next prescribed joint from *place on in the order of adding; NULL: no more. */
static saddle__joint *next_prescribed(saddle_model *model, int32_t *place, saddle_handle *handle)
{
    while (model->prescriptions > 0 && *place < model->constraints.count) {
        const int32_t at = model->constraints.order[(*place)++];
        *handle = saddle__model_handle(model, &model->constraint[at].head, at);
        saddle__joint *joint = saddle__joint_of(model, *handle);
        if (joint && joint->prescribed.how != SADDLE_PRESCRIPTION_NONE) return joint;
    }
    return NULL;
}

/* value <- function(time); checked. */
static saddle_status evaluate(saddle_model *model, saddle_handle handle, double time,
                              saddle__joint_prescribed *p, int64_t count)
{
    if (p->function) p->function(p->user, time, p->value);
    for (int64_t k = 0; k < count; k++)
        if (!(fabs(p->value[k]) <= SADDLE__LARGEST))
            return saddle__refuse_item(model, "", handle,
                                       ": its prescribed value is not within -1e100 .. 1e100");
    return SADDLE_OK;
}

static int64_t count_of(const saddle_model *model, saddle_handle handle, const saddle__joint *joint)
{
    const saddle__item_part *part = part_of(model, saddle__model_constraint(model, handle));
    return part ? part->size : joint->free;
}

saddle_status saddle__joints_prescribe(saddle_model *model, double h)
{
    saddle_handle handle;
    int32_t place = 0;
    for (saddle__joint *joint; (joint = next_prescribed(model, &place, &handle));) {
        saddle__joint_prescribed *p = &joint->prescribed;
        double q[SADDLE_JOINT_COORDINATES_MAX], dq[SADDLE_JOINT_COORDINATES_MAX];
        const int64_t count = count_of(model, handle, joint);
        SADDLE__TRY(read(model, handle, q, dq));
        SADDLE__TRY(evaluate(model, handle, model->time + h, p, count));
        for (int64_t k = 0; k < count; k++)
            p->told.velocity[k] = p->how == SADDLE_PRESCRIPTION_POSITION ? (p->value[k] - q[k]) / h
                                  : p->how == SADDLE_PRESCRIPTION_VELOCITY
                                      ? p->value[k]
                                      : dq[k] + h * p->value[k];
    }
    return SADDLE_OK;
}

saddle_status saddle__joints_prescribe_accelerations(saddle_model *model)
{
    saddle_handle handle;
    int32_t place = 0;
    for (saddle__joint *joint; (joint = next_prescribed(model, &place, &handle));) {
        saddle__joint_prescribed *p = &joint->prescribed;
        const int64_t count = count_of(model, handle, joint);
        const int accelerates = p->how == SADDLE_PRESCRIPTION_ACCELERATION;
        if (accelerates) SADDLE__TRY(evaluate(model, handle, model->time, p, count));
        for (int64_t k = 0; k < count; k++) p->told.acceleration[k] = accelerates ? p->value[k] : 0;
    }
    return SADDLE_OK;
}

/* ---- forces ---- */

saddle_status saddle_stepper_joint_force(const saddle_stepper *stepper, saddle_handle handle,
                                         double *force)
{
    SADDLE__RETURN_UNLESS(stepper ? stepper->context : NULL, stepper && force,
                          "stepper or force is NULL");
    const saddle_model *model = stepper->model;
    const saddle__joint *joint = saddle__joint_of(model, handle);
    if (!joint || joint->prescribed.how == SADDLE_PRESCRIPTION_NONE)
        return saddle__refuse_item(model, "", handle, " is no prescribed joint");
    if (!stepper->assembly || stepper->edition != model->edition || !(stepper->acted > 0))
        return saddle_fail(stepper->context, SADDLE_WRONG_PHASE,
                           "joint force: no step since items were added or removed");
    const saddle__item_link *link = saddle__model_constraint(model, handle);
    if (part_of(model, link)) {
        saddle__system_attached_force(stepper->assembly, stepper->attached.force,
                                      stepper->attached.time,
                                      saddle__model_tie(model, link->tie)->coordinates, force);
        return SADDLE_OK;
    }
    const double *lambda = stepper->solution.lambda +
                           saddle_assembly_row(stepper->assembly, handle);
    for (int i = 0; i < joint->rows; i++)
        if (joint->row[i].held) force[joint->row[i].held - 1] = lambda[i] / stepper->acted;
    return SADDLE_OK;
}
