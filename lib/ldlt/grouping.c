/* SPDX-License-Identifier: MIT */
/* What is ordered: the graph of A with nodes merged that had better be eliminated together.
 *
 * Nodes with the same neighbours, themselves included (the three velocities of a node of a mesh),
 * are merged: the order loses nothing, and the graph becomes several times smaller (Ashcraft, SIAM
 * J. Sci. Comput. 16, 1995).  Late nodes (a constraint row whose diagonal is zero, docs/theory.md
 * section 4) stay by themselves.
 */
#include "ldlt/ldlt_internal.h"

void saddle__grouping_clear(saddle_context *context, saddle__grouping *grouping)
{
    saddle__graph_clear(context, &grouping->graph);
    saddle_release(context, grouping->group);
    saddle_release(context, grouping->start);
    saddle_release(context, grouping->member);
    saddle_release(context, grouping->late);
    saddle__grouping empty = {.group = NULL};
    *grouping = empty;
}

/* Numbers the nodes that are not last; how many. */
static int64_t number_nodes(int64_t n, const signed char *last, int64_t *group)
{
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) group[i] = last && last[i] ? -1 : count++;
    return count;
}

/* ---- alike nodes ---- */

static uint64_t scramble(int64_t i)
{
    uint64_t x = (uint64_t)i + 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* Whether a and b have the same neighbours, each other included.  Those of a, and a, carry seen =
 * a. */
static int alike(const saddle__graph *g, const int64_t *seen, int64_t a, int64_t b)
{
    if (g->start[a + 1] - g->start[a] != g->start[b + 1] - g->start[b] || seen[b] != a) return 0;
    for (int64_t k = g->start[b]; k < g->start[b + 1]; k++)
        if (seen[g->node[k]] != a) return 0;
    return 1;
}

/* label: one for all nodes that are alike, which are then neighbours of each other; their number.
 * single: nodes never merged.  hash, seen: nodes each, scratch. */
static int64_t label_alike(const saddle__graph *g, const signed char *single, uint64_t *hash,
                           int64_t *seen, int64_t *label)
{
    for (int64_t i = 0; i < g->nodes; i++) {
        hash[i] = scramble(i);
        for (int64_t k = g->start[i]; k < g->start[i + 1]; k++) hash[i] += scramble(g->node[k]);
        seen[i] = -1;
        label[i] = -1;
    }
    int64_t labels = 0;
    for (int64_t i = 0; i < g->nodes; i++) {
        if (label[i] >= 0) continue;
        label[i] = labels++;
        if (single[i]) continue;
        int marked = 0;
        for (int64_t k = g->start[i]; k < g->start[i + 1]; k++) {
            int64_t j = g->node[k];
            if (hash[j] != hash[i] || label[j] >= 0 || single[j]) continue;
            for (int64_t t = g->start[i]; !marked && t < g->start[i + 1]; t++) seen[g->node[t]] = i;
            seen[i] = i;
            marked = 1;
            if (alike(g, seen, i, j)) label[j] = label[i];
        }
    }
    return labels;
}

/* ---- together ---- */

/* Scratch over the nodes of the graph at hand. */
typedef struct scratch {
    int64_t *seen, *label;
    uint64_t *hash;
    signed char *single; /* late ones */
} scratch;

/* group <- label of group; graph <- its quotient */
static saddle_status apply_labels(saddle_context *context, int64_t n, int64_t labels,
                                  const int64_t *label, saddle__grouping *grouping)
{
    saddle__graph quotient = {0, NULL, NULL};
    if (labels == grouping->graph.nodes) return SADDLE_OK;
    saddle_status status = saddle__graph_quotient(context, &grouping->graph, labels, label,
                                                  &quotient);
    if (status != SADDLE_OK) {
        saddle__graph_clear(context, &quotient);
        return status;
    }
    for (int64_t i = 0; i < n; i++)
        if (grouping->group[i] >= 0) grouping->group[i] = label[grouping->group[i]];
    saddle__graph_clear(context, &grouping->graph);
    grouping->graph = quotient;
    return SADDLE_OK;
}

static saddle_status list_members(saddle_context *context, int64_t n, const signed char *late,
                                  saddle__grouping *grouping)
{
    int64_t groups = grouping->graph.nodes;
    grouping->start = saddle_allocate(context, groups + 1, sizeof(*grouping->start));
    grouping->member = saddle_allocate(context, n, sizeof(*grouping->member));
    grouping->late = saddle_allocate(context, groups, sizeof(*grouping->late));
    int64_t *fill = saddle_allocate(context, groups, sizeof(*fill));
    if (!grouping->start || !grouping->member || !grouping->late || !fill) {
        saddle_release(context, fill);
        return SADDLE_OUT_OF_MEMORY;
    }
    for (int64_t i = 0; i < n; i++)
        if (grouping->group[i] >= 0) grouping->start[grouping->group[i] + 1]++;
    for (int64_t g = 0; g < groups; g++) grouping->start[g + 1] += grouping->start[g];
    for (int64_t g = 0; g < groups; g++) fill[g] = grouping->start[g];
    for (int64_t i = 0; i < n; i++) {
        int64_t g = grouping->group[i];
        if (g < 0) continue;
        grouping->member[fill[g]++] = i;
        if (late) grouping->late[g] = late[i];
    }
    saddle_release(context, fill);
    return SADDLE_OK;
}

saddle_status saddle__grouping_begin(saddle_context *context, const saddle_matrix *A,
                                     const saddle__ldlt_request *request,
                                     saddle__grouping *grouping)
{
    grouping->group = saddle__allocate_unset(context, A->cols, sizeof(*grouping->group));
    if (!grouping->group) return SADDLE_OUT_OF_MEMORY;
    int64_t nodes = number_nodes(A->cols, request->last, grouping->group);
    return saddle__graph_of(context, A, nodes, nodes < A->cols ? grouping->group : NULL,
                            &grouping->graph);
}

saddle_status saddle__grouping_make(saddle_context *context, const saddle_matrix *A,
                                    const saddle__ldlt_request *request, saddle__grouping *grouping)
{
    int64_t n = A->cols;
    scratch s = {.seen = saddle_allocate(context, n, sizeof(*s.seen)),
                 .label = saddle_allocate(context, n, sizeof(*s.label)),
                 .hash = saddle_allocate(context, n, sizeof(*s.hash)),
                 .single = saddle_allocate(context, n, sizeof(*s.single))};
    saddle_status status = s.seen && s.label && s.hash && s.single ? SADDLE_OK
                                                                   : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) {
        for (int64_t i = 0; request->late && i < n; i++)
            if (grouping->group[i] >= 0) s.single[grouping->group[i]] = request->late[i] != 0;
        int64_t labels = label_alike(&grouping->graph, s.single, s.hash, s.seen, s.label);
        status = apply_labels(context, n, labels, s.label, grouping);
    }
    if (status == SADDLE_OK) status = list_members(context, n, request->late, grouping);
    saddle_release(context, s.seen);
    saddle_release(context, s.label);
    saddle_release(context, s.hash);
    saddle_release(context, s.single);
    return status;
}
