/* SPDX-License-Identifier: MIT */
/* See whole_rows.h. */
#include "matrix/whole_rows.h"

#include <string.h>

void saddle__whole_rows_clear(saddle__whole_rows *r)
{
    saddle__layout_clear(r->context, &r->layout);
    memset(r, 0, sizeof(*r));
}

static int64_t count_beside(const saddle_matrix *A)
{
    int64_t count = 0;
    for (int64_t j = 0; j < A->cols && A->start; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) count += A->index[k] != j;
    return count;
}

static void place(saddle__whole_rows *r, int64_t entries)
{
    r->start = saddle__layout_take(&r->layout, r->n + 1, sizeof(*r->start));
    r->next = saddle__layout_take(&r->layout, r->n, sizeof(*r->next));
    r->column = saddle__layout_take(&r->layout, entries, sizeof(*r->column));
    r->value = saddle__layout_take(&r->layout, entries, sizeof(*r->value));
}

/* start and band */
static void count_entries(saddle__whole_rows *r, const saddle_matrix *A)
{
    for (int64_t j = 0; j < r->n && A->start; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            if (A->index[k] == j) continue;
            r->start[j + 1]++;
            r->start[A->index[k] + 1]++;
            if (A->index[k] - j > r->band) r->band = A->index[k] - j;
        }
    for (int64_t i = 0; i < r->n; i++) r->start[i + 1] += r->start[i];
}

saddle_status saddle__whole_rows_create(saddle_context *context, const saddle_matrix *A,
                                        saddle__whole_rows *r)
{
    saddle__whole_rows fresh = {.context = context, .n = A->cols};
    *r = fresh;
    if (r->n > INT32_MAX)
        return saddle_fail(context, SADDLE_TOO_LARGE, "%lld rows", (long long)r->n);
    int64_t entries = 2 * count_beside(A);
    place(r, entries);
    if (saddle__layout_allocate(context, &r->layout) != SADDLE_OK) return SADDLE_OUT_OF_MEMORY;
    place(r, entries);
    count_entries(r, A);
    saddle__whole_rows_set(r, A);
    return SADDLE_OK;
}

static void put(saddle__whole_rows *r, int64_t i, int64_t j, double value)
{
    int64_t k = r->next[i]++;
    r->column[k] = (int32_t)j;
    r->value[k] = value;
}

/* By columns of the lower triangle: row i has got what is before its diagonal when column i comes
 * with the rest. */
void saddle__whole_rows_set(saddle__whole_rows *r, const saddle_matrix *A)
{
    for (int64_t i = 0; i < r->n; i++) r->next[i] = r->start[i];
    for (int64_t j = 0; j < r->n && A->start; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            double value = A->value ? A->value[k] : 0.0;
            if (i == j) continue;
            put(r, j, i, value);
            put(r, i, j, value);
        }
}
