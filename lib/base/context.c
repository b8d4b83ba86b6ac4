/* SPDX-License-Identifier: MIT */
/* The context's life, its message, its callbacks. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"

saddle_context_options saddle_context_options_default(void)
{
    saddle_context_options options;
    memset(&options, 0, sizeof options);
    options.log_level = SADDLE_LOG_INFO;
    return options;
}

static int allocator_is_whole(const saddle_allocator *allocator)
{
    int given = (allocator->allocate != NULL) + (allocator->reallocate != NULL) +
                (allocator->release != NULL);
    return given == 0 || given == 3;
}

saddle_status saddle_context_create(const saddle_context_options *options, saddle_context **context)
{
    if (!context) return SADDLE_INVALID_ARGUMENT;
    *context = NULL;
    saddle_context seed;
    memset(&seed, 0, sizeof seed);
    seed.options = options ? *options : saddle_context_options_default();
    if (!allocator_is_whole(&seed.options.allocator) || seed.options.memory_limit < 0)
        return SADDLE_INVALID_ARGUMENT;

    /* the seed lends its allocator for the one allocation that the context itself is */
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
    saddle_context last = *context; /* outlives its own block */
    saddle_release(&last, context);
}

const char *saddle_context_message(const saddle_context *context)
{
    return context ? context->message : "";
}

void saddle_context_clear_message(saddle_context *context)
{
    if (context) context->message[0] = '\0';
}

saddle_status saddle_fail(saddle_context *context, saddle_status status, const char *format, ...)
{
    if (context) {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(context->message, sizeof context->message, format, arguments);
        va_end(arguments);
    }
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
