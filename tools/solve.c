/* SPDX-License-Identifier: MIT */
/* saddle solve: a problem, a solver, a report. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "files/solution_file.h"
#include "base/layout.h"
#include "base/tolerances.h"
#include "dense/dense.h"
#include "problem/problem_internal.h"
#include "problem/verdict.h"
#include "progress.h"
#include "text.h"

/* ---- the reference ----
 *
 * A second opinion on a solution: the same system solved densely by LAPACK, in the states of rows
 * of the solution.
 *
 * A row is fixed at a bound that the solution has reached, or an equation w = 0 strictly between
 * the bounds; the impulse of a tangent at its limit (box law, plane contacts) follows the normal
 * impulse.  With lambda = T y + c, and B the rows with w = 0, the system
 *
 *     [ M      -J_B' T ] [ v ]   [ f + J'c     ]
 *     [ J_B     R_B  T ] [ y ] = [ b_B - R_B c ]
 *
 * is solved with minimum norm by dgelsd, so that redundant rows do no harm: v and w are unique
 * where M > 0, lambda is not.
 */

typedef struct tool_reference {
    int made;                 /* 0: no reference, for the reason in note */
    char note[200];           /* how it was made */
    double velocity_distance; /* |v - v_ref| / |v_ref|, 2-norms; absolute where v_ref = 0 */
    double slack_distance;    /* |w - w_ref|, 2-norm */
    double residual;          /* of the reference itself, by the checker */
} tool_reference;

enum { UNKNOWNS_AT_MOST = 3000 };

/* lambda_i = gain[i] y[column[i]] where column[i] >= 0, else fixed[i]. */
typedef struct states {
    const saddle_problem *problem;
    const saddle_solution *solution;
    saddle__layout layout; /* of all arrays */
    double *w;             /* m: by the checker */
    double *step;          /* m: decides between bound and equation as the checker does */
    double *inverse_mass;  /* n: work */
    int64_t *column;       /* m */
    int64_t *equation;     /* m: the row's number among rows with w = 0, or -1 */
    double *gain, *fixed;
    int64_t unknowns; /* y; as many equations */
    double *matrix;   /* (n + unknowns)^2 by columns */
    double *x;        /* n + unknowns: (v, y) */
    double *checker;  /* saddle_residual_work_size() */
    double *lambda;   /* m: of the reference */
    double *w_reference;
} states;

static void place(states *at)
{
    const int64_t n = at->problem->n, m = at->problem->m, N = n + m;
    saddle__layout *layout = &at->layout;
    at->w = saddle__layout_take(layout, m, sizeof *at->w);
    at->step = saddle__layout_take(layout, m, sizeof *at->step);
    at->inverse_mass = saddle__layout_take(layout, n, sizeof *at->inverse_mass);
    at->column = saddle__layout_take(layout, m, sizeof *at->column);
    at->equation = saddle__layout_take(layout, m, sizeof *at->equation);
    at->gain = saddle__layout_take(layout, m, sizeof *at->gain);
    at->fixed = saddle__layout_take(layout, m, sizeof *at->fixed);
    at->lambda = saddle__layout_take(layout, m, sizeof *at->lambda);
    at->w_reference = saddle__layout_take(layout, m, sizeof *at->w_reference);
    at->x = saddle__layout_take(layout, N, sizeof *at->x);
    at->matrix = saddle__layout_take(layout, N * N, sizeof *at->matrix);
    at->checker = saddle__layout_take(layout, saddle_residual_work_size(at->problem),
                                      sizeof *at->checker);
}

static void make_basic(states *at, int64_t i)
{
    at->equation[i] = at->column[i] = at->unknowns++;
    at->gain[i] = 1;
}

static void make_fixed(states *at, int64_t i, double value)
{
    at->equation[i] = at->column[i] = -1;
    at->fixed[i] = value;
}

static void set_bounded(states *at, int64_t i, double lo, double hi)
{
    const double moved = at->solution->lambda[i] - at->step[i] * at->w[i];
    if (moved <= lo)
        make_fixed(at, i, lo);
    else if (moved >= hi)
        make_fixed(at, i, hi);
    else
        make_basic(at, i);
}

/* Normal as a unilateral row; a tangent at the limit mu lambda_n follows the normal. */
static void set_contact(states *at, const saddle_contact *contact)
{
    const int64_t normal = contact->row;
    set_bounded(at, normal, 0, (double)INFINITY);
    const double most = fmax(at->solution->lambda[normal], 0);
    for (int64_t i = normal + 1; i < normal + contact->size; i++) {
        const double mu = saddle__contact_mu(contact, i - normal), limit = mu * most;
        const double moved = at->solution->lambda[i] - at->step[i] * at->w[i];
        if (at->column[normal] < 0) {
            make_fixed(at, i, 0);
        } else if (moved > -limit && moved < limit) {
            make_basic(at, i);
        } else {
            at->column[i] = at->column[normal];
            at->equation[i] = -1;
            at->gain[i] = moved <= -limit ? -mu : mu;
        }
    }
}

static void find_states(states *at)
{
    const saddle_problem *problem = at->problem;
    int64_t next = 0;
    for (int64_t i = 0; i < problem->m; i++) {
        if (next < problem->contact_count && problem->contacts[next].row == i) {
            set_contact(at, &problem->contacts[next]);
            i += problem->contacts[next++].size - 1;
        } else {
            set_bounded(at, i, saddle_problem_lo(problem, i), saddle_problem_hi(problem, i));
        }
    }
}

/* From the whole system K (v; -lambda) = rhs: its rows with w = 0, lambda replaced by the states.
 */
static void assemble_reference(states *at, const double *K, const double *rhs)
{
    const int64_t n = at->problem->n, m = at->problem->m, N = n + at->unknowns;
    for (int64_t line = 0; line < n + m; line++) {
        if (line >= n && at->equation[line - n] < 0) continue;
        const int64_t to = line < n ? line : n + at->equation[line - n];
        at->x[to] = rhs[line];
        for (int64_t j = 0; j < n; j++) at->matrix[to + j * N] = K[line + j * (n + m)];
        for (int64_t i = 0; i < m; i++) {
            const double value = -K[line + (n + i) * (n + m)];
            if (at->column[i] >= 0)
                at->matrix[to + (n + at->column[i]) * N] += value * at->gain[i];
            else
                at->x[to] -= value * at->fixed[i];
        }
    }
}

static double distance(const double *a, const double *b, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum = hypot(sum, a[i] - (b ? b[i] : 0));
    return sum;
}

/* *residual: of the dense solution, which is a reference if solved. */
static void measure_reference(states *at, double tolerance, saddle_residual *residual,
                              tool_reference *reference)
{
    const saddle_problem *problem = at->problem;
    const int64_t n = problem->n;
    for (int64_t i = 0; i < problem->m; i++)
        at->lambda[i] = at->column[i] >= 0 ? at->gain[i] * at->x[n + at->column[i]] : at->fixed[i];
    saddle_residual_compute(problem, at->x, at->lambda, at->w_reference, at->checker, residual);
    const double size = distance(at->x, NULL, n);
    reference->made = saddle_residual_is_solved(residual, tolerance);
    reference->residual = residual->total;
    reference->velocity_distance = distance(at->solution->v, at->x, n) / (size > 0 ? size : 1);
    reference->slack_distance = distance(at->solution->w, at->w_reference, problem->m);
}

/* Describes the reference, or why the dense solution is none: redundant rows leave the impulses
 * open, and impulses of least norm may violate the bounds; or the states of the rows are wrong. */
static void describe_reference(const states *at, int64_t rank, double tolerance,
                               const saddle_residual *residual, tool_reference *reference)
{
    const int64_t m = at->problem->m, N = at->problem->n + at->unknowns;
    const size_t size = sizeof reference->note;
    if (reference->made)
        snprintf(reference->note, size,
                 "dense, of least norm: %lld equations, rank %lld; %lld of %lld rows at a bound",
                 (long long)N, (long long)rank, (long long)(m - at->unknowns), (long long)m);
    else if (rank < N && residual->dynamics <= tolerance)
        snprintf(reference->note, size,
                 "none: residual %.2e of the dense solution, above %g: impulses of least norm "
                 "(rank %lld of %lld) leave "
                 "their bounds",
                 residual->total, tolerance, (long long)rank, (long long)N);
    else
        snprintf(reference->note, size,
                 "none: residual %.2e of the dense solution, above %g: the rows are in no "
                 "solution's states",
                 residual->total, tolerance);
}

static saddle_status solve_densely(saddle_context *context, states *at, double tolerance,
                                   tool_reference *reference)
{
    const saddle_problem *problem = at->problem;
    saddle_residual residual;
    int64_t rank = 0;
    place(at);
    saddle_status status = saddle__layout_allocate(context, &at->layout);
    if (status) return status;
    place(at);
    saddle_residual_compute(problem, at->solution->v, at->solution->lambda, at->w, at->checker,
                            &residual);
    saddle__natural_units(problem, at->inverse_mass, at->step); /* 1 / d_i; 1 where d_i = 0 */
    for (int64_t i = 0; i < problem->m; i++) at->step[i] = at->step[i] > 0 ? 1 / at->step[i] : 1;
    find_states(at);
    double *K = NULL, *rhs = NULL;
    status = saddle__dense_kkt(context, problem, &K, &rhs);
    if (status == SADDLE_OK) assemble_reference(at, K, rhs);
    saddle_release(context, K);
    saddle_release(context, rhs);
    if (status) return status;
    const int64_t N = problem->n + at->unknowns;
    status = saddle__dense_least_norm(context, N, N, at->matrix, at->x, SADDLE__SINGULAR_PIVOT,
                                      &rank);
    if (status) return status;
    measure_reference(at, tolerance, &residual, reference);
    describe_reference(at, rank, tolerance, &residual, reference);
    return SADDLE_OK;
}

/* In the plane all laws but the associated one are |lt| <= mu ln for each tangent; in space only
 * the box law. */
static int has_reference(const saddle_problem *problem)
{
    if (problem->law == SADDLE_LAW_BOX) return 1;
    for (int64_t c = 0; c < problem->contact_count; c++)
        if (problem->law == SADDLE_LAW_ASSOCIATED || problem->contacts[c].size != 2) return 0;
    return 1;
}

/* A dense solution with a residual above the tolerance is no reference; the note states the
 * residual. */
static saddle_status compare_with_reference(saddle_context *context, const saddle_problem *problem,
                                            const saddle_solution *solution, double tolerance,
                                            tool_reference *reference)
{
    states at = {.problem = problem, .solution = solution};
    memset(reference, 0, sizeof *reference);
    if (!has_reference(problem)) {
        snprintf(reference->note, sizeof reference->note,
                 "none: contacts with the %s law have no dense reference",
                 saddle_law_word(problem->law));
        return SADDLE_OK;
    }
    if (problem->n > UNKNOWNS_AT_MOST || problem->n + problem->m > UNKNOWNS_AT_MOST) {
        snprintf(reference->note, sizeof reference->note,
                 "none: %lld unknowns are too many for a dense one, which takes at most %d",
                 (long long)(problem->n + problem->m), (int)UNKNOWNS_AT_MOST);
        return SADDLE_OK;
    }
    const saddle_status status = solve_densely(context, &at, tolerance, reference);
    saddle__layout_clear(context, &at.layout);
    return status;
}

/* ---- the run ---- */

typedef struct solve_request {
    const char *solver, *output, *start;
    int json, reference;
    tool_input input;
    tool_friction friction;
    tool_solving solving;
    tool_wish wish;
} solve_request;

/* Owned by a run; all-zero is fine to clear. */
typedef struct solve_work {
    saddle_context *context;         /* the session's */
    const tool_problem *read;        /* the session's */
    saddle_elimination *elimination; /* of a problem with attachments, else NULL */
    const saddle_problem *problem;   /* the solved problem: as read, or reduced */
    saddle_solution start, solution; /* of that */
    saddle_solution whole;           /* of the problem as read, if reduced */
    saddle_residual residual;        /* of whole */
    saddle_solver *solver;
    saddle_report report;
    tool_reference reference;
    char unwritten[512]; /* why the output was not written; "" = written, or no output */
} solve_work;

static void clear(solve_work *work)
{
    saddle_solver_free(work->solver);
    saddle_solution_clear(&work->solution);
    saddle_solution_clear(&work->start);
    saddle_solution_clear(&work->whole);
    saddle_elimination_free(work->elimination);
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

/* Checks options and output before the problem is read, which may take long. */
static saddle_status prepare(tool_session *session, const solve_request *request, const char *path,
                             solve_work *work)
{
    const saddle_options options = tool_solving_get(&request->solving);
    saddle_status status = tool_session_open(session, &request->input);
    if (status) return status;
    work->context = session->context;
    status = saddle_options_check(work->context, &options);
    if (status == SADDLE_OK)
        status = saddle_solver_create(work->context, request->solver, &options, &work->solver);
    if (status == SADDLE_OK && request->output)
        status = saddle__solution_probe(work->context, request->output);
    if (status == SADDLE_OK)
        status = tool_session_read(session, path, &request->input, &request->friction);
    if (status) return status;
    work->problem = &work->read->problem;
    if (work->read->attachments) {
        status = tool_eliminate(work->context, work->read, &request->wish, options.threads,
                                &work->elimination);
        if (status) return status;
        work->problem = saddle_elimination_problem(work->elimination);
        status = saddle_solution_create(work->context, work->read->problem.n, work->read->problem.m,
                                        &work->whole);
    }
    if (status == SADDLE_OK && request->start)
        status = tool_solution_read(work->context, request->start, &work->read->problem, "",
                                    &work->start);
    if (status == SADDLE_OK && request->start) status = restrict_start(work);
    if (status) return status;
    return saddle_solution_create(work->context, work->problem->n, work->problem->m,
                                  &work->solution);
}

/* *solved: 0 if the run stopped before the last phase, without a result. */
static saddle_status solve(solve_work *work, int *solved)
{
    const saddle_problem *problem = work->problem;
    const saddle_solution *start = work->start.v || work->start.lambda ? &work->start
                                                                       : &work->read->start;
    const int warm = start->n == problem->n && start->m == problem->m &&
                     (start->v || start->lambda);
    *solved = 0;
    const saddle_status status = tool_solve(work->solver, problem, warm ? start : NULL,
                                            &work->solution);
    *solved = status >= SADDLE_OK && saddle_solver_report(work->solver)->seconds.solve > 0;
    return status;
}

/* ---- the report ---- */

static void print_reference(const tool_reference *reference)
{
    printf("reference  %s\n", reference->note);
    if (!reference->made) return;
    printf("           |v - v_ref| / |v_ref| = %.2e   |w - w_ref| = %.2e   residual of the "
           "reference %.2e\n",
           reference->velocity_distance, reference->slack_distance, reference->residual);
}

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

static void print_report(const solve_request *request, const solve_work *work)
{
    const saddle_report *report = &work->report;
    const saddle_residual *residual = &report->residual;
    tool_problem_print(work->read);
    if (work->elimination) tool_elimination_print(work->elimination);
    printf("solver     %s%s%s%s\n", report->solver, report->note[0] ? " (" : "",
           tool_text_shown(report->note).text, report->note[0] ? ")" : "");
    int hidden = report->status > SADDLE_OK &&
                 residual->total <= request->solving.options.tolerance;
    printf("status     %s%s: residual %s, tolerance %g\n",
           report->status == SADDLE_OK ? "solved" : tool_status_text(report->status),
           hidden                       ? " (its growth hides an error)"
           : !isfinite(residual->total) ? " (the numbers of the problem overflow double precision)"
                                        : "",
           tool_text_figure(residual->total).text, request->solving.options.tolerance);
    tool_residual_print("residual", residual);
    printf("\n");
    printf("           local %s   growth %s   normwise %s   natural map %s\n",
           tool_text_figure(residual->local).text, tool_text_figure(residual->growth).text,
           tool_text_figure(residual->normwise).text, tool_text_figure(residual->natural_map).text);
    if (work->elimination) {
        tool_residual_print("whole   ", &work->residual);
        printf("\n");
    }
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
    if (request->reference) print_reference(&work->reference);
    if (request->output && !work->unwritten[0])
        printf("output     %s\n", tool_text_shown(request->output).text);
}

static json_t *reference_to_json(const tool_reference *reference)
{
    const double velocity = reference->made ? reference->velocity_distance : (double)NAN;
    const double slack = reference->made ? reference->slack_distance : (double)NAN;
    const double residual = reference->made ? reference->residual : (double)NAN;
    return json_pack("{s:s, s:o, s:o, s:o}", "note", reference->note, "velocity_distance",
                     tool_json_number(velocity), "slack_distance", tool_json_number(slack),
                     "residual", tool_json_number(residual));
}

/* The report's object, with further keys for reference, right-hand side and attachments. */
static saddle_status print_json(const solve_request *request, const solve_work *work)
{
    char *text = NULL;
    saddle_status status = saddle_report_to_json(work->context, &work->report, &text);
    if (status) return status;
    json_t *more = json_object();
    if (request->reference)
        json_object_set_new(more, "reference", reference_to_json(&work->reference));
    tool_rhs_to_json(work->read, more);
    if (work->elimination) {
        json_object_set_new(more, "whole", tool_residual_to_json(&work->residual));
        tool_elimination_to_json(work->elimination, more);
    }
    status = tool_json_print_joined(work->context, text, more);
    saddle_release(work->context, text);
    return status;
}

/* The tolerance of the reference, at least the default: the reference is rounded too. */
static saddle_status compare(const solve_request *request, solve_work *work)
{
    const double tolerance = fmax(request->solving.options.tolerance,
                                  saddle_options_default().tolerance);
    tool_progress_phase("reference");
    const saddle_solution *solution = work->elimination ? &work->whole : &work->solution;
    return compare_with_reference(work->context, &work->read->problem, solution, tolerance,
                                  &work->reference);
}

/* Recovers the whole solution; the status is NOT_CONVERGED if the whole residual exceeds the
 * tolerance. */
static saddle_status recover(const solve_request *request, solve_work *work, saddle_status solved)
{
    saddle_status status = saddle_elimination_recover(work->elimination, &work->read->unreduced,
                                                      &work->solution, &work->whole);
    if (status == SADDLE_OK)
        status = saddle_solution_check(work->context, &work->read->problem, &work->whole,
                                       &work->residual, NULL);
    if (status) return status;
    const int within = saddle_residual_is_solved(&work->residual,
                                                 request->solving.options.tolerance);
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
    if (work->elimination) solved = recover(request, work, solved);
    if (solved < 0) return solved;
    const saddle_status written = write_output(request, work);
    if (request->reference && interrupted)
        snprintf(work->reference.note, sizeof work->reference.note, "none: interrupted");
    else if (request->reference)
        compared = compare(request, work);
    tool_progress_erase();
    const saddle_status printed = request->json ? print_json(request, work) : SADDLE_OK;
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
        (void)print_json(request, work);
    else if (request->output)
        print_report(request, work);
    if (written) tool_error("%s", work->unwritten);
    return code;
}

static saddle_status run(tool_session *session, const void *given, char **argument)
{
    const solve_request *request = given;
    solve_work work = {.read = &session->read};
    int solved = 0;
    saddle_status status = prepare(session, request, argument[0], &work);
    if (status == SADDLE_OK) {
        status = solve(&work, &solved);
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
    request->solver = "auto";
    tool_solving_defaults(&request->solving);
}

static const tool_option own_options[] = {
    {"solver", TOOL_TEXT, offsetof(solve_request, solver), "NAME", .help = "one of saddle solvers"},
    {"start", TOOL_TEXT, offsetof(solve_request, start), "DIR",
     .help = "warm start from a solution folder", .unset = "the file's guess, or zero"},
    {"output", TOOL_TEXT, offsetof(solve_request, output), "DIR",
     .help = "write v, lambda, w, report.json and any certificate there"},
    {"json", TOOL_FLAG, offsetof(solve_request, json), .help = "print one JSON object"},
    {"reference", TOOL_FLAG, offsetof(solve_request, reference),
     .help = "compare with a dense solution by LAPACK"},
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
        "Ctrl-C stops an iteration; what it has reached is reported and written, exit code 1.\n\n"
        "Examples:\n"
        "  saddle solve data/chain\n"
        "  saddle solve data/stack-cone --friction pyramid --facets 16 --tol 1e-8 --output answer\n"
        "  saddle solve K.mtx --rhs b.mtx --solver lu --json\n",
};
