/* SPDX-License-Identifier: MIT */
/* Geometric stiffness through the graph (seed 002, "Composing Geometric Stiffnesses"): with G_{f o
 * g} = G_g + J_g'G_f J_g applied at each coupling, masters last,
 *
 *     G u = Q'(G_f + K) Q u,     (K v)_j = sum_k dA_kj(v)'F_k,     F_j <- F_j + A_kj'F_k
 *
 * v = Q u is pushed along the graph, each coupling answers with the change of what it passes on,
 * all is pulled back.  K couples only the masters of one coupling at a time.
 */
#include <string.h>

#include "couplings.h"

static saddle_status check_phase(const saddle_couplings *c, int loaded)
{
    if (!c->map || !c->updated)
        return saddle_fail(c->context, SADDLE_WRONG_PHASE,
                           "the couplings have not been updated since they were compiled");
    if (loaded && !c->loaded)
        return saddle_fail(c->context, SADDLE_WRONG_PHASE, "no forces have been loaded");
    return SADDLE_OK;
}

saddle_status saddle_couplings_load(saddle_couplings *c, const double *f, double *reduced)
{
    saddle_context_clear_message(c ? c->context : NULL);
    if (!c || (!f && c->graph->n > 0))
        return saddle_fail(c ? c->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_couplings_load: couplings or f is NULL");
    saddle_status status = check_phase(c, 0);
    if (status != SADDLE_OK) return status;
    if (c->map->n > 0) memcpy(c->force, f, (size_t)c->map->n * sizeof *f);
    saddle_map_pull(c->map, c->force, reduced);
    c->loaded = 1;
    return SADDLE_OK;
}

/* y_j += dA_kj'F_k for all masters, y in an array of n; dA in c->rate. */
static void pull_rate(const saddle_couplings *c, int64_t unit, double *y)
{
    const saddle_map *map = c->map;
    const double *F = c->force + map->first[map->component[unit]];
    const double *dA = c->rate;
    int64_t rows = saddle__unit_rows(map, unit);
    for (int64_t b = map->block_start[unit]; b < map->block_start[unit + 1]; b++) {
        double *into = y + map->first[map->master[b]];
        for (int64_t j = 0; j < saddle__component_size(map, map->master[b]); j++)
            for (int64_t i = 0; i < rows; i++) into[j] += *dA++ * F[i];
    }
}

saddle_status saddle_couplings_stiffness(saddle_couplings *c, const saddle_matrix *stiffness,
                                         const double *u, double *product)
{
    saddle_context_clear_message(c ? c->context : NULL);
    if (!c || !u || !product)
        return saddle_fail(c ? c->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_couplings_stiffness: couplings, u or product is NULL");
    saddle_status status = check_phase(c, 1);
    if (status != SADDLE_OK) return status;
    int64_t n = c->map->n;
    if (stiffness && (stiffness->rows != n || stiffness->cols != n))
        return saddle_fail(c->context, SADDLE_INVALID_ARGUMENT,
                           "a stiffness of %lld x %lld where there are %lld velocities",
                           (long long)stiffness->rows, (long long)stiffness->cols, (long long)n);
    saddle_map_push(c->map, u, c->velocity);
    for (int64_t i = 0; i < n; i++) c->change[i] = 0;
    if (stiffness) saddle_matrix_apply(stiffness, 1, c->velocity, 0, c->change);
    for (int64_t unit = 0; unit < c->map->units; unit++) {
        if (saddle__coupling_is_constant(c, unit)) continue;
        status = saddle__coupling_rate(c, unit, c->position, c->velocity);
        if (status != SADDLE_OK) return status;
        pull_rate(c, unit, c->change);
    }
    saddle_map_pull(c->map, c->change, product);
    return SADDLE_OK;
}

/* ---- assembled ---- */

/* What is done with column col of K's part of a unit: y (n) holds it at the unit's masters. */
typedef saddle_status visitor(saddle_couplings *c, int64_t unit, int64_t col, const double *y,
                              void *user);

/* The columns of a unit's part: its masters' velocities one at a time, its own with them (they turn
 * its axes). */
static saddle_status visit_unit(saddle_couplings *c, int64_t unit, visitor *visit, void *user)
{
    const saddle_map *map = c->map;
    int64_t rows = saddle__unit_rows(map, unit);
    double *own = c->velocity + map->first[map->component[unit]];
    const double *A = map->value + map->value_start[unit];
    saddle_status status = SADDLE_OK;
    for (int64_t b = map->block_start[unit]; b < map->block_start[unit + 1]; b++) {
        int64_t first = map->first[map->master[b]];
        int64_t cols = saddle__component_size(map, map->master[b]);
        for (int64_t j = 0; status == SADDLE_OK && j < cols; j++) {
            c->velocity[first + j] = 1;
            for (int64_t i = 0; i < rows; i++) own[i] = *A++;
            status = saddle__coupling_rate(c, unit, c->position, c->velocity);
            c->velocity[first + j] = 0;
            for (int64_t i = 0; i < rows; i++) own[i] = 0;
            if (status != SADDLE_OK) break;
            pull_rate(c, unit, c->change);
            status = visit(c, unit, first + j, c->change, user);
            for (int64_t m = map->block_start[unit]; m < map->block_start[unit + 1]; m++) {
                int64_t k = map->master[m];
                for (int64_t i = map->first[k]; i < map->first[k + 1]; i++) c->change[i] = 0;
            }
        }
    }
    return status;
}

static saddle_status visit_all(saddle_couplings *c, visitor *visit, void *user)
{
    saddle_status status = SADDLE_OK;
    for (int64_t i = 0; i < c->map->n; i++) c->velocity[i] = c->change[i] = 0;
    for (int64_t unit = 0; status == SADDLE_OK && unit < c->map->units; unit++)
        if (!saddle__coupling_is_constant(c, unit)) status = visit_unit(c, unit, visit, user);
    return status;
}

static saddle_status add_values(saddle_couplings *c, int64_t unit, int64_t col, const double *y,
                                void *user)
{
    saddle_matrix *K = user;
    const saddle_map *map = c->map;
    for (int64_t b = map->block_start[unit]; b < map->block_start[unit + 1]; b++) {
        int64_t row = map->first[map->master[b]];
        int64_t end = map->first[map->master[b] + 1];
        int64_t low = K->start[col];
        int64_t high = K->start[col + 1];
        while (low < high) { /* the first entry at or behind row; a component's stand together */
            int64_t middle = low + (high - low) / 2;
            if (K->index[middle] < row)
                low = middle + 1;
            else
                high = middle;
        }
        for (; row < end; row++, low++) {
            if (low >= K->start[col + 1] || K->index[low] != row)
                return saddle_fail(c->context, SADDLE_INVALID_ARGUMENT,
                                   "the stiffness matrix has no entry (%lld, %lld)",
                                   (long long)row + 1, (long long)col + 1);
            K->value[low] += y[row];
        }
    }
    return SADDLE_OK;
}

saddle_status saddle_couplings_stiffness_values(saddle_couplings *c, saddle_matrix *K)
{
    saddle_context_clear_message(c ? c->context : NULL);
    if (!c || !K)
        return saddle_fail(c ? c->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_couplings_stiffness_values: couplings or K is NULL");
    saddle_status status = check_phase(c, 1);
    if (status != SADDLE_OK) return status;
    if (K->rows != c->map->n || K->cols != c->map->n || K->symmetry != SADDLE_GENERAL || !K->start)
        return saddle_fail(c->context, SADDLE_INVALID_ARGUMENT,
                           "a stiffness matrix that was made from other couplings");
    for (int64_t e = 0; e < saddle_matrix_entries(K); e++) K->value[e] = 0;
    return visit_all(c, add_values, K);
}

/* Triplets of the pattern: all pairs of a coupling's masters' velocities. */
static int64_t list_pattern(const saddle_couplings *c, int64_t *row, int64_t *col)
{
    const saddle_map *map = c->map;
    int64_t count = 0;
    for (int64_t u = 0; u < map->units; u++) {
        if (saddle__coupling_is_constant(c, u)) continue;
        for (int64_t a = map->block_start[u]; a < map->block_start[u + 1]; a++)
            for (int64_t b = map->block_start[u]; b < map->block_start[u + 1]; b++)
                for (int64_t j = map->first[map->master[b]]; j < map->first[map->master[b] + 1];
                     j++)
                    for (int64_t i = map->first[map->master[a]]; i < map->first[map->master[a] + 1];
                         i++, count++) {
                        if (!row) continue;
                        row[count] = i;
                        col[count] = j;
                    }
    }
    return count;
}

saddle_status saddle_couplings_stiffness_matrix(saddle_couplings *c, saddle_matrix *K)
{
    saddle_context_clear_message(c ? c->context : NULL);
    if (K) *K = (saddle_matrix){0};
    if (!c || !K)
        return saddle_fail(c ? c->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_couplings_stiffness_matrix: couplings or K is NULL");
    saddle_status status = check_phase(c, 1);
    if (status != SADDLE_OK) return status;
    int64_t count = list_pattern(c, NULL, NULL);
    int64_t *row = saddle_allocate(c->context, count, sizeof *row);
    int64_t *col = saddle_allocate(c->context, count, sizeof *col);
    double *zero = saddle_allocate(c->context, count, sizeof *zero);
    status = row && col && zero ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) {
        list_pattern(c, row, col);
        status = saddle_matrix_from_triplets(c->context, c->map->n, c->map->n, count, row, col,
                                             zero, SADDLE_GENERAL, K);
    }
    if (status == SADDLE_OK) status = saddle_couplings_stiffness_values(c, K);
    if (status != SADDLE_OK) saddle_matrix_clear(K);
    saddle_release(c->context, row);
    saddle_release(c->context, col);
    saddle_release(c->context, zero);
    return status;
}
