/* SPDX-License-Identifier: MIT */
/* A dense basis for any W, symmetric or not, whose columns are requested when they are needed:
 *
 *     A x = r,   A = (W + E)_FF + W_FS sigma
 *         F the basic rows, S the tangents that slide, lambda_S = sigma lambda_n
 *
 * A is factored for a first set F: L U with row exchanges, or L L' where W is symmetric, nothing
 * slides and A is definite.  For sets that differ by a few rows the factor stays and the difference
 * is a border (Bisschop and Meeraus, Math. Programming 13, 1977; Gill, Murray, Saunders and Wright,
 * Linear Algebra Appl. 88/89, 1987):
 *
 *     [ A  B ] [x]   [r]
 *     [ C  D ] [y] = [s]
 *
 *     a row that leaves F    B: e_i, its equation may fail    C: lambda_i = sigma lambda_n, with
 *                                                                sigma = 0 unless it slides
 *     a row that enters F    B: column W_i                    C: w_i = 0
 *     sigma changes          B: column W_i                    C: y_i = (change of sigma) lambda_n
 *
 *     (D - C Z) y = s - C u,   u = A^-1 r,   Z = A^-1 B,   x = u - Z y
 *
 * A is factored anew when the border is full, or when the border no longer leaves w_F = 0
 * (pivoting.c checks). */
#ifndef SADDLE_MLCP_DENSE_BASIS_H
#define SADDLE_MLCP_DENSE_BASIS_H

#include "mlcp/basis.h"
#include "mlcp/panels.h"
#include "mlcp/rows.h"

/* Where W's columns come from. */
typedef struct saddle__columns {
    void *user;
    /* Makes the columns of the rows row[0 .. count) available.  A status that is not SADDLE_OK
     * ends the pivoting. */
    saddle_status (*prepare)(void *user, int64_t count, const int64_t *row);
    /* W_(:, row), m values, after prepare; later calls of prepare do not move them. */
    const double *(*column)(void *user, int64_t row);
    int symmetric; /* W is, but for rounding */
} saddle__columns;

enum { SADDLE__BORDER = 48 };

typedef struct saddle__dense_basis {
    saddle_context *context;
    int64_t m;
    saddle__columns W;
    const double *added;   /* m: E */
    const int64_t *normal; /* m: as in saddle__mlcp_rows */
    const double *mu;      /* m */
    double *LU;            /* count x count, leading dimension m */
    int definite;          /* it is L of L L', in the lower triangle */
    int *pivot;            /* count */
    int64_t count;         /* of F as it was factored; -1 = no factor */
    int64_t *member;       /* count: F */
    int64_t *place;        /* m: where a row is in member; -1 = it is not */
    double *folded;        /* m: sigma as it was factored */
    int64_t slots;         /* border columns that have been made */
    int64_t *slot;         /* m: a row's, -1 = none */
    int64_t *bordering;    /* slots: the row of each */
    double *Z;             /* m x slots */
    double *C;             /* m x slots: coefficients of w_i = 0 in x, for rows outside F */
    double *CZ;            /* slots x slots of SADDLE__BORDER */
    int64_t active;        /* of the slots: those that the present set needs */
    int64_t *used;         /* active: the slots */
    double *S;             /* active x active of SADDLE__BORDER: D - C Z, factored */
    int *S_pivot;          /* active */
    double *y;             /* SADDLE__BORDER */
    double *sigma;         /* m: of the present set */
    int64_t *list;         /* m: scratch */
    double *x;             /* m */
    double *modulus;       /* m: |q| + |W||lambda| */
    double *step;          /* m: of a correction */
    int64_t made;          /* factors made anew, since create */
    saddle__asked asked;   /* while a factor is made; the user's, nobody by create */
} saddle__dense_basis;

/* SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE. */
saddle_status saddle__dense_basis_create(saddle_context *context, int64_t m,
                                         saddle__dense_basis *basis);

/* New values of W, of E or of mu: the factor is forgotten.  rows: E, normal and mu are borrowed. */
void saddle__dense_basis_set(saddle__dense_basis *basis, const saddle__columns *W,
                             const saddle__mlcp_rows *rows);

/* enter: SADDLE_NOT_CONVERGED where A is singular; a status of prepare or asked. */
saddle__basis saddle__dense_basis_table(saddle__dense_basis *basis);

void saddle__dense_basis_clear(saddle__dense_basis *basis); /* half-built ones are fine */

#endif
