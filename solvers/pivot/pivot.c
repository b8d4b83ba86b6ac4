/* SPDX-License-Identifier: MIT */
/* The on-demand mixed complementarity problem.  K of M and the equations is factored once; a row
 * with bounds takes part only from when its law is first broken: then it is put into the basis, and
 * what that costs depends on what it touches.
 *
 *     sparse_rows.h
 *         the basis is the sparse factor itself, into which rows come and from which they go
 *     condensed.h      ... of the system without its velocities, where M consists of small blocks
 *     column_rows.h
 *         the basis is dense, on those columns of the Delassus operator whose rows have entered
 *     choice.h         which of the two
 *     complementarity/small.h   before all that, few rows without velocities
 *     proximal.h       rows that depend on others, and problems without a solution
 *     drag.h           velocities without mass that rows with bounds hold, or none
 *
 * Block principal pivoting decides which rows enter and leave, single pivots where it gets nowhere
 * (complementarity/block_pivoting.h).  Seeds 000 0.10-0.11, 001 (contact, limits, motors), 004. */
#include <string.h>

#include "builtin.h"
#include "complementarity/small.h"
#include "factor/blas_threads.h"
#include "pivot/choice.h"
#include "pivot/column_rows.h"
#include "pivot/condensed.h"
#include "pivot/drag.h"
#include "pivot/proximal.h"
#include "pivot/sparse_rows.h"
#include "refine.h"

typedef struct pivot_state {
    saddle_basis basis;         /* FACTOR or COLUMNS */
    int is_condensed;           /* FACTOR: of the condensed system */
    saddle__sparse_rows sparse; /* one of these three is there */
    saddle__condensed_rows condensed;
    saddle__column_rows dense;
    saddle__row_laws laws;
    saddle__proximal proximal;
    saddle__small small; /* where it takes the problem */
    saddle__drag drag;   /* where M turns out to be singular */
    int is_massless;     /* a velocity has no M_jj */
    int is_singular;     /* unsymmetric, and could not be factored */
    int is_behind;       /* the basis has not yet seen the values, since small has not failed */
    int64_t note;        /* length of the report's note before the first solve; -1 = none yet */
} pivot_state;

/* A pivot below this multiple of its natural size may stand for none. */
static const double nearly_vanished = 1e-11;

/* Of the work of a factorization, that the condensed system must take at most. */
static const double clearly_less = 0.7;

static void clear(void *memory, saddle_context *context)
{
    pivot_state *s = memory;
    (void)context;
    saddle__sparse_rows_clear(&s->sparse);
    saddle__condensed_clear(&s->condensed);
    saddle__column_rows_clear(&s->dense);
    saddle__row_laws_clear(&s->laws);
    saddle__proximal_clear(&s->proximal);
    saddle__small_clear(&s->small);
    saddle__drag_clear(&s->drag);
}

static const saddle__sparse_rows *sparse_of(const pivot_state *s)
{
    return s->is_condensed ? &s->condensed.rows : &s->sparse;
}

/* The condensed system instead, where its factorization is clearly less work. */
static saddle_status try_condensed(saddle_solver_call *call, pivot_state *s,
                                   const saddle_problem *problem)
{
    if (problem->n + problem->m <= SADDLE__SMALL || !saddle__condensed_may_pay(problem))
        return SADDLE_OK;
    saddle_status status = saddle__condensed_create(call->context, problem, call->options,
                                                    &s->condensed);
    if (status != SADDLE_OK) return status;
    double whole = saddle__active_rows_counts(s->sparse.active).factor_time;
    double condensed = saddle__active_rows_counts(s->condensed.rows.active).factor_time;
    s->is_condensed = condensed < clearly_less * whole;
    if (s->is_condensed)
        saddle__sparse_rows_clear(&s->sparse);
    else
        saddle__condensed_clear(&s->condensed);
    return SADDLE_OK;
}

static saddle_status create_basis(saddle_solver_call *call, pivot_state *s,
                                  const saddle_problem *problem)
{
    saddle_status status = saddle__basis_choose(call->context, problem, call->settings, &s->basis);
    if (status == SADDLE_OK && s->basis != SADDLE_BASIS_COLUMNS)
        status = saddle__sparse_rows_create(call->context, problem, call->options, &s->sparse);
    if (status != SADDLE_OK) return status;
    if (s->basis == SADDLE_BASIS_BEST) {
        saddle__active_counts counts = saddle__active_rows_counts(s->sparse.active);
        s->basis = saddle__basis_compare(problem, counts.factor_time, counts.solve_time);
        if (s->basis == SADDLE_BASIS_COLUMNS) saddle__sparse_rows_clear(&s->sparse);
    }
    if (s->basis == SADDLE_BASIS_FACTOR)
        return saddle__basis_massless(problem) ? SADDLE_OK : try_condensed(call, s, problem);
    return saddle__column_rows_create(call->context, problem, call->options, &s->dense);
}

static saddle_status analyse(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    pivot_state *s = memory;
    s->note = -1;
    saddle_status status = saddle__row_laws_create(call->context, problem->m, &s->laws);
    if (status == SADDLE_OK)
        status = saddle__proximal_create(call->context, problem->n, problem->m, &s->proximal);
    const saddle__pivoting_settings *settings = call->settings;
    if (status == SADDLE_OK && settings->basis == SADDLE_BASIS_BEST)
        status = saddle__small_create(call, problem, &s->small);
    return status == SADDLE_OK ? create_basis(call, s, problem) : status;
}

/* ---- what has been done so far ---- */

typedef struct work {
    int64_t factorizations;
    int64_t corrections;
    saddle__factor_counts factor; /* of the last factorization of K, or of A */
} work;

static work work_of(const pivot_state *s)
{
    work done = {0};
    if (s->basis == SADDLE_BASIS_FACTOR) {
        saddle__active_counts counts = saddle__active_rows_counts(sparse_of(s)->active);
        done.factorizations = counts.factorizations;
        done.corrections = counts.corrections;
        done.factor = counts.factor;
        return done;
    }
    done.factorizations = s->dense.basis.made;
    done.corrections = s->dense.source.corrections;
    if (s->dense.source.factors)
        done.factor = saddle__factorization_counts(s->dense.source.factors);
    return done;
}

static void report_work(saddle_report *report, const work *before, const work *after)
{
    report->factorizations += after->factorizations - before->factorizations;
    report->perturbed_pivots = after->factor.perturbed_pivots;
    report->flops = after->factor.flops;
    report->factor_entries = after->factor.entries;
    report->peak_bytes = after->factor.peak_bytes;
}

/* ---- factor ---- */

/* The node of A is one of K's. */
static int64_t unknown_of(const pivot_state *s, int64_t node)
{
    const saddle__column_source *source = &s->dense.source;
    if (s->is_condensed) return s->condensed.complement.n + node;
    if (s->basis == SADDLE_BASIS_FACTOR || node < source->n) return node;
    return source->n + source->row[source->count + node - source->n];
}

static saddle_status check_inertia(const saddle_solver_call *call, const saddle_problem *problem,
                                   const saddle_inertia *inertia)
{
    if (!inertia->known || problem->n == 0 || problem->m == 0 || inertia->positive == problem->n)
        return SADDLE_OK;
    return saddle_fail(call->context, SADDLE_WRONG_INERTIA,
                       "pivot: %lld of the pivots are positive, not %lld: M or R is indefinite",
                       (long long)inertia->positive, (long long)problem->n);
}

static saddle_status factor_basis(const saddle_solver_call *call, pivot_state *s,
                                  const saddle_problem *problem)
{
    work before = work_of(s);
    double epsilon = saddle__proximal_least(call->options);
    saddle_status status = s->basis == SADDLE_BASIS_COLUMNS
                               ? saddle__column_rows_factor(&s->dense, problem, epsilon)
                           : s->is_condensed
                               ? saddle__condensed_factor(&s->condensed, problem, epsilon)
                               : saddle__sparse_rows_factor(&s->sparse, problem, epsilon);
    work after = work_of(s);
    report_work(call->report, &before, &after);
    call->report->factorizations += problem->n > 0 &&
                                    (s->basis == SADDLE_BASIS_COLUMNS || s->is_condensed);
    if (s->is_condensed) return status;
    s->is_singular = status == SADDLE_SINGULAR && s->basis == SADDLE_BASIS_COLUMNS &&
                     !s->dense.source.symmetric;
    if (s->is_singular)
        return SADDLE_OK; /* the general factorizations replace no pivots: the steps with a drag
                             remain */
    if (status == SADDLE_SINGULAR)
        return saddle__singular_at(call, problem, unknown_of(s, after.factor.failed_column));
    return status == SADDLE_OK ? check_inertia(call, problem, &after.factor.inertia) : status;
}

static saddle_status factor(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    pivot_state *s = memory;
    s->is_behind = s->small.m > 0;
    s->is_massless = problem->n > 0 && saddle__basis_massless(problem);
    if (!s->is_behind) return factor_basis(call, s, problem);
    saddle__small_set(&s->small, problem);
    return SADDLE_OK;
}

/* ---- solve ---- */

static void begin_note(pivot_state *s, saddle_report *report)
{
    if (s->note < 0)
        s->note = (int64_t)strlen(report->note);
    else
        report->note[s->note] = '\0';
}

static void note_basis(const pivot_state *s, saddle_report *report)
{
    if (s->basis == SADDLE_BASIS_FACTOR)
        saddle__report_note(report, "basis: rows in the sparse factor%s",
                            s->is_condensed ? ", condensed" : "");
    else
        saddle__report_note(report, "basis: %lld columns of %lld",
                            (long long)s->dense.source.computed, (long long)s->dense.count);
}

static saddle_status begin(pivot_state *s, const saddle_problem *problem,
                           const saddle_solver_call *call, double *start)
{
    const saddle__pivoting_settings *settings = call->settings;
    saddle__row_laws_read(&s->laws, problem, settings->lagged_friction);
    if (s->basis == SADDLE_BASIS_COLUMNS)
        return saddle__column_rows_begin(&s->dense, problem, &s->laws, call, start);
    if (s->is_condensed)
        return saddle__condensed_begin(&s->condensed, problem, &s->laws, call, start);
    return saddle__sparse_rows_begin(&s->sparse, problem, &s->laws, call, start);
}

static saddle__proximal_problem problem_of(pivot_state *s)
{
    if (s->basis == SADDLE_BASIS_COLUMNS) return saddle__column_rows_problem(&s->dense);
    return s->is_condensed ? saddle__condensed_problem(&s->condensed)
                           : saddle__sparse_rows_problem(&s->sparse);
}

static saddle_status solve_on_basis(const saddle_solver_call *call, pivot_state *s,
                                    const saddle_problem *problem, saddle_solution *solution)
{
    saddle_report *report = call->report;
    int is_sparse = s->basis == SADDLE_BASIS_FACTOR;
    saddle_status status = begin(s, problem, call, solution->lambda);
    if (status != SADDLE_OK) return status;
    work before = work_of(s);
    saddle__proximal_problem rows = problem_of(s);
    saddle__blas_begin();
    status = saddle__proximal_solve(&s->proximal, &rows, problem, call, solution);
    saddle__blas_end();
    work after = work_of(s);
    const saddle__pivoting *pivoting = is_sparse ? &sparse_of(s)->pivoting : &s->dense.pivoting;
    report_work(report, &before, &after);
    report->iterations += pivoting->steps;
    report->pivots += pivoting->pivots;
    int64_t steps = s->proximal.steps.taken;
    report->refinements += (steps > 1 ? steps - 1 : 0) + after.corrections - before.corrections +
                           pivoting->exactness.corrected;
    note_basis(s, report);
    if (pivoting->singles > 0)
        saddle__report_note(report, "block pivoting stalled, %lld pivots one by one",
                            (long long)pivoting->singles);
    int64_t inexact = (is_sparse ? sparse_of(s)->inexact : 0) + pivoting->exactness.inexact;
    if (inexact > 0)
        saddle__report_note(report, "%lld solves stayed above rounding", (long long)inexact);
    return status;
}

static saddle_status solve_once(saddle_solver_call *call, void *memory,
                                const saddle_problem *problem, saddle_solution *solution)
{
    pivot_state *s = memory;
    int settled = 0;
    saddle_status status = SADDLE_OK;
    begin_note(s, call->report);
    if (s->small.m > 0) status = saddle__small_solve(&s->small, problem, call, solution, &settled);
    if (settled || status != SADDLE_OK) {
        if (settled) saddle__report_note(call->report, "basis: all of W");
        return status;
    }
    if (s->is_behind) status = factor_basis(call, s, problem);
    if (status != SADDLE_OK) return status;
    s->is_behind = 0;
    return solve_on_basis(call, s, problem, solution);
}

static saddle_status factor_once(saddle_solver_call *call, void *memory,
                                 const saddle_problem *problem)
{
    saddle_status status = factor(call, memory, problem);
    return ((const pivot_state *)memory)->is_singular ? SADDLE_SINGULAR : status;
}

/* Whoever takes the steps of drag.h. */
static const saddle_solver_type once = {.name = "pivot",
                                        .state_size = sizeof(pivot_state),
                                        .analyse = analyse,
                                        .factor = factor_once,
                                        .solve = solve_once,
                                        .clear = clear};

static int is_overgrown(const saddle_solver_call *call, const saddle_problem *problem,
                        const saddle_solution *solution)
{
    saddle_residual residual;
    saddle_residual_compute(problem, solution->v, solution->lambda, NULL, call->checker_work,
                            &residual);
    return saddle_residual_is_overgrown(&residual, call->options->tolerance);
}

/* M may be singular: the engine has replaced pivots, or could not balance f. */
static int is_drag_due(const pivot_state *s, const saddle_solver_call *call,
                       const saddle_problem *problem, const saddle_solution *solution,
                       saddle_status status)
{
    if (problem->n == 0 || call->options->max_iterations > 0)
        return 0; /* each of its steps would take as many */
    if (status == SADDLE_OK) return is_overgrown(call, problem, solution);
    if (status != SADDLE_NOT_CONVERGED && status != SADDLE_ITERATION_LIMIT) return 0;
    work done = work_of(s);
    if (s->is_massless || done.factor.perturbed_pivots > 0 ||
        done.factor.least_pivot < nearly_vanished)
        return 1;
    return is_overgrown(call, problem, solution);
}

static saddle_status solve(saddle_solver_call *call, void *memory, const saddle_problem *problem,
                           saddle_solution *solution)
{
    pivot_state *s = memory;
    saddle_status status = s->is_singular ? SADDLE_SINGULAR
                                          : solve_once(call, memory, problem, solution);
    if (!s->is_singular && !is_drag_due(s, call, problem, solution, status)) return status;
    saddle_status dragged = saddle__drag_solve(&s->drag, &once, call, problem, solution);
    return s->is_singular && dragged == SADDLE_NOT_CONVERGED ? SADDLE_SINGULAR : dragged;
}

#define BASIS_WORD(name, word) word,
static const char *const basis_words[] = {SADDLE_BASIS_LIST(BASIS_WORD) NULL};
#undef BASIS_WORD

static const saddle_setting settings[] = {
    {.name = "basis",
     .kind = SADDLE_SETTING_WORD,
     .offset = offsetof(saddle__pivoting_settings, basis),
     .words = basis_words,
     .summary = "rows between their bounds: in the KKT matrix's factor, or dense columns"},
    SADDLE__PIVOTING_SETTINGS,
    {.name = NULL},
};

static unsigned proves(const saddle_problem *problem)
{
    (void)problem;
    return SADDLE_PROVES_ROWS | SADDLE_PROVES_MOTION;
}

const saddle_solver_type saddle__solver_pivot = {
    .name = "pivot",
    .summary = "the KKT matrix factored once, rows with bounds put into its factor or a dense "
               "basis when their laws are "
               "first broken; block pivoting, refined",
    .rows = SADDLE_ROWS_EQUALITY | SADDLE_ROWS_UNILATERAL | SADDLE_ROWS_BOX | SADDLE_CONTACTS_BOX,
    .matrices = SADDLE_MATRICES_SYMMETRIC | SADDLE_MATRICES_UNSYMMETRIC,
    .state_size = sizeof(pivot_state),
    .settings = settings,
    .settings_size = sizeof(saddle__pivoting_settings),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .clear = clear,
    .proves = proves,
};
