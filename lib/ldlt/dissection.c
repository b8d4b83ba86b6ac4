/* SPDX-License-Identifier: MIT */
/* Nested dissection by METIS of the coarsened graph, its vertices weighted by the unknowns they
 * stand for: separators are small in unknowns then, not in vertices.  On irregular graphs METIS'
 * luck varies by a third, so that a second attempt, with parts of more equal size, is worth what
 * coarsening saved. References: George, SIAM J. Numer. Anal. 10, 1973; Karypis and Kumar, SIAM J.
 * Sci. Comput. 20, 1998 (METIS). */
#include <metis.h>

#include "base/process.h"
#include "ldlt/ldlt_internal.h"

/* METIS' own types: the graph, and the order it finds. */
typedef struct metis_graph {
    idx_t *start, *neighbour, *weight, *order, *position;
} metis_graph;

static saddle_status fill_graph(saddle_context *context, const saddle__graph *g,
                                const int64_t *weight, metis_graph *m)
{
    m->start = saddle_allocate(context, g->nodes + 1, sizeof(*m->start));
    m->neighbour = saddle_allocate(context, g->start[g->nodes], sizeof(*m->neighbour));
    m->weight = saddle_allocate(context, g->nodes, sizeof(*m->weight));
    m->order = saddle_allocate(context, g->nodes, sizeof(*m->order));
    m->position = saddle_allocate(context, g->nodes, sizeof(*m->position));
    if (!m->start || !m->neighbour || !m->weight || !m->order || !m->position)
        return SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < g->nodes; i++) {
        m->start[i + 1] = (idx_t)g->start[i + 1];
        m->weight[i] = (idx_t)weight[i];
    }
    for (int64_t k = 0; k < g->start[g->nodes]; k++) m->neighbour[k] = (idx_t)g->node[k];
    return SADDLE_OK;
}

static void clear_graph(saddle_context *context, metis_graph *m)
{
    saddle_release(context, m->start);
    saddle_release(context, m->neighbour);
    saddle_release(context, m->weight);
    saddle_release(context, m->order);
    saddle_release(context, m->position);
}

/* Each attempt: how much larger than the other a part may be, in thousandths; METIS' own is 200. */
static const idx_t imbalance[SADDLE__DISSECTIONS] = {200, 60};

static saddle_status dissect(saddle_context *context, const saddle__graph *g, const int64_t *weight,
                             int attempt, int64_t *order)
{
    metis_graph m = {0};
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_UFACTOR] = imbalance[attempt];
    saddle_status status = fill_graph(context, g, weight, &m);
    if (status == SADDLE_OK) {
        idx_t nodes = (idx_t)g->nodes;
        saddle__metis_begin(1);
        int result = METIS_NodeND(&nodes, m.start, m.neighbour, m.weight, options, m.order,
                                  m.position);
        saddle__metis_end(1);
        if (result == METIS_ERROR_MEMORY)
            status = saddle_fail(context, SADDLE_OUT_OF_MEMORY,
                                 "out of memory in METIS, %lld vertices", (long long)nodes);
        else if (result != METIS_OK)
            status = saddle_fail(context, SADDLE_INTERNAL, "METIS status %d", result);
    }
    for (int64_t k = 0; status == SADDLE_OK && k < g->nodes; k++) order[k] = m.order[k];
    clear_graph(context, &m);
    return status;
}

void saddle__dissection_clear(saddle_context *context, saddle__dissection *d)
{
    saddle__graph_clear(context, &d->quotient);
    saddle_release(context, d->weight);
    saddle_release(context, d->order);
    saddle_release(context, d->head);
    saddle_release(context, d->next);
    saddle__dissection empty = {.weight = NULL};
    *d = empty;
}

saddle_status saddle__dissection_begin(saddle_context *context, const saddle__graph *g,
                                       const int64_t *weight, saddle__dissection *d)
{
    int64_t labels = 0;
    int64_t *label = saddle_allocate(context, g->nodes, sizeof(*label));
    d->next = saddle_allocate(context, g->nodes, sizeof(*d->next));
    saddle_status status = label && d->next ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) status = saddle__coarse_labels(context, g, weight, label, &labels);
    if (status == SADDLE_OK)
        status = saddle__graph_quotient(context, g, labels, label, &d->quotient);
    if (status == SADDLE_OK) {
        d->weight = saddle_allocate(context, labels, sizeof(*d->weight));
        d->order = saddle_allocate(context, labels, sizeof(*d->order));
        d->head = saddle_allocate(context, labels, sizeof(*d->head));
        status = d->weight && d->order && d->head ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    }
    for (int64_t l = 0; status == SADDLE_OK && l < labels; l++) d->head[l] = -1;
    for (int64_t i = g->nodes - 1; status == SADDLE_OK && i >= 0; i--) {
        d->weight[label[i]] += weight[i];
        d->next[i] = d->head[label[i]];
        d->head[label[i]] = i;
    }
    saddle_release(context, label);
    return status;
}

saddle_status saddle__dissection_order(saddle_context *context, saddle__dissection *d, int attempt,
                                       int64_t *order)
{
    saddle_status status = dissect(context, &d->quotient, d->weight, attempt, d->order);
    int64_t count = 0;
    for (int64_t k = 0; status == SADDLE_OK && k < d->quotient.nodes; k++)
        for (int64_t i = d->head[d->order[k]]; i >= 0; i = d->next[i]) order[count++] = i;
    return status;
}
