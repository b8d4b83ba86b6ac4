/* SPDX-License-Identifier: MIT */
/* Joints in reduced coordinates along and about axes, by exponential coordinates, and in chains
 * (saddle/joint_coordinates.h).
 *
 * A product of motions about fixed screws, Q = exp(s_1 q_1) exp(s_2 q_2) .., has by (2.51, 2.55)
 *
 *     S_j  <- Ad_k^-1 S_j,                    S_k = s_k,       Ad_k = Ad(exp(s_k q_k)), j < k
 *     dS_j <- Ad_k^-1 dS_j - ad(s_k dq_k) S_j
 *
 * A chain of joints is the same with T_k for exp(s_k q_k) and S_k dq_k for s_k dq_k.
 */
#include "joint_coordinates.h"

#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/vector.h"
#include "saddle/rotation.h"
#include "space/space.h"

enum { K = SADDLE_JOINT_COORDINATES_MAX };

static int all_finite(const double *x, int64_t count)
{
    int finite = 1;
    for (int64_t i = 0; i < count; i++) finite = finite && isfinite(x[i]);
    return finite;
}

/* The columns before `end` of S, and of dS (NULL = not asked for), beyond a joint with the pose T
 * and the twist s. */
static void carry(const saddle_pose *T, const double *s, int64_t end, double *S, double *dS)
{
    double back[6], turning[6];
    for (int i = 0; i < 6; i++) back[i] = -s[i];
    for (int64_t j = 0; j < end; j++) {
        saddle_twist_to_inner(T, S + 6 * j, S + 6 * j);
        if (!dS) continue;
        saddle_twist_to_inner(T, dS + 6 * j, dS + 6 * j);
        saddle_twist_cross(back, S + 6 * j, turning);
        for (int i = 0; i < 6; i++) dS[i + 6 * j] += turning[i];
    }
}

/* ---- along and about axes ---- */

typedef struct axes {
    char order[4];       /* of Euler angles */
    int64_t size;        /* coordinates */
    signed char axis[3]; /* size: 0, 1, 2 along x, y, z; 3, 4, 5 about x, y, z */
} axes;

static const axes prismatic = {"", 1, {0}};
static const axes translational = {"", 3, {0, 1, 2}};
static const axes planar = {"", 2, {0, 1}};
static const axes universal = {"", 2, {3, 4}};
static const axes euler[12] = {{"xyz", 3, {3, 4, 5}}, {"xzy", 3, {3, 5, 4}}, {"yxz", 3, {4, 3, 5}},
                               {"yzx", 3, {4, 5, 3}}, {"zxy", 3, {5, 3, 4}}, {"zyx", 3, {5, 4, 3}},
                               {"xyx", 3, {3, 4, 3}}, {"xzx", 3, {3, 5, 3}}, {"yxy", 3, {4, 3, 4}},
                               {"yzy", 3, {4, 5, 4}}, {"zxz", 3, {5, 3, 5}}, {"zyz", 3, {5, 4, 5}}};

/* x along or about an axis */
static saddle_pose axis_pose(int axis, double x)
{
    saddle_pose E = saddle_pose_identity();
    if (axis < 3) {
        E.p[axis] = x;
        return E;
    }
    const int i = (axis + 1) % 3;
    const int j = (axis + 2) % 3;
    E.R[4 * i] = E.R[4 * j] = cos(x);
    E.R[j + 3 * i] = sin(x);
    E.R[i + 3 * j] = -E.R[j + 3 * i];
    return E;
}

static int follow_axes(const axes *a, const double *q, const double *dq, saddle_pose *Q, double *S,
                       double *dS)
{
    if (!all_finite(q, a->size)) return 1;
    for (int64_t k = 0; k < a->size; k++) {
        const saddle_pose E = axis_pose(a->axis[k], q[k]);
        double s[6] = {0};
        if (dq) s[a->axis[k]] = dq[k];
        carry(&E, s, k, S, dS);
        S[a->axis[k] + 6 * k] = 1;
        *Q = k > 0 ? saddle_pose_multiply(Q, &E) : E;
    }
    return 0;
}

static int evaluate_axes(const void *data, const double *q, saddle_pose *Q, double *S)
{
    return follow_axes(data, q, NULL, Q, S, NULL);
}

static int axes_rate(const void *data, const double *q, const double *dq, double *dS)
{
    saddle_pose Q;
    double S[6 * K] = {0};
    return follow_axes(data, q, dq, &Q, S, dS);
}

/* The commonest joint. */
static int evaluate_revolute(const void *data, const double *q, saddle_pose *Q, double *S)
{
    (void)data;
    if (!isfinite(q[0])) return 1;
    S[5] = 1;
    *Q = axis_pose(5, q[0]);
    return 0;
}

static saddle_motion joint_of(int64_t size)
{
    return (saddle_motion){.size = size,
                           .before = saddle_pose_identity(),
                           .after = saddle_pose_identity()};
}

static saddle_motion joint_of_axes(const axes *a, int constant)
{
    saddle_motion joint = joint_of(a->size);
    joint.evaluate = evaluate_axes;
    joint.rate = constant ? NULL : axes_rate;
    joint.data = a;
    return joint;
}

saddle_motion saddle_motion_fixed(void)
{
    return joint_of(0);
}

saddle_motion saddle_motion_revolute(void)
{
    saddle_motion joint = joint_of(1);
    joint.evaluate = evaluate_revolute;
    return joint;
}

saddle_motion saddle_motion_prismatic(void)
{
    return joint_of_axes(&prismatic, 1);
}

saddle_motion saddle_motion_planar(void)
{
    return joint_of_axes(&planar, 1);
}

saddle_motion saddle_motion_translational(void)
{
    return joint_of_axes(&translational, 1);
}

saddle_motion saddle_motion_universal(void)
{
    return joint_of_axes(&universal, 0);
}

saddle_status saddle_motion_euler(saddle_context *context, const char *order, saddle_motion *joint)
{
    SADDLE__RETURN_UNLESS(context, order && joint, "order or joint is NULL");
    for (size_t k = 0; k < sizeof euler / sizeof *euler; k++) {
        if (strcmp(euler[k].order, order) != 0) continue;
        *joint = joint_of_axes(&euler[k], 0);
        return SADDLE_OK;
    }
    return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                       "no order of Euler angles: \"%s\"; such are xyz, zxz", order);
}

int saddle_motion_screw(const void *data, const double *q, saddle_pose *Q, double *S)
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

/* ---- exponential coordinates; free: translation first ---- */

static int evaluate_exponential(const void *data, const double *q, saddle_pose *Q, double *S)
{
    (void)data;
    if (!all_finite(q, 3)) return 1;
    const double twist[6] = {0, 0, 0, q[0], q[1], q[2]};
    double Jr[9];
    *Q = saddle_pose_exp(twist);
    saddle_rotation_right_jacobian(q, Jr);
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) S[3 + i + 6 * j] = Jr[i + 3 * j];
    return 0;
}

static int exponential_rate(const void *data, const double *q, const double *dq, double *dS)
{
    (void)data;
    double dJr[9];
    if (!all_finite(q, 3)) return 1;
    saddle_rotation_right_jacobian_rate(q, dq, dJr);
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) dS[3 + i + 6 * j] = dJr[i + 3 * j];
    return 0;
}

int saddle_motion_reparameterize(double *q, double *dq)
{
    if (!q || !dq) return 0;
    const double turn = 2 * acos(-1.0);
    const double angle = sqrt(saddle__dot(q, q));
    if (!(angle > 0.75 * turn) || !isfinite(angle)) return 0;
    const double factor = 1 - turn * round(angle / turn) / angle;
    double Jr[9], omega[3], inverse[9];
    saddle_rotation_right_jacobian(q, Jr);
    saddle__rotate(Jr, dq, omega);
    for (int i = 0; i < 3; i++) q[i] *= factor;
    (void)saddle_rotation_right_jacobian_inverse(NULL, q, inverse); /* |q| <= pi: not singular */
    saddle__rotate(inverse, omega, dq);
    return 1;
}

static int reparameterize_exponential(const void *data, double *q, double *dq)
{
    (void)data;
    return saddle_motion_reparameterize(q, dq);
}

saddle_motion saddle_motion_exponential(void)
{
    saddle_motion joint = joint_of(3);
    joint.evaluate = evaluate_exponential;
    joint.rate = exponential_rate;
    joint.reparameterize = reparameterize_exponential;
    return joint;
}

/* nu = R'dp: S = [R' 0; 0 Jr], dS = [-[omega]R' 0; 0 dJr] */
static int evaluate_free(const void *data, const double *q, saddle_pose *Q, double *S)
{
    if (!all_finite(q, 3) || evaluate_exponential(data, q + 3, Q, S + 18) != 0) return 1;
    for (int i = 0; i < 3; i++) Q->p[i] = q[i];
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) S[i + 6 * j] = Q->R[j + 3 * i];
    return 0;
}

static int free_rate(const void *data, const double *q, const double *dq, double *dS)
{
    saddle_pose Q;
    double S[6 * K] = {0};
    double omega[3] = {0};
    if (evaluate_free(data, q, &Q, S) != 0) return 1;
    for (int j = 3; j < 6; j++)
        for (int i = 0; i < 3; i++) omega[i] -= S[3 + i + 6 * j] * dq[j];
    for (int j = 0; j < 3; j++) saddle__cross(omega, S + 6 * j, dS + 6 * j);
    return exponential_rate(data, q + 3, dq + 3, dS + 18);
}

static int reparameterize_free(const void *data, double *q, double *dq)
{
    return reparameterize_exponential(data, q + 3, dq + 3);
}

saddle_motion saddle_motion_free(void)
{
    saddle_motion joint = joint_of(6);
    joint.evaluate = evaluate_free;
    joint.rate = free_rate;
    joint.reparameterize = reparameterize_free;
    return joint;
}

/* ---- between bodies ---- */

int saddle__joint_place(const saddle_motion *joint, const double *q, saddle_pose *T, double *motion)
{
    saddle_pose Q = saddle_pose_identity();
    memset(motion, 0, (size_t)(6 * joint->size) * sizeof *motion);
    if (joint->size > 0 && joint->evaluate(joint->data, q, &Q, motion) != 0) return 1;
    if (!saddle__is_finite(Q.p, 3) || !saddle__is_finite(Q.R, 9) ||
        !saddle__is_finite(motion, 6 * joint->size))
        return 1;
    Q = saddle_pose_multiply(&joint->before, &Q);
    *T = saddle_pose_multiply(&Q, &joint->after);
    for (int64_t j = 0; j < joint->size; j++)
        saddle_twist_to_inner(&joint->after, motion + 6 * j, motion + 6 * j);
    return 0;
}

int saddle__joint_rate(const saddle_motion *joint, const double *q, const double *dq, double *rate)
{
    memset(rate, 0, (size_t)(6 * joint->size) * sizeof *rate);
    if (!joint->rate) return 0;
    if (joint->rate(joint->data, q, dq, rate) != 0) return 1;
    for (int64_t j = 0; j < joint->size; j++)
        saddle_twist_to_inner(&joint->after, rate + 6 * j, rate + 6 * j);
    return 0;
}

/* ---- chains ---- */

static int follow_chain(const saddle_joint_chain *chain, const double *q, const double *dq,
                        saddle_pose *Q, double *S, double *dS)
{
    int64_t first = 0;
    *Q = saddle_pose_identity();
    for (int64_t k = 0; k < chain->count; k++) {
        const saddle_motion *joint = &chain->joint[k];
        saddle_pose T;
        double s[6] = {0};
        if (saddle__joint_place(joint, q + first, &T, S + 6 * first) != 0) return 1;
        if (dS && saddle__joint_rate(joint, q + first, dq + first, dS + 6 * first) != 0) return 1;
        for (int64_t j = first; dq && j < first + joint->size; j++)
            for (int i = 0; i < 6; i++) s[i] += S[i + 6 * j] * dq[j];
        carry(&T, s, first, S, dS);
        *Q = saddle_pose_multiply(Q, &T);
        first += joint->size;
    }
    return 0;
}

static int evaluate_chain(const void *data, const double *q, saddle_pose *Q, double *S)
{
    return follow_chain(data, q, NULL, Q, S, NULL);
}

static int chain_rate(const void *data, const double *q, const double *dq, double *dS)
{
    saddle_pose Q;
    double S[6 * K] = {0};
    return follow_chain(data, q, dq, &Q, S, dS);
}

static int reparameterize_chain(const void *data, double *q, double *dq)
{
    const saddle_joint_chain *chain = data;
    int changed = 0;
    for (int64_t k = 0, first = 0; k < chain->count; first += chain->joint[k++].size) {
        const saddle_motion *joint = &chain->joint[k];
        if (joint->reparameterize)
            changed |= joint->reparameterize(joint->data, q + first, dq + first);
    }
    return changed;
}

saddle_status saddle_motion_chain(saddle_context *context, const saddle_joint_chain *chain,
                                  saddle_motion *joint)
{
    SADDLE__RETURN_UNLESS(context, chain && joint && (chain->joint || chain->count <= 0),
                          "chain, its joints or joint is NULL");
    int64_t size = 0;
    for (int64_t k = 0; k < chain->count; k++) {
        const saddle_motion *part = &chain->joint[k];
        if (part->size < 0 || part->size > K || (part->size > 0 && !part->evaluate))
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "joint %lld of the chain: a size of %lld, or no evaluate",
                               (long long)k, (long long)part->size);
        size += part->size;
        if (size > K) break;
    }
    if (size < 1 || size > K)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "a chain of joints has 1 to %d coordinates, not %lld", (int)K,
                           (long long)size);
    *joint = joint_of(size);
    joint->evaluate = evaluate_chain;
    joint->rate = chain_rate;
    joint->reparameterize = reparameterize_chain;
    joint->data = chain;
    return SADDLE_OK;
}
