/* SPDX-License-Identifier: MIT */
/* See warm.h.  The run is that of generators/rolling.c: discs with joints, joint limits, Tresca
 * friction and contacts.  The problems are recorded beforehand: all solvers get the same problems.
 */
#include "complementarity/warm.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "generators.h"
#include "harness.h"

const warm_run warm_runs[WARM_RUNS] = {
    {"warm", "steps of 1 ms", 0.001},
    {"warm-coarse", "steps of 5 ms", 0.005},
};

saddle_status warm_record(saddle_context *context, const warm_run *run, saddle_problem *problems)
{
    saddle_rolling_parameters p = saddle_rolling_default();
    p.time_step = run->time_step;
    return saddle_generate_rolling(context, &p, WARM_STEPS, problems);
}

static saddle_status run_step(saddle_solver *solver, const saddle_problem *problem)
{
    saddle_solution x = {0};
    saddle_status status = saddle_solution_create(problem->context, problem->n, problem->m, &x);
    if (status == SADDLE_OK) status = saddle_solver_analyse(solver, problem);
    if (status == SADDLE_OK) status = saddle_solver_factor(solver, problem);
    if (status == SADDLE_OK) status = saddle_solver_solve(solver, problem, NULL, &x);
    saddle_solution_clear(&x);
    return status;
}

void warm_measure(saddle_context *context, const char *name, int warm,
                  const saddle_problem *problems, warm_result *result)
{
    saddle_options options = saddle_options_default();
    saddle_solver *solver = NULL;
    options.warm_start = warm;
    *result = (warm_result){.status = saddle_solver_create(context, name, &options, &solver)};
    for (int k = 0; result->status == SADDLE_OK && k < WARM_STEPS; k++) {
        double began = bench_processor_seconds();
        result->status = run_step(solver, &problems[k]);
        const saddle_report *report = saddle_solver_report(solver);
        if (k == 0) continue;
        result->seconds += bench_processor_seconds() - began;
        result->pivots += report->pivots;
        result->known += report->warm_rows;
        result->residual = fmax(result->residual, report->residual.total);
    }
    saddle_solver_free(solver);
}

static int compare_ids(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Number of rows of a with an id that b does not have. */
static int64_t count_missing(const saddle_problem *a, const saddle_problem *b)
{
    int64_t *sorted = saddle_allocate(NULL, b->m + 1, sizeof *sorted);
    int64_t missing = 0;
    for (int64_t i = 0; sorted && i < b->m; i++) sorted[i] = b->row_id[i];
    if (sorted) qsort(sorted, (size_t)b->m, sizeof *sorted, compare_ids);
    for (int64_t i = 0; sorted && i < a->m; i++)
        missing += !bsearch(&a->row_id[i], sorted, (size_t)b->m, sizeof *sorted, compare_ids);
    saddle_release(NULL, sorted);
    return missing;
}

int64_t warm_changes(const saddle_problem *problems)
{
    int64_t changes = 0;
    for (int k = 1; k < WARM_STEPS; k++)
        changes += count_missing(&problems[k], &problems[k - 1]) +
                   count_missing(&problems[k - 1], &problems[k]);
    return changes;
}

/* ---- the table ---- */

static void print_head(const warm_run *run, const saddle_problem *problems, int csv)
{
    int64_t least = problems[0].m;
    int64_t most = problems[0].m;
    for (int k = 1; k < WARM_STEPS; k++) {
        least = problems[k].m < least ? problems[k].m : least;
        most = problems[k].m > most ? problems[k].m : most;
    }
    if (csv) {
        puts("run,method,cold,warm,warm/cold,cold_seconds,warm_seconds,residual,status");
        return;
    }
    printf("\n%s: %d %s, n = %" PRId64 ", m = %" PRId64 " .. %" PRId64 ", %" PRId64
           " rows come or go; pivots from the second step on\n",
           run->name, WARM_STEPS, run->what, problems[0].n, least, most, warm_changes(problems));
    printf("%-14s %9s %9s %9s %6s %9s %9s %9s\n", "solver", "cold", "warm", "warm/cold", "bar",
           "cold [s]", "warm [s]", "residual");
}

static void print_line(const warm_run *run, const char *solver, const warm_result result[2],
                       int csv)
{
    double ratio = (double)result[1].pivots / (double)result[0].pivots;
    double residual = fmax(result[0].residual, result[1].residual);
    saddle_status status = result[0].status != SADDLE_OK ? result[0].status : result[1].status;
    const char *remark = status != SADDLE_OK ? saddle_status_name(status)
                         : ratio <= WARM_BAR ? ""
                                             : "above the bar";
    if (csv)
        printf("%s,%s,%" PRId64 ",%" PRId64 ",%.4f,%.6f,%.6f,%.2e,%s\n", run->name, solver,
               result[0].pivots, result[1].pivots, ratio, result[0].seconds, result[1].seconds,
               residual, saddle_status_name(status));
    else
        printf("%-14s %9" PRId64 " %9" PRId64 " %9.3f %6.2f %9.4f %9.4f %9.1e  %s\n", solver,
               result[0].pivots, result[1].pivots, ratio, WARM_BAR, result[0].seconds,
               result[1].seconds, residual, remark);
}

int warm_print(saddle_context *context, const bench_options *options, const warm_run *run)
{
    saddle_problem problems[WARM_STEPS];
    const saddle_solver_type *type;
    saddle_status status = warm_record(context, run, problems);
    if (status != SADDLE_OK) {
        fprintf(stderr, "complementarity: %s: %s\n", run->name, saddle_context_message(context));
        return 1;
    }
    print_head(run, problems, options->csv);
    for (int64_t k = 0; (type = saddle_solver_type_at(context, k)) != NULL; k++) {
        warm_result result[2];
        if (!bench_listed(type->name, options->method)) continue;
        if (saddle_solver_type_supports(context, type, &problems[0]) != SADDLE_OK) continue;
        for (int warm = 0; warm < 2; warm++)
            warm_measure(context, type->name, warm, problems, &result[warm]);
        if (result[0].pivots > 0)
            print_line(run, type->name, result, options->csv); /* solvers that pivot */
    }
    for (int k = 0; k < WARM_STEPS; k++) saddle_problem_clear(&problems[k]);
    return 0;
}
