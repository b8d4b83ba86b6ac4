/* SPDX-License-Identifier: MIT */
/* A small system through the public interface (create, analyse, factor, solve, free), beside
 * LAPACK's dense solver. */
#ifndef SADDLE_BENCH_WHOLE_H
#define SADDLE_BENCH_WHOLE_H

#include "factor/systems.h"

#define WHOLE_LARGEST 100 /* unknowns */

/* Seconds, medians of the wall clock; all < 0: not measured, as `why` says. */
typedef struct whole_call {
    double all; /* create to free: K assembled, factored, solved, refined, the answer checked */
    double analyse, factor, solve; /* its phases; create counts as analyse */
    double dsysv, dsytrf, dsytrs;  /* of K as a square array */
    int steps;                     /* of refinement */
    double backward_error;         /* componentwise, as reported */
    char why[120];
} whole_call;

/* All rows are taken as equations.  Nonzero: out of memory. */
int whole_measure(const bench_system *system, whole_call *result);

#endif
