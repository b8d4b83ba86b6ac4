/* SPDX-License-Identifier: MIT */
/* A body on a joint (seed 003, 2.1, 2.2; twists linear part first):
 *
 *     E = E_parent T,  T = E_before Q(q) E_after
 *     phi = Ad_T phi_parent + Ad_after S dq/dt                                               (2.11)
 *     d(Ad_T) = -ad(s) Ad_T,  s = Ad_after S dq/dt;   d(Ad_after S) = Ad_after dS/dt
 *         (2.15 - 2.17)
 *
 * where Ad_T takes a twist of the outer frame to that of a frame fixed in it at T.
 */
#include <math.h>
#include <string.h>

#include "couplings.h"
#include "space/space.h"

enum { K = SADDLE_JOINT_COORDINATES_MAX };

/* C (6 x cols) = A (6 x 6) B (6 x cols) */
static void product(const double *A, const double *B, int64_t cols, double *C)
{
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < 6; i++) {
            double sum = 0;
            for (int64_t k = 0; k < 6; k++) sum += A[i + 6 * k] * B[k + 6 * j];
            C[i + 6 * j] = sum;
        }
}

typedef struct joint_state {
    saddle_pose relative; /* T */
    double after[36];     /* Ad_after */
    double motion[6 * K]; /* Ad_after S */
} joint_state;

static saddle_status fail_range(saddle_context *context)
{
    return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                       "its joint's coordinates are out of range");
}

static saddle_status evaluate(saddle_context *context, const saddle_coupling_site *site,
                              joint_state *state)
{
    const saddle_joint *joint = site->data;
    saddle_pose Q = saddle_pose_identity();
    double S[6 * K] = {0};
    if (joint->evaluate(joint->data, site->position[site->masters - 1], &Q, S) != 0)
        return fail_range(context);
    saddle_pose outer = saddle_pose_multiply(&joint->before, &Q);
    state->relative = saddle_pose_multiply(&outer, &joint->after);
    saddle_pose_adjoint_inverse(&joint->after, state->after);
    product(state->after, S, joint->size, state->motion);
    return SADDLE_OK;
}

static saddle_status place(saddle_context *context, const saddle_coupling_site *site,
                           double *position)
{
    joint_state state;
    saddle_status status = evaluate(context, site, &state);
    if (status != SADDLE_OK) return status;
    if (site->masters > 1) {
        saddle_pose parent;
        memcpy(&parent, site->position[0], sizeof parent);
        state.relative = saddle_pose_multiply(&parent, &state.relative);
    }
    memcpy(position, &state.relative, sizeof state.relative);
    return SADDLE_OK;
}

static saddle_status blocks(saddle_context *context, const saddle_coupling_site *site, double *A)
{
    const saddle_joint *joint = site->data;
    joint_state state;
    saddle_status status = evaluate(context, site, &state);
    if (status != SADDLE_OK) return status;
    int64_t parent = site->masters > 1 ? 36 : 0;
    if (parent > 0) saddle_pose_adjoint_inverse(&state.relative, A);
    memcpy(A + parent, state.motion, (size_t)(6 * joint->size) * sizeof *A);
    return SADDLE_OK;
}

static saddle_status rate(saddle_context *context, const saddle_coupling_site *site, double *dA)
{
    const saddle_joint *joint = site->data;
    const double *dq = site->velocity[site->masters - 1];
    joint_state state;
    saddle_status status = evaluate(context, site, &state);
    if (status != SADDLE_OK) return status;
    int64_t parent = site->masters > 1 ? 36 : 0;
    if (parent > 0) {
        double s[6] = {0};
        double ad[36];
        double A[36];
        for (int64_t j = 0; j < joint->size; j++)
            for (int i = 0; i < 6; i++) s[i] -= state.motion[i + 6 * j] * dq[j];
        saddle_twist_adjoint(s, ad);
        saddle_pose_adjoint_inverse(&state.relative, A);
        product(ad, A, 6, dA);
    }
    if (!joint->rate) return SADDLE_OK;
    double dS[6 * K] = {0};
    if (joint->rate(joint->data, site->position[site->masters - 1], dq, dS) != 0)
        return fail_range(context);
    product(state.after, dS, joint->size, dA + parent);
    return SADDLE_OK;
}

static const saddle_coupling_type body_on_joint = {.name = "body on joint",
                                                   .place = place,
                                                   .blocks = blocks,
                                                   .rate = rate};

int saddle_joint_screw(const void *data, const double *q, saddle_pose *Q, double *S)
{
    if (!data || !q || !Q || !S) return 0;
    const double *screw = data;
    double twist[6];
    for (int i = 0; i < 6; i++) {
        S[i] = screw[i];
        twist[i] = screw[i] * q[0];
    }
    if (!isfinite(q[0])) return 1;
    *Q = saddle_pose_exp(twist);
    return 0;
}

static saddle_status check(const saddle_couplings *couplings, int64_t component,
                           const int64_t *parent, int64_t coordinates, const saddle_joint *joint)
{
    saddle_status status = saddle__couplings_expect(couplings, component, SADDLE_FRAME);
    if (status == SADDLE_OK && parent)
        status = saddle__couplings_expect(couplings, *parent, SADDLE_FRAME);
    if (status == SADDLE_OK)
        status = saddle__couplings_expect(couplings, coordinates, SADDLE_COORDINATES);
    if (status == SADDLE_OK)
        status = saddle__couplings_expect_pose(couplings, component, &joint->before);
    if (status == SADDLE_OK)
        status = saddle__couplings_expect_pose(couplings, component, &joint->after);
    if (status != SADDLE_OK) return status;
    const saddle_attachments *graph = couplings->graph;
    const char *name = graph->component[saddle__component_find(graph, component)].name;
    const saddle__component *q = &graph->component[saddle__component_find(graph, coordinates)];
    if (!joint->evaluate)
        return saddle_fail(couplings->context, SADDLE_INVALID_ARGUMENT,
                           "attachment of %s: its joint has no evaluate", name);
    if (joint->size >= 1 && joint->size <= K && joint->size == q->size) return SADDLE_OK;
    return saddle_fail(
        couplings->context, SADDLE_INVALID_ARGUMENT,
        "attachment of %s: a joint of %lld coordinates, 1 to %d are possible, %s has %lld", name,
        (long long)joint->size, (int)K, q->name, (long long)q->size);
}

saddle_status saddle_couplings_add_body_on_joint(saddle_couplings *couplings, int64_t component,
                                                 const int64_t *parent, int64_t coordinates,
                                                 const saddle_joint *joint)
{
    saddle_context_clear_message(couplings ? couplings->context : NULL);
    if (!couplings || !joint)
        return saddle_fail(couplings ? couplings->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_couplings_add_body_on_joint: couplings or joint is NULL");
    saddle_status status = check(couplings, component, parent, coordinates, joint);
    if (status != SADDLE_OK) return status;
    const int64_t masters[2] = {parent ? *parent : coordinates, coordinates};
    return saddle_couplings_add(couplings, component, parent ? 2 : 1, masters, &body_on_joint,
                                joint, sizeof *joint);
}
