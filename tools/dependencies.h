/* SPDX-License-Identifier: MIT */
/* The rank report of `saddle info --rank`, as lines and as JSON. */
#ifndef SADDLE_TOOLS_DEPENDENCIES_H
#define SADDLE_TOOLS_DEPENDENCIES_H

#include <jansson.h>

#include "saddle/rank.h"

typedef struct tool_rank_request {
    int wanted;    /* the report was asked for */
    int all_rows;  /* bounded rows and contacts too */
    int rigid;     /* compliance is ignored */
    int all_lines; /* every dependency, not the first few */
} tool_rank_request;

/* Whether any of it was asked for. */
int tool_dependencies_wanted(const tool_rank_request *request);

saddle_status tool_dependencies_find(saddle_context *context, const saddle_problem *problem,
                                     const tool_rank_request *request, saddle_rank *rank);
void tool_dependencies_print(const saddle_problem *problem, const tool_rank_request *request,
                             const saddle_rank *rank);

/* {examined, rank, separation, ordered, inconsistent, dependencies: [{row, id, name, terms: [[row,
 * factor], ..], residual, gap, relative_gap, judged, inconsistent}, ..]}; rows one-based.  NULL:
 * out of memory. */
json_t *tool_dependencies_to_json(const saddle_problem *problem, const saddle_rank *rank);

#endif
