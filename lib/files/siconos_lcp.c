/* SPDX-License-Identifier: MIT */
/* Siconos texts of complementarity problems, w = M z + q:
 *
 *     LCP    n, M, q                                                0 <= z _|_ w >= 0
 *     relay  n, M, q, lb, ub                                 -w in the normal cone of [lb, ub] at z
 *     MLCP   st1, st2 (which layouts follow), n equality rows, m complementarity rows,
 *            st1: ends of the row blocks from 0 to n+m, one flag per block (1 = complementarity),
 *                M, q; the rest is ignored
 *            st2: A (n x n), B (m x m), C (n x m), D (m x n), a, b by rows: M = [A C; D B], q = (a,
 *                b)
 *
 * All have n = 0 in our equation: R = M, b = -q, lambda = z.
 */
#include <math.h>
#include <string.h>

#include "files/siconos_text.h"

/* n, M, q */
static saddle_status read_lcp_head(saddle__scan *scan, int64_t *n, saddle_matrix *M, double **q)
{
    int64_t rows, cols;
    saddle_status status = saddle__scan_size(scan, "size of the problem", n);
    if (status == SADDLE_OK) status = saddle__numbers_expect(scan, "q", *n);
    if (status == SADDLE_OK) status = saddle__siconos_matrix_read(scan, "M", &rows, &cols, M);
    if (status != SADDLE_OK) return status;
    if (rows != *n || cols != *n)
        return saddle__scan_fail(scan, "M is %lld x %lld, but the problem has %lld rows",
                                 (long long)rows, (long long)cols, (long long)*n);
    return saddle__numbers_read(scan, "q", SADDLE__ACCEPT_FINITE, *n, q);
}

saddle_status saddle__siconos_lcp_read(saddle__scan *scan, saddle_problem *problem)
{
    int64_t n = 0;
    saddle_matrix M = {0};
    double *q = NULL;
    saddle_status status = read_lcp_head(scan, &n, problem ? &M : NULL, problem ? &q : NULL);
    if (status == SADDLE_OK) status = saddle__problem_end(scan);
    if (status == SADDLE_OK && problem)
        status = saddle__problem_take_delassus(scan->context, &M, &q, problem);
    if (status == SADDLE_OK && problem)
        status = saddle__problem_bound_all(scan->context, problem, 0, INFINITY);
    saddle_matrix_clear(&M);
    saddle_release(scan->context, q);
    return status;
}

saddle_status saddle__siconos_relay_read(saddle__scan *scan, saddle_problem *problem)
{
    int64_t n = 0;
    saddle_matrix M = {0};
    double *q = NULL;
    saddle_status status = read_lcp_head(scan, &n, problem ? &M : NULL, problem ? &q : NULL);
    if (status == SADDLE_OK && problem)
        status = saddle__problem_take_delassus(scan->context, &M, &q, problem);
    if (status == SADDLE_OK)
        status = saddle__numbers_read(scan, "lb", SADDLE__ACCEPT_INFINITE, n,
                                      problem ? &problem->lo : NULL);
    if (status == SADDLE_OK)
        status = saddle__numbers_read(scan, "ub", SADDLE__ACCEPT_INFINITE, n,
                                      problem ? &problem->hi : NULL);
    if (status == SADDLE_OK) status = saddle__problem_end(scan);
    saddle_matrix_clear(&M);
    saddle_release(scan->context, q);
    return status;
}

/* ---- MLCP ---- */

/* The lower bounds of the rows: lo[i] = 0 in a complementarity block, -inf in an equality block (lo
 * = NULL: walk). */
static saddle_status read_row_blocks(saddle__scan *scan, int64_t n, int64_t m, double *lo)
{
    int64_t zero, end = 0, blocks = 0, flag, complementary = 0;
    saddle_status status = saddle__scan_range(scan, "beginning of the first row block", 0, 0,
                                              &zero);
    saddle__scan ends = *scan; /* read twice: once to find the flags, once beside them */
    while (status == SADDLE_OK && end < n + m) {
        status = saddle__scan_range(scan, "end of a row block", end + 1, n + m, &end);
        blocks++;
    }
    for (int64_t k = 0, i = 0; status == SADDLE_OK && k < blocks; k++) {
        status = saddle__scan_integer(&ends, "end of a row block", &end);
        if (status == SADDLE_OK)
            status = saddle__scan_range(scan, "flag of a row block", 0, 1, &flag);
        if (status != SADDLE_OK) return status;
        complementary += flag ? end - i : 0;
        for (; i < end; i++)
            if (lo) lo[i] = flag ? 0 : -INFINITY;
    }
    if (status == SADDLE_OK && complementary != m)
        return saddle__scan_fail(scan,
                                 "the row blocks have %lld complementarity rows, but m is %lld",
                                 (long long)complementary, (long long)m);
    return status;
}

static saddle_status read_mlcp_blocks(saddle__scan *scan, int64_t n, int64_t m, saddle_matrix *M,
                                      double **q, double *lo)
{
    int64_t rows, cols;
    saddle_status status = read_row_blocks(scan, n, m, lo);
    const char *place = scan->at;
    if (status == SADDLE_OK) status = saddle__siconos_matrix_read(scan, "M", &rows, &cols, M);
    if (status == SADDLE_OK)
        status = saddle__numbers_read(scan, "q", SADDLE__ACCEPT_FINITE, rows, q);
    if (status == SADDLE_OK && M && (rows != n + m || cols != n + m))
        return saddle__scan_fail_at(
            scan, place, "M is %lld x %lld, but n + m is %lld: a mixed LCP needs a square matrix",
            (long long)rows, (long long)cols, (long long)(n + m));
    return status;
}

/* One rows x cols block, by rows, into the size x size dense matrix D (by rows) at (i0, j0). */
static saddle_status read_part(saddle__scan *scan, const char *name, int64_t rows, int64_t cols,
                               double *D, int64_t size, int64_t i0, int64_t j0)
{
    if (!D) return saddle__numbers_read(scan, name, SADDLE__ACCEPT_FINITE, rows * cols, NULL);
    saddle_status status = SADDLE_OK;
    for (int64_t i = 0; status == SADDLE_OK && i < rows; i++)
        status = saddle__scan_doubles(scan, name, SADDLE__ACCEPT_FINITE, cols,
                                      D + (i0 + i) * size + j0);
    return status;
}

static saddle_status read_mlcp_parts(saddle__scan *scan, int64_t n, int64_t m, saddle_matrix *M,
                                     double **q, double *lo)
{
    int64_t size = n + m;
    double *D = NULL;
    if (size > INT32_MAX) return saddle__scan_fail(scan, "%lld rows are too many", (long long)size);
    saddle_status status = saddle__numbers_expect(scan, "A, B, C, D, a, b", size * size + size);
    if (status != SADDLE_OK) return status;
    if (M) {
        D = saddle_allocate(scan->context, size > 0 ? size * size : 1, sizeof *D);
        if (!D) return SADDLE_OUT_OF_MEMORY;
        for (int64_t i = 0; i < size; i++) lo[i] = i < n ? -INFINITY : 0;
    }
    status = read_part(scan, "A", n, n, D, size, 0, 0);
    if (status == SADDLE_OK) status = read_part(scan, "B", m, m, D, size, n, n);
    if (status == SADDLE_OK) status = read_part(scan, "C", n, m, D, size, 0, n);
    if (status == SADDLE_OK) status = read_part(scan, "D", m, n, D, size, n, 0);
    if (status == SADDLE_OK && M)
        status = saddle__matrix_from_dense(scan->context, size, size, 1, D, M);
    saddle_release(scan->context, D);
    return status == SADDLE_OK ? saddle__numbers_read(scan, "a, b", SADDLE__ACCEPT_FINITE, size, q)
                               : status;
}

saddle_status saddle__siconos_mlcp_read(saddle__scan *scan, saddle_problem *problem)
{
    int64_t layout[2], n = 0, m = 0;
    saddle_matrix M = {0};
    double *q = NULL, *lo = NULL;
    saddle_status status = saddle__scan_range(scan, "flag of the block layout", 0, 1, &layout[0]);
    if (status == SADDLE_OK)
        status = saddle__scan_range(scan, "flag of the A, B, C, D layout", 1 - layout[0], 1,
                                    &layout[1]);
    if (status == SADDLE_OK) status = saddle__scan_size(scan, "number of equality rows", &n);
    if (status == SADDLE_OK)
        status = saddle__scan_range(scan, "number of complementarity rows", 0, INT64_MAX - n, &m);
    if (status == SADDLE_OK) status = saddle__numbers_expect(scan, "q", n + m);
    if (status == SADDLE_OK && problem) {
        lo = saddle_allocate(scan->context, n + m > 0 ? n + m : 1, sizeof *lo);
        if (!lo) status = SADDLE_OUT_OF_MEMORY;
    }
    if (status == SADDLE_OK)
        status = (layout[0] ? read_mlcp_blocks : read_mlcp_parts)(scan, n, m, problem ? &M : NULL,
                                                                  problem ? &q : NULL, lo);
    if (status == SADDLE_OK && problem)
        status = saddle__problem_take_delassus(scan->context, &M, &q, problem);
    if (status == SADDLE_OK && problem) {
        problem->lo = lo; /* hi = NULL is +inf everywhere */
        lo = NULL;
    }
    saddle_matrix_clear(&M);
    saddle_release(scan->context, q);
    saddle_release(scan->context, lo);
    return status;
}
