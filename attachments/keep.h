/* SPDX-License-Identifier: MIT */
/* Attachments kept as rows, some or all, and what is then left of the graph. */
#ifndef SADDLE_ATTACHMENTS_KEEP_H
#define SADDLE_ATTACHMENTS_KEEP_H

#include "graph.h"

/* A problem with the rows of some attachments behind its own. */
typedef struct saddle__kept {
    saddle_problem problem;
    int64_t rows, entries; /* those kept, and theirs in J */
    int64_t *to; /* entries: attachment by attachment, row by row, 1 and the blocks: where in Jt */
} saddle__kept;

/* Velocities of a component that are attached or prescribed. */
int64_t saddle__component_bound(const saddle__component *c);

/* SADDLE_INVALID_ARGUMENT: another number of velocities; SADDLE_INVALID_PROBLEM: a loop, or what
 * saddle_problem_check finds. */
saddle_status saddle__attachments_fit(saddle_context *context, const saddle_attachments *graph,
                                      const saddle_problem *problem);

/* keep (components): NULL = all.  The refresh rewrites all but names and allocates nothing.  What
 * was built on failure is for saddle__kept_clear. */
saddle_status saddle__kept_create(saddle_context *context, const saddle_attachments *graph,
                                  const signed char *keep, const saddle_problem *problem,
                                  saddle__kept *kept);
void saddle__kept_refresh(const saddle_attachments *graph, const signed char *keep,
                          const saddle_problem *problem, saddle__kept *kept);
void saddle__kept_clear(saddle_context *context, saddle__kept *kept);

/* The graph in which components with keep != 0 are active, and new values into it. */
saddle_status saddle__rest_create(saddle_context *context, const saddle_attachments *graph,
                                  const signed char *keep, saddle_attachments **rest);
saddle_status saddle__rest_refresh(const saddle_attachments *graph, const signed char *keep,
                                   saddle_attachments *rest);

#endif
