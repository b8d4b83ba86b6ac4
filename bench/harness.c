/* SPDX-License-Identifier: MIT */
/* What the benchmark cases share: see harness.h. */
#include "harness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

bench_row bench_row_start(const char *name, const char *system, const char *method,
                          const saddle_problem *problem)
{
    bench_row row = {.name = name,
                     .system = system,
                     .method = method,
                     .n = problem->n,
                     .m = problem->m,
                     .ratio = -1,
                     .seconds = -1,
                     .analyse = -1,
                     .factor = -1,
                     .solve = -1,
                     .iterations = -1,
                     .residual = -1};
    return row;
}

void bench_print_head(const bench_options *options)
{
    if (options->csv)
        printf("ratio,case,system,n,m,method,seconds,analyse,factor,solve,iterations,residual\n");
    else
        printf("%8s  %-22s %-14s %8s %8s  %-13s %10s %10s %10s %10s %10s %9s\n", "ratio", "case",
               "system", "n", "m", "method", "seconds", "analyse", "factor", "solve", "iterations",
               "residual");
}

/* A number of the table, or "-" (an empty field of the CSV) where it is negative. */
static void print_number(const bench_options *options, int width, const char *format, double value)
{
    char text[32];
    if (value < 0)
        snprintf(text, sizeof text, "%s", options->csv ? "" : "-");
    else
        snprintf(text, sizeof text, format, value);
    printf(options->csv ? ",%*s" : " %*s", options->csv ? 0 : width, text);
}

void bench_print_row(const bench_options *options, const bench_row *row)
{
    char ratio[32] = "";
    if (row->ratio >= 0) snprintf(ratio, sizeof ratio, "%.3g", row->ratio);
    if (options->csv)
        printf("%s,%s,%s,%" PRId64 ",%" PRId64 ",%s", ratio, row->name, row->system, row->n, row->m,
               row->method);
    else
        printf("%8s  %-22s %-14s %8" PRId64 " %8" PRId64 "  %-13s", row->ratio >= 0 ? ratio : "-",
               row->name, row->system, row->n, row->m, row->method);
    print_number(options, 10, "%.4g", row->seconds);
    print_number(options, 10, "%.4g", row->analyse);
    print_number(options, 10, "%.4g", row->factor);
    print_number(options, 10, "%.4g", row->solve);
    print_number(options, 10, "%.0f", (double)row->iterations);
    print_number(options, 9, "%.1e", row->residual);
    printf("\n");
    fflush(stdout);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void bench_print_number(int csv, int width, const char *format, double value)
{
    char text[32] = "";
    if (value >= 0)
        snprintf(text, sizeof text, format, value);
    else if (!csv)
        snprintf(text, sizeof text, "-");
    if (csv)
        printf("%s,", text);
    else
        printf(" %*s", width, text);
}

double bench_median(double *seconds, int count)
{
    qsort(seconds, (size_t)count, sizeof *seconds, compare_doubles);
    return seconds[count / 2];
}
