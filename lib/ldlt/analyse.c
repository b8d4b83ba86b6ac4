/* SPDX-License-Identifier: MIT */
/* The analysis: order, supernodes, the distribution of supernodes to threads, the places of
 * updates, and the memory of factor and solve.
 *
 * The tree is cut (Geist and Ng, Int. J. Parallel Programming 18, 1989): a supernode whose subtree
 * takes more than a share of the whole time is above the cut; subtrees below are gathered to jobs,
 * runs of siblings' subtrees for one thread.  A supernode above the cut begins when the jobs and
 * supernodes directly below are done.  One thread has one job.
 *
 * An update lives until the parent has added it.  Parity of the depth (in supernodes) selects one
 * of two arenas, so that a parent's update lies beside its children's.  Within a job each arena is
 * a stack.  Above the cut, siblings may be factored at once and need separate places; a supernode's
 * update reuses the place of its grandchildren's updates in the same arena:
 *
 *     need_a(s) = max(u_s^2, sum_c need_a(c))     in the arena a of s
 *     need_b(s) = sum_c need_b(c)                 in the other */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/layout.h"
#include "ldlt/costs.h"
#include "ldlt/ldlt_internal.h"

enum { JOBS_PER_THREAD = 8 };

/* ---- memory: one block for arrays of a kind ---- */

/* unset: 1 = without zeros. */
static saddle_status allocate(saddle__ldlt *F, const saddle__array *arrays, size_t length,
                              int unset, saddle__layout *layout)
{
    *layout = (saddle__layout){.tight = 1, .unset = unset};
    for (size_t k = 0; k < length; k++) F->size.bytes += arrays[k].count * (int64_t)arrays[k].size;
    return saddle__layout_make(F->context, layout, arrays, length);
}

void saddle__ldlt_free(saddle__ldlt *F)
{
    if (!F) return;
    saddle__layout *const layouts[] = {&F->nodes, &F->by_supernode, &F->indices, &F->numbers};
    for (size_t k = 0; k < SADDLE__LENGTH(layouts); k++)
        saddle__layout_clear(F->context, layouts[k]);
    saddle__release_all(F->context, F->job, F);
}

/* ---- supernodes ----
 *
 * Supernodes: runs of columns of L with equal structure, enlarged where a larger front is faster.
 *
 * A child c is merged into its parent p, with zeros stored where c's columns lack rows of p, where
 * the table of costs.h says that a front of both takes less time than two fronts (relaxed
 * amalgamation: Ashcraft and Grimes, ACM TOMS 15, 1989).  Any child may be merged, not only the
 * last: supernodes are renumbered in a postorder of their tree, which preserves the fill. */

typedef struct forest {
    saddle__layout layout; /* of the arrays */
    int64_t count;         /* of supernodes before merging */
    int32_t *parent;       /* count: -1 = root */
    int32_t *columns;      /* count: 0 = merged into another */
    int32_t *rows;         /* count: below the columns */
    int32_t *child;        /* count: first child not merged, or -1 */
    int32_t *sibling;      /* count */
    int32_t *head;         /* count: first part, a chain of supernodes merged, in the order of
                              elimination */
    int32_t *tail;         /* count: last part */
    int32_t *next;         /* count: the next part, or -1 */
    int32_t *begin;        /* count + 1: first column of each, before renumbering */
    int32_t *number;       /* count: new numbers */
} forest;

/* ---- columns of equal structure ---- */

/* supernode (n) of each column; returns the number of supernodes: a column is in that of the column
 * before if it has the same structure without the diagonal */
static int64_t find_chains(int64_t n, const saddle__ordered *ordered, int32_t *supernode)
{
    int64_t count = 0;
    for (int64_t j = 0; j < n; j++) {
        count += j == 0 || ordered->parent[j - 1] != j ||
                 ordered->count[j - 1] != ordered->count[j] + 1;
        supernode[j] = (int32_t)(count - 1);
    }
    return count;
}

static void describe_runs(int64_t n, const saddle__ordered *ordered, const int32_t *supernode,
                          forest *f)
{
    for (int64_t j = n - 1; j >= 0; j--) f->begin[supernode[j]] = (int32_t)j;
    f->begin[f->count] = (int32_t)n;
    for (int64_t s = 0; s < f->count; s++) {
        int64_t top = f->begin[s + 1] - 1;
        f->rows[s] = (int32_t)ordered->count[top] - 1;
        f->parent[s] = ordered->parent[top] >= 0 ? supernode[ordered->parent[top]] : -1;
    }
}

/* ---- amalgamation ---- */

static int worth_merging(const forest *f, int32_t c, int32_t p)
{
    double kc = (double)f->columns[c];
    double kp = (double)f->columns[p];
    double up = (double)f->rows[p];
    return saddle__front_time(kc + kp, up) <=
           saddle__front_time(kc, (double)f->rows[c]) + saddle__front_time(kp, up);
}

/* Merges p's children into p where faster: their columns go before p's, behind columns merged
 * before; their children become p's, in their place. */
static void merge_children(forest *f, int32_t p)
{
    int32_t before_p = -1;
    int32_t *link = &f->child[p];
    while (*link >= 0) {
        int32_t c = *link;
        if (!worth_merging(f, c, p)) {
            link = &f->sibling[c];
            continue;
        }
        f->columns[p] += f->columns[c];
        f->columns[c] = 0;
        if (before_p < 0)
            f->head[p] = f->head[c];
        else
            f->next[before_p] = f->head[c];
        f->next[f->tail[c]] = p;
        before_p = f->tail[c];
        int32_t behind = f->sibling[c];
        *link = f->child[c];
        for (int32_t g = f->child[c]; g >= 0; g = f->sibling[g]) {
            f->parent[g] = p;
            link = &f->sibling[g];
        }
        *link = behind;
    }
}

/* ---- renumbering ---- */

typedef struct numbering {
    int64_t *order; /* n: the new order */
    int64_t column; /* columns numbered */
    int64_t count;  /* supernodes numbered */
} numbering;

/* The tree of `root`, in postorder without recursion: down the first children, up the parents. */
static void number_tree(saddle__ldlt *F, const forest *f, const saddle__ordered *ordered,
                        int64_t root, numbering *x)
{
    int64_t s = root;
    while (f->child[s] >= 0) s = f->child[s];
    for (;;) {
        F->first[x->count] = x->column;
        for (int64_t part = f->head[s]; part >= 0; part = f->next[part])
            for (int64_t j = f->begin[part]; j < f->begin[part + 1]; j++)
                x->order[x->column++] = ordered->order[j];
        F->row_start[x->count + 1] = f->rows[s];
        f->number[s] = (int32_t)x->count++;
        if (s == root) return;
        if (f->sibling[s] < 0) {
            s = f->parent[s];
            continue;
        }
        s = f->sibling[s];
        while (f->child[s] >= 0) s = f->child[s];
    }
}

/* All trees, isolated supernodes first. */
static void number_all(saddle__ldlt *F, const forest *f, const saddle__ordered *ordered,
                       numbering *x)
{
    for (int isolated = 1; isolated >= 0; isolated--) {
        for (int64_t s = 0; s < f->count; s++) {
            int single = f->columns[s] == 1 && f->rows[s] == 0 && f->child[s] < 0;
            if (f->parent[s] < 0 && f->columns[s] > 0 && single == isolated)
                number_tree(F, f, ordered, s, x);
        }
        if (isolated) F->isolated = x->count;
    }
    F->first[x->count] = x->column;
}

static void link_tree(saddle__ldlt *F, const forest *f)
{
    const int32_t *number = f->number;
    for (int64_t s = 0; s < f->count; s++)
        if (f->columns[s] > 0) F->parent[number[s]] = f->parent[s] >= 0 ? number[f->parent[s]] : -1;
    for (int64_t s = 0; s < F->supernodes; s++) {
        F->child[s] = F->sibling[s] = -1;
        F->tree[s] = s;
    }
    for (int64_t s = F->supernodes - 1; s >= 0; s--) {
        int64_t p = F->parent[s];
        if (p < 0) continue;
        F->sibling[s] = F->child[p];
        F->child[p] = s;
    }
    for (int64_t s = 0; s < F->supernodes; s++) {
        int64_t p = F->parent[s];
        if (p >= 0 && F->tree[s] < F->tree[p]) F->tree[p] = F->tree[s];
        for (int64_t j = F->first[s]; j < F->first[s + 1]; j++) F->supernode[j] = (int32_t)s;
    }
}

/* The forest before merging.  Runs of `ordered` are its supernodes, their arrays the forest's. */
static saddle_status make_forest(saddle__ldlt *F, const saddle__ordered *ordered, forest *f)
{
    const int by_runs = ordered->runs > 0;
    f->count = by_runs ? ordered->runs : find_chains(F->n, ordered, F->supernode);
    const int64_t size = f->count + 1, own = by_runs ? 0 : size;
    const saddle__array arrays[] = {
        SADDLE__ARRAY(f->parent, own),   SADDLE__ARRAY(f->columns, size),
        SADDLE__ARRAY(f->rows, own),     SADDLE__ARRAY(f->child, size),
        SADDLE__ARRAY(f->sibling, size), SADDLE__ARRAY(f->head, size),
        SADDLE__ARRAY(f->tail, size),    SADDLE__ARRAY(f->next, size),
        SADDLE__ARRAY(f->begin, own),    SADDLE__ARRAY(f->number, size)};
    f->layout = (saddle__layout){.tight = 1, .unset = 1};
    SADDLE__TRY(saddle__layout_make(F->context, &f->layout, arrays, SADDLE__LENGTH(arrays)));
    if (by_runs) {
        f->begin = ordered->run_begin;
        f->rows = ordered->run_rows;
        f->parent = ordered->run_parent;
    } else {
        describe_runs(F->n, ordered, F->supernode, f);
    }
    for (int64_t s = 0; s < f->count; s++) {
        f->columns[s] = f->begin[s + 1] - f->begin[s];
        f->child[s] = f->sibling[s] = f->next[s] = -1;
        f->head[s] = f->tail[s] = (int32_t)s;
    }
    for (int64_t s = f->count - 1; s >= 0; s--) { /* children in ascending order */
        int32_t parent = f->parent[s];
        if (parent < 0) continue;
        f->sibling[s] = f->child[parent];
        f->child[parent] = (int32_t)s;
    }
    return SADDLE_OK;
}

/* F->nodes and F->by_supernode, in the order of the forest f, which is made. */
static saddle_status partition(saddle__ldlt *F, const saddle__ordered *ordered, forest *f)
{
    const saddle__array of_nodes[] = {SADDLE__ARRAY(F->order, F->n),
                                      SADDLE__ARRAY(F->position, F->n),
                                      SADDLE__ARRAY(F->supernode, F->n)};
    SADDLE__TRY(allocate(F, of_nodes, SADDLE__LENGTH(of_nodes), 1, &F->nodes));
    SADDLE__TRY(make_forest(F, ordered, f));
    for (int32_t p = 0; p < f->count; p++) merge_children(f, p);
    for (int64_t s = 0; s < f->count; s++) F->supernodes += f->columns[s] > 0;
    F->size.supernodes = F->supernodes;
    const int64_t ends = F->supernodes + 1;
    const saddle__array arrays[] = {SADDLE__ARRAY(F->first, ends),
                                    SADDLE__ARRAY(F->parent, ends),
                                    SADDLE__ARRAY(F->child, ends),
                                    SADDLE__ARRAY(F->sibling, ends),
                                    SADDLE__ARRAY(F->tree, ends),
                                    SADDLE__ARRAY(F->below, ends),
                                    SADDLE__ARRAY(F->row_start, ends),
                                    SADDLE__ARRAY(F->entry_start, ends),
                                    SADDLE__ARRAY(F->value_start, ends),
                                    SADDLE__ARRAY(F->update_start, ends),
                                    SADDLE__ARRAY(F->pending, F->supernodes)};
    SADDLE__TRY(allocate(F, arrays, SADDLE__LENGTH(arrays), 0, &F->by_supernode));
    numbering x = {.order = F->order};
    number_all(F, f, ordered, &x);
    link_tree(F, f);
    for (int64_t k = 0; k < F->n; k++) F->position[F->order[k]] = k;
    for (int64_t s = 0; s < F->supernodes; s++) F->row_start[s + 1] += F->row_start[s];
    return SADDLE_OK;
}

/* ======== the rows of each supernode, their places in the parent's front, and the targets of A's
 * entries: all index work of the factorization ======== */

/* ---- the lower triangle of a general A ---- */

typedef struct triangle {
    saddle__layout layout;
    saddle_matrix A;        /* its pattern */
    int64_t *own, *across;  /* entries: in A, of each entry and of the entry across the diagonal;
                               NULL: A is stored as its lower triangle */
    int64_t *start, *index; /* of the pattern */
    int64_t *next;          /* n */
} triangle;

/* The entries below the diagonal, listed where `t` has memory; returns their number. */
static int64_t list_lower_entries(const saddle_matrix *A, triangle *t)
{
    int64_t count = 0;
    for (int64_t j = 0; j < A->cols; j++) {
        if (t->layout.memory) t->start[j] = t->next[j] = count;
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            if (A->index[k] < j) continue;
            if (t->layout.memory) {
                t->index[count] = A->index[k];
                t->own[count] = t->across[count] = k;
            }
            count++;
        }
    }
    if (t->layout.memory) t->start[A->cols] = count;
    return count;
}

/* The entries above the diagonal, met in the order of those below, since columns are sorted.
 * Returns 0 where the pattern is not symmetric. */
static int match_upper_entries(const saddle_matrix *A, triangle *t)
{
    int64_t matched = 0;
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1] && A->index[k] <= j; k++) {
            int64_t i = A->index[k], at = t->next[i]++;
            if (at >= t->start[i + 1] || t->index[at] != j) return 0;
            t->across[at] = k;
            matched++;
        }
    return matched == t->start[A->cols];
}

static saddle_status take_lower(saddle_context *context, const saddle_matrix *A, triangle *t)
{
    const int64_t count = list_lower_entries(A, t);
    const saddle__array arrays[] = {SADDLE__ARRAY(t->own, count), SADDLE__ARRAY(t->across, count),
                                    SADDLE__ARRAY(t->start, A->cols + 1),
                                    SADDLE__ARRAY(t->index, count),
                                    SADDLE__ARRAY(t->next, A->cols)};
    t->layout = (saddle__layout){.tight = 1, .unset = 1};
    SADDLE__TRY(saddle__layout_make(context, &t->layout, arrays, SADDLE__LENGTH(arrays)));
    (void)list_lower_entries(A, t);
    t->A = (saddle_matrix){.rows = A->rows,
                           .cols = A->cols,
                           .start = t->start,
                           .index = t->index,
                           .symmetry = SADDLE_SYMMETRY_LOWER};
    if (match_upper_entries(A, t)) return SADDLE_OK;
    return saddle_fail(context, SADDLE_UNSUPPORTED,
                       "the pattern of the general matrix is not symmetric");
}

/* ---- entries of A by supernode ---- */

/* Scratch of the search. */
typedef struct search {
    saddle__layout layout;
    int32_t *column; /* entries: of each entry of A, the column within the supernode */
    int64_t *start;  /* n + 1 */
    int64_t *fill;   /* n */
    int32_t *place;  /* n */
} search;

/* F->entry_start, entry_source, entry_upper; entry_target holds the row's position until its place
 * is known, column (entries) the column within the supernode. */
static void sort_entries(saddle__ldlt *F, const triangle *t, int64_t *fill, int32_t *column)
{
    const saddle_matrix *A = &t->A;
    const int64_t *position = F->position;
    for (int64_t j = 0; j < F->n; j++) {
        int64_t b = position[j];
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t a = position[A->index[k]];
            F->entry_start[F->supernode[a < b ? a : b] + 1]++;
        }
    }
    for (int64_t s = 0; s < F->supernodes; s++) {
        fill[s] = F->entry_start[s];
        F->entry_start[s + 1] += F->entry_start[s];
    }
    for (int64_t j = 0; j < F->n; j++) {
        int64_t b = position[j];
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t a = position[A->index[k]];
            int64_t low = a < b ? a : b;
            int64_t s = F->supernode[low];
            int64_t at = fill[s]++;
            F->entry_source[at] = (uint32_t)(!t->own ? k : a < b ? t->across[k] : t->own[k]);
            if (t->own) F->entry_upper[at] = (uint32_t)(a < b ? t->own[k] : t->across[k]);
            F->entry_target[at] = (uint32_t)(a < b ? b : a);
            column[at] = (int32_t)(low - F->first[s]);
        }
    }
}

/* ---- rows ---- */

/* Rows in the order found: rows of the children and entries of A below the supernode's columns. */
static void collect_rows(saddle__ldlt *F, int32_t *seen)
{
    for (int64_t i = 0; i < F->n; i++) seen[i] = -1;
    for (int64_t s = 0; s < F->supernodes; s++) {
        int32_t *row = F->row + F->row_start[s];
        int64_t count = 0;
        for (int64_t c = F->child[s]; c >= 0; c = F->sibling[c]) {
            for (int64_t t = F->row_start[c]; t < F->row_start[c + 1]; t++) {
                int32_t i = F->row[t];
                if (i < F->first[s + 1] || seen[i] == s) continue;
                seen[i] = (int32_t)s;
                row[count++] = i;
            }
        }
        for (int64_t t = F->entry_start[s]; t < F->entry_start[s + 1]; t++) {
            int32_t i = (int32_t)F->entry_target[t];
            if (i < F->first[s + 1] || seen[i] == s) continue;
            seen[i] = (int32_t)s;
            row[count++] = i;
        }
        assert(count == F->row_start[s + 1] - F->row_start[s]);
    }
}

/* Sorts the rows of all supernodes at once, by a transposition.  holder: row_start[supernodes];
 * start: n + 1; fill: n. */
static void sort_rows(saddle__ldlt *F, int32_t *holder, int64_t *start, int64_t *fill)
{
    int64_t total = F->row_start[F->supernodes];
    memset(start, 0, (size_t)(F->n + 1) * sizeof *start);
    for (int64_t t = 0; t < total; t++) start[F->row[t] + 1]++;
    for (int64_t i = 0; i < F->n; i++) {
        start[i + 1] += start[i];
        fill[i] = start[i];
    }
    for (int64_t s = 0; s < F->supernodes; s++)
        for (int64_t t = F->row_start[s]; t < F->row_start[s + 1]; t++)
            holder[fill[F->row[t]]++] = (int32_t)s;
    for (int64_t s = 0; s < F->supernodes; s++) fill[s] = F->row_start[s];
    for (int64_t i = 0; i < F->n; i++)
        for (int64_t t = start[i]; t < start[i + 1]; t++) F->row[fill[holder[t]]++] = (int32_t)i;
}

/* The same from the runs of `ordered`: few rows each, sorted in place. */
static void take_rows(saddle__ldlt *F, const saddle__ordered *ordered, const forest *f)
{
    for (int64_t r = 0; r < ordered->runs; r++) {
        if (f->columns[r] == 0) continue;
        const int32_t *node = ordered->list + ordered->run_list[r];
        int32_t *row = F->row + F->row_start[f->number[r]];
        for (int32_t count = 0; count < ordered->run_rows[r]; count++) {
            int32_t i = (int32_t)F->position[node[count]];
            int32_t t = count;
            for (; t > 0 && row[t - 1] > i; t--) row[t] = row[t - 1];
            row[t] = i;
        }
    }
}

/* ---- places in fronts ---- */

/* F->relative and run of s' children, F->entry_target of s.  place (n): of a position in the front
 * of s, scratch.  0: the front has too many entries. */
static int find_places_of(saddle__ldlt *F, int64_t s, const int32_t *column, int32_t *place)
{
    int64_t columns = F->first[s + 1] - F->first[s];
    const int32_t *row = F->row + F->row_start[s];
    int64_t rows = F->row_start[s + 1] - F->row_start[s];
    int64_t ld = columns + rows;
    int64_t stride = ld <= SADDLE__SMALL_ROWS ? saddle__small_height(ld) : ld;
    if (ld > UINT32_MAX / columns) return 0;
    for (int64_t t = 0; t < columns; t++) place[F->first[s] + t] = (int32_t)t;
    for (int64_t t = 0; t < rows; t++) place[row[t]] = (int32_t)(columns + t);
    for (int64_t c = F->child[s]; c >= 0; c = F->sibling[c])
        for (int64_t t = F->row_start[c + 1] - 1; t >= F->row_start[c]; t--) {
            F->relative[t] = place[F->row[t]];
            int goes_on = t + 1 < F->row_start[c + 1] && F->relative[t + 1] == F->relative[t] + 1;
            F->run[t] = goes_on ? F->run[t + 1] + 1 : 1;
        }
    for (int64_t t = F->entry_start[s]; t < F->entry_start[s + 1]; t++)
        F->entry_target[t] = (uint32_t)(column[t] * stride + place[F->entry_target[t]]);
    return 1;
}

/* Supernodes from columns or runs: all arrays by node and supernode, in an order in which the
 * columns of a supernode are consecutive, but for those of plan_all; row, relative, run,
 * entry_source, entry_upper, entry_target. */
static saddle_status find_structure(saddle__ldlt *F, const triangle *lower,
                                    const saddle__ordered *ordered, forest *f, search *x)
{
    F->entries = saddle_matrix_entries(&lower->A);
    if (F->entries > (int64_t)UINT32_MAX / F->sides)
        return saddle_fail(F->context, SADDLE_TOO_LARGE,
                           "%lld entries: the engine takes fewer than 2^32", (long long)F->entries);
    SADDLE__TRY(partition(F, ordered, f));
    const int64_t rows = F->row_start[F->supernodes];
    const saddle__array indices[] = {SADDLE__ARRAY(F->row, rows),
                                     SADDLE__ARRAY(F->relative, rows),
                                     SADDLE__ARRAY(F->run, rows),
                                     SADDLE__ARRAY(F->entry_source, F->entries),
                                     SADDLE__ARRAY(F->entry_target, F->entries),
                                     SADDLE__ARRAY(F->entry_upper, lower->own ? F->entries : 0)};
    SADDLE__TRY(allocate(F, indices, SADDLE__LENGTH(indices), 1, &F->indices));
    if (!lower->own) F->entry_upper = F->entry_source;
    const saddle__array scratch[] = {SADDLE__ARRAY(x->column, F->entries),
                                     SADDLE__ARRAY(x->start, F->n + 1),
                                     SADDLE__ARRAY(x->fill, F->n), SADDLE__ARRAY(x->place, F->n)};
    x->layout = (saddle__layout){.tight = 1, .unset = 1};
    SADDLE__TRY(saddle__layout_make(F->context, &x->layout, scratch, SADDLE__LENGTH(scratch)));
    sort_entries(F, lower, x->fill, x->column);
    if (ordered->runs > 0) {
        take_rows(F, ordered, f);
    } else {
        collect_rows(F, x->place);
        sort_rows(F, F->relative, x->start, x->fill);
    }
    for (int64_t s = 0; s < F->supernodes; s++)
        if (!find_places_of(F, s, x->column, x->place))
            return saddle_fail(F->context, SADDLE_TOO_LARGE,
                               "a supernode of more than 2^32 entries");
    return SADDLE_OK;
}

/* ======== the plan ======== */

typedef struct plan {
    signed char *odd; /* supernodes: depth */
    double *cost;     /* supernodes: of the subtree */
    int64_t *need[2]; /* supernodes: size of a subtree above the cut in an arena; [-1]: of all */
    int64_t *base[2]; /* the same: where the next subtree below goes */
    double grain;     /* the least a job should cost */
    double share;     /* subtrees of a higher cost are above the cut */
} plan;

static int64_t update_size(const saddle__ldlt *F, int64_t s)
{
    int64_t u = F->row_start[s + 1] - F->row_start[s];
    return u > 0 ? u * u + SADDLE__SMALL_STEP : 0; /* u < 2^31; see saddle__small_kernels */
}

/* ---- the blocks of L ---- */

/* 0: a front is too large for BLAS, or no memory holds all blocks and updates. */
static int plan_blocks(saddle__ldlt *F)
{
    const int64_t most = INT64_MAX / (int64_t)sizeof(double);
    int64_t updates = 0;
    for (int64_t s = 0; s < F->supernodes; s++) {
        int64_t k = F->first[s + 1] - F->first[s];
        int64_t u = F->row_start[s + 1] - F->row_start[s];
        if (k + u > INT_MAX / 2) return 0;
        F->value_start[s + 1] = F->value_start[s] + k * (k + u);
        updates += update_size(F, s);
        if (F->value_start[s + 1] > most - updates) return 0;
        int64_t work = saddle__product_work(k + u,
                                            k + u < SADDLE__LDLT_TILE ? k + u : SADDLE__LDLT_TILE,
                                            k);
        if (work > F->lane_size) F->lane_size = work;
        if (u > F->widest_update) F->widest_update = u;
        F->size.entries += F->sides * (k * (k + 1) / 2 + k * u);
    }
    return 1;
}

/* ---- the cut ---- */

static void measure_subtrees(saddle__ldlt *F, plan *p)
{
    double whole = 0.0;
    for (int64_t s = 0; s < F->supernodes; s++) {
        double k = (double)(F->first[s + 1] - F->first[s]);
        double u = (double)(F->row_start[s + 1] - F->row_start[s]);
        double own = saddle__front_time(k, u);
        p->cost[s] += own;
        whole += own;
        if (F->parent[s] >= 0) p->cost[F->parent[s]] += p->cost[s];
    }
    p->share = whole / (double)(JOBS_PER_THREAD * F->threads);
    if (p->share < p->grain) p->share = p->grain;
    if (whole < 2.0 * p->share) F->threads = 1;
    if (F->threads == 1) p->share = INFINITY;
}

/* The jobs, written where `job` is given, and their number.  A supernode above the cut without jobs
 * below gets an empty job. */
static int64_t list_jobs(const saddle__ldlt *F, const plan *p, saddle__ldlt_job *job)
{
    int64_t count = 0;
    int64_t s = 0;
    while (s < F->supernodes) {
        if (p->cost[s] > p->share) {
            saddle__ldlt_job start = {.begin = s, .end = s, .parent = s};
            if (F->child[s] < 0 && job) job[count] = start;
            count += F->child[s] < 0;
            s++;
            continue;
        }
        saddle__ldlt_job run = {.begin = s, .parent = -2};
        for (double cost = 0.0;
             s < F->supernodes && p->cost[s] <= p->share && cost <= 0.5 * p->share;) {
            int64_t root = s;
            while (F->parent[root] >= 0 && p->cost[F->parent[root]] <= p->share)
                root = F->parent[root];
            if (run.parent != -2 && run.parent != F->parent[root]) break;
            run.parent = F->parent[root];
            cost += p->cost[root];
            s = root + 1;
        }
        run.end = s;
        if (job) job[count] = run;
        count++;
    }
    return count;
}

static saddle_status plan_jobs(saddle__ldlt *F, const plan *p)
{
    F->jobs = list_jobs(F, p, NULL);
    F->size.bytes += F->jobs * (int64_t)sizeof *F->job;
    F->job = saddle_allocate(F->context, F->jobs, sizeof *F->job);
    if (!F->job) return SADDLE_OUT_OF_MEMORY;
    (void)list_jobs(F, p, F->job);
    for (int64_t j = 0; j < F->jobs; j++)
        if (F->job[j].parent >= 0) F->below[F->job[j].parent]++;
    for (int64_t s = 0; s < F->supernodes; s++)
        if (p->cost[s] > p->share && F->parent[s] >= 0) F->below[F->parent[s]]++;
    return SADDLE_OK;
}

/* ---- updates ---- */

/* Places of a job's updates, relative to the job's own, and the sizes needed. */
static void stack_updates(saddle__ldlt *F, const plan *p, const saddle__ldlt_job *job,
                          int64_t need[2])
{
    int64_t top[2] = {0, 0};
    for (int64_t s = job->begin; s < job->end; s++) {
        int mine = p->odd[s];
        F->update_start[s] = top[mine];
        top[mine] += update_size(F, s);
        if (top[mine] > need[mine]) need[mine] = top[mine];
        if (F->child[s] >= 0) top[!mine] = F->update_start[F->child[s]];
    }
}

/* F->arena[a]: total size; p->need of supernodes above the cut, and of jobs in job->need */
static void measure_arenas(saddle__ldlt *F, plan *p)
{
    for (int64_t j = 0; j < F->jobs; j++) {
        saddle__ldlt_job *job = &F->job[j];
        stack_updates(F, p, job, job->need);
        for (int a = 0; a < 2; a++) p->need[a][job->parent] += job->need[a];
    }
    for (int64_t s = 0; s < F->supernodes; s++) {
        if (F->below[s] == 0) continue;
        int64_t *own = &p->need[p->odd[s]][s];
        if (*own < update_size(F, s)) *own = update_size(F, s);
        for (int a = 0; a < 2; a++) p->need[a][F->parent[s]] += p->need[a][s];
    }
    for (int a = 0; a < 2; a++) F->arena[a] = p->need[a][-1];
}

/* From the roots down, each supernode above the cut and each job takes its need from the place that
 * its parent has taken. */
static void place_updates(saddle__ldlt *F, plan *p)
{
    p->base[1][-1] = F->arena[0]; /* one arena behind the other */
    for (int64_t s = F->supernodes - 1; s >= 0; s--) {
        if (F->below[s] == 0) continue;
        for (int a = 0; a < 2; a++) {
            p->base[a][s] = p->base[a][F->parent[s]];
            p->base[a][F->parent[s]] += p->need[a][s];
        }
        F->update_start[s] = p->base[p->odd[s]][s];
    }
    for (int64_t j = 0; j < F->jobs; j++) {
        const saddle__ldlt_job *job = &F->job[j];
        for (int64_t s = job->begin; s < job->end; s++)
            F->update_start[s] += p->base[p->odd[s]][job->parent];
        for (int a = 0; a < 2; a++) p->base[a][job->parent] += job->need[a];
    }
}

/* F->value_start, update_start, job, below, pending, arena, lane_size: the cut of the tree for
 * F->threads (1 where more threads are no faster), and the places of all blocks */
static saddle_status plan_all(saddle__ldlt *F, double grain)
{
    if (!plan_blocks(F))
        return saddle_fail(F->context, SADDLE_TOO_LARGE, "the factor of order %lld is too large",
                           (long long)F->n);
    plan p = {.grain = grain > 0.0 ? grain : SADDLE__TIME_THREAD};
    p.share = INFINITY; /* one thread: one job */
    const int64_t count = F->supernodes;
    const saddle__array arrays[] = {SADDLE__ARRAY(p.odd, count),
                                    SADDLE__ARRAY(p.cost, count),
                                    SADDLE__ARRAY(p.need[0], count + 1),
                                    SADDLE__ARRAY(p.base[0], count + 1),
                                    SADDLE__ARRAY(p.need[1], count + 1),
                                    SADDLE__ARRAY(p.base[1], count + 1)};
    saddle__layout layout = {.tight = 1};
    SADDLE__TRY(saddle__layout_make(F->context, &layout, arrays, SADDLE__LENGTH(arrays)));
    for (int a = 0; a < 2; a++) { /* from the parent -1 of the roots on */
        p.need[a]++;
        p.base[a]++;
    }
    for (int64_t s = count - 1; s >= 0; s--)
        p.odd[s] = F->parent[s] >= 0 ? !p.odd[F->parent[s]] : 0;
    if (F->threads > 1) measure_subtrees(F, &p);
    saddle_status status = plan_jobs(F, &p);
    if (status == SADDLE_OK) {
        measure_arenas(F, &p);
        place_updates(F, &p);
    }
    saddle__layout_clear(F->context, &layout);
    return status;
}

/* ---- all ---- */

/* All arrays of factor and solve, by far the largest of the object. */
static saddle_status make_numbers(saddle__ldlt *F)
{
    const int64_t values = F->value_start[F->supernodes], updates = F->arena[0] + F->arena[1];
    const saddle__array arrays[] = {SADDLE__ARRAY(F->value, values),
                                    SADDLE__ARRAY(F->upper, F->sides > 1 ? values : 0),
                                    SADDLE__ARRAY(F->pivot, F->n),
                                    SADDLE__ARRAY(F->inverse, F->n),
                                    SADDLE__ARRAY(F->lane, F->threads),
                                    SADDLE__ARRAY(F->update, updates),
                                    SADDLE__ARRAY(F->upper_update, F->sides > 1 ? updates : 0),
                                    SADDLE__ARRAY(F->work, F->threads * F->lane_size),
                                    SADDLE__ARRAY(F->rhs, F->n * SADDLE__FACTOR_BLOCK),
                                    SADDLE__ARRAY(F->gathered,
                                                  F->widest_update * SADDLE__FACTOR_BLOCK),
                                    SADDLE__ARRAY(F->reach, F->supernodes),
                                    SADDLE__ARRAY(F->path, F->supernodes),
                                    SADDLE__ARRAY(F->mark, F->supernodes)};
    SADDLE__TRY(allocate(F, arrays, SADDLE__LENGTH(arrays), 1, &F->numbers));
    if (F->sides == 1) {
        F->upper = F->value;
        F->upper_update = F->update;
    }
    memset(F->mark, 0, (size_t)F->supernodes * sizeof *F->mark);
    memset(F->lane, 0, (size_t)F->threads * sizeof *F->lane);
    for (int64_t t = 0; t < F->threads; t++) F->lane[t].work = F->work + t * F->lane_size;
    F->scratch = (char *)(F->work + F->threads * F->lane_size) - (char *)F->update;
    return SADDLE_OK;
}

static saddle_status analyse(saddle__ldlt *F, const saddle_matrix *A,
                             const saddle__ldlt_request *request)
{
    forest f = {0};
    search x = {0};
    triangle lower = {.A = *A};
    saddle__ordered ordered = {.order = NULL};
    saddle_status status = request->general ? take_lower(F->context, A, &lower) : SADDLE_OK;
    if (status == SADDLE_OK) status = saddle__ordered_make(F->context, &lower.A, request, &ordered);
    if (status == SADDLE_OK) {
        F->size.fill = F->sides * (int64_t)ordered.entries;
        F->size.flops = F->sides * ordered.flops;
        F->size.metis = ordered.metis;
        F->size.eager = ordered.eager;
        status = find_structure(F, &lower, &ordered, &f, &x);
    }
    saddle__layout_clear(F->context, &x.layout);
    saddle__layout_clear(F->context, &f.layout);
    saddle__layout_clear(F->context, &lower.layout);
    saddle__ordered_clear(F->context, &ordered);
    if (status == SADDLE_OK) status = plan_all(F, request->grain);
    return status == SADDLE_OK ? make_numbers(F) : status;
}

saddle_status saddle__ldlt_analyse(saddle_context *context, const saddle_matrix *A,
                                   const saddle__ldlt_request *request, saddle__ldlt **result)
{
    *result = NULL;
    saddle__ldlt *F = saddle_allocate(context, 1, sizeof *F);
    if (!F) return SADDLE_OUT_OF_MEMORY;
    F->context = context;
    F->n = A->cols;
    F->sides = request->general ? 2 : 1;
    int kernels = 0;
    while (!saddle__small_kernels_at(kernels)->runs()) kernels++;
    F->small = saddle__small_kernels_at(kernels);
    F->threads = request->threads > 1 ? saddle__tasks_threads(request->threads) : 1;
    saddle_status status = F->n > 0 ? analyse(F, A, request) : SADDLE_OK;
    if (status != SADDLE_OK) {
        saddle__ldlt_free(F);
        return status;
    }
    *result = F;
    return SADDLE_OK;
}

saddle__ldlt_size saddle__ldlt_size_of(const saddle__ldlt *F)
{
    return F->size;
}
