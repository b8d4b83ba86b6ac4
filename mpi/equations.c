/* SPDX-License-Identifier: MIT */
/* See equations.h.  All processes take the same steps: decisions depend on sums and maxima over
 * all. */
#include "equations.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "parts_factor.h"
#include "refine.h"
#include "verdict.h"

typedef struct equations {
    saddle_solver_call call;
    saddle__view *view;
    saddle_problem whole; /* its sizes, and names where there are any */
    double *scale;        /* n + m of the view: natural sizes of K's diagonal */
    double *margin; /* m: |R_ii| less the other |R_ik|; not above 0: R alone may leave no pivot */
    double *term;   /* m: the diagonal of R */
    saddle__parts_factor factor; /* of K */
    saddle__refinement refinement;
} equations;

static saddle_status agree(const equations *e, saddle_status status)
{
    return saddle__agree(e->view->processes, e->call.context, status);
}

static void clear(equations *e)
{
    saddle__parts_clear(&e->factor);
    saddle__release_all(e->call.context, e->scale, e->margin, e->term);
    e->scale = e->margin = e->term = NULL;
    saddle__refinement_clear(&e->refinement);
}

/* ---- natural sizes ---- */

/* margin <- |R_ii| - sum_k |R_ik|, of all processes. */
static void measure_margins(equations *e)
{
    const saddle_matrix *R = &e->view->problem.R;
    const int64_t m = e->view->problem.m;
    memset(e->margin, 0, (size_t)m * sizeof *e->margin);
    memset(e->term, 0, (size_t)m * sizeof *e->term);
    if (saddle_matrix_entries(R) > 0) saddle_matrix_diagonal(R, e->term);
    for (int64_t j = 0; R->start && j < R->cols; j++)
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++) {
            const int64_t i = R->index[k];
            if (i == j) continue;
            e->margin[i] -= fabs(R->value[k]);
            if (R->symmetry == SADDLE_SYMMETRY_LOWER) e->margin[j] -= fabs(R->value[k]);
        }
    saddle__add_parts(&e->view->sums, SADDLE__ROWS, e->margin);
    saddle__add_parts(&e->view->sums, SADDLE__ROWS, e->term);
    for (int64_t i = 0; i < m; i++) e->margin[i] += fabs(e->term[i]);
}

/* scale <- |M_jj| and d_i, or what couplings give (problem/verdict.h); 1 where these give nothing.
 */
static void measure_scale(equations *e)
{
    const saddle_problem *p = &e->view->problem;
    saddle__natural_units(p, &e->view->sums, e->scale, e->scale + p->n);
    for (int64_t j = 0; j < p->n; j++) e->scale[j] = e->scale[j] > 0.0 ? 1.0 / e->scale[j] : 1.0;
    for (int64_t k = 0; k < p->n + p->m; k++)
        if (!(e->scale[k] > 0.0 && isfinite(e->scale[k]))) e->scale[k] = 1.0;
}

static saddle_status measure(equations *e)
{
    saddle_context *context = e->call.context;
    const int64_t n = e->view->problem.n, m = e->view->problem.m;
    e->scale = saddle_allocate(context, n + m + 1, sizeof *e->scale);
    e->margin = saddle_allocate(context, m + 1, sizeof *e->margin);
    e->term = saddle_allocate(context, m + 1, sizeof *e->term);
    SADDLE__TRY(agree(e, e->scale && e->margin && e->term ? SADDLE_OK : SADDLE_OUT_OF_MEMORY));
    measure_margins(e);
    measure_scale(e);
    return agree(e, e->view->status);
}

/* ---- this process' entries of K ---- */

/* The owner adds -epsilon d_i where R alone may leave no pivot.  epsilon is the option's: ldlt
 * takes more for many rows with R = 0, since ldlt does not pivot; MUMPS does. */
static void put_all(equations *e)
{
    const saddle__distribution *rows = &e->view->of[SADDLE__ROWS];
    const int64_t n = e->whole.n;
    saddle__parts_factor *K = &e->factor;
    const double epsilon = e->call.options->regularization;
    double perturbed = 0.0;
    saddle__parts_put_square(K, e->view, SADDLE__VELOCITIES, 1.0);
    saddle__parts_put_square(K, e->view, SADDLE__ROWS, -1.0);
    saddle__parts_put_rows(K, e->view);
    for (int64_t i = rows->begin; !K->general && n > 0 && i < rows->end; i++) {
        if (!(epsilon > 0.0) || e->margin[i] > 0.0) continue;
        perturbed++;
        saddle__parts_put(K, n + rows->name[i], n + rows->name[i],
                          -epsilon * e->scale[e->view->problem.n + i]);
    }
    e->view->sums.total(e->view, 1, &perturbed);
    e->call.report->perturbed_pivots = (int64_t)perturbed;
}

/* ---- phases ---- */

static saddle_status analyse(equations *e)
{
    SADDLE__TRY(measure(e));
    put_all(e);
    SADDLE__TRY(saddle__parts_hold(&e->factor));
    put_all(e);
    return saddle__parts_analyse(&e->factor, e->whole.n + e->whole.m, e->call.options->ordering, 0,
                                 NULL);
}

/* *vanished = 1: a pivot vanished. */
static saddle_status factor(equations *e, int *vanished)
{
    saddle_report *report = e->call.report;
    saddle__factor_counts counts = {.peak_bytes = 0};
    SADDLE__TRY(saddle__parts_factor_all(&e->factor, &counts, vanished));
    if (*vanished) return SADDLE_OK;
    report->factorizations = 1;
    report->inertia = counts.inertia;
    report->flops = counts.flops;
    report->factor_entries = counts.entries;
    report->peak_bytes = counts.peak_bytes;
    return SADDLE_OK;
}

/* r <- (dv, dlambda) with K (dv, -dlambda) = r */
static saddle_status correct(void *user, const saddle_problem *problem, double *r)
{
    equations *e = user;
    SADDLE__TRY(saddle__parts_solve_view(&e->factor, e->view, r));
    for (int64_t i = problem->n; i < problem->n + problem->m; i++) r[i] = -r[i];
    return SADDLE_OK;
}

static saddle_status refine(equations *e, saddle_solution *solution, saddle__refined *refined)
{
    saddle_report *report = e->call.report;
    const saddle_problem *p = &e->view->problem;
    SADDLE__TRY(agree(e, saddle__refinement_create(e->call.context, p, &e->refinement)));
    e->refinement.parts = &e->view->sums;
    e->refinement.may_accelerate = 1;
    saddle__refinement_measure(&e->refinement, p, e->scale);
    saddle_release(e->call.context, e->scale); /* the refinement has taken it */
    e->scale = NULL;
    SADDLE__TRY(saddle__refine(&e->refinement, p, &e->call, correct, e, solution, refined));
    report->refinements = refined->corrections > 1 ? refined->corrections - 1 : 0;
    report->backward_error = refined->error;
    return agree(e, e->view->status);
}

static int is_solved(const equations *e)
{
    return saddle_residual_is_solved(&e->call.report->residual, e->call.options->tolerance);
}

/* Whether the answer needs no certificate, nor another look. */
static int is_certain(const equations *e)
{
    const saddle_report *report = e->call.report;
    const double tolerance = e->call.options->tolerance;
    return is_solved(e) && !saddle_residual_is_overgrown(&report->residual, tolerance) &&
           !saddle__error_is_doubtful(&report->residual, tolerance) &&
           !saddle__inertia_is_wrong(&e->whole, &report->inertia);
}

/* The deadline is of the refinement, as in one process.  An interrupted answer is judged by the
 * checker alone. */
static saddle_status solve(equations *e, saddle_solution *solution, int *done)
{
    const double limit = e->call.options->time_limit;
    saddle_report *report = e->call.report;
    saddle__refined refined = {.status = SADDLE_OK};
    int vanished = 0;
    double began = saddle_clock();
    SADDLE__TRY(saddle__ask(e->view->processes, e->call.context, "analyse"));
    SADDLE__TRY(analyse(e));
    report->seconds.analyse = saddle_clock() - began;
    SADDLE__TRY(saddle__ask(e->view->processes, e->call.context, "factor"));
    began = saddle_clock();
    SADDLE__TRY(factor(e, &vanished));
    report->seconds.factor = saddle_clock() - began;
    *done = !vanished;
    if (vanished) return SADDLE_OK;
    SADDLE__TRY(saddle__ask(e->view->processes, e->call.context, "solve"));
    began = saddle_clock();
    if (limit > 0.0) e->call.deadline = began + limit;
    saddle_status status = refine(e, solution, &refined);
    clear(e);
    if (status == SADDLE_OK) status = saddle__view_measure(e->view, solution, &report->residual);
    report->seconds.solve = saddle_clock() - began;
    if (status != SADDLE_OK) return status;
    *done = refined.status != SADDLE_OK || is_certain(e);
    return is_solved(e) ? SADDLE_OK : refined.status;
}

/* ---- which problems ---- */

static int takes(const char *name, const saddle_options *options, int *general)
{
    const int is_free = !name || strcmp(name, "auto") == 0 || strcmp(name, "ldlt") == 0;
    *general = name && strcmp(name, "lu") == 0;
    return (is_free || *general) && !options->settings && !options->condition;
}

static int is_general(const saddle_matrix *A)
{
    return saddle_matrix_entries(A) > 0 && A->symmetry != SADDLE_SYMMETRY_LOWER;
}

int saddle__parts_are_marked(const saddle__view *view, int general)
{
    const saddle_problem *p = &view->problem;
    int bad = !general && (is_general(&p->M) || is_general(&p->R));
    bad |= p->M.symmetry == SADDLE_SYMMETRY_FULL || p->R.symmetry == SADDLE_SYMMETRY_FULL;
    MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_MAX, view->processes);
    return !bad;
}

/* The report's last fields and, of a status without a message, the message. */
static void conclude(const equations *e, const char *name, saddle_status status)
{
    saddle_report *report = e->call.report;
    saddle_context *context = e->call.context;
    const saddle__case judged = {&e->call, &e->whole, &e->whole};
    if (!name || strcmp(name, "auto") == 0)
        saddle__report_note(report, "auto picked ldlt: equations alone, over %d processes",
                            saddle__processes(e->view->processes));
    saddle__verdict_note_local(&judged);
    report->status = status;
    report->peak_bytes += saddle_context_memory(context).peak_bytes;
    if (status == SADDLE_OK)
        saddle_context_clear_message(context);
    else if (!*saddle_context_message(context))
        (void)saddle_fail(context, status, "%s: %s", report->solver, saddle_status_text(status));
}

saddle_status saddle__equations_solve(saddle__view *view, const saddle_problem *named,
                                      const char *name, saddle_options *options,
                                      saddle_solution *solution, saddle_report *report, int *done)
{
    saddle_options chosen = *options;
    int taken[2] = {0, 0};
    taken[0] = takes(name, options, &taken[1]);
    *done = 0;
    saddle__broadcast(view->processes, taken, sizeof taken);
    saddle__broadcast(view->processes, &chosen, sizeof chosen);
    if (!taken[0] || !saddle__view_is_equations(view) || !saddle__parts_are_marked(view, taken[1]))
        return SADDLE_OK;
    equations e = {.view = view,
                   .whole = *named,
                   .factor = {.processes = view->processes,
                              .context = view->context,
                              .general = taken[1]}};
    *report = saddle__report_fresh(taken[1] ? "lu" : "ldlt");
    report->n = e.whole.n;
    report->m = e.whole.m;
    e.call = (saddle_solver_call){.context = view->context,
                                  .options = &chosen,
                                  .report = report,
                                  .deadline = (double)INFINITY};
    const saddle_status status = solve(&e, solution, done);
    clear(&e);
    if (status != SADDLE_OK) *done = 1;
    if (*done)
        conclude(&e, name, status);
    else if (isfinite(e.call.deadline))
        options->time_limit = fmax(e.call.deadline - saddle_clock(), DBL_MIN);
    return status;
}
