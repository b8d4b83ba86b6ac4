/* SPDX-License-Identifier: MIT */
/* Detection of formats, refused files with their messages, bad input, and missing memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/problem_file.h"
#include "files_support.h"
#include "problem_support.h"

/* ---- detection ---- */

/* How many of the readers the whole text fits. */
static int count_fits(const char *path)
{
    saddle__scan scan;
    int fits = 0;
    assert_int_equal(saddle__scan_open(NULL, path, &scan), SADDLE_OK);
    const saddle__text_format *text;
    for (int k = 0; (text = saddle__text_format_at(k)); k++) {
        if (text->condition & SADDLE__BY_NAME) continue;
        saddle__scan at = saddle__scan_text(NULL, scan.begin, scan.end - scan.begin, path);
        saddle_problem problem = {.owner = 1};
        saddle_status status = text->read(&at, &problem);
        fits += status == SADDLE_OK || status == SADDLE_UNSUPPORTED;
        saddle_problem_clear(&problem);
    }
    saddle__scan_close(&scan);
    return fits;
}

/* The format of a file of the collection, by its folder; AUTO = none. */
static saddle_format expected_format(const char *file)
{
    static const struct {
        const char *begins, *ends;
        saddle_format format;
    } places[] = {
        {"lcp_siconos/", ".dat", SADDLE_FORMAT_SICONOS_LCP},
        {"lcp_drake/", ".dat", SADDLE_FORMAT_SICONOS_LCP},
        {"relay_siconos/", ".dat", SADDLE_FORMAT_SICONOS_RELAY},
        {"mlcp_siconos/", ".dat", SADDLE_FORMAT_SICONOS_MLCP},
        {"gmp_siconos/", ".dat", SADDLE_FORMAT_SICONOS_GMP},
        {"fc3d_siconos/", ".dat", SADDLE_FORMAT_SICONOS_FC},
        {"fc2d_siconos/gfc2d", ".dat", SADDLE_FORMAT_SICONOS_GFC},
        {"fc2d_siconos/", ".dat", SADDLE_FORMAT_SICONOS_FC},
        {"gfc3d_siconos/", ".dat", SADDLE_FORMAT_SICONOS_GFC},
        {"rfc_siconos/GR", ".dat", SADDLE_FORMAT_SICONOS_GFC},
        {"rfc_siconos/", ".dat", SADDLE_FORMAT_SICONOS_FC},
        {"nm_siconos/", ".dat", SADDLE_FORMAT_SICONOS_MATRIX},
        {"fclib_hdf5/", ".hdf5", SADDLE_FORMAT_FCLIB},
        {"lcp_siconos_old/q", ".dat", SADDLE_FORMAT_AUTO},
        {"lcp_siconos_old/M", ".dat", SADDLE_FORMAT_AUTO}, /* triplets: known by their second
                                                              file */
        {"lcp_siconos_old/", ".dat", SADDLE_FORMAT_LCP},
        {"lcp_artisynth/", ".blcp.txt", SADDLE_FORMAT_BOX_LCP},
        {"", ".mtx", SADDLE_FORMAT_MATRIX_MARKET},
        {"qp_marosmeszaros/", ".mat", SADDLE_FORMAT_MAT},
    };
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        size_t length = strlen(file), tail = strlen(places[k].ends);
        if (strncmp(file, places[k].begins, strlen(places[k].begins)) == 0 && length > tail &&
            strcmp(file + length - tail, places[k].ends) == 0)
            return places[k].format;
    }
    return SADDLE_FORMAT_AUTO;
}

/* Calls each for every file of the collection, in the order of INDEX.csv, with the rest of its
 * line. */
static void for_each_file(void (*each)(const char *file, const char *properties))
{
    char *text = read_text(test_data_path("INDEX.csv"));
    int files = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char *comma = strchr(line, ',');
        if (!comma || strncmp(line, "path,", 5) == 0) continue;
        *comma = 0;
        each(line, comma + 1);
        files++;
    }
    free(text);
    assert_true(files > 300);
}

static void check_detection(const char *file, const char *properties)
{
    (void)properties;
    saddle_context *context;
    saddle_problem problem;
    saddle_format format = SADDLE_FORMAT_AUTO, wanted = expected_format(file);
    const char *path = test_data_path(file);
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_status status = saddle_problem_read(context, path, NULL, &problem, NULL, NULL, &format);
    if (wanted == SADDLE_FORMAT_AUTO) {
        if (status != SADDLE_BAD_FILE)
            fail_msg("%s: %s as %s", file, saddle_status_name(status), saddle_format_word(format));
        assert_message(context, path);
    } else if (status == SADDLE_OK) {
        if (format != wanted) fail_msg("%s: read as %s", file, saddle_format_word(format));
        assert_string_equal(saddle_context_message(context), "");
    } else { /* rectangular ones */
        if (!strstr(saddle_context_message(context), "square"))
            fail_msg("%s: %s", file, saddle_context_message(context));
    }
    int text = wanted != SADDLE_FORMAT_AUTO && wanted != SADDLE_FORMAT_BOX_LCP &&
               wanted != SADDLE_FORMAT_FCLIB && wanted != SADDLE_FORMAT_MATRIX_MARKET &&
               wanted != SADDLE_FORMAT_MAT;
    int fits = count_fits(path), wanted_fits = status != SADDLE_BAD_FILE;
    if (text && fits != wanted_fits) fail_msg("%s fits %d formats", file, fits);
    saddle_problem_clear(&problem);
    saddle_context_free(context);
}

static void every_file_of_the_collection_has_one_format(void **state)
{
    (void)state;
    for_each_file(check_detection);
}

/* ---- what INDEX.csv says ---- */

static int64_t expanded_entries(const saddle_matrix *A)
{
    int64_t stored = saddle_matrix_entries(A), diagonal = 0;
    if (A->symmetry == SADDLE_SYMMETRY_NONE) return stored;
    for (int64_t j = 0; j < A->cols; j++)
        diagonal += A->start[j] < A->start[j + 1] && A->index[A->start[j]] == j;
    return 2 * stored - diagonal;
}

/* "NAME:RxC nnz=N" or "NAME(nz=K):RxC nnz=N" followed by "asym=X" or "sym", against A. */
static void check_matrix(const char *file, const char *properties, const char *name,
                         const saddle_matrix *A)
{
    long long rows, cols, entries;
    double asymmetry, stated;
    const char *at = strstr(properties, name);
    if (!at || !(at = strchr(at, ':'))) return;
    if (sscanf(at, ":%lldx%lld nnz=%lld", &rows, &cols, &entries) != 3) return;
    if (rows != A->rows || cols != A->cols || entries != expanded_entries(A))
        fail_msg("%s: %s is %lld x %lld with %lld entries", file, name, (long long)A->rows,
                 (long long)A->cols, (long long)expanded_entries(A));
    if (rows != cols) return;
    assert_int_equal(saddle_matrix_asymmetry(NULL, A, &asymmetry), SADDLE_OK);
    const char *next = strchr(at, ' ') ? strchr(strchr(at, ' ') + 1, ' ') : NULL;
    if (next && sscanf(next, " asym=%lg", &stated) == 1) {
        if (fabs(asymmetry - stated) > 0.1 * pow(10, floor(log10(stated)) + 1))
            fail_msg("%s: asymmetry %g", file, asymmetry);
    } else if (next && strncmp(next, " sym", 4) == 0 && asymmetry != 0) {
        fail_msg("%s: asymmetry %g", file, asymmetry);
    }
}

static void check_properties(const char *file, const char *properties)
{
    saddle_problem problem;
    saddle_format format = expected_format(file);
    long long contacts, dim;
    if (format == SADDLE_FORMAT_AUTO || format == SADDLE_FORMAT_MATRIX_MARKET) return;
    if (saddle_problem_read(NULL, test_data_path(file), NULL, &problem, NULL, NULL, NULL) !=
        SADDLE_OK)
        return;
    const char *at = strstr(properties, "dim=");
    if (at && sscanf(at, "dim=%lld nc=%lld", &dim, &contacts) == 2) {
        assert_int_equal(problem.contact_count, contacts);
        if (contacts > 0) assert_int_equal(problem.contacts[0].size, dim);
        const char *mu = strstr(at, "mu=[");
        for (int64_t c = 0; mu && c < problem.contact_count; c++) { /* the distinct ones, to one
                                                                       digit */
            char *next;
            int found = 0;
            for (const char *one = mu + 4; !found && *one && *one != ']';
                 one = next + (*next == ',')) {
                double value = strtod(one, &next);
                found = fabs(problem.contacts[c].mu - value) <= 0.05 + 1e-12;
                if (next == one) break;
            }
            if (!found)
                fail_msg("%s: contact %lld has mu = %g", file, (long long)c + 1,
                         problem.contacts[c].mu);
        }
    }
    int global = problem.n > 0;
    if (!global) check_matrix(file, properties, at ? "W" : "M", &problem.R);
    if (global) check_matrix(file, properties, "M", &problem.M);
    if (global && problem.m > 0) check_matrix(file, properties, "H", &problem.Jt);
    if (format == SADDLE_FORMAT_SICONOS_MATRIX) check_matrix(file, properties, "}", &problem.M);
    saddle_problem_clear(&problem);
}

static void sizes_entries_asymmetry_and_friction_are_as_indexed(void **state)
{
    (void)state;
    for_each_file(check_properties);
}

/* ---- refusals ---- */

static void refused(const char *name, const char *text, const saddle_read_options *options,
                    saddle_status wanted, const char *message)
{
    saddle_context *context;
    saddle_problem problem;
    const char *path = join(test_scratch_folder(), name);
    write_text(path, text);
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_status status = saddle_problem_read(context, path, options, &problem, NULL, NULL, NULL);
    if (status != wanted)
        fail_msg("%s: %s %s", name, saddle_status_name(status), saddle_context_message(context));
    assert_message(context, path);
    assert_message(context, message);
    assert_true(problem.n == 0 && problem.m == 0 && !problem.name);
    saddle_context_free(context);
}

static void a_printed_matrix_is_not_a_remark(void **state)
{
    (void)state;
    /* W, q = (2, 3, 3), mu = 1 and a remark; or M, H and its vectors */
    static const char text[] = "3\n1\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n2\n3\n3\n1\nCSparse\n"
                               "triplet: 3-by-3, nzmax: 1 nnz: 1\n0 0 : 1\n7 8 9\n0 0 0\n0.5\n";
    saddle_problem problem;
    assert_int_equal(read_problem_text(NULL, SADDLE_FORMAT_AUTO, text, NULL, &problem), SADDLE_OK);
    assert_int_equal(problem.n, 3);
    saddle_problem_clear(&problem);
}

static void what_is_no_problem_file_is_said(void **state)
{
    (void)state;
    refused("empty.dat", "", NULL, SADDLE_BAD_FILE, "empty");
    refused("a.npz", "PK\003\004xyz", NULL, SADDLE_BAD_FILE, "zip");
    refused("a.mat", "MATLAB 7.3 MAT-file, Platform", NULL, SADDLE_BAD_FILE, "MATLAB");
    refused("a.osim", "<?xml version=\"1.0\"?>", NULL, SADDLE_BAD_FILE, "XML");
    refused("problem.json", "{\"format\":\"saddle-problem\"}", NULL, SADDLE_BAD_FILE, "folder");
    refused("readme.txt", "once upon a time", NULL, SADDLE_BAD_FILE, "not a problem file");
    refused("rhs.txt", "0.5\n1.5\n-2\n", NULL, SADDLE_BAD_FILE, "column of numbers");
    refused("q.dat", "1 0.5\n2 1.5\n3 -2\n", NULL, SADDLE_BAD_FILE, "vector");
    refused("Mtriplets.dat", "1 1 2.5\n2 2 3.5\n1 2 0.5\n", NULL, SADDLE_BAD_FILE, "lcp-triplets");
}

static void an_error_names_the_line_of_the_nearest_format(void **state)
{
    (void)state;
    refused("lcp.dat", "2\n0\n2\n2\n2 2\n1 2\n3 x4\n-1 -1\n", NULL, SADDLE_BAD_FILE,
            "lcp.dat:7: M, entry 4 of 4: expected a number");
    refused("fc.dat", "3\n1\n0\n3\n3\n3 3\n1 0 0\n0 1 0\n0 0 1\n1 2 3\n", NULL, SADDLE_BAD_FILE,
            "mu");
    refused("mlcp.dat", "1\n0\n1\n1\n0 1 2\n0 1\n0\n2\n2\n2 2\n1 0 0 1\n", NULL, SADDLE_BAD_FILE,
            "2 numbers of q announced");
    refused("gmp.dat", "1\n1\n1\n1\n1\n1\n1\n1\n2\n1\n0 1\n0\n0\n2.5\n-1\n7\n", NULL,
            SADDLE_BAD_FILE, "type 7");
    refused("mu.dat", "2\n1\n0\n2\n2\n2 2\n1 0 0 1\n1 2\n-0.5\n", NULL, SADDLE_BAD_FILE,
            "contact 1");
    refused("relay.dat", "1\n0\n1\n1\n1 1\n2\n-1\n3\n2\n", NULL, SADDLE_BAD_FILE, "row 1");
}

static void sizes_that_lie_are_errors(void **state)
{
    (void)state;
    static const saddle_read_options as_lcp = {.format = SADDLE_FORMAT_SICONOS_LCP},
                                     as_fc = {.format = SADDLE_FORMAT_SICONOS_FC},
                                     as_matrix = {.format = SADDLE_FORMAT_SICONOS_MATRIX},
                                     as_mlcp = {.format = SADDLE_FORMAT_SICONOS_MLCP};
    refused("a.dat", "4000000000 0 4000000000 4000000000 4000000000 4000000000 1", &as_lcp,
            SADDLE_BAD_FILE, ":1: ");
    refused("a.dat", "99999999999999999999 0 1 1 1 1 1 1", &as_lcp, SADDLE_BAD_FILE, ":1: ");
    refused("a.dat", "-1 0 1 1 1 1 1 1", &as_lcp, SADDLE_BAD_FILE, ":1: ");
    refused("a.dat", "1 3 1 1 1 1 1 1", &as_lcp, SADDLE_BAD_FILE, "storage");
    refused("a.dat", "2 0 3 3 3 3 1 2 3 4 5 6 7 8 9 1 2 3", &as_lcp, SADDLE_BAD_FILE, "3 x 3");
    refused("a.dat", "3 4611686018427387904 0 3 3 3 3", &as_fc, SADDLE_BAD_FILE, "mu");
    refused(
        "a.dat",
        "2 1000000000 1000000000 1\nCSparse\ntriplet: 1000000000-by-1000000000, nzmax: 0 nnz: 0\n",
        &as_matrix, SADDLE_BAD_FILE, "too large");
    refused("a.dat", "0 0 4611686018427387904 0 4611686018427387904", &as_matrix, SADDLE_BAD_FILE,
            "too large");
    refused("a.dat",
            "2 2 2 1\nCSparse\ntriplet: 2-by-2, nzmax: 9 nnz: 3000000000000000000\n0 0 : 1\n",
            &as_matrix, SADDLE_BAD_FILE, "9000000000000000000 numbers of the matrix");
    refused("a.dat", "2 2 2 1\nCSparse\ntriplet: 2-by-2, nzmax: 2 nnz: 2\n0 0 : 1\n0 2 : 1\n",
            &as_matrix, SADDLE_BAD_FILE, ":5: column index");
    refused("a.dat", "2 2 2 1\nCSparse\ntriplet: 2-by-2, nzmax: 2 nnz: 2\n0 1 : 1\n0 1 : 1\n",
            &as_matrix, SADDLE_BAD_FILE, "(1, 2), counted from 1, is given twice");
    refused("a.dat", "2 2 2 1\nCSparse\ntriplet: 3-by-2, nzmax: 2 nnz: 2\n0 1 : 1\n0 1 : 1\n",
            &as_matrix, SADDLE_BAD_FILE, "3-by-2");
    refused("a.dat", "1 0 4611686018427387904 4611686018427387904 0 1", &as_mlcp, SADDLE_BAD_FILE,
            ":1: ");
    refused("a.dat", "1 0 1 1 0 1 3 0 1 0 2 2 2 2 1 0 0 1 1 1", &as_mlcp, SADDLE_BAD_FILE,
            "end of a row block");
    refused("a.dat", "1 0 1 1 0 1 2 1 1 0 2 2 2 2 1 0 0 1 1 1", &as_mlcp, SADDLE_BAD_FILE,
            "2 complementarity rows");
}

static void a_right_hand_side_is_for_those_that_need_one(void **state)
{
    (void)state;
    const char *rhs = join(test_scratch_folder(), "rhs.txt");
    saddle_read_options with_rhs = {.rhs = rhs};
    static const char matrix[] = "0\n2\n2\n2 2\n2 1\n1 3\n";
    saddle_problem problem;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    write_text(rhs, "1\n2\n3\n");
    const char *path = join(test_scratch_folder(), "m.dat");
    write_text(path, matrix);
    assert_int_equal(saddle_problem_read(context, path, &with_rhs, &problem, NULL, NULL, NULL),
                     SADDLE_BAD_FILE);
    assert_message(context, "the right-hand side is 3 x 1, but 2 x 1 is needed");
    saddle_context_free(context);
    write_text(rhs, "1\nnan\n");
    assert_int_equal(saddle_problem_read(NULL, path, &with_rhs, &problem, NULL, NULL, NULL),
                     SADDLE_BAD_FILE);
    write_text(rhs, "1\n2\n");
    assert_int_equal(saddle_problem_read(NULL, path, &with_rhs, &problem, NULL, NULL, NULL),
                     SADDLE_OK);
    assert_true(problem.n == 2 && problem.m == 0 && problem.f[0] == 1 && problem.f[1] == 2);
    saddle_problem_clear(&problem);
    assert_int_equal(saddle_problem_read(NULL, path, NULL, &problem, NULL, NULL, NULL), SADDLE_OK);
    assert_true(problem.f[0] == 3 && problem.f[1] == 4); /* M 1 */
    assert_string_equal(problem.name, "m");
    saddle_problem_clear(&problem);
    with_rhs.format = SADDLE_FORMAT_SICONOS_LCP;
    refused("lcp.dat", "1 0 1 1 1 1 2 -1", &with_rhs, SADDLE_INVALID_ARGUMENT,
            "its own right-hand side");
    with_rhs.rhs = "/nowhere/at/all";
    with_rhs.format = SADDLE_FORMAT_AUTO;
    assert_int_equal(saddle_problem_read(NULL, path, &with_rhs, &problem, NULL, NULL, NULL),
                     SADDLE_FILE_ERROR);
    assert_int_equal(saddle_problem_read(NULL, "/nowhere/at/all", NULL, &problem, NULL, NULL, NULL),
                     SADDLE_FILE_ERROR);
    assert_int_equal(saddle_problem_read(NULL, NULL, NULL, &problem, NULL, NULL, NULL),
                     SADDLE_INVALID_ARGUMENT);
}

static void format_words_go_both_ways(void **state)
{
    (void)state;
    saddle_format format;
    for (int k = 0; k <= SADDLE_FORMAT_BOX_LCP; k++) {
        assert_int_equal(saddle_format_from_word(saddle_format_word((saddle_format)k), &format),
                         SADDLE_OK);
        assert_int_equal(format, k);
    }
    assert_int_equal(saddle_format_from_word("matlab", &format), SADDLE_UNKNOWN_NAME);
    assert_int_equal(saddle_format_from_word(NULL, &format), SADDLE_INVALID_ARGUMENT);
}

/* ---- every text, broken everywhere ---- */

typedef struct sample {
    saddle_format format;
    const char *text, *rhs;
} sample;

static const sample samples[] = {
    {SADDLE_FORMAT_SICONOS_LCP, "2\n0\n2\n2\n2 2\n2 1\n1 2\n-5 -6\n", NULL},
    {SADDLE_FORMAT_SICONOS_LCP, "2 1 2 2  1 1 1  2  2  2 1  0 1  0  0  2 1 1 2  -5 -6\n", NULL},
    {SADDLE_FORMAT_SICONOS_LCP,
     "2 2 2 2 1\nCSparse\ntriplet: 2-by-2, nzmax: 3 nnz: 3\n0 0 : 2\n1 1 : 2\n1 0 : -1\n-5 -6\n",
     NULL},
    {SADDLE_FORMAT_SICONOS_LCP,
     "2 2 2 2 2\nCSparse\n2-by-2, nzmax: 2 nnz: 2\ncol 0 : locations 0 to 0\n0 : 2\ncol 1 : "
     "locations 1 to 1\n1 : "
     "2\n-5 -6\n",
     NULL},
    {SADDLE_FORMAT_SICONOS_RELAY, "2 0 2 2 2 2 1 0 0 1 -0.5 0.5 -1 -1 1 2", NULL},
    {SADDLE_FORMAT_SICONOS_MLCP, "1 0 1 2 0 1 3 0 1 0 3 3 3 3 1 4 7 2 5 8 3 6 9 -1 -2 -3", NULL},
    {SADDLE_FORMAT_SICONOS_MLCP, "0 1 1 2 1 5 6 8 9 2 3 4 7 -1 -2 -3", NULL},
    {SADDLE_FORMAT_SICONOS_GMP,
     "1 4 4 2 2 2 1 4 1 4 3 2 0 1 2 0 1 0 5 1 2 0 0 0 2 0 0 0 2 1 2 3 4 2 4 0.5", NULL},
    {SADDLE_FORMAT_SICONOS_FC, "2 1 0 2 2 2 2 2 0.5 0.5 2 -1 0.5 0.25", NULL},
    {SADDLE_FORMAT_SICONOS_GFC,
     "2 1 0 3 3 3 3 2 0 0 0 1 0 0 0 1 0 3 2 3 2 1 2 3 4 5 6 7 8 9 -1 2 0.25", NULL},
    {SADDLE_FORMAT_SICONOS_MATRIX, "0 2 2 2 2 2 1 1 3", NULL},
    {SADDLE_FORMAT_LCP, "2 2 1 1 2 -5 -6", NULL},
    {SADDLE_FORMAT_BOX_LCP, "2 2 1 1 2 -5 -6 0 -1 1 2", NULL},
    {SADDLE_FORMAT_LCP_TRIPLETS, "1 1 2 1 2 1 2 2 2", "1 -5 2 -6"},
    {SADDLE_FORMAT_MATRIX_MARKET,
     "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 2\n2 2 3\n", "1\n2\n"},
};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

/* Calls each with every token's place. */
static void for_each_token(const char *text,
                           void (*each)(const sample *one, size_t from, size_t to),
                           const sample *one)
{
    for (size_t at = strspn(text, " \n"); text[at]; at += strspn(text + at, " \n")) {
        size_t to = at + strcspn(text + at, " \n");
        each(one, at, to);
        at = to;
    }
}

/* The text up to a token must not be read: a number is missing. */
static void cut_before(const sample *one, size_t from, size_t to)
{
    saddle_problem problem;
    (void)to;
    char *text = malloc(from + 1);
    memcpy(text, one->text, from);
    int whole_triplets = one->format == SADDLE_FORMAT_LCP_TRIPLETS && (from % 6 == 0);
    saddle_status status = read_problem_bytes(NULL, one->format, text, (int64_t)from, one->rhs,
                                              &problem);
    if (status == SADDLE_OK && !whole_triplets)
        fail_msg("%s: read %.*s", saddle_format_word(one->format), (int)from, one->text);
    saddle_problem_clear(&problem);
    free(text);
}

static void a_text_short_of_a_number_is_an_error(void **state)
{
    (void)state;
    for (int k = 0; k < SAMPLES; k++) {
        saddle_problem problem;
        assert_int_equal(read_problem_text(NULL, samples[k].format, samples[k].text, samples[k].rhs,
                                           &problem),
                         SADDLE_OK);
        saddle_problem_clear(&problem);
        for_each_token(samples[k].text, cut_before, &samples[k]);
    }
}

static void a_text_cut_at_any_byte_does_no_harm(void **state)
{
    (void)state;
    int64_t refused_count = 0;
    for (int k = 0; k < SAMPLES; k++)
        for (size_t length = 0; length < strlen(samples[k].text); length++) {
            saddle_problem problem;
            char *text = malloc(length + 1); /* of its own, so that a sanitizer sees a step
                                                beyond */
            memcpy(text, samples[k].text, length);
            for (int detect = 0; detect < 2; detect++) {
                saddle_format format = detect ? SADDLE_FORMAT_AUTO : samples[k].format;
                saddle_status status = read_problem_bytes(NULL, format, text, (int64_t)length,
                                                          samples[k].rhs, &problem);
                if (status == SADDLE_OK)
                    assert_int_equal(saddle_problem_check(NULL, &problem, NULL, NULL), SADDLE_OK);
                refused_count += status == SADDLE_BAD_FILE;
                saddle_problem_clear(&problem);
            }
            free(text);
        }
    assert_true(refused_count > 1000);
}

/* A NaN or a word in place of any token is an error, which shows it where a number was; other
 * numbers are read or refused. */
static void replace_token(const sample *one, size_t from, size_t to)
{
    static const char *const tokens[] = {
        "nan", "-nan", "word", "1e999", "-1", "99999999999", "9223372036854775808",
        "0",   "1.5",  "inf"};
    for (size_t k = 0; k < sizeof tokens / sizeof tokens[0]; k++) {
        saddle_context *context;
        saddle_problem problem;
        char text[512];
        snprintf(text, sizeof text, "%.*s%s%s", (int)from, one->text, tokens[k], one->text + to);
        saddle_context_options options = saddle_context_options_default();
        options.memory_limit = 1 << 24;
        assert_int_equal(saddle_context_create(&options, &context), SADDLE_OK);
        saddle_status status = read_problem_text(context, one->format, text, one->rhs, &problem);
        int in_header = strncmp(one->text + from, "CSparse", 7) == 0 ||
                        strncmp(one->text + from, "general", 7) == 0;
        if (status == SADDLE_OK && k < 4 && !in_header)
            fail_msg("%s: read %s", saddle_format_word(one->format), text);
        if (status == SADDLE_OK)
            assert_int_equal(saddle_problem_check(NULL, &problem, NULL, NULL), SADDLE_OK);
        else
            assert_message(context,
                           k < 3 && strchr("-0123456789", one->text[from]) ? tokens[k] : ":");
        saddle_problem_clear(&problem);
        saddle_context_free(context);
    }
}

static void a_token_that_is_no_number_is_an_error(void **state)
{
    (void)state;
    for (int k = 0; k < SAMPLES; k++) for_each_token(samples[k].text, replace_token, &samples[k]);
}

/* The format is found by walking, which must not take a NaN for the end of the numbers. */
static void a_nan_is_named_as_what_it_is_in_a_detected_format_too(void **state)
{
    (void)state;
    refused("lcp.dat", "2\n0\n2\n2\n2 2\n1 2\n3 nan\n-1 -1\n", NULL, SADDLE_BAD_FILE,
            "lcp.dat:7: M, entry 4 of 4: 'nan' is not finite");
    refused("lcp.dat", "2\n0\n2\n2\n2 2\n1 2\n3 4\nNaN -1\n", NULL, SADDLE_BAD_FILE,
            "lcp.dat:8: q, entry 1 of 2: 'NaN' is not finite");
    refused("fc.dat", "2 1 0 2 2 2 2 2 0.5 0.5 2\n-1 NAN\n0.25\n", NULL, SADDLE_BAD_FILE,
            "fc.dat:2: q, entry 2 of 2: 'NAN' is not finite");
    refused("lcp.dat", "2\n0\n2\n2\n2 2\n1 2\n3 none\n-1 -1\n", NULL, SADDLE_BAD_FILE,
            "M, entry 4 of 4: expected a number, found 'none'");
}

/* ---- memory ---- */

static saddle_status read_sample(saddle_context *context, void *user)
{
    const sample *one = user;
    saddle_problem problem;
    saddle_status status = read_problem_text(context, one->format, one->text, one->rhs, &problem);
    saddle_problem_clear(&problem);
    return status;
}

static saddle_status detect_sample(saddle_context *context, void *user)
{
    sample one = *(const sample *)user;
    one.format = SADDLE_FORMAT_AUTO;
    return read_sample(context, &one);
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    for (int k = 0; k < SAMPLES; k++) {
        sample one = samples[k];
        assert_true(test_allocation_sweep(read_sample, &one) >= 4);
        if (one.format == SADDLE_FORMAT_BOX_LCP) continue; /* known by its name */
        assert_true(test_allocation_sweep(detect_sample, &one) >= 4);
    }
}

static saddle_status read_fclib(saddle_context *context, void *user)
{
    saddle_problem problem;
    saddle_solution start, known;
    saddle_status status = saddle_problem_read(context, user, NULL, &problem, &start, &known, NULL);
    saddle_problem_clear(&problem);
    saddle_solution_clear(&start);
    saddle_solution_clear(&known);
    return status;
}

static void every_failing_allocation_in_an_fclib_file_is_reported(void **state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s", test_data_path("fclib_hdf5/Box_Stacks-i0035-31-0.hdf5"));
    assert_true(test_allocation_sweep(read_fclib, path) >= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_of_the_collection_has_one_format),
        cmocka_unit_test(sizes_entries_asymmetry_and_friction_are_as_indexed),
        cmocka_unit_test(a_printed_matrix_is_not_a_remark),
        cmocka_unit_test(what_is_no_problem_file_is_said),
        cmocka_unit_test(an_error_names_the_line_of_the_nearest_format),
        cmocka_unit_test(sizes_that_lie_are_errors),
        cmocka_unit_test(a_right_hand_side_is_for_those_that_need_one),
        cmocka_unit_test(format_words_go_both_ways),
        cmocka_unit_test(a_text_short_of_a_number_is_an_error),
        cmocka_unit_test(a_text_cut_at_any_byte_does_no_harm),
        cmocka_unit_test(a_token_that_is_no_number_is_an_error),
        cmocka_unit_test(a_nan_is_named_as_what_it_is_in_a_detected_format_too),
        cmocka_unit_test(every_failing_allocation_is_reported),
        cmocka_unit_test(every_failing_allocation_in_an_fclib_file_is_reported),
    };
    return cmocka_run_group_tests_name("problem_read", tests, NULL, NULL);
}
