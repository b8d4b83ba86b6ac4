/* SPDX-License-Identifier: MIT */
/* Transpose, permutation, both triangles from one and one from both; alpha A + beta B and A B;
 * symmetry; connected components. */
#include <math.h>

#include "base/context_internal.h"
#include "base/tolerances.h"
#include "base/unset.h"
#include "base/vector.h"
#include "matrix/matrix_internal.h"
#include "matrix/full_csr.h"

/* ---- transpose, permutation, triangles ---- */

saddle_status saddle_matrix_transpose(saddle_context *context, const saddle_matrix *A,
                                      saddle_matrix *B)
{
    if (B) *B = (saddle_matrix){0};
    SADDLE__RETURN_UNLESS(context, A && B, "A or B is NULL");
    if (A->symmetry != SADDLE_SYMMETRY_NONE) return saddle_matrix_copy(context, A, B);
    return saddle__matrix_flip(context, A, B);
}

/* inverse[p[i]] = i; p = NULL: the identity. */
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
    saddle__release_all(context, row, col);
    return status;
}

saddle_status saddle_matrix_permute(saddle_context *context, const saddle_matrix *A,
                                    const int64_t *p, const int64_t *q, saddle_matrix *B)
{
    if (B) *B = (saddle_matrix){0};
    SADDLE__RETURN_UNLESS(context, A && B, "A or B is NULL");
    if (A->symmetry != SADDLE_SYMMETRY_NONE) {
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
    saddle__release_all(context, row_to, col_to);
    return status;
}

saddle_status saddle_matrix_expand(saddle_context *context, const saddle_matrix *A,
                                   saddle_matrix *B)
{
    if (B) *B = (saddle_matrix){0};
    SADDLE__RETURN_UNLESS(context, A && B, "A or B is NULL");
    saddle__unfolded whole = {0};
    saddle_status status = saddle__unfolded_create(context, A, &whole);
    if (status == SADDLE_OK) {
        saddle__unfolded_refresh(&whole, A);
        *B = saddle_matrix_view(A->rows, A->cols, whole.start, whole.index, whole.value,
                                SADDLE_SYMMETRY_NONE);
        B->owner = 1;
        B->context = context;
        whole = (saddle__unfolded){.source = whole.source};
    }
    saddle__unfolded_clear(context, &whole);
    return status;
}

saddle_status saddle_matrix_lower(saddle_context *context, const saddle_matrix *A, saddle_matrix *B)
{
    if (B) *B = (saddle_matrix){0};
    SADDLE__RETURN_UNLESS(context, A && B, "A or B is NULL");
    if (A->symmetry == SADDLE_SYMMETRY_LOWER) return saddle_matrix_copy(context, A, B);
    int64_t entries = saddle_matrix_entries(A);
    int64_t kept = 0;
    for (int64_t j = 0; entries > 0 && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) kept += A->index[k] >= j;
    saddle_status status = saddle_matrix_create(context, A->rows, A->cols, kept,
                                                SADDLE_SYMMETRY_LOWER, B);
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

/* ---- sum ---- */

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
    if (C) *C = (saddle_matrix){0};
    SADDLE__RETURN_UNLESS(context, A && B && C, "A, B or C is NULL");
    if (A->rows != B->rows || A->cols != B->cols)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "cannot add %lld x %lld and %lld x %lld", (long long)A->rows,
                           (long long)A->cols, (long long)B->rows, (long long)B->cols);
    if (A->symmetry == B->symmetry && A->symmetry != SADDLE_SYMMETRY_FULL)
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
    int64_t *mark;    /* rows of A: the last column with the row, plus one */
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

static saddle_status multiply_general(saddle_context *context, const saddle_matrix *A,
                                      const saddle_matrix *B, saddle_matrix *C)
{
    int64_t room = saddle_matrix_entries(A) / 2 + saddle_matrix_entries(B) / 2;
    saddle_status status = saddle_matrix_create(context, A->rows, B->cols, room,
                                                SADDLE_SYMMETRY_NONE, C);
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
        if (p + count > room) {
            room = p + count > INT64_MAX / 2 ? p + count : 2 * (p + count);
            status = saddle__grow(context, &C->index, room, sizeof *C->index);
            if (status == SADDLE_OK)
                status = saddle__grow(context, &C->value, room, sizeof *C->value);
            if (status != SADDLE_OK) break;
        }
        for (int64_t k = 0; k < count; k++) {
            C->index[p + k] = acc.touched[k];
            C->value[p + k] = acc.sum[acc.touched[k]];
        }
        C->start[j + 1] = p + count;
    }
    saddle__release_all(context, acc.sum, acc.mark, acc.touched);
    if (status == SADDLE_OK) status = saddle__matrix_normalize(context, C);
    if (status != SADDLE_OK) saddle_matrix_clear(C);
    return status;
}

saddle_status saddle_matrix_multiply(saddle_context *context, const saddle_matrix *A,
                                     const saddle_matrix *B, saddle_matrix *C)
{
    if (C) *C = (saddle_matrix){0};
    SADDLE__RETURN_UNLESS(context, A && B && C, "A, B or C is NULL");
    if (A->cols != B->rows)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "cannot multiply %lld x %lld by %lld x %lld", (long long)A->rows,
                           (long long)A->cols, (long long)B->rows, (long long)B->cols);
    saddle_matrix full_A = {0};
    saddle_matrix full_B = {0};
    saddle_status status = SADDLE_OK;
    if (A->symmetry == SADDLE_SYMMETRY_LOWER) status = saddle_matrix_expand(context, A, &full_A);
    if (status == SADDLE_OK && B->symmetry == SADDLE_SYMMETRY_LOWER)
        status = saddle_matrix_expand(context, B, &full_B);
    if (status == SADDLE_OK)
        status = multiply_general(context, A->symmetry == SADDLE_SYMMETRY_LOWER ? &full_A : A,
                                  B->symmetry == SADDLE_SYMMETRY_LOWER ? &full_B : B, C);
    saddle_matrix_clear(&full_A);
    saddle_matrix_clear(&full_B);
    return status;
}

saddle_status saddle_matrix_asymmetry(saddle_context *context, const saddle_matrix *A,
                                      double *asymmetry)
{
    SADDLE__RETURN_UNLESS(context, A && asymmetry, "A or asymmetry is NULL");
    *asymmetry = 0.0;
    if (A->rows != A->cols)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "a %lld x %lld matrix has no asymmetry", (long long)A->rows,
                           (long long)A->cols);
    double largest = saddle_matrix_norm_max(A);
    if (A->symmetry != SADDLE_SYMMETRY_NONE || largest == 0.0) return SADDLE_OK;
    double most = 0.0;
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            most = saddle__larger(fabs(A->value[k] - saddle_matrix_entry(A, j, A->index[k])), most);
    *asymmetry = most / largest;
    return SADDLE_OK;
}

/* ---- symmetry of stored triangles ---- */

/* 1: entry k = (i, j) equals the partner, up to the rounding of sums in another order relative to
 * the larger of |a_ij|, |a_ji| and sqrt|a_ii a_jj|, in any units.  A partner that is not stored is
 * an exact zero. */
static int are_equal(const saddle_matrix *A, int64_t k, int64_t partner, int64_t i, int64_t j)
{
    double a = A->value[k];
    if (partner < 0) return a == 0.0;
    double b = A->value[partner];
    double size = saddle__larger(fabs(a), fabs(b));
    if (fabs(a - b) <= SADDLE__SUM_ROUNDING * size) return 1;
    double diagonal = sqrt(fabs(saddle_matrix_entry(A, i, i))) *
                      sqrt(fabs(saddle_matrix_entry(A, j, j)));
    return fabs(a - b) <= SADDLE__SUM_ROUNDING * saddle__larger(diagonal, size);
}

/* An entry of one triangle different from the partner; -1 = none.  *pairs: entries with a stored
 * partner. */
static int64_t find_unequal_in(const saddle_matrix *A, int lower, int64_t *column, int64_t *pairs)
{
    *pairs = 0;
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            if (lower ? i <= j : i >= j) continue;
            int64_t partner = saddle__matrix_find(A, j, i);
            *column = j;
            if (!are_equal(A, k, partner, i, j)) return k;
            *pairs += partner >= 0;
        }
    return -1;
}

static int64_t count_above(const saddle_matrix *A)
{
    int64_t count = 0;
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1] && A->index[k] < j; k++) count++;
    return count;
}

int64_t saddle__matrix_find_unequal(const saddle_matrix *A, int64_t *column)
{
    int64_t pairs;
    if (A->symmetry == SADDLE_SYMMETRY_LOWER || saddle_matrix_entries(A) == 0) return -1;
    int64_t k = find_unequal_in(A, 1, column, &pairs);
    if (k >= 0 || pairs == count_above(A)) return k;
    return find_unequal_in(A, 0, column, &pairs);
}

/* The first stored entry that differs from the mirror image, and the column; -1 = none. */
static int64_t find_unpaired(const saddle_matrix *A, double absent, int64_t *column)
{
    int64_t entries = saddle_matrix_entries(A);
    for (int64_t j = 0; entries > 0 && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t mirror = saddle__matrix_find(A, j, A->index[k]);
            *column = j;
            if (A->value[k] != (mirror >= 0 ? A->value[mirror] : absent)) return k;
        }
    return -1;
}

saddle_status saddle__matrix_fold(saddle_context *context, saddle_matrix *A, double absent,
                                  int64_t *unpaired, int64_t *column)
{
    saddle_matrix lower = {0};
    *unpaired = find_unpaired(A, absent, column);
    if (*unpaired >= 0) return SADDLE_OK;
    saddle_status status = saddle_matrix_lower(context, A, &lower);
    if (status != SADDLE_OK) return status;
    saddle_matrix_clear(A);
    *A = lower;
    return SADDLE_OK;
}

/* ---- connected components ---- */

void saddle__matrix_components(const saddle_matrix *A, int64_t *root)
{
    int64_t left = A->cols;
    for (int64_t i = 0; i < A->cols; i++) root[i] = i;
    for (int64_t j = 0; A->start && j < A->cols && left > 1; j++)
        left -= saddle__join_column(root, j, 0, A, j);
    for (int64_t i = 0; left < A->cols && i < A->cols; i++) root[i] = saddle__root_of(root, i);
}
