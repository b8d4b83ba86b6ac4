/* SPDX-License-Identifier: MIT */
/* See border.h. */
#include "ldlt/border.h"

#include <math.h>
#include <string.h>

#include "dense/growing_ldlt.h"
#include "ldlt/ldlt_internal.h"

void saddle__ldlt_border_clear(saddle__ldlt_border *b)
{
    saddle__ldlt_reached_clear(&b->Y);
    void *arrays[] = {b->L, b->pivot, b->corner, b->y};
    for (size_t k = 0; k < sizeof(arrays) / sizeof(*arrays); k++)
        saddle_release(b->context, arrays[k]);
    memset(b, 0, sizeof(*b));
}

saddle_status saddle__ldlt_border_create(saddle_context *context, int64_t capacity,
                                         int64_t most_values, saddle__ldlt_border *b)
{
    saddle__ldlt_border fresh = {.context = context, .capacity = capacity};
    *b = fresh;
    saddle_status status = saddle__ldlt_reached_create(context, capacity, most_values, &b->Y);
    b->L = saddle__allocate_unset(context, capacity * capacity, sizeof(*b->L));
    b->pivot = saddle_allocate(context, capacity, sizeof(*b->pivot));
    b->corner = saddle_allocate(context, capacity, sizeof(*b->corner));
    b->y = saddle_allocate(context, capacity, sizeof(*b->y));
    if (status == SADDLE_OK && b->L && b->pivot && b->corner && b->y) return SADDLE_OK;
    saddle__ldlt_border_clear(b);
    return SADDLE_OUT_OF_MEMORY;
}

void saddle__ldlt_border_begin(saddle__ldlt_border *b, saddle__ldlt *F)
{
    saddle__ldlt_reached_begin(&b->Y, F);
    b->count = 0;
}

int saddle__ldlt_border_add(saddle__ldlt_border *b, const saddle__ldlt_node *node)
{
    int64_t t = b->Y.count = b->count; /* a refused node leaves its column */
    if (!saddle__ldlt_reached_append(&b->Y, node->entries, node->index, node->value)) return 0;
    double *l = b->L + t * b->capacity;
    for (int64_t u = 0; u < t; u++)
        l[u] = b->corner[u] - saddle__ldlt_reached_with_loaded(&b->Y, u);
    double diagonal = node->diagonal - saddle__ldlt_reached_with_loaded(&b->Y, t);
    double pivot = saddle__growing_ldlt_row(b->L, b->capacity, b->pivot, t, diagonal);
    if (!(fabs(pivot) >= node->least && fabs(pivot) > 0.0 && isfinite(pivot))) return 0;
    b->pivot[b->count++] = pivot;
    return 1;
}

void saddle__ldlt_border_solve(saddle__ldlt_border *b, double *x)
{
    saddle__ldlt *F = b->Y.F;
    double *scaled = F->rhs;
    saddle__ldlt_solve(F, SADDLE__LDLT_IN | SADDLE__LDLT_L, 1, x, F->n);
    for (int64_t i = 0; i < F->n; i++) scaled[i] = x[i] * F->inverse[i];
    for (int64_t t = 0; t < b->count; t++) b->y[t] -= saddle__ldlt_reached_times(&b->Y, t, scaled);
    saddle__growing_ldlt_solve(b->L, b->capacity, b->pivot, b->count, b->y);
    for (int64_t t = 0; t < b->count; t++) saddle__ldlt_reached_subtract(&b->Y, t, b->y[t], x);
    saddle__ldlt_solve(F, SADDLE__LDLT_D | SADDLE__LDLT_TRANSPOSE | SADDLE__LDLT_OUT, 1, x, F->n);
}
