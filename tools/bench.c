/* SPDX-License-Identifier: MIT */
/* saddle bench: sets of problems by solvers with options each, repeated; results in a file that a
 * later run goes on with.  Analysis of results: analysis.h, page.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "base/context_internal.h"
#include "measure.h"
#include "page.h"
#include "peer.h"
#include "progress.h"
#include "runs.h"
#include "sets.h"
#include "spy.h"
#include "text.h"

enum { REPEATS_SIZE = 1000 };

typedef struct bench_request {
    const char *solvers, *tolerances, *results, *peers, *commit, *page, *plots;
    int64_t repeat, warm_up;
    double limit, margin;
    int csv, mixed, compare, profile, by; /* by: a tool_measure */
    tool_input input;
    tool_friction friction;
    tool_solving solving;
} bench_request;

typedef struct bench {
    const bench_request *request;
    tool_session *session;
    saddle_context *context;
    tool_contenders list;
    double tolerance[TOOL_TOLERANCES_SIZE];
    int tolerances;
    tool_set set;
    tool_results results;
    tool_watch watch;
    tool_peer_scratch scratch; /* of the problem at hand */
    int64_t to_do, done;       /* runs of this call */
    double begun;
} bench;

/* ---- what is done and what is left ---- */

static int is_case(const tool_results_run *run, const char *path, const tool_contender *contender,
                   double tolerance)
{
    return strcmp(run->path, path) == 0 && strcmp(run->solver, contender->solver) == 0 &&
           strcmp(run->settings, contender->settings) == 0 && !(run->tolerance < tolerance) &&
           !(run->tolerance > tolerance);
}

/* Repetitions of a case in the file; after a failed one all of them, since failures are not
 * repeated: a time limit is reached once. */
static int64_t repetitions_of(const bench *at, const char *path, const tool_contender *contender,
                              double tolerance)
{
    int64_t count = 0;
    for (int64_t k = 0; k < at->results.runs; k++) {
        const tool_results_run *run = &at->results.run[k];
        if (!is_case(run, path, contender, tolerance)) continue;
        count++;
        if (strcmp(run->status, "solved") != 0) return REPEATS_SIZE;
    }
    return count;
}

/* Runs left of a problem. */
static int64_t left_of(const bench *at, const char *path)
{
    int64_t left = 0;
    for (int s = 0; s < at->list.count; s++)
        for (int t = 0; t < at->tolerances; t++) {
            const int64_t done = repetitions_of(at, path, &at->list.at[s], at->tolerance[t]);
            if (done < at->request->repeat) left += at->request->repeat - done;
        }
    return left;
}

/* "3 of 40, 1.2 min left: chain by ldlt" */
static void show_progress(const bench *at, const char *name, const char *solver)
{
    char label[200], left[48] = "";
    const double spent = saddle_clock() - at->begun,
                 rest = at->done > 0 ? spent / (double)at->done * (double)(at->to_do - at->done)
                                     : 0;
    if (at->done > 0 && rest < 100)
        snprintf(left, sizeof left, ", %.0f s left", rest);
    else if (at->done > 0)
        snprintf(left, sizeof left, ", %.0f min left", rest / 60);
    snprintf(label, sizeof label, "%lld of %lld%s: %.20s by %.14s", (long long)at->done + 1,
             (long long)at->to_do, left, name, solver);
    tool_progress_label(label);
}

/* ---- a problem ---- */

/* The name without a last "-12". */
static void family_of(const char *name, char *family, size_t size)
{
    size_t length = strlen(name), digits = length;
    while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') digits--;
    if (digits < length && digits > 1 && name[digits - 1] == '-') length = digits - 1;
    snprintf(family, size, "%.*s", (int)length, name);
}

static saddle_status add_problem(bench *at, const tool_set_entry *entry, const char *path,
                                 const tool_problem *read)
{
    char family[sizeof read->name];
    const saddle_problem *problem = &read->problem;
    tool_results_problem made = {.n = problem->n,
                                 .m = problem->m,
                                 .contacts = problem->contact_count};
    const char *law = problem->contact_count > 0 ? saddle_law_word(problem->law) : "";
    if (tool_results_problem_of(&at->results, path)) return SADDLE_OK;
    family_of(read->name, family, sizeof family);
    saddle_status status = tool_run_text(at->context, &made.path, path);
    if (status == SADDLE_OK) status = tool_run_text(at->context, &made.name, read->name);
    if (status == SADDLE_OK)
        status = tool_run_text(at->context, &made.family,
                               entry->family[0] ? entry->family : family);
    if (status == SADDLE_OK) status = tool_run_text(at->context, &made.set, entry->set);
    if (status == SADDLE_OK)
        status = tool_run_text(at->context, &made.difficulty, entry->difficulty);
    if (status == SADDLE_OK) status = tool_run_text(at->context, &made.law, law);
    if (status == SADDLE_OK && (at->request->results || at->request->page))
        status = tool_spy_text(at->context, problem, 64, &made.spy);
    if (status == SADDLE_OK) return tool_results_add_problem(&at->results, &made);
    tool_results_release_problem(at->context, &made);
    return status;
}

static saddle_status run_once(bench *at, const tool_problem *read, const tool_contender *contender,
                              double tolerance, tool_results_run *run, saddle_status *ended)
{
    saddle_status status = SADDLE_OK;
    if (!tool_contender_is_peer(contender))
        return tool_measure_run(at->context, contender, &read->problem, tolerance, &at->watch, run,
                                ended);
    if (!at->scratch.folder) status = tool_peer_prepare(at->context, &read->problem, &at->scratch);
    if (status) return status;
    return tool_peer_run(&at->scratch, at->request->peers, contender, &read->problem, tolerance,
                         at->watch.limit, run, ended);
}

/* One repetition; a warm-up is not kept. */
static saddle_status measure(bench *at, const char *path, const tool_problem *read,
                             const tool_contender *contender, double tolerance, int64_t repetition)
{
    saddle_status ended = SADDLE_OK;
    tool_results_run run = {.repetition = repetition < 0 ? 0 : repetition};
    show_progress(at, read->name, contender->solver);
    saddle_status status = run_once(at, read, contender, tolerance, &run, &ended);
    if (status == SADDLE_OK) status = tool_run_text(at->context, &run.path, path);
    if (status || tool_progress_interrupted() || repetition < 0) {
        tool_results_release_run(at->context, &run);
        return status;
    }
    if (ended < SADDLE_OK && ended != SADDLE_UNSUPPORTED)
        tool_error("%s by %s: %s", read->name, contender->solver,
                   run.note && run.note[0] ? run.note : tool_status_text(ended));
    at->done++;
    return tool_results_add_run(&at->results, &run);
}

/* Solvers in turn, then the next repetition: what disturbs the machine for a while disturbs all. */
static saddle_status measure_all(bench *at, const char *path, const tool_problem *read)
{
    saddle_status status = SADDLE_OK;
    const int64_t warm = at->request->warm_up;
    for (int64_t k = -warm; k < at->request->repeat; k++)
        for (int s = 0; s < at->list.count; s++)
            for (int t = 0; t < at->tolerances; t++) {
                const tool_contender *contender = &at->list.at[s];
                const int64_t had = repetitions_of(at, path, contender, at->tolerance[t]);
                if (k >= 0 ? had != k : had > 0) continue;
                if (k < 0 && tool_contender_is_peer(contender)) continue; /* warms up by itself */
                if (status || tool_progress_interrupted()) return status;
                status = measure(at, path, read, contender, at->tolerance[t], k);
            }
    return status;
}

static saddle_status bench_problem(bench *at, const tool_set_entry *entry)
{
    tool_problem read = {0};
    const tool_shown path = tool_text_shown(entry->path); /* as a JSON text can hold it */
    if (left_of(at, path.text) == 0) return SADDLE_OK;
    tool_progress_label(entry->path);
    saddle_status status = tool_problem_read(at->context, entry->path, &at->request->input,
                                             &at->request->friction, &read);
    tool_path_name(entry->path, read.name, sizeof read.name); /* two may have the same name */
    if (status == SADDLE_OK) status = tool_problem_reduce(at->context, &read);
    if (status) { /* the others are still measured */
        const int code = tool_fail(at->context, status);
        if (code > at->session->code) at->session->code = code;
        at->done += left_of(at, path.text);
        tool_problem_clear(&read);
        return SADDLE_OK;
    }
    status = add_problem(at, entry, path.text, &read);
    if (status == SADDLE_OK) status = measure_all(at, path.text, &read);
    tool_peer_clear(&at->scratch);
    tool_problem_clear(&read);
    return status;
}

/* 1 where a problem was solved by none, 5 where a solver got no memory. */
static void judge_problem(bench *at, const char *path)
{
    int any = 0, solved = 0, starved = 0;
    for (int64_t k = 0; k < at->results.runs; k++) {
        const tool_results_run *run = &at->results.run[k];
        if (strcmp(run->path, path) != 0) continue;
        any = 1;
        solved = solved || strcmp(run->status, "solved") == 0;
        starved = starved || strcmp(run->status, "out of memory") == 0;
    }
    const int code = starved ? TOOL_EXIT_INTERNAL : solved ? TOOL_EXIT_SOLVED : TOOL_EXIT_TOLERANCE;
    if (any && code > at->session->code) at->session->code = code;
}

/* ---- the verb ---- */

/* The options with an effect on results, in one text. */
static void describe_options(const bench_request *request, char *text, size_t size)
{
    const saddle_options *options = &request->solving.options;
    snprintf(text, size,
             "max-iter=%lld time-limit=%g regularization=%g max-refinements=%lld refine-to=%g "
             "condition=%d ordering=%d threads=%lld set=[%s] limit=%g friction=%d facets=%lld "
             "memory-limit=%lld rhs=%s",
             (long long)options->max_iterations, options->time_limit, options->regularization,
             (long long)options->max_refinements, options->refine_to, options->condition,
             request->solving.ordering, (long long)options->threads, request->solving.settings,
             request->limit, request->friction.law, (long long)request->friction.facets,
             (long long)request->input.memory, request->input.rhs ? request->input.rhs : "");
}

static saddle_status prepare(bench *at, char **argument)
{
    const bench_request *request = at->request;
    char options[1600];
    tool_results_head head = {0};
    saddle_status status = tool_contenders_cut(at->context, request->solvers, &request->solving,
                                               &at->list);
    if (status == SADDLE_OK && !request->tolerances)
        at->tolerance[at->tolerances++] = request->solving.options.tolerance;
    else if (status == SADDLE_OK)
        status = tool_tolerances_cut(at->context, request->tolerances, at->tolerance,
                                     &at->tolerances);
    for (int s = 0; status == SADDLE_OK && s < at->list.count; s++)
        if (tool_contender_is_peer(&at->list.at[s]) && !request->peers)
            status = saddle_fail(at->context, SADDLE_INVALID_ARGUMENT,
                                 "--solvers %s: --peers states no folder of other programs",
                                 at->list.at[s].solver);
    for (int p = 0; status == SADDLE_OK && argument[p]; p++)
        status = tool_set_add(at->context, argument[p], &at->set);
    if (status) return status;
    if (at->set.absent > 0)
        tool_error("%lld problems of the sets are left out: they are not below SADDLE_DATA",
                   (long long)at->set.absent);
    describe_options(request, options, sizeof options);
    status = tool_results_head_here(at->context, request->commit, options, &head);
    if (status) return status;
    status = tool_results_open(at->context, request->results, &head, request->mixed, &at->results);
    tool_results_release_head(at->context, &head);
    return status;
}

static saddle_status measure_everything(bench *at, char **argument)
{
    saddle_status status = prepare(at, argument);
    for (int64_t p = 0; status == SADDLE_OK && p < at->set.count; p++)
        at->to_do += left_of(at, tool_text_shown(at->set.entry[p].path).text);
    at->begun = saddle_clock();
    for (int64_t p = 0; status == SADDLE_OK && p < at->set.count && !tool_progress_interrupted();
         p++)
        status = bench_problem(at, &at->set.entry[p]);
    for (int64_t p = 0; status == SADDLE_OK && p < at->set.count; p++)
        judge_problem(at, tool_text_shown(at->set.entry[p].path).text);
    tool_progress_erase();
    return status;
}

static saddle_status show(bench *at)
{
    const bench_request *request = at->request;
    const tool_measure by = (tool_measure)request->by;
    tool_cases cases = {0};
    saddle_status status = tool_cases_of(&at->results, &cases);
    if (status == SADDLE_OK)
        status = request->profile ? tool_profile_print(&at->results, &cases, by, request->csv)
                                  : tool_results_print(&at->results, &cases, request->csv);
    if (status == SADDLE_OK && request->page)
        status = tool_page_write(&at->results, &cases, request->page);
    if (status == SADDLE_OK && request->plots)
        status = tool_plots_write(&at->results, &cases, request->plots);
    tool_cases_clear(&cases);
    return status;
}

static saddle_status compare(tool_session *session, const bench_request *request, char **argument)
{
    if (!argument[0] || !argument[1] || argument[2])
        return saddle_fail(session->context, SADDLE_INVALID_ARGUMENT,
                           "--compare takes two result files");
    return tool_compare_print(session, argument[0], argument[1], (tool_measure)request->by,
                              request->margin, request->csv);
}

static saddle_status run(tool_session *session, const void *given, char **argument)
{
    bench *at = calloc(1, sizeof *at);
    if (!at) return SADDLE_OUT_OF_MEMORY;
    at->request = given;
    at->session = session;
    at->watch.limit = at->request->limit;
    saddle_status status = tool_session_open_watched(session, &at->request->input,
                                                     tool_watch_progress, &at->watch);
    at->context = session->context;
    if (status == SADDLE_OK && at->request->compare) {
        status = compare(session, at->request, argument);
    } else if (status == SADDLE_OK && !argument[0] && !at->request->results) {
        status = saddle_fail(at->context, SADDLE_INVALID_ARGUMENT,
                             "saddle bench needs problems, sets, or --results FILE");
    } else if (status == SADDLE_OK) {
        status = argument[0]
                     ? measure_everything(at, argument)
                     : tool_results_read(at->context, at->request->results, &at->results, NULL);
        if (status == SADDLE_OK) status = show(at);
        if (tool_progress_interrupted() && session->code == TOOL_EXIT_SOLVED)
            session->code = TOOL_EXIT_TOLERANCE;
    }
    tool_peer_clear(&at->scratch);
    tool_set_clear(&at->set);
    tool_results_clear(&at->results);
    free(at);
    return status;
}

static void defaults(void *given)
{
    bench_request *request = given;
    request->solvers = "auto";
    request->repeat = 1;
    request->margin = 0.03;
    tool_solving_defaults(&request->solving);
}

static const tool_word measure_words[] = {
#define MEASURE_WORD(name) {#name, TOOL_BY_##name},
    TOOL_MEASURES(MEASURE_WORD)
#undef MEASURE_WORD
        {NULL, 0},
};

#define REQUEST(field) offsetof(bench_request, field)
static const tool_option own_options[] = {
    {"solvers", TOOL_TEXT, REQUEST(solvers), "A,B:X=1",
     .help = "solvers with commas, each with settings behind colons"},
    {"repeat", TOOL_COUNT, REQUEST(repeat), "N", .help = "runs of each; shown are medians",
     .least = 1, .most = REPEATS_SIZE},
    {"warm-up", TOOL_COUNT, REQUEST(warm_up), "N", .help = "runs of each before, not counted",
     .most = REPEATS_SIZE},
    {"tols", TOOL_TEXT, REQUEST(tolerances), "T1,T2", .help = "a run with each tolerance",
     .unset = "that of --tol"},
    {"limit", TOOL_NUMBER, REQUEST(limit), "S",
     .help = "processor seconds of a run at most, analyse and factor too", .unset = "none"},
    {"results", TOOL_TEXT, REQUEST(results), "FILE",
     .help = "result file: what it holds is not measured again, the rest is appended"},
    {"mixed", TOOL_FLAG, REQUEST(mixed),
     .help = "go on with a file of another machine, program or other options"},
    {"commit", TOOL_TEXT, REQUEST(commit), "TEXT", .help = "noted in the result file"},
    {"peers", TOOL_TEXT, REQUEST(peers), "FOLDER",
     .help = "of other programs, the solvers NAME/METHOD"},
    {"csv", TOOL_FLAG, REQUEST(csv), .help = "comma-separated values, more columns"},
    {"profile", TOOL_FLAG, REQUEST(profile),
     .help = "print a performance profile instead of the table"},
    {"by", TOOL_WORD, REQUEST(by), .help = "what --profile and --compare compare",
     .words = measure_words},
    {"compare", TOOL_FLAG, REQUEST(compare),
     .help = "two result files: ratios of the second to the first, with intervals"},
    {"margin", TOOL_NUMBER, REQUEST(margin), "X",
     .help = "smallest change that --compare calls one", .most = 1},
    {"report", TOOL_TEXT, REQUEST(page), "FILE", .help = "write one HTML page of the results"},
    {"plots", TOOL_TEXT, REQUEST(plots), "FOLDER",
     .help = "write tables and a gnuplot script for SVG and PNG"},
    {.name = NULL},
};
#undef REQUEST

const tool_verb tool_verb_bench = {
    .name = "bench",
    .arguments = "[PROBLEM...]",
    .summary = "measure solvers on problems and sets, compare results, draw them",
    .request_size = sizeof(bench_request),
    .defaults = defaults,
    .groups = {{"Options", 0, own_options},
               {"Friction", offsetof(bench_request, friction), tool_friction_options},
               {"Solver", offsetof(bench_request, solving), tool_solving_options},
               {"Input", offsetof(bench_request, input), tool_input_options}},
    .run = run,
    .notes =
        "A PROBLEM may be a set, a JSON file (docs/benchmarks.md).  time is analyse + factor +\n"
        "solve in seconds.  A solver that can't do a problem's rows says \"can't\"; the exit code\n"
        "is 1 where a problem was solved by none, or a comparison found a case slower or lost, 5\n"
        "where a solver got no memory.\n\n"
        "Examples:\n"
        "  saddle bench data/chain data/wall\n"
        "  saddle bench data/chain data/loop --solvers ldlt,lu,schur --repeat 5 --csv\n"
        "  saddle bench data/stack-box --solvers admm,gauss-seidel:relaxation=1.2 \\\n"
        "    --tols 1e-4,1e-8 --repeat 5 --results a.jsonl --report a.html\n"
        "  saddle bench --compare a.jsonl b.jsonl --by cpu\n",
};
