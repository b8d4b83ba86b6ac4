/* SPDX-License-Identifier: MIT */
/* A model: its pools, names, time, gravity. */
#include "model_internal.h"

#include <stdio.h>
#include <string.h>

#include "items.h"

/* A model's number: of its place in memory and the time of its making, so that neither a model
 * beside it nor one that had its place before has the same, but by one chance in 2^64.  A counter
 * would be a global. */
static uint64_t number_of(const saddle_model *model)
{
    const double now = saddle_clock();
    uint64_t mixed;
    memcpy(&mixed, &now, sizeof mixed);
    mixed = (mixed ^ (uint64_t)(uintptr_t)model) * UINT64_C(0x9E3779B97F4A7C15); /* 2^64 / golden
                                                                                    ratio */
    mixed = (mixed ^ (mixed >> 32)) * UINT64_C(0x9E3779B97F4A7C15);
    return mixed ^ (mixed >> 29);
}

saddle_status saddle_model_create(saddle_context *context, saddle_model **model)
{
    saddle_context_clear_message(context);
    if (model == NULL)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "model: nowhere to put it");
    *model = saddle_allocate(context, 1, sizeof **model);
    if (*model == NULL) return SADDLE_OUT_OF_MEMORY;
    (*model)->context = context;
    (*model)->number = number_of(*model);
    return SADDLE_OK;
}

void saddle_model_free(saddle_model *model)
{
    if (model == NULL) return;
    saddle_context *context = model->context;
    for (int32_t k = 0; k < model->constraints.size; k++)
        saddle__constraint_clear(context, &model->constraint[k]);
    for (int32_t k = 0; k < model->forces.size; k++) saddle__force_clear(context, &model->force[k]);
    for (int32_t k = 0; k < model->parts.size; k++) saddle__part_clear(context, &model->part[k]);
    saddle__pool *const pools[] = {&model->parts, &model->forces, &model->constraints};
    for (int k = 0; k < 3; k++) saddle_release(context, pools[k]->order);
    void *const arrays[] = {model->part,     model->force,    model->constraint,
                            model->position, model->velocity, model->push};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) saddle_release(context, arrays[k]);
    saddle_release(context, model);
}

saddle_context *saddle_model_context(const saddle_model *model)
{
    if (!model) return NULL;
    return model->context;
}

/* ---- handles ---- */

static int is_part(unsigned item)
{
    return item == SADDLE_ITEM_PARTICLE || item == SADDLE_ITEM_BODY || item == SADDLE_ITEM_NODES;
}

static int within(const saddle_model *model, const saddle__pool *pool, saddle_handle handle)
{
    return handle.model == model->number && handle.generation != 0 && handle.index >= 0 &&
           handle.index < pool->size;
}

saddle__part *saddle__model_part(const saddle_model *model, saddle_handle handle)
{
    if (!is_part(handle.item) || !within(model, &model->parts, handle)) return NULL;
    saddle__part *part = &model->part[handle.index];
    return part->item == handle.item && part->generation == handle.generation ? part : NULL;
}

saddle__force *saddle__model_force(const saddle_model *model, saddle_handle handle)
{
    if (handle.item != SADDLE_ITEM_FORCE || !within(model, &model->forces, handle)) return NULL;
    saddle__force *force = &model->force[handle.index];
    return force->item == handle.item && force->generation == handle.generation ? force : NULL;
}

saddle__constraint *saddle__model_constraint(const saddle_model *model, saddle_handle handle)
{
    if (handle.item != SADDLE_ITEM_CONSTRAINT || !within(model, &model->constraints, handle))
        return NULL;
    saddle__constraint *constraint = &model->constraint[handle.index];
    return constraint->item == handle.item && constraint->generation == handle.generation
               ? constraint
               : NULL;
}

/* The name of an item that is there, "" where it has none; NULL where there is no such item. */
static const char *name_of(const saddle_model *model, saddle_handle item)
{
    const saddle__part *part = saddle__model_part(model, item);
    const saddle__force *force = saddle__model_force(model, item);
    const saddle__constraint *constraint = saddle__model_constraint(model, item);
    if (part == NULL && force == NULL && constraint == NULL) return NULL;
    const char *name = part != NULL ? part->name : force != NULL ? force->name : constraint->name;
    return name == NULL ? "" : name;
}

int saddle_model_has(const saddle_model *model, saddle_handle item)
{
    if (!model) return 0;
    return saddle__handle_is_ground(item) || name_of(model, item) != NULL;
}

const char *saddle_model_name(const saddle_model *model, saddle_handle item)
{
    if (!model) return "";
    const char *name = name_of(model, item);
    return name == NULL ? "" : name;
}

saddle_handle saddle_model_find(const saddle_model *model, const char *name)
{
    if (!model || !name) return (saddle_handle){0};
    const saddle_handle none = {0};
    if (name == NULL || *name == '\0') return none;
    for (int32_t k = 0; k < model->parts.count; k++) {
        const saddle_handle part = saddle_model_part_at(model, k);
        if (strcmp(saddle_model_name(model, part), name) == 0) return part;
    }
    for (int32_t k = 0; k < model->constraints.count; k++) {
        const int32_t index = model->constraints.order[k];
        const saddle__constraint *constraint = &model->constraint[index];
        const saddle_handle handle = {index, constraint->generation, SADDLE_ITEM_CONSTRAINT,
                                      model->number};
        if (constraint->name != NULL && strcmp(constraint->name, name) == 0) return handle;
    }
    for (int32_t k = 0; k < model->forces.count; k++) {
        const int32_t index = model->forces.order[k];
        const saddle__force *force = &model->force[index];
        const saddle_handle handle = {index, force->generation, SADDLE_ITEM_FORCE, model->number};
        if (force->name != NULL && strcmp(force->name, name) == 0) return handle;
    }
    return none;
}

void saddle__model_describe(const saddle_model *model, saddle_handle item, char *text, size_t size)
{
    static const char *const words[] = {"the ground", "particle", "body",
                                        "nodes",      "force",    "constraint"};
    const size_t known = sizeof words / sizeof *words;
    const char *name = name_of(model, item);
    if (saddle__handle_is_ground(item))
        snprintf(text, size, "%s", words[0]);
    else if (item.item >= known || item.item == SADDLE_ITEM_NONE)
        snprintf(text, size, "an invalid handle");
    else if (item.model != model->number)
        snprintf(text, size, "%s %lld (of another model)", words[item.item],
                 (long long)item.index + 1);
    else if (name == NULL)
        snprintf(text, size, "%s %lld (which is no more)", words[item.item],
                 (long long)item.index + 1);
    else if (*name == '\0')
        snprintf(text, size, "%s %lld", words[item.item], (long long)item.index + 1);
    else
        snprintf(text, size, "%s '%s'", words[item.item], name);
}

void saddle__describe_new(const char *kind, const char *name, char *text, size_t size)
{
    if (name == NULL)
        snprintf(text, size, "%s", kind);
    else
        snprintf(text, size, "%s '%.120s'", kind, name);
}

saddle_status saddle__refuse_new(const saddle_model *model, const char *kind, const char *name,
                                 const char *wrong)
{
    char subject[160];
    saddle__describe_new(kind, name, subject, sizeof subject);
    return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT, "%s: %s", subject, wrong);
}

/* status, with the message that was left with it after subject. */
static saddle_status say_whose(const saddle_model *model, const char *subject, saddle_status status)
{
    char said[512];
    snprintf(said, sizeof said, "%s", saddle_context_message(model->context));
    return saddle_fail(model->context, status, "%s: %s", subject, said);
}

saddle_status saddle__check_compliance(const saddle_model *model, const char *subject,
                                       const saddle_compliance *compliance)
{
    const saddle_status status = saddle_compliance_check(model->context, compliance);
    return status == SADDLE_OK ? SADDLE_OK : say_whose(model, subject, status);
}

saddle_status saddle__model_pass_on(const saddle_model *model, saddle_handle item,
                                    saddle_status status)
{
    char name[160];
    saddle__model_describe(model, item, name, sizeof name);
    return say_whose(model, name, status);
}

/* ---- time and gravity ---- */

void saddle_model_set_gravity(saddle_model *model, const double *gravity)
{
    if (!model || !gravity) return;
    memcpy(model->gravity, gravity, sizeof model->gravity);
}

const double *saddle_model_gravity(const saddle_model *model)
{
    if (!model) return NULL;
    return model->gravity;
}

void saddle_model_set_time(saddle_model *model, double time)
{
    if (!model) return;
    model->time = time;
}

double saddle_model_time(const saddle_model *model)
{
    if (!model) return 0.0;
    return model->time;
}
