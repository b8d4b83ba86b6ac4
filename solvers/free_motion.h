/* SPDX-License-Identifier: MIT */
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
#ifndef SADDLE_SOLVERS_FREE_MOTION_H
#define SADDLE_SOLVERS_FREE_MOTION_H

#include "refine.h"

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
