/* SPDX-License-Identifier: MIT */
/* Eliminate or keep? A step costs saddle_elimination_form and a factorization by `ldlt`. The ratio,
 * a step of the choice over the lesser of all eliminated and all kept, measures the prediction by
 * symbolic analysis (below 1: a mixture is better than both). Links are the chain in maximal
 * coordinates, attached to each other and to their hinges' coordinates; all eliminated, the matrix
 * is dense, measured up to 100 links.  Processor time of this thread, medians.
 */
#include "tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "generators.h"
#include "saddle/saddle.h"

enum { REPEATS = 5, MOST_DENSE = 100 };

typedef struct choice_line {
    const char *name;
    int64_t links; /* 0 = bones */
    int64_t cells[3], frames[3];
} choice_line;

static const choice_line lines[] = {
    {"choice-links-10", 10, {0}, {0}},
    {"choice-links-100", 100, {0}, {0}},
    {"choice-links-1000", 1000, {0}, {0}},
    {"choice-links-10000", 10000, {0}, {0}},
    {"choice-bones-10", 0, {10, 10, 10}, {3, 3, 2}},
    {"choice-bones-20", 0, {20, 20, 20}, {4, 4, 2}},
};

enum { LINES = sizeof lines / sizeof *lines };

typedef struct choice_found {
    double create; /* seconds of saddle_elimination_create */
    double step;   /* of form and factor */
    saddle_elimination_report report;
} choice_found;

static saddle_status measure(saddle_context *context, const saddle_attachments *graph,
                             const saddle_problem *problem, saddle_wish wish, choice_found *found)
{
    saddle_elimination *e = NULL;
    saddle_solver *solver = NULL;
    double time[REPEATS];
    double began = bench_processor_seconds();
    saddle_status status = saddle_elimination_create(context, graph, problem, wish, NULL, NULL, &e);
    found->create = bench_processor_seconds() - began;
    if (status == SADDLE_OK) status = saddle_solver_create(context, "ldlt", NULL, &solver);
    if (status == SADDLE_OK) status = saddle_solver_analyse(solver, saddle_elimination_problem(e));
    for (int k = 0; status == SADDLE_OK && k < REPEATS; k++) {
        began = bench_processor_seconds();
        status = saddle_elimination_form(e, graph, problem);
        if (status == SADDLE_OK)
            status = saddle_solver_factor(solver, saddle_elimination_problem(e));
        time[k] = bench_processor_seconds() - began;
    }
    if (status == SADDLE_OK) {
        found->step = bench_median(time, REPEATS);
        found->report = saddle_elimination_report_of(e);
    }
    saddle_solver_free(solver);
    saddle_elimination_free(e);
    return status;
}

static saddle_status make(saddle_context *context, const choice_line *line, saddle_problem *problem,
                          saddle_attachments **graph)
{
    if (line->links > 0) {
        saddle_links_parameters p = saddle_links_default();
        p.chain.bodies = line->links;
        p.chain.torque = 0;
        return saddle_generate_links(context, &p, problem, graph);
    }
    saddle_bones_parameters p = saddle_bones_default();
    memcpy(p.block.cells, line->cells, sizeof p.block.cells);
    memcpy(p.frames, line->frames, sizeof p.frames);
    p.chained = 8;
    p.links = 4;
    return saddle_generate_bones(context, &p, problem, graph);
}

static void print(const bench_options *options, const choice_line *line,
                  const choice_found found[3])
{
    const saddle_elimination_report *r = &found[SADDLE_WISH_CHOOSE].report;
    double least = fmin(found[SADDLE_WISH_ELIMINATE].step, found[SADDLE_WISH_KEEP].step);
    const char *format = options->csv ? "%.3g,%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64
                                        ",%.3g,%.3g,%.3g,%.4g,%.4g,%.4g,%.4g\n"
                                      : "%7.3g  %-20s %7" PRId64 " %7" PRId64 " %7" PRId64
                                        " %7" PRId64 " %9.3g %9.3g %9.3g %9.3g %9.3g %9.3g %9.3g\n";
    printf(format, found[SADDLE_WISH_CHOOSE].step / least, line->name, r->n, r->eliminated, r->kept,
           r->reduced_n, r->work, r->work_eliminated, r->work_kept,
           found[SADDLE_WISH_CHOOSE].create, found[SADDLE_WISH_CHOOSE].step,
           found[SADDLE_WISH_ELIMINATE].step, found[SADDLE_WISH_KEEP].step);
    fflush(stdout);
}

static saddle_status run(saddle_context *context, const bench_options *options,
                         const choice_line *line)
{
    saddle_problem problem;
    saddle_attachments *graph;
    choice_found found[3] = {{0}};
    saddle_status status = make(context, line, &problem, &graph);
    for (int wish = 0; status == SADDLE_OK && wish < 3; wish++) {
        if (wish == SADDLE_WISH_ELIMINATE && line->links > MOST_DENSE)
            found[wish].step = (double)NAN;
        else
            status = measure(context, graph, &problem, (saddle_wish)wish, &found[wish]);
    }
    if (status == SADDLE_OK) print(options, line, found);
    saddle_attachments_free(graph);
    saddle_problem_clear(&problem);
    return status;
}

int bench_choice(saddle_context *context, const bench_options *options)
{
    int failed = 0;
    puts(options->csv ? "chosen/"
                        "best,system,n,eliminated,kept,reduced_n,work,work_eliminated,work_kept,"
                        "choosing,chosen,"
                        "all_eliminated,all_kept"
                      : "\n chosen                                                       predicted "
                        "work, all                "
                        "          a step [s], all\n  /best  system                     n   elim.  "
                        "  kept      n'   chosen "
                        "eliminate      keep  choosing    chosen eliminate      keep");
    for (int i = 0; i < LINES; i++) {
        if (bench_begins(lines[i].name, options->only))
            failed |= bench_report(context, lines[i].name, run(context, options, &lines[i]));
    }
    return failed;
}

void bench_choice_list(void)
{
    for (int i = 0; i < LINES; i++) puts(lines[i].name);
}
