/* SPDX-License-Identifier: MIT */
/* Two bodies and the joint between them, where it holds. */
#ifndef SADDLE_TEST_LINKAGE_H
#define SADDLE_TEST_LINKAGE_H

#include "support.h"

typedef struct test_linkage {
    saddle_model *model;
    saddle_joint_def def;
    saddle_handle joint;
} test_linkage;

/* What a joint of that kind allows: the pose of frame b in frame a at free coordinates q; gamma: of
 * a wheel, the angle between its axes beyond 90 degrees. */
saddle_pose test_allowed_pose(saddle_joint_kind kind, const double *q, double gamma);

/* Drawn bodies (b: optionally the ground) and drawn frames with the relative pose E; without a
 * joint. */
void test_linkage_begin(saddle_context *context, uint64_t *state, saddle_joint_kind kind,
                        const saddle_pose *E, int ground, test_linkage *linkage);
void test_linkage_add(test_linkage *linkage); /* the joint, of linkage->def */
void test_linkage_end(test_linkage *linkage);

/* The rows of the joint now: phi (rows), J (rows x 12, row by row, of both bodies in their own
 * axes). */
int64_t test_linkage_rows(test_linkage *linkage, double *phi, double *J);

/* Body b (or where that is the ground, a) moved so that E becomes change E, or exp(twist) E; the
 * frames stay in the bodies. */
void test_linkage_replace(test_linkage *linkage, const saddle_pose *change);
void test_linkage_shift(test_linkage *linkage, const double *twist);

#endif
