/* SPDX-License-Identifier: MIT */
/* Unilateral rows on sparse systems, by our solvers that support the rows, beside the times of the
 * engine's own factorization and solves:
 *
 *     fem-441, fem-3000   a hexahedral block of 27,783 velocities falls with the 441 nodes of a
 *                         face on stops, or with 3,000 drawn nodes; about half of the stops push.
 *                         Bar: 3 factorizations, and 1.5 solves for each row that pushes at the end
 *     fem-few             fem-3000 with all stops but fifty far below: favours lazily computed
 *                         columns of W.  The same bar
 *     discs               a heap of 2,500 to 20,000 discs in a box, in three times as many contacts
 *                         without friction, some of them redundant.  Bar: the time per row falls or
 *                         stays flat as the size doubles
 */
#ifndef SADDLE_BENCH_COMPLEMENTARITY_SPARSE_H
#define SADDLE_BENCH_COMPLEMENTARITY_SPARSE_H

#include "complementarity/measure.h"

typedef enum sparse_case {
    SPARSE_FEM_441,
    SPARSE_FEM_3000,
    SPARSE_FEM_FEW,
    SPARSE_DISCS,
    SPARSE_CASES
} sparse_case;

extern const char *const sparse_word[SPARSE_CASES];

/* The block of cells^3 elements on `rows` stops, and a heap of columns x courses discs, its masses
 * and gaps drawn from seed; each to be cleared. */
saddle_status sparse_make_block(saddle_context *context, int64_t cells, int64_t rows,
                                saddle_problem *problem);
saddle_status sparse_make_heap(saddle_context *context, int64_t columns, int64_t courses,
                               uint64_t seed, saddle_problem *problem);

/* All but `left` of the block's stops are out of reach. */
void sparse_lower_stops(int64_t left, saddle_problem *problem);

/* Nonzero: an unexpected failure. */
int sparse_print(saddle_context *context, const bench_options *options, sparse_case which);

#endif
