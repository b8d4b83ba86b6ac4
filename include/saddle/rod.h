/* SPDX-License-Identifier: MIT */
/* A rod of no mass between two points, or a rope: their distance is held, or gets no longer.
 *
 *     rod    phi = l - length = 0          rope    phi = length - l >= 0   l = |x_b - x_a|, one
 * row */
#ifndef SADDLE_ROD_H
#define SADDLE_ROD_H

#include "saddle/constraint.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_rod_def { /* start from zero */
    const char *name;           /* copied; NULL is fine (default: NULL) */
    saddle_anchor a, b;         /* bodies, particles, nodes, the ground (default: ground) */
    double point_a[3];  /* of a body in its axes, of the ground in the world; else not read [m]
                           (default: 0) */
    double point_b[3];  /* default: 0 */
    double length;      /* > 0, at most 1e100 [m] (default: -) */
    int rope;           /* 1: it may hang loose (default: 0) */
    double restitution; /* ropes: Newton's, 0 .. 1 [-] (default: 0) */
    saddle_compliance compliance; /* default: hard */
} saddle_rod_def;

/* *rod: a constraint.  SADDLE_INVALID_ARGUMENT: as saddle_model_add_constraint, a length that is
 * not positive or above 1e100 m, a number that is not finite; the rod is named.  In a step
 * SADDLE_SINGULAR where its points are one: it then has no direction. */
SADDLE_API saddle_status saddle_model_add_rod(saddle_model *model, const saddle_rod_def *def,
                                              saddle_handle *rod);

SADDLE_END_DECLARATIONS

#endif
