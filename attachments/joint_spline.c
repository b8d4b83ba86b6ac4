/* SPDX-License-Identifier: MIT */
/* Joints along cubic B-splines (Sueda, Rigid Body Dynamics Notes, 2.4.11, 2.4.12; Lee and
 * Terzopoulos 2008).
 *
 * Both are products of exponentials Q = E_1 E_2 .., E_k = exp(s_k f_k(q)), with
 *
 *     S_j  <- Ad_k^-1 S_j + s_k df_k/dq_j,                         Ad_k = Ad(E_k)
 *     dS_j <- Ad_k^-1 dS_j - ad(s_k df_k/dt) Ad_k^-1 S_j + s_k d/dt(df_k/dq_j)
 *
 * In the notes' algorithm 3 ad_i stands before a factor B_i(q), which has to be its derivative
 * B_i'(q).
 */
#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/tolerances.h"
#include "joint_coordinates.h"
#include "space/space.h"

/* A factor exp(s f) of two coordinates at most. */
typedef struct factor {
    double f;
    double slope[2]; /* df/dq */
    double df;       /* df/dt */
    double bend[2];  /* d/dt df/dq */
} factor;

/* Q <- Q exp(s f), and S, dS (NULL = not asked for) of `size` columns with Q. */
static void append(const double *s, const factor *k, int64_t size, saddle_pose *Q, double *S,
                   double *dS)
{
    double twist[6], back[6], turning[6];
    for (int i = 0; i < 6; i++) {
        twist[i] = s[i] * k->f;
        back[i] = -s[i] * k->df;
    }
    const saddle_pose E = saddle_pose_exp(twist);
    for (int64_t j = 0; j < size; j++) {
        saddle_twist_to_inner(&E, S + 6 * j, S + 6 * j);
        if (dS) {
            saddle_twist_to_inner(&E, dS + 6 * j, dS + 6 * j);
            saddle_twist_cross(back, S + 6 * j, turning);
            for (int i = 0; i < 6; i++) dS[i + 6 * j] += turning[i] + s[i] * k->bend[j];
        }
        for (int i = 0; i < 6; i++) S[i + 6 * j] += s[i] * k->slope[j];
    }
    *Q = saddle_pose_multiply(Q, &E);
}

/* The interval of q, 0 <= *s < intervals, and the place in the interval; nonzero: outside. */
static int find_interval(double q, int64_t intervals, int64_t *s, double *t)
{
    if (!(q >= 0 && q <= (double)intervals)) return 1;
    *s = (int64_t)q < intervals ? (int64_t)q : intervals - 1;
    *t = q - (double)*s;
    return 0;
}

/* B (4), its first and second derivatives: uniform cubic B-splines (2.57, 2.62). */
static void basis(double t, double B[3][4])
{
    const double u = 1 - t;
    B[0][0] = u * u * u / 6;
    B[0][1] = (4 - 6 * t * t + 3 * t * t * t) / 6;
    B[0][2] = (4 - 6 * u * u + 3 * u * u * u) / 6;
    B[0][3] = t * t * t / 6;
    B[1][0] = -u * u / 2;
    B[1][1] = t * (1.5 * t - 2);
    B[1][2] = u * (2 - 1.5 * u);
    B[1][3] = t * t / 2;
    B[2][0] = u;
    B[2][1] = 3 * t - 2;
    B[2][2] = 3 * u - 2;
    B[2][3] = t;
}

static saddle_motion joint_of(int64_t size)
{
    saddle_motion joint = saddle_motion_fixed();
    joint.size = size;
    return joint;
}

/* ---- curve ---- */

static int follow_curve(const saddle_joint_spline *spline, double q, double dq, saddle_pose *Q,
                        double *S, double *dS)
{
    int64_t s;
    double t;
    double B[3][4];
    if (find_interval(q, spline->count - 3, &s, &t) != 0) return 1;
    basis(t, B);
    for (int d = 0; d < 3; d++)
        for (int i = 2; i > 0; i--) B[d][i] += B[d][i + 1]; /* cumulative (2.61) */
    *Q = spline->frame[s];
    for (int i = 1; i < 4; i++) {
        const factor k = {.f = B[0][i],
                          .slope = {B[1][i]},
                          .df = B[1][i] * dq,
                          .bend = {B[2][i] * dq}};
        append(spline->difference + 6 * (s + i), &k, 1, Q, S, dS);
    }
    return 0;
}

static int evaluate_curve(const void *data, const double *q, saddle_pose *Q, double *S)
{
    return follow_curve(data, q[0], 0, Q, S, NULL);
}

static int curve_rate(const void *data, const double *q, const double *dq, double *dS)
{
    saddle_pose Q;
    double S[6] = {0};
    return follow_curve(data, q[0], dq[0], &Q, S, dS);
}

saddle_status saddle_motion_spline(saddle_context *context, const saddle_joint_spline *spline,
                                   saddle_motion *joint)
{
    SADDLE__RETURN_UNLESS(context, spline && joint && spline->frame && spline->difference,
                          "spline, its frames or differences, or joint is NULL");
    if (spline->count < 4)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "a cubic spline has 4 control frames at least, not %lld",
                           (long long)spline->count);
    for (int64_t k = 0; k < spline->count; k++) {
        double sum = 0;
        for (int i = 0; i < 3; i++) sum += fabs(spline->frame[k].p[i]);
        if (!isfinite(sum) || !saddle__is_rotation(spline->frame[k].R, SADDLE__HALF_DIGITS))
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "control frame %lld of a spline is not finite or no rotation",
                               (long long)k);
        const saddle_pose *before = &spline->frame[k > 0 ? k - 1 : 0];
        const saddle_pose difference = saddle_pose_between(before, &spline->frame[k]);
        saddle_pose_log(&difference, spline->difference + 6 * k);
    }
    *joint = joint_of(1);
    joint->evaluate = evaluate_curve;
    joint->rate = curve_rate;
    joint->data = spline;
    return SADDLE_OK;
}

/* ---- surface ---- */

/* Value `number` of the surface, with its derivatives for coordinates that move at dq. */
static factor surface_factor(const double *corner, int64_t rows, double B1[3][4], double B2[3][4],
                             const double *dq)
{
    double d[3][3] = {{0}}; /* derivatives by q1, by q2 */
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++) {
            const double c = corner[6 * (i + rows * j)];
            for (int a = 0; a < 3; a++)
                for (int b = 0; a + b < 3; b++) d[a][b] += c * B1[a][i] * B2[b][j];
        }
    return (factor){.f = d[0][0],
                    .slope = {d[1][0], d[0][1]},
                    .df = d[1][0] * dq[0] + d[0][1] * dq[1],
                    .bend = {d[2][0] * dq[0] + d[1][1] * dq[1], d[1][1] * dq[0] + d[0][2] * dq[1]}};
}

static int follow_surface(const saddle_joint_surface *surface, const double *q, const double *dq,
                          saddle_pose *Q, double *S, double *dS)
{
    int64_t s1, s2;
    double t1, t2;
    double B1[3][4], B2[3][4];
    if (find_interval(q[0], surface->rows - 3, &s1, &t1) != 0 ||
        find_interval(q[1], surface->cols - 3, &s2, &t2) != 0)
        return 1;
    basis(t1, B1);
    basis(t2, B2);
    const double *corner = surface->control + 6 * (s1 + surface->rows * s2);
    *Q = saddle_pose_identity();
    for (int k = 0; k < 6; k++) {
        double screw[6] = {0};
        screw[k] = 1;
        const factor f = surface_factor(corner + k, surface->rows, B1, B2, dq);
        append(screw, &f, 2, Q, S, dS);
    }
    return 0;
}

static int evaluate_surface(const void *data, const double *q, saddle_pose *Q, double *S)
{
    const double still[2] = {0};
    return follow_surface(data, q, still, Q, S, NULL);
}

static int surface_rate(const void *data, const double *q, const double *dq, double *dS)
{
    saddle_pose Q;
    double S[12] = {0};
    return follow_surface(data, q, dq, &Q, S, dS);
}

saddle_status saddle_motion_surface(saddle_context *context, const saddle_joint_surface *surface,
                                    saddle_motion *joint)
{
    SADDLE__RETURN_UNLESS(context, surface && joint && surface->control,
                          "surface, its control values or joint is NULL");
    if (surface->rows < 4 || surface->cols < 4)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "a bicubic surface has 4 x 4 control values at least, not %lld x %lld",
                           (long long)surface->rows, (long long)surface->cols);
    for (int64_t k = 0; k < 6 * surface->rows * surface->cols; k++)
        if (!isfinite(surface->control[k]))
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "control value %lld of a surface is not finite", (long long)k);
    *joint = joint_of(2);
    joint->evaluate = evaluate_surface;
    joint->rate = surface_rate;
    joint->data = surface;
    return SADDLE_OK;
}
