/* SPDX-License-Identifier: MIT */
/* See table.h: performance profiles. */
#include <math.h>
#include <stdio.h>

#include "contact/table.h"

enum { FACTORS = 6 };

static const double factor[FACTORS] = {1.0, 2.0, 5.0, 10.0, 100.0, INFINITY};

static double fastest(const contact_line *line, contact_measure_kind kind)
{
    double best = INFINITY;
    for (int k = 0; contact_method_at(k) != NULL; k++)
        if (line->taken[k] && contact_reached(&line->result[kind][k], kind, CONTACT_SOLVED))
            best = fmin(best, line->result[kind][k].seconds);
    return best;
}

static void print_line(const contact_table *table, int method, contact_measure_kind kind)
{
    int within[FACTORS] = {0};
    int taken = 0;
    for (int i = 0; i < table->count; i++) {
        const contact_line *line = &table->line[i];
        if (!line->taken[method]) continue;
        taken++;
        if (!contact_reached(&line->result[kind][method], kind, CONTACT_SOLVED)) continue;
        double ratio = line->result[kind][method].seconds / fastest(line, kind);
        for (int f = 0; f < FACTORS; f++) within[f] += ratio <= factor[f];
    }
    if (taken == 0) return;
    printf("%-19s %6d", contact_method_at(method)->name, taken);
    for (int f = 0; f < FACTORS; f++) printf(" %7.2f", (double)within[f] / taken);
    printf("\n");
}

void contact_print_profile(const contact_table *table, contact_measure_kind kind)
{
    printf("\n%-19s %6s", "profile", "taken");
    for (int f = 0; f < FACTORS; f++)
        if (factor[f] < (double)INFINITY)
            printf(" %6.0fx", factor[f]);
        else
            printf(" %7s", "solved");
    printf("\n");
    for (int k = 0; contact_method_at(k) != NULL; k++) print_line(table, k, kind);
}
