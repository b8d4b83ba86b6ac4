/* SPDX-License-Identifier: MIT */
/* Parts in numbers of their own: made of parts in numbers of the whole, and their answers put
 * together. */
#include <string.h>

#include "base/context_internal.h"
#include "gather.h"
#include "problem/problem_internal.h"

void saddle_mpi_part_clear(saddle_mpi_part *part)
{
    if (!part || !part->context) return;
    saddle_problem_clear(&part->own);
    saddle_problem_clear(&part->named);
    saddle__release_all(part->context, part->velocity, part->row);
    *part = (saddle_mpi_part){0};
}

static saddle_status name_part(MPI_Comm processes, saddle_context *context,
                               const saddle_problem *given, saddle_mpi_part *part)
{
    if (saddle__rank(processes) != 0) return SADDLE_OK;
    part->named = (saddle_problem){.owner = 1, .context = context, .n = given->n, .m = given->m};
    return saddle__take_names(context, given, &part->named);
}

/* The owners alone give what is summed. */
static void leave_to_owners(const saddle__distribution *d, double *x)
{
    if (!x) return;
    for (int64_t k = 0; k < d->count; k++)
        if (k < d->begin || k >= d->end) x[k] = 0.0;
}

saddle_status saddle_mpi_part_make(MPI_Comm processes, saddle_context *context,
                                   const saddle_problem *given, saddle_mpi_part *part)
{
    const saddle_mpi_part whole = saddle__part_of(given);
    saddle__view view;
    if (part) *part = (saddle_mpi_part){.context = context};
    SADDLE__TRY(saddle__agree_on_parts(processes, context, given && part ? &whole : NULL));
    saddle_status status = saddle__view_make(processes, context, &whole, &view);
    if (status == SADDLE_OK) {
        saddle__distribution *velocities = &view.of[SADDLE__VELOCITIES];
        saddle__distribution *rows = &view.of[SADDLE__ROWS];
        status = saddle_problem_copy(context, &view.problem, &part->own);
        if (status == SADDLE_OK) status = name_part(processes, context, given, part);
        leave_to_owners(velocities, part->own.f);
        leave_to_owners(rows, part->own.b);
        part->n = whole.n;
        part->m = whole.m;
        part->velocity = velocities->name;
        part->row = rows->name;
        velocities->name = rows->name = NULL;
        status = saddle__agree(processes, context, status);
    }
    saddle__view_clear(&view);
    if (status != SADDLE_OK) saddle_mpi_part_clear(part);
    return status;
}

/* ---- answers ---- */

/* whole (in the first process) <- x (count) of all, at the listed numbers. */
static saddle_status collect(MPI_Comm processes, saddle_context *context, int64_t length,
                             int64_t count, const int64_t *list, const double *x, double *whole)
{
    saddle__distribution all;
    saddle__named_value *value = NULL;
    saddle_status status = saddle__distribution_in_first(processes, context, length, &all);
    if (status == SADDLE_OK) {
        value = saddle_allocate(context, count + 1, sizeof *value);
        status = saddle__agree(processes, context, value ? SADDLE_OK : SADDLE_OUT_OF_MEMORY);
    }
    if (status == SADDLE_OK) {
        for (int64_t k = 0; k < all.count; k++) whole[k] = 0.0;
        for (int64_t k = 0; k < count; k++)
            value[k] = (saddle__named_value){list ? list[k] : k, x[k]};
        status = saddle__distribution_deliver(&all, count, value, SADDLE__REPLACE, whole);
    }
    saddle_release(context, value);
    saddle__distribution_clear(&all);
    return status;
}

saddle_status saddle_mpi_collect(MPI_Comm processes, saddle_context *context,
                                 const saddle_mpi_part *part, const saddle_solution *mine,
                                 saddle_solution *whole)
{
    SADDLE__TRY(saddle__agree_on_parts(processes, context, part));
    const int first = saddle__rank(processes) == 0;
    const int is_made = first && whole && (whole->v || whole->lambda);
    const saddle_problem sizes = {.n = part->n, .m = part->m};
    saddle_solution none = {0}, *to = first ? whole : &none;
    saddle_status status = SADDLE_OK;
    if (mine && to)
        status = saddle__solution_check_size(context, &part->own, mine, "part's solution", 1);
    else
        status = saddle_fail(context, SADDLE_INVALID_ARGUMENT, "a solution is NULL");
    if (status == SADDLE_OK && is_made)
        status = saddle__solution_check_size(context, &sizes, whole, "solution", 1);
    else if (status == SADDLE_OK && first)
        status = saddle_solution_create(context, part->n, part->m, whole);
    status = saddle__agree(processes, context, status);
    if (status == SADDLE_OK)
        status = collect(processes, context, part->n, part->own.n, part->velocity, mine->v, to->v);
    if (status == SADDLE_OK)
        status = collect(processes, context, part->m, part->own.m, part->row, mine->lambda,
                         to->lambda);
    if (status == SADDLE_OK)
        status = collect(processes, context, part->m, part->own.m, part->row, mine->w, to->w);
    if (status != SADDLE_OK && first && whole && !is_made) saddle_solution_clear(whole);
    return status;
}
