/* SPDX-License-Identifier: MIT */
/* A drawn symmetric matrix with the pattern of a square grid, for tests of submatrices. */
#ifndef SADDLE_TEST_DRAWN_GRID_H
#define SADDLE_TEST_DRAWN_GRID_H

#include "support.h"

enum { TEST_GRID_SIDE = 40, TEST_GRID = TEST_GRID_SIDE * TEST_GRID_SIDE };

/* Nodes with their neighbours to the right, above and on both diagonals; diagonally dominant: the
 * diagonal is scale. */
void test_draw_grid(uint64_t *state, saddle_matrix *A, double scale[TEST_GRID]);

#endif
