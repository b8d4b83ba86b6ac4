/* SPDX-License-Identifier: MIT */
/* A matrix A whose entries are spread over the processes, A = sum of A_p, factored by MUMPS where
 * the entries are.  All functions are collective and have the same status in all processes.
 *
 *     put (all entries, counted) -> hold -> put (all entries) -> analyse -> factor -> solve
 *
 * The last process is MUMPS' host, since the first one may have a solver and W beside the factors:
 * the host has the graph of A while MUMPS orders it, and the Schur complement. */
#ifndef SADDLE_MPI_PARTS_FACTOR_H
#define SADDLE_MPI_PARTS_FACTOR_H

#include "factor/mumps.h"
#include "view.h"

/* How right-hand sides and solutions over the processes go to MUMPS and come back: made by the
 * first solve with a factor. */
typedef struct saddle__route {
    int64_t own;      /* entries of the right-hand side */
    MUMPS_INT *which; /* own: in the whole, from 1 */
    double *right;    /* own: the right-hand side, then the solution */
    int64_t arriving; /* entries of the solution that come here, at most own */
    MUMPS_INT *to;    /* arriving: the place in the vector of each */
    int64_t pivots;   /* entries of the solution that MUMPS leaves here */
    MUMPS_INT *found; /* pivots: in the whole, from 1 */
    double *value;    /* pivots */
    double *out;      /* pivots: by owner */
    MUMPS_INT *slot;  /* pivots: the place in out */
    int *sent, *sent_begin, *got, *got_begin; /* processes */
    int is_found;
} saddle__route;

/* Start from zero but for processes, context and general. */
typedef struct saddle__parts_factor {
    MPI_Comm processes;
    saddle_context *context;
    int general;       /* both triangles of A are put */
    MPI_Comm reversed; /* the same, the last one first: MUMPS' first process is its host */
    int is_reversed;   /* 1: `reversed` is made */
    DMUMPS_STRUC_C id;
    int started;
    int64_t entries;     /* of this process in A */
    MUMPS_INT *row;      /* entries, from 1 */
    MUMPS_INT *col;      /* the same */
    double *value;       /* the same */
    MUMPS_INT *kept;     /* the last unknowns, from 1, of which the Schur complement is formed */
    MUMPS_INT *place;    /* of each unknown in the order, from 1, in the analysis */
    saddle__route route; /* of the factor at hand */
} saddle__parts_factor;

/* An entry A_ij of this process; before hold it is only counted.  The entries of a symmetric A are
 * of either triangle. */
void saddle__parts_put(saddle__parts_factor *F, int64_t i, int64_t j, double value);

/* side M, side R and J of the view in K = [M J'; J R]; of a general K J' too. */
void saddle__parts_put_square(saddle__parts_factor *F, const saddle__view *view, saddle__kind kind,
                              double side);
void saddle__parts_put_rows(saddle__parts_factor *F, const saddle__view *view);

/* Room for the entries counted. */
saddle_status saddle__parts_hold(saddle__parts_factor *F);

/* size: of A.  kept > 0: S (kept x kept; read in the host) becomes the Schur complement of the last
 * `kept` unknowns in factor, by MUMPS' lower triangle by rows, and solve is with the block of the
 * others. */
saddle_status saddle__parts_analyse(saddle__parts_factor *F, int64_t size, saddle_ordering ordering,
                                    int64_t kept, double *S);

int saddle__parts_is_host(const saddle__parts_factor *F);

/* Releases the entries; for another factorization they are held and put again, in the same order.
 * *vanished = 1: a pivot vanished; counts are not written then. */
saddle_status saddle__parts_factor_all(saddle__parts_factor *F, saddle__factor_counts *counts,
                                       int *vanished);

/* x (n + m of the view, at its velocities, then at its rows): b in, A^-1 b out; A is K, or M where
 * the rows are kept, and x at the rows then undefined. */
saddle_status saddle__parts_solve_view(saddle__parts_factor *F, const saddle__view *view,
                                       double *x);

void saddle__parts_clear(saddle__parts_factor *F);

#endif
