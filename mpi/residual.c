/* SPDX-License-Identifier: MIT */
/* The checker over parts: each process multiplies its own entries of M, J and R, products are
 * summed over the processes, and each process measures the velocities and rows it owns. */
#include "base/context_internal.h"
#include "view.h"

/* The view's entries of a whole vector. */
static void restrict_to(const saddle__distribution *d, const double *whole, double *x)
{
    for (int64_t k = 0; k < d->count; k++) x[k] = whole[d->name[k]];
}

static saddle_status measure(saddle__view *view, const double *v, const double *lambda,
                             saddle_residual *residual)
{
    const saddle_problem *p = &view->problem;
    saddle_context *context = view->context;
    saddle_solution x = {.n = p->n, .m = p->m};
    x.v = saddle_allocate(context, p->n + 1, sizeof *x.v);
    x.lambda = saddle_allocate(context, p->m + 1, sizeof *x.lambda);
    saddle_status status = x.v && x.lambda ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    status = saddle__agree(view->processes, context, status);
    if (status == SADDLE_OK) {
        restrict_to(&view->of[SADDLE__VELOCITIES], v, x.v);
        restrict_to(&view->of[SADDLE__ROWS], lambda, x.lambda);
        status = saddle__view_measure(view, &x, residual);
    }
    saddle__release_all(context, x.v, x.lambda);
    return status;
}

saddle_status saddle_mpi_residual(MPI_Comm processes, saddle_context *context,
                                  const saddle_problem *part, const double *v, const double *lambda,
                                  saddle_residual *residual)
{
    const saddle_mpi_part given = saddle__part_of(part);
    saddle__view view;
    saddle_status status = SADDLE_OK;
    SADDLE__TRY(saddle__agree_on_parts(processes, context, part ? &given : NULL));
    if (!residual || (!v && part->n > 0) || (!lambda && part->m > 0))
        status = saddle_fail(context, SADDLE_INVALID_ARGUMENT, "v, lambda or residual is NULL");
    SADDLE__TRY(saddle__agree(processes, context, status));
    status = saddle__view_make(processes, context, &given, &view);
    if (status == SADDLE_OK) status = measure(&view, v, lambda, residual);
    saddle__view_clear(&view);
    return status;
}
