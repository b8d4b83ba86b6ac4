/* SPDX-License-Identifier: MIT */
/* What there is to say of a problem without solving it. */
#ifndef SADDLE_TOOLS_FACTS_H
#define SADDLE_TOOLS_FACTS_H

#include "estimates.h"

/* Moduli of the nonzero entries; 0 and 0 where there is none. */
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
    const char *square, *ranked;     /* which matrices: "M" and "J", "R" and "R" where n = 0 */
    tool_definiteness definiteness;  /* of the square one */
    tool_rank rank;                  /* of the ranked one */
} tool_facts;

/* estimate: 0 leaves out what needs factorizations. */
saddle_status tool_facts_find(saddle_context *context, const saddle_problem *problem, int estimate,
                              tool_facts *facts);
void tool_facts_clear(tool_facts *facts);

/* "positive definite", "indefinite", ... or "unknown" */
const char *tool_definiteness_word(const tool_facts *facts);

#endif
