/* SPDX-License-Identifier: MIT */
/* A built-in solver in the first process, its factorizations by all. */
#include "collective.h"
#include "team.h"

static saddle_status share_solution(MPI_Comm processes, saddle_context *context, int64_t n,
                                    int64_t m, saddle_solution *solution)
{
    saddle_status status = SADDLE_OK;
    if (!solution->v && !solution->lambda)
        status = saddle_solution_create(context, n, m, solution);
    else if (solution->n != n || solution->m != m)
        status = saddle_fail(context, SADDLE_INVALID_ARGUMENT, "the solution is of another size");
    status = saddle__agree(processes, context, status);
    if (status != SADDLE_OK) return status;
    saddle__broadcast(processes, solution->v, n * (int64_t)sizeof(double));
    saddle__broadcast(processes, solution->lambda, m * (int64_t)sizeof(double));
    saddle__broadcast(processes, solution->w, m * (int64_t)sizeof(double));
    return SADDLE_OK;
}

/* In the first process. */
static saddle_status solve_whole(MPI_Comm processes, saddle_context *context,
                                 const saddle_problem *whole, const char *name,
                                 const saddle_options *options, const saddle_solution *start,
                                 saddle_solution *solution, saddle_report *report)
{
    saddle_options chosen = options ? *options : saddle_options_default();
    chosen.threads = 1; /* MPI's calls are of one thread */
    saddle__team_join(context, processes);
    const saddle_status status = saddle_solve(context, whole, name, &chosen, start, solution,
                                              report);
    saddle__team_dismiss(context);
    return status;
}

saddle_status saddle_mpi_solve(MPI_Comm processes, saddle_context *context,
                               const saddle_problem *part, const char *name,
                               const saddle_options *options, const saddle_solution *start,
                               saddle_solution *solution, saddle_report *report)
{
    saddle_report shared = {.note = ""};
    saddle_problem whole;
    saddle_status status = saddle_mpi_gather(processes, context, part, &whole);
    if (status != SADDLE_OK) return status;
    const int64_t n = part->n, m = part->m;
    if (saddle__rank(processes) == 0)
        status = solve_whole(processes, context, &whole, name, options, start, solution, &shared);
    else
        saddle__team_serve(processes);
    saddle_problem_clear(&whole);
    status = saddle__agree(processes, context, status);
    saddle__broadcast(processes, &shared, sizeof shared);
    if (report) *report = shared;
    if (status < SADDLE_OK) return status;
    const saddle_status given = share_solution(processes, context, n, m, solution);
    return given == SADDLE_OK ? status : given;
}
