/* SPDX-License-Identifier: MIT */
/* See local_pivoting.h. */
#include "complementarity/local_pivoting.h"

#include <string.h>

#include "base/unset.h"

/* Nodes: so many, and one in so many rows; values of their columns for each row.  Rows that begin: half as many. */
enum { LEAST_NODES = 64, ROWS_TO_ONE = 64, COLUMN_VALUES = 4 };

/* Steps that may pass without a new least number of broken rows; of those at first, so many leave one to the next step over all
 * rows; steps of any kind. */
enum { PATIENCE = 4, TO_ONE_LEFT = 64, MOST_STEPS = 32 };

/* Of a column, what is left out of it: the next step over all rows is exact. */
static const double drop = 1e-3;

static int64_t most_nodes(int64_t m)
{
    return LEAST_NODES + m / ROWS_TO_ONE;
}

void saddle__local_pivoting_clear(saddle__local_pivoting *s)
{
    saddle__ldlt_nearby_clear(&s->nearby);
    saddle__clusters_clear(&s->clusters);
    void *arrays[] = {s->place, s->row,    s->node, s->factored, s->lambda0, s->w0,
                      s->at,    s->active, s->z,    s->index,    s->value};
    for (size_t k = 0; k < sizeof(arrays) / sizeof(*arrays); k++) saddle_release(s->context, arrays[k]);
    memset(s, 0, sizeof(*s));
}

static saddle_status allocate(saddle__local_pivoting *s, int64_t nodes)
{
    s->place = saddle__allocate_unset(s->context, s->m, sizeof(*s->place));
    s->row = saddle__allocate_unset(s->context, s->m, sizeof(*s->row));
    s->node = saddle__allocate_unset(s->context, s->m, sizeof(*s->node));
    s->factored = saddle__allocate_unset(s->context, s->m, sizeof(*s->factored));
    s->lambda0 = saddle__allocate_unset(s->context, s->m, sizeof(*s->lambda0));
    s->w0 = saddle__allocate_unset(s->context, s->m, sizeof(*s->w0));
    s->index = saddle__allocate_unset(s->context, s->m, sizeof(*s->index));
    s->value = saddle__allocate_unset(s->context, s->m, sizeof(*s->value));
    s->at = saddle_allocate(s->context, nodes, sizeof(*s->at));
    s->active = saddle_allocate(s->context, nodes, sizeof(*s->active));
    s->z = saddle_allocate(s->context, nodes, sizeof(*s->z));
    int made = s->place && s->row && s->node && s->factored && s->lambda0 && s->w0 && s->index && s->value && s->at &&
               s->active && s->z;
    for (int64_t i = 0; made && i < s->m; i++) s->place[i] = -1;
    return made ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

saddle_status saddle__local_pivoting_create(saddle_context *context, int64_t m, saddle__local_pivoting *s)
{
    saddle__local_pivoting fresh = {.context = context, .m = m};
    *s = fresh;
    int64_t nodes = most_nodes(m);
    saddle_status status = allocate(s, nodes);
    if (status == SADDLE_OK) status = saddle__clusters_create(context, nodes, &s->clusters);
    if (status == SADDLE_OK) status = saddle__ldlt_nearby_create(context, m, nodes, COLUMN_VALUES * m, &s->nearby);
    if (status != SADDLE_OK) saddle__local_pivoting_clear(s);
    s->nearby.Y.drop = drop;
    return status;
}

/* ---- rows and nodes ---------------------------------------------------------------------------------------------- */

static int64_t degree(const saddle__local_pivoting *s, int64_t i)
{
    return s->system.beside->start[i + 1] - s->system.beside->start[i];
}

/* The k-th row that has an entry with row i, and that entry. */
static int64_t neighbour(const saddle__local_pivoting *s, int64_t i, int64_t k)
{
    return s->system.beside->column[s->system.beside->start[i] + k];
}

static double entry(const saddle__local_pivoting *s, int64_t i, int64_t k)
{
    return s->system.beside->value[s->system.beside->start[i] + k];
}

static int is_factored(const saddle__local_pivoting *s, int64_t i)
{
    if (s->place[i] >= 0) return s->factored[s->place[i]];
    return s->pivoting->state[i] == SADDLE__BASIC && saddle__part_node(s->system.part, i) >= 0;
}

static void feel(saddle__local_pivoting *s, int64_t i)
{
    if (is_factored(s, i)) saddle__ldlt_nearby_feel(&s->nearby, saddle__part_node(s->system.part, i));
}

static void touch(saddle__local_pivoting *s, int64_t i)
{
    if (s->place[i] >= 0) return;
    int64_t at = s->touched;
    s->row[at] = i;
    s->node[at] = -1;
    s->factored[at] = is_factored(s, i) != 0;
    s->lambda0[at] = s->lambda[i];
    s->w0[at] = s->pivoting->w[i];
    s->place[i] = s->touched++;
    feel(s, i);
    for (int64_t k = 0; !s->factored[at] && k < degree(s, i); k++) feel(s, neighbour(s, i, k)); /* which w_i needs */
}

/* The column of N for row i; its entries. */
static int64_t make_column(saddle__local_pivoting *s, int64_t i)
{
    int64_t count = 0;
    if (is_factored(s, i)) {
        s->index[0] = saddle__part_node(s->system.part, i);
        s->value[0] = 1.0;
        return 1;
    }
    for (int64_t k = 0; k < degree(s, i); k++) {
        int64_t j = neighbour(s, i, k);
        if (!is_factored(s, j)) continue;
        s->index[count] = saddle__part_node(s->system.part, j);
        s->value[count++] = entry(s, i, k);
    }
    return count;
}

/* C_tu, t != u */
static double corner(const saddle__local_pivoting *s, int64_t t, int64_t u)
{
    if (s->factored[s->at[t]] || s->factored[s->at[u]]) return 0.0;
    int64_t i = s->row[s->at[t]];
    int64_t j = s->row[s->at[u]];
    for (int64_t k = 0; k < degree(s, i); k++)
        if (neighbour(s, i, k) == j) return entry(s, i, k);
    return 0.0;
}

/* saddle__coupling */
static void couple(void *user, int64_t t, int64_t count, const int64_t *u, double *T)
{
    saddle__local_pivoting *s = user;
    saddle__ldlt_reached_load(&s->nearby.Y, t);
    for (int64_t k = 0; k < count; k++)
        T[k] = corner(s, t, u[k]) - s->system.sign * saddle__ldlt_reached_with_loaded(&s->nearby.Y, u[k]);
}

static int is_node(const saddle__local_pivoting *s, int64_t i)
{
    return s->place[i] >= 0 && s->node[s->place[i]] >= 0;
}

/* Node t and those next to it, and next to these. */
static int join_neighbours(saddle__local_pivoting *s, int64_t t)
{
    int64_t i = s->row[s->at[t]];
    for (int64_t k = 0; k < degree(s, i); k++) {
        int64_t j = neighbour(s, i, k);
        if (is_node(s, j) && !saddle__clusters_join(&s->clusters, t, s->node[s->place[j]], couple, s)) return 0;
        for (int64_t l = 0; l < degree(s, j); l++) {
            int64_t next = neighbour(s, j, l);
            if (is_node(s, next) && !saddle__clusters_join(&s->clusters, t, s->node[s->place[next]], couple, s)) return 0;
        }
    }
    return 1;
}

/* Row i, touched, becomes a node.  0: there is no room. */
static int add_node(saddle__local_pivoting *s, int64_t i)
{
    int64_t t = s->clusters.count;
    int64_t at = s->place[i];
    int64_t entries = make_column(s, i);
    if (t >= s->clusters.capacity || !saddle__ldlt_nearby_add(&s->nearby, entries, s->index, s->value)) return 0;
    double own = s->factored[at] ? 0.0 : saddle__local_own_entry(&s->system, i);
    saddle__clusters_add(&s->clusters, own - s->system.sign * saddle__ldlt_reached_with_loaded(&s->nearby.Y, t));
    s->node[at] = t;
    s->at[t] = at;
    return join_neighbours(s, t);
}

/* Basic rows that border the factor are nodes as soon as they are touched, and touch others then. */
static int add_outsiders(saddle__local_pivoting *s, int64_t from)
{
    for (int64_t at = from; at < s->touched; at++) {
        int64_t i = s->row[at];
        if (s->factored[at] || s->node[at] >= 0 || s->pivoting->state[i] != SADDLE__BASIC) continue;
        if (!add_node(s, i)) return 0;
        for (int64_t k = 0; k < degree(s, i); k++) touch(s, neighbour(s, i, k));
    }
    return 1;
}

/* Row i is to change its state: it becomes a node, its neighbours are touched.  0: there is no room. */
static int reach_out(saddle__local_pivoting *s, int64_t i)
{
    int64_t from = s->touched;
    touch(s, i);
    for (int64_t k = 0; k < degree(s, i); k++) touch(s, neighbour(s, i, k));
    return (is_node(s, i) || add_node(s, i)) && add_outsiders(s, from);
}

/* The first `count` of pivoting->broken.  0: there was no room for all of them, but they have moved. */
static int move_rows(saddle__local_pivoting *s, int64_t count)
{
    int room = 1;
    for (int64_t k = 0; k < count; k++) {
        int64_t i = s->pivoting->broken[k];
        room = room && reach_out(s, i);
        saddle__pivoting_move(s->pivoting, s->rows, s->lambda, i);
    }
    return room;
}

/* ---- a step ------------------------------------------------------------------------------------------------------ */

static int solve(saddle__local_pivoting *s)
{
    for (int64_t t = 0; t < s->clusters.count; t++) {
        int64_t at = s->at[t];
        int64_t i = s->row[at];
        int basic = s->pivoting->state[i] == SADDLE__BASIC;
        double moved = s->lambda[i] - s->lambda0[at];
        s->active[t] = basic != s->factored[at];
        s->z[t] = !s->factored[at] ? (basic ? -s->w0[at] : moved) : (basic ? 0.0 : moved);
    }
    if (!saddle__clusters_solve(&s->clusters, s->active, s->z)) return 0;
    saddle__ldlt_nearby_solve(&s->nearby, s->z);
    return 1;
}

/* dlambda_i of a row that is felt, or is none of the factor's */
static double change(const saddle__local_pivoting *s, int64_t i)
{
    if (is_factored(s, i))
        return s->system.sign * saddle__ldlt_nearby_change(&s->nearby, saddle__part_node(s->system.part, i));
    return is_node(s, i) ? s->z[s->node[s->place[i]]] : 0.0;
}

/* w_i - w0_i of a row that is not in the factor */
static double change_of_slack(const saddle__local_pivoting *s, int64_t i)
{
    double own = is_node(s, i) ? s->z[s->node[s->place[i]]] : 0.0;
    double sum = own != 0.0 ? saddle__local_own_entry(&s->system, i) * own : 0.0;
    for (int64_t k = 0; k < degree(s, i); k++) sum += entry(s, i, k) * change(s, neighbour(s, i, k));
    return sum;
}

/* lambda and w of the rows touched. */
static void take_values(saddle__local_pivoting *s)
{
    for (int64_t at = 0; at < s->touched; at++) {
        int64_t i = s->row[at];
        if (s->pivoting->state[i] == SADDLE__BASIC)
            s->lambda[i] = s->lambda0[at] + change(s, i);
        else
            s->pivoting->w[i] = s->factored[at] ? -s->z[s->node[at]] : s->w0[at] + change_of_slack(s, i);
    }
}

/* pivoting->broken: the rows touched that are */
static int64_t find_broken(saddle__local_pivoting *s)
{
    int64_t count = 0;
    for (int64_t at = 0; at < s->touched; at++) {
        int64_t i = s->row[at];
        s->pivoting->broken[count] = i;
        count += saddle__pivoting_wanted(s->pivoting, s->rows, s->lambda, i) != s->pivoting->state[i];
    }
    return count;
}

int64_t saddle__local_pivoting_run(saddle__local_pivoting *s, const saddle__local_system *system,
                                   saddle__pivoting *pivoting, const saddle__bounded_rows *rows, int64_t count,
                                   double *lambda)
{
    saddle__ldlt *F = system->part ? saddle__part_at_hand(system->part) : NULL;
    if (!F || count > most_nodes(s->m) / 2) return 0;
    int64_t moved = 0;
    int64_t least = INT64_MAX;
    s->system = *system;
    s->pivoting = pivoting;
    s->rows = rows;
    s->lambda = lambda;
    s->touched = 0;
    saddle__clusters_begin(&s->clusters);
    saddle__ldlt_nearby_begin(&s->nearby, F);
    int64_t enough = count / TO_ONE_LEFT;
    int patience = PATIENCE;
    for (int step = 0; step < MOST_STEPS && count > enough && patience > 0; step++) {
        patience = count < least ? PATIENCE : patience - 1;
        if (count < least) least = count;
        moved += count;
        if (!move_rows(s, count) || !solve(s)) break;
        take_values(s);
        count = find_broken(s);
    }
    for (int64_t at = 0; at < s->touched; at++) s->place[s->row[at]] = -1;
    return moved;
}
