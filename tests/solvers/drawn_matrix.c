/* SPDX-License-Identifier: MIT */
#include "drawn_matrix.h"

#include <stdlib.h>
#include <string.h>

#include "dense/dense.h"

test_drawn test_draw_matrix(uint64_t *state, int64_t n, int indefinite, int general)
{
    test_drawn d = {.dense = calloc((size_t)(n * n + 1), sizeof(double))};
    int64_t row[TEST_DRAWN_MOST * TEST_DRAWN_MOST];
    int64_t col[TEST_DRAWN_MOST * TEST_DRAWN_MOST];
    double value[TEST_DRAWN_MOST * TEST_DRAWN_MOST];
    int64_t count = 0;
    int64_t block = test_integer(state, 1, n > 0 ? n : 1);
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < n; i++) {
            if (i / block != j / block || (i < j && !general) ||
                (i != j && test_integer(state, 0, 2) > 0))
                continue;
            double a = test_uniform(state, -1.0, 1.0);
            if (i == j) a = (double)n * (indefinite && test_integer(state, 0, 1) ? -1.0 : 1.0) + a;
            row[count] = i;
            col[count] = j;
            value[count++] = a;
            d.dense[i + j * n] = a;
            if (!general) d.dense[j + i * n] = a;
        }
    }
    assert_int_equal(saddle_matrix_from_triplets(NULL, n, n, count, row, col, value,
                                                 general ? SADDLE_SYMMETRY_NONE
                                                         : SADDLE_SYMMETRY_LOWER,
                                                 &d.A),
                     SADDLE_OK);
    return d;
}

void test_drawn_clear(test_drawn *d)
{
    saddle_matrix_clear(&d->A);
    free(d->dense);
}

saddle__factorization *test_factored(saddle_context *context, const char *name,
                                     const saddle_matrix *A)
{
    saddle__factorization *F;
    assert_int_equal(saddle__factorization_create(context, name, SADDLE_ORDERING_BEST, &F),
                     SADDLE_OK);
    assert_int_equal(saddle__factorization_analyse(F, A), SADDLE_OK);
    assert_int_equal(saddle__factorization_factor(F, A, NULL, 0.0), SADDLE_OK);
    return F;
}

void test_dense_solve(const test_drawn *d, double *x)
{
    int64_t n = d->A.rows;
    double *copy = malloc((size_t)(n * n + 1) * sizeof(*copy));
    memcpy(copy, d->dense, (size_t)(n * n) * sizeof(*copy));
    if (n > 0) assert_int_equal(saddle__dense_solve(NULL, n, copy, x), SADDLE_OK);
    free(copy);
}

const char *test_method_in_turn(int trial)
{
    int count = 0;
    while (saddle__factorization_name_at(count)) count++;
    return saddle__factorization_name_at(trial % count);
}

saddle_matrix test_draw_columns(uint64_t *state, int64_t n, int64_t cols)
{
    int64_t row[2 * TEST_DRAWN_MOST];
    int64_t col[2 * TEST_DRAWN_MOST];
    double value[2 * TEST_DRAWN_MOST];
    int64_t count = 0;
    for (int64_t j = 0; j < cols; j++) {
        for (int k = 0; k < 2 && n > 0 && test_integer(state, 0, 4) > 0; k++) {
            row[count] = test_integer(state, 0, n - 1);
            col[count] = j;
            value[count++] = test_uniform(state, -1.0, 1.0);
        }
    }
    saddle_matrix B = {0};
    assert_int_equal(saddle_matrix_from_triplets(NULL, n, cols, count, row, col, value,
                                                 SADDLE_SYMMETRY_NONE, &B),
                     SADDLE_OK);
    return B;
}

int test_takes_any(const char *name)
{
    return strcmp(name, "klu") == 0 || strcmp(name, "umfpack") == 0 || strcmp(name, "mumps") == 0;
}
