/* SPDX-License-Identifier: MIT */
/* saddle bench, convert and solvers, and every verb on the systems in data/. */
#include "run.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- solvers ---- */

static void solvers_lists_the_registry(void **state)
{
    const saddle_solver_type *type;
    (void)state;
    run table = run_expecting(0, "solvers", NULL),
        result = run_expecting(0, "solvers", "--json", NULL);
    json_t *object = run_json(&result);
    const json_t *list = json_object_get(object, "solvers");
    int64_t count = 0;
    for (; (type = saddle_solver_type_at(NULL, count)) != NULL; count++) {
        const json_t *entry = json_array_get(list, (size_t)count);
        assert_string_equal(json_string_value(json_object_get(entry, "name")), type->name);
        assert_string_equal(json_string_value(json_object_get(entry, "summary")), type->summary);
        assert_non_null(strstr(table.out, type->name));
        assert_non_null(strstr(table.out, type->summary));
    }
    assert_true(count >= 5);
    assert_int_equal(json_array_size(list), count);
    json_decref(object);
    run_clear(&result);
    run_clear(&table);
}

static void solvers_lists_the_settings_of_one(void **state)
{
    (void)state;
    run table = run_expecting(0, "solvers", "pivot", NULL),
        none = run_expecting(0, "solvers", "auto", NULL),
        result = run_expecting(0, "solvers", "gauss-seidel", "--json", NULL);
    json_t *object = run_json(&result);
    const json_t *list = json_object_get(object, "solvers");
    const json_t *settings = json_object_get(json_array_get(list, 0), "settings");
    assert_int_equal(json_array_size(list), 1);
    assert_int_equal(json_array_size(settings), 2);
    const json_t *first = json_array_get(settings, 0);
    assert_string_equal(json_string_value(json_object_get(first, "name")), "relaxation");
    assert_string_equal(json_string_value(json_object_get(first, "kind")), "real");
    assert_string_equal(json_string_value(json_object_get(first, "default")), "1");
    assert_string_equal(json_string_value(json_object_get(first, "range")), "0.01 .. 1.99");
    assert_non_null(strstr(table.out, "pivot.basis"));
    assert_non_null(strstr(table.out, "best|factor|columns"));
    assert_non_null(strstr(none.out, "no settings"));
    json_decref(object);
    run_clear(&result);
    run_clear(&none);
    run_clear(&table);
}

/* ---- bench ---- */

/* Column c of line r (0: titles) of comma-separated text without quotes, into text[size]. */
static void csv_cell(const char *csv, int r, int c, char *text, size_t size)
{
    for (; r > 0; r--) {
        csv = strchr(csv, '\n');
        assert_non_null(csv);
        csv++;
    }
    for (; c > 0; c--) {
        csv += strcspn(csv, ",\n");
        assert_int_equal(*csv, ',');
        csv++;
    }
    snprintf(text, size, "%.*s", (int)strcspn(csv, ",\n"), csv);
}

static void expect_cell(const char *csv, int r, int c, const char *expected)
{
    char text[128];
    csv_cell(csv, r, c, text, sizeof text);
    assert_string_equal(text, expected);
}

static void bench_measures_every_problem_by_every_solver(void **state)
{
    static const char *const titles[] = {"name",       "path",      "set",         "difficulty",
                                         "family",     "law",       "n",           "m",
                                         "contacts",   "solver",    "settings",    "method",
                                         "tolerance",  "status",    "repetitions", "residual",
                                         "iterations", "worst_row", "memory",      "analyse",
                                         "factor",     "solve",     "cpu",         "time"};
    char text[128];
    (void)state;
    run result = run_expecting(0, "bench", two_rods(), bounded(), "--solvers", "ldlt,gauss-seidel",
                               "--repeat", "3", "--csv", NULL);
    for (int c = 0; c < 24; c++) expect_cell(result.out, 0, c, titles[c]);
    expect_cell(result.out, 1, 0, "rods");
    expect_cell(result.out, 1, 6, "4");
    expect_cell(result.out, 1, 7, "2");
    expect_cell(result.out, 1, 9, "ldlt");
    expect_cell(result.out, 1, 13, "solved");
    expect_cell(result.out, 1, 14, "3");
    expect_cell(result.out, 2, 9, "gauss-seidel");
    expect_cell(result.out, 3, 0, "bounded");
    expect_cell(result.out, 3, 13, "can't");
    expect_cell(result.out, 3, 14, "1");
    expect_cell(result.out, 3, 15, "");
    expect_cell(result.out, 3, 23, "");
    expect_cell(result.out, 4, 13, "solved");
    csv_cell(result.out, 4, 15, text, sizeof text);
    assert_true(strtod(text, NULL) <= 1e-10);
    csv_cell(result.out, 4, 18, text, sizeof text);
    assert_true(strtod(text, NULL) > 100);
    run_clear(&result);
}

static void bench_names_what_auto_picked(void **state)
{
    (void)state;
    run result = run_expecting(0, "bench", two_rods(), unsymmetric(), "--csv", NULL);
    expect_cell(result.out, 1, 9, "auto");
    expect_cell(result.out, 1, 11, "ldlt");
    expect_cell(result.out, 2, 9, "auto");
    expect_cell(result.out, 2, 11, "lu");
    run_clear(&result);
    result = run_expecting(0, "bench", two_rods(), NULL);
    assert_non_null(strstr(result.out, "name  n  m  contacts  solver  method    tol  status"));
    run_clear(&result);
}

static void bench_fails_where_a_problem_is_solved_by_none(void **state)
{
    (void)state;
    run result = run_expecting(1, "bench", two_rods(), bounded(), "--solvers", "ldlt,lu", "--csv",
                               NULL);
    expect_cell(result.out, 1, 13, "solved");
    run_clear(&result);
    result = run_expecting(1, "bench", grid(12), "--solvers", "gauss-seidel", "--max-iter", "2",
                           "--csv", NULL);
    expect_cell(result.out, 1, 13, "iteration limit");
    run_clear(&result);
    /* the others are still measured */
    result = run_expecting(3, "bench", "no-such", two_rods(), "--csv", NULL);
    expect_cell(result.out, 1, 13, "solved");
    assert_non_null(strstr(result.err, "no-such"));
    run_clear(&result);
}

/* ---- convert ---- */

/* A vector of zeros may be left out. */
static void expect_zero(const char *path)
{
    double *value = NULL;
    int64_t rows = 0, cols = 0;
    assert_int_equal(saddle_array_read(NULL, path, 0, &rows, &cols, &value), SADDLE_OK);
    for (int64_t k = 0; k < rows * cols; k++)
        if (value[k] < 0 || value[k] > 0) fail_msg("%s is not zero", path);
    saddle_release(NULL, value);
}

static void expect_same(const char *folder, const char *other, const char *file)
{
    size_t size, size2;
    const char *path = path_in(folder, file), *path2 = path_in(other, file);
    if (!exists(path) && !exists(path2)) return;
    if (!exists(path) || !exists(path2)) {
        expect_zero(exists(path) ? path : path2);
        return;
    }
    char *text = read_bytes(path, &size), *text2 = read_bytes(path2, &size2);
    if (size != size2 || memcmp(text, text2, size) != 0)
        fail_msg("%s differs between %s and %s", file, folder, other);
    free(text);
    free(text2);
}

/* There and back: the same numbers bit for bit, so the same bytes once both have been written by
 * us. */
static void round_trip(const char *problem, const char *name, const char *word)
{
    static const char *const files[] = {"M.mtx", "J.mtx",      "R.mtx",       "f.mtx",
                                        "b.mtx", "bounds.mtx", "contacts.mtx"};
    const char *folder = test_scratch_folder();
    const char *first = path_in(folder, "first"), *there = path_in(folder, name),
               *back = path_in(folder, "back");
    run result = run_expecting(0, "convert", problem, first, NULL);
    run_clear(&result);
    result = run_expecting(0, "convert", first, there, "--to", word, NULL);
    assert_non_null(strstr(result.out, there));
    run_clear(&result);
    result = run_expecting(0, "convert", there, back, "--from", word, NULL);
    run_clear(&result);
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) expect_same(first, back, files[k]);
}

/* A contact problem in Delassus form, as the local formats hold it. */
static const char *delassus(void)
{
    const char *folder = slider();
    write_text(folder, "problem.json",
               "{\"format\": \"saddle-problem\", \"version\": 1, \"n\": 0, \"m\": 3, "
               "\"symmetric\": false}\n");
    write_text(folder, "R.mtx",
               "%%MatrixMarket matrix coordinate real general\n3 3 5\n1 1 2\n2 1 0.1\n1 2 0.3\n2 2 "
               "1.7\n3 3 1\n");
    write_text(folder, "b.mtx",
               "%%MatrixMarket matrix array real general\n3 1\n1\n0.3333333333333333\n-2\n");
    assert_int_equal(remove(path_in(folder, "M.mtx")) | remove(path_in(folder, "J.mtx")) |
                         remove(path_in(folder, "f.mtx")),
                     0);
    return folder;
}

static void convert_there_and_back_changes_no_bit(void **state)
{
    (void)state;
    round_trip(bounded(), "copy", "bundle");
    round_trip(redundant(), "copy", "bundle");
    round_trip(slider(), "there.hdf5", "fclib");
    round_trip(slider(), "there.dat", "siconos-gfc");
    round_trip(delassus(), "there.hdf5", "fclib");
    round_trip(delassus(), "there.dat", "siconos-fc");
}

static void convert_says_what_the_target_cannot_hold(void **state)
{
    (void)state;
    const char *target = path_in(test_scratch_folder(), "out.dat");
    run_refused(4, NULL, NULL, "convert", bounded(), target, "--to", "siconos-fc", NULL);
    run_refused(4, NULL, NULL, "convert", bounded(), target, "--to", "siconos-lcp", NULL);
    assert_false(exists(target));
    run_refused(3, "no-such", NULL, "convert", "no-such", target, NULL);
    assert_false(exists(target));
    run_refused(3, NULL, NULL, "convert", two_rods(), path_in(target, "below/a-file"), NULL);
}

/* ---- data/ ---- */

static void every_shipped_problem_is_solved_checked_and_described(void **state)
{
    const char *data = SADDLE_SOURCE_DIR "/data";
    int count = 0;
    (void)state;
    DIR *open = opendir(data);
    if (!open) fail_msg("there is no %s", data);
    for (const struct dirent *entry; (entry = readdir(open)) != NULL;) {
        const char *problem = path_in(data, entry->d_name);
        if (entry->d_name[0] == '.' || !exists(path_in(problem, "problem.json"))) continue;
        const char *folder = path_in(test_scratch_folder(), "answer");
        run result = run_expecting(0, "solve", problem, "--json", "--output", folder, NULL);
        json_decref(run_json(&result));
        run_clear(&result);
        result = run_expecting(0, "check", problem, folder, NULL);
        run_clear(&result);
        result = run_expecting(0, "info", problem, "--json", "--spy", path_in(folder, "k.svg"),
                               NULL);
        json_decref(run_json(&result));
        run_clear(&result);
        count++;
    }
    closedir(open);
    if (count < 8) fail_msg("only %d systems in %s", count, data);
}

/* ---- accuracy ---- */

/* The cell of a line of comma-separated values; line and column from 0. */
static void cell_of(const char *csv, int line, int column, char *text, size_t size)
{
    for (; line > 0; line--) {
        csv = strchr(csv, '\n');
        assert_non_null(csv);
        csv++;
    }
    for (; column > 0; column--) csv = strchr(csv, ',') + 1;
    snprintf(text, size, "%.*s", (int)strcspn(csv, ",\n"), csv);
}

/* Without refinement the regularization of the rows is in the answer; with it all digits are right.
 */
static void accuracy_sees_what_refinement_does(void **state)
{
    char text[80];
    (void)state;
    run result = run_expecting(0, "accuracy", "data/chain", "--solvers", "ldlt", "--vary",
                               "max-refinements=0,20", "--vary", "regularization=1e-9,1e-12",
                               "--csv", NULL);
    double digits[4];
    for (int line = 1; line <= 4; line++) {
        cell_of(result.out, line, 5, text, sizeof text);
        digits[line - 1] = strtod(text, NULL);
    }
    cell_of(result.out, 4, 2, text, sizeof text);
    assert_string_equal(text, "max-refinements=20 regularization=1e-12");
    assert_true(digits[0] > 5.0 && digits[0] < 11.0);
    assert_true(digits[1] > digits[0] + 1.5 && digits[1] < 14.0);
    assert_true(digits[2] > 14.5 && digits[3] > 14.5);
    run_clear(&result);
}

static void accuracy_runs_settings_where_they_belong(void **state)
{
    (void)state;
    run result = run_expecting(0, "accuracy", two_rods(), "--solvers", "ldlt,lu", "--vary",
                               "ldlt.factorization=ldlt,klu", NULL);
    int lines = 0;
    for (const char *at = result.out; *at; at++) lines += *at == '\n';
    assert_int_equal(lines, 1 + 2 + 1); /* the titles, ldlt twice, lu once */
    run_clear(&result);
    run_refused(2, "--tlo", "did you mean '--tol'?", "accuracy", two_rods(), "--vary", "tlo=3",
                NULL);
    run_refused(2, "not NAME=", "--help", "accuracy", two_rods(), "--vary", "tol", NULL);
    run_refused(2, "tol fast", NULL, "accuracy", two_rods(), "--vary", "tol=1e-3,fast", NULL);
    run_refused(3, "no-such", NULL, "accuracy", "no-such", NULL);
}

/* Digits of v of each line of `accuracy`. */
static void digits_of(const char *csv, int lines, double *digits)
{
    char text[80];
    for (int line = 1; line <= lines; line++) {
        cell_of(csv, line, 5, text, sizeof text);
        digits[line - 1] = strtod(text, NULL);
    }
}

/* Seven digits of factors in float, as many more with each step. */
static void accuracy_of_a_single_precision_factor_is_refined(void **state)
{
    (void)state;
    double digits[3];
    run result = run_expecting(0, "accuracy", "data/bushings", "--solvers", "ldlt", "--vary",
                               "ldlt.precision=single", "--vary", "max-refinements=0,1,3", "--csv",
                               NULL);
    digits_of(result.out, 3, digits);
    assert_true(digits[0] > 5.0 && digits[0] < 9.0);
    assert_true(digits[1] > digits[0] + 5.0);
    assert_true(digits[2] > 15.0);
    run_clear(&result);
    run_refused(4, "factorization=cholmod", NULL, "solve", "data/bushings", "--solver", "ldlt",
                "--set", "ldlt.precision=single", "--set", "ldlt.factorization=klu", NULL);
}

/* Powers of two: ldlt works in natural units and makes the same roundings. */
static void accuracy_is_the_same_in_other_units(void **state)
{
    (void)state;
    double digits[3];
    run result = run_expecting(0, "accuracy", "data/grid-rods", "--solvers", "ldlt", "--vary",
                               "scale=1,1e4,1e8", "--vary", "max-refinements=0", "--csv", NULL);
    digits_of(result.out, 3, digits);
    assert_true(digits[0] > 8.0 && digits[0] < 14.0);
    assert_true(fabs(digits[1] - digits[0]) < 1.0 && fabs(digits[2] - digits[0]) < 1.0);
    run_clear(&result);
    run_refused(2, "scale=0.5", NULL, "accuracy", two_rods(), "--vary", "scale=0.5", NULL);
    run_refused(2, "scale=big", NULL, "accuracy", two_rods(), "--vary", "scale=big", NULL);
}

static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (; (text = strstr(text, word)) != NULL; text++) count++;
    return count;
}

/* Of each varied option digits of v and lambda and the residual, a line for each value of the
 * other. */
static void accuracy_draws_each_varied_option(void **state)
{
    (void)state;
    const char *page = path_in(test_scratch_folder(), "page.html");
    run result = run_expecting(0, "accuracy", "data/chain", "--solvers", "ldlt,lu", "--vary",
                               "regularization=1e-12,1e-9,1e-6", "--vary", "max-refinements=0,5",
                               "--report", page, NULL);
    char *text = read_bytes(page, NULL);
    assert_int_equal(count_of(text, "<svg"), 6);
    assert_int_equal(count_of(text, "class=\"series\""), 3 * (2 * 2) + 3 * (2 * 3));
    assert_int_equal(count_of(text, "<tr>"), 1 + 12);
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "://"));
    free(text);
    run_clear(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solvers_lists_the_registry),
        cmocka_unit_test(solvers_lists_the_settings_of_one),
        cmocka_unit_test(bench_measures_every_problem_by_every_solver),
        cmocka_unit_test(bench_names_what_auto_picked),
        cmocka_unit_test(bench_fails_where_a_problem_is_solved_by_none),
        cmocka_unit_test(convert_there_and_back_changes_no_bit),
        cmocka_unit_test(convert_says_what_the_target_cannot_hold),
        cmocka_unit_test(every_shipped_problem_is_solved_checked_and_described),
        cmocka_unit_test(accuracy_sees_what_refinement_does),
        cmocka_unit_test(accuracy_runs_settings_where_they_belong),
        cmocka_unit_test(accuracy_of_a_single_precision_factor_is_refined),
        cmocka_unit_test(accuracy_is_the_same_in_other_units),
        cmocka_unit_test(accuracy_draws_each_varied_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
