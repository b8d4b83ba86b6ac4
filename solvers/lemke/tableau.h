/* SPDX-License-Identifier: MIT */
/* A dense tableau x_B = T x_N in place: a pivot exchanges one basic with one nonbasic variable and
 * changes T by one outer product and one new row and column.
 *
 *     T_rc = p:    T_ij - T_ic T_rj / p,    T_rj -> -T_rj / p,    T_ic -> T_ic / p,    p -> 1 / p
 *
 * Outer products wait in U V' until there are enough for one dgemm, since one at a time costs the
 * memory's speed; where the tableau fits in the cache they are taken in at once.  Kept true is
 * tableau = T - U V'.
 */
#ifndef SADDLE_LEMKE_TABLEAU_H
#define SADDLE_LEMKE_TABLEAU_H

#include "saddle/context.h"

typedef struct saddle__tableau {
    int64_t rows, cols;
    double *T;       /* rows x cols */
    double *U;       /* rows x waiting */
    double *V;       /* cols x waiting */
    double *line;    /* cols: the pivot's row */
    int64_t waiting; /* outer products in U and V */
} saddle__tableau;

saddle_status saddle__tableau_create(saddle_context *context, int64_t most_rows, int64_t most_cols,
                                     saddle__tableau *tableau);
/* half-built ones are fine */
void saddle__tableau_clear(saddle_context *context, saddle__tableau *tableau);

/* A new size within what it was made for; T is the caller's to fill. */
void saddle__tableau_begin(saddle__tableau *tableau, int64_t rows, int64_t cols);

/* column (rows) <- column c. */
void saddle__tableau_column(const saddle__tableau *tableau, int64_t c, double *column);

double saddle__tableau_entry(const saddle__tableau *tableau, int64_t r, int64_t c);

/* column c <- column (rows). */
void saddle__tableau_replace(saddle__tableau *tableau, int64_t c, const double *column);

/* Pivots on (r, c); column: column c, as saddle__tableau_column has it; overwritten. */
void saddle__tableau_pivot(saddle__tableau *tableau, int64_t r, int64_t c, double *column);

#endif
