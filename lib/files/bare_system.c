/* SPDX-License-Identifier: MIT */
/* A bare linear system K x = rhs: the problem with n = size of K, M = K, f = rhs and no rows. */
#include "files/detect.h"
#include "files/mtx.h"

/* Above this many rows a matrix that must have an empty one is refused; a smaller one is read, to
 * be looked into. */
#define SMALL_SIZE (INT64_C(1) << 20)

/* Square; and a large one has at least as many entries as rows: else a row is empty, and no
 * right-hand side makes the system regular. */
static saddle_status check_header(const saddle__scan *scan, const saddle__mtx_header *header)
{
    if (header->rows != header->cols)
        return saddle__scan_fail(scan,
                                 "the matrix is %lld x %lld: a linear system needs a square one",
                                 (long long)header->rows, (long long)header->cols);
    int64_t most = header->shape == SADDLE__MTX_GENERAL ? header->entries
                                                        : 2 * header->entries; /* both triangles */
    if (!header->coordinate || header->rows <= SMALL_SIZE || most >= header->rows) return SADDLE_OK;
    return saddle__scan_fail(
        scan,
        "%lld x %lld with %lld entries: some row is empty, so that the system is singular "
        "whatever its right-hand side",
        (long long)header->rows, (long long)header->cols, (long long)header->entries);
}

saddle_status saddle__bare_system_scan(saddle__scan *scan, saddle_problem *problem)
{
    saddle__mtx_header header;
    saddle_status status = saddle__mtx_header_scan(scan, &header);
    if (status == SADDLE_OK) status = check_header(scan, &header);
    if (status == SADDLE_OK) status = saddle__mtx_body_scan(scan, &header, 0, &problem->M);
    if (status != SADDLE_OK) return status;
    problem->n = header.rows;
    return saddle__matrix_settle(scan->context, &problem->M);
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

static saddle_status check_rhs(const saddle__scan *rhs, const saddle__mtx_header *header, int64_t n)
{
    if (header->rows == n && header->cols == 1) return SADDLE_OK;
    return saddle_fail(rhs->context, SADDLE_BAD_FILE,
                       "%s: the right-hand side is %lld x %lld, but the matrix has %lld rows",
                       rhs->label, (long long)header->rows, (long long)header->cols, (long long)n);
}

saddle_status saddle__bare_system_rhs(saddle_context *context, saddle__scan *rhs,
                                      saddle_problem *problem)
{
    saddle__mtx_header header;
    if (!rhs) return rhs_of_ones(context, problem);
    saddle_status status = saddle__array_header_scan(rhs, &header);
    int column = status == SADDLE_OK && header.rows == -1; /* whose length the end of the file
                                                              tells */
    if (status == SADDLE_OK && !column) status = check_rhs(rhs, &header, problem->n);
    if (status == SADDLE_OK) status = saddle__array_body_scan(rhs, &header, 0, &problem->f);
    return status == SADDLE_OK && column ? check_rhs(rhs, &header, problem->n) : status;
}
