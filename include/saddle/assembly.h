/* SPDX-License-Identifier: MIT */
/* The sparse system of a step from a model: pattern once, values per step.
 *
 *     Mhat v+ - J'lambda = f,     J v+ + R lambda - b = w             (saddle/problem.h)
 *
 *     Mhat = M - damping D - stiffness K
 *         D = df/dv, K = df/dq + geometric stiffness of the last lambda
 *     f    = Mhat v + h f(q, v, t) + gyroscopic ad(v)'M v + velocity_force K v
 *     b    by the purpose of each row (saddle/constraint.h), minus J_p v_p of prescribed parts
 *
 * Columns: the parts in the order of adding, without prescribed ones.  In a model with attachments
 * (saddle/attach.h) all parts have columns, and M, J and f are those of the whole problem, as if
 * nothing were attached or prescribed; saddle_assembly_attachments has the rest of it, v = Q u + d,
 * for saddle_elimination_create.  Rows: the constraints in the
 * order of adding, then the slots of contacts.  A slot is the rows of one contact between two
 * parts, three, with torsional or rolling friction up to six.  A new contact takes a free slot of
 * its parts; the columns of a slot stay in the pattern when its contact ends (J = 0, R = 1, b = -1:
 * lambda = 0).  The pattern grows only where no slot is free, by the missing slots and a quarter
 * more; slots that were empty for long are then removed if they are half of all.
 * saddle_assembly_reserve makes permanent slots in advance.
 */
#ifndef SADDLE_ASSEMBLY_H
#define SADDLE_ASSEMBLY_H

#include "saddle/constraint.h"
#include "saddle/contact.h"
#include "saddle/couplings.h"
#include "saddle/problem.h"

SADDLE_BEGIN_DECLARATIONS

/* One stage of an integrator; start from {0}. */
typedef struct saddle_stage {
    double time_step;        /* h: duration of forces [s] */
    double gyroscopic;       /* duration of gyroscopic forces: h, or less with the stepper's turn of
                                momenta (saddle/stepper.h) [s] */
    double damping;          /* factor of D in Mhat [s] */
    double stiffness;        /* factor of K in Mhat [s^2] */
    double velocity_force;   /* factor of K v in f [s^2] */
    double row_step;         /* h of rows: positions move by row_step times a velocity [s] */
    double theta;            /* of compliances (saddle/compliance.h) [-] */
    double unilateral_theta; /* of compliances of LIMIT rows and contacts; 0 = theta [-] */
    double carried; /* c: positions move by row_step ((1 - c) v+ + c v).  HOLD rows, and LIMIT rows
                       and normals of contacts where b becomes smaller (otherwise a landing part
                       would bounce), have R/(1 - c) and (b - c J v)/(1 - c) [-] */
    double ahead;   /* forces are evaluated at the model's time + ahead [s] */
    const double *added_force; /* (n): additional forces; NULL = none */
    int keep_errors;           /* 1: b = -phi_t of hard HOLD rows (no compliance, no strength) */
    int turned; /* 1: momenta of bodies will be turned into the new axes, forces included: K of
                   unsymmetric forces is that of the wrench in the present axes */
    int halves; /* 1: half of the impulses of hard HOLD rows and of attachments will act at the end
                   of the step, in the J and A found there: geometric stiffness leaves these out */
    double separation_speed; /* the first overlap of a contact without compliance (alpha = 0) is
                                corrected at this speed, later overlaps at once; 0 = all at once
                                [m/s] */
    double curvature; /* hard HOLD rows of types with drift: b <- b - curvature drift; half of
                         row_step gives phi = 0 to second order [s] */
    /* of attached velocities (saddle/couplings.h); zero: v_k = A v_j */
    saddle_coupling_step attached;
    /* duration of the gyroscopic forces that the turn of momenta replaces; the turn acts on bodies
     * only, hence the gyroscopic forces of other masses (armatures) remain in f [s] */
    double turning;
} saddle_stage;

/* Start from saddle_assembly_options_default(). */
typedef struct saddle_assembly_options {
    saddle_law law;          /* of contacts; default CONE */
    int64_t facets;          /* PYRAMID; 0 = 8; default 0 */
    int geometric_stiffness; /* 1: K includes d(J'F)/dq of the last step's forces (compliance
                                notes) of constraints and contacts, d(A'F)/dq of attachments, its
                                symmetric part unless Mhat is general; default 0 */
    int gyroscopic_jacobian; /* 1: D includes that of the gyroscopic force, K that of gravity in
                                body axes: Mhat is then general; default 0 */
    int symmetric_stiffness; /* 1: K and D of unsymmetric forces become (K + K')/2; default 0 */
    double baumgarte_alpha;  /* of saddle_assembly_accelerations; default 0 [1/s] */
    double baumgarte_beta;   /* likewise; alpha = beta is critical damping; default 0 [1/s] */
} saddle_assembly_options;

typedef struct saddle_assembly saddle_assembly;

SADDLE_API saddle_assembly_options saddle_assembly_options_default(void);

/* Compiles the model.  model: borrowed, outlives the assembly; after items were added or removed
 * the next update gives SADDLE_WRONG_PHASE.  options: NULL = default.  *assembly: released by
 * saddle_assembly_free; NULL on failure.  SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE. */
SADDLE_API saddle_status saddle_assembly_create(saddle_model *model,
                                                const saddle_assembly_options *options,
                                                saddle_assembly **assembly);
SADDLE_API void saddle_assembly_free(saddle_assembly *assembly); /* NULL is fine */

/* Adds slots for count more contacts of three rows between two sides, whose points are not read.
 * SADDLE_INVALID_ARGUMENT: count negative, sides on no part, sides that are both at rest;
 * SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE. */
SADDLE_API saddle_status saddle_assembly_reserve(saddle_assembly *assembly,
                                                 const saddle_contact_side *a,
                                                 const saddle_contact_side *b, int64_t count);

/* Computes the values from the model's state.  contacts: NULL = none.  *grown (NULL is fine): 1
 * where the pattern has changed since the last update, so that a solver must analyse again: at the
 * first update, at the first with damping or stiffness, where slots were missing, where a row
 * became soft. Memory is allocated only then.  SADDLE_INVALID_ARGUMENT: an unsound contact (id,
 * parts, normal, number; its id in the message), a force, constraint or state that is not finite, a
 * pose that is not a rotation (the item named); errors of forces and constraints;
 * SADDLE_WRONG_PHASE. */
SADDLE_API saddle_status saddle_assembly_update(saddle_assembly *assembly,
                                                const saddle_stage *stage,
                                                const saddle_contact_list *contacts, int *grown);

/* The system, owned by the assembly, valid until the next update.  row_id is stable over steps and
 * patterns; rows and components have the names of their items. */
SADDLE_API const saddle_problem *saddle_assembly_problem(const saddle_assembly *assembly);

/* The graph of a model with attachments, with the values of the last update, owned by the assembly;
 * NULL: no attachments.  Ids of components are 0, 1, .. in the order of the parts, nodes one by
 * one.
 */
SADDLE_API const saddle_attachments *saddle_assembly_attachments(const saddle_assembly *assembly);

/* Positions and velocities of attached parts from those of their masters, into the model.
 * SADDLE_WRONG_PHASE; the status of an attachment that finds no place. */
SADDLE_API saddle_status saddle_assembly_place(saddle_assembly *assembly);

/* ---- columns, rows, vectors ---- */

/* first column; -1 = none */
SADDLE_API int64_t saddle_assembly_column(const saddle_assembly *assembly, saddle_handle part);
/* first row; -1 = none */
SADDLE_API int64_t saddle_assembly_row(const saddle_assembly *assembly, saddle_handle constraint);
/* first row; -1 = none */
SADDLE_API int64_t saddle_assembly_contact_row(const saddle_assembly *assembly, int64_t id);

/* v (n), the velocities of the columns, from the model and into the model. */
SADDLE_API void saddle_assembly_get_velocity(const saddle_assembly *assembly, double *v);
SADDLE_API void saddle_assembly_set_velocity(saddle_assembly *assembly, const double *v);

/* Motion of poses by twists (multibody and LCP notes, position update). */
typedef enum saddle_rotation_update {
    SADDLE_ROTATION_UPDATE_EXPONENTIAL = 0,  /* pose <- pose exp(h (nu, omega)) on SE(3) */
    SADDLE_ROTATION_UPDATE_FINITE = 1,       /* R <- R exp(h [omega]), p <- p + h R nu */
    SADDLE_ROTATION_UPDATE_INFINITESIMAL = 2 /* q <- q + h/2 q (0, omega), normalized; p as above */
} saddle_rotation_update;

/* q <- q + h v, poses by the update, prescribed parts by their own velocities, attached parts where
 * their masters take them; counts turns of joints.  The model's velocities, time and pushed forces
 * stay.  SADDLE_INVALID_ARGUMENT; SADDLE_WRONG_PHASE: items were added or removed since the
 * creation; or the status of an attachment that finds no place. */
SADDLE_API saddle_status saddle_assembly_move(saddle_assembly *assembly, double h, const double *v,
                                              saddle_rotation_update update);

/* f(q, v, t) (n) of the last update [N, N m], with gravity, without gyroscopic forces and rows. */
SADDLE_API const double *saddle_assembly_force(const saddle_assembly *assembly);

/* phi (m) of the last update: errors of constraints, gaps of contacts (0 for tangents and empty
 * slots). */
SADDLE_API const double *saddle_assembly_phi(const saddle_assembly *assembly);

/* Stores lambda (m) / h as the forces of constraints and contacts for geometric stiffness in the
 * next step. */
SADDLE_API void saddle_assembly_keep_impulses(saddle_assembly *assembly, double h,
                                              const double *lambda);

/* The problem of accelerations in the arrays of saddle_assembly_problem, without limits, drives and
 * contacts: M a - J'F = f and for hard HOLD rows
 *
 *     J a = -drift - 2 alpha dphi/dt - beta^2 phi,   d2phi/dt2 + 2 alpha dphi/dt + beta^2 phi = 0
 *
 * with Baumgarte's alpha and beta of the options (Sueda, Rigid Body Dynamics Notes, (1.82)); 0
 * leaves the errors of an integration.  SADDLE_UNSUPPORTED: a constraint without drift, named;
 * SADDLE_INVALID_ARGUMENT: alpha or beta is not finite. */
SADDLE_API saddle_status saddle_assembly_accelerations(saddle_assembly *assembly);

SADDLE_END_DECLARATIONS

#endif
