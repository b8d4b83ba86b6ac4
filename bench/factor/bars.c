/* SPDX-License-Identifier: MIT */
/* What the engine is to reach, each bar beside the ratio measured in this run. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "factor/table.h"

#define ENGINE "ldlt"

/* Seconds of the engine over the best of the peers whose names begin so. */
typedef struct peer_bar {
    const char *system; /* begins so */
    const char *peers;
    enum table_phase phase;
    double bar;
} peer_bar;

static const peer_bar peer_bars[] = {
    {"hex-20", "mumps", TABLE_FACTOR, 0.52},
    {"ties-20", "mumps", TABLE_FACTOR, 0.52},
    {"hex-30", "mumps", TABLE_FACTOR, 0.60},
    {"ties-30", "mumps", TABLE_FACTOR, 0.60},
    {"hex-20", "mumps", TABLE_SOLVE, 0.7},
    {"ties-20", "mumps", TABLE_SOLVE, 0.7},
    {"hex-30", "mumps", TABLE_SOLVE, 0.7},
    {"ties-30", "mumps", TABLE_SOLVE, 0.7},
    {"hex-20", "cholmod-metis", TABLE_ANALYSE, 1.15},
    {"ties-20", "cholmod-metis", TABLE_ANALYSE, 1.15},
    {"hex-30", "cholmod-metis", TABLE_ANALYSE, 1.15},
    {"ties-30", "cholmod-metis", TABLE_ANALYSE, 1.15},
    {"chain-1000", "cholmod", TABLE_FACTOR, 0.7},
    {"chain-1000", "cholmod", TABLE_TOTAL, 0.8},
    {"rods-", "cholmod", TABLE_FACTOR, 0.7},
    {"rods-", "cholmod", TABLE_TOTAL, 0.8},
    {"stack-100", "cholmod", TABLE_FACTOR, 0.7},
    {"stack-100", "cholmod", TABLE_TOTAL, 0.8},
    {"balls-100", "mumps", TABLE_FACTOR, 0.5},
};

static const char *const phase_names[] = {"factor", "solve", "16 solves", "analyse", "total"};

static const measurement *line_of(const table_block *block, const char *name, int threads)
{
    for (int k = 0; k < block->count; k++) {
        const measurement *m = &block->line[k];
        if (strcmp(m->peer->name, name) == 0 && (threads == 0 || m->threads == threads)) return m;
    }
    return NULL;
}

static void print_bar(int csv, double ratio, int below, double bar, const char *system,
                      const char *what)
{
    int met = below ? ratio <= bar : ratio >= bar;
    if (csv)
        printf("%.4g,%s%.4g,%s,%s,%s\n", ratio, below ? "<=" : ">=", bar, met ? "met" : "missed",
               system, what);
    else
        printf(" %9.3g  %s %-7.3g %-7s %-32s %s\n", ratio, below ? "<=" : ">=", bar,
               met ? "met" : "missed", system, what);
}

static void against_peers(const table_block *block, const measurement *ours, int csv)
{
    for (size_t k = 0; k < sizeof peer_bars / sizeof peer_bars[0]; k++) {
        const peer_bar *bar = &peer_bars[k];
        char what[128];
        if (strncmp(block->system, bar->system, strlen(bar->system)) != 0) continue;
        double mine = table_seconds(ours, bar->phase),
               theirs = table_best(block, bar->peers, bar->phase);
        if (mine < 0 || theirs <= 0) continue;
        snprintf(what, sizeof what, "%s over the best %s's", phase_names[bar->phase], bar->peers);
        print_bar(csv, mine / theirs, 1, bar->bar, block->system, what);
    }
}

/* A bar that this run does not speak of. */
static void print_unmeasured(int csv, double bar, const char *system, const char *what)
{
    if (csv)
        printf(",<=%.4g,not measured,%s,%s\n", bar, system, what);
    else
        printf(" %9s  <= %-7.3g %-7s %-32s %s, not measured\n", "-", bar, "-", system, what);
}

static int is_elements(const char *system, const char *size)
{
    return (strncmp(system, "hex", 3) == 0 || strncmp(system, "ties", 4) == 0) &&
           strstr(system, size) != NULL;
}

/* The "schur" line forms the Schur complement of the rows, here the tie rows, and factors that
 * too. */
static void complement(const table_block *block, const measurement *ours, int csv)
{
    static const char what[] = "Schur complement of the tie rows over factor";
    const measurement *schur = line_of(block, "schur", 1);
    if (schur != NULL && schur->factor > 0 && ours->factor > 0)
        print_bar(csv, schur->factor / ours->factor, 1, 4, block->system, what);
    else
        print_unmeasured(csv, 4, block->system, what);
}

/* Bars of the engine by itself. */
static void by_itself(const table_block *block, const measurement *ours, int csv)
{
    const char *system = block->system;
    const measurement *two = line_of(block, ENGINE, 2);
    if (is_elements(system, "-30") && ours->factor > 0 && ours->facts.flops > 0 && block->dgemm > 0)
        print_bar(csv, ours->facts.flops / ours->factor / block->dgemm, 0, 0.82, system,
                  "rate over dgemm's");
    if (two != NULL && two->factor > 0 && ours->factor > 0)
        print_bar(csv, two->factor / ours->factor, 1, 0.56, system,
                  "two threads' factor over one's");
    else if (is_elements(system, "-30"))
        print_unmeasured(csv, 0.56, system, "two threads' factor over one's");
    if (strncmp(system, "ties-20", 7) == 0) complement(block, ours, csv);
    if (block->unknowns >= 10000 && ours->solve > 0 && ours->solve_many > 0)
        print_bar(csv, ours->solve_many / ours->solve, 1, 5, system,
                  "16 right-hand sides over one");
    if (ours->refined_error >= 0)
        print_bar(csv, ours->refined_error, 1, 1e-14, system,
                  "refined: componentwise backward error");
}

static void small(const table_block *block, const measurement *ours, int csv)
{
    const measurement *lapack = line_of(block, "lapack", 0);
    if (lapack == NULL || lapack->factor <= 0 || lapack->solve <= 0 || ours->factor < 0 ||
        ours->solve < 0)
        return;
    print_bar(csv, ours->factor / lapack->factor, 1, 1.5, block->system, "factor over dsytrf");
    print_bar(csv, ours->solve / lapack->solve, 1, 1.5, block->system, "solve over dsytrs");
}

/* Where it is known beforehand. */
static void inertia(const table_block *block, const measurement *ours, int csv)
{
    if (!ours->facts.inertia.known || block->positive < 0) return;
    int64_t wrong = ours->facts.inertia.positive - block->positive;
    wrong = (wrong < 0 ? -wrong : wrong) + ours->facts.inertia.zero;
    print_bar(csv, (double)wrong, 1, 0, block->system,
              "inertia: distance from n positive, m negative");
}

/* The largest over the smallest time per body, of chains of 1000 and more. */
static void per_body(const table_block *block, int64_t blocks, enum table_phase phase, int csv)
{
    double least = INFINITY, most = 0;
    int count = 0;
    for (int64_t k = 0; k < blocks; k++) {
        const measurement *ours = line_of(&block[k], ENGINE, 1);
        if (strncmp(block[k].system, "chain-1000", 10) != 0 || ours == NULL ||
            table_seconds(ours, phase) < 0)
            continue;
        double seconds = table_seconds(ours, phase) / (double)block[k].bodies;
        least = fmin(least, seconds);
        most = fmax(most, seconds);
        count++;
    }
    char what[64];
    snprintf(what, sizeof what, "%s per body, most over least", phase_names[phase]);
    if (count > 1) print_bar(csv, most / least, 1, 1.3, "chains of 1000 and more", what);
}

void bars_print(const table_block *block, int64_t blocks, int csv)
{
    int any = 0;
    for (int64_t k = 0; k < blocks; k++) any |= line_of(&block[k], ENGINE, 1) != NULL;
    if (!any) return;
    printf(csv ? "\nratio,bar,verdict,system,what\n" : "\nThe bars of the engine (%s):\n", ENGINE);
    for (int64_t k = 0; k < blocks; k++) {
        const measurement *ours = line_of(&block[k], ENGINE, 1);
        if (ours == NULL) continue;
        against_peers(&block[k], ours, csv);
        by_itself(&block[k], ours, csv);
        small(&block[k], ours, csv);
        inertia(&block[k], ours, csv);
    }
    per_body(block, blocks, TABLE_FACTOR, csv);
    per_body(block, blocks, TABLE_TOTAL, csv);
}
