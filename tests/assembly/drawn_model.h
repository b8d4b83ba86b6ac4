/* SPDX-License-Identifier: MIT */
/* Models drawn at random: particles, bodies, nodes, some of them prescribed; forces and constraints
 * between any of them. */
#ifndef SADDLE_TEST_DRAWN_MODEL_H
#define SADDLE_TEST_DRAWN_MODEL_H

#include "support.h"

enum { DRAWN_ANCHORS = 4, DRAWN_PARTS = 12, DRAWN_ITEMS = 8, DRAWN_ROWS = 3 };

/* s = sum_k c_k . x_k over anchors, x_k the position of what is a point, R X_k + p of a body, R X_k
 * where of angles. */
typedef struct drawn_sum {
    int angular;
    double c[DRAWN_ANCHORS][3];
    double X[DRAWN_ANCHORS][3];
} drawn_sum;

typedef struct drawn_force { /* F = -(k s + d ds/dt) ds/dq */
    drawn_sum sum;
    double k, d;
} drawn_force;

typedef struct drawn_constraint { /* phi_i = sin s_i + r_i t */
    int64_t rows;
    drawn_sum sum[DRAWN_ROWS];
    double r[DRAWN_ROWS];
} drawn_constraint;

typedef struct drawn_model {
    saddle_model *model;
    int64_t parts, forces, constraints;
    saddle_handle part[DRAWN_PARTS];
    int prescribed[DRAWN_PARTS];
    saddle_matrix stiffness[DRAWN_PARTS]; /* of nodes, and their damping */
    double damping_mass[DRAWN_PARTS], damping_stiffness[DRAWN_PARTS];
    saddle_handle force[DRAWN_ITEMS], constraint[DRAWN_ITEMS];
    int64_t anchors[DRAWN_ITEMS]; /* of the forces */
    saddle_anchor anchor[DRAWN_ITEMS][DRAWN_ANCHORS];
} drawn_model;

typedef struct drawn_wishes {
    int only_points; /* 1: no bodies: forces are symmetric */
    int no_prescribed;
    int only_hold; /* 1: HOLD rows alone */
    int no_nodes;
    int with_impacts; /* 1: IMPACT rows too; they may be left out: J = 0 */
} drawn_wishes;

extern const saddle_force_type drawn_force_type, drawn_symmetric_type;
extern const saddle_constraint_type drawn_constraint_type;

/* Asserts that all is taken. */
void draw_model(saddle_context *context, uint64_t *state, drawn_wishes wishes, drawn_model *drawn);
void drawn_clear(drawn_model *drawn);

void draw_pose(uint64_t *state, saddle_pose *pose);
saddle_body_inertia draw_inertia(uint64_t *state);

/* s of a site. */
double drawn_sum_value(const saddle_site *site, const drawn_sum *sum);

/* All positions and velocities of a model, to come back to. */
typedef struct drawn_state {
    double position[DRAWN_PARTS][24], velocity[DRAWN_PARTS][24];
    double time;
} drawn_state;
void drawn_keep(const drawn_model *drawn, drawn_state *state);
void drawn_restore(const drawn_model *drawn, const drawn_state *state);

#endif
