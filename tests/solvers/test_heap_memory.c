/* SPDX-License-Identifier: MIT */
/* Where rows come and go on a heap of discs: all memory is asked for by analyse, none by factor and
 * solve, the first ones among them, whatever the values. */
#include <string.h>

#include "disc_heap.h"
#include "support.h"

enum { STEPS = 4 };

/* Another step: other masses, other impulses. */
static void change(uint64_t *seed, disc_heap *h)
{
    for (int64_t j = 0; j < h->problem.n; j++) {
        h->mass[j] = j % 2 ? h->mass[j - 1] : test_uniform(seed, 0.5, 2.0);
        h->f[j] = (j % 2 ? -0.1 : 0.0) * h->mass[j] + test_uniform(seed, -0.05, 0.05);
    }
}

static void step_without_memory(const char *solver, int64_t wide, int64_t tall)
{
    uint64_t seed = test_seed();
    disc_heap h;
    test_memory memory;
    saddle_solver *s = NULL;
    saddle_solution x = {0};
    disc_heap_draw(&seed, wide, tall, &h);
    if (wide * tall > 1000) disc_heap_loosen(&seed, &h); /* its rows are factored in parts */
    saddle_context *context = test_memory_begin(&memory, -1);
    assert_int_equal(saddle_solver_create(context, solver, NULL, &s), SADDLE_OK);
    assert_int_equal(saddle_solution_create(context, h.problem.n, h.problem.m, &x), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(s, &h.problem), SADDLE_OK);
    int64_t asked = memory.count;
    for (int k = 0; k < STEPS; k++) {
        assert_int_equal(saddle_solver_factor(s, &h.problem), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(s, &h.problem, NULL, &x), SADDLE_OK);
        if (memory.count != asked)
            fail_msg("%s, %d discs: step %d asked for memory %d times", solver, (int)(wide * tall),
                     k, (int)(memory.count - asked));
        change(&seed, &h);
    }
    saddle_solver_free(s);
    saddle_solution_clear(&x);
    test_memory_end(&memory, context);
    disc_heap_clear(&h);
}

static void schur_asks_for_nothing_after_analyse(void **unused)
{
    (void)unused;
    step_without_memory("schur", 6, 8);
    step_without_memory("schur", 20, 20);
    step_without_memory("schur", 50, 40);
}

static void pivot_asks_for_nothing_after_analyse(void **unused)
{
    (void)unused;
    step_without_memory("pivot", 6, 8);
    step_without_memory("pivot", 20, 20);
    step_without_memory("pivot", 50, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schur_asks_for_nothing_after_analyse),
        cmocka_unit_test(pivot_asks_for_nothing_after_analyse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
