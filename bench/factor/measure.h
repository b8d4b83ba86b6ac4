/* SPDX-License-Identifier: MIT */
/* One factorization on one system: the medians of its phases, what it says of itself, and how good
 * its answer is. */
#ifndef SADDLE_BENCH_MEASURE_H
#define SADDLE_BENCH_MEASURE_H

#include "factor/systems.h"
#include "peers/peers.h"

#define MEASURE_COLUMNS 16 /* right-hand sides solved at once */

typedef struct measure_options {
    double budget; /* what is foreseen to take longer, or did, is not repeated [s] */
    int cpu;       /* 1: processor seconds of the process, 0: wall clock */
    int threads;
} measure_options;

/* Seconds are medians; negative: not measured. */
typedef struct measurement {
    const bench_peer *peer;
    int threads;
    int64_t unknowns;
    double analyse, factor, solve, solve_many, refined;
    int repetitions;      /* of factor */
    int steps;            /* of refinement */
    double residual;      /* after one solve */
    double refined_error; /* componentwise backward error after refinement */
    double forward_error; /* max |x - x*| / max |x*| after refinement */
    peer_facts facts;     /* message: "" or why it ended early */
} measurement;

/* What the same factorization took on the system before: from it the budget is judged. */
typedef struct measure_past {
    const char *family;
    double unknowns, analyse, rate;
} measure_past;

/* Nonzero only where memory ran out for the harness itself. */
int measure_peer(const measure_options *options, const bench_peer *peer, const bench_system *system,
                 measure_past *past, measurement *result);

/* Rate of a dgemm of order 2000 with the same clock [flops/s], median of 3; negative: out of
 * memory. */
double measure_dgemm(const measure_options *options);

#endif
