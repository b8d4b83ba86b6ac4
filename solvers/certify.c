/* SPDX-License-Identifier: MIT */
/* See certify.h. */
#include "certify.h"

#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/tolerances.h"
#include "base/unset.h"
#include "base/vector.h"

/* ---- the checker ---- */

saddle_status saddle__checker_create(saddle_context *context, const saddle_problem *problem,
                                     saddle_checker *checker)
{
    int64_t size = saddle_residual_work_size(problem);
    *checker = (saddle_checker){0};
    checker->work = saddle__allocate_unset(context, size + 2 * problem->n + 3 * problem->m,
                                           sizeof *checker->work);
    if (!checker->work) return SADDLE_OUT_OF_MEMORY;
    checker->v = checker->work + size;
    checker->lambda = checker->v + problem->n;
    checker->w = checker->lambda + problem->m;
    checker->first_v = checker->w + problem->m;
    checker->first_lambda = checker->first_v + problem->n;
    return SADDLE_OK;
}

/* Bit by bit. */
static int is_same(const double *a, const double *b, int64_t count)
{
    return count == 0 || memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

const saddle_residual *saddle_solver_measure(const saddle_solver_call *call,
                                             const saddle_problem *problem, const double *v,
                                             const double *lambda)
{
    saddle_checker *c = call ? call->checker : NULL;
    const saddle__sums *parts = call && call->context ? call->context->parts : NULL;
    if (!c || !problem || (problem->n > 0 && !v) || (problem->m > 0 && !lambda)) return NULL;
    if (c->known && !parts && problem == c->problem && is_same(v, c->v, problem->n) &&
        is_same(lambda, c->lambda, problem->m))
        return &c->residual;
    if (problem != c->problem) c->units.known = 0;
    if (c->by_operator)
        c->by_operator->measure(c->by_operator->user, problem, v, lambda, c->w, c->work,
                                &c->residual);
    else
        saddle__residual_of_parts(problem, parts, &c->units, v, lambda, c->w, c->work,
                                  &c->residual);
    if (problem != c->problem) c->units.known = 0;
    saddle__copy(c->v, v, problem->n);
    saddle__copy(c->lambda, lambda, problem->m);
    c->known = problem == c->problem;
    return &c->residual;
}

/* ---- certificates ---- */

/* The call's certificate, created on first use. */
static saddle_status open(const saddle_solver_call *call, const saddle_problem *problem)
{
    if (call->certificate->row) return SADDLE_OK;
    return saddle_certificate_create(call->context, problem->n, problem->m, call->certificate);
}

saddle_status saddle__certify_rows(const saddle_solver_call *call, const saddle_problem *problem,
                                   const double *y)
{
    if (!call->certificate) return SADDLE_INFEASIBLE;
    saddle_status status = open(call, problem);
    if (status != SADDLE_OK) return status;
    for (int64_t j = 0; j < problem->n; j++) call->certificate->velocity[j] = 0.0;
    saddle__copy(call->certificate->row, y, problem->m);
    return SADDLE_INFEASIBLE;
}

saddle_status saddle__certify_motion(const saddle_solver_call *call, const saddle_problem *problem,
                                     const double *z)
{
    saddle_certificate *certificate = call->certificate;
    if (!certificate) return SADDLE_OK;
    saddle_status status = open(call, problem);
    if (status != SADDLE_OK) return status;
    double most = 0.0;
    double work = 0.0;
    for (int64_t j = 0; j < problem->n; j++) most = fmax(most, fabs(z[j]));
    for (int64_t j = 0; problem->f && j < problem->n; j++) work += problem->f[j] * z[j];
    for (int64_t j = 0; j < problem->n; j++)
        certificate->velocity[j] = fabs(z[j]) > SADDLE__NEGLIGIBLE_IMPULSE * most
                                       ? (work < 0.0 ? -z[j] : z[j])
                                       : 0.0;
    for (int64_t i = 0; i < problem->m; i++) certificate->row[i] = 0.0;
    return SADDLE_OK;
}
