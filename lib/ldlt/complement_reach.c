/* SPDX-License-Identifier: MIT */
/* Which columns of B reach which supernode: column j reaches those on the way from its entries to
 * the roots (Gilbert and Peierls, SIAM J. Sci. Stat. Comput. 9, 1988, for a tree). */
#include "ldlt/complement_internal.h"

static int64_t column_start(const saddle_matrix *B, int64_t j)
{
    return B->start ? B->start[j] : 0;
}

static int64_t supernode_of(const saddle__ldlt *F, int64_t node)
{
    return F->supernode[F->position[node]];
}

/* ---- stations and their columns ---- */

/* count (supernodes) += 1 for each that column j of B reaches; mark: those met carry j + 1 */
static void count_reach(const saddle__ldlt *F, const saddle_matrix *B, int64_t j, int64_t *mark,
                        int64_t *count)
{
    for (int64_t k = column_start(B, j); k < column_start(B, j + 1); k++) {
        for (int64_t s = supernode_of(F, B->index[k]); s >= 0 && mark[s] != j + 1;
             s = F->parent[s]) {
            mark[s] = j + 1;
            count[s]++;
        }
    }
}

static saddle_status make_stations(saddle__ldlt_complement *c, const int64_t *count)
{
    const saddle__ldlt *F = c->F;
    for (int64_t s = 0; s < F->supernodes; s++) c->stations += count[s] > 0;
    c->supernode = saddle_allocate(c->context, c->stations, sizeof(*c->supernode));
    c->column_start = saddle_allocate(c->context, c->stations + 1, sizeof(*c->column_start));
    if (!c->supernode || !c->column_start) return SADDLE_OUT_OF_MEMORY;
    int64_t i = 0;
    for (int64_t s = 0; s < F->supernodes; s++) {
        c->station[s] = count[s] > 0 ? i : -1;
        if (count[s] == 0) continue;
        c->supernode[i] = s;
        c->column_start[i + 1] = c->column_start[i] + count[s];
        i++;
    }
    c->column = saddle_allocate(c->context, c->column_start[c->stations], sizeof(*c->column));
    c->place = saddle_allocate(c->context, c->column_start[c->stations], sizeof(*c->place));
    return c->column && c->place ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

/* Columns come in ascending order by themselves.  fill: supernodes, zero. */
static void list_columns(saddle__ldlt_complement *c, const saddle_matrix *B, int64_t *fill)
{
    const saddle__ldlt *F = c->F;
    for (int64_t j = 0; j < c->m; j++) {
        for (int64_t k = column_start(B, j); k < column_start(B, j + 1); k++) {
            for (int64_t s = supernode_of(F, B->index[k]); s >= 0; s = F->parent[s]) {
                int32_t *column = c->column + c->column_start[c->station[s]];
                if (fill[s] > 0 && column[fill[s] - 1] == j) break;
                column[fill[s]++] = (int32_t)j;
            }
        }
    }
}

/* where (m): scratch */
static void find_places(saddle__ldlt_complement *c, int32_t *where)
{
    const saddle__ldlt *F = c->F;
    for (int64_t i = 0; i < c->stations; i++) {
        for (int64_t t = c->column_start[i]; t < c->column_start[i + 1]; t++)
            where[c->column[t]] = (int32_t)(t - c->column_start[i]);
        for (int64_t s = F->child[c->supernode[i]]; s >= 0; s = F->sibling[s]) {
            int64_t child = c->station[s];
            if (child < 0) continue;
            for (int64_t t = c->column_start[child]; t < c->column_start[child + 1]; t++)
                c->place[t] = where[c->column[t]];
        }
    }
}

/* ---- entries of B ---- */

/* where (m): the column's place at the station at hand; sorted by station first, so that it is
 * filled once for each. fill (stations): scratch. */
static void list_entries(saddle__ldlt_complement *c, const saddle_matrix *B, int64_t *fill,
                         int32_t *where)
{
    const saddle__ldlt *F = c->F;
    for (int64_t i = 0; i < c->stations; i++) fill[i] = c->entry_start[i];
    for (int64_t j = 0; j < c->m; j++) {
        for (int64_t k = column_start(B, j); k < column_start(B, j + 1); k++) {
            int64_t at = fill[c->station[supernode_of(F, B->index[k])]]++;
            c->entry_source[at] = k;
            c->entry_target[at] = j;
        }
    }
    for (int64_t i = 0; i < c->stations; i++) {
        int64_t columns = saddle__station_columns(c, i);
        for (int64_t t = 0; t < columns; t++) where[c->column[c->column_start[i] + t]] = (int32_t)t;
        for (int64_t e = c->entry_start[i]; e < c->entry_start[i + 1]; e++) {
            int64_t k = F->position[B->index[c->entry_source[e]]] - F->first[c->supernode[i]];
            c->entry_target[e] = where[c->entry_target[e]] + k * columns;
        }
    }
}

static saddle_status make_entries(saddle__ldlt_complement *c, const saddle_matrix *B, int64_t *fill,
                                  int32_t *where)
{
    int64_t entries = saddle_matrix_entries(B);
    c->entry_start = saddle_allocate(c->context, c->stations + 1, sizeof(*c->entry_start));
    c->entry_source = saddle_allocate(c->context, entries, sizeof(*c->entry_source));
    c->entry_target = saddle_allocate(c->context, entries, sizeof(*c->entry_target));
    if (!c->entry_start || !c->entry_source || !c->entry_target) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; k < entries; k++)
        c->entry_start[c->station[supernode_of(c->F, B->index[k])] + 1]++;
    for (int64_t i = 0; i < c->stations; i++) c->entry_start[i + 1] += c->entry_start[i];
    list_entries(c, B, fill, where);
    return SADDLE_OK;
}

/* ---- cliques ---- */

static int is_root(const saddle__ldlt_complement *c, int64_t i)
{
    return c->F->parent[c->supernode[i]] < 0;
}

/* The roots' columns are the cliques' rows, and columns become places among them.  where (m):
 * scratch */
static saddle_status make_cliques(saddle__ldlt_complement *c, int32_t *where)
{
    int64_t rows = 0;
    for (int64_t i = 0; i < c->stations; i++) {
        c->cliques += is_root(c, i);
        rows += is_root(c, i) ? saddle__station_columns(c, i) : 0;
    }
    c->clique_end = saddle_allocate(c->context, c->cliques, sizeof(*c->clique_end));
    c->row_start = saddle_allocate(c->context, c->cliques + 1, sizeof(*c->row_start));
    c->row = saddle_allocate(c->context, rows, sizeof(*c->row));
    if (!c->clique_end || !c->row_start || !c->row) return SADDLE_OUT_OF_MEMORY;
    int64_t clique = 0;
    int64_t begin = 0; /* first station of the tree at hand */
    for (int64_t i = 0; i < c->stations; i++) {
        if (!is_root(c, i)) continue;
        int64_t count = saddle__station_columns(c, i);
        int32_t *row = c->row + c->row_start[clique];
        for (int64_t t = 0; t < count; t++) {
            row[t] = c->column[c->column_start[i] + t];
            where[row[t]] = (int32_t)t;
        }
        for (int64_t t = c->column_start[begin]; t < c->column_start[i + 1]; t++)
            c->column[t] = where[c->column[t]];
        c->row_start[clique + 1] = c->row_start[clique] + count;
        c->clique_end[clique++] = begin = i + 1;
    }
    return SADDLE_OK;
}

saddle_status saddle__ldlt_complement_reach(saddle__ldlt_complement *c, const saddle_matrix *B)
{
    int64_t supernodes = c->F->supernodes;
    c->station = saddle_allocate(c->context, supernodes, sizeof(*c->station));
    int64_t *mark = saddle_allocate(c->context, supernodes, sizeof(*mark));
    int64_t *count = saddle_allocate(c->context, supernodes, sizeof(*count));
    int32_t *where = saddle_allocate(c->context, c->m, sizeof(*where));
    saddle_status status = c->station && mark && count && where ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int64_t j = 0; status == SADDLE_OK && j < c->m; j++) count_reach(c->F, B, j, mark, count);
    if (status == SADDLE_OK) status = make_stations(c, count);
    if (status == SADDLE_OK) {
        for (int64_t s = 0; s < supernodes; s++) count[s] = 0;
        list_columns(c, B, count);
        find_places(c, where);
        status = make_entries(c, B, count, where);
    }
    if (status == SADDLE_OK) status = make_cliques(c, where);
    saddle_release(c->context, mark);
    saddle_release(c->context, count);
    saddle_release(c->context, where);
    return status;
}
