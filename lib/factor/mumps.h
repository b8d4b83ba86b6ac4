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

/* ---- one factorization, in one process or alike in all ---- */

/* The settings of analyse and factor, after INITIALIZE. */
void saddle__mumps_choose(DMUMPS_STRUC_C *id);

/* After FACTOR: 1 = there was too little room, and FACTOR is to be called again with more. */
int saddle__mumps_widen(DMUMPS_STRUC_C *id);

/* After FACTOR: a pivot vanished. */
int saddle__mumps_is_singular(const DMUMPS_STRUC_C *id);

void saddle__mumps_count(const DMUMPS_STRUC_C *id, saddle__factor_counts *counts);

/* The error of INFOG(1) < 0: SADDLE_OUT_OF_MEMORY, SADDLE_INTERNAL. */
saddle_status saddle__mumps_fail(saddle_context *context, const DMUMPS_STRUC_C *id);

#endif
