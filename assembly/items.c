/* SPDX-License-Identifier: MIT */
/* Places for items, and their removal. */
#include "items.h"

#include <string.h>

int saddle__handle_is_ground(saddle_handle handle)
{
    return handle.generation == 0 && handle.item == SADDLE_ITEM_NONE;
}

int saddle__handles_are_same(saddle_handle a, saddle_handle b)
{
    return a.index == b.index && a.generation == b.generation && a.item == b.item &&
           a.model == b.model;
}

/* The first place not in use; pool->size where all are. */
static int32_t first_free(const saddle__pool *pool, const void *items, size_t item_size)
{
    if (pool->count + pool->retired == pool->size) return pool->size;
    for (int32_t k = 0; k < pool->size; k++) {
        uint16_t head[2]; /* generation and item stand first in every item */
        memcpy(head, (const char *)items + (size_t)k * item_size, sizeof head);
        if (head[1] == SADDLE_ITEM_NONE && head[0] < UINT16_MAX) return k;
    }
    return pool->size;
}

static saddle_status grow(saddle_context *context, saddle__pool *pool, void **items,
                          size_t item_size)
{
    if (pool->capacity > INT32_MAX / 2)
        return saddle_fail(context, SADDLE_TOO_LARGE, "model: too many items");
    const int32_t capacity = pool->capacity == 0 ? 16 : 2 * pool->capacity;
    int32_t *order = saddle_reallocate(context, pool->order, capacity, sizeof *order);
    if (order == NULL) return SADDLE_OUT_OF_MEMORY;
    pool->order = order;
    char *grown = saddle_reallocate(context, *items, capacity, item_size);
    if (grown == NULL) return SADDLE_OUT_OF_MEMORY;
    memset(grown + (size_t)pool->capacity * item_size, 0,
           (size_t)(capacity - pool->capacity) * item_size);
    *items = grown;
    pool->capacity = capacity;
    return SADDLE_OK;
}

saddle_status saddle__pool_take(saddle_context *context, saddle__pool *pool, void **items,
                                size_t item_size, int32_t *place)
{
    const int32_t found = first_free(pool, *items, item_size);
    if (found == pool->capacity) {
        const saddle_status status = grow(context, pool, items, item_size);
        if (status != SADDLE_OK) return status;
    }
    if (found == pool->size) pool->size++;
    pool->order[pool->count++] = found;
    *place = found;
    return SADDLE_OK;
}

void saddle__pool_give_back(saddle__pool *pool, int32_t place, uint16_t generation)
{
    int32_t k = 0;
    pool->retired += generation == UINT16_MAX;
    while (pool->order[k] != place) k++;
    pool->count--;
    memmove(pool->order + k, pool->order + k + 1, (size_t)(pool->count - k) * sizeof *pool->order);
}

saddle_status saddle__copy_name(saddle_context *context, const char *name, char **copy)
{
    *copy = NULL;
    if (name == NULL) return SADDLE_OK;
    return saddle__copy_block(context, name, (int64_t)strlen(name) + 1, 1, (void **)copy);
}

saddle_status saddle__copy_block(saddle_context *context, const void *data, int64_t count,
                                 size_t size, void **copy)
{
    *copy = NULL;
    if (data == NULL || count == 0 || size == 0) return SADDLE_OK;
    *copy = saddle_allocate(context, count, size);
    if (*copy == NULL) return SADDLE_OUT_OF_MEMORY;
    memcpy(*copy, data, (size_t)count * size);
    return SADDLE_OK;
}

/* ---- removal ---- */

static int anchored(int64_t count, const saddle_anchor *anchors, saddle_handle part)
{
    for (int64_t k = 0; k < count; k++) {
        if (saddle__handles_are_same(anchors[k].part, part)) return 1;
    }
    return 0;
}

/* The first force or constraint that acts on a part. */
static saddle_handle first_user(const saddle_model *model, saddle_handle part)
{
    for (int32_t k = 0; k < model->forces.count; k++) {
        const int32_t index = model->forces.order[k];
        const saddle__force *force = &model->force[index];
        if (anchored(force->count, force->anchors, part)) {
            return (saddle_handle){index, force->generation, SADDLE_ITEM_FORCE, model->number};
        }
    }
    for (int32_t k = 0; k < model->constraints.count; k++) {
        const int32_t index = model->constraints.order[k];
        const saddle__constraint *constraint = &model->constraint[index];
        if (anchored(constraint->count, constraint->anchors, part)) {
            return (saddle_handle){index, constraint->generation, SADDLE_ITEM_CONSTRAINT,
                                   model->number};
        }
    }
    return (saddle_handle){0};
}

/* Takes count doubles at `start` out of an array of `size`. */
static void close_gap(double *array, int64_t size, int64_t start, int64_t count)
{
    memmove(array + start, array + start + count, (size_t)(size - start - count) * sizeof *array);
}

static saddle_status remove_part(saddle_model *model, saddle_handle handle, saddle__part *part)
{
    if (part->users > 0) {
        char name[160], user[160];
        saddle__model_describe(model, handle, name, sizeof name);
        saddle__model_describe(model, first_user(model, handle), user, sizeof user);
        return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT,
                           "%s cannot be removed: %s acts on it", name, user);
    }
    const saddle__part gone = *part;
    close_gap(model->position, model->positions, gone.position, gone.position_size);
    close_gap(model->velocity, model->velocities, gone.velocity, gone.size);
    close_gap(model->push, model->velocities, gone.velocity, gone.size);
    model->positions -= gone.position_size;
    model->velocities -= gone.size;
    saddle__part_clear(model->context, part);
    saddle__pool_give_back(&model->parts, handle.index, handle.generation);
    for (int32_t k = 0; k < model->parts.count; k++) {
        saddle__part *other = &model->part[model->parts.order[k]];
        if (other->position < gone.position) continue;
        other->position -= gone.position_size;
        other->velocity -= gone.size;
    }
    return SADDLE_OK;
}

saddle_status saddle_model_remove(saddle_model *model, saddle_handle item)
{
    saddle_context_clear_message(model ? model->context : NULL);
    if (!model)
        return saddle_fail(NULL, SADDLE_INVALID_ARGUMENT, "saddle_model_remove: model is NULL");
    saddle__part *part = saddle__model_part(model, item);
    saddle__force *force = saddle__model_force(model, item);
    saddle__constraint *constraint = saddle__model_constraint(model, item);
    if (part == NULL && force == NULL && constraint == NULL) {
        char name[160];
        saddle__model_describe(model, item, name, sizeof name);
        return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT, "%s cannot be removed", name);
    }
    if (part != NULL) {
        const saddle_status status = remove_part(model, item, part);
        if (status != SADDLE_OK) return status;
    } else if (force != NULL) {
        saddle__anchors_count(model, force->count, force->anchors, -1);
        saddle__force_clear(model->context, force);
        saddle__pool_give_back(&model->forces, item.index, item.generation);
    } else {
        saddle__anchors_count(model, constraint->count, constraint->anchors, -1);
        saddle__constraint_clear(model->context, constraint);
        saddle__pool_give_back(&model->constraints, item.index, item.generation);
    }
    model->edition++;
    return SADDLE_OK;
}
