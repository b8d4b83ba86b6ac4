/* SPDX-License-Identifier: MIT */
/* The on-demand mixed complementarity problem.  K of M and the equations is factored once; a row with bounds takes part
 * only from when its law is first broken: then it is put into the basis, and what that costs depends on what it touches
 * (sparse_rows.h).  Block principal pivoting decides which rows enter and leave, single pivots where it gets nowhere
 * (complementarity/block_pivoting.h); rows that depend on others are told apart by a compliance that is taken out again
 * (proximal.h).  Seeds 000 0.10-0.11, 001 (contact, limits, motors), 004. */
#include <string.h>

#include "builtin.h"
#include "pivot/proximal.h"
#include "pivot/sparse_rows.h"
#include "refine.h"

typedef struct pivot_state {
    saddle__sparse_rows sparse;
    saddle__proximal proximal;
    int64_t note; /* length of the report's note before the first solve; -1 = none yet */
} pivot_state;

static void clear(void *memory, saddle_context *context)
{
    pivot_state *s = memory;
    (void)context;
    saddle__sparse_rows_clear(&s->sparse);
    saddle__proximal_clear(&s->proximal);
}

static saddle_status analyse(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    pivot_state *s = memory;
    s->note = -1;
    saddle_status status = saddle__proximal_create(call->context, problem->n, problem->m, &s->proximal);
    if (status == SADDLE_OK)
        status = saddle__sparse_rows_create(call->context, problem, call->options, &s->sparse);
    return status;
}

static void report_factors(saddle_report *report, const saddle__active_rows *active, int64_t before)
{
    saddle__active_counts counts = saddle__active_rows_counts(active);
    report->factorizations += counts.factorizations - before;
    report->perturbed_pivots = counts.factor.perturbed_pivots;
    report->flops = counts.factor.flops;
    report->factor_entries = counts.factor.entries;
    report->peak_bytes = counts.factor.peak_bytes;
}

static saddle_status factor(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    pivot_state *s = memory;
    int64_t before = saddle__active_rows_counts(s->sparse.active).factorizations;
    saddle_status status = saddle__sparse_rows_factor(&s->sparse, problem, saddle__proximal_least(call->options));
    report_factors(call->report, s->sparse.active, before);
    saddle__factor_counts counts = saddle__active_rows_counts(s->sparse.active).factor;
    if (status == SADDLE_SINGULAR) return saddle__singular_at(call, problem, counts.failed_column);
    if (status != SADDLE_OK || problem->n == 0 || problem->m == 0) return status;
    if (counts.inertia.positive == problem->n) return SADDLE_OK;
    return saddle_fail(call->context, SADDLE_WRONG_INERTIA,
                       "pivot: %lld of the pivots are positive, not %lld: M or R is indefinite",
                       (long long)counts.inertia.positive, (long long)problem->n);
}

static void begin_note(pivot_state *s, saddle_report *report)
{
    if (s->note < 0)
        s->note = (int64_t)strlen(report->note);
    else
        report->note[s->note] = '\0';
}

static saddle_status solve(saddle_solver_call *call, void *memory, const saddle_problem *problem,
                           saddle_solution *solution)
{
    pivot_state *s = memory;
    saddle_report *report = call->report;
    begin_note(s, report);
    saddle_status status = saddle__sparse_rows_begin(&s->sparse, problem, call, solution->lambda);
    if (status != SADDLE_OK) return status;
    saddle__active_counts before = saddle__active_rows_counts(s->sparse.active);
    saddle__proximal_problem rows = saddle__sparse_rows_problem(&s->sparse);
    status = saddle__proximal_solve(&s->proximal, &rows, problem, call, solution);
    saddle__active_counts after = saddle__active_rows_counts(s->sparse.active);
    report_factors(report, s->sparse.active, before.factorizations);
    report->iterations = s->sparse.pivoting.steps;
    report->pivots = s->sparse.pivoting.pivots;
    report->refinements = s->proximal.steps + s->sparse.corrections + after.corrections - before.corrections;
    if (s->sparse.pivoting.singles > 0)
        saddle__report_note(report, "block pivoting stalled, %lld pivots one by one",
                            (long long)s->sparse.pivoting.singles);
    if (s->sparse.inexact > 0)
        saddle__report_note(report, "%lld solves stayed above rounding", (long long)s->sparse.inexact);
    return status;
}

const saddle_solver_type saddle__solver_pivot = {
    .name = "pivot",
    .summary = "the KKT matrix factored once, rows with bounds put into it when their laws are first broken; block "
               "pivoting, refined; M and R symmetric",
    .rows = SADDLE_ROWS_EQUALITY | SADDLE_ROWS_UNILATERAL | SADDLE_ROWS_BOX,
    .matrices = SADDLE_MATRICES_SYMMETRIC,
    .state_size = sizeof(pivot_state),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .clear = clear,
};
