/* SPDX-License-Identifier: MIT */
/* Forces, constraints and attachments as points (saddle/link.h). */
#include <string.h>

#include "saddle/link.h"
#include "space/space.h"
#include "stepper_internal.h"

static const saddle__item_pool *pool_of(const saddle_model *model, saddle_item item)
{
    if (item == SADDLE_ITEM_FORCE) return &model->forces;
    if (item == SADDLE_ITEM_CONSTRAINT) return &model->constraints;
    return item == SADDLE_ITEM_ATTACHMENT ? &model->ties : NULL;
}

int64_t saddle_model_link_count(const saddle_model *model, saddle_item item)
{
    const saddle__item_pool *pool = model ? pool_of(model, item) : NULL;
    return pool ? pool->count : 0;
}

saddle_handle saddle_model_link_at(const saddle_model *model, saddle_item item, int64_t i)
{
    if (i < 0 || i >= saddle_model_link_count(model, item)) return (saddle_handle){0};
    const int32_t place = pool_of(model, item)->order[i];
    const saddle__item_head *head = item == SADDLE_ITEM_FORCE ? &model->force[place].head
                                    : item == SADDLE_ITEM_CONSTRAINT
                                        ? &model->constraint[place].head
                                        : &model->tie[place].head;
    return saddle__model_handle(model, head, place);
}

/* NULL: no such force or constraint. */
static const saddle__item_link *link_of(const saddle_model *model, saddle_handle handle)
{
    const saddle__item_link *force = model ? saddle__model_force(model, handle) : NULL;
    return force || !model ? force : saddle__model_constraint(model, handle);
}

const char *saddle_model_link_kind(const saddle_model *model, saddle_handle handle)
{
    const saddle__item_link *link = link_of(model, handle);
    const saddle__item_tie *tie = model && !link ? saddle__model_tie(model, handle) : NULL;
    if (!link) return !tie ? "" : tie->joint.generation > 0 ? "joint" : "attachment";
    if (link->kind) return link->kind;
    const char *name = link->force ? link->force->name : link->constraint->name;
    return name ? name : "";
}

void saddle__site_point(const saddle_site *site, int64_t k, const double *c, double *x)
{
    double arm[3] = {0, 0, 0};
    if (site->size[k] == 6 && c) saddle__rotate(site->position[k] + 3, c, arm);
    for (int i = 0; i < 3; i++) x[i] = site->position[k][i] + arm[i];
}

static int64_t tie_points(const saddle_model *model, const saddle__item_tie *tie, double *x)
{
    const saddle__item_part *part = saddle__model_part(model, tie->part);
    for (int64_t k = 0; x && k < tie->count; k++)
        memcpy(x + 3 * k, model->position + part->position + 3 * tie->node[k], 3 * sizeof *x);
    return tie->count;
}

int64_t saddle_model_link_points(saddle_model *model, saddle_handle handle, double *x)
{
    const saddle__item_link *link = link_of(model, handle);
    const saddle__item_tie *tie = model && !link ? saddle__model_tie(model, handle) : NULL;
    if (tie) return tie_points(model, tie, x);
    if (!link) return 0;
    saddle__site_buffer buffer;
    const saddle_site site = saddle__model_site(model, link->count, link->anchors, link->data,
                                                &buffer);
    if (link->points) return link->points(&site, x);
    for (int64_t k = 0; x && k < site.count; k++) saddle__site_point(&site, k, NULL, x + 3 * k);
    return site.count;
}

/* Force on the particle, node or body of an anchor: its columns of J'F, in world axes. */
static void anchor_force(const saddle_assembly *a, const saddle__system_link *link, int64_t k,
                         const double *before, double *force)
{
    const saddle_anchor *anchor = &link->item->anchors[k];
    const int64_t column = a->anchors.column[link->anchor + k];
    const saddle__item_part *part = saddle__model_part(a->model, anchor->part);
    memset(force, 0, 3 * sizeof *force);
    if (column < 0 || !part) return;
    for (int64_t i = link->row; i < link->row + link->rows; i++)
        for (int j = 0; j < 3; j++)
            force[j] += saddle_matrix_entry(&a->problem.Jt, column + j, i) * a->kept[i];
    if (part->head.item == SADDLE_ITEM_BODY)
        saddle__rotate(before + part->position + 3, force, force);
}

/* The force of a joint in coordinates on its child, and on the parent the opposite. */
static void add_joint_force(const saddle_stepper *stepper, const saddle__item_link *link,
                            double *force)
{
    const saddle__item_tie *tie = saddle__model_tie(stepper->model, link->tie);
    double wrench[6];
    if (!tie) return;
    const saddle__item_part *child = saddle__model_part(stepper->model, tie->part);
    saddle__system_attached_force(stepper->assembly, stepper->attached.force,
                                  stepper->attached.time, link->tie, wrench);
    saddle__rotate(stepper->saved.position + child->position + 3, wrench, wrench);
    for (int k = 0; k < 2; k++) {
        const int is_child = saddle__handles_are_same(link->anchors[k].part, tie->part);
        if (saddle__handle_is_ground(link->anchors[k].part)) continue;
        for (int i = 0; i < 3; i++) force[3 * k + i] += is_child ? wrench[i] : -wrench[i];
    }
}

saddle_status saddle_stepper_constraint_force(const saddle_stepper *stepper,
                                              saddle_handle constraint, double *force)
{
    SADDLE__RETURN_UNLESS(stepper ? stepper->context : NULL, stepper && force,
                          "stepper or force is NULL");
    const saddle_assembly *a = stepper->assembly;
    if (!saddle__model_constraint(stepper->model, constraint))
        return saddle__refuse_item(stepper->model, "", constraint, " is no constraint");
    if (!a || stepper->edition != stepper->model->edition || stepper->report.step == 0)
        return saddle_fail(stepper->context, SADDLE_WRONG_PHASE,
                           "constraint force: no step since items were added or removed");
    const saddle__system_link *link = &a->constraint[a->constraint_of[constraint.index]];
    for (int64_t k = 0; k < link->count; k++)
        anchor_force(a, link, k, stepper->saved.position, force + 3 * k);
    add_joint_force(stepper, link->item, force);
    return SADDLE_OK;
}
