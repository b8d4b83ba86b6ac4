/* SPDX-License-Identifier: MIT */
/* What other programs print while they are measured stays out of the tables. */
#define _POSIX_C_SOURCE 200809L /* dup2 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "complementarity/measure.h"
#include "support.h"
#ifdef SADDLE_TEST_MUJOCO
#include "mujoco_messages.h"
#include "reduced/mujoco_tree.h"
#endif

/* Standard output (1) or standard error (2) in a file, until it is read. */
typedef struct redirected {
    int stream, before;
    char path[4096];
} redirected;

static redirected redirect(int stream)
{
    redirected r = {.stream = stream, .before = dup(stream)};
    (void)fflush(NULL);
    snprintf(r.path, sizeof r.path, "%s/output", test_scratch_folder());
    int file = open(r.path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(r.before >= 0 && file >= 0 && dup2(file, stream) == stream);
    assert_int_equal(close(file), 0);
    return r;
}

static void read_back(redirected *r, char text[256])
{
    (void)fflush(NULL);
    assert_int_equal(dup2(r->before, r->stream), r->stream);
    assert_int_equal(close(r->before), 0);
    FILE *file = fopen(r->path, "r");
    assert_non_null(file);
    text[fread(text, 1, 255, file)] = '\0';
    assert_int_equal(fclose(file), 0);
}

/* Prints as a C library does, and past its buffer. */
static int print_and_solve(lcp_call *call)
{
    printf("a solver's words, without an end of line");
    assert_true(write(STDOUT_FILENO, "more\n", 5) == 5);
    for (int i = 0; i < call->n; i++) call->x[i] = 0;
    call->seconds = 1e-3;
    return 0;
}

static void a_solver_that_prints_leaves_the_table_alone(void **unused)
{
    (void)unused;
    const lcp_peer peer = {.name = "talker", .what = "", print_and_solve, 1, 9, 0};
    const bench_options options = {.budget = 1};
    char text[256];
    lcp_problem p;
    lcp_line line;
    assert_int_equal(lcp_draw(NULL, LCP_PLAIN, 3, test_seed(), &p), SADDLE_OK);
    redirected table = redirect(STDOUT_FILENO);
    printf("before, ");
    lcp_measure_peer(&options, &peer, &p, 1, &line);
    printf("after");
    read_back(&table, text);
    assert_string_equal(text, "before, after");
    assert_true(line.repetitions > 1 && line.again == 1e-3);
    lcp_clear(&p);
}

#ifdef SADDLE_TEST_MUJOCO
static void a_warning_of_mujoco_is_an_error_message_and_no_file(void **unused)
{
    (void)unused;
    const double q = 0.1, dq = 0;
    double ddq;
    char text[256], folder[4096];
    assert_non_null(getcwd(folder, sizeof folder));
    assert_int_equal(chdir(test_scratch_folder()), 0);
    assert_true(mujoco_tree_seconds(1, 1, &q, &dq, 0, 1, 1, &ddq) > 0);
    redirected table = redirect(STDOUT_FILENO), said = redirect(STDERR_FILENO);
    mju_warning("a test");
    read_back(&said, text);
    assert_string_equal(text, "MuJoCo: a test\n");
    read_back(&table, text);
    assert_string_equal(text, "");
    assert_int_not_equal(access("MUJOCO_LOG.TXT", F_OK), 0);
    assert_int_equal(chdir(folder), 0);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_solver_that_prints_leaves_the_table_alone),
#ifdef SADDLE_TEST_MUJOCO
        cmocka_unit_test(a_warning_of_mujoco_is_an_error_message_and_no_file),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
