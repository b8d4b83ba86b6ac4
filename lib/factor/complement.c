/* SPDX-License-Identifier: MIT */
/* W = Y' D^-1 Y + R by columns: column j gathers, over the rows k that Y's column j touches, row k of Y times Y_kj /
 * d_k. */
#include "factor/complement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 160 };

/* A pivot of M below this multiple of its diagonal entry is rounding noise. */
static const double vanished = 1e-14;

void saddle__complement_clear(saddle__complement *complement)
{
    saddle__factorization_free(complement->mass);
    saddle_matrix_clear(&complement->W);
    saddle_matrix_clear(&complement->Y);
    saddle_release(complement->context, complement->row_start);
    saddle_release(complement->context, complement->row_column);
    saddle_release(complement->context, complement->row_entry);
    saddle_release(complement->context, complement->cursor);
    saddle_release(complement->context, complement->accumulator);
    saddle_release(complement->context, complement->mass_scale);
    saddle__complement empty = {0};
    *complement = empty;
}

/* ---- analyse ---------------------------------------------------------------------------------------------------- */

static saddle_status reach_of_rows(saddle__complement *s, const saddle_problem *problem)
{
    if (s->n == 0 || s->m == 0) return saddle_matrix_create(s->context, s->n, s->m, 0, SADDLE_GENERAL, &s->Y);
    return saddle__factorization_half_pattern(s->context, s->mass, &problem->Jt, &s->Y);
}

static saddle_status list_rows(saddle__complement *s)
{
    const saddle_matrix *Y = &s->Y;
    int64_t entries = saddle_matrix_entries(Y);
    s->row_start = saddle_allocate(s->context, s->n + 1, sizeof(*s->row_start));
    s->row_column = saddle_allocate(s->context, entries, sizeof(*s->row_column));
    s->row_entry = saddle_allocate(s->context, entries, sizeof(*s->row_entry));
    s->cursor = saddle_allocate(s->context, s->n, sizeof(*s->cursor));
    if (!s->row_start || !s->row_column || !s->row_entry || !s->cursor) return SADDLE_OUT_OF_MEMORY;
    for (int64_t p = 0; p < entries; p++) s->row_start[Y->index[p] + 1]++;
    for (int64_t k = 0; k < s->n; k++) s->row_start[k + 1] += s->row_start[k];
    memcpy(s->cursor, s->row_start, (size_t)s->n * sizeof(*s->cursor));
    for (int64_t j = 0; j < s->m; j++) {
        for (int64_t p = Y->start[j]; p < Y->start[j + 1]; p++) {
            int64_t at = s->cursor[Y->index[p]]++;
            s->row_column[at] = j;
            s->row_entry[at] = p;
        }
    }
    return SADDLE_OK;
}

static int ascending(const void *a, const void *b)
{
    int64_t i = *(const int64_t *)a;
    int64_t j = *(const int64_t *)b;
    return (i > j) - (i < j);
}

/* rows of column j of W, in index where it is not NULL; their number */
static int64_t column_pattern(saddle__complement *s, const saddle_matrix *R, int64_t j, int64_t *mark, int64_t *index)
{
    int64_t count = 1;
    int stored = saddle_matrix_entries(R) > 0;
    mark[j] = j + 1;
    if (index) index[0] = j;
    for (int64_t p = s->Y.start[j]; p < s->Y.start[j + 1]; p++) {
        int64_t k = s->Y.index[p];
        for (int64_t q = ++s->cursor[k]; q < s->row_start[k + 1]; q++) {
            int64_t i = s->row_column[q];
            if (mark[i] == j + 1) continue;
            mark[i] = j + 1;
            if (index) index[count] = i;
            count++;
        }
    }
    for (int64_t p = stored ? R->start[j] : 0; stored && p < R->start[j + 1]; p++) {
        int64_t i = R->index[p];
        if (mark[i] == j + 1) continue;
        mark[i] = j + 1;
        if (index) index[count] = i;
        count++;
    }
    return count;
}

static void rewind_rows(saddle__complement *s)
{
    if (s->n > 0) memcpy(s->cursor, s->row_start, (size_t)s->n * sizeof(*s->cursor));
}

static saddle_status make_pattern(saddle__complement *s, const saddle_matrix *R)
{
    int64_t *mark = saddle_allocate(s->context, s->m, sizeof(*mark));
    if (!mark) return SADDLE_OUT_OF_MEMORY;
    rewind_rows(s);
    int64_t entries = 0;
    saddle_status status = SADDLE_OK;
    for (int64_t j = 0; j < s->m && status == SADDLE_OK; j++) {
        int64_t count = column_pattern(s, R, j, mark, NULL);
        if (entries > INT64_MAX - count)
            status = saddle_fail(s->context, SADDLE_TOO_LARGE, "W has more entries than 64 bits count");
        else
            entries += count;
    }
    if (status == SADDLE_OK) status = saddle_matrix_create(s->context, s->m, s->m, entries, SADDLE_SYMMETRIC, &s->W);
    if (status == SADDLE_OK) {
        rewind_rows(s);
        memset(mark, 0, (size_t)s->m * sizeof(*mark));
        for (int64_t j = 0; j < s->m; j++) {
            int64_t *index = s->W.index + s->W.start[j];
            int64_t count = column_pattern(s, R, j, mark, index);
            qsort(index, (size_t)count, sizeof(*index), ascending);
            s->W.start[j + 1] = s->W.start[j] + count;
        }
    }
    saddle_release(s->context, mark);
    return status;
}

saddle_status saddle__complement_analyse(saddle_context *context, const saddle_problem *problem,
                                         saddle_ordering ordering, saddle__complement *s)
{
    saddle__complement fresh = {.context = context, .n = problem->n, .m = problem->m};
    *s = fresh;
    if (s->n > 0 && problem->M.symmetry != SADDLE_SYMMETRIC)
        return saddle_fail(context, SADDLE_UNSUPPORTED, "W = J M^-1 J' + R: M is not marked symmetric");
    if (problem->R.rows > 0 && problem->R.symmetry != SADDLE_SYMMETRIC)
        return saddle_fail(context, SADDLE_UNSUPPORTED, "W = J M^-1 J' + R: R is not marked symmetric");
    s->accumulator = saddle_allocate(context, s->m, sizeof(*s->accumulator));
    s->mass_scale = saddle_allocate(context, s->n, sizeof(*s->mass_scale));
    saddle_status status = s->accumulator && s->mass_scale ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) status = saddle__factorization_create(context, "cholmod", ordering, &s->mass);
    if (status == SADDLE_OK) status = saddle__factorization_analyse(s->mass, &problem->M);
    if (status == SADDLE_OK) status = reach_of_rows(s, problem);
    if (status == SADDLE_OK) status = list_rows(s);
    if (status == SADDLE_OK) status = make_pattern(s, &problem->R);
    if (status != SADDLE_OK) saddle__complement_clear(s);
    return status;
}

/* ---- form ------------------------------------------------------------------------------------------------------- */

static saddle_status factor_mass(saddle__complement *s, const saddle_problem *problem)
{
    saddle_matrix_diagonal(&problem->M, s->mass_scale);
    for (int64_t j = 0; j < s->n; j++) s->mass_scale[j] = fabs(s->mass_scale[j]);
    saddle__pivot_rule rule = {.scale = s->mass_scale, .smallest = vanished};
    saddle_status status = saddle__factorization_factor_by(s->mass, &problem->M, &rule);
    int64_t failed = saddle__factorization_counts(s->mass).failed_column;
    if (status != SADDLE_SINGULAR || failed < 0) return status;
    char name[NAME_SIZE];
    saddle_problem_describe_velocity(problem, failed, name, sizeof(name));
    return saddle_fail(s->context, SADDLE_SINGULAR,
                       "M cannot be factored: its pivot vanished at %s (M is singular, or needs pivoting)", name);
}

saddle_status saddle__complement_form(saddle__complement *s, const saddle_problem *problem)
{
    saddle_status status = factor_mass(s, problem);
    if (status == SADDLE_OK) status = saddle__factorization_half_columns(s->mass, &problem->Jt, &s->Y);
    if (status != SADDLE_OK) return status;
    const double *d = saddle__factorization_pivots(s->mass);
    const saddle_matrix *R = &problem->R;
    int stored = saddle_matrix_entries(R) > 0;
    double *w = s->accumulator;
    rewind_rows(s);
    for (int64_t j = 0; j < s->m; j++) {
        for (int64_t p = s->Y.start[j]; p < s->Y.start[j + 1]; p++) {
            int64_t k = s->Y.index[p];
            double factor = s->Y.value[p] / d[k];
            for (int64_t q = s->cursor[k]++; q < s->row_start[k + 1]; q++)
                w[s->row_column[q]] += s->Y.value[s->row_entry[q]] * factor;
        }
        for (int64_t p = stored ? R->start[j] : 0; stored && p < R->start[j + 1]; p++) w[R->index[p]] += R->value[p];
        for (int64_t p = s->W.start[j]; p < s->W.start[j + 1]; p++) {
            s->W.value[p] = w[s->W.index[p]];
            w[s->W.index[p]] = 0.0;
        }
    }
    return SADDLE_OK;
}

void saddle__complement_diagonal(const saddle__complement *complement, double *d)
{
    saddle_matrix_diagonal(&complement->W, d);
}
