/* SPDX-License-Identifier: MIT */
/* Sparse matrices against dense arithmetic written out here. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense.h"
#include "dense_kkt.h"

enum { LARGEST = 14 };

typedef struct dense {
    double a[LARGEST * LARGEST]; /* column-major, leading dimension rows */
    int64_t rows, cols;
} dense;

static dense dense_of(const saddle_matrix *A)
{
    dense D = {.rows = A->rows, .cols = A->cols};
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t i = 0; i < A->rows; i++) D.a[i + j * A->rows] = saddle_matrix_entry(A, i, j);
    return D;
}

/* A drawn matrix and, summed independently, its dense twin. */
static saddle_matrix draw_matrix(saddle_context *context, uint64_t *state, int64_t rows,
                                 int64_t cols, saddle_symmetry symmetry, dense *twin)
{
    int64_t row[200];
    int64_t col[200];
    double value[200];
    memset(twin, 0, sizeof *twin);
    twin->rows = rows;
    twin->cols = cols;
    int64_t count = rows > 0 && cols > 0 ? test_integer(state, 0, 60) : 0;
    for (int64_t k = 0; k < count; k++) {
        row[k] = test_integer(state, 0, rows - 1);
        col[k] = test_integer(state, 0, cols - 1);
        value[k] = (double)test_integer(state, -8, 8); /* integers: sums are exact in any order */
        twin->a[row[k] + col[k] * rows] += value[k];
        if (symmetry == SADDLE_SYMMETRY_LOWER && row[k] != col[k])
            twin->a[col[k] + row[k] * rows] += value[k];
    }
    saddle_matrix A;
    assert_int_equal(saddle_matrix_from_triplets(context, rows, cols, count, row, col, value,
                                                 symmetry, &A),
                     SADDLE_OK);
    assert_int_equal(saddle_matrix_check(context, &A, "A"), SADDLE_OK);
    return A;
}

static void assert_same(const dense *D, const dense *twin)
{
    assert_int_equal(D->rows, twin->rows);
    assert_int_equal(D->cols, twin->cols);
    for (int64_t k = 0; k < D->rows * D->cols; k++) assert_true(D->a[k] == twin->a[k]);
}

static void assert_matrix_is(const saddle_matrix *A, const dense *twin)
{
    assert_int_equal(saddle_matrix_check(NULL, A, "A"), SADDLE_OK);
    dense D = dense_of(A);
    assert_same(&D, twin);
}

/* Each drawn matrix is handed to a claim together with its twin and a generator. */
typedef void claim(saddle_context *context, uint64_t *state, const saddle_matrix *A,
                   const dense *twin);

static void for_drawn_matrices(claim *check)
{
    uint64_t state = test_seed();
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    for (int draw = 0; draw < test_draws(400); draw++) {
        saddle_symmetry symmetry = draw % 2 ? SADDLE_SYMMETRY_LOWER : SADDLE_SYMMETRY_NONE;
        int64_t rows = test_integer(&state, 0, LARGEST);
        int64_t cols = symmetry == SADDLE_SYMMETRY_LOWER ? rows : test_integer(&state, 0, LARGEST);
        dense twin;
        saddle_matrix A = draw_matrix(context, &state, rows, cols, symmetry, &twin);
        check(context, &state, &A, &twin);
        saddle_matrix_clear(&A);
    }
    saddle_context_free(context);
}

static void claim_triplets(saddle_context *context, uint64_t *state, const saddle_matrix *A,
                           const dense *twin)
{
    (void)context;
    (void)state;
    assert_matrix_is(A, twin);
}

static void triplets_are_summed(void **state)
{
    (void)state;
    for_drawn_matrices(claim_triplets);
}

static void claim_transpose(saddle_context *context, uint64_t *state, const saddle_matrix *A,
                            const dense *twin)
{
    (void)state;
    saddle_matrix B;
    assert_int_equal(saddle_matrix_transpose(context, A, &B), SADDLE_OK);
    dense flipped = {.rows = twin->cols, .cols = twin->rows};
    for (int64_t i = 0; i < twin->rows; i++)
        for (int64_t j = 0; j < twin->cols; j++)
            flipped.a[j + i * twin->cols] = twin->a[i + j * twin->rows];
    assert_matrix_is(&B, &flipped);
    saddle_matrix_clear(&B);
}

static void transpose_exchanges_rows_and_columns(void **state)
{
    (void)state;
    for_drawn_matrices(claim_transpose);
}

static void draw_permutation(uint64_t *state, int64_t n, int64_t *p)
{
    for (int64_t i = 0; i < n; i++) p[i] = i;
    for (int64_t i = n - 1; i > 0; i--) {
        int64_t j = test_integer(state, 0, i);
        int64_t swap = p[i];
        p[i] = p[j];
        p[j] = swap;
    }
}

static void claim_permute(saddle_context *context, uint64_t *state, const saddle_matrix *A,
                          const dense *twin)
{
    int64_t p[LARGEST];
    int64_t q[LARGEST];
    draw_permutation(state, A->rows, p);
    draw_permutation(state, A->cols, q);
    const int64_t *columns = A->symmetry == SADDLE_SYMMETRY_LOWER ? p : q;
    saddle_matrix B;
    assert_int_equal(saddle_matrix_permute(context, A, p,
                                           A->symmetry == SADDLE_SYMMETRY_LOWER ? NULL : q, &B),
                     SADDLE_OK);
    assert_int_equal(B.symmetry, A->symmetry);
    dense moved = {.rows = A->rows, .cols = A->cols};
    for (int64_t i = 0; i < A->rows; i++)
        for (int64_t j = 0; j < A->cols; j++)
            moved.a[i + j * A->rows] = twin->a[p[i] + columns[j] * A->rows];
    assert_matrix_is(&B, &moved);
    saddle_matrix_clear(&B);
    if (A->rows < 2) return;
    p[0] = p[1];
    assert_int_equal(saddle_matrix_permute(context, A, p, NULL, &B), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_matrix_entries(&B), 0);
}

static void permuting_moves_every_entry(void **state)
{
    (void)state;
    for_drawn_matrices(claim_permute);
}

static void claim_expand(saddle_context *context, uint64_t *state, const saddle_matrix *A,
                         const dense *twin)
{
    (void)state;
    saddle_matrix full;
    assert_int_equal(saddle_matrix_expand(context, A, &full), SADDLE_OK);
    assert_int_equal(full.symmetry, SADDLE_SYMMETRY_NONE);
    assert_matrix_is(&full, twin);
    double asymmetry;
    if (A->symmetry == SADDLE_SYMMETRY_LOWER) {
        saddle_matrix back;
        assert_int_equal(saddle_matrix_asymmetry(context, &full, &asymmetry), SADDLE_OK);
        assert_true(asymmetry == 0.0);
        assert_int_equal(saddle_matrix_lower(context, &full, &back), SADDLE_OK);
        assert_int_equal(back.symmetry, SADDLE_SYMMETRY_LOWER);
        assert_matrix_is(&back, twin);
        saddle_matrix_clear(&back);
    } else if (A->rows == A->cols) {
        double largest = 0;
        double apart = 0;
        for (int64_t i = 0; i < A->rows; i++)
            for (int64_t j = 0; j < A->rows; j++) {
                largest = fmax(largest, fabs(twin->a[i + j * A->rows]));
                apart = fmax(apart, fabs(twin->a[i + j * A->rows] - twin->a[j + i * A->rows]));
            }
        assert_int_equal(saddle_matrix_asymmetry(context, A, &asymmetry), SADDLE_OK);
        assert_true(asymmetry == (largest > 0 ? apart / largest : 0));
    }
    saddle_matrix_clear(&full);
}

static void both_triangles_come_from_one_and_one_from_both(void **state)
{
    (void)state;
    for_drawn_matrices(claim_expand);
}

static void claim_arithmetic(saddle_context *context, uint64_t *state, const saddle_matrix *A,
                             const dense *twin)
{
    dense other;
    saddle_symmetry symmetry = A->rows == A->cols && test_integer(state, 0, 1)
                                   ? SADDLE_SYMMETRY_LOWER
                                   : SADDLE_SYMMETRY_NONE;
    saddle_matrix B = draw_matrix(context, state, A->rows, A->cols, symmetry, &other);
    saddle_matrix C;
    assert_int_equal(saddle_matrix_add(context, 2, A, -3, &B, &C), SADDLE_OK);
    dense sum = *twin;
    for (int64_t k = 0; k < A->rows * A->cols; k++) sum.a[k] = 2 * twin->a[k] - 3 * other.a[k];
    assert_matrix_is(&C, &sum);
    saddle_matrix_clear(&C);
    saddle_matrix_clear(&B);

    int64_t inner = A->cols;
    int64_t cols = test_integer(state, 0, LARGEST);
    B = draw_matrix(context, state, inner, cols, SADDLE_SYMMETRY_NONE, &other);
    assert_int_equal(saddle_matrix_multiply(context, A, &B, &C), SADDLE_OK);
    dense product = {.rows = A->rows, .cols = cols};
    for (int64_t i = 0; i < A->rows; i++)
        for (int64_t j = 0; j < cols; j++)
            for (int64_t k = 0; k < inner; k++)
                product.a[i + j * A->rows] += twin->a[i + k * A->rows] * other.a[k + j * inner];
    assert_matrix_is(&C, &product);
    saddle_matrix_clear(&C);
    saddle_matrix_clear(&B);
}

static void sums_and_products_are_the_dense_ones(void **state)
{
    (void)state;
    for_drawn_matrices(claim_arithmetic);
}

static void claim_apply(saddle_context *context, uint64_t *state, const saddle_matrix *A,
                        const dense *twin)
{
    (void)context;
    double x[LARGEST];
    double y[LARGEST];
    double expected[LARGEST];
    for (int i = 0; i < LARGEST; i++) x[i] = (double)test_integer(state, -9, 9);
    for (int64_t i = 0; i < A->rows; i++) {
        y[i] = 1;
        expected[i] = 4;
        for (int64_t j = 0; j < A->cols; j++) expected[i] += 2 * twin->a[i + j * A->rows] * x[j];
    }
    saddle_matrix_apply(A, 2, x, 4, y);
    for (int64_t i = 0; i < A->rows; i++) assert_true(y[i] == expected[i]);

    for (int64_t j = 0; j < A->cols; j++) {
        y[j] = (double)NAN; /* beta = 0 must not read it */
        expected[j] = 0;
        for (int64_t i = 0; i < A->rows; i++) expected[j] -= twin->a[i + j * A->rows] * x[i];
    }
    saddle_matrix_apply_transpose(A, -1, x, 0, y);
    for (int64_t j = 0; j < A->cols; j++) assert_true(y[j] == expected[j]);

    double d[LARGEST];
    saddle_matrix_diagonal(A, d);
    for (int64_t i = 0; i < A->rows && i < A->cols; i++)
        assert_true(d[i] == twin->a[i + i * A->rows]);
}

static void applying_is_the_dense_product(void **state)
{
    (void)state;
    for_drawn_matrices(claim_apply);
}

static void claim_norms(saddle_context *context, uint64_t *state, const saddle_matrix *A,
                        const dense *twin)
{
    (void)context;
    (void)state;
    double work[LARGEST];
    double rows = 0;
    double cols = 0;
    double largest = 0;
    double squares = 0;
    for (int64_t i = 0; i < A->rows; i++) {
        double sum = 0;
        for (int64_t j = 0; j < A->cols; j++) {
            double a = fabs(twin->a[i + j * A->rows]);
            sum += a;
            largest = fmax(largest, a);
            squares += a * a;
        }
        rows = fmax(rows, sum);
    }
    for (int64_t j = 0; j < A->cols; j++) {
        double sum = 0;
        for (int64_t i = 0; i < A->rows; i++) sum += fabs(twin->a[i + j * A->rows]);
        cols = fmax(cols, sum);
    }
    assert_true(saddle_matrix_norm_inf(A, work) == rows);
    assert_true(saddle_matrix_norm_1(A, work) == cols);
    assert_true(saddle_matrix_norm_max(A) == largest);
    assert_true(fabs(saddle_matrix_norm_frobenius(A) - sqrt(squares)) <=
                1e-14 * (1 + sqrt(squares)));
}

static void norms_are_the_dense_ones(void **state)
{
    (void)state;
    for_drawn_matrices(claim_norms);
}

static void claim_import(saddle_context *context, uint64_t *state, const saddle_matrix *A,
                         const dense *twin)
{
    (void)state;
    int64_t entries = saddle_matrix_entries(A);
    int32_t start[LARGEST + 1];
    int32_t index[200];
    assert_int_equal(saddle_matrix_to_csc32(A, start, index), SADDLE_OK);
    saddle_matrix B;
    assert_int_equal(saddle_matrix_from_csc32(context, (int32_t)A->rows, (int32_t)A->cols, start,
                                              index, A->value, A->symmetry, &B),
                     SADDLE_OK);
    assert_matrix_is(&B, twin);
    saddle_matrix_clear(&B);

    /* the same columns backwards: unsorted input */
    int64_t reversed[200];
    double value[200];
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t mirror = A->start[j] + A->start[j + 1] - 1 - k;
            reversed[k] = A->index[mirror];
            value[k] = A->value[mirror];
        }
    assert_int_equal(saddle_matrix_from_csc(context, A->rows, A->cols, A->start, reversed, value,
                                            A->symmetry, &B),
                     SADDLE_OK);
    assert_matrix_is(&B, twin);
    saddle_matrix_clear(&B);
    if (entries == 0) return;
    reversed[entries - 1] = A->rows;
    assert_int_equal(saddle_matrix_from_csc(context, A->rows, A->cols, A->start, reversed, value,
                                            A->symmetry, &B),
                     SADDLE_INVALID_ARGUMENT);
}

static void columns_come_in_with_both_index_widths(void **state)
{
    (void)state;
    for_drawn_matrices(claim_import);
}

static void a_view_copies_nothing(void **state)
{
    (void)state;
    int64_t start[] = {0, 1, 2};
    int64_t index[] = {0, 1};
    double value[] = {3, 4};
    saddle_matrix A = saddle_matrix_view(2, 2, start, index, value, SADDLE_SYMMETRY_LOWER);
    assert_int_equal(saddle_matrix_check(NULL, &A, "A"), SADDLE_OK);
    assert_ptr_equal(A.value, value);
    saddle_matrix_clear(&A); /* must not release what is borrowed */
    assert_true(value[1] == 4);
}

static void bad_arguments_are_refused_and_named(void **state)
{
    (void)state;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    int64_t row[] = {0, 5};
    int64_t col[] = {0, 1};
    double value[] = {1, 2};
    saddle_matrix A;
    assert_int_equal(saddle_matrix_from_triplets(context, 3, 3, 2, row, col, value,
                                                 SADDLE_SYMMETRY_NONE, &A),
                     SADDLE_INVALID_ARGUMENT);
    assert_non_null(strstr(saddle_context_message(context), "(6, 2)"));
    assert_null(A.start);
    assert_int_equal(saddle_matrix_from_triplets(context, 3, 2, 0, row, col, value,
                                                 SADDLE_SYMMETRY_LOWER, &A),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_matrix_create(context, -1, 2, 0, SADDLE_SYMMETRY_NONE, &A),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_matrix_create(context, 1, INT64_MAX, 0, SADDLE_SYMMETRY_NONE, &A),
                     SADDLE_TOO_LARGE);
    assert_int_equal(saddle_matrix_create(context, 1, INT64_MAX / 16, 0, SADDLE_SYMMETRY_NONE, &A),
                     SADDLE_OUT_OF_MEMORY);
    int64_t falling[] = {0, 2, 1};
    assert_int_equal(saddle_matrix_from_csc(context, 2, 2, falling, row, value,
                                            SADDLE_SYMMETRY_NONE, &A),
                     SADDLE_INVALID_ARGUMENT);
    saddle_matrix big = {.rows = (int64_t)INT32_MAX + 1, .cols = 1};
    int32_t narrow[2];
    assert_int_equal(saddle_matrix_to_csc32(&big, narrow, narrow), SADDLE_TOO_LARGE);
    saddle_context_free(context);
}

static void check_names_what_is_wrong(void **state)
{
    (void)state;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    int64_t start[] = {0, 2, 3};
    int64_t index[] = {0, 1, 1};
    double value[] = {1, 2, 3};
    saddle_matrix good = saddle_matrix_view(2, 2, start, index, value, SADDLE_SYMMETRY_NONE);
    assert_int_equal(saddle_matrix_check(context, &good, "M"), SADDLE_OK);

    int64_t twice[] = {1, 1, 1};
    int64_t outside[] = {0, 2, 1};
    int64_t falling[] = {1, 0, 1};
    int64_t above[] = {0, 1, 0};
    double infinite[] = {1, (double)INFINITY, 3};
    int64_t late[] = {1, 2, 3};
    struct {
        saddle_matrix A;
        const char *text;
    } bad[] = {
        {saddle_matrix_view(2, 2, start, twice, value, SADDLE_SYMMETRY_NONE), "stands twice"},
        {saddle_matrix_view(2, 2, start, outside, value, SADDLE_SYMMETRY_NONE), "out of range"},
        {saddle_matrix_view(2, 2, start, falling, value, SADDLE_SYMMETRY_NONE), "ascending"},
        {saddle_matrix_view(2, 2, start, above, value, SADDLE_SYMMETRY_LOWER),
         "above the diagonal"},
        {saddle_matrix_view(2, 2, start, index, infinite, SADDLE_SYMMETRY_NONE),
         "entry (2, 1) is not finite"},
        {saddle_matrix_view(2, 2, late, index, value, SADDLE_SYMMETRY_NONE), "start[0]"},
        {saddle_matrix_view(3, 2, start, index, value, SADDLE_SYMMETRY_LOWER), "marked symmetric"},
        {saddle_matrix_view(-3, 2, start, index, value, SADDLE_SYMMETRY_NONE), "negative"},
        {saddle_matrix_view(2, 2, start, NULL, value, SADDLE_SYMMETRY_NONE), "without index"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(saddle_matrix_check(context, &bad[i].A, "M"), SADDLE_INVALID_ARGUMENT);
        assert_non_null(strstr(saddle_context_message(context), bad[i].text));
        assert_int_equal(strncmp(saddle_context_message(context), "M", 1), 0);
    }
    saddle_context_free(context);
}

static saddle_status everything_once(saddle_context *context, void *user)
{
    (void)user;
    int64_t row[] = {2, 0, 1, 2, 0};
    int64_t col[] = {2, 1, 0, 0, 0};
    double value[] = {1, 2, 3, 4, 5};
    int64_t p[] = {2, 0, 1};
    double asymmetry;
    saddle_matrix made[7];
    memset(made, 0, sizeof made);
    saddle_status status = saddle_matrix_from_triplets(context, 3, 3, 5, row, col, value,
                                                       SADDLE_SYMMETRY_NONE, &made[0]);
    if (status == SADDLE_OK)
        status = saddle_matrix_from_triplets(context, 3, 3, 5, row, col, value,
                                             SADDLE_SYMMETRY_LOWER, &made[1]);
    if (status == SADDLE_OK) status = saddle_matrix_transpose(context, &made[0], &made[2]);
    if (status == SADDLE_OK) status = saddle_matrix_permute(context, &made[0], p, p, &made[3]);
    if (status == SADDLE_OK)
        status = saddle_matrix_add(context, 1, &made[0], 1, &made[1], &made[4]);
    if (status == SADDLE_OK) status = saddle_matrix_multiply(context, &made[0], &made[1], &made[5]);
    if (status == SADDLE_OK) status = saddle_matrix_lower(context, &made[0], &made[6]);
    if (status == SADDLE_OK) status = saddle_matrix_asymmetry(context, &made[0], &asymmetry);
    for (int i = 0; i < 7; i++) saddle_matrix_clear(&made[i]);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(everything_once, NULL) > 30);
}

/* ---- the dense twins themselves, which other tests lean on ---- */

static void dense_drivers_agree_with_closed_forms(void **state)
{
    (void)state;
    double A[] = {4, 1, 1, 3};
    double x[] = {1, 2};
    assert_int_equal(saddle__dense_solve(NULL, 2, A, x), SADDLE_OK);
    assert_true(fabs(x[0] - 1.0 / 11) < 1e-15 && fabs(x[1] - 7.0 / 11) < 1e-15);
    double singular[] = {1, 1, 1, 1};
    assert_int_equal(saddle__dense_solve(NULL, 2, singular, x), SADDLE_SINGULAR);

    double ones[] = {1, 1, 1, 1};
    double b[] = {2, 2};
    int64_t rank;
    assert_int_equal(test_dense_least_norm(NULL, 2, 2, ones, b, 1e-12, &rank), SADDLE_OK);
    assert_int_equal(rank, 1);
    assert_true(fabs(b[0] - 1) < 1e-14 && fabs(b[1] - 1) < 1e-14);

    double diagonal[] = {0, 0, 3, 0, -2, 0}; /* 2 x 3 */
    double sigma[2];
    test_singular_values(2, 3, diagonal, sigma);
    assert_true(fabs(sigma[0] - sqrt(13)) < 1e-14 && fabs(sigma[1]) < 1e-15);

    double symmetric[] = {2, 1, 0, 2};
    double eigenvalue[2];
    assert_int_equal(saddle__dense_eigenvalues(NULL, 2, symmetric, eigenvalue), SADDLE_OK);
    assert_true(fabs(eigenvalue[0] - 1) < 1e-14 && fabs(eigenvalue[1] - 3) < 1e-14);
    assert_int_equal(saddle__dense_solve(NULL, INT64_MAX, A, x), SADDLE_TOO_LARGE);
}

static void an_index_at_the_end_of_the_range_is_named(void **state)
{
    (void)state;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    int64_t start[] = {0, 1}, last[] = {INT64_MAX}, zero[] = {0};
    double value[] = {1};
    saddle_matrix view = saddle_matrix_view(2, 1, start, last, value, SADDLE_SYMMETRY_NONE), A;
    assert_int_equal(saddle_matrix_check(context, &view, "A"), SADDLE_INVALID_ARGUMENT);
    assert_non_null(strstr(saddle_context_message(context), "9223372036854775807"));
    assert_int_equal(saddle_matrix_from_triplets(context, 2, 1, 1, last, zero, value,
                                                 SADDLE_SYMMETRY_NONE, &A),
                     SADDLE_INVALID_ARGUMENT);
    assert_non_null(strstr(saddle_context_message(context), "9223372036854775807"));
    assert_int_equal(saddle_matrix_from_csc(context, 2, 1, start, last, value, SADDLE_SYMMETRY_NONE,
                                            &A),
                     SADDLE_INVALID_ARGUMENT);
    saddle_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triplets_are_summed),
        cmocka_unit_test(transpose_exchanges_rows_and_columns),
        cmocka_unit_test(permuting_moves_every_entry),
        cmocka_unit_test(both_triangles_come_from_one_and_one_from_both),
        cmocka_unit_test(sums_and_products_are_the_dense_ones),
        cmocka_unit_test(applying_is_the_dense_product),
        cmocka_unit_test(norms_are_the_dense_ones),
        cmocka_unit_test(columns_come_in_with_both_index_widths),
        cmocka_unit_test(a_view_copies_nothing),
        cmocka_unit_test(bad_arguments_are_refused_and_named),
        cmocka_unit_test(an_index_at_the_end_of_the_range_is_named),
        cmocka_unit_test(check_names_what_is_wrong),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(dense_drivers_agree_with_closed_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
