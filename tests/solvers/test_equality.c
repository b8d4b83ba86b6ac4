/* SPDX-License-Identifier: MIT */
/* What every direct solver must do with equality rows (equality_claims.h): a table of solvers, each
 * claim over all of them. */
#include <string.h>

#include "equality_claims.h"

typedef struct draws {
    draw_function *kind;
    int count;
} draws;

typedef struct equality_solver {
    const char *name;
    saddle_factorization factorization;
    int symmetric; /* takes symmetric M and R only */
    draws velocity[4];
    draws inertia[3]; /* none: it does not know it */
} equality_solver;

static const equality_solver solvers[] = {
    {"ldlt",
     SADDLE_FACTORIZATION_SUPERNODAL,
     1,
     {{draw_any_symmetric, 1500}, {draw_indefinite, 300}, {draw_massless, 500}},
     {{draw_regular_symmetric, 300}, {draw_indefinite, 300}, {draw_massless, 300}}},
    {"ldlt",
     SADDLE_FACTORIZATION_CHOLMOD,
     1,
     {{draw_any_symmetric, 1500}, {draw_indefinite, 300}, {draw_massless, 500}},
     {{draw_regular_symmetric, 300}, {draw_indefinite, 300}, {draw_massless, 300}}},
    {"ldlt", SADDLE_FACTORIZATION_KLU, 1, {{draw_any_symmetric, 500}, {draw_massless, 200}}, {{0}}},
    {"lu",
     SADDLE_FACTORIZATION_DEFAULT,
     0,
     {{draw_unsymmetric, 1000},
      {draw_any_symmetric, 500},
      {draw_indefinite, 200},
      {draw_massless, 200}},
     {{0}}},
    {"lu",
     SADDLE_FACTORIZATION_KLU,
     0,
     {{draw_unsymmetric, 1000},
      {draw_any_symmetric, 500},
      {draw_indefinite, 200},
      {draw_massless, 200}},
     {{0}}},
#ifdef SADDLE_GPL
    {"ldlt",
     SADDLE_FACTORIZATION_UMFPACK,
     1,
     {{draw_any_symmetric, 500}, {draw_massless, 200}},
     {{0}}},
#endif
    {"schur",
     SADDLE_FACTORIZATION_DEFAULT,
     1,
     {{draw_any_symmetric, 1500}, {draw_indefinite, 300}},
     {{draw_regular_symmetric, 300}, {draw_indefinite, 300}}},
};

enum { SOLVERS = sizeof solvers / sizeof *solvers };

static const char *announce(int k)
{
    static const char *const words[] = {
#define WORD(name, word) [name] = word,
        SADDLE_FACTORIZATION_LIST(WORD)
#undef WORD
    };
    print_message("  %s (%s)\n", solvers[k].name, words[solvers[k].factorization]);
    claim_with(solvers[k].factorization);
    return solvers[k].name;
}

/* A tenth of them at least. */
static int draws_of(int count)
{
    return (int)test_draws_at_least(count / 10, count);
}

static void velocity_equals_lapack(void **unused)
{
    (void)unused;
    for (int k = 0; k < SOLVERS; k++) {
        const char *name = announce(k);
        for (const draws *d = solvers[k].velocity; d < solvers[k].velocity + 4 && d->kind; d++)
            claim_velocity_equals_lapack(name, d->kind, (int)test_draws(d->count));
    }
}

static void inertia_is_exact(void **unused)
{
    (void)unused;
    for (int k = 0; k < SOLVERS; k++) {
        const char *name = announce(k);
        for (const draws *d = solvers[k].inertia; d < solvers[k].inertia + 3 && d->kind; d++)
            claim_inertia_is_exact(name, d->kind, (int)test_draws(d->count));
    }
}

static void contradictory_rows_are_not_solved_and_named(void **unused)
{
    (void)unused;
    for (int k = 0; k < SOLVERS; k++)
        claim_contradictory_rows_are_not_solved(announce(k), draws_of(200));
}

static void units_do_not_matter(void **unused)
{
    (void)unused;
    for (int k = 0; k < SOLVERS; k++) claim_units_do_not_matter(announce(k), draws_of(300));
}

static void refresh_equals_fresh_bit_for_bit(void **unused)
{
    (void)unused;
    for (int k = 0; k < SOLVERS; k++)
        claim_refresh_equals_fresh_bit_for_bit(announce(k), solvers[k].symmetric, draws_of(50));
}

static void nothing_is_allocated_again(void **unused)
{
    (void)unused;
    for (int k = 0; k < SOLVERS; k++) {
        int renewed = strcmp(solvers[k].name, "lu") == 0 ||
                      solvers[k].factorization == SADDLE_FACTORIZATION_UMFPACK ||
                      solvers[k].factorization == SADDLE_FACTORIZATION_KLU;
        claim_nothing_is_allocated_again(announce(k), renewed);
    }
}

static void failing_allocations_leak_nothing(void **unused)
{
    (void)unused;
    for (int k = 0; k < SOLVERS; k++) claim_failing_allocations_leak_nothing(announce(k));
}

static void empty_shapes_are_solved(void **unused)
{
    (void)unused;
    for (int k = 0; k < SOLVERS; k++) claim_empty_shapes_are_solved(announce(k));
}

static void extreme_values_end_in_order(void **unused)
{
    (void)unused;
    for (int k = 0; k < SOLVERS; k++) claim_extreme_values_end_in_order(announce(k), draws_of(500));
}

static void options_change_the_way_only(void **unused)
{
    (void)unused;
    for (int k = 0; k < SOLVERS; k++) claim_options_change_the_way_only(announce(k), draws_of(200));
}

static void refinements_are_no_more_than_allowed(void **unused)
{
    (void)unused;
    for (int k = 0; k < SOLVERS; k++)
        claim_refinements_are_no_more_than_allowed(announce(k), draws_of(300));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocity_equals_lapack),
        cmocka_unit_test(inertia_is_exact),
        cmocka_unit_test(contradictory_rows_are_not_solved_and_named),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(refresh_equals_fresh_bit_for_bit),
        cmocka_unit_test(nothing_is_allocated_again),
        cmocka_unit_test(failing_allocations_leak_nothing),
        cmocka_unit_test(empty_shapes_are_solved),
        cmocka_unit_test(extreme_values_end_in_order),
        cmocka_unit_test(options_change_the_way_only),
        cmocka_unit_test(refinements_are_no_more_than_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
