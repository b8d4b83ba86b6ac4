/* SPDX-License-Identifier: MIT */
/* Sparse columns of a factored A = P' L D L' P, and two uses.
 *
 *     Y_t = L^-1 P N_t        held in the supernodes that the entries of N_t reach (Gilbert and
 * Liu, SIAM J. Matrix Anal. Appl. 14, 1993);   Y_t'D^-1 Y_u = N_t'A^-1 N_u
 *
 * A bordered factor, as if the new nodes came last in the order:
 *
 *     [ A  N ] [x]   [b]      N  n x count, sparse: entries of the new nodes with A's
 *     [ N' C ] [y] = [c]      C  count x count, their own
 *
 *     T y = c - Y'D^-1 u,   L'P x = D^-1 (u - Y y),   u = L^-1 P b,   T = C - Y'D^-1 Y = L D L'
 *
 * Local changes: A x = -N z for changing z, of x only chosen nodes (L'P x = -D^-1 Y z along the
 * paths from the chosen nodes and the entries of N to the roots).
 *
 *     create -> begin (a factor) -> add columns -> solve, as often as wanted; only create allocates
 */
#ifndef SADDLE_LIB_NEARBY_H
#define SADDLE_LIB_NEARBY_H

#include "ldlt/ldlt.h"

/* ---- sparse columns ---- */

typedef struct saddle__ldlt_reached {
    saddle_context *context;
    saddle__ldlt *F;
    double drop;          /* share of a column's norm left out of a supernode; 0 after create */
    int64_t capacity;     /* columns */
    int64_t most_values;  /* of all columns */
    int64_t count;        /* columns so far */
    int64_t *run_start;   /* capacity + 1 */
    int64_t *value_start; /* capacity + 1 */
    int32_t *run;         /* most_values: each column's supernodes, each before its parent */
    double *value;        /* most_values: values of the columns in their supernodes */
} saddle__ldlt_reached;

/* reached: all-zero or cleared. */
saddle_status saddle__ldlt_reached_create(saddle_context *context, int64_t capacity,
                                          int64_t most_values, saddle__ldlt_reached *reached);
void saddle__ldlt_reached_clear(saddle__ldlt_reached *reached); /* half-built objects are fine */

/* No columns yet.  F: factored; borrowed until the next begin, and must not be factored anew in
 * between. */
void saddle__ldlt_reached_begin(saddle__ldlt_reached *reached, saddle__ldlt *F);

/* Appends and loads a column with the given entries by nodes of A (entries of the same node are
 * added).  0: no room; the columns stay as before, and no column is loaded. */
int saddle__ldlt_reached_append(saddle__ldlt_reached *reached, int64_t entries,
                                const int64_t *index, const double *value);

/* F->rhs <- D^-1 Y_t where Y_t is not zero; its supernodes carry F->stamp.  Loaded until F is
 * solved with, or another is. */
void saddle__ldlt_reached_load(saddle__ldlt_reached *reached, int64_t t);

/* Y_t'D^-1 Y_u, Y_u being loaded. */
double saddle__ldlt_reached_with_loaded(const saddle__ldlt_reached *reached, int64_t t);

/* Y_t' x, and x -= a Y_t; x (n) by position. */
double saddle__ldlt_reached_times(const saddle__ldlt_reached *reached, int64_t t, const double *x);
void saddle__ldlt_reached_subtract(const saddle__ldlt_reached *reached, int64_t t, double a,
                                   double *x);

/* ---- the bordered factor ---- */

typedef struct saddle__ldlt_border {
    saddle_context *context;
    int64_t capacity;       /* nodes */
    int64_t count;          /* nodes so far */
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
    double least;         /* least |pivot| that is accepted */
} saddle__ldlt_node;

/* most_values: of Y.  border: all-zero or cleared. */
saddle_status saddle__ldlt_border_create(saddle_context *context, int64_t capacity,
                                         int64_t most_values, saddle__ldlt_border *border);
void saddle__ldlt_border_clear(saddle__ldlt_border *border); /* half-built objects are fine */

/* No nodes yet.  F: factored; borrowed until the next begin, and must not be factored anew in
 * between. */
void saddle__ldlt_border_begin(saddle__ldlt_border *border, saddle__ldlt *F);

/* 0: no room, or the pivot is small or not finite; nothing is changed. */
int saddle__ldlt_border_add(saddle__ldlt_border *border, const saddle__ldlt_node *node);

/* x (n): b in, x out; border->y: c in, y out. */
void saddle__ldlt_border_solve(saddle__ldlt_border *border, double *x);

/* ---- local changes ---- */

typedef struct saddle__ldlt_nearby {
    saddle_context *context;
    int64_t most;           /* nodes of A, at most */
    saddle__ldlt_reached Y; /* a column for each of N's */
    int64_t *felt;          /* most, from `first` on: supernodes, each before its parent */
    int64_t first;
    int64_t *mark; /* most: of felt supernodes, stamp */
    int64_t stamp;
    signed char *live; /* most: supernodes in which x is nonzero */
} saddle__ldlt_nearby;

/* For factors of `most` nodes or fewer.  nearby: all-zero or cleared. */
saddle_status saddle__ldlt_nearby_create(saddle_context *context, int64_t most, int64_t capacity,
                                         int64_t most_values, saddle__ldlt_nearby *nearby);
void saddle__ldlt_nearby_clear(saddle__ldlt_nearby *nearby); /* half-built objects are fine */

/* No columns, no node felt.  F: factored; borrowed until the next begin, and must not be factored
 * anew in between. */
void saddle__ldlt_nearby_begin(saddle__ldlt_nearby *nearby, saddle__ldlt *F);

/* Appends a column of N, loads its column of Y and marks its nodes as wanted.  0: no room; columns
 * and wanted nodes stay as before. */
int saddle__ldlt_nearby_add(saddle__ldlt_nearby *nearby, int64_t entries, const int64_t *index,
                            const double *value);

/* x_node is wanted from now on, by the next solve. */
void saddle__ldlt_nearby_feel(saddle__ldlt_nearby *nearby, int64_t node);

/* z: a factor for each column.  x lies in F and is lost when a column is added or loaded, or F
 * solves. */
void saddle__ldlt_nearby_solve(saddle__ldlt_nearby *nearby, const double *z);

/* x_node, of a node felt. */
double saddle__ldlt_nearby_change(const saddle__ldlt_nearby *nearby, int64_t node);

#endif
