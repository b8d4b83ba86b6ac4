/* SPDX-License-Identifier: MIT */
/* A graph of attachments into a bundle: keys of problem.json, and attachments.mtx, n x (n + 1),
 * which is (A g) of
 *
 *     v = A v + g      at attached velocities; the other rows are empty
 */
#include <math.h>

#include "files/bundle.h"
#include "files/mtx.h"
#include "graph.h"

/* ---- problem.json ---- */

static void add_component(saddle__text *text, const saddle__component *c)
{
    saddle__text_add(text, "\"id\": ");
    saddle__text_add_integer(text, c->id);
    saddle__text_add(text, ", \"name\": ");
    saddle__text_add_json_string(text, c->name);
    saddle__text_add(text, ", \"kind\": ");
    saddle__text_add_json_string(text, saddle_component_kind_word(c->kind));
    saddle__text_add(text, ", \"size\": ");
    saddle__text_add_integer(text, c->size);
    if (!c->velocity) return;
    saddle__text_add(text, ", \"velocity\": [");
    for (int64_t i = 0; i < c->size; i++) {
        if (i > 0) saddle__text_add(text, ", ");
        saddle__text_add_json_double(text, c->velocity[i]);
    }
    saddle__text_add(text, "]");
}

static void add_attachment(saddle__text *text, const saddle_attachments *graph,
                           const saddle__component *c)
{
    const saddle__attachment *a = c->attachment;
    saddle__text_add(text, "\"component\": ");
    saddle__text_add_integer(text, c->id);
    if (!a->whole) saddle__text_add(text, ", \"directions\": [");
    for (int64_t i = 0; !a->whole && i < a->rows; i++) {
        if (i > 0) saddle__text_add(text, ", ");
        saddle__text_add_integer(text, a->direction[i] + 1);
    }
    saddle__text_add(text, a->whole ? ", \"masters\": [" : "], \"masters\": [");
    for (int64_t b = 0; b < a->block_count; b++) {
        if (b > 0) saddle__text_add(text, ", ");
        saddle__text_add_integer(text, graph->component[a->master[b]].id);
    }
    saddle__text_add(text, "]");
}

/* One object a line. */
static void add_keys(const void *user, saddle__text *text)
{
    const saddle_attachments *graph = user;
    saddle__text_add(text, ",\n  \"components\": [");
    for (int64_t k = 0; k < graph->count; k++) {
        saddle__text_add(text, k == 0 ? "\n    {" : ",\n    {");
        add_component(text, &graph->component[k]);
        saddle__text_add(text, "}");
    }
    saddle__text_add(text, "],\n  \"attachments\": [");
    int64_t written = 0;
    for (int64_t k = 0; k < graph->count; k++) {
        if (!graph->component[k].attachment) continue;
        saddle__text_add(text, written++ == 0 ? "\n    {" : ",\n    {");
        add_attachment(text, graph, &graph->component[k]);
        saddle__text_add(text, "}");
    }
    saddle__text_add(text, "]");
}

/* ---- attachments.mtx ---- */

/* A zero of a block need not be written; a negative one is another number. */
static int is_written(double value)
{
    return value != 0.0 || signbit(value);
}

/* Appends row i of an attachment of k to index and value; returns how many entries there are
 * then. */
static int64_t append_row(const saddle_attachments *graph, const saddle__attachment *a, int64_t i,
                          int64_t entries, int64_t *index, double *value)
{
    for (int64_t b = 0; b < a->block_count; b++) {
        const saddle_attachment_block *block = &a->blocks[b];
        for (int64_t j = 0; j < block->cols; j++) {
            if (!is_written(block->value[i + j * a->rows])) continue;
            index[entries] = graph->component[a->master[b]].first + j;
            value[entries++] = block->value[i + j * a->rows];
        }
    }
    if (!is_written(a->term[i])) return entries;
    index[entries] = graph->n;
    value[entries++] = a->term[i];
    return entries;
}

/* (A g)' with a column for each velocity, rows in any order; start: n + 1. */
static void fill(const saddle_attachments *graph, int64_t *start, int64_t *index, double *value)
{
    int64_t entries = 0;
    for (int64_t k = 0; k < graph->count; k++) {
        const saddle__component *c = &graph->component[k];
        const saddle__attachment *a = c->attachment;
        int64_t row = 0;
        for (int64_t i = 0; i < c->size; i++) {
            start[c->first + i] = entries;
            if (!a || row == a->rows || a->direction[row] != i) continue;
            entries = append_row(graph, a, row++, entries, index, value);
        }
    }
    start[graph->n] = entries;
}

static saddle_status write_matrix(const void *user, saddle_context *context, const char *path)
{
    const saddle_attachments *graph = user;
    int64_t most = 0;
    for (int64_t k = 0; k < graph->count; k++)
        if (graph->component[k].attachment)
            most += graph->component[k].attachment->entries + graph->component[k].attachment->rows;
    int64_t *start = saddle_allocate(context, graph->n + 1, sizeof *start);
    int64_t *index = saddle_allocate(context, most, sizeof *index);
    double *value = saddle_allocate(context, most, sizeof *value);
    saddle_matrix transposed = {0};
    saddle_status status = start && index && value ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) {
        fill(graph, start, index, value);
        status = saddle_matrix_from_csc(context, graph->n + 1, graph->n, start, index, value,
                                        SADDLE_GENERAL, &transposed);
    }
    if (status == SADDLE_OK) status = saddle__mtx_write_transposed(context, path, &transposed);
    saddle_matrix_clear(&transposed);
    saddle_release(context, start);
    saddle_release(context, index);
    saddle_release(context, value);
    return status;
}

/* ---- the bundle ---- */

static saddle_status check(saddle_context *context, const saddle_problem *problem,
                           const saddle_attachments *graph)
{
    if (problem->n != graph->n)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "the problem has %lld velocities, the attachments' components %lld",
                           (long long)problem->n, (long long)graph->n);
    for (int64_t k = 0; k < graph->count; k++)
        if (!saddle__text_is_utf8(graph->component[k].name))
            return saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                               "the name of component %lld is not UTF-8 text, which JSON demands",
                               (long long)graph->component[k].id);
    int64_t *order = saddle_allocate(context, graph->count, sizeof *order);
    saddle_status status = order ? saddle_attachments_order(graph, order) : SADDLE_OUT_OF_MEMORY;
    saddle_release(context, order);
    return status;
}

saddle_status saddle_attachments_write(saddle_context *context, const char *path,
                                       const saddle_problem *problem,
                                       const saddle_attachments *attachments)
{
    saddle_context_clear_message(context);
    if (!path || !problem)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_attachments_write: path or problem is NULL");
    if (!attachments) return saddle__bundle_write(context, path, problem);
    const saddle__bundle_more more = {attachments, add_keys, write_matrix};
    saddle_status status = check(context, problem, attachments);
    return status == SADDLE_OK ? saddle__bundle_write_more(context, path, problem, &more) : status;
}
