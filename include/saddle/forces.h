/* SPDX-License-Identifier: MIT */
/* Ready-made forces, with the derivatives for implicit integrators.
 *
 *     spring          F = k (l - r) + d dl/dt along the line between two points
 *                         (Lloyd, ArtiSynth mechanics notes, 0.12)
 *     dead load       F at a point, constant in the world
 *                         (Sueda, Rigid Body Dynamics Notes, (1.31))
 *     damper          -d v of a point, -d_r omega of a body
 *                         (Sueda, 1.9.1)
 *     joint spring    F = -k (q - r) - d dq/dt on a free coordinate of a joint: torsional on a
 *                         hinge, linear on a slider
 *     frame spring    force and moment between two frames of bodies
 *                         (Lloyd, ArtiSynth mechanics notes, 0.22)
 *     armature        a rotor's inertia, a/2 (dq/dt)^2 on a free coordinate of a joint: a J'J in
 *                         the mass matrix, with the force -a J' (dJ/dt v)
 *
 * Springs with other laws and over several points: saddle/path_spring.h; muscles: muscle.h.
 *
 * saddle_model_force_data gives the struct of a force, writable between steps.  For very stiff or
 * rigid springs use a servo with a compliance (saddle/joint.h): implicit with every integrator.
 */
#ifndef SADDLE_FORCES_H
#define SADDLE_FORCES_H

#include "saddle/joint.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_spring { /* start from {0} */
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

typedef struct saddle_dead_load { /* start from {0} */
    double point[3];              /* of a body in its axes; else not read [m] */
    double force[3];              /* world axes [N] */
} saddle_dead_load;

/* A dead load on a body, a particle or a node; name: copied, NULL is fine.  The energy is -F'x.  On
 * a body its stiffness is not symmetric.  SADDLE_INVALID_ARGUMENT: as saddle_model_add_force, the
 * ground, a number that is not finite. */
SADDLE_API saddle_status saddle_model_add_dead_load(saddle_model *model, const char *name,
                                                    saddle_anchor at, const saddle_dead_load *load,
                                                    saddle_handle *force);

typedef struct saddle_damper { /* start from {0} */
    double point[3];           /* of a body in its axes; else not read [m] */
    double linear;             /* d >= 0 [N s/m] */
    double angular;            /* d_r >= 0; of a body [N m s/rad] */
} saddle_damper;

/* Viscous damping of a body, a particle or a node: the force -d v at the point of velocity v, the
 * moment -d_r omega; name: copied, NULL is fine.  K is zero and D symmetric; for a body implicit
 * integrators add the turn of the wrench to K, which is not.  A joint is damped by a joint spring
 * without stiffness, a mesh by its damping_mass and damping_stiffness.
 * SADDLE_INVALID_ARGUMENT: as saddle_model_add_force, the ground, a number that is negative or not
 * finite. */
SADDLE_API saddle_status saddle_model_add_damper(saddle_model *model, const char *name,
                                                 saddle_anchor at, const saddle_damper *damper,
                                                 saddle_handle *force);

typedef struct saddle_joint_spring { /* start from {0} */
    double stiffness;                /* k >= 0 [N/m, N m/rad] */
    double damping;                  /* d >= 0 [N s/m, N m s/rad] */
    double rest;                     /* r [m, rad] */
} saddle_joint_spring;

/* A spring on free coordinate `coordinate` (from 0) of a joint.  The spring follows the frames of
 * saddle_model_joint_changed, and keeps the last ones when the joint is removed.  Turns are counted
 * as in the joint.
 * SADDLE_INVALID_ARGUMENT: no joint, a joint on a particle, no such coordinate, a number that is
 * negative or not finite.  A step gives SADDLE_SINGULAR where the coordinate is not defined. */
SADDLE_API saddle_status saddle_model_add_joint_spring(saddle_model *model, const char *name,
                                                       saddle_handle joint, int64_t coordinate,
                                                       const saddle_joint_spring *spring,
                                                       saddle_handle *force);

/* ---- frame springs ----
 *
 * Frame 1 is fixed in body a, frame 2 in body b; in world axes, with their origins x_1 and x_2,
 *
 *     f_a = k (x_2 - x_1) + d d(x_2 - x_1)/dt  at x_1,                    f_b = -f_a  at x_2
 *     m_a = k_r psi + d_r (omega_b - omega_a),  R_2 R_1' = exp([psi]),    m_b = -m_a
 *
 * (Lloyd, 0.22: psi is phi u).  |psi| <= pi, the shortest rotation: at pi the moment jumps from one
 * side to the other.  The energy is k/2 |x_2 - x_1|^2 + k_r/2 |psi|^2.  The damping d resists the
 * turning of x_2 - x_1 too, and then exerts a couple: the moment of momentum is kept without d, or
 * with coincident origins. */
typedef struct saddle_frame_spring { /* start from saddle_frame_spring_default()       default */
    saddle_pose frame_a, frame_b;    /* in the bodies, in the world for ground         identity */
    double stiffness;                /* k >= 0 [N/m]                                   0 */
    double damping;                  /* d >= 0 [N s/m]                                 0 */
    double angular_stiffness;        /* k_r >= 0 [N m/rad]                             0 */
    double angular_damping;          /* d_r >= 0 [N m s/rad]                           0 */
} saddle_frame_spring;

SADDLE_API saddle_frame_spring saddle_frame_spring_default(void);

/* Between two bodies, or a body and the ground; name: copied, NULL is fine.  K and D are those of
 * wrenches, twists and displacements in body axes (0.22.1), (0.22.2); K is not symmetric.
 * SADDLE_INVALID_ARGUMENT, the spring named: no body, a frame that is not a rotation, a number that
 * is negative or not finite. */
SADDLE_API saddle_status saddle_model_add_frame_spring(saddle_model *model, const char *name,
                                                       saddle_handle a, saddle_handle b,
                                                       const saddle_frame_spring *spring,
                                                       saddle_handle *force);

/* The same in world axes (0.22.3), for hosts with velocities of that kind.  pose (2): of a and b;
 * velocity (12): of the origins of a and b, and angular, world axes; wrench (12): forces, and
 * moments about the origins.  K, D (12 x 12 by columns): derivatives by the positions (p + d,
 * exp([d]) R) with velocities that stay, and by the velocities; NULL = not asked for. */
SADDLE_API void saddle_frame_spring_world(const saddle_frame_spring *spring,
                                          const saddle_pose *pose, const double *velocity,
                                          double *wrench, double *K, double *D);

typedef struct saddle_armature { /* start from {0} */
    /* a >= 0 [kg, kg m^2]: of a rotor behind a gear of ratio n, n^2 times its own */
    double inertia;
} saddle_armature;

/* A rotor on free coordinate `coordinate` (from 0) of a joint, as a joint spring is there.  Kinetic
 * energy in saddle_model_energies; momenta are those of the parts.  On parts that turn every
 * integrator is of first order.  Errors as of joint springs. */
SADDLE_API saddle_status saddle_model_add_armature(saddle_model *model, const char *name,
                                                   saddle_handle joint, int64_t coordinate,
                                                   const saddle_armature *armature,
                                                   saddle_handle *force);

SADDLE_END_DECLARATIONS

#endif
