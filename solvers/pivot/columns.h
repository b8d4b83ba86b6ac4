/* SPDX-License-Identifier: MIT */
/* The Delassus operator of the rows with bounds (C), the equations (E) eliminated with the
 * velocities, a column at a time:
 *
 *     A = [ M    J_E' ]     A (v, -lambda_E) = (f + J_C'lambda_C,  b_E - R_EC lambda_C)
 *         [ J_E -R_EE ]     w_C = J_C v + R_CE lambda_E + R_CC lambda_C - b_C
 *
 *     W_(:, i) = J_C z + R_CE y + R_C,i      A (z, -y) = (J_i', -R_E,i)
 *
 * A is factored once; column i costs a solve with a sparse right-hand side, when it is first asked
 * for, and is kept until the values change; rows that enter together are solved for in blocks
 * (column_block.c).  A symmetric A is factored L D L' with a small diagonal where R = 0, an
 * unsymmetric one L U; the velocities are refined against the system without it. Without velocities
 * every row belongs to C and the columns are R's own, those that are stored whole not even
 * copied. */
#ifndef SADDLE_PIVOT_COLUMNS_H
#define SADDLE_PIVOT_COLUMNS_H

#include "complementarity/lu_basis.h"
#include "factor/factorization.h"
#include "matrix/twofold.h"
#include "problem/kkt.h"
#include "regularization.h"

typedef struct saddle__column_source {
    saddle_context *context;
    int64_t n, m;
    int symmetric;                 /* M and R are */
    int64_t count;                 /* rows of C */
    int64_t equations;             /* rows of E; all that there is A for */
    int64_t *row;                  /* m: rows of C, then those of E, each ascending */
    int64_t *place;                /* m: where row i is in there */
    const saddle_problem *problem; /* of the call at hand */
    saddle_problem inner;          /* M, J_E', R_EE: borrowed M, own others */
    int64_t *R_source;             /* entries of R_EE: which of R's */
    saddle__kkt A;
    saddle__regularization natural; /* of A */
    saddle__factorization *factors;
    double *pool;         /* count x count: columns by the place of their row; NULL: R's own */
    signed char *ready;   /* count: columns that are there */
    double *z;            /* n + equations: a solution, zero between calls */
    double *Z;            /* the same of SADDLE__FACTOR_BLOCK columns, by rows */
    double *u;            /* m: impulses e_i and y, zero between calls */
    double *y;            /* m */
    saddle__twofold *sum; /* n + m */
    int64_t *index;       /* n + equations: of a sparse right-hand side */
    double *value;        /* the same */
    int64_t computed;     /* columns, since create */
    int64_t blocks;       /* solves that made them */
    int64_t corrections;  /* of velocities, since create */
    saddle__asked asked;  /* between blocks; the user's, nobody by create */
} saddle__column_source;

/* in_C (m): nonzero for rows of C.  SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE, SADDLE_UNSUPPORTED: a
 * factorization for symmetric matrices was chosen, and A is not. */
saddle_status saddle__columns_create(saddle_context *context, const saddle_problem *problem,
                                     const saddle_options *options, const signed char *in_C,
                                     saddle__column_source *columns);

/* The values; all columns are forgotten.  Allocates nothing, but for what UMFPACK and KLU do.
 * SADDLE_SINGULAR: node n + k of counts.failed_column is the k-th row of E. */
saddle_status saddle__columns_factor(saddle__column_source *columns, const saddle_problem *problem,
                                     double epsilon);

/* By places in C.  columns must stay where it is. */
saddle__columns saddle__columns_table(saddle__column_source *columns);

/* n > 0: the columns at these places (count) that are not there.  What is not SADDLE_OK is the
 * factorization's, or asked's. */
saddle_status saddle__columns_compute(saddle__column_source *columns, int64_t count,
                                      const int64_t *place);

/* v (n) and the lambda_i (m) of E, given those of C and a first guess, refined.  *settled: 0 = the
 * impulses of the equations still move; they do so forever where equations contradict each other.
 * SADDLE_NOT_CONVERGED: not finite. */
saddle_status saddle__columns_complete(saddle__column_source *columns,
                                       const saddle_problem *problem, double *lambda, double *v,
                                       int *settled);

void saddle__columns_clear(saddle__column_source *columns); /* half-built ones are fine */

#endif
