/* SPDX-License-Identifier: MIT */
/* Contacts that the host finds, step by step.
 *
 *     gap >= 0 along n from a to b,   w_n = n'(v_b(x_b) - v_a(x_a)) - b_n,
 *         w_t likewise along two tangents
 *     b_n = -gap/h where gap >= 0: it may be used up in a step;  -gap/T where gap < 0
 *         (saddle/compliance.h); the
 *     overlap with which a contact without compliance is found is parted at the stage's
 *         separation_speed
 *     with restitution e (Newton), approach u_n < 0 that uses the gap up in a step, gap + h u_n <=
 *         0:  b_n >= -e u_n
 *     impact: Moreau's law of velocities alone, as IMPACT of saddle/constraint.h: b_n = -e u_n
 *         where gap + h/2 u_n <= 0;
 *     elsewhere the contact carries nothing
 *
 * The rows of a contact on bodies are those of seed 001's table (C, N, D; its fourth case is l = 2
 * j_k). A contact is followed over the steps by its id: what it carried is where the next solve
 * begins.
 */
#ifndef SADDLE_CONTACT_H
#define SADDLE_CONTACT_H

#include "saddle/compliance.h"
#include "saddle/model.h"

SADDLE_BEGIN_DECLARATIONS

enum { SADDLE_CONTACT_NODES_MAX = 4 };

/* of nodes: the point is sum weight_i x_i, on a face of 1 to 4 nodes */
typedef struct saddle_contact_side {
    saddle_handle part; /* {0}: the ground */
    int64_t count;      /* of nodes: how many; else 0 */
    int64_t node[SADDLE_CONTACT_NODES_MAX];
    double weight[SADDLE_CONTACT_NODES_MAX]; /* sum 1 */
    double point[3]; /* bodies, particles, ground: where it touches, in the world [m] */
} saddle_contact_side;

typedef struct saddle_contact_point { /* start from zero */
    int64_t id; /* 0 .. 2^61 - 1, distinct in a step, the same over steps for a contact - */
    saddle_contact_side a, b; /* two parts, at least one of which moves (default: -) */
    double normal[3];         /* unit, from a to b, in the world (default: -) */
    double tangent[3];  /* unit, normal to it: tangent 1; 0 = chosen from the normal (default: 0) */
    double gap;         /* negative = overlap [m] (default: 0) */
    double mu;          /* >= 0 [-] (default: 0) */
    double restitution; /* e, 0 .. 1 [-] (default: 0) */
    int impact;         /* 1: velocities alone (above); the compliance is not read (default: 0) */
    saddle_compliance compliance; /* of the normal row (default: hard) */
} saddle_contact_point;

/* A list that grows; all-zero is empty.  Its memory is kept by _reset. */
typedef struct saddle_contact_list {
    int64_t count, capacity;
    saddle_contact_point *point;
    saddle_context *context;
} saddle_contact_list;

/* *point: one more, zeroed, good until the next call.  SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_contact_list_add(saddle_contact_list *list,
                                                 saddle_contact_point **point);
SADDLE_API void saddle_contact_list_reset(saddle_contact_list *list);
SADDLE_API void saddle_contact_list_clear(saddle_contact_list *list);

SADDLE_END_DECLARATIONS

#endif
