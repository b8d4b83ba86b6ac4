/* SPDX-License-Identifier: MIT */
/* Contacts of one step, found by the host or by a collider.
 *
 *     gap >= 0 along n from a to b,     w_n = n'(v_b(x_b) - v_a(x_a)) - b_n,
 *                                       w_t likewise along two tangents
 *     w_s = n'(omega_b - omega_a),      w_r = t'(omega_b - omega_a) for both tangents t
 *
 * The rows w_s of torsional and w_r of rolling friction exist where their coefficient is positive
 * between a moving body and a body or the ground: particles and nodes take no moment
 * (saddle/problem.h has the law).
 *
 *     b_n = -gap/h                      gap >= 0: the gap may close within the step
 *     b_n = -gap/T                      gap < 0 (saddle/compliance.h); the first overlap of a
 *                                       contact without compliance separates at
 *                                       stage.separation_speed
 *     b_n >= -e u_n                     restitution e (Newton), where the contact approaches,
 *                                       u_n < 0, and would close within the step, gap + h u_n <= 0
 *     b_n = -e u_n                      impact (Moreau, as IMPACT in saddle/constraint.h), where
 *                                       gap + h/2 u_n <= 0; otherwise the contact has no force
 *
 * The rows of bodies are the contact table (C, N, D) of the multibody and LCP notes, with l = 2 j_k
 * in its fourth case.  A contact keeps its id over the steps; the next solve starts from its last
 * impulses.
 */
#ifndef SADDLE_CONTACT_H
#define SADDLE_CONTACT_H

#include "saddle/compliance.h"
#include "saddle/model.h"

SADDLE_BEGIN_DECLARATIONS

enum { SADDLE_CONTACT_NODES_MAX = 4 };

/* One side of a contact.  On nodes the point is sum weight_i x_i, on a face of 1 to 4 nodes. */
typedef struct saddle_contact_side {
    saddle_handle part; /* {0}: the ground */
    int64_t count;      /* nodes in use; 0 for other parts */
    int64_t node[SADDLE_CONTACT_NODES_MAX];
    double weight[SADDLE_CONTACT_NODES_MAX]; /* sum 1 */
    double point[3]; /* bodies, particles, ground: point of contact, world axes [m] */
} saddle_contact_side;

typedef struct saddle_contact_point { /* start from {0}                                default */
    int64_t id;                       /* 0 .. 2^61 - 1, distinct within a step, equal
                                         over steps for one contact                    - */
    saddle_contact_side a, b;         /* two parts, at least one moving                - */
    double normal[3];                 /* unit, from a to b, world axes                 - */
    double tangent[3];                /* unit, orthogonal to normal; 0 = chosen        0 */
    double gap;                       /* negative = overlap [m]                        0 */
    double mu;                        /* >= 0 [-]                                      0 */
    double mu_torsion, mu_rolling;    /* >= 0 [m]                                      0 */
    double restitution;               /* e, 0 .. 1 [-]                                 0 */
    int impact;                       /* 1: law of velocities; compliance not read     0 */
    saddle_compliance compliance;     /* of the normal row                             hard */
} saddle_contact_point;

/* A growing list; start from {0}, which is empty.  saddle_contact_list_reset keeps the memory. */
typedef struct saddle_contact_list {
    int64_t count, capacity;
    saddle_contact_point *point;
    saddle_context *context;
} saddle_contact_list;

/* *point: a new zeroed point, valid until the next call.  SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_contact_list_add(saddle_contact_list *list,
                                                 saddle_contact_point **point);
SADDLE_API void saddle_contact_list_reset(saddle_contact_list *list);
SADDLE_API void saddle_contact_list_clear(saddle_contact_list *list);

SADDLE_END_DECLARATIONS

#endif
