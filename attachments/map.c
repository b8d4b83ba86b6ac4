/* SPDX-License-Identifier: MIT */
/* The graph compiled (velocities sorted into active, attached and prescribed ones, attachments in
 * order), and the passes along it, each block read once (Lloyd, ArtiSynth mechanics notes, 0.18):
 *
 *     velocities   v_k = sum_j A_kj v_j + g_k   masters before the components attached to them
 *     forces       F_j <- F_j + A_kj'F_k        in reverse order          (0.33, 0.34 where g = 0)
 */
#include "graph.h"
#include "matrix/full_csr.h"

#define INLINED static inline __attribute__((always_inline))

enum { AHEAD = 400 }; /* distance of prefetching in entries of the blocks */

void saddle_map_free(saddle_map *map)
{
    if (!map) return;
    saddle__layout_clear(map->context, &map->layout);
    saddle_release(map->context, map);
}

/* ---- compiling ---- */

static int is_kept(const saddle_map *map, int64_t c)
{
    return map->keep && map->keep[c];
}

/* NULL where the component is compiled as active */
static const saddle__attachment *attachment_of(const saddle_map *map,
                                               const saddle_attachments *graph, int64_t c)
{
    return is_kept(map, c) ? NULL : graph->component[c].attachment;
}

static const double *prescribed_of(const saddle_map *map, const saddle_attachments *graph,
                                   int64_t c)
{
    return is_kept(map, c) ? NULL : graph->component[c].velocity;
}

typedef struct counts {
    int64_t rows, blocks, values; /* of all units */
} counts;

static counts count_graph(saddle_map *map, const saddle_attachments *graph)
{
    counts all = {0};
    map->n = graph->n;
    map->components = graph->count;
    for (int64_t c = 0; c < graph->count; c++) {
        const saddle__attachment *a = attachment_of(map, graph, c);
        if (prescribed_of(map, graph, c)) map->prescribed_count += graph->component[c].size;
        if (!a) continue;
        map->units++;
        all.rows += a->rows;
        all.blocks += a->block_count;
        all.values += a->entries;
    }
    map->active_count = map->n - map->prescribed_count - all.rows;
    return all;
}

static saddle_status make_arrays(saddle_context *context, saddle_map *map, const counts *all)
{
    const saddle__array arrays[] = {SADDLE__ARRAY(map->first, map->components + 1),
                                    SADDLE__ARRAY(map->column, map->components + 1),
                                    SADDLE__ARRAY(map->unit_of, map->components),
                                    SADDLE__ARRAY(map->active, map->active_count),
                                    SADDLE__ARRAY(map->to, map->n),
                                    SADDLE__ARRAY(map->component, map->units),
                                    SADDLE__ARRAY(map->row_start, map->units + 1),
                                    SADDLE__ARRAY(map->velocity, all->rows),
                                    SADDLE__ARRAY(map->block_start, map->units + 1),
                                    SADDLE__ARRAY(map->master, all->blocks),
                                    SADDLE__ARRAY(map->value_start, map->units + 1),
                                    SADDLE__ARRAY(map->value, all->values),
                                    SADDLE__ARRAY(map->term, all->rows),
                                    SADDLE__ARRAY(map->prescribed, map->prescribed_count),
                                    SADDLE__ARRAY(map->prescribed_velocity, map->prescribed_count)};
    return saddle__layout_make(context, &map->layout, arrays, SADDLE__LENGTH(arrays));
}

/* The attached components in order, their rows, masters and the longest chain; depth (components)
 * is scratch. */
static void place_units(saddle_map *map, const saddle_attachments *graph, const int64_t *order,
                        int64_t *depth)
{
    int64_t u = 0;
    for (int64_t p = 0; p < graph->count; p++) {
        int64_t c = order[p];
        const saddle__attachment *a = attachment_of(map, graph, c);
        map->unit_of[c] = a ? u : -1;
        if (!a) continue;
        map->component[u] = c;
        for (int64_t i = 0; i < a->rows; i++) {
            int64_t row = map->row_start[u] + i;
            map->velocity[row] = graph->component[c].first + a->direction[i];
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

/* The other velocities: prescribed, or active and numbered in the order of v. */
static void place_velocities(saddle_map *map, const saddle_attachments *graph)
{
    int64_t active = 0;
    int64_t prescribed = 0;
    for (int64_t c = 0; c < graph->count; c++) {
        const saddle__component *k = &graph->component[c];
        map->first[c] = k->first;
        map->column[c] = active;
        for (int64_t i = k->first; i < k->first + k->size; i++) {
            if (prescribed_of(map, graph, c)) {
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

static void copy_values(saddle_map *map, const saddle_attachments *graph)
{
    int64_t prescribed = 0;
    for (int64_t c = 0; c < graph->count; c++) {
        const double *velocity = prescribed_of(map, graph, c);
        for (int64_t i = 0; velocity && i < graph->component[c].size; i++)
            map->prescribed_velocity[prescribed++] = velocity[i];
    }
    for (int64_t u = 0; u < map->units; u++) {
        const saddle__attachment *a = graph->component[map->component[u]].attachment;
        double *value = map->value + map->value_start[u];
        double *term = map->term + map->row_start[u];
        for (int64_t e = 0; e < a->entries; e++) value[e] = a->value[e];
        for (int64_t i = 0; i < a->rows; i++) term[i] = a->term[i];
    }
}

/* FNV-1a, eight bytes at a time. */
static uint64_t mix(uint64_t print, int64_t word)
{
    return (print ^ (uint64_t)word) * UINT64_C(0x100000001b3);
}

/* Fingerprint of the structure: ids, sizes, states, directions and masters, no values. */
static uint64_t print_of(const saddle_attachments *graph)
{
    uint64_t print = mix(UINT64_C(0xcbf29ce484222325), graph->count);
    for (int64_t c = 0; c < graph->count; c++) {
        const saddle__component *k = &graph->component[c];
        const saddle__attachment *a = k->attachment;
        print = mix(mix(mix(print, k->id), k->size), (k->velocity ? 1 : 0) + (a ? 2 : 0));
        if (!a) continue;
        print = mix(mix(print, a->rows), a->block_count);
        for (int64_t i = 0; !a->whole && i < a->rows; i++) print = mix(print, a->direction[i]);
        for (int64_t b = 0; b < a->block_count; b++) print = mix(print, a->master[b]);
    }
    return print;
}

static saddle_status compile(saddle_map *map, const saddle_attachments *graph, int64_t *order,
                             int64_t *depth)
{
    SADDLE__TRY(saddle__attachments_order(map->context, graph, order));
    counts all = count_graph(map, graph);
    SADDLE__TRY(make_arrays(map->context, map, &all));
    place_units(map, graph, order, depth);
    place_velocities(map, graph);
    copy_values(map, graph);
    map->print = print_of(graph);
    return SADDLE_OK;
}

saddle_status saddle__map_create(saddle_context *context, const saddle_attachments *graph,
                                 const signed char *keep, saddle_map **map)
{
    saddle_map *made = saddle_allocate(context, 1, sizeof *made);
    int64_t *order = saddle_allocate(context, graph->count, sizeof *order);
    int64_t *depth = saddle_allocate(context, graph->count, sizeof *depth);
    saddle_status status = made && order && depth ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (made) {
        made->context = context;
        made->keep = keep;
    }
    if (status == SADDLE_OK) status = compile(made, graph, order, depth);
    saddle__release_all(context, order, depth);
    if (status != SADDLE_OK) {
        saddle_map_free(made);
        made = NULL;
    }
    *map = made;
    return status;
}

saddle_status saddle_map_create(saddle_context *context, const saddle_attachments *graph,
                                saddle_map **map)
{
    if (map) *map = NULL;
    SADDLE__RETURN_UNLESS(context, graph && map, "attachments or map is NULL");
    return saddle__map_create(context, graph, NULL, map);
}

saddle_status saddle_map_refresh(saddle_map *map, const saddle_attachments *graph)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(map), map && graph, "map or attachments is NULL");
    if (print_of(graph) != map->print)
        return saddle__refuse(
            map, "components or attachments came or went since the graph was compiled");
    copy_values(map, graph);
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
                             .block_entries = map->value_start[map->units]};
}

const int64_t *saddle_map_active(const saddle_map *map)
{
    return map ? map->active : NULL;
}

/* ---- passes ----
 *
 * Particles and frames, blocks of 3 or 6 attached rows side by side in v, have loops of constant
 * length. */

/* Prefetches as many entries as the unit has, `distance` entries further on. */
SADDLE__HINTS void prefetch_unit(const saddle_map *map, int64_t u, int64_t distance)
{
    int64_t most = map->value_start[map->units] - 1;
    for (int64_t e = map->value_start[u] + distance; e < map->value_start[u + 1] + distance;
         e += 8) /* a cache line */
        if (e >= 0 && e <= most) SADDLE__PREFETCH(map->value + e);
}

INLINED void add_block(int64_t rows, int64_t cols, const double *A, const double *restrict x,
                       double *restrict y)
{
    for (int64_t c = 0; c < cols; c++)
        for (int64_t r = 0; r < rows; r++) y[r] += A[c * rows + r] * x[c];
}

INLINED void add_transposed(int64_t rows, int64_t cols, const double *A, const double *x,
                            double *restrict y)
{
    for (int64_t c = 0; c < cols; c++) {
        double sum = 0;
        for (int64_t r = 0; r < rows; r++) sum += A[c * rows + r] * x[r];
        y[c] += sum;
    }
}

/* A unit with rows side by side in x: v_k += A_kj v_j; back: F_j += A_kj'F_k. */
INLINED void pass_unit(const saddle_map *map, int64_t u, int64_t rows, int back, double *x)
{
    double *own = x + map->velocity[map->row_start[u]];
    const double *A = map->value + map->value_start[u];
    for (int64_t b = map->block_start[u]; b < map->block_start[u + 1]; b++) {
        double *master = x + map->first[map->master[b]];
        int64_t cols = saddle__component_size(map, map->master[b]);
        if (back)
            add_transposed(rows, cols, A, own, master);
        else
            add_block(rows, cols, A, master, own);
        A += rows * cols;
    }
}

/* The same for other rows. */
static void pass_scattered(const saddle_map *map, int64_t u, int back, double *x)
{
    const int64_t *row = map->velocity + map->row_start[u];
    int64_t rows = saddle__unit_rows(map, u);
    const double *A = map->value + map->value_start[u];
    for (int64_t b = map->block_start[u]; b < map->block_start[u + 1]; b++) {
        double *master = x + map->first[map->master[b]];
        int64_t cols = saddle__component_size(map, map->master[b]);
        for (int64_t c = 0; c < cols; c++)
            for (int64_t r = 0; r < rows; r++, A++)
                if (back)
                    master[c] += *A * x[row[r]];
                else
                    x[row[r]] += *A * master[c];
    }
}

INLINED void pass_units(const saddle_map *map, int back, double *x)
{
    for (int64_t p = 0; p < map->units; p++) {
        int64_t u = back ? map->units - 1 - p : p;
        int64_t rows = saddle__unit_rows(map, u);
        const int64_t *velocity = map->velocity + map->row_start[u];
        prefetch_unit(map, u, back ? -AHEAD : AHEAD);
        if (rows == 0 || velocity[rows - 1] - velocity[0] != rows - 1)
            pass_scattered(map, u, back, x);
        else if (rows == 3)
            pass_unit(map, u, 3, back, x);
        else if (rows == 6)
            pass_unit(map, u, 6, back, x);
        else
            pass_unit(map, u, rows, back, x);
    }
}

/* v = Q u + d, or Q u. */
static void push_all(const saddle_map *map, const double *u, int constants, double *v)
{
    if (!map || (!u && map->active_count > 0) || (!v && map->n > 0)) return;
    for (int64_t p = 0; p < map->active_count; p++) v[map->active[p]] = u[p];
    for (int64_t i = 0; i < map->prescribed_count; i++)
        v[map->prescribed[i]] = constants ? map->prescribed_velocity[i] : 0;
    for (int64_t r = 0; r < map->row_start[map->units]; r++)
        v[map->velocity[r]] = constants ? map->term[r] : 0;
    pass_units(map, 0, v);
}

void saddle_map_velocities(const saddle_map *map, const double *u, double *v)
{
    push_all(map, u, 1, v);
}

void saddle_map_push(const saddle_map *map, const double *u, double *v)
{
    push_all(map, u, 0, v);
}

void saddle_map_pull(const saddle_map *map, double *F, double *reduced)
{
    if (!map || (!F && map->n > 0)) return;
    pass_units(map, 1, F);
    for (int64_t p = 0; reduced && p < map->active_count; p++) reduced[p] = F[map->active[p]];
}
