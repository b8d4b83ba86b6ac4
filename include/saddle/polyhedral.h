/* SPDX-License-Identifier: MIT */
/* The associated law with polyhedral cones as rows with bounds: friction as one convex quadratic
 * program (Anitescu and Hart 2004; Sueda, Rigid Body Dynamics Notes, (1.85)-(1.88)).
 *
 *     min 1/2 lambda'W lambda - lambda'(b - J M^-1 f),     lambda = B gamma,  gamma >= 0
 *
 * The cone mu alpha >= sum beta, beta >= 0 of (1.85) has one edge for each facet,
 *
 *     (1, mu d_k),     d_k = (cos 2 pi k/facets, sin 2 pi k/facets);  in the plane d = +-1
 *
 * the columns of B.  The rows of gamma are unilateral rows J_n + mu d_k'J_t, for every solver of
 * such rows; their impulses give lambda.  The cone is within that of SADDLE_LAW_ASSOCIATED, and
 * friction of a sliding contact along one of the d_k: velocities differ by the order of 1/facets,
 * in the plane not at all.
 */
#ifndef SADDLE_POLYHEDRAL_H
#define SADDLE_POLYHEDRAL_H

#include "saddle/problem.h"

SADDLE_BEGIN_DECLARATIONS

/* rows: the problem with B'J, B'b, B'R B, contacts replaced by their unilateral rows, at the
 * contacts' places among the others; owned, released by saddle_problem_clear.  edges: B (m x rows
 * of `rows`), released by saddle_matrix_clear: lambda = B gamma by saddle_matrix_apply.  facets: 3
 * .. SADDLE_FACETS_AT_MOST.  SADDLE_UNSUPPORTED: contacts of a law that is not associated, or with
 * more than 3 rows; SADDLE_INVALID_ARGUMENT; SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_polyhedral_rows(saddle_context *context,
                                                const saddle_problem *problem, int64_t facets,
                                                saddle_problem *rows, saddle_matrix *edges);

SADDLE_END_DECLARATIONS

#endif
