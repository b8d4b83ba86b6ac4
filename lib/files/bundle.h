/* SPDX-License-Identifier: MIT */
/* The problem bundle, a folder: docs/formats.md. */
#ifndef SADDLE_FILES_BUNDLE_H
#define SADDLE_FILES_BUNDLE_H

#include "files/source.h"
#include "saddle/problem.h"

/* The problem has passed saddle_problem_check. */
saddle_status saddle__bundle_read(saddle_context *context, const char *path, saddle_problem *problem);
saddle_status saddle__bundle_parse(saddle__source *source, saddle_problem *problem);

/* The problem must pass saddle_problem_check: SADDLE_INVALID_PROBLEM. */
saddle_status saddle__bundle_write(saddle_context *context, const char *path, const saddle_problem *problem);

/* 1 when a folder holds a problem.json that speaks of "saddle-problem". */
int saddle__bundle_is(const char *path);

/* ---- between bundle_read.c and bundle_json_read.c -------------------------------------------------------------- */

/* problem.json into the problem's sizes, names, law, ids and time step.  *symmetric: 1 claimed, 0 denied, -1 not said.
 */
saddle_status saddle__bundle_json_read(saddle__source *source, saddle_problem *problem, int *symmetric);

/* problem.json of a problem; SADDLE_NOT_EXPRESSIBLE where a name is not UTF-8. */
saddle_status saddle__bundle_json_write(saddle_context *context, const char *path, const saddle_problem *problem);

#define SADDLE__BUNDLE_FORMAT "saddle-problem"
#define SADDLE__BUNDLE_VERSION 1

#endif
