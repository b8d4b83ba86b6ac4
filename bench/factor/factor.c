/* SPDX-License-Identifier: MIT */
/* Factorizations of symmetric systems side by side: ours, MUMPS, UMFPACK, CHOLMOD and LAPACK in one
 * run, one BLAS thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "factor/table.h"

static const char usage[] =
    "usage: factor [--list] [--only NAME,...] [--method NAME,...] [--csv] [--cpu]\n"
    "              [--budget SECONDS] [--largest UNKNOWNS] [--threads COUNT] [--repeat COUNT]\n"
    "  --list              the systems and the factorizations\n"
    "  --only NAME,...     systems by the begin of their names: hex, hex-20, kkt_sqd, ...\n"
    "  --method NAME,...   factorizations: ldlt, mumps, cholmod-metis, ...\n"
    "  --csv               comma-separated values instead of a table\n"
    "  --cpu               processor time, for a shared machine; of mumps-mpi wall clock\n"
    "  --budget SECONDS    skip phases with a longer predicted time (20)\n"
    "  --largest UNKNOWNS  skip larger systems\n"
    "  --threads COUNT     our engine a second time with this number of threads\n"
    "  --repeat COUNT      no more repetitions of a phase than these\n";

/* The factorizations, present or absent. */
static void print_peers(const bench_options *options)
{
    for (int k = 0; bench_peer_at(k) != NULL; k++) {
        const bench_peer *peer = bench_peer_at(k);
        if (!bench_listed(peer->name, options->method) || (options->csv && !options->list))
            continue;
        printf("%-14s %s%s\n", peer->name, peer->what,
               bench_peer_available(peer) ? "" : ": ABSENT");
    }
}

static void fill_block(const bench_system *system, table_block *block)
{
    table_block fresh = {.unknowns = system->kkt.K.rows,
                         .entries = saddle_matrix_entries(&system->kkt.K),
                         .bodies = system->bodies,
                         .positive = system->definite ? system->problem.n : -1,
                         .whole = {.all = -1}};
    *block = fresh;
    snprintf(block->system, sizeof block->system, "%s", system->name);
}

/* Every factorization on one system. */
static int measure_system(const bench_options *options, const bench_system *system,
                          measure_past *past, table_block *block)
{
    int failed = 0;
    fill_block(system, block);
    if (block->unknowns > 5000) block->dgemm = measure_dgemm(options);
    if (block->unknowns > 0 && block->unknowns <= WHOLE_LARGEST &&
        bench_listed("ldlt", options->method))
        failed = whole_measure(system, &block->whole);
    for (int k = 0; !failed && bench_peer_at(k) != NULL; k++) {
        const bench_peer *peer = bench_peer_at(k);
        if (!bench_listed(peer->name, options->method) || !bench_peer_available(peer) ||
            (peer->largest > 0 && block->unknowns > peer->largest) ||
            block->unknowns < peer->smallest)
            continue;
        bench_options one = *options;
        one.threads = 1;
        failed = measure_peer(&one, peer, system, &past[k], &block->line[block->count++]);
        if (!failed && options->threads > 1 && strcmp(peer->name, "ldlt") == 0)
            failed = measure_peer(options, peer, system, &past[k], &block->line[block->count++]);
    }
    return failed;
}

/* A line of the list; *blocks is incremented where the line was measured. */
static int run_line(const bench_options *options, saddle_context *context, const system_line *line,
                    measure_past *past, table_block *block, int64_t *blocks)
{
    bench_system system;
    saddle_status status = bench_system_build(context, line, &system);
    if (status == SADDLE_UNSUPPORTED) {
        fprintf(options->csv ? stderr : stdout, "%s: left out, %s\n", line->name,
                saddle_context_message(context));
        return 0;
    }
    if (status != SADDLE_OK) {
        fprintf(stderr, "factor: %s: %s\n", line->name, saddle_context_message(context));
        return 1;
    }
    int failed = 0;
    if (options->largest == 0 || system.kkt.K.rows <= options->largest) {
        failed = measure_system(options, &system, past, block + *blocks);
        if (!failed) table_print(block + (*blocks)++, options->csv);
    }
    bench_system_clear(&system);
    return failed;
}

static int run(const bench_options *options, const system_list *list)
{
    saddle_context *context;
    measure_past past[TABLE_MOST] = {{0}};
    table_block *block = calloc((size_t)list->count + 1, sizeof *block);
    int64_t blocks = 0;
    int failed = block == NULL || saddle_context_create(NULL, &context) != SADDLE_OK;
    if (failed) {
        free(block);
        return 1;
    }
    table_print_head(options->csv);
    int64_t met = 0;
    for (int64_t k = 0; !failed && k < list->count; k++) {
        if (!bench_wanted(list->line[k].name, options->only)) continue;
        met++;
        failed = run_line(options, context, &list->line[k], past, block, &blocks);
    }
    if (!failed) table_print_wholes(block, blocks, options->csv);
    if (!failed && met == 0) fprintf(stderr, "factor: no such system; --list shows them\n");
    saddle_context_free(context);
    free(block);
    return failed ? 1 : met == 0 ? 2 : 0;
}

int main(int argc, char **argv)
{
    bench_options options = {.budget = 20, .threads = 1};
    if (bench_read_options(argc, argv, usage, &options)) return 2;
    const char *given = getenv("SADDLE_DATA");
    system_list list;
    if (system_list_create(SADDLE_SOURCE_DIR "/data",
                           given != NULL && *given != '\0' ? given
                                                           : SADDLE_SOURCE_DIR "/../shared/data",
                           &list)) {
        fputs("factor: out of memory\n", stderr);
        return 1;
    }
    if (list.missing[0] != '\0')
        fprintf(stderr, "factor: systems of %s are left out: it is absent\n", list.missing);
    print_peers(&options);
    int status = 0;
    if (options.list)
        for (int64_t k = 0; k < list.count; k++) {
            if (bench_wanted(list.line[k].name, options.only)) printf("%s\n", list.line[k].name);
        }
    else
        status = run(&options, &list);
    system_list_clear(&list);
    return status;
}
