/* SPDX-License-Identifier: MIT */
/* Matrix Market coordinate and array files as sparse matrices. */
#include "files_support.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "files/mtx.h"
#include "saddle/files.h"

#define BANNER "%%MatrixMarket matrix coordinate real general\n"

/* The text without a NUL behind it. */
static saddle_status parse(saddle_context *context, const char *text, saddle_matrix *A)
{
    size_t length = strlen(text);
    char *exact = malloc(length + 1);
    assert_non_null(exact);
    memcpy(exact + 1, text, length);
    saddle_status status = parse_matrix(context, exact + 1, (int64_t)length, "A.mtx", A);
    free(exact);
    return status;
}

static void assert_parses_to(const char *text, saddle_symmetry symmetry, int64_t rows, int64_t cols,
                             const double *dense)
{
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_matrix A;
    if (parse(context, text, &A) != SADDLE_OK)
        fail_msg("%s\n%s", text, saddle_context_message(context));
    assert_int_equal(saddle_matrix_check(context, &A, "A"), SADDLE_OK);
    assert_int_equal(A.symmetry, symmetry);
    assert_int_equal(A.rows, rows);
    assert_int_equal(A.cols, cols);
    saddle_matrix full;
    assert_int_equal(saddle_matrix_expand(context, &A, &full), SADDLE_OK);
    double *got = calloc((size_t)(rows * cols + 1), sizeof *got);
    assert_non_null(got);
    for (int64_t j = 0; j < cols; j++)
        for (int64_t k = full.start[j]; k < full.start[j + 1]; k++)
            got[full.index[k] * cols + j] = full.value[k];
    assert_same_bits(dense, got, rows * cols);
    free(got);
    saddle_matrix_clear(&full);
    saddle_matrix_clear(&A);
    saddle_context_free(context);
}

static void every_kind_of_file_reads_as_the_matrix_it_states(void **unused)
{
    (void)unused;
    static const double general[] = {1, 0, -2.5, 0, 3, 0};
    static const double symmetric[] = {1, 2, 2, 0};
    static const double skew[] = {0, -2, 2, 0};
    static const double pattern[] = {1, 1, 1, 0};
    static const double none[] = {0, 0, 0, 0};
    assert_parses_to(BANNER "2 3 3\n1 1 1\n2 2 3\n1 3 -2.5\n", SADDLE_SYMMETRY_NONE, 2, 3, general);
    assert_parses_to(BANNER "2 3 3\n1 3 -2.5\n2 2 3\n1 1 1\n", SADDLE_SYMMETRY_NONE, 2, 3, general);
    assert_parses_to(
        "%%MatrixMarket matrix coordinate integer general\n2 3 3\n1 1 1\n2 2 +3\n1 3 -2\n",
        SADDLE_SYMMETRY_NONE, 2, 3, (const double[]){1, 0, -2, 0, 3, 0});
    assert_parses_to("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 1 2\n",
                     SADDLE_SYMMETRY_LOWER, 2, 2, symmetric);
    assert_parses_to("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 2\n",
                     SADDLE_SYMMETRY_NONE, 2, 2, skew);
    assert_parses_to("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n2 1\n1 1\n",
                     SADDLE_SYMMETRY_LOWER, 2, 2, pattern);
    assert_parses_to("%%MatrixMarket matrix coordinate pattern general\n2 2 3\n2 1\n1 1\n1 2",
                     SADDLE_SYMMETRY_NONE, 2, 2, pattern);
    assert_parses_to("%%MatrixMarket matrix array real general\n2 3\n1\n0\n0\n3\n-2.5\n0\n",
                     SADDLE_SYMMETRY_NONE, 2, 3, general);
    assert_parses_to("%%MatrixMarket matrix array real symmetric\n2 2\n1 2 0\n",
                     SADDLE_SYMMETRY_LOWER, 2, 2, symmetric);
    assert_parses_to("%%MatrixMarket matrix array integer skew-symmetric\n2 2\n2\n",
                     SADDLE_SYMMETRY_NONE, 2, 2, skew);
    assert_parses_to(BANNER "2 2 0\n", SADDLE_SYMMETRY_NONE, 2, 2, none);
    assert_parses_to(BANNER "0 0 0", SADDLE_SYMMETRY_NONE, 0, 0, none);
    assert_parses_to(BANNER "0 5 0\n", SADDLE_SYMMETRY_NONE, 0, 5, none);
    assert_parses_to("%%MatrixMarket matrix array real general\n0 3\n", SADDLE_SYMMETRY_NONE, 0, 3,
                     none);
}

static void white_space_comments_case_and_line_ends_do_not_matter(void **unused)
{
    (void)unused;
    static const double general[] = {1, 0, -2.5, 0, 3, 0};
    assert_parses_to("%%matrixMARKET  Matrix\tCOORDINATE Real GENERAL  \r\n%\r\n% about\r\n\r\n  2 "
                     "3 3  \r\n1 1 1\r\n"
                     "2\t2  3e0\r\n \r\n  1 3 -0.25e1\r\n\r\n",
                     SADDLE_SYMMETRY_NONE, 2, 3, general);
    assert_parses_to(BANNER
                     "%one\n%two\n2 3 3\n% between\n1 1 1\n% more\n\n2 2 3\n1 3 -2.5\n% the end",
                     SADDLE_SYMMETRY_NONE, 2, 3, general);
    assert_parses_to(BANNER "2 3 3\n1 1 1\n2 2 3\n1 3 -2.5", SADDLE_SYMMETRY_NONE, 2, 3, general);
}

/* ---- what is refused, and how ---- */

typedef struct bad_file {
    const char *text, *message;
} bad_file;

static const bad_file bad_banners[] = {
    {"", "A.mtx:1: not a Matrix Market file"},
    {"%%MatrixMarke", "A.mtx:1: not a Matrix Market file"},
    {"\x89HDF\r\n\x1a\n", "A.mtx:1: not a Matrix Market file"},
    {"%%MatrixMarket", "A.mtx:1: the banner ends before the object"},
    {"%%MatrixMarket tensor coordinate real general\n1 1 0\n",
     "A.mtx:1: the object 'tensor' is not known"},
    {"%%MatrixMarket matrix sparse real general\n1 1 0\n",
     "A.mtx:1: the format 'sparse' is not known"},
    {"%%MatrixMarket matrix coordinate quaternion general\n1 1 0\n",
     "A.mtx:1: the field 'quaternion' is not known"},
    {"%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 0\n",
     "A.mtx:1: complex matrices are not supported"},
    {"%%MatrixMarket matrix coordinate real hermitian\n1 1 1\n1 1 1\n",
     "A.mtx:1: hermitian matrices are not supported"},
    {"%%MatrixMarket matrix coordinate real\n1 1 0\n",
     "A.mtx:1: the banner ends before the symmetry"},
    {"%%MatrixMarket matrix coordinate real general please\n1 1 0\n",
     "A.mtx:1: the banner goes on"},
    {"%%MatrixMarket matrix array pattern general\n1 1\n", "A.mtx:1: an array cannot be a pattern"},
    {"%%MatrixMarket matrix coordinate pattern skew-symmetric\n1 1 0\n",
     "A.mtx:1: a pattern cannot be skew-symmetric"},
};

static const bad_file bad_sizes[] = {
    {BANNER, "A.mtx:2: number of rows: expected an integer, found the end of the file"},
    {BANNER "%\n%\n2\n", "A.mtx:4: the size line ends after the rows"},
    {BANNER "2 2\n1 1 1\n", "A.mtx:2: the size line ends before the number of entries"},
    {BANNER "2 2 1 1\n1 1 1\n", "A.mtx:2: the size line goes on"},
    {BANNER "-2 2 1\n1 1 1\n", "A.mtx:2: number of rows: -2 is negative"},
    {BANNER "2 -2 1\n1 1 1\n", "A.mtx:2: number of columns: -2 is negative"},
    {BANNER "2 2 -1\n", "A.mtx:2: number of entries: -1 is negative"},
    {BANNER "2.0 2 1\n1 1 1\n", "A.mtx:2: number of rows: expected an integer, found '2.0'"},
    {BANNER "9223372036854775808 2 1\n1 1 1\n",
     "A.mtx:2: number of rows: '9223372036854775808' does not fit 64 bits"},
    {BANNER "2 2 1000000\n1 1 1\n",
     "A.mtx:2: 1000000 entries are announced, but only 7 bytes follow"},
    {BANNER "2 2 9223372036854775807\n1 1 1\n",
     "A.mtx:2: 9223372036854775807 entries are announced"},
};

static const bad_file bad_entries[] = {
    {BANNER "2 2 2\n1 1 1.000000\n", "A.mtx:4: 2 entries are announced, but the file ends after 1"},
    {BANNER "2 2 1\n1 1 1\n2 2 1\n", "A.mtx:4: the file goes on after the 1 entries announced"},
    {BANNER "2 2 0\nx\n", "A.mtx:3: the file goes on after the 0 entries announced"},
    {BANNER "2 2 1\n3 1 1\n", "A.mtx:3: row index: 3 is outside 1 to 2"},
    {BANNER "2 2 1\n0 1 1\n", "A.mtx:3: row index: 0 is outside 1 to 2"},
    {BANNER "2 2 1\n1 -1 1\n", "A.mtx:3: column index: -1 is outside 1 to 2"},
    {BANNER "2 2 1\n1 4294967297 1\n", "A.mtx:3: column index: 4294967297 is outside 1 to 2"},
    {BANNER "2 2 1\n1 9999999999999999999 1\n",
     "A.mtx:3: column index: '9999999999999999999' does not fit 64 bits"},
    {BANNER "0 2 1\n1 1 1\n", "A.mtx:3: row index: 1, where none is possible"},
    {BANNER "2 2 1\n1.5 1 1\n", "A.mtx:3: row index: expected an integer, found '1.5'"},
    {BANNER "2 2 1\n1    \n", "A.mtx:3: the line ends after the row index"},
    {BANNER "2 2 1\n1 1   \n", "A.mtx:3: the line ends after the column index"},
    {BANNER "2 2 2\n1 1\n1.5 2 2 1\n", "A.mtx:3: the line ends after the column index"},
    {BANNER "2 2 1\n1 1 1 1\n", "A.mtx:3: the line goes on after entry (1, 1)"},
    {BANNER "2 2 1\n1 1 one\n", "A.mtx:3: value: expected a number, found 'one'"},
    {BANNER "2 2 1\n1 1 1,5\n", "A.mtx:3: the line goes on after entry (1, 1)"},
    {BANNER "2 2 1\n1 1 0x1p3\n", "A.mtx:3: value: expected a number, found '0x1p3'"},
    {BANNER "2 2 2\n1 1 1\n1 2 nan\n", "A.mtx:4: value: 'nan' is not finite"},
    {BANNER "2 2 2\n1 1 1\n1 2 -inf\n", "A.mtx:4: value: '-inf' is not finite"},
    {BANNER "2 2 2\n1 1 1\n1 2 1e999\n", "A.mtx:4: value: '1e999' is too large for a double"},
    {BANNER "2 2 3\n1 2 1\n2 2 5\n1 2 1\n", "A.mtx:5: entry (1, 2) was given before, on line 3"},
    {BANNER "2 2 2\n2 2 1\n%\n2 2 1\n", "A.mtx:5: entry (2, 2) was given before, on line 3"},
};

static const bad_file bad_shapes[] = {
    {"%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n",
     "A.mtx:2: a symmetric matrix of 2 x 3"},
    {"%%MatrixMarket matrix array real symmetric\n2 3\n1 1 1\n",
     "A.mtx:2: a symmetric matrix of 2 x 3"},
    {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n",
     "A.mtx:3: entry (1, 2) is above the diagonal of a symmetric matrix"},
    {"%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n2 1 1\n2 1 1\n",
     "A.mtx:4: entry (2, 1) was given before, on line 3"},
    {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 0\n",
     "A.mtx:3: entry (2, 2) is not below the diagonal of a skew-symmetric matrix"},
    {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 2\n2 1 1\n2 1 1\n",
     "A.mtx:4: entry (2, 1) was given before, on line 3"},
    {"%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 1.5\n",
     "A.mtx:3: value: expected an integer, found '1.5'"},
    {"%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 1 9007199254740993\n",
     "A.mtx:3: value: 9007199254740993 is not exact as a double"},
    {"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 1\n",
     "A.mtx:3: the line goes on after entry (1, 1)"},
};

static const bad_file bad_arrays[] = {
    {"%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n",
     "A.mtx:2: 6 entries are announced, but only 7 bytes follow"},
    {"%%MatrixMarket matrix array real general\n2 2\n1.5\n2.5\n3.5\n",
     "A.mtx:6: 4 numbers are announced, but the file ends after 3"},
    {"%%MatrixMarket matrix array real general\n2 1\n1\n2\n3\n",
     "A.mtx:5: the file goes on after the 2 entries announced"},
    {"%%MatrixMarket matrix array real general\n2 1\n1\ninf\n",
     "A.mtx:4: value: 'inf' is not finite"},
    {"%%MatrixMarket matrix array real general\n4294967296 4294967296\n1\n",
     "A.mtx:2: 4294967296 x 4294967296 numbers"},
};

static void assert_refused(const bad_file *cases, size_t count)
{
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    int64_t before = saddle_context_memory(context).bytes;
    for (size_t i = 0; i < count; i++) {
        saddle_matrix A;
        memset(&A, 0x55, sizeof A);
        saddle_status status = parse(context, cases[i].text, &A);
        if (status != SADDLE_BAD_FILE) fail_msg("%s\nwas given status %d", cases[i].text, status);
        assert_message(context, cases[i].message);
        assert_null(A.start);
        assert_int_equal(saddle_context_memory(context).bytes, before);
    }
    saddle_context_free(context);
}

static void bad_files_are_refused_with_file_line_and_reason(void **unused)
{
    (void)unused;
    assert_refused(bad_banners, sizeof bad_banners / sizeof *bad_banners);
    assert_refused(bad_sizes, sizeof bad_sizes / sizeof *bad_sizes);
    assert_refused(bad_entries, sizeof bad_entries / sizeof *bad_entries);
    assert_refused(bad_shapes, sizeof bad_shapes / sizeof *bad_shapes);
    assert_refused(bad_arrays, sizeof bad_arrays / sizeof *bad_arrays);
}

static void sizes_beyond_memory_are_refused_before_they_are_used(void **unused)
{
    (void)unused;
    saddle_context_options options = saddle_context_options_default();
    options.memory_limit = 1 << 24;
    saddle_context *context;
    assert_int_equal(saddle_context_create(&options, &context), SADDLE_OK);
    int64_t before = saddle_context_memory(context).bytes;
    saddle_matrix A;
    assert_int_equal(parse(context, BANNER "1 4000000 1\n1 1 1\n", &A), SADDLE_OUT_OF_MEMORY);
    assert_message(context, "A.mtx: no memory for a matrix of");
    assert_int_equal(saddle_context_memory(context).bytes, before);
    /* many rows take no memory */
    assert_int_equal(parse(context, BANNER "4000000 2 2\n4000000 2 1\n1 1 1\n", &A), SADDLE_OK);
    assert_int_equal(A.index[1], 3999999);
    saddle_matrix_clear(&A);
    saddle_context_free(context);
}

/* Every proper beginning of a file but those that end in white space or a comment is refused. */
static void truncated_files_are_refused(void **unused)
{
    (void)unused;
    const char *text = BANNER "3 3 4\n1 1 1.25\n2 2 -3\n3 1 7\n2 3 0.5";
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    size_t length = strlen(text), accepted = 0;
    for (size_t cut = 0; cut < length; cut++) {
        saddle_matrix A;
        if (parse_matrix(context, text, (int64_t)cut, "A.mtx", &A) == SADDLE_OK)
            accepted++;
        else
            assert_message(context, "A.mtx:");
        saddle_matrix_clear(&A);
    }
    assert_int_equal(accepted, 2); /* "0." and "0" read as the last value */
    saddle_context_free(context);
}

/* ---- round trips ---- */

static void drawn_matrices_read_back_bit_for_bit(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    const char *path = join(test_scratch_folder(), "A.mtx");
    char kept[4096];
    snprintf(kept, sizeof kept, "%s", path);
    for (int i = 0; i < 1500; i++) {
        saddle_symmetry symmetry = (saddle_symmetry)(i % 2);
        int64_t rows = test_integer(&state, 0, 20),
                cols = symmetry ? rows : test_integer(&state, 0, 20);
        saddle_matrix A, B;
        draw_matrix(context, &state, rows, cols, test_uniform(&state, 0, 1), symmetry, &A);
        assert_int_equal(saddle_matrix_write(context, kept, &A), SADDLE_OK);
        assert_int_equal(saddle_matrix_read(context, kept, &B), SADDLE_OK);
        assert_same_matrix(&A, &B);
        saddle_matrix_clear(&A);
        saddle_matrix_clear(&B);
    }
    saddle_context_free(context);
}

/* The same entries in any order are the same matrix; the reference is
 * saddle_matrix_from_triplets. */
static void entries_in_any_order_give_the_same_matrix(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    for (int i = 0; i < 300; i++) {
        saddle_matrix A, B;
        int64_t rows = test_integer(&state, 1, 12), cols = test_integer(&state, 1, 12), count = 0;
        draw_matrix(context, &state, rows, cols, 0.5, SADDLE_SYMMETRY_NONE, &A);
        int64_t entries = saddle_matrix_entries(&A);
        int64_t row[144], col[144];
        for (int64_t j = 0; j < cols; j++)
            for (int64_t k = A.start[j]; k < A.start[j + 1]; k++, count++)
                row[k] = A.index[k], col[k] = j;
        char text[16384];
        int used = snprintf(text, sizeof text, "%s%lld %lld %lld\n", BANNER, (long long)rows,
                            (long long)cols, (long long)entries);
        for (int64_t left = entries; left > 0; left--) {
            int64_t k = test_integer(&state, 0, left - 1);
            used += snprintf(text + used, sizeof text - (size_t)used, "%lld %lld %.17g\n",
                             (long long)row[k] + 1, (long long)col[k] + 1, A.value[k]);
            int64_t r = row[k], c = col[k];
            double v = A.value[k];
            row[k] = row[left - 1], col[k] = col[left - 1], A.value[k] = A.value[left - 1];
            row[left - 1] = r, col[left - 1] = c, A.value[left - 1] = v;
        }
        saddle_matrix C;
        assert_int_equal(saddle_matrix_from_triplets(context, rows, cols, entries, row, col,
                                                     A.value, SADDLE_SYMMETRY_NONE, &C),
                         SADDLE_OK);
        if (parse(context, text, &B) != SADDLE_OK) fail_msg("%s", saddle_context_message(context));
        assert_same_matrix(&C, &B);
        saddle_matrix_clear(&A);
        saddle_matrix_clear(&B);
        saddle_matrix_clear(&C);
    }
    saddle_context_free(context);
}

static void a_matrix_that_no_reader_would_take_is_not_written(void **unused)
{
    (void)unused;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    int64_t start[] = {0, 1}, index[] = {0};
    double value[] = {INF};
    saddle_matrix A = saddle_matrix_view(1, 1, start, index, value, SADDLE_SYMMETRY_NONE);
    const char *folder = test_scratch_folder();
    assert_int_equal(saddle_matrix_write(context, join(folder, "A.mtx"), &A),
                     SADDLE_INVALID_ARGUMENT);
    assert_message(context, "A.mtx");
    assert_int_equal(count_entries(folder), 0);
    saddle_context_free(context);
}

static void a_write_that_fails_leaves_what_was_there(void **unused)
{
    (void)unused;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    int64_t start[] = {0, 1}, index[] = {0};
    double value[] = {1.5};
    saddle_matrix A = saddle_matrix_view(1, 1, start, index, value, SADDLE_SYMMETRY_NONE), B;
    const char *folder = test_scratch_folder();
    assert_int_equal(saddle_matrix_write(context, join(folder, "absent/A.mtx"), &A),
                     SADDLE_FILE_ERROR);
    assert_message(context, "absent/A.mtx: cannot be written");
    assert_int_equal(saddle_matrix_write(context, folder, &A), SADDLE_FILE_ERROR);
    assert_message(context, "a folder of that name exists");
    assert_int_equal(saddle_matrix_write(context, "/dev/null", &A), SADDLE_FILE_ERROR);
    assert_message(context, "/dev/null: cannot be written: not a regular file");

    assert_int_equal(saddle_matrix_write(context, join(folder, "A.mtx"), &A), SADDLE_OK);
    assert_int_equal(symlink("A.mtx", join(folder, "link.mtx")), 0);
    struct rlimit limit, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    small = limit;
    small.rlim_cur = 20;
    value[0] = 2.5;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    saddle_status status = saddle_matrix_write(context, join(folder, "A.mtx"), &A);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, SADDLE_FILE_ERROR);
    assert_message(context, "A.mtx: cannot be written");
    assert_int_equal(count_entries(folder), 2);
    assert_int_equal(saddle_matrix_read(context, join(folder, "A.mtx"), &B), SADDLE_OK);
    assert_true(B.value[0] == 1.5);
    saddle_matrix_clear(&B);

    /* through the link */
    assert_int_equal(saddle_matrix_write(context, join(folder, "link.mtx"), &A), SADDLE_OK);
    assert_int_equal(saddle_matrix_read(context, join(folder, "A.mtx"), &B), SADDLE_OK);
    assert_true(B.value[0] == 2.5);
    saddle_matrix_clear(&B);
    saddle_context_free(context);
}

/* ---- files that others wrote ---- */

/* Against the data's own index, which another program computed: "path,bytes,coordinate real
 * symmetric 4x4 nnz=9 ..", nnz counting the entries of the whole matrix, of an array those that are
 * not 0. */
static void assert_as_indexed(saddle_context *context, const char *path, const char *properties)
{
    const char *size = properties + strcspn(properties, "0123456789");
    long long rows, cols, indexed;
    assert_int_equal(sscanf(size, "%lldx%lld nnz=%lld", &rows, &cols, &indexed), 3);
    saddle_matrix A;
    if (saddle_matrix_read(context, test_data_path(path), &A) != SADDLE_OK)
        fail_msg("%s", saddle_context_message(context));
    assert_int_equal(saddle_matrix_check(context, &A, path), SADDLE_OK);
    assert_int_equal(A.rows, rows);
    assert_int_equal(A.cols, cols);
    assert_int_equal(A.symmetry == SADDLE_SYMMETRY_LOWER,
                     strstr(properties, "real symmetric") != NULL);
    int64_t count = 0;
    int array = strncmp(properties, "array", 5) == 0;
    for (int64_t j = 0; j < A.cols; j++)
        for (int64_t k = A.start[j]; k < A.start[j + 1]; k++)
            if (A.value[k] != 0 || !array)
                count += A.symmetry == SADDLE_SYMMETRY_LOWER && A.index[k] != j ? 2 : 1;
    if (count != indexed) fail_msg("%s: %lld entries, not %lld", path, (long long)count, indexed);
    saddle_matrix_clear(&A);
}

static void every_file_of_the_data_reads_with_its_indexed_size_and_entries(void **unused)
{
    (void)unused;
    saddle_context *context;
    char line[1024];
    int files = 0;
    FILE *index = fopen(test_data_path("INDEX.csv"), "r");
    assert_non_null(index);
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    while (fgets(line, sizeof line, index)) {
        char *comma = strchr(line, ',');
        if (!comma || comma - line < 4 || strncmp(comma - 4, ".mtx", 4) != 0) continue;
        *comma = 0;
        assert_as_indexed(context, line, strchr(comma + 1, ',') + 1);
        files++;
    }
    fclose(index);
    assert_true(files >= 50);
    saddle_context_free(context);
}

static void a_folder_an_absent_file_and_an_unreadable_one_are_named(void **unused)
{
    (void)unused;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_matrix A;
    const char *folder = test_scratch_folder();
    assert_int_equal(saddle_matrix_read(context, folder, &A), SADDLE_FILE_ERROR);
    assert_message(context, folder);
    assert_int_equal(saddle_matrix_read(context, join(folder, "absent.mtx"), &A),
                     SADDLE_FILE_ERROR);
    assert_message(context, "absent.mtx: cannot be opened");
    assert_null(A.start);
    saddle_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_file_reads_as_the_matrix_it_states),
        cmocka_unit_test(white_space_comments_case_and_line_ends_do_not_matter),
        cmocka_unit_test(bad_files_are_refused_with_file_line_and_reason),
        cmocka_unit_test(sizes_beyond_memory_are_refused_before_they_are_used),
        cmocka_unit_test(truncated_files_are_refused),
        cmocka_unit_test(drawn_matrices_read_back_bit_for_bit),
        cmocka_unit_test(entries_in_any_order_give_the_same_matrix),
        cmocka_unit_test(a_matrix_that_no_reader_would_take_is_not_written),
        cmocka_unit_test(a_write_that_fails_leaves_what_was_there),
        cmocka_unit_test(every_file_of_the_data_reads_with_its_indexed_size_and_entries),
        cmocka_unit_test(a_folder_an_absent_file_and_an_unreadable_one_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
