/* SPDX-License-Identifier: MIT */
/* A drawn model twice: parts attached to others, and the same parts held there by joints and pins
 * (rows). */
#ifndef SADDLE_TEST_DRAWN_ATTACHED_H
#define SADDLE_TEST_DRAWN_ATTACHED_H

#include "support.h"

enum { ATTACHED_PARTS = 16 };

typedef struct drawn_attached {
    saddle_model *model[2]; /* attached, pinned */
    int parts;              /* those after the first `active` follow others */
    int active;
    saddle_handle part[2][ATTACHED_PARTS]; /* bodies and particles; the first may be prescribed */
    saddle_handle tie[ATTACHED_PARTS];
} drawn_attached;

/* Velocities fit the attachments, and the ball joint to the ground of the last body that some
 * models without a prescribed part have.  prescribed: 1 = the first part is. */
void draw_attached(uint64_t *state, int prescribed, drawn_attached *drawn);
void drawn_attached_clear(drawn_attached *drawn);

/* The largest difference of the positions of all parts of the two models, relative to 1. */
double drawn_attached_distance(drawn_attached *drawn);

#endif
