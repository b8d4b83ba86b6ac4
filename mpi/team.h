/* SPDX-License-Identifier: MIT */
/* The processes of a communicator that share the factorizations of the first one's context.
 *
 *     first process          saddle__team_join; solvers as ever; saddle__team_dismiss
 *     every other process    saddle__team_serve
 *
 * A solver that asks for the default factorization, or for "mumps", gets one whose phases all
 * processes take part in; everything else of the solver runs in the first process. */
#ifndef SADDLE_MPI_TEAM_H
#define SADDLE_MPI_TEAM_H

#include <mpi.h>

#include "saddle/context.h"

void saddle__team_join(saddle_context *context, MPI_Comm processes);

/* Ends saddle__team_serve of the others; the context has no team afterwards. */
void saddle__team_dismiss(saddle_context *context);

/* Serves until dismissed.  SADDLE_OUT_OF_MEMORY in this process aborts the communicator: the others
 * wait in MUMPS. */
void saddle__team_serve(MPI_Comm processes);

#endif
