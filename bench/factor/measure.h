/* SPDX-License-Identifier: MIT */
/* A factorization on a system: medians of its phases, its own statistics, the accuracy of its
 * solution. */
#ifndef SADDLE_BENCH_MEASURE_H
#define SADDLE_BENCH_MEASURE_H

#include "factor/systems.h"
#include "harness.h"
#include "peers/peers.h"

#define MEASURE_COLUMNS 16 /* right-hand sides solved at once */

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
    peer_facts facts;     /* message: "" or the reason of an early end */
} measurement;

/* Figures of the same factorization on the system before, to predict the next one. */
typedef struct measure_past {
    const char *family;
    double unknowns, analyse, rate;
} measure_past;

/* options: budget, cpu (1: processor seconds of the process), threads.  Nonzero: out of memory in
 * the harness. */
int measure_peer(const bench_options *options, const bench_peer *peer, const bench_system *system,
                 measure_past *past, measurement *result);

/* Rate of a dgemm of order 2000 with the same clock [flops/s], median of 3; negative: out of
 * memory. */
double measure_dgemm(const bench_options *options);

/* The processor whose kernels OpenBLAS took: "Haswell", "SkylakeX", ..  OPENBLAS_CORETYPE names
 * another. */
const char *measure_kernels(void);

#endif
