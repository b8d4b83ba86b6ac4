/* SPDX-License-Identifier: MIT */
/* See partition.h. */
#include "islands/partition.h"

#include <stddef.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/vector.h"
#include "matrix/matrix_internal.h"

enum {
    SMALL = 12,       /* rows, those of a box on the ground: up to here a solver's set-up takes as
                         long as its solve */
    MOST_JOINED = 256 /* rows: from here on the set-up is a small part of the solve */
};

enum matrix { OF_M, OF_J, OF_R, MATRICES };

/* Scratch of the division.  A node is a velocity, or n + row. */
typedef struct division {
    int64_t nodes, components;
    int64_t *parent; /* nodes: union and find; then the root */
    int64_t *label;  /* nodes: of a root, its island */
    int64_t *rows;   /* nodes: of a root, rows of the component */
    char *kind;      /* nodes: of a root */
    int64_t count;
    saddle__layout layout;
} division;

enum kind { EQUALITIES, BOUNDS, CONTACTS };

static const saddle_matrix *matrix_of(const saddle_problem *problem, int k)
{
    return k == OF_M ? &problem->M : k == OF_J ? &problem->Jt : &problem->R;
}

/* ---- components ---- */

/* Column j of A is node col + j, row i node row + i.  Ends where all nodes are joined. */
static void join_entries(division *d, const saddle_matrix *A, int64_t row, int64_t col)
{
    for (int64_t j = 0; A->start && j < A->cols && d->components > 1; j++)
        d->components -= saddle__join_column(d->parent, col + j, row, A, j);
}

static void find_components(const saddle_problem *problem, division *d)
{
    int64_t n = problem->n;
    d->components = d->nodes;
    for (int64_t i = 0; i < d->nodes; i++) d->parent[i] = i;
    join_entries(d, &problem->M, 0, 0);
    join_entries(d, &problem->Jt, 0, n);
    join_entries(d, &problem->R, n, n);
    for (int64_t c = 0; c < problem->contact_count; c++) {
        const saddle_contact *contact = &problem->contacts[c];
        const int64_t normal = n + contact->row;
        for (int64_t k = 1; k < contact->size; k++)
            d->components -= saddle__join(d->parent, normal, normal + k);
    }
    for (int64_t i = 0; i < d->nodes; i++) d->parent[i] = saddle__root_of(d->parent, i);
}

static void find_kinds(const saddle_problem *problem, division *d)
{
    const int64_t *root = d->parent + problem->n;
    for (int64_t i = 0; i < problem->m; i++) {
        d->rows[root[i]]++;
        if (d->kind[root[i]] == EQUALITIES &&
            saddle_problem_bound_kind(problem, i) != SADDLE_ROW_EQUALITY)
            d->kind[root[i]] = BOUNDS;
    }
    for (int64_t c = 0; c < problem->contact_count; c++)
        d->kind[root[problem->contacts[c].row]] = CONTACTS;
}

/* Whether small components with contacts are joined: not where Lemke's paths are taken, which
 * lengthen with the size. */
static int joins_contacts(const saddle_problem *problem)
{
    int64_t c = 0;
    if (problem->law != SADDLE_LAW_PYRAMID) return 1;
    while (c < problem->contact_count && problem->contacts[c].size == 2) c++;
    return c == problem->contact_count;
}

/* label <- the island of each node */
static void label_nodes(const saddle_problem *problem, division *d)
{
    int contacts = joins_contacts(problem);
    int64_t equalities = -1, small = -1, joined = 0, equal = 0;
    for (int64_t i = 0; i < d->nodes; i++) {
        int64_t root = d->parent[i]; /* <= i */
        if (root != i) {
            d->label[i] = d->label[root];
            continue;
        }
        int joins = d->rows[i] <= SMALL && (contacts || d->kind[i] != CONTACTS);
        int64_t *open = d->kind[i] == EQUALITIES ? &equalities : joins ? &small : NULL;
        if (open && *open < 0) *open = d->count++;
        d->label[i] = open ? *open : d->count++;
        if (open == &equalities) equal += d->rows[i];
        if (open != &small) continue;
        joined += d->rows[i];
        if (joined < MOST_JOINED) continue;
        small = -1;
        joined = 0;
    }
    if (d->count == 2 && equalities >= 0 && equal <= SMALL) d->count = 1;
}

/* ---- the islands' arrays ---- */

static saddle_status make_arrays(saddle__partition *p)
{
    const saddle__array arrays[] = {SADDLE__ARRAY(p->island, p->count),
                                    SADDLE__ARRAY(p->velocity, p->n),
                                    SADDLE__ARRAY(p->row, p->m),
                                    SADDLE__ARRAY(p->contact, p->contacts),
                                    SADDLE__ARRAY(p->contact_of, p->contacts),
                                    SADDLE__ARRAY(p->f, p->n),
                                    SADDLE__ARRAY(p->v, p->n),
                                    SADDLE__ARRAY(p->b, p->m),
                                    SADDLE__ARRAY(p->lo, p->m),
                                    SADDLE__ARRAY(p->hi, p->m),
                                    SADDLE__ARRAY(p->lambda, p->m),
                                    SADDLE__ARRAY(p->w, p->m),
                                    SADDLE__ARRAY(p->start[OF_M], p->n + p->count),
                                    SADDLE__ARRAY(p->index[OF_M], p->entries[OF_M]),
                                    SADDLE__ARRAY(p->value[OF_M], p->entries[OF_M]),
                                    SADDLE__ARRAY(p->start[OF_J], p->m + p->count),
                                    SADDLE__ARRAY(p->index[OF_J], p->entries[OF_J]),
                                    SADDLE__ARRAY(p->value[OF_J], p->entries[OF_J]),
                                    SADDLE__ARRAY(p->start[OF_R], p->m + p->count),
                                    SADDLE__ARRAY(p->index[OF_R], p->entries[OF_R]),
                                    SADDLE__ARRAY(p->value[OF_R], p->entries[OF_R])};
    return saddle__layout_make(p->context, &p->layout, arrays, SADDLE__LENGTH(arrays));
}

/* list <- the items in the order of their labels; next (islands): place of the first of each. */
static void list_by_label(const int64_t *label, int64_t items, int64_t *next, int64_t *list)
{
    for (int64_t i = 0; i < items; i++) list[next[label[i]]++] = i;
}

static int64_t *places(const saddle__partition *p, size_t field, int64_t *next)
{
    for (int64_t k = 0; k < p->count; k++)
        memcpy(&next[k], (const char *)&p->island[k] + field, sizeof *next);
    return next;
}

/* Sizes of the islands, the lists, and parent <- the number of each node in its island. */
static void list_unknowns(const saddle_problem *problem, division *d, saddle__partition *p)
{
    const int64_t *of_row = d->label + p->n;
    int64_t *next = d->rows; /* no longer needed; there are as many islands as nodes at most */
    int64_t *number = d->parent;
    for (int64_t j = 0; j < p->n; j++) p->island[d->label[j]].problem.n++;
    for (int64_t i = 0; i < p->m; i++) p->island[of_row[i]].problem.m++;
    for (int64_t c = 0; c < p->contacts; c++)
        p->island[of_row[problem->contacts[c].row]].problem.contact_count++;
    for (int64_t k = 1; k < p->count; k++) {
        const saddle__island *before = &p->island[k - 1];
        p->island[k].velocity = before->velocity + before->problem.n;
        p->island[k].row = before->row + before->problem.m;
        p->island[k].contact = before->contact + before->problem.contact_count;
    }
    list_by_label(d->label, p->n, places(p, offsetof(saddle__island, velocity), next), p->velocity);
    list_by_label(of_row, p->m, places(p, offsetof(saddle__island, row), next), p->row);
    (void)places(p, offsetof(saddle__island, contact), next);
    for (int64_t c = 0; c < p->contacts; c++)
        p->contact[next[of_row[problem->contacts[c].row]]++] = c;
    for (int64_t k = 0; k < p->count; k++) {
        const saddle__island *s = &p->island[k];
        for (int64_t j = 0; j < s->problem.n; j++) number[p->velocity[s->velocity + j]] = j;
        for (int64_t i = 0; i < s->problem.m; i++) number[p->n + p->row[s->row + i]] = i;
    }
}

/* The island's part of matrix k: its columns of A, as listed, from place `at` of the arrays of the
 * partition on.  number: of the nodes of A's rows.  Returns the place of the next. */
static int64_t take_columns(saddle__partition *p, int k, int64_t island, const saddle_matrix *A,
                            const int64_t *number, int64_t at)
{
    saddle__island *s = &p->island[island];
    saddle_problem *q = &s->problem;
    int64_t first = k == OF_M ? s->velocity : s->row;
    const int64_t *column = k == OF_M ? p->velocity + first : p->row + first;
    saddle_matrix *part = k == OF_M ? &q->M : k == OF_J ? &q->Jt : &q->R;
    *part = (saddle_matrix){.rows = k == OF_R ? q->m : q->n,
                            .cols = k == OF_M ? q->n : q->m,
                            .symmetry = A->symmetry};
    if (p->entries[k] == 0) {
        if (k == OF_R) *part = (saddle_matrix){0};
        return at;
    }
    part->start = p->start[k] + first + island;
    part->index = p->index[k] + at;
    part->value = p->value[k] + at;
    int64_t count = 0;
    for (int64_t j = 0; j < part->cols; j++) {
        for (int64_t e = A->start[column[j]]; e < A->start[column[j] + 1]; e++)
            part->index[count++] = number[A->index[e]];
        part->start[j + 1] = count;
    }
    s->size += count;
    return at + count;
}

static void make_islands(const saddle_problem *problem, const division *d, saddle__partition *p)
{
    int64_t at[MATRICES] = {0, 0, 0};
    for (int64_t i = 0; i < p->count; i++) {
        saddle__island *s = &p->island[i];
        saddle_problem *q = &s->problem;
        s->size = q->n + q->m;
        for (int k = 0; k < MATRICES; k++)
            at[k] = take_columns(p, k, i, matrix_of(problem, k),
                                 k == OF_R ? d->parent + p->n : d->parent, at[k]);
        q->contacts = p->contact_of + s->contact;
        for (int64_t c = 0; c < q->contact_count; c++) {
            q->contacts[c] = problem->contacts[p->contact[s->contact + c]];
            q->contacts[c].row = d->parent[p->n + q->contacts[c].row];
        }
        q->law = problem->law;
        q->facets = problem->facets;
        q->time_step = problem->time_step;
        s->answer = (saddle_solution){.n = q->n,
                                      .m = q->m,
                                      .v = p->v + s->velocity,
                                      .lambda = p->lambda + s->row,
                                      .w = p->w + s->row};
    }
}

saddle_status saddle__partition_create(const saddle_problem *problem, saddle__partition *partition)
{
    saddle__partition *p = partition;
    division d = {0};
    p->count = 1;
    if (problem->m <= (problem->contact_count > 0 ? SMALL : MOST_JOINED) ||
        saddle_problem_count_rows(problem).equality == problem->m)
        return SADDLE_OK; /* one, without a look at the entries */
    d.nodes = problem->n + problem->m;
    const saddle__array arrays[] = {SADDLE__ARRAY(d.parent, d.nodes),
                                    SADDLE__ARRAY(d.label, d.nodes), SADDLE__ARRAY(d.rows, d.nodes),
                                    SADDLE__ARRAY(d.kind, d.nodes)};
    saddle_status status = saddle__layout_make(p->context, &d.layout, arrays,
                                               SADDLE__LENGTH(arrays));
    if (status != SADDLE_OK) return status;
    find_components(problem, &d);
    if (d.components > 1) {
        find_kinds(problem, &d);
        label_nodes(problem, &d);
        p->count = d.count;
    }
    if (p->count > 1) {
        p->n = problem->n;
        p->m = problem->m;
        p->contacts = problem->contact_count;
        for (int k = 0; k < MATRICES; k++)
            p->entries[k] = saddle_matrix_entries(matrix_of(problem, k));
        status = make_arrays(p);
        if (status == SADDLE_OK) list_unknowns(problem, &d, p);
        if (status == SADDLE_OK) make_islands(problem, &d, p);
    }
    saddle__layout_clear(p->context, &d.layout);
    return status;
}

/* ---- values ---- */

void saddle__partition_set_matrices(saddle__partition *partition, const saddle_problem *problem)
{
    const int64_t *const list[MATRICES] = {partition->velocity, partition->row, partition->row};
    const int64_t columns[MATRICES] = {partition->n, partition->m, partition->m};
    for (int k = 0; k < MATRICES; k++) {
        const saddle_matrix *A = matrix_of(problem, k);
        double *value = partition->value[k];
        for (int64_t j = 0; partition->entries[k] > 0 && j < columns[k]; j++) {
            int64_t begin = A->start[list[k][j]], end = A->start[list[k][j] + 1];
            saddle__copy(value, A->value + begin, end - begin);
            value += end - begin;
        }
    }
}

/* to (count) <- from in the order of the list; from NULL: nothing. */
static void take(double *to, const double *from, const int64_t *list, int64_t count)
{
    for (int64_t k = 0; from && k < count; k++) to[k] = from[list[k]];
}

void saddle__partition_set_vectors(saddle__partition *partition, const saddle_problem *problem)
{
    saddle__partition *p = partition;
    take(p->f, problem->f, p->velocity, p->n);
    take(p->b, problem->b, p->row, p->m);
    take(p->lo, problem->lo, p->row, p->m);
    take(p->hi, problem->hi, p->row, p->m);
    for (int64_t c = 0; c < p->contacts; c++) {
        const saddle_contact *from = &problem->contacts[p->contact[c]];
        p->contact_of[c].mu = from->mu;
        p->contact_of[c].mu_torsion = from->mu_torsion;
        p->contact_of[c].mu_rolling = from->mu_rolling;
    }
    for (int64_t k = 0; k < p->count; k++) {
        const saddle__island *s = &p->island[k];
        saddle_problem *q = &p->island[k].problem;
        q->f = problem->f ? p->f + s->velocity : NULL;
        q->b = problem->b ? p->b + s->row : NULL;
        q->lo = problem->lo ? p->lo + s->row : NULL;
        q->hi = problem->hi ? p->hi + s->row : NULL;
    }
}
