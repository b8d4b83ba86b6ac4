/* SPDX-License-Identifier: MIT */
/* Facts of a problem that need no solution, for `saddle info`. */
#ifndef SADDLE_TOOLS_FACTS_H
#define SADDLE_TOOLS_FACTS_H

#include "saddle/saddle.h"

/* ---- connected components of a graph given by matrix patterns ---- */

/* Nodes 0 .. nodes-1; all-zero is fine to clear. */
typedef struct tool_components {
    saddle_context *context;
    int64_t nodes;
    int64_t count;   /* components, after numbering */
    int64_t largest; /* nodes of the largest component; smallest likewise, 0 = no component */
    int64_t smallest;
    int64_t *label; /* nodes: the component of each; before numbering the parent */
    int64_t *size;  /* count: nodes of each */
} tool_components;

/* ---- definiteness and condition of M ---- */

typedef struct tool_definiteness {
    int known;                        /* 0: how says why not */
    int64_t positive, negative, zero; /* inertia of M, of (M + M')/2 where M is not symmetric */
    double smallest, largest;         /* eigenvalues; NaN where not known */
    double condition;                 /* ratio of the moduli of extreme eigenvalues, or an estimate
                                         in the 1-norm; NaN where not known */
    char how[120];
} tool_definiteness;

/* ---- all facts ---- */

/* Moduli of the nonzero entries; 0 and 0 without entries. */
typedef struct tool_range {
    double least, most;
} tool_range;

/* Independent rows of J, or of R where n = 0. */
typedef struct tool_rank {
    int known; /* 0: how says why not */
    int64_t rank;
    char how[160];
} tool_rank;

typedef struct tool_facts {
    int64_t n, m, contacts;
    saddle_row_counts rows;
    tool_range mu;                                      /* of the contacts */
    int64_t entries_M, entries_J, entries_R, entries_K; /* of whole matrices, not triangles */
    tool_range M, J, R, f, b;
    double asymmetry_M, asymmetry_R; /* max |a_ij - a_ji| / max |a_ij| */
    tool_components mass, system;    /* blocks of M; islands of the whole */
    int estimated;                   /* 0: definiteness and rank were not asked for */
    const char *square, *ranked;     /* names of the matrices: "M" and "J", "R" and "R" if n = 0 */
    tool_definiteness definiteness;  /* of the square one */
    tool_rank rank;                  /* of the ranked one */
} tool_facts;

/* estimate: 0 leaves out factorizations. */
saddle_status tool_facts_find(saddle_context *context, const saddle_problem *problem, int estimate,
                              tool_facts *facts);
void tool_facts_clear(tool_facts *facts);

/* "positive definite", "indefinite", ... or "unknown" */
const char *tool_definiteness_word(const tool_facts *facts);

#endif
