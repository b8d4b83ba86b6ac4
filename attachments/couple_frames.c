/* SPDX-License-Identifier: MIT */
/* A frame on several frames, blended by weights: its origin is the mean of its places in them, its
 * rotation the polar factor of the mean of its rotations.
 *
 *     p = sum w_j (p_j + R_j c_j),   F = sum w_j R_j D_j = R S         T_j = (c_j, D_j)
 *
 *     E_j = R'R_j,  B_j = E_j D_j,  H_j = tr(B_j) I - B_j,  G = (tr(S) I - S)^-1
 *     nu = sum w_j E_j (nu_j + omega_j x c_j)
 *     omega = G sum w_j H_j E_j omega_j
 *         from R'F' = sum w_j [E_j omega_j] B_j,  [a] B + B'[a] = [(tr(B) I - B) a]
 *     dE_j = d(R') R_j + E_j [omega_j],  dB_j = dE_j D_j
 */
#include "couplings.h"
#include "space/space.h"

enum { POSE = sizeof(saddle_pose) / sizeof(double), EACH = POSE + 1 }; /* data: w, T of each */

static double weight_of(const saddle_coupling_site *site, int64_t j)
{
    return ((const double *)site->data)[EACH * j];
}

static saddle_pose relative_of(const saddle_coupling_site *site, int64_t j)
{
    return saddle__pose_at((const double *)site->data + EACH * j + 1);
}

static saddle_status decompose(saddle_context *context, const saddle_coupling_site *site,
                               saddle__polar *polar)
{
    double F[9] = {0};
    for (int64_t j = 0; j < site->masters; j++) {
        const saddle_pose relative = relative_of(site, j);
        double turned[9];
        saddle__product3(saddle__pose_at(site->position[j]).R, relative.R, turned);
        for (int i = 0; i < 9; i++) F[i] += weight_of(site, j) * turned[i];
    }
    if (saddle__polar_decompose(F, polar)) return SADDLE_OK;
    return saddle_fail(
        context, SADDLE_SINGULAR,
        "the frames it follows give no rotation: they are turned against each other");
}

static saddle_status place(saddle_context *context, const saddle_coupling_site *site,
                           double *position)
{
    saddle__polar polar;
    saddle_pose own = {.p = {0}};
    SADDLE__TRY(decompose(context, site, &polar));
    memcpy(own.R, polar.R, sizeof own.R);
    for (int64_t j = 0; j < site->masters; j++) {
        const saddle_pose master = saddle__pose_at(site->position[j]),
                          relative = relative_of(site, j);
        double x[3];
        saddle_pose_point(&master, relative.p, x);
        for (int i = 0; i < 3; i++) own.p[i] += weight_of(site, j) * x[i];
    }
    memcpy(position, &own, sizeof own);
    return SADDLE_OK;
}

/* H = tr(B) I - B, in place too */
static void trace_minus(const double *B, double *H)
{
    const double trace = B[0] + B[4] + B[8];
    for (int i = 0; i < 9; i++) H[i] = (i % 4 == 0) * trace - B[i];
}

/* The block of one master: A += w [linear  -linear [c]; 0  angular], each 3 x 3. */
static void fill(const double *linear, const double *angular, const double *c, double w, double *A)
{
    double arm[9];
    saddle__skew(c, arm);
    saddle__product3(linear, arm, arm);
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
            A[i + 6 * j] += w * linear[i + 3 * j];
            A[i + 6 * (j + 3)] -= w * arm[i + 3 * j];
            A[i + 3 + 6 * (j + 3)] += w * angular[i + 3 * j];
        }
}

static saddle_status blocks(saddle_context *context, const saddle_coupling_site *site, double *A)
{
    saddle__polar polar;
    SADDLE__TRY(decompose(context, site, &polar));
    for (int64_t j = 0; j < site->masters; j++, A += 36) {
        const saddle_pose relative = relative_of(site, j);
        double E[9], H[9];
        saddle__transposed_product3(polar.R, saddle__pose_at(site->position[j]).R, E);
        saddle__product3(E, relative.R, H);
        trace_minus(H, H);
        saddle__product3(H, E, H);
        saddle__product3(polar.G, H, H);
        fill(E, H, relative.p, weight_of(site, j), A);
    }
    return SADDLE_OK;
}

/* dF = sum w_j R_j [omega_j] D_j */
static void rate_of_mean(const saddle_coupling_site *site, double *dF)
{
    memset(dF, 0, 9 * sizeof *dF);
    for (int64_t j = 0; j < site->masters; j++) {
        const saddle_pose relative = relative_of(site, j);
        double turning[9];
        saddle__skew(site->velocity[j] + 3, turning);
        saddle__product3(saddle__pose_at(site->position[j]).R, turning, turning);
        saddle__product3(turning, relative.R, turning);
        for (int i = 0; i < 9; i++) dF[i] += weight_of(site, j) * turning[i];
    }
}

/* sum += X Y Z */
static void add_product(const double *X, const double *Y, const double *Z, double *sum)
{
    double product[9];
    saddle__product3(X, Y, product);
    saddle__product3(product, Z, product);
    for (int i = 0; i < 9; i++) sum[i] += product[i];
}

static saddle_status rate(saddle_context *context, const saddle_coupling_site *site, double *dA)
{
    saddle__polar polar;
    double dF[9], dG[9], dturn[9];
    SADDLE__TRY(decompose(context, site, &polar));
    rate_of_mean(site, dF);
    saddle__polar_rates(&polar, dF, dG, dturn);
    for (int64_t j = 0; j < site->masters; j++, dA += 36) {
        const saddle_pose master = saddle__pose_at(site->position[j]),
                          relative = relative_of(site, j);
        double E[9], dE[9], H[9], dH[9], turning[9], angular[9] = {0};
        saddle__transposed_product3(polar.R, master.R, E);
        saddle__skew(site->velocity[j] + 3, turning);
        saddle__product3(E, turning, turning);
        saddle__product3(dturn, master.R, dE);
        for (int i = 0; i < 9; i++) dE[i] += turning[i];
        saddle__product3(E, relative.R, H);
        trace_minus(H, H);
        saddle__product3(dE, relative.R, dH);
        trace_minus(dH, dH);
        add_product(dG, H, E, angular);
        add_product(polar.G, dH, E, angular);
        add_product(polar.G, H, dE, angular);
        fill(dE, angular, relative.p, weight_of(site, j), dA);
    }
    return SADDLE_OK;
}

static const saddle_coupling_type frame_on_frames = {.name = "frame on frames",
                                                     .place = place,
                                                     .blocks = blocks,
                                                     .rate = rate};

saddle_status saddle_couplings_add_frame_on_frames(saddle_couplings *couplings, int64_t component,
                                                   int64_t count, const int64_t *masters,
                                                   const double *weights,
                                                   const saddle_pose *relative)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(couplings), couplings && weights && relative,
                          "couplings, weights or relative is NULL");
    SADDLE__TRY(saddle__couplings_expect(couplings, component, SADDLE_COMPONENT_FRAME, count,
                                         masters, SADDLE_COMPONENT_FRAME));
    SADDLE__TRY(saddle__couplings_expect_weights(couplings, component, count, weights));
    for (int64_t j = 0; j < count; j++)
        SADDLE__TRY(saddle__couplings_expect_pose(couplings, component, &relative[j]));
    double *data = saddle_allocate(couplings->context, EACH * count, sizeof *data);
    if (!data) return SADDLE_OUT_OF_MEMORY;
    for (int64_t j = 0; j < count; j++) {
        data[EACH * j] = weights[j];
        memcpy(data + EACH * j + 1, &relative[j], sizeof *relative);
    }
    const saddle_status status = saddle_couplings_add(couplings, component, count, masters,
                                                      &frame_on_frames, data,
                                                      (size_t)(EACH * count) * sizeof *data);
    saddle_release(couplings->context, data);
    return status;
}
