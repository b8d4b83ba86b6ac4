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

saddle_status saddle__dense_solve_with(saddle_context *context, int64_t n, int64_t columns,
                                       double *A, double *X, int *pivot)
{
    SADDLE__TRY(check_size(context, n, n));
    SADDLE__TRY(check_size(context, n, columns));
    if (n == 0) return SADDLE_OK;
    int size = (int)n;
    int count = (int)columns;
    int info = 0;
    dgesv_(&size, &count, A, &size, pivot, X, &size, &info);
    if (info == 0) return SADDLE_OK;
    return saddle_fail(context, SADDLE_SINGULAR, "dense matrix: column %d has no pivot", info);
}

saddle_status saddle__dense_solve_columns(saddle_context *context, int64_t n, int64_t columns,
                                          double *A, double *X)
{
    SADDLE__TRY(check_size(context, n, n));
    int *pivot = saddle_allocate(context, n, sizeof *pivot);
    if (!pivot) return SADDLE_OUT_OF_MEMORY;
    const saddle_status status = saddle__dense_solve_with(context, n, columns, A, X, pivot);
    saddle_release(context, pivot);
    return status;
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
