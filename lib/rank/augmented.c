/* SPDX-License-Identifier: MIT */
/* The rank by the engine, for rows whose elimination fills in too much (long-range ties across a
 * mesh, say):
 *
 *     [ 1   B' ] [ r ]   [ B'_k ]
 *     [ B   0  ] [ y ] = [  0   ]
 *         y: the combination of the independent rows closest to row k, r: what it leaves
 *
 * L D L' of that matrix, from which rows are dropped whose pivots vanish; each must then prove to
 * be a combination of the others, and the others independent by inverse iteration with (B B')^-1.
 * If not, nothing is known: a pivot is the square of a distance, and may vanish before all of its
 * row's coordinates have been eliminated. */
#include <math.h>
#include <string.h>

#include "ldlt/ldlt.h"
#include "rank/rank_internal.h"

enum { BATCH = 16, STEPS = 4 };

static const double vanished = 1e-10;
static const double faint = 1e-8;
static const int64_t surplus_at_most = 2000;
static const double solves_at_most = 2e9; /* multiplications spent on combinations */

/* The smallest singular value from which on inverse iteration by these factors, of the squares, is
 * trusted. */
static const double certain = 1e-6;

typedef struct augmented {
    saddle_context *context;
    const saddle_matrix *Bt;
    int64_t rows, count, size; /* coordinates, rows of B, both together */
    const int64_t *order;      /* count: columns of B' */
    saddle_matrix K;
    saddle__ldlt *F;
    signed char *sign, *late; /* size */
    int64_t dropped_count;
    int64_t *dropped;    /* count: places in order */
    double *x;           /* size x BATCH */
    double *combination; /* count x BATCH */
    double *work;        /* rows, zero between calls */
    int64_t *other;      /* count */
    double *factor;      /* count */
} augmented;

static void clear(augmented *a)
{
    saddle_matrix_clear(&a->K);
    saddle__ldlt_free(a->F);
    saddle_release(a->context, a->sign);
    saddle_release(a->context, a->late);
    saddle_release(a->context, a->dropped);
    saddle_release(a->context, a->x);
    saddle_release(a->context, a->combination);
    saddle_release(a->context, a->work);
    saddle_release(a->context, a->other);
    saddle_release(a->context, a->factor);
}

static saddle_status allocate(augmented *a)
{
    a->sign = saddle_allocate(a->context, a->size, sizeof(*a->sign));
    a->late = saddle_allocate(a->context, a->size, sizeof(*a->late));
    a->dropped = saddle_allocate(a->context, a->count, sizeof(*a->dropped));
    a->x = saddle_allocate(a->context, a->size, BATCH * sizeof(*a->x));
    a->combination = saddle_allocate(a->context, a->count, BATCH * sizeof(*a->combination));
    a->work = saddle_allocate(a->context, a->rows, sizeof(*a->work));
    a->other = saddle_allocate(a->context, a->count, sizeof(*a->other));
    a->factor = saddle_allocate(a->context, a->count, sizeof(*a->factor));
    int complete = a->sign && a->late && a->dropped && a->x && a->combination && a->work &&
                   a->other && a->factor;
    return complete ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

static saddle_status assemble(augmented *a)
{
    const saddle_matrix *Bt = a->Bt;
    int64_t entries = a->size;
    for (int64_t t = 0; t < a->count; t++)
        entries += Bt->start[a->order[t] + 1] - Bt->start[a->order[t]];
    int64_t *row = saddle_allocate(a->context, entries, sizeof(*row));
    int64_t *col = saddle_allocate(a->context, entries, sizeof(*col));
    double *value = saddle_allocate(a->context, entries, sizeof(*value));
    saddle_status status = row && col && value ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    int64_t at = 0;
    for (int64_t i = 0; i < a->size && status == SADDLE_OK; i++) {
        row[at] = col[at] = i;
        value[at++] = i < a->rows ? 1.0 : 0.0;
        a->sign[i] = i < a->rows ? 1 : -1;
        a->late[i] = i < a->rows ? SADDLE__ANY_TIME : SADDLE__AFTER_NEIGHBOUR;
    }
    for (int64_t t = 0; t < a->count && status == SADDLE_OK; t++) {
        for (int64_t p = Bt->start[a->order[t]]; p < Bt->start[a->order[t] + 1]; p++) {
            row[at] = a->rows + t;
            col[at] = Bt->index[p];
            value[at++] = Bt->value[p];
        }
    }
    if (status == SADDLE_OK)
        status = saddle_matrix_from_triplets(a->context, a->size, a->size, at, row, col, value,
                                             SADDLE_SYMMETRIC, &a->K);
    saddle_release(a->context, row);
    saddle_release(a->context, col);
    saddle_release(a->context, value);
    return status;
}

/* *useful: rows alone were dropped, and not so many that their combinations would be dear. */
static saddle_status factor(augmented *a, int *useful)
{
    saddle__ldlt_request request = {.late = a->late};
    saddle__factor_counts counts;
    saddle__pivot_rule rule = {.sign = a->sign,
                               .smallest = vanished,
                               .replacement = (double)INFINITY};
    saddle_status status = saddle__ldlt_analyse(a->context, &a->K, &request, &a->F);
    if (status == SADDLE_OK) status = saddle__ldlt_factor(a->F, &a->K, &rule, &counts);
    *useful = status == SADDLE_OK;
    if (status != SADDLE_OK) return status == SADDLE_SINGULAR ? SADDLE_OK : status;
    const double *pivot = saddle__ldlt_pivots(a->F);
    const int64_t *position = saddle__ldlt_positions(a->F);
    for (int64_t i = 0; i < a->size; i++) {
        if (pivot[position[i]] != 0.0) continue;
        if (i < a->rows) *useful = 0;
        if (i >= a->rows) a->dropped[a->dropped_count++] = i - a->rows;
    }
    double cost = 4.0 * (double)saddle__ldlt_size_of(a->F).entries * (double)a->dropped_count;
    if (cost > solves_at_most) *useful = 0;
    return SADDLE_OK;
}

/* ---- combinations ---- */

/* x = [B'_k - sum_t y_t B'_t; 0] */
static void remainder_of(const augmented *a, int64_t k, const double *y, double *x)
{
    const saddle_matrix *Bt = a->Bt;
    memset(x, 0, (size_t)a->size * sizeof(*x));
    for (int64_t p = Bt->start[k]; p < Bt->start[k + 1]; p++) x[Bt->index[p]] = Bt->value[p];
    for (int64_t t = 0; t < a->count; t++) {
        if (y[t] == 0.0) continue;
        for (int64_t p = Bt->start[a->order[t]]; p < Bt->start[a->order[t] + 1]; p++)
            x[Bt->index[p]] -= y[t] * Bt->value[p];
    }
}

/* y's larger terms; their residual. */
static int64_t gather(augmented *a, int64_t k, const double *y, double least, double *residual)
{
    int64_t terms = 0;
    for (int64_t t = 0; t < a->count; t++) {
        if (y[t] == 0.0 || fabs(y[t]) < least) continue;
        a->other[terms] = a->order[t];
        a->factor[terms++] = y[t];
    }
    *residual = saddle__relation_residual(a->Bt, k, terms, a->other, a->factor, a->work);
    return terms;
}

/* The relations of `many` dropped rows from `first` on, refined once; *holds = 0 where one does
 * not. */
static saddle_status combine(augmented *a, double tolerance, int64_t first, int64_t many,
                             saddle__relations *relations, int *holds)
{
    saddle_status status = SADDLE_OK;
    memset(a->combination, 0, (size_t)(a->count * BATCH) * sizeof(*a->combination));
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t c = 0; c < many; c++)
            remainder_of(a, a->order[a->dropped[first + c]], a->combination + c * a->count,
                         a->x + c * a->size);
        saddle__ldlt_solve(a->F, SADDLE__LDLT_WHOLE, many, a->x, a->size);
        for (int64_t c = 0; c < many; c++)
            for (int64_t t = 0; t < a->count; t++)
                a->combination[c * a->count + t] += a->x[c * a->size + a->rows + t];
    }
    for (int64_t c = 0; c < many && status == SADDLE_OK && *holds; c++) {
        const double *y = a->combination + c * a->count;
        int64_t k = a->order[a->dropped[first + c]];
        double most = 1.0;
        double residual;
        for (int64_t t = 0; t < a->count; t++) most = fmax(most, fabs(y[t]));
        int64_t terms = gather(a, k, y, faint * most, &residual);
        *holds = residual <= tolerance && faint * most <= 1.0;
        if (*holds)
            status = saddle__relations_add(relations, k, terms, a->other, a->factor, residual);
    }
    return status;
}

/* ---- independence ---- */

/* z <- (B B')^-1 z over the rows kept, of largest modulus 1 */
static void step(augmented *a, double *z)
{
    memset(a->x, 0, (size_t)a->rows * sizeof(*a->x));
    for (int64_t t = 0; t < a->count; t++) a->x[a->rows + t] = -z[t];
    saddle__ldlt_solve(a->F, SADDLE__LDLT_WHOLE, 1, a->x, a->size);
    double most = 0.0;
    for (int64_t t = 0; t < a->count; t++) most = fmax(most, fabs(a->x[a->rows + t]));
    for (int64_t t = 0; t < a->count; t++) z[t] = a->x[a->rows + t] / (most > 0.0 ? most : 1.0);
    for (int64_t c = 0; c < a->dropped_count; c++) z[a->dropped[c]] = 0.0;
}

static double separation(augmented *a)
{
    double *z = a->combination;
    double above = 0.0;
    double below = 0.0;
    for (int64_t t = 0; t < a->count; t++) z[t] = t % 3 == 1 ? -1.0 : 1.0 / (1.0 + (double)(t % 7));
    for (int s = 0; s < STEPS; s++) step(a, z);
    for (int64_t t = 0; t < a->count; t++) {
        below += z[t] * z[t];
        for (int64_t p = a->Bt->start[a->order[t]]; p < a->Bt->start[a->order[t] + 1]; p++)
            a->work[a->Bt->index[p]] += z[t] * a->Bt->value[p];
    }
    for (int64_t c = 0; c < a->rows; c++) above += a->work[c] * a->work[c];
    return below > 0.0 ? sqrt(above / below) : 1.0;
}

/* Rows beyond the coordinates they have: those at least are dropped, and have a dense block among
 * themselves. */
static int64_t surplus(augmented *a)
{
    int64_t used = 0;
    for (int64_t t = 0; t < a->count; t++) {
        for (int64_t p = a->Bt->start[a->order[t]]; p < a->Bt->start[a->order[t] + 1]; p++) {
            used += a->work[a->Bt->index[p]] == 0.0;
            a->work[a->Bt->index[p]] = 1.0;
        }
    }
    memset(a->work, 0, (size_t)a->rows * sizeof(*a->work));
    return a->count - used;
}

saddle_status saddle__rank_augmented(const saddle_matrix *Bt, double tolerance, int64_t count,
                                     const int64_t *order, saddle__found *found)
{
    saddle_context *context = found->relations.context;
    augmented a = {.context = context, .Bt = Bt, .rows = Bt->rows, .count = count, .order = order};
    int useful = 0;
    found->finished = 0;
    saddle__relations_clear(&found->relations);
    if (count == 0) return SADDLE_OK;
    a.size = Bt->rows + count;
    saddle_status status = allocate(&a);
    int fits = status == SADDLE_OK && surplus(&a) <= surplus_at_most;
    if (fits) status = assemble(&a);
    if (fits && status == SADDLE_OK) status = factor(&a, &useful);
    for (int64_t c = 0; c < a.dropped_count && useful && status == SADDLE_OK; c += BATCH)
        status = combine(&a, tolerance, c,
                         a.dropped_count - c < BATCH ? a.dropped_count - c : BATCH,
                         &found->relations, &useful);
    if (status == SADDLE_OK && useful) {
        found->separation = separation(&a);
        found->finished = found->separation > certain;
    }
    if (!found->finished) saddle__relations_clear(&found->relations);
    clear(&a);
    return status == SADDLE_TOO_LARGE ? SADDLE_OK : status;
}
