/* SPDX-License-Identifier: MIT */
/* The laws cone and box of contacts, by a measure that shares no code with the library. */
#ifndef SADDLE_TEST_CONTACT_LAW_H
#define SADDLE_TEST_CONTACT_LAW_H

#include "saddle/problem.h"

/* Every row is of a contact; law cone or box.  The largest distance, in units of the largest
 * impulse, `impulse` at least, and of the largest sum of |terms| of a w_i, `change` at least (what
 * is of the size of rounding counts as 0 beside them), of
 *
 *     ln from max(0, ln - wn),    lg from the ball (box: each li from the interval) of radius
 *                                 mu_g max(0, ln) around 0, its point nearest to lg - wg
 *
 * where w = J v + R lambda - b is computed here. */
double contact_law_error(const saddle_problem *problem, const double *v, const double *lambda,
                         double impulse, double change);

#endif
