/* SPDX-License-Identifier: MIT */
/* The outcome of a direct solver: the status, the report's figures and the note.  See refine.h. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/tolerances.h"
#include "certify.h"
#include "refine.h"

enum { NAME_SIZE = 128 };

void saddle__report_note(saddle_report *report, const char *format, ...)
{
    if (report->note[0]) saddle__append(report->note, sizeof report->note, "; ");
    if (!strchr(format, '%')) { /* plain text: quick */
        saddle__append(report->note, sizeof report->note, format);
        return;
    }
    size_t used = strlen(report->note);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(report->note + used, sizeof report->note - used, format, arguments);
    va_end(arguments);
}

/* ---- contradictory equations ---- */

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

/* x (n + m): the residual in the units of the unknowns, projected onto the null space of K. */
static saddle_status project(saddle__refinement *s, const saddle_problem *problem,
                             saddle__corrector *correct, void *user, double *x)
{
    int64_t size = s->n + s->m;
    for (int64_t k = 0; k < size; k++) x[k] = s->residual[k] * s->unit[k] * s->unit[k];
    for (int pass = 0; pass < 2; pass++) { /* the second removes the rounding of the first */
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
        if (fabs(x[k]) / s->unit[k] <= SADDLE__NEGLIGIBLE_IMPULSE * most) x[k] = 0.0;
}

/* Signed for f and b to do positive work; y = -q. */
static saddle_status offer_signed(saddle__refinement *s, const saddle_problem *problem,
                                  const saddle_solver_call *call, double *x)
{
    double work = 0.0;
    double *q = x + s->n;
    for (int64_t i = 0; i < s->m; i++) q[i] = -q[i];
    for (int64_t j = 0; problem->f && j < s->n; j++) work += problem->f[j] * x[j];
    for (int64_t i = 0; problem->b && i < s->m; i++) work += problem->b[i] * q[i];
    for (int64_t k = 0; work < 0.0 && k < s->n + s->m; k++) x[k] = -x[k];
    saddle_status status = saddle__certify_rows(call, problem, q);
    for (int64_t j = 0; status >= 0 && j < s->n; j++) call->certificate->velocity[j] = x[j];
    return status;
}

/* The null vector (p, -q) of K = [M J'; J -R] from the residual left by refinement,
 *
 *     x <- x - K~^-1 K x      twice, K~ as factored: removes all other parts
 *
 * For M and R symmetric, p'f + q'b != 0 proves a contradiction of the equations.  1: proven and
 * offered.  0: not proven.  A negative status: by correct, or SADDLE_OUT_OF_MEMORY.  refinement: as
 * left by saddle__refine. */
static int find_contradiction(saddle__refinement *s, const saddle_problem *problem,
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

/* ---- the outcome ---- */

saddle_status saddle__refined_conclude(saddle__refinement *refinement,
                                       const saddle_problem *problem,
                                       const saddle_solver_call *call, saddle__corrector *correct,
                                       void *user, const saddle_solution *solution,
                                       const saddle__refined *refined)
{
    call->report->refinements = refined->corrections > 1 ? refined->corrections - 1 : 0;
    call->report->backward_error = refined->error;
    if (refined->status != SADDLE_OK) return refined->status;
    int contradicts = !isnan(refined->error) && refined->error > SADDLE__REGULAR_ERROR &&
                      refined->left > SADDLE__VISIBLE_PART;
    int enough = isnan(refined->error) || refined->error <= call->options->tolerance;
    if (enough && !contradicts) return SADDLE_OK;
    char name[NAME_SIZE] = "";
    if (refined->worst >= 0) saddle__describe(problem, refined->worst, name, sizeof(name));
    saddle__report_note(call->report, "refinement stopped at backward error %.1e%s%s",
                        refined->error, refined->worst >= 0 ? ", worst at " : "", name);
    if (refined->error <= SADDLE__REGULAR_ERROR || refined->corrections < 2)
        return SADDLE_NOT_CONVERGED;
    int proven = find_contradiction(refinement, problem, call, correct, user);
    if (proven != 0) return proven < 0 ? (saddle_status)proven : SADDLE_INFEASIBLE;
    if (!contradicts) return SADDLE_NOT_CONVERGED;
    if (!saddle_residual_is_solved(saddle_solver_measure(call, problem, solution->v,
                                                         solution->lambda),
                                   call->options->tolerance)) {
        if (problem->m > 0)
            saddle__report_note(call->report, "do rows contradict others? saddle info --rank");
        return SADDLE_NOT_CONVERGED;
    }
    saddle_status status = saddle_fail(
        call->context, SADDLE_SINGULAR,
        "the system is singular and contradicts itself, worst at %s%s", name,
        problem->m > 1 ? "; saddle_rank_find (saddle info --rank) names such rows" : "");
    if (refined->worst < 0) return status;
    return saddle_fail_at(call->context, saddle__place_of(problem, refined->worst), status);
}

saddle_status saddle__singular_at(const saddle_solver_call *call, const saddle_problem *problem,
                                  int64_t where)
{
    if (where < 0) return SADDLE_SINGULAR;
    char name[NAME_SIZE];
    saddle__describe(problem, where, name, sizeof(name));
    return saddle_fail_at(call->context, saddle__place_of(problem, where),
                          saddle_fail(call->context, SADDLE_SINGULAR,
                                      "%s: the pivot of %s vanished or overflowed",
                                      call->report->solver, name));
}

void saddle__report_factors(saddle_report *report, const saddle__factorization *F)
{
    saddle__factor_counts counts = saddle__factorization_counts(F);
    report->factorizations++;
    report->inertia = counts.inertia;
    report->flops = counts.flops;
    report->factor_entries = counts.entries;
    report->condition = report->scaled_condition = report->growth = (double)NAN;
    if (counts.peak_bytes > report->peak_bytes) report->peak_bytes = counts.peak_bytes;
}

/* text: empty where the inertia is possible. */
static void describe_inertia(const saddle_report *report, const saddle_problem *problem, char *text,
                             size_t size)
{
    const saddle_inertia *inertia = &report->inertia;
    *text = '\0';
    if (!saddle__inertia_is_wrong(problem, inertia)) return;
    (void)snprintf(text, size,
                   "M or R is indefinite: %lld positive, %lld negative, %lld zero pivots, not %lld "
                   "and %lld",
                   (long long)inertia->positive, (long long)inertia->negative,
                   (long long)inertia->zero, (long long)problem->n, (long long)problem->m);
}

saddle_status saddle__report_inertia(const saddle_solver_call *call, const saddle_problem *problem)
{
    char text[160];
    describe_inertia(call->report, problem, text, sizeof text);
    if (!*text) return SADDLE_OK;
    return saddle_fail(call->context, SADDLE_WRONG_INERTIA, "%s: %s", call->report->solver, text);
}

void saddle__note_inertia(saddle_report *report, const saddle_problem *problem)
{
    char text[160];
    describe_inertia(report, problem, text, sizeof text);
    if (*text) saddle__report_note(report, "%s", text);
}
