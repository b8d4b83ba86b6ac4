/* SPDX-License-Identifier: MIT */
/* Parts shared by readers and writers of problem files, and the words of the formats. */
#include "files/problem_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/unset.h"
#include "matrix/matrix_internal.h"

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
    SADDLE__TRY(saddle_matrix_create(context, rows, cols, 0, SADDLE_SYMMETRY_NONE, A));
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
                                                             SADDLE_SYMMETRY_NONE, A);
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
    saddle_status status = saddle_matrix_create(context, rows, cols, entries, SADDLE_SYMMETRY_NONE,
                                                A);
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

saddle_status saddle__matrix_settle(saddle_context *context, saddle_matrix *A)
{
    int64_t unpaired, column;
    if (A->symmetry == SADDLE_SYMMETRY_LOWER || A->rows != A->cols) return SADDLE_OK;
    return saddle__matrix_fold(context, A, NAN, &unpaired, &column);
}

saddle_status saddle__matrix_full(saddle_context *context, const saddle_matrix *A, int64_t rows,
                                  int64_t cols, saddle_matrix *full)
{
    if (A->rows == 0 && A->cols == 0)
        return saddle_matrix_create(context, rows, cols, 0, SADDLE_SYMMETRY_NONE, full);
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
