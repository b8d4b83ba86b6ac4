/* SPDX-License-Identifier: MIT */
/* A massless rod or rope between two points, one row:
 *
 *     rod     phi = l - length = 0              l = |x_b - x_a|
 *     rope    phi = length - l >= 0
 */
#ifndef SADDLE_ROD_H
#define SADDLE_ROD_H

#include "saddle/constraint.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_rod_def {   /* start from {0}                                    default */
    const char *name;             /* copied; NULL is fine                              NULL */
    saddle_anchor a, b;           /* bodies, particles, nodes, the ground              ground */
    double point_a[3];            /* of a body in its axes, of the ground in the
                                     world; else not read [m]                          0 */
    double point_b[3];            /* likewise [m]                                      0 */
    double length;                /* > 0, at most 1e100 [m]                            - */
    int rope;                     /* 1: may be shorter than its length                 0 */
    double restitution;           /* ropes: Newton's e, 0 .. 1 [-]                     0 */
    saddle_compliance compliance; /*                                                   hard */
} saddle_rod_def;

/* *rod: a constraint.  SADDLE_INVALID_ARGUMENT, the rod named: as saddle_model_add_constraint, a
 * length that is not positive or above 1e100 m, a number that is not finite.  A step gives
 * SADDLE_SINGULAR where both points coincide and the rod has no direction. */
SADDLE_API saddle_status saddle_model_add_rod(saddle_model *model, const saddle_rod_def *def,
                                              saddle_handle *rod);

SADDLE_END_DECLARATIONS

#endif
