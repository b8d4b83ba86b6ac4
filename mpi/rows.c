/* SPDX-License-Identifier: MIT */
/* See rows.h. */
#include "rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "equations.h"
#include "gather.h"
#include "mass.h"
#include "refine.h"
#include "verdict.h"

typedef struct rows_solve {
    saddle__view *view;
    const saddle_problem *named; /* its names */
    saddle_context *context;
    const char *name; /* of the first process, as options and start */
    saddle_options *options;
    const saddle_solution *start;
    saddle_solution *solution; /* of the view */
    saddle_solution whole;     /* of the first process */
    saddle_report *report;     /* of the first process until the checker */
    saddle_problem rows;       /* of the first process: all but M; owned */
    saddle__mass mass;
} rows_solve;

static saddle_status agree(const rows_solve *s, saddle_status status)
{
    return saddle__agree(s->view->processes, s->context, status);
}

static int is_first(const rows_solve *s)
{
    return saddle__rank(s->view->processes) == 0;
}

/* ---- which problems ---- */

enum { FEW_ROWS = 1000 }; /* W dense is small whatever M is */

int saddle__rows_are_few(const saddle__view *view)
{
    const saddle__distribution *of = view->of;
    const double m = (double)of[SADDLE__ROWS].whole;
    int64_t entries = saddle_matrix_entries(&view->problem.M);
    MPI_Allreduce(MPI_IN_PLACE, &entries, 1, MPI_INT64_T, MPI_SUM, view->processes);
    return m <= FEW_ROWS || 0.5 * m * (m + 1.0) <= (double)entries;
}

static int takes(const rows_solve *s, int equations)
{
    const char *name = s->name ? s->name : "auto";
    const saddle__distribution *of = s->view->of;
    if (strcmp(name, "ldlt") == 0 || strcmp(name, "lu") == 0 || s->options->condition) return 0;
    if (strcmp(name, "auto") == 0 && equations) return 0;
    if (!saddle_solver_type_find(s->context, name)) return 0;
    return of[SADDLE__VELOCITIES].whole > 0 && of[SADDLE__ROWS].whole > 0;
}

static int is_taken(const rows_solve *s)
{
    int taken = takes(s, saddle__view_is_equations(s->view));
    MPI_Bcast(&taken, 1, MPI_INT, 0, s->view->processes);
    return taken && saddle__rows_are_few(s->view) && saddle__parts_are_marked(s->view, 0);
}

/* ---- the first process ---- */

static saddle_status run(rows_solve *s)
{
    const saddle_mass_operator mass = saddle__mass_operator_of(&s->mass);
    saddle_options chosen = *s->options;
    saddle_solver *solver = NULL;
    chosen.threads = 1; /* MPI's calls are of one thread */
    chosen.warm_start = 0;
    SADDLE__TRY(saddle_solver_create(s->context, s->name, &chosen, &solver));
    saddle_status status = saddle_solver_set_mass(solver, &mass);
    if (status == SADDLE_OK) status = saddle_solver_analyse(solver, &s->rows);
    if (saddle__goes_on(status)) status = saddle_solver_factor(solver, &s->rows);
    if (saddle__goes_on(status))
        status = saddle_solver_solve(solver, &s->rows, s->start, &s->whole);
    const saddle_seconds before = s->report->seconds;
    *s->report = *saddle_solver_report(solver);
    s->report->seconds.analyse += before.analyse;
    s->report->seconds.factor += before.factor;
    s->report->flops += s->mass.counts.flops;
    s->report->factor_entries += s->mass.counts.entries;
    s->report->peak_bytes += s->mass.counts.peak_bytes;
    s->report->factorizations++;
    saddle_solver_free(solver);
    return status;
}

/* ---- all processes ---- */

static saddle_status make(rows_solve *s, int *definite)
{
    const double began = saddle_clock();
    const saddle__distribution *of = s->view->of;
    saddle_ordering ordering = s->options->ordering;
    saddle_status status = SADDLE_OK;
    SADDLE__TRY(saddle__gather_vectors(s->view, s->named, &s->rows));
    SADDLE__TRY(saddle__gather_rows(s->view, &s->rows.Jt, &s->rows.R));
    if (is_first(s)) {
        s->rows.M = (saddle_matrix){.rows = s->rows.n,
                                    .cols = s->rows.n,
                                    .symmetry = SADDLE_SYMMETRY_LOWER};
        status = saddle_solution_create(s->context, of[SADDLE__VELOCITIES].whole,
                                        of[SADDLE__ROWS].whole, &s->whole);
    }
    SADDLE__TRY(agree(s, status));
    saddle__broadcast(s->view->processes, &ordering, sizeof ordering);
    SADDLE__TRY(saddle__mass_make(s->view, ordering, &s->mass, definite));
    s->report->seconds.factor = saddle_clock() - began;
    return SADDLE_OK;
}

/* The answer in all processes, and the checker's figures. */
static saddle_status check(rows_solve *s)
{
    saddle__mass_clear(&s->mass);
    SADDLE__TRY(saddle__view_scatter(s->view, &s->whole, s->solution));
    saddle__broadcast(s->view->processes, s->report, sizeof *s->report);
    return saddle__view_measure(s->view, s->solution, &s->report->residual);
}

/* The status by the checker, and whether it is the last word. */
static saddle_status judge(rows_solve *s, double tolerance, saddle_status status, int *done)
{
    status = saddle__view_judge(s->view, tolerance, status, 0, s->report, done);
    if (*done)
        saddle__report_note(s->report, "M in parts over %d processes, W of %lld rows in the first",
                            saddle__processes(s->view->processes),
                            (long long)s->view->of[SADDLE__ROWS].whole);
    return status;
}

/* Statuses of the solver below zero that are not of the machine's have no verdict yet. */
static int is_final(saddle_status status)
{
    return status == SADDLE_OUT_OF_MEMORY || status == SADDLE_INTERNAL ||
           status == SADDLE_INVALID_ARGUMENT || status == SADDLE_UNKNOWN_NAME;
}

static saddle_status solve(rows_solve *s, int *done)
{
    double tolerance = s->options->tolerance;
    int definite = 0;
    saddle__broadcast(s->view->processes, &tolerance, sizeof tolerance);
    saddle_status status = make(s, &definite);
    *done = status != SADDLE_OK;
    if (status != SADDLE_OK || !definite) return status;
    if (is_first(s)) {
        status = run(s);
        saddle__mass_dismiss(&s->mass);
    } else {
        saddle__mass_serve(&s->mass);
    }
    status = agree(s, status);
    *done = status < SADDLE_OK && is_final(status);
    if (status < SADDLE_OK) return *done ? status : SADDLE_OK;
    const saddle_status checked = check(s);
    *done = checked != SADDLE_OK;
    return checked == SADDLE_OK ? judge(s, tolerance, status, done) : checked;
}

saddle_status saddle__rows_solve(saddle__view *view, const saddle_problem *named, const char *name,
                                 saddle_options *options, const saddle_solution *start,
                                 saddle_solution *solution, saddle_report *report, int *done)
{
    rows_solve s = {.view = view,
                    .named = named,
                    .context = view->context,
                    .name = name,
                    .options = options,
                    .start = start,
                    .solution = solution,
                    .report = report};
    *done = 0;
    if (!is_taken(&s)) return SADDLE_OK;
    *report = saddle__report_fresh("");
    const saddle_status status = solve(&s, done);
    saddle__mass_clear(&s.mass);
    saddle_problem_clear(&s.rows);
    saddle_solution_clear(&s.whole);
    if (!*done && options->time_limit > 0.0)
        options->time_limit = fmax(options->time_limit - report->seconds.solve, DBL_MIN);
    return status;
}
