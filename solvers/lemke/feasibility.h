/* SPDX-License-Identifier: MIT */
/* A proof that there is no solution where the rays of Lemke's paths prove nothing, n = 0: whether
 * any lambda within its bounds gives w of the signs asked for is the monotone problem
 *
 *     [ 0  -R' ] [ lambda ]   [ 0 ]
 *     [ R   0  ] [ y   ] - [ b ] = w
 *         lambda within its bounds;  y >= 0 where w >= 0 is asked, <= 0 where w <= 0,
 *                                            = 0 where both signs are allowed, any where w = 0
 *
 * (linear programming's own: the matrix is skew), on which Lemke's method always ends with a
 * solution or with a proof (Cottle, Pang, Stone 1992, 4.4), whatever R is.  The y of that proof is
 * a certificate.  A problem that is feasible and has no solution all the same, R not monotone,
 * stays undecided.
 */
#ifndef SADDLE_LEMKE_FEASIBILITY_H
#define SADDLE_LEMKE_FEASIBILITY_H

#include "saddle/solver.h"

/* n = 0, no contacts.  SADDLE_INFEASIBLE: a certificate has been offered; SADDLE_OK: none was
 * found; SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE.  Allocates. */
saddle_status saddle__lemke_feasibility(const saddle_solver_call *call,
                                        const saddle_problem *problem);

#endif
