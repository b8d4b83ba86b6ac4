/* SPDX-License-Identifier: MIT */
/* Mechanisms of any size for the multibody benchmark. */
#ifndef SADDLE_BENCH_MECHANISMS_H
#define SADDLE_BENCH_MECHANISMS_H

#include "saddle/saddle.h"

typedef struct mechanism_scene {
    saddle_model *model;
    saddle_collider *collider; /* NULL = nothing touches */
    int64_t bodies;
    double time_step; /* [s] */
} mechanism_scene;

/* A chain of hinged links that hangs from the ground, swinging. */
saddle_status mechanism_chain(saddle_context *context, int64_t links, mechanism_scene *scene);

/* Two such chains side by side, a rod from each joint to the other: `cells` closed loops.  The
 * mechanism of simbody_ladder_seconds, with its velocities. */
saddle_status mechanism_ladder(saddle_context *context, int64_t cells, mechanism_scene *scene);

void mechanism_clear(mechanism_scene *scene);

#endif
