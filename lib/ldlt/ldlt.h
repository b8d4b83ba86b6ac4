/* SPDX-License-Identifier: MIT */
/* The engine: a supernodal factorization of a sparse symmetric A (lower triangle stored)
 *
 *     P A P' = L D L'    L  n x n  unit lower triangular, in dense blocks of columns (supernodes)
 *                        D  n      diagonal, any mix of signs within a supernode
 *
 * or of a general A with a symmetric pattern, P A P' = L D U, U' with the pattern of L.  There is
 * no pivoting: stable where A is quasi-definite, [M J'; J -R] with M > 0, R > 0, or made
 * quasi-definite by regularization (Vanderbei, SIAM J. Optim. 5, 1995).  Multifrontal (Duff and
 * Reid, ACM TOMS 9, 1983; Liu, SIAM Review 34, 1992): each supernode assembles its entries of A and
 * the updates of its children, eliminates its columns with BLAS-3, and passes a dense update to its
 * parent.
 *
 *     analyse (pattern) -> factor (values) -> solve, as often as wanted
 *
 * Factor and solve allocate nothing.  The engine needs BLAS and CHOLMOD's LGPL part (orderings,
 * elimination tree, column counts). */
#ifndef SADDLE_LIB_LDLT_H
#define SADDLE_LIB_LDLT_H

#include "ldlt/pivots.h"
#include "saddle/options.h"

typedef struct saddle__ldlt saddle__ldlt;

typedef struct saddle__ldlt_request { /* all zero: the best ordering, no restriction */
    saddle_ordering ordering;
    const signed char *late; /* n, of saddle__late: constrained nodes, eliminated after a neighbour;
                                NULL = none */
    saddle__eagerness eager; /* other than SADDLE__PATIENT: the relaxed order is tried with METIS */
    double eager_gain; /* share of the strict order's flops below which the relaxed order is taken;
                          0 = 0.85 */
    int general;       /* 1: L D U; A has both triangles, general, with a symmetric pattern */
    int very_sparse;   /* 1: by minimum degree, or else SADDLE_UNSUPPORTED without a message */
    int64_t threads;   /* of factor, at most; 0 = 1.  The result has the same bits for any number */
    double grain;      /* nanoseconds of work worth a thread; 0 = the engine's own choice */
} saddle__ldlt_request;

/* Sizes known from the pattern alone. */
typedef struct saddle__ldlt_size {
    int64_t supernodes;
    int64_t entries; /* of L with the zeros stored in supernodes, lower triangle */
    int64_t fill;    /* of L without stored zeros */
    double flops;    /* of the factorization without stored zeros: sum of the squares of L's column
                        counts */
    int64_t bytes;   /* held between analyse and free */
    int metis;       /* METIS' ordering was taken, not AMD's */
    int eager;       /* 1: the relaxed constrained order was taken (pivots.h) */
} saddle__ldlt_size;

/* A: pattern of a symmetric matrix.  *F: NULL on failure.  SADDLE_OUT_OF_MEMORY; SADDLE_TOO_LARGE:
 * 2^31 unknowns, or a front beyond the index range of BLAS; SADDLE_UNSUPPORTED: of L D U, the
 * pattern is not symmetric; SADDLE_STOPPED, SADDLE_TIME_LIMIT before and after METIS. */
saddle_status saddle__ldlt_analyse(saddle_context *context, const saddle_matrix *A,
                                   const saddle__ldlt_request *request, saddle__ldlt **F);

saddle__ldlt_size saddle__ldlt_size_of(const saddle__ldlt *F);

/* A: the pattern analysed.  *counts is always written, of L D U without the inertia; peak_bytes
 * only grows.  SADDLE_SINGULAR: a pivot is not finite, or vanished without a replacement.
 * SADDLE_STOPPED, SADDLE_TIME_LIMIT: of the context's phase. */
saddle_status saddle__ldlt_factor(saddle__ldlt *F, const saddle_matrix *A,
                                  const saddle__pivot_rule *rule, saddle__factor_counts *counts);

/* The steps of a solve, in order; any consecutive subset may be applied. */
enum saddle__ldlt_part {
    SADDLE__LDLT_IN = 1,        /* x <- P x */
    SADDLE__LDLT_L = 2,         /* x <- L^-1 x */
    SADDLE__LDLT_D = 4,         /* x <- D^-1 x */
    SADDLE__LDLT_TRANSPOSE = 8, /* x <- L'^-1 x */
    SADDLE__LDLT_OUT = 16,      /* x <- P' x */
    SADDLE__LDLT_WHOLE = 31     /* x <- A^-1 x */
};

/* x (n x count, by columns, leading dimension ld >= n) in place.  Of L D U, U stands for L'. */
void saddle__ldlt_solve(saddle__ldlt *F, int parts, int64_t count, double *x, int64_t ld);

/* Right-hand sides with few entries: column c has value[e] at index[e], e = start[c] .. start[c +
 * 1] - 1. */
typedef struct saddle__ldlt_sparse {
    int64_t columns; /* 1 to SADDLE__FACTOR_BLOCK */
    const int64_t *start, *index;
    const double *value;
} saddle__ldlt_sparse;

/* From now on F is of A' in place of A: L and U' change places. */
void saddle__ldlt_transpose(saddle__ldlt *F);

/* X <- A^-1 B, X n x columns by rows, written in the connected components that B touches, unchanged
 * elsewhere.  L^-1 visits the reach of B only. */
void saddle__ldlt_solve_sparse(saddle__ldlt *F, const saddle__ldlt_sparse *B, double *X);

/* sum (n, by node) += the diagonal of P'|L||D||L'|P, after factor. */
void saddle__ldlt_add_squares(const saddle__ldlt *F, double *sum);

void saddle__ldlt_free(saddle__ldlt *F); /* NULL and half-built objects are fine */

#endif
