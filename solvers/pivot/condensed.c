/* SPDX-License-Identifier: MIT */
/* See condensed.h. */
#include "pivot/condensed.h"

#include <string.h>

enum { LARGEST_BLOCK = 12 };

int saddle__condensed_may_pay(const saddle_problem *problem)
{
    const saddle_matrix *M = &problem->M;
    if (problem->n == 0 || saddle_matrix_entries(M) == 0 || M->symmetry != SADDLE_SYMMETRIC)
        return 0;
    int64_t first = 0; /* of the block at hand */
    int64_t last = 0;
    for (int64_t j = 0; j < problem->n; j++) {
        if (j > last) first = last = j;
        int64_t end = M->start[j + 1];
        if (end > M->start[j] && M->index[end - 1] > last) last = M->index[end - 1];
        if (last - first >= LARGEST_BLOCK) return 0;
    }
    return 1;
}

void saddle__condensed_clear(saddle__condensed_rows *s)
{
    saddle__complement_clear(&s->complement);
    saddle__sparse_rows_clear(&s->rows);
    saddle_release(s->context, s->b);
    saddle_release(s->context, s->v);
    memset(s, 0, sizeof(*s));
}

/* What inner borrows. */
static void borrow(saddle__condensed_rows *s, const saddle_problem *problem)
{
    saddle_problem inner = {
        .m = problem->m, .R = s->complement.W, .b = s->b, .lo = problem->lo, .hi = problem->hi};
    inner.contacts = problem->contacts;
    inner.contact_count = problem->contact_count;
    inner.law = problem->law;
    s->inner = inner;
}

saddle_status saddle__condensed_create(saddle_context *context, const saddle_problem *problem,
                                       const saddle_options *options, saddle__condensed_rows *s)
{
    saddle__condensed_rows fresh = {.context = context};
    *s = fresh;
    saddle__complement_request request = {.ordering = options->ordering,
                                          .threads = options->threads};
    s->b = saddle_allocate(context, problem->m, sizeof(*s->b));
    s->v = saddle_allocate(context, problem->n, sizeof(*s->v));
    saddle_status status = s->b && s->v ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK)
        status = saddle__complement_analyse(context, problem, &request, &s->complement);
    if (status == SADDLE_OK) {
        borrow(s, problem);
        status = saddle__sparse_rows_create(context, &s->inner, options, &s->rows);
    }
    if (status != SADDLE_OK) saddle__condensed_clear(s);
    return status;
}

saddle_status saddle__condensed_factor(saddle__condensed_rows *s, const saddle_problem *problem,
                                       double epsilon)
{
    saddle_status status = saddle__complement_form(&s->complement, problem);
    if (status != SADDLE_OK) return status;
    borrow(s, problem);
    saddle__sparse_rows_set(&s->rows, &s->inner, epsilon);
    if (s->complement.counts.inertia.negative == 0) return SADDLE_OK;
    return saddle_fail(s->context, SADDLE_WRONG_INERTIA,
                       "pivot: M is indefinite, %lld of its pivots are negative",
                       (long long)s->complement.counts.inertia.negative);
}

/* v <- M^-1 (f + J'lambda); lambda: NULL = 0 */
static saddle_status find_velocity(void *user, const saddle_problem *problem, const double *lambda,
                                   double *v)
{
    saddle__condensed_rows *s = user;
    for (int64_t j = 0; j < problem->n; j++) v[j] = problem->f ? problem->f[j] : 0.0;
    if (lambda && saddle_matrix_entries(&problem->Jt) > 0)
        saddle_matrix_apply(&problem->Jt, 1.0, lambda, 1.0, v);
    return saddle__complement_solve_mass(&s->complement, v);
}

saddle_status saddle__condensed_begin(saddle__condensed_rows *s, const saddle_problem *problem,
                                      saddle__row_laws *laws, const saddle_solver_call *call,
                                      double *start)
{
    borrow(s, problem);
    saddle_status status = find_velocity(s, problem, NULL, s->v);
    if (status != SADDLE_OK) return status;
    for (int64_t i = 0; i < problem->m; i++) s->b[i] = problem->b ? problem->b[i] : 0.0;
    if (saddle_matrix_entries(&problem->Jt) > 0)
        saddle_matrix_apply_transpose(&problem->Jt, -1.0, s->v, 1.0, s->b);
    return saddle__sparse_rows_begin(&s->rows, &s->inner, laws, call, start);
}

static saddle_status shift(void *user, const saddle_problem *problem, double epsilon)
{
    saddle__condensed_rows *s = user;
    (void)problem;
    saddle__proximal_problem rows = saddle__sparse_rows_problem(&s->rows);
    return rows.shift(rows.user, &s->inner, epsilon);
}

static saddle_status run(void *user, const saddle_problem *problem, const saddle_solver_call *call,
                         const saddle__proximal_limits *limits, double *lambda, double *v)
{
    saddle__condensed_rows *s = user;
    saddle__proximal_problem rows = saddle__sparse_rows_problem(&s->rows);
    (void)problem;
    (void)v;
    return rows.run(rows.user, &s->inner, call, limits, lambda, s->v);
}

static const saddle_problem *slack(void *user, const double *lambda, double *w)
{
    saddle__condensed_rows *s = user;
    const saddle__active_compliance *W = &s->rows.R;
    if (saddle__sparse_rows_slack(&s->rows, lambda, w)) return &s->inner;
    for (int64_t i = 0; i < s->inner.m; i++)
        w[i] = W->diagonal[i] * lambda[i] + saddle__whole_row_times(W->beside, i, lambda) - s->b[i];
    return &s->inner;
}

saddle__proximal_problem saddle__condensed_problem(saddle__condensed_rows *s)
{
    saddle__proximal_problem problem = saddle__sparse_rows_problem(&s->rows);
    problem.user = s;
    problem.shift = shift;
    problem.run = run;
    problem.velocity = find_velocity;
    problem.slack = slack;
    return problem;
}
