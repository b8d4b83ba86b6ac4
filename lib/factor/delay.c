/* SPDX-License-Identifier: MIT */
/* Keeps zero pivots from coming up before anything has filled them: a node marked late waits for a
 * neighbour of its own to be eliminated.  Kin of the 2 x 2 pivots that symmetric indefinite codes
 * choose beforehand by a matching; here the matching is made greedily along the order, and who
 * stays without a partner comes last, when everything around has been eliminated. */
#include <string.h>

#include "factor/factorization_internal.h"

typedef struct graph {
    int64_t *start; /* n + 1: neighbours of each node, both triangles, no diagonal */
    int64_t *node;
} graph;

static saddle_status make_graph(saddle_context *context, const saddle_matrix *A, int64_t *fill,
                                graph *g)
{
    int64_t n = A->cols;
    g->start = saddle_allocate(context, n + 1, sizeof(*g->start));
    if (!g->start) return SADDLE_OUT_OF_MEMORY;
    for (int64_t j = 0; j < n; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            if (A->index[k] == j) continue;
            g->start[j + 1]++;
            g->start[A->index[k] + 1]++;
        }
    }
    for (int64_t j = 0; j < n; j++) g->start[j + 1] += g->start[j];
    g->node = saddle_allocate(context, g->start[n], sizeof(*g->node));
    if (!g->node) return SADDLE_OUT_OF_MEMORY;
    memcpy(fill, g->start, (size_t)n * sizeof(*fill));
    for (int64_t j = 0; j < n; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            if (i == j) continue;
            g->node[fill[j]++] = i;
            g->node[fill[i]++] = j;
        }
    }
    return SADDLE_OK;
}

/* SPENT: out, and has filled the pivot of one late neighbour */
enum { UNSEEN = 0, WAITING = 1, OUT = 2, SPENT = 3 };

/* Whether the pivot of x, out, may fill that of the late node i. */
static int fills(const signed char *late, int64_t x, int64_t i)
{
    return late[i] != SADDLE__AFTER_OTHER_KIND || late[x] != SADDLE__AFTER_OTHER_KIND;
}

/* A late node takes up one neighbour that is out and not yet spent: each fills one pivot only, as
 * two rows on one velocity would show.  0 = there is none. */
static int take_partner(const graph *g, const signed char *late, signed char *state, int64_t i)
{
    for (int64_t k = g->start[i]; k < g->start[i + 1]; k++) {
        int64_t x = g->node[k];
        if (state[x] != OUT || !fills(late, x, i)) continue;
        state[x] = SPENT;
        return 1;
    }
    return 0;
}

/* Puts node i out, and behind each node that comes out one that waited for it; the new order's
 * length. */
static int64_t put_out(const graph *g, const signed char *late, signed char *state, int64_t i,
                       int64_t *order, int64_t count)
{
    int64_t next = count;
    order[count++] = i;
    state[i] = OUT;
    for (; next < count; next++) {
        int64_t x = order[next];
        for (int64_t k = g->start[x]; k < g->start[x + 1] && state[x] == OUT; k++) {
            int64_t y = g->node[k];
            if (state[y] != WAITING || !fills(late, x, y)) continue;
            state[x] = SPENT;
            state[y] = OUT;
            order[count++] = y;
        }
    }
    return count;
}

saddle_status saddle__factor_delay(saddle_context *context, const saddle_matrix *A,
                                   const signed char *late, int64_t *order)
{
    int64_t n = A->cols;
    graph g = {NULL, NULL};
    int64_t *old = saddle_allocate(context, n, sizeof(*old));
    signed char *state = saddle_allocate(context, n, sizeof(*state));
    saddle_status status = old && state ? make_graph(context, A, old, &g) : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) {
        memcpy(old, order, (size_t)n * sizeof(*old));
        int64_t count = 0;
        for (int64_t k = 0; k < n; k++) {
            if (late[old[k]] && !take_partner(&g, late, state, old[k]))
                state[old[k]] = WAITING;
            else
                count = put_out(&g, late, state, old[k], order, count);
        }
        for (int64_t k = 0; k < n; k++)
            if (state[old[k]] == WAITING) order[count++] = old[k];
    }
    saddle_release(context, g.start);
    saddle_release(context, g.node);
    saddle_release(context, old);
    saddle_release(context, state);
    return status;
}
