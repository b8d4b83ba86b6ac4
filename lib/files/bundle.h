/* SPDX-License-Identifier: MIT */
/* The problem bundle, a folder: docs/formats.md. */
#ifndef SADDLE_FILES_BUNDLE_H
#define SADDLE_FILES_BUNDLE_H

#include "files/source.h"
#include "files/text.h"
#include "saddle/problem.h"

/* The problem has passed saddle_problem_check.  SADDLE_UNSUPPORTED: a bundle with attachments,
 * which change the problem. */
saddle_status saddle__bundle_read(saddle_context *context, const char *path,
                                  saddle_problem *problem);
saddle_status saddle__bundle_parse(saddle__source *source, saddle_problem *problem);

/* The problem of a bundle with or without attachments; *attached: 1 if "components" or
 * "attachments" is a key. */
saddle_status saddle__bundle_parse_unreduced(saddle__source *source, saddle_problem *problem,
                                             int *attached);

/* The problem must pass saddle_problem_check: SADDLE_INVALID_PROBLEM. */
saddle_status saddle__bundle_write(saddle_context *context, const char *path,
                                   const saddle_problem *problem);

/* Additions to a bundle from attachments/. */
typedef struct saddle__bundle_more {
    const void *user;
    /* adds ",\n  \"key\": value" to problem.json, any number of times */
    void (*add_keys)(const void *user, saddle__text *text);
    /* writes attachments.mtx */
    saddle_status (*write)(const void *user, saddle_context *context, const char *path);
} saddle__bundle_more;

/* The same with additions; NULL = none. */
saddle_status saddle__bundle_write_more(saddle_context *context, const char *path,
                                        const saddle_problem *problem,
                                        const saddle__bundle_more *more);

/* 1: the folder has a problem.json that contains "saddle-problem". */
int saddle__bundle_is(const char *path);

/* ---- bundle_json.c ---- */

/* problem.json into the problem's sizes, names, law, ids and time step.  *symmetric: 1 claimed, 0
 * denied, -1 not said; *attached: whether "components" or "attachments" is among the keys. */
saddle_status saddle__bundle_json_read(saddle__source *source, saddle_problem *problem,
                                       int *symmetric, int *attached);

/* problem.json of a problem; names are converted to UTF-8 (text.h). */
saddle_status saddle__bundle_json_write(saddle_context *context, const char *path,
                                        const saddle_problem *problem,
                                        const saddle__bundle_more *more);

#define SADDLE__BUNDLE_FORMAT "saddle-problem"
enum { SADDLE__BUNDLE_VERSION = 1 };

#endif
