/* SPDX-License-Identifier: MIT */
/* The course of the proximal steps of schur and pivot: which epsilon the next step takes
 * (epsilon.h), whether one that stalled is kept, and when to end.
 *
 * A step solves the problem of W + E, E = epsilon times natural sizes, from the lambda before; the
 * error is what its user finds of the true problem.  Where pivoting stalls, epsilon is raised, and
 * comes down again.  A step that stalled but halved the error of the last one is kept; steps that
 * end may raise the error on their way to a solution, and stalled ones could undo them without end:
 * once a few were kept without halving the least error met, one must halve that too.  Where sixteen
 * raises have not halved it, W is not monotone, and rows go one by one at the least epsilon.  At
 * the least epsilon steps that go on to lower the error, but slowly, say that W is singular but for
 * a part of epsilon's size: then less is taken. */
#ifndef SADDLE_SOLVERS_STEPS_H
#define SADDLE_SOLVERS_STEPS_H

#include "complementarity/epsilon.h"
#include "saddle/options.h"

typedef struct saddle__steps {
    saddle__epsilon epsilon; /* of E */
    const saddle_options *options;
    int64_t m;
    double gain;         /* a step stalls that leaves more than this of the least error */
    double now;          /* the last error */
    double expected;     /* of that before, where rows might be left broken, at most */
    double best;         /* the least met */
    double residual;     /* the checker's of that */
    int overgrown;       /* it may be small beside its impulses alone: is there a ray? */
    int64_t taken;       /* steps */
    int64_t last;        /* of them at the least epsilon */
    int stalls;          /* of them without much gain */
    int64_t tolerated;   /* broken rows that the last step might leave */
    int in_vain;         /* steps that gained nothing by leaving some */
    int sweeps;          /* before the step to come, from nothing (sweep.h) */
    double before;       /* the error before the last step */
    double halved;       /* the least when it was last found to have halved */
    int64_t raises;      /* of epsilon since then */
    int64_t most_raises; /* of those; the user's, where one by one takes longer than there is time
                            for, 16 by begin */
    int64_t kept;        /* steps that had stalled, since then */
} saddle__steps;

/* Bounds that lag behind settle slowly. */
enum saddle__pace { SADDLE__FAST, SADDLE__LAGGED };

/* A solve begins.  least: epsilon in the end; above: where it begins without a start, since rows
 * must depend on each other. options: borrowed. */
void saddle__steps_begin(saddle__steps *steps, int64_t m, double least, int above,
                         enum saddle__pace pace, const saddle_options *options);

/* Before a step: epsilon for it; how many broken rows it may leave. */
double saddle__steps_next(saddle__steps *steps);
int64_t saddle__steps_tolerate(saddle__steps *steps);

/* Pivoting stalled at an error of `there`, and began at one of `began`.  1: that is progress, and
 * stays. */
int saddle__steps_keep(saddle__steps *steps, double there, double began);

/* It is not: epsilon for another try. */
double saddle__steps_raise(saddle__steps *steps);

/* Nothing is left to raise: pivots are taken one by one, as long as it takes. */
int saddle__steps_one_by_one(const saddle__steps *steps);

/* A step was taken; stalled: and kept. */
void saddle__steps_taken(saddle__steps *steps, int stalled);

/* The error and the checker's residual after it, or of the start.  1: the least so far, to be
 * kept. */
int saddle__steps_judge(saddle__steps *steps, double error, double residual, int overgrown);

/* The same of an error made of the rows alone, on the way; steps->residual is not known then. */
int saddle__steps_glance(saddle__steps *steps, double error, int overgrown);

/* 1: this is as far as it goes. */
int saddle__steps_enough(const saddle__steps *steps);

#endif
