/* SPDX-License-Identifier: MIT */
/* Joints as functions of the pose of frame b relative to frame a, and their derivatives (Sueda,
 * Rigid Body Dynamics Notes, (1.69)).
 *
 *     E = (E_a F_a)^-1 E_b F_b = (p, R)
 *     dp/dt = R nu_b - nu_a - omega_a x p,   dR/dt = [omega] R,   omega = R omega_b - omega_a,
 *         all in a's axes
 *
 * nu, omega: twists of the joint frames, Ad(F)^-1 of those of the bodies.  A function c(p, R) has
 *
 *     dc/dt = l'dp/dt + g'omega,   l = dc/dp,   c(exp(d) R) = c(R) + g'd,   g(exp(d) R) = g + H d
 *
 * l is a unit vector or zero; c depends on p alone or on R alone.  J'F is a force F l and a moment
 * F g on frame b at its origin, and the opposite on a: J follows from E and the two frames.
 */
#ifndef SADDLE_ASSEMBLY_JOINT_INTERNAL_H
#define SADDLE_ASSEMBLY_JOINT_INTERNAL_H

#include "model_internal.h"
#include "saddle/joint.h"

typedef enum saddle__joint_function_kind {
    SADDLE__JOINT_DISTANCE, /* p[at0] */
    SADDLE__JOINT_LOG,      /* (log R)[at0] */
    SADDLE__JOINT_COSINE,   /* offset + sign R[at0] */
    SADDLE__JOINT_ANGLE,    /* atan2(R[at0] - R[at1], R[at2] + R[at3]), at1, at3 < 0: none */
    SADDLE__JOINT_PITCH     /* -asin R[at0] */
} saddle__joint_function_kind;

typedef struct saddle__joint_function {
    saddle__joint_function_kind kind;
    int at[4];
    double sign, offset; /* COSINE */
    int turns;           /* 1: counted over turns */
} saddle__joint_function;

/* The relative pose, and quantities shared by all functions of R. */
typedef struct saddle__joint_place {
    double p[3], R[9];
    double log[3], L[9]; /* log R and its derivative, d(log R)/dt = L omega; where asked for */
    double to_a[9];      /* a's axes -> body a's */
    double to_b[9];      /* a's axes -> body b's */
    double arm_a[3];     /* frame b's origin in body a */
} saddle__joint_place;

typedef struct saddle__joint_value {
    double value, l[3], g[3];
} saddle__joint_value;

/* Axes whose angle has a smaller sine count as parallel: angles about them are not defined. */
#define SADDLE__JOINT_PARALLEL 1e-8

enum { SADDLE__JOINT_FUNCTIONS_MAX = SADDLE_JOINT_FREE_MAX + 6 };

typedef struct saddle__joint_row { /* phi = sign c + offset + rate t */
    int function;
    double sign, offset, rate;
} saddle__joint_row;

typedef struct saddle__joint {
    saddle_joint_def def;  /* the host's, to be written to */
    saddle_joint_def used; /* as last checked */
    double cosine;         /* of a wheel: of the angle between a's x and b's y at the beginning */
    int locked, functions; /* locked functions, then those of the free coordinates */
    saddle__joint_function function[SADDLE__JOINT_FUNCTIONS_MAX];
    double angle[SADDLE__JOINT_FUNCTIONS_MAX]; /* of functions with turns, at the last motion */
    int rows;
    saddle__joint_row row[SADDLE_CONSTRAINT_ROWS_MAX];
} saddle__joint;

extern const saddle_constraint_type saddle__joint_type;

/* ---- joint_functions.c ---- */

/* with_log: log and L too. */
void saddle__joint_place_of(const saddle_joint_def *def, const saddle_site *site, int with_log,
                            saddle__joint_place *place);

/* value, l, g; H (9, by columns) where not NULL.  0: not defined here (gimbal lock, an axis turned
 * upside down). */
int saddle__joint_function_at(const saddle__joint_function *function,
                              const saddle__joint_place *place, saddle__joint_value *value,
                              double *H);

/* The same, counted over turns from `last`. */
double saddle__joint_unwind(double angle, double last);

/* wrench_a, wrench_b (6): of a force l and a moment g in a's axes, on frame b at its origin, and
 * their opposite on a, in the bodies' axes at their origins. */
void saddle__joint_wrenches(const saddle_joint_def *def, const saddle__joint_place *place,
                            const double *l, const double *g, double *wrench_a, double *wrench_b);

/* a's axes; ddp and domega: rates of dp and omega at constant twists of the bodies */
typedef struct saddle__joint_motion {
    double dp[3], omega[3], ddp[3], domega[3];
} saddle__joint_motion;

void saddle__joint_motion_of(const saddle_joint_def *def, const saddle__joint_place *place,
                             const saddle_site *site, saddle__joint_motion *motion);

/* d2c/dt2 at constant twists: l'ddp + g'domega + omega'H omega */
double saddle__joint_second_rate(const saddle__joint_value *value, const double *H,
                                 const saddle__joint_motion *motion);

/* K (4 blocks 6 x 6 by columns: aa, ab, ba, bb) = d wrenches / d (displacements of a, b), for P =
 * sum F l, G = sum F g, H = sum F H. */
void saddle__joint_wrench_stiffness(const saddle_joint_def *def, const saddle__joint_place *place,
                                    const double *P, const double *G, const double *H,
                                    double K[4][36]);

/* ---- joint_kinds.c ---- */

unsigned saddle__joint_locked(const saddle_joint_def *def); /* of enum saddle_joint_axis */

/* Sets the functions of a kind, locked before free, from joint->used and joint->cosine. */
void saddle__joint_set_functions(saddle__joint *joint);

/* Rows of joint, and their definitions, row (SADDLE_CONSTRAINT_ROWS_MAX), from joint->used and the
 * functions. */
void saddle__joint_set_rows(saddle__joint *joint, saddle_row_def *row);

/* SADDLE_INVALID_ARGUMENT, the joint named. */
saddle_status saddle__joint_check(const saddle_model *model, const saddle_joint_def *def);

#endif
