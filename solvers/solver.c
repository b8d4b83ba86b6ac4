/* SPDX-License-Identifier: MIT */
/* The generic layer: phases, checks before a solver is called, the independent residual after the
 * call, times and counts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/options_internal.h"
#include "base/context_internal.h"
#include "base/vector.h"
#include "problem/kkt.h"
#include "problem/verdict.h"
#include "problem/problem_internal.h"
#include "problem/row_memory.h"
#include "certify.h"
#include "saddle/rank.h"
#include "builtin.h"
#include "verdict.h"

typedef enum phase { CREATED, ANALYSED, FACTORED } phase;

struct saddle_solver {
    saddle_context *context;
    const saddle_solver_type *type;
    saddle_options options; /* settings: owned */
    saddle__settings settings;
    void *state;
    saddle_checker checker;
    phase phase;
    saddle__pattern pattern;
    saddle__folded folded;   /* the problem for the solver: matrices found symmetric are marked */
    saddle__row_memory rows; /* of the last solve, over all phases */
    saddle_certificate certificate; /* of the last solve; empty = no proof */
    char analysed[SADDLE_NOTE_SIZE], factored[SADDLE_NOTE_SIZE]; /* the note after these phases */
    int64_t library_peak; /* highest memory of the factorization libraries, by the solver's report
                           */
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

/* The report before the first result. */
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
    saddle__append(report.solver, sizeof report.solver, name);
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
    saddle__checker_clear(context, &solver->checker);
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

/* ---- all phases ---- */

static saddle_solver_call begin(saddle_solver *solver, const saddle_problem *problem, double now)
{
    double limit = solver->options.time_limit;
    saddle_solver_call call = {
        .context = solver->context,
        .options = &solver->options,
        .settings = solver->type->settings ? solver->settings.bytes : NULL,
        .report = &solver->report,
        .checker = &solver->checker,
        .certificate = &solver->certificate,
        .deadline = limit > 0 ? now + limit : (double)INFINITY,
    };
    solver->checker.problem = problem;
    solver->checker.known = 0;
    solver->report.peak_bytes = solver->library_peak;
    saddle__proof_forget(&solver->report, &solver->certificate);
    return call;
}

/* With SADDLE_OK the message is empty; with any other status the message is not empty. */
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
    saddle__checker_clear(solver->context, &solver->checker);
    saddle__folded_clear(&solver->folded);
    solver->phase = CREATED;
    solver->library_peak = 0;
    solver->report = fresh_report(solver->type->name);
    saddle__proof_forget(&solver->report, &solver->certificate);
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

static saddle__case case_of(saddle_solver *solver, const saddle_solver_call *call,
                            const saddle_problem *problem)
{
    saddle__case c = {.call = call, .problem = problem, .seen = seen(solver, problem)};
    return c;
}

/* The problem is valid, and so for factor and solve.  measure: 1 = look whether matrices marked
 * general are symmetric. */
static saddle_status analyse(saddle_solver *solver, const saddle_problem *problem, int measure)
{
    double started = saddle_clock();
    saddle_context_clear_message(solver->context);
    saddle_status status = saddle__folded_create(solver->context, problem, measure,
                                                 &solver->folded);
    if (status == SADDLE_OK)
        status = saddle_solver_type_supports(solver->context, solver->type, seen(solver, problem));
    if (status == SADDLE_OK) status = stopped(solver, "analyse");
    if (status != SADDLE_OK) return refuse(solver, status);

    solver->report.n = problem->n;
    solver->report.m = problem->m;
    solver->report.contacts = problem->contact_count;
    status = saddle__checker_create(solver->context, problem, &solver->checker);
    if (status == SADDLE_OK && solver->options.warm_start && problem->row_id)
        status = saddle__row_memory_reserve(&solver->rows, problem->m);
    if (status != SADDLE_OK) return refuse(solver, status);
    saddle_solver_call call = begin(solver, problem, started);
    saddle__case c = case_of(solver, &call, problem);
    status = solver->type->analyse(&call, solver->state, c.seen);
    if (status == SADDLE_SINGULAR) status = saddle__verdict_singular(&c);
    note_symmetry(solver, problem);
    memcpy(solver->analysed, solver->report.note, sizeof solver->analysed);
    if (status >= 0) solver->phase = ANALYSED;
    solver->report.seconds.analyse = saddle_clock() - started;
    return end(solver, status);
}

static saddle_status factor(saddle_solver *solver, const saddle_problem *problem)
{
    saddle_context_clear_message(solver->context);
    saddle_status status = stopped(solver, "factor");
    if (status != SADDLE_OK) return refuse(solver, status);
    double started = saddle_clock();
    solver->phase = ANALYSED;
    saddle_solver_call call = begin(solver, problem, started);
    saddle__case c = case_of(solver, &call, problem);
    memcpy(solver->report.note, solver->analysed, sizeof solver->analysed);
    status = solver->type->factor(&call, solver->state, c.seen);
    if (status == SADDLE_SINGULAR) status = saddle__verdict_singular(&c);
    memcpy(solver->factored, solver->report.note, sizeof solver->factored);
    if (status >= 0) solver->phase = FACTORED;
    solver->report.seconds.factor = saddle_clock() - started;
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
    if (status != SADDLE_OK) return refuse(solver, status);
    solver->pattern = saddle__pattern_of(problem);
    return analyse(solver, problem, 1);
}

saddle_status saddle_solver_factor(saddle_solver *solver, const saddle_problem *problem)
{
    saddle_context_clear_message(solver ? solver->context : NULL);
    if (!solver || !problem)
        return saddle_fail(solver ? solver->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_solver_factor: solver or problem is NULL");
    saddle_status status = admit(solver, problem, ANALYSED, "factor");
    if (status == SADDLE_OK) status = saddle__problem_check_values(solver->context, problem);
    if (status == SADDLE_OK && !saddle__folded_refresh(&solver->folded, problem)) {
        forget(solver); /* the values have lost a symmetry that was found, not claimed */
        status = analyse(solver, problem, 0);
    }
    return status < 0 || status == SADDLE_STOPPED ? refuse(solver, status)
                                                  : factor(solver, problem);
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

/* The caller's start, or what is known of the rows, or zeros (saddle/warm_start.h). */
static void take_start(saddle_solver *solver, const saddle_problem *problem,
                       const saddle_solution *start, saddle_solution *solution)
{
    solver->report.warm_rows = 0;
    copy_or_zero(solution->v, start ? start->v : NULL, problem->n);
    copy_or_zero(solution->lambda, start ? start->lambda : NULL, problem->m);
    if (!start && solver->options.warm_start)
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

static saddle_status run(saddle_solver *solver, const saddle__case *c, saddle_solver_call *call,
                         saddle_solution *solution)
{
    saddle__proof_forget(&solver->report, &solver->certificate);
    memcpy(solver->report.note, solver->factored, sizeof solver->factored);
    saddle_status status = solver->type->solve(call, solver->state, c->seen, solution);
    return saddle__verdict_claim(c, solution, status);
}

/* The factorization anew, and the solve from zeros: as if there had never been another solve. */
static saddle_status run_cold(saddle_solver *solver, const saddle__case *c,
                              saddle_solver_call *call, saddle_solution *solution)
{
    solver->phase = ANALYSED;
    saddle_status status = solver->type->factor(call, solver->state, c->seen);
    if (status < 0) return status;
    solver->phase = FACTORED;
    copy_or_zero(solution->v, NULL, c->problem->n);
    copy_or_zero(solution->lambda, NULL, c->problem->m);
    return run(solver, c, call, solution);
}

/* A start costs no verdict: where the solve from it ends without an answer within the tolerance,
 * the solve is repeated as if it were the first, and the better of the two answers stays.  Without
 * memory for the first, the first stays.  first: the status of the answer in solution. */
static saddle_status run_again(saddle_solver *solver, const saddle__case *c,
                               saddle_solver_call *call, saddle_solution *solution,
                               saddle_status first)
{
    int64_t n = c->problem->n;
    int64_t m = c->problem->m;
    double *kept = saddle_allocate(solver->context, n + m, sizeof *kept);
    if (!kept) return first;
    double error = saddle__error_of(&solver->report.residual, solver->options.tolerance);
    copy_or_zero(kept, solution->v, n);
    copy_or_zero(kept + n, solution->lambda, m);
    saddle_status status = run_cold(solver, c, call, solution);
    int better = status < 0 || status == SADDLE_INFEASIBLE || first == SADDLE_INFEASIBLE ||
                 saddle__error_of(&solver->report.residual, solver->options.tolerance) <= error;
    if (!better) {
        int interrupted = status == SADDLE_STOPPED || status == SADDLE_TIME_LIMIT;
        saddle__proof_forget(&solver->report, &solver->certificate);
        copy_or_zero(solution->v, kept, n);
        copy_or_zero(solution->lambda, kept + n, m);
        status = saddle__verdict_measure(c, solution, interrupted ? status : first);
    }
    saddle_release(solver->context, kept);
    saddle__report_note(&solver->report, "begun again without the start%s",
                        better ? "" : ", which gave no better answer");
    return status;
}

static void clear_counts(saddle_report *report)
{
    saddle_switches none = {0};
    report->iterations = report->pivots = report->refinements = 0;
    report->switches = none;
}

static saddle_status solve(saddle_solver *solver, const saddle_problem *problem,
                           const saddle_solution *start, saddle_solution *solution)
{
    saddle_context_clear_message(solver->context);
    saddle_status status = check_vectors_of(solver, problem, solution, "solution", 1);
    if (status == SADDLE_OK) status = check_start(solver, problem, start);
    if (status == SADDLE_OK) status = stopped(solver, "solve");
    if (status != SADDLE_OK) return refuse(solver, status);
    double started = saddle_clock();
    take_start(solver, problem, start, solution);
    clear_counts(&solver->report);
    saddle_solver_call call = begin(solver, problem, started);
    saddle__case c = case_of(solver, &call, problem);
    int warm = !saddle__is_zero(solution->lambda, problem->m);
    status = run(solver, &c, &call, solution);
    if (warm && (saddle__verdict_ended(&call, status) || status == SADDLE_INFEASIBLE) &&
        !saddle_residual_is_solved(&solver->report.residual, solver->options.tolerance))
        status = run_again(solver, &c, &call, solution, status);
    status = saddle__verdict(&c, solution, status);
    remember(solver, problem, solution, status);
    solver->report.seconds.solve = saddle_clock() - started;
    return end(solver, status);
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
    return status == SADDLE_OK ? solve(solver, problem, start, solution) : refuse(solver, status);
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
    if (status == SADDLE_OK) {
        solver->options.warm_start = 0; /* no later solve remembers */
        status = saddle_problem_check(context, problem, NULL, NULL);
    }
    if (status == SADDLE_OK) status = analyse(solver, problem, 1);
    if (goes_on(status)) status = factor(solver, problem);
    if (goes_on(status)) status = solve(solver, problem, start, solution);
    if (report) {
        *report = solver->report;
        report->status = status;
    }
    if (made && status < 0) saddle_solution_clear(solution);
    saddle_solver_free(solver);
    return status;
}

/* ---- with the least impulses ---- */

static saddle_status measure_residual(saddle_context *context, const saddle_problem *problem,
                                      saddle_solution *solution, saddle_residual *residual)
{
    double *work = saddle_allocate(context, saddle_residual_work_size(problem), sizeof(*work));
    if (!work) return SADDLE_OUT_OF_MEMORY;
    saddle_residual_compute(problem, solution->v, solution->lambda, solution->w, work, residual);
    saddle_release(context, work);
    return SADDLE_OK;
}

saddle_status saddle_solve_least_multipliers(saddle_context *context, const saddle_problem *problem,
                                             const char *name, saddle_multiplier_norm norm,
                                             const saddle_options *options,
                                             saddle_solution *solution, saddle_report *report)
{
    saddle_context_clear_message(context);
    saddle_rank rank = {0};
    saddle_residual residual;
    int made = solution && !solution->v && !solution->lambda && !solution->w;
    saddle_status solved = saddle_solve(context, problem, name, options, NULL, solution, report);
    if (solved < 0) return solved;
    saddle_status status = saddle_rank_find(context, problem, NULL, &rank);
    if (status == SADDLE_OK)
        status = saddle_rank_least_multipliers(context, problem, &rank, norm, solution->lambda);
    if (status == SADDLE_OK) status = measure_residual(context, problem, solution, &residual);
    saddle_rank_clear(&rank);
    if (status == SADDLE_OK) {
        double tolerance = options ? options->tolerance : saddle_options_default().tolerance;
        status = solved == SADDLE_OK && !saddle_residual_is_solved(&residual, tolerance)
                     ? SADDLE_NOT_CONVERGED
                     : solved;
        if (report) report->residual = residual;
    } else if (made) {
        saddle_solution_clear(solution);
    }
    if (report) report->status = status;
    return status;
}
