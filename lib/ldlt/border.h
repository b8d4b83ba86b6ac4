/* SPDX-License-Identifier: MIT */
/* A factored A with a few nodes more:
 *
 *     [ A  N ] [x]   [b]         N  n x count, sparse: what the new nodes have to do with A's
 *     [ N' C ] [y] = [c]         C  count x count: and with each other
 *
 *     T y = c - Y'D^-1 u,   L'P x = D^-1 (u - Y y),   u = L^-1 P b,   Y = L^-1 P N,
 *         T = C - Y'D^-1 Y
 *
 * which is what the factor would be with the new nodes at the end of its order, but that L' keeps
 * its pattern.  Y is held where it is not zero (reached.h).  T = L D L' without pivoting, in the
 * order in which the nodes come.
 *
 *     create -> begin (a factor) -> add, a node at a time -> solve, as often as wanted; all but
 *         create allocate nothing
 */
#ifndef SADDLE_LIB_LDLT_BORDER_H
#define SADDLE_LIB_LDLT_BORDER_H

#include "ldlt/reached.h"

typedef struct saddle__ldlt_border {
    saddle_context *context;
    int64_t capacity;       /* nodes */
    int64_t count;          /* nodes there are */
    saddle__ldlt_reached Y; /* a column for each node */
    double *L;              /* capacity x capacity, by rows: T's, below the diagonal */
    double *pivot;          /* capacity: T's */
    double *corner;         /* capacity: the caller's, for add */
    double *y;              /* capacity: the caller's, for solve */
} saddle__ldlt_border;

/* A new node, t. */
typedef struct saddle__ldlt_node {
    int64_t entries;      /* of N_t */
    const int64_t *index; /* entries: nodes of A */
    const double *value;  /* entries */
    double diagonal;      /* C_tt; C_tu of the nodes u < t are in border->corner */
    double least;         /* |pivot| below which it is refused */
} saddle__ldlt_node;

/* most_values: of Y.  border: all-zero or cleared. */
saddle_status saddle__ldlt_border_create(saddle_context *context, int64_t capacity,
                                         int64_t most_values, saddle__ldlt_border *border);
void saddle__ldlt_border_clear(saddle__ldlt_border *border); /* half-built ones are fine */

/* No nodes yet.  F: factored; borrowed until the next begin, and must not be factored anew in
 * between. */
void saddle__ldlt_border_begin(saddle__ldlt_border *border, saddle__ldlt *F);

/* 0: there is no room, or the pivot is small or not finite; nothing was done. */
int saddle__ldlt_border_add(saddle__ldlt_border *border, const saddle__ldlt_node *node);

/* x (n): b in, x out; border->y: c in, y out. */
void saddle__ldlt_border_solve(saddle__ldlt_border *border, double *x);

#endif
