/* SPDX-License-Identifier: MIT */
/* Writes the generated systems of the benchmarks as bundles, for `saddle bench`:
 *
 *     write_systems FOLDER LEAST MOST      those of LEAST < n + m <= MOST, as FOLDER/family-size
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness.h"
#include "saddle/files.h"

static int write_one(saddle_context *context, const char *folder, const bench_family *family,
                     int64_t size, int64_t least, int64_t most)
{
    char path[4096];
    saddle_problem problem = {0};
    saddle_status status = family->build(context, size, &problem);
    const int64_t unknowns = problem.n + problem.m;
    snprintf(path, sizeof path, "%.3900s/%s-%" PRId64, folder, family->name, size);
    if (status == SADDLE_OK && unknowns > least && unknowns <= most)
        status = saddle_problem_write(context, path, SADDLE_FORMAT_BUNDLE, &problem);
    saddle_problem_clear(&problem);
    return bench_report(context, path, status);
}

int main(int argc, char **argv)
{
    saddle_context *context;
    int failed = 0;
    if (argc != 4) {
        fprintf(stderr, "usage: write_systems FOLDER LEAST MOST\n");
        return 2;
    }
    if (saddle_context_create(NULL, &context) != SADDLE_OK) return 1;
    for (int f = 0; bench_family_at(f) != NULL; f++)
        for (int k = 0; !failed && k < bench_family_at(f)->sizes; k++)
            failed = write_one(context, argv[1], bench_family_at(f), bench_family_at(f)->size[k],
                               strtoll(argv[2], NULL, 10), strtoll(argv[3], NULL, 10));
    saddle_context_free(context);
    return failed;
}
