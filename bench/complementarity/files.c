/* SPDX-License-Identifier: MIT */
/* See files.h. */
#include "complementarity/files.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "complementarity/file_list.h"
#include "data_path.h"

enum { METHODS = 24 };

typedef struct method {
    const char *name;
    int64_t taken, solved, recognized;
} method;

typedef struct tally {
    saddle_context *context;
    const bench_options *options;
    int count;
    method method[METHODS];
} tally;

static method *method_of(tally *t, const char *name)
{
    for (int k = 0; k < t->count; k++)
        if (strcmp(t->method[k].name, name) == 0) return &t->method[k];
    if (t->count == METHODS) return NULL;
    t->method[t->count].name = name;
    return &t->method[t->count++];
}

/* The result of a method on a file; without a solution, infeasible is the right answer. */
static void note(tally *t, const lcp_file *f, int64_t m, const lcp_line *line)
{
    method *of = method_of(t, line->name);
    int solved = lcp_reached(line);
    if (!of) return;
    of->taken++;
    of->solved += solved;
    of->recognized += f->unsolvable && strstr(line->note, "INFEASIBLE") != NULL;
    if (t->options->csv)
        printf("%s,%" PRId64 ",%s,%.4g,%.1e,%d,%s\n", f->path, m, line->name, line->again,
               line->residual, solved, line->note);
    else if (solved)
        printf(" %s %.1f us", line->name, 1e6 * line->again);
    else
        printf(" %s NO", line->name);
}

static int is_one_sided(const lcp_problem *p)
{
    for (int64_t i = 0; i < p->n; i++)
        if (p->lo[i] != 0.0 || p->hi[i] != (double)INFINITY) return 0;
    return 1;
}

static void solve_file(tally *t, const lcp_file *f, const lcp_problem *p)
{
    const saddle_solver_type *type;
    const lcp_peer *peer;
    lcp_line line;
    if (!t->options->csv) printf("%-42s %3" PRId64 ":", f->path, p->n);
    for (int64_t k = 0; (type = saddle_solver_type_at(t->context, k)) != NULL; k++) {
        if (!bench_listed(type->name, t->options->method)) continue;
        if (saddle_solver_type_supports(t->context, type, &p->problem) != SADDLE_OK) continue;
        lcp_measure_ours(t->options, type, p, 1, &line);
        note(t, f, p->n, &line);
    }
    for (int k = 0; (peer = lcp_peer_at(k)) != NULL; k++) {
        int takes = peer->solve && (peer->takes & LCP_TAKES_PLAIN) && p->n <= peer->largest &&
                    is_one_sided(p);
        if (!takes || !bench_listed(peer->name, t->options->method)) continue;
        lcp_measure_peer(t->options, peer, p, 1, &line);
        note(t, f, p->n, &line);
    }
    if (!t->options->csv) printf("\n");
    fflush(stdout);
}

static void print_sums(const tally *t)
{
    int unsolvable = 0;
    for (int k = 0; k < LCP_FILES; k++) unsolvable += lcp_files[k].unsolvable;
    printf("\n%-16s %6s %7s %11s\n", "method", "taken", "solved", "recognized");
    for (int k = 0; k < t->count; k++)
        printf("%-16s %6" PRId64 " %7" PRId64 " %6" PRId64 " of %d\n", t->method[k].name,
               t->method[k].taken, t->method[k].solved, t->method[k].recognized, unsolvable);
    printf("of %d files, %d without a solution\n", (int)LCP_FILES, unsolvable);
}

int files_print(saddle_context *context, const bench_options *options)
{
    tally t = {.context = context, .options = options};
    FILE *first = fopen(bench_data_path(lcp_files[0].path), "r");
    if (!first) {
        fputs("complementarity: the files are left out: the data folder is absent\n", stderr);
        return 0;
    }
    (void)fclose(first);
    if (options->csv)
        puts("file,rows,method,seconds,residual,reached,note");
    else
        printf("\nfiles, their rows: who solves them to a natural map of %.0e, and how long it "
               "takes\n",
               LCP_REACHED);
    for (int k = 0; k < LCP_FILES; k++) {
        lcp_problem p;
        const char *path = bench_data_path(lcp_files[k].path);
        const char *rhs = lcp_files[k].rhs ? bench_data_path(lcp_files[k].rhs) : NULL;
        saddle_status status = lcp_read(context, path, rhs, &p);
        if (status == SADDLE_OK)
            solve_file(&t, &lcp_files[k], &p);
        else
            fprintf(stderr, "complementarity: %s: %s\n", path, saddle_context_message(context));
        lcp_clear(&p);
    }
    if (!options->csv) print_sums(&t);
    return 0;
}
