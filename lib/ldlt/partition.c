/* SPDX-License-Identifier: MIT */
/* Supernodes: runs of columns of L with one structure, made larger where that saves time.
 *
 * A child c is merged into its parent p, with zeros stored where c's columns lack rows of p, where
 * a model of the time of a front says that one larger front is quicker than two (relaxed
 * amalgamation: Ashcraft and Grimes, ACM TOMS 15, 1989):
 *
 *     time(k, u) = front + flops / rate + min(flops small, most) + entries of L * entry + u^2 *
 *         update
 *
 * for k columns over u rows; small fronts run at a lower rate, and entries are paid for in every
 * solve too. Any child may be merged, not only the last one: supernodes are renumbered afterwards
 * in a postorder of their tree, which leaves the fill as it is.
 */
#include <string.h>

#include "ldlt/ldlt_internal.h"

/* in nanoseconds of a core of 2020; only the ratios matter, found by trying on meshes, chains and
 * grids of bodies */
static const double time_of_front = 30.0;
static const double time_of_flop = 1.0 / 45.0;
static const double time_of_small_flop = 0.1;
static const double most_of_small = 3000.0;
static const double time_of_entry = 4.0;
/* written, and added to the parent's front, per entry of the whole square */
static const double time_of_update = 1.2;

typedef struct forest {
    int64_t count;     /* of supernodes before merging */
    int32_t *parent;   /* count: -1 = root */
    int32_t *columns;  /* count: 0 = merged into another */
    int32_t *rows;     /* count: below the columns */
    int32_t *child;    /* count: first child that is still one, -1 = none */
    int32_t *sibling;  /* count */
    int32_t *head;     /* count: first part, a chain of supernodes merged, in the order of
                          elimination */
    int32_t *tail;     /* count: last part */
    int32_t *next;     /* count: the part behind, -1 = none */
    int32_t *begin;    /* count + 1: first column of each, before renumbering */
    int32_t *number;   /* count: the new number of each that is left */
    signed char *last; /* count: of nodes that come last */
} forest;

static void forest_clear(saddle_context *context, forest *f)
{
    saddle_release(context, f->parent);
    saddle_release(context, f->columns);
    saddle_release(context, f->rows);
    saddle_release(context, f->child);
    saddle_release(context, f->sibling);
    saddle_release(context, f->head);
    saddle_release(context, f->tail);
    saddle_release(context, f->next);
    saddle_release(context, f->begin);
    saddle_release(context, f->number);
    saddle_release(context, f->last);
}

static saddle_status forest_allocate(saddle_context *context, int64_t count, forest *f)
{
    f->count = count;
    f->parent = saddle__allocate_unset(context, count, sizeof(*f->parent));
    f->columns = saddle__allocate_unset(context, count, sizeof(*f->columns));
    f->rows = saddle__allocate_unset(context, count, sizeof(*f->rows));
    f->child = saddle__allocate_unset(context, count, sizeof(*f->child));
    f->sibling = saddle__allocate_unset(context, count, sizeof(*f->sibling));
    f->head = saddle__allocate_unset(context, count, sizeof(*f->head));
    f->tail = saddle__allocate_unset(context, count, sizeof(*f->tail));
    f->next = saddle__allocate_unset(context, count, sizeof(*f->next));
    f->begin = saddle__allocate_unset(context, count + 1, sizeof(*f->begin));
    f->number = saddle__allocate_unset(context, count, sizeof(*f->number));
    f->last = saddle_allocate(context, count, sizeof(*f->last));
    int made = f->parent && f->columns && f->rows && f->child && f->sibling && f->head && f->tail &&
               f->next && f->begin && f->number && f->last;
    return made ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

/* ---- columns of one structure ---- */

static int is_last(const saddle__ordered *ordered, const signed char *last, int64_t j)
{
    return last && last[ordered->order[j]];
}

/* Whether column j has the structure of column j - 1 without its diagonal. */
static int continues(const saddle__ordered *ordered, const signed char *last, int64_t j)
{
    return j > 0 && ordered->parent[j - 1] == j && ordered->count[j - 1] == ordered->count[j] + 1 &&
           is_last(ordered, last, j - 1) == is_last(ordered, last, j);
}

/* supernode (n) of each column; how many there are */
static int64_t find_runs(int64_t n, const saddle__ordered *ordered, const signed char *last,
                         int32_t *supernode)
{
    int64_t count = 0;
    for (int64_t j = 0; j < n; j++) {
        if (!continues(ordered, last, j)) count++;
        supernode[j] = (int32_t)(count - 1);
    }
    return count;
}

static void describe_runs(int64_t n, const saddle__ordered *ordered, const signed char *last,
                          const int32_t *supernode, forest *f)
{
    for (int64_t j = n - 1; j >= 0; j--) f->begin[supernode[j]] = (int32_t)j;
    f->begin[f->count] = (int32_t)n;
    for (int64_t s = 0; s < f->count; s++) {
        int64_t top = f->begin[s + 1] - 1;
        f->rows[s] = (int32_t)ordered->count[top] - 1;
        f->parent[s] = ordered->parent[top] >= 0 ? supernode[ordered->parent[top]] : -1;
        f->last[s] = (signed char)is_last(ordered, last, top);
    }
}

static void take_runs(const saddle__ordered *ordered, forest *f)
{
    for (int64_t s = 0; s < f->count; s++) {
        f->begin[s] = ordered->run_begin[s];
        f->rows[s] = ordered->run_rows[s];
        f->parent[s] = ordered->run_parent[s];
    }
    f->begin[f->count] = ordered->run_begin[f->count];
}

static void link_runs(forest *f)
{
    for (int64_t s = 0; s < f->count; s++) {
        f->columns[s] = f->begin[s + 1] - f->begin[s];
        f->child[s] = f->sibling[s] = f->next[s] = -1;
        f->head[s] = f->tail[s] = (int32_t)s;
    }
    for (int64_t s = f->count - 1; s >= 0; s--) { /* children in ascending order */
        int32_t p = f->parent[s];
        if (p < 0) continue;
        f->sibling[s] = f->child[p];
        f->child[p] = (int32_t)s;
    }
}

/* ---- amalgamation ---- */

static double entries_of(double k, double u)
{
    return 0.5 * k * (k + 1.0) + k * u;
}

/* sum over the columns of count^2 */
static double flops_of(double k, double u)
{
    return k * (u * u + u * (k + 1.0) + (k + 1.0) * (2.0 * k + 1.0) / 6.0);
}

static double time_of(double k, double u)
{
    double flops = flops_of(k, u);
    double small = flops * time_of_small_flop;
    return time_of_front + time_of_flop * flops + (small < most_of_small ? small : most_of_small) +
           time_of_entry * entries_of(k, u) + time_of_update * u * u;
}

static int worth_merging(const forest *f, int32_t c, int32_t p)
{
    double kc = (double)f->columns[c];
    double kp = (double)f->columns[p];
    double up = (double)f->rows[p];
    if (f->last[c] != f->last[p]) return 0;
    return time_of(kc + kp, up) <= time_of(kc, (double)f->rows[c]) + time_of(kp, up);
}

/* c's columns go before p's, behind those merged before */
static void merge_child(forest *f, int32_t c, int32_t p, int32_t *before_p)
{
    f->columns[p] += f->columns[c];
    f->columns[c] = 0;
    if (*before_p < 0)
        f->head[p] = f->head[c];
    else
        f->next[*before_p] = f->head[c];
    f->next[f->tail[c]] = p;
    *before_p = f->tail[c];
}

/* p's children that are worth it merged into p; their children become p's, in their place */
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
        merge_child(f, c, p, &before_p);
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

static void number_one(saddle__ldlt *F, const forest *f, const saddle__ordered *ordered, int64_t s,
                       numbering *x)
{
    F->first[x->count] = x->column;
    for (int64_t part = f->head[s]; part >= 0; part = f->next[part])
        for (int64_t j = f->begin[part]; j < f->begin[part + 1]; j++)
            x->order[x->column++] = ordered->order[j];
    F->row_start[x->count + 1] = f->rows[s];
    f->number[s] = (int32_t)x->count++;
}

static int is_loose(const forest *f, int64_t s)
{
    return f->columns[s] == 1 && f->rows[s] == 0 && f->child[s] < 0;
}

/* A postorder of the forest without recursion: down the first children, up the parents.  Loose ones
 * come first. */
static void number_all(saddle__ldlt *F, const forest *f, const saddle__ordered *ordered,
                       numbering *x)
{
    for (int64_t s = 0; s < f->count; s++)
        if (is_loose(f, s)) number_one(F, f, ordered, s, x);
    F->loose = x->count;
    for (int64_t root = 0; root < f->count; root++) {
        if (f->parent[root] >= 0 || f->columns[root] == 0 || is_loose(f, root)) continue;
        int64_t s = root;
        while (f->child[s] >= 0) s = f->child[s];
        for (;;) {
            number_one(F, f, ordered, s, x);
            if (s == root) break;
            if (f->sibling[s] >= 0) {
                s = f->sibling[s];
                while (f->child[s] >= 0) s = f->child[s];
            } else {
                s = f->parent[s];
            }
        }
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

static saddle_status renumber(saddle__ldlt *F, const forest *f, const saddle__ordered *ordered)
{
    saddle_context *context = F->context;
    int64_t count = F->supernodes;
    F->first = saddle_allocate(context, count + 1, sizeof(*F->first));
    F->row_start = saddle_allocate(context, count + 1, sizeof(*F->row_start));
    F->parent = saddle__allocate_unset(context, count, sizeof(*F->parent));
    F->child = saddle__allocate_unset(context, count, sizeof(*F->child));
    F->sibling = saddle__allocate_unset(context, count, sizeof(*F->sibling));
    F->tree = saddle__allocate_unset(context, count, sizeof(*F->tree));
    F->order = saddle__allocate_unset(context, F->n, sizeof(*F->order));
    F->position = saddle__allocate_unset(context, F->n, sizeof(*F->position));
    numbering x = {.order = F->order};
    saddle_status status = SADDLE_OUT_OF_MEMORY;
    if (F->first && F->row_start && F->parent && F->child && F->sibling && F->tree && F->order &&
        F->position) {
        number_all(F, f, ordered, &x);
        link_tree(F, f);
        for (int64_t k = 0; k < F->n; k++) F->position[F->order[k]] = k;
        status = SADDLE_OK;
    }
    return status;
}

saddle_status saddle__ldlt_partition(saddle__ldlt *F, saddle__ordered *ordered,
                                     const signed char *last)
{
    forest f = {0};
    F->supernode = saddle__allocate_unset(F->context, F->n, sizeof(*F->supernode));
    if (!F->supernode) return SADDLE_OUT_OF_MEMORY;
    int64_t runs = ordered->runs > 0 ? ordered->runs : find_runs(F->n, ordered, last, F->supernode);
    saddle_status status = forest_allocate(F->context, runs, &f);
    if (status == SADDLE_OK) {
        if (ordered->runs > 0)
            take_runs(ordered, &f);
        else
            describe_runs(F->n, ordered, last, F->supernode, &f);
        link_runs(&f);
        for (int32_t p = 0; p < f.count; p++) merge_children(&f, p);
        for (int64_t s = 0; s < f.count; s++) F->supernodes += f.columns[s] > 0;
        status = renumber(F, &f, ordered);
    }
    if (status == SADDLE_OK && ordered->runs > 0) {
        for (int64_t s = 0; s < f.count; s++)
            if (f.columns[s] == 0) f.number[s] = -1;
        ordered->run_number = f.number;
        f.number = NULL;
    }
    forest_clear(F->context, &f);
    return status;
}
