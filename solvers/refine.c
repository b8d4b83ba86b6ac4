/* SPDX-License-Identifier: MIT */
/* See refine.h. */
#include "refine.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { STALLS = 2, NAME_SIZE = 128 };

/* omega at which further steps could gain nothing */
static const double rounding_level = 4.0 * DBL_EPSILON;

/* omega that regular systems fall below, and what part of the right-hand side is then left at most */
static const double regular_error = 1e-12;
static const double regular_left = 1e-6;

const double saddle__singular_condition = 1e14;

void saddle__refinement_clear(saddle__refinement *s)
{
    saddle_release(s->context, s->residual);
    saddle_release(s->context, s->modulus);
    saddle_release(s->context, s->best);
    saddle_release(s->context, s->norm);
    saddle_release(s->context, s->unit);
    saddle__refinement empty = {0};
    *s = empty;
}

saddle_status saddle__refinement_create(saddle_context *context, const saddle_problem *problem, saddle__refinement *s)
{
    saddle__refinement fresh = {.context = context, .n = problem->n, .m = problem->m};
    *s = fresh;
    int64_t size = s->n + s->m;
    if (size > INT64_MAX / 2) return saddle_fail(context, SADDLE_TOO_LARGE, "n + m = %lld", (long long)size);
    s->residual = saddle_allocate(context, size, sizeof(*s->residual));
    s->modulus = saddle_allocate(context, size, sizeof(*s->modulus));
    s->best = saddle_allocate(context, size, sizeof(*s->best));
    s->norm = saddle_allocate(context, 2 * size, sizeof(*s->norm));
    s->unit = saddle_allocate(context, size, sizeof(*s->unit));
    if (s->residual && s->modulus && s->best && s->norm && s->unit) return SADDLE_OK;
    saddle__refinement_clear(s);
    return SADDLE_OUT_OF_MEMORY;
}

/* ---- products ------------------------------------------------------------------------------------------------- */

/* r -= A x, s += |A||x| */
static void subtract(const saddle_matrix *A, const double *x, double *r, double *s)
{
    if (saddle_matrix_entries(A) == 0) return;
    int symmetric = A->symmetry == SADDLE_SYMMETRIC;
    for (int64_t j = 0; j < A->cols; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            double product = A->value[k] * x[j];
            r[i] -= product;
            s[i] += fabs(product);
            if (!symmetric || i == j) continue;
            double mirrored = A->value[k] * x[i];
            r[j] -= mirrored;
            s[j] += fabs(mirrored);
        }
    }
}

/* r_v += J'lambda, r_l -= J v and their moduli */
static void subtract_constraints(const saddle_problem *problem, const double *v, const double *lambda, double *r,
                                 double *s)
{
    const saddle_matrix *Jt = &problem->Jt;
    int64_t n = problem->n;
    if (saddle_matrix_entries(Jt) == 0) return;
    for (int64_t i = 0; i < problem->m; i++) {
        double sum = 0.0;
        double modulus = 0.0;
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
            int64_t j = Jt->index[k];
            double velocity = Jt->value[k] * v[j];
            double impulse = Jt->value[k] * lambda[i];
            sum += velocity;
            modulus += fabs(velocity);
            r[j] += impulse;
            s[j] += fabs(impulse);
        }
        r[n + i] -= sum;
        s[n + i] += modulus;
    }
}

/* norm_i += sum_k |A_ik| d_k */
static void row_norms(const saddle_matrix *A, const double *d, double *norm)
{
    if (saddle_matrix_entries(A) == 0) return;
    for (int64_t j = 0; j < A->cols; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            norm[i] += fabs(A->value[k]) * d[j];
            if (A->symmetry == SADDLE_SYMMETRIC && i != j) norm[j] += fabs(A->value[k]) * d[i];
        }
    }
}

void saddle__refinement_measure(saddle__refinement *s, const saddle_problem *problem, const double *scale)
{
    int64_t n = s->n;
    int64_t m = s->m;
    s->note = -1;
    if (n + m == 0) return;
    const double *d = s->unit;
    for (int64_t i = 0; i < n + m; i++) s->unit[i] = 1.0 / sqrt(scale[i]);
    memset(s->norm, 0, (size_t)(2 * (n + m)) * sizeof(*s->norm));
    row_norms(&problem->M, d, s->norm);
    row_norms(&problem->R, d + n, s->norm + 2 * n + m);
    const saddle_matrix *Jt = &problem->Jt;
    for (int64_t i = 0; saddle_matrix_entries(Jt) > 0 && i < m; i++) {
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
            s->norm[n + Jt->index[k]] += fabs(Jt->value[k]) * d[n + i];
            s->norm[2 * n + i] += fabs(Jt->value[k]) * d[Jt->index[k]];
        }
    }
}

void saddle__refinement_begin(saddle__refinement *s, saddle_report *report)
{
    if (s->note < 0)
        s->note = (int64_t)strlen(report->note);
    else
        report->note[s->note] = '\0';
}

/* ---- omega ------------------------------------------------------------------------------------------------------ */

/* max |x_i| / d_i; infinite where an x_i is not finite */
static double largest(const double *x, const double *d, int64_t count)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) {
        if (!isfinite(x[i])) return (double)INFINITY;
        most = fmax(most, fabs(x[i]) / d[i]);
    }
    return most;
}

/* the largest share of rows [0, count): NaN where one is */
static void worst_share(const double *r, const double *s, const double *a_norm, double x, const double *b_norm,
                        double y, const double *rhs, int64_t count, double noise, int64_t offset,
                        saddle__refined *refined)
{
    for (int64_t i = 0; i < count; i++) {
        if (r[i] == 0.0) continue;
        double t = a_norm[i] * x + b_norm[i] * y + (rhs ? fabs(rhs[i]) : 0.0);
        double scale = s[i] > noise * t ? s[i] : s[i] + t;
        double share = fabs(r[i]) / scale;
        if (share <= refined->error) continue;
        refined->error = isnan(share) ? (double)INFINITY : share;
        refined->worst = offset + i;
    }
}

static void form_residual(saddle__refinement *s, const saddle_problem *problem, const saddle_solution *x,
                          saddle__refined *refined)
{
    int64_t n = s->n;
    int64_t m = s->m;
    for (int64_t j = 0; j < n; j++) s->residual[j] = problem->f ? problem->f[j] : 0.0;
    for (int64_t i = 0; i < m; i++) s->residual[n + i] = problem->b ? problem->b[i] : 0.0;
    for (int64_t i = 0; i < n + m; i++) s->modulus[i] = fabs(s->residual[i]);
    subtract(&problem->M, x->v, s->residual, s->modulus);
    subtract(&problem->R, x->lambda, s->residual + n, s->modulus + n);
    subtract_constraints(problem, x->v, x->lambda, s->residual, s->modulus);

    refined->error = 0.0;
    refined->worst = -1;
    refined->left = 0.0;
    double v = largest(x->v, s->unit, n);
    double lambda = largest(x->lambda, s->unit + n, m);
    if (!isfinite(v) || !isfinite(lambda)) {
        refined->error = (double)INFINITY;
        return;
    }
    double whole = 0.0;
    for (int64_t i = 0; i < n + m; i++) {
        const double *rhs = i < n ? problem->f : problem->b;
        if (rhs) whole = fmax(whole, fabs(rhs[i < n ? i : i - n]) * s->unit[i]);
        refined->left = fmax(refined->left, fabs(s->residual[i]) * s->unit[i]);
    }
    if (refined->left > 0.0) refined->left = refined->left / whole;
    double noise = 1000.0 * (double)(n + m) * DBL_EPSILON;
    const double *norm = s->norm;
    v = fmax(v, whole); /* what f alone would give: a body at rest is measured against that */
    worst_share(s->residual, s->modulus, norm, v, norm + n, lambda, problem->f, n, noise, 0, refined);
    worst_share(s->residual + n, s->modulus + n, norm + 2 * n, v, norm + 2 * n + m, lambda, problem->b, m, noise, n,
                refined);
}

/* ---- the iteration ---------------------------------------------------------------------------------------------- */

static void copy(double *to, const double *from, int64_t count)
{
    if (count > 0) memcpy(to, from, (size_t)count * sizeof(*to));
}

static saddle_status interrupted(const saddle_solver_call *call, int64_t step, double error, double began)
{
    double now = saddle_clock();
    if (saddle_context_progress(call->context, "solve", step, call->options->max_refinements, error, now - began))
        return SADDLE_STOPPED;
    return now > call->deadline ? SADDLE_TIME_LIMIT : SADDLE_OK;
}

static void add_correction(saddle__refinement *s, saddle_solution *solution)
{
    for (int64_t j = 0; j < s->n; j++) solution->v[j] += s->residual[j];
    for (int64_t i = 0; i < s->m; i++) solution->lambda[i] += s->residual[s->n + i];
}

saddle_status saddle__refine(saddle__refinement *s, const saddle_problem *problem, const saddle_solver_call *call,
                             saddle__corrector *correct, void *user, saddle_solution *solution,
                             saddle__refined *refined)
{
    double began = saddle_clock();
    int64_t n = s->n;
    int64_t m = s->m;
    for (int64_t j = 0; j < n; j++) solution->v[j] = 0.0;
    for (int64_t i = 0; i < m; i++) solution->lambda[i] = 0.0;
    saddle__refined best = {.error = (double)INFINITY, .worst = -1};
    saddle__refined now = best;
    int stalls = 0;
    for (;;) {
        form_residual(s, problem, solution, &now);
        stalls = now.error < 0.5 * best.error ? 0 : stalls + 1;
        if (now.error < best.error || now.corrections == 0) {
            copy(s->best, solution->v, n);
            copy(s->best + n, solution->lambda, m);
            best = now;
        }
        if (best.error <= rounding_level || stalls >= STALLS) break;
        if (now.corrections > 0 && isinf(now.error)) break;
        if (now.corrections > call->options->max_refinements) break;
        if (now.corrections > 0) now.status = interrupted(call, now.corrections, best.error, began);
        if (now.status != SADDLE_OK) break;
        saddle_status status = correct(user, problem, s->residual);
        if (status != SADDLE_OK) return status;
        now.corrections++;
        add_correction(s, solution);
    }
    copy(solution->v, s->best, n);
    copy(solution->lambda, s->best + n, m);
    best.corrections = now.corrections;
    best.status = now.status;
    *refined = best;
    return SADDLE_OK;
}

/* ---- the outcome ------------------------------------------------------------------------------------------------ */

void saddle__report_note(saddle_report *report, const char *format, ...)
{
    size_t used = strlen(report->note);
    size_t left = sizeof(report->note) - used;
    int lead = used > 0 ? snprintf(report->note + used, left, "; ") : 0;
    if (lead < 0 || (size_t)lead >= left) return;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(report->note + used + (size_t)lead, left - (size_t)lead, format, arguments);
    va_end(arguments);
}

void saddle__describe(const saddle_problem *problem, int64_t where, char *name, size_t size)
{
    if (where >= problem->n)
        saddle_problem_describe_row(problem, where - problem->n, name, size);
    else
        saddle_problem_describe_velocity(problem, where, name, size);
}

saddle_status saddle__refined_conclude(const saddle_solver_call *call, const saddle_problem *problem,
                                       const saddle_solution *solution, const saddle__refined *refined)
{
    call->report->refinements = refined->corrections > 1 ? refined->corrections - 1 : 0;
    if (refined->status != SADDLE_OK) return refined->status;
    int contradicts = refined->error > regular_error && refined->left > regular_left;
    if (refined->error <= call->options->tolerance && !contradicts) return SADDLE_OK;
    char name[NAME_SIZE] = "";
    if (refined->worst >= 0) saddle__describe(problem, refined->worst, name, sizeof(name));
    saddle__report_note(call->report, "refinement stopped at backward error %.1e%s%s", refined->error,
                        refined->worst >= 0 ? ", worst at " : "", name);
    if (!contradicts || refined->corrections < 2) return SADDLE_NOT_CONVERGED; /* one correction proves nothing */
    saddle_residual residual;
    saddle_residual_compute(problem, solution->v, solution->lambda, NULL, call->checker_work, &residual);
    if (!(residual.total <= call->options->tolerance)) return SADDLE_NOT_CONVERGED;
    return saddle_fail(call->context, SADDLE_SINGULAR, "the system is singular and contradicts itself, worst at %s",
                       name);
}
