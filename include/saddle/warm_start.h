/* SPDX-License-Identifier: MIT */
/* Warm starts that follow rows by their ids, as contacts come and go.
 *
 * Where a problem has row_id, a solver (saddle/solver.h) remembers of its last solve each row's
 * impulse and status under the row's id: at its lower bound, at its upper bound, or between.  The
 * next solve that is given no start, of that problem or, after another analyse, of one with other
 * rows, begins with
 *
 *     lambda_i = lo_i or hi_i
 *         a known row that was at that bound, which may have moved; finite now
 *              = P[lo,hi] lambda    any other known row: its impulse then, within the bounds of now
 *              = 0                   a row that is not known
 *     contact  = its impulses then
 *         where its rows are known as rows of one contact, in that order and number; as a whole or
 *                                    not at all; if mu differs, tangents times mu / (mu then); (0,
 *                                        0, 0) where not known
 *
 * and v = 0.  Solvers read from it which rows begin between their bounds; those for which a start
 * means nothing ignore it. report.warm_rows counts the known rows.
 *
 * A caller's own start is taken as it is.  options.warm_start = 0: nothing is remembered, and no
 * start is a cold one. Remembered are the rows of the last solve alone, of SADDLE_OK and of limits
 * reached; not those of a solve that failed, diverged or had no solution, which leaves what was
 * known before.  Without row_id nothing is: row numbers mean nothing once rows come and go.  Memory
 * grows in analyse, to 3/2 of the rows, and is kept until the solver is freed. Ids may be negative.
 * Duplicates are refused by analyse; if they appear after it, the first one counts.
 */
#ifndef SADDLE_WARM_START_H
#define SADDLE_WARM_START_H

#include "saddle/problem.h"

SADDLE_BEGIN_DECLARATIONS

/* The same for those who keep problems and solutions themselves: start (made for problem's n, m;
 * its v may be NULL) <- what `solved`, a solution of `before`, says of the rows of problem.  known:
 * how many rows were, NULL is fine. SADDLE_INVALID_ARGUMENT: a solution is not of its problem's
 * size, or lacks lambda; SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_solution_follow_rows(saddle_context *context,
                                                     const saddle_problem *before,
                                                     const saddle_solution *solved,
                                                     const saddle_problem *problem,
                                                     saddle_solution *start, int64_t *known);

SADDLE_END_DECLARATIONS

#endif
