/* SPDX-License-Identifier: MIT */
/* A pin: points of parts, weighted, held together or at a place.
 *
 *     phi = sum_k w_k x_k - place - velocity t                         three rows, the world's axes
 *     x_k = p + R c_k of a body or the ground, x of a particle or node
 *
 *     particle on a body           w = (1, -1)
 *     point of an element on it
 *         w = (N_1, .., N_n, -1), N_j(r, s, t) its shape functions (saddle/element.h)
 *     two meshes tied together     w = (N_1, .., N_n, -N_1, .., -N_k)
 *     node that moves as told
 *         w = (1), place and velocity: phi_t = -velocity, a rheonomic constraint
 */
#ifndef SADDLE_PIN_H
#define SADDLE_PIN_H

#include "saddle/constraint.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_pin_def {   /* start from saddle_pin_def_default() */
    const char *name;             /* copied; NULL is fine (default: NULL) */
    int64_t count;                /* 1 .. SADDLE_ANCHORS_MAX (default: -) */
    const saddle_anchor *anchors; /* count, no two the same (default: -) */
    const double *weights;        /* count: w_k [-] (default: -) */
    const double *points; /* 3 x count: c_k, of bodies in their axes, of others not read [m] NULL =
                             0 */
    double place[3];      /* in the world [m] (default: 0) */
    double velocity[3];   /* of the place; t is the model's time [m/s] (default: 0) */
    double strength;      /* |F| of each row at most [N] (default: INFINITY) */
    saddle_compliance compliance; /* default: hard */
} saddle_pin_def;

SADDLE_API saddle_pin_def saddle_pin_def_default(void);

/* *pin: a constraint.  SADDLE_INVALID_ARGUMENT: as saddle_model_add_constraint, a number that is
 * not finite, weights that are all zero; the pin is named. */
SADDLE_API saddle_status saddle_model_add_pin(saddle_model *model, const saddle_pin_def *def,
                                              saddle_handle *pin);

SADDLE_END_DECLARATIONS

#endif
