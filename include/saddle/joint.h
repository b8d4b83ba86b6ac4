/* SPDX-License-Identifier: MIT */
/* Joints between two parts: rows on the relative motion of two frames (Sueda, Rigid Body Dynamics
 * Notes, (1.69); multibody and LCP notes).
 *
 * E = (E_a F_a)^-1 E_b F_b = (p, R) is the pose of the joint's frame on b relative to its frame on
 * a.
 *
 *     locked              rows
 *     translations        phi = p_x, p_y, p_z
 *     3 rotations         phi = log R
 *     2 rotations i, j    phi_i = -R_jk, phi_j = R_ik: b's axis k along a's other axes (hinge)
 *     1 rotation k        phi_k = cos angle - a_i . b_j: i free on a, j free on b (universal)
 *
 * with (i, j, k) = (x, y, z), (y, z, x) or (z, x, y).  For small angles phi of a rotation is the
 * angle of b about the axis in a; the row's impulse is the moment about that axis on b.
 *
 *     joint        locked            free coordinates q
 *     fixed        x y z rx ry rz    -
 *     hinge        x y z rx ry       angle about z
 *     slider       x y rx ry rz      distance along z
 *     ball         x y z             yaw, pitch, roll: R = Rz(q0) Ry(q1) Rx(q2)
 *                                        (Lloyd, ArtiSynth mechanics notes, 0.4)
 *     universal    x y z rz          angles about a's x and b's y; the two axes stay normal
 *     wheel        x y z, 1 angle    hinge-2: as universal, at the angle that the axes had at first
 *     custom       any of the 6      -
 *     motion       6 - k rows        q (k) of a saddle_motion (saddle/joint_coordinates.h): along a
 *                                    spline curve or surface, a chain of joints, the host's own
 *
 * Angles of hinges, universals and wheels count full turns while the model moves by less than half
 * a turn at a time.  Angles of a ball are in [-pi, pi], the pitch in [-pi/2, pi/2].
 *
 * On free coordinates act limits lo <= q <= hi (a LIMIT row for each finite limit), a motor (DRIVE,
 * dq/dt = target), a servo (HOLD, q = position + velocity t, with a strength) and friction (DRIVE,
 * target 0).  These rows follow the locked ones, coordinate by coordinate in that order.  The rows
 * of a bearing, whose friction follows from the load of the joint (saddle/bearing.h), come last.
 * Derivatives of phi are exact, also away from phi = 0.  A coordinate with such a row must be
 * defined: at the gimbal lock of a ball, or with a hinge's axis reversed, SADDLE_SINGULAR names the
 * joint.
 *
 * A motion Q(q) of k = 1 .. 6 coordinates has the rows phi = N'e, with e = (r, theta) what E lacks
 * of Q(q), Q^-1 E = (r, exp theta), at the q nearest to E, S'e = 0; N (6 x (6 - k)) is fixed within
 * a step, N'S = 0 at its beginning.  Where phi = 0, dphi/dt is the relative twist on the complement
 * of S.  J is exact everywhere; d2phi/dt2 and the geometric stiffness are where phi = 0, and off by
 * the order of phi elsewhere.  q is followed from saddle_joint_def.start by Newton's method, to the
 * rounding of Q and E.  N is a function of q.
 *
 * A particle has no axes: joints on particles lock no rotation (ball, custom) and have no free
 * coordinates in use.  For nodes see saddle/pin.h.
 *
 * A joint is written in one of two forms (saddle_joint_form).  As rows it adds those of its locked
 * functions.  In coordinates it takes the velocity of one of its bodies, the child, out of the
 * system instead (saddle/joint_coordinates.h):
 *
 *     E_child = E_parent F_parent Q(q) F_child^-1     phi_child = Ad phi_parent + Ad S dq/dt
 *
 * with one coordinate for each motion that the joint leaves free, a part of the model (of
 * SADDLE_ITEM_COORDINATES, moved and pushed like any other): distances along the free axes of a,
 * then one angle, two angles, or the rotation vector of a ball.  phi = 0 holds exactly.  The child
 * is b, or a where b follows other parts already, is the ground or prescribed, or is a master of a;
 * it is then attached (saddle/attach.h): its pose and velocity follow from the coordinates, and
 * what the host writes into them after the joint was added is overwritten.  Bodies are set before
 * their joints are added, or else the part of saddle_model_joint_part is written.  The rows on free
 * coordinates are the same in both forms.  Rows remain where the joint closes a loop or both of its
 * bodies follow other parts already, is soft, or holds a particle.
 *
 * SADDLE_JOINT_FORM_CHOSEN takes one of the two when the joint is added, by the predicted work.  A
 * joint that leaves k coordinates, with d coordinates between its child and the ground, adds
 *
 *     as rows           6 + (6 - k) unknowns   each coupled with those of a and b
 *     in coordinates    k unknowns             each coupled with the d, and with all below it;
 *                                              M' = Q'M Q is formed in each step
 *
 * Rows are taken for k > 0, where they cost less or the same even at d = 1 but for motions in short
 * chains (docs/theory.md, 11); coordinates for k = 0, as of a fixed joint: two bodies become one.
 * Coordinates are also taken where a or b is massless, since unknowns without mass would remain
 * beside rows.
 */
#ifndef SADDLE_JOINT_H
#define SADDLE_JOINT_H

#include "saddle/bearing.h"
#include "saddle/constraint.h"
#include "saddle/joint_coordinates.h"

SADDLE_BEGIN_DECLARATIONS

typedef enum saddle_joint_kind {
    SADDLE_JOINT_FIXED = 0,
    SADDLE_JOINT_HINGE = 1,
    SADDLE_JOINT_SLIDER = 2,
    SADDLE_JOINT_BALL = 3,
    SADDLE_JOINT_UNIVERSAL = 4,
    SADDLE_JOINT_WHEEL = 5,
    SADDLE_JOINT_CUSTOM = 6,
    SADDLE_JOINT_MOTION = 7
} saddle_joint_kind;

/* Bits of saddle_joint_def.locked, in the order of the rows. */
enum saddle_lock {
    SADDLE_LOCK_X = 1 << 0,
    SADDLE_LOCK_Y = 1 << 1,
    SADDLE_LOCK_Z = 1 << 2,
    SADDLE_LOCK_RX = 1 << 3,
    SADDLE_LOCK_RY = 1 << 4,
    SADDLE_LOCK_RZ = 1 << 5
};

enum { SADDLE_JOINT_FREE_MAX = SADDLE_JOINT_COORDINATES_MAX };

/* X(name, word) */
#define SADDLE_JOINT_FORM_LIST(X)                                                    \
    X(SADDLE_JOINT_FORM_OF_MODEL, "model") /* as saddle_model_set_joint_form says */ \
    X(SADDLE_JOINT_FORM_ROWS, "rows")                                                \
    X(SADDLE_JOINT_FORM_COORDINATES, "coordinates")                                  \
    X(SADDLE_JOINT_FORM_CHOSEN, "chosen") /* either, by the predicted work */

typedef enum saddle_joint_form {
#define SADDLE_JOINT_FORM_ENUM(name, word) name,
    SADDLE_JOINT_FORM_LIST(SADDLE_JOINT_FORM_ENUM)
#undef SADDLE_JOINT_FORM_ENUM
} saddle_joint_form;

/* One free coordinate.  Start from saddle_joint_free_default(). */
typedef struct saddle_joint_free {      /*                                             default */
    double lo, hi;                      /* limits [m, rad]                             -+INFINITY */
    double limit_restitution;           /* 0 .. 1 [-]                                  0 */
    saddle_compliance limit_compliance; /*                                             hard */
    int motor;                          /* 1: dq/dt = motor_target                     0 */
    double motor_target;                /* [m/s, rad/s]                                0 */
    double motor_strength;              /* bound of |F| [N, N m]                       INFINITY */
    int servo;                          /* 1: q = servo_position + servo_velocity t    0 */
    double servo_position;              /* [m, rad]                                    0 */
    double servo_velocity;              /* t is the model's time [m/s, rad/s]          0 */
    double servo_strength;              /* bound of |F| [N, N m]                       INFINITY */
    saddle_compliance servo_compliance; /*                                             hard */
    double friction;                    /* dry, bound of |F|; 0 = none [N, N m]        0 */
} saddle_joint_free;

typedef struct saddle_joint_def { /* start from saddle_joint_def_default()            default */
    const char *name;             /* copied; NULL is fine                             NULL */
    saddle_joint_kind kind;       /*                                                  FIXED */
    saddle_joint_form form;       /*                                                  OF_MODEL */
    unsigned locked;              /* CUSTOM: bits SADDLE_LOCK_X, ..                   0 */
    saddle_handle a, b;           /* bodies; one may be the ground; for balls and
                                     custom joints also particles                     ground */
    saddle_pose frame_a, frame_b; /* frames in the bodies, in the world for ground    identity */
    saddle_motion motion;         /* MOTION: frame b in frame a, `before` and `after` included;
                                     its data are borrowed, for as long as the model  fixed */
    double start[SADDLE_JOINT_COORDINATES_MAX]; /* MOTION: q near the present poses    0 */
    saddle_compliance compliance; /* of the locked rows                               hard */
    saddle_joint_free free[SADDLE_JOINT_FREE_MAX]; /* as many as the kind has */
    saddle_bearing bearing; /* hinge, slider, ball; friction in steps, not in accelerations; default
                               none */
} saddle_joint_def;

SADDLE_API saddle_joint_free saddle_joint_free_default(void);
SADDLE_API saddle_joint_def saddle_joint_def_default(void);

/* Sets frame_a and frame_b to one pose in the world, from the present poses of the parts; of a
 * motion frame_b to the pose that `start` gives from there.  SADDLE_INVALID_ARGUMENT: a or b is
 * neither a body, a particle nor the ground; a pose that is not a rotation; `start` is out of the
 * motion's range. */
SADDLE_API saddle_status saddle_joint_def_at(const saddle_model *model, const saddle_pose *world,
                                             saddle_joint_def *def);

/* A frame with its z axis along `axis` and its origin at `origin` (3 each).
 * SADDLE_INVALID_ARGUMENT: an axis of length zero. */
SADDLE_API saddle_status saddle_pose_along(saddle_context *context, const double *origin,
                                           const double *axis, saddle_pose *pose);

/* SADDLE_INVALID_ARGUMENT, the joint named: a and b equal, unsuitable or both at rest, frames that
 * are not rotations, lo > hi, a number out of range, a setting of a free coordinate that the kind
 * does not have, a bearing that the kind does not have, or without radius, a wheel with parallel
 * axes, no such form; a motion of a size outside 1 .. 6, without evaluate, or without a q near the
 * present poses within reach of `start`. */
SADDLE_API saddle_status saddle_model_add_joint(saddle_model *model, const saddle_joint_def *def,
                                                saddle_handle *joint);

/* "hinge", ...; static storage */
SADDLE_API const char *saddle_joint_kind_word(saddle_joint_kind kind);
/* SADDLE_UNKNOWN_NAME */
SADDLE_API saddle_status saddle_joint_kind_from_word(const char *word, saddle_joint_kind *kind);
/* free coordinates of the kind; of a motion, which has motion.size of them, 6 */
SADDLE_API int64_t saddle_joint_free_count(saddle_joint_kind kind);

/* "rows", ...; static storage */
SADDLE_API const char *saddle_joint_form_word(saddle_joint_form form);
/* SADDLE_UNKNOWN_NAME */
SADDLE_API saddle_status saddle_joint_form_from_word(const char *word, saddle_joint_form *form);

/* Form of the joints added from now on without one of their own: ROWS in a new model, and for
 * OF_MODEL.  In coordinates, poses and velocities of children are the joints' (see above).
 * SADDLE_INVALID_ARGUMENT: no such form. */
SADDLE_API saddle_status saddle_model_set_joint_form(saddle_model *model, saddle_joint_form form);

/* The form taken when the joint was added, ROWS or COORDINATES; OF_MODEL: no joint. */
SADDLE_API saddle_joint_form saddle_model_joint_form(const saddle_model *model,
                                                     saddle_handle joint);

/* The coordinates of a joint: a part with saddle_model_part_velocities numbers q and dq/dt, the
 * host's to read and write between steps like those of other parts; saddle_model_push adds forces
 * and torques along them.  {0}: a joint as rows. */
SADDLE_API saddle_handle saddle_model_joint_part(const saddle_model *model, saddle_handle joint);

/* q and dq/dt of the joint's free coordinates (NULL is fine).  SADDLE_INVALID_ARGUMENT: no joint;
 * SADDLE_SINGULAR. */
SADDLE_API saddle_status saddle_model_joint_coordinates(saddle_model *model, saddle_handle joint,
                                                        double *q, double *dq);

/* ---- prescribed coordinates ----
 *
 * Hybrid dynamics: the coordinates of a joint follow given values, and saddle_stepper_joint_force
 * returns the force needed for that.  In a step of h from time t, with the value of t + h, their
 * rate is
 *
 *     SADDLE_PRESCRIPTION_POSITION      u = (value - q)/h     q = value at the end of the step
 *     SADDLE_PRESCRIPTION_VELOCITY      u = value
 *     SADDLE_PRESCRIPTION_ACCELERATION  u = dq/dt + h value
 *
 * and q <- q + h u.  dq/dt is u at the end of the step; with the trapezoidal rule and a joint as
 * rows, u is the mean of dq/dt over the step.  Forces are those of the change of u within the step:
 * of first order in h.  In saddle_assembly_accelerations ddq is the value at the present time for
 * SADDLE_PRESCRIPTION_ACCELERATION, and 0 for the others.  Coordinates are those of
 * saddle_model_joint_part, or, of a joint as rows, those of saddle_model_joint_coordinates. */

/* value (coordinates): at `time` [s]; holds the last value at entry. */
typedef void saddle_prescribed_function(void *user, double time, double *value);

/* function: borrowed, with user; NULL: the host writes the values.  how = SADDLE_PRESCRIPTION_NONE
 * ends it.  Requires a new saddle_assembly, as an added item does.  SADDLE_INVALID_ARGUMENT: no
 * joint, no such prescription, a joint without coordinates (fixed, or custom as rows), or of too
 * many rows; SADDLE_OUT_OF_MEMORY; errors of saddle_model_joint_coordinates.  The joint is then
 * unchanged. */
SADDLE_API saddle_status saddle_model_prescribe_joint(saddle_model *model, saddle_handle joint,
                                                      saddle_prescription how,
                                                      saddle_prescribed_function *function,
                                                      void *user);

/* The values (coordinates), which begin with the present q, dq/dt or 0, the host's to write between
 * steps where no function does.  NULL: no prescribed joint. */
SADDLE_API double *saddle_model_joint_prescribed(saddle_model *model, saddle_handle joint);

/* The joint's definition, writable between steps (frames, compliances, limits, motors, servos,
 * friction, bearing; a motion and `start` stay); saddle_model_joint_changed applies the changes.
 * The system keeps its rows while limits and strengths stay finite or infinite, switches stay on or
 * off, friction, mu of the bearing and compliances stay zero or positive; other changes require a
 * new saddle_assembly. NULL: no joint. saddle_model_joint_changed: SADDLE_INVALID_ARGUMENT as for a
 * new joint, with `start` the last q, or for another kind, motion, `start` or form, other parts, a
 * soft joint in coordinates; the joint is then unchanged. */
SADDLE_API saddle_joint_def *saddle_model_joint(saddle_model *model, saddle_handle joint);
SADDLE_API saddle_status saddle_model_joint_changed(saddle_model *model, saddle_handle joint);

SADDLE_END_DECLARATIONS

#endif
