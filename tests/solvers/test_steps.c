/* SPDX-License-Identifier: MIT */
/* The course of proximal steps (complementarity/steps.h): which epsilon comes next, what is kept,
 * when they end; fed with the errors that steps on a W with an eigenvalue a would have, which fall
 * by epsilon / (epsilon + a). */
#include <math.h>

#include "complementarity/steps.h"
#include "support.h"

static const double least = 1e-10;

/* A step that did not stall, to that error. */
static void take(saddle__steps *s, double error)
{
    saddle__steps_next(s);
    saddle__steps_tolerate(s);
    saddle__steps_taken(s, 0);
    (void)saddle__steps_judge(s, error, error, 0);
}

static void a_slow_end_takes_less_and_reaches_the_tolerance(void **state)
{
    (void)state;
    const saddle_options options = saddle_options_default();
    for (double a = 1e-12; a < 1e-6; a *= 10.0) {
        saddle__steps s;
        double error = 1e-3;
        saddle__steps_begin(&s, 2, least, 0, SADDLE__FAST, &options);
        for (int k = 0; k < 30 && !(s.taken > 0 && saddle__steps_enough(&s)); k++) {
            double epsilon = saddle__steps_next(&s);
            saddle__steps_taken(&s, 0);
            error *= epsilon / (epsilon + a);
            assert_true(saddle__steps_judge(&s, error, error, 0));
            assert_true(s.epsilon.now <= least);
        }
        assert_true(a < 9e-12 || s.best <= options.tolerance); /* less than 1e-12 epsilon cannot
                                                                  be */
        assert_int_equal(s.epsilon.now<least, a> 9e-12 && a < 3e-10);
    }
}

static void an_error_that_stays_ends_them(void **state)
{
    (void)state;
    const saddle_options options = saddle_options_default();
    saddle__steps s;
    saddle__steps_begin(&s, 2, least, 0, SADDLE__FAST, &options);
    for (int k = 0; k < 3; k++) take(&s, 1e-5);
    assert_true(saddle__steps_enough(&s) && s.epsilon.now == least && s.taken == 3);
    saddle__steps_begin(&s, 2, least, 0, SADDLE__FAST, &options);
    take(&s, 1e-16);
    assert_true(saddle__steps_enough(&s) && s.taken == 1);
}

/* Above the least epsilon, at an error that will do but is no more a gain. */
static void the_last_step_leaves_no_row_broken(void **state)
{
    (void)state;
    const saddle_options options = saddle_options_default();
    saddle__steps s;
    saddle__steps_begin(&s, 10000, least, 1, SADDLE__FAST, &options);
    take(&s, 1e-2);
    assert_true(s.tolerated > 0);
    take(&s, 5e-12);
    take(&s, 2e-11);
    assert_true(s.tolerated > 0 && s.best == 5e-12);
    assert_false(saddle__steps_enough(&s));
    while (s.tolerated > 0) take(&s, 4e-12);
    assert_true(saddle__steps_enough(&s));
}

/* Stalled steps are kept for halving the last error, but not for ever. */
static void stalled_steps_must_halve_the_least_error_in_the_end(void **state)
{
    (void)state;
    const saddle_options options = saddle_options_default();
    saddle__steps s;
    int kept = 0;
    saddle__steps_begin(&s, 10, least, 1, SADDLE__FAST, &options);
    take(&s, 1e-3);
    while (kept < 100 && saddle__steps_keep(&s, 0.2, 1.0)) kept++; /* far from the least */
    assert_true(kept > 2 && kept < 100);
    assert_true(saddle__steps_keep(&s, 4e-4, 1.0));
    (void)saddle__steps_next(&s);
    saddle__steps_taken(&s, 1);
    assert_true(saddle__steps_judge(&s, 4e-4, 4e-4, 0));
    assert_true(saddle__steps_keep(&s, 0.2, 1.0)); /* a new least: from the beginning */
}

static void raises_that_gain_nothing_end_in_single_pivots_at_the_least(void **state)
{
    (void)state;
    const saddle_options options = saddle_options_default();
    saddle__steps s;
    saddle__steps_begin(&s, 10, least, 0, SADDLE__FAST, &options);
    int raises = 0;
    for (int step = 0; step < 100 && !saddle__steps_one_by_one(&s); step++) {
        double before = saddle__steps_next(&s);
        double higher = saddle__steps_raise(&s);
        raises++;
        assert_true(higher > before || higher == least);
        saddle__steps_taken(&s, 0);
        (void)saddle__steps_judge(&s, 0.5, 0.5, 0);
    }
    assert_true(saddle__steps_one_by_one(&s) && raises < 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slow_end_takes_less_and_reaches_the_tolerance),
        cmocka_unit_test(an_error_that_stays_ends_them),
        cmocka_unit_test(the_last_step_leaves_no_row_broken),
        cmocka_unit_test(stalled_steps_must_halve_the_least_error_in_the_end),
        cmocka_unit_test(raises_that_gain_nothing_end_in_single_pivots_at_the_least),
    };
    return cmocka_run_group_tests_name("steps", tests, NULL, NULL);
}
