/* SPDX-License-Identifier: MIT */
/* The inertia that ldlt reports, over every public symmetric system of moderate size, against the
 * signs of LAPACK's eigenvalues.
 *
 * LAPACK sees D K D with D the powers of two nearest to the diagonal's size to the -1/2 (Sylvester:
 * the inertia is the same), so that eigenvalues of one sign are not lost beside large ones; where
 * one is still within rounding of zero, the file is left out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collection.h"
#include "dense/dense.h"

enum { LARGEST = 700 };

/* D K D by columns, of K = [M J'; J -R] with m = 0 */
static double *scaled_dense(const saddle_matrix *K)
{
    int64_t n = K->cols;
    double *A = calloc((size_t)(n * n + 1), sizeof(*A));
    double *d = calloc((size_t)(n + 1), sizeof(*d));
    assert_non_null(A);
    assert_non_null(d);
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++) {
            int64_t i = K->index[k];
            A[i + j * n] = A[j + i * n] = K->value[k];
            d[i] = fmax(d[i], fabs(K->value[k]));
            d[j] = fmax(d[j], fabs(K->value[k]));
        }
    for (int64_t i = 0; i < n; i++) d[i] = d[i] > 0.0 ? exp2(-round(0.5 * log2(d[i]))) : 1.0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) A[i + j * n] *= d[i] * d[j];
    free(d);
    return A;
}

/* 1: compared */
static int compare(saddle_context *context, const char *path, const saddle_problem *p)
{
    int64_t n = p->n;
    double eigenvalue[LARGEST];
    double *A = scaled_dense(&p->M);
    assert_int_equal(saddle__dense_eigenvalues(NULL, n, A, eigenvalue), SADDLE_OK);
    free(A);
    double largest = 0.0;
    double least = (double)INFINITY;
    int64_t positive = 0;
    for (int64_t i = 0; i < n; i++) {
        largest = fmax(largest, fabs(eigenvalue[i]));
        least = fmin(least, fabs(eigenvalue[i]));
        positive += eigenvalue[i] > 0.0;
    }
    if (!(least > 1e-13 * (double)n * largest)) return 0;
    saddle_solution x = {0};
    saddle_report report;
    saddle_status status = saddle_solve(context, p, "ldlt", NULL, NULL, &x, &report);
    if (status != SADDLE_OK || report.inertia.positive != positive ||
        report.inertia.negative != n - positive)
        fail_msg(
            "%s: %s, %lld positive and %lld negative pivots, %lld positive eigenvalues of %lld",
            path, saddle_status_name(status), (long long)report.inertia.positive,
            (long long)report.inertia.negative, (long long)positive, (long long)n);
    saddle_solution_clear(&x);
    return 1;
}

static void pivots_have_the_signs_of_the_eigenvalues(void **unused)
{
    (void)unused;
    collection all = collection_of_public_problems();
    int compared = 0;
    for (int64_t k = 0; k < all.count; k++) {
        const char *name = collection_short_name(all.path[k]);
        if (strncmp(name, "kkt_", 4) != 0) continue;
        saddle_context *context;
        assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
        saddle_problem p = {0};
        saddle_read_options options = {.rhs = all.rhs[k]};
        saddle_status status = saddle_problem_read(context, all.path[k], &options, &p, NULL, NULL,
                                                   NULL);
        if (status == SADDLE_OK && p.m == 0 && p.n > 0 && p.n <= LARGEST &&
            p.M.symmetry == SADDLE_SYMMETRY_LOWER)
            compared += compare(context, name, &p);
        saddle_problem_clear(&p);
        saddle_context_free(context);
    }
    print_message("%d systems compared\n", compared);
    assert_true(compared >= 10);
    collection_clear(&all);
}

/* v_1 + v_2 = 2 twice: K has one null vector, and the answer is one of many. */
static void a_redundant_row_is_a_zero_pivot_and_said(void **state)
{
    (void)state;
    int64_t start[] = {0, 1, 2}, index[] = {0, 1}, J_start[] = {0, 2, 4}, J_index[] = {0, 1, 0, 1};
    double M[] = {2, 3}, J[] = {1, 1, 1, 1}, f[] = {1, 1}, b[] = {2, 2};
    saddle_problem p = {.n = 2, .m = 2, .f = f, .b = b};
    p.M = saddle_matrix_view(2, 2, start, index, M, SADDLE_SYMMETRY_LOWER);
    p.Jt = saddle_matrix_view(2, 2, J_start, J_index, J, SADDLE_SYMMETRY_NONE);
    saddle_solution x = {0};
    saddle_report report;
    assert_int_equal(saddle_solve(NULL, &p, "ldlt", NULL, NULL, &x, &report), SADDLE_OK);
    assert_true(report.inertia.positive == 2 && report.inertia.negative == 1 &&
                report.inertia.zero == 1);
    assert_non_null(strstr(report.note, "K is singular: 1 zero pivots, the first at row"));
    saddle_solution_clear(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pivots_have_the_signs_of_the_eigenvalues),
                                       cmocka_unit_test(a_redundant_row_is_a_zero_pivot_and_said)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
