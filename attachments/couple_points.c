/* SPDX-License-Identifier: MIT */
/* Maps whose blocks do not change: a point among points or in an element (x = sum w_j x_j),
 * coordinates on coordinates (q = sum B_j q_j + q_0). */
#include "couplings.h"

/* ---- a point among points: data is w_j ---- */

static saddle_status place_mean(saddle_context *context, const saddle_coupling_site *site,
                                double *position)
{
    (void)context;
    const double *weight = site->data;
    for (int i = 0; i < 3; i++) position[i] = 0;
    for (int64_t j = 0; j < site->masters; j++)
        for (int i = 0; i < 3; i++) position[i] += weight[j] * site->position[j][i];
    return SADDLE_OK;
}

static saddle_status mean_blocks(saddle_context *context, const saddle_coupling_site *site,
                                 double *A)
{
    (void)context;
    const double *weight = site->data;
    for (int64_t j = 0; j < site->masters; j++)
        for (int i = 0; i < 3; i++) A[9 * j + 4 * i] = weight[j];
    return SADDLE_OK;
}

static const saddle_coupling_type point_on_points = {.name = "point on points",
                                                     .place = place_mean,
                                                     .blocks = mean_blocks};

saddle_status saddle_couplings_add_point_on_points(saddle_couplings *couplings, int64_t component,
                                                   int64_t count, const int64_t *masters,
                                                   const double *weights)
{
    saddle_context_clear_message(couplings ? couplings->context : NULL);
    if (!couplings || !weights)
        return saddle_fail(couplings ? couplings->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_couplings_add_point_on_points: couplings or weights is NULL");
    saddle_status status = saddle__couplings_expect(couplings, component, SADDLE_PARTICLE);
    if (status == SADDLE_OK)
        status = saddle__couplings_expect_all(couplings, component, count, masters,
                                              SADDLE_PARTICLE);
    if (status == SADDLE_OK)
        status = saddle__couplings_expect_weights(couplings, component, count, weights);
    if (status != SADDLE_OK) return status;
    return saddle_couplings_add(couplings, component, count, masters, &point_on_points, weights,
                                (size_t)count * sizeof *weights);
}

saddle_status saddle_couplings_add_point_in_element(saddle_couplings *couplings, int64_t component,
                                                    saddle_element_kind kind, const int64_t *nodes,
                                                    const double *rest, const double *point)
{
    saddle_context_clear_message(couplings ? couplings->context : NULL);
    if (!couplings || !rest || !point)
        return saddle_fail(
            couplings ? couplings->context : NULL, SADDLE_INVALID_ARGUMENT,
            "saddle_couplings_add_point_in_element: couplings, rest or point is NULL");
    double natural[3];
    double weight[SADDLE_ELEMENT_NODES_MAX];
    saddle_status status = saddle_element_natural(couplings->context, kind, rest, point, natural);
    if (status != SADDLE_OK) return status;
    saddle_element_shape(kind, natural, weight, NULL);
    return saddle_couplings_add_point_on_points(couplings, component, saddle_element_nodes(kind),
                                                nodes, weight);
}

/* ---- coordinates: data is B_j .., q_0 ---- */

static saddle_status place_coordinates(saddle_context *context, const saddle_coupling_site *site,
                                       double *position)
{
    (void)context;
    const double *B = site->data;
    for (int64_t i = 0; i < site->rows; i++) position[i] = 0;
    for (int64_t j = 0; j < site->masters; j++)
        for (int64_t c = 0; c < site->cols[j]; c++)
            for (int64_t i = 0; i < site->rows; i++) position[i] += *B++ * site->position[j][c];
    for (int64_t i = 0; i < site->rows; i++) position[i] += B[i];
    return SADDLE_OK;
}

static saddle_status coordinate_blocks(saddle_context *context, const saddle_coupling_site *site,
                                       double *A)
{
    (void)context;
    const double *B = site->data;
    for (int64_t j = 0; j < site->masters; j++)
        for (int64_t e = 0; e < site->rows * site->cols[j]; e++) *A++ = *B++;
    return SADDLE_OK;
}

static const saddle_coupling_type coordinates = {.name = "coordinates",
                                                 .place = place_coordinates,
                                                 .blocks = coordinate_blocks};

static int64_t coordinates_of(const saddle_couplings *couplings, int64_t id)
{
    return couplings->graph->component[saddle__component_find(couplings->graph, id)].size;
}

saddle_status saddle_couplings_add_coordinates(saddle_couplings *couplings, int64_t component,
                                               int64_t count, const int64_t *masters,
                                               const double *matrices, const double *offset)
{
    saddle_context_clear_message(couplings ? couplings->context : NULL);
    if (!couplings || (!matrices && count > 0))
        return saddle_fail(couplings ? couplings->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_couplings_add_coordinates: couplings or matrices is NULL");
    saddle_context *context = couplings->context;
    saddle_status status = saddle__couplings_expect(couplings, component, SADDLE_COORDINATES);
    if (status == SADDLE_OK)
        status = saddle__couplings_expect_all(couplings, component, count, masters,
                                              SADDLE_COORDINATES);
    if (status != SADDLE_OK) return status;
    int64_t rows = coordinates_of(couplings, component);
    int64_t entries = 0;
    for (int64_t j = 0; j < count; j++) entries += rows * coordinates_of(couplings, masters[j]);
    status = saddle__couplings_expect_finite(couplings, component, "matrix entry", matrices,
                                             entries);
    if (status == SADDLE_OK && offset)
        status = saddle__couplings_expect_finite(couplings, component, "offset", offset, rows);
    if (status != SADDLE_OK) return status;
    double *data = saddle_allocate(context, entries + rows, sizeof *data);
    if (!data) return SADDLE_OUT_OF_MEMORY;
    for (int64_t e = 0; e < entries; e++) data[e] = matrices[e];
    for (int64_t i = 0; offset && i < rows; i++) data[entries + i] = offset[i];
    status = saddle_couplings_add(couplings, component, count, masters, &coordinates, data,
                                  (size_t)(entries + rows) * sizeof *data);
    saddle_release(context, data);
    return status;
}
