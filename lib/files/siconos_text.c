/* SPDX-License-Identifier: MIT */
/* What the readers of problem texts share: runs of numbers, the end of the text, and the parts of a
 * problem. */
#include "files/siconos_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "files/number.h"

enum { NOUN_SIZE = 64 };

/* The number at the scan's place, if a whole token is one; *next is then one past it. */
static saddle__number_kind token_number(const saddle__scan *scan, const char **next)
{
    double value;
    saddle__number_kind kind = saddle__number_parse(scan->at, scan->end, &value, next);
    if (kind == SADDLE__NUMBER_NONE) return kind;
    const char *end = *next;
    int ended = end == scan->end || *end == ' ' || (*end >= '\t' && *end <= '\r');
    return ended ? kind : SADDLE__NUMBER_NONE;
}

/* 1 where the token at a place looks like a number, infinities and NaN among them; at < end. */
static int is_numberlike(const char *at, const char *end)
{
    char c = *at;
    if (c == 'n' || c == 'N') return end - at >= 3 && (at[1] == 'a' || at[1] == 'A');
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'i' || c == 'I';
}

/* Passes count tokens that could be numbers, without converting them. */
static saddle_status walk_numbers(saddle__scan *scan, const char *what, int64_t count)
{
    const char *at = scan->at, *end = scan->end;
    for (int64_t k = 0; k < count; k++) {
        while (at < end && (*at == ' ' || (*at >= '\t' && *at <= '\r'))) at++;
        scan->at = at;
        if (at == end || !is_numberlike(at, end))
            return saddle__scan_fail(scan, "%s: number %lld of %lld is missing", what,
                                     (long long)k + 1, (long long)count);
        while (at < end && *at != ' ' && !(*at >= '\t' && *at <= '\r')) at++;
    }
    scan->at = at;
    return SADDLE_OK;
}

saddle_status saddle__numbers_read(saddle__scan *scan, const char *what, saddle__scan_accept accept,
                                   int64_t count, double **value)
{
    if (!value) return walk_numbers(scan, what, count);
    saddle_status status = saddle__numbers_expect(scan, what, count);
    if (status != SADDLE_OK) return status;
    *value = saddle_allocate(scan->context, count > 0 ? count : 1, sizeof **value);
    if (!*value) return SADDLE_OUT_OF_MEMORY;
    status = saddle__scan_doubles(scan, what, accept, count, *value);
    if (status == SADDLE_OK) return status;
    saddle_release(scan->context, *value);
    *value = NULL;
    return status;
}

saddle_status saddle__problem_end(saddle__scan *scan)
{
    const char *next;
    int line_ended = saddle__scan_line_ends(scan);
    if (saddle__scan_at_end(scan)) return SADDLE_OK;
    if (token_number(scan, &next) != SADDLE__NUMBER_NONE)
        return saddle__scan_fail(scan, "a number after the end of the problem");
    /* a printed matrix is no remark: W q mu could otherwise be M and the beginning of a sparse H */
    if (line_ended && !saddle__scan_literal(scan, "CSparse")) return SADDLE_OK;
    return saddle__scan_fail(
        scan, "text after the end of the problem: a remark begins on a line of its own");
}

saddle_status saddle__numbers_expect(saddle__scan *scan, const char *what, int64_t count)
{
    char noun[NOUN_SIZE];
    snprintf(noun, sizeof noun, "numbers of %s", what);
    return saddle__scan_expect(scan, noun, count);
}

int64_t saddle__numbers_ahead(const saddle__scan *scan, int64_t most, int *ended)
{
    saddle__scan ahead = *scan;
    const char *next;
    int64_t count = 0;
    while (count < most && !saddle__scan_at_end(&ahead) &&
           token_number(&ahead, &next) != SADDLE__NUMBER_NONE) {
        ahead.at = next;
        count++;
    }
    if (ended) *ended = saddle__scan_at_end(&ahead);
    return count;
}

/* The position of entry (i, j) in A, which has it. */
static int64_t position(const saddle_matrix *A, int64_t i, int64_t j)
{
    int64_t low = A->start[j], high = A->start[j + 1] - 1;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (A->index[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A, made from the triplets, has fewer entries than they are: names the first that came twice. */
static saddle_status name_duplicate(saddle_context *context, const char *label, const char *name,
                                    int64_t count, const int64_t *row, const int64_t *col,
                                    const saddle_matrix *A)
{
    char *seen = saddle_allocate(context, saddle_matrix_entries(A), 1);
    if (!seen) return SADDLE_OUT_OF_MEMORY;
    int64_t k = 0;
    while (k < count - 1 && !seen[position(A, row[k], col[k])]) {
        seen[position(A, row[k], col[k])] = 1;
        k++;
    }
    saddle_release(context, seen);
    return saddle_fail(context, SADDLE_BAD_FILE,
                       "%s: %s: entry (%lld, %lld), counted from 1, is given twice", label, name,
                       (long long)row[k] + 1, (long long)col[k] + 1);
}

saddle_status saddle__matrix_from_entries(saddle_context *context, const char *label,
                                          const char *name, int64_t rows, int64_t cols,
                                          int64_t count, const int64_t *row, const int64_t *col,
                                          const double *value, saddle_matrix *A)
{
    saddle_status status = saddle_matrix_from_triplets(context, rows, cols, count, row, col, value,
                                                       SADDLE_GENERAL, A);
    if (status != SADDLE_OK || saddle_matrix_entries(A) == count) return status;
    status = name_duplicate(context, label, name, count, row, col, A);
    saddle_matrix_clear(A);
    return status;
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

static int equal_entries(const saddle_matrix *A, const saddle_matrix *B)
{
    int64_t entries = saddle_matrix_entries(A);
    if (entries != saddle_matrix_entries(B)) return 0;
    for (int64_t j = 0; j <= A->cols; j++)
        if (A->start[j] != B->start[j]) return 0;
    for (int64_t k = 0; k < entries; k++)
        if (A->index[k] != B->index[k] || A->value[k] != B->value[k]) return 0;
    return 1;
}

saddle_status saddle__matrix_settle(saddle_context *context, saddle_matrix *A)
{
    if (A->symmetry == SADDLE_SYMMETRIC || A->rows != A->cols) return SADDLE_OK;
    saddle_matrix other = {0};
    saddle_status status = saddle_matrix_transpose(context, A, &other);
    if (status != SADDLE_OK) return status;
    int symmetric = equal_entries(A, &other);
    saddle_matrix_clear(&other);
    if (!symmetric) return SADDLE_OK;
    status = saddle_matrix_lower(context, A, &other);
    if (status != SADDLE_OK) return status;
    saddle_matrix_clear(A);
    *A = other;
    return SADDLE_OK;
}

saddle_status saddle__problem_take_delassus(saddle_context *context, saddle_matrix *R, double **q,
                                            saddle_problem *problem)
{
    problem->m = R->rows;
    problem->R = *R;
    problem->b = *q;
    memset(R, 0, sizeof *R);
    *q = NULL;
    for (int64_t i = 0; problem->b && i < problem->m; i++) problem->b[i] = -problem->b[i];
    return saddle__matrix_settle(context, &problem->R);
}

saddle_status saddle__problem_bound_all(saddle_context *context, saddle_problem *problem, double lo,
                                        double hi)
{
    int64_t m = problem->m;
    problem->lo = saddle_allocate(context, m > 0 ? m : 1, sizeof *problem->lo);
    problem->hi = saddle_allocate(context, m > 0 ? m : 1, sizeof *problem->hi);
    if (!problem->lo || !problem->hi) return SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < m; i++) {
        problem->lo[i] = lo;
        problem->hi[i] = hi;
    }
    return SADDLE_OK;
}

saddle_status saddle__problem_contacts(saddle_context *context, saddle_problem *problem,
                                       int64_t dim, int64_t count, const double *mu)
{
    problem->law = SADDLE_LAW_CONE;
    if (count == 0) return SADDLE_OK;
    problem->contacts = saddle_allocate(context, count, sizeof *problem->contacts);
    if (!problem->contacts) return SADDLE_OUT_OF_MEMORY;
    problem->contact_count = count;
    for (int64_t c = 0; c < count; c++)
        problem->contacts[c] = (saddle_contact){c * dim, dim, mu[c]};
    return SADDLE_OK;
}
