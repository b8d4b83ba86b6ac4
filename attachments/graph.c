/* SPDX-License-Identifier: MIT */
/* The graph: components added, found by id (open addressing), read back; their order. */
#include "graph.h"

#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"
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
    saddle_context_clear_message(context);
    if (!attachments)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_attachments_create: attachments is NULL");
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
        saddle_release(context, graph->component[c].name);
        saddle_release(context, graph->component[c].velocity);
        saddle_release(context, graph->component[c].attachment);
    }
    saddle_release(context, graph->component);
    saddle_release(context, graph->slot);
    saddle_release(context, graph);
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
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "%s: unknown kind %d", name, kind);
    int64_t own = kinds[kind].size;
    *size = own > 0 && component->size == 0 ? own : component->size;
    if (*size < 0 || (own > 0 && *size != own))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "%s: a component of kind %s cannot have %lld velocities", name,
                           kinds[kind].word, (long long)*size);
    if (*size > INT32_MAX - graph->n)
        return saddle_fail(context, SADDLE_TOO_LARGE, "%s: more than %lld velocities", name,
                           (long long)INT32_MAX);
    int64_t other = saddle__component_find(graph, component->id);
    if (other >= 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "%s: id %lld is %s's already", name,
                           (long long)component->id, graph->component[other].name);
    return SADDLE_OK;
}

saddle_status saddle_attachments_add(saddle_attachments *graph, const saddle_component *component)
{
    saddle_context_clear_message(graph ? graph->context : NULL);
    if (!graph || !component)
        return saddle_fail(graph ? graph->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_attachments_add: attachments or component is NULL");
    char numbered[NAME_SIZE];
    (void)snprintf(numbered, sizeof numbered, "component %lld", (long long)component->id);
    const char *name = component->name && *component->name ? component->name : numbered;
    saddle__component added = {.id = component->id, .kind = component->kind, .first = graph->n};
    saddle_status status = check_component(graph, component, name, &added.size);
    if (status != SADDLE_OK) return status;
    added.name = saddle__copy_text(graph->context, name);
    if (component->parametric)
        added.velocity = saddle_allocate(graph->context, added.size, sizeof *added.velocity);
    int whole = added.name && (added.velocity || !component->parametric);
    status = whole ? make_room(graph) : SADDLE_OUT_OF_MEMORY;
    if (status != SADDLE_OK) {
        saddle_release(graph->context, added.name);
        saddle_release(graph->context, added.velocity);
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
    if (!graph) return 0;
    return graph->count;
}

int64_t saddle_attachments_velocities(const saddle_attachments *graph)
{
    if (!graph) return 0;
    return graph->n;
}

int64_t saddle_attachments_index(const saddle_attachments *graph, int64_t component)
{
    if (!graph) return -1;
    return saddle__component_find(graph, component);
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
    if (c->velocity) view.state = SADDLE_PARAMETRIC;
    if (c->attachment) view.state = c->attachment->whole ? SADDLE_ATTACHED : SADDLE_PARTLY_ATTACHED;
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

/* FNV-1a, eight bytes at a time. */
static uint64_t mix(uint64_t print, int64_t word)
{
    return (print ^ (uint64_t)word) * UINT64_C(0x100000001b3);
}

uint64_t saddle__attachments_print(const saddle_attachments *graph)
{
    uint64_t print = mix(UINT64_C(0xcbf29ce484222325), graph->count);
    for (int64_t c = 0; c < graph->count; c++) {
        const saddle__component *k = &graph->component[c];
        const saddle__attachment *a = k->attachment;
        print = mix(mix(mix(print, k->id), k->size), (k->velocity ? 1 : 0) + (a ? 2 : 0));
        if (!a) continue;
        print = mix(mix(print, a->rows), a->block_count);
        for (int64_t i = 0; !a->whole && i < a->rows; i++) print = mix(print, a->direction[i]);
        for (int64_t b = 0; b < a->block_count; b++) print = mix(print, a->master[b]);
    }
    return print;
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
    saddle_release(context, w.path);
    saddle_release(context, w.next);
    saddle_release(context, w.state);
    return status;
}

saddle_status saddle_attachments_order(const saddle_attachments *graph, int64_t *order)
{
    saddle_context_clear_message(graph ? graph->context : NULL);
    if (!graph || (!order && graph->count > 0))
        return saddle_fail(graph ? graph->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_attachments_order: attachments or order is NULL");
    return saddle__attachments_order(graph->context, graph, order);
}
