/* SPDX-License-Identifier: MIT */
/* Errors on their way to the terminal and to the exit code. */
#include "failure.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "progress.h"
#include "text.h"

int tool_exit_code(saddle_status status)
{
    switch (status) {
    case SADDLE_OK: return TOOL_EXIT_SOLVED;
    case SADDLE_NOT_CONVERGED:
    case SADDLE_ITERATION_LIMIT:
    case SADDLE_TIME_LIMIT:
    case SADDLE_STOPPED:
    case SADDLE_DIVERGED:
    case SADDLE_WRONG_INERTIA:
    case SADDLE_INFEASIBLE: return TOOL_EXIT_TOLERANCE;
    case SADDLE_INVALID_ARGUMENT:
    case SADDLE_UNKNOWN_NAME: return TOOL_EXIT_USAGE;
    case SADDLE_INVALID_PROBLEM:
    case SADDLE_SINGULAR:
    case SADDLE_TOO_LARGE:
    case SADDLE_FILE_ERROR:
    case SADDLE_BAD_FILE: return TOOL_EXIT_INPUT;
    case SADDLE_UNSUPPORTED:
    case SADDLE_NOT_EXPRESSIBLE: return TOOL_EXIT_UNSUPPORTED;
    case SADDLE_OUT_OF_MEMORY:
    case SADDLE_WRONG_PHASE:
    case SADDLE_INTERNAL: return TOOL_EXIT_INTERNAL;
    }
    return TOOL_EXIT_INTERNAL;
}

const char *tool_status_text(saddle_status status)
{
    static const char claim[] = "result written, ";
    const char *text = saddle_status_text(status);
    return strncmp(text, claim, sizeof claim - 1) == 0 ? text + sizeof claim - 1 : text;
}

void tool_error(const char *format, ...)
{
    char message[TOOL_SHOWN_SIZE];
    va_list arguments;
    tool_progress_erase();
    fflush(stdout);
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fprintf(stderr, "saddle: %s\n", tool_text_shown(message).text);
}

int tool_fail(const saddle_context *context, saddle_status status)
{
    const char *message = saddle_context_message(context);
    const int code = tool_exit_code(status);
    tool_error("%s%s", message[0] ? message : tool_status_text(status),
               code == TOOL_EXIT_USAGE ? " (see saddle --help)" : "");
    return code;
}
