/* SPDX-License-Identifier: MIT */
/* Tests linked as one program: each is the main of a file test_*.c.
 *
 *     tests_PROGRAM NAME       one test in this process
 *     tests_PROGRAM NAME...    several, each in a child of this process, so that valgrind reads the
 *                              libraries and translates what starts them once for all
 *
 * SADDLE_TEST_CASE=PATTERN, with * and ?: of their cases only those with such a name.
 * exit code: the largest of the tests; 2 for an unknown name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

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

static int run_in_child(const struct test *test)
{
    const pid_t child = fork();
    int status;
    if (child == 0) exit(test->run());
    if (child < 0 || waitpid(child, &status, 0) != child) return 98;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return 0;
    printf("%s: %s %d\n", test->name, WIFEXITED(status) ? "exit" : "signal",
           WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    (void)fflush(stdout);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 98;
}

int main(int argc, char **argv)
{
    int worst = 0;
    cmocka_set_test_filter(getenv("SADDLE_TEST_CASE"));
    if (argc < 3) return test_of(argc == 2 ? argv[1] : "")->run();
    for (int k = 1; k < argc; k++) {
        const int code = run_in_child(test_of(argv[k]));
        if (code > worst) worst = code;
    }
    return worst;
}
