/* SPDX-License-Identifier: MIT */
/* The rows of a mixed linear complementarity problem and their laws:
 *
 *     w = (W + E) lambda + q,   lo <= lambda <= hi:
 *         w = 0 strictly between the bounds,  w >= 0 at lo,  w <= 0 at hi
 *
 * E = epsilon size >= 0, diagonal, belongs to a proximal step (mlcp.h).  The tangents of a contact
 * with the box law have bounds of friction: |lambda_t| <= mu lambda_n.
 *
 * A row is basic (between its bounds, w = 0) or at a bound.  A tangent at a bound of a closed
 * contact slides: lambda_t = state_t mu lambda_n. */
#ifndef SADDLE_MLCP_ROWS_H
#define SADDLE_MLCP_ROWS_H

#include <math.h>

#include "base/layout.h"
#include "base/vector.h"
#include "saddle/problem.h"

enum saddle__row_place { SADDLE__AT_LO = -1, SADDLE__BASIC = 0, SADDLE__AT_HI = 1 };

typedef struct saddle__mlcp_rows {
    saddle_context *context;
    saddle__layout layout;
    int64_t count;      /* rows of the complementarity problem */
    const int64_t *row; /* count: their numbers in the problem, borrowed; NULL: all, in order */
    double *lo, *hi;    /* count; of tangents 0, or the lagged bounds */
    double *q;          /* count */
    double *size;       /* count: natural size of W_ii, > 0 */
    double *step;       /* count: 1 / size; 0 for a row of zeros, never basic */
    double *every_step; /* of all rows of the problem; NULL: row = NULL */
    double *E;          /* count: epsilon size, 0 for rows of zeros */
    double epsilon;
    double *lambda;        /* count */
    const int64_t *normal; /* count: a tangent's normal row, an earlier row; -1: no tangent.
                              NULL: no row follows another */
    double *mu;            /* count: of tangents */
    int64_t *tangent_of;   /* count: as normal, for lagged friction too; NULL: no contacts */
    int lagged;            /* bounds of tangents follow the impulses of the step before */
} saddle__mlcp_rows;

/* row: borrowed.  lagged: friction by bounds from the step before.  SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__mlcp_rows_create(saddle_context *context, const saddle_problem *problem,
                                       int64_t count, const int64_t *row, int lagged,
                                       saddle__mlcp_rows *rows);
void saddle__mlcp_rows_clear(saddle__mlcp_rows *rows); /* half-built is fine */

/* bounded (m): 1 for rows with a finite bound and rows of contacts, else 0. */
void saddle__mlcp_find_bounded(const saddle_problem *problem, signed char *bounded);

/* Bounds and friction of the problem.  Returns 1 where friction differs from the last call. */
int saddle__mlcp_rows_read(saddle__mlcp_rows *rows, const saddle_problem *problem);

/* rows->size, step of the natural sizes of the problem's rows (m); step 0 for rows of zeros in J
 * and R. */
void saddle__mlcp_rows_measure(saddle__mlcp_rows *rows, const saddle_problem *problem,
                               const double *size);

/* rows->epsilon and E. */
void saddle__mlcp_set_epsilon(saddle__mlcp_rows *rows, double epsilon);

static inline int64_t saddle__mlcp_row(const saddle__mlcp_rows *rows, int64_t c)
{
    return rows->row ? rows->row[c] : c;
}

typedef struct saddle__interval {
    double lo, hi;
} saddle__interval;

/* Bounds of row i; a tangent's follow its normal impulse. */
static inline saddle__interval saddle__mlcp_bounds(const saddle__mlcp_rows *rows, int64_t i)
{
    int64_t n = rows->normal ? rows->normal[i] : -1;
    double reach = n < 0 ? 0.0 : rows->mu[i] * saddle__larger(rows->lambda[n], 0.0);
    saddle__interval bounds = {n < 0 ? rows->lo[i] : -reach, n < 0 ? rows->hi[i] : reach};
    return bounds;
}

/* Row i is a tangent at a bound, its contact being closed. */
static inline int saddle__slides(const int64_t *normal, const signed char *state, int64_t i)
{
    return normal && normal[i] >= 0 && state[i] != SADDLE__BASIC &&
           state[normal[i]] == SADDLE__BASIC;
}

#endif
