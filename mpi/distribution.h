/* SPDX-License-Identifier: MIT */
/* Vectors of velocities, or of rows, spread over the processes.
 *
 *     owned    process p owns the numbers bound[p] .. bound[p + 1] - 1 of the whole
 *     seen     those that the process' entries touch, and those that it owns, in ascending order;
 *              so the ones that process q owns stand side by side
 *
 *     name    [ ghosts of processes before | own | ghosts of processes behind ]
 *                                          begin .. end
 *
 * A ghost is seen here and owned elsewhere.  A sum goes from the ghosts to the owners, where all
 * contributions are added by process, and back, so that all processes that see an entry have the
 * same bits.  All functions are collective but _find and _clear, and have the same status in all
 * processes. */
#ifndef SADDLE_MPI_DISTRIBUTION_H
#define SADDLE_MPI_DISTRIBUTION_H

#include "collective.h"
#include "matrix/twofold.h"

typedef struct saddle__distribution {
    MPI_Comm processes;
    saddle_context *context;
    int64_t whole;      /* length of a vector */
    int64_t *bound;     /* processes + 1 */
    int64_t count;      /* seen here */
    int64_t *name;      /* count: the number of each in the whole, ascending */
    int64_t begin, end; /* the own ones among these */
    int *owned;         /* processes: of each process' own ones the number ... */
    int *owned_begin;   /* ... and the first in the whole */
    int *ghosts;        /* processes: seen here and owned by each ... */
    int *ghost_begin;   /* ... from here on */
    int *wanted;        /* processes: owned here and seen by each ... */
    int *wanted_begin;  /* ... from here on in: */
    int64_t *place;     /* the places of the wanted ones */
    int64_t wanted_count;
    saddle__twofold *buffer; /* wanted_count */
} saddle__distribution;

/* A number of the whole with a value. */
typedef struct saddle__named_value {
    int64_t name;
    double value;
} saddle__named_value;

/* bound (processes + 1): runs of equal length. */
void saddle__equal_runs(int64_t whole, int processes, int64_t *bound);

/* bound: copied, at most INT_MAX.  name (count): owned from here on, also on failure; ascending,
 * with all of the process' run.  distribution: to be cleared on failure too. */
saddle_status saddle__distribution_make(MPI_Comm processes, saddle_context *context,
                                        const int64_t *bound, int64_t count, int64_t *name,
                                        saddle__distribution *distribution);

/* The first process owns all, and no other sees any; for deliver. */
saddle_status saddle__distribution_in_first(MPI_Comm processes, saddle_context *context,
                                            int64_t whole, saddle__distribution *distribution);
void saddle__distribution_clear(saddle__distribution *distribution);

/* The process that owns a number of the whole. */
int saddle__owner_of(const saddle__distribution *distribution, int64_t name);

/* x (count): contributions become their sum, or the least of them, in every process that sees the
 * entry. */
saddle_status saddle__distribution_sum(const saddle__distribution *distribution, double *x);
saddle_status saddle__distribution_least(const saddle__distribution *distribution, double *x);
saddle_status saddle__distribution_sum_twofold(const saddle__distribution *distribution,
                                               saddle__twofold *x);

/* x (count): the ghosts become the owners'. */
saddle_status saddle__distribution_refresh(const saddle__distribution *distribution, double *x);

typedef enum saddle__combination {
    SADDLE__ADD,
    SADDLE__LEAST,
    SADDLE__LARGEST,
    SADDLE__REPLACE
} saddle__combination;

/* x (count) of the owners <- x combined with the values of all processes, by process; ghosts stay.
 */
saddle_status saddle__distribution_deliver(const saddle__distribution *distribution, int64_t values,
                                           const saddle__named_value *value,
                                           saddle__combination how, double *x);

/* whole <- the owners' entries of x (count): in the first process, or in all. */
saddle_status saddle__distribution_gather(const saddle__distribution *distribution, const double *x,
                                          double *whole);
saddle_status saddle__distribution_gather_all(const saddle__distribution *distribution,
                                              const double *x, double *whole);

/* x (count) <- the first process' whole. */
saddle_status saddle__distribution_scatter(const saddle__distribution *distribution,
                                           const double *whole, double *x);

#endif
