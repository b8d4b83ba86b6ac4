/* SPDX-License-Identifier: MIT */
/* Several solvers on several problems: what bench and accuracy share. */
#ifndef SADDLE_TOOLS_RUNS_H
#define SADDLE_TOOLS_RUNS_H

#include "input.h"

enum { TOOL_SOLVERS_SIZE = 32 };

typedef struct tool_solver_list {
    char names[512]; /* cut into words */
    const char *solver[TOOL_SOLVERS_SIZE];
    int count;
} tool_solver_list;

/* Cuts the list of --solvers at its commas; the names must exist and the options be in range.
 * SADDLE_INVALID_ARGUMENT, SADDLE_UNKNOWN_NAME. */
saddle_status tool_solver_list_cut(saddle_context *context, const char *text,
                                   const saddle_options *options, tool_solver_list *list);

/* "solved", "can't", ..: one word for a table. */
const char *tool_status_word(saddle_status status);

/* Replaces a problem with attachments by the reduced problem. */
saddle_status tool_problem_reduce(saddle_context *context, tool_problem *read);

#endif
