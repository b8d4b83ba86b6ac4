/* SPDX-License-Identifier: MIT */
/* Counting sort of the entries by row; see rows.h.  Columns are visited in ascending order, so each
 * row comes out sorted. */
#include "gauss_seidel/rows.h"

#include <string.h>

static void count_entries(const saddle_matrix *A, int64_t *length)
{
    for (int64_t j = 0; j < A->cols; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            length[i]++;
            if (A->symmetry == SADDLE_SYMMETRIC && i != j) length[j]++;
        }
    }
}

static void place(saddle__rows *rows, int64_t *next, int64_t row, int64_t col, int64_t source)
{
    int64_t at = next[row]++;
    rows->index[at] = col;
    rows->source[at] = source;
}

/* Row i of a lower triangle: first its entries (i, j <= i), in column order, then the mirrored
 * column i below the diagonal. */
static void place_entries(const saddle_matrix *A, saddle__rows *rows, int64_t *next)
{
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            place(rows, next, A->index[k], j, k);
    for (int64_t j = 0; A->symmetry == SADDLE_SYMMETRIC && j < A->cols; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            if (A->index[k] != j) place(rows, next, j, A->index[k], k);
    }
}

saddle_status saddle__rows_make(saddle_context *context, const saddle_matrix *A, int64_t count,
                                saddle__rows *rows)
{
    int64_t entries = saddle_matrix_entries(A);
    if (entries > INT64_MAX / 2)
        return saddle_fail(context, SADDLE_TOO_LARGE, "rows of a matrix with %lld entries",
                           (long long)entries);
    int64_t *next = saddle_allocate(context, count + 1, sizeof *next);
    rows->start = saddle_allocate(context, count + 1, sizeof *rows->start);
    rows->index = saddle_allocate(context, 2 * entries + 1, sizeof *rows->index);
    rows->source = saddle_allocate(context, 2 * entries + 1, sizeof *rows->source);
    saddle_status status = SADDLE_OUT_OF_MEMORY;
    if (next && rows->start && rows->index && rows->source) {
        if (entries > 0) {
            count_entries(A, rows->start + 1);
            for (int64_t i = 0; i < count; i++) rows->start[i + 1] += rows->start[i];
            memcpy(next, rows->start, (size_t)count * sizeof *next);
            place_entries(A, rows, next);
        }
        status = SADDLE_OK;
    }
    saddle_release(context, next);

    return status;
}

void saddle__rows_clear(saddle_context *context, saddle__rows *rows)
{
    saddle_release(context, rows->start);
    saddle_release(context, rows->index);
    saddle_release(context, rows->source);
    memset(rows, 0, sizeof *rows);
}
