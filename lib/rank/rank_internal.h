/* SPDX-License-Identifier: MIT */
/* The steps of saddle_rank_find, each in the file of its name. */
#ifndef SADDLE_LIB_RANK_INTERNAL_H
#define SADDLE_LIB_RANK_INTERNAL_H

#include "rank/relations.h"
#include "rank/scaled.h"

/* parallel.c: open rows that are zero or multiples of an earlier one become SADDLE__ROW_PARALLEL,
 * each with its relation. */
saddle_status saddle__rank_parallel(saddle__scaled *scaled, saddle__relations *relations);

/* What an elimination of rows found. */
typedef struct saddle__found {
    saddle__relations relations;
    double work;       /* multiplications */
    double separation; /* of the independent ones */
    int finished;      /* 0: the limit came first */
    int counting;      /* asked for: relations without terms */
} saddle__found;

/* eliminate.c: the rows order[0 .. count), permuted as need be, until those that are left are
 * independent.  found: all-zero with a context in its relations; to be cleared in any case. */
saddle_status saddle__rank_eliminate(const saddle_matrix *Bt, double tolerance, int64_t count,
                                     int64_t *order, double work_limit, saddle__found *found);

/* eliminate.c: order[0 .. count), the columns of B' wanted, put so that eliminating them fills in
 * little (COLAMD: Davis, Gilbert, Larimore and Ng, ACM TOMS 30, 2004). */
saddle_status saddle__rank_order(saddle_context *context, const saddle_matrix *Bt, int64_t count,
                                 int64_t *order);

/* augmented.c: the same by the engine.  finished = 0 and no relation where it cannot tell. */
saddle_status saddle__rank_augmented(const saddle_matrix *Bt, double tolerance, int64_t count,
                                     const int64_t *order, saddle__found *found);

/* shorten.c: each relation gives way to a shorter one that uses a row some earlier relation names,
 * where there is one. */
saddle_status saddle__rank_shorten(const saddle_matrix *Bt, double tolerance,
                                   saddle__relations *relations);

/* in_order.c: the relations give way to as many that each name the last of their rows, by ascending
 * row; they stay as they are where rounding would be too much. */
saddle_status saddle__rank_put_in_order(const saddle_matrix *Bt, double tolerance,
                                        saddle__relations *relations);

/* consistency.c: the gaps of rank's dependencies, and which are more than rounding. */
saddle_status saddle__rank_judge(saddle_context *context, const saddle_problem *problem,
                                 double tolerance, saddle_rank *rank);

#endif
