/* SPDX-License-Identifier: MIT */
/* The progress line and Ctrl-C: see progress.h. */
#include "progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "text.h"

static struct {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    pthread_t ticker;
    int running;   /* the ticker thread exists */
    int ending;    /* it is asked to end */
    int suspended; /* nothing is shown until work goes on */
    int shown;     /* a line is on the terminal */
    double begun;  /* saddle_clock() of tool_progress_start */
    char label[64];
    saddle_progress latest;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

static volatile sig_atomic_t interrupted;
static struct sigaction previous_action;

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

/* Called with the lock held. */
static void show(void)
{
    const saddle_progress *at = &state.latest;
    char iteration[64] = "", residual[32] = "";
    if (at->iteration > 0 && at->limit > 0)
        snprintf(iteration, sizeof iteration, "  iteration %lld of %lld", (long long)at->iteration,
                 (long long)at->limit);
    else if (at->iteration > 0)
        snprintf(iteration, sizeof iteration, "  iteration %lld", (long long)at->iteration);
    if (at->residual >= 0) snprintf(residual, sizeof residual, "  residual %.1e", at->residual);
    fprintf(stderr, "\r%s%s%s%s%s  %.1f s\033[K", state.label, state.label[0] ? "  " : "",
            at->phase ? at->phase : "", iteration, residual, saddle_clock() - state.begun);
    fflush(stderr);
    state.shown = 1;
}

/* Called with the lock held. */
static void erase(void)
{
    if (!state.shown) return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    state.shown = 0;
}

static void *tick(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&state.lock);
    while (!state.ending) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec++;
        const int passed = pthread_cond_timedwait(&state.wake, &state.lock, &until);
        if (passed && !state.suspended) show();
    }
    pthread_mutex_unlock(&state.lock);
    return NULL;
}

/* The ticker leaves SIGINT to the working thread.  Without a thread no line is shown. */
static void start_ticker(void)
{
    pthread_condattr_t attributes;
    sigset_t all, before;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&state.wake, &attributes);
    pthread_condattr_destroy(&attributes);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    state.running = pthread_create(&state.ticker, NULL, tick, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void tool_progress_start(int quiet)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_interrupt;
    action.sa_flags = (int)SA_RESETHAND | SA_RESTART;
    sigemptyset(&action.sa_mask);
    interrupted = 0;
    sigaction(SIGINT, &action, &previous_action);
    state.begun = saddle_clock();
    state.ending = state.shown = state.suspended = 0;
    state.label[0] = '\0';
    state.latest = (saddle_progress){.phase = "read", .residual = -1};
    if (!quiet && isatty(STDERR_FILENO)) start_ticker();
}

void tool_progress_label(const char *label)
{
    pthread_mutex_lock(&state.lock);
    snprintf(state.label, sizeof state.label, "%.60s", tool_text_shown(label).text);
    state.suspended = 0;
    pthread_mutex_unlock(&state.lock);
}

void tool_progress_phase(const char *phase)
{
    const saddle_progress begun = {.phase = phase, .residual = -1};
    tool_progress_callback(NULL, &begun);
}

int tool_progress_callback(void *user, const saddle_progress *progress)
{
    (void)user;
    pthread_mutex_lock(&state.lock);
    state.latest = *progress;
    state.suspended = 0;
    pthread_mutex_unlock(&state.lock);
    return interrupted;
}

int tool_progress_interrupted(void)
{
    return interrupted;
}

void tool_progress_carry_on(void)
{
    interrupted = 0;
}

void tool_progress_erase(void)
{
    pthread_mutex_lock(&state.lock);
    erase();
    state.suspended = 1;
    pthread_mutex_unlock(&state.lock);
}

void tool_progress_stop(void)
{
    if (state.running) {
        pthread_mutex_lock(&state.lock);
        state.ending = 1;
        pthread_cond_signal(&state.wake);
        pthread_mutex_unlock(&state.lock);
        pthread_join(state.ticker, NULL);
        pthread_cond_destroy(&state.wake);
        state.running = 0;
    }
    erase();
    sigaction(SIGINT, &previous_action, NULL);
}
