/* SPDX-License-Identifier: MIT */
/* Trees of bodies on drawn joints, and the same as a graph of attachments, eliminated. */
#ifndef SADDLE_TEST_DRAWN_TREE_H
#define SADDLE_TEST_DRAWN_TREE_H

#include "drawn_joints.h"

enum { TREE_BODIES = 12, TREE_COORDINATES = 6 * TREE_BODIES };

typedef struct drawn_tree {
    int64_t bodies, coordinates;
    drawn_joint *drawn[TREE_BODIES]; /* NULL = fixed */
    saddle_tree_body body[TREE_BODIES];
    saddle_tree *tree;
    double gravity[3];
    double q[TREE_COORDINATES], dq[TREE_COORDINATES], x[TREE_COORDINATES];
    double torque[TREE_COORDINATES], stiffness[TREE_COORDINATES], damping[TREE_COORDINATES],
        rest[TREE_COORDINATES];
    double wrench[6 * TREE_BODIES];
} drawn_tree;

saddle_body_inertia draw_inertia(uint64_t *state);

/* axis (3): of length 1. */
void draw_tree_axis(uint64_t *state, double *axis);

/* Up to `bodies` bodies; kind: of every joint, DRAWN_JOINT_KINDS = any, some fixed.  Placed, with
 * gravity, and springs where springs is 1. */
drawn_tree *draw_tree(uint64_t *state, saddle_context *context, int64_t bodies, int kind,
                      int springs);
void free_tree(drawn_tree *drawn);

/* The same bodies through saddle_couplings and saddle_elimination, in units of h = 1: M (n x n by
 * columns) = J'M J, force (n) = J'(wrench + gravity + gyroscopic - M dJ dq) without torques and
 * springs, J (6 bodies x n by columns), drift (6 bodies) = dJ dq. */
void eliminated_tree(const drawn_tree *drawn, double *M, double *force, double *J, double *drift);

#endif
