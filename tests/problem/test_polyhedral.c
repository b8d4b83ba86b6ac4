/* SPDX-License-Identifier: MIT */
/* Polyhedral rows of the associated law: the least of the program over Sueda's (1.88), the cone's
 * law in the plane and for many facets, bad input, memory. */
#include <math.h>
#include <string.h>

#include "support.h"

enum { N = 8, M = 9 };

typedef struct drawn {
    double M[N * N], J[M * N], R[M * M], f[N], b[M];
    saddle_matrix sparse_M, Jt, sparse_R;
    saddle_contact contact[2];
    saddle_problem problem;
} drawn;

static saddle_matrix sparse(const double *A, int64_t rows, int64_t cols, int symmetric)
{
    saddle_matrix S;
    int64_t count = 0;
    assert_int_equal(saddle_matrix_create(NULL, rows, cols, rows * cols,
                                          symmetric ? SADDLE_SYMMETRY_LOWER : SADDLE_SYMMETRY_NONE,
                                          &S),
                     SADDLE_OK);
    for (int64_t j = 0; j < cols; j++) {
        for (int64_t i = symmetric ? j : 0; i < rows; i++, count++) {
            S.index[count] = i;
            S.value[count] = A[i + rows * j];
        }
        S.start[j + 1] = count;
    }
    return S;
}

/* M = I + X X', R = Y Y'/10; row 0 an equality, two contacts, the first of `size` rows, a
 * unilateral row between, a box at the end. */
static void draw(uint64_t *state, int64_t size, drawn *d)
{
    memset(d, 0, sizeof *d);
    double X[N * N], Y[M * M];
    const int64_t m = 3 + 2 * size;
    for (int k = 0; k < N * N; k++) X[k] = test_uniform(state, -1, 1);
    for (int k = 0; k < M * M; k++) Y[k] = test_uniform(state, -1, 1);
    for (int j = 0; j < N; j++)
        for (int i = 0; i < N; i++)
            for (int k = 0; k < N; k++)
                d->M[i + N * j] += X[i + N * k] * X[j + N * k] + (k == 0 && i == j);
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < m; i++)
            for (int64_t k = 0; k < m; k++) d->R[i + m * j] += Y[i + M * k] * Y[j + M * k] / 10;
    for (int k = 0; k < M * N; k++) d->J[k] = test_uniform(state, -1, 1);
    for (int k = 0; k < N; k++) d->f[k] = test_uniform(state, -2, 2);
    for (int k = 0; k < M; k++) d->b[k] = test_uniform(state, -1, 1);
    d->sparse_M = sparse(d->M, N, N, 1);
    d->Jt = sparse(d->J, N, m, 0);
    d->sparse_R = sparse(d->R, m, m, 1);
    d->contact[0] = (saddle_contact){.row = 1, .size = size, .mu = test_uniform(state, 0.1, 1)};
    d->contact[1] = (saddle_contact){.row = size + 2, .size = size, .mu = 0.4};
    static double lo[M], hi[M];
    for (int64_t i = 0; i < m; i++) lo[i] = i == 0 ? -(double)INFINITY : i == m - 1 ? -0.5 : 0;
    for (int64_t i = 0; i < m; i++) hi[i] = i == m - 1 ? 0.5 : (double)INFINITY;
    d->problem = (saddle_problem){.n = N,
                                  .m = m,
                                  .M = d->sparse_M,
                                  .Jt = d->Jt,
                                  .R = d->sparse_R,
                                  .f = d->f,
                                  .b = d->b,
                                  .lo = lo,
                                  .hi = hi,
                                  .contact_count = 2,
                                  .contacts = d->contact,
                                  .law = SADDLE_LAW_ASSOCIATED};
    d->problem.M.owner = d->problem.Jt.owner = d->problem.R.owner = 0;
}

static void clear(drawn *d)
{
    saddle_matrix_clear(&d->sparse_M);
    saddle_matrix_clear(&d->Jt);
    saddle_matrix_clear(&d->sparse_R);
}

/* v (N), lambda (M) by polyhedral rows, solved by pivot. */
static void solve_rows(const saddle_problem *problem, int64_t facets, double *v, double *lambda)
{
    saddle_problem rows;
    saddle_matrix edges;
    saddle_solution solution = {0};
    assert_int_equal(saddle_polyhedral_rows(NULL, problem, facets, &rows, &edges), SADDLE_OK);
    assert_int_equal(saddle_problem_check(NULL, &rows, NULL, NULL), SADDLE_OK);
    assert_int_equal(saddle_solve(NULL, &rows, "pivot", NULL, NULL, &solution, NULL), SADDLE_OK);
    memcpy(v, solution.v, N * sizeof *v);
    saddle_matrix_apply(&edges, 1, solution.lambda, 0, lambda);
    saddle_solution_clear(&solution);
    saddle_problem_clear(&rows);
    saddle_matrix_clear(&edges);
}

static void in_the_plane_the_rows_are_the_law(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < 50; trial++) {
        drawn d;
        double v[N], lambda[M];
        saddle_solution solution = {0};
        draw(&state, 2, &d);
        solve_rows(&d.problem, 3 + trial, v, lambda);
        assert_int_equal(saddle_solve(NULL, &d.problem, "gauss-seidel", NULL, NULL, &solution,
                                      NULL),
                         SADDLE_OK);
        assert_true(test_distance(v, solution.v, N) < 1e-7);
        assert_true(test_distance(lambda, solution.lambda, d.problem.m) < 1e-6);
        saddle_solution_clear(&solution);
        clear(&d);
    }
}

/* The difference to the round cone falls with 1 / facets: directions of sliding are those of edges.
 */
static void in_space_many_facets_are_the_cone(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    double error[2] = {0, 0};
    for (int trial = 0; trial < 50; trial++) {
        drawn d;
        double v[N], lambda[M];
        saddle_solution solution = {0};
        draw(&state, 3, &d);
        assert_int_equal(saddle_solve(NULL, &d.problem, "gauss-seidel", NULL, NULL, &solution,
                                      NULL),
                         SADDLE_OK);
        for (int k = 0; k < 2; k++) {
            solve_rows(&d.problem, k == 0 ? 16 : 64, v, lambda);
            for (int i = 0; i < N; i++) error[k] += fabs(v[i] - solution.v[i]);
        }
        saddle_solution_clear(&solution);
        clear(&d);
    }
    assert_true(error[0] > 1e-4);
    assert_true(error[1] < error[0] / 3);
}

/* lambda is in the cone of (1.85): mu alpha >= the least sum of beta, the gauge of the polygon. */
static void impulses_are_in_the_polyhedral_cone(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int sliding = 0;
    for (int trial = 0; trial < 50; trial++) {
        drawn d;
        double v[N], lambda[M];
        draw(&state, 3, &d);
        solve_rows(&d.problem, 4, v, lambda);
        for (int c = 0; c < 2; c++) {
            const double *l = lambda + d.contact[c].row, bound = d.contact[c].mu * l[0];
            const double sum = fabs(l[1]) + fabs(l[2]); /* of four directions */
            assert_true(l[0] >= 0 && sum <= bound + 1e-12);
            if (l[0] > 1e-6 && sum > bound - 1e-9) sliding++;
        }
        clear(&d);
    }
    assert_true(sliding > 10);
}

/* W alone, J absent: gamma's rows have B'R B and B'b. */
static void problems_without_velocities_have_rows_too(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    drawn d;
    saddle_problem rows;
    saddle_matrix edges;
    draw(&state, 3, &d);
    saddle_problem bare = d.problem;
    bare.n = 0;
    bare.M = bare.Jt = (saddle_matrix){0};
    bare.f = NULL;
    assert_int_equal(saddle_polyhedral_rows(NULL, &bare, 4, &rows, &edges), SADDLE_OK);
    assert_int_equal(saddle_problem_check(NULL, &rows, NULL, NULL), SADDLE_OK);
    assert_int_equal(rows.n, 0);
    assert_int_equal(rows.m, 3 + 2 * 4);
    for (int64_t j = 0; j < rows.m; j++) {
        double unit[M + 2] = {0}, lambda[M], product[M], column[M + 2];
        unit[j] = 1;
        saddle_matrix_apply(&edges, 1, unit, 0, lambda);
        saddle_matrix_apply(&bare.R, 1, lambda, 0, product);
        saddle_matrix_apply_transpose(&edges, 1, product, 0, column);
        for (int64_t i = 0; i < rows.m; i++)
            assert_float_equal(saddle_matrix_entry(&rows.R, i, j), column[i], 1e-12);
    }
    saddle_problem_clear(&rows);
    saddle_matrix_clear(&edges);
    clear(&d);
}

static saddle_status form(saddle_context *context, void *user)
{
    saddle_problem rows;
    saddle_matrix edges;
    const saddle_status status = saddle_polyhedral_rows(context, user, 8, &rows, &edges);
    if (status != SADDLE_OK) assert_true(!rows.f && !edges.start);
    saddle_problem_clear(&rows);
    saddle_matrix_clear(&edges);
    return status;
}

static void unsound_input_is_refused_and_no_allocation_leaks(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    drawn d;
    saddle_problem rows, none = {0};
    saddle_matrix edges;
    draw(&state, 3, &d);
    assert_int_equal(saddle_polyhedral_rows(NULL, &d.problem, 2, &rows, &edges),
                     SADDLE_INVALID_ARGUMENT);
    d.problem.law = SADDLE_LAW_CONE;
    assert_int_equal(saddle_polyhedral_rows(NULL, &d.problem, 8, &rows, &edges),
                     SADDLE_UNSUPPORTED);
    d.problem.law = SADDLE_LAW_ASSOCIATED;
    d.problem.m--;
    assert_int_equal(saddle_polyhedral_rows(NULL, &d.problem, 8, &rows, &edges),
                     SADDLE_INVALID_PROBLEM);
    d.problem.m++;
    assert_int_equal(saddle_polyhedral_rows(NULL, &none, 8, &rows, &edges), SADDLE_OK);
    assert_int_equal(rows.m, 0);
    saddle_problem_clear(&rows);
    saddle_matrix_clear(&edges);
    assert_true(test_allocation_sweep(form, &d.problem) > 10);
    clear(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_the_plane_the_rows_are_the_law),
        cmocka_unit_test(in_space_many_facets_are_the_cone),
        cmocka_unit_test(impulses_are_in_the_polyhedral_cone),
        cmocka_unit_test(problems_without_velocities_have_rows_too),
        cmocka_unit_test(unsound_input_is_refused_and_no_allocation_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
