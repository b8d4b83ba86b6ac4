/* SPDX-License-Identifier: MIT */
/* Equations alone by all processes on their parts; few rows with bounds and contacts in the first
 * process, with M in parts; other problems by a built-in solver in the first process, its
 * factorizations by all. */
#include <string.h>

#include "base/context_internal.h"
#include "base/options_internal.h"
#include "collective.h"
#include "equations.h"
#include "rows.h"
#include "team.h"

static saddle_status make_solution(MPI_Comm processes, saddle_context *context, int64_t n,
                                   int64_t m, saddle_solution *solution)
{
    saddle_status status = SADDLE_OK;
    if (!solution)
        status = saddle_fail(context, SADDLE_INVALID_ARGUMENT, "the solution is NULL");
    else if (!solution->v && !solution->lambda)
        status = saddle_solution_create(context, n, m, solution);
    else if (solution->n != n || solution->m != m)
        status = saddle_fail(context, SADDLE_INVALID_ARGUMENT, "the solution is of another size");
    return saddle__agree(processes, context, status);
}

static void share_solution(MPI_Comm processes, const saddle_solution *solution)
{
    const int64_t n = solution->n, m = solution->m;
    saddle__broadcast(processes, solution->v, n * (int64_t)sizeof(double));
    saddle__broadcast(processes, solution->lambda, m * (int64_t)sizeof(double));
    saddle__broadcast(processes, solution->w, m * (int64_t)sizeof(double));
}

/* In the first process. */
static saddle_status solve_whole(MPI_Comm processes, saddle_context *context,
                                 const saddle_problem *whole, const char *name,
                                 const saddle_options *options, const saddle_solution *start,
                                 saddle_solution *solution, saddle_report *report)
{
    saddle_options chosen = *options;
    chosen.threads = 1; /* MPI's calls are of one thread */
    saddle__team_join(context, processes);
    const saddle_status status = saddle_solve(context, whole, name, &chosen, start, solution,
                                              report);
    saddle__team_dismiss(context);
    return status;
}

/* The matrices gathered in the first process, which runs the solver. */
static saddle_status solve_gathered(MPI_Comm processes, saddle_context *context,
                                    const saddle_problem *part, const char *name,
                                    const saddle_options *options, const saddle_solution *start,
                                    saddle_solution *solution, saddle_report *report)
{
    saddle_problem whole;
    saddle_status status = saddle_mpi_gather(processes, context, part, &whole);
    if (status != SADDLE_OK) return status;
    if (saddle__rank(processes) == 0)
        status = solve_whole(processes, context, &whole, name, options, start, solution, report);
    else
        saddle__team_serve(processes);
    saddle_problem_clear(&whole);
    status = saddle__agree(processes, context, status);
    if (status >= SADDLE_OK) share_solution(processes, solution);
    return status;
}

/* *done = 0: to be gathered. */
static saddle_status solve_parts(MPI_Comm processes, saddle_context *context,
                                 const saddle_problem *part, const char *name,
                                 saddle_options *options, const saddle_solution *start,
                                 saddle_solution *solution, saddle_report *report, int *done)
{
    saddle_problem vectors;
    saddle_status status = saddle__gather_vectors(processes, context, part, &vectors);
    if (status == SADDLE_OK)
        status = saddle__equations_solve(processes, context, part, &vectors, name, options,
                                         solution, report, done);
    if (status == SADDLE_OK && !*done)
        status = saddle__rows_solve(processes, context, part, &vectors, name, options, start,
                                    solution, report, done);
    saddle_problem_clear(&vectors);
    return status;
}

saddle_status saddle_mpi_solve(MPI_Comm processes, saddle_context *context,
                               const saddle_problem *part, const char *name,
                               const saddle_options *options, const saddle_solution *start,
                               saddle_solution *solution, saddle_report *report)
{
    saddle_options chosen = saddle_options_default();
    saddle_report shared = {.note = ""};
    int done = 0;
    SADDLE__TRY(saddle__agree_on_parts(processes, context, part));
    saddle_status status = SADDLE_OK;
    if (saddle__rank(processes) == 0) status = saddle__options_read(context, options, &chosen);
    SADDLE__TRY(saddle__agree(processes, context, status));
    const int is_made = solution && (solution->v || solution->lambda);
    status = make_solution(processes, context, part->n, part->m, solution);
    if (status == SADDLE_OK)
        status = solve_parts(processes, context, part, name, &chosen, start, solution, &shared,
                             &done);
    if (status == SADDLE_OK && !done)
        status = solve_gathered(processes, context, part, name, &chosen, start, solution, &shared);
    saddle__broadcast(processes, &shared, sizeof shared);
    if (report) *report = shared;
    if (status < SADDLE_OK && !is_made && solution) saddle_solution_clear(solution);
    return status;
}
