/* SPDX-License-Identifier: MIT */
/* See local_pivoting.h. */
#include "complementarity/local_pivoting.h"

#include <string.h>

#include "base/unset.h"

/* Nodes: so many, and one in so many rows; values of their columns for each row.  Rows that begin:
 * half as many. */
enum { LEAST_NODES = 64, ROWS_TO_ONE = 64, COLUMN_VALUES = 4 };

/* Of the rows broken at first, so many leave one to the next step over all rows; steps, at most. */
enum { TO_ONE_LEFT = 64, MOST_STEPS = 64 };

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
    void *arrays[] = {s->place, s->row, s->node,   s->origin, s->factored, s->left,  s->lambda0,
                      s->w0,    s->at,  s->active, s->z,      s->broken,   s->index, s->value};
    for (size_t k = 0; k < sizeof(arrays) / sizeof(*arrays); k++)
        saddle_release(s->context, arrays[k]);
    memset(s, 0, sizeof(*s));
}

static saddle_status allocate(saddle__local_pivoting *s, int64_t nodes)
{
    s->place = saddle__allocate_unset(s->context, s->m, sizeof(*s->place));
    s->row = saddle__allocate_unset(s->context, s->m, sizeof(*s->row));
    s->node = saddle__allocate_unset(s->context, s->m, sizeof(*s->node));
    s->origin = saddle__allocate_unset(s->context, s->m, sizeof(*s->origin));
    s->factored = saddle__allocate_unset(s->context, s->m, sizeof(*s->factored));
    s->left = saddle__allocate_unset(s->context, s->m, sizeof(*s->left));
    s->lambda0 = saddle__allocate_unset(s->context, s->m, sizeof(*s->lambda0));
    s->w0 = saddle__allocate_unset(s->context, s->m, sizeof(*s->w0));
    s->index = saddle__allocate_unset(s->context, s->m, sizeof(*s->index));
    s->value = saddle__allocate_unset(s->context, s->m, sizeof(*s->value));
    s->at = saddle_allocate(s->context, nodes, sizeof(*s->at));
    s->active = saddle_allocate(s->context, nodes, sizeof(*s->active));
    s->z = saddle_allocate(s->context, nodes, sizeof(*s->z));
    s->broken = saddle_allocate(s->context, nodes, sizeof(*s->broken));
    int made = s->place && s->row && s->node && s->origin && s->factored && s->left && s->lambda0 &&
               s->w0 && s->index && s->value && s->at && s->active && s->z && s->broken;
    for (int64_t i = 0; made && i < s->m; i++) s->place[i] = -1;
    return made ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

saddle_status saddle__local_pivoting_create(saddle_context *context, int64_t m,
                                            saddle__local_pivoting *s)
{
    saddle__local_pivoting fresh = {.context = context, .m = m};
    *s = fresh;
    int64_t nodes = most_nodes(m);
    saddle_status status = allocate(s, nodes);
    if (status == SADDLE_OK) status = saddle__clusters_create(context, nodes, &s->clusters);
    if (status == SADDLE_OK)
        status = saddle__ldlt_nearby_create(context, m, nodes, COLUMN_VALUES * m, &s->nearby);
    if (status != SADDLE_OK) saddle__local_pivoting_clear(s);
    s->nearby.Y.drop = drop;
    return status;
}

/* ---- rows and nodes ---- */

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
    if (is_factored(s, i))
        saddle__ldlt_nearby_feel(&s->nearby, saddle__part_node(s->system.part, i));
}

/* from: next to which row */
static void touch(saddle__local_pivoting *s, int64_t i, int64_t from)
{
    if (s->place[i] >= 0) return;
    int64_t at = s->touched;
    s->row[at] = i;
    s->node[at] = -1;
    s->origin[at] = i == from ? at : s->place[from];
    s->factored[at] = is_factored(s, i) != 0;
    s->left[at] = 0;
    s->lambda0[at] = s->lambda[i];
    s->w0[at] = s->pivoting->w[i];
    s->place[i] = s->touched++;
    feel(s, i);
    for (int64_t k = 0; !s->factored[at] && k < degree(s, i); k++)
        feel(s, neighbour(s, i, k)); /* which w_i needs */
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
        T[k] = corner(s, t, u[k]) -
               s->system.sign * saddle__ldlt_reached_with_loaded(&s->nearby.Y, u[k]);
}

static int is_node(const saddle__local_pivoting *s, int64_t i)
{
    return s->place[i] >= 0 && s->node[s->place[i]] >= 0;
}

/* Of the cluster that a row touched is in or next to. */
static saddle__local_broken *broken_near(saddle__local_pivoting *s, int64_t at)
{
    int64_t t = s->node[at] >= 0 ? s->node[at] : s->node[s->origin[at]];
    return &s->broken[s->clusters.home[t]];
}

/* The clusters of t and of row j, where that is a node. */
static int join(saddle__local_pivoting *s, int64_t t, int64_t j)
{
    if (!is_node(s, j)) return 1;
    int64_t own = s->clusters.home[t];
    int64_t other = s->clusters.home[s->node[s->place[j]]];
    if (own == other) return 1;
    saddle__local_broken of = {.least = s->broken[own].least + s->broken[other].least,
                               .now = s->broken[own].now + s->broken[other].now,
                               .moved = s->broken[own].moved + s->broken[other].moved,
                               .last = -1};
    if (!saddle__clusters_join(&s->clusters, own, other, couple, s)) return 0;
    s->broken[s->clusters.home[t]] = of;
    return 1;
}

/* Node t and those next to it, and next to these. */
static int join_neighbours(saddle__local_pivoting *s, int64_t t)
{
    int64_t i = s->row[s->at[t]];
    for (int64_t k = 0; k < degree(s, i); k++) {
        int64_t j = neighbour(s, i, k);
        if (!join(s, t, j)) return 0;
        for (int64_t l = 0; l < degree(s, j); l++)
            if (!join(s, t, neighbour(s, j, l))) return 0;
    }
    return 1;
}

/* Row i, touched, becomes a node.  0: there is no room. */
static int add_node(saddle__local_pivoting *s, int64_t i)
{
    int64_t t = s->clusters.count;
    int64_t at = s->place[i];
    int64_t entries = make_column(s, i);
    if (t >= s->clusters.capacity ||
        !saddle__ldlt_nearby_add(&s->nearby, entries, s->index, s->value))
        return 0;
    double own = s->factored[at] ? 0.0 : saddle__local_own_entry(&s->system, i);
    saddle__clusters_add(&s->clusters,
                         own - s->system.sign * saddle__ldlt_reached_with_loaded(&s->nearby.Y, t));
    saddle__local_broken none = {.last = -1};
    s->broken[t] = none;
    s->node[at] = t;
    s->at[t] = at;
    return join_neighbours(s, t);
}

/* Basic rows that border the factor are nodes as soon as they are touched, and touch others
 * then. */
static int add_outsiders(saddle__local_pivoting *s, int64_t from)
{
    for (int64_t at = from; at < s->touched; at++) {
        int64_t i = s->row[at];
        if (s->factored[at] || s->node[at] >= 0 || s->pivoting->state[i] != SADDLE__BASIC) continue;
        if (!add_node(s, i)) return 0;
        for (int64_t k = 0; k < degree(s, i); k++) touch(s, neighbour(s, i, k), i);
    }
    return 1;
}

/* Row i is to change its state: it becomes a node, its neighbours are touched.  0: there is no
 * room. */
static int reach_out(saddle__local_pivoting *s, int64_t i)
{
    int64_t from = s->touched;
    touch(s, i, i);
    for (int64_t k = 0; k < degree(s, i); k++) touch(s, neighbour(s, i, k), i);
    return (is_node(s, i) || add_node(s, i)) && add_outsiders(s, from);
}

static void count_first(saddle__local_broken *near)
{
    near->least++;
    near->moved++;
}

/* The first `count` of pivoting->broken, all of them.  0: there was no room for them, but they have
 * moved. */
static int move_all(saddle__local_pivoting *s, int64_t count)
{
    int room = 1;
    for (int64_t k = 0; k < count; k++) {
        int64_t i = s->pivoting->broken[k];
        room = room && reach_out(s, i);
        if (room) count_first(broken_near(s, s->place[i]));
        saddle__pivoting_move(s->pivoting, s->rows, s->lambda, i);
    }
    return room;
}

/* Whether row i, the only one of its cluster that moved in the last step, would go back, as what
 * other clusters do may make it: then it stays until the next step over all rows. */
static int goes_back(saddle__local_pivoting *s, const saddle__local_broken *near, int64_t i)
{
    if (near->last != i ||
        saddle__pivoting_wanted(s->pivoting, s->rows, s->lambda, i) != near->from)
        return 0;
    s->left[s->place[i]] = 1;
    return 1;
}

/* Those of clusters where they are fewer than ever, and the first one of each other.  *moved grows.
 * 0: there was no room for one of them, which has moved. */
static int move_some(saddle__local_pivoting *s, int64_t count, int64_t *moved)
{
    for (int64_t t = 0; t < s->clusters.count; t++) s->broken[t].now = s->broken[t].moved = 0;
    for (int64_t k = 0; k < count; k++) broken_near(s, s->place[s->pivoting->broken[k]])->now++;
    for (int64_t k = 0; k < count; k++) {
        int64_t i = s->pivoting->broken[k];
        saddle__local_broken *near = broken_near(s, s->place[i]);
        int alone = near->now >= near->least;
        if (alone && (near->moved > 0 || goes_back(s, near, i))) continue;
        int room = reach_out(s, i);
        signed char from = s->pivoting->state[i];
        saddle__pivoting_move(s->pivoting, s->rows, s->lambda, i);
        ++*moved;
        if (!room) return 0;
        near = broken_near(s, s->place[i]);
        near->moved++;
        near->last = alone && near->moved == 1 ? i : -1;
        near->from = from;
    }
    for (int64_t t = 0; t < s->clusters.count; t++)
        if (s->broken[t].now < s->broken[t].least) s->broken[t].least = s->broken[t].now;
    return 1;
}

/* ---- a step ---- */

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
        return s->system.sign *
               saddle__ldlt_nearby_change(&s->nearby, saddle__part_node(s->system.part, i));
    return is_node(s, i) ? s->z[s->node[s->place[i]]] : 0.0;
}

/* w_i - w0_i of a row that is not in the factor */
static double change_of_slack(const saddle__local_pivoting *s, int64_t i)
{
    double own = is_node(s, i) ? s->z[s->node[s->place[i]]] : 0.0;
    double sum = own != 0.0 ? saddle__local_own_entry(&s->system, i) * own : 0.0;
    for (int64_t k = 0; k < degree(s, i); k++)
        sum += entry(s, i, k) * change(s, neighbour(s, i, k));
    return sum;
}

/* lambda and w of the rows touched, where the cluster moved: others are told by the next step over
 * all rows. */
static void take_values(saddle__local_pivoting *s)
{
    for (int64_t at = 0; at < s->touched; at++) {
        int64_t i = s->row[at];
        if (broken_near(s, at)->moved == 0) continue;
        if (s->pivoting->state[i] == SADDLE__BASIC)
            s->lambda[i] = s->lambda0[at] + change(s, i);
        else
            s->pivoting->w[i] = s->factored[at] ? -s->z[s->node[at]]
                                                : s->w0[at] + change_of_slack(s, i);
    }
}

/* pivoting->broken: those of these rows that are */
static int64_t find_broken(saddle__local_pivoting *s)
{
    int64_t count = 0;
    for (int64_t at = 0; at < s->touched; at++) {
        int64_t i = s->row[at];
        if (broken_near(s, at)->moved == 0) continue;
        s->pivoting->broken[count] = i;
        count += !s->left[at] & (saddle__pivoting_wanted(s->pivoting, s->rows, s->lambda, i) !=
                                 s->pivoting->state[i]);
    }
    return count;
}

int64_t saddle__local_pivoting_run(saddle__local_pivoting *s, const saddle__local_system *system,
                                   saddle__pivoting *pivoting, const saddle__bounded_rows *rows,
                                   int64_t count, double *lambda)
{
    saddle__ldlt *F = system->part ? saddle__part_at_hand(system->part) : NULL;
    if (!F || count > most_nodes(s->m) / 2) return 0;
    int64_t moved = count;
    s->system = *system;
    s->pivoting = pivoting;
    s->rows = rows;
    s->lambda = lambda;
    s->touched = 0;
    saddle__clusters_begin(&s->clusters);
    saddle__ldlt_nearby_begin(&s->nearby, F);
    int64_t enough = count / TO_ONE_LEFT;
    int goes_on = move_all(s, count);
    for (int step = 1; goes_on && solve(s); step++) {
        take_values(s);
        count = find_broken(s);
        if (count <= enough || step == MOST_STEPS) break;
        goes_on = move_some(s, count, &moved);
    }
    for (int64_t at = 0; at < s->touched; at++) s->place[s->row[at]] = -1;
    return moved;
}
