/* SPDX-License-Identifier: MIT */
/* Passes along the graph, each block read once (seed 000, 0.18):
 *
 *     velocities   v_k = sum_j A_kj v_j + g_k     masters before those attached to them
 *     forces       F_j <- F_j + A_kj'F_k          the other way round      (0.33, 0.34 where g = 0)
 *
 * Blocks of 3 and 6 attached rows that stand together in v, particles and frames, have loops of
 * that length.
 */
#include "map.h"

/* entries: how far ahead blocks are asked for, and how many come at once */
enum { AHEAD = 400, LINE = 8 };

/* Memory begins to bring as many entries as the unit has, from `distance` further on, while those
 * between are worked on. Inlined in any case: gcc takes a call that only does this for one without
 * effect. */
static inline __attribute__((always_inline)) void ask_for(const saddle_map *map, int64_t u,
                                                          int64_t distance)
{
    int64_t most = map->value_start[map->units] - 1;
    for (int64_t e = map->value_start[u] + distance; e < map->value_start[u + 1] + distance;
         e += LINE)
        if (e >= 0 && e <= most) __builtin_prefetch(map->value + e);
}

static inline __attribute__((always_inline)) void add_block(int64_t rows, int64_t cols,
                                                            const double *A,
                                                            const double *restrict x,
                                                            double *restrict y)
{
    for (int64_t c = 0; c < cols; c++)
        for (int64_t r = 0; r < rows; r++) y[r] += A[c * rows + r] * x[c];
}

static inline __attribute__((always_inline)) void add_transposed(int64_t rows, int64_t cols,
                                                                 const double *A, const double *x,
                                                                 double *restrict y)
{
    for (int64_t c = 0; c < cols; c++) {
        double sum = 0;
        for (int64_t r = 0; r < rows; r++) sum += A[c * rows + r] * x[r];
        y[c] += sum;
    }
}

/* y = the unit's rows, together in v */
static inline __attribute__((always_inline)) void push_unit(const saddle_map *map, int64_t u,
                                                            int64_t rows, double *v)
{
    double *y = v + map->velocity[map->row_start[u]];
    const double *A = map->value + map->value_start[u];
    for (int64_t b = map->block_start[u]; b < map->block_start[u + 1]; b++) {
        int64_t cols = saddle__component_size(map, map->master[b]);
        add_block(rows, cols, A, v + map->first[map->master[b]], y);
        A += rows * cols;
    }
}

static inline __attribute__((always_inline)) void pull_unit(const saddle_map *map, int64_t u,
                                                            int64_t rows, double *F)
{
    const double *x = F + map->velocity[map->row_start[u]];
    const double *A = map->value + map->value_start[u];
    for (int64_t b = map->block_start[u]; b < map->block_start[u + 1]; b++) {
        int64_t cols = saddle__component_size(map, map->master[b]);
        add_transposed(rows, cols, A, x, F + map->first[map->master[b]]);
        A += rows * cols;
    }
}

/* The same for rows that stand apart. */
static void push_scattered(const saddle_map *map, int64_t u, double *v)
{
    const int64_t *row = map->velocity + map->row_start[u];
    int64_t rows = saddle__unit_rows(map, u);
    const double *A = map->value + map->value_start[u];
    for (int64_t b = map->block_start[u]; b < map->block_start[u + 1]; b++) {
        const double *x = v + map->first[map->master[b]];
        int64_t cols = saddle__component_size(map, map->master[b]);
        for (int64_t c = 0; c < cols; c++)
            for (int64_t r = 0; r < rows; r++) v[row[r]] += *A++ * x[c];
    }
}

static void pull_scattered(const saddle_map *map, int64_t u, double *F)
{
    const int64_t *row = map->velocity + map->row_start[u];
    int64_t rows = saddle__unit_rows(map, u);
    const double *A = map->value + map->value_start[u];
    for (int64_t b = map->block_start[u]; b < map->block_start[u + 1]; b++) {
        double *y = F + map->first[map->master[b]];
        int64_t cols = saddle__component_size(map, map->master[b]);
        for (int64_t c = 0; c < cols; c++)
            for (int64_t r = 0; r < rows; r++) y[c] += *A++ * F[row[r]];
    }
}

static int together(const saddle_map *map, int64_t u)
{
    int64_t begin = map->row_start[u];
    int64_t last = map->row_start[u + 1] - 1;
    return last >= begin && map->velocity[last] - map->velocity[begin] == last - begin;
}

static void push_units(const saddle_map *map, double *v)
{
    for (int64_t u = 0; u < map->units; u++) {
        int64_t rows = saddle__unit_rows(map, u);
        ask_for(map, u, AHEAD);
        if (!together(map, u))
            push_scattered(map, u, v);
        else if (rows == 3)
            push_unit(map, u, 3, v);
        else if (rows == 6)
            push_unit(map, u, 6, v);
        else
            push_unit(map, u, rows, v);
    }
}

static void start_push(const saddle_map *map, const double *u, double *v)
{
    for (int64_t p = 0; p < map->active_count; p++) v[map->active[p]] = u[p];
}

void saddle_map_velocities(const saddle_map *map, const double *u, double *v)
{
    if (!map || (!u && map->active_count > 0) || (!v && map->n > 0)) return;
    start_push(map, u, v);
    for (int64_t i = 0; i < map->prescribed_count; i++)
        v[map->prescribed[i]] = map->prescribed_velocity[i];
    for (int64_t r = 0; r < map->row_start[map->units]; r++) v[map->velocity[r]] = map->term[r];
    push_units(map, v);
}

void saddle_map_push(const saddle_map *map, const double *u, double *v)
{
    if (!map || (!u && map->active_count > 0) || (!v && map->n > 0)) return;
    start_push(map, u, v);
    for (int64_t i = 0; i < map->prescribed_count; i++) v[map->prescribed[i]] = 0;
    for (int64_t r = 0; r < map->row_start[map->units]; r++) v[map->velocity[r]] = 0;
    push_units(map, v);
}

void saddle_map_pull(const saddle_map *map, double *F, double *reduced)
{
    if (!map || (!F && map->n > 0)) return;
    for (int64_t u = map->units - 1; u >= 0; u--) {
        int64_t rows = saddle__unit_rows(map, u);
        ask_for(map, u, -AHEAD);
        if (!together(map, u))
            pull_scattered(map, u, F);
        else if (rows == 3)
            pull_unit(map, u, 3, F);
        else if (rows == 6)
            pull_unit(map, u, 6, F);
        else
            pull_unit(map, u, rows, F);
    }
    for (int64_t p = 0; reduced && p < map->active_count; p++) reduced[p] = F[map->active[p]];
}
