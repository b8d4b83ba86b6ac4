/* SPDX-License-Identifier: MIT */
/* See unfolded.h. */
#include "factor/unfolded.h"

#include <string.h>

void saddle__unfolded_clear(saddle_context *context, saddle__unfolded *u)
{
    saddle_release(context, u->start);
    saddle_release(context, u->index);
    saddle_release(context, u->value);
    saddle_release(context, u->source);
    saddle__unfolded empty = {0};
    *u = empty;
}

static int mirrored(const saddle_matrix *A, int64_t k, int64_t j)
{
    return A->symmetry == SADDLE_SYMMETRIC && A->index[k] != j;
}

static void count_columns(const saddle_matrix *A, int64_t *start)
{
    for (int64_t j = 0; j < A->cols; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            start[j + 1]++;
            if (mirrored(A, k, j)) start[A->index[k] + 1]++;
        }
    }
    for (int64_t j = 0; j < A->cols; j++) start[j + 1] += start[j];
}

/* fill (cols): where the next entry of each column goes */
static void fill_columns(const saddle_matrix *A, saddle__unfolded *u, int64_t *fill)
{
    memcpy(fill, u->start, (size_t)A->cols * sizeof(*fill));
    for (int mirror = 1; mirror >= 0; mirror--) { /* what lies above the diagonal comes first in its
                                                     column */
        for (int64_t j = 0; j < A->cols; j++) {
            for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
                if (mirror && !mirrored(A, k, j)) continue;
                int64_t at = mirror ? fill[A->index[k]]++ : fill[j]++;
                u->index[at] = mirror ? j : A->index[k];
                u->source[at] = k;
            }
        }
    }
}

saddle_status saddle__unfolded_create(saddle_context *context, const saddle_matrix *A,
                                      saddle__unfolded *u)
{
    u->cols = A->cols;
    u->start = saddle_allocate(context, A->cols + 1, sizeof(*u->start));
    int64_t *fill = saddle_allocate(context, A->cols, sizeof(*fill));
    int made = u->start && fill;
    if (made && saddle_matrix_entries(A) > 0) count_columns(A, u->start);
    if (made) {
        u->entries = u->start[A->cols];
        u->index = saddle_allocate(context, u->entries, sizeof(*u->index));
        u->value = saddle_allocate(context, u->entries, sizeof(*u->value));
        u->source = saddle_allocate(context, u->entries, sizeof(*u->source));
        made = u->index && u->value && u->source;
    }
    if (made && u->entries > 0) fill_columns(A, u, fill);
    saddle_release(context, fill);
    return made ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

void saddle__unfolded_refresh(saddle__unfolded *u, const saddle_matrix *A)
{
    for (int64_t k = 0; k < u->entries; k++) u->value[k] = A->value[u->source[k]];
}
