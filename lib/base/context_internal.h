/* SPDX-License-Identifier: MIT */
/* What a context holds.  Only lib/base and the solver registry look inside. */
#ifndef SADDLE_LIB_CONTEXT_INTERNAL_H
#define SADDLE_LIB_CONTEXT_INTERNAL_H

#include "saddle/context.h"

enum { SADDLE__MESSAGE_SIZE = 1024 };

struct saddle_context {
    saddle_context_options options;
    saddle_memory_use memory;
    char message[SADDLE__MESSAGE_SIZE];
    const void **registered; /* solver types of the host; see solvers/registry.c */
    int64_t registered_count;
};

/* Hands one printf-like line to the log callback; nothing happens below the context's level or
 * without a callback. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void saddle__log(saddle_context *context, saddle_log_level level, const char *format, ...);

#endif
