/* SPDX-License-Identifier: MIT */
/* regularized: the last link of auto's chain.  Rows with bounds whose Delassus operator W leads
 * pivoting nowhere, singular for rounding or of no class for which anything is promised, are given
 * a compliance that is taken out again,
 *
 *     w = (W + E) lambda_k+1 - E lambda_k + q,   E = epsilon s,
 *         s_i = |R_ii| + sum_j J_ij^2 / |M_jj|
 *
 * each by lemke, with epsilon = 1e-4, 1e-2, 1 in turn until the residual of the problem itself is
 * small: the proximal point iteration (Rockafellar, SIAM J. Control Optim. 14, 1976), which
 * converges where W is monotone.  For a large epsilon W + E is a P-matrix whatever W is, so that
 * every step has an answer; whether they tend to a solution is found by trying.
 *
 * No solver of the registry: only auto calls it.
 */
#ifndef SADDLE_SOLVERS_REGULARIZED_H
#define SADDLE_SOLVERS_REGULARIZED_H

#include "saddle/solver.h"

extern const saddle_solver_type saddle__solver_regularized;

#endif
