/* SPDX-License-Identifier: MIT */
/* Where something of a scene is: a position, and a rotation in one of four ways.
 *
 *     rotation            a quaternion of any length
 *     rpy                 roll, pitch, yaw about the fixed axes x, then y, then z, as in URDF:
 *                         R = Rz(yaw) Ry(pitch) Rx(roll)
 *     euler       three angles about axes named by their order, each turned by those before: zxz is
 *                         R = Rz(angles[0]) Rx(angles[1]) Rz(angles[2])
 *     axis, angle         about an axis of any length
 */
#include <math.h>
#include <string.h>

#include "collide.h"
#include "saddle/rotation.h"
#include "scene_build.h"
#include "space/space.h"

static saddle_status pose_by_quaternion(const saddle__scene_build *build,
                                        const saddle__scene_head *head, const double *given,
                                        double *R)
{
    double q[4];
    memcpy(q, given, sizeof q);
    const saddle_status status = saddle_quaternion_normalize(build->scan->context, q);
    if (status != SADDLE_OK) return saddle__scene_because(build, head, status);
    saddle_quaternion_to_matrix(q, R);
    return SADDLE_OK;
}

static saddle_status pose_by_axis(const saddle__scene_build *build, const saddle__scene_head *head,
                                  const double *axis, double angle, double *R)
{
    double phi[3];
    if (!(saddle__direction(axis, phi) > 0))
        return saddle__scene_refuse(build, head, "\"axis\" is zero");
    for (int i = 0; i < 3; i++) phi[i] *= angle;
    saddle_rotation_exp(phi, R);
    return SADDLE_OK;
}

static saddle_status pose_by_euler(const saddle__scene_build *build,
                                   const saddle__scene_euler *euler, double *R)
{
    const char *order = euler->order;
    int known = strlen(order) == 3 && strspn(order, "xyz") == 3;
    known = known && order[0] != order[1] && order[1] != order[2];
    if (!known) {
        return saddle__scene_refuse(
            build, &euler->head,
            "\"order\" is three of x, y and z, no axis twice in a row: \"zyx\", \"zxz\"");
    }
    for (int k = 0; k < 3; k++) {
        double phi[3] = {0}, turn[9];
        phi[order[k] - 'x'] = euler->angles[k];
        saddle_rotation_exp(phi, turn);
        saddle__product3(R, turn, R);
    }
    return SADDLE_OK;
}

saddle_status saddle__scene_pose(const saddle__scene_build *build, const saddle__scene_table *table,
                                 const void *object, const saddle__scene_placement *placement,
                                 saddle_pose *pose)
{
    const saddle__scene_head *head = object;
    const int quaternion = saddle__scene_given(table, object, "rotation");
    const int rpy = saddle__scene_given(table, object, "rpy"),
              euler = saddle__scene_given(table, object, "euler");
    const int axis = saddle__scene_given(table, object, "axis"),
              angle = saddle__scene_given(table, object, "angle");
    if (quaternion + rpy + euler + axis > 1) {
        return saddle__scene_refuse(
            build, head,
            "\"rotation\", \"rpy\", \"euler\" and \"axis\" with \"angle\" say the same: "
            "give one");
    }
    *pose = saddle_pose_identity();
    memcpy(pose->p, placement->position, sizeof pose->p);
    if (quaternion) return pose_by_quaternion(build, head, placement->rotation, pose->R);
    if (euler) return pose_by_euler(build, &placement->euler, pose->R);
    if (axis) {
        const saddle_status status = pose_by_axis(build, head, placement->axis, placement->angle,
                                                  pose->R);
        if (status != SADDLE_OK) return status;
    }
    if (axis && !angle) return saddle__scene_refuse(build, head, "\"axis\" needs an \"angle\"");
    if (angle && !axis) return saddle__scene_refuse(build, head, "\"angle\" needs an \"axis\"");
    const double zyx[3] = {placement->rpy[2], placement->rpy[1], placement->rpy[0]};
    if (rpy) saddle_rpy_to_matrix(zyx, pose->R);
    return SADDLE_OK;
}
