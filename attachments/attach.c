/* SPDX-License-Identifier: MIT */
/* Attaching, detaching, new values: arguments are checked before anything changes. */
#include <math.h>
#include <string.h>

#include "graph.h"

/* bytes: doubles, indices and pointers of an attachment */
enum { WORD = sizeof(int64_t) };

static int64_t find_not_finite(const double *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(x[i])) return i;
    return -1;
}

static saddle_status find(const saddle_attachments *graph, int64_t id, int64_t *index)
{
    *index = saddle__component_find(graph, id);
    if (*index >= 0) return SADDLE_OK;
    return saddle_fail(graph->context, SADDLE_INVALID_ARGUMENT, "there is no component of id %lld",
                       (long long)id);
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
        return saddle_fail(graph->context, SADDLE_INVALID_ARGUMENT,
                           "attachment of %s: %lld directions of %lld", k->name, (long long)count,
                           (long long)k->size);
    for (int64_t i = 0; i < count; i++)
        if (direction[i] < 0 || direction[i] >= k->size ||
            (i > 0 && direction[i] <= direction[i - 1]))
            return saddle_fail(
                graph->context, SADDLE_INVALID_ARGUMENT,
                "attachment of %s: direction %lld (zero-based) is out of range or order", k->name,
                (long long)direction[i]);
    return SADDLE_OK;
}

static saddle_status check_block(saddle_attachments *graph, const saddle__component *k,
                                 int64_t rows, const saddle_attachment *attachment, int64_t b)
{
    saddle_context *context = graph->context;
    const saddle_attachment_block *block = &attachment->blocks[b];
    int64_t j = saddle__component_find(graph, block->master);
    if (j < 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "attachment of %s: there is no master of id %lld", k->name,
                           (long long)block->master);
    saddle__component *master = &graph->component[j];
    if (master == k)
        return saddle_fail(context, SADDLE_INVALID_PROBLEM, "attachment loop: %s -> %s", k->name,
                           k->name);
    if (master->mark == graph->marks)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "attachment of %s: master %s is given twice", k->name, master->name);
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
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "attachment of %s: entry (%lld, %lld) of its block for master %s is %g",
                           k->name, (long long)(bad % rows) + 1, (long long)(bad / rows) + 1,
                           master->name, block->value[bad]);
    if (!block->value && entries > 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "attachment of %s: its block for master %s has no values", k->name,
                           master->name);
    return SADDLE_OK;
}

static saddle_status check_term(const saddle_attachments *graph, const saddle__component *k,
                                int64_t rows, const double *term)
{
    int64_t bad = term ? find_not_finite(term, rows) : -1;
    if (bad < 0) return SADDLE_OK;
    return saddle_fail(graph->context, SADDLE_INVALID_ARGUMENT,
                       "attachment of %s: its term[%lld] is %g", k->name, (long long)bad,
                       term[bad]);
}

static saddle_status check_attachment(saddle_attachments *graph, const saddle__component *k,
                                      const saddle_attachment *attachment, int64_t *rows)
{
    saddle_status status = check_state(graph, k);
    if (status == SADDLE_OK) status = check_directions(graph, k, attachment);
    if (status != SADDLE_OK) return status;
    *rows = attachment->directions ? attachment->direction_count : k->size;
    if (attachment->block_count < 0 || (attachment->block_count > 0 && !attachment->blocks))
        return saddle_fail(graph->context, SADDLE_INVALID_ARGUMENT,
                           "attachment of %s: %lld blocks announced, none given", k->name,
                           (long long)attachment->block_count);
    graph->marks++;
    for (int64_t b = 0; status == SADDLE_OK && b < attachment->block_count; b++)
        status = check_block(graph, k, *rows, attachment, b);
    return status == SADDLE_OK ? check_term(graph, k, *rows, attachment->term) : status;
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
    saddle_context_clear_message(graph ? graph->context : NULL);
    if (!graph || !attachment)
        return saddle_fail(graph ? graph->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_attachments_attach: attachments or attachment is NULL");
    int64_t index;
    int64_t rows = 0;
    saddle_status status = find(graph, attachment->component, &index);
    if (status != SADDLE_OK) return status;
    saddle__component *k = &graph->component[index];
    status = check_attachment(graph, k, attachment, &rows);
    if (status != SADDLE_OK) return status;
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
    saddle_status status = find(graph, id, &index);
    if (status != SADDLE_OK) return status;
    *k = &graph->component[index];
    if ((*k)->attachment) return SADDLE_OK;
    return saddle_fail(graph->context, SADDLE_INVALID_ARGUMENT, "%s is not attached", (*k)->name);
}

saddle_status saddle_attachments_detach(saddle_attachments *graph, int64_t component)
{
    saddle_context_clear_message(graph ? graph->context : NULL);
    if (!graph)
        return saddle_fail(NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_attachments_detach: attachments is NULL");
    saddle__component *k;
    saddle_status status = find_attached(graph, component, &k);
    if (status != SADDLE_OK) return status;
    saddle_release(graph->context, k->attachment);
    k->attachment = NULL;
    return SADDLE_OK;
}

saddle_status saddle_attachments_set(saddle_attachments *graph, int64_t component,
                                     const double *value, const double *term)
{
    saddle_context_clear_message(graph ? graph->context : NULL);
    if (!graph)
        return saddle_fail(NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_attachments_set: attachments is NULL");
    saddle__component *k;
    saddle_status status = find_attached(graph, component, &k);
    if (status == SADDLE_OK) status = check_term(graph, k, k->attachment->rows, term);
    if (status != SADDLE_OK) return status;
    saddle__attachment *a = k->attachment;
    int64_t bad = value ? find_not_finite(value, a->entries) : -1;
    if (bad >= 0)
        return saddle_fail(graph->context, SADDLE_INVALID_ARGUMENT,
                           "attachment of %s: value[%lld] of its blocks is %g", k->name,
                           (long long)bad, value[bad]);
    if (value) memmove(a->value, value, (size_t)a->entries * sizeof *value);
    if (term) memmove(a->term, term, (size_t)a->rows * sizeof *term);
    return SADDLE_OK;
}

saddle_status saddle_attachments_prescribe(saddle_attachments *graph, int64_t component,
                                           const double *velocity)
{
    saddle_context_clear_message(graph ? graph->context : NULL);
    if (!graph)
        return saddle_fail(NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_attachments_prescribe: attachments is NULL");
    int64_t index;
    saddle_status status = find(graph, component, &index);
    if (status != SADDLE_OK) return status;
    const saddle__component *k = &graph->component[index];
    if (!k->velocity)
        return saddle_fail(graph->context, SADDLE_INVALID_ARGUMENT, "%s is not parametric",
                           k->name);
    int64_t bad = find_not_finite(velocity, k->size);
    if (bad >= 0)
        return saddle_fail(graph->context, SADDLE_INVALID_ARGUMENT,
                           "%s: prescribed velocity[%lld] is %g", k->name, (long long)bad,
                           velocity[bad]);
    if (k->size > 0) memmove(k->velocity, velocity, (size_t)k->size * sizeof *velocity);
    return SADDLE_OK;
}
