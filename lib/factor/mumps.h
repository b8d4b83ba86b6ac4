/* SPDX-License-Identifier: MIT */
/* MUMPS in one process, or shared by the processes of an MPI communicator (mpi/team.c): a phase of
 * a factorization is one call of MUMPS by each process of the team. */
#ifndef SADDLE_LIB_MUMPS_H
#define SADDLE_LIB_MUMPS_H

#include <dmumps_c.h>

#include "factor/factorization.h"

typedef enum saddle__mumps_phase { /* MUMPS' numbers */
                                   SADDLE__MUMPS_INITIALIZE = -1,
                                   SADDLE__MUMPS_FINISH = -2,
                                   SADDLE__MUMPS_ANALYSE = 1,
                                   SADDLE__MUMPS_FACTOR = 2,
                                   SADDLE__MUMPS_SOLVE = 3
} saddle__mumps_phase;

typedef struct saddle__mumps_team {
    int communicator; /* as MPI_Comm_c2f has it */
    int number;       /* of the factorization, among those of the team */
} saddle__mumps_team;

/* The processes that share F. */
void saddle__mumps_find_team(const saddle__factorization *F, saddle__mumps_team *team);

/* Tells the other processes of the team which phase follows. */
void saddle__mumps_tell(const saddle__mumps_team *team, int job, int symmetry);

/* The parts of each process: id before INITIALIZE; a phase, which returns INFOG(1); no output,
 * after INITIALIZE. */
void saddle__mumps_begin(DMUMPS_STRUC_C *id, int communicator, int symmetry);
int saddle__mumps_run(DMUMPS_STRUC_C *id, int job);
void saddle__mumps_silence(DMUMPS_STRUC_C *id);

#endif
