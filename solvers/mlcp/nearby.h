/* SPDX-License-Identifier: MIT */
/* Local pivoting: the states near few violating rows, after a block step on a large sparse W.
 *
 * Late in a run the violating rows lie in clusters far from each other.  A step over all rows costs
 * the same for any number of them, and the line search shortens it to what the worst cluster
 * allows.  Hence the rows around each violating row, its patch, are solved by themselves first, the
 * impulses outside held, one patch after the other:
 *
 *     w_P = (W + E)_PP lambda_P + q_P + W_PO lambda_O,   lo <= lambda_P <= hi      P the patch
 *                                                                                  O the others
 *
 * by block pivoting with single pivots (pivoting.h).  W_FF of the basic rows F of a patch is
 * factored in an envelope, in the order in which the rows were reached: first neighbours, then
 * their neighbours.  States are taken from the half of the patch reached first; the other half only
 * carries the force that would else be missing (restricted additive Schwarz method: Cai and Sarkis,
 * SIAM J. Sci. Comput. 21, 1999).
 *
 * Guaranteed: nothing but another guess of the states, in bounded time.  The next step over all
 * rows is exact, and the caller stops asking where the number of violating rows stays the same. */
#ifndef SADDLE_MLCP_NEARBY_H
#define SADDLE_MLCP_NEARBY_H

#include "matrix/full_csr.h"
#include "mlcp/pivoting.h"

typedef struct saddle__nearby {
    saddle_context *context;
    saddle__layout layout;
    int64_t m;
    const saddle__full_csr *beside; /* W beside its diagonal; borrowed */
    const double *diagonal;         /* m: of W + E; borrowed */
    signed char *pending;           /* m: violating rows without a patch so far */
    int32_t *slot;                  /* m: of a row in the patch, -1 = outside */
    /* the patch: at most PATCH rows */
    int64_t *row;           /* in the order reached */
    saddle__mlcp_rows rows; /* q: with W_PO lambda_O */
    double *terms;          /* moduli of the terms of q */
    saddle__pivoting pivoting;
    int64_t count;     /* basic rows */
    int64_t *basic;    /* their slots */
    int64_t *number;   /* of a slot among the basic rows */
    int64_t *first;    /* of each row of L: first column of the envelope */
    double *L, *pivot; /* L D L' of the basic rows, PATCH x PATCH by rows */
    double *x;
} saddle__nearby;

/* beside, diagonal: of m rows.  SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__nearby_create(saddle_context *context, const saddle__full_csr *beside,
                                    const double *diagonal, saddle__nearby *nearby);
void saddle__nearby_clear(saddle__nearby *nearby); /* half-built is fine */

/* broken: the violating rows, `count`; rows, without tangents, and state (m): after their change.
 * Changes the states near them, and rows->lambda. */
void saddle__nearby_settle(saddle__nearby *nearby, const int64_t *broken, int64_t count,
                           saddle__mlcp_rows *rows, signed char *state);

#endif
