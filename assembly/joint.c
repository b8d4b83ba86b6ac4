/* SPDX-License-Identifier: MIT */
/* Joints as constraints of a model: added, evaluated, read and changed (saddle/joint.h; the
 * mechanism: joint_internal.h). */
#include <math.h>
#include <string.h>

#include "joint_internal.h"
#include "saddle/joint.h"
#include "space/space.h"

static int has_log(const saddle__joint *joint)
{
    for (int f = 0; f < joint->locked; f++)
        if (joint->function[f].kind == SADDLE__JOINT_LOG) return 1;
    return 0;
}

/* Bits of the functions used by rows; the others need not be defined. */
static unsigned used_functions(const saddle__joint *joint)
{
    unsigned mask = 0;
    for (int i = 0; i < joint->rows; i++) mask |= 1u << joint->row[i].function;
    return mask;
}

/* The message gets the name of the joint from the caller. */
static saddle_status fail_undefined(saddle_context *context, const saddle__joint *joint, int f)
{
    return saddle_fail(context, SADDLE_SINGULAR,
                       "free coordinate %d of a %s is not defined here: %s", f - joint->locked + 1,
                       saddle_joint_kind_word(joint->used.kind),
                       joint->used.kind == SADDLE_JOINT_BALL ? "gimbal lock"
                                                             : "its axis is turned too far");
}

/* The value of function f, with full turns where counted. */
static double with_turns(const saddle__joint *joint, int f, double value)
{
    return joint->function[f].turns ? saddle__joint_unwind(value, joint->angle[f]) : value;
}

static saddle_status evaluate(saddle_context *context, const saddle_site *site,
                              saddle_constraint_values *values)
{
    const saddle__joint *joint = site->data;
    const unsigned mask = used_functions(joint);
    saddle__joint_place place;
    saddle__joint_value value[SADDLE__JOINT_FUNCTIONS_MAX];
    double wrench[SADDLE__JOINT_FUNCTIONS_MAX][2][6];
    saddle__joint_place_of(&joint->used, site, has_log(joint), &place);
    for (int f = 0; f < joint->functions; f++) {
        if (!(mask >> f & 1)) continue;
        if (!saddle__joint_function_at(&joint->function[f], &place, &value[f], NULL))
            return fail_undefined(context, joint, f);
        saddle__joint_wrenches(&joint->used, &place, value[f].l, value[f].g, wrench[f][0],
                               wrench[f][1]);
    }
    for (int i = 0; i < joint->rows; i++) {
        const saddle__joint_row *row = &joint->row[i];
        values->phi[i] = row->sign * with_turns(joint, row->function, value[row->function].value) +
                         row->offset + row->rate * site->time;
        values->rate[i] = row->rate;
        for (int k = 0; k < 2; k++) {
            const int64_t size = site->size[k];
            for (int64_t j = 0; j < size; j++)
                values->J[k][i * size + j] = row->sign * wrench[row->function][k][j];
        }
    }
    return SADDLE_OK;
}

static saddle_status drift(saddle_context *context, const saddle_site *site, double *result)
{
    const saddle__joint *joint = site->data;
    const unsigned mask = used_functions(joint);
    saddle__joint_place place;
    saddle__joint_motion motion;
    double second[SADDLE__JOINT_FUNCTIONS_MAX];
    saddle__joint_place_of(&joint->used, site, has_log(joint), &place);
    saddle__joint_motion_of(&joint->used, &place, site, &motion);
    for (int f = 0; f < joint->functions; f++) {
        saddle__joint_value value;
        double H[9];
        if (!(mask >> f & 1)) continue;
        if (!saddle__joint_function_at(&joint->function[f], &place, &value, H))
            return fail_undefined(context, joint, f);
        second[f] = saddle__joint_second_rate(&value, H, &motion);
    }
    for (int i = 0; i < joint->rows; i++)
        result[i] = joint->row[i].sign * second[joint->row[i].function];
    return SADDLE_OK;
}

static saddle_status stiffness(saddle_context *context, const saddle_site *site,
                               const double *force, double *const *K)
{
    const saddle__joint *joint = site->data;
    saddle__joint_place place;
    double weight[SADDLE__JOINT_FUNCTIONS_MAX] = {0}, P[3] = {0}, G[3] = {0}, H[9] = {0},
           block[4][36];
    saddle__joint_place_of(&joint->used, site, has_log(joint), &place);
    for (int i = 0; i < joint->rows; i++)
        weight[joint->row[i].function] += joint->row[i].sign * force[i];
    for (int f = 0; f < joint->functions; f++) {
        saddle__joint_value value;
        double curvature[9];
        if (weight[f] == 0) continue;
        if (!saddle__joint_function_at(&joint->function[f], &place, &value, curvature))
            return fail_undefined(context, joint, f);
        for (int i = 0; i < 3; i++) P[i] += weight[f] * value.l[i];
        for (int i = 0; i < 3; i++) G[i] += weight[f] * value.g[i];
        for (int i = 0; i < 9; i++) H[i] += weight[f] * curvature[i];
    }
    saddle__joint_wrench_stiffness(&joint->used, &place, P, G, H, block);
    for (int k = 0; k < 4; k++) {
        const int64_t rows = site->size[k / 2], cols = site->size[k % 2];
        for (int64_t j = 0; j < cols; j++) {
            for (int64_t i = 0; i < rows; i++) K[k][i + rows * j] = block[k][i + 6 * j];
        }
    }
    return SADDLE_OK;
}

const saddle_constraint_type saddle__joint_type = {"joint", evaluate, drift, stiffness};

/* ---- turns ---- */

static void count_turns(const saddle_site *site, void *data)
{
    saddle__joint *joint = data;
    saddle__joint_place place;
    saddle__joint_place_of(&joint->used, site, 0, &place);
    for (int f = joint->locked; f < joint->functions; f++) {
        saddle__joint_value value;
        if (!joint->function[f].turns ||
            !saddle__joint_function_at(&joint->function[f], &place, &value, NULL))
            continue;
        joint->angle[f] = with_turns(joint, f, value.value);
    }
}

static int has_turns(const saddle__joint *joint)
{
    for (int f = joint->locked; f < joint->functions; f++)
        if (joint->function[f].turns) return 1;
    return 0;
}

/* ---- adding and changing ---- */

static saddle_site site_of(const saddle_model *model, const saddle_joint_def *def,
                           const saddle__joint *joint, saddle__site_buffer *buffer)
{
    const saddle_anchor anchors[2] = {{def->a, 0}, {def->b, 0}};
    return saddle__model_site(model, 2, anchors, joint, buffer);
}

/* The angle between a wheel's axes in the present poses. */
static saddle_status set_cosine(const saddle_model *model, saddle__joint *joint)
{
    if (joint->used.kind != SADDLE_JOINT_WHEEL) return SADDLE_OK;
    saddle__site_buffer buffer;
    saddle__joint_place place;
    const saddle_site site = site_of(model, &joint->used, joint, &buffer);
    saddle__joint_place_of(&joint->used, &site, 0, &place);
    joint->cosine = place.R[3];
    if (hypot(place.R[4], place.R[5]) >= SADDLE__JOINT_PARALLEL) return SADDLE_OK;
    return saddle__refuse_new(model, "joint", joint->used.name,
                              "a's x axis and b's y axis are parallel");
}

saddle_status saddle_model_add_joint(saddle_model *model, const saddle_joint_def *def,
                                     saddle_handle *handle)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && def && handle,
                          "model, def or joint is NULL");
    saddle__joint made = {.used = *def};
    saddle_row_def row[SADDLE_CONSTRAINT_ROWS_MAX];
    saddle_status status = saddle__joint_check(model, def);
    if (status == SADDLE_OK) status = set_cosine(model, &made);
    if (status != SADDLE_OK) return status;
    saddle__joint_set_functions(&made);
    saddle__joint_set_rows(&made, row);
    const saddle_anchor anchors[2] = {{def->a, 0}, {def->b, 0}};
    const saddle_constraint_def constraint = {.name = def->name,
                                              .type = &saddle__joint_type,
                                              .count = 2,
                                              .anchors = anchors,
                                              .rows = made.rows,
                                              .row = row,
                                              .data = &made,
                                              .bytes = sizeof made};
    status = saddle_model_add_constraint(model, &constraint, handle);
    if (status != SADDLE_OK) return status;
    saddle__item_link *link = saddle__model_constraint(model, *handle);
    saddle__joint *joint = link->data;
    if (has_turns(joint)) link->moved = count_turns;
    joint->used.name = link->head.name;
    joint->def = joint->used;
    saddle__site_buffer buffer;
    const saddle_site site = site_of(model, def, joint, &buffer);
    count_turns(&site, joint);
    return SADDLE_OK;
}

static saddle__joint *joint_of(const saddle_model *model, saddle_handle handle)
{
    const saddle__item_link *found = saddle__model_constraint(model, handle);
    return found && found->constraint == &saddle__joint_type ? found->data : NULL;
}

saddle_joint_def *saddle_model_joint(saddle_model *model, saddle_handle handle)
{
    saddle__joint *joint = model ? joint_of(model, handle) : NULL;
    return joint ? &joint->def : NULL;
}

/* 1: the system's rows are of the same sort. */
static int same_rows(int64_t count, const saddle_row_def *a, int64_t other_count,
                     const saddle_row_def *b)
{
    if (count != other_count) return 0;
    for (int64_t i = 0; i < count; i++) {
        if (a[i].purpose != b[i].purpose || isinf(a[i].strength) != isinf(b[i].strength)) return 0;
        if ((a[i].compliance.alpha == 0) != (b[i].compliance.alpha == 0)) return 0;
    }
    return 1;
}

saddle_status saddle_model_joint_changed(saddle_model *model, saddle_handle handle)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model, "model is NULL");
    saddle__joint *joint = joint_of(model, handle);
    if (!joint) return saddle__refuse_item(model, "", handle, " is no joint");
    saddle__item_link *constraint = saddle__model_constraint(model, handle);
    const saddle_joint_def *def = &joint->def;
    if (def->kind != joint->used.kind ||
        saddle__joint_locked(def) != saddle__joint_locked(&joint->used) ||
        !saddle__handles_are_same(def->a, joint->used.a) ||
        !saddle__handles_are_same(def->b, joint->used.b)) {
        return saddle__refuse_new(model, "joint", constraint->head.name,
                                  "its kind and its parts stay");
    }
    const saddle_status status = saddle__joint_check(model, def);
    if (status != SADDLE_OK) return status;
    saddle__joint changed = *joint;
    saddle_row_def row[SADDLE_CONSTRAINT_ROWS_MAX];
    changed.used = changed.def;
    changed.used.name = changed.def.name = constraint->head.name;
    saddle__joint_set_rows(&changed, row);
    if (!same_rows(constraint->rows, constraint->row, changed.rows, row)) {
        saddle_row_def *grown = saddle_allocate(model->context, changed.rows, sizeof *grown);
        if (!grown) return SADDLE_OUT_OF_MEMORY;
        saddle_release(model->context, constraint->row);
        constraint->row = grown;
        constraint->rows = changed.rows;
        model->edition++;
    }
    memcpy(constraint->row, row, (size_t)changed.rows * sizeof *row);
    *joint = changed;
    return SADDLE_OK;
}

saddle_status saddle_model_joint_coordinates(saddle_model *model, saddle_handle handle, double *q,
                                             double *dq)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model, "model is NULL");
    const saddle__joint *joint = joint_of(model, handle);
    if (!joint) return saddle__refuse_item(model, "", handle, " is no joint");
    saddle__site_buffer buffer;
    saddle__joint_place place;
    saddle__joint_motion motion;
    const saddle_site site = site_of(model, &joint->used, joint, &buffer);
    saddle__joint_place_of(&joint->used, &site, 0, &place);
    saddle__joint_motion_of(&joint->used, &place, &site, &motion);
    for (int f = joint->locked; f < joint->functions; f++) {
        saddle__joint_value value;
        if (!saddle__joint_function_at(&joint->function[f], &place, &value, NULL))
            return saddle__model_pass_on(model, handle, fail_undefined(model->context, joint, f));
        if (q) q[f - joint->locked] = with_turns(joint, f, value.value);
        if (dq) {
            dq[f - joint->locked] = saddle__dot(value.l, motion.dp) +
                                    saddle__dot(value.g, motion.omega);
        }
    }
    return SADDLE_OK;
}

/* ---- frames ----
 *
 * Frames for joints: along an axis, and at a place in the world for both parts.
 */

/* The part's pose; of a particle with the world's axes. */
static int part_pose(const saddle_model *model, saddle_handle handle, saddle_pose *pose)
{
    *pose = saddle_pose_identity();
    if (saddle__handle_is_ground(handle)) return 1;
    const saddle__item_part *part = saddle__model_part(model, handle);
    if (!part || part->head.item == SADDLE_ITEM_NODES) return 0;
    memcpy(pose, model->position + part->position, (size_t)part->position_size * sizeof(double));
    return 1;
}

saddle_status saddle_joint_def_at(const saddle_model *model, const saddle_pose *world,
                                  saddle_joint_def *def)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && world && def,
                          "model, world or def is NULL");
    if (!saddle__is_finite(world->p, 3) ||
        !saddle__is_rotation(world->R, SADDLE__DEFINED_TOLERANCE)) {
        return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT,
                           "joint: its place in the world is not finite or no rotation");
    }
    const saddle_handle parts[2] = {def->a, def->b};
    saddle_pose frame[2];
    for (int k = 0; k < 2; k++) {
        saddle_pose pose;
        if (!part_pose(model, parts[k], &pose))
            return saddle__refuse_item(model, "joint: is on ", parts[k], ", which is no body");
        frame[k] = saddle_pose_between(&pose, world);
    }
    def->frame_a = frame[0];
    def->frame_b = frame[1];
    return SADDLE_OK;
}

/* x: along the axis of the world farthest from z, made normal to z. */
saddle_status saddle_pose_along(saddle_context *context, const double *origin, const double *axis,
                                saddle_pose *pose)
{
    SADDLE__RETURN_UNLESS(context, origin && axis && pose, "origin, axis or pose is NULL");
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
