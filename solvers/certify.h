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

/* ---- free motions ---- */

/* Motions that have no mass and that no row holds: v != 0 with M v = 0 and J v = 0.  The velocity
 * is then not determined, and forces along v are not balanced by anything; what is wrong is the
 * model, a body without mass or inertia, or one joint too few on a massless link.
 *
 * One velocity with an empty column in M and in J is found by looking.  Others, in which several
 * move together, by applying the factors of the regularized K~ = K + E to random forces, which
 * brings out what only E resists, and
 *
 *     v <- v - K~^-1 (M v, J v) = (K~^-1 E v)_v
 *
 * which leaves such a motion as it is and takes everything else away.  M v and J v must then be
 * rounding noise.
 */

/* SADDLE_SINGULAR and a message that names the velocity without mass and rows; the motion is
 * offered as a certificate (certify.h), which holds if f pushes along it. */
saddle_status saddle__free_motion_look(const saddle_solver_call *call,
                                       const saddle_problem *problem,
                                       saddle__refinement *refinement);

/* Whether a velocity without mass is there, M's row and column being zero. */
int saddle__free_motion_possible(const saddle_problem *problem,
                                 const saddle__refinement *refinement);

/* SADDLE_SINGULAR and a message that names the velocity that moves most, a certificate as above;
 * what correct returned where it failed. correct, user: as in saddle__refine; the factors are of K
 * or near it. A motion of a bare matrix, without rows, counts only where its velocities have no
 * mass: a singular system may be meant. refinement: measured; its residual is scratch. */
saddle_status saddle__free_motion_search(const saddle_solver_call *call,
                                         const saddle_problem *problem,
                                         saddle__refinement *refinement, saddle__corrector *correct,
                                         void *user);

#endif
