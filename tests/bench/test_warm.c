/* SPDX-License-Identifier: MIT */
/* Warm starts over a recorded run of 100 steps in which rows come and go: pivots, counted. */
#include <string.h>

#include <inttypes.h>

#include "complementarity/warm.h"
#include "support.h"

static void clear_all(saddle_problem *problems)
{
    for (int k = 0; k < WARM_STEPS; k++) saddle_problem_clear(&problems[k]);
}

static void record(saddle_context *context, const warm_run *run, saddle_problem *problems)
{
    if (warm_record(context, run, problems) != SADDLE_OK)
        fail_msg("%s", saddle_context_message(context));
}

static void the_run_has_rows_that_come_and_go_of_every_kind(void **unused)
{
    (void)unused;
    saddle_problem problems[WARM_STEPS];
    record(NULL, &warm_runs[0], problems);
    saddle_row_counts all = {0};
    for (int k = 0; k < WARM_STEPS; k++) {
        saddle_row_counts rows = saddle_problem_count_rows(&problems[k]);
        assert_int_equal(saddle_problem_check(NULL, &problems[k], NULL, NULL), SADDLE_OK);
        all.equality += rows.equality;
        all.unilateral += rows.unilateral;
        all.box += rows.box;
    }
    assert_true(all.equality > 0 && all.unilateral > WARM_STEPS && all.box > WARM_STEPS);
    assert_true(warm_changes(problems) >= 50);
    clear_all(problems);
}

/* A cold path takes a sixth of the pivots of cold block steps, a warm one half of those of warm
 * steps. */
static const double PATH_BAR = 0.25;

static void claim_bar(const warm_run *run, const char *solver)
{
    saddle_problem problems[WARM_STEPS];
    warm_result cold;
    warm_result warm;
    record(NULL, run, problems);
    warm_measure(NULL, solver, 0, problems, &cold);
    warm_measure(NULL, solver, 1, problems, &warm);
    clear_all(problems);
    assert_int_equal(cold.status, SADDLE_OK);
    assert_int_equal(warm.status, SADDLE_OK);
    assert_int_equal(cold.known, 0);
    assert_true(warm.known > 0);
    print_message("%s, %s: %" PRId64 " pivots cold, %" PRId64 " warm\n", run->name, solver,
                  cold.pivots, warm.pivots);
    double bar = strcmp(solver, "lemke") == 0 ? PATH_BAR : WARM_BAR;
    if ((double)warm.pivots > bar * (double)cold.pivots)
        fail_msg("%s: %" PRId64 " pivots warm, %" PRId64 " cold", solver, warm.pivots, cold.pivots);
}

static void warm_runs_take_a_small_share_of_the_pivots(void **unused)
{
    (void)unused;
    static const char *const solvers[] = {"schur", "pivot", "lemke", "auto"};
    for (int run = 0; run < WARM_RUNS; run++)
        for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++)
            claim_bar(&warm_runs[run], solvers[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_run_has_rows_that_come_and_go_of_every_kind),
        cmocka_unit_test(warm_runs_take_a_small_share_of_the_pivots),
    };
    return cmocka_run_group_tests_name("warm runs", tests, NULL, NULL);
}
