/* SPDX-License-Identifier: MIT */
/* Equations alone, over parts: every process factors its own entries of K with MUMPS, refines its
 * part of the vectors, and holds no other entries of M, J, R, K, v and lambda.
 *
 *     K = [M J'; J -R] = sum of K_p,   r = (f, b) - sum of K_p x,   x += K^-1 r
 *
 * The right-hand side goes to MUMPS from the owners, and the correction comes to the owners from
 * the processes that hold its pivots. */
#ifndef SADDLE_MPI_EQUATIONS_H
#define SADDLE_MPI_EQUATIONS_H

#include "view.h"

/* Collective.  named: the sizes of the whole, and names.  name, options: of the first process,
 * checked.  solution: made for the view.
 *
 * *done = 1: the status, solution and report of saddle_mpi_solve.  0, with SADDLE_OK: other
 * solvers have to be asked: bounds or contacts, another solver or a setting, matrices that are not
 * marked alike in all parts, or an answer without a verdict (K singular, contradictory rows, M or
 * R indefinite); options->time_limit <- what is left of the time limit. */
saddle_status saddle__equations_solve(saddle__view *view, const saddle_problem *named,
                                      const char *name, saddle_options *options,
                                      saddle_solution *solution, saddle_report *report, int *done);

/* 1 where M and R are held as MUMPS needs in all processes: the lower triangle where marked
 * symmetric, and marked so unless general.  Collective. */
int saddle__parts_are_marked(const saddle__view *view, int general);

#endif
