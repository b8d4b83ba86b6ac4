/* SPDX-License-Identifier: MIT */
/* The attachments of an assembly: every particle, body and node of the model is a component of one
 * graph (saddle/attachments.h), prescribed parts are parametric, and each attached one has its
 * coupling (saddle/couplings.h).
 *
 * Components stand in the order of the model's parts, so that the model's arrays of positions and
 * velocities are those of the couplings.
 */
#include <stdio.h>
#include <stdlib.h>

#include "joint_internal.h"
#include "system.h"

/* ---- the graph ---- */

static saddle_component_kind kind_of(const saddle__item_part *part)
{
    if (part->head.item == SADDLE_ITEM_COORDINATES) return SADDLE_COMPONENT_COORDINATES;
    return part->head.item == SADDLE_ITEM_BODY ? SADDLE_COMPONENT_FRAME : SADDLE_COMPONENT_PARTICLE;
}

/* Part at `place`; its name, or its kind and number. */
static saddle_status add_component(saddle_assembly *a, int32_t place, int64_t node)
{
    saddle_attachments *graph = a->attached.graph;
    const saddle__item_part *part = &a->model->part[place];
    char name[200] = "", kind[160];
    const char *own = part->head.name && part->head.name[0] ? part->head.name : kind;
    saddle__model_describe(a->model, saddle__model_handle(a->model, &part->head, place), kind,
                           sizeof kind);
    if (part->head.item == SADDLE_ITEM_NODES)
        snprintf(name, sizeof name, "%.160s[%lld]", own, (long long)node);
    const saddle_component component = {.id = saddle_attachments_count(graph),
                                        .name = name[0] ? name : own,
                                        .kind = kind_of(part),
                                        .size = part->head.item == SADDLE_ITEM_COORDINATES
                                                    ? part->size
                                                    : 0,
                                        .parametric = part->prescribed};
    return saddle_attachments_add(graph, &component);
}

static saddle_status add_components(saddle_assembly *a)
{
    const saddle_model *model = a->model;
    for (int32_t k = 0; k < model->parts.count; k++) {
        const int32_t place = model->parts.order[k];
        const saddle__item_part *part = &model->part[place];
        const int64_t count = saddle__part_points(part);
        a->attached.component[place] = saddle_attachments_count(a->attached.graph);
        for (int64_t node = 0; node < count; node++) SADDLE__TRY(add_component(a, place, node));
    }
    return SADDLE_OK;
}

static int64_t component_of(const saddle_assembly *a, saddle_anchor anchor)
{
    return a->attached.component[anchor.part.index] + anchor.node;
}

/* ids (masters): scratch */
static saddle_status couple(saddle_assembly *a, const saddle__item_tie *tie, int64_t k,
                            int64_t *ids)
{
    const saddle__system_attached *all = &a->attached;
    saddle_couplings *couplings = all->couplings;
    const saddle_anchor self = {tie->part, tie->node[k]}, *to = saddle__tie_masters(tie, k);
    const int64_t id = component_of(a, self);
    const double *data = tie->data;
    for (int64_t j = 0; j < tie->masters; j++) ids[j] = component_of(a, to[j]);
    if (tie->kind == SADDLE__BODY_ON_JOINT)
        return saddle_couplings_add_body_on_joint(couplings, id, tie->masters > 0 ? ids : NULL,
                                                  all->component[tie->coordinates.index],
                                                  &tie->motion->motion);
    if (tie->kind == SADDLE__POINT)
        return saddle_couplings_add_point(couplings, id, tie->masters, ids,
                                          data + 4 * k * tie->masters);
    if (tie->kind == SADDLE__BODY_ON_BODY)
        return saddle_couplings_add_frame_on_frame(couplings, id, ids[0], &tie->pose);
    if (tie->kind == SADDLE__BODY_ON_BODIES)
        return saddle_couplings_add_frame_on_frames(
            couplings, id, tie->masters, ids, data,
            (const saddle_pose *)(const void *)(data + tie->masters));
    if (tie->kind == SADDLE__BODY_IN_ELEMENT)
        return saddle_couplings_add_frame_in_element(couplings, id, tie->element, ids, data,
                                                     &tie->pose);
    return saddle_couplings_add_frame_on_points(couplings, id, tie->masters, ids, data,
                                                data + 3 * tie->masters, &tie->pose);
}

static saddle_status couple_all(saddle_assembly *a, const saddle__item_tie *tie, int64_t *ids)
{
    saddle__system_attached *all = &a->attached;
    const int64_t size = tie->part.item == SADDLE_ITEM_BODY ? 6 : 3;
    const int massless = saddle__model_part(a->model, tie->part)->massless;
    for (int64_t k = 0; k < tie->count; k++) {
        const saddle_anchor self = {tie->part, tie->node[k]};
        const int64_t column = a->column[tie->part.index] + 3 * self.node;
        SADDLE__TRY(couple(a, tie, k, ids));
        for (int64_t i = 0; i < size; i++) all->bound[column + i] = 1;
        if (massless || tie->kind == SADDLE__BODY_ON_JOINT)
            all->wish[component_of(a, self)] = SADDLE_WISH_ELIMINATE;
    }
    all->joints += tie->kind == SADDLE__BODY_ON_JOINT;
    all->turns |= size == 6;
    for (int64_t k = 0; k < tie->masters * tie->sets; k++)
        all->turns |= tie->to[k].part.item == SADDLE_ITEM_BODY;
    return SADDLE_OK;
}

/* Numbers of attached and prescribed velocities; what has no mass or is prescribed. */
static void place_bound(saddle_assembly *a)
{
    saddle__system_attached *all = &a->attached;
    for (int32_t k = 0; k < a->model->parts.count; k++) {
        const saddle__item_part *part = &a->model->part[a->part[k].place];
        const int64_t column = a->part[k].column;
        if (part->prescribed) all->wish[all->component[a->part[k].place]] = SADDLE_WISH_ELIMINATE;
        for (int64_t i = 0; i < part->size; i++) {
            all->light[column + i] = saddle__is_weightless(part) != 0;
            if (part->prescribed) all->bound[column + i] = 1;
        }
    }
    for (int64_t i = 0; i < a->problem.n; i++) all->bound[i] = all->bound[i] ? all->count++ : -1;
}

/* ---- rigid followers ---- */

static int by_root(const void *a, const void *b)
{
    const saddle__rigid *x = a, *y = b;
    if (x->root != y->root) return x->root < y->root ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static void list_rigid(saddle_assembly *a)
{
    const saddle_model *model = a->model;
    saddle__system_attached *all = &a->attached;
    for (int32_t k = 0; k < model->ties.count; k++) {
        const saddle_handle part = model->tie[model->ties.order[k]].part;
        const saddle_anchor root = saddle__anchor_root(model, (saddle_anchor){part, 0});
        const saddle__item_part *body = saddle__model_part(model, root.part);
        if (part.item == SADDLE_ITEM_NODES || saddle__model_part(model, part)->massless) continue;
        if (body->head.item != SADDLE_ITEM_BODY || saddle__is_weightless(body) ||
            root.part.index == part.index)
            continue;
        all->rigid[all->rigid_count++] = (saddle__rigid){root.part.index, part.index};
    }
    if (all->rigid_count > 1)
        qsort(all->rigid, (size_t)all->rigid_count, sizeof *all->rigid, by_root);
}

/* ---- parts without mass ---- */

static saddle_status check_massless(const saddle_model *model)
{
    for (int32_t k = 0; k < model->parts.count; k++) {
        const int32_t place = model->parts.order[k];
        const saddle__item_part *part = &model->part[place];
        if (!part->massless || part->prescribed || part->head.item == SADDLE_ITEM_COORDINATES)
            continue;
        if (part->followed && part->followed[0].tie >= 0) continue;
        return saddle__refuse_item(model, "", saddle__model_handle(model, &part->head, place),
                                   " has no mass and is not attached");
    }
    return SADDLE_OK;
}

/* ---- compilation ---- */

saddle_status saddle__system_attach(saddle_assembly *a)
{
    const saddle_model *model = a->model;
    saddle__system_attached *all = &a->attached;
    SADDLE__TRY(check_massless(model));
    if (model->ties.count == 0) return SADDLE_OK;
    int64_t components = 0, masters = 1;
    for (int32_t k = 0; k < model->parts.count; k++) {
        const saddle__item_part *part = &model->part[model->parts.order[k]];
        components += saddle__part_points(part);
    }
    for (int32_t k = 0; k < model->ties.count; k++) {
        const saddle__item_tie *tie = &model->tie[model->ties.order[k]];
        if (tie->masters > masters) masters = tie->masters;
    }
    all->component = saddle_allocate(a->context, model->parts.size, sizeof *all->component);
    all->wish = saddle_allocate(a->context, components, sizeof *all->wish);
    all->velocity = saddle_allocate(a->context, a->problem.n, sizeof *all->velocity);
    all->bound = saddle_allocate(a->context, a->problem.n, sizeof *all->bound);
    all->light = saddle_allocate(a->context, a->problem.n, sizeof *all->light);
    all->rigid = saddle_allocate(a->context, model->ties.count, sizeof *all->rigid);
    int64_t *ids = saddle_allocate(a->context, masters, sizeof *ids);
    saddle_status status = SADDLE_OUT_OF_MEMORY;
    if (all->component && all->wish && all->velocity && all->bound && all->light && all->rigid &&
        ids)
        status = saddle_attachments_create(a->context, &all->graph);
    if (status == SADDLE_OK) status = add_components(a);
    if (status == SADDLE_OK)
        status = saddle_couplings_create(a->context, all->graph, &all->couplings);
    for (int32_t k = 0; status == SADDLE_OK && k < model->ties.count; k++)
        status = couple_all(a, &model->tie[model->ties.order[k]], ids);
    if (status == SADDLE_OK) status = saddle_couplings_compile(all->couplings);
    if (status == SADDLE_OK) place_bound(a);
    if (status == SADDLE_OK) list_rigid(a);
    saddle_release(a->context, ids);
    return status;
}

/* ---- values ---- */

saddle_status saddle__system_prescribe(saddle_assembly *a, saddle__prescribed what)
{
    static const double rest[6] = {0, 0, 0, 0, 0, 0};
    const saddle_model *model = a->model;
    for (int32_t k = 0; a->attached.graph && k < model->parts.count; k++) {
        const saddle__item_part *part = &model->part[a->part[k].place];
        if (!part->prescribed) continue;
        const double *v = rest;
        if (what == SADDLE__PRESCRIBED_VELOCITIES)
            v = part->told ? part->told->velocity : model->velocity + part->velocity;
        else if (what == SADDLE__PRESCRIBED_ACCELERATIONS && part->told)
            v = part->told->acceleration;
        SADDLE__TRY(saddle_attachments_prescribe(a->attached.graph,
                                                 a->attached.component[a->part[k].place], v));
    }
    return SADDLE_OK;
}

saddle_status saddle__system_follow(saddle_assembly *a, const saddle_coupling_step *step)
{
    saddle__system_attached *all = &a->attached;
    if (!all->graph) return SADDLE_OK;
    SADDLE__TRY(saddle__system_prescribe(a, SADDLE__PRESCRIBED_VELOCITIES));
    saddle__copy(all->velocity, a->model->velocity, a->problem.n);
    return saddle_couplings_update(all->couplings, step, a->model->position, all->velocity);
}

void saddle__system_reparameterize(const saddle_assembly *a)
{
    const saddle_model *model = a->model;
    for (int32_t k = 0; k < model->ties.count; k++) {
        const saddle__item_tie *tie = &model->tie[model->ties.order[k]];
        if (tie->kind != SADDLE__BODY_ON_JOINT || !tie->motion->motion.reparameterize) continue;
        const saddle__item_part *part = saddle__model_part(model, tie->coordinates);
        (void)tie->motion->motion.reparameterize(tie->motion->motion.data,
                                                 model->position + part->position,
                                                 model->velocity + part->velocity);
    }
}

/* Turns of joints in coordinates are counted from these: the host may have written coordinates of
 * other turns than the joints have counted. */
static void take_turns(saddle_model *model)
{
    for (int32_t k = 0; k < model->ties.count; k++) {
        const saddle__item_tie *tie = &model->tie[model->ties.order[k]];
        if (tie->kind != SADDLE__BODY_ON_JOINT) continue;
        const double *q = model->position + saddle__model_part(model, tie->coordinates)->position;
        saddle__joint *joint = saddle__joint_of(model, tie->joint);
        for (int f = joint->locked; f < joint->locked + joint->free; f++)
            if (joint->function[f].turns) joint->angle[f] = q[f - joint->locked];
        if (joint->used.kind == SADDLE_JOINT_MOTION) saddle__copy(joint->guide.q, q, joint->free);
    }
}

saddle_status saddle__system_place(saddle_assembly *a)
{
    if (!a->attached.graph) return SADDLE_OK;
    SADDLE__TRY(saddle__system_follow(a, NULL));
    take_turns(a->model);
    saddle__copy(a->model->velocity, a->attached.velocity, a->problem.n);
    return SADDLE_OK;
}

const saddle_attachments *saddle_assembly_attachments(const saddle_assembly *assembly)
{
    return assembly ? assembly->attached.graph : NULL;
}

/* ---- forces ---- */

/* Of a part, whose velocities are all attached or prescribed. */
static void part_force(const saddle_assembly *a, const double *impulse, double time,
                       saddle_handle part, double *force)
{
    const double *own = impulse + a->attached.bound[a->column[part.index]];
    const int64_t size = saddle__model_part(a->model, part)->size;
    for (int64_t i = 0; i < size; i++) force[i] = own[i] / time;
}

void saddle__system_attached_force(const saddle_assembly *a, const double *impulse, double time,
                                   saddle_handle item, double *force)
{
    const saddle__item_tie *tie = saddle__model_tie(a->model, item);
    if (!tie) {
        part_force(a, impulse, time, item, force);
        return;
    }
    const int64_t size = tie->part.item == SADDLE_ITEM_BODY ? 6 : 3;
    for (int64_t k = 0; k < tie->count; k++) {
        const int64_t column = a->column[tie->part.index] + 3 * tie->node[k];
        const double *own = impulse + a->attached.bound[column];
        for (int64_t i = 0; i < size; i++) force[size * k + i] = own[i] / time;
    }
}
