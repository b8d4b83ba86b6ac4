/* SPDX-License-Identifier: MIT */
/* Principal submatrices of one sparse symmetric A, of rows F that come and go:
 *
 *     A_FF x_F = b_F,    x = 0 elsewhere
 *
 *     create (pattern of A) -> factor (values, F) -> solve, as often as wanted; the latter two
 *         allocate nothing
 *
 * They are factored in one of two ways:
 *
 *     whole   in A's pattern, analysed once, with scale_i on the diagonal, -scale_i where
 *         rule.sign_i is -1, and zeros
 *              beside it for rows that are not in F
 *     part   in the pattern of A_SS, analysed when S changes.  S holds F and what was in F not long
 *         before, masked alike, so
 *              that rows that come back need no new analysis; a few rows of F more border its
 *                  factor (border.h) and need
 *              none either.  Where rows come and go, and nothing else, what they reach alone is
 *                  factored again.
 *
 * A contact problem's rows that push leave a graph that is little more than a tree: A_FF then has a
 * factor a tenth the size of the masked one, and an order of its own, by minimum degree, is worth
 * finding whenever many rows come.  Minimum degree works on the graph as it is (minimum_degree.c),
 * and all that is made lies in one block of memory, asked for by create (base/arena.h); what does
 * not fit is factored whole, and so is an A of 2^30 entries or more.
 */
#ifndef SADDLE_LIB_PART_H
#define SADDLE_LIB_PART_H

#include "ldlt/ldlt.h"
#include "matrix/whole_rows.h"

typedef struct saddle__part saddle__part;

/* What is as it was in the last call, which saves time. */
typedef enum saddle__part_kept {
    SADDLE__PART_NOTHING = 0,
    SADDLE__PART_BESIDE = 1, /* beside, sign and the rule */
    SADDLE__PART_VALUES = 2  /* ... and the diagonal: rows come and go, and nothing else */
} saddle__part_kept;

/* A = sign (beside + diagonal), as who multiplies with A has it anyway.  All borrowed. */
typedef struct saddle__part_values {
    const saddle__whole_rows *beside; /* of A's pattern */
    const double *diagonal;           /* n */
    double sign;                      /* 1 or -1 */
    saddle__part_kept kept;           /* of beside, diagonal and rule */
} saddle__part_values;

typedef struct saddle__part_counts {
    int64_t factorizations;       /* numeric ones */
    int64_t parts;                /* of them of a part of A */
    int64_t analyses;             /* of parts, those that came to nothing among them */
    saddle__factor_counts factor; /* of the last; failed_column is A's; nothing but a least pivot of
                                     1 for an empty F */
} saddle__part_counts;

/* A: its pattern, the lower triangle with every diagonal entry.  *part: NULL on failure.  As
 * saddle__ldlt_analyse. */
saddle_status saddle__part_create(saddle_context *context, const saddle_matrix *A,
                                  const saddle__ldlt_request *request, saddle__part **part);

/* A: in the pattern of create; in (n): nonzero for the rows of F; rule: with scale, as for all of
 * A.  SADDLE_SINGULAR. */
saddle_status saddle__part_factor(saddle__part *part, const saddle__part_values *A,
                                  const signed char *in, const saddle__pivot_rule *rule);

/* x_F <- scale A_FF^-1 b_F; x stays as it is elsewhere.  in (n): F, as in saddle__part_factor; b, x
 * (n): may be one. 0: x_F would not be finite, and stays as well. */
int saddle__part_solve(saddle__part *part, const signed char *in, double scale, const double *b,
                       double *x);

saddle__part_counts saddle__part_counts_of(const saddle__part *part);

/* The factor of all of A: analysed by create and borrowed, and whether the last saddle__part_factor
 * left F's factor there. */
saddle__ldlt *saddle__part_whole(saddle__part *part);
int saddle__part_is_whole(const saddle__part *part);

/* What the last saddle__part_factor, which came to something, left beside the rows that border it;
 * NULL: F is empty, or nothing was factored.  It holds A_FF and masked rows.  Its node for a row,
 * where it is not NULL: -1 = it has none, and the row is not in F or borders the factor; rows that
 * have one may be masked. */
saddle__ldlt *saddle__part_at_hand(const saddle__part *part);
int64_t saddle__part_node(const saddle__part *part, int64_t row);

void saddle__part_free(saddle__part *part); /* NULL and half-built ones are fine */

#endif
