/* SPDX-License-Identifier: MIT */
/* Columns Y_t = L^-1 P N_t of a factored A for sparse N_t, held where they are not zero: the
 * supernodes on the ways from the entries of N_t to the roots (Gilbert and Liu, SIAM J. Matrix
 * Anal. Appl. 14, 1993).
 *
 *     Y_t'D^-1 Y_u = N_t'A^-1 N_u
 *
 *     create -> begin (a factor) -> append, a column at a time -> products; all but create allocate
 *         nothing
 */
#ifndef SADDLE_LIB_LDLT_REACHED_H
#define SADDLE_LIB_LDLT_REACHED_H

#include "ldlt/ldlt.h"

typedef struct saddle__ldlt_reached {
    saddle_context *context;
    saddle__ldlt *F;
    double drop;          /* of a column, what may be left out of it; 0 after create */
    int64_t capacity;     /* columns */
    int64_t most_values;  /* of all columns */
    int64_t count;        /* columns there are */
    int64_t *run_start;   /* capacity + 1 */
    int64_t *value_start; /* capacity + 1 */
    int32_t *run;         /* most_values: each column's supernodes, each before its parent */
    double *value;        /* most_values: its values there */
} saddle__ldlt_reached;

/* reached: all-zero or cleared. */
saddle_status saddle__ldlt_reached_create(saddle_context *context, int64_t capacity,
                                          int64_t most_values, saddle__ldlt_reached *reached);
void saddle__ldlt_reached_clear(saddle__ldlt_reached *reached); /* half-built ones are fine */

/* No columns yet.  F: factored; borrowed until the next begin, and must not be factored anew in
 * between. */
void saddle__ldlt_reached_begin(saddle__ldlt_reached *reached, saddle__ldlt *F);

/* The next column, of the given entries by nodes of A (those of one node add up), which is then
 * loaded.  0: there is no room; the columns are as they were, and none is loaded. */
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

#endif
