/* SPDX-License-Identifier: MIT */
/* Ascending rows, no duplicates: what every matrix of the library has been brought to. */
#include <string.h>

#include "matrix/matrix_internal.h"

void saddle__cumulate(int64_t *counts, int64_t n)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t count = counts[i];
        counts[i] = sum;
        sum += count;
    }
    counts[n] = sum;
}

void saddle__matrix_move(saddle_matrix *from, saddle_matrix *to)
{
    *to = *from;
    memset(from, 0, sizeof *from);
}

saddle_status saddle__matrix_flip(saddle_context *context, const saddle_matrix *A, saddle_matrix *B)
{
    int64_t entries = saddle_matrix_entries(A);
    saddle_status status = saddle_matrix_create(context, A->cols, A->rows, entries, SADDLE_GENERAL,
                                                B);
    if (status != SADDLE_OK) return status;
    if (entries == 0) return SADDLE_OK;
    for (int64_t k = 0; k < entries; k++) B->start[A->index[k]]++;
    saddle__cumulate(B->start, B->cols);
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t p = B->start[A->index[k]]++; /* the fill position; moved back below */
            B->index[p] = j;
            B->value[p] = A->value[k];
        }
    memmove(B->start + 1, B->start, (size_t)B->cols * sizeof *B->start);
    B->start[0] = 0;
    return SADDLE_OK;
}

/* 0 = strictly ascending everywhere, 1 = duplicates only, 2 = out of order */
static int disorder(const saddle_matrix *A)
{
    int found = 0;
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j] + 1; k < A->start[j + 1]; k++) {
            if (A->index[k] < A->index[k - 1]) return 2;
            if (A->index[k] == A->index[k - 1]) found = 1;
        }
    return found;
}

static void sum_duplicates(saddle_matrix *A)
{
    int64_t p = 0;
    int64_t begin = 0;
    for (int64_t j = 0; j < A->cols; j++) {
        int64_t end = A->start[j + 1];
        int64_t first = p;
        for (int64_t k = begin; k < end; k++) {
            if (p > first && A->index[p - 1] == A->index[k]) {
                A->value[p - 1] += A->value[k];
            } else {
                A->index[p] = A->index[k];
                A->value[p] = A->value[k];
                p++;
            }
        }
        begin = end;
        A->start[j + 1] = p;
    }
}

saddle_status saddle__matrix_normalize(saddle_context *context, saddle_matrix *A)
{
    int state = A->start ? disorder(A) : 0;
    if (state == 2) {
        saddle_symmetry symmetry = A->symmetry;
        saddle_matrix flipped;
        saddle_matrix sorted;
        saddle_status status = saddle__matrix_flip(context, A, &flipped);
        if (status != SADDLE_OK) return status;
        status = saddle__matrix_flip(context, &flipped, &sorted);
        saddle_matrix_clear(&flipped);
        if (status != SADDLE_OK) return status;
        saddle_matrix_clear(A);
        saddle__matrix_move(&sorted, A);
        A->symmetry = symmetry;
    }
    if (state > 0) sum_duplicates(A);
    return SADDLE_OK;
}
