/* SPDX-License-Identifier: MIT */
/* Transpose, permute, both triangles from one and one from both. */
#include "matrix/matrix_internal.h"

saddle_status saddle_matrix_transpose(saddle_context *context, const saddle_matrix *A,
                                      saddle_matrix *B)
{
    saddle_context_clear_message(context);
    if (B) *B = (saddle_matrix){0};
    if (!A || !B)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_matrix_transpose: A or B is NULL");
    if (A->symmetry != SADDLE_GENERAL) return saddle_matrix_copy(context, A, B);
    return saddle__matrix_flip(context, A, B);
}

/* inverse[p[i]] = i; a p that is NULL is the identity. */
static saddle_status invert(saddle_context *context, const int64_t *p, int64_t n, const char *which,
                            int64_t *inverse)
{
    for (int64_t i = 0; i < n; i++) inverse[i] = p ? -1 : i;
    if (!p) return SADDLE_OK;
    for (int64_t i = 0; i < n; i++) {
        if (p[i] < 0 || p[i] >= n || inverse[p[i]] >= 0)
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "%s is not a permutation: %s[%lld] is %lld", which, which,
                               (long long)i, (long long)p[i]);
        inverse[p[i]] = i;
    }
    return SADDLE_OK;
}

static int same_permutation(const int64_t *p, const int64_t *q, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if ((p ? p[i] : i) != q[i]) return 0;
    return 1;
}

static saddle_status gather(saddle_context *context, const saddle_matrix *A, const int64_t *row_to,
                            const int64_t *col_to, saddle_matrix *B)
{
    int64_t entries = saddle_matrix_entries(A);
    int64_t *row = saddle_allocate(context, entries, sizeof *row);
    int64_t *col = saddle_allocate(context, entries, sizeof *col);
    saddle_status status = row && col ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) {
        for (int64_t j = 0; entries > 0 && j < A->cols; j++)
            for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
                row[k] = row_to[A->index[k]];
                col[k] = col_to[j];
            }
        status = saddle_matrix_from_triplets(context, A->rows, A->cols, entries, row, col, A->value,
                                             A->symmetry, B);
    }
    saddle_release(context, row);
    saddle_release(context, col);
    return status;
}

saddle_status saddle_matrix_permute(saddle_context *context, const saddle_matrix *A,
                                    const int64_t *p, const int64_t *q, saddle_matrix *B)
{
    saddle_context_clear_message(context);
    if (B) *B = (saddle_matrix){0};
    if (!A || !B)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_matrix_permute: A or B is NULL");
    if (A->symmetry != SADDLE_GENERAL) {
        if (!q) q = p;
        if (q != p && !same_permutation(p, q, A->rows))
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "a symmetric matrix is permuted by one permutation on both sides");
    }
    int64_t *row_to = saddle_allocate(context, A->rows, sizeof *row_to);
    int64_t *col_to = saddle_allocate(context, A->cols, sizeof *col_to);
    saddle_status status = row_to && col_to ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) status = invert(context, p, A->rows, "p", row_to);
    if (status == SADDLE_OK) status = invert(context, q, A->cols, "q", col_to);
    if (status == SADDLE_OK) status = gather(context, A, row_to, col_to, B);
    saddle_release(context, row_to);
    saddle_release(context, col_to);
    return status;
}

saddle_status saddle_matrix_expand(saddle_context *context, const saddle_matrix *A,
                                   saddle_matrix *B)
{
    saddle_context_clear_message(context);
    if (B) *B = (saddle_matrix){0};
    if (!A || !B)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_matrix_expand: A or B is NULL");
    int64_t stored = saddle_matrix_entries(A);
    if (A->symmetry != SADDLE_SYMMETRIC) {
        saddle_status copied = saddle_matrix_copy(context, A, B);
        B->symmetry = SADDLE_GENERAL;
        return copied;
    }
    if (stored > INT64_MAX / 2)
        return saddle_fail(context, SADDLE_TOO_LARGE, "too many entries to expand");
    saddle_status status = saddle_matrix_create(context, A->rows, A->cols, 2 * stored,
                                                SADDLE_GENERAL, B);
    if (status != SADDLE_OK || stored == 0) return status;
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            B->start[j]++;
            if (A->index[k] != j) B->start[A->index[k]]++;
        }
    saddle__cumulate(B->start, B->cols);
    /* walking columns in order appends the mirrored entries of column i (rows j < i) before its own
     * (rows >= i): sorted */
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            int64_t p = B->start[j]++;
            B->index[p] = i;
            B->value[p] = A->value[k];
            if (i == j) continue;
            p = B->start[i]++;
            B->index[p] = j;
            B->value[p] = A->value[k];
        }
    for (int64_t j = B->cols; j > 0; j--) B->start[j] = B->start[j - 1];
    B->start[0] = 0;
    return SADDLE_OK;
}

saddle_status saddle_matrix_lower(saddle_context *context, const saddle_matrix *A, saddle_matrix *B)
{
    saddle_context_clear_message(context);
    if (B) *B = (saddle_matrix){0};
    if (!A || !B)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "saddle_matrix_lower: A or B is NULL");
    if (A->symmetry == SADDLE_SYMMETRIC) return saddle_matrix_copy(context, A, B);
    int64_t entries = saddle_matrix_entries(A);
    int64_t kept = 0;
    for (int64_t j = 0; entries > 0 && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) kept += A->index[k] >= j;
    saddle_status status = saddle_matrix_create(context, A->rows, A->cols, kept, SADDLE_SYMMETRIC,
                                                B);
    if (status != SADDLE_OK) return status;
    int64_t p = 0;
    for (int64_t j = 0; entries > 0 && j < A->cols; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            if (A->index[k] < j) continue;
            B->index[p] = A->index[k];
            B->value[p] = A->value[k];
            p++;
        }
        B->start[j + 1] = p;
    }
    return SADDLE_OK;
}
