/* SPDX-License-Identifier: MIT */
/* Dense L U with row exchanges against the product A x, on both sides of SADDLE__LU_FEW. */
#include "support.h"

#include <math.h>

#include "dense/lu.h"

enum { LARGEST = SADDLE__LU_FEW + 8, LEADING = LARGEST + 3, COLUMNS = 3 };

static void drawn_systems_are_solved(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int64_t draw = 0; draw < test_draws(300); draw++) {
        int size = (int)test_integer(&state, 0, LARGEST);
        double A[LEADING * LARGEST];
        double x[LEADING * COLUMNS];
        double b[LEADING * COLUMNS] = {0.0};
        int exchange[LARGEST];
        for (int k = 0; k < LEADING * size; k++) A[k] = test_uniform(&state, -1.0, 1.0);
        for (int i = 0; i < size; i++) A[i + LEADING * i] *= 1e-3; /* rows are exchanged */
        for (int k = 0; k < LEADING * COLUMNS; k++) x[k] = test_uniform(&state, -1.0, 1.0);
        for (int c = 0; c < COLUMNS; c++)
            for (int j = 0; j < size; j++)
                for (int i = 0; i < size; i++)
                    b[i + LEADING * c] += A[i + LEADING * j] * x[j + LEADING * c];
        assert_true(saddle__lu_factor(0, size, A, LEADING, exchange));
        saddle__lu_solve(size, A, LEADING, exchange, COLUMNS, b, LEADING);
        for (int c = 0; c < COLUMNS; c++)
            for (int i = 0; i < size; i++)
                assert_true(fabs(b[i + LEADING * c] - x[i + LEADING * c]) < 1e-8);
    }
}

/* Rows and columns come in parts: one, a few, or many at once, on both sides of SADDLE__LU_FEW.  A
 * has blocks [0 1; 1 0] on its diagonal, which only an exchange can factor. */
static void a_factor_that_has_grown_is_the_matrix(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int64_t draw = 0; draw < test_draws(300); draw++) {
        int size = 2 * (int)test_integer(&state, 1, LARGEST / 2);
        double A[LEADING * LARGEST];
        double x[LARGEST], b[LARGEST] = {0.0};
        int exchange[LARGEST];
        for (int k = 0; k < LEADING * size; k++) A[k] = test_uniform(&state, -0.02, 0.02);
        for (int i = 0; i < size; i++) A[i + LEADING * (i ^ 1)] += 1.0;
        for (int j = 0; j < size; j++) x[j] = test_uniform(&state, -1.0, 1.0);
        for (int j = 0; j < size; j++)
            for (int i = 0; i < size; i++) b[i] += A[i + LEADING * j] * x[j];
        for (int done = 0; done < size;) {
            int more = 2 * (int)test_integer(&state, 1, test_integer(&state, 0, 1) ? 1 : size / 2);
            int next = done + more < size ? done + more : size;
            assert_true(saddle__lu_factor(done, next, A, LEADING, exchange));
            done = next;
        }
        saddle__lu_solve(size, A, LEADING, exchange, 1, b, LEADING);
        for (int i = 0; i < size; i++) assert_true(fabs(b[i] - x[i]) < 1e-12);
    }
}

static void a_column_of_zeros_is_singular(void **unused)
{
    (void)unused;
    for (int size = 1; size <= LARGEST; size += LARGEST - 1) {
        double A[LARGEST * LARGEST] = {0.0};
        int exchange[LARGEST];
        for (int i = 0; i + 1 < size; i++) A[i + size * i] = 2.0;
        assert_false(saddle__lu_factor(0, size, A, size, exchange));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_systems_are_solved),
        cmocka_unit_test(a_factor_that_has_grown_is_the_matrix),
        cmocka_unit_test(a_column_of_zeros_is_singular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
