/* SPDX-License-Identifier: MIT */
/* admm over parts (solvers/admm): nothing of the whole sizes is in one process.
 *
 *     K with rho D      factored by MUMPS over all, each process' own entries
 *     projections       of each row and contact by the process that owns its rows
 *     products          of each process' own entries, summed where seen
 *     lengths, errors   sums and maxima over all
 *
 * Newton's steps are left out: a step's matrix is of the velocities that a contact's rows share. */
#ifndef SADDLE_MPI_ADMM_H
#define SADDLE_MPI_ADMM_H

#include "view.h"

/* Collective; the arguments and *done as of saddle__rows_solve; seen: a start of the view instead,
 * or NULL.  Taken: "admm"; "auto" with bounds or contacts, of more rows than saddle__rows_are_few.
 * *done = 0 too where the answer has no verdict: a residual above the tolerance at the end, but at
 * a limit of steps that the user set.  auto: at most 2,000 steps. */
saddle_status saddle__admm_solve(saddle__view *view, const saddle_problem *named, const char *name,
                                 saddle_options *options, const saddle_solution *start,
                                 const saddle_solution *seen, saddle_solution *solution,
                                 saddle_report *report, int *done);

#endif
