/* SPDX-License-Identifier: MIT */
/* The problem as one process computes with it: its own entries of M, J and R in numbers of the
 * velocities and rows that it sees (distribution.h), and the vectors at these.
 *
 *     f, b       the sums of all processes, wherever seen
 *     lo, hi     at the own rows; -INFINITY and INFINITY at others
 *     contacts   of the own rows, whose runs cut no contact
 */
#ifndef SADDLE_MPI_VIEW_H
#define SADDLE_MPI_VIEW_H

#include "distribution.h"
#include "problem/verdict.h"

typedef struct saddle__view {
    MPI_Comm processes;
    saddle_context *context;
    saddle_problem problem;
    saddle__distribution of[2]; /* by kind: velocities, rows */
    saddle_status status;       /* of the last exchange of `sums` that failed; SADDLE_OK at first */
    saddle__sums sums;          /* over the processes, for code of one process */
    /* owned: what problem points to */
    int64_t *start[3], *index[3]; /* of M, J', R; NULL = the part's */
} saddle__view;

/* Collective, the same status in all processes.  part: checked, borrowed; velocity and row NULL =
 * numbered as in the whole.  view: stays where it is until cleared; to be cleared on failure too.
 */
saddle_status saddle__view_make(MPI_Comm processes, saddle_context *context,
                                const saddle_mpi_part *part, saddle__view *view);
void saddle__view_clear(saddle__view *view);

/* 1: no bounds, no contacts, in the whole.  Collective. */
int saddle__view_is_equations(const saddle__view *view);

/* The checker of v and lambda, the view's; x->w (NULL is fine) <- J v + R lambda - b. */
saddle_status saddle__view_measure(saddle__view *view, const saddle_solution *x,
                                   saddle_residual *residual);

/* The status by the checker, of report->residual: SADDLE_OK where solved.  *done = 1: the last
 * word, for which the report's status and a message are set: solved beyond doubt, interrupted, or
 * is_last. */
saddle_status saddle__view_judge(const saddle__view *view, double tolerance, saddle_status status,
                                 int is_last, saddle_report *report, int *done);

/* v, lambda and w of `mine`, made for the view <- the first process' whole. */
saddle_status saddle__view_scatter(const saddle__view *view, const saddle_solution *whole,
                                   saddle_solution *mine);

#endif
