/* SPDX-License-Identifier: MIT */
/* A picture of the pattern of K = [M J'; J -R]: where entries are, and for large systems how
 * densely. */
#ifndef SADDLE_TOOLS_SPY_H
#define SADDLE_TOOLS_SPY_H

#include "saddle/problem.h"

/* SADDLE_INVALID_ARGUMENT: the name ends in neither .png nor .svg. */
saddle_status tool_spy_check(saddle_context *context, const char *path);

/* PNG or SVG by the end of the checked name; written beside the target, then renamed.
 * SADDLE_FILE_ERROR. */
saddle_status tool_spy_write(saddle_context *context, const saddle_problem *problem,
                             const char *path);

#endif
