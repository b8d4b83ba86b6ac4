/* SPDX-License-Identifier: MIT */
/* Andrews' squeezing mechanism: seven bodies in a plane, hinged, with three loops that close in one
 * point; a spring pulls, a constant moment drives (G. C. Andrews, M. K. Ormrod 1986; W. Schiehlen,
 * Multibody Systems Handbook, 1990; E. Hairer, G. Wanner, Solving Ordinary Differential Equations
 * II, VII.7).  All parameters are theirs. */
#ifndef SADDLE_TEST_SQUEEZER_H
#define SADDLE_TEST_SQUEEZER_H

#include "motion.h"

enum {
    SQUEEZER_BODIES = 7,
    SQUEEZER_LOOPS = 3,
    SQUEEZER_JOINTS = SQUEEZER_BODIES + SQUEEZER_LOOPS
};

/* The angles q are (beta, Theta, gamma, Phi, delta, Omega, epsilon): of the tree's hinges. */
typedef struct squeezer {
    motion scene;
    saddle_handle body[SQUEEZER_BODIES], joint[SQUEEZER_JOINTS]; /* of the tree; those of the loops
                                                                    last */
} squeezer;

/* Placed at q with rates v.  planar: 1 = the loops close by two rows each, 0 = by hinges, nine rows
 * of which are redundant. */
void squeezer_begin(squeezer *s, const double *q, const double *v, int planar);
void squeezer_end(squeezer *s);

/* q and dq/dt, counted over turns. */
void squeezer_read(squeezer *s, double *q, double *v);

/* The multipliers of f - G'lambda, g = 0 its loops' gaps (end of the crank and its rod less ends of
 * the three branches): accelerations now. */
void squeezer_multipliers(squeezer *s, double *lambda);

#endif
