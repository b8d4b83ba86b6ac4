/* SPDX-License-Identifier: MIT */
/* lu: LAPACK's answers with unsymmetric M and R, singular systems told from badly scaled ones. */
#include <math.h>
#include <string.h>

#include "equality_claims.h"

static void velocity_equals_lapack(void **unused)
{
    (void)unused;
    claim_velocity_equals_lapack("lu", draw_unsymmetric, 1000);
    claim_velocity_equals_lapack("lu", draw_any_symmetric, 500);
    claim_velocity_equals_lapack("lu", draw_indefinite, 200);
    claim_velocity_equals_lapack("lu", draw_massless, 200);
}

static void contradictory_rows_are_not_solved(void **unused)
{
    (void)unused;
    claim_contradictory_rows_are_not_solved("lu", 200);
}

static void units_do_not_matter(void **unused)
{
    (void)unused;
    claim_units_do_not_matter("lu", 300);
}

static void refresh_equals_fresh_bit_for_bit(void **unused)
{
    (void)unused;
    claim_refresh_equals_fresh_bit_for_bit("lu", 0, 50);
}

static void nothing_but_umfpacks_factors_is_allocated_again(void **unused)
{
    (void)unused;
    claim_nothing_is_allocated_again("lu");
}

static void failing_allocations_leak_nothing(void **unused)
{
    (void)unused;
    claim_failing_allocations_leak_nothing("lu");
}

static void extreme_values_end_in_order(void **unused)
{
    (void)unused;
    claim_extreme_values_end_in_order("lu", 500);
}

static void options_change_the_way_only(void **unused)
{
    (void)unused;
    claim_options_change_the_way_only("lu", 200);
}

static void empty_shapes_are_solved(void **unused)
{
    (void)unused;
    claim_empty_shapes_are_solved("lu");
}

/* M = I, rows v1 = 1 twice: UMFPACK meets an exact zero, the second factorization says what was done */
static void a_redundant_row_is_factored_again_and_noted(void **unused)
{
    (void)unused;
    int64_t start[] = {0, 1, 2};
    int64_t index[] = {0, 1};
    double one[] = {1.0, 1.0};
    int64_t row_index[] = {0, 0};
    saddle_problem p = {.n = 2, .m = 2, .b = one};
    p.M = saddle_matrix_view(2, 2, start, index, one, SADDLE_GENERAL);
    p.Jt = saddle_matrix_view(2, 2, start, row_index, one, SADDLE_GENERAL);
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

/* The note speaks of the last solve only, however many there were. */
static void notes_do_not_pile_up(void **unused)
{
    (void)unused;
    int64_t start[] = {0, 1};
    int64_t index[] = {0};
    double zero[] = {0.0};
    double one[] = {1.0};
    saddle_problem p = {.n = 1, .f = one, .Jt = {.rows = 1}};
    p.M = saddle_matrix_view(1, 1, start, index, zero, SADDLE_SYMMETRIC);
    saddle_solver *solver;
    saddle_solution x;
    assert_int_equal(saddle_solution_create(NULL, 1, 0, &x), SADDLE_OK);
    assert_int_equal(saddle_solver_create(NULL, "lu", NULL, &solver), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(solver, &p), SADDLE_OK);
    assert_int_equal(saddle_solver_factor(solver, &p), SADDLE_OK);
    char note[SADDLE_NOTE_SIZE];
    for (int repeat = 0; repeat < 3; repeat++) {
        assert_int_not_equal(saddle_solver_solve(solver, &p, NULL, &x), SADDLE_OK);
        if (repeat > 0) assert_string_equal(saddle_solver_report(solver)->note, note);
        memcpy(note, saddle_solver_report(solver)->note, sizeof(note));
    }
    assert_true(strlen(note) > 0);
    saddle_solver_free(solver);
    saddle_solution_clear(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocity_equals_lapack),
        cmocka_unit_test(contradictory_rows_are_not_solved),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(refresh_equals_fresh_bit_for_bit),
        cmocka_unit_test(nothing_but_umfpacks_factors_is_allocated_again),
        cmocka_unit_test(failing_allocations_leak_nothing),
        cmocka_unit_test(empty_shapes_are_solved),
        cmocka_unit_test(extreme_values_end_in_order),
        cmocka_unit_test(options_change_the_way_only),
        cmocka_unit_test(a_redundant_row_is_factored_again_and_noted),
        cmocka_unit_test(notes_do_not_pile_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
