/* SPDX-License-Identifier: MIT */
/* The graph composed: an attached component's velocities by active ones alone, its "roots".
 *
 *     v_k = sum_s Q_ks u_s + d_k   Q_k = sum_j A_kj Q_j,  Q_j the identity at active velocities
 *         (0.18, in order)
 *
 * The rows of unit k hold its roots' parts side by side: rows x width, by rows.
 */
#ifndef SADDLE_ATTACHMENTS_COMPOSE_H
#define SADDLE_ATTACHMENTS_COMPOSE_H

#include "map.h"

typedef struct saddle__composition {
    int64_t bytes;
    int64_t *root_start; /* units + 1 */
    int64_t *root;       /* root_start[units]: components with active velocities, ascending in each
                            unit */
    int64_t *offset;     /* root_start[units]: where its part begins in a row of Q */
    int64_t *width;      /* units: length of a row of Q */
    int64_t *Q_start;    /* units + 1 */
    double *Q;           /* Q_start[units] */
    int64_t target_count;
    int64_t *target; /* where in a row of Q_k the parts of Q_j go, unit by unit, block by block:
                        that of j's own active velocities if it has some, then those of its roots if
                        it is attached */
    int32_t *unit_of_row;     /* attached rows */
    int64_t *follower_start;  /* components + 1: units that have a component as root */
    int64_t *follower;        /* root_start[units]: which one .. */
    int64_t *follower_offset; /* .. and where its part begins in a row of Q */
} saddle__composition;

/* The pattern; values are zero.  What was built of *Q on failure is for
 * saddle__composition_clear. */
saddle_status saddle__composition_create(saddle_context *context, const saddle_map *map,
                                         saddle__composition *Q);

/* The values, from those of the map.  No allocation. */
void saddle__compose(const saddle_map *map, saddle__composition *Q);

void saddle__composition_clear(saddle_context *context, saddle__composition *Q);

#endif
