/* SPDX-License-Identifier: MIT */
/* Rows that are soft together (seed 002, Damping): R = (beta C D + gamma I)^-1 C, by what that
 * stands for. */
#include <math.h>
#include <string.h>

#include "dense/dense.h"
#include "saddle/compliance.h"
#include "support.h"

enum { TRIALS = 2000, ROWS = 5 };

/* 10^lo .. 10^hi */
static double draw(uint64_t *state, double lo, double hi)
{
    return pow(10, test_uniform(state, lo, hi));
}

/* A (ROWS x ROWS) = B B' of rank columns, times size */
static void draw_semidefinite(uint64_t *seed, int rank, double size, double *A)
{
    double B[ROWS * ROWS];
    for (int k = 0; k < ROWS * ROWS; k++) B[k] = test_uniform(seed, -1, 1);
    for (int j = 0; j < ROWS; j++) {
        for (int i = 0; i <= j; i++) {
            double sum = 0;
            for (int k = 0; k < rank; k++) sum += B[i + ROWS * k] * B[j + ROWS * k];
            A[i + ROWS * j] = A[j + ROWS * i] = size * sum;
        }
    }
}

static void soft_together_is_symmetric_and_semidefinite(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < TRIALS / 10; trial++) {
        double C[ROWS * ROWS], D[ROWS * ROWS], R[ROWS * ROWS], P[ROWS * ROWS], eigenvalue[ROWS];
        draw_semidefinite(&seed, (int)test_integer(&seed, 0, ROWS), draw(&seed, -6, 2), C);
        draw_semidefinite(&seed, (int)test_integer(&seed, 0, ROWS), draw(&seed, -6, 2), D);
        const double h = draw(&seed, -3, 0);
        assert_int_equal(saddle_compliance_matrix(NULL, ROWS, C, D, h, h * h, h, R, P), SADDLE_OK);
        for (int i = 0; i < ROWS; i++) {
            for (int j = 0; j < ROWS; j++) assert_true(R[i + ROWS * j] == R[j + ROWS * i]);
        }
        double size_C = 0, size_D = 0, size_R = 0, size_P = 0;
        for (int k = 0; k < ROWS * ROWS; k++) {
            size_C = fmax(size_C, fabs(C[k]));
            size_D = fmax(size_D, fabs(D[k]));
            size_R = fmax(size_R, fabs(R[k]));
            size_P = fmax(size_P, fabs(P[k]));
        }
        const double condition = 1 + ROWS * ROWS * size_C * size_D / h; /* of A = h C D + h^2 I,
                                                                           about; |A| <= h^2 times
                                                                           it */
        /* A R = C, A P = h, to what LU leaves of |A||X|; R is made symmetric, which adds its own
         * error: condition times that */
        const double left = 1e-14 * h * h * condition;
        for (int i = 0; i < ROWS; i++) {
            for (int j = 0; j < ROWS; j++) {
                double left_R = 0, left_P = 0;
                for (int k = 0; k < ROWS; k++) {
                    double A = i == k ? h * h : 0;
                    for (int l = 0; l < ROWS; l++) A += h * C[i + ROWS * l] * D[l + ROWS * k];
                    left_R += A * R[k + ROWS * j];
                    left_P += A * P[k + ROWS * j];
                }
                assert_true(fabs(left_R - C[i + ROWS * j]) <= left * condition * size_R);
                assert_true(fabs(left_P - (i == j ? h : 0)) <= left * size_P);
            }
        }
        assert_int_equal(saddle__dense_eigenvalues(NULL, ROWS, R, eigenvalue), SADDLE_OK);
        assert_true(eigenvalue[0] >= -1e-14 * condition * eigenvalue[ROWS - 1]);
    }
}

/* (M + J'(h D + h^2 K) J) v+ = M v - h J'K phi, M = I, against v+ = v + J'lambda, J v+ + R lambda =
 * -P phi. */
static void soft_together_is_the_primal_step(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    enum { N = 7 };
    for (int trial = 0; trial < TRIALS / 10; trial++) {
        double C[ROWS * ROWS], D[ROWS * ROWS], R[ROWS * ROWS], P[ROWS * ROWS], K[ROWS * ROWS] = {0},
                                                                                        J[ROWS * N];
        double phi[ROWS], v[N], work[ROWS * ROWS], primal[N], A[N * N], lambda[ROWS],
            W[ROWS * ROWS];
        draw_semidefinite(&seed, ROWS, 1e-2, C);
        draw_semidefinite(&seed, ROWS - 2, 1, D);
        for (int i = 0; i < ROWS; i++) C[i * (ROWS + 1)] += 1e-2;
        for (int k = 0; k < ROWS * N; k++) J[k] = test_uniform(&seed, -1, 1); /* by columns */
        for (int i = 0; i < ROWS; i++) phi[i] = test_uniform(&seed, -1, 1);
        for (int j = 0; j < N; j++) v[j] = test_uniform(&seed, -1, 1);
        const double h = 0.05;
        assert_int_equal(saddle_compliance_matrix(NULL, ROWS, C, D, h, h * h, h, R, P), SADDLE_OK);
        memcpy(work, C, sizeof C);
        for (int i = 0; i < ROWS; i++) K[i * (ROWS + 1)] = 1;
        assert_int_equal(saddle__dense_solve_columns(NULL, ROWS, ROWS, work, K), SADDLE_OK);

        for (int a = 0; a < N; a++) {
            primal[a] = v[a];
            for (int b = 0; b < N; b++) {
                A[a + N * b] = a == b;
                for (int i = 0; i < ROWS; i++)
                    for (int j = 0; j < ROWS; j++)
                        A[a + N * b] += J[i + ROWS * a] *
                                        (h * D[i + ROWS * j] + h * h * K[i + ROWS * j]) *
                                        J[j + ROWS * b];
            }
            for (int i = 0; i < ROWS; i++)
                for (int j = 0; j < ROWS; j++)
                    primal[a] -= h * J[i + ROWS * a] * K[i + ROWS * j] * phi[j];
        }
        assert_int_equal(saddle__dense_solve(NULL, N, A, primal), SADDLE_OK);

        for (int i = 0; i < ROWS; i++) {
            lambda[i] = 0;
            for (int j = 0; j < ROWS; j++) lambda[i] -= P[i + ROWS * j] * phi[j];
            for (int a = 0; a < N; a++) lambda[i] -= J[i + ROWS * a] * v[a];
            for (int j = 0; j < ROWS; j++) {
                W[i + ROWS * j] = R[i + ROWS * j];
                for (int a = 0; a < N; a++) W[i + ROWS * j] += J[i + ROWS * a] * J[j + ROWS * a];
            }
        }
        assert_int_equal(saddle__dense_solve(NULL, ROWS, W, lambda), SADDLE_OK);
        for (int a = 0; a < N; a++)
            for (int i = 0; i < ROWS; i++) v[a] += J[i + ROWS * a] * lambda[i];
        assert_true(test_distance(v, primal, N) < 1e-9);
    }
}

static void soft_together_comes_to_hard_as_C_goes_to_nothing(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    double C[ROWS * ROWS], D[ROWS * ROWS], R[ROWS * ROWS], P[ROWS * ROWS];
    const double h = 0.1;
    draw_semidefinite(&seed, ROWS, 1, C);
    draw_semidefinite(&seed, ROWS, 1, D);
    for (int step = 0; step <= 12; step++) {
        double distance = 0;
        assert_int_equal(saddle_compliance_matrix(NULL, ROWS, C, D, h, h * h, h, R, P), SADDLE_OK);
        for (int k = 0; k < ROWS * ROWS; k++) {
            const double away = fabs(R[k]) + fabs(P[k] - (k % (ROWS + 1) == 0 ? 1 / h : 0));
            distance = fmax(distance, away);
        }
        assert_true(distance <= 2e4 * pow(0.1, step));
        for (int k = 0; k < ROWS * ROWS; k++) C[k] = step == 11 ? 0 : C[k] / 10;
        if (step == 12) assert_true(distance <= 1e-14 / h);
    }
}

static void matrices_without_twins_are_refused_by_entry(void **state)
{
    (void)state;
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    double good[4] = {1, 0, 0, 1}, skew[4] = {1, 0.5, 0, 1}, R[4], P[4];
    assert_int_equal(saddle_compliance_matrix(context, 2, skew, good, 1, 1, 1, R, P),
                     SADDLE_INVALID_ARGUMENT);
    assert_non_null(strstr(saddle_context_message(context), "C: entry (2, 1)"));
    good[3] = INFINITY;
    assert_int_equal(saddle_compliance_matrix(context, 2, good, good, 1, 1, 1, R, P),
                     SADDLE_INVALID_ARGUMENT);
    good[3] = 1;
    assert_int_equal(saddle_compliance_matrix(context, 2, good, good, 1, 0, 1, R, P),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_compliance_matrix(context, 0, good, good, 1, 1, 1, R, P), SADDLE_OK);
    double indefinite[4] = {-1, 0, 0, 1};
    assert_int_equal(saddle_compliance_matrix(context, 2, indefinite, good, 1, 1, 1, R, P),
                     SADDLE_SINGULAR);
    saddle_context_free(context);
}

static saddle_status form_matrix(saddle_context *context, void *user)
{
    (void)user;
    const double C[4] = {2, 1, 1, 2}, D[4] = {1, 0, 0, 1};
    double R[4], P[4];
    return saddle_compliance_matrix(context, 2, C, D, 1, 1, 1, R, P);
}

static void matrices_without_memory_leave_nothing_behind(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(form_matrix, NULL) >= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soft_together_is_symmetric_and_semidefinite),
        cmocka_unit_test(soft_together_is_the_primal_step),
        cmocka_unit_test(soft_together_comes_to_hard_as_C_goes_to_nothing),
        cmocka_unit_test(matrices_without_twins_are_refused_by_entry),
        cmocka_unit_test(matrices_without_memory_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
