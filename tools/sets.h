/* SPDX-License-Identifier: MIT */
/* Sets of problems: JSON files that name collections (docs/benchmarks.md). */
#ifndef SADDLE_TOOLS_SETS_H
#define SADDLE_TOOLS_SETS_H

#include "files/json_scan.h"

typedef struct tool_set_entry {
    char *path;       /* as given; of a set relative to its file, or below $SADDLE_DATA */
    char *set;        /* the set's name; "" = none */
    char *difficulty; /* "easy", "hard", "degenerate", "redundant"; "" = not stated */
    char *family;     /* "" = by the problem's name */
} tool_set_entry;

typedef struct tool_set { /* all zero = empty */
    saddle_context *context;
    tool_set_entry *entry;
    int64_t count, room;
    int64_t absent; /* entries left out: "data:.." without SADDLE_DATA, or no such file there */
} tool_set;

/* Appends a problem's path, or the problems of a set: a regular file whose first key is "format"
 * with the value "saddle-set".  SADDLE_BAD_FILE ("FILE:LINE: reason"), SADDLE_FILE_ERROR. */
saddle_status tool_set_add(saddle_context *context, const char *argument, tool_set *set);

void tool_set_clear(tool_set *set);

#endif
