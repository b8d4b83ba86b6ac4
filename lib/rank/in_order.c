/* SPDX-License-Identifier: MIT */
/* Relations found in another order, put in the rows' own: each then names the last of its rows, and
 * no two the same one.
 *
 *     y = e_row - sum_k factor_k e_other,   y'B = 0;   while another z has the same last row l:
 *         y <- y - (y_l / z_l) z
 *
 * With all last rows different, those are exactly the rows that depend on rows before them: of any
 * combination of the y's the last row is one of them.  (The reduction of boundary matrices in
 * persistent homology: Edelsbrunner, Letscher and Zomorodian, Discrete Comput. Geom. 28, 2002.)
 * Shorter relations come first, so that what is subtracted is short. */
#include <math.h>
#include <stdlib.h>

#include "rank/rank_internal.h"

/* A difference of terms that counts as zero. */
static const double same = 1e-10;

/* Terms below this part of the largest are rounding. */
static const double nothing = 1e-11;

/* A last term below this part of the largest cannot be trusted to be there. */
static const double faint = 1e-8;

typedef struct place {
    int64_t relation;
    int64_t key; /* length, or row */
} place;

typedef struct reduction {
    saddle_context *context;
    const saddle_matrix *Bt;
    saddle__relations done; /* reduced ones */
    int64_t *named_by;      /* rows: of those the one that names it, -1 = none */
    place *order;           /* relations */
    double *y;              /* rows: the present one, dense */
    int64_t terms;          /* its rows, the last one first; some may have become zero */
    int64_t *row;           /* rows */
    signed char *listed;    /* rows */
    double *factor;         /* rows */
    double *x;              /* Bt->rows */
} reduction;

static saddle_status begin(reduction *r, int64_t relations)
{
    int64_t rows = r->Bt->cols;
    r->done.context = r->context;
    r->named_by = saddle_allocate(r->context, rows, sizeof(*r->named_by));
    r->order = saddle_allocate(r->context, relations, sizeof(*r->order));
    r->y = saddle_allocate(r->context, rows, sizeof(*r->y));
    r->row = saddle_allocate(r->context, rows, sizeof(*r->row));
    r->listed = saddle_allocate(r->context, rows, sizeof(*r->listed));
    r->factor = saddle_allocate(r->context, rows, sizeof(*r->factor));
    r->x = saddle_allocate(r->context, r->Bt->rows, sizeof(*r->x));
    for (int64_t k = 0; r->named_by && k < rows; k++) r->named_by[k] = -1;
    int complete = r->named_by && r->order && r->y && r->row && r->listed && r->factor && r->x;
    return complete ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

static void end(reduction *r)
{
    saddle_release(r->context, r->named_by);
    saddle_release(r->context, r->order);
    saddle_release(r->context, r->y);
    saddle_release(r->context, r->row);
    saddle_release(r->context, r->listed);
    saddle_release(r->context, r->factor);
    saddle_release(r->context, r->x);
    saddle__relations_clear(&r->done);
}

static int by_key(const void *a, const void *b)
{
    const place *x = a;
    const place *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->relation > y->relation) - (x->relation < y->relation);
}

/* y_k += change; what cancels is zero. */
static void add(reduction *r, int64_t k, double change)
{
    double sum = r->y[k] + change;
    r->y[k] = fabs(sum) <= same * fabs(change) ? 0.0 : sum;
    if (r->listed[k]) return;
    r->listed[k] = 1;
    r->row[r->terms++] = k;
}

/* y += scale (e_row - sum factor e_other) */
static void add_relation(reduction *r, const saddle__relations *from, int64_t t, double scale)
{
    add(r, from->row[t], scale);
    for (int64_t k = from->start[t]; k < from->start[t + 1]; k++)
        add(r, from->other[k], -scale * from->factor[k]);
}

/* Zeros leave the list; the last row goes to its front, -1 = there is none.  *most: the largest
 * modulus. */
static int64_t last_row(reduction *r, double *most)
{
    int64_t kept = 0;
    *most = 0.0;
    for (int64_t t = 0; t < r->terms; t++) *most = fmax(*most, fabs(r->y[r->row[t]]));
    for (int64_t t = 0; t < r->terms; t++) {
        int64_t k = r->row[t];
        r->listed[k] = fabs(r->y[k]) > nothing * *most;
        if (!r->listed[k]) {
            r->y[k] = 0.0;
            continue;
        }
        r->row[kept] = k;
        if (k > r->row[0]) {
            r->row[kept] = r->row[0];
            r->row[0] = k;
        }
        kept++;
    }
    r->terms = kept;
    return kept > 0 ? r->row[0] : -1;
}

/* The present one joins those done, if it holds to the tolerance; y is zero then. */
static saddle_status keep(reduction *r, double tolerance, double most, int *holds)
{
    int64_t last = r->row[0];
    double scale = r->y[last];
    for (int64_t t = 0; t < r->terms; t++) {
        r->factor[t] = -r->y[r->row[t]] / scale;
        r->y[r->row[t]] = 0.0;
        r->listed[r->row[t]] = 0;
    }
    int64_t terms = r->terms - 1;
    r->terms = 0;
    double residual = saddle__relation_residual(r->Bt, last, terms, r->row + 1, r->factor + 1,
                                                r->x);
    *holds = residual <= tolerance && fabs(scale) >= faint * most;
    if (!*holds) return SADDLE_OK;
    r->named_by[last] = r->done.count;
    return saddle__relations_add(&r->done, last, terms, r->row + 1, r->factor + 1, residual);
}

static saddle_status reduce(reduction *r, const saddle__relations *found, int64_t t,
                            double tolerance, int *holds)
{
    double most;
    add_relation(r, found, t, 1.0);
    int64_t last = last_row(r, &most);
    while (last >= 0 && r->named_by[last] >= 0) {
        double scale = -r->y[last];
        add_relation(r, &r->done, r->named_by[last], scale);
        last = last_row(r, &most);
    }
    *holds = last >= 0;
    return last >= 0 ? keep(r, tolerance, most, holds) : SADDLE_OK;
}

/* *sorted: those done by ascending row. */
static saddle_status sort(reduction *r, saddle__relations *sorted)
{
    const saddle__relations *d = &r->done;
    saddle_status status = SADDLE_OK;
    for (int64_t t = 0; t < d->count; t++) r->order[t] = (place){.relation = t, .key = d->row[t]};
    if (d->count > 1) qsort(r->order, (size_t)d->count, sizeof(*r->order), by_key);
    for (int64_t t = 0; t < d->count && status == SADDLE_OK; t++) {
        int64_t k = r->order[t].relation;
        status = saddle__relations_add(sorted, d->row[k], d->start[k + 1] - d->start[k],
                                       d->other + d->start[k], d->factor + d->start[k],
                                       d->residual[k]);
    }
    return status;
}

saddle_status saddle__rank_put_in_order(const saddle_matrix *Bt, double tolerance,
                                        saddle__relations *relations)
{
    reduction r = {.context = relations->context, .Bt = Bt};
    saddle__relations sorted = {.context = relations->context};
    int holds = 1;
    saddle_status status = begin(&r, relations->count);
    for (int64_t t = 0; t < relations->count && status == SADDLE_OK; t++)
        r.order[t] = (place){.relation = t, .key = relations->start[t + 1] - relations->start[t]};
    if (relations->count > 1 && status == SADDLE_OK)
        qsort(r.order, (size_t)relations->count, sizeof(*r.order), by_key);
    for (int64_t t = 0; t < relations->count && status == SADDLE_OK && holds; t++)
        status = reduce(&r, relations, r.order[t].relation, tolerance, &holds);
    if (status == SADDLE_OK && holds) status = sort(&r, &sorted);
    if (status == SADDLE_OK && holds) {
        saddle__relations old = *relations;
        *relations = sorted;
        sorted = old;
    }
    saddle__relations_clear(&sorted);
    end(&r);
    return status;
}
