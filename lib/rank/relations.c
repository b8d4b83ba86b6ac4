/* SPDX-License-Identifier: MIT */
/* See relations.h. */
#include "rank/relations.h"

#include <math.h>

void saddle__relations_clear(saddle__relations *r)
{
    saddle_release(r->context, r->row);
    saddle_release(r->context, r->start);
    saddle_release(r->context, r->residual);
    saddle_release(r->context, r->other);
    saddle_release(r->context, r->factor);
    saddle__relations empty = {.context = r->context};
    *r = empty;
}

/* *array has room for capacity elements of that size afterwards; the old one is kept where there is
 * no memory */
static int grow(saddle_context *context, void *array, int64_t capacity, size_t size)
{
    void **block = array;
    void *larger = saddle_reallocate(context, *block, capacity, size);
    if (!larger) return 0;
    *block = larger;
    return 1;
}

static saddle_status make_room(saddle__relations *r, int64_t entries)
{
    saddle_context *context = r->context;
    if (r->count == r->capacity) {
        int64_t capacity = r->capacity + r->capacity / 2 + 16;
        void *row = r->row;
        void *start = r->start;
        void *residual = r->residual;
        int fits = grow(context, &row, capacity, sizeof(*r->row));
        r->row = row;
        fits = fits && grow(context, &start, capacity + 1, sizeof(*r->start));
        r->start = start;
        fits = fits && grow(context, &residual, capacity, sizeof(*r->residual));
        r->residual = residual;
        if (!fits) return SADDLE_OUT_OF_MEMORY;
        if (r->count == 0) r->start[0] = 0;
        r->capacity = capacity;
    }
    int64_t needed = r->start[r->count] + entries;
    if (needed > r->entry_capacity) {
        int64_t capacity = needed + needed / 2 + 64;
        void *other = r->other;
        void *factor = r->factor;
        int fits = grow(context, &other, capacity, sizeof(*r->other));
        r->other = other;
        fits = fits && grow(context, &factor, capacity, sizeof(*r->factor));
        r->factor = factor;
        if (!fits) return SADDLE_OUT_OF_MEMORY;
        r->entry_capacity = capacity;
    }
    return SADDLE_OK;
}

saddle_status saddle__relations_add(saddle__relations *r, int64_t row, int64_t count,
                                    const int64_t *other, const double *factor, double residual)
{
    saddle_status status = make_room(r, count);
    if (status != SADDLE_OK) return status;
    int64_t at = r->start[r->count];
    for (int64_t k = 0; k < count; k++) {
        r->other[at + k] = other[k];
        r->factor[at + k] = factor[k];
    }
    r->row[r->count] = row;
    r->residual[r->count] = residual;
    r->start[++r->count] = at + count;
    return SADDLE_OK;
}

/* x += factor B_k; returns |factor| |B_k| */
static double add(const saddle_matrix *Bt, int64_t k, double factor, double *x)
{
    double sum = 0.0;
    for (int64_t p = Bt->start[k]; p < Bt->start[k + 1]; p++) {
        x[Bt->index[p]] += factor * Bt->value[p];
        sum += Bt->value[p] * Bt->value[p];
    }
    return fabs(factor) * sqrt(sum);
}

/* The sum of the squares of x on column k, which becomes zero. */
static double take_squares(const saddle_matrix *Bt, int64_t k, double *x)
{
    double sum = 0.0;
    for (int64_t p = Bt->start[k]; p < Bt->start[k + 1]; p++) {
        sum += x[Bt->index[p]] * x[Bt->index[p]];
        x[Bt->index[p]] = 0.0;
    }
    return sum;
}

double saddle__relation_residual(const saddle_matrix *Bt, int64_t row, int64_t count,
                                 const int64_t *other, const double *factor, double *x)
{
    double size = add(Bt, row, 1.0, x);
    for (int64_t k = 0; k < count; k++) size += add(Bt, other[k], -factor[k], x);
    double sum = take_squares(Bt, row, x);
    for (int64_t k = 0; k < count; k++) sum += take_squares(Bt, other[k], x);
    if (!isfinite(size)) return (double)INFINITY;
    return size > 0.0 ? sqrt(sum) / size : 0.0;
}
