/* SPDX-License-Identifier: MIT */
/* Command lines: help, version, what is refused and how. */
#include "run.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const verbs[] = {"solve",    "info",     "check",  "convert",
                                    "bench",    "solvers",  "reduce", "recover",
                                    "simulate", "accuracy", "bundle", "replay"};
enum { VERBS = sizeof verbs / sizeof verbs[0] };

static void help_names_every_verb_and_exit_code(void **state)
{
    (void)state;
    run result = run_expecting(0, "--help", NULL);
    for (int i = 0; i < VERBS; i++) assert_non_null(strstr(result.out, verbs[i]));
    for (int code = 0; code <= 5; code++) {
        char line[16];
        snprintf(line, sizeof line, "\n  %d  ", code);
        assert_non_null(strstr(result.out, line));
    }
    assert_string_equal(result.err, "");
    run_clear(&result);
}

static void each_verb_explains_its_options(void **state)
{
    static const char *const options[VERBS][9] = {
        {"--solver NAME", "--tol T", "--max-iter N", "--time-limit S", "--friction", "--facets N",
         "--output DIR", "--json", "--reference"},
        {"--spy FILE", "--rhs FILE", "--format WORD", "--json"},
        {"--tol T", "--json"},
        {"--from WORD", "--to WORD", "--rhs FILE", "siconos-gfc"},
        {"--solvers A,B", "--repeat N", "--tol T", "--time-limit S", "--csv", "--rhs FILE"},
        {"--json"},
        {"--attachments", "--friction", "--memory-limit"},
        {"--attachments", "--tol T", "saddle check PROBLEM OUT"},
        {"--steps N", "--every K", "--export DIR", "--json", "--positions", "--view FILE.html"},
        {"--solvers A,B", "--vary NAME=V1,V2,..", "--tol T", "--csv", "--rhs FILE"},
        {"--M FILE", "--bounds FILE", "--contacts FILE", "--friction", "chain_J.mtx"},
        {"--solvers A,B", "--cold", "--csv", "--report PAGE.html", "--tol T"},
    };
    (void)state;
    for (int i = 0; i < VERBS; i++) {
        char usage[64];
        run result = run_expecting(0, verbs[i], "--help", NULL);
        snprintf(usage, sizeof usage, "Usage: saddle %s ", verbs[i]);
        assert_non_null(strstr(result.out, usage));
        assert_non_null(strstr(result.out, "Exit codes:"));
        for (int k = 0; k < 9 && options[i][k]; k++)
            if (!strstr(result.out, options[i][k]))
                fail_msg("saddle %s --help lacks %s", verbs[i], options[i][k]);
        run_clear(&result);
    }
}

static void help_prints_the_library_s_own_defaults(void **state)
{
    const saddle_options options = saddle_options_default();
    char tolerance[64], refinements[64];
    (void)state;
    run result = run_expecting(0, "solve", "--help", NULL);
    snprintf(tolerance, sizeof tolerance, "at most T [%g]", options.tolerance);
    snprintf(refinements, sizeof refinements, "at most [%d]", (int)options.max_refinements);
    assert_non_null(strstr(result.out, tolerance));
    assert_non_null(strstr(result.out, refinements));
    run_clear(&result);
}

/* Neither limit covers all that its name might promise. */
static void help_says_what_the_limits_cover(void **state)
{
    static const char *const limited[] = {"solve", "info", "check", "convert", "bench"};
    (void)state;
    for (int i = 0; i < 5; i++) {
        run result = run_expecting(0, limited[i], "--help", NULL);
        assert_non_null(strstr(result.out, "of the library's own allocations"));
        if (strstr(result.out, "--time-limit"))
            assert_non_null(strstr(result.out, "in analyse, in factor and in solve"));
        run_clear(&result);
    }
    run result = run_expecting(0, "--help", NULL);
    assert_null(strstr(result.out, "written, tolerance"));
    run_clear(&result);
}

static void help_fits_a_terminal_of_120_columns(void **state)
{
    (void)state;
    for (int i = 0; i < VERBS; i++) {
        run result = run_expecting(0, verbs[i], "-h", NULL);
        for (const char *line = result.out; *line;) {
            const size_t length = strcspn(line, "\n");
            if (length > 120) fail_msg("saddle %s --help: %.*s", verbs[i], (int)length, line);
            line += length + (line[length] == '\n');
        }
        run_clear(&result);
    }
}

static void version_is_the_library_s(void **state)
{
    char expected[64];
    (void)state;
    run result = run_expecting(0, "--version", NULL);
    snprintf(expected, sizeof expected, "saddle %s\n", saddle_version());
    assert_string_equal(result.out, expected);
    run_clear(&result);
}

static void mistyped_words_get_the_nearest_one(void **state)
{
    (void)state;
    run_refused(2, "did you mean 'solve'?", "--help", "slove", "x", NULL);
    run_refused(2, "did you mean 'simulate'?", "--help", "help", "simulat", NULL);
    run_refused(2, "did you mean '--friction'?", "solve --help", "solve", "x", "--frictoin", "c",
                NULL);
    run_refused(2, "did you mean 'cone'?", "solve --help", "solve", "x", "--friction", "con", NULL);
    run_refused(2, "did you mean 'gauss-seidel'?", "there are", "solve", "x", "--solver",
                "gaus-seidel", NULL);
    run_refused(2, "'xyz' (see", "--help", "xyz", NULL);
}

static void help_of_a_verb_is_its_own_help(void **state)
{
    (void)state;
    for (int i = 0; i < VERBS; i++) {
        run by_option = run_expecting(0, verbs[i], "--help", NULL);
        run by_verb = run_expecting(0, "help", verbs[i], NULL);
        assert_string_equal(by_option.out, by_verb.out);
        run_clear(&by_option);
        run_clear(&by_verb);
    }
    run whole = run_expecting(0, "--help", NULL), bare = run_expecting(0, "help", NULL);
    assert_string_equal(whole.out, bare.out);
    run_clear(&whole);
    run_clear(&bare);
}

/* The page has every verb; the script is one that bash reads, and completes an option. */
static void manual_and_completion_are_of_the_same_tables(void **state)
{
    char command[1400];
    (void)state;
    run page = run_expecting(0, "help", "--man", NULL);
    assert_int_equal(strncmp(page.out, ".TH SADDLE 1", 12), 0);
    for (int i = 0; i < VERBS; i++) {
        char heading[64];
        snprintf(heading, sizeof heading, "\n.SH SADDLE %s\n", verbs[i]);
        assert_non_null(strstr(page.out, heading));
    }
    assert_non_null(strstr(page.out, "\\-\\-time\\-limit"));
    run_clear(&page);
    snprintf(command, sizeof command,
             "bash -c 'eval \"$(%s/saddle help --completion)\"; COMP_WORDS=(saddle solve --frict); "
             "COMP_CWORD=2; _saddle; [ \"${COMPREPLY[*]}\" = --friction ] || exit 1; "
             "COMP_WORDS=(saddle si); COMP_CWORD=1; _saddle; [ \"${COMPREPLY[*]}\" = simulate ]'",
             SADDLE_BUILD_DIR);
    if (system("bash -c 'type mapfile' > /dev/null 2>&1") == 0)
        assert_int_equal(system(command), 0);
}

static void bad_command_lines_exit_2_name_the_word_and_point_to_help(void **state)
{
    (void)state;
    run_refused(2, "verb is missing", "--help", NULL);
    for (int i = 0; i < VERBS; i++) run_refused(2, "verb is missing", verbs[i], NULL);
    run_refused(2, "'sovle'", "--help", "sovle", "x", NULL);
    run_refused(2, "--verbose", "--help", "--verbose", NULL);
    run_refused(2, "--speed", "saddle solve --help", "solve", "x", "--speed", "9", NULL);
    run_refused(2, "-v", "saddle solve --help", "solve", "-v", "x", NULL);
    run_refused(2, "PROBLEM", "saddle solve --help", "solve", NULL);
    run_refused(2, "PROBLEM SOLUTION", "saddle check --help", "check", "x", NULL);
    run_refused(2, "argument 1 of saddle solve is empty", "PROBLEM", "solve", "", NULL);
    run_refused(2, "argument 2 of saddle convert is empty", "FROM TO", "convert", "x", "", NULL);
    run_refused(2, "'y'", "saddle info --help", "info", "x", "y", NULL);
    run_refused(2, "'x'", "saddle solvers", "solvers", "x", NULL);
    run_refused(2, "'y'", "saddle solvers --help", "solvers", "pivot", "y", NULL);
    run_refused(2, "--tol: needs a value", "--help", "solve", "x", "--tol", NULL);
    run_refused(2, "--tol: needs a value", "--help", "solve", "x", "--tol=", NULL);
    run_refused(2, "--json: takes no value", "--help", "solve", "x", "--json=yes", NULL);
}

static void bad_values_exit_2_and_name_the_option(void **state)
{
    (void)state;
    run_refused(2, "--tol fast", "not a number", "solve", "x", "--tol", "fast", NULL);
    run_refused(2, "--tol 1e-8x", "not a number", "solve", "x", "--tol", "1e-8x", NULL);
    run_refused(2, "--tol nan", "not a number", "solve", "x", "--tol", "nan", NULL);
    run_refused(2, "--time-limit inf", "not a number", "solve", "x", "--time-limit", "inf", NULL);
    run_refused(2, "--tol -1", "at least 0", "solve", "x", "--tol=-1", NULL);
    run_refused(2, "--max-iter 1.5", "not an integer", "solve", "x", "--max-iter", "1.5", NULL);
    run_refused(2, "--max-iter 99999999999999999999", "out of range", "solve", "x", "--max-iter",
                "99999999999999999999", NULL);
    run_refused(2, "--tol 1e999", "out of range", "solve", "x", "--tol", "1e999", NULL);
    run_refused(2, "--facets 1", "at least 2", "solve", "x", "--facets", "1", NULL);
    run_refused(2, "--friction ice", "box", "solve", "x", "--friction", "ice", NULL);
    run_refused(2, "--ordering random", "metis", "solve", "x", "--ordering", "random", NULL);
    run_refused(2, "--format pdf", "bundle", "info", "x", "--format", "pdf", NULL);
    run_refused(2, "--to pdf", "siconos-fc", "convert", "x", "y", "--to", "pdf", NULL);
    run_refused(2, "--vary =1", "not NAME=V1,V2", "accuracy", "x", "--vary", "=1", NULL);
    run_refused(2, "--repeat 0", "at least 1", "bench", "x", "--repeat", "0", NULL);
    run_refused(2, "--repeat 1001", "at most", "bench", "x", "--repeat", "1001", NULL);
}

/* The problem exists: what is wrong is found before or without reading it. */
static void values_only_the_library_can_judge_exit_2_too(void **state)
{
    (void)state;
    run_refused(2, "relaxation", "0.01 .. 1.99", "solve", two_rods(), "--set",
                "gauss-seidel.relaxation=2", NULL);
    run_refused(2, "'pardiso'", "cholmod", "solve", two_rods(), "--set",
                "ldlt.factorization=pardiso", NULL);
    run_refused(2, "'ldlt.basis'", "pivot.basis", "solve", two_rods(), "--set", "ldlt.basis=best",
                NULL);
    run_refused(2, "regularization", "--help", "solve", two_rods(), "--regularization", "1", NULL);
    run_refused(2, "'ldl'", "gauss-seidel", "solve", two_rods(), "--solver", "ldl", NULL);
    run_refused(2, "'ldl'", "gauss-seidel", "bench", two_rods(), "--solvers", "ldlt,ldl", NULL);
    run_refused(2, "''", "gauss-seidel", "bench", two_rods(), "--solvers", "ldlt,", NULL);
    run_refused(2, ".png or .svg", "--help", "info", two_rods(), "--spy", "picture.bmp", NULL);
}

static void options_may_stand_anywhere_and_two_dashes_end_them(void **state)
{
    (void)state;
    run result = run_expecting(0, "solve", "--json", two_rods(), "--tol=1e-9", "--max-iter", "7",
                               NULL);
    run_clear(&result);
    result = run_expecting(0, "solve", "--json", "--", two_rods(), NULL);
    run_clear(&result);
    run_refused(3, "--json", NULL, "solve", "--", "--json", NULL);
}

/* A full disk must not pass for success. */
static void a_report_that_cannot_be_written_is_an_error(void **state)
{
    int status;
    (void)state;
    const int full = open("/dev/full", O_WRONLY);
    if (full < 0) skip();
    const char *problem = two_rods(), *says = path_in(test_scratch_folder(), "says");
    const int report = open(says, O_RDWR | O_CREAT, 0600);
    char text[200] = "";
    const pid_t child = fork();
    if (child == 0) {
        dup2(full, STDOUT_FILENO);
        dup2(report, STDERR_FILENO);
        execl(SADDLE_BUILD_DIR "/saddle", "saddle", "solve", problem, (char *)NULL);
        _exit(99);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    close(full);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 3);
    assert_true(pread(report, text, sizeof text - 1, 0) > 0);
    close(report);
    assert_string_equal(text, "saddle: cannot write to the standard output: No space left on "
                              "device\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_names_every_verb_and_exit_code),
        cmocka_unit_test(each_verb_explains_its_options),
        cmocka_unit_test(help_prints_the_library_s_own_defaults),
        cmocka_unit_test(help_says_what_the_limits_cover),
        cmocka_unit_test(help_fits_a_terminal_of_120_columns),
        cmocka_unit_test(version_is_the_library_s),
        cmocka_unit_test(mistyped_words_get_the_nearest_one),
        cmocka_unit_test(help_of_a_verb_is_its_own_help),
        cmocka_unit_test(manual_and_completion_are_of_the_same_tables),
        cmocka_unit_test(bad_command_lines_exit_2_name_the_word_and_point_to_help),
        cmocka_unit_test(bad_values_exit_2_and_name_the_option),
        cmocka_unit_test(values_only_the_library_can_judge_exit_2_too),
        cmocka_unit_test(options_may_stand_anywhere_and_two_dashes_end_them),
        cmocka_unit_test(a_report_that_cannot_be_written_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
