/* SPDX-License-Identifier: MIT */
/* Norms of a sparse matrix.  The off-diagonal entries of a symmetric one count for both
 * triangles. */
#include <math.h>

#include "matrix/matrix_internal.h"

double saddle_matrix_norm_max(const saddle_matrix *A)
{
    if (!A) return 0.0;
    double largest = 0.0;
    int64_t entries = saddle_matrix_entries(A);
    for (int64_t k = 0; k < entries; k++) largest = fmax(largest, fabs(A->value[k]));
    return largest;
}

double saddle_matrix_norm_frobenius(const saddle_matrix *A)
{
    if (!A) return 0.0;
    double largest = saddle_matrix_norm_max(A);
    if (largest == 0.0 || !isfinite(largest)) return largest;
    double sum = 0.0;
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            double scaled = A->value[k] / largest;
            int twice = A->symmetry == SADDLE_SYMMETRIC && A->index[k] != j;
            sum += (twice ? 2.0 : 1.0) * scaled * scaled;
        }
    return largest * sqrt(sum);
}

static double largest_of(const double *x, int64_t n)
{
    double largest = 0.0;
    for (int64_t i = 0; i < n; i++) largest = fmax(largest, x[i]);
    return largest;
}

/* The largest row sum of moduli; for a symmetric matrix the column sums are the same numbers. */
double saddle_matrix_norm_inf(const saddle_matrix *A, double *work)
{
    if (!A || (!work && A->rows > 0)) return 0.0;
    if (!A->start) return 0.0;
    for (int64_t i = 0; i < A->rows; i++) work[i] = 0.0;
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            work[A->index[k]] += fabs(A->value[k]);
            if (A->symmetry == SADDLE_SYMMETRIC && A->index[k] != j) work[j] += fabs(A->value[k]);
        }
    return largest_of(work, A->rows);
}

double saddle_matrix_norm_1(const saddle_matrix *A, double *work)
{
    if (!A || (!work && A->symmetry == SADDLE_SYMMETRIC && A->rows > 0)) return 0.0;
    if (A->symmetry == SADDLE_SYMMETRIC) return saddle_matrix_norm_inf(A, work);
    double largest = 0.0;
    for (int64_t j = 0; A->start && j < A->cols; j++) {
        double sum = 0.0;
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) sum += fabs(A->value[k]);
        largest = fmax(largest, sum);
    }
    return largest;
}
