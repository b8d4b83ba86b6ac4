/* SPDX-License-Identifier: MIT */
/* The graph: components added, found by id (open addressing), read back; attached, detached, given
 * new values; their order.  Arguments are checked before anything changes. */
#include "graph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "problem/problem_internal.h"

enum { NAME_SIZE = 40, LOOP_SIZE = 640, LOOP_NAMES = 12 };

typedef struct kind_entry {
    const char *word;
    int64_t size; /* 0 = any */
} kind_entry;

static const kind_entry kinds[] = {
#define KIND_ENTRY(name, word, size) [name] = {word, size},
    SADDLE_COMPONENT_LIST(KIND_ENTRY)
#undef KIND_ENTRY
};

enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

const char *saddle_component_kind_word(saddle_component_kind kind)
{
    return (int)kind >= 0 && (int)kind < KIND_COUNT ? kinds[kind].word : "?";
}

saddle_status saddle_component_kind_from_word(const char *word, saddle_component_kind *kind)
{
    if (!word || !kind) return SADDLE_INVALID_ARGUMENT;
    for (int i = 0; i < KIND_COUNT; i++)
        if (strcmp(word, kinds[i].word) == 0) {
            *kind = (saddle_component_kind)i;
            return SADDLE_OK;
        }
    return SADDLE_UNKNOWN_NAME;
}

saddle_status saddle_attachments_create(saddle_context *context, saddle_attachments **attachments)
{
    SADDLE__RETURN_UNLESS(context, attachments, "attachments is NULL");
    *attachments = saddle_allocate(context, 1, sizeof **attachments);
    if (!*attachments) return SADDLE_OUT_OF_MEMORY;
    (*attachments)->context = context;
    return SADDLE_OK;
}

void saddle_attachments_free(saddle_attachments *graph)
{
    if (!graph) return;
    saddle_context *context = graph->context;
    for (int64_t c = 0; c < graph->count; c++) {
        saddle__release_all(context, graph->component[c].name, graph->component[c].velocity,
                            graph->component[c].attachment);
    }
    saddle__release_all(context, graph->component, graph->slot, graph);
}

/* ---- by id ---- */

/* The slot of the id, or the free slot for a new id.  The odd constant is 2^64 / golden ratio;
 * slots > count, so a slot is free. */
static int64_t slot_of(const saddle_attachments *graph, int64_t id)
{
    uint64_t mask = (uint64_t)graph->slots - 1;
    uint64_t hash = (uint64_t)id * UINT64_C(0x9E3779B97F4A7C15);
    uint64_t s = (hash ^ (hash >> 32)) & mask;
    while (graph->slot[s] >= 0 && graph->component[graph->slot[s]].id != id) s = (s + 1) & mask;
    return (int64_t)s;
}

int64_t saddle__component_find(const saddle_attachments *graph, int64_t id)
{
    return graph->slots > 0 ? graph->slot[slot_of(graph, id)] : -1;
}

/* Memory for one more component, at least half of the slots free. */
static saddle_status make_room(saddle_attachments *graph)
{
    if (graph->count < graph->room) return SADDLE_OK;
    int64_t room = graph->room > 0 ? 2 * graph->room : 16;
    int64_t *slot = saddle_allocate(graph->context, 2 * room, sizeof *slot);
    saddle__component *component = slot ? saddle_reallocate(graph->context, graph->component, room,
                                                            sizeof *component)
                                        : NULL;
    if (!component) {
        saddle_release(graph->context, slot);
        return SADDLE_OUT_OF_MEMORY;
    }
    saddle_release(graph->context, graph->slot);
    graph->component = component;
    graph->room = room;
    graph->slot = slot;
    graph->slots = 2 * room;
    for (int64_t s = 0; s < graph->slots; s++) slot[s] = -1;
    for (int64_t c = 0; c < graph->count; c++) slot[slot_of(graph, component[c].id)] = c;
    return SADDLE_OK;
}

/* ---- adding ---- */

static saddle_status check_component(const saddle_attachments *graph,
                                     const saddle_component *component, const char *name,
                                     int64_t *size)
{
    saddle_context *context = graph->context;
    int kind = (int)component->kind;
    if (kind < 0 || kind >= KIND_COUNT)
        return saddle__refuse(graph, "%s: unknown kind %d", name, kind);
    int64_t own = kinds[kind].size;
    *size = own > 0 && component->size == 0 ? own : component->size;
    if (*size < 0 || (own > 0 && *size != own))
        return saddle__refuse(graph, "%s: a component of kind %s cannot have %lld velocities", name,
                              kinds[kind].word, (long long)*size);
    if (*size > INT32_MAX - graph->n)
        return saddle_fail(context, SADDLE_TOO_LARGE, "%s: more than %lld velocities", name,
                           (long long)INT32_MAX);
    int64_t other = saddle__component_find(graph, component->id);
    if (other >= 0)
        return saddle__refuse(graph, "%s: id %lld is %s's already", name, (long long)component->id,
                              graph->component[other].name);
    return SADDLE_OK;
}

saddle_status saddle_attachments_add(saddle_attachments *graph, const saddle_component *component)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(graph), graph && component,
                          "attachments or component is NULL");
    char numbered[NAME_SIZE];
    (void)snprintf(numbered, sizeof numbered, "component %lld", (long long)component->id);
    const char *name = component->name && *component->name ? component->name : numbered;
    saddle__component added = {.id = component->id, .kind = component->kind, .first = graph->n};
    SADDLE__TRY(check_component(graph, component, name, &added.size));
    added.name = saddle__copy_text(graph->context, name);
    if (component->parametric)
        added.velocity = saddle_allocate(graph->context, added.size, sizeof *added.velocity);
    int whole = added.name && (added.velocity || !component->parametric);
    const saddle_status status = whole ? make_room(graph) : SADDLE_OUT_OF_MEMORY;
    if (status != SADDLE_OK) {
        saddle__release_all(graph->context, added.name, added.velocity);
        return status;
    }
    graph->slot[slot_of(graph, added.id)] = graph->count;
    graph->component[graph->count++] = added;
    graph->n += added.size;
    return SADDLE_OK;
}

/* ---- reading ---- */

int64_t saddle_attachments_count(const saddle_attachments *graph)
{
    return graph ? graph->count : 0;
}

int64_t saddle_attachments_velocities(const saddle_attachments *graph)
{
    return graph ? graph->n : 0;
}

int64_t saddle_attachments_index(const saddle_attachments *graph, int64_t component)
{
    return graph ? saddle__component_find(graph, component) : -1;
}

saddle_component_view saddle_attachments_component(const saddle_attachments *graph, int64_t index)
{
    if (!graph) return (saddle_component_view){0};
    const saddle__component *c = &graph->component[index];
    saddle_component_view view = {.first = c->first, .velocity = c->velocity};
    view.component = (saddle_component){.id = c->id,
                                        .name = c->name,
                                        .kind = c->kind,
                                        .size = c->size,
                                        .parametric = c->velocity != NULL};
    if (c->velocity) view.state = SADDLE_COMPONENT_STATE_PARAMETRIC;
    if (c->attachment)
        view.state = c->attachment->whole ? SADDLE_COMPONENT_STATE_ATTACHED
                                          : SADDLE_COMPONENT_STATE_PARTLY;
    return view;
}

int saddle_attachments_attachment(const saddle_attachments *graph, int64_t index,
                                  saddle_attachment *attachment)
{
    if (!graph || !attachment) return 0;
    const saddle__attachment *a = graph->component[index].attachment;
    if (!a) return 0;
    *attachment = (saddle_attachment){.component = graph->component[index].id,
                                      .direction_count = a->rows,
                                      .directions = a->whole ? NULL : a->direction,
                                      .block_count = a->block_count,
                                      .blocks = a->blocks,
                                      .term = a->term};
    return 1;
}

/* bytes: doubles, indices and pointers of an attachment */
enum { WORD = sizeof(int64_t) };

static int64_t find_not_finite(const double *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(x[i])) return i;
    return -1;
}

static saddle_status find_component(const saddle_attachments *graph, int64_t id, int64_t *index)
{
    *index = saddle__component_find(graph, id);
    if (*index >= 0) return SADDLE_OK;
    return saddle__refuse(graph, "there is no component of id %lld", (long long)id);
}

/* ---- what may be attached ---- */

static saddle_status check_state(const saddle_attachments *graph, const saddle__component *k)
{
    if (k->attachment)
        return saddle_fail(graph->context, SADDLE_INVALID_PROBLEM, "%s is attached already",
                           k->name);
    if (k->velocity)
        return saddle_fail(graph->context, SADDLE_INVALID_PROBLEM,
                           "%s is prescribed: it cannot be attached too", k->name);
    return SADDLE_OK;
}

static saddle_status check_directions(const saddle_attachments *graph, const saddle__component *k,
                                      const saddle_attachment *attachment)
{
    const int64_t *direction = attachment->directions;
    if (!direction) return SADDLE_OK;
    int64_t count = attachment->direction_count;
    if (count < 0 || count > k->size)
        return saddle__refuse(graph, "attachment of %s: %lld directions of %lld", k->name,
                              (long long)count, (long long)k->size);
    for (int64_t i = 0; i < count; i++)
        if (direction[i] < 0 || direction[i] >= k->size ||
            (i > 0 && direction[i] <= direction[i - 1]))
            return saddle__refuse(
                graph, "attachment of %s: direction %lld (zero-based) is out of range or order",
                k->name, (long long)direction[i]);
    return SADDLE_OK;
}

static saddle_status check_block(saddle_attachments *graph, const saddle__component *k,
                                 int64_t rows, const saddle_attachment *attachment, int64_t b)
{
    saddle_context *context = graph->context;
    const saddle_attachment_block *block = &attachment->blocks[b];
    int64_t j = saddle__component_find(graph, block->master);
    if (j < 0)
        return saddle__refuse(graph, "attachment of %s: there is no master of id %lld", k->name,
                              (long long)block->master);
    saddle__component *master = &graph->component[j];
    if (master == k)
        return saddle_fail(context, SADDLE_INVALID_PROBLEM, "attachment loop: %s -> %s", k->name,
                           k->name);
    if (master->mark == graph->marks)
        return saddle__refuse(graph, "attachment of %s: master %s is given twice", k->name,
                              master->name);
    master->mark = graph->marks;
    if (block->rows != rows || block->cols != master->size)
        return saddle_fail(
            context, SADDLE_INVALID_ARGUMENT,
            "attachment of %s: its block for master %s is %lld x %lld, not %lld x %lld", k->name,
            master->name, (long long)block->rows, (long long)block->cols, (long long)rows,
            (long long)master->size);
    int64_t entries = rows * block->cols; /* sizes are below 2^31 */
    int64_t bad = block->value ? find_not_finite(block->value, entries) : -1;
    if (bad >= 0)
        return saddle__refuse(
            graph, "attachment of %s: entry (%lld, %lld) of its block for master %s is %g", k->name,
            (long long)(bad % rows) + 1, (long long)(bad / rows) + 1, master->name,
            block->value[bad]);
    if (!block->value && entries > 0)
        return saddle__refuse(graph, "attachment of %s: its block for master %s has no values",
                              k->name, master->name);
    return SADDLE_OK;
}

static saddle_status check_term(const saddle_attachments *graph, const saddle__component *k,
                                int64_t rows, const double *term)
{
    int64_t bad = term ? find_not_finite(term, rows) : -1;
    if (bad < 0) return SADDLE_OK;
    return saddle__refuse(graph, "attachment of %s: its term[%lld] is %g", k->name, (long long)bad,
                          term[bad]);
}

static saddle_status check_attachment(saddle_attachments *graph, const saddle__component *k,
                                      const saddle_attachment *attachment, int64_t *rows)
{
    SADDLE__TRY(check_state(graph, k));
    SADDLE__TRY(check_directions(graph, k, attachment));
    *rows = attachment->directions ? attachment->direction_count : k->size;
    if (attachment->block_count < 0 || (attachment->block_count > 0 && !attachment->blocks))
        return saddle__refuse(graph, "attachment of %s: %lld blocks announced, none given", k->name,
                              (long long)attachment->block_count);
    graph->marks++;
    for (int64_t b = 0; b < attachment->block_count; b++)
        SADDLE__TRY(check_block(graph, k, *rows, attachment, b));
    return check_term(graph, k, *rows, attachment->term);
}

/* ---- attaching ---- */

/* An attachment with its arrays in one block of memory; NULL: out of memory. */
static saddle__attachment *lay_out(saddle_context *context, int64_t rows, int64_t block_count,
                                   int64_t entries)
{
    int64_t head = (int64_t)(sizeof(saddle__attachment) / WORD);
    int64_t block_words = (int64_t)(sizeof(saddle_attachment_block) / WORD);
    int64_t words = head + entries + 2 * rows + block_count * (1 + block_words);
    saddle__attachment *a = saddle_allocate(context, words, WORD);
    if (!a) return NULL;
    *a = (saddle__attachment){.rows = rows, .block_count = block_count, .entries = entries};
    a->value = (double *)(void *)((int64_t *)(void *)a + head);
    a->term = a->value + entries;
    a->direction = (int64_t *)(void *)(a->term + rows);
    a->master = a->direction + rows;
    a->blocks = (saddle_attachment_block *)(void *)(a->master + block_count);
    return a;
}

static void fill(const saddle_attachments *graph, const saddle__component *k,
                 const saddle_attachment *given, saddle__attachment *a)
{
    a->whole = a->rows == k->size;
    for (int64_t i = 0; i < a->rows; i++)
        a->direction[i] = given->directions ? given->directions[i] : i;
    for (int64_t i = 0; given->term && i < a->rows; i++) a->term[i] = given->term[i];
    double *value = a->value;
    for (int64_t b = 0; b < a->block_count; b++) {
        int64_t entries = given->blocks[b].rows * given->blocks[b].cols;
        a->master[b] = saddle__component_find(graph, given->blocks[b].master);
        a->blocks[b] = given->blocks[b];
        a->blocks[b].value = value;
        if (entries > 0) memcpy(value, given->blocks[b].value, (size_t)entries * sizeof *value);
        value += entries;
    }
}

saddle_status saddle_attachments_attach(saddle_attachments *graph,
                                        const saddle_attachment *attachment)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(graph), graph && attachment,
                          "attachments or attachment is NULL");
    int64_t index;
    int64_t rows = 0;
    SADDLE__TRY(find_component(graph, attachment->component, &index));
    saddle__component *k = &graph->component[index];
    SADDLE__TRY(check_attachment(graph, k, attachment, &rows));
    int64_t entries = 0;
    for (int64_t b = 0; b < attachment->block_count; b++)
        entries += rows * attachment->blocks[b].cols;
    saddle__attachment *a = lay_out(graph->context, rows, attachment->block_count, entries);
    if (!a) return SADDLE_OUT_OF_MEMORY;
    fill(graph, k, attachment, a);
    k->attachment = a;
    return SADDLE_OK;
}

/* ---- changing ---- */

static saddle_status find_attached(const saddle_attachments *graph, int64_t id,
                                   saddle__component **k)
{
    int64_t index;
    SADDLE__TRY(find_component(graph, id, &index));
    *k = &graph->component[index];
    if ((*k)->attachment) return SADDLE_OK;
    return saddle__refuse(graph, "%s is not attached", (*k)->name);
}

saddle_status saddle_attachments_detach(saddle_attachments *graph, int64_t component)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(graph), graph, "attachments is NULL");
    saddle__component *k;
    SADDLE__TRY(find_attached(graph, component, &k));
    saddle_release(graph->context, k->attachment);
    k->attachment = NULL;
    return SADDLE_OK;
}

saddle_status saddle_attachments_set(saddle_attachments *graph, int64_t component,
                                     const double *value, const double *term)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(graph), graph, "attachments is NULL");
    saddle__component *k;
    SADDLE__TRY(find_attached(graph, component, &k));
    SADDLE__TRY(check_term(graph, k, k->attachment->rows, term));
    saddle__attachment *a = k->attachment;
    int64_t bad = value ? find_not_finite(value, a->entries) : -1;
    if (bad >= 0)
        return saddle__refuse(graph, "attachment of %s: value[%lld] of its blocks is %g", k->name,
                              (long long)bad, value[bad]);
    if (value) memmove(a->value, value, (size_t)a->entries * sizeof *value);
    if (term) memmove(a->term, term, (size_t)a->rows * sizeof *term);
    return SADDLE_OK;
}

saddle_status saddle_attachments_prescribe(saddle_attachments *graph, int64_t component,
                                           const double *velocity)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(graph), graph, "attachments is NULL");
    int64_t index;
    SADDLE__TRY(find_component(graph, component, &index));
    const saddle__component *k = &graph->component[index];
    if (!k->velocity) return saddle__refuse(graph, "%s is not parametric", k->name);
    int64_t bad = find_not_finite(velocity, k->size);
    if (bad >= 0)
        return saddle__refuse(graph, "%s: prescribed velocity[%lld] is %g", k->name, (long long)bad,
                              velocity[bad]);
    if (k->size > 0) memmove(k->velocity, velocity, (size_t)k->size * sizeof *velocity);
    return SADDLE_OK;
}

/* ---- order ----
 *
 * Depth-first along the masters.  A component is open while its masters are visited; an open
 * master closes a loop. */

enum { UNSEEN, OPEN, CLOSED };

typedef struct walk {
    saddle_context *context;
    const saddle_attachments *graph;
    int64_t *path;      /* count: open components, each a master of its predecessor */
    int64_t *next;      /* count: the next block to follow of each */
    signed char *state; /* count */
    int64_t length;     /* of path */
    int64_t *order;
    int64_t ordered;
} walk;

/* The names from the open component c along the path and back to c; of long loops the first names.
 */
static saddle_status report_loop(const walk *w, int64_t c)
{
    int64_t from = 0;
    while (w->path[from] != c) from++;
    char text[LOOP_SIZE + 1] = "";
    int64_t length = w->length - from;
    int64_t shown = length <= LOOP_NAMES ? length : LOOP_NAMES;
    for (int64_t i = 0; i < shown; i++) {
        saddle__append(text, LOOP_SIZE, w->graph->component[w->path[from + i]].name);
        saddle__append(text, LOOP_SIZE, " -> ");
    }
    if (shown < length) {
        char rest[48];
        (void)snprintf(rest, sizeof rest, "... (%lld more) -> ", (long long)(length - shown));
        saddle__append(text, LOOP_SIZE, rest);
    }
    saddle__append(text, LOOP_SIZE, w->graph->component[c].name);
    return saddle_fail(w->context, SADDLE_INVALID_PROBLEM, "attachment loop: %s", text);
}

static void open_component(walk *w, int64_t c)
{
    w->state[c] = OPEN;
    w->next[c] = 0;
    w->path[w->length++] = c;
}

/* Puts the component and its masters, direct and indirect, into the order. */
static saddle_status visit(walk *w, int64_t c)
{
    open_component(w, c);
    while (w->length > 0) {
        int64_t k = w->path[w->length - 1];
        const saddle__attachment *a = w->graph->component[k].attachment;
        if (!a || w->next[k] == a->block_count) {
            w->state[k] = CLOSED;
            w->order[w->ordered++] = k;
            w->length--;
            continue;
        }
        int64_t master = a->master[w->next[k]++];
        if (w->state[master] == UNSEEN)
            open_component(w, master);
        else if (w->state[master] == OPEN)
            return report_loop(w, master);
    }
    return SADDLE_OK;
}

saddle_status saddle__attachments_order(saddle_context *context, const saddle_attachments *graph,
                                        int64_t *order)
{
    walk w = {.context = context, .graph = graph, .order = order};
    w.path = saddle_allocate(context, graph->count, sizeof *w.path);
    w.next = saddle_allocate(context, graph->count, sizeof *w.next);
    w.state = saddle_allocate(context, graph->count, sizeof *w.state);
    saddle_status status = w.path && w.next && w.state ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int64_t c = 0; status == SADDLE_OK && c < graph->count; c++)
        if (w.state[c] == UNSEEN) status = visit(&w, c);
    saddle__release_all(context, w.path, w.next, w.state);
    return status;
}

saddle_status saddle_attachments_order(const saddle_attachments *graph, int64_t *order)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(graph), graph && (order || graph->count <= 0),
                          "attachments or order is NULL");
    return saddle__attachments_order(graph->context, graph, order);
}
