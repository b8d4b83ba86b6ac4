/* SPDX-License-Identifier: MIT */
#include "collective.h"

#include <limits.h>

#include "base/context_internal.h"

static int64_t piece_of(int64_t left)
{
    return left < SADDLE__MPI_PIECE ? left : SADDLE__MPI_PIECE;
}

void saddle__broadcast(MPI_Comm processes, void *x, int64_t bytes)
{
    for (int64_t done = 0; done < bytes; done += SADDLE__MPI_PIECE)
        MPI_Bcast((char *)x + done, (int)piece_of(bytes - done), MPI_BYTE, 0, processes);
}

saddle_status saddle__reduce(MPI_Comm processes, saddle_context *context, MPI_Op operation,
                             int64_t count, double *x)
{
    int result = MPI_SUCCESS;
    for (int64_t done = 0; done < count && result == MPI_SUCCESS; done += SADDLE__MPI_PIECE)
        result = MPI_Allreduce(MPI_IN_PLACE, x + done, (int)piece_of(count - done), MPI_DOUBLE,
                               operation, processes);
    return result == MPI_SUCCESS ? SADDLE_OK
                                 : saddle_fail(context, SADDLE_INTERNAL, "MPI_Allreduce failed");
}

saddle_status saddle__agree(MPI_Comm processes, saddle_context *context, saddle_status status)
{
    const int rank = saddle__rank(processes), size = saddle__processes(processes);
    /* the worst status and the first process that has it; the first process' result */
    int64_t least[] = {status > 0 ? 0 : (int64_t)status * size + rank,
                       rank == 0 ? (int64_t)status : INT64_MAX};
    MPI_Allreduce(MPI_IN_PLACE, least, 2, MPI_INT64_T, MPI_MIN, processes);
    int worst = 0;
    if (least[0] < 0) {
        worst = (int)(((least[0] % size) + size) % size);
        status = (saddle_status)((least[0] - worst) / size);
    } else {
        status = (saddle_status)least[1];
        if (status == SADDLE_OK) return SADDLE_OK;
    }
    char message[SADDLE__MESSAGE_SIZE] = "";
    if (rank == worst) saddle__append(message, sizeof message, saddle_context_message(context));
    MPI_Bcast(message, sizeof message, MPI_CHAR, worst, processes);
    if (worst == 0) return saddle_fail(context, status, "%s", message);
    return saddle_fail(context, status, "process %d: %s", worst, message);
}

saddle_status saddle__ask(MPI_Comm processes, saddle_context *context, const char *phase)
{
    saddle_status status = SADDLE_OK;
    if (saddle_context_progress(context, phase, 0, 0, -1.0, 0.0))
        status = saddle_fail(context, SADDLE_STOPPED, "stopped before %s", phase);
    return saddle__agree(processes, context, status);
}

/* ---- parts ---- */

enum { SIZES = 4 };

static saddle_status check_list(saddle_context *context, const char *name, const int64_t *list,
                                int64_t count, int64_t whole)
{
    if (!list && count != whole)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "%s is NULL, but the part has %lld of %lld", name, (long long)count,
                           (long long)whole);
    for (int64_t k = 0; list && k < count; k++)
        if (list[k] < 0 || list[k] >= whole || (k > 0 && list[k] <= list[k - 1]))
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "%s[%lld] = %lld of %lld: not ascending, or out of range", name,
                               (long long)k, (long long)list[k], (long long)whole);
    return SADDLE_OK;
}

/* Numbers of velocities and rows are MPI's counts and displacements. */
static saddle_status check_sizes(saddle_context *context, const saddle_mpi_part *part)
{
    if (part->n < 0 || part->m < 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "n = %lld and m = %lld of the whole",
                           (long long)part->n, (long long)part->m);
    if (part->n > INT_MAX || part->m > INT_MAX)
        return saddle_fail(context, SADDLE_TOO_LARGE,
                           "n = %lld and m = %lld: MPI counts in 32 bits", (long long)part->n,
                           (long long)part->m);
    return SADDLE_OK;
}

static saddle_status check_contacts(saddle_context *context, const saddle_mpi_part *part)
{
    for (int64_t c = 0; part->row && c < part->own.contact_count; c++) {
        const int64_t first = part->own.contacts[c].row;
        const int64_t last = first + part->own.contacts[c].size - 1;
        if (part->row[last] - part->row[first] != last - first)
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "the rows of contact %lld do not follow one another in the whole",
                               (long long)c + 1);
    }
    return SADDLE_OK;
}

static saddle_status check_part(saddle_context *context, const saddle_mpi_part *part)
{
    if (!context) return SADDLE_INVALID_ARGUMENT;
    if (!part) return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "a part or its sum is NULL");
    saddle_problem checked = part->own;
    if (checked.n > 0 && checked.M.rows == 0) /* none of M's entries: a matrix without any */
        checked.M = (saddle_matrix){.rows = checked.n,
                                    .cols = checked.n,
                                    .symmetry = SADDLE_SYMMETRY_LOWER};
    SADDLE__TRY(saddle_problem_check(context, &checked, NULL, NULL));
    SADDLE__TRY(check_sizes(context, part));
    SADDLE__TRY(check_list(context, "velocity", part->velocity, checked.n, part->n));
    SADDLE__TRY(check_list(context, "row", part->row, checked.m, part->m));
    return check_contacts(context, part);
}

static saddle_status compare(MPI_Comm processes, saddle_context *context,
                             const saddle_mpi_part *part)
{
    const saddle_problem *p = &part->own;
    const int64_t mine[SIZES] = {part->n, part->m, p->contact_count > 0 ? (int64_t)p->law : -1,
                                 p->contact_count > 0 ? p->facets : -1};
    int64_t least[SIZES], most[SIZES];
    MPI_Allreduce(mine, least, SIZES, MPI_INT64_T, MPI_MIN, processes);
    MPI_Allreduce(mine, most, SIZES, MPI_INT64_T, MPI_MAX, processes);
    if (least[0] != most[0] || least[1] != most[1])
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "the processes say n = %lld to %lld and m = %lld to %lld",
                           (long long)least[0], (long long)most[0], (long long)least[1],
                           (long long)most[1]);
    for (int k = 2; k < 4; k++)
        if (p->contact_count > 0 && mine[k] != most[k])
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "the processes' contacts follow different laws");
    return SADDLE_OK;
}

saddle_status saddle__agree_on_parts(MPI_Comm processes, saddle_context *context,
                                     const saddle_mpi_part *part)
{
    int running = 0, over = 0;
    MPI_Initialized(&running);
    MPI_Finalized(&over);
    if (!running || over)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "MPI is not running: MPI_Init");
    saddle_context_clear_message(context);
    saddle_status status = saddle__agree(processes, context, check_part(context, part));
    if (status != SADDLE_OK) return status;
    return saddle__agree(processes, context, compare(processes, context, part));
}
