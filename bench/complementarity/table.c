/* SPDX-License-Identifier: MIT */
/* The table, ratios first: to the fastest other program that reaches the natural map, or, without
 * such a program, to the fastest of all.  Then the bars: the same ratios, or ratios to a program by
 * name, with their limits. */
#include "complementarity/measure.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Seconds of the fastest other program, of all or only with the residual reached; negative: no
 * program.
 */
static double fastest_peer(const lcp_block *block, int of_those_that_reach)
{
    double best = -1;
    for (int k = 0; k < block->count; k++) {
        const lcp_line *line = &block->line[k];
        if (line->ours || line->again < 0 || (of_those_that_reach && !lcp_reached(line))) continue;
        if (best < 0 || line->again < best) best = line->again;
    }
    return best;
}

void lcp_print_head(int csv)
{
    if (csv)
        printf("again_ratio,all_ratio,family,n,method,again,all,analyse,factor,solve,iterations,"
               "residual,reached,"
               "tolerance,"
               "draws,repetitions,note\n");
    else
        printf("Ratios: to the fastest other program that reaches a natural map of %.0e.  Seconds: "
               "medians over the "
               "draws.\n"
               "again: from the values to the answer, the pattern known; all: with create and "
               "analyse.\n",
               LCP_REACHED);
}

static void print_line(const lcp_block *block, const lcp_line *line, double best, int csv)
{
    int ok = best > 0 && line->again >= 0;
    bench_print_number(csv, 7, "%.3g", ok ? line->again / best : -1);
    bench_print_number(csv, 7, "%.3g", ok ? line->all / best : -1);
    if (csv)
        printf("%s,%" PRId64 ",%s,", block->file ? block->file : lcp_family_word[block->family],
               block->n, line->name);
    else
        printf("  %-15s", line->name);
    bench_print_number(csv, 10, "%.4g", line->again);
    bench_print_number(csv, 10, "%.4g", line->all);
    bench_print_number(csv, 10, "%.3g", line->analyse);
    bench_print_number(csv, 10, "%.3g", line->factor);
    bench_print_number(csv, 10, "%.3g", line->solve);
    bench_print_number(csv, 7, "%.0f", line->iterations);
    bench_print_number(csv, 8, "%.1e", line->residual);
    if (csv) printf("%d,", lcp_reached(line));
    bench_print_number(csv, 6, "%.0e", line->tolerance);
    if (csv)
        printf("%d,%" PRId64 ",%s\n", block->draws, line->repetitions, line->note);
    else
        printf("  %s%s%s\n", lcp_reached(line) ? "" : "NOT REACHED", line->note[0] ? ", " : "",
               line->note);
}

void lcp_print_block(const lcp_block *block, int csv)
{
    double best = fastest_peer(block, 1);
    int none = best < 0;
    if (none) best = fastest_peer(block, 0);
    if (!csv)
        printf("\n%s, n = %" PRId64
               ", %d %s%s\n %7s %7s  %-15s %10s %10s %10s %10s %10s %7s %8s %6s\n",
               block->file ? block->file : lcp_family_word[block->family], block->n, block->draws,
               block->file ? "file" : "draws",
               none && best > 0
                   ? "; no other program reaches the residual: ratios to the fastest all the same"
                   : "",
               "again", "all", "", "again", "all", "analyse", "factor", "solve", "steps",
               "residual", "tol");
    for (int k = 0; k < block->count; k++) print_line(block, &block->line[k], best, csv);
    fflush(stdout);
}

/* ---- bars ---- */

static const struct {
    const char *family;
    int64_t n;
    const char *ours; /* NULL: each of ours */
    const char *over; /* NULL: the fastest */
    double most;
} bars[] = {
    {"lcp", 10, NULL, NULL, 1.5},
    {"lcp", 30, NULL, NULL, 1.5},
    {"lcp", 100, "pivot", NULL, 0.6},
    {"lcp", 100, "schur", NULL, 0.6},
    {"lcp", 300, "pivot", NULL, 0.6},
    {"lcp", 300, "schur", NULL, 0.6},
    {"lcp", 1000, "pivot", NULL, 0.25},
    {"lcp", 1000, "schur", NULL, 0.25},
    {"lcp", 1000, "lemke", "siconos-lemke", 0.5},
    {"lcp-sym", 10, NULL, NULL, 1.5},
    {"lcp-sym", 30, NULL, NULL, 1.5},
    {"lcp-sym", 100, "pivot", NULL, 0.6},
    {"lcp-sym", 100, "schur", NULL, 0.6},
    {"lcp-sym", 300, "pivot", NULL, 0.6},
    {"lcp-sym", 300, "schur", NULL, 0.6},
    {"lcp-sym", 1000, "pivot", NULL, 0.25},
    {"lcp-sym", 1000, "schur", NULL, 0.25},
    {"lcp-mmc", 26, NULL, NULL, 1.5},
    {"boxed", 30, NULL, NULL, 1.5},
    {"boxed", 300, NULL, NULL, 0.7},
    {"boxed", 600, NULL, NULL, 0.4},
    {"friction", 30, NULL, NULL, 1.5},
    {"friction", 300, NULL, NULL, 1.0},
    {"friction", 600, NULL, NULL, 1.0},
};

enum { COUNT = sizeof bars / sizeof bars[0] };

_Static_assert((int)COUNT <= (int)LCP_BARS, "room for all bars");

static const char *const ours[LCP_OURS] = {"schur", "pivot", "lemke", "auto"};

void lcp_bars_begin(lcp_bars *b)
{
    for (int k = 0; k < COUNT; k++)
        for (int i = 0; i < LCP_OURS; i++) b->reached[k][i] = -1.0;
}

static double seconds_of(const lcp_block *block, const char *method)
{
    for (int k = 0; k < block->count; k++)
        if (strcmp(block->line[k].name, method) == 0 && lcp_reached(&block->line[k]))
            return block->line[k].again;
    return -1.0;
}

void lcp_bars_note(lcp_bars *b, const lcp_block *block)
{
    const char *family = block->file ? block->file : lcp_family_word[block->family];
    double fastest = fastest_peer(block, 1);
    if (fastest < 0) fastest = fastest_peer(block, 0);
    for (int k = 0; k < COUNT; k++) {
        double over = bars[k].over ? seconds_of(block, bars[k].over) : fastest;
        if (bars[k].n != block->n || strcmp(bars[k].family, family) != 0 || over <= 0) continue;
        for (int i = 0; i < LCP_OURS; i++) {
            double seconds = seconds_of(block, ours[i]);
            int has_bar = !bars[k].ours || strcmp(bars[k].ours, ours[i]) == 0;
            if (has_bar && seconds > 0) b->reached[k][i] = seconds / over;
        }
    }
}

static void print_bar(int k, const char *by, double reached)
{
    char name[48];
    snprintf(name, sizeof name, "%s-%" PRId64, bars[k].family, bars[k].n);
    printf("%-16s %-14s %-15s %6.2f %8.3g  %s\n", name, by,
           bars[k].over ? bars[k].over : "the fastest", bars[k].most, reached,
           reached <= bars[k].most ? "met" : "MISSED");
}

void lcp_bars_print(const lcp_bars *b)
{
    printf("\nBars: time from the values to the answer over the fastest other program's (friction: "
           "which do not reach the "
           "residual)\n%-16s %-14s %-15s %6s %8s\n",
           "problem", "by", "over", "bar", "reached");
    for (int k = 0; k < COUNT; k++)
        for (int i = 0; i < LCP_OURS; i++)
            if (b->reached[k][i] >= 0) print_bar(k, ours[i], b->reached[k][i]);
}
