/* SPDX-License-Identifier: MIT */
/* Frames for joints: along an axis, and at a place in the world for both parts. */
#include <math.h>

#include "items.h"
#include "saddle/joint.h"
#include "space/space.h"

/* The part's pose, of a particle with the world's axes. */
static int pose_of(const saddle_model *model, saddle_handle handle, saddle_pose *pose)
{
    *pose = saddle_pose_identity();
    if (saddle__handle_is_ground(handle)) return 1;
    const saddle__part *part = saddle__model_part(model, handle);
    if (part == NULL || part->item == SADDLE_ITEM_NODES) return 0;
    memcpy(pose, model->position + part->position, (size_t)part->position_size * sizeof(double));
    return 1;
}

saddle_status saddle_joint_def_at(const saddle_model *model, const saddle_pose *world,
                                  saddle_joint_def *def)
{
    saddle_context_clear_message(model ? model->context : NULL);
    if (!model || !world || !def)
        return saddle_fail(model ? model->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_joint_def_at: model, world or def is NULL");
    if (!isfinite(world->p[0] + world->p[1] + world->p[2]) || !saddle__is_rotation(world->R)) {
        return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT,
                           "joint: its place in the world is not finite or no rotation");
    }
    const saddle_handle parts[2] = {def->a, def->b};
    saddle_pose frame[2];
    for (int k = 0; k < 2; k++) {
        saddle_pose pose;
        if (!pose_of(model, parts[k], &pose)) {
            char name[160];
            saddle__model_describe(model, parts[k], name, sizeof name);
            return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT,
                               "joint: is on %s, which is no body", name);
        }
        frame[k] = saddle_pose_between(&pose, world);
    }
    def->frame_a = frame[0];
    def->frame_b = frame[1];
    return SADDLE_OK;
}

/* x: as near as it gets to that axis of the world that is farthest from z. */
saddle_status saddle_pose_along(saddle_context *context, const double *origin, const double *axis,
                                saddle_pose *pose)
{
    saddle_context_clear_message(context);
    if (!origin || !axis || !pose)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_pose_along: origin, axis or pose is NULL");
    const double scale = fmax(fabs(axis[0]), fmax(fabs(axis[1]), fabs(axis[2])));
    if (!(scale > 0 && isfinite(axis[0]) && isfinite(axis[1]) && isfinite(axis[2]))) {
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "an axis of length zero, or not finite");
    }
    saddle_pose made = {.p = {origin[0], origin[1], origin[2]}};
    double *x = made.R, *y = made.R + 3, *z = made.R + 6;
    for (int i = 0; i < 3; i++) z[i] = axis[i] / scale;
    const double length = sqrt(saddle__dot(z, z));
    int farthest = 0;
    for (int i = 0; i < 3; i++) {
        z[i] /= length;
        if (fabs(z[i]) < fabs(z[farthest])) farthest = i;
    }
    x[farthest] = 1;
    saddle__cross(z, x, y);
    const double across = sqrt(saddle__dot(y, y));
    for (int i = 0; i < 3; i++) y[i] /= across;
    saddle__cross(y, z, x);
    *pose = made;
    return SADDLE_OK;
}
