/* SPDX-License-Identifier: MIT */
/* The benchmark program: every case over every family of generated systems.
 *
 *     bench [--list] [--only NAME] [--csv] [--budget SECONDS] [--largest UNKNOWNS]
 */
#include <stdio.h>

#include "harness.h"

typedef struct bench_case {
    const char *name;
    const char *what;
    const bench_family *(*family)(int index);
    int (*run)(saddle_context *context, const bench_options *options, const char *name,
               const bench_family *family);
} bench_case;

static const bench_case cases[] = {
    {"checker", "the residual checker against plain sparse multiplies", bench_family_at,
     bench_checker},
    {"rank", "dependent rows found, bounded ones and contacts among them", bench_rank_family_at,
     bench_rank},
    {"solvers", "analyse, factor and solve of each registered solver", bench_family_at,
     bench_solvers},
};

static const char usage[] =
    "usage: bench [--list] [--only NAME] [--csv] [--budget SECONDS] [--largest UNKNOWNS]\n"
    "  --list              the cases\n"
    "  --only NAME         cases whose name begins so: solvers, solvers/hex, ...\n"
    "  --csv               comma-separated values instead of a table\n"
    "  --budget SECONDS    skip runs with a longer predicted time (20)\n"
    "  --largest UNKNOWNS  skip systems with more velocities and rows\n";

/* Every case over every family of its own, named case/family. */
static int run_cases(saddle_context *context, const bench_options *options)
{
    int matched = 0;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int f = 0; cases[k].family(f) != NULL; f++) {
            const bench_family *family = cases[k].family(f);
            char name[64];
            snprintf(name, sizeof name, "%s/%s", cases[k].name, family->name);
            if (!bench_begins(name, options->only)) continue;
            if (!matched && !options->list) bench_print_head(options);
            matched = 1;
            if (options->list) {
                printf("%-20s %s\n", name, cases[k].what);
            } else if (cases[k].run(context, options, name, family)) {
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
    saddle_context *context;
    if (bench_read_options(argc, argv, usage, &options)) return 2;
    if (saddle_context_create(NULL, &context) != SADDLE_OK) return 1;
    int status = run_cases(context, &options);
    saddle_context_free(context);
    return status;
}
