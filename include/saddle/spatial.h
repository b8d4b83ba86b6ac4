/* SPDX-License-Identifier: MIT */
/* Twists and wrenches in other frames and with each other.  Equation numbers: Sueda, Rigid Body
 * Dynamics Notes, section 1 (docs/references.md), with the linear part first.
 *
 *     twist (nu, omega), wrench (force, moment): 6, in a frame's axes, at its origin
 *     power = nu'force + omega'moment, the same in every frame
 *
 * T is the pose of an inner frame in an outer one.  For a twist of the same body, and for the same
 * wrench,
 *
 *     outer twist  = Ad(T) inner twist       Ad(T) = [R [p]R; 0 R]                           (1.14)
 *     outer wrench = Ad(T)^-T inner wrench   Ad(T)^-T = [R 0; [p]R R]
 *     d/dt Ad(T) = Ad(T) ad(s),        ad(s) = [[omega] [nu]; 0 [omega]], s the twist of T   (1.19)
 *
 * Matrices are stored by columns; outputs may be inputs.
 */
#ifndef SADDLE_SPATIAL_H
#define SADDLE_SPATIAL_H

#include "saddle/context.h"
#include "saddle/pose.h"

SADDLE_BEGIN_DECLARATIONS

/* ---- from frame to frame ---- */

/* A (6 x 6) = Ad(T), Ad(T)^-1 = [R' -R'[p]; 0 R'], Ad(T)^-T; Ad(T)' is the transpose of the
 * first. */
SADDLE_API void saddle_pose_adjoint(const saddle_pose *T, double *A);
SADDLE_API void saddle_pose_adjoint_inverse(const saddle_pose *T, double *A);
SADDLE_API void saddle_pose_coadjoint(const saddle_pose *T, double *A);

/* The same without their matrices. */
/* Ad(T) inner */
SADDLE_API void saddle_twist_to_outer(const saddle_pose *T, const double *inner, double *outer);
/* Ad(T)^-1 outer */
SADDLE_API void saddle_twist_to_inner(const saddle_pose *T, const double *outer, double *inner);
/* Ad(T)^-T inner */
SADDLE_API void saddle_wrench_to_outer(const saddle_pose *T, const double *inner, double *outer);
/* Ad(T)' outer */
SADDLE_API void saddle_wrench_to_inner(const saddle_pose *T, const double *outer, double *inner);

/* outer (6 x 6) = Ad(T)^-T inner Ad(T)^-1: a mass, stiffness or damping matrix, moved (1.26). */
SADDLE_API void saddle_pose_congruence(const saddle_pose *T, const double *inner, double *outer);

/* ---- with each other ---- */

/* A (6 x 6) = ad(s), ad(s)' */
SADDLE_API void saddle_twist_adjoint(const double *s, double *A);
SADDLE_API void saddle_twist_coadjoint(const double *s, double *A);

/* bracket (6) = ad(s) u = (omega_s x nu_u + nu_s x omega_u, omega_s x omega_u) */
SADDLE_API void saddle_twist_cross(const double *s, const double *u, double *bracket);

/* dual (6) = ad(s)'F = (-omega x force, -nu x force - omega x moment); a power balance: u'ad(s)'F =
 * (ad(s) u)'F */
SADDLE_API void saddle_twist_cross_dual(const double *s, const double *F, double *dual);

/* ---- points ---- */

/* Gamma (3 x 6) = [I -[x]]: twist -> velocity of the body's point x (3, in body axes [m]), in body
 * axes; its transpose makes a wrench of a force there (1.12, 1.13). */
SADDLE_API void saddle_point_jacobian(const double *x, double *gamma);

/* J (3 x 6) = R Gamma: velocity in the world's axes. */
SADDLE_API void saddle_pose_point_jacobian(const saddle_pose *pose, const double *x, double *J);

/* ---- how exp changes with the twist ---- */

/* With exp = saddle_pose_exp, u (6) a twist times a time [m, rad] (Barfoot and Furgale 2014, 100 -
 * 103):
 *
 *     exp(u + d) = exp(Jl d) exp(u) + O(d^2) = exp(u) exp(Jr d) + O(d^2)
 *     Jl(u) = sum_k ad(u)^k / (k + 1)! = [Jl(omega) Q(u); 0 Jl(omega)],   Jr(u) = Jl(-u)
 *
 * J, inverse: 6 x 6.  The inverses: SADDLE_SINGULAR where |omega| is a multiple of 2 pi other than
 * 0, to 1e-8. */
SADDLE_API void saddle_twist_left_jacobian(const double *u, double *J);
SADDLE_API void saddle_twist_right_jacobian(const double *u, double *J);
SADDLE_API saddle_status saddle_twist_left_jacobian_inverse(saddle_context *context,
                                                            const double *u, double *inverse);
SADDLE_API saddle_status saddle_twist_right_jacobian_inverse(saddle_context *context,
                                                             const double *u, double *inverse);

SADDLE_END_DECLARATIONS

#endif
