/* SPDX-License-Identifier: MIT */
/* The rows whose dependence is asked for, in natural units:
 *
 *     B = D_r^-1 [J D_v   R D_c]     D_v  the velocities' units, |M_jj|^-1/2
 *                                    D_r  the rows' lengths: J's part of each is 1 long (without
 *                                        one: |R_ii|^1/2)
 *                                    D_c  so that the largest entry of R's columns is 1: no
 *                                        compliance is small
 *
 * held by rows: column k of Bt is row row[k] of the problem.  Entries that are exactly zero are
 * left out.
 */
#ifndef SADDLE_LIB_RANK_SCALED_H
#define SADDLE_LIB_RANK_SCALED_H

#include "saddle/rank.h"

enum saddle__row_state {
    SADDLE__ROW_OPEN = 0,    /* to be eliminated */
    SADDLE__ROW_FREE = 1,    /* independent whatever the values are: part of no dependency */
    SADDLE__ROW_PARALLEL = 2 /* a multiple of an earlier row, or zero: its dependency is known */
};

typedef struct saddle__scaled {
    saddle_context *context;
    int64_t count;      /* rows examined */
    int64_t *row;       /* count: ascending */
    double *length;     /* count: > 0 */
    double *unit;       /* n: of each velocity, > 0 */
    signed char *state; /* count: enum saddle__row_state */
    saddle_matrix Bt;   /* (n + m) x count */
} saddle__scaled;

/* scaled: half-built on failure, to be cleared in any case. */
saddle_status saddle__scaled_make(saddle_context *context, const saddle_problem *problem,
                                  const saddle_rank_options *options, saddle__scaled *scaled);

/* Rows with a column of R of their own, again and again: R_ik != 0 there and nowhere else among the
 * open rows demands y_i = 0. */
saddle_status saddle__scaled_release(saddle__scaled *scaled, int64_t n);

/* unit (n): the velocities' natural units. */
saddle_status saddle__scaled_units(saddle_context *context, const saddle_problem *problem,
                                   double *unit);

/* Length of row i of J in the natural units; 0 where it is zero. */
double saddle__scaled_length(const saddle_problem *problem, const double *unit, int64_t i);

/* equality (m): 1 where row i is an equality, 0 where it has bounds or belongs to a contact. */
void saddle__scaled_equalities(const saddle_problem *problem, signed char *equality);

void saddle__scaled_clear(saddle__scaled *scaled);

#endif
