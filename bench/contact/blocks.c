/* SPDX-License-Identifier: MIT */
/* See blocks.h: blocks of bench/generators/tied.c, and a bundle of two tied blocks, by `auto`. */
#include "contact/blocks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "data_path.h"
#include "generators/generators.h"

enum { TIMES = 3 };

typedef struct block_case {
    const char *name;
    int64_t blocks, cells[3];
    double young, time_step;
    saddle_tied_top top;
    double tolerance; /* 0: the default */
} block_case;

/* n = 1176 and 7098, tied; 16524 with 972 rows of contacts; 27783 and 27000 with 441 and 3000
 * contacts; of a bundle, n = 1176 and 49 contacts. */
static const block_case cases[] = {
    {"tied-1176-static", 2, {6, 6, 3}, 2e7, 0, SADDLE_TIED_DRIVEN, 0},
    {"tied-1176-dynamic", 2, {6, 6, 3}, 2e11, 1e-3, SADDLE_TIED_DRIVEN, 0},
    {"tied-7098-static", 2, {12, 12, 6}, 2e7, 0, SADDLE_TIED_DRIVEN, 0},
    {"tied-7098-dynamic", 2, {12, 12, 6}, 2e11, 1e-3, SADDLE_TIED_DRIVEN, 0},
    {"block-16524-static", 1, {17, 17, 17}, 2e7, 0, SADDLE_TIED_HELD, 0},
    {"block-16524-dynamic", 1, {17, 17, 17}, 2e11, 1e-3, SADDLE_TIED_HELD, 0},
    {"block-27783", 1, {20, 20, 20}, 2e7, 1e-3, SADDLE_TIED_FREE, 0},
    {"plate-27000", 1, {59, 49, 2}, 2e7, 1e-3, SADDLE_TIED_FREE, 0},
    {.name = "tied_blocks_cone"},
    {.name = "tied_blocks_cone-1e-8", .tolerance = 1e-8},
};

static const saddle_law laws[] = {SADDLE_LAW_CONE, SADDLE_LAW_PYRAMID, SADDLE_LAW_BOX,
                                  SADDLE_LAW_ASSOCIATED};

/* 0: of the bundle. */
static int is_generated(const block_case *c)
{
    return c->blocks > 0;
}

static saddle_status make(saddle_context *context, const block_case *c, saddle_law law,
                          saddle_problem *problem)
{
    if (!is_generated(c))
        return saddle_problem_read(context, bench_data_path("../reproducers/tied_blocks_cone"),
                                   NULL, problem, NULL, NULL, NULL);
    saddle_tied_parameters p = saddle_tied_default();
    p.blocks = c->blocks;
    for (int i = 0; i < 3; i++) p.cells[i] = c->cells[i];
    p.edge = 1.0 / (double)c->cells[0];
    p.young = c->young;
    p.time_step = c->time_step;
    p.top = c->top;
    p.law = law;
    return saddle_generate_tied(context, &p, problem);
}

saddle_status contact_solve_once(saddle_context *context, const char *name, double tolerance,
                                 const saddle_problem *problem, saddle_solution *solution,
                                 saddle_report *report, double *seconds)
{
    saddle_solver *solver = NULL;
    saddle_options options = saddle_options_default();
    if (tolerance > 0) options.tolerance = tolerance;
    double began = bench_now();
    saddle_status status = saddle_solver_create(context, name, &options, &solver);
    if (status == SADDLE_OK) status = saddle_solver_analyse(solver, problem);
    if (status >= 0) status = saddle_solver_factor(solver, problem);
    if (status >= 0) status = saddle_solver_solve(solver, problem, NULL, solution);
    *seconds = bench_without_looks(bench_now() - began, 0);
    if (status >= 0) *report = *saddle_solver_report(solver);
    saddle_solver_free(solver);
    return status;
}

/* The impulses of all contacts together: normal, tangents. */
static void add_up(const saddle_problem *problem, const double *lambda, double sum[3])
{
    for (int i = 0; i < 3; i++) {
        sum[i] = 0;
        for (int64_t c = 0; c < problem->contact_count; c++)
            sum[i] += lambda[problem->contacts[c].row + i];
    }
}

static void print_line(const bench_options *options, const char *name, const char *law,
                       const saddle_problem *problem, const saddle_report *report, double seconds,
                       const double sum[3])
{
    printf(options->csv ? "%s,%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%.4g,%" PRId64 ",%" PRId64
                          ",%.1e,%.9g,%.9g,%s\n"
                        : "%-22s %-10s %6" PRId64 " %6" PRId64 " %6" PRId64 " %10.4g %6" PRId64
                          " %6" PRId64 " %8.1e %14.9g %14.9g  %s\n",
           name, law, problem->n, problem->m, problem->contact_count,
           options->csv ? seconds : 1e3 * seconds, report->factorizations, report->iterations,
           report->residual.total, sum[0], sum[1], report->solver);
    (void)fflush(stdout);
}

static void run_case(const bench_options *options, saddle_context *context, const block_case *c,
                     saddle_law law, const char *method)
{
    saddle_problem problem;
    saddle_solution solution = {0};
    saddle_report report;
    double taken[TIMES], sum[3];
    int times = 0;
    saddle_status status = make(context, c, law, &problem);
    if (status == SADDLE_OK)
        status = saddle_solution_create(context, problem.n, problem.m, &solution);
    while (status >= 0 && times < TIMES && (times == 0 || taken[0] < 1)) {
        status = contact_solve_once(context, method, c->tolerance, &problem, &solution, &report,
                                    &taken[times]);
        times++;
    }
    if (status < 0) {
        (void)bench_report(context, c->name, status);
    } else {
        add_up(&problem, solution.lambda, sum);
        print_line(options, c->name, saddle_law_word(law), &problem, &report,
                   bench_median(taken, times), sum);
    }
    saddle_solution_clear(&solution);
    saddle_problem_clear(&problem);
}

const char *contact_our_method(const bench_options *options, int k)
{
    static const char *const name[] = {"auto",      "admm",  "gauss-seidel",
                                       "staggered", "pivot", "lemke"};
    if (!options->method) return k == 0 ? name[0] : NULL;
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++)
        if (bench_listed(name[i], options->method) && k-- == 0) return name[i];
    return NULL;
}

static void print_head(int csv)
{
    if (csv)
        puts("problem,law,n,m,contacts,seconds,factorizations,iterations,total,normal,tangential,"
             "solver");
    else
        puts("\nElastic blocks by auto, milliseconds: factorizations, iterations, the checker's "
             "total, sums of the\nimpulses along the normals and the first tangents");
}

static void run_laws(const bench_options *options, saddle_context *context, const block_case *c)
{
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        if (!is_generated(c) && laws[i] != SADDLE_LAW_CONE) continue;
        if (options->friction && strcmp(saddle_law_word(laws[i]), options->friction) != 0) continue;
        for (int k = 0; contact_our_method(options, k); k++)
            run_case(options, context, c, laws[i], contact_our_method(options, k));
    }
}

int contact_run_blocks(const bench_options *options, saddle_context *context)
{
    int any = 0;
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        if (!bench_wanted(cases[k].name, options->only)) continue;
        if (options->list) puts(cases[k].name);
        if (!options->list && any == 0) print_head(options->csv);
        if (!options->list) run_laws(options, context, &cases[k]);
        any++;
    }
    return any;
}
