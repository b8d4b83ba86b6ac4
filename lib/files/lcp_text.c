/* SPDX-License-Identifier: MIT */
/* The older texts of linear complementarity problems, w = M z + q:
 *
 *     lcp           n, M by rows, q [, an answer, ignored]           0 <= z _|_ w >= 0
 *     box-lcp       n, M by rows, q, lo, hi (inf allowed)     w = 0 between, >= 0 at lo, <= 0 at hi
 *     lcp-triplets  i j v ..., one-based, with q in a second file of i v ..., which is read first
 *         and fixes the size
 *
 * No remarks.  n = 0 in our equation: R = M, b = -q.  Zeros of the dense ones are dropped, those of
 * the triplets are kept.
 */
#include <math.h>
#include <string.h>

#include "files/siconos_text.h"

/* n, then exactly n n + vectors * n numbers for one of the two counts of vectors: which, or -1 with
 * a message. */
static saddle_status read_head(saddle__scan *scan, int64_t few, int64_t many, int64_t *n)
{
    saddle_status status = saddle__scan_size(scan, "size of the problem", n);
    if (status != SADDLE_OK) return status;
    if (*n > INT32_MAX) return saddle__scan_fail(scan, "%lld rows are too many", (long long)*n);
    int64_t least = *n * *n + few * *n, most = *n * *n + many * *n;
    status = saddle__numbers_expect(scan, "M and the vectors after it", least);
    if (status != SADDLE_OK) return status;
    int ended;
    int64_t count = saddle__numbers_ahead(scan, most + 1, &ended);
    if (count <= most && !ended)
        return saddle__scan_fail(scan, "a word among the numbers after the first");
    if (count == least || count == most) return SADDLE_OK;
    if (count < most) scan->at = scan->end;
    return saddle__scan_fail(scan, "%lld rows need %lld numbers after the first, %s%lld found",
                             (long long)*n, (long long)least, count > most ? "more than " : "",
                             (long long)(count > most ? most : count));
}

/* n and R, b of the problem (NULL: walk) */
static saddle_status read_dense_lcp(saddle__scan *scan, int64_t few, int64_t many, int64_t *n,
                                    saddle_problem *problem)
{
    double *value = NULL, *q = NULL;
    saddle_matrix M = {0};
    saddle_status status = read_head(scan, few, many, n);
    if (status == SADDLE_OK && problem) {
        status = saddle__numbers_read(scan, "M", SADDLE__ACCEPT_FINITE, *n * *n, &value);
        if (status == SADDLE_OK)
            status = saddle__matrix_from_dense(scan->context, *n, *n, 1, value, &M);
        if (status == SADDLE_OK)
            status = saddle__numbers_read(scan, "q", SADDLE__ACCEPT_FINITE, *n, &q);
        if (status == SADDLE_OK)
            status = saddle__problem_take_delassus(scan->context, &M, &q, problem);
    }
    saddle_matrix_clear(&M);
    saddle_release(scan->context, value);
    saddle_release(scan->context, q);
    return status;
}

saddle_status saddle__lcp_text_read(saddle__scan *scan, saddle_problem *problem)
{
    int64_t n = 0;
    saddle_status status = read_dense_lcp(scan, 1, 2, &n, problem);
    return status == SADDLE_OK && problem
               ? saddle__problem_bound_all(scan->context, problem, 0, INFINITY)
               : status;
}

saddle_status saddle__lcp_box_read(saddle__scan *scan, saddle_problem *problem)
{
    int64_t n = 0;
    saddle_status status = read_dense_lcp(scan, 3, 3, &n, problem);
    if (status != SADDLE_OK || !problem) return status;
    status = saddle__numbers_read(scan, "lo", SADDLE__ACCEPT_INFINITE, n, &problem->lo);
    if (status == SADDLE_OK)
        status = saddle__numbers_read(scan, "hi", SADDLE__ACCEPT_INFINITE, n, &problem->hi);
    return status;
}

/* ---- triplets ---- */

typedef struct triplets {
    int64_t count, room;
    int64_t *row, *col;
    double *value;
} triplets;

static saddle_status grow(saddle_context *context, triplets *list)
{
    if (list->count < list->room) return SADDLE_OK;
    int64_t room = list->room > 0 ? 2 * list->room : 64;
    int64_t *row = saddle_reallocate(context, list->row, room, sizeof *row);
    if (row) list->row = row;
    int64_t *col = saddle_reallocate(context, list->col, room, sizeof *col);
    if (col) list->col = col;
    double *value = saddle_reallocate(context, list->value, room, sizeof *value);
    if (value) list->value = value;
    if (!row || !col || !value) return SADDLE_OUT_OF_MEMORY;
    list->room = room;
    return SADDLE_OK;
}

static saddle_status read_triplet(saddle__scan *scan, int64_t size, int keep, triplets *list)
{
    int64_t i = 0, j = 0;
    double value = 0;
    saddle_status status = saddle__scan_range(scan, "row index", 1, size, &i);
    if (status == SADDLE_OK) status = saddle__scan_range(scan, "column index", 1, size, &j);
    if (status == SADDLE_OK)
        status = saddle__scan_double(scan, "entry", SADDLE__ACCEPT_FINITE, &value);
    if (status == SADDLE_OK && keep) status = grow(scan->context, list);
    if (status != SADDLE_OK || !keep) return status;
    list->row[list->count] = i - 1;
    list->col[list->count] = j - 1;
    list->value[list->count++] = value;
    return SADDLE_OK;
}

saddle_status saddle__lcp_triplets_read(saddle__scan *scan, saddle_problem *problem)
{
    triplets list = {0};
    int64_t size = problem ? problem->m : INT64_MAX;
    saddle_status status = SADDLE_OK;
    int64_t lines = 0;
    for (; status == SADDLE_OK && !saddle__scan_at_end(scan); lines++)
        status = read_triplet(scan, size, problem != NULL, &list);
    if (status == SADDLE_OK && !problem && lines == 0)
        status = saddle__scan_fail(scan, "a line `i j v` expected");
    if (status == SADDLE_OK && problem)
        status = saddle__matrix_from_entries(scan->context, scan->label, "M", size, size,
                                             list.count, list.row, list.col, list.value,
                                             &problem->R);
    if (status == SADDLE_OK && problem) status = saddle__matrix_settle(scan->context, &problem->R);
    saddle_release(scan->context, list.row);
    saddle_release(scan->context, list.col);
    saddle_release(scan->context, list.value);
    return status;
}

saddle_status saddle__lcp_triplets_rhs(saddle__scan *scan, saddle_problem *problem)
{
    int ended;
    int64_t count = saddle__numbers_ahead(scan, INT64_MAX, &ended), size = count / 2;
    if (count == 0 || count % 2 != 0 || !ended)
        return saddle__scan_fail(scan, "q: %lld numbers are no lines `i v`", (long long)count);
    char *given = saddle_allocate(scan->context, size, 1);
    problem->b = saddle_allocate(scan->context, size, sizeof *problem->b);
    saddle_status status = given && problem->b ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; status == SADDLE_OK && k < size; k++) {
        int64_t i = 0;
        double value = 0;
        status = saddle__scan_range(scan, "index in q", 1, size, &i);
        if (status == SADDLE_OK && given[i - 1])
            status = saddle__scan_fail(scan, "q: entry %lld is given twice", (long long)i);
        if (status == SADDLE_OK)
            status = saddle__scan_double(scan, "entry of q", SADDLE__ACCEPT_FINITE, &value);
        if (status != SADDLE_OK) break;
        given[i - 1] = 1;
        problem->b[i - 1] = -value;
    }
    saddle_release(scan->context, given);
    if (status != SADDLE_OK) return status;
    saddle__scan_warn_of_cut(scan);
    problem->m = size;
    return saddle__problem_bound_all(scan->context, problem, 0, INFINITY);
}
