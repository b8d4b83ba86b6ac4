/* SPDX-License-Identifier: MIT */
/* The benchmark program: every case over every family of generated systems.
 *
 *     bench [--list] [--only NAME] [--csv] [--budget SECONDS] [--largest UNKNOWNS]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

typedef struct bench_case {
    const char *name;
    const char *what;
    int (*run)(saddle_context *context, const bench_options *options, const char *name,
               const bench_family *family);
} bench_case;

static const bench_case cases[] = {
    {"checker", "the residual checker against plain sparse multiplies", bench_checker},
    {"solvers", "analyse, factor and solve of each registered solver", bench_solvers},
};

#define CASES (sizeof cases / sizeof cases[0])

static const char usage[] =
    "usage: bench [--list] [--only NAME] [--csv] [--budget SECONDS] [--largest UNKNOWNS]\n"
    "  --list              the cases\n"
    "  --only NAME         cases whose name begins so: solvers, solvers/hex, ...\n"
    "  --csv               comma-separated values instead of a table\n"
    "  --budget SECONDS    leave out what is foreseen to take longer (20)\n"
    "  --largest UNKNOWNS  leave out systems with more velocities and rows\n";

/* A positive number of the command line; NAN where it is none. */
static double positive(const char *text)
{
    char *end;
    double value = text != NULL ? strtod(text, &end) : NAN;
    return text != NULL && *text != '\0' && *end == '\0' && value > 0 && value < 1e15 ? value : NAN;
}

/* Nonzero on a usage error. */
static int read_options(int argc, char **argv, bench_options *options, int *list)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--list") == 0) {
            *list = 1;
        } else if (strcmp(argv[i], "--csv") == 0) {
            options->csv = 1;
        } else if (strcmp(argv[i], "--only") == 0 && value != NULL) {
            options->only = argv[++i];
        } else if (strcmp(argv[i], "--budget") == 0 && positive(value) > 0) {
            options->budget = positive(argv[++i]);
        } else if (strcmp(argv[i], "--largest") == 0 && positive(value) > 0) {
            options->largest = (int64_t)positive(argv[++i]);
        } else {
            return 1;
        }
    }
    return 0;
}

/* Every case over every family, named case/family. */
static int run_cases(saddle_context *context, const bench_options *options, int list)
{
    int matched = 0;
    for (size_t k = 0; k < CASES; k++)
        for (int f = 0; bench_family_at(f) != NULL; f++) {
            char name[64];
            snprintf(name, sizeof name, "%s/%s", cases[k].name, bench_family_at(f)->name);
            if (options->only != NULL && strncmp(name, options->only, strlen(options->only)) != 0)
                continue;
            if (!matched && !list) bench_print_head(options);
            matched = 1;
            if (list) {
                printf("%-20s %s\n", name, cases[k].what);
            } else if (cases[k].run(context, options, name, bench_family_at(f))) {
                fprintf(stderr, "bench: %s: %s\n", name, saddle_context_message(context));
                return 1;
            }
        }
    if (!matched) fprintf(stderr, "bench: no case \"%s\"; --list shows them\n", options->only);
    return matched ? 0 : 2;
}

int main(int argc, char **argv)
{
    bench_options options = {.budget = 20};
    int list = 0;
    saddle_context *context;
    if (read_options(argc, argv, &options, &list)) {
        fputs(usage, stderr);
        return 2;
    }
    if (saddle_context_create(NULL, &context) != SADDLE_OK) return 1;
    int status = run_cases(context, &options, list);
    saddle_context_free(context);
    return status;
}
