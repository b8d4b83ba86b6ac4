/* SPDX-License-Identifier: MIT */
/* The problem bundle, a folder: docs/formats.md. */
#ifndef SADDLE_FILES_BUNDLE_H
#define SADDLE_FILES_BUNDLE_H

#include "files/scan.h"
#include "files/text.h"
#include "saddle/problem.h"

/* The problem, which has passed saddle_problem_check.  *attached: 1 if "components" or
 * "attachments" is a key; they change the problem.  attached NULL: SADDLE_UNSUPPORTED then. */
saddle_status saddle__bundle_parse(saddle__source *source, saddle_problem *problem, int *attached);

/* Additions to a bundle from attachments/. */
typedef struct saddle__bundle_more {
    const void *user;
    /* adds ",\n  \"key\": value" to problem.json, any number of times */
    void (*add_keys)(const void *user, saddle__text *text);
    /* writes attachments.mtx; NULL = there is none */
    saddle_status (*write)(const void *user, saddle_context *context, const char *path);
} saddle__bundle_more;

/* more: NULL = no additions.  The problem must pass saddle_problem_check: SADDLE_INVALID_PROBLEM.
 */
saddle_status saddle__bundle_write(saddle_context *context, const char *path,
                                   const saddle_problem *problem, const saddle__bundle_more *more);

/* 1: the folder has a problem.json that contains "saddle-problem". */
int saddle__bundle_is(const char *path);

#endif
