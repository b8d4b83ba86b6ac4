/* SPDX-License-Identifier: MIT */
/* See reached.h. */
#include "ldlt/reached.h"

#include <string.h>

#include "ldlt/ldlt_internal.h"

void saddle__ldlt_reached_clear(saddle__ldlt_reached *y)
{
    void *arrays[] = {y->run_start, y->value_start, y->run, y->value};
    for (size_t k = 0; k < sizeof(arrays) / sizeof(*arrays); k++)
        saddle_release(y->context, arrays[k]);
    memset(y, 0, sizeof(*y));
}

saddle_status saddle__ldlt_reached_create(saddle_context *context, int64_t capacity,
                                          int64_t most_values, saddle__ldlt_reached *y)
{
    saddle__ldlt_reached fresh = {.context = context,
                                  .capacity = capacity,
                                  .most_values = most_values};
    *y = fresh;
    y->run_start = saddle_allocate(context, capacity + 1, sizeof(*y->run_start));
    y->value_start = saddle_allocate(context, capacity + 1, sizeof(*y->value_start));
    y->run = saddle__allocate_unset(context, most_values, sizeof(*y->run));
    y->value = saddle__allocate_unset(context, most_values, sizeof(*y->value));
    if (y->run_start && y->value_start && y->run && y->value) return SADDLE_OK;
    saddle__ldlt_reached_clear(y);
    return SADDLE_OUT_OF_MEMORY;
}

void saddle__ldlt_reached_begin(saddle__ldlt_reached *y, saddle__ldlt *F)
{
    y->F = F;
    y->count = 0;
}

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

/* Those of run r. */
static stretch stretch_of(const saddle__ldlt_reached *y, int64_t r)
{
    return positions_of(y->F, y->run[r]);
}

int saddle__ldlt_reached_append(saddle__ldlt_reached *y, int64_t entries, const int64_t *index,
                                const double *value)
{
    if (y->count >= y->capacity) return 0;
    saddle__ldlt *F = y->F;
    saddle__ldlt_entries N = {.count = entries, .index = index, .value = value};
    saddle__ldlt_ways ways = saddle__ldlt_forward_sparse(F, &N, y->drop);
    int64_t r = y->run_start[y->count];
    int64_t v = y->value_start[y->count];
    for (int64_t k = ways.begin; k < ways.end; k++) {
        stretch s = positions_of(F, F->reach[k]);
        if (s.length > y->most_values - v)
            return 0; /* a run has one value at least, and so has room then */
        y->run[r++] = (int32_t)F->reach[k];
        for (int64_t j = s.first; j < s.first + s.length; j++) {
            y->value[v++] = F->rhs[j];
            F->rhs[j] *= F->inverse[j];
        }
    }
    y->count++;
    y->run_start[y->count] = r;
    y->value_start[y->count] = v;
    return 1;
}

void saddle__ldlt_reached_load(saddle__ldlt_reached *y, int64_t t)
{
    saddle__ldlt *F = y->F;
    const double *Y = y->value + y->value_start[t];
    F->stamp++;
    for (int64_t r = y->run_start[t]; r < y->run_start[t + 1]; r++) {
        stretch s = stretch_of(y, r);
        F->mark[y->run[r]] = F->stamp;
        for (int64_t j = 0; j < s.length; j++) F->rhs[s.first + j] = Y[j] * F->inverse[s.first + j];
        Y += s.length;
    }
}

static double dot(int64_t count, const double *a, const double *b)
{
    double sum = 0.0;
    for (int64_t j = 0; j < count; j++) sum += a[j] * b[j];
    return sum;
}

double saddle__ldlt_reached_with_loaded(const saddle__ldlt_reached *y, int64_t t)
{
    const saddle__ldlt *F = y->F;
    const double *Y = y->value + y->value_start[t];
    double sum = 0.0;
    for (int64_t r = y->run_start[t]; r < y->run_start[t + 1]; r++) {
        stretch s = stretch_of(y, r);
        if (F->mark[y->run[r]] == F->stamp) sum += dot(s.length, Y, F->rhs + s.first);
        Y += s.length;
    }
    return sum;
}

double saddle__ldlt_reached_times(const saddle__ldlt_reached *y, int64_t t, const double *x)
{
    const double *Y = y->value + y->value_start[t];
    double sum = 0.0;
    for (int64_t r = y->run_start[t]; r < y->run_start[t + 1]; r++) {
        stretch s = stretch_of(y, r);
        sum += dot(s.length, Y, x + s.first);
        Y += s.length;
    }
    return sum;
}

void saddle__ldlt_reached_subtract(const saddle__ldlt_reached *y, int64_t t, double a, double *x)
{
    const double *Y = y->value + y->value_start[t];
    for (int64_t r = y->run_start[t]; r < y->run_start[t + 1]; r++) {
        stretch s = stretch_of(y, r);
        for (int64_t j = 0; j < s.length; j++) x[s.first + j] -= a * Y[j];
        Y += s.length;
    }
}
