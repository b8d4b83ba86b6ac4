/* SPDX-License-Identifier: MIT */
/* How good an iterate of bounded.h is, and when it is good enough. */
#ifndef SADDLE_SCHUR_PROGRESS_H
#define SADDLE_SCHUR_PROGRESS_H

#include "bounded.h"

typedef struct saddle__progress {
    double best;     /* the least error met; INFINITY at first        */
    double error;    /* of the last that was judged                   */
    double residual; /* the checker's of the same iterate             */
    int overgrown;   /* small beside its impulses alone               */
    int judged;      /* any iterate was                               */
    int64_t steps;   /* of refinement, the first is none              */
    int64_t last;    /* of them at the least epsilon                  */
    int stalls;      /* of them without much gain                     */
} saddle__progress;

/* bounded->w and bounded->free of (v, lambda), and nothing else. */
void saddle__progress_look(saddle__bounded *bounded, const saddle_problem *problem, const saddle_matrix *W,
                           const saddle_solution *x);

/* The same, and how good (v, lambda) is: bounded->best is the best of those judged. */
void saddle__progress_judge(saddle__bounded *bounded, const saddle_problem *problem, const saddle_solver_call *call,
                            const saddle_matrix *W, const saddle_solution *x, saddle__progress *progress);

/* 1: this is as far as it goes. */
int saddle__progress_is_enough(const saddle__progress *progress, const saddle_solver_call *call);

/* What the checker's residual of lambda and bounded->w would be in units in which W's diagonal is 1. */
double saddle__natural_error(const saddle__bounded *bounded, const double *lambda);

#endif
