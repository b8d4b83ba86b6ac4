/* SPDX-License-Identifier: MIT */
/* Rows in the sparse factor (sparse_rows.h), of the system without its velocities:
 *
 *     W = J M^-1 J' + R,     w = W lambda - (b - J M^-1 f),     v = M^-1 (f + J'lambda)
 *
 * Where M consists of small blocks W is as sparse as K with the velocities eliminated first, which
 * is a better order for rows that come and go than the one in which each of them waits for a
 * velocity of its own. */
#ifndef SADDLE_PIVOT_CONDENSED_H
#define SADDLE_PIVOT_CONDENSED_H

#include "factor/complement.h"
#include "pivot/sparse_rows.h"

typedef struct saddle__condensed_rows {
    saddle_context *context;
    saddle__complement complement;
    saddle_problem inner; /* without velocities; borrows W, bounds and contacts */
    double *b;            /* m: of inner */
    double *v;            /* n */
    saddle__sparse_rows rows;
} saddle__condensed_rows;

/* Whether M is symmetric and consists of blocks of neighbouring velocities, none larger than a
 * dozen. */
int saddle__condensed_may_pay(const saddle_problem *problem);

saddle_status saddle__condensed_create(saddle_context *context, const saddle_problem *problem,
                                       const saddle_options *options,
                                       saddle__condensed_rows *condensed);

/* M factored, W formed; W is factored when a solve knows its rows.  SADDLE_SINGULAR: M; the message
 * names the velocity. SADDLE_WRONG_INERTIA: M is indefinite. */
saddle_status saddle__condensed_factor(saddle__condensed_rows *condensed,
                                       const saddle_problem *problem, double epsilon);

/* As saddle__sparse_rows_begin. */
saddle_status saddle__condensed_begin(saddle__condensed_rows *condensed,
                                      const saddle_problem *problem, saddle__row_laws *laws,
                                      const saddle_solver_call *call, double *start);

saddle__proximal_problem saddle__condensed_problem(saddle__condensed_rows *condensed);

void saddle__condensed_clear(saddle__condensed_rows *condensed); /* half-built ones are fine */

#endif
