/* SPDX-License-Identifier: MIT */
/* Dense complementarity problems by each of our solvers that supports the rows, and by Siconos,
 * ODE, Bullet and DART, in one run and one thread, at equal residual. */
#include <inttypes.h>
#include <stdio.h>

#include "clock.h"
#include "complementarity/files.h"
#include "complementarity/measure.h"
#include "complementarity/sparse.h"
#include "complementarity/warm.h"
#include "data_path.h"

typedef struct size {
    lcp_family family;
    int64_t n;
    int draws;
    const char *word, *file; /* of a file: its name in the table, and its place in the data
                                folder */
} size;

static const size sizes[] = {
    {LCP_PLAIN, 10, 5, NULL, NULL},
    {LCP_PLAIN, 30, 5, NULL, NULL},
    {LCP_PLAIN, 100, 5, NULL, NULL},
    {LCP_PLAIN, 300, 5, NULL, NULL},
    {LCP_PLAIN, 1000, 3, NULL, NULL},
    {LCP_SYMMETRIC, 10, 5, NULL, NULL},
    {LCP_SYMMETRIC, 30, 5, NULL, NULL},
    {LCP_SYMMETRIC, 100, 5, NULL, NULL},
    {LCP_SYMMETRIC, 300, 5, NULL, NULL},
    {LCP_SYMMETRIC, 1000, 3, NULL, NULL},
    {LCP_BOXED, 30, 5, NULL, NULL},
    {LCP_BOXED, 100, 5, NULL, NULL},
    {LCP_BOXED, 300, 5, NULL, NULL},
    {LCP_BOXED, 600, 3, NULL, NULL},
    {LCP_FRICTION, 30, 5, NULL, NULL},
    {LCP_FRICTION, 99, 5, NULL, NULL},
    {LCP_FRICTION, 300, 5, NULL, NULL},
    {LCP_FRICTION, 600, 3, NULL, NULL},
    {LCP_PLAIN, 26, 1, "lcp-mmc", "lcp_siconos/lcp_mmc.dat"},
};

static const char usage[] =
    "usage: complementarity [--list] [--only NAME,...] [--method NAME,...] [--csv] [--cpu]\n"
    "                       [--budget SECONDS] [--largest ROWS] [--repeat COUNT]\n"
    "  --list              the problems and the solvers\n"
    "  --only NAME,...     problems: lcp, lcp-1000, boxed, fem-441, discs, files, ...\n"
    "  --method NAME,...   solvers: pivot, siconos, siconos-lemke, ...\n"
    "  --csv               comma-separated values instead of a table\n"
    "  --cpu               processor time instead of wall clock, for a shared machine\n"
    "  --budget SECONDS    time limit of a solve; no repetition of longer than a tenth of it (20)\n"
    "  --largest ROWS      skip larger problems\n"
    "  --repeat COUNT      no more repetitions of a solve than these\n";

static int wanted(const bench_options *s, const size *z, char *name, size_t room)
{
    if (z->file)
        snprintf(name, room, "%s", z->word);
    else
        snprintf(name, room, "%s-%" PRId64, lcp_family_word[z->family], z->n);
    return bench_listed(name, s->only) && (s->largest == 0 || z->n <= s->largest);
}

/* Other programs, present or absent. */
static void print_peers(const bench_options *s)
{
    const lcp_peer *peer;
    for (int k = 0; !s->csv && (peer = lcp_peer_at(k)) != NULL; k++)
        if (bench_listed(peer->name, s->method))
            printf("%-15s %s%s\n", peer->name, peer->what, peer->solve ? "" : ": ABSENT");
}

static void measure_all(const bench_options *s, saddle_context *context, const lcp_problem *p,
                        lcp_block *block)
{
    const saddle_solver_type *type;
    const lcp_peer *peer;
    for (int64_t k = 0; (type = saddle_solver_type_at(context, k)) != NULL; k++) {
        if (!bench_listed(type->name, s->method) || block->count == LCP_LINES) continue;
        if (saddle_solver_type_supports(context, type, &p->problem) != SADDLE_OK) continue;
        lcp_measure_ours(s, type, p, block->draws, &block->line[block->count++]);
    }
    for (int k = 0; (peer = lcp_peer_at(k)) != NULL; k++) {
        int takes = peer->solve && (peer->takes >> p->family & 1) && p->n <= peer->largest;
        if (!takes || !bench_listed(peer->name, s->method) || block->count == LCP_LINES) continue;
        lcp_measure_peer(s, peer, p, block->draws, &block->line[block->count++]);
    }
}

static int run(const bench_options *s, saddle_context *context, const size *z)
{
    lcp_problem p[LCP_DRAWS] = {{0}};
    saddle_status status = SADDLE_OK;
    for (int d = 0; status == SADDLE_OK && d < z->draws; d++)
        status = z->file ? lcp_read(context, bench_data_path(z->file), NULL, &p[d])
                         : lcp_draw(context, z->family, z->n, (uint64_t)d + 1, &p[d]);
    if (status == SADDLE_OK) {
        lcp_block block = {.family = z->family, .file = z->word, .n = p[0].n, .draws = z->draws};
        measure_all(s, context, p, &block);
        lcp_print_block(&block, s->csv);
    } else if (!z->file) {
        fputs("complementarity: out of memory\n", stderr);
    }
    for (int d = 0; d < LCP_DRAWS; d++) lcp_clear(&p[d]);
    return status != SADDLE_OK && !z->file; /* the data folder may be absent */
}

/* Runs of many steps; their table is separate from the CSV of the other benchmarks. */
static int run_warm(const bench_options *s, saddle_context *context, int *any)
{
    int failed = 0;
    for (int k = 0; !failed && k < WARM_RUNS; k++) {
        if (!bench_listed(warm_runs[k].name, s->only) || s->largest > 0 ||
            (s->csv && s->only == NULL))
            continue;
        *any = 1;
        if (s->list)
            printf("%s\n", warm_runs[k].name);
        else
            failed = warm_print(context, s, &warm_runs[k]);
    }
    return failed;
}

/* Sparse systems and files, with tables of their own too. */
static int run_others(const bench_options *s, saddle_context *context, int *any)
{
    int failed = 0;
    for (int k = 0; !failed && k <= SPARSE_CASES; k++) {
        const char *name = k < SPARSE_CASES ? sparse_word[k] : "files";
        if (!bench_listed(name, s->only) || s->largest > 0 || (s->csv && s->only == NULL)) continue;
        *any = 1;
        if (s->list)
            printf("%s\n", name);
        else if (k < SPARSE_CASES)
            failed = sparse_print(context, s, (sparse_case)k);
        else
            failed = files_print(context, s);
    }
    return failed;
}

int main(int argc, char **argv)
{
    bench_options s = {.budget = 20};
    if (bench_read_options(argc, argv, usage, &s)) return 2;
    saddle_context *context;
    if (saddle_context_create(NULL, &context) != SADDLE_OK) return 1;
    bench_use_processor_time(s.cpu);
    print_peers(&s);
    if (!s.list) lcp_print_head(s.csv);
    int failed = 0;
    int any = 0;
    for (size_t k = 0; !failed && k < sizeof sizes / sizeof *sizes; k++) {
        char name[48];
        if (!wanted(&s, &sizes[k], name, sizeof name)) continue;
        any = 1;
        if (s.list)
            printf("%s\n", name);
        else
            failed = run(&s, context, &sizes[k]);
    }
    if (!failed) failed = run_warm(&s, context, &any);
    if (!failed) failed = run_others(&s, context, &any);
    saddle_context_free(context);
    if (!any) fputs("complementarity: no such problem; --list shows them\n", stderr);
    return failed ? 1 : any ? 0 : 2;
}
