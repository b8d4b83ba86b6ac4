/* SPDX-License-Identifier: MIT */
/* Motions without mass that no row holds and that f pushes, velocities of any number together:
 *
 *     M'z = 0,   f'z > sup { -(J z)'lambda : lambda that the laws allow }
 *         (saddle/certificate.h, y = 0)
 *
 * All such z together are the cone on which the problem is unbounded.  That z of it along which f
 * pushes most, |z| given, is the solution of a problem like those that the library solves, natural
 * masses D, the motions of no mass as equations,
 *
 *     D z - M y - J'lambda = f,     M'z = 0,    J z = w against lambda as the rows' laws are, b = 0
 *
 * since then z'D z = f'z + lambda'w, the gap of the certificate: z is zero, to rounding, where
 * nothing is unbounded (the projection of f onto what rows can bear, and its remainder).  Of
 * contacts the normal has its law, and tangents are not to slide, which proves less than could be
 * and nothing wrong. */
#ifndef SADDLE_SOLVERS_UNBOUNDED_H
#define SADDLE_SOLVERS_UNBOUNDED_H

#include "saddle/certificate.h"
#include "saddle/options.h"

/* certificate, empty, <- such a motion, and y = 0, where there is one; whether it proves anything
 * is the check's to say.  Takes about what solving the problem does, and no longer than to deadline
 * (saddle_clock).  SADDLE_OK; SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__offer_unbounded(saddle_context *context, const saddle_problem *problem,
                                      double deadline, saddle_certificate *certificate);

#endif
