/* SPDX-License-Identifier: MIT */
/* How good an iterate of bounded.h is. */
#ifndef SADDLE_SCHUR_PROGRESS_H
#define SADDLE_SCHUR_PROGRESS_H

#include "bounded.h"

/* bounded->w and bounded->free of (v, lambda), and nothing else. */
void saddle__progress_look(saddle__bounded *bounded, const saddle_problem *problem,
                           const saddle_matrix *W, const saddle_solution *x);

/* The same, and how good (v, lambda) is: bounded->best is the best of those judged. */
void saddle__progress_judge(saddle__bounded *bounded, const saddle_problem *problem,
                            const saddle_solver_call *call, const saddle_matrix *W,
                            const saddle_solution *x);

/* How good lambda is by the rows alone, w = W lambda + free, where that settles it: on the way,
 * above the least epsilon, with an error above the tolerance.  1: so it is, and where it is the
 * best bounded->best has no v, nor lambda before the next step begins.  0: it is to be judged. */
int saddle__progress_glance(saddle__bounded *bounded, const saddle_solver_call *call,
                            const double *lambda);

/* x: the best lambda, which was glanced at alone, and its v, which bounded->best gets, with the
 * checker's residual. */
void saddle__progress_settle(saddle__bounded *bounded, const saddle_problem *problem,
                             const saddle_solver_call *call, const saddle_matrix *W,
                             const saddle_solution *x);

/* What the checker's residual of lambda and bounded->w would be in units in which W's diagonal is
 * 1. */
double saddle__natural_error(const saddle__bounded *bounded, const double *lambda);

#endif
