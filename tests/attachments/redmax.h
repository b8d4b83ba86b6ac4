/* SPDX-License-Identifier: MIT */
/* Scenes of RedMax (Sueda): boxes of density 1, centimetres and grams. */
#ifndef SADDLE_TEST_REDMAX_H
#define SADDLE_TEST_REDMAX_H

#include "support.h"

/* The energy T + V - V(0) after 2 s that is published for a scene.  Without the data the test is
 * skipped. */
double redmax_energy(int scene);

/* A box with its sides along the body's axes and its centre at `center` in the moving frame of a
 * hinge about an axis (0 = x, 1 = y, 2 = z) at `before` in the parent's box; 3 numbers each. */
saddle_tree_body redmax_box(int64_t parent, int axis, const double *sides, const double *before,
                            const double *center);

#endif
