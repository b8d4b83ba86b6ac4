/* SPDX-License-Identifier: MIT */
/* Pivoting on the KKT system itself, whose rows come and go in a sparse factor
 * (active/active_rows.h):
 *
 *     [ M    J_F' ] [  v   ]   [ f + J_B'lambda_B   ]   F  equations, and rows between their bounds
 *     [ J_F  -R-E ] [ -lambda_F ] = [ b_F + E c_F - R_FB lambda_B     ]       B  rows at a bound
 *
 *     w = J v + (R + E) lambda - E c - b        of all rows, by J alone
 *
 * M may be singular where the equations hold it.  Row i has no column anywhere until it first
 * enters; then its column of L^-1 N is computed, with a sparse right-hand side, and borders the
 * factor, or the row goes into the factor, or, where many come at once, K is factored again: the
 * engine's model of cost picks (lib/active/cost.c).
 *
 * Each solve is refined until its backward error is rounding, and where that stalls K is factored
 * anew; beyond that one correction by a residual in twice the working precision tells to how many
 * digits w is known, and more of them follow where that is not enough.
 *
 * On the way, epsilon being above the least and steps searched along, rows that are factored by
 * themselves are solved for once, and w, which is summed for all rows anyway, tells how well
 * (complementarity/local_system.h, checked.h): the above follows where that is not rounding. */
#ifndef SADDLE_PIVOT_SPARSE_ROWS_H
#define SADDLE_PIVOT_SPARSE_ROWS_H

#include "active/active_rows.h"
#include "base/layout.h"
#include "complementarity/local_pivoting.h"
#include "matrix/twofold.h"
#include "matrix/whole_rows.h"
#include "pivot/proximal.h"
#include "regularization.h"

typedef struct saddle__sparse_rows {
    saddle_context *context;
    int64_t n, m;
    const saddle_problem *problem; /* of the call at hand */
    saddle__layout layout;         /* of the arrays */
    saddle__active_rows *active;
    saddle__regularization natural; /* sizes, signs, and what velocities without mass are given */
    saddle__pivoting pivoting;
    signed char *toggles;          /* m: has a finite bound, or is a contact's */
    signed char *in;               /* m: rows to begin with */
    saddle__active_change *change; /* m */
    saddle__row_laws *laws;        /* of the call at hand */
    double *q;                     /* m: -b */
    double *free;                  /* m: q - E c */
    double *step;                  /* m: 1 / size; 0 for rows of zeros */
    double *unit;                  /* m: its root */
    double *added;                 /* n + m: to masses that are none */
    double *kept;                  /* n + m: -E */
    double *E;                     /* m */
    double *centre;                /* m: c */
    double *x;                     /* n + m: v and lambda of the last solve */
    double *r;                     /* n + m */
    double *held;                  /* m: lambda_B */
    double *modulus;               /* m: of the terms of w */
    saddle__active_compliance R;   /* without velocities; else NULL */
    saddle__local_pivoting local;  /* made without velocities */
    saddle__local_system system;   /* for it */
    saddle__twofold *sum;          /* n + m, with velocities */
    double epsilon;                /* of E */
    int factored;                  /* K is, with that E */
    int on_the_way;                /* above the least epsilon, the run at hand is searched along */
    int quickly;                   /* the last solve was not refined */
    double digits;                 /* relative error of w before correction; negative: not known */
    int64_t corrections;           /* in this solve */
    int64_t inexact;               /* solves that stayed above rounding, in this solve */
} saddle__sparse_rows;

/* SADDLE_UNSUPPORTED: M or R unsymmetric. */
saddle_status saddle__sparse_rows_create(saddle_context *context, const saddle_problem *problem,
                                         const saddle_options *options, saddle__sparse_rows *rows);

/* The values; K is factored when it is first asked for. */
void saddle__sparse_rows_set(saddle__sparse_rows *rows, const saddle_problem *problem,
                             double epsilon);

/* ... now, with the equations and the rows that were between their bounds in the end of the last
 * solve. */
saddle_status saddle__sparse_rows_factor(saddle__sparse_rows *rows, const saddle_problem *problem,
                                         double epsilon);

/* Once per solve.  start (m): the impulses that it begins with, moved into their bounds.
 * SADDLE_INVALID_ARGUMENT: a row that had no bounds when the pattern was analysed has some now. */
saddle_status saddle__sparse_rows_begin(saddle__sparse_rows *rows, const saddle_problem *problem,
                                        saddle__row_laws *laws, const saddle_solver_call *call,
                                        double *start);

/* w (m) <- J v + R lambda - b after a step to lambda (m), from what pivoting left.  0: that does
 * not know it. */
int saddle__sparse_rows_slack(const saddle__sparse_rows *rows, const double *lambda, double *w);

saddle__proximal_problem saddle__sparse_rows_problem(saddle__sparse_rows *rows);

void saddle__sparse_rows_clear(saddle__sparse_rows *rows); /* half-built ones are fine */

#endif
