/* SPDX-License-Identifier: MIT */
/* The Delassus operator over a mass matrix of small blocks, those of single bodies:
 *
 *     M = diag(M_1, M_2, ..),   M_b = L_b D_b L_b',     Z = L^-1 J',     W = Z'D^-1 Z + R
 *
 * Z is J' but for the fill within the blocks that a row touches: without an order, supernodes or
 * fronts, a tenth of the time of complement.h's general way for boxes and discs. */
#ifndef SADDLE_LIB_BLOCKS_H
#define SADDLE_LIB_BLOCKS_H

#include "ldlt/pivots.h"
#include "saddle/problem.h"

typedef struct saddle__blocks saddle__blocks;

/* The pattern of W: lower triangle, every diagonal entry stored; *flops: of one form.  *blocks =
 * NULL with SADDLE_OK: a block has more than six velocities, or M has none, or a zero on the
 * diagonal, for which pivots need an order.  problem: n > 0, M and R symmetric.
 * SADDLE_OUT_OF_MEMORY; SADDLE_TOO_LARGE: W has more than most_entries (0 = no limit). */
saddle_status saddle__blocks_analyse(saddle_context *context, const saddle_problem *problem,
                                     double most_entries, saddle__blocks **blocks, saddle_matrix *W,
                                     double *flops);

/* Factors M, of the pattern analysed, and forms W.  SADDLE_SINGULAR: a pivot of at most smallest *
 * scale, of counts->failed_column. */
saddle_status saddle__blocks_form(saddle__blocks *blocks, const saddle_problem *problem,
                                  const saddle__pivot_rule *rule, saddle__factor_counts *counts,
                                  saddle_matrix *W);

/* x (n): M^-1 x */
void saddle__blocks_solve(saddle__blocks *blocks, double *x);

void saddle__blocks_free(saddle__blocks *blocks); /* NULL and half-built objects are fine */

#endif
