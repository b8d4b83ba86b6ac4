/* SPDX-License-Identifier: MIT */
/* Simbody 3.7 as a peer: the same mechanisms in its joint coordinates, seen as bodies in the world.
 *
 * Simbody writes M du + G'lambda = f; a loop's force here is that on its body b, so that signs need
 * no convention.
 */
#ifndef SADDLE_BENCH_SIMBODY_H
#define SADDLE_BENCH_SIMBODY_H

#include <stdint.h>

#include "saddle/inertia.h"
#include "saddle/pose.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum simbody_joint {
    SIMBODY_PIN,
    SIMBODY_SLIDER,
    SIMBODY_BALL,
    SIMBODY_FREE
} simbody_joint;

typedef struct simbody_body {
    int parent;            /* a body before it; -1 = the ground */
    simbody_joint joint;   /* pin: about z; slider: along x of the joint's frames */
    saddle_pose in_parent; /* the joint's frame in the parent */
    saddle_pose in_body;   /* the joint's frame in the body */
    saddle_body_inertia inertia;
} simbody_body;

/* a ball joint that closes a loop: a point of a, and the point of b at the same place */
typedef struct simbody_loop {
    int a, b; /* -1 = the ground */
    double point_a[3];
    double point_b[3]; /* written */
} simbody_loop;

typedef struct simbody_motion { /* of a body, written */
    saddle_pose pose;
    double twist[6];        /* body axes, at its origin */
    double acceleration[6]; /* d twist / dt in body axes: what stands in our equation */
    double reaction[6];     /* of its joint on it: a wrench in its axes at its origin */
} simbody_motion;

/* Positions and velocities are drawn from seed; velocities are then made to satisfy the loops.
 * force (3 x loops): of each on its body b, world.  0; -1 where Simbody throws. */
int simbody_accelerations(int bodies, const simbody_body *body, int loops, simbody_loop *loop,
                          const double *gravity, uint64_t seed, simbody_motion *motion,
                          double *force);

/* A ladder of `cells` cells: two rails of hinged links, hanging from the ground, and a rod of fixed
 * length across each joint (2 cells coordinates, cells rows).  Seconds of its dynamics and
 * acceleration stages, the median of `repeats`; -1: it threw. */
double simbody_ladder_seconds(int cells, int repeats);

/* A hanging chain of `links` uniform rods of length 1 and mass 1 on hinges about z, at q, dq (links
 * each).  Seconds from changed positions to accelerations, the median of `repeats` times the mean
 * of `runs`; ddq (links; NULL is fine).  -1: it threw. */
double simbody_chain_seconds(int links, const double *q, const double *dq, int repeats, int runs,
                             double *ddq);

#ifdef __cplusplus
}
#endif

#endif
