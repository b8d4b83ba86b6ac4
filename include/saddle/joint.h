/* SPDX-License-Identifier: MIT */
/* Joints between two parts: rows of the relative motion of two frames, one mechanism for all (seed
 * 003, 1.69; seed 001).
 *
 * E = (E_a F_a)^-1 E_b F_b is where the joint's frame on b stands as seen from the one on a: p its
 * origin, R its rotation.
 *
 *     phi_x,y,z   = p                                          locked translations
 *     rotations:  3 locked   phi = log R
 *                 2 locked   phi_i = -R_jk, phi_j = R_ik   k free: b's axis k seen along a's other
 *                     axes   (hinge)
 *                 1 locked   phi_k = cos angle - a_i . b_j   i free on a, j free on b   (universal)
 *     with (i, j, k) = (x, y, z), (y, z, x) or (z, x, y): each phi of a rotation begins as the
 *         angle about its axis in a, which
 *     b turns by, and its row's impulse is the moment about that axis on b
 *
 *     joint       locked                       free coordinates q
 *     fixed       x y z rx ry rz               -
 *     hinge       x y z rx ry                  angle about z
 *     slider      x y rx ry rz                 distance along z
 *     ball        x y z                  roll, pitch, yaw (R = Rz(q0) Ry(q1) Rx(q2); seed 000, 0.4)
 *     universal   x y z rz      a's x axis stays normal to b's y axis: angles about a's x and b's y
 *     wheel       x y z, one angle    as universal, the angle between a's x and b's y stays as when
 *                                              the joint was added                        (hinge-2)
 *     custom      any of the 6                 -
 *
 * Angles of hinges, universals and wheels are counted over turns as the model moves, by less than
 * half a turn at a time; those of a ball are in [-pi, pi], its pitch in [-pi/2, pi/2].
 *
 * On the free coordinates: limits lo <= q <= hi (a LIMIT row for each that is finite), a motor (a
 * DRIVE row, dq/dt = target), a servo (a HOLD row, q = position + velocity t with a strength;
 * velocity not 0 makes it rheonomic), friction (a DRIVE row, target 0).  For each coordinate in
 * turn the rows come in that order after the locked ones. phi's derivatives are exact, also away
 * from phi = 0.  A coordinate that something acts on must be defined: at the gimbal lock of a ball,
 * or with the axis of a hinge turned upside down, SADDLE_SINGULAR names the joint.
 *
 * A particle has no axes: joints that lock no rotation hold it (ball, custom), without free
 * coordinates.  For nodes see saddle/pin.h.
 */
#ifndef SADDLE_JOINT_H
#define SADDLE_JOINT_H

#include "saddle/constraint.h"

SADDLE_BEGIN_DECLARATIONS

typedef enum saddle_joint_kind {
    SADDLE_JOINT_FIXED = 0,
    SADDLE_JOINT_HINGE = 1,
    SADDLE_JOINT_SLIDER = 2,
    SADDLE_JOINT_BALL = 3,
    SADDLE_JOINT_UNIVERSAL = 4,
    SADDLE_JOINT_WHEEL = 5,
    SADDLE_JOINT_CUSTOM = 6
} saddle_joint_kind;

enum saddle_joint_axis { /* bits of locked, in the order of the rows */
                         SADDLE_LOCK_X = 1 << 0,
                         SADDLE_LOCK_Y = 1 << 1,
                         SADDLE_LOCK_Z = 1 << 2,
                         SADDLE_LOCK_RX = 1 << 3,
                         SADDLE_LOCK_RY = 1 << 4,
                         SADDLE_LOCK_RZ = 1 << 5
};

enum { SADDLE_JOINT_FREE_MAX = 3 };

/* on one free coordinate; start from saddle_joint_free_default() */
typedef struct saddle_joint_free {
    double lo, hi;                      /* limits [m, rad] (default: -+INFINITY) */
    double limit_restitution;           /* 0 .. 1 [-] (default: 0) */
    saddle_compliance limit_compliance; /* default: hard */
    int motor;                          /* 1: dq/dt = motor_target (default: 0) */
    double motor_target;                /* [m/s, rad/s] (default: 0) */
    double motor_strength;              /* |F| at most [N, N m] (default: INFINITY) */
    int servo;                          /* 1: q = servo_position + servo_velocity t (default: 0) */
    double servo_position;              /* [m, rad] (default: 0) */
    double servo_velocity;              /* t the model's time [m/s, rad/s] (default: 0) */
    double servo_strength;              /* |F| at most [N, N m] (default: INFINITY) */
    saddle_compliance servo_compliance; /* default: hard */
    double friction; /* dry friction, |F| at most; 0 = none [N, N m] (default: 0) */
} saddle_joint_free;

typedef struct saddle_joint_def { /* start from saddle_joint_def_default() */
    const char *name;             /* copied; NULL is fine (default: NULL) */
    saddle_joint_kind kind;       /* default: FIXED */
    unsigned locked;    /* CUSTOM: of enum saddle_joint_axis; else not read (default: 0) */
    saddle_handle a, b; /* bodies; one may be the ground; a ball's may be particles (default:
                           ground) */
    saddle_pose frame_a, frame_b; /* the joint's frames in the bodies (in the world for the ground)
                                     (default: identity) */
    saddle_compliance compliance; /* of the locked rows (default: hard) */
    saddle_joint_free free[SADDLE_JOINT_FREE_MAX]; /* as many as the kind has; custom: none */
} saddle_joint_def;

SADDLE_API saddle_joint_free saddle_joint_free_default(void);
SADDLE_API saddle_joint_def saddle_joint_def_default(void);

/* The same place in the world for both: frame_a, frame_b from the parts' poses now.  world: origin
 * and axes. SADDLE_INVALID_ARGUMENT: a or b is no body and not the ground, a pose that is no
 * rotation. */
SADDLE_API saddle_status saddle_joint_def_at(const saddle_model *model, const saddle_pose *world,
                                             saddle_joint_def *def);

/* A frame with its z axis along `axis`, its origin at `origin` (3 each).  SADDLE_INVALID_ARGUMENT:
 * an axis of length zero. */
SADDLE_API saddle_status saddle_pose_along(saddle_context *context, const double *origin,
                                           const double *axis, saddle_pose *pose);

/* SADDLE_INVALID_ARGUMENT: a and b the same, no bodies, both not moving, frames that are no
 * rotations, lo > hi, a number out of its range, a free coordinate the kind has not, a wheel whose
 * axes are parallel; the joint is named. */
SADDLE_API saddle_status saddle_model_add_joint(saddle_model *model, const saddle_joint_def *def,
                                                saddle_handle *joint);

/* "hinge", ...; static storage */
SADDLE_API const char *saddle_joint_kind_word(saddle_joint_kind kind);
/* SADDLE_UNKNOWN_NAME */
SADDLE_API saddle_status saddle_joint_kind_from_word(const char *word, saddle_joint_kind *kind);
SADDLE_API int64_t saddle_joint_free_count(saddle_joint_kind kind);

/* q and dq/dt of its free coordinates (count of them; NULL is fine).  SADDLE_INVALID_ARGUMENT: no
 * joint; SADDLE_SINGULAR. */
SADDLE_API saddle_status saddle_model_joint_coordinates(saddle_model *model, saddle_handle joint,
                                                        double *q, double *dq);

/* What the joint was made with, to change frames, compliances, limits, motors, servos and friction
 * between steps; saddle_model_joint_changed makes it count.  Where limits stay finite or not,
 * switches as they are, strengths finite or not, friction and compliances zero or not, the system
 * keeps its rows; else they are others and take another saddle_assembly. NULL: no joint.
 * saddle_model_joint_changed: SADDLE_INVALID_ARGUMENT as when it was added, or another kind or
 * other parts: then the joint holds as before. */
SADDLE_API saddle_joint_def *saddle_model_joint(saddle_model *model, saddle_handle joint);
SADDLE_API saddle_status saddle_model_joint_changed(saddle_model *model, saddle_handle joint);

SADDLE_END_DECLARATIONS

#endif
