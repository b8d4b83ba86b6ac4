/* SPDX-License-Identifier: MIT */
/* gauss-seidel: the Delassus operator by rows, sweeps, their acceleration, and Newton's method. The
 * laws of single rows and contacts: local.h. */
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

/* A: count rows, or 0 x 0 for one without entries.  SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE. */
saddle_status saddle__rows_make(saddle_context *context, const saddle_matrix *A, int64_t count,
                                saddle__rows *rows);

void saddle__rows_clear(saddle_context *context, saddle__rows *rows);

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

/* ---- units ---- */

/* A row of its own, or a contact with its rows. */
typedef struct saddle__unit {
    int64_t row;     /* the first row */
    int64_t contact; /* -1 = a row of its own */
} saddle__unit;

/* ---- Newton's method ---- */

/* Newton's method on the natural maps of all rows and cones at once, for what sweeps leave (Alart
 * and Curnier 1991).
 *
 *     M v - J'lambda - f = 0,     G_c = d_c (lambda_c - P(lambda_c - s_c / d_c)) = 0
 *
 * P onto a row's interval or a contact's cone, s = w, of a cone w + (mu |w_t|, 0, 0); d_c the
 * unit's Delassus estimate, so that G is a velocity.  With Z = dP and S = ds/dw, a step (dv,
 * dlambda) solves the sparse
 *
 *     [ M      -J'                             ] [dv     ]     [0  ]
 *     [ Z S J   Z S (R + delta d) + d (I - Z)  ] [dlambda] = - [G_c]
 *
 * where delta keeps steps short that the rows hardly tell about (redundant contacts): it falls
 * while |G|_2 does, and rises where no part of a step makes it fall.
 */

/* All-zero is empty. */
typedef struct saddle__newton {
    int64_t n, m, units;
    const saddle__unit *unit;
    saddle__rows M, Jt, R; /* rows */
    saddle_matrix At;      /* (n + m) x (n + m): the transpose of the matrix above, by columns */
    saddle__factorization *lu; /* sparse; NULL where dense */
    double *dense;             /* (n + m) x (n + m), of small systems; else NULL */
    int *pivot;                /* n + m */
    double share;              /* delta */
    double *d;                 /* m: of each row's unit */
    double *w, *G;             /* m: at the present point */
    double *step, *lambda;     /* n + m; m: a point on the way */
    double *v;                 /* n */
    double *start;             /* m: the caller's lambda at the start */
    int64_t *place;            /* n + m: where in a row's pattern a column stands */
} saddle__newton;

/* 1: the natural maps apply (no contacts, or cones, associated or not), and factoring is cheap:
 * bodies, not a mesh. */
int saddle__newton_applies(const saddle_problem *problem);

/* Patterns and memory.  unit: borrowed.  SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE. */
saddle_status saddle__newton_make(saddle_context *context, const saddle_problem *problem,
                                  const saddle__unit *unit, int64_t units, saddle__newton *newton);
void saddle__newton_clear(saddle_context *context, saddle__newton *newton);

/* Takes in the values of M, J and R, before the first step of a solve. */
void saddle__newton_prepare(const saddle_problem *problem, saddle__newton *newton);

/* A step from (v, lambda), v = M^-1 (f + J'lambda), in place.  *gain: |G| after the step over |G|
 * before, 1 where no step helps. SADDLE_SINGULAR: no step; SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__newton_step(const saddle_problem *problem, saddle__newton *newton, double *v,
                                  double *lambda, double *gain);

#endif
