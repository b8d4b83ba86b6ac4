/* SPDX-License-Identifier: MIT */
/* Starts that have little to do with the solution, on heaps of discs: what is solved without a
 * start is solved with any. */
#include <math.h>
#include <string.h>

#include "disc_heap.h"
#include "support.h"

enum { HEAPS = 40 };

static const char *const solvers[] = {"schur", "pivot", "lemke", "auto"};

static saddle_report solve(const char *name, const disc_heap *h, const saddle_solution *start)
{
    saddle_solution x = {0};
    saddle_report report;
    saddle_status status = saddle_solve(NULL, &h->problem, name, NULL, start, &x, &report);
    assert_true(status >= 0);
    saddle_solution_clear(&x);
    return report;
}

static void start_badly(uint64_t *state)
{
    disc_heap h;
    saddle_solution start = {0};
    uint64_t seed = *state;
    disc_heap_draw(state, test_integer(state, 3, 14), test_integer(state, 3, 14), &h);
    assert_int_equal(saddle_solution_create(NULL, h.problem.n, h.problem.m, &start), SADDLE_OK);
    double scale = pow(10.0, (double)test_integer(state, 3, 8));
    for (int64_t i = 0; i < h.problem.m; i++)
        start.lambda[i] = scale * fmax(0.0, test_uniform(state, -1.0, 1.0));
    for (size_t s = 0; s < sizeof(solvers) / sizeof(*solvers); s++) {
        assert_int_equal(solve(solvers[s], &h, NULL).status, SADDLE_OK);
        saddle_report report = solve(solvers[s], &h, &start);
        if (report.status != SADDLE_OK)
            fail_msg("%s at seed %llu, impulses of %.0e to start with: %s, residual %.1e",
                     solvers[s], (unsigned long long)seed, scale, saddle_status_name(report.status),
                     report.residual.total);
    }
    saddle_solution_clear(&start);
    disc_heap_clear(&h);
}

static void a_start_that_is_much_too_large_keeps_nobody_from_the_solution(void **unused)
{
    (void)unused;
    uint64_t spoilt[] = {17220235403246654641u, 6419135627150118328u}; /* found: schur ended at its
                                                                          limit of steps */
    for (size_t k = 0; k < sizeof(spoilt) / sizeof(*spoilt); k++) start_badly(&spoilt[k]);
    uint64_t state = test_seed();
    for (int k = 0; k < test_draws(HEAPS); k++) start_badly(&state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_that_is_much_too_large_keeps_nobody_from_the_solution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
