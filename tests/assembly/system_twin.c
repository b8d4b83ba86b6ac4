/* SPDX-License-Identifier: MIT */
/* See system_twin.h. */
#include "system_twin.h"

#include <math.h>
#include <string.h>

#include "space/space.h"

static const double step = 1e-5;

void twin_dense(const saddle_matrix *A, double *dense)
{
    memset(dense, 0, (size_t)(A->rows * A->cols) * sizeof *dense);
    for (int64_t j = 0; j < A->cols; j++) {
        for (int64_t e = A->start[j]; e < A->start[j + 1]; e++) {
            dense[A->index[e] + A->rows * j] = A->value[e];
            if (A->symmetry == SADDLE_SYMMETRY_LOWER)
                dense[j + A->rows * A->index[e]] = A->value[e];
        }
    }
}

/* ---- M ---- */

static double kinetic(const system_twin *twin, int64_t i, int64_t j)
{
    double v[TWIN_N] = {0};
    v[i] += 1;
    if (j >= 0) v[j] += 1;
    saddle_assembly_set_velocity(twin->assembly, v);
    return saddle_model_energies(twin->drawn->model).kinetic;
}

void twin_mass(const system_twin *twin, double *M)
{
    drawn_state state;
    drawn_keep(twin->drawn, &state);
    for (int64_t i = 0; i < twin->n; i++) {
        for (int64_t j = 0; j < twin->n; j++) {
            const double both = kinetic(twin, i, j);
            M[i + twin->n * j] = both - kinetic(twin, i, -1) - kinetic(twin, j, -1);
        }
    }
    drawn_restore(twin->drawn, &state);
}

/* ---- rows ---- */

void twin_phi(const system_twin *twin, double *phi)
{
    for (int64_t k = 0; k < twin->drawn->constraints; k++) {
        const saddle_handle constraint = twin->drawn->constraint[k];
        assert_int_equal(saddle_model_constraint_evaluate(twin->drawn->model, constraint, phi, NULL,
                                                          NULL),
                         SADDLE_OK);
        phi += saddle_model_constraint_rows(twin->drawn->model, constraint);
    }
}

/* value (count) <- (value(q + step v) - value(q - step v))/(2 step).  still: 1 = prescribed parts
 * do not move. */
static void along(const system_twin *twin, const double *v, int still, twin_vector *value,
                  int64_t count, double *rate)
{
    double forth[TWIN_M + TWIN_N], back[TWIN_M + TWIN_N];
    drawn_state state, moved;
    drawn_keep(twin->drawn, &state);
    for (int side = 0; side < 2; side++) {
        saddle_assembly_move(twin->assembly, side ? -step : step, v,
                             SADDLE_ROTATION_UPDATE_EXPONENTIAL);
        drawn_keep(twin->drawn, &moved);
        for (int64_t k = 0; still && k < twin->drawn->parts; k++) {
            if (twin->drawn->prescribed[k])
                memcpy(moved.position[k], state.position[k], sizeof moved.position[k]);
        }
        drawn_restore(twin->drawn, &moved);
        value(twin, side ? back : forth);
        drawn_restore(twin->drawn, &state);
    }
    for (int64_t i = 0; i < count; i++) rate[i] = (forth[i] - back[i]) / (2 * step);
}

void twin_rows(const system_twin *twin, double *J, double *given, double *phi_t)
{
    double v[TWIN_N] = {0}, column[TWIN_M], later[TWIN_M];
    for (int64_t j = 0; j < twin->n; j++) {
        v[j] = 1;
        along(twin, v, 1, twin_phi, twin->m, column);
        for (int64_t i = 0; i < twin->m; i++) J[i * twin->n + j] = column[i];
        v[j] = 0;
    }
    along(twin, v, 0, twin_phi, twin->m, given);
    const double now = saddle_model_time(twin->drawn->model);
    saddle_model_set_time(twin->drawn->model, now + 1);
    twin_phi(twin, later);
    saddle_model_set_time(twin->drawn->model, now);
    twin_phi(twin, phi_t);
    for (int64_t i = 0; i < twin->m; i++) phi_t[i] = later[i] - phi_t[i]; /* linear in time */
}

/* ---- forces ---- */

static void potential(const system_twin *twin, double *value)
{
    const saddle_energies all = saddle_model_energies(twin->drawn->model);
    *value = all.gravity + all.elastic;
}

/* s of the drawn forces, in order. */
static void sums(const system_twin *twin, double *value)
{
    const drawn_model *drawn = twin->drawn;
    for (int64_t k = 0; k < drawn->forces; k++) {
        const double *position[DRAWN_ANCHORS];
        static const double ground[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
        int64_t size[DRAWN_ANCHORS];
        for (int64_t a = 0; a < drawn->anchors[k]; a++) {
            const saddle_anchor *anchor = &drawn->anchor[k][a];
            const double *x = saddle_model_position(drawn->model, anchor->part);
            position[a] = x == NULL ? ground : x + 3 * anchor->node;
            size[a] = x == NULL || anchor->part.item == SADDLE_ITEM_BODY ? 6 : 3;
        }
        const saddle_site site = {.count = drawn->anchors[k], .size = size, .position = position};
        const drawn_force *data = saddle_model_force_data(drawn->model, drawn->force[k]);
        value[k] = drawn_sum_value(&site, &data->sum);
    }
}

/* -(a M + b K) v of nodes, from their definitions. */
static void damp_nodes(const system_twin *twin, const double *M, double *F)
{
    const drawn_model *drawn = twin->drawn;
    for (int64_t k = 0; k < drawn->parts; k++) {
        const int64_t first = saddle_assembly_column(twin->assembly, drawn->part[k]);
        if (drawn->part[k].item != SADDLE_ITEM_NODES || first < 0) continue;
        const int64_t size = 3 * saddle_model_node_count(drawn->model, drawn->part[k]);
        const double *v = saddle_model_velocity(drawn->model, drawn->part[k]);
        for (int64_t i = 0; i < size; i++) {
            for (int64_t j = 0; j < size; j++) {
                const double K = saddle_matrix_entry(&drawn->stiffness[k], i, j);
                F[first + i] -= (drawn->damping_mass[k] * M[first + i + twin->n * (first + j)] +
                                 drawn->damping_stiffness[k] * K) *
                                v[j];
            }
        }
    }
}

void twin_force(const system_twin *twin, double *F)
{
    double v[TWIN_N], unit[TWIN_N] = {0}, rate[DRAWN_ITEMS], slope[DRAWN_ITEMS], M[TWIN_N * TWIN_N];
    saddle_assembly_get_velocity(twin->assembly, v);
    along(twin, v, 0, sums, twin->drawn->forces, rate);
    twin_mass(twin, M);
    for (int64_t i = 0; i < twin->n; i++) {
        unit[i] = 1;
        along(twin, unit, 1, potential, 1, &F[i]);
        F[i] = -F[i];
        along(twin, unit, 1, sums, twin->drawn->forces, slope);
        for (int64_t k = 0; k < twin->drawn->forces; k++) {
            const drawn_force *data = saddle_model_force_data(twin->drawn->model,
                                                              twin->drawn->force[k]);
            F[i] -= data->d * rate[k] * slope[k];
        }
        unit[i] = 0;
    }
    damp_nodes(twin, M, F);
}

/* Momenta of bodies in their own axes, as they must become where the pose moves and no force acts:
 * those of the world stay. */
static void turned_momenta(const system_twin *twin, const drawn_state *before, const double *P,
                           double *value)
{
    memset(value, 0, (size_t)twin->n * sizeof *value);
    for (int64_t k = 0; k < twin->drawn->parts; k++) {
        const int64_t c = saddle_assembly_column(twin->assembly, twin->drawn->part[k]);
        if (c < 0 || twin->drawn->part[k].item != SADDLE_ITEM_BODY) continue;
        const double *x = before->position[k],
                     *y = saddle_model_position(twin->drawn->model, twin->drawn->part[k]);
        double p[3], L[3], arm[3], difference[3];
        saddle__rotate(x + 3, P + c, p);
        saddle__rotate(x + 3, P + c + 3, L);
        for (int i = 0; i < 3; i++) difference[i] = x[i] - y[i];
        saddle__cross(difference, p, arm);
        for (int i = 0; i < 3; i++) L[i] += arm[i];
        saddle__unrotate(y + 3, p, value + c);
        saddle__unrotate(y + 3, L, value + c + 3);
    }
}

void twin_gyroscopic(const system_twin *twin, double *G)
{
    double v[TWIN_N], M[TWIN_N * TWIN_N], P[TWIN_N] = {0}, value[2][TWIN_N];
    drawn_state state;
    saddle_assembly_get_velocity(twin->assembly, v);
    twin_mass(twin, M);
    for (int64_t j = 0; j < twin->n; j++) {
        for (int64_t i = 0; i < twin->n; i++) P[i] += M[i + twin->n * j] * v[j];
    }
    drawn_keep(twin->drawn, &state);
    for (int side = 0; side < 2; side++) {
        saddle_assembly_move(twin->assembly, side ? -step : step, v,
                             SADDLE_ROTATION_UPDATE_EXPONENTIAL);
        turned_momenta(twin, &state, P, value[side]);
        drawn_restore(twin->drawn, &state);
    }
    for (int64_t i = 0; i < twin->n; i++) G[i] = (value[0][i] - value[1][i]) / (2 * step);
}

void twin_jacobians(const system_twin *twin, twin_vector *force, double *K, double *D)
{
    double v[TWIN_N], unit[TWIN_N] = {0}, forth[TWIN_N], back[TWIN_N];
    drawn_state state;
    drawn_keep(twin->drawn, &state);
    for (int64_t j = 0; j < twin->n; j++) {
        unit[j] = 1;
        along(twin, unit, 1, force, twin->n, K + twin->n * j);
        unit[j] = 0;
        for (int side = 0; side < 2; side++) {
            saddle_assembly_get_velocity(twin->assembly, v);
            v[j] += side ? -step : step;
            saddle_assembly_set_velocity(twin->assembly, v);
            force(twin, side ? back : forth);
            drawn_restore(twin->drawn, &state);
        }
        for (int64_t i = 0; i < twin->n; i++)
            D[i + twin->n * j] = (forth[i] - back[i]) / (2 * step);
    }
}
