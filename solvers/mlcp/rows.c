/* SPDX-License-Identifier: MIT */
/* See rows.h. */
#include "mlcp/rows.h"

#include <string.h>

static void place(saddle__mlcp_rows *s, const saddle_problem *problem)
{
    double **each[] = {&s->lo, &s->hi, &s->q, &s->size, &s->step, &s->E, &s->lambda};
    for (size_t k = 0; k < sizeof each / sizeof *each; k++)
        *each[k] = saddle__layout_take(&s->layout, s->count, sizeof(double));
    if (s->row) s->every_step = saddle__layout_take(&s->layout, problem->m, sizeof(double));
    if (problem->contact_count == 0) return;
    s->mu = saddle__layout_take(&s->layout, s->count, sizeof *s->mu);
    s->tangent_of = saddle__layout_take(&s->layout, s->count, sizeof *s->tangent_of);
}

/* Contacts lie in rows one after the other, in the problem and here. */
static void find_tangents(saddle__mlcp_rows *s, const saddle_problem *problem)
{
    const saddle_contact *contact = problem->contacts;
    int64_t left = problem->contact_count;
    for (int64_t c = 0; s->tangent_of && c < s->count; c++) {
        int64_t i = saddle__mlcp_row(s, c);
        for (; left > 0 && i >= contact->row + contact->size; left--) contact++;
        int tangent = left > 0 && i > contact->row;
        s->tangent_of[c] = tangent ? c - (i - contact->row) : -1;
    }
}

saddle_status saddle__mlcp_rows_create(saddle_context *context, const saddle_problem *problem,
                                       int64_t count, const int64_t *row, int lagged,
                                       saddle__mlcp_rows *s)
{
    saddle__mlcp_rows fresh = {.context = context, .count = count, .row = row};
    *s = fresh;
    place(s, problem);
    saddle_status status = saddle__layout_allocate(context, &s->layout);
    if (status != SADDLE_OK) return status;
    place(s, problem);
    s->lagged = lagged && problem->contact_count > 0;
    s->normal = s->lagged ? NULL : s->tangent_of;
    find_tangents(s, problem);
    return SADDLE_OK;
}

void saddle__mlcp_rows_clear(saddle__mlcp_rows *s)
{
    saddle__layout_clear(s->context, &s->layout);
    memset(s, 0, sizeof *s);
}

void saddle__mlcp_find_bounded(const saddle_problem *problem, signed char *bounded)
{
    for (int64_t i = 0; i < problem->m; i++)
        bounded[i] = saddle_problem_bound_kind(problem, i) != SADDLE_ROW_EQUALITY;
    for (int64_t c = 0; c < problem->contact_count; c++)
        memset(bounded + problem->contacts[c].row, 1, (size_t)problem->contacts[c].size);
}

int saddle__mlcp_rows_read(saddle__mlcp_rows *s, const saddle_problem *problem)
{
    const saddle_contact *contact = problem->contacts;
    int64_t left = problem->contact_count;
    int changed = 0;
    for (int64_t c = 0; c < s->count; c++) {
        int64_t i = saddle__mlcp_row(s, c);
        for (; left > 0 && i >= contact->row + contact->size; left--) contact++;
        int touches = left > 0 && i >= contact->row;
        s->lo[c] = touches ? 0.0 : saddle_problem_lo(problem, i);
        s->hi[c] = !touches            ? saddle_problem_hi(problem, i)
                   : i == contact->row ? (double)INFINITY
                                       : 0.0;
        double mu = touches && i > contact->row ? contact->mu : 0.0;
        if (!s->mu) continue;
        changed |= s->mu[c] != mu;
        s->mu[c] = mu;
    }
    return changed;
}

/* Whether row i of J has an entry. */
static int has_entry(const saddle_matrix *Jt, int64_t i)
{
    for (int64_t k = Jt->start ? Jt->start[i] : 0; Jt->start && k < Jt->start[i + 1]; k++)
        if (Jt->value[k] != 0.0) return 1;
    return 0;
}

void saddle__mlcp_rows_measure(saddle__mlcp_rows *s, const saddle_problem *problem,
                               const double *size)
{
    const saddle_matrix *R = &problem->R;
    double *step = s->row ? s->every_step : s->step;
    for (int64_t i = 0; i < problem->m; i++)
        step[i] = has_entry(&problem->Jt, i) ? 1.0 / size[i] : 0.0;
    for (int64_t j = 0; R->start && j < problem->m; j++)
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++) {
            if (R->value[k] == 0.0) continue;
            step[j] = 1.0 / size[j];
            step[R->index[k]] = 1.0 / size[R->index[k]];
        }
    for (int64_t c = 0; c < s->count; c++) {
        s->size[c] = size[saddle__mlcp_row(s, c)];
        s->step[c] = step[saddle__mlcp_row(s, c)];
    }
}

void saddle__mlcp_set_epsilon(saddle__mlcp_rows *s, double epsilon)
{
    s->epsilon = epsilon;
    for (int64_t c = 0; c < s->count; c++) s->E[c] = s->step[c] > 0.0 ? epsilon * s->size[c] : 0.0;
}
