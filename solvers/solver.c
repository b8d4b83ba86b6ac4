/* SPDX-License-Identifier: MIT */
/* The generic layer: phases, checks before a solver is called, the independent residual after it,
 * times and counts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/options_internal.h"
#include "base/text.h"
#include "base/vector.h"
#include "certify.h"
#include "contradiction.h"
#include "problem/folded.h"
#include "problem/verdict.h"
#include "problem/pattern.h"
#include "problem/problem_internal.h"
#include "problem/row_memory.h"
#include "settings.h"
#include "unbounded.h"

/* Of the residual: less is what rounding leaves of an answer, whatever tolerance was asked for, and
 * needs no explanation. */
static const double contradicts = 1e-10;

/* Of total: a local error that the note names. */
static const double far_apart = 1e3;

/* A growth at which rounding is 1e-8 of the data: a certificate is looked for. */
static const double worth_a_look = 1e8;

typedef enum phase { CREATED, ANALYSED, FACTORED } phase;

struct saddle_solver {
    saddle_context *context;
    const saddle_solver_type *type;
    saddle_options options; /* settings: owned */
    saddle__settings settings;
    void *state;
    double *checker_work;
    phase phase;
    saddle__pattern pattern;
    saddle__folded folded;          /* the problem as the solver sees it */
    saddle__row_memory rows;        /* of the last solve, over all phases */
    saddle_certificate certificate; /* of the last solve, where there is one */
    double deadline;                /* of the phase */
    int noted;            /* the report's note ends in what was said here of the last solve */
    size_t note;          /* its length before that */
    int64_t library_peak; /* highest memory of the factorization libraries, as the solver reported
                             it */
    saddle_report report;
};

static saddle_status unknown_name(saddle_context *context, const char *name)
{
    char names[512] = "";
    const saddle_solver_type *type;
    for (int64_t i = 0; (type = saddle_solver_type_at(context, i)) != NULL; i++) {
        if (i > 0) saddle__append(names, sizeof names, ", ");
        saddle__append(names, sizeof names, type->name);
    }
    return saddle_fail(context, SADDLE_UNKNOWN_NAME, "no solver named '%s'; there are: %s", name,
                       names);
}

/* Nothing is known of a result before there is one. */
static saddle_report fresh_report(const char *name)
{
    saddle_report report = {.residual = {.total = (double)INFINITY,
                                         .worst_velocity = -1,
                                         .worst_row = -1,
                                         .worst_local = -1},
                            .proof = {.heaviest = -1},
                            .backward_error = (double)NAN,
                            .condition = (double)NAN,
                            .scaled_condition = (double)NAN,
                            .growth = (double)NAN};
    for (size_t i = 0; name[i] != '\0' && i + 1 < sizeof report.solver; i++)
        report.solver[i] = name[i];
    return report;
}

saddle_status saddle_solver_create(saddle_context *context, const char *name,
                                   const saddle_options *options, saddle_solver **solver)
{
    saddle_context_clear_message(context);
    if (!solver)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_solver_create: solver is NULL");
    *solver = NULL;
    if (!name) name = "auto";
    const saddle_solver_type *type = saddle_solver_type_find(context, name);
    if (!type) return unknown_name(context, name);
    saddle_options chosen;
    saddle_status status = saddle__options_read(context, options, &chosen);
    if (status == SADDLE_OK) status = saddle__settings_check(context, chosen.settings);
    if (status != SADDLE_OK) return status;

    saddle_solver *made = saddle_allocate(context, 1, sizeof *made);
    if (!made) return SADDLE_OUT_OF_MEMORY;
    made->context = context;
    made->type = type;
    made->options = chosen;
    made->rows.context = context;
    made->options.settings = chosen.settings ? saddle__copy_text(context, chosen.settings) : NULL;
    made->state = saddle_allocate(context, 1, type->state_size);
    if (!made->state || (chosen.settings && !made->options.settings)) {
        saddle_solver_free(made);
        return SADDLE_OUT_OF_MEMORY;
    }
    (void)saddle__settings_fill(type, chosen.settings, &made->settings);
    made->report = fresh_report(type->name);
    *solver = made;
    return SADDLE_OK;
}

void saddle_solver_free(saddle_solver *solver)
{
    if (!solver) return;
    saddle_context *context = solver->context;
    if (solver->state) solver->type->clear(solver->state, context);
    saddle_release(context, solver->state);
    saddle_release(context, (void *)solver->options.settings);
    saddle_release(context, solver->checker_work);
    saddle__folded_clear(&solver->folded);
    saddle__row_memory_clear(&solver->rows);
    saddle_certificate_clear(&solver->certificate);
    saddle_release(context, solver);
}

const saddle_report *saddle_solver_report(const saddle_solver *solver)
{
    if (!solver) return NULL;
    return &solver->report;
}

const saddle_certificate *saddle_solver_certificate(const saddle_solver *solver)
{
    if (!solver) return NULL;
    return solver->report.proof.kind != SADDLE_PROOF_NONE ? &solver->certificate : NULL;
}

/* ---- what every phase does ---- */

/* What was proven of an earlier problem. */
static void forget_proof(saddle_solver *solver)
{
    saddle_proof none = {.heaviest = -1};
    solver->report.proof = none;
    saddle_certificate_clear(&solver->certificate);
}

static saddle_solver_call begin(saddle_solver *solver, double now)
{
    double limit = solver->options.time_limit;
    saddle_solver_call call = {
        .context = solver->context,
        .options = &solver->options,
        .settings = solver->type->settings ? solver->settings.bytes : NULL,
        .report = &solver->report,
        .checker_work = solver->checker_work,
        .certificate = &solver->certificate,
        .deadline = limit > 0 ? now + limit : (double)INFINITY,
    };
    solver->deadline = call.deadline;
    solver->report.peak_bytes = solver->library_peak;
    if (solver->noted) solver->report.note[solver->note] = '\0';
    solver->noted = 0;
    forget_proof(solver);
    return call;
}

/* Beside SADDLE_OK the message is empty, whatever was tried within; beside any other status it is
 * not. */
static saddle_status say_status(saddle_solver *solver, saddle_status status)
{
    if (status == SADDLE_OK) saddle_context_clear_message(solver->context);
    if (status == SADDLE_OK || *saddle_context_message(solver->context)) return status;
    return saddle_fail(solver->context, status, "%s: %s", solver->report.solver,
                       saddle_status_text(status));
}

static saddle_status end(saddle_solver *solver, saddle_status status)
{
    solver->library_peak = solver->report.peak_bytes;
    solver->report.peak_bytes += saddle_context_memory(solver->context).peak_bytes;
    solver->report.status = status;
    return say_status(solver, status);
}

static saddle_status refuse(saddle_solver *solver, saddle_status status)
{
    solver->report.status = status;
    return say_status(solver, status);
}

static saddle_status stopped(saddle_solver *solver, const char *name)
{
    if (!saddle_context_progress(solver->context, name, 0, 0, -1.0, 0.0)) return SADDLE_OK;
    return saddle_fail(solver->context, SADDLE_STOPPED, "stopped before %s", name);
}

static void forget(saddle_solver *solver)
{
    solver->type->clear(solver->state, solver->context);
    memset(solver->state, 0, solver->type->state_size);
    saddle_release(solver->context, solver->checker_work);
    solver->checker_work = NULL;
    saddle__folded_clear(&solver->folded);
    solver->phase = CREATED;
    solver->library_peak = 0;
    solver->report = fresh_report(solver->type->name);
    forget_proof(solver);
}

static const saddle_problem *seen(saddle_solver *solver, const saddle_problem *problem)
{
    return saddle__folded_take(&solver->folded, problem);
}

static void note_symmetry(saddle_solver *solver, const saddle_problem *problem)
{
    const char *found = saddle__folded_found(&solver->folded, problem);
    if (*found) saddle__report_note(&solver->report, "%s: marked general, found symmetric", found);
}

static saddle_status admit(saddle_solver *solver, const saddle_problem *problem, phase needed,
                           const char *name)
{
    if (solver->phase < needed)
        return saddle_fail(solver->context, SADDLE_WRONG_PHASE, "%s before %s", name,
                           solver->phase == CREATED ? "analyse" : "factor");
    return saddle__pattern_compare(solver->context, &solver->pattern, problem, needed == ANALYSED);
}

/* Whether the certificate that a solver has offered holds. */
static saddle_status judge_proof(saddle_solver *solver, const saddle_problem *problem)
{
    saddle_proof *proof = &solver->report.proof;
    saddle_status status = SADDLE_OK;
    if (solver->certificate.row || solver->certificate.velocity)
        status = saddle_certificate_check(solver->context, problem, &solver->certificate, proof);
    if (status == SADDLE_OUT_OF_MEMORY) return status;
    return status == SADDLE_OK && proof->kind != SADDLE_PROOF_NONE ? SADDLE_INFEASIBLE
                                                                   : SADDLE_NOT_CONVERGED;
}

/* For solvers that offer no motion, because they need M^-1, or none that f pushes: single
 * velocities without mass, which costs nothing, then any. */
static saddle_status find_motion(saddle_solver *solver, const saddle_problem *problem)
{
    saddle_certificate_clear(&solver->certificate);
    saddle_status status = saddle__offer_pushed(solver->context, problem, &solver->certificate);
    if (status == SADDLE_OK) status = judge_proof(solver, problem);
    if (status != SADDLE_NOT_CONVERGED) return status;
    saddle_certificate_clear(&solver->certificate);
    status = saddle__offer_unbounded(solver->context, seen(solver, problem), solver->deadline,
                                     &solver->certificate);
    if (status == SADDLE_OK) return judge_proof(solver, problem);
    saddle_certificate_clear(&solver->certificate); /* no memory for a proof that nobody asked
                                                       for */
    return SADDLE_NOT_CONVERGED;
}

/* K, or M, is singular; where f pushes along the motion that makes it so, the message says that
 * this is unbounded. */
static saddle_status judge_motion(saddle_solver *solver, const saddle_problem *problem)
{
    char said[512];
    char name[128] = "it";
    char others[48] = "";
    (void)snprintf(said, sizeof said, "%s", saddle_context_message(solver->context));
    saddle_status status = solver->certificate.row ? judge_proof(solver, problem)
                                                   : SADDLE_NOT_CONVERGED;
    int offered = status == SADDLE_INFEASIBLE && solver->report.proof.kind == SADDLE_PROOF_MOTION;
    if (!offered && status != SADDLE_OUT_OF_MEMORY) status = find_motion(solver, problem);
    if (status == SADDLE_OUT_OF_MEMORY) return status;
    if (status != SADDLE_INFEASIBLE)
        return saddle_fail(solver->context, SADDLE_SINGULAR, "%s", said);
    const saddle_proof *proof = &solver->report.proof;
    if (!offered) saddle_problem_describe_velocity(problem, proof->heaviest, name, sizeof name);
    if (!offered && proof->velocities > 1)
        (void)snprintf(others, sizeof others, " and %lld more", (long long)proof->velocities - 1);
    return saddle_fail(solver->context, SADDLE_SINGULAR, "%s, and f pushes %s%s: unbounded", said,
                       name, others);
}

/* measure: whether matrices that are marked general are symmetric. */
static saddle_status analyse(saddle_solver *solver, const saddle_problem *problem, int measure)
{
    double started = saddle_clock();
    saddle_status status = saddle__folded_create(solver->context, problem, measure,
                                                 &solver->folded);
    if (status == SADDLE_OK)
        status = saddle_solver_type_supports(solver->context, solver->type, seen(solver, problem));
    if (status == SADDLE_OK) status = stopped(solver, "analyse");
    if (status != SADDLE_OK) return refuse(solver, status);

    solver->report.n = problem->n;
    solver->report.m = problem->m;
    solver->report.contacts = problem->contact_count;
    solver->checker_work = saddle_allocate(solver->context, saddle_residual_work_size(problem),
                                           sizeof(double));
    if (!solver->checker_work) return refuse(solver, SADDLE_OUT_OF_MEMORY);
    status = solver->options.warm_start && problem->row_id
                 ? saddle__row_memory_reserve(&solver->rows, problem->m)
                 : SADDLE_OK;
    if (status != SADDLE_OK) return refuse(solver, status);
    solver->pattern = saddle__pattern_of(problem);
    saddle_solver_call call = begin(solver, started);
    status = solver->type->analyse(&call, solver->state, seen(solver, problem));
    if (status == SADDLE_SINGULAR) status = judge_motion(solver, problem);
    note_symmetry(solver, problem);
    if (status >= 0) solver->phase = ANALYSED;
    solver->report.seconds.analyse = saddle_clock() - started;
    return end(solver, status);
}

saddle_status saddle_solver_analyse(saddle_solver *solver, const saddle_problem *problem)
{
    saddle_context_clear_message(solver ? solver->context : NULL);
    if (!solver || !problem)
        return saddle_fail(solver ? solver->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_solver_analyse: solver or problem is NULL");
    forget(solver);
    saddle_status status = saddle_problem_check(solver->context, problem, NULL, NULL);
    return status == SADDLE_OK ? analyse(solver, problem, 1) : refuse(solver, status);
}

/* The values have lost a symmetry that those analysed had and nobody claimed. */
static saddle_status analyse_anew(saddle_solver *solver, const saddle_problem *problem)
{
    forget(solver);
    return analyse(solver, problem, 0);
}

saddle_status saddle_solver_factor(saddle_solver *solver, const saddle_problem *problem)
{
    saddle_context_clear_message(solver ? solver->context : NULL);
    if (!solver || !problem)
        return saddle_fail(solver ? solver->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_solver_factor: solver or problem is NULL");
    saddle_status status = admit(solver, problem, ANALYSED, "factor");
    if (status == SADDLE_OK) status = saddle__problem_check_values(solver->context, problem);
    if (status == SADDLE_OK) status = stopped(solver, "factor");
    if (status == SADDLE_OK && !saddle__folded_refresh(&solver->folded, problem))
        status = analyse_anew(solver, problem);
    if (status < 0 || status == SADDLE_STOPPED) return refuse(solver, status);

    double started = saddle_clock();
    solver->phase = ANALYSED;
    saddle_solver_call call = begin(solver, started);
    status = solver->type->factor(&call, solver->state, seen(solver, problem));
    if (status == SADDLE_SINGULAR) status = judge_motion(solver, problem);
    if (status >= 0) solver->phase = FACTORED;
    solver->report.seconds.factor = saddle_clock() - started;
    return end(solver, status);
}

/* ---- solve ---- */

static void copy_or_zero(double *to, const double *from, int64_t count)
{
    if (count == 0 || to == from) return;
    if (from)
        memcpy(to, from, (size_t)count * sizeof *to);
    else
        memset(to, 0, (size_t)count * sizeof *to);
}

static saddle_status check_vectors_of(saddle_solver *solver, const saddle_problem *problem,
                                      const saddle_solution *solution, const char *name, int with_w)
{
    int v = problem->n == 0 || solution->v;
    int rows = problem->m == 0 || (solution->lambda && (!with_w || solution->w));
    if (solution->n == problem->n && solution->m == problem->m && v && rows) return SADDLE_OK;
    if (solution->n == problem->n && solution->m == problem->m)
        return saddle_fail(solver->context, SADDLE_INVALID_ARGUMENT, "the %s lacks v, lambda or w",
                           name);
    return saddle_fail(solver->context, SADDLE_INVALID_ARGUMENT,
                       "the %s has n = %lld, m = %lld; the problem has n = %lld, m = %lld", name,
                       (long long)solution->n, (long long)solution->m, (long long)problem->n,
                       (long long)problem->m);
}

/* The number of entries before the first that is not finite. */
static int64_t finite_up_to(const double *x, int64_t count)
{
    int64_t i = 0;
    while (i < count && isfinite(x[i])) i++;
    return i;
}

static saddle_status check_start(saddle_solver *solver, const saddle_problem *problem,
                                 const saddle_solution *start)
{
    if (!start) return SADDLE_OK;
    saddle_status status = check_vectors_of(solver, problem, start, "start", 0);
    if (status != SADDLE_OK) return status;
    int64_t v = finite_up_to(start->v, start->n);
    int64_t lambda = finite_up_to(start->lambda, start->m);
    if (v == start->n && lambda == start->m) return SADDLE_OK;
    return saddle_fail(solver->context, SADDLE_INVALID_ARGUMENT, "the start's %s[%lld] is %g",
                       v < start->n ? "v" : "lambda", (long long)(v < start->n ? v : lambda),
                       v < start->n ? start->v[v] : start->lambda[lambda]);
}

/* What is said from here on belongs to this solve alone. */
static void begin_note(saddle_solver *solver)
{
    if (!solver->noted) solver->note = strlen(solver->report.note);
    solver->noted = 1;
}

static saddle_status say_infeasible(saddle_solver *solver, const saddle_problem *problem)
{
    char text[160];
    saddle_certificate_describe(problem, &solver->certificate, 3, text, sizeof text);
    begin_note(solver);
    saddle__report_note(&solver->report, "no solution: %s", text);
    return saddle_fail(solver->context, SADDLE_INFEASIBLE, "%s: no solution: %s",
                       solver->report.solver, text);
}

static void take_zeros(const saddle_problem *problem, saddle_solution *solution)
{
    copy_or_zero(solution->v, NULL, problem->n);
    copy_or_zero(solution->lambda, NULL, problem->m);
}

static int is_finite(const saddle_problem *problem, const saddle_solution *solution)
{
    return finite_up_to(solution->v, problem->n) == problem->n &&
           finite_up_to(solution->lambda, problem->m) == problem->m &&
           finite_up_to(solution->w, problem->m) == problem->m;
}

/* What the checker finds; an answer that is none, v, lambda or w not finite, becomes zeros. */
static saddle_status measure(saddle_solver *solver, const saddle_problem *problem,
                             saddle_solution *solution, saddle_status status)
{
    saddle_residual *residual = &solver->report.residual;
    if (status < 0) take_zeros(problem, solution);
    saddle_residual_compute(problem, solution->v, solution->lambda, solution->w,
                            solver->checker_work, residual);
    if (!is_finite(problem, solution)) {
        take_zeros(problem, solution);
        saddle_residual_compute(problem, solution->v, solution->lambda, solution->w,
                                solver->checker_work, residual);
        if (status >= 0 && status != SADDLE_INFEASIBLE) status = SADDLE_DIVERGED;
    }
    if (status < 0) copy_or_zero(solution->w, NULL, problem->m);
    return status;
}

/* What the solver says of it, as far as it is proven, and what the checker finds. */
static saddle_status take_result(saddle_solver *solver, const saddle_problem *problem,
                                 saddle_solution *solution, saddle_status status)
{
    if (status == SADDLE_SINGULAR) status = judge_motion(solver, problem);
    if (status == SADDLE_INFEASIBLE) status = judge_proof(solver, problem);
    return measure(solver, problem, solution, status);
}

static int is_solved(const saddle_solver *solver)
{
    return saddle_residual_is_solved(&solver->report.residual, solver->options.tolerance);
}

/* Terms far beyond the data may be those of a singular M whose pivots rounding has hidden: a motion
 * without mass is looked for. */
static saddle_status judge_growth(saddle_solver *solver, const saddle_problem *problem,
                                  saddle_solution *solution, saddle_status status)
{
    if (problem->n == 0 || status == SADDLE_STOPPED || status == SADDLE_TIME_LIMIT) return status;
    if (!saddle_residual_is_overgrown(&solver->report.residual, solver->options.tolerance))
        return status;
    (void)saddle_fail(solver->context, SADDLE_SINGULAR, "%s: M is singular", solver->report.solver);
    saddle_status judged = judge_motion(solver, problem);
    if (saddle_solver_certificate(solver) || judged == SADDLE_OUT_OF_MEMORY)
        return measure(solver, problem, solution, judged);
    forget_proof(solver);
    return status;
}

/* An answer within the tolerance stands against a certificate: the contradiction is smaller than
 * the tolerance. */
static saddle_status prefer_answer(saddle_solver *solver)
{
    forget_proof(solver);
    begin_note(solver);
    saddle__report_note(&solver->report,
                        "a contradiction of the rows is smaller than the tolerance");
    return SADDLE_OK;
}

/* status, or SADDLE_INFEASIBLE where that can be proven of the answer, which becomes another one
 * then. */
static saddle_status refute(saddle_solver *solver, const saddle_problem *problem,
                            saddle_solution *solution, saddle_status status)
{
    forget_proof(solver);
    saddle_status found = saddle__find_refutation(solver->context, seen(solver, problem),
                                                  solver->deadline, solution, &solver->certificate,
                                                  &solver->report.proof);
    if (found != SADDLE_INFEASIBLE) { /* or no memory for a proof that nobody asked for */
        forget_proof(solver);
        return status;
    }
    (void)measure(solver, problem, solution, SADDLE_INFEASIBLE);
    return is_solved(solver) ? prefer_answer(solver) : say_infeasible(solver, problem);
}

/* The checker finds nothing wrong; but a contradiction may hide behind impulses whose rounding is a
 * visible part of the data, or in rows without a unit. */
static saddle_status judge_hidden(saddle_solver *solver, const saddle_problem *problem,
                                  saddle_solution *solution)
{
    const saddle_residual *residual = &solver->report.residual;
    int grows = saddle_matrix_entries(&problem->R) > 0 && residual->growth > worth_a_look;
    int hides = grows || residual->unitless > 0;
    if (hides && saddle_problem_count_rows(problem).equality == problem->m)
        hides = 0; /* refinement has looked */
    return hides ? refute(solver, problem, solution, SADDLE_OK) : SADDLE_OK;
}

static saddle_status say_unsolved(const saddle_solver *solver, saddle_status status)
{
    const saddle_residual *residual = &solver->report.residual;
    const char *name = solver->report.solver;
    if (!(residual->total <= solver->options.tolerance))
        return saddle_fail(solver->context, status, "%s: residual %.3g, tolerance %.3g", name,
                           residual->total, solver->options.tolerance);
    return saddle_fail(solver->context, status,
                       "%s: residual %.3g, but the terms of the equations are %.3g times the data: "
                       "the error is %.1g of "
                       "the data",
                       name, residual->total, residual->growth, residual->growth * residual->total);
}

/* One scale for all rows may hide an error of a light body beside a heavy one. */
static void note_local(saddle_solver *solver, const saddle_problem *problem)
{
    const saddle_residual *residual = &solver->report.residual;
    char name[128];
    if (!(residual->local > solver->options.tolerance &&
          residual->local > far_apart * residual->total))
        return;
    saddle_problem_describe_row(problem, residual->worst_local, name, sizeof name);
    begin_note(solver);
    saddle__report_note(&solver->report, "%s: error %.1e of its own terms", name, residual->local);
}

/* Not interrupted, nor kept short. */
static int ran_to_its_end(const saddle_solver *solver, saddle_status status)
{
    int ended = status == SADDLE_OK || status == SADDLE_NOT_CONVERGED ||
                status == SADDLE_ITERATION_LIMIT || status == SADDLE_DIVERGED;
    return ended && solver->options.max_iterations == 0;
}

/* What "solved" means is decided here, by the checker, for all solvers alike. */
static saddle_status judge(saddle_solver *solver, const saddle_problem *problem,
                           saddle_solution *solution, saddle_status status)
{
    if (status >= 0 && status != SADDLE_INFEASIBLE)
        status = judge_growth(solver, problem, solution, status);
    if (status < 0) return status;
    if (status == SADDLE_INFEASIBLE && !is_solved(solver)) return say_infeasible(solver, problem);
    if (status == SADDLE_INFEASIBLE) return prefer_answer(solver);
    if (is_solved(solver)) {
        note_local(solver, problem);
        return judge_hidden(solver, problem, solution);
    }
    if (status == SADDLE_OK) status = SADDLE_NOT_CONVERGED;
    int unexplained = ran_to_its_end(solver, status) && solver->report.residual.total > contradicts;
    if (unexplained && saddle__refutation_is_cheap(problem))
        status = refute(solver, problem, solution, status);
    if (status == SADDLE_INFEASIBLE) return status;
    return say_unsolved(solver, status);
}

static int asks_again(const saddle_solver *solver, saddle_status status)
{
    if (!solver->type->retry || status < 0 || status == SADDLE_INFEASIBLE) return 0;
    return !is_solved(solver);
}

/* The caller's start, or what is known of the rows, or zeros (saddle/warm_start.h). */
static void take_start(saddle_solver *solver, const saddle_problem *problem,
                       const saddle_solution *start, saddle_solution *solution)
{
    solver->report.warm_rows = 0;
    copy_or_zero(solution->v, start ? start->v : NULL, problem->n);
    copy_or_zero(solution->lambda, start ? start->lambda : NULL, problem->m);
    if (!start)
        solver->report.warm_rows = saddle__row_memory_recall(&solver->rows, problem,
                                                             solution->lambda);
}

static void remember(saddle_solver *solver, const saddle_problem *problem,
                     const saddle_solution *solution, saddle_status status)
{
    if (!solver->options.warm_start || status < 0 || status == SADDLE_DIVERGED ||
        status == SADDLE_INFEASIBLE)
        return;
    saddle__row_memory_keep(&solver->rows, problem, solution->lambda);
}

/* kept: the answer from a start, v and lambda, its status and residual.  What it says of the solve
 * that began again without it, where that has found nothing better. */
static saddle_status take_back(saddle_solver *solver, const saddle_problem *problem,
                               saddle_solution *solution, const double *kept, saddle_status first,
                               saddle_status second)
{
    forget_proof(solver);
    copy_or_zero(solution->v, kept, problem->n);
    copy_or_zero(solution->lambda, kept + problem->n, problem->m);
    int interrupted = second == SADDLE_STOPPED || second == SADDLE_TIME_LIMIT;
    return measure(solver, problem, solution, interrupted ? second : first);
}

/* A start must not keep from a solution that is found without one.  The better of the two; where
 * there is no memory to keep the first, that. */
static saddle_status solve_from_nothing(saddle_solver *solver, const saddle_problem *problem,
                                        saddle_solver_call *call, saddle_solution *solution,
                                        saddle_status first)
{
    double *kept = saddle_allocate(solver->context, problem->n + problem->m, sizeof *kept);
    if (!kept) return first;
    double error = saddle__error_of(&solver->report.residual, solver->options.tolerance);
    copy_or_zero(kept, solution->v, problem->n);
    copy_or_zero(kept + problem->n, solution->lambda, problem->m);
    forget_proof(solver);
    take_zeros(problem, solution);
    saddle_status status = take_result(solver, problem, solution,
                                       solver->type->solve(call, solver->state,
                                                           seen(solver, problem), solution));
    int better = status < 0 || status == SADDLE_INFEASIBLE || first == SADDLE_INFEASIBLE ||
                 saddle__error_of(&solver->report.residual, solver->options.tolerance) <= error;
    if (!better) status = take_back(solver, problem, solution, kept, first, status);
    saddle_release(solver->context, kept);
    begin_note(solver);
    saddle__report_note(&solver->report, better ? "begun again without the start"
                                                : "begun again without the start, in vain");
    return status;
}

saddle_status saddle_solver_solve(saddle_solver *solver, const saddle_problem *problem,
                                  const saddle_solution *start, saddle_solution *solution)
{
    saddle_context_clear_message(solver ? solver->context : NULL);
    if (!solver || !problem || !solution)
        return saddle_fail(solver ? solver->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_solver_solve: solver, problem or solution is NULL");
    saddle_status status = admit(solver, problem, FACTORED, "solve");
    if (status == SADDLE_OK) status = saddle__problem_check_vectors(solver->context, problem);
    if (status == SADDLE_OK)
        status = saddle_solver_type_supports(solver->context, solver->type, seen(solver, problem));
    if (status == SADDLE_OK) status = check_vectors_of(solver, problem, solution, "solution", 1);
    if (status == SADDLE_OK) status = check_start(solver, problem, start);
    if (status == SADDLE_OK) status = stopped(solver, "solve");
    if (status != SADDLE_OK) return refuse(solver, status);

    double started = saddle_clock();
    take_start(solver, problem, start, solution);
    solver->report.iterations = 0;
    solver->report.pivots = 0;
    memset(&solver->report.switches, 0, sizeof solver->report.switches);
    solver->report.refinements = 0;
    saddle_solver_call call = begin(solver, started);
    int warm = !saddle__is_zero(solution->lambda, problem->m);
    status = take_result(solver, problem, solution,
                         solver->type->solve(&call, solver->state, seen(solver, problem),
                                             solution));
    if (warm && (ran_to_its_end(solver, status) || status == SADDLE_INFEASIBLE) &&
        !is_solved(solver))
        status = solve_from_nothing(solver, problem, &call, solution, status);
    if (asks_again(solver, status)) {
        forget_proof(solver);
        status = solver->type->retry(&call, solver->state, seen(solver, problem), solution, status);
        status = take_result(solver, problem, solution, status);
    }
    status = judge(solver, problem, solution, status);
    remember(solver, problem, solution, status);
    solver->report.seconds.solve = saddle_clock() - started;
    return end(solver, status);
}

/* ---- all at once ---- */

static int goes_on(saddle_status status)
{
    return status >= 0 && status != SADDLE_STOPPED;
}

saddle_status saddle_solve(saddle_context *context, const saddle_problem *problem, const char *name,
                           const saddle_options *options, const saddle_solution *start,
                           saddle_solution *solution, saddle_report *report)
{
    saddle_context_clear_message(context);
    saddle_solver *solver = NULL;
    saddle_status status = problem && solution ? SADDLE_OK : SADDLE_INVALID_ARGUMENT;
    if (status != SADDLE_OK)
        (void)saddle_fail(context, status, "saddle_solve needs a problem and a solution");
    if (status == SADDLE_OK) status = saddle_solver_create(context, name, options, &solver);
    if (report) {
        *report = fresh_report(name ? name : "auto");
        report->status = status;
    }
    if (status != SADDLE_OK) return status;
    int made = !solution->v && !solution->lambda && !solution->w;
    status = made ? saddle_solution_create(context, problem->n, problem->m, solution) : SADDLE_OK;
    if (status == SADDLE_OK) status = saddle_solver_analyse(solver, problem);
    if (goes_on(status)) status = saddle_solver_factor(solver, problem);
    if (goes_on(status)) status = saddle_solver_solve(solver, problem, start, solution);
    if (report) {
        *report = solver->report;
        report->status = status;
    }
    if (made && status < 0) saddle_solution_clear(solution);
    saddle_solver_free(solver);
    return status;
}
