/* SPDX-License-Identifier: MIT */
/* A solver, ours or another program's, on several draws of a problem: medians at equal residual. */
#ifndef SADDLE_BENCH_COMPLEMENTARITY_MEASURE_H
#define SADDLE_BENCH_COMPLEMENTARITY_MEASURE_H

#include "complementarity/peers.h"
#include "complementarity/problems.h"
#include "harness.h"

/* Solved: at most this natural map. */
#define LCP_REACHED 1e-10

enum { LCP_DRAWS = 5, LCP_LINES = 32 };

/* Medians over the draws of medians over repetitions [s]; negative: not known. */
typedef struct lcp_line {
    const char *name;
    int ours;
    double again; /* factor and solve, from the values to the answer; a peer's call */
    double all;   /* with create and analyse, once for a pattern */
    double analyse, factor, solve;
    double iterations; /* sweeps or pivots of the last draw */
    double residual;   /* natural map, the worst draw */
    double tolerance;  /* tolerance given to reach LCP_REACHED; negative: none */
    int64_t repetitions;
    char note[160]; /* why there is no answer */
} lcp_line;

/* type takes p[0 .. draws). */
void lcp_measure_ours(const bench_options *options, const saddle_solver_type *type,
                      const lcp_problem *p, int draws, lcp_line *line);
void lcp_measure_peer(const bench_options *options, const lcp_peer *peer, const lcp_problem *p,
                      int draws, lcp_line *line);

int lcp_reached(const lcp_line *line);

/* ---- the table ---- */

typedef struct lcp_block {
    lcp_family family;
    const char *file; /* NULL: drawn */
    int64_t n;
    int draws;
    int count;
    lcp_line line[LCP_LINES];
} lcp_block;

void lcp_print_head(int csv);
void lcp_print_block(const lcp_block *block, int csv);

#endif
