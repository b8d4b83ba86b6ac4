/* SPDX-License-Identifier: MIT */
/* See border.h. */
#include "ldlt/border.h"

#include <math.h>
#include <string.h>

#include "dense/growing_ldlt.h"
#include "ldlt/ldlt_internal.h"

void saddle__ldlt_border_clear(saddle__ldlt_border *b)
{
    void *arrays[] = {b->run_start, b->value_start, b->run,    b->value,
                      b->L,         b->pivot,       b->corner, b->y};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        saddle_release(b->context, arrays[k]);
    memset(b, 0, sizeof *b);
}

saddle_status saddle__ldlt_border_create(saddle_context *context, int64_t capacity,
                                         int64_t most_values, saddle__ldlt_border *b)
{
    saddle__ldlt_border fresh = {.context = context,
                                 .capacity = capacity,
                                 .most_values = most_values};
    *b = fresh;
    b->run_start = saddle_allocate(context, capacity + 1, sizeof *b->run_start);
    b->value_start = saddle_allocate(context, capacity + 1, sizeof *b->value_start);
    b->run = saddle__allocate_unset(context, most_values, sizeof *b->run);
    b->value = saddle__allocate_unset(context, most_values, sizeof *b->value);
    b->L = saddle__allocate_unset(context, capacity * capacity, sizeof *b->L);
    b->pivot = saddle_allocate(context, capacity, sizeof *b->pivot);
    b->corner = saddle_allocate(context, capacity, sizeof *b->corner);
    b->y = saddle_allocate(context, capacity, sizeof *b->y);
    if (b->run_start && b->value_start && b->run && b->value && b->L && b->pivot && b->corner &&
        b->y)
        return SADDLE_OK;
    saddle__ldlt_border_clear(b);
    return SADDLE_OUT_OF_MEMORY;
}

/* ---- columns of Y ---- */

/* Positions of a supernode. */
typedef struct stretch {
    int64_t first, length;
} stretch;

static stretch positions_of(const saddle__ldlt *F, int64_t supernode)
{
    const int64_t *first = F->first + supernode;
    stretch s = {first[0], first[1] - first[0]};
    return s;
}

/* Y_t of the next node, t; F->rhs <- D^-1 Y_t in its supernodes, marked with F->stamp.  0: no
 * room. */
static int append_column(saddle__ldlt_border *b, const saddle__ldlt_node *node)
{
    if (b->count >= b->capacity) return 0;
    saddle__ldlt *F = b->F;
    int64_t r = b->run_start[b->count];
    int64_t v = b->value_start[b->count];
    for (int64_t k = saddle__ldlt_forward_sparse(F, node->entries, node->index, node->value);
         k < F->supernodes; k++) {
        stretch s = positions_of(F, F->reach[k]);
        if (s.length > b->most_values - v)
            return 0; /* a run has one value at least: room for values is room for runs */
        b->run[r++] = (int32_t)F->reach[k];
        for (int64_t j = s.first; j < s.first + s.length; j++) {
            b->value[v++] = F->rhs[j];
            F->rhs[j] *= F->inverse[j];
        }
    }
    b->run_start[b->count + 1] = r;
    b->value_start[b->count + 1] = v;
    return 1;
}

static double dot(int64_t count, const double *a, const double *b)
{
    double sum = 0.0;
    for (int64_t j = 0; j < count; j++) sum += a[j] * b[j];
    return sum;
}

/* Y_t'D^-1 Y_u, u the last column appended. */
static double times_last(const saddle__ldlt_border *b, int64_t t)
{
    const saddle__ldlt *F = b->F;
    const double *Y = b->value + b->value_start[t];
    double sum = 0.0;
    for (int64_t r = b->run_start[t]; r < b->run_start[t + 1]; r++) {
        stretch s = positions_of(F, b->run[r]);
        if (F->mark[b->run[r]] == F->stamp) sum += dot(s.length, Y, F->rhs + s.first);
        Y += s.length;
    }
    return sum;
}

/* Y_t'x; x (n) by position. */
static double times(const saddle__ldlt_border *b, int64_t t, const double *x)
{
    const double *Y = b->value + b->value_start[t];
    double sum = 0.0;
    for (int64_t r = b->run_start[t]; r < b->run_start[t + 1]; r++) {
        stretch s = positions_of(b->F, b->run[r]);
        sum += dot(s.length, Y, x + s.first);
        Y += s.length;
    }
    return sum;
}

/* x -= a Y_t; x (n) by position. */
static void subtract(const saddle__ldlt_border *b, int64_t t, double a, double *x)
{
    const double *Y = b->value + b->value_start[t];
    for (int64_t r = b->run_start[t]; r < b->run_start[t + 1]; r++) {
        stretch s = positions_of(b->F, b->run[r]);
        for (int64_t j = 0; j < s.length; j++) x[s.first + j] -= a * Y[j];
        Y += s.length;
    }
}

/* ---- nodes ---- */

int saddle__ldlt_border_add(saddle__ldlt_border *b, const saddle__ldlt_node *node)
{
    int64_t t = b->count;
    if (!append_column(b, node)) return 0;
    double *l = b->L + t * b->capacity;
    for (int64_t u = 0; u < t; u++) l[u] = b->corner[u] - times_last(b, u);
    double diagonal = node->diagonal - times_last(b, t);
    double pivot = saddle__growing_ldlt_row(b->L, b->capacity, b->pivot, t, diagonal);
    if (!(fabs(pivot) >= node->least && fabs(pivot) > 0.0 && isfinite(pivot))) return 0;
    b->pivot[b->count++] = pivot;
    return 1;
}

void saddle__ldlt_border_solve(saddle__ldlt_border *b, double *x)
{
    saddle__ldlt *F = b->F;
    double *scaled = F->rhs;
    saddle__ldlt_solve(F, SADDLE__LDLT_IN | SADDLE__LDLT_L, 1, x, F->n);
    for (int64_t i = 0; i < F->n; i++) scaled[i] = x[i] * F->inverse[i];
    for (int64_t t = 0; t < b->count; t++) b->y[t] -= times(b, t, scaled);
    saddle__growing_ldlt_solve(b->L, b->capacity, b->pivot, b->count, b->y);
    for (int64_t t = 0; t < b->count; t++) subtract(b, t, b->y[t], x);
    saddle__ldlt_solve(F, SADDLE__LDLT_D | SADDLE__LDLT_TRANSPOSE | SADDLE__LDLT_OUT, 1, x, F->n);
}
