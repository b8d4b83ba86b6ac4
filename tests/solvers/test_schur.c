/* SPDX-License-Identifier: MIT */
/* schur beyond the claims of test_equality.c: the Delassus matrix itself, dropped rows by name, a
 * singular M by name. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense.h"
#include "equality_claims.h"
#include "factor/complement.h"

/* W by LAPACK: column j of M^-1 J' from dgesv */
static void delassus_matrix_equals_lapack(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(300); trial++) {
        drawn d;
        drawn_kind kind = draw_kind(&state, 20, 1, 0);
        kind.decades = 0.0;
        draw_problem(&state, kind, &d);
        int64_t n = kind.n;
        int64_t m = kind.m;
        saddle__complement s = {0};
        saddle__complement_request request = {0};
        assert_int_equal(saddle__complement_analyse(NULL, &d.problem, &request, &s), SADDLE_OK);
        assert_int_equal(saddle__complement_form(&s, &d.problem), SADDLE_OK);
        assert_int_equal(saddle_matrix_check(NULL, &s.W, "W"), SADDLE_OK);
        double *M = calloc((size_t)(n * n + 1), sizeof(*M));
        double *J = calloc((size_t)(n * m + 1), sizeof(*J));
        double *W = calloc((size_t)(m * m + 1), sizeof(*W));
        double *diagonal = calloc((size_t)m + 1, sizeof(*diagonal));
        saddle__complement_diagonal(&s, diagonal);
        if (saddle_matrix_entries(&d.problem.R) > 0) test_dense(&d.problem.R, W);
        if (n > 0 && m > 0) test_dense(&d.problem.Jt, J);
        for (int64_t j = 0; j < m && n > 0; j++) {
            double x[20];
            memcpy(x, J + j * n, (size_t)n * sizeof(*x));
            test_dense(&d.problem.M, M);
            assert_int_equal(saddle__dense_solve(NULL, n, M, x), SADDLE_OK);
            for (int64_t i = 0; i < m; i++)
                for (int64_t k = 0; k < n; k++) W[i + j * m] += J[k + i * n] * x[k];
        }
        for (int64_t j = 0; j < m; j++) {
            assert_true(diagonal[j] == saddle_matrix_entry(&s.W, j, j));
            for (int64_t i = 0; i < m; i++)
                assert_true(fabs(saddle_matrix_entry(&s.W, i, j) - W[i + j * m]) <
                            1e-12 * fmax(1.0, fabs(W[i + j * m])));
        }
        free(M);
        free(J);
        free(W);
        free(diagonal);
        saddle__complement_clear(&s);
        drawn_clear(&d);
    }
}

/* M = diag(1, 2, 1); rows v1 = 1, v1 + v2 = 3, 2 v1 + v2 = 4: the third follows from the others */
static void a_dependent_row_is_dropped_and_named(void **unused)
{
    (void)unused;
    int64_t start[] = {0, 1, 2, 3};
    int64_t index[] = {0, 1, 2};
    double mass[] = {1.0, 2.0, 1.0};
    int64_t row_start[] = {0, 1, 3, 5};
    int64_t row_index[] = {0, 0, 1, 0, 1};
    double row[] = {1.0, 1.0, 1.0, 2.0, 1.0};
    double b[] = {1.0, 3.0, 4.0};
    char knee[] = "knee";
    char *names[] = {knee, knee, knee};
    saddle_problem p = {.n = 3, .m = 3, .b = b, .row_name = names};
    p.M = saddle_matrix_view(3, 3, start, index, mass, SADDLE_SYMMETRY_LOWER);
    p.Jt = saddle_matrix_view(3, 3, row_start, row_index, row, SADDLE_SYMMETRY_NONE);
    saddle_solution x;
    saddle_report report;
    assert_int_equal(solve_plainly("schur", &p, &x, &report), SADDLE_OK);
    assert_true(fabs(x.v[0] - 1.0) < 1e-15 && fabs(x.v[1] - 2.0) < 1e-15 && x.v[2] == 0.0);
    assert_int_equal(report.perturbed_pivots, 1);
    assert_int_equal(report.inertia.positive, 3);
    assert_int_equal(report.inertia.negative, 2);
    assert_int_equal(report.inertia.zero, 1);
    assert_non_null(strstr(report.note, "knee"));
    saddle_solution_clear(&x);
}

/* M = [0 2; 2 1], J = 1: W = M^-1 = [-1/4 1/2; 1/2 0].  Eliminated first, velocity 1 has no
 * pivot. */
static void a_velocity_with_no_mass_of_its_own_waits(void **unused)
{
    (void)unused;
    int64_t start[] = {0, 2, 3};
    int64_t index[] = {0, 1, 1};
    double mass[] = {0.0, 2.0, 1.0};
    int64_t row_start[] = {0, 1, 2};
    int64_t row_index[] = {0, 1};
    double row[] = {1.0, 1.0};
    saddle_problem p = {.n = 2, .m = 2};
    p.M = saddle_matrix_view(2, 2, start, index, mass, SADDLE_SYMMETRY_LOWER);
    p.Jt = saddle_matrix_view(2, 2, row_start, row_index, row, SADDLE_SYMMETRY_NONE);
    saddle__complement s = {0};
    saddle__complement_request request = {.ordering = SADDLE_ORDERING_NATURAL};
    assert_int_equal(saddle__complement_analyse(NULL, &p, &request, &s), SADDLE_OK);
    assert_int_equal(saddle__complement_form(&s, &p), SADDLE_OK);
    assert_true(saddle_matrix_entry(&s.W, 0, 0) == -0.25);
    assert_true(saddle_matrix_entry(&s.W, 1, 0) == 0.5);
    assert_true(saddle_matrix_entry(&s.W, 1, 1) == 0.0);
    saddle__complement_clear(&s);
}

static void a_singular_mass_names_the_velocity(void **unused)
{
    (void)unused;
    int64_t start[] = {0, 1, 2, 3};
    int64_t index[] = {0, 1, 2};
    double mass[] = {1.0, 0.0, 1.0};
    char body[] = "tibia";
    char *names[] = {body};
    int64_t sizes[] = {3};
    saddle_problem p = {.n = 3,
                        .component_count = 1,
                        .component_name = names,
                        .component_size = sizes};
    p.M = saddle_matrix_view(3, 3, start, index, mass, SADDLE_SYMMETRY_LOWER);
    p.Jt.rows = 3;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_solution x = {0};
    assert_int_equal(saddle_solve(context, &p, "schur", NULL, NULL, &x, NULL), SADDLE_SINGULAR);
    assert_non_null(strstr(saddle_context_message(context), "velocity 2"));
    assert_non_null(strstr(saddle_context_message(context), "tibia"));
    saddle_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delassus_matrix_equals_lapack),
        cmocka_unit_test(a_dependent_row_is_dropped_and_named),
        cmocka_unit_test(a_velocity_with_no_mass_of_its_own_waits),
        cmocka_unit_test(a_singular_mass_names_the_velocity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
