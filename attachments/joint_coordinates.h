/* SPDX-License-Identifier: MIT */
/* A joint between the frames of two bodies: T = before Q(q) after, and the body's twist
 * Ad_after^-1 S dq, in the body's axes (Sueda, Rigid Body Dynamics Notes, 2.11). */
#ifndef SADDLE_ATTACHMENTS_JOINT_COORDINATES_H
#define SADDLE_ATTACHMENTS_JOINT_COORDINATES_H

#include "saddle/joint_coordinates.h"

/* T, motion (6 x size by columns).  Nonzero: q is out of range. */
int saddle__joint_place(const saddle_motion *joint, const double *q, saddle_pose *T,
                        double *motion);

/* rate (6 x size by columns): d motion / dt. */
int saddle__joint_rate(const saddle_motion *joint, const double *q, const double *dq, double *rate);

#endif
