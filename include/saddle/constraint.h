/* SPDX-License-Identifier: MIT */
/* Constraints: functions of positions and time, held at zero, kept from negative values, or driven.
 *
 *     phi(q, t) (rows),     dphi/dt = J v + phi_t,     d2phi/dt2 = J dv/dt + drift
 *
 *     purpose   law                 b                                   bounds
 *     HOLD      phi = 0             -phi/T - phi_t                      |F| <= strength
 *     LIMIT     phi >= 0            -phi/T - phi_t where phi < 0,       F >= 0
 *                                   -phi/h - phi_t where phi >= 0
 *     DRIVE     dphi/dt = target    target - phi_t                      |F| <= strength
 *     IMPACT    u+ >= -e u-         -e u- - phi_t                       F >= 0
 *               u = dphi/dt                                               where phi + h/2 u- <= 0,
 *                                                                       F = 0 elsewhere
 *
 * T: saddle/compliance.h.  With restitution e a LIMIT row also has dphi/dt+ >= -e dphi/dt where
 * phi + h dphi/dt <= 0.  A DRIVE row is a motor, or with target 0 dry friction of a joint; a HOLD
 * row with a strength is a servo.
 *
 * IMPACT is Moreau's law on velocities (J. J. Moreau, Numerical aspects of the sweeping process,
 * 1999): penetration within a step remains, phi is not corrected, and no motion is stopped before
 * phi = 0.  With the trapezoidal rule IMPACT is the Moreau-Jean scheme of theta = 1/2 (M. Jean, The
 * non-smooth contact dynamics method, 1999).
 *
 * Joints (saddle/joint.h), pins and rods are constraints.  Examples of a host's constraint: a reach
 * cone C(q) >= 0 is one LIMIT row; a support that moves as a function of time has a rate.
 */
#ifndef SADDLE_CONSTRAINT_H
#define SADDLE_CONSTRAINT_H

#include "saddle/compliance.h"
#include "saddle/model.h"

SADDLE_BEGIN_DECLARATIONS

enum { SADDLE_CONSTRAINT_ROWS_MAX = 32 };

typedef struct saddle_constraint_values { /* zero on entry */
    double *phi;                          /* rows */
    double *rate;                         /* rows: phi_t, the partial derivative by time */
    double *const *J; /* count matrices rows x size, row by row: J[k][i * size + j].  Those of the
                         ground and of prescribed parts enter b only */
} saddle_constraint_values;

/* A status other than SADDLE_OK ends the step, with the constraint's name in the message.  A small
 * displacement d of an anchor is written like its velocity: x + d, pose exp(d); J is the derivative
 * of phi by d. */
typedef struct saddle_constraint_type {
    const char *name;
    saddle_status (*evaluate)(saddle_context *context, const saddle_site *site,
                              saddle_constraint_values *values);
    /* drift (rows): d2phi/dt2 at constant velocities.  NULL: accelerations are not supported */
    saddle_status (*drift)(saddle_context *context, const saddle_site *site, double *drift);
    /* K: count x count blocks as of a force, d(J'force)_a/dq_b at constant force (rows).  NULL:
     * taken as zero */
    saddle_status (*stiffness)(saddle_context *context, const saddle_site *site,
                               const double *force, double *const *K);
} saddle_constraint_type;

typedef enum saddle_purpose {
    SADDLE_PURPOSE_HOLD = 0,
    SADDLE_PURPOSE_LIMIT = 1,
    SADDLE_PURPOSE_DRIVE = 2,
    SADDLE_PURPOSE_IMPACT = 3
} saddle_purpose;

typedef struct saddle_row_def {   /* start from saddle_row_def_default()               default */
    saddle_purpose purpose;       /*                                                   HOLD */
    double strength;              /* HOLD, DRIVE: bound of |F|, >= 0 [N, N m]          INFINITY */
    double target;                /* DRIVE: dphi/dt [m/s, rad/s]                       0 */
    double restitution;           /* LIMIT, IMPACT: Newton's e, 0 .. 1 [-]             0 */
    int angular;                  /* 1: J at linear velocities of bodies is zero and
                                     left out of the pattern                           0 */
    saddle_compliance compliance; /* not read for DRIVE and IMPACT                     hard */
} saddle_row_def;

SADDLE_API saddle_row_def saddle_row_def_default(void);

typedef struct saddle_constraint_def {  /* start from {0}                              default */
    const char *name;                   /* copied; NULL is fine                        NULL */
    const saddle_constraint_type *type; /* borrowed                                    - */
    int64_t count;                      /* anchors, 1 .. SADDLE_ANCHORS_MAX            - */
    const saddle_anchor *anchors;       /* count, all different                        - */
    int64_t rows;                       /* 1 .. SADDLE_CONSTRAINT_ROWS_MAX             - */
    const saddle_row_def *row;          /* rows; NULL = all default                    NULL */
    const void *data;                   /* bytes, copied                               NULL */
    size_t bytes;                       /*                                             0 */
} saddle_constraint_def;

/* SADDLE_INVALID_ARGUMENT, the constraint named: an anchor on no part, two equal anchors (a joint
 * of a part with itself), no anchor on a moving part, a row definition out of range. */
SADDLE_API saddle_status saddle_model_add_constraint(saddle_model *model,
                                                     const saddle_constraint_def *def,
                                                     saddle_handle *constraint);

/* Rows of a constraint (0: no such constraint) and their definitions, writable between steps
 * (targets, strengths).  Another purpose or angular, or a finite strength instead of an infinite
 * one, requires a new saddle_assembly. */
SADDLE_API int64_t saddle_model_constraint_rows(const saddle_model *model,
                                                saddle_handle constraint);
SADDLE_API saddle_row_def *saddle_model_constraint_row(saddle_model *model,
                                                       saddle_handle constraint, int64_t row);
/* the copied data */
SADDLE_API void *saddle_model_constraint_data(saddle_model *model, saddle_handle constraint);

/* Couples rows 0 .. count - 1 of a constraint, HOLD rows, by compliance and damping matrices
 * instead of their own compliances (of a joint the locked rows come first; a pin has three):
 *
 *     C F = -(phi + C D dphi/dt),     R = (h C D + theta h^2 I)^-1 C     (saddle_compliance_matrix)
 *
 * C, D (count x count by columns): [m/N], [N s/m]; symmetric, positive semidefinite, both triangles
 * read, copied; D NULL = 0.  count 0 ends the coupling.  Another count than the last requires a new
 * saddle_assembly.  A step gives SADDLE_INVALID_ARGUMENT where such a row is no longer a HOLD row,
 * SADDLE_SINGULAR where C or D is not semidefinite; saddle_assembly_accelerations
 * SADDLE_UNSUPPORTED where C is singular.
 * SADDLE_INVALID_ARGUMENT: no such constraint, count not within 0 .. rows, a row that is no HOLD
 * row, a matrix that is not symmetric; SADDLE_OUT_OF_MEMORY.  The constraint is then unchanged. */
SADDLE_API saddle_status saddle_model_couple_rows(saddle_model *model, saddle_handle constraint,
                                                  int64_t count, const double *C, const double *D);
/* Coupled rows of a constraint; C and D (count x count; NULL is fine): their matrices. */
SADDLE_API int64_t saddle_model_coupled_rows(const saddle_model *model, saddle_handle constraint,
                                             double *C, double *D);

/* Values in the present state: phi, rate = J v + phi_t, drift (rows each; NULL is fine).
 * SADDLE_INVALID_ARGUMENT: no such constraint, a drift of a type without drift; errors of the
 * type. */
SADDLE_API saddle_status saddle_model_constraint_evaluate(saddle_model *model,
                                                          saddle_handle constraint, double *phi,
                                                          double *rate, double *drift);

SADDLE_END_DECLARATIONS

#endif
