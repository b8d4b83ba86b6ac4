/* SPDX-License-Identifier: MIT */
/* What the rank report says of rows whose dependence is plain to see. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "small_rows.h"

static saddle_rank find(const saddle_problem *p, const saddle_rank_options *options)
{
    saddle_rank rank;
    assert_int_equal(saddle_rank_find(NULL, p, options, &rank), SADDLE_OK);
    check_rank(p, &rank, 1e-12, 1);
    return rank;
}

static void assert_says(const saddle_problem *p, const saddle_rank *rank, int64_t row,
                        const char *words)
{
    char text[400];
    const saddle_dependency *d = dependency_of(rank, row);
    assert_non_null(d);
    saddle_rank_describe(p, d, 0, text, sizeof(text));
    assert_string_equal(text, words);
}

static void copies_name_what_they_copy(void **state)
{
    (void)state;
    const double J[] = {1, 2, 0,      0,  /**/ 0, 1, 1,      0, /**/ 2, 4,
                        0, 0, /**/ 0, -1, -1,     0, /**/ 0, 0, 1,      3};
    const double b[] = {1, 2, 2, -2.5, 0};
    saddle_problem p = small_problem(4, 5, NULL, J, NULL, b);
    saddle_rank rank = find(&p, NULL);
    assert_int_equal(rank.rank, 3);
    assert_int_equal(rank.ordered, 1);
    assert_says(&p, &rank, 2, "row 3 = 2 x row 1");
    assert_says(&p, &rank, 3, "row 4 = -row 2");
    assert_int_equal(dependency_of(&rank, 2)->inconsistent, 0);
    assert_int_equal(dependency_of(&rank, 3)->inconsistent, 1);
    assert_true(fabs(dependency_of(&rank, 3)->gap + 0.5) < 1e-15);
    assert_true(fabs(dependency_of(&rank, 3)->relative_gap - 0.5 / 4.5) < 1e-15);
    assert_int_equal(rank.inconsistent, 1);
    saddle_rank_clear(&rank);
    saddle_problem_clear(&p);
}

static void names_and_ids_are_told(void **state)
{
    (void)state;
    const double J[] = {1, 1, /**/ 1, 0, /**/ 0, 2};
    int64_t id[] = {100, 200, 300};
    char hip[] = "hip";
    char knee[] = "knee";
    char *name[] = {hip, NULL, knee};
    saddle_problem p = small_problem(2, 3, NULL, J, NULL, NULL);
    saddle_problem named = p;
    named.owner = 0;
    named.row_id = id;
    named.row_name = name;
    saddle_rank rank = find(&named, NULL);
    assert_says(&named, &rank, 2,
                "row 3 (id 300, knee) = 2 x row 1 (id 100, hip) - 2 x row 2 (id 200)");
    char text[64];
    saddle_rank_describe(&named, dependency_of(&rank, 2), 1, text, sizeof(text));
    assert_string_equal(text, "row 3 (id 300, knee) = 2 x row 1 (id 100, hip) and 1 other");
    char small[32];
    saddle_rank_describe(&named, dependency_of(&rank, 2), 0, small, sizeof(small));
    assert_true(strlen(small) < sizeof(small));
    saddle_rank_clear(&rank);
    saddle_problem_clear(&p);
}

static void the_shorter_combination_is_told(void **state)
{
    (void)state; /* rows 4 and 5 are both row 1 + row 2 + row 3; row 6 is row 4 + row 7's column */
    const double J[] = {1, 0, 0, 0, 0, /**/ 0, 1, 0, 0, 0, /**/ 0, 0, 1, 0, 0, /**/ 1, 1, 1, 0, 0,
                        2, 2, 2, 0, 0, /**/ 0, 0, 0, 1, 0, /**/ 1, 1, 1, 1, 0};
    saddle_problem p = small_problem(5, 7, NULL, J, NULL, NULL);
    saddle_rank rank = find(&p, NULL);
    assert_int_equal(rank.dependency_count, 3);
    assert_says(&p, &rank, 3, "row 4 = row 1 + row 2 + row 3");
    assert_says(&p, &rank, 4, "row 5 = 2 x row 4");
    assert_says(&p, &rank, 6, "row 7 = row 4 + row 6");
    saddle_rank_clear(&rank);
    saddle_problem_clear(&p);
}

static void a_zero_row_depends_on_nothing(void **state)
{
    (void)state;
    const double J[] = {0, 0, /**/ 1, 1, /**/ 0, 0};
    const double b[] = {0, 1, 1e-3};
    saddle_problem p = small_problem(2, 3, NULL, J, NULL, b);
    saddle_rank rank = find(&p, NULL);
    assert_int_equal(rank.rank, 1);
    assert_says(&p, &rank, 0, "row 1 = 0");
    assert_int_equal(dependency_of(&rank, 0)->inconsistent, 0);
    assert_int_equal(dependency_of(&rank, 2)->inconsistent, 1);
    assert_true(dependency_of(&rank, 2)->gap == 1e-3);
    saddle_rank_clear(&rank);
    saddle_problem_clear(&p);
}

static void empty_problems_have_empty_reports(void **state)
{
    (void)state;
    saddle_problem none = {0};
    saddle_rank rank = find(&none, NULL);
    assert_int_equal(rank.examined, 0);
    saddle_rank_clear(&rank);
    saddle_problem free_bodies = small_problem(3, 0, NULL, NULL, NULL, NULL);
    rank = find(&free_bodies, NULL);
    assert_int_equal(rank.rank, 0);
    assert_true(rank.separation == 1.0);
    saddle_rank_clear(&rank);
    saddle_problem_clear(&free_bodies);
    const double zero[] = {0, 0, 0, 0};
    saddle_problem nothing = small_problem(2, 2, NULL, zero, NULL, NULL);
    rank = find(&nothing, NULL);
    assert_int_equal(rank.dependency_count, 2);
    double lambda[] = {3, -4};
    assert_int_equal(saddle_rank_least_multipliers(NULL, &nothing, &rank,
                                                   SADDLE_MULTIPLIER_NORM_PLAIN, lambda),
                     SADDLE_OK);
    assert_true(fabs(lambda[0]) < 1e-15 && fabs(lambda[1]) < 1e-15);
    saddle_rank_clear(&rank);
    saddle_problem_clear(&nothing);
}

/* More work than the rows' own order may take; in an order of little fill the short row comes first
 * and a long one is named.  Zero rows depend on no other row: their relations have no terms. */
static void relations_of_zero_rows_are_put_in_order(void **state)
{
    (void)state;
    enum { SIZE = 240, LONG = 20, SHORT = 100, ZERO = 5, LAST_ZERO = 150 };
    uint64_t seed = test_seed();
    double *J = calloc(SIZE * SIZE, sizeof *J);
    assert_non_null(J);
    for (int64_t i = 0; i < SIZE; i++)
        for (int64_t j = 0; j < (i == SHORT ? 3 : SIZE) && i != ZERO && i != LAST_ZERO; j++)
            J[i * SIZE + j] = test_uniform(&seed, 1.0, 2.0);
    for (int64_t j = 0; j < SIZE; j++)
        J[LONG * SIZE + j] = J[(LONG + 1) * SIZE + j] + J[SHORT * SIZE + j];
    saddle_problem p = small_problem(SIZE, SIZE, NULL, J, NULL, NULL);
    saddle_rank rank = find(&p, NULL);
    assert_int_equal(rank.ordered, 1);
    assert_int_equal(rank.dependency_count, 3);
    assert_int_equal(rank.dependency[0].row, ZERO);
    assert_int_equal(rank.dependency[0].count, 0);
    assert_int_equal(rank.dependency[1].row, SHORT);
    assert_int_equal(rank.dependency[1].count, 2);
    assert_int_equal(rank.dependency[2].row, LAST_ZERO);
    assert_int_equal(rank.dependency[2].count, 0);
    saddle_rank_clear(&rank);
    saddle_problem_clear(&p);
    free(J);
}

static void compliance_makes_rows_independent_unless_it_is_shared(void **state)
{
    (void)state;
    const double J[] = {1, 1, /**/ 1, 1, /**/ 1, 1, /**/ 1, 1};
    const double R[] = {0, 0, 0, 0, /**/ 0, 1e-14, 0, 0, /**/ 0, 0, 1, 2, /**/ 0, 0, 2, 4};
    saddle_problem p = small_problem(2, 4, NULL, J, R, NULL);
    saddle_rank rank;
    assert_int_equal(saddle_rank_find(NULL, &p, NULL, &rank), SADDLE_OK);
    check_rank(&p, &rank, 1e-12, 0); /* LAPACK would take 1e-14 for rounding */
    assert_int_equal(rank.rank, 3);
    const saddle_dependency *d = dependency_of(&rank, 3);
    assert_non_null(d);
    assert_int_equal(d->count, 2);
    assert_true(d->other[0] == 0 && fabs(d->factor[0] + 1.0) < 1e-12);
    assert_true(d->other[1] == 2 && fabs(d->factor[1] - 2.0) < 1e-12);
    saddle_rank_clear(&rank);
    saddle_rank_options options = saddle_rank_options_default();
    options.ignore_compliance = 1;
    rank = find(&p, &options);
    assert_int_equal(rank.rank, 1);
    saddle_rank_clear(&rank);
    saddle_problem_clear(&p);
}

static void without_velocities_the_rows_of_R_are_judged(void **state)
{
    (void)state;
    const double R[] = {2, 1, 3, /**/ 1, 2, 3, /**/ 3, 3, 6};
    const double b[] = {1, 1, 3};
    saddle_problem p = small_problem(0, 3, NULL, NULL, R, b);
    saddle_rank rank = find(&p, NULL);
    assert_int_equal(rank.rank, 2);
    assert_says(&p, &rank, 2, "row 3 = row 1 + row 2");
    assert_int_equal(rank.inconsistent, 1);
    double lambda[] = {1, 1, 1}; /* null vector (1, 1, -1) */
    assert_int_equal(saddle_rank_least_multipliers(NULL, &p, &rank, SADDLE_MULTIPLIER_NORM_PLAIN,
                                                   lambda),
                     SADDLE_OK);
    assert_true(fabs(lambda[0] - 2.0 / 3) < 1e-14 && fabs(lambda[2] - 4.0 / 3) < 1e-14);
    saddle_rank_clear(&rank);
    saddle_problem_clear(&p);
}

static void bounded_rows_wait_to_be_asked_for(void **state)
{
    (void)state;
    const double J[] = {1, 1, /**/ 1, 1, /**/ 1, 1, /**/ 1, 1};
    double lo[] = {-INFINITY, 0, -INFINITY, -INFINITY};
    double b[] = {0, 1, 2, 3};
    saddle_contact contact = {.row = 2, .size = 2, .mu = 0.5};
    saddle_problem made = small_problem(2, 4, NULL, J, NULL, NULL);
    saddle_problem p = made;
    p.owner = 0;
    p.lo = lo;
    p.b = b;
    p.contacts = &contact;
    p.contact_count = 1;
    saddle_rank rank = find(&p, NULL);
    assert_int_equal(rank.examined, 1);
    assert_int_equal(rank.rank, 1);
    saddle_rank_clear(&rank);
    saddle_rank_options options = saddle_rank_options_default();
    options.all_rows = 1;
    rank = find(&p, &options);
    assert_int_equal(rank.examined, 4);
    assert_int_equal(rank.dependency_count, 3);
    assert_int_equal(rank.inconsistent, 0); /* gaps, but bounds may give way */
    assert_true(dependency_of(&rank, 1)->gap == 1.0 && !dependency_of(&rank, 1)->judged);
    saddle_rank_clear(&rank);
    saddle_problem_clear(&made);
}

static void rounding_in_b_is_no_contradiction(void **state)
{
    (void)state;
    const double J[] = {1, 1, /**/ 3, 3, /**/ 1, 0};
    const double b[] = {0.1, 3 * 0.1 + 1e-16, 5};
    saddle_problem p = small_problem(2, 3, NULL, J, NULL, b);
    saddle_rank rank = find(&p, NULL);
    assert_int_equal(rank.inconsistent, 0);
    saddle_rank_clear(&rank);
    p.b[0] = 1e-17; /* noise beside the velocity 5 */
    p.b[1] = -1e-17;
    rank = find(&p, NULL);
    assert_int_equal(rank.inconsistent, 0);
    saddle_rank_clear(&rank);
    p.b[2] = 0.0; /* beside nothing it is all there is */
    rank = find(&p, NULL);
    assert_int_equal(rank.inconsistent, 1);
    saddle_rank_clear(&rank);
    saddle_problem_clear(&p);
}

/* Kahan's matrix: no pivot is small, and the smallest singular value, 4e-15, stands alone. */
static void a_dependence_that_no_pivot_shows_is_found(void **state)
{
    (void)state;
    enum { SIZE = 90 };
    double *J = calloc(SIZE * SIZE, sizeof(*J));
    double s = sin(1.2);
    double c = cos(1.2);
    for (int64_t i = 0; i < SIZE; i++)
        for (int64_t j = 0; j <= i; j++) J[i * SIZE + j] = pow(s, (double)j) * (i == j ? 1.0 : -c);
    saddle_problem p = small_problem(SIZE, SIZE, NULL, J, NULL, NULL);
    saddle_rank rank;
    assert_int_equal(saddle_rank_find(NULL, &p, NULL, &rank), SADDLE_OK);
    assert_int_equal(rank.rank, SIZE - 1);
    check_rank(&p, &rank, 1e-9, 1);
    assert_true(rank.separation > 1e-9);
    saddle_rank_clear(&rank);
    saddle_problem_clear(&p);
    free(J);
}

static void bad_tolerances_are_refused(void **state)
{
    (void)state;
    saddle_problem none = {0};
    saddle_rank rank;
    const double bad[] = {0.0, -1.0, 1.0, (double)NAN};
    for (size_t k = 0; k < 4; k++) {
        saddle_rank_options options = {.tolerance = bad[k]};
        assert_int_equal(saddle_rank_find(NULL, &none, &options, &rank), SADDLE_INVALID_ARGUMENT);
    }
}

static void solved_with_least_multipliers(void **state)
{
    (void)state; /* one body held by three rods at once: each carries a third, in either norm */
    const double J[] = {1, 0, /**/ 1, 0, /**/ 1, 0};
    const double b[] = {0.5, 0.5, 0.5};
    double f[] = {-3, 1};
    saddle_problem made = small_problem(2, 3, NULL, J, NULL, b);
    saddle_problem p = made;
    p.owner = 0;
    p.f = f;
    for (int norm = SADDLE_MULTIPLIER_NORM_PLAIN; norm <= SADDLE_MULTIPLIER_NORM_NATURAL; norm++) {
        saddle_solution solution = {0};
        saddle_report report;
        assert_int_equal(saddle_solve_least_multipliers(NULL, &p, "ldlt",
                                                        (saddle_multiplier_norm)norm, NULL,
                                                        &solution, &report),
                         SADDLE_OK);
        for (int64_t i = 0; i < 3; i++) assert_true(fabs(solution.lambda[i] - 3.5 / 3) < 1e-14);
        assert_true(report.residual.total < 1e-15 && fabs(solution.v[0] - 0.5) < 1e-15);
        saddle_solution_clear(&solution);
    }
    saddle_options earlier; /* of a version before all fields but the size */
    memset(&earlier, 0xff, sizeof earlier);
    earlier.size = sizeof earlier.size;
    saddle_solution of_earlier = {0};
    assert_int_equal(saddle_solve_least_multipliers(NULL, &p, "ldlt", SADDLE_MULTIPLIER_NORM_PLAIN,
                                                    &earlier, &of_earlier, NULL),
                     SADDLE_OK);
    saddle_solution_clear(&of_earlier);
    saddle_report refused;
    memset(&refused, 0x55, sizeof refused);
    earlier = saddle_options_default();
    earlier.tolerance = -1;
    assert_int_equal(saddle_solve_least_multipliers(NULL, &p, "ldlt", SADDLE_MULTIPLIER_NORM_PLAIN,
                                                    &earlier, &of_earlier, &refused),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(refused.status, SADDLE_INVALID_ARGUMENT);
    made.b[2] = 0.7;
    saddle_solution solution = {0};
    assert_int_not_equal(saddle_solve_least_multipliers(NULL, &made, NULL,
                                                        SADDLE_MULTIPLIER_NORM_PLAIN, NULL,
                                                        &solution, NULL),
                         SADDLE_OK);
    saddle_solution_clear(&solution);
    saddle_problem_clear(&made);
}

static saddle_status report_and_share(saddle_context *context, void *user)
{
    const saddle_problem *p = user;
    double lambda[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    saddle_rank rank;
    saddle_status status = saddle_rank_find(context, p, NULL, &rank);
    if (status == SADDLE_OK)
        status = saddle_rank_least_multipliers(context, p, &rank, SADDLE_MULTIPLIER_NORM_NATURAL,
                                               lambda);
    saddle_rank_clear(&rank);
    return status;
}

static void memory_that_fails_leaks_nothing(void **state)
{
    (void)state;
    const double J[] = {1, 0, 0, 0, /**/ 0, 1, 0, 0, /**/ 0, 0, 1, 0, /**/ 1, 1, 1, 0,
                        2, 2, 2, 0, /**/ 0, 0, 0, 1, /**/ 1, 1, 1, 1, /**/ 0, 0, 0, 1};
    double R[64] = {0};
    R[63] = 1.0;
    saddle_problem p = small_problem(4, 8, NULL, J, R, NULL);
    assert_true(test_allocation_sweep(report_and_share, &p) > 40);
    saddle_problem_clear(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_name_what_they_copy),
        cmocka_unit_test(names_and_ids_are_told),
        cmocka_unit_test(the_shorter_combination_is_told),
        cmocka_unit_test(a_zero_row_depends_on_nothing),
        cmocka_unit_test(empty_problems_have_empty_reports),
        cmocka_unit_test(relations_of_zero_rows_are_put_in_order),
        cmocka_unit_test(compliance_makes_rows_independent_unless_it_is_shared),
        cmocka_unit_test(without_velocities_the_rows_of_R_are_judged),
        cmocka_unit_test(bounded_rows_wait_to_be_asked_for),
        cmocka_unit_test(rounding_in_b_is_no_contradiction),
        cmocka_unit_test(a_dependence_that_no_pivot_shows_is_found),
        cmocka_unit_test(bad_tolerances_are_refused),
        cmocka_unit_test(solved_with_least_multipliers),
        cmocka_unit_test(memory_that_fails_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
