/* SPDX-License-Identifier: MIT */
/* What a few columns change near them, A being factored:
 *
 *     A x = -N z,   x_i for chosen nodes i        N  n x count, sparse; z anything, again and again
 *
 *     L'P x = -D^-1 Y z,   Y = L^-1 P N
 *         one pass over the columns and back over the ways from the chosen nodes, and
 *                                                   from the entries of N, to the roots; the rest
 *                                                       of x is not computed
 *
 * Of a column less may be held (Y.drop, ldlt/reached.h): x is then as good as that.
 *
 *     create -> begin (a factor) -> add columns, feel nodes -> solve, read, as often as wanted; all
 *         but create allocate nothing
 */
#ifndef SADDLE_LIB_LDLT_NEARBY_H
#define SADDLE_LIB_LDLT_NEARBY_H

#include "ldlt/reached.h"

typedef struct saddle__ldlt_nearby {
    saddle_context *context;
    int64_t most;           /* nodes of A, at most */
    saddle__ldlt_reached Y; /* a column for each of N's */
    int64_t *felt;          /* most, from `first` on: supernodes, each before its parent */
    int64_t first;
    int64_t *mark; /* most: of felt supernodes, stamp */
    int64_t stamp;
    signed char *live; /* most: supernodes in which x is not all zero */
} saddle__ldlt_nearby;

/* For factors of `most` nodes or fewer.  nearby: all-zero or cleared. */
saddle_status saddle__ldlt_nearby_create(saddle_context *context, int64_t most, int64_t capacity,
                                         int64_t most_values, saddle__ldlt_nearby *nearby);
void saddle__ldlt_nearby_clear(saddle__ldlt_nearby *nearby); /* half-built ones are fine */

/* No columns, no node felt.  F: factored; borrowed until the next begin, and must not be factored
 * anew in between. */
void saddle__ldlt_nearby_begin(saddle__ldlt_nearby *nearby, saddle__ldlt *F);

/* The next column of N, whose nodes are felt; Y's is loaded then.  0: there is no room; columns and
 * what is felt are as they were. */
int saddle__ldlt_nearby_add(saddle__ldlt_nearby *nearby, int64_t entries, const int64_t *index,
                            const double *value);

/* x_node is wanted from now on, by the next solve. */
void saddle__ldlt_nearby_feel(saddle__ldlt_nearby *nearby, int64_t node);

/* z: one for each column.  x lies in F: a column added or loaded, and any solve with F, make it
 * go. */
void saddle__ldlt_nearby_solve(saddle__ldlt_nearby *nearby, const double *z);

/* x_node, of a node felt. */
double saddle__ldlt_nearby_change(const saddle__ldlt_nearby *nearby, int64_t node);

#endif
