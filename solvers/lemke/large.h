/* SPDX-License-Identifier: MIT */
/* lemke without anything dense: W sparse from the engine (factor/complement.h), the expansion A of
 * expansion.h sparse, the path on a revised table (revised.h).  The unknowns without bounds are not
 * eliminated but basic from the start, x_F with y_F = 0; where A_FF is singular, a small multiple
 * of the unit matrix makes it regular, which refinement takes out.
 *
 * Or with columns of W on demand (demand.h): then those of A are made when the revised table first
 * asks for them, in units known beforehand, d_k = sum of part^2 W_ii as far as that is known, and a
 * singular A_FF is given up. */
#ifndef SADDLE_LEMKE_LARGE_H
#define SADDLE_LEMKE_LARGE_H

#include "factor/unfolded.h"
#include "complementarity/demand.h"
#include "lemke/expansion.h"
#include "lemke/revised.h"

typedef struct saddle__large {
    int64_t m;
    saddle__unfolded W;                 /* m x m; or .. */
    saddle__on_demand *demand;          /* .. the caller's, its columns on demand; else NULL */
    const saddle__expansion *expansion; /* the caller's, with demand: that of build */
    saddle_matrix A;      /* size x size, general, scaled; its arrays have room for `entries`; with
                             demand start[0] is      where the next column goes, and the columns are
                             those of      begin and end */
    int64_t *begin, *end; /* size, with demand: -1 = not made */
    int64_t entries;
    double *row_unit;        /* size: A' = diag(row_unit) A diag(column_unit), powers of two */
    double *column_unit;     /* size */
    double unit;             /* x = unit column_unit x', y = unit y' / row_unit */
    double *sum;             /* size: scratch of a column .. */
    int64_t *mark, *touched; /* size */
    int64_t *acting_start;   /* m + 1: which unknowns act on each row .. */
    int64_t *acting_item;    /* 2 size: .. as 2 k + which of its parts */
    int64_t *group_of;       /* size: of a slack; of a normal the first; -1 = none */
    int64_t *slack_of;       /* size: of a direction; -1 = none */
    saddle__revised revised;
} saddle__large;

/* W: the pattern; NULL: columns of demand, whose room is known.  SADDLE_TOO_LARGE where A would be
 * beyond what an index can tell. */
saddle_status saddle__large_create(saddle_context *context, const saddle_problem *problem,
                                   const saddle_matrix *W, saddle__on_demand *demand,
                                   saddle__large *large);
/* half-built ones are fine */
void saddle__large_clear(saddle_context *context, saddle__large *large);

/* A and its units from W, whose values have been refreshed, and the expansion's unknowns; with
 * demand the units alone. */
void saddle__large_build(saddle__large *large, const saddle__expansion *expansion);

/* A's columns, for the path. */
saddle__revised_table saddle__large_table(saddle__large *large);

/* With demand: fetches what the columns of the unknowns inside need, all at once.  0: demand's
 * overrun or status. */
int saddle__large_fetch(saddle__large *large, const signed char *inside);

/* A_FF += epsilon of A's largest entry. */
void saddle__large_regularize(saddle__large *large, int64_t free);

#endif
