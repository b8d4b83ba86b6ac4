/* SPDX-License-Identifier: MIT */
/* Patterns that differ have different fingerprints. */
#include "problem/problem_internal.h"

#include <stdlib.h>

#include "support.h"

enum { SIDE = 4, PATTERNS = 1 << (SIDE * SIDE) };

/* The print of the SIDE x SIDE pattern whose entries are the bits of `entries`. */
static uint64_t print_of(unsigned entries)
{
    int64_t start[SIDE + 1] = {0};
    int64_t index[SIDE * SIDE] = {0};
    int64_t count = 0;
    for (int64_t j = 0; j < SIDE; j++) {
        for (int64_t i = 0; i < SIDE; i++)
            if (entries >> (i + SIDE * j) & 1u) index[count++] = i;
        start[j + 1] = count;
    }
    saddle_problem problem = {.m = SIDE,
                              .R = {.rows = SIDE, .cols = SIDE, .start = start, .index = index}};
    return saddle__pattern_of(&problem).print[2];
}

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void all_patterns_of_four_by_four_have_prints_of_their_own(void **state)
{
    (void)state;
    uint64_t *print = malloc(PATTERNS * sizeof *print);
    assert_non_null(print);
    for (unsigned k = 0; k < PATTERNS; k++) print[k] = print_of(k);
    qsort(print, PATTERNS, sizeof *print, ascending);
    for (int k = 1; k < PATTERNS; k++) assert_true(print[k] != print[k - 1]);
    free(print);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_patterns_of_four_by_four_have_prints_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
