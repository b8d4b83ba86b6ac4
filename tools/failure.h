/* SPDX-License-Identifier: MIT */
/* Errors on their way to the terminal and to the exit code. */
#ifndef SADDLE_TOOLS_FAILURE_H
#define SADDLE_TOOLS_FAILURE_H

#include "saddle/context.h"

typedef enum tool_exit {
    TOOL_EXIT_SOLVED = 0,    /* to the tolerance, or done as asked */
    TOOL_EXIT_TOLERANCE = 1, /* a result, but not to the tolerance */
    TOOL_EXIT_USAGE = 2,
    TOOL_EXIT_INPUT = 3,       /* unreadable, inconsistent; not writable */
    TOOL_EXIT_UNSUPPORTED = 4, /* rows the solver or the format can't do */
    TOOL_EXIT_INTERNAL = 5     /* out of memory too */
} tool_exit;

/* The one place where a status becomes an exit code. */
int tool_exit_code(saddle_status status);

/* saddle_status_text without its claim that a result was written, which is so only where --output
 * asked for it. */
const char *tool_status_text(saddle_status status);

/* "saddle: ..." and a newline to stderr, below an erased progress line and what was printed before;
 * control characters in the message as escapes. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void tool_error(const char *format, ...);

/* The context's message, or the status' text where there is none, through tool_error; returns the
 * exit code. */
int tool_fail(const saddle_context *context, saddle_status status);

#endif
