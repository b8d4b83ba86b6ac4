/* SPDX-License-Identifier: MIT */
/* The bars: times from the values to the answer, over those of the fastest other program that
 * reaches the residual, or, where none does, over the fastest of them all the same; or over one
 * program by name. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "complementarity/measure.h"

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
    double fastest = lcp_fastest_peer(block, 1);
    if (fastest < 0) fastest = lcp_fastest_peer(block, 0);
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
