/* SPDX-License-Identifier: MIT */
/* Maps from a frame: a point on it (seed 000, 0.36; seed 003, 2.83), another frame on it. */
#include <string.h>

#include "couplings.h"
#include "space/space.h"

static saddle_pose pose_at(const double *position)
{
    saddle_pose pose;
    memcpy(&pose, position, sizeof pose);
    return pose;
}

/* ---- a point on a frame: data is c ---- */

static saddle_status place_point(saddle_context *context, const saddle_coupling_site *site,
                                 double *position)
{
    (void)context;
    saddle_pose frame = pose_at(site->position[0]);
    saddle__rotate(frame.R, site->data, position);
    for (int i = 0; i < 3; i++) position[i] += frame.p[i];
    return SADDLE_OK;
}

/* A = [R  -R[c]] */
static saddle_status point_blocks(saddle_context *context, const saddle_coupling_site *site,
                                  double *A)
{
    (void)context;
    saddle_pose frame = pose_at(site->position[0]);
    double arm[9];
    saddle__skew(site->data, arm);
    saddle__product3(frame.R, arm, arm);
    for (int i = 0; i < 9; i++) {
        A[i] = frame.R[i];
        A[i + 9] = -arm[i];
    }
    return SADDLE_OK;
}

/* dA = [R[omega]  -R[omega][c]] (seed 003, 2.84) */
static saddle_status point_rate(saddle_context *context, const saddle_coupling_site *site,
                                double *dA)
{
    (void)context;
    saddle_pose frame = pose_at(site->position[0]);
    double arm[9];
    double turning[9];
    saddle__skew(site->data, arm);
    saddle__skew(site->velocity[0] + 3, turning);
    saddle__product3(frame.R, turning, turning);
    saddle__product3(turning, arm, arm);
    for (int i = 0; i < 9; i++) {
        dA[i] = turning[i];
        dA[i + 9] = -arm[i];
    }
    return SADDLE_OK;
}

static const saddle_coupling_type point_on_frame = {.name = "point on frame",
                                                    .place = place_point,
                                                    .blocks = point_blocks,
                                                    .rate = point_rate};

saddle_status saddle_couplings_add_point_on_frame(saddle_couplings *couplings, int64_t component,
                                                  int64_t master, const double *point)
{
    saddle_context_clear_message(couplings ? couplings->context : NULL);
    if (!couplings || !point)
        return saddle_fail(couplings ? couplings->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_couplings_add_point_on_frame: couplings or point is NULL");
    saddle_status status = saddle__couplings_expect(couplings, component, SADDLE_PARTICLE);
    if (status == SADDLE_OK) status = saddle__couplings_expect(couplings, master, SADDLE_FRAME);
    if (status == SADDLE_OK)
        status = saddle__couplings_expect_finite(couplings, component, "point", point, 3);
    if (status != SADDLE_OK) return status;
    return saddle_couplings_add(couplings, component, 1, &master, &point_on_frame, point,
                                3 * sizeof *point);
}

/* ---- a frame on a frame: data is T ---- */

static saddle_status place_frame(saddle_context *context, const saddle_coupling_site *site,
                                 double *position)
{
    (void)context;
    saddle_pose master = pose_at(site->position[0]);
    saddle_pose own = saddle_pose_multiply(&master, site->data);
    memcpy(position, &own, sizeof own);
    return SADDLE_OK;
}

static saddle_status frame_blocks(saddle_context *context, const saddle_coupling_site *site,
                                  double *A)
{
    (void)context;
    saddle_pose_adjoint_inverse(site->data, A);
    return SADDLE_OK;
}

static const saddle_coupling_type frame_on_frame = {.name = "frame on frame",
                                                    .place = place_frame,
                                                    .blocks = frame_blocks};

saddle_status saddle_couplings_add_frame_on_frame(saddle_couplings *couplings, int64_t component,
                                                  int64_t master, const saddle_pose *relative)
{
    saddle_context_clear_message(couplings ? couplings->context : NULL);
    if (!couplings || !relative)
        return saddle_fail(couplings ? couplings->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_couplings_add_frame_on_frame: couplings or relative is NULL");
    saddle_status status = saddle__couplings_expect(couplings, component, SADDLE_FRAME);
    if (status == SADDLE_OK) status = saddle__couplings_expect(couplings, master, SADDLE_FRAME);
    if (status == SADDLE_OK) status = saddle__couplings_expect_pose(couplings, component, relative);
    if (status != SADDLE_OK) return status;
    return saddle_couplings_add(couplings, component, 1, &master, &frame_on_frame, relative,
                                sizeof *relative);
}
