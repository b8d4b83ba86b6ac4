/* SPDX-License-Identifier: MIT */
/* See rows.h. */
#include "mlcp/rows.h"

#include <string.h>

static void place(saddle__mlcp_rows *s, int contacts)
{
    double **each[] = {&s->lo, &s->hi, &s->q, &s->size, &s->step, &s->E, &s->lambda};
    for (size_t k = 0; k < sizeof each / sizeof *each; k++)
        *each[k] = saddle__layout_take(&s->layout, s->count, sizeof(double));
    if (!contacts) return;
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
    int contacts = problem->contact_count > 0;
    saddle__mlcp_rows fresh = {.context = context, .count = count, .row = row};
    *s = fresh;
    place(s, contacts);
    saddle_status status = saddle__layout_allocate(context, &s->layout);
    if (status != SADDLE_OK) return status;
    place(s, contacts);
    s->lagged = lagged && contacts;
    s->normal = s->lagged ? NULL : s->tangent_of;
    find_tangents(s, problem);
    return SADDLE_OK;
}

void saddle__mlcp_rows_clear(saddle__mlcp_rows *s)
{
    saddle__layout_clear(s->context, &s->layout);
    memset(s, 0, sizeof *s);
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

void saddle__mlcp_set_epsilon(saddle__mlcp_rows *s, double epsilon)
{
    s->epsilon = epsilon;
    for (int64_t c = 0; c < s->count; c++) s->E[c] = s->step[c] > 0.0 ? epsilon * s->size[c] : 0.0;
}

void saddle__mlcp_rows_follow(saddle__mlcp_rows *s)
{
    for (int64_t c = 0; s->lagged && c < s->count; c++) {
        if (s->tangent_of[c] < 0) continue;
        s->hi[c] = s->mu[c] * fmax(s->lambda[s->tangent_of[c]], 0.0);
        s->lo[c] = -s->hi[c];
    }
}

void saddle__mlcp_rows_gather(saddle__mlcp_rows *s, const double *lambda)
{
    for (int64_t c = 0; c < s->count; c++) s->lambda[c] = lambda[saddle__mlcp_row(s, c)];
}

void saddle__mlcp_rows_scatter(const saddle__mlcp_rows *s, double *lambda)
{
    for (int64_t c = 0; c < s->count; c++) lambda[saddle__mlcp_row(s, c)] = s->lambda[c];
}
