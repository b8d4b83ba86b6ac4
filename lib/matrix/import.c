/* SPDX-License-Identifier: MIT */
/* Matrices from triplets and from compressed columns with 64-bit or 32-bit indices, brought to
 * ascending rows without duplicates, and back to 32-bit indices. */
#include <string.h>

#include "base/context_internal.h"
#include "matrix/matrix_internal.h"

/* ---- ascending rows, no duplicates ---- */

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
        *A = sorted;
        A->symmetry = symmetry;
    }
    if (state > 0) sum_duplicates(A);
    return SADDLE_OK;
}

/* ---- triplets ---- */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static saddle_status index_out_of_range(saddle_context *context, int64_t k, int64_t i, int64_t j,
                                        int64_t rows, int64_t cols)
{
    return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                       "entry %lld: (%lld, %lld) is outside a %lld x %lld matrix",
                       saddle__ordinal(k), saddle__ordinal(i), saddle__ordinal(j), (long long)rows,
                       (long long)cols);
}

saddle_status saddle_matrix_from_triplets(saddle_context *context, int64_t rows, int64_t cols,
                                          int64_t count, const int64_t *row, const int64_t *col,
                                          const double *value, saddle_symmetry symmetry,
                                          saddle_matrix *A)
{
    if (A) *A = (saddle_matrix){0};
    SADDLE__RETURN_UNLESS(context,
                          A && (row || count <= 0) && (col || count <= 0) && (value || count <= 0),
                          "row, col, value or A is NULL");
    saddle_status status = saddle_matrix_create(context, rows, cols, count, symmetry, A);
    if (status != SADDLE_OK) return status;
    int lower = symmetry == SADDLE_SYMMETRIC;
    for (int64_t k = 0; k < count; k++) {
        if (row[k] < 0 || row[k] >= rows || col[k] < 0 || col[k] >= cols) {
            saddle_matrix_clear(A);
            return index_out_of_range(context, k, row[k], col[k], rows, cols);
        }
        A->start[lower ? least(row[k], col[k]) : col[k]]++;
    }
    saddle__cumulate(A->start, cols);
    for (int64_t k = 0; k < count; k++) {
        int64_t p = A->start[lower ? least(row[k], col[k]) : col[k]]++;
        A->index[p] = lower ? greatest(row[k], col[k]) : row[k];
        A->value[p] = value[k];
    }
    for (int64_t j = cols; j > 0; j--) A->start[j] = A->start[j - 1];
    A->start[0] = 0;
    status = saddle__matrix_normalize(context, A);
    if (status != SADDLE_OK) saddle_matrix_clear(A);
    return status;
}

/* ---- compressed columns, both index widths through an accessor ---- */

typedef struct index_array {
    const int64_t *wide;
    const int32_t *narrow;
} index_array;

static int64_t at(index_array array, int64_t k)
{
    return array.wide ? array.wide[k] : array.narrow[k];
}

static saddle_status check_start(saddle_context *context, int64_t cols, index_array start)
{
    if (cols > 0 && at(start, 0) != 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "start[0] is %lld, not 0",
                           (long long)at(start, 0));
    for (int64_t j = 0; j < cols; j++)
        if (at(start, j + 1) < at(start, j))
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "column %lld: start decreases",
                               (long long)(j + 1));
    return SADDLE_OK;
}

/* The upper triangle of a symmetric input is folded: entry (i, j), i < j, goes to column i. */
static saddle_status scatter(saddle_context *context, index_array start, index_array index,
                             const double *value, saddle_matrix *A)
{
    int lower = A->symmetry == SADDLE_SYMMETRIC;
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = at(start, j); k < at(start, j + 1); k++) {
            int64_t i = at(index, k);
            if (i < 0 || i >= A->rows)
                return index_out_of_range(context, k, i, j, A->rows, A->cols);
            A->start[lower ? least(i, j) : j]++;
        }
    saddle__cumulate(A->start, A->cols);
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = at(start, j); k < at(start, j + 1); k++) {
            int64_t i = at(index, k);
            int64_t p = A->start[lower ? least(i, j) : j]++;
            A->index[p] = lower ? greatest(i, j) : i;
            A->value[p] = value[k];
        }
    for (int64_t j = A->cols; j > 0; j--) A->start[j] = A->start[j - 1];
    A->start[0] = 0;
    return SADDLE_OK;
}

static saddle_status from_csc(saddle_context *context, int64_t rows, int64_t cols,
                              index_array start, index_array index, const double *value,
                              saddle_symmetry symmetry, saddle_matrix *A)
{
    if (!A)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "saddle_matrix_from_csc: A is NULL");
    *A = (saddle_matrix){0};
    int64_t entries = 0;
    if (start.wide || start.narrow) {
        if (cols < 0) return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "negative size");
        saddle_status status = check_start(context, cols, start);
        if (status != SADDLE_OK) return status;
        entries = at(start, cols);
    }
    if (entries > 0 && (!value || (!index.wide && !index.narrow)))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_matrix_from_csc: index or value is NULL");
    saddle_status status = saddle_matrix_create(context, rows, cols, entries, symmetry, A);
    if (status != SADDLE_OK) return status;
    if (entries > 0) status = scatter(context, start, index, value, A);
    if (status == SADDLE_OK) status = saddle__matrix_normalize(context, A);
    if (status != SADDLE_OK) saddle_matrix_clear(A);
    return status;
}

saddle_status saddle_matrix_from_csc(saddle_context *context, int64_t rows, int64_t cols,
                                     const int64_t *start, const int64_t *index,
                                     const double *value, saddle_symmetry symmetry,
                                     saddle_matrix *A)
{
    saddle_context_clear_message(context);
    index_array starts = {.wide = start};
    index_array indices = {.wide = index};
    return from_csc(context, rows, cols, starts, indices, value, symmetry, A);
}

saddle_status saddle_matrix_from_csc32(saddle_context *context, int32_t rows, int32_t cols,
                                       const int32_t *start, const int32_t *index,
                                       const double *value, saddle_symmetry symmetry,
                                       saddle_matrix *A)
{
    saddle_context_clear_message(context);
    index_array starts = {.narrow = start};
    index_array indices = {.narrow = index};
    return from_csc(context, rows, cols, starts, indices, value, symmetry, A);
}

saddle_status saddle_matrix_to_csc32(const saddle_matrix *A, int32_t *start, int32_t *index)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(A),
                          A && start && (index || saddle_matrix_entries(A) == 0),
                          "A, start or index is NULL");
    int64_t entries = saddle_matrix_entries(A);
    if (A->rows > INT32_MAX || A->cols >= INT32_MAX || entries > INT32_MAX)
        return saddle_fail(A->context, SADDLE_TOO_LARGE,
                           "%lld x %lld matrix with %lld entries does not fit 32-bit indices",
                           (long long)A->rows, (long long)A->cols, (long long)entries);
    for (int64_t j = 0; j <= A->cols; j++) start[j] = A->start ? (int32_t)A->start[j] : 0;
    for (int64_t k = 0; k < entries; k++) index[k] = (int32_t)A->index[k];
    return SADDLE_OK;
}
