/* SPDX-License-Identifier: MIT */
/* The problem bundle, a folder: docs/formats.md. */
#ifndef SADDLE_FILES_BUNDLE_H
#define SADDLE_FILES_BUNDLE_H

#include "files/scan.h"
#include "files/text.h"
#include "saddle/options.h"
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

/* ---- the solver and the options of a recorded solve ---- */

/* The object "solve" of a bundle's problem.json (docs/formats.md).  Options that change no bit of a
 * solution (threads, condition) are not recorded, nor is a time limit, which no second run can
 * repeat. */
typedef struct saddle__solving { /* start from saddle__solving_none() */
    char *solver;                /* its name; NULL = nothing is recorded; owned */
    saddle_options options;      /* threads, time_limit, condition, warm_start: defaults */
    char *settings;              /* behind options.settings; owned */
} saddle__solving;

saddle__solving saddle__solving_none(void);
void saddle__solving_clear(saddle_context *context, saddle__solving *solving);

/* Of the bundle in a folder; saddle__solving_none without "solve".  *solving: cleared by the
 * caller. */
saddle_status saddle__solving_read(saddle_context *context, const char *path,
                                   saddle__solving *solving);

/* saddle__bundle_write with "solve" in problem.json. */
saddle_status saddle__solving_write(saddle_context *context, const char *path,
                                    const saddle_problem *problem, const char *solver,
                                    const saddle_options *options);

#endif
