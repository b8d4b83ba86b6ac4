/* SPDX-License-Identifier: MIT */
/* How good an iterate of bounded.h is. */
#ifndef SADDLE_SCHUR_PROGRESS_H
#define SADDLE_SCHUR_PROGRESS_H

#include "bounded.h"

/* bounded->w and bounded->free of (v, lambda), and nothing else. */
void saddle__progress_look(saddle__bounded *bounded, const saddle_problem *problem, const saddle_matrix *W,
                           const saddle_solution *x);

/* The same, and how good (v, lambda) is: bounded->best is the best of those judged. */
void saddle__progress_judge(saddle__bounded *bounded, const saddle_problem *problem, const saddle_solver_call *call,
                            const saddle_matrix *W, const saddle_solution *x);

/* What the checker's residual of lambda and bounded->w would be in units in which W's diagonal is 1. */
double saddle__natural_error(const saddle__bounded *bounded, const double *lambda);

#endif
