/* SPDX-License-Identifier: MIT */
/* The values at hand.  Without velocities K = kept - R: who factors the rows that are in by
 * themselves, or multiplies with R, goes by R's whole rows, and kkt.K is written for those alone
 * who mask it, border it or change its factor. */
#include <math.h>

#include "active/active_internal.h"

saddle_status saddle__active_values_create(saddle__active_rows *A)
{
    if (A->n > 0) return SADDLE_OK;
    A->own = saddle_allocate(A->context, A->m, sizeof(*A->own));
    A->diagonal = saddle_allocate(A->context, A->m, sizeof(*A->diagonal));
    A->others = saddle_allocate(A->context, A->m, sizeof(*A->others));
    if (!A->own || !A->diagonal || !A->others) return SADDLE_OUT_OF_MEMORY;
    return saddle__whole_rows_create(A->context, &A->kkt.K, &A->beside);
}

void saddle__active_values_clear(saddle__active_rows *A)
{
    saddle__whole_rows_clear(&A->beside);
    saddle_release(A->context, A->own);
    saddle_release(A->context, A->diagonal);
    saddle_release(A->context, A->others);
}

/* ---- all of K ---- */

static void measure(saddle__active_rows *A)
{
    const saddle_matrix *K = &A->kkt.K;
    for (int64_t j = 0; j < A->size; j++) A->norm[j] = 0.0;
    for (int64_t j = 0; j < A->size; j++) {
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++) {
            int64_t i = K->index[k];
            A->norm[i] += fabs(K->value[k]) * A->unit[j];
            if (i != j) A->norm[j] += fabs(K->value[k]) * A->unit[i];
        }
    }
}

/* ---- R by its rows ---- */

static void set_rows(saddle__active_rows *A, const saddle_matrix *R)
{
    int any = saddle_matrix_entries(R) > 0;
    if (any) saddle__whole_rows_set(&A->beside, R);
    if (any) saddle_matrix_diagonal(R, A->own);
    for (int64_t i = 0; !any && i < A->m; i++) A->own[i] = 0.0;
    for (int64_t i = 0; i < A->m; i++)
        saddle__whole_row_times_both(&A->beside, i, A->unit, &A->others[i]);
}

static void keep(saddle__active_rows *A, const double *kept)
{
    for (int64_t i = 0; i < A->m; i++) {
        A->diagonal[i] = A->own[i] - (kept ? kept[i] : 0.0);
        A->norm[i] = A->others[i] + fabs(A->diagonal[i]) * A->unit[i];
    }
}

void saddle__active_values_set(saddle__active_rows *A, const saddle_problem *problem,
                               const saddle__active_values *values)
{
    A->written = A->n > 0;
    for (int64_t j = 0; !values->shifted && j < A->size; j++)
        A->unit[j] = 1.0 / sqrt(values->rule.scale[j]);
    if (A->n > 0) {
        saddle__kkt_refresh(&A->kkt, problem, values->kept);
        measure(A);
        return;
    }
    if (!values->shifted) set_rows(A, &problem->R);
    A->part_kept = A->part_kept && values->shifted ? SADDLE__PART_BESIDE : SADDLE__PART_NOTHING;
    keep(A, values->kept);
}

void saddle__active_write(saddle__active_rows *A)
{
    if (A->written) return;
    const saddle__whole_rows *rows = &A->beside;
    double *value = A->kkt.K.value;
    int64_t count = 0;
    for (int64_t j = 0; j < A->m; j++) {
        value[count++] = -A->diagonal[j];
        for (int64_t k = rows->start[j]; k < rows->start[j + 1]; k++)
            if (rows->column[k] > j) value[count++] = -rows->value[k];
    }
    A->written = 1;
}
