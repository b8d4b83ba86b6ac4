/* SPDX-License-Identifier: MIT */
/* What saddle bench makes of results: tables, profiles, scaling, comparisons. */
#ifndef SADDLE_TOOLS_ANALYSIS_H
#define SADDLE_TOOLS_ANALYSIS_H

#include "results.h"
#include "statistics.h"
#include "text.h"

/* ---- costs of all cases ---- */

/* problems: of a path and a tolerance; solvers: with their settings.  Both in the file's order. */
typedef struct tool_grid {
    saddle_context *context;
    const tool_case **problem, **solver; /* the first case of each */
    int64_t problems, solvers;
    double *cost, *ratio; /* problems x solvers; INFINITY: no answer */
} tool_grid;

/* cost: the median of the measure where a case is solved; of residuals, wherever there is an
 * answer. */
saddle_status tool_grid_of(const tool_results *results, const tool_cases *cases,
                           tool_measure measure, tool_grid *grid);
void tool_grid_clear(tool_grid *grid);

/* ---- scaling: seconds over unknowns n + m, of a family by a solver ---- */

typedef struct tool_scaling_line {
    const tool_case *first; /* of the family and solver */
    tool_fit fit;
} tool_scaling_line;

/* 1: a single family, solver and tolerance. */
int tool_case_same_line(const tool_case *a, const tool_case *b);

/* Those with three sizes at least, solved; released by saddle_release. */
saddle_status tool_scalings_of(const tool_results *results, const tool_cases *cases,
                               tool_measure measure, tool_scaling_line **list, int64_t *count);

/* ---- on standard output ---- */

const char *tool_measure_name(tool_measure measure);

/* A line for each case; csv: more columns. */
saddle_status tool_results_print(const tool_results *results, const tool_cases *cases, int csv);

/* For each solver the part of the problems within 1, 1.5, 2, 5, 10, 100 times the least. */
saddle_status tool_profile_print(const tool_results *results, const tool_cases *cases,
                                 tool_measure measure, int csv);

/* The second file over the first, for each solver and for all; the session's code is 1 where a
 * solver takes more or has lost a case. */
saddle_status tool_compare_print(tool_session *session, const char *a, const char *b,
                                 tool_measure measure, double margin, int csv);

#endif
