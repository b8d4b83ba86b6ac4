/* SPDX-License-Identifier: MIT */
/* Parts shared by readers and writers of problem files, the words of the formats, and the two short
 * texts of LCPs. */
#include "files/problem_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/unset.h"
#include "matrix/matrix_internal.h"

/* ---- the older texts of linear complementarity problems, w = M z + q, without remarks ----
 *
 *     lcp      n, M by rows, q [, an answer, ignored]   0 <= z _|_ w >= 0
 *     box-lcp  n, M by rows, q, lo, hi (inf allowed)    w = 0 between, >= 0 at lo, <= 0 at hi
 *
 * Read with n = 0, R = M, b = -q.  Zeros are not stored. */

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

static const saddle__text_format lcp_formats[] = {
    {SADDLE_FORMAT_LCP, read_text, put_text, SADDLE__TAKES_NO_RHS | SADDLE__NUMBERS_ONLY,
     SADDLE__HOLDS_POSITIVE, SADDLE__NO_VELOCITIES},
    {SADDLE_FORMAT_BOX_LCP, read_box, put_box, SADDLE__BY_NAME, SADDLE__HOLDS_BOX,
     SADDLE__NO_VELOCITIES},
    {.format = SADDLE_FORMAT_AUTO},
};

/* ---- formats ---- */

static const char *const words[] = {
#define SADDLE_FORMAT_WORD(name, word, text) word,
    SADDLE_FORMAT_LIST(SADDLE_FORMAT_WORD)
#undef SADDLE_FORMAT_WORD
};
enum { WORDS_SIZE = sizeof words / sizeof words[0] };

const char *saddle_format_word(saddle_format format)
{
    return (int)format >= 0 && (int)format < WORDS_SIZE ? words[format] : "?";
}

saddle_status saddle_format_from_word(const char *word, saddle_format *format)
{
    if (!word || !format) return SADDLE_INVALID_ARGUMENT;
    for (int k = 0; k < WORDS_SIZE; k++) {
        if (strcmp(words[k], word) != 0) continue;
        *format = (saddle_format)k;
        return SADDLE_OK;
    }
    return SADDLE_UNKNOWN_NAME;
}

const saddle__text_format *saddle__text_format_at(int k)
{
    const saddle__text_format *text = saddle__siconos_formats;
    for (; text->format != SADDLE_FORMAT_AUTO; text++, k--)
        if (k == 0) return text;
    text = lcp_formats + k;
    return text->format != SADDLE_FORMAT_AUTO ? text : NULL;
}

const saddle__binary_format *const saddle__binary_formats[] = {&saddle__fclib_format,
                                                               &saddle__mat_format, NULL};

/* ---- matrices ---- */

saddle_status saddle__entries_reserve(saddle_context *context, int64_t room, saddle__entries *list)
{
    if (list->row && room <= list->room) return SADDLE_OK;
    saddle_status status = saddle__grow(context, &list->row, room, sizeof *list->row);
    if (status == SADDLE_OK) status = saddle__grow(context, &list->col, room, sizeof *list->col);
    if (status == SADDLE_OK)
        status = saddle__grow(context, &list->value, room, sizeof *list->value);
    if (status == SADDLE_OK) list->room = room;
    return status;
}

/* The first repeated entry of the list from which A is made. */
static saddle_status find_repeated(saddle_context *context, const saddle__entries *list,
                                   const saddle_matrix *A, int64_t *repeated)
{
    char *seen = saddle_allocate(context, saddle_matrix_entries(A), 1);
    if (!seen) return SADDLE_OUT_OF_MEMORY;
    for (*repeated = 0; *repeated < list->count - 1; ++*repeated) {
        int64_t at = saddle__matrix_find(A, list->row[*repeated], list->col[*repeated]);
        if (seen[at]) break;
        seen[at] = 1;
    }
    saddle_release(context, seen);
    return SADDLE_OK;
}

/* 1: a full list of entries of a rows x cols matrix, in the order of a matrix: by columns, rows
 * ascending. */
static int is_ordered(const saddle__entries *list, int64_t rows, int64_t cols)
{
    const int64_t *row = list->row, *col = list->col;
    if (list->count == 0 || list->count < list->room) return 0;
    for (int64_t k = 0; k < list->count; k++) {
        if (row[k] < 0 || row[k] >= rows || col[k] < 0 || col[k] >= cols) return 0;
        if (k > 0 && (col[k] < col[k - 1] || (col[k] == col[k - 1] && row[k] <= row[k - 1])))
            return 0;
    }
    return 1;
}

/* Rows and values of an ordered list become A's. */
static saddle_status take_ordered(saddle_context *context, int64_t rows, int64_t cols,
                                  saddle__entries *list, saddle_matrix *A)
{
    SADDLE__TRY(saddle_matrix_create(context, rows, cols, 0, SADDLE_GENERAL, A));
    saddle__release_all(context, A->index, A->value);
    for (int64_t k = 0; k < list->count; k++) A->start[list->col[k]]++;
    saddle__cumulate(A->start, cols);
    A->index = list->row;
    A->value = list->value;
    list->row = NULL;
    list->value = NULL;
    return SADDLE_OK;
}

saddle_status saddle__entries_matrix(saddle_context *context, const char *label, const char *name,
                                     int64_t rows, int64_t cols, saddle__entries *list,
                                     saddle_matrix *A, int64_t *repeated)
{
    int64_t k = -1;
    saddle_status status = is_ordered(list, rows, cols)
                               ? take_ordered(context, rows, cols, list, A)
                               : saddle_matrix_from_triplets(context, rows, cols, list->count,
                                                             list->row, list->col, list->value,
                                                             SADDLE_GENERAL, A);
    if (status == SADDLE_OK && saddle_matrix_entries(A) < list->count)
        status = find_repeated(context, list, A, &k);
    if (repeated) *repeated = k;
    if (status != SADDLE_OK || k < 0 || repeated) return status;
    return saddle_fail(context, SADDLE_BAD_FILE,
                       "%s: %s: entry (%lld, %lld), counted from 1, is given twice", label, name,
                       (long long)list->row[k] + 1, (long long)list->col[k] + 1);
}

saddle_status saddle__matrix_from_dense(saddle_context *context, int64_t rows, int64_t cols,
                                        int by_rows, const double *value, saddle_matrix *A)
{
    int64_t entries = 0;
    for (int64_t k = 0; k < rows * cols; k++) entries += value[k] != 0;
    saddle_status status = saddle_matrix_create(context, rows, cols, entries, SADDLE_GENERAL, A);
    if (status != SADDLE_OK) return status;
    int64_t stride_row = by_rows ? cols : 1, stride_col = by_rows ? 1 : rows, k = 0;
    for (int64_t j = 0; j < cols; j++) {
        for (int64_t i = 0; i < rows; i++) {
            double entry = value[i * stride_row + j * stride_col];
            if (entry == 0) continue;
            A->index[k] = i;
            A->value[k++] = entry;
        }
        A->start[j + 1] = k;
    }
    return SADDLE_OK;
}

/* The first stored entry that differs from the mirror image, and the column; -1 = none. */
static int64_t find_unpaired(const saddle_matrix *A, double absent, int64_t *column)
{
    int64_t entries = saddle_matrix_entries(A);
    for (int64_t j = 0; entries > 0 && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t mirror = saddle__matrix_find(A, j, A->index[k]);
            *column = j;
            if (A->value[k] != (mirror >= 0 ? A->value[mirror] : absent)) return k;
        }
    return -1;
}

saddle_status saddle__matrix_fold(saddle_context *context, saddle_matrix *A, double absent,
                                  int64_t *unpaired, int64_t *column)
{
    saddle_matrix lower = {0};
    *unpaired = find_unpaired(A, absent, column);
    if (*unpaired >= 0) return SADDLE_OK;
    saddle_status status = saddle_matrix_lower(context, A, &lower);
    if (status != SADDLE_OK) return status;
    saddle_matrix_clear(A);
    *A = lower;
    return SADDLE_OK;
}

saddle_status saddle__matrix_settle(saddle_context *context, saddle_matrix *A)
{
    int64_t unpaired, column;
    if (A->symmetry == SADDLE_SYMMETRIC || A->rows != A->cols) return SADDLE_OK;
    return saddle__matrix_fold(context, A, NAN, &unpaired, &column);
}

saddle_status saddle__matrix_full(saddle_context *context, const saddle_matrix *A, int64_t rows,
                                  int64_t cols, saddle_matrix *full)
{
    if (A->rows == 0 && A->cols == 0)
        return saddle_matrix_create(context, rows, cols, 0, SADDLE_GENERAL, full);
    return saddle_matrix_expand(context, A, full);
}

/* ---- problems ---- */

saddle_status saddle__problem_check_file(saddle_context *context, const char *label,
                                         const saddle_problem *problem)
{
    saddle_status status = saddle_problem_check(context, problem, NULL, NULL);
    if (status != SADDLE_INVALID_PROBLEM) return status;
    char finding[SADDLE__MESSAGE_SIZE];
    snprintf(finding, sizeof finding, "%s", saddle_context_message(context));
    return saddle_fail(context, SADDLE_BAD_FILE, "%s: %s", label, finding);
}

saddle_status saddle__problem_set_delassus(saddle__scan *scan, saddle_problem *problem)
{
    if (scan->status != SADDLE_OK) return scan->status;
    problem->m = problem->R.rows;
    for (int64_t i = 0; i < problem->m; i++) problem->b[i] = -problem->b[i];
    return scan->status = saddle__matrix_settle(scan->context, &problem->R);
}

saddle_status saddle__problem_bound_all(saddle__scan *scan, saddle_problem *problem, double lo,
                                        double hi)
{
    problem->lo = saddle__scan_allocate(scan, problem->m, sizeof *problem->lo);
    problem->hi = saddle__scan_allocate(scan, problem->m, sizeof *problem->hi);
    for (int64_t i = 0; scan->status == SADDLE_OK && i < problem->m; i++) {
        problem->lo[i] = lo;
        problem->hi[i] = hi;
    }
    return scan->status;
}

saddle_status saddle__problem_contacts(saddle_context *context, saddle_problem *problem,
                                       int64_t dim, int64_t count, const double *mu,
                                       const double *rolling)
{
    problem->law = SADDLE_LAW_CONE;
    if (count == 0) return SADDLE_OK;
    problem->contacts = saddle_allocate(context, count, sizeof *problem->contacts);
    if (!problem->contacts) return SADDLE_OUT_OF_MEMORY;
    problem->contact_count = count;
    for (int64_t c = 0; c < count; c++)
        problem->contacts[c] = (saddle_contact){.row = c * dim,
                                                .size = dim,
                                                .mu = mu[c],
                                                .mu_rolling = dim == SADDLE__ROLLING_SIZE
                                                                  ? rolling[c]
                                                                  : 0};
    return SADDLE_OK;
}

void saddle__put_bounds(saddle__output *output, const saddle_problem *problem)
{
    for (int side = 0; side < 2; side++)
        for (int64_t i = 0; i < problem->m; i++)
            saddle__output_double(output,
                                  side ? saddle_problem_hi(problem, i)
                                       : saddle_problem_lo(problem, i),
                                  i + 1 < problem->m ? " " : "\n");
}
