/* SPDX-License-Identifier: MIT */
/* Compiling a graph: velocities sorted into active, attached and prescribed ones, attachments put
 * in order. */
#include "map.h"

#include <string.h>

#include "graph.h"

void saddle_map_free(saddle_map *map)
{
    if (!map) return;
    void *const arrays[] = {map->first,       map->column,     map->unit_of,
                            map->active,      map->to,         map->component,
                            map->row_start,   map->master,     map->velocity,
                            map->value,       map->term,       map->block_start,
                            map->value_start, map->prescribed, map->prescribed_velocity};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        saddle_release(map->context, arrays[i]);
    saddle_release(map->context, map);
}

static void *take(saddle_map *map, int64_t count, size_t size)
{
    map->bytes += count * (int64_t)size;
    return saddle_allocate(map->context, count, size);
}

static void count_graph(saddle_map *map, const saddle_attachments *graph, int64_t *rows,
                        int64_t *blocks, int64_t *values)
{
    map->n = graph->n;
    map->components = graph->count;
    for (int64_t c = 0; c < graph->count; c++) {
        const saddle__component *k = &graph->component[c];
        if (k->velocity) map->prescribed_count += k->size;
        if (!k->attachment) continue;
        map->units++;
        *rows += k->attachment->rows;
        *blocks += k->attachment->block_count;
        *values += k->attachment->entries;
    }
    map->active_count = map->n - map->prescribed_count - *rows;
}

static saddle_status allocate(saddle_map *map, const saddle_attachments *graph)
{
    int64_t rows = 0;
    int64_t blocks = 0;
    int64_t values = 0;
    count_graph(map, graph, &rows, &blocks, &values);
    map->first = take(map, map->components + 1, sizeof *map->first);
    map->column = take(map, map->components + 1, sizeof *map->column);
    map->unit_of = take(map, map->components, sizeof *map->unit_of);
    map->active = take(map, map->active_count, sizeof *map->active);
    map->to = take(map, map->n, sizeof *map->to);
    map->component = take(map, map->units, sizeof *map->component);
    map->row_start = take(map, map->units + 1, sizeof *map->row_start);
    map->velocity = take(map, rows, sizeof *map->velocity);
    map->block_start = take(map, map->units + 1, sizeof *map->block_start);
    map->master = take(map, blocks, sizeof *map->master);
    map->value_start = take(map, map->units + 1, sizeof *map->value_start);
    map->value = take(map, values, sizeof *map->value);
    map->term = take(map, rows, sizeof *map->term);
    map->prescribed = take(map, map->prescribed_count, sizeof *map->prescribed);
    map->prescribed_velocity = take(map, map->prescribed_count, sizeof *map->prescribed_velocity);
    int whole = map->first && map->column && map->unit_of && map->active && map->to &&
                map->component && map->row_start && map->velocity && map->block_start &&
                map->master && map->value_start && map->value && map->term && map->prescribed &&
                map->prescribed_velocity;
    return whole ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

/* The attached components in order, their rows, masters and the longest chain; depth (components)
 * is scratch. */
static void place_units(saddle_map *map, const saddle_attachments *graph, const int64_t *order,
                        int64_t *depth)
{
    int64_t u = 0;
    for (int64_t p = 0; p < graph->count; p++) {
        int64_t c = order[p];
        const saddle__component *k = &graph->component[c];
        const saddle__attachment *a = k->attachment;
        map->unit_of[c] = a ? u : -1;
        if (!a) continue;
        map->component[u] = c;
        for (int64_t i = 0; i < a->rows; i++) {
            int64_t row = map->row_start[u] + i;
            map->velocity[row] = k->first + a->direction[i];
            map->to[map->velocity[row]] = (int32_t)SADDLE__ATTACHED_ROW(row);
        }
        for (int64_t b = 0; b < a->block_count; b++) {
            map->master[map->block_start[u] + b] = a->master[b];
            if (depth[a->master[b]] > depth[c]) depth[c] = depth[a->master[b]];
        }
        if (++depth[c] > map->depth) map->depth = depth[c];
        map->row_start[u + 1] = map->row_start[u] + a->rows;
        map->block_start[u + 1] = map->block_start[u] + a->block_count;
        map->value_start[u + 1] = map->value_start[u] + a->entries;
        u++;
    }
}

/* What is not attached: prescribed, or active and numbered in the order of v. */
static void place_velocities(saddle_map *map, const saddle_attachments *graph)
{
    int64_t active = 0;
    int64_t prescribed = 0;
    for (int64_t c = 0; c < graph->count; c++) {
        const saddle__component *k = &graph->component[c];
        map->first[c] = k->first;
        map->column[c] = active;
        for (int64_t i = k->first; i < k->first + k->size; i++) {
            if (k->velocity) {
                map->to[i] = SADDLE__PRESCRIBED;
                map->prescribed[prescribed++] = i;
            } else if (map->to[i] >= 0) {
                map->to[i] = (int32_t)active;
                map->active[active++] = i;
            }
        }
    }
    map->first[graph->count] = graph->n;
    map->column[graph->count] = active;
}

/* ---- values ---- */

static int same_unit(const saddle_map *map, int64_t c, const saddle__component *k)
{
    int64_t u = map->unit_of[c];
    const saddle__attachment *a = k->attachment;
    if ((u >= 0) != (a != NULL)) return 0;
    if (!a)
        return k->size == 0 || (map->to[k->first] == SADDLE__PRESCRIBED) == (k->velocity != NULL);
    int64_t blocks = map->block_start[u + 1] - map->block_start[u];
    if (a->rows != saddle__unit_rows(map, u) || a->block_count != blocks) return 0;
    for (int64_t i = 0; i < a->rows; i++)
        if (map->velocity[map->row_start[u] + i] != k->first + a->direction[i]) return 0;
    return blocks == 0 || memcmp(map->master + map->block_start[u], a->master,
                                 (size_t)blocks * sizeof *a->master) == 0;
}

static int same_structure(const saddle_map *map, const saddle_attachments *graph)
{
    if (map->components != graph->count || map->n != graph->n) return 0;
    for (int64_t c = 0; c < graph->count; c++)
        if (map->first[c] != graph->component[c].first || !same_unit(map, c, &graph->component[c]))
            return 0;
    return 1;
}

static void copy_values(saddle_map *map, const saddle_attachments *graph)
{
    int64_t prescribed = 0;
    for (int64_t c = 0; c < graph->count; c++) {
        const saddle__component *k = &graph->component[c];
        if (!k->velocity) continue;
        for (int64_t i = 0; i < k->size; i++)
            map->prescribed_velocity[prescribed++] = k->velocity[i];
    }
    for (int64_t u = 0; u < map->units; u++) {
        const saddle__attachment *a = graph->component[map->component[u]].attachment;
        double *value = map->value + map->value_start[u];
        double *term = map->term + map->row_start[u];
        for (int64_t e = 0; e < a->entries; e++) value[e] = a->value[e];
        for (int64_t i = 0; i < a->rows; i++) term[i] = a->term[i];
    }
}

saddle_status saddle_map_refresh(saddle_map *map, const saddle_attachments *graph)
{
    saddle_context_clear_message(map ? map->context : NULL);
    if (!map || !graph)
        return saddle_fail(map ? map->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_map_refresh: map or attachments is NULL");
    if (!same_structure(map, graph))
        return saddle_fail(map->context, SADDLE_INVALID_ARGUMENT,
                           "components or attachments came or went since the graph was compiled");
    copy_values(map, graph);
    return SADDLE_OK;
}

/* ---- making ---- */

static saddle_status compile(saddle_map *map, const saddle_attachments *graph, int64_t *order,
                             int64_t *depth)
{
    saddle_status status = saddle_attachments_order(graph, order);
    if (status == SADDLE_OK) status = allocate(map, graph);
    if (status != SADDLE_OK) return status;
    place_units(map, graph, order, depth);
    place_velocities(map, graph);
    copy_values(map, graph);
    return SADDLE_OK;
}

/* The reason of a failure, found with the graph's context, is to stand in the map's too. */
static saddle_status pass_on(saddle_context *context, const saddle_attachments *graph,
                             saddle_status status)
{
    if (status == SADDLE_OK || !graph->context || graph->context == context) return status;
    return saddle_fail(context, status, "%s", saddle_context_message(graph->context));
}

saddle_status saddle_map_create(saddle_context *context, const saddle_attachments *graph,
                                saddle_map **map)
{
    saddle_context_clear_message(context);
    if (map) *map = NULL;
    if (!graph || !map)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_map_create: attachments or map is NULL");
    saddle_map *made = saddle_allocate(context, 1, sizeof *made);
    int64_t *order = saddle_allocate(context, graph->count, sizeof *order);
    int64_t *depth = saddle_allocate(context, graph->count, sizeof *depth);
    saddle_status status = made && order && depth ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (made) made->context = context;
    if (status == SADDLE_OK) status = pass_on(context, graph, compile(made, graph, order, depth));
    saddle_release(context, order);
    saddle_release(context, depth);
    if (status != SADDLE_OK) {
        saddle_map_free(made);
        return status;
    }
    *map = made;
    return SADDLE_OK;
}

saddle_map_size saddle_map_size_of(const saddle_map *map)
{
    if (!map) return (saddle_map_size){0};
    return (saddle_map_size){.n = map->n,
                             .active = map->active_count,
                             .attached = map->row_start[map->units],
                             .parametric = map->prescribed_count,
                             .attachments = map->units,
                             .depth = map->depth,
                             .block_entries = map->value_start[map->units],
                             .bytes = map->bytes};
}

const int64_t *saddle_map_active(const saddle_map *map)
{
    if (!map) return NULL;
    return map->active;
}
