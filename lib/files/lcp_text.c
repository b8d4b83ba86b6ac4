/* SPDX-License-Identifier: MIT */
/* The older texts of linear complementarity problems, w = M z + q, without remarks:
 *
 *     lcp           n, M by rows, q [, an answer, ignored]   0 <= z _|_ w >= 0
 *     box-lcp       n, M by rows, q, lo, hi (inf allowed)    w = 0 between, >= 0 at lo, <= 0 at hi
 *     lcp-triplets  i j v ..., one-based                     0 <= z _|_ w >= 0
 *                   q in a second file, i v ..., which states the size
 *
 * Read with n = 0, R = M, b = -q.  Zeros of dense texts are not stored, zeros of triplets are. */
#include <math.h>

#include "files/problem_file.h"

/* ---- dense ---- */

/* n, then n n + few * n numbers, or many in place of few, and no more. */
static saddle_status read_head(saddle__scan *scan, int64_t few, int64_t many, int64_t *n)
{
    saddle_status status = saddle__scan_size(scan, "size of the problem", n);
    if (status != SADDLE_OK) return status;
    if (*n > INT32_MAX) return saddle__scan_fail(scan, "%lld rows are too many", (long long)*n);
    int64_t least = *n * *n + few * *n, most = *n * *n + many * *n;
    status = saddle__scan_expect(scan, "M and the vectors after it", least);
    if (status != SADDLE_OK) return status;
    int ended;
    int64_t count = saddle__scan_count(scan, most + 1, &ended);
    if (count <= most && !ended)
        return saddle__scan_fail(scan, "a word among the numbers after the first");
    if (count == least || count == most) return SADDLE_OK;
    if (count < most) scan->at = scan->end;
    return saddle__scan_fail(scan, "%lld rows need %lld numbers after the first, %s%lld found",
                             (long long)*n, (long long)least, count > most ? "more than " : "",
                             (long long)(count > most ? most : count));
}

/* n, M, q into R and b of the problem. */
static saddle_status read_dense_lcp(saddle__scan *scan, int64_t few, int64_t many,
                                    saddle_problem *problem)
{
    int64_t n = 0;
    double *value = NULL;
    saddle_status status = read_head(scan, few, many, &n);
    if (status == SADDLE_OK)
        status = saddle__scan_array(scan, "M", SADDLE__ACCEPT_FINITE, n * n, &value);
    if (status == SADDLE_OK)
        status = saddle__matrix_from_dense(scan->context, n, n, 1, value, &problem->R);
    if (status == SADDLE_OK)
        status = saddle__scan_array(scan, "q", SADDLE__ACCEPT_FINITE, n, &problem->b);
    saddle_release(scan->context, value);
    return status == SADDLE_OK ? saddle__problem_set_delassus(scan->context, problem) : status;
}

static saddle_status read_text(saddle__scan *scan, saddle_problem *problem)
{
    saddle_status status = read_dense_lcp(scan, 1, 2, problem);
    if (status != SADDLE_OK) return status;
    return saddle__problem_bound_all(scan->context, problem, 0, INFINITY);
}

static saddle_status read_box(saddle__scan *scan, saddle_problem *problem)
{
    saddle_status status = read_dense_lcp(scan, 3, 3, problem);
    if (status == SADDLE_OK)
        status = saddle__scan_array(scan, "lo", SADDLE__ACCEPT_INFINITE, problem->m, &problem->lo);
    if (status == SADDLE_OK)
        status = saddle__scan_array(scan, "hi", SADDLE__ACCEPT_INFINITE, problem->m, &problem->hi);
    return status;
}

static saddle_status put_text(saddle__output *output, const saddle_problem *problem,
                              const saddle__full_parts *full)
{
    saddle_matrix Rt = {0};
    saddle_status status = saddle_matrix_transpose(output->context, &full->R, &Rt);
    if (status != SADDLE_OK) return status;
    saddle__output_integer(output, problem->m, "\n");
    for (int64_t i = 0; i < problem->m; i++) saddle__output_column(output, &Rt, i);
    saddle__output_vector(output, -1, problem->b, problem->m);
    saddle_matrix_clear(&Rt);
    return SADDLE_OK;
}

static saddle_status put_box(saddle__output *output, const saddle_problem *problem,
                             const saddle__full_parts *full)
{
    saddle_status status = put_text(output, problem, full);
    if (status == SADDLE_OK) saddle__put_bounds(output, problem);
    return status;
}

const saddle__text_format saddle__lcp_formats[] = {
    {SADDLE_FORMAT_LCP, read_text, put_text, SADDLE__TAKES_NO_RHS | SADDLE__NUMBERS_ONLY,
     SADDLE__HOLDS_POSITIVE, SADDLE__NO_VELOCITIES},
    {SADDLE_FORMAT_BOX_LCP, read_box, put_box, SADDLE__BY_NAME, SADDLE__HOLDS_BOX,
     SADDLE__NO_VELOCITIES},
    {.format = SADDLE_FORMAT_AUTO},
};

/* ---- triplets ---- */

/* Lines `i j v` to the end of the text, indices at most size; list: NULL = nothing is stored. */
static saddle_status read_triplets(saddle__scan *scan, int64_t size, saddle__entries *list)
{
    saddle_status status = SADDLE_OK;
    while (status == SADDLE_OK && !saddle__scan_at_end(scan)) {
        int64_t i = 0, j = 0;
        double value = 0;
        status = saddle__scan_range(scan, "row index", 1, size, &i);
        if (status == SADDLE_OK) status = saddle__scan_range(scan, "column index", 1, size, &j);
        if (status == SADDLE_OK)
            status = saddle__scan_double(scan, "entry", SADDLE__ACCEPT_FINITE, &value);
        if (status != SADDLE_OK || !list) continue;
        if (list->count == list->room)
            status = saddle__entries_reserve(scan->context, 2 * list->room + 64, list);
        if (status == SADDLE_OK) saddle__entries_add(list, i - 1, j - 1, value);
    }
    return status;
}

saddle_status saddle__lcp_triplets_check(saddle__scan *scan)
{
    if (saddle__scan_at_end(scan)) return saddle__scan_fail(scan, "a line `i j v` expected");
    return read_triplets(scan, INT64_MAX, NULL);
}

/* m, b and bounds from q. */
static saddle_status read_rhs(saddle__scan *scan, saddle_problem *problem)
{
    int ended;
    int64_t count = saddle__scan_count(scan, INT64_MAX, &ended), size = count / 2;
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

saddle_status saddle__lcp_triplets_read(saddle__scan *scan, saddle__scan *rhs,
                                        saddle_problem *problem)
{
    saddle__entries list = {0};
    if (!rhs)
        return saddle_fail(scan->context, SADDLE_BAD_FILE,
                           "%s: an lcp-triplets problem needs q in a second file (rhs)",
                           scan->label);
    *problem = (saddle_problem){.owner = 1, .context = scan->context};
    saddle_status status = read_rhs(rhs, problem);
    if (status == SADDLE_OK) status = read_triplets(scan, problem->m, &list);
    if (status == SADDLE_OK)
        status = saddle__entries_matrix_of(scan->context, scan->label, "M", problem->m, problem->m,
                                           &list, &problem->R);
    if (status == SADDLE_OK) status = saddle__matrix_settle(scan->context, &problem->R);
    saddle__entries_clear(scan->context, &list);
    return status;
}

/* Lines `i v`. */
static void put_indexed(saddle__output *output, int64_t count, const double *vector)
{
    for (int64_t i = 0; i < count; i++) {
        saddle__output_integer(output, i + 1, " ");
        saddle__output_double(output, vector[i], "\n");
    }
}

static void put_entries(saddle__output *output, const saddle_matrix *A)
{
    saddle__output_entries(output, A, 1, " ");
}

saddle_status saddle__lcp_triplets_write(saddle_context *context, const char *path,
                                         const saddle_problem *problem)
{
    saddle_matrix R = {0};
    if (problem->m == 0)
        return saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                           "the problem has no rows: lcp-triplets holds at least one");
    double *q = saddle_allocate(context, problem->m, sizeof *q);
    if (!q) return SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; problem->b && i < problem->m; i++) q[i] = -problem->b[i];
    saddle_status status = saddle__matrix_full(context, &problem->R, problem->m, problem->m, &R);
    const saddle__pair pair = {&R, problem->m, q, put_entries, put_indexed};
    if (status == SADDLE_OK) status = saddle__pair_write(context, path, ".q", &pair);
    saddle_release(context, q);
    saddle_matrix_clear(&R);
    return status;
}
