/* SPDX-License-Identifier: MIT */
/* See table.h: lines and summary. */
#include "contact/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "harness.h"

/* A solver of ours is slow on a problem beyond this ratio and this time. */
static const double ratio_at_most = 2.0, seconds_at_most = 50e-6;

/* ---- the lines ---- */

void contact_print_head(int csv)
{
    if (csv)
        printf("problem,n,m,contacts,condensing,method,seconds,iterations,total,natural_map,"
               "natural_map_q,"
               "tolerance,by_map,by_all,repetitions,note\n");
    else
        printf("Milliseconds from zeros to the answer, medians.  Errors: the checker's total, the "
               "natural map over\nmax(|q|, |r|, |u|) and over |q|.  Ours begin with create; others "
               "with W and q: where n > 0 their\ncondensation is not in their times; "
               "condensed-auto with W and q, siconos-global-admm with M and J.  A tolerance\nis of "
               "their own measure.\n");
}

void contact_print_problem(const contact_problem *p, int csv)
{
    if (csv) return;
    printf("\n%s: n = %" PRId64 ", m = %" PRId64 ", %" PRId64 " contacts", p->name, p->problem.n,
           p->problem.m, p->problem.contact_count);
    if (p->problem.n > 0) printf(", condensed in %.4g ms", 1e3 * p->seconds);
    printf("\n");
}

static void print_error(int csv, double error)
{
    bench_print_number(csv, 8, "%.1e", error < (double)INFINITY ? error : -1.0);
}

void contact_print_result(const contact_problem *p, const contact_method *method,
                          const contact_result *result, double error, int csv)
{
    int map = contact_reached(result, CONTACT_BY_MAP, error);
    int all = contact_reached(result, CONTACT_BY_ALL, error);
    double seconds = result->seconds;
    if (csv)
        printf("%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%.4g,%s,", p->name, p->problem.n,
               p->problem.m, p->problem.contact_count, p->seconds, method->name);
    else
        printf("  %-19s", method->name);
    bench_print_number(csv, 10, "%.4g", csv || seconds < 0 ? seconds : 1e3 * seconds);
    bench_print_number(csv, 8, "%.0f", (double)result->iterations);
    print_error(csv, result->total);
    print_error(csv, result->natural_map);
    print_error(csv, result->natural_map_q);
    bench_print_number(csv, 6, "%.0e", result->tolerance);
    if (csv)
        printf("%d,%d,%" PRId64 ",%s\n", map, all, result->repetitions, result->note);
    else
        printf("  %-8s %s\n", all ? "" : map ? "map only" : "NO", result->note);
    fflush(stdout);
}

/* ---- the summary ---- */

static int solves(const contact_line *line, int method, contact_measure_kind kind, double error)
{
    return line->taken[method] && contact_reached(&line->result[kind][method], kind, error);
}

static void print_counts(const contact_table *table)
{
    const contact_method *method;
    printf("\n%-19s %6s %8s %8s %8s\n", "solved", "taken", "map 1e-8", "all 1e-8", "all 1e-12");
    for (int k = 0; (method = contact_method_at(k)) != NULL; k++) {
        int taken = 0, map = 0, all = 0, far = 0;
        for (int i = 0; i < table->count; i++) {
            const contact_line *line = &table->line[i];
            taken += line->taken[k];
            map += solves(line, k, CONTACT_BY_MAP, CONTACT_SOLVED);
            all += solves(line, k, CONTACT_BY_ALL, CONTACT_SOLVED);
            far += solves(line, k, CONTACT_BY_ALL, 1e-12);
        }
        if (taken > 0) printf("%-19s %6d %8d %8d %8d\n", method->name, taken, map, all, far);
    }
}

/* The fastest of the others that solve from W and q on; -1: none. */
static int best_of_others(const contact_line *line, contact_measure_kind kind)
{
    const contact_method *method;
    int best = -1;
    for (int k = 0; (method = contact_method_at(k)) != NULL; k++) {
        if (method->ours || !method->condensed || !solves(line, k, kind, CONTACT_SOLVED)) continue;
        if (best < 0 || line->result[kind][k].seconds < line->result[kind][best].seconds) best = k;
    }
    return best;
}

typedef struct comparison {
    int both, alone, others_alone;
    double ours, others; /* seconds together, where both solve */
    double condensing;   /* of the same problems, where the method is not handed W [s] */
    double logarithms;   /* of the ratios, summed up */
    double worst;        /* ratio, beyond seconds_at_most */
    const char *where;
} comparison;

static comparison compare(const contact_table *table, int method, contact_measure_kind kind)
{
    comparison c = {.where = "-"};
    for (int i = 0; i < table->count; i++) {
        const contact_line *line = &table->line[i];
        if (!line->taken[method]) continue;
        int solved = solves(line, method, kind, CONTACT_SOLVED);
        int other = best_of_others(line, kind);
        c.alone += solved && other < 0;
        c.others_alone += !solved && other >= 0;
        if (!solved || other < 0) continue;
        double seconds = line->result[kind][method].seconds;
        double best = line->result[kind][other].seconds;
        c.both++;
        c.ours += seconds;
        c.others += best;
        if (!contact_method_at(method)->condensed) c.condensing += line->condensing;
        c.logarithms += log(seconds / best);
        if (seconds > seconds_at_most && seconds / best > c.worst) {
            c.worst = seconds / best;
            c.where = line->name;
        }
    }
    return c;
}

/* Where the method takes more than twice the time of the best of the others, and 50 us. */
static void print_slow(const contact_table *table, int method, contact_measure_kind kind)
{
    for (int i = 0; i < table->count; i++) {
        const contact_line *line = &table->line[i];
        int other = best_of_others(line, kind);
        if (!solves(line, method, kind, CONTACT_SOLVED) || other < 0) continue;
        double seconds = line->result[kind][method].seconds;
        double best = line->result[kind][other].seconds;
        if (seconds > seconds_at_most && seconds > ratio_at_most * best)
            printf("  %6.2f (with W %6.2f)  %-42s %10.4g ms; %s %.4g ms\n", seconds / best,
                   seconds / (best + line->condensing), line->name, 1e3 * seconds,
                   contact_method_at(other)->name, 1e3 * best);
    }
}

static const char *const measure_word[CONTACT_MEASURES] = {
    "the natural map over max(|q|, |r|, |u|)",
    "both natural maps and the checker's total",
};

static void print_comparison_line(const contact_method *method, const comparison *c)
{
    printf("%-19s %6d %6d %6d %10.4g %10.4g", method->name, c->both, c->alone, c->others_alone,
           c->ours, c->others);
    if (c->both > 0)
        printf(" %7.3g %7.3g %7.3g %7.3g  %s\n", c->ours / c->others,
               c->ours / (c->others + c->condensing), exp(c->logarithms / c->both), c->worst,
               c->where);
    else
        printf(" %7s %7s %7s %7s  -\n", "-", "-", "-", "-");
}

static void print_comparison(const contact_table *table, contact_measure_kind kind)
{
    const contact_method *method;
    printf("\nBeside the best of Siconos from W and q on, problem by problem; solved: %s <= 1e-8\n"
           "with W: with the time of the condensation added to theirs, but for ours handed W too; "
           "mean: "
           "geometric, of the\nratios; worst: beyond 50 us\n"
           "%-19s %6s %6s %6s %10s %10s %7s %7s %7s %7s  %s\n",
           measure_word[kind], "", "both", "alone", "others", "total [s]", "best [s]", "ratio",
           "with W", "mean", "worst", "where");
    for (int k = 0; (method = contact_method_at(k)) != NULL; k++) {
        comparison c = compare(table, k, kind);
        if (method->ours && c.both + c.alone + c.others_alone > 0)
            print_comparison_line(method, &c);
    }
    printf("auto more than 2 times the best, and 50 us:\n");
    print_slow(table, 0, kind);
}

void contact_print_summary(const contact_table *table)
{
    print_counts(table);
    for (int kind = 0; kind < CONTACT_MEASURES; kind++) {
        print_comparison(table, (contact_measure_kind)kind);
        contact_print_profile(table, (contact_measure_kind)kind);
    }
}
