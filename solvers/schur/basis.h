/* SPDX-License-Identifier: MIT */
/* The systems of the pivoting on a Delassus operator that is at hand as a matrix,
 *
 *     (W + E)_FF lambda_F = -q_F - W_FB lambda_B       F the basic rows, E > 0 diagonal and small
 *
 * held
 *     symmetric, dense       Cholesky; single rows by update; L U where it is not definite
 *     symmetric, sparse
 *         the engine, on the basic rows alone or with the others masked (ldlt/part.h)
 *     general, dense         L U with borders (complementarity/lu_basis.h)
 *     general, sparse
 *         UMFPACK or KLU, on the rows that are basic or slide alone or with the others masked
 * General is a W that is not symmetric, and any W with friction.
 */
#ifndef SADDLE_SCHUR_BASIS_H
#define SADDLE_SCHUR_BASIS_H

#include "complementarity/local_pivoting.h"
#include "complementarity/lu_basis.h"
#include "factor/factorization.h"
#include "ldlt/part.h"
#include "matrix/whole_rows.h"

typedef struct saddle__dense_basis {
    saddle_context *context;
    int64_t m;
    double *W;       /* m x m, both triangles, E added */
    double *L;       /* leading count x count of m x m: the factor */
    double *root;    /* m: square roots of the natural sizes */
    double *x;       /* m */
    int64_t *member; /* count: the basic rows in the factor's order */
    int64_t *held;   /* m: scratch, rows at bounds other than 0 */
    int64_t *place;  /* m: where a row is in member; -1 = it is not */
    int *pivot;      /* m: of L U */
    int64_t count;
    int method;      /* of the factor that is held */
    int64_t updates; /* since it was made anew */
    int64_t made;    /* factors made anew, since create */
} saddle__dense_basis;

saddle_status saddle__dense_basis_create(saddle_context *context, int64_t m,
                                         saddle__dense_basis *basis);

/* W: symmetric, lower triangle; added (m): E; size (m): natural sizes > 0.  Allocates nothing. */
void saddle__dense_basis_set(saddle__dense_basis *basis, const saddle_matrix *W,
                             const double *added, const double *size);
/* The same with another E, W as it was set. */
void saddle__dense_basis_shift(saddle__dense_basis *basis, const saddle_matrix *W,
                               const double *added);
saddle__basis saddle__dense_basis_table(saddle__dense_basis *basis);
void saddle__dense_basis_clear(saddle__dense_basis *basis); /* half-built ones are fine */

/* W (m x m): the upper triangle from the lower one. */
void saddle__dense_mirror(int64_t m, double *W);

typedef struct saddle__sparse_basis {
    saddle_context *context;
    int64_t m;
    saddle__layout layout;     /* of the arrays */
    saddle__whole_rows beside; /* W beside its diagonal */
    double *diagonal;          /* m: of W, E added */
    double *own;               /* m: of W without it */
    saddle__part *part;        /* of W, the basic rows */
    saddle__part_kept kept;    /* since it was factored last */
    const double *size;        /* m: natural sizes, borrowed */
    signed char *basic;        /* m: of the factor that is held */
    double *x;                 /* m */
    int factored;
    int64_t made; /* factors made, since create */
    saddle__local_pivoting local;
    saddle__local_system system; /* for it */
} saddle__sparse_basis;

/* W: its pattern, every diagonal entry stored. */
saddle_status saddle__sparse_basis_create(saddle_context *context, const saddle_matrix *W,
                                          const saddle_options *options,
                                          saddle__sparse_basis *basis);
/* size: borrowed from then on. */
void saddle__sparse_basis_set(saddle__sparse_basis *basis, const saddle_matrix *W,
                              const double *added, const double *size);
/* W as it was set */
void saddle__sparse_basis_shift(saddle__sparse_basis *basis, const double *added);
saddle__basis saddle__sparse_basis_table(saddle__sparse_basis *basis);
void saddle__sparse_basis_clear(saddle__sparse_basis *basis); /* half-built ones are fine */

typedef struct saddle__dense_lu {
    saddle_context *context;
    int64_t m;
    double *W;             /* m x m, both triangles */
    const double *columns; /* W, or the values of a general matrix that has all entries */
    int is_full;           /* it has, and W is not there */
    saddle__lu_basis lu;
} saddle__dense_lu;

/* What W is made of, for the general ones: borrowed. */
typedef struct saddle__operator_view {
    const saddle_matrix *W; /* symmetric (lower triangle) or general, every diagonal entry stored */
    const double *added;    /* m: E */
    const double *size;     /* m: natural sizes > 0 */
    const int64_t *normal;  /* m: as in saddle__bounded_rows; NULL = no friction */
    const double *mu;       /* m */
} saddle__operator_view;

/* W: its pattern. */
saddle_status saddle__dense_lu_create(saddle_context *context, const saddle_matrix *W,
                                      saddle__dense_lu *basis);
/* view->W must stay as long as the basis is used. */
void saddle__dense_lu_set(saddle__dense_lu *basis, const saddle__operator_view *view);
/* E or mu have changed */
void saddle__dense_lu_shift(saddle__dense_lu *basis, const saddle__operator_view *view);
void saddle__dense_lu_clear(saddle__dense_lu *basis);

/* The masked system keeps a sliding tangent as an unknown, lambda_t - sigma lambda_n = 0. */
typedef struct saddle__sparse_lu {
    saddle_context *context;
    saddle_matrix W; /* general, E added; W_tn stored wherever t is a tangent of n */
    saddle_matrix masked;
    saddle__factorization *factors; /* of masked */
    saddle_matrix part;             /* of masked, the rows that are basic or slide */
    saddle__factorization *own;     /* of part */
    const char *method, *wanted;    /* of own: the present one, the next one's */
    saddle_ordering ordering;
    int is_own;      /* it holds the factor */
    int64_t *number; /* m: in part, -1 = not there */
    int64_t *node;   /* m: the rows in part */
    saddle__operator_view view;
    signed char *role; /* m: of the factor that is held */
    double *x;         /* m */
    double *y;         /* m */
    int64_t *next;     /* m */
    int factored;
    int64_t made; /* factors made, since create */
} saddle__sparse_lu;

/* view: W's pattern and normal are read. */
saddle_status saddle__sparse_lu_create(saddle_context *context, const saddle__operator_view *view,
                                       const saddle_options *options, saddle__sparse_lu *basis);
void saddle__sparse_lu_set(saddle__sparse_lu *basis, const saddle__operator_view *view);
void saddle__sparse_lu_shift(saddle__sparse_lu *basis, const saddle__operator_view *view);
saddle__basis saddle__sparse_lu_table(saddle__sparse_lu *basis);
void saddle__sparse_lu_clear(saddle__sparse_lu *basis);

/* ---- one of them ---- */

typedef enum saddle__basis_kind {
    SADDLE__BASIS_DENSE,
    SADDLE__BASIS_SPARSE,
    SADDLE__BASIS_DENSE_LU,
    SADDLE__BASIS_SPARSE_LU
} saddle__basis_kind;

typedef struct saddle__schur_basis {
    saddle__basis_kind kind;
    saddle__dense_basis dense;
    saddle__sparse_basis sparse;
    saddle__dense_lu dense_lu;
    saddle__sparse_lu sparse_lu;
} saddle__schur_basis;

/* By size, share of entries, symmetry and friction. */
saddle_status saddle__schur_basis_create(saddle_context *context, const saddle__operator_view *view,
                                         const saddle_options *options, saddle__schur_basis *basis);

/* New values of W; or E or mu alone have changed.  Allocate nothing. */
void saddle__schur_basis_set(saddle__schur_basis *basis, const saddle__operator_view *view);
void saddle__schur_basis_shift(saddle__schur_basis *basis, const saddle__operator_view *view);

/* The sparse one, which has W by whole rows; NULL: another serves. */
const saddle__sparse_basis *saddle__schur_basis_sparse(const saddle__schur_basis *basis);

saddle__basis saddle__schur_basis_table(saddle__schur_basis *basis);
int64_t saddle__schur_basis_made(const saddle__schur_basis *basis); /* factors, since create */
void saddle__schur_basis_clear(saddle__schur_basis *basis);         /* half-built ones are fine */

#endif
