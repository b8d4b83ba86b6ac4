/* SPDX-License-Identifier: MIT */
/* saddle solve: a problem, a solver, a report. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "files/solution_file.h"
#include "files/text.h"
#include "manual.h"
#include "progress.h"
#include "reference.h"
#include "text.h"

/* ---- the run ---- */

typedef struct solve_request {
    const char *solver, *output, *start; /* NULL = not given */
    int json, reference, cold;
    tool_input input;
    tool_friction friction;
    tool_solving solving;
    tool_wish wish;
} solve_request;

/* Owned by a run; all-zero is fine to clear. */
typedef struct solve_work {
    saddle_context *context;         /* the session's */
    const tool_problem *read;        /* the session's */
    tool_solving solving;            /* as given, as recorded, or by default */
    saddle__solving recorded;        /* in the problem's file */
    saddle_elimination *elimination; /* of a problem with attachments, else NULL */
    const saddle_problem *problem;   /* the solved problem: as read, or reduced */
    saddle_solution start, solution; /* of that */
    saddle_solution whole;           /* of the problem as read, if reduced */
    saddle_residual residual;        /* of whole */
    saddle_solver *solver;
    saddle_report report;
    saddle_reference reference; /* of the solved problem */
    char no_reference[512];     /* why there is none; "" = there is one */
    char unwritten[512];        /* why the output was not written; "" = written, or no output */
} solve_work;

static void clear(solve_work *work)
{
    saddle_solver_free(work->solver);
    saddle_solution_clear(&work->solution);
    saddle_solution_clear(&work->start);
    saddle_solution_clear(&work->whole);
    saddle_reference_clear(&work->reference);
    saddle_elimination_free(work->elimination);
    saddle__solving_clear(work->context, &work->recorded);
}

/* ---- the work ---- */

/* Restricts a start for the whole problem to the reduced problem. */
static saddle_status restrict_start(solve_work *work)
{
    if (!work->elimination) return SADDLE_OK;
    saddle_solution left;
    saddle_status status = saddle_solution_create(work->context, work->problem->n, work->problem->m,
                                                  &left);
    if (status == SADDLE_OK)
        status = saddle_elimination_restrict(work->elimination, &work->start, &left);
    saddle_solution_clear(&work->start);
    work->start = left;
    return status;
}

/* Chooses the solver from the command line and the record of the problem's file, and checks options
 * and output before the problem is read, which may take long. */
static saddle_status prepare_solver(const solve_request *request, const char *path,
                                    solve_work *work)
{
    work->solving = request->solving;
    saddle_status status = tool_solving_recall(work->context, path, &work->solving,
                                               &work->recorded);
    if (status) return status;
    work->solving.options.condition |= request->reference;
    const saddle_options options = tool_solving_get(&work->solving);
    const char *name = request->solver         ? request->solver
                       : work->recorded.solver ? work->recorded.solver
                                               : "auto";
    status = saddle_options_check(work->context, &options);
    if (status == SADDLE_OK)
        status = tool_solver_create(work->context, name, &options, &work->solver);
    if (status == SADDLE_OK && request->output)
        status = saddle__solution_probe(work->context, request->output);
    return status;
}

/* --start, or the folder `start` of a bundle that records a solve. */
static saddle_status read_start(const solve_request *request, const char *path, solve_work *work)
{
    struct stat about;
    char *beside = NULL;
    const char *from = request->start;
    if (!from && work->recorded.solver && !request->cold) {
        from = beside = saddle__path_join(work->context, path, "start");
        if (!beside) return SADDLE_OUT_OF_MEMORY;
        if (stat(beside, &about)) from = NULL;
    }
    saddle_status status = SADDLE_OK;
    if (from)
        status = tool_solution_read(work->context, from, &work->read->problem, "", &work->start);
    if (from && status == SADDLE_OK) status = restrict_start(work);
    saddle_release(work->context, beside);
    return status;
}

static saddle_status prepare(tool_session *session, const solve_request *request, const char *path,
                             solve_work *work)
{
    saddle_status status = tool_session_open(session, &request->input);
    if (status) return status;
    work->context = session->context;
    status = prepare_solver(request, path, work);
    if (status == SADDLE_OK)
        status = tool_session_read(session, path, &request->input, &request->friction);
    if (status) return status;
    work->problem = &work->read->problem;
    if (work->read->attachments) {
        status = tool_eliminate(work->context, work->read, &request->wish,
                                work->solving.options.threads, &work->elimination);
        if (status) return status;
        work->problem = saddle_elimination_problem(work->elimination);
        status = saddle_solution_create(work->context, work->read->problem.n, work->read->problem.m,
                                        &work->whole);
    }
    if (status == SADDLE_OK) status = read_start(request, path, work);
    if (status) return status;
    return saddle_solution_create(work->context, work->problem->n, work->problem->m,
                                  &work->solution);
}

/* *solved: 0 if the run stopped before the last phase, without a result. */
static saddle_status solve(solve_work *work, int cold, int *solved)
{
    const saddle_problem *problem = work->problem;
    const saddle_solution *start = work->start.v || work->start.lambda ? &work->start
                                                                       : &work->read->start;
    const int warm = !cold && start->n == problem->n && start->m == problem->m &&
                     (start->v || start->lambda);
    *solved = 0;
    const saddle_status status = tool_solve(work->solver, problem, warm ? start : NULL,
                                            &work->solution);
    *solved = status >= SADDLE_OK && saddle_solver_report(work->solver)->seconds.solve > 0;
    return status;
}

/* ---- the report ---- */

/* Statistics of the factors of direct solvers; the condition on request. */
static void print_factors(const saddle_report *report)
{
    if (report->factor_entries > 0)
        printf("factors    %lld entries   %s flops   backward error %s\n",
               (long long)report->factor_entries, tool_text_figure(report->flops).text,
               tool_text_figure(report->backward_error).text);
    if (isnan(report->condition)) return;
    printf("condition  %s   in natural units %s   growth %s\n",
           tool_text_figure(report->condition).text,
           tool_text_figure(report->scaled_condition).text, tool_text_figure(report->growth).text);
}

/* 1/2 x'P x + q'x + r of a quadratic program; NAN of other problems. */
static double objective(const solve_work *work)
{
    const saddle_problem *problem = work->problem;
    double sum = 0.0;
    if (isnan(work->read->constant)) return (double)NAN;
    double *Mv = saddle_allocate(work->context, problem->n, sizeof *Mv);
    if (!Mv) return (double)NAN;
    saddle_matrix_apply(&problem->M, 1.0, work->solution.v, 0.0, Mv);
    for (int64_t j = 0; j < problem->n; j++)
        sum += work->solution.v[j] * (0.5 * Mv[j] - (problem->f ? problem->f[j] : 0.0));
    saddle_release(work->context, Mv);
    return sum + work->read->constant;
}

static void print_report(const solve_request *request, const solve_work *work)
{
    const saddle_report *report = &work->report;
    const saddle_residual *residual = &report->residual;
    tool_problem_print(work->read);
    if (work->recorded.solver)
        printf("recorded   solver %s, tolerance %g\n", tool_text_shown(work->recorded.solver).text,
               work->recorded.options.tolerance);
    if (work->elimination) tool_elimination_print(work->elimination);
    printf("solver     %s%s%s%s\n", report->solver, report->note[0] ? " (" : "",
           tool_text_shown(report->note).text, report->note[0] ? ")" : "");
    int hidden = report->status > SADDLE_OK && residual->total <= work->solving.options.tolerance;
    printf("status     %s%s: residual %s, tolerance %g\n",
           report->status == SADDLE_OK ? "solved" : tool_status_text(report->status),
           hidden                       ? " (its growth hides an error)"
           : !isfinite(residual->total) ? " (the numbers of the problem overflow double precision)"
                                        : "",
           tool_text_figure(residual->total).text, work->solving.options.tolerance);
    tool_residual_print("residual", residual);
    printf("\n");
    printf("           local %s   growth %s   normwise %s   natural map %s\n",
           tool_text_figure(residual->local).text, tool_text_figure(residual->growth).text,
           tool_text_figure(residual->normwise).text, tool_text_figure(residual->natural_map).text);
    if (work->elimination) {
        tool_residual_print("whole   ", &work->residual);
        printf("\n");
    }
    if (!isnan(work->read->constant)) printf("objective  %.10g\n", objective(work));
    printf("counts     iterations %lld   pivots %lld   factorizations %lld   refinements %lld   "
           "perturbed pivots %lld\n",
           (long long)report->iterations, (long long)report->pivots,
           (long long)report->factorizations, (long long)report->refinements,
           (long long)report->perturbed_pivots);
    const saddle_switches *switches = &report->switches;
    if (switches->single + switches->lemke + switches->regularized + switches->other > 0)
        printf("switches   to single pivots %lld   to lemke %lld   regularized %lld   to other "
               "solvers %lld\n",
               (long long)switches->single, (long long)switches->lemke,
               (long long)switches->regularized, (long long)switches->other);
    if (report->inertia.known)
        printf("inertia    %lld positive   %lld negative   %lld zero\n",
               (long long)report->inertia.positive, (long long)report->inertia.negative,
               (long long)report->inertia.zero);
    print_factors(report);
    if (saddle_solver_certificate(work->solver))
        tool_proof_print(work->problem, saddle_solver_certificate(work->solver), &report->proof);
    printf("seconds    read %.4f   analyse %.4f   factor %.4f   solve %.4f\n", report->seconds.read,
           report->seconds.analyse, report->seconds.factor, report->seconds.solve);
    printf("memory     %s at most\n", tool_text_bytes(report->peak_bytes).text);
    if (request->reference && work->no_reference[0])
        printf("reference  %s\n", tool_text_shown(work->no_reference).text);
    else if (request->reference)
        tool_reference_print(work->problem, &work->reference);
    if (request->output && !work->unwritten[0])
        printf("output     %s\n", tool_text_shown(request->output).text);
}

/* The report's object, with further keys for name, tolerance, reference, right-hand side and
 * attachments. */
static saddle_status print_json(const solve_request *request, const solve_work *work,
                                saddle_status solved)
{
    char *text = NULL;
    saddle_status status = saddle_report_to_json(work->context, &work->report, &text);
    if (status) return status;
    static const char *const units[] = {"v",          "m/s, rad/s", "lambda", "N s, N m s", "w",
                                        "as v",       "residual",   "1",      "seconds",    "s",
                                        "peak_bytes", "B",          NULL};
    json_t *more = json_object();
    json_object_set_new(more, "name", tool_json_text(work->read->name));
    json_object_set_new(more, "tolerance", tool_json_number(work->solving.options.tolerance));
    json_object_set_new(more, "solved", json_boolean(solved == SADDLE_OK));
    tool_units_to_json(more, units);
    if (request->reference)
        json_object_set_new(more, "reference",
                            work->no_reference[0] ? json_pack("{s:s}", "note", work->no_reference)
                                                  : tool_reference_to_json(&work->reference));
    tool_rhs_to_json(work->read, more);
    if (!isnan(work->read->constant))
        json_object_set_new(more, "objective", tool_json_number(objective(work)));
    if (work->elimination) {
        json_object_set_new(more, "whole", tool_residual_to_json(&work->residual));
        tool_elimination_to_json(work->elimination, more);
    }
    status = tool_json_print_joined(work->context, text, more);
    saddle_release(work->context, text);
    return status;
}

/* The reference of the problem as solved: with attachments, of the reduced one. */
static saddle_status make_reference(solve_work *work)
{
    tool_progress_phase("reference");
    const saddle_status status = saddle_reference_compute(work->context, work->problem,
                                                          &work->solution, &work->reference);
    if (status != SADDLE_UNSUPPORTED) return status;
    snprintf(work->no_reference, sizeof work->no_reference, "%s",
             saddle_context_message(work->context));
    return SADDLE_OK;
}

/* Recovers the whole solution; the status is NOT_CONVERGED if the whole residual exceeds the
 * tolerance. */
static saddle_status recover(solve_work *work, saddle_status solved)
{
    saddle_status status = saddle_elimination_recover(work->elimination, &work->read->unreduced,
                                                      &work->solution, &work->whole);
    if (status == SADDLE_OK)
        status = saddle_solution_check(work->context, &work->read->problem, &work->whole,
                                       &work->residual, NULL);
    if (status) return status;
    const int within = saddle_residual_is_solved(&work->residual, work->solving.options.tolerance);
    return solved == SADDLE_OK && !within ? SADDLE_NOT_CONVERGED : solved;
}

/* The output folder; a failure is kept as text and does not keep the report from the user. */
static saddle_status write_output(const solve_request *request, solve_work *work)
{
    saddle_status written = SADDLE_OK;
    if (request->output && work->elimination)
        written = saddle_solution_write(work->context, request->output, &work->whole,
                                        &work->report);
    else if (request->output)
        written = saddle_solution_write_proven(work->context, request->output, &work->solution,
                                               &work->report,
                                               saddle_solver_certificate(work->solver));
    if (written) { /* before the reference can replace the message */
        const char *message = saddle_context_message(work->context);
        snprintf(work->unwritten, sizeof work->unwritten, "%s",
                 message[0] ? message : tool_status_text(written));
    }
    return written;
}

/* Output folder, reference, report; the status of the solve becomes the exit code. */
static saddle_status finish(const solve_request *request, solve_work *work, saddle_status solved,
                            int *code)
{
    saddle_status compared = SADDLE_OK;
    const int interrupted = tool_progress_interrupted();
    tool_progress_carry_on();
    if (work->elimination) solved = recover(work, solved);
    if (solved < 0) return solved;
    const saddle_status written = write_output(request, work);
    if (request->reference && interrupted)
        snprintf(work->no_reference, sizeof work->no_reference, "none: interrupted");
    else if (request->reference)
        compared = make_reference(work);
    tool_progress_erase();
    const saddle_status printed = request->json ? print_json(request, work, solved) : SADDLE_OK;
    if (!request->json) print_report(request, work);
    if (written) tool_error("%s", work->unwritten);
    *code = tool_exit_code(written ? written : solved);
    return printed ? printed : compared;
}

/* Nothing was solved, but a certificate states why: the error, files with zeros for a solution and
 * the certificate, the report. */
static int finish_proven(const solve_request *request, solve_work *work, saddle_status failed)
{
    const int code = tool_fail(work->context, failed);
    const saddle_status written = write_output(request, work);
    if (request->json)
        (void)print_json(request, work, failed);
    else if (request->output)
        print_report(request, work);
    if (written) tool_error("%s", work->unwritten);
    return code;
}

static saddle_status run(tool_session *session, const void *given, char **argument)
{
    const solve_request *request = given;
    solve_work work = {.read = &session->read, .recorded = saddle__solving_none()};
    int solved = 0;
    saddle_status status = prepare(session, request, argument[0], &work);
    if (status == SADDLE_OK) {
        status = solve(&work, request->cold, &solved);
        work.report = *saddle_solver_report(work.solver);
        work.report.seconds.read = work.read->seconds;
    }
    if (solved) {
        status = finish(request, &work, status, &session->code);
    } else if (status < 0 && !work.elimination && work.solution.n > 0 &&
               saddle_solver_certificate(work.solver)) {
        session->code = finish_proven(request, &work, status);
        status = SADDLE_OK;
    }
    clear(&work);
    return status;
}

/* ---- the verb ---- */

static void defaults(void *given)
{
    solve_request *request = given;
    tool_solving_defaults(&request->solving);
}

static const tool_option own_options[] = {
    {"solver", TOOL_TEXT, offsetof(solve_request, solver), "NAME", .help = "one of saddle solvers",
     .unset = "the recorded one, or auto"},
    {"start", TOOL_TEXT, offsetof(solve_request, start), "DIR",
     .help = "warm start from a solution folder", .unset = "the file's guess, or zero"},
    {"cold", TOOL_FLAG, offsetof(solve_request, cold), .help = "start from zero"},
    {"output", TOOL_TEXT, offsetof(solve_request, output), "DIR",
     .help = "write v, lambda, w, report.json and any certificate there"},
    {"json", TOOL_FLAG, offsetof(solve_request, json), .help = "print one JSON object"},
    {"reference", TOOL_FLAG, offsetof(solve_request, reference),
     .help = "correct digits, by a certified reference in twice the precision"},
    {.name = NULL},
};

const tool_verb tool_verb_solve = {
    .name = "solve",
    .arguments = "PROBLEM",
    .summary = "solve a problem and report how good the solution is",
    .request_size = sizeof(solve_request),
    .defaults = defaults,
    .groups = {{"Options", 0, own_options},
               {"Attachments", offsetof(solve_request, wish), tool_wish_options},
               {"Friction", offsetof(solve_request, friction), tool_friction_options},
               {"Solver", offsetof(solve_request, solving), tool_solving_options},
               {"Input", offsetof(solve_request, input), tool_input_options}},
    .run = run,
    .notes =
        "A bundle may record the solver and the options of an earlier solve and its start, as\n"
        "those of saddle simulate --export do: they hold where nothing else is said.\n\n"
        "Ctrl-C and --time-limit end an iteration, and what it has reached is reported and\n"
        "written, or our own factorization, which leaves nothing to report: exit code 1.\n\n"
        "Examples:\n"
        "  saddle solve data/chain\n"
        "  saddle solve data/stack-cone --friction pyramid --facets 16 --tol 1e-8 --output answer\n"
        "  saddle solve K.mtx --rhs b.mtx --solver lu --json\n",
};
