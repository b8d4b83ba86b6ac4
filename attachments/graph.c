/* SPDX-License-Identifier: MIT */
/* The components of a graph: adding them, finding them by id (open addressing), reading them
 * back. */
#include "graph.h"

#include <stdio.h>
#include <string.h>

#include "problem/problem_internal.h"

enum { LEAST_ROOM = 16, NAME_SIZE = 40 };

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

/* Where the id stands or would stand (the odd constant is 2^64 / golden ratio); slots > count, so
 * that one is free. */
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

/* Room for one more component, a third of the slots free at least. */
static saddle_status make_room(saddle_attachments *graph)
{
    if (graph->count < graph->room) return SADDLE_OK;
    int64_t room = graph->room > 0 ? 2 * graph->room : LEAST_ROOM;
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
