/* SPDX-License-Identifier: MIT */
/* Order and supernodes of a very sparse A in one pass: minimum degree on the explicit elimination
 * graph.
 *
 * Eliminating x connects its neighbours N.  Nodes of N without a neighbour elsewhere are eliminated
 * with x and add no fill; nodes of N with the same neighbours elsewhere are merged (mass
 * elimination and indistinguishable nodes: George and Liu, SIAM Review 31, 1989).  x and the nodes
 * eliminated with x are a supernode, the rest of N its rows.  AMD's quotient graph avoids writing N
 * into the lists of N; where degrees stay small, as on chains, trees and stacks of bodies, writing
 * costs less, degrees are exact, and the pass yields tree and rows of L.  The attempt ends, without
 * an order, where degrees or lists grow beyond the limits below.
 *
 * A constrained node (docs/theory.md, section 4) has no degree until its partner is eliminated. */
#include "base/layout.h"
#include "ldlt/costs.h"
#include "ldlt/ldlt_internal.h"

enum {
    USUAL_DEGREE = 40, /* of a node eliminated, at most; beyond, AMD is quicker */
    MOST_DEGREE = 160, /* the same where no other ordering follows */
    MOST_MEAN = 16,    /* neighbours a node, on average, of a graph worth the attempt */
    MOST_GROWTH = 8    /* of the lists */
};

/* DELAYED: constrained; READY: in the list of its degree; DENSE: degree too large; MERGED: into
 * another node */
enum { DELAYED, READY, DENSE, MERGED, ELIMINATED };

typedef struct cell {
    int32_t begin, length, room; /* remaining neighbours, merged nodes once: list[begin ..] */
    int32_t degree;              /* remaining neighbours, all members */
    int32_t next, previous;      /* READY: of the same degree; see put_in */
    int32_t sum;                 /* of the neighbours, to find nodes alike */
} cell;

typedef struct tag {
    int32_t mark; /* the run in which the node was a neighbour last; of an eliminated node, its run;
                     or a stamp */
    int32_t weight; /* members: the node and the nodes merged into it */
} tag;

typedef struct elimination {
    saddle_context *context;
    const saddle__graph *g;
    const signed char *late; /* or NULL */
    saddle__ordered *out;
    saddle__layout layout; /* of the arrays by node */
    cell *cell;
    tag *tag;
    int32_t *member; /* the next node merged, or -1 */
    int32_t *tail;   /* the last of a node's members */
    int32_t stamp;   /* the last stamp given, < -1 */
    signed char *state;
    int64_t size, used, most;      /* of out->list */
    int64_t dense;                 /* DENSE nodes */
    int32_t head[MOST_DEGREE + 1]; /* first READY node of each degree, or -1 */
    int32_t least;                 /* no READY node has a lower degree */
    int32_t highest;               /* MOST_DEGREE or less: the largest degree that is not DENSE */
    int32_t count;                 /* nodes eliminated */
    int64_t *partner;              /* of a constrained node: the neighbour matched to it, or -1 */
    int32_t *served;               /* the inverse: the constrained node matched to a node, or -1 */
    int32_t *ahead;      /* of an unmatched constrained node: neighbours to be eliminated before */
    int32_t orphans;     /* constrained nodes without a match */
    int32_t released[3]; /* of each kind: nodes before this index are released */
} elimination;

/* ---- constraints, and lists by degree ---- */

static int is_free(const elimination *e, int32_t x)
{
    if (!e->late || !e->late[x]) return 1;
    return e->partner[x] >= 0 ? e->state[e->partner[x]] == ELIMINATED : e->ahead[x] <= 0;
}

static void withdraw(elimination *e, int32_t x)
{
    const cell *c = &e->cell[x];
    e->dense -= e->state[x] == DENSE;
    if (e->state[x] != READY) return;
    if (c->next >= 0) e->cell[c->next].previous = c->previous;
    if (c->previous >= 0)
        e->cell[c->previous].next = c->next;
    else
        e->head[-1 - c->previous] = c->next;
}

/* Inserts x at the head of the list of its degree, if unconstrained; `previous` is then -1 -
 * degree. */
static void insert(elimination *e, int32_t x)
{
    cell *c = &e->cell[x];
    int32_t degree = c->degree;
    e->state[x] = (signed char)(!is_free(e, x) ? DELAYED : degree > e->highest ? DENSE : READY);
    e->dense += e->state[x] == DENSE;
    if (e->state[x] != READY) return;
    c->next = e->head[degree];
    c->previous = -1 - degree;
    if (c->next >= 0) e->cell[c->next].previous = x;
    e->head[degree] = x;
    if (degree < e->least) e->least = degree;
}

static void end_delay(elimination *e, int32_t y)
{
    if (e->state[y] == DELAYED) insert(e, y);
}

/* x is the next in the order. */
static void set_eliminated(elimination *e, int32_t x)
{
    e->state[x] = ELIMINATED;
    e->out->order[e->count++] = x;
    if (!e->late) return;
    if (e->served[x] >= 0) end_delay(e, e->served[x]);
    for (int64_t k = e->g->start[x]; e->orphans > 0 && k < e->g->start[x + 1]; k++) {
        int32_t y = e->g->node[k];
        if (e->late[y] && e->partner[y] < 0 && saddle__ldlt_fills(e->late, x, y) &&
            --e->ahead[y] == 0)
            end_delay(e, y);
    }
}

/* x, removed from its list before, and its members. */
static void eliminate_members(elimination *e, int32_t x)
{
    int32_t run = (int32_t)e->out->runs;
    for (int32_t y = x; y >= 0; y = e->member[y]) {
        e->tag[y].mark = run;
        set_eliminated(e, y);
    }
}

/* ---- one elimination ---- */

/* Removes nodes marked `mark` from y's list. */
static void remove_marked(elimination *e, int32_t y, int32_t mark)
{
    cell *c = &e->cell[y];
    int32_t *list = e->out->list + c->begin;
    int32_t kept = 0;
    int32_t degree = 0;
    uint32_t sum = 0;
    for (int32_t k = 0; k < c->length; k++) {
        int32_t z = list[k];
        tag t = e->tag[z];
        int32_t stays = t.mark != mark; /* no branch: the outcome is random */
        list[kept] = z;
        kept += stays;
        degree += t.weight & -stays;
        sum += (uint32_t)(z & -stays);
    }
    c->length = kept;
    c->degree = degree;
    c->sum = (int32_t)(sum & INT32_MAX);
}

/* Makes room for more entries in list. */
static saddle_status make_room(elimination *e, int32_t room)
{
    if (e->used + room <= e->size) return SADDLE_OK;
    int64_t size = e->size + e->size / 2 + room;
    if (size > e->most) return SADDLE_TOO_LARGE;
    int32_t *grown = saddle_reallocate(e->context, e->out->list, size, sizeof *grown);
    if (!grown) return SADDLE_OUT_OF_MEMORY;
    e->out->list = grown;
    e->size = size;
    return SADDLE_OK;
}

/* Adds the others of N (count nodes of `weight` members) to the list of y, number `own` of N; a
 * list without room is moved. */
static saddle_status join(elimination *e, int32_t y, int64_t begin, int32_t own, int32_t count,
                          int32_t weight)
{
    cell *c = &e->cell[y];
    if (count == 1) return SADDLE_OK;
    int32_t length = c->length + count - 1;
    if (length > c->room) {
        SADDLE__TRY(make_room(e, length + 2));
        int32_t *list = e->out->list;
        for (int32_t k = 0; k < c->length; k++) list[e->used + k] = list[c->begin + k];
        c->begin = (int32_t)e->used;
        c->room = length + 2;
        e->used += c->room;
    }
    int32_t *to = e->out->list + c->begin + c->length;
    const int32_t *from = e->out->list + begin;
    for (int32_t k = 0; k < count - 1; k++) to[k] = from[k];
    int32_t place = own < count - 1 ? own : 0; /* the last node replaces y: no branch, as above */
    to[place] = own < count - 1 ? from[count - 1] : from[0];
    c->length = length;
    c->degree += weight - e->tag[y].weight;
    return SADDLE_OK;
}

/* Eliminates the neighbours of x without other neighbours.  Returns the number of the rest, moved
 * to the front. */
static int32_t eliminate_with(elimination *e, int32_t x)
{
    int32_t *list = e->out->list + e->cell[x].begin;
    int32_t count = e->cell[x].length;
    for (int again = 1; again;) {
        int32_t left = 0;
        again = 0;
        for (int32_t k = 0; k < count; k++) {
            int32_t y = list[k];
            if (e->cell[y].length > 0 || !is_free(e, y)) {
                list[left++] = y;
                continue;
            }
            withdraw(e, y);
            eliminate_members(e, y);
            again = e->late != NULL; /* y may be a partner */
        }
        count = left;
    }
    return count;
}

/* Whether the neighbours y and z have the same neighbours elsewhere; their sums are equal. */
static int alike(elimination *e, int32_t y, int32_t z)
{
    const cell *a = &e->cell[y];
    const cell *b = &e->cell[z];
    if (a->length != b->length || !is_free(e, y) || !is_free(e, z)) return 0;
    e->stamp--;
    for (int32_t k = 0; k < a->length; k++) e->tag[e->out->list[a->begin + k]].mark = e->stamp;
    for (int32_t k = 0; k < b->length; k++)
        if (e->tag[e->out->list[b->begin + k]].mark != e->stamp) return 0;
    return 1;
}

/* z becomes a member of y and is removed from the lists of the common neighbours. */
static void merge(elimination *e, int32_t y, int32_t z)
{
    const cell *c = &e->cell[z];
    withdraw(e, z);
    e->state[z] = MERGED;
    e->member[e->tail[y]] = z;
    e->tail[y] = e->tail[z];
    e->tag[y].weight += e->tag[z].weight;
    for (int32_t k = 0; k < c->length; k++) {
        cell *other = &e->cell[e->out->list[c->begin + k]];
        int32_t *list = e->out->list + other->begin;
        int32_t t = 0;
        while (list[t] != z) t++;
        list[t] = list[--other->length];
    }
}

/* Merges nodes of N that are alike.  Returns the number of the rest, moved to the front. */
static int32_t merge_alike(elimination *e, int32_t *list, int32_t count)
{
    int32_t sum[MOST_DEGREE];
    for (int32_t k = 0; k < count; k++) sum[k] = e->cell[list[k]].sum;
    for (int32_t k = 0; k + 1 < count; k++) {
        for (int32_t t = k + 1; t < count; t++) {
            if (sum[t] != sum[k] || !alike(e, list[k], list[t])) continue;
            merge(e, list[k], list[t]);
            count--;
            list[t] = list[count];
            sum[t] = sum[count];
            t--;
        }
    }
    return count;
}

/* The rows of the current run: the members of N, `weight` of them. */
static saddle_status describe_rows(elimination *e, const cell *N, int32_t weight)
{
    saddle__ordered *out = e->out;
    int32_t run = (int32_t)out->runs;
    out->run_rows[run] = weight;
    out->run_list[run] = N->begin;
    if (weight == N->length) return SADDLE_OK;
    SADDLE__TRY(make_room(e, weight));
    out->run_list[run] = (int32_t)e->used;
    for (int32_t k = 0; k < N->length; k++)
        for (int32_t y = out->list[N->begin + k]; y >= 0; y = e->member[y])
            out->list[e->used++] = y;
    return SADDLE_OK;
}

/* The next run: x and the nodes eliminated with x.  SADDLE_TOO_LARGE, without a message, where the
 * lists grow too long. */
static saddle_status eliminate(elimination *e, int32_t x)
{
    saddle__ordered *out = e->out;
    int32_t run = (int32_t)out->runs;
    cell *c = &e->cell[x];
    int32_t weight = 0;
    out->run_begin[run] = e->count;
    withdraw(e, x);
    e->tag[x].mark = run;
    for (int32_t k = 0; k < c->length; k++) e->tag[out->list[c->begin + k]].mark = run;
    for (int32_t k = 0; k < c->length; k++) remove_marked(e, out->list[c->begin + k], run);
    eliminate_members(e, x);
    c->length = eliminate_with(e, x);
    c->length = merge_alike(e, out->list + c->begin, c->length);
    for (int32_t k = 0; k < c->length; k++) weight += e->tag[out->list[c->begin + k]].weight;
    saddle_status status = describe_rows(e, c, weight);
    for (int32_t k = 0; k < c->length && status == SADDLE_OK; k++) {
        int32_t y = out->list[c->begin + k];
        withdraw(e, y);
        status = join(e, y, c->begin, k, c->length, weight);
        insert(e, y);
    }
    out->runs++;
    return status;
}

/* A node without neighbours. */
static void eliminate_alone(elimination *e, int32_t x)
{
    saddle__ordered *out = e->out;
    out->run_begin[out->runs] = e->count;
    out->run_list[out->runs] = out->run_rows[out->runs] = 0;
    e->tag[x].mark = (int32_t)out->runs++;
    set_eliminated(e, x);
}

/* ---- all ---- */

/* Releases a constrained node whose partner can never be eliminated, velocities first.  0 = no node
 * is left. */
static int release_one(elimination *e)
{
    for (int kind = SADDLE__AFTER_NEIGHBOUR; e->late && kind <= SADDLE__AFTER_OTHER_KIND; kind++) {
        for (; e->released[kind] < e->g->nodes; e->released[kind]++) {
            int32_t y = e->released[kind];
            if (e->state[y] != DELAYED || e->late[y] != kind) continue;
            e->partner[y] = -1;
            e->ahead[y] = 0;
            insert(e, y);
            return 1;
        }
    }
    return 0;
}

static void find_constraints(elimination *e)
{
    const saddle__graph *g = e->g;
    for (int64_t x = 0; x < g->nodes; x++) e->served[x] = -1;
    for (int64_t y = 0; y < g->nodes; y++) {
        if (!e->late[y]) continue;
        if (e->partner[y] >= 0) {
            e->served[e->partner[y]] = (int32_t)y;
            continue;
        }
        e->orphans++;
        for (int64_t k = g->start[y]; k < g->start[y + 1]; k++)
            e->ahead[y] += saddle__ldlt_fills(e->late, g->node[k], y);
    }
}

static saddle_status begin(elimination *e)
{
    const saddle__graph *g = e->g;
    int64_t n = g->nodes;
    e->size = g->start[n] + g->start[n] / 2;
    e->most = MOST_GROWTH * (g->start[n] + n);
    saddle__ordered *out = e->out;
    const int64_t constrained = e->late ? n : 0;
    const saddle__array arrays[] = {SADDLE__ARRAY(e->cell, n),
                                    SADDLE__ARRAY(e->tag, n),
                                    SADDLE__ARRAY(e->member, n),
                                    SADDLE__ARRAY(e->tail, n),
                                    SADDLE__ARRAY(e->state, n),
                                    SADDLE__ARRAY(e->partner, constrained),
                                    SADDLE__ARRAY(e->served, constrained),
                                    SADDLE__ARRAY(e->ahead, constrained)};
    e->layout.tight = 1;
    SADDLE__TRY(saddle__layout_make(e->context, &e->layout, arrays, SADDLE__LENGTH(arrays)));
    out->list = saddle__allocate_unset(e->context, e->size, sizeof *out->list);
    out->run_begin = saddle__allocate_unset(e->context, 4 * (n + 1), sizeof *out->run_begin);
    if (!out->list || !out->run_begin) return SADDLE_OUT_OF_MEMORY;
    out->run_list = out->run_begin + n + 1;
    out->run_rows = out->run_list + n + 1;
    out->run_parent = out->run_rows + n + 1;
    if (e->late) {
        SADDLE__TRY(saddle__ldlt_match(e->context, g, e->late, e->partner));
        find_constraints(e);
    }
    e->used = g->start[n];
    for (int64_t k = 0; k < e->used; k++) e->out->list[k] = g->node[k];
    for (int64_t d = 0; d <= MOST_DEGREE; d++) e->head[d] = -1;
    for (int64_t x = 0; x < n; x++) {
        cell *c = &e->cell[x];
        c->begin = (int32_t)g->start[x];
        c->length = c->room = c->degree = (int32_t)(g->start[x + 1] - g->start[x]);
        e->tag[x] = (tag){-1, 1};
        e->member[x] = -1;
        e->tail[x] = (int32_t)x;
        if (c->length == 0)
            eliminate_alone(e, (int32_t)x);
        else
            insert(e, (int32_t)x);
    }
    return SADDLE_OK;
}

/* The parent of a run is the run of the first of its rows; an eliminated node carries the mark of
 * its run. */
static void describe(const elimination *e)
{
    saddle__ordered *out = e->out;
    out->run_begin[out->runs] = e->count;
    for (int64_t r = 0; r < out->runs; r++) {
        const int32_t *row = out->list + out->run_list[r];
        double u = out->run_rows[r];
        double k = out->run_begin[r + 1] - out->run_begin[r];
        int32_t parent = -1;
        for (int32_t t = 0; t < out->run_rows[r]; t++)
            if (parent < 0 || e->tag[row[t]].mark < parent) parent = e->tag[row[t]].mark;
        out->run_parent[r] = parent;
        out->entries += saddle__front_entries(k, u);
        out->flops += saddle__front_flops(k, u);
    }
}

saddle_status saddle__minimum_degree(saddle_context *context, const saddle__graph *g,
                                     const signed char *late, int only, saddle__ordered *ordered)
{
    elimination e = {.context = context, .g = g, .out = ordered, .stamp = -1};
    e.highest = only ? MOST_DEGREE : USUAL_DEGREE;
    int64_t entries = g->start[g->nodes];
    if (entries > MOST_MEAN * g->nodes || entries + g->nodes > INT32_MAX / MOST_GROWTH)
        return SADDLE_OK;
    for (int64_t i = 0; late && i < g->nodes; i++)
        if (late[i]) e.late = late;
    saddle_status status = begin(&e);
    while (status == SADDLE_OK && e.count < g->nodes) {
        while (e.least <= e.highest && e.head[e.least] < 0) e.least++;
        if (e.least <= e.highest)
            status = eliminate(&e, e.head[e.least]);
        else if (e.dense > 0 || !release_one(&e))
            break;
    }
    if (status == SADDLE_OK && e.count == g->nodes) {
        describe(&e);
    } else { /* given up */
        saddle__release_all(context, ordered->run_begin, ordered->list);
        ordered->run_begin = ordered->list = NULL;
        ordered->runs = 0;
    }
    if (status == SADDLE_TOO_LARGE) status = SADDLE_OK; /* the lists grew too long */
    saddle__layout_clear(context, &e.layout);
    return status;
}
