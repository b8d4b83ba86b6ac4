/* SPDX-License-Identifier: MIT */
/* The small table behind which sparse factorizations of a square matrix A are chosen by name.
 *
 *     analyse (pattern) -> factor (values) -> solve, as often as wanted
 *
 * "cholmod"  P A P' = L D L', simplicial, no pivoting: A symmetric; quasi-definite or regularized for stability
 * "umfpack"  P R A Q = L U with pivoting: any A
 */
#ifndef SADDLE_LIB_FACTORIZATION_H
#define SADDLE_LIB_FACTORIZATION_H

#include "saddle/options.h"
#include "saddle/report.h"

typedef struct saddle__factorization saddle__factorization;

typedef struct saddle__factor_counts {
    saddle_inertia inertia;     /* of A as factored                                          */
    int64_t perturbed_pivots;   /* pivots replaced because they vanished or had a wrong sign */
    int64_t entries;            /* nonzeros of L (and D), or of L + U                        */
    int64_t peak_bytes;         /* of the library behind                                     */
    int64_t failed_column;      /* where SADDLE_SINGULAR was met [zero-based]; -1 = nowhere  */
} saddle__factor_counts;

/* name: "cholmod" or "umfpack".  SADDLE_UNKNOWN_NAME, SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__factorization_create(saddle_context *context, const char *name, saddle_ordering ordering,
                                           saddle__factorization **factorization);

/* A: its pattern only.  SADDLE_UNSUPPORTED: a general A for a symmetric method. */
saddle_status saddle__factorization_analyse(saddle__factorization *F, const saddle_matrix *A);

/* A: the pattern analysed, new values.  sign: NULL, or +1 / -1 per row, the known sign of each pivot (quasi-definite A):
 * a pivot that vanishes against `smallest` (absolute) is replaced by sign * smallest and counted.
 * SADDLE_SINGULAR: a zero pivot that nothing replaced; counts.failed_column tells which. */
saddle_status saddle__factorization_factor(saddle__factorization *F, const saddle_matrix *A, const signed char *sign,
                                           double smallest);

/* x (n): b in, A^-1 b out. */
saddle_status saddle__factorization_solve(saddle__factorization *F, double *x);

/* A x = b for a b with `count` entries value[k] at index[k].  The result is valid until the next call: *x is dense (n), of
 * which only the entries *x_index[0 .. *x_count) may be read; the others are exactly zero in the solution.  The index set
 * depends on the patterns alone, not on values, and is not sorted. */
saddle_status saddle__factorization_solve_sparse(saddle__factorization *F, int64_t count, const int64_t *index,
                                                 const double *value, int64_t *x_count, const int64_t **x_index,
                                                 const double **x);

saddle__factor_counts saddle__factorization_counts(const saddle__factorization *F);

void saddle__factorization_free(saddle__factorization *F); /* NULL is fine */

/* T = A^-1 B for sparse B (n x k), by columns, T general n x k with sorted columns.  T empty (all-zero struct): it is made,
 * its pattern following from those of A and B alone; else its values are refreshed in place without allocating. */
saddle_status saddle__factorization_columns(saddle_context *context, saddle__factorization *F, const saddle_matrix *B,
                                            saddle_matrix *T);

#endif
