/* SPDX-License-Identifier: MIT */
/* Bases of a sparse W that is formed:
 *
 *     saddle__sparse_basis     W symmetric, no tangents: the engine factors W_FF, either alone or
 *                              with the other rows masked in W's pattern (ldlt/part.h)
 *     saddle__general_basis    W unsymmetric, or tangents that slide: L U with pivoting of
 *
 *         basic row i      A_ij = (W + E)_ij     j basic or sliding
 *         sliding row t    size_t lambda_t - sigma size_t lambda_n = 0,  n its normal row */
#ifndef SADDLE_MLCP_SPARSE_BASIS_H
#define SADDLE_MLCP_SPARSE_BASIS_H

#include "factor/factorization.h"
#include "ldlt/part.h"
#include "matrix/whole_rows.h"
#include "mlcp/basis.h"
#include "mlcp/rows.h"

typedef struct saddle__sparse_basis {
    saddle_context *context;
    int64_t m;
    saddle__whole_rows beside; /* W beside its diagonal */
    double *own;               /* m: W_ii */
    double *diagonal;          /* m: W_ii + E_ii */
    double *x;                 /* m */
    const double *size;        /* m: of the rows, borrowed */
    saddle__part *part;        /* W_FF */
    saddle__part_kept kept;    /* values since the last factorization */
    signed char *basic;        /* m: F of the factor at hand */
    int factored;
    int64_t made; /* factorizations since create */
} saddle__sparse_basis;

/* W: its pattern, every diagonal entry stored.  SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE. */
saddle_status saddle__sparse_basis_create(saddle_context *context, const saddle_matrix *W,
                                          const saddle_options *options,
                                          saddle__sparse_basis *basis);
/* New values of W; rows->size is borrowed.  shift: new values of rows->E alone. */
void saddle__sparse_basis_set(saddle__sparse_basis *basis, const saddle_matrix *W,
                              const saddle__mlcp_rows *rows);
void saddle__sparse_basis_shift(saddle__sparse_basis *basis, const saddle__mlcp_rows *rows);
/* Projected Gauss-Seidel from rows->lambda, `sweeps` times down and up.  rows: no tangents. */
void saddle__sparse_basis_sweep(const saddle__sparse_basis *basis, int sweeps,
                                saddle__mlcp_rows *rows);
saddle__basis saddle__sparse_basis_table(saddle__sparse_basis *basis);
void saddle__sparse_basis_clear(saddle__sparse_basis *basis); /* half-built is fine */

typedef struct saddle__general_basis {
    saddle_context *context;
    saddle_matrix W; /* general, both triangles, without E; (t, n) stored for each tangent t */
    saddle_matrix A; /* of the rows that are basic or slide */
    saddle__factorization *factors; /* of A */
    const char *method;             /* of factors */
    saddle_ordering ordering;
    const saddle__mlcp_rows *rows; /* borrowed */
    int64_t *number;               /* m: of a row in A, -1 = absent */
    int64_t *node;                 /* m: the rows of A */
    signed char *role;             /* m: of the factor at hand */
    double *x, *y;                 /* m */
    int64_t *next;                 /* m */
    int factored;
    int64_t made; /* factorizations since create */
} saddle__general_basis;

/* W: its pattern. */
saddle_status saddle__general_basis_create(saddle_context *context, const saddle_matrix *W,
                                           const saddle__mlcp_rows *rows,
                                           const saddle_options *options,
                                           saddle__general_basis *basis);
/* New values of W.  rows: borrowed. */
void saddle__general_basis_set(saddle__general_basis *basis, const saddle_matrix *W,
                               const saddle__mlcp_rows *rows);
/* New values of E or mu. */
void saddle__general_basis_shift(saddle__general_basis *basis);
saddle__basis saddle__general_basis_table(saddle__general_basis *basis);
void saddle__general_basis_clear(saddle__general_basis *basis); /* half-built is fine */

#endif
