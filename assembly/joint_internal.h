/* SPDX-License-Identifier: MIT */
/* Joints as functions of the pose of frame b relative to frame a, and their derivatives (Sueda,
 * Rigid Body Dynamics Notes, (1.69)).
 *
 *     E = (E_a F_a)^-1 E_b F_b = (p, R)
 *     dp/dt = R nu_b - nu_a - omega_a x p,   dR/dt = [omega] R,   omega = R omega_b - omega_a
 *
 * all in a's axes; nu, omega: twists of the joint frames, Ad(F)^-1 of those of the bodies.  A
 * function c(p, R) has
 *
 *     dc/dt = l'dp/dt + g'omega,   l = dc/dp,   c(exp(d) R) = c(R) + g'd,   g(exp(d) R) = g + H d
 *
 * l is a unit vector or zero; c depends on p alone or on R alone, but on both for a number of
 * saddle__joint_path.  J'F is a force F l and a moment F g on frame b at its origin, and the
 * opposite on a: J follows from E and the two frames.
 */
#ifndef SADDLE_ASSEMBLY_JOINT_INTERNAL_H
#define SADDLE_ASSEMBLY_JOINT_INTERNAL_H

#include "bearing.h"
#include "model_internal.h"
#include "saddle/joint.h"
#include "saddle/joint_coordinates.h"

typedef enum saddle__joint_function_kind {
    SADDLE__JOINT_DISTANCE, /* p[at0] */
    SADDLE__JOINT_LOG,      /* (log R)[at0] */
    SADDLE__JOINT_COSINE,   /* offset + sign R[at0] */
    SADDLE__JOINT_ANGLE,    /* atan2(R[at0] - R[at1], R[at2] + R[at3]), at1, at3 < 0: none */
    SADDLE__JOINT_PITCH,    /* -asin R[at0] */
    SADDLE__JOINT_SPIN,     /* no function: dc/dt = u'omega, u the axis of row at0 of a ball's
                               bearing; c = 0, H = 0 */
    SADDLE__JOINT_PATH      /* number at0 of a saddle__joint_path; of p and R */
} saddle__joint_function_kind;

typedef struct saddle__joint_function {
    saddle__joint_function_kind kind;
    int at[4];
    double sign, offset; /* COSINE */
    int turns;           /* 1: counted over turns */
} saddle__joint_function;

enum { SADDLE__JOINT_FUNCTIONS_MAX = SADDLE_JOINT_FREE_MAX + 6 + SADDLE__BEARING_ROWS_MAX };

/* Along a motion: where its coordinates are looked for, and the directions of the rows. */
typedef struct saddle__joint_guide {
    double q[SADDLE_JOINT_COORDINATES_MAX];
    double across[36]; /* N: 6 x (6 - size) */
    double first[36];  /* N of a new joint, 0 before */
} saddle__joint_guide;

/* The functions of a joint along a motion at the pose E: the 6 - size rows, then the coordinates.
 * With w a twist of E, in its axes: */
typedef struct saddle__joint_path {
    double q[SADDLE_JOINT_COORDINATES_MAX];
    double value[6];
    double A[6][6];  /* rates: A w */
    double B[6][36]; /* dA[w1] w2 = w2'B w1, 6 x 6 by columns */
} saddle__joint_path;

typedef struct saddle__joint_row { /* phi = sign c + offset + rate t */
    int function;
    double sign, offset, rate;
    /* 1 + the number of a prescribed coordinate: phi = 0, phi_t = -its velocity; 0 = none */
    int held;
} saddle__joint_row;

typedef struct saddle__joint_prescribed {
    saddle_prescription how;
    saddle_prescribed_function *function; /* NULL: value is the host's */
    void *user;
    double value[SADDLE_JOINT_COORDINATES_MAX];
    saddle__told told;
} saddle__joint_prescribed;

/* The body that a joint in coordinates attaches. */
typedef enum saddle__joint_child {
    SADDLE__JOINT_NO_CHILD, /* a joint as rows */
    SADDLE__JOINT_CHILD_A,
    SADDLE__JOINT_CHILD_B
} saddle__joint_child;

/* What a joint in coordinates leaves free; pointers lead into it. */
typedef struct saddle__joint_motion {
    saddle_motion part[SADDLE_JOINT_COORDINATES_MAX];
    saddle_joint_chain chain; /* of the parts */
    saddle_motion forth;      /* the frame on b in the frame on a, */
    saddle_motion motion;     /* the child in its parent */
    int back;                 /* 1: a is the child */
} saddle__joint_motion;

typedef struct saddle__joint {
    saddle_joint_def def;  /* the host's, to be written to */
    saddle_joint_def used; /* as last checked; a motion's `before` and `after` in the frames */
    saddle_motion motion;  /* of the new joint's definition */
    unsigned axes;         /* locked ones, bits SADDLE_LOCK_X, .. */
    double cosine;         /* of a wheel: of the angle between a's x and b's y at the beginning */
    saddle__joint_child child;
    int locked, free;        /* functions: locked ones, then those of the free coordinates, */
    int functions;           /* then those of a ball's bearing; all */
    int has_log;             /* 1: some locked function is of SADDLE__JOINT_LOG */
    unsigned used_functions; /* bits: functions of rows; the others need not be defined */
    saddle__joint_function function[SADDLE__JOINT_FUNCTIONS_MAX];
    double angle[SADDLE__JOINT_FUNCTIONS_MAX]; /* of functions with turns, at the last motion */
    saddle__joint_guide guide;                 /* of a motion, likewise */
    int rows;
    saddle__joint_row row[SADDLE_CONSTRAINT_ROWS_MAX];
    saddle__joint_prescribed prescribed;
    int bearing_rows;      /* the last of the rows */
    double bearing_y[6];   /* y of bearing.h, of forces: the bounds of the bearing's rows */
    double bearing_old[6]; /* at the beginning of a step */
    saddle_bearing_forces bearing_forces; /* of the last step */
} saddle__joint;

/* ---- joint.c ---- */

/* The joint of a handle; NULL: none. */
saddle__joint *saddle__joint_of(const saddle_model *model, saddle_handle handle);

/* Sets the rows of a joint of the model anew, from joint->used and what is prescribed.
 * SADDLE_OUT_OF_MEMORY: unchanged. */
saddle_status saddle__joint_renew_rows(saddle_model *model, saddle__item_link *link,
                                       saddle__joint *joint);

/* E of a checked definition in the present state. */
saddle_pose saddle__joint_pose(const saddle_model *model, const saddle_joint_def *def);

/* ---- joint_motion.c ---- */

/* Attaches the child of a joint just added. */
saddle_status saddle__joint_attach(saddle_model *model, saddle_handle joint);

/* The frames of the definition into the motion. */
void saddle__joint_motion_place(saddle__joint_motion *motion, const saddle_joint_def *def);

/* ---- joint_path.c ---- */

/* The functions at E; twice: B too.  0: no coordinates of E within reach of the guide. */
int saddle__joint_path_at(const saddle_motion *motion, const saddle__joint_guide *guide,
                          const saddle_pose *E, int twice, saddle__joint_path *path);

/* The guide at E; N is the orthonormal basis of the complement of S(q) nearest to guide->first, a
 * function of q alone.  0: not found. */
int saddle__joint_path_settle(const saddle_motion *motion, const saddle_pose *E,
                              saddle__joint_guide *guide);

/* ---- joint_functions.c ---- */

/* W (6) = sum over the locked rows of lambda times the wrench of the row on b, at the origin of the
 * frame on b, a's axes. */
void saddle__joint_load(const saddle__joint *joint, const saddle_site *site, const double *lambda,
                        double *W);

/* The type of the constraint, and `moved` (saddle__item_link), which counts the turns of the
 * functions with turns. */
typedef struct saddle__joint_class {
    saddle_constraint_type type;
    void (*moved)(const saddle_site *site, void *data);
} saddle__joint_class;

extern const saddle__joint_class saddle__joints;

/* A free coordinate of a joint, with a copy of the joint's frames, which stays when the joint is
 * removed. */
typedef struct saddle__coordinate {
    saddle_handle joint;
    int64_t index;
    saddle_joint_def def; /* the frames are read */
    saddle__joint_function function;
    double angle; /* turns are counted from here */
    saddle__joint_guide guide;
} saddle__coordinate;

typedef struct saddle__coordinate_value {
    double q, dq, drift; /* drift: d2q/dt2 at constant velocities */
    double J[2][6];      /* dq/dt = sum J_k v_k */
    double G[4][36];     /* d(J_a')/dx_b: blocks aa, ab, ba, bb, 6 x 6 by columns */
} saddle__coordinate_value;

/* site: of the joint's two anchors; second: 1 = drift and G too.  0: not defined here. */
int saddle__coordinate_at(const saddle__coordinate *coordinate, const saddle_site *site, int second,
                          saddle__coordinate_value *at);

/* Counts turns after a motion. */
void saddle__coordinate_moved(saddle__coordinate *coordinate, const saddle_site *site);

/* ---- coordinate_forces.c ---- */

/* The coordinates of springs, armatures and gears on a joint take the joint's new frames. */
void saddle__coordinates_follow(saddle_model *model, saddle_handle joint);

#endif
