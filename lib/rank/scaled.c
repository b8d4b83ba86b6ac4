/* SPDX-License-Identifier: MIT */
/* Natural units of velocities and rows, and the rows of [J R] in these units (rank_internal.h). */
#include <math.h>

#include "base/vector.h"
#include "problem/verdict.h"
#include "rank/rank_internal.h"

/* ---- units ---- */

static int64_t first_entry(const saddle_matrix *A, int64_t column)
{
    return A->start && column <= A->cols ? A->start[column] : 0;
}

/* Length of row i of J in the units. */
static double length_of(const saddle_matrix *Jt, const double *unit, int64_t i)
{
    double most = 0.0;
    for (int64_t k = first_entry(Jt, i); k < first_entry(Jt, i + 1); k++)
        most = fmax(most, fabs(Jt->value[k]) * unit[Jt->index[k]]);
    if (!(most > 0.0)) return 0.0;
    double sum = 0.0;
    for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
        double part = Jt->value[k] * unit[Jt->index[k]] / most;
        sum += part * part;
    }
    return most * sqrt(sum);
}

void saddle__rank_units(const saddle_problem *problem, double *unit, double *length)
{
    saddle__natural_units(problem, unit, length);
    for (int64_t j = 0; j < problem->n; j++) {
        unit[j] = sqrt(unit[j]);
        if (!(unit[j] > 0.0 && isfinite(unit[j]))) unit[j] = 1.0;
    }
    for (int64_t i = 0; i < problem->m; i++) length[i] = length_of(&problem->Jt, unit, i);
}

/* ---- rows ---- */

void saddle__rank_equalities(const saddle_problem *problem, signed char *equality)
{
    for (int64_t i = 0; i < problem->m; i++)
        equality[i] = saddle_problem_bound_kind(problem, i) == SADDLE_ROW_EQUALITY;
    for (int64_t c = 0; c < problem->contact_count; c++)
        for (int64_t t = 0; t < problem->contacts[c].size; t++)
            equality[problem->contacts[c].row + t] = 0;
}

/* Row i of R as column i of Rt. */
static saddle_status rows_of_compliance(saddle_context *context, const saddle_problem *problem,
                                        int ignored, saddle_matrix *Rt)
{
    const saddle_matrix *R = &problem->R;
    if (ignored || saddle_matrix_entries(R) == 0) return SADDLE_OK;
    return R->symmetry == SADDLE_SYMMETRIC ? saddle_matrix_expand(context, R, Rt)
                                           : saddle_matrix_transpose(context, R, Rt);
}

/* The length of row i of R: |R_ii|^1/2, or by the largest entry if R_ii is 0; 1 for a row of
 * zeros. */
static double compliance_length(const saddle_matrix *Rt, int64_t i)
{
    double diagonal = 0.0;
    double most = 0.0;
    for (int64_t p = first_entry(Rt, i); p < first_entry(Rt, i + 1); p++) {
        most = fmax(most, fabs(Rt->value[p]));
        if (Rt->index[p] == i) diagonal = fabs(Rt->value[p]);
    }
    if (most == 0.0) return 1.0;
    return sqrt(diagonal > 0.0 ? diagonal : most);
}

/* Appends row i of the problem to Bt; the columns of R are not yet scaled.  most (m): the largest
 * entry of each column of R so far. */
static void append_row(saddle__scaled_rows *s, const saddle_problem *problem,
                       const saddle_matrix *Rt, const double *unit, int64_t i, double *most)
{
    const saddle_matrix *Jt = &problem->Jt;
    int64_t k = s->count++;
    int64_t at = s->Bt.start[k];
    s->row[k] = i;
    if (!(s->length[k] > 0.0)) s->length[k] = compliance_length(Rt, i);
    for (int64_t p = first_entry(Jt, i); p < first_entry(Jt, i + 1); p++) {
        if (Jt->value[p] == 0.0) continue;
        s->Bt.index[at] = Jt->index[p];
        s->Bt.value[at++] = Jt->value[p] * unit[Jt->index[p]] / s->length[k];
    }
    for (int64_t p = first_entry(Rt, i); p < first_entry(Rt, i + 1); p++) {
        if (Rt->value[p] == 0.0) continue;
        s->Bt.index[at] = problem->n + Rt->index[p];
        s->Bt.value[at] = Rt->value[p] / s->length[k];
        most[Rt->index[p]] = fmax(most[Rt->index[p]], fabs(s->Bt.value[at++]));
    }
    s->Bt.start[k + 1] = at;
}

static saddle_status scale_compliance(saddle__scaled_rows *s, int64_t n, const double *most)
{
    for (int64_t k = 0; k < s->count; k++) {
        int64_t from = s->Bt.start[k];
        int64_t to = s->Bt.start[k + 1];
        for (int64_t p = from; p < to; p++)
            if (s->Bt.index[p] >= n) s->Bt.value[p] /= most[s->Bt.index[p] - n];
        if (!saddle__is_finite(s->Bt.value + from, to - from))
            return saddle_fail(s->context, SADDLE_INVALID_PROBLEM,
                               "rank: row %lld: an entry overflows in the natural unit of the row",
                               (long long)s->row[k] + 1);
    }
    return SADDLE_OK;
}

static saddle_status fill(saddle__scaled_rows *s, const saddle_problem *problem, int all_rows,
                          const saddle_matrix *Rt)
{
    int64_t m = problem->m;
    saddle_context *context = s->context;
    double *unit = saddle_allocate(context, problem->n, sizeof *unit);
    double *most = saddle_allocate(context, m, sizeof *most);
    signed char *equality = saddle_allocate(context, m, sizeof *equality);
    saddle_status status = unit && most && equality ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) {
        saddle__rank_units(problem, unit, s->length);
        saddle__rank_equalities(problem, equality);
        for (int64_t i = 0; i < m; i++) {
            if (!all_rows && !equality[i]) continue;
            s->length[s->count] = s->length[i];
            append_row(s, problem, Rt, unit, i, most);
        }
        status = scale_compliance(s, problem->n, most);
    }
    saddle_release(context, unit);
    saddle_release(context, most);
    saddle_release(context, equality);
    return status;
}

saddle_status saddle__scaled_rows_create(saddle_context *context, const saddle_problem *problem,
                                         const saddle_rank_options *options, saddle__scaled_rows *s)
{
    int64_t m = problem->m;
    saddle_matrix Rt = {0};
    *s = (saddle__scaled_rows){.context = context};
    if (problem->n > INT64_MAX - 1 - m)
        return saddle_fail(context, SADDLE_TOO_LARGE, "rank: n + m overflows");
    s->row = saddle_allocate(context, m, sizeof *s->row);
    s->length = saddle_allocate(context, m, sizeof *s->length);
    if (!s->row || !s->length) return SADDLE_OUT_OF_MEMORY;
    saddle_status status = rows_of_compliance(context, problem, options->ignore_compliance, &Rt);
    if (status == SADDLE_OK)
        status = saddle_matrix_create(context, problem->n + m, m,
                                      saddle_matrix_entries(&problem->Jt) +
                                          saddle_matrix_entries(&Rt),
                                      SADDLE_GENERAL, &s->Bt);
    if (status == SADDLE_OK) status = fill(s, problem, options->all_rows, &Rt);
    s->Bt.cols = s->count;
    saddle_matrix_clear(&Rt);
    return status;
}

void saddle__scaled_rows_clear(saddle__scaled_rows *s)
{
    saddle_release(s->context, s->row);
    saddle_release(s->context, s->length);
    saddle_matrix_clear(&s->Bt);
    *s = (saddle__scaled_rows){0};
}
