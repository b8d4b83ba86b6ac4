/* SPDX-License-Identifier: MIT */
/* A problem as solvers see it: M and R by their lower triangle wherever they are symmetric,
 * whichever way they are stored.
 *
 * A matrix marked SADDLE_SYMMETRIC_FULL is folded; one marked SADDLE_GENERAL where it is asked for
 * and both triangles are equal to rounding.  Everything else of the problem is borrowed. */
#ifndef SADDLE_LIB_FOLDED_H
#define SADDLE_LIB_FOLDED_H

#include "saddle/problem.h"

typedef struct saddle__folded {
    saddle_problem problem; /* what the last take was given, but for M and R */
    saddle_matrix M, R;     /* lower triangles; owner = 0 where the given one serves */
} saddle__folded;

/* measure: 1: of SADDLE_GENERAL matrices it is looked whether they are symmetric; 0: they are not.
 * The problem is sound. */
saddle_status saddle__folded_create(saddle_context *context, const saddle_problem *problem,
                                    int measure, saddle__folded *folded);

/* The values of the problem, whose patterns are those of create.  Returns 0 where a matrix that was
 * found symmetric is so no longer; it must be created anew then.  Allocates nothing. */
int saddle__folded_refresh(saddle__folded *folded, const saddle_problem *problem);

/* The problem with the matrices as they are since the last create or refresh; good until the next
 * call. */
const saddle_problem *saddle__folded_take(saddle__folded *folded, const saddle_problem *problem);

/* "M", "R", "M and R" were marked SADDLE_GENERAL and found symmetric; "" where none was. */
const char *saddle__folded_found(const saddle__folded *folded, const saddle_problem *problem);

void saddle__folded_clear(saddle__folded *folded);

#endif
