/* SPDX-License-Identifier: MIT */
/* Couplings at a configuration: positions, blocks and their rates, the fictitious term of a step,
 * and geometric stiffness.
 *
 *     x_k = phi_k(x_j ..),  A_kj,  v_k = sum_j A_kj v_j + g_k   in order;  dA_kj(v)
 *     as a term g_k = h sum_j dA_kj v_j, or at the end of the step A_kj + h dA_kj
 *
 * In axes without rotation, with W = diag([omega], [omega]) of a frame and 0 of other components,
 * dA becomes dA + W_k A - A W_j.
 *
 * Geometric stiffness (Compliance notes, Composing Geometric Stiffnesses): with G_{f o g} = G_g +
 * J_g'G_f J_g applied at each coupling, masters last,
 *
 *     G u = Q'(G_f + K) Q u,     (K v)_j = sum_k dA_kj(v)'F_k,     F_j <- F_j + A_kj'F_k
 *
 * v = Q u is pushed along the graph, each coupling gives the change of the forces on its masters,
 * and the sum is pulled back.  K couples only the masters of one coupling at a time.
 */
#include <math.h>
#include <string.h>

#include "couplings.h"
#include "space/space.h"

/* ---- one coupling ---- */

/* NULL = attached by hand */
static const saddle__coupling *coupling_at(const saddle_couplings *c, int64_t unit)
{
    return c->coupling_of[unit] < 0 ? NULL : &c->coupling[c->coupling_of[unit]];
}

static saddle_coupling_site site_of(saddle_couplings *c, int64_t unit, const double *position,
                                    const double *v)
{
    const saddle__coupling *coupling = coupling_at(c, unit);
    for (int64_t b = 0; b < coupling->count; b++) {
        int64_t j = coupling->master[b];
        c->cols[b] = saddle__component_size(c->map, j);
        c->at[b] = position + c->position_start[j];
        c->moving[b] = v ? v + c->map->first[j] : NULL;
    }
    return (saddle_coupling_site){.data = coupling->data,
                                  .rows = saddle__unit_rows(c->map, unit),
                                  .masters = coupling->count,
                                  .cols = c->cols,
                                  .position = c->at,
                                  .velocity = v ? c->moving : NULL};
}

/* The component's name before the message of the map. */
static saddle_status name_failure(const saddle_couplings *c, int64_t unit, saddle_status status)
{
    if (status == SADDLE_OK) return SADDLE_OK;
    return saddle_fail(c->context, status, "attachment of %s, %s: %.200s",
                       c->graph->component[c->map->component[unit]].name,
                       coupling_at(c, unit)->type->name, saddle_context_message(c->context));
}

static saddle_status check_finite(const saddle_couplings *c, int64_t unit, const char *what,
                                  const double *x, int64_t count)
{
    return saddle__couplings_expect_finite(c, c->graph->component[c->map->component[unit]].id, what,
                                           x, count);
}

static int64_t entries_of(const saddle_couplings *c, int64_t unit)
{
    return c->map->value_start[unit + 1] - c->map->value_start[unit];
}

static saddle_status place_unit(saddle_couplings *c, int64_t unit, double *position)
{
    int64_t k = c->map->component[unit];
    double *own = position + c->position_start[k];
    saddle_coupling_site site = site_of(c, unit, position, NULL);
    SADDLE__TRY(name_failure(c, unit, coupling_at(c, unit)->type->place(c->context, &site, own)));
    return check_finite(c, unit, "position", own, c->position_start[k + 1] - c->position_start[k]);
}

static saddle_status evaluate_unit(saddle_couplings *c, int64_t unit, double *position, double *A)
{
    SADDLE__TRY(place_unit(c, unit, position));
    saddle_coupling_site site = site_of(c, unit, position, NULL);
    for (int64_t e = 0; e < entries_of(c, unit); e++) A[e] = 0;
    SADDLE__TRY(name_failure(c, unit, coupling_at(c, unit)->type->blocks(c->context, &site, A)));
    return check_finite(c, unit, "block entry", A, entries_of(c, unit));
}

/* ---- axes ---- */

static int is_frame(const saddle_couplings *c, int64_t component)
{
    return c->graph->component[component].kind == SADDLE_COMPONENT_FRAME;
}

/* dA + W_k A, of a block with 6 rows */
static void turn_rows(const double *omega, const double *A, int64_t cols, double *dA)
{
    for (int64_t half = 0; half < 2 * cols; half++) {
        double turned[3];
        saddle__cross(omega, A + 3 * half, turned);
        for (int i = 0; i < 3; i++) dA[3 * half + i] += turned[i];
    }
}

/* dA - A W_j, of a block with 6 columns; a row a' of three columns times [omega] is (a x
 * omega)' */
static void turn_columns(const double *omega, const double *A, int64_t rows, double *dA)
{
    for (int64_t half = 0; half < 6; half += 3)
        for (int64_t i = 0; i < rows; i++) {
            const double a[3] = {A[i + rows * half], A[i + rows * (half + 1)],
                                 A[i + rows * (half + 2)]};
            double turned[3];
            saddle__cross(a, omega, turned);
            for (int j = 0; j < 3; j++) dA[i + rows * (half + j)] -= turned[j];
        }
}

static void hold_axes(const saddle_couplings *c, int64_t unit, const double *v)
{
    const saddle_map *map = c->map;
    int64_t k = map->component[unit];
    int64_t rows = saddle__unit_rows(map, unit);
    const double *A = map->value + map->value_start[unit];
    double *dA = c->rate;
    for (int64_t b = map->block_start[unit]; b < map->block_start[unit + 1]; b++) {
        int64_t j = map->master[b];
        int64_t cols = saddle__component_size(map, j);
        if (is_frame(c, k)) turn_rows(v + map->first[k] + 3, A, cols, dA);
        if (is_frame(c, j)) turn_columns(v + map->first[j] + 3, A, rows, dA);
        A += rows * cols;
        dA += rows * cols;
    }
}

static int is_constant(const saddle_couplings *c, int64_t unit)
{
    const saddle__coupling *coupling = coupling_at(c, unit);
    if (!coupling) return 1;
    if (coupling->type->rate) return 0;
    int turns = is_frame(c, coupling->component);
    for (int64_t b = 0; b < coupling->count; b++) turns |= is_frame(c, coupling->master[b]);
    return c->axes == SADDLE_AXES_BODY || !turns;
}

static saddle_status rate_unit(saddle_couplings *c, int64_t unit, const double *position,
                               const double *v)
{
    const saddle__coupling *coupling = coupling_at(c, unit);
    for (int64_t e = 0; e < entries_of(c, unit); e++) c->rate[e] = 0;
    if (coupling->type->rate) {
        saddle_coupling_site site = site_of(c, unit, position, v);
        SADDLE__TRY(name_failure(c, unit, coupling->type->rate(c->context, &site, c->rate)));
    }
    if (c->axes == SADDLE_AXES_STEP) hold_axes(c, unit, v);
    return SADDLE_OK;
}

/* ---- all of them ---- */

static saddle_status check_compiled(const saddle_couplings *c)
{
    if (c->map) return SADDLE_OK;
    return saddle_fail(c->context, SADDLE_WRONG_PHASE, "the couplings have not been compiled");
}

saddle_status saddle_couplings_place(saddle_couplings *c, double *position)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(c), c && position, "couplings or position is NULL");
    SADDLE__TRY(check_compiled(c));
    for (int64_t u = 0; u < c->map->units; u++)
        if (c->coupling_of[u] >= 0) SADDLE__TRY(place_unit(c, u, position));
    return SADDLE_OK;
}

/* y (rows) += sum_j A_kj v_j, A the unit's blocks */
static void add_product(const saddle_map *map, int64_t unit, const double *A, const double *v,
                        double factor, double *y)
{
    int64_t rows = saddle__unit_rows(map, unit);
    for (int64_t b = map->block_start[unit]; b < map->block_start[unit + 1]; b++) {
        const double *x = v + map->first[map->master[b]];
        for (int64_t j = 0; j < saddle__component_size(map, map->master[b]); j++)
            for (int64_t i = 0; i < rows; i++) y[i] += factor * *A++ * x[j];
    }
}

/* v of a unit from its masters', its blocks and term. */
static void move_unit(const saddle_couplings *c, int64_t unit, double *v)
{
    const saddle_map *map = c->map;
    int64_t begin = map->row_start[unit];
    int64_t rows = saddle__unit_rows(map, unit);
    for (int64_t i = 0; i < rows; i++) c->term[begin + i] = map->term[begin + i];
    add_product(map, unit, map->value + map->value_start[unit], v, 1, c->term + begin);
    for (int64_t i = 0; i < rows; i++) {
        v[map->velocity[begin + i]] = c->term[begin + i];
        c->term[begin + i] = 0;
    }
}

/* Values of a coupling for the graph: treated, term. */
static saddle_status treat_unit(saddle_couplings *c, int64_t unit, const saddle_coupling_step *step,
                                const double *position, const double *v)
{
    const saddle_map *map = c->map;
    const double *A = map->value + map->value_start[unit];
    double *treated = c->treated + map->value_start[unit];
    double *term = c->term + map->row_start[unit];
    double h = step->time_step;
    memcpy(treated, A, (size_t)entries_of(c, unit) * sizeof *treated);
    if (step->fictitious == SADDLE_FICTITIOUS_NONE || is_constant(c, unit)) return SADDLE_OK;
    SADDLE__TRY(rate_unit(c, unit, position, v));
    if (step->fictitious == SADDLE_FICTITIOUS_TERM) {
        add_product(map, unit, c->rate, v, h, term);
        return check_finite(c, unit, "term", term, saddle__unit_rows(map, unit));
    }
    for (int64_t e = 0; e < entries_of(c, unit); e++) treated[e] += h * c->rate[e];
    return check_finite(c, unit, "block entry", treated, entries_of(c, unit));
}

static saddle_status evaluate_all(saddle_couplings *c, const saddle_coupling_step *step,
                                  double *position, double *v)
{
    saddle_map *map = c->map;
    SADDLE__TRY(saddle_map_refresh(map, c->graph));
    for (int64_t u = 0; u < map->units; u++) {
        int coupled = c->coupling_of[u] >= 0;
        if (coupled) {
            SADDLE__TRY(evaluate_unit(c, u, position, map->value + map->value_start[u]));
            for (int64_t i = map->row_start[u]; i < map->row_start[u + 1]; i++) map->term[i] = 0;
        }
        move_unit(c, u, v);
        if (coupled) SADDLE__TRY(treat_unit(c, u, step, position, v));
    }
    return SADDLE_OK;
}

static saddle_status check_step(const saddle_couplings *c, const saddle_coupling_step *step)
{
    SADDLE__TRY(check_compiled(c));
    if (!isfinite(step->time_step)) return saddle__refuse(c, "a time step of %g", step->time_step);
    if ((unsigned)step->fictitious > SADDLE_FICTITIOUS_MAP ||
        (unsigned)step->axes > SADDLE_AXES_STEP)
        return saddle__refuse(c, "no treatment %d or axes %d", (int)step->fictitious,
                              (int)step->axes);
    return SADDLE_OK;
}

saddle_status saddle_couplings_update(saddle_couplings *c, const saddle_coupling_step *step,
                                      double *position, double *velocity)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(c), c && position && (velocity || c->graph->n <= 0),
                          "couplings, position or velocity is NULL");
    static const saddle_coupling_step standing = {0};
    if (!step) step = &standing;
    SADDLE__TRY(check_step(c, step));
    c->updated = c->loaded = 0;
    c->axes = step->axes;
    SADDLE__TRY(evaluate_all(c, step, position, velocity));
    const saddle_map *map = c->map;
    for (int64_t u = 0; u < map->units; u++) {
        const saddle__coupling *coupling = coupling_at(c, u);
        if (coupling)
            SADDLE__TRY(saddle_attachments_set(c->graph,
                                               c->graph->component[coupling->component].id,
                                               c->treated + map->value_start[u],
                                               c->term + map->row_start[u]));
    }
    int64_t positions = c->position_start[map->components];
    if (positions > 0) memcpy(c->position, position, (size_t)positions * sizeof *position);
    c->updated = 1;
    return SADDLE_OK;
}

/* ---- geometric stiffness ---- */

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
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(c), c && (f || c->graph->n <= 0),
                          "couplings or f is NULL");
    SADDLE__TRY(check_phase(c, 0));
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
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(c), c && u && product,
                          "couplings, u or product is NULL");
    SADDLE__TRY(check_phase(c, 1));
    int64_t n = c->map->n;
    if (stiffness && (stiffness->rows != n || stiffness->cols != n))
        return saddle__refuse(c, "a stiffness of %lld x %lld where there are %lld velocities",
                              (long long)stiffness->rows, (long long)stiffness->cols, (long long)n);
    saddle_map_push(c->map, u, c->velocity);
    for (int64_t i = 0; i < n; i++) c->change[i] = 0;
    if (stiffness) saddle_matrix_apply(stiffness, 1, c->velocity, 0, c->change);
    for (int64_t unit = 0; unit < c->map->units; unit++) {
        if (is_constant(c, unit)) continue;
        SADDLE__TRY(rate_unit(c, unit, c->position, c->velocity));
        pull_rate(c, unit, c->change);
    }
    saddle_map_pull(c->map, c->change, product);
    return SADDLE_OK;
}

/* ---- assembled ---- */

/* K += y (n) in column col, at the masters of a unit. */
static saddle_status add_column(const saddle_couplings *c, int64_t unit, int64_t col,
                                const double *y, saddle_matrix *K)
{
    const saddle_map *map = c->map;
    for (int64_t b = map->block_start[unit]; b < map->block_start[unit + 1]; b++) {
        int64_t row = map->first[map->master[b]];
        int64_t end = map->first[map->master[b] + 1];
        int64_t low = K->start[col];
        int64_t high = K->start[col + 1];
        while (low < high) { /* the first entry at or behind row; a component has all of its rows */
            int64_t middle = low + (high - low) / 2;
            if (K->index[middle] < row)
                low = middle + 1;
            else
                high = middle;
        }
        for (; row < end; row++, low++) {
            if (low >= K->start[col + 1] || K->index[low] != row)
                return saddle__refuse(c, "the stiffness matrix has no entry (%lld, %lld)",
                                      (long long)row + 1, (long long)col + 1);
            K->value[low] += y[row];
        }
    }
    return SADDLE_OK;
}

/* K += the part of a unit, column by column: each velocity of its masters is 1 in turn, the
 * unit's own velocities follow (and turn its axes). */
static saddle_status add_unit(saddle_couplings *c, int64_t unit, saddle_matrix *K)
{
    const saddle_map *map = c->map;
    int64_t rows = saddle__unit_rows(map, unit);
    double *own = c->velocity + map->first[map->component[unit]];
    const double *A = map->value + map->value_start[unit];
    saddle_status status = SADDLE_OK;
    for (int64_t b = map->block_start[unit]; b < map->block_start[unit + 1]; b++)
        for (int64_t j = map->first[map->master[b]];
             status == SADDLE_OK && j < map->first[map->master[b] + 1]; j++) {
            c->velocity[j] = 1;
            for (int64_t i = 0; i < rows; i++) own[i] = *A++;
            status = rate_unit(c, unit, c->position, c->velocity);
            c->velocity[j] = 0;
            for (int64_t i = 0; i < rows; i++) own[i] = 0;
            if (status != SADDLE_OK) return status;
            pull_rate(c, unit, c->change);
            status = add_column(c, unit, j, c->change, K);
            for (int64_t m = map->block_start[unit]; m < map->block_start[unit + 1]; m++)
                for (int64_t i = map->first[map->master[m]]; i < map->first[map->master[m] + 1];
                     i++)
                    c->change[i] = 0;
        }
    return status;
}

saddle_status saddle_couplings_stiffness_values(saddle_couplings *c, saddle_matrix *K)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(c), c && K, "couplings or K is NULL");
    SADDLE__TRY(check_phase(c, 1));
    if (K->rows != c->map->n || K->cols != c->map->n || K->symmetry != SADDLE_SYMMETRY_NONE ||
        !K->start)
        return saddle__refuse(c, "a stiffness matrix that was made from other couplings");
    for (int64_t e = 0; e < saddle_matrix_entries(K); e++) K->value[e] = 0;
    for (int64_t i = 0; i < c->map->n; i++) c->velocity[i] = c->change[i] = 0;
    for (int64_t unit = 0; unit < c->map->units; unit++)
        if (!is_constant(c, unit)) SADDLE__TRY(add_unit(c, unit, K));
    return SADDLE_OK;
}

/* Triplets of the pattern: all pairs of a coupling's masters' velocities. */
static int64_t list_pattern(const saddle_couplings *c, int64_t *row, int64_t *col)
{
    const saddle_map *map = c->map;
    int64_t count = 0;
    for (int64_t u = 0; u < map->units; u++) {
        if (is_constant(c, u)) continue;
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
    if (K) *K = (saddle_matrix){0};
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(c), c && K, "couplings or K is NULL");
    SADDLE__TRY(check_phase(c, 1));
    int64_t count = list_pattern(c, NULL, NULL);
    int64_t *row = saddle_allocate(c->context, count, sizeof *row);
    int64_t *col = saddle_allocate(c->context, count, sizeof *col);
    double *zero = saddle_allocate(c->context, count, sizeof *zero);
    saddle_status status = row && col && zero ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) {
        list_pattern(c, row, col);
        status = saddle_matrix_from_triplets(c->context, c->map->n, c->map->n, count, row, col,
                                             zero, SADDLE_SYMMETRY_NONE, K);
    }
    if (status == SADDLE_OK) status = saddle_couplings_stiffness_values(c, K);
    if (status != SADDLE_OK) saddle_matrix_clear(K);
    saddle__release_all(c->context, row, col, zero);
    return status;
}
