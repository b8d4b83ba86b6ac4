/* SPDX-License-Identifier: MIT */
/* See verdict.h. */
#include "verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/tolerances.h"
#include "base/vector.h"
#include "certify.h"
#include "problem/verdict.h"

/* Local errors beyond far_apart times the total are named in the note. */
static const double far_apart = 1e3;

enum {
    FEW = 100 /* velocities and rows: a search for a certificate takes about a millisecond up to
                 here */
};

static void set_zero(double *x, int64_t count)
{
    if (count > 0) memset(x, 0, (size_t)count * sizeof *x);
}

/* ---- proofs ---- */

void saddle__proof_forget(saddle_report *report, saddle_certificate *certificate)
{
    saddle_proof none = {.heaviest = -1};
    report->proof = none;
    saddle_certificate_clear(certificate);
}

static void forget_proof(const saddle__case *c)
{
    saddle__proof_forget(c->call->report, c->call->certificate);
}

/* SADDLE_INFEASIBLE where the certificate holds, else SADDLE_NOT_CONVERGED. */
static saddle_status check_proof(const saddle__case *c)
{
    const saddle_certificate *certificate = c->call->certificate;
    saddle_proof *proof = &c->call->report->proof;
    saddle_status status = SADDLE_OK;
    if (certificate->row || certificate->velocity)
        status = saddle_certificate_check(c->call->context, c->problem, certificate, proof);
    if (status == SADDLE_OUT_OF_MEMORY) return status;
    return status == SADDLE_OK && proof->kind != SADDLE_PROOF_NONE ? SADDLE_INFEASIBLE
                                                                   : SADDLE_NOT_CONVERGED;
}

/* A motion pushed by f: single velocities without mass first, at no cost, then any. */
static saddle_status find_motion(const saddle__case *c)
{
    saddle_certificate *certificate = c->call->certificate;
    saddle_certificate_clear(certificate);
    saddle_status status = saddle__offer_pushed(c->call->context, c->problem, certificate);
    if (status == SADDLE_OK) status = check_proof(c);
    if (status != SADDLE_NOT_CONVERGED) return status;
    saddle_certificate_clear(certificate);
    status = saddle__refute_motion(c);
    if (status == SADDLE_OK) return check_proof(c);
    saddle_certificate_clear(certificate); /* a proof is optional, and out of memory no error here
                                            */
    return SADDLE_NOT_CONVERGED;
}

/* Before a first factorization: text names a velocity without mass, best one that no row holds. */
static void name_massless(const saddle__case *c, char *text, size_t size)
{
    const saddle_problem *p = c->problem;
    const saddle_matrix *M = &p->M;
    double *held = c->call->checker_work; /* n: 2 = by an entry of M, 1 = of J alone, 0 = by none */
    int64_t rows = saddle_matrix_entries(&p->Jt), least = 0;
    char name[128];
    if (c->call->report->factorizations > 0 || p->n == 0) return;
    set_zero(held, p->n);
    for (int64_t k = 0; k < rows; k++)
        if (p->Jt.value[k] != 0.0) held[p->Jt.index[k]] = 1.0;
    for (int64_t j = 0; M->start && j < p->n; j++)
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++)
            if (M->value[k] != 0.0) held[j] = held[M->index[k]] = 2.0;
    for (int64_t j = 0; j < p->n; j++)
        if (held[j] < held[least]) least = j;
    if (held[least] == 2.0) return;
    saddle_problem_describe_velocity(p, least, name, sizeof name);
    (void)snprintf(text, size, "%s: no mass%s", name,
                   held[least] == 0.0 ? " and no row holds it" : ", so M cannot be factored");
}

saddle_status saddle__verdict_singular(const saddle__case *c)
{
    saddle_context *context = c->call->context;
    const saddle_proof *proof = &c->call->report->proof;
    char said[512], name[128] = "it", others[48] = "";
    (void)snprintf(said, sizeof said, "%s", saddle_context_message(context));
    saddle_status status = c->call->certificate->row ? check_proof(c) : SADDLE_NOT_CONVERGED;
    int offered = status == SADDLE_INFEASIBLE && proof->kind == SADDLE_PROOF_MOTION;
    if (!offered) name_massless(c, said, sizeof said);
    if (!offered && status != SADDLE_OUT_OF_MEMORY) status = find_motion(c);
    if (status == SADDLE_OUT_OF_MEMORY) return status;
    if (status != SADDLE_INFEASIBLE) return saddle_fail(context, SADDLE_SINGULAR, "%s", said);
    if (!offered) saddle_problem_describe_velocity(c->problem, proof->heaviest, name, sizeof name);
    if (!offered && proof->velocities > 1)
        (void)snprintf(others, sizeof others, " and %lld more", (long long)proof->velocities - 1);
    return saddle_fail(context, SADDLE_SINGULAR, "%s, and f pushes %s%s: unbounded", said, name,
                       others);
}

/* ---- the checker's measure ---- */

static void compute_residual(const saddle__case *c, saddle_solution *solution)
{
    saddle_residual_compute(c->problem, solution->v, solution->lambda, solution->w,
                            c->call->checker_work, &c->call->report->residual);
}

static void clear_answer(const saddle__case *c, saddle_solution *solution)
{
    set_zero(solution->v, c->problem->n);
    set_zero(solution->lambda, c->problem->m);
}

saddle_status saddle__verdict_measure(const saddle__case *c, saddle_solution *solution,
                                      saddle_status status)
{
    int64_t n = c->problem->n;
    int64_t m = c->problem->m;
    if (status < 0) clear_answer(c, solution);
    compute_residual(c, solution);
    int finite = saddle__is_finite(solution->v, n) && saddle__is_finite(solution->lambda, m) &&
                 saddle__is_finite(solution->w, m);
    if (!finite) {
        clear_answer(c, solution);
        compute_residual(c, solution);
        if (status >= 0 && status != SADDLE_INFEASIBLE) status = SADDLE_DIVERGED;
    }
    if (status < 0) set_zero(solution->w, m);
    return status;
}

saddle_status saddle__verdict_claim(const saddle__case *c, saddle_solution *solution,
                                    saddle_status status)
{
    if (status == SADDLE_SINGULAR) status = saddle__verdict_singular(c);
    if (status == SADDLE_INFEASIBLE) status = check_proof(c);
    return saddle__verdict_measure(c, solution, status);
}

int saddle__verdict_solved(const saddle_solver_call *call)
{
    return saddle_residual_is_solved(&call->report->residual, call->options->tolerance);
}

int saddle__verdict_ended(const saddle_solver_call *call, saddle_status status)
{
    int ended = status == SADDLE_OK || status == SADDLE_NOT_CONVERGED ||
                status == SADDLE_ITERATION_LIMIT || status == SADDLE_DIVERGED;
    return ended && call->options->max_iterations == 0;
}

/* ---- the verdict ---- */

static saddle_status say_infeasible(const saddle__case *c)
{
    saddle_report *report = c->call->report;
    char text[160];
    saddle_certificate_describe(c->problem, c->call->certificate, 3, text, sizeof text);
    saddle__report_note(report, "no solution: %s", text);
    return saddle_fail(c->call->context, SADDLE_INFEASIBLE, "%s: no solution: %s", report->solver,
                       text);
}

static saddle_status say_unsolved(const saddle_solver_call *call, saddle_status status)
{
    const saddle_residual *residual = &call->report->residual;
    const char *name = call->report->solver;
    if (!(residual->total <= call->options->tolerance))
        return saddle_fail(call->context, status, "%s: residual %.3g, tolerance %.3g", name,
                           residual->total, call->options->tolerance);
    return saddle_fail(call->context, status,
                       "%s: residual %.3g, but the terms of the equations are %.3g times the data: "
                       "the error is %.1g of the data",
                       name, residual->total, residual->growth, residual->growth * residual->total);
}

/* The contradiction is within the tolerance, as the answer is. */
static saddle_status prefer_answer(const saddle__case *c)
{
    forget_proof(c);
    saddle__report_note(c->call->report,
                        "a contradiction of the rows is smaller than the tolerance");
    return SADDLE_OK;
}

/* Terms far beyond the data may come from a singular M with rounding noise as pivots: a motion
 * without mass is looked for. */
static saddle_status judge_growth(const saddle__case *c, saddle_solution *solution,
                                  saddle_status status)
{
    saddle_report *report = c->call->report;
    if (c->problem->n == 0 || status == SADDLE_STOPPED || status == SADDLE_TIME_LIMIT)
        return status;
    if (!saddle_residual_is_overgrown(&report->residual, c->call->options->tolerance))
        return status;
    (void)saddle_fail(c->call->context, SADDLE_SINGULAR, "%s: M is singular", report->solver);
    saddle_status judged = saddle__verdict_singular(c);
    if (report->proof.kind != SADDLE_PROOF_NONE || judged == SADDLE_OUT_OF_MEMORY)
        return saddle__verdict_measure(c, solution, judged);
    forget_proof(c);
    return status;
}

/* status, or SADDLE_INFEASIBLE where rows contradict each other. */
static saddle_status refute(const saddle__case *c, saddle_solution *solution, saddle_status status)
{
    forget_proof(c);
    if (saddle__refute_rows(c, solution) != SADDLE_INFEASIBLE) {
        forget_proof(c); /* a proof is optional, and out of memory no error here */
        return status;
    }
    (void)saddle__verdict_measure(c, solution, SADDLE_INFEASIBLE);
    return saddle__verdict_solved(c->call) ? prefer_answer(c) : say_infeasible(c);
}

/* One scale for all rows may hide an error of a light body beside a heavy one. */
static void note_local(const saddle__case *c)
{
    const saddle_residual *residual = &c->call->report->residual;
    char name[128];
    if (!(residual->local > c->call->options->tolerance &&
          residual->local > far_apart * residual->total))
        return;
    saddle_problem_describe_row(c->problem, residual->worst_local, name, sizeof name);
    saddle__report_note(c->call->report, "%s: error %.1e of its own terms", name, residual->local);
}

/* Whether a contradiction may hide from the residual: behind huge impulses with visible rounding,
 * or in rows without a unit.  Equations alone: refinement has looked. */
static int may_hide(const saddle__case *c)
{
    const saddle_residual *residual = &c->call->report->residual;
    int grows = saddle_matrix_entries(&c->problem->R) > 0 &&
                residual->growth > SADDLE__LARGE_GROWTH;
    return (grows || residual->unitless > 0) &&
           saddle_problem_count_rows(c->problem).equality < c->problem->m;
}

static saddle_status judge_unsolved(const saddle__case *c, saddle_solution *solution,
                                    saddle_status status)
{
    int few = c->problem->n <= FEW && c->problem->m <= FEW;
    if (status == SADDLE_OK) status = SADDLE_NOT_CONVERGED;
    if (few && saddle__verdict_ended(c->call, status) &&
        c->call->report->residual.total > SADDLE__CONTRADICTION)
        status = refute(c, solution, status);
    return status == SADDLE_INFEASIBLE ? status : say_unsolved(c->call, status);
}

saddle_status saddle__verdict(const saddle__case *c, saddle_solution *solution,
                              saddle_status status)
{
    if (status >= 0 && status != SADDLE_INFEASIBLE) status = judge_growth(c, solution, status);
    if (status < 0) return status;
    int solved = saddle__verdict_solved(c->call);
    if (status == SADDLE_INFEASIBLE) return solved ? prefer_answer(c) : say_infeasible(c);
    if (!solved) return judge_unsolved(c, solution, status);
    note_local(c);
    return may_hide(c) ? refute(c, solution, SADDLE_OK) : SADDLE_OK;
}
