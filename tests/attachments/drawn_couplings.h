/* SPDX-License-Identifier: MIT */
/* A drawn mechanism with every ready-made coupling, some on others, four deep; and how it is
 * moved. */
#ifndef SADDLE_TEST_DRAWN_COUPLINGS_H
#define SADDLE_TEST_DRAWN_COUPLINGS_H

#include "support.h"

enum {
    NODE = 0,           /* 8 particles, a bent hexahedron */
    BODY = 8,           /* a frame */
    ANGLE = 9,          /* 1 coordinate */
    PAIR = 10,          /* 2 coordinates, on ANGLE and SPEED */
    LINK = 11,          /* a frame on BODY by a screw of ANGLE */
    HAND = 12,          /* a frame on LINK by a universal joint of PAIR */
    TOOL = 13,          /* a frame on HAND */
    TIP = 14,           /* a particle on TOOL */
    INSIDE = 15,        /* a particle in the hexahedron */
    CORE = 16,          /* a frame in the hexahedron */
    CLOUD = 17,         /* a frame on INSIDE and four nodes */
    BETWEEN = 18,       /* a particle on TIP and INSIDE */
    MARKER = 19,        /* a particle on CLOUD */
    CRANK = 20,         /* a frame on the world by a screw of ANGLE */
    HAND_OF_CLOCK = 21, /* a particle on CRANK */
    MOTOR = 22,         /* a frame, prescribed */
    DRIVEN = 23,        /* a particle on MOTOR */
    SPEED = 24,         /* 1 coordinate */
    MEAN = 25,          /* a frame on BODY, CLOUD and HAND */
    COMPONENTS = 26
};

typedef struct drawn_couplings {
    saddle_attachments *graph;
    saddle_couplings *couplings;
    double *parameters; /* 24: the screws of LINK's and CRANK's joints, the two axes of HAND's */
    double *position;   /* where all is */
    int64_t positions;
    int64_t n;      /* velocities */
    int64_t active; /* n' */
    double *u;      /* active: drawn velocities */
} drawn_couplings;

/* context: of graph and couplings.  Which coupling is added first is drawn as well. */
drawn_couplings draw_couplings(saddle_context *context, uint64_t *state);
void clear_couplings(drawn_couplings *drawn);

/* position: where all is after `time` at velocities u, each constant in its own axes; the
 * prescribed move as prescribed. */
void move_couplings(const drawn_couplings *drawn, const double *u, double time, double *position);

/* v (n): u and the prescribed where they stand, the rest zero. */
void spread_velocities(const drawn_couplings *drawn, const double *u, double *v);

/* R(position of frame k at `from`)' R(at `to`): 3 x 3 by columns. */
void turned_axes(const drawn_couplings *drawn, int64_t component, const double *from,
                 const double *to, double *X);

/* x (n, in place): at frames blkdiag(X, X) times x; inverse: X'. */
void turn_vector(const drawn_couplings *drawn, const double *from, const double *to, int inverse,
                 double *x);

#endif
