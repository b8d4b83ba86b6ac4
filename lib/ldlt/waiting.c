/* SPDX-License-Identifier: MIT */
/* Keeps zero pivots from coming up before anything has filled them (docs/theory.md section 4):
 * every late group has a partner, a neighbour chosen beforehand that serves nobody else, and waits
 * in the order until its partner is out.
 *
 * It is the 2 x 2 pivots of indefinite codes, chosen from the pattern (Duff and Pralet, SIAM J.
 * Matrix Anal. Appl. 27, 2005), but the two are not merged: the order is made as if nothing had to
 * wait, so that most late groups stay where they fill least.  A partner is fixed before and not the
 * first neighbour that comes by, because what lies inside a part of the mesh can lack rank for the
 * rows inside (the checkerboard of hexahedra with one pressure each): pivots of 1e-10 their size
 * were met that way, 1e-2 this way.  A group here is a node of a mesh, all velocities with the same
 * neighbours: one row on three of them fills its pivot with |J_a|^2, where three rows on one each
 * may cancel, so a second row is put on a group only where no other neighbour is free.
 */
#include "ldlt/ldlt_internal.h"

enum { UNSEEN = 0, WAITING = 1, OUT = 2 };

typedef struct waiting {
    const saddle__graph *g;
    const signed char *late; /* of each group */
    signed char *state;
    int64_t *room;    /* late ones that a group may still serve */
    int64_t *partner; /* of a late group, -1 = none: it waits until all that may fill it are out */
    int64_t *ahead;   /* of a late group: those that may fill it and are not out */
    int64_t *order;   /* what came out */
    int64_t count;
    int64_t *seeker; /* of a group met in a search: the late one that met it, -1 = not met */
    int64_t *queue;  /* late ones in a search */
} waiting;

/* ---- partners ---- */

/* The free neighbour of y with the fewest neighbours.  late: of the kind looked for. */
static void find_partner(waiting *w, int64_t y, int late)
{
    int64_t least = INT64_MAX;
    for (int64_t k = w->g->start[y]; k < w->g->start[y + 1]; k++) {
        int64_t x = w->g->node[k];
        int64_t degree = w->g->start[x + 1] - w->g->start[x];
        if (w->late[x] != late || w->room[x] == 0 || degree >= least) continue;
        w->partner[y] = x;
        least = degree;
    }
    if (w->partner[y] >= 0) w->room[w->partner[y]]--;
}

/* y takes x, who sought y gave up takes what y had, and so on back to the one the search began
 * with. */
static void pass_on(waiting *w, int64_t x, int64_t first)
{
    w->room[x]--;
    for (;;) {
        int64_t y = w->seeker[x];
        int64_t had = w->partner[y];
        w->partner[y] = x;
        if (y == first) return;
        x = had;
    }
}

/* The groups that late y may take up are met; x with room is returned, -1 = none has.  Who is
 * served by those without joins the queue. */
static int64_t meet(waiting *w, int64_t y, int64_t *count)
{
    for (int64_t k = w->g->start[y]; k < w->g->start[y + 1]; k++) {
        int64_t x = w->g->node[k];
        if (w->late[x] || w->seeker[x] >= 0) continue;
        w->seeker[x] = y;
        if (w->room[x] > 0) return x;
        for (int64_t t = w->g->start[x]; t < w->g->start[x + 1]; t++)
            if (w->late[w->g->node[t]] && w->partner[w->g->node[t]] == x)
                w->queue[(*count)++] = w->g->node[t];
    }
    return -1;
}

/* Finds y a partner by letting others change theirs: an augmenting path.  What a search in vain has
 * met stays met: no later one gets further from there. */
static void seek_partner(waiting *w, int64_t first)
{
    int64_t count = 1;
    w->queue[0] = first;
    for (int64_t next = 0; next < count; next++) {
        int64_t x = meet(w, w->queue[next], &count);
        if (x < 0) continue;
        pass_on(w, x, first);
        for (int64_t t = 0; t <= next; t++)
            for (int64_t k = w->g->start[w->queue[t]]; k < w->g->start[w->queue[t] + 1]; k++)
                w->seeker[w->g->node[k]] = -1;
        return;
    }
}

/* A group for each late one, then more on groups of several nodes, then by exchange, as many as the
 * pattern allows: who has none then is redundant.  A velocity without mass may follow a row, which
 * follows a velocity with one: no circle. member_start: NULL = groups are single nodes. */
static void find_partners(waiting *w, const int64_t *member_start)
{
    int64_t groups = w->g->nodes;
    for (int64_t x = 0; x < groups; x++) {
        w->room[x] = 1;
        w->partner[x] = w->seeker[x] = -1;
    }
    for (int64_t y = 0; y < groups; y++)
        if (w->late[y]) find_partner(w, y, SADDLE__ANY_TIME);
    for (int64_t x = 0; member_start && x < groups; x++)
        w->room[x] += member_start[x + 1] - member_start[x] - 1;
    for (int64_t y = 0; y < groups; y++)
        if (w->late[y] && w->partner[y] < 0) seek_partner(w, y);
    for (int64_t y = 0; y < groups; y++)
        if (w->late[y] == SADDLE__AFTER_NEIGHBOUR && w->partner[y] < 0)
            find_partner(w, y, SADDLE__AFTER_OTHER_KIND);
}

saddle_status saddle__ldlt_partners(saddle_context *context, const saddle__graph *g,
                                    const signed char *late, int64_t *partner)
{
    waiting w = {.g = g,
                 .late = late,
                 .room = saddle_allocate(context, g->nodes, sizeof(*w.room)),
                 .partner = partner,
                 .seeker = saddle_allocate(context, g->nodes, sizeof(*w.seeker)),
                 .queue = saddle_allocate(context, g->nodes, sizeof(*w.queue))};
    saddle_status status = w.room && w.seeker && w.queue ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) find_partners(&w, NULL);
    saddle_release(context, w.room);
    saddle_release(context, w.seeker);
    saddle_release(context, w.queue);
    return status;
}

static void count_ahead(waiting *w)
{
    for (int64_t y = 0; y < w->g->nodes; y++)
        for (int64_t k = w->g->start[y]; w->late[y] && k < w->g->start[y + 1]; k++)
            w->ahead[y] += saddle__ldlt_fills(w->late, w->g->node[k], y);
}

/* ---- the order ---- */

static int may_come(const waiting *w, int64_t y)
{
    if (!w->late[y] || w->ahead[y] == 0) return 1;
    return w->partner[y] >= 0 && w->state[w->partner[y]] == OUT;
}

static void come_out(waiting *w, int64_t x)
{
    w->state[x] = OUT;
    w->order[w->count++] = x;
    for (int64_t k = w->g->start[x]; k < w->g->start[x + 1]; k++) {
        int64_t y = w->g->node[k];
        if (w->late[y] && saddle__ldlt_fills(w->late, x, y)) w->ahead[y]--;
    }
}

/* Puts x out, and behind it those that waited for it, and so on. */
static void put_out(waiting *w, int64_t first)
{
    int64_t next = w->count;
    come_out(w, first);
    for (; next < w->count; next++) {
        int64_t x = w->order[next];
        for (int64_t k = w->g->start[x]; k < w->g->start[x + 1]; k++) {
            int64_t y = w->g->node[k];
            if (w->state[y] == WAITING && may_come(w, y)) come_out(w, y);
        }
    }
}

/* Who still waits has waited for one of its kind: velocities first. */
static void put_out_rest(waiting *w, const int64_t *order)
{
    for (int kind = SADDLE__AFTER_NEIGHBOUR; kind <= SADDLE__AFTER_OTHER_KIND; kind++)
        for (int64_t k = 0; k < w->g->nodes; k++)
            if (w->state[order[k]] == WAITING && w->late[order[k]] == kind) put_out(w, order[k]);
}

saddle_status saddle__ldlt_wait(saddle_context *context, const saddle__grouping *grouping,
                                int64_t *order)
{
    int64_t groups = grouping->graph.nodes;
    waiting w = {.g = &grouping->graph,
                 .late = grouping->late,
                 .state = saddle_allocate(context, groups, sizeof(*w.state)),
                 .room = saddle_allocate(context, groups, sizeof(*w.room)),
                 .partner = saddle_allocate(context, groups, sizeof(*w.partner)),
                 .ahead = saddle_allocate(context, groups, sizeof(*w.ahead)),
                 .order = saddle_allocate(context, groups, sizeof(*w.order)),
                 .seeker = saddle_allocate(context, groups, sizeof(*w.seeker)),
                 .queue = saddle_allocate(context, groups, sizeof(*w.queue))};
    saddle_status status = w.state && w.room && w.partner && w.ahead && w.order && w.seeker &&
                                   w.queue
                               ? SADDLE_OK
                               : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) {
        find_partners(&w, grouping->start);
        count_ahead(&w);
        for (int64_t k = 0; k < groups; k++) {
            if (may_come(&w, order[k]))
                put_out(&w, order[k]);
            else
                w.state[order[k]] = WAITING;
        }
        put_out_rest(&w, order);
        for (int64_t k = 0; k < groups; k++) order[k] = w.order[k];
    }
    saddle_release(context, w.state);
    saddle_release(context, w.room);
    saddle_release(context, w.partner);
    saddle_release(context, w.ahead);
    saddle_release(context, w.order);
    saddle_release(context, w.seeker);
    saddle_release(context, w.queue);
    return status;
}
