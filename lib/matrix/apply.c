/* SPDX-License-Identifier: MIT */
/* y = alpha A x + beta y and its transpose; the diagonal; one entry. */
#include "matrix/matrix_internal.h"

static void scale(double beta, double *y, int64_t n)
{
    if (beta == 1.0) return;
    for (int64_t i = 0; i < n; i++) y[i] = beta == 0.0 ? 0.0 : beta * y[i];
}

/* y += alpha A x, both triangles from the lower one */
static void add_symmetric(const saddle_matrix *A, double alpha, const double *x, double *y)
{
    for (int64_t j = 0; j < A->cols; j++) {
        double xj = alpha * x[j];
        double sum = 0.0;
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            y[i] += A->value[k] * xj;
            if (i != j) sum += A->value[k] * x[i];
        }
        y[j] += alpha * sum;
    }
}

void saddle_matrix_apply(const saddle_matrix *A, double alpha, const double *x, double beta,
                         double *y)
{
    if (!A || (!x && A->cols > 0) || (!y && A->rows > 0)) return;
    scale(beta, y, A->rows);
    if (!A->start) return;
    if (A->symmetry == SADDLE_SYMMETRIC) {
        add_symmetric(A, alpha, x, y);
        return;
    }
    for (int64_t j = 0; j < A->cols; j++) {
        double xj = alpha * x[j];
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) y[A->index[k]] += A->value[k] * xj;
    }
}

void saddle_matrix_apply_transpose(const saddle_matrix *A, double alpha, const double *x,
                                   double beta, double *y)
{
    if (!A || (!x && A->rows > 0) || (!y && A->cols > 0)) return;
    if (A->symmetry == SADDLE_SYMMETRIC) {
        saddle_matrix_apply(A, alpha, x, beta, y);
        return;
    }
    scale(beta, y, A->cols);
    if (!A->start) return;
    for (int64_t j = 0; j < A->cols; j++) {
        double sum = 0.0;
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) sum += A->value[k] * x[A->index[k]];
        y[j] += alpha * sum;
    }
}

int64_t saddle__matrix_find(const saddle_matrix *A, int64_t i, int64_t j)
{
    int64_t low = A->start[j];
    int64_t high = A->start[j + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (A->index[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low < A->start[j + 1] && A->index[low] == i ? low : -1;
}

double saddle_matrix_entry(const saddle_matrix *A, int64_t i, int64_t j)
{
    if (!A || saddle_matrix_entries(A) == 0) return 0.0;
    int mirrored = A->symmetry == SADDLE_SYMMETRIC && i < j;
    int64_t k = mirrored ? saddle__matrix_find(A, j, i) : saddle__matrix_find(A, i, j);
    return k >= 0 ? A->value[k] : 0.0;
}

/* Looked for where it is as a rule: first in a column of a lower triangle, in its place in a full
 * one. */
void saddle_matrix_diagonal(const saddle_matrix *A, double *d)
{
    if (!A || (!d && A->rows > 0)) return;
    int64_t count = A->rows < A->cols ? A->rows : A->cols;
    for (int64_t j = 0; j < count; j++) {
        int64_t first = A->start ? A->start[j] : 0;
        int64_t entries = A->start ? A->start[j + 1] - first : 0;
        int64_t at = A->symmetry != SADDLE_SYMMETRIC && entries == A->rows ? first + j : first;
        d[j] = entries > 0 && A->index[at] == j ? A->value[at] : saddle_matrix_entry(A, j, j);
    }
}
