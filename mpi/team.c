/* SPDX-License-Identifier: MIT */
/* The first process announces each phase of a factorization; the others call MUMPS alike. */
#include "team.h"

#include <stdio.h>

#include "base/context_internal.h"
#include "factor/factorization_internal.h"
#include "factor/mumps.h"

enum { DISMISS = 9 };

typedef struct command {
    int job; /* of MUMPS, or DISMISS */
    int number;
    int symmetry;
} command;

/* ---- the first process ---- */

static void send(int communicator, command c)
{
    MPI_Comm processes = MPI_Comm_f2c(communicator);
    int size = 1;
    MPI_Comm_size(processes, &size);
    if (size > 1) MPI_Bcast(&c, sizeof c, MPI_BYTE, 0, processes);
}

void saddle__team_join(saddle_context *context, MPI_Comm processes)
{
    context->shared_method = &saddle__factor_mumps;
    context->team = MPI_Comm_c2f(processes);
    context->team_factorizations = 0;
}

void saddle__team_dismiss(saddle_context *context)
{
    send(context->team, (command){.job = DISMISS});
    context->shared_method = NULL;
}

void saddle__mumps_find_team(const saddle__factorization *F, saddle__mumps_team *team)
{
    *team = (saddle__mumps_team){.communicator = F->context->team,
                                 .number = F->context->team_factorizations++};
}

void saddle__mumps_tell(const saddle__mumps_team *team, int job, int symmetry)
{
    send(team->communicator, (command){.job = job, .number = team->number, .symmetry = symmetry});
}

/* ---- the others ---- */

/* The part of this process in a factorization of the team. */
typedef struct share {
    DMUMPS_STRUC_C id;
    int number;
    struct share *next;
} share;

static share **find(share **list, int number)
{
    while (*list && (*list)->number != number) list = &(*list)->next;
    return list;
}

static void add(share **list, int communicator, const command *c)
{
    share *made = saddle_allocate(NULL, 1, sizeof *made);
    if (!made) {
        fprintf(stderr, "saddle: out of memory in a process of the team\n");
        MPI_Abort(MPI_Comm_f2c(communicator), 5);
        return;
    }
    saddle__mumps_begin(&made->id, communicator, c->symmetry);
    made->number = c->number;
    made->next = *list;
    *list = made;
}

static void take_part(share **list, int communicator, const command *c)
{
    if (c->job == SADDLE__MUMPS_INITIALIZE) add(list, communicator, c);
    share **at = find(list, c->number);
    if (!*at) return;
    const int error = saddle__mumps_run(&(*at)->id, c->job);
    saddle__mumps_silence(&(*at)->id);
    if (c->job != SADDLE__MUMPS_FINISH && (c->job != SADDLE__MUMPS_INITIALIZE || error >= 0))
        return;
    share *ended = *at;
    *at = ended->next;
    saddle_release(NULL, ended);
}

void saddle__team_serve(MPI_Comm processes)
{
    const int communicator = MPI_Comm_c2f(processes);
    share *list = NULL;
    for (;;) {
        command c = {.job = DISMISS};
        MPI_Bcast(&c, sizeof c, MPI_BYTE, 0, processes);
        if (c.job == DISMISS) return;
        take_part(&list, communicator, &c);
    }
}
