/* SPDX-License-Identifier: MIT */
/* What a joint must be: its definition looked through, and the definitions to start from. */
#include <math.h>

#include "items.h"
#include "joint_internal.h"

saddle_joint_free saddle_joint_free_default(void)
{
    return (saddle_joint_free){.lo = -INFINITY,
                               .hi = INFINITY,
                               .motor_strength = INFINITY,
                               .servo_strength = INFINITY};
}

saddle_joint_def saddle_joint_def_default(void)
{
    saddle_joint_def def = {.frame_a = saddle_pose_identity(), .frame_b = saddle_pose_identity()};
    for (int k = 0; k < SADDLE_JOINT_FREE_MAX; k++) def.free[k] = saddle_joint_free_default();
    return def;
}

static saddle_status refuse(const saddle_model *model, const char *subject, const char *what)
{
    return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT, "%s: %s", subject, what);
}

static int is_pose(const saddle_pose *pose)
{
    return isfinite(pose->p[0]) && isfinite(pose->p[1]) && isfinite(pose->p[2]) &&
           saddle__is_rotation(pose->R);
}

/* ---- parts ---- */

static saddle_status check_part(const saddle_model *model, const char *subject,
                                const saddle_joint_def *def, saddle_handle part)
{
    char name[160];
    saddle__model_describe(model, part, name, sizeof name);
    const unsigned rotations = saddle__joint_locked(def) >> 3;
    const char *wrong = NULL;
    if (saddle__handle_is_ground(part)) return SADDLE_OK;
    if (saddle__model_part(model, part) == NULL)
        wrong = "which is no part";
    else if (part.item == SADDLE_ITEM_NODES)
        wrong = "which are nodes: a pin holds them";
    else if (part.item == SADDLE_ITEM_PARTICLE && rotations != 0)
        wrong = "a particle, which has no rotation to lock";
    if (wrong == NULL) return SADDLE_OK;
    return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT, "%s: is on %s, %s", subject, name,
                       wrong);
}

static saddle_status check_parts(const saddle_model *model, const char *subject,
                                 const saddle_joint_def *def)
{
    if (saddle__handles_are_same(def->a, def->b)) {
        char name[160];
        saddle__model_describe(model, def->a, name, sizeof name);
        return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT, "%s: holds %s to itself",
                           subject, name);
    }
    const saddle_status status = check_part(model, subject, def, def->a);
    if (status != SADDLE_OK) return status;
    return check_part(model, subject, def, def->b);
}

/* ---- free coordinates ---- */

/* 1: something acts on it, or is asked for that says so. */
static int in_use(const saddle_joint_free *free)
{
    return !(free->lo == -INFINITY) || !(free->hi == INFINITY) || free->motor || free->servo ||
           !(free->friction == 0);
}

static const char *wrong_of(const saddle_joint_free *free)
{
    if (!(free->lo <= free->hi))
        return "its lower limit is above the upper, or one is not a number";
    if (free->lo == INFINITY || free->hi == -INFINITY) return "a limit that leaves nothing";
    if (!(free->limit_restitution >= 0 && free->limit_restitution <= 1))
        return "its restitution is not in 0 to 1";
    if (!isfinite(free->motor_target)) return "the motor's target is not finite";
    if (!(free->motor_strength >= 0)) return "the motor's strength is negative";
    if (!isfinite(free->servo_position)) return "the servo's position is not finite";
    if (!isfinite(free->servo_velocity)) return "the servo's velocity is not finite";
    if (!(free->servo_strength >= 0)) return "the servo's strength is negative";
    if (!(free->friction >= 0)) return "its friction is negative";
    return NULL;
}

static saddle_status check_free(const saddle_model *model, const char *subject,
                                const saddle_joint_def *def, int k)
{
    const saddle_joint_free *free = &def->free[k];
    const int particle = def->a.item == SADDLE_ITEM_PARTICLE || def->b.item == SADDLE_ITEM_PARTICLE;
    const char *wrong = NULL;
    if (k >= saddle_joint_free_count(def->kind)) {
        if (!in_use(free)) return SADDLE_OK;
        wrong = "its kind has not so many";
    } else if (particle && in_use(free)) {
        wrong = "a particle has no angles";
    } else {
        wrong = wrong_of(free);
    }
    if (wrong != NULL) {
        return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT, "%s: free coordinate %d: %s",
                           subject, k + 1, wrong);
    }
    const saddle_status status = saddle__check_compliance(model, subject, &free->limit_compliance);
    return status == SADDLE_OK ? saddle__check_compliance(model, subject, &free->servo_compliance)
                               : status;
}

saddle_status saddle__joint_check(const saddle_model *model, const char *subject,
                                  const saddle_joint_def *def)
{
    const unsigned all = SADDLE_LOCK_X | SADDLE_LOCK_Y | SADDLE_LOCK_Z | SADDLE_LOCK_RX |
                         SADDLE_LOCK_RY | SADDLE_LOCK_RZ;
    if (saddle_joint_kind_word(def->kind)[0] == '?')
        return refuse(model, subject, "is of no known kind");
    const unsigned locked = saddle__joint_locked(def);
    if (locked == 0 || (locked & ~all) != 0)
        return refuse(model, subject, "locks nothing, or what is no axis");
    if (!is_pose(&def->frame_a))
        return refuse(model, subject, "its frame on a is not finite or no rotation");
    if (!is_pose(&def->frame_b))
        return refuse(model, subject, "its frame on b is not finite or no rotation");
    saddle_status status = check_parts(model, subject, def);
    for (int k = 0; status == SADDLE_OK && k < SADDLE_JOINT_FREE_MAX; k++)
        status = check_free(model, subject, def, k);
    return status == SADDLE_OK ? saddle__check_compliance(model, subject, &def->compliance)
                               : status;
}
