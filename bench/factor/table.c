/* SPDX-License-Identifier: MIT */
/* See table.h.  TOTAL is analyse + factor + one solve with its refinement. */
#include "factor/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
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
               "inertia_off,perturbed,repetitions,note\n");
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

/* How far the inertia is from n positive, m negative, 0 zero; -1: one of the two is not known. */
static double inertia_off(const table_block *block, const measurement *m)
{
    const saddle_inertia *found = &m->facts.inertia;
    if (!found->known || block->positive < 0) return -1;
    return (double)(llabs(found->positive - block->positive) + found->zero +
                    llabs(found->negative - (block->unknowns - block->positive)));
}

static void print_inertia(const table_block *block, const measurement *m, int csv)
{
    const saddle_inertia *inertia = &m->facts.inertia;
    if (csv) {
        for (int k = 0; k < 3; k++)
            bench_print_number(csv, 0, "%.0f",
                               !inertia->known ? -1
                                               : (double)(k == 0   ? inertia->positive
                                                          : k == 1 ? inertia->negative
                                                                   : inertia->zero));
        bench_print_number(csv, 0, "%.0f", inertia_off(block, m));
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
    if (inertia_off(block, m) > 0) printf(", %.0f off", inertia_off(block, m));
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
    print_inertia(block, m, csv);
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
