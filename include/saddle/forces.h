/* SPDX-License-Identifier: MIT */
/* Ready-made forces, with the derivatives for implicit integrators.
 *
 *     spring          F = k (l - r) + d dl/dt along the line between two points
 *                         (Lloyd, ArtiSynth mechanics notes, 0.12)
 *     dead load       F at a point, constant in the world
 *                         (Sueda, Rigid Body Dynamics Notes, (1.31))
 *     joint spring    F = -k (q - r) - d dq/dt on a free coordinate of a joint: torsional on a
 *                         hinge, linear on a slider
 *
 * saddle_model_force_data gives the struct of a force, writable between steps.  For very stiff or
 * rigid springs use a servo with a compliance (saddle/joint.h): implicit with every integrator.
 */
#ifndef SADDLE_FORCES_H
#define SADDLE_FORCES_H

#include "saddle/joint.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_spring {
    double point_a[3];  /* of a body in its axes, of the ground in the world; else not read [m] */
    double point_b[3];  /* likewise [m] */
    double stiffness;   /* k >= 0 [N/m] */
    double damping;     /* d >= 0 [N s/m] */
    double rest_length; /* r >= 0 [m] */
} saddle_spring;

/* A spring between two of bodies, particles, nodes and the ground; name: copied, NULL is fine.  At
 * l = 0 the line has no direction: force, K and D are zero, but for r = 0, where K is that of
 * k (x_b - x_a).  K is symmetric for particles and nodes without damping, not for bodies.
 * SADDLE_INVALID_ARGUMENT: as saddle_model_add_force, a number that is negative or not finite. */
SADDLE_API saddle_status saddle_model_add_spring(saddle_model *model, const char *name,
                                                 saddle_anchor a, saddle_anchor b,
                                                 const saddle_spring *spring, saddle_handle *force);

typedef struct saddle_dead_load {
    double point[3]; /* of a body in its axes; else not read [m] */
    double force[3]; /* world axes [N] */
} saddle_dead_load;

/* A dead load on a body, a particle or a node; name: copied, NULL is fine.  The energy is -F'x.  On
 * a body its stiffness is not symmetric.  SADDLE_INVALID_ARGUMENT: as saddle_model_add_force, the
 * ground, a number that is not finite. */
SADDLE_API saddle_status saddle_model_add_dead_load(saddle_model *model, const char *name,
                                                    saddle_anchor at, const saddle_dead_load *load,
                                                    saddle_handle *force);

typedef struct saddle_joint_spring {
    double stiffness; /* k >= 0 [N/m, N m/rad] */
    double damping;   /* d >= 0 [N s/m, N m s/rad] */
    double rest;      /* r [m, rad] */
} saddle_joint_spring;

/* A spring on free coordinate `coordinate` (from 0) of a joint.  The spring keeps the joint's
 * present parts and frames and stays when the joint is removed.  Turns are counted as in the joint.
 * SADDLE_INVALID_ARGUMENT: no joint, a joint on a particle, no such coordinate, a number that is
 * negative or not finite.  A step gives SADDLE_SINGULAR where the coordinate is not defined. */
SADDLE_API saddle_status saddle_model_add_joint_spring(saddle_model *model, const char *name,
                                                       saddle_handle joint, int64_t coordinate,
                                                       const saddle_joint_spring *spring,
                                                       saddle_handle *force);

SADDLE_END_DECLARATIONS

#endif
