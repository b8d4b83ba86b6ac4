/* SPDX-License-Identifier: MIT */
/* The engine's L D U of general matrices with symmetric patterns, against LAPACK's dense L U. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense/lapack.h"
#include "ldlt/ldlt_internal.h"
#include "support.h"

/* A (n x n), general, and its dense twin, by columns. */
typedef struct drawn_general {
    int64_t n;
    saddle_matrix A;
    double *dense;
} drawn_general;

/* A graph of n nodes with about `links` neighbours each, near ones more often; values of both
 * triangles are independent, pivots of both signs outweigh them. */
static drawn_general draw_general(uint64_t *state, int64_t n, int64_t links)
{
    drawn_general d = {.n = n, .dense = calloc((size_t)(n * n), sizeof(double))};
    int64_t *row = malloc((size_t)(2 * n * n) * sizeof *row), *column = row + n * n, count = 0;
    double *value = malloc((size_t)(n * n) * sizeof *value);
    assert_true(d.dense && row && value);
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = 0; k < links / 2; k++) {
            int64_t reach = test_integer(state, 0, 3) ? 8 : n - 1;
            int64_t i = j + test_integer(state, 1, reach < 1 ? 1 : reach);
            if (i >= n) continue;
            d.dense[i + j * n] = test_uniform(state, -1.0, 1.0);
            d.dense[j + i * n] = test_uniform(state, -1.0, 1.0);
        }
    for (int64_t j = 0; j < n; j++) {
        double sum = 1.0;
        for (int64_t i = 0; i < n; i++) sum += fabs(d.dense[i + j * n]) + fabs(d.dense[j + i * n]);
        d.dense[j + j * n] = test_integer(state, 0, 1) ? sum : -sum;
        for (int64_t i = 0; i < n; i++) {
            if (d.dense[i + j * n] == 0.0 && d.dense[j + i * n] == 0.0) continue;
            row[count] = i;
            column[count] = j;
            value[count++] = d.dense[i + j * n];
        }
    }
    assert_int_equal(saddle_matrix_from_triplets(NULL, n, n, count, row, column, value,
                                                 SADDLE_SYMMETRY_NONE, &d.A),
                     SADDLE_OK);
    free(row);
    free(value);
    return d;
}

static void drawn_general_clear(drawn_general *d)
{
    saddle_matrix_clear(&d->A);
    free(d->dense);
}

static saddle__ldlt *factored(const drawn_general *d, const saddle__ldlt_request *request)
{
    saddle__pivot_rule rule = {.smallest = 0.0};
    saddle__factor_counts counts = {0};
    saddle__ldlt *F = NULL;
    assert_int_equal(saddle__ldlt_analyse(NULL, &d->A, request, &F), SADDLE_OK);
    assert_int_equal(saddle__ldlt_factor(F, &d->A, &rule, &counts), SADDLE_OK);
    assert_int_equal(counts.inertia.known, 0);
    assert_int_equal(counts.perturbed_pivots, 0);
    return F;
}

/* X (n x count) <- A^-1 X, or A'^-1 X, by LAPACK */
static void solve_densely(const drawn_general *d, int transposed, int64_t count, double *X)
{
    int n = (int)d->n, columns = (int)count, info;
    int *pivot = malloc((size_t)n * sizeof *pivot);
    double *A = malloc((size_t)(d->n * d->n) * sizeof *A);
    for (int64_t j = 0; j < d->n; j++)
        for (int64_t i = 0; i < d->n; i++)
            A[i + j * d->n] = d->dense[transposed ? j + i * d->n : i + j * d->n];
    dgesv_(&n, &columns, A, &n, pivot, X, &n, &info);
    assert_int_equal(info, 0);
    free(A);
    free(pivot);
}

/* The largest difference, over the largest entry, of solutions for `count` right-hand sides. */
static double solution_error(uint64_t *state, const drawn_general *d, saddle__ldlt *F,
                             int transposed, int64_t count)
{
    size_t size = (size_t)(d->n * count);
    double *X = malloc(2 * size * sizeof *X), *Y = X + size, worst = 0.0, largest = 0.0;
    for (size_t k = 0; k < size; k++) X[k] = Y[k] = test_uniform(state, -1.0, 1.0);
    if (transposed) saddle__ldlt_transpose(F);
    saddle__ldlt_solve(F, SADDLE__LDLT_WHOLE, count, X, d->n);
    if (transposed) saddle__ldlt_transpose(F);
    solve_densely(d, transposed, count, Y);
    for (size_t k = 0; k < size; k++) {
        worst = fmax(worst, fabs(X[k] - Y[k]));
        largest = fmax(largest, fabs(Y[k]));
    }
    free(X);
    return worst / largest;
}

static void solutions_are_those_of_a_dense_lu(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(200); trial++) {
        drawn_general d = draw_general(&state, test_integer(&state, 1, trial % 20 ? 60 : 300),
                                       test_integer(&state, 0, 10));
        saddle__ldlt_request request = {.general = 1, .ordering = (saddle_ordering)(trial % 4)};
        saddle__ldlt *F = factored(&d, &request);
        for (int transposed = 0; transposed < 2; transposed++) {
            assert_true(solution_error(&state, &d, F, transposed, 1) < 1e-13);
            int64_t several = test_integer(&state, 2, 20);
            assert_true(solution_error(&state, &d, F, transposed, several) < 1e-13);
        }
        saddle__ldlt_free(F);
        drawn_general_clear(&d);
    }
}

/* For a drawn right-hand side, to the bit. */
static void assert_same_solution(uint64_t *state, int64_t n, saddle__ldlt *F, saddle__ldlt *G)
{
    double *x = malloc(2 * (size_t)n * sizeof *x), *y = x + n;
    for (int64_t i = 0; i < n; i++) x[i] = y[i] = test_uniform(state, -1.0, 1.0);
    saddle__ldlt_solve(F, SADDLE__LDLT_WHOLE, 1, x, n);
    saddle__ldlt_solve(G, SADDLE__LDLT_WHOLE, 1, y, n);
    assert_memory_equal(x, y, (size_t)n * sizeof *x);
    free(x);
}

/* Fronts of more than a tile, and threads that share them: the same bits for any number. */
static void large_fronts_are_exact_and_have_the_same_bits_for_all_threads(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    drawn_general d = draw_general(&state, 3 * SADDLE__LDLT_TILE, 60);
    saddle__ldlt_request request = {.general = 1, .grain = 1e-3};
    saddle__ldlt *F = factored(&d, &request);
    assert_true(solution_error(&state, &d, F, 0, 1) < 1e-12);
    assert_true(solution_error(&state, &d, F, 1, 3) < 1e-12);
    for (request.threads = 2; request.threads <= 4; request.threads++) {
        saddle__ldlt *G = factored(&d, &request);
        assert_int_equal(G->threads, saddle__tasks_threads(request.threads));
        assert_same_solution(&state, d.n, F, G);
        saddle__ldlt_free(G);
    }
    saddle__ldlt_free(F);
    drawn_general_clear(&d);
}

/* Of a symmetric matrix both factorizations have the same L, D and numbers of entries and flops,
 * twice of L D U. */
static void a_symmetric_matrix_has_the_factor_of_its_lower_triangle(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(100); trial++) {
        drawn_general d = draw_general(&state, test_integer(&state, 1, 150), 6);
        saddle_matrix lower = {0};
        for (int64_t j = 0; j < d.n; j++)
            for (int64_t k = d.A.start[j]; k < d.A.start[j + 1]; k++)
                if (d.A.index[k] < j) d.A.value[k] = saddle_matrix_entry(&d.A, j, d.A.index[k]);
        assert_int_equal(saddle_matrix_lower(NULL, &d.A, &lower), SADDLE_OK);
        saddle__ldlt_request request = {.general = 1}, half = {.general = 0};
        saddle__pivot_rule rule = {.smallest = 0.0};
        saddle__factor_counts counts = {0};
        saddle__ldlt *F = factored(&d, &request), *G = NULL;
        assert_int_equal(saddle__ldlt_analyse(NULL, &lower, &half, &G), SADDLE_OK);
        assert_int_equal(saddle__ldlt_factor(G, &lower, &rule, &counts), SADDLE_OK);
        saddle__ldlt_size a = saddle__ldlt_size_of(F), b = saddle__ldlt_size_of(G);
        assert_true(a.entries == 2 * b.entries && a.fill == 2 * b.fill && a.flops == 2.0 * b.flops);
        assert_memory_equal(F->pivot, G->pivot, (size_t)d.n * sizeof(double));
        assert_same_solution(&state, d.n, F, G);
        saddle__ldlt_free(F);
        saddle__ldlt_free(G);
        saddle_matrix_clear(&lower);
        drawn_general_clear(&d);
    }
}

/* Also on the way to the end of the last column, and of the first. */
static void a_pattern_that_is_not_symmetric_is_refused(void **unused)
{
    (void)unused;
    saddle__ldlt_request request = {.general = 1};
    double value[] = {1.0, 1.0, 1.0, 1.0, 1.0};
    struct {
        int64_t start[4], index[5];
    } wrong[] = {
        {{0, 2, 3, 4}, {0, 2, 1, 2}},    /* (3, 1) alone */
        {{0, 1, 2, 4}, {0, 1, 0, 2}},    /* (1, 3) alone */
        {{0, 2, 3, 5}, {0, 1, 1, 0, 2}}, /* (2, 1) and (1, 3) */
        {{0, 2, 4, 5}, {0, 2, 0, 1, 2}}, /* (3, 1) and (1, 2) */
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        saddle__ldlt *F = NULL;
        saddle_matrix A = saddle_matrix_view(3, 3, wrong[k].start, wrong[k].index, value,
                                             SADDLE_SYMMETRY_NONE);
        assert_int_equal(saddle__ldlt_analyse(NULL, &A, &request, &F), SADDLE_UNSUPPORTED);
        assert_null(F);
    }
}

/* A = [1 2; 3 6 + e]: without pivoting, the second pivot is e. */
static void a_pivot_that_vanishes_ends_it(void **unused)
{
    (void)unused;
    int64_t start[] = {0, 2, 4}, index[] = {0, 1, 0, 1};
    double value[] = {1.0, 3.0, 2.0, 6.0};
    saddle_matrix A = saddle_matrix_view(2, 2, start, index, value, SADDLE_SYMMETRY_NONE);
    saddle__ldlt_request request = {.general = 1, .ordering = SADDLE_ORDERING_NATURAL};
    saddle__pivot_rule rule = {.smallest = 0.0};
    saddle__factor_counts counts = {0};
    saddle__ldlt *F = NULL;
    assert_int_equal(saddle__ldlt_analyse(NULL, &A, &request, &F), SADDLE_OK);
    assert_int_equal(saddle__ldlt_factor(F, &A, &rule, &counts), SADDLE_SINGULAR);
    value[3] = 7.0;
    assert_int_equal(saddle__ldlt_factor(F, &A, &rule, &counts), SADDLE_OK);
    double x[] = {5.0, 17.0}; /* of (1, 2) */
    saddle__ldlt_solve(F, SADDLE__LDLT_WHOLE, 1, x, 2);
    assert_true(fabs(x[0] - 1.0) < 1e-14 && fabs(x[1] - 2.0) < 1e-14);
    saddle__ldlt_free(F);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_are_those_of_a_dense_lu),
        cmocka_unit_test(large_fronts_are_exact_and_have_the_same_bits_for_all_threads),
        cmocka_unit_test(a_symmetric_matrix_has_the_factor_of_its_lower_triangle),
        cmocka_unit_test(a_pattern_that_is_not_symmetric_is_refused),
        cmocka_unit_test(a_pivot_that_vanishes_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
