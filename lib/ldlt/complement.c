/* SPDX-License-Identifier: MIT */
/* The analysis of a Schur complement, and its pattern. */
#include <limits.h>

#include "base/layout.h"
#include "ldlt/complement.h"
#include "ldlt/ldlt_internal.h"
#include "matrix/matrix_internal.h"

void saddle__ldlt_complement_free(saddle__ldlt_complement *c)
{
    if (!c) return;
    saddle_context *context = c->context;
    saddle__layout_clear(context, &c->numbers);
    saddle__release_all(context, c->supernode, c->station, c->column_start, c->column, c->place,
                        c->entry_start, c->entry_source, c->entry_target, c->clique_end,
                        c->row_start, c->row, c->update_start, c);
}

/* ---- reach: column j of B reaches the supernodes on the paths from its entries to the roots
 * (Gilbert and Peierls, SIAM J. Sci. Stat. Comput. 9, 1988, for a tree) ---- */

static int64_t column_start(const saddle_matrix *B, int64_t j)
{
    return B->start ? B->start[j] : 0;
}

static int64_t supernode_of(const saddle__ldlt *F, int64_t node)
{
    return F->supernode[F->position[node]];
}

/* ---- stations and their columns ---- */

/* count (supernodes) += 1 for each supernode in the reach of column j of B; mark: j + 1 for each
 * visited */
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
    c->supernode = saddle_allocate(c->context, c->stations, sizeof *c->supernode);
    c->column_start = saddle_allocate(c->context, c->stations + 1, sizeof *c->column_start);
    if (!c->supernode || !c->column_start) return SADDLE_OUT_OF_MEMORY;
    int64_t i = 0;
    for (int64_t s = 0; s < F->supernodes; s++) {
        c->station[s] = count[s] > 0 ? i : -1;
        if (count[s] == 0) continue;
        c->supernode[i] = s;
        c->column_start[i + 1] = c->column_start[i] + count[s];
        i++;
    }
    c->column = saddle_allocate(c->context, c->column_start[c->stations], sizeof *c->column);
    c->place = saddle_allocate(c->context, c->column_start[c->stations], sizeof *c->place);
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

/* where (m): place of a column at the current station.  Entries are sorted by station first, and
 * `where` is filled once a station.  fill (stations): scratch. */
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
    c->entry_start = saddle_allocate(c->context, c->stations + 1, sizeof *c->entry_start);
    c->entry_source = saddle_allocate(c->context, entries, sizeof *c->entry_source);
    c->entry_target = saddle_allocate(c->context, entries, sizeof *c->entry_target);
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

/* The columns at the roots are the rows of the cliques; columns become places in the clique.  where
 * (m): scratch */
static saddle_status make_cliques(saddle__ldlt_complement *c, int32_t *where)
{
    int64_t rows = 0;
    for (int64_t i = 0; i < c->stations; i++) {
        c->cliques += is_root(c, i);
        rows += is_root(c, i) ? saddle__station_columns(c, i) : 0;
    }
    c->clique_end = saddle_allocate(c->context, c->cliques, sizeof *c->clique_end);
    c->row_start = saddle_allocate(c->context, c->cliques + 1, sizeof *c->row_start);
    c->row = saddle_allocate(c->context, rows, sizeof *c->row);
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

static saddle_status find_reach(saddle__ldlt_complement *c, const saddle_matrix *B)
{
    int64_t supernodes = c->F->supernodes;
    c->station = saddle_allocate(c->context, supernodes, sizeof *c->station);
    int64_t *mark = saddle_allocate(c->context, supernodes, sizeof *mark);
    int64_t *count = saddle_allocate(c->context, supernodes, sizeof *count);
    int32_t *where = saddle_allocate(c->context, c->m, sizeof *where);
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
    saddle__release_all(c->context, mark, count, where);
    return status;
}

/* ---- sizes ---- */

/* Additions and multiplications: k m^2 for X L11'^-1, 2 k u m for X L21', k m^2 for half of X D^-1
 * X'. */
static saddle_status measure(saddle__ldlt_complement *c, double most_entries)
{
    const saddle__ldlt *F = c->F;
    for (int64_t i = 0; i < c->stations; i++) {
        int64_t s = c->supernode[i];
        double k = (double)(F->first[s + 1] - F->first[s]);
        double u = (double)(F->row_start[s + 1] - F->row_start[s]);
        double m = (double)saddle__station_columns(c, i);
        c->size.flops += m * k * (k + 2.0 * u + m);
    }
    c->size.entries = (double)c->m;
    for (int64_t t = 0; t < c->cliques; t++) {
        double m = (double)saddle__clique_rows(c, t);
        c->size.entries += 0.5 * m * (m - 1.0);
    }
    int64_t entries = c->stations > 0 ? c->entry_start[c->stations] : 0;
    int64_t columns = c->stations > 0 ? c->column_start[c->stations] : 0;
    int64_t rows = c->cliques > 0 ? c->row_start[c->cliques] : 0;
    c->size.bytes = 8 * (4 * c->stations + F->supernodes + 2 * entries + 2 * c->cliques) +
                    4 * (2 * columns + rows);
    if (most_entries <= 0.0 || c->size.entries <= most_entries) return SADDLE_OK;
    return saddle_fail(c->context, SADDLE_TOO_LARGE,
                       "the Schur complement of order %lld may have %.3g entries", (long long)c->m,
                       c->size.entries);
}

/* ---- the memory of form ---- */

typedef struct plan {
    int64_t stack[2];
    int64_t block, panel, clique, columns, work;
} plan;

/* a * b doubles where addressable, else 0 */
static int product(int64_t a, int64_t b, int64_t *result)
{
    *result = a * b; /* both below 2^31 */
    return *result <= INT64_MAX / (int64_t)sizeof(double) / 8;
}

static int keep_most(int64_t *most, int64_t a, int64_t b)
{
    int64_t size;
    if (!product(a, b, &size)) return 0;
    if (size > *most) *most = size;
    return 1;
}

/* As plan_updates of the engine: children's updates, all on the other stack, come off when their
 * parent's is made. */
static int plan_updates(saddle__ldlt_complement *c, signed char *odd, plan *p)
{
    const saddle__ldlt *F = c->F;
    int64_t top[2] = {0, 0};
    for (int64_t i = c->stations - 1; i >= 0; i--) {
        int64_t parent = F->parent[c->supernode[i]];
        odd[i] = parent >= 0 ? !odd[c->station[parent]] : 0;
    }
    for (int64_t i = 0; i < c->stations; i++) {
        int64_t s = c->supernode[i];
        int mine = odd[i];
        int64_t size;
        c->update_start[i] = top[mine];
        if (!product(saddle__station_columns(c, i), F->row_start[s + 1] - F->row_start[s], &size))
            return 0;
        top[mine] += size;
        if (top[mine] > INT64_MAX / (int64_t)sizeof(double) / 4) return 0;
        if (top[mine] > p->stack[mine]) p->stack[mine] = top[mine];
        int64_t child = F->child[s];
        while (child >= 0 && c->station[child] < 0) child = F->sibling[child];
        if (child >= 0) top[!mine] = c->update_start[c->station[child]];
    }
    for (int64_t i = 0; i < c->stations; i++)
        if (odd[i]) c->update_start[i] += p->stack[0];
    return 1;
}

static int plan_blocks(const saddle__ldlt_complement *c, plan *p)
{
    const saddle__ldlt *F = c->F;
    for (int64_t i = 0; i < c->stations; i++) {
        int64_t s = c->supernode[i];
        int64_t k = F->first[s + 1] - F->first[s];
        int64_t m = saddle__station_columns(c, i);
        int64_t wide = m < SADDLE__LDLT_TILE ? m : SADDLE__LDLT_TILE;
        if (m > INT_MAX / 2 || !keep_most(&p->block, m, k) || !keep_most(&p->panel, m, wide))
            return 0;
        if (k > p->columns) p->columns = k;
        int64_t u = F->row_start[s + 1] - F->row_start[s];
        int64_t most = u > k ? u : k; /* columns of a product */
        int64_t work = saddle__product_work(INT32_MAX, most > wide ? most : wide, k);
        if (work > p->work) p->work = work;
    }
    for (int64_t t = 0; t < c->cliques; t++) {
        int64_t m = saddle__clique_rows(c, t);
        if (!keep_most(&p->clique, m, m)) return 0;
    }
    return 1;
}

static void lay_out(saddle__ldlt_complement *c, const plan *p, saddle__layout *layout)
{
    c->update = saddle__layout_take(layout, p->stack[0] + p->stack[1], sizeof *c->update);
    c->block = saddle__layout_take(layout, p->block, sizeof *c->block);
    c->weight = saddle__layout_take(layout, p->columns, sizeof *c->weight);
    /* work and panel: threads <= 1024 */
    c->work = saddle__layout_take(layout, p->work * c->threads, sizeof *c->work);
    c->panel = saddle__layout_take(layout, p->panel * c->threads, sizeof *c->panel);
    c->clique = saddle__layout_take(layout, p->clique, sizeof *c->clique);
}

/* The engine needs its memory for updates and products within factor only: the arrays of form lie
 * there where it is large enough. */
static saddle_status reserve(saddle__ldlt_complement *c)
{
    plan p = {{0, 0}, 0, 0, 0, 0, 0};
    c->update_start = saddle_allocate(c->context, c->stations, sizeof *c->update_start);
    signed char *odd = saddle_allocate(c->context, c->stations, sizeof *odd);
    if (!c->update_start || !odd) {
        saddle_release(c->context, odd);
        return SADDLE_OUT_OF_MEMORY;
    }
    int fits = plan_updates(c, odd, &p) && plan_blocks(c, &p);
    saddle_release(c->context, odd);
    if (!fits)
        return saddle_fail(c->context, SADDLE_TOO_LARGE,
                           "the Schur complement of order %lld is too large", (long long)c->m);
    c->panel_size = p.panel;
    c->work_size = p.work;
    saddle__layout layout = {.tight = 1, .unset = 1};
    lay_out(c, &p, &layout);
    if (!layout.too_much && (int64_t)layout.taken <= c->F->scratch) {
        layout = (saddle__layout){.memory = (char *)c->F->update, .tight = 1};
    } else {
        const size_t bytes = layout.taken;
        SADDLE__TRY(saddle__layout_allocate(c->context, &layout));
        c->numbers = layout;
        c->size.bytes += (int64_t)bytes;
    }
    lay_out(c, &p, &layout);
    c->size.bytes += 8 * c->stations;
    return SADDLE_OK;
}

/* ---- analyse ---- */

/* ---- the pattern of S ---- */

/* The cliques of each row. */
typedef struct membership {
    int64_t *start;  /* m + 1 */
    int64_t *clique; /* ascending in each row */
} membership;

static saddle_status find_membership(const saddle__ldlt_complement *c, membership *of,
                                     int64_t *fill)
{
    int64_t total = c->cliques > 0 ? c->row_start[c->cliques] : 0;
    of->start = saddle_allocate(c->context, c->m + 1, sizeof *of->start);
    of->clique = saddle_allocate(c->context, total, sizeof *of->clique);
    if (!of->start || !of->clique) return SADDLE_OUT_OF_MEMORY;
    for (int64_t e = 0; e < total; e++) of->start[c->row[e] + 1]++;
    for (int64_t j = 0; j < c->m; j++) {
        of->start[j + 1] += of->start[j];
        fill[j] = of->start[j];
    }
    for (int64_t t = 0; t < c->cliques; t++)
        for (int64_t e = c->row_start[t]; e < c->row_start[t + 1]; e++)
            of->clique[fill[c->row[e]]++] = t;
    return SADDLE_OK;
}

/* Entry (i, j) of S, once: count[j] is raised, and i written to index[count[j]] where index is not
 * NULL.  mark (m): columns met carry i + 1 */
static inline void add_entry(int64_t i, int64_t j, int64_t *mark, int64_t *count, int64_t *index)
{
    if (mark[j] == i + 1) return;
    mark[j] = i + 1;
    if (index) index[count[j]] = i;
    count[j]++;
}

/* The columns j <= i of row i of S.  Rows taken in ascending order make columns with ascending
 * rows. */
static void add_row(const saddle__ldlt_complement *c, const saddle_matrix *Ct, const membership *of,
                    int64_t i, int64_t *mark, int64_t *count, int64_t *index)
{
    add_entry(i, i, mark, count, index);
    for (int64_t q = of->start[i]; q < of->start[i + 1]; q++)
        for (int64_t e = c->row_start[of->clique[q]]; c->row[e] < i; e++)
            add_entry(i, c->row[e], mark, count, index);
    for (int64_t p = Ct->start ? Ct->start[i] : 0; Ct->start && p < Ct->start[i + 1]; p++)
        add_entry(i, Ct->index[p], mark, count, index);
}

/* mark, count: m each, zero */
static saddle_status make_pattern(const saddle__ldlt_complement *c, const saddle_matrix *Ct,
                                  const membership *of, int64_t *mark, int64_t *count,
                                  saddle_matrix *S)
{
    int64_t entries = 0;
    for (int64_t i = 0; i < c->m; i++) add_row(c, Ct, of, i, mark, count, NULL);
    for (int64_t j = 0; j < c->m; j++) entries += count[j]; /* no more than m^2 < 2^62 */
    SADDLE__TRY(saddle_matrix_create(c->context, c->m, c->m, entries, SADDLE_SYMMETRY_LOWER, S));
    for (int64_t j = 0; j < c->m; j++) {
        S->start[j + 1] = S->start[j] + count[j];
        count[j] = S->start[j];
        mark[j] = 0;
    }
    for (int64_t i = 0; i < c->m; i++) add_row(c, Ct, of, i, mark, count, S->index);
    return SADDLE_OK;
}

/* S: made, with every diagonal entry. */
static saddle_status find_pattern(const saddle__ldlt_complement *c, const saddle_matrix *C,
                                  saddle_matrix *S)
{
    membership of = {NULL, NULL};
    saddle_matrix Ct = {0};
    int64_t *mark = saddle_allocate(c->context, c->m, sizeof *mark);
    int64_t *count = saddle_allocate(c->context, c->m, sizeof *count);
    saddle_status status = mark && count ? find_membership(c, &of, count) : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK && saddle_matrix_entries(C) > 0)
        status = saddle__matrix_flip(c->context, C, &Ct);
    for (int64_t j = 0; status == SADDLE_OK && j < c->m; j++) count[j] = 0;
    if (status == SADDLE_OK) status = make_pattern(c, &Ct, &of, mark, count, S);
    saddle_matrix_clear(&Ct);
    saddle__release_all(c->context, of.start, of.clique, mark, count);
    return status;
}

saddle_status saddle__ldlt_complement_analyse(saddle_context *context, saddle__ldlt *F,
                                              const saddle_matrix *B, const saddle_matrix *C,
                                              const saddle__ldlt_complement_request *request,
                                              saddle__ldlt_complement **complement,
                                              saddle_matrix *S)
{
    *complement = NULL;
    if (B->cols >= INT32_MAX)
        return saddle_fail(context, SADDLE_TOO_LARGE,
                           "a Schur complement of order %lld: fewer than 2^31 are taken",
                           (long long)B->cols);
    saddle__ldlt_complement *c = saddle_allocate(context, 1, sizeof *c);
    if (!c) return SADDLE_OUT_OF_MEMORY;
    c->context = context;
    c->F = F;
    c->m = B->cols;
    c->threads = F->threads > 1 ? F->threads : 1;
    saddle_status status = find_reach(c, B);
    if (status == SADDLE_OK) status = measure(c, request->most_entries);
    if (status == SADDLE_OK) status = reserve(c);
    if (status == SADDLE_OK) status = find_pattern(c, C, S);
    if (status != SADDLE_OK) {
        saddle__ldlt_complement_free(c);
        return status;
    }
    *complement = c;
    return SADDLE_OK;
}
