/* SPDX-License-Identifier: MIT */
/* lemke's tableaus of both kinds against pivots as they are defined. */
#include "lemke/tableau.h"

#include <math.h>
#include <stdlib.h>

#include "support.h"

static void pivot_by_definition(int64_t rows, int64_t cols, double *T, int64_t r, int64_t c)
{
    double p = T[r + c * rows];
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < rows; i++)
            if (i != r && j != c) T[i + j * rows] -= T[i + c * rows] * T[r + j * rows] / p;
    for (int64_t j = 0; j < cols; j++) T[r + j * rows] /= -p;
    for (int64_t i = 0; i < rows; i++) T[i + c * rows] /= p;
    T[r + c * rows] = 1.0 / p;
}

static void tableaus_pivot_as_defined(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1, 5, 120, 121, 150};
    uint64_t seed = test_seed();
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int64_t rows = sizes[s];
        int64_t cols = rows + 1;
        saddle__tableau t = {0};
        double *twin = calloc((size_t)(rows * cols), sizeof *twin);
        double *column = calloc((size_t)rows, sizeof *column);
        assert_true(twin && column);
        assert_int_equal(saddle__tableau_create(NULL, rows, cols, &t), SADDLE_OK);
        saddle__tableau_begin(&t, rows, cols);
        for (int64_t k = 0; k < rows * cols; k++) t.T[k] = twin[k] = test_uniform(&seed, -1.0, 1.0);
        for (int pivots = 0; pivots < 70; pivots++) {
            int64_t c = test_integer(&seed, 0, cols - 1);
            int64_t r = test_integer(&seed, 0, rows - 1);
            saddle__tableau_column(&t, c, column);
            assert_true(test_distance(column, twin + c * rows, rows) <= 1e-7);
            if (pivots == 40) { /* a column of the caller's in between */
                for (int64_t i = 0; i < rows; i++)
                    column[i] = twin[i + c * rows] = test_uniform(&seed, -1.0, 1.0);
                saddle__tableau_replace(&t, c, column);
            }
            for (int64_t i = 0; i < rows; i++) r = fabs(column[i]) > fabs(column[r]) ? i : r;
            saddle__tableau_pivot(&t, r, c, column);
            pivot_by_definition(rows, cols, twin, r, c);
        }
        for (int64_t c = 0; c < cols; c++)
            for (int64_t r = 0; r < rows; r++) {
                double entry = saddle__tableau_entry(&t, r, c);
                assert_true(test_distance(&entry, &twin[r + c * rows], 1) <= 1e-7);
            }
        saddle__tableau_clear(NULL, &t);
        free(twin);
        free(column);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tableaus_pivot_as_defined)};
    return cmocka_run_group_tests_name("lemke's tableau", tests, NULL, NULL);
}
