/* SPDX-License-Identifier: MIT */
/* See scaled.h. */
#include "rank/scaled.h"

#include <math.h>

#include "base/vector.h"

void saddle__scaled_clear(saddle__scaled *s)
{
    saddle_release(s->context, s->row);
    saddle_release(s->context, s->length);
    saddle_release(s->context, s->unit);
    saddle_release(s->context, s->state);
    saddle_matrix_clear(&s->Bt);
    saddle__scaled empty = {0};
    *s = empty;
}

/* ---- units ---- */

static int64_t first_entry(const saddle_matrix *A, int64_t column)
{
    return A->start && column <= A->cols ? A->start[column] : 0;
}

/* size[j] = |M_jj|, where that is 0 the largest M_jk^2 / |M_kk| */
static void mass_sizes(const saddle_matrix *M, int64_t n, double *size)
{
    if (saddle_matrix_entries(M) == 0) return;
    saddle_matrix_diagonal(M, size);
    for (int64_t j = 0; j < n; j++) size[j] = -fabs(size[j]); /* below zero: from the diagonal */
    for (int64_t j = 0; j < n; j++) {
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++) {
            int64_t i = M->index[k];
            double square = M->value[k] * M->value[k];
            if (!(size[j] < 0.0) && size[i] < 0.0) size[j] = fmax(size[j], square / -size[i]);
            if (!(size[i] < 0.0) && size[j] < 0.0) size[i] = fmax(size[i], square / -size[j]);
        }
    }
    for (int64_t j = 0; j < n; j++) size[j] = fabs(size[j]);
}

double saddle__scaled_length(const saddle_problem *problem, const double *unit, int64_t i)
{
    const saddle_matrix *Jt = &problem->Jt;
    double most = 0.0;
    for (int64_t k = first_entry(Jt, i); k < first_entry(Jt, i + 1); k++)
        most = fmax(most, fabs(Jt->value[k]) * fmax(unit[Jt->index[k]], 0.0));
    if (!(most > 0.0)) return 0.0;
    double sum = 0.0;
    for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
        double part = Jt->value[k] * fmax(unit[Jt->index[k]], 0.0) / most;
        sum += part * part;
    }
    return most * sqrt(sum);
}

/* Velocities that M says nothing of: as large as makes their entries as long as the rest of a row,
 * or as the row. */
static void massless_units(const saddle_problem *problem, const double *size, double *unit)
{
    const saddle_matrix *Jt = &problem->Jt;
    for (int64_t i = 0; i < problem->m; i++) {
        double length = saddle__scaled_length(problem, unit, i);
        double most = 0.0;
        for (int64_t k = first_entry(Jt, i); k < first_entry(Jt, i + 1); k++)
            most = fmax(most, fabs(Jt->value[k]));
        for (int64_t k = first_entry(Jt, i); k < first_entry(Jt, i + 1); k++) {
            int64_t j = Jt->index[k];
            if (size[j] > 0.0 || Jt->value[k] == 0.0) continue;
            double wanted = (length > 0.0 ? length : most) / fabs(Jt->value[k]);
            if (unit[j] == 0.0 || -wanted > unit[j])
                unit[j] = -wanted; /* below zero: not to be used yet */
        }
    }
}

saddle_status saddle__scaled_units(saddle_context *context, const saddle_problem *problem,
                                   double *unit)
{
    double *size = saddle_allocate(context, problem->n, sizeof(*size));
    if (!size) return SADDLE_OUT_OF_MEMORY;
    mass_sizes(&problem->M, problem->n, size);
    for (int64_t j = 0; j < problem->n; j++) unit[j] = size[j] > 0.0 ? 1.0 / sqrt(size[j]) : 0.0;
    massless_units(problem, size, unit);
    for (int64_t j = 0; j < problem->n; j++) {
        unit[j] = fabs(unit[j]);
        if (!(unit[j] > 0.0 && isfinite(unit[j]))) unit[j] = 1.0;
    }
    saddle_release(context, size);
    return SADDLE_OK;
}

/* ---- rows ---- */

void saddle__scaled_equalities(const saddle_problem *problem, signed char *equality)
{
    for (int64_t i = 0; i < problem->m; i++)
        equality[i] = saddle_problem_bound_kind(problem, i) == SADDLE_ROW_EQUALITY;
    for (int64_t c = 0; c < problem->contact_count; c++)
        for (int64_t t = 0; t < problem->contacts[c].size; t++)
            equality[problem->contacts[c].row + t] = 0;
}

static saddle_status choose_rows(saddle__scaled *s, const saddle_problem *problem, int all)
{
    int64_t m = problem->m;
    s->row = saddle_allocate(s->context, m, sizeof(*s->row));
    s->length = saddle_allocate(s->context, m, sizeof(*s->length));
    s->state = saddle_allocate(s->context, m, sizeof(*s->state));
    s->unit = saddle_allocate(s->context, problem->n, sizeof(*s->unit));
    if (!s->row || !s->length || !s->state || !s->unit) return SADDLE_OUT_OF_MEMORY;
    saddle__scaled_equalities(problem, s->state);
    for (int64_t i = 0; i < m; i++) {
        if (all || s->state[i]) s->row[s->count++] = i;
        s->state[i] = SADDLE__ROW_OPEN;
    }
    return SADDLE_OK;
}

/* row i of R as column i */
static saddle_status rows_of_compliance(saddle_context *context, const saddle_problem *problem,
                                        int ignored, saddle_matrix *Rt)
{
    const saddle_matrix *R = &problem->R;
    if (ignored || saddle_matrix_entries(R) == 0) return SADDLE_OK;
    return R->symmetry == SADDLE_SYMMETRIC ? saddle_matrix_expand(context, R, Rt)
                                           : saddle_matrix_transpose(context, R, Rt);
}

/* The length of row i of R alone: |R_ii|^1/2, by its largest entry where that is 0; 1 where it has
 * none. */
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

/* Bt's column k is appended; R is not yet scaled */
static void append_row(saddle__scaled *s, const saddle_problem *problem, const saddle_matrix *Rt,
                       int64_t k)
{
    const saddle_matrix *Jt = &problem->Jt;
    int64_t i = s->row[k];
    int64_t at = s->Bt.start[k];
    double length = saddle__scaled_length(problem, s->unit, i);
    s->length[k] = length > 0.0 ? length : compliance_length(Rt, i);
    for (int64_t p = first_entry(Jt, i); p < first_entry(Jt, i + 1); p++) {
        if (Jt->value[p] == 0.0) continue;
        s->Bt.index[at] = Jt->index[p];
        s->Bt.value[at++] = Jt->value[p] * s->unit[Jt->index[p]] / s->length[k];
    }
    for (int64_t p = first_entry(Rt, i); p < first_entry(Rt, i + 1); p++) {
        if (Rt->value[p] == 0.0) continue;
        s->Bt.index[at] = problem->n + Rt->index[p];
        s->Bt.value[at++] = Rt->value[p] / s->length[k];
    }
    s->Bt.start[k + 1] = at;
}

static saddle_status scale_compliance(saddle__scaled *s, int64_t n)
{
    int64_t m = s->Bt.rows - n;
    double *most = saddle_allocate(s->context, m, sizeof(*most));
    if (!most) return SADDLE_OUT_OF_MEMORY;
    int64_t entries = saddle_matrix_entries(&s->Bt);
    for (int64_t p = 0; p < entries; p++) {
        int64_t c = s->Bt.index[p] - n;
        if (c >= 0) most[c] = fmax(most[c], fabs(s->Bt.value[p]));
    }
    for (int64_t p = 0; p < entries; p++) {
        int64_t c = s->Bt.index[p] - n;
        if (c >= 0) s->Bt.value[p] /= most[c];
    }
    saddle_release(s->context, most);
    return SADDLE_OK;
}

static saddle_status check_range(const saddle__scaled *s)
{
    for (int64_t k = 0; k < s->count; k++)
        if (!saddle__is_finite(s->Bt.value + s->Bt.start[k], s->Bt.start[k + 1] - s->Bt.start[k]))
            return saddle_fail(
                s->context, SADDLE_INVALID_PROBLEM,
                "rank: row %lld: an entry is beyond all numbers in the natural unit of the row",
                (long long)s->row[k] + 1);
    return SADDLE_OK;
}

saddle_status saddle__scaled_make(saddle_context *context, const saddle_problem *problem,
                                  const saddle_rank_options *options, saddle__scaled *s)
{
    saddle__scaled fresh = {.context = context};
    *s = fresh;
    saddle_matrix Rt = {0};
    if (problem->n > INT64_MAX - 1 - problem->m)
        return saddle_fail(context, SADDLE_TOO_LARGE, "rank: n + m overflows");
    saddle_status status = choose_rows(s, problem, options->all_rows);
    if (status == SADDLE_OK)
        status = rows_of_compliance(context, problem, options->ignore_compliance, &Rt);
    if (status == SADDLE_OK) status = saddle__scaled_units(context, problem, s->unit);
    if (status == SADDLE_OK)
        status = saddle_matrix_create(context, problem->n + problem->m, s->count,
                                      saddle_matrix_entries(&problem->Jt) +
                                          saddle_matrix_entries(&Rt),
                                      SADDLE_GENERAL, &s->Bt);
    for (int64_t k = 0; status == SADDLE_OK && k < s->count; k++) append_row(s, problem, &Rt, k);
    if (status == SADDLE_OK && Rt.start) status = scale_compliance(s, problem->n);
    if (status == SADDLE_OK) status = check_range(s);
    saddle_matrix_clear(&Rt);
    return status;
}

/* ---- rows that compliance makes independent ---- */

/* Whether row k has a column of R that no other open row has. */
static int owns_column(const saddle_matrix *Bt, int64_t n, int64_t k, const int64_t *users)
{
    for (int64_t p = Bt->start[k]; p < Bt->start[k + 1]; p++)
        if (Bt->index[p] >= n && users[Bt->index[p] - n] == 1) return 1;
    return 0;
}

/* users[c]: open rows with an entry in column c of R; last[c]: the sum of their numbers, so that
 * the last one is known */
static void release_from(saddle__scaled *s, int64_t n, int64_t k, int64_t *users, int64_t *last,
                         int64_t *queue)
{
    const saddle_matrix *Bt = &s->Bt;
    int64_t count = 0;
    queue[count++] = k;
    s->state[k] = SADDLE__ROW_FREE;
    while (count > 0) {
        int64_t gone = queue[--count];
        for (int64_t p = Bt->start[gone]; p < Bt->start[gone + 1]; p++) {
            int64_t c = Bt->index[p] - n;
            if (c < 0) continue;
            last[c] -= gone;
            if (--users[c] != 1 || s->state[last[c]] != SADDLE__ROW_OPEN) continue;
            s->state[last[c]] = SADDLE__ROW_FREE;
            queue[count++] = last[c];
        }
    }
}

saddle_status saddle__scaled_release(saddle__scaled *s, int64_t n)
{
    const saddle_matrix *Bt = &s->Bt;
    int64_t m = Bt->rows - n;
    int64_t *users = saddle_allocate(s->context, m, sizeof(*users));
    int64_t *last = saddle_allocate(s->context, m, sizeof(*last));
    int64_t *queue = saddle_allocate(s->context, s->count + 1, sizeof(*queue));
    saddle_status status = users && last && queue ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; status == SADDLE_OK && k < s->count; k++) {
        for (int64_t p = Bt->start[k]; p < Bt->start[k + 1]; p++) {
            if (Bt->index[p] < n) continue;
            users[Bt->index[p] - n]++;
            last[Bt->index[p] - n] += k;
        }
    }
    for (int64_t k = 0; status == SADDLE_OK && k < s->count; k++)
        if (s->state[k] == SADDLE__ROW_OPEN && owns_column(Bt, n, k, users))
            release_from(s, n, k, users, last, queue);
    saddle_release(s->context, users);
    saddle_release(s->context, last);
    saddle_release(s->context, queue);
    return status;
}
