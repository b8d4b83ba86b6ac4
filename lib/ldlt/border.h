/* SPDX-License-Identifier: MIT */
/* A factored A = P' L D L' P bordered by new nodes, as if these came last in the order:
 *
 *     [ A  N ] [x]   [b]      N  n x count, sparse: entries of the new nodes with A's
 *     [ N' C ] [y] = [c]      C  count x count, their own
 *
 *     T y = c - Y'D^-1 u,   L'P x = D^-1 (u - Y y),   u = L^-1 P b,   T = C - Y'D^-1 Y = L D L'
 *
 * The columns Y_t = L^-1 P N_t are held in the supernodes that the entries of N_t reach (Gilbert
 * and Liu, SIAM J. Matrix Anal. Appl. 14, 1993).
 *
 *     create -> begin (a factor) -> add nodes -> solve, as often as wanted; only create allocates
 */
#ifndef SADDLE_LIB_BORDER_H
#define SADDLE_LIB_BORDER_H

#include "ldlt/ldlt.h"

typedef struct saddle__ldlt_border {
    saddle_context *context;
    saddle__ldlt *F;
    int64_t capacity;     /* nodes */
    int64_t most_values;  /* of all columns of Y */
    int64_t count;        /* nodes so far */
    int64_t *run_start;   /* capacity + 1 */
    int64_t *value_start; /* capacity + 1 */
    int32_t *run;         /* most_values: supernodes of each column of Y, each before its parent */
    double *value;        /* most_values: values of the columns in their supernodes */
    double *L;            /* capacity x capacity, by rows: T's, below the diagonal */
    double *pivot;        /* capacity: T's */
    double *corner;       /* capacity: the caller's, for add */
    double *y;            /* capacity: the caller's, for solve */
} saddle__ldlt_border;

/* A new node, t. */
typedef struct saddle__ldlt_node {
    int64_t entries;      /* of N_t; entries of the same node of A are added */
    const int64_t *index; /* entries: nodes of A */
    const double *value;  /* entries */
    double diagonal;      /* C_tt; C_tu of the nodes u < t are in border->corner */
    double least;         /* least |pivot| that is accepted */
} saddle__ldlt_node;

/* most_values: of Y.  border: all-zero or cleared. */
saddle_status saddle__ldlt_border_create(saddle_context *context, int64_t capacity,
                                         int64_t most_values, saddle__ldlt_border *border);
void saddle__ldlt_border_clear(saddle__ldlt_border *border); /* half-built objects are fine */

/* No nodes yet.  F: factored; borrowed until the next begin, and must not be factored anew in
 * between. */
static inline void saddle__ldlt_border_begin(saddle__ldlt_border *border, saddle__ldlt *F)
{
    border->F = F;
    border->count = 0;
}

/* 0: no room, or the pivot is small or not finite; nothing is changed. */
int saddle__ldlt_border_add(saddle__ldlt_border *border, const saddle__ldlt_node *node);

/* x (n): b in, x out; border->y: c in, y out. */
void saddle__ldlt_border_solve(saddle__ldlt_border *border, double *x);

#endif
