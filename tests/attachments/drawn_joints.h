/* SPDX-License-Identifier: MIT */
/* Joints of every kind with drawn parameters and frames, and coordinates in their range. */
#ifndef SADDLE_TEST_DRAWN_JOINTS_H
#define SADDLE_TEST_DRAWN_JOINTS_H

#include "support.h"

enum {
    DRAWN_REVOLUTE,
    DRAWN_PRISMATIC,
    DRAWN_PLANAR,
    DRAWN_TRANSLATIONAL,
    DRAWN_UNIVERSAL,
    DRAWN_EULER,
    DRAWN_EXPONENTIAL,
    DRAWN_FREE,
    DRAWN_SCREW,
    DRAWN_SPLINE,
    DRAWN_SURFACE,
    DRAWN_CHAIN, /* two or three of those above, up to 6 coordinates */
    DRAWN_JOINT_KINDS
};

typedef struct drawn_joint {
    saddle_motion joint;
    int kind;
    double range; /* coordinates of splines are in 0 .. range */
    double screw[6];
    saddle_pose frame[7];
    double difference[42];
    double control[6 * 25];
    saddle_joint_spline spline;
    saddle_joint_surface surface;
    saddle_motion part[3];
    saddle_joint_chain chain;
    struct drawn_joint *below[3]; /* of a chain */
} drawn_joint;

saddle_pose draw_joint_pose(uint64_t *state);

/* before and after are drawn too. */
drawn_joint *draw_joint(uint64_t *state, int kind);
void free_joint(drawn_joint *drawn);

/* q, dq (6): the rest zero; away from singular points. */
void draw_coordinates(uint64_t *state, const drawn_joint *drawn, double *q, double *dq);

/* twist (6) = S dq, S (6 x size) */
void twist_of(const double *S, const double *dq, int64_t size, double *twist);

#endif
