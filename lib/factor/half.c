/* SPDX-License-Identifier: MIT */
/* Y = L^-1 P B by columns for sparse B: column j's pattern is what B's entries reach going up the elimination tree
 * (Gilbert and Peierls, 1988, for a tree). */
#include <stdlib.h>

#include "factor/factorization_internal.h"

static int64_t column_start(const saddle_matrix *B, int64_t j)
{
    return B->start ? B->start[j] : 0;
}

/* positions that column j of B reaches: their number, and themselves where set is not NULL */
static int64_t reach(saddle__factorization *F, const saddle__elimination *e, const saddle_matrix *B, int64_t j,
                     int64_t *set)
{
    int64_t count = 0;
    F->stamp++;
    for (int64_t k = column_start(B, j); k < column_start(B, j + 1); k++) {
        for (int64_t i = e->position[B->index[k]]; i >= 0 && F->mark[i] != F->stamp; i = e->parent[i]) {
            F->mark[i] = F->stamp;
            if (set) set[count] = i;
            count++;
        }
    }
    return count;
}

static int ascending(const void *a, const void *b)
{
    int64_t i = *(const int64_t *)a;
    int64_t j = *(const int64_t *)b;
    return (i > j) - (i < j);
}

saddle_status saddle__factorization_half_pattern(saddle_context *context, saddle__factorization *F,
                                                 const saddle_matrix *B, saddle_matrix *Y)
{
    if (F->phase == SADDLE__CREATED || F->method != &saddle__factor_cholmod || B->rows != F->n)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "L^-1 P B: not analysed by 'cholmod', or sizes do not match");
    if (F->n == 0) return saddle_matrix_create(context, 0, B->cols, 0, SADDLE_GENERAL, Y);
    saddle__elimination e = saddle__cholmod_elimination(F);
    int64_t entries = 0;
    for (int64_t j = 0; j < B->cols; j++) {
        int64_t count = reach(F, &e, B, j, NULL);
        if (entries > INT64_MAX - count)
            return saddle_fail(context, SADDLE_TOO_LARGE, "L^-1 P B has more entries than 64 bits count");
        entries += count;
    }
    saddle_status status = saddle_matrix_create(context, F->n, B->cols, entries, SADDLE_GENERAL, Y);
    if (status != SADDLE_OK) return status;
    for (int64_t j = 0; j < B->cols; j++) {
        int64_t count = reach(F, &e, B, j, Y->index + Y->start[j]);
        Y->start[j + 1] = Y->start[j] + count;
        if (count > 1) qsort(Y->index + Y->start[j], (size_t)count, sizeof(*Y->index), ascending);
    }
    return SADDLE_OK;
}

saddle_status saddle__factorization_half_columns(saddle__factorization *F, const saddle_matrix *B, saddle_matrix *Y)
{
    if (F->phase != SADDLE__FACTORED || F->method != &saddle__factor_cholmod)
        return saddle_fail(F->context, SADDLE_WRONG_PHASE, "L^-1 P B: not factored by 'cholmod'");
    if (F->n == 0) return SADDLE_OK;
    saddle__elimination e = saddle__cholmod_elimination(F);
    for (int64_t j = 0; j < B->cols; j++) {
        for (int64_t k = column_start(B, j); k < column_start(B, j + 1); k++)
            e.work[e.position[B->index[k]]] += B->value[k];
        for (int64_t t = Y->start[j]; t < Y->start[j + 1]; t++) {
            int64_t i = Y->index[t];
            double y = e.work[i];
            e.work[i] = 0.0;
            Y->value[t] = y;
            for (int64_t p = e.start[i] + 1; p < e.start[i] + e.count[i]; p++) e.work[e.index[p]] -= e.value[p] * y;
        }
    }
    return SADDLE_OK;
}

const double *saddle__factorization_pivots(const saddle__factorization *F)
{
    return F->n > 0 && F->method == &saddle__factor_cholmod ? saddle__cholmod_elimination(F).pivot : NULL;
}
