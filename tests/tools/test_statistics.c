/* SPDX-License-Identifier: MIT */
/* Medians, profiles, fitted exponents and intervals of ratios against values computed by hand or
 * found in tables, and on drawn series whose ratio is known. */
#include "support.h"

#include <math.h>
#include <stdlib.h>

#include "statistics.h"

static void near(double value, double expected, double error)
{
    if (!(fabs(value - expected) <= error)) fail_msg("%.12g instead of %.12g", value, expected);
}

static void medians_of_odd_and_even_counts(void **state)
{
    double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2};
    (void)state;
    near(tool_median(odd, 3), 2, 0);
    near(tool_median(even, 4), 2.5, 0);
    near(tool_median(odd, 1), 1, 0);
    assert_true(isnan(tool_median(odd, 0)));
}

/* Four problems, three solvers:      ratios
 *     2   1   4                      2    1    4
 *     3   6   -                      1    2    -
 *     -   5   5                      -    1    1
 *     -   -   -                      -    -    -        solved by none, and counted */
static void a_profile_is_what_the_definition_says(void **state)
{
    const double none = (double)INFINITY;
    const double cost[] = {2, 1, 4, 3, 6, none, none, 5, 5, none, none, none};
    double ratio[12];
    (void)state;
    tool_profile_ratios(4, 3, cost, ratio);
    const double expected[] = {2, 1, 4, 1, 2, none, none, 1, 1, none, none, none};
    for (int k = 0; k < 12; k++)
        assert_true(isinf(expected[k]) ? isinf(ratio[k]) : ratio[k] == expected[k]);
    const double tau[] = {1, 1.5, 2, 4, 100};
    const double rho[3][5] = {{0.25, 0.25, 0.5, 0.5, 0.5},
                              {0.5, 0.5, 0.75, 0.75, 0.75},
                              {0.25, 0.25, 0.25, 0.5, 0.5}};
    for (int s = 0; s < 3; s++)
        for (int k = 0; k < 5; k++) near(tool_profile_at(4, 3, ratio, s, tau[k]), rho[s][k], 0);
    near(tool_profile_at(0, 3, ratio, 0, 1), 0, 0);
}

/* Two-sided 95 and 99 percent, from printed tables. */
static void students_t_agrees_with_tables(void **state)
{
    static const struct {
        int64_t freedom;
        double t95, t99;
    } row[] = {{1, 12.7062, 63.6567},  {2, 4.30265, 9.92484},  {3, 3.18245, 5.84091},
               {4, 2.77645, 4.60409},  {5, 2.57058, 4.03214},  {10, 2.22814, 3.16927},
               {30, 2.04227, 2.75000}, {120, 1.97993, 2.61742}};
    (void)state;
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        near(tool_student_quantile(0.95, row[k].freedom), row[k].t95, 1e-4);
        near(tool_student_quantile(0.99, row[k].freedom), row[k].t99, 1e-4);
    }
}

/* Logarithms 0 1 2 3 and 0 1 2 4: slope 6.5 / 5, rest 0.3, standard error sqrt(0.15 / 5),
 * t = 4.30265. */
static void a_fitted_exponent_is_the_one_of_hand_computation(void **state)
{
    const double x[] = {1, 10, 100, 1000, 0, 5}, y[] = {1, 10, 100, 10000, 3, -1};
    double power[4];
    (void)state;
    tool_fit fit = tool_fit_power(6, x, y); /* the last two are no points */
    assert_int_equal(fit.count, 4);
    near(fit.exponent, 1.3, 1e-12);
    near(fit.low, 1.3 - 0.745241, 1e-5);
    near(fit.high, 1.3 + 0.745241, 1e-5);
    near(log10(fit.factor), 1.75 - 1.3 * 1.5, 1e-12);
    for (int k = 0; k < 4; k++) power[k] = 3 * pow(x[k], 1.5);
    fit = tool_fit_power(4, x, power);
    near(fit.exponent, 1.5, 1e-12);
    near(fit.factor, 3, 1e-12);
    near(fit.high - fit.low, 0, 1e-6);
    fit = tool_fit_power(2, x, power);
    near(fit.exponent, 1.5, 1e-12);
    assert_true(isinf(fit.low) && isinf(fit.high));
    assert_true(isnan(tool_fit_power(1, x, power).exponent));
    assert_true(isnan(tool_fit_power(0, x, power).exponent));
}

/* ---- two series ---- */

enum { CASES = 12, VALUES = 7 };

/* Times of cases of different size: noise of 4 percent, and one value in ten up to twice as long,
 * as of a machine that others use too. */
static void draw_times(uint64_t *seed, double factor, double *value)
{
    for (int p = 0; p < CASES; p++)
        for (int k = 0; k < VALUES; k++) {
            double noise = 0;
            for (int i = 0; i < 12; i++) noise += test_uniform(seed, -0.5, 0.5);
            const double late = test_uniform(seed, 0, 1) < 0.1 ? test_uniform(seed, 1, 2) : 1;
            value[p * VALUES + k] = factor * pow(2, p) * 1e-4 * exp(0.04 * noise) * late;
        }
}

static tool_ratio compare_drawn(uint64_t *seed, double factor)
{
    double a[CASES * VALUES], b[CASES * VALUES];
    tool_pair pair[CASES];
    draw_times(seed, 1, a);
    draw_times(seed, factor, b);
    for (int p = 0; p < CASES; p++)
        pair[p] = (tool_pair){a + p * VALUES, b + p * VALUES, VALUES, VALUES};
    double *scratch = malloc((size_t)tool_compare_scratch(CASES) * sizeof *scratch);
    assert_non_null(scratch);
    const tool_ratio ratio = tool_compare(CASES, pair, 0.03, scratch);
    free(scratch);
    assert_int_equal(ratio.cases, CASES);
    assert_true(ratio.low <= ratio.ratio && ratio.ratio <= ratio.high);
    return ratio;
}

static void equal_series_are_told_equal_and_a_tenth_is_found(void **state)
{
    uint64_t seed = 24;
    (void)state;
    for (int k = 0; k < 20; k++) {
        assert_int_equal(compare_drawn(&seed, 1).verdict, TOOL_NO_CHANGE);
        assert_int_equal(compare_drawn(&seed, 1.1).verdict, TOOL_MORE);
        assert_int_equal(compare_drawn(&seed, 1 / 1.1).verdict, TOOL_LESS);
    }
}

/* The interval is one of 99.9 percent: of further draws hardly one may leave out the truth. */
static void intervals_cover_the_true_ratio(void **state)
{
    uint64_t seed = 25;
    const int64_t draws = test_draws(40);
    int64_t missed = 0;
    (void)state;
    for (int64_t k = 0; k < draws; k++) {
        const tool_ratio ratio = compare_drawn(&seed, 1.05);
        missed += ratio.low > 1.05 || ratio.high < 1.05;
    }
    assert_true(missed <= 1);
}

static void few_values_are_told_few(void **state)
{
    const double a[] = {1, 1, 1, 1, 1}, b[] = {2, 2, 2, 2, 2};
    tool_pair pair[5];
    double scratch[20000];
    (void)state;
    for (int p = 0; p < 5; p++) pair[p] = (tool_pair){a, b, 1, 1};
    assert_int_equal(tool_compare(0, pair, 0.03, scratch).verdict, TOOL_UNDECIDED);
    assert_int_equal(tool_compare(1, pair, 0.03, scratch).verdict, TOOL_UNDECIDED);
    assert_int_equal(tool_compare(4, pair, 0.03, scratch).verdict, TOOL_UNDECIDED);
    const tool_ratio five = tool_compare(5, pair, 0.03, scratch);
    assert_int_equal(five.verdict, TOOL_MORE);
    near(five.ratio, 2, 0);
    near(five.sign, 2.0 / 32, 1e-12);
    pair[0] = (tool_pair){a, b, 5, 5};
    assert_int_equal(tool_compare(1, pair, 0.03, scratch).verdict, TOOL_MORE);
    pair[0] = (tool_pair){a, b, 5, 4};
    assert_int_equal(tool_compare(1, pair, 0.03, scratch).verdict, TOOL_UNDECIDED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(medians_of_odd_and_even_counts),
        cmocka_unit_test(a_profile_is_what_the_definition_says),
        cmocka_unit_test(students_t_agrees_with_tables),
        cmocka_unit_test(a_fitted_exponent_is_the_one_of_hand_computation),
        cmocka_unit_test(equal_series_are_told_equal_and_a_tenth_is_found),
        cmocka_unit_test(intervals_cover_the_true_ratio),
        cmocka_unit_test(few_values_are_told_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
