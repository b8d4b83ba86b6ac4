/* SPDX-License-Identifier: MIT */
/* The result file of saddle bench: see results.h. */
#define _DEFAULT_SOURCE /* flock */
#include "results.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/context_internal.h"
#include "base/unset.h"
#include "files/text.h"
#include "problem/problem_internal.h"
#include "statistics.h"
#include "text.h"

/* ---- lines and their members ---- */

#define HEAD(name) offsetof(tool_results_head, name)
#define PROBLEM(name) offsetof(tool_results_problem, name)
#define RUN(name) offsetof(tool_results_run, name)

static const saddle__json_field head_keys[] = {
    {"machine", SADDLE__JSON_STRING, HEAD(machine), .required = 1},
    {"system", SADDLE__JSON_STRING, HEAD(system), .required = 1},
    {"cores", SADDLE__JSON_SIZE, HEAD(cores), .required = 1},
    {"memory_bytes", SADDLE__JSON_SIZE, HEAD(memory_bytes), .required = 1},
    {"version", SADDLE__JSON_STRING, HEAD(version), .required = 1},
    {"program", SADDLE__JSON_STRING, HEAD(program), .required = 1},
    {"commit", SADDLE__JSON_STRING, HEAD(commit), .required = 1},
    {"options", SADDLE__JSON_STRING, HEAD(options), .required = 1},
    {.key = NULL},
};

static const saddle__json_field problem_keys[] = {
    {"path", SADDLE__JSON_STRING, PROBLEM(path), .required = 1},
    {"name", SADDLE__JSON_STRING, PROBLEM(name), .required = 1},
    {"family", SADDLE__JSON_STRING, PROBLEM(family), .required = 1},
    {"set", SADDLE__JSON_STRING, PROBLEM(set), .required = 1},
    {"difficulty", SADDLE__JSON_STRING, PROBLEM(difficulty), .required = 1},
    {"law", SADDLE__JSON_STRING, PROBLEM(law), .required = 1},
    {"n", SADDLE__JSON_SIZE, PROBLEM(n), .required = 1},
    {"m", SADDLE__JSON_SIZE, PROBLEM(m), .required = 1},
    {"contacts", SADDLE__JSON_SIZE, PROBLEM(contacts), .required = 1},
    {"spy", SADDLE__JSON_STRING, PROBLEM(spy), .required = 1},
    {.key = NULL},
};

static const saddle__json_field run_keys[] = {
    {"path", SADDLE__JSON_STRING, RUN(path), .required = 1},
    {"solver", SADDLE__JSON_STRING, RUN(solver), .required = 1},
    {"settings", SADDLE__JSON_STRING, RUN(settings), .required = 1},
    {"tolerance", SADDLE__JSON_NUMBER, RUN(tolerance), .required = 1},
    {"repetition", SADDLE__JSON_SIZE, RUN(repetition), .required = 1},
    {"method", SADDLE__JSON_STRING, RUN(method), .required = 1},
    {"status", SADDLE__JSON_STRING, RUN(status), .required = 1},
    {"residual", SADDLE__JSON_NUMBER, RUN(residual), .required = 1},
    {"iterations", SADDLE__JSON_SIZE, RUN(iterations), .required = 1},
    {"analyse", SADDLE__JSON_NUMBER, RUN(analyse), .required = 1},
    {"factor", SADDLE__JSON_NUMBER, RUN(factor), .required = 1},
    {"solve", SADDLE__JSON_NUMBER, RUN(solve), .required = 1},
    {"time", SADDLE__JSON_NUMBER, RUN(time), .required = 1},
    {"cpu", SADDLE__JSON_NUMBER, RUN(cpu), .required = 1},
    {"memory", SADDLE__JSON_SIZE, RUN(memory), .required = 1},
    {"worst_row", SADDLE__JSON_STRING, RUN(worst_row), .required = 1},
    {"worst_velocity", SADDLE__JSON_STRING, RUN(worst_velocity), .required = 1},
    {"note", SADDLE__JSON_STRING, RUN(note), .required = 1},
    {"history", SADDLE__JSON_NUMBERS, RUN(history), .required = 1},
    {.key = NULL},
};

static const char head_begin[] = "{\"line\":\"head\",", problem_begin[] = "{\"line\":\"problem\",",
                  run_begin[] = "{\"line\":\"run\",", check_begin[] = ",\"check\":\"";
enum { CHECK_SIZE = sizeof check_begin - 1 + 16 + 2 }; /* 16 digits */

/* FNV-1a, 64 bits (Fowler, Noll, Vo). */
static const uint64_t hash_begin = 0xCBF29CE484222325u;

static uint64_t hash(uint64_t begun, const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    for (size_t k = 0; k < count; k++) begun = (begun ^ byte[k]) * 0x100000001B3u;
    return begun;
}

static void release_members(saddle_context *context, const saddle__json_field *keys, void *object)
{
    for (; keys->key; keys++) {
        char *at = (char *)object + keys->offset;
        if (keys->type == SADDLE__JSON_STRING) saddle_release(context, *(char **)(void *)at);
        if (keys->type == SADDLE__JSON_NUMBERS)
            saddle_release(context, ((saddle__json_list *)(void *)at)->element);
    }
}

/* Texts that were left out become empty ones. */
static saddle_status fill_texts(saddle_context *context, const saddle__json_field *keys,
                                void *object)
{
    for (; keys->key; keys++) {
        char **text = (char **)(void *)((char *)object + keys->offset);
        if (keys->type != SADDLE__JSON_STRING || *text) continue;
        *text = saddle__copy_text(context, "");
        if (!*text) return SADDLE_OUT_OF_MEMORY;
    }
    return SADDLE_OK;
}

static void add_member(saddle__text *text, const saddle__json_field *key, const void *object)
{
    const char *at = (const char *)object + key->offset;
    const saddle__json_list *list = (const void *)at;
    const char *word;
    double number;
    int64_t count;
    saddle__text_add_json_string(text, key->key);
    saddle__text_add(text, ":");
    if (key->type == SADDLE__JSON_STRING) {
        memcpy(&word, at, sizeof word);
        saddle__text_add_json_string(text, word ? word : "");
    } else if (key->type == SADDLE__JSON_NUMBER) {
        memcpy(&number, at, sizeof number);
        saddle__text_add_json_double(text, number);
    } else if (key->type == SADDLE__JSON_SIZE) {
        memcpy(&count, at, sizeof count);
        saddle__text_add_integer(text, count);
    } else {
        saddle__text_add(text, "[");
        for (int64_t k = 0; k < list->count; k++) {
            if (k > 0) saddle__text_add(text, ",");
            saddle__text_add_json_double(text, ((const double *)list->element)[k]);
        }
        saddle__text_add(text, "]");
    }
}

static saddle_status write_line(tool_results *results, const char *begin,
                                const saddle__json_field *keys, const void *object)
{
    saddle__text text = {.context = results->context};
    char *line = NULL, check[CHECK_SIZE + 2];
    if (!results->file) return SADDLE_OK;
    saddle__text_add(&text, begin);
    for (int k = 0; keys[k].key; k++) {
        if (k > 0) saddle__text_add(&text, ",");
        add_member(&text, &keys[k], object);
    }
    const saddle_status status = saddle__text_take(&text, &line);
    if (status) return status;
    const size_t length = strlen(line);
    snprintf(check, sizeof check, "%s%016llx\"}\n", check_begin,
             (unsigned long long)hash(hash_begin, line, length));
    const int failed = fwrite(line, 1, length, results->file) != length ||
                       fputs(check, results->file) == EOF || fflush(results->file) == EOF;
    saddle_release(results->context, line);
    if (!failed) return SADDLE_OK;
    return saddle_fail(results->context, SADDLE_FILE_ERROR, "the result file: %s", strerror(errno));
}

/* ---- the machine ---- */

/* The first value of "key : value" in a file of /proc, "" without; text[size]. */
static void proc_value(const char *path, const char *key, char *text, size_t size)
{
    char line[256];
    FILE *file = fopen(path, "r");
    text[0] = '\0';
    while (file && !text[0] && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (!colon || strncmp(line, key, strlen(key)) != 0) continue;
        colon += 1 + strspn(colon + 1, " \t");
        snprintf(text, size, "%.*s", (int)strcspn(colon, "\n"), colon);
    }
    if (file) fclose(file);
}

static uint64_t hash_of_file(const char *path)
{
    unsigned char block[4096];
    uint64_t sum = hash_begin;
    FILE *file = fopen(path, "rb");
    for (size_t got; file && (got = fread(block, 1, sizeof block, file)) > 0;)
        sum = hash(sum, block, got);
    if (file) fclose(file);
    return sum;
}

saddle_status tool_results_head_here(saddle_context *context, const char *commit,
                                     const char *options, tool_results_head *head)
{
    char machine[256], system[600], program[32];
    struct utsname name;
    proc_value("/proc/cpuinfo", "model name", machine, sizeof machine);
    snprintf(program, sizeof program, "%016llx",
             (unsigned long long)hash_of_file("/proc/self/exe"));
    snprintf(system, sizeof system, "unknown");
    if (uname(&name) == 0)
        snprintf(system, sizeof system, "%s %s %s", name.sysname, name.release, name.machine);
    *head = (tool_results_head){.machine = saddle__copy_text(context,
                                                             machine[0] ? machine : "unknown"),
                                .system = saddle__copy_text(context, system),
                                .version = saddle__copy_text(context, saddle_version()),
                                .program = saddle__copy_text(context, program),
                                .commit = saddle__copy_text(context, commit ? commit : ""),
                                .options = saddle__copy_text(context, options),
                                .cores = sysconf(_SC_NPROCESSORS_ONLN),
                                .memory_bytes = (int64_t)sysconf(_SC_PHYS_PAGES) *
                                                sysconf(_SC_PAGESIZE)};
    if (head->machine && head->system && head->version && head->program && head->commit &&
        head->options)
        return SADDLE_OK;
    release_members(context, head_keys, head);
    *head = (tool_results_head){0};
    return SADDLE_OUT_OF_MEMORY;
}

/* ---- growing ---- */

static saddle_status keep_problem(tool_results *results, tool_results_problem *problem)
{
    const saddle_status status = saddle__reserve(results->context, &results->problem,
                                                 &results->problem_room, results->problems + 1,
                                                 sizeof *problem);
    if (status)
        release_members(results->context, problem_keys, problem);
    else
        results->problem[results->problems++] = *problem;
    return status;
}

static saddle_status keep_run(tool_results *results, tool_results_run *run)
{
    const saddle_status status = saddle__reserve(results->context, &results->run,
                                                 &results->run_room, results->runs + 1,
                                                 sizeof *run);
    if (status)
        release_members(results->context, run_keys, run);
    else
        results->run[results->runs++] = *run;
    return status;
}

saddle_status tool_results_add_problem(tool_results *results, tool_results_problem *problem)
{
    saddle_status status = fill_texts(results->context, problem_keys, problem);
    if (status == SADDLE_OK) status = write_line(results, problem_begin, problem_keys, problem);
    if (status == SADDLE_OK) return keep_problem(results, problem);
    release_members(results->context, problem_keys, problem);
    return status;
}

saddle_status tool_results_add_run(tool_results *results, tool_results_run *run)
{
    saddle_status status = fill_texts(results->context, run_keys, run);
    if (status == SADDLE_OK) status = write_line(results, run_begin, run_keys, run);
    if (status == SADDLE_OK) return keep_run(results, run);
    release_members(results->context, run_keys, run);
    return status;
}

void tool_results_release_head(saddle_context *context, tool_results_head *head)
{
    release_members(context, head_keys, head);
    *head = (tool_results_head){0};
}

void tool_results_release_problem(saddle_context *context, tool_results_problem *problem)
{
    release_members(context, problem_keys, problem);
    *problem = (tool_results_problem){0};
}

void tool_results_release_run(saddle_context *context, tool_results_run *run)
{
    release_members(context, run_keys, run);
    *run = (tool_results_run){0};
}

const tool_results_problem *tool_results_problem_of(const tool_results *results, const char *path)
{
    for (int64_t k = 0; k < results->problems; k++)
        if (strcmp(results->problem[k].path, path) == 0) return &results->problem[k];
    return NULL;
}

void tool_results_clear(tool_results *results)
{
    saddle_context *context = results->context;
    release_members(context, head_keys, &results->head);
    for (int64_t k = 0; k < results->problems; k++)
        release_members(context, problem_keys, &results->problem[k]);
    for (int64_t k = 0; k < results->runs; k++)
        release_members(context, run_keys, &results->run[k]);
    saddle__release_all(context, results->problem, results->run);
    if (results->file) fclose(results->file);
    *results = (tool_results){0};
}

/* ---- reading ---- */

static int begins(const saddle__scan *scan, const char *with)
{
    const size_t length = strlen(with);
    return (size_t)(scan->end - scan->at) >= length && memcmp(scan->at, with, length) == 0;
}

static saddle_status test_check(saddle__scan *scan)
{
    const ptrdiff_t length = scan->end - scan->at - CHECK_SIZE;
    char check[CHECK_SIZE + 1];
    if (length < 0) return saddle__scan_fail(scan, "the line has no check");
    snprintf(check, sizeof check, "%s%016llx\"}", check_begin,
             (unsigned long long)hash(hash_begin, scan->at, (size_t)length));
    if (memcmp(scan->at + length, check, CHECK_SIZE) == 0) return SADDLE_OK;
    return saddle__scan_fail(scan, "the line was changed: its check differs");
}

static saddle_status find_missing(saddle__scan *scan, const saddle__json_field *keys,
                                  const void *object)
{
    for (; keys->key; keys++) {
        const char *at = (const char *)object + keys->offset, *word;
        memcpy(&word, at, sizeof word);
        if (keys->type == SADDLE__JSON_STRING && !word)
            return saddle__scan_fail(scan, "\"%s\" is null", keys->key);
    }
    return SADDLE_OK;
}

static saddle_status read_object(saddle__scan *scan, const saddle__json_field *keys, void *object)
{
    saddle_status status = saddle__json_object(scan, "the line", keys, object, NULL);
    if (status == SADDLE_OK) status = saddle__json_end(scan);
    if (status == SADDLE_OK) status = find_missing(scan, keys, object);
    if (status) release_members(scan->context, keys, object);
    return status;
}

static saddle_status read_run(saddle__scan *scan, tool_results *results)
{
    const char *place = scan->at;
    tool_results_run run = {.residual = (double)NAN};
    saddle_status status = read_object(scan, run_keys, &run);
    if (status) return status;
    if (run.history.count % 3 == 0 && tool_results_problem_of(results, run.path))
        return keep_run(results, &run);
    status = saddle__scan_fail_at(scan, place,
                                  run.history.count % 3 ? "a history of no triples"
                                                        : "a run before its problem");
    release_members(results->context, run_keys, &run);
    return status;
}

static saddle_status read_problem(saddle__scan *scan, tool_results *results)
{
    const char *place = scan->at;
    tool_results_problem problem = {0};
    const saddle_status status = read_object(scan, problem_keys, &problem);
    if (status) return status;
    if (!tool_results_problem_of(results, problem.path)) return keep_problem(results, &problem);
    release_members(results->context, problem_keys, &problem);
    return saddle__scan_fail_at(scan, place, "a problem of the same path stands above");
}

static saddle_status read_head(saddle__scan *scan, tool_results *results)
{
    tool_results_head head = {0};
    const saddle_status status = read_object(scan, head_keys, &head);
    if (status) return status;
    release_members(results->context, head_keys, &results->head);
    results->head = head;
    results->heads++;
    return SADDLE_OK;
}

static saddle_status read_line(saddle__scan *scan, tool_results *results)
{
    saddle_status status = SADDLE_OK;
    if (results->heads == 0 && !begins(scan, head_begin))
        return saddle__scan_fail(scan, "not a result file of saddle bench");
    status = test_check(scan);
    if (status) return status;
    if (begins(scan, run_begin)) return read_run(scan, results);
    if (begins(scan, problem_begin)) return read_problem(scan, results);
    if (begins(scan, head_begin)) return read_head(scan, results);
    return saddle__scan_fail(scan, "neither head, problem nor run");
}

saddle_status tool_results_read(saddle_context *context, const char *path, tool_results *results,
                                int64_t *complete)
{
    saddle__scan scan = {0};
    *results = (tool_results){.context = context};
    saddle_status status = saddle__scan_open(context, path, &scan);
    const char *end = scan.end, *at = scan.begin;
    while (status == SADDLE_OK && at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline) break;
        scan.at = at;
        scan.end = newline;
        status = read_line(&scan, results);
        at = newline + 1;
    }
    scan.at = at;
    if (status == SADDLE_OK && results->heads == 0 && at < end) {
        scan.end = end;
        if (!complete || !begins(&scan, head_begin))
            status = saddle__scan_fail(&scan, "not a result file of saddle bench");
    }
    if (complete) *complete = at - scan.begin;
    if (status == SADDLE_OK && at < end)
        tool_error("%s: the last line was cut, and is left out", path);
    saddle__scan_close(&scan);
    if (status) tool_results_clear(results);
    return status;
}

/* ---- going on with a file ---- */

static int head_differs(const tool_results_head *a, const tool_results_head *b, const char **what)
{
    const struct {
        const char *name, *a, *b;
    } text[] = {{"machine", a->machine, b->machine},
                {"system", a->system, b->system},
                {"program", a->program, b->program},
                {"options", a->options, b->options}};
    for (size_t k = 0; k < sizeof text / sizeof *text; k++) {
        *what = text[k].name;
        if (strcmp(text[k].a, text[k].b) != 0) return 1;
    }
    *what = "cores";
    return a->cores != b->cores;
}

/* Reads what is there and takes the head over; *again: a head must be written. */
static saddle_status take_head(const char *path, tool_results_head *head, int mixed,
                               tool_results *results, int64_t *complete, int *again)
{
    const char *what = NULL;
    saddle_context *context = results->context;
    FILE *file = results->file;
    const saddle_status status = tool_results_read(context, path, results, complete);
    results->context = context;
    results->file = file;
    *again = 1;
    if (status) return status;
    if (results->heads > 0 && !head_differs(&results->head, head, &what)) {
        *again = 0;
        return SADDLE_OK;
    }
    if (results->heads > 0 && !mixed)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "%s: made with another %s; --mixed goes on all the same", path, what);
    release_members(context, head_keys, &results->head);
    results->head = *head;
    *head = (tool_results_head){0};
    return SADDLE_OK;
}

saddle_status tool_results_open(saddle_context *context, const char *path, tool_results_head *head,
                                int mixed, tool_results *results)
{
    int64_t complete = 0;
    int again = 0;
    *results = (tool_results){.context = context};
    if (!path) {
        results->head = *head;
        *head = (tool_results_head){0};
        return SADDLE_OK;
    }
    results->file = fopen(path, "ab");
    if (!results->file) return saddle__fail_errno(context, path, "cannot be written", errno);
    if (flock(fileno(results->file), LOCK_EX | LOCK_NB) != 0)
        return saddle_fail(context, SADDLE_FILE_ERROR, "%s: another run is writing this file",
                           path);
    saddle_status status = take_head(path, head, mixed, results, &complete, &again);
    if (status == SADDLE_OK && ftruncate(fileno(results->file), complete) != 0)
        status = saddle__fail_errno(context, path, "cannot be written", errno);
    if (status == SADDLE_OK && again)
        status = write_line(results, head_begin, head_keys, &results->head);
    if (status == SADDLE_OK && again) results->heads++;
    return status;
}

/* ---- cases ---- */

int tool_case_compare(const tool_results_run *a, const tool_results_run *b)
{
    int order = strcmp(a->path, b->path);
    if (order == 0) order = strcmp(a->solver, b->solver);
    if (order == 0) order = strcmp(a->settings, b->settings);
    if (order == 0) order = (a->tolerance > b->tolerance) - (a->tolerance < b->tolerance);
    return order;
}

/* An index beside the run, for qsort, whose function has no further argument. */
typedef struct keyed {
    const tool_results_run *run;
    int64_t index;
} keyed;

static int by_case(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    const int order = tool_case_compare(x->run, y->run);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static int by_first(const void *a, const void *b)
{
    const tool_case *x = a, *y = b;
    return (x->run[0] > y->run[0]) - (x->run[0] < y->run[0]);
}

static void cut_cases(const tool_results *results, const keyed *sorted, tool_cases *cases)
{
    for (int64_t k = 0; k < results->runs; k++) {
        cases->order[k] = sorted[k].index;
        const int same = k > 0 && tool_case_compare(sorted[k - 1].run, sorted[k].run) == 0;
        if (!same)
            cases->at[cases->count++] = (tool_case){
                .problem = tool_results_problem_of(results, sorted[k].run->path),
                .first = sorted[k].run,
                .run = cases->order + k,
                .solved = 1};
        tool_case *at = &cases->at[cases->count - 1];
        at->count++;
        at->solved = at->solved && strcmp(sorted[k].run->status, "solved") == 0;
    }
    if (cases->count > 0) qsort(cases->at, (size_t)cases->count, sizeof *cases->at, by_first);
}

saddle_status tool_cases_of(const tool_results *results, tool_cases *cases)
{
    saddle_context *context = results->context;
    *cases = (tool_cases){.context = context};
    keyed *sorted = saddle_allocate(context, results->runs + 1, sizeof *sorted);
    cases->order = saddle_allocate(context, results->runs + 1, sizeof *cases->order);
    cases->at = saddle_allocate(context, results->runs + 1, sizeof *cases->at);
    const int there = sorted && cases->order && cases->at;
    for (int64_t k = 0; there && k < results->runs; k++) sorted[k] = (keyed){&results->run[k], k};
    if (there && results->runs > 0) qsort(sorted, (size_t)results->runs, sizeof *sorted, by_case);
    if (there) cut_cases(results, sorted, cases);
    saddle_release(context, sorted);
    if (!there) tool_cases_clear(cases);
    return there ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

void tool_cases_clear(tool_cases *cases)
{
    saddle__release_all(cases->context, cases->order, cases->at);
    *cases = (tool_cases){0};
}

void tool_case_solver(const tool_results_run *run, char *text, size_t size)
{
    snprintf(text, size, "%s%s%s", run->solver, run->settings[0] ? ":" : "", run->settings);
}

double tool_measure_of(const tool_results_run *run, tool_measure measure)
{
    switch (measure) {
    case TOOL_BY_time: return run->time;
    case TOOL_BY_cpu: return run->cpu;
    case TOOL_BY_iterations: return run->iterations > 1 ? (double)run->iterations : 1.0;
    case TOOL_BY_residual: return fmax(run->residual, DBL_EPSILON);
    case TOOL_BY_memory: return (double)run->memory;
    case TOOL_BY_analyse: return run->analyse;
    case TOOL_BY_factor: return run->factor;
    case TOOL_BY_solve: return run->solve;
    }
    return (double)NAN;
}

double tool_case_values(const tool_results *results, const tool_case *at, tool_measure measure,
                        double *value)
{
    for (int64_t k = 0; k < at->count; k++)
        value[k] = tool_measure_of(&results->run[at->run[k]], measure);
    return at->solved ? tool_median(value, at->count) : (double)INFINITY;
}
