/* SPDX-License-Identifier: MIT */
/* Which unknowns hang together: connected components of graphs given by matrix patterns. */
#ifndef SADDLE_TOOLS_STRUCTURE_H
#define SADDLE_TOOLS_STRUCTURE_H

#include "saddle/problem.h"

/* Nodes 0 .. nodes-1; all-zero is fine to clear. */
typedef struct tool_components {
    saddle_context *context;
    int64_t nodes;
    int64_t count;   /* components, after tool_components_number */
    int64_t largest; /* nodes of the largest one; smallest likewise, 0 = none */
    int64_t smallest;
    int64_t *label; /* nodes: which component; before numbering the parent */
    int64_t *size;  /* count: nodes of each */
} tool_components;

/* Every node on its own. */
saddle_status tool_components_begin(saddle_context *context, int64_t nodes,
                                    tool_components *components);

/* Every entry (i, j) of A joins the nodes row + i and col + j. */
void tool_components_join(tool_components *components, const saddle_matrix *A, int64_t row,
                          int64_t col);

/* Numbers the components in the order of their first nodes. */
saddle_status tool_components_number(tool_components *components);

/* Nodes in the order of their components, and the start of each in that order: node[count of
 * nodes], start[components + 1]. */
saddle_status tool_components_list(const tool_components *components, int64_t **node,
                                   int64_t **start);

void tool_components_clear(tool_components *components);

/* Of M's graph; of the whole system's (velocities first, then rows; a contact's rows belong
 * together). */
saddle_status tool_components_of_mass(saddle_context *context, const saddle_problem *problem,
                                      tool_components *components);
saddle_status tool_components_of_system(saddle_context *context, const saddle_problem *problem,
                                        tool_components *components);

#endif
