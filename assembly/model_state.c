/* SPDX-License-Identifier: MIT */
/* The state of a model: positions, velocities and pushes of its parts, gravity and time; sites. */
#include <string.h>

#include "model_internal.h"

/* ---- arrays without holes ---- */

static void move_numbers(double *array, int64_t to, int64_t from, int64_t count)
{
    if (to < from && count > 0) memmove(array + to, array + from, (size_t)count * sizeof *array);
}

void saddle__model_settle(saddle_model *model)
{
    int64_t q = 0, v = 0;
    for (int32_t k = 0; model->holes && k < model->parts.count; k++) {
        saddle__item_part *part = &model->part[model->parts.order[k]];
        move_numbers(model->position, q, part->position, part->position_size);
        move_numbers(model->velocity, v, part->velocity, part->size);
        move_numbers(model->push, v, part->velocity, part->size);
        part->position = q;
        part->velocity = v;
        q += part->position_size;
        v += part->size;
    }
    if (!model->holes) return;
    model->positions = q;
    model->velocities = v;
    model->holes = 0;
}

/* ---- sites ---- */

saddle_site saddle__model_site(const saddle_model *model, int64_t count,
                               const saddle_anchor *anchors, const void *data,
                               saddle__site_buffer *buffer)
{
    static const double ground[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const double rest[6] = {0, 0, 0, 0, 0, 0};
    for (int64_t k = 0; k < count; k++) {
        const saddle__item_part *part = saddle__model_part(model, anchors[k].part);
        const int64_t first = 3 * anchors[k].node;
        buffer->size[k] = !part || part->head.item == SADDLE_ITEM_BODY ? 6 : 3;
        buffer->position[k] = part ? model->position + part->position + first : ground;
        buffer->velocity[k] = part ? model->velocity + part->velocity + first : rest;
    }
    return (saddle_site){data,         model->time,      count,
                         buffer->size, buffer->position, buffer->velocity};
}

void saddle__model_moved(saddle_model *model)
{
    saddle__site_buffer buffer;
    for (int64_t k = 0; k < saddle__link_count(model); k++) {
        const saddle__item_link *link = saddle__link_at(model, k);
        if (!link->moved) continue;
        const saddle_site site = saddle__model_site(model, link->count, link->anchors, link->data,
                                                    &buffer);
        link->moved(&site, link->data);
    }
}

/* ---- time and gravity ---- */

void saddle_model_set_gravity(saddle_model *model, const double *gravity)
{
    if (!model || !gravity) return;
    memcpy(model->gravity, gravity, sizeof model->gravity);
}

const double *saddle_model_gravity(const saddle_model *model)
{
    return model ? model->gravity : NULL;
}

void saddle_model_set_time(saddle_model *model, double time)
{
    if (model) model->time = time;
}

double saddle_model_time(const saddle_model *model)
{
    return model ? model->time : 0.0;
}

/* ---- state ---- */

int64_t saddle_model_part_count(const saddle_model *model)
{
    return model ? model->parts.count : 0;
}

saddle_handle saddle_model_part_at(const saddle_model *model, int64_t i)
{
    if (!model || i < 0 || i >= model->parts.count) return (saddle_handle){0};
    const int32_t place = model->parts.order[i];
    return saddle__model_handle(model, &model->part[place].head, place);
}

double *saddle_model_position(saddle_model *model, saddle_handle part)
{
    const saddle__item_part *found = model ? saddle__model_part(model, part) : NULL;
    if (found) saddle__model_settle(model);
    return found ? model->position + found->position : NULL;
}

double *saddle_model_velocity(saddle_model *model, saddle_handle part)
{
    const saddle__item_part *found = model ? saddle__model_part(model, part) : NULL;
    if (found) saddle__model_settle(model);
    return found ? model->velocity + found->velocity : NULL;
}

int64_t saddle_model_part_velocities(const saddle_model *model, saddle_handle part)
{
    const saddle__item_part *found = model ? saddle__model_part(model, part) : NULL;
    return found ? found->size : 0;
}

saddle_pose *saddle_model_pose(saddle_model *model, saddle_handle body)
{
    _Static_assert(sizeof(saddle_pose) == 12 * sizeof(double), "a pose is twelve numbers");
    if (body.item != SADDLE_ITEM_BODY) return NULL;
    return (saddle_pose *)(void *)saddle_model_position(model, body);
}

const saddle_body_inertia *saddle_model_inertia(const saddle_model *model, saddle_handle body)
{
    const saddle__item_part *found = model ? saddle__model_part(model, body) : NULL;
    return found && found->head.item == SADDLE_ITEM_BODY ? &found->inertia : NULL;
}

int64_t saddle_model_node_count(const saddle_model *model, saddle_handle part)
{
    const saddle__item_part *found = model ? saddle__model_part(model, part) : NULL;
    const int points = found && (found->head.item == SADDLE_ITEM_PARTICLE ||
                                 found->head.item == SADDLE_ITEM_NODES);
    return points ? found->size / 3 : 0;
}

saddle_status saddle_model_push(saddle_model *model, saddle_handle part, const double *force)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && force, "model or force is NULL");
    const saddle__item_part *found = saddle__model_part(model, part);
    if (!found) return saddle__refuse_item(model, "push: ", part, " is no part");
    if (!saddle__is_finite(force, found->size))
        return saddle__refuse_item(model, "push: the force on ", part, " is not finite");
    for (int64_t k = 0; k < found->size; k++) model->push[found->velocity + k] += force[k];
    return SADDLE_OK;
}
