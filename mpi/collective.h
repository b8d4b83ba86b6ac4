/* SPDX-License-Identifier: MIT */
/* What all processes of a communicator agree on. */
#ifndef SADDLE_MPI_COLLECTIVE_H
#define SADDLE_MPI_COLLECTIVE_H

#include "saddle_mpi.h"

/* Elements of one call: MPI counts in int. */
enum { SADDLE__MPI_PIECE = 1 << 26 };

static inline int saddle__rank(MPI_Comm processes)
{
    int rank = 0;
    MPI_Comm_rank(processes, &rank);
    return rank;
}

static inline int saddle__processes(MPI_Comm processes)
{
    int size = 1;
    MPI_Comm_size(processes, &size);
    return size;
}

/* The worst status, in all processes, with the message of its process and, but for the first, the
 * number of the process.  Of statuses above 0, results, that of the first process counts. */
saddle_status saddle__agree(MPI_Comm processes, saddle_context *context, saddle_status status);

/* Before a phase: SADDLE_STOPPED, of all, by the first process' progress function. */
saddle_status saddle__ask(MPI_Comm processes, saddle_context *context, const char *phase);

/* A part in numbers of the whole; NULL: an empty one. */
static inline saddle_mpi_part saddle__part_of(const saddle_problem *given)
{
    if (!given) return (saddle_mpi_part){0};
    return (saddle_mpi_part){.n = given->n, .m = given->m, .own = *given};
}

/* SADDLE_INVALID_ARGUMENT: MPI is not running, a NULL part in some process, sizes or laws that
 * differ, lists that do not ascend; SADDLE_INVALID_PROBLEM: what saddle_problem_check says of a
 * part. */
saddle_status saddle__agree_on_parts(MPI_Comm processes, saddle_context *context,
                                     const saddle_mpi_part *part);

/* x (count) <- the sum, least or largest over the processes, in all of them. */
saddle_status saddle__reduce(MPI_Comm processes, saddle_context *context, MPI_Op operation,
                             int64_t count, double *x);

/* x (bytes) <- the first process' in all. */
void saddle__broadcast(MPI_Comm processes, void *x, int64_t bytes);

#endif
