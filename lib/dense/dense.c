/* SPDX-License-Identifier: MIT */
/* Dense linear algebra by LAPACK, called by its Fortran names: a few drivers, each with its
 * workspace asked for first. */
#include <limits.h>

#include "dense/dense.h"
#include "base/context_internal.h"
#include "dense/lapack.h"

static saddle_status check_size(saddle_context *context, int64_t rows, int64_t cols)
{
    if (rows >= 0 && cols >= 0 && rows < INT_MAX / 8 && cols < INT_MAX / 8) return SADDLE_OK;
    return saddle_fail(context, SADDLE_TOO_LARGE,
                       "a dense %lld x %lld matrix is too large for LAPACK", (long long)rows,
                       (long long)cols);
}

/* K's block at (row, col) += factor S, and its transpose at (col, row) where asked */
static void add_block(double *K, int64_t N, int64_t row, int64_t col, double factor,
                      const saddle_matrix *S, int mirrored)
{
    for (int64_t j = 0; S->start && j < S->cols; j++)
        for (int64_t k = S->start[j]; k < S->start[j + 1]; k++) {
            int64_t i = S->index[k];
            K[row + i + (col + j) * N] += factor * S->value[k];
            if (mirrored) K[col + j + (row + i) * N] += factor * S->value[k];
            if (S->symmetry == SADDLE_SYMMETRIC && i != j)
                K[row + j + (col + i) * N] += factor * S->value[k];
        }
}

saddle_status saddle__dense_kkt(saddle_context *context, const saddle_problem *problem, double **K,
                                double **rhs)
{
    int64_t n = problem->n;
    int64_t N = n + problem->m;
    *K = NULL;
    *rhs = NULL;
    SADDLE__TRY(check_size(context, N, N));
    *K = saddle_allocate(context, N * N, sizeof **K);
    *rhs = saddle_allocate(context, N, sizeof **rhs);
    if (!*K || !*rhs) {
        saddle__release_all(context, *K, *rhs);
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

saddle_status saddle__dense_solve_columns(saddle_context *context, int64_t n, int64_t columns,
                                          double *A, double *X)
{
    SADDLE__TRY(check_size(context, n, n));
    SADDLE__TRY(check_size(context, n, columns));
    if (n == 0) return SADDLE_OK;
    int *pivot = saddle_allocate(context, n, sizeof *pivot);
    if (!pivot) return SADDLE_OUT_OF_MEMORY;
    int size = (int)n;
    int count = (int)columns;
    int info = 0;
    dgesv_(&size, &count, A, &size, pivot, X, &size, &info);
    saddle_release(context, pivot);
    if (info == 0) return SADDLE_OK;
    return saddle_fail(context, SADDLE_SINGULAR, "dense matrix: column %d has no pivot", info);
}

/* Workspace sizes of a LAPACK driver, by a call with lwork = -1. */
typedef struct workspace {
    double *real;
    int real_size;
    int *integer;
    int integer_size;
} workspace;

static saddle_status reserve(saddle_context *context, double real_size, int64_t integer_size,
                             workspace *work)
{
    *work = (workspace){0};
    if (real_size > INT_MAX || integer_size > INT_MAX)
        return saddle_fail(context, SADDLE_TOO_LARGE, "LAPACK's workspace is too large");
    work->real_size = real_size > 1 ? (int)real_size : 1;
    work->integer_size = integer_size > 1 ? (int)integer_size : 1;
    work->real = saddle_allocate(context, work->real_size, sizeof *work->real);
    work->integer = saddle_allocate(context, work->integer_size, sizeof *work->integer);
    return work->real && work->integer ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

static saddle_status no_convergence(saddle_context *context, const char *driver, int info)
{
    return saddle_fail(context, SADDLE_INTERNAL, "LAPACK's %s did not converge (info %d)", driver,
                       info);
}

saddle_status saddle__dense_least_norm(saddle_context *context, int64_t rows, int64_t cols,
                                       double *A, double *x, double tolerance, int64_t *rank)
{
    *rank = 0;
    saddle_status status = check_size(context, rows, cols);
    if (status != SADDLE_OK || rows == 0 || cols == 0) {
        for (int64_t j = 0; status == SADDLE_OK && j < cols; j++) x[j] = 0.0;
        return status;
    }
    int m = (int)rows;
    int n = (int)cols;
    int one = 1;
    int larger = m > n ? m : n;
    int query = -1;
    int found = 0;
    int info = 0;
    int integer_size = 0;
    double real_size = 0.0;
    double *sigma = saddle_allocate(context, rows < cols ? rows : cols, sizeof *sigma);
    if (!sigma) return SADDLE_OUT_OF_MEMORY;
    dgelsd_(&m, &n, &one, A, &m, x, &larger, sigma, &tolerance, &found, &real_size, &query,
            &integer_size, &info);
    workspace work;
    status = reserve(context, real_size, integer_size, &work);
    if (status == SADDLE_OK) {
        dgelsd_(&m, &n, &one, A, &m, x, &larger, sigma, &tolerance, &found, work.real,
                &work.real_size, work.integer, &info);
        if (info != 0) status = no_convergence(context, "dgelsd", info);
    }
    *rank = found;
    saddle__release_all(context, work.real, work.integer, sigma);
    return status;
}

saddle_status saddle__dense_eigenvalues(saddle_context *context, int64_t n, double *A,
                                        double *eigenvalue)
{
    saddle_status status = check_size(context, n, n);
    if (status != SADDLE_OK || n == 0) return status;
    int size = (int)n;
    int query = -1;
    int info = 0;
    int integer_size = 0;
    double real_size = 0.0;
    dsyevd_("N", "L", &size, A, &size, eigenvalue, &real_size, &query, &integer_size, &query, &info,
            1, 1);
    workspace work;
    status = reserve(context, real_size, integer_size, &work);
    if (status == SADDLE_OK) {
        dsyevd_("N", "L", &size, A, &size, eigenvalue, work.real, &work.real_size, work.integer,
                &work.integer_size, &info, 1, 1);
        if (info != 0) status = no_convergence(context, "dsyevd", info);
    }
    saddle__release_all(context, work.real, work.integer);
    return status;
}
