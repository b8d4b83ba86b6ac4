/* SPDX-License-Identifier: MIT */
/* What verbs do with the attachments of a bundle: eliminated or kept as rows, and said so. */
#ifndef SADDLE_TOOLS_ELIMINATION_H
#define SADDLE_TOOLS_ELIMINATION_H

#include "input.h"

/* --attachments */
typedef struct tool_wish {
    int wish; /* of saddle_elimination_wish */
} tool_wish;
extern const tool_option tool_wish_options[];

/* Of a problem with attachments; threads: for the reduction. */
saddle_status tool_eliminate(saddle_context *context, const tool_problem *read,
                             const tool_wish *wish, int64_t threads,
                             saddle_elimination **elimination);

/* The same, where a verb is for problems with attachments alone: SADDLE_BAD_FILE for others. */
saddle_status tool_eliminate_all(saddle_context *context, const char *path,
                                 const tool_problem *read, const tool_wish *wish,
                                 saddle_elimination **elimination);

/* "attachments  ..." as a line, and as the key "attachments". */
void tool_elimination_print(const saddle_elimination *elimination);
void tool_elimination_to_json(const saddle_elimination *elimination, json_t *object);

#endif
