/* SPDX-License-Identifier: MIT */
/* The steps of saddle_rank_find.  The rows under examination in natural units are
 *
 *     B = D_r^-1 [J D_v   R D_c]     D_v  the velocities' units, |M_jj|^-1/2
 *                                    D_r  the rows' lengths: the part of J in each row of B has
 *                                         length 1 (|R_ii|^1/2 for a row without such a part)
 *                                    D_c  scales the largest entry of each column of R to 1: no
 *                                         compliance is small
 *
 * stored by rows: column k of Bt is row row[k] of the problem.  Exact zeros are left out.
 */
#ifndef SADDLE_LIB_RANK_INTERNAL_H
#define SADDLE_LIB_RANK_INTERNAL_H

#include "base/context_internal.h"
#include "saddle/rank.h"

/* ---- rank.c ---- */

/* A growing list of dependencies between the columns of Bt:   B_row = sum_k factor_k B_other_k */
typedef struct saddle__relations {
    saddle_context *context;
    int64_t count;
    int64_t *row;   /* count */
    int64_t *start; /* count + 1: of the terms; NULL while the list is empty */
    int64_t *other;
    double *factor;
    double *residual; /* count: |B_row - sum_k factor_k B_other_k| over the sum of the terms'
                         lengths */
    int64_t capacity, entry_capacity;
} saddle__relations;

/* Appends a copy.  SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__relations_add(saddle__relations *relations, int64_t row, int64_t count,
                                    const int64_t *other, const double *factor, double residual);

/* ---- eliminate.c ---- */

typedef struct saddle__elimination {
    saddle__relations relations;
    double work;       /* multiplications */
    double separation; /* least singular value of the independent rows, from above */
    int finished;      /* 0: the work limit was reached */
    int counting;      /* input: relations without terms */
} saddle__elimination;

enum { SADDLE__INVERSE_ITERATIONS = 4 }; /* for the separation */

/* The relations of all rows.  own_order: 1 = in the rows' own order, as far as a limit of the work
 * allows.  found: all-zero with a context in the relations; cleared by the caller in any case. */
saddle_status saddle__rank_eliminate(const saddle_matrix *Bt, double tolerance, int own_order,
                                     saddle__elimination *found);

/* ---- least_squares.c ---- */

/* Relations by the factors of a symmetric system, for the columns of A; column t is row[t] of B.
 * Relations found before are kept.  Not finished: a work limit was reached, or a relation or the
 * rank is in doubt. */
saddle_status saddle__rank_least_squares(const saddle_matrix *A, double tolerance,
                                         const int64_t *row, double work_limit,
                                         saddle__elimination *found);

#endif
