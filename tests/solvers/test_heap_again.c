/* SPDX-License-Identifier: MIT */
/* Heaps of discs, one after the other by one solver: no factor of the last heap is used for the
 * next one, with nearly the same pushing rows. */
#include "disc_heap.h"
#include "support.h"

enum { STEPS = 4 };

/* Other masses by a few percent: the same rows push but for a few, W is another. */
static void change(uint64_t *seed, disc_heap *h)
{
    for (int64_t j = 0; j < h->problem.n; j++)
        h->mass[j] = j % 2 ? h->mass[j - 1] : h->mass[j] * test_uniform(seed, 0.98, 1.02);
}

/* From start, with the values at hand; a fresh solver: one that has solved nothing before. */
static saddle_report solve(const char *solver, saddle_solver *used, const disc_heap *h,
                           const saddle_solution *start, saddle_solution *x)
{
    saddle_solver *s = used;
    if (!used) assert_int_equal(saddle_solver_create(NULL, solver, NULL, &s), SADDLE_OK);
    if (!used) assert_int_equal(saddle_solver_analyse(s, &h->problem), SADDLE_OK);
    assert_int_equal(saddle_solver_factor(s, &h->problem), SADDLE_OK);
    assert_int_equal(saddle_solver_solve(s, &h->problem, start, x), SADDLE_OK);
    saddle_report report = *saddle_solver_report(s);
    if (!used) saddle_solver_free(s);
    return report;
}

static void check(const char *solver)
{
    uint64_t seed = test_seed();
    disc_heap h;
    int64_t more = 0;
    saddle_solver *used = NULL;
    saddle_solution a = {0};
    saddle_solution b = {0};
    disc_heap_draw(&seed, 50, 40, &h);
    disc_heap_loosen(&seed, &h); /* its rows are factored in parts */
    assert_int_equal(saddle_solver_create(NULL, solver, NULL, &used), SADDLE_OK);
    assert_int_equal(saddle_solution_create(NULL, h.problem.n, h.problem.m, &a), SADDLE_OK);
    assert_int_equal(saddle_solution_create(NULL, h.problem.n, h.problem.m, &b), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(used, &h.problem), SADDLE_OK);
    (void)solve(solver, used, &h, NULL, &a);
    for (int k = 0; k < STEPS; k++) {
        change(&seed, &h);
        saddle_report fresh = solve(solver, NULL, &h, &a, &b);
        saddle_report again = solve(solver, used, &h, &a, &a);
        assert_true(again.residual.total < 1e-12);
        assert_true(test_distance(a.v, b.v, h.problem.n) < 1e-10);
        more += again.iterations + again.refinements - fresh.iterations - fresh.refinements;
    }
    assert_true(more <= STEPS); /* of other rounding */
    saddle_solver_free(used);
    saddle_solution_clear(&a);
    saddle_solution_clear(&b);
    disc_heap_clear(&h);
}

static void schur_takes_new_values(void **unused)
{
    (void)unused;
    check("schur");
}

static void pivot_takes_new_values(void **unused)
{
    (void)unused;
    check("pivot");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schur_takes_new_values),
        cmocka_unit_test(pivot_takes_new_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
