/* SPDX-License-Identifier: MIT */
/* Masters first: depth-first along the masters, in which a loop shows as a component met while it
 * is still open. */
#include <stdio.h>

#include "base/text.h"
#include "graph.h"

enum { LOOP_SIZE = 640, LOOP_NAMES = 12 };

enum { UNSEEN = 0, OPEN, CLOSED };

typedef struct walk {
    const saddle_attachments *graph;
    int64_t *path;      /* count: open components, each a master of the one before */
    int64_t *next;      /* count: the block of each that is looked at next */
    signed char *state; /* count */
    int64_t length;     /* of path */
    int64_t *order;
    int64_t ordered;
} walk;

static void append_name(char *text, const saddle_attachments *graph, int64_t c)
{
    saddle__append(text, LOOP_SIZE, graph->component[c].name);
}

/* From the open component c along the path and back to it; of long loops the first names. */
static saddle_status report_loop(const walk *w, int64_t c)
{
    int64_t from = 0;
    while (w->path[from] != c) from++;
    char text[LOOP_SIZE + 1] = "";
    int64_t length = w->length - from;
    int64_t shown = length <= LOOP_NAMES ? length : LOOP_NAMES;
    for (int64_t i = 0; i < shown; i++) {
        append_name(text, w->graph, w->path[from + i]);
        saddle__append(text, LOOP_SIZE, " -> ");
    }
    if (shown < length) {
        char rest[48];
        (void)snprintf(rest, sizeof rest, "... (%lld more) -> ", (long long)(length - shown));
        saddle__append(text, LOOP_SIZE, rest);
    }
    append_name(text, w->graph, c);
    return saddle_fail(w->graph->context, SADDLE_INVALID_PROBLEM, "attachment loop: %s", text);
}

static void open_component(walk *w, int64_t c)
{
    w->state[c] = OPEN;
    w->next[c] = 0;
    w->path[w->length++] = c;
}

/* The component and all it stands on, into the order. */
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

saddle_status saddle_attachments_order(const saddle_attachments *graph, int64_t *order)
{
    saddle_context_clear_message(graph ? graph->context : NULL);
    if (!graph || (!order && graph->count > 0))
        return saddle_fail(graph ? graph->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_attachments_order: attachments or order is NULL");
    saddle_context *context = graph->context;
    walk w = {.graph = graph, .order = order};
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
