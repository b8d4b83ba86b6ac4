/* SPDX-License-Identifier: MIT */
/* Equations alone, over parts: every process factors its own entries of K with MUMPS, refines the
 * whole vectors by products with its own entries, and holds no other entries of M, J, R and K.
 *
 *     K = [M J'; J -R] = sum of K_p,   r = (f, b) - sum of K_p x,   x += K^-1 r
 */
#ifndef SADDLE_MPI_EQUATIONS_H
#define SADDLE_MPI_EQUATIONS_H

#include "saddle_mpi.h"

/* Collective.  name, options: of the first process, checked.  vectors: of saddle__gather_vectors.
 * solution: made.
 *
 * *done = 1: the status, solution and report of saddle_mpi_solve.  0, with SADDLE_OK: other
 * solvers have to be asked: bounds or contacts, another solver or a setting, matrices that are not
 * marked alike in all parts, or an answer without a verdict (K singular, contradictory rows, M or
 * R indefinite); options->time_limit <- what is left of the time limit. */
saddle_status saddle__equations_solve(MPI_Comm processes, saddle_context *context,
                                      const saddle_problem *part, const saddle_problem *vectors,
                                      const char *name, saddle_options *options,
                                      saddle_solution *solution, saddle_report *report, int *done);

/* 1 where M and R are held as MUMPS needs in all processes: the lower triangle where marked
 * symmetric, and marked so unless general.  Collective. */
int saddle__parts_are_marked(MPI_Comm processes, const saddle_problem *part, int general);

/* 1: no bounds, no contacts. */
int saddle__are_equations_alone(const saddle_problem *vectors);

#endif
