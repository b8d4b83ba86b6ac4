/* SPDX-License-Identifier: MIT */
/* Dense arrays: array files, coordinate files and plain columns of numbers. */
#include "files_support.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/bundle.h"
#include "files/mtx.h"
#include "saddle/files.h"

#define ARRAY "%%MatrixMarket matrix array real general\n"

static saddle_status parse(saddle_context *context, const char *text, int allow_infinite,
                           int64_t *rows, int64_t *cols, double **value)
{
    size_t length = strlen(text);
    char *exact = malloc(length + 1);
    assert_non_null(exact);
    memcpy(exact + 1, text, length); /* no NUL behind it */
    saddle_status status = parse_array(context, exact + 1, (int64_t)length, "x.mtx", allow_infinite,
                                       rows, cols, value);
    free(exact);
    return status;
}

static void every_kind_of_file_reads_as_the_array_it_states(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        int64_t rows, cols;
        double value[9]; /* column by column */
    } cases[] = {
        {ARRAY "2 3\n1\n2\n3\n4\n5\n6\n", 2, 3, {1, 2, 3, 4, 5, 6}},
        {ARRAY "% c\n2 3\n1 2\n3 4\n\n%\n5 6", 2, 3, {1, 2, 3, 4, 5, 6}},
        {ARRAY "3 2\n-inf\n0\n-1\ninf\nInfinity\n+inf\n", 3, 2, {-INF, 0, -1, INF, INF, INF}},
        {ARRAY "0 2\n", 0, 2, {0}},
        {ARRAY "2 0\n", 2, 0, {0}},
        {"%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n", 2, 2, {1, 2, 2, 3}},
        {"%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n",
         3,
         3,
         {0, 1, 2, -1, 0, 3, -2, -3, 0}},
        {"%%MatrixMarket matrix coordinate real general\n3 2 2\n3 1 5\n1 2 inf\n",
         3,
         2,
         {0, 0, 5, INF, 0, 0}},
        {"%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 5\n2 1 7\n",
         2,
         2,
         {5, 7, 7, 0}},
        {"%%MatrixMarket matrix coordinate pattern general\n2 1 1\n2 1\n", 2, 1, {0, 1}},
        {"1\n-2.5\n3e2", 3, 1, {1, -2.5, 300}},
        {"# remark\r\n 1 \r\n\r\n% remark\r\n2\r\n", 2, 1, {1, 2}},
        {"inf\n", 1, 1, {INF}},
    };
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t rows, cols;
        double *value;
        if (parse(context, cases[i].text, 1, &rows, &cols, &value) != SADDLE_OK)
            fail_msg("%s\n%s", cases[i].text, saddle_context_message(context));
        assert_int_equal(rows, cases[i].rows);
        assert_int_equal(cols, cases[i].cols);
        assert_same_bits(cases[i].value, value, rows * cols);
        saddle_release(context, value);
    }
    saddle_context_free(context);
}

static void bad_files_are_refused_with_file_line_and_reason(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "x.mtx:1: no number in the file"},
        {"\n# nothing\n", "x.mtx:3: no number in the file"},
        {"1\n2 3\n", "x.mtx:2: more than one number on the line"},
        {"1\ntwo\n", "x.mtx:2: value: expected a number, found 'two'"},
        {"1\n2,5\n", "x.mtx:2: more than one number on the line"},
        {"1\nnan\n", "x.mtx:2: value: 'nan' is not finite"},
        {"1\ninf\n", "x.mtx:2: value: 'inf' is not finite"},
        {"1e400\n", "x.mtx:1: value: '1e400' is too large for a double"},
        {"\x89HDF\r\n\x1a\n", "x.mtx:1: value: expected a number, found '?HDF'"},
        {ARRAY "2 2\n1\n2\n-inf\n4\n", "x.mtx:5: value: '-inf' is not finite"},
        {ARRAY "2 2\n1\nNaN\n3\n4\n", "x.mtx:4: value: 'NaN' is not finite"},
        {ARRAY "2 2\n1.0\n2.0\n3.0\n",
         "x.mtx:6: 4 numbers are announced, but the file ends after 3"},
        {ARRAY "2 2\n1\n2\n3\n4\n5\n", "x.mtx:7: the file goes on after the 4 entries announced"},
        {ARRAY "3 3000000000\n1\n",
         "x.mtx:2: 9000000000 entries are announced, but only 3 bytes follow"},
        {ARRAY "4294967296 4294967296\n1\n",
         "x.mtx:2: 4294967296 x 4294967296 numbers are more than 64 bits count"},
        {ARRAY "-1 2\n1\n", "x.mtx:2: number of rows: -1 is negative"},
        {"%%MatrixMarket matrix array integer general\n1 1\n1.5\n",
         "x.mtx:3: value: expected an integer"},
        {"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n1 1 2\n",
         "x.mtx:4: entry (1, 1) was given before"},
    };
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    int64_t before = saddle_context_memory(context).bytes;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t rows = 7, cols = 7;
        double *value = (double *)&rows;
        if (parse(context, cases[i].text, 0, &rows, &cols, &value) != SADDLE_BAD_FILE)
            fail_msg("%s", cases[i].text);
        assert_message(context, cases[i].message);
        assert_true(rows == 0 && cols == 0 && value == NULL);
        assert_int_equal(saddle_context_memory(context).bytes, before);
    }
    saddle_context_free(context);
}

static void a_coordinate_file_too_large_to_spread_is_refused(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        "%%MatrixMarket matrix coordinate real general\n4000 4000 1\n1 1 1\n",
        "%%MatrixMarket matrix coordinate real general\n4000000 4 1\n1 1 1\n",
    };
    saddle_context_options options = saddle_context_options_default();
    options.memory_limit = 1 << 24;
    saddle_context *context;
    assert_int_equal(saddle_context_create(&options, &context), SADDLE_OK);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        int64_t rows, cols;
        double *value;
        assert_int_equal(parse(context, texts[i], 0, &rows, &cols, &value), SADDLE_OUT_OF_MEMORY);
        assert_message(context, "x.mtx: no memory for an array of");
    }
    saddle_context_free(context);
}

static void drawn_arrays_read_back_bit_for_bit(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    char path[4096];
    snprintf(path, sizeof path, "%s", join(test_scratch_folder(), "x.mtx"));
    for (int i = 0; i < 1000; i++) {
        int64_t rows = test_integer(&state, 0, 40), cols = test_integer(&state, 0, 4), got_rows,
                got_cols;
        double value[160], *got;
        for (int64_t k = 0; k < rows * cols; k++)
            value[k] = i % 3 == 0 && k % 5 == 0 ? (k % 2 ? INF : -INF) : draw_bits(&state);
        assert_int_equal(saddle_array_write(context, path, rows, cols, value), SADDLE_OK);
        assert_int_equal(saddle_array_read(context, path, 1, &got_rows, &got_cols, &got),
                         SADDLE_OK);
        assert_int_equal(got_rows, rows);
        assert_int_equal(got_cols, cols);
        assert_same_bits(value, got, rows * cols);
        saddle_release(context, got);
    }
    saddle_context_free(context);
}

static void not_a_number_and_impossible_sizes_are_not_written(void **unused)
{
    (void)unused;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    const char *folder = test_scratch_folder();
    char path[4096];
    snprintf(path, sizeof path, "%s", join(folder, "x.mtx"));
    double value[] = {1, 2, 3, (double)NAN};
    assert_int_equal(saddle_array_write(context, path, 2, 2, value), SADDLE_INVALID_ARGUMENT);
    assert_message(context, "row 2, column 2 is not a number");
    assert_int_equal(saddle_array_write(context, path, -1, 2, value), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_array_write(context, path, INT64_MAX, 3, value),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(count_entries(folder), 0);
    saddle_context_free(context);
}

/* A locale whose decimal point is a comma: installed, or compiled into the scratch folder. */
static int use_decimal_comma(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE",
                                        "fr_FR.UTF-8", "fr_FR.utf8", "fr_FR"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (setlocale(LC_ALL, names[i])) return 1;
    const char *folder = test_scratch_folder();
    char command[8192];
    snprintf(command, sizeof command, "localedef -i de_DE -f ISO-8859-1 '%s/de_DE' >/dev/null 2>&1",
             folder);
    if (system(command) != 0 && !exists(join(folder, "de_DE"))) return 0;
    setenv("LOCPATH", folder, 1);
    return setlocale(LC_ALL, "de_DE") != NULL;
}

static void a_locale_with_a_decimal_comma_changes_nothing(void **unused)
{
    (void)unused;
    if (!use_decimal_comma()) {
        print_message("skipped: no locale with a decimal comma, and localedef cannot make one\n");
        skip();
    }
    char comma[16];
    snprintf(comma, sizeof comma, "%.1f", 0.5);
    assert_string_equal(comma, "0,5"); /* the locale is what it should be */
    uint64_t state = test_seed();
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    const char *folder = test_scratch_folder();
    for (int i = 0; i < 200; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s", join(folder, "p"));
        saddle_problem a, b;
        draw_bundle(context, &state, &a);
        assert_int_equal(saddle__bundle_write(context, path, &a, NULL), SADDLE_OK);
        if (saddle_problem_read(context, path, NULL, &b, NULL, NULL, NULL) != SADDLE_OK)
            fail_msg("%s", saddle_context_message(context));
        assert_same_problem(&a, &b);
        saddle_problem_clear(&a);
        saddle_problem_clear(&b);
    }
    char *text;
    saddle_report report = {.residual = {.total = 1.5e-11}};
    assert_int_equal(saddle_report_to_json(context, &report, &text), SADDLE_OK);
    assert_non_null(strstr(text, "\"total\": 1.5e-11"));
    saddle_release(context, text);
    assert_string_equal(localeconv()->decimal_point, ","); /* and still is */
    saddle_context_free(context);
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_file_reads_as_the_array_it_states),
        cmocka_unit_test(bad_files_are_refused_with_file_line_and_reason),
        cmocka_unit_test(a_coordinate_file_too_large_to_spread_is_refused),
        cmocka_unit_test(drawn_arrays_read_back_bit_for_bit),
        cmocka_unit_test(not_a_number_and_impossible_sizes_are_not_written),
        cmocka_unit_test(a_locale_with_a_decimal_comma_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
