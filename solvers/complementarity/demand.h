/* SPDX-License-Identifier: MIT */
/* Columns of W = J M^-1 J' + R on demand, instead of all of it (dense_delassus.h):
 *
 *     W_(:, i) = J (M^-1 J_i') + R_(:, i)
 *
 * M is factored once; a column is solved for when its row first pushes or enters a basis, those
 * asked for together up to sixteen at a time, and is kept until the values change.  What a column
 * costs and what W costs is known from counts:
 *
 *     T_1 = 2 (30 s + 0.4 |L|) + 0.4 |J|
 *         [ns]  a column by itself: s supernodes, |L| entries of M's factor
 *     T_k = T_1 (1.5 + 0.1 k)                      1 < k <= 16 together
 *     T_W = flops / 60                  of the Schur complement over M's factor (ldlt/complement.h)
 *
 * A solve begins on demand where the rows that push at its start take less than half of T_W by
 * columns, and falls back on W when its columns would have taken all of it, so that no solve costs
 * more than twice the cheaper way.  An unsymmetric M has W by its columns in any case, m T_1: half
 * of them are the limit. */
#ifndef SADDLE_SOLVERS_DEMAND_H
#define SADDLE_SOLVERS_DEMAND_H

#include "factor/unfolded.h"
#include "complementarity/dense_delassus.h"

typedef struct saddle__on_demand {
    int64_t n, m;
    int64_t room;        /* columns at most; 0 = W is to be formed at once */
    double limit;        /* ns by the model, of columns; INFINITY = whatever they take */
    double each;         /* ns: T_1 */
    int64_t together;    /* columns of one solve: 16, of L U 1 */
    double spent;        /* ns */
    int64_t count;       /* columns that are there */
    int64_t *place;      /* m: of a row's column, -1 = not there */
    double *column;      /* m x room */
    double *diagonal;    /* m: W_ii where it is known; else no more than it is (W definite) */
    double *A;           /* room x room: the caller's, for systems of columns that are there */
    int64_t *asked;      /* m: rows, the caller's list for ask .. */
    signed char *listed; /* m: .. 1 = is on it */
    int64_t asking;      /* .. of so many */
    double *velocity;    /* n x together */
    saddle__unfolded R;
    saddle__dense_delassus *mass;  /* the caller's, factored */
    const saddle_problem *problem; /* of the call at hand */
    int overrun;                   /* more was asked for than the limit or the room allows */
    saddle_status status;          /* SADDLE_OK, or what a solve failed with */
} saddle__on_demand;

/* mass: analysed, stays where it is.  always: on demand whatever it costs.  room = 0 where W is
 * cheaper whatever enters. */
saddle_status saddle__on_demand_create(saddle_context *context, const saddle_problem *problem,
                                       saddle__dense_delassus *mass, int always,
                                       saddle__on_demand *demand);
/* half-built ones are fine */
void saddle__on_demand_clear(saddle_context *context, saddle__on_demand *demand);

/* After new values: all columns are forgotten. */
void saddle__on_demand_refresh(saddle__on_demand *demand, const saddle_problem *problem);

/* Whether `count` rows, all at once, are few enough to begin with. */
int saddle__on_demand_pays(const saddle__on_demand *demand, int64_t count);

/* Puts a row on the list, once. */
void saddle__on_demand_list(saddle__on_demand *demand, int64_t row);

/* The columns of the rows listed; the list is empty then.  0: overrun, or status. */
int saddle__on_demand_fetch(saddle__on_demand *demand);

static inline const double *saddle__on_demand_column(const saddle__on_demand *demand, int64_t row)
{
    return demand->column + demand->place[row] * demand->m;
}

#endif
