/* SPDX-License-Identifier: MIT */
/* A pin: a weighted sum of points of parts, held at a place.
 *
 *     phi = sum_k w_k x_k - place - velocity t          three rows, world axes
 *     x_k = p + R c_k of a body or the ground, x of a particle or node
 *
 *     particle on a body           w = (1, -1)
 *     point of an element on a     w = (N_1, .., N_n, -1), N_j(r, s, t) the shape functions
 *     body                             (saddle/element.h)
 *     two meshes tied together     w = (N_1, .., N_n, -N_1, .., -N_k)
 *     node driven in time          w = (1), place and velocity: phi_t = -velocity
 */
#ifndef SADDLE_PIN_H
#define SADDLE_PIN_H

#include "saddle/constraint.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_pin_def {   /* start from saddle_pin_def_default()               default */
    const char *name;             /* copied; NULL is fine                              NULL */
    int64_t count;                /* 1 .. SADDLE_ANCHORS_MAX                           - */
    const saddle_anchor *anchors; /* count, all different                              - */
    const double *weights;        /* count: w_k [-]                                    - */
    const double *points;         /* 3 x count: c_k in body axes, read of bodies
                                     only [m]; NULL = 0                                NULL */
    double place[3];              /* world axes [m]                                    0 */
    double velocity[3];           /* of the place; t is the model's time [m/s]         0 */
    double strength;              /* bound of |F| of each row [N]                      INFINITY */
    saddle_compliance compliance; /*                                                   hard */
} saddle_pin_def;

SADDLE_API saddle_pin_def saddle_pin_def_default(void);

/* *pin: a constraint.  SADDLE_INVALID_ARGUMENT, the pin named: as saddle_model_add_constraint, a
 * number that is not finite, weights that are all zero. */
SADDLE_API saddle_status saddle_model_add_pin(saddle_model *model, const saddle_pin_def *def,
                                              saddle_handle *pin);

SADDLE_END_DECLARATIONS

#endif
