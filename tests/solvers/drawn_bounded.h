/* SPDX-License-Identifier: MIT */
/* Drawn complementarity problems with bounds, a step of block pivoting on them by itself, and their
 * answers by dense LAPACK:
 *
 *     w = A lambda + q,   lo <= lambda <= hi,
 *         A = W + E symmetric positive definite unless it is spoilt
 */
#ifndef SADDLE_TEST_DRAWN_BOUNDED_H
#define SADDLE_TEST_DRAWN_BOUNDED_H

#include "complementarity/local_pivoting.h"
#include "support.h"

typedef enum bounded_pattern {
    BOUNDED_BAND,   /* `width` neighbours to either side */
    BOUNDED_GRID,   /* `width` x m / width, four neighbours */
    BOUNDED_DENSE,  /* the first `width` rows with each other, others alone */
    BOUNDED_RANDOM, /* `width` entries to a row, about */
    BOUNDED_PATTERNS
} bounded_pattern;

typedef struct bounded {
    int64_t m;
    double sign;     /* of what is factored: sign A */
    saddle_matrix A; /* lower triangle */
    saddle__whole_rows beside;
    double *diagonal, *added;   /* m: W_ii and E_ii */
    double *lo, *hi, *q, *step; /* m */
    double *scale;              /* m */
    signed char *signs, *in;    /* m */
    double *lambda;             /* m */
    saddle__part *part;
    saddle__pivoting pivoting;
    saddle__bounded_rows rows;
    saddle__local_system system;
} bounded;

/* Off-diagonal entries of either sign; A_ii is `dominance` times their sum, and a little.  Bounds
 * of every kind; some rows of zeros, where the pattern leaves rows alone.  States: all rows at
 * bounds or, where there is none, basic. */
bounded *bounded_draw(uint64_t *state, int64_t m, bounded_pattern pattern, int64_t width,
                      double dominance);
void bounded_free(bounded *b);

/* A step over all rows: the basic ones factored and solved for.  How many rows are broken, in
 * b->pivoting.broken. */
int64_t bounded_step(bounded *b);

/* The next step's factor has nothing beside it, and nothing of those before. */
void bounded_forget(bounded *b);

/* As block pivoting without anything local, until no row is broken; some rows are broken still:
 * 0. */
int bounded_settle(bounded *b);

/* q_i such that row i is broken when it is alone. */
void bounded_break(uint64_t *state, bounded *b, int64_t i);

/* lambda and w (m) by LAPACK for the present states, lambda at bounds as they are. */
void bounded_solve_densely(const bounded *b, double *lambda, double *w);

/* max_i |lambda_i - P(lambda_i - w_i)|, w by A: 0 at the only solution. */
double bounded_defect(const bounded *b, const double *lambda);

#endif
