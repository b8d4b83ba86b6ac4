/* SPDX-License-Identifier: MIT */
#include "drawn_grid.h"

#include <math.h>

enum { LINKS = 5 };

void test_draw_grid(uint64_t *state, saddle_matrix *A, double scale[TEST_GRID])
{
    static const int64_t step[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};
    static int64_t row[LINKS * TEST_GRID], col[LINKS * TEST_GRID];
    static double value[LINKS * TEST_GRID];
    int64_t count = 0;
    for (int64_t j = 0; j < TEST_GRID; j++) scale[j] = 0.1;
    for (int64_t j = 0; j < TEST_GRID; j++) {
        for (int k = 0; k < 4; k++) {
            int64_t x = j % TEST_GRID_SIDE + step[k][0];
            int64_t y = j / TEST_GRID_SIDE + step[k][1];
            if (x < 0 || x >= TEST_GRID_SIDE || y >= TEST_GRID_SIDE) continue;
            row[count] = x + TEST_GRID_SIDE * y;
            col[count] = j;
            value[count] = test_uniform(state, -1.0, 1.0);
            scale[j] += fabs(value[count]);
            scale[row[count]] += fabs(value[count]);
            count++;
        }
    }
    for (int64_t j = 0; j < TEST_GRID; j++) {
        row[count] = col[count] = j;
        value[count++] = scale[j];
    }
    assert_int_equal(saddle_matrix_from_triplets(NULL, TEST_GRID, TEST_GRID, count, row, col, value,
                                                 SADDLE_SYMMETRY_LOWER, A),
                     SADDLE_OK);
}
