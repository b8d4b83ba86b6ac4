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

double saddle__row_laws_project(const saddle__row_laws *s, const double *lambda, int64_t i,
                                double x)
{
    if (s->normal[i] < 0) return fmin(fmax(x, s->lo[i]), s->hi[i]);
    double reach = s->mu[i] * fmax(lambda[s->normal[i]], 0.0);
    return fmin(fmax(x, -reach), reach);
}

int saddle__row_laws_equation(const saddle__row_laws *s, int64_t i)
{
    return isinf(s->lo[i]) && isinf(s->hi[i]);
}

/* step (m) <- 1 where the row of J, or R_ii, does not vanish; nonzero: they are not all of them */
static int look_at_rows(const saddle_problem *problem, double *step)
{
    const saddle_matrix *Jt = &problem->Jt;
    int moves = saddle_matrix_entries(Jt) > 0;
    int missing = 0;
    if (saddle_matrix_entries(&problem->R) > 0)
        saddle_matrix_diagonal(&problem->R, step);
    else if (problem->m > 0)
        memset(step, 0, (size_t)problem->m * sizeof(*step));
    for (int64_t i = 0; i < problem->m; i++) {
        int there = step[i] != 0.0;
        for (int64_t k = moves ? Jt->start[i] : 0; moves && !there && k < Jt->start[i + 1]; k++)
            there = Jt->value[k] != 0.0;
        step[i] = there ? 1.0 : 0.0;
        missing |= !there;
    }
    return missing;
}

void saddle__row_steps(const saddle_problem *problem, const double *size, double *step)
{
    const saddle_matrix *R = &problem->R;
    int missing = look_at_rows(problem, step);
    for (int64_t j = 0; missing && saddle_matrix_entries(R) > 0 && j < problem->m; j++)
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++)
            if (R->value[k] != 0.0) step[j] = step[R->index[k]] = 1.0;
    for (int64_t i = 0; i < problem->m; i++)
        if (step[i] > 0.0) step[i] = 1.0 / size[i];
}
