/* SPDX-License-Identifier: MIT */
/* The object behind active_rows.h.  Nodes are unknowns in the problem's order, velocity j or n +
 * row i; positions are in the order of elimination. */
#ifndef SADDLE_LIB_ACTIVE_INTERNAL_H
#define SADDLE_LIB_ACTIVE_INTERNAL_H

#include "active/active_rows.h"
#include "base/layout.h"
#include "ldlt/ldlt_internal.h"
#include "matrix/twofold.h"
#include "problem/kkt.h"

struct saddle__active_rows {
    saddle_context *context;
    saddle__active_method method;
    double tolerance;
    int64_t n, m, size; /* size = n + m */
    int factored;
    int fresh; /* nothing changed since the last factorization */

    signed char *toggles; /* m */
    signed char *in;      /* m: active */
    signed char *base;    /* m: in K as factored */
    signed char *before;  /* m: active before the changes at hand */
    signed char *leaves;  /* m: rows that may be removed where the system is singular */

    saddle__kkt kkt;    /* of all candidates, as given */
    double *masked;     /* its entries as factored */
    int64_t *row_start; /* m + 1 */
    int64_t *row_node;  /* entries of K in row n + i without the diagonal: the column's node */
    int64_t *row_entry; /* ... and the entry of K */
    double *added;      /* size */
    double *scale;      /* size */
    signed char *sign;  /* size */
    saddle__pivot_rule rule;
    int regularized; /* something was added at all */
    int massless;    /* mass was added to a velocity, which may be held by rows only */

    saddle__ldlt *F;
    double reached; /* worst backward error of a fresh factor with the current values */
    double doubt;   /* estimated relative error of F due to modifications */

    int64_t *reach; /* supernodes: of the last walk */
    int64_t reach_count;
    int64_t *path; /* supernodes */
    int64_t *mark; /* supernodes: marked with stamp in this walk */
    int64_t stamp;
    double *x;      /* size: by position, zero between calls */
    double *front;  /* most rows of a front */
    double *column; /* the same */

    double *rhs;          /* 2 size: a right-hand side, and a solution */
    double *correction;   /* size */
    double *modulus;      /* size */
    saddle__twofold *sum; /* size: residuals in twice the working precision */
    double *best;         /* size */
    double *norm;         /* size: sum_j |K_ij| d_j */
    double *unit;         /* size: d = scale^-1/2 */

    saddle__active_counts counts;
    saddle__layout layout;
};

#endif
