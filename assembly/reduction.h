/* SPDX-License-Identifier: MIT */
/* Between an assembled problem and its solver: the attachments eliminated or kept
 * (saddle/elimination.h), with memory of its own, planned again where the pattern is new. */
#ifndef SADDLE_ASSEMBLY_REDUCTION_H
#define SADDLE_ASSEMBLY_REDUCTION_H

#include "system.h"

typedef struct saddle__reduction {   /* start from zero */
    saddle_elimination *elimination; /* NULL = nothing planned */
    saddle_solution solution;        /* of the reduced problem */
    saddle_solution whole;           /* with the multipliers of attachments */
    double *force;                   /* those multipliers, in whole.lambda */
    int64_t capacity[4];             /* of reduced and whole v; of lambda and w, each */
} saddle__reduction;

void saddle__reduction_clear(saddle_context *context, saddle__reduction *r);

/* *reduced: the problem to solve, `problem` itself in a model without attachments.  fresh: 1 = the
 * pattern is new, plan again; else no memory is allocated. */
saddle_status saddle__reduce(saddle__reduction *r, const saddle_assembly *a,
                             const saddle_problem *problem, saddle_wish wish, int fresh,
                             const saddle_options *options, const saddle_problem **reduced);

/* The solution of the reduced problem to fill in: r->solution, or that of the whole problem. */
saddle_solution *saddle__reduced_solution(saddle__reduction *r, saddle_solution *whole);

/* solution (n, m) of `problem`, as last reduced, from the reduced one; forces of attachments into
 * r->force. */
saddle_status saddle__recover(saddle__reduction *r, const saddle_problem *problem,
                              saddle_solution *solution);

#endif
