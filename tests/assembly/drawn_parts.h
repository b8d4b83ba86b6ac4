/* SPDX-License-Identifier: MIT */
/* Drawn poses and parts, for tests of what acts between them. */
#ifndef SADDLE_TEST_DRAWN_PARTS_H
#define SADDLE_TEST_DRAWN_PARTS_H

#include "support.h"

/* exp of a twist whose six numbers are up to size. */
saddle_pose test_draw_pose(uint64_t *state, double size);

/* A box of 2 kg at a drawn pose, with a drawn twist up to 1; a particle of 1 kg, its position up to
 * size; three nodes. */
saddle_handle test_draw_body(saddle_model *model, uint64_t *state, double size);
saddle_handle test_draw_particle(saddle_model *model, uint64_t *state, double size);
saddle_handle test_draw_nodes(saddle_model *model, uint64_t *state, double size);

#endif
