/* SPDX-License-Identifier: MIT */
/* See child.h. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "contact/child.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness.h"

enum { REPETITIONS_LEAST = 3, REPETITIONS_MOST = 101 };

static const double seconds_of_repetitions = 0.2;
static const double longest_repeated = 1.0; /* [s] */
static const rlim_t most_memory = (rlim_t)8 << 30;

/* What a child writes and its parent reads. */
typedef struct shared {
    int64_t count; /* solves that ended */
    int64_t iterations;
    int has_v;
    char note[64];
    double seconds[REPETITIONS_MOST];
    double answer[]; /* lambda (m), v (n) */
} shared;

/* ---- in the child ---- */

static volatile sig_atomic_t late;

static void note_the_limit(int signal)
{
    (void)signal;
    late = 1;
}

int contact_is_late(void *user, const saddle_progress *progress)
{
    (void)user;
    (void)progress;
    return late;
}

static struct timeval to_timeval(double seconds)
{
    struct timeval t = {(time_t)seconds, (suseconds_t)(1e6 * fmod(seconds, 1.0))};
    return t;
}

/* At the limit other programs are ended, and our solvers are asked to stop; those not stopped
 * within half the limit more are ended too. */
static void set_limits(double limit, int cpu, int ours)
{
    struct rlimit memory = {most_memory, most_memory}, core = {0, 0};
    struct itimerval timer = {.it_value = to_timeval(limit),
                              .it_interval = to_timeval(0.5 * limit)};
    struct sigaction once = {.sa_handler = note_the_limit, .sa_flags = (int)SA_RESETHAND};
    (void)setrlimit(RLIMIT_AS, &memory);
    (void)setrlimit(RLIMIT_CORE, &core);
    if (ours) (void)sigaction(cpu ? SIGPROF : SIGALRM, &once, NULL);
    (void)setitimer(cpu ? ITIMER_PROF : ITIMER_REAL, &timer, NULL);
}

/* Other programs print. */
static void be_quiet(void)
{
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0) return;
    (void)dup2(nowhere, STDOUT_FILENO);
    (void)dup2(nowhere, STDERR_FILENO);
}

static int more(const shared *s, double spent)
{
    if (late || s->count == REPETITIONS_MOST || s->seconds[0] > longest_repeated) return 0;
    return s->count < REPETITIONS_LEAST || spent < seconds_of_repetitions;
}

static void solve_repeatedly(const contact_method *method, const contact_problem *p,
                             double tolerance, shared *s)
{
    int64_t m = p->problem.m, n = p->problem.n;
    double *scratch = saddle_allocate(p->context, m + n + 1, sizeof *scratch);
    double spent = 0.0;
    if (!scratch) return;
    do {
        contact_call call = {.lambda = scratch, .v = scratch + m, .tolerance = tolerance};
        if (method->solve(method, p, &call) != 0) {
            snprintf(s->note, sizeof s->note, "%s", call.note);
            return;
        }
        if (s->count == 0) {
            memcpy(s->answer, scratch, (size_t)(m + n) * sizeof *scratch);
            memcpy(s->note, call.note, sizeof s->note);
            s->iterations = call.iterations;
            s->has_v = call.has_v;
        }
        s->seconds[s->count++] = call.seconds;
        spent += call.seconds;
    } while (more(s, spent));
}

/* ---- in the parent ---- */

static void describe_end(int state, char note[64])
{
    int signal = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
    if (signal == SIGPROF || signal == SIGALRM)
        snprintf(note, 64, "time limit");
    else if (signal != 0)
        snprintf(note, 64, signal == SIGABRT ? "aborted" : "signal %d", signal);
    else if (note[0] == '\0')
        snprintf(note, 64, "no answer");
}

static void judge(const contact_problem *p, shared *s, contact_result *result)
{
    double *lambda = s->answer, *v = s->answer + p->problem.m;
    saddle_residual given, local;
    saddle_solution solution = {.n = p->problem.n, .m = p->problem.m, .v = v, .lambda = lambda};
    saddle_solution condensed = {.m = p->problem.m, .v = v, .lambda = lambda};
    saddle_status status = SADDLE_OK;
    for (int64_t i = 0; i < p->problem.m; i++)
        if (!isfinite(lambda[i])) return;
    if (p->delassus && !s->has_v)
        status = saddle_delassus_recover(p->delassus, &p->problem, lambda, v);
    if (status == SADDLE_OK)
        status = saddle_solution_check(p->context, &p->problem, &solution, &given, NULL);
    if (status == SADDLE_OK)
        status = saddle_solution_check(p->context, &p->local, &condensed, &local, NULL);
    if (status != SADDLE_OK) return;
    result->total = given.total;
    result->overgrown = saddle_residual_is_overgrown(&given, CONTACT_SOLVED);
    result->natural_map = local.natural_map;
    result->natural_map_q = local.natural_map_q;
}

void contact_measure(const contact_method *method, const contact_problem *p, double tolerance,
                     double limit, int cpu, contact_result *result)
{
    contact_result none = {.seconds = -1.0,
                           .tolerance = tolerance > 0.0 ? tolerance : -1.0,
                           .iterations = -1,
                           .total = INFINITY,
                           .natural_map = INFINITY,
                           .natural_map_q = INFINITY};
    size_t bytes = sizeof(shared) + (size_t)(p->problem.m + p->problem.n) * sizeof(double);
    shared *s = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    *result = none;
    if (s == MAP_FAILED) return;
    int state = 0;
    (void)fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (!method->ours) be_quiet();
        set_limits(limit, cpu, method->ours != NULL);
        solve_repeatedly(method, p, tolerance, s);
        _exit(0);
    }
    if (child > 0 && waitpid(child, &state, 0) == child && s->count > 0) {
        judge(p, s, result);
        result->repetitions = s->count;
        result->seconds = bench_median(s->seconds, (int)s->count);
        result->iterations = s->iterations;
    } else {
        describe_end(state, s->note);
    }
    memcpy(result->note, s->note, sizeof result->note);
    (void)munmap(s, bytes);
}

int contact_reached(const contact_result *result, contact_measure_kind kind, double error)
{
    /* Other programs stop at 1e-8 as they sum it up. */
    double most = error * (1.0 + 1e-3);
    if (result->seconds < 0.0 || !(result->natural_map <= most)) return 0;
    return kind == CONTACT_BY_MAP ||
           (result->natural_map_q <= most && result->total <= most && !result->overgrown);
}
