/* SPDX-License-Identifier: MIT */
/* Warm starts by row ids: pivots over a recorded run, beside cold starts. */
#ifndef SADDLE_BENCH_COMPLEMENTARITY_WARM_H
#define SADDLE_BENCH_COMPLEMENTARITY_WARM_H

#include "harness.h"

/* Bar: pivots of a warm run over pivots of a cold run, after the first step. */
#define WARM_BAR 0.15

enum { WARM_STEPS = 100, WARM_RUNS = 2 };

typedef struct warm_run {
    const char *name;
    const char *what;
    double time_step; /* [s] */
} warm_run;

extern const warm_run warm_runs[WARM_RUNS];

typedef struct warm_result {
    saddle_status status; /* of the first unsolved step, or SADDLE_OK */
    int64_t pivots;       /* steps 2 to WARM_STEPS */
    int64_t known;        /* rows with a start, in all */
    double seconds;       /* analyse, factor and solve of the steps, processor time */
    double residual;      /* the worst */
} warm_result;

/* problems (WARM_STEPS) of the run; each to be cleared. */
saddle_status warm_record(saddle_context *context, const warm_run *run, saddle_problem *problems);

/* One solver object over all steps, warm or cold. */
void warm_measure(saddle_context *context, const char *solver, int warm,
                  const saddle_problem *problems, warm_result *result);

/* Rows that come or go between steps, summed over all steps. */
int64_t warm_changes(const saddle_problem *problems);

/* All solvers that pivot, on the run. */
int warm_print(saddle_context *context, const bench_options *options, const warm_run *run);

#endif
