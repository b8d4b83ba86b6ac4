/* SPDX-License-Identifier: MIT */
/* The context: creation, message, log and progress callbacks; the names of status codes, the clock
 * and the version.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/context_internal.h"
#include "saddle/version.h"

/* ---- context ---- */

saddle_context_options saddle_context_options_default(void)
{
    saddle_context_options options;
    memset(&options, 0, sizeof options);
    options.log_level = SADDLE_LOG_INFO;
    return options;
}

saddle_status saddle_context_create(const saddle_context_options *options, saddle_context **context)
{
    if (!context) return SADDLE_INVALID_ARGUMENT;
    *context = NULL;
    saddle_context seed;
    memset(&seed, 0, sizeof seed);
    seed.options = options ? *options : saddle_context_options_default();
    const saddle_allocator *allocator = &seed.options.allocator;
    int given = (allocator->allocate != NULL) + (allocator->reallocate != NULL) +
                (allocator->release != NULL);
    if ((given != 0 && given != 3) || seed.options.memory_limit < 0) return SADDLE_INVALID_ARGUMENT;

    /* the context is its own first block, accounted for in the seed */
    saddle_context *made = saddle_allocate(&seed, 1, sizeof *made);
    if (!made) return SADDLE_OUT_OF_MEMORY;
    *made = seed;
    *context = made;
    return SADDLE_OK;
}

void saddle_context_free(saddle_context *context)
{
    if (!context) return;
    saddle_release(context, (void *)context->registered);
    saddle_context last = *context; /* the block of the context is released through a copy */
    saddle_release(&last, context);
}

/* ---- messages and callbacks ---- */

const char *saddle_context_message(const saddle_context *context)
{
    return context ? context->message : "";
}

saddle_place saddle_context_place(const saddle_context *context)
{
    return context ? context->place : (saddle_place){0};
}

void saddle_context_clear_message(saddle_context *context)
{
    if (!context) return;
    context->message[0] = '\0';
    context->place = (saddle_place){0};
}

saddle_status saddle_fail(saddle_context *context, saddle_status status, const char *format, ...)
{
    if (context) {
        char message[SADDLE__MESSAGE_SIZE];
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(message, sizeof message, format, arguments);
        va_end(arguments);
        int repeats = *context->message && strstr(message, context->message);
        if (!repeats) context->place = (saddle_place){0};
        memcpy(context->message, message, strlen(message) + 1);
    }
    return status;
}

saddle_status saddle_fail_at(saddle_context *context, saddle_place place, saddle_status status)
{
    if (context) context->place = place;
    return status;
}

void saddle__log(saddle_context *context, saddle_log_level level, const char *format, ...)
{
    if (!context || !context->options.log || level < context->options.log_level) return;
    char line[SADDLE__MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    context->options.log(context->options.log_user, level, line);
}

int saddle_context_progress(saddle_context *context, const char *phase, int64_t iteration,
                            int64_t limit, double residual, double seconds)
{
    if (!context || !context->options.progress) return 0;
    saddle_progress progress = {.phase = phase ? phase : "",
                                .iteration = iteration,
                                .limit = limit,
                                .residual = residual,
                                .seconds = seconds};
    return context->options.progress(context->options.progress_user, &progress);
}

saddle_status saddle__phase_ask(saddle_context *context, const char *name, int64_t iteration,
                                int64_t limit, int other_thread)
{
    if (!context || !(context->phase.deadline > 0.0)) return SADDLE_OK;
    const int watched = context->options.progress && !other_thread;
    if (!watched && isinf(context->phase.deadline)) return SADDLE_OK;
    const double now = saddle_clock();
    if (watched &&
        saddle_context_progress(context, name, iteration, limit, -1.0, now - context->phase.began))
        return SADDLE_STOPPED;
    return now > context->phase.deadline ? SADDLE_TIME_LIMIT : SADDLE_OK;
}

saddle_status saddle__phase_ended(saddle_context *context, saddle_status status, const char *name)
{
    return saddle_fail(context, status, "%s in %s",
                       status == SADDLE_STOPPED ? "stopped" : "the time limit was reached", name);
}

void saddle__append(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    if (used + 1 >= size) return;
    size_t room = size - 1 - used;
    size_t length = strlen(more);
    if (length > room) length = room;
    memcpy(text + used, more, length);
    text[used + length] = '\0';
}

/* ---- status ---- */

const char *saddle_status_name(saddle_status status)
{
    switch (status) {
#define NAME_CASE(name, value, text) \
    case name: return #name;
        SADDLE_STATUS_LIST(NAME_CASE)
#undef NAME_CASE
    }
    return "SADDLE_?";
}

const char *saddle_status_text(saddle_status status)
{
    switch (status) {
#define TEXT_CASE(name, value, text) \
    case name: return text;
        SADDLE_STATUS_LIST(TEXT_CASE)
#undef TEXT_CASE
    }
    return "unknown status";
}

/* ---- clock and version ---- */

double saddle_clock(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0) return 0.0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#define TEXT(x) #x
#define DOTTED(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *saddle_version(void)
{
    return DOTTED(SADDLE_VERSION_MAJOR, SADDLE_VERSION_MINOR, SADDLE_VERSION_PATCH);
}

saddle_status saddle__fail_errno(saddle_context *context, const char *path, const char *what,
                                 int number)
{
    char text[128];
    if (strerror_r(number, text, sizeof text) != 0) snprintf(text, sizeof text, "error %d", number);
    return saddle_fail(context, SADDLE_FILE_ERROR, "%s: %s: %s", path, what, text);
}
