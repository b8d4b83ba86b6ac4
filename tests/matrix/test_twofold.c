/* SPDX-License-Identifier: MIT */
/* Sums in twice the precision: against exact arithmetic in integers, and bit for bit against their
 * definition. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "matrix/twofold.h"
#include "support.h"

__extension__ typedef __int128 integer;

enum { MOST = 40, DIGITS = 51 };

/* An integer of up to `bits` bits and either sign. */
static int64_t draw_integer(uint64_t *state, int bits)
{
    return test_integer(state, -((int64_t)1 << bits), (int64_t)1 << bits);
}

/* A rows x cols, about a third full, entries integers of up to DIGITS bits. */
static saddle_matrix draw_matrix(uint64_t *state, int64_t rows, int64_t cols,
                                 saddle_symmetry symmetry)
{
    static int64_t row[MOST * MOST];
    static int64_t col[MOST * MOST];
    static double value[MOST * MOST];
    int64_t count = 0;
    for (int64_t j = 0; j < cols; j++) {
        for (int64_t i = symmetry == SADDLE_SYMMETRY_LOWER ? j : 0; i < rows; i++) {
            if (test_integer(state, 0, 2)) continue;
            row[count] = i;
            col[count] = j;
            value[count++] = (double)draw_integer(state, (int)test_integer(state, 1, DIGITS));
        }
    }
    saddle_matrix A;
    assert_int_equal(saddle_matrix_from_triplets(NULL, rows, cols, count, row, col, value, symmetry,
                                                 &A),
                     SADDLE_OK);
    return A;
}

static integer magnitude(integer x)
{
    return x < 0 ? -x : x;
}

/* high + low is the exact sum within u |sum| + (count u)^2 sum |terms|, and modulus that of the
 * terms */
static void check_sum(saddle__twofold got, integer exact, integer terms)
{
    double u = 0.5 * DBL_EPSILON;
    double count = MOST + 1;
    double allowed = u * (double)magnitude(exact) + (count * u) * (count * u) * (double)terms;
    double off = fabs((double)((integer)got.high - exact + (integer)got.low));
    assert_true(off <= allowed + fabs(got.low - (double)(integer)got.low));
    assert_true(fabs(got.modulus - (double)terms) <= count * u * (double)terms);
}

/* b - A x, entry by entry, in 128 bits: 2 * 52 bits and a few for the sum */
static void check_residual(const saddle_matrix *A, int transposed, const int64_t *b,
                           const double *x, const saddle__twofold *got)
{
    int64_t count = transposed ? A->cols : A->rows;
    int64_t length = transposed ? A->rows : A->cols;
    for (int64_t i = 0; i < count; i++) {
        integer sum = b[i];
        integer terms = magnitude(sum);
        for (int64_t j = 0; j < length; j++) {
            double a = transposed ? saddle_matrix_entry(A, j, i) : saddle_matrix_entry(A, i, j);
            integer product = (integer)a * (integer)x[j];
            sum -= product;
            terms += magnitude(product);
        }
        check_sum(got[i], sum, terms);
    }
}

static void draw_vector(uint64_t *state, int64_t count, int64_t *exact, double *x)
{
    for (int64_t i = 0; i < count; i++) {
        exact[i] = draw_integer(state, DIGITS);
        x[i] = (double)exact[i];
    }
}

static void residuals_are_those_of_exact_arithmetic_rounded(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(3000); trial++) {
        int64_t rows = test_integer(&state, 1, MOST);
        int64_t cols = trial % 2 ? rows : test_integer(&state, 1, MOST);
        saddle_matrix A = draw_matrix(&state, rows, cols,
                                      trial % 2 ? SADDLE_SYMMETRY_LOWER : SADDLE_SYMMETRY_NONE);
        int64_t exact[4][MOST];
        double x[MOST], u[MOST], b[MOST], c[MOST];
        saddle__twofold y[MOST], z[MOST];
        draw_vector(&state, cols, exact[0], x);
        draw_vector(&state, rows, exact[1], u);
        draw_vector(&state, rows, exact[2], b);
        draw_vector(&state, cols, exact[3], c);
        saddle__twofold_set(rows, b, y);
        saddle__twofold_add(&A, -1.0, x, y);
        check_residual(&A, 0, exact[2], x, y);
        if (A.symmetry == SADDLE_SYMMETRY_NONE) {
            saddle__twofold_set(rows, b, y);
            saddle__twofold_set(cols, c, z);
            saddle__twofold_add_both(&A, -1.0, x, y, -1.0, u, z);
            check_residual(&A, 0, exact[2], x, y);
            check_residual(&A, 1, exact[3], u, z);
        }
        saddle_matrix_clear(&A);
    }
}

/* 2^54 + 1 - 2^54 and (1 + e)^2 - (1 + 2 e): what plain sums and plain products lose */
static void cancellation_leaves_what_is_left(void **unused)
{
    (void)unused;
    int64_t start[] = {0, 1, 2, 3};
    int64_t index[] = {0, 0, 0};
    double value[] = {18014398509481984.0, 1.0, -18014398509481984.0};
    double ones[] = {1.0, 1.0, 1.0};
    saddle_matrix A = saddle_matrix_view(1, 3, start, index, value, SADDLE_SYMMETRY_NONE);
    saddle__twofold y;
    saddle__twofold_set(1, NULL, &y);
    saddle__twofold_add(&A, 1.0, ones, &y);
    assert_true(saddle__twofold_value(y) == 1.0);

    double e = ldexp(1.0, -40);
    double factors[] = {1.0 + e, -1.0 - 2.0 * e, 0.0};
    double others[] = {1.0 + e, 1.0, 1.0};
    A.value = factors;
    saddle__twofold_set(1, NULL, &y);
    saddle__twofold_add(&A, 1.0, others, &y);
    assert_true(saddle__twofold_value(y) == ldexp(1.0, -80));
}

/* TwoSum and TwoProduct written out, with the C library's fma: the same bits whatever instructions
 * there are. */
static void bits_are_those_of_the_definition(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(1000); trial++) {
        int64_t start[MOST + 1];
        int64_t index[MOST] = {0};
        double a[MOST], x[MOST];
        double high = test_uniform(&state, -1.0, 1.0);
        double low = 0.0;
        saddle__twofold y;
        saddle__twofold_set(1, &high, &y);
        for (int64_t k = 0; k < MOST; k++) {
            start[k] = k;
            a[k] = test_uniform(&state, -1.0, 1.0) * ldexp(1.0, (int)test_integer(&state, -60, 60));
            x[k] = test_uniform(&state, -1.0, 1.0);
            volatile double product = a[k] * x[k];
            volatile double sum = high + product;
            volatile double part = sum - high;
            volatile double rest = sum - part;
            volatile double first = high - rest;
            volatile double second = product - part;
            volatile double both = first + second;
            volatile double lost = fma(a[k], x[k], -product) + both;
            low += lost;
            high = sum;
        }
        start[MOST] = MOST;
        saddle_matrix A = saddle_matrix_view(1, MOST, start, index, a, SADDLE_SYMMETRY_NONE);
        saddle__twofold_add(&A, 1.0, x, &y);
        assert_true(y.high == high && y.low == low);
    }
}

static void empty_matrices_add_nothing(void **unused)
{
    (void)unused;
    saddle_matrix A = {.rows = 2, .cols = 2};
    double b[] = {1.0, -2.0};
    saddle__twofold y[2];
    saddle__twofold_set(2, b, y);
    saddle__twofold_add(&A, -1.0, b, y);
    saddle__twofold_add_both(&A, -1.0, b, y, -1.0, b, y);
    for (int i = 0; i < 2; i++)
        assert_true(saddle__twofold_value(y[i]) == b[i] && y[i].modulus == fabs(b[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(residuals_are_those_of_exact_arithmetic_rounded),
        cmocka_unit_test(cancellation_leaves_what_is_left),
        cmocka_unit_test(bits_are_those_of_the_definition),
        cmocka_unit_test(empty_matrices_add_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
