/* SPDX-License-Identifier: MIT */
/* Multibody models stepped: time per body and step, the share of the assembly; accelerations of
 * ladders beside Simbody; a pile. usage: bench_multibody [--list] [--only NAME] [--csv]
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../harness.h"
#include "mechanisms.h"
#include "pile.h"
#ifdef SADDLE_BENCH_SIMBODY
#include "simbody.h"
#endif

enum { LEAST = 15, MOST = 4000, PILE_STEPS = 200 };
#define LONG_ENOUGH 1.0 /* a case is repeated for so long, LEAST times at least [s] */

typedef saddle_status build_scene(saddle_context *context, int64_t size, mechanism_scene *scene);

static const struct line {
    const char *name;
    build_scene *build;
    int64_t size;
} runs[] = {
    {"chain-100", mechanism_chain, 100},       {"chain-300", mechanism_chain, 300},
    {"chain-1000", mechanism_chain, 1000},     {"chain-3000", mechanism_chain, 3000},
    {"chain-10000", mechanism_chain, 10000},   {"chain-30000", mechanism_chain, 30000},
    {"ladder-100", mechanism_ladder, 100},     {"ladder-1000", mechanism_ladder, 1000},
    {"ladder-10000", mechanism_ladder, 10000},
};

static const int64_t ladders[] = {50, 100, 200, 400, 1000};

/* ---- steps ---- */

typedef struct phases { /* medians over steps [s] */
    double total, assemble, factor, solve, other, residual, drift;
} phases;

/* Short ones are repeated until the clock and the processor have settled. */
static int goes_on(int count, double began)
{
    return count < LEAST || (count < MOST && saddle_clock() - began < LONG_ENOUGH);
}

static saddle_status run_steps(const mechanism_scene *scene, phases *found)
{
    saddle_stepper_options options = saddle_stepper_options_default();
    saddle_stepper *stepper = NULL;
    static double total[MOST], assemble[MOST], factor[MOST], solve[MOST];
    int count = 0;
    options.time_step = scene->time_step;
    *found = (phases){0};
    saddle_status status = saddle_stepper_create(scene->model, &options, &stepper);
    if (status == SADDLE_OK) status = saddle_stepper_step(stepper); /* the one that analyses */
    const double began = saddle_clock();
    for (; status == SADDLE_OK && goes_on(count, began); count++) {
        status = saddle_stepper_step(stepper);
        const saddle_step_report *report = saddle_stepper_report(stepper);
        total[count] = report->seconds.total;
        assemble[count] = report->seconds.assemble;
        factor[count] = report->seconds.factor;
        solve[count] = report->seconds.solve;
        found->residual = fmax(found->residual, report->residual);
        found->drift = fmax(found->drift, report->drift);
    }
    saddle_stepper_free(stepper);
    if (status != SADDLE_OK) return status;
    found->total = bench_median(total, count);
    found->assemble = bench_median(assemble, count);
    found->factor = bench_median(factor, count);
    found->solve = bench_median(solve, count);
    found->other = found->total - found->assemble - found->factor - found->solve;
    return status;
}

static saddle_status run_line(saddle_context *context, const bench_options *options,
                              const struct line *line)
{
    mechanism_scene scene = {0};
    phases p;
    saddle_status status = line->build(context, line->size, &scene);
    if (status == SADDLE_OK) status = run_steps(&scene, &p);
    if (status == SADDLE_OK) {
        const double each = 1e6 / (double)scene.bodies;
        printf(options->csv ? "%.3g,%.4g,%s,%" PRId64 ",%.4g,%.4g,%.4g,%.4g,%.2e,%.2e\n"
                            : "%9.3g %11.4g  %-14s %7" PRId64
                              " %10.4g %10.4g %10.4g %10.4g %9.2e %9.2e\n",
               p.assemble / p.total, each * p.total, line->name, scene.bodies, each * p.assemble,
               each * p.factor, each * p.solve, each * p.other, p.residual, p.drift);
    }
    mechanism_clear(&scene);
    return status;
}

/* ---- accelerations ---- */

/* Values, factor and solve of M a - J'F = f, J a = -drift. */
static saddle_status time_accelerations(saddle_assembly *assembly, saddle_solver *solver,
                                        saddle_solution *solution, double *seconds)
{
    const double began = saddle_clock();
    const saddle_problem *problem = saddle_assembly_problem(assembly);
    saddle_status status = saddle_assembly_accelerations(assembly);
    if (status == SADDLE_OK) status = saddle_solver_factor(solver, problem);
    if (status == SADDLE_OK) status = saddle_solver_solve(solver, problem, NULL, solution);
    *seconds = saddle_clock() - began;
    return status;
}

static saddle_status ladder_seconds(saddle_context *context, int64_t cells, double *median)
{
    mechanism_scene scene = {0};
    saddle_assembly *assembly = NULL;
    saddle_solver *solver = NULL;
    saddle_solution solution = {0};
    static double seconds[MOST];
    int count = 0;
    const saddle_options options = saddle_stepper_options_default().solver_options;
    saddle_status status = mechanism_ladder(context, cells, &scene);
    if (status == SADDLE_OK) status = saddle_assembly_create(scene.model, NULL, &assembly);
    if (status == SADDLE_OK) status = saddle_assembly_accelerations(assembly);
    if (status == SADDLE_OK) status = saddle_solver_create(context, "ldlt", &options, &solver);
    if (status == SADDLE_OK)
        status = saddle_solver_analyse(solver, saddle_assembly_problem(assembly));
    if (status == SADDLE_OK) {
        const saddle_problem *problem = saddle_assembly_problem(assembly);
        status = saddle_solution_create(context, problem->n, problem->m, &solution);
    }
    const double began = saddle_clock();
    for (; status == SADDLE_OK && goes_on(count, began); count++) {
        status = time_accelerations(assembly, solver, &solution, &seconds[count]);
    }
    if (status == SADDLE_OK) *median = bench_median(seconds, count);
    saddle_solution_clear(&solution);
    saddle_solver_free(solver);
    saddle_assembly_free(assembly);
    mechanism_clear(&scene);
    return status;
}

static double simbody_seconds(int64_t cells)
{
#ifdef SADDLE_BENCH_SIMBODY
    return simbody_ladder_seconds((int)cells, cells > 300 ? 5 : cells > 100 ? 51 : 201);
#else
    (void)cells;
    return -1;
#endif
}

static saddle_status run_ladder(saddle_context *context, const bench_options *options,
                                int64_t cells)
{
    double ours = 0;
    const saddle_status status = ladder_seconds(context, cells, &ours);
    if (status != SADDLE_OK) return status;
    const double theirs = simbody_seconds(cells);
    bench_print_number(options->csv, 9, "%.4f", theirs > 0 ? ours / theirs : -1);
    if (options->csv) bench_print_number(1, 0, "%.4g", 1e3 * theirs);
    printf(options->csv ? "%" PRId64 ",%.4g,%.4g\n" : " %8" PRId64 " %10.4g %12.4g", cells,
           1e3 * ours, 1e6 * ours / (double)cells);
    if (!options->csv) bench_print_number(0, 12, "%.4g", 1e3 * theirs);
    if (!options->csv) puts("");
    return SADDLE_OK;
}

/* ---- the pile ---- */

static saddle_status run_pile(saddle_context *context, const bench_options *options)
{
    mechanism_scene scene = {0};
    saddle_stepper_options stepping = saddle_stepper_options_default();
    saddle_stepper *stepper = NULL;
    double total[PILE_STEPS], share[PILE_STEPS], worst = 0;
    int64_t unsolved = 0, iterations = 0, contacts = 0, analysed = 0;
    saddle_status status = mechanism_pile(context, 200, &scene);
    stepping.time_step = scene.time_step;
    stepping.collider = scene.collider;
    stepping.solver_options.tolerance = 1e-6;
    if (status == SADDLE_OK) status = saddle_stepper_create(scene.model, &stepping, &stepper);
    for (int k = 0; status >= SADDLE_OK && k < PILE_STEPS; k++) {
        status = saddle_stepper_step(stepper);
        const saddle_step_report *report = saddle_stepper_report(stepper);
        unsolved += report->status != SADDLE_OK;
        iterations += report->iterations;
        analysed += report->analysed;
        contacts = report->contacts > contacts ? report->contacts : contacts;
        worst = fmax(worst, report->residual);
        total[k] = report->seconds.total;
        share[k] = report->seconds.assemble / report->seconds.total;
    }
    if (status >= SADDLE_OK) {
        puts(options->csv
                 ? "unsolved,steps,bodies,contacts,residual,iterations,analyses,ms,assembly_share"
                 : "\nunsolved    steps   bodies contacts  residual iterations/step analyses  "
                   "ms/step assembly/step");
        printf(options->csv ? "%" PRId64 ",%d,%" PRId64 ",%" PRId64 ",%.2e,%.4g,%" PRId64
                              ",%.4g,%.3g\n"
                            : "%8" PRId64 " %8d %8" PRId64 " %8" PRId64 " %9.2e %15.4g %8" PRId64
                              " %8.4g %13.3g\n",
               unsolved, (int)PILE_STEPS, scene.bodies, contacts, worst,
               (double)iterations / PILE_STEPS, analysed, 1e3 * bench_median(total, PILE_STEPS),
               bench_median(share, PILE_STEPS));
    }
    saddle_stepper_free(stepper);
    mechanism_clear(&scene);
    return status;
}

/* ---- the tables ---- */

static int run_all_steps(saddle_context *context, const bench_options *options)
{
    int failed = 0;
    puts(options->csv
             ? "assembly_share,step,scene,bodies,assemble,factor,solve,other,residual,drift"
             : "assembly  us a body                                   us a body\n"
               "   /step   and step  scene           bodies   assemble     factor      "
               "solve      other  "
               "residual     drift");
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        if (bench_begins(runs[i].name, options->only))
            failed |= bench_report(context, runs[i].name, run_line(context, options, &runs[i]));
    }
    return failed;
}

static int run_all_ladders(saddle_context *context, const bench_options *options)
{
    int failed = 0;
    puts(options->csv ? "ours/simbody,simbody ms,cells,ms,us a cell"
                      : "\naccelerations of ladders\n    /their    cells         ms    us a cell   "
                        "Simbody ms");
    for (size_t i = 0; i < sizeof ladders / sizeof *ladders; i++) {
        failed |= bench_report(context, "accelerations", run_ladder(context, options, ladders[i]));
    }
    return failed;
}

static int list(void)
{
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) puts(runs[i].name);
    puts("accelerations\npile");
    return 0;
}

int main(int argc, char **argv)
{
    static const char usage[] = "usage: bench multibody [--list] [--only NAME] [--csv]\n"
                                "  --list       the cases\n"
                                "  --only NAME  cases whose name begins so\n"
                                "  --csv        comma-separated values instead of tables\n";
    bench_options options = {0};
    if (bench_read_options(argc, argv, usage, &options)) return 2;
    if (options.list) return list();
    saddle_context *context = NULL;
    if (saddle_context_create(NULL, &context) != SADDLE_OK) return 5;
    int failed = run_all_steps(context, &options);
    if (bench_begins("accelerations", options.only)) failed |= run_all_ladders(context, &options);
    if (bench_begins("pile", options.only))
        failed |= bench_report(context, "pile", run_pile(context, &options));
    saddle_context_free(context);
    return failed;
}
