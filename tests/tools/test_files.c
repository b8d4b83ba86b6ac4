/* SPDX-License-Identifier: MIT */
/* Files and messages of the command: solutions, converted problems. */
#include "run.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

/* Entries of a folder, "." and ".." apart. */
static int entries(const char *folder)
{
    int count = 0;
    DIR *open = opendir(folder);
    assert_non_null(open);
    for (const struct dirent *entry; (entry = readdir(open)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(open);
    return count;
}

/* ---- solutions ---- */

static void nothing_but_the_solution_stays_beside_it(void **state)
{
    (void)state;
    const char *folder = test_scratch_folder();
    run result = run_expecting(0, "solve", two_rods(), "--output", path_in(folder, "answer"), NULL);
    run_clear(&result);
    assert_true(exists(path_in(folder, "answer/v.mtx")));
    assert_int_equal(entries(folder), 1);
}

/* The problem does not exist either: whose name is in the message was looked at first. */
static void an_output_that_cannot_be_written_is_refused_before_the_problem_is_read(void **state)
{
    (void)state;
    const char *folder = test_scratch_folder(), *foreign = path_in(folder, "foreign");
    assert_int_equal(mkdir(foreign, 0700), 0);
    write_text(foreign, "notes", "mine\n");
    write_text(folder, "file", "mine too\n");
    run_refused(3, foreign, "not a saddle solution", "solve", "no-problem", "--output", foreign,
                NULL);
    run_refused(3, "/file", "a file of that name", "solve", "no-problem", "--output",
                path_in(folder, "file"), NULL);
    run_refused(3, "/none/x", "No such file", "solve", "no-problem", "--output",
                path_in(folder, "none/x"), NULL);
    run_refused(3, "/none/x", "No such file", "solve", two_rods(), "--output",
                path_in(folder, "none/x"), NULL);
    assert_int_equal(entries(foreign), 1);
    run_refused(3, "no-problem", NULL, "solve", "no-problem", "--output", path_in(folder, "new"),
                NULL);
    assert_int_equal(entries(folder), 2); /* looking left nothing behind */
}

/* Runs with files limited to that many bytes: a disk that is full. */
static run run_on_a_full_disk(rlim_t bytes, int count, const char *const *words)
{
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const run result = run_words(count, words);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    return result;
}

static void a_full_disk_costs_the_files_and_not_the_report(void **state)
{
    (void)state;
    const char *problem = grid(40), *folder = test_scratch_folder(),
               *target = path_in(folder, "answer");
    const char *const words[] = {"solve", problem, "--output", target, "--json"};
    for (int json = 0; json < 2; json++) {
        run result = run_on_a_full_disk(4096, 4 + json, words);
        if (result.code != 3) fail_msg("exit code %d: %s", result.code, result.err);
        assert_non_null(strstr(result.err, "saddle: "));
        assert_non_null(strstr(result.err, "v.mtx: cannot be written: "));
        if (json) {
            json_t *object = run_json(&result);
            assert_true(json_at(object, "residual", "total") <= 1e-10);
            json_decref(object);
        } else {
            assert_non_null(strstr(result.out, "status     solved: residual "));
            assert_null(strstr(result.out, "output "));
        }
        run_clear(&result);
        assert_int_equal(entries(folder), 0);
    }
    const char *const convert[] = {"convert", problem, path_in(folder, "copy")};
    run result = run_on_a_full_disk(4096, 3, convert);
    assert_int_equal(result.code, 3);
    run_clear(&result);
    assert_int_equal(entries(folder), 0);
}

static void nothing_is_said_to_be_written_that_is_not(void **state)
{
    (void)state;
    run result = run_expecting(1, "solve", grid(12), "--solver", "gauss-seidel", "--max-iter", "2",
                               NULL);
    assert_non_null(
        strstr(result.out, "status     iteration limit reached before the tolerance: residual "));
    assert_null(strstr(result.out, "written"));
    run_clear(&result);
}

/* v = 1e300 at M = 1e300 overflows. */
static void a_residual_that_is_no_number_is_an_overflow_in_words(void **state)
{
    (void)state;
    const char *problem = unsymmetric(), *folder = path_in(test_scratch_folder(), "answer");
    run result = run_expecting(0, "solve", problem, "--output", folder, NULL);
    run_clear(&result);
    write_text(problem, "M.mtx",
               "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1e300\n2 2 1e300\n");
    write_text(folder, "v.mtx", "%%MatrixMarket matrix array real general\n2 1\n1e300\n1e300\n");
    result = run_expecting(1, "check", problem, folder, NULL);
    assert_non_null(strstr(result.out, "overflow double precision: residual -, tolerance"));
    assert_null(strstr(result.out, "total nan"));
    assert_null(strstr(result.out, "total inf"));
    run_clear(&result);
}

/* ---- bare systems ---- */

static void convert_names_every_file_it_writes(void **state)
{
    (void)state;
    const char *folder = test_scratch_folder(), *problem = two_rods();
    const char *K = path_in(folder, "K.mtx"), *rhs = path_in(folder, "K.rhs.mtx"),
               *D = path_in(folder, "D.dat");
    char expected[1024];
    write_text(folder, "K.rhs.mtx", "notes of mine\n");
    run result = run_expecting(0, "convert", problem, K, NULL);
    snprintf(expected, sizeof expected, "-> %.400s, %.400s (replaced)\n", K, rhs);
    assert_non_null(strstr(result.out, expected));
    run_clear(&result);
    result = run_expecting(0, "convert", unsymmetric(), D, "--to", "siconos-matrix", NULL);
    snprintf(expected, sizeof expected, "-> %.400s, %.400s\n", D, path_in(folder, "D.rhs.dat"));
    assert_non_null(strstr(result.out, expected));
    run_clear(&result);
    assert_true(exists(path_in(folder, "D.rhs.dat")));
    assert_int_equal(entries(folder), 4);
    result = run_expecting(0, "convert", K, path_in(folder, "system"), "--rhs", rhs, NULL);
    assert_non_null(strstr(result.out, "/system\n"));
    run_clear(&result);
}

static void expect_said(int said, run result)
{
    static const char line[] =
        "\nright-hand side  K 1 (none given: the exact solution is all ones)\n";
    if ((strstr(result.out, line) != NULL) != said ||
        (strstr(result.out, "right-hand side") != NULL) != said)
        fail_msg("%s", result.out);
    run_clear(&result);
}

static void expect_said_in_json(int said, run result)
{
    json_t *object = run_json(&result);
    const char *text = json_string_value(json_object_get(object, "rhs"));
    assert_int_equal(text != NULL, said);
    if (said) assert_int_equal(strncmp(text, "K 1 ", 4), 0);
    json_decref(object);
    run_clear(&result);
}

static void a_right_hand_side_that_nobody_gave_is_pointed_out(void **state)
{
    (void)state;
    const char *folder = test_scratch_folder(), *K = path_in(folder, "K.mtx"),
               *rhs = path_in(folder, "K.rhs.mtx");
    const char *x = path_in(folder, "x"), *y = path_in(folder, "y");
    run result = run_expecting(0, "convert", two_rods(), K, NULL);
    run_clear(&result);
    expect_said(1, run_expecting(0, "solve", K, "--output", x, NULL));
    expect_said(0, run_expecting(0, "solve", K, "--rhs", rhs, "--output", y, NULL));
    expect_said(1, run_expecting(0, "check", K, x, NULL));
    expect_said(0, run_expecting(0, "check", K, y, "--rhs", rhs, NULL));
    expect_said(1, run_expecting(0, "info", K, NULL));
    expect_said(0, run_expecting(0, "info", K, "--rhs", rhs, NULL));
    expect_said(1, run_expecting(0, "convert", K, path_in(folder, "system"), NULL));
    expect_said(0, run_expecting(0, "solve", two_rods(), NULL));
    expect_said_in_json(1, run_expecting(0, "solve", K, "--json", NULL));
    expect_said_in_json(1, run_expecting(0, "solve", K, "--json", "--reference", NULL));
    expect_said_in_json(0, run_expecting(0, "solve", K, "--json", "--rhs", rhs, NULL));
    expect_said_in_json(1, run_expecting(0, "check", K, x, "--json", NULL));
    expect_said_in_json(1, run_expecting(0, "info", K, "--json", NULL));
}

static void warnings_of_the_readers_reach_standard_error(void **state)
{
    (void)state;
    const char *folder = test_scratch_folder();
    write_text(folder, "K.mtx",
               "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 2.5");
    run result = run_expecting(0, "solve", path_in(folder, "K.mtx"), NULL);
    assert_non_null(strstr(result.err, "saddle: warning: "));
    assert_non_null(strstr(result.err, "K.mtx"));
    run_clear(&result);
    write_text(folder, "K.mtx",
               "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 2.5\n");
    result = run_expecting(0, "solve", path_in(folder, "K.mtx"), NULL);
    assert_string_equal(result.err, "");
    run_clear(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_but_the_solution_stays_beside_it),
        cmocka_unit_test(an_output_that_cannot_be_written_is_refused_before_the_problem_is_read),
        cmocka_unit_test(a_full_disk_costs_the_files_and_not_the_report),
        cmocka_unit_test(nothing_is_said_to_be_written_that_is_not),
        cmocka_unit_test(a_residual_that_is_no_number_is_an_overflow_in_words),
        cmocka_unit_test(convert_names_every_file_it_writes),
        cmocka_unit_test(a_right_hand_side_that_nobody_gave_is_pointed_out),
        cmocka_unit_test(warnings_of_the_readers_reach_standard_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
