/* SPDX-License-Identifier: MIT */
/* See peer.h. */
#define _XOPEN_SOURCE 700 /* nftw, itimers */
#include "peer.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/context_internal.h"
#include "files/text.h"
#include "problem/problem_internal.h"
#include "runs.h"

static const rlim_t most_memory = (rlim_t)16 << 30;

/* ---- the scratch folder ---- */

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *at)
{
    (void)about;
    (void)kind;
    (void)at;
    return remove(path);
}

static void remove_tree(const char *path)
{
    (void)nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

void tool_peer_clear(tool_peer_scratch *scratch)
{
    if (scratch->folder) remove_tree(scratch->folder);
    saddle_release(scratch->context, scratch->folder);
    *scratch = (tool_peer_scratch){0};
}

saddle_status tool_peer_prepare(saddle_context *context, const saddle_problem *problem,
                                tool_peer_scratch *scratch)
{
    const char *parent = getenv("TMPDIR");
    *scratch = (tool_peer_scratch){.context = context};
    scratch->folder = saddle__path_join(context, parent && parent[0] ? parent : "/tmp",
                                        "saddle-peer.XXXXXX");
    if (!scratch->folder) return SADDLE_OUT_OF_MEMORY;
    if (!mkdtemp(scratch->folder)) {
        const saddle_status status = saddle_fail(context, SADDLE_FILE_ERROR, "%s: %s",
                                                 scratch->folder, strerror(errno));
        saddle_release(context, scratch->folder);
        scratch->folder = NULL;
        return status;
    }
    char *path = saddle__path_join(context, scratch->folder, "problem");
    const saddle_status status = path ? saddle_problem_write(context, path, SADDLE_FORMAT_BUNDLE,
                                                             problem)
                                      : SADDLE_OUT_OF_MEMORY;
    saddle_release(context, path);
    return status;
}

/* ---- the child ---- */

typedef struct call {
    char *program, *method, *problem, *solution, *output;
    char tolerance[32];
} call;

static void redirect(const char *output)
{
    const int nowhere = open("/dev/null", O_RDWR),
              said = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (nowhere >= 0) {
        (void)dup2(nowhere, STDIN_FILENO);
        (void)dup2(nowhere, STDOUT_FILENO);
    }
    if (said >= 0) (void)dup2(said, STDERR_FILENO);
}

/* A timer outlives exec, and its signal ends the program. */
static void set_timer(int kind, double seconds)
{
    const struct itimerval timer = {
        .it_value = {(time_t)seconds, (suseconds_t)(1e6 * (seconds - floor(seconds)))}};
    (void)setitimer(kind, &timer, NULL);
}

static void become(const call *at, double limit)
{
    const struct rlimit memory = {most_memory, most_memory}, core = {0, 0};
    char tolerance[sizeof at->tolerance];
    memcpy(tolerance, at->tolerance, sizeof tolerance);
    char *argument[] = {at->program, at->method, at->problem, at->solution, tolerance, NULL};
    (void)setrlimit(RLIMIT_AS, &memory);
    (void)setrlimit(RLIMIT_CORE, &core);
    redirect(at->output);
    signal(SIGALRM, SIG_DFL);
    signal(SIGPROF, SIG_DFL);
    if (limit > 0) set_timer(ITIMER_PROF, limit);
    if (limit > 0) set_timer(ITIMER_REAL, TOOL_CLOCK_OF_LIMIT(limit));
    execv(at->program, argument);
    _exit(127);
}

/* The state of waitpid; -1: no child. */
static int run_child(const call *at, double limit)
{
    int state = -1;
    const pid_t child = fork();
    if (child == 0) become(at, limit);
    while (child > 0 && waitpid(child, &state, 0) < 0 && errno == EINTR) {
    }
    return child > 0 ? state : -1;
}

/* ---- what the child left ---- */

static const saddle__json_field peer_keys[] = {
    {"analyse", SADDLE__JSON_NUMBER, offsetof(tool_results_run, analyse), .required = 1},
    {"factor", SADDLE__JSON_NUMBER, offsetof(tool_results_run, factor), .required = 1},
    {"solve", SADDLE__JSON_NUMBER, offsetof(tool_results_run, solve), .required = 1},
    {"time", SADDLE__JSON_NUMBER, offsetof(tool_results_run, time), .required = 1},
    {"cpu", SADDLE__JSON_NUMBER, offsetof(tool_results_run, cpu), .required = 1},
    {"iterations", SADDLE__JSON_SIZE, offsetof(tool_results_run, iterations), .required = 1},
    {"memory", SADDLE__JSON_SIZE, offsetof(tool_results_run, memory), .required = 1},
    {"note", SADDLE__JSON_STRING, offsetof(tool_results_run, note), .required = 1},
    {"version", SADDLE__JSON_STRING, offsetof(tool_results_run, method), .required = 1},
    {.key = NULL},
};

static saddle_status read_report(saddle_context *context, const char *solution,
                                 tool_results_run *run)
{
    saddle__scan scan = {0};
    char *path = saddle__path_join(context, solution, "peer.json");
    saddle_status status = path ? saddle__scan_open(context, path, &scan) : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK)
        status = saddle__json_object(&scan, "the report", peer_keys, run, NULL);
    saddle__scan_close(&scan);
    saddle_release(context, path);
    return status;
}

/* The first line that the program wrote to its standard error. */
static void read_message(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "r");
    text[0] = '\0';
    if (file && fgets(text, (int)size, file)) text[strcspn(text, "\n")] = '\0';
    if (file) fclose(file);
}

static saddle_status describe_end(int state, const call *at, char *note, size_t size)
{
    const int signal_number = state >= 0 && WIFSIGNALED(state) ? WTERMSIG(state) : 0,
              code = state >= 0 && WIFEXITED(state) ? WEXITSTATUS(state) : -1;
    read_message(at->output, note, size);
    if (signal_number == SIGALRM || signal_number == SIGPROF) return SADDLE_TIME_LIMIT;
    if (state < 0) snprintf(note, size, "no process can be started");
    if (code > 0 && !note[0]) snprintf(note, size, "exit code %d", code);
    if (code == 127) snprintf(note, size, "%s does not start", at->program);
    if (signal_number != 0) snprintf(note, size, "ended by signal %d", signal_number);
    return code == 4 || code == 127 ? SADDLE_UNSUPPORTED : SADDLE_INTERNAL;
}

/* Out of memory is an error of ours; an unreadable answer is the other program's: note[size] says
 * why. */
static saddle_status judge(saddle_context *context, const call *at, const saddle_problem *problem,
                           tool_results_run *run, saddle_status *ended, char *note, size_t size)
{
    saddle_solution solution = {0};
    int solved = 0;
    saddle_status status = read_report(context, at->solution, run);
    if (status == SADDLE_OK) status = saddle_solution_read(context, at->solution, &solution);
    if (status == SADDLE_OK)
        status = tool_measure_judge(context, problem, &solution, run->tolerance, run, &solved);
    saddle_solution_clear(&solution);
    if (status) snprintf(note, size, "%s", saddle_context_message(context));
    *ended = status ? SADDLE_INTERNAL : solved ? SADDLE_OK : SADDLE_NOT_CONVERGED;
    return status == SADDLE_OUT_OF_MEMORY ? status : SADDLE_OK;
}

static int make_call(const tool_peer_scratch *scratch, const char *folder,
                     const tool_contender *contender, double tolerance, call *at)
{
    saddle_context *context = scratch->context;
    char name[128];
    const int length = (int)strcspn(contender->solver, "/");
    snprintf(name, sizeof name, "saddle-peer-%.*s", length, contender->solver);
    snprintf(at->tolerance, sizeof at->tolerance, "%.17g",
             contender->asked > 0 ? contender->asked : tolerance);
    at->program = saddle__path_join(context, folder, name);
    at->method = saddle__copy_text(context, contender->solver + length + 1);
    at->problem = saddle__path_join(context, scratch->folder, "problem");
    at->solution = saddle__path_join(context, scratch->folder, "solution");
    at->output = saddle__path_join(context, scratch->folder, "output");
    return at->program && at->method && at->problem && at->solution && at->output;
}

saddle_status tool_peer_run(const tool_peer_scratch *scratch, const char *folder,
                            const tool_contender *contender, const saddle_problem *problem,
                            double tolerance, double limit, tool_results_run *run,
                            saddle_status *ended)
{
    saddle_context *context = scratch->context;
    call at = {0};
    char note[TOOL_TEXT_SIZE] = "";
    saddle_status status = SADDLE_OUT_OF_MEMORY;
    run->residual = (double)NAN;
    run->tolerance = tolerance;
    if (make_call(scratch, folder, contender, tolerance, &at)) {
        remove_tree(at.solution);
        const int state = run_child(&at, limit);
        status = SADDLE_OK;
        if (state == 0)
            status = judge(context, &at, problem, run, ended, note, sizeof note);
        else
            *ended = describe_end(state, &at, note, sizeof note);
    }
    saddle__release_all(context, at.program, at.method, at.problem, at.solution, at.output);
    if (status == SADDLE_OK) status = tool_run_text(context, &run->solver, contender->solver);
    if (status == SADDLE_OK) status = tool_run_text(context, &run->settings, contender->settings);
    if (status == SADDLE_OK)
        status = tool_run_text(context, &run->status, tool_status_word(*ended));
    if (status == SADDLE_OK && note[0]) status = tool_run_text(context, &run->note, note);
    return status;
}
