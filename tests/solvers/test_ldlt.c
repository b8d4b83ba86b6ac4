/* SPDX-License-Identifier: MIT */
/* ldlt beyond the claims of test_equality.c: contradictions that compliance hides, floating
 * structures, real KKT matrices. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "equality_claims.h"

/* v1 = 0 and v1 = 1 beside a compliant row: lambda of 1e10 must not make the residual of the two
 * look small */
static void a_contradiction_does_not_hide_behind_compliance(void **unused)
{
    (void)unused;
    const char *solvers[] = {"ldlt", "lu", "schur"};
    int64_t start[] = {0, 1, 2};
    int64_t index[] = {0, 1};
    double one[] = {1.0, 1.0, 1.0};
    int64_t row_start[] = {0, 1, 2, 3};
    int64_t row_index[] = {0, 0, 1};
    int64_t R_start[] = {0, 0, 0, 1};
    int64_t R_index[] = {2};
    double b[] = {0.0, 1.0, 1.0};
    saddle_problem p = {.n = 2, .m = 3, .b = b};
    p.M = saddle_matrix_view(2, 2, start, index, one, SADDLE_SYMMETRY_LOWER);
    p.Jt = saddle_matrix_view(2, 3, row_start, row_index, one, SADDLE_SYMMETRY_NONE);
    p.R = saddle_matrix_view(3, 3, R_start, R_index, one, SADDLE_SYMMETRY_LOWER);
    for (int k = 0; k < 3; k++) {
        saddle_solution x;
        saddle_report report;
        assert_int_not_equal(solve_plainly(solvers[k], &p, &x, &report), SADDLE_OK);
        assert_true(strstr(report.note, "row 1") || strstr(report.note, "row 2"));
        saddle_solution_clear(&x);
    }
}

/* A floating chain of springs, K = tridiag(-1, 2, -1) with 1 in the corners: singular without a
 * zero on its diagonal */
static void a_floating_structure_is_solved_only_where_its_load_balances(void **unused)
{
    (void)unused;
    enum { N = 300 };
    int64_t start[N + 1];
    int64_t index[2 * N];
    double value[2 * N];
    double f[N];
    int64_t count = 0;
    for (int64_t j = 0; j < N; j++) {
        start[j] = count;
        index[count] = j;
        value[count++] = j == 0 || j == N - 1 ? 1.0 : 2.0;
        if (j < N - 1) {
            index[count] = j + 1;
            value[count++] = -1.0;
        }
        f[j] = j < N / 2 ? 1.0 : -1.0;
    }
    start[N] = count;
    saddle_problem p = {.n = N, .f = f, .Jt = {.rows = N}};
    p.M = saddle_matrix_view(N, N, start, index, value, SADDLE_SYMMETRY_LOWER);
    const char *solvers[] = {"ldlt", "lu"};
    for (int k = 0; k < 2; k++) {
        saddle_solution x;
        saddle_report report;
        f[N - 1] = -1.0;
        assert_int_equal(solve_plainly(solvers[k], &p, &x, &report), SADDLE_OK);
        assert_true(report.perturbed_pivots > 0);
        saddle_solution_clear(&x);
        f[N - 1] = 1.0;
        assert_int_not_equal(solve_plainly(solvers[k], &p, &x, &report), SADDLE_OK);
        saddle_solution_clear(&x);
    }
}

/* ---- singular M on stiff rows ---- */

enum { LARGEST = 8, EXTRA = 2 };

/* M = G G' (n x n) of rank below n, its terms on up to three velocities */
static void draw_singular_mass(uint64_t *state, int64_t n, double *M)
{
    memset(M, 0, (size_t)(n * n) * sizeof(*M));
    int64_t rank = test_integer(state, 1, n - 1);
    for (int64_t t = 0; t < rank; t++) {
        double g[LARGEST] = {0};
        for (int k = 0; k < 3; k++)
            g[test_integer(state, 0, n - 1)] = test_uniform(state, -1.0, 1.0);
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < n; i++) M[i + j * n] += g[i] * g[j];
    }
}

/* the nonzeros of a dense A, or of its lower triangle */
static void sparse_of(int64_t rows, int64_t cols, const double *A, saddle_symmetry symmetry,
                      saddle_matrix *sparse)
{
    assert_int_equal(saddle_matrix_create(NULL, rows, cols, rows * cols, symmetry, sparse),
                     SADDLE_OK);
    int64_t k = 0;
    for (int64_t j = 0; j < cols; j++) {
        for (int64_t i = symmetry == SADDLE_SYMMETRY_LOWER ? j : 0; i < rows; i++) {
            if (A[i + j * rows] == 0.0) continue;
            sparse->index[k] = i;
            sparse->value[k++] = A[i + j * rows];
        }
        sparse->start[j + 1] = k;
    }
}

/* rows 0 .. n - 1 hold a velocity each, all touch another one */
static void draw_holding_rows(uint64_t *state, int64_t n, int64_t m, double *Jt)
{
    memset(Jt, 0, (size_t)(n * m) * sizeof(*Jt));
    for (int64_t i = 0; i < m; i++) {
        Jt[test_integer(state, 0, n - 1) + i * n] = test_uniform(state, -0.2, 0.2);
        if (i < n) Jt[i + i * n] = test_uniform(state, 1.0, 2.0);
    }
}

/* Draws of a singular M with R = compliance in every row.  inertia: 1 = the tolerance is
 * solve_plainly's and the inertia has to be (n, m); 0 = the tolerance is the default.  Returns the
 * number of unsolved draws. */
static int solve_singular_masses(int draws, double compliance, int inertia)
{
    uint64_t state = test_seed();
    int unsolved = 0;
    double M[LARGEST * LARGEST];
    double Jt[LARGEST * (LARGEST + EXTRA)];
    double f[LARGEST];
    double R[(LARGEST + EXTRA) * (LARGEST + EXTRA)];
    for (int draw = 0; draw < test_draws(draws); draw++) {
        saddle_problem p = {.owner = 1};
        p.n = test_integer(&state, 2, LARGEST);
        p.m = p.n + test_integer(&state, 0, EXTRA);
        draw_singular_mass(&state, p.n, M);
        draw_holding_rows(&state, p.n, p.m, Jt);
        for (int64_t j = 0; j < p.n; j++) f[j] = test_uniform(&state, -1.0, 1.0);
        sparse_of(p.n, p.n, M, SADDLE_SYMMETRY_LOWER, &p.M);
        sparse_of(p.n, p.m, Jt, SADDLE_SYMMETRY_NONE, &p.Jt);
        memset(R, 0, sizeof(R));
        for (int64_t i = 0; i < p.m; i++) R[i + i * p.m] = compliance;
        sparse_of(p.m, p.m, R, SADDLE_SYMMETRY_LOWER, &p.R);
        p.f = f;
        saddle_solution x = {0};
        saddle_report report;
        saddle_status status = inertia ? solve_plainly("ldlt", &p, &x, &report)
                                       : saddle_solve(NULL, &p, "ldlt", NULL, NULL, &x, &report);
        unsolved += status != SADDLE_OK;
        assert_true(!inertia || report.inertia.positive == p.n);
        assert_true(!inertia || report.inertia.negative == p.m);
        saddle_solution_clear(&x);
        p.f = NULL;
        saddle_problem_clear(&p);
    }
    return unsolved;
}

/* M >= 0, R = 1e-8: K's inertia is (n, m) as soon as M + J'R^-1 J > 0, whatever vanishes on the
 * way.  Rows' pivots are as small as their compliance, and a velocity's that vanished was divided
 * by before them. */
static void stiff_rows_on_a_singular_mass_are_no_wrong_inertia(void **unused)
{
    (void)unused;
    assert_int_equal(solve_singular_masses(5000, 1e-8, 1), 0);
}

/* One draw in a thousand shows its noise in the solve alone, and is factored again there. */
static void rows_without_visible_compliance_hold_a_singular_mass(void **unused)
{
    (void)unused;
    assert_true(solve_singular_masses(10000, 1e-16, 0) <= 3);
}

/* ---- real matrices ---- */

/* The file's matrix with its .rhs, or rhs = K 1 where there is none. */
static saddle_problem read_system(const char *path, int *has_rhs)
{
    saddle_problem p = {.owner = 1};
    if (saddle_matrix_read(NULL, path, &p.M) != SADDLE_OK) fail_msg("cannot read %s", path);
    p.n = p.M.rows;
    p.Jt.rows = p.n;
    char rhs[4096];
    (void)snprintf(rhs, sizeof(rhs), "%.*s.rhs", (int)(strlen(path) - 4), path);
    int64_t rows;
    int64_t cols;
    *has_rhs = saddle_array_read(NULL, rhs, 0, &rows, &cols, &p.f) == SADDLE_OK;
    if (*has_rhs) {
        assert_int_equal(rows, p.n);
        return p;
    }
    double *ones = calloc((size_t)p.n, sizeof(*ones));
    p.f = saddle_allocate(NULL, p.n, sizeof(*p.f));
    for (int64_t i = 0; i < p.n; i++) ones[i] = 1.0;
    saddle_matrix_apply(&p.M, 1.0, ones, 0.0, p.f);
    free(ones);
    return p;
}

static void real_kkt_matrices_give_their_inertia_and_answer(void **unused)
{
    (void)unused;
    /* inertia as the collections state it; error: of v against ones where the right-hand side is K
     * 1 */
    const struct {
        const char *path;
        int64_t positive, negative;
        double error;
    } cases[] = {
        {"kkt_sqd/aug3d_2x2_it0.mtx", 1000, 3873, 0.0},
        {"kkt_sqd/cvxqp1_s_2x2_it10.mtx", 250, 300, 0.0},
        {"kkt_sqd/cvxqp1_s_3x3_it10.mtx", 450, 300, 0.0},
        {"kkt_sqd/ksip_2x2_it10.mtx", 1001, 1021, 0.0},
        {"kkt_sqd/qpcboei2_2x2_it10.mtx", 382, 521, 0.0},
        {"kkt_sqd/stcqp2_2x2_it5.mtx", 10246, 12291, 0.0},
        {"kkt_sqd/yao_2x2_it5.mtx", 2001, 4003, 0.0},
        {"kkt_sqd/zecevic2_3x3_it0.mtx", 12, 8, 0.0},
        {"kkt_acopf/matrix_ACTIVSg200_AC_renumbered_add9_01.mtx", 2768, 1876, 1e-9},
        {"kkt_suitesparse/494_bus.mtx", 494, 0, 1e-10},
        {"kkt_suitesparse/hangGlider_2.mtx", 914, 733, 1e-5},
        {"kkt_qdldl/basic.mtx", 5, 5, 0.0},
        {"kkt_qdldl/two_by_two.mtx", 1, 1, 0.0},
    };
    for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
        int has_rhs;
        saddle_problem p = read_system(test_data_path(cases[k].path), &has_rhs);
        saddle_solution x;
        saddle_report report;
        saddle_status status = solve_plainly("ldlt", &p, &x, &report);
        if (status != SADDLE_OK || !(report.residual.total < 1e-14))
            fail_msg("%s: %s, residual %.1e", cases[k].path, saddle_status_name(status),
                     report.residual.total);
        assert_int_equal(report.inertia.positive, cases[k].positive);
        assert_int_equal(report.inertia.negative, cases[k].negative);
        assert_int_equal(has_rhs, cases[k].error == 0.0);
        for (int64_t i = 0; i < p.n && !has_rhs; i++)
            assert_true(fabs(x.v[i] - 1.0) < cases[k].error);
        saddle_solution_clear(&x);
        saddle_problem_clear(&p);
    }
}

static void zeros_of_the_diagonal_that_were_perturbed_are_told(void **unused)
{
    (void)unused;
    int has_rhs;
    saddle_solution x;
    saddle_report report;
    saddle_problem p = read_system(test_data_path("kkt_suitesparse/reorientation_1.mtx"), &has_rhs);
    assert_int_equal(solve_plainly("ldlt", &p, &x, &report), SADDLE_OK);
    assert_int_equal(report.perturbed_pivots, 281);
    assert_non_null(strstr(report.note, "281 zeros of M's diagonal, the first at velocity "));
    assert_non_null(strstr(report.note, "refinement brought the backward error to "));
    saddle_solution_clear(&x);
    saddle_problem_clear(&p);
}

static void a_rank_deficient_file_is_not_solved_silently(void **unused)
{
    (void)unused;
    int has_rhs;
    saddle_problem p = read_system(test_data_path("kkt_qdldl/rank_deficient.mtx"), &has_rhs);
    const char *solvers[] = {"ldlt", "lu"};
    for (int k = 0; k < 2; k++) {
        saddle_solution x;
        saddle_report report;
        /* its right-hand side is consistent */
        assert_int_equal(solve_plainly(solvers[k], &p, &x, &report), SADDLE_OK);
        assert_true(report.perturbed_pivots > 0);
        if (k == 0) assert_int_equal(report.inertia.positive, 1); /* [1 1; 1 1] */
        if (k == 0) assert_int_equal(report.inertia.zero, 1);
        assert_true(strlen(report.note) > 0);
        saddle_solution_clear(&x);
        p.f[0] += 1.0;
        assert_int_not_equal(solve_plainly(solvers[k], &p, &x, &report), SADDLE_OK);
        saddle_solution_clear(&x);
        p.f[0] -= 1.0;
    }
    saddle_problem_clear(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_contradiction_does_not_hide_behind_compliance),
        cmocka_unit_test(a_floating_structure_is_solved_only_where_its_load_balances),
        cmocka_unit_test(stiff_rows_on_a_singular_mass_are_no_wrong_inertia),
        cmocka_unit_test(rows_without_visible_compliance_hold_a_singular_mass),
        cmocka_unit_test(real_kkt_matrices_give_their_inertia_and_answer),
        cmocka_unit_test(zeros_of_the_diagonal_that_were_perturbed_are_told),
        cmocka_unit_test(a_rank_deficient_file_is_not_solved_silently),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
