/* SPDX-License-Identifier: MIT */
/* saddle bench: every problem by every solver, a line each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "manual.h"
#include "progress.h"
#include "text.h"

enum { SOLVERS_SIZE = 32, REPEATS_SIZE = 1000 };
enum { NAME, N, M, CONTACTS, SOLVER, STATUS, RESIDUAL, ITERATIONS, TIME, COLUMNS };
static const char *const titles[COLUMNS] = {"name",     "n",          "m",
                                            "contacts", "solver",     "status",
                                            "residual", "iterations", "time"};

typedef struct bench_request {
    const char *solvers;
    int64_t repeat;
    int csv;
    tool_input input;
    tool_friction friction;
    tool_solving solving;
} bench_request;

typedef struct bench {
    const bench_request *request;
    char names[512]; /* request->solvers cut into words */
    const char *solver[SOLVERS_SIZE];
    int solver_count;
    tool_table table;
    double seconds[REPEATS_SIZE];
} bench;

typedef struct measurement {
    saddle_status status;
    saddle_report report;
    double seconds; /* median of analyse + factor + solve */
} measurement;

/* ---- measuring ---- */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *value, int64_t count)
{
    qsort(value, (size_t)count, sizeof *value, compare);
    return count % 2 ? value[count / 2] : 0.5 * (value[count / 2 - 1] + value[count / 2]);
}

static saddle_status solve_once(saddle_context *context, const saddle_problem *problem,
                                const char *name, const saddle_options *options,
                                saddle_solution *solution, measurement *taken)
{
    saddle_solver *solver = NULL;
    saddle_status status = saddle_solver_create(context, name, options, &solver);
    if (status) return status;
    const double begun = saddle_clock();
    status = tool_solve(solver, problem, NULL, solution);
    taken->seconds = saddle_clock() - begun;
    taken->report = *saddle_solver_report(solver);
    saddle_solver_free(solver);
    return status;
}

/* Stops after a failed run: a time limit is waited for only once. */
static measurement measure(bench *at, saddle_context *context, const saddle_problem *problem,
                           const char *name)
{
    const saddle_options options = tool_solving_get(&at->request->solving);
    measurement taken = {0};
    saddle_solution solution = {0};
    int64_t done = 0;
    taken.status = saddle_solution_create(context, problem->n, problem->m, &solution);
    while (taken.status == SADDLE_OK && done < at->request->repeat) {
        taken.status = solve_once(context, problem, name, &options, &solution, &taken);
        at->seconds[done++] = taken.seconds;
    }
    if (done > 0) taken.seconds = median(at->seconds, done);
    saddle_solution_clear(&solution);
    return taken;
}

/* ---- the table ---- */

/* One word for the table. */
static const char *status_word(saddle_status status)
{
    switch (status) {
    case SADDLE_OK: return "solved";
    case SADDLE_NOT_CONVERGED: return "not converged";
    case SADDLE_ITERATION_LIMIT: return "iteration limit";
    case SADDLE_TIME_LIMIT: return "time limit";
    case SADDLE_STOPPED: return "stopped";
    case SADDLE_DIVERGED: return "diverged";
    case SADDLE_WRONG_INERTIA: return "inertia";
    case SADDLE_INFEASIBLE: return "no solution";
    case SADDLE_UNSUPPORTED: return "can't";
    case SADDLE_SINGULAR: return "singular";
    case SADDLE_OUT_OF_MEMORY: return "out of memory";
    default: return "failed";
    }
}

static void add_line(bench *at, const tool_problem *read, const char *solver,
                     const measurement *taken)
{
    const saddle_problem *problem = &read->problem;
    const int picked = taken->report.solver[0] && strcmp(taken->report.solver, solver) != 0;
    tool_table_row *row = tool_table_add(&at->table);
    tool_table_set(row, NAME, "%s", read->name);
    tool_table_set(row, N, "%lld", (long long)problem->n);
    tool_table_set(row, M, "%lld", (long long)problem->m);
    tool_table_set(row, CONTACTS, "%lld", (long long)problem->contact_count);
    if (!picked)
        tool_table_set(row, SOLVER, "%s", solver);
    else if (at->solver_count == 1)
        tool_table_set(row, SOLVER, "%s", taken->report.solver);
    else
        tool_table_set(row, SOLVER, "%s: %s", solver, taken->report.solver);
    tool_table_set(row, STATUS, "%s", status_word(taken->status));
    if (taken->status < SADDLE_OK || !(taken->report.seconds.solve > 0)) return;
    if (isfinite(taken->report.residual.total))
        tool_table_set(row, RESIDUAL, "%.2e", taken->report.residual.total);
    tool_table_set(row, ITERATIONS, "%lld", (long long)taken->report.iterations);
    tool_table_set(row, TIME, "%.6f", taken->seconds);
}

/* Replaces a problem with attachments by the reduced problem. */
static saddle_status reduce(saddle_context *context, tool_problem *read)
{
    saddle_elimination *elimination = NULL;
    saddle_problem left = {0};
    if (!read->attachments) return SADDLE_OK;
    saddle_status status = tool_eliminate(context, read, &(tool_wish){SADDLE_CHOOSE}, 1,
                                          &elimination);
    if (status == SADDLE_OK)
        status = saddle_problem_copy(context, saddle_elimination_problem(elimination), &left);
    saddle_elimination_free(elimination);
    if (status) return status;
    saddle_problem_clear(&read->problem);
    read->problem = left;
    return SADDLE_OK;
}

/* All solvers on a problem; returns the exit code of the best result, or of an error if a solver
 * got no memory, because the table then differs from other runs. */
static int run_solvers(bench *at, saddle_context *context, const tool_problem *read)
{
    int solved = 0, starved = 0;
    for (int s = 0; s < at->solver_count && !tool_progress_interrupted(); s++) {
        char label[160];
        snprintf(label, sizeof label, "%.40s by %.16s", read->name, at->solver[s]);
        tool_progress_label(label);
        const measurement taken = measure(at, context, &read->problem, at->solver[s]);
        solved = solved || taken.status == SADDLE_OK;
        starved = starved || taken.status == SADDLE_OUT_OF_MEMORY;
        if (taken.status < SADDLE_OK && taken.status != SADDLE_UNSUPPORTED)
            tool_error("%s by %s: %s", read->name, at->solver[s], saddle_context_message(context));
        add_line(at, read, at->solver[s], &taken);
    }
    return starved ? TOOL_EXIT_INTERNAL : solved ? TOOL_EXIT_SOLVED : TOOL_EXIT_TOLERANCE;
}

static int bench_problem(bench *at, saddle_context *context, const char *path)
{
    tool_problem read = {0};
    tool_progress_label(path);
    saddle_status status = tool_problem_read(context, path, &at->request->input,
                                             &at->request->friction, &read);
    tool_path_name(path, read.name, sizeof read.name); /* two problems may have the same name */
    if (status == SADDLE_OK) status = reduce(context, &read);
    const int code = status ? tool_fail(context, status) : run_solvers(at, context, &read);
    tool_problem_clear(&read);
    return code;
}

/* ---- the verb ---- */

/* Cuts the list at its commas; the names must exist and the options be in range before the first
 * problem is read. */
static saddle_status choose_solvers(bench *at, saddle_context *context)
{
    const saddle_options options = tool_solving_get(&at->request->solving);
    const saddle_status status = saddle_options_check(context, &options);
    if (status) return status;
    if (strlen(at->request->solvers) >= sizeof at->names)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "--solvers: the list is too long");
    snprintf(at->names, sizeof at->names, "%s", at->request->solvers);
    char *rest = at->names;
    while (rest) {
        char *word = rest, *comma = strchr(rest, ',');
        saddle_solver *solver = NULL;
        rest = comma ? comma + 1 : NULL;
        if (comma) *comma = '\0';
        if (at->solver_count == SOLVERS_SIZE)
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "--solvers: more than %d names",
                               (int)SOLVERS_SIZE);
        const saddle_status known = tool_solver_create(context, word, &options, &solver);
        saddle_solver_free(solver);
        if (known) return known;
        at->solver[at->solver_count++] = word;
    }
    return SADDLE_OK;
}

static saddle_status run(tool_session *session, const void *given, char **argument)
{
    bench at = {.request = given,
                .table = {.columns = COLUMNS,
                          .title = titles,
                          .right = 1u << N | 1u << M | 1u << CONTACTS | 1u << RESIDUAL |
                                   1u << ITERATIONS | 1u << TIME}};
    saddle_status status = tool_session_open(session, &at.request->input);
    if (status == SADDLE_OK) status = choose_solvers(&at, session->context);
    if (status) return status;
    for (int p = 0; argument[p] && !tool_progress_interrupted(); p++) {
        const int code = bench_problem(&at, session->context, argument[p]);
        if (code > session->code) session->code = code;
    }
    tool_progress_erase();
    status = tool_table_print(&at.table, at.request->csv);
    if (tool_progress_interrupted() && session->code == TOOL_EXIT_SOLVED)
        session->code = TOOL_EXIT_TOLERANCE;
    return status;
}

static void defaults(void *given)
{
    bench_request *request = given;
    request->solvers = "auto";
    request->repeat = 1;
    tool_solving_defaults(&request->solving);
}

static const tool_option own_options[] = {
    {"solvers", TOOL_TEXT, offsetof(bench_request, solvers), "A,B",
     .help = "names of saddle solvers, with commas"},
    {"repeat", TOOL_COUNT, offsetof(bench_request, repeat), "N",
     .help = "runs of each; the time is their median", .least = 1, .most = REPEATS_SIZE},
    {"csv", TOOL_FLAG, offsetof(bench_request, csv), .help = "comma-separated values"},
    {.name = NULL},
};

const tool_verb tool_verb_bench = {
    .name = "bench",
    .arguments = "PROBLEM...",
    .summary = "solve problems by several solvers and print a table",
    .request_size = sizeof(bench_request),
    .defaults = defaults,
    .groups = {{"Options", 0, own_options},
               {"Friction", offsetof(bench_request, friction), tool_friction_options},
               {"Solver", offsetof(bench_request, solving), tool_solving_options},
               {"Input", offsetof(bench_request, input), tool_input_options}},
    .run = run,
    .notes =
        "time is analyse + factor + solve in seconds.  A solver that can't do a problem's rows\n"
        "says \"can't\"; the exit code is 1 where a problem was solved by none, 5 where a\n"
        "solver got no memory.\n\n"
        "Examples:\n"
        "  saddle bench data/*/\n"
        "  saddle bench data/chain data/loop --solvers ldlt,lu,schur --repeat 5 --csv\n",
};
