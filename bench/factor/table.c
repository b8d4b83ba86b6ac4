/* SPDX-License-Identifier: MIT */
/* See table.h.  TOTAL is analyse + factor + one solve with its refinement. */
#include "factor/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"

/* Phases of ratios. */
enum table_phase {
    TABLE_FACTOR,
    TABLE_SOLVE,
    TABLE_SOLVE_MANY,
    TABLE_ANALYSE,
    TABLE_TOTAL,
    TABLE_PHASES
};

/* Seconds of m; negative: not measured. */
static double table_seconds(const measurement *m, enum table_phase phase)
{
    switch (phase) {
    case TABLE_ANALYSE: return m->analyse;
    case TABLE_FACTOR: return m->factor;
    case TABLE_SOLVE: return m->solve;
    case TABLE_SOLVE_MANY: return m->solve_many;
    default: return m->refined < 0 ? -1 : m->analyse + m->factor + m->refined;
    }
}

/* The least positive seconds of a phase among the lines whose names begin with `begin`; NULL: all
 * other programs. */
static double table_best(const table_block *block, const char *begin, enum table_phase phase)
{
    double best = -1;
    for (int k = 0; k < block->count; k++) {
        const measurement *m = &block->line[k];
        if (begin == NULL ? m->peer->ours : strncmp(m->peer->name, begin, strlen(begin)) != 0)
            continue;
        double seconds = table_seconds(m, phase);
        if (seconds > 0 && (best < 0 || seconds < best)) best = seconds;
    }
    return best;
}

static void word(int csv, int width, const char *text)
{
    if (csv)
        printf("%s,", text);
    else
        printf("  %-*s", width, text);
}

void table_print_head(int csv)
{
    if (csv)
        printf("factor_ratio,solve_ratio,solve16_ratio,analyse_ratio,total_ratio,system,unknowns,"
               "entries,method,threads,"
               "analyse,factor,solve,solve16,refined,total,us_per_body_factor,us_per_body_total,"
               "nnz_factor,gflop,"
               "gflops,of_dgemm,residual,componentwise,steps,error,positive,negative,zero,"
               "perturbed,repetitions,note\n");
    else
        printf("Ratios: to the best of the other programs, phase by phase.  Seconds: medians; "
               "refined = a solve with its "
               "refinement; total = analyse + factor + refined.\n");
}

static void block_head(const table_block *block)
{
    printf("\n%s: %" PRId64 " unknowns, %" PRId64 " entries", block->system, block->unknowns,
           block->entries);
    if (block->dgemm > 0) printf(", dgemm %.3g GF/s (%s)", block->dgemm * 1e-9, measure_kernels());
    printf("\n %7s %7s %7s %7s %7s  %-14s %9s %9s %9s %9s %9s %8s %8s %8s %8s %6s %6s %8s %8s %3s "
           "%8s  %s\n",
           "factor", "solve", "x16", "analyse", "total", "", "analyse", "factor", "solve",
           "solve16", "refined", "us/b fac", "us/b all", "nnz(L)", "GFlop", "GF/s", "/dgemm",
           "resid.", "compon.", "st", "error", "inertia");
}

static void print_ratios(const table_block *block, const measurement *m, int csv)
{
    for (int phase = 0; phase < TABLE_PHASES; phase++) {
        double best = table_best(block, NULL, (enum table_phase)phase);
        double seconds = table_seconds(m, (enum table_phase)phase);
        bench_print_number(csv, 7, "%.3g", best > 0 && seconds >= 0 ? seconds / best : -1);
    }
}

static void print_inertia(const measurement *m, int csv)
{
    const saddle_inertia *inertia = &m->facts.inertia;
    if (csv) {
        for (int k = 0; k < 3; k++)
            bench_print_number(csv, 0, "%.0f",
                               !inertia->known ? -1
                                               : (double)(k == 0   ? inertia->positive
                                                          : k == 1 ? inertia->negative
                                                                   : inertia->zero));
        bench_print_number(csv, 0, "%.0f", (double)m->facts.perturbed);
        bench_print_number(csv, 0, "%.0f", m->factor < 0 ? -1 : m->repetitions);
        printf("%s\n", m->facts.message);
        return;
    }
    if (inertia->known && m->factor >= 0)
        printf("  %" PRId64 " %" PRId64 " %" PRId64, inertia->positive, inertia->negative,
               inertia->zero);
    else
        printf("  -");
    if (m->facts.perturbed > 0) printf(", %" PRId64 " perturbed", m->facts.perturbed);
    if (m->facts.message[0] != '\0') printf("  %s", m->facts.message);
    printf("\n");
}

static void print_line(const table_block *block, const measurement *m, int csv)
{
    double bodies = block->bodies > 0 ? (double)block->bodies : -1,
           total = table_seconds(m, TABLE_TOTAL);
    double rate = m->factor > 0 && m->facts.flops > 0 ? m->facts.flops / m->factor : -1;
    char name[32];
    snprintf(name, sizeof name, m->threads > 1 ? "%s x%d" : "%s", m->peer->name, m->threads);
    print_ratios(block, m, csv);
    if (csv) printf("%s,%" PRId64 ",%" PRId64 ",", block->system, block->unknowns, block->entries);
    word(csv, 14, csv ? m->peer->name : name);
    if (csv) printf("%d,", m->threads);
    bench_print_number(csv, 9, "%.4g", m->analyse);
    bench_print_number(csv, 9, "%.4g", m->factor);
    bench_print_number(csv, 9, "%.4g", m->solve);
    bench_print_number(csv, 9, "%.4g", m->solve_many);
    bench_print_number(csv, 9, "%.4g", m->refined);
    if (csv) bench_print_number(csv, 9, "%.4g", total);
    bench_print_number(csv, 8, "%.3g", m->factor >= 0 ? 1e6 * m->factor / bodies : -1);
    bench_print_number(csv, 8, "%.3g", total >= 0 ? 1e6 * total / bodies : -1);
    bench_print_number(csv, 8, "%.3g", (double)m->facts.entries);
    bench_print_number(csv, 8, "%.3g", m->facts.flops * 1e-9);
    bench_print_number(csv, 6, "%.3g", rate * 1e-9);
    bench_print_number(csv, 6, "%.2f", block->dgemm > 0 ? rate / block->dgemm : -1);
    bench_print_number(csv, 8, "%.1e", m->residual);
    bench_print_number(csv, 8, "%.1e", m->refined_error);
    bench_print_number(csv, 3, "%.0f", m->steps);
    bench_print_number(csv, 8, "%.1e", m->forward_error);
    print_inertia(m, csv);
}

void table_print(const table_block *block, int csv)
{
    if (!csv) block_head(block);
    for (int k = 0; k < block->count; k++) print_line(block, &block->line[k], csv);
    fflush(stdout);
}

/* ---- small systems ---- */

static void print_whole(const table_block *block, int csv)
{
    const whole_call *w = &block->whole;
    if (w->all < 0) {
        if (w->why[0] != '\0' && !csv) printf("  %-24s %s\n", block->system, w->why);
        return;
    }
    word(csv, 24, block->system);
    if (csv)
        printf("%" PRId64 ",%" PRId64 ",", block->unknowns, block->entries);
    else
        printf(" %6" PRId64, block->unknowns);
    double ratio[] = {w->all / w->dsysv,   w->analyse / w->dsysv, w->factor / w->dsysv,
                      w->solve / w->dsysv, w->factor / w->dsytrf, w->solve / w->dsytrs};
    for (size_t k = 0; k < sizeof ratio / sizeof ratio[0]; k++)
        bench_print_number(csv, 7, "%.2f", ratio[k]);
    double seconds[] = {w->all, w->analyse, w->factor, w->solve, w->dsysv, w->dsytrf, w->dsytrs};
    for (size_t k = 0; k < sizeof seconds / sizeof seconds[0]; k++)
        bench_print_number(csv, 8, "%.3g", 1e6 * seconds[k]);
    printf(csv ? "%d,%.1e\n" : " %3d %8.1e\n", w->steps, w->backward_error);
}

void table_print_wholes(const table_block *block, int64_t blocks, int csv)
{
    int any = 0;
    for (int64_t k = 0; k < blocks; k++)
        any |= block[k].whole.all >= 0 || block[k].whole.why[0] != '\0';
    if (!any) return;
    if (csv)
        printf("\nsystem,unknowns,entries,all_dsysv,analyse_dsysv,factor_dsysv,solve_dsysv,factor_"
               "dsytrf,solve_dsytrs,"
               "all_us,analyse_us,factor_us,"
               "solve_us,dsysv_us,dsytrf_us,dsytrs_us,steps,componentwise\n");
    else
        printf("\nThe public call (create to free, refined and checked) over LAPACK's, medians in "
               "microseconds:\n"
               "  %-24s %6s %31s %7s %7s\n  %-24s %6s %7s %7s %7s %7s %7s %7s %8s %8s %8s %8s %8s "
               "%8s %8s %3s\n",
               "", "", "over dsysv", "/dsytrf", "/dsytrs", "", "n + m", "whole", "analyse",
               "factor", "solve", "factor", "solve", "whole", "analyse", "factor", "solve", "dsysv",
               "dsytrf", "dsytrs", "st");
    for (int64_t k = 0; k < blocks; k++) print_whole(&block[k], csv);
}

/* ---- bars ---- */

#define ENGINE "ldlt"

/* Seconds of the engine over the best peer with a name that begins as given. */
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

static void print_bar(double ratio, int below, double bar, const char *system, const char *what)
{
    int met = below ? ratio <= bar : ratio >= bar;
    printf(" %9.3g  %s %-7.3g %-7s %-32s %s\n", ratio, below ? "<=" : ">=", bar,
           met ? "met" : "missed", system, what);
}

static void against_peers(const table_block *block, const measurement *ours)
{
    for (size_t k = 0; k < sizeof peer_bars / sizeof peer_bars[0]; k++) {
        const peer_bar *bar = &peer_bars[k];
        char what[128];
        if (strncmp(block->system, bar->system, strlen(bar->system)) != 0) continue;
        double mine = table_seconds(ours, bar->phase),
               theirs = table_best(block, bar->peers, bar->phase);
        if (mine < 0 || theirs <= 0) continue;
        snprintf(what, sizeof what, "%s over the best %s's", phase_names[bar->phase], bar->peers);
        print_bar(mine / theirs, 1, bar->bar, block->system, what);
    }
}

/* A bar without a measurement in this run. */
static void print_unmeasured(double bar, const char *system, const char *what)
{
    printf(" %9s  <= %-7.3g %-7s %-32s %s, not measured\n", "-", bar, "-", system, what);
}

static int is_elements(const char *system, const char *size)
{
    return (strncmp(system, "hex", 3) == 0 || strncmp(system, "ties", 4) == 0) &&
           strstr(system, size) != NULL;
}

/* The "schur" line forms the Schur complement of the rows, here the tie rows, and its factor. */
static void complement(const table_block *block, const measurement *ours)
{
    static const char what[] = "Schur complement of the tie rows over factor";
    const measurement *schur = line_of(block, "schur", 1);
    if (schur != NULL && schur->factor > 0 && ours->factor > 0)
        print_bar(schur->factor / ours->factor, 1, 4, block->system, what);
    else
        print_unmeasured(4, block->system, what);
}

/* Bars of the engine by itself. */
static void by_itself(const table_block *block, const measurement *ours)
{
    const char *system = block->system;
    const measurement *two = line_of(block, ENGINE, 2);
    if (is_elements(system, "-30") && ours->factor > 0 && ours->facts.flops > 0 && block->dgemm > 0)
        print_bar(ours->facts.flops / ours->factor / block->dgemm, 0, 0.82, system,
                  "rate over dgemm's");
    if (two != NULL && two->factor > 0 && ours->factor > 0)
        print_bar(two->factor / ours->factor, 1, 0.56, system, "two threads' factor over one's");
    else if (is_elements(system, "-30"))
        print_unmeasured(0.56, system, "two threads' factor over one's");
    if (strncmp(system, "ties-20", 7) == 0) complement(block, ours);
    if (block->unknowns >= 10000 && ours->solve > 0 && ours->solve_many > 0)
        print_bar(ours->solve_many / ours->solve, 1, 5, system, "16 right-hand sides over one");
    if (ours->refined_error >= 0)
        print_bar(ours->refined_error, 1, 1e-14, system, "refined: componentwise backward error");
}

static void small(const table_block *block, const measurement *ours)
{
    const measurement *lapack = line_of(block, "lapack", 0);
    if (lapack == NULL || lapack->factor <= 0 || lapack->solve <= 0 || ours->factor < 0 ||
        ours->solve < 0)
        return;
    print_bar(ours->factor / lapack->factor, 1, 1.5, block->system, "factor over dsytrf");
    print_bar(ours->solve / lapack->solve, 1, 1.5, block->system, "solve over dsytrs");
}

/* Where it is known beforehand. */
static void inertia(const table_block *block, const measurement *ours)
{
    if (!ours->facts.inertia.known || block->positive < 0) return;
    int64_t wrong = ours->facts.inertia.positive - block->positive;
    wrong = (wrong < 0 ? -wrong : wrong) + ours->facts.inertia.zero;
    print_bar((double)wrong, 1, 0, block->system, "inertia: distance from n positive, m negative");
}

/* The largest over the smallest time per body, of chains of 1000 and more. */
static void per_body(const table_block *block, int64_t blocks, enum table_phase phase)
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
    if (count > 1) print_bar(most / least, 1, 1.3, "chains of 1000 and more", what);
}

void bars_print(const table_block *block, int64_t blocks)
{
    int any = 0;
    for (int64_t k = 0; k < blocks; k++) any |= line_of(&block[k], ENGINE, 1) != NULL;
    if (!any) return;
    printf("\nThe bars of the engine (%s):\n", ENGINE);
    for (int64_t k = 0; k < blocks; k++) {
        const measurement *ours = line_of(&block[k], ENGINE, 1);
        if (ours == NULL) continue;
        against_peers(&block[k], ours);
        by_itself(&block[k], ours);
        small(&block[k], ours);
        inertia(&block[k], ours);
    }
    per_body(block, blocks, TABLE_FACTOR);
    per_body(block, blocks, TABLE_TOTAL);
}
