/* SPDX-License-Identifier: MIT */
/* Rotations: matrices, unit quaternions, rotation vectors, roll-pitch-yaw angles, and their rates.
 *
 *     R     3 x 3 by columns, frame -> world: x = R X;
 *           dR/dt = R [omega] = [omega_world] R,  omega_world = R omega
 *     q     4, scalar first: (cos(angle / 2), sin(angle / 2) axis); q and -q are the same rotation
 *           (Lloyd, ArtiSynth mechanics notes, section 0.2)
 *     phi   3, axis times angle [rad]: R = exp([phi]), q = exp((0, phi / 2))
 *     rpy   3, (roll, pitch, yaw) [rad] about the fixed axes x, then y, then z, as in scene files
 *           and URDF:  R = R_z(yaw) R_y(pitch) R_x(roll)
 *           (Lloyd, the same, section 0.4: psi = roll, phi = pitch, theta = yaw)
 *
 * [a] b = a x b.  Angular velocities are in body axes or in world axes, by name [rad/s].  Outputs
 * may be inputs.  References: docs/references.md.
 */
#ifndef SADDLE_ROTATION_H
#define SADDLE_ROTATION_H

#include "saddle/context.h"

SADDLE_BEGIN_DECLARATIONS

/* ---- quaternions ----
 *
 * Results for q / |q| accept any q with a square neither 0 nor infinite. */

/* qp (4) = q p: the rotation p, then q. */
SADDLE_API void saddle_quaternion_multiply(const double *q, const double *p, double *qp);

/* conjugate (4): the inverse rotation, for q of length 1. */
SADDLE_API void saddle_quaternion_conjugate(const double *q, double *conjugate);

/* q (4) <- q / |q|.  SADDLE_INVALID_ARGUMENT: q is zero or not finite, and unchanged. */
SADDLE_API saddle_status saddle_quaternion_normalize(saddle_context *context, double *q);

/* image (3) = the vector part of q (0, x) / q: x turned.  q of any length. */
SADDLE_API void saddle_quaternion_rotate(const double *q, const double *x, double *image);

/* R (9): of q / |q|. */
SADDLE_API void saddle_quaternion_to_matrix(const double *q, double *R);

/* q (4): of length 1, its scalar part not negative.  R: a rotation, to rounding. */
SADDLE_API void saddle_quaternion_from_matrix(const double *R, double *q);

/* Both forms of a quaternion's derivative,
 *
 *     dq/dt = 1/2 q (0, omega_body)  = B(q) omega_body
 *     dq/dt = 1/2 (0, omega_world) q = W(q) omega_world
 *     B'B = W'W = |q|^2 / 4 I:   omega_body  = 4 / |q|^2 B'dq/dt,
 *                                omega_world = 4 / |q|^2 W'dq/dt
 *
 * (Lloyd, ArtiSynth mechanics notes, section 0.2; B: time-stepping lecture notes, p. 20; W: Q of
 * the multibody and LCP notes).  B, W: 4 x 3 by columns. */
SADDLE_API void saddle_quaternion_map_body(const double *q, double *B);
SADDLE_API void saddle_quaternion_map_world(const double *q, double *W);
SADDLE_API void saddle_quaternion_rate_body(const double *q, const double *omega_body, double *dq);
SADDLE_API void saddle_quaternion_rate_world(const double *q, const double *omega_world,
                                             double *dq);
SADDLE_API void saddle_quaternion_velocity_body(const double *q, const double *dq,
                                                double *omega_body);
SADDLE_API void saddle_quaternion_velocity_world(const double *q, const double *dq,
                                                 double *omega_world);

/* next (4): where q comes to in the time h [s] with an angular velocity constant in body axes, q
 * exp(omega_body h), or in world axes, exp(omega_world h) q.  Exact; its length is q's. */
SADDLE_API void saddle_quaternion_advance_body(const double *q, const double *omega_body, double h,
                                               double *next);
SADDLE_API void saddle_quaternion_advance_world(const double *q, const double *omega_world,
                                                double h, double *next);

/* q (4) = (cos(|phi| / 2), sin(|phi| / 2) phi / |phi|) */
SADDLE_API void saddle_quaternion_exp(const double *phi, double *q);

/* phi (3): the shortest, |phi| <= pi, of q / |q|; at pi with either sign. */
SADDLE_API void saddle_quaternion_log(const double *q, double *phi);

/* ---- exponential and logarithm ---- */

/* R (9) = exp([phi]) = I + sin(x)/x [phi] + (1 - cos x)/x^2 [phi]^2, x = |phi| (Rodrigues 1840;
 * Sueda, Rigid Body Dynamics Notes, (1.10)) */
SADDLE_API void saddle_rotation_exp(const double *phi, double *R);

/* phi (3): the shortest, |phi| <= pi; as exact near 0 and near pi as elsewhere. */
SADDLE_API void saddle_rotation_log(const double *R, double *phi);

/* How exp changes with phi (Jl, Jr: 3 x 3 by columns):
 *
 *     exp(phi + d) = exp(Jl d) exp(phi) + O(d^2) = exp(phi) exp(Jr d) + O(d^2)
 *     omega_world = Jl dphi/dt,  omega_body = Jr dphi/dt
 *     Jl(phi) = I + (1 - cos x)/x^2 [phi] + (x - sin x)/x^3 [phi]^2,  Jr(phi) = Jl(-phi) = Jl(phi)'
 *     Jl^-1 = I - 1/2 [phi] + (1 - x/2 cot(x/2))/x^2 [phi]^2,         Jr^-1 = (Jl^-1)'
 *
 * The inverses: SADDLE_SINGULAR where |phi| is a multiple of 2 pi other than 0, to 1e-8. */
SADDLE_API void saddle_rotation_left_jacobian(const double *phi, double *Jl);
SADDLE_API void saddle_rotation_right_jacobian(const double *phi, double *Jr);
/* dJr (3 x 3 by columns) = d/dt Jr(phi) for phi with the rate dphi [rad/s]. */
SADDLE_API void saddle_rotation_right_jacobian_rate(const double *phi, const double *dphi,
                                                    double *dJr);
SADDLE_API saddle_status saddle_rotation_left_jacobian_inverse(saddle_context *context,
                                                               const double *phi, double *inverse);
SADDLE_API saddle_status saddle_rotation_right_jacobian_inverse(saddle_context *context,
                                                                const double *phi, double *inverse);

/* ---- roll, pitch, yaw ---- */

SADDLE_API void saddle_rpy_to_matrix(const double *rpy, double *R);

/* rpy (3): |roll|, |yaw| <= pi, |pitch| <= pi/2.  Where roll and yaw are not determined apart, at
 * |pitch| = pi/2, yaw = 0. */
SADDLE_API void saddle_rpy_from_matrix(const double *R, double *rpy);

/* A (3 x 3 by columns): omega_world = A d(rpy)/dt (Lloyd, section 0.4); singular at |pitch| =
 * pi/2. */
SADDLE_API void saddle_rpy_rates(const double *rpy, double *A);

/* inverse (3 x 3 by columns) = A^-1: d(rpy)/dt = inverse omega_world (Lloyd, section 0.4).
 * SADDLE_SINGULAR: gimbal lock, |cos pitch| < 1e-8. */
SADDLE_API saddle_status saddle_rpy_rates_inverse(saddle_context *context, const double *rpy,
                                                  double *inverse);

/* derivative (3 x 3 by columns) = d(A^-1)/dt for angles with the rates drpy [rad/s] (Lloyd,
 * section 0.4). SADDLE_SINGULAR as above. */
SADDLE_API saddle_status saddle_rpy_rates_inverse_derivative(saddle_context *context,
                                                             const double *rpy, const double *drpy,
                                                             double *derivative);

SADDLE_END_DECLARATIONS

#endif
