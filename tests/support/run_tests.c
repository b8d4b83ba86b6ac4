/* SPDX-License-Identifier: MIT */
/* Tests linked as one program: each is the main of a file test_*.c.
 *
 *     tests_PROGRAM NAME...    several are run one after the other in one process, so that valgrind
 *                              reads the libraries, and translates what they share, once for all
 *
 * SADDLE_TEST_CASE=PATTERN, with * and ?: of their cases only those with such a name.
 * exit code: that of the first test that fails, else 77 where one skips; 2 for an unknown name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { SKIPPED = 77 };

/* tests.h is TEST(NAME) for each (tests/CMakeLists.txt); its main is called main_of_NAME. */
#define TEST(name) int main_of_##name(void);
#include "tests.h"
#undef TEST

static const struct test {
    const char *name;
    int (*run)(void);
} tests[] = {
#define TEST(name) {#name, main_of_##name},
#include "tests.h"
#undef TEST
};

static const struct test *test_of(const char *name)
{
    for (size_t k = 0; k < sizeof tests / sizeof *tests; k++)
        if (strcmp(tests[k].name, name) == 0) return &tests[k];
    printf("NAME is one of:");
    for (size_t k = 0; k < sizeof tests / sizeof *tests; k++) printf(" %s", tests[k].name);
    printf("\n");
    exit(2);
}

int main(int argc, char **argv)
{
    int worst = 0;
    cmocka_set_test_filter(getenv("SADDLE_TEST_CASE"));
    for (int k = 1; k < argc || k == 1; k++) {
        const struct test *test = test_of(argc > 1 ? argv[k] : "");
        if (argc > 2)
            printf("%s\n", test->name); /* whose cases follow, where one ends the program */
        fflush(stdout);
        const int code = test->run();
        if (worst == 0 || worst == SKIPPED) worst = code != 0 ? code : worst;
    }
    return worst;
}
