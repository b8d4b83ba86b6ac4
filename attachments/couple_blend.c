/* SPDX-License-Identifier: MIT */
/* A point on several frames and points, blended by weights (linear blend skinning).
 *
 *     x = sum w_j y_j     y_j = x_j of a particle,  p_j + R_j c_j of a frame
 *     A_j = w_j I  or  w_j [R_j  -R_j[c_j]],     dA_j = 0  or  w_j [R_j[omega]  -R_j[omega][c_j]]
 */
#include <string.h>

#include "couplings.h"
#include "space/space.h"

/* data: w and c (3) of each master */

static void turned_block(const double *R, const double *c, double weight, double *A)
{
    double arm[9];
    saddle__skew(c, arm);
    saddle__product3(R, arm, arm);
    for (int i = 0; i < 9; i++) {
        A[i] = weight * R[i];
        A[i + 9] = -weight * arm[i];
    }
}

static saddle_status place(saddle_context *context, const saddle_coupling_site *site,
                           double *position)
{
    (void)context;
    const double *data = site->data;
    for (int i = 0; i < 3; i++) position[i] = 0;
    for (int64_t j = 0; j < site->masters; j++, data += 4) {
        double x[3] = {site->position[j][0], site->position[j][1], site->position[j][2]};
        if (site->cols[j] == 6) {
            const saddle_pose frame = saddle__pose_at(site->position[j]);
            saddle__rotate(frame.R, data + 1, x);
            for (int i = 0; i < 3; i++) x[i] += frame.p[i];
        }
        for (int i = 0; i < 3; i++) position[i] += data[0] * x[i];
    }
    return SADDLE_OK;
}

static saddle_status blocks(saddle_context *context, const saddle_coupling_site *site, double *A)
{
    (void)context;
    const double *data = site->data;
    for (int64_t j = 0; j < site->masters; A += 3 * site->cols[j], j++, data += 4) {
        if (site->cols[j] == 6)
            turned_block(saddle__pose_at(site->position[j]).R, data + 1, data[0], A);
        else
            for (int i = 0; i < 3; i++) A[4 * i] = data[0];
    }
    return SADDLE_OK;
}

static saddle_status rate(saddle_context *context, const saddle_coupling_site *site, double *dA)
{
    (void)context;
    const double *data = site->data;
    for (int64_t j = 0; j < site->masters; dA += 3 * site->cols[j], j++, data += 4) {
        double turning[9];
        if (site->cols[j] != 6) continue;
        saddle__skew(site->velocity[j] + 3, turning);
        saddle__product3(saddle__pose_at(site->position[j]).R, turning, turning);
        turned_block(turning, data + 1, data[0], dA);
    }
    return SADDLE_OK;
}

static const saddle_coupling_type blend = {.name = "point on masters",
                                           .place = place,
                                           .blocks = blocks,
                                           .rate = rate};

/* 1: all masters are particles. */
static int are_points(const saddle_couplings *couplings, int64_t count, const int64_t *masters)
{
    for (int64_t j = 0; j < count; j++) {
        const int64_t index = saddle__component_find(couplings->graph, masters[j]);
        if (index < 0 || couplings->graph->component[index].kind != SADDLE_COMPONENT_PARTICLE)
            return 0;
    }
    return 1;
}

saddle_status saddle_couplings_add_point(saddle_couplings *couplings, int64_t component,
                                         int64_t count, const int64_t *masters,
                                         const double *weighted)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(couplings),
                          couplings && weighted && (masters || count < 1),
                          "couplings, masters or weighted is NULL");
    double *weight = saddle_allocate(couplings->context, count > 0 ? count : 0, sizeof *weight);
    if (!weight) return SADDLE_OUT_OF_MEMORY;
    for (int64_t j = 0; j < count; j++) weight[j] = weighted[4 * j];
    saddle_status status = SADDLE_OK;
    if (count < 1 || are_points(couplings, count, masters)) {
        status = saddle_couplings_add_point_on_points(couplings, component, count, masters, weight);
        saddle_release(couplings->context, weight);
        return status;
    }
    for (int64_t j = 0; j < count && status == SADDLE_OK; j++) {
        const int64_t index = saddle__component_find(couplings->graph, masters[j]);
        const int is_frame = index >= 0 &&
                             couplings->graph->component[index].kind == SADDLE_COMPONENT_FRAME;
        status = saddle__couplings_expect(couplings, component, SADDLE_COMPONENT_PARTICLE, 1,
                                          masters + j,
                                          is_frame ? SADDLE_COMPONENT_FRAME
                                                   : SADDLE_COMPONENT_PARTICLE);
    }
    if (status == SADDLE_OK)
        status = saddle__couplings_expect_weights(couplings, component, count, weight);
    saddle_release(couplings->context, weight);
    if (status == SADDLE_OK)
        status = saddle__couplings_expect_finite(couplings, component, "number", weighted,
                                                 4 * count);
    if (status != SADDLE_OK) return status;
    return saddle_couplings_add(couplings, component, count, masters, &blend, weighted,
                                (size_t)(4 * count) * sizeof *weighted);
}
