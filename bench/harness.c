/* SPDX-License-Identifier: MIT */
/* See harness.h. */
#include "harness.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the command line ---- */

typedef enum option_kind { FLAG, TEXT, POSITIVE, COUNT } option_kind;

static const struct option {
    const char *name;
    option_kind kind;
    size_t offset;
} options_known[] = {
    {"--list", FLAG, offsetof(bench_options, list)},
    {"--csv", FLAG, offsetof(bench_options, csv)},
    {"--cpu", FLAG, offsetof(bench_options, cpu)},
    {"--only", TEXT, offsetof(bench_options, only)},
    {"--method", TEXT, offsetof(bench_options, method)},
    {"--friction", TEXT, offsetof(bench_options, friction)},
    {"--budget", POSITIVE, offsetof(bench_options, budget)},
    {"--tolerance", POSITIVE, offsetof(bench_options, tolerance)},
    {"--largest", COUNT, offsetof(bench_options, largest)},
    {"--threads", COUNT, offsetof(bench_options, threads)},
    {"--repeat", COUNT, offsetof(bench_options, repeat)},
};

/* NULL: unknown, or not in usage. */
static const struct option *find_option(const char *name, const char *usage)
{
    char line[32];
    for (size_t k = 0; k < sizeof options_known / sizeof *options_known; k++) {
        snprintf(line, sizeof line, "\n  %s ", options_known[k].name);
        if (strcmp(name, options_known[k].name) == 0 && strstr(usage, line))
            return &options_known[k];
    }
    return NULL;
}

/* Nonzero: not a positive number. */
static int read_positive(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return *text == '\0' || *end != '\0' || !(*value > 0 && *value < 1e15);
}

static int read_count(const char *text, int64_t *count)
{
    double value;
    int wrong = read_positive(text, &value);
    *count = wrong ? 0 : (int64_t)value;
    return wrong || *count < 1;
}

int bench_read_options(int argc, char **argv, const char *usage, bench_options *options)
{
    int wrong = 0;
    for (int i = 1; !wrong && i < argc; i++) {
        const struct option *o = find_option(argv[i], usage);
        char *into = o ? (char *)options + o->offset : NULL;
        if (!o || (o->kind != FLAG && i + 1 == argc))
            wrong = 1;
        else if (o->kind == FLAG)
            *(int *)(void *)into = 1;
        else if (o->kind == TEXT)
            *(const char **)(void *)into = argv[++i];
        else if (o->kind == POSITIVE)
            wrong = read_positive(argv[++i], (double *)(void *)into);
        else
            wrong = read_count(argv[++i], (int64_t *)(void *)into);
    }
    if (wrong) fputs(usage, stderr);
    return wrong;
}

int bench_begins(const char *name, const char *begin)
{
    return !begin || strncmp(name, begin, strlen(begin)) == 0;
}

int bench_wanted(const char *name, const char *list)
{
    char begin[96];
    while (list) {
        size_t length = strcspn(list, ",");
        snprintf(begin, sizeof begin, "%.*s", (int)length, list);
        if (length > 0 && bench_begins(name, begin)) return 1;
        if (list[length] == '\0') return 0;
        list += length + 1;
    }
    return 1;
}

int bench_listed(const char *name, const char *list)
{
    while (list) {
        size_t length = strcspn(list, ",");
        int whole = strlen(name) >= length && (name[length] == '\0' || name[length] == '-');
        if (length > 0 && whole && strncmp(name, list, length) == 0) return 1;
        if (list[length] == '\0') return 0;
        list += length + 1;
    }
    return 1;
}

int bench_report(const saddle_context *context, const char *name, saddle_status status)
{
    if (status < 0) fprintf(stderr, "%s: %s\n", name, saddle_context_message(context));
    return status < 0;
}

/* ---- rows ---- */

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

void bench_print_row(const bench_options *options, const bench_row *row)
{
    int csv = options->csv;
    bench_print_number(csv, 7, "%.3g", row->ratio);
    printf(csv ? "%s,%s,%" PRId64 ",%" PRId64 ",%s,"
               : "  %-22s %-14s %8" PRId64 " %8" PRId64 "  %-13s",
           row->name, row->system, row->n, row->m, row->method);
    bench_print_number(csv, 10, "%.4g", row->seconds);
    bench_print_number(csv, 10, "%.4g", row->analyse);
    bench_print_number(csv, 10, "%.4g", row->factor);
    bench_print_number(csv, 10, "%.4g", row->solve);
    bench_print_number(csv, 10, "%.0f", (double)row->iterations);
    if (csv && row->residual < 0)
        printf("\n");
    else
        printf(row->residual < 0 ? "         -\n" : csv ? "%.1e\n" : " %9.1e\n", row->residual);
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
