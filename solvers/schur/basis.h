/* SPDX-License-Identifier: MIT */
/* The systems of the pivoting on a Delassus operator that is at hand as a matrix,
 *
 *     (W + E)_FF lambda_F = -q_F - W_FB lambda_B       F the basic rows, E > 0 diagonal and small
 *
 * held dense (Cholesky; single rows by update; L U where it is not definite) or sparse (the engine, with the rows
 * that are not basic masked in the fixed pattern).
 */
#ifndef SADDLE_SCHUR_BASIS_H
#define SADDLE_SCHUR_BASIS_H

#include "complementarity/block_pivoting.h"
#include "factor/factorization.h"

typedef struct saddle__dense_basis {
    saddle_context *context;
    int64_t m;
    double *W;       /* m x m, both triangles, E added                                                */
    double *L;       /* leading count x count of m x m: the factor                                    */
    double *root;    /* m: square roots of the natural sizes                                          */
    double *x;       /* m                                                                             */
    int64_t *member; /* count: the basic rows in the factor's order                                   */
    int64_t *held;   /* m: scratch, rows at bounds other than 0                                       */
    int64_t *place;  /* m: where a row is in member; -1 = it is not                                   */
    int *pivot;      /* m: of L U                                                                     */
    int64_t count;
    int method;      /* of the factor that is held                                                    */
    int64_t updates; /* since it was made anew                                                        */
    int64_t made;    /* factors made anew, since create                                               */
} saddle__dense_basis;

saddle_status saddle__dense_basis_create(saddle_context *context, int64_t m, saddle__dense_basis *basis);

/* W: symmetric, lower triangle; added (m): E; size (m): natural sizes > 0.  Allocates nothing. */
void saddle__dense_basis_set(saddle__dense_basis *basis, const saddle_matrix *W, const double *added,
                             const double *size);
/* The same with another E, W as it was set. */
void saddle__dense_basis_shift(saddle__dense_basis *basis, const saddle_matrix *W, const double *added);
saddle__basis saddle__dense_basis_table(saddle__dense_basis *basis);
void saddle__dense_basis_clear(saddle__dense_basis *basis); /* half-built ones are fine */

typedef struct saddle__sparse_basis {
    saddle_context *context;
    saddle_matrix W;                /* lower triangle, E added                       */
    saddle_matrix masked;           /* the same with the rows that are not basic out */
    saddle__factorization *factors; /* of masked                                     */
    double *size;                   /* m: natural sizes                              */
    signed char *basic;             /* m: of the factor that is held                 */
    double *x;                      /* m                                             */
    int factored;
    int64_t made;                   /* factors made, since create                    */
} saddle__sparse_basis;

/* W: its pattern, every diagonal entry stored. */
saddle_status saddle__sparse_basis_create(saddle_context *context, const saddle_matrix *W,
                                          const saddle_options *options, saddle__sparse_basis *basis);
void saddle__sparse_basis_set(saddle__sparse_basis *basis, const saddle_matrix *W, const double *added,
                              const double *size);
void saddle__sparse_basis_shift(saddle__sparse_basis *basis, const saddle_matrix *W, const double *added);
saddle__basis saddle__sparse_basis_table(saddle__sparse_basis *basis);
void saddle__sparse_basis_clear(saddle__sparse_basis *basis); /* half-built ones are fine */

#endif
