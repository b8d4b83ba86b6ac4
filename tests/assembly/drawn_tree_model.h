/* SPDX-License-Identifier: MIT */
/* Drawn trees and loops of joints in models, of which the same motion can be written as rows and in
 * coordinates. */
#ifndef SADDLE_TEST_DRAWN_TREE_MODEL_H
#define SADDLE_TEST_DRAWN_TREE_MODEL_H

#include "../attachments/drawn_joints.h"

enum { TREE_BODIES = 12, TREE_LOOPS = 2 };

typedef struct drawn_joints {
    int bodies, loops;
    saddle_body_def body[TREE_BODIES]; /* stand and move as the joints allow */
    saddle_joint_def joint[TREE_BODIES + TREE_LOOPS];
    int64_t end[TREE_BODIES + TREE_LOOPS][2]; /* bodies a and b; -1 = the ground */
    double gravity[3];
    drawn_joint *motion[TREE_BODIES]; /* of joints along motions */
} drawn_joints;

typedef struct tree_model {
    saddle_model *model;
    saddle_handle part[TREE_BODIES], joint[TREE_BODIES + TREE_LOOPS];
} tree_model;

enum { TREE_WITH_MOTIONS = -2, TREE_OF_ROWS = -1 };

/* A tree of up to `most` bodies, all joints of one kind, or drawn from all kinds, with motions of
 * every kind of drawn_joints.h or without; of custom joints the locked axes are drawn. */
void draw_joints(uint64_t *state, int most, int kind, drawn_joints *drawn);
/* Releases the motions. */
void free_joints(drawn_joints *drawn);

/* Balls that close loops where the tree has freedom for them. */
void draw_loops(uint64_t *state, drawn_joints *drawn);

void tree_model_begin(const drawn_joints *drawn, saddle_context *context, saddle_joint_form form,
                      tree_model *made);

/* twist rates of all bodies (6 each); 0: rows too near dependence to compare by. */
int tree_model_accelerations(const drawn_joints *drawn, tree_model *made, double *rate);

/* max |a_i - b_i| over max(1, |a_i|). */
double apart(const double *a, const double *b, int64_t count);

#endif
