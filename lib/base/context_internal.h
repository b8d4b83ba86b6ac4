/* SPDX-License-Identifier: MIT */
/* The context's fields, for lib/base and the solver registry; messages of wrong
 * arguments, and text in buffers of fixed size. */
#ifndef SADDLE_LIB_CONTEXT_INTERNAL_H
#define SADDLE_LIB_CONTEXT_INTERNAL_H

#include "saddle/context.h"

enum { SADDLE__MESSAGE_SIZE = 1024 };

/* The phase of a solver at work; all-zero: none. */
typedef struct saddle__phase {
    double began, deadline; /* saddle_clock(); deadline: INFINITY = no limit */
} saddle__phase;

struct saddle_context {
    saddle_context_options options;
    saddle_memory_use memory;
    saddle__phase phase;
    char message[SADDLE__MESSAGE_SIZE];
    saddle_place place;      /* of the message */
    const void **registered; /* solver types of the host; see solvers/registry.c */
    int64_t registered_count;
    const void *shared_method; /* a factorization method shared with other processes (mpi/team.c) */
    int team;                  /* ... those of this communicator of MPI */
    int team_factorizations;   /* ... made so far */
    const struct saddle__sums *parts; /* of a solve in parts (problem/verdict.h); else NULL */
};

/* The context of an object, NULL without one. */
#define SADDLE__CONTEXT_OF(object) ((object) ? (object)->context : NULL)

/* The beginning of a public function: clears the context's message; unless the condition holds,
 * returns SADDLE_INVALID_ARGUMENT with "FUNCTION: WHAT", such as "model or part is NULL". */
#define SADDLE__RETURN_UNLESS(context, condition, what)                                    \
    do {                                                                                   \
        saddle_context_clear_message(context);                                             \
        if (!(condition))                                                                  \
            return saddle_fail((context), SADDLE_INVALID_ARGUMENT, "%s: " what, __func__); \
    } while (0)

/* Returns the status of a call unless the status is SADDLE_OK. */
#define SADDLE__TRY(call)                     \
    do {                                      \
        const saddle_status tried = (call);   \
        if (tried != SADDLE_OK) return tried; \
    } while (0)

/* The peak becomes what is in use now, which is returned [bytes]. */
int64_t saddle__restart_peak(saddle_context *context);

/* Within analyse and factor of a phase: SADDLE_STOPPED by the progress callback, which is called
 * with name, iteration and limit, SADDLE_TIME_LIMIT, or SADDLE_OK; no message.  other_thread: 1 =
 * not the caller's, the callback is not called. */
saddle_status saddle__phase_ask(saddle_context *context, const char *name, int64_t iteration,
                                int64_t limit, int other_thread);

/* Sets the message to a status of saddle__phase_ask and returns the status. */
saddle_status saddle__phase_ended(saddle_context *context, saddle_status status, const char *name);

/* Whether a status of analyse or factor leaves something to go on with. */
static inline int saddle__goes_on(saddle_status status)
{
    return status >= SADDLE_OK && status != SADDLE_STOPPED && status != SADDLE_TIME_LIMIT;
}

/* saddle_release of several blocks. */
#define saddle__release_all(context, ...)                           \
    saddle__release_blocks((context), (void *const[]){__VA_ARGS__}, \
                           sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))

static inline void saddle__release_blocks(saddle_context *context, void *const *block, size_t count)
{
    for (size_t k = 0; k < count; k++) saddle_release(context, block[k]);
}

/* Passes one line, as of printf, to the log callback, if there is a callback and level is not below
 * the context's. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void saddle__log(saddle_context *context, saddle_log_level level, const char *format, ...);

/* SADDLE_FILE_ERROR with "PATH: what: the system's text for the errno value `number`". */
saddle_status saddle__fail_errno(saddle_context *context, const char *path, const char *what,
                                 int number);

/* text[size], NUL-terminated <- text followed by more, cut at the end of the buffer. */
void saddle__append(char *text, size_t size, const char *more);

#endif
