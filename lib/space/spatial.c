/* SPDX-License-Identifier: MIT */
/* Rotations: exponential, logarithm and their Jacobians; quaternions, scalar first; roll, pitch and
 * yaw, R = R_z(theta) R_y(phi) R_x(psi), with rates and the derivative of the rates
 * (saddle/rotation.h; Lloyd, ArtiSynth mechanics notes, sections 0.2 and 0.4: docs/references.md).
 *
 * Poses: products, points, exponential and logarithm.  Twists and wrenches in other frames and with
 * each other, linear part first (saddle/spatial.h; Sueda, Rigid Body Dynamics Notes, section 1:
 * docs/references.md).  Jacobians of the exponential on SE(3):
 *
 *     Jl(u) = [A Q; 0 A],  Jl^-1 = [A^-1  -A^-1 Q A^-1; 0  A^-1],  A = Jl(omega)
 *     Q = 1/2 N + c3 (P N + N P + P N P) + c4 (P P N + N P P - 3 P N P)
 *               + (c4 - 3 c5)/2 (P N P P + P P N P)
 *
 * P = [omega], N = [nu], c_k = sum_j (-1)^j x^(2 j) / (2 j + k)!, x = |omega| (Barfoot and Furgale
 * 2014, 102, with the coefficients in sines and cosines).
 */
#include <float.h>
#include <math.h>

#include "base/context_internal.h"
#include "base/tolerances.h"
#include "saddle/rotation.h"
#include "space/space.h"

/* ---- exponential and logarithm ---- */

/* c_k = sum_j (-1)^j x^(2 j) / (2 j + k)!: sin(x)/x, (1 - cos x)/x^2, (x - sin x)/x^3, (x^2/2 - 1 +
 * cos x)/x^4, (x^3/6 - x + sin x)/x^5; each to rounding. */
typedef struct coefficients {
    double c1, c2, c3, c4, c5;
} coefficients;

/* Below 2: c_4, c_5 by their series, the others by c_k = 1/k! - x^2 c_(k+2) without
 * cancellation; above 2: upwards. */
static coefficients exponential_coefficients(double x)
{
    coefficients c;
    double y = x * x;
    if (x < 2) {
        double fourth = 1;
        double fifth = 1;
        for (int j = 11; j >= 1; j--) { /* nested: 1/4! (1 - y/(5 6) (1 - y/(7 8) (..)) */
            fourth = 1 - y / ((2 * j + 3) * (2 * j + 4)) * fourth;
            fifth = 1 - y / ((2 * j + 4) * (2 * j + 5)) * fifth;
        }
        c.c5 = fifth / 120;
        c.c4 = fourth / 24;
        c.c3 = 1.0 / 6 - y * c.c5;
        c.c2 = 0.5 - y * c.c4;
        c.c1 = 1 - y * c.c3;
        return c;
    }
    double half = sin(x / 2) / x;
    c.c1 = sin(x) / x;
    c.c2 = 2 * half * half;
    c.c3 = (1 - c.c1) / y;
    c.c4 = (0.5 - c.c2) / y;
    c.c5 = (1.0 / 6 - c.c3) / y;
    return c;
}

/* [phi]^2 = phi phi' - |phi|^2 I */
static void rotation_polynomial(const double *phi, double a, double b, double *A)
{
    double W[9];
    double square = saddle__dot(phi, phi);
    saddle__skew(phi, W);
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            A[i + 3 * j] = a * W[i + 3 * j] + b * phi[i] * phi[j] + (i == j ? 1 - b * square : 0);
}

void saddle_rotation_exp(const double *phi, double *R)
{
    if (!phi || !R) return;
    const coefficients c = exponential_coefficients(sqrt(saddle__dot(phi, phi)));
    rotation_polynomial(phi, c.c1, c.c2, R);
}

void saddle_rotation_log(const double *R, double *phi)
{
    if (!R || !phi) return;
    double q[4];
    saddle_quaternion_from_matrix(R, q);
    saddle_quaternion_log(q, phi);
}

/* I + side c2 [phi] + c3 [phi]^2 */
static void jacobian(const double *phi, double side, double *J)
{
    const coefficients c = exponential_coefficients(sqrt(saddle__dot(phi, phi)));
    rotation_polynomial(phi, side * c.c2, c.c3, J);
}

void saddle_rotation_left_jacobian(const double *phi, double *Jl)
{
    if (!phi || !Jl) return;
    jacobian(phi, 1, Jl);
}

void saddle_rotation_right_jacobian(const double *phi, double *Jr)
{
    if (!phi || !Jr) return;
    jacobian(phi, -1, Jr);
}

/* Jr = I - c2 P + c3 P P, P = [phi]; dc_k/dt = (k c_(k+2) - c_(k+1)) phi'dphi */
void saddle_rotation_right_jacobian_rate(const double *phi, const double *dphi, double *dJr)
{
    if (!phi || !dphi || !dJr) return;
    const coefficients c = exponential_coefficients(sqrt(saddle__dot(phi, phi)));
    const double growth = saddle__dot(phi, dphi);
    const double dc2 = (2 * c.c4 - c.c3) * growth;
    const double dc3 = (3 * c.c5 - c.c4) * growth;
    double P[9], dP[9], PP[9], PdP[9], dPP[9];
    saddle__skew(phi, P);
    saddle__skew(dphi, dP);
    saddle__product3(P, P, PP);
    saddle__product3(P, dP, PdP);
    saddle__product3(dP, P, dPP);
    for (int i = 0; i < 9; i++)
        dJr[i] = dc3 * PP[i] + c.c3 * (PdP[i] + dPP[i]) - dc2 * P[i] - c.c2 * dP[i];
}

/* (1 - x/2 cot(x/2))/x^2; below 2 as (c3 - 2 c4)/(2 c2), where nothing cancels. */
static saddle_status inverse_jacobian(saddle_context *context, const double *phi, double side,
                                      double *inverse)
{
    double x = sqrt(saddle__dot(phi, phi));
    const coefficients c = exponential_coefficients(x);
    if (x >= 2 && fabs(sin(x / 2)) < 0.5e-8)
        return saddle_fail(
            context, SADDLE_SINGULAR,
            "a rotation by %.17g, whole turns: its exponential does not change about "
            "all axes",
            x);
    double b = x < 2 ? (c.c3 - 2 * c.c4) / (2 * c.c2) : (1 - x / 2 / tan(x / 2)) / (x * x);
    rotation_polynomial(phi, -0.5 * side, b, inverse);
    return SADDLE_OK;
}

saddle_status saddle_rotation_left_jacobian_inverse(saddle_context *context, const double *phi,
                                                    double *inverse)
{
    SADDLE__RETURN_UNLESS(context, phi && inverse, "phi or inverse is NULL");
    return inverse_jacobian(context, phi, 1, inverse);
}

saddle_status saddle_rotation_right_jacobian_inverse(saddle_context *context, const double *phi,
                                                     double *inverse)
{
    SADDLE__RETURN_UNLESS(context, phi && inverse, "phi or inverse is NULL");
    return inverse_jacobian(context, phi, -1, inverse);
}

/* ---- quaternions ---- */

static double square(const double *q)
{
    return q[0] * q[0] + saddle__dot(q + 1, q + 1);
}

void saddle_quaternion_multiply(const double *q, const double *p, double *qp)
{
    if (!q || !p || !qp) return;
    double cross[3];
    saddle__cross(q + 1, p + 1, cross);
    double scalar = q[0] * p[0] - saddle__dot(q + 1, p + 1);
    const double vector[3] = {q[0] * p[1] + p[0] * q[1] + cross[0],
                              q[0] * p[2] + p[0] * q[2] + cross[1],
                              q[0] * p[3] + p[0] * q[3] + cross[2]};
    qp[0] = scalar;
    memcpy(qp + 1, vector, sizeof vector);
}

void saddle_quaternion_conjugate(const double *q, double *conjugate)
{
    if (!q || !conjugate) return;
    conjugate[0] = q[0];
    for (int i = 1; i < 4; i++) conjugate[i] = -q[i];
}

saddle_status saddle_quaternion_normalize(saddle_context *context, double *q)
{
    SADDLE__RETURN_UNLESS(context, q, "q is NULL");
    double largest = 0;
    for (int i = 0; i < 4; i++) {
        if (!isfinite(q[i]))
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "quaternion: entry %d is %g",
                               i + 1, q[i]);
        largest = fmax(largest, fabs(q[i]));
    }
    if (largest == 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "quaternion: all its entries are zero");
    for (int i = 0; i < 4; i++) q[i] /= largest;
    double length = sqrt(square(q));
    for (int i = 0; i < 4; i++) q[i] /= length;
    return SADDLE_OK;
}

void saddle_quaternion_rotate(const double *q, const double *x, double *image)
{
    if (!q || !x || !image) return;
    double t[3];
    double u[3];
    double scale = 2 / square(q);
    saddle__cross(q + 1, x, t);
    saddle__cross(q + 1, t, u);
    for (int i = 0; i < 3; i++) image[i] = x[i] + scale * (q[0] * t[i] + u[i]);
}

void saddle_quaternion_to_matrix(const double *q, double *R)
{
    if (!q || !R) return;
    double r = 2 / square(q);
    double s = q[0];
    double x = q[1];
    double y = q[2];
    double z = q[3];
    const double by_columns[9] = {1 - r * (y * y + z * z), r * (x * y + s * z),
                                  r * (x * z - s * y),     r * (x * y - s * z),
                                  1 - r * (x * x + z * z), r * (y * z + s * x),
                                  r * (x * z + s * y),     r * (y * z - s * x),
                                  1 - r * (x * x + y * y)};
    memcpy(R, by_columns, sizeof by_columns);
}

/* R's diagonal holds four times the square of each entry; the largest is taken from the
 * diagonal, the others from its products (Shepperd 1978). */
void saddle_quaternion_from_matrix(const double *R, double *q)
{
    if (!R || !q) return;
    double trace = R[0] + R[4] + R[8];
    double four_squares[4] = {1 + trace, 1 - trace + 2 * R[0], 1 - trace + 2 * R[4],
                              1 - trace + 2 * R[8]};
    const double sx = R[5] - R[7], sy = R[6] - R[2], sz = R[1] - R[3];
    const double xy = R[1] + R[3], xz = R[2] + R[6], yz = R[5] + R[7];
    const double products[4][4] = {{four_squares[0], sx, sy, sz},
                                   {sx, four_squares[1], xy, xz},
                                   {sy, xy, four_squares[2], yz},
                                   {sz, xz, yz, four_squares[3]}};
    int largest = 0;
    for (int i = 1; i < 4; i++)
        if (four_squares[i] > four_squares[largest]) largest = i;
    const double *row = products[largest];
    double length = copysign(sqrt(square(row)), row[0]);
    for (int i = 0; i < 4; i++) q[i] = row[i] / length;
}

/* 4 x 3: (-v'; s I + side [v]) / 2 */
static void rate_map(const double *q, double side, double *A)
{
    double W[9];
    saddle__skew(q + 1, W);
    for (int j = 0; j < 3; j++) {
        A[4 * j] = -q[j + 1] / 2;
        for (int i = 0; i < 3; i++)
            A[4 * j + i + 1] = ((i == j ? q[0] : 0) + side * W[3 * j + i]) / 2;
    }
}

void saddle_quaternion_map_body(const double *q, double *B)
{
    if (!q || !B) return;
    rate_map(q, 1, B);
}

void saddle_quaternion_map_world(const double *q, double *W)
{
    if (!q || !W) return;
    rate_map(q, -1, W);
}

void saddle_quaternion_rate_body(const double *q, const double *omega_body, double *dq)
{
    if (!q || !omega_body || !dq) return;
    const double half[4] = {0, omega_body[0] / 2, omega_body[1] / 2, omega_body[2] / 2};
    saddle_quaternion_multiply(q, half, dq);
}

void saddle_quaternion_rate_world(const double *q, const double *omega_world, double *dq)
{
    if (!q || !omega_world || !dq) return;
    const double half[4] = {0, omega_world[0] / 2, omega_world[1] / 2, omega_world[2] / 2};
    saddle_quaternion_multiply(half, q, dq);
}

/* omega = 2 (vector part of the product) / |q|^2 */
static void twice_vector(const double *product, double length_squared, double *omega)
{
    for (int i = 0; i < 3; i++) omega[i] = 2 * product[i + 1] / length_squared;
}

void saddle_quaternion_velocity_body(const double *q, const double *dq, double *omega_body)
{
    if (!q || !dq || !omega_body) return;
    double product[4];
    saddle_quaternion_conjugate(q, product);
    saddle_quaternion_multiply(product, dq, product);
    twice_vector(product, square(q), omega_body);
}

void saddle_quaternion_velocity_world(const double *q, const double *dq, double *omega_world)
{
    if (!q || !dq || !omega_world) return;
    double product[4];
    saddle_quaternion_conjugate(q, product);
    saddle_quaternion_multiply(dq, product, product);
    twice_vector(product, square(q), omega_world);
}

/* (cos(x/2), sin(x/2)/x phi) */
void saddle_quaternion_exp(const double *phi, double *q)
{
    if (!phi || !q) return;
    double x = sqrt(saddle__dot(phi, phi));
    double ratio = x > 0 ? sin(x / 2) / x : 0.5;
    q[0] = cos(x / 2);
    for (int i = 0; i < 3; i++) q[i + 1] = ratio * phi[i];
}

void saddle_quaternion_log(const double *q, double *phi)
{
    if (!q || !phi) return;
    double v = hypot(hypot(q[1], q[2]), q[3]);
    double ratio = v > 0 ? 2 * atan2(v, fabs(q[0])) / v : 0;
    for (int i = 0; i < 3; i++) phi[i] = (q[0] < 0 ? -ratio : ratio) * q[i + 1];
}

static void turn_by(const double *omega, double h, double *turn)
{
    const double phi[3] = {h * omega[0], h * omega[1], h * omega[2]};
    saddle_quaternion_exp(phi, turn);
}

void saddle_quaternion_advance_body(const double *q, const double *omega_body, double h,
                                    double *next)
{
    if (!q || !omega_body || !next) return;
    double turn[4];
    turn_by(omega_body, h, turn);
    saddle_quaternion_multiply(q, turn, next);
}

void saddle_quaternion_advance_world(const double *q, const double *omega_world, double h,
                                     double *next)
{
    if (!q || !omega_world || !next) return;
    double turn[4];
    turn_by(omega_world, h, turn);
    saddle_quaternion_multiply(turn, q, next);
}

/* ---- roll, pitch, yaw ---- */

void saddle_rpy_to_matrix(const double *rpy, double *R)
{
    if (!rpy || !R) return;
    double ct = cos(rpy[2]), st = sin(rpy[2]);
    double cp = cos(rpy[1]), sp = sin(rpy[1]);
    double cs = cos(rpy[0]), ss = sin(rpy[0]);
    const double by_columns[9] = {ct * cp,
                                  st * cp,
                                  -sp,
                                  ct * sp * ss - st * cs,
                                  st * sp * ss + ct * cs,
                                  cp * ss,
                                  ct * sp * cs + st * ss,
                                  st * sp * cs - ct * ss,
                                  cp * cs};
    memcpy(R, by_columns, sizeof by_columns);
}

/* roll psi from R_z(theta)'R, theta the yaw, with second row (0, cos psi, -sin psi): consistent
 * with any theta near the lock. */
void saddle_rpy_from_matrix(const double *R, double *rpy)
{
    if (!R || !rpy) return;
    double cosine = hypot(R[0], R[1]);
    double theta = cosine > DBL_EPSILON ? atan2(R[1], R[0]) : 0;
    double c = cos(theta);
    double s = sin(theta);
    rpy[1] = atan2(-R[2], cosine);
    rpy[0] = atan2(s * R[6] - c * R[7], c * R[4] - s * R[3]);
    rpy[2] = theta;
}

void saddle_rpy_rates(const double *rpy, double *A)
{
    if (!rpy || !A) return;
    double ct = cos(rpy[2]), st = sin(rpy[2]);
    double cp = cos(rpy[1]), sp = sin(rpy[1]);
    const double by_columns[9] = {ct * cp, st * cp, -sp, -st, ct, 0, 0, 0, 1};
    memcpy(A, by_columns, sizeof by_columns);
}

/* |cos phi| vanishes: theta and psi turn about the same axis. */
static saddle_status fail_locked(saddle_context *context, double phi)
{
    return saddle_fail(context, SADDLE_SINGULAR,
                       "gimbal lock: at a pitch of %.17g roll and yaw turn about one axis", phi);
}

saddle_status saddle_rpy_rates_inverse(saddle_context *context, const double *rpy, double *inverse)
{
    SADDLE__RETURN_UNLESS(context, rpy && inverse, "rpy or inverse is NULL");
    double ct = cos(rpy[2]), st = sin(rpy[2]);
    double cp = cos(rpy[1]), sp = sin(rpy[1]);
    if (!(fabs(cp) >= SADDLE__HALF_DIGITS)) return fail_locked(context, rpy[1]);
    const double by_columns[9] = {ct / cp, -st, sp * ct / cp, st / cp, ct, sp * st / cp, 0, 0, 1};
    memcpy(inverse, by_columns, sizeof by_columns);
    return SADDLE_OK;
}

saddle_status saddle_rpy_rates_inverse_derivative(saddle_context *context, const double *rpy,
                                                  const double *drpy, double *derivative)
{
    SADDLE__RETURN_UNLESS(context, rpy && drpy && derivative, "rpy, drpy or derivative is NULL");
    double ct = cos(rpy[2]), st = sin(rpy[2]);
    double cp = cos(rpy[1]), tp = tan(rpy[1]);
    double dt = drpy[2];
    double dp = drpy[1];
    if (!(fabs(cp) >= SADDLE__HALF_DIGITS)) return fail_locked(context, rpy[1]);
    const double by_columns[9] = {(-st * dt + ct * tp * dp) / cp,
                                  -ct * dt,
                                  -st * tp * dt + (1 + tp * tp) * ct * dp,
                                  (ct * dt + st * tp * dp) / cp,
                                  -st * dt,
                                  ct * tp * dt + (1 + tp * tp) * st * dp,
                                  0,
                                  0,
                                  0};
    memcpy(derivative, by_columns, sizeof by_columns);
    return SADDLE_OK;
}

/* ---- poses ---- */

saddle_pose saddle_pose_identity(void)
{
    return (saddle_pose){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

saddle_pose saddle_pose_multiply(const saddle_pose *A, const saddle_pose *B)
{
    if (!A || !B) return (saddle_pose){0};
    saddle_pose C;
    saddle__product3(A->R, B->R, C.R);
    saddle__rotate(A->R, B->p, C.p);
    for (int i = 0; i < 3; i++) C.p[i] += A->p[i];
    return C;
}

saddle_pose saddle_pose_between(const saddle_pose *A, const saddle_pose *B)
{
    if (!A || !B) return (saddle_pose){0};
    saddle_pose C;
    saddle__transposed_product3(A->R, B->R, C.R);
    const double arm[3] = {B->p[0] - A->p[0], B->p[1] - A->p[1], B->p[2] - A->p[2]};
    saddle__unrotate(A->R, arm, C.p);
    return C;
}

saddle_pose saddle_pose_inverse(const saddle_pose *A)
{
    if (!A) return (saddle_pose){0};
    saddle_pose identity = saddle_pose_identity();
    return saddle_pose_between(A, &identity);
}

void saddle_pose_point(const saddle_pose *pose, const double *X, double *x)
{
    if (!pose || !X || !x) return;
    saddle__rotate(pose->R, X, x);
    for (int i = 0; i < 3; i++) x[i] += pose->p[i];
}

void saddle_pose_point_inverse(const saddle_pose *pose, const double *x, double *X)
{
    if (!pose || !x || !X) return;
    const double arm[3] = {x[0] - pose->p[0], x[1] - pose->p[1], x[2] - pose->p[2]};
    saddle__unrotate(pose->R, arm, X);
}

/* R = exp([omega]), p = Jl(omega) nu */
saddle_pose saddle_pose_exp(const double *twist)
{
    if (!twist) return (saddle_pose){0};
    const double *omega = twist + 3;
    double V[9];
    saddle_pose Q;
    const coefficients c = exponential_coefficients(sqrt(saddle__dot(omega, omega)));
    rotation_polynomial(omega, c.c1, c.c2, Q.R);
    rotation_polynomial(omega, c.c2, c.c3, V);
    saddle__rotate(V, twist, Q.p);
    return Q;
}

/* |omega| <= pi, where Jl can be inverted. */
void saddle_pose_log(const saddle_pose *pose, double *twist)
{
    if (!pose || !twist) return;
    double V[9] = {0};
    double omega[3];
    saddle_rotation_log(pose->R, omega);
    (void)saddle_rotation_left_jacobian_inverse(NULL, omega, V);
    saddle__rotate(V, pose->p, twist);
    memcpy(twist + 3, omega, sizeof omega);
}

static void transpose6(double *A)
{
    for (int j = 0; j < 6; j++)
        for (int i = 0; i < j; i++) {
            double upper = A[i + 6 * j];
            A[i + 6 * j] = A[j + 6 * i];
            A[j + 6 * i] = upper;
        }
}

/* ---- from frame to frame ---- */

void saddle_pose_adjoint(const saddle_pose *T, double *A)
{
    if (!T || !A) return;
    double arm[9];
    saddle__skew(T->p, arm);
    saddle__product3(arm, T->R, arm);
    saddle__join3(T->R, arm, NULL, T->R, A);
}

void saddle_pose_adjoint_inverse(const saddle_pose *T, double *A)
{
    if (!T || !A) return;
    saddle_pose_coadjoint(T, A);
    transpose6(A);
}

void saddle_pose_coadjoint(const saddle_pose *T, double *A)
{
    if (!T || !A) return;
    double arm[9];
    saddle__skew(T->p, arm);
    saddle__product3(arm, T->R, arm);
    saddle__join3(T->R, NULL, arm, T->R, A);
}

/* The free part of a twist or wrench is the same at every point; the bound part belongs to the
 * origin, and gains p x free as the origin moves back by p. */
static void outward(const saddle_pose *T, const double *bound, const double *free,
                    double *out_bound, double *out_free)
{
    double turned[3];
    double moved[3];
    double gain[3];
    saddle__rotate(T->R, free, turned);
    saddle__rotate(T->R, bound, moved);
    saddle__cross(T->p, turned, gain);
    for (int i = 0; i < 3; i++) {
        out_bound[i] = moved[i] + gain[i];
        out_free[i] = turned[i];
    }
}

static void inward(const saddle_pose *T, const double *bound, const double *free, double *out_bound,
                   double *out_free)
{
    double gain[3];
    double moved[3];
    saddle__cross(T->p, free, gain);
    for (int i = 0; i < 3; i++) moved[i] = bound[i] - gain[i];
    saddle__unrotate(T->R, free, out_free);
    saddle__unrotate(T->R, moved, out_bound);
}

void saddle_twist_to_outer(const saddle_pose *T, const double *inner, double *outer)
{
    if (!T || !inner || !outer) return;
    outward(T, inner, inner + 3, outer, outer + 3);
}

void saddle_twist_to_inner(const saddle_pose *T, const double *outer, double *inner)
{
    if (!T || !outer || !inner) return;
    inward(T, outer, outer + 3, inner, inner + 3);
}

void saddle_wrench_to_outer(const saddle_pose *T, const double *inner, double *outer)
{
    if (!T || !inner || !outer) return;
    outward(T, inner + 3, inner, outer + 3, outer);
}

void saddle_wrench_to_inner(const saddle_pose *T, const double *outer, double *inner)
{
    if (!T || !outer || !inner) return;
    inward(T, outer + 3, outer, inner + 3, inner);
}

/* A X, then (A (A X)')' = A X A' with A = Ad(T)^-T. */
void saddle_pose_congruence(const saddle_pose *T, const double *inner, double *outer)
{
    if (!T || !inner || !outer) return;
    if (outer != inner) memcpy(outer, inner, 36 * sizeof *outer);
    for (int side = 0; side < 2; side++) {
        for (int j = 0; j < 6; j++) saddle_wrench_to_outer(T, outer + 6 * j, outer + 6 * j);
        transpose6(outer);
    }
}

/* ---- with each other ---- */

void saddle_twist_adjoint(const double *s, double *A)
{
    if (!s || !A) return;
    double linear[9];
    double angular[9];
    saddle__skew(s, linear);
    saddle__skew(s + 3, angular);
    saddle__join3(angular, linear, NULL, angular, A);
}

void saddle_twist_coadjoint(const double *s, double *A)
{
    if (!s || !A) return;
    saddle_twist_adjoint(s, A);
    transpose6(A);
}

/* a = b x c + d x e */
static void two_crosses(const double *b, const double *c, const double *d, const double *e,
                        double *a)
{
    double other[3];
    saddle__cross(d, e, other);
    saddle__cross(b, c, a);
    for (int i = 0; i < 3; i++) a[i] += other[i];
}

void saddle_twist_cross(const double *s, const double *u, double *bracket)
{
    if (!s || !u || !bracket) return;
    double result[6];
    two_crosses(s + 3, u, s, u + 3, result);
    saddle__cross(s + 3, u + 3, result + 3);
    memcpy(bracket, result, sizeof result);
}

void saddle_twist_cross_dual(const double *s, const double *F, double *dual)
{
    if (!s || !F || !dual) return;
    double result[6];
    saddle__cross(F, s + 3, result);
    two_crosses(F, s, F + 3, s + 3, result + 3);
    memcpy(dual, result, sizeof result);
}

/* ---- points ---- */

void saddle_point_jacobian(const double *x, double *gamma)
{
    if (!x || !gamma) return;
    const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double back[3] = {-x[0], -x[1], -x[2]};
    memcpy(gamma, identity, sizeof identity);
    saddle__skew(back, gamma + 9);
}

void saddle_pose_point_jacobian(const saddle_pose *pose, const double *x, double *J)
{
    if (!pose || !x || !J) return;
    saddle_point_jacobian(x, J);
    saddle__product3(pose->R, J, J);
    saddle__product3(pose->R, J + 9, J + 9);
}

/* ---- Jacobians of the exponential ---- */

/* A (3 x 3) += a (X + Y) */
static void add(double *A, double a, const double *X, const double *Y)
{
    for (int i = 0; i < 9; i++) A[i] += a * (X[i] + Y[i]);
}

static void coupling(const double *u, double *Q)
{
    double N[9], P[9], PN[9], NP[9], PNP[9], PPN[9], NPP[9], PNPP[9], PPNP[9];
    const coefficients c = exponential_coefficients(sqrt(saddle__dot(u + 3, u + 3)));
    saddle__skew(u, N);
    saddle__skew(u + 3, P);
    saddle__product3(P, N, PN);
    saddle__product3(N, P, NP);
    saddle__product3(PN, P, PNP);
    saddle__product3(P, PN, PPN);
    saddle__product3(NP, P, NPP);
    saddle__product3(PNP, P, PNPP);
    saddle__product3(P, PNP, PPNP);
    for (int i = 0; i < 9; i++) Q[i] = N[i] / 2 + (c.c3 - 3 * c.c4) * PNP[i];
    add(Q, c.c3, PN, NP);
    add(Q, c.c4, PPN, NPP);
    add(Q, (c.c4 - 3 * c.c5) / 2, PNPP, PPNP);
}

void saddle_twist_left_jacobian(const double *u, double *J)
{
    if (!u || !J) return;
    double A[9];
    double Q[9];
    saddle_rotation_left_jacobian(u + 3, A);
    coupling(u, Q);
    saddle__join3(A, Q, NULL, A, J);
}

saddle_status saddle_twist_left_jacobian_inverse(saddle_context *context, const double *u,
                                                 double *inverse)
{
    SADDLE__RETURN_UNLESS(context, u && inverse, "u or inverse is NULL");
    double A[9];
    double Q[9];
    SADDLE__TRY(saddle_rotation_left_jacobian_inverse(context, u + 3, A));
    coupling(u, Q);
    saddle__product3(A, Q, Q);
    saddle__product3(Q, A, Q);
    for (int i = 0; i < 9; i++) Q[i] = -Q[i];
    saddle__join3(A, Q, NULL, A, inverse);
    return SADDLE_OK;
}

static void turn_back(const double *u, double *back)
{
    for (int i = 0; i < 6; i++) back[i] = -u[i];
}

void saddle_twist_right_jacobian(const double *u, double *J)
{
    if (!u || !J) return;
    double back[6];
    turn_back(u, back);
    saddle_twist_left_jacobian(back, J);
}

saddle_status saddle_twist_right_jacobian_inverse(saddle_context *context, const double *u,
                                                  double *inverse)
{
    SADDLE__RETURN_UNLESS(context, u && inverse, "u or inverse is NULL");
    double back[6];
    turn_back(u, back);
    return saddle_twist_left_jacobian_inverse(context, back, inverse);
}
