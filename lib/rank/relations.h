/* SPDX-License-Identifier: MIT */
/* A growing list of dependencies between the columns of B':   B_row = sum_k factor_k B_other_k */
#ifndef SADDLE_LIB_RANK_RELATIONS_H
#define SADDLE_LIB_RANK_RELATIONS_H

#include "saddle/matrix.h"

typedef struct saddle__relations {
    saddle_context *context;
    int64_t count, capacity;
    int64_t *row;     /* count */
    int64_t *start;   /* count + 1: of other and factor; NULL while there is none */
    double *residual; /* count: as saddle__relation_residual */
    int64_t entry_capacity;
    int64_t *other;
    double *factor;
} saddle__relations;

/* One more relation of `count` terms. */
saddle_status saddle__relations_add(saddle__relations *relations, int64_t row, int64_t count,
                                    const int64_t *other, const double *factor, double residual);

/* |B_row - sum_k factor_k B_other_k| / (|B_row| + sum_k |factor_k| |B_other_k|), 0 for zero rows,
 * INFINITY where a factor is not finite.  x (B'->rows): zero on entry and on return. */
double saddle__relation_residual(const saddle_matrix *Bt, int64_t row, int64_t count,
                                 const int64_t *other, const double *factor, double *x);

void saddle__relations_clear(saddle__relations *relations);

#endif
