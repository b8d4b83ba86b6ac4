/* SPDX-License-Identifier: MIT */
/* A crash basis: the basis that block principal pivoting ends at, where it does, before a path is
 * followed.
 *
 *     w = W lambda + q
 *         every row at its lower bound, at its upper bound or basic (w = 0); of a closed contact
 *                            the tangents stick (basic), or slide with lambda_t = +-mu lambda_n or
 *                                on the polygon
 *                            mu lambda_n conv(d_1 .. d_eta) at a vertex d_k or along an edge d_k+1
 *                                - d_k
 *
 * With lambda = lambda_0 + P z, z the basic impulses (sliding ones follow their normal, which
 * unsymmetrizes), one step solves
 *
 *     A' W P z = -A'(W lambda_0 + q)        A: what is asked to vanish: w_i, or e'w_t along an edge
 *
 * and gives every row that breaks its law the state of the natural map at (lambda, w): a semismooth
 * Newton step (Alart and Curnier 1991; Pang 1990), for rows with bounds block principal pivoting
 * (Judice and Pires 1994).  It is given up where it makes no headway; nothing is promised, and all
 * is tested by who asks.  From a singular A'W P on a small part of the diagonal is added to it, of
 * many impulses then the one of about the least norm; correcting takes the rest of the error out.
 *
 * Few rows that push one way enter one by one first (crash_entering.h).
 *
 * All at once, those rows overshoot where many of them press against each other.  From impulses,
 * most of which are right, and once a step has not lessened their number, only those change their
 * state that break their law by a fifth of the worst. */
#ifndef SADDLE_SOLVERS_CRASH_H
#define SADDLE_SOLVERS_CRASH_H

#include <float.h>
#include <math.h>

#include "saddle/problem.h"

/* z_j pushes lambda by part on up to three rows; the first `asked` of them make the equation. */
typedef struct saddle__crash_unknown {
    int64_t row[3];
    double part[3];
    int64_t rows, asked;
    double unit; /* of z_j and its equation */
} saddle__crash_unknown;

typedef struct saddle__crash {
    int64_t m;
    const saddle_problem *problem;
    const double *W;                     /* m x m, by columns: the caller's; or .. */
    struct saddle__crash_sparse *sparse; /* .. the caller's, instead of W and A; else NULL; or .. */
    struct saddle__on_demand *demand;    /* .. the caller's, instead of W: columns on demand; else
                                            NULL */
    double *A;                           /* m x m: the caller's; A'W P, then its factors */
    int symmetric;                       /* W is */
    int definite;                        /* the basis was factored by Cholesky's method */
    int single;                          /* every unknown is one row, as it is */
    double shift;           /* of the diagonal, added to it: since a basis was singular; 0 = none */
    int64_t *state;         /* m: saddle__row_state; of a polygon its face, at the first tangent */
    int64_t *wanted;        /* m */
    double *q, *lambda, *w; /* m */
    double *diagonal, *root;        /* m: |W_ii| and its root */
    double *z;                      /* m */
    saddle__crash_unknown *unknown; /* m */
    int64_t unknowns;
    int *exchange;         /* m: of the factors' rows, LAPACK's */
    double *over;          /* m: one over each pivot, of small factors */
    double *columns;       /* of rows that enter one by one: crash_entering.h */
    double largest;        /* max root_i |lambda_i| */
    int even;              /* W's diagonal entries are of one size */
    int warm;              /* it began from impulses */
    int64_t steps, pivots; /* systems solved, rows that changed their state */
    double measure;        /* of the basis found: saddle__crash_measure */
} saddle__crash;

saddle_status saddle__crash_create(saddle_context *context, int64_t m, saddle__crash *crash);
/* half-built ones are fine */
void saddle__crash_clear(saddle_context *context, saddle__crash *crash);

/* Systems of so many unknowns at most are solved without BLAS and LAPACK. */
enum { SADDLE__CRASH_SMALL = 48 };

typedef struct saddle__crash_limits {
    int64_t steps;                     /* at most */
    int (*interrupt)(void *, int64_t); /* before each step; nonzero ends it */
    void *user;
} saddle__crash_limits;

/* From crash->lambda, q, W and A on: 1 = a basis is found whose lambda and w keep the laws to
 * rounding, and is measured; above saddle__crash_plain its factors are there.  0: none, or
 * demand->overrun. */
int saddle__crash_run(saddle__crash *crash, const saddle_problem *problem, int symmetric,
                      const saddle__crash_limits *limits);

/* max |A'w| of the basis found: what rounding has left. */
double saddle__crash_defect(const saddle__crash *crash, const double *w);

/* Of the data: an answer without velocities that leaves no more needs no refinement. */
static const double saddle__crash_plain = 1e-12;

/* z = -(A'W P)^-1 A'w; lambda += P z.  By the factors. */
void saddle__crash_correct(saddle__crash *crash, const double *w, double *lambda);

/* of an entry of w, over its terms */
static const double saddle__crash_rounding = 16.0 * DBL_EPSILON;

/* The rounding to which w_i is known, some units of the last place of its terms: |W_ij||lambda_j|
 * <= sqrt(W_ii) sqrt(W_jj)|lambda_j| where W is semidefinite, whatever the units. */
static inline double saddle__crash_noise(const saddle__crash *crash, int64_t i)
{
    return saddle__crash_rounding * (fabs(crash->q[i]) + crash->root[i] * crash->largest);
}

/* ---- crash_impulses.c ---- */

/* to (m) <- the impulses, those that rounding has put beside their bounds on them. */
void saddle__crash_clamp(const saddle_problem *problem, const double *lambda, double *to);

/* What W, which is R itself, has left of the rows' laws, over the largest entry of b; INFINITY
 * where that says little. */
double saddle__crash_measure(const saddle__crash *crash, const saddle_problem *problem);

/* ---- crash_system.c ---- */

/* d (m) <- |W_ii|, or what demand knows of it */
void saddle__crash_diagonal(const saddle__crash *crash, double *d);

/* What add, of lambda, and factor, of the unknowns, are going to read is there.  0: demand's
 * overrun or status. */
int saddle__crash_fetch(saddle__crash *crash);

/* y (m) += W lambda (m) */
void saddle__crash_add(const saddle__crash *crash, const double *lambda, double *y);

/* Forms and factors A'W P of the unknowns listed; 0: it is singular. */
int saddle__crash_factor(saddle__crash *crash);

#endif
