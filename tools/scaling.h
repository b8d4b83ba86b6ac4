/* SPDX-License-Identifier: MIT */
/* A problem in other units, drawn, and back: what an ideal solver does not notice.
 *
 *     v = D v',  lambda = E lambda',  w' = E w:
 *     M' = D M D,  J' = E J D,  R' = E R E,  f' = D f,  b' = E b,  lo' = lo / E
 *
 * D and E are powers of two, so that nothing is rounded; one for all rows of a contact. */
#ifndef SADDLE_TOOLS_SCALING_H
#define SADDLE_TOOLS_SCALING_H

#include "saddle/problem.h"

typedef struct tool_scaling { /* all zero = none */
    saddle_context *context;
    saddle_problem problem; /* in the drawn units */
    double *of_v, *of_rows; /* n, m: D, E */
} tool_scaling;

/* D and E between 1 / most and most, drawn from a fixed seed.  SADDLE_OUT_OF_MEMORY. */
saddle_status tool_scaling_make(saddle_context *context, const saddle_problem *problem, double most,
                                tool_scaling *scaling);

/* A solution of scaling->problem becomes one of the problem given. */
void tool_scaling_undo(const tool_scaling *scaling, saddle_solution *x);

void tool_scaling_clear(tool_scaling *scaling);

#endif
