/* SPDX-License-Identifier: MIT */
/* Drawn equality problems with a dense twin.
 *
 * A well scaled problem is drawn and solved densely by LAPACK; what the solvers get is the same
 * problem in other units, v = S u, rows multiplied by D (powers of two, so that nothing is
 * rounded):
 *
 *     M' = S M S,  J' = D J S,  R' = D R D,  f' = S f,  b' = D b   u = v / S,  lambda' = lambda / D
 *
 * so that the twin's answer is known in any units to the twin's accuracy. */
#ifndef SADDLE_TEST_DRAWN_H
#define SADDLE_TEST_DRAWN_H

#include "support.h"

typedef enum drawn_compliance {
    RIGID = 0,
    DIAGONAL_R = 1,
    SEMIDEFINITE_R = 2,
    DEFINITE_R = 3
} drawn_compliance;

typedef struct drawn_kind {
    int64_t n, m;
    int unsymmetric; /* M (n > 0) or R (n = 0) gets a skew part */
    int indefinite;  /* M's diagonal changes sign in places */
    drawn_compliance compliance;
    int redundant;     /* some rows are combinations of others, or zero */
    int contradictory; /* ... with a right-hand side that is none (redundant too) */
    double nearly;     /* what redundant rows are off by */
    int massless;      /* some velocities have no mass of their own, M_jj = 0 */
    double decades;    /* units drawn from 10^-decades .. 10^decades */
} drawn_kind;

typedef struct drawn {
    saddle_problem problem; /* owned */
    double *v;              /* n: the twin's */
    double *lambda;         /* m: the twin's, of least norm where it is not unique */
    double *S;              /* n: units */
    double *D;              /* m */
    int64_t rank;           /* of the KKT matrix */
    int doubtful; /* 1: a singular value counted as zero exceeds rounding, so that K as given has
                     another solution than the twin's */
    int64_t positive, negative; /* eigenvalues of the KKT matrix beyond rounding; symmetric */
    double condition;           /* over its range */
} drawn;

void draw_problem(uint64_t *state, drawn_kind kind, drawn *d);
void drawn_clear(drawn *d);

/* max |S v - twin| / max(1, |twin|): in the twin's units. */
double drawn_velocity_error(const drawn *d, const double *v);
double drawn_impulse_error(const drawn *d, const double *lambda);

/* A drawn kind of up to `largest` unknowns each, everything else by chance within what `symmetric`
 * and `regular` allow. */
drawn_kind draw_kind(uint64_t *state, int64_t largest, int symmetric, int regular);

#endif
