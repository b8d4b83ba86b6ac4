/* SPDX-License-Identifier: MIT */
/* A file of a few bytes that states enormous sizes is refused at once: no reader asks for memory,
 * or loops, out of proportion to the bytes it was given.  The contexts have no memory limit; what
 * was asked for is seen in their peak. */
#include "files_support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/bundle.h"
#include "files/mtx.h"
#include "problem_support.h"

#define COORDINATE "%%MatrixMarket matrix coordinate real general\n"
#define SYMMETRIC "%%MatrixMarket matrix coordinate real symmetric\n"
#define ARRAY "%%MatrixMarket matrix array real general\n"
#define JSON(n, m) "{\"format\": \"saddle-problem\", \"version\": 1, \"n\": " n ", \"m\": " m "}"

enum { MOST_BYTES = 1 << 20 }; /* of a reader of less than 300 bytes */

static saddle_context *begin(void)
{
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    return context;
}

/* The call that returned status has asked for little and said why. */
static void end(saddle_context *context, const char *text, saddle_status status,
                saddle_status wanted, const char *message)
{
    int64_t peak = saddle_context_memory(context).peak_bytes;
    if (status != wanted)
        fail_msg("%s\n%s: %s", text, saddle_status_name(status), saddle_context_message(context));
    assert_message(context, message);
    if (peak > MOST_BYTES) fail_msg("%s\nasked for %lld bytes", text, (long long)peak);
    saddle_context_free(context);
}

static void a_matrix_of_a_few_bytes_has_no_billion_rows(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {COORDINATE "2500000000 2500000000 2\n1 1 1\n2 2 1\n",
         "A.mtx:2: 2500000000 x 2500000000 is too large for a file"},
        {COORDINATE "1 4000000000 1\n1 1 1\n",
         "A.mtx:2: 1 x 4000000000 is too large for a file of 67 bytes"},
        {COORDINATE "4000000000 2 2\n1 2 1\n1 1 1\n", "A.mtx:2: 4000000000 x 2 is too large"},
        {COORDINATE "1 9223372036854775807 1\n1 1 1\n",
         "A.mtx:2: 1 x 9223372036854775807 is too large"},
        {COORDINATE "9223372036854775807 1 0\n", "A.mtx:2: 9223372036854775807 x 1 is too large"},
        {COORDINATE "1 16777217 1\n1 1 1\n",
         "beyond 16777216 rows or columns it needs a byte for each 64 of them"},
        {SYMMETRIC "3000000000 3000000000 1\n1 1 1\n",
         "A.mtx:2: 3000000000 x 3000000000 is too large"},
        {ARRAY "0 3000000000\n", "A.mtx:2: 0 x 3000000000 is too large"},
        {ARRAY "3000000000 0\n", "A.mtx:2: 3000000000 x 0 is too large"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        saddle_context *context = begin();
        saddle_matrix A;
        saddle_status status = parse_matrix(context, cases[i].text, (int64_t)strlen(cases[i].text),
                                            "A.mtx", &A);
        assert_null(A.start);
        end(context, cases[i].text, status, SADDLE_TOO_LARGE, cases[i].message);
    }
}

/* Half a million columns of which one has an entry are sound, and a byte for each 64 of many more
 * is enough. */
static void a_matrix_may_have_many_more_columns_than_entries(void **unused)
{
    (void)unused;
    saddle_context *context = begin();
    saddle_matrix A;
    static const char sparse[] = COORDINATE "3 500000 1\n2 400000 1\n";
    assert_int_equal(parse_matrix(context, sparse, (int64_t)strlen(sparse), "J.mtx", &A),
                     SADDLE_OK);
    assert_true(A.cols == 500000 && A.start[399999] == 0 && A.start[400000] == 1);
    saddle_matrix_clear(&A);
    saddle__mtx_header header = {.coordinate = 1, .rows = 1, .cols = (INT64_C(1) << 24) + 640};
    int64_t enough = header.cols / 64;
    char *blanks = malloc((size_t)enough);
    memset(blanks, ' ', (size_t)enough);
    saddle__scan scan = saddle__scan_text(context, blanks, 1, "J.mtx");
    assert_int_equal(saddle__mtx_body_scan(&scan, &header, 0, &A), SADDLE_TOO_LARGE);
    assert_int_equal(saddle__mtx_body_scan(&scan, &header, header.cols, &A), SADDLE_OK);
    saddle_matrix_clear(&A); /* its size was known from elsewhere */
    scan = saddle__scan_text(context, blanks, enough, "J.mtx");
    assert_int_equal(saddle__mtx_body_scan(&scan, &header, 0, &A), SADDLE_OK);
    saddle_matrix_clear(&A);
    free(blanks);
    saddle_context_free(context);
}

static void an_array_of_a_few_bytes_has_no_billion_numbers(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {COORDINATE "1000000 10000 1\n1 1 1\n",
         "x.mtx:2: an array of 1000000 x 10000 is too large"},
        {COORDINATE "3000000000 1 1\n1 1 1\n", "x.mtx:2: 3000000000 x 1 is too large"},
        {COORDINATE "9223372036854775807 10000 1\n1 1 1\n",
         "x.mtx:2: 9223372036854775807 x 10000 is too large"},
        {COORDINATE "0 3000000000 0\n", "x.mtx:2: 0 x 3000000000 is too large"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        saddle_context *context = begin();
        int64_t rows, cols;
        double *value;
        saddle_status status = parse_array(context, cases[i].text, (int64_t)strlen(cases[i].text),
                                           "x.mtx", 0, &rows, &cols, &value);
        assert_true(rows == 0 && cols == 0 && !value);
        end(context, cases[i].text, status, SADDLE_TOO_LARGE, cases[i].message);
    }
}

/* The texts of a folder; NULL: no such file. */
static saddle_status parse_bundle(saddle_context *context, const char *json, const char *M,
                                  const char *J, const char *R, const char *f,
                                  saddle_problem *problem)
{
    static const char *const names[] = {"problem.json", "M.mtx", "J.mtx", "R.mtx", "f.mtx"};
    const char *const given[] = {json, M, J, R, f};
    saddle__source_text texts[6] = {{0}};
    int count = 0;
    for (int k = 0; k < 5; k++)
        if (given[k])
            texts[count++] = (saddle__source_text){names[k], given[k], (int64_t)strlen(given[k])};
    saddle__source source = saddle__source_texts(context, texts, "b");
    saddle_status status = saddle__bundle_parse(&source, problem, NULL);
    saddle__source_close(&source);
    return status;
}

static void the_files_of_a_bundle_are_compared_with_its_sizes_before_they_are_read(void **unused)
{
    (void)unused;
    static const char two[] = COORDINATE "2 2 2\n1 1 1\n2 2 1\n",
                      none[] = COORDINATE "3000000000 3000000000 0\n";
    static const struct {
        const char *json, *M, *J, *R, *f;
        saddle_status status;
        const char *message;
    } cases[] = {
        {JSON("2", "0"), none, NULL, NULL, NULL, SADDLE_BAD_FILE,
         "b/M.mtx: 3000000000 x 3000000000, but problem.json asks for 2 x 2"},
        {JSON("2", "1"), two, COORDINATE "1 3000000000 0\n", NULL, NULL, SADDLE_BAD_FILE,
         "b/J.mtx: 1 x 3000000000, but problem.json asks for 1 x 2"},
        {JSON("2", "1"), two, NULL, none, NULL, SADDLE_BAD_FILE,
         "b/R.mtx: 3000000000 x 3000000000, but problem.json"},
        {JSON("2", "0"), two, NULL, NULL, COORDINATE "16000000 1 0\n", SADDLE_BAD_FILE,
         "b/f.mtx: 16000000 x 1, but 2 x 1 is needed"},
        {JSON("3000000000", "0"), none, NULL, NULL, NULL, SADDLE_TOO_LARGE,
         "b/M.mtx:2: 3000000000 x 3000000000 is too"},
        {JSON("2", "3000000000"), two, NULL, NULL, NULL, SADDLE_TOO_LARGE,
         "b: problem.json says m = 3000000000, but there is neither a J.mtx nor an R.mtx"},
        {JSON("2", "3000000000"), two, COORDINATE "3000000000 2 0\n", NULL, NULL, SADDLE_TOO_LARGE,
         "b/J.mtx:2: 3000000000 x 2 is too large"},
        {JSON("2", "3000000000"), two, NULL, none, NULL, SADDLE_TOO_LARGE,
         "b/R.mtx:2: 3000000000 x 3000000000 is too"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        saddle_context *context = begin();
        saddle_problem problem;
        saddle_status status = parse_bundle(context, cases[i].json, cases[i].M, cases[i].J,
                                            cases[i].R, cases[i].f, &problem);
        assert_true(problem.n == 0 && problem.m == 0 && !problem.M.start);
        end(context, cases[i].message, status, cases[i].status, cases[i].message);
    }
}

static void a_large_bare_system_with_fewer_entries_than_rows_is_refused(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *rhs, *message;
    } cases[] = {
        {COORDINATE "2500000000 2500000000 2\n1 1 1\n2 2 1\n", NULL,
         "text:2: 2500000000 x 2500000000 with 2 entries: some row is empty"},
        {COORDINATE "1048577 1048577 2\n1 1 1\n2 2 1\n", NULL,
         "text:2: 1048577 x 1048577 with 2 entries: some row is empty"},
        {SYMMETRIC "2000000 2000000 1\n2 1 1\n", NULL,
         "text:2: 2000000 x 2000000 with 1 entries: some row is empty"},
        {COORDINATE "3000000000 2 0\n", NULL,
         "text:2: the matrix is 3000000000 x 2: a linear system needs a square"},
        {COORDINATE "1 1 1\n1 1 1\n", COORDINATE "16000000 1 0\n",
         "rhs: the right-hand side is 16000000 x 1, but 1 x 1 is needed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        saddle_context *context = begin();
        saddle_problem problem;
        saddle_status status = read_problem_text(context, SADDLE_FORMAT_AUTO, cases[i].text,
                                                 cases[i].rhs, &problem);
        end(context, cases[i].text, status, SADDLE_BAD_FILE, cases[i].message);
    }
    /* regular; small */
    static const char *const read[] = {SYMMETRIC "2 2 1\n2 1 1\n", COORDINATE "2 2 0\n"};
    for (int k = 0; k < 2; k++) {
        saddle_problem problem;
        assert_int_equal(read_problem_text(NULL, SADDLE_FORMAT_AUTO, read[k], NULL, &problem),
                         SADDLE_OK);
        assert_int_equal(problem.n, 2);
        saddle_problem_clear(&problem);
    }
}

static void no_other_text_of_a_few_bytes_asks_for_more_than_it_holds(void **unused)
{
    (void)unused;
    static const struct {
        saddle_format format;
        const char *text, *rhs, *message;
    } cases[] = {
        {SADDLE_FORMAT_SICONOS_LCP, "3000000000 2 3000000000 3000000000 1\n", NULL,
         "3000000000 numbers of q announced"},
        {SADDLE_FORMAT_SICONOS_LCP, "1 2 3000000000 3000000000 1\nCSparse\n", NULL,
         "3000000000 x 3000000000 is too"},
        {SADDLE_FORMAT_SICONOS_LCP, "1 0 0 3000000000 0 3000000000 1\n", NULL,
         "0 x 3000000000 is too large"},
        {SADDLE_FORMAT_SICONOS_LCP,
         "2 2 2 2 1\nCSparse\n2-by-2, nzmax: 9 nnz: 3000000000\n0 0 : 1\n1 1\n", NULL, "announced"},
        {SADDLE_FORMAT_SICONOS_RELAY,
         "3000000000 0 3000000000 3000000000 3000000000 3000000000 1\n", NULL, "announced"},
        {SADDLE_FORMAT_SICONOS_MLCP, "1 0 3000000000 3000000000 0 6000000000 1\n", NULL,
         "announced"},
        {SADDLE_FORMAT_SICONOS_MLCP, "0 1 2000000000 0 1\n", NULL, "announced"},
        {SADDLE_FORMAT_SICONOS_FC, "3 3000000000 0 1 1 1 1 1\n", NULL,
         "3000000000 numbers of mu announced"},
        {SADDLE_FORMAT_SICONOS_GFC, "3 1 2 3000000000 3000000000 1\nCSparse\n", NULL,
         "3000000000 x 3000000000 is too"},
        {SADDLE_FORMAT_SICONOS_GMP, "1 3000000000 3000000000 1 1 1 3000000000\n", NULL,
         "announced"},
        {SADDLE_FORMAT_SICONOS_GMP, "1 1 1 3000000000 3000000000 3000000000 1\n", NULL,
         "announced"},
        {SADDLE_FORMAT_SICONOS_GMP, "1 9 9 1 1 1 3000000000 3000000000 2 1 0 1 0 0 1 1 1 1 1\n",
         NULL, "end of a block row: 3000000000 is outside 0 to"},
        {SADDLE_FORMAT_SICONOS_MATRIX, "2 3000000000 3000000000 1\nCSparse\n", NULL,
         "3000000000 x 3000000000 is too"},
        {SADDLE_FORMAT_LCP, "2000000000 1 2 3\n", NULL, "announced"},
        {SADDLE_FORMAT_BOX_LCP, "2000000000 1 2 3\n", NULL, "announced"},
        {SADDLE_FORMAT_LCP_TRIPLETS, "3000000000 3000000000 1\n", "1 1\n", "row index: 3000000000"},
        {SADDLE_FORMAT_LCP_TRIPLETS, "1 1 1\n", "3000000000 1\n",
         "index in q: 3000000000, but it must be 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        saddle_context *context = begin();
        saddle_problem problem;
        saddle_status status = read_problem_text(context, cases[i].format, cases[i].text,
                                                 cases[i].rhs, &problem);
        end(context, cases[i].text, status, SADDLE_BAD_FILE, cases[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_matrix_of_a_few_bytes_has_no_billion_rows),
        cmocka_unit_test(a_matrix_may_have_many_more_columns_than_entries),
        cmocka_unit_test(an_array_of_a_few_bytes_has_no_billion_numbers),
        cmocka_unit_test(the_files_of_a_bundle_are_compared_with_its_sizes_before_they_are_read),
        cmocka_unit_test(a_large_bare_system_with_fewer_entries_than_rows_is_refused),
        cmocka_unit_test(no_other_text_of_a_few_bytes_asks_for_more_than_it_holds),
    };
    return cmocka_run_group_tests_name("tiny_files", tests, NULL, NULL);
}
