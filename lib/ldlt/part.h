/* SPDX-License-Identifier: MIT */
/* Principal submatrices of a sparse symmetric A, for changing sets F of rows:
 *
 *     A_FF x_F = b_F,    x = 0 elsewhere
 *
 *     create (pattern of A) -> factor (values, F) -> solve, as often as wanted
 *
 * Factor and solve allocate nothing.  A_FF is factored in A's pattern or in a pattern of its own:
 *
 *     whole  in A's pattern, analysed once, masked: rows outside F have scale_i on the diagonal
 *            and zeros elsewhere
 *     part   in the pattern of A_SS, analysed when F has rows outside S.  S is F as analysed; rows
 *            that left F are masked alike
 *
 * The contacts that push leave a graph little more than a tree: A_FF then has a factor a tenth the
 * size of the masked factor, and a new order, by minimum degree, pays whenever many rows come.  The
 * part lies in one block of memory allocated by create.  Guarantee: the same
 * solution either way; a part that does not fit the block, or an A of 2^30 entries, is factored
 * whole. */
#ifndef SADDLE_LIB_PART_H
#define SADDLE_LIB_PART_H

#include "ldlt/ldlt.h"
#include "matrix/full_csr.h"

typedef struct saddle__part saddle__part;

/* A = beside + diagonal.  All borrowed. */
typedef struct saddle__part_values {
    const saddle__full_csr *beside; /* of A's pattern */
    const double *diagonal;         /* n */
} saddle__part_values;

typedef struct saddle__part_counts {
    int64_t factorizations;       /* numeric factorizations */
    int64_t parts;                /* factorizations of a part */
    int64_t analyses;             /* analyses of parts, failed attempts included */
    saddle__factor_counts factor; /* of the last; failed_column is A's; nothing but a least pivot of
                                     1 for an empty F */
} saddle__part_counts;

/* A: its pattern, the lower triangle with every diagonal entry.  *part: NULL on failure.  As
 * saddle__ldlt_analyse. */
saddle_status saddle__part_create(saddle_context *context, const saddle_matrix *A,
                                  const saddle__ldlt_request *request, saddle__part **part);

/* A: in the pattern of create; in (n): nonzero for the rows of F; rule: with scale, without sign,
 * as for all of A.  SADDLE_SINGULAR. */
saddle_status saddle__part_factor(saddle__part *part, const saddle__part_values *A,
                                  const signed char *in, const saddle__pivot_rule *rule);

/* x_F <- scale A_FF^-1 b_F; x is unchanged elsewhere.  in (n): F, as in saddle__part_factor; b, x
 * (n): may be the same array.  0: x_F would not be finite; x is unchanged. */
int saddle__part_solve(saddle__part *part, const signed char *in, double scale, const double *b,
                       double *x);

saddle__part_counts saddle__part_counts_of(const saddle__part *part);

void saddle__part_free(saddle__part *part); /* NULL and half-built objects are fine */

#endif
