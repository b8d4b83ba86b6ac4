/* SPDX-License-Identifier: MIT */
/* Dense factors by panels (mlcp/panels.h) against their products, and against LAPACK's
 * exchanges; whoever is asked ends them, in time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mlcp/panels.h"
#include "dense/lapack.h"
#include "support.h"

enum { MOST = 2 * SADDLE__PANEL + 411 };

static const int sizes[] = {0, 1, 7, SADDLE__PANEL, 2 * SADDLE__PANEL - 1, 2 * SADDLE__PANEL, MOST};

enum { SIZES = sizeof sizes / sizeof *sizes };

static double *draw(uint64_t *seed, int size, int definite)
{
    double *A = malloc(((size_t)size * (size_t)size + 1) * sizeof *A);
    assert_non_null(A);
    for (int64_t k = 0; k < (int64_t)size * size; k++) A[k] = test_uniform(seed, -1.0, 1.0);
    for (int64_t j = 0; definite && j < size; j++) {
        for (int64_t i = 0; i < j; i++) A[i + j * size] = A[j + i * size];
        A[j + j * size] += 4.0 * sqrt((double)size) + 1.0; /* a drawn symmetric matrix's eigenvalues
                                                              are below 2 sqrt(n/3) */
    }
    return A;
}

/* The largest of A x - b, A being what was factored, for a drawn x. */
static double left_by(uint64_t *seed, int size, const double *A, const double *F,
                      const int *exchange)
{
    double *x = calloc((size_t)size + 1, sizeof *x);
    double *b = calloc((size_t)size + 1, sizeof *b);
    double most = 0.0;
    int one = 1;
    int info = 0;
    assert_true(x && b);
    for (int i = 0; i < size; i++) x[i] = test_uniform(seed, -1.0, 1.0);
    for (int64_t j = 0; j < size; j++)
        for (int64_t i = 0; i < size; i++) b[i] += A[i + j * size] * x[j];
    if (size > 0 && exchange) dgetrs_("N", &size, &one, F, &size, exchange, b, &size, &info, 1);
    if (size > 0 && !exchange) dpotrs_("L", &size, &one, F, &size, b, &size, &info, 1);
    assert_int_equal(info, 0);
    for (int i = 0; i < size; i++) most = fmax(most, fabs(b[i] - x[i]));
    free(x);
    free(b);
    return most;
}

static void factors_are_those_of_the_matrix(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int k = 0; k < SIZES; k++) {
        for (int definite = 0; definite < 2; definite++) {
            int size = sizes[k];
            size_t bytes = (size_t)size * (size_t)size * sizeof(double);
            double *A = draw(&seed, size, definite);
            double *F = malloc(bytes + sizeof *F);
            int *exchange = calloc((size_t)size + 1, sizeof *exchange);
            assert_true(F && exchange);
            memcpy(F, A, bytes);
            saddle_status status = definite ? saddle__panels_cholesky(size, F, size, NULL)
                                            : saddle__panels_lu(size, F, size, exchange, NULL);
            assert_int_equal(status, SADDLE_OK);
            assert_true(left_by(&seed, size, A, F, definite ? NULL : exchange) < 1e-8);
            free(exchange);
            free(F);
            free(A);
        }
    }
}

/* A row and column of zeros, in the last panel. */
static void what_has_no_factor_is_told(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    double *A = draw(&seed, MOST, 1);
    int *exchange = calloc(MOST, sizeof *exchange);
    assert_non_null(exchange);
    for (int64_t k = 0; k < MOST; k++)
        A[(MOST - 2) + k * MOST] = A[k + (MOST - 2) * (int64_t)MOST] = 0.0;
    double *F = malloc((size_t)MOST * MOST * sizeof *F);
    assert_non_null(F);
    memcpy(F, A, (size_t)MOST * MOST * sizeof *F);
    assert_int_equal(saddle__panels_cholesky(MOST, F, MOST, NULL), SADDLE_NOT_CONVERGED);
    memcpy(F, A, (size_t)MOST * MOST * sizeof *F);
    assert_int_equal(saddle__panels_lu(MOST, F, MOST, exchange, NULL), SADDLE_NOT_CONVERGED);
    free(F);
    free(exchange);
    free(A);
}

static saddle_status count_down(void *user)
{
    int *left = user;
    return (*left)-- > 0 ? SADDLE_OK : SADDLE_TIME_LIMIT;
}

static void whoever_is_asked_ends_them_between_panels(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    double *A = draw(&seed, MOST, 1);
    int *exchange = calloc(MOST, sizeof *exchange);
    int left = 0;
    const saddle__asked asked = {.stop = count_down, .user = &left};
    assert_non_null(exchange);
    assert_int_equal(saddle__panels_cholesky(MOST, A, MOST, &asked), SADDLE_TIME_LIMIT);
    left = 0;
    assert_int_equal(saddle__panels_lu(MOST, A, MOST, exchange, &asked), SADDLE_TIME_LIMIT);
    free(exchange);
    free(A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_are_those_of_the_matrix),
        cmocka_unit_test(what_has_no_factor_is_told),
        cmocka_unit_test(whoever_is_asked_ends_them_between_panels),
    };
    return cmocka_run_group_tests_name("panels", tests, NULL, NULL);
}
