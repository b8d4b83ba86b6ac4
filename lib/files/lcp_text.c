/* SPDX-License-Identifier: MIT */
/* The older texts of linear complementarity problems, w = M z + q, without remarks:
 *
 *     lcp      n, M by rows, q [, an answer, ignored]   0 <= z _|_ w >= 0
 *     box-lcp  n, M by rows, q, lo, hi (inf allowed)    w = 0 between, >= 0 at lo, <= 0 at hi
 *
 * Read with n = 0, R = M, b = -q.  Zeros are not stored. */
#include <math.h>

#include "files/problem_file.h"

/* n; n n + few * n numbers follow, or many in place of few, and no more. */
static int64_t read_head(saddle__scan *scan, int64_t few, int64_t many)
{
    int64_t n = saddle__scan_size(scan, "size of the problem");
    if (n > INT32_MAX) (void)saddle__scan_fail(scan, "%lld rows are too many", (long long)n);
    if (scan->status != SADDLE_OK) return 0;
    int64_t least = n * n + few * n, most = n * n + many * n;
    (void)saddle__scan_expect(scan, "M and the vectors after it", least);
    int ended;
    int64_t count = saddle__scan_count(scan, most + 1, &ended);
    if (count <= most && !ended)
        (void)saddle__scan_fail(scan, "a word among the numbers after the first");
    if (scan->status != SADDLE_OK || count == least || count == most) return n;
    if (count < most) scan->at = scan->end;
    (void)saddle__scan_fail(scan, "%lld rows need %lld numbers after the first, %s%lld found",
                            (long long)n, (long long)least, count > most ? "more than " : "",
                            (long long)(count > most ? most : count));
    return 0;
}

/* n, M, q into R and b of the problem. */
static void read_dense_lcp(saddle__scan *scan, int64_t few, int64_t many, saddle_problem *problem)
{
    int64_t n = read_head(scan, few, many);
    double *value = saddle__scan_array(scan, "M", 0, n * n);
    if (scan->status == SADDLE_OK)
        scan->status = saddle__matrix_from_dense(scan->context, n, n, 1, value, &problem->R);
    problem->b = saddle__scan_array(scan, "q", 0, n);
    saddle_release(scan->context, value);
    (void)saddle__problem_set_delassus(scan, problem);
}

static saddle_status read_text(saddle__scan *scan, saddle_problem *problem)
{
    read_dense_lcp(scan, 1, 2, problem);
    return saddle__problem_bound_all(scan, problem, 0, INFINITY);
}

static saddle_status read_box(saddle__scan *scan, saddle_problem *problem)
{
    read_dense_lcp(scan, 3, 3, problem);
    problem->lo = saddle__scan_array(scan, "lo", 1, problem->m);
    problem->hi = saddle__scan_array(scan, "hi", 1, problem->m);
    return scan->status;
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
