/* SPDX-License-Identifier: MIT */
/* Problems are written and read back unchanged in every format that can hold them; a part that a
 * format cannot hold is named. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files_support.h"
#include "problem_support.h"

/* ---- drawn problems of the kinds that formats hold ---- */

enum row_sort { EQUALITY, POSITIVE, BOX, CONTACT2, CONTACT3, CONTACT5 };

static double *draw_numbers(uint64_t *state, int64_t count)
{
    double *x = saddle_allocate(NULL, count > 0 ? count : 1, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < count; i++) x[i] = draw_bits(state);
    return x;
}

/* n velocities and the rows or contacts sorts[0 .. count); R where n = 0. */
static void make(uint64_t *state, int64_t n, const enum row_sort *sorts, int64_t count,
                 saddle_problem *problem)
{
    *problem = (saddle_problem){.n = n, .owner = 1};
    problem->lo = saddle_allocate(NULL, 5 * count + 1, sizeof *problem->lo);
    problem->hi = saddle_allocate(NULL, 5 * count + 1, sizeof *problem->hi);
    problem->contacts = saddle_allocate(NULL, count + 1, sizeof *problem->contacts);
    assert_true(problem->lo && problem->hi && problem->contacts);
    for (int64_t k = 0; k < count; k++) {
        int64_t size = sorts[k] == CONTACT2   ? 2
                       : sorts[k] == CONTACT3 ? 3
                       : sorts[k] == CONTACT5 ? 5
                                              : 1;
        if (size > 1)
            problem->contacts[problem->contact_count++] = (saddle_contact){
                .row = problem->m,
                .size = size,
                .mu = fabs(draw_bits(state)),
                .mu_rolling = size == 5 ? fabs(draw_bits(state)) : 0};
        for (int64_t i = problem->m; i < problem->m + size; i++) {
            double a = draw_bits(state), b = draw_bits(state);
            problem->lo[i] = sorts[k] == POSITIVE ? 0 : sorts[k] == BOX ? fmin(a, b) : -INF;
            problem->hi[i] = sorts[k] == BOX ? fmax(a, b) : INF;
        }
        problem->m += size;
    }
    int64_t m = problem->m;
    double density = 0.3 * (double)test_integer(state, 0, 3);
    saddle_symmetry symmetry = (saddle_symmetry)test_integer(state, 0, 1);
    draw_matrix(NULL, state, n, n, density, symmetry, &problem->M);
    draw_matrix(NULL, state, n, m, density, SADDLE_SYMMETRY_NONE, &problem->Jt);
    if (n == 0 && test_integer(state, 0, 7) > 0)
        draw_matrix(NULL, state, m, m, density, symmetry, &problem->R);
    if (test_integer(state, 0, 3) > 0) problem->f = draw_numbers(state, n);
    if (test_integer(state, 0, 3) > 0) problem->b = draw_numbers(state, m);
    assert_int_equal(saddle_problem_check(NULL, problem, NULL, NULL), SADDLE_OK);
}

/* Writes, reads back, compares; reads and writes once more: then all is the same to the last bit of
 * the pattern. */
static void round_trip(saddle_format format, const char *name, const saddle_problem *problem)
{
    saddle_context *context;
    saddle_problem first, second;
    saddle_format found;
    char path[512], rhs[512], again[512], again_rhs[512];
    const char *folder = test_scratch_folder(), *dot = strrchr(name, '.');
    const char *mark = format == SADDLE_FORMAT_LCP_TRIPLETS ? ".q" : ".rhs";
    int two = format == SADDLE_FORMAT_LCP_TRIPLETS || format == SADDLE_FORMAT_MATRIX_MARKET ||
              format == SADDLE_FORMAT_SICONOS_MATRIX;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(rhs, sizeof rhs, "%s/%.*s%s%s", folder, (int)(dot - name), name, mark, dot);
    snprintf(again, sizeof again, "%s/x%s", folder, name);
    snprintf(again_rhs, sizeof again_rhs, "%s/x%.*s%s%s", folder, (int)(dot - name), name, mark,
             dot);
    saddle_read_options options = {.format = format, .rhs = two ? rhs : NULL};
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    if (saddle_problem_write(context, path, format, problem) != SADDLE_OK)
        fail_msg("%s", saddle_context_message(context));
    if (saddle_problem_read(context, path, &options, &first, NULL, NULL, &found) != SADDLE_OK)
        fail_msg("%s", saddle_context_message(context));
    assert_int_equal(count_entries(folder), two ? 2 : 1);
    assert_int_equal(found, format);
    if (format != SADDLE_FORMAT_MATRIX_MARKET) assert_equal_numbers(problem, &first);
    assert_int_equal(saddle_problem_write(context, again, format, &first), SADDLE_OK);
    options.rhs = two ? again_rhs : NULL;
    assert_int_equal(saddle_problem_read(context, again, &options, &second, NULL, NULL, NULL),
                     SADDLE_OK);
    saddle_release(context, first.name);
    saddle_release(context, second.name);
    first.name = second.name = NULL; /* of the files */
    assert_same_problem(&first, &second);
    saddle_problem_clear(&first);
    saddle_problem_clear(&second);
    saddle_context_free(context);
}

typedef struct kind {
    const char *name; /* of the file */
    int64_t n;        /* velocities: 0, or at most this many */
    enum row_sort sorts[3];
    int sort_count;
    saddle_format formats[6]; /* that hold it, AUTO ends */
    saddle_format automatic;  /* for a name in .dat */
} kind;

static const kind kinds[] = {
    {"lcp.dat",
     0,
     {POSITIVE},
     1,
     {SADDLE_FORMAT_SICONOS_LCP, SADDLE_FORMAT_SICONOS_MLCP, SADDLE_FORMAT_SICONOS_GMP,
      SADDLE_FORMAT_LCP, SADDLE_FORMAT_LCP_TRIPLETS, SADDLE_FORMAT_BOX_LCP},
     SADDLE_FORMAT_SICONOS_LCP},
    {"mlcp.dat",
     0,
     {POSITIVE, EQUALITY},
     2,
     {SADDLE_FORMAT_SICONOS_MLCP, SADDLE_FORMAT_SICONOS_GMP, SADDLE_FORMAT_BOX_LCP},
     SADDLE_FORMAT_SICONOS_MLCP},
    {"relay.dat",
     0,
     {BOX},
     1,
     {SADDLE_FORMAT_SICONOS_RELAY, SADDLE_FORMAT_BOX_LCP},
     SADDLE_FORMAT_SICONOS_RELAY},
    {"mixed.dat",
     0,
     {BOX, POSITIVE, EQUALITY},
     3,
     {SADDLE_FORMAT_SICONOS_RELAY, SADDLE_FORMAT_BOX_LCP},
     SADDLE_FORMAT_SICONOS_RELAY},
    {"fc2d.dat",
     0,
     {CONTACT2},
     1,
     {SADDLE_FORMAT_SICONOS_FC, SADDLE_FORMAT_FCLIB},
     SADDLE_FORMAT_SICONOS_FC},
    {"rfc3d.dat",
     0,
     {CONTACT5},
     1,
     {SADDLE_FORMAT_SICONOS_FC, SADDLE_FORMAT_FCLIB},
     SADDLE_FORMAT_SICONOS_FC},
    {"grfc3d.dat",
     7,
     {CONTACT5},
     1,
     {SADDLE_FORMAT_SICONOS_GFC, SADDLE_FORMAT_FCLIB},
     SADDLE_FORMAT_SICONOS_GFC},
    {"fc3d.dat",
     0,
     {CONTACT3},
     1,
     {SADDLE_FORMAT_SICONOS_FC, SADDLE_FORMAT_FCLIB, SADDLE_FORMAT_SICONOS_GMP},
     SADDLE_FORMAT_SICONOS_FC},
    {"gmp.dat",
     0,
     {CONTACT3, EQUALITY, POSITIVE},
     3,
     {SADDLE_FORMAT_SICONOS_GMP},
     SADDLE_FORMAT_SICONOS_GMP},
    {"gfc2d.dat",
     6,
     {CONTACT2},
     1,
     {SADDLE_FORMAT_SICONOS_GFC, SADDLE_FORMAT_FCLIB},
     SADDLE_FORMAT_SICONOS_GFC},
    {"gfc3d.dat",
     6,
     {CONTACT3},
     1,
     {SADDLE_FORMAT_SICONOS_GFC, SADDLE_FORMAT_FCLIB},
     SADDLE_FORMAT_SICONOS_GFC},
    {"kkt.mtx",
     6,
     {EQUALITY},
     1,
     {SADDLE_FORMAT_MATRIX_MARKET, SADDLE_FORMAT_FCLIB},
     SADDLE_FORMAT_MATRIX_MARKET},
    {"bare.dat",
     6,
     {EQUALITY},
     0,
     {SADDLE_FORMAT_SICONOS_MATRIX, SADDLE_FORMAT_MATRIX_MARKET, SADDLE_FORMAT_SICONOS_GFC},
     SADDLE_FORMAT_SICONOS_GFC},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static void draw_kind(uint64_t *state, const kind *one, saddle_problem *problem)
{
    enum row_sort sorts[8];
    int64_t count = one->sort_count > 0 ? test_integer(state, one->sort_count, 8) : 0;
    for (int64_t k = 0; k < count; k++)
        sorts[k] =
            one->sorts[k < one->sort_count ? k : test_integer(state, 0, one->sort_count - 1)];
    make(state, one->n > 0 ? test_integer(state, 1, one->n) : 0, sorts, count, problem);
}

static void every_format_reads_back_what_it_holds(void **state)
{
    (void)state;
    uint64_t draw = test_seed();
    for (int k = 0; k < KINDS; k++)
        for (int round = 0; round < 20; round++) {
            saddle_problem problem;
            draw_kind(&draw, &kinds[k], &problem);
            for (int f = 0; f < 6 && kinds[k].formats[f] != SADDLE_FORMAT_AUTO; f++)
                round_trip(kinds[k].formats[f], kinds[k].name, &problem);
            saddle_problem_clear(&problem);
        }
}

static void a_format_that_cannot_hold_a_problem_says_so_and_writes_nothing(void **state)
{
    (void)state;
    uint64_t draw = test_seed();
    for (int k = 0; k < KINDS; k++) {
        saddle_problem problem;
        draw_kind(&draw, &kinds[k], &problem);
        for (int format = SADDLE_FORMAT_MATRIX_MARKET; format <= SADDLE_FORMAT_BOX_LCP; format++) {
            saddle_context *context;
            const char *folder = test_scratch_folder();
            assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
            saddle_status status = saddle_problem_write(context, join(folder, "x.dat"),
                                                        (saddle_format)format, &problem);
            int listed = 0;
            for (int f = 0; f < 6; f++) listed |= kinds[k].formats[f] == (saddle_format)format;
            if (listed) assert_int_equal(status, SADDLE_OK);
            if (status != SADDLE_OK) {
                assert_int_equal(status, SADDLE_NOT_EXPRESSIBLE);
                assert_message(context, saddle_format_word((saddle_format)format));
                assert_int_equal(count_entries(folder), 0);
            }
            saddle_context_free(context);
        }
        saddle_problem_clear(&problem);
    }
}

static void not_expressible(saddle_format format, const saddle_problem *problem,
                            const char *message)
{
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_problem_write(context, join(test_scratch_folder(), "x"), format,
                                          problem),
                     SADDLE_NOT_EXPRESSIBLE);
    assert_message(context, message);
    saddle_context_free(context);
}

static void what_cannot_be_held_is_named(void **state)
{
    (void)state;
    double lo[] = {0, 0, -3, 0, 0, 0}, hi[] = {INF, INF, 3, INF, INF, INF};
    int64_t start[] = {0, 1, 1, 1, 1, 1, 1}, index[] = {1};
    double value[] = {2};
    saddle_contact contacts[] = {{.size = 3, .mu = 0.5}, {.row = 3, .size = 2, .mu = 0.5}};
    saddle_problem rows = {.m = 6, .lo = lo, .hi = hi};
    not_expressible(SADDLE_FORMAT_SICONOS_LCP, &rows,
                    "row 3 is a box row [-3, 3]: siconos-lcp holds only rows [0, inf)");
    not_expressible(SADDLE_FORMAT_SICONOS_MLCP, &rows, "row 3 is a box row [-3, 3]");
    not_expressible(SADDLE_FORMAT_MATRIX_MARKET, &rows,
                    "row 1 is a unilateral row [0, inf]: mtx holds only equality rows");
    lo[2] = 1;
    hi[2] = INF;
    not_expressible(SADDLE_FORMAT_LCP, &rows, "row 3 is a unilateral row [1, inf]");

    saddle_problem contact = {.m = 6, .contacts = contacts, .contact_count = 2};
    not_expressible(SADDLE_FORMAT_SICONOS_LCP, &contact, "row 1 belongs to a friction contact");
    not_expressible(SADDLE_FORMAT_SICONOS_FC, &contact, "row 6 is an equality row");
    not_expressible(SADDLE_FORMAT_SICONOS_GMP, &contact, "contact 2 has 2 rows");
    not_expressible(SADDLE_FORMAT_FCLIB, &contact, "contact 2 has 2 rows, the first has 3");
    contact.law = SADDLE_LAW_BOX;
    not_expressible(SADDLE_FORMAT_SICONOS_FC, &contact, "law box");

    int64_t one_start[] = {0, 1}, one_index[] = {0}, jt_start[] = {0, 0, 0, 0, 0, 0, 0};
    saddle_problem compliant = {.n = 1, .m = 6, .contacts = contacts, .contact_count = 1};
    compliant.M = saddle_matrix_view(1, 1, one_start, one_index, value, SADDLE_SYMMETRY_LOWER);
    compliant.Jt = saddle_matrix_view(1, 6, jt_start, NULL, NULL, SADDLE_SYMMETRY_NONE);
    compliant.R = saddle_matrix_view(6, 6, start, index, value, SADDLE_SYMMETRY_LOWER);
    not_expressible(SADDLE_FORMAT_FCLIB, &compliant, "row 2 has compliance, R(2, 1) = 2");
    not_expressible(SADDLE_FORMAT_SICONOS_GFC, &compliant, "row 2 has compliance");
    not_expressible(SADDLE_FORMAT_SICONOS_LCP, &compliant, "1 velocities");
    not_expressible(SADDLE_FORMAT_SICONOS_MATRIX, &compliant, "6 rows");

    saddle_problem uneven = {.m = 6, .contacts = contacts, .contact_count = 1};
    uneven.R = saddle_matrix_view(6, 6, start, index, value, SADDLE_SYMMETRY_NONE);
    index[0] = 4; /* R(5, 1) without R(1, 5) */
    not_expressible(SADDLE_FORMAT_FCLIB, &uneven, "unsymmetrically");
}

static void the_name_and_the_rows_choose_the_format(void **state)
{
    (void)state;
    uint64_t draw = test_seed();
    static const struct {
        const char *name;
        saddle_format format;
    } names[] = {{"x.hdf5", SADDLE_FORMAT_FCLIB},
                 {"x.h5", SADDLE_FORMAT_FCLIB},
                 {"x.dat", SADDLE_FORMAT_SICONOS_FC},
                 {"x", SADDLE_FORMAT_BUNDLE}};
    saddle_problem problem, again;
    saddle_format found;
    for (int k = 0; k < KINDS; k++) {
        const char *folder = test_scratch_folder();
        int system = strstr(kinds[k].name, ".mtx") != NULL;
        const char *path = join(folder, system ? "x.mtx" : "x.dat");
        saddle_read_options options = {.rhs = system ? join(folder, "x.rhs.mtx") : NULL};
        draw_kind(&draw, &kinds[k], &problem);
        assert_int_equal(saddle_problem_write(NULL, path, SADDLE_FORMAT_AUTO, &problem), SADDLE_OK);
        assert_int_equal(saddle_problem_read(NULL, path, &options, &again, NULL, NULL, &found),
                         SADDLE_OK);
        assert_int_equal(found, kinds[k].automatic);
        saddle_problem_clear(&problem);
        saddle_problem_clear(&again);
    }
    enum row_sort contact = CONTACT3, positive = POSITIVE;
    make(&draw, 0, &contact, 1, &problem);
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const char *path = join(test_scratch_folder(), names[k].name);
        assert_int_equal(saddle_problem_write(NULL, path, SADDLE_FORMAT_AUTO, &problem), SADDLE_OK);
        assert_int_equal(saddle_problem_read(NULL, path, NULL, &again, NULL, NULL, &found),
                         SADDLE_OK);
        assert_int_equal(found, names[k].format);
        saddle_problem_clear(&again);
    }
    saddle_problem_clear(&problem);
    make(&draw, 0, &positive, 1, &problem);
    static const char *const texts[] = {"x.blcp.txt", "x.lcp"};
    for (int k = 0; k < 2; k++) {
        const char *path = join(test_scratch_folder(), texts[k]);
        assert_int_equal(saddle_problem_write(NULL, path, SADDLE_FORMAT_AUTO, &problem), SADDLE_OK);
        assert_int_equal(saddle_problem_read(NULL, path, NULL, &again, NULL, NULL, &found),
                         SADDLE_OK);
        assert_int_equal(found, k == 0 ? SADDLE_FORMAT_BOX_LCP : SADDLE_FORMAT_LCP);
        saddle_problem_clear(&again);
    }
    saddle_problem_clear(&problem);
}

static void a_kkt_file_is_the_equations_of_the_problem(void **state)
{
    (void)state;
    uint64_t draw = test_seed();
    for (int round = 0; round < 20; round++) {
        enum row_sort sorts[4] = {EQUALITY, EQUALITY, EQUALITY, EQUALITY};
        int64_t n = test_integer(&draw, 0, 4), m = test_integer(&draw, 0, 4);
        char path[512], rhs[512];
        const char *folder = test_scratch_folder();
        saddle_problem problem, system;
        make(&draw, n, sorts, m, &problem);
        if (n > 0) draw_matrix(NULL, &draw, m, m, 0.5, SADDLE_SYMMETRY_LOWER, &problem.R);
        snprintf(path, sizeof path, "%s/K.mtx", folder);
        snprintf(rhs, sizeof rhs, "%s/K.rhs.mtx", folder);
        saddle_read_options options = {.rhs = rhs};
        assert_int_equal(saddle_problem_write(NULL, path, SADDLE_FORMAT_AUTO, &problem), SADDLE_OK);
        assert_int_equal(saddle_problem_read(NULL, path, &options, &system, NULL, NULL, NULL),
                         SADDLE_OK);
        assert_true(system.n == n + m && system.m == 0);
        for (int64_t i = 0; i < n + m; i++) {
            double right = i < n       ? (problem.f ? problem.f[i] : 0)
                           : problem.b ? problem.b[i - n]
                                       : 0;
            assert_true(system.f[i] == right);
            for (int64_t j = 0; j < n + m; j++) {
                int64_t r = i - n, c = j - n;
                double K = r < 0 && c < 0 ? saddle_matrix_entry(&problem.M, i, j)
                           : r < 0        ? saddle_matrix_entry(&problem.Jt, i, c)
                           : c < 0        ? saddle_matrix_entry(&problem.Jt, j, r)
                           : saddle_matrix_entries(&problem.R) > 0
                               ? -saddle_matrix_entry(&problem.R, r, c)
                               : 0;
                assert_true(saddle_matrix_entry(&system.M, i, j) == K);
            }
        }
        saddle_problem_clear(&problem);
        saddle_problem_clear(&system);
    }
}

static void the_collections_files_survive_every_format_that_holds_them(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        saddle_format formats[4];
    } files[] = {
        {"lcp_siconos/lcp_mmc.dat",
         {SADDLE_FORMAT_SICONOS_LCP, SADDLE_FORMAT_LCP, SADDLE_FORMAT_BOX_LCP,
          SADDLE_FORMAT_SICONOS_RELAY}},
        {"mlcp_siconos/diodeBridge20_mlcp.dat",
         {SADDLE_FORMAT_SICONOS_MLCP, SADDLE_FORMAT_SICONOS_GMP}},
        {"relay_siconos/relay1.dat", {SADDLE_FORMAT_SICONOS_RELAY, SADDLE_FORMAT_BOX_LCP}},
        {"fc3d_siconos/Rover1040.dat",
         {SADDLE_FORMAT_SICONOS_FC, SADDLE_FORMAT_FCLIB, SADDLE_FORMAT_SICONOS_GMP}},
        {"fc3d_siconos/Confeti-ex13-4contact-Fc3D-SBM.dat",
         {SADDLE_FORMAT_SICONOS_FC, SADDLE_FORMAT_FCLIB}},
        {"fc2d_siconos/FrictionContactProblem00031.dat",
         {SADDLE_FORMAT_SICONOS_FC, SADDLE_FORMAT_FCLIB}},
        {"gfc3d_siconos/GFC3D_OneContact.dat", {SADDLE_FORMAT_SICONOS_GFC, SADDLE_FORMAT_FCLIB}},
        {"gmp_siconos/GMP5.dat", {SADDLE_FORMAT_SICONOS_GMP}},
        {"lcp_artisynth/artisynth_dantzig1.blcp.txt",
         {SADDLE_FORMAT_BOX_LCP, SADDLE_FORMAT_SICONOS_RELAY}},
    };
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++)
        for (int f = 0; f < 4 && files[k].formats[f] != SADDLE_FORMAT_AUTO; f++) {
            saddle_problem problem;
            assert_int_equal(saddle_problem_read(NULL, test_data_path(files[k].file), NULL,
                                                 &problem, NULL, NULL, NULL),
                             SADDLE_OK);
            round_trip(files[k].formats[f], "again.dat", &problem);
            saddle_problem_clear(&problem);
        }
}

static void an_existing_file_is_replaced_only_by_a_whole_one(void **state)
{
    (void)state;
    uint64_t draw = test_seed();
    const char *folder = test_scratch_folder(), *path = join(folder, "x.dat");
    enum row_sort sorts[] = {BOX};
    saddle_problem problem;
    write_text(path, "precious");
    make(&draw, 0, sorts, 1, &problem);
    assert_int_equal(saddle_problem_write(NULL, path, SADDLE_FORMAT_SICONOS_LCP, &problem),
                     SADDLE_NOT_EXPRESSIBLE);
    char *text = read_text(path);
    assert_string_equal(text, "precious");
    free(text);
    assert_int_equal(saddle_problem_write(NULL, path, SADDLE_FORMAT_AUTO, &problem), SADDLE_OK);
    assert_int_equal(count_entries(folder), 1);
    assert_int_equal(saddle_problem_write(NULL, "/nowhere/at/all/x.dat", SADDLE_FORMAT_AUTO,
                                          &problem),
                     SADDLE_FILE_ERROR);
    problem.contact_count = -1;
    assert_int_equal(saddle_problem_write(NULL, path, SADDLE_FORMAT_AUTO, &problem),
                     SADDLE_INVALID_PROBLEM);
    problem.contact_count = 0;
    assert_int_equal(saddle_problem_write(NULL, path, (saddle_format)99, &problem),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_problem_write(NULL, NULL, SADDLE_FORMAT_AUTO, &problem),
                     SADDLE_INVALID_ARGUMENT);
    saddle_problem_clear(&problem);
}

/* ---- memory ---- */

typedef struct writing {
    const saddle_problem *problem;
    saddle_format format;
    const char *path;
} writing;

static saddle_status write_once(saddle_context *context, void *user)
{
    const writing *one = user;
    return saddle_problem_write(context, one->path, one->format, one->problem);
}

static void every_failing_allocation_is_reported(void **state)
{
    (void)state;
    uint64_t draw = test_seed();
    for (int k = 0; k < KINDS; k++) {
        saddle_problem problem;
        draw_kind(&draw, &kinds[k], &problem);
        for (int f = 0; f < 6 && kinds[k].formats[f] != SADDLE_FORMAT_AUTO; f++) {
            char path[512];
            snprintf(path, sizeof path, "%s/%s", test_scratch_folder(), kinds[k].name);
            writing one = {&problem, kinds[k].formats[f], path};
            assert_true(test_allocation_sweep(write_once, &one) >= 3);
        }
        saddle_problem_clear(&problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_format_reads_back_what_it_holds),
        cmocka_unit_test(a_format_that_cannot_hold_a_problem_says_so_and_writes_nothing),
        cmocka_unit_test(what_cannot_be_held_is_named),
        cmocka_unit_test(the_name_and_the_rows_choose_the_format),
        cmocka_unit_test(a_kkt_file_is_the_equations_of_the_problem),
        cmocka_unit_test(the_collections_files_survive_every_format_that_holds_them),
        cmocka_unit_test(an_existing_file_is_replaced_only_by_a_whole_one),
        cmocka_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests_name("problem_write", tests, NULL, NULL);
}
