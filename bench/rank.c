/* SPDX-License-Identifier: MIT */
/* saddle_rank_find of large systems, as `saddle info --rank --all-rows --rigid` calls it. */
#include "harness.h"

#include <inttypes.h>
#include <stdio.h>

#define REPETITIONS 5

static saddle_status measure(saddle_context *context, const saddle_problem *problem,
                             double *seconds, int64_t *found)
{
    saddle_rank_options all = saddle_rank_options_default();
    double taken[REPETITIONS];
    saddle_rank rank;
    saddle_status status = SADDLE_OK;
    all.all_rows = all.ignore_compliance = 1;
    for (int k = 0; status == SADDLE_OK && k < REPETITIONS; k++) {
        double start = bench_processor_seconds();
        status = saddle_rank_find(context, problem, &all, &rank);
        taken[k] = bench_processor_seconds() - start;
        if (status != SADDLE_OK) break;
        *found = rank.rank;
        saddle_rank_clear(&rank);
    }
    *seconds = bench_median(taken, REPETITIONS);
    return status;
}

int bench_rank(saddle_context *context, const bench_options *options, const char *name,
               const bench_family *family)
{
    saddle_problem problem;
    char system[64], method[32];
    int64_t found = 0;
    if (family->build(context, family->size[0], &problem) != SADDLE_OK) return 1;
    if (options->largest > 0 && problem.n + problem.m > options->largest) {
        saddle_problem_clear(&problem);
        return 0;
    }
    snprintf(system, sizeof system, "%s-%" PRId64, family->name, family->size[0]);
    bench_row row = bench_row_start(name, system, method, &problem);
    saddle_status status = measure(context, &problem, &row.seconds, &found);
    snprintf(method, sizeof method, "rank %" PRId64, found);
    if (status == SADDLE_OK) bench_print_row(options, &row);
    saddle_problem_clear(&problem);
    return status != SADDLE_OK;
}
