/* SPDX-License-Identifier: MIT */
/* Anchors, and the sites that forces and constraints are asked at. */

#include "items.h"

int64_t saddle__model_anchor_size(const saddle_model *model, saddle_anchor anchor)
{
    const saddle__part *part = saddle__model_part(model, anchor.part);
    return part == NULL || part->item == SADDLE_ITEM_BODY ? 6 : 3;
}

int64_t saddle__model_anchor_velocity(const saddle_model *model, saddle_anchor anchor)
{
    const saddle__part *part = saddle__model_part(model, anchor.part);
    return part == NULL ? -1 : part->velocity + 3 * anchor.node;
}

saddle_site saddle__model_site(const saddle_model *model, int64_t count,
                               const saddle_anchor *anchors, const void *data,
                               saddle__site_room *room)
{
    static const double ground[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const double rest[6] = {0, 0, 0, 0, 0, 0};
    for (int64_t k = 0; k < count; k++) {
        const saddle__part *part = saddle__model_part(model, anchors[k].part);
        room->size[k] = part == NULL || part->item == SADDLE_ITEM_BODY ? 6 : 3;
        room->position[k] = part == NULL ? ground
                                         : model->position + part->position + 3 * anchors[k].node;
        room->velocity[k] = part == NULL ? rest
                                         : model->velocity + part->velocity + 3 * anchors[k].node;
    }
    return (saddle_site){data, model->time, count, room->size, room->position, room->velocity};
}

void saddle__model_moved(saddle_model *model)
{
    saddle__site_room room;
    for (int32_t k = 0; k < model->constraints.count; k++) {
        const saddle__constraint *constraint = &model->constraint[model->constraints.order[k]];
        if (constraint->moved == NULL) continue;
        const saddle_site site = saddle__model_site(model, constraint->count, constraint->anchors,
                                                    constraint->data, &room);
        constraint->moved(&site, constraint->data);
    }
    for (int32_t k = 0; k < model->forces.count; k++) {
        const saddle__force *force = &model->force[model->forces.order[k]];
        if (force->moved == NULL) continue;
        const saddle_site site = saddle__model_site(model, force->count, force->anchors,
                                                    force->data, &room);
        force->moved(&site, force->data);
    }
}

static saddle_status check_anchor(const saddle_model *model, const char *subject,
                                  saddle_anchor anchor)
{
    if (saddle__handle_is_ground(anchor.part) && anchor.node == 0) return SADDLE_OK;
    const saddle__part *part = saddle__model_part(model, anchor.part);
    char name[160];
    saddle__model_describe(model, anchor.part, name, sizeof name);
    if (part == NULL) {
        return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT,
                           "%s: acts on %s, which is no part", subject, name);
    }
    const int64_t nodes = part->item == SADDLE_ITEM_NODES ? part->size / 3 : 1;
    if (anchor.node >= 0 && anchor.node < nodes) return SADDLE_OK;
    return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT,
                       "%s: acts on node %lld of %s, which has %lld", subject,
                       (long long)(anchor.node < INT64_MAX ? anchor.node + 1 : anchor.node), name,
                       (long long)nodes);
}

static int same(saddle_anchor a, saddle_anchor b)
{
    return saddle__handles_are_same(a.part, b.part) && a.node == b.node;
}

saddle_status saddle__anchors_check(const saddle_model *model, const char *subject, int64_t count,
                                    const saddle_anchor *anchors, int64_t *moving)
{
    *moving = 0;
    if (count < 1 || count > SADDLE_ANCHORS_MAX || anchors == NULL) {
        return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT,
                           "%s: acts on %lld anchors, not on 1 to %d", subject, (long long)count,
                           (int)SADDLE_ANCHORS_MAX);
    }
    for (int64_t k = 0; k < count; k++) {
        const saddle_status status = check_anchor(model, subject, anchors[k]);
        if (status != SADDLE_OK) return status;
        for (int64_t i = 0; i < k; i++) {
            if (!same(anchors[i], anchors[k])) continue;
            char name[160];
            saddle__model_describe(model, anchors[k].part, name, sizeof name);
            return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT, "%s: acts on %s twice",
                               subject, name);
        }
        const saddle__part *part = saddle__model_part(model, anchors[k].part);
        if (part != NULL && !part->prescribed) ++*moving;
    }
    return SADDLE_OK;
}

void saddle__anchors_count(saddle_model *model, int64_t count, const saddle_anchor *anchors, int by)
{
    for (int64_t k = 0; k < count; k++) {
        saddle__part *part = saddle__model_part(model, anchors[k].part);
        if (part != NULL) part->users += by;
    }
}
