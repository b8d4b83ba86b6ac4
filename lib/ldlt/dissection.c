/* SPDX-License-Identifier: MIT */
/* Nested dissection by METIS of the coarsened graph, its vertices weighted by the unknowns they stand for: separators are
 * small in unknowns then, not in vertices.  On irregular graphs METIS' luck varies by a third, so that a second attempt,
 * with parts of more equal size, is worth what coarsening saved.
 * References: George, SIAM J. Numer. Anal. 10, 1973; Karypis and Kumar, SIAM J. Sci. Comput. 20, 1998 (METIS). */
#include <metis.h>

#include "factor/factorization_internal.h"
#include "ldlt/ldlt_internal.h"

/* METIS' own types: the graph, and the order it finds. */
typedef struct metis_graph {
    idx_t *start, *neighbour, *weight, *order, *position;
} metis_graph;

static saddle_status fill_graph(saddle_context *context, const saddle__graph *g, const int64_t *weight, metis_graph *m)
{
    m->start = saddle_allocate(context, g->nodes + 1, sizeof(*m->start));
    m->neighbour = saddle_allocate(context, g->start[g->nodes], sizeof(*m->neighbour));
    m->weight = saddle_allocate(context, g->nodes, sizeof(*m->weight));
    m->order = saddle_allocate(context, g->nodes, sizeof(*m->order));
    m->position = saddle_allocate(context, g->nodes, sizeof(*m->position));
    if (!m->start || !m->neighbour || !m->weight || !m->order || !m->position) return SADDLE_OUT_OF_MEMORY;
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

static saddle_status dissect(saddle_context *context, const saddle__graph *g, const int64_t *weight, int attempt,
                             int64_t *order)
{
    metis_graph m = {0};
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_UFACTOR] = imbalance[attempt];
    saddle_status status = fill_graph(context, g, weight, &m);
    if (status == SADDLE_OK) {
        idx_t nodes = (idx_t)g->nodes;
        saddle__metis_begin(1);
        int result = METIS_NodeND(&nodes, m.start, m.neighbour, m.weight, options, m.order, m.position);
        saddle__metis_end(1);
        if (result == METIS_ERROR_MEMORY)
            status = saddle_fail(context, SADDLE_OUT_OF_MEMORY, "out of memory in METIS, %lld vertices", (long long)nodes);
        else if (result != METIS_OK)
            status = saddle_fail(context, SADDLE_INTERNAL, "METIS status %d", result);
    }
    for (int64_t k = 0; status == SADDLE_OK && k < g->nodes; k++) order[k] = m.order[k];
    clear_graph(context, &m);
    return status;
}

/* Scratch of a dissection. */
typedef struct scratch {
    int64_t *label;  /* of each vertex                                                    */
    int64_t *weight; /* of each label                                                     */
    int64_t *order;  /* of labels                                                         */
    int64_t *head;   /* of each label: its first vertex; next of each vertex: -1 = none   */
    int64_t *next;
    saddle__graph quotient;
} scratch;

static void expand(int64_t nodes, int64_t labels, const scratch *s, int64_t *order)
{
    for (int64_t l = 0; l < labels; l++) s->head[l] = -1;
    for (int64_t i = nodes - 1; i >= 0; i--) {
        s->next[i] = s->head[s->label[i]];
        s->head[s->label[i]] = i;
    }
    int64_t count = 0;
    for (int64_t k = 0; k < labels; k++)
        for (int64_t i = s->head[s->order[k]]; i >= 0; i = s->next[i]) order[count++] = i;
}

saddle_status saddle__dissect(saddle_context *context, const saddle__graph *g, const int64_t *weight, int attempt,
                              int64_t *order, int64_t *vertices)
{
    int64_t labels = 0;
    scratch s = {.label = saddle_allocate(context, g->nodes, sizeof(*s.label)),
                 .weight = saddle_allocate(context, g->nodes, sizeof(*s.weight)),
                 .order = saddle_allocate(context, g->nodes, sizeof(*s.order)),
                 .head = saddle_allocate(context, g->nodes, sizeof(*s.head)),
                 .next = saddle_allocate(context, g->nodes, sizeof(*s.next))};
    saddle_status status = s.label && s.weight && s.order && s.head && s.next ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) status = saddle__coarse_labels(context, g, weight, s.label, &labels);
    if (status == SADDLE_OK) status = saddle__graph_quotient(context, g, labels, s.label, &s.quotient);
    if (status == SADDLE_OK) {
        for (int64_t i = 0; i < g->nodes; i++) s.weight[s.label[i]] += weight[i];
        status = dissect(context, &s.quotient, s.weight, attempt, s.order);
    }
    if (status == SADDLE_OK) expand(g->nodes, labels, &s, order);
    *vertices = labels;
    saddle__graph_clear(context, &s.quotient);
    saddle_release(context, s.label);
    saddle_release(context, s.weight);
    saddle_release(context, s.order);
    saddle_release(context, s.head);
    saddle_release(context, s.next);
    return status;
}
