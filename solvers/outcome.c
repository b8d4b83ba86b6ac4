/* SPDX-License-Identifier: MIT */
/* What a direct solver says of a refined solution: its status, and the report's figures and note.
 * See refine.h. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "certify.h"
#include "refine.h"

enum { NAME_SIZE = 128 };

/* omega that regular systems fall below, and what part of the right-hand side is then left at
 * most */
static const double regular_error = 1e-12;
static const double regular_left = 1e-6;

void saddle__report_note(saddle_report *report, const char *format, ...)
{
    size_t used = strlen(report->note);
    size_t left = sizeof(report->note) - used;
    size_t length = strlen(format);
    if (used == 0 && length < left && !memchr(format, '%', length)) { /* plain words, as they are */
        memcpy(report->note, format, length + 1);
        return;
    }
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

saddle_status saddle__refined_conclude(saddle__refinement *refinement,
                                       const saddle_problem *problem,
                                       const saddle_solver_call *call, saddle__corrector *correct,
                                       void *user, const saddle_solution *solution,
                                       const saddle__refined *refined)
{
    call->report->refinements = refined->corrections > 1 ? refined->corrections - 1 : 0;
    call->report->backward_error = refined->error;
    if (refined->status != SADDLE_OK) return refined->status;
    int contradicts = refined->error > regular_error && refined->left > regular_left;
    int enough = isnan(refined->error) || refined->error <= call->options->tolerance;
    if (enough && !contradicts) return SADDLE_OK;
    char name[NAME_SIZE] = "";
    if (refined->worst >= 0) saddle__describe(problem, refined->worst, name, sizeof(name));
    saddle__report_note(call->report, "refinement stopped at backward error %.1e%s%s",
                        refined->error, refined->worst >= 0 ? ", worst at " : "", name);
    if (refined->error <= regular_error || refined->corrections < 2) return SADDLE_NOT_CONVERGED;
    int proven = saddle__find_contradiction(refinement, problem, call, correct, user);
    if (proven != 0) return proven < 0 ? (saddle_status)proven : SADDLE_INFEASIBLE;
    if (!contradicts) return SADDLE_NOT_CONVERGED;
    saddle_residual residual;
    saddle_residual_compute(problem, solution->v, solution->lambda, NULL, call->checker_work,
                            &residual);
    if (!saddle_residual_is_solved(&residual, call->options->tolerance)) {
        if (problem->m > 0)
            saddle__report_note(call->report, "do rows contradict others? saddle info --rank");
        return SADDLE_NOT_CONVERGED;
    }
    return saddle_fail(call->context, SADDLE_SINGULAR,
                       "the system is singular and contradicts itself, worst at %s%s", name,
                       problem->m > 1 ? "; saddle_rank_find (saddle info --rank) names such rows"
                                      : "");
}

saddle_status saddle__singular_at(const saddle_solver_call *call, const saddle_problem *problem,
                                  int64_t where)
{
    if (where < 0) return SADDLE_SINGULAR;
    char name[NAME_SIZE];
    saddle__describe(problem, where, name, sizeof(name));
    return saddle_fail(call->context, SADDLE_SINGULAR, "%s: the pivot of %s vanished or overflowed",
                       call->report->solver, name);
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

int saddle__inertia_is_wrong(const saddle_problem *problem, const saddle_inertia *inertia)
{
    if (!inertia->known || problem->n == 0 || problem->m == 0) return 0;
    return inertia->positive > problem->n || inertia->negative > problem->m; /* zeros may be of M or
                                                                                of the rows */
}

saddle_status saddle__report_inertia(const saddle_solver_call *call, const saddle_problem *problem)
{
    const saddle_inertia *inertia = &call->report->inertia;
    if (!saddle__inertia_is_wrong(problem, inertia)) return SADDLE_OK;
    return saddle_fail(call->context, SADDLE_WRONG_INERTIA,
                       "%s: %lld positive, %lld negative and %lld zero pivots, not %lld and %lld: "
                       "M or R is indefinite",
                       call->report->solver, (long long)inertia->positive,
                       (long long)inertia->negative, (long long)inertia->zero,
                       (long long)problem->n, (long long)problem->m);
}

void saddle__note_inertia(saddle_report *report, const saddle_problem *problem)
{
    const saddle_inertia *inertia = &report->inertia;
    if (!saddle__inertia_is_wrong(problem, inertia)) return;
    saddle__report_note(
        report,
        "M or R is indefinite: %lld positive, %lld negative, %lld zero pivots, not %lld and %lld",
        (long long)inertia->positive, (long long)inertia->negative, (long long)inertia->zero,
        (long long)problem->n, (long long)problem->m);
}

saddle_status saddle__refined_solve(saddle__refinement *refinement, const saddle_problem *problem,
                                    const saddle_solver_call *call, saddle__corrector *correct,
                                    void *user, saddle_solution *solution)
{
    saddle__refined refined;
    saddle_status status = saddle__refine(refinement, problem, call, correct, user, solution,
                                          &refined);
    return status == SADDLE_OK ? saddle__refined_conclude(refinement, problem, call, correct, user,
                                                          solution, &refined)
                               : status;
}
