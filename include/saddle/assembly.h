/* SPDX-License-Identifier: MIT */
/* The sparse system of a step, from a model: pattern once, values per step.
 *
 *     Mhat v+ - J'lambda = f,     J v+ + R lambda - b = w             (saddle/problem.h)
 *
 *     Mhat = M - damping D - stiffness K
 *         D = df/dv, K = df/dq + geometric stiffness of the last lambda
 *     f    = Mhat v + h f(q, v, t) + gyroscopic ad(v)'M v + velocity_force K v
 *     b    = by each row's purpose (saddle/constraint.h), less J_p v_p of prescribed parts
 *
 * Columns: parts in the order they were added, prescribed ones left out.  Rows: constraints in the
 * order they were added, then the contacts' slots.  A slot is three rows for one contact between
 * two parts; contacts that come take free slots of the same parts, their columns stay in the
 * pattern when they go (their rows are then empty: J = 0, R = 1, b = -1, so that lambda = 0). Only
 * where no slot is free the pattern grows, by as many as are missing and a part of all for those to
 * come, and slots that were empty for long go where they are the half of all;
 * saddle_assembly_reserve makes room beforehand, which stays.
 */
#ifndef SADDLE_ASSEMBLY_H
#define SADDLE_ASSEMBLY_H

#include "saddle/constraint.h"
#include "saddle/contact.h"
#include "saddle/problem.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_stage { /* what an integrator asks for; start from zero */
    double time_step;         /* h: what forces act for [s] */
    double gyroscopic;        /* what gyroscopic forces act for: h, or what the stepper leaves of it
                                 (saddle/stepper.h) [s] */
    double damping;           /* of D in Mhat [s] */
    double stiffness;         /* of K in Mhat [s^2] */
    double velocity_force;    /* of K v in f [s^2] */
    double row_step;          /* the h of rows: what positions move by [s] */
    double theta;             /* of compliances (saddle/compliance.h) [-] */
    double unilateral_theta;  /* of those of LIMIT rows and contacts; 0 = theta [-] */
    double carried; /* positions move by row_step ((1 - carried) v+ + carried v): for HOLD rows, and
                       for LIMIT rows and contacts' normals where it lowers b (else what lands would
                       bounce), R <- R/(1 - carried), b <- (b - carried J v)/(1 - carried) [-] */
    double ahead;   /* forces are asked for at the model's time + ahead [s] */
    const double *added_force; /* (n): forces that act besides those of now; NULL = none */
    int keep_errors; /* 1: hard HOLD rows (no compliance, no strength) correct nothing: b =
                        -phi_t */
    int turned;      /* 1: momenta of bodies will be turned into their new axes, and with them what
                        forces gave: K of forces that are not symmetric is then that of the wrench
                        seen      from the axes of now */
    int halves; /* 1: one half of what hard HOLD rows carry will act where the step ends, in J of
                   there: they are left out of geometric stiffness */
    double separation_speed; /* the overlap with which a contact without compliance (alpha = 0) is
                                found is taken out at this speed, what overlaps later at once; 0 =
                                at once [m/s] */
    double curvature; /* hard HOLD rows: b <- b - curvature drift, where their type knows it: with
                         half of row_step what moves ends on phi = 0 to second order [s] */
} saddle_stage;

typedef struct saddle_assembly_options { /* start from saddle_assembly_options_default() */
    saddle_law law;                      /* of contacts (default: CONE) */
    int64_t facets;                      /* PYRAMID: 0 = 8 (default: 0) */
    int geometric_stiffness; /* 1: K takes in d(J'F)/dq of the last step's forces (seed 002);
                                its symmetric part, unless Mhat is general anyway (default: 0) */
    int gyroscopic_jacobian; /* 1: D takes in that of the gyroscopic force, K that of gravity in
                                the axes of bodies: Mhat is then general (default: 0) */
    int symmetric_stiffness; /* 1: K, D of unsymmetric forces are taken as (K + K')/2 (default:
                                0) */
} saddle_assembly_options;

typedef struct saddle_assembly saddle_assembly;

SADDLE_API saddle_assembly_options saddle_assembly_options_default(void);

/* Compiles the model as it is now.  model: borrowed, outlives the assembly; when items have been
 * added or removed the next update says SADDLE_WRONG_PHASE.  options: NULL = default.  *assembly:
 * released by saddle_assembly_free; NULL on failure. SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE. */
SADDLE_API saddle_status saddle_assembly_create(saddle_model *model,
                                                const saddle_assembly_options *options,
                                                saddle_assembly **assembly);
SADDLE_API void saddle_assembly_free(saddle_assembly *assembly); /* NULL is fine */

/* Slots for count more contacts between such sides (saddle_contact_side, their points are not
 * read). SADDLE_INVALID_ARGUMENT: count negative, sides that are no such parts or both stand still;
 * SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE. */
SADDLE_API saddle_status saddle_assembly_reserve(saddle_assembly *assembly,
                                                 const saddle_contact_side *a,
                                                 const saddle_contact_side *b, int64_t count);

/* Values from the model's state.  contacts: NULL = none.  *grown (NULL is fine): 1 where the
 * pattern is another than at the last update (at the first, or the first that asks for damping or
 * stiffness; where slots lacked; where a row has become soft), so that a solver must analyse again;
 * then and only then memory is allocated. SADDLE_INVALID_ARGUMENT: a contact that is unsound (id,
 * parts, normal, number; it is named by its id), a force, constraint or state that is not finite, a
 * pose that is no rotation (its item is named); what forces and constraints answer;
 * SADDLE_WRONG_PHASE. */
SADDLE_API saddle_status saddle_assembly_update(saddle_assembly *assembly,
                                                const saddle_stage *stage,
                                                const saddle_contact_list *contacts, int *grown);

/* The system, owned by the assembly, good until the next update or the end.  Its row_id are stable
 * over steps and patterns; rows and components carry the names of their items. */
SADDLE_API const saddle_problem *saddle_assembly_problem(const saddle_assembly *assembly);

/* ---- where things are ---- */

/* first; -1 = none */
SADDLE_API int64_t saddle_assembly_column(const saddle_assembly *assembly, saddle_handle part);
/* first; -1 = none */
SADDLE_API int64_t saddle_assembly_row(const saddle_assembly *assembly, saddle_handle constraint);
/* first; -1 = none */
SADDLE_API int64_t saddle_assembly_contact_row(const saddle_assembly *assembly, int64_t id);

/* v (n) from the model and back: the columns' velocities. */
SADDLE_API void saddle_assembly_get_velocity(const saddle_assembly *assembly, double *v);
SADDLE_API void saddle_assembly_set_velocity(saddle_assembly *assembly, const double *v);

/* How twists turn poses (seed 001, position update): exp on SE(3); R <- R exp(h [omega]), p <- p +
 * h R nu (finite); its first order, dq/dt = 1/2 q (0, omega) for the quaternion, renormalized
 * (infinitesimal). */
typedef enum saddle_rotation_update {
    SADDLE_UPDATE_EXPONENTIAL = 0,
    SADDLE_UPDATE_FINITE = 1,
    SADDLE_UPDATE_INFINITESIMAL = 2
} saddle_rotation_update;

/* q <- q + h v, poses by the update, prescribed parts by their own velocities; constraints that
 * count turns count on. The model's velocities, its time and the forces pushed on stay. */
SADDLE_API void saddle_assembly_move(saddle_assembly *assembly, double h, const double *v,
                                     saddle_rotation_update update);

/* f(q, v, t) (n) as of the last update [N, N m], gravity included; without gyroscopic forces and
 * rows. */
SADDLE_API const double *saddle_assembly_force(const saddle_assembly *assembly);

/* phi (m) as of the last update: errors of constraints, gaps of contacts (0 for tangents and empty
 * slots). */
SADDLE_API const double *saddle_assembly_phi(const saddle_assembly *assembly);

/* The rows' impulses of the step, for geometric stiffness at the next one; divided by h they are
 * forces.  lambda: (m). */
SADDLE_API void saddle_assembly_keep_impulses(saddle_assembly *assembly, double h,
                                              const double *lambda);

/* Accelerations: M a - J'F = f, J a = -drift for HOLD rows (limits, drives and contacts left out):
 * the problem of that, in the assembly's own arrays as saddle_assembly_problem.
 * SADDLE_UNSUPPORTED: a constraint without drift, named. */
SADDLE_API saddle_status saddle_assembly_accelerations(saddle_assembly *assembly);

SADDLE_END_DECLARATIONS

#endif
