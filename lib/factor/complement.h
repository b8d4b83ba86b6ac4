/* SPDX-License-Identifier: MIT */
/* The Delassus operator of a problem, formed sparse:   W = J M^-1 J' + R   (m x m, symmetric)
 *
 * With P M P' = L D L' and Y = L^-1 P J':  W = Y' D^-1 Y + R, which is symmetric to the last bit and needs no column of
 * M^-1 J'.  Y's pattern is what J's rows reach in the elimination tree of M.  M = 0 x 0 (n = 0): W = R.
 * M symmetric and regular, R symmetric.
 */
#ifndef SADDLE_LIB_COMPLEMENT_H
#define SADDLE_LIB_COMPLEMENT_H

#include "factor/factorization.h"
#include "saddle/problem.h"

typedef struct saddle__complement {
    saddle_context *context;
    int64_t n, m;
    saddle__factorization *mass; /* of M, for the solves with it                                    */
    saddle_matrix W;             /* m x m, lower triangle, every diagonal entry stored              */

    saddle_matrix Y;             /* n x m: L^-1 P J'                                                */
    int64_t *row_start;          /* n + 1: Y by rows, each in ascending column:                     */
    int64_t *row_column;         /* ... the column                                                  */
    int64_t *row_entry;          /* ... and where it is in Y.value                                  */
    int64_t *cursor;             /* n: first entry of the row not left of the current column        */
    double *accumulator;         /* m: one column of W, zero between columns                        */
    double *mass_scale;          /* n: |M_jj|                                                       */
} saddle__complement;

/* The pattern of W.  complement: all-zero or cleared.  SADDLE_UNSUPPORTED: M or R not marked symmetric;
 * SADDLE_OUT_OF_MEMORY; SADDLE_SINGULAR: M has no entries. */
saddle_status saddle__complement_analyse(saddle_context *context, const saddle_problem *problem,
                                         saddle_ordering ordering, saddle__complement *complement);

/* Factors M and forms W.  Allocates nothing.  SADDLE_SINGULAR: M, the message names the velocity. */
saddle_status saddle__complement_form(saddle__complement *complement, const saddle_problem *problem);

/* d (m): W's diagonal. */
void saddle__complement_diagonal(const saddle__complement *complement, double *d);

void saddle__complement_clear(saddle__complement *complement); /* half-built ones are fine */

#endif
