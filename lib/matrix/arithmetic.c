/* SPDX-License-Identifier: MIT */
/* C = alpha A + beta B, C = A B, and how far a matrix is from its transpose. */
#include <math.h>

#include "matrix/matrix_internal.h"

/* Merges the sorted columns j of A and B into C from position p on; returns the position after. */
static int64_t merge_column(double alpha, const saddle_matrix *A, double beta,
                            const saddle_matrix *B, int64_t j, saddle_matrix *C, int64_t p)
{
    int64_t a = A->start ? A->start[j] : 0;
    int64_t a_end = A->start ? A->start[j + 1] : 0;
    int64_t b = B->start ? B->start[j] : 0;
    int64_t b_end = B->start ? B->start[j + 1] : 0;
    while (a < a_end || b < b_end) {
        int take_a = b == b_end || (a < a_end && A->index[a] <= B->index[b]);
        int take_b = a == a_end || (b < b_end && B->index[b] <= A->index[a]);
        C->index[p] = take_a ? A->index[a] : B->index[b];
        C->value[p] = (take_a ? alpha * A->value[a] : 0.0) + (take_b ? beta * B->value[b] : 0.0);
        a += take_a;
        b += take_b;
        p++;
    }
    return p;
}

static saddle_status add_alike(saddle_context *context, double alpha, const saddle_matrix *A,
                               double beta, const saddle_matrix *B, saddle_matrix *C)
{
    int64_t a = saddle_matrix_entries(A);
    int64_t b = saddle_matrix_entries(B);
    if (a > INT64_MAX - b) return saddle_fail(context, SADDLE_TOO_LARGE, "too many entries to add");
    saddle_status status = saddle_matrix_create(context, A->rows, A->cols, a + b, A->symmetry, C);
    if (status != SADDLE_OK) return status;
    for (int64_t j = 0; j < A->cols; j++)
        C->start[j + 1] = merge_column(alpha, A, beta, B, j, C, C->start[j]);
    return SADDLE_OK;
}

saddle_status saddle_matrix_add(saddle_context *context, double alpha, const saddle_matrix *A,
                                double beta, const saddle_matrix *B, saddle_matrix *C)
{
    saddle_context_clear_message(context);
    if (C) *C = (saddle_matrix){0};
    if (!A || !B || !C)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_matrix_add: A, B or C is NULL");
    if (A->rows != B->rows || A->cols != B->cols)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "cannot add %lld x %lld and %lld x %lld", (long long)A->rows,
                           (long long)A->cols, (long long)B->rows, (long long)B->cols);
    if (A->symmetry == B->symmetry && A->symmetry != SADDLE_SYMMETRIC_FULL)
        return add_alike(context, alpha, A, beta, B, C);
    saddle_matrix full_A;
    saddle_matrix full_B = {0};
    saddle_status status = saddle_matrix_expand(context, A, &full_A);
    if (status == SADDLE_OK) status = saddle_matrix_expand(context, B, &full_B);
    if (status == SADDLE_OK) status = add_alike(context, alpha, &full_A, beta, &full_B, C);
    saddle_matrix_clear(&full_A);
    saddle_matrix_clear(&full_B);
    return status;
}

/* ---- the product, column by column: C_j = sum_k A_k B_kj (Gustavson) ---- */

typedef struct accumulator {
    double *sum;      /* rows of A */
    int64_t *mark;    /* rows of A: the last column that touched the row, plus one */
    int64_t *touched; /* rows of A */
} accumulator;

static int64_t accumulate_column(const saddle_matrix *A, const saddle_matrix *B, int64_t j,
                                 accumulator *acc)
{
    int64_t count = 0;
    for (int64_t k = B->start[j]; k < B->start[j + 1]; k++) {
        int64_t inner = B->index[k];
        for (int64_t l = A->start[inner]; l < A->start[inner + 1]; l++) {
            int64_t i = A->index[l];
            if (acc->mark[i] != j + 1) {
                acc->mark[i] = j + 1;
                acc->sum[i] = 0.0;
                acc->touched[count++] = i;
            }
            acc->sum[i] += A->value[l] * B->value[k];
        }
    }
    return count;
}

static saddle_status reserve(saddle_context *context, saddle_matrix *C, int64_t *room,
                             int64_t needed)
{
    if (needed <= *room) return SADDLE_OK;
    int64_t wanted = needed > INT64_MAX / 2 ? needed : 2 * needed;
    int64_t *index = saddle_reallocate(context, C->index, wanted, sizeof *index);
    if (!index) return SADDLE_OUT_OF_MEMORY;
    C->index = index;
    double *value = saddle_reallocate(context, C->value, wanted, sizeof *value);
    if (!value) return SADDLE_OUT_OF_MEMORY;
    C->value = value;
    *room = wanted;
    return SADDLE_OK;
}

static saddle_status multiply_general(saddle_context *context, const saddle_matrix *A,
                                      const saddle_matrix *B, saddle_matrix *C)
{
    int64_t room = saddle_matrix_entries(A) / 2 + saddle_matrix_entries(B) / 2;
    saddle_status status = saddle_matrix_create(context, A->rows, B->cols, room, SADDLE_GENERAL, C);
    if (status != SADDLE_OK || !A->start || !B->start) return status;
    accumulator acc = {
        .sum = saddle_allocate(context, A->rows, sizeof *acc.sum),
        .mark = saddle_allocate(context, A->rows, sizeof *acc.mark),
        .touched = saddle_allocate(context, A->rows, sizeof *acc.touched),
    };
    status = acc.sum && acc.mark && acc.touched ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int64_t j = 0; status == SADDLE_OK && j < B->cols; j++) {
        int64_t count = accumulate_column(A, B, j, &acc);
        int64_t p = C->start[j];
        status = reserve(context, C, &room, p + count);
        if (status != SADDLE_OK) break;
        for (int64_t k = 0; k < count; k++) {
            C->index[p + k] = acc.touched[k];
            C->value[p + k] = acc.sum[acc.touched[k]];
        }
        C->start[j + 1] = p + count;
    }
    saddle_release(context, acc.sum);
    saddle_release(context, acc.mark);
    saddle_release(context, acc.touched);
    if (status == SADDLE_OK) status = saddle__matrix_normalize(context, C);
    if (status != SADDLE_OK) saddle_matrix_clear(C);
    return status;
}

saddle_status saddle_matrix_multiply(saddle_context *context, const saddle_matrix *A,
                                     const saddle_matrix *B, saddle_matrix *C)
{
    saddle_context_clear_message(context);
    if (C) *C = (saddle_matrix){0};
    if (!A || !B || !C)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_matrix_multiply: A, B or C is NULL");
    if (A->cols != B->rows)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "cannot multiply %lld x %lld by %lld x %lld", (long long)A->rows,
                           (long long)A->cols, (long long)B->rows, (long long)B->cols);
    saddle_matrix full_A = {0};
    saddle_matrix full_B = {0};
    saddle_status status = SADDLE_OK;
    if (A->symmetry == SADDLE_SYMMETRIC) status = saddle_matrix_expand(context, A, &full_A);
    if (status == SADDLE_OK && B->symmetry == SADDLE_SYMMETRIC)
        status = saddle_matrix_expand(context, B, &full_B);
    if (status == SADDLE_OK)
        status = multiply_general(context, A->symmetry == SADDLE_SYMMETRIC ? &full_A : A,
                                  B->symmetry == SADDLE_SYMMETRIC ? &full_B : B, C);
    saddle_matrix_clear(&full_A);
    saddle_matrix_clear(&full_B);
    return status;
}

saddle_status saddle_matrix_asymmetry(saddle_context *context, const saddle_matrix *A,
                                      double *asymmetry)
{
    saddle_context_clear_message(context);
    if (!A || !asymmetry)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_matrix_asymmetry: A or asymmetry is NULL");
    *asymmetry = 0.0;
    if (A->rows != A->cols)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "a %lld x %lld matrix has no asymmetry", (long long)A->rows,
                           (long long)A->cols);
    double largest = saddle_matrix_norm_max(A);
    if (A->symmetry != SADDLE_GENERAL || largest == 0.0) return SADDLE_OK;
    saddle_matrix transposed;
    saddle_matrix difference = {0};
    saddle_status status = saddle_matrix_transpose(context, A, &transposed);
    if (status == SADDLE_OK)
        status = saddle_matrix_add(context, 1.0, A, -1.0, &transposed, &difference);
    if (status == SADDLE_OK) *asymmetry = saddle_matrix_norm_max(&difference) / largest;
    saddle_matrix_clear(&transposed);
    saddle_matrix_clear(&difference);
    return status;
}
