/* SPDX-License-Identifier: MIT */
/* Forces of the host's own. */

#include "items.h"

saddle_status saddle_model_add_force(saddle_model *model, const saddle_force_def *def,
                                     saddle_handle *force)
{
    saddle_context_clear_message(model ? model->context : NULL);
    if (!model || !def || !force)
        return saddle_fail(model ? model->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_model_add_force: model, def or force is NULL");
    char subject[160];
    saddle__describe_new("force", def->name, subject, sizeof subject);
    if (def->type == NULL || def->type->evaluate == NULL) {
        return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT, "%s: its type has no evaluate",
                           subject);
    }
    int64_t moving = 0;
    saddle_status status = saddle__anchors_check(model, subject, def->count, def->anchors, &moving);
    saddle__force made = {.item = SADDLE_ITEM_FORCE, .type = def->type, .count = def->count};
    if (status == SADDLE_OK) status = saddle__copy_name(model->context, def->name, &made.name);
    if (status == SADDLE_OK) {
        status = saddle__copy_block(model->context, def->anchors, def->count, sizeof *def->anchors,
                                    (void **)&made.anchors);
    }
    if (status == SADDLE_OK)
        status = saddle__copy_block(model->context, def->data, (int64_t)def->bytes, 1, &made.data);
    int32_t place = 0;
    if (status == SADDLE_OK) {
        status = saddle__pool_take(model->context, &model->forces, (void **)&model->force,
                                   sizeof *model->force, &place);
    }
    if (status != SADDLE_OK) {
        saddle__force_clear(model->context, &made);
        return status;
    }
    made.generation = saddle__next_generation(model->force[place].generation);
    model->force[place] = made;
    saddle__anchors_count(model, made.count, made.anchors, 1);
    model->edition++;
    *force = (saddle_handle){place, made.generation, made.item, model->number};
    return SADDLE_OK;
}

void saddle__force_clear(saddle_context *context, saddle__force *force)
{
    saddle_release(context, force->name);
    saddle_release(context, force->anchors);
    saddle_release(context, force->data);
    *force = (saddle__force){.generation = force->generation};
}

void *saddle_model_force_data(saddle_model *model, saddle_handle force)
{
    const saddle__force *found = saddle__model_force(model, force);
    return found == NULL ? NULL : found->data;
}
