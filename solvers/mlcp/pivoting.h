/* SPDX-License-Identifier: MIT */
/* Block principal pivoting on a mixed linear complementarity problem with bounds (system.h).
 *
 * One step solves for the basic rows and changes the state of every row that violates its law:
 *
 *     lambda_i < lo_i: to lo    lambda_i > hi_i: to hi
 *     at lo with w_i < 0, or at hi with w_i > 0: becomes basic
 *
 * All violating rows change at once as long as their number reaches a new minimum within three
 * steps, else the one of least index alone until it does (Judice and Pires, Computers Ops Res 21,
 * 1994).  A run has stalled after so many single pivots as its caller allows: few, since another E
 * is worth more.
 *
 * Guaranteed: where all principal minors of W + E are positive the least-index rule ends (Murty,
 * Opsearch 11, 1974), hence the whole with enough single pivots.  With bounds: let phi(t) be w_m as
 * a function of lambda_m = t, the rows before m solved.  phi increases, so row m goes from lo over
 * basic to hi or the other way round, never back; by induction the rows before it change finitely
 * often between two changes of row m.
 * Symmetric W >= 0 with E > 0: whole steps may cycle; steps shortened by a line search
 * (pivoting.c) end without single pivots.
 * Sparse W, few violating rows: their neighbourhoods are settled by themselves (sparse_basis.c) as
 * long as that reaches a new minimum within three steps, else steps are shortened.  Only tried:
 * coupled friction, where the argument needs small mu; W with other minors.  A run always ends by
 * its limit of steps. */
#ifndef SADDLE_MLCP_PIVOTING_H
#define SADDLE_MLCP_PIVOTING_H

#include "mlcp/system.h"

/* Block steps without a new minimum of violating rows before single pivots. */
enum { SADDLE__PIVOTING_PATIENCE = 3 };

/* Of the line search. */
typedef struct saddle__line {
    double *y, *p;   /* count: begin of the line */
    double *to;      /* count: p at the end */
    int64_t *kinked; /* kinks of count: rows whose p may pass a bound on the line */
    int64_t kinks;
} saddle__line;

typedef struct saddle__pivoting {
    saddle__layout layout; /* all memory */
    signed char *state;    /* count: in and out of a run */
    double *w;             /* count */
    double *noise;         /* count */
    int64_t *broken;       /* count: the violating rows, ascending */
    int64_t steps;         /* systems solved since begin */
    int64_t pivots;        /* changes of state since begin */
    int64_t singles;       /* single pivots among `pivots` */
    int64_t inexact;       /* systems with a residual above rounding since begin */
    int64_t left;          /* steps before the limit */
    saddle__line line;     /* y = NULL: steps cannot be shortened */
} saddle__pivoting;

/* Of one run. */
typedef struct saddle__pivoting_way {
    int64_t most_singles; /* single pivots before the run gives up */
    int64_t tolerated;    /* violating rows at the end of a run, at most */
    int search;           /* steps are shortened: W symmetric, E > 0, no tangents */
} saddle__pivoting_way;

/* searched: room for the line search.  SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__pivoting_create(saddle_context *context, int64_t count, int searched,
                                      saddle__pivoting *pivoting);

/* Counts from zero.  most: steps of all runs together; 0: as many as the rows may need. */
void saddle__pivoting_begin(saddle__pivoting *pivoting, int64_t count, int64_t most);

/* rows->lambda: the start in, states are read from it; the result out, within the bounds.
 * SADDLE_OK: no row violates its law by more than rounding.  SADDLE_NOT_CONVERGED: stalled, or a
 * basis could not be factored; SADDLE_ITERATION_LIMIT, SADDLE_TIME_LIMIT, SADDLE_STOPPED; a status
 * of the basis.  call: NULL = no limit of time, no report.  Allocates nothing. */
saddle_status saddle__pivoting_run(saddle__pivoting *pivoting, const saddle__basis *basis,
                                   saddle__mlcp_rows *rows, const saddle__pivoting_way *way,
                                   const saddle_solver_call *call);

#endif
