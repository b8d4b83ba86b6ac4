/* SPDX-License-Identifier: MIT */
/* See measure.h.  A tolerance has another meaning in each program: the benchmark tightens the
 * tolerance until the natural map is reached. */
#define _POSIX_C_SOURCE 200809L /* dup2 */
#include "complementarity/measure.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"

enum { REPETITIONS_MOST = 200, REPETITIONS_LEAST = 3 };

static const double seconds_per_draw = 0.3;
static const double tightest = 1e-15;

int lcp_reached(const lcp_line *line)
{
    return line->again >= 0.0 && line->residual <= LCP_REACHED;
}

/* ---- one run ---- */

enum part { AGAIN, ALL, ANALYSE, FACTOR, SOLVE, PARTS };

typedef struct run {
    double seconds[PARTS]; /* negative: not known */
    double iterations;
    double residual;
    int failed; /* no answer at all */
    char note[160];
} run;

static void run_ours(const bench_options *options, const saddle_solver_type *type,
                     const lcp_problem *p, double tolerance, run *r)
{
    saddle_options chosen = saddle_options_default();
    chosen.tolerance = tolerance;
    chosen.time_limit = options->budget;
    saddle_solver *solver = NULL;
    saddle_solution solution = {0};
    saddle_status status = saddle_solution_create(p->context, 0, p->n, &solution);
    double began = bench_now();
    if (status == SADDLE_OK)
        status = saddle_solver_create(p->context, type->name, &chosen, &solver);
    if (status == SADDLE_OK) status = saddle_solver_analyse(solver, &p->problem);
    double analysed = bench_now();
    if (status >= 0) status = saddle_solver_factor(solver, &p->problem);
    double factored = bench_now();
    if (status >= 0) status = saddle_solver_solve(solver, &p->problem, NULL, &solution);
    double solved = bench_now();
    r->seconds[AGAIN] = bench_without_looks(solved - analysed, 1);
    r->seconds[ALL] = bench_without_looks(solved - began, 2);
    r->seconds[ANALYSE] = bench_without_looks(analysed - began, 0);
    r->seconds[FACTOR] = bench_without_looks(factored - analysed, 0);
    r->seconds[SOLVE] = bench_without_looks(solved - factored, 0);
    r->failed = status < 0;
    if (status != SADDLE_OK) snprintf(r->note, sizeof r->note, "%s", saddle_status_name(status));
    if (!r->failed) {
        const saddle_report *report = saddle_solver_report(solver);
        r->iterations = (double)(report->pivots > 0 ? report->pivots : report->iterations);
        r->residual = lcp_natural_map(p, solution.lambda);
    }
    saddle_solver_free(solver);
    saddle_solution_clear(&solution);
}

/* Other programs print, which would stand among the rows of the table. */
static int solve_quietly(const lcp_peer *peer, lcp_call *call)
{
    (void)fflush(stdout);
    int table = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY);
    if (table >= 0 && nowhere >= 0) (void)dup2(nowhere, STDOUT_FILENO);
    int failed = peer->solve(call);
    (void)fflush(stdout);
    if (table >= 0) (void)dup2(table, STDOUT_FILENO);
    if (table >= 0) (void)close(table);
    if (nowhere >= 0) (void)close(nowhere);
    return failed;
}

static void run_peer(const lcp_peer *peer, const lcp_problem *p, double tolerance, run *r)
{
    lcp_call call = {.n = (int)p->n,
                     .A = p->A,
                     .b = p->b,
                     .lo = p->lo,
                     .hi = p->hi,
                     .normal = p->normal,
                     .friction = p->family == LCP_FRICTION,
                     .tolerance = tolerance,
                     .x = p->work,
                     .iterations = -1};
    r->failed = solve_quietly(peer, &call);
    for (int k = 0; k < PARTS; k++)
        r->seconds[k] = k == AGAIN || k == ALL ? bench_without_looks(call.seconds, 0) : -1.0;
    r->iterations = call.iterations;
    snprintf(r->note, sizeof r->note, "%s", call.message);
    if (!r->failed) r->residual = lcp_natural_map(p, p->work);
}

static run run_once(const bench_options *options, const saddle_solver_type *type,
                    const lcp_peer *peer, const lcp_problem *p, double tolerance)
{
    run r = {.residual = INFINITY, .iterations = -1};
    if (type)
        run_ours(options, type, p, tolerance, &r);
    else
        run_peer(peer, p, tolerance, &r);
    return r;
}

/* ---- medians ---- */

/* The loosest tolerance that reaches the natural map; *r: its run, or the last run. */
static double find_tolerance(const bench_options *options, const saddle_solver_type *type,
                             const lcp_peer *peer, const lcp_problem *p, run *r)
{
    double tolerance = LCP_REACHED;
    *r = run_once(options, type, peer, p, tolerance);
    if (peer && !peer->tolerant) return -1.0;
    while (!r->failed && r->residual > LCP_REACHED && r->seconds[ALL] < 0.5 * options->budget &&
           tolerance * 0.1 > tightest) {
        tolerance *= 0.1;
        *r = run_once(options, type, peer, p, tolerance);
    }
    return tolerance;
}

/* Medians over repetitions into seconds; *residual: the worst. */
static run measure_draw(const bench_options *options, const saddle_solver_type *type,
                        const lcp_peer *peer, const lcp_problem *p, lcp_line *line)
{
    double taken[PARTS][REPETITIONS_MOST];
    run first;
    double tolerance = find_tolerance(options, type, peer, p, &first);
    if (tolerance >= 0.0 && (line->tolerance < 0.0 || tolerance < line->tolerance))
        line->tolerance = tolerance;
    if (first.failed) return first;
    double least = first.seconds[ALL] > 0.1 * options->budget ? 1 : REPETITIONS_LEAST;
    double spent = 0.0;
    const int64_t most = options->repeat > 0 ? options->repeat : REPETITIONS_MOST;
    int count = 0;
    run result = first;
    while (count < REPETITIONS_MOST && count < most &&
           (count < least || spent < seconds_per_draw)) {
        run r = least > 1
                    ? run_once(options, type, peer, p, tolerance >= 0.0 ? tolerance : LCP_REACHED)
                    : first;
        for (int k = 0; k < PARTS; k++) taken[k][count] = r.seconds[k];
        result.residual = fmax(result.residual, r.residual);
        spent += fmax(r.seconds[ALL], 1e-7);
        count++;
        if (least <= 1) break;
    }
    for (int k = 0; k < PARTS; k++) result.seconds[k] = bench_median(taken[k], count);
    line->repetitions += count;
    return result;
}

static void measure(const bench_options *options, const saddle_solver_type *type,
                    const lcp_peer *peer, const lcp_problem *p, int draws, lcp_line *line)
{
    double taken[PARTS][LCP_DRAWS];
    lcp_line fresh = {.name = type ? type->name : peer->name,
                      .ours = type != NULL,
                      .again = -1,
                      .all = -1,
                      .analyse = -1,
                      .factor = -1,
                      .solve = -1,
                      .iterations = -1,
                      .tolerance = -1};
    *line = fresh;
    for (int d = 0; d < draws; d++) {
        run r = measure_draw(options, type, peer, p + d, line);
        line->residual = fmax(line->residual, r.residual);
        line->iterations = r.iterations;
        if (r.note[0]) snprintf(line->note, sizeof line->note, "%s", r.note);
        if (r.failed) return;
        for (int k = 0; k < PARTS; k++) taken[k][d] = r.seconds[k];
    }
    line->again = bench_median(taken[AGAIN], draws);
    line->all = bench_median(taken[ALL], draws);
    line->analyse = bench_median(taken[ANALYSE], draws);
    line->factor = bench_median(taken[FACTOR], draws);
    line->solve = bench_median(taken[SOLVE], draws);
}

void lcp_measure_ours(const bench_options *options, const saddle_solver_type *type,
                      const lcp_problem *p, int draws, lcp_line *line)
{
    measure(options, type, NULL, p, draws, line);
}

void lcp_measure_peer(const bench_options *options, const lcp_peer *peer, const lcp_problem *p,
                      int draws, lcp_line *line)
{
    measure(options, NULL, peer, p, draws, line);
}
