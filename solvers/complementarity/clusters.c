/* SPDX-License-Identifier: MIT */
/* See clusters.h. */
#include "complementarity/clusters.h"

#include <math.h>
#include <string.h>

#include "base/unset.h"
#include "dense/growing_ldlt.h"

enum { MOST = SADDLE__CLUSTER };

void saddle__clusters_clear(saddle__clusters *s)
{
    void *arrays[] = {s->home, s->size, s->last,  s->next, s->slot,
                      s->T,    s->L,    s->pivot, s->y,    s->member};
    for (size_t k = 0; k < sizeof(arrays) / sizeof(*arrays); k++)
        saddle_release(s->context, arrays[k]);
    memset(s, 0, sizeof(*s));
}

saddle_status saddle__clusters_create(saddle_context *context, int64_t capacity,
                                      saddle__clusters *s)
{
    saddle__clusters fresh = {.context = context, .capacity = capacity};
    *s = fresh;
    s->home = saddle_allocate(context, capacity, sizeof(*s->home));
    s->size = saddle_allocate(context, capacity, sizeof(*s->size));
    s->last = saddle_allocate(context, capacity, sizeof(*s->last));
    s->next = saddle_allocate(context, capacity, sizeof(*s->next));
    s->slot = saddle_allocate(context, capacity, sizeof(*s->slot));
    s->T = saddle__allocate_unset(context, MOST * capacity, sizeof(*s->T));
    s->L = saddle_allocate(context, MOST * MOST, sizeof(*s->L));
    s->pivot = saddle_allocate(context, MOST, sizeof(*s->pivot));
    s->y = saddle_allocate(context, MOST, sizeof(*s->y));
    s->member = saddle_allocate(context, MOST, sizeof(*s->member));
    if (s->home && s->size && s->last && s->next && s->slot && s->T && s->L && s->pivot && s->y &&
        s->member)
        return SADDLE_OK;
    saddle__clusters_clear(s);
    return SADDLE_OUT_OF_MEMORY;
}

void saddle__clusters_begin(saddle__clusters *s)
{
    s->count = 0;
}

void saddle__clusters_add(saddle__clusters *s, double diagonal)
{
    int64_t t = s->count++;
    s->home[t] = s->last[t] = t;
    s->size[t] = 1;
    s->next[t] = -1;
    s->slot[t] = 0;
    s->T[t * MOST] = diagonal;
}

/* s->member: of the cluster of `first` */
static int64_t list_members(saddle__clusters *s, int64_t first)
{
    int64_t count = 0;
    for (int64_t t = first; t >= 0; t = s->next[t]) s->member[count++] = t;
    return count;
}

int saddle__clusters_join(saddle__clusters *s, int64_t t, int64_t u, saddle__coupling *coupling,
                          void *user)
{
    int64_t a = s->home[t];
    int64_t b = s->home[u];
    if (a == b) return 1;
    if (s->size[a] < s->size[b]) {
        int64_t other = a;
        a = b;
        b = other;
    }
    if (s->size[a] + s->size[b] > MOST) return 0;
    int64_t before = list_members(s, a);
    for (int64_t k = b; k >= 0; k = s->next[k]) {
        double *row = s->T + k * MOST;
        memmove(row + before, row, (size_t)(s->slot[k] + 1) * sizeof(*row));
        coupling(user, k, before, s->member, row);
        s->slot[k] += before;
        s->home[k] = a;
    }
    s->next[s->last[a]] = b;
    s->last[a] = s->last[b];
    s->size[a] += s->size[b];
    return 1;
}

static double entry(const saddle__clusters *s, int64_t t, int64_t u)
{
    return s->slot[t] > s->slot[u] ? s->T[t * MOST + s->slot[u]] : s->T[u * MOST + s->slot[t]];
}

static int solve_cluster(saddle__clusters *s, int64_t first, const signed char *active, double *z)
{
    int64_t count = list_members(s, first);
    int64_t rows = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t t = s->member[i];
        if (!active[t]) continue;
        double *l = s->L + rows * MOST;
        int64_t before = 0;
        s->y[rows] = z[t];
        for (int64_t j = 0; j < count; j++) {
            int64_t u = s->member[j];
            if (!active[u]) s->y[rows] -= z[u] != 0.0 ? entry(s, t, u) * z[u] : 0.0;
            if (active[u] && j < i) l[before++] = s->T[t * MOST + j];
        }
        s->pivot[rows] = saddle__growing_ldlt_row(s->L, MOST, s->pivot, rows, s->T[t * MOST + i]);
        if (!(fabs(s->pivot[rows]) > 0.0 && isfinite(s->pivot[rows]))) return 0;
        rows++;
    }
    saddle__growing_ldlt_solve(s->L, MOST, s->pivot, rows, s->y);
    rows = 0;
    for (int64_t i = 0; i < count; i++)
        if (active[s->member[i]]) z[s->member[i]] = s->y[rows++];
    return 1;
}

int saddle__clusters_solve(saddle__clusters *s, const signed char *active, double *z)
{
    for (int64_t t = 0; t < s->count; t++)
        if (s->home[t] == t && !solve_cluster(s, t, active, z)) return 0;
    return 1;
}
