/* SPDX-License-Identifier: MIT */
/* The checker over parts: each process passes over its own entries of M, J and R, sums are formed
 * over all processes, and each measures the whole vectors alike. */
#include "base/context_internal.h"
#include "sums.h"

saddle_status saddle_mpi_residual(MPI_Comm processes, saddle_context *context,
                                  const saddle_problem *part, const double *v, const double *lambda,
                                  saddle_residual *residual)
{
    SADDLE__TRY(saddle__agree_on_parts(processes, context, part));
    saddle_problem vectors;
    double *work = NULL;
    saddle__team_sums all = {processes, context, SADDLE_OK};
    const saddle__sums parts = saddle__sums_of(&all);
    saddle_status status = saddle__gather_vectors(processes, context, part, &vectors);
    const int complete = residual && (v || part->n == 0) && (lambda || part->m == 0);
    if (status == SADDLE_OK && !complete)
        status = saddle_fail(context, SADDLE_INVALID_ARGUMENT, "v, lambda or residual is NULL");
    if (status == SADDLE_OK) {
        work = saddle_allocate(context, saddle_residual_work_size(part) + 1, sizeof *work);
        if (!work) status = SADDLE_OUT_OF_MEMORY;
    }
    status = saddle__agree(processes, context, status);
    if (status == SADDLE_OK) {
        const saddle_problem seen = saddle__seen_by(part, &vectors);
        saddle__residual_of_parts(&seen, &parts, v, lambda, NULL, work, residual);
        status = all.status;
    }
    saddle_release(context, work);
    saddle_problem_clear(&vectors);
    return status;
}
