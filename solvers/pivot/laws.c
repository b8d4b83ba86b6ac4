/* SPDX-License-Identifier: MIT */
/* See laws.h. */
#include "pivot/laws.h"

#include <math.h>
#include <string.h>

void saddle__row_laws_clear(saddle__row_laws *s)
{
    saddle_release(s->context, s->lo);
    saddle_release(s->context, s->hi);
    saddle_release(s->context, s->normal);
    saddle_release(s->context, s->mu);
    memset(s, 0, sizeof(*s));
}

saddle_status saddle__row_laws_create(saddle_context *context, int64_t m, saddle__row_laws *s)
{
    saddle__row_laws fresh = {.context = context, .m = m};
    *s = fresh;
    s->lo = saddle_allocate(context, m, sizeof(*s->lo));
    s->hi = saddle_allocate(context, m, sizeof(*s->hi));
    s->normal = saddle_allocate(context, m, sizeof(*s->normal));
    s->mu = saddle_allocate(context, m, sizeof(*s->mu));
    if (s->lo && s->hi && s->normal && s->mu) return SADDLE_OK;
    saddle__row_laws_clear(s);
    return SADDLE_OUT_OF_MEMORY;
}

void saddle__row_laws_read(saddle__row_laws *s, const saddle_problem *problem, int lagged)
{
    s->lagged = lagged && problem->contact_count > 0;
    for (int64_t i = 0; i < s->m; i++) {
        s->lo[i] = saddle_problem_lo(problem, i);
        s->hi[i] = saddle_problem_hi(problem, i);
        s->normal[i] = -1;
        s->mu[i] = 0.0;
    }
    for (int64_t c = 0; c < problem->contact_count; c++) {
        const saddle_contact *contact = &problem->contacts[c];
        for (int64_t i = contact->row; i < contact->row + contact->size; i++) {
            int tangent = i > contact->row;
            s->lo[i] = 0.0;
            s->hi[i] = tangent ? 0.0 : (double)INFINITY;
            s->normal[i] = tangent ? contact->row : -1;
            s->mu[i] = tangent ? contact->mu : 0.0;
        }
    }
}

void saddle__row_laws_follow(saddle__row_laws *s, const double *lambda)
{
    for (int64_t i = 0; s->lagged && i < s->m; i++) {
        if (s->normal[i] < 0) continue;
        s->hi[i] = s->mu[i] * fmax(lambda[s->normal[i]], 0.0);
        s->lo[i] = -s->hi[i];
    }
}

double saddle__row_laws_project(const saddle__row_laws *s, const double *lambda, int64_t i, double x)
{
    if (s->normal[i] < 0) return fmin(fmax(x, s->lo[i]), s->hi[i]);
    double reach = s->mu[i] * fmax(lambda[s->normal[i]], 0.0);
    return fmin(fmax(x, -reach), reach);
}

int saddle__row_laws_equation(const saddle__row_laws *s, int64_t i)
{
    return isinf(s->lo[i]) && isinf(s->hi[i]);
}

void saddle__row_steps(const saddle_problem *problem, const double *size, double *step)
{
    const saddle_matrix *Jt = &problem->Jt;
    const saddle_matrix *R = &problem->R;
    int moves = saddle_matrix_entries(Jt) > 0;
    int yields = saddle_matrix_entries(R) > 0;
    for (int64_t i = 0; i < problem->m; i++) {
        step[i] = 0.0;
        for (int64_t k = moves ? Jt->start[i] : 0; moves && k < Jt->start[i + 1]; k++)
            if (Jt->value[k] != 0.0) step[i] = 1.0;
    }
    for (int64_t j = 0; yields && j < problem->m; j++)
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++)
            if (R->value[k] != 0.0) step[j] = step[R->index[k]] = 1.0;
    for (int64_t i = 0; i < problem->m; i++)
        if (step[i] > 0.0) step[i] = 1.0 / size[i];
}
