/* SPDX-License-Identifier: MIT */
/* Groups with nearly the same neighbours merged, for METIS: a tie on one of a node's three
 * velocities gives that one a few neighbours more, and what is one vertex of a mesh's graph
 * elsewhere comes as three.  Taken together again the graph is small and regular, which METIS
 * answers with less fill, in a third of the time (hexahedra with random ties); L is computed for
 * the exact pattern all the same.
 *
 * Two groups are merged that are neighbours and have the same least of two hashes over their
 * neighbourhoods (Broder, On the resemblance and containment of documents, 1997: the chance of that
 * is the share in common), and whose neighbourhoods, counted in nodes, have nine tenths in
 * common. */
#include "ldlt/ldlt_internal.h"

static const double alike_share = 0.9;

typedef struct coarsening {
    const saddle__graph *g;
    const int64_t *weight;
    uint64_t *least[2]; /* of each vertex: least hash over its neighbourhood */
    int64_t *seen;      /* who saw the vertex last */
} coarsening;

static uint64_t hash(int64_t i, uint64_t salt)
{
    uint64_t x = (uint64_t)i + salt;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* scratch: a hash of each vertex */
static void find_least(coarsening *c, uint64_t *scratch)
{
    static const uint64_t salt[2] = {0x9e3779b97f4a7c15u, 0xd1b54a32d192ed03u};
    const saddle__graph *g = c->g;
    for (int h = 0; h < 2; h++) {
        for (int64_t i = 0; i < g->nodes; i++) scratch[i] = hash(i, salt[h]);
        for (int64_t i = 0; i < g->nodes; i++) {
            uint64_t least = scratch[i];
            for (int64_t k = g->start[i]; k < g->start[i + 1]; k++)
                if (scratch[g->node[k]] < least) least = scratch[g->node[k]];
            c->least[h][i] = least;
        }
    }
}

/* Marks the neighbourhood of i, i included; its weight. */
static int64_t mark(coarsening *c, int64_t i)
{
    const saddle__graph *g = c->g;
    int64_t sum = c->weight[i];
    c->seen[i] = i;
    for (int64_t k = g->start[i]; k < g->start[i + 1]; k++) {
        c->seen[g->node[k]] = i;
        sum += c->weight[g->node[k]];
    }
    return sum;
}

/* Whether j's neighbourhood is nearly that of i, whose weight is given and which is marked. */
static int nearly_alike(const coarsening *c, int64_t i, int64_t weight, int64_t j)
{
    const saddle__graph *g = c->g;
    int64_t own = c->weight[j];
    int64_t common = c->weight[j];
    for (int64_t k = g->start[j]; k < g->start[j + 1]; k++) {
        int64_t w = c->weight[g->node[k]];
        own += w;
        if (c->seen[g->node[k]] == i) common += w;
    }
    return (double)common >= alike_share * (double)(weight + own - common);
}

static int64_t label_vertices(coarsening *c, int64_t *label)
{
    const saddle__graph *g = c->g;
    for (int64_t i = 0; i < g->nodes; i++) label[i] = c->seen[i] = -1;
    int64_t labels = 0;
    for (int64_t i = 0; i < g->nodes; i++) {
        if (label[i] >= 0) continue;
        label[i] = labels++;
        int64_t weight = 0; /* of i's neighbourhood, once marked */
        for (int64_t k = g->start[i]; k < g->start[i + 1]; k++) {
            int64_t j = g->node[k];
            if (label[j] >= 0 ||
                (c->least[0][i] != c->least[0][j] && c->least[1][i] != c->least[1][j]))
                continue;
            if (weight == 0) weight = mark(c, i);
            if (nearly_alike(c, i, weight, j)) label[j] = label[i];
        }
    }
    return labels;
}

saddle_status saddle__coarse_labels(saddle_context *context, const saddle__graph *g,
                                    const int64_t *weight, int64_t *label, int64_t *labels)
{
    coarsening c = {.g = g,
                    .weight = weight,
                    .least = {saddle_allocate(context, g->nodes, sizeof(**c.least)),
                              saddle_allocate(context, g->nodes, sizeof(**c.least))},
                    .seen = saddle_allocate(context, g->nodes, sizeof(*c.seen))};
    uint64_t *scratch = saddle_allocate(context, g->nodes, sizeof(*scratch));
    int made = c.least[0] && c.least[1] && c.seen && scratch;
    if (made) {
        find_least(&c, scratch);
        *labels = label_vertices(&c, label);
    }
    saddle_release(context, c.least[0]);
    saddle_release(context, c.least[1]);
    saddle_release(context, c.seen);
    saddle_release(context, scratch);
    return made ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}
