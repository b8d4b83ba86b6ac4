/* SPDX-License-Identifier: MIT */
/* Contact problems with friction cones by our solvers and by those of Siconos, in one run and one
 * thread: the public files, and walls, towers and heaps of any size; then elastic blocks and warm
 * stacks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "contact/blocks.h"
#include "contact/table.h"
#include "harness.h"

static const char usage[] =
    "usage: contact [--list] [--only NAME,...] [--method NAME,...] [--csv] [--cpu]\n"
    "               [--friction LAW] [--budget SECONDS] [--largest CONTACTS] [--tolerance ERROR]\n"
    "  --list              the problems and the solvers\n"
    "  --only NAME,...     problems by the begin of their names: fc3d, fclib/Cube, wall, tied ...\n"
    "  --method NAME,...   solvers: auto, siconos, siconos-admm, ...\n"
    "  --friction LAW      cone, or another law of all contacts: associated, ...; ours alone\n"
    "  --csv               comma-separated values instead of a table\n"
    "  --cpu               processor time instead of wall clock, for a shared machine\n"
    "  --budget SECONDS    time limit of a solve; no smaller tolerance after a solve of\n"
    "                      more than a tenth of it (10)\n"
    "  --largest CONTACTS  skip larger problems (6000)\n"
    "  --tolerance ERROR   of every solver in its own measure (ours: the default, others: 1e-8),\n"
    "                      smaller where another measure is not within it (1e-8)\n";

static const double tightest = 2e-14; /* tolerance */

static void print_methods(const bench_options *s)
{
    const contact_method *method;
    for (int k = 0; !s->csv && (method = contact_method_at(k)) != NULL; k++)
        if (bench_listed(method->name, s->method))
            printf("%-19s %s%s\n", method->name, method->what, method->solve ? "" : ": ABSENT");
}

static void print_head(const bench_options *s)
{
    print_methods(s);
    contact_print_head(s->csv);
}

/* Whether the answer is within the error by the measure at which the solver stops. */
static int is_within(const contact_method *method, const contact_result *result, double error)
{
    if (!method->ours) return contact_reached(result, CONTACT_BY_MAP, error);
    return result->seconds >= 0.0 && result->total <= error && !result->overgrown;
}

/* By the tolerance asked for, else by default (others: CONTACT_SOLVED), each solver in its own
 * measure; then by smaller ones until all measures are within the error asked for, CONTACT_SOLVED
 * by default; *by_map: the first run, *by_all: the last. */
static void measure_one(const bench_options *s, const contact_problem *p,
                        const contact_method *method, contact_result *by_map,
                        contact_result *by_all)
{
    double error = s->tolerance > 0.0 ? s->tolerance : CONTACT_SOLVED;
    double tolerance = s->tolerance > 0.0 || !method->ours ? error : 0.0;
    contact_measure(method, p, tolerance, s->budget, s->cpu, by_map);
    contact_print_result(p, method, by_map, error, s->csv);
    *by_all = *by_map;
    if (tolerance == 0.0) tolerance = saddle_options_default().tolerance;
    while (is_within(method, by_all, error) && !contact_reached(by_all, CONTACT_BY_ALL, error) &&
           by_all->seconds < 0.1 * s->budget && tolerance > tightest) {
        tolerance *= 0.1;
        contact_measure(method, p, tolerance, s->budget, s->cpu, by_all);
        contact_print_result(p, method, by_all, error, s->csv);
    }
}

static void measure_all(const bench_options *s, const contact_problem *p, contact_line *line)
{
    const contact_method *method;
    contact_line fresh = {.taken = {0}};
    *line = fresh;
    snprintf(line->name, sizeof line->name, "%s", p->name);
    line->condensing = p->seconds;
    contact_print_problem(p, s->csv);
    for (int k = 0; k < CONTACT_METHODS && (method = contact_method_at(k)) != NULL; k++) {
        line->taken[k] = bench_listed(method->name, s->method) && contact_method_takes(method, p);
        if (!line->taken[k]) continue;
        measure_one(s, p, method, &line->result[CONTACT_BY_MAP][k],
                    &line->result[CONTACT_BY_ALL][k]);
    }
}

static void run(const bench_options *s, saddle_context *context, const contact_source *source,
                contact_table *table)
{
    contact_problem p;
    saddle_status status = contact_open(context, source, s->friction, &p);
    if (status != SADDLE_OK)
        fprintf(stderr, "contact: %s is left out: %s\n", source->name,
                saddle_context_message(context));
    else if (p.problem.contact_count <= s->largest && table->count < CONTACT_PROBLEMS)
        measure_all(s, &p, &table->line[table->count++]);
    contact_close(&p);
}

/* Returns how many problems were asked for. */
static int run_set(const bench_options *s, saddle_context *context, contact_set set,
                   contact_table *table)
{
    int count, any = 0;
    contact_source *source = contact_sources(set, &count);
    table->count = 0;
    for (int k = 0; k < count; k++) {
        if (!bench_wanted(source[k].name, s->only)) continue;
        any++;
        if (s->list) {
            printf("%s\n", source[k].name);
            continue;
        }
        if (!table->headed) print_head(s);
        table->headed = 1;
        run(s, context, &source[k], table);
    }
    if (table->count > 0 && !s->csv) contact_print_summary(table);
    free(source);
    return any;
}

#ifndef SADDLE_BENCH_MUJOCO
int contact_run_mujoco(const bench_options *options, saddle_context *context)
{
    (void)context;
    if (options->list) puts("mujoco: ABSENT (libmujoco-dev)");
    if (!bench_wanted("mujoco", options->only)) return 0;
    if (!options->list)
        fputs("contact: MuJoCo's problems are left out: no libmujoco-dev\n", stderr);
    return 1;
}
#endif

int main(int argc, char **argv)
{
    bench_options s = {.budget = 10, .largest = 6000};
    if (bench_read_options(argc, argv, usage, &s)) return 2;
    saddle_context *context;
    contact_table *table = malloc(sizeof *table);
    saddle_context_options services = saddle_context_options_default();
    services.progress = contact_is_late;
    if (!table || saddle_context_create(&services, &context) != SADDLE_OK) return 1;
    bench_use_processor_time(s.cpu);
    if (s.list) print_methods(&s);
    table->headed = 0;
    int any = 0;
    for (int set = 0; set < CONTACT_SETS; set++)
        any += run_set(&s, context, (contact_set)set, table);
    any += contact_run_blocks(&s, context);
    any += contact_run_warm(&s, context);
    any += contact_run_mujoco(&s, context);
    saddle_context_free(context);
    free(table);
    if (any == 0) fputs("contact: no such problem; --list shows them\n", stderr);
    return any > 0 ? 0 : 2;
}
