/* SPDX-License-Identifier: MIT */
/* saddle_solve_least_multipliers: a solve, the rank report of its equality rows, and the impulse
 * shared among those that are redundant (lib/rank/multipliers.c).  The residual is measured again
 * with the new multipliers. */
#include "saddle/rank.h"
#include "saddle/solver.h"

static saddle_status measure(saddle_context *context, const saddle_problem *problem,
                             saddle_solution *solution, saddle_residual *residual)
{
    double *work = saddle_allocate(context, saddle_residual_work_size(problem), sizeof(*work));
    if (!work) return SADDLE_OUT_OF_MEMORY;
    saddle_residual_compute(problem, solution->v, solution->lambda, solution->w, work, residual);
    saddle_release(context, work);
    return SADDLE_OK;
}

saddle_status saddle_solve_least_multipliers(saddle_context *context, const saddle_problem *problem,
                                             const char *name, saddle_multiplier_norm norm,
                                             const saddle_options *options,
                                             saddle_solution *solution, saddle_report *report)
{
    saddle_context_clear_message(context);
    saddle_rank rank = {0};
    saddle_residual residual;
    int made = solution && !solution->v && !solution->lambda && !solution->w;
    saddle_status solved = saddle_solve(context, problem, name, options, NULL, solution, report);
    if (solved < 0) return solved;
    saddle_status status = saddle_rank_find(context, problem, NULL, &rank);
    if (status == SADDLE_OK)
        status = saddle_rank_least_multipliers(context, problem, &rank, norm, solution->lambda);
    if (status == SADDLE_OK) status = measure(context, problem, solution, &residual);
    saddle_rank_clear(&rank);
    if (status == SADDLE_OK) {
        double tolerance = options ? options->tolerance : saddle_options_default().tolerance;
        status = solved == SADDLE_OK && !saddle_residual_is_solved(&residual, tolerance)
                     ? SADDLE_NOT_CONVERGED
                     : solved;
        if (report) report->residual = residual;
    } else if (made) {
        saddle_solution_clear(solution);
    }
    if (report) report->status = status;
    return status;
}
