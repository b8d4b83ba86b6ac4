/* SPDX-License-Identifier: MIT */
/* See blocks.h: stacks of boxes at rest, solved to 1e-6, then again after all forces have
 * changed by up to 1e-4 of themselves, from the answer before. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "contact/blocks.h"
#include "generators/generators.h"

enum { TIMES = 5 };

static const struct {
    const char *name;
    int64_t boxes;
} cases[] = {{"warm-1000", 1000}, {"warm-10000", 10000}};

static const double tolerance = 1e-6, change = 1e-4;

typedef struct warm_case {
    saddle_problem problem;
    saddle_solution solution;
    saddle_solver *solver;
    double *f; /* n: the forces at first */
} warm_case;

static saddle_status make(saddle_context *context, int64_t boxes, const char *method, warm_case *w)
{
    saddle_stack_parameters stack = saddle_stack_default();
    saddle_options options = saddle_options_default();
    stack.boxes = boxes;
    stack.push = 0.0;
    options.tolerance = tolerance;
    saddle_status status = saddle_generate_stack(context, &stack, &w->problem);
    if (status != SADDLE_OK) return status;
    w->f = saddle_allocate(context, w->problem.n, sizeof *w->f);
    if (!w->f) return SADDLE_OUT_OF_MEMORY;
    memcpy(w->f, w->problem.f, (size_t)w->problem.n * sizeof *w->f);
    status = saddle_solution_create(context, w->problem.n, w->problem.m, &w->solution);
    if (status == SADDLE_OK) status = saddle_solver_create(context, method, &options, &w->solver);
    return status;
}

/* One solve from the solution; seconds: of solve. */
static saddle_status solve(warm_case *w, double *seconds)
{
    double began = bench_now();
    saddle_status status = saddle_solver_solve(w->solver, &w->problem, &w->solution, &w->solution);
    *seconds = bench_now() - began;
    return status;
}

/* Cold, then TIMES times from the answer before. */
static saddle_status measure(saddle_context *context, int64_t boxes, const char *method,
                             warm_case *w, double *cold, double taken[TIMES])
{
    double analysed;
    saddle_status status = make(context, boxes, method, w);
    double began = bench_now();
    if (status == SADDLE_OK) status = saddle_solver_analyse(w->solver, &w->problem);
    if (status >= 0) status = saddle_solver_factor(w->solver, &w->problem);
    analysed = bench_now() - began;
    if (status >= 0) status = solve(w, cold);
    *cold += analysed;
    for (int k = 0; status == SADDLE_OK && k < TIMES; k++) {
        for (int64_t j = 0; j < w->problem.n; j++)
            w->problem.f[j] = w->f[j] * (1.0 + change * sin((double)(j + 1) * (double)(k + 1)));
        status = solve(w, &taken[k]);
    }
    return status;
}

static void print_line(int csv, const char *name, const warm_case *w, double cold, double warm)
{
    const saddle_report *report = saddle_solver_report(w->solver);
    double contacts = (double)w->problem.contact_count;
    printf(csv ? "%s,%" PRId64 ",%" PRId64 ",%.4g,%.4g,%.4g,%" PRId64 ",%.1e,%s\n"
               : "%-12s %8" PRId64 " %8" PRId64 " %10.4g %10.4g %10.4g %6" PRId64 " %8.1e  %s\n",
           name, w->problem.n, w->problem.contact_count, cold, warm, 1e6 * warm / contacts,
           report->iterations, report->residual.total, report->solver);
    (void)fflush(stdout);
}

static void run_case(const bench_options *options, saddle_context *context, const char *name,
                     int64_t boxes, const char *method)
{
    warm_case w = {.f = NULL};
    double cold = 0.0, taken[TIMES] = {0.0};
    saddle_status status = measure(context, boxes, method, &w, &cold, taken);
    if (status == SADDLE_OK)
        print_line(options->csv, name, &w, cold, bench_median(taken, TIMES));
    else
        (void)bench_report(context, name, status);
    saddle_solver_free(w.solver);
    saddle_solution_clear(&w.solution);
    saddle_problem_clear(&w.problem);
    saddle_release(context, w.f);
}

static void print_head(int csv)
{
    if (csv)
        puts("problem,n,contacts,cold,warm,us_a_contact,iterations,total,solver");
    else
        puts("\nStacks whose forces change by 1e-4, seconds cold and warm, us a contact warm: "
             "iterations, the\nchecker's total");
}

int contact_run_warm(const bench_options *options, saddle_context *context)
{
    int any = 0;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        if (!bench_wanted(cases[k].name, options->only)) continue;
        if (options->list) puts(cases[k].name);
        if (!options->list && any == 0) print_head(options->csv);
        for (int i = 0; !options->list && contact_our_method(options, i); i++)
            run_case(options, context, cases[k].name, cases[k].boxes,
                     contact_our_method(options, i));
        any++;
    }
    return any;
}
