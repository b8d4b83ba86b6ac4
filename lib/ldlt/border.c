/* SPDX-License-Identifier: MIT */
/* See border.h. */
#include "ldlt/border.h"

#include <math.h>
#include <string.h>

#include "dense/growing_ldlt.h"
#include "ldlt/ldlt_internal.h"

void saddle__ldlt_border_clear(saddle__ldlt_border *b)
{
    void *arrays[] = {b->run_start, b->value_start, b->run, b->Y, b->L, b->pivot, b->corner, b->y};
    for (size_t k = 0; k < sizeof(arrays) / sizeof(*arrays); k++) saddle_release(b->context, arrays[k]);
    memset(b, 0, sizeof(*b));
}

saddle_status saddle__ldlt_border_create(saddle_context *context, int64_t capacity, int64_t most_values,
                                         saddle__ldlt_border *b)
{
    saddle__ldlt_border fresh = {.context = context, .capacity = capacity, .most_values = most_values};
    *b = fresh;
    b->run_start = saddle_allocate(context, capacity + 1, sizeof(*b->run_start));
    b->value_start = saddle_allocate(context, capacity + 1, sizeof(*b->value_start));
    b->run = saddle__allocate_unset(context, most_values, sizeof(*b->run));
    b->Y = saddle__allocate_unset(context, most_values, sizeof(*b->Y));
    b->L = saddle__allocate_unset(context, capacity * capacity, sizeof(*b->L));
    b->pivot = saddle_allocate(context, capacity, sizeof(*b->pivot));
    b->corner = saddle_allocate(context, capacity, sizeof(*b->corner));
    b->y = saddle_allocate(context, capacity, sizeof(*b->y));
    if (b->run_start && b->value_start && b->run && b->Y && b->L && b->pivot && b->corner && b->y) return SADDLE_OK;
    saddle__ldlt_border_clear(b);
    return SADDLE_OUT_OF_MEMORY;
}

void saddle__ldlt_border_begin(saddle__ldlt_border *b, saddle__ldlt *F)
{
    b->F = F;
    b->count = 0;
}

/* ---- columns ----------------------------------------------------------------------------------------------------- */

/* F->rhs, of a column that begins there, to Y and divided by D; 0: there is no room. */
static int keep_column(saddle__ldlt_border *b, int64_t begin)
{
    saddle__ldlt *F = b->F;
    int64_t t = b->count;
    int64_t r = b->run_start[t];
    int64_t v = b->value_start[t];
    for (int64_t k = begin; k < F->supernodes; k++) {
        int64_t s = F->reach[k];
        if (v + F->first[s + 1] - F->first[s] > b->most_values) return 0;
        b->run[r++] = (int32_t)s;
        for (int64_t j = F->first[s]; j < F->first[s + 1]; j++) {
            b->Y[v++] = F->rhs[j];
            F->rhs[j] *= F->inverse[j];
        }
    }
    b->run_start[t + 1] = r;
    b->value_start[t + 1] = v;
    return 1;
}

/* Y_t' x, x by position; marked: x is zero but in the supernodes that carry F->stamp. */
static double product(const saddle__ldlt_border *b, int64_t t, int marked, const double *x)
{
    const saddle__ldlt *F = b->F;
    const double *Y = b->Y + b->value_start[t];
    double sum = 0.0;
    for (int64_t r = b->run_start[t]; r < b->run_start[t + 1]; r++) {
        int64_t first = F->first[b->run[r]];
        int64_t length = F->first[b->run[r] + 1] - first;
        int there = !marked || F->mark[b->run[r]] == F->stamp;
        for (int64_t j = 0; there && j < length; j++) sum += Y[j] * x[first + j];
        Y += length;
    }
    return sum;
}

/* x -= a Y_t, x by position */
static void subtract(const saddle__ldlt_border *b, int64_t t, double a, double *x)
{
    const saddle__ldlt *F = b->F;
    const double *Y = b->Y + b->value_start[t];
    for (int64_t r = b->run_start[t]; r < b->run_start[t + 1]; r++) {
        int64_t first = F->first[b->run[r]];
        int64_t length = F->first[b->run[r] + 1] - first;
        for (int64_t j = 0; j < length; j++) x[first + j] -= a * Y[j];
        Y += length;
    }
}

/* ---- T ----------------------------------------------------------------------------------------------------------- */

int saddle__ldlt_border_add(saddle__ldlt_border *b, const saddle__ldlt_node *node)
{
    if (b->count >= b->capacity) return 0;
    int64_t t = b->count;
    int64_t begin = saddle__ldlt_forward_sparse(b->F, node->entries, node->index, node->value);
    if (!keep_column(b, begin)) return 0;
    double *l = b->L + t * b->capacity;
    for (int64_t u = 0; u < t; u++) l[u] = b->corner[u] - product(b, u, 1, b->F->rhs);
    double diagonal = node->diagonal - product(b, t, 1, b->F->rhs);
    double pivot = saddle__growing_ldlt_row(b->L, b->capacity, b->pivot, t, diagonal);
    if (!(fabs(pivot) >= node->least && fabs(pivot) > 0.0 && isfinite(pivot))) return 0;
    b->pivot[b->count++] = pivot;
    return 1;
}

void saddle__ldlt_border_solve(saddle__ldlt_border *b, double *x)
{
    const saddle__ldlt *F = b->F;
    double *scaled = F->rhs;
    saddle__ldlt_solve(b->F, SADDLE__LDLT_IN | SADDLE__LDLT_L, 1, x, F->n);
    for (int64_t i = 0; i < F->n; i++) scaled[i] = x[i] * F->inverse[i];
    for (int64_t t = 0; t < b->count; t++) b->y[t] -= product(b, t, 0, scaled);
    saddle__growing_ldlt_solve(b->L, b->capacity, b->pivot, b->count, b->y);
    for (int64_t t = 0; t < b->count; t++) subtract(b, t, b->y[t], x);
    saddle__ldlt_solve(b->F, SADDLE__LDLT_D | SADDLE__LDLT_TRANSPOSE | SADDLE__LDLT_OUT, 1, x, F->n);
}
