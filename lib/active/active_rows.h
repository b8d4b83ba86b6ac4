/* SPDX-License-Identifier: MIT */
/* A linear system with a changing set of active constraint rows, without a new analysis and mostly
 * without a new factorization:
 *
 *     [ M    J_A' ] [  v        ]   [ f   ]       A  the active rows, out of m candidates
 *     [ J_A  -R_A ] [ -lambda_A ] = [ b_A ]       lambda_i = 0 for inactive rows
 *
 *     create (pattern, all candidates) -> factor (values, A) -> change (rows), solve, ...
 *
 * After create nothing is allocated.  A change is made in one of two ways (docs/theory.md,
 * section 4), whichever takes less time by the table of ldlt/costs.h:
 *
 *     mask    K is factored again, in the same pattern: inactive rows have -s_i on the diagonal and
 *             zeros elsewhere.
 *     modify  row i of L is computed or cleared, and the columns on the path to the root take a
 *             rank-1 change (Davis and Hager, SIAM J. Matrix Anal. Appl. 26, 2005; formulas of
 *             Gill, Golub, Murray and Saunders, Math. Comp. 28, 1974, method C1).
 *
 * K with the active rows is to be regular: a row that may depend on others needs compliance
 * (`kept`).
 */
#ifndef SADDLE_LIB_ACTIVE_ROWS_H
#define SADDLE_LIB_ACTIVE_ROWS_H

#include "factor/factorization.h"
#include "ldlt/ldlt.h"
#include "problem/kkt.h"

typedef enum saddle__active_method {
    SADDLE__ACTIVE_PICK = 0, /* the way with less time foreseen */
    SADDLE__ACTIVE_MASK,
    SADDLE__ACTIVE_MODIFY
} saddle__active_method;

typedef struct saddle__active_request {
    const signed char *toggles;   /* m, nonzero: rows that may change; others are always active
                                     (default: NULL: all may change) */
    const signed char *late;      /* n + m, as for saddle__factorization_analyse_late, or NULL */
    saddle_ordering ordering;     /* default: BEST */
    saddle__active_method method; /* default: PICK */
    double tolerance; /* componentwise backward error at which refinement in solve stops [-]
                         (default: 1e-13) */
    int64_t threads;  /* of a factorization, at most (default: 1) */
} saddle__active_request;

typedef struct saddle__active_values {
    const double *added; /* n + m: onto K's diagonal for the factorization, taken out again by
                            refinement; NULL = 0 */
    const double *kept;  /* n + m: added to K's diagonal for good, compliance beyond the problem's;
                            NULL = 0 */
    saddle__pivot_rule rule; /* for the factorization.  scale: required, > 0; replacement: finite */
} saddle__active_values;

typedef struct saddle__active_change {
    int64_t row; /* a row with toggles[row] */
    int in;      /* 1: active, 0: inactive; without effect where already so */
} saddle__active_change;

typedef struct saddle__active_counts { /* since create, but for the last four */
    int64_t factorizations;
    int64_t modified;             /* rows changed by modify */
    int64_t corrections;          /* steps of refinement */
    saddle__active_method method; /* of the last change */
    double error;                 /* of the last solve: componentwise backward error against K_A */
    saddle__factor_counts factor; /* of the last factorization */
    double factor_time;           /* foreseen time of a factorization [ns] */
} saddle__active_counts;

/* Nodes are unknowns in the problem's order, velocity j or n + row i; positions are in the order of
 * elimination. */
typedef struct saddle__active_rows {
    saddle_context *context;
    saddle__active_method method;
    double tolerance;
    int64_t n, m, size; /* size = n + m */
    int factored;
    int fresh; /* nothing changed since the last factorization */

    signed char *toggles; /* m */
    signed char *in;      /* m: active */

    saddle__kkt kkt;    /* of all candidates, as given */
    double *masked;     /* its entries as factored */
    int64_t *row_start; /* m + 1 */
    int64_t *row_node;  /* entries of K in row n + i without the diagonal: the column's node */
    int64_t *row_entry; /* ... and the entry of K */
    double *added;      /* size */
    double *scale;      /* size */
    signed char *sign;  /* size */
    saddle__pivot_rule rule;

    saddle__ldlt *F;
    double reached; /* worst backward error of a fresh factor with the current values */

    const int64_t *reach; /* supernodes of the last walk, in the scratch of F */
    int64_t reach_count;
    double *x;      /* size: by position, zero between calls */
    double *front;  /* most rows of a front */
    double *column; /* the same */

    double *rhs;        /* size */
    double *correction; /* size */
    double *modulus;    /* size */
    double *best;       /* size */
    double *norm;       /* size: sum_j |K_ij| d_j */
    double *unit;       /* size: d = scale^-1/2 */

    saddle__active_counts counts;
    saddle__layout layout;
} saddle__active_rows;

/* problem: pattern and sizes, n + m > 0; M and R symmetric.  Constrained rows cost fill; rows that
 * toggle are constrained where `modify` may be used, for stability.  *active: NULL on failure.
 * SADDLE_UNSUPPORTED: M or R unsymmetric; SADDLE_INVALID_ARGUMENT; SADDLE_OUT_OF_MEMORY,
 * SADDLE_TOO_LARGE. */
saddle_status saddle__active_rows_create(saddle_context *context, const saddle_problem *problem,
                                         const saddle__active_request *request,
                                         saddle__active_rows **active);

/* Factors K of the active rows, with the values of a problem of the same pattern (copied).  in (m):
 * nonzero = active; NULL = all.  Rows that do not toggle are always active.  SADDLE_SINGULAR: a
 * pivot vanished without a replacement. */
saddle_status saddle__active_rows_factor(saddle__active_rows *active, const saddle_problem *problem,
                                         const saddle__active_values *values,
                                         const signed char *in);

/* Changes the active set.  Rows must toggle, and K be factored.  SADDLE_SINGULAR: as for factor, to
 * be called again. */
saddle_status saddle__active_rows_change(saddle__active_rows *active, int64_t count,
                                         const saddle__active_change *changes);

/* x (n + m): (f, b) in, (v, lambda) out; b_i of inactive rows is not read, and lambda_i is 0.  K
 * must be factored.  Refined against the values as given.  Where refinement stalls with a modified
 * factor, K is factored again, unless without effect before.  SADDLE_NOT_CONVERGED: the backward
 * error, in counts.error, stayed above the tolerance: x is the best found. */
saddle_status saddle__active_rows_solve(saddle__active_rows *active, double *x);

/* NULL and half-built objects are fine */
void saddle__active_rows_free(saddle__active_rows *active);

#endif
