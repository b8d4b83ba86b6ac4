/* SPDX-License-Identifier: MIT */
/* See column_rows.h. */
#include "pivot/column_rows.h"

#include <math.h>
#include <string.h>

void saddle__column_rows_clear(saddle__column_rows *s)
{
    saddle__columns_clear(&s->source);
    saddle__lu_basis_clear(&s->basis);
    saddle__pivoting_clear(&s->pivoting);
    saddle__regularization_clear(&s->natural);
    void *arrays[] = {s->in_C, s->step, s->w,     s->known,  s->lo,     s->hi,
                      s->q,    s->pace, s->added, s->lambda, s->normal, s->mu};
    for (size_t k = 0; k < sizeof(arrays) / sizeof(*arrays); k++)
        saddle_release(s->context, arrays[k]);
    memset(s, 0, sizeof(*s));
}

static saddle_status allocate(saddle__column_rows *s)
{
    saddle_context *context = s->context;
    double **arrays[] = {&s->step, &s->w,    &s->known, &s->lo,     &s->hi,
                         &s->q,    &s->pace, &s->added, &s->lambda, &s->mu};
    for (size_t k = 0; k < sizeof(arrays) / sizeof(*arrays); k++) {
        *arrays[k] = saddle_allocate(context, s->m, sizeof(double));
        if (!*arrays[k]) return SADDLE_OUT_OF_MEMORY;
    }
    s->in_C = saddle_allocate(context, s->m, sizeof(*s->in_C));
    s->normal = saddle_allocate(context, s->m, sizeof(*s->normal));
    return s->in_C && s->normal ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

static saddle_status fill_in(saddle__column_rows *s, const saddle_problem *problem,
                             const saddle_options *options)
{
    saddle_status status = allocate(s);
    if (status == SADDLE_OK)
        status = saddle__regularization_create(s->context, problem, &s->natural);
    if (status != SADDLE_OK) return status;
    for (int64_t i = 0; i < s->m; i++)
        s->in_C[i] = saddle_problem_bound_kind(problem, i) != SADDLE_ROW_EQUALITY;
    for (int64_t c = 0; c < problem->contact_count; c++)
        memset(s->in_C + problem->contacts[c].row, 1, (size_t)problem->contacts[c].size);
    status = saddle__columns_create(s->context, problem, options, s->in_C, &s->source);
    s->count = s->source.count;
    s->table = saddle__columns_table(&s->source);
    if (status == SADDLE_OK) status = saddle__pivoting_create(s->context, s->count, &s->pivoting);
    if (status == SADDLE_OK)
        status = saddle__lu_basis_create(s->context, s->count, s->count, &s->basis);
    return status;
}

saddle_status saddle__column_rows_create(saddle_context *context, const saddle_problem *problem,
                                         const saddle_options *options, saddle__column_rows *s)
{
    saddle__column_rows fresh = {.context = context, .n = problem->n, .m = problem->m};
    *s = fresh;
    saddle_status status = fill_in(s, problem, options);
    if (status != SADDLE_OK) saddle__column_rows_clear(s);
    return status;
}

static saddle_status shift(void *user, const saddle_problem *problem, double epsilon)
{
    saddle__column_rows *s = user;
    s->source.problem = problem;
    if (epsilon == s->epsilon) return SADDLE_OK;
    s->epsilon = epsilon;
    for (int64_t c = 0; c < s->count; c++)
        s->added[c] = s->pace[c] > 0.0 ? epsilon * s->natural.scale[s->n + s->source.row[c]] : 0.0;
    saddle__lu_basis_set(&s->basis, &s->table, s->added, s->normal, s->mu);
    return SADDLE_OK;
}

saddle_status saddle__column_rows_factor(saddle__column_rows *s, const saddle_problem *problem,
                                         double epsilon)
{
    saddle__regularization_measure(&s->natural, problem, epsilon, 0);
    saddle__row_steps(problem, s->natural.scale + s->n, s->step);
    for (int64_t c = 0; c < s->count; c++) s->pace[c] = s->step[s->source.row[c]];
    s->epsilon = -1.0;
    return saddle__columns_factor(&s->source, problem, epsilon);
}

/* Whether mu or who is a tangent has changed: they are part of the basis. */
static int read_laws(saddle__column_rows *s, const saddle__row_laws *laws)
{
    int changed = 0;
    for (int64_t c = 0; c < s->count; c++) {
        int64_t i = s->source.row[c];
        int follows = laws->normal[i] >= 0 && !laws->lagged;
        int64_t normal = follows ? s->source.place[laws->normal[i]] : -1;
        changed |= normal != s->normal[c] || laws->mu[i] != s->mu[c];
        s->lo[c] = laws->lo[i];
        s->hi[c] = laws->hi[i];
        s->normal[c] = normal;
        s->mu[c] = laws->mu[i];
    }
    return changed;
}

static saddle__bounded_rows rows_of(const saddle__column_rows *s)
{
    saddle__bounded_rows rows = {.m = s->count,
                                 .lo = s->lo,
                                 .hi = s->hi,
                                 .q = s->q,
                                 .step = s->pace,
                                 .normal = s->normal,
                                 .mu = s->mu};
    return rows;
}

static void take(const saddle__column_rows *s, const double *lambda)
{
    for (int64_t c = 0; c < s->count; c++) s->lambda[c] = lambda[s->source.row[c]];
}

static void give(const saddle__column_rows *s, double *lambda)
{
    for (int64_t c = 0; c < s->count; c++) lambda[s->source.row[c]] = s->lambda[c];
}

saddle_status saddle__column_rows_begin(saddle__column_rows *s, const saddle_problem *problem,
                                        saddle__row_laws *laws, const saddle_solver_call *call,
                                        double *start)
{
    (void)problem;
    s->laws = laws;
    s->completed = 0;
    for (int64_t i = 0; i < s->m; i++)
        if (s->n > 0 && !s->in_C[i] && !saddle__row_laws_equation(laws, i))
            return saddle_fail(
                call->context, SADDLE_INVALID_ARGUMENT,
                "pivot: row %lld had no bounds when it was analysed, now it has: analyse again",
                (long long)i + 1);
    if (read_laws(s, laws)) s->epsilon = -1.0;
    take(s, start);
    saddle__bounded_rows rows = rows_of(s);
    saddle__pivoting_begin(&s->pivoting, &rows, call->options->max_iterations, s->lambda);
    give(s, start);
    return SADDLE_OK;
}

/* q <- w(c) - (W + E) c; without velocities W c is R c, and q = -b - E c */
static saddle_status free_slack(saddle__column_rows *s, const saddle_problem *problem,
                                const double *lambda, const double *v)
{
    for (int64_t i = 0; i < s->m; i++) s->w[i] = problem->b ? -problem->b[i] : 0.0;
    if (s->n > 0 && saddle_matrix_entries(&problem->Jt) > 0)
        saddle_matrix_apply_transpose(&problem->Jt, 1.0, v, 1.0, s->w);
    if (s->n > 0 && saddle_matrix_entries(&problem->R) > 0)
        saddle_matrix_apply(&problem->R, 1.0, lambda, 1.0, s->w);
    for (int64_t c = 0; c < s->count; c++)
        s->q[c] = s->w[s->source.row[c]] - s->added[c] * s->lambda[c];
    for (int64_t j = 0; s->n > 0 && j < s->count; j++) {
        if (s->lambda[j] == 0.0) continue;
        saddle_status status = s->table.prepare(s->table.user, 1, &j);
        if (status != SADDLE_OK) return status;
        const double *column = s->table.column(s->table.user, j);
        for (int64_t c = 0; c < s->count; c++) s->q[c] -= column[c] * s->lambda[j];
    }
    return SADDLE_OK;
}

/* v and the impulses of the equations, unless they are there. */
static saddle_status complete(saddle__column_rows *s, const saddle_problem *problem, double *lambda,
                              double *v)
{
    size_t size = (size_t)s->m * sizeof(*lambda);
    if (s->n == 0 || (s->completed && memcmp(s->known, lambda, size) == 0)) return SADDLE_OK;
    int settled;
    saddle_status status = saddle__columns_complete(&s->source, problem, lambda, v, &settled);
    if (s->m > 0) memcpy(s->known, lambda, size);
    s->completed = status == SADDLE_OK && settled;
    return status;
}

/* Between blocks of columns, and panels of the factor. */
static saddle_status stop(void *user)
{
    const saddle__column_rows *s = user;
    const saddle_solver_call *call = s->call;
    double now = saddle_clock();
    if (saddle_context_progress(call->context, "solve", s->pivoting.steps, 0, -1.0, now - s->began))
        return SADDLE_STOPPED;
    return now > call->deadline ? SADDLE_TIME_LIMIT : SADDLE_OK;
}

static saddle_status run(void *user, const saddle_problem *problem, const saddle_solver_call *call,
                         const saddle__proximal_limits *limits, double *lambda, double *v)
{
    saddle__column_rows *s = user;
    s->call = call;
    s->began = saddle_clock();
    s->basis.asked = s->source.asked = (saddle__asked){.stop = stop, .user = s};
    if (s->laws->lagged) (void)read_laws(s, s->laws);
    saddle_status status = complete(s, problem, lambda, v);
    take(s, lambda);
    if (status == SADDLE_OK) status = free_slack(s, problem, lambda, v);
    if (status != SADDLE_OK) return status;
    saddle__bounded_rows rows = rows_of(s);
    saddle__basis basis = saddle__lu_basis_table(&s->basis);
    s->pivoting.patience = limits->patience > 0 ? limits->patience : 1;
    s->pivoting.most_singles = limits->patience > 0 ? 0 : INT64_MAX;
    s->pivoting.tolerated = limits->tolerated;
    saddle__pivoting_read(&s->pivoting, &rows, s->lambda);
    status = saddle__pivoting_run(&s->pivoting, &basis, &rows, call, s->lambda);
    if (status < 0) return status;
    give(s, lambda);
    saddle_status completed = complete(s, problem, lambda, v);
    return status == SADDLE_OK ? completed : status;
}

saddle__proximal_problem saddle__column_rows_problem(saddle__column_rows *s)
{
    saddle__proximal_problem problem = {.user = s,
                                        .laws = s->laws,
                                        .size = s->natural.scale + s->n,
                                        .step = s->step,
                                        .shift = shift,
                                        .run = run};
    return problem;
}
