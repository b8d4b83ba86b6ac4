/* SPDX-License-Identifier: MIT */
/* saddle bench: every problem by every solver, a line each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "progress.h"
#include "runs.h"
#include "text.h"

enum { REPEATS_SIZE = 1000 };
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
    tool_solver_list list;
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
    else if (at->list.count == 1)
        tool_table_set(row, SOLVER, "%s", taken->report.solver);
    else
        tool_table_set(row, SOLVER, "%s: %s", solver, taken->report.solver);
    tool_table_set(row, STATUS, "%s", tool_status_word(taken->status));
    if (taken->status < SADDLE_OK || !(taken->report.seconds.solve > 0)) return;
    if (isfinite(taken->report.residual.total))
        tool_table_set(row, RESIDUAL, "%.2e", taken->report.residual.total);
    tool_table_set(row, ITERATIONS, "%lld", (long long)taken->report.iterations);
    tool_table_set(row, TIME, "%.6f", taken->seconds);
}

/* All solvers on a problem; returns the exit code of the best result, or of an error if a solver
 * got no memory, because the table then differs from other runs. */
static int run_solvers(bench *at, saddle_context *context, const tool_problem *read)
{
    int solved = 0, starved = 0;
    for (int s = 0; s < at->list.count && !tool_progress_interrupted(); s++) {
        char label[160];
        snprintf(label, sizeof label, "%.40s by %.16s", read->name, at->list.solver[s]);
        tool_progress_label(label);
        const measurement taken = measure(at, context, &read->problem, at->list.solver[s]);
        solved = solved || taken.status == SADDLE_OK;
        starved = starved || taken.status == SADDLE_OUT_OF_MEMORY;
        if (taken.status < SADDLE_OK && taken.status != SADDLE_UNSUPPORTED)
            tool_error("%s by %s: %s", read->name, at->list.solver[s],
                       saddle_context_message(context));
        add_line(at, read, at->list.solver[s], &taken);
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
    if (status == SADDLE_OK) status = tool_problem_reduce(context, &read);
    const int code = status ? tool_fail(context, status) : run_solvers(at, context, &read);
    tool_problem_clear(&read);
    return code;
}

/* ---- the verb ---- */

static saddle_status run(tool_session *session, const void *given, char **argument)
{
    bench at = {.request = given,
                .table = {.columns = COLUMNS,
                          .title = titles,
                          .right = 1u << N | 1u << M | 1u << CONTACTS | 1u << RESIDUAL |
                                   1u << ITERATIONS | 1u << TIME}};
    saddle_status status = tool_session_open(session, &at.request->input);
    const saddle_options options = tool_solving_get(&at.request->solving);
    if (status == SADDLE_OK) /* before the first problem is read */
        status = tool_solver_list_cut(session->context, at.request->solvers, &options, &at.list);
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
