/* SPDX-License-Identifier: MIT */
/* gauss-seidel: the Delassus operator by rows.  The laws of single rows and contacts: local.h. */
#ifndef SADDLE_GAUSS_SEIDEL_H
#define SADDLE_GAUSS_SEIDEL_H

#include "factor/complement.h"
#include "factor/factorization.h"
#include "saddle/problem.h"

/* ---- rows of a matrix ---- */

/* The rows of a matrix stored by columns: the place of each entry of a row in the matrix, to read
 * or refresh values without searching.  A symmetric matrix, stored as the lower triangle, is
 * expanded. */

typedef struct saddle__rows {
    int64_t *start;  /* count + 1 */
    int64_t *index;  /* start[count]; column of each entry, ascending */
    int64_t *source; /* start[count]; its position in value of the matrix */
} saddle__rows;

/* ---- the operator ---- */

/* The Delassus operator W = J M^-1 J' + R as the sweeps use it: one row's velocity at a time.
 *
 *     w = W lambda + q,    q = J M^-1 f - b
 *
 * n = 0         W is R, held by rows.
 * formed   W is formed (factor/complement.h) and held by rows, when it has no more entries than J,
 *     T and R together.
 * matrix-free   T = M^-1 J' is held by columns and the velocity v = M^-1 (f + J'lambda) is kept up
 *     to date, v += T_i dlambda_i;
 *               then w_i = J_i v + R_i lambda - b_i.
 *
 * Which is used is found by counting entries beforehand: W of few bodies with many contacts each is
 * denser than J and T, while T is dense, and W small, for a finite element mesh with few contacts.
 * A symmetric M that needs pivoting, which shows when it is factored, is factored L U and W
 * matrix-free.
 */

typedef enum saddle__operator_form {
    SADDLE__OPERATOR_FORMED = 0,
    SADDLE__OPERATOR_FREE = 1
} saddle__operator_form;

typedef struct saddle__operator {
    int64_t n, m;
    saddle__operator_form form;
    saddle__complement complement; /* formed, n > 0; else all-zero */
    saddle__factorization *mass;   /* of M, matrix-free; else NULL */
    saddle_ordering ordering;      /* of M's factor */
    double *mass_scale;            /* n; |M_jj| */
    saddle__rows rows;             /* of W where formed, of R where matrix-free or n = 0 */
    double *value;                 /* rows.start[m] */
    saddle_matrix T;               /* n x m, matrix-free only */
    double *block;                 /* 3 m: W(i, unit of i) from the unit's first row on */
    double *correction;            /* n; of the refinement of v */
    double *q; /* m; constant part of the row velocity, beside W lambda or R lambda + J v */
} saddle__operator;

saddle_status saddle__operator_analyse(saddle_context *context, const saddle_options *options,
                                       const saddle_problem *problem, saddle__operator *W);

/* Of M's factorization; n > 0. */
saddle__factor_counts saddle__operator_counts(const saddle__operator *W);

/* Allocates the first time only.  SADDLE_SINGULAR: M cannot be factored; the message names the
 * velocity. */
saddle_status saddle__operator_factor(saddle_context *context, const saddle_problem *problem,
                                      saddle__operator *W);

void saddle__operator_clear(saddle_context *context, saddle__operator *W);

/* Takes in f and b, once per solve.  v: n, scratch. */
saddle_status saddle__operator_prepare(const saddle_problem *problem, saddle__operator *W,
                                       double *v);

/* v = M^-1 (f + J'lambda), refined once: a small componentwise backward error (Skeel, Math. Comp.
 * 35, 1980). */
saddle_status saddle__operator_velocity(const saddle_problem *problem, saddle__operator *W,
                                        const double *lambda, double *v);

/* w_i; v is read where matrix-free. */
double saddle__operator_row(const saddle_problem *problem, const saddle__operator *W,
                            const double *lambda, const double *v, int64_t row);

/* After lambda_i has changed: v += T_i change, where matrix-free. */
void saddle__operator_move(const saddle__operator *W, int64_t row, double change, double *v);

#endif
