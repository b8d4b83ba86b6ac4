/* SPDX-License-Identifier: MIT */
/* Which of many boxes along the world's axes overlap: sorted along one axis, swept once (Baraff
 * 1992, the thesis, 2.3). */
#ifndef SADDLE_ASSEMBLY_COLLIDE_PAIRS_H
#define SADDLE_ASSEMBLY_COLLIDE_PAIRS_H

#include "saddle/context.h"

typedef struct saddle__bounds {
    double lo[3], hi[3];
} saddle__bounds;

/* All-zero is empty; memory is kept. */
typedef struct saddle__pairs {
    int64_t count, capacity; /* pairs */
    int64_t *pair;           /* first * 2^32 + second, first < second, ascending */
    int64_t *order;          /* boxes along the axis */
    int64_t order_capacity;
} saddle__pairs;

/* pairs: those of the boxes (count) that overlap or touch; empty ones (lo > hi) never do.  wanted:
 * which pairs are. */
saddle_status saddle__pairs_find(saddle_context *context, int64_t count, const saddle__bounds *box,
                                 int (*wanted)(const void *user, int64_t first, int64_t second),
                                 const void *user, saddle__pairs *pairs);
void saddle__pairs_clear(saddle_context *context, saddle__pairs *pairs);

#endif
