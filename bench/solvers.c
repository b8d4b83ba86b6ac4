/* SPDX-License-Identifier: MIT */
/* Each registered solver on systems of growing size: analyse, factor and solve timed apart, and the
 * residual by the checker. The ratio is to the fastest solver of the same system. A solver is
 * skipped where its time on a smaller system of the family, growing with the square of the
 * unknowns, predicts more than the budget. */
#include "harness.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_SOLVERS 32
#define MOST_REPETITIONS 9
#define ENOUGH_SECONDS 0.5 /* no further repetition after this */

/* Time of a solver for the last system of the family. */
typedef struct solver_past {
    double seconds, unknowns;
    int failed;
} solver_past;

static saddle_status time_once(saddle_solver *solver, const saddle_problem *p,
                               saddle_solution *solution, double *seconds)
{
    double start = saddle_clock();
    saddle_status status = saddle_solver_analyse(solver, p);
    seconds[0] = saddle_clock() - start;
    if (status < 0) return status;
    start = saddle_clock();
    status = saddle_solver_factor(solver, p);
    seconds[1] = saddle_clock() - start;
    if (status < 0) return status;
    start = saddle_clock();
    status = saddle_solver_solve(solver, p, NULL, solution);
    seconds[2] = saddle_clock() - start;
    return status;
}

/* Medians of each phase over repetitions into row. */
static saddle_status time_solver(saddle_context *context, const char *method,
                                 const bench_options *options, const saddle_problem *p,
                                 bench_row *row)
{
    double phases[3][MOST_REPETITIONS], spent = 0;
    saddle_solver *solver = NULL;
    saddle_solution solution = {0};
    saddle_options solver_options = saddle_options_default();
    solver_options.time_limit = options->budget;
    solver_options.warm_start = 0; /* each repetition the first */
    int count = 0;
    saddle_status status = saddle_solver_create(context, method, &solver_options, &solver);
    if (status == SADDLE_OK) status = saddle_solution_create(context, p->n, p->m, &solution);
    while (status >= 0 && count < MOST_REPETITIONS && (count == 0 || spent < ENOUGH_SECONDS)) {
        double seconds[3];
        status = time_once(solver, p, &solution, seconds);
        for (int k = 0; status >= 0 && k < 3; k++) {
            phases[k][count] = seconds[k];
            spent += seconds[k];
        }
        count++;
    }
    if (status >= 0) {
        const saddle_report *report = saddle_solver_report(solver);
        row->analyse = bench_median(phases[0], count);
        row->factor = bench_median(phases[1], count);
        row->solve = bench_median(phases[2], count);
        row->seconds = row->analyse + row->factor + row->solve;
        row->iterations = report->iterations;
        row->residual = report->residual.total;
    }
    saddle_solution_clear(&solution);
    saddle_solver_free(solver);
    return status;
}

static int worth_trying(const bench_options *options, const solver_past *past, double unknowns)
{
    double growth = past->unknowns > 0 ? unknowns / past->unknowns : 0;
    return !past->failed && past->seconds * growth * growth <= options->budget;
}

static int run_system(saddle_context *context, const bench_options *options, const char *name,
                      const char *system, const saddle_problem *p, solver_past *past)
{
    bench_row rows[MOST_SOLVERS];
    int count = 0;
    double fastest = INFINITY, unknowns = (double)(p->n + p->m);
    for (int64_t k = 0; k < MOST_SOLVERS && saddle_solver_type_at(context, k) != NULL; k++) {
        const saddle_solver_type *type = saddle_solver_type_at(context, k);
        if (strcmp(type->name, "auto") == 0 ||
            saddle_solver_type_supports(context, type, p) != SADDLE_OK ||
            !worth_trying(options, past + k, unknowns))
            continue;
        rows[count] = bench_row_start(name, system, type->name, p);
        saddle_status status = time_solver(context, type->name, options, p, rows + count);
        if (status < 0) {
            fprintf(stderr, "bench: %s: %s: %s\n", system, type->name,
                    saddle_context_message(context));
            if (status == SADDLE_INTERNAL) return 1;
        }
        past[k].failed = status < 0;
        past[k].seconds = rows[count].seconds;
        past[k].unknowns = unknowns;
        if (status == SADDLE_OK) fastest = fmin(fastest, rows[count].seconds);
        rows[count].ratio = status == SADDLE_OK ? 1 : -1;
        count++;
    }
    for (int k = 0; k < count; k++) {
        if (rows[k].ratio > 0)
            rows[k].ratio = rows[k].seconds / fastest; /* solved to the tolerance */
        bench_print_row(options, rows + k);
    }
    return 0;
}

int bench_solvers(saddle_context *context, const bench_options *options, const char *name,
                  const bench_family *family)
{
    solver_past past[MOST_SOLVERS];
    memset(past, 0, sizeof past);
    for (int k = 0; k < family->sizes; k++) {
        saddle_problem p;
        char system[64];
        snprintf(system, sizeof system, "%s-%" PRId64, family->name, family->size[k]);
        if (family->build(context, family->size[k], &p) != SADDLE_OK) return 1;
        int failed = 0, larger = options->largest > 0 && p.n + p.m > options->largest;
        if (!larger) failed = run_system(context, options, name, system, &p, past);
        saddle_problem_clear(&p);
        if (failed) return 1;
        if (larger) break; /* and so are the others */
    }
    return 0;
}
