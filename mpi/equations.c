/* SPDX-License-Identifier: MIT */
/* See equations.h.  All processes pass through the same steps, with the same vectors to the bit. */
#include "equations.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "parts_factor.h"
#include "refine.h"
#include "sums.h"
#include "verdict.h"

typedef struct equations {
    saddle_solver_call call;
    saddle_problem seen; /* the part's matrices, all vectors */
    saddle__team_sums team;
    saddle__sums parts;
    double *scale;  /* n + m: natural sizes of K's diagonal */
    double *margin; /* m: |R_ii| less the other |R_ik|; not above 0: R alone may leave no pivot */
    double *term;   /* m: scratch */
    saddle__parts_factor factor; /* of K */
    saddle__refinement refinement;
} equations;

static saddle_status agree(const equations *e, saddle_status status)
{
    return e->parts.agree((void *)&e->team, status);
}

static void clear(equations *e)
{
    saddle__parts_clear(&e->factor);
    saddle__release_all(e->call.context, e->scale, e->margin, e->term);
    e->scale = e->margin = e->term = NULL;
    saddle__refinement_clear(&e->refinement);
}

/* ---- natural sizes ---- */

/* margin <- |R_ii| - sum_k |R_ik|; the diagonals in `diagonal` (m), of all processes. */
static void measure_margins(equations *e, const double *diagonal)
{
    const saddle_matrix *R = &e->seen.R;
    const int64_t m = e->seen.m;
    memset(e->margin, 0, (size_t)m * sizeof *e->margin);
    for (int64_t j = 0; R->start && j < R->cols; j++)
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++) {
            const int64_t i = R->index[k];
            if (i == j) continue;
            e->margin[i] -= fabs(R->value[k]);
            if (R->symmetry == SADDLE_SYMMETRIC) e->margin[j] -= fabs(R->value[k]);
        }
    e->parts.sum(&e->team, m, e->margin);
    for (int64_t i = 0; i < m; i++) e->margin[i] += fabs(diagonal[i]);
}

static void add_diagonal(const saddle_matrix *A, double *diagonal)
{
    if (saddle_matrix_entries(A) > 0) saddle_matrix_diagonal(A, diagonal);
}

/* scale <- |M_jj|, d_i = |R_ii| + sum_j J_ij^2 / |M_jj|, and what couplings give where that is 0
 * (problem/verdict.h); 1 where they give nothing. */
static void measure_scale(equations *e)
{
    const saddle_problem *p = &e->seen;
    const saddle_matrix *Jt = &p->Jt;
    double *inverse = e->scale, *delassus = e->scale + p->n;
    memset(e->scale, 0, (size_t)(p->n + p->m) * sizeof *e->scale);
    add_diagonal(&p->M, inverse);
    add_diagonal(&p->R, delassus);
    e->parts.sum(&e->team, p->n + p->m, e->scale);
    measure_margins(e, delassus);
    for (int64_t j = 0; j < p->n; j++)
        inverse[j] = inverse[j] != 0.0 ? 1.0 / fabs(inverse[j]) : 0.0;
    for (int64_t i = 0; i < p->m; i++) {
        e->term[i] = 0.0;
        if (!Jt->start) continue;
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++)
            e->term[i] += Jt->value[k] * inverse[Jt->index[k]] * Jt->value[k];
    }
    e->parts.sum(&e->team, p->m, e->term);
    for (int64_t i = 0; i < p->m; i++) delassus[i] = fabs(delassus[i]) + e->term[i];
    saddle__spread_units(p, &e->parts, inverse, delassus);
    for (int64_t j = 0; j < p->n; j++) inverse[j] = inverse[j] > 0.0 ? 1.0 / inverse[j] : 1.0;
    for (int64_t k = 0; k < p->n + p->m; k++)
        if (!(e->scale[k] > 0.0 && isfinite(e->scale[k]))) e->scale[k] = 1.0;
}

static saddle_status measure(equations *e)
{
    saddle_context *context = e->call.context;
    const int64_t n = e->seen.n, m = e->seen.m;
    e->scale = saddle_allocate(context, n + m, sizeof *e->scale);
    e->margin = saddle_allocate(context, m + 1, sizeof *e->margin);
    e->term = saddle_allocate(context, m + 1, sizeof *e->term);
    SADDLE__TRY(agree(e, e->scale && e->margin && e->term ? SADDLE_OK : SADDLE_OUT_OF_MEMORY));
    measure_scale(e);
    return agree(e, e->team.status);
}

/* ---- this process' entries of K ---- */

/* The first process adds -epsilon d_i where R alone may leave no pivot.  epsilon is the option's:
 * ldlt takes more for many rows with R = 0, since ldlt does not pivot; MUMPS does. */
static void put_all(equations *e)
{
    const saddle_problem *p = &e->seen;
    saddle__parts_factor *K = &e->factor;
    const double epsilon = e->call.options->regularization;
    saddle__parts_put_square(K, &p->M, 0, 1.0);
    saddle__parts_put_square(K, &p->R, p->n, -1.0);
    saddle__parts_put_rows(K, p->n, &p->Jt);
    e->call.report->perturbed_pivots = 0;
    for (int64_t i = 0; !K->general && p->n > 0 && i < p->m; i++) {
        if (!(epsilon > 0.0) || e->margin[i] > 0.0) continue;
        e->call.report->perturbed_pivots++;
        if (e->parts.is_first)
            saddle__parts_put(K, p->n + i, p->n + i, -epsilon * e->scale[p->n + i]);
    }
}

/* ---- phases ---- */

static saddle_status analyse(equations *e)
{
    SADDLE__TRY(measure(e));
    put_all(e);
    SADDLE__TRY(saddle__parts_hold(&e->factor));
    put_all(e);
    return saddle__parts_analyse(&e->factor, e->seen.n + e->seen.m, e->call.options->ordering, 0,
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
    const int64_t size = problem->n + problem->m;
    SADDLE__TRY(saddle__parts_solve(&e->factor, r));
    saddle__broadcast(e->team.processes, r, size * (int64_t)sizeof *r);
    for (int64_t i = problem->n; i < size; i++) r[i] = -r[i];
    return SADDLE_OK;
}

static saddle_status refine(equations *e, saddle_solution *solution, saddle__refined *refined)
{
    saddle_report *report = e->call.report;
    SADDLE__TRY(agree(e, saddle__refinement_create(e->call.context, &e->seen, &e->refinement)));
    e->refinement.parts = &e->parts;
    e->refinement.may_accelerate = 1;
    saddle__refinement_measure(&e->refinement, &e->seen, e->scale);
    saddle_release(e->call.context, e->scale); /* the refinement has taken it */
    e->scale = NULL;
    SADDLE__TRY(saddle__refine(&e->refinement, &e->seen, &e->call, correct, e, solution, refined));
    report->refinements = refined->corrections > 1 ? refined->corrections - 1 : 0;
    report->backward_error = refined->error;
    return agree(e, e->team.status);
}

/* The checker's figures, after the factors are released. */
static saddle_status check(equations *e, saddle_solution *x)
{
    saddle_context *context = e->call.context;
    double *work = saddle_allocate(context, saddle_residual_work_size(&e->seen) + 1, sizeof *work);
    saddle_status status = agree(e, work ? SADDLE_OK : SADDLE_OUT_OF_MEMORY);
    if (status == SADDLE_OK) {
        saddle__residual_of_parts(&e->seen, &e->parts, x->v, x->lambda, x->w, work,
                                  &e->call.report->residual);
        status = agree(e, e->team.status);
    }
    saddle_release(context, work);
    return status;
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
           !saddle__inertia_is_wrong(&e->seen, &report->inertia);
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
    SADDLE__TRY(saddle__ask(e->team.processes, e->call.context, "analyse"));
    SADDLE__TRY(analyse(e));
    report->seconds.analyse = saddle_clock() - began;
    SADDLE__TRY(saddle__ask(e->team.processes, e->call.context, "factor"));
    began = saddle_clock();
    SADDLE__TRY(factor(e, &vanished));
    report->seconds.factor = saddle_clock() - began;
    *done = !vanished;
    if (vanished) return SADDLE_OK;
    SADDLE__TRY(saddle__ask(e->team.processes, e->call.context, "solve"));
    began = saddle_clock();
    if (limit > 0.0) e->call.deadline = began + limit;
    saddle_status status = refine(e, solution, &refined);
    clear(e);
    if (status == SADDLE_OK) status = check(e, solution);
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

int saddle__are_equations_alone(const saddle_problem *vectors)
{
    return vectors->contact_count == 0 && vectors->n + vectors->m > 0 &&
           saddle_problem_count_rows(vectors).equality == vectors->m;
}

static int is_general(const saddle_matrix *A)
{
    return saddle_matrix_entries(A) > 0 && A->symmetry != SADDLE_SYMMETRIC;
}

int saddle__parts_are_marked(MPI_Comm processes, const saddle_problem *part, int general)
{
    int bad = !general && (is_general(&part->M) || is_general(&part->R));
    bad |= part->M.symmetry == SADDLE_SYMMETRIC_FULL || part->R.symmetry == SADDLE_SYMMETRIC_FULL;
    MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_MAX, processes);
    return !bad;
}

/* The report's last fields and, of a status without a message, the message. */
static void conclude(const equations *e, const char *name, saddle_status status)
{
    saddle_report *report = e->call.report;
    saddle_context *context = e->call.context;
    const saddle__case judged = {&e->call, &e->seen, &e->seen};
    if (!name || strcmp(name, "auto") == 0)
        saddle__report_note(report, "auto picked ldlt: equations alone, over %d processes",
                            saddle__processes(e->team.processes));
    saddle__verdict_note_local(&judged);
    report->status = status;
    report->peak_bytes += saddle_context_memory(context).peak_bytes;
    if (status == SADDLE_OK)
        saddle_context_clear_message(context);
    else if (!*saddle_context_message(context))
        (void)saddle_fail(context, status, "%s: %s", report->solver, saddle_status_text(status));
}

saddle_status saddle__equations_solve(MPI_Comm processes, saddle_context *context,
                                      const saddle_problem *part, const saddle_problem *vectors,
                                      const char *name, saddle_options *options,
                                      saddle_solution *solution, saddle_report *report, int *done)
{
    saddle_options chosen = *options;
    int taken[2] = {0, 0};
    taken[0] = takes(name, options, &taken[1]) && saddle__are_equations_alone(vectors);
    *done = 0;
    saddle__broadcast(processes, taken, sizeof taken);
    saddle__broadcast(processes, &chosen, sizeof chosen);
    if (!taken[0] || !saddle__parts_are_marked(processes, part, taken[1])) return SADDLE_OK;
    equations e = {.seen = saddle__seen_by(part, vectors),
                   .team = {processes, context, SADDLE_OK},
                   .factor = {.team = {processes, context, SADDLE_OK}, .general = taken[1]}};
    e.parts = saddle__sums_of(&e.team);
    *report = saddle__report_fresh(taken[1] ? "lu" : "ldlt");
    report->n = part->n;
    report->m = part->m;
    e.call = (saddle_solver_call){.context = context,
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
