/* SPDX-License-Identifier: MIT */
/* Sparse right-hand sides, alone and together, by every factorization. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense.h"
#include "drawn_matrix.h"
#include "factor/complement.h"

static void check_columns(const test_drawn *d, const saddle_matrix *B, const saddle_matrix *T)
{
    int64_t n = d->A.rows;
    assert_int_equal(saddle_matrix_check(NULL, T, "T"), SADDLE_OK);
    assert_int_equal(T->rows, n);
    assert_int_equal(T->cols, B->cols);
    for (int64_t j = 0; j < B->cols; j++) {
        double x[TEST_DRAWN_MOST + 1] = {0.0};
        double expected[TEST_DRAWN_MOST + 1] = {0.0};
        for (int64_t k = B->start[j]; k < B->start[j + 1]; k++) expected[B->index[k]] = B->value[k];
        for (int64_t k = T->start[j]; k < T->start[j + 1]; k++) x[T->index[k]] = T->value[k];
        test_dense_solve(d, expected);
        assert_true(test_distance(x, expected, n) < 1e-13);
    }
}

static void columns_of_the_inverse_equal_lapack(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(400); trial++) {
        const char *name = test_method_in_turn(trial);
        int general = test_takes_any(name);
        test_drawn d = test_draw_matrix(&state, test_integer(&state, 0, TEST_DRAWN_MOST), 1,
                                        general);
        saddle_matrix B = test_draw_columns(&state, d.A.rows,
                                            test_integer(&state, 0, TEST_DRAWN_MOST));
        saddle__factorization *F = test_factored(NULL, name, &d.A);
        saddle_matrix T = {0};
        assert_int_equal(saddle__factorization_columns(NULL, F, &B, &T), SADDLE_OK);
        check_columns(&d, &B, &T);
        saddle_matrix_clear(&T);
        saddle_matrix_clear(&B);
        saddle__factorization_free(F);
        test_drawn_clear(&d);
    }
}

static void a_sparse_solve_stays_within_the_components_it_touches(void **unused)
{
    (void)unused;
    /* two 2 x 2 blocks and a lone node */
    int64_t row[] = {0, 1, 1, 2, 3, 3, 4};
    int64_t col[] = {0, 0, 1, 2, 2, 3, 4};
    double value[] = {2.0, 1.0, 2.0, 2.0, 1.0, 2.0, 2.0};
    saddle_matrix A = {0};
    assert_int_equal(saddle_matrix_from_triplets(NULL, 5, 5, 7, row, col, value,
                                                 SADDLE_SYMMETRY_LOWER, &A),
                     SADDLE_OK);
    for (int k = 0; saddle__factorization_name_at(k); k++) {
        saddle__factorization *F = test_factored(NULL, saddle__factorization_name_at(k), &A);
        int64_t index = 3;
        double one = 3.0;
        const int64_t start[] = {0, 1};
        int64_t count;
        const int64_t *set;
        for (int repeat = 0; repeat < 2; repeat++) {
            double x[] = {7.0, 7.0, 7.0, 7.0, 7.0};
            assert_int_equal(saddle__factorization_solve_block(F, 1, start, &index, &one, &count,
                                                               &set, x),
                             SADDLE_OK);
            assert_int_equal(count, 2);
            assert_int_equal(set[0] + set[1], 5);
            assert_true(fabs(x[2] + 1.0) < 1e-15 && fabs(x[3] - 2.0) < 1e-15);
            assert_true(x[0] == 7.0 && x[1] == 7.0 && x[4] == 7.0);
        }
        saddle__factorization_free(F);
    }
    saddle_matrix_clear(&A);
}

/* X by rows, written where any of them reaches; single ones before and after are not disturbed. */
static void sparse_right_hand_sides_together_are_solved_as_alone(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(400); trial++) {
        const char *name = test_method_in_turn(trial);
        int64_t n = test_integer(&state, 1, TEST_DRAWN_MOST);
        test_drawn d = test_draw_matrix(&state, n, 1, test_takes_any(name));
        int64_t columns = test_integer(&state, 1, SADDLE__FACTOR_BLOCK);
        saddle_matrix B = test_draw_columns(&state, n, columns);
        if (saddle_matrix_entries(&B) == 0) {
            saddle_matrix_clear(&B);
            test_drawn_clear(&d);
            continue;
        }
        const int64_t *start = B.start;
        saddle__factorization *F = test_factored(NULL, name, &d.A);
        double X[TEST_DRAWN_MOST * SADDLE__FACTOR_BLOCK];
        for (int64_t k = 0; k < n * columns; k++) X[k] = 7.0;
        for (int alone = 0; alone < 2; alone++) {
            int64_t count;
            const int64_t *set;
            assert_int_equal(saddle__factorization_solve_block(F, columns, start, B.index, B.value,
                                                               &count, &set, X),
                             SADDLE_OK);
            char in_set[TEST_DRAWN_MOST] = {0};
            for (int64_t k = 0; k < count; k++) in_set[set[k]] = 1;
            for (int64_t c = 0; c < columns; c++) {
                double y[TEST_DRAWN_MOST + 1] = {0.0};
                for (int64_t e = start[c]; e < start[c + 1]; e++) y[B.index[e]] += B.value[e];
                test_dense_solve(&d, y);
                for (int64_t i = 0; i < n; i++)
                    assert_true(in_set[i] ? fabs(X[i * columns + c] - y[i]) < 1e-13
                                          : X[i * columns + c] == 7.0);
                int64_t reached;
                double x[TEST_DRAWN_MOST];
                assert_int_equal(saddle__factorization_solve_block(F, 1, start + c, B.index,
                                                                   B.value, &reached, &set, x),
                                 SADDLE_OK);
                for (int64_t k = 0; k < reached; k++)
                    assert_true(fabs(x[set[k]] - y[set[k]]) < 1e-13);
            }
        }
        saddle__factorization_free(F);
        saddle_matrix_clear(&B);
        test_drawn_clear(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_the_inverse_equal_lapack),
        cmocka_unit_test(a_sparse_solve_stays_within_the_components_it_touches),
        cmocka_unit_test(sparse_right_hand_sides_together_are_solved_as_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
