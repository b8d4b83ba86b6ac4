/* SPDX-License-Identifier: MIT */
/* Ready-made couplings, from the simplest one; frames among points are in couple_cloud.c.
 *
 *     point on points   x = sum w_j x_j                 A_j = w_j I
 *     coordinates       q = sum B_j q_j + q_0           A_j = B_j
 *     point on frame    x = p + R c                     A = [R  -R[c]]        (Lloyd, 0.36)
 *     frame on frame    E = E_master T                  A = Ad_T
 *     body on joint     E = E_parent T,  T = E_before Q(q) E_after
 *                       phi = Ad_T phi_parent + Ad_after S dq/dt              (Sueda, 2.11)
 *                       d(Ad_T) = -ad(s) Ad_T,  s = Ad_after S dq/dt
 *                       d(Ad_after S) = Ad_after dS/dt                        (Sueda, 2.15 - 2.17)
 *
 * Ad_T takes a twist of the outer frame to the twist of a frame fixed in it at T, linear part
 * first.
 */
#include <math.h>
#include <string.h>

#include "couplings.h"
#include "joint_coordinates.h"
#include "space/space.h"

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
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(couplings), couplings && weights,
                          "couplings or weights is NULL");
    SADDLE__TRY(saddle__couplings_expect(couplings, component, SADDLE_COMPONENT_PARTICLE, count,
                                         masters, SADDLE_COMPONENT_PARTICLE));
    SADDLE__TRY(saddle__couplings_expect_weights(couplings, component, count, weights));
    return saddle_couplings_add(couplings, component, count, masters, &point_on_points, weights,
                                (size_t)count * sizeof *weights);
}

saddle_status saddle_couplings_add_point_in_element(saddle_couplings *couplings, int64_t component,
                                                    saddle_element_kind kind, const int64_t *nodes,
                                                    const double *rest, const double *point)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(couplings), couplings && rest && point,
                          "couplings, rest or point is NULL");
    double natural[3], weight[SADDLE_ELEMENT_NODES_MAX];
    SADDLE__TRY(saddle_element_natural(couplings->context, kind, rest, point, natural));
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

static const saddle_coupling_type coordinates_on_coordinates = {.name = "coordinates",
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
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(couplings), couplings && (matrices || count <= 0),
                          "couplings or matrices is NULL");
    saddle_context *context = couplings->context;
    SADDLE__TRY(saddle__couplings_expect(couplings, component, SADDLE_COMPONENT_COORDINATES, count,
                                         masters, SADDLE_COMPONENT_COORDINATES));
    int64_t rows = coordinates_of(couplings, component);
    int64_t entries = 0;
    for (int64_t j = 0; j < count; j++) entries += rows * coordinates_of(couplings, masters[j]);
    SADDLE__TRY(
        saddle__couplings_expect_finite(couplings, component, "matrix entry", matrices, entries));
    if (offset)
        SADDLE__TRY(saddle__couplings_expect_finite(couplings, component, "offset", offset, rows));
    double *data = saddle_allocate(context, entries + rows, sizeof *data);
    if (!data) return SADDLE_OUT_OF_MEMORY;
    for (int64_t e = 0; e < entries; e++) data[e] = matrices[e];
    for (int64_t i = 0; offset && i < rows; i++) data[entries + i] = offset[i];
    const saddle_status status = saddle_couplings_add(couplings, component, count, masters,
                                                      &coordinates_on_coordinates, data,
                                                      (size_t)(entries + rows) * sizeof *data);
    saddle_release(context, data);
    return status;
}

/* ---- a point on a frame: data is c ---- */

static saddle_status place_point(saddle_context *context, const saddle_coupling_site *site,
                                 double *position)
{
    (void)context;
    saddle_pose frame = saddle__pose_at(site->position[0]);
    saddle__rotate(frame.R, site->data, position);
    for (int i = 0; i < 3; i++) position[i] += frame.p[i];
    return SADDLE_OK;
}

/* A = [R  -R[c]] */
static saddle_status point_blocks(saddle_context *context, const saddle_coupling_site *site,
                                  double *A)
{
    (void)context;
    saddle_pose frame = saddle__pose_at(site->position[0]);
    double arm[9];
    saddle__skew(site->data, arm);
    saddle__product3(frame.R, arm, arm);
    for (int i = 0; i < 9; i++) {
        A[i] = frame.R[i];
        A[i + 9] = -arm[i];
    }
    return SADDLE_OK;
}

/* dA = [R[omega]  -R[omega][c]] (Sueda, 2.84) */
static saddle_status point_rate(saddle_context *context, const saddle_coupling_site *site,
                                double *dA)
{
    (void)context;
    saddle_pose frame = saddle__pose_at(site->position[0]);
    double arm[9], turning[9];
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
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(couplings), couplings && point,
                          "couplings or point is NULL");
    SADDLE__TRY(saddle__couplings_expect(couplings, component, SADDLE_COMPONENT_PARTICLE, 1,
                                         &master, SADDLE_COMPONENT_FRAME));
    SADDLE__TRY(saddle__couplings_expect_finite(couplings, component, "point", point, 3));
    return saddle_couplings_add(couplings, component, 1, &master, &point_on_frame, point,
                                3 * sizeof *point);
}

/* ---- a frame on a frame: data is T ---- */

static saddle_status place_frame(saddle_context *context, const saddle_coupling_site *site,
                                 double *position)
{
    (void)context;
    saddle_pose master = saddle__pose_at(site->position[0]);
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
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(couplings), couplings && relative,
                          "couplings or relative is NULL");
    SADDLE__TRY(saddle__couplings_expect(couplings, component, SADDLE_COMPONENT_FRAME, 1, &master,
                                         SADDLE_COMPONENT_FRAME));
    SADDLE__TRY(saddle__couplings_expect_pose(couplings, component, relative));
    return saddle_couplings_add(couplings, component, 1, &master, &frame_on_frame, relative,
                                sizeof *relative);
}

/* ---- a body on a joint: data is the saddle_motion ---- */

enum { K = SADDLE_JOINT_COORDINATES_MAX };

static saddle_status fail_range(saddle_context *context)
{
    return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                       "its joint's coordinates are out of range");
}

static saddle_status evaluate(saddle_context *context, const saddle_coupling_site *site,
                              saddle_pose *relative, double *motion)
{
    const double *q = site->position[site->masters - 1];
    return saddle__joint_place(site->data, q, relative, motion) == 0 ? SADDLE_OK
                                                                     : fail_range(context);
}

static saddle_status place_body(saddle_context *context, const saddle_coupling_site *site,
                                double *position)
{
    saddle_pose relative;
    double motion[6 * K];
    SADDLE__TRY(evaluate(context, site, &relative, motion));
    if (site->masters > 1) {
        saddle_pose parent = saddle__pose_at(site->position[0]);
        relative = saddle_pose_multiply(&parent, &relative);
    }
    memcpy(position, &relative, sizeof relative);
    return SADDLE_OK;
}

static saddle_status body_blocks(saddle_context *context, const saddle_coupling_site *site,
                                 double *A)
{
    saddle_pose relative;
    const int64_t parent = site->masters > 1 ? 36 : 0;
    SADDLE__TRY(evaluate(context, site, &relative, A + parent));
    if (parent > 0) saddle_pose_adjoint_inverse(&relative, A);
    return SADDLE_OK;
}

static saddle_status body_rate(saddle_context *context, const saddle_coupling_site *site,
                               double *dA)
{
    const saddle_motion *joint = site->data;
    const double *q = site->position[site->masters - 1];
    const double *dq = site->velocity[site->masters - 1];
    const int64_t parent = site->masters > 1 ? 36 : 0;
    if (parent > 0) {
        saddle_pose relative;
        double motion[6 * K];
        double back[6] = {0};
        double A[36];
        SADDLE__TRY(evaluate(context, site, &relative, motion));
        for (int64_t j = 0; j < joint->size; j++)
            for (int i = 0; i < 6; i++) back[i] -= motion[i + 6 * j] * dq[j];
        saddle_pose_adjoint_inverse(&relative, A);
        for (int j = 0; j < 6; j++) saddle_twist_cross(back, A + 6 * j, dA + 6 * j);
    }
    if (saddle__joint_rate(joint, q, dq, dA + parent) != 0) return fail_range(context);
    return SADDLE_OK;
}

static const saddle_coupling_type body_on_joint = {.name = "body on joint",
                                                   .place = place_body,
                                                   .blocks = body_blocks,
                                                   .rate = body_rate};

static saddle_status check_joint(const saddle_couplings *couplings, int64_t component,
                                 const int64_t *parent, int64_t coordinates,
                                 const saddle_motion *joint)
{
    SADDLE__TRY(saddle__couplings_expect(couplings, component, SADDLE_COMPONENT_FRAME, 1,
                                         &coordinates, SADDLE_COMPONENT_COORDINATES));
    if (parent)
        SADDLE__TRY(saddle__couplings_expect(couplings, component, SADDLE_COMPONENT_FRAME, 1,
                                             parent, SADDLE_COMPONENT_FRAME));
    SADDLE__TRY(saddle__couplings_expect_pose(couplings, component, &joint->before));
    SADDLE__TRY(saddle__couplings_expect_pose(couplings, component, &joint->after));
    const saddle_attachments *graph = couplings->graph;
    const char *name = saddle__couplings_name(couplings, component);
    const saddle__component *q = &graph->component[saddle__component_find(graph, coordinates)];
    if (joint->size > 0 && !joint->evaluate)
        return saddle__refuse(couplings, "attachment of %s: its joint has no evaluate", name);
    if (joint->size >= 0 && joint->size <= K && joint->size == q->size) return SADDLE_OK;
    return saddle__refuse(
        couplings,
        "attachment of %s: a joint of %lld coordinates, 0 to %d are possible, %s has %lld", name,
        (long long)joint->size, (int)K, q->name, (long long)q->size);
}

saddle_status saddle_couplings_add_body_on_joint(saddle_couplings *couplings, int64_t component,
                                                 const int64_t *parent, int64_t coordinates,
                                                 const saddle_motion *joint)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(couplings), couplings && joint,
                          "couplings or joint is NULL");
    SADDLE__TRY(check_joint(couplings, component, parent, coordinates, joint));
    const int64_t masters[2] = {parent ? *parent : coordinates, coordinates};
    return saddle_couplings_add(couplings, component, parent ? 2 : 1, masters, &body_on_joint,
                                joint, sizeof *joint);
}
