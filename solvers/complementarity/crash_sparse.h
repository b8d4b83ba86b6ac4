/* SPDX-License-Identifier: MIT */
/* The crash basis' system A'W P of a sparse W (crash.h), factored sparse. */
#ifndef SADDLE_SOLVERS_CRASH_SPARSE_H
#define SADDLE_SOLVERS_CRASH_SPARSE_H

#include "factor/factorization.h"
#include "factor/unfolded.h"
#include "complementarity/crash.h"

typedef struct saddle__crash_sparse {
    saddle_context *context;
    const saddle__unfolded *W; /* the caller's */
    saddle_matrix C;           /* A'W P, or its lower triangle; its arrays have room for any */
    int64_t *owner;            /* m: the unknown whose equation has the row, -1 = none .. */
    double *weight;            /* m: .. and its part there */
    double *sum;               /* m: scratch of a column .. */
    int64_t *mark, *touched;   /* m */
    saddle__factorization *factors;
    saddle_status status; /* of the last factorization */
} saddle__crash_sparse;

/* W: its pattern. */
saddle_status saddle__crash_sparse_create(saddle_context *context, const saddle__unfolded *W,
                                          saddle__crash_sparse *sparse);
/* half-built ones are fine */
void saddle__crash_sparse_clear(saddle_context *context, saddle__crash_sparse *sparse);

/* symmetric: A'W P is, and is expected to be definite.  0: it is singular or not definite, or
 * memory ran out (status). */
int saddle__crash_sparse_factor(saddle__crash_sparse *sparse, const saddle__crash *crash,
                                int symmetric);

/* z <- (A'W P)^-1 z in the unknowns' units. */
int saddle__crash_sparse_solve(saddle__crash_sparse *sparse, double *z);

#endif
