/* SPDX-License-Identifier: MIT */
/* Dense complementarity problems by every solver of ours that takes them, and by Siconos, ODE,
 * Bullet and DART, in one run and one thread, at equal residual.
 *
 *     complementarity [--list] [--only NAME,...] [--method NAME,...] [--csv] [--cpu] [--budget
 *         SECONDS] [--largest ROWS]
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "complementarity/files.h"
#include "complementarity/measure.h"
#include "complementarity/sparse.h"
#include "complementarity/warm.h"

typedef struct settings {
    const char *only, *method;
    int list, csv;
    int64_t largest;
    lcp_options measure;
} settings;

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
    "usage: complementarity [--list] [--only NAME,...] [--method NAME,...] [--csv] [--cpu] "
    "[--budget SECONDS] "
    "[--largest "
    "ROWS]\n"
    "  --list              the problems and the solvers\n"
    "  --only NAME,...     problems: lcp, lcp-1000, boxed, fem-441, discs, files, ...\n"
    "  --method NAME,...   solvers: pivot, siconos, siconos-lemke, ...\n"
    "  --csv               comma-separated values instead of a table\n"
    "  --cpu               processor time instead of wall clock: for a machine that others use "
    "too\n"
    "  --budget SECONDS    a solve is stopped there, and not repeated where it takes a tenth of it "
    "(20)\n"
    "  --largest ROWS      leave out larger problems\n";

static double positive(const char *text)
{
    char *end;
    double value = text != NULL ? strtod(text, &end) : NAN;
    return text != NULL && *text != '\0' && *end == '\0' && value > 0 && value < 1e15 ? value : NAN;
}

/* Nonzero on a usage error. */
static int read_settings(int argc, char **argv, settings *s)
{
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--list") == 0) {
            s->list = 1;
        } else if (strcmp(argv[i], "--csv") == 0) {
            s->csv = 1;
        } else if (strcmp(argv[i], "--cpu") == 0) {
            s->measure.cpu = 1;
        } else if (strcmp(argv[i], "--only") == 0 && value != NULL) {
            s->only = argv[++i];
        } else if (strcmp(argv[i], "--method") == 0 && value != NULL) {
            s->method = argv[++i];
        } else if (strcmp(argv[i], "--budget") == 0 && positive(value) > 0) {
            s->measure.budget = positive(argv[++i]);
        } else if (strcmp(argv[i], "--largest") == 0 && positive(value) > 0) {
            s->largest = (int64_t)positive(argv[++i]);
        } else {
            return 1;
        }
    }
    return 0;
}

/* Whether the name is one of those of a list with commas, or begins so and goes on with '-'; NULL =
 * all. */
static int begins_any(const char *name, const char *list)
{
    while (list != NULL) {
        size_t length = strcspn(list, ",");
        int whole = strlen(name) >= length && (name[length] == '\0' || name[length] == '-');
        if (length > 0 && whole && strncmp(name, list, length) == 0) return 1;
        if (list[length] == '\0') return 0;
        list += length + 1;
    }
    return 1;
}

static int wanted(const settings *s, const size *z, char *name, size_t room)
{
    if (z->file)
        snprintf(name, room, "%s", z->word);
    else
        snprintf(name, room, "%s-%" PRId64, lcp_family_word[z->family], z->n);
    return begins_any(name, s->only) && (s->largest == 0 || z->n <= s->largest);
}

/* Who takes part, and who cannot. */
static void print_peers(const settings *s)
{
    const lcp_peer *peer;
    for (int k = 0; !s->csv && (peer = lcp_peer_at(k)) != NULL; k++)
        if (begins_any(peer->name, s->method))
            printf("%-15s %s%s\n", peer->name, peer->what, peer->solve ? "" : ": ABSENT");
}

static void measure_all(const settings *s, saddle_context *context, const lcp_problem *p,
                        lcp_block *block)
{
    const saddle_solver_type *type;
    const lcp_peer *peer;
    for (int64_t k = 0; (type = saddle_solver_type_at(context, k)) != NULL; k++) {
        if (!begins_any(type->name, s->method) || block->count == LCP_LINES) continue;
        if (saddle_solver_type_supports(context, type, &p->problem) != SADDLE_OK) continue;
        lcp_measure_ours(&s->measure, type, p, block->draws, &block->line[block->count++]);
    }
    for (int k = 0; (peer = lcp_peer_at(k)) != NULL; k++) {
        int takes = peer->solve && (peer->takes >> p->family & 1) && p->n <= peer->largest;
        if (!takes || !begins_any(peer->name, s->method) || block->count == LCP_LINES) continue;
        lcp_measure_peer(&s->measure, peer, p, block->draws, &block->line[block->count++]);
    }
}

static int run(const settings *s, saddle_context *context, const size *z, lcp_bars *bars)
{
    lcp_problem p[LCP_DRAWS] = {{0}};
    saddle_status status = SADDLE_OK;
    for (int d = 0; status == SADDLE_OK && d < z->draws; d++)
        status = z->file ? lcp_read(context, files_path(z->file), NULL, &p[d])
                         : lcp_draw(context, z->family, z->n, (uint64_t)d + 1, &p[d]);
    if (status == SADDLE_OK) {
        lcp_block block = {.family = z->family, .file = z->word, .n = p[0].n, .draws = z->draws};
        measure_all(s, context, p, &block);
        lcp_print_block(&block, s->csv);
        lcp_bars_note(bars, &block);
    } else if (!z->file) {
        fputs("complementarity: out of memory\n", stderr);
    }
    for (int d = 0; d < LCP_DRAWS; d++) lcp_clear(&p[d]);
    return status != SADDLE_OK && !z->file; /* the data folder may be absent */
}

static int takes_part(const void *user, const char *solver)
{
    const settings *s = user;
    return begins_any(solver, s->method);
}

/* Runs of many steps, with a table of their own: never among the lines of the others' CSV. */
static int run_warm(const settings *s, saddle_context *context, int *any)
{
    int failed = 0;
    for (int k = 0; !failed && k < WARM_RUNS; k++) {
        if (!begins_any(warm_runs[k].name, s->only) || s->largest > 0 ||
            (s->csv && s->only == NULL))
            continue;
        *any = 1;
        if (s->list)
            printf("%s\n", warm_runs[k].name);
        else
            failed = warm_print(context, &warm_runs[k], takes_part, s, s->csv);
    }
    return failed;
}

/* Sparse systems and files, with tables of their own too. */
static int run_others(const settings *s, saddle_context *context, int *any)
{
    int failed = 0;
    for (int k = 0; !failed && k <= SPARSE_CASES; k++) {
        const char *name = k < SPARSE_CASES ? sparse_word[k] : "files";
        if (!begins_any(name, s->only) || s->largest > 0 || (s->csv && s->only == NULL)) continue;
        *any = 1;
        if (s->list)
            printf("%s\n", name);
        else if (k < SPARSE_CASES)
            failed = sparse_print(context, &s->measure, (sparse_case)k, takes_part, s, s->csv);
        else
            failed = files_print(context, &s->measure, takes_part, s, s->csv);
    }
    return failed;
}

int main(int argc, char **argv)
{
    settings s = {.measure = {.budget = 20}};
    if (read_settings(argc, argv, &s)) {
        fputs(usage, stderr);
        return 2;
    }
    saddle_context *context;
    if (saddle_context_create(NULL, &context) != SADDLE_OK) return 1;
    lcp_use_processor_time(s.measure.cpu);
    print_peers(&s);
    if (!s.list) lcp_print_head(s.csv);
    int failed = 0;
    int any = 0;
    lcp_bars bars;
    lcp_bars_begin(&bars);
    for (size_t k = 0; !failed && k < sizeof sizes / sizeof *sizes; k++) {
        char name[48];
        if (!wanted(&s, &sizes[k], name, sizeof name)) continue;
        any = 1;
        if (s.list)
            printf("%s\n", name);
        else
            failed = run(&s, context, &sizes[k], &bars);
    }
    if (any && !failed && !s.list && !s.csv) lcp_bars_print(&bars);
    if (!failed) failed = run_warm(&s, context, &any);
    if (!failed) failed = run_others(&s, context, &any);
    saddle_context_free(context);
    if (!any) fputs("complementarity: no such problem; --list shows them\n", stderr);
    return failed ? 1 : any ? 0 : 2;
}
