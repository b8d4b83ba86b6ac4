/* SPDX-License-Identifier: MIT */
/* A frame among points: its origin is their mean, its rotation the polar factor of their motion.
 *
 *     p = sum w_j x_j,   F = sum x_j g_j' = R S,  sum g_j = 0          then a frame fixed in (p, R)
 *
 *     nu = R' sum w_j v_j
 *     omega = G sum g_j x (R'v_j),   G = (tr(S) I - S)^-1
 *     dG = -G (tr(dS) I - dS) G,     dS = R'F' - [omega] S
 *
 * omega follows from (tr(S) I - S) omega = axial(R'F' - F''R), F' = sum v_j g_j',
 * y g' - g y' = [g x y].
 *
 * With g_j = w_j (X_j - mean X) R is the rotation of the least-squares fit of the points X_j to
 * x_j; with g_j = dN_j/dX, F is an element's deformation gradient.
 */
#include <string.h>

#include "couplings.h"
#include "space/space.h"

/* data: own pose in (p, R), then w (masters), then g (3 x masters) */
typedef struct cloud {
    saddle_pose own;
    const double *weight;
    const double *g;
} cloud;

enum { POSE = sizeof(saddle_pose) / sizeof(double) };

static cloud cloud_of(const saddle_coupling_site *site)
{
    const double *data = site->data;
    cloud c = {.weight = data + POSE, .g = data + POSE + site->masters};
    memcpy(&c.own, data, sizeof c.own);
    return c;
}

/* sum y_j g_j' */
static void outer_sum(const cloud *c, int64_t count, const double *const *y, double *F)
{
    for (int i = 0; i < 9; i++) F[i] = 0;
    for (int64_t j = 0; j < count; j++)
        for (int i = 0; i < 9; i++) F[i] += y[j][i % 3] * c->g[3 * j + i / 3];
}

static saddle_status decompose(saddle_context *context, const saddle_coupling_site *site,
                               const cloud *c, saddle__polar *polar)
{
    double F[9];
    outer_sum(c, site->masters, site->position, F);
    if (saddle__polar_decompose(F, polar)) return SADDLE_OK;
    return saddle_fail(context, SADDLE_SINGULAR,
                       "the points it follows give no rotation: they lie on a line");
}

static saddle_status place(saddle_context *context, const saddle_coupling_site *site,
                           double *position)
{
    cloud c = cloud_of(site);
    saddle__polar polar;
    saddle_pose mean = {.p = {0}};
    SADDLE__TRY(decompose(context, site, &c, &polar));
    memcpy(mean.R, polar.R, sizeof mean.R);
    for (int64_t j = 0; j < site->masters; j++)
        for (int i = 0; i < 3; i++) mean.p[i] += c.weight[j] * site->position[j][i];
    saddle_pose own = saddle_pose_multiply(&mean, &c.own);
    memcpy(position, &own, sizeof own);
    return SADDLE_OK;
}

/* A (6 x 3) = fixed (6 x 6) [linear; angular], each 3 x 3 */
static void stack(const double *fixed, const double *linear, const double *angular, double *A)
{
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 6; i++) {
            A[i + 6 * j] = 0;
            for (int k = 0; k < 3; k++)
                A[i + 6 * j] += fixed[i + 6 * k] * linear[k + 3 * j] +
                                fixed[i + 6 * (k + 3)] * angular[k + 3 * j];
        }
}

static saddle_status blocks(saddle_context *context, const saddle_coupling_site *site, double *A)
{
    cloud c = cloud_of(site);
    saddle__polar polar;
    SADDLE__TRY(decompose(context, site, &c, &polar));
    double fixed[36], turn[9];
    saddle_pose_adjoint_inverse(&c.own, fixed);
    saddle__transpose3(polar.R, turn);
    for (int64_t j = 0; j < site->masters; j++) {
        double linear[9];
        double angular[9]; /* G [g_j] R' */
        for (int i = 0; i < 9; i++) linear[i] = c.weight[j] * turn[i];
        saddle__skew(c.g + 3 * j, angular);
        saddle__product3(angular, turn, angular);
        saddle__product3(polar.G, angular, angular);
        stack(fixed, linear, angular, A + 18 * j);
    }
    return SADDLE_OK;
}

static saddle_status rate(saddle_context *context, const saddle_coupling_site *site, double *dA)
{
    cloud c = cloud_of(site);
    saddle__polar polar;
    SADDLE__TRY(decompose(context, site, &c, &polar));
    double dF[9], dG[9], turn[9], dturn[9], fixed[36];
    outer_sum(&c, site->masters, site->velocity, dF);
    saddle__polar_rates(&polar, dF, dG, dturn);
    saddle_pose_adjoint_inverse(&c.own, fixed);
    saddle__transpose3(polar.R, turn);
    for (int64_t j = 0; j < site->masters; j++) {
        double linear[9];
        double first[9]; /* dG [g] R' + G [g] dR' */
        double second[9];
        for (int i = 0; i < 9; i++) linear[i] = c.weight[j] * dturn[i];
        saddle__skew(c.g + 3 * j, second);
        saddle__product3(second, turn, first);
        saddle__product3(dG, first, first);
        saddle__product3(second, dturn, second);
        saddle__product3(polar.G, second, second);
        for (int i = 0; i < 9; i++) first[i] += second[i];
        stack(fixed, linear, first, dA + 18 * j);
    }
    return SADDLE_OK;
}

static const saddle_coupling_type frame_on_points = {.name = "frame on points",
                                                     .place = place,
                                                     .blocks = blocks,
                                                     .rate = rate};

/* ---- adding ---- */

/* data: w and g are set; own is computed as pose in the (p, R) of the points at rest. */
static saddle_status add(saddle_couplings *couplings, int64_t component, int64_t count,
                         const int64_t *masters, const double *rest, const saddle_pose *pose,
                         double *data)
{
    const double **at = saddle_allocate(couplings->context, count, sizeof *at);
    if (!at) return SADDLE_OUT_OF_MEMORY;
    for (int64_t j = 0; j < count; j++) at[j] = rest + 3 * j;
    const saddle_coupling_site site = {.data = data, .rows = 6, .masters = count, .position = at};
    saddle_pose own = saddle_pose_identity();
    saddle_pose mean;
    memcpy(data, &own, sizeof own);
    saddle_status status = place(couplings->context, &site, (double *)&mean);
    saddle_release(couplings->context, at);
    if (status != SADDLE_OK)
        return saddle_fail(couplings->context, status, "attachment of %s: its points lie on a line",
                           saddle__couplings_name(couplings, component));
    own = saddle_pose_between(&mean, pose);
    memcpy(data, &own, sizeof own);
    return saddle_couplings_add(couplings, component, count, masters, &frame_on_points, data,
                                (size_t)(POSE + 4 * count) * sizeof *data);
}

static saddle_status check(const saddle_couplings *couplings, int64_t component, int64_t count,
                           const int64_t *masters, const double *rest, const saddle_pose *pose)
{
    SADDLE__TRY(saddle__couplings_expect(couplings, component, SADDLE_COMPONENT_FRAME, count,
                                         masters, SADDLE_COMPONENT_PARTICLE));
    SADDLE__TRY(saddle__couplings_expect_finite(couplings, component, "rest", rest, 3 * count));
    return saddle__couplings_expect_pose(couplings, component, pose);
}

saddle_status saddle_couplings_add_frame_on_points(saddle_couplings *couplings, int64_t component,
                                                   int64_t count, const int64_t *masters,
                                                   const double *rest, const double *weights,
                                                   const saddle_pose *pose)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(couplings), couplings && rest && weights && pose,
                          "couplings, rest, weights or pose is NULL");
    SADDLE__TRY(check(couplings, component, count, masters, rest, pose));
    SADDLE__TRY(saddle__couplings_expect_weights(couplings, component, count, weights));
    double *data = saddle_allocate(couplings->context, POSE + 4 * count, sizeof *data);
    if (!data) return SADDLE_OUT_OF_MEMORY;
    double *g = data + POSE + count;
    double mean[3] = {0};
    for (int64_t j = 0; j < count; j++)
        for (int i = 0; i < 3; i++) mean[i] += weights[j] * rest[3 * j + i];
    for (int64_t j = 0; j < count; j++) {
        data[POSE + j] = weights[j];
        for (int i = 0; i < 3; i++) g[3 * j + i] = weights[j] * (rest[3 * j + i] - mean[i]);
    }
    const saddle_status status = add(couplings, component, count, masters, rest, pose, data);
    saddle_release(couplings->context, data);
    return status;
}

saddle_status saddle_couplings_add_frame_in_element(saddle_couplings *couplings, int64_t component,
                                                    saddle_element_kind kind, const int64_t *nodes,
                                                    const double *rest, const saddle_pose *pose)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(couplings), couplings && rest && pose,
                          "couplings, rest or pose is NULL");
    double natural[3], data[POSE + 4 * SADDLE_ELEMENT_NODES_MAX];
    int64_t count = saddle_element_nodes(kind);
    SADDLE__TRY(saddle_element_natural(couplings->context, kind, rest, pose->p, natural));
    SADDLE__TRY(check(couplings, component, count, nodes, rest, pose));
    SADDLE__TRY(
        saddle_element_gradient(couplings->context, kind, rest, natural, data + POSE + count));
    saddle_element_shape(kind, natural, data + POSE, NULL);
    return add(couplings, component, count, nodes, rest, pose, data);
}
