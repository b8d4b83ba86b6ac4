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

/* The shades of a grid of at most `cells` x `cells` cells, row after row, each a hexadecimal digit:
 * 0 = no entry; 1 .. 5 of M, 6 .. 10 of J and J', 11 .. 15 of R, the lightest first.  *text is
 * released by saddle_release; "" where K has no rows. */
saddle_status tool_spy_text(saddle_context *context, const saddle_problem *problem, int64_t cells,
                            char **text);

#endif
