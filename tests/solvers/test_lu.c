/* SPDX-License-Identifier: MIT */
/* lu beyond the claims of test_equality.c: what it says of redundant rows. */
#include <math.h>
#include <string.h>

#include "equality_claims.h"

/* M = I, rows v1 = 1 twice: UMFPACK meets an exact zero, the second factorization says what was
 * done */
static void a_redundant_row_is_factored_again_and_noted(void **unused)
{
    (void)unused;
    int64_t start[] = {0, 1, 2};
    int64_t index[] = {0, 1};
    double one[] = {1.0, 1.0};
    int64_t row_index[] = {0, 0};
    saddle_problem p = {.n = 2, .m = 2, .b = one};
    p.M = saddle_matrix_view(2, 2, start, index, one, SADDLE_SYMMETRY_NONE);
    p.Jt = saddle_matrix_view(2, 2, start, row_index, one, SADDLE_SYMMETRY_NONE);
    saddle_solution x;
    saddle_report report;
    assert_int_equal(solve_plainly("lu", &p, &x, &report), SADDLE_OK);
    assert_true(fabs(x.v[0] - 1.0) < 1e-15 && x.v[1] == 0.0);
    assert_true(fabs(x.lambda[0] - 0.5) < 1e-6 && fabs(x.lambda[1] - 0.5) < 1e-6);
    assert_int_equal(report.factorizations, 2);
    assert_true(report.perturbed_pivots > 0);
    assert_non_null(strstr(report.note, "singular"));
    saddle_solution_clear(&x);
}

/* The note speaks of the last solve only, however many there were, and however many
 * factorizations. */
static void notes_do_not_pile_up(void **unused)
{
    (void)unused;
    const char *names[] = {"ldlt", "lu"};
    int64_t start[] = {0, 2, 3};
    int64_t index[] = {0, 1, 1};
    double floating[] = {1.0, -1.0, 1.0};
    double one[] = {1.0, 1.0};
    saddle_problem p = {.n = 2, .f = one, .Jt = {.rows = 2}};
    p.M = saddle_matrix_view(2, 2, start, index, floating, SADDLE_SYMMETRY_LOWER);
    for (int k = 0; k < 2; k++) {
        saddle_solver *solver;
        saddle_solution x;
        assert_int_equal(saddle_solution_create(NULL, 2, 0, &x), SADDLE_OK);
        assert_int_equal(saddle_solver_create(NULL, names[k], NULL, &solver), SADDLE_OK);
        assert_int_equal(saddle_solver_analyse(solver, &p), SADDLE_OK);
        char note[SADDLE_NOTE_SIZE];
        for (int repeat = 0; repeat < 4; repeat++) {
            if (repeat % 2 == 0) assert_int_equal(saddle_solver_factor(solver, &p), SADDLE_OK);
            assert_int_not_equal(saddle_solver_solve(solver, &p, NULL, &x), SADDLE_OK);
            if (repeat > 0) assert_string_equal(saddle_solver_report(solver)->note, note);
            memcpy(note, saddle_solver_report(solver)->note, sizeof(note));
        }
        assert_true(strlen(note) > 0);
        saddle_solver_free(solver);
        saddle_solution_clear(&x);
    }
}

static void a_symmetric_factorization_is_refused_by_name(void **unused)
{
    (void)unused;
    int64_t start[] = {0, 1};
    int64_t index[] = {0};
    double one[] = {1.0};
    saddle_problem p = {.n = 1, .f = one, .Jt = {.rows = 1}};
    p.M = saddle_matrix_view(1, 1, start, index, one, SADDLE_SYMMETRY_LOWER);
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_options options = saddle_options_default();
    options.settings = "lu.factorization=cholmod";
    saddle_solution x = {0};
    assert_int_equal(saddle_solve(context, &p, "lu", &options, NULL, &x, NULL),
                     SADDLE_INVALID_ARGUMENT);
    assert_non_null(strstr(saddle_context_message(context), "cholmod"));
    saddle_solution_clear(&x);
    saddle_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_redundant_row_is_factored_again_and_noted),
        cmocka_unit_test(notes_do_not_pile_up),
        cmocka_unit_test(a_symmetric_factorization_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
