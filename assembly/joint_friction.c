/* SPDX-License-Identifier: MIT */
/* Bilateral staggered projections on joints as rows (Sueda, Rigid Body Dynamics Notes, 2.11).
 *
 *     contact    lambda of the locked rows from a solve, W of each joint, alpha           (2.114)
 *     friction   bounds mu sum |alpha_p| a_p for the next solve                           (2.110)
 *
 * in turn, with Anderson's acceleration of y.  The wrench W of the locked rows is that of alpha and
 * beta together, so beta, known from the friction rows of the same solve, is subtracted.
 */
#include "joint_friction.h"

#include <math.h>
#include <string.h>

#include "joint_internal.h"
#include "space/space.h"

/* The joint with a bearing at place k of the model's order; NULL: another constraint. */
static saddle__joint *bearing_at(const saddle_model *model, int32_t k)
{
    const saddle__item_link *link = &model->constraint[model->constraints.order[k]];
    saddle__joint *joint = link->constraint == &saddle__joints.type ? link->data : NULL;
    return joint && joint->bearing_rows > 0 ? joint : NULL;
}

saddle_status saddle__friction_begin(saddle__joint_friction *friction, saddle_model *model)
{
    friction->count = 0;
    for (int32_t k = 0; k < model->constraints.count; k++) {
        saddle__joint *joint = bearing_at(model, k);
        if (!joint) continue;
        memcpy(joint->bearing_old, joint->bearing_y, sizeof joint->bearing_old);
        friction->count++;
    }
    if (friction->count == 0) return SADDLE_OK;
    return saddle__loads_reserve(&friction->loads, model->context, friction->count);
}

void saddle__friction_clear(saddle__joint_friction *friction, saddle_context *context)
{
    saddle__loads_clear(&friction->loads, context);
    *friction = (saddle__joint_friction){0};
}

void saddle__friction_start(saddle__joint_friction *friction)
{
    friction->number = 0;
    friction->change = 0;
    saddle__loads_start(&friction->loads, friction->count);
}

/* Strengths of the bearing's rows, from y. */
static void set_strengths(saddle__joint *joint, saddle_row_def *row)
{
    double limit[SADDLE__BEARING_ROWS_MAX];
    (void)saddle__bearing_limits(joint->used.kind, &joint->used.bearing, joint->bearing_y, limit);
    for (int k = 0; k < joint->bearing_rows; k++)
        row[joint->rows - joint->bearing_rows + k].strength = limit[k];
}

void saddle__friction_restore(saddle_model *model)
{
    for (int32_t k = 0; k < model->constraints.count; k++) {
        saddle__joint *joint = bearing_at(model, k);
        if (!joint) continue;
        memcpy(joint->bearing_y, joint->bearing_old, sizeof joint->bearing_old);
        set_strengths(joint, model->constraint[model->constraints.order[k]].row);
    }
}

/* A joint with a bearing, its place and rows in the system. */
typedef struct bearing_walk {
    saddle_assembly *a;
    int32_t next;
    int32_t place;
    saddle__joint *joint;
    saddle__item_link *link;
    int64_t row; /* first */
} bearing_walk;

static int next_bearing(bearing_walk *at)
{
    const saddle_model *model = at->a->model;
    while (at->next < model->constraints.count) {
        const int32_t k = at->next++;
        at->joint = bearing_at(model, k);
        if (!at->joint) continue;
        at->place = model->constraints.order[k];
        at->link = &model->constraint[at->place];
        at->row = at->a->constraint[k].row;
        return 1;
    }
    return 0;
}

/* The load of a joint in coordinates, from the wrench (6) of its attachment on the child, in the
 * child's axes at its origin. */
static void attached_load(const saddle_model *model, const saddle__joint *joint,
                          const double *wrench, double *W)
{
    const saddle_joint_def *def = &joint->used;
    const saddle_pose E = saddle__joint_pose(model, def);
    double moment[3];
    if (joint->child == SADDLE__JOINT_CHILD_B) {
        saddle_wrench_to_inner(&def->frame_b, wrench, W);
        saddle__rotate(E.R, W, W);
        saddle__rotate(E.R, W + 3, W + 3);
        return;
    }
    saddle_wrench_to_inner(&def->frame_a, wrench, W);
    saddle__cross(E.p, W, moment);
    for (int i = 0; i < 3; i++) {
        W[i] = -W[i];
        W[3 + i] = moment[i] - W[3 + i];
    }
}

/* y and next of a joint from lambda of all rows, impulses over h.  Returns sum |change of alpha|.
 */
static double project(saddle__joint_friction *friction, const bearing_walk *at, int64_t k, double h,
                      const double *lambda, const double *attached)
{
    saddle__joint *joint = at->joint;
    const saddle_assembly *a = at->a;
    const saddle_joint_def *def = &joint->used;
    const int64_t first = at->row + joint->rows - joint->bearing_rows;
    const saddle_site site = saddle__system_site(a, &a->constraint[at->next - 1], a->model->time);
    saddle_bearing_forces *forces = &joint->bearing_forces;
    double W[6], y[6], next[6];
    const saddle__item_tie *tie = saddle__model_tie(a->model, at->link->tie);
    if (tie)
        attached_load(a->model, joint, attached + a->attached.bound[a->column[tie->part.index]], W);
    else
        saddle__joint_load(joint, &site, lambda + at->row, W);
    for (int i = 0; i < 6; i++) y[i] = h * joint->bearing_y[i];
    const double change = saddle__bearing_project(def->kind, &def->bearing, W, lambda + first,
                                                  a->problem.hi + first, y, next, forces);
    saddle__bearing_weights(def->kind, &def->bearing, friction->loads.anderson.weight + 6 * k);
    memcpy(friction->loads.y + 6 * k, joint->bearing_y, sizeof joint->bearing_y);
    for (int i = 0; i < 6; i++) friction->loads.next[6 * k + i] = next[i] / h;
    for (int i = 0; i < 6; i++) forces->friction[i] /= h;
    forces->load /= h;
    return change / h;
}

void saddle__friction_project(saddle__joint_friction *friction, saddle_assembly *a, double h,
                              const double *lambda, const double *attached)
{
    double largest = 0, most = 0;
    bearing_walk at = {.a = a};
    for (int64_t k = 0; next_bearing(&at); k++) {
        const double change = project(friction, &at, k, h, lambda, attached);
        most = fmax(most, at.joint->bearing_forces.load);
        if (!(change > largest)) continue;
        largest = change;
        friction->worst = saddle__model_handle(a->model, &at.link->head, at.place);
    }
    friction->number++;
    friction->change = largest > 0 ? largest / most : 0;
    saddle__loads_step(&friction->loads, friction->count);
    at = (bearing_walk){.a = a};
    for (int64_t k = 0; next_bearing(&at); k++) {
        memcpy(at.joint->bearing_y, friction->loads.y + 6 * k, sizeof at.joint->bearing_y);
        set_strengths(at.joint, at.link->row);
    }
}

void saddle__friction_bound(saddle_assembly *a, const saddle_problem *solved, double h)
{
    bearing_walk at = {.a = a};
    while (next_bearing(&at)) {
        const saddle__joint *joint = at.joint;
        for (int64_t i = joint->rows - joint->bearing_rows; i < joint->rows; i++) {
            const double bound = h * at.link->row[i].strength;
            a->problem.lo[at.row + i] = solved->lo[at.row + i] = -bound;
            a->problem.hi[at.row + i] = solved->hi[at.row + i] = bound;
        }
    }
}
