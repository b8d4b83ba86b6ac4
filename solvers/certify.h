/* SPDX-License-Identifier: MIT */
/* How solvers say that there is no solution: they offer a certificate (saddle/certificate.h) and
 * return SADDLE_INFEASIBLE; the generic layer has it checked, and makes SADDLE_NOT_CONVERGED of
 * what proves nothing. */
#ifndef SADDLE_SOLVERS_CERTIFY_H
#define SADDLE_SOLVERS_CERTIFY_H

#include "refine.h"

/* call's certificate, made here where it is not yet, <- y (m) and zero velocities, which the solver
 * may then fill in. SADDLE_INFEASIBLE, so that a solver ends with `return saddle__offer(..)`;
 * SADDLE_OUT_OF_MEMORY.  Nothing else in a solve allocates. */
saddle_status saddle__offer(const saddle_solver_call *call, const saddle_problem *problem,
                            const double *y);

/* The same where the certificate proves something and refutes the answer (problem/verdict.h), else
 * `otherwise`, and nothing is offered.  Without a call's certificate SADDLE_INFEASIBLE is said
 * unchecked. */
saddle_status saddle__offer_against(const saddle_solver_call *call, const saddle_problem *problem,
                                    const double *y, const saddle_solution *answer,
                                    saddle_status otherwise);

/* The same for a motion z (n) with M z = 0 and J z = 0, y = 0, in the direction in which f pushes;
 * what is small beside the largest entry is left out.  SADDLE_OK, SADDLE_OUT_OF_MEMORY: the caller
 * says SADDLE_SINGULAR. */
saddle_status saddle__offer_motion(const saddle_solver_call *call, const saddle_problem *problem,
                                   const double *z);

/* z (n) <- the motion, the way f pushes, of all velocities that have no entry in M and that no row
 * holds by impulses without end; returns how many.  Rows with finite bounds may hold them all the
 * same: the certificate's check tells. */
int64_t saddle__find_pushed(const saddle_problem *problem, double *z);

/* certificate, empty, <- that motion, and y = 0.  SADDLE_OK, SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__offer_pushed(saddle_context *context, const saddle_problem *problem,
                                   saddle_certificate *certificate);

/* The null vector (p, -q) of K = [M J'; J -R] that the residual which refinement leaves points to,
 *
 *     x <- x - K~^-1 K x      twice, K~ as factored: takes away everything else
 *
 * M and R symmetric, p'f + q'b != 0 proves that the equations contradict each other.  1: it does;
 * offered.  0: it does not. A negative status: what correct said, or SADDLE_OUT_OF_MEMORY.
 * refinement: as saddle__refine has left it. */
int saddle__find_contradiction(saddle__refinement *refinement, const saddle_problem *problem,
                               const saddle_solver_call *call, saddle__corrector *correct,
                               void *user);

#endif
