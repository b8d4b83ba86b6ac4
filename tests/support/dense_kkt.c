/* SPDX-License-Identifier: MIT */
/* See dense_kkt.h. */
#include "dense_kkt.h"

#include "dense/lapack.h"

/* K's block at (row, col) += factor S, and its transpose at (col, row) where asked */
static void add_block(double *K, int64_t N, int64_t row, int64_t col, double factor,
                      const saddle_matrix *S, int mirrored)
{
    for (int64_t j = 0; S->start && j < S->cols; j++)
        for (int64_t k = S->start[j]; k < S->start[j + 1]; k++) {
            int64_t i = S->index[k];
            K[row + i + (col + j) * N] += factor * S->value[k];
            if (mirrored) K[col + j + (row + i) * N] += factor * S->value[k];
            if (S->symmetry == SADDLE_SYMMETRY_LOWER && i != j)
                K[row + j + (col + i) * N] += factor * S->value[k];
        }
}

saddle_status test_dense_kkt(saddle_context *context, const saddle_problem *problem, double **K,
                             double **rhs)
{
    int64_t n = problem->n;
    int64_t N = n + problem->m;
    *K = NULL;
    *rhs = NULL;
    *K = saddle_allocate(context, N * N, sizeof **K);
    *rhs = saddle_allocate(context, N, sizeof **rhs);
    if (!*K || !*rhs) {
        saddle_release(context, *K);
        saddle_release(context, *rhs);
        *K = NULL;
        *rhs = NULL;
        return SADDLE_OUT_OF_MEMORY;
    }
    add_block(*K, N, 0, 0, 1.0, &problem->M, 0);
    add_block(*K, N, 0, n, 1.0, &problem->Jt, 1);
    add_block(*K, N, n, n, -1.0, &problem->R, 0);
    for (int64_t j = 0; problem->f && j < n; j++) (*rhs)[j] = problem->f[j];
    for (int64_t i = 0; problem->b && i < problem->m; i++) (*rhs)[n + i] = problem->b[i];
    return SADDLE_OK;
}

saddle_status test_dense_least_norm(saddle_context *context, int64_t rows, int64_t cols, double *A,
                                    double *x, double tolerance, int64_t *rank)
{
    *rank = 0;
    if (rows == 0 || cols == 0) {
        for (int64_t j = 0; j < cols; j++) x[j] = 0.0;
        return SADDLE_OK;
    }
    int m = (int)rows, n = (int)cols, one = 1, larger = m > n ? m : n;
    int query = -1, found = 0, info = 0, integers = 0;
    double reals = 0.0;
    double *sigma = saddle_allocate(context, rows < cols ? rows : cols, sizeof *sigma);
    if (!sigma) return SADDLE_OUT_OF_MEMORY;
    dgelsd_(&m, &n, &one, A, &m, x, &larger, sigma, &tolerance, &found, &reals, &query, &integers,
            &info);
    int size = (int)reals;
    double *work = saddle_allocate(context, size, sizeof *work);
    int *integer = saddle_allocate(context, integers, sizeof *integer);
    const int fits = work && integer;
    if (fits)
        dgelsd_(&m, &n, &one, A, &m, x, &larger, sigma, &tolerance, &found, work, &size, integer,
                &info);
    *rank = found;
    saddle_release(context, work);
    saddle_release(context, integer);
    saddle_release(context, sigma);
    return !fits ? SADDLE_OUT_OF_MEMORY : info == 0 ? SADDLE_OK : SADDLE_INTERNAL;
}
