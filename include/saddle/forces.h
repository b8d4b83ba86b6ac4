/* SPDX-License-Identifier: MIT */
/* Forces for common use, with the derivatives that implicit integrators take.
 *
 *     spring   F = k (l - r) + d dl/dt along the line of two points, pulling them together
 *         (seed 000, 0.12)
 *     dead load       F at a point, constant in the world                          (seed 003, 1.31)
 *     joint spring   F = -k (q - r) - d dq/dt on a free coordinate of a joint: torsional on a
 *         hinge, along a slider
 *
 * Their data is kept as these structs and may be changed between steps through
 * saddle_model_force_data. As stiff as you like, or hard: a joint's servo with a compliance
 * (saddle/joint.h), implicit with every integrator.
 */
#ifndef SADDLE_FORCES_H
#define SADDLE_FORCES_H

#include "saddle/joint.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_spring {
    double point_a[3]; /* of a body in its axes, of the ground in the world's; of others not read
                          [m] */
    double point_b[3];
    double stiffness;   /* k >= 0 [N/m] */
    double damping;     /* d >= 0 [N s/m] */
    double rest_length; /* r >= 0 [m] */
} saddle_spring;

/* Between two bodies, particles, nodes or the ground; name: copied, NULL is fine.  Where l = 0 the
 * line has no direction: force and D are zero there, K too unless r = 0, where it is that of k (x_b
 * - x_a).  K is symmetric between particles and nodes without damping; a body's is not.
 * SADDLE_INVALID_ARGUMENT: as saddle_model_add_force, a number that is not finite or negative. */
SADDLE_API saddle_status saddle_model_add_spring(saddle_model *model, const char *name,
                                                 saddle_anchor a, saddle_anchor b,
                                                 const saddle_spring *spring, saddle_handle *force);

typedef struct saddle_dead_load {
    double point[3]; /* of a body, in its axes; of others not read [m] */
    double force[3]; /* in the world's axes [N] */
} saddle_dead_load;

/* On a body, a particle or a node; name: copied, NULL is fine.  Its energy is -F'x.  On a body it
 * is of the system's unsymmetric terms where the integrator takes stiffness.
 * SADDLE_INVALID_ARGUMENT: as saddle_model_add_force, the ground, a number that is not finite. */
SADDLE_API saddle_status saddle_model_add_dead_load(saddle_model *model, const char *name,
                                                    saddle_anchor at, const saddle_dead_load *load,
                                                    saddle_handle *force);

typedef struct saddle_joint_spring {
    double stiffness; /* k >= 0 [N/m, N m/rad] */
    double damping;   /* d >= 0 [N s/m, N m s/rad] */
    double rest;      /* r [m, rad] */
} saddle_joint_spring;

/* On free coordinate `coordinate` (from 0) of a joint, whose parts and frames as they are now it
 * keeps; the joint may go. Turns are counted as the joint counts them.  SADDLE_INVALID_ARGUMENT: no
 * joint, one that holds a particle, no such coordinate, a number that is not finite or negative; in
 * a step SADDLE_SINGULAR where the coordinate is not defined. */
SADDLE_API saddle_status saddle_model_add_joint_spring(saddle_model *model, const char *name,
                                                       saddle_handle joint, int64_t coordinate,
                                                       const saddle_joint_spring *spring,
                                                       saddle_handle *force);

SADDLE_END_DECLARATIONS

#endif
