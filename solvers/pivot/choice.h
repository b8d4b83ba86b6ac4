/* SPDX-License-Identifier: MIT */
/* Which basis: rows in the sparse factor (sparse_rows.h), or columns of the Delassus operator
 * (column_rows.h).
 *
 * With k = half of the c rows with bounds expected to enter in s = 6 blocks, 4 of which are large
 * enough to factor a dense basis anew, all of them worth 2.5 factorizations of K (2.1 to 3.2 with
 * 100 to 3,000 rows on a hexahedral block), T_F and T_S a factorization of and a solve with K as
 * the engine's model of cost foresees them, t and t' the times of a dense flop and of a term of a
 * product:
 *
 *     factor     2.5 T_F + 2 s T_S
 *     columns    T_F + l T_S + 4 (2/3 k^3) t + s (2 k c) t'          n = 0: without the first two
 *
 * where l = 0.84 g + 0.16 k: the k columns are solved for in g groups of sixteen at most, in which
 * each but the first costs a sixth of a solve by itself.  Columns are taken where they take clearly
 * less (0.7).
 *
 * Contacts, unless friction lags, and unsymmetric matrices leave columns only; velocities without
 * mass, and more rows than a dense basis should have, the factor. */
#ifndef SADDLE_PIVOT_CHOICE_H
#define SADDLE_PIVOT_CHOICE_H

#include "complementarity/small.h"

/* How pivot keeps the rows between their bounds.  X(name, word) */
#define SADDLE_BASIS_LIST(X)                                                                  \
    X(SADDLE_BASIS_BEST, "best")       /* the cheaper of the two by a model of cost */        \
    X(SADDLE_BASIS_FACTOR, "factor")   /* in the sparse factor of the KKT matrix: M and R     \
                                          symmetric, no contacts unless lagged_friction */    \
    X(SADDLE_BASIS_COLUMNS, "columns") /* dense, on the columns of the Delassus operator that \
                                          rows in the basis ever needed */

typedef enum saddle_basis {
#define SADDLE_BASIS_ENUM(name, word) name,
    SADDLE_BASIS_LIST(SADDLE_BASIS_ENUM)
#undef SADDLE_BASIS_ENUM
} saddle_basis;

enum {
    SADDLE__MOST_COLUMNS = 6000,
    SADDLE__SMALL = 150 /* unknowns up to which columns are taken unseen */
};

/* Some M_jj is not stored or 0. */
int saddle__basis_massless(const saddle_problem *problem);

/* What is clear without an analysis; SADDLE_BASIS_BEST: the times have to be compared.
 * SADDLE_UNSUPPORTED: what was asked for cannot be. */
saddle_status saddle__basis_choose(saddle_context *context, const saddle_problem *problem,
                                   const saddle__pivoting_settings *settings, saddle_basis *basis);

/* From T_F and T_S [ns]. */
saddle_basis saddle__basis_compare(const saddle_problem *problem, double factor_time,
                                   double solve_time);

#endif
