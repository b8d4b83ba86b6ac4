/* SPDX-License-Identifier: MIT */
/* A model: pools of items, handles, names, messages; definitions of particles, bodies and nodes;
 * addition and removal of items. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "joint_internal.h"
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

/* Releases the contents of a part; its place becomes free.  Half-built parts are fine. */
static void clear_part(saddle_context *context, saddle__item_part *part)
{
    saddle__release_all(context, part->head.name, part->rest, part->followed,
                        part->element[SADDLE_ELEMENT_TETRAHEDRON],
                        part->element[SADDLE_ELEMENT_HEXAHEDRON]);
    saddle_matrix_clear(&part->M);
    saddle_matrix_clear(&part->K);
    *part = (saddle__item_part){.head.generation = part->head.generation};
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
    for (int32_t k = 0; k < model->parts.size; k++) clear_part(context, &model->part[k]);
    saddle__release_all(context, model->parts.block, model->forces.block, model->constraints.block,
                        model->ties.block, model->tie, model->part, model->force, model->constraint,
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
    for (int32_t k = pool->used; k < pool->size; k++) {
        const saddle__item_head *head = head_at(items, item_size, k);
        if (head->item == SADDLE_ITEM_NONE && head->generation < UINT16_MAX) return k;
    }
    return pool->size;
}

/* The order begins at its block again. */
static void close_order(saddle__item_pool *pool)
{
    memmove(pool->block, pool->order, (size_t)pool->count * sizeof *pool->order);
    pool->order = pool->block;
}

static saddle_status grow(saddle_context *context, saddle__item_pool *pool, void **items,
                          size_t item_size)
{
    if (pool->capacity > INT32_MAX / 2)
        return saddle_fail(context, SADDLE_TOO_LARGE, "model: too many items");
    const int32_t capacity = pool->capacity == 0 ? 16 : 2 * pool->capacity;
    SADDLE__TRY(saddle__grow(context, &pool->block, capacity, sizeof *pool->block));
    pool->order = pool->block;
    SADDLE__TRY(saddle__grow(context, items, capacity, item_size));
    memset((char *)*items + (size_t)pool->capacity * item_size, 0,
           (size_t)(capacity - pool->capacity) * item_size);
    pool->capacity = capacity;
    return SADDLE_OK;
}

/* *place: a free place, now the last of the pool's order, with the next generation.  items: the
 * pool's array of structs of item_size bytes, each with a saddle__item_head first; may be
 * reallocated.  The caller fills in the rest and sets item.  SADDLE_OUT_OF_MEMORY,
 * SADDLE_TOO_LARGE: nothing has changed. */
static saddle_status pool_add(saddle_context *context, saddle__item_pool *pool, void **items,
                              size_t item_size, int32_t *place)
{
    *place = first_free(pool, *items, item_size);
    const int full = *place == pool->capacity;
    if (pool->block && (full || pool->order + pool->count == pool->block + pool->capacity))
        close_order(pool);
    if (full) SADDLE__TRY(grow(context, pool, items, item_size));
    if (*place == pool->size) pool->size++;
    pool->used = *place + 1;
    pool->order[pool->count++] = *place;
    head_at(*items, item_size, *place)->generation++;
    return SADDLE_OK;
}

/* Takes a place out of the order, in time linear in its distance from the nearer end.  After the
 * last generation a place is never used again. */
static void remove_place(saddle__item_pool *pool, int32_t place, uint16_t generation)
{
    int32_t *order = pool->order, first = 0, last = pool->count - 1;
    pool->retired += generation == UINT16_MAX;
    if (place < pool->used) pool->used = place;
    while (order[first] != place && order[last] != place) first++, last--;
    pool->count--;
    if (order[first] == place) {
        memmove(order + 1, order, (size_t)first * sizeof *order);
        pool->order++;
    } else {
        memmove(order + last, order + last + 1, (size_t)(pool->count - last) * sizeof *order);
    }
}

/* ---- handles ---- */

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

/* "rod 'tie'", or "rod" where name is NULL, into text[size]; names are cut to 120 characters. */
static void describe_new(const char *word, const char *name, char *text, size_t size)
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
    describe_new(word, name, subject, sizeof subject);
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
    describe_new(word, name, subject, sizeof subject);
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

/* NULL for NULL. */
static saddle_status copy_name(saddle_context *context, const char *name, char **copy)
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
    SADDLE__TRY(copy_name(context, def->name, &made->head.name));
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
        status = pool_add(model->context, pool, (void **)items, sizeof made, &place);
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

/* ---- attachments ---- */

void saddle__clear_tie(saddle_context *context, saddle__item_tie *tie)
{
    saddle__release_all(context, tie->head.name, tie->node, tie->to, tie->data, tie->motion);
    *tie = (saddle__item_tie){.head.generation = tie->head.generation};
}

static void count_tied(saddle_model *model, const saddle__item_tie *tie, int by)
{
    saddle__item_part *coordinates = saddle__model_part(model, tie->coordinates);
    saddle__model_part(model, tie->part)->users += by;
    if (coordinates) coordinates->users += by;
    for (int64_t k = 0; k < tie->masters * tie->sets; k++) {
        saddle__item_part *master = saddle__model_part(model, tie->to[k].part);
        master->users += by;
        master->leads += by;
    }
}

/* Marks the attached points with the attachment's place; -1: with none. */
static void mark(saddle_model *model, const saddle__item_tie *tie, int32_t place)
{
    saddle__item_part *part = saddle__model_part(model, tie->part);
    for (int64_t k = 0; k < tie->count; k++)
        part->followed[tie->node[k]] = (saddle__followed){.tie = place, .point = k};
}

/* Room for the marks of a part. */
static saddle_status reserve_marks(const saddle_model *model, saddle__item_part *part)
{
    if (part->followed) return SADDLE_OK;
    part->followed = saddle_allocate(model->context, saddle__part_points(part),
                                     sizeof *part->followed);
    if (!part->followed) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; k < saddle__part_points(part); k++) part->followed[k].tie = -1;
    return SADDLE_OK;
}

/* A node twice shows when the second is marked. */
static saddle_status check_repetition(saddle_model *model, const saddle__item_tie *tie)
{
    saddle__item_part *part = saddle__model_part(model, tie->part);
    saddle_status status = SADDLE_OK;
    int64_t marked = 0;
    for (; marked < tie->count && status == SADDLE_OK; marked++) {
        saddle__followed *at = &part->followed[tie->node[marked]];
        if (at->tie >= 0)
            status = saddle__refuse_new(model, "attachment", tie->head.name,
                                        "node [%lld] is given twice", (long long)tie->node[marked]);
        else
            at->tie = 0;
    }
    for (int64_t k = 0; k < marked; k++) part->followed[tie->node[k]].tie = -1;
    return status;
}

saddle_status saddle__model_add_tie(saddle_model *model, saddle__item_tie *made,
                                    saddle_handle *attachment)
{
    int32_t place = 0;
    saddle_status status = reserve_marks(model, saddle__model_part(model, made->part));
    if (status == SADDLE_OK) status = check_repetition(model, made);
    if (status == SADDLE_OK)
        status = pool_add(model->context, &model->ties, (void **)&model->tie, sizeof *made, &place);
    if (status != SADDLE_OK) {
        saddle__clear_tie(model->context, made);
        return status;
    }
    made->head.generation = model->tie[place].head.generation;
    made->head.item = SADDLE_ITEM_ATTACHMENT;
    model->tie[place] = *made;
    mark(model, made, place);
    count_tied(model, made, 1);
    model->edition++;
    *attachment = saddle__model_handle(model, &made->head, place);
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

static saddle_status remove_part(saddle_model *model, saddle_handle handle, saddle__item_part *part)
{
    if (part->users > 0) {
        char user[160], after[200];
        saddle__model_describe(model, first_user(model, handle), user, sizeof user);
        snprintf(after, sizeof after, " cannot be removed: %s acts on it", user);
        return saddle__refuse_item(model, "", handle, after);
    }
    clear_part(model->context, part);
    remove_place(&model->parts, handle.index, handle.generation);
    model->holes = 1;
    return SADDLE_OK;
}

static void remove_tie(saddle_model *model, saddle_handle handle)
{
    saddle__item_tie *tie = &model->tie[handle.index];
    const saddle_handle coordinates = tie->coordinates;
    mark(model, tie, -1);
    count_tied(model, tie, -1);
    saddle__clear_tie(model->context, tie);
    remove_place(&model->ties, handle.index, handle.generation);
    saddle__item_part *part = saddle__model_part(model, coordinates);
    if (part) (void)remove_part(model, coordinates, part);
}

static void remove_link(saddle_model *model, saddle_handle handle)
{
    const int is_force = handle.item == SADDLE_ITEM_FORCE;
    saddle__item_link *link = &(is_force ? model->force : model->constraint)[handle.index];
    const saddle__joint *joint = saddle__joint_of(model, handle);
    if (joint && joint->prescribed.how != SADDLE_PRESCRIPTION_NONE) model->prescriptions--;
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

/* ---- parts ---- */

saddle_body_def saddle_body_def_default(void)
{
    return (saddle_body_def){.pose = saddle_pose_identity()};
}

/* ---- checks of definitions ---- */

static saddle_status check_body(const saddle_model *model, const saddle_body_def *def)
{
    const saddle_body_inertia *inertia = &def->inertia;
    const int weighed = !def->prescribed && !def->massless;
    const saddle__numbers numbers[] = {{"position", SADDLE__ANY, 3, def->pose.p},
                                       {"twist", SADDLE__ANY, 6, def->twist},
                                       {"mass", SADDLE__POSITIVE, weighed, &inertia->mass},
                                       {"center", SADDLE__ANY, 3 * weighed, inertia->center},
                                       {"moment", SADDLE__ANY, 9 * weighed, inertia->moment}};
    SADDLE__TRY(saddle__check_numbers(model, "body", def->name, 5, numbers));
    if (!saddle__is_rotation(def->pose.R, SADDLE__DEFINED_TOLERANCE))
        return saddle__refuse_new(model, "body", def->name, "its pose is not a rotation");
    if (!weighed) return SADDLE_OK;
    char whose[160];
    describe_new("body", def->name, whose, sizeof whose);
    return saddle_body_inertia_check(model->context, inertia, whose);
}

/* A matrix of nodes: word is the name of the field. */
static saddle_status check_matrix(const saddle_model *model, const saddle_nodes_def *def,
                                  const saddle_matrix *A, const char *word)
{
    char subject[160], whose[200];
    const int64_t size = 3 * def->count;
    if (A->rows != size || A->cols != size || A->symmetry != SADDLE_SYMMETRY_LOWER) {
        return saddle__refuse_new(model, "nodes", def->name,
                                  "the %s is not symmetric of 3 count rows", word);
    }
    describe_new("nodes", def->name, subject, sizeof subject);
    snprintf(whose, sizeof whose, "%s: %s", subject, word);
    SADDLE__TRY(saddle_matrix_check(model->context, A, whose));
    const saddle__numbers entries = {word, SADDLE__ANY, saddle_matrix_entries(A), A->value};
    return saddle__check_numbers(model, "nodes", def->name, 1, &entries);
}

/* The diagonals are checked for positive signs; the factorization of a step finds other matrices
 * that are not positive definite. */
static saddle_status check_nodes(const saddle_model *model, const saddle_nodes_def *def)
{
    if (def->count < 1 || !def->position)
        return saddle__refuse_new(model, "nodes", def->name, "no nodes, or no positions");
    if (def->count > INT64_MAX / 64)
        return saddle_fail(model->context, SADDLE_TOO_LARGE, "nodes: too many");
    const int64_t size = 3 * def->count;
    const saddle__numbers numbers[] = {{"position", SADDLE__ANY, size, def->position},
                                       {"velocity", SADDLE__ANY, def->velocity ? size : 0,
                                        def->velocity},
                                       {"rest", SADDLE__ANY, def->rest ? size : 0, def->rest},
                                       {"damping_mass", SADDLE__AMOUNT, 1, &def->damping_mass},
                                       {"damping_stiffness", SADDLE__AMOUNT, 1,
                                        &def->damping_stiffness}};
    SADDLE__TRY(saddle__check_numbers(model, "nodes", def->name, 5, numbers));
    if (!def->mass) return saddle__refuse_new(model, "nodes", def->name, "they have no mass");
    SADDLE__TRY(check_matrix(model, def, def->mass, "mass"));
    for (int64_t j = 0; j < def->mass->cols; j++) {
        if (!(saddle_matrix_entry(def->mass, j, j) > 0))
            return saddle__refuse_new(model, "nodes", def->name,
                                      "a diagonal entry of the mass is not positive");
    }
    return def->stiffness ? check_matrix(model, def, def->stiffness, "stiffness") : SADDLE_OK;
}

/* ---- addition ---- */

/* Grows an array of `used` doubles by `added` zeros. */
static saddle_status append(saddle_context *context, double **array, int64_t *capacity,
                            int64_t used, int64_t added)
{
    SADDLE__TRY(saddle__reserve(context, array, capacity, used + added, sizeof **array));
    memset(*array + used, 0, (size_t)added * sizeof **array);
    return SADDLE_OK;
}

/* Adds `made` to the model with a name and a state; on failure its contents are released. velocity:
 * NULL = 0. */
static saddle_status add(saddle_model *model, saddle_item item, saddle__item_part *made,
                         const char *name, const void *position, const double *velocity,
                         saddle_handle *handle)
{
    saddle_context *context = model->context;
    saddle__model_settle(model);
    const int64_t q = model->positions, v = model->velocities;
    int32_t place = 0;
    saddle_status status = copy_name(context, name, &made->head.name);
    if (status == SADDLE_OK)
        status = append(context, &model->position, &model->position_capacity, q,
                        made->position_size);
    if (status == SADDLE_OK)
        status = append(context, &model->velocity, &model->velocity_capacity, v, made->size);
    if (status == SADDLE_OK)
        status = append(context, &model->push, &model->push_capacity, v, made->size);
    if (status == SADDLE_OK)
        status = pool_add(context, &model->parts, (void **)&model->part, sizeof *model->part,
                          &place);
    if (status != SADDLE_OK) {
        clear_part(context, made);
        return status;
    }
    made->head.generation = model->part[place].head.generation;
    made->head.item = (uint16_t)item;
    made->position = q;
    made->velocity = v;
    model->part[place] = *made;
    memcpy(model->position + q, position, (size_t)made->position_size * sizeof(double));
    if (velocity) memcpy(model->velocity + v, velocity, (size_t)made->size * sizeof(double));
    model->positions += made->position_size;
    model->velocities += made->size;
    model->edition++;
    *handle = saddle__model_handle(model, &made->head, place);
    return SADDLE_OK;
}

saddle_status saddle_model_add_particle(saddle_model *model, const saddle_particle_def *def,
                                        saddle_handle *part)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && def && part,
                          "model, def or part is NULL");
    const saddle__numbers numbers[] = {{"position", SADDLE__ANY, 3, def->position},
                                       {"velocity", SADDLE__ANY, 3, def->velocity},
                                       {"mass", SADDLE__POSITIVE,
                                        !def->prescribed && !def->massless, &def->mass}};
    SADDLE__TRY(saddle__check_numbers(model, "particle", def->name, 3, numbers));
    saddle__item_part made = {.prescribed = def->prescribed != 0,
                              .massless = def->massless != 0,
                              .position_size = 3,
                              .size = 3,
                              .mass = def->massless ? 0 : def->mass};
    return add(model, SADDLE_ITEM_PARTICLE, &made, def->name, def->position, def->velocity, part);
}

saddle_status saddle_model_add_body(saddle_model *model, const saddle_body_def *def,
                                    saddle_handle *part)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && def && part,
                          "model, def or part is NULL");
    SADDLE__TRY(check_body(model, def));
    saddle__item_part made = {.prescribed = def->prescribed != 0,
                              .massless = def->massless != 0,
                              .position_size = 12,
                              .size = 6};
    if (!def->massless) made.inertia = def->inertia;
    return add(model, SADDLE_ITEM_BODY, &made, def->name, &def->pose, def->twist, part);
}

saddle_status saddle_model_add_nodes(saddle_model *model, const saddle_nodes_def *def,
                                     saddle_handle *part)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && def && part,
                          "model, def or part is NULL");
    saddle_context *context = model->context;
    SADDLE__TRY(check_nodes(model, def));
    const int64_t size = 3 * def->count;
    saddle__item_part made = {.position_size = size,
                              .size = size,
                              .damping_mass = def->damping_mass,
                              .damping_stiffness = def->damping_stiffness};
    const double *rest = def->rest ? def->rest : def->position;
    saddle_status status = saddle__copy_block(context, rest, size, sizeof *rest,
                                              (void **)&made.rest);
    if (status == SADDLE_OK) status = saddle_matrix_copy(context, def->mass, &made.M);
    if (status == SADDLE_OK && def->stiffness)
        status = saddle_matrix_copy(context, def->stiffness, &made.K);
    if (status == SADDLE_OK)
        return add(model, SADDLE_ITEM_NODES, &made, def->name, def->position, def->velocity, part);
    clear_part(context, &made);
    return status;
}

saddle_status saddle__model_add_coordinates(saddle_model *model, int64_t count, const double *q,
                                            const double *dq, saddle_handle *part)
{
    saddle__item_part made = {.massless = 1, .position_size = count, .size = count};
    return add(model, SADDLE_ITEM_COORDINATES, &made, NULL, q, dq, part);
}
