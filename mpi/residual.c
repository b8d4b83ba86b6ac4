/* SPDX-License-Identifier: MIT */
/* The checker over parts: each process passes over its own entries of M, J and R, sums are formed
 * over all processes, and each measures the whole vectors alike. */
#include "problem/verdict.h"

#include "base/context_internal.h"
#include "collective.h"

typedef struct team {
    MPI_Comm processes;
    saddle_context *context;
    saddle_status status;
} team;

static void reduce(team *of, MPI_Op operation, int64_t count, double *x)
{
    const saddle_status status = saddle__reduce(of->processes, of->context, operation, count, x);
    if (status != SADDLE_OK) of->status = status;
}

static void sum(void *user, int64_t count, double *x)
{
    reduce(user, MPI_SUM, count, x);
}

static void least(void *user, int64_t count, double *x)
{
    reduce(user, MPI_MIN, count, x);
}

/* The part's matrices with all vectors, bounds and contacts; a view. */
static saddle_problem with_vectors(const saddle_problem *part, const saddle_problem *vectors)
{
    saddle_problem seen = *vectors;
    seen.M = part->M;
    seen.Jt = part->Jt;
    seen.R = part->R;
    seen.owner = 0;
    return seen;
}

saddle_status saddle_mpi_residual(MPI_Comm processes, saddle_context *context,
                                  const saddle_problem *part, const double *v, const double *lambda,
                                  saddle_residual *residual)
{
    SADDLE__TRY(saddle__agree_on_parts(processes, context, part));
    saddle_problem vectors;
    double *work = NULL;
    team all = {processes, context, SADDLE_OK};
    const saddle__sums parts = {&all, sum, least};
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
        const saddle_problem seen = with_vectors(part, &vectors);
        saddle__residual_of_parts(&seen, &parts, v, lambda, NULL, work, residual);
        status = all.status;
    }
    saddle_release(context, work);
    saddle_problem_clear(&vectors);
    return status;
}
