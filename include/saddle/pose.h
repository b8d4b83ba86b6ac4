/* SPDX-License-Identifier: MIT */
/* The place of a frame: its origin and its rotation, twelve numbers.
 *
 *     x = R X + p       X of a point in the frame, x in the world (or in the frame of reference)
 *
 * Twists (nu, omega) and wrenches (force, moment) are linear part first, in the frame's own axes,
 * at its origin: dp/dt = R nu, dR/dt = R [omega].
 */
#ifndef SADDLE_POSE_H
#define SADDLE_POSE_H

#include "saddle/status.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_pose {
    double p[3]; /* origin [m] */
    double R[9]; /* rotation, 3 x 3 by columns: frame -> world */
} saddle_pose;

SADDLE_API saddle_pose saddle_pose_identity(void);

/* A B: the pose B, given in frame A, in the frame of reference of A. */
SADDLE_API saddle_pose saddle_pose_multiply(const saddle_pose *A, const saddle_pose *B);

/* A^-1 B: B as seen from A. */
SADDLE_API saddle_pose saddle_pose_between(const saddle_pose *A, const saddle_pose *B);

/* A^-1 */
SADDLE_API saddle_pose saddle_pose_inverse(const saddle_pose *A);

/* x (3) = R X + p of a point, X (3) = R'(x - p) back; outputs may be inputs. */
SADDLE_API void saddle_pose_point(const saddle_pose *pose, const double *X, double *x);
SADDLE_API void saddle_pose_point_inverse(const saddle_pose *pose, const double *x, double *X);

/* exp([twist]) for a twist times a time [m, rad]: the pose of a frame that starts at the
 * identity and moves with the twist, constant in its own axes, for this time (Sueda, Rigid Body
 * Dynamics Notes, section 2.5; Murray, Li, Sastry 1994, 2.36). */
SADDLE_API saddle_pose saddle_pose_exp(const double *twist);

/* twist (6) with exp([twist]) = the pose, |omega| <= pi, the shortest rotation; as exact near 0 and
 * near pi as elsewhere. */
SADDLE_API void saddle_pose_log(const saddle_pose *pose, double *twist);

SADDLE_END_DECLARATIONS

#endif
