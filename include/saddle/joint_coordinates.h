/* SPDX-License-Identifier: MIT */
/* Joints in reduced coordinates: the pose of a joint's moving frame in its fixed frame as a
 * function of 1 to 6 coordinates, and the twist that follows (Sueda, Rigid Body Dynamics Notes,
 * 2.4; linear part first).
 *
 *     Q(q)                    pose of the moving frame in the fixed frame
 *     S(q)   6 x size         twist of the moving frame, in its own axes = S dq/dt;
 *                             [S_i] = Q^-1 dQ/dq_i                                        (2.29)
 *     dS/dt  6 x size         with the coordinates moving at dq
 *
 *     revolute        Q = exp(z q), an angle about z [rad]                                (2.41)
 *     prismatic       a distance along x [m]                                       (2.23 - 2.24)
 *     planar          x, y [m]                                                     (2.25 - 2.26)
 *     translational   x, y, z [m]                                                  (2.27 - 2.28)
 *     universal       R = R_x(q1) R_y(q2)                                          (2.36 - 2.40)
 *     Euler           R = R_a(q1) R_b(q2) R_c(q3), any of the 12 orders abc        (2.30 - 2.35)
 *     exponential     R = exp([q]), |q| the angle; singular where |q| is a multiple of 2 pi
 *                     other than 0                                                 (2.42 - 2.47)
 *     free            p = (q1, q2, q3) in the fixed frame, R = exp([(q4, q5, q6)])
 *     chain           Q = T_1 T_2 .., T = before Q after of each joint             (2.48 - 2.55)
 *     spline curve    a uniform cubic B-spline through SE(3)                       (2.56 - 2.63)
 *     spline surface  three translations and three angles, each a bicubic B-spline (2.64 - 2.67)
 *
 * Other axes: `before` turns the fixed frame, `after` places the body in the moving frame.  The
 * joints are for saddle_couplings_add_body_on_joint (saddle/couplings.h) and for trees of bodies
 * (saddle/tree.h).  See docs/theory.md, section 15.
 */
#ifndef SADDLE_JOINT_COORDINATES_H
#define SADDLE_JOINT_COORDINATES_H

#include "saddle/context.h"
#include "saddle/pose.h"

SADDLE_BEGIN_DECLARATIONS

enum { SADDLE_JOINT_COORDINATES_MAX = 6 };

/* The functions return nonzero where q is out of their range or not finite; numbers of Q or S that
 * are not finite count as out of range.  A joint of the caller: start from
 * saddle_motion_fixed(). */
typedef struct saddle_motion {
    int64_t size;       /* coordinates, 1 to 6; 0 = fixed */
    saddle_pose before; /* the joint's fixed frame in the parent body */
    saddle_pose after;  /* the body in the joint's moving frame */
    /* S: 6 x size by columns, zeros at entry */
    int (*evaluate)(const void *data, const double *q, saddle_pose *Q, double *S);
    /* dS: dS/dt, 6 x size by columns, zeros at entry; NULL: S is constant */
    int (*rate)(const void *data, const double *q, const double *dq, double *dS);
    const void *data; /* borrowed, for as long as the joint is in use */
    /* Other q and dq with the same Q and S dq, farther from a singularity; NULL: not needed.
     * Returns 1 where q and dq have changed. */
    int (*reparameterize)(const void *data, double *q, double *dq);
} saddle_motion;

/* What is given of a joint's coordinates in hybrid dynamics. */
typedef enum saddle_prescription {
    SADDLE_PRESCRIPTION_NONE = 0,     /* the torque is given, ddq follows */
    SADDLE_PRESCRIPTION_ACCELERATION, /* value: ddq */
    SADDLE_PRESCRIPTION_VELOCITY,     /* value: dq at the end of a step */
    SADDLE_PRESCRIPTION_POSITION      /* value: q at the end of a step, q+ = q + h dq+ */
} saddle_prescription;

/* Joints with their frames in the origin: before, after = identity. */
SADDLE_API saddle_motion saddle_motion_fixed(void);
SADDLE_API saddle_motion saddle_motion_revolute(void);
SADDLE_API saddle_motion saddle_motion_prismatic(void);
SADDLE_API saddle_motion saddle_motion_planar(void);
SADDLE_API saddle_motion saddle_motion_translational(void);
SADDLE_API saddle_motion saddle_motion_universal(void);
SADDLE_API saddle_motion saddle_motion_exponential(void);
SADDLE_API saddle_motion saddle_motion_free(void);

/* order: "xyz", "zxz", ..: the axes of q1, q2, q3, each turned with the angles before.  S is
 * singular at q2 = +-pi/2 where the axes differ, at q2 = 0, pi where the first is the last; Q, S
 * and dS/dt remain defined there.  SADDLE_INVALID_ARGUMENT: no such order. */
SADDLE_API saddle_status saddle_motion_euler(saddle_context *context, const char *order,
                                             saddle_motion *joint);

/* evaluate of a joint with one coordinate about or along a screw, Q = exp([s] q); data: s (6),
 * linear part first: (0, a) is a hinge about a, (a, 0) a slider.  rate is NULL. */
SADDLE_API int saddle_motion_screw(const void *data, const double *q, saddle_pose *Q, double *S);

/* Exponential coordinates q (3) with |q| > 3/2 pi become (1 - 2 pi k/|q|) q of length at most pi,
 * the same rotation; dq (3) <- Jr(q new)^-1 Jr(q old) dq, the same angular velocity (2.4.8).
 * Returns 1 where q and dq have changed. */
SADDLE_API int saddle_motion_reparameterize(double *q, double *dq);

/* ---- joints with data ---- */

typedef struct saddle_joint_chain {
    int64_t count;              /* joints */
    const saddle_motion *joint; /* count: from the parent on; borrowed, with their data */
} saddle_joint_chain;

/* *joint: of the summed size; the coordinates stand in the order of the joints.  chain: borrowed,
 * for as long as the joint is in use.  SADDLE_INVALID_ARGUMENT: a sum of sizes outside 1 .. 6, or a
 * joint without evaluate. */
SADDLE_API saddle_status saddle_motion_chain(saddle_context *context,
                                             const saddle_joint_chain *chain, saddle_motion *joint);

/* Control frames C_1 .. C_count; with s the integer part of q and t = q - s,
 *
 *     Q(q) = C_(s+1) exp(D_(s+2) B2(t)) exp(D_(s+3) B3(t)) exp(D_(s+4) B4(t)),
 *     D_i = log(C_(i-1)^-1 C_i),  B the cumulative basis                       (2.60 - 2.63)
 *
 * two derivatives continuous, 0 <= q <= count - 3. */
typedef struct saddle_joint_spline {
    int64_t count;            /* control frames, at least 4 */
    const saddle_pose *frame; /* count: C_i, in the joint's fixed frame; borrowed */
    double *difference;       /* 6 x count: D_i, written by saddle_motion_spline; the caller's */
} saddle_joint_spline;

/* spline: borrowed, for as long as the joint is in use.  SADDLE_INVALID_ARGUMENT: count < 4, a
 * frame that is not finite or no rotation. */
SADDLE_API saddle_status saddle_motion_spline(saddle_context *context,
                                              const saddle_joint_spline *spline,
                                              saddle_motion *joint);

/* Control values of a tensor product surface, 0 <= q1 <= rows - 3, 0 <= q2 <= cols - 3:
 *
 *     Q(q) = T(x, y, z) R_x(a) R_y(b) R_z(c),   x .. c each a bicubic B-spline of (q1, q2)
 *
 * (Sueda, 2.64 - 2.67; Lee and Terzopoulos 2008).  S loses rank where dx .. dc do, and the angles
 * have the singularity of "xyz". */
typedef struct saddle_joint_surface {
    int64_t rows, cols;    /* at least 4 each */
    const double *control; /* 6 x rows x cols: (x, y, z, a, b, c) of (i, j) from
                              6 (i + rows j) on [m, rad]; borrowed */
} saddle_joint_surface;

/* surface: borrowed, for as long as the joint is in use.  SADDLE_INVALID_ARGUMENT: fewer than 4
 * rows or columns, a value that is not finite. */
SADDLE_API saddle_status saddle_motion_surface(saddle_context *context,
                                               const saddle_joint_surface *surface,
                                               saddle_motion *joint);

SADDLE_END_DECLARATIONS

#endif
