/* SPDX-License-Identifier: MIT */
/* See measure.h. */
#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/context_internal.h"
#include "manual.h"
#include "problem/problem_internal.h"
#include "progress.h"
#include "runs.h"
#include "text.h"

/* ---- contenders ---- */

static const tool_verb solver_options = {
    .name = "bench",
    .arguments = "",
    .request_size = sizeof(tool_solving),
    .groups = {{"Solver", 0, tool_solving_options}},
};

static int is_general_option(const char *name, size_t length)
{
    for (const tool_option *option = tool_solving_options; option->name; option++)
        if (strlen(option->name) == length && memcmp(option->name, name, length) == 0) return 1;
    return 0;
}

/* One "name=value" of a solver. */
static saddle_status set_one(saddle_context *context, tool_contender *contender, const char *part)
{
    char option[TOOL_TEXT_SIZE + 80];
    char *argument[] = {option, NULL};
    int help = 0;
    const size_t length = strcspn(part, "=");
    if (length == 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "--solvers %s: a setting without name",
                           contender->solver);
    if (is_general_option(part, length))
        snprintf(option, sizeof option, "--%s", part);
    else
        snprintf(option, sizeof option, "--set=%s%s%s",
                 memchr(part, '.', length) ? "" : contender->solver,
                 memchr(part, '.', length) ? "" : ".", part);
    if (tool_options_parse(&solver_options, 1, argument, &contender->solving, &help) || help)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "--solvers %s:%s: not understood",
                           contender->solver, part);
    if (length == 3 && memcmp(part, "tol", length) == 0)
        contender->asked = contender->solving.options.tolerance;
    return SADDLE_OK;
}

int tool_contender_is_peer(const tool_contender *contender)
{
    return strchr(contender->solver, '/') != NULL;
}

static saddle_status try_contender(saddle_context *context, const tool_contender *contender)
{
    saddle_solver *solver = NULL;
    const saddle_options options = tool_solving_get(&contender->solving);
    if (tool_contender_is_peer(contender)) return SADDLE_OK;
    const saddle_status status = tool_solver_create(context, contender->solver, &options, &solver);
    saddle_solver_free(solver);
    return status;
}

static saddle_status cut_one(saddle_context *context, char *word, tool_contender *contender)
{
    char *colon = strchr(word, ':');
    saddle_status status = SADDLE_OK;
    if (colon) *colon++ = '\0';
    snprintf(contender->solver, sizeof contender->solver, "%s", word);
    snprintf(contender->settings, sizeof contender->settings, "%s", colon ? colon : "");
    while (status == SADDLE_OK && colon) {
        char *part = colon;
        colon = strchr(part, ':');
        if (colon) *colon++ = '\0';
        status = set_one(context, contender, part);
    }
    return status ? status : try_contender(context, contender);
}

saddle_status tool_contenders_cut(saddle_context *context, const char *text,
                                  const tool_solving *solving, tool_contenders *list)
{
    char *words = saddle__copy_text(context, text), *rest = words;
    const saddle_options options = tool_solving_get(solving);
    saddle_status status = words ? saddle_options_check(context, &options) : SADDLE_OUT_OF_MEMORY;
    while (status == SADDLE_OK && rest) {
        char *word = rest;
        rest = strchr(word, ',');
        if (rest) *rest++ = '\0';
        if (list->count == TOOL_CONTENDERS_SIZE)
            status = saddle_fail(context, SADDLE_INVALID_ARGUMENT, "--solvers: more than %d names",
                                 (int)TOOL_CONTENDERS_SIZE);
        else if (strlen(word) >= TOOL_TEXT_SIZE)
            status = saddle_fail(context, SADDLE_INVALID_ARGUMENT, "--solvers: a name is too long");
        if (status) break;
        list->at[list->count].solving = *solving;
        status = cut_one(context, word, &list->at[list->count++]);
    }
    saddle_release(context, words);
    return status;
}

saddle_status tool_tolerances_cut(saddle_context *context, const char *text, double *value,
                                  int *count)
{
    for (const char *at = text;; at++) {
        char *end;
        const double number = strtod(at, &end);
        if (end == at || (*end != ',' && *end != '\0') || !(number > 0) || !isfinite(number))
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "--tols %s: not positive numbers with commas", text);
        if (*count == TOOL_TOLERANCES_SIZE)
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "--tols: more than %d numbers",
                               (int)TOOL_TOLERANCES_SIZE);
        value[(*count)++] = number;
        if (*end == '\0') return SADDLE_OK;
        at = end;
    }
}

/* ---- watching ---- */

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void note_point(tool_watch *watch, double iteration, double residual)
{
    if (watch->seen++ % watch->stride != 0) return;
    if (watch->points == TOOL_HISTORY_SIZE) { /* every second one is kept */
        for (int64_t k = 0; k < TOOL_HISTORY_SIZE / 2; k++)
            memcpy(watch->point + 3 * k, watch->point + 6 * k, 3 * sizeof *watch->point);
        watch->points = TOOL_HISTORY_SIZE / 2;
        watch->stride *= 2;
    }
    double *at = watch->point + 3 * watch->points++;
    at[0] = saddle_clock() - watch->begun;
    at[1] = iteration;
    at[2] = residual;
}

int tool_watch_progress(void *user, const saddle_progress *progress)
{
    tool_watch *watch = user;
    const int stop = tool_progress_callback(NULL, progress);
    if (progress->residual >= 0 && isfinite(progress->residual) && watch->stride > 0)
        note_point(watch, (double)progress->iteration, progress->residual);
    if (watch->limit > 0 && (processor_seconds() - watch->cpu_begun > watch->limit ||
                             saddle_clock() - watch->begun > TOOL_CLOCK_OF_LIMIT(watch->limit)))
        watch->late = 1;
    return stop || watch->late;
}

static void begin_watch(tool_watch *watch)
{
    watch->begun = saddle_clock();
    watch->cpu_begun = processor_seconds();
    watch->late = 0;
    watch->points = watch->seen = 0;
    watch->stride = 1;
}

/* ---- a run ---- */

saddle_status tool_run_text(saddle_context *context, char **text, const char *value)
{
    char *copy = saddle__copy_text(context, value);
    if (!copy) return SADDLE_OUT_OF_MEMORY;
    saddle_release(context, *text);
    *text = copy;
    return SADDLE_OK;
}

saddle_status tool_measure_judge(saddle_context *context, const saddle_problem *problem,
                                 const saddle_solution *solution, double tolerance,
                                 tool_results_run *run, int *solved)
{
    char row[256] = "", velocity[256] = "";
    saddle_residual residual;
    *solved = 0;
    saddle_status status = saddle_solution_check(context, problem, solution, &residual, NULL);
    if (status) return status;
    run->residual = isfinite(residual.total) ? residual.total : (double)NAN;
    *solved = saddle_residual_is_solved(&residual, tolerance);
    if (residual.worst_row >= 0)
        saddle_problem_describe_row(problem, residual.worst_row, row, sizeof row);
    if (residual.worst_velocity >= 0)
        saddle_problem_describe_velocity(problem, residual.worst_velocity, velocity,
                                         sizeof velocity);
    status = tool_run_text(context, &run->worst_row, row);
    return status ? status : tool_run_text(context, &run->worst_velocity, velocity);
}

static saddle_status keep_history(saddle_context *context, const tool_watch *watch,
                                  tool_results_run *run)
{
    const int answered = isfinite(run->residual);
    const int64_t points = watch->points + answered;
    double *point = saddle_allocate(context, 3 * points + 1, sizeof *point);
    if (!point) return SADDLE_OUT_OF_MEMORY;
    memcpy(point, watch->point, 3 * (size_t)watch->points * sizeof *point);
    if (answered) {
        point[3 * watch->points] = run->time;
        point[3 * watch->points + 1] = (double)run->iterations;
        point[3 * watch->points + 2] = run->residual;
    }
    run->history = (saddle__json_list){.count = 3 * points, .room = 3 * points, .element = point};
    return SADDLE_OK;
}

/* held: bytes in use before the run, the problem's among them. */
static void take_report(const saddle_report *report, int64_t held, tool_results_run *run)
{
    run->memory = report->peak_bytes > held ? report->peak_bytes - held : 0;
    run->iterations = report->iterations > 0 ? report->iterations : report->pivots;
    run->analyse = report->seconds.analyse;
    run->factor = report->seconds.factor;
    run->solve = report->seconds.solve;
}

/* Creates, solves, reads the report.  held: as of take_report. */
static saddle_status solve(saddle_context *context, const tool_contender *contender,
                           const saddle_problem *problem, int64_t held, tool_watch *watch,
                           saddle_solution *solution, tool_results_run *run, char *method)
{
    saddle_solver *solver = NULL;
    saddle_options options = tool_solving_get(&contender->solving);
    options.tolerance = contender->asked > 0 ? contender->asked : run->tolerance;
    saddle_status status = saddle_solver_create(context, contender->solver, &options, &solver);
    if (status) return status;
    begin_watch(watch);
    status = tool_solve(solver, problem, NULL, solution);
    run->time = saddle_clock() - watch->begun;
    run->cpu = processor_seconds() - watch->cpu_begun;
    take_report(saddle_solver_report(solver), held, run);
    snprintf(method, SADDLE_NAME_SIZE, "%s", saddle_solver_report(solver)->solver);
    if (tool_run_text(context, &run->note, saddle_solver_report(solver)->note))
        status = SADDLE_OUT_OF_MEMORY;
    saddle_solver_free(solver);
    return status;
}

saddle_status tool_measure_run(saddle_context *context, const tool_contender *contender,
                               const saddle_problem *problem, double tolerance, tool_watch *watch,
                               tool_results_run *run, saddle_status *ended)
{
    saddle_solution solution = {0};
    char method[SADDLE_NAME_SIZE] = "", message[TOOL_TEXT_SIZE] = "";
    int solved = 0;
    run->residual = (double)NAN;
    run->tolerance = tolerance;
    begin_watch(watch);
    const int64_t held = saddle__restart_peak(context);
    *ended = saddle_solution_create(context, problem->n, problem->m, &solution);
    if (*ended == SADDLE_OK)
        *ended = solve(context, contender, problem, held, watch, &solution, run, method);
    if (*ended < SADDLE_OK)
        snprintf(message, sizeof message, "%s", saddle_context_message(context));
    if (*ended == SADDLE_STOPPED && watch->late) *ended = SADDLE_TIME_LIMIT;
    saddle_status status = SADDLE_OK;
    if (*ended >= SADDLE_OK && run->solve > 0)
        status = tool_measure_judge(context, problem, &solution, tolerance, run, &solved);
    if (contender->asked > 0 && *ended == SADDLE_OK && !solved) *ended = SADDLE_NOT_CONVERGED;
    if (contender->asked > 0 && tool_exit_code(*ended) == TOOL_EXIT_TOLERANCE && solved)
        *ended = SADDLE_OK;
    saddle_solution_clear(&solution);
    if (status == SADDLE_OK) status = tool_run_text(context, &run->solver, contender->solver);
    if (status == SADDLE_OK) status = tool_run_text(context, &run->settings, contender->settings);
    if (status == SADDLE_OK) status = tool_run_text(context, &run->method, method);
    if (status == SADDLE_OK)
        status = tool_run_text(context, &run->status, tool_status_word(*ended));
    if (status == SADDLE_OK && message[0]) status = tool_run_text(context, &run->note, message);
    if (status == SADDLE_OK && run->repetition == 0) status = keep_history(context, watch, run);
    return status;
}
