/* SPDX-License-Identifier: MIT */
/* The contact points of bearings, written from the table of saddle/bearing.h. */
#ifndef SADDLE_TEST_BEARING_POINTS_H
#define SADDLE_TEST_BEARING_POINTS_H

#include "saddle/bearing.h"
#include "saddle/joint.h"

enum { BEARING_POINTS_MAX = 256 };

typedef struct bearing_point { /* about the origin of the frame on b, a's axes */
    double x[3], n[3];
} bearing_point;

/* Returns the count. */
int bearing_points_of(saddle_joint_kind kind, const saddle_bearing *bearing, bearing_point *point);

/* wrench (6) of a force f at x */
void bearing_wrench(const double *x, const double *f, double *wrench);

#endif
