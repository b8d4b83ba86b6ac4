/* SPDX-License-Identifier: MIT */
/* Functions of the relative pose of a joint, and their derivatives (joint_internal.h); joints as
 * constraints, and single coordinates, by these functions.
 *
 *     c = R_ij = a_i . b_j      dc = b_j x a_i . omega,          H = b_j a_i' - c I
 *     c = atan2(s, k)           dc = (k ds - s dk)/n,            n = s^2 + k^2,
 *                               H  = (k H_s - s H_k + ds dk' - dk ds')/n - dc dn'/n
 *     c = -asin u               dc = -du/e,  e = sqrt(1 - u^2),  H = -H_u/e - u du du'/e^3
 *     c = (log R)_r             dc = row r of L = Jl^-1(log R),  H = d(L'e_r)/d(log R) L
 *
 * The angle of a hinge about z is that of the twist in R = (tilt about an axis across z)(twist
 * about z): atan2(R_yx - R_xy, R_xx + R_yy), not defined where z is reversed.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/tolerances.h"
#include "joint_internal.h"
#include "saddle/rotation.h"
#include "saddle/spatial.h"
#include "space/space.h"

static const double pi = 3.14159265358979323846;

/* The relative pose, and quantities shared by all functions of R. */
typedef struct joint_place {
    double p[3], R[9];
    double log[3], L[9]; /* log R and its derivative, d(log R)/dt = L omega; where asked for */
    double to_a[9];      /* a's axes -> body a's */
    double to_b[9];      /* a's axes -> body b's */
    double arm_a[3];     /* frame b's origin in body a */
    int on_path;         /* 1: path is the joint's along a motion */
    saddle__joint_path path;
} joint_place;

typedef struct joint_value {
    double value, l[3], g[3];
} joint_value;

/* a's axes; ddp and domega: rates of dp and omega at constant twists of the bodies */
typedef struct joint_motion {
    double dp[3], omega[3], ddp[3], domega[3];
} joint_motion;

/* The pose of an anchor; a particle has the world's axes. */
static saddle_pose pose_of(const saddle_site *site, int64_t anchor)
{
    saddle_pose pose = saddle_pose_identity();
    const size_t size = site->size[anchor] == 6 ? sizeof pose : sizeof pose.p;
    memcpy(&pose, site->position[anchor], size);
    return pose;
}

/* E = (E_a F_a)^-1 E_b F_b at a site of two anchors. */
static saddle_pose relative_pose(const saddle_joint_def *def, const saddle_site *site)
{
    const saddle_pose body_a = pose_of(site, 0), body_b = pose_of(site, 1);
    const saddle_pose a = saddle_pose_multiply(&body_a, &def->frame_a),
                      b = saddle_pose_multiply(&body_b, &def->frame_b);
    return saddle_pose_between(&a, &b);
}

/* The relative pose; with_log: log and L too; path: 1 = functions along a motion, 2 = B too. */
static void place_of(const saddle_joint_def *def, const saddle__joint_guide *guide,
                     const saddle_site *site, int with_log, int path, joint_place *place)
{
    const saddle_pose E = relative_pose(def, site);
    double back[9];
    memcpy(place->p, E.p, sizeof E.p);
    memcpy(place->R, E.R, sizeof E.R);
    memcpy(place->to_a, def->frame_a.R, sizeof place->to_a);
    saddle__transpose3(E.R, back);
    saddle__product3(def->frame_b.R, back, place->to_b);
    saddle__rotate(def->frame_a.R, E.p, place->arm_a);
    for (int i = 0; i < 3; i++) place->arm_a[i] += def->frame_a.p[i];
    place->on_path = path > 0 && def->kind == SADDLE_JOINT_MOTION &&
                     saddle__joint_path_at(&def->motion, guide, &E, path > 1, &place->path);
    if (!with_log) return;
    saddle_rotation_log(E.R, place->log);
    /* |log| <= pi: never singular */
    (void)saddle_rotation_left_jacobian_inverse(NULL, place->log, place->L);
}

/* wrench_a, wrench_b (6): of a force l and a moment g in a's axes, on frame b at its origin, and
 * their opposite on a, in the bodies' axes at their origins. */
static void wrenches(const saddle_joint_def *def, const joint_place *place, const double *l,
                     const double *g, double *wrench_a, double *wrench_b)
{
    double moment[3];
    saddle__rotate(place->to_b, l, wrench_b);
    saddle__rotate(place->to_b, g, wrench_b + 3);
    saddle__cross(def->frame_b.p, wrench_b, moment);
    for (int i = 0; i < 3; i++) wrench_b[3 + i] += moment[i];
    saddle__rotate(place->to_a, l, wrench_a);
    saddle__rotate(place->to_a, g, wrench_a + 3);
    saddle__cross(place->arm_a, wrench_a, moment);
    for (int i = 0; i < 3; i++) {
        wrench_a[3 + i] = -(wrench_a[3 + i] + moment[i]);
        wrench_a[i] = -wrench_a[i];
    }
}

/* The value of a function, counted over turns from `last` where turns are counted. */
static double with_turns(const saddle__joint_function *function, double angle, double last)
{
    if (!function->turns) return angle;
    return angle + 2 * pi * round((last - angle) / (2 * pi));
}

/* ---- entries of R ---- */

typedef struct entry { /* sum of up to two entries of R, first + sign second */
    double value, g[3];
} entry;

static void add_entry(const double *R, int at, double sign, entry *sum, double *H)
{
    if (at < 0) return;
    const int i = at % 3, j = at / 3;
    const double *b = R + 3 * j;
    double g[3];
    const double a[3] = {i == 0, i == 1, i == 2};
    saddle__cross(b, a, g);
    sum->value += sign * b[i];
    for (int k = 0; k < 3; k++) sum->g[k] += sign * g[k];
    if (!H) return;
    for (int k = 0; k < 3; k++) {
        H[k + 3 * i] += sign * b[k];
        H[k + 3 * k] -= sign * b[i];
    }
}

static int cosine(const saddle__joint_function *function, const double *R, joint_value *value,
                  double *H)
{
    entry c = {0};
    add_entry(R, function->at[0], function->sign, &c, H);
    value->value = function->offset + c.value;
    memcpy(value->g, c.g, sizeof c.g);
    return 1;
}

static int angle(const saddle__joint_function *function, const double *R, joint_value *value,
                 double *H)
{
    entry s = {0}, k = {0};
    double Hs[9] = {0}, Hk[9] = {0};
    add_entry(R, function->at[0], 1, &s, Hs);
    add_entry(R, function->at[1], -1, &s, Hs);
    add_entry(R, function->at[2], 1, &k, Hk);
    add_entry(R, function->at[3], 1, &k, Hk);
    const double n = s.value * s.value + k.value * k.value;
    if (!(n >= SADDLE__HALF_DIGITS * SADDLE__HALF_DIGITS)) return 0;
    value->value = atan2(s.value, k.value);
    for (int i = 0; i < 3; i++) value->g[i] = (k.value * s.g[i] - s.value * k.g[i]) / n;
    if (!H) return 1;
    for (int j = 0; j < 3; j++) {
        const double dn = 2 * (s.value * s.g[j] + k.value * k.g[j]);
        for (int i = 0; i < 3; i++) {
            const int ij = i + 3 * j;
            H[ij] = (k.value * Hs[ij] - s.value * Hk[ij] + s.g[i] * k.g[j] - k.g[i] * s.g[j] -
                     value->g[i] * dn) /
                    n;
        }
    }
    return 1;
}

static int pitch(const saddle__joint_function *function, const double *R, joint_value *value,
                 double *H)
{
    entry u = {0};
    double Hu[9] = {0};
    add_entry(R, function->at[0], 1, &u, Hu);
    const int column = 3 * (function->at[0] / 3), row = function->at[0] % 3;
    const double e = hypot(R[column + (row + 1) % 3], R[column + (row + 2) % 3]);
    if (!(e >= SADDLE__HALF_DIGITS)) return 0;
    value->value = atan2(-u.value, e);
    for (int i = 0; i < 3; i++) value->g[i] = -u.g[i] / e;
    if (!H) return 1;
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            const int ij = i + 3 * j;
            H[ij] = -Hu[ij] / e - u.value * u.g[i] * u.g[j] / (e * e * e);
        }
    }
    return 1;
}

/* ---- the logarithm ---- */

/* k = (1 - x/2 cot(x/2))/x^2 = sum |B_2n| x^(2n - 2)/(2n)!, and k'/x. */
static void logarithm_weights(double x, double *k, double *slope)
{
    static const double series[] = {1.0 / 12,
                                    1.0 / 720,
                                    1.0 / 30240,
                                    1.0 / 1209600,
                                    1.0 / 47900160,
                                    691.0 / 1307674368000,
                                    1.0 / 74724249600,
                                    3617.0 / 10670622842880000,
                                    43867.0 / 5109094217170944000};
    enum { TERMS = sizeof series / sizeof *series };
    const double square = x * x;
    if (x < 0.7) {
        *k = *slope = 0;
        for (int n = TERMS - 1; n >= 0; n--) *k = *k * square + series[n];
        for (int n = TERMS - 1; n >= 1; n--) *slope = *slope * square + 2 * n * series[n];
        return;
    }
    const double cotangent = cos(x / 2) / sin(x / 2);
    const double cosecant_square = 1 + cotangent * cotangent;
    *k = (1 - x / 2 * cotangent) / square;
    *slope = (x / 4 * cosecant_square - cotangent / 2) / (square * x) - 2 * *k / square;
}

/* H = C L, C d = d(L'F) as log R changes by d: 1/2 d x F + k'/x (log.d) [log]^2 F + k (d x (log x
 * F) + log x (d x F)) */
static void logarithm_curvature(const joint_place *place, const double *F, double *H)
{
    double k, slope, cross[3], twice[3], C[9];
    const double *log = place->log;
    logarithm_weights(sqrt(saddle__dot(log, log)), &k, &slope);
    saddle__cross(log, F, cross);
    saddle__cross(log, cross, twice);
    for (int j = 0; j < 3; j++) {
        const double d[3] = {j == 0, j == 1, j == 2};
        double d_F[3], d_cross[3], log_d_F[3];
        saddle__cross(d, F, d_F);
        saddle__cross(d, cross, d_cross);
        saddle__cross(log, d_F, log_d_F);
        for (int i = 0; i < 3; i++)
            C[i + 3 * j] = d_F[i] / 2 + slope * log[j] * twice[i] + k * (d_cross[i] + log_d_F[i]);
    }
    saddle__product3(C, place->L, H);
}

static void logarithm(int r, const joint_place *place, joint_value *value, double *H)
{
    const double F[3] = {r == 0, r == 1, r == 2};
    value->value = place->log[r];
    for (int j = 0; j < 3; j++) value->g[j] = place->L[r + 3 * j];
    if (H) logarithm_curvature(place, F, H);
}

/* l, g of p and R from a row of twists in b's axes. */
static int along_path(int number, const joint_place *place, joint_value *value)
{
    if (!place->on_path) return 0;
    value->value = place->path.value[number];
    saddle__rotate(place->R, place->path.A[number], value->l);
    saddle__rotate(place->R, place->path.A[number] + 3, value->g);
    return 1;
}

/* value, l, g; H (9, by columns, not along a motion) where not NULL.  0: not defined here (gimbal
 * lock, an axis turned upside down). */
static int function_at(const saddle__joint_function *function, const joint_place *place,
                       joint_value *value, double *H)
{
    double twist[6];
    *value = (joint_value){0};
    if (H) memset(H, 0, 9 * sizeof *H);
    switch (function->kind) {
    case SADDLE__JOINT_DISTANCE:
        value->value = place->p[function->at[0]];
        value->l[function->at[0]] = 1;
        return 1;
    case SADDLE__JOINT_LOG: logarithm(function->at[0], place, value, H); return 1;
    case SADDLE__JOINT_COSINE: return cosine(function, place->R, value, H);
    case SADDLE__JOINT_ANGLE: return angle(function, place->R, value, H);
    case SADDLE__JOINT_PITCH: return pitch(function, place->R, value, H);
    case SADDLE__JOINT_SPIN:
        saddle__bearing_direction(SADDLE_JOINT_BALL, function->at[0], twist);
        memcpy(value->g, twist + 3, sizeof value->g);
        return 1;
    case SADDLE__JOINT_PATH: return along_path(function->at[0], place, value);
    }
    return 0;
}

/* ---- second derivatives ----
 *
 * At constant twists of both bodies
 *
 *     dp/dt   = R nu_b - nu_a - omega_a x p          d2p/dt2   = omega x R nu_b - omega_a x dp/dt
 *     omega   = R omega_b - omega_a                  domega/dt = omega x omega_a
 *
 * and with a force P and a moment G, the wrenches on the joint frames, (-P, P x p - G) and
 * (R'P, R'G), change with changes dp, domega of p and R by
 *
 *     (0, P x dp - H domega)   and   (R'(P x domega), R'(G x domega + H domega))
 */

/* dp/dt and omega for twists of the joint frames, a and b in their own axes. */
static void relative_motion(const joint_place *place, const double *a, const double *b, double *dp,
                            double *omega)
{
    double nu[3], carried[3];
    saddle__rotate(place->R, b, nu);
    saddle__rotate(place->R, b + 3, omega);
    saddle__cross(a + 3, place->p, carried);
    for (int i = 0; i < 3; i++) {
        dp[i] = nu[i] - a[i] - carried[i];
        omega[i] -= a[3 + i];
    }
}

/* The twist of a joint frame from the velocity of its part; a particle has no angular velocity. */
static void frame_twist(const saddle_site *site, int64_t anchor, const saddle_pose *frame,
                        double *twist)
{
    double whole[6] = {0};
    memcpy(whole, site->velocity[anchor], (size_t)site->size[anchor] * sizeof *whole);
    saddle_twist_to_inner(frame, whole, twist);
}

static void motion_of(const saddle_joint_def *def, const joint_place *place,
                      const saddle_site *site, joint_motion *motion)
{
    double a[6], b[6], nu[3], carried[3], turned[3];
    frame_twist(site, 0, &def->frame_a, a);
    frame_twist(site, 1, &def->frame_b, b);
    relative_motion(place, a, b, motion->dp, motion->omega);
    saddle__rotate(place->R, b, nu);
    saddle__cross(motion->omega, nu, turned);
    saddle__cross(a + 3, motion->dp, carried);
    for (int i = 0; i < 3; i++) motion->ddp[i] = turned[i] - carried[i];
    saddle__cross(motion->omega, a + 3, motion->domega);
}

/* d2c/dt2 at constant twists: l'ddp + g'domega + omega'H omega */
static double second_rate(const joint_value *value, const double *H, const joint_motion *motion)
{
    double bent[3];
    saddle__rotate(H, motion->omega, bent);
    return saddle__dot(value->l, motion->ddp) + saddle__dot(value->g, motion->domega) +
           saddle__dot(motion->omega, bent);
}

/* The same along a motion, with w the twist in b's axes: A dw/dt + w'B w. */
static double second_rate_along(int number, const joint_place *place, const joint_motion *motion)
{
    const double *A = place->path.A[number], *B = place->path.B[number];
    double w[6], dw[6], carried[3], sum = 0;
    saddle__cross(motion->omega, motion->dp, carried);
    for (int i = 0; i < 3; i++) carried[i] = motion->ddp[i] - carried[i];
    saddle__unrotate(place->R, motion->dp, w);
    saddle__unrotate(place->R, motion->omega, w + 3);
    saddle__unrotate(place->R, carried, dw);
    saddle__unrotate(place->R, motion->domega, dw + 3);
    for (int j = 0; j < 6; j++) {
        sum += A[j] * dw[j];
        for (int i = 0; i < 6; i++) sum += w[i] * B[i + 6 * j] * w[j];
    }
    return sum;
}

/* ---- stiffness ---- */

/* Changes of the wrenches on the joint frames, each in its own axes. */
static void wrench_changes(const joint_place *place, const double *P, const double *G,
                           const double *H, const double *dp, const double *omega,
                           double change[2][6])
{
    double bent[3], turned[3];
    memset(change, 0, 2 * sizeof change[0]);
    saddle__rotate(H, omega, bent);
    saddle__cross(P, dp, change[0] + 3);
    saddle__cross(P, omega, change[1]);
    saddle__cross(G, omega, turned);
    for (int i = 0; i < 3; i++) {
        change[0][3 + i] -= bent[i];
        change[1][3 + i] = turned[i] + bent[i];
    }
    saddle__unrotate(place->R, change[1], change[1]);
    saddle__unrotate(place->R, change[1] + 3, change[1] + 3);
}

/* K (4 blocks 6 x 6 by columns: aa, ab, ba, bb) = d wrenches / d (displacements of a, b), for P =
 * sum F l, G = sum F g, H = sum F H. */
static void wrench_stiffness(const saddle_joint_def *def, const joint_place *place, const double *P,
                             const double *G, const double *H, double K[4][36])
{
    for (int k = 0; k < 12; k++) { /* column k % 6 of the blocks for a (0), b (1) = k / 6 */
        const int moved = k / 6;
        double unit[6] = {0}, twist[2][6] = {{0}}, change[2][6], dp[3], omega[3];
        unit[k % 6] = 1;
        saddle_twist_to_inner(moved ? &def->frame_b : &def->frame_a, unit, twist[moved]);
        relative_motion(place, twist[0], twist[1], dp, omega);
        wrench_changes(place, P, G, H, dp, omega, change);
        saddle_wrench_to_outer(&def->frame_a, change[0], K[moved] + 6 * (k % 6));
        saddle_wrench_to_outer(&def->frame_b, change[1], K[2 + moved] + 6 * (k % 6));
    }
}

/* The same along a motion, for weights (6) of its functions: the wrench W = sum weight A on b, and
 * -Ad(E)^-T W on a, as E moves by w: dW = sum weight B w, and that of a by dW - ad(w)'W too. */
static void path_stiffness(const saddle_joint_def *def, const joint_place *place,
                           const double *weight, double K[4][36])
{
    saddle_pose E;
    double W[6] = {0}, B[36] = {0};
    memcpy(E.p, place->p, sizeof E.p);
    memcpy(E.R, place->R, sizeof E.R);
    for (int f = 0; f < 6; f++) {
        for (int i = 0; i < 6; i++) W[i] += weight[f] * place->path.A[f][i];
        for (int i = 0; i < 36; i++) B[i] += weight[f] * place->path.B[f][i];
    }
    for (int k = 0; k < 12; k++) { /* column k % 6 of the blocks for a (0), b (1) = k / 6 */
        const int moved = k / 6;
        double unit[6] = {0}, w[6], change[2][6] = {{0}}, turned[6];
        unit[k % 6] = 1;
        saddle_twist_to_inner(moved ? &def->frame_b : &def->frame_a, unit, w);
        if (!moved) saddle_twist_to_inner(&E, w, w);
        for (int j = 0; j < 6; j++) {
            if (!moved) w[j] = -w[j];
            for (int i = 0; i < 6; i++) change[1][i] += B[i + 6 * j] * w[j];
        }
        saddle_twist_cross_dual(w, W, turned);
        for (int i = 0; i < 6; i++) change[0][i] = turned[i] - change[1][i];
        saddle_wrench_to_outer(&E, change[0], change[0]);
        saddle_wrench_to_outer(&def->frame_a, change[0], K[moved] + 6 * (k % 6));
        saddle_wrench_to_outer(&def->frame_b, change[1], K[2 + moved] + 6 * (k % 6));
    }
}

/* ---- the constraint ---- */

/* The message gets the name of the joint from the caller. */
static saddle_status fail_undefined(saddle_context *context, const saddle__joint *joint, int f)
{
    if (joint->used.kind == SADDLE_JOINT_MOTION)
        return saddle_fail(context, SADDLE_SINGULAR,
                           "no coordinates of the motion are found near the last ones: out of "
                           "range, or singular");
    return saddle_fail(context, SADDLE_SINGULAR,
                       "free coordinate %d of a %s is not defined here: %s", f - joint->locked + 1,
                       saddle_joint_kind_word(joint->used.kind),
                       joint->used.kind == SADDLE_JOINT_BALL ? "gimbal lock"
                                                             : "its axis is turned too far");
}

static saddle_status evaluate(saddle_context *context, const saddle_site *site,
                              saddle_constraint_values *values)
{
    const saddle__joint *joint = site->data;
    joint_place place;
    joint_value value[SADDLE__JOINT_FUNCTIONS_MAX];
    double wrench[SADDLE__JOINT_FUNCTIONS_MAX][2][6];
    if (joint->rows == 0) return SADDLE_OK;
    place_of(&joint->used, &joint->guide, site, joint->has_log, 1, &place);
    for (int f = 0; f < joint->functions; f++) {
        if (!(joint->used_functions >> f & 1)) continue;
        if (!function_at(&joint->function[f], &place, &value[f], NULL))
            return fail_undefined(context, joint, f);
        wrenches(&joint->used, &place, value[f].l, value[f].g, wrench[f][0], wrench[f][1]);
    }
    for (int i = 0; i < joint->rows; i++) {
        const saddle__joint_row *row = &joint->row[i];
        values->phi[i] = row->sign * with_turns(&joint->function[row->function],
                                                value[row->function].value,
                                                joint->angle[row->function]) +
                         row->offset + row->rate * site->time;
        values->rate[i] = row->rate;
        if (row->held) {
            values->phi[i] = 0;
            values->rate[i] = -joint->prescribed.told.velocity[row->held - 1];
        }
        for (int k = 0; k < 2; k++) {
            const int64_t size = site->size[k];
            for (int64_t j = 0; j < size; j++)
                values->J[k][i * size + j] = row->sign * wrench[row->function][k][j];
        }
    }
    return SADDLE_OK;
}

static saddle_status drift(saddle_context *context, const saddle_site *site, double *result)
{
    const saddle__joint *joint = site->data;
    joint_place place;
    joint_motion motion;
    double second[SADDLE__JOINT_FUNCTIONS_MAX];
    if (joint->rows == 0) return SADDLE_OK;
    place_of(&joint->used, &joint->guide, site, joint->has_log, 2, &place);
    motion_of(&joint->used, &place, site, &motion);
    for (int f = 0; f < joint->functions; f++) {
        joint_value value;
        double H[9];
        if (!(joint->used_functions >> f & 1)) continue;
        if (!function_at(&joint->function[f], &place, &value, H))
            return fail_undefined(context, joint, f);
        second[f] = joint->function[f].kind == SADDLE__JOINT_PATH
                        ? second_rate_along(joint->function[f].at[0], &place, &motion)
                        : second_rate(&value, H, &motion);
    }
    for (int i = 0; i < joint->rows; i++) {
        const saddle__joint_row *row = &joint->row[i];
        result[i] = row->sign * second[row->function];
        if (row->held) result[i] -= joint->prescribed.told.acceleration[row->held - 1];
    }
    return SADDLE_OK;
}

static saddle_status stiffness(saddle_context *context, const saddle_site *site,
                               const double *force, double *const *K)
{
    const saddle__joint *joint = site->data;
    joint_place place;
    double weight[SADDLE__JOINT_FUNCTIONS_MAX] = {0}, P[3] = {0}, G[3] = {0}, H[9] = {0},
           block[4][36];
    if (joint->rows == 0) return SADDLE_OK;
    place_of(&joint->used, &joint->guide, site, joint->has_log, 2, &place);
    for (int i = 0; i < joint->rows; i++)
        weight[joint->row[i].function] += joint->row[i].sign * force[i];
    for (int f = 0; f < joint->functions; f++) {
        joint_value value;
        double curvature[9];
        if (weight[f] == 0) continue;
        if (!function_at(&joint->function[f], &place, &value, curvature))
            return fail_undefined(context, joint, f);
        for (int i = 0; i < 3; i++) P[i] += weight[f] * value.l[i];
        for (int i = 0; i < 3; i++) G[i] += weight[f] * value.g[i];
        for (int i = 0; i < 9; i++) H[i] += weight[f] * curvature[i];
    }
    if (joint->used.kind == SADDLE_JOINT_MOTION)
        path_stiffness(&joint->used, &place, weight, block);
    else
        wrench_stiffness(&joint->used, &place, P, G, H, block);
    for (int k = 0; k < 4; k++) {
        const int64_t rows = site->size[k / 2], cols = site->size[k % 2];
        for (int64_t j = 0; j < cols; j++) {
            for (int64_t i = 0; i < rows; i++) K[k][i + rows * j] = block[k][i + 6 * j];
        }
    }
    return SADDLE_OK;
}

/* ---- loads ---- */

void saddle__joint_load(const saddle__joint *joint, const saddle_site *site, const double *lambda,
                        double *W)
{
    joint_place place;
    place_of(&joint->used, NULL, site, joint->has_log, 0, &place);
    memset(W, 0, 6 * sizeof *W);
    for (int i = 0; i < joint->rows && joint->row[i].function < joint->locked; i++) {
        joint_value value;
        (void)function_at(&joint->function[joint->row[i].function], &place, &value, NULL);
        for (int a = 0; a < 3; a++) W[a] += lambda[i] * value.l[a];
        for (int a = 0; a < 3; a++) W[3 + a] += lambda[i] * value.g[a];
    }
}

/* ---- turns ---- */

static void count_turns(const saddle_site *site, void *data)
{
    saddle__joint *joint = data;
    joint_place place;
    if (joint->used.kind == SADDLE_JOINT_MOTION) {
        const saddle_pose E = relative_pose(&joint->used, site);
        (void)saddle__joint_path_settle(&joint->used.motion, &E, &joint->guide);
        return;
    }
    place_of(&joint->used, NULL, site, 0, 0, &place);
    for (int f = joint->locked; f < joint->locked + joint->free; f++) {
        joint_value value;
        if (!joint->function[f].turns || !function_at(&joint->function[f], &place, &value, NULL))
            continue;
        joint->angle[f] = with_turns(&joint->function[f], value.value, joint->angle[f]);
    }
}

const saddle__joint_class saddle__joints = {{"joint", evaluate, drift, stiffness}, count_turns};

/* ---- coordinates ---- */

saddle_status saddle_model_joint_coordinates(saddle_model *model, saddle_handle handle, double *q,
                                             double *dq)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model, "model is NULL");
    const saddle__item_link *found = saddle__model_constraint(model, handle);
    const saddle__joint *joint = saddle__joint_of(model, handle);
    if (!joint) return saddle__refuse_item(model, "", handle, " is no joint");
    saddle__site_buffer buffer;
    joint_place place;
    joint_motion motion;
    const saddle_site site = saddle__model_site(model, 2, found->anchors, joint, &buffer);
    place_of(&joint->used, &joint->guide, &site, 0, 1, &place);
    motion_of(&joint->used, &place, &site, &motion);
    for (int f = joint->locked; f < joint->locked + joint->free; f++) {
        joint_value value;
        if (!function_at(&joint->function[f], &place, &value, NULL))
            return saddle__model_pass_on(model, handle, fail_undefined(model->context, joint, f));
        if (q) q[f - joint->locked] = with_turns(&joint->function[f], value.value, joint->angle[f]);
        if (dq) {
            dq[f - joint->locked] = saddle__dot(value.l, motion.dp) +
                                    saddle__dot(value.g, motion.omega);
        }
    }
    return SADDLE_OK;
}

/* ---- one coordinate ---- */

int saddle__coordinate_at(const saddle__coordinate *coordinate, const saddle_site *site, int second,
                          saddle__coordinate_value *at)
{
    const saddle_joint_def *def = &coordinate->def;
    joint_place place;
    joint_value value;
    joint_motion motion;
    double H[9];
    *at = (saddle__coordinate_value){0};
    place_of(def, &coordinate->guide, site, 0, second ? 2 : 1, &place);
    if (!function_at(&coordinate->function, &place, &value, H)) return 0;
    wrenches(def, &place, value.l, value.g, at->J[0], at->J[1]);
    at->q = with_turns(&coordinate->function, value.value, coordinate->angle);
    for (int k = 0; k < 2; k++)
        for (int64_t j = 0; j < site->size[k]; j++) at->dq += at->J[k][j] * site->velocity[k][j];
    if (!second) return 1;
    motion_of(def, &place, site, &motion);
    if (def->kind == SADDLE_JOINT_MOTION) {
        double weight[6] = {0};
        weight[coordinate->function.at[0]] = 1;
        at->drift = second_rate_along(coordinate->function.at[0], &place, &motion);
        path_stiffness(def, &place, weight, at->G);
        return 1;
    }
    at->drift = second_rate(&value, H, &motion);
    wrench_stiffness(def, &place, value.l, value.g, H, at->G);
    return 1;
}

void saddle__coordinate_moved(saddle__coordinate *coordinate, const saddle_site *site)
{
    saddle__coordinate_value at;
    if (coordinate->def.kind == SADDLE_JOINT_MOTION) {
        const saddle_pose E = relative_pose(&coordinate->def, site);
        (void)saddle__joint_path_settle(&coordinate->def.motion, &E, &coordinate->guide);
    } else if (saddle__coordinate_at(coordinate, site, 0, &at)) {
        coordinate->angle = at.q;
    }
}
