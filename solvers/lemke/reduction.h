/* SPDX-License-Identifier: MIT */
/* The free unknowns first: A in units of its own, the unknowns without bounds eliminated,
 *
 *     [ A_FF  A_FC ] [ x_F ]   [ c_F ]   [ 0   ]         B = A_CC - A_CF A_FF^-1 A_FC
 *     [ A_CF  A_CC ] [ x_C ] + [ c_C ] = [ y_C ]         q = c_C - A_CF A_FF^-1 c_F
 *
 * What pivoting, complete where it has to be, cannot eliminate of a singular A_FF stays: each such
 * unknown becomes two of one sign, x = x' - x'' with x', x'' >= 0, and its equation two
 * inequalities, y >= 0 and -y >= 0.  Which of the two goes with x' is free, as the sign of an
 * equation is: that one which makes B monotone rather than not, B_kj B_jk < 0 on the whole.  B need
 * be monotone only where these equations hold; multiples of them are added to the others, B_C -=
 * rho b_Ck b_k', to make it so elsewhere.
 */
#ifndef SADDLE_LEMKE_REDUCTION_H
#define SADDLE_LEMKE_REDUCTION_H

#include "lemke/expansion.h"

typedef struct saddle__reduction {
    int64_t size;        /* of A */
    int64_t rank;        /* of A_FF: so many are eliminated */
    int64_t left;        /* unknowns of the path: bounded ones, and two for each singular one */
    double *A;           /* size x size: scaled; then eliminated; then the basis' factors */
    int intact;          /* A is scaled and no more */
    double *c;           /* size */
    double *row_unit;    /* size: A' = diag(row_unit) A diag(column_unit), powers of two */
    double *column_unit; /* size */
    double unit;         /* x = unit column_unit x', y = unit y' / row_unit */
    double *most;        /* size: scratch */
    int64_t *row, *col;  /* size: what A's rows and columns were before the elimination */
    int64_t *place;      /* left: where each unknown of the path stands in them */
    signed char *sign;   /* left: of the unknown .. */
    signed char *turn;   /* left: .. and of its equation */
    double *rho;         /* size, by place: so much of a singular unknown's equation was added */
    int *exchange;       /* size: LAPACK's */
} saddle__reduction;

/* most_left: room for the unknowns of the path. */
saddle_status saddle__reduction_create(saddle_context *context, int64_t capacity, int64_t most_left,
                                       saddle__reduction *reduction);
/* half-built ones are fine */
void saddle__reduction_clear(saddle_context *context, saddle__reduction *reduction);

/* The power of two next to 1 / sqrt(most); 1 for an empty row. */
double saddle__reduction_shrink(double most);

/* A from W (m x m), and its units. */
void saddle__reduction_scale(saddle__reduction *reduction, const saddle__expansion *expansion,
                             const double *W, int64_t m);

/* A in its units from W anew. */
void saddle__reduction_restore(saddle__reduction *reduction, const saddle__expansion *expansion,
                               const double *W, int64_t m);

/* Eliminates the free unknowns from A and c, c (size) being y at x = 0 in the expansion's units.
 * Singular unknowns for which there is no room in most_left stay out, x = 0. */
void saddle__reduction_eliminate(saddle__reduction *reduction, const saddle__expansion *expansion,
                                 const double *W, int64_t m, const double *c, int64_t most_left);

/* B (left x left), q, lo, hi of the path. */
void saddle__reduction_hand_over(const saddle__reduction *reduction,
                                 const saddle__expansion *expansion, double *B, double *q,
                                 double *lo, double *hi);

#endif
