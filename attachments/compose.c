/* SPDX-License-Identifier: MIT */
/* The graph composed: attached velocities by active ones alone (see elimination.h). */
#include "elimination.h"

#include <string.h>

#include "base/sort.h"
#include "matrix/matrix_internal.h"

/* An array that grows. */
typedef struct list {
    int64_t count, room;
    int64_t *item;
} list;

static saddle_status append(saddle_context *context, list *l, int64_t item)
{
    int64_t *grown = saddle__with_room(context, l->item, l->count, &l->room, sizeof *grown);
    if (!grown) return SADDLE_OUT_OF_MEMORY;
    l->item = grown;
    l->item[l->count++] = item;
    return SADDLE_OK;
}

/* Gives back the memory behind the last item. */
static saddle_status trim(saddle_context *context, list *l)
{
    int64_t *trimmed = saddle_reallocate(context, l->item, l->count, sizeof *trimmed);
    if (trimmed) l->item = trimmed;
    return trimmed ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

/* What is put together: roots and targets of the units so far. */
typedef struct composer {
    saddle_context *context;
    const saddle_map *map;
    saddle__composition *Q;
    list roots, offsets, targets;
    int64_t *mark;  /* components: the unit that named it last, + 1 */
    int64_t *place; /* components: its offset in that unit's rows */
} composer;

static saddle_status add_root(composer *c, int64_t unit, int64_t component)
{
    if (c->mark[component] == unit + 1) return SADDLE_OK;
    c->mark[component] = unit + 1;
    return append(c->context, &c->roots, component);
}

/* The union of the masters' own active velocities and their roots. */
static saddle_status collect_roots(composer *c, int64_t unit)
{
    const saddle_map *map = c->map;
    const int64_t *start = c->Q->root_start;
    saddle_status status = SADDLE_OK;
    for (int64_t b = map->block_start[unit]; status == SADDLE_OK && b < map->block_start[unit + 1];
         b++) {
        int64_t j = map->master[b];
        int64_t above = map->unit_of[j];
        if (saddle__component_width(map, j) > 0) status = add_root(c, unit, j);
        if (above < 0) continue;
        for (int64_t r = start[above]; status == SADDLE_OK && r < start[above + 1]; r++)
            status = add_root(c, unit, c->roots.item[r]);
    }
    if (c->roots.count > start[unit])
        saddle__sort_indices(c->roots.count - start[unit], c->roots.item + start[unit]);
    c->Q->root_start[unit + 1] = c->roots.count;
    return status;
}

static saddle_status place_roots(composer *c, int64_t unit)
{
    int64_t width = 0;
    for (int64_t r = c->Q->root_start[unit]; r < c->Q->root_start[unit + 1]; r++) {
        int64_t component = c->roots.item[r];
        c->place[component] = width;
        if (append(c->context, &c->offsets, width) != SADDLE_OK) return SADDLE_OUT_OF_MEMORY;
        width += saddle__component_width(c->map, component);
    }
    c->Q->width[unit] = width;
    int64_t rows = saddle__unit_rows(c->map, unit); /* both are below 2^31 */
    if (c->Q->Q_start[unit] > INT64_MAX / 16 - rows * width)
        return saddle_fail(c->context, SADDLE_TOO_LARGE,
                           "too many entries in the composed attachments");
    c->Q->Q_start[unit + 1] = c->Q->Q_start[unit] + rows * width;
    return SADDLE_OK;
}

static saddle_status set_targets(composer *c, int64_t unit)
{
    const saddle_map *map = c->map;
    saddle_status status = SADDLE_OK;
    for (int64_t b = map->block_start[unit]; status == SADDLE_OK && b < map->block_start[unit + 1];
         b++) {
        int64_t j = map->master[b];
        int64_t above = map->unit_of[j];
        if (saddle__component_width(map, j) > 0)
            status = append(c->context, &c->targets, c->place[j]);
        if (above < 0) continue;
        for (int64_t r = c->Q->root_start[above];
             status == SADDLE_OK && r < c->Q->root_start[above + 1]; r++)
            status = append(c->context, &c->targets, c->place[c->roots.item[r]]);
    }
    return status;
}

/* Which units have a component as root: the lists of roots turned round. */
static saddle_status list_followers(composer *c)
{
    saddle__composition *Q = c->Q;
    const saddle_map *map = c->map;
    int64_t count = Q->root_start[map->units];
    Q->follower_start = saddle_allocate(c->context, map->components + 1, sizeof *Q->follower_start);
    Q->follower = saddle_allocate(c->context, count, sizeof *Q->follower);
    Q->follower_offset = saddle_allocate(c->context, count, sizeof *Q->follower_offset);
    if (!Q->follower_start || !Q->follower || !Q->follower_offset) return SADDLE_OUT_OF_MEMORY;
    for (int64_t r = 0; r < count; r++) Q->follower_start[Q->root[r]]++;
    saddle__cumulate(Q->follower_start, map->components);
    for (int64_t u = 0; u < map->units; u++)
        for (int64_t r = Q->root_start[u]; r < Q->root_start[u + 1]; r++) {
            int64_t p = Q->follower_start[Q->root[r]]++; /* the fill position; moved back below */
            Q->follower[p] = u;
            Q->follower_offset[p] = Q->offset[r];
        }
    memmove(Q->follower_start + 1, Q->follower_start,
            (size_t)map->components * sizeof *Q->follower_start);
    Q->follower_start[0] = 0;
    return SADDLE_OK;
}

static saddle_status allocate_fixed(composer *c)
{
    saddle__composition *Q = c->Q;
    const saddle_map *map = c->map;
    Q->root_start = saddle_allocate(c->context, map->units + 1, sizeof *Q->root_start);
    Q->width = saddle_allocate(c->context, map->units, sizeof *Q->width);
    Q->Q_start = saddle_allocate(c->context, map->units + 1, sizeof *Q->Q_start);
    Q->unit_of_row = saddle_allocate(c->context, map->row_start[map->units],
                                     sizeof *Q->unit_of_row);
    c->mark = saddle_allocate(c->context, map->components, sizeof *c->mark);
    c->place = saddle_allocate(c->context, map->components, sizeof *c->place);
    int whole = Q->root_start && Q->width && Q->Q_start && Q->unit_of_row && c->mark && c->place;
    return whole ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

static saddle_status compose_pattern(composer *c)
{
    const saddle_map *map = c->map;
    saddle__composition *Q = c->Q;
    saddle_status status = allocate_fixed(c);
    for (int64_t u = 0; status == SADDLE_OK && u < map->units; u++) {
        for (int64_t r = map->row_start[u]; r < map->row_start[u + 1]; r++)
            Q->unit_of_row[r] = (int32_t)u;
        status = collect_roots(c, u);
        if (status == SADDLE_OK) status = place_roots(c, u);
        if (status == SADDLE_OK) status = set_targets(c, u);
    }
    if (status == SADDLE_OK) status = trim(c->context, &c->roots);
    if (status == SADDLE_OK) status = trim(c->context, &c->offsets);
    if (status == SADDLE_OK) status = trim(c->context, &c->targets);
    Q->root = c->roots.item;
    Q->offset = c->offsets.item;
    Q->target = c->targets.item;
    if (status == SADDLE_OK) status = list_followers(c);
    if (status != SADDLE_OK) return status;
    Q->Q = saddle_allocate(c->context, Q->Q_start[map->units], sizeof *Q->Q);
    return Q->Q ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

saddle_status saddle__composition_create(saddle_context *context, const saddle_map *map,
                                         saddle__composition *Q)
{
    *Q = (saddle__composition){0};
    composer c = {.context = context, .map = map, .Q = Q};
    saddle_status status = compose_pattern(&c);
    saddle_release(context, c.mark);
    saddle_release(context, c.place);
    return status;
}

void saddle__composition_clear(saddle_context *context, saddle__composition *Q)
{
    void *const arrays[] = {Q->root_start,     Q->root,     Q->offset,         Q->width,
                            Q->Q_start,        Q->Q,        Q->target,         Q->unit_of_row,
                            Q->follower_start, Q->follower, Q->follower_offset};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        saddle_release(context, arrays[i]);
    *Q = (saddle__composition){0};
}

/* ---- values ---- */

/* Q_k += A_kj's columns at active velocities of j. */
static void add_active(const saddle_map *map, int64_t j, int64_t rows, const double *A, double *Qk,
                       int64_t width)
{
    for (int64_t c = 0; c < saddle__component_size(map, j); c++) {
        int64_t to = map->to[map->first[j] + c];
        if (to < 0) continue;
        double *column = Qk + (to - map->column[j]);
        for (int64_t r = 0; r < rows; r++) column[r * width] += A[c * rows + r];
    }
}

/* The part of Q_j that one root has, in a unit's rows. */
typedef struct part {
    const double *from; /* Q_j's first row, at the root */
    int64_t stride;     /* length of its rows */
    int64_t width;      /* of the root */
} part;

/* Q_k += A_kj's columns at attached velocities of j times their rows of Q_j, one root of j at a
 * time. */
static void add_attached(const saddle_map *map, int64_t j, int64_t rows, const double *A,
                         part above, double *Qk, int64_t width)
{
    int64_t first_row = map->row_start[map->unit_of[j]];
    for (int64_t c = 0; c < saddle__component_size(map, j); c++) {
        int64_t code = map->to[map->first[j] + c];
        if (code >= 0) continue;
        const double *from = above.from + (SADDLE__ATTACHED_ROW(code) - first_row) * above.stride;
        for (int64_t r = 0; r < rows; r++)
            for (int64_t p = 0; p < above.width; p++)
                Qk[r * width + p] += A[c * rows + r] * from[p];
    }
}

void saddle__compose(const saddle_map *map, saddle__composition *Q)
{
    const int64_t *target = Q->target;
    for (int64_t u = 0; u < map->units; u++) {
        int64_t rows = saddle__unit_rows(map, u);
        int64_t width = Q->width[u];
        double *Qk = Q->Q + Q->Q_start[u];
        const double *A = map->value + map->value_start[u];
        for (int64_t e = 0; e < rows * width; e++) Qk[e] = 0;
        for (int64_t b = map->block_start[u]; b < map->block_start[u + 1]; b++) {
            int64_t j = map->master[b];
            int64_t above = map->unit_of[j];
            if (saddle__component_width(map, j) > 0)
                add_active(map, j, rows, A, Qk + *target++, width);
            for (int64_t r = above < 0 ? 0 : Q->root_start[above];
                 above >= 0 && r < Q->root_start[above + 1]; r++) {
                part from = {Q->Q + Q->Q_start[above] + Q->offset[r], Q->width[above],
                             saddle__component_width(map, Q->root[r])};
                add_attached(map, j, rows, A, from, Qk + *target++, width);
            }
            A += rows * saddle__component_size(map, j);
        }
    }
}
