/* SPDX-License-Identifier: MIT */
/* A model: pools of items, handles, names, anchors, time and gravity. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "model_internal.h"
#include "space/space.h"

/* A number made of the place in memory and the time of creation; differs between models but for a
 * chance of 2^-64. */
static uint64_t number_of(const saddle_model *model)
{
    const uint64_t odd = UINT64_C(0x9E3779B97F4A7C15); /* 2^64 / golden ratio */
    const double now = saddle_clock();
    uint64_t mixed;
    memcpy(&mixed, &now, sizeof mixed);
    mixed = (mixed ^ (uint64_t)(uintptr_t)model) * odd;
    mixed = (mixed ^ (mixed >> 32)) * odd;
    return mixed ^ (mixed >> 29);
}

saddle_status saddle_model_create(saddle_context *context, saddle_model **model)
{
    SADDLE__RETURN_UNLESS(context, model, "model is NULL");
    *model = saddle_allocate(context, 1, sizeof **model);
    if (!*model) return SADDLE_OUT_OF_MEMORY;
    (*model)->context = context;
    (*model)->number = number_of(*model);
    return SADDLE_OK;
}

static void clear_link(saddle_context *context, saddle__item_link *link)
{
    saddle__release_all(context, link->head.name, link->anchors, link->data, link->row,
                        link->coupling);
    *link = (saddle__item_link){.head.generation = link->head.generation};
}

void saddle_model_free(saddle_model *model)
{
    if (!model) return;
    saddle_context *context = model->context;
    for (int32_t k = 0; k < model->constraints.size; k++)
        clear_link(context, &model->constraint[k]);
    for (int32_t k = 0; k < model->forces.size; k++) clear_link(context, &model->force[k]);
    for (int32_t k = 0; k < model->ties.size; k++) saddle__clear_tie(context, &model->tie[k]);
    for (int32_t k = 0; k < model->parts.size; k++) saddle__clear_part(context, &model->part[k]);
    saddle__release_all(context, model->parts.order, model->forces.order, model->constraints.order,
                        model->ties.order, model->tie, model->part, model->force, model->constraint,
                        model->position, model->velocity, model->push, model);
}

saddle_context *saddle_model_context(const saddle_model *model)
{
    return model ? model->context : NULL;
}

/* ---- pools ---- */

static saddle__item_head *head_at(void *items, size_t item_size, int32_t place)
{
    return (saddle__item_head *)(void *)((char *)items + (size_t)place * item_size);
}

/* The first place not in use; pool->size where all are. */
static int32_t first_free(const saddle__item_pool *pool, void *items, size_t item_size)
{
    if (pool->count + pool->retired == pool->size) return pool->size;
    for (int32_t k = 0; k < pool->size; k++) {
        const saddle__item_head *head = head_at(items, item_size, k);
        if (head->item == SADDLE_ITEM_NONE && head->generation < UINT16_MAX) return k;
    }
    return pool->size;
}

static saddle_status grow(saddle_context *context, saddle__item_pool *pool, void **items,
                          size_t item_size)
{
    if (pool->capacity > INT32_MAX / 2)
        return saddle_fail(context, SADDLE_TOO_LARGE, "model: too many items");
    const int32_t capacity = pool->capacity == 0 ? 16 : 2 * pool->capacity;
    SADDLE__TRY(saddle__grow(context, &pool->order, capacity, sizeof *pool->order));
    SADDLE__TRY(saddle__grow(context, items, capacity, item_size));
    memset((char *)*items + (size_t)pool->capacity * item_size, 0,
           (size_t)(capacity - pool->capacity) * item_size);
    pool->capacity = capacity;
    return SADDLE_OK;
}

saddle_status saddle__pool_add(saddle_context *context, saddle__item_pool *pool, void **items,
                               size_t item_size, int32_t *place)
{
    *place = first_free(pool, *items, item_size);
    if (*place == pool->capacity) {
        SADDLE__TRY(grow(context, pool, items, item_size));
    }
    if (*place == pool->size) pool->size++;
    pool->order[pool->count++] = *place;
    head_at(*items, item_size, *place)->generation++;
    return SADDLE_OK;
}

/* Takes a place out of the order.  After the last generation a place is never used again. */
static void remove_place(saddle__item_pool *pool, int32_t place, uint16_t generation)
{
    int32_t k = 0;
    pool->retired += generation == UINT16_MAX;
    while (pool->order[k] != place) k++;
    pool->count--;
    memmove(pool->order + k, pool->order + k + 1, (size_t)(pool->count - k) * sizeof *pool->order);
}

/* ---- handles ---- */

int saddle__handle_is_ground(saddle_handle handle)
{
    return handle.generation == 0 && handle.item == SADDLE_ITEM_NONE;
}

int saddle__handles_are_same(saddle_handle a, saddle_handle b)
{
    return a.index == b.index && a.generation == b.generation && a.item == b.item &&
           a.model == b.model;
}

saddle_handle saddle__model_handle(const saddle_model *model, const saddle__item_head *head,
                                   int32_t place)
{
    return (saddle_handle){place, head->generation, head->item, model->number};
}

/* The head of the item of a handle, NULL = no such item. */
static saddle__item_head *find_head(const saddle_model *model, saddle_handle handle)
{
    const saddle__item_pool *pool = &model->parts;
    void *items = model->part;
    size_t item_size = sizeof *model->part;
    if (handle.item == SADDLE_ITEM_FORCE || handle.item == SADDLE_ITEM_CONSTRAINT) {
        const int is_force = handle.item == SADDLE_ITEM_FORCE;
        pool = is_force ? &model->forces : &model->constraints;
        items = is_force ? model->force : model->constraint;
        item_size = sizeof *model->force;
    } else if (handle.item == SADDLE_ITEM_ATTACHMENT) {
        pool = &model->ties;
        items = model->tie;
        item_size = sizeof *model->tie;
    }
    if (handle.model != model->number || handle.item == SADDLE_ITEM_NONE ||
        handle.generation == 0 || handle.index < 0 || handle.index >= pool->size)
        return NULL;
    saddle__item_head *head = head_at(items, item_size, handle.index);
    return head->item == handle.item && head->generation == handle.generation ? head : NULL;
}

saddle__item_part *saddle__model_part(const saddle_model *model, saddle_handle handle)
{
    if (handle.item > SADDLE_ITEM_NODES && handle.item != SADDLE_ITEM_COORDINATES) return NULL;
    return (saddle__item_part *)(void *)find_head(model, handle);
}

saddle__item_link *saddle__model_force(const saddle_model *model, saddle_handle handle)
{
    if (handle.item != SADDLE_ITEM_FORCE) return NULL;
    return (saddle__item_link *)(void *)find_head(model, handle);
}

saddle__item_link *saddle__model_constraint(const saddle_model *model, saddle_handle handle)
{
    if (handle.item != SADDLE_ITEM_CONSTRAINT) return NULL;
    return (saddle__item_link *)(void *)find_head(model, handle);
}

saddle__item_tie *saddle__model_tie(const saddle_model *model, saddle_handle handle)
{
    if (handle.item != SADDLE_ITEM_ATTACHMENT) return NULL;
    return (saddle__item_tie *)(void *)find_head(model, handle);
}

int saddle_model_has(const saddle_model *model, saddle_handle item)
{
    return model && (saddle__handle_is_ground(item) || find_head(model, item));
}

const char *saddle_model_name(const saddle_model *model, saddle_handle item)
{
    const saddle__item_head *head = model ? find_head(model, item) : NULL;
    return head && head->name ? head->name : "";
}

saddle_handle saddle_model_find(const saddle_model *model, const char *name)
{
    if (!model || !name || *name == '\0') return (saddle_handle){0};
    const saddle__item_pool *const pools[] = {&model->parts, &model->constraints, &model->forces,
                                              &model->ties};
    void *const items[] = {model->part, model->constraint, model->force, model->tie};
    const size_t sizes[] = {sizeof *model->part, sizeof *model->constraint, sizeof *model->force,
                            sizeof *model->tie};
    for (int p = 0; p < 4; p++) {
        for (int32_t k = 0; k < pools[p]->count; k++) {
            const int32_t place = pools[p]->order[k];
            const saddle__item_head *head = head_at(items[p], sizes[p], place);
            if (head->name && strcmp(head->name, name) == 0)
                return saddle__model_handle(model, head, place);
        }
    }
    return (saddle_handle){0};
}

/* ---- messages ---- */

void saddle__model_describe(const saddle_model *model, saddle_handle item, char *text, size_t size)
{
    static const char *const words[] = {"the ground", "particle",   "body",       "nodes",
                                        "force",      "constraint", "attachment", "coordinates"};
    const char *word = item.item < sizeof words / sizeof *words ? words[item.item] : "";
    const long long number = (long long)item.index + 1;
    const saddle__item_head *head = find_head(model, item);
    if (saddle__handle_is_ground(item))
        snprintf(text, size, "%s", word);
    else if (*word == '\0' || item.item == SADDLE_ITEM_NONE)
        snprintf(text, size, "an invalid handle");
    else if (item.model != model->number)
        snprintf(text, size, "%s %lld (of another model)", word, number);
    else if (!head)
        snprintf(text, size, "%s %lld (removed)", word, number);
    else if (!head->name || *head->name == '\0')
        snprintf(text, size, "%s %lld", word, number);
    else
        snprintf(text, size, "%s '%s'", word, head->name);
}

saddle_status saddle__refuse_item(const saddle_model *model, const char *before, saddle_handle item,
                                  const char *after)
{
    char name[160];
    saddle__model_describe(model, item, name, sizeof name);
    return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT, "%s%s%s", before, name, after);
}

void saddle__describe_new(const char *word, const char *name, char *text, size_t size)
{
    if (name)
        snprintf(text, size, "%s '%.120s'", word, name);
    else
        snprintf(text, size, "%s", word);
}

saddle_status saddle__refuse_new(const saddle_model *model, const char *word, const char *name,
                                 const char *format, ...)
{
    char subject[160], what[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    saddle__describe_new(word, name, subject, sizeof subject);
    return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT, "%s: %s", subject, what);
}

saddle_status saddle__check_numbers(const saddle_model *model, const char *word, const char *name,
                                    size_t fields, const saddle__numbers *field)
{
    static const double ranges[][2] = {[SADDLE__ANY] = {-SADDLE__LARGEST, SADDLE__LARGEST},
                                       [SADDLE__AMOUNT] = {0, SADDLE__LARGEST},
                                       [SADDLE__POSITIVE] = {1 / SADDLE__LARGEST, SADDLE__LARGEST},
                                       [SADDLE__SHARE] = {0, 1},
                                       [SADDLE__STRENGTH] = {0, INFINITY}};
    for (size_t f = 0; f < fields; f++, field++) {
        const double least = ranges[field->range][0], most = ranges[field->range][1];
        for (int64_t k = 0; k < field->count; k++) {
            char place[24] = "";
            if (field->x[k] >= least && field->x[k] <= most) continue;
            if (field->count > 1) snprintf(place, sizeof place, "[%lld]", (long long)k);
            return saddle__refuse_new(model, word, name, "%s%s is %g, not within %g .. %g",
                                      field->field, place, field->x[k], least, most);
        }
    }
    return SADDLE_OK;
}

/* status, with subject in front of the context's message. */
static saddle_status prefix(const saddle_model *model, const char *subject, saddle_status status)
{
    return saddle_fail(model->context, status, "%s: %s", subject,
                       saddle_context_message(model->context));
}

saddle_status saddle__check_compliance(const saddle_model *model, const char *word,
                                       const char *name, const saddle_compliance *compliance)
{
    const saddle_status status = saddle_compliance_check(model->context, compliance);
    if (status == SADDLE_OK) return SADDLE_OK;
    char subject[160];
    saddle__describe_new(word, name, subject, sizeof subject);
    return prefix(model, subject, status);
}

saddle_status saddle__model_pass_on(const saddle_model *model, saddle_handle item,
                                    saddle_status status)
{
    if (status == SADDLE_OK) return SADDLE_OK;
    char name[160];
    saddle__model_describe(model, item, name, sizeof name);
    return prefix(model, name, status);
}

/* ---- forces and constraints ---- */

saddle_status saddle__copy_block(saddle_context *context, const void *data, int64_t count,
                                 size_t size, void **copy)
{
    if (!data || count == 0 || size == 0) return SADDLE_OK;
    *copy = saddle_allocate(context, count, size);
    if (!*copy) return SADDLE_OUT_OF_MEMORY;
    memcpy(*copy, data, (size_t)count * size);
    return SADDLE_OK;
}

saddle_status saddle__copy_name(saddle_context *context, const char *name, char **copy)
{
    return saddle__copy_block(context, name, name ? (int64_t)strlen(name) + 1 : 0, 1,
                              (void **)copy);
}

/* *moving += 1 for a part without prescribed motion. */
static saddle_status check_anchor(const saddle_model *model, const char *word,
                                  const saddle_constraint_def *def, int64_t k, int64_t *moving)
{
    const saddle_anchor anchor = def->anchors[k];
    char whose[160];
    saddle__model_describe(model, anchor.part, whose, sizeof whose);
    for (int64_t i = 0; i < k; i++) {
        if (saddle__handles_are_same(def->anchors[i].part, anchor.part) &&
            def->anchors[i].node == anchor.node)
            return saddle__refuse_new(model, word, def->name, "acts on %s twice", whose);
    }
    if (saddle__handle_is_ground(anchor.part) && anchor.node == 0) return SADDLE_OK;
    const saddle__item_part *part = saddle__model_part(model, anchor.part);
    if (!part || part->head.item == SADDLE_ITEM_COORDINATES)
        return saddle__refuse_new(model, word, def->name,
                                  "acts on %s, which is no part with a place", whose);
    *moving += !part->prescribed;
    const int64_t nodes = saddle__part_points(part);
    if (anchor.node >= 0 && anchor.node < nodes) return SADDLE_OK;
    return saddle__refuse_new(model, word, def->name, "acts on node %lld of %s, which has %lld",
                              (long long)(anchor.node < INT64_MAX ? anchor.node + 1 : anchor.node),
                              whose, (long long)nodes);
}

static saddle_status check_anchors(const saddle_model *model, int is_force,
                                   const saddle_constraint_def *def)
{
    const char *word = is_force ? "force" : "constraint";
    int64_t moving = 0;
    if (def->count < 1 || def->count > SADDLE_ANCHORS_MAX || !def->anchors) {
        return saddle__refuse_new(model, word, def->name, "acts on %lld anchors, not on 1 to %d",
                                  (long long)def->count, (int)SADDLE_ANCHORS_MAX);
    }
    for (int64_t k = 0; k < def->count; k++)
        SADDLE__TRY(check_anchor(model, word, def, k, &moving));
    if (moving > 0 || is_force) return SADDLE_OK;
    return saddle__refuse_new(model, word, def->name, "none of its parts moves");
}

/* Adds `by` to the number of users of each part. */
static void count_users(saddle_model *model, const saddle__item_link *link, int by)
{
    for (int64_t k = 0; k < link->count; k++) {
        saddle__item_part *part = saddle__model_part(model, link->anchors[k].part);
        if (part) part->users += by;
    }
}

static saddle_status make_link(saddle_context *context, const saddle_constraint_def *def,
                               saddle__item_link *made)
{
    SADDLE__TRY(saddle__copy_name(context, def->name, &made->head.name));
    SADDLE__TRY(saddle__copy_block(context, def->anchors, def->count, sizeof *def->anchors,
                                   (void **)&made->anchors));
    SADDLE__TRY(saddle__copy_block(context, def->data, (int64_t)def->bytes, 1, &made->data));
    if (def->rows == 0) return SADDLE_OK;
    made->row = saddle_allocate(context, def->rows, sizeof *made->row);
    if (!made->row) return SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < def->rows; i++)
        made->row[i] = def->row ? def->row[i] : saddle_row_def_default();
    return SADDLE_OK;
}

saddle_status saddle__model_add_link(saddle_model *model, const saddle_force_type *force,
                                     const saddle_constraint_def *def, saddle_handle *handle)
{
    saddle__item_pool *pool = force ? &model->forces : &model->constraints;
    saddle__item_link **items = force ? &model->force : &model->constraint;
    saddle__item_link made = {.force = force,
                              .constraint = def->type,
                              .count = def->count,
                              .rows = def->rows};
    int32_t place = 0;
    saddle_status status = check_anchors(model, force != NULL, def);
    if (status == SADDLE_OK) status = make_link(model->context, def, &made);
    if (status == SADDLE_OK)
        status = saddle__pool_add(model->context, pool, (void **)items, sizeof made, &place);
    if (status != SADDLE_OK) {
        clear_link(model->context, &made);
        return status;
    }
    made.head.generation = (*items)[place].head.generation;
    made.head.item = force ? SADDLE_ITEM_FORCE : SADDLE_ITEM_CONSTRAINT;
    if (!force) made.serial = model->serial++;
    (*items)[place] = made;
    count_users(model, &made, 1);
    model->edition++;
    *handle = saddle__model_handle(model, &made.head, place);
    return SADDLE_OK;
}

/* ---- removal ---- */

/* 1: the part is attached by tie, or one of its masters. */
static int is_tied(const saddle__item_tie *tie, saddle_handle part)
{
    if (saddle__handles_are_same(tie->part, part) ||
        saddle__handles_are_same(tie->coordinates, part))
        return 1;
    for (int64_t k = 0; k < tie->masters * tie->sets; k++)
        if (saddle__handles_are_same(tie->to[k].part, part)) return 1;
    return 0;
}

/* The first force, or else constraint, or else attachment, on a part. */
static saddle_handle first_user(const saddle_model *model, saddle_handle part)
{
    for (int64_t k = 0; k < saddle__link_count(model); k++) {
        const saddle__item_link *link = saddle__link_at(model, k);
        const int32_t place = (int32_t)(link - (link->force ? model->force : model->constraint));
        for (int64_t a = 0; a < link->count; a++) {
            if (saddle__handles_are_same(link->anchors[a].part, part))
                return saddle__model_handle(model, &link->head, place);
        }
    }
    for (int32_t k = 0; k < model->ties.count; k++) {
        const int32_t place = model->ties.order[k];
        if (is_tied(&model->tie[place], part))
            return saddle__model_handle(model, &model->tie[place].head, place);
    }
    return (saddle_handle){0};
}

/* Takes count doubles at `start` out of an array of `size`. */
static void close_gap(double *array, int64_t size, int64_t start, int64_t count)
{
    memmove(array + start, array + start + count, (size_t)(size - start - count) * sizeof *array);
}

static saddle_status remove_part(saddle_model *model, saddle_handle handle, saddle__item_part *part)
{
    if (part->users > 0) {
        char user[160], after[200];
        saddle__model_describe(model, first_user(model, handle), user, sizeof user);
        snprintf(after, sizeof after, " cannot be removed: %s acts on it", user);
        return saddle__refuse_item(model, "", handle, after);
    }
    const saddle__item_part gone = *part;
    close_gap(model->position, model->positions, gone.position, gone.position_size);
    close_gap(model->velocity, model->velocities, gone.velocity, gone.size);
    close_gap(model->push, model->velocities, gone.velocity, gone.size);
    model->positions -= gone.position_size;
    model->velocities -= gone.size;
    saddle__clear_part(model->context, part);
    remove_place(&model->parts, handle.index, handle.generation);
    for (int32_t k = 0; k < model->parts.count; k++) {
        saddle__item_part *other = &model->part[model->parts.order[k]];
        if (other->position <= gone.position) continue; /* before it, perhaps of size 0 */
        other->position -= gone.position_size;
        other->velocity -= gone.size;
    }
    return SADDLE_OK;
}

static void remove_tie(saddle_model *model, saddle_handle handle)
{
    saddle__item_tie *tie = &model->tie[handle.index];
    const saddle_handle coordinates = tie->coordinates;
    saddle__unmark_tie(model, tie);
    saddle__clear_tie(model->context, tie);
    remove_place(&model->ties, handle.index, handle.generation);
    saddle__item_part *part = saddle__model_part(model, coordinates);
    if (part) (void)remove_part(model, coordinates, part);
}

static void remove_link(saddle_model *model, saddle_handle handle)
{
    const int is_force = handle.item == SADDLE_ITEM_FORCE;
    saddle__item_link *link = &(is_force ? model->force : model->constraint)[handle.index];
    if (saddle__model_tie(model, link->tie)) remove_tie(model, link->tie);
    count_users(model, link, -1);
    clear_link(model->context, link);
    remove_place(is_force ? &model->forces : &model->constraints, handle.index, handle.generation);
}

saddle_status saddle_model_remove(saddle_model *model, saddle_handle item)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model, "model is NULL");
    if (!find_head(model, item)) return saddle__refuse_item(model, "", item, " cannot be removed");
    saddle__item_part *part = saddle__model_part(model, item);
    const saddle__item_tie *tie = saddle__model_tie(model, item);
    if (tie && tie->joint.generation != 0)
        return saddle__refuse_item(model, "", item, " is of a joint and goes with the joint");
    if (part)
        SADDLE__TRY(remove_part(model, item, part));
    else if (tie)
        remove_tie(model, item);
    else
        remove_link(model, item);
    model->edition++;
    return SADDLE_OK;
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
