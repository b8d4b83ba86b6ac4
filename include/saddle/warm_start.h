/* SPDX-License-Identifier: MIT */
/* Warm starts by row ids, as contacts come and go.
 *
 * For a problem with row_id, a solver (saddle/solver.h) remembers the last solve: the impulse of
 * each row and its status, at the lower bound, at the upper bound, or between, under the row's id.
 * The next solve without a given start, of the same problem or, after another analyse, of a problem
 * with other rows, begins with v = 0 and
 *
 *     lambda_i = lo_i or hi_i      a known row that was at this bound, if the bound is finite now
 *              = P[lo,hi] lambda   any other known row: the old impulse, within the present bounds
 *              = 0                 an unknown row
 *     contact  = the old impulses  if the rows were rows of one contact, in the same order and
 *                                  number; tangents, torsion, rolling times mu / old mu for
 *                                  another mu of theirs
 *              = (0, 0, ..)        otherwise
 *
 * Solvers derive from the start the rows between their bounds; solvers without use for a start
 * ignore it.  report.warm_rows counts the known rows.
 *
 * A start given by the caller is used as given.  options.warm_start = 0: nothing is remembered, and
 * solves without a given start are cold.  Remembered are the rows of the last solve only, with
 * SADDLE_OK or at a limit; a solve that failed, diverged or had no solution changes nothing.
 * Without row_id nothing is remembered: row numbers have no meaning when rows come and go.  Memory
 * grows in analyse, to 3/2 of the rows, and is kept until the solver is freed.  Ids may be
 * negative.  analyse refuses duplicates; of later duplicates the first counts.
 */
#ifndef SADDLE_WARM_START_H
#define SADDLE_WARM_START_H

#include "saddle/problem.h"

SADDLE_BEGIN_DECLARATIONS

/* The same for hosts that keep problems and solutions: start (of problem's n, m; v may be NULL)
 * <- the start for problem from `solved`, a solution of `before`.  *known: number of known rows,
 * NULL is fine.  SADDLE_INVALID_ARGUMENT: the sizes of a solution and its problem differ, or
 * lambda is missing; SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_solution_follow_rows(saddle_context *context,
                                                     const saddle_problem *before,
                                                     const saddle_solution *solved,
                                                     const saddle_problem *problem,
                                                     saddle_solution *start, int64_t *known);

SADDLE_END_DECLARATIONS

#endif
