/* SPDX-License-Identifier: MIT */
/* saddle solve: one problem, one solver, a report. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "elimination.h"
#include "failure.h"
#include "files/solution_file.h"
#include "input.h"
#include "progress.h"
#include "proof.h"
#include "reference.h"
#include "text.h"
#include "verbs.h"

typedef struct solve_request {
    const char *solver, *output, *start;
    int json, reference;
    tool_input input;
    tool_friction friction;
    tool_solving solving;
    tool_wish wish;
} solve_request;

/* What a run owns; all-zero is fine to clear. */
typedef struct solve_work {
    saddle_context *context;
    tool_problem read;
    saddle_elimination *elimination; /* of a problem with attachments, else NULL */
    const saddle_problem *problem;   /* what is solved: that read, or what the elimination leaves */
    saddle_solution start, solution; /* of that */
    saddle_solution whole;           /* of that read, where it is another one */
    saddle_residual residual;        /* of whole */
    saddle_solver *solver;
    saddle_report report;
    tool_reference reference;
    char unwritten[512]; /* why the output is not there; "" = it is, or was not asked for */
} solve_work;

static void clear(solve_work *work)
{
    saddle_solver_free(work->solver);
    saddle_solution_clear(&work->solution);
    saddle_solution_clear(&work->start);
    saddle_solution_clear(&work->whole);
    saddle_elimination_free(work->elimination);
    tool_problem_clear(&work->read);
    saddle_context_free(work->context);
}

/* ---- the work ---- */

/* A start for all velocities and rows to one for those that are left. */
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

static saddle_status read_start(solve_work *work, const char *path)
{
    const saddle_problem *problem = &work->read.problem;
    const saddle_status status = saddle_solution_read(work->context, path, &work->start);
    if (status) return status;
    if (work->start.n == problem->n && work->start.m == problem->m) return restrict_start(work);
    return saddle_fail(
        work->context, SADDLE_BAD_FILE,
        "%s: a solution for n = %lld, m = %lld does not fit a problem with n = %lld, m = %lld",
        path, (long long)work->start.n, (long long)work->start.m, (long long)problem->n,
        (long long)problem->m);
}

static saddle_status reduce(const solve_request *request, int64_t threads, solve_work *work)
{
    const saddle_problem *problem = &work->read.problem;
    const saddle_status status = tool_eliminate(work->context, &work->read, &request->wish, threads,
                                                &work->elimination);
    if (status) return status;
    work->problem = saddle_elimination_problem(work->elimination);
    return saddle_solution_create(work->context, problem->n, problem->m, &work->whole);
}

static saddle_status prepare(const solve_request *request, const char *path, solve_work *work)
{
    const saddle_options options = tool_solving_get(&request->solving);
    saddle_status status = tool_context_create(&request->input, &work->context);
    if (status) return status;
    status = saddle_options_check(work->context, &options);
    if (status) return status;
    status = saddle_solver_create(work->context, request->solver, &options, &work->solver);
    if (status) return status;
    status = request->output ? saddle__solution_probe(work->context, request->output) : SADDLE_OK;
    if (status) return status;
    status = tool_problem_read(work->context, path, &request->input, &request->friction,
                               &work->read);
    if (status) return status;
    work->problem = &work->read.problem;
    status = work->read.attachments ? reduce(request, options.threads, work) : SADDLE_OK;
    if (status) return status;
    status = request->start ? read_start(work, request->start) : SADDLE_OK;
    if (status) return status;
    return saddle_solution_create(work->context, work->problem->n, work->problem->m,
                                  &work->solution);
}

static int goes_on(saddle_status status)
{
    return status >= SADDLE_OK && status != SADDLE_STOPPED;
}

/* A stop before the last phase leaves no result: *solved says whether there is one. */
static saddle_status solve(solve_work *work, int *solved)
{
    const saddle_problem *problem = work->problem;
    const saddle_solution *start = work->start.v || work->start.lambda ? &work->start
                                                                       : &work->read.start;
    const int warm = start->n == problem->n && start->m == problem->m &&
                     (start->v || start->lambda);
    *solved = 0;
    saddle_status status = saddle_solver_analyse(work->solver, problem);
    if (goes_on(status)) status = saddle_solver_factor(work->solver, problem);
    if (goes_on(status))
        status = saddle_solver_solve(work->solver, problem, warm ? start : NULL, &work->solution);
    *solved = status >= SADDLE_OK && saddle_solver_report(work->solver)->seconds.solve > 0;
    return status;
}

/* ---- the report ---- */

static void print_problem(const solve_work *work)
{
    const saddle_problem *problem = &work->read.problem;
    char rows[160];
    tool_text_rows(problem, rows, sizeof rows);
    printf("problem    %s (%s): n = %lld, m = %lld%s\n", tool_text_shown(work->read.name).text,
           saddle_format_word(work->read.format), (long long)problem->n, (long long)problem->m,
           rows);
    tool_rhs_print(&work->read);
    if (work->elimination) tool_elimination_print(work->elimination);
}

static void print_reference(const tool_reference *reference)
{
    printf("reference  %s\n", reference->note);
    if (!reference->made) return;
    printf("           |v - v_ref| / |v_ref| = %.2e   |w - w_ref| = %.2e   residual of the "
           "reference %.2e\n",
           reference->velocity_distance, reference->slack_distance, reference->residual);
}

/* What direct solvers know of their factors; the condition where it was asked for. */
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

static void print_report(const solve_request *request, const solve_work *work)
{
    const saddle_report *report = &work->report;
    const saddle_residual *residual = &report->residual;
    char bytes[32];
    tool_text_bytes(report->peak_bytes, bytes, sizeof bytes);
    print_problem(work);
    printf("solver     %s%s%s%s\n", report->solver, report->note[0] ? " (" : "",
           tool_text_shown(report->note).text, report->note[0] ? ")" : "");
    int hidden = report->status > SADDLE_OK &&
                 residual->total <= request->solving.options.tolerance;
    printf("status     %s%s: residual %s, tolerance %g\n",
           report->status == SADDLE_OK ? "solved" : tool_status_text(report->status),
           hidden ? " (its growth hides an error)" : "", tool_text_figure(residual->total).text,
           request->solving.options.tolerance);
    printf("residual   dynamics %s   rows %s   cone %s   total %s\n",
           tool_text_figure(residual->dynamics).text, tool_text_figure(residual->rows).text,
           tool_text_figure(residual->cone).text, tool_text_figure(residual->total).text);
    printf("           local %s   growth %s   normwise %s   natural map %s\n",
           tool_text_figure(residual->local).text, tool_text_figure(residual->growth).text,
           tool_text_figure(residual->normwise).text, tool_text_figure(residual->natural_map).text);
    if (work->elimination)
        printf("whole      dynamics %s   rows %s   cone %s   total %s\n",
               tool_text_figure(work->residual.dynamics).text,
               tool_text_figure(work->residual.rows).text,
               tool_text_figure(work->residual.cone).text,
               tool_text_figure(work->residual.total).text);
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
    printf("memory     %s at most\n", bytes);
    if (request->reference) print_reference(&work->reference);
    if (request->output && !work->unwritten[0])
        printf("output     %s\n", tool_text_shown(request->output).text);
}

static json_t *reference_to_json(const tool_reference *reference)
{
    json_t *object = json_object();
    json_object_set_new(object, "note", json_string(reference->note));
    json_object_set_new(object, "velocity_distance",
                        reference->made ? tool_json_number(reference->velocity_distance)
                                        : json_null());
    json_object_set_new(object, "slack_distance",
                        reference->made ? tool_json_number(reference->slack_distance)
                                        : json_null());
    json_object_set_new(object, "residual",
                        reference->made ? tool_json_number(reference->residual) : json_null());
    return object;
}

/* What was left of the attachments, and how good the whole solution is. */
static void whole_to_json(const solve_work *work, json_t *object)
{
    json_t *whole = json_object();
    json_object_set_new(whole, "dynamics", tool_json_number(work->residual.dynamics));
    json_object_set_new(whole, "rows", tool_json_number(work->residual.rows));
    json_object_set_new(whole, "cone", tool_json_number(work->residual.cone));
    json_object_set_new(whole, "total", tool_json_number(work->residual.total));
    json_object_set_new(object, "whole", whole);
    tool_elimination_to_json(work->elimination, object);
}

/* The report's object, with the reference and the right-hand side as more keys where there is
 * something to say. */
static saddle_status print_json(const solve_request *request, const solve_work *work)
{
    char *text = NULL;
    const saddle_status status = saddle_report_to_json(work->context, &work->report, &text);
    if (status) return status;
    json_t *more = json_object();
    if (request->reference)
        json_object_set_new(more, "reference", reference_to_json(&work->reference));
    tool_rhs_to_json(&work->read, more);
    if (work->elimination) whole_to_json(work, more);
    const int printed = tool_json_print_joined(text, more) == 0;
    json_decref(more);
    saddle_release(work->context, text);
    return printed
               ? SADDLE_OK
               : saddle_fail(work->context, SADDLE_OUT_OF_MEMORY, "out of memory for the report");
}

/* The reference is judged by the tolerance, but by none tighter than the default: it is rounded
 * too. */
static saddle_status compare(const solve_request *request, solve_work *work)
{
    const double tolerance = fmax(request->solving.options.tolerance,
                                  saddle_options_default().tolerance);
    tool_progress_phase("reference");
    const saddle_solution *solution = work->elimination ? &work->whole : &work->solution;
    return tool_reference_compare(work->context, &work->read.problem, solution, tolerance,
                                  &work->reference);
}

/* The context's message, before the reference can replace it. */
static void keep_message(solve_work *work, saddle_status status)
{
    const char *message = saddle_context_message(work->context);
    snprintf(work->unwritten, sizeof work->unwritten, "%s",
             message[0] ? message : tool_status_text(status));
}

/* The whole solution, which must be as good as what it came from; an error where it cannot be
 * had. */
static saddle_status recover(const solve_request *request, solve_work *work, saddle_status solved)
{
    saddle_status status = saddle_elimination_recover(work->elimination, &work->read.unreduced,
                                                      &work->solution, &work->whole);
    if (status == SADDLE_OK)
        status = saddle_solution_check(work->context, &work->read.problem, &work->whole,
                                       &work->residual, NULL);
    if (status) return status;
    const int within = saddle_residual_is_solved(&work->residual,
                                                 request->solving.options.tolerance);
    return solved == SADDLE_OK && !within ? SADDLE_NOT_CONVERGED : solved;
}

/* Output folder, reference, report; the exit code of the solve unless one of these fails.  An
 * output that cannot be written costs the user the files, not the report. */
static int finish(const solve_request *request, solve_work *work, saddle_status solved)
{
    saddle_status written = SADDLE_OK, compared = SADDLE_OK;
    const int interrupted = tool_progress_interrupted();
    tool_progress_carry_on();
    work->report = *saddle_solver_report(work->solver);
    work->report.seconds.read = work->read.seconds;
    if (work->elimination) solved = recover(request, work, solved);
    if (solved < 0) return tool_fail(work->context, solved);
    if (request->output && work->elimination)
        written = saddle_solution_write(work->context, request->output, &work->whole,
                                        &work->report);
    else if (request->output)
        written = saddle_solution_write_proven(work->context, request->output, &work->solution,
                                               &work->report,
                                               saddle_solver_certificate(work->solver));
    if (written) keep_message(work, written);
    if (request->reference && interrupted)
        snprintf(work->reference.note, sizeof work->reference.note, "none: interrupted");
    else if (request->reference)
        compared = compare(request, work);
    tool_progress_erase();
    const saddle_status printed = request->json ? print_json(request, work) : SADDLE_OK;
    if (!request->json) print_report(request, work);
    if (written) tool_error("%s", work->unwritten);
    if (printed) return tool_fail(work->context, printed);
    if (compared) return tool_fail(work->context, compared);
    return tool_exit_code(written ? written : solved);
}

/* Nothing was solved, but it is proven why: files with zeros for a solution and the certificate,
 * the report, and the error's code. */
static int finish_proven(const solve_request *request, solve_work *work, saddle_status failed)
{
    const int code = tool_fail(work->context, failed);
    saddle_status written = SADDLE_OK;
    work->report = *saddle_solver_report(work->solver);
    work->report.seconds.read = work->read.seconds;
    if (request->output)
        written = saddle_solution_write_proven(work->context, request->output, &work->solution,
                                               &work->report,
                                               saddle_solver_certificate(work->solver));
    if (written) keep_message(work, written);
    if (request->json)
        (void)print_json(request, work);
    else if (request->output)
        print_report(request, work);
    if (written) tool_error("%s", work->unwritten);
    return code;
}

static int run(const void *given, int count, char **argument)
{
    (void)count;
    const solve_request *request = given;
    solve_work work = {0};
    int solved = 0;
    tool_progress_start(request->json && !isatty(STDOUT_FILENO));
    saddle_status status = prepare(request, argument[0], &work);
    tool_progress_label(work.read.name);
    if (status == SADDLE_OK) status = solve(&work, &solved);
    const int proven = status < 0 && !work.elimination && work.solution.n > 0 &&
                       saddle_solver_certificate(work.solver) != NULL;
    const int code = solved   ? finish(request, &work, status)
                     : proven ? finish_proven(request, &work, status)
                              : tool_fail(work.context, status);
    clear(&work);
    tool_progress_stop();
    return code;
}

/* ---- the verb ---- */

static void defaults(void *given)
{
    solve_request *request = given;
    request->solver = "auto";
    tool_friction_defaults(&request->friction);
    tool_solving_defaults(&request->solving);
}

static const tool_option own_options[] = {
    {.name = "solver",
     .value = "NAME",
     .kind = TOOL_TEXT,
     .offset = offsetof(solve_request, solver),
     .help = "one of saddle solvers"},
    {.name = "start",
     .value = "DIR",
     .kind = TOOL_TEXT,
     .offset = offsetof(solve_request, start),
     .help = "warm start from a solution folder",
     .unset = "the file's guess, or zero"},
    {.name = "output",
     .value = "DIR",
     .kind = TOOL_TEXT,
     .offset = offsetof(solve_request, output),
     .help = "write v, lambda, w, report.json and any certificate there"},
    {.name = "json",
     .kind = TOOL_FLAG,
     .offset = offsetof(solve_request, json),
     .help = "print one JSON object"},
    {.name = "reference",
     .kind = TOOL_FLAG,
     .offset = offsetof(solve_request, reference),
     .help = "compare with a dense solution by LAPACK"},
    {.name = NULL},
};

static const tool_group groups[] = {
    {"Options", 0, own_options},
    {"Attachments", offsetof(solve_request, wish), tool_wish_options},
    {"Friction", offsetof(solve_request, friction), tool_friction_options},
    {"Solver", offsetof(solve_request, solving), tool_solving_options},
    {"Input", offsetof(solve_request, input), tool_input_options},
    {NULL, 0, NULL},
};

const tool_verb tool_verb_solve = {
    .name = "solve",
    .arguments = "PROBLEM",
    .summary = "solve a problem and report how good the solution is",
    .least = 1,
    .most = 1,
    .request_size = sizeof(solve_request),
    .defaults = defaults,
    .groups = groups,
    .run = run,
    .notes =
        "Ctrl-C stops an iteration; what it has reached is reported and written, with exit code "
        "1.\n\n"
        "Examples:\n"
        "  saddle solve data/chain\n"
        "  saddle solve data/stack-cone --friction pyramid --facets 16 --tol 1e-8 --output answer\n"
        "  saddle solve K.mtx --rhs b.mtx --solver lu --json\n",
};
