/* SPDX-License-Identifier: MIT */
/* The graph composed: attached velocities by active velocities alone (see elimination.h). */
#include <string.h>

#include "base/vector.h"
#include "elimination.h"
#include "matrix/matrix_internal.h"

/* Roots of the units so far, and scratch. */
typedef struct collector {
    saddle_context *context;
    const saddle_map *map;
    int64_t *root_start; /* units + 1 */
    int64_t *root;       /* room */
    int64_t count, room;
    int64_t *mark; /* components: last unit with this root, + 1 */
} collector;

static saddle_status add_root(collector *c, int64_t unit, int64_t component)
{
    if (c->mark[component] == unit + 1) return SADDLE_OK;
    int64_t *grown = saddle__with_room(c->context, c->root, c->count, &c->room, sizeof *grown);
    if (!grown) return SADDLE_OUT_OF_MEMORY;
    c->mark[component] = unit + 1;
    c->root = grown;
    c->root[c->count++] = component;
    return SADDLE_OK;
}

/* The union of the masters with active velocities and their roots. */
static saddle_status collect_roots(collector *c, int64_t unit)
{
    const saddle_map *map = c->map;
    const int64_t *start = c->root_start;
    saddle_status status = SADDLE_OK;
    for (int64_t b = map->block_start[unit]; status == SADDLE_OK && b < map->block_start[unit + 1];
         b++) {
        int64_t j = map->master[b];
        int64_t above = map->unit_of[j];
        if (saddle__component_width(map, j) > 0) status = add_root(c, unit, j);
        if (above < 0) continue;
        for (int64_t r = start[above]; status == SADDLE_OK && r < start[above + 1]; r++)
            status = add_root(c, unit, c->root[r]);
    }
    if (c->count > start[unit]) saddle__sort_indices(c->count - start[unit], c->root + start[unit]);
    c->root_start[unit + 1] = c->count;
    return status;
}

static void place(const saddle_map *map, int64_t roots, int64_t entries, saddle__composition *Q)
{
    saddle__layout *l = &Q->layout;
    Q->root_start = saddle__layout_take(l, map->units + 1, sizeof *Q->root_start);
    Q->root = saddle__layout_take(l, roots, sizeof *Q->root);
    Q->offset = saddle__layout_take(l, roots, sizeof *Q->offset);
    Q->width = saddle__layout_take(l, map->units, sizeof *Q->width);
    Q->Q_start = saddle__layout_take(l, map->units + 1, sizeof *Q->Q_start);
    Q->Q = saddle__layout_take(l, entries, sizeof *Q->Q);
    Q->place = saddle__layout_take(l, map->components, sizeof *Q->place);
    Q->unit_of_row = saddle__layout_take(l, map->row_start[map->units], sizeof *Q->unit_of_row);
    Q->follower_start = saddle__layout_take(l, map->components + 1, sizeof *Q->follower_start);
    Q->follower = saddle__layout_take(l, roots, sizeof *Q->follower);
    Q->follower_offset = saddle__layout_take(l, roots, sizeof *Q->follower_offset);
}

/* Entries of Q. */
static saddle_status count_entries(const collector *c, int64_t *entries)
{
    *entries = 0;
    for (int64_t u = 0; u < c->map->units; u++) {
        int64_t width = 0;
        for (int64_t r = c->root_start[u]; r < c->root_start[u + 1]; r++)
            width += saddle__component_width(c->map, c->root[r]);
        int64_t more = saddle__unit_rows(c->map, u) * width; /* both are below 2^31 */
        if (*entries > INT64_MAX / 16 - more)
            return saddle_fail(c->context, SADDLE_TOO_LARGE,
                               "too many entries in the composed attachments");
        *entries += more;
    }
    return SADDLE_OK;
}

/* Numbers the rows of each unit and the columns of its roots. */
static void place_parts(const saddle_map *map, saddle__composition *Q)
{
    for (int64_t u = 0; u < map->units; u++) {
        for (int64_t r = Q->root_start[u]; r < Q->root_start[u + 1]; r++) {
            Q->offset[r] = Q->width[u];
            Q->width[u] += saddle__component_width(map, Q->root[r]);
        }
        Q->Q_start[u + 1] = Q->Q_start[u] + saddle__unit_rows(map, u) * Q->width[u];
        for (int64_t a = map->row_start[u]; a < map->row_start[u + 1]; a++)
            Q->unit_of_row[a] = (int32_t)u;
    }
}

/* The lists of roots transposed: units with a component as root. */
static void list_followers(const saddle_map *map, saddle__composition *Q)
{
    int64_t *start = Q->follower_start;
    for (int64_t r = 0; r < Q->root_start[map->units]; r++) start[Q->root[r]]++;
    saddle__cumulate(start, map->components);
    for (int64_t u = 0; u < map->units; u++)
        for (int64_t r = Q->root_start[u]; r < Q->root_start[u + 1]; r++) {
            int64_t p = start[Q->root[r]]++; /* the fill position; moved back below */
            Q->follower[p] = u;
            Q->follower_offset[p] = Q->offset[r];
        }
    memmove(start + 1, start, (size_t)map->components * sizeof *start);
    start[0] = 0;
}

saddle_status saddle__composition_create(saddle_context *context, const saddle_map *map,
                                         saddle__composition *Q)
{
    *Q = (saddle__composition){0};
    collector c = {.context = context, .map = map};
    int64_t entries = 0;
    c.root_start = saddle_allocate(context, map->units + 1, sizeof *c.root_start);
    c.mark = saddle_allocate(context, map->components, sizeof *c.mark);
    saddle_status status = c.root_start && c.mark ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int64_t u = 0; status == SADDLE_OK && u < map->units; u++) status = collect_roots(&c, u);
    if (status == SADDLE_OK) status = count_entries(&c, &entries);
    if (status == SADDLE_OK) {
        place(map, c.count, entries, Q);
        status = saddle__layout_allocate(context, &Q->layout);
    }
    if (status == SADDLE_OK) {
        place(map, c.count, entries, Q);
        memcpy(Q->root_start, c.root_start, (size_t)(map->units + 1) * sizeof *Q->root_start);
        if (c.count > 0) memcpy(Q->root, c.root, (size_t)c.count * sizeof *Q->root);
        place_parts(map, Q);
        list_followers(map, Q);
    }
    saddle_release(context, c.root_start);
    saddle_release(context, c.root);
    saddle_release(context, c.mark);
    return status;
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

/* The part of Q_j at a root, in a unit's rows. */
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
    for (int64_t u = 0; u < map->units; u++) {
        int64_t rows = saddle__unit_rows(map, u);
        int64_t width = Q->width[u];
        double *Qk = Q->Q + Q->Q_start[u];
        const double *A = map->value + map->value_start[u];
        for (int64_t e = 0; e < rows * width; e++) Qk[e] = 0;
        for (int64_t r = Q->root_start[u]; r < Q->root_start[u + 1]; r++)
            Q->place[Q->root[r]] = Q->offset[r];
        for (int64_t b = map->block_start[u]; b < map->block_start[u + 1]; b++) {
            int64_t j = map->master[b];
            int64_t above = map->unit_of[j];
            if (saddle__component_width(map, j) > 0)
                add_active(map, j, rows, A, Qk + Q->place[j], width);
            for (int64_t r = above < 0 ? 0 : Q->root_start[above];
                 above >= 0 && r < Q->root_start[above + 1]; r++) {
                part from = {Q->Q + Q->Q_start[above] + Q->offset[r], Q->width[above],
                             saddle__component_width(map, Q->root[r])};
                add_attached(map, j, rows, A, from, Qk + Q->place[Q->root[r]], width);
            }
            A += rows * saddle__component_size(map, j);
        }
    }
}
