/* SPDX-License-Identifier: MIT */
/* Gears: a weighted sum of free coordinates of joints, held or kept between bounds.
 *
 *     s = sum factor_k q_k          q_k: free coordinates (saddle/joint.h)
 *     lo = hi     s - lo = 0                       one HOLD row
 *     lo < hi     s - lo >= 0,  hi - s >= 0        a LIMIT row for each finite bound
 *
 * A gear pair of ratio r holds q_1 - r q_2 = 0; a differential holds q_1 + q_2 - 2 q_3 = 0; a
 * tendon over several joints has a range.
 */
#ifndef SADDLE_GEAR_H
#define SADDLE_GEAR_H

#include "saddle/joint.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_gear_term {
    saddle_handle joint;
    int64_t coordinate; /* of the joint, from 0 */
    double factor;      /* [-, m/rad, ..] */
} saddle_gear_term;

typedef struct saddle_gear_def {   /* start from {0}                                   default */
    const char *name;              /* copied; NULL is fine                             NULL */
    int64_t count;                 /* 1 .. SADDLE_ANCHORS_MAX / 2                      - */
    const saddle_gear_term *terms; /* count                                            - */
    double lo, hi;                 /* bounds of s; one may be infinite                 0 */
    saddle_compliance compliance;  /*                                                  hard */
} saddle_gear_def;

/* *gear: a constraint.  The gear follows the frames of saddle_model_joint_changed, and keeps the
 * last ones when a joint is removed.  Turns are counted as in the joints.  SADDLE_INVALID_ARGUMENT,
 * the gear named: no joint, a joint on a particle, no such coordinate, a factor or bound out of
 * range, lo > hi, no finite bound.  A step gives SADDLE_SINGULAR where a coordinate is not defined.
 */
SADDLE_API saddle_status saddle_model_add_gear(saddle_model *model, const saddle_gear_def *def,
                                               saddle_handle *gear);

SADDLE_END_DECLARATIONS

#endif
