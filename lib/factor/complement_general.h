/* SPDX-License-Identifier: MIT */
/* The parts of complement.h for a W that is not symmetric.
 *
 *     R general, M symmetric    S = J M^-1 J' by the engine as ever, W = S + R
 *     M general          M = L U with pivoting; column i of W:  x = M^-1 J_i',  W_ki = J_k x + R_ki
 *
 * Both in the pattern of a symmetric problem with M + M' and R + R'.  n = 0: R's own.
 */
#ifndef SADDLE_LIB_COMPLEMENT_GENERAL_H
#define SADDLE_LIB_COMPLEMENT_GENERAL_H

#include "factor/complement.h"

/* pivoted of M; mass of the pattern of M + M'. */
saddle_status saddle__complement_general_mass(saddle__complement *complement,
                                              const saddle_problem *problem,
                                              const saddle__complement_request *wanted);

/* W; n > 0: compliance, S, next too. */
saddle_status saddle__complement_general_pattern(saddle__complement *complement,
                                                 const saddle_problem *problem);

/* W = R, n = 0 */
void saddle__complement_general_take(saddle__complement *complement, const saddle_problem *problem);

/* W = S + R */
void saddle__complement_general_spread(saddle__complement *complement,
                                       const saddle_problem *problem);

/* M general: its factors, and W by them. */
saddle_status saddle__complement_general_factor(saddle__complement *complement,
                                                const saddle_problem *problem);
saddle_status saddle__complement_general_fill(saddle__complement *complement,
                                              const saddle_problem *problem);

void saddle__complement_general_clear(saddle__complement *complement);

#endif
