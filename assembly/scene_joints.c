/* SPDX-License-Identifier: MIT */
/* A scene's joints. */
#include <math.h>

#include "saddle/forces.h"
#include "scene_build.h"
#include "space/space.h"

saddle_status saddle__scene_build_compliance(const saddle__scene_build *build,
                                             const saddle__scene_head *head,
                                             const saddle__scene_compliance *fields,
                                             saddle_compliance *compliance)
{
    const saddle__scene_table *table = &saddle__scene_compliance_table;
    const int stiff = saddle__scene_given(table, fields, "stiffness");
    const int soft = saddle__scene_given(table, fields, "alpha") ||
                     saddle__scene_given(table, fields, "beta");
    if (stiff && soft)
        return saddle__scene_refuse(build, head, "\"stiffness\" and \"alpha\" are one too many");
    if (!stiff && saddle__scene_given(table, fields, "damping")) {
        return saddle__scene_refuse(build, head, "\"damping\" goes with \"stiffness\"");
    }
    if (stiff && !(fields->stiffness > 0))
        return saddle__scene_refuse(build, head, "\"stiffness\" is not positive");
    compliance->alpha = stiff ? 1 / fields->stiffness : fields->alpha;
    compliance->beta = stiff ? fields->damping / fields->stiffness : fields->beta;
    compliance->steps = fields->steps;
    return saddle__scene_because(build, head,
                                 saddle_compliance_check(build->scan->context, compliance));
}

static saddle_status fill_free(const saddle__scene_build *build, const saddle__scene_free *fields,
                               saddle_joint_free *coordinate)
{
    const saddle__scene_table *table = &saddle__scene_free_table;
    coordinate->lo = fields->limits[0];
    coordinate->hi = fields->limits[1];
    coordinate->limit_restitution = fields->limit_restitution;
    coordinate->friction = fields->friction;
    coordinate->motor = saddle__scene_given(table, fields, "motor");
    coordinate->servo = saddle__scene_given(table, fields, "servo");
    if (coordinate->motor) {
        coordinate->motor_target = fields->motor.target;
        coordinate->motor_strength = fields->motor.strength;
    }
    saddle_status status = saddle__scene_build_compliance(build, &fields->head,
                                                          &fields->limit_compliance,
                                                          &coordinate->limit_compliance);
    if (status != SADDLE_OK || !coordinate->servo) return status;
    coordinate->servo_position = fields->servo.position;
    coordinate->servo_velocity = fields->servo.velocity;
    coordinate->servo_strength = fields->servo.strength;
    return saddle__scene_build_compliance(build, &fields->head, &fields->servo.compliance,
                                          &coordinate->servo_compliance);
}

static unsigned locked_bits(const saddle__scene_locked *locked)
{
    const int lock[6] = {locked->x, locked->y, locked->z, locked->rx, locked->ry, locked->rz};
    unsigned bits = 0;
    for (int k = 0; k < 6; k++) bits |= lock[k] ? 1u << k : 0;
    return bits;
}

/* The frame at a joint's place: z along "axis", x along what of "x_axis" is normal to it, or
 * anywhere. */
static saddle_status joint_place(const saddle__scene_build *build,
                                 const saddle__scene_joint *fields, saddle_pose *place)
{
    const saddle_status status = saddle_pose_along(build->scan->context, fields->at, fields->axis,
                                                   place);
    if (status != SADDLE_OK || !saddle__scene_given(&saddle__scene_joint_table, fields, "x_axis"))
        return status;
    double *x = place->R, *y = place->R + 3, *z = place->R + 6;
    const double along = saddle__dot(fields->x_axis, z);
    for (int i = 0; i < 3; i++) x[i] = fields->x_axis[i] - along * z[i];
    const double length = sqrt(saddle__dot(x, x));
    if (!(length > 1e-6 * sqrt(saddle__dot(fields->x_axis, fields->x_axis)))) {
        return saddle_fail(build->scan->context, SADDLE_INVALID_ARGUMENT,
                           "\"x_axis\" is zero, or along \"axis\"");
    }
    for (int i = 0; i < 3; i++) x[i] /= length;
    saddle__cross(z, x, y);
    return SADDLE_OK;
}

/* The springs of a joint's free coordinates, which go by its name. */
static saddle_status add_springs(const saddle__scene_build *build,
                                 const saddle__scene_joint *fields, saddle_handle joint)
{
    const saddle__scene_free *coordinate = fields->free.item;
    saddle_status status = SADDLE_OK;
    for (int64_t k = 0; status == SADDLE_OK && k < fields->free.count; k++) {
        if (!saddle__scene_given(&saddle__scene_free_table, &coordinate[k], "spring")) continue;
        const saddle__scene_joint_spring *spring = &coordinate[k].spring;
        const saddle_joint_spring given = {spring->stiffness, spring->damping, spring->rest};
        saddle_handle force;
        status = saddle_model_add_joint_spring(build->scene->model, fields->name, joint, k, &given,
                                               &force);
    }
    return status;
}

static saddle_status add_joint(const saddle__scene_build *build, const saddle__scene_joint *fields)
{
    saddle_model *model = build->scene->model;
    saddle_joint_def def = saddle_joint_def_default();
    saddle_pose place;
    saddle_handle joint;
    def.name = fields->name;
    def.kind = (saddle_joint_kind)fields->kind;
    def.locked = locked_bits(&fields->locked);
    if (def.kind != SADDLE_JOINT_CUSTOM &&
        saddle__scene_given(&saddle__scene_joint_table, fields, "locked")) {
        return saddle__scene_refuse(build, &fields->head, "\"locked\" is of a \"custom\" joint");
    }
    if (fields->free.count > saddle_joint_free_count(def.kind)) {
        return saddle__scene_refuse(build, &fields->head,
                                    "\"free\" has more coordinates than this kind of joint");
    }
    saddle_status status = saddle__scene_check_name(build, &fields->head, fields->name);
    if (status == SADDLE_OK) status = saddle__scene_find(build, &fields->head, fields->a, &def.a);
    if (status == SADDLE_OK) status = saddle__scene_find(build, &fields->head, fields->b, &def.b);
    if (status == SADDLE_OK) {
        status = saddle__scene_build_compliance(build, &fields->head, &fields->compliance,
                                                &def.compliance);
    }
    const saddle__scene_free *coordinate = fields->free.item;
    for (int64_t k = 0; status == SADDLE_OK && k < fields->free.count; k++) {
        status = fill_free(build, &coordinate[k], &def.free[k]);
    }
    if (status != SADDLE_OK) return status;
    status = joint_place(build, fields, &place);
    if (status == SADDLE_OK) status = saddle_joint_def_at(model, &place, &def);
    if (status == SADDLE_OK) status = saddle_model_add_joint(model, &def, &joint);
    if (status == SADDLE_OK) status = add_springs(build, fields, joint);
    return saddle__scene_because(build, &fields->head, status);
}

saddle_status saddle__scene_build_joints(const saddle__scene_build *build)
{
    const saddle__scene_joint *joint = build->file->joints.item;
    saddle_status status = SADDLE_OK;
    for (int64_t k = 0; status == SADDLE_OK && k < build->file->joints.count; k++)
        status = add_joint(build, &joint[k]);
    return status;
}
