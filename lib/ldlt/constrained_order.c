/* SPDX-License-Identifier: MIT */
/* Constrained orderings: a constrained group (saddle__late) has a zero or small diagonal, and its
 * pivot is filled by the elimination of a neighbour (docs/theory.md, section 4).
 *
 * Strict.  A maximum bipartite matching assigns each constrained group a partner among its
 * neighbours; the group is delayed until the partner is eliminated.  The pairs are the 2 x 2 pivots
 * of indefinite codes, chosen from the pattern (Duff and Pralet, SIAM J. Matrix Anal. Appl. 27,
 * 2005), but stay separate nodes: most constrained groups keep the place where they fill least.
 * Without a matching the rows inside a part of a mesh may lack rank (checkerboards of hexahedra
 * with one pressure each), and pivots of 1e-10 of their size appear; with a matching, 1e-2.
 *
 * Relaxed.  A constrained group is delayed until some eliminated neighbour has capacity left: one
 * row for each node of a group.  Rows leave a part of a mesh before the part is closed in, and few
 * rows are delayed to the separators: on hexahedra with one row each the factor has METIS' own
 * flops and some percent, where the strict order has nearly twice as many.  Guarantee: none for the
 * pivots.  J's rows within a part may lack rank, regularization then supplies the pivot, and L D L'
 * has errors of epsilon and u / epsilon: enough to refine with while cond(M) u / epsilon << 1,
 * checked by the caller (saddle__factorization_contraction).  With one node of each group spared,
 * irregular meshes keep pivots above 1e-3 for a fifth more flops.
 */
#include "base/layout.h"
#include "ldlt/ldlt_internal.h"

enum { UNSEEN, DELAYED, ELIMINATED };

typedef struct constrained {
    const saddle__graph *g;
    const signed char *late; /* of each group */
    signed char *state;
    int64_t *capacity; /* constrained groups that a group can still serve */
    int64_t *order;    /* the result */
    int64_t count;
    int64_t *partner; /* strict: of a constrained group, or -1: delayed until `ahead` is 0 */
    int64_t *ahead;   /* strict: neighbours able to fill the pivot and not eliminated */
    int64_t *finder;  /* matching: the constrained group whose search reached a group, or -1 */
    int64_t *queue;   /* matching: constrained groups of a search */
    int64_t *place;   /* relaxed: of each group in the order given */
} constrained;

static void lay_out(constrained *c, saddle__pool *pool)
{
    int64_t groups = c->g->nodes;
    int64_t **array[] = {&c->capacity, &c->order, &c->partner, &c->ahead,
                         &c->finder,   &c->queue, &c->place};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        *array[k] = saddle__pool_take(pool, groups, sizeof **array[k]);
    c->state = saddle__pool_take(pool, groups, sizeof *c->state);
}

/* The arrays of c, zero, in one block owned by the caller; NULL: out of memory. */
static void *allocate(saddle_context *context, constrained *c)
{
    saddle__pool pool = {NULL, 0};
    lay_out(c, &pool);
    void *block = saddle__pool_open(context, &pool, 1);
    if (block) lay_out(c, &pool);
    return block;
}

static void eliminate(constrained *c, int64_t x)
{
    c->state[x] = ELIMINATED;
    c->order[c->count++] = x;
    for (int64_t k = c->g->start[x]; k < c->g->start[x + 1]; k++) {
        int64_t y = c->g->node[k];
        if (c->late[y] && saddle__ldlt_fills(c->late, x, y)) c->ahead[y]--;
    }
}

/* ---- the matching ---- */

/* Greedy step: the neighbour of y with capacity and the fewest neighbours.  late: of its kind. */
static void assign_partner(constrained *c, int64_t y, int late)
{
    int64_t least = INT64_MAX;
    for (int64_t k = c->g->start[y]; k < c->g->start[y + 1]; k++) {
        int64_t x = c->g->node[k];
        int64_t degree = c->g->start[x + 1] - c->g->start[x];
        if (c->late[x] != late || c->capacity[x] == 0 || degree >= least) continue;
        c->partner[y] = x;
        least = degree;
    }
    if (c->partner[y] >= 0) c->capacity[c->partner[y]]--;
}

/* Applies the augmenting path ending at x: each group on the path takes the partner found by its
 * search and passes its former partner back, up to `first`, where the search began. */
static void augment(constrained *c, int64_t x, int64_t first)
{
    c->capacity[x]--;
    for (;;) {
        int64_t y = c->finder[x];
        int64_t former = c->partner[y];
        c->partner[y] = x;
        if (y == first) return;
        x = former;
    }
}

/* Visits the neighbours of y and returns a neighbour with capacity, or -1; groups matched to full
 * neighbours join the queue. */
static int64_t visit(constrained *c, int64_t y, int64_t *count)
{
    for (int64_t k = c->g->start[y]; k < c->g->start[y + 1]; k++) {
        int64_t x = c->g->node[k];
        if (c->late[x] || c->finder[x] >= 0) continue;
        c->finder[x] = y;
        if (c->capacity[x] > 0) return x;
        for (int64_t t = c->g->start[x]; t < c->g->start[x + 1]; t++)
            if (c->late[c->g->node[t]] && c->partner[c->g->node[t]] == x)
                c->queue[(*count)++] = c->g->node[t];
    }
    return -1;
}

/* Searches an augmenting path from `first`.  After a failed search all visited groups stay marked:
 * no later path leads through them. */
static void search_path(constrained *c, int64_t first)
{
    int64_t count = 1;
    c->queue[0] = first;
    for (int64_t next = 0; next < count; next++) {
        int64_t x = visit(c, c->queue[next], &count);
        if (x < 0) continue;
        augment(c, x, first);
        for (int64_t t = 0; t <= next; t++)
            for (int64_t k = c->g->start[c->queue[t]]; k < c->g->start[c->queue[t] + 1]; k++)
                c->finder[c->g->node[k]] = -1;
        return;
    }
}

/* Greedy with one row a group, then augmenting paths with one row a node: a group is a node of a
 * mesh, all velocities with the same neighbours, where one row fills its pivot with |J_a|^2 and
 * several rows may cancel.  A group without a partner is redundant.  A velocity without mass may
 * follow a row that follows a velocity with mass, so no cycle arises.  member_start: NULL = groups
 * are single nodes. */
static void match(constrained *c, const int64_t *member_start)
{
    int64_t groups = c->g->nodes;
    for (int64_t x = 0; x < groups; x++) {
        c->capacity[x] = 1;
        c->partner[x] = c->finder[x] = -1;
    }
    for (int64_t y = 0; y < groups; y++)
        if (c->late[y]) assign_partner(c, y, SADDLE__ANY_TIME);
    for (int64_t x = 0; member_start && x < groups; x++)
        c->capacity[x] += member_start[x + 1] - member_start[x] - 1;
    for (int64_t y = 0; y < groups; y++)
        if (c->late[y] && c->partner[y] < 0) search_path(c, y);
    for (int64_t y = 0; y < groups; y++)
        if (c->late[y] == SADDLE__AFTER_NEIGHBOUR && c->partner[y] < 0)
            assign_partner(c, y, SADDLE__AFTER_OTHER_KIND);
}

saddle_status saddle__ldlt_match(saddle_context *context, const saddle__graph *g,
                                 const signed char *late, int64_t *partner)
{
    constrained c = {.g = g, .late = late};
    void *block = allocate(context, &c);
    if (!block) return SADDLE_OUT_OF_MEMORY;
    c.partner = partner;
    match(&c, NULL);
    saddle_release(context, block);
    return SADDLE_OK;
}

/* ---- the strict order ---- */

static int is_ready(const constrained *c, int64_t y)
{
    if (!c->late[y] || c->ahead[y] == 0) return 1;
    return c->partner[y] >= 0 && c->state[c->partner[y]] == ELIMINATED;
}

/* Eliminates `first`, then the delayed groups made ready, and so on. */
static void eliminate_strictly(constrained *c, int64_t first)
{
    int64_t next = c->count;
    eliminate(c, first);
    for (; next < c->count; next++) {
        int64_t x = c->order[next];
        for (int64_t k = c->g->start[x]; k < c->g->start[x + 1]; k++) {
            int64_t y = c->g->node[k];
            if (c->state[y] == DELAYED && is_ready(c, y)) eliminate(c, y);
        }
    }
}

static void order_strictly(constrained *c, const int64_t *order)
{
    for (int64_t y = 0; y < c->g->nodes; y++)
        for (int64_t k = c->g->start[y]; c->late[y] && k < c->g->start[y + 1]; k++)
            c->ahead[y] += saddle__ldlt_fills(c->late, c->g->node[k], y);
    for (int64_t k = 0; k < c->g->nodes; k++) {
        if (is_ready(c, order[k]))
            eliminate_strictly(c, order[k]);
        else
            c->state[order[k]] = DELAYED;
    }
    /* groups left depend on their own kind only: velocities first */
    for (int kind = SADDLE__AFTER_NEIGHBOUR; kind <= SADDLE__AFTER_OTHER_KIND; kind++)
        for (int64_t k = 0; k < c->g->nodes; k++)
            if (c->state[order[k]] == DELAYED && c->late[order[k]] == kind)
                eliminate_strictly(c, order[k]);
}

/* ---- the relaxed order ---- */

/* Assigns y to the eliminated neighbour with the most capacity; 0 = all are full. */
static int take_capacity(constrained *c, int64_t y)
{
    int64_t best = -1;
    for (int64_t k = c->g->start[y]; k < c->g->start[y + 1]; k++) {
        int64_t x = c->g->node[k];
        if (c->late[x] || c->state[x] != ELIMINATED || c->capacity[x] == 0) continue;
        if (best < 0 || c->capacity[x] > c->capacity[best]) best = x;
    }
    if (best >= 0) c->capacity[best]--;
    return best >= 0;
}

/* The neighbour of x delayed for longest, or -1. */
static int64_t first_delayed(const constrained *c, int64_t x)
{
    int64_t first = -1;
    for (int64_t k = c->g->start[x]; k < c->g->start[x + 1]; k++) {
        int64_t y = c->g->node[k];
        if (c->state[y] == DELAYED && (first < 0 || c->place[y] < c->place[first])) first = y;
    }
    return first;
}

static void eliminate_relaxed(constrained *c, int64_t x)
{
    eliminate(c, x);
    while (!c->late[x] && c->capacity[x] > 0) {
        int64_t y = first_delayed(c, x);
        if (y < 0) return;
        c->capacity[x]--;
        eliminate(c, y);
    }
}

static void order_relaxed(constrained *c, const int64_t *order)
{
    for (int64_t k = 0; k < c->g->nodes; k++) {
        if (!c->late[order[k]] || take_capacity(c, order[k]))
            eliminate_relaxed(c, order[k]);
        else
            c->state[order[k]] = DELAYED;
    }
    for (int64_t k = 0; k < c->g->nodes; k++)
        if (c->state[order[k]] == DELAYED) eliminate(c, order[k]);
}

/* ---- both ---- */

saddle_status saddle__ldlt_constrain(saddle_context *context, const saddle__grouping *grouping,
                                     int relaxed, int64_t spared, int64_t *order)
{
    constrained c = {.g = &grouping->graph, .late = grouping->late};
    void *block = allocate(context, &c);
    if (!block) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; relaxed && k < c.g->nodes; k++) {
        int64_t capacity = grouping->start[k + 1] - grouping->start[k] - spared;
        c.capacity[k] = capacity > 1 ? capacity : 1;
        c.place[order[k]] = k;
    }
    if (relaxed) {
        order_relaxed(&c, order);
    } else {
        match(&c, grouping->start);
        order_strictly(&c, order);
    }
    for (int64_t k = 0; k < c.g->nodes; k++) order[k] = c.order[k];
    saddle_release(context, block);
    return SADDLE_OK;
}
