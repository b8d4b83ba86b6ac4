/* SPDX-License-Identifier: MIT */
/* Constraint rows that come and go (lib/active): the cost of a change and of the next solve, by
 * each method and by the model's choice, in factorizations of the whole system. Processor time of
 * this thread.
 *
 *     change   seconds of a call that changes rows / seconds of a factorization
 *     both     the same with the solve, of one right-hand side, refined
 *     best   of `picked`: `both` over `both` of the quickest method; bar 1.5
 *
 * `mask` alone orders rows with compliance before their velocities; the other methods, and so
 * `picked`, order them after (lib/active/active_rows.c), which doubles a factorization of stacks:
 * with twenty changes a call, `picked` factors at every change there and takes twice the time of
 * `mask`.
 *
 * Half of the rows, drawn, are in at the start.  fresh: each call changes one row, drawn from all;
 * same: from ten; batch: each call changes twenty. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "active/active_rows.h"
#include "factor/systems.h"
#include "generators/draw.h"
#include "harness.h"

enum {
    METHODS = 3,
    PATTERNS = 3,
    MOST_BATCH = 20,
    FACTORIZATIONS = 5,
    CALLS = 150,
    CALLS_OF_MASK = 15
};

static const char *const method_word[METHODS] = {"picked", "mask", "modify"};
static const saddle__active_method methods[METHODS] = {SADDLE__ACTIVE_MASK, SADDLE__ACTIVE_MODIFY,
                                                       SADDLE__ACTIVE_PICK}; /* in the order they
                                                                                are run */
static const struct {
    const char *word;
    int64_t pool;  /* rows to draw from; 0 = all */
    int64_t batch; /* changes a call */
} patterns[PATTERNS] = {{"fresh", 0, 1}, {"same", 10, 1}, {"batch", 0, MOST_BATCH}};

static const char *const systems[] = {"ties-10",    "ties-10-r0", "hex-10",   "hex-10-r0",
                                      "chain-1000", "stack-1000", "balls-30", "ties-20"};

typedef struct measured {
    double change, solve; /* seconds a call */
    double error;         /* worst */
    saddle__active_counts counts;
} measured;

static saddle_status make(const bench_system *system, saddle__active_method method,
                          saddle__active_rows **A)
{
    uint64_t state = 1;
    int64_t m = system->problem.m;
    saddle__active_request request = {.late = system->regularization.weak, .method = method};
    saddle__active_values values = {.added = system->regularization.added,
                                    .rule = {.sign = system->regularization.sign,
                                             .scale = system->regularization.scale,
                                             .smallest = 1e-14,
                                             .replacement = 1e-10}};
    signed char *in = calloc((size_t)m + 1, 1);
    if (in == NULL) return SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < m; i++) in[i] = (signed char)draw_below(&state, 2);
    saddle_status status = saddle__active_rows_create(system->context, &system->problem, &request,
                                                      A);
    if (status == SADDLE_OK) status = saddle__active_rows_factor(*A, &system->problem, &values, in);
    free(in);
    return status;
}

/* The median time of a factorization alone, the work that the other methods avoid. */
static saddle_status measure_factor(const bench_system *system, double *seconds)
{
    double time[FACTORIZATIONS];
    saddle__active_rows *A = NULL;
    saddle_status status = make(system, SADDLE__ACTIVE_MASK, &A);
    for (int k = 0; status == SADDLE_OK && k < FACTORIZATIONS; k++) {
        saddle__active_change change = {.row = 0, .in = !A->in[0]};
        double began = bench_processor_seconds();
        status = saddle__active_rows_change(A, 1, &change);
        time[k] = bench_processor_seconds() - began;
    }
    saddle__active_rows_free(A);
    if (status == SADDLE_OK) *seconds = bench_median(time, FACTORIZATIONS);
    return status;
}

static void draw_changes(uint64_t *state, int64_t m, int pattern, const signed char *set,
                         saddle__active_change *changes)
{
    int64_t pool = patterns[pattern].pool > 0 && patterns[pattern].pool < m ? patterns[pattern].pool
                                                                            : m;
    for (int64_t k = 0; k < patterns[pattern].batch; k++) {
        int64_t row = draw_below(state, pool) * (m / pool);
        changes[k] = (saddle__active_change){.row = row, .in = !set[row]};
    }
}

static saddle_status measure(const bench_system *system, int pattern, saddle__active_method method,
                             double *x, measured *found)
{
    uint64_t state = 7;
    int64_t size = system->problem.n + system->problem.m;
    int calls = method == SADDLE__ACTIVE_MASK ? CALLS_OF_MASK : CALLS;
    measured none = {.error = 0};
    *found = none;
    saddle__active_rows *A = NULL;
    saddle_status status = make(system, method, &A);
    for (int k = 0; status >= 0 && k < calls; k++) {
        saddle__active_change changes[MOST_BATCH];
        draw_changes(&state, system->problem.m, pattern, A->in, changes);
        for (int64_t i = 0; i < size; i++) x[i] = draw_fraction(&state);
        double began = bench_processor_seconds();
        status = saddle__active_rows_change(A, patterns[pattern].batch, changes);
        double changed = bench_processor_seconds();
        if (status == SADDLE_OK) status = saddle__active_rows_solve(A, x);
        found->solve += (bench_processor_seconds() - changed) / calls;
        found->change += (changed - began) / calls;
        double error = A->counts.error;
        if (!(error <= found->error)) found->error = error;
    }
    if (A != NULL) found->counts = A->counts;
    saddle__active_rows_free(A);
    return status < 0 ? status : SADDLE_OK;
}

static void print_line(const bench_options *options, const bench_system *system, int pattern,
                       saddle__active_method method, const measured *found, double factor,
                       double best)
{
    const char *format = options->csv ? "%.4g,%.4g,%s,%s,%s,%s,%.4g,%" PRId64 ",%" PRId64 ",%.1e\n"
                                      : "%9.4g %9.4g %6s  %-12s %-6s %-7s %10.4g %8" PRId64
                                        " %8" PRId64 " %9.1e\n";
    char over[16] = "";
    if (best > 0) snprintf(over, sizeof over, "%.2f", (found->change + found->solve) / best);
    printf(format, found->change / factor, (found->change + found->solve) / factor, over,
           system->name, patterns[pattern].word, method_word[method], factor,
           found->counts.factorizations, found->counts.modified, found->error);
    fflush(stdout);
}

/* Nonzero: it failed. */
static int run_system(saddle_context *context, const bench_options *options,
                      const system_line *line)
{
    bench_system system;
    saddle_status status = bench_system_build(context, line, &system);
    double factor = 0;
    double *x = status == SADDLE_OK
                    ? calloc((size_t)(system.problem.n + system.problem.m) + 1, sizeof *x)
                    : NULL;
    if (status == SADDLE_OK)
        status = x != NULL ? measure_factor(&system, &factor) : SADDLE_OUT_OF_MEMORY;
    for (int pattern = 0; status == SADDLE_OK && pattern < PATTERNS; pattern++) {
        double best = 0;
        for (int k = 0; status == SADDLE_OK && k < METHODS; k++) {
            measured found;
            status = measure(&system, pattern, methods[k], x, &found);
            if (status != SADDLE_OK) break;
            int picked = methods[k] == SADDLE__ACTIVE_PICK;
            print_line(options, &system, pattern, methods[k], &found, factor, picked ? best : 0);
            double both = found.change + found.solve;
            if (best <= 0 || both < best) best = both;
        }
    }
    if (status != SADDLE_OK)
        fprintf(stderr, "rows: %s: %s\n", line->name, saddle_context_message(context));
    free(x);
    if (system.context != NULL) bench_system_clear(&system);
    return status != SADDLE_OK;
}

static int is_ours(const char *name)
{
    for (size_t k = 0; k < sizeof systems / sizeof systems[0]; k++)
        if (strcmp(systems[k], name) == 0) return 1;
    return 0;
}

static int run(const bench_options *options, const system_list *list)
{
    saddle_context *context;
    if (saddle_context_create(NULL, &context) != SADDLE_OK) return 1;
    printf(options->csv
               ? "change,both,best,system,rows,method,factor,factorizations,modified,error\n"
               : "   change      both   best  system       rows   method   factor[s] factored "
                 "modified     error\n");
    int failed = 0;
    for (int64_t k = 0; !failed && k < list->count; k++) {
        const system_line *line = &list->line[k];
        if (!is_ours(line->name)) continue;
        if (!bench_begins(line->name, options->only)) continue;
        failed = run_system(context, options, line);
    }
    saddle_context_free(context);
    return failed;
}

int main(int argc, char **argv)
{
    static const char usage[] = "usage: rows [--only SYSTEM] [--csv]\n"
                                "  --only SYSTEM  systems whose name begins so\n"
                                "  --csv          comma-separated values instead of a table\n";
    bench_options options = {0};
    if (bench_read_options(argc, argv, usage, &options)) return 2;
    system_list list;
    if (system_list_create(NULL, NULL, &list)) return 1;
    int failed = run(&options, &list);
    system_list_clear(&list);
    return failed;
}
