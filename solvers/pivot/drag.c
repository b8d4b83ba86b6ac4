/* SPDX-License-Identifier: MIT */
/* See drag.h. */
#include "pivot/drag.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "certify.h"
#include "refine.h"
#include "problem/verdict.h"

enum { LEVELS = 3, STEPS = 40, STALLS = 3, NAMES = 3, TEXT_SIZE = 256 };

/* delta, in this order until one does. */
static const double level[LEVELS] = {1e-5, 1e-2, 1e-8};

/* An error at which further steps could gain nothing. */
static const double rounding_level = 16.0 * DBL_EPSILON;

/* A step that is shorter than this part of the last one is not one of a motion without end. */
static const double lasting = 0.5;

void saddle__drag_clear(saddle__drag *s)
{
    if (s->state) s->type->clear(s->state, s->context);
    saddle_release(s->context, s->state);
    saddle__shifted_clear(&s->mass);
    saddle__regularization_clear(&s->natural);
    double *arrays[] = {s->f, s->added, s->centre, s->moved, s->best, s->given};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        saddle_release(s->context, arrays[k]);
    memset(s, 0, sizeof *s);
}

/* ---- how good it is ---- */

static void copy(double *to, const double *from, int64_t count)
{
    if (count > 0) memcpy(to, from, (size_t)count * sizeof *to);
}

typedef struct progress {
    double best; /* the least error, of v and lambda kept */
    double last; /* length of the last step, in natural units */
    int stalls;  /* steps without much gain */
} progress;

static double error_of(const saddle_solver_call *call, const saddle_problem *problem,
                       const saddle_solution *x)
{
    saddle_residual residual;
    saddle_residual_compute(problem, x->v, x->lambda, NULL, call->checker_work, &residual);
    return saddle__error_of(&residual, call->options->tolerance);
}

static void judge(saddle__drag *s, const saddle_solver_call *call, const saddle_problem *problem,
                  const saddle_solution *x, progress *p)
{
    double error = error_of(call, problem, x);
    p->stalls = error < 0.5 * p->best ? 0 : p->stalls + 1;
    if (!(error < p->best)) return;
    p->best = error;
    copy(s->best, x->v, problem->n);
    copy(s->best + problem->n, x->lambda, problem->m);
}

/* ---- the motion without end ---- */

static saddle_status try_motion(const saddle__drag *s, const saddle_solver_call *call,
                                const saddle_problem *problem)
{
    saddle_proof proof;
    if (!call->certificate) return SADDLE_OK;
    saddle_status status = saddle__offer_motion(call, problem, s->moved);
    if (status == SADDLE_OK)
        status = saddle_certificate_check(call->context, problem, call->certificate, &proof);
    if (status != SADDLE_OK) return status;
    if (proof.kind == SADDLE_PROOF_NONE) {
        saddle_certificate_clear(call->certificate);
        return SADDLE_OK;
    }
    char text[TEXT_SIZE];
    saddle_certificate_describe(problem, call->certificate, NAMES, text, sizeof text);
    return saddle_fail(call->context, SADDLE_SINGULAR, "pivot: %s", text);
}

/* ---- the steps ---- */

static void borrow(saddle__drag *s, const saddle_problem *problem)
{
    s->problem = *problem;
    s->problem.M = s->mass.A;
    s->problem.f = s->f;
    s->problem.owner = 0;
}

static saddle_status make(saddle__drag *s, const saddle_solver_type *type, saddle_solver_call *own,
                          const saddle_problem *problem)
{
    saddle_context *context = own->context;
    double **arrays[] = {&s->f, &s->added, &s->centre, &s->moved};
    s->context = context;
    s->type = type;
    saddle_status status = saddle__shifted_create(context, &problem->M, problem->n, &s->mass);
    if (status == SADDLE_OK) status = saddle__regularization_create(context, problem, &s->natural);
    if (status != SADDLE_OK) return status;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        *arrays[k] = saddle_allocate(context, problem->n, sizeof(double));
        if (!*arrays[k]) return SADDLE_OUT_OF_MEMORY;
    }
    s->best = saddle_allocate(context, problem->n + problem->m, sizeof *s->best);
    s->given = saddle_allocate(context, problem->n + problem->m, sizeof *s->given);
    if (!s->best || !s->given) return SADDLE_OUT_OF_MEMORY;
    s->state = saddle_allocate(context, 1, type->state_size);
    if (!s->state) return SADDLE_OUT_OF_MEMORY;
    saddle__regularization_measure(&s->natural, problem, level[0], 0);
    for (int64_t j = 0; j < problem->n; j++) s->added[j] = level[0] * s->natural.scale[j];
    saddle__shifted_set(&s->mass, &problem->M, s->added);
    borrow(s, problem);
    return type->analyse(own, s->state, &s->problem);
}

static saddle_status factor(saddle__drag *s, saddle_solver_call *own, const saddle_problem *problem,
                            double delta)
{
    saddle__regularization_measure(&s->natural, problem, delta, 0);
    for (int64_t j = 0; j < problem->n; j++) s->added[j] = delta * s->natural.scale[j];
    saddle__shifted_set(&s->mass, &problem->M, s->added);
    return s->type->factor(own, s->state, &s->problem);
}

/* s->moved; its length in natural units */
static double measure_step(saddle__drag *s, const double *v)
{
    double length = 0.0;
    for (int64_t j = 0; j < s->problem.n; j++) {
        s->moved[j] = v[j] - s->centre[j];
        length = fmax(length, fabs(s->moved[j]) * sqrt(s->natural.scale[j]));
    }
    return length;
}

static int is_settled(saddle_status status)
{
    return status < 0 || status == SADDLE_STOPPED || status == SADDLE_TIME_LIMIT ||
           status == SADDLE_INFEASIBLE;
}

static int is_enough(const progress *p, const saddle_solver_call *call)
{
    int good = p->best <= 1e-3 * call->options->tolerance;
    return p->best <= rounding_level || p->stalls >= (good ? 1 : STALLS);
}

/* With one delta, from s->centre on.  What settles it all is returned, else SADDLE_OK. */
static saddle_status iterate(saddle__drag *s, saddle_solver_call *own,
                             const saddle_solver_call *call, const saddle_problem *problem,
                             saddle_solution *x, progress *p)
{
    p->stalls = 0;
    p->last = (double)INFINITY;
    for (int k = 0; k < STEPS && !is_enough(p, call); k++) {
        for (int64_t j = 0; j < problem->n; j++)
            s->f[j] = (problem->f ? problem->f[j] : 0.0) + s->added[j] * s->centre[j];
        saddle_status status = s->type->solve(own, s->state, &s->problem, x);
        if (is_settled(status)) return status;
        call->report->iterations++;
        judge(s, call, problem, x, p);
        double length = measure_step(s, x->v);
        int lasts = length > lasting * p->last;
        status = lasts ? try_motion(s, call, problem) : SADDLE_OK;
        if (status != SADDLE_OK) return status;
        p->last = length;
        copy(s->centre, x->v, problem->n);
    }
    return SADDLE_OK;
}

static void report_steps(const saddle_report *of_steps, saddle_report *report, int64_t steps)
{
    report->pivots += of_steps->pivots;
    report->factorizations += of_steps->factorizations;
    report->refinements += of_steps->refinements;
    if (report->peak_bytes < of_steps->peak_bytes) report->peak_bytes = of_steps->peak_bytes;
    report->switches.regularized++;
    saddle__report_note(report, "M singular, %lld steps with a drag", (long long)steps);
}

saddle_status saddle__drag_solve(saddle__drag *s, const saddle_solver_type *type,
                                 const saddle_solver_call *call, const saddle_problem *problem,
                                 saddle_solution *solution)
{
    saddle_report fresh = {0};
    saddle_solver_call own = *call;
    int64_t before = call->report->iterations;
    progress p = {.best = (double)INFINITY};
    own.report = &s->report;
    s->report = fresh;
    saddle_status status = s->state ? SADDLE_OK : make(s, type, &own, problem);
    if (status < 0) {
        saddle__drag_clear(s);
        return status;
    }
    borrow(s, problem);
    double error = error_of(call, problem, solution);
    copy(s->given, solution->v, problem->n);
    copy(s->given + problem->n, solution->lambda, problem->m);
    memset(s->centre, 0, (size_t)problem->n * sizeof *s->centre);
    memset(solution->v, 0, (size_t)problem->n * sizeof *solution->v);
    if (problem->m > 0) memset(solution->lambda, 0, (size_t)problem->m * sizeof *solution->lambda);
    for (int k = 0; k < LEVELS && status == SADDLE_OK && !(p.best <= call->options->tolerance);
         k++) {
        status = factor(s, &own, problem, level[k]);
        int singular = status == SADDLE_SINGULAR; /* by rounding, with this delta */
        if (status == SADDLE_WRONG_INERTIA || singular) status = SADDLE_OK;
        if (status == SADDLE_OK && !singular)
            status = iterate(s, &own, call, problem, solution, &p);
    }
    report_steps(&s->report, call->report, call->report->iterations - before);
    if (status == SADDLE_SINGULAR || status == SADDLE_OUT_OF_MEMORY || status == SADDLE_INFEASIBLE)
        return status;
    int solved = p.best <= call->options->tolerance;
    int ended = status == SADDLE_STOPPED || status == SADDLE_TIME_LIMIT;
    const double *from = solved || (ended && p.best < error) ? s->best : s->given;
    copy(solution->v, from, problem->n);
    copy(solution->lambda, from + problem->n, problem->m);
    return ended ? status : solved ? SADDLE_OK : SADDLE_NOT_CONVERGED;
}
