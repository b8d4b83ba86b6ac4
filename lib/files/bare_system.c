/* SPDX-License-Identifier: MIT */
/* A bare linear system K x = rhs: the problem with n = size of K, M = K, f = rhs and no rows. */
#include "files/detect.h"
#include "files/mtx.h"

saddle_status saddle__bare_system_scan(saddle__scan *scan, saddle_problem *problem)
{
    saddle_matrix *M = &problem->M;
    saddle_status status = saddle__mtx_scan(scan, M);
    if (status != SADDLE_OK) return status;
    if (M->rows != M->cols)
        return saddle_fail(scan->context, SADDLE_BAD_FILE,
                           "%s: the matrix is %lld x %lld: a linear system needs a square one", scan->label,
                           (long long)M->rows, (long long)M->cols);
    problem->n = M->rows;
    return saddle__matrix_settle(scan->context, M);
}

/* f = M 1, so that the exact solution is all ones. */
static saddle_status rhs_of_ones(saddle_context *context, saddle_problem *problem)
{
    int64_t n = problem->n;
    double *ones = saddle_allocate(context, n > 0 ? n : 1, sizeof *ones);
    problem->f = saddle_allocate(context, n > 0 ? n : 1, sizeof *problem->f);
    saddle_status status = ones && problem->f ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; status == SADDLE_OK && i < n; i++) ones[i] = 1;
    if (status == SADDLE_OK) saddle_matrix_apply(&problem->M, 1, ones, 0, problem->f);
    saddle_release(context, ones);
    return status;
}

saddle_status saddle__bare_system_rhs(saddle_context *context, saddle__scan *rhs, saddle_problem *problem)
{
    int64_t rows, cols;
    if (!rhs) return rhs_of_ones(context, problem);
    saddle_status status = saddle__array_scan(rhs, 0, &rows, &cols, &problem->f);
    if (status != SADDLE_OK || (rows == problem->n && cols == 1)) return status;
    return saddle_fail(context, SADDLE_BAD_FILE, "%s: the right-hand side is %lld x %lld, but the matrix has %lld rows",
                       rhs->label, (long long)rows, (long long)cols, (long long)problem->n);
}
