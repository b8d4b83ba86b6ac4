/* SPDX-License-Identifier: MIT */
/* See mass.h. */
#include "mlcp/mass.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "certify.h"
#include "problem/verdict.h"
#include "refine.h"

enum { LEVELS = 3, STEPS = 40, STALLS = 3, NAMES = 3, TEXT_SIZE = 256 };

/* delta, in this order until one solves. */
static const double level[LEVELS] = {1e-5, 1e-2, 1e-8};

/* Errors: rounding; well below the tolerance, over it. */
static const double rounding_level = 16.0 * DBL_EPSILON;
static const double well_below = 1e-3;

/* A step shorter than this part of the last one is none of a motion without end. */
static const double lasting = 0.5;

void saddle__mass_clear(saddle__mass *s)
{
    double *arrays[] = {s->f, s->D, s->centre, s->moved, s->best, s->given};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        saddle_release(s->context, arrays[k]);
    saddle__shifted_clear(&s->mass);
    saddle__regularization_clear(&s->natural);
    saddle__mlcp_clear(&s->mlcp);
    memset(s, 0, sizeof *s);
}

static void copy(double *to, const double *from, int64_t count)
{
    if (count > 0) memcpy(to, from, (size_t)count * sizeof *to);
}

typedef struct progress {
    double best; /* the least error, of v and lambda kept */
    double last; /* length of the last step, in natural units */
    int stalls;  /* steps without gain, in a row */
} progress;

static double error_of(const saddle_solver_call *call, const saddle_problem *problem,
                       const saddle_solution *x)
{
    saddle_residual residual;
    saddle_residual_compute(problem, x->v, x->lambda, NULL, call->checker_work, &residual);
    return saddle__error_of(&residual, call->options->tolerance);
}

static void judge(saddle__mass *s, const saddle_solver_call *call, const saddle_problem *problem,
                  const saddle_solution *x, progress *p)
{
    double error = error_of(call, problem, x);
    p->stalls = error < 0.5 * p->best ? 0 : p->stalls + 1;
    if (!(error < p->best)) return;
    p->best = error;
    copy(s->best, x->v, problem->n);
    copy(s->best + problem->n, x->lambda, problem->m);
}

/* SADDLE_SINGULAR: s->moved is proven to be a motion without end. */
static saddle_status try_motion(const saddle__mass *s, const saddle_solver_call *call,
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

static void borrow(saddle__mass *s, const saddle_problem *problem)
{
    s->problem = *problem;
    s->problem.M = s->mass.A;
    s->problem.f = s->f;
    s->problem.owner = 0;
}

static void set_delta(saddle__mass *s, const saddle_problem *problem, double delta)
{
    saddle__regularization_measure(&s->natural, problem, delta, 0);
    for (int64_t j = 0; j < problem->n; j++) s->D[j] = delta * s->natural.scale[j];
    saddle__shifted_set(&s->mass, &problem->M, s->D);
}

static saddle_status make(saddle__mass *s, const saddle_solver_call *call,
                          const saddle_problem *problem)
{
    saddle_context *context = call->context;
    double **arrays[] = {&s->f, &s->D, &s->centre, &s->moved, &s->best, &s->given};
    s->context = context;
    saddle_status status = saddle__shifted_create(context, &problem->M, problem->n, &s->mass);
    if (status == SADDLE_OK) status = saddle__regularization_create(context, problem, &s->natural);
    if (status != SADDLE_OK) return status;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        *arrays[k] = saddle_allocate(context, problem->n + problem->m, sizeof(double));
        if (!*arrays[k]) return SADDLE_OUT_OF_MEMORY;
    }
    set_delta(s, problem, level[0]);
    borrow(s, problem);
    return saddle__mlcp_create(context, &s->problem, call->options, call->settings, &s->mlcp);
}

/* s->moved; returns its length in natural units. */
static double measure_step(saddle__mass *s, const double *v)
{
    double length = 0.0;
    for (int64_t j = 0; j < s->problem.n; j++) {
        s->moved[j] = v[j] - s->centre[j];
        length = fmax(length, fabs(s->moved[j]) * sqrt(s->natural.scale[j]));
    }
    return length;
}

/* A velocity below the rounding of f_j / (M + D)_jj is zero: a row without any scale but this
 * velocity would be measured against the rounding alone. */
static void round_velocities(const saddle__mass *s, double *v)
{
    const saddle_matrix *M = &s->mass.A;
    for (int64_t j = 0; j < s->problem.n; j++)
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++)
            if (M->index[k] == j && fabs(M->value[k] * v[j]) < DBL_EPSILON * fabs(s->f[j]))
                v[j] = 0.0;
}

static int ends(saddle_status status)
{
    return status < 0 || status == SADDLE_STOPPED || status == SADDLE_TIME_LIMIT ||
           status == SADDLE_INFEASIBLE;
}

static int is_enough(const progress *p, const saddle_solver_call *call)
{
    int good = p->best <= well_below * call->options->tolerance;
    return p->best <= rounding_level || p->stalls >= (good ? 1 : STALLS);
}

/* Steps with one delta, from s->centre on.  What ends the solve is returned, else SADDLE_OK. */
static saddle_status iterate(saddle__mass *s, const saddle_solver_call *own,
                             const saddle_solver_call *call, const saddle_problem *problem,
                             saddle_solution *x, progress *p)
{
    p->stalls = 0;
    p->last = (double)INFINITY;
    for (int k = 0; k < STEPS && !is_enough(p, call); k++) {
        for (int64_t j = 0; j < problem->n; j++)
            s->f[j] = (problem->f ? problem->f[j] : 0.0) + s->D[j] * s->centre[j];
        saddle_status status = saddle__mlcp_solve(&s->mlcp, own, &s->problem, x);
        if (ends(status)) return status;
        call->report->iterations++;
        round_velocities(s, x->v);
        judge(s, call, problem, x, p);
        double length = measure_step(s, x->v);
        status = length > lasting * p->last ? try_motion(s, call, problem) : SADDLE_OK;
        if (status != SADDLE_OK) return status;
        p->last = length;
        copy(s->centre, x->v, problem->n);
    }
    return SADDLE_OK;
}

/* All levels, from v = 0 and lambda = 0. */
static saddle_status iterate_levels(saddle__mass *s, const saddle_solver_call *own,
                                    const saddle_solver_call *call, const saddle_problem *problem,
                                    saddle_solution *x, progress *p)
{
    saddle_status status = SADDLE_OK;
    memset(s->centre, 0, (size_t)problem->n * sizeof *s->centre);
    memset(x->v, 0, (size_t)problem->n * sizeof *x->v);
    if (problem->m > 0) memset(x->lambda, 0, (size_t)problem->m * sizeof *x->lambda);
    for (int k = 0; k < LEVELS && status == SADDLE_OK; k++) {
        if (p->best <= call->options->tolerance) break;
        set_delta(s, problem, level[k]);
        status = saddle__mlcp_factor(&s->mlcp, own, &s->problem);
        if (status == SADDLE_SINGULAR) /* by rounding, with this delta */
            status = SADDLE_OK;
        else if (status == SADDLE_OK)
            status = iterate(s, own, call, problem, x, p);
    }
    return status;
}

static void report_steps(const saddle_report *of_steps, saddle_report *report, int64_t steps)
{
    report->pivots += of_steps->pivots;
    report->factorizations += of_steps->factorizations;
    report->refinements += of_steps->refinements;
    if (report->peak_bytes < of_steps->peak_bytes) report->peak_bytes = of_steps->peak_bytes;
    report->switches.regularized++;
    saddle__report_note(report, "M singular, %lld proximal steps on the velocities",
                        (long long)steps);
}

saddle_status saddle__mass_solve(saddle__mass *s, const saddle_solver_call *call,
                                 const saddle_problem *problem, saddle_solution *solution)
{
    saddle_report report = {0};
    saddle_solver_call own = *call;
    int64_t before = call->report->iterations;
    progress p = {.best = (double)INFINITY};
    own.report = &report;
    saddle_status status = s->made ? SADDLE_OK : make(s, call, problem);
    if (status < 0) {
        saddle__mass_clear(s);
        return status;
    }
    s->made = 1;
    borrow(s, problem);
    double error = error_of(call, problem, solution);
    copy(s->given, solution->v, problem->n);
    copy(s->given + problem->n, solution->lambda, problem->m);
    status = iterate_levels(s, &own, call, problem, solution, &p);
    report_steps(&report, call->report, call->report->iterations - before);
    if (status == SADDLE_SINGULAR || status == SADDLE_OUT_OF_MEMORY || status == SADDLE_INFEASIBLE)
        return status;
    int solved = p.best <= call->options->tolerance;
    int ended = status == SADDLE_STOPPED || status == SADDLE_TIME_LIMIT;
    const double *from = solved || (ended && p.best < error) ? s->best : s->given;
    copy(solution->v, from, problem->n);
    copy(solution->lambda, from + problem->n, problem->m);
    return ended ? status : solved ? SADDLE_OK : SADDLE_NOT_CONVERGED;
}
