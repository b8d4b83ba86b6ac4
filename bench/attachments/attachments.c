/* SPDX-License-Identifier: MIT */
/* Attachments eliminated: the cost of the elimination of a block on bones in factorizations of the
 * reduced problem, beside CHOLMOD's two sparse products P M P' on the same data; the cost of passes
 * along a chain in passes over its blocks.  Processor time of this thread, medians.
 *
 *     form / factor     saddle_elimination_form over one factorization of the reduced KKT
 *                       matrix by the engine                                            bar 0.05
 *     products / form   P M and (P M) P', each with sorted columns, over
 *                       saddle_elimination_form                                         bar 5
 *     words / nnz       words of 8 bytes held, with the reduced problem and its names,
 *                       per stored entry of M' and J'                                   bar 3
 *     pull / pass       saddle_map_pull over a pass that sums the blocks' entries       bar 3
 *
 * The bars hold from bones-30 on. */
#include <cholmod.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elimination.h"
#include "factor/factorization.h"
#include "generators.h"
#include "problem/kkt.h"
#include "tables.h"

enum { REPEATS = 9, FACTOR_REPEATS = 3 };

/* ---- a block on bones ---- */

typedef struct bones_line {
    const char *name;
    int64_t cells[3], frames[3], chained, links;
    int incompressible, scattered;
} bones_line;

static const bones_line bones[] = {
    {"bones-10", {10, 10, 10}, {3, 3, 2}, 8, 4, 0, 0},
    {"bones-20", {20, 20, 20}, {4, 4, 2}, 16, 4, 0, 0},
    {"bones-30", {30, 30, 31}, {5, 5, 4}, 40, 4, 0, 0},
    {"bones-30-rows", {30, 30, 31}, {5, 5, 4}, 40, 4, 1, 0},
    {"bones-30-scattered", {30, 30, 31}, {5, 5, 4}, 40, 4, 0, 1},
};

static const int64_t chains[] = {1000, 10000, 100000, 1000000};

/* Seconds of one factorization of the problem's KKT matrix. */
static saddle_status measure_factor(saddle_context *context, const saddle_problem *problem,
                                    double *seconds)
{
    saddle__kkt kkt = {0};
    saddle__factorization *F = NULL;
    double time[FACTOR_REPEATS];
    saddle_status status = saddle__kkt_create(context, problem, 0, &kkt);
    if (status == SADDLE_OK)
        status = saddle__factorization_create(context, "ldlt", SADDLE_ORDERING_BEST, &F);
    if (status == SADDLE_OK) saddle__kkt_refresh(&kkt, problem, NULL);
    if (status == SADDLE_OK) status = saddle__factorization_analyse(F, &kkt.K);
    for (int k = 0; status == SADDLE_OK && k < FACTOR_REPEATS; k++) {
        double began = bench_processor_seconds();
        status = saddle__factorization_factor(F, &kkt.K, NULL, 0);
        time[k] = bench_processor_seconds() - began;
    }
    saddle__factorization_free(F);
    saddle__kkt_clear(&kkt);
    if (status == SADDLE_OK) *seconds = bench_median(time, FACTOR_REPEATS);
    return status;
}

/* P = Q' (n' x n), from the composed map of a formed elimination. */
static cholmod_sparse *explicit_map(const saddle_elimination *e, cholmod_common *common)
{
    const saddle_map *map = e->map;
    const saddle__composition *Q = &e->Q;
    size_t entries = (size_t)(map->active_count + Q->Q_start[map->units]);
    cholmod_sparse *P = cholmod_l_allocate_sparse((size_t)map->active_count, (size_t)map->n,
                                                  entries, 1, 1, 0, CHOLMOD_REAL, common);
    int64_t *start = P ? P->p : NULL;
    int64_t *index = P ? P->i : NULL;
    double *value = P ? P->x : NULL;
    int64_t p = 0;
    for (int64_t i = 0; P && i < map->n; i++) {
        start[i] = p;
        int64_t row = SADDLE__ATTACHED_ROW(map->to[i]);
        int64_t u = row >= 0 ? Q->unit_of_row[row] : 0;
        for (int64_t r = row >= 0 ? Q->root_start[u] : 0; row >= 0 && r < Q->root_start[u + 1]; r++)
            for (int64_t w = 0; w < saddle__component_width(map, Q->root[r]); w++) {
                index[p] = map->column[Q->root[r]] + w;
                value[p++] = Q->Q[Q->Q_start[u] + (row - map->row_start[u]) * Q->width[u] +
                                  Q->offset[r] + w];
            }
        if (map->to[i] < 0) continue;
        index[p] = map->to[i];
        value[p++] = 1;
    }
    if (P) start[map->n] = p;
    return P;
}

/* Seconds of P M and (P M) P', and the largest difference to M' over its largest entry. */
static int measure_products(const saddle_elimination *e, const saddle_problem *full,
                            double *seconds, double *difference)
{
    const saddle_problem *reduced = saddle_elimination_problem(e);
    cholmod_common common;
    cholmod_l_start(&common);
    cholmod_sparse M = {.nrow = (size_t)full->n,
                        .ncol = (size_t)full->n,
                        .nzmax = (size_t)saddle_matrix_entries(&full->M),
                        .p = full->M.start,
                        .i = full->M.index,
                        .x = full->M.value,
                        .stype = -1,
                        .itype = CHOLMOD_LONG,
                        .xtype = CHOLMOD_REAL,
                        .dtype = CHOLMOD_DOUBLE,
                        .sorted = 1,
                        .packed = 1};
    double time[FACTOR_REPEATS];
    cholmod_sparse *P = explicit_map(e, &common);
    cholmod_sparse *Q = P ? cholmod_l_transpose(P, 1, &common) : NULL;
    cholmod_sparse *C = NULL;
    for (int k = 0; Q && k < FACTOR_REPEATS; k++) {
        cholmod_l_free_sparse(&C, &common);
        double began = bench_processor_seconds();
        cholmod_sparse *PM = cholmod_l_ssmult(P, &M, 0, 1, 0, &common);
        C = PM ? cholmod_l_ssmult(PM, Q, -1, 1, 1, &common) : NULL;
        time[k] = bench_processor_seconds() - began;
        cholmod_l_free_sparse(&PM, &common);
        if (!C) break;
    }
    int found = C != NULL;
    *difference = 0;
    for (int64_t j = 0; found && j < reduced->n; j++)
        for (int64_t k = ((int64_t *)C->p)[j]; k < ((int64_t *)C->p)[j + 1]; k++) {
            double gap = ((double *)C->x)[k] -
                         saddle_matrix_entry(&reduced->M, ((int64_t *)C->i)[k], j);
            gap = gap < 0 ? -gap : gap;
            if (!(gap <= *difference)) *difference = gap;
        }
    if (found) *seconds = bench_median(time, FACTOR_REPEATS);
    *difference /= saddle_matrix_norm_max(&reduced->M);
    cholmod_l_free_sparse(&C, &common);
    cholmod_l_free_sparse(&Q, &common);
    cholmod_l_free_sparse(&P, &common);
    cholmod_l_finish(&common);
    return found ? 0 : 1;
}

typedef struct bones_found {
    double create, form, factor, products, difference;
    saddle_map_size map;
    int64_t bytes, mass_entries, entries; /* held; of M'; of M' and J' */
} bones_found;

static saddle_status measure_bones(saddle_context *context, const saddle_attachments *graph,
                                   const saddle_problem *problem, bones_found *found)
{
    saddle_elimination *e;
    double time[REPEATS];
    int64_t held = saddle_context_memory(context).bytes;
    double began = bench_processor_seconds();
    saddle_status status = saddle_elimination_create(context, graph, problem, SADDLE_WISH_ELIMINATE,
                                                     NULL, NULL, &e);
    found->create = bench_processor_seconds() - began;
    found->bytes = saddle_context_memory(context).bytes - held;
    for (int k = 0; status == SADDLE_OK && k < REPEATS; k++) {
        began = bench_processor_seconds();
        status = saddle_elimination_form(e, graph, problem);
        time[k] = bench_processor_seconds() - began;
    }
    if (status == SADDLE_OK) {
        const saddle_problem *reduced = saddle_elimination_problem(e);
        found->form = bench_median(time, REPEATS);
        found->map = saddle_map_size_of(saddle_elimination_map(e));
        found->mass_entries = saddle_matrix_entries(&reduced->M);
        found->entries = found->mass_entries + saddle_matrix_entries(&reduced->Jt);
        status = measure_factor(context, reduced, &found->factor);
        if (status == SADDLE_OK &&
            measure_products(e, problem, &found->products, &found->difference))
            status = SADDLE_OUT_OF_MEMORY;
    }
    saddle_elimination_free(e);
    return status;
}

static void print_bones(const bench_options *options, const char *name, const bones_found *found)
{
    const char *format = options->csv ? "%.3g,%.3g,%.3g,%s,%" PRId64 ",%" PRId64 ",%" PRId64
                                        ",%" PRId64 ",%.4g,%.4g,%.4g,%.4g,%.1e\n"
                                      : "%8.3g %8.3g %6.3g  %-18s %7" PRId64 " %7" PRId64
                                        " %5" PRId64 " %9" PRId64
                                        " %9.4g %9.4g %9.4g %9.4g %8.1e\n";
    double words = (double)found->bytes / 8 / (double)found->entries;
    printf(format, found->form / found->factor, found->products / found->form, words, name,
           found->map.n, found->map.active, found->map.depth, found->mass_entries, found->create,
           found->form, found->factor, found->products, found->difference);
    fflush(stdout);
}

static saddle_status run_bones(saddle_context *context, const bench_options *options,
                               const bones_line *line)
{
    saddle_problem problem;
    saddle_attachments *graph;
    saddle_bones_parameters p = saddle_bones_default();
    memcpy(p.block.cells, line->cells, sizeof p.block.cells);
    memcpy(p.frames, line->frames, sizeof p.frames);
    p.chained = line->chained;
    p.links = line->links;
    p.block.incompressible = line->incompressible;
    p.scattered = line->scattered;
    saddle_status status = saddle_generate_bones(context, &p, &problem, &graph);
    bones_found found = {0};
    if (status == SADDLE_OK) status = measure_bones(context, graph, &problem, &found);
    if (status == SADDLE_OK) print_bones(options, line->name, &found);
    saddle_attachments_free(graph);
    saddle_problem_clear(&problem);
    return status;
}

/* ---- passes along a chain ---- */

static saddle_status build_chain(saddle_context *context, int64_t links, saddle_map **map)
{
    static const double A[36] = {1, 0, 0, 0, 0, 0, 0, 1, 0,    0, 0, 0, 0, 0,   1, 0, 0, 0,
                                 0, 0, 0, 1, 0, 0, 0, 0, -0.5, 0, 1, 0, 0, 0.5, 0, 0, 0, 1};
    saddle_attachments *graph;
    saddle_status status = saddle_attachments_create(context, &graph);
    for (int64_t k = 0; status == SADDLE_OK && k <= links; k++) {
        saddle_component component = {.id = k, .kind = SADDLE_COMPONENT_FRAME};
        saddle_attachment_block block = {.master = k - 1, .rows = 6, .cols = 6, .value = A};
        saddle_attachment attachment = {.component = k, .block_count = 1, .blocks = &block};
        status = saddle_attachments_add(graph, &component);
        if (status == SADDLE_OK && k > 0) status = saddle_attachments_attach(graph, &attachment);
    }
    if (status == SADDLE_OK) status = saddle_map_create(context, graph, map);
    saddle_attachments_free(graph);
    return status;
}

/* One pass over what the blocks' entries take, in memory and nothing else. */
static double add_up(const double *value, int64_t count)
{
    double sum[8] = {0};
    for (int64_t i = 0; i + 8 <= count; i += 8)
        for (int64_t k = 0; k < 8; k++) sum[k] += value[i + k];
    return sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7];
}

static saddle_status run_chain(saddle_context *context, const bench_options *options,
                               const char *name, int64_t links)
{
    saddle_map *map = NULL;
    saddle_status status = build_chain(context, links, &map);
    if (status != SADDLE_OK) return status;
    int64_t n = map->n;
    double *v = calloc((size_t)n, sizeof *v);
    double u[6] = {1, 2, 3, 0.1, 0.2, 0.3};
    double pull[REPEATS], push[REPEATS], pass[REPEATS];
    double kept = 0;
    for (int k = 0; v && k < REPEATS; k++) {
        double began = bench_processor_seconds();
        kept += add_up(map->value, map->value_start[map->units]);
        double passed = bench_processor_seconds();
        saddle_map_push(map, u, v);
        double pushed = bench_processor_seconds();
        saddle_map_pull(map, v, u);
        pull[k] = bench_processor_seconds() - pushed;
        push[k] = pushed - passed;
        pass[k] = passed - began;
        for (int i = 0; i < 6; i++) u[i] = 1 + 1e-300 * kept;
    }
    if (v) {
        double one = bench_median(pass, REPEATS);
        double push_time = bench_median(push, REPEATS);
        double pull_time = bench_median(pull, REPEATS);
        const char *format = options->csv ? "%.3g,%.3g,%s,%.4g,%.4g,%.4g\n"
                                          : "%8.3g %8.3g  %-18s %9.4g %9.4g %9.4g\n";
        printf(format, pull_time / one, push_time / one, name, 1e9 * pull_time / (double)links,
               1e9 * push_time / (double)links, 1e9 * one / (double)links);
    }
    free(v);
    saddle_map_free(map);
    return v ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

/* ---- the table ---- */

static int run_blocks(saddle_context *context, const bench_options *options)
{
    int failed = 0;
    puts(options->csv ? "form/factor,products/form,words/"
                        "nnz,system,n,active,depth,nnz,create,form,factor,products,difference"
                      : "    form products words/                                                  "
                        "  seconds\n"
                        " /factor    /form    nnz  system                   n  active depth       "
                        "nnz    create      form"
                        "    factor  products  differs");
    for (size_t i = 0; i < sizeof bones / sizeof bones[0]; i++)
        if (bench_begins(bones[i].name, options->only))
            failed |= bench_report(context, bones[i].name, run_bones(context, options, &bones[i]));
    return failed;
}

static int run_chains(saddle_context *context, const bench_options *options)
{
    int failed = 0;
    puts(options->csv ? "pull/pass,push/pass,system,pull,push,pass"
                      : "\n    pull     push                     nanoseconds a link\n"
                        "   /pass    /pass  system                   pull      push      pass");
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "chain-%" PRId64, chains[i]);
        if (bench_begins(name, options->only) && bench_small(chains[i], options->largest))
            failed |= bench_report(context, name, run_chain(context, options, name, chains[i]));
    }
    return failed;
}

static int list(void)
{
    for (size_t i = 0; i < sizeof bones / sizeof bones[0]; i++) puts(bones[i].name);
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++)
        printf("chain-%" PRId64 "\n", chains[i]);
    bench_couplings_list();
    bench_choice_list();
    bench_stepped_list();
    return 0;
}

int main(int argc, char **argv)
{
    static const char usage[] = "usage: bench attachments [--list] [--only NAME]"
                                " [--largest LINKS] [--csv]\n"
                                "  --list       the systems\n"
                                "  --only NAME  systems whose name begins so\n"
                                "  --largest LINKS  skip longer chains and joints\n"
                                "  --csv        comma-separated values instead of tables\n";
    bench_options options = {0};
    if (bench_read_options(argc, argv, usage, &options)) return 2;
    if (options.list) return list();
    saddle_context *context;
    if (saddle_context_create(NULL, &context) != SADDLE_OK) return 5;
    int failed = run_blocks(context, &options);
    failed |= run_chains(context, &options);
    failed |= bench_couplings_run(context, &options);
    failed |= bench_choice(context, &options);
    failed |= bench_stepped(context, &options);
    saddle_context_free(context);
    return failed;
}
