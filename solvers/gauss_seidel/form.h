/* SPDX-License-Identifier: MIT */
/* Forming W = J M^-1 J' + R by rows, a column at a time through the factor of M, and the choice whether to. */
#ifndef SADDLE_GAUSS_SEIDEL_FORM_H
#define SADDLE_GAUSS_SEIDEL_FORM_H

#include "gauss_seidel/operator.h"

/* Sets W->form; where formed, makes the pattern.  Needs the factor of M. */
saddle_status saddle__operator_decide(saddle_context *context, const saddle_problem *problem, saddle__operator *W);

/* The values of a formed W; no allocation. */
saddle_status saddle__operator_form_values(const saddle_problem *problem, saddle__operator *W);

#endif
