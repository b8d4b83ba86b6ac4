/* SPDX-License-Identifier: MIT */
/* The sums of problem/verdict.h over the processes of a communicator. */
#ifndef SADDLE_MPI_SUMS_H
#define SADDLE_MPI_SUMS_H

#include "collective.h"
#include "problem/verdict.h"

typedef struct saddle__team_sums {
    MPI_Comm processes;
    saddle_context *context;
    saddle_status status; /* of the last sum that failed; SADDLE_OK at first */
} saddle__team_sums;

/* team: borrowed. */
saddle__sums saddle__sums_of(saddle__team_sums *team);

/* The part's matrices and names with all vectors, bounds and contacts; a view. */
saddle_problem saddle__seen_by(const saddle_problem *part, const saddle_problem *vectors);

#endif
