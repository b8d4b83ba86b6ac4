/* SPDX-License-Identifier: MIT */
/* Constraints: functions of positions and time that are held at zero, kept from getting negative,
 * or driven.
 *
 *     phi(q, t) (rows),     dphi/dt = J v + phi_t,     d2phi/dt2 = J dv/dt + drift
 *
 *     HOLD    phi = 0            b = -phi/T - phi_t       |F| <= strength    T: saddle/compliance.h
 *     LIMIT   phi >= 0   b = -phi/T - phi_t where phi < 0, -phi/h - phi_t where phi >= 0: it may be
 *         used up in a step;
 *                                F >= 0; with restitution e, dphi/dt+ >= -e dphi/dt where phi + h
 *                                    dphi/dt <= 0
 *     IMPACT  u+ >= -e u-
 *         u = dphi/dt; b = -e u- - phi_t, F >= 0, where phi + h/2 u- <= 0; F = 0 elsewhere
 *     DRIVE   dphi/dt = target   b = target - phi_t
 *         |F| <= strength: a motor; with target 0 dry friction of a joint
 *
 * IMPACT is Moreau's law of velocities alone: what has come through within a step stays, phi is
 * never corrected, and nothing is stopped ahead of phi = 0 (J. J. Moreau, Numerical aspects of the
 * sweeping process, 1999; with the trapezoidal rule it is the Moreau-Jean scheme of theta = 1/2: M.
 * Jean, The non-smooth contact dynamics method, 1999). A HOLD row with a strength is a servo.
 * Joints (saddle/joint.h) are constraints; these are those of the host's own: a reach cone C(q) >=
 * 0 is one LIMIT row (seed 001, limits), a support that moves as a function of time has a
 * rate. */
#ifndef SADDLE_CONSTRAINT_H
#define SADDLE_CONSTRAINT_H

#include "saddle/compliance.h"
#include "saddle/model.h"

SADDLE_BEGIN_DECLARATIONS

enum { SADDLE_CONSTRAINT_ROWS_MAX = 32 };

typedef struct saddle_constraint_values { /* zero when asked for */
    double *phi;                          /* rows */
    double *rate;                         /* rows: phi_t, at rest */
    double *const *J; /* count: rows x size, row by row: J[k][i * size + j].  What stands at the
                         ground's and at prescribed parts' is used for b alone */
} saddle_constraint_values;

/* A status other than SADDLE_OK is passed on with the constraint's name.  Small displacements of an
 * anchor are as its velocities: x + d, pose exp(d): J is the derivative of phi by these. */
typedef struct saddle_constraint_type {
    const char *name;
    saddle_status (*evaluate)(saddle_context *context, const saddle_site *site,
                              saddle_constraint_values *values);
    /* drift (rows): d2phi/dt2 where all velocities stay as they are.  NULL: only accelerations need
     * it */
    saddle_status (*drift)(saddle_context *context, const saddle_site *site, double *drift);
    /* K: count x count blocks as a force's: d(J'force)_a/dq_b with force (rows) held.  NULL: not
     * known, taken as zero */
    saddle_status (*stiffness)(saddle_context *context, const saddle_site *site,
                               const double *force, double *const *K);
} saddle_constraint_type;

typedef enum saddle_purpose {
    SADDLE_HOLD = 0,
    SADDLE_LIMIT = 1,
    SADDLE_DRIVE = 2,
    SADDLE_IMPACT = 3
} saddle_purpose;

typedef struct saddle_row_def { /* start from saddle_row_def_default() */
    saddle_purpose purpose;     /* default: HOLD */
    double strength;            /* HOLD, DRIVE: |F| at most, >= 0 [N, N m] (default: INFINITY) */
    double target;              /* DRIVE: wanted dphi/dt [m/s, rad/s] (default: 0) */
    double restitution;         /* LIMIT, IMPACT: Newton's e, 0 .. 1 [-] (default: 0) */
    int angular; /* 1: of angles alone: J at bodies' linear velocities is 0, and left out 0 */
    saddle_compliance compliance; /* not read of DRIVE and IMPACT (default: hard) */
} saddle_row_def;

SADDLE_API saddle_row_def saddle_row_def_default(void);

typedef struct saddle_constraint_def {  /* start from zero */
    const char *name;                   /* copied; NULL is fine (default: NULL) */
    const saddle_constraint_type *type; /* borrowed (default: -) */
    int64_t count; /* anchors, 1 .. SADDLE_ANCHORS_MAX, no two the same (default: -) */
    const saddle_anchor *anchors; /* count (default: -) */
    int64_t rows;                 /* 1 .. SADDLE_CONSTRAINT_ROWS_MAX (default: -) */
    const saddle_row_def *row;    /* rows; NULL = all default (default: NULL) */
    const void *data;             /* bytes, copied (default: NULL) */
    size_t bytes;                 /* default: 0 */
} saddle_constraint_def;

/* SADDLE_INVALID_ARGUMENT: an anchor that is no such part, twice the same (a joint to itself), none
 * that moves, a row out of its range; the constraint is named. */
SADDLE_API saddle_status saddle_model_add_constraint(saddle_model *model,
                                                     const saddle_constraint_def *def,
                                                     saddle_handle *constraint);

/* Rows of a constraint (0: no such), and their definitions, to be changed between steps (targets,
 * strengths; a change of purpose, of angular, or of infinite to finite strength, takes another
 * saddle_assembly). */
SADDLE_API int64_t saddle_model_constraint_rows(const saddle_model *model,
                                                saddle_handle constraint);
SADDLE_API saddle_row_def *saddle_model_constraint_row(saddle_model *model,
                                                       saddle_handle constraint, int64_t row);
/* the copied data */
SADDLE_API void *saddle_model_constraint_data(saddle_model *model, saddle_handle constraint);

/* What it says now, from the state of the model.  phi, rate, drift (rows): NULL is fine; rate: J v
 * + phi_t. SADDLE_INVALID_ARGUMENT: no such constraint, a drift of a type that has none; or what
 * the type answers. */
SADDLE_API saddle_status saddle_model_constraint_evaluate(saddle_model *model,
                                                          saddle_handle constraint, double *phi,
                                                          double *rate, double *drift);

SADDLE_END_DECLARATIONS

#endif
