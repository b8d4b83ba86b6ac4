/* SPDX-License-Identifier: MIT */
/* The eager order: a late group waits for any neighbour that serves fewer late ones than it has
 * nodes, the first that comes by, instead of for a partner of its own (waiting.c).
 *
 * Three rows may follow one node of a mesh at once, so that rows leave a part of the mesh before it
 * is closed in, and few wait for the nodes that separate it from others: on hexahedra with one row
 * each the factor is METIS' own but for some percent, where partners nearly double its flops.  The
 * price: J's rows within a part may lack rank (on a regular grid the constants and checkerboards
 * over a closed-in part, exactly), and then a pivot is what regularization makes it.  L D L' are
 * the factors of a matrix that differs by epsilon, with rounding grown to u / epsilon: good enough
 * to refine with while cond(M) u / epsilon << 1.  Who asks for this order has to look
 * (saddle__factorization_contraction).  With one node of each group spared irregular meshes keep
 * their pivots above 1e-3, for a fifth more flops.
 */
#include "ldlt/ldlt_internal.h"

enum { UNSEEN = 0, WAITING = 1, OUT = 2 };

typedef struct eagerness {
    const saddle__graph *g;
    const signed char *late; /* of each group */
    signed char *state;
    int64_t *room;  /* late ones that a group may still serve */
    int64_t *place; /* of each group in the order given */
    int64_t *order; /* what came out */
    int64_t count;
} eagerness;

static void come_out(eagerness *e, int64_t x)
{
    e->state[x] = OUT;
    e->order[e->count++] = x;
}

/* y takes up the neighbour that is out and has most room; 0 = none has. */
static int take_room(eagerness *e, int64_t y)
{
    int64_t best = -1;
    for (int64_t k = e->g->start[y]; k < e->g->start[y + 1]; k++) {
        int64_t x = e->g->node[k];
        if (e->late[x] || e->state[x] != OUT || e->room[x] == 0) continue;
        if (best < 0 || e->room[x] > e->room[best]) best = x;
    }
    if (best < 0) return 0;
    e->room[best]--;
    return 1;
}

/* The neighbour of x that has waited longest, -1 = none waits. */
static int64_t longest_waiting(const eagerness *e, int64_t x)
{
    int64_t first = -1;
    for (int64_t k = e->g->start[x]; k < e->g->start[x + 1]; k++) {
        int64_t y = e->g->node[k];
        if (e->state[y] == WAITING && (first < 0 || e->place[y] < e->place[first])) first = y;
    }
    return first;
}

static void put_out(eagerness *e, int64_t x)
{
    come_out(e, x);
    while (!e->late[x] && e->room[x] > 0) {
        int64_t y = longest_waiting(e, x);
        if (y < 0) return;
        e->room[x]--;
        come_out(e, y);
    }
}

int saddle__ldlt_may_hurry(const saddle__grouping *grouping)
{
    int any = 0;
    for (int64_t x = 0; x < grouping->graph.nodes; x++) {
        if (grouping->late[x] == SADDLE__AFTER_NEIGHBOUR) return 0;
        any |= grouping->late[x];
    }
    return any != 0;
}

saddle_status saddle__ldlt_hurry(saddle_context *context, const saddle__grouping *grouping,
                                 int64_t spared, int64_t *order)
{
    int64_t groups = grouping->graph.nodes;
    eagerness e = {.g = &grouping->graph,
                   .late = grouping->late,
                   .state = saddle_allocate(context, groups, sizeof(*e.state)),
                   .room = saddle_allocate(context, groups, sizeof(*e.room)),
                   .place = saddle_allocate(context, groups, sizeof(*e.place)),
                   .order = saddle_allocate(context, groups, sizeof(*e.order))};
    saddle_status status = e.state && e.room && e.place && e.order ? SADDLE_OK
                                                                   : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) {
        for (int64_t k = 0; k < groups; k++) {
            int64_t room = grouping->start[k + 1] - grouping->start[k] - spared;
            e.room[k] = room > 1 ? room : 1;
            e.place[order[k]] = k;
        }
        for (int64_t k = 0; k < groups; k++) {
            if (!e.late[order[k]] || take_room(&e, order[k]))
                put_out(&e, order[k]);
            else
                e.state[order[k]] = WAITING;
        }
        for (int64_t k = 0; k < groups; k++)
            if (e.state[order[k]] == WAITING) come_out(&e, order[k]);
        for (int64_t k = 0; k < groups; k++) order[k] = e.order[k];
    }
    saddle_release(context, e.state);
    saddle_release(context, e.room);
    saddle_release(context, e.place);
    saddle_release(context, e.order);
    return status;
}
