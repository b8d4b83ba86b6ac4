/* SPDX-License-Identifier: MIT */
/* See certify.h. */
#include "certify.h"

#include <math.h>
#include <string.h>

#include "problem/verdict.h"

enum { PROJECTIONS = 2 };

/* parts of the null vector, of its largest in natural units */
static const double negligible = 1e-9;

saddle_status saddle__offer(const saddle_solver_call *call, const saddle_problem *problem,
                            const double *y)
{
    saddle_certificate *certificate = call->certificate;
    if (!certificate) return SADDLE_INFEASIBLE;
    saddle_status status = SADDLE_OK;
    if (!certificate->row)
        status = saddle_certificate_create(call->context, problem->n, problem->m, certificate);
    if (status != SADDLE_OK) return status;
    for (int64_t j = 0; j < problem->n; j++) certificate->velocity[j] = 0.0;
    for (int64_t i = 0; i < problem->m; i++) certificate->row[i] = y[i];
    return SADDLE_INFEASIBLE;
}

saddle_status saddle__offer_against(const saddle_solver_call *call, const saddle_problem *problem,
                                    const double *y, const saddle_solution *answer,
                                    saddle_status otherwise)
{
    saddle_proof proof;
    int refuted = 0;
    saddle_status status = saddle__offer(call, problem, y);
    if (status < 0 || !call->certificate) return status;
    status = saddle__certificate_refutes(call->context, problem, call->certificate, answer, &proof,
                                         &refuted);
    if (status < 0) return status;
    if (refuted) return SADDLE_INFEASIBLE;
    saddle_certificate_clear(call->certificate);
    return otherwise;
}

saddle_status saddle__offer_motion(const saddle_solver_call *call, const saddle_problem *problem,
                                   const double *z)
{
    saddle_certificate *certificate = call->certificate;
    saddle_status status = SADDLE_OK;
    if (!certificate) return SADDLE_OK;
    if (!certificate->row)
        status = saddle_certificate_create(call->context, problem->n, problem->m, certificate);
    if (status != SADDLE_OK) return status;
    double most = 0.0;
    double work = 0.0;
    for (int64_t j = 0; j < problem->n; j++) most = fmax(most, fabs(z[j]));
    for (int64_t j = 0; problem->f && j < problem->n; j++) work += problem->f[j] * z[j];
    for (int64_t j = 0; j < problem->n; j++)
        certificate->velocity[j] = fabs(z[j]) > negligible * most ? (work < 0.0 ? -z[j] : z[j])
                                                                  : 0.0;
    for (int64_t i = 0; i < problem->m; i++) certificate->row[i] = 0.0;
    return SADDLE_OK;
}

/* z_j <- 0 where M has an entry in row or column j */
static void leave_masses_out(const saddle_matrix *M, double *z)
{
    for (int64_t j = 0; M->start && j < M->cols; j++)
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++)
            if (M->value[k] != 0.0) z[j] = z[M->index[k]] = 0.0;
}

/* z_j <- 0 where a row has impulses without end against z_j, or belongs to a contact */
static void leave_held_out(const saddle_problem *problem, double *z)
{
    const saddle_matrix *Jt = &problem->Jt;
    const saddle_contact *contact = problem->contacts;
    int64_t left = problem->contact_count;
    for (int64_t i = 0; Jt->start && i < problem->m; i++) {
        for (; left > 0 && i >= contact->row + contact->size; left--) contact++;
        int touches = left > 0 && i >= contact->row;
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
            double g = -Jt->value[k] * z[Jt->index[k]];
            double bound = g > 0.0   ? saddle_problem_hi(problem, i)
                           : g < 0.0 ? saddle_problem_lo(problem, i)
                                     : 0.0;
            if (isinf(bound) || (touches && g != 0.0)) z[Jt->index[k]] = 0.0;
        }
    }
}

int64_t saddle__find_pushed(const saddle_problem *problem, double *z)
{
    const double *f = problem->f;
    int64_t count = 0;
    if (problem->n == 0) return 0;
    for (int64_t j = 0; j < problem->n; j++) z[j] = f ? (double)((f[j] > 0.0) - (f[j] < 0.0)) : 0.0;
    leave_masses_out(&problem->M, z);
    leave_held_out(problem, z);
    for (int64_t j = 0; j < problem->n; j++) count += z[j] != 0.0;
    return count;
}

saddle_status saddle__offer_pushed(saddle_context *context, const saddle_problem *problem,
                                   saddle_certificate *certificate)
{
    saddle_status status = saddle_certificate_create(context, problem->n, problem->m, certificate);
    if (status == SADDLE_OK) (void)saddle__find_pushed(problem, certificate->velocity);
    return status;
}

/* r (n + m) <- (M p - J'q, J p + R q) */
static void apply(const saddle_problem *problem, const double *p, const double *q, double *r)
{
    int64_t n = problem->n;
    memset(r, 0, (size_t)(n + problem->m) * sizeof *r);
    if (n > 0) saddle_matrix_apply(&problem->M, 1.0, p, 1.0, r);
    if (problem->R.start) saddle_matrix_apply(&problem->R, 1.0, q, 1.0, r + n);
    if (n == 0 || !problem->Jt.start) return;
    saddle_matrix_apply(&problem->Jt, -1.0, q, 1.0, r);
    saddle_matrix_apply_transpose(&problem->Jt, 1.0, p, 1.0, r + n);
}

/* x (n + m): the residual in the units of the unknowns, less what K does not annihilate. */
static saddle_status project(saddle__refinement *s, const saddle_problem *problem,
                             saddle__corrector *correct, void *user, double *x)
{
    int64_t size = s->n + s->m;
    for (int64_t k = 0; k < size; k++) x[k] = s->residual[k] * s->unit[k] * s->unit[k];
    for (int pass = 0; pass < PROJECTIONS; pass++) {
        apply(problem, x, x + s->n, s->residual);
        saddle_status status = correct(user, problem, s->residual);
        if (status != SADDLE_OK) return status;
        for (int64_t k = 0; k < size; k++) x[k] -= s->residual[k];
    }
    return SADDLE_OK;
}

static void clean(const saddle__refinement *s, double *x)
{
    double most = 0.0;
    for (int64_t k = 0; k < s->n + s->m; k++) most = fmax(most, fabs(x[k]) / s->unit[k]);
    for (int64_t k = 0; k < s->n + s->m; k++)
        if (fabs(x[k]) / s->unit[k] <= negligible * most) x[k] = 0.0;
}

/* The sign with which f and b do work; y = -q. */
static saddle_status offer_signed(saddle__refinement *s, const saddle_problem *problem,
                                  const saddle_solver_call *call, double *x)
{
    double work = 0.0;
    double *q = x + s->n;
    for (int64_t i = 0; i < s->m; i++) q[i] = -q[i];
    for (int64_t j = 0; problem->f && j < s->n; j++) work += problem->f[j] * x[j];
    for (int64_t i = 0; problem->b && i < s->m; i++) work += problem->b[i] * q[i];
    for (int64_t k = 0; work < 0.0 && k < s->n + s->m; k++) x[k] = -x[k];
    saddle_status status = saddle__offer(call, problem, q);
    for (int64_t j = 0; status >= 0 && j < s->n; j++) call->certificate->velocity[j] = x[j];
    return status;
}

int saddle__find_contradiction(saddle__refinement *s, const saddle_problem *problem,
                               const saddle_solver_call *call, saddle__corrector *correct,
                               void *user)
{
    if (!call->certificate) return 0;
    double *x = s->residual + s->n + s->m;
    saddle_status status = project(s, problem, correct, user, x);
    if (status != SADDLE_OK) return status < 0 ? (int)status : 0;
    clean(s, x);
    status = offer_signed(s, problem, call, x);
    saddle_proof proof;
    if (status >= 0)
        status = saddle_certificate_check(call->context, problem, call->certificate, &proof);
    if (status < 0) return (int)status;
    if (proof.kind == SADDLE_PROOF_NONE) return 0;
    return 1;
}
