/* SPDX-License-Identifier: MIT */
/* lemke on heaps of discs that press against each other, more contacts than velocities: a basis is
 * found by block pivoting whose steps are searched along, no path is followed, and the velocities
 * are those of the path's answer, which is another method. */
#include <inttypes.h>
#include <string.h>

#include "asked.h"
#include "disc_heap.h"
#include "lemke/lemke_state.h"
#include "support.h"

/* paths: 1 = none is spared. */
static saddle_status solve(const disc_heap *h, int paths, const saddle_solution *start,
                           saddle_solution *x, saddle_report *report)
{
    saddle_options options = saddle_options_default();
    if (paths) options.settings = METHODS_ALONE;
    return saddle_solve(NULL, &h->problem, "lemke", &options, start, x, report);
}

static void heaps_settle_without_a_path(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    for (int draw = 0; draw < 6; draw++) {
        uint64_t first = seed;
        disc_heap h;
        disc_heap_draw(&seed, test_integer(&seed, 12, 24), test_integer(&seed, 12, 24), &h);
        assert_true(h.problem.m > h.problem.n); /* so that many impulses are as good as others */
        saddle_solution x = {0}, by_path = {0}, again = {0};
        saddle_report report, of_path;
        saddle_status status = solve(&h, 0, NULL, &x, &report);
        saddle_status on_path = solve(&h, 1, NULL, &by_path, &of_path);
        if (status != SADDLE_OK || on_path != SADDLE_OK)
            fail_msg("SADDLE_TEST_SEED=%" PRIu64 ": %s, by paths %s", first,
                     saddle_status_name(status), saddle_status_name(on_path));
        if (report.factorizations < 2 || report.residual.total > 1e-12) /* M's, and those of
                                                                           bases */
            fail_msg("SADDLE_TEST_SEED=%" PRIu64 ": %" PRId64 " factorizations, %g", first,
                     report.factorizations, report.residual.total);
        assert_true(test_distance(x.v, by_path.v, h.problem.n) <= 1e-10);
        for (int64_t j = 0; j < h.problem.n; j++) h.f[j] *= 1.0 + 1e-3 * (double)(j % 3);
        assert_int_equal(solve(&h, 0, &x, &again, &of_path), SADDLE_OK);
        assert_true(of_path.iterations < report.iterations);
        saddle_solution_clear(&x);
        saddle_solution_clear(&by_path);
        saddle_solution_clear(&again);
        disc_heap_clear(&h);
    }
}

/* One disc of the floor is to rise by 1, and by no more than a half. */
static void heaps_that_are_asked_for_what_cannot_be_are_proven(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    for (int draw = 0; draw < 3; draw++) {
        disc_heap h;
        disc_heap_draw(&seed, 14, 14, &h);
        int64_t m = h.problem.m; /* one row more, on the disc in the floor's middle: v <= 0.5 where
                                    the floor asks for 1 */
        int64_t floor = 0;
        while (h.Jt_index[h.Jt_start[floor]] != 2 * 7 ||
               h.Jt_start[floor + 1] - h.Jt_start[floor] != 2 ||
               h.normal[h.Jt_start[floor] + 1] != 1.0)
            floor++;
        disc_heap_touch(&h, -1, 7, 0.0, -1.0);
        h.b[floor] = 1.0;
        h.b[m] = -0.5;
        h.problem.Jt.cols = h.problem.m;
        saddle_solution x = {0};
        saddle_report report;
        assert_int_equal(solve(&h, 0, NULL, &x, &report), SADDLE_INFEASIBLE);
        assert_int_equal(report.proof.kind, SADDLE_PROOF_ROWS);
        saddle_solution_clear(&x);
        disc_heap_clear(&h);
    }
}

static int stop_early(void *user, const saddle_progress *progress)
{
    (void)user;
    return strcmp(progress->phase, "solve") == 0 && progress->iteration > 2;
}

static void limits_and_stops_are_said(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    disc_heap h;
    disc_heap_draw(&seed, 16, 16, &h);
    saddle_solution x = {0};
    saddle_report report;
    saddle_options options = saddle_options_default();
    options.max_iterations = 3;
    assert_int_equal(saddle_solve(NULL, &h.problem, "lemke", &options, NULL, &x, &report),
                     SADDLE_ITERATION_LIMIT);
    saddle_solution_clear(&x);
    options = saddle_options_default();
    options.time_limit = 1e-9;
    assert_int_equal(saddle_solve(NULL, &h.problem, "lemke", &options, NULL, &x, &report),
                     SADDLE_TIME_LIMIT);
    saddle_solution_clear(&x);
    saddle_context *context;
    saddle_context_options host = saddle_context_options_default();
    host.progress = stop_early;
    assert_int_equal(saddle_context_create(&host, &context), SADDLE_OK);
    assert_int_equal(saddle_solve(context, &h.problem, "lemke", NULL, NULL, &x, &report),
                     SADDLE_STOPPED);
    saddle_solution_clear(&x);
    saddle_context_free(context);
    disc_heap_clear(&h);
}

static saddle_status solve_whole(saddle_context *context, void *user)
{
    saddle_solution x = {0};
    const disc_heap *h = user;
    saddle_status status = saddle_solve(context, &h->problem, "lemke", NULL, NULL, &x, NULL);
    saddle_solution_clear(&x);
    return status;
}

static void every_failing_allocation_is_survived(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    disc_heap h;
    disc_heap_draw(&seed, 11, 11, &h);
    assert_true(test_allocation_sweep(solve_whole, &h) > 100);
    disc_heap_clear(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heaps_settle_without_a_path),
        cmocka_unit_test(heaps_that_are_asked_for_what_cannot_be_are_proven),
        cmocka_unit_test(limits_and_stops_are_said),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("lemke on heaps", tests, NULL, NULL);
}
