/* SPDX-License-Identifier: MIT */
/* A symmetric matrix by whole rows: products are those of its lower triangle, and dense sums of
 * absolute values. */
#include "matrix/full_csr.h"

#include <math.h>
#include <stdlib.h>

#include "support.h"

enum { N = 40 };

typedef struct drawn {
    saddle_matrix A;
    double dense[N][N];
} drawn;

static drawn *draw(uint64_t *state, int64_t n, int64_t entries)
{
    drawn *d = calloc(1, sizeof(*d));
    int64_t *row = calloc((size_t)entries + 1, sizeof(*row));
    int64_t *column = calloc((size_t)entries + 1, sizeof(*column));
    double *value = calloc((size_t)entries + 1, sizeof(*value));
    assert_true(d && row && column && value);
    for (int64_t k = 0; k < entries; k++) {
        row[k] = test_integer(state, 0, n - 1);
        column[k] = test_integer(state, 0, row[k]);
        value[k] = test_uniform(state, -1.0, 1.0);
        d->dense[row[k]][column[k]] += value[k];
    }
    assert_int_equal(saddle_matrix_from_triplets(NULL, n, n, entries, row, column, value,
                                                 SADDLE_SYMMETRY_LOWER, &d->A),
                     SADDLE_OK);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < i; j++) d->dense[j][i] = d->dense[i][j];
    free(row);
    free(column);
    free(value);
    return d;
}

static void free_drawn(drawn *d)
{
    saddle_matrix_clear(&d->A);
    free(d);
}

static void check_products(uint64_t *state, const drawn *d, const saddle__full_csr *rows)
{
    double x[N];
    for (int64_t i = 0; i < N; i++) x[i] = test_uniform(state, -1.0, 1.0);
    for (int64_t i = 0; i < d->A.cols; i++) {
        double sum = 0.0;
        double moduli = 0.0;
        double modulus;
        for (int64_t j = 0; j < d->A.cols; j++) {
            sum += i == j ? 0.0 : d->dense[i][j] * x[j];
            moduli += i == j ? 0.0 : fabs(d->dense[i][j] * x[j]);
        }
        assert_true(fabs(saddle__full_csr_row_times(rows, i, x) - sum) < 1e-14 * (1.0 + moduli));
        assert_true(saddle__full_csr_row_times_both(rows, i, x, &modulus) ==
                    saddle__full_csr_row_times(rows, i, x));
        assert_true(fabs(modulus - moduli) < 1e-14 * (1.0 + moduli));
    }
}

static void products_are_those_of_the_dense_matrix(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(300); trial++) {
        int64_t n = test_integer(&state, 1, N);
        drawn *d = draw(&state, n, test_integer(&state, 0, 6 * n));
        saddle__full_csr rows = {0};
        assert_int_equal(saddle__full_csr_create(NULL, &d->A, &rows), SADDLE_OK);
        check_products(&state, d, &rows);
        for (int64_t k = 0; k < saddle_matrix_entries(&d->A); k++) d->A.value[k] *= 3.0;
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++) d->dense[i][j] *= 3.0;
        saddle__full_csr_set(&rows, &d->A);
        check_products(&state, d, &rows);
        for (int64_t i = 0; i < n; i++)
            for (int64_t k = rows.start[i]; k + 1 < rows.start[i + 1]; k++)
                assert_true(rows.column[k] < rows.column[k + 1]);
        saddle__layout_clear(NULL, &rows.layout);
        free_drawn(d);
    }
}

static void nothing_has_no_rows(void **unused)
{
    (void)unused;
    saddle_matrix empty = {.symmetry = SADDLE_SYMMETRY_LOWER};
    saddle_matrix huge = {.rows = INT64_C(1) << 31,
                          .cols = INT64_C(1) << 31,
                          .symmetry = SADDLE_SYMMETRY_LOWER};
    saddle__full_csr rows = {0};
    assert_int_equal(saddle__full_csr_create(NULL, &empty, &rows), SADDLE_OK);
    saddle__layout_clear(NULL, &rows.layout);
    assert_int_equal(saddle__full_csr_create(NULL, &huge, &rows), SADDLE_TOO_LARGE);
    saddle__layout_clear(NULL, &rows.layout);
}

static saddle_status create(saddle_context *context, void *user)
{
    const drawn *d = user;
    saddle__full_csr rows = {0};
    saddle_status status = saddle__full_csr_create(context, &d->A, &rows);
    saddle__layout_clear(context, &rows.layout);
    return status;
}

static void every_failing_allocation_is_reported(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    drawn *d = draw(&state, N, 3 * N);
    assert_int_equal(test_allocation_sweep(create, d), 1);
    free_drawn(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_those_of_the_dense_matrix),
        cmocka_unit_test(nothing_has_no_rows),
        cmocka_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
