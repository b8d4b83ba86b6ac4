/* SPDX-License-Identifier: MIT */
/* How much a proximal step regularizes, from step to step: E = epsilon times the natural sizes of
 * W_ii.
 *
 * Any epsilon may follow any other (Rockafellar, SIAM J. Control Optim. 14, 1976); with the least
 * one two or three steps do. Where block pivoting stalls it is raised until it does not, and comes
 * down again from the lambda that was found. */
#ifndef SADDLE_SOLVERS_EPSILON_H
#define SADDLE_SOLVERS_EPSILON_H

#include <stdint.h>

typedef struct saddle__epsilon {
    double now;     /* of E */
    double next;    /* after this step */
    double least;   /* in the end */
    double fall;    /* what it is divided by after a step */
    double growth;  /* of that, with each step that ends */
    int64_t raised; /* times that it was raised, in this solve */
} saddle__epsilon;

/* The least that is taken where `asked` is asked for. */
double saddle__epsilon_least(double asked);

/* A solve begins: nothing was raised yet.  above: it begins with more than the least, on rows whose
 * steps are searched along, which seldom stall. */
void saddle__epsilon_begin(saddle__epsilon *epsilon, int above);

/* At least, at most: above it nothing is raised. */
int saddle__epsilon_is_least(const saddle__epsilon *epsilon);
int saddle__epsilon_is_most(const saddle__epsilon *epsilon);

/* What to begin with where it is known that the least would stall. */
double saddle__epsilon_first(const saddle__epsilon *epsilon);

/* Sweeps (sweep.h) each way before the first step that begins with it, from nothing. */
int saddle__epsilon_sweeps(void);

/* Pivoting stalled: what to raise it to; now is the caller's to set, with E. */
double saddle__epsilon_raise(saddle__epsilon *epsilon);

/* A step was taken: next.  stalled: it is one that had stalled and was kept all the same. */
void saddle__epsilon_lower(saddle__epsilon *epsilon, int stalled);

/* At the least, which is still too much: a hundredth of it next.  0: less could not be told from
 * rounding. */
int saddle__epsilon_sharpen(saddle__epsilon *epsilon);

/* 1: with this error, which falls fast where stalls is 0, the states are right as a rule, and
 * epsilon stays where it is. */
int saddle__epsilon_stays(const saddle__epsilon *epsilon, double error, int stalls);

/* Block steps without a new least number of broken rows. */
int64_t saddle__epsilon_patience(const saddle__epsilon *epsilon);

/* Of m rows, how many a step may leave broken to the next one: some while epsilon comes down the
 * first time, a tenth of them for each time that a step gained nothing by it. */
int64_t saddle__epsilon_tolerated(const saddle__epsilon *epsilon, int64_t m, int in_vain);

#endif
