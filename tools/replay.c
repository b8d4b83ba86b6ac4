/* SPDX-License-Identifier: MIT */
/* saddle replay: the systems of a recorded run, in their order, by several solvers; each solver
 * begins a system with the impulses of its own last one, by row ids. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context_internal.h"
#include "files/bundle.h"
#include "plot.h"
#include "progress.h"
#include "runs.h"
#include "text.h"

enum { STEP, N, M, CONTACTS, SOLVER, STATUS, RESIDUAL, ITERATIONS, PIVOTS, WARM, TIME, COLUMNS };
static const char *const titles[COLUMNS] = {"step",   "n",         "m",        "contacts",
                                            "solver", "status",    "residual", "iterations",
                                            "pivots", "warm rows", "time"};

typedef struct replay_request {
    const char *solvers, *page;
    int cold, csv;
    int64_t memory;
    tool_solving solving;
} replay_request;

/* One solver over all systems. */
typedef struct run_of {
    saddle_solver *solver;
    int64_t solved;
    double seconds;                          /* of all systems */
    int64_t iterations, pivots;              /* likewise */
    double *time, *work, *pivoted, *residue; /* a number for each system; work: iterations */
} run_of;

typedef struct replay {
    const replay_request *request;
    saddle_context *context;
    struct dirent **entry; /* the folder's systems */
    int count;
    const char *folder;
    tool_solver_list list;
    run_of run[TOOL_SOLVERS_SIZE];
    double *step; /* 0, 1, .. */
    tool_table table;
} replay;

/* ---- the systems ---- */

static void release_entries(replay *at)
{
    for (int k = 0; k < at->count; k++) free(at->entry[k]);
    free(at->entry);
    at->count = 0;
}

static saddle_status path_of(const replay *at, int k, char **path)
{
    *path = saddle__path_join(at->context, at->folder, at->entry[k]->d_name);
    return *path ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

/* The bundles in the folder, by their names. */
static saddle_status list_systems(replay *at)
{
    int kept = 0;
    const int count = scandir(at->folder, &at->entry, NULL, alphasort);
    if (count < 0)
        return errno == ENOMEM
                   ? SADDLE_OUT_OF_MEMORY
                   : saddle__fail_errno(at->context, at->folder, "cannot be opened", errno);
    at->count = count;
    for (int k = 0; k < count; k++) {
        char *path;
        SADDLE__TRY(path_of(at, k, &path));
        const int is_system = at->entry[k]->d_name[0] != '.' && saddle__bundle_is(path);
        saddle_release(at->context, path);
        struct dirent *one = at->entry[k];
        at->entry[k] = at->entry[kept];
        at->entry[kept] = one;
        kept += is_system;
    }
    for (int k = kept; k < count; k++) free(at->entry[k]);
    at->count = kept;
    if (kept > 0) return SADDLE_OK;
    return saddle_fail(at->context, SADDLE_BAD_FILE,
                       "%s: no problem bundles in it (saddle simulate --export makes some)",
                       at->folder);
}

/* ---- the solvers ---- */

/* The names of --solvers, else that which the first system records, else auto. */
static saddle_status make_solvers(replay *at)
{
    tool_solving solving = at->request->solving;
    saddle__solving recorded = saddle__solving_none();
    char *path;
    SADDLE__TRY(path_of(at, 0, &path));
    saddle_status status = tool_solving_recall(at->context, path, &solving, &recorded);
    saddle_release(at->context, path);
    const char *names = at->request->solvers ? at->request->solvers
                        : recorded.solver    ? recorded.solver
                                             : "auto";
    saddle_options options = tool_solving_get(&solving);
    options.warm_start = !at->request->cold;
    if (status == SADDLE_OK) status = tool_solver_list_cut(at->context, names, &options, &at->list);
    for (int s = 0; status == SADDLE_OK && s < at->list.count; s++) {
        run_of *run = &at->run[s];
        double **each[] = {&run->time, &run->work, &run->pivoted, &run->residue};
        status = saddle_solver_create(at->context, at->list.solver[s], &options, &run->solver);
        for (int k = 0; status == SADDLE_OK && k < 4; k++) {
            *each[k] = saddle_allocate(at->context, at->count, sizeof(double));
            if (!*each[k]) status = SADDLE_OUT_OF_MEMORY;
        }
    }
    saddle__solving_clear(at->context, &recorded);
    return status;
}

static void clear(replay *at)
{
    for (int s = 0; s < at->list.count; s++) {
        run_of *run = &at->run[s];
        saddle_solver_free(run->solver);
        saddle__release_all(at->context, run->time, run->work, run->pivoted, run->residue);
    }
    saddle_release(at->context, at->step);
    release_entries(at);
}

/* ---- one system ---- */

static void add_row(replay *at, int step, int s, const tool_problem *read, saddle_status status)
{
    const saddle_report *report = saddle_solver_report(at->run[s].solver);
    const saddle_problem *problem = &read->problem;
    tool_table_row *row = tool_table_add(&at->table);
    tool_table_set(row, STEP, "%s", at->entry[step]->d_name);
    tool_table_set(row, N, "%lld", (long long)problem->n);
    tool_table_set(row, M, "%lld", (long long)problem->m);
    tool_table_set(row, CONTACTS, "%lld", (long long)problem->contact_count);
    tool_table_set(row, SOLVER, "%s", at->list.solver[s]);
    tool_table_set(row, STATUS, "%s", tool_status_word(status));
    if (status < SADDLE_OK) return;
    tool_table_set(row, RESIDUAL, "%.1e", report->residual.total);
    tool_table_set(row, ITERATIONS, "%lld", (long long)report->iterations);
    tool_table_set(row, PIVOTS, "%lld", (long long)report->pivots);
    tool_table_set(row, WARM, "%lld", (long long)report->warm_rows);
    tool_table_set(row, TIME, "%.6f", at->run[s].time[step]);
}

static saddle_status solve(replay *at, int step, int s, const tool_problem *read)
{
    run_of *run = &at->run[s];
    saddle_solution x = {0};
    saddle_status status = saddle_solution_create(at->context, read->problem.n, read->problem.m,
                                                  &x);
    const double begun = saddle_clock();
    if (status == SADDLE_OK) status = tool_solve(run->solver, &read->problem, NULL, &x);
    run->time[step] = saddle_clock() - begun;
    saddle_solution_clear(&x);
    const saddle_report *report = saddle_solver_report(run->solver);
    const int answered = status >= SADDLE_OK;
    run->work[step] = answered ? (double)report->iterations : (double)NAN;
    run->pivoted[step] = answered ? (double)report->pivots : (double)NAN;
    run->residue[step] = answered ? report->residual.total : (double)NAN;
    add_row(at, step, s, read, status);
    run->seconds += run->time[step];
    run->solved += status == SADDLE_OK;
    run->iterations += answered ? report->iterations : 0;
    run->pivots += answered ? report->pivots : 0;
    return status == SADDLE_OUT_OF_MEMORY ? status : SADDLE_OK;
}

static saddle_status replay_system(replay *at, int step)
{
    static const tool_input input = {0};
    static const tool_friction friction = {0};
    tool_problem read = {0};
    char *path;
    SADDLE__TRY(path_of(at, step, &path));
    tool_progress_label(at->entry[step]->d_name);
    saddle_status status = tool_problem_read(at->context, path, &input, &friction, &read);
    if (status == SADDLE_OK) status = tool_problem_reduce(at->context, &read);
    at->step[step] = (double)step;
    for (int s = 0; status == SADDLE_OK && s < at->list.count; s++)
        status = solve(at, step, s, &read);
    tool_problem_clear(&read);
    saddle_release(at->context, path);
    return status;
}

/* ---- the end ---- */

static void print_totals(const replay *at, int steps)
{
    printf("\n");
    for (int s = 0; s < at->list.count; s++) {
        const run_of *run = &at->run[s];
        printf("%-12s solved %lld of %d   iterations %lld   pivots %lld   %.4f s\n",
               at->list.solver[s], (long long)run->solved, steps, (long long)run->iterations,
               (long long)run->pivots, run->seconds);
    }
}

static void add_plot(const replay *at, saddle__text *text, int steps, int which)
{
    static const char *const names[] = {"time [s]", "iterations", "pivots", "residual"};
    tool_plot plot = {.title = names[which],
                      .x_label = "system",
                      .y_label = names[which],
                      .log_y = which == 0 || which == 3,
                      .series_count = at->list.count};
    for (int s = 0; s < at->list.count; s++) {
        const run_of *run = &at->run[s];
        const double *const each[] = {run->time, run->work, run->pivoted, run->residue};
        plot.series[s] = (tool_series){at->list.solver[s], steps, at->step, each[which]};
    }
    tool_plot_add(text, &plot);
}

static saddle_status write_page(const replay *at, int steps)
{
    saddle__text text = {.context = at->context};
    char words[600];
    tool_plot_page_begin(&text, "Replay");
    snprintf(words, sizeof words, "%d systems of %.400s, each solver from %s.", steps, at->folder,
             at->request->cold ? "zeros" : "its own last impulses, by row ids");
    tool_plot_page_element(&text, "p", words);
    for (int which = 0; which < 4; which++) add_plot(at, &text, steps, which);
    tool_plot_page_table(&text, &at->table);
    return tool_plot_page_write(&text, at->request->page);
}

static saddle_status run_all(tool_session *session, replay *at)
{
    int steps = 0;
    SADDLE__TRY(list_systems(at));
    SADDLE__TRY(make_solvers(at));
    at->step = saddle_allocate(at->context, at->count, sizeof *at->step);
    if (!at->step) return SADDLE_OUT_OF_MEMORY;
    saddle_status status = SADDLE_OK;
    while (status == SADDLE_OK && steps < at->count && !tool_progress_interrupted()) {
        status = replay_system(at, steps);
        steps += status == SADDLE_OK;
    }
    tool_progress_erase();
    if (status == SADDLE_OK && at->request->page) status = write_page(at, steps);
    if (status) {
        free(at->table.cell);
        return status;
    }
    int64_t solved = 0;
    for (int s = 0; s < at->list.count; s++) solved += at->run[s].solved;
    if (solved < (int64_t)at->count * at->list.count) session->code = TOOL_EXIT_TOLERANCE;
    status = tool_table_print(&at->table, at->request->csv);
    if (status == SADDLE_OK && !at->request->csv) print_totals(at, steps);
    return status;
}

static saddle_status run(tool_session *session, const void *given, char **argument)
{
    const tool_input input = {.memory = ((const replay_request *)given)->memory};
    replay at = {.request = given,
                 .folder = argument[0],
                 .table = {.columns = COLUMNS,
                           .title = titles,
                           .right = ~(1u << STEP | 1u << SOLVER | 1u << STATUS)}};
    saddle_status status = tool_session_open(session, &input);
    at.context = session->context;
    if (status == SADDLE_OK) status = run_all(session, &at);
    if (status) session->code = tool_fail(session->context, status); /* clear forgets the message */
    clear(&at);
    return SADDLE_OK;
}

static void defaults(void *given)
{
    tool_solving_defaults(&((replay_request *)given)->solving);
}

static const tool_option own_options[] = {
    {"solvers", TOOL_TEXT, offsetof(replay_request, solvers), "A,B",
     .help = "names of saddle solvers, with commas", .unset = "the recorded one, or auto"},
    {"cold", TOOL_FLAG, offsetof(replay_request, cold), .help = "start each system from zeros"},
    {"csv", TOOL_FLAG, offsetof(replay_request, csv), .help = "comma-separated values"},
    {"report", TOOL_TEXT, offsetof(replay_request, page), "PAGE.html",
     .help = "write a page with plots and the table"},
    {"memory-limit", TOOL_COUNT, offsetof(replay_request, memory), "MIB", .help = TOOL_MEMORY_HELP,
     .unset = "none"},
    {.name = NULL},
};

const tool_verb tool_verb_replay = {
    .name = "replay",
    .arguments = "DIR",
    .summary = "the systems of a recorded run by several solvers, step after step",
    .request_size = sizeof(replay_request),
    .defaults = defaults,
    .groups = {{"Options", 0, own_options},
               {"Solver", offsetof(replay_request, solving), tool_solving_options}},
    .run = run,
    .notes =
        "DIR holds a bundle for each step, taken by name, as saddle simulate --export writes "
        "them.\n"
        "Options of the solve are those that the first bundle records, unless given.  time: "
        "analyse,\n"
        "factor and solve; warm rows: rows that began with the impulse of the system before.\n\n"
        "Examples:\n"
        "  saddle simulate examples/scenes/box-stack.json --steps 200 --export run\n"
        "  saddle replay run --solvers gauss-seidel,admm,staggered --report run.html\n",
};
