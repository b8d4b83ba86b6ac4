/* SPDX-License-Identifier: MIT */
/* Joint friction of a chain of hinges by bilateral staggered projections in reduced coordinates,
 * beside staggered projections with explicit contact points. */
#ifndef SADDLE_BENCH_JOINT_FRICTION_H
#define SADDLE_BENCH_JOINT_FRICTION_H

#include "saddle/saddle.h"

typedef struct joint_friction_figures {
    double bilateral, explicit_points; /* medians of a step [s] */
    double rounds[2];                  /* means */
    double difference;                 /* of velocities, the largest, relative */
    int64_t unsolved;                  /* steps of the explicit points without a fixed point */
} joint_friction_figures;

/* So many steps; from each state both take one, and bilateral projections go on. */
saddle_status joint_friction_figures_of(saddle_context *context, int64_t links, int64_t points,
                                        int64_t steps, joint_friction_figures *figures);

#endif
