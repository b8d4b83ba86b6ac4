/* SPDX-License-Identifier: MIT */
/* The table, ratios first: to the fastest other program that reaches the natural map, or, without
 * such a program, to the fastest of all. */
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
