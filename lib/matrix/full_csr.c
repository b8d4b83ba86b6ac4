/* SPDX-License-Identifier: MIT */
/* See full_csr.h. */
#include "matrix/full_csr.h"

#include "base/context_internal.h"

#include <string.h>

saddle_status saddle__full_csr_create(saddle_context *context, const saddle_matrix *A,
                                      saddle__full_csr *r)
{
    *r = (saddle__full_csr){.n = A->cols};
    if (r->n > INT32_MAX)
        return saddle_fail(context, SADDLE_TOO_LARGE, "%lld rows", (long long)r->n);
    int64_t entries = 0;
    for (int64_t j = 0; j < A->cols && A->start; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) entries += 2 * (A->index[k] != j);
    const saddle__array arrays[] = {SADDLE__ARRAY(r->start, r->n + 1), SADDLE__ARRAY(r->next, r->n),
                                    SADDLE__ARRAY(r->column, entries),
                                    SADDLE__ARRAY(r->value, entries)};
    SADDLE__TRY(saddle__layout_make(context, &r->layout, arrays, SADDLE__LENGTH(arrays)));
    for (int64_t j = 0; j < r->n && A->start; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            if (A->index[k] == j) continue;
            r->start[j + 1]++;
            r->start[A->index[k] + 1]++;
        }
    for (int64_t i = 0; i < r->n; i++) r->start[i + 1] += r->start[i];
    saddle__full_csr_set(r, A);
    return SADDLE_OK;
}

/* By columns of the lower triangle: the entries of row i before the diagonal are placed when
 * column i adds the rest. */
void saddle__full_csr_set(saddle__full_csr *r, const saddle_matrix *A)
{
    for (int64_t i = 0; i < r->n; i++) r->next[i] = r->start[i];
    for (int64_t j = 0; j < r->n && A->start; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            double value = A->value ? A->value[k] : 0.0;
            if (i == j) continue;
            int64_t own = r->next[j]++, across = r->next[i]++;
            r->column[own] = (int32_t)i;
            r->column[across] = (int32_t)j;
            r->value[own] = r->value[across] = value;
        }
}

/* ---- compressed columns ---- */

static int mirrored(const saddle_matrix *A, int64_t k, int64_t j)
{
    return A->symmetry == SADDLE_SYMMETRY_LOWER && A->index[k] != j;
}

static void count_entries_of_columns(const saddle_matrix *A, int64_t *start)
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
    memcpy(fill, u->start, (size_t)A->cols * sizeof *fill);
    /* entries above the diagonal come first in a column */
    for (int mirror = A->symmetry == SADDLE_SYMMETRY_LOWER; mirror >= 0; mirror--) {
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
    u->start = saddle_allocate(context, A->cols + 1, sizeof *u->start);
    int64_t *fill = saddle_allocate(context, A->cols, sizeof *fill);
    int made = u->start && fill;
    if (made && saddle_matrix_entries(A) > 0) count_entries_of_columns(A, u->start);
    if (made) {
        u->entries = u->start[A->cols];
        u->index = saddle_allocate(context, u->entries, sizeof *u->index);
        u->value = saddle_allocate(context, u->entries, sizeof *u->value);
        u->source = saddle_allocate(context, u->entries, sizeof *u->source);
        made = u->index && u->value && u->source;
    }
    if (made && u->entries > 0) fill_columns(A, u, fill);
    saddle_release(context, fill);
    return made ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}
