/* SPDX-License-Identifier: MIT */
/* See nearby.h. */
#include "ldlt/nearby.h"

#include <string.h>

#include "ldlt/ldlt_internal.h"

void saddle__ldlt_nearby_clear(saddle__ldlt_nearby *s)
{
    saddle__ldlt_reached_clear(&s->Y);
    saddle_release(s->context, s->felt);
    saddle_release(s->context, s->mark);
    saddle_release(s->context, s->live);
    memset(s, 0, sizeof(*s));
}

saddle_status saddle__ldlt_nearby_create(saddle_context *context, int64_t most, int64_t capacity,
                                         int64_t most_values, saddle__ldlt_nearby *s)
{
    saddle__ldlt_nearby fresh = {.context = context, .most = most};
    *s = fresh;
    saddle_status status = saddle__ldlt_reached_create(context, capacity, most_values, &s->Y);
    s->felt = saddle_allocate(context, most, sizeof(*s->felt));
    s->mark = saddle_allocate(context, most, sizeof(*s->mark));
    s->live = saddle_allocate(context, most, sizeof(*s->live));
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

/* F->rhs <- D^-1 F->rhs in felt supernode k; whether x is not zero there. */
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
