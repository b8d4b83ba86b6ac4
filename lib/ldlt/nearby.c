/* SPDX-License-Identifier: MIT */
/* See nearby.h. */
#include <math.h>
#include <string.h>

#include "dense/growing_ldlt.h"
#include "ldlt/ldlt_internal.h"
#include "ldlt/nearby.h"

void saddle__ldlt_reached_clear(saddle__ldlt_reached *y)
{
    void *arrays[] = {y->run_start, y->value_start, y->run, y->value};
    for (size_t k = 0; k < sizeof(arrays) / sizeof *arrays; k++)
        saddle_release(y->context, arrays[k]);
    memset(y, 0, sizeof *y);
}

saddle_status saddle__ldlt_reached_create(saddle_context *context, int64_t capacity,
                                          int64_t most_values, saddle__ldlt_reached *y)
{
    saddle__ldlt_reached fresh = {.context = context,
                                  .capacity = capacity,
                                  .most_values = most_values};
    *y = fresh;
    y->run_start = saddle_allocate(context, capacity + 1, sizeof *y->run_start);
    y->value_start = saddle_allocate(context, capacity + 1, sizeof *y->value_start);
    y->run = saddle__allocate_unset(context, most_values, sizeof *y->run);
    y->value = saddle__allocate_unset(context, most_values, sizeof *y->value);
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

/* The positions of run r. */
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
            return 0; /* a run has one value at least: room for values is room for runs */
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

/* ---- the bordered factor ---- */

void saddle__ldlt_border_clear(saddle__ldlt_border *b)
{
    saddle__ldlt_reached_clear(&b->Y);
    void *arrays[] = {b->L, b->pivot, b->corner, b->y};
    for (size_t k = 0; k < sizeof(arrays) / sizeof *arrays; k++)
        saddle_release(b->context, arrays[k]);
    memset(b, 0, sizeof *b);
}

saddle_status saddle__ldlt_border_create(saddle_context *context, int64_t capacity,
                                         int64_t most_values, saddle__ldlt_border *b)
{
    saddle__ldlt_border fresh = {.context = context, .capacity = capacity};
    *b = fresh;
    saddle_status status = saddle__ldlt_reached_create(context, capacity, most_values, &b->Y);
    b->L = saddle__allocate_unset(context, capacity * capacity, sizeof *b->L);
    b->pivot = saddle_allocate(context, capacity, sizeof *b->pivot);
    b->corner = saddle_allocate(context, capacity, sizeof *b->corner);
    b->y = saddle_allocate(context, capacity, sizeof *b->y);
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

/* ---- local changes ---- */

void saddle__ldlt_nearby_clear(saddle__ldlt_nearby *s)
{
    saddle__ldlt_reached_clear(&s->Y);
    saddle_release(s->context, s->felt);
    saddle_release(s->context, s->mark);
    saddle_release(s->context, s->live);
    memset(s, 0, sizeof *s);
}

saddle_status saddle__ldlt_nearby_create(saddle_context *context, int64_t most, int64_t capacity,
                                         int64_t most_values, saddle__ldlt_nearby *s)
{
    saddle__ldlt_nearby fresh = {.context = context, .most = most};
    *s = fresh;
    saddle_status status = saddle__ldlt_reached_create(context, capacity, most_values, &s->Y);
    s->felt = saddle_allocate(context, most, sizeof *s->felt);
    s->mark = saddle_allocate(context, most, sizeof *s->mark);
    s->live = saddle_allocate(context, most, sizeof *s->live);
    if (status == SADDLE_OK && s->felt && s->mark && s->live) return SADDLE_OK;
    saddle__ldlt_nearby_clear(s);
    return SADDLE_OUT_OF_MEMORY;
}

void saddle__ldlt_nearby_begin(saddle__ldlt_nearby *s, saddle__ldlt *F)
{
    saddle__ldlt_reached_begin(&s->Y, F);
    s->first = s->most;
    s->stamp++;
}

int saddle__ldlt_nearby_add(saddle__ldlt_nearby *s, int64_t entries, const int64_t *index,
                            const double *value)
{
    if (!saddle__ldlt_reached_append(&s->Y, entries, index, value)) return 0;
    for (int64_t e = 0; e < entries; e++) saddle__ldlt_nearby_feel(s, index[e]);
    return 1;
}

void saddle__ldlt_nearby_feel(saddle__ldlt_nearby *s, int64_t node)
{
    saddle__ldlt *F = s->Y.F;
    int64_t length = 0;
    for (int64_t k = F->supernode[F->position[node]]; k >= 0 && s->mark[k] != s->stamp;
         k = F->parent[k]) {
        s->mark[k] = s->stamp;
        F->path[length++] = k;
    }
    while (length > 0) s->felt[--s->first] = F->path[--length];
}

/* F->rhs <- D^-1 F->rhs in supernode k of the wanted paths; whether x is nonzero in k. */
static int divide(saddle__ldlt_nearby *s, int64_t k)
{
    saddle__ldlt *F = s->Y.F;
    int live = F->parent[k] >= 0 && s->live[F->parent[k]];
    for (int64_t i = F->first[k]; i < F->first[k + 1]; i++) {
        live |= F->rhs[i] != 0.0;
        F->rhs[i] *= F->inverse[i];
    }
    s->live[k] = (signed char)live;
    return live;
}

void saddle__ldlt_nearby_solve(saddle__ldlt_nearby *s, const double *z)
{
    saddle__ldlt *F = s->Y.F;
    if (s->first == s->most) return;
    for (int64_t k = s->first; k < s->most; k++)
        for (int64_t i = F->first[s->felt[k]]; i < F->first[s->felt[k] + 1]; i++) F->rhs[i] = 0.0;
    for (int64_t t = 0; t < s->Y.count; t++)
        if (z[t] != 0.0) saddle__ldlt_reached_subtract(&s->Y, t, z[t], F->rhs);
    int64_t begin = F->supernodes;
    for (int64_t k = s->most; k-- > s->first;) { /* each after its parent */
        int64_t at = s->felt[k];
        if (divide(s, at)) F->path[--begin] = at;
    }
    saddle__ldlt_backward_along(F, F->supernodes - begin, F->path + begin);
}

double saddle__ldlt_nearby_change(const saddle__ldlt_nearby *s, int64_t node)
{
    const saddle__ldlt *F = s->Y.F;
    return F->rhs[F->position[node]];
}
